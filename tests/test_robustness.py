"""What must not happen whatever the machine does: late Ctrl-C, leaks, crashes without memory."""

import _thread
import contextlib
import gc
import multiprocessing
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import knighttour
from knighttour import DeadEndError, NoTourError, SearchLimitError, tour, trace
from knighttour import program as programs_module
from knighttour._engine import get_engine
from knighttour.dense import Blueprint
from knighttour.frontier import TableSweep
from knighttour.limits import zeroed
from knighttour.questions import Question
from knighttour.strips import StripBlueprint, strip_of

from .checker import check
from .signals import SANITIZED, SOON, lateness, signal_after

POSIX = os.name == "posix"

needs_posix = pytest.mark.skipif(not POSIX, reason="POSIX signals and limits")
needs_address_space = pytest.mark.skipif(SANITIZED, reason="sanitizers map terabytes")


def run(*words, env=None, check=True, preexec_fn=None):
    """Run Python in a process of its own that imports the same package."""
    source = str(Path(knighttour.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": source, **(env or {})},
        capture_output=True, text=True, check=check, preexec_fn=preexec_fn, timeout=300,
    )  # fmt: skip


# -- Ctrl-C ------------------------------------------------------------------------------------


#: 400 million squares: each of the calls below takes at least some tenths of a second.
HUGE = "20000x20000"

LONG_CALLS = {
    "order": lambda t: t.order(),
    "steps": lambda t: t.steps(),
    "steps of 8 bytes": lambda t: t.steps(base=2**40),
    "fill": lambda t: t.fill(np.empty(t.board.shape, np.int64)),
    "moves": lambda t: [t.moves() for _ in range(99)],
    "iter_moves": lambda t: [len(codes) for _ in range(99) for codes in t.iter_moves()],
    "iter_moves in one piece": lambda t: [list(t.iter_moves(len(t))) for _ in range(99)],
    "verify": lambda t: t.verify(),
    "asarray": np.asarray,
    "iteration": lambda t: sum(1 for _ in t),
    "comparison": lambda t: t.rotated(t[9]) == t.rotated(t[5]).rotated(t[9]).rotated(t[9]),
}


@needs_posix
@pytest.mark.parametrize("name", LONG_CALLS)
def test_ctrl_c_ends_a_long_call_within_a_tenth_of_a_second(name, backend):
    found = tour(board=HUGE, closed=True, backend=backend)
    assert lateness(lambda: LONG_CALLS[name](found)) < SOON


@needs_posix
@pytest.mark.parametrize("ending", ["npy", "txt", "csv", "json"])
@pytest.mark.parametrize("board", [HUGE, "3x100000000", "100000000x3"])
def test_ctrl_c_ends_saving_within_a_tenth_of_a_second_and_leaves_nothing(
    tmp_path, backend, ending, board
):
    found = tour(board=board, backend=backend)
    assert lateness(lambda: found.save(tmp_path / f"tour.{ending}"), delay=0.05) < SOON
    assert list(tmp_path.iterdir()) == []


@needs_posix
@pytest.mark.parametrize("strategy", ["step-back", "course"])
def test_ctrl_c_ends_a_search_and_a_trace_within_a_tenth_of_a_second(backend, strategy):
    place = {"board": "7x7", "strategy": strategy, "backend": backend}  # (0, 1): no tour there
    assert lateness(lambda: tour((0, 1), **place)) < SOON
    with pytest.raises(SearchLimitError):
        tour((0, 1), **place, timeout=0.01)
    assert lateness(lambda: sum(1 for _ in trace((0, 1), "7x7", strategy, backend=backend))) < SOON


@needs_posix
def test_after_ctrl_c_a_search_can_go_on(engine):
    search = engine.core.Search(engine.core.WalledBoard(7, 7, move_bytes(), 2, 0), 1, True, 0)
    with pytest.raises(KeyboardInterrupt), signal_after(0.05, "SIGINT"):
        search.run(-1, float("inf"))
    placed = search.nodes
    assert search.run(placed + 1000, float("inf")) == engine.core.NODE_LIMIT
    assert search.nodes == placed + 1000


@needs_posix
def test_a_search_interrupted_again_and_again_finds_every_tour_once(engine):
    core = engine.core
    chance = random.Random(304)
    search = core.Search(core.WalledBoard(5, 5, move_bytes(), 2, 0), 0, True, 0)
    found = set()
    status = core.PAUSED
    interrupted = 0

    def ring(*_):
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        while status != core.EXHAUSTED:
            try:
                signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-5, 2e-3))
                status = search.run(-1, float("inf"))
                signal.setitimer(signal.ITIMER_REAL, 0)
            except InterruptedError:
                interrupted += 1
            # By the path, not the status: a signal may come when that is on its way.
            if search.depth == 25:
                found.add(search.path())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(found) == 304
    assert all(sorted(memoryview(path).cast("i")) == list(range(25)) for path in found)
    assert interrupted or engine.name == "core"


def move_bytes():
    """The eight moves as the engines take them: drow and dcol in turn, signed bytes."""
    return array("b", [n for move in knighttour.KNIGHT_MOVES for n in move]).tobytes()


# -- Threads, processes, copies ----------------------------------------------------------------


