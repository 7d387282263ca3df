"""Tours of any rectangle: the search, the planner, and the test list of the method.

Every plan is checked by code that knows nothing of the planner: `walk` writes out the elements,
`check` looks at every square and every move. On boards too large for that `check_joins` looks at
every literal and every link once and adds up the lengths.

`pytest tests/test_construction.py` takes a sample of each family of queries;
`pytest -m slow -rP tests/test_construction.py` takes them all and prints how many there were.
"""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, pairwise, permutations, product
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import _construction_py, construction, program
from knighttour.construction import Element, Engine, Planner, choose_end, construct, plan
from knighttour.existence import why_not
from knighttour.program import Lit, Rep

core: ModuleType
try:
    from knighttour import _construction as core
except ImportError:  # an installation without a compiler
    core = _construction_py

pure: ModuleType = _construction_py
NO_PATH, FOUND, GAVE_UP = pure.NO_PATH, pure.FOUND, pure.GAVE_UP
needs_core = pytest.mark.skipif(core is pure, reason="the compiled engine is not installed")

Square = tuple[int, int]


@pytest.fixture(
    params=[pytest.param(core, id="core", marks=needs_core), pytest.param(pure, id="pure")]
)
def engine(request: pytest.FixtureRequest) -> Any:
    """Each engine in turn."""
    return request.param


# --- The independent checker ---------------------------------------------------------------------


def walk(elements: Iterable[Element], down: int = 0, right: int = 0) -> Iterator[Square]:
    """Every square of the elements, in order."""
    for element in elements:
        if isinstance(element, Lit):
            for row, col in element.squares:
                yield row + down, col + right
        else:
            for copy in range(element.count):
                yield from walk(
                    element.elements,
                    down + copy * element.shift[0],
                    right + copy * element.shift[1],
                )


def is_move(one: Square, other: Square) -> bool:
    """Whether two squares are a knight's move apart."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 == 5


def check_squares(rows: int, cols: int, squares: list[Square]) -> None:
    """Each square of the board once, by knight's moves."""
    visited = bytearray(rows * cols)
    for row, col in squares:
        assert 0 <= row < rows
        assert 0 <= col < cols
        visited[row * cols + col] += 1

    assert visited == b"\1" * (rows * cols)
    assert all(is_move(one, other) for one, other in pairwise(squares))


def check_joins(rows: int, cols: int, elements: Iterable[Element]) -> tuple[Square, Square, int]:
    """Every literal and every link once; the ends and the length of the path."""

    def moved(square: Square, shift: Square, times: int) -> Square:
        return square[0] + times * shift[0], square[1] + times * shift[1]

    pieces: list[tuple[Square, Square]] = []
    length = 0
    for element in elements:
        if isinstance(element, Lit):
            assert all(is_move(one, other) for one, other in pairwise(element.squares))
            corners = list(element.squares)
            first, last, squares = corners[0], corners[-1], len(corners)
        else:
            assert element.count >= 2
            first, last, squares = check_joins(rows, cols, element.elements)
            assert is_move(last, moved(first, element.shift, 1))
            last = moved(last, element.shift, element.count - 1)
            squares *= element.count
            corners = [first, last]
        assert all(0 <= row < rows and 0 <= col < cols for row, col in corners)
        pieces.append((first, last))
        length += squares
    assert all(is_move(last, first) for (_, last), (first, _) in pairwise(pieces))
    return pieces[0][0], pieces[-1][1], length


def sizes(elements: Iterable[Element]) -> tuple[int, int]:
    """How many elements and how many literal squares there are."""
    count = squares = 0
    for element in elements:
        count += 1
        if isinstance(element, Lit):
            squares += len(element.squares)
        else:
            more = sizes(element.elements)
            count, squares = count + more[0], squares + more[1]
    return count, squares


# --- Families of queries -------------------------------------------------------------------------


class Query(NamedTuple):
    """What `construct` is asked."""

    rows: int
    cols: int
    start: Square | None = None
    end: Square | None = None
    closed: bool = False


def board(rows: int, cols: int) -> list[Square]:
    """All squares, row by row."""
    return list(product(range(rows), range(cols)))


