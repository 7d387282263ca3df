"""Names of squares: ``a1`` on chess-like boards, ICCS ``a0`` on the xiangqi board.

Letters are columns from the left (``a`` .. ``z``, then ``aa``, ``ab``, ... as in a
spreadsheet), numbers are rows counted from the bottom. ``a1`` is the bottom left square of a
chessboard; the bottom left point of the xiangqi board is ``a0`` in ICCS (files a-i, ranks
0-9) and ``a1`` with the option ``ranks="1-10"`` of the UCI engines. Reading and writing are
inverse to each other for every board, which a property test holds.

Moves have names, too: ``b0c2`` (UCI), ``B0-C2`` (ICCS), ``H8+7`` (WXF) and 马八进七 (Chinese). The
last two count the files from the right of the side that moves and say whether it goes forward or
back: 进 or + is upwards on the board for red, downwards for black; the number after it is the file
where a horse arrives. They do not say on which rank it stood, so that reading them takes the square
that the horse stands on. Of two horses on one file, 前 (WXF +) is the one in front and 后 (-) the
one behind, in place of the file. Other packages number squares from the bottom left, row by row: a1
is 0 in python-chess, a0 is 0 in cchess; `square_number` and `numbered_square` go there and back.
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

from .errors import InvalidInputError, Square

if TYPE_CHECKING:
    from .board import Board, SquareLike

__all__ = [
    "MOVE_STYLES",
    "NAMINGS",
    "RANKS",
    "SIDES",
    "column_letters",
    "column_number",
    "is_relative_move",
    "name_move",
    "name_square",
    "numbered_square",
    "read_move",
    "read_square",
    "square_number",
]

#: The styles that a board can have, each with the number of its bottom row.
NAMINGS = {"algebraic": 1, "iccs": 0}

#: What `ranks=` may say, each with the number of the bottom row.
RANKS = {"0-9": 0, "1-10": 1}

_NAME = re.compile(r"([A-Za-z]+)([0-9]+)")


def column_letters(col: int) -> str:
    """Return the letters of a column: 0 is ``a``, 25 is ``z``, 26 is ``aa``.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(701)
    ('a', 'z', 'aa', 'zz')
    """
    letters = ""
    col += 1
    while col:
        col, digit = divmod(col - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the 0-based column that `column_letters` spells; upper case is accepted.

    >>> column_number("a"), column_number("AA")
    (0, 26)
    """
    number = 0
    for letter in letters.lower():
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def _bottom_rank(naming: str, ranks: str | None) -> int:
    if ranks is None:
        return NAMINGS[naming]
    try:
        return RANKS[ranks]
    except (KeyError, TypeError):
        raise InvalidInputError(
            f"ranks={ranks!r} is not a numbering of rows; use {' or '.join(map(repr, RANKS))}"
        ) from None


def name_square(square: Square, rows: int, naming: str, ranks: str | None = None) -> str:
    """Name a square of a board with so many rows; the square is taken as valid.

    >>> name_square((0, 0), 8, "algebraic"), name_square((9, 0), 10, "iccs")
    ('a8', 'a0')
    """
    row, col = square
    return f"{column_letters(col)}{rows - 1 - row + _bottom_rank(naming, ranks)}"


def read_square(name: str, rows: int, cols: int, naming: str, ranks: str | None = None) -> Square:
    """Read the name of a square: the inverse of `name_square`.

    Raises:
        InvalidInputError: no such square; the text gives the names that there are.

    >>> read_square("e2", 8, 8, "algebraic"), read_square("a0", 10, 9, "iccs")
    ((6, 4), (9, 0))
    """
    bottom = _bottom_rank(naming, ranks)
    match = _NAME.fullmatch(name.strip())
    if match is not None and len(match[1]) <= 16 and len(match[2]) <= 20:
        row = rows - 1 - (int(match[2]) - bottom)
        col = column_number(match[1])
        if 0 <= row < rows and 0 <= col < cols:
            return row, col
    first = f"{column_letters(0)}{bottom}"
    last = f"{column_letters(cols - 1)}{rows - 1 + bottom}"
    hint = ""
    if naming == "iccs" and ranks is None:
        hint = '; this board counts its ranks from 0 (ICCS), ranks="1-10" counts them from 1'
    raise InvalidInputError(
        f"{name!r} is not a square of the {rows}x{cols} board: names run from {first} (bottom "
        f"left) to {last} (top right){hint}"
    )


# Moves

#: What `style=` of `name_move` may be.
MOVE_STYLES = ("uci", "iccs", "wxf", "chinese")

#: The two sides, with the letters or characters of their horses and digits.
SIDES = {"red": ("H", "马", "一二三四五六七八九"), "black": ("h", "馬", "１２３４５６７８９")}