def readings(found):
    """Everything that can be read off a tour, in a form that compares."""
    codes = b"".join(found.iter_moves(1000))
    window = array("q", bytes(8 * found.board.cols))
    found.fill_window(window, found.board.cols)
    return (
        found.order().tobytes(), found.steps().tobytes(), codes, window.tobytes(), hash(found),
        [found.index(square) for square in found[::97]], found.reversed()[5], repr(found),
    )  # fmt: skip


@pytest.mark.parametrize(
    "settings",
    [{"board": "xiangqi", "strategy": "course"}, {"board": "60x70"}, {"board": "3x400"}],
)
def test_threads_share_one_tour(settings, backend):
    expected = readings(tour((0, 0), **settings, backend=backend))
    for _ in range(5):
        found = tour((0, 0), **settings, backend=backend)  # nothing has been looked up yet
        together = threading.Barrier(8)

        def read(_, found=found, together=together):
            together.wait()
            return readings(found)

        with ThreadPoolExecutor(8) as pool:
            assert all(got == expected for got in pool.map(read, range(8)))


def test_threads_search_one_board_at_once(backend):
    starts = list(product(range(8), range(8)))

    def search(start):
        return tour(start, "chess", strategy="course", backend=backend).tolist()

    one_by_one = [search(start) for start in starts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(search, starts)) == one_by_one
    for start, squares in zip(starts, one_by_one, strict=True):
        check(squares, 8, 8, start=start)


def holed(rows, cols):
    return knighttour.Board(rows, cols, holes=[(1, 1), (1, 2)])


#: Every topic of the package: (board, engine) -> something that compares.
TOPICS = {
    "tour": lambda b, e: tour((0, 0), b, strategy="course", backend=e).tolist(),
    "find": lambda b, e: tour(board=holed(b.rows, b.cols), backend=e).tolist(),
    "cylinder": lambda b, e: tour(
        board=knighttour.Board(b.rows, b.cols, wrap="cols"), backend=e
    ).tolist(),
    "random": lambda b, e: knighttour.random_tour(b, seed=5, backend=e).tolist(),
    "complete": lambda b, e: knighttour.complete(
        [[1] + [0] * (b.cols - 1)] + [[0] * b.cols for _ in range(b.rows - 1)], b, backend=e
    ).tolist(),
    "tours": lambda b, e: knighttour.tours((0, 0), b, backend=e).to_array(5).tolist(),
    "count": lambda b, e: knighttour.count(knighttour.Board(b.rows, 3), threads=2, backend=e),
    "count closed": lambda b, e: knighttour.count("5x6", closed=True, threads=2, backend=e),
    "sample": lambda b, e: knighttour.sample(
        knighttour.Board(b.rows, 4), 3, seed=9, threads=2, backend=e
    ),
    "edge_counts": lambda b, e: knighttour.edge_counts("3x4", backend=e),
    "classify": lambda b, e: knighttour.classify(tour(board=b, backend=e)).as_dict(),
    "check": lambda b, e: knighttour.check(tour(board=b, backend=e).grid(), backend=e)[7],
    "expand": lambda b, e: readings(tour(board=(40 + b.rows, 40 + b.cols), backend=e)),
    "graph": lambda b, e: ([b.degree(square) for square in b.squares], b.neighbours((0, 0))),
    "exists": lambda b, e: knighttour.exists(b, start=(0, 1), backend=e),
    "text": lambda b, e: knighttour.read_text(str(tour(board=b, backend=e))).tolist(),
    "picture": lambda b, e: str(tour(board=b, backend=e).svg()),
}


@pytest.mark.parametrize("is_shared", [True, False], ids=["one board", "different boards"])
def test_threads_work_on_every_topic_at_once(is_shared, backend):
    sizes = [(6, 6), (5, 6), (6, 7)]
    expected = {
        (name, size): call(knighttour.Board(*size), backend)
        for name, call in TOPICS.items()
        for size in sizes[: 1 if is_shared else None]
    }
    rounds = 1 if SANITIZED or backend == "pure" else 3
    for _ in range(rounds):
        # Nothing has been looked up yet in this board.
        shared = knighttour.Board(*sizes[0])
        together = threading.Barrier(6)

        def work(number, shared=shared, together=together):
            names = list(TOPICS)
            Random(number).shuffle(names)
            size = sizes[0] if is_shared else sizes[number % len(sizes)]
            board = shared if is_shared else knighttour.Board(*size)
            together.wait()
            return [(name, size, TOPICS[name](board, backend)) for name in names]

        with ThreadPoolExecutor(6) as pool:
            for results in pool.map(work, range(6)):
                assert len(results) == len(TOPICS)
                for name, size, got in results:
                    assert got == expected[name, size], (name, size)


def test_a_search_is_not_entered_twice(engine):
    search = engine.core.Search(engine.core.WalledBoard(7, 7, move_bytes(), 2, 0), 1, True, 0)
    together = threading.Barrier(2)
    refused, finished = [], []

    def walk():
        together.wait()
        for _ in range(200):
            try:
                finished.append(search.run(search.nodes + 20_000, time.monotonic() + 60))
            except ValueError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=walk) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(refused) <= {"this search is already running"}
    assert len(finished) + len(refused) == 400
    assert set(finished) <= {engine.core.NODE_LIMIT}
    path = array("i", search.path())
    assert len(set(path)) == len(path) == search.depth