def boards(least: int, most: int) -> Iterator[Square]:
    """All sizes, lying and standing."""
    return product(range(least, most + 1), range(least, most + 1))


def every_start(least: int, most: int, *, closed: bool = False) -> Iterator[Query]:
    """Tours of every board from every start."""
    for rows, cols in boards(least, most):
        for start in board(rows, cols):
            yield Query(rows, cols, start, None, closed)


def every_move(least: int, most: int) -> Iterator[Query]:
    """Closed tours that end with each move of every board."""
    for rows, cols in boards(least, most):
        for start, end in permutations(board(rows, cols), 2):
            if is_move(start, end):
                yield Query(rows, cols, start, end, closed=True)


def whole_boards(least: int, most: int) -> Iterator[Query]:
    """Every board without a start, open and closed."""
    for rows, cols in boards(least, most):
        yield Query(rows, cols)
        yield Query(rows, cols, closed=True)


def has_right_colours(rows: int, cols: int, start: Square, end: Square) -> bool:
    """Whether colours alone allow a tour between these ends."""
    one, other = sum(start) % 2, sum(end) % 2
    return one != other if rows * cols % 2 == 0 else one == other == 0


def every_pair(sizes_: Iterable[Square], *, ordered: bool = False) -> Iterator[Query]:
    """All pairs of ends of the right colours."""
    choose = permutations if ordered else combinations
    for rows, cols in sizes_:
        for start, end in choose(board(rows, cols), 2):
            if has_right_colours(rows, cols, start, end):
                yield Query(rows, cols, start, end)


def narrow(most: int, *rows: int) -> list[Square]:
    """Bands of each number of rows up to `most` columns, lying and standing."""
    return [
        size
        for row in rows
        for col in range(row, most + 1)
        for size in {(row, col): 0, (col, row): 0}
    ]


def cores_with_arms(cases_a_pair: int) -> Iterator[Query]:
    """Every pair of ends in one core, with 0, 1 or 2 cells or strips on each of its sides."""
    generator = random.Random(61)
    for height, width in boards(6, 11):
        for first, last in combinations(board(height, width), 2):
            if has_right_colours(height, width, first, last):
                for _ in range(cases_a_pair):
                    up, down, left, right = (generator.randrange(3) for _ in range(4))
                    rows, cols = height + 6 * (up + down), width + 6 * (left + right)
                    start = (first[0] + 6 * up, first[1] + 6 * left)
                    end = (last[0] + 6 * up, last[1] + 6 * left)
                    yield Query(rows, cols, start, end)


