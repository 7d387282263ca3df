"""A tour as a program: literal walks and "repeat this so often, shifted by that".

What: `Program` holds a knight's walk over a rectangle of any size in constant memory, answers
"which square is step k" and "which step is square (r, c)" without expanding anything, and expands
to direction codes, flat squares or a step grid at memory speed.
Method: the walk is a straight-line grammar. A `Lit` lists squares; a `Rep` is a list of elements
followed by copies of it, each moved by the same shift; neighbours are joined by a knight move. The
list is compiled once into two tables and a pool of direction codes:

    group   a list of runs, repeated `copies` times (usually once, or once per strip of the board)
    run     a literal, repeated `count` times (usually once, or once per cell of a strip)

so that step k is found by two bisections and two divisions, and every expansion is "write one
period, then copy it, adding the shift". The inverse is found through *affine families*: all copies
of one literal square lie on a lattice of rows and columns, with steps linear in both indices.
Source: section 5 of the design of the construction (blocks in the manner of Conrad, Hindrichs,
Morsy and Wegener, 1994).
Known answer: two 6 x 6 closed cells side by side are joined by exchanging one pair of parallel
moves; the chain of k cells is `Lit, Rep, Rep, Lit` whatever k is.
Cost: compiling is linear in the number of literal squares (about 1,000, whatever the board);
`square_at` and `step_of` take about a microsecond; the expansions far less than a nanosecond a
square (compiled).
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from operator import sub
from typing import Any, NamedTuple, TypeAlias

from ._engine import get_engine
from .board import KNIGHT_MOVES, MAX_SQUARES
from .errors import InvalidInputError, InvalidTourError, Square
from .limits import zeroed
from .workers import work_in_threads

__all__ = ["Element", "Lit", "Program", "Rep", "backwards", "shifted"]

_CODE_OF_MOVE = {move: code for code, move in enumerate(KNIGHT_MOVES)}

#: The seven symmetries: 2 x 2 matrices that act on (row, col); rotations are clockwise.
_SYMMETRIES: dict[str, tuple[int, int, int, int]] = {
    "rotate90": (0, 1, -1, 0),
    "rotate180": (-1, 0, 0, -1),
    "rotate270": (0, -1, 1, 0),
    "flip_rows": (-1, 0, 0, 1),
    "flip_cols": (1, 0, 0, -1),
    "transpose": (0, 1, 1, 0),
    "antitranspose": (0, -1, -1, 0),
}

_CHUNK = 1 << 18
_SQUARES_AT_ONCE = 1 << 12
# Squares in one piece of shared work (a few tenths of a millisecond), and the size from which
# threads are used unasked: with idle cores two of them nearly halve the time of any size, but on a
# busy machine a thread that waits for its turn costs some milliseconds, too much for a small board.
_PIECE = 1 << 20
_PARALLEL_FROM = 1 << 25
_MOST_THREADS = 8


@dataclass(frozen=True, slots=True)
class Lit:
    """A walk given square by square.

    Args:
        squares: the (row, col) pairs in order, 0-based; at least one.

    >>> Lit(((0, 0), (2, 1))).squares[-1]
    (2, 1)
    """

    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Rep:
    """A list of elements and its copies, each moved by `shift` from the one before.

    Args:
        elements: the first copy.
        count: how many copies there are, the first included; at least 1.
        shift: (rows, cols) from one copy to the next; along one axis, and inside another `Rep`
            along the other axis.

    >>> Rep((Lit(((0, 0), (2, 1))),), 3, (0, 2)).count
    3
    """

    elements: tuple[Element, ...]
    count: int
    shift: Square


Element: TypeAlias = "Lit | Rep"


class _Run(NamedTuple):
    """A literal and how often it is repeated: the inner loop of the compiled form."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    copies: int
    shift: Square


class _Group(NamedTuple):
    """A list of runs and how often it is repeated: the outer loop of the compiled form."""

    runs: list[_Run]
    copies: int
    shift: Square


