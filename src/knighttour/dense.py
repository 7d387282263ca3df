"""The sweep over dense blocks: what the compiled kernels of `_counting` are told to do, and when.

What it does.  `Blueprint` turns a `Problem` into the layouts and steps of the compiled engine;
`Sweep` runs them one after the other on as many threads as wanted. A layer lies in one stretch of
memory; the threads take runs of slices from its beginning to its end, and give the pages of the
source back as they go, so that hardly more than one layer is in memory at a time.

Method.  See `elimination` for what is counted and `_counting` for how a layer is kept;
docs/counting.md
tells it from the beginning.

Cost.  About a nanosecond a transition and core; `predictor` says beforehand how many there will be.
"""

from __future__ import annotations

import errno
import mmap
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise, product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from .elimination import Problem, Stage, stages
from .errors import SearchLimitError
from .limits import human_bytes
from .workers import work_in_threads

__all__ = ["Blueprint", "Memory", "Sweep"]

#: Values in a run of slices that a thread takes at a time: some ten milliseconds of work.
_RUN = 1 << 20

#: Layers of fewer bytes are used up from their beginning to their end.
_LOOSE = 1 << 26

#: Layers of so few bytes stay where they are until the one after the next is written there: for
#: them the system takes as long to give and take pages as the work takes.
_SPARE = 1 << 26

#: By so many mirror pairs of cells the slices of a large layer are ordered.
_ORBITS = 2

#: Layers of fewer values are worked in the calling thread.
_SMALL = 1 << 15

#: No tables of mirror images for more pairs than this: eight pairs take 8 MB each.
_MIRROR_PAIRS = 8

#: Layouts of so few slices are kept and used again.
_REMEMBERED = 10_000


class Shape(NamedTuple):
    """A frontier seen from the next step: which cells keep their degree and which may not."""

    static: tuple[int, ...]
    dynamic: tuple[int, ...]
    bounds: dict[int, tuple[int, int]]
    #: static cells, mirror pairs or cells on the axis, that stay the same in the next step too
    steady: tuple[tuple[int, ...], ...]


@cache
def _tables(core: Any) -> Any:
    """Return the tables of the kernels; they never change, so all sweeps share them."""
    return core.Tables()