def random_queries(
    seed: int,
    count: int,
    rows: Callable[[random.Random], int],
    cols: Callable[[random.Random], int],
) -> Iterator[Query]:
    """Random ends, half of them near the borders, sometimes near each other; closed ones too."""
    generator = random.Random(seed)

    def place(length: int) -> int:
        if generator.random() < 0.5:
            return generator.randrange(length)
        near = generator.randrange(min(length, 14))
        return near if generator.random() < 0.5 else length - 1 - near

    def mended(square: Square, width: int) -> Square:
        """The next square of the same row, so that few queries are refused for their colours."""
        return square[0], square[1] + 1 if square[1] + 1 < width else square[1] - 1

    for _ in range(count):
        height, width = rows(generator), cols(generator)
        start, end = (place(height), place(width)), (place(height), place(width))
        if generator.random() < 0.2:
            down, right = generator.randint(-8, 8), generator.randint(-8, 8)
            row = min(max(start[0] + down, 0), height - 1)
            end = (row, min(max(start[1] + right, 0), width - 1))
        if height == 4:
            start, end = (start[0] // 2 * 3, start[1]), (end[0] // 2 * 3, end[1])
        if height * width % 2:
            start = mended(start, width) if sum(start) % 2 else start
            end = mended(end, width) if sum(end) % 2 else end
        elif sum(start) % 2 == sum(end) % 2:
            end = mended(end, width)
        if generator.random() < 0.5:
            height, width = width, height
            start, end = start[::-1], end[::-1]
        kind = generator.random()
        if kind < 0.08:
            yield Query(height, width, start, None, closed=True)
        elif kind < 0.12:
            yield Query(height, width, start)
        elif kind < 0.16:
            yield Query(height, width, None, end, closed=kind < 0.14)
        else:
            yield Query(height, width, start, end)


def up_to(most: int, least: int = 6) -> Callable[[random.Random], int]:
    """A length, uniform in its logarithm."""
    return lambda generator: int(least * (most / least) ** generator.random())


def one_of(*lengths: int) -> Callable[[random.Random], int]:
    """One of these lengths."""
    return lambda generator: generator.choice(lengths)


class Family(NamedTuple):
    """Queries of one kind; the ordinary suite takes each `stride`-th one.

    Plans of at most `area` squares are written out and every `skip`-th of them is checked square by
    square; the others by their joins.
    """

    queries: Callable[[], Iterable[Query]]
    stride: int
    skip: int = 1
    area: int = 3_000


FAMILIES = {
    "whole boards 1..60, open and closed": Family(lambda: whole_boards(1, 60), 29),
    "every start, boards 3..16": Family(lambda: every_start(3, 16), 23),
    "every start, boards 3..30": Family(lambda: every_start(3, 30), 397),
    "closed from every start, boards 3..16": Family(lambda: every_start(3, 16, closed=True), 23),
    "closed by every move, boards 3..12": Family(lambda: every_move(3, 12), 97),
    "all pairs, boards 3..9": Family(lambda: every_pair(boards(3, 9), ordered=True), 47),
    "all pairs, boards 6..16": Family(
        lambda: every_pair((m, n) for m, n in boards(6, 16) if m <= n), 499, 7
    ),
    "all pairs, 3 x 3..26": Family(lambda: every_pair(narrow(26, 3)), 47),
    "all pairs, 4 x 4..26": Family(lambda: every_pair(narrow(26, 4)), 97),
    "all pairs, 5 x 5..24": Family(lambda: every_pair(narrow(24, 5)), 97),
    "random 3 x n, n <= 3000": Family(
        lambda: random_queries(3, 20_000, one_of(3), up_to(3000, 11)), 67, 10, 1_000
    ),
    "random 4 x n, n <= 3000": Family(
        lambda: random_queries(4, 20_000, one_of(4), up_to(3000, 7)), 67, 10, 1_000
    ),
    "random 5 x n, n <= 3000": Family(
        lambda: random_queries(5, 20_000, one_of(5), up_to(3000, 7)), 67, 10, 1_000
    ),
    "pairs in every core, 0..2 arms a side": Family(lambda: cores_with_arms(4), 1999, 20),
    "random boards 6..60": Family(
        lambda: random_queries(6, 150_000, up_to(60), up_to(60)), 499, 10
    ),
    "random boards to 10^6": Family(
        lambda: random_queries(7, 20_000, up_to(10**6), up_to(10**6)), 67, 1, 10_000
    ),
    "random boards to 10^9": Family(
        lambda: chain(
            random_queries(8, 20_000, up_to(10**9), up_to(10**9)),
            random_queries(9, 6_000, one_of(3, 4, 5), up_to(10**9, 11)),
        ),
        67,
        1,
        10_000,
    ),
}


@dataclass
class Report:
    """What came of a family: tours, those written out, refusals, the slowest plan, failures."""

    plans: int = 0
    expanded: int = 0
    refused: int = 0
    most_nodes: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """One line of figures."""
        return (
            f"{self.plans} plans, {self.expanded} of them checked square by square, {self.refused} "
            f"refused, {len(self.failures)} failures; at most {self.most_nodes} nodes and "
            f"{1000 * self.slowest:.1f} ms of processor time a plan"
        )


def run(family: Family, stride: int, engine: Engine) -> Report:
    """Ask every `stride`-th query of a family and check the answers."""
    report = Report()
    for query in islice(family.queries(), 0, None, stride):
        rows, cols, start, end, closed = query
        reason = why_not(rows, cols, start, end, closed, search=Planner(engine.solve, 0).search)
        before = time.process_time()
        try:
            elements, nodes = construct(*query, engine=engine)
        except (ValueError, RuntimeError) as error:
            if reason is None or str(error) != reason.sentence:
                report.failures.append(f"{query}: {error}")
            report.refused += 1
            continue
        report.slowest = max(report.slowest, time.process_time() - before)
        report.most_nodes = max(report.most_nodes, nodes)
        try:
            assert reason is None
            first, last, length = check_joins(rows, cols, elements)
            assert length == rows * cols
            assert start in (None, first)
            assert end in (None, last)
            assert not closed or is_move(first, last)
            if length <= family.area and report.plans % family.skip == 0:
                check_squares(rows, cols, list(walk(elements)))
                report.expanded += 1
        except AssertionError as error:
            report.failures.append(f"{query}: {error}")
        report.plans += 1
    return report


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the ways that the planner tries; more than one a plan is the safety net."""
    tried = [0]
    framed = Planner._framed

    def counting(*arguments: Any, **options: Any) -> Any:
        tried[0] += 1
        return framed(*arguments, **options)

    monkeypatch.setattr(Planner, "_framed", counting)
    return tried


@pytest.mark.parametrize("name", FAMILIES)
def test_a_sample_of_every_family(name: str, ways: list[int]) -> None:
    """Whatever the theorems allow has a plan, the plan is a tour, and the first way gives it."""
    report = run(FAMILIES[name], FAMILIES[name].stride, core)

    assert report.failures == []
    assert report.plans >= 50
    assert report.expanded >= 5
    assert ways[0] <= report.plans


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_family(name: str, ways: list[int]) -> None:
    """The same for all of its queries."""
    report = run(FAMILIES[name], 1, core)
    print(f"{name}: {report}")

    assert report.failures == []
    assert ways[0] <= report.plans


@needs_core
@pytest.mark.slow
def test_the_engines_agree_on_all_pairs_up_to_9x9() -> None:
    """Same elements and same nodes, for every pair of the right colours."""
    cases = 0
    for rows, cols, start, end, _ in every_pair(boards(3, 9)):
        if why_not(rows, cols, start, end, search=Planner(core.solve, 0).search) is None:
            expected = construct(rows, cols, start, end, engine=core)
            cases += 1

            assert expected == construct(rows, cols, start, end, engine=pure)
    print(f"engines: {cases} pairs, 0 differences")


@needs_core
def test_the_engines_agree_on_samples() -> None:
    """Same elements and same nodes on boards of every kind, and for other seeds."""
    queries: list[Query] = []
    for name, family in FAMILIES.items():
        queries.extend(islice(family.queries(), len(name), None, 997 * max(1, family.stride // 9)))
    for number, query in enumerate(queries):
        rows, cols, start, end, closed = query
        if why_not(*query, search=Planner(core.solve, 0).search) is None:
            seed = number % 3
            expected = construct(rows, cols, start, end, closed, seed=seed, engine=core)

            assert expected == construct(rows, cols, start, end, closed, seed=seed, engine=pure)


# --- The search ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "expected"),
    [(3, 3, 0), (3, 4, 7), (3, 5, 0), (3, 6, 0), (3, 7, 17), (3, 8, 72), (4, 4, 0), (4, 5, 18)]
    + [pytest.param(*case, marks=pytest.mark.slow) for case in ((4, 6, 32), (5, 5, 42))],
)
def test_search_counts_the_pairs_of_tiny_boards(
    engine: Engine, rows: int, cols: int, expected: int
) -> None:
    """Without a limit the search decides every pair of ends; boards and transposes alike."""
    for height, width in ((rows, cols), (cols, rows)):
        found = [
            engine.solve(height, width, start, end, b"", 1, -1, -1)[0]
            for start, end in combinations(range(rows * cols), 2)
        ]

        assert expected == found.count(FOUND)
        assert len(found) - expected == found.count(NO_PATH)


@needs_core
@pytest.mark.parametrize(
    ("rows", "cols", "expected"), [(3, 9, 50), (3, 10, 147), (4, 6, 32), (5, 5, 42), (5, 6, 178)]
)
def test_search_decides_the_other_tiny_boards(rows: int, cols: int, expected: int) -> None:
    """The same, compiled, with the worst case of a pair of the right colours."""
    results = {
        (start, end): core.solve(rows, cols, start, end, b"", 1, -1, -1)
        for start, end in combinations(range(rows * cols), 2)
    }
    allowed = [
        nodes
        for (start, end), (_, _, nodes) in results.items()
        if has_right_colours(rows, cols, divmod(start, cols), divmod(end, cols))
    ]

    assert expected == sum(status == FOUND for status, _, _ in results.values())
    assert max(allowed) <= 3_936


def test_search_returns_a_path(engine: Engine) -> None:
    """The path is a tour between the two squares, and every square of it costs a node."""
    for rows, cols, start, end in ((8, 8, 0, 1), (11, 11, 60, 0), (6, 11, 65, 0), (15, 17, 0, 254)):
        status, path, nodes = engine.solve(rows, cols, start, end, b"", 1, 20 * rows * cols, 60_000)

        assert status == FOUND
        assert (start, end) == (path[0], path[-1])
        assert nodes >= rows * cols
        check_squares(rows, cols, [divmod(square, cols) for square in path])


def test_search_stays_on_the_allowed_squares(engine: Engine) -> None:
    """A mask takes squares away from the board."""
    ring = bytes([1, 1, 1, 1, 0, 1, 1, 1, 1])  # 3x3 without its centre is a cycle

    assert (FOUND, bytes([0, 5, 6, 1, 8, 3, 2, 7]), 8) == engine.solve(3, 3, 0, 7, ring, 1, -1, -1)
    assert engine.solve(3, 3, 0, 1, ring, 1, -1, -1)[0] == NO_PATH
    assert engine.solve(1, 1, 0, 0, b"", 1, -1, -1) == (FOUND, b"\0", 1)
    assert engine.solve(3, 3, 4, 4, b"\0\0\0\0\1\0\0\0\0", 1, -1, -1) == (FOUND, b"\4", 1)
    assert engine.solve(3, 3, 4, 4, b"", 1, -1, -1)[0] == NO_PATH


@pytest.mark.parametrize("limit", [1, 2, 37, 1000])
def test_search_gives_up_at_its_limit(engine: Engine, limit: int) -> None:
    """Giving up is not the same answer as no path."""
    assert (GAVE_UP, b"", limit) == engine.solve(7, 7, 0, 1, b"", 1, 300, limit)


@needs_core
@settings(max_examples=300, deadline=None)
@given(
    st.integers(3, 8),
    st.integers(3, 12),
    st.integers(0, 2**64 - 1),
    st.integers(1, 300),
    st.integers(1, 3000),
    st.data(),
)
def test_search_is_the_same_on_both_engines(
    rows: int, cols: int, seed: int, first_limit: int, total_limit: int, data: st.DataObject
) -> None:
    """Same status, same path, same nodes: with limits, restarts, masks and any seed."""
    start = data.draw(st.integers(0, rows * cols - 1))
    end = data.draw(st.integers(0, rows * cols - 1))
    holes = data.draw(st.sets(st.integers(0, rows * cols - 1), max_size=3)) - {start, end}
    mask = bytes(square not in holes for square in range(rows * cols)) if holes else b""
    arguments = (rows, cols, start, end, mask, seed, first_limit, total_limit)

    assert core.solve(*arguments) == pure.solve(*arguments)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_search_can_be_interrupted(engine: Engine) -> None:
    """A search without an end answers a signal at once."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        before = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            engine.solve(8, 8, 0, 2, b"", 1, -1, -1)
        assert time.perf_counter() - before < 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


# --- The planner ---------------------------------------------------------------------------------


def test_shifting_and_reversing_elements() -> None:
    """A shifted or reversed path is the shifted or reversed walk."""
    elements = plan(40, 3, (0, 0), (39, 0), solve=core.solve)
    squares = list(walk(elements))

    assert [(row + 5, col - 2) for row, col in squares] == list(
        walk(program.shifted(elements, (5, -2)))
    )
    assert squares[::-1] == list(walk(program.backwards(elements)))
    assert squares == list(walk(program.backwards(program.backwards(elements))))


@pytest.mark.parametrize("flip_rows", [False, True])
@pytest.mark.parametrize("flip_cols", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
def test_frames(flip_rows: bool, flip_cols: bool, transpose: bool) -> None:
    """A frame carries a path where `inward` takes it back."""
    frame = construction.Frame(13, 20, flip_rows, flip_cols, transpose)
    elements = plan(13, 20, (0, 0), (12, 19), solve=core.solve)
    outside = list(walk(frame.outward(elements)))

    check_squares(*((20, 13) if transpose else (13, 20)), outside)
    assert list(walk(elements)) == [frame.inward(square) for square in outside]


def test_the_single_square(engine: Engine) -> None:
    """1x1 has its trivial tour."""
    assert ((Lit(((0, 0),)),), 0) == construct(1, 1, engine=engine)
    assert choose_end(1, 1, (0, 0), solve=engine.solve) == (0, 0)
    with pytest.raises(ValueError, match="1x1"):
        construct(1, 1, closed=True, engine=engine)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (Query(2, 9), "2 rows"),
        (Query(4, 4), "4x4"),
        (Query(5, 5, closed=True), "25 squares"),
        (Query(7, 7, (0, 1)), "colour"),
        (Query(7, 4, (3, 2)), "columns 0 and 3"),
        (Query(8, 8, (0, 0), (0, 0)), "start and end"),
        (Query(8, 8, (0, 0), (7, 6), True), "move"),
    ],
)
def test_the_reason_of_a_refusal(engine: Engine, query: Query, words: str) -> None:
    """What has no tour is refused with the sentence of the theorem."""
    with pytest.raises(ValueError, match=words):
        construct(*query, engine=engine)


