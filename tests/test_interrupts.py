"""Ctrl-C, and what a signal handler raises, in every call that can take long.

`test_robustness.py` measures the calls that read a tour of 400 million squares; here is everything
else that the package offers: one row for each, long enough to be interrupted on any machine.
"""

import os
import random
import shutil
import tempfile
import threading
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import knighttour as kt

from .signals import SIGNALS, SOON, RungError, lateness, signal_after

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="POSIX signals"),
    # A signal may come between `open` and `with`: the file is closed all the same, with a warning.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@cache
def big(side):
    return kt.tour(board=(side, side), closed=True)


#: Its states are in tables.
torus = kt.Board(5, 5, wrap="torus")


@cache
def files():
    """Return a folder with a large tour in each format that is read."""
    folder = Path(tempfile.mkdtemp())
    found = kt.tour(board="1200x1200")
    for ending in ("txt", "csv", "json"):
        found.save(folder / f"tour.{ending}")
    kt.tour(board="6000x6000").save(folder / "tour.npy")
    return folder


@pytest.fixture(scope="module", autouse=True)
def no_files_stay():
    yield
    if files.cache_info().currsize:
        shutil.rmtree(files())


def again(call, times=10_000):
    """Return a call made many times, for calls that are short by themselves."""

    def run(backend, folder):
        for _ in range(times):
            call(backend, folder)

    return run


def puzzle(side, clues):
    grid = [[0] * side for _ in range(side)]
    for row, col, number in clues:
        grid[row][col] = number
    return grid


#: What runs on an engine: (engine, an empty folder) -> nothing of interest.
ON_AN_ENGINE = {
    "tour with an end": again(lambda b, f: kt.tour((0, 0), "201x200", end=(0, 1), backend=b)),
    "tour by a strategy": lambda b, f: kt.tour(
        (0, 0), "4000x4000", strategy="warnsdorff", backend=b
    ),
    "tour of a board with holes": again(
        lambda b, f: kt.tour(board=kt.Board(60, 60, holes=[(3, 3), (3, 4)]), backend=b)
    ),
    "tour of a cylinder": again(
        lambda b, f: kt.tour(board=kt.Board(31, 32, wrap="cols"), closed=True, backend=b)
    ),
    "trace": lambda b, f: sum(1 for _ in kt.trace((0, 1), "7x7", backend=b)),
    "tours": lambda b, f: sum(1 for _ in kt.tours(board="6x6", backend=b)),
    "tours by a strategy": lambda b, f: sum(
        1 for _ in kt.tours((0, 0), "6x6", strategy="depth-first", backend=b)
    ),
    "tours into an array": lambda b, f: kt.tours(board="6x6", backend=b).to_array(),
    "tours passed over": lambda b, f: kt.tours(board="6x6", backend=b).skip(),
    "random_tour": lambda b, f: kt.random_tour("500x500", closed=True, seed=1, backend=b),
    "complete": again(
        lambda b, f: kt.complete(
            puzzle(24, [(0, 0, 1), (11, 12, 200), (23, 23, 575)]), seed=1, backend=b
        )
    ),
    "complete, and is it unique": again(
        lambda b, f: kt.complete(puzzle(8, [(0, 0, 1)]), unique=True, backend=b)
    ),
    "exists": again(lambda b, f: kt.exists(kt.Board(20, 20, holes=[(9, 9), (9, 10)]), backend=b)),
    "explain": again(lambda b, f: kt.explain(kt.Board(20, 20, holes=[(9, 9), (9, 11)]), backend=b)),
    "count": lambda b, f: kt.count("7x8", closed=True, backend=b),
    "count on one thread": lambda b, f: kt.count("7x8", closed=True, threads=1, backend=b),
    "count of a narrow board": lambda b, f: kt.count((3, 5000), backend=b),
    "edge_counts": lambda b, f: kt.edge_counts("6x7", backend=b),
    "end_counts": lambda b, f: kt.end_counts("6x7", backend=b),
    "count of a torus": lambda b, f: kt.count(torus, backend=b),
    "edge_counts of a torus": lambda b, f: kt.edge_counts(torus, closed=True, backend=b),
    "sample of a torus": lambda b, f: kt.sample(torus, 1, backend=b),
    "sample, its sweep": lambda b, f: kt.sample("6x7", 1, seed=1, backend=b),
    "sample, its draws": lambda b, f: kt.sample("5x6", 10**6, closed=True, seed=1, backend=b),
    "check of an array": lambda b, f: kt.check(
        np.asarray(big(3000).steps()).reshape(3000, 3000), backend=b
    ),
    "check of a list": again(lambda b, f: kt.check(big(300).tolist(), backend=b)),
    "read npy": lambda b, f: kt.read(files() / "tour.npy", backend=b),
    "read txt": lambda b, f: kt.read(files() / "tour.txt", backend=b),
    "read csv": lambda b, f: kt.read(files() / "tour.csv", backend=b),
    "read json": lambda b, f: kt.read(files() / "tour.json", backend=b),
}

