"""Counting tours exactly: `count()`, `count_lengths()`, and what it will cost, `count_plan()`.

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
table of states, on either engine (`frontier`). One sweep over a long board has the numbers of all
shorter ones on its way (`strips`). Numbers up to 2^64 are exact at once, additions that
overflow being noticed. Larger ones are counted modulo as many primes as needed and put together by
the Chinese remainder theorem, and then one prime more must agree.

Cost.  Known beforehand: see `count_plan`.
"""

from __future__ import annotations

import contextlib
import math
import operator
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeVar

from ._engine import Engine, get_engine
from .board import Board, BoardLike, SquareLike
from .chunks import PART, FileSweep, part_memory
from .dense import Blueprint, Sweep
from .elimination import Problem, problem_of
from .errors import InvalidInputError, SearchLimitError
from .frontier import TableSweep
from .limits import Limits, human_bytes
from .predictor import Forecast
from .questions import (
    FITS,
    CountPlan,
    Question,
    bits_expected,
    check_executor,
    check_memory,
    check_tables,
    check_threads,
    convention,
    plan_of,
    plan_of_strip,
    refusal,
    sweeps_expected,
)
from .residues import PRIMES_BELOW, Reconstruction, chinese_remainder, primes_below, take
from .snapshots import Snapshot
from .strips import (
    MOST_SQUARES,
    WIDEST,
    Strip,
    StripBlueprint,
    StripSweep,
    families,
    strip_of,
)
from .workers import work_by_executor, work_in_threads

__all__ = [
    "CountPlan",
    "Progress",
    "Watch",
    "convention",
    "count",
    "count_lengths",
    "count_plan",
    "count_question",
    "residue",
]

#: A state in a table costs about as much as a thousand transitions in blocks: a trial takes a
#: quarter of the time of the blocks at most, or a millisecond, or a second where they do not fit.
_TRIAL = 4000
_MILLISECOND = 2000
_SECOND = 2_000_000

#: Layers of fewer states are swept by one thread; several primes then go side by side.
_ONE_THREAD = 1 << 20

_T = TypeVar("_T")


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
        spill: a folder for layers that do not fit into the memory; not for boards whose plan says
            that they are counted in a table, and not with the pure engine.
        executor: any `concurrent.futures.Executor`; primes, or with `checkpoint` or `spill` parts
            of layers, are worked by it. Its workers must see the same folder. For the boards and
            the engine that `spill` is for.
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
    engine = get_engine(backend)
    if checkpoint is not None and spill is not None:
        raise InvalidInputError("checkpoint= keeps the layers on a disk as well: leave spill= out")
    in_memory = checkpoint is None and spill is None
    question = Question.of(
        board, start, end, closed, directed, by_strip=in_memory and engine.name == "core"
    )
    limits = Limits.of(None, timeout)
    workers = check_threads(threads)
    limit = check_memory(memory_limit)
    check_executor(executor)
    if question.trivial is not None:
        return question.trivial
    watch = Watch(progress, limits, question.board)
    return count_question(
        question, engine, limit, workers, watch, executor, checkpoint=checkpoint, spill=spill
    )