def test_a_start_without_a_tour_has_no_end(engine: Engine) -> None:
    """No end is chosen for a start that has no tour, or no closed one."""
    assert choose_end(4, 7, (1, 3), solve=engine.solve) is None
    assert choose_end(3, 7, (1, 3), solve=engine.solve) is None
    assert choose_end(7, 7, (0, 1), solve=engine.solve) is None
    assert choose_end(7, 7, (0, 0), closed=True, solve=engine.solve) is None
    assert choose_end(7, 7, (0, 0), solve=engine.solve) == (1, 1)


def test_open_tours_are_closed_where_that_is_free(engine: Engine) -> None:
    """On an even board with 5 rows and columns or more the chosen end is next to the start."""
    for rows, cols in ((5, 6), (8, 8), (6, 31), (100, 5), (10**9, 10**9)):
        elements, _ = construct(rows, cols, engine=engine)
        first, last, _ = check_joins(rows, cols, elements)

        assert first == (0, 0)
        assert is_move(first, last)


@pytest.mark.parametrize("size", [(8, 8), (3, 40), (41, 4), (5, 37), (31, 40), (10**9, 10**9 + 1)])
def test_seeds(engine: Engine, size: Square) -> None:
    """Another seed gives another tour between the same ends, the same seed the same tour."""
    rows, cols = size
    end = (0, 4) if rows * cols % 2 else (0, 3)
    tours = [plan(rows, cols, (0, 0), end, seed=seed, solve=engine.solve) for seed in range(5)]
    again = [plan(rows, cols, (0, 0), end, seed=seed, solve=engine.solve) for seed in range(5)]

    assert again == tours
    assert len(set(tours)) >= 4
    for elements in tours:
        assert ((0, 0), end, rows * cols) == check_joins(rows, cols, elements)
        if rows * cols < 10_000:
            check_squares(rows, cols, list(walk(elements)))