class Blueprint:
    """The layouts and steps of a problem, made when they are asked for.

    Args:
        problem: the problem.
        core: the module `_counting`.
    """

    def __init__(self, problem: Problem, core: Any) -> None:
        self.problem = problem
        self.core = core
        self.stages = stages(problem)
        self.steps = len(self.stages)
        self._mirrors = core.Mirrors()
        self._shapes = self._make_shapes()
        self._gone = [0]
        for unit in problem.units:
            self._gone.append(self._gone[-1] + sum(2 * problem.colours[v] for v in unit))
        self._made: dict[Any, Any] = {}
        self._lock = threading.Lock()

    def _dynamic(self, number: int) -> set[int]:
        """Return the cells whose degree may change in step `number`."""
        changing = {
            vertex for stage in self.stages[number] for vertex in (stage.vertex, *stage.later)
        }
        if self.problem.apex >= 0:
            changing.add(self.problem.apex)
        return changing

    def _make_shapes(self) -> list[Shape]:
        apex = self.problem.apex
        frontiers = [steps[0].before for steps in self.stages]
        frontiers.append((apex,) if apex >= 0 else ())
        first = {apex: (0, 0)} if apex >= 0 else {}
        bounds = [first, *(steps[-1].bounds for steps in self.stages)]
        changing = [self._dynamic(number) for number in range(self.steps)]
        changing.append(set(frontiers[-1]))
        last = {vertex: number for number, unit in enumerate(self.problem.units) for vertex in unit}
        shapes: list[Shape] = []
        for number, frontier in enumerate(frontiers):
            mirror = self.problem.mirror
            dynamic = sorted(
                (cell for cell in frontier if cell in changing[number]),
                key=lambda cell: last.get(cell, -1),
            )
            # A layer is filled in the order in which the one before it is used up. So its most
            # significant cells are those by which the step before was ordered, then come those by
            # which its own step will be.
            after = changing[number + 1] if number < self.steps else set()
            static = [cell for cell in frontier if cell not in changing[number]]
            filled = shapes[-1].steady if shapes else ()
            orbits = {tuple(sorted({cell, mirror[cell] if mirror else cell})) for cell in static}
            steady = sorted(
                (orbit for orbit in orbits if not after.intersection(orbit)),
                key=lambda orbit: (orbit not in filled, -last[orbit[0]]),
            )[:_ORBITS]
            first_cells = [cell for orbit in dict.fromkeys((*filled, *steady)) for cell in orbit]
            static.sort(
                key=lambda cell: (
                    first_cells.index(cell) if cell in first_cells else len(first_cells),
                    -last[cell],
                )
            )
            shapes.append(Shape(tuple(static), tuple(dynamic), bounds[number], tuple(steady)))
        return shapes

    def runs(self, number: int, layout: Any, values: int, most: int) -> list[tuple[int, int]]:
        """Return runs of slices in the order in which step `number` should take them.

        Args:
            layout: the layout of the layer before it.
            values: how many values a run should have at least, if its neighbours allow it.
            most: how many values may lie in the layer before a part of it is given back.
        """
        static, _, bounds, steady = self._shapes[number]
        if layout.states <= most or not steady:
            return list(pairwise(layout.cuts(0, layout.slices, values)))
        radix = {cell: bounds[cell][1] - bounds[cell][0] + 1 for cell in static}
        orbits = steady if layout.states > 16 * most else steady[:1]
        keys = [cell for orbit in orbits for cell in orbit]
        depth = 1 + max(static.index(cell) for cell in keys)
        rest = prod(radix[cell] for cell in static[depth:])
        mirror = self.problem.mirror
        groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for index, digits in enumerate(product(*(range(radix[cell]) for cell in static[:depth]))):
            digit = dict(zip(static, digits, strict=False))
            key = tuple(digit[cell] for cell in keys)
            twin = tuple(digit[mirror[cell] if mirror else cell] for cell in keys)
            groups.setdefault(min(key, twin), []).append((index * rest, (index + 1) * rest))
        return [
            run
            for key in sorted(groups)
            for first, last in groups[key]
            for run in pairwise(layout.cuts(first, last, values))
        ]

    def layout(self, number: int) -> Any:
        """Return the layout of the layer before step `number` (after the last one: `steps`)."""
        problem = self.problem
        static, dynamic, bounds, _ = self._shapes[number]
        mirror, colours = problem.mirror, problem.colours
        slices = prod(high - low + 1 for low, high in (bounds[cell] for cell in static))
        return self._make(
            self.core.Layout,
            slices <= _REMEMBERED,
            [
                (*bounds[cell], colours[cell], static.index(mirror[cell]) if mirror else i)
                for i, cell in enumerate(static)
            ],
            [(*bounds[cell], colours[cell], 0) for cell in dynamic],
            self._gone[number],
            problem.excess,
            dynamic.index(problem.apex) if problem.apex >= 0 else -1,
            any(colours),
            number == 0,
            bool(mirror),
        )

    def _make(self, what: Any, is_small: bool, *arguments: Any) -> Any:
        """Make a layout or a step; small ones are kept, for the rows of a long board are alike."""
        if not is_small:
            return what(*arguments)
        key = (what, repr(arguments))
        with self._lock:
            if key not in self._made:
                if len(self._made) >= 256:
                    self._made.clear()
                self._made[key] = what(*arguments)
            return self._made[key]

    def step(self, number: int, source: Any, target: Any) -> Any:
        """Return step `number` between the layouts `number` and `number` + 1."""
        problem = self.problem
        steps = self.stages[number]
        static, dynamic, *_ = self._shapes[number]
        opened = [cell for stage in steps for cell in stage.opened]
        cells = [*dynamic, *opened]
        place = {cell: i for i, cell in enumerate(cells)}
        bits = sorted((*static, *cells), key=lambda cell: problem.positions[cell])
        position = {cell: i for i, cell in enumerate(bits)}
        weights, constant = self._weights(number + 1)
        mirror = problem.mirror
        left = axis = 0
        after = self._shapes[number + 1]
        frontier = (*after.static, *after.dynamic)
        if mirror:
            for cell in frontier:
                if mirror[cell] == cell:
                    axis |= 1 << position[cell]
                elif problem.positions[cell] < problem.positions[mirror[cell]]:
                    left |= 1 << position[cell]
            with self._lock:
                self._mirrors.prepare(
                    left.bit_count(), axis.bit_count(), min(_MIRROR_PAIRS, len(frontier) // 2)
                )
        nothing = (0, 0, 0, 0)
        return self._make(
            self.core.Step,
            source.slices <= _REMEMBERED and target.slices <= _REMEMBERED,
            source,
            target,
            _tables(self.core),
            self._mirrors,
            [(position[cell], *weights.get(cell, nothing)) for cell in static],
            [(position[cell], *weights.get(cell, nothing)) for cell in cells],
            constant,
            [self._stage(stage, place) for stage in steps],
            left,
            axis,
        )

    def backward(self, number: int, layout: Any) -> Any:
        """Return the way back through step `number`, for sampling."""
        problem = self.problem
        static, dynamic, *_ = self._shapes[number]
        return self.core.Backward(
            layout,
            list(static),
            list(dynamic),
            sorted((*static, *dynamic), key=lambda cell: problem.positions[cell]),
            [cell for stage in self.stages[number] for cell in stage.opened],
            list(problem.mirror),
            len(problem.neighbours),
            [
                (stage.vertex, list(stage.later), [cell in stage.required for cell in stage.later])
                for stage in self.stages[number]
            ],
        )

    @staticmethod
    def _stage(stage: Stage, place: dict[int, int]) -> tuple[Any, ...]:
        return (
            place[stage.vertex],
            [place[cell] for cell in stage.later],
            [cell in stage.required for cell in stage.later],
            [stage.bounds[cell][0] for cell in stage.later],
            [stage.bounds[cell][1] for cell in stage.later],
            stage.is_last_opening,
        )

    def _weights(
        self, number: int
    ) -> tuple[dict[int, tuple[int, int, int, int]], tuple[int, int, int, int]]:
        """Return what one degree of a cell adds to slice, twin, slot and twin slot of a layer."""
        static, dynamic, bounds, _ = self._shapes[number]
        mirror = self.problem.mirror
        slice_weight = {}
        weight = 1
        for cell in reversed(static):
            slice_weight[cell] = weight
            low, high = bounds[cell]
            weight *= high - low + 1
        slot_weight = {cell: 3**i for i, cell in enumerate(dynamic)}
        weights = {}
        constant = 0
        for cell in static:
            twin = mirror[cell] if mirror else cell
            weights[cell] = (slice_weight[cell], slice_weight[twin], 0, 0)
            constant -= bounds[cell][0] * slice_weight[cell]
        for cell in dynamic:
            twin = mirror[cell] if mirror else cell
            weights[cell] = (0, 0, slot_weight[cell], slot_weight[twin])
        # Mirror images have the same bounds, so that both constants are the same.
        return weights, (constant, constant, 0, 0)


class Memory:
    """A stretch of zeros that takes room only where it has been written to.

    Args:
        size: bytes.
        folder: where it may lie in a file without a name, None for memory alone.
    """

    def __init__(self, size: int, folder: Path | None = None) -> None:
        self.size = size
        self.buffer: bytearray | mmap.mmap
        try:
            if size < 1 << 20:
                self.buffer = bytearray(size)
            elif folder is not None:
                with tempfile.TemporaryFile(dir=folder) as file:
                    file.truncate(size)
                    self.buffer = mmap.mmap(file.fileno(), size)
            else:
                self.buffer = mmap.mmap(-1, size, **_PRIVATE)
        except OSError as error:
            if error.errno != errno.ENOMEM:
                raise
            raise MemoryError(f"no room for {human_bytes(size)}") from None

    def release(self, begin: int, end: int) -> None:
        """Give back the pages between two places; their values are lost."""
        if isinstance(self.buffer, mmap.mmap) and _DONTNEED is not None:
            begin = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
            end = end // mmap.PAGESIZE * mmap.PAGESIZE
            if end > begin:
                self.buffer.madvise(_DONTNEED, begin, end - begin)

    def close(self) -> None:
        """Give everything back."""
        if isinstance(self.buffer, mmap.mmap):
            self.buffer.close()


# Private memory, so that giving a page back really frees it; Windows has neither.
_PRIVATE: dict[str, int] = (
    {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
)
_DONTNEED: int | None = getattr(mmap, "MADV_DONTNEED", None)


class Sweep:
    """One sweep of the compiled engine, in memory.

    Args:
        blueprint: the layouts and steps.
        width: bytes of a value: 2, 4 or 8.
        modulus: a prime below 2^16, 2^31 or 2^63, or 0: exact, if `has_overflowed` stays False;
            or a tuple of eight primes below 2^63 (`_counting.PRIMES_AT_ONCE`), and eight times
            `width` 8.
        threads: how many threads work at the same time.
        keep: whether all layers are kept, as sampling needs them; n > 1: every n-th one.
        folder: where the layers are kept as files that the system may page out, None for memory.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        width: int,
        modulus: int | tuple[int, ...],
        threads: int = 1,
        *,
        keep: int = False,
        folder: Path | None = None,
    ) -> None:
        self.blueprint = blueprint
        self.width = width
        self.modulus = modulus
        self.done = 0
        self.stop = blueprint.core.Stop()
        self._scratches = [blueprint.core.Scratch(width) for _ in range(threads)]
        self._keep, self._folder = keep, folder
        #: the layout and the values of the layers before the one at hand that are kept
        self.layers: list[tuple[Any, Memory]] = []
        self._layout = blueprint.layout(0)
        self._spare: Memory | None = None
        self._memory = Memory(width * self._layout.states)
        numbers = len(modulus) if isinstance(modulus, tuple) else 1
        self._memory.buffer[:width] = (1).to_bytes(width // numbers, "little") * numbers

    def begin_at(self, number: int, layout: Any, memory: Memory) -> None:
        """Begin before step `number`, with a layer that another sweep has kept."""
        self.done, self._layout, self._memory = number, layout, memory

    @property
    def layer(self) -> tuple[Any, Memory]:
        """The layout and the values of the layer at hand."""
        return self._layout, self._memory

    @property
    def has_overflowed(self) -> bool:
        """Whether the width was not enough for exact values."""
        return any(scratch.has_overflowed for scratch in self._scratches)

    @property
    def transitions(self) -> int:
        """How many transitions have been made."""
        return sum(scratch.transitions for scratch in self._scratches)

    @property
    def total(self) -> int:
        """The number of cycles that have closed, if there is one modulus."""
        assert isinstance(self.modulus, int)
        is_halved = bool(self.blueprint.problem.mirror)
        total: int = sum(scratch.total(is_halved) for scratch in self._scratches)
        return total % self.modulus if self.modulus else total

    def step(self, tick: Callable[[], None] | None = None) -> bool:
        """Eliminate one more unit; return whether there is more to do.

        Args:
            tick: called every twentieth of a second; what it raises ends the sweep for good.

        Raises:
            SearchLimitError: there is no memory for it.
        """
        number = self.done
        if number == self.blueprint.steps:
            return False
        try:
            self._step(number, tick)
        except MemoryError as error:
            raise SearchLimitError(
                f"gave up: step {number + 1} of {self.blueprint.steps} finds no memory "
                f"({error or 'a table'}); memory_limit= plans with less, threads= takes fewer"
            ) from None
        return True

    def _step(self, number: int, tick: Callable[[], None] | None) -> None:
        source = self._layout
        target = self.blueprint.layout(number + 1)
        step = self.blueprint.step(number, source, target)
        memory = self._room(self.width * target.states)
        runs = iter(self.blueprint.runs(number, source, _RUN, _LOOSE // self.width))
        if source.states < _SMALL:
            self._work(step, memory, runs, threading.Lock(), self._scratches[0])
            if tick is not None:
                tick()
        else:
            self._work_together(step, memory, runs, tick)
        if self._is_kept(number):
            self.layers.append((source, self._memory))
        elif self._memory.size <= _SPARE:
            self._spare = self._memory
        else:
            self._memory.close()
        self._layout, self._memory = target, memory
        self.done += 1

    def _room(self, size: int) -> Memory:
        """Return zeros for a layer."""
        spare, self._spare = self._spare, None
        if spare is not None:
            if size <= spare.size:
                self.blueprint.core.clear(spare.buffer, size)
                return spare
            spare.close()
        return Memory(size, self._folder)

    def _is_kept(self, number: int) -> bool:
        """Whether the layer before step `number` is kept."""
        return self._keep > 0 and number % self._keep == 0

    def _work(
        self,
        step: Any,
        memory: Memory,
        runs: Iterator[tuple[int, int]],
        lock: threading.Lock,
        scratch: Any,
    ) -> None:
        """Take runs of slices until there are no more."""
        source = self._memory
        while True:
            with lock:
                run = next(runs, None)
            if run is None or self.stop.is_set:
                return
            first, last = run
            step.process(
                scratch, source.buffer, memory.buffer, first, last, self.modulus, self.stop
            )
            if self._is_kept(self.done) or source.size <= _SPARE:
                continue
            source.release(
                self.width * step.source.place(first), self.width * step.source.place(last)
            )

    def _work_together(
        self,
        step: Any,
        memory: Memory,
        runs: Iterator[tuple[int, int]],
        tick: Callable[[], None] | None,
    ) -> None:
        lock = threading.Lock()
        calls = [partial(self._work, step, memory, runs, lock, s) for s in self._scratches]
        work_in_threads(calls, len(calls), self.stop.set, tick)
