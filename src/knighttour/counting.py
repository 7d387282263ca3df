"""Counting tours exactly: `count()`, `edge_counts()`, and what they will cost, `count_plan()`.

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
import operator
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from ._engine import Engine, get_engine
from .board import Board, BoardLike, SquareLike, as_board
from .chunks import PART, FileSweep, part_memory
from .dense import Blueprint, Sweep
from .elimination import MAX_DYNAMIC, Problem, most_dynamic, problem_of
from .errors import InvalidInputError, KnightTourError, SearchLimitError, Square
from .limits import Limits, free_memory, human_bytes
from .predictor import Forecast, forecast

__all__ = [
    "CountPlan",
    "Progress",
    "Question",
    "Watch",
    "check_memory",
    "check_threads",
    "chinese_remainder",
    "convention",
    "count",
    "count_plan",
    "edge_counts",
    "primes_below",
]

#: Boards with more squares are not counted: their plan alone would take minutes.
_MAX_SQUARES = 20_000

#: Layers of fewer states are swept by one thread; several primes then go side by side.
_ONE_THREAD = 1 << 20

#: Dense blocks are for frontiers that fit; others are swept in a dictionary.
_MAX_SLICES = 1 << 26

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


@dataclass(frozen=True, slots=True)
class CountPlan:
    """What a count will cost, computed without counting."""

    board: Board
    #: what is counted, in words
    what: str
    #: None where no tour is possible by the colours or for want of neighbours
    forecast: Forecast | None
    #: bytes of a value, None where no width fits into the memory
    width: int | None
    #: sweeps expected, the checking one included
    sweeps: int
    #: bytes that it needs at once, and those it may take
    memory: int
    memory_limit: int | None
    #: seconds expected on this many threads; the speed is that of one machine
    seconds: float
    threads: int

    def table(self) -> str:
        """Return the plan as a table for people, one line for every step."""
        if self.forecast is None:
            return f"{self.what}: none, by the colours of the squares or for want of moves"
        lines = [
            self.what,
            f"{'step':>4}  {'squares':<17}{'frontier':>8}{'states after':>20}{'transitions':>22}",
        ]
        for number, step in enumerate(self.forecast.steps, 1):
            names = " ".join(self.board.name(self.board.squares[cell]) for cell in step.unit)
            lines.append(
                f"{number:>4}  {names:<17}{step.frontier:>8}{step.states:>20,}"
                f"{step.transitions:>22,}"
            )
        lines.append(f"{'all':>4}  {'':<17}{'':>8}{'':>20}{self.forecast.transitions:>22,}")
        lines.extend(
            f"values of {8 * width:>2} bits: {human_bytes(memory)}"
            for width, memory in (
                (width, self.forecast.memory(width, self.threads)) for width in (8, 4, 2)
            )
        )
        limit = "unknown" if self.memory_limit is None else human_bytes(self.memory_limit)
        lines.append(f"memory that may be taken: {limit}")
        if self.width is None:
            lines.append("this count does not fit")
        else:
            lines.append(
                f"chosen: {self.sweeps} sweep{'s' * (self.sweeps > 1)} of {8 * self.width} bits, "
                f"about {_human_time(self.seconds)} on {self.threads} threads"
            )
        return "\n".join(lines)


def convention(*, start: bool, end: bool, closed: bool, directed: bool | None = None) -> str:
    """Return in words what `count` counts as one tour.

    >>> convention(start=False, end=False, closed=True)
    'closed tours, each once (without direction)'
    >>> convention(start=True, end=False, closed=False)
    'open tours from the start, those that could be closed included'
    """
    if closed:
        through = " through this move" if start and end else ""
        if directed:
            return f"closed tours{through}, in both directions"
        return f"closed tours{through}, each once (without direction)"
    included = "those that could be closed included"
    if start or end:
        between = " from the start" * start + " to the end" * end
        return f"open tours{between}, {included}"
    if directed is False:
        return f"open tours, each once (without direction), {included}"
    return f"open tours, in both directions, {included}"


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
    assert question.problem is not None
    watch = Watch(progress, limits, question.board)
    if engine.name == "pure":
        for name, value in (("checkpoint", checkpoint), ("spill", spill), ("executor", executor)):
            if value is not None:
                raise InvalidInputError(f"{name}= needs the compiled engine; backend is 'pure'")
        return question.factor * _count_purely(question, limit, watch)
    plan = _plan(question, workers, limit)
    if plan.forecast is None:  # too wide for dense blocks
        return question.factor * _count_purely(question, limit, watch)
    if checkpoint is not None or spill is not None:
        if checkpoint is not None and spill is not None:
            raise InvalidInputError(
                "checkpoint= keeps the layers on a disk as well: leave spill= out"
            )
        return question.factor * _count_through_files(
            question.problem, plan, watch, executor, checkpoint, spill
        )
    if plan.width is None:
        raise SearchLimitError(_refusal(plan))
    watch.expect(plan.forecast, plan.sweeps)
    return question.factor * _count_densely(question.problem, engine, plan, watch, executor)


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
    return _plan(question, check_threads(threads), check_memory(memory_limit))


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
        progress: told about every single count.

    Returns:
        A dictionary with an entry ``(square, other)``, ``square < other``, for every move of the
        board. For closed tours the entries at a square add up to twice the number of tours.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: `memory_limit` or `timeout`.

    Cost: one count for every move up to the symmetries of the board (25 on 8x8), without the
    halving by mirror symmetry.

    >>> edge_counts("5x6", closed=True)[(0, 0), (1, 2)]
    8
    """
    question = Question.of(board, start, end, closed, None)
    engine = get_engine(backend)
    limits = Limits.of(None, timeout)
    workers = check_threads(threads)
    limit = check_memory(memory_limit)
    place = question.board
    index = {square: number for number, square in enumerate(place.squares)}
    counts: dict[tuple[Square, Square], int] = {}
    moves = [
        (square, other)
        for square in place.squares
        for other in place.neighbours(square)
        if index[square] < index[other]
    ]
    if question.problem is None:
        return dict.fromkeys(moves, 0)
    symmetries = _symmetries(place, question)
    for move in moves:
        if move in counts:
            continue
        required = (index[move[0]], index[move[1]])
        problem = problem_of(place, question.start, question.end, closed, required=(required,))
        ways = 0
        if problem is not None:
            watch = Watch(progress, limits, place)
            single = question._replace(problem=problem, factor=1)
            if engine.name == "pure":
                ways = _count_purely(single, limit, watch)
            else:
                plan = _plan(single, workers, limit)
                if plan.forecast is None:
                    ways = _count_purely(single, limit, watch)
                elif plan.width is None:
                    raise SearchLimitError(_refusal(plan))
                else:
                    watch.expect(plan.forecast, plan.sweeps)
                    ways = _count_densely(problem, engine, plan, watch, None)
        for image in symmetries:
            pair = sorted((image(move[0]), image(move[1])), key=index.__getitem__)
            counts[pair[0], pair[1]] = ways
    return {move: counts[move] for move in moves}


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


