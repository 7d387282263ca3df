"""Tours: the answer, a sequence of squares, whatever it is backed by.

A `Tour` behaves as an immutable sequence of ``(row, col)``. Behind it is a path that can say
where step k is and when a square is visited: a `StoredPath` keeps the flat indices of its squares,
four bytes each; other paths compute any step when it is asked for. Everything a user does with a
tour goes through the few methods that all paths have.
"""

from __future__ import annotations

import operator
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, overload

from ._engine import Engine, get_engine
from .board import Board, SquareLike
from .errors import InvalidInputError, KnightTourError, NoTourError, SearchLimitError, Square
from .limits import free_memory, human_bytes, zeroed

if TYPE_CHECKING:
    import os

    import numpy

    from .drawing.page import Page
    from .drawing.svg import Svg

#: Results of fewer bytes are made without asking how much memory is free.
_ALWAYS_FITS = 1 << 26

#: A list is made of so many numbers at a time; in between Ctrl-C is noticed.
_PIECE = 1 << 18

__all__ = [
    "SYMMETRIES",
    "Path",
    "ShapedPath",
    "Stats",
    "StoredPath",
    "Tour",
    "path_of",
    "writable_integers",
]

#: The symmetries of a rectangle, by their names; rotations go clockwise. The last four turn a
#: board of R x C into one of C x R.
SYMMETRIES = (
    "rotate180",
    "flip_rows",
    "flip_cols",
    "rotate90",
    "rotate270",
    "transpose",
    "antitranspose",
)

_KEEP_SHAPE = SYMMETRIES[:3]


class Stats(NamedTuple):
    """How a tour was found and what it cost; not part of a tour's equality."""

    #: the strategy or the method that found it
    method: str
    #: squares placed, the start included
    nodes: int
    #: squares taken back
    backtracks: int
    #: wall time of the call
    seconds: float
    #: the seed of the call
    seed: int


#: Called with (squares done, squares in all) now and then.
Progress = Callable[[int, int], object]


class Path(Protocol):
    """What a tour is backed by; squares are valid and numbers are in range."""

    rows: int
    cols: int
    #: steps, which is the number of squares
    length: int

    def square_at(self, step: int) -> Square:
        """Return the square of a 0-based step."""
        ...

    def step_of(self, row: int, col: int) -> int:
        """Return the 0-based step at which a square is visited."""
        ...

    def squares(self, first: int, count: int) -> Iterator[Square]:
        """Yield `count` squares from step `first` on."""
        ...

    def order(self) -> memoryview:
        """Return all flat indices in the order of visit."""
        ...

    def fill_steps(self, out: memoryview, base: int, first: int = 0) -> None:
        """Write the step numbers of the squares from flat index `first` on, row by row."""
        ...

    def iter_codes(self, chunk: int) -> Iterator[bytes]:
        """Yield the direction codes of the moves, `chunk` at a time."""
        ...

    def reversed(self) -> Path:
        """Return the path backwards."""
        ...

    def rotated(self, first: int) -> Path:
        """Return the cycle from step `first` on."""
        ...

    def transformed(self, symmetry: str) -> Path:
        """Return the image of the path."""
        ...

    def verify(self, progress: Progress | None = None) -> None:
        """Walk everything; raise KnightTourError at a fault."""
        ...


