"""Knight's tours of any rectangle: any start, any end, open or closed, of any size, by blocks.

What it does.  `construct` plans a tour as a short list of path elements, literals and "repeat k
times, shifted by d", whose length does not depend on the size of the board; `plan` does it for two
given ends and `choose_end` lists the ends to try when none is given.  A closed tour is an open one
whose end is a knight's move from its start, so there is one problem only: a path from s to t.

Method (this project's; the joins are Parberry's, An efficient algorithm for the knight's tour
problem, Discrete Applied Mathematics 73 (1997) 251-260; residues absorbed as in Conrad, Hindrichs,
Morsy and Wegener, Discrete Applied Mathematics 50 (1994) 125-134):
  * cores, the cells of up to 11x11 or a few columns more that hold s and t, get a path from the
    engine's search; "through" cells repeat one path between them;
  * everything else is cut into cells with a closed tour and chains of such cells.  A cell is hung
    on a path: where the path goes a-b and the cell has an edge c-d with a-c and b-d knight moves,
    the path becomes a-c ... d-b.  A chain of k cells hangs each on the one before by the same edge,
    so it is two repetitions, one going out along the first part of each cell, one coming back;
  * 6 rows and more: one core takes both residues modulo 6, rows and columns; the other cells are
    6 high or 6 wide, whole strips of 6 rows hang above and below;
  * 3 and 5 rows: the same with one row of cells; on 3 rows a cell is no closed tour but a path
    between two squares of its border that replaces the move a-b of the path beside it;
  * 4 rows: outer squares lead only to inner ones, so a tour covers one half of the board, makes the
    only move from an inner square to an inner one, and covers the other half; each half is a band.

Known answer: every pair of ends that `existence.why_not` allows has a tour. A join depends only on
the cells around it, so there are finitely many contexts of a core; the tests enumerate them.

Cost.  O(1): about half a millisecond with the compiled search, whatever the board, even
10^9 x 10^9; some 100 elements of some 2,000 squares at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from .errors import Square
from .existence import first_start, why_not
from .program import Element, Lit, Rep, backwards, shifted

__all__ = ["Element", "Engine", "Solve", "Square", "choose_end", "construct", "plan"]

Path = list[Element]

Solve = Callable[[int, int, int, int, bytes, int, int, int], tuple[int, bytes, int]]
"""The engine's search: (rows, cols, start, end, allowed, seed, first_limit, total_limit)."""

NO_PATH: Final = 0
FOUND: Final = 1

MOVES: Final = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
NEIGHBOURING: Final = frozenset(MOVES)

UNIT: Final = 6
"""Rows of a strip, and the width of a cell of four rows or more."""

ATTEMPTS: Final = 8
"""Core paths tried before a context is given up; more in the safety net."""

VARIANTS: Final = 8
"""Sets of closed tours of cells that the safety net tries."""

TINY: Final = 30
"""Squares of a board that the search decides in one attempt without a limit (3,936 nodes)."""

CYCLES: Final = 16
"""Closed tours of a cell tried until one can be hung on itself."""

STRAND_SEEDS: Final = 8
"""Paths tried for each shape of a cell of three rows."""

NEAR: Final = 12
"""How far from a start its end is looked for."""

MASK: Final = (1 << 64) - 1


class Engine(Protocol):
    """What the planner needs of an engine: `_construction` and its twin have it."""

    def solve(
        self,
        rows: int,
        cols: int,
        start: int,
        end: int,
        allowed: bytes,
        seed: int,
        first_limit: int,
        total_limit: int,
        /,
    ) -> tuple[int, bytes, int]:
        """Find a path over a small board: (status, flat indices, nodes)."""
        ...


class Cell(NamedTuple):
    """A small rectangle of the board: its first square, its height and its width."""

    row: int
    col: int
    rows: int
    cols: int


class Chain(NamedTuple):
    """Equal cells, each shifted from the one before, hung one on the other.

    `arms` are chains hung on every cell, which make a strip of it; `final` is what hangs on the
    last one, a cell of another size.
    """

    cell: Cell
    copies: int
    shift: Square
    arms: tuple[Chain, ...] = ()
    final: tuple[Chain, ...] = ()


class Stage(NamedTuple):
    """A cell that the path crosses on its way from start to end, with what hangs on it.

    A through stage stands for several copies crossed one after the other; others have `copies` 0.
    """

    cell: Cell
    chains: tuple[Chain, ...]
    copies: int = 0
    shift: Square = (0, 0)


class Rule(NamedTuple):
    """How a band is cut into cells along its length."""

    unit: int
    """Width of the cells of an arm."""
    finals: Mapping[int, int]
    """Width of an arm's last cell by the residue of its length modulo `unit`."""
    through: tuple[int, ...]
    """Widths of a through cell."""
    narrowest: int
    widest: int
    preferred: int
    """Widths of a core."""


