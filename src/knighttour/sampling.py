"""Tours drawn uniformly: every tour of a board with exactly the same probability.

What it does.  `sample` draws any number of tours, independently of each other, from all the closed
or open tours of a board, with a given start or end or none.

Method.  Backward sampling. A sweep (see `elimination`) counts the ways to every state, and all its
layers are kept. A tour is drawn from its end: first the vertex in whose elimination the cycle
closes, with a probability proportional to the number of cycles that close there, then, again and
again, the state that the state at hand came from, with a probability proportional to the number of
ways to it. All numbers are exact integers, so every tour has the probability 1 / count. One sweep
serves all samples, and samples in the same state ask only once. Numbers beyond 2^64 are kept modulo
several primes, one sweep each, and put together by the Chinese remainder theorem where they are
looked at; there is one prime more than needed, and no number may come out above the count.

Known answers: 100 000 samples of the 9862 closed tours of 6x6 pass a chi-square test, and so do
those of the 864 open ones of 5x5.

Cost.  One sweep, or one for every 63 bits of the count and one more; the memory of all their
layers, known beforehand; and then about a millisecond a tour.
"""

from __future__ import annotations

import contextlib
import operator
import os
import secrets
import shutil
import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

from ._engine import Engine, get_engine
from .answer import StoredPath, Tour
from .board import Board, BoardLike, SquareLike
from .counting import Progress, Watch
from .dense import Blueprint, Sweep
from .elimination import Problem
from .errors import InvalidInputError, KnightTourError, NoTourError, SearchLimitError, Square
from .frontier import TableSweep
from .limits import Limits, check_seed, human_bytes
from .predictor import forecast
from .questions import (
    FITS,
    Question,
    bits_expected,
    check_memory,
    check_tables,
    check_threads,
    is_sparse,
    plan_of,
    sweeps_expected,
)
from .randomness import splitmix64
from .residues import PRIMES_BELOW, chinese_remainder, primes_below

__all__ = ["sample", "uniform_tour"]

_MAX_VERTICES = 512