def test_a_grid_is_filled_where_no_thread_can_be_started(monkeypatch, backend):
    found = tour(board="2000x2000", backend=backend)
    expected = found.steps().tobytes()
    started = []
    start = _thread.start_new_thread

    def start_once(work, arguments):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(work)
        return start(work, arguments)

    monkeypatch.setattr(programs_module, "_PARALLEL_FROM", 1)
    monkeypatch.setattr(programs_module.os, "cpu_count", lambda: 4)
    monkeypatch.setattr(_thread, "start_new_thread", start_once)
    assert found.steps().tobytes() == expected
    assert len(started) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("board", ["xiangqi", "2000x2000"])
def test_a_forked_child_goes_on_with_the_tour(board, backend):
    found = tour(board=board, backend=backend)
    order, steps = found.order(), found.steps()
    child = os.fork()
    if child == 0:  # nothing of pytest may run here
        good = False
        try:
            good = found.order() == order and found.steps() == steps
            found.verify()
            good = good and len(tour("a0", backend=backend)) == 90
        finally:
            os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert found.order() == order


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_works_on_every_topic(backend):
    board = knighttour.Board(5, 6)
    expected = {name: call(board, backend) for name, call in TOPICS.items()}
    child = os.fork()
    if child == 0:  # nothing of pytest may run here
        good = False
        try:
            good = all(call(board, backend) == expected[name] for name, call in TOPICS.items())
        finally:
            os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert {name: call(board, backend) for name, call in TOPICS.items()} == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_an_iterator_goes_on_on_both_sides_of_a_fork(backend):
    walks = knighttour.tours((0, 0), "5x5", backend=backend)
    first = [next(walks).tolist() for _ in range(5)]
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = sum(1 for _ in walks) == 304 - 5
        finally:
            os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    rest = [found.tolist() for found in walks]
    assert len({tuple(squares) for squares in first + rest}) == 304


def numbers_of(found):
    return found.steps().tolist()


def test_a_spawned_process_gets_a_tour_and_gives_it_back(backend):
    tours = [
        tour((0, 0), strategy="course", backend=backend),
        tour(board="30x40", closed=True, backend=backend),
        tour(board=(10**6, 10**6), backend=backend),
    ]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(copy, tours) == tours
        assert pool.map(numbers_of, tours[:2]) == [numbers_of(t) for t in tours[:2]]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("board", ["xiangqi", "3x4", "41x57", (10**9, 10**9)])