SIX: Final = Rule(UNIT, MappingProxyType({0: 0, 1: 7, 2: 8, 3: 9, 4: 10, 5: 11}), (6,), 6, 11, 6)
"""A band of a board with six rows or more: one core takes the residue, so any arm will do."""

NARROW: Final[Mapping[int, Rule]] = MappingProxyType(
    {
        3: Rule(8, MappingProxyType({0: 0, 2: 10, 4: 4, 6: 14}), (4, 8), 4, 18, 14),
        4: Rule(UNIT, MappingProxyType({0: 0}), (6,), 7, 12, 9),
        5: Rule(UNIT, MappingProxyType({0: 0, 2: 8, 4: 10}), (6,), 5, 12, 9),
    }
)
"""The bands of three, four and five rows; with four rows, of each half of the board."""


# --- Where the board lies -------------------------------------------------------------------------


class Frame(NamedTuple):
    """Where the planner's board lies on the user's: flipped first, then transposed."""

    rows: int
    cols: int
    flip_rows: bool
    flip_cols: bool
    transpose: bool

    def inward(self, square: Square) -> Square:
        """A square of the user's board on the planner's."""
        row, col = (square[1], square[0]) if self.transpose else square
        return (
            self.rows - 1 - row if self.flip_rows else row,
            self.cols - 1 - col if self.flip_cols else col,
        )

    def outward(self, elements: Sequence[Element]) -> Path:
        """A path of the planner's board on the user's; literals that meet become one."""
        path: Path = []
        down, first_row = (-1, self.rows - 1) if self.flip_rows else (1, 0)
        right, first_col = (-1, self.cols - 1) if self.flip_cols else (1, 0)
        for element in elements:
            if isinstance(element, Rep):
                shift = (down * element.shift[0], right * element.shift[1])
                if self.transpose:
                    shift = (shift[1], shift[0])
                path.append(Rep(tuple(self.outward(element.elements)), element.count, shift))
                continue
            squares: Sequence[Square] = element.squares
            if self.transpose:
                squares = [(first_col + right * c, first_row + down * r) for r, c in squares]
            elif self.flip_rows or self.flip_cols:
                squares = [(first_row + down * r, first_col + right * c) for r, c in squares]
            last = path[-1] if path else None
            if isinstance(last, Lit):
                path[-1] = Lit((*last.squares, *squares))
            else:
                path.append(Lit(tuple(squares)))
        return path


# --- Chains: what hangs on a cell ----------------------------------------------------------------


def _row_arms(
    rule: Rule, cell: Cell, cols: int, *, left: bool = True, right: bool = True
) -> tuple[Chain, ...]:
    """The chains that fill the band of `cell` to its left and to its right, up to `cols`."""
    arms: list[Chain] = []
    border = cell.col + cell.cols
    for is_wanted, length, side in ((left, cell.col, -1), (right, cols - border, 1)):
        if not is_wanted:
            continue
        width = rule.finals[length % rule.unit]
        copies = (length - width) // rule.unit
        final: tuple[Chain, ...] = ()
        if width:
            last = Cell(cell.row, 0 if side < 0 else cols - width, cell.rows, width)
            final = (Chain(last, 1, (0, 0)),)
        if copies:
            first_col = cell.col - rule.unit if side < 0 else border
            first = Cell(cell.row, first_col, cell.rows, rule.unit)
            arms.append(Chain(first, copies, (0, side * rule.unit), (), final))
        else:
            arms.extend(final)
    return tuple(arms)


