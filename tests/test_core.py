"""The ported search: both engines, step by step the same, and equal to a naive recounting."""

import inspect
import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import KNIGHT_MOVES, _core_py
from knighttour._engine import get_engine
from knighttour.errors import InvalidInputError

from .checker import check

try:
    _core = get_engine("core").core
except InvalidInputError:
    _core = None

needs_core = pytest.mark.skipif(_core is None, reason="this installation has no compiled core")

orders = st.permutations(KNIGHT_MOVES).map(
    lambda moves: b"".join(struct.pack("bb", *move) for move in moves)
)
boards = st.tuples(st.integers(1, 9), st.integers(1, 9))


def indices(path):
    return memoryview(path).cast("i").tolist()


@needs_core
@settings(deadline=None, max_examples=300)
@given(
    boards, orders, st.integers(0, 2), st.integers(0, 3), st.booleans(), st.integers(0, 2**64 - 1),
    st.lists(st.integers(1, 200), min_size=1, max_size=8), st.data(),
)  # fmt: skip
def test_twins_agree_after_every_pause(board, order, degree, tie, backtrack, seed, works, data):
    rows, cols = board
    start = data.draw(st.integers(0, rows * cols - 1))
    searches = [
        module.Search(module.WalledBoard(rows, cols, order, degree, tie), start, backtrack, seed)
        for module in (_core, _core_py)
    ]
    for work in works:
        core, pure = searches
        assert core.candidates() == pure.candidates()
        assert core.step(work) == pure.step(work)
        assert core.path() == pure.path()
        assert core.here() == pure.here() == indices(core.path())[-1]
        assert (core.nodes, core.backtracks, core.depth) == (
            pure.nodes,
            pure.backtracks,
            pure.depth,
        )


@needs_core
@settings(deadline=None, max_examples=100)
@given(boards, orders, st.integers(0, 2), st.integers(0, 3), st.integers(1, 3000), st.data())
def test_twins_agree_on_node_limits(board, order, degree, tie, limit, data):
    rows, cols = board
    start = data.draw(st.integers(0, rows * cols - 1))
    outcomes = []
    for module in (_core, _core_py):
        template = module.WalledBoard(rows, cols, order, degree, tie)
        search = module.Search(template, start, True, 7)
        status = search.run(limit, math.inf)
        outcomes.append((status, search.nodes, search.backtracks, search.path()))
        assert search.nodes <= limit
    assert outcomes[0] == outcomes[1]


def naive_walk(rows, cols, moves, start, tie, dynamic):
    """Warnsdorff's rule by the book: exits counted afresh on every step, no way back."""

    def free(square, visited):
        row, col = square
        reached = [(row + dr, col + dc) for dr, dc in moves]
        return [s for s in reached if 0 <= s[0] < rows and 0 <= s[1] < cols and s not in visited]

    walk = [start]
    while True:
        candidates = free(walk[-1], walk)
        if not candidates:
            return walk
        counts = [len(free(s, walk if dynamic else ())) for s in candidates]
        if tie == "last":
            position = max(k for k, count in enumerate(counts) if count == min(counts))
        elif tie == "far":
            rank = [
                (count, -((2 * r - rows + 1) ** 2) - (2 * c - cols + 1) ** 2)
                for count, (r, c) in zip(counts, candidates, strict=True)
            ]
            position = rank.index(min(rank))
        else:
            position = counts.index(min(counts))
        walk.append(candidates[position])


@settings(deadline=None, max_examples=60)
@given(
    boards, st.permutations(KNIGHT_MOVES), st.sampled_from(["first", "last", "far"]),
    st.booleans(), st.data(),
)  # fmt: skip
def test_maintained_degrees_equal_recounting(board, moves, tie, dynamic, data):
    rows, cols = board
    start = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    expected = naive_walk(rows, cols, moves, start, tie, dynamic)
    order = b"".join(struct.pack("bb", *move) for move in moves)
    for module in filter(None, (_core, _core_py)):
        template = module.WalledBoard(
            rows, cols, order, 2 if dynamic else 1, ("first", "last", "random", "far").index(tie)
        )
        search = module.Search(template, start[0] * cols + start[1], False, 0)
        search.run(-1, math.inf)
        assert expected == [divmod(index, cols) for index in indices(search.path())]