class Program:
    """A knight's walk over a rows x cols board as a constant-size list of elements.

    Immutable, and safe to share between threads.

    Args:
        elements: `Lit` and `Rep` in the order of the walk; consecutive ones a knight move apart.
        rows: rows of the board, at least 1.
        cols: columns of the board, at least 1; rows x cols is below 2^63.
        complete: whether the walk must have exactly rows x cols squares. That no square comes
            twice is what `verify` checks.
        backend: "core", "pure", or None for the best one available.

    Raises:
        InvalidInputError: the board is too large, an element is empty, a square lies off the
            board, two neighbours are no knight move apart, or the length is wrong.

    Cost: linear in the number of literal squares, whatever the size of the board.

    >>> program = Program([Lit(((0, 0), (2, 1), (1, 3), (3, 2)))], 4, 4, complete=False)
    >>> len(program), program.square_at(2), program.step_of(1, 3)
    (4, (1, 3), 2)
    """

    __slots__ = (
        "_backend",
        "_closing_code",
        "_complete",
        "_expander",
        "_step_table",
        "_tables",
        "cols",
        "elements",
        "end",
        "length",
        "rows",
        "start",
    )

    elements: tuple[Element, ...]
    rows: int
    cols: int
    length: int
    start: Square
    end: Square

    def __init__(
        self,
        elements: Sequence[Element],
        rows: int,
        cols: int,
        *,
        complete: bool = True,
        backend: str | None = None,
    ) -> None:
        """Check the elements and compile them."""
        if rows < 1 or cols < 1:
            raise InvalidInputError(f"a board of {rows} x {cols} squares has no square")
        if rows * cols >= MAX_SQUARES:
            raise InvalidInputError(f"a board of {rows} x {cols} has 2^63 squares or more")
        groups = _grouped(elements)
        _check_on_board(groups, rows, cols)
        self.elements = tuple(elements)
        self.rows = rows
        self.cols = cols
        self.start = (groups[0].runs[0].rows[0], groups[0].runs[0].cols[0])
        self.end = _last_square(groups[-1])
        self._complete = complete
        self._backend = backend
        # One more code than the walk has moves keeps squares and codes in step; it is the
        # closing move where there is one, and is never handed out where there is none.
        self._closing_code = _CODE_OF_MOVE.get(
            (self.start[0] - self.end[0], self.start[1] - self.end[1])
        )
        self._tables = _compiled(groups, self._closing_code or 0)
        length = self._tables[3]
        if length >= MAX_SQUARES or (complete and length != rows * cols):
            raise InvalidInputError(
                f"the walk has {length} squares, the board {rows} x {cols} = {rows * cols}"
            )
        self.length = length
        self._expander = get_engine(backend).program.Expander(rows, cols, *self._tables)
        self._step_table: Any = None

    # -- What it is ---------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of squares of the walk."""
        return self.length

    def __repr__(self) -> str:
        """Return one short line."""
        return f"<Program {self.rows}x{self.cols}, {self.start} to {self.end}>"

    def __eq__(self, other: object) -> bool:
        """Tell whether two programs are written alike; the same walk can be written differently."""
        if not isinstance(other, Program):
            return NotImplemented
        mine, theirs = (self.rows, self.cols), (other.rows, other.cols)
        return mine == theirs and self.elements == other.elements

    def __hash__(self) -> int:
        """Agree with `==`."""
        return hash((self.rows, self.cols, self.elements))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the elements; the tables are made again."""
        return _rebuilt, (self.elements, self.rows, self.cols, self._complete, self._backend)

    @property
    def closed(self) -> bool:
        """Tell whether the end is a knight move from the start."""
        return self._closing_code is not None

    def square_at(self, step: int) -> Square:
        """Return the square of a step.

        Args:
            step: 0-based, below `len`.

        Raises:
            InvalidInputError: there is no such step.

        Cost: about a microsecond (compiled), whatever the size of the board.

        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).square_at(1)
        (2, 1)
        """
        if not 0 <= step < self.length:
            raise InvalidInputError(f"no step {step}: steps run from 0 to {self.length - 1}")
        square: Square = self._expander.square_at(step)
        return square

    def step_of(self, row: int, col: int) -> int:
        """Return the step (0-based) at which the walk visits a square.

        Args:
            row: 0-based, from the top.
            col: 0-based, from the left.

        Raises:
            InvalidInputError: the square lies off the board, or the walk does not visit it.

        Cost: about a microsecond (compiled), after one table of about a millisecond.

        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).step_of(2, 1)
        1
        """
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise InvalidInputError(
                f"no square ({row}, {col}) on a board of {self.rows} x {self.cols}: "
                f"rows run from 0 to {self.rows - 1}, columns from 0 to {self.cols - 1}"
            )
        step: int = self._steps().step_of(row, col)
        if step < 0:
            raise InvalidInputError(f"the walk does not visit ({row}, {col})")
        return step

    # -- Rewriting ----------------------------------------------------------------------------

    def reversed(self) -> Program:
        """Return the same walk from its end to its start.

        Cost: linear in the number of literal squares.

        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).reversed().start
        (2, 1)
        """
        return self._rewritten(backwards(self.elements), self.rows, self.cols)

    def rotated(self, step: int) -> Program:
        """Return the same closed tour, started at another of its squares.

        Args:
            step: the step (0-based) whose square becomes step 0.

        Raises:
            InvalidInputError: the walk is not closed, or there is no such step.

        Cost: linear in the number of literal squares; a cut adds at most one copy of the literals
        of the loop that it cuts.

        >>> cycle = Lit(((0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)))
        >>> Program([cycle], 3, 3, complete=False).rotated(3).start
        (0, 1)
        """
        if self._closing_code is None:
            raise InvalidInputError(
                f"only a closed tour can be rotated: {self.end} is no knight move from {self.start}"
            )
        if not 0 <= step < self.length:
            raise InvalidInputError(f"no step {step}: steps run from 0 to {self.length - 1}")
        before, after = _split(self.elements, step)
        return self._rewritten(after + before, self.rows, self.cols)

    def transformed(self, symmetry: str) -> Program:
        """Return the image of the walk under a symmetry of the rectangle.

        Args:
            symmetry: "rotate90", "rotate180", "rotate270" (clockwise), "flip_rows" (top to
                bottom), "flip_cols" (left to right), "transpose" or "antitranspose".

        Raises:
            InvalidInputError: there is no such symmetry.

        Cost: linear in the number of literal squares.

        >>> walk = Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False)
        >>> walk.transformed("rotate90").start, walk.transformed("rotate90").rows
        ((0, 2), 2)
        """
        matrix = _SYMMETRIES.get(symmetry)
        if matrix is None:
            raise InvalidInputError(
                f"no symmetry {symmetry!r}: choose one of {', '.join(_SYMMETRIES)}"
            )
        row_row, row_col, col_row, col_col = matrix
        swaps = row_row == 0
        rows, cols = (self.cols, self.rows) if swaps else (self.rows, self.cols)
        # A coordinate that runs backwards is counted from the far side.
        offset = (
            rows - 1 if row_row + row_col < 0 else 0,
            cols - 1 if col_row + col_col < 0 else 0,
        )
        return self._rewritten(_mapped(self.elements, matrix, offset), rows, cols)

    def _rewritten(self, elements: tuple[Element, ...], rows: int, cols: int) -> Program:
        return Program(elements, rows, cols, complete=self._complete, backend=self._backend)

    # -- Direction codes ----------------------------------------------------------------------

    def codes_into(self, buffer: Any, first: int = 0) -> None:
        """Write the direction codes of the moves first, first + 1, ... until the buffer is full.

        Move i leads from step i to step i + 1; in a closed tour the last one leads home.

        Args:
            buffer: writable, contiguous, of single bytes.
            first: the number of the first move, 0-based.

        Raises:
            InvalidInputError: the buffer is not of that kind, or longer than the walk.

        Cost: about 0.05 ns a move (compiled); no memory but the buffer. Can be interrupted.

        >>> codes = bytearray(1)
        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).codes_into(codes)
        >>> codes[0]
        3
        """
        view = _writable(buffer)
        if view.itemsize != 1:
            raise InvalidInputError("direction codes need a buffer of single bytes")
        self._check_window("moves", first, view.nbytes, self._move_count(self.closed))
        if view.nbytes:
            self._expander.codes_into(view.cast("B"), first)

    def iter_codes(self, chunk: int = _CHUNK, *, closing: bool = False) -> Iterator[bytes]:
        """Return an iterator over the direction codes in chunks of bytes.

        Args:
            chunk: codes in a chunk (the last may be shorter), at least 1.
            closing: whether the move from the end back to the start is included.

        Raises:
            InvalidInputError: `chunk` is below 1, or `closing` for a walk that is not closed.

        Cost: about 0.05 ns a move (compiled) and the memory of one chunk.

        >>> [len(codes) for codes in Program([Lit(((0, 0), (2, 1), (0, 2), (1, 0)))], 3, 3,
        ...     complete=False).iter_codes(2)]
        [2, 1]
        """
        if chunk < 1:
            raise InvalidInputError(f"a chunk of {chunk} codes holds nothing")
        count = self._move_count(closing)
        codes: Callable[[int, int], bytes] = self._expander.codes
        return (codes(first, min(chunk, count - first)) for first in range(0, count, chunk))

    def _move_count(self, closing: bool) -> int:
        if closing and not self.closed:
            raise InvalidInputError(
                f"no closing move: {self.end} is no knight move from {self.start}"
            )
        return self.length - 1 + closing

    # -- Squares and step grids ---------------------------------------------------------------

    def squares(self, first: int, count: int) -> Iterator[Square]:
        """Yield the squares of `count` steps from step `first` on, a few thousand at a time.

        >>> list(Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).squares(0, 2))
        [(0, 0), (2, 1)]
        """
        stop = first + count
        for begin in range(first, stop, _SQUARES_AT_ONCE):
            indices = array("q", bytes(8 * min(_SQUARES_AT_ONCE, stop - begin)))
            self.fill_order(indices, begin)
            for index in indices:
                yield divmod(index, self.cols)

    def order(self) -> memoryview:
        """Return all flat indices in a buffer of int32, or int64 where the board needs it.

        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).order().tolist()
        [0, 5]
        """
        narrow = self.rows * self.cols <= 1 << 31
        out = zeroed((4 if narrow else 8) * self.length).cast("i" if narrow else "q")
        self.fill_order(out)
        return out.toreadonly()

    def fill_order(self, out: Any, first: int = 0, *, threads: int | None = None) -> None:
        """Write the flat indices row x cols + col of the steps first, first + 1, ...

        Args:
            out: writable, C-contiguous, int32 or int64 (format i, l or q); its length says how
                many steps.
            first: the first step, 0-based.
            threads: how many threads share the work; None chooses.

        Raises:
            InvalidInputError: the buffer is not of that kind, too narrow for the board's indices,
                or longer than the walk.

        Cost: 0.1 to 0.4 ns a square (compiled), the GIL released. Can be interrupted.

        >>> squares = array("i", [0, 0])
        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).fill_order(squares)
        >>> squares.tolist()
        [0, 5]
        """
        view = _integers(out, self.rows * self.cols - 1, 0)
        count = view.nbytes // view.itemsize
        self._check_window("steps", first, count, self.length)
        write: Callable[[Any, int, int], None] = self._expander.order_into

        def piece(begin: int, part: Any, size: int) -> None:
            write(part, size, first + begin)

        _share(piece, view, count, threads)

    def fill_steps(
        self, out: Any, base: int = 1, first: int = 0, *, threads: int | None = None
    ) -> None:
        """Write the step numbers of the squares first, first + 1, ..., in row-major order.

        Squares that the walk does not visit keep what the buffer held.

        Args:
            out: writable, C-contiguous, int32 or int64 (format i, l or q); its length says how
                many squares: the whole grid, a window of rows, or part of a row.
            base: the number that the start gets.
            first: the flat index row x cols + col of the first square.
            threads: how many threads share the work; None chooses.

        Raises:
            InvalidInputError: the buffer is not of that kind, too narrow for the steps, or the
                window leaves the board.

        Cost: 0.1 to 0.6 ns a square (compiled), the GIL released. Can be interrupted.

        >>> grid = array("q", [0]) * 6
        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).fill_steps(grid)
        >>> grid.tolist()
        [1, 0, 0, 0, 0, 2]
        """
        view = _integers(out, base + self.length - 1, base)
        count = view.nbytes // view.itemsize
        self._check_window("squares", first, count, self.rows * self.cols)
        write: Callable[[Any, int, int, int], None] = self._steps().fill

        def piece(begin: int, part: Any, size: int) -> None:
            write(part, size, base, first + begin)

        _share(piece, view, count, threads)

    def _steps(self) -> Any:
        table = self._step_table
        if table is None:
            # Two threads may both build it; the tables are equal and the later one stays.
            groups, runs, pool, _ = self._tables
            table = get_engine(self._backend).program.Steps(
                self.rows, self.cols, groups, runs, pool
            )
            self._step_table = table
        return table

    @staticmethod
    def _check_window(what: str, first: int, count: int, limit: int) -> None:
        if first < 0 or first + count > limit:
            raise InvalidInputError(
                f"{count} {what} from {first} on: there are {limit}, numbered from 0"
            )

    # -- Verification -------------------------------------------------------------------------

    def verify(self, progress: Callable[[int, int], object] | None = None) -> None:
        """Walk the whole program and check every move and every square.

        The codes and the squares are expanded independently and compared move by move; a bitmap
        of the board sees to it that no square comes twice.

        Args:
            progress: called with (squares checked, squares in all) now and then.

        Raises:
            InvalidTourError: a move is illegal or leaves the board, a square comes twice, squares
                are missing, or the ends are not the ones announced.
            MemoryError: no room for the bitmap of rows x cols bits.

        Cost: 1 to 3 ns a square (compiled) and one bit a square. Can be interrupted.

        >>> Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False).verify()
        """
        length = self.length
        seen = zeroed((self.rows * self.cols + 7) // 8)
        for first in range(0, length, _PIECE):
            count = min(_PIECE, length - first)
            fault = self._expander.first_fault(seen, first, count)
            if fault >= 0:
                raise InvalidTourError(
                    f"step {fault}: the square {self.square_at(fault)} is off the board, no knight "
                    "move from the step before, or visited before"
                )
            if progress is not None:
                progress(first + count, length)
        if (self.square_at(0), self.square_at(length - 1)) != (self.start, self.end):
            raise InvalidTourError("the walk does not start and end where it says")


def _rebuilt(
    elements: tuple[Element, ...], rows: int, cols: int, complete: bool, backend: str | None
) -> Program:
    """Make a program again from its pickle."""
    return Program(elements, rows, cols, complete=complete, backend=backend)


# -- Compiling the element list into tables ---------------------------------------------------


def _runs(elements: Sequence[Element]) -> list[_Run]:
    """Return elements as literals with repeat counts; consecutive literals are merged."""
    runs: list[_Run] = []

    def append(rows: tuple[int, ...], cols: tuple[int, ...]) -> None:
        if runs and runs[-1].copies == 1:
            last = runs.pop()
            rows, cols = last.rows + rows, last.cols + cols
        runs.append(_Run(rows, cols, 1, (0, 0)))

    for element in elements:
        if isinstance(element, Lit):
            if not element.squares:
                raise InvalidInputError("a literal without squares")
            rows, cols = zip(*element.squares, strict=True)
            append(rows, cols)
            continue
        _check_loop(element)
        inner = _runs(element.elements)
        if element.count == 1:
            for run in inner:
                if run.copies == 1:
                    append(run.rows, run.cols)
                else:
                    runs.append(run)
        elif len(inner) == 1 and inner[0].copies == 1:
            runs.append(inner[0]._replace(copies=element.count, shift=element.shift))
        else:
            raise InvalidInputError("repeats are nested more than two deep")
    return runs


def _grouped(elements: Sequence[Element]) -> list[_Group]:
    """Return the element list as groups of runs: at most two loops around any literal."""
    groups: list[_Group] = []
    plain: list[Element] = []

    def flush() -> None:
        if plain:
            groups.append(_Group(_runs(plain), 1, (0, 0)))
            plain.clear()

    def add(element: Element) -> None:
        if isinstance(element, Lit) or _is_flat(element):
            plain.append(element)
            return
        _check_loop(element)
        if element.count == 1:
            for inner in element.elements:
                add(inner)
            return
        flush()
        runs = _runs(element.elements)
        for run in runs:
            if run.copies > 1 and (run.shift[0] == 0) == (element.shift[0] == 0):
                raise InvalidInputError(
                    f"a repeat shifted by {run.shift} inside one shifted by {element.shift}: "
                    "they must run along different axes"
                )
        groups.append(_Group(runs, element.count, element.shift))

    for element in elements:
        add(element)
    flush()
    if not groups:
        raise InvalidInputError("a program without squares")
    return groups


def _is_flat(element: Rep) -> bool:
    """Tell whether a repeat contains literals only."""
    return all(isinstance(inner, Lit) for inner in element.elements)


def _check_loop(element: Rep) -> None:
    if element.count < 1 or not element.elements:
        raise InvalidInputError(
            f"a repeat of {len(element.elements)} elements {element.count} times"
        )
    if element.count > 1 and (element.shift[0] == 0) == (element.shift[1] == 0):
        raise InvalidInputError(f"a repeat shifted by {element.shift}: not along one axis")


def _check_on_board(groups: list[_Group], rows: int, cols: int) -> None:
    """Raise unless every copy of every square is on the board: the extreme copies suffice."""
    for group in groups:
        for run in group.runs:
            for coordinates, axis, size in ((run.rows, 0, rows), (run.cols, 1, cols)):
                inner = run.shift[axis] * (run.copies - 1)
                outer = group.shift[axis] * (group.copies - 1)
                low = min(coordinates) + min(inner, 0) + min(outer, 0)
                high = max(coordinates) + max(inner, 0) + max(outer, 0)
                if low < 0 or high >= size:
                    raise InvalidInputError(
                        f"{'row' if axis == 0 else 'column'} {low if low < 0 else high} is not on "
                        f"a board of {rows} x {cols}"
                    )


def _code(source: Square, target: Square) -> int:
    """Return the direction code of a move."""
    code = _CODE_OF_MOVE.get((target[0] - source[0], target[1] - source[1]))
    if code is None:
        raise InvalidInputError(f"from {source} to {target} is no knight move")
    return code


def _last_of_run(run: _Run) -> Square:
    return (
        run.rows[-1] + run.shift[0] * (run.copies - 1),
        run.cols[-1] + run.shift[1] * (run.copies - 1),
    )


def _last_square(group: _Group) -> Square:
    row, col = _last_of_run(group.runs[-1])
    return (
        row + group.shift[0] * (group.copies - 1),
        col + group.shift[1] * (group.copies - 1),
    )


def _compiled(groups: list[_Group], closing_code: int) -> tuple[bytes, bytes, bytes, int]:
    """Return the tables of groups, of runs, the pool of codes, and the number of squares.

    A group is ten int64: first run, number of runs, copies, squares in a copy, step of its first
    square, row, col, shift in rows, shift in cols, code of the move after its last square. A run
    is ten int64 too: offset in the pool, squares in a copy, copies, step within a copy of its
    group, row, col, shift in rows, shift in cols, code of the move after its last square, 0.
    In the pool the last code of a run that repeats leads to its next copy.
    """
    group_table = array("q")
    run_table = array("q")
    pool: list[bytes] = []
    offset = step = run_number = 0
    for number, group in enumerate(groups):
        first = group.runs[0]
        period = 0
        row, col = first.rows[0], first.cols[0]
        for position, run in enumerate(group.runs):
            length = len(run.rows)
            source = _last_of_run(run)
            if position + 1 < len(group.runs):
                following = group.runs[position + 1]
                run_exit = _code(source, (following.rows[0], following.cols[0]))
            elif group.copies > 1:
                run_exit = _code(source, (row + group.shift[0], col + group.shift[1]))
            else:
                run_exit = 0  # the last run of a single group: set below, from the group's exit
            codes = _literal_codes(run)
            if run.copies > 1:
                link = _code(
                    (run.rows[-1], run.cols[-1]),
                    (run.rows[0] + run.shift[0], run.cols[0] + run.shift[1]),
                )
            else:
                link = run_exit
            pool.append(codes)
            pool.append(bytes((link,)))
            run_table.extend(
                (offset, length, run.copies, period, run.rows[0], run.cols[0], *run.shift)
            )
            run_table.extend((run_exit, 0))
            offset += length
            period += length * run.copies
        if number + 1 < len(groups):
            following = groups[number + 1].runs[0]
            group_exit = _code(_last_square(group), (following.rows[0], following.cols[0]))
        else:
            group_exit = closing_code
        group_table.extend(
            (run_number, len(group.runs), group.copies, period, step, row, col, *group.shift)
        )
        group_table.append(group_exit)
        run_number += len(group.runs)
        step += period * group.copies
    return group_table.tobytes(), run_table.tobytes(), b"".join(pool), step


def _literal_codes(run: _Run) -> bytes:
    """Return the codes between the squares of one literal."""
    rows, cols = run.rows, run.cols
    moves = zip(map(sub, rows[1:], rows), map(sub, cols[1:], cols), strict=True)
    try:
        return bytes(map(_CODE_OF_MOVE.__getitem__, moves))
    except KeyError:
        for source, target in pairwise(zip(rows, cols, strict=True)):
            _code(source, target)
        raise


# -- Rewriting element lists ------------------------------------------------------------------


def shifted(elements: Sequence[Element], shift: Square) -> tuple[Element, ...]:
    """Return the same walk elsewhere: every square moved by (rows, cols)."""
    down, right = shift
    if not down and not right:
        return tuple(elements)
    return tuple(
        Lit(tuple([(row + down, col + right) for row, col in element.squares]))
        if isinstance(element, Lit)
        else Rep(shifted(element.elements, shift), element.count, element.shift)
        for element in elements
    )


def backwards(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the walk from its end to its start: a repeat starts at what was its last copy."""
    turned: list[Element] = []
    for element in reversed(elements):
        if isinstance(element, Lit):
            turned.append(Lit(element.squares[::-1]))
        else:
            down, right = element.shift
            last = element.count - 1
            copy = shifted(backwards(element.elements), (last * down, last * right))
            turned.append(Rep(copy, element.count, (-down, -right)))
    return tuple(turned)