def _col_arms(
    cell: Cell, rows: int, cols: int, *, up: bool = True, down: bool = True
) -> tuple[Chain, ...]:
    """The chains of strips, of six rows and the full width, above and below `cell`."""
    arms = []
    if up and cell.row:
        first = Cell(cell.row - UNIT, cell.col, UNIT, cell.cols)
        strip = _row_arms(SIX, first, cols)
        arms.append(Chain(first, cell.row // UNIT, (-UNIT, 0), strip))
    below = rows - cell.row - cell.rows
    if down and below:
        first = Cell(cell.row + cell.rows, cell.col, UNIT, cell.cols)
        strip = _row_arms(SIX, first, cols)
        arms.append(Chain(first, below // UNIT, (UNIT, 0), strip))
    return tuple(arms)


def _stages_of_big_board(rows: int, cols: int, start: Square, end: Square) -> list[Stage]:
    """Cut a board of six rows and columns or more; `end` lies below and right of `start`.

    The core takes both residues: it is 6 to 11 squares high and wide and begins at multiples of 6,
    so every other cell is 6 squares high or wide and has an even area.
    """
    height, width = UNIT + rows % UNIT, UNIT + cols % UNIT
    core = Cell(
        UNIT * min(start[0] // UNIT, rows // UNIT - 1),
        UNIT * min(start[1] // UNIT, cols // UNIT - 1),
        height,
        width,
    )
    below, beside = core.row + height, core.col + width
    down_copies, right_copies = (end[0] - below) // UNIT, (end[1] - beside) // UNIT
    if end[0] < below and end[1] < beside:
        arms = _row_arms(SIX, core, cols) + _col_arms(core, rows, cols)
        return [Stage(core, arms)]

    if end[0] < below:
        last = Cell(core.row, beside + UNIT * right_copies, height, UNIT)
        arms = _row_arms(SIX, core, cols, right=False) + _col_arms(core, rows, cols)
        return [
            Stage(core, arms),
            Stage(Cell(core.row, beside, height, UNIT), (), right_copies, (0, UNIT)),
            Stage(last, _row_arms(SIX, last, cols, left=False)),
        ]

    # The end lies below the band of the core: cross that band, turn, go down to the end's strip.
    up = _col_arms(core, rows, cols, down=False)
    if end[1] < beside:
        stages = [Stage(core, _row_arms(SIX, core, cols) + up)]
        turn = core
    else:
        turn = Cell(core.row, beside + UNIT * right_copies, height, UNIT)
        stages = [
            Stage(core, _row_arms(SIX, core, cols, right=False) + up),
            Stage(Cell(core.row, beside, height, UNIT), (), right_copies, (0, UNIT)),
            Stage(turn, _row_arms(SIX, turn, cols, left=False)),
        ]
    through = Cell(below, turn.col, UNIT, turn.cols)
    last = Cell(below + UNIT * down_copies, turn.col, UNIT, turn.cols)
    arms = _row_arms(SIX, last, cols) + _col_arms(last, rows, cols, up=False)
    stages.append(Stage(through, _row_arms(SIX, through, cols), down_copies, (UNIT, 0)))
    stages.append(Stage(last, arms))
    return stages


def _layouts_of_band(
    rule: Rule, rows: int, cols: int, start: int, end: int
) -> Iterator[list[Stage]]:
    """Cut a band in every admissible way, the best first; columns `start` <= `end`.

    One core for both ends and an arm on either side; or a core for each, an arm outside of each and
    through cells between.  Best: cores of the preferred width, which the search solves at once.
    """
    if cols <= rule.widest:
        yield [Stage(Cell(0, 0, rows, cols), ())]

    def is_arm(length: int) -> bool:
        width = rule.finals.get(length % rule.unit)
        return width is not None and length >= width

    def distance(width: int) -> int:
        return abs(width - rule.preferred)

    widths = sorted(range(rule.narrowest, rule.widest + 1), key=distance)
    for width in widths:
        for left in range(min(start, cols - width), max(end - width, -1), -1):
            if is_arm(left) and is_arm(cols - left - width):
                core = Cell(0, left, rows, width)
                yield [Stage(core, _row_arms(rule, core, cols))]

    pairs = sorted(product(widths, widths), key=lambda pair: distance(pair[0]) + distance(pair[1]))
    for first_width, last_width in pairs:
        for left in range(start, max(start - first_width, -1), -1):
            beside = left + first_width
            if not is_arm(left):
                continue
            for right in range(max(end - last_width + 1, beside), min(end, cols - last_width) + 1):
                if not is_arm(cols - right - last_width):
                    continue
                for through in rule.through:
                    if (right - beside) % through:
                        continue
                    first = Cell(0, left, rows, first_width)
                    last = Cell(0, right, rows, last_width)
                    middle = Cell(0, beside, rows, through)
                    copies = (right - beside) // through
                    yield [
                        Stage(first, _row_arms(rule, first, cols, right=False)),
                        Stage(middle, (), copies, (0, through)),
                        Stage(last, _row_arms(rule, last, cols, left=False)),
                    ]
                    if copies == 0:
                        break


# --- The planner ---------------------------------------------------------------------------------


class Planner:
    """One query: it counts the nodes of its searches and remembers the cells that it has used.

    `half` is the colour of the outer squares when the board is half of four rows, else None.
    `variant` chooses other closed tours for the cells, 0 when all goes well.
    Not to be shared between threads; a query makes its own.
    """

    def __init__(self, solve: Solve, seed: int) -> None:
        self.nodes = 0
        self.half: int | None = None
        self.variant = 0
        self.total_limit = -1
        self._solve = solve
        # Seed 0 leaves the search's own seeds 1, 2, 3, ...; another one sends them far away.
        self._salt = seed * 0x9E3779B97F4A7C15 & MASK
        self._cycles: dict[tuple[int, int, int], tuple[list[Square], dict[Square, int]]] = {}
        self._strands: dict[tuple[int, int, int], list[Square]] = {}

    # Searches on one cell.

    def _search(self, cell: Cell, start: Square, end: Square, attempt: int) -> tuple[int, bytes]:
        """The engine's search on one cell, between two squares relative to it."""
        rows, cols = cell.rows, cell.cols
        allowed = b"" if self.half is None else _half_of(cols, (self.half + cell.col) & 1)
        is_tiny = rows * cols <= TINY
        status, path, nodes = self._solve(
            rows,
            cols,
            start[0] * cols + start[1],
            end[0] * cols + end[1],
            allowed,
            self._salt ^ attempt,
            -1 if is_tiny else 20 * rows * cols,
            -1 if is_tiny else self.total_limit,
        )
        self.nodes += nodes
        return status, path

    def search(self, rows: int, cols: int, start: int, end: int) -> bool:
        """The search of a tiny board that `existence` asks for."""
        status, _, nodes = self._solve(rows, cols, start, end, b"", self._salt ^ 1, -1, -1)
        self.nodes += nodes
        return status == FOUND

    def _may_join(self, cell: Cell, start: Square, end: Square) -> bool:
        """Whether a path of the cell between two squares relative to it is worth a search."""
        rows, cols = cell.rows, cell.cols
        if self.half is not None:
            # One end of a path over half of four rows is outer, the other inner.
            allowed = _half_of(cols, (self.half + cell.col) & 1)
            both = allowed[start[0] * cols + start[1]] and allowed[end[0] * cols + end[1]]
            return bool(both) and (start[0] in (0, 3)) != (end[0] in (0, 3))
        first, last = (start[0] + start[1]) & 1, (end[0] + end[1]) & 1
        if start == end or (first or last if rows * cols & 1 else first == last):
            return False
        return rows >= UNIT or why_not(rows, cols, start, end, search=_unknown) is None

    def _route(
        self, cell: Cell, start: Square, end: Square, chains: Sequence[Chain]
    ) -> Path | None:
        """A path over the cell, between two squares of the board, with the chains hung on it."""
        first = (start[0] - cell.row, start[1] - cell.col)
        last = (end[0] - cell.row, end[1] - cell.col)
        if not self._may_join(cell, first, last):
            return None
        squares = [
            (row, col)
            for row in range(cell.row, cell.row + cell.rows)
            for col in range(cell.col, cell.col + cell.cols)
        ]
        tried = set()
        for attempt in range(1, 2 if not chains else ATTEMPTS * (self.variant + 1) + 1):
            status, found = self._search(cell, first, last, attempt)
            if status != FOUND:
                return None
            if found in tried:
                continue
            tried.add(found)
            path = self._hang_all([Lit(tuple([squares[index] for index in found]))], chains)
            if path:
                return path
        return None

    # Joins.

    def _hang_all(self, path: Path, chains: Sequence[Chain]) -> Path | None:
        """Hang the chains on a path one after the other, or None if one of them fails."""
        for chain in chains:
            hung = self._hang(path, chain)
            if hung is None:
                return None
            path = hung
        return path

    def _hang(self, path: Path, chain: Chain) -> Path | None:
        """Hang a chain on a path: the first edge that works, or None.

        An edge is two squares that follow each other in one literal at the top of the path, so a
        later join never breaks one inside a repetition.
        """
        cell = chain.cell
        top, bottom = cell.row - 2, cell.row + cell.rows + 1
        left, right = cell.col - 2, cell.col + cell.cols + 1
        for position, element in enumerate(path):
            if not isinstance(element, Lit):
                continue
            squares = element.squares
            was_near = False
            for index, (row, col) in enumerate(squares):
                is_near = top <= row <= bottom and left <= col <= right
                if is_near and was_near:
                    one, other = squares[index - 1], squares[index]
                    for strand in self._detours(cell, one, other):
                        hung = self._hung(chain, strand)
                        if hung is not None:
                            return [
                                *path[:position],
                                Lit(squares[:index]),
                                *hung,
                                Lit(squares[index:]),
                                *path[position + 1 :],
                            ]
                was_near = is_near
        return None

    def _hung(self, chain: Chain, strand: list[Square]) -> Path | None:
        """A whole chain as a detour whose first cell is crossed by `strand`; None if it fails."""
        copies, (down, right) = chain.copies, chain.shift
        if copies == 1:
            return self._hang_all([Lit(tuple(strand))], chain.arms + chain.final)

        # The edge on which the next cell hangs is the image of the one on which this cell hangs.
        (row, col), (last_row, last_col) = strand[0], strand[-1]
        row, col, last_row, last_col = row + down, col + right, last_row + down, last_col + right
        for index in range(len(strand) - 1):
            one, other = strand[index], strand[index + 1]
            if (row - one[0], col - one[1]) not in NEIGHBOURING:
                continue
            if (last_row - other[0], last_col - other[1]) not in NEIGHBOURING:
                continue
            halves = self._hang_on_either(strand[: index + 1], strand[index + 1 :], chain.arms)
            if halves is None:
                continue
            out, back = halves
            last = shifted(_joined(out, back), ((copies - 1) * down, (copies - 1) * right))
            ended = self._hang_all(list(last), chain.final)
            if ended is None:
                continue
            return [
                *_repeated(out, copies - 1, chain.shift),
                *ended,
                *_repeated(
                    list(shifted(back, ((copies - 2) * down, (copies - 2) * right))),
                    copies - 1,
                    (-down, -right),
                ),
            ]
        return None

    def _hang_on_either(
        self, first: list[Square], last: list[Square], arms: Sequence[Chain]
    ) -> tuple[Path, Path] | None:
        """The two parts of a cell with every arm hung on one of them, never across the cut."""
        out: Path = [Lit(tuple(first))]
        back: Path = [Lit(tuple(last))]
        for arm in arms:
            hung = self._hang(out, arm)
            if hung is not None:
                out = hung
                continue
            hung = self._hang(back, arm)
            if hung is None:
                return None
            back = hung
        return out, back

    def _detours(self, cell: Cell, one: Square, other: Square) -> Iterator[list[Square]]:
        """Paths over a cell from a neighbour of `one` to a neighbour of `other`."""
        if cell.rows == 3:
            yield from self._three_row_detours(cell, one, other)
            return
        cycle, place = self._cycle(cell)
        length = len(cycle)
        row, col = one[0] - cell.row, one[1] - cell.col
        far_row, far_col = other[0] - cell.row, other[1] - cell.col
        for down, right in MOVES:
            first = place.get((row + down, col + right))
            if first is None:
                continue
            for step in (1, -1):
                last = cycle[(first - step) % length]
                if (last[0] - far_row, last[1] - far_col) in NEIGHBOURING:
                    turned = cycle[first:] + cycle[:first]
                    if step == -1:
                        turned = [turned[0], *turned[:0:-1]]
                    yield [(cell.row + r, cell.col + c) for r, c in turned]

    def _cycle(self, cell: Cell) -> tuple[list[Square], dict[Square, int]]:
        """A closed tour of a cell, relative to it, and the place of every square in it."""
        rows, cols = cell.rows, cell.cols
        shape = (rows, cols, 0 if self.half is None else (self.half + cell.col) & 1)
        known = self._cycles.get(shape)
        if known is not None:
            return known
        corner = (3, 0) if shape[2] else (0, 0)
        neighbours = ((1, 1),) if shape[2] else ((2, 1), (1, 2))
        cycle: list[Square] = []
        place: dict[Square, int] = {}
        for attempt, neighbour in product(range(1, CYCLES + 1), neighbours):
            _, path = self._search(cell, corner, neighbour, CYCLES * self.variant + attempt)
            if path:
                cycle = [divmod(index, cols) for index in path]
                place = {square: index for index, square in enumerate(cycle)}
                is_wide = cols != UNIT or _hangs_on_itself(cycle, place, (0, UNIT))
                is_high = rows != UNIT or _hangs_on_itself(cycle, place, (UNIT, 0))
                if is_wide and is_high:
                    break
        self._cycles[shape] = cycle, place
        return cycle, place

    def _three_row_detours(self, cell: Cell, one: Square, other: Square) -> Iterator[list[Square]]:
        """The detours of three rows: from the middle of the cell's border to a square near it.

        No closed tour of three rows has an edge on which another can be hung across a straight
        border; but (1, 0) and (0, 0), or (1, 1), of the cell are next to (0, -2) and (2, -1), two
        squares that follow each other in a path over the cell before.
        """
        cols = cell.cols
        is_left = one[1] >= cell.col + cols
        for target in ((0, 0), (1, 1)):
            for is_flipped in (False, True):

                def image(square: Square, is_flipped: bool = is_flipped) -> Square:
                    row, col = square
                    return (
                        cell.row + (2 - row if is_flipped else row),
                        cell.col + (cols - 1 - col if is_left else col),
                    )

                first, last = image((1, 0)), image(target)
                is_forward = _is_move(one, first) and _is_move(other, last)
                is_backward = _is_move(one, last) and _is_move(other, first)
                if not is_forward and not is_backward:
                    continue
                for attempt in range(1, STRAND_SEEDS + 1):
                    strand = self._strand(cols, target, attempt)
                    if not strand:
                        break
                    if is_forward:
                        yield [image(square) for square in strand]
                    if is_backward:
                        yield [image(square) for square in reversed(strand)]

    def _strand(self, cols: int, target: Square, attempt: int) -> list[Square]:
        """A path over three rows from (1, 0) to `target`; empty if there is none."""
        shape = (cols, target[0], attempt)
        if shape not in self._strands:
            _, path = self._search(
                Cell(0, 0, 3, cols), (1, 0), target, attempt + STRAND_SEEDS * self.variant
            )
            self._strands[shape] = [divmod(index, cols) for index in path]
        return self._strands[shape]

    # The way from start to end.

    def _cross(self, stages: Sequence[Stage], start: Square, end: Square) -> Path | None:
        """Cross the stages one after the other, from `start` to `end`."""
        stages = [stage for stage in stages if stage.copies or stage.shift == (0, 0)]
        return self._cross_from(stages, 0, start, end, set())

    def _cross_from(
        self,
        stages: Sequence[Stage],
        index: int,
        entry: Square,
        end: Square,
        dead: set[tuple[int, Square]],
    ) -> Path | None:
        """Cross the stages from `index` on, depth first; `dead` are entries that lead nowhere."""
        cell, chains, copies, shift = stages[index]
        if index == len(stages) - 1:
            return self._route(cell, entry, end, chains)
        if (index, entry) in dead:
            return None
        ways: Iterable[tuple[Square, Square]]
        if copies:
            # Every copy is entered where this one is, one shift on.
            step_on = (entry[0] + shift[0], entry[1] + shift[1])
            beyond = (entry[0] + copies * shift[0], entry[1] + copies * shift[1])
            ways = [(beyond, leave) for leave in _into(cell, step_on)]
        else:
            ways = _crossings(cell, stages[index + 1].cell)
        for enter, leave in ways:
            if (index + 1, enter) in dead:
                continue
            path = self._route(cell, entry, leave, chains)
            rest = path and self._cross_from(stages, index + 1, enter, end, dead)
            if path and rest:
                return [*(_repeated(path, copies, shift) if copies else path), *rest]
        dead.add((index, entry))
        return None

    def _big(self, rows: int, cols: int, start: Square, end: Square) -> Path | None:
        """A path over a board of six rows and columns or more; `end` lies below and right."""
        self.total_limit = 60_000
        return self._cross(_stages_of_big_board(rows, cols, start, end), start, end)

    def _band(self, rows: int, cols: int, start: Square, end: Square) -> Path | None:
        """A path over 3 or 5 rows, or over half of 4; `end` lies to the right."""
        # A core that is hard to solve is left for another layout; only then it gets more time.
        for limit in (10_000, 400_000):
            self.total_limit = limit
            for stages in _layouts_of_band(NARROW[rows], rows, cols, start[1], end[1]):
                path = self._cross(stages, start, end)
                if path:
                    return path
        return None

    def _half_board(self, half: int, cols: int, start: Square, end: Square) -> Path | None:
        """A path over the squares of four rows whose outer ones have the colour `half`."""
        frame = Frame(4, cols, False, start[1] > end[1], False)
        # Seen in a mirror, a column of an even board has the other parity.
        self.half = (half + cols - 1) & 1 if frame.flip_cols else half
        path = self._band(4, cols, frame.inward(start), frame.inward(end))
        self.half = None
        return path and frame.outward(path)

    def _four_rows(self, cols: int, start: Square, end: Square) -> Path | None:
        """A path over four rows: the half of the start, an inner move, the half of the end."""
        half = (start[0] + start[1]) & 1
        for distance in range(min(cols, 20)):
            for col in dict.fromkeys((start[1] - distance, start[1] + distance)):
                # The inner square of the start's half in this column, and those a move away.
                row = 1 if col & 1 == half else 2
                enters = [far for far in (col - 2, col + 2) if 0 <= far < cols]
                if not 0 <= col < cols or not enters:
                    continue
                first = self._half_board(half, cols, start, (row, col))
                for far in enters:
                    last = first and self._half_board(1 - half, cols, (3 - row, far), end)
                    if first and last:
                        return [*first, *last]
        return None

    def _framed(
        self, rows: int, cols: int, start: Square, end: Square, *, is_standing: bool
    ) -> Path | None:
        """A path over any board, laid so that `end` is right of `start`, and below on big ones."""
        if is_standing:
            rows, cols = cols, rows
        frame = Frame(rows, cols, False, False, is_standing)
        first, last = frame.inward(start), frame.inward(end)
        is_big = rows >= UNIT and cols >= UNIT
        frame = Frame(rows, cols, is_big and first[0] > last[0], first[1] > last[1], is_standing)
        first, last = frame.inward(start), frame.inward(end)
        if is_big:
            path = self._big(rows, cols, first, last)
        elif rows == 4 and cols > UNIT:
            path = self._four_rows(cols, first, last)
        elif rows * cols <= TINY:
            path = self._route(Cell(0, 0, rows, cols), first, last, ())
        else:
            path = self._band(rows, cols, first, last)
        return path and frame.outward(path)

    def path(self, rows: int, cols: int, start: Square, end: Square) -> tuple[Element, ...]:
        """A path over any board between two ends that have one.

        The first way has never failed. The others are a safety net: from the end back to the start,
        the board lying the other way, other closed tours in the cells.
        """
        if rows * cols == 1:
            return (Lit((start,)),)
        stances = (rows > cols, rows <= cols) if min(rows, cols) >= UNIT else (rows > cols,)
        for variant in range(VARIANTS):
            self.variant = variant
            self._cycles.clear()
            self._strands.clear()
            for is_standing in stances:
                path = self._framed(rows, cols, start, end, is_standing=is_standing)
                if path:
                    return tuple(path)
                path = self._framed(rows, cols, end, start, is_standing=is_standing)
                if path:
                    return backwards(path)
        raise RuntimeError(
            f"internal error: no tour of {rows}x{cols} from {start} to {end} was constructed, "
            "although there is one; please report it"
        )


# --- Small helpers of the planner ----------------------------------------------------------------


def _unknown(*_board: int) -> bool:
    """Leave a tiny board to the search that follows."""
    return True


def _is_move(one: Square, other: Square) -> bool:
    """Whether a knight's move leads from one square to the other."""
    return (one[0] - other[0], one[1] - other[1]) in NEIGHBOURING


def _half_of(cols: int, parity: int) -> bytes:
    """Half of four rows, one byte a square: rows 0 and 1 in columns of `parity`, else 2 and 3."""
    upper = bytes([(col & 1) == parity for col in range(cols)])
    lower = bytes([(col & 1) != parity for col in range(cols)])
    return upper + upper + lower + lower


def _hangs_on_itself(cycle: list[Square], place: dict[Square, int], shift: Square) -> bool:
    """Whether a chain of such cells can grow by this shift, and so by the opposite one.

    A cell that is cut open at c-d must have its part from c lead to a neighbour of the next cell's
    c and, by its next move, to a neighbour of the next cell's d: no matter of the cells' moves near
    the border alone, but of the order in which the tour makes them.
    """
    length = len(cycle)
    for index, (row, col) in enumerate(cycle):
        before = cycle[index - 1]
        image = (before[0] + shift[0], before[1] + shift[1])
        for down, right in MOVES:
            one = place.get((row + shift[0] + down, col + shift[1] + right))
            if one is not None and _is_move(cycle[(one + 1) % length], image):
                return True
    return False


def _into(cell: Cell, square: Square) -> list[Square]:
    """The squares of a cell that are a knight's move from `square`."""
    return [
        (square[0] + down, square[1] + right)
        for down, right in MOVES
        if 0 <= square[0] + down - cell.row < cell.rows
        and 0 <= square[1] + right - cell.col < cell.cols
    ]


def _crossings(cell: Cell, following: Cell) -> Iterator[tuple[Square, Square]]:
    """The moves (enter, leave) by which a path goes on from a cell to the next, row by row."""
    for row in range(
        max(following.row, cell.row - 2),
        min(following.row + following.rows, cell.row + cell.rows + 2),
    ):
        for col in range(
            max(following.col, cell.col - 2),
            min(following.col + following.cols, cell.col + cell.cols + 2),
        ):
            for leave in _into(cell, (row, col)):
                yield (row, col), leave


def _joined(first: Path, last: Path) -> Path:
    """One path after the other; the literals that meet become one."""
    one, other = first[-1], last[0]
    if isinstance(one, Lit) and isinstance(other, Lit):
        return [*first[:-1], Lit(one.squares + other.squares), *last[1:]]
    return [*first, *last]


def _repeated(elements: Path, count: int, shift: Square) -> Path:
    """A path and its shifted copies, `count` in all."""
    return elements if count == 1 else [Rep(tuple(elements), count, shift)]


# --- What the package calls ----------------------------------------------------------------------


def _ends(rows: int, cols: int, start: Square, closed: bool, seed: int) -> Iterator[Square]:
    """Ends to try for a start: its neighbours first where that may close the tour for free."""
    if rows * cols == 1:
        yield start
    if closed or (rows * cols % 2 == 0 and min(rows, cols) >= 5):
        neighbours = _into(Cell(0, 0, rows, cols), start)
        turn = seed % len(neighbours) if neighbours else 0
        yield from neighbours[turn:] + neighbours[:turn]
    if closed:
        return
    for ring in range(1, NEAR + 1):
        for row in range(max(start[0] - ring, 0), min(start[0] + ring, rows - 1) + 1):
            is_side = abs(row - start[0]) == ring
            for col in range(start[1] - ring, start[1] + ring + 1, 1 if is_side else 2 * ring):
                if 0 <= col < cols:
                    yield (row, col)


def _near_end(
    planner: Planner, rows: int, cols: int, start: Square, closed: bool, seed: int
) -> Square | None:
    """The first of these ends for which there is a tour."""
    for end in _ends(rows, cols, start, closed, seed):
        if why_not(rows, cols, start, end, closed, search=planner.search) is None:
            return end
    return None


def choose_end(
    rows: int, cols: int, start: Square, *, closed: bool = False, seed: int = 0, solve: Solve
) -> Square | None:
    """Find an end, near the start, for which there is a tour; None if this start has none.

    Arguments: board of rows x cols, each at least 1; start (row, col), 0-based, on it; `closed`
    wants an end that is a knight's move from the start (an open tour gets one too where that is
    free: an even area and at least 5 rows and columns); `seed` chooses among these; `solve` is the
    engine's search.

    Result: (row, col), at most 12 rows and columns from the start.

    Raises: nothing; the start is trusted.

    Cost: O(1), some microseconds.

    >>> from knighttour._engine import get_engine
    >>> choose_end(10**9, 10**9, (0, 0), solve=get_engine("pure").construction.solve)
    (1, 2)
    """
    planner = Planner(solve, seed)
    if why_not(rows, cols, start, None, closed, search=planner.search) is not None:
        return None
    return _near_end(planner, rows, cols, start, closed, seed)


def plan(
    rows: int, cols: int, start: Square, end: Square, *, seed: int = 0, solve: Solve
) -> tuple[Element, ...]:
    """Plan a tour between two squares for which there is one.

    Arguments: board of rows x cols, each at least 1; start and end (row, col), 0-based, for which
    `existence.why_not` has no reason; `seed`, any int, for another tour (the same seed gives the
    same tour on every platform and engine); `solve` is the engine's search.

    Result: the elements of the path from start to end, each joined to the next by a knight's move;
    their number does not grow with the board.

    Raises: RuntimeError if no plan is found, an internal error that was never seen.

    Cost: O(1), half a millisecond with the compiled search, a few milliseconds with the pure one.

    >>> from knighttour._engine import get_engine
    >>> solve = get_engine("pure").construction.solve
    >>> [element] = plan(3, 4, (0, 0), (2, 3), solve=solve)
    >>> len(element.squares), element.squares[0], element.squares[-1]
    (12, (0, 0), (2, 3))
    """
    return Planner(solve, seed).path(rows, cols, start, end)


def construct(
    rows: int,
    cols: int,
    start: Square | None = None,
    end: Square | None = None,
    closed: bool = False,
    *,
    seed: int = 0,
    engine: Engine,
) -> tuple[tuple[Element, ...], int]:
    """Plan a tour of a rectangle, with what is not given chosen.

    Arguments: board of rows x cols, each at least 1; start and end (row, col), 0-based, or None:
    the start is then the first square row by row that has a tour, the end one near the start;
    `closed` wants a tour whose end is a knight's move from its start; `seed`, any int, for another
    tour; `engine` is `_construction` or its twin.

    Result: (elements, nodes): the path from start to end, and the squares placed by all searches.

    Raises: ValueError with the reason if there is no such tour.

    Cost: O(1), half a millisecond with the compiled engine, whatever the size of the board.

    >>> from knighttour._engine import get_engine
    >>> engine = get_engine("pure").construction
    >>> elements, nodes = construct(10**9, 10**9, closed=True, engine=engine)
    >>> elements[0].squares[0], elements[-1].squares[-1], len(elements) < 100
    ((0, 0), (1, 2), True)
    """
    planner = Planner(engine.solve, seed)
    reason = why_not(rows, cols, start, end, closed, search=planner.search)
    if reason is None and start is None:
        start = first_start(rows, cols, end, closed, search=planner.search)
    if reason is None and start is not None and end is None:
        end = _near_end(planner, rows, cols, start, closed, seed)
    if reason is not None or start is None or end is None:
        raise ValueError(reason.sentence if reason else f"{rows}x{cols} has no such tour")
    return planner.path(rows, cols, start, end), planner.nodes
