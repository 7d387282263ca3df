"""A sweep of a frontier over a board, state by state, in tables: for graphs of any kind.

What it does.  `TableSweep` goes from the first layer of states to the last, one vertex at a time,
on either engine: the readable definition is `_frontier_py`, its compiled twin `_frontier`. Graphs
of which the order of elimination suits dense blocks are swept by `dense` many times faster; this is
for all others, for edges that go one way only, and for the pure engine.

Cost.  Compiled, about a tenth of a microsecond a way from a state to the next, and 8 bytes for four
vertices of a state, 8 for its number and some 16 more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from . import oneway
from .elimination import Problem, stages
from .errors import SearchLimitError
from .limits import human_bytes
from .oneway import Edge, OneWayProblem, OneWayStage

__all__ = ["TableSweep"]

#: States that are copied at a time.
_PIECE = 4096


class TableSweep:
    """One sweep over the board, vertex by vertex.

    Args:
        problem: the graph and its plan; or one with one-way edges.
        kernel: the ``frontier`` of an engine.
        keep: whether all layers are kept, one after every vertex, as sampling needs them.
    """

    def __init__(
        self, problem: Problem | OneWayProblem, kernel: ModuleType, *, keep: bool = False
    ) -> None:
        #: the stages, one a vertex
        self.stages: list[Any]
        if isinstance(problem, OneWayProblem):
            self.stages = list(oneway.stages(problem))
        else:
            self.stages = [stage for unit in stages(problem) for stage in unit]
        if max(len(stage.place) for stage in self.stages) > kernel.MAX_PLACES:
            from ._engine import get_engine  # which has to be loaded before

            kernel = get_engine("pure").frontier
        self._kernel = kernel
        self._keep = keep
        first = kernel.Layer(1 if problem.apex >= 0 else 0)
        first.put(*_first(problem.apex), 1)
        self.layers = [first]
        self._next: Any = None
        # How many times 64 bits a number has in the compiled engine, by now.
        self._limbs = 1
        #: cycles that have closed, and vertices that are gone
        self.total = 0
        self.done = 0
        self._made = 0

    @property
    def states(self) -> int:
        """How many states the layers have, that at hand included."""
        made = 0 if self._next is None else len(self._next)
        return sum(map(len, self.layers)) + made

    @property
    def made(self) -> int:
        """How many states have been made so far, in all layers."""
        return self._made + (0 if self._next is None else len(self._next))

    def check_memory(self, limit: int | None, board: object) -> None:
        """Give up when the layers, that at hand included, take more bytes than the limit."""
        if limit is None:
            return
        made = 0 if self._next is None else self._next.memory
        if sum(layer.memory for layer in self.layers) + made > limit:
            raise SearchLimitError(
                f"gave up: {self.states:,} states of {board} in tables take more than "
                f"{human_bytes(limit)}; nothing is proved"
            )

    def step(self, tick: Callable[[], None] | None = None) -> bool:
        """Eliminate one more vertex; return whether there is more to do.

        Args:
            tick: called every few milliseconds; what it raises ends the step, which then has not
                been done.

        Raises:
            SearchLimitError: there is no memory for it.
        """
        if self.done == len(self.stages):
            return False
        stage = self.stages[self.done]
        try:
            while True:
                source = self.layers[-1]
                self._next = self._kernel.Layer(_vertices_after(stage), self._limbs)
                found = self._kernel.advance(source, stage, self._next, tick)
                if found is not None:
                    break
                self.layers[-1] = self._widened(source, tick)
                self._limbs += 1
            self.total += found
            self._made += len(self._next)
            self.layers = [*self.layers, self._next] if self._keep else [self._next]
        except MemoryError:
            raise self._out_of_memory() from None
        finally:
            self._next = None
        self.done += 1
        return True

    def back(
        self, behind: Any, tick: Callable[[], None] | None = None
    ) -> tuple[Any, dict[Edge, int]]:
        """Go back over the last vertex of a sweep that keeps its layers, and forget the last layer.

        Args:
            behind: from the states of the layer after it to their completions, the ways from there
                to a cycle; None at the end of the sweep, behind which there is nothing.
            tick: as in `step`.

        Returns:
            The completions of the layer before it, and from the edges between the vertex and later
            ones, ``(vertex, larger vertex)`` or one-way ``(from, to)``, to the numbers of cycles.

        Raises:
            SearchLimitError: there is no memory for it.
        """
        stage = self.stages[self.done - 1]
        source = self.layers[-2]
        if behind is None:
            behind = self._kernel.Layer(_vertices_after(stage))
        try:
            while True:
                self._next = self._kernel.Layer(source.vertices, self._limbs)
                found = self._kernel.retreat(source, stage, behind, self._next, tick)
                if found is not None:
                    break
                self._limbs += 1
            self.done -= 1
            self.layers.pop()
            return self._next, dict(zip(_edges_of(stage), found, strict=True))
        except MemoryError:
            raise self._out_of_memory() from None
        finally:
            self._next = None

    def _out_of_memory(self) -> SearchLimitError:
        made = len(self._next or ())
        self._next = None  # which makes room for the words
        return SearchLimitError(
            f"gave up: there is no memory for more than {made + self.states:,} states; nothing is "
            "proved"
        )

    def _widened(self, layer: Any, tick: Callable[[], None] | None) -> Any:
        """Return a copy of a layer whose numbers may have 64 bits more."""
        wide = self._kernel.Layer(layer.vertices, layer.limbs + 1)
        for states, numbers in layer.pieces(_PIECE):
            if tick is not None:
                tick()
            wide.put(states, numbers, layer.limbs)
        return wide

    def resume(
        self,
        done: int,
        total: int,
        vertices: int,
        limbs: int,
        pieces: Iterable[tuple[bytes, bytes]],
    ) -> None:
        """Go on after so many vertices from a layer that was kept as pieces."""
        layer = self._kernel.Layer(vertices, limbs)
        for states, numbers in pieces:
            layer.put(states, numbers, limbs)
        self.done, self.total, self.layers, self._limbs = done, total, [layer], limbs


def _first(apex: int) -> tuple[bytes, bytes]:
    """Return the state before the first elimination, as a piece: the apex has no edge yet."""
    state = apex.to_bytes(2, sys.byteorder) if apex >= 0 else b""
    return state, (1).to_bytes(8, sys.byteorder)


def _edges_of(stage: Any) -> list[Edge]:
    """Return the edges that may be chosen when a vertex goes, as kernels number them."""
    vertex = stage.vertex
    if isinstance(stage, OneWayStage):
        away = [(vertex, other) for other in stage.outwards]
        return away + [(other, vertex) for other in stage.inwards]
    return [(min(vertex, other), max(vertex, other)) for other in stage.later]


def _vertices_after(stage: Any) -> int:
    return len(stage.place) - 1