def _mapped(
    elements: tuple[Element, ...], matrix: tuple[int, int, int, int], offset: Square
) -> tuple[Element, ...]:
    """Return elements under an affine map: the matrix turns squares and shifts alike."""
    row_row, row_col, col_row, col_col = matrix
    drow, dcol = offset
    mapped: list[Element] = []
    for element in elements:
        if isinstance(element, Lit):
            mapped.append(
                Lit(
                    tuple(
                        [
                            (row_row * r + row_col * c + drow, col_row * r + col_col * c + dcol)
                            for r, c in element.squares
                        ]
                    )
                )
            )
        else:
            r, c = element.shift
            mapped.append(
                Rep(
                    _mapped(element.elements, matrix, offset),
                    element.count,
                    (row_row * r + row_col * c, col_row * r + col_col * c),
                )
            )
    return tuple(mapped)


def _length(elements: Sequence[Element]) -> int:
    """Return the number of squares."""
    return sum(
        len(element.squares)
        if isinstance(element, Lit)
        else element.count * _length(element.elements)
        for element in elements
    )


def _repeated(elements: tuple[Element, ...], count: int, shift: Square) -> tuple[Element, ...]:
    """Return a repeat as elements: nothing, the elements themselves, or a `Rep`."""
    if count < 2:
        return elements if count else ()
    return (Rep(elements, count, shift),)


