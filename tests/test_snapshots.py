"""Counts in tables of states that are kept in a folder: killed, resumed, damaged."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from knighttour._engine import BACKENDS, get_engine
from knighttour.board import Board
from knighttour.counting import count
from knighttour.elimination import problem_of
from knighttour.errors import InvalidInputError
from knighttour.frontier import TableSweep
from knighttour.snapshots import Snapshot

from .signals import killed_when
from .test_oneway import KNOWN, POSITIONS

TORUS = Board(3, 4, wrap="torus")
OPEN = 643392


class EnoughError(Exception):
    pass


def stopped_in(step, folder, board=TORUS, **question):
    """Count up to a step, from 1."""

    def progress(told):
        if told.step >= step:
            raise EnoughError

    with pytest.raises(EnoughError):
        count(board, checkpoint=folder, progress=progress, **question)


@pytest.mark.parametrize("step", [1, 2, 5, 8, 9])
def test_a_count_goes_on_where_it_stopped(step, backend, tmp_path):
    stopped_in(step, tmp_path, backend=backend)
    told = []
    found = count(TORUS, checkpoint=tmp_path, progress=told.append, backend=backend)
    assert found == OPEN
    assert told[0].step >= step - 1  # it stopped before the step before was kept
    told.clear()
    assert count(TORUS, checkpoint=tmp_path, backend=backend) == OPEN
    assert [path.suffix for path in tmp_path.iterdir()] == [".layer"]


@pytest.mark.parametrize("other", BACKENDS)
@pytest.mark.parametrize("name", ["4x6, two pieces", "4x7"])
def test_either_engine_goes_on_from_the_other(name, other, core, tmp_path):
    board = POSITIONS[name]
    for closed, number in zip((False, True), KNOWN[name], strict=True):
        if number:
            stopped_in(7, tmp_path, board, closed=closed, backend=other)
            for backend in (core, "pure"):
                assert count(board, closed=closed, checkpoint=tmp_path, backend=backend) == number


def test_the_files_of_both_engines_are_the_same(core, tmp_path):
    problem = problem_of(TORUS, None, None, False)
    kept = []
    for backend in (core, "pure"):
        sweep = TableSweep(problem, get_engine(backend).frontier)
        snapshot = Snapshot(tmp_path, problem)
        for _ in range(6):
            sweep.step()
        snapshot.save(sweep)
        kept.append(snapshot.path.read_bytes())
    assert kept[0] == kept[1]
    assert len(kept[0]) > 10_000


def test_the_pure_engine_keeps_counts_of_plain_boards_too(tmp_path):
    stopped_in(20, tmp_path, "5x6", closed=True, backend="pure")
    stopped_in(9, tmp_path, "4x5", start=(0, 0), backend="pure")
    # Questions share a folder.
    assert count("5x6", closed=True, checkpoint=tmp_path, backend="pure") == 8
    assert count("4x5", start=(0, 0), checkpoint=tmp_path, backend="pure") == 32
    assert len(list(tmp_path.glob("*.layer"))) == 2


@pytest.mark.parametrize("limbs", [1, 2, 3])
def test_numbers_of_any_size_are_kept(limbs, engine, tmp_path):
    problem = problem_of(TORUS, None, None, True)
    sweep = TableSweep(problem, engine.frontier)
    factor = 2 ** (64 * limbs) - 1
    sweep.resume(0, 0, 0, limbs, [(b"", factor.to_bytes(8 * limbs, "little"))])
    snapshot = Snapshot(tmp_path, problem)
    while sweep.step():
        snapshot.save(sweep)
        again = TableSweep(problem, engine.frontier)
        snapshot.resume(again)
        assert (again.done, again.total, again.states) == (sweep.done, sweep.total, sweep.states)
        assert list(again.layers[0].items()) == list(sweep.layers[0].items())
        sweep = again
    assert sweep.total == factor * 14934


@pytest.mark.parametrize("change", ["flipped", "shorter", "longer", "empty", "another"])
def test_a_damaged_file_is_refused(change, backend, tmp_path):
    stopped_in(4, tmp_path, backend=backend)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    if change == "flipped":
        damaged = [
            whole[:n] + bytes([whole[n] ^ 1 << n % 8]) + whole[n + 1 :]
            for n in [*range(100), *range(100, len(whole), 41), len(whole) - 1]
        ]
    elif change == "shorter":
        damaged = [whole[:n] for n in range(len(whole) - 1, 0, -97)]
    elif change == "longer":
        damaged = [whole + b"\0", whole + whole]
    elif change == "empty":
        damaged = [b""]
    else:
        stopped_in(4, tmp_path / "other", POSITIONS["4x5"], backend=backend)
        (other,) = (tmp_path / "other").iterdir()
        damaged = [other.read_bytes()]
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(InvalidInputError, match="is damaged: it.*delete it to begin"):
            count(TORUS, checkpoint=tmp_path, backend=backend)
    path.write_bytes(whole)
    assert count(TORUS, checkpoint=tmp_path, backend=backend) == OPEN


def test_a_folder_in_the_place_of_the_file_is_refused(backend, tmp_path):
    stopped_in(4, tmp_path, backend=backend)
    (path,) = tmp_path.iterdir()
    path.unlink()
    path.mkdir()
    with pytest.raises(InvalidInputError, match="cannot be read"):
        count(TORUS, checkpoint=tmp_path, backend=backend)


KILLED = """
import os, sys, time
from knighttour import Board, count
sync = os.fsync
os.fsync = lambda file: (time.sleep(0.02), sync(file))  # a slow disk: no moment is too short
print(count(Board(3, 4, wrap="torus"), checkpoint=sys.argv[1], backend=sys.argv[2]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_count_goes_on(backend, tmp_path):
    call = [sys.executable, "-c", KILLED, str(tmp_path), backend]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = 0
    for pattern in ("*.layer", ".*.tmp", ".*.tmp", ".*.tmp"):
        old = set(tmp_path.glob(pattern))
        killed += killed_when(
            call, lambda pattern=pattern, old=old: set(tmp_path.glob(pattern)) != old
        )
    done = subprocess.run(call, env=environment, capture_output=True, check=True)
    assert int(done.stdout) == OPEN
    assert killed >= 3
    assert [path.suffix for path in tmp_path.iterdir()] == [".layer"]
    assert count(TORUS, checkpoint=tmp_path, backend=backend) == OPEN


def test_what_tables_cannot_do_is_said(backend, tmp_path):
    for board in (POSITIONS["4x5"], TORUS):
        with pytest.raises(
            InvalidInputError, match=r"spill= is for .*one table.* leave spill= out"
        ):
            count(board, spill=tmp_path, backend=backend)
        with (
            ThreadPoolExecutor() as executor,
            pytest.raises(InvalidInputError, match="leave executor= out"),
        ):
            count(board, executor=executor, checkpoint=tmp_path, backend=backend)
        with pytest.raises(InvalidInputError, match="leave spill= out"):
            count(board, checkpoint=tmp_path, spill=tmp_path, backend=backend)
    assert list(tmp_path.iterdir()) == []
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, 3.5, "\0"):
        with pytest.raises(InvalidInputError, match="cannot be used as a folder"):
            count(TORUS, checkpoint=folder, backend=backend)
    for executor in (5, "threads", object()):
        with pytest.raises(InvalidInputError, match="no submit"):
            count("5x6", executor=executor, backend=backend)
