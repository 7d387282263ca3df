"""Boards: how many rows and columns, what the squares are called, where a knight can go.

Squares are ``(row, col)``, 0-based, row 0 at the top, as in numpy. Two boards are equal when
size and move graph are equal; the names of the squares are a style of the board. Nothing here
grows with the board unless it is asked to: a board of 10^9 x 10^9 costs as much as a chessboard.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from .errors import InvalidInputError, Square
from .notation import NAMINGS, name_square, read_square

if TYPE_CHECKING:
    import networkx

__all__ = ["KNIGHT_MOVES", "MAX_SQUARES", "Board", "BoardLike", "SquareLike", "as_board"]

#: The eight moves of a knight as ``(drow, dcol)``, clockwise, in the order of the direction codes.
KNIGHT_MOVES: tuple[Square, ...] = (
    (-2, 1),
    (-1, 2),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
)

#: A board has fewer squares than this, so that every index fits a signed 64-bit integer.
MAX_SQUARES = 2**63

#: Tables with an entry for every square are refused above this many squares.
_MAX_TABLE = 10_000_000

_SIZE = re.compile(r"\s*([0-9]{1,19})\s*[xX×*]\s*([0-9]{1,19})\s*")


def _dimension(value: object, what: str) -> int:
    """Return a number of rows or columns, or say what is wrong with it."""
    if not isinstance(value, (bool, str, float)) and type(value).__name__ != "bool_":
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if number >= 1:
                return number
    raise InvalidInputError(f"{what}={value!r} is not a number of {what}: use a whole number >= 1")


def _coordinate(value: object) -> int | None:
    """Return an int for an int of any make, and None for everything else (bool, float, ...)."""
    if type(value) is int:
        return value
    if isinstance(value, (bool, float, str)) or type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


class Squares(Sequence[Square]):
    """All squares of a board, row by row, without storing them."""

    __slots__ = ("_cols", "_rows")

    def __init__(self, rows: int, cols: int) -> None:
        self._rows = rows
        self._cols = cols

    def __len__(self) -> int:
        return self._rows * self._cols

    @overload
    def __getitem__(self, index: int) -> Square: ...
    @overload
    def __getitem__(self, index: slice) -> list[Square]: ...
    def __getitem__(self, index: int | slice) -> Square | list[Square]:
        if isinstance(index, slice):
            return [divmod(k, self._cols) for k in range(*index.indices(len(self)))]
        count = self._rows * self._cols
        position = operator.index(index)
        if not -count <= position < count:
            raise IndexError(f"square {position} of {count}")
        return divmod(position % count, self._cols)

    def __iter__(self) -> Iterator[Square]:
        for row in range(self._rows):
            for col in range(self._cols):
                yield row, col

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, tuple) or len(square) != 2:
            return False
        row, col = _coordinate(square[0]), _coordinate(square[1])
        return row is not None and col is not None and self._has(row, col)

    def _has(self, row: int, col: int) -> bool:
        return 0 <= row < self._rows and 0 <= col < self._cols

    def __repr__(self) -> str:
        return f"<{len(self)} squares, (0, 0) to ({self._rows - 1}, {self._cols - 1})>"


class Board:
    """A board of `rows` x `cols` squares that a knight can stand on.

    Args:
        rows: number of rows, at least 1.
        cols: number of columns, at least 1; rows x cols must be less than 2^63.
        naming: ``"algebraic"`` (``a1`` bottom left) or ``"iccs"`` (``a0`` bottom left).

    Raises:
        InvalidInputError: a size or a naming that there is not.

    Immutable, hashable, and safe to share between threads. Everything costs O(1) except the
    tables (`degrees`, `move_table`, `to_networkx`).

    >>> board = Board(10, 9, naming="iccs")
    >>> board.neighbours((9, 0))
    [(7, 1), (8, 2)]
    >>> board.name((9, 0)), board.square("e4")
    ('a0', (5, 4))
    """

    __slots__ = ("cols", "naming", "rows")

    rows: int
    cols: int
    naming: str

    def __init__(self, rows: int, cols: int, *, naming: str = "algebraic") -> None:
        height, width = _dimension(rows, "rows"), _dimension(cols, "cols")
        if height * width >= MAX_SQUARES:
            raise InvalidInputError(
                f"a board of {height}x{width} has {height * width} squares: "
                "rows x cols must be less than 2^63"
            )
        if naming not in NAMINGS:
            raise InvalidInputError(
                f"naming={naming!r} is not a naming of squares; use {' or '.join(NAMINGS)}"
            )
        object.__setattr__(self, "rows", height)
        object.__setattr__(self, "cols", width)
        object.__setattr__(self, "naming", naming)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.rows, self.cols, self.naming)

    @property
    def shape(self) -> Square:
        """``(rows, cols)``, as numpy gives it."""
        return self.rows, self.cols

    @property
    def size(self) -> int:
        """The number of squares."""
        return self.rows * self.cols

    @property
    def squares(self) -> Squares:
        """All squares, row by row: a lazy sequence.

        >>> Board(3, 4).squares[-1], len(Board(3, 4).squares), (3, 0) in Board(3, 4).squares
        ((2, 3), 12, False)
        """
        return Squares(self.rows, self.cols)

    def __len__(self) -> int:
        return self.rows * self.cols

    def __contains__(self, square: object) -> bool:
        return square in self.squares

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.rows == other.rows and self.cols == other.cols

    def __hash__(self) -> int:
        return hash((Board, self.rows, self.cols))

    def __repr__(self) -> str:
        naming = "" if self.naming == "algebraic" else f", naming={self.naming!r}"
        return f"Board({self.rows}, {self.cols}{naming})"

    def _repr_svg_(self) -> str | None:
        """Return the empty board as a notebook shows it, nothing where it is too large."""
        from .drawing.svg import MAX_SHOWN, svg

        return str(svg((), self)) if self.size <= MAX_SHOWN else None

    def __str__(self) -> str:
        return "xiangqi" if self.is_xiangqi else f"{self.rows}x{self.cols}"

    @property
    def is_xiangqi(self) -> bool:
        """Whether this is the xiangqi board by its size and its names."""
        return self.naming == "iccs" and self.shape == (10, 9)

    # Squares and their names

    def check_square(self, square: SquareLike, what: str = "square") -> Square:
        """Return a square given as a pair or a name as ``(row, col)``.

        Args:
            square: a pair of ints (numpy ints too), 0-based, or a name such as ``"e4"``.
            what: what to call it in the error.

        Raises:
            InvalidInputError: not a square of this board; the text gives the valid range.

        >>> Board(8, 8).check_square("a1")
        (7, 0)
        """
        if isinstance(square, str):
            return self.square(square)
        try:
            row, col = square
        except (TypeError, ValueError):
            pass
        else:
            r, c = _coordinate(row), _coordinate(col)
            if r is not None and c is not None and 0 <= r < self.rows and 0 <= c < self.cols:
                return r, c
        raise InvalidInputError(
            f"{what} {square!r} is not a square of the {self.rows}x{self.cols} board: use "
            f"(row, col), two whole numbers from (0, 0) to ({self.rows - 1}, {self.cols - 1}), "
            f"or a name from {self.name((self.rows - 1, 0))} to {self.name((0, self.cols - 1))}"
        )

    def name(self, square: SquareLike, *, ranks: str | None = None) -> str:
        """Return the name of a square.

        Args:
            square: the square.
            ranks: ``"0-9"`` or ``"1-10"`` to count the rows from 0 or from 1 against the
                board's own style.

        Raises:
            InvalidInputError: not a square of this board, or an unknown `ranks`.

        >>> Board(10, 9, naming="iccs").name((0, 8), ranks="1-10")
        'i10'
        """
        return name_square(self.check_square(square), self.rows, self.naming, ranks)

    def square(self, name: str, *, ranks: str | None = None) -> Square:
        """Return the square of that name: the inverse of `name`.

        Raises:
            InvalidInputError: there is no such name on this board.

        >>> Board(8, 8).square("h8")
        (0, 7)
        """
        if not isinstance(name, str):
            raise InvalidInputError(f"{name!r} is not the name of a square: use text such as 'a1'")
        return read_square(name, self.rows, self.cols, self.naming, ranks)

    # The move graph

    def neighbours(self, square: SquareLike) -> list[Square]:
        """Return the squares a knight's move away, in the order of `KNIGHT_MOVES`.

        >>> Board(8, 8).neighbours("a1")
        [(5, 1), (6, 2)]
        """
        row, col = self.check_square(square)
        has = self.squares._has
        return [(row + dr, col + dc) for dr, dc in KNIGHT_MOVES if has(row + dr, col + dc)]

    def are_adjacent(self, first: Square, second: Square) -> bool:
        """Whether a knight can go from one square to the other; both are taken as valid.

        >>> Board(8, 8).are_adjacent((0, 0), (1, 2)), Board(8, 8).are_adjacent((0, 0), (1, 1))
        (True, False)
        """
        drow, dcol = abs(first[0] - second[0]), abs(first[1] - second[1])
        return (drow == 1 and dcol == 2) or (drow == 2 and dcol == 1)

    def degree(self, square: SquareLike) -> int:
        """Return the number of squares a knight's move away, 0 to 8.

        >>> Board(8, 8).degree("a1"), Board(8, 8).degree("d4")
        (2, 8)
        """
        return len(self.neighbours(square))

    def degrees(self) -> list[list[int]]:
        """Return the degree of every square, row by row (program 000's table of visit levels).

        Raises:
            InvalidInputError: more than ten million squares; ask `degree` for single ones.

        >>> Board(3, 4).degrees()
        [[2, 3, 3, 2], [2, 2, 2, 2], [2, 3, 3, 2]]
        """
        self._check_table("degrees()", "degree(square)")
        return [[self.degree((row, col)) for col in range(self.cols)] for row in range(self.rows)]

    def move_table(self, order: Sequence[Square] = KNIGHT_MOVES) -> list[list[int]]:
        """Return for every square, row by row, which moves stay on the board (1) and which not.

        Args:
            order: the moves ``(drow, dcol)``, one a column of the table. Program 000's own table
                is the one of ``Strategy.named("access-level").order``.

        Returns:
            ``rows * cols`` lists of ``len(order)`` numbers, 0 or 1; the list of square
            ``(r, c)`` is number ``r * cols + c``.

        Raises:
            InvalidInputError: more than ten million squares.

        >>> Board(3, 4).move_table()[0]
        [0, 0, 1, 1, 0, 0, 0, 0]
        """
        self._check_table("move_table()", "neighbours(square)")
        has = self.squares._has
        return [[int(has(row + dr, col + dc)) for dr, dc in order] for row, col in self.squares]

    def _check_table(self, table: str, instead: str) -> None:
        if self.size > _MAX_TABLE:
            raise InvalidInputError(
                f"{table} of a {self.rows}x{self.cols} board would list {self.size} squares, more "
                f"than {_MAX_TABLE}: ask {instead} instead"
            )

    def to_networkx(self) -> networkx.Graph:
        """Return the move graph as a `networkx.Graph` on ``(row, col)``; needs networkx.

        Raises:
            ImportError: networkx is not installed (``pip install knighttour[networkx]``).
            InvalidInputError: more than ten million squares.

        >>> Board(3, 4).to_networkx().number_of_edges()
        14
        """
        try:
            import networkx
        except ImportError:
            raise ImportError(
                "to_networkx() needs networkx: pip install knighttour[networkx]"
            ) from None
        self._check_table("to_networkx()", "neighbours(square)")
        graph = networkx.Graph()
        graph.add_nodes_from(self.squares)
        for square in self.squares:
            graph.add_edges_from((square, other) for other in self.neighbours(square))
        return graph


#: What is accepted as a square, and what as a board.
SquareLike = Square | Sequence[int] | str
BoardLike = Board | str | Sequence[int]


def _restore(rows: int, cols: int, naming: str) -> Board:
    return Board(rows, cols, naming=naming)


_NAMED = {"chess": Board(8, 8), "xiangqi": Board(10, 9, naming="iccs")}


def as_board(board: BoardLike) -> Board:
    """Return the board that is meant by a `Board`, a name, ``"RxC"`` or a pair.

    Raises:
        InvalidInputError: nothing that can be a board.

    >>> as_board("xiangqi"), as_board("3x10"), as_board((5, 6))
    (Board(10, 9, naming='iccs'), Board(3, 10), Board(5, 6))
    """
    if isinstance(board, Board):
        return board
    if isinstance(board, str):
        named = _NAMED.get(board.strip().lower())
        if named is not None:
            return named
        size = _SIZE.fullmatch(board)
        if size is not None:
            return Board(int(size[1]), int(size[2]))
    elif not isinstance(board, (dict, set, frozenset)):
        try:
            rows, cols = board
        except (TypeError, ValueError):
            pass
        else:
            return Board(rows, cols)
    raise InvalidInputError(
        f"board={board!r} is not a board: use {', '.join(map(repr, _NAMED))}, text such as "
        "'8x8' (rows x cols), a pair (rows, cols) or a Board"
    )
