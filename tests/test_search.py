"""tour(): the one call, its limits, its interruption, and bad input at every door."""

import pickle
import threading
import time

import numpy as np
import pytest

from knighttour import (
    DeadEndError,
    InvalidInputError,
    KnightTourError,
    NoTourError,
    SearchLimitError,
    Strategy,
    tour,
    trace,
)
from knighttour.board import as_board
from knighttour.strategies import STRATEGIES

from .checker import check


@pytest.mark.parametrize("board", ["xiangqi", "chess", "9x10"])
@pytest.mark.parametrize("strategy", [None, "course", "step-back"])
def test_every_start_gives_a_checked_tour(board, strategy, backend):
    for square in as_board(board).squares:
        found = tour(square, board, strategy=strategy, backend=backend)
        check(found.tolist(), *found.board.shape, start=square)


@pytest.mark.parametrize("start", [(9, 0), [9, 0], "a0", "A0", np.array([9, 0])])
def test_a_start_may_be_a_pair_or_a_name(start):
    assert tour(start).start == (9, 0)


def test_the_same_call_gives_the_same_answer_on_both_engines(backend):
    rule = Strategy(STRATEGIES["course"].order, tie="random")
    here = tour((3, 3), "chess", strategy=rule, seed=5, backend=backend)
    pure = tour((3, 3), "chess", strategy=rule, seed=5, backend="pure")
    assert here == pure
    assert here.stats[:3] == pure.stats[:3]


def test_different_seeds_give_different_random_walks(backend):
    rule = Strategy(STRATEGIES["course"].order, tie="random")
    tours = {tour((0, 0), "chess", strategy=rule, seed=seed, backend=backend) for seed in range(9)}
    assert len(tours) > 5


@pytest.mark.parametrize(
    "options",
    [
        {"start": (10, 0)},
        {"start": (0, 9)},
        {"start": (-1, 0)},
        {"start": (True, 0)},
        {"start": (0.0, 0)},
        {"start": "a10"},
        {"start": "j0"},
        {"start": 90},
        {"start": -1},
        {"start": True},
        {"end": (10, 0)},
        {"end": "z9"},
        {"board": "8by8"},
        {"board": None},
        {"strategy": "fastest"},
        {"strategy": 3},
        {"strategy": "course", "closed": True},
        {"strategy": "course", "end": (0, 1)},
        {"closed": 1},
        {"closed": "yes"},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": 1.5},
        {"seed": "x"},
        {"seed": True},
        {"max_nodes": 0},
        {"max_nodes": -3},
        {"max_nodes": 2.5},
        {"max_nodes": True},
        {"timeout": -1},
        {"timeout": float("nan")},
        {"timeout": "1"},
        {"backend": "fast"},
        {"backend": 1},
    ],
)
def test_bad_input_is_refused_and_the_value_named(options):
    with pytest.raises(InvalidInputError) as caught:
        tour(**options)
    value = next(iter(options.values()))
    assert repr(value) in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "arguments",
    [
        {"order": ()},
        {"order": ((1, 2),) * 8},
        {"order": ((1, 1), *STRATEGIES["course"].order[1:])},
        {"order": "abcdefgh"},
        {"order": STRATEGIES["course"].order, "degree": "dynamical"},
        {"order": STRATEGIES["course"].order, "tie": "left"},
        {"order": STRATEGIES["course"].order, "backtrack": 1},
    ],
)
def test_a_bad_strategy_is_refused(arguments):
    with pytest.raises(InvalidInputError):
        Strategy(**arguments)


#: Searches without an end: 7x7 from the wrong colour, and a hard start of 5x8.
ENDLESS = [((0, 1), "7x7"), ((1, 6), "5x8")]


@pytest.mark.parametrize(("start", "board"), ENDLESS)
def test_a_timeout_ends_a_search_and_proves_nothing(start, board, backend):
    began = time.monotonic()
    with pytest.raises(SearchLimitError, match="gave up.*nothing is proved") as caught:
        tour(start, board, strategy="step-back", timeout=0.2, backend=backend)
    assert 0.2 <= time.monotonic() - began < 1.5  # 0.3 on a quiet machine
    assert not isinstance(caught.value, (NoTourError, DeadEndError))
    stats = caught.value.stats
    assert stats.nodes > stats.backtracks > 1000
    assert 0.2 <= stats.seconds < 1.5