def _split(
    elements: tuple[Element, ...], step: int
) -> tuple[tuple[Element, ...], tuple[Element, ...]]:
    """Return the elements of the first `step` squares and those of the rest."""
    starts = [0, *accumulate(_length((element,)) for element in elements)]
    if step == starts[-1]:
        return elements, ()
    position = bisect_right(starts, step) - 1
    element = elements[position]
    step -= starts[position]
    left: tuple[Element, ...]
    right: tuple[Element, ...]
    if step == 0:
        left, right = (), (element,)
    elif isinstance(element, Lit):
        left, right = (Lit(element.squares[:step]),), (Lit(element.squares[step:]),)
    else:
        drow, dcol = element.shift
        copies, within = divmod(step, _length(element.elements))
        cut = shifted(element.elements, (copies * drow, copies * dcol))
        head, tail = _split(cut, within)
        left = _repeated(element.elements, copies, element.shift) + head
        rest = element.count - copies - 1
        right = tail + _repeated(shifted(cut, element.shift), rest, element.shift)
    return elements[:position] + left, right + elements[position + 1 :]


# -- Buffers and shared work ------------------------------------------------------------------


def _writable(buffer: Any) -> memoryview[Any]:
    """Return a view of a writable C-contiguous buffer."""
    try:
        view = memoryview(buffer)
    except TypeError:
        raise InvalidInputError(f"{type(buffer).__name__} is no buffer") from None
    if view.readonly or not view.c_contiguous:
        raise InvalidInputError("the buffer must be writable and C-contiguous")
    return view


