"""The command ``knighttour animate``: a search drawn live, or told line by line.

On a terminal, with rich, the events of `trace` are drawn by `drawing.terminal`. Everywhere else
every event is one plain line on standard output, and standard error says once why.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

from .board import Board, as_board
from .drawing.terminal import SearchView, animate, can_animate, event_line
from .errors import DeadEndError, InvalidInputError, NoTourError, SearchLimitError
from .notation import RANKS
from .search import Event, trace
from .strategies import STRATEGIES, Strategy, as_strategy

__all__ = ["add_animate"]

_DEFAULT_STRATEGY = "course"


def add_animate(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    # Imported here, because cli imports this module.
    from .cli import _add_board, _add_command

    parser = _add_command(commands, "animate", _run_animate, "draw a search live in the terminal")
    parser.add_argument(
        "start",
        nargs="?",
        metavar="START",
        help="first square: a name such as a0, or ROW,COL (default: 0,0, the top left)",
    )
    _add_board(parser)
    parser.add_argument(
        "--strategy",
        default=_DEFAULT_STRATEGY,
        metavar="S",
        help=f"one of {', '.join(STRATEGIES)} (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="for strategies with random ties")
    parser.add_argument(
        "--speed",
        default="20",
        metavar="N",
        help="events per second; 0 or max: as fast as can be, drawn 30 times a second "
        "(default: %(default)s)",
    )
    parser.add_argument("--max-events", type=int, metavar="N", help="stop after N events")
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    parser.add_argument("--ascii", action="store_true", help="no box-drawing characters")


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
    from .cli import square_argument

    board = as_board(options.board)
    rule = as_strategy(options.strategy)
    speed = _read_speed(options.speed)
    limit = options.max_events
    if limit is not None and limit < 1:
        raise InvalidInputError(f"--max-events {limit} is not a limit: use 1 or more")
    start = square_argument(board, options.start, options.ranks) or (0, 0)
    events = trace(start, board, rule, seed=options.seed, backend=options.backend)
    title = f"{options.strategy} on {board} from {board.name(start, ranks=options.ranks)}"
    view = SearchView(board, title, ranks=options.ranks)
    obstacle = can_animate(sys.stdout)
    try:
        if obstacle is None:
            is_finished = animate(
                events, view, speed=speed, max_events=limit, ascii_only=options.ascii
            )
        else:
            print(
                f"knighttour: plain steps, as {obstacle}; on a terminal, with rich, the walk is "
                "drawn",
                file=sys.stderr,
            )
            is_finished = _tell(events, view, speed, limit)
    except KeyboardInterrupt:
        print(f"knighttour: {title}, {_counters(view)}", file=sys.stderr)
        raise
    return _conclude(view, rule, board, is_finished, limit)


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
