"""Counting Hamiltonian cycles by a frontier, in pure Python: the readable definition.

What it computes: from a layer of states the next one; `frontier.TableSweep` goes on so from the
first layer to the last. Known answers: 8 closed tours of 5x6, 1728 open ones of 5x5 in both
directions (the problem itself counts them without direction: 864).

Method.  A state says for every vertex of the frontier where the path that ends in it has its other
end (its mate, as Knuth calls it): itself while it has no edge, MATELESS when it has two and is done
with. A layer is a dictionary from states to the number of ways to get there. Eliminating a vertex
chooses the edges that it still misses among its later neighbours. The compiled `_frontier` has the
same layers, state by state and in the same order, in a table of its own. The compiled `_counting`
computes the same layers in quite another form, as dense arrays over all the matchings of the ends;
that all three agree is the strongest test there is of any.

Source: the frontier method of D. E. Knuth, The Art of Computer Programming 4A, 7.1.4 (simpath).

Cost.  About three microseconds a transition; 5x6 takes 0.1 s, 6x6 closed about two.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice
from typing import Any

from . import oneway
from .elimination import Stage
from .files import little_endian
from .oneway import OneWayStage

__all__ = ["MATELESS", "MAX_PLACES", "Layer", "State", "advance", "degree", "retreat", "successors"]

#: Vertices of a frontier, those that are just opened included.
MAX_PLACES = sys.maxsize

MATELESS = -1

State = tuple[int, ...]

#: States between two looks at the clock and at signals.
_SLICE = 2000

#: Bytes of a state, measured on 6x6.
_MEMORY = 400

#: What stands for MATELESS in a piece.
_MATELESS = 0xFFFF


class Layer(dict[State, int]):
    """The states between two eliminations, and in how many ways each is reached.

    Args:
        vertices: vertices of a state.
        limbs: how many times 64 bits a number has in the compiled engine; here it has any size.
    """

    def __init__(self, vertices: int, limbs: int = 1) -> None:
        del limbs
        super().__init__()
        self.vertices = vertices

    @property
    def limbs(self) -> int:
        """How many times 64 bits the largest number has."""
        return max(1, (max(self.values(), default=0).bit_length() + 63) // 64)

    @property
    def memory(self) -> int:
        """The bytes that it takes, roughly."""
        return _MEMORY * len(self)

    def pieces(self, many: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield its states, so many at a time, as bytes.

        Yields:
            The states, 16 bits a vertex, and their numbers, so many `limbs` each, the lowest first.
        """
        width = 8 * self.limbs
        items = iter(self.items())
        while piece := list(islice(items, many)):
            mates = chain.from_iterable(state for state, _ in piece)
            states = array("H", (mate & _MATELESS for mate in mates)).tobytes()
            numbers = b"".join(ways.to_bytes(width, "little") for _, ways in piece)
            yield states, little_endian(numbers, 8)

    def put(self, states: bytes, numbers: bytes, limbs: int) -> None:
        """Add a piece, whose states are not there yet."""
        width = 8 * limbs
        numbers = little_endian(numbers, 8)
        mates = [MATELESS if mate == _MATELESS else mate for mate in array("H", states)]
        for number, place in enumerate(range(0, len(numbers), width)):
            state = tuple(mates[number * self.vertices : (number + 1) * self.vertices])
            self[state] = int.from_bytes(numbers[place : place + width], "little")


def advance(
    source: Layer,
    stage: Stage | OneWayStage,
    target: Layer,
    tick: Callable[[], None] | None = None,
) -> int | None:
    """Eliminate the vertex of a stage.

    Args:
        source: the layer before it.
        stage: the stage.
        target: the layer after it, yet empty.
        tick: called every few milliseconds; what it raises ends the work.

    Returns:
        How many cycles close; None if the numbers do not fit, which happens in the compiled engine.
    """
    total = 0
    for number, (state, ways) in enumerate(source.items()):
        if tick is not None and number % _SLICE == 0:
            tick()
        for _, after in successors(stage, state):
            if after is None:
                total += ways
            else:
                target[after] = target.get(after, 0) + ways
    return total


def retreat(
    source: Layer,
    stage: Stage | OneWayStage,
    behind: Layer,
    completions: Layer,
    tick: Callable[[], None] | None = None,
) -> list[int] | None:
    """Go back over the elimination of the vertex of a stage.

    The completions of a state, the ways from there to a cycle, are the sum of those of its
    successors. A transition is part of as many cycles as there are ways to its state, times
    completions behind it, and these use the edges that are chosen in it.

    Args:
        source: the layer before it.
        stage: the stage.
        behind: the states of the layer after it, with their completions for numbers.
        completions: those of `source`, yet empty.
        tick: as in `advance`.

    Returns:
        In how many cycles each edge is, from the vertex to its later neighbours in their order; or
        to those that one-way edges lead to, and then from those where they come from. None if the
        completions do not fit, which happens in the compiled engine.
    """
    edges: dict[Any, int]
    if isinstance(stage, OneWayStage):
        edges = {(stage.vertex, other): 0 for other in stage.outwards}
        edges |= {(other, stage.vertex): 0 for other in stage.inwards}
    else:
        edges = dict.fromkeys(stage.later, 0)
    for number, (state, ways) in enumerate(source.items()):
        if tick is not None and number % _SLICE == 0:
            tick()
        total = 0
        for chosen, after in successors(stage, state):
            completed = 1 if after is None else behind.get(after, 0)
            total += completed
            for edge in chosen:
                edges[edge] += ways * completed
        if total:
            completions[state] = total
    return list(edges.values())


def successors(
    stage: Stage | OneWayStage, state: State
) -> Iterator[tuple[tuple[Any, ...], State | None]]:
    """Yield what becomes of a state when the vertex of a stage goes, once for every way.

    With it come the vertices that this one is joined to, or the edges if they go one way only. None
    stands for a cycle that closes and is complete. States that cannot be completed because a vertex
    has too few later neighbours, or no place left for a required edge, are left out.
    """
    if isinstance(stage, OneWayStage):
        yield from oneway.successors(stage, state)
        return
    place = stage.place
    mates = [*state, *stage.opened]  # a vertex that has just been opened is its own mate
    vertex = stage.vertex
    here = place[vertex]
    missing = 0 if mates[here] == MATELESS else 2 if mates[here] == vertex else 1
    free = [
        other
        for other in stage.later
        if degree(other, mates[place[other]]) < stage.bounds[other][1]
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
            degree(other, after[place[other] - (place[other] > here)]) >= stage.bounds[other][0]
            for other in stage.later
        ):
            yield chosen, tuple(after)


def degree(vertex: int, mate: int) -> int:
    """Return how many edges a vertex has, by its mate."""
    return 2 if mate == MATELESS else int(mate != vertex)
