"""All tours and random tours: what a caller may rely on, whatever comes between."""

import itertools
import signal
import time
from collections import Counter

import pytest

from knighttour import (
    Board,
    InvalidInputError,
    SearchLimitError,
    Strategy,
    exists,
    random_tour,
    tours,
)
from knighttour.board import as_board
from knighttour.strategies import STRATEGIES

from .test_shapes import check


@pytest.fixture
def hammer():
    """Ctrl-C again and again, by the clock of the work done."""

    class Hammer:
        hits = 0

        def blow(self, *_):
            self.hits += 1
            raise KeyboardInterrupt

        def __enter__(self):
            self.before = signal.signal(signal.SIGVTALRM, self.blow)
            return self

        def wait(self, seconds):
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)

        def __exit__(self, *_):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self.before)

    if not hasattr(signal, "setitimer"):
        pytest.skip("no timer signals here")
    return Hammer()


@pytest.mark.parametrize("strategy", [None, Strategy(STRATEGIES["course"].order, "none")])
def test_interrupted_arrays_go_on_where_they_were(hammer, strategy, backend):
    if backend == "pure" and strategy is not None:
        pytest.skip("half a minute in pure Python; what goes on again is the same code")
    board, start = Board(5, 5), (0, 0)
    expected = tours(start, board, strategy=strategy, backend=backend).to_array().tolist()
    found = tours(start, board, strategy=strategy, backend=backend)
    rows = []
    with hammer:
        for k in range(400):
            hammer.wait(0.0005 + 0.0007 * (k % 13))
            try:
                rows += found.to_array(7).tolist()
                hammer.wait(0)
            except KeyboardInterrupt:
                continue
            assert found.position == len(rows)
            if len(rows) == len(expected):
                break
    rows += found.to_array().tolist()
    assert rows == expected
    assert found.position == len(expected)
    assert list(found) == []


def test_an_interrupted_count_is_not_lost(hammer, core):
    whole = tours(board="6x6", backend=core)
    found = tours(board="6x6", backend=core)
    with hammer:
        while found.position < 300_000:
            hammer.wait(0.002)
            try:
                found.skip(50_000)
                hammer.wait(0)
            except KeyboardInterrupt:
                pass
    assert hammer.hits > 3
    assert whole.skip(found.position) == found.position
    assert next(whole) == next(found)


def test_a_timeout_of_one_call_is_kept_and_the_next_goes_on(backend):
    for call in (next, lambda t: t.to_array(), lambda t: t.skip()):
        found = tours(board=Board(100, 100), timeout=0.2, backend=backend)
        began = time.process_time()
        with pytest.raises(SearchLimitError, match="nothing is proved"):
            call(found)
        assert time.process_time() - began < 0.2 + (0.1 if backend == "core" else 1)
        before = found.nodes
        with pytest.raises(SearchLimitError):
            call(found)
        assert found.nodes > before
    found = tours((0, 0), "5x5", timeout=0, backend=backend)
    rows = []
    while len(rows) < 304:
        try:
            rows += found.to_array(50).tolist()
        except SearchLimitError:
            assert found.position == len(rows)
    assert rows == tours((0, 0), "5x5").to_array().tolist()
    with pytest.raises(InvalidInputError, match="timeout"):
        tours(board="5x5", timeout=-1)


def test_a_place_in_the_list_is_found_again(backend):
    board = Board.ring(5, 2)
    every = [t.tolist() for t in itertools.islice(tours(board=board, backend=backend), 300)]
    some = tours(board=board, backend=backend)
    rows = [next(some).tolist() for _ in range(123)]
    again = tours(board=board, backend=backend)
    assert again.skip(some.position) == some.position == 123
    assert rows + [t.tolist() for t in itertools.islice(again, 177)] == every


def test_the_first_tours_of_a_million_cost_what_they_should(core):
    began = time.process_time()
    for t in itertools.islice(tours(board="6x6", backend=core), 50_000):
        last = t
    check(last, Board(6, 6))
    assert time.process_time() - began < 1.5  # 20 times that for a million

    began = time.process_time()
    rows = tours(board="6x6", backend=core).to_array(1_000_000)
    assert rows.shape == (1_000_000, 36)
    assert time.process_time() - began < 2


