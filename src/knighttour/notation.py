"""Names of squares: ``a1`` on chess-like boards, ICCS ``a0`` on the xiangqi board.

Letters are columns from the left (``a`` .. ``z``, then ``aa``, ``ab``, ... as in a
spreadsheet), numbers are rows counted from the bottom. ``a1`` is the bottom left square of a
chessboard; the bottom left point of the xiangqi board is ``a0`` in ICCS (files a-i, ranks
0-9) and ``a1`` with the option ``ranks="1-10"`` of the UCI engines. Reading and writing are
inverse to each other for every board, which a property test holds.
"""

from __future__ import annotations

import re

from .errors import InvalidInputError, Square

__all__ = ["NAMINGS", "RANKS", "column_letters", "column_number", "name_square", "read_square"]

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
