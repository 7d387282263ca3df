"""Counting tours exactly: `count()`, and what it will cost, `count_plan()`.

What it does.  It counts the knight's tours of a board, closed or open, with a given start or end or
none. Known answers: 9862 closed tours of 6x6, 13267364410532 of the chessboard (McKay 1997),
19591828170979904 open ones of the chessboard in both directions (Chernov 2014).

What is counted as one tour is named in the call:

    closed=True                        cycles, each once, whatever its start and direction
    closed=False                       paths with a direction, those included that could be closed
    closed=False, start=               the paths from there
    closed=False, start=, end=         the paths from there to there
    closed=True, start=, end=          the cycles that use this move; a start alone changes nothing
    directed=True or False             every tour in both directions, or each once

Where moves go one way only (a horse whose leg is blocked), every tour has its direction and is
counted once in it.

Method.  Every question becomes a number of Hamiltonian cycles (`elimination`), and that is counted
by a frontier that sweeps over the board: in dense blocks, compiled (`dense`, `_counting`), or in a
dictionary, in pure Python (`_counting_py`). Numbers up to 2^64 are exact at once, additions that
overflow being noticed. Larger ones are counted modulo as many primes as needed and put together by
the Chinese remainder theorem, and then one prime more must agree.

Cost.  Known beforehand: see `count_plan`.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from ._engine import Engine, get_engine
from .board import Board, BoardLike, SquareLike
from .chunks import PART, FileSweep, part_memory
from .dense import Blueprint, Sweep
from .elimination import Problem
from .errors import InvalidInputError, SearchLimitError
from .limits import Limits, human_bytes
from .predictor import Forecast
from .questions import (
    FITS,
    CountPlan,
    Question,
    bits_expected,
    check_memory,
    check_threads,
    convention,
    plan_of,
    refusal,
    sweeps_expected,
)
from .residues import PRIMES_BELOW, chinese_remainder, primes_below

__all__ = [
    "CountPlan",
    "Progress",
    "Watch",
    "convention",
    "count",
    "count_plan",
    "count_question",
    "residue",
]

#: Layers of fewer states are swept by one thread; several primes then go side by side.
_ONE_THREAD = 1 << 20

#: Bytes of a state in a dictionary of pure Python, measured on 6x6.
_DICTIONARY_STATE = 400


class Progress(NamedTuple):
    """How far a count is, as it is told to `progress`."""

    #: from 0 to 1: the share of the transitions that have been made, or are not needed
    share: float
    #: seconds since the beginning, and those that are still expected
    elapsed: float
    remaining: float
    #: the sweep at work, from 1, and how many are expected
    sweep: int
    sweeps: int
    #: the step of this sweep, from 1, and how many there are
    step: int
    steps: int


def count(
    board: BoardLike = "xiangqi",
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    directed: bool | None = None,
    memory_limit: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    spill: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> int:
    """Count knight's tours exactly.

    Args:
        board: a `Board`, ``"chess"``, ``"xiangqi"``, text ``"RxC"`` or a pair ``(rows, cols)``.
        start, end: squares, ``(row, col)`` 0-based or names. Open tours: they start and end there.
            Closed tours: with both, those that use the move between them; one alone changes
            nothing.
        closed: count closed tours; else open ones, those that could be closed included.
        directed: None: closed tours count once, open ones in both directions, from a start or to
            an end those from or to it. True, False: in both directions, or each once.
        memory_limit: most bytes to take, None for what is free.
        timeout: most seconds to take.
        threads: how many to use, None for one a core.
        checkpoint: a folder in which every step is kept; the same call goes on where a killed one
            stopped, whatever killed it.
        spill: a folder for layers that do not fit into the memory.
        executor: any `concurrent.futures.Executor`; primes, or with `checkpoint` or `spill` parts
            of layers, are worked by it. Its workers must see the same folder.
        progress: called about twenty times a second with a `Progress`.
        backend: ``"core"`` or ``"pure"`` for this call, None for `knighttour.BACKEND`.

    Returns:
        The number, a Python int of any size. 0 is a proof that there is no such tour.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: `memory_limit`, before the first state is stored, or `timeout`.

    6x6 closed takes about 0.03 s, chess closed about 10 s and 1.7 GB; see `count_plan`.

    >>> count("5x6"), count("5x6", closed=True)
    (37568, 8)
    >>> count("5x5", start=(0, 0)), count("5x5", start=(0, 0), end=(4, 4))
    (304, 56)
    """
    question = Question.of(board, start, end, closed, directed)
    engine = get_engine(backend)
    limits = Limits.of(None, timeout)
    workers = check_threads(threads)
    limit = check_memory(memory_limit)
    if question.trivial is not None:
        return question.trivial
    watch = Watch(progress, limits, question.board)
    if engine.name == "pure":
        for name, value in (("checkpoint", checkpoint), ("spill", spill), ("executor", executor)):
            if value is not None:
                raise InvalidInputError(f"{name}= needs the compiled engine; backend is 'pure'")
    elif checkpoint is not None or spill is not None:
        plan = plan_of(question, workers, limit)
        if plan.forecast is not None:
            if checkpoint is not None and spill is not None:
                raise InvalidInputError(
                    "checkpoint= keeps the layers on a disk as well: leave spill= out"
                )
            assert question.problem is not None
            return question.factor * _count_through_files(
                question.problem, plan, watch, executor, checkpoint, spill
            )
    return count_question(question, engine, limit, workers, watch, executor)


def count_plan(
    board: BoardLike = "xiangqi",
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    directed: bool | None = None,
    memory_limit: int | None = None,
    threads: int | None = None,
) -> CountPlan:
    """Return what a count would cost: states, bytes, transitions and time, without counting.

    Args:
        board, start, end, closed, directed, memory_limit, threads: as in `count`.

    Raises:
        InvalidInputError: something in the call cannot be used.

    Cost: some milliseconds, whatever the size of the count.

    >>> plan = count_plan("8x8", closed=True, memory_limit=2**31)
    >>> plan.forecast.peak_states, plan.width, plan.sweeps
    (153785940, 8, 1)
    """
    question = Question.of(board, start, end, closed, directed)
    return plan_of(question, check_threads(threads), check_memory(memory_limit))


# The work


class Watch:
    """Looks at the clock and tells how far a count is."""

    def __init__(
        self, progress: Callable[[Progress], None] | None, limits: Limits, board: Board
    ) -> None:
        self.progress = progress
        self.limits = limits
        self.board = board
        self.began = monotonic()
        self.sweeps = 1
        self.sweep = 0
        self.costs: list[int] = []

    def expect(self, cost: Forecast, sweeps: int) -> None:
        """Say what a sweep costs and how many are expected."""
        self.sweeps = sweeps
        self.costs = [0]
        for step in cost.steps:
            self.costs.append(self.costs[-1] + step.transitions)

    def expect_steps(self, steps: int) -> None:
        """Say how many steps there are, of which no more is known."""
        self.costs = list(range(steps + 1))

    def check(self) -> None:
        """Give up when the time is over."""
        if monotonic() >= self.limits.deadline:
            raise SearchLimitError(
                f"gave up: counting the tours of {self.board} takes longer than "
                f"timeout={self.limits.timeout} seconds; nothing is proved"
            )

    def tick(self, step: int, transitions: int = 0) -> None:
        """Look at the clock in step number `step`, from 0, and tell how far it is."""
        self.check()
        if self.progress is None:
            return
        elapsed = monotonic() - self.began
        share = 0.0
        if self.costs and self.costs[-1]:
            inside = min(transitions, self.costs[step + 1] - self.costs[step])
            share = (self.sweep + (self.costs[step] + inside) / self.costs[-1]) / self.sweeps
            share = min(share, 1.0)
        remaining = elapsed * (1 - share) / share if share else math.inf
        self.progress(
            Progress(
                share,
                elapsed,
                remaining,
                self.sweep + 1,
                max(self.sweeps, self.sweep + 1),
                step + 1,
                max(1, len(self.costs) - 1),
            )
        )


def count_question(
    question: Question,
    engine: Engine,
    limit: int | None,
    threads: int,
    watch: Watch,
    executor: Executor | None = None,
) -> int:
    """Count in memory what a question that is not trivial asks for."""
    plan = None if engine.name == "pure" else plan_of(question, threads, limit)
    if plan is None or plan.forecast is None:  # too wide for dense blocks, or one-way
        return question.factor * _count_purely(question, limit, watch)
    assert question.problem is not None
    if plan.width is None:
        raise SearchLimitError(refusal(plan))
    watch.expect(plan.forecast, plan.sweeps)
    return question.factor * _count_densely(question.problem, engine, plan, watch, executor)


def _count_purely(question: Question, limit: int | None, watch: Watch) -> int:
    """Count in a dictionary."""
    # The dictionary form, whatever the engine: the pure one has it.
    sweep = get_engine("pure").counting.Sweep(question.problem or question.one_way)
    watch.expect_steps(len(sweep.stages))

    def tick() -> None:
        watch.tick(sweep.done)
        states = sweep.states
        if limit is not None and states * _DICTIONARY_STATE > limit:
            raise SearchLimitError(
                f"gave up: {states:,} states of {question.board} in a dictionary take more than "
                f"{human_bytes(limit)}; nothing is proved"
            )

    while sweep.step(tick):
        pass
    total: int = sweep.total
    return total


def residue(problem: Problem, width: int, modulus: int, threads: int = 1) -> int:
    """Return the number of cycles modulo a prime: the piece of work of an executor."""
    sweep = Sweep(Blueprint(problem, get_engine("core").counting), width, modulus, threads)
    while sweep.step():
        pass
    return sweep.total


def _count_densely(
    problem: Problem, engine: Engine, plan: CountPlan, watch: Watch, executor: Executor | None
) -> int:
    """Count by the compiled engine, exactly."""
    width = plan.width
    assert width is not None
    assert plan.forecast is not None
    blueprint = Blueprint(problem, engine.counting)
    threads = plan.threads if plan.forecast.peak_states >= _ONE_THREAD else 1
    if plan.sweeps == 1 and executor is None:
        sweep = Sweep(blueprint, width, 0, threads)
        _run(sweep, watch)
        if not sweep.has_overflowed:
            return sweep.total
        watch.sweep = 0
        watch.sweeps = sweeps_expected(width, 1.5 * FITS)
    side_by_side = plan.threads if threads == 1 else 1

    def residues(moduli: list[int]) -> list[int]:
        if executor is not None:
            futures = [executor.submit(residue, problem, width, p, 1) for p in moduli]
            try:
                found = []
                for future in futures:
                    while not future.done():
                        watch.tick(0)
                        _wait_for(future)
                    found.append(future.result())
                    watch.sweep += 1
            except BaseException:
                for future in futures:
                    future.cancel()
                raise
            return found
        if side_by_side == 1:
            found = []
            for modulus in moduli:
                sweep = Sweep(blueprint, width, modulus, threads)
                _run(sweep, watch)
                watch.sweep += 1
                found.append(sweep.total)
            return found
        return _side_by_side(blueprint, width, moduli, watch)

    batch = side_by_side
    if executor is not None:
        batch = max(2, plan.sweeps)
    return chinese_remainder(residues, primes_below(PRIMES_BELOW[width]), batch)


def _count_through_files(
    problem: Problem,
    plan: CountPlan,
    watch: Watch,
    executor: Executor | None,
    checkpoint: str | os.PathLike[str] | None,
    spill: str | os.PathLike[str] | None,
) -> int:
    """Count with all layers on a disk, step by step."""
    assert plan.forecast is not None
    name = checkpoint if checkpoint is not None else spill
    assert name is not None
    try:
        folder = Path(name)
        folder.mkdir(parents=True, exist_ok=True)
    except (TypeError, OSError) as error:
        raise InvalidInputError(f"{name!r} cannot be used as a folder: {error}") from None
    threads = plan.threads
    free = shutil.disk_usage(folder).free
    # Every sweep saved is a sweep through the disk, so values are as wide as they fit. But a layer
    # that fits into the memory is mostly read from there.
    width = plan.width or 0
    if checkpoint is None or not width:
        width = next((w for w in (8, 4) if 2 * w * plan.forecast.peak_states <= free), 2)
    tasks = max(1, plan.forecast.peak_states // PART)
    memory = min(threads, tasks) * part_memory(width)
    if tasks > 1 and plan.memory_limit is not None and memory > plan.memory_limit:
        raise SearchLimitError(
            f"gave up before the start: {threads} threads that work parts of layers need "
            f"{human_bytes(memory)}, and {human_bytes(plan.memory_limit)} may be taken; threads= "
            "takes fewer"
        )
    disk = 2 * width * plan.forecast.peak_states
    if disk > free:
        raise SearchLimitError(
            f"gave up before the start: two layers take up to {human_bytes(disk)} on the disk of "
            f"{folder}, and {human_bytes(free)} are free"
        )
    bits = bits_expected(problem)
    watch.expect(plan.forecast, sweeps_expected(width, bits))
    with contextlib.ExitStack() as stack:
        if spill is not None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)))

        def run(modulus: int) -> FileSweep:
            sweep = FileSweep(problem, width, modulus, folder, executor, threads)

            def tick() -> None:
                watch.tick(sweep.done)

            while sweep.step(tick):
                pass
            return sweep

        if sweeps_expected(width, bits) == 1:
            sweep = run(0)
            if not sweep.has_overflowed:
                return sweep.total
            watch.sweeps = sweeps_expected(width, 1.5 * FITS)

        def residues(moduli: list[int]) -> list[int]:
            found = []
            for modulus in moduli:
                found.append(run(modulus).total)
                watch.sweep += 1
            return found

        return chinese_remainder(residues, primes_below(PRIMES_BELOW[width]))


def _wait_for(future: Future[int]) -> None:
    wait([future], timeout=0.05)


def _run(sweep: Sweep, watch: Watch) -> None:
    before = 0

    def tick() -> None:
        watch.tick(sweep.done, sweep.transitions - before)

    while sweep.step(tick):
        before = sweep.transitions


def _side_by_side(blueprint: Blueprint, width: int, moduli: list[int], watch: Watch) -> list[int]:
    """Sweep modulo several primes at the same time, one thread each."""
    sweeps = [Sweep(blueprint, width, modulus, 1) for modulus in moduli]

    def work(sweep: Sweep) -> int:
        while sweep.step():
            if stop:
                return -1
        return sweep.total

    stop: list[bool] = []
    with ThreadPoolExecutor(len(sweeps)) as pool:
        futures = [pool.submit(work, sweep) for sweep in sweeps]
        try:
            for future in futures:
                while not future.done():
                    _wait_for(future)
                    watch.tick(min(sweeps[0].done, blueprint.steps - 1))
        except BaseException:
            stop.append(True)
            raise
    watch.sweep += len(sweeps)
    return [future.result() for future in futures]
