"""What counting in tables of states is good for beside the number itself, in pure Python.

What it computes: what leads to a state (`predecessors`, with which `sampling` walks back), and
boards whose last two rows are given (`ending`).

Cost.  About three microseconds a transition.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from . import _frontier_py
from ._frontier_py import MATELESS, Layer, degree
from .elimination import Problem, Stage
from .frontier import TableSweep

__all__ = ["count_cycles", "ending", "predecessors"]


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
    sweep = TableSweep(problem, _frontier_py)
    sweep.done = len(sweep.stages) - 2 * width
    if apex >= 0:
        renamed = Layer(layer.vertices)
        for state, ways in layer.items():
            renamed[tuple(problem.apex if mate == apex else mate for mate in state)] = ways
        layer = renamed
    sweep.layers = [layer]
    while sweep.step(tick):
        pass
    return sweep.total


def predecessors(
    stage: Stage, layer: Any, mates: tuple[int, ...], is_closed: bool
) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return the states of the layer before a stage that lead to a state after it.

    Args:
        stage: the stage.
        layer: the layer before it, of either engine.
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
        edges = degree(cell, mates[cell])
        if is_closed:
            look_up((cell,), (vertex, cell), (cell, vertex))
        elif edges == 1:  # the path that ended in the vertex now ends in the cell
            far = mates[cell]
            look_up((cell,), (vertex, far), (far, vertex), (cell, cell))
        elif edges == 2:  # two paths were joined, and their other ends became mates
            for near in ends:
                far = mates[near]
                look_up((cell,), (vertex, near), (near, vertex), (cell, far), (far, cell))
    for first, second in combinations(stage.later, 2):
        if not required <= {first, second}:
            continue
        pair = (first, second)
        degrees = degree(first, mates[first]), degree(second, mates[second])
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
    sweep = TableSweep(problem, _frontier_py)
    while sweep.step(tick):
        pass
    return sweep.total % modulus if modulus else sweep.total