ORDER = b"".join(struct.pack("bb", *move) for move in KNIGHT_MOVES)


@pytest.mark.parametrize(
    ("rows", "cols", "start", "tours"), [(5, 5, 0, 304), (3, 4, 0, 2), (4, 3, 0, 2), (4, 5, 0, 32),
                                         (5, 4, 0, 32), (3, 7, 0, 8), (4, 4, 0, 0)]
)  # fmt: skip
@pytest.mark.parametrize("degree", [0, 1, 2])
def test_going_on_after_a_tour_finds_every_tour_once(engine, rows, cols, start, tours, degree):
    """The numbers of tours from a corner: OEIS A165134 for 5x5, recomputed for the others."""
    core = engine.core
    search = core.Search(core.WalledBoard(rows, cols, ORDER, degree, 0), start, True, 0)
    found = set()
    while (status := search.run(-1, math.inf)) == core.FOUND:
        check([divmod(index, cols) for index in indices(search.path())], rows, cols, start=(0, 0))
        found.add(search.path())
    assert status == core.EXHAUSTED
    assert len(found) == tours


@pytest.mark.parametrize(
    ("order", "status", "fault"),
    [
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4], True, -1),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10], False, 11),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 0], False, 11),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 4, 10], False, 10),
        ([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 12], False, 11),
        ([0, -1, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4], False, 1),
        ([], False, 0),
    ],
)
def test_the_checker_finds_the_first_fault(engine, order, status, fault):
    path = struct.pack(f"{len(order)}i", *order)
    assert fault == engine.core.first_fault(3, 4, path)
    assert status is (fault == -1)


@pytest.mark.parametrize(("rows", "cols"), [(2, 50_000), (50_000, 2)])
def test_the_checker_sees_a_jump_whose_length_is_too_large_for_32_bits(engine, rows, cols):
    # 49,999^2 does not fit: an overflow, which the sanitizers report (tools/sanitize.sh).
    assert engine.core.first_fault(rows, cols, struct.pack("2i", 0, 99_999)) == 1


@settings(deadline=None)
@given(st.permutations(range(30)))
def test_step_numbers_invert_a_permutation(order):
    path = struct.pack("30i", *order)
    for module in filter(None, (_core, _core_py)):
        steps = indices(module.step_numbers(path))
        assert [order[step] for step in steps] == list(range(30))


def test_a_running_search_refuses_to_be_entered_again(engine):
    """As a generator does; tried with the one callback that Python gives: a signal handler."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        pytest.skip("needs interval timers in the main thread")
    core = engine.core
    search = core.Search(core.WalledBoard(7, 7, ORDER, 2, 0), 1, True, 0)
    errors = []

    def again(number, frame):
        try:
            search.run(-1, math.inf)
        except ValueError as error:
            errors.append(str(error))
        raise InterruptedError

    previous = signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(InterruptedError):
            search.run(-1, math.inf)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert errors == ["this search is already running"]
    # It goes on afterwards.
    assert search.step(10) in (core.PAUSED, core.FOUND)


@needs_core
def test_twins_have_the_same_names_and_signatures():
    assert _core.__all__ == _core_py.__all__
    for name in _core_py.__all__:
        compiled, pure = getattr(_core, name), getattr(_core_py, name)
        if inspect.isfunction(pure):
            assert list(inspect.signature(compiled).parameters) == list(
                inspect.signature(pure).parameters
            )
        elif inspect.isclass(pure):
            public = {member for member in dir(pure) if not member.startswith("_")}
            hidden = {"degree", "exits", "moves", "neighbours", "tie"}  # data of the pure template
            assert public - hidden <= set(dir(compiled))
        else:
            assert compiled == pure
