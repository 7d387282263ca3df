"""Boards: how many rows and columns, what the squares are called, where a knight can go.

Squares are ``(row, col)``, 0-based, row 0 at the top, as in numpy. Two boards are equal when
size and move graph are equal; the names of the squares are a style of the board. Nothing here
grows with the board unless it is asked to: a board of 10^9 x 10^9 costs as much as a chessboard.

A plain board is a rectangle for a knight. Every other board has a `Shape` besides: holes, another
leaper, edges that are glued together, or pieces that hobble a xiangqi horse. The pieces make the
move graph directed: a piece on (0, 1) blocks (0, 0) to (1, 2), but not the way back.
"""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from .errors import InvalidInputError, Square
from .notation import NAMINGS, name_square, read_square

if TYPE_CHECKING:
    import os

    import networkx

__all__ = [
    "KNIGHT_MOVES",
    "MAX_SQUARES",
    "WRAPS",
    "Board",
    "BoardLike",
    "Shape",
    "SquareLike",
    "as_board",
    "leaper_moves",
]

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

#: The boards on which a number is a square: that of python-chess, and that of cchess.
_NUMBERED = {(8, 8): "python-chess", (10, 9): "cchess"}

#: What `wrap=` may say, each with whether the row and the column numbers wrap round.
WRAPS: dict[str, tuple[bool, bool]] = {
    "rows": (True, False),
    "cols": (False, True),
    "torus": (True, True),
}

#: Boards with holes keep a byte for every cell; more cells than this are refused.
_MAX_CELLS = 100_000_000

#: The defaults of `leaper=` and `holes=`.
_KNIGHT: Square = (1, 2)
_NOWHERE: tuple[Square, ...] = ()

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
    of = what if what in ("rows", "cols") else "squares"
    raise InvalidInputError(f"{what}={value!r} is not a number of {of}: use a whole number >= 1")


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


def leaper_moves(a: int, b: int) -> tuple[Square, ...]:
    """Return the moves of the (a, b)-leaper, clockwise, the knight's in the order of its codes.

    >>> leaper_moves(1, 2) == KNIGHT_MOVES, leaper_moves(0, 2)
    (True, ((-2, 0), (0, 2), (2, 0), (0, -2)))
    """
    a, b = sorted((a, b))
    moves = ((-b, a), (-a, b), (a, b), (b, a), (b, -a), (a, -b), (-a, -b), (-b, -a))
    return tuple(dict.fromkeys(moves))