#: What only the compiled engine does.
ON_THE_CORE = {
    "count with a checkpoint": lambda f: kt.count("7x8", closed=True, checkpoint=f, backend="core"),
    "count of a torus with a checkpoint": lambda f: kt.count(torus, checkpoint=f, backend="core"),
    "count in files": lambda f: kt.count("7x8", closed=True, spill=f, backend="core"),
    "sample in files": lambda f: kt.sample("7x8", 1, closed=True, seed=1, spill=f, backend="core"),
}

#: What runs on no engine, or on the same one always.
ON_NONE = {
    # Shorter than a second: the thread that sends the signal waits for the lock all the while.
    "tolist": lambda f: [big(1000).tolist() for _ in range(99)],
    "grid": lambda f: big(2000).grid(),
    "grid of three rows": lambda f: kt.tour(board="3x1000000").grid(),
    "names": lambda f: big(3000).names(),
    "str": lambda f: str(big(3000)),
    "inverse_order": lambda f: [big(3000).inverse_order() for _ in range(99)],
    "fill_window": lambda f: [
        big(3000).fill_window(np.empty(10**6, np.int32), 10**6) for _ in range(999)
    ],
    "transformed": lambda f: [big(1000).transformed("transpose").order() for _ in range(99)],
    "canonical": lambda f: [kt.check(big(300).tolist()).canonical() for _ in range(99)],
    "classify": lambda f: kt.classify(big(2000)),
    "is_same_tour": lambda f: [
        kt.is_same_tour(big(1000), big(1000).rotated(big(1000)[7])) for _ in range(99)
    ],
    "scan": lambda f: kt.scan(files() / "tour.txt"),
    "format_text": lambda f: kt.format_text(big(2000)),
    "svg": lambda f: str(big(1500).svg()),
    "save svg": lambda f: big(1500).save(f / "tour.svg"),
    "save html": lambda f: [big(300).save(f / "tour.html") for _ in range(99)],
    "save png": lambda f: [big(300).save(f / "tour.png") for _ in range(9)],
    "save gif": lambda f: big(300).save(f / "tour.gif"),
    "save json": lambda f: big(2000).save(f / "tour.json"),
    "write_graph": lambda f: kt.write_graph("1000x1000", f / "board.hcp"),
    "degrees": lambda f: kt.Board(3000, 3000).degrees(),
    "scramble": lambda f: [
        kt.scramble(np.zeros((1000, 1000), np.uint8), big(1000)) for _ in range(99)
    ],
    "unscramble": lambda f: [
        kt.unscramble(np.zeros((1000, 1000), np.uint8), big(1000)) for _ in range(99)
    ],
    "count_plan": lambda f: [kt.count_plan((8, cols), closed=True) for cols in range(8, 99)],
}


