"""Finding tours: `tour()` picks a method, `trace()` shows a search at work.

The front of the search: it validates what the caller says, calls the engine with ints and bytes,
checks what comes back square by square, and raises the package's errors. Without a strategy a
small board is walked once with the tie "far" (Roth's rule: farthest from the centre first), which
seldom fails; every other question is answered by the theorems (`existence`) and the construction,
which plans a tour of any rectangle in about a millisecond. With a strategy exactly that published
search is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from time import perf_counter
from typing import Any, NamedTuple, cast

from . import shapes
from ._engine import Engine, get_engine
from .answer import Stats, StoredPath, Tour
from .board import Board, BoardLike, SquareLike, as_board
from .construction import Engine as Planner
from .construction import construct
from .errors import (
    DeadEndError,
    InvalidInputError,
    KnightTourError,
    NoTourError,
    SearchLimitError,
    Square,
)
from .existence import exhaustive, no_tour, why_not
from .limits import UNLIMITED, Limits, check_seed, free_memory, human_bytes
from .program import Program
from .strategies import DEGREES, STRATEGIES, TIES, Strategy, as_strategy

__all__ = ["Event", "tour", "trace"]

#: Roth's rule for breaking ties, without a way back: the first attempt on small boards.
_FAR = Strategy(STRATEGIES["course"].order, tie="far", backtrack=False)


def tour(
    start: SquareLike | None = None,
    board: BoardLike = "xiangqi",
    *,
    end: SquareLike | None = None,
    closed: bool = False,
    strategy: Strategy | str | None = None,
    seed: int | None = None,
    max_nodes: int | None = None,
    timeout: float | None = None,
    backend: str | None = None,
) -> Tour:
    """Find a knight's tour.

    Args:
        start: the first square, ``(row, col)`` 0-based or a name; None: ``(0, 0)``, or else the
            first square, row by row, from which there is a tour.
        board: a `Board`, ``"chess"``, ``"xiangqi"``, text ``"RxC"`` or a pair ``(rows, cols)``.
        end: the last square, None for any.
        closed: require that a knight's move leads from the end back to the start. False does not
            forbid it.
        strategy: run exactly this published search (a `Strategy` or its name), without any test
            whether a tour exists; excludes `end` and `closed`. None: the library picks the method.
        seed: a whole number from 0 to 2^64 - 1, for another tour or for the tie "random"; None is
            a fixed default. The answer is the same on both engines and on every platform.
        max_nodes: most squares that a search may place, taken back ones included.
        timeout: most seconds that a search may take. Without a strategy the answer comes within
            milliseconds, and neither limit is needed.
        backend: ``"core"`` or ``"pure"`` for this call, None for `knighttour.BACKEND`.

    Returns:
        The tour, checked square by square.

    Raises:
        InvalidInputError: something in the call cannot be used.
        NoTourError: proved, there is no such tour; `reason` and `source` tell why.
        SearchLimitError: `max_nodes`, `timeout` or the memory ran out first.
        DeadEndError: a strategy without backtracking got stuck; `walk` is its partial walk.

    A tour of the xiangqi board takes about 3 microseconds compiled and 60 in pure Python. Boards of
    more than 4096 squares, and every call with an end, with `closed` or with a seed, take the
    construction: about a millisecond compiled, whatever the size.

    >>> t = tour("a0")
    >>> len(t), t[0], t[89]
    (90, (9, 0), (5, 3))
    """
    began = perf_counter()
    place = board if type(board) is Board else as_board(board)
    engine = get_engine(backend)
    limits = UNLIMITED
    if max_nodes is not None or timeout is not None:
        limits = Limits.of(max_nodes, timeout)
    number = 0 if seed is None else check_seed(seed)
    if closed is not True and closed is not False:
        raise InvalidInputError(f"closed={closed!r} is neither True nor False")
    first = None if start is None else place.check_square(start, "start")
    last = None if end is None else place.check_square(end, "end")
    if place._shape is not None:
        if strategy is not None:
            raise _only_plain(strategy, place)
        return shapes.find(
            engine, place, first, last, closed=closed, seed=number, limits=limits, began=began
        )
    if strategy is not None:
        if end is not None or closed:
            raise InvalidInputError(
                f"strategy={strategy!r} excludes end= and closed=: a published search has neither; "
                "leave the strategy out"
            )
        rule = as_strategy(strategy)
        name = strategy if isinstance(strategy, str) else rule.name
        return _search(engine, place, first or (0, 0), rule, name, number, limits, began)
    if last is None and not closed and seed is None and place.rows * place.cols <= _SMALL:
        found = _walk_far(engine, place, first or (0, 0), limits, began)
        if found is not None:
            return found
    return _construct(engine, place, first, last, closed, number, limits, began)


def _only_plain(strategy: Strategy | str, board: Board) -> InvalidInputError:
    name = strategy if isinstance(strategy, str) else strategy.name
    return InvalidInputError(
        f"strategy={name!r} searches plain rectangles with a knight, and the board is {board}; "
        "leave the strategy out"
    )


#: Boards of at most so many squares are walked first: up to here that is the faster way.
_SMALL = 4096


@lru_cache(maxsize=64)
def _cached_template(engine: Engine, rows: int, cols: int, strategy: Strategy) -> Any:
    order = bytes(step & 0xFF for move in strategy.order for step in move)
    return engine.core.WalledBoard(
        rows, cols, order, DEGREES.index(strategy.degree), TIES.index(strategy.tie)
    )


def _template(engine: Engine, board: Board, strategy: Strategy) -> Any:
    """Return the engine's walled board; small ones are kept for the next call."""
    if board.rows * board.cols <= _SMALL:
        return _cached_template(engine, board.rows, board.cols, strategy)
    needed = engine.core.search_memory(board.rows, board.cols, TIES.index(strategy.tie))
    free = free_memory()
    if board.size >= 2**31 or (free is not None and needed > free):
        available = "" if free is None else f", and {human_bytes(free)} are free"
        raise SearchLimitError(
            f"gave up before the start: a search on {board.rows}x{board.cols} needs "
            f"{human_bytes(needed)}{available}; without a strategy the tour is computed instead"
        )
    try:
        return _cached_template.__wrapped__(engine, board.rows, board.cols, strategy)
    except MemoryError:
        raise _out_of_memory(board, needed) from None


