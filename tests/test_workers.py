"""Work in threads and by executors: nothing of it is left behind a call, whatever ends the call."""

import _thread
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import knighttour as kt
from knighttour.files import replacing
from knighttour.workers import work_by_executor, work_in_threads


class StrayError(Exception):
    """What a signal handler raises."""


@pytest.fixture(params=["runs", "has not begun"])
def interrupted_start(request, monkeypatch):
    """Let the first start of a thread be interrupted, as by a signal.

    Yields:
        A function that lets the thread begin, if it has not, and waits for its end.
    """
    start = _thread.start_new_thread
    release, ended = threading.Event(), threading.Event()

    def interrupted(work, arguments):
        def late_work():
            if request.param == "has not begun":
                release.wait()
            work(*arguments)
            ended.set()

        start(late_work, ())
        if request.param == "runs":
            time.sleep(0.05)
        raise StrayError

    monkeypatch.setattr(_thread, "start_new_thread", interrupted)

    def finish():
        monkeypatch.undo()
        release.set()
        assert ended.wait(10)

    yield finish
    release.set()


def test_no_thread_works_on_when_its_start_is_interrupted(interrupted_start):
    halted = threading.Event()
    running = []

    def call(number):
        running.append(number)
        halted.wait(10)
        time.sleep(0.05)
        running.remove(number)

    with pytest.raises(StrayError):
        work_in_threads([partial(call, n) for n in range(8)], 4, halted.set)
    assert halted.is_set()
    assert running == []
    interrupted_start()
    assert running == []


def test_an_interrupted_count_leaves_nothing_that_writes(core, tmp_path, interrupted_start):
    with pytest.raises(StrayError):
        kt.count("6x7", closed=True, checkpoint=tmp_path, threads=2, backend=core)
    before = sorted(tmp_path.rglob("*"))
    interrupted_start()
    assert sorted(tmp_path.rglob("*")) == before
    assert kt.count("6x7", closed=True, checkpoint=tmp_path, backend=core) == 1_067_638


def test_an_interrupted_fill_leaves_nothing_that_writes(backend, monkeypatch, interrupted_start):
    monkeypatch.setattr("knighttour.program._PARALLEL_FROM", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    out = np.zeros((2000, 2000), np.int32)
    with pytest.raises(StrayError):
        kt.tour(board="2000x2000", backend=backend).fill(out)
    before = out.copy()
    interrupted_start()
    assert (out == before).all()


@pytest.mark.parametrize("threads", [1, 2, 5, 100])
@pytest.mark.parametrize("calls", [0, 1, 2, 50])
def test_results_come_in_order(threads, calls):
    squares = [partial(pow, n, 2) for n in range(calls)]
    assert work_in_threads(squares, threads, lambda: None) == [n * n for n in range(calls)]
    with ThreadPoolExecutor(threads) as pool:
        assert work_by_executor(pool, squares) == [n * n for n in range(calls)]


@pytest.mark.parametrize("way", ["threads", "executor"])
@pytest.mark.parametrize("who", ["a call", "the tick"])
def test_the_first_failure_ends_the_others(way, who):
    halted = threading.Event()
    begun = []

    def call(number):
        begun.append(number)
        if who == "a call" and number == 1:
            raise StrayError
        halted.wait(0.2)

    def tick(*_):
        if who == "the tick":
            raise StrayError

    calls = [partial(call, number) for number in range(40)]
    with ThreadPoolExecutor(2) as pool:
        work = {
            "threads": partial(work_in_threads, calls, 2, halted.set, tick),
            "executor": partial(work_by_executor, pool, calls, tick),
        }
        with pytest.raises(StrayError):
            work[way]()
    assert halted.is_set() == (way == "threads")
    assert len(begun) < 10


def test_work_is_done_where_the_system_gives_no_thread(monkeypatch):
    def refused(work, arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refused)
    assert work_in_threads([partial(pow, 7, 2)], 4, lambda: None) == [49]
    with pytest.raises(StrayError):
        work_in_threads([partial(_raise, StrayError)], 4, lambda: None)


def _raise(kind):
    raise kind


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / "part"
    with replacing(path) as first:
        first.write(b"whole")
        with replacing(path) as second:
            second.write(b"whole")
        assert path.read_bytes() == b"whole"
    assert [name.name for name in tmp_path.iterdir()] == ["part"]
    assert path.read_bytes() == b"whole"
    with pytest.raises(StrayError), replacing(path):
        raise StrayError
    assert [name.name for name in tmp_path.iterdir()] == ["part"]
    assert path.read_bytes() == b"whole"
