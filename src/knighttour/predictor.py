"""How much a count will cost: states, bytes and transitions, exactly, before anything is counted.

What it does.  For every step of a sweep it says how many states the compiled engine stores and how
many transitions it makes at most, without listing a single one of them.

Method.  A layer has all matchings of all degree vectors that are possible by their bounds and by
the balance of colours, so its size is

    sum over the degree vectors of (2k - 1)!!,  2k being the number of ends,

and the number of degree vectors with 2k ends and a given balance is a coefficient of a product of
one small polynomial a cell, low + x y + x^2 in its degree, in y for the ends and in x for the
balance. The two variables are packed into one large integer (Kronecker's substitution), so that a
factor costs three shifts and additions. Where only half of a layer is stored, the slices that are
their own mirror images count once and all others half. (For sizes that is exact. For transitions it
is exact where there are no halves; there it is near, since the first vertex of a pair alone is not
its own mirror image.)

Known answers: a layer of an 8 wide board has 1.48e8 states after a row in the middle, stored, a
step of it at most 1.5e8.

Cost.  A few milliseconds for 8x8; steps that repeat are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from math import comb

from .elimination import Problem, Stage, stages
from .limits import human_bytes

__all__ = ["Forecast", "StepForecast", "forecast"]

#: CPU seconds for a forecast transition, by the width of a value in bytes: measured on 9x10, 8x8
#: and 8x8 closed, on a shared server core of about 2020.
SECONDS_A_TRANSITION = {2: 0.8e-9, 4: 1.0e-9, 8: 1.4e-9}

_BITS = 128  # of a coefficient: far more than 3 to the number of cells of any frontier


@dataclass(frozen=True, slots=True)
class StepForecast:
    """What one step of a sweep costs."""

    #: the vertices that go
    unit: tuple[int, ...]
    #: states stored afterwards, and how many slices they are in, those not stored included
    states: int
    slices: int
    #: states touched on the way, each counted once for every way on
    transitions: int
    #: vertices in the frontier afterwards, the apex included
    frontier: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a sweep costs."""

    steps: tuple[StepForecast, ...]

    @property
    def peak_states(self) -> int:
        """The size of the largest layer."""
        return max(step.states for step in self.steps)

    @property
    def transitions(self) -> int:
        """All transitions of one sweep."""
        return sum(step.transitions for step in self.steps)

    def memory(self, width: int, threads: int = 2) -> int:
        """Return the bytes that a sweep takes at most in memory.

        Args:
            width: bytes of a value.
            threads: how many work at the same time.

        A layer is filled while the one before it is given back, so that both together take little
        more than the larger one; then there are the tables of slices, and for every thread the
        blocks of the slice at hand.
        """
        most = 0
        before = 1
        for step in self.steps:
            layers = max(before, step.states) + min(before, step.states) // _OVERLAP
            most = max(most, width * layers + 20 * step.slices)
            before = step.states
        blocks = min(width * self.peak_states // _BLOCKS, _MOST_BLOCKS)
        return most + threads * blocks + _FIXED

    def seconds(self, width: int, threads: int = 2) -> float:
        """Return the time that a sweep will take, roughly; the speed is that of one machine."""
        return self.transitions * SECONDS_A_TRANSITION[width] / (0.85 * threads + 0.15)

    def __str__(self) -> str:
        peak = self.peak_states
        return (
            f"{peak:,} states at most, {self.transitions:,} transitions; a sweep takes "
            + ", ".join(
                f"{human_bytes(self.memory(width))} with {8 * width} bits" for width in (8, 4, 2)
            )
        )


# Fitted from above to the measured peaks of 7x7 open, 8x8 closed and 9x10 closed on two threads
# (352, 1586 and 8146 MiB).
_OVERLAP = 8
_BLOCKS = 12
_MOST_BLOCKS = 300 << 20
_FIXED = 100 << 20


class _Polynomial:
    """Degree vectors of some cells, counted by ends (y) and balance (x), in one integer."""

    __slots__ = ("low", "row", "value")

    def __init__(self, cells: int) -> None:
        self.row = (4 * cells + 1) * _BITS  # bits of all balances of one number of ends
        self.low = 0  # the balance of the lowest coefficient
        self.value = 1

    def times(self, bounds: tuple[int, int], colour: int, weight: int = 1) -> None:
        """Multiply by a cell of a colour, or by `weight` cells of one degree with that sum."""
        low, high = bounds
        least = min(colour * degree for degree in (0, 1, 2))
        total = 0
        for degree in range(low, high + 1):
            shift = (colour * degree - least) * _BITS
            if degree == 1:
                shift += weight * self.row
            total += self.value << shift
        self.value = total
        self.low += least

    def of(self, ends: int, balance: int) -> int:
        """Return how many degree vectors have so many ends and that balance."""
        place = (balance - self.low) * _BITS
        if not 0 <= place < self.row:
            return 0
        return self.value >> ends * self.row + place & (1 << _BITS) - 1


def _double_factorials(pairs: int) -> list[int]:
    values = [1]
    for k in range(1, pairs + 1):
        values.append(values[-1] * (2 * k - 1))
    return values


_MATCHINGS = _double_factorials(40)


class _Counter:
    """The sums over degree vectors that a forecast is made of."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.excess = problem.excess

    def balances(self, apex_degree: int) -> Iterable[int]:
        """Return the balances that are possible with so many edges of the apex."""
        if not self.problem.is_coloured:
            return (0,)
        if apex_degree == 2:
            return (2 * self.excess,)
        if self.excess:
            return (apex_degree * self.excess,)
        return sorted({apex_degree, -apex_degree})

    def polynomial(
        self,
        static: tuple[int, ...],
        other: tuple[int, ...],
        bounds: dict[int, tuple[int, int]],
        mirrored: bool,
    ) -> _Polynomial:
        """Count degree vectors; if asked, only those whose static cells are their own image."""
        colours, mirror = self.problem.colours, self.problem.mirror
        result = _Polynomial(len(static) + len(other))
        for cell in static:
            if not mirrored or mirror[cell] == cell:
                result.times(bounds[cell], colours[cell])
            elif mirror[cell] > cell:
                result.times(bounds[cell], colours[cell] + colours[mirror[cell]], 2)
        for cell in other:
            result.times(bounds[cell], colours[cell])
        return result

    def weigh(
        self,
        static: tuple[int, ...],
        other: tuple[int, ...],
        bounds: dict[int, tuple[int, int]],
        gone: int,
        groups: dict[tuple[int, int, int], int],
        gone_any: bool,
    ) -> int:
        """Return a sum over the stored states.

        Args:
            static: cells whose degrees say which half of a layer is stored.
            other: further cells.
            bounds: of both.
            gone: what the eliminated vertices add to the balance.
            groups: how often a state counts, by the balance and the number of ends of the cells
                that are left, and by the degree of the apex.
            gone_any: whether a vertex has been eliminated: then there are ends.
        """
        total = 0
        is_halved = bool(self.problem.mirror)
        most = len(static) + len(other)
        for mirrored in (False, True) if is_halved else (False,):
            vectors = self.polynomial(static, other, bounds, mirrored)
            for (balance, ends, apex_degree), ways in groups.items():
                for wanted in self.balances(apex_degree):
                    for more in range(ends & 1, most + 1, 2):
                        if ends + more or not gone_any:
                            count = vectors.of(more, wanted - gone - balance)
                            total += ways * count * _MATCHINGS[(ends + more) // 2]
        return total // 2 if is_halved else total


def _options(stage: Stage, degree: dict[int, int]) -> int:
    """Return in how many ways the vertex of a stage can get the edges that it misses."""
    missing = 2 - degree[stage.vertex]
    open_cells = needed = 0
    for cell in stage.later:
        is_needed = cell in stage.required or degree[cell] < stage.bounds[cell][0]
        if degree[cell] >= stage.bounds[cell][1]:
            if cell in stage.required:
                return 0
            continue
        if degree[cell] + 1 < stage.bounds[cell][0]:
            return 0
        open_cells += 1
        needed += is_needed
    if needed > missing:
        return 0
    return comb(open_cells - needed, missing - needed)


def forecast(
    problem: Problem,
    *,
    with_transitions: bool = True,
    tick: Callable[[], None] | None = None,
) -> Forecast:
    """Return what a sweep of the compiled engine will cost.

    Args:
        problem: the problem.
        with_transitions: count them too; the sizes alone are ten times cheaper.
        tick: called for every step; what it raises ends the work.

    >>> from .board import Board
    >>> from .elimination import problem_of
    >>> problem = problem_of(Board(8, 8), None, None, True)
    >>> forecast(problem).peak_states
    153785940
    """
    counter = _Counter(problem)
    colours, apex = problem.colours, problem.apex
    known: dict[object, int] = {}
    plan = stages(problem)
    changing = [
        {vertex for stage in unit for vertex in (stage.vertex, *stage.later)} | {apex}
        for unit in plan
    ]
    changing.append({apex})
    rank = problem.positions
    gone = 0
    gone_any = False
    bounds: dict[int, tuple[int, int]] = {apex: (0, 0)} if apex >= 0 else {}
    steps = []

    def remembered(
        static: tuple[int, ...],
        other: tuple[int, ...],
        limits: dict[int, tuple[int, int]],
        groups: dict[tuple[int, int, int], int],
    ) -> int:
        """Steps of different rows are alike: look a sum up by all that it depends on."""
        twin = problem.mirror
        order = {cell: number for number, cell in enumerate(static)}
        key = (
            tuple(
                (limits[cell], colours[cell], order[twin[cell]] if twin else 0) for cell in static
            ),
            tuple((limits[cell], colours[cell]) for cell in other),
            gone,
            tuple(groups.items()),
            gone_any,
        )
        if key not in known:
            known[key] = counter.weigh(static, other, limits, gone, groups, gone_any)
        return known[key]

    for number, unit in enumerate(plan):
        if tick is not None:
            tick()
        transitions = 0
        for stage in unit:
            cells = (*stage.before, *stage.opened)
            limits = {**{cell: bounds.get(cell, (0, 0)) for cell in cells}}
            if with_transitions:
                local = (stage.vertex, *stage.later)
                if apex >= 0 and apex not in local:
                    local = (*local, apex)
                groups: dict[tuple[int, int, int], int] = {}
                for degrees in product(
                    *(range(limits[cell][0], limits[cell][1] + 1) for cell in local)
                ):
                    degree = dict(zip(local, degrees, strict=True))
                    ways = _options(stage, degree)
                    if ways:
                        kind = (
                            sum(colours[cell] * degree[cell] for cell in local),
                            degrees.count(1),
                            degree.get(apex, 0),
                        )
                        groups[kind] = groups.get(kind, 0) + ways
                rest = sorted((c for c in cells if c not in local), key=rank.__getitem__)
                static = tuple(cell for cell in rest if cell not in changing[number])
                other = tuple(cell for cell in rest if cell in changing[number])
                transitions += remembered(static, other, limits, groups)
            bounds = stage.bounds
            gone += 2 * colours[stage.vertex]
            gone_any = True
        frontier = sorted(bounds, key=rank.__getitem__)
        static = tuple(cell for cell in frontier if cell not in changing[number + 1])
        other = tuple(cell for cell in frontier if cell in changing[number + 1] and cell != apex)
        slices = 1
        for cell in static:
            slices *= bounds[cell][1] - bounds[cell][0] + 1
        if apex >= 0:
            low, high = bounds[apex]
            groups = {(0, int(a == 1), a): 1 for a in range(low, high + 1)}
        else:
            groups = {(0, 0, 0): 1}
        steps.append(
            StepForecast(
                problem.units[number],
                remembered(static, other, bounds, groups),
                slices,
                transitions,
                len(frontier),
            )
        )
    return Forecast(tuple(steps))