def _out_of_memory(board: Board, needed: int) -> SearchLimitError:
    return SearchLimitError(
        f"gave up: no memory for a search on {board.rows}x{board.cols}, which needs "
        f"{human_bytes(needed)}"
    )


def _new_search(engine: Engine, board: Board, start: Square, strategy: Strategy, seed: int) -> Any:
    template = _template(engine, board, strategy)
    try:
        return engine.core.Search(
            template, start[0] * board.cols + start[1], strategy.backtrack, seed
        )
    except MemoryError:
        needed = engine.core.search_memory(board.rows, board.cols, TIES.index(strategy.tie))
        raise _out_of_memory(board, needed) from None


def _checked(
    engine: Engine, board: Board, order: bytes, stats: tuple[str, int, int, float, int]
) -> Tour:
    """Check a stored tour square by square and hand it out."""
    fault = engine.core.first_fault(board.rows, board.cols, order)
    if fault >= 0:
        raise KnightTourError(
            f"internal error: the search returned a tour of {board} with a fault at step {fault}"
        )
    return Tour(board, StoredPath(board.rows, board.cols, order, engine), stats)


def _walk_far(
    engine: Engine, board: Board, start: Square, limits: Limits, began: float
) -> Tour | None:
    """Walk once with the tie "far"; None where that gets stuck."""
    template = _cached_template(engine, board.rows, board.cols, _FAR)
    search = engine.core.Search(template, start[0] * board.cols + start[1], False, 0)
    if search.run(limits.max_nodes, limits.deadline) != engine.core.FOUND:
        return None
    stats = ("far", search.nodes, 0, perf_counter() - began, 0)
    return _checked(engine, board, search.path(), stats)


def _construct(
    engine: Engine,
    board: Board,
    start: Square | None,
    end: Square | None,
    closed: bool,
    seed: int,
    limits: Limits,
    began: float,
) -> Tour:
    """Say why there is no tour, or plan one: the answer for every rectangle."""
    rows, cols = board.shape
    reason = why_not(rows, cols, start, end, closed, search=exhaustive(engine))
    if reason is not None:
        raise no_tour(reason)
    elements, nodes = construct(
        rows, cols, start, end, closed, seed=seed, engine=cast(Planner, engine.construction)
    )
    stats = ("construction", nodes, 0, perf_counter() - began, seed)
    if 0 <= limits.max_nodes < nodes:
        raise SearchLimitError(
            f"gave up: the construction on {board} takes {nodes} nodes "
            f"(max_nodes={limits.max_nodes}); nothing is proved",
            stats=Stats(*stats),
        )
    # The program checks its literals, its joins and its length.
    return Tour(board, Program(elements, rows, cols, backend=engine.name), stats)