def is_heard(call, folder, signals=SIGNALS):
    """Interrupt a call by each signal; what is raised comes out, soon; return the files left."""
    threads = threading.active_count()
    for name in signals:
        assert lateness(call, name) < SOON
        # Threads that were told to end do so soon, but not sooner than that.
        for _ in range(100):
            if threading.active_count() <= threads:
                break
            time.sleep(0.02)
        assert threading.active_count() <= threads
    assert len(kt.tour("a0")) == 90
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("name", ON_AN_ENGINE)
def test_a_long_call_is_interrupted_soon(name, backend, tmp_path):
    assert is_heard(lambda: ON_AN_ENGINE[name](backend, tmp_path), tmp_path) == []


@pytest.mark.parametrize("name", ON_THE_CORE)
def test_a_long_call_of_the_core_is_interrupted_soon(name, core, tmp_path):
    left = is_heard(lambda: ON_THE_CORE[name](tmp_path), tmp_path)
    # A checkpoint is there to go on from; what was spilled is gone.
    assert bool(left) == ("checkpoint" in name)


@pytest.mark.parametrize("name", ON_NONE)
def test_a_long_call_without_an_engine_is_interrupted_soon(name, tmp_path):
    big(3000)
    # A process of its own draws the pixels: the clock of the other signal stands still meanwhile.
    signals = SIGNALS[:1] if name == "save png" else SIGNALS
    assert is_heard(lambda: ON_NONE[name](tmp_path), tmp_path, signals) == []


def test_a_count_goes_on_from_the_checkpoint_of_an_interrupted_one(core, tmp_path):
    interrupted = 0
    for k in range(1, 100):
        try:
            with signal_after(0.02 * k, SIGNALS[k % 2]):
                found = kt.count("6x7", closed=True, checkpoint=tmp_path, threads=2, backend=core)
            break
        except (RungError, KeyboardInterrupt):
            interrupted += 1
    assert interrupted > 0
    assert found == 1_067_638


@pytest.mark.parametrize("strategy", [None, "depth-first"])
def test_no_tour_is_lost_between_two_interruptions(backend, strategy):
    board, expected = ("5x5", 1728) if strategy is None else ("3x7", 10)
    for name in SIGNALS:
        found, interrupted = [], 0
        # Those of the strategy are tours from one corner.
        walks = kt.tours(None, board, strategy=strategy, backend=backend)
        expected = sum(1 for _ in kt.tours(None, board, strategy=strategy, backend=backend))
        clock = random.Random(7)
        while True:
            try:
                with signal_after(0.004 * clock.random() + 1e-6, name):
                    # `extend` keeps what came before the signal.
                    found.extend(walks)
                break
            except (RungError, KeyboardInterrupt):
                interrupted += 1
                if interrupted == 50:
                    found.extend(walks)
                    break
        assert len(found) == len(set(found)) == expected


def test_what_an_interrupted_array_or_skip_had_taken_is_not_lost(backend):
    expected = kt.tours(None, "5x5", backend=backend).to_array()
    clock = random.Random(3)
    for name in SIGNALS:
        walks = kt.tours(None, "5x5", backend=backend)
        rows, interrupted = [], 0
        while True:
            try:
                with signal_after(0.004 * clock.random() + 1e-6, name):
                    rows.extend(map(walks.to_array, (300,)))
                if not len(rows[-1]):
                    break
            except (RungError, KeyboardInterrupt):
                interrupted += 1
                if interrupted == 50:
                    rows.append(walks.to_array())
                    break
        assert np.array_equal(np.concatenate(rows), expected)
    walks = kt.tours(None, "5x5", backend=backend)
    assert [next(walks).order().tolist() for _ in range(3)] == expected[:3].tolist()
    assert walks.skip(20) == 20
    assert np.array_equal(walks.to_array(5), expected[23:28])
    assert np.array_equal(walks.to_array(), expected[28:])
