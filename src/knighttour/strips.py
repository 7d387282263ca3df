"""Strips: boards of one width and any length, all of them counted by one sweep.

What it does.  Far from both ends every row of a long board is swept like the one before it. So a
`Strip` plans a short board, and `StripBlueprint` repeats the rows in its middle as often as wanted:
plan, layouts and tables are made once, whatever the length. And a layer after k whole rows is the
same for all boards that are longer; `StripSweep` reads off it how many tours the board has that
ends two rows later, which is a small sum. So one sweep has the numbers of all lengths on its way.

Method.  After k whole rows the frontier is the next two rows, and the apex of open tours. If the
board ends there, the edges that are still missing join these cells alone. They are few: 2 (W - 2)
knight's moves, which form four paths up and down between both rows, and two edges of the apex.
`completions` lists every choice of them with at most two edges a cell and without a cycle: 2^(2W-4)
for closed tours. A choice says which degree each cell must have in the layer, hence which block,
and which ends it joins. With k paths among its edges, (2k-2)!! of the (2k-1)!! matchings of the
block make one cycle with them; these are added up (`_counting.Ending`). So every length is

    a(n) = sum over the completions, sum over the matchings, of the layer after n - 2 rows.

Colours repeat after two rows, and so do the layers of boards of odd width. There the balance of
colours of open tours tells boards of even and odd lengths apart: they are swept separately.

Known answers: 16, 176, 1536 closed tours of 3x10, 3x12, 3x14; 8 of 6x5, 9862 of 6x6, and a number
of 66 digits, 3770...5336, of 6x40 (OEIS A175881).

Cost.  A sweep over the longest board; the sums take about one part in a hundred of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Any, TypeVar

from .board import Board
from .dense import Blueprint, Sweep
from .elimination import Problem, problem_of, stages
from .predictor import Forecast, StepForecast, forecast
from .workers import work_in_threads

__all__ = [
    "MOST_SQUARES",
    "WIDEST",
    "Strip",
    "StripBlueprint",
    "StripSweep",
    "completions",
    "families",
    "strip_of",
]

#: Wider boards fit no memory.
WIDEST = 16

#: Boards of more squares have a plan of so many steps that it takes seconds.
MOST_SQUARES = 200_000

#: Rows of the planned board at least; the last four of them are unlike those of a longer one.
_ROWS = 16
_LAST = 4

#: So many completions are added up in a thread of their own, so that the caller can be interrupted.
_MANY = 100_000

_T = TypeVar("_T")


class Strip:
    """All boards of one width, and of lengths of one parity if the width is odd.

    Args:
        width: columns, from 3 to `WIDEST`.
        closed: closed tours are counted, else open ones.
        parity: of the lengths: 0 or 1; without meaning if the width is even.

    >>> strip = Strip(6, True)
    >>> strip.per_row, strip.first
    (3, 2)
    """

    def __init__(self, width: int, closed: bool, parity: int = 0) -> None:
        self.width, self.closed, self.parity = width, closed, parity
        #: rows of the board that is planned
        self.rows = max(_ROWS, width + width % 2) + (parity if width % 2 else 0)
        problem = problem_of(Board(self.rows, width), None, None, closed)
        assert problem is not None
        self.problem: Problem = problem
        #: units in a row
        self.per_row = (width + 1) // 2
        #: the row from which on they repeat, row r + 2 being like row r
        self.first = self.repeats(self._signatures())

    def relative(self, vertex: int, row: int) -> int:
        """Return a vertex as it is seen from a row; -1 is the apex."""
        return -1 - self.width if vertex == self.problem.apex else vertex - row * self.width

    def _signatures(self) -> list[object]:
        """Return for every step all that it depends on, seen from its row."""
        signatures: list[object] = []
        for number, unit in enumerate(stages(self.problem)):
            row = number // self.per_row

            def seen(cells: Iterable[int], row: int = row) -> tuple[int, ...]:
                return tuple(self.relative(cell, row) for cell in cells)

            signatures.append(
                [
                    (
                        seen((stage.vertex,)), seen(stage.later), seen(stage.before),
                        seen(stage.opened), seen(stage.after), stage.is_last_opening,
                        [(*seen((cell,)), bounds) for cell, bounds in stage.bounds.items()],
                    )
                    for stage in unit
                ]
            )  # fmt: skip
        return signatures

    def repeats(self, signatures: list[Any]) -> int:
        """Return the first row whose steps, and those of the next row, come again two rows later.

        From there on all rows do so: a step depends on the rows around it, and on the one before
        it, by what `signatures` say.
        """
        size = 2 * self.per_row
        for row in range(2, self.rows - _LAST - 3):
            begin = row * self.per_row
            # One step more: what comes after the last one counts too.
            if signatures[begin : begin + size + 1] == signatures[begin + size :][: size + 1]:
                return row
        raise AssertionError(f"the rows of boards {self.width} wide do not repeat")

    def planned(self, number: int, first: int | None = None) -> int:
        """Return the step of the planned board that is like step `number` of a longer one."""
        row, unit = divmod(number, self.per_row)
        first = self.first if first is None else first
        if row >= first + 2:
            row = first + (row - first) % 2
        return row * self.per_row + unit

    @cached_property
    def _forecast(self) -> Forecast:
        return forecast(self.problem)

    def forecast(self, length: int, tall: bool = True) -> Forecast:
        """Return what the sweep costs that ends with the board of that length.

        Args:
            length: rows.
            tall: whether squares are numbered row by row, or column by column.
        """
        known = self._forecast.steps
        steps = []
        for number in range((length - 2) * self.per_row):
            planned = self.planned(number)
            row = (number - planned) // self.per_row
            squares = [divmod(cell + row * self.width, self.width) for cell in known[planned].unit]
            steps.append(
                StepForecast(
                    tuple(r * self.width + c if tall else c * length + r for r, c in squares),
                    known[planned].states,
                    known[planned].slices,
                    known[planned].transitions,
                    known[planned].frontier,
                )
            )
        return Forecast(tuple(steps))


@cache
def strip_of(width: int, closed: bool, parity: int = 0) -> Strip:
    """Return a strip; they are immutable and small, so they are kept."""
    return Strip(width, closed, parity if width % 2 else 0)


def families(width: int, lengths: Iterable[int], closed: bool) -> list[tuple[int, list[int]]]:
    """Return the parities of strips that have tours, each with its lengths in order.

    Boards that are left out have no tours: for want of moves, or since a closed tour has as many
    squares of one colour as of the other.

    >>> families(5, range(9), True), families(5, range(9), False)
    ([(0, [4, 6, 8])], [(0, [4, 6, 8]), (1, [3, 5, 7])])
    """
    able = sorted({length for length in lengths if length >= 3})
    if width < 3:
        return []
    if width % 2 == 0:
        groups = [(0, able)]
    else:
        groups = [(parity, [n for n in able if n % 2 == parity]) for parity in (0, 1)]
        if closed:
            groups = groups[:1]
    return [(parity, group) for parity, group in groups if group]


@cache
def completions(width: int, closed: bool) -> tuple[tuple[tuple[int, int], ...], bytes]:
    """List the ways to complete a cycle within two rows.

    Args:
        width: of the board.
        closed: without the apex.

    Returns:
        The cells ``(row, col)``, row 0 or 1, in the order of the ends, the apex as ``(-1, -1)``;
        and for every way two bytes a cell: the edges that the cell must have got before, and the
        number of the cell that the chosen edges join it to if that is 1, else its own.

    Cost: 2^(2W-4) ways for closed tours; for open ones (2W + 1) W + 1 times as many are looked at.

    >>> cells, ways = completions(4, True)
    >>> len(cells), len(ways) // 16
    (8, 16)
    """
    cells = [(row, col) for col in range(width // 2) for row in (0, 1)]
    right = [(row, width - 1 - col) for row, col in reversed(cells)]
    if width % 2:
        cells += [(0, width // 2), (1, width // 2)]
    if not closed:
        cells.append((-1, -1))
    cells += right
    number = {cell: i for i, cell in enumerate(cells)}
    edges = [
        (number[0, col], number[1, other])
        for col in range(width)
        for other in (col - 2, col + 2)
        if 0 <= other < width
    ]
    found = bytearray()
    edge_count = [0] * len(cells)
    far = list(range(len(cells)))  # the other end of the path that ends in a cell

    def write() -> None:
        for cell, count in enumerate(edge_count):
            found.append(2 - count)
            found.append(far[cell] if count == 1 else cell)

    def joined(a: int, b: int, then: Callable[[], None]) -> None:
        """Do something with one edge more, if there is room for it."""
        if edge_count[a] == 2 or edge_count[b] == 2 or far[a] == b:
            return
        x, y = far[a], far[b]
        far[x], far[y] = y, x
        edge_count[a] += 1
        edge_count[b] += 1
        then()
        edge_count[a] -= 1
        edge_count[b] -= 1
        far[y] = b
        far[x] = a
        far[a], far[b] = x, y

    def with_apex() -> None:
        write()
        if closed:
            return
        apex = number[-1, -1]
        others = [cell for cell in range(len(cells)) if cell != apex]
        for cell in others:
            joined(apex, cell, write)
        for one, other in combinations(others, 2):
            joined(apex, one, lambda other=other: joined(apex, other, write))  # type: ignore[misc]

    def choose(place: int) -> None:
        if place == len(edges):
            with_apex()
            return
        choose(place + 1)
        joined(*edges[place], lambda: choose(place + 1))

    choose(0)
    return tuple(cells), bytes(found)


class StripBlueprint(Blueprint):
    """The layouts and steps of a strip, as of one long board that never ends.

    Args:
        strip: the strip.
        rows: after so many rows the sweep is over.
        core: the module `_counting`.
    """

    def __init__(self, strip: Strip, rows: int, core: Any) -> None:
        super().__init__(strip.problem, core)
        self.strip = strip
        self.steps = rows * strip.per_row
        self._kept: dict[Any, Any] = {}
        self._keeping = threading.RLock()
        signatures = [
            [
                tuple(strip.relative(cell, number // strip.per_row) for cell in cells)
                for cells in (shape.static, shape.dynamic, *shape.steady)
            ]
            for number, shape in enumerate(self._shapes[:-1])
        ]
        self._first = max(strip.first, strip.repeats(signatures))

    def _keep(self, what: str, number: int, make: Callable[[int], _T]) -> _T:
        """Make something for a step of the planned board, once."""
        number = self.strip.planned(number, self._first)
        with self._keeping:
            if (what, number) not in self._kept:
                self._kept[what, number] = make(number)
            kept: _T = self._kept[what, number]
            return kept

    def layout(self, number: int) -> Any:
        """Return the layout of the layer before step `number`."""
        return self._keep("layout", number, super().layout)

    def step(self, number: int, source: Any, target: Any) -> Any:
        """Return step `number` between the layouts `number` and `number` + 1."""
        make = super().step
        return self._keep("step", number, lambda planned: make(planned, source, target))

    def runs(self, number: int, layout: Any, values: int, most: int) -> list[tuple[int, int]]:
        """Return runs of slices in the order in which step `number` should take them."""
        make = super().runs
        return self._keep(
            f"runs {values} {most}", number, lambda planned: make(planned, layout, values, most)
        )

    def ending(self, rows: int) -> Any:
        """Return what reads the board with `rows` + 2 rows off the layer after `rows` rows."""
        return self._keep("ending", rows * self.strip.per_row, self._ending)

    def _ending(self, number: int) -> Any:
        strip = self.strip
        static, dynamic, *_ = self._shapes[number]
        place = {
            strip.relative(cell, number // strip.per_row): i
            for i, cell in enumerate((*static, *dynamic))
        }
        cells, ways = completions(strip.width, strip.closed)
        return self.core.Ending(
            self.layout(number),
            [place.get(row * strip.width + col, -1) for row, col in cells],
            ways,
        )


class StripSweep(Sweep):
    """One sweep over a strip, which finds the numbers of cycles of many lengths on its way.

    Args:
        blueprint: of the strip.
        width, modulus, threads: as in `Sweep`; with several primes the numbers are tuples.
        lengths: the lengths that are wanted; the others are passed by.
    """

    def __init__(
        self,
        blueprint: StripBlueprint,
        width: int,
        modulus: int | tuple[int, ...],
        threads: int,
        lengths: Iterable[int],
    ) -> None:
        super().__init__(blueprint, width, modulus, threads)
        self._strip = blueprint
        self._wanted = frozenset(lengths)
        #: the number of cycles by the length of the board, None where the width was not enough
        self.found: dict[int, Any] = {}

    @property
    def has_overflowed(self) -> bool:
        """Whether the width was not enough for one of the numbers."""
        return None in self.found.values()

    def step(self, tick: Callable[[], None] | None = None) -> bool:
        """Eliminate one more unit, and read a number off the layer after a whole row.

        Args:
            tick: called every twentieth of a second; what it raises ends the sweep for good.
        """
        if not super().step(tick):
            return False
        rows, unit = divmod(self.done, self._strip.strip.per_row)
        if unit == 0 and rows + 2 in self._wanted:
            ending = self._strip.ending(rows)
            if ending.count < _MANY or tick is None:
                self.found[rows + 2] = self._read(ending)
            else:
                call = partial(self._read, ending)
                (self.found[rows + 2],) = work_in_threads([call], 1, self.stop.set, tick)
        return True

    def _read(self, ending: Any) -> Any:
        return ending.total(self._memory.buffer, self.width, self.modulus, self.stop)
