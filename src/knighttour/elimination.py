"""Hamiltonian cycles as a plan of elimination: the common ground of both counting engines.

What it does.  Every counting question about tours becomes one question, "how many Hamiltonian
cycles has this graph?":

    closed tours                     the cycles of the move graph
    open tours                       the cycles of the move graph and an apex, one more vertex that
                                     is next to every square and closes the path
    open tours from a start          the same, the edge from the apex to the start being required
    open tours from start to end     the same, the apex being next to these two squares alone
    closed tours through a move      the cycles of the move graph with that move required

Method.  The vertices are eliminated one after the other: when a vertex goes, all its edges to later
vertices are chosen, so that it has two in the end. What has to be remembered is the frontier, the
later vertices next to an eliminated one: how many edges each has got (its degree 0, 1 or 2), and
which ends of paths belong together. Rows go one by one along the long side. Inside a row the order
decides the cost: even columns first, in mirror pairs, then the odd ones, the inner ones first.
Neighbours of one parity open the same squares, so the frontier of a board W wide never has more
than 2 W squares, and since pairs go together every layer is equal to its own mirror image and only
half of it is needed.

What a degree can be is bounded before anything is counted: at most the number of eliminated
neighbours, at least two less than the number of later ones, and the degrees of the white squares
add up to those of the black ones.

Cost.  Linear in the size of the board, except `neighbours` of boards of any shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from .board import Board
from .errors import Square

__all__ = [
    "MAX_DYNAMIC",
    "Problem",
    "Stage",
    "most_dynamic",
    "problem_of",
    "stages",
    "widest_frontier",
]

#: In dense blocks no more degrees may change at a time; a pair of a rectangle, and the apex, have
#: eleven.
MAX_DYNAMIC = 11


class Problem(NamedTuple):
    """How many Hamiltonian cycles are there? The graph, and in which order it is eliminated."""

    #: the adjacent vertices of every vertex; squares first, row by row, then the apex
    neighbours: tuple[tuple[int, ...], ...]
    #: the order of elimination; a unit is a mirror pair or one vertex; the apex stays to the end
    units: tuple[tuple[int, ...], ...]
    #: edges that every cycle must use
    required: tuple[tuple[int, int], ...]
    #: +1 or -1 a square and 0 for the apex where every edge joins +1 and -1, else all 0
    colours: tuple[int, ...]
    #: the mirror image of every vertex where units, edges and required edges allow it, else empty
    mirror: tuple[int, ...]
    #: the order in which the ends of paths are numbered: mirrored by reversing it, the vertices on
    #: the axis (``mirror[v] == v``) keeping theirs
    positions: tuple[int, ...]
    #: the apex, -1 where there is none
    apex: int

    @property
    def is_coloured(self) -> bool:
        """Whether the colours mean anything."""
        return any(self.colours)

    @property
    def excess(self) -> int:
        """How many squares of colour +1 there are more than of colour -1."""
        return sum(self.colours)


class Stage(NamedTuple):
    """One vertex goes: everything about it that does not depend on the state."""

    vertex: int
    #: its later neighbours
    later: tuple[int, ...]
    #: those of them that it must be joined to
    required: tuple[int, ...]
    #: the frontier before it, in order of opening
    before: tuple[int, ...]
    #: vertices that enter the frontier with it
    opened: tuple[int, ...]
    #: where a vertex is in ``(*before, *opened)``
    place: dict[int, int]
    #: the frontier after it, and the bounds of the degree of each of its vertices
    after: tuple[int, ...]
    bounds: dict[int, tuple[int, int]]
    #: whether no later vertex is outside the frontier, so that a cycle may close
    is_last_opening: bool


def problem_of(
    board: Board,
    start: Square | None,
    end: Square | None,
    closed: bool,
    *,
    required: Iterable[tuple[int, int]] = (),
    tall: bool | None = None,
) -> Problem | None:
    """Return the problem whose cycles are the tours asked for, or None where there are none.

    Args:
        board: any board whose moves go both ways.
        start, end: squares of it, or None; an end without a start is a start, tours being
            reversible. Closed tours heed them only if both are given.
        closed: cycles of the board itself.
        required: further edges that must be used, as numbers of squares in ``board.squares``.
        tall: whether the rows of the board are eliminated one after the other, or its columns;
            None: along the longer side.

    >>> problem = problem_of(Board(5, 6), None, None, True)
    >>> len(problem.neighbours), problem.units[:3], problem.units[-1], problem.apex
    (30, ((0, 24), (12,), (6, 18)), (11, 23), -1)
    """
    squares = list(board.squares)
    index = {square: number for number, square in enumerate(squares)}
    graph = [
        [index[other] for other in dict.fromkeys(board.neighbours(square)) if other != square]
        for square in squares
    ]
    if start is None:
        start, end = end, None
    ends = [index[square] for square in (start, end) if square is not None]
    wanted = {(min(edge), max(edge)) for edge in required}
    apex = -1
    if closed:
        if len(ends) == 2:
            if ends[1] not in graph[ends[0]]:
                return None
            wanted.add((min(ends), max(ends)))
    else:
        if len(ends) == 2 and ends[0] == ends[1]:
            return None
        apex = len(squares)
        graph.append(ends if len(ends) == 2 else list(range(apex)))
        for vertex in graph[apex]:
            graph[vertex].append(apex)
        wanted |= {(vertex, apex) for vertex in ends}
    colours = _colours(graph, apex)
    if colours is None:
        return None
    excess = sum(colours)
    if excess not in (-1, 0, 1) or (excess and apex < 0) or not all(graph):
        return None
    if apex >= 0 and any(colours):
        # The two ends of an open tour have opposite colours, or both the one that there is more of.
        shades = [colours[vertex] for vertex in ends]
        if (len(ends) == 2 and sum(shades) != 2 * excess) or (excess and -excess in shades):
            return None
    if tall is None:
        tall = board.rows >= board.cols
    places = [square if tall else (square[1], square[0]) for square in squares]
    units, mirror, positions = _order(places, board.cols if tall else board.rows, apex)
    edges = tuple(sorted(wanted))
    if not _is_symmetric(graph, edges, mirror):
        mirror = ()
    if not mirror and most_dynamic(graph, units, apex) > MAX_DYNAMIC:
        units = tuple((vertex,) for unit in units for vertex in unit)
    return Problem(
        tuple(map(tuple, graph)),
        units,
        edges,
        colours,
        mirror,
        positions,
        apex,
    )


def _colours(graph: list[list[int]], apex: int) -> tuple[int, ...] | None:
    """Colour the squares so that every edge joins +1 and -1; all 0 where that cannot be done.

    None stands for a board that falls apart.
    """
    colours = [0] * len(graph)
    colours[0] = 1
    waiting = [0]
    reached = 1
    is_coloured = True
    while waiting:
        vertex = waiting.pop()
        for other in graph[vertex]:
            if other == apex:
                continue
            if not colours[other]:
                colours[other] = -colours[vertex]
                reached += 1
                waiting.append(other)
            elif colours[other] == colours[vertex]:
                is_coloured = False
    if reached < len(graph) - (apex >= 0):
        return None
    return tuple(colours) if is_coloured else (0,) * len(graph)


def _order(
    places: list[Square], width: int, apex: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]:
    """Return the units, the mirror image of every vertex, and the order of the ends of paths."""
    at = {place: vertex for vertex, place in enumerate(places)}
    folded = [min(col, width - 1 - col) for col in range(0, width, 2)]
    columns = list(dict.fromkeys(folded))
    columns += sorted(set(range((width + 1) // 2)) - set(columns), reverse=True)
    units = []
    for row in range(max(row for row, _ in places) + 1):
        for col in columns:
            pair = dict.fromkeys(((row, col), (row, width - 1 - col)))
            unit = tuple(at[place] for place in pair if place in at)
            if unit:
                units.append(unit)
    mirror = [at.get((row, width - 1 - col), -1) for row, col in places]

    def end_order(vertex: int) -> tuple[int, int, int]:
        if vertex == apex:
            return 1, width, 0
        row, col = places[vertex]
        if 2 * col < width - 1:
            return 0, col, row
        if 2 * col == width - 1:
            return 1, 0, row
        return 2, col, -row

    vertices = [*range(len(places)), apex] if apex >= 0 else list(range(len(places)))
    if apex >= 0:
        mirror.append(apex)
    positions = [0] * len(vertices)
    for position, vertex in enumerate(sorted(vertices, key=end_order)):
        positions[vertex] = position
    return tuple(units), tuple(mirror), tuple(positions)


def _is_symmetric(
    graph: list[list[int]], required: tuple[tuple[int, int], ...], mirror: tuple[int, ...]
) -> bool:
    """Whether the mirror image of the problem is the problem."""
    if -1 in mirror:
        return False
    wanted = {frozenset(edge) for edge in required}
    if {frozenset((mirror[a], mirror[b])) for a, b in required} != wanted:
        return False
    return all(
        {mirror[other] for other in graph[vertex]} == set(graph[mirror[vertex]])
        for vertex in range(len(graph))
    )


def most_dynamic(
    graph: Sequence[Sequence[int]], units: tuple[tuple[int, ...], ...], apex: int
) -> int:
    """Return the largest number of vertices whose degree can change in one unit's step."""
    number = {vertex: place for place, unit in enumerate(units) for vertex in unit}
    number[apex] = len(units)
    return max(
        len(
            set(unit)
            | {other for vertex in unit for other in graph[vertex] if number[other] >= place}
            | {apex}
        )
        - (apex < 0)
        for place, unit in enumerate(units)
    )