class StoredPath:
    """A path that keeps its squares: flat indices, native int32, in bytes."""

    __slots__ = ("_data", "_engine", "_steps", "cols", "length", "rows")

    def __init__(self, rows: int, cols: int, data: bytes, engine: Engine) -> None:
        self.rows = rows
        self.cols = cols
        self.length = len(data) >> 2
        self._data = data
        self._engine = engine
        self._steps: memoryview | None = None

    def order(self) -> memoryview:
        """Return the flat indices themselves, without copying."""
        return memoryview(self._data).cast("i")

    def square_at(self, step: int) -> Square:
        """Return the square of a 0-based step."""
        return divmod(self.order()[step], self.cols)

    def squares(self, first: int, count: int) -> Iterator[Square]:
        """Yield `count` squares from step `first` on."""
        cols = self.cols
        for index in self.order()[first : first + count]:
            yield divmod(index, cols)

    def step_of(self, row: int, col: int) -> int:
        """Return the step of a square; the first call inverts the path once."""
        return self._inverse()[row * self.cols + col]

    def fill_steps(self, out: memoryview, base: int, first: int = 0) -> None:
        """Write the step numbers of the squares from flat index `first` on, row by row."""
        steps = self._inverse()
        if base == 0 and out.itemsize == 4:
            out[:] = steps[first : first + len(out)]
        else:  # the sum may be too large for int32
            window = steps[first : first + len(out)]
            out[:] = memoryview(array(out.format, (step + base for step in window)))

    def _inverse(self) -> memoryview:
        if self._steps is None:
            self._steps = memoryview(self._engine.core.step_numbers(self._data)).cast("i")
        return self._steps

    def iter_codes(self, chunk: int) -> Iterator[bytes]:
        """Yield the direction codes of the moves, `chunk` at a time."""
        for first in range(0, self.length - 1, chunk):
            part = self._data[4 * first : 4 * (first + chunk + 1)]
            yield self._engine.core.move_codes(self.cols, part)

    def reversed(self) -> StoredPath:
        """Return the path backwards."""
        return self._of(self.rows, self.cols, self.order()[::-1].tobytes())

    def rotated(self, first: int) -> StoredPath:
        """Return the cycle from step `first` on."""
        data = self._data[4 * first :] + self._data[: 4 * first]
        return self._of(self.rows, self.cols, data)

    def transformed(self, symmetry: str) -> StoredPath:
        """Return the image of the path."""
        rows, cols = self.rows, self.cols
        start, down, right, turned = _affine(symmetry, rows, cols)
        image = array(
            "i",
            (start + down * row + right * col for row, col in self.squares(0, self.length)),
        )
        return self._of(*((cols, rows) if turned else (rows, cols)), image.tobytes())

    def verify(self, progress: Progress | None = None) -> None:
        """Check every square and every move again."""
        fault = self._engine.core.first_fault(self.rows, self.cols, self._data)
        if fault >= 0:
            raise KnightTourError(f"internal error: the tour has a fault at step {fault}")
        if progress is not None:
            progress(self.length, self.length)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_stored, (self.rows, self.cols, _swapped(self._data))

    def _of(self, rows: int, cols: int, data: bytes) -> StoredPath:
        return StoredPath(rows, cols, data, self._engine)


def _swapped(data: bytes) -> bytes:
    """Turn native int32 into little-endian ones, and back: the same on most machines."""
    if sys.byteorder == "little":
        return data
    numbers = array("i", data)
    numbers.byteswap()
    return numbers.tobytes()


def _restore_stored(rows: int, cols: int, data: bytes) -> StoredPath:
    """Rebuild a pickled path, and check it again: a pickle may come from anywhere."""
    path = StoredPath(rows, cols, _swapped(data), get_engine())
    path.verify()
    return path


def _restore_shaped(board: Board, data: bytes) -> StoredPath:
    """The same for a board of any shape."""
    path = path_of(board, _swapped(data), get_engine())
    path.verify()
    return path


