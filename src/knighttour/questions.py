"""What is asked for, and what it will cost: questions about numbers of tours, and plans.

What it does.  `Question` checks what a caller says and turns it into a `Problem`; `plan_of` finds
out what the compiled engine will need for it, and chooses how wide a value is and how many sweeps
there are. The conventions of counting are those of `counting.count`.

Cost.  Some milliseconds.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from .board import Board, BoardLike, SquareLike, as_board
from .elimination import MAX_DYNAMIC, Problem, most_dynamic, problem_of, widest_frontier
from .errors import InvalidInputError, SearchLimitError, Square
from .limits import free_memory, human_bytes
from .oneway import OneWayProblem, has_one_way_moves, one_way_problem
from .predictor import Forecast, StepForecast, forecast
from .strips import MOST_SQUARES, WIDEST, Strip, strip_of

__all__ = [
    "FITS",
    "CountPlan",
    "Question",
    "bits_expected",
    "bits_of_strip",
    "check_executor",
    "check_memory",
    "check_squares",
    "check_tables",
    "check_threads",
    "convention",
    "is_sparse",
    "plan_of",
    "plan_of_strip",
    "refusal",
    "sweeps_expected",
]

#: Boards with more squares are not counted: their plan alone would take minutes.
_MAX_SQUARES = 20_000

#: Boards of so many rows are swept as strips: rows that repeat are planned once. The last rows take
#: more work than those of a board of its own, where the bounds are tighter: 4 % of 6x20.
_LONG = 20

#: Dense blocks are for frontiers that fit; others are swept in a table of states.
_MAX_SLICES = 1 << 26

#: Dense blocks are for frontiers of so many squares. Of rectangles with so many more it is still
#: told how many states there are; it takes seconds to find that out.
_MOST_CELLS = 40
_TOLD_CELLS = 48

#: Bits that a row more adds to the count of a long board, by the width: measured at length 30, and
#: for 3 and 8 columns Knuth's growth 3.45059 (open) and 526.46.
_BITS_A_ROW = {3: 1.787, 4: 2.267, 5: 4.180, 6: 6.002, 7: 7.487, 8: 9.040}

#: Counts that are expected to have fewer bits are tried in exact 64 bits first.
FITS = 66.0


@dataclass(frozen=True, slots=True)
class CountPlan:
    """What a count will cost, computed without counting; `count_plan` makes it.

    >>> from knighttour import count_plan
    >>> count_plan("6x6", closed=True).sweeps
    1
    """

    board: Board
    #: what is counted, in words
    what: str
    #: None where no tour is possible by the colours or for want of ways, and where the count
    #: is made in a table of states, whose size is not known beforehand: then `sweeps` is 1
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
        if self.forecast is None and self.sweeps:
            return f"{self.what}: counted in a table of states, whose size is not known beforehand"
        if self.forecast is None:
            return f"{self.what}: none, by the colours of the squares or for want of ways"
        lines = [
            self.what,
            f"{'step':>4}  {'squares':<17}{'frontier':>8}{'states after':>20}{'transitions':>22}",
        ]
        lines.extend(self._lines())
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

    def _lines(self) -> Iterator[str]:
        """Yield a line for every step, and one for rows that are like those before them."""
        assert self.forecast is not None
        tall = self.board.rows >= self.board.cols
        squares = self.board.squares
        rows: list[tuple[int, list[tuple[int, StepForecast]]]] = []
        for number, step in enumerate(self.forecast.steps, 1):
            square = squares[step.unit[0]]
            row = square[0] if tall else square[1]
            if not rows or rows[-1][0] != row:
                rows.append((row, []))
            rows[-1][1].append((number, step))
        costs = [
            [(step.frontier, step.states, step.transitions) for _, step in steps]
            for _, steps in rows
        ]
        side = "row" if tall else "column"
        place = 0
        while place < len(rows):
            for number, step in rows[place][1]:
                names = " ".join(self.board.name(squares[cell]) for cell in step.unit)
                yield (
                    f"{number:>4}  {names:<17}{step.frontier:>8}{step.states:>20,}"
                    f"{step.transitions:>22,}"
                )
            place += 1
            # As many rows as are like the one or the two that have just been told.
            for period in (1, 2):
                end = place
                while period <= place and end < len(rows) and costs[end] == costs[end - period]:
                    end += 1
                if end - place > 2 * period:
                    told = "that one" if period == 1 else "those two"
                    yield (
                        f"{'...':>4}  {side}s {rows[place][0] + 1} to {rows[end - 1][0] + 1} "
                        f"repeat {told}"
                    )
                    place = end
                    break
        told_rows, all_rows = rows[-1][0] + 1, max(self.board.shape)
        if told_rows < all_rows:
            yield (
                f"{'...':>4}  {side}s {told_rows + 1} and {all_rows} are read off the last layer"
            )


def convention(
    *, start: bool, end: bool, closed: bool, directed: bool | None = None, one_way: bool = False
) -> str:
    """Return in words what `count` counts as one tour.

    Args:
        start, end: whether there is one.
        closed, directed: as in `count`.
        one_way: whether the board has moves that go one way only, so that tours have a direction.

    >>> convention(start=False, end=False, closed=True)
    'closed tours, each once (without direction)'
    >>> convention(start=True, end=False, closed=False)
    'open tours from the start, those that could be closed included'
    """
    if closed:
        through = " through this move" if start and end else ""
        if one_way:
            return f"closed tours{through}, each once in its direction"
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


class Question(NamedTuple):
    """A question, checked."""

    board: Board
    start: Square | None
    end: Square | None
    closed: bool
    #: None where the answer is trivial, or there is `one_way`
    problem: Problem | None
    #: tours for every Hamiltonian cycle of the problem
    factor: int
    what: str
    trivial: int | None
    #: the strip that a long board is swept as; its problem is then that of a shorter board
    strip: Strip | None = None
    #: instead of `problem` on a board with moves that go one way only
    one_way: OneWayProblem | None = None

    @classmethod
    def of(
        cls,
        board: BoardLike,
        start: SquareLike | None,
        end: SquareLike | None,
        closed: bool,
        directed: bool | None,
        *,
        by_strip: bool = False,
    ) -> Question:
        """Check what the caller says, and find out what has to be counted.

        Args:
            board, start, end, closed, directed: as in `count`.
            by_strip: long boards may be swept as strips.

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
        squares = len(place.squares)
        one_way = has_one_way_moves(place)
        if one_way and directed is False:
            raise InvalidInputError(
                f"directed=False, but there are moves of {place} that go one way only: its tours "
                "have a direction; leg_rule=False makes the moves go both ways"
            )
        has_ends = first is not None or last is not None
        what = f"{place}: " + convention(
            start=first is not None,
            end=last is not None,
            closed=closed,
            directed=directed,
            one_way=one_way,
        )
        factor = 2 if (directed if closed or has_ends else directed is not False) else 1
        if not closed and has_ends:
            factor = 1  # the ends tell the direction
        if squares == 1:
            trivial: int | None = 0 if closed else 1
            return cls(place, first, last, closed, None, 1, what, trivial)
        if one_way:
            circuits = one_way_problem(place, first, last, closed)
            trivial = 0 if circuits is None else None
            return cls(place, first, last, closed, None, 1, what, trivial, one_way=circuits)
        width, length = sorted(place.shape)
        is_strip = by_strip and _is_plain(place) and not has_ends and 3 <= width <= WIDEST
        if is_strip and _LONG <= length <= MOST_SQUARES // width and not (closed and squares % 2):
            strip = strip_of(width, closed, length % 2)
            return cls(place, None, None, closed, strip.problem, factor, what, None, strip)
        if min(place.shape) > 2 or not _is_plain(place):
            check_squares(place)
            problem = problem_of(place, first, last, closed)
        else:
            problem = None  # a board of one or two rows and more than one square has no tour
        return cls(
            place, first, last, closed, problem, factor, what, 0 if problem is None else None
        )


