"""Counting Hamiltonian cycles by a frontier, in pure Python: the readable definition.

What it computes: the number of Hamiltonian cycles of a `Problem`. Known answers: 8 closed tours of
5x6, 1728 open ones of 5x5 in both directions (the problem itself counts them without direction:
864).

Method.  A state says for every vertex of the frontier where the path that ends in it has its other
end (its mate, as Knuth calls it): itself while it has no edge, MATELESS when it has two and is done
with. A layer is a dictionary from states to the number of ways to get there. Eliminating a vertex
chooses the edges that it still misses among its later neighbours. The compiled `_counting` computes
the same layers in quite another form, as dense arrays over all the matchings of the ends; that both
agree is the strongest test there is of either.

Source: the frontier method of D. E. Knuth, The Art of Computer Programming 4A, 7.1.4 (simpath).

Cost.  About three microseconds a transition; 5x6 takes 0.1 s, 6x6 closed about ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from . import oneway
from .elimination import Problem, Stage, stages
from .oneway import OneWayProblem

__all__ = [
    "MATELESS",
    "Passage",
    "State",
    "Sweep",
    "count_cycles",
    "ending",
    "predecessors",
    "successors",
]

MATELESS = -1

State = tuple[int, ...]
Layer = dict[State, int]

#: States between two looks at the clock and at signals.
_SLICE = 2000


def successors(stage: Stage, state: State) -> Iterator[tuple[tuple[int, ...], State | None]]:
    """Yield what becomes of a state when the vertex of a stage goes, once for every way.

    With it come the vertices that this one is joined to. None stands for a cycle that closes and is
    complete. States that cannot be completed because a vertex has too few later neighbours, or no
    place left for a required edge, are left out.
    """
    place = stage.place
    mates = [*state, *stage.opened]  # a vertex that has just been opened is its own mate
    vertex = stage.vertex
    here = place[vertex]
    missing = 0 if mates[here] == MATELESS else 2 if mates[here] == vertex else 1
    free = [
        other
        for other in stage.later
        if _degree(other, mates[place[other]]) < stage.bounds[other][1]
    ]
    for chosen in combinations(free, missing):
        if stage.required and not set(stage.required) <= set(chosen):
            continue
        after = mates.copy()
        is_cycle = False
        for other in chosen:
            near, far = after[place[vertex]], after[place[other]]
            is_cycle = near == other
            after[here] = after[place[other]] = MATELESS
            if not is_cycle:
                after[place[near]] = far
                after[place[far]] = near
        if is_cycle:
            if stage.is_last_opening and all(mate == MATELESS for mate in after):
                yield chosen, None
            continue
        del after[here]
        # Only a vertex that might have been chosen has fewer neighbours left than before.
        if all(
            _degree(other, after[place[other] - (place[other] > here)]) >= stage.bounds[other][0]
            for other in stage.later
        ):
            yield chosen, tuple(after)


def _degree(vertex: int, mate: int) -> int:
    """Return how many edges a vertex has, by its mate."""
    return 2 if mate == MATELESS else int(mate != vertex)


class Sweep:
    """One sweep over the board, unit by unit.

    Args:
        problem: the graph and its plan; or one with one-way edges.
        modulus: count modulo this, 0 for exact integers.
        keep: whether all layers are kept, one after every vertex, as sampling needs them.
    """

    def __init__(
        self, problem: Problem | OneWayProblem, modulus: int = 0, *, keep: bool = False
    ) -> None:
        self.modulus = modulus
        self.total = 0
        #: the stages, one a vertex, and what becomes of a state in one of them
        self.stages: list[Any]
        self.successors: Callable[[Any, State], Iterator[tuple[Any, State | None]]]
        if isinstance(problem, OneWayProblem):
            self.stages, self.successors = oneway.stages(problem), oneway.successors
        else:
            self.stages = [stage for unit in stages(problem) for stage in unit]
            self.successors = successors
        self.done = 0
        #: states of the layer at hand
        self.states = 1
        first: State = (problem.apex,) if problem.apex >= 0 else ()
        self.layers: list[Layer] = [{first: 1}]
        self._keep = keep

    def step(self, tick: Callable[[], None] | None = None) -> bool:
        """Eliminate one more vertex; return whether there is more to do.

        Args:
            tick: called every few milliseconds; what it raises ends the step, which then has not
                been done.
        """
        if self.done == len(self.stages):
            return False
        stage = self.stages[self.done]
        layer: Layer = {}
        total = self.total
        for number, (state, ways) in enumerate(self.layers[-1].items()):
            if tick is not None and number % _SLICE == 0:
                self.states = len(layer)
                tick()
            for _, after in self.successors(stage, state):
                if after is None:
                    total += ways
                else:
                    layer[after] = layer.get(after, 0) + ways
        if self.modulus:
            total %= self.modulus
            layer = {state: ways % self.modulus for state, ways in layer.items()}
        self.total = total
        if self._keep:
            self.layers.append(layer)
        else:
            self.layers = [layer]
        self.done += 1
        return True


def ending(
    problem: Problem,
    width: int,
    layer: Layer,
    apex: int = -1,
    tick: Callable[[], None] | None = None,
) -> int:
    """Return the number of cycles of a board whose last two rows are the frontier of a layer.

    Args:
        problem: that of the board, row by row.
        width: squares in a row.
        layer: after all rows but two; up to there boards of any length are alike.
        apex: the number of the apex in the layer.
        tick: as in `Sweep.step`.
    """
    sweep = Sweep(problem)
    sweep.done = len(sweep.stages) - 2 * width
    sweep.layers = [
        {
            tuple(problem.apex if mate == apex else mate for mate in state): ways
            for state, ways in layer.items()
        }
        if apex >= 0
        else layer
    ]
    while sweep.step(tick):
        pass
    return sweep.total


class Passage:
    """Forwards and backwards: how many cycles use every edge.

    Args:
        problem: the graph and its plan; or one with one-way edges.

    A sweep keeps its layers. Backwards, the completions of a state, the ways from there to a cycle,
    are the sum of those of its successors; a transition is part of as many cycles as there are ways
    to its state, times completions behind it, and these use the edges that are chosen in it.
    """

    def __init__(self, problem: Problem | OneWayProblem) -> None:
        self.sweep = Sweep(problem, keep=True)
        self._is_one_way = isinstance(problem, OneWayProblem)
        #: steps that have been made: one a vertex, forwards and then back
        self.done = 0
        #: from every edge ``(vertex, larger vertex)`` that is used to the number of cycles; one-way
        #: edges are ``(from, to)``
        self.edges: dict[tuple[int, int], int] = {}
        self._completions: Layer = {}

    @property
    def states(self) -> int:
        """How many states are kept."""
        return sum(map(len, self.sweep.layers)) + self.sweep.states

    def step(self, tick: Callable[[], None] | None = None) -> bool:
        """Go one step; return whether there was one. For `tick` see `Sweep.step`."""
        stages = self.sweep.stages
        if self.done == 2 * len(stages):
            return False
        if self.done < len(stages):
            self.sweep.step(tick)
        else:
            if self.done == len(stages):
                self.sweep.layers.pop()  # behind the last vertex there is nothing
            self._back(stages[2 * len(stages) - 1 - self.done], tick)
        self.done += 1
        return True

    def _back(self, stage: Any, tick: Callable[[], None] | None) -> None:
        completions: Layer = {}
        for number, (state, ways) in enumerate(self.sweep.layers[-1].items()):
            if tick is not None and number % _SLICE == 0:
                tick()
            total = 0
            for chosen, after in self.sweep.successors(stage, state):
                behind = 1 if after is None else self._completions.get(after, 0)
                if behind == 0:
                    continue
                total += behind
                for other in chosen:
                    if self._is_one_way:
                        edge = other
                    else:
                        edge = min(stage.vertex, other), max(stage.vertex, other)
                    self.edges[edge] = self.edges.get(edge, 0) + ways * behind
            if total:
                completions[state] = total
        self.sweep.layers.pop()
        self._completions = completions


def predecessors(
    stage: Stage, layer: Layer, mates: tuple[int, ...], is_closed: bool
) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return the states of the layer before a stage that lead to a state after it.

    Args:
        stage: the stage.
        layer: the layer before it.
        mates: the mates of all vertices after it, MATELESS for those that are eliminated.
        is_closed: the cycle has closed in this stage.

    Returns:
        A list of ``(chosen, mates, ways)``: what the vertex was joined to, the mates before, and
        the number of ways to get there, above 0. The order is that of the chosen vertices, none,
        one, two, and then of the first of the two ends that became mates.
    """
    vertex = stage.vertex
    found = []

    def look_up(chosen: tuple[int, ...], *changes: tuple[int, int]) -> None:
        before = list(mates)
        for cell, mate in changes:
            before[cell] = mate
        ways = layer.get(tuple(before[cell] for cell in stage.before), 0)
        if ways and all(before[cell] == cell for cell in stage.opened):
            found.append((chosen, tuple(before), ways))

    ends = [cell for cell, mate in enumerate(mates) if mate not in (MATELESS, cell)]
    required = set(stage.required)
    if not is_closed and not required:
        look_up((), (vertex, MATELESS))
    for cell in stage.later:
        if not required <= {cell}:
            continue
        degree = _degree(cell, mates[cell])
        if is_closed:
            look_up((cell,), (vertex, cell), (cell, vertex))
        elif degree == 1:  # the path that ended in the vertex now ends in the cell
            far = mates[cell]
            look_up((cell,), (vertex, far), (far, vertex), (cell, cell))
        elif degree == 2:  # two paths were joined, and their other ends became mates
            for near in ends:
                far = mates[near]
                look_up((cell,), (vertex, near), (near, vertex), (cell, far), (far, cell))
    for first, second in combinations(stage.later, 2):
        if not required <= {first, second}:
            continue
        pair = (first, second)
        degrees = _degree(first, mates[first]), _degree(second, mates[second])
        if is_closed:
            look_up(pair, (vertex, vertex), (first, second), (second, first))
        elif degrees == (1, 1):
            if mates[first] == second:
                look_up(pair, (vertex, vertex), (first, first), (second, second))
        elif sorted(degrees) == [1, 2]:  # an end went from one to the other
            new, old = pair if degrees[0] == 1 else pair[::-1]
            far = mates[new]
            look_up(pair, (vertex, vertex), (old, far), (far, old), (new, new))
        elif degrees == (2, 2):
            for near in ends:
                far = mates[near]
                look_up(
                    pair,
                    (vertex, vertex), (first, near), (near, first), (second, far), (far, second),
                )  # fmt: skip
    return found


def count_cycles(problem: Problem, modulus: int = 0, tick: Callable[[], None] | None = None) -> int:
    """Return the number of Hamiltonian cycles, exactly or modulo a number."""
    sweep = Sweep(problem, modulus)
    while sweep.step(tick):
        pass
    return sweep.total