class ShapedPath(StoredPath):
    """A stored path on a board that is not a plain rectangle: its holes have no step."""

    __slots__ = ("_board",)

    def __init__(self, board: Board, data: bytes, engine: Engine) -> None:
        super().__init__(board.rows, board.cols, data, engine)
        self._board = board

    def step_of(self, row: int, col: int) -> int:
        """Return the step of a square; the first call inverts the path once."""
        if self._steps is None:
            steps = memoryview(bytearray(4 * self.rows * self.cols)).cast("i")
            self.fill_steps(steps, 0)
            self._steps = steps.toreadonly()
        return self._steps[row * self.cols + col]

    def fill_steps(self, out: memoryview, base: int, first: int = 0) -> None:
        """Write the step numbers from flat index `first` on, row by row, base - 1 for a hole."""
        steps = array(out.format, [base - 1]) * (self.rows * self.cols)
        for step, square in enumerate(self.order(), base):
            steps[square] = step
        out[:] = memoryview(steps)[first : first + len(out)]

    def iter_codes(self, chunk: int) -> Iterator[bytes]:
        """Yield the direction codes; only a knight on a board that does not wrap has them."""
        board = self._board
        if board.leaper != (1, 2) or board.wrap is not None:
            raise InvalidInputError(
                f"the direction codes are those of a knight on a plane board; {board} is not"
            )
        return super().iter_codes(chunk)

    def reversed(self) -> StoredPath:
        """Return the path backwards; pieces may have made that illegal."""
        path = super().reversed()
        if self._board.is_directed:
            try:
                path.verify()
            except KnightTourError:
                raise NoTourError(
                    "Pieces block a move of this tour on the way back: the leg of a horse is next "
                    "to the square it leaves.",
                    reason="one-way-moves",
                    source="this tour",
                ) from None
        return path

    def transformed(self, symmetry: str) -> StoredPath:
        """Return the image of the path, on the image of the board."""
        image = super().transformed(symmetry)
        return ShapedPath(self._board.transformed(symmetry), image._data, self._engine)

    def verify(self, progress: Progress | None = None) -> None:
        """Check every square and every move again."""
        shape = self._board._shape
        if shape is None:  # pragma: no cover - such boards have a StoredPath
            return super().verify(progress)
        moves = array("i", [step for move in shape.moves for step in move]).tobytes()
        fault = self._engine.shapes.first_fault_shape(
            self.rows, self.cols, shape.cells, moves, *shape.wraps, shape.blockers, self._data
        )
        if fault >= 0:
            raise KnightTourError(f"internal error: the tour has a fault at step {fault}")
        if progress is not None:
            progress(self.length, self.length)
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_shaped, (self._board, _swapped(self._data))

    def _of(self, rows: int, cols: int, data: bytes) -> StoredPath:
        if (rows, cols) == (self.rows, self.cols):
            return ShapedPath(self._board, data, self._engine)
        return StoredPath(rows, cols, data, self._engine)


def path_of(board: Board, data: bytes, engine: Engine) -> StoredPath:
    """Return a stored path for a board of any shape."""
    if board.is_plain:
        return StoredPath(board.rows, board.cols, data, engine)
    return ShapedPath(board, data, engine)


def _affine(symmetry: str, rows: int, cols: int) -> tuple[int, int, int, bool]:
    """Return how a symmetry maps (row, col): image index = start + down * row + right * col."""
    last_row, last_col = rows - 1, cols - 1
    return {
        "rotate180": (last_row * cols + last_col, -cols, -1, False),
        "flip_rows": (last_row * cols, -cols, 1, False),
        "flip_cols": (last_col, cols, -1, False),
        "rotate90": (last_row, -1, rows, True),
        "rotate270": (last_col * rows, 1, -rows, True),
        "transpose": (0, 1, rows, True),
        "antitranspose": (last_col * rows + last_row, -1, -rows, True),
    }[symmetry]


def writable_integers(out: object) -> memoryview:
    """Return a caller's buffer as a flat view of 4- or 8-byte signed integers.

    Raises:
        InvalidInputError: not a writable, C-contiguous buffer of int32 or int64.
    """
    try:
        view = memoryview(out)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInputError(
            f"out={type(out).__name__} has no buffer: use a numpy array, an array.array or a "
            "memoryview of int32 or int64"
        ) from None
    what = f"a buffer of {view.nbytes // view.itemsize} items of format {view.format!r}"
    if view.format not in ("i", "l", "q") or view.itemsize not in (4, 8):
        raise InvalidInputError(f"out is {what}: use int32 or int64")
    if view.readonly or not view.c_contiguous:
        raise InvalidInputError(f"out is {what}, but not writable and C-contiguous")
    if view.nbytes == 0:
        return memoryview(bytearray()).cast("i")
    return view.cast("B").cast("i" if view.itemsize == 4 else "q")