@pytest.mark.parametrize(("start", "board"), ENDLESS)
@pytest.mark.parametrize("max_nodes", [1, 2, 1000, 123_456])
def test_a_node_limit_is_kept_to_the_node(start, board, max_nodes, backend):
    with pytest.raises(SearchLimitError, match=f"max_nodes={max_nodes}") as caught:
        tour(start, board, strategy="step-back", max_nodes=max_nodes, backend=backend)
    assert caught.value.stats.nodes == max_nodes


def test_a_tour_of_just_the_limit_is_found(backend):
    assert len(tour((0, 1), strategy="course", max_nodes=90, backend=backend)) == 90
    assert tour((0, 0), strategy="course", max_nodes=99, backend=backend).stats.nodes == 99
    with pytest.raises(SearchLimitError):
        tour((0, 0), strategy="course", max_nodes=98, backend=backend)


def test_a_dead_end_gives_the_partial_walk(backend):
    with pytest.raises(DeadEndError, match="stuck after 60 of 64") as caught:
        tour((1, 3), "chess", strategy="warnsdorff", backend=backend)
    assert len(caught.value.walk) == 60
    assert caught.value.walk[0] == (1, 3)
    assert caught.value.stats.nodes == 60


def test_an_exhausted_search_is_a_proof(backend):
    with pytest.raises(NoTourError, match="all walks from there were tried") as caught:
        tour((0, 1), "5x5", strategy="course", backend=backend)
    assert caught.value.reason == "exhausted-search"
    assert caught.value.squares == ((0, 1),)


def test_errors_survive_pickling():
    for call in (
        lambda: tour((0, 1), "5x5", strategy="course"),
        lambda: tour((1, 3), "chess", strategy="warnsdorff"),
        lambda: tour((0, 1), "7x7", strategy="course", max_nodes=10),
        lambda: tour((8, 8), "chess"),
    ):
        with pytest.raises(KnightTourError) as caught:
            call()
        clone = pickle.loads(pickle.dumps(caught.value))
        assert type(clone) is type(caught.value)
        assert str(clone) == str(caught.value)
        assert clone.__dict__ == caught.value.__dict__


@pytest.mark.parametrize(("start", "board"), ENDLESS)
def test_ctrl_c_stops_an_endless_search_at_once(start, board, backend):
    import signal

    if not hasattr(signal, "setitimer"):
        pytest.skip("needs interval timers")

    delays = []

    def handler(number, frame):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, handler)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            began = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                tour(start, board, strategy="step-back", backend=backend)
            delays.append(time.monotonic() - began - 0.1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert min(delays) < 0.1


def test_two_threads_search_at_once(backend):
    """Each runs its own search to its own node limit; results do not mix."""
    outcomes = {}

    def work(name, nodes):
        try:
            tour((0, 1), "7x7", strategy="step-back", max_nodes=nodes, backend=backend)
        except SearchLimitError as error:
            outcomes[name] = error.stats.nodes

    threads = [threading.Thread(target=work, args=(name, 100_000 + name)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {name: 100_000 + name for name in range(4)}


def test_the_core_releases_the_gil():
    """While one thread searches in the core, another gets the interpreter to itself."""
    from knighttour._engine import get_engine

    try:
        get_engine("core")
    except InvalidInputError:
        pytest.skip("this installation has no compiled core")

    stop = threading.Event()

    def endless():
        while not stop.is_set():
            try:
                tour((0, 1), "7x7", strategy="step-back", timeout=0.05, backend="core")
            except SearchLimitError:
                continue

    thread = threading.Thread(target=endless)
    thread.start()
    try:
        counted = 0
        deadline = time.monotonic() + 0.3
        while time.monotonic() < deadline:
            counted += 1
    finally:
        stop.set()
        thread.join()
    # With the GIL held for a search's whole 50 ms this loop would turn a few times at most.
    assert counted > 10_000


def test_a_search_that_does_not_fit_the_memory_is_refused_before_it_starts(backend):
    with pytest.raises(SearchLimitError, match="needs .* free"):
        tour((0, 0), "40000x40000", strategy="course", backend=backend)
    with pytest.raises(SearchLimitError):
        tour((0, 0), (2**40, 2**20), strategy="course", backend=backend)


def test_trace_validates_at_the_call_not_at_the_first_event():
    with pytest.raises(InvalidInputError):
        trace((8, 8), "chess")
    with pytest.raises(InvalidInputError):
        trace("a1", "chess", "nonsense")
