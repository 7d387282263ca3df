"""``knighttour complete`` and ``knighttour list``: puzzles, and all tours of a board."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from typing import Any

from ..answer import Tour
from ..board import WRAPS, Board
from ..drawing import text
from ..errors import InvalidInputError
from ..formats import check_ending
from ..notation import RANKS
from ..shapes import complete, tours
from .shared import (
    add_board,
    add_command,
    board_of,
    leaper_argument,
    read_file,
    seconds,
    square_argument,
    whole_number,
)

__all__ = ["add_complete", "add_list"]


def add_complete(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "complete", _run_complete, "complete a partial numbering, as in a puzzle"
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="rows of numbers; 0, ., ? or _ for unknown, # for a hole (- for standard input)",
    )
    parser.add_argument("--closed", action="store_true", help="return to the start by a move")
    parser.add_argument(
        "--unique", action="store_true", help="tell whether it is the only completion"
    )
    parser.add_argument("--leaper", metavar="A,B", help="as for tour")
    parser.add_argument("--wrap", choices=tuple(WRAPS), help="as for tour")
    parser.add_argument(
        "--seed", type=whole_number, metavar="N", help="another completion, reproducible"
    )
    parser.add_argument(
        "--max-nodes", type=whole_number, metavar="N", help="give up after N decisions"
    )
    parser.add_argument("--timeout", type=seconds, metavar="S", help="give up after S seconds")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write .txt .csv .json .npy")


def add_list(commands: Any) -> None:
    """Add the command."""
    parser = add_command(commands, "list", _run_list, "list all tours, in a fixed order")
    parser.add_argument("start", nargs="?", metavar="START", help="first square (default: any)")
    add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="only closed tours")
    parser.add_argument(
        "--count",
        type=whole_number,
        default=10,
        metavar="N",
        help="so many, 0 for all (default: 10)",
    )
    parser.add_argument(
        "--timeout", type=seconds, metavar="S", help="give up when the next tours take S seconds"
    )
    parser.add_argument(
        "--style", choices=("names", "grid"), default="names", help="default: %(default)s"
    )
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")


def read_puzzle(words: str) -> list[list[object]]:
    r"""Return the rows of a puzzle written as text.

    >>> read_puzzle("1 . 3\n4,#,_")
    [[1, 0, 3], [4, '#', 0]]
    """
    rows: list[list[object]] = []
    for number, line in enumerate(words.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        row: list[object] = []
        for item in _items(line):
            if item in ("", "0", ".", "?", "_"):
                row.append(0)
            elif item == "#":
                row.append("#")
            elif item.isdecimal() and item.isascii():
                row.append(int(item))
            else:
                raise InvalidInputError(
                    f"{item!r} in line {number} of the puzzle is no number: use 0, '.', '?' or "
                    "'_' for unknown and '#' for a hole, with spaces, commas or semicolons between"
                )
        rows.append(row)
    return rows


def _items(line: str) -> list[str]:
    """Return the cells of a line: between commas or semicolons, or else between spaces."""
    for mark in (",", ";"):
        if mark in line:
            return [item.strip() for item in line.split(mark)]
    items: list[str] = []
    for item in line.split():
        # Marks need no spaces between them: "..#." is four cells.
        items += item if len(item) > 1 and not item.strip(".#?_") else [item]
    return items


def _run_complete(options: argparse.Namespace) -> int:
    if options.output is not None:
        check_ending(options.output)
    rows = read_puzzle(read_file(options.file))
    board = None
    if options.leaper is not None or options.wrap is not None:
        leaper = (1, 2) if options.leaper is None else leaper_argument(options.leaper)
        board = Board.from_mask(
            [[value != "#" for value in row] for row in rows], leaper=leaper, wrap=options.wrap
        )
    limits = {
        "closed": options.closed,
        "seed": options.seed,
        "max_nodes": options.max_nodes,
        "timeout": options.timeout,
        "backend": options.backend,
    }
    second: Tour | None = None
    if options.unique:
        answer = complete(rows, board, unique=True, **limits)
        found, second = answer.tour, answer.second
        verdict = "the only completion" if answer.unique else "not the only completion"
    else:
        found = complete(rows, board, **limits)
        verdict = "a completion"
    if options.output is not None:
        found.save(options.output)
    else:
        print(found)
        if second is not None:
            print(f"\n{second}")
    stats = found.stats
    print(f"{verdict}: {stats.method}, {stats.nodes} decisions", file=sys.stderr)
    return 0


def _run_list(options: argparse.Namespace) -> int:
    if options.count < 0:
        raise InvalidInputError(f"--count {options.count} is not a number of tours: use 0 or more")
    board = board_of(options, options.start)
    found = tours(
        square_argument(board, options.start, options.ranks),
        board,
        end=square_argument(board, options.end, options.ranks),
        closed=options.closed,
        timeout=options.timeout,
        backend=options.backend,
    )
    shown = 0
    for t in islice(found, options.count or None):
        if options.style == "grid":
            print(("\n" if shown else "") + text.numbered_grid(t, board))
        else:
            print(" ".join(t.names(ranks=options.ranks)))
        shown += 1
    kind = ("closed tour" if options.closed else "tour") + ("" if shown == 1 else "s")
    all_of_them = options.count == 0 or shown < options.count
    print(
        f"{shown} {kind} of {board}{'' if all_of_them else ', and perhaps more'}", file=sys.stderr
    )
    return 0