# The question


class Question(NamedTuple):
    """A question, checked."""

    board: Board
    start: Square | None
    end: Square | None
    closed: bool
    #: None where the answer is trivial
    problem: Problem | None
    #: tours for every Hamiltonian cycle of the problem
    factor: int
    what: str
    trivial: int | None

    @classmethod
    def of(
        cls,
        board: BoardLike,
        start: SquareLike | None,
        end: SquareLike | None,
        closed: bool,
        directed: bool | None,
    ) -> Question:
        """Check what the caller says, and find out what has to be counted.

        Raises:
            InvalidInputError: something in it cannot be used.
        """
        place = as_board(board)
        first = None if start is None else place.check_square(start, "start")
        last = None if end is None else place.check_square(end, "end")
        if closed is not True and closed is not False:
            raise InvalidInputError(f"closed={closed!r} is neither True nor False")
        if directed is not None and directed is not True and directed is not False:
            raise InvalidInputError(f"directed={directed!r} is not True, False or None")
        if getattr(place, "is_directed", False):
            raise InvalidInputError(
                "on a board with pieces a move may be possible in one direction only: its tours "
                "cannot be counted; leg_rule=False makes the moves go both ways"
            )
        squares = len(place.squares)
        has_ends = first is not None or last is not None
        what = f"{place}: " + convention(
            start=first is not None, end=last is not None, closed=closed, directed=directed
        )
        factor = 2 if (directed if closed or has_ends else directed is not False) else 1
        if not closed and has_ends:
            factor = 1  # the ends tell the direction
        if squares == 1:
            trivial: int | None = 0 if closed else 1
            return cls(place, first, last, closed, None, 1, what, trivial)
        if min(place.shape) > 2 or not _is_plain(place):
            if squares > _MAX_SQUARES:
                raise InvalidInputError(
                    f"counting tours of {place} is beyond this package: it has {squares} squares, "
                    f"more than {_MAX_SQUARES}"
                )
            problem = problem_of(place, first, last, closed)
        else:
            problem = None  # a board of one or two rows and more than one square has no tour
        return cls(
            place, first, last, closed, problem, factor, what, 0 if problem is None else None
        )


