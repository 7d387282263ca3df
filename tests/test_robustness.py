"""What must not happen whatever the machine does: late Ctrl-C, leaks, crashes without memory."""

import gc
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy, deepcopy
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import knighttour
from knighttour import DeadEndError, NoTourError, SearchLimitError, tour, trace
from knighttour import program as programs_module
from knighttour._engine import get_engine
from knighttour.limits import zeroed

from .checker import check

POSIX = os.name == "posix"
SANITIZED = "KNIGHTTOUR_SANITIZED" in os.environ

#: How soon Ctrl-C must be heard, in seconds; sanitizers take their time over large memory.
SOON = 5 if SANITIZED else 0.1

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


@contextmanager
def alarm_after(seconds):
    """Raise KeyboardInterrupt in the main thread, as Ctrl-C does, after some time.

    The collector rests meanwhile: an exception out of one of its callbacks (hypothesis has one)
    would be lost.
    """

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    gc.disable()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def lateness(call, delay=0.1):
    """Return how long after the signal the caller has the KeyboardInterrupt: the best of five.

    The best, because a busy machine can only add to it.
    """
    best = float("inf")
    for _ in range(5):
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt), alarm_after(delay):
            call()
        best = min(best, time.monotonic() - began - delay)
    return best


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
    assert lateness(lambda: found.save(tmp_path / f"tour.{ending}"), 0.05) < SOON
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
    with pytest.raises(KeyboardInterrupt), alarm_after(0.05):
        search.run(-1, float("inf"))
    placed = search.nodes
    assert search.run(placed + 1000, float("inf")) == engine.core.NODE_LIMIT
    assert search.nodes == placed + 1000


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
    start = threading.Thread.start

    def start_once(thread):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(programs_module, "_PARALLEL_FROM", 1)
    monkeypatch.setattr(programs_module.os, "cpu_count", lambda: 4)
    monkeypatch.setattr(threading.Thread, "start", start_once)
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
}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", LEAK_CALLS)
def test_memory_is_flat_over_a_hundred_thousand_calls(name, both_engines):
    call = LEAK_CALLS[name]
    for _ in range(2_000):
        call()
    before = resident_bytes()
    for _ in range(100_000):
        call()
    # Less than 10 bytes a call: the smallest object of Python is larger.
    assert resident_bytes() - before < 1_000_000


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
from knighttour import KNIGHT_MOVES, SearchLimitError, tour
from knighttour._engine import get_engine
from knighttour.strategies import Strategy

shim = ctypes.CDLL(None)
engine = get_engine("core")
order = array("b", [n for move in KNIGHT_MOVES for n in move]).tobytes()
board = engine.core.WalledBoard(6, 7, order, 2, 0)
path = tour(board="40x40", backend="core").order().tobytes()
table = tour(board="60x70", backend="core")._path
far = Strategy(KNIGHT_MOVES, tie="far", backtrack=False)
calls = {
    "WalledBoard": lambda: engine.core.WalledBoard(6, 7, order, 2, 0) is not None,
    "WalledBoard far": lambda: engine.core.WalledBoard(6, 7, order, 2, 3) is not None,
    "Search": lambda: engine.core.Search(board, 0, True, 0).run(-1, float("inf")),
    "first_fault": lambda: engine.core.first_fault(40, 40, path),
    "_Solver": lambda: engine.construction.solve(5, 6, 0, 1, b"", 7, -1, -1),
    "Steps": lambda: engine.program.Steps(60, 70, *PROGRAM._tables[:3]).step_of(3, 4),
    "tour": lambda: tour((1, 2), "70x71", strategy=far, backend="core"),
}


def programs(path, seen):
    from knighttour.program import Program

    if isinstance(path, Program):
        return path
    for name in getattr(type(path), "__slots__", ()) or vars(path):
        found = programs(getattr(path, name, None), seen) if name not in seen else None
        if found is not None:
            return found
    return None


PROGRAM = programs(table, set())
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


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("WalledBoard", 1), ("WalledBoard far", 2), ("Search", 1), ("first_fault", 1),
        ("_Solver", 1), ("Steps", 4), ("tour", 3),
    ],
)  # fmt: skip
def test_an_allocation_that_fails_is_a_clean_error_without_a_leak(failing_malloc, name, least):
    done = run("-c", FAILING, name, env={"LD_PRELOAD": failing_malloc}, check=False)
    assert done.returncode == 0, done.stderr
    failures, lost = map(int, done.stdout.split())
    assert failures >= least
    assert lost <= 0


OUT_OF_OBJECTS = """
import sys
import _testcapi
from knighttour import tour

call = {
    "search": lambda: tour((0, 0), strategy="course", backend="core"),
    "order": lambda: tour(board="60x70", backend="core").order(),
    "steps": lambda: tour(board="60x70", backend="core").steps(),
    "moves": lambda: tour(board="60x70", backend="core").moves(),
}[sys.argv[1]]
expected = call()
failures = 0
for first in range(1_000):
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


@pytest.mark.parametrize("name", ["search", "order", "steps", "moves"])
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