@settings(max_examples=100, deadline=None)
@given(
    st.integers(-(2**70), 2**70),
    st.one_of(
        st.tuples(st.integers(3, 40), st.integers(3, 40)), st.sampled_from([(3, 99), (99, 4)])
    ),
    st.booleans(),
)
def test_any_seed_succeeds(seed: int, size: Square, closed: bool) -> None:
    """No seed leaves a board without its tour."""
    rows, cols = size
    if why_not(rows, cols, None, None, closed, search=Planner(core.solve, 0).search) is None:
        elements, _ = construct(rows, cols, closed=closed, seed=seed, engine=core)
        squares = list(walk(elements))

        check_squares(rows, cols, squares)
        assert not closed or is_move(squares[0], squares[-1])


@pytest.mark.slow
def test_any_seed_succeeds_everywhere() -> None:
    """Other seeds are as safe as the default: random queries of all kinds, a new seed for each."""
    cases = 0
    queries = chain(
        random_queries(11, 30_000, up_to(60), up_to(60)),
        random_queries(12, 30_000, one_of(3, 4, 5), up_to(200, 6)),
    )
    for seed, query in enumerate(queries):
        rows, cols, start, end, closed = query
        if why_not(*query, search=Planner(core.solve, 0).search) is None:
            elements, _ = construct(rows, cols, start, end, closed, seed=seed, engine=core)
            cases += 1

            assert rows * cols == check_joins(rows, cols, elements)[2]
            if seed % 10 == 0 and rows * cols <= 2000:
                check_squares(rows, cols, list(walk(elements)))
    print(f"seeds: {cases} plans, 0 failures")


