"""Hamiltonian circuits of graphs with one-way edges, as a plan of elimination.

What it does.  Where pieces block the legs of a xiangqi horse, a move may be possible and the way
back not. The tours of such a board are circuits with a direction: `one_way_problem` turns a
question about them into one graph, `stages` and `successors` say how a table of states
(`frontier`) is swept over it.

    closed tours                     the circuits of the move graph
    open tours                       the circuits of the move graph and an apex, one more vertex
                                     with an edge to every square and one from every square
    from a start, to an end          the apex has an edge to the start alone, from the end alone

Method.  That of `elimination`, with directed paths: when a vertex goes, its edge in and its edge
out are chosen among the later vertices, as far as it still misses them. A frontier vertex is
untouched, or the first vertex of a path (it misses an edge in), or the last one (it misses an edge
out), or has both; and of the two ends of a path each knows the other. The next vertex to go is the
one that brings the fewest new ones into the frontier.

Known answer: where all moves go both ways, the circuits are twice the closed tours: 19724 on 6x6.

Cost.  There are more states than without directions: up to about thirty squares take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .board import Board
from .errors import Square

__all__ = [
    "Edge",
    "OneWayProblem",
    "OneWayStage",
    "has_one_way_moves",
    "one_way_problem",
    "stages",
    "successors",
]

#: What a vertex with both edges has for a mate.
_DONE = -1

#: from a vertex to a vertex
Edge = tuple[int, int]
State = tuple[int, ...]


class OneWayProblem(NamedTuple):
    """How many Hamiltonian circuits are there: the graph."""

    #: where the edges of every vertex lead to, and where they come from; the apex is the last one
    outwards: tuple[tuple[int, ...], ...]
    inwards: tuple[tuple[int, ...], ...]
    #: -1 where there is none
    apex: int


class OneWayStage(NamedTuple):
    """One vertex goes: everything about it that does not depend on the state."""

    vertex: int
    #: later vertices that an edge leads to, or comes from
    outwards: tuple[int, ...]
    inwards: tuple[int, ...]
    #: the vertices that enter the frontier with it, and where a vertex is then
    opened: tuple[int, ...]
    place: dict[int, int]
    #: places of those that no other vertex is left to come from, or to lead to
    needs_in: tuple[int, ...]
    needs_out: tuple[int, ...]
    #: one more than any vertex
    size: int
    #: whether no later vertex is outside the frontier, so that a circuit may close
    is_last_opening: bool


def has_one_way_moves(board: Board) -> bool:
    """Whether there is a move whose way back is blocked."""
    return board.is_directed and any(
        square not in board.neighbours(other)
        for square in board.squares
        for other in board.neighbours(square)
    )


def one_way_problem(
    board: Board, start: Square | None, end: Square | None, closed: bool
) -> OneWayProblem | None:
    """Return the problem whose circuits are the tours asked for, or None where there are none.

    Args:
        board: any board.
        start, end: squares of it, or None. Closed tours heed them only if both are given: then the
            last move leads from the end to the start.
        closed: circuits of the board itself.
    """
    squares = list(board.squares)
    index = {square: number for number, square in enumerate(squares)}
    outwards = [
        [index[other] for other in dict.fromkeys(board.neighbours(square)) if other != square]
        for square in squares
    ]
    first = None if start is None else index[start]
    last = None if end is None else index[end]
    apex = -1
    if not closed:
        if first is not None and first == last:
            return None
        apex = len(squares)
        for vertex in range(apex) if last is None else [last]:
            outwards[vertex].append(apex)
        outwards.append(list(range(apex)) if first is None else [first])
    elif first is not None and last is not None:
        if first not in outwards[last]:
            return None
        outwards[last] = [first]
    inwards: list[list[int]] = [[] for _ in outwards]
    for vertex, others in enumerate(outwards):
        for other in others:
            inwards[other].append(vertex)
    if not all(outwards) or not all(inwards):
        return None
    return OneWayProblem(tuple(map(tuple, outwards)), tuple(map(tuple, inwards)), apex)


def stages(problem: OneWayProblem) -> list[OneWayStage]:
    """Return the stages in which the vertices go, all but the apex."""
    outwards, inwards, apex = problem
    left = set(range(len(outwards)))
    frontier = [apex] if apex >= 0 else []
    plan = []
    while left - {apex}:
        near = {v: {*outwards[v], *inwards[v]} & left for v in left if v != apex}
        vertex = min(near, key=lambda v: (len({v, *near[v]}.difference(frontier)), v))
        opened = tuple(v for v in sorted({vertex, *near[vertex]}) if v not in frontier)
        frontier += opened
        left.remove(vertex)
        place = {v: number for number, v in enumerate(frontier)}
        plan.append(
            OneWayStage(
                vertex,
                tuple(v for v in outwards[vertex] if v in left),
                tuple(v for v in inwards[vertex] if v in left),
                opened,
                place,
                tuple(place[v] for v in outwards[vertex] if v in left and not left & {*inwards[v]}),
                tuple(place[v] for v in inwards[vertex] if v in left and not left & {*outwards[v]}),
                len(outwards),
                len(frontier) == len(left) + 1,
            )
        )
        frontier.remove(vertex)
    return plan


def successors(stage: OneWayStage, state: State) -> Iterator[tuple[tuple[Edge, ...], State | None]]:
    """Yield what becomes of a state when the vertex of a stage goes, once for every way.

    With it come the edges that are chosen. None stands for a circuit that closes and is complete.

    What a state has for a vertex v: v itself, if v has no edge; size + e, if v is the first vertex
    of a path that ends in e; 2 size + s, if it is the last one of a path that begins in s; -1.
    """
    size, place, vertex = stage.size, stage.place, stage.vertex
    mates = [*state, *stage.opened]
    here = place[vertex]
    mate = mates[here]
    ways_out: list[int] | list[None] = [None]
    ways_in: list[int] | list[None] = [None]
    if mate == vertex or mate >= 2 * size:  # it misses an edge out
        ways_out = [w for w in stage.outwards if _misses(mates[place[w]], size, 1)]
    if mate == vertex or size <= mate < 2 * size:
        ways_in = [u for u in stage.inwards if _misses(mates[place[u]], size, 2)]
    for to in ways_out:
        for origin in ways_in:
            if origin == to and origin is not None:
                continue
            after = mates.copy()
            edges = []
            if to is not None:
                edges.append((vertex, to))
            if origin is not None:
                edges.append((origin, vertex))
            is_circuit = False
            for tail, head in edges:
                is_circuit = _closes(after, tail, head, place, size)
            if is_circuit:
                if stage.is_last_opening and all(mate == _DONE for mate in after):
                    yield tuple(edges), None
                continue
            if any(_misses(after[p], size, 1) for p in stage.needs_in) or any(
                _misses(after[p], size, 2) for p in stage.needs_out
            ):
                continue
            del after[here]
            yield tuple(edges), tuple(after)


def _misses(mate: int, size: int, role: int) -> bool:
    """Whether a vertex misses an edge in (role 1) or out (role 2)."""
    return 0 <= mate < size or mate // size == role


def _closes(mates: list[int], a: int, b: int, place: dict[int, int], size: int) -> bool:
    """Add the edge from a to b to the paths; return whether it closes a circuit."""
    begin = mates[place[a]] - 2 * size if mates[place[a]] >= size else a
    finish = mates[place[b]] - size if mates[place[b]] >= size else b
    mates[place[a]] = mates[place[b]] = _DONE
    if begin == b:
        return True
    mates[place[begin]] = size + finish
    mates[place[finish]] = 2 * size + begin
    return False