_ABSOLUTE = re.compile(
    r"([NnHhSs马馬傌]?)([A-Za-z]{1,14}[0-9]{1,18})[-x× ]?([A-Za-z]{1,14}[0-9]{1,18})"
)
_FIGURE = "[一二三四五六七八九1-9１-９]"
_RELATIVE = re.compile(
    rf"(?:(?P<horse>[马馬傌NnHh])(?P<file>{_FIGURE})|(?P<place>[前后後])(?P<character>[马馬傌])"
    rf"|(?P<letter>[NnHh])[+-])(?P<way>[进進退+\-])(?P<to>{_FIGURE})"
)
_DIGITS = {
    digit: number
    for digits in ("123456789", *(side[2] for side in SIDES.values()))
    for number, digit in enumerate(digits, 1)
}


def name_move(
    first: SquareLike,
    second: SquareLike,
    board: Board,
    style: str = "uci",
    *,
    side: str = "red",
    ranks: str | None = None,
    other: SquareLike | None = None,
) -> str:
    """Name a knight's move from one square to another.

    Args:
        first, second: the squares.
        board: the board; of at most nine columns for ``"wxf"`` and ``"chinese"``.
        style: ``"uci"`` (``b0c2``), ``"iccs"`` (``B0-C2``), ``"wxf"`` (``H8+7``) or ``"chinese"``
            (马八进七; black has Arabic figures: 馬８进７).
        side: ``"red"``, who sits at the bottom, or ``"black"``.
        ranks: ``"0-9"`` or ``"1-10"``, for the names of squares.
        other: where the other horse of the side stands. On the same file the relative styles say
            which of them moves, the one in front (前马, ``H+``) or behind (后马, ``H-``).

    Raises:
        InvalidInputError: not squares, or not a knight's move apart, or an unknown option.

    >>> from knighttour import Board
    >>> board = Board(10, 9, naming="iccs")
    >>> name_move("h0", "g2", board, "chinese"), name_move("h0", "g2", board, "wxf")
    ('马二进三', 'H2+3')
    >>> name_move("h0", "g2", board), name_move("h9", "g7", board, "chinese", side="black")
    ('h0g2', '馬８进７')
    >>> name_move("d4", "e6", board, "chinese", other="d1")
    '前马进五'
    """
    if style not in MOVE_STYLES:
        raise InvalidInputError(f"style={style!r} is unknown: use {', '.join(MOVE_STYLES)}")
    start, end = board.check_square(first), board.check_square(second)
    if style == "uci":
        return board.name(start, ranks=ranks) + board.name(end, ranks=ranks)
    if style == "iccs":
        names = f"{board.name(start, ranks=ranks)}-{board.name(end, ranks=ranks)}"
        return names.upper()
    letter, character, digits = _side(side)
    _check_files(board)
    rise = start[0] - end[0] if side == "red" else end[0] - start[0]
    if sorted((abs(rise), abs(start[1] - end[1]))) != [1, 2]:
        raise InvalidInputError(f"{start} to {end} is no horse's move")
    files = [board.cols - col if side == "red" else col + 1 for col in (start[1], end[1])]
    wxf, chinese = f"{letter}{files[0]}", f"{character}{digits[files[0] - 1]}"
    second_horse = start if other is None else board.check_square(other, "other")
    if second_horse != start and second_horse[1] == start[1]:
        in_front = (start[0] < second_horse[0]) == (side == "red")
        wxf, chinese = (
            (f"{letter}+", f"前{character}") if in_front else (f"{letter}-", f"后{character}")
        )
    if style == "wxf":
        return f"{wxf}{'+' if rise > 0 else '-'}{files[1]}"
    return f"{chinese}{'进' if rise > 0 else '退'}{digits[files[1] - 1]}"