class _Generator:
    """The generator splitmix64, one for each sample."""

    __slots__ = ("state",)

    def __init__(self, seed: int, number: int) -> None:
        # A sample is the same however many are drawn with it.
        self.state = seed
        self.state = self.next() ^ number
        self.state = self.next()

    def next(self) -> int:
        """Return the next 64 random bits."""
        self.state, value = splitmix64(self.state)
        return value

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each with the same probability."""
        words = (bound.bit_length() + 63) // 64
        span = 1 << 64 * words
        most = span - span % bound
        while True:
            value = 0
            for _ in range(words):
                value = value << 64 | self.next()
            if value < most:
                return value % bound


def sample(
    board: BoardLike = "xiangqi",
    k: int = 1,
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    seed: int | None = None,
    memory_limit: int | None = None,
    spill: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> list[Tour]:
    """Draw tours, each of all the tours of a board with the same probability.

    Args:
        board: a `Board`, ``"chess"``, ``"xiangqi"``, text ``"RxC"`` or a pair ``(rows, cols)``.
        k: how many, independent of each other.
        start, end: the ends of open tours, or None. A closed tour begins at `start` (None: at the
            first square) and goes round in a direction drawn too; with both it ends at `end`.
        closed: draw closed tours; else open ones, those that could be closed included.
        seed: a whole number from 0 to 2^64 - 1; None takes a new one, ``tour.stats.seed`` tells
            it. With the same seed the first tours are the same whatever `k` is, on both engines.
        memory_limit: most bytes to take, None for what is free.
        spill: a folder for layers that do not fit into the memory; as in `count`, not for boards
            that are counted in a table, and not with the pure engine.
        timeout: most seconds to take.
        threads: how many to use in the sweep, None for one a core.
        progress: called about twenty times a second with a `Progress`.
        backend: ``"core"`` or ``"pure"`` for this call, None for `knighttour.BACKEND`.

    Returns:
        `k` tours, each checked square by square.

    Raises:
        InvalidInputError: something in the call cannot be used.
        NoTourError: proved, there is no such tour.
        SearchLimitError: `memory_limit`, before the first state is stored, or `timeout`.

    6x6 closed takes 0.05 s and then about a millisecond a tour; chess closed needs 18 GiB. Where
    there are more than 2^64 tours, the layers are kept modulo several primes: about twice the
    memory for 100 bits.

    >>> tours = sample("6x6", 3, closed=True, seed=7)
    >>> [tour.closed for tour in tours], tours == sample("6x6", 3, closed=True, seed=7)
    ([True, True, True], True)
    """
    began = perf_counter()
    question = Question.of(board, start, end, closed, None)
    engine = get_engine(backend)
    wanted = _check_number(k)
    number = secrets.randbits(64) if seed is None else check_seed(seed)
    limit = check_memory(memory_limit)
    workers = check_threads(threads)
    watch = Watch(progress, Limits.of(None, timeout), question.board)
    place = question.board
    if question.trivial is not None:
        if question.trivial == 0:
            raise _no_tour(question)
        orders = [[0]] * wanted
    elif question.one_way is not None:
        check_tables(place, engine.name, spill=spill)
        layers = _TableLayers(question, engine.frontier, limit, watch)
        orders = _draw_one_way(question, layers, wanted, number, watch)
    else:
        squares = len(place.squares)
        if squares >= _MAX_VERTICES:
            raise InvalidInputError(
                f"{place} has {squares} squares: tours of at most {_MAX_VERTICES - 1} are drawn "
                "uniformly; random_tour() without uniform=True draws larger ones"
            )
        with contextlib.ExitStack() as stack:
            folder = None
            if spill is not None:
                try:
                    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=spill)))
                except (TypeError, OSError) as error:
                    raise InvalidInputError(
                        f"{spill!r} cannot be used as a folder: {error}"
                    ) from None
            orders = _draw(
                question,
                _layers(question, engine, limit, workers, watch, folder),
                wanted,
                number,
                watch,
            )
    near = {square: set(place.neighbours(square)) for square in place.squares}
    seconds = perf_counter() - began
    return [_tour(place, near, order, question, engine, seconds, number) for order in orders]


def uniform_tour(
    board: BoardLike = "xiangqi",
    *,
    closed: bool = False,
    seed: int | None = None,
    timeout: float | None = None,
    memory_limit: int | None = None,
    backend: str | None = None,
) -> Tour:
    """Draw one tour uniformly: what ``random_tour(board, uniform=True)`` returns.

    Args:
        board, closed, seed, timeout, memory_limit, backend: as in `sample`.

    Raises:
        As `sample`.

    >>> uniform_tour("5x6", closed=True, seed=1).closed
    True
    """
    return sample(
        board,
        1,
        closed=closed,
        seed=seed,
        timeout=timeout,
        memory_limit=memory_limit,
        backend=backend,
    )[0]


def _check_number(k: object) -> int:
    number = -1
    if not isinstance(k, bool):
        with contextlib.suppress(TypeError):
            number = operator.index(k)  # type: ignore[arg-type]
    if number < 0:
        raise InvalidInputError(f"k={k!r} is not a number of tours: use a whole number >= 0")
    return number


def _no_tour(question: Question) -> NoTourError:
    return NoTourError(
        f"there is none of these: {question.what}; counting them all gives 0",
        reason="count-zero",
        source="exact count by this package",
    )


# The layers, and the way back through them


class _TableLayers:
    """All layers of a sweep in tables of states."""

    def __init__(
        self, question: Question, kernel: ModuleType, limit: int | None, watch: Watch
    ) -> None:
        problem = question.problem or question.one_way
        assert problem is not None
        sweep = TableSweep(problem, kernel, keep=True)
        watch.expect_steps(len(sweep.stages))

        def tick() -> None:
            watch.tick(sweep.done)
            sweep.check_memory(limit, question.board)

        while sweep.step(tick):
            pass
        self.total = sweep.total
        self.stages = sweep.stages
        self.layers = sweep.layers

    def predecessors(self, number: int, state: bytes, is_closed: bool) -> list[Any]:
        """Return ``(chosen, state, ways)`` for the states before a stage."""
        mates = tuple(memoryview(state).cast("h"))
        found = get_engine("pure").counting.predecessors(
            self.stages[number], self.layers[number], mates, is_closed
        )
        return [(chosen, array("h", before).tobytes(), ways) for chosen, before, ways in found]


class _DenseLayers:
    """All layers of a sweep of the compiled engine, or of one sweep for each of several primes."""

    def __init__(
        self,
        question: Question,
        core: Any,
        limit: int | None,
        threads: int,
        watch: Watch,
        folder: Path | None,
    ) -> None:
        assert question.problem is not None
        self.problem = question.problem
        self._question, self._limit, self._threads = question, limit, threads
        self._watch, self._folder = watch, folder
        self._cost = forecast(self.problem)
        self._blueprint = Blueprint(self.problem, core)
        self.stages = [stage for steps in self._blueprint.stages for stage in steps]
        self._sweeps: list[Sweep] = []
        self._moduli: list[int] = []
        expected = sweeps_expected(8, bits_expected(self.problem))
        self._expect(expected)
        if expected == 1:
            sweep = self._run(0)
            self.total = sweep.total
            if sweep.has_overflowed:
                expected = sweeps_expected(8, 1.5 * FITS)
                self._forget()
                self._expect(expected)
        if expected > 1:
            self.total = chinese_remainder(self._residues, primes_below(PRIMES_BELOW[8]))
        # A number of ways is the sum of its residues with these weights, modulo the product.
        self._product = prod(self._moduli)
        self._weights = [
            self._product // p * pow(self._product // p, -1, p) if p else 1 for p in self._moduli
        ]
        self._where = []
        for number, steps in enumerate(self._blueprint.stages):
            layout = self._sweeps[0].layers[number][0]
            buffers = [sweep.layers[number][1].buffer for sweep in self._sweeps]
            back = self._blueprint.backward(number, layout)
            self._where += [(back, buffers, stage) for stage in range(len(steps))]

    def _expect(self, sweeps: int) -> None:
        """Refuse what will not fit."""
        self._watch.expect(self._cost, sweeps)
        self._watch.sweep = len(self._sweeps)
        self._expected = sweeps
        states = sum(step.states for step in self._cost.steps)
        needed = 8 * states * sweeps
        times = f"{sweeps} times (modulo as many primes) " if sweeps > 1 else ""
        says = (
            f"gave up before the start: drawing from {self._question.what} keeps {states:,} states "
            f"{times}in {human_bytes(needed)}, and "
        )
        if self._folder is not None:
            free = shutil.disk_usage(self._folder).free
            if needed - 8 * states * len(self._sweeps) > free:
                raise SearchLimitError(
                    f"{says}{human_bytes(free)} are free on the disk of {self._folder}"
                )
        elif self._limit is not None and needed + self._cost.memory(8, self._threads) > self._limit:
            raise SearchLimitError(
                f"{says}{human_bytes(self._limit)} may be taken; sample(..., spill=DIR) keeps "
                "them on a disk, memory_limit= allows more"
            )

    def _run(self, modulus: int) -> Sweep:
        """Sweep once and keep the layers."""
        sweep = Sweep(self._blueprint, 8, modulus, self._threads, keep=True, folder=self._folder)
        last = self._blueprint.steps - 1
        while sweep.step(lambda: self._watch.tick(min(sweep.done, last))):
            pass
        self._sweeps.append(sweep)
        self._moduli.append(modulus)
        self._watch.sweep += 1
        return sweep

    def _residues(self, moduli: list[int]) -> list[int]:
        found = []
        for modulus in moduli:
            if len(self._sweeps) == self._expected:  # more tours than were expected
                self._expect(self._expected + 1)
            found.append(self._run(modulus).total)
        return found

    def _forget(self) -> None:
        for _, memory in (layer for sweep in self._sweeps for layer in sweep.layers):
            memory.close()
        self._sweeps.clear()
        self._moduli.clear()

    def predecessors(self, number: int, state: bytes, is_closed: bool) -> list[Any]:
        """Return ``(chosen, state, ways)`` for the states before a stage."""
        back, buffers, stage = self._where[number]
        found: list[Any] = back.predecessors(buffers, self._moduli, state, stage, is_closed)
        return [(chosen, before, self._number(residues)) for chosen, before, residues in found]

    def _number(self, residues: tuple[int, ...]) -> int:
        """Return a number of ways, which all primes but one would tell already."""
        if self._product == 0:  # exact
            return residues[0]
        pairs = zip(residues, self._weights, strict=True)
        number = sum(residue * weight for residue, weight in pairs) % self._product
        if number > self.total:
            raise KnightTourError("internal error: the residues of a number of ways do not fit")
        return number


def _layers(
    question: Question,
    engine: Engine,
    limit: int | None,
    threads: int,
    watch: Watch,
    folder: Path | None,
) -> _TableLayers | _DenseLayers:
    problem = question.problem
    assert problem is not None
    cost = None
    if engine.name == "core":
        in_blocks = folder is not None
        cost = plan_of(question, threads, limit, watch.check, in_blocks=in_blocks).forecast
    if cost is not None and (
        folder is not None
        or limit is None
        or not is_sparse(question.board)
        or 8 * sum(step.states for step in cost.steps) <= limit
    ):
        return _DenseLayers(question, engine.counting, limit, threads, watch, folder)
    check_tables(question.board, engine.name, spill=folder)
    return _TableLayers(question, engine.frontier, limit, watch)


def _draw(
    question: Question,
    layers: _TableLayers | _DenseLayers,
    wanted: int,
    seed: int,
    watch: Watch,
) -> list[list[int]]:
    """Return the squares of each tour in order, as numbers."""
    problem = question.problem
    assert problem is not None
    vertices = len(problem.neighbours)
    stages = layers.stages
    finished = array("h", [get_engine("pure").frontier.MATELESS] * vertices).tobytes()
    # Where the cycle closes.
    closings: list[tuple[int, tuple[int, ...], bytes, int]] = []
    for number, stage in enumerate(stages):
        if stage.is_last_opening:
            closings += [(number, *way) for way in layers.predecessors(number, finished, True)]
    if not closings:
        raise _no_tour(question)
    bounds = list(accumulate(ways for *_, ways in closings))
    if bounds[-1] != layers.total:
        raise KnightTourError("internal error: the ways back do not add up to the count")
    generators = [_Generator(seed, number) for number in range(wanted)]
    edges: list[list[list[int]]] = [[[] for _ in range(vertices)] for _ in range(wanted)]

    def join(sample: int, vertex: int, chosen: tuple[int, ...]) -> None:
        for other in chosen:
            edges[sample][vertex].append(other)
            edges[sample][other].append(vertex)

    waiting: list[dict[bytes, list[int]]] = [{} for _ in stages]
    for number, generator in enumerate(generators):
        where, chosen, state, _ = closings[bisect_right(bounds, generator.below(bounds[-1]))]
        join(number, stages[where].vertex, chosen)
        # Vertices eliminated later have both their edges already.
        waiting[where].setdefault(state, []).append(number)
    # All samples in the same state before a stage go back together.
    here: dict[bytes, list[int]] = {}
    for number in range(len(stages) - 1, -1, -1):
        if here:
            there: dict[bytes, list[int]] = {}
            for state, samples in here.items():
                watch.check()
                ways_back = layers.predecessors(number, state, False)
                limits = list(accumulate(ways for _, _, ways in ways_back))
                for sample_number in samples:
                    drawn = generators[sample_number].below(limits[-1])
                    chosen, before, _ = ways_back[bisect_right(limits, drawn)]
                    join(sample_number, stages[number].vertex, chosen)
                    there.setdefault(before, []).append(sample_number)
            here = there
        for state, samples in waiting[number].items():
            here.setdefault(state, []).extend(samples)
    return [_walk(problem, edges[number], question, generators[number]) for number in range(wanted)]


def _walk(
    problem: Problem, edges: list[list[int]], question: Question, generator: _Generator
) -> list[int]:
    """Walk once round a cycle; return the squares in the order of the tour."""
    turn = generator.below(2)
    place = question.board
    index = {square: number for number, square in enumerate(place.squares)}
    first = None if question.start is None else index[question.start]
    last = None if question.end is None else index[question.end]
    apex = problem.apex
    begin = apex if apex >= 0 else (first if first is not None else (last or 0))
    order = [begin, edges[begin][turn]]
    while True:
        a, b = edges[order[-1]]
        following = b if a == order[-2] else a
        if following == begin:
            break
        order.append(following)
    if apex >= 0:
        order = order[1:]
        if (first is not None and order[0] != first) or (last is not None and order[-1] != last):
            order.reverse()
    elif first is not None and last is not None and order[-1] != last:
        order = [order[0], *order[:0:-1]]
    elif first is None and last is not None:
        order = [*order[1:], order[0]]
    return order


def _draw_one_way(
    question: Question, layers: _TableLayers, wanted: int, seed: int, watch: Watch
) -> list[list[int]]:
    """Return the squares of each tour in order, as numbers, where moves go one way only.

    As `_draw`, but the states before those at hand are found by going through the whole layer.
    """
    assert question.one_way is not None
    if layers.total == 0:
        raise _no_tour(question)
    stages = layers.stages
    successors = get_engine("pure").frontier.successors
    generators = [_Generator(seed, number) for number in range(wanted)]
    after: list[dict[int, int]] = [{} for _ in range(wanted)]
    # By stage, what a sample has to come back to: a state, or None for the circuit.
    waiting: list[dict[object, list[int]]] = [{} for _ in stages]
    closings = [
        (number, ways)
        for number, stage in enumerate(stages)
        if stage.is_last_opening
        for state, ways in layers.layers[number].items()
        for _, behind in successors(stage, state)
        if behind is None
    ]
    bounds = list(accumulate(ways for _, ways in closings))
    for sample_number, generator in enumerate(generators):
        where, _ = closings[bisect_right(bounds, generator.below(layers.total))]
        waiting[where].setdefault(None, []).append(sample_number)
    for number in range(len(stages) - 1, -1, -1):
        watch.check()
        here = waiting[number]
        if not here:
            continue
        found: dict[object, list[tuple[Any, Any, int]]] = {target: [] for target in here}
        for state, ways in layers.layers[number].items():
            for edges, behind in successors(stages[number], state):
                if behind in found:
                    found[behind].append((edges, state, ways))
        for target, samples in here.items():
            limits = list(accumulate(ways for *_, ways in found[target]))
            for sample_number in samples:
                drawn = generators[sample_number].below(limits[-1])
                edges, state, _ = found[target][bisect_right(limits, drawn)]
                after[sample_number].update(edges)
                if number:
                    waiting[number - 1].setdefault(state, []).append(sample_number)
    apex = question.one_way.apex
    orders = []
    for leads_to in after:
        begin = apex
        if begin < 0 and question.start is not None:
            begin = question.board.squares.index(question.start)
        elif begin < 0 and question.end is not None:
            begin = leads_to[question.board.squares.index(question.end)]
        order = [max(begin, 0)]
        while (following := leads_to[order[-1]]) != order[0]:
            order.append(following)
        orders.append(order[1:] if apex >= 0 else order)
    return orders


def _tour(
    board: Board,
    near: dict[Square, set[Square]],
    order: list[int],
    question: Question,
    engine: Engine,
    seconds: float,
    seed: int,
) -> Tour:
    """Check a tour square by square and hand it out."""
    squares = [board.squares[number] for number in order]
    is_fine = len(set(squares)) == len(near) == len(squares) and all(
        b in near[a] for a, b in pairwise(squares)
    )
    if question.closed:
        is_fine = is_fine and squares[0] in near[squares[-1]]
    if question.start is not None:
        is_fine = is_fine and squares[0] == question.start
    if question.end is not None and (not question.closed or question.start is not None):
        is_fine = is_fine and squares[-1] == question.end
    if not is_fine:
        raise KnightTourError(f"internal error: what was drawn is not a tour of {board}")
    data = array("i", (row * board.cols + col for row, col in squares)).tobytes()
    stats = ("uniform", len(squares), 0, seconds, seed)
    return Tour(board, StoredPath(board.rows, board.cols, data, engine), stats)