def _is_plain(board: Board) -> bool:
    """Whether it is a rectangle on which a knight moves."""
    return bool(getattr(board, "is_plain", True))


def check_squares(board: Board) -> None:
    """Refuse boards that are too large to be counted square by square.

    Raises:
        InvalidInputError: this is one.
    """
    squares = len(board.squares)
    if squares > _MAX_SQUARES:
        raise InvalidInputError(
            f"counting tours of {board} is beyond this package: it has {squares} squares, more "
            f"than {_MAX_SQUARES}"
        )


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


def check_executor(executor: object) -> None:
    """Look whether work can be handed to it; None is nobody.

    Raises:
        InvalidInputError: it cannot be.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidInputError(
            f"executor={executor!r} is not a concurrent.futures.Executor: it has no submit()"
        )


def check_tables(board: Board, engine: str, **options: object) -> None:
    """Refuse options that mean nothing where states are in tables.

    Args:
        board: the board.
        engine: the name of the engine that counts on it in tables.
        options: by name; None was not given.

    Raises:
        InvalidInputError: one was given.
    """
    where = "in pure Python" if engine == "pure" else f"of {board}"
    for name, value in options.items():
        if value is not None:
            raise InvalidInputError(
                f"{name}= is for counts in blocks by the compiled engine; tours {where} are "
                f"counted in one table in memory: leave {name}= out"
            )


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


def plan_of(
    question: Question,
    threads: int,
    limit: int | None,
    tick: Callable[[], None] | None = None,
    *,
    in_blocks: bool = False,
) -> CountPlan:
    """Return what the compiled engine will need, with the widest values that fit the limit.

    Args:
        question, threads, limit: what is asked, and what may be taken for it.
        tick: as in `forecast`.
        in_blocks: blocks that do not fit are wanted all the same: there is a disk for them.

    Raises:
        SearchLimitError: the board is so wide that this cannot even be told.
    """
    nothing = CountPlan(question.board, question.what, None, None, 0, 0, limit, 0.0, threads)
    problem = question.problem
    if problem is None:
        return nothing if question.one_way is None else replace(nothing, sweeps=1)
    if most_dynamic(problem.neighbours, problem.units, problem.apex) > MAX_DYNAMIC:
        return replace(nothing, sweeps=1)
    if question.strip is not None:
        return plan_of_strip(question.strip, question.board, question.what, threads, limit)
    width = widest_frontier(problem)
    if width > _MOST_CELLS and not _is_plain(question.board):
        return replace(nothing, sweeps=1)
    if width > _TOLD_CELLS:
        raise SearchLimitError(
            f"gave up before the start: {question.what}: with a frontier of {width} squares there "
            "are too many states to say how many; rectangles up to 10 columns are what can be "
            "counted"
        )
    cost = forecast(problem, tick=tick)
    if max(step.slices for step in cost.steps) > _MAX_SLICES and not _is_plain(question.board):
        return replace(nothing, sweeps=1)
    plan = _fitted(nothing, cost, bits_expected(problem))
    if plan.width is None and is_sparse(question.board) and not in_blocks:
        return replace(nothing, sweeps=1)
    return plan


def is_sparse(board: Board) -> bool:
    """Whether few of the states occur that blocks have room for: a long leaper, a board that wraps.

    Those of a (2, 3)-leaper on 8x8 would take terabytes; 7293 states occur.
    """
    return board.leaper != (1, 2) or board.wrap is not None


def plan_of_strip(
    strip: Strip, board: Board, what: str, threads: int, limit: int | None
) -> CountPlan:
    """Return what a sweep over a strip will need that ends with this board."""
    tall = board.cols == strip.width
    length = board.rows if tall else board.cols
    nothing = CountPlan(board, what, None, None, 0, 0, limit, 0.0, threads)
    return _fitted(nothing, strip.forecast(length, tall), bits_of_strip(strip, length))


def _fitted(plan: CountPlan, cost: Forecast, bits: float) -> CountPlan:
    """Return a plan with the widest values that fit the limit."""
    for width in (8, 4, 2):
        memory = cost.memory(width, plan.threads)
        if plan.memory_limit is None or memory <= plan.memory_limit:
            sweeps = sweeps_expected(width, bits)
            return replace(
                plan,
                forecast=cost,
                width=width,
                sweeps=sweeps,
                memory=memory,
                seconds=sweeps * cost.seconds(width, plan.threads),
            )
    return replace(plan, forecast=cost, memory=cost.memory(2, plan.threads))


def bits_of_strip(strip: Strip, length: int) -> float:
    """Guess the size of a count of a board of some length, in bits.

    >>> from .strips import strip_of
    >>> round(bits_of_strip(strip_of(6, True), 40))  # 3770...5336, of 66 digits
    220
    """
    planned = bits_expected(strip.problem)
    by_row = _BITS_A_ROW.get(strip.width, planned / strip.rows)
    return max(1.0, planned + by_row * (length - strip.rows))


def bits_expected(problem: Problem) -> float:
    """Guess the size of a count, in bits; a wrong guess costs time, nothing else.

    By Bregman a graph with the degrees d has at most the product of (d!)^(1/d) cycle covers; what
    is taken off for each square was fitted to the known counts of boards of 5 to 9 columns.
    """
    squares = len(problem.neighbours) - (problem.apex >= 0)
    bits = sum(math.lgamma(len(near) + 1) / len(near) for near in problem.neighbours[:squares])
    return max(1.0, bits / math.log(2) - 0.62 * squares)


def sweeps_expected(width: int, bits: float) -> int:
    """Return how many sweeps a count of so many bits takes, the checking one included."""
    if width == 8 and bits <= FITS:
        return 1
    return math.ceil(bits / (8 * width - 1 + (width == 2))) + 1


def refusal(plan: CountPlan, *, may_spill: bool = True) -> str:
    """Return the text of the error for a count that does not fit.

    Args:
        plan: what it would need.
        may_spill: whether the caller has an option ``spill=``.
    """
    helps = "spill=DIR keeps the layers on a disk, " if may_spill else ""
    assert plan.forecast is not None
    assert plan.memory_limit is not None
    return (
        f"gave up before the start: {plan.what}: {plan.forecast.peak_states:,} states need "
        f"{human_bytes(plan.memory)} even with 16 bits a state, and "
        f"{human_bytes(plan.memory_limit)} may be taken; "
        f"{helps}memory_limit= allows more"
    )


def _human_time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h"
