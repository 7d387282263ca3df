"""What the commands share: how they are added, and how they read boards, squares and numbers.

``--holes FILE`` reads a map (``.`` square, ``#`` hole; or a picture), ``--fen`` a xiangqi position,
``--leaper 1,4`` and ``--wrap torus`` change the moves. They mean the same with every command.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..answer import Tour
from ..board import WRAPS, Board, as_board
from ..drawing import text
from ..errors import InvalidInputError, Square
from ..strategies import as_strategy

__all__ = [
    "add_board",
    "add_command",
    "board_of",
    "leaper_argument",
    "read_file",
    "seconds",
    "square_argument",
    "styled",
    "whole_number",
]

_PICTURES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".webp")


def add_command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    """Add a command that is run by `run`, with one line of help."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def add_board(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a board."""
    parser.add_argument(
        "--board",
        type=str.strip,
        metavar="B",
        help="xiangqi, chess or ROWSxCOLS such as 8x8 (default: xiangqi); with a picture of holes "
        "the size to which it is reduced",
    )
    _add_shapes(parser)


def _add_shapes(parser: argparse.ArgumentParser) -> None:
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
        options: parsed ones, with those of `add_board`.
        start: the name of the first square: with --fen a horse there is lifted to go on tour.
    """
    leaper = (1, 2) if options.leaper is None else leaper_argument(options.leaper)
    if options.no_leg_rule and options.fen is None:
        raise InvalidInputError("--no-leg-rule goes with --fen")
    if options.fen is not None:
        for name, value in (
            ("--board", options.board),
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
                name = Board(10, 9, naming="iccs").name(square)
                board = Board.from_fen(options.fen, leg_rule, horse=name)
        return board
    if options.holes is not None:
        if Path(options.holes).suffix.lower() in _PICTURES:
            size = None if options.board is None else as_board(options.board).shape
            return Board.from_image(options.holes, size=size, leaper=leaper, wrap=options.wrap)
        if options.board is not None:
            raise InvalidInputError(
                "--holes excludes --board: the map itself says how large the board is"
            )
        return Board.parse(read_file(options.holes), leaper=leaper, wrap=options.wrap)
    board = as_board("xiangqi" if options.board is None else options.board)
    if options.leaper is None and options.wrap is None:
        return board
    return Board(*board.shape, naming=board.naming, leaper=leaper, wrap=options.wrap)


def leaper_argument(words: str) -> tuple[int, int]:
    """Read the two numbers of a leaper."""
    try:
        a, b = map(int, words.replace("x", ",").split(","))
    except ValueError:
        raise InvalidInputError(
            f"--leaper {words!r} is not a leaper: use two numbers such as 1,4"
        ) from None
    return a, b


def read_file(file: str) -> str:
    """Return the text of a file, or of standard input for ``-``."""
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(f"{file!r} is not text") from None


def square_argument(board: Board, words: str | None, ranks: str | None) -> Square | None:
    """Read a square of the command line: a name such as ``a0``, or ``ROW,COL`` counted from 0."""
    if words is None:
        return None
    words = words.strip()
    row, comma, col = words.partition(",")
    if not comma:
        return board.square(words, ranks=ranks)
    try:
        pair = (int(row), int(col))
    except ValueError:
        raise InvalidInputError(
            f"{words!r} is not a square: use a name such as "
            f"{board.name((board.rows - 1, 0), ranks=ranks)}, or ROW,COL counted from 0"
        ) from None
    return board.check_square(pair)


def whole_number(words: str) -> int:
    """Read a whole number."""
    try:
        return int(words)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a whole number") from None


def seconds(words: str) -> float:
    """Read a number of seconds."""
    try:
        return float(words)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a number of seconds >= 0") from None


def styled(walk: Tour | list[Square], board: Board, options: argparse.Namespace) -> str:
    """Return a whole or partial walk in one of the styles that can show both."""
    if options.style == "list":
        return text.step_list(walk, lang=options.lang)
    if options.style == "names":
        return " ".join(board.name(square, ranks=options.ranks) for square in walk)
    if options.style == "levels":
        rule = as_strategy(options.strategy or "access-level")
        row, col = walk[0]
        return (
            f"{text.level_tables(board, rule.order)}\n\n"
            f"from row[{row}],column[{col}]:\n\n{text.running_total(walk)}"
        )
    if options.style == "board":
        return text.board_picture(walk, board, ascii_only=options.ascii, ranks=options.ranks)
    return text.numbered_grid(walk, board, labels=True, ranks=options.ranks)