def _integers(buffer: Any, largest: int, smallest: int) -> memoryview[Any]:
    """Return a view of a writable int32 or int64 buffer that can hold the given numbers."""
    view = _writable(buffer)
    if view.format not in ("i", "l", "q") or view.itemsize not in (4, 8):
        raise InvalidInputError(
            f"the buffer must hold int32 or int64 in native order, not format {view.format!r}"
        )
    bound = 1 << (8 * view.itemsize - 1)
    if largest >= bound or smallest < -bound:
        raise InvalidInputError(
            f"numbers from {smallest} to {largest} do not fit into int{8 * view.itemsize}"
        )
    return view


def _share(
    task: Callable[[int, Any, int], None], view: memoryview[Any], count: int, threads: int | None
) -> None:
    """Call task(begin, part of the buffer, itemsize) on pieces of the buffer, in threads.

    The calling thread works too, so that Ctrl-C is seen at once; it then lets the others finish
    the piece that they are at.
    """
    if count == 0:
        return
    size = view.itemsize
    raw = view.cast("B")
    if threads is None:
        threads = min(os.cpu_count() or 1, _MOST_THREADS) if count >= _PARALLEL_FROM else 1
    if threads < 2 or count < 2 * _PIECE:
        task(0, raw, size)
        return
    pieces = (
        partial(task, begin, raw[begin * size : (begin + _PIECE) * size], size)
        for begin in range(0, count, _PIECE)
    )
    work_in_threads(pieces, threads)