def _search(
    engine: Engine,
    board: Board,
    start: Square,
    strategy: Strategy,
    name: str,
    seed: int,
    limits: Limits,
    began: float,
) -> Tour:
    """Run one strategy to its end, and turn the engine's status into an answer."""
    core = engine.core
    search = _new_search(engine, board, start, strategy, seed)
    status = search.run(limits.max_nodes, limits.deadline)
    stats = (name, search.nodes, search.backtracks, perf_counter() - began, seed)
    if status == core.FOUND:
        try:
            return _checked(engine, board, search.path(), stats)
        except MemoryError:
            needed = core.search_memory(board.rows, board.cols, TIES.index(strategy.tie))
            raise _out_of_memory(board, needed) from None
    where = f"from {board.name(start)} on {board}"
    if status == core.STUCK:
        raise DeadEndError(
            f"dead end: {name} {where} got stuck after {search.depth} of {board.size} squares; "
            "it does not take moves back, so nothing is proved",
            walk=[divmod(square, board.cols) for square in memoryview(search.path()).cast("i")],
            stats=Stats(*stats),
        )
    if status == core.EXHAUSTED:
        raise NoTourError(
            f"there is no tour {where}: all walks from there were tried "
            f"({search.nodes} squares placed)",
            reason="exhausted-search",
            source=f"exhaustive search by the strategy {name}",
            squares=(start,),
        )
    limit = f"max_nodes={limits.max_nodes}"
    if status == core.TIME_LIMIT:
        limit = f"timeout={limits.timeout} seconds"
    raise SearchLimitError(
        f"gave up: {name} {where} has placed {search.nodes} squares and taken "
        f"{search.backtracks} back ({limit}); nothing is proved",
        stats=Stats(*stats),
    )


class Event(NamedTuple):
    """One thing that happens in a search, as `trace` tells it."""

    #: ``"place"``, ``"dead-end"``, ``"undo"`` or ``"done"``
    kind: str
    #: the square placed, stuck on, taken back, or, when done, stood on
    square: Square
    #: how many squares are on the path after it
    step: int
    #: squares placed so far
    nodes: int
    #: squares taken back so far
    backtracks: int
    #: what can be taken next from where the knight stands now: squares with their degrees
    candidates: tuple[tuple[Square, int], ...]


def trace(
    start: SquareLike | None = None,
    board: BoardLike = "xiangqi",
    strategy: Strategy | str = "course",
    *,
    seed: int | None = None,
    backend: str | None = None,
) -> Iterator[Event]:
    """Run a strategy event by event, lazily.

    Args:
        start: the first square, None for ``(0, 0)``.
        board: as in `tour`.
        strategy: a `Strategy` or the name of one.
        seed: for the tie "random".
        backend: as in `tour`.

    Yields:
        An `Event` for every square placed or taken back and for every dead end. The last one is
        ``"done"``: a tour was found if its `step` is the number of squares of the board.

    Raises:
        InvalidInputError: something in the call cannot be used.

    >>> events = list(trace((4, 2), "5x5", "warnsdorff"))
    >>> events[0]
    Event(kind='place', square=(4, 2), step=1, nodes=1, backtracks=0, \
candidates=(((3, 4), 2), ((2, 3), 5), ((3, 0), 2), ((2, 1), 5)))
    >>> events[-1].kind, events[-1].step
    ('done', 25)
    """
    place = as_board(board)
    rule = as_strategy(strategy)
    if not place.is_plain:
        raise _only_plain(strategy, place)
    square = (0, 0) if start is None else place.check_square(start, "start")
    search = _new_search(
        get_engine(backend), place, square, rule, 0 if seed is None else check_seed(seed)
    )
    return _events(search, place)


def _events(search: Any, board: Board) -> Iterator[Event]:
    cols = board.cols
    path: list[Square] = []

    def event(kind: str, square: Square) -> Event:
        candidates = tuple((divmod(index, cols), exits) for index, exits in search.candidates())
        return Event(kind, square, search.depth, search.nodes, search.backtracks, candidates)

    path.append(divmod(memoryview(search.path()).cast("i")[0], cols))
    yield event("place", path[-1])
    while True:
        if search.depth < board.size and not search.candidates():
            yield event("dead-end", path[-1])
        before = search.depth
        search.step(1)
        if search.depth > before:
            path.append(divmod(search.here(), cols))
            yield event("place", path[-1])
        elif search.depth < before:
            yield event("undo", path.pop())
        else:
            yield event("done", path[-1])
            return
