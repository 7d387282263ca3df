"""The command ``knighttour animate``: a search drawn live, told line by line, or as a page.

On a terminal, with rich, the events of `trace` are drawn by `drawing.terminal`. Everywhere else
every event is one plain line on standard output, and standard error says once why. With ``-o`` the
search becomes a page that plays it (`drawing.page`), and nothing is told but how it ended.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from ..board import Board
from ..drawing import page as pages
from ..drawing.terminal import SearchView, animate, can_animate, event_line
from ..errors import DeadEndError, InvalidInputError, NoTourError, SearchLimitError
from ..files import replacing
from ..notation import RANKS
from ..search import Event, trace
from ..strategies import STRATEGIES, Strategy, as_strategy
from .shared import add_board, add_command, board_of, square_argument

__all__ = ["add_animate"]

_DEFAULT_STRATEGY = "course"

#: Events per second where they are told.
_DEFAULT_SPEED = 20.0

#: A longer search becomes a page only on request: its browser has to hold all of it.
_MAX_PAGE = 200_000


def add_animate(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    parser = add_command(commands, "animate", _run_animate, "draw a search live in the terminal")
    parser.add_argument(
        "start",
        nargs="?",
        metavar="START",
        help="first square: a name such as a0, or ROW,COL (default: 0,0, the top left)",
    )
    add_board(parser)
    parser.add_argument(
        "--strategy",
        default=_DEFAULT_STRATEGY,
        metavar="S",
        help=f"one of {', '.join(STRATEGIES)} (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="for strategies with random ties")
    parser.add_argument(
        "--speed",
        metavar="N",
        help="events per second; 0 or max: as fast as can be, drawn 30 times a second "
        f"(default: {_DEFAULT_SPEED:g}; of a page: all of it in about 20 seconds)",
    )
    parser.add_argument("--max-events", type=int, metavar="N", help="stop after N events")
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    parser.add_argument("--ascii", action="store_true", help="no box-drawing characters")
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="write a page that plays the search: .html"
    )
    made = parser.add_argument_group("the page")
    made.add_argument(
        "--lang", choices=tuple(pages.LANGUAGES), help="language at first (default: en)"
    )
    made.add_argument(
        "--theme", choices=pages.THEMES, help="default: auto, what its reader prefers"
    )
    made.add_argument("--title", metavar="T", help="heading (default: one that names the board)")


def _read_speed(words: str) -> float:
    """Return events per second, infinity for as fast as can be.

    >>> _read_speed("20"), _read_speed("0.5"), _read_speed("max")
    (20.0, 0.5, inf)
    """
    if words.strip().lower() == "max":
        return math.inf
    try:
        speed = float(words)
    except ValueError:
        speed = math.nan
    # Below one event in a thousand seconds somebody has mistaken the unit.
    if speed == 0:
        return math.inf
    if not 0.001 <= speed < math.inf:
        raise InvalidInputError(
            f"--speed {words} is not a speed: use a number of events per second, at least 0.001, "
            "or 0 or max for as fast as can be"
        )
    return speed


def _run_animate(options: argparse.Namespace) -> int:
    board = board_of(options, getattr(options, "start", None))
    rule = as_strategy(options.strategy)
    speed = None if options.speed is None else _read_speed(options.speed)
    _check_output(options, speed)
    limit = options.max_events
    if limit is not None and limit < 1:
        raise InvalidInputError(f"--max-events {limit} is not a limit: use 1 or more")
    start = square_argument(board, options.start, options.ranks) or (0, 0)
    events = trace(start, board, rule, seed=options.seed, backend=options.backend)
    title = f"{options.strategy} on {board} from {board.name(start, ranks=options.ranks)}"
    view = SearchView(board, title, ranks=options.ranks)
    obstacle = can_animate(sys.stdout)
    pace = _DEFAULT_SPEED if speed is None else speed
    try:
        if options.output is not None:
            is_finished = _write_page(events, view, speed, options)
        elif obstacle is None:
            is_finished = animate(
                events, view, speed=pace, max_events=limit, ascii_only=options.ascii
            )
        else:
            print(
                f"knighttour: plain steps, as {obstacle}; on a terminal, with rich, the walk is "
                "drawn",
                file=sys.stderr,
            )
            is_finished = _tell(events, view, pace, limit)
    except KeyboardInterrupt:
        print(f"knighttour: {title}, {_counters(view)}", file=sys.stderr)
        raise
    return _conclude(view, rule, board, is_finished, limit)


def _check_output(options: argparse.Namespace, speed: float | None) -> None:
    """Refuse what does not fit together, before anything is computed."""
    if options.output is None:
        for option in ("lang", "theme", "title"):
            if getattr(options, option) is not None:
                raise InvalidInputError(f"--{option} is for a page: use -o FILE.html")
        return
    if Path(options.output).suffix.lower() != ".html":
        raise InvalidInputError(
            f"cannot write a search to {options.output!r}: use an ending of .html (knighttour draw "
            "makes pictures and animations of the tour)"
        )
    if options.ascii:
        raise InvalidInputError("--ascii is for the terminal: a page has no box-drawing characters")
    if speed is not None and speed < pages.MIN_SPEED:
        raise InvalidInputError(
            f"--speed {options.speed} is too slow for a page: use at least {pages.MIN_SPEED:g}"
        )


def _write_page(
    events: Iterator[Event], view: SearchView, speed: float | None, options: argparse.Namespace
) -> bool:
    """Write a search, or its first events, as a page; return whether it is all of it."""
    limit: int | None = options.max_events

    def watched() -> Iterator[Event]:
        for event in islice(events, limit):
            if limit is None and view.events == _MAX_PAGE:
                raise InvalidInputError(
                    f"the search has more than {_MAX_PAGE} events, too many for a page: show the "
                    "first with --max-events N"
                )
            view.apply(event)
            yield event

    # The file is opened first, so that a long search does not end in a path that is none.
    with replacing(Path(options.output)) as out:
        made = pages.page(
            watched(),
            view.board,
            lang=options.lang or "en",
            title=options.title,
            theme=options.theme or "auto",
            speed=None if speed is None else min(speed, pages.MAX_SPEED),
            ranks=options.ranks,
            max_events=limit or _MAX_PAGE,
        )
        out.write(made.encode())
    return view.last is not None and view.last.kind == "done"


def _tell(events: Iterator[Event], view: SearchView, speed: float, limit: int | None) -> bool:
    """Print one line an event, in time on a terminal and at once elsewhere."""
    pause = 1 / speed if sys.stdout.isatty() else 0.0
    due = monotonic()
    for event in events:
        if pause:
            sleep(max(0.0, due - monotonic()))
            due = max(due + pause, monotonic())
        view.apply(event)
        print(event_line(view), flush=pause > 0)
        if event.kind != "done" and view.events == limit:
            return False
    return True


def _counters(view: SearchView) -> str:
    last = view.last
    if last is None:
        return "not begun"
    return (
        f"{last.step} of {view.board.size} squares; nodes {last.nodes}, backtracks "
        f"{last.backtracks}, dead ends {view.dead_ends}, events {view.events}"
    )


def _conclude(
    view: SearchView, rule: Strategy, board: Board, is_finished: bool, limit: int | None
) -> int:
    """Say how it ended, by the exit codes and errors of every other command."""
    outcome = f"{view.title}: {_counters(view)}"
    sys.stdout.flush()
    if view.is_tour:
        print(f"tour by {outcome}", file=sys.stderr)
        return 0
    if not is_finished:
        raise SearchLimitError(f"stopped by --max-events {limit}; {outcome}; nothing is proved")
    if not rule.backtrack:
        raise DeadEndError(
            f"dead end: {outcome}; this strategy does not take moves back, so nothing is proved",
            walk=view.path,
        )
    raise NoTourError(
        f"there is no tour from {view.name(view.path[0])} on {board}: all walks from there were "
        f"tried ({_counters(view)})",
        reason="exhausted-search",
        source=f"exhaustive search by the strategy {rule.name}",
        squares=view.path[:1],
    )