def widest_frontier(problem: Problem) -> int:
    """Return the largest number of vertices that are at a time in the frontier, the apex included.

    >>> widest_frontier(problem_of(Board(8, 8), None, None, True))
    16
    """
    number = {vertex: place for place, unit in enumerate(problem.units) for vertex in unit}
    changes = [0] * (len(problem.units) + 1)
    for vertex, place in number.items():
        opened = min([place, *(number.get(other, place) for other in problem.neighbours[vertex])])
        changes[opened] += 1
        changes[place] -= 1
    return max(accumulate(changes)) + (problem.apex >= 0)


def stages(problem: Problem) -> list[list[Stage]]:
    """Return for every unit the stages in which its vertices go."""
    graph = problem.neighbours
    gone = [False] * len(graph)
    remaining = [len(near) for near in graph]
    must: dict[int, list[int]] = {}
    for a, b in problem.required:
        must.setdefault(a, []).append(b)
        must.setdefault(b, []).append(a)
    frontier: list[int] = [problem.apex] if problem.apex >= 0 else []
    outside = len(graph) - len(frontier)
    plan = []
    for unit in problem.units:
        steps = []
        for vertex in unit:
            later = tuple(other for other in graph[vertex] if not gone[other])
            opened = tuple(other for other in (vertex, *later) if other not in frontier)
            outside -= len(opened)
            gone[vertex] = True
            for other in graph[vertex]:
                remaining[other] -= 1
            before = tuple(frontier)
            frontier = [other for other in (*frontier, *opened) if other != vertex]
            bounds = {
                other: (
                    max(0, 2 - remaining[other]),
                    # a required edge to a vertex that is still there keeps its place free
                    min(
                        len(graph[other]) - remaining[other],
                        2 - sum(not gone[partner] for partner in must.get(other, ())),
                    ),
                )
                for other in frontier
            }
            required = tuple(other for other in must.get(vertex, ()) if not gone[other])
            place = {other: number for number, other in enumerate((*before, *opened))}
            steps.append(
                Stage(
                    vertex, later, required, before, opened, place, tuple(frontier), bounds,
                    outside == 0,
                )
            )  # fmt: skip
        plan.append(steps)
    return plan