def count_lengths(
    width: int,
    longest: int,
    *,
    shortest: int = 1,
    closed: bool = False,
    directed: bool | None = None,
    memory_limit: int | None = None,
    timeout: float | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    backend: str | None = None,
) -> dict[int, int]:
    """Count the tours of all boards of one width at once, exactly.

    Args:
        width: columns, from 1 on.
        longest, shortest: rows; the boards ``shortest x width`` to ``longest x width`` are counted.
            A board may be shorter than it is wide; rows and columns may be exchanged, so the
            smaller one should be the width.
        closed, directed: as in `count`.
        memory_limit, timeout, threads, executor, progress, backend: as in `count`.

    Returns:
        A dictionary from every length to its number, in order.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: `memory_limit`, before the first state is stored, or `timeout`.

    Cost: hardly more than one count of the longest board: one sweep, modulo as many primes as that
    number needs, has all of them on its way. Open tours on an odd width take two such counts, for
    even and for odd lengths.

    >>> count_lengths(3, 14, shortest=9, closed=True)
    {9: 0, 10: 16, 11: 0, 12: 176, 13: 0, 14: 1536}
    >>> count_lengths(4, 7, shortest=3)
    {3: 16, 4: 0, 5: 164, 6: 1488, 7: 12756}
    """
    for name, number in (("width", width), ("longest", longest), ("shortest", shortest)):
        if isinstance(number, bool) or not hasattr(type(number), "__index__") or number < 1:
            raise InvalidInputError(
                f"{name}={number!r} is not a number of squares: use a whole number from 1 on"
            )
    width, longest, shortest = (operator.index(number) for number in (width, longest, shortest))
    if shortest > longest:
        raise InvalidInputError(f"shortest={shortest} is more than longest={longest}")
    if width > WIDEST or longest * width > MOST_SQUARES:
        raise InvalidInputError(
            f"boards {width} wide and up to {longest} long are beyond this package: all lengths "
            f"are counted up to {WIDEST} columns and {MOST_SQUARES:,} squares"
        )
    engine = get_engine(backend)
    limits = Limits.of(None, timeout)
    workers = check_threads(threads)
    limit = check_memory(memory_limit)
    check_executor(executor)
    if executor is not None and engine.name == "pure":
        raise InvalidInputError("executor= needs the compiled engine; backend is 'pure'")
    # This checks closed= and directed=, and says how often each cycle counts.
    factor = Question.of(Board(3, 4), None, None, closed, directed).factor
    counts = dict.fromkeys(range(shortest, longest + 1), 0)
    if width == 1 and shortest == 1 and not closed:
        counts[1] = 1
    work = []
    for parity, lengths in families(width, counts, closed):
        strip = strip_of(width, closed, parity)
        board = Board(lengths[-1], width)
        what = f"{board} and shorter ones: " + convention(
            start=False, end=False, closed=closed, directed=directed
        )
        plan = plan_of_strip(strip, board, what, workers, limit)
        if plan.width is None and engine.name == "core":
            raise SearchLimitError(refusal(plan, may_spill=False))
        work.append((strip, lengths, plan))
    watch = Watch(progress, limits, Board(longest, width))
    # A plan that does not fit has no time, but the pure engine tries it all the same.
    whole = sum(plan.seconds or 1.0 for _, _, plan in work)
    for strip, lengths, plan in work:
        watch.next_part((plan.seconds or 1.0) / whole)
        if engine.name == "pure":
            found = _count_strip_purely(strip, lengths, limit, watch)
        else:
            assert plan.forecast is not None
            watch.expect(plan.forecast, plan.sweeps)
            found = _count_strip(strip, lengths, engine, plan, watch, executor)
        counts.update((length, factor * ways) for length, ways in found.items())
    return counts


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
        SearchLimitError: a rectangle so wide that it would take minutes to tell.

    Cost: some milliseconds, whatever the size of the count.

    >>> plan = count_plan("8x8", closed=True, memory_limit=2**31)
    >>> plan.forecast.peak_states, plan.width, plan.sweeps
    (153785940, 8, 1)
    """
    question = Question.of(board, start, end, closed, directed, by_strip=True)
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
        #: how many sweeps the one at work counts as: those side by side, and several primes at once
        self.at_once = 1
        self._before, self._part = 0.0, 1.0

    def next_part(self, part: float) -> None:
        """Begin with a part of the work, the first one or the one after that at hand.

        Args:
            part: its share of the whole.
        """
        self._before = self._before + self._part if self._part < 1 else 0.0
        self._part = part
        self.sweep = 0

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
            part = (self.costs[step] + inside) / self.costs[-1]
            share = (self.sweep + self.at_once * part) / self.sweeps
            share = self._before + self._part * min(share, 1.0)
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
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    spill: str | os.PathLike[str] | None = None,
) -> int:
    """Count what a question that is not trivial asks for."""
    plan = None
    if engine.name == "core":
        in_blocks = spill is not None or executor is not None
        plan = plan_of(question, threads, limit, watch.check, in_blocks=in_blocks)
    if plan is None or plan.forecast is None:  # too wide for dense blocks, or one-way
        check_tables(question.board, engine.name, spill=spill, executor=executor)
        return question.factor * _count_in_tables(question, engine, limit, watch, checkpoint)
    assert question.problem is not None
    if checkpoint is not None or spill is not None:
        return question.factor * _count_through_files(
            question.problem, plan, watch, executor, checkpoint, spill
        )
    if executor is None:
        total = _sparse_total(question, plan, engine, watch)
        if total is not None:
            return question.factor * total
    if plan.width is None:
        raise SearchLimitError(refusal(plan))
    watch.expect(plan.forecast, plan.sweeps)
    if question.strip is not None:
        length = max(question.board.shape)
        found = _count_strip(question.strip, [length], engine, plan, watch, executor)
        return question.factor * found[length]
    return question.factor * _count_densely(question.problem, engine, plan, watch, executor)


def _sparse_total(question: Question, plan: CountPlan, engine: Engine, watch: Watch) -> int | None:
    """Count a board whose blocks would be nearly empty in tables of states, if it is such a board.

    Few of the states that blocks have room for occur on a board of a long leaper, or with many
    holes. How many there are is not known before; so it is tried, for a fraction of the time that
    the blocks would take, or for a second or two where these do not fit the memory.

    Returns:
        The number of cycles; None where blocks are better.
    """
    assert question.problem is not None
    assert plan.forecast is not None
    if question.board.is_plain:
        return None
    left = max(_MILLISECOND, plan.forecast.transitions // _TRIAL)
    if plan.width is None:
        left = _SECOND
    sweep = TableSweep(question.problem, engine.frontier)

    def tick() -> None:
        watch.tick(0)
        if sweep.made > left:
            raise _TooManyError
        sweep.check_memory(plan.memory_limit, question.board)

    try:
        while sweep.step(tick):
            pass
    except _TooManyError:
        return None
    except SearchLimitError:
        watch.check()  # unless it is the time that is over, blocks may do with less memory
        return None
    return sweep.total


class _TooManyError(Exception):
    """There are more states than a trial is worth."""


def _count_in_tables(
    question: Question,
    engine: Engine,
    limit: int | None,
    watch: Watch,
    checkpoint: str | os.PathLike[str] | None,
) -> int:
    """Count in tables of states; after every step one is kept in a folder if there is one."""
    problem = question.problem or question.one_way
    assert problem is not None
    sweep = TableSweep(problem, engine.frontier)
    snapshot = None
    if checkpoint is not None:
        snapshot = Snapshot(_folder(checkpoint), problem)
        snapshot.resume(sweep)
    watch.expect_steps(len(sweep.stages))

    def tick() -> None:
        watch.tick(min(sweep.done, len(sweep.stages) - 1))
        sweep.check_memory(limit, question.board)

    while sweep.step(tick):
        if snapshot is not None:
            snapshot.save(sweep, tick)
    return sweep.total


def _folder(name: str | os.PathLike[str]) -> Path:
    """Return a folder, made if it is not there.

    Raises:
        InvalidInputError: there can be none of this name.
    """
    try:
        folder = Path(name)
        folder.mkdir(parents=True, exist_ok=True)
    except (TypeError, ValueError, OSError) as error:
        raise InvalidInputError(f"{name!r} cannot be used as a folder: {error}") from None
    return folder


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
            calls = [partial(residue, problem, width, p) for p in moduli]
            return _by_executor(executor, calls, watch)
        sweeps = [Sweep(blueprint, width, modulus, threads) for modulus in moduli]
        _side_by_side(sweeps, watch)
        return [sweep.total for sweep in sweeps]

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
    folder = _folder(name)
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


def strip_residues(
    strip: Strip, lengths: list[int], width: int, moduli: list[int]
) -> list[dict[int, int]]:
    """Return the numbers of cycles of some lengths modulo primes: work for an executor.

    Args:
        strip: the strip.
        lengths: in order.
        width: bytes of a residue.
        moduli: one prime, or as many as are worked at once.

    Returns:
        For every prime a dictionary by the length.
    """
    blueprint = StripBlueprint(strip, lengths[-1] - 2, get_engine("core").counting)
    sweep = _strip_sweep(blueprint, width, moduli, 1, lengths)
    while sweep.step():
        pass
    return _residues_of(sweep)


def _strip_sweep(
    blueprint: StripBlueprint, width: int, moduli: list[int], threads: int, lengths: list[int]
) -> StripSweep:
    if len(moduli) == 1:
        return StripSweep(blueprint, width, moduli[0], threads, lengths)
    return StripSweep(blueprint, width * len(moduli), tuple(moduli), threads, lengths)


def _residues_of(sweep: StripSweep) -> list[dict[int, int]]:
    if isinstance(sweep.modulus, tuple):
        return [
            {length: residues[lane] for length, residues in sweep.found.items()}
            for lane in range(len(sweep.modulus))
        ]
    return [sweep.found]


def _count_strip(
    strip: Strip,
    lengths: list[int],
    engine: Engine,
    plan: CountPlan,
    watch: Watch,
    executor: Executor | None,
) -> dict[int, int]:
    """Count the cycles of boards of one width and many lengths by the compiled engine."""
    width = plan.width
    assert width is not None
    assert plan.forecast is not None
    is_small = plan.forecast.peak_states < _ONE_THREAD
    threads = 1 if is_small else plan.threads
    if plan.sweeps == 1 and executor is None:
        blueprint = StripBlueprint(strip, lengths[-1] - 2, engine.counting)
        sweep = StripSweep(blueprint, width, 0, threads, lengths)
        _run(sweep, watch)
        if not sweep.has_overflowed:
            return dict(sweep.found)
        watch.sweep = 0
        watch.sweeps = sweeps_expected(width, 1.5 * FITS)
    numbers = {length: Reconstruction() for length in lengths}
    moduli = primes_below(PRIMES_BELOW[width])
    at_once = engine.counting.PRIMES_AT_ONCE
    workers = 1
    if executor is not None:
        workers = plan.sweeps
    elif is_small:
        workers = plan.threads
    # Every worker has two layers of its own.
    memory = plan.memory + 2 * workers * at_once * width * plan.forecast.peak_states
    if not (width == 8 and is_small and watch.sweeps > 2) or (
        plan.memory_limit is not None and memory > plan.memory_limit
    ):
        at_once = 1
    while left := [length for length, number in numbers.items() if not number.is_known]:
        # As many sweeps side by side as there are workers, but no more than are expected.
        wanted = max(1, math.ceil((watch.sweeps - watch.sweep) / at_once))
        batches = [take(moduli, at_once) for _ in range(min(workers, wanted))]
        if executor is not None:
            calls = [partial(strip_residues, strip, left, width, b) for b in batches]
            results = _by_executor(executor, calls, watch, at_once)
        else:
            blueprint = StripBlueprint(strip, left[-1] - 2, engine.counting)
            sweeps = [_strip_sweep(blueprint, width, b, threads, left) for b in batches]
            _side_by_side(sweeps, watch, at_once)
            results = [_residues_of(sweep) for sweep in sweeps]
        for primes, residues in zip(batches, results, strict=True):
            for prime, found in zip(primes, residues, strict=True):
                for length in left:
                    numbers[length].add(prime, found[length])
    return {length: number.value for length, number in numbers.items()}


def _count_strip_purely(
    strip: Strip, lengths: list[int], limit: int | None, watch: Watch
) -> dict[int, int]:
    """Count the cycles of boards of one width and many lengths in tables of states."""
    engine = get_engine("pure")
    # Two rows more than the longest has, and still of its parity: its last rows are like others.
    problem = problem_of(Board(lengths[-1] + 2, strip.width), None, None, strip.closed, tall=True)
    assert problem is not None
    sweep = TableSweep(problem, engine.frontier)
    rows = lengths[-1] - 2
    watch.expect_steps(rows * strip.width)

    def tick() -> None:
        watch.tick(min(sweep.done, rows * strip.width - 1))
        sweep.check_memory(limit, watch.board)

    found = {}
    for row in range(rows + 1):
        if row + 2 in lengths:
            board = problem_of(Board(row + 2, strip.width), None, None, strip.closed, tall=True)
            found[row + 2] = 0
            if board is not None:  # that of 3x3 falls apart
                found[row + 2] = engine.counting.ending(
                    board, strip.width, sweep.layers[-1], problem.apex, tick
                )
        for _ in range(strip.width if row < rows else 0):
            sweep.step(tick)
    return found


def _by_executor(
    executor: Executor, calls: Sequence[Callable[[], _T]], watch: Watch, at_once: int = 1
) -> list[_T]:
    """Have pieces of work done by an executor, and look at the clock meanwhile.

    Args:
        executor: the executor.
        calls: the pieces of work.
        watch: the clock.
        at_once: how many primes a piece is for.
    """
    before = watch.sweep

    def tick(done: int) -> None:
        watch.sweep = before + at_once * done
        watch.tick(0)

    return work_by_executor(executor, calls, tick)


def _run(sweep: Sweep, watch: Watch) -> None:
    before = 0

    def tick() -> None:
        watch.tick(sweep.done, sweep.transitions - before)

    while sweep.step(tick):
        before = sweep.transitions


def _side_by_side(sweeps: Sequence[Sweep], watch: Watch, at_once: int = 1) -> None:
    """Sweep modulo several primes at the same time, one thread each.

    Args:
        sweeps: one alone may have several threads.
        watch: the clock.
        at_once: how many primes a sweep is for.
    """
    watch.at_once = at_once * len(sweeps)
    if len(sweeps) == 1:
        _run(sweeps[0], watch)
    else:
        _run_in_threads(sweeps, watch)
    watch.sweep += watch.at_once
    watch.at_once = 1


def _run_in_threads(sweeps: Sequence[Sweep], watch: Watch) -> None:
    last = sweeps[0].blueprint.steps - 1

    def work(sweep: Sweep) -> None:
        while not sweep.stop.is_set and sweep.step():
            pass

    def halt() -> None:
        for sweep in sweeps:
            sweep.stop.set()

    def tick() -> None:
        watch.tick(min(min(sweep.done for sweep in sweeps), last))

    work_in_threads([partial(work, sweep) for sweep in sweeps], len(sweeps), halt, tick)