def _is_plain(board: Board) -> bool:
    """Whether it is a rectangle on which a knight moves."""
    return bool(getattr(board, "is_plain", True))


def check_threads(threads: object) -> int:
    """Return a number of threads, one a core for None.

    Raises:
        InvalidInputError: not a whole number from 1 on.
    """
    if threads is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    number = 0
    if not isinstance(threads, bool):
        try:
            number = operator.index(threads)  # type: ignore[arg-type]
        except TypeError:
            number = 0
    if number < 1:
        raise InvalidInputError(f"threads={threads!r} is not a number of threads: use 1 or more")
    return number


def check_memory(limit: object) -> int | None:
    """Return a number of bytes, what is free for None, None if that cannot be told.

    Raises:
        InvalidInputError: not a whole number from 1 on.
    """
    if limit is None:
        return free_memory()
    number = 0
    if not isinstance(limit, bool):
        try:
            number = operator.index(limit)  # type: ignore[arg-type]
        except TypeError:
            number = 0
    if number < 1:
        raise InvalidInputError(
            f"memory_limit={limit!r} is not a number of bytes: use a whole number such as 8 * 2**30"
        )
    return number


# The cost


def _plan(question: Question, threads: int, limit: int | None) -> CountPlan:
    nothing = CountPlan(question.board, question.what, None, None, 0, 0, limit, 0.0, threads)
    problem = question.problem
    if problem is None:
        return nothing
    if most_dynamic(problem.neighbours, problem.units, problem.apex) > MAX_DYNAMIC:
        return nothing
    cost = forecast(problem)
    if max(step.slices for step in cost.steps) > _MAX_SLICES and not _is_plain(question.board):
        return nothing
    bits = _bits_expected(problem)
    for width in (8, 4, 2):
        memory = cost.memory(width, threads)
        if limit is None or memory <= limit:
            sweeps = _sweeps(width, bits)
            return CountPlan(
                question.board,
                question.what,
                cost,
                width,
                sweeps,
                memory,
                limit,
                sweeps * cost.seconds(width, threads),
                threads,
            )
    return CountPlan(
        question.board, question.what, cost, None, 0, cost.memory(2, threads), limit, 0.0, threads
    )


def _bits_expected(problem: Problem) -> float:
    """Guess the size of a count, in bits; a wrong guess costs time, nothing else.

    By Bregman a graph with the degrees d has at most the product of (d!)^(1/d) cycle covers; what
    is taken off for each square was fitted to the known counts of boards of 5 to 9 columns.
    """
    squares = len(problem.neighbours) - (problem.apex >= 0)
    bits = sum(math.lgamma(len(near) + 1) / len(near) for near in problem.neighbours[:squares])
    return max(1.0, bits / math.log(2) - 0.62 * squares)


def _sweeps(width: int, bits: float) -> int:
    if width == 8 and bits <= _FITS:
        return 1
    return math.ceil(bits / (8 * width - 1 + (width == 2))) + 1


#: Counts that are expected to be smaller are tried in exact 64 bits first.
_FITS = 66.0