class Shape:
    """What makes a board more than a rectangle for a knight; immutable.

    Attributes:
        cells: for every cell, row by row, 1 for a square and 0 for a hole; None for no holes.
        blockers: for every cell 1 for a piece that hobbles; None where no leg is ever blocked.
        horses: the cells with a horse on them, from which one may ask where it can go.
        leaper: ``(a, b)`` with a <= b.
        wrap: None, ``"rows"``, ``"cols"`` or ``"torus"``.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        cells: bytes | None = None,
        blockers: bytes | None = None,
        horses: frozenset[int] = frozenset(),
        leaper: Square = (1, 2),
        wrap: str | None = None,
    ) -> None:
        if (cells is not None or blockers is not None) and rows * cols > _MAX_CELLS:
            raise InvalidInputError(
                f"a board with holes has at most {_MAX_CELLS} cells, and {rows}x{cols} has more"
            )
        if cells is not None and cells.count(0) == 0:
            cells = None
        if blockers is not None and blockers.count(0) == len(blockers):
            blockers = None
        self.rows = rows
        self.cols = cols
        self.cells = cells
        self.blockers = blockers
        self.horses = horses
        self.leaper = leaper
        self.wrap = wrap
        self.wraps = (False, False) if wrap is None else WRAPS[wrap]
        self.moves = leaper_moves(*leaper)
        self.size = rows * cols if cells is None else cells.count(1)

    @property
    def is_plain(self) -> bool:
        """Whether this is nothing but a rectangle for a knight."""
        return (
            self.cells is None
            and self.blockers is None
            and self.leaper == (1, 2)
            and self.wrap is None
        )

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that decides the graph, as far as it can be seen without computing it."""
        return self.rows, self.cols, self.cells, self.blockers, self.leaper, self.wrap

    @cached_property
    def indices(self) -> array[int]:
        """The cells that are squares, as flat indices, in order."""
        if self.cells is None:
            return array("i", range(self.rows * self.cols))
        return array("i", (k for k, cell in enumerate(self.cells) if cell))

    def has(self, row: int, col: int) -> bool:
        """Whether a cell inside the rectangle is a square."""
        return self.cells is None or self.cells[row * self.cols + col] == 1

    def landing(self, row: int, col: int, drow: int, dcol: int) -> Square | None:
        """Return where one move from a cell leads; None off the board, into a hole, or hobbled."""
        to_row, to_col = row + drow, col + dcol
        if self.wraps[0]:
            to_row %= self.rows
        if self.wraps[1]:
            to_col %= self.cols
        if not (0 <= to_row < self.rows and 0 <= to_col < self.cols and self.has(to_row, to_col)):
            return None
        if (to_row, to_col) == (row, col):
            return None
        if self.blockers is not None:
            # The leg is the orthogonal neighbour of the departure in the long direction.
            if abs(drow) > abs(dcol):
                leg = (row + (1 if drow > 0 else -1)) * self.cols + col
            else:
                leg = row * self.cols + col + (1 if dcol > 0 else -1)
            if self.blockers[leg]:
                return None
        return to_row, to_col

    def neighbours(self, row: int, col: int) -> list[Square]:
        """Return the squares one move away, each once, in the order of the moves."""
        reached = (self.landing(row, col, drow, dcol) for drow, dcol in self.moves)
        return list(dict.fromkeys(square for square in reached if square is not None))

    def turned(self, symmetry: str) -> Shape:
        """Return the image of the shape under a symmetry of the rectangle (see `Tour`)."""
        rows, cols = self.rows, self.cols
        start, down, right, swaps = _AFFINE[symmetry](rows, cols)

        def image(mask: bytes | None) -> bytes | None:
            if mask is None:
                return None
            out = bytearray(rows * cols)
            for row in range(rows):
                first = start + down * row
                for col in range(cols):
                    out[first + right * col] = mask[row * cols + col]
            return bytes(out)

        cells, blockers, wrap = image(self.cells), image(self.blockers), self.wrap
        if swaps:
            wrap = {"rows": "cols", "cols": "rows"}.get(wrap or "", wrap)
        horses = frozenset(
            start + down * (k // self.cols) + right * (k % self.cols) for k in self.horses
        )
        size = (cols, rows) if swaps else (rows, cols)
        return Shape(*size, cells, blockers, horses, self.leaper, wrap)

    def words(self) -> str:
        """Say what there is besides the size."""
        parts = []
        if self.wrap is not None:
            parts.append("torus" if self.wrap == "torus" else f"cylinder of glued {self.wrap}")
        if self.leaper != (1, 2):
            parts.append(f"({self.leaper[0]},{self.leaper[1]})-leaper")
        holes = self.rows * self.cols - self.size
        if self.blockers is not None:
            pieces = self.blockers.count(1)
            parts.append(f"{pieces} piece{'' if pieces == 1 else 's'}")
            if holes > pieces:
                parts.append(f"{self.size} point{'' if self.size == 1 else 's'}")
        elif self.cells is not None:
            parts.append(f"{holes} hole{'' if holes == 1 else 's'}")
        return ", ".join(parts)


#: How each symmetry maps (row, col) of a board of R x C: the image's flat index is
#: start + down * row + right * col; the last says whether rows and columns change places.
_AFFINE: dict[str, Callable[[int, int], tuple[int, int, int, bool]]] = {
    "rotate180": lambda r, c: ((r - 1) * c + c - 1, -c, -1, False),
    "flip_rows": lambda r, c: ((r - 1) * c, -c, 1, False),
    "flip_cols": lambda _, c: (c - 1, c, -1, False),
    "rotate90": lambda r, _: (r - 1, -1, r, True),
    "rotate270": lambda r, c: ((c - 1) * r, 1, -r, True),
    "transpose": lambda r, _: (0, 1, r, True),
    "antitranspose": lambda r, c: ((c - 1) * r + r - 1, -1, -r, True),
}


class ShapedSquares(Sequence[Square]):
    """All squares of a board with holes, row by row."""

    __slots__ = ("_shape",)

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def __len__(self) -> int:
        return self._shape.size

    @overload
    def __getitem__(self, index: int) -> Square: ...
    @overload
    def __getitem__(self, index: slice) -> list[Square]: ...
    def __getitem__(self, index: int | slice) -> Square | list[Square]:
        found = self._shape.indices[index]
        cols = self._shape.cols
        return divmod(found, cols) if isinstance(found, int) else [divmod(k, cols) for k in found]

    def __iter__(self) -> Iterator[Square]:
        cols = self._shape.cols
        return (divmod(k, cols) for k in self._shape.indices)

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, tuple) or len(square) != 2:
            return False
        row, col = _coordinate(square[0]), _coordinate(square[1])
        shape = self._shape
        return (
            row is not None
            and col is not None
            and 0 <= row < shape.rows
            and 0 <= col < shape.cols
            and shape.has(row, col)
        )

    def __repr__(self) -> str:
        return f"<{len(self)} squares of {self._shape.rows}x{self._shape.cols}>"


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
        holes: squares, as pairs or names, that are not there.
        leaper: ``(a, b)``: the piece goes a squares one way and b the other.
        wrap: ``"rows"``: the last row is followed by the first; ``"cols"``: the last column is
            followed by the first; ``"torus"``: both. A move that leads back to its own square is
            left out, and two moves to the same square count once.

    Raises:
        InvalidInputError: a size, a naming, a hole, a leaper or a wrap that there is not.

    Immutable, hashable, and safe to share between threads. Everything costs O(1) except the
    tables (`degrees`, `move_table`, `to_networkx`).

    >>> board = Board(10, 9, naming="iccs")
    >>> board.neighbours((9, 0))
    [(7, 1), (8, 2)]
    >>> board.name((9, 0)), board.square("e4")
    ('a0', (5, 4))
    """

    __slots__ = ("_shape", "cols", "naming", "rows")

    rows: int
    cols: int
    naming: str
    #: None for a plain rectangle for a knight
    _shape: Shape | None

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        naming: str = "algebraic",
        holes: Iterable[SquareLike] = _NOWHERE,
        leaper: Square = _KNIGHT,
        wrap: str | None = None,
    ) -> None:
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
        object.__setattr__(self, "_shape", None)
        if holes is not _NOWHERE or leaper is not _KNIGHT or wrap is not None:
            steps = _check_leaper(leaper)
            if wrap is not None and (not isinstance(wrap, str) or wrap not in WRAPS):
                raise InvalidInputError(
                    f"wrap={wrap!r} is unknown: use {', '.join(map(repr, WRAPS))} or None"
                )
            missing = [self._check_entry(hole, "hole") for hole in _iterable(holes, "holes")]
            cells = None
            if missing:
                Shape(height, width, b"\0")  # refuses what is too large for a mask
                mask = bytearray(b"\1") * (height * width)
                for row, col in missing:
                    mask[row * width + col] = 0
                cells = bytes(mask)
            shape = Shape(height, width, cells, leaper=steps, wrap=wrap)
            if not shape.is_plain:
                object.__setattr__(self, "_shape", shape)

    @classmethod
    def _of(cls, rows: int, cols: int, naming: str, shape: Shape | None) -> Board:
        board = cls(rows, cols, naming=naming)
        if shape is not None and not shape.is_plain:
            object.__setattr__(board, "_shape", shape)
        return board

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        leaper: Square = (1, 2),
        wrap: str | None = None,
        naming: str = "algebraic",
    ) -> Board:
        r"""Return the board that a text map shows, one line a row.

        Args:
            text: ``.`` is a square; ``#``, ``*``, ``X``, ``x`` and space are holes. Lines that are
                too short end in holes; empty lines before and after the map are left out.
            leaper, wrap, naming: as for `Board`.

        Raises:
            InvalidInputError: another character, or nothing at all.

        >>> ring = Board.parse("...\n.#.\n...")
        >>> ring.size, (1, 1) in ring, ring.neighbours((0, 0))
        (8, False, [(1, 2), (2, 1)])
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"{type(text).__name__} is no map: use text of '.' and '#'")
        lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
        while lines and not lines[0].strip():
            del lines[0]
        while lines and not lines[-1].strip():
            del lines[-1]
        if not lines:
            raise InvalidInputError("the map is empty: it needs at least one row and one column")
        width = max(map(len, lines))
        rows = []
        for number, line in enumerate(lines, 1):
            for column, character in enumerate(line, 1):
                if character not in ".#*Xx ":
                    raise InvalidInputError(
                        f"{character!r} in line {number}, column {column} of the map is neither a "
                        "square ('.') nor a hole ('#', '*', 'X' or a space)"
                    )
            rows.append([character == "." for character in line.ljust(width)])
        return cls.from_mask(rows, leaper=leaper, wrap=wrap, naming=naming)

    @classmethod
    def from_mask(
        cls,
        mask: Iterable[Iterable[object]],
        *,
        leaper: Square = (1, 2),
        wrap: str | None = None,
        naming: str = "algebraic",
    ) -> Board:
        """Return the board whose squares are where a two-dimensional mask is true.

        Args:
            mask: rows of truth values, all of one length: lists, or an array of two dimensions.
            leaper, wrap, naming: as for `Board`.

        Raises:
            InvalidInputError: no rows, no columns, rows of different lengths, or text (see
                `Board.parse`).

        >>> Board.from_mask([[1, 1, 1], [1, 0, 1], [1, 1, 1]]).size
        8
        """
        rows = _read_mask(mask)
        if not rows or not rows[0]:
            raise InvalidInputError("a mask needs at least one row and one column")
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InvalidInputError(
                    f"row {number} of the mask has {len(row)} values, row 0 has {len(rows[0])}"
                )
        plain = cls(len(rows), len(rows[0]), naming=naming, leaper=leaper, wrap=wrap)
        shape = Shape(
            plain.rows, plain.cols, b"".join(rows), leaper=_check_leaper(leaper), wrap=wrap
        )
        return cls._of(plain.rows, plain.cols, naming, shape)

    @classmethod
    def from_image(
        cls,
        file: str | os.PathLike[str],
        *,
        size: Square | None = None,
        leaper: Square = (1, 2),
        wrap: str | None = None,
    ) -> Board:
        """Return the board that a picture shows: on white paper, dark pixels are squares.

        Args:
            file: an image that Pillow can read: colours, grey (16 bits too), black and white, with
                or without transparency. Darker than half is a square.
            size: ``(rows, cols)`` of the board, each square the mean of its part of the picture;
                None: one pixel is one square.
            leaper, wrap: as for `Board`.

        Raises:
            ImportError: Pillow is not installed (``pip install knighttour[image]``).
            InvalidInputError: not an image, or a damaged or too large one.
            OSError: the file cannot be opened.
        """
        try:
            from PIL import Image, UnidentifiedImageError
        except ImportError:
            raise ImportError("from_image() needs Pillow: pip install knighttour[image]") from None
        if isinstance(file, (bool, int)) or file is None:
            raise InvalidInputError(f"{file!r} is not the name of a picture")
        shape = None if size is None else _read_size(size)
        try:
            with Image.open(file) as picture:
                if picture.width * picture.height > _MAX_CELLS:
                    raise InvalidInputError(
                        f"{file!r} has {picture.width} x {picture.height} pixels, and at most "
                        f"{_MAX_CELLS} are read: make it smaller"
                    )
                if picture.mode == "F":
                    raise InvalidInputError(
                        f"{file!r} has grey values without a scale: save it with 8 or 16 bits"
                    )
                if picture.mode.startswith("I"):  # 16 bits a pixel
                    grey = picture.convert("I").point(lambda value: value * (1 / 257), "L")
                    colours = grey.convert("RGBA")
                else:
                    colours = picture.convert("RGBA")
        except UnidentifiedImageError:
            raise InvalidInputError(f"{file!r} is not an image that Pillow can read") from None
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            if isinstance(error, InvalidInputError) or getattr(error, "errno", None) is not None:
                raise  # what cannot be opened is no fault of the picture
            raise InvalidInputError(f"{file!r} is a damaged image: {error}") from None
        paper = Image.new("RGBA", colours.size, "white")
        pixels = Image.alpha_composite(paper, colours).convert("L")
        if shape is not None:
            pixels = pixels.resize((shape[1], shape[0]), Image.Resampling.BOX)
        width, height = pixels.size
        dark = pixels.tobytes().translate(bytes(1 if grey < 128 else 0 for grey in range(256)))
        return cls.from_mask(
            [dark[width * row : width * (row + 1)] for row in range(height)],
            leaper=leaper,
            wrap=wrap,
        )

    @classmethod
    def diamond(cls, radius: int, *, even: bool = False) -> Board:
        """Return a diamond: all squares within so many orthogonal steps of the centre.

        Args:
            radius: squares from the centre to a tip, at least 1.
            even: a centre of four squares, so that the side is even; else one square.

        >>> Board.diamond(2).shape, Board.diamond(2).size, Board.diamond(3, even=True).size
        ((5, 5), 13, 24)
        """
        radius = _dimension(radius, "radius")
        if even is not True and even is not False:
            raise InvalidInputError(f"even={even!r} is neither True nor False")
        side = 2 * radius if even else 2 * radius + 1
        reach = side - 1 if not even else side
        _check_cells(side)
        return cls.from_mask(
            [
                [abs(2 * row - side + 1) + abs(2 * col - side + 1) <= reach for col in range(side)]
                for row in range(side)
            ]
        )

    @classmethod
    def ring(cls, side: int, width: int) -> Board:
        """Return a square ring: a square board of that side without its middle.

        Args:
            side: rows and columns.
            width: how many squares the frame is wide, at least 1 and less than half the side.

        >>> Board.ring(3, 1) == Board(3, 3, holes=[(1, 1)])
        True
        """
        side, width = _dimension(side, "side"), _dimension(width, "width")
        if 2 * width >= side:
            raise InvalidInputError(
                f"width={width} leaves no hole in a ring of side {side}: use 1 to {(side - 1) // 2}"
            )
        _check_cells(side)
        return cls.from_mask(
            [
                [min(row, col, side - 1 - row, side - 1 - col) < width for col in range(side)]
                for row in range(side)
            ]
        )

    @classmethod
    def cross(cls, width: int, arm: int) -> Board:
        """Return a cross: a square of that width with an arm on each of its four sides.

        >>> Board.cross(2, 1).shape, Board.cross(2, 1).size
        ((4, 4), 12)
        """
        width, arm = _dimension(width, "width"), _dimension(arm, "arm")
        side = width + 2 * arm
        _check_cells(side)
        middle = range(arm, arm + width)
        return cls.from_mask(
            [[row in middle or col in middle for col in range(side)] for row in range(side)]
        )

    @classmethod
    def from_fen(
        cls,
        fen: str,
        leg_rule: bool = True,
        *,
        horse: SquareLike | None = None,
        points: Iterable[SquareLike] | None = None,
    ) -> Board:
        """Return the board that a horse tours among the pieces of a xiangqi position.

        Args:
            fen: a position; only its first field, the ten ranks, is read. Horses are ``n`` or
                ``h``, elephants ``b`` or ``e``.
            leg_rule: a piece on the leg point, the orthogonal neighbour in the long direction of
                the move, blocks the move (蹩马腿). The move graph is directed then.
            horse: a point with a horse on it that is lifted from the board to go on tour: its
                point becomes one to visit.
            points: the points to tour, None for all empty ones. The others stay empty: they
                hobble nobody.

        Raises:
            InvalidInputError: not a position, no horse on `horse`, or a point with a piece on it.

        >>> board = Board.from_fen("4ka3/4aN3/9/RC7/2b3b2/9/9/4p4/3nr3r/5K3")
        >>> [board.name(square) for square in board.neighbours("f8")]
        ['h9', 'h7', 'g6', 'e6']
        """
        pieces = _read_fen(fen)
        if leg_rule is not True and leg_rule is not False:
            raise InvalidInputError(f"leg_rule={leg_rule!r} is neither True nor False")
        plain = cls(10, 9, naming="iccs")
        if horse is not None:
            row, col = plain.check_square(horse, "horse")
            if pieces[9 * row + col] not in tuple("nNhH"):
                raise InvalidInputError(
                    f"horse={horse!r}: there is no horse (n, h) on {plain.name((row, col))} in "
                    f"{fen!r}"
                )
            pieces[9 * row + col] = ""
        blockers = bytes(1 if piece else 0 for piece in pieces)
        cells = bytes(0 if piece else 1 for piece in pieces)
        if points is not None:
            chosen = bytearray(90)
            for point in _iterable(points, "points"):
                row, col = plain._check_entry(point, "point")
                if not cells[9 * row + col]:
                    raise InvalidInputError(f"{plain.name((row, col))} is not empty in {fen!r}")
                chosen[9 * row + col] = 1
            cells = bytes(chosen)
        horses = frozenset(k for k, piece in enumerate(pieces) if piece and piece in "nNhH")
        shape = Shape(10, 9, cells, blockers if leg_rule else None, horses)
        return cls._of(10, 9, "iccs", shape)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        shape = self._shape
        if shape is None:
            return _restore, (self.rows, self.cols, self.naming)
        return _restore, (
            self.rows,
            self.cols,
            self.naming,
            (shape.cells, shape.blockers, shape.horses, shape.leaper, shape.wrap),
        )

    @property
    def shape(self) -> Square:
        """``(rows, cols)``, as numpy gives it."""
        return self.rows, self.cols

    @property
    def size(self) -> int:
        """The number of squares; holes do not count."""
        return self.rows * self.cols if self._shape is None else self._shape.size

    @property
    def is_plain(self) -> bool:
        """Whether this is nothing but a rectangle for a knight.

        >>> Board(8, 8).is_plain, Board(8, 8, wrap="torus").is_plain
        (True, False)
        """
        return self._shape is None

    @property
    def is_directed(self) -> bool:
        """Whether pieces may block a move but not the way back (the leg rule)."""
        return self._shape is not None and self._shape.blockers is not None

    @property
    def leaper(self) -> Square:
        """``(a, b)``, a <= b: how far the piece goes one way and the other."""
        return (1, 2) if self._shape is None else self._shape.leaper

    @property
    def wrap(self) -> str | None:
        """None, ``"rows"``, ``"cols"`` or ``"torus"``: what wraps round."""
        return None if self._shape is None else self._shape.wrap

    @property
    def moves(self) -> tuple[Square, ...]:
        """The moves of the piece as ``(drow, dcol)``, in the order in which they are tried."""
        return KNIGHT_MOVES if self._shape is None else self._shape.moves

    @property
    def squares(self) -> Squares | ShapedSquares:
        """All squares, row by row: a lazy sequence.

        >>> Board(3, 4).squares[-1], len(Board(3, 4).squares), (3, 0) in Board(3, 4).squares
        ((2, 3), 12, False)
        """
        shape = self._shape
        if shape is None or shape.cells is None:
            return Squares(self.rows, self.cols)
        return ShapedSquares(shape)

    @property
    def holes(self) -> tuple[Square, ...]:
        """The cells of the rectangle that are no squares, row by row.

        >>> Board(3, 3, holes=[(1, 1)]).holes, Board(3, 3).holes
        (((1, 1),), ())
        """
        shape = self._shape
        if shape is None or shape.cells is None:
            return ()
        return tuple(divmod(k, self.cols) for k, cell in enumerate(shape.cells) if not cell)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, square: object) -> bool:
        return square in self.squares

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        if self.rows != other.rows or self.cols != other.cols:
            return False
        mine, theirs = self._shape, other._shape
        if mine is theirs:
            return True
        mine = mine or Shape(self.rows, self.cols)
        theirs = theirs or Shape(self.rows, self.cols)
        if mine.key == theirs.key:
            return True
        # Boards of other make can have the same graph all the same, small ones above all.
        return (
            mine.cells == theirs.cells
            and mine.size <= _MAX_TABLE
            and all(
                set(mine.neighbours(row, col)) == set(theirs.neighbours(row, col))
                for row, col in self.squares
            )
        )

    def __hash__(self) -> int:
        cells = None if self._shape is None else self._shape.cells
        return hash((Board, self.rows, self.cols, cells))

    def __repr__(self) -> str:
        naming = "" if self.naming == "algebraic" else f", naming={self.naming!r}"
        shape = self._shape
        if shape is None:
            return f"Board({self.rows}, {self.cols}{naming})"
        holes = self.rows * self.cols - shape.size
        if shape.blockers is not None or holes > 12:
            return f"<Board {self}>"
        more = ""
        if holes:
            cells = shape.cells or b""
            missing = [divmod(k, self.cols) for k, cell in enumerate(cells) if not cell]
            more += f", holes={missing}"
        if shape.leaper != (1, 2):
            more += f", leaper={shape.leaper}"
        if shape.wrap is not None:
            more += f", wrap={shape.wrap!r}"
        return f"Board({self.rows}, {self.cols}{naming}{more})"

    def _repr_svg_(self) -> str | None:
        """Return the empty board as a notebook shows it, nothing where it is too large."""
        from .drawing.svg import MAX_SHOWN, svg

        return str(svg((), self)) if self.size <= MAX_SHOWN else None

    def __str__(self) -> str:
        size = "xiangqi" if self.is_xiangqi else f"{self.rows}x{self.cols}"
        return size if self._shape is None else f"{size} ({self._shape.words()})"

    @property
    def is_xiangqi(self) -> bool:
        """Whether this is the xiangqi board by its size and its names."""
        return self.naming == "iccs" and self.shape == (10, 9)

    # Squares and their names

    def check_square(self, square: SquareLike, what: str = "square") -> Square:
        """Return a square given as a pair or a name as ``(row, col)``.

        Args:
            square: a pair of ints (numpy ints too), 0-based, or a name such as ``"e4"``; on 8x8
                and 10x9 also the number that the square has in python-chess and cchess, from the
                bottom left (`chess.A1` is 0, `chess.B1` is 1).
            what: what to call it in the error.

        Raises:
            InvalidInputError: not a square of this board; the text gives the valid range.

        >>> Board(8, 8).check_square("a1"), Board(8, 8).check_square(0)
        ((7, 0), (7, 0))
        """
        if isinstance(square, str):
            row, col = self.square(square)
            if self._shape is not None and not self._shape.has(row, col):
                raise self._hole(what, square, (row, col))
            return row, col
        try:
            row, col = square  # type: ignore[misc]  # a number is no pair: a TypeError
        except (TypeError, ValueError):
            pass
        else:
            r, c = _coordinate(row), _coordinate(col)
            if r is not None and c is not None and 0 <= r < self.rows and 0 <= c < self.cols:
                if self._shape is not None and not self._shape.has(r, c):
                    raise self._hole(what, square, (r, c))
                return r, c
        number = _coordinate(square)
        hint = ""
        if number is not None and self.shape in _NUMBERED:
            if 0 <= number < self.rows * self.cols:
                r, c = divmod(number, self.cols)
                return self.check_square((self.rows - 1 - r, c), what)
            last = self.rows * self.cols - 1
            hint = f", or a number of {_NUMBERED[self.shape]} from 0 to {last}"
        elif number is not None:
            hint = " (only the squares of 8x8 and 10x9 have numbers, in python-chess and cchess)"
        raise InvalidInputError(
            f"{what} {square!r} is not a square of the {self.rows}x{self.cols} board: use "
            f"(row, col), two whole numbers from (0, 0) to ({self.rows - 1}, {self.cols - 1}), "
            f"or a name from {self.name((self.rows - 1, 0))} to {self.name((0, self.cols - 1))}"
            f"{hint}"
        )

    def _check_entry(self, square: SquareLike, what: str = "square") -> Square:
        """Return an entry of a list of squares as ``(row, col)``: a pair or a name, no number.

        A list of numbers can be many things, such as one square or flat indices; `check` with
        ``form="numbers"`` reads those of python-chess.

        Raises:
            InvalidInputError: a number, or not a square of this board.
        """
        if _coordinate(square) is not None:
            raise InvalidInputError(
                f"{what} {square!r} is a number in a list of squares: use pairs (row, col) or names"
            )
        return self.check_square(square, what)

    def _hole(self, what: str, square: object, where: Square) -> InvalidInputError:
        return InvalidInputError(
            f"{what} {square!r} is {self.name(where)}, a hole of the board {self}: use one of its "
            f"{self.size} squares"
        )

    def name(self, square: SquareLike, *, ranks: str | None = None) -> str:
        """Return the name of a square, or of a hole.

        Args:
            square: the square.
            ranks: ``"0-9"`` or ``"1-10"`` to count the rows from 0 or from 1 against the
                board's own style.

        Raises:
            InvalidInputError: not a square of this board, or an unknown `ranks`.

        >>> Board(10, 9, naming="iccs").name((0, 8), ranks="1-10")
        'i10'
        """
        if self._shape is None:
            where = self.check_square(square)
        else:  # holes have names too
            where = Board(self.rows, self.cols, naming=self.naming).check_square(square)
        return name_square(where, self.rows, self.naming, ranks)

    def square(self, name: str, *, ranks: str | None = None) -> Square:
        """Return the square, or the hole, of that name: the inverse of `name`.

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
        """Return the squares that one move leads to, in the order of `moves`.

        On a xiangqi position one may also ask from a point with a horse on it.

        >>> Board(8, 8).neighbours("a1")
        [(5, 1), (6, 2)]
        """
        shape = self._shape
        if shape is not None:
            if shape.horses:
                plain = Board(self.rows, self.cols, naming=self.naming)
                row, col = plain.check_square(square)
                if row * self.cols + col in shape.horses:
                    return shape.neighbours(row, col)
            return shape.neighbours(*self.check_square(square))
        row, col = self.check_square(square)
        has = Squares(self.rows, self.cols)._has
        return [(row + dr, col + dc) for dr, dc in KNIGHT_MOVES if has(row + dr, col + dc)]

    def are_adjacent(self, first: Square, second: Square) -> bool:
        """Whether one move leads from the first square to the second; both are taken as valid.

        >>> Board(8, 8).are_adjacent((0, 0), (1, 2)), Board(8, 8).are_adjacent((0, 0), (1, 1))
        (True, False)
        """
        if self._shape is not None:
            return second in self._shape.neighbours(*first)
        drow, dcol = abs(first[0] - second[0]), abs(first[1] - second[1])
        return (drow == 1 and dcol == 2) or (drow == 2 and dcol == 1)

    def degree(self, square: SquareLike) -> int:
        """Return the number of squares that one move leads to, 0 to 8.

        >>> Board(8, 8).degree("a1"), Board(8, 8).degree("d4")
        (2, 8)
        """
        return len(self.neighbours(square))

    def degrees(self) -> list[list[int]]:
        """Return the degree of every square, row by row (program 000's table of visit levels).

        Holes have degree 0.

        Raises:
            InvalidInputError: more than ten million squares; ask `degree` for single ones.

        >>> Board(3, 4).degrees()
        [[2, 3, 3, 2], [2, 2, 2, 2], [2, 3, 3, 2]]
        """
        self._check_table("degrees()", "degree(square)")
        shape = self._shape
        if shape is None:
            return [
                [self.degree((row, col)) for col in range(self.cols)] for row in range(self.rows)
            ]
        return [
            [
                len(shape.neighbours(row, col)) if shape.has(row, col) else 0
                for col in range(self.cols)
            ]
            for row in range(self.rows)
        ]

    def move_table(self, order: Sequence[Square] | None = None) -> list[list[int]]:
        """Return for every square, row by row, which moves stay on the board (1) and which not.

        Args:
            order: the moves ``(drow, dcol)``, one a column of the table, None for `moves`.
                Program 000's own table is the one of ``Strategy.named("access-level").order``.

        Returns:
            ``rows * cols`` lists of ``len(order)`` numbers, 0 or 1; the list of square
            ``(r, c)`` is number ``r * cols + c``. From a hole there are no moves.

        Raises:
            InvalidInputError: more than ten million squares.

        >>> Board(3, 4).move_table()[0]
        [0, 0, 1, 1, 0, 0, 0, 0]
        """
        self._check_table("move_table()", "neighbours(square)")
        steps = self.moves if order is None else order
        shape = self._shape
        plain = Squares(self.rows, self.cols)
        if shape is None:
            has = plain._has
            return [[int(has(row + dr, col + dc)) for dr, dc in steps] for row, col in plain]
        return [
            [
                int(shape.has(row, col) and shape.landing(row, col, dr, dc) is not None)
                for dr, dc in steps
            ]
            for row, col in plain
        ]

    def _check_table(self, table: str, instead: str) -> None:
        if self.rows * self.cols > _MAX_TABLE:
            raise InvalidInputError(
                f"{table} of a {self.rows}x{self.cols} board would list {self.size} squares, more "
                f"than {_MAX_TABLE}: ask {instead} instead"
            )

    def to_networkx(self) -> networkx.Graph:
        """Return the move graph as a `networkx.Graph` on ``(row, col)``; needs networkx.

        With the leg rule and pieces it is a `networkx.DiGraph`.

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
        graph = networkx.DiGraph() if self.is_directed else networkx.Graph()
        graph.add_nodes_from(self.squares)
        for square in self.squares:
            graph.add_edges_from((square, other) for other in self.neighbours(square))
        return graph

    # Images

    def transformed(self, symmetry: str) -> Board:
        """Return the image of the board under a symmetry of the rectangle; see `Tour.transformed`.

        Raises:
            InvalidInputError: an unknown symmetry.

        >>> Board(2, 3, holes=[(0, 0)]).transformed("rotate90")
        Board(3, 2, holes=[(0, 1)])
        """
        if not isinstance(symmetry, str) or symmetry not in _AFFINE:
            raise InvalidInputError(f"symmetry={symmetry!r} is unknown: use {', '.join(_AFFINE)}")
        swaps = _AFFINE[symmetry](2, 2)[3]
        if self._shape is None:
            if not swaps or self.rows == self.cols:
                return self
            return Board(self.cols, self.rows)
        shape = self._shape.turned(symmetry)
        naming = self.naming if shape.rows == self.rows else "algebraic"
        return Board._of(shape.rows, shape.cols, naming, shape)


#: What is accepted as a square, and what as a board.
SquareLike = Square | Sequence[int] | str | int
BoardLike = Board | str | Sequence[int]


def _restore(rows: int, cols: int, naming: str, shape: tuple[Any, ...] | None = None) -> Board:
    if shape is None:
        return Board(rows, cols, naming=naming)
    return Board._of(rows, cols, naming, Shape(rows, cols, *shape))


def _iterable(values: Iterable[SquareLike], what: str) -> Iterator[SquareLike]:
    """Iterate over a caller's squares; text is one name, not a row of letters."""
    if isinstance(values, str):
        raise InvalidInputError(f"{what}={values!r} is text: use a list of squares")
    try:
        return iter(values)
    except TypeError:
        raise InvalidInputError(f"{what}={values!r} is not a list of squares") from None


def _check_cells(side: int) -> None:
    """Refuse a square of cells that is too large before it is made."""
    if side * side > _MAX_CELLS:
        raise InvalidInputError(
            f"a board with holes has at most {_MAX_CELLS} cells, and {side}x{side} has more"
        )


def _read_size(size: object) -> Square:
    """Return ``(rows, cols)``, or say what is wrong with it."""
    if not isinstance(size, (str, dict, set, frozenset)):
        try:
            pair = list(size)  # type: ignore[call-overload]
        except TypeError:
            pair = []
        if len(pair) == 2:
            height, width = _dimension(pair[0], "rows"), _dimension(pair[1], "cols")
            if height * width > _MAX_CELLS:
                raise InvalidInputError(
                    f"a board with holes has at most {_MAX_CELLS} cells, and {height}x{width} has "
                    "more"
                )
            return height, width
    raise InvalidInputError(f"size={size!r} is not a size: use a pair (rows, cols)")


def _read_mask(mask: Any) -> list[bytes]:
    """Return the rows of a mask as bytes of 0 and 1, or say what is wrong with it."""
    if isinstance(mask, memoryview):
        mask = mask.tolist()
    if isinstance(mask, (str, bytes, dict, set, frozenset)):
        raise InvalidInputError(_NO_MASK + _SEE_PARSE * isinstance(mask, str))
    rows = []
    try:
        for number, row in enumerate(mask):
            if isinstance(row, (str, dict, set, frozenset)):
                raise InvalidInputError(
                    f"row {number} of the mask is {row!r}: {_NO_MASK}"
                    + _SEE_PARSE * isinstance(row, str)
                )
            values = list(row)
            if any(issubclass(kind, _NO_TRUTH) for kind in set(map(type, values))):
                column = next(k for k, value in enumerate(values) if isinstance(value, _NO_TRUTH))
                raise InvalidInputError(
                    f"{values[column]!r} in row {number}, column {column} of the mask is no truth "
                    "value: use True or False, or 1 or 0"
                )
            rows.append(bytes(1 if value else 0 for value in values))
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidInputError):
            raise
        raise InvalidInputError(_NO_MASK) from None
    return rows