def test_plans_do_not_grow_with_the_board() -> None:
    """The longest plans on small boards are as long as those on the largest."""
    for rows, cols in ((3, 10**12 + 1), (4, 10**15), (5, 10**18), (10**9 + 7, 10**9 + 9)):
        for end in ((rows - 1, cols - 1), (0, 2), (0, cols // 2)):
            square = end if has_right_colours(rows, cols, (0, 0), end) else (end[0], end[1] - 1)
            elements, nodes = construct(rows, cols, (0, 0), square, engine=core)
            count, literals = sizes(elements)

            assert count <= 120
            assert literals <= 2_500
            assert nodes <= 20_000
            assert ((0, 0), square, rows * cols) == check_joins(rows, cols, elements)


@pytest.mark.parametrize(("rows", "cols"), [(1000, 1000), (999, 1001), (3, 200_000), (200_000, 5)])
def test_large_boards_square_by_square(rows: int, cols: int) -> None:
    """Hundreds of thousands of squares, each once; from near one corner to near the opposite."""
    start, end = (0, 0), (rows - 1, cols - 1)
    if not has_right_colours(rows, cols, start, end):
        end = (rows - 1, cols - 2)
    check_squares(rows, cols, list(walk(plan(rows, cols, start, end, solve=core.solve))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols"), [(3, 3_333_333), (4, 2_500_000), (2_000_000, 5), (6, 1_666_667), (3163, 3161)]
)
def test_ten_million_squares(rows: int, cols: int) -> None:
    """Ten million squares, each once."""
    elements, _ = construct(rows, cols, engine=core)
    visited = bytearray(rows * cols)
    previous = None
    for row, col in walk(elements):
        assert 0 <= row < rows
        assert 0 <= col < cols
        visited[row * cols + col] += 1
        assert previous is None or is_move(previous, (row, col))
        previous = (row, col)

    assert visited.count(1) == rows * cols


@pytest.mark.parametrize("failing", [1, 2, 3, 4, 11, 16, 31, 32])
@pytest.mark.parametrize("size", [(20, 33), (4, 31), (5, 30), (31, 3)])
def test_safety_net(monkeypatch: pytest.MonkeyPatch, size: Square, failing: int) -> None:
    """When the first ways fail, the others give a tour all the same; in the end, a clear error."""
    rows, cols = size
    ways = 32 if min(size) >= 6 else 16
    framed = Planner._framed
    calls = 0

    def failing_at_first(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        return None if calls <= failing else framed(*arguments, **options)

    monkeypatch.setattr(Planner, "_framed", failing_at_first)
    start, end = (0, 0), (rows - 1, cols - 1)
    assert has_right_colours(rows, cols, start, end)
    if failing < ways:
        elements = plan(rows, cols, start, end, solve=core.solve)
        assert (start, end) == (next(walk(elements)), list(walk(elements))[-1])
        check_squares(rows, cols, list(walk(elements)))
    else:
        with pytest.raises(RuntimeError, match="internal error"):
            plan(rows, cols, start, end, solve=core.solve)


def test_elements_are_literals_and_repetitions(engine: Engine) -> None:
    """A plan is made of the two kinds of element only, repetitions in repetitions included."""
    elements, _ = construct(50, 70, engine=engine)
    strips = [element for element in elements if isinstance(element, Rep)]

    assert all(isinstance(element, Lit | Rep) for element in elements)
    assert any(isinstance(inner, Rep) for strip in strips for inner in strip.elements)