def _refusal(plan: CountPlan) -> str:
    assert plan.forecast is not None
    assert plan.memory_limit is not None
    return (
        f"gave up before the start: {plan.what}: {plan.forecast.peak_states:,} states need "
        f"{human_bytes(plan.memory)} even with 16 bits a state, and "
        f"{human_bytes(plan.memory_limit)} may be taken; "
        "spill=DIR keeps the layers on a disk, memory_limit= allows more"
    )


def _human_time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h"


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


def _count_purely(question: Question, limit: int | None, watch: Watch) -> int:
    """Count in a dictionary."""
    from . import _counting_py

    assert question.problem is not None
    sweep = _counting_py.Sweep(question.problem)
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
    return sweep.total


def primes_below(bound: int) -> Iterator[int]:
    """Yield the primes below a bound of at most 2^63, the largest first.

    >>> from itertools import islice
    >>> list(islice(primes_below(2**16), 5))
    [65521, 65519, 65497, 65479, 65449]
    """
    for number in range(bound - 1, 1, -1):
        if _is_prime(number):
            yield number


def _is_prime(number: int) -> bool:
    """Decide by Miller and Rabin; these twelve bases decide every number below 3.1e23."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number in bases:
        return True
    if number < 2 or any(number % base == 0 for base in bases):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


#: Primes below this leave room to add two residues in the width.
_PRIMES_BELOW = {2: 2**16, 4: 2**31, 8: 2**63}


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
        watch.sweeps = _sweeps(width, 1.5 * _FITS)
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
    return chinese_remainder(residues, primes_below(_PRIMES_BELOW[width]), batch)


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
    # On a disk there is room for wide values, and every sweep saved is a sweep through the disk.
    threads = plan.threads
    width = 8
    tasks = max(1, plan.forecast.peak_states // PART)
    memory = min(threads, tasks) * part_memory(width)
    if tasks > 1 and plan.memory_limit is not None and memory > plan.memory_limit:
        raise SearchLimitError(
            f"gave up before the start: {threads} threads that work parts of layers need "
            f"{human_bytes(memory)}, and {human_bytes(plan.memory_limit)} may be taken; threads= "
            "takes fewer"
        )
    disk = 2 * width * plan.forecast.peak_states
    free = shutil.disk_usage(folder).free
    if disk > free:
        raise SearchLimitError(
            f"gave up before the start: two layers take up to {human_bytes(disk)} on the disk of "
            f"{folder}, and {human_bytes(free)} are free"
        )
    bits = _bits_expected(problem)
    watch.expect(plan.forecast, _sweeps(width, bits))
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

        if _sweeps(width, bits) == 1:
            sweep = run(0)
            if not sweep.has_overflowed:
                return sweep.total
            watch.sweeps = _sweeps(width, 1.5 * _FITS)

        def residues(moduli: list[int]) -> list[int]:
            found = []
            for modulus in moduli:
                found.append(run(modulus).total)
                watch.sweep += 1
            return found

        return chinese_remainder(residues, primes_below(_PRIMES_BELOW[width]))


def _wait_for(future: Any) -> None:
    from concurrent.futures import wait

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


def chinese_remainder(
    residues: Callable[[list[int]], list[int]], moduli: Iterator[int], batch: int = 1
) -> int:
    """Return the number that has the given residues, asking for one modulus more than needed.

    Args:
        residues: returns the residues modulo the given primes.
        moduli: distinct primes.
        batch: how many residues to ask for at a time.

    Raises:
        KnightTourError: the primes ran out.

    Garner's form: value = d1 + d2 p1 + d3 p1 p2 + ...; a digit 0 says that the number was known
    before, and confirms it with a probability of error of one in the prime.

    >>> chinese_remainder(lambda primes: [123456 % p for p in primes], primes_below(2**16))
    123456
    """
    value, product = 0, 1
    while True:
        primes = [prime for prime, _ in zip(moduli, range(batch), strict=False)]
        if not primes:
            raise KnightTourError("internal error: not enough primes")
        for prime, remainder in zip(primes, residues(primes), strict=True):
            digit = (remainder - value) * pow(product, -1, prime) % prime
            if digit == 0 and product > 1:
                return value
            value += digit * product
            product *= prime