_NO_TRUTH = (str, bytes, list, tuple, dict, set)
_NO_MASK = "a mask is rows of truth values: a list of lists, or a two-dimensional array"
_SEE_PARSE = "; a map of '.' and '#' is read by Board.parse"


def _check_leaper(leaper: object) -> Square:
    """Return (a, b) with a <= b, or say what is wrong with it."""
    if not isinstance(leaper, (str, dict, set, frozenset)):
        try:
            pair: tuple[object, ...] = tuple(leaper)  # type: ignore[arg-type]
        except TypeError:
            pair = ()
        if len(pair) == 2:
            a, b = _coordinate(pair[0]), _coordinate(pair[1])
            if a is not None and b is not None and min(a, b) >= 0 and 0 < max(a, b) < 2**31:
                return min(a, b), max(a, b)
    raise InvalidInputError(
        f"leaper={leaper!r} is not a leaper: use a pair of whole numbers such as (1, 2), not "
        "negative and not both 0"
    )


def _read_fen(fen: object) -> list[str]:
    """Return the piece on each of the 90 points, row by row from the top, "" for none."""
    if not isinstance(fen, str) or not fen.strip():
        raise InvalidInputError(f"{fen!r} is not a xiangqi position: use the text of a FEN")
    ranks = fen.split()[0].split("/")
    if len(ranks) != 10:
        raise InvalidInputError(
            f"the FEN {fen!r} has {len(ranks)} rank{'s' * (len(ranks) != 1)} instead of 10: a "
            "xiangqi position is ten ranks with '/' between them, the top one first"
        )
    pieces: list[str] = []
    for number, rank in enumerate(ranks):
        points: list[str] = []
        for letter in rank:
            if letter in "123456789":
                points += [""] * int(letter)
            elif letter in "kabenhrcpKABENHRCP":
                points.append(letter)
            else:
                raise InvalidInputError(
                    f"{letter!r} in the FEN {fen!r} is neither a piece (k a b e n h r c p) nor a "
                    "number of empty points from 1 to 9"
                )
        if len(points) != 9:
            raise InvalidInputError(
                f"rank {9 - number} of the FEN {fen!r} has {len(points)} points instead of 9: "
                "letters are pieces, a digit is so many empty points"
            )
        pieces += points
    return pieces


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