def read_move(
    text: str,
    board: Board,
    square: SquareLike | None = None,
    *,
    side: str | None = None,
    ranks: str | None = None,
) -> tuple[Square, Square]:
    """Read the name of a move in any of the styles of `name_move`.

    Args:
        text: ``b0c2``, ``B0-C2``, ``H8+7``, 马八进七, 馬8進7, 前马进五 and the like.
        board: the board.
        square: where the horse stands: needed for the relative styles, checked for the others.
        side: who moves. None: black for a small letter (WXF) or for Arabic figures after a
            character (but red if the horse is on that file for red only), else red.
        ranks: ``"0-9"`` or ``"1-10"``, for the names of squares.

    Returns:
        The squares from and to.

    Raises:
        InvalidInputError: no move, or not from that square, or it leaves the board.

    >>> from knighttour import Board
    >>> read_move("马二进三", Board(10, 9, naming="iccs"), "h0")
    ((9, 7), (7, 6))
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"{text!r:.40} is no name of a move: use text such as 'b0c2'")
    words = text.strip()
    here = None if square is None else board.check_square(square)
    match = _ABSOLUTE.fullmatch(words)
    if match is not None:
        first = match[2]
        if match[1].isascii() and column_number(match[1] + first.rstrip("0123456789")) < board.cols:
            first = match[1] + first  # ha1 is a square of a wide board
        start, end = board.square(first, ranks=ranks), board.square(match[3], ranks=ranks)
        if here not in (None, start):
            raise InvalidInputError(
                f"the move {words!r} begins on {board.name(start)}, and the horse stands on "
                f"{board.name(here or start)}"
            )
        return start, end
    match = _RELATIVE.fullmatch(words)
    if match is None:
        raise InvalidInputError(
            f"{words[:40]!r} is no move of a horse: use b0c2, B0-C2, H8+7 or 马八进七"
        )
    if here is None:
        raise InvalidInputError(f"the move {words!r} does not say where it begins: give the square")
    figures = [match[group] for group in ("file", "to")]
    if side is None:
        side = _side_of(match, here, board.cols)
    _side(side)
    _check_files(board)
    # The horse in front or behind is the one on the square.
    files = [_file(here[1], side, board.cols) if f is None else _DIGITS[f] for f in figures]
    cols = [board.cols - number if side == "red" else number - 1 for number in files]
    sideways = abs(cols[1] - cols[0])
    if cols[0] != here[1] or sideways not in (1, 2):
        raise InvalidInputError(
            f"the move {words!r} cannot be made by the {side} horse on {board.name(here)}, file "
            f"{_file(here[1], side, board.cols)} of its side"
        )
    up = (match["way"] in "进進+") == (side == "red")
    row = here[0] + (sideways - 3 if up else 3 - sideways)
    return here, board.check_square((row, cols[1]), f"the end of {words!r}")


def is_relative_move(text: str) -> bool:
    """Whether a text names a move without saying where it begins: 马二进三, H2+3, 前马退五.

    >>> is_relative_move("H2+3"), is_relative_move("h2g4")
    (True, False)
    """
    return _RELATIVE.fullmatch(text.strip()) is not None


def _file(col: int, side: str, cols: int) -> int:
    """Return the number of a file as a side counts it, from its right."""
    return cols - col if side == "red" else col + 1


def _side_of(match: re.Match[str], here: Square, cols: int) -> str:
    """Return who makes a relative move that does not say so."""
    letter = match["letter"] or (match["horse"] if (match["horse"] or "马") in "NnHh" else None)
    if letter is not None:
        return "black" if letter in "nh" else "red"
    if match["to"] in SIDES["red"][2]:
        return "red"
    # Arabic figures are black's in books; many programs write them for both sides.
    files = {side: _file(here[1], side, cols) for side in SIDES}
    if match["file"] and _DIGITS[match["file"]] == files["red"] != files["black"]:
        return "red"
    return "black"


def _side(side: str) -> tuple[str, str, str]:
    try:
        return SIDES[side]
    except (KeyError, TypeError):
        raise InvalidInputError(f"side={side!r} is unknown: use {' or '.join(SIDES)}") from None


def _check_files(board: Board) -> None:
    if board.cols > 9:
        raise InvalidInputError(
            f"files are numbered 1 to 9, and {board} has {board.cols}: use style 'uci' or 'iccs'"
        )


# Numbers of squares


def square_number(square: SquareLike, board: Board) -> int:
    """Return the number of a square as python-chess and cchess count, row by row from the bottom.

    Raises:
        InvalidInputError: not a square of the board.

    >>> from knighttour import Board
    >>> square_number("a1", Board(8, 8)), square_number("e4", Board(8, 8))
    (0, 28)
    """
    row, col = board.check_square(square)
    return (board.rows - 1 - row) * board.cols + col


def numbered_square(number: object, board: Board) -> Square:
    """Return the square of a number of python-chess or cchess: the inverse of `square_number`.

    Raises:
        InvalidInputError: not a whole number from 0 to rows * cols - 1.

    >>> from knighttour import Board
    >>> numbered_square(28, Board(8, 8)), numbered_square(0, Board(10, 9, naming="iccs"))
    ((4, 4), (9, 0))
    """
    count = board.rows * board.cols
    try:
        found = -1 if isinstance(number, bool) else operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        found = -1
    if not 0 <= found < count:
        raise InvalidInputError(
            f"{number!r:.40} is not the number of a square of {board}: use 0 (bottom left) to "
            f"{count - 1} (top right)"
        )
    row, col = divmod(found, board.cols)
    return board.rows - 1 - row, col