def test_all_of_5x5_in_one_array_within_ten_milliseconds(core):
    pytest.importorskip("numpy")
    spent = []
    for _ in range(5):
        began = time.process_time()
        assert tours(board="5x5", backend=core).to_array().shape == (1728, 25)
        spent.append(time.process_time() - began)
    assert min(spent) < 0.010


# Random tours


def turns(squares, closed):
    """Count the angles between one move and the next, in steps of the eight moves."""
    moves = [
        (b[0] - a[0], b[1] - a[1])
        for a, b in itertools.pairwise([*squares, *squares[:1]] if closed else squares)
    ]
    order = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
    tally = Counter()
    pairs = list(itertools.pairwise(moves)) + ([(moves[-1], moves[0])] if closed else [])
    for one, other in pairs:
        difference = (order.index(other) - order.index(one)) % 8
        tally[min(difference, 8 - difference)] += 1
    return tally


def shares(tally):
    total = sum(tally.values())
    return [tally[k] / total for k in range(4)]


def test_random_tours_turn_as_often_as_uniform_ones(core):
    everything = tours(board="6x6", closed=True, backend=core).to_array()
    uniform = Counter()
    for row in everything[::20]:
        uniform += turns([divmod(int(k), 6) for k in row], True)
    drawn = Counter()
    seen = set()
    for seed in range(1500):
        t = random_tour("6x6", closed=True, seed=seed, backend=core)
        drawn += turns(list(t), True)
        seen.add(frozenset(frozenset(move) for move in itertools.pairwise([*t, t[0]])))
    for one, other in zip(shares(uniform), shares(drawn), strict=True):
        assert abs(one - other) < 0.02
    # 1,500 uniform draws of 9,862 tours meet about 1,392 different ones.
    assert len(seen) > 1100


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("board", [Board(60, 61), Board.ring(60, 20)], ids=str)
def test_random_tours_of_larger_boards_look_irregular(board, closed, core):
    found = random_tour(board, closed=closed, seed=3, backend=core)
    check(found, board, closed=closed)
    codes = found.moves(closing=False)
    runs = Counter(tuple(codes[k : k + 6]) for k in range(len(codes) - 5))
    assert max(runs.values()) < 12  # no pattern comes again and again
    assert all(share > 0.02 for share in shares(turns(list(found), closed)))


@pytest.mark.parametrize(
    "question",
    [
        {"board": "4x20", "closed": True},
        {"board": "20x4", "closed": True},
        {"board": "xiangqi", "start": (0, 0), "end": (0, 0), "closed": True},
        {"board": "8x8", "start": (0, 0), "end": (1, 1), "closed": True},
        {"board": "9x9", "start": (0, 1)},
        {"board": "4x30", "start": (1, 4), "end": (2, 9)},
        {"board": Board(9, 9, holes=[(0, 0)]), "start": (0, 1), "end": (0, 1)},
        {
            "board": Board(8, 8, holes=[(0, 0), (0, 1)]),
            "start": (3, 3),
            "end": (6, 6),
            "closed": True,
        },
        {"board": Board(8, 8, wrap="torus"), "start": (3, 3), "end": (3, 3), "closed": True},
    ],
    ids=str,
)
def test_where_no_tour_is_possible_none_is_looked_for(question, backend):
    found = tours(timeout=10, backend=backend, **question)
    assert next(found, None) is None
    assert found.nodes == 0


@pytest.mark.parametrize(("board", "end"), [("3x8", (0, 0)), ("4x5", (3, 1)), ("5x4", (0, 0))])
def test_starts_from_which_there_is_no_tour_are_passed_over(board, end, backend):
    found = tours(board=board, end=end, backend=backend)
    starts = [tour.start for tour in found]
    assert starts == sorted(starts)
    everywhere = as_board(board).squares
    assert set(starts) == {s for s in everywhere if exists(board, start=s, end=end)}
    one_by_one = [tours(s, board, end=end, backend=backend) for s in sorted(set(starts))]
    assert len(starts) == sum(len(list(some)) for some in one_by_one)
    assert found.nodes == sum(some.nodes for some in one_by_one)
