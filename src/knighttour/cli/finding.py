"""``knighttour tour`` and ``knighttour explain``."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .. import _engine, timing
from ..errors import DeadEndError, InvalidInputError
from ..existence import exists, explain
from ..formats import as_json, check_ending
from ..notation import RANKS
from ..progress import progress
from ..search import tour
from ..strategies import STRATEGIES
from .shared import (
    add_board,
    add_command,
    board_of,
    seconds,
    square_argument,
    styled,
    whole_number,
)

__all__ = ["MAX_PRINT", "add_explain", "add_tour"]

STYLES = ("grid", "board", "list", "names", "json", "levels")

#: A board of more squares is not printed.
MAX_PRINT = 250_000


# tour


def add_tour(commands: Any) -> None:
    """Add the command."""
    parser = add_command(commands, "tour", _run_tour, "find a tour and print it")
    parser.add_argument(
        "start", nargs="?", metavar="START", help="first square: a name such as a0, or ROW,COL"
    )
    add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="return to the start by a move")
    parser.add_argument(
        "--strategy",
        metavar="S",
        help=f"run exactly one published search: {', '.join(STRATEGIES)}",
    )
    parser.add_argument("--seed", type=whole_number, metavar="N", help="another tour, reproducible")
    parser.add_argument(
        "--max-nodes", type=whole_number, metavar="N", help="give up after N squares"
    )
    parser.add_argument("--timeout", type=seconds, metavar="S", help="give up after S seconds")
    parser.add_argument(
        "--style",
        choices=STYLES,
        default="grid",
        help="grid: step numbers; board: the same with lines; list: numbered steps; names: names "
        "of squares; json; levels: the tables and the running total of program 000 "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--at", type=whole_number, metavar="K", help="print only the K-th square, from 1"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="write .txt .csv .json .npy .html .svg .png .gif .apng .webp",
    )
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    parser.add_argument(
        "--lang", choices=("en", "zh"), default="en", help="language of --style list"
    )
    parser.add_argument("--ascii", action="store_true", help="no box-drawing characters")


def _run_tour(options: argparse.Namespace) -> int:
    board = board_of(options, options.start)
    if options.output is not None:
        if options.at is not None:
            raise InvalidInputError(
                "--at prints one square and -o writes the tour: use one of them"
            )
        check_ending(options.output)
    elif options.at is None and board.size > MAX_PRINT:
        raise InvalidInputError(
            f"a tour of {board} has {board.size} squares, too many to print: ask for one square "
            "with --at K, or write a file with -o FILE"
        )
    if options.at is not None and not 1 <= options.at <= board.size:
        raise InvalidInputError(
            f"--at {options.at} is not a step of {board}: use 1 to {board.size}"
        )
    start = square_argument(board, options.start, options.ranks)
    try:
        found = tour(
            start,
            board,
            end=square_argument(board, options.end, options.ranks),
            closed=options.closed,
            strategy=options.strategy,
            seed=options.seed,
            max_nodes=options.max_nodes,
            timeout=options.timeout,
            backend=options.backend,
        )
    except DeadEndError as error:
        if options.style != "json" and options.output is None and options.at is None:
            print(styled(error.walk, board, options))
        raise
    stats = found.stats
    if options.at is not None:
        row, col = square = found[options.at - 1]
        print(f"{board.name(square, ranks=options.ranks)} ({row},{col})")
    elif options.output is not None:
        with progress(f"writing {options.output}", board.size) as update:
            found.save(options.output, lambda done, _: update(done))
    elif options.style == "json":
        print(as_json(found))
    else:
        print(styled(found, board, options))
    kind = "closed" if found.closed else "open"
    print(
        f"{kind} tour of {board} by {stats.method}: {stats.nodes} nodes, {stats.backtracks} "
        f"backtracks, {timing.human_time(stats.seconds)} ({options.backend or _engine.BACKEND})",
        file=sys.stderr,
    )
    return 0


# explain


def add_explain(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "explain", _run_explain, "say whether there is a tour, why, and who proved it"
    )
    parser.add_argument("start", nargs="?", metavar="START", help="first square (default: any)")
    add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="a tour that returns to its start")
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")


def _run_explain(options: argparse.Namespace) -> int:
    board = board_of(options, options.start)
    question: dict[str, Any] = {
        "start": square_argument(board, options.start, options.ranks),
        "end": square_argument(board, options.end, options.ranks),
        "closed": options.closed,
        "backend": options.backend,
    }
    print(explain(board, **question))
    return 0 if exists(board, **question) else 3