def test_pickles_and_copies_are_equal_and_small(board, protocol, backend):
    found = tour(board=board, backend=backend)
    data = pickle.dumps(found, protocol)
    assert len(data) < 200_000
    for clone in (pickle.loads(data), copy(found), deepcopy(found)):
        assert clone == found
        assert hash(clone) == hash(found)
        assert clone.board == found.board
        assert clone.stats == found.stats
        assert clone.index(found[len(found) // 3]) == len(found) // 3


def test_errors_survive_a_pickle(backend):
    errors = []
    for call in (
        lambda: tour((0, 1), "7x7", backend=backend),
        lambda: tour((0, 1), "7x7", strategy="course", max_nodes=9, backend=backend),
        lambda: tour((0, 0), "7x8", strategy="warnsdorff", max_nodes=3, backend=backend),
        lambda: tour((0, 0), "4x4", strategy="warnsdorff", backend=backend),
        lambda: tour((9, 9), "chess", backend=backend),
        lambda: tour(board="0x3", backend=backend),
    ):
        with pytest.raises(knighttour.KnightTourError) as caught:
            call()
        errors.append(caught.value)
    assert {type(error) for error in errors} >= {NoTourError, SearchLimitError, DeadEndError}
    for error in errors:
        clone = pickle.loads(pickle.dumps(error))
        assert type(clone) is type(error)
        assert str(clone) == str(error)
        assert vars(clone) == vars(error)


def values(backend):
    """Return one of every kind of value that the package gives out."""
    found = tour(board="5x6", closed=True, backend=backend)
    return [
        knighttour.Board(5, 6),
        knighttour.Board(8, 8, holes=[(3, 3), (3, 4)]),
        knighttour.Board(6, 7, wrap="cols", leaper=(1, 4)),
        knighttour.Strategy.named("course"),
        knighttour.classify(found),
        knighttour.scan_text(str(found))[0],
        knighttour.count_plan("6x6", closed=True),
        knighttour.complete([[1, 0, 0, 0], [0] * 4, [0] * 4], unique=True, backend=backend),
        knighttour.explain("3x5"),
        found.stats,
        list(trace((0, 0), "3x4", backend=backend))[-1],
        *knighttour.tours((0, 0), "3x4", backend=backend),
        *knighttour.sample("3x4", 2, seed=1, backend=backend),
        tour(board=knighttour.Board(8, 8, holes=[(3, 3), (3, 4)]), backend=backend),
        tour(board=knighttour.Board(5, 6, wrap="rows"), backend=backend),
        knighttour.random_tour("6x6", seed=3, backend=backend),
    ]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_value_survives_a_pickle_and_a_copy(protocol, backend):
    for value in values(backend):
        for clone in (pickle.loads(pickle.dumps(value, protocol)), copy(value), deepcopy(value)):
            assert type(clone) is type(value)
            if isinstance(value, knighttour.Reading):  # each is equal to itself alone
                assert clone.check() == value.check()
                continue
            assert clone == value
            assert repr(clone) == repr(value)
            with contextlib.suppress(TypeError):  # some hold a dict
                assert hash(clone) == hash(value)


def test_what_is_wrong_with_a_tour_survives_a_pickle(backend):
    with pytest.raises(knighttour.InvalidTourError) as caught:
        knighttour.check([(0, 0), (1, 1), (0, 0)], "3x4", backend=backend)
    clone = pickle.loads(pickle.dumps(caught.value))
    assert str(clone) == str(caught.value)
    assert clone.faults == caught.value.faults


def compiled_classes():
    """Return the classes of the compiled modules, by name."""
    engine = get_engine("core")
    modules = (
        engine.core, engine.construction, engine.program, engine.shapes, engine.analysis,
        engine.counting, engine.frontier,
    )  # fmt: skip
    return {
        name: kind
        for module in modules
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }


def compiled_objects():
    """Return one object of every compiled class, by its name."""
    engine = get_engine("core")
    shapes, counting = engine.shapes, engine.counting
    program = tour(board="60x70", backend="core")._path
    board = engine.core.WalledBoard(6, 7, move_bytes(), 2, 0)
    moves = array("i", [n for move in knighttour.KNIGHT_MOVES for n in move]).tobytes()
    graph = shapes.MoveGraph(5, 6, None, moves, False, False, None)
    problem = Question.of("5x6", None, None, True, None).problem
    blueprint = Blueprint(problem, counting)
    layouts = [blueprint.layout(number) for number in range(2)]
    return {
        type(thing).__name__: thing
        for thing in (
            board,
            engine.core.Search(board, 0, True, 0),
            engine.construction._Solver(),
            engine.program.Expander(60, 70, *program._tables),
            engine.program.Steps(60, 70, *program._tables[:3]),
            graph,
            shapes.CycleSearch(4, 4, 1),
            shapes.TwoFactor(graph, False, 0, 0, 0, 1),
            shapes.Walks(graph, 0, -1, False, True),
            counting.Tables(),
            counting.Mirrors(),
            counting.Stop(),
            counting.Scratch(8),
            layouts[0],
            blueprint.step(0, *layouts),
            blueprint.backward(0, layouts[0]),
            counting.Tally(8),
            StripBlueprint(strip_of(4, True), 4, counting).ending(2),
            engine.frontier.Layer(3),
            engine.frontier.Stage(TableSweep(problem, engine.frontier).stages[0]),
        )
    }


def test_compiled_objects_refuse_to_be_pickled_copied_or_made_of_nothing(both_engines):
    objects = compiled_objects()
    assert set(objects) == set(compiled_classes())
    for name, thing in objects.items():
        if name == "Stop":  # a flag, and no more
            continue
        for call in (pickle.dumps, copy, deepcopy):
            with pytest.raises(TypeError):
                call(thing)
        for wrong in ((), (None,) * 3, ("",) * 7, (2**70,) * 5):
            with contextlib.suppress(TypeError, ValueError, OverflowError):
                # Those that take no arguments are made; nothing crashes, now or when they go.
                type(thing)(*wrong)
        assert isinstance(repr(thing), str)


def test_what_nothing_was_logged_into_is_empty(both_engines):
    # The sanitizer saw a null pointer sorted here (tools/sanitize.sh).
    for width in (2, 4, 8):
        assert get_engine("core").counting.Scratch(width).take_log() == (b"", b"")


# -- Memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 1000, 2**24 - 1, 2**24, 10**9])
def test_memory_of_zeros_can_be_written_everywhere(count):
    memory = zeroed(count)
    assert memory.nbytes == count
    assert not memory.readonly
    for place in {0, count // 2, count - 1} if count else ():
        assert memory[place] == 0
        memory[place] = 255
        assert memory[place] == 255


def test_memory_that_there_is_not_is_a_memory_error():
    for count in (2**62, 2**80):
        with pytest.raises(MemoryError):
            zeroed(count)


CEILING = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (768 * 2**20,) * 2)
from knighttour import SearchLimitError, tour
huge = tour(board="20000x20000", backend=sys.argv[1])
vast = tour(board=(10**6, 10**6), backend=sys.argv[1])
for name in ("order", "steps", "tolist", "grid", "names", "moves", "__str__", "verify"):
    found = vast if name == "verify" else huge
    try:
        getattr(found, name)()
    except SearchLimitError as error:
        print(name, "is refused:", error)
try:
    tour((0, 0), "20000x20000", strategy="warnsdorff", backend=sys.argv[1])
except SearchLimitError as error:
    print("search is refused:", error)
small = tour(board="500x500", backend=sys.argv[1])
small.verify()
print(len(small.order()), huge[3 * 10**8], huge.index(huge[3 * 10**8]))
"""


@needs_posix
@needs_address_space
def test_what_does_not_fit_the_address_space_is_refused_and_the_rest_goes_on(backend):
    lines = run("-c", CEILING, backend).stdout.splitlines()
    refused = [line.split()[0] for line in lines if "is refused:" in line]
    assert refused == [
        "order", "steps", "tolist", "grid", "names", "moves", "__str__", "verify", "search",
    ]  # fmt: skip
    assert lines[-1].startswith("250000 (")
    assert lines[-1].endswith(" 300000000")


CEILING_TOPICS = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (640 * 2**20,) * 2)
import knighttour as kt
backend = sys.argv[1]
holed = kt.Board(9000, 9000, holes=[(3, 3), (3, 4)])
calls = {
    "count": lambda: kt.count("8x8", closed=True, memory_limit=2**40, backend=backend),
    "torus": lambda: kt.count(kt.Board(5, 5, wrap="torus"), memory_limit=2**40, backend=backend),
    "sample": lambda: kt.sample("8x8", 1, closed=True, memory_limit=2**40, backend=backend),
    "planned": lambda: kt.sample("8x8", 1, closed=True, backend=backend),
    "end_counts": lambda: kt.end_counts("8x8", backend=backend),
    "edge_counts": lambda: kt.edge_counts("8x8", backend=backend),
    "random_tour": lambda: kt.random_tour("9000x9000", seed=1, backend=backend),
    "holes": lambda: kt.tour(board=holed, backend=backend),
    "exists": lambda: kt.exists(holed, backend=backend),
    "tours": lambda: next(kt.tours(board="9000x9000", backend=backend)),
    "to_array": lambda: kt.tours(board="8x8", backend=backend).to_array(10**8),
    "classify": lambda: kt.classify(kt.tour(board="9000x9000", backend=backend)),
    "format_text": lambda: kt.format_text(kt.tour(board="9000x9000", backend=backend)),
    "trace": lambda: next(kt.trace((0, 0), "20000x20000", backend=backend)),
}
for name in sys.argv[2].split():
    try:
        calls[name]()
    except (kt.SearchLimitError, MemoryError) as error:
        print(name, type(error).__name__)
assert kt.count("5x6", closed=True, backend=backend) == 8
assert len(kt.tour(board=kt.Board(8, 8, holes=[(3, 3), (3, 4)]), backend=backend)) == 62
assert kt.sample("3x4", 1, seed=1, backend=backend)
print("goes on")
"""


@needs_posix
@needs_address_space
def test_every_topic_honours_a_ceiling_of_memory(backend):
    names = ["planned", "classify", "format_text", "trace"]
    # The dictionaries of pure Python fill the ceiling too, but take minutes for it.
    if backend == "core":
        names += ["count", "torus", "sample", "end_counts", "edge_counts"]
        names += ["random_tour", "holes", "exists", "tours", "to_array"]
    done = run("-c", CEILING_TOPICS, backend, " ".join(names), check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == names
    assert [line for line in lines if "MemoryError" in line] in ([], ["to_array MemoryError"])
    assert lines[-1] == "goes on"


@needs_posix
@needs_address_space
def test_the_command_line_under_ulimit_v_says_that_it_gave_up(backend, tmp_path):
    file = tmp_path / "tour.txt"
    done = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -v 786432; exec "$0" "$@"', sys.executable, "-m", "knighttour",
         "--backend", backend, "tour", "0,0", "--board", "20000x20000", "--strategy", "warnsdorff",
         "-o", str(file)],
        env={**os.environ, "PYTHONPATH": str(Path(knighttour.__file__).parent.parent)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 4
    assert "gave up" in done.stderr
    assert "Traceback" not in done.stderr
    assert not file.exists()


def resident_bytes():
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def call_and_ignore(error, call):
    try:
        call()
    except error:
        return


LEAK_CALLS = {
    "a search": lambda: tour((0, 0), strategy="course", backend="core"),
    "a search that gets stuck": lambda: call_and_ignore(
        DeadEndError, lambda: tour((0, 0), "4x4", strategy="warnsdorff", backend="core")
    ),
    "a search that gives up": lambda: call_and_ignore(
        SearchLimitError,
        lambda: tour((0, 1), "7x7", strategy="course", max_nodes=60, backend="core"),
    ),
    "a refusal": lambda: call_and_ignore(NoTourError, lambda: tour((0, 1), "7x7", backend="core")),
    "a tour": lambda: tour(board="9x10", backend="core"),
    "a far template": lambda: get_engine("core").core.WalledBoard(6, 7, move_bytes(), 2, 3),
    "a path search": lambda: get_engine("core").construction.solve(3, 4, 0, 11, b"", 1, -1, -1),
    "a step table": lambda: tour(board="7x8", backend="core").steps(),
    "an order": lambda: tour(board="7x8", backend="core").order(),
    "all moves": lambda: list(tour(board="7x8", backend="core").iter_moves(10)),
    "a check": lambda: tour(board="33x34", backend="core").verify(),
    "a pickle": lambda: pickle.loads(pickle.dumps(tour(board="7x8", backend="core"))),
    "a trace left half-way": lambda: next(trace((0, 0), "8x8", "course", backend="core")),
    "a board with holes": lambda: tour(board=holed(6, 6), backend="core"),
    "a cylinder": lambda: tour(board=knighttour.Board(5, 6, wrap="cols"), backend="core"),
    "a random tour": lambda: knighttour.random_tour("6x6", seed=1, backend="core"),
    "a puzzle": lambda: knighttour.complete(PUZZLE, backend="core"),
    "a puzzle, unique?": lambda: knighttour.complete(PUZZLE, unique=True, backend="core"),
    "no completion": lambda: call_and_ignore(
        NoTourError, lambda: knighttour.complete([[1, 2], [0, 0], [0, 0]], backend="core")
    ),
    "all tours": lambda: list(knighttour.tours((0, 0), "3x4", backend="core")),
    "tours left half-way": lambda: next(knighttour.tours((0, 0), "5x5", backend="core")),
    "tours into an array": lambda: knighttour.tours((0, 0), "5x5", backend="core").to_array(3),
    "a check of a grid": lambda: knighttour.check(GRID, backend="core"),
    "a check that fails": lambda: call_and_ignore(
        knighttour.InvalidTourError, lambda: knighttour.check([(0, 0), (1, 1)], "3x4")
    ),
    "a classification": lambda: knighttour.classify(tour(board="5x6", backend="core")),
    "a text": lambda: knighttour.read_text(TEXT, backend="core"),
    "a picture": lambda: str(tour(board="3x4", backend="core").svg()),
    "a reason": lambda: knighttour.explain("3x6", backend="core"),
}

#: What takes milliseconds a call: a tenth as often.
SLOW_LEAK_CALLS = {
    "a count": lambda: knighttour.count("3x4", threads=1, backend="core"),
    "a count of closed tours": lambda: knighttour.count(
        "5x6", closed=True, threads=2, backend="core"
    ),
    "a count that gives up": lambda: call_and_ignore(
        SearchLimitError, lambda: knighttour.count("6x7", timeout=0.001, backend="core")
    ),
    "a sample": lambda: knighttour.sample("3x4", 2, seed=1, threads=1, backend="core"),
    "a sample of closed tours": lambda: knighttour.sample(
        "5x6", 2, closed=True, seed=1, backend="core"
    ),
    "edge counts": lambda: knighttour.edge_counts("3x4", threads=1, backend="core"),
    "a count of a torus": lambda: knighttour.count(TORUS, closed=True, backend="core"),
    "edge counts of a torus": lambda: knighttour.edge_counts(TORUS, closed=True, backend="core"),
    "a count of a torus that gives up": lambda: call_and_ignore(
        SearchLimitError, lambda: knighttour.count(TORUS, memory_limit=10**5, backend="core")
    ),
}

TORUS = knighttour.Board(3, 3, wrap="torus")

PUZZLE = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
GRID = tour((0, 0), board="3x4").grid()
TEXT = str(tour((0, 0), board="3x4"))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", [*LEAK_CALLS, *SLOW_LEAK_CALLS])
def test_memory_is_flat_over_a_hundred_thousand_calls(name, both_engines):
    call, times = LEAK_CALLS.get(name), 100_000
    if call is None:
        call, times = SLOW_LEAK_CALLS[name], 10_000
    for _ in range(times // 50):
        call()
    # A leak grows in every quarter; the allocator takes a megabyte more in one of them.
    growth = []
    for _ in range(4):
        before = resident_bytes()
        for _ in range(times // 4):
            call()
        growth.append(resident_bytes() - before)
    # Less than 10 bytes a call (100 of the slow ones): the smallest object of Python is larger
    # than the one, the smallest table of a count than the other.
    assert min(growth) < 250_000, growth


@pytest.mark.parametrize("name", [*LEAK_CALLS, *SLOW_LEAK_CALLS])
def test_no_object_stays_behind_a_call(name, both_engines):
    call = LEAK_CALLS.get(name) or SLOW_LEAK_CALLS[name]
    times = 100 if name in LEAK_CALLS else 20
    least = []
    for _ in range(5):
        for _ in range(3):
            call()
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(times):
            call()
        gc.collect()
        least.append(sys.getallocatedblocks() - before)
        if least[-1] < 0.9 * times:
            break
    # Caches fill, and pools come and go; what leaks is there for every call, every time.
    assert min(least) < 0.9 * times


@pytest.fixture(scope="session")
def failing_malloc(tmp_path_factory, both_engines):
    """A malloc that can be told to fail, as a library to preload."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux") or SANITIZED:
        pytest.skip("needs Linux and a C compiler, without sanitizers")
    library = tmp_path_factory.mktemp("malloc") / "failing_malloc.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", library,
         Path(__file__).parent / "failing_malloc.c", "-ldl"],
        check=True,
    )  # fmt: skip
    return str(library)


FAILING = """
import ctypes, sys
from array import array
import knighttour as kt
from knighttour import KNIGHT_MOVES, SearchLimitError, tour
from knighttour._engine import get_engine
from knighttour.dense import Blueprint
from knighttour.frontier import TableSweep
from knighttour.questions import Question
from knighttour.strategies import Strategy
from knighttour.strips import StripBlueprint, strip_of

shim = ctypes.CDLL(None)
engine = get_engine("core")
counting, shapes = engine.counting, engine.shapes
order = array("b", [n for move in KNIGHT_MOVES for n in move]).tobytes()
moves = array("i", [n for move in KNIGHT_MOVES for n in move]).tobytes()
board = engine.core.WalledBoard(6, 7, order, 2, 0)
path = tour(board="40x40", backend="core").order().tobytes()
PROGRAM = tour(board="60x70", backend="core")._path
far = Strategy(KNIGHT_MOVES, tie="far", backtrack=False)
problem = Question.of("5x6", None, None, True, None).problem
holed = kt.Board(9, 10, holes=[(3, 3), (3, 4)])


torus = kt.Board(3, 3, wrap="torus")


def states():
    problem = Question.of(torus, None, None, True, None).problem
    sweep = TableSweep(problem, engine.frontier, keep=True)
    while sweep.step():
        pass
    total, made = sweep.total, None
    while sweep.done:
        made, _ = sweep.back(made)
    return total, list(made.items())


def graph():
    return shapes.MoveGraph(5, 6, None, moves, False, False, None)


def count_in_tables():
    # Layouts, mirrors, steps and the memory of a thread, all made anew.
    blueprint = Blueprint(problem, counting)
    scratch, stop, tables = counting.Scratch(8), counting.Stop(), counting.Tables()
    return blueprint, scratch, stop, tables


def mirrors():
    made = counting.Mirrors()
    made.prepare(3, 1, 3)
    return made.memory


def logged():
    # The blocks of a step without a target are logged in the scratch.
    blueprint = Blueprint(problem, counting)
    layouts = [blueprint.layout(number) for number in range(2)]
    step, scratch = blueprint.step(0, *layouts), counting.Scratch(8)
    first = (1).to_bytes(8, "little") + bytes(8 * (layouts[0].states - 1))
    step.process(scratch, first, None, 0, layouts[0].slices, 0, counting.Stop())
    return scratch.take_log()


def backward():
    blueprint = Blueprint(problem, counting)
    return blueprint.backward(0, blueprint.layout(0)) is not None


def ending():
    blueprint = StripBlueprint(strip_of(4, True), 4, counting)
    return blueprint.ending(2).count


def two_factor():
    factor = shapes.TwoFactor(graph(), False, 0, 0, 0, 1)
    factor.cover()
    return factor.search.n, factor.augment()


def steps():
    return engine.program.Steps(60, 70, *PROGRAM._tables[:3]).step_of(3, 4)


def expanded():
    expander = engine.program.Expander(60, 70, *PROGRAM._tables)
    return expander.codes(0, 4199), expander.square_at(77)


calls = {
    "WalledBoard": lambda: engine.core.WalledBoard(6, 7, order, 2, 0) is not None,
    "WalledBoard far": lambda: engine.core.WalledBoard(6, 7, order, 2, 3) is not None,
    "Search": lambda: engine.core.Search(board, 0, True, 0).run(-1, float("inf")),
    "first_fault": lambda: engine.core.first_fault(40, 40, path),
    "_Solver": lambda: engine.construction.solve(5, 6, 0, 1, b"", 7, -1, -1),
    "Steps": steps,
    "Expander": expanded,
    "tour": lambda: tour((1, 2), "70x71", strategy=far, backend="core"),
    "MoveGraph": lambda: graph().explore(),
    "MoveGraph cuts": lambda: (graph().articulations(), graph().parts_without(3), graph().strong()),
    "CycleSearch": lambda: shapes.CycleSearch(8, 8, 1).n,
    "TwoFactor": two_factor,
    "Walks": lambda: shapes.Walks(graph(), 0, -1, False, True).skip(3, 10**6),
    "first_fault_shape": lambda: shapes.first_fault_shape(
        40, 40, None, moves, False, False, None, path
    ),
    "Tables Scratch Stop": lambda: len(count_in_tables()),
    "Mirrors": mirrors,
    "Layout Step": logged,
    "Backward": backward,
    "Ending": ending,
    "Layer Stage": states,
    "torus": lambda: kt.count(torus, closed=True, backend="core"),
    "sample of a torus": lambda: kt.sample(torus, 2, closed=True, seed=1, backend="core"),
    "Tally": lambda: kt.edge_counts("5x6", closed=True, threads=1, backend="core"),
    "holes": lambda: tour(board=holed, backend="core"),
    "random_tour": lambda: kt.random_tour("8x8", closed=True, seed=1, backend="core"),
    "complete": lambda: kt.complete([[1, 0, 0, 0], [0] * 4, [0] * 4], backend="core"),
    "tours": lambda: kt.tours((0, 0), "5x5", backend="core").skip(),
    "exists": lambda: kt.exists(holed, backend="core"),
    "count": lambda: kt.count("5x6", closed=True, threads=1, backend="core"),
    "sample": lambda: kt.sample("5x6", 3, closed=True, seed=1, threads=1, backend="core"),
    "check": lambda: kt.check(tour(board="8x8", backend="core").grid(), backend="core"),
}

call = calls[sys.argv[1]]
expected = call()
live = shim.live_blocks()
failures = 0
while True:
    shim.fail_after(failures)
    raised = None
    try:
        value = call()
    except (MemoryError, SearchLimitError) as error:
        raised = type(error)  # the error itself keeps what its frames hold
    shim.fail_after(-1)
    if raised is None:
        break
    assert sys.argv[1] != "tour" or raised is SearchLimitError, raised
    assert shim.live_blocks() == live, "a block was lost"
    assert call() == expected
    failures += 1
assert value == expected
del value, expected
print(failures, shim.live_blocks() - live)
"""


#: What is called while allocations fail, and how many of them there are at least.
FAILING_CALLS = {
    "WalledBoard": 1, "WalledBoard far": 2, "Search": 1, "first_fault": 1, "_Solver": 1,
    "Steps": 4, "Expander": 0, "tour": 3, "MoveGraph": 1, "MoveGraph cuts": 3, "CycleSearch": 1,
    "TwoFactor": 2, "Walks": 2, "first_fault_shape": 1, "Tables Scratch Stop": 1, "Mirrors": 3,
    "Layout Step": 4, "Backward": 3, "Ending": 3,
    "Layer Stage": 10, "torus": 10, "sample of a torus": 10,
    "Tally": 10, "holes": 2, "random_tour": 2, "complete": 2, "tours": 2,
    "exists": 2, "count": 10, "sample": 10, "check": 1,
}  # fmt: skip


def test_every_compiled_class_is_among_the_calls_that_fail(both_engines):
    assert set(compiled_classes()) <= set(" ".join(FAILING_CALLS).split())


@pytest.mark.parametrize("name", FAILING_CALLS)
def test_an_allocation_that_fails_is_a_clean_error_without_a_leak(failing_malloc, name):
    done = run("-c", FAILING, name, env={"LD_PRELOAD": failing_malloc}, check=False)
    assert done.returncode == 0, done.stderr
    failures, lost = map(int, done.stdout.split())
    assert failures >= FAILING_CALLS[name]
    assert lost <= 0


# Counting and sampling are left out here: where most of the work is done by Python, it is Python
# itself that mistakes missing memory for something else (3.11: SystemError for a call's frame).
OUT_OF_OBJECTS = """
import sys
import _testcapi
import knighttour as kt
from knighttour import tour

grid = tour(board="5x6", backend="core").grid()
call = {
    "search": lambda: tour((0, 0), strategy="course", backend="core"),
    "order": lambda: tour(board="60x70", backend="core").order(),
    "steps": lambda: tour(board="60x70", backend="core").steps(),
    "moves": lambda: tour(board="60x70", backend="core").moves(),
    "holes": lambda: tour(board=kt.Board(6, 6, holes=[(1, 1), (1, 2)]), backend="core"),
    "random": lambda: kt.random_tour("5x6", closed=True, seed=1, backend="core"),
    "complete": lambda: kt.complete([[1, 0, 0, 0], [0] * 4, [0] * 4], backend="core"),
    "tours": lambda: kt.tours((0, 0), "3x4", backend="core").skip(),
    "check": lambda: kt.check(grid, backend="core"),
    "classify": lambda: kt.classify(tour(board="5x6", backend="core")),
    "text": lambda: kt.read_text(str(tour(board="3x4", backend="core"))),
}[sys.argv[1]]
expected = call()
failures = 0
for first in range(600):
    _testcapi.set_nomemory(first, first + 1)
    try:
        value = call()
    except BaseException as error:
        _testcapi.remove_mem_hooks()
        kind = type(error).__name__
        assert kind in ("MemoryError", "SearchLimitError"), repr(error)
        failures += 1
        continue
    _testcapi.remove_mem_hooks()
    assert value == expected
assert call() == expected
print(failures)
"""


@pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="CPython 3.12 itself dies in a generator for want of memory, in pure Python too",
)
@pytest.mark.parametrize(
    "name",
    [
        "search", "order", "steps", "moves", "holes", "random", "complete", "tours", "check",
        "classify", "text",
    ],
)  # fmt: skip
def test_a_python_object_that_cannot_be_made_is_a_clean_error(name, both_engines):
    pytest.importorskip("_testcapi", reason="this Python was built without its test modules")
    done = run("-c", OUT_OF_OBJECTS, name, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 5


# -- Nothing said that need not be said --------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("-c", "import knighttour"),
        ("-m", "knighttour", "--version"),
        ("-m", "knighttour", "tour", "a0"),
        ("-m", "knighttour", "tour", "--board", "chess", "--style", "json"),
        ("-m", "knighttour", "info"),
    ],
)
@pytest.mark.parametrize("flags", [("-W", "error", "-bb", "-X", "dev"), ("-OO",), ("-I",)])
def test_no_warning_is_given(words, flags, backend):
    if (
        flags == ("-I",)
        and subprocess.run(
            [sys.executable, "-I", "-c", "import knighttour"], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("the package is not installed, and -I hides the path to it")
    done = run(*flags, *words, env={"KNIGHTTOUR_BACKEND": backend})
    assert "Warning" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "-m" in words or done.stderr == ""


def test_importing_starts_no_thread_and_loads_no_extra():
    code = (
        "import sys, threading, knighttour\n"
        "assert threading.active_count() == 1\n"
        "print(*sorted({'numpy', 'PIL', 'rich', 'networkx', 'resvg_py', 'multiprocessing'}"
        " & set(sys.modules)))"
    )
    assert run("-c", code).stdout == "\n"
