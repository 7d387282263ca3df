"""In how many tours every move occurs, and every square as an end: `edge_counts`, `end_counts`.

What it does.  It counts, for all moves of a board at once, the tours that use the move; and for all
squares the open tours that start there. Known answers: all 8 closed tours of 5x6 use the moves of
the corners; 304 open tours of 5x5 start in each corner.

Method.  Forwards and backwards. A sweep (see `elimination`) counts the ways to every state, and its
layers are kept. Then it goes back through them: the completions of a state, the ways from there to
a cycle, are the sum of those of the states that it leads to. The cycles that go through a state and
on by a given transition are the ways there times the completions behind it, and they all use the
edges chosen in this transition: so every edge gets its number. The edges from the apex are the ends
of open tours.

Where the layers do not fit into the memory, every second, third, ... is kept, and those between are
made again on the way back. Where that does not fit either, every move is counted by itself, up to
the symmetries of the board, with the move required.

Counts below 2^64 are exact at once. Larger ones are made modulo primes of 31 or 16 bits, one more
than needed to check. And the moves at every square must add up to twice the number of tours.

Cost.  About two counts, and one more where layers are made again; the memory of the kept layers.
By itself every move costs two counts, without the halving by mirror symmetry: 25 times on 8x8.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from ._engine import Engine, get_engine
from .board import Board, BoardLike, SquareLike
from .counting import Progress, Watch, count_question
from .dense import Blueprint, Memory, Sweep
from .elimination import problem_of
from .errors import KnightTourError, SearchLimitError, Square
from .frontier import TableSweep
from .limits import Limits
from .predictor import Forecast
from .questions import (
    Question,
    bits_expected,
    check_memory,
    check_squares,
    check_threads,
    plan_of,
    refusal,
    sweeps_expected,
)
from .residues import PRIMES_BELOW, primes_below
from .workers import work_in_threads

__all__ = ["Occurrences", "edge_counts", "end_counts", "occurrences"]

#: Values in a run of slices that a thread takes at a time.
_RUN = 1 << 19

#: Layers of fewer states are worked in the calling thread.
_SMALL = 1 << 14

#: What a step back costs, in steps forward: 0.75 on 6x8, 1 on 7x8 and on 6x6 open, in CPU time.
_BACK = 1

Edge = tuple[int, int]


class Occurrences(NamedTuple):
    """What `occurrences` finds."""

    #: as `edge_counts` returns them
    moves: dict[tuple[Square, Square], int]
    #: how many tours have each square for an end, where moves go one way only for their start; for
    #: closed tours all 0
    ends: dict[Square, int]


def edge_counts(
    board: BoardLike = "xiangqi",
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    memory_limit: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> dict[tuple[Square, Square], int]:
    """Count in how many tours each move occurs, each tour without direction counted once.

    Args:
        board, start, end, closed, memory_limit, timeout, threads, backend: as in `count`.
        progress: called about twenty times a second with a `Progress`.

    Returns:
        A dictionary with an entry ``(square, other)``, ``square < other``, for every move of the
        board. For closed tours the entries at a square add up to twice the number of tours. Where
        moves go one way only, there is an entry for every move from a square to another.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: `memory_limit` or `timeout`.

    Cost: about two counts, and the memory of all their layers; three where only some of them fit,
    and 50 on 8x8 where these do not either.

    >>> edge_counts("5x6", closed=True)[(0, 0), (1, 2)]
    8
    """
    question = Question.of(board, start, end, closed, None)
    return occurrences(question, memory_limit, timeout, threads, progress, backend).moves


def end_counts(
    board: BoardLike = "xiangqi",
    *,
    memory_limit: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> dict[Square, int]:
    """Count how many open tours start at each square; as many end there.

    (As many end there where every move can be taken back.)

    Args:
        board, memory_limit, timeout, threads, backend: as in `count`.
        progress: called about twenty times a second with a `Progress`.

    Returns:
        A dictionary from every square to a number; they add up to ``count(board)``.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: `memory_limit` or `timeout`.

    Cost: as `edge_counts` of open tours, from whose sweep these numbers come as well.

    >>> end_counts("5x5")[(0, 0)]
    304
    """
    question = Question.of(board, None, None, False, None)
    return occurrences(question, memory_limit, timeout, threads, progress, backend).ends


def occurrences(
    question: Question,
    memory_limit: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> Occurrences:
    """Count for every move the tours that use it, and for every square those that end there.

    Args:
        question: what is asked for. Of the open tours from a start, all have an end there, and the
            numbers of the other squares say how many lead to each: all pairs from one sweep.
        memory_limit, timeout, threads, progress, backend: as in `edge_counts`.
    """
    check_squares(question.board)
    found = _cycles(question, memory_limit, timeout, threads, progress, backend)
    squares = question.board.squares
    index = {square: number for number, square in enumerate(squares)}
    apex = len(squares)
    is_one_way = question.one_way is not None
    moves = {
        (square, other): found.get((index[square], index[other]), 0)
        for square in squares
        for other in question.board.neighbours(square)
        if index[square] < index[other] or is_one_way
    }
    # The edges of the apex lead to the ends of open tours, a one-way one from it to the start.
    ends = {
        square: found.get((apex, number) if is_one_way else (number, apex), 0)
        for number, square in enumerate(squares)
    }
    if apex == 1 and not question.closed:
        ends = dict.fromkeys(squares, 1)
    return Occurrences(moves, ends)


def _cycles(
    question: Question,
    memory_limit: int | None,
    timeout: float | None,
    threads: int | None,
    progress: Callable[[Progress], None] | None,
    backend: str | None,
) -> dict[Edge, int]:
    """Count in how many of the cycles of a question's problem every edge occurs.

    Returns:
        From edges ``(vertex, larger vertex)``, one-way ones ``(from, to)``, to numbers; an edge
        that is not there has none.
    """
    engine = get_engine(backend)
    watch = Watch(progress, Limits.of(None, timeout), question.board)
    workers = check_threads(threads)
    limit = check_memory(memory_limit)
    if question.trivial is not None:
        return {}
    cost = None
    if engine.name == "core":
        expected = plan_of(question, workers, limit, watch.check)
        cost = expected.forecast
        if cost is not None and expected.width is None:
            raise SearchLimitError(refusal(expected, may_spill=False))
    problem = question.problem
    if cost is None or problem is None:
        return _by_tables(question, engine, limit, watch)
    plan = _plan(cost, bits_expected(problem), workers, limit)
    if plan is None:
        return _one_by_one(question, engine, limit, workers, watch)
    return _by_dense_blocks(question, engine, cost, plan, limit, workers, watch)


def _check(vertices: int, found: dict[Edge, int], total: int, modulus: int = 0) -> None:
    """Every cycle leaves every vertex by two edges."""
    sums = [0] * vertices
    for (a, b), ways in found.items():
        sums[a] += ways
        sums[b] += ways
    if any((ways - 2 * total) % modulus if modulus else ways != 2 * total for ways in sums):
        raise KnightTourError("internal error: the moves at a square do not add up")


# By dense blocks


class _Plan(NamedTuple):
    """How the layers are kept."""

    #: bytes of a value, and how many sweeps are expected
    width: int
    sweeps: int
    #: every so many layers one is kept
    stride: int
    #: bytes that it takes at most
    memory: int


def _plan(cost: Forecast, bits: float, threads: int, limit: int | None) -> _Plan | None:
    """Return how to keep the layers, with as little to make again as possible; None: no way."""
    widths = [8] if sweeps_expected(8, bits) == 1 else []
    sizes = [1, *(step.states for step in cost.steps)]
    before = [0, *accumulate(sizes)]
    for width in (*widths, 4, 2):
        # What a sweep takes at most includes the layer at hand and the one behind it.
        at_work = cost.memory(width, threads)
        for stride in range(1, len(sizes)):
            kept = sum(sizes[::stride])
            between = max(
                before[min(first + stride, len(sizes))] - before[first + 1]
                for first in range(0, len(sizes), stride)
            )
            memory = width * (kept + between) + at_work
            if limit is None or memory <= limit:
                return _Plan(width, sweeps_expected(width, bits), stride, memory)
    return None


def _by_dense_blocks(
    question: Question,
    engine: Engine,
    cost: Forecast,
    plan: _Plan,
    limit: int | None,
    threads: int,
    watch: Watch,
) -> dict[Edge, int]:
    """Count exactly: in 64 bits, or modulo primes."""
    problem = question.problem
    assert problem is not None
    blueprint = Blueprint(problem, engine.counting)
    if plan.width == 8:
        found = _Passage(blueprint, cost, plan, 0, threads, watch).run()
        if found is not None:
            _check(len(problem.neighbours), *found)
            return found[0]
        smaller = _plan(cost, 1e9, threads, limit)  # by primes, and as many as it takes
        if smaller is None:
            return _one_by_one(question, engine, limit, threads, watch)
        plan = smaller._replace(sweeps=sweeps_expected(smaller.width, 70.0))
        watch.sweep = 0
    total, product = 0, 1
    edges: dict[Edge, int] = {}
    for prime in primes_below(PRIMES_BELOW[plan.width]):
        found = _Passage(blueprint, cost, plan, prime, threads, watch).run()
        assert found is not None
        residues, remainder = found
        _check(len(problem.neighbours), residues, remainder, prime)
        watch.sweep += 1
        inverse = pow(product, -1, prime)
        is_known = product > 1 and total % prime == remainder
        for edge, residue in residues.items():
            before = edges.get(edge, 0)
            digit = (residue - before) * inverse % prime
            is_known = is_known and digit == 0
            edges[edge] = before + digit * product
        if is_known:
            _check(len(problem.neighbours), edges, total)
            return edges
        total += (remainder - total) * inverse % prime * product
        product *= prime
    raise KnightTourError("internal error: not enough primes")


class _Passage:
    """Once forwards and backwards."""

    def __init__(
        self,
        blueprint: Blueprint,
        cost: Forecast,
        plan: _Plan,
        modulus: int,
        threads: int,
        watch: Watch,
    ) -> None:
        self._blueprint, self._plan, self._modulus = blueprint, plan, modulus
        self._threads, self._watch = threads, watch
        self._stop = blueprint.core.Stop()
        self._tallies = [blueprint.core.Tally(plan.width) for _ in range(threads)]
        self._edges: tuple[dict[Edge, int], dict[Edge, int]] = ({}, {})
        # First all steps forwards, then for every step back, from the last one, what it costs.
        watch.sweeps = max(plan.sweeps, watch.sweep + 1)
        watch.costs = [0]
        costs = [step.transitions for step in cost.steps]
        again = int(plan.stride > 1)
        for step in (*costs, *((_BACK + again) * step for step in reversed(costs))):
            watch.costs.append(watch.costs[-1] + step)

    def run(self) -> tuple[dict[Edge, int], int] | None:
        """Return the number of cycles of every edge, and of all; None if 64 bits are too few."""
        stride, steps = self._plan.stride, self._blueprint.steps
        sweep = self._sweep(stride)
        while sweep.step(lambda: self._watch.tick(min(sweep.done, steps - 1))):
            pass
        if sweep.has_overflowed:
            return None
        layout = self._blueprint.layout(steps)
        after = (layout, Memory(self._plan.width * layout.states))
        for kept in range(len(sweep.layers) - 1, -1, -1):
            first = kept * stride
            last = min(first + stride, steps)
            layers = [sweep.layers.pop()]
            if last - first > 1:  # make those between again
                between = self._sweep(1)
                between.begin_at(first, *layers[0])
                while between.done < last - 1:
                    between.step(self._tick_of(last - 1))
                layers = [*between.layers, between.layer]
            for number in range(last - 1, first - 1, -1):
                before = layers.pop()
                self._back(number, before, after)
                after[1].close()
                after = before
        return self._edges_of(), sweep.total

    def _sweep(self, keep: int) -> Sweep:
        return Sweep(self._blueprint, self._plan.width, self._modulus, self._threads, keep=keep)

    def _tick_of(self, number: int) -> Callable[[], None]:
        """Return what tells that the way back is at a step."""
        return lambda: self._watch.tick(2 * self._blueprint.steps - 1 - number)

    def _back(self, number: int, before: tuple[Any, Memory], after: tuple[Any, Memory]) -> None:
        """Go back through one step: completions take the place of ways."""
        layout, memory = before
        step = self._blueprint.step(number, layout, after[0])
        runs = pairwise(layout.cuts(0, layout.slices, _RUN))
        retrace = self._blueprint.core.retrace
        lock = Lock()
        tick = self._tick_of(number)

        def work(tally: Any) -> None:
            while True:
                with lock:
                    run = next(runs, None)
                if run is None or self._stop.is_set:
                    return
                retrace(
                    step, tally, memory.buffer, after[1].buffer, *run, self._modulus, self._stop
                )

        if layout.states < _SMALL:
            work(self._tallies[0])
            tick()
        else:
            calls = [partial(work, tally) for tally in self._tallies]
            work_in_threads(calls, len(calls), self._stop.set, tick)
        stages = self._blueprint.stages[number]
        for tally in self._tallies:
            for stage, numbers in zip(stages, tally.take(step), strict=True):
                for other, halves in zip(stage.later, numbers, strict=True):
                    edge = min(stage.vertex, other), max(stage.vertex, other)
                    for counts, ways in zip(self._edges, halves, strict=True):
                        counts[edge] = counts.get(edge, 0) + ways

    def _edges_of(self) -> dict[Edge, int]:
        """Put together what was found in slices that are their own image, and in the others."""
        mirror = self._blueprint.problem.mirror
        modulus = self._modulus or 1 << 64
        single, double = self._edges
        found = {}
        for (a, b), ways in single.items():
            ways += double[a, b]
            if mirror:  # of a slice and its image only one was worked
                image = sorted((mirror[a], mirror[b]))
                ways += double[image[0], image[1]]
            found[a, b] = ways % modulus
        return found


# By tables


def _by_tables(
    question: Question, engine: Engine, limit: int | None, watch: Watch
) -> dict[Edge, int]:
    """Count in tables of states."""
    problem = question.problem or question.one_way
    assert problem is not None
    sweep = TableSweep(problem, engine.frontier, keep=True)
    steps = len(sweep.stages)
    watch.expect_steps(2 * steps)
    is_back = False

    def tick() -> None:
        watch.tick(min(2 * steps - sweep.done if is_back else sweep.done, 2 * steps - 1))
        sweep.check_memory(limit, question.board)

    while sweep.step(tick):
        pass
    is_back = True
    found: dict[Edge, int] = {}
    completions = None
    while sweep.done:
        completions, edges = sweep.back(completions, tick)
        found.update((edge, ways) for edge, ways in edges.items() if ways)
    vertices = len(question.board.squares) + (not question.closed)
    _check(vertices, found, sweep.total)
    return found


# One by one


def _one_by_one(
    question: Question, engine: Engine, limit: int | None, threads: int, watch: Watch
) -> dict[Edge, int]:
    """Count for every edge, up to the symmetries of the board, the cycles that must use it."""
    place, problem = question.board, question.problem
    assert problem is not None
    squares = place.squares
    index = {square: number for number, square in enumerate(squares)}
    symmetries = [
        [index[image(square)] for square in squares] for image in _symmetries(place, question)
    ]
    for image in symmetries:
        image.append(problem.apex)  # by which an end is told
    closed = problem.apex < 0
    counts: dict[Edge, int] = {}
    for a, near in enumerate(problem.neighbours):
        for b in near:
            if a > b or (a, b) in counts:
                continue
            wanted = problem_of(place, question.start, question.end, closed, required=((a, b),))
            ways = 0
            if wanted is not None:
                left = None
                if watch.limits.timeout is not None:
                    left = max(0.0, watch.limits.deadline - monotonic())
                single = Watch(watch.progress, Limits.of(None, left), place)
                asked = question._replace(problem=wanted, factor=1)
                ways = count_question(asked, engine, limit, threads, single)
            for image in symmetries:
                pair = sorted((image[a], image[b]))
                counts[pair[0], pair[1]] = ways
    return counts


def _symmetries(board: Board, question: Question) -> list[Callable[[Square], Square]]:
    """Return the symmetries of a board that keep its moves and the question's start and end."""
    rows, cols = board.rows - 1, board.cols - 1
    maps: list[Callable[[Square], Square]] = [
        lambda square: square,
        lambda square: (rows - square[0], square[1]),
        lambda square: (square[0], cols - square[1]),
        lambda square: (rows - square[0], cols - square[1]),
    ]
    if rows == cols:
        maps += [
            lambda square: (square[1], square[0]),
            lambda square: (cols - square[1], square[0]),
            lambda square: (square[1], rows - square[0]),
            lambda square: (cols - square[1], rows - square[0]),
        ]
    squares = set(board.squares)
    near = {square: set(board.neighbours(square)) for square in squares}
    ends = {square for square in (question.start, question.end) if square is not None}

    def keeps(image: Callable[[Square], Square]) -> bool:
        return (
            all(image(square) in squares for square in squares)
            and {image(square) for square in ends} == ends
            and all({image(b) for b in near[a]} == near[image(a)] for a in squares)
        )

    return [image for image in maps if keeps(image)]