class Tour(Sequence[Square]):
    """A knight's tour: an immutable sequence of ``(row, col)``, every square once.

    It equals every other sequence of the same squares that is a Tour or a list; slices are lists.
    Hashable, picklable, safe to share between threads. A square is accepted as a pair or by its
    name. Tours come from `tour` and other functions, which have checked them.

    >>> from knighttour import tour
    >>> t = tour("a1", "chess", strategy="course")
    >>> t
    <Tour 8x8 open, a1 to e6, 64 squares>
    >>> t[0], t[-1], t.index("b3"), (3, 3) in t
    ((7, 0), (2, 4), 27, True)
    """

    __slots__ = ("__weakref__", "_path", "_stats", "board")

    #: the board it is a tour of
    board: Board

    def __init__(self, board: Board, path: Path, stats: tuple[str, int, int, float, int]) -> None:
        self.board = board
        self._path = path
        self._stats = stats

    # What it is

    @property
    def stats(self) -> Stats:
        """How it was found: method, nodes, backtracks, seconds, seed."""
        return Stats(*self._stats)

    @property
    def start(self) -> Square:
        """The first square."""
        return self._path.square_at(0)

    @property
    def end(self) -> Square:
        """The last square."""
        return self._path.square_at(self._path.length - 1)

    @property
    def closed(self) -> bool:
        """Whether a move leads from the end back to the start, another than the only one."""
        return self._path.length > 2 and self.board.are_adjacent(self.end, self.start)

    def __len__(self) -> int:
        # Sequences cannot be longer than sys.maxsize; `t.board.size` always tells.
        return self._path.length

    @overload
    def __getitem__(self, index: int) -> Square: ...
    @overload
    def __getitem__(self, index: slice) -> list[Square]: ...
    def __getitem__(self, index: int | slice) -> Square | list[Square]:
        length = self._path.length
        if isinstance(index, slice):
            first, stop, stride = index.indices(length)
            _check_memory(120 * len(range(first, stop, stride)), "the slice", "a shorter one")
            if stride == 1:
                return list(self._path.squares(first, max(0, stop - first)))
            return [self._path.square_at(k) for k in range(first, stop, stride)]
        step = operator.index(index)
        if step < 0:
            step += length
        if not 0 <= step < length:
            raise IndexError(f"step {index} of a tour of {length} squares")
        return self._path.square_at(step)

    def __iter__(self) -> Iterator[Square]:
        return self._path.squares(0, self._path.length)

    def __reversed__(self) -> Iterator[Square]:
        return iter(self.reversed())

    def __contains__(self, square: object) -> bool:
        try:
            self.board.check_square(square)  # type: ignore[arg-type]
        except InvalidInputError:
            return False
        return True

    def index(self, square: SquareLike, start: int = 0, stop: int | None = None) -> int:
        """Return the 0-based step at which a square is visited; no scan.

        Args:
            square: the square, as a pair or a name.
            start: count only steps from this one on.
            stop: count only steps before this one.

        Raises:
            InvalidInputError: not a square of the board, or not visited in that range (it is a
                ValueError, as for every sequence).

        >>> from knighttour import tour
        >>> tour("a1", "chess").index("a1")
        0
        """
        row, col = self.board.check_square(square)
        step = self._path.step_of(row, col)
        first, last, _ = slice(start, stop).indices(self._path.length)
        if not first <= step < last:
            raise InvalidInputError(
                f"{square!r} is visited at step {step}, not in [{first}:{last}]"
            )
        return step

    def count(self, square: object) -> int:
        """Return 1 for a square of the board and 0 for everything else."""
        return int(square in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Tour):
            if other is self or other._path == self._path:  # paths written alike, huge ones too
                return True
            if self.board.shape != other.board.shape or len(self) != len(other):
                return False
            if self._samples() != other._samples():
                return False
        elif not isinstance(other, list) or len(other) != self._path.length:
            return False if isinstance(other, list) else NotImplemented
        mine: Iterator[Square] = iter(self)
        return all(
            isinstance(theirs, (tuple, list)) and square == tuple(theirs)
            for square, theirs in zip(mine, other, strict=True)
        )

    def _samples(self) -> tuple[Square, ...]:
        """Return some of the squares, spread over the tour: enough to tell most tours apart."""
        length = self._path.length
        return tuple(self._path.square_at(k * (length - 1) // 16) for k in range(17))

    def __hash__(self) -> int:
        return hash((self.board.shape, self._samples()))

    def __repr__(self) -> str:
        name = self.board.name
        kind = "closed" if self.closed else "open"
        return (
            f"<Tour {self.board} {kind}, {name(self.start)} to {name(self.end)}, "
            f"{self._path.length} squares>"
        )

    def __str__(self) -> str:
        from .drawing.text import numbered_grid

        _check_memory(200 * self._path.length, "str()", "a file, t.save('tour.txt'),")
        return numbered_grid(self)

    def svg(self, **options: Any) -> Svg:
        """Draw the tour as SVG.

        Args:
            options: those of `knighttour.drawing.svg.svg`: `path`, `numbers`, `base`,
                `colour_map`, `theme`, `labels`, `ranks`, `ends`, `closing`, `size`, `title`,
                `description`, `text`.

        Returns:
            The text of the picture, which a notebook shows as the picture.

        Raises:
            InvalidInputError: an option that there is not, or a board too large to draw.

        >>> from knighttour import tour
        >>> picture = tour("a0").svg(path="arrows", theme="dark", title="马踏棋盘")
        >>> picture.count("<title>马踏棋盘</title>")
        1
        """
        from .drawing.svg import svg

        return svg(self, **options)

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows, nothing where the board is too large."""
        from .drawing.svg import MAX_SHOWN

        return str(self.svg()) if self.board.size <= MAX_SHOWN else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Tour, (self.board, self._path, self._stats)

    # The squares in other forms

    def tolist(self) -> list[Square]:
        """Return the plain list of ``(row, col)``.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").tolist()[:3]
        [(0, 0), (1, 2), (2, 0)]
        """
        _check_memory(120 * self._path.length, "tolist()", "t.order() or slices")
        return list(self)

    def names(self, *, ranks: str | None = None) -> list[str]:
        """Return the names of the squares in the order of visit.

        Args:
            ranks: ``"0-9"`` or ``"1-10"`` against the board's own style.

        >>> from knighttour import tour
        >>> tour("a0").names()[:3]
        ['a0', 'c1', 'a2']
        """
        _check_memory(70 * self._path.length, "names()", "names of slices")
        return [self.board.name(square, ranks=ranks) for square in self]

    def numbers(self) -> list[int]:
        """Return the numbers that the squares have in python-chess and cchess, in order of visit.

        They count row by row from the bottom left: on 8x8 they are ``chess.A1`` .. ``chess.H8``.
        `check(numbers, board, form="numbers")` goes back. On other boards they count the same way.

        >>> from knighttour import tour
        >>> tour("a1", "chess").numbers()[:3]
        [0, 10, 16]
        """
        _check_memory(40 * self._path.length, "numbers()", "t.order(), which counts from the top,")
        cols, last = self.board.cols, self.board.rows - 1
        return [(last - row) * cols + col for row, col in self]

    def move_names(
        self,
        style: str = "uci",
        *,
        side: str = "red",
        ranks: str | None = None,
        closing: bool = False,
    ) -> list[str]:
        """Return the names of the moves, which ``chess.Move.from_uci`` and UCI engines take.

        Args:
            style: ``"uci"`` (``b1c3``), ``"iccs"`` (``B0-C2``), ``"wxf"`` (``H8+7``) or
                ``"chinese"`` (马八进七), as for `name_move`.
            side: ``"red"`` or ``"black"``, for the last two, which do not say where they begin.
            ranks: ``"0-9"`` or ``"1-10"`` against the board's own style.
            closing: whether to name the move from the end of a closed tour to its start, too.

        Raises:
            InvalidInputError: an unknown option.
            NoTourError: `closing` for an open tour.

        `check(names)` goes back, for the relative styles with ``start=``.

        >>> from knighttour import tour
        >>> tour("a1", "chess").move_names()[:2]
        ['a1c2', 'c2a3']
        """
        from .notation import name_move

        if closing:
            self._check_closed()
        _check_memory(80 * self._path.length, "move_names()", "write(tour, file, form=...)")
        squares = self.tolist()
        if closing:
            squares.append(self.start)
        return [
            name_move(first, second, self.board, style, side=side, ranks=ranks)
            for first, second in pairwise(squares)
        ]

    def grid(self, base: int = 1) -> list[list[int]]:
        """Return the step numbers as a list of rows; holes have `base` - 1, so 0 as a rule.

        Args:
            base: the number of the first step.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").grid()
        [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]
        """
        cols = self.board.cols
        _check_memory(44 * self._path.length, "grid()", "t.steps() or t.fill(window)")
        steps = self.steps(base)
        rows: list[list[int]] = []
        for first in range(0, len(steps), cols):
            # Piece by piece: Ctrl-C is not heard while a list is made.
            row: list[int] = []
            for piece in range(first, first + cols, _PIECE):
                row += steps[piece : min(piece + _PIECE, first + cols)].tolist()
            rows.append(row)
        return rows

    def order(self) -> memoryview:
        """Return the flat indices ``row * cols + col`` in the order of visit.

        Returns:
            A read-only buffer of int32 (int64 where the board needs it) that numpy reads without
            copying: ``numpy.asarray(t.order())``.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").order().tolist()[:3]
        [0, 6, 8]
        """
        _check_memory(8 * self._path.length, "order()", "slices, t[first:stop],")
        return self._path.order()

    def inverse_order(self) -> memoryview:
        """Return the step at which each square is visited, row by row: ``steps()`` from 0.

        ``t.order()[t.inverse_order()[k]] == k`` for every k; see `scramble` and `unscramble`.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").inverse_order().tolist()[:4]
        [0, 3, 6, 9]
        """
        return self.steps(0)

    def steps(self, base: int = 0) -> memoryview:
        """Return the step number of every square, row by row: the inverse of `order`.

        A hole has the number `base` - 1.

        Args:
            base: the number of the first step.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").steps().tolist()[:4]
        [0, 3, 6, 9]
        """
        base = _whole("base", base)
        length = self.board.rows * self.board.cols
        _check_memory(8 * length, "steps()", "t.index(square) or t.save('tour.npy')")
        wide = not -(2**31) < base <= base + length < 2**31
        out = zeroed((8 if wide else 4) * length).cast("q" if wide else "i")
        self._path.fill_steps(out, base)
        return out.toreadonly()

    def fill(self, out: object, base: int = 1) -> None:
        """Write the step numbers, row by row, into a buffer of int32 or int64.

        Args:
            out: a writable C-contiguous buffer of as many items as the board has squares, such as
                a numpy array of the board's shape.
            base: the number of the first step.

        Raises:
            InvalidInputError: `out` is no such buffer, or its items are too narrow.

        >>> from array import array
        >>> from knighttour import tour
        >>> out = array("i", bytes(4 * 12))
        >>> tour((0, 0), board="3x4").fill(out)
        >>> out.tolist()
        [1, 4, 7, 10, 12, 9, 2, 5, 3, 6, 11, 8]
        """
        items, cells = len(writable_integers(out)), self.board.rows * self.board.cols
        if items != cells:
            raise InvalidInputError(f"out has {items} items, but the board has {cells} squares")
        self.fill_window(out, 0, base)

    def fill_window(self, out: object, first: int, base: int = 1) -> None:
        """Write the step numbers of a part of the grid: `len(out)` squares from one on, in rows.

        A grid larger than the memory is made window by window.

        Args:
            out: a writable C-contiguous buffer of int32 or int64, such as some rows of a grid.
            first: the flat index ``row * cols + col`` of the first square of the window.
            base: the number of the first step.

        Raises:
            InvalidInputError: as for `fill`, or the window leaves the board.

        >>> from array import array
        >>> from knighttour import tour
        >>> row = array("i", bytes(4 * 4))
        >>> tour((0, 0), board="3x4").fill_window(row, first=2 * 4)
        >>> row.tolist()
        [3, 6, 11, 8]
        """
        base, first = _whole("base", base), _whole("first", first)
        view = writable_integers(out)
        length = self._path.length
        cells = self.board.rows * self.board.cols
        if not 0 <= first <= first + len(view) <= cells:
            raise InvalidInputError(
                f"first={first}: a window of {len(view)} squares leaves the board, whose flat "
                f"indices are 0 to {cells - 1}"
            )
        if view.itemsize == 4 and not -(2**31) < base <= base + length - 1 < 2**31:
            raise InvalidInputError(
                f"steps {base} to {base + length - 1} do not fit int32: use a buffer of int64"
            )
        self._path.fill_steps(view, base, first)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        import numpy

        if copy is False:
            raise ValueError("the (row, col) pairs of a tour are computed: copy=False cannot be")
        _check_memory(24 * self._path.length, "numpy.asarray()", "t.order()")
        order = numpy.asarray(self.order())
        pairs = numpy.stack(numpy.divmod(order, order.dtype.type(self.board.cols)), axis=1)
        return pairs if dtype is None else pairs.astype(dtype)

    def moves(self, *, closing: bool = False) -> bytes:
        """Return the direction codes of the moves, one byte each.

        Args:
            closing: with the move from the end back to the start at last.

        Returns:
            n - 1 codes (n with `closing`), each the number of a move in `KNIGHT_MOVES`:
            0 (-2,1), 1 (-1,2), 2 (1,2), 3 (2,1), 4 (2,-1), 5 (1,-2), 6 (-1,-2), 7 (-2,-1).

        Raises:
            NoTourError: `closing` on a tour that is not closed.

        >>> from knighttour import tour
        >>> list(tour((0, 0), board="3x4").moves())[:3]
        [2, 5, 0]
        """
        _check_memory(2 * self._path.length, "moves()", "t.iter_moves()")
        # One piece is not copied again by `join`.
        codes = b"".join(self._path.iter_codes(max(1, self._path.length)))
        return codes + bytes([self._closing_code()]) if closing else codes

    def iter_moves(self, chunk: int = 1 << 18) -> Iterator[bytes]:
        """Yield the direction codes of `moves` in pieces of `chunk` bytes.

        >>> from knighttour import tour
        >>> [len(piece) for piece in tour((0, 0), board="3x4").iter_moves(4)]
        [4, 4, 3]
        """
        size = _whole("chunk", chunk)
        if size < 1:
            raise InvalidInputError(f"chunk={chunk!r} is not a size: use a whole number >= 1")
        return self._path.iter_codes(size)

    def _check_closed(self) -> None:
        if not self.closed:
            raise NoTourError(
                f"the tour from {self.board.name(self.start)} ends on "
                f"{self.board.name(self.end)}, which is no knight's move from its start",
                reason="open-tour",
                source="this tour",
                squares=(self.start, self.end),
            )

    def _closing_code(self) -> int:
        self._check_closed()
        from .board import KNIGHT_MOVES

        (row, col), (first_row, first_col) = self.end, self.start
        return KNIGHT_MOVES.index((first_row - row, first_col - col))

    # Tours made from this one

    def _of(self, board: Board, path: Path) -> Tour:
        return Tour(board, path, self._stats)

    def reversed(self) -> Tour:
        """Return the tour walked backwards.

        >>> from knighttour import tour
        >>> t = tour((0, 0), board="3x4")
        >>> t.reversed().start == t.end
        True
        """
        return self._of(self.board, self._path.reversed())

    def rotated(self, start: SquareLike) -> Tour:
        """Return a closed tour begun at another square.

        Raises:
            InvalidInputError: not a square of the board.
            NoTourError: the tour is not closed.

        >>> from knighttour import tour
        >>> tour((0, 0), board="5x6", closed=True).rotated((2, 2)).start
        (2, 2)
        """
        row, col = self.board.check_square(start, "start")
        self._check_closed()
        return self._of(self.board, self._path.rotated(self._path.step_of(row, col)))

    def transformed(self, symmetry: str) -> Tour:
        """Return the image of the tour under a symmetry of the rectangle.

        Args:
            symmetry: ``"rotate90"``, ``"rotate180"``, ``"rotate270"`` (clockwise), ``"flip_rows"``
                (upside down), ``"flip_cols"``, ``"transpose"`` or ``"antitranspose"``. Those that
                swap rows and columns give a tour of the C x R board.

        Raises:
            InvalidInputError: an unknown symmetry.

        >>> from knighttour import tour
        >>> tour((0, 0), board="3x4").transformed("rotate90").grid()[0]
        [3, 12, 1]
        """
        if symmetry not in SYMMETRIES:
            raise InvalidInputError(
                f"symmetry={symmetry!r} is unknown: use {', '.join(SYMMETRIES)}"
            )
        board = self.board.transformed(symmetry)
        return self._of(board, self._path.transformed(symmetry))

    def canonical(self) -> Tour:
        """Return the one tour that stands for all images of this one.

        The least, as a sequence of squares, of its images under the symmetries that keep the
        board's shape, walked both ways, and begun at every square where it is closed. On a board
        with holes those symmetries count that keep the holes; one-way moves are not walked back.

        >>> from knighttour import tour
        >>> t = tour((0, 0), board="5x6")
        >>> t.canonical() == t.reversed().transformed("flip_rows").canonical()
        True
        """
        board = self.board
        names: tuple[str, ...] = SYMMETRIES if board.rows == board.cols else _KEEP_SHAPE
        if not board.is_plain:
            names = tuple(name for name in names if board.transformed(name) == board)
        images = [self._path, *(self._path.transformed(name) for name in names)]
        if not board.is_directed:
            images += [image.reversed() for image in images]
        if self.closed:
            first = board.squares[0]
            images = [image.rotated(image.step_of(*first)) for image in images]
        least = images[0]
        for image in images[1:]:
            if _is_before(image, least):
                least = image
        return self._of(self.board, least)

    def verify(self, progress: Progress | None = None) -> None:
        """Walk the whole tour and check every square and every move.

        Stored tours have been through this before they left the library; of a computed one the
        literals, the joins and the lengths have been checked. Takes 1 to 3 nanoseconds and one
        bit a square on the compiled engine, and can be interrupted.

        Args:
            progress: called with (squares checked, squares in all) now and then.

        Raises:
            KnightTourError: a fault, which would be a fault of this library.
            SearchLimitError: no memory for one bit a square.

        >>> from knighttour import tour
        >>> tour(board="200x300", closed=True).verify()
        """
        _check_memory(self._path.length // 8, "verify()", "less of the board")
        self._path.verify(progress)

    def animate(self, **options: Any) -> Page:
        """Return a self-contained HTML page that plays the tour; a notebook shows it inline.

        Args:
            options: ``lang``, ``title``, ``theme``, ``speed``, ``autoplay`` and the others of
                `knighttour.drawing.page.page`.

        Raises:
            InvalidInputError: an option that cannot be used, or more squares than ``max_events``.

        >>> from knighttour import tour
        >>> "马踏棋盘" in tour("a0").animate(lang="zh", autoplay=False)
        True
        """
        from .drawing.page import page

        return page(self, **options)

    def save(self, file: str | os.PathLike[str], progress: Progress | None = None) -> FilePath:
        """Write the tour to a file; the ending says in what form.

        Args:
            file: a path that ends in ``.txt`` (numbered grid), ``.csv`` (numbers, no header),
                ``.json``, ``.npy`` (the step grid as numpy reads it), ``.tour`` (TSPLIB), ``.svg``
                or ``.png`` (a picture), ``.gif``, ``.apng`` or ``.webp`` (an animation; pixels need
                ``pip install knighttour[image]``) or ``.html`` (see `animate`). Grids are written
                window by window, so that they may be larger than the memory.
            progress: called with (squares written, squares in all) now and then.

        Returns:
            The path written. An existing file is replaced only when all has been written.

        Raises:
            InvalidInputError: an ending that there is not, or a board too large to draw.
            ImportError: what draws pixels is not installed.
            OSError: the file cannot be written. After no error is anything left behind.
        """
        from .formats import write

        return write(self, file, progress)


def _is_before(first: Path, second: Path) -> bool:
    """Compare two paths of one length as sequences of squares; costs up to the first difference."""
    length = first.length
    mine, theirs = first.squares(0, length), second.squares(0, length)
    while block := list(islice(mine, 256)):
        other = list(islice(theirs, 256))
        if block != other:
            return block < other
    return False


def _check_memory(needed: int, what: str, instead: str) -> None:
    """Refuse what would not fit the memory, before it is tried."""
    if needed < _ALWAYS_FITS:
        return
    free = free_memory()
    if free is not None and needed > free:
        raise SearchLimitError(
            f"{what} would take {human_bytes(needed)}, and {human_bytes(free)} are free: "
            f"ask for {instead} instead"
        )


def _whole(what: str, value: object) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInputError(f"{what}={value!r} is not a whole number") from None
