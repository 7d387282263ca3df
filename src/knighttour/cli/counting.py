"""``knighttour count`` and ``knighttour sample``: exact numbers and uniform tours in a terminal.

Standard output has the number, or the tours, alone; what was counted, by which convention and what
it cost go to standard error, and so does the bar that shows how far it is.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from .. import _engine, timing
from ..board import Board
from ..counting import Progress, convention, count, count_lengths, count_plan
from ..drawing.colours import THEMES
from ..errors import InvalidInputError
from ..occurrences import edge_counts, end_counts, occurrences
from ..oneway import has_one_way_moves
from ..questions import Question
from ..residues import decimal
from ..sampling import sample
from .shared import add_board, board_of, square_argument, styled

__all__ = ["add_count", "add_sample"]

#: One side of the board may be a range.
_LENGTHS = re.compile(
    r"\s*(?:([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\s*[xX×*]\s*([0-9]{1,9})"
    r"|([0-9]{1,9})\s*[xX×*]\s*([0-9]{1,9})\s*\.\.\s*([0-9]{1,9}))\s*"
)

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def add_count(commands: Any) -> None:
    """Add the command ``count``."""
    parser = commands.add_parser(
        "count",
        help="count all tours exactly",
        description="Count all tours exactly. Open tours are counted in both directions, those "
        "that could be closed included; with a start or an end those from or to it; closed ones "
        "once each, with a start and an end those through the move between them. --board 6x1..1000 "
        "counts all these boards at once, in hardly more time than the longest one alone, and "
        "prints a line for each: its size and its number.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_run_count)
    _add_question(parser)
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument(
        "--directed", action="store_true", default=None, help="count both directions of a tour"
    )
    direction.add_argument(
        "--undirected", action="store_false", dest="directed", help="count every tour once"
    )
    parser.add_argument(
        "--plan", action="store_true", help="tell what it would cost, step by step; count nothing"
    )
    each = parser.add_mutually_exclusive_group()
    each.add_argument(
        "--moves", action="store_true", help="count for every move the tours that use it"
    )
    each.add_argument(
        "--ends", action="store_true", help="count for every square the open tours from there"
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="with --moves, draw a map of them: .svg or .png"
    )
    parser.add_argument("--theme", choices=tuple(THEMES), help="of the map (default: light)")
    _add_limits(parser)
    parser.add_argument(
        "--checkpoint", metavar="DIR", help="keep every step there; go on where it stopped"
    )


def add_sample(commands: Any) -> None:
    """Add the command ``sample``."""
    parser = commands.add_parser(
        "sample",
        help="draw tours, all with exactly the same probability",
        description="Draw tours, all with exactly the same probability.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_run_sample)
    _add_question(parser)
    parser.add_argument("-k", type=int, default=1, metavar="N", help="how many tours (1)")
    parser.add_argument("--seed", type=int, metavar="N", help="the same tours again")
    parser.add_argument(
        "--style",
        choices=("grid", "board", "list", "names", "json"),
        default="grid",
        help="as of the command tour (default: %(default)s)",
    )
    parser.add_argument("--ascii", action="store_true", help="no box-drawing characters")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="of --style list")
    _add_limits(parser)


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "start", nargs="?", metavar="START", help="first square: a name such as a0, or ROW,COL"
    )
    add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="tours that return to the start")
    parser.add_argument("--ranks", choices=("0-9", "1-10"), help="how xiangqi ranks are numbered")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--memory", metavar="SIZE", help="most memory to take, such as 8G (default: what is free)"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="default: one a core")
    parser.add_argument("--timeout", type=float, metavar="S", help="give up after S seconds")
    parser.add_argument("--spill", metavar="DIR", help="keep the layers on a disk")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def _question(options: argparse.Namespace) -> dict[str, Any]:
    board = board_of(options, options.start)
    return {
        "board": board,
        "start": square_argument(board, options.start, options.ranks),
        "end": square_argument(board, options.end, options.ranks),
        "closed": options.closed,
    }


def _memory(words: str | None) -> int | None:
    """Read a number of bytes such as ``8G``.

    >>> _memory("8G"), _memory("1.5 MiB")
    (8589934592, 1572864)
    """
    if words is None:
        return None
    found = _SIZE.fullmatch(words.strip())
    if found is None:
        raise InvalidInputError(f"--memory {words!r} is not a size: use such as 500M or 8G")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


class _Bar:
    """A progress bar of one line on standard error, if that is a terminal."""

    def __init__(self, is_quiet: bool) -> None:
        self.is_on = not is_quiet and sys.stderr.isatty()
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        filled = int(30 * progress.share)
        left = "" if progress.share < 0.01 else f", {timing.human_time(progress.remaining)} left"
        sweeps = f"sweep {progress.sweep}/{progress.sweeps}, " if progress.sweeps > 1 else ""
        line = (
            f"[{'#' * filled}{'.' * (30 - filled)}] {100 * progress.share:5.1f} % "
            f"({sweeps}step {progress.step}/{progress.steps}{left})"
        )
        print(f"\r{line:<{self.width}}", end="", file=sys.stderr, flush=True)
        self.width = len(line)

    def clear(self) -> None:
        """Leave an empty line behind."""
        if self.width:
            print(f"\r{'':<{self.width}}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


def _run_count(options: argparse.Namespace) -> int:
    if options.board is not None and ".." in options.board:
        return _run_lengths(options)
    question = _question(options)
    limits = {
        "memory_limit": _memory(options.memory),
        "threads": options.threads,
    }
    if options.plan:
        print(count_plan(**question, directed=options.directed, **limits).table())
        return 0
    began = perf_counter()
    bar = _Bar(options.quiet)
    progress = bar if bar.is_on else None
    common = {"timeout": options.timeout, "progress": progress, "backend": options.backend}
    board: Board = question["board"]
    try:
        if options.moves or options.ends:
            _count_each(options, question, bar, limits | common)
        elif options.output is not None or options.theme is not None:
            raise InvalidInputError("-o and --theme are for the map of --moves")
        else:
            number = count(
                **question,
                directed=options.directed,
                checkpoint=options.checkpoint,
                spill=options.spill,
                **limits,
                **common,
            )
            bar.clear()
            print(decimal(number))
    finally:
        bar.clear()
    what = convention(
        start=question["start"] is not None,
        end=question["end"] is not None,
        closed=options.closed,
        directed=False if options.moves else True if options.ends else options.directed,
        one_way=has_one_way_moves(board),
    )
    print(
        f"{board}: {what}; {timing.human_time(perf_counter() - began)} "
        f"({options.backend or _engine.BACKEND})",
        file=sys.stderr,
    )
    return 0


def _run_lengths(options: argparse.Namespace) -> int:
    """Count the boards of one width and a range of lengths."""
    found = _LENGTHS.fullmatch(options.board)
    if found is None:
        raise InvalidInputError(
            f"--board {options.board!r} is no board: use ROWSxCOLS, where one of them may be a "
            "range, such as 6x1..1000"
        )
    for name in ("start", "end", "holes", "fen", "leaper", "wrap", "checkpoint", "spill"):
        if getattr(options, name) is not None:
            raise InvalidInputError(f"--board with a range of lengths excludes {name}")
    if options.moves:
        raise InvalidInputError("--board with a range of lengths excludes --moves")
    rows_vary = found[1] is not None
    shortest, longest, width = (
        int(words) for words in (found.group(1, 2, 3) if rows_vary else found.group(5, 6, 4))
    )
    common = {
        "closed": options.closed,
        "directed": options.directed,
        "memory_limit": _memory(options.memory),
        "threads": options.threads,
    }
    if options.plan:
        print(count_plan((longest, width) if rows_vary else (width, longest), **common).table())
        print("shorter boards are counted on the way")
        return 0
    began = perf_counter()
    bar = _Bar(options.quiet)
    try:
        counts = count_lengths(
            width,
            longest,
            shortest=shortest,
            timeout=options.timeout,
            progress=bar if bar.is_on else None,
            backend=options.backend,
            **common,
        )
    finally:
        bar.clear()
    for length, number in counts.items():
        name = f"{length}x{width}" if rows_vary else f"{width}x{length}"
        print(name, decimal(number))
    what = convention(start=False, end=False, closed=options.closed, directed=options.directed)
    print(
        f"{options.board}: {what}; {timing.human_time(perf_counter() - began)} "
        f"({options.backend or _engine.BACKEND})",
        file=sys.stderr,
    )
    return 0


def _count_each(
    options: argparse.Namespace, question: dict[str, Any], bar: _Bar, how: dict[str, Any]
) -> None:
    """Count for every move or end; print the numbers, or draw them."""
    what = "--moves" if options.moves else "--ends"
    board: Board = question["board"]
    for name in ("checkpoint", "spill", "directed"):
        if getattr(options, name) is not None:
            raise InvalidInputError(f"{what} excludes --{name}")
    if options.ends:
        if options.closed or options.start is not None or options.end is not None:
            raise InvalidInputError("--ends is for open tours with any start and any end")
        if options.output is not None or options.theme is not None:
            raise InvalidInputError(
                "-o and --theme are for the map of --moves, which shows the ends too"
            )
        starts = end_counts(board, **how)
        bar.clear()
        for square, ways in starts.items():
            print(f"{board.name(square, ranks=options.ranks)} {ways}")
        return
    if options.output is None:
        if options.theme is not None:
            raise InvalidInputError("--theme is for the map that -o FILE draws")
        counts = edge_counts(**question, **how)
        bar.clear()
        for (a, b), ways in counts.items():
            names = (board.name(square, ranks=options.ranks) for square in (a, b))
            print(f"{'-'.join(names)} {ways}")
        return
    _draw_map(options, question, bar, how)


def _draw_map(
    options: argparse.Namespace, question: dict[str, Any], bar: _Bar, how: dict[str, Any]
) -> None:
    """Draw how often the moves occur, and how often open tours start on each square."""
    from ..drawing import raster
    from ..drawing.movemap import move_map
    from ..files import replacing

    target = Path(options.output)
    ending = target.suffix.lower()
    if ending not in (".svg", ".png"):
        raise InvalidInputError(
            f"cannot tell from {options.output!r} what to draw: use an ending of .svg or .png"
        )
    if ending == ".png":
        raster.require(animation=False)
    asked = Question.of(
        question["board"], question["start"], question["end"], question["closed"], None
    )
    arguments = ("memory_limit", "timeout", "threads", "progress", "backend")
    with replacing(target) as out:
        found = occurrences(asked, *(how[name] for name in arguments))
        bar.clear()
        is_open = not asked.closed and asked.start is None and asked.end is None
        used = len(asked.board.squares) - (not asked.closed)
        picture = move_map(
            asked.board,
            found.moves,
            found.ends if is_open else None,
            total=sum(found.moves.values()) // max(1, used),
            theme=options.theme or "light",
            ranks=options.ranks,
            text="font" if ending == ".svg" else "outlines",
        )
        out.write(picture.encode() if ending == ".svg" else raster.rasterise(picture))


def _run_sample(options: argparse.Namespace) -> int:
    from ..formats import as_json

    question = _question(options)
    bar = _Bar(options.quiet)
    try:
        tours = sample(
            k=options.k,
            seed=options.seed,
            memory_limit=_memory(options.memory),
            threads=options.threads,
            timeout=options.timeout,
            spill=options.spill,
            progress=bar if bar.is_on else None,
            backend=options.backend,
            **question,
        )
    finally:
        bar.clear()
    for number, tour in enumerate(tours):
        if options.style == "json":
            print(as_json(tour))
            continue
        if number and options.style != "names":
            print()
        print(styled(tour, question["board"], options))
    if tours:
        print(
            f"{len(tours)} of {question['board']}, uniformly; seed {tours[0].stats.seed}, "
            f"{timing.human_time(tours[0].stats.seconds)}",
            file=sys.stderr,
        )
    return 0
