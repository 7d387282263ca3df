"""The command line for boards of any shape: the options that choose one, `complete` and `list`.

``--holes FILE`` reads a map (``.`` square, ``#`` hole; or a picture), ``--fen`` a xiangqi position,
``--leaper 1,4`` and ``--wrap torus`` change the moves. They mean the same with every command.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from .answer import Tour
from .board import WRAPS, Board, as_board
from .drawing import text
from .errors import InvalidInputError, Square
from .notation import RANKS
from .shapes import complete, tours

__all__ = ["add_commands", "add_options", "board_of"]

_PICTURES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".webp")

SquareReader = Callable[[Board, str | None, str | None], Square | None]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a board of another shape."""
    group = parser.add_argument_group("boards of other shapes")
    group.add_argument(
        "--holes",
        metavar="FILE",
        help="a map of the board, '.' a square and '#' a hole, or a picture with dark squares "
        "(- for standard input)",
    )
    group.add_argument("--fen", metavar="F", help="a xiangqi position: the empty points are toured")
    group.add_argument(
        "--no-leg-rule", action="store_true", help="with --fen: pieces do not hobble the horse"
    )
    group.add_argument(
        "--leaper", metavar="A,B", help="the piece goes A and B squares, such as 1,4"
    )
    group.add_argument("--wrap", choices=tuple(WRAPS), help="what is followed by its beginning")


def board_of(options: argparse.Namespace, start: str | None = None) -> Board:
    """Return the board that the options mean.

    Args:
        options: parsed ones, with those of `add_options` and ``board``.
        start: the name of the first square: with --fen a horse there is lifted to go on tour.
    """
    leaper = (1, 2) if options.leaper is None else _leaper(options.leaper)
    if options.no_leg_rule and options.fen is None:
        raise InvalidInputError("--no-leg-rule goes with --fen")
    if options.fen is not None:
        for name, value in (
            ("--holes", options.holes),
            ("--leaper", options.leaper),
            ("--wrap", options.wrap),
        ):
            if value is not None:
                raise InvalidInputError(f"--fen excludes {name}")
        leg_rule = not options.no_leg_rule
        board = Board.from_fen(options.fen, leg_rule)
        if start is not None:
            square = Board(10, 9, naming="iccs").square(
                start, ranks=getattr(options, "ranks", None)
            )
            if square not in board:
                board = Board.from_fen(options.fen, leg_rule, horse=square)
        return board
    if options.holes is not None:
        if Path(options.holes).suffix.lower() in _PICTURES:
            return Board.from_image(options.holes, leaper=leaper, wrap=options.wrap)
        return Board.parse(_read(options.holes), leaper=leaper, wrap=options.wrap)
    board = as_board(options.board)
    if options.leaper is None and options.wrap is None:
        return board
    return Board(*board.shape, naming=board.naming, leaper=leaper, wrap=options.wrap)


def _leaper(words: str) -> tuple[int, int]:
    try:
        a, b = map(int, words.replace("x", ",").split(","))
    except ValueError:
        raise InvalidInputError(
            f"--leaper {words!r} is not a leaper: use two numbers such as 1,4"
        ) from None
    return a, b


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        raise InvalidInputError(f"{file!r} is not text") from None


def add_commands(
    commands: Any,
    add_command: Callable[..., argparse.ArgumentParser],
    add_board: Callable[[argparse.ArgumentParser], None],
    read_square: SquareReader,
) -> None:
    """Add `complete` and `list` to the commands of `cli`."""
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
    parser.add_argument("--seed", type=int, metavar="N", help="another completion, reproducible")
    parser.add_argument("--max-nodes", type=int, metavar="N", help="give up after N decisions")
    parser.add_argument("--timeout", type=float, metavar="S", help="give up after S seconds")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write .txt .csv .json .npy")

    def run_list(options: argparse.Namespace) -> int:
        return _run_list(options, read_square)

    parser = add_command(commands, "list", run_list, "list all tours, in a fixed order")
    parser.add_argument("start", nargs="?", metavar="START", help="first square (default: any)")
    add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="only closed tours")
    parser.add_argument(
        "--count", type=int, default=10, metavar="N", help="so many, 0 for all (default: 10)"
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
    for number, line in enumerate(words.splitlines(), 1):
        row: list[object] = []
        for item in line.replace(",", " ").split():
            if item in ("0", ".", "?", "_"):
                row.append(0)
            elif item == "#":
                row.append("#")
            elif item.isdecimal() and item.isascii():
                row.append(int(item))
            else:
                raise InvalidInputError(
                    f"{item!r} in line {number} of the puzzle is no number: use 0, '.', '?' or "
                    "'_' for unknown and '#' for a hole"
                )
        if row:
            rows.append(row)
    return rows


def _run_complete(options: argparse.Namespace) -> int:
    rows = read_puzzle(_read(options.file))
    board = None
    if options.leaper is not None or options.wrap is not None:
        leaper = (1, 2) if options.leaper is None else _leaper(options.leaper)
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


def _run_list(options: argparse.Namespace, read_square: SquareReader) -> int:
    if options.count < 0:
        raise InvalidInputError(f"--count {options.count} is not a number of tours: use 0 or more")
    board = board_of(options, options.start)
    found = tours(
        read_square(board, options.start, options.ranks),
        board,
        end=read_square(board, options.end, options.ranks),
        closed=options.closed,
        backend=options.backend,
    )
    shown = 0
    for t in islice(found, options.count or None):
        if options.style == "grid":
            print(("\n" if shown else "") + text.numbered_grid(t, board))
        else:
            print(" ".join(t.names(ranks=options.ranks)))
        shown += 1
    kind = "closed tours" if options.closed else "tours"
    all_of_them = options.count == 0 or shown < options.count
    print(
        f"{shown} {kind} of {board}{'' if all_of_them else ', and perhaps more'}", file=sys.stderr
    )
    return 0
