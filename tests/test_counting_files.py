"""Counts through files: killed, resumed, damaged, spilled, and handed to other processes."""

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from knighttour.board import Board
from knighttour.counting import count
from knighttour.elimination import problem_of
from knighttour.errors import InvalidInputError, SearchLimitError

from .packages import other_package
from .signals import killed_when

chunks = pytest.importorskip("knighttour.chunks")
pytest.importorskip("knighttour._counting")

SIX_BY_EIGHT = 55488142

KILLED = """
import os, signal, sys
from knighttour.counting import count
def progress(told):
    if told.step > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
count("6x8", closed=True, checkpoint=sys.argv[1], progress=progress, backend="core")
"""


def child(folder, step):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(step)],
        env=environment,
        capture_output=True,
        timeout=120,
    )
    return done.returncode


@pytest.fixture(autouse=True)
def many_parts(monkeypatch):
    """Cut layers into small parts, so that there is more than one."""
    monkeypatch.setattr(chunks, "PART", 1 << 14)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_count_goes_on(tmp_path, monkeypatch):
    monkeypatch.undo()  # the child cuts as usual
    for step in (5, 5, 11):
        assert child(tmp_path, step) == -9
        manifests = list(tmp_path.glob("sweep-*/layer-*.json"))
        assert manifests
    told = []
    value = count("6x8", closed=True, checkpoint=tmp_path, progress=told.append, backend="core")
    assert value == SIX_BY_EIGHT
    assert told[0].step > 11  # at most one step was lost
    assert count("6x8", closed=True, checkpoint=tmp_path, backend="core") == SIX_BY_EIGHT


COUNTED = """
import os, sys, time
from knighttour.counting import count
sync = os.fsync
# A slow disk, so that no moment is too short to be met.
os.fsync = lambda file: (time.sleep(0.01), sync(file))
print(count(sys.argv[2], closed=True, checkpoint=sys.argv[1], threads=2, backend="core"))
"""

RESIDUE = """
import sys
from pathlib import Path
from knighttour.board import as_board
from knighttour.chunks import FileSweep
from knighttour.elimination import problem_of
problem = problem_of(as_board(sys.argv[2]), None, None, True)
sweep = FileSweep(problem, 2, 65521, Path(sys.argv[1]), None, 2)
while sweep.step():
    pass
print(sweep.total)
"""


def killed_and_begun_again(program, folder, board, moments):
    """Kill a process at each of the moments, then let it come to its end; return what it prints.

    A moment is a step, and what must be there when the process is killed in the midst of it.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, str(folder), board]
    killed = 0
    for step, pattern in moments:
        there = f"sweep-*/{pattern.format(step)}"
        killed += killed_when(command, lambda there=there: any(folder.glob(there)))
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return int(done.stdout), killed


#: The folder of the next layer is there; a file is being written; it is finished; the manifest is.
MOMENTS = ("layer-{:04d}", "layer-{:04d}/*.tmp", "layer-{:04d}/*.chunk", "layer-{:04d}.json")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_count_killed_in_the_midst_of_its_steps_goes_on(tmp_path, monkeypatch):
    monkeypatch.undo()
    moments = [*zip((2, 6, 9, 12), MOMENTS, strict=True), (15, MOMENTS[1]), (18, MOMENTS[0])]
    value, killed = killed_and_begun_again(COUNTED, tmp_path, "6x8", moments)
    assert value == SIX_BY_EIGHT
    assert killed >= 3  # the others had come to their end before they were killed


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("program", "board", "expected"),
    [(COUNTED, "7x8", 34524432316), (RESIDUE, "8x8", 13267364410532 % 65521)],
)
def test_larger_counts_killed_in_the_midst_of_their_steps_go_on(
    tmp_path, monkeypatch, program, board, expected
):
    monkeypatch.undo()
    moments = [(step, MOMENTS[step % 4]) for step in (3, 8, 9, 14, 15, 18, 20, 21)]
    value, killed = killed_and_begun_again(program, tmp_path, board, moments)
    assert value == expected
    assert killed >= 5


class EnoughError(Exception):
    pass


def stopped_after(folder, step, **question):
    """Count up to a step; return the folder of the sweep."""

    def progress(told):
        if told.step > step:
            raise EnoughError

    with pytest.raises(EnoughError):
        count("6x8", closed=True, checkpoint=folder, progress=progress, backend="core", **question)
    (sweep,) = folder.glob("sweep-*")
    # The files of the step at hand may all be there already: make it begin again.
    for path in sweep.glob(f"layer-{step + 1:04d}/*"):
        path.unlink()
    return sweep


def flip(path, place):
    data = bytearray(path.read_bytes())
    data[place] ^= 0x10
    path.write_bytes(data)


@pytest.mark.parametrize("place", [3, 20, 100, -2000, -1])
def test_a_flipped_byte_is_refused(tmp_path, place):
    sweep = stopped_after(tmp_path, 9)
    manifest = max(sweep.glob("layer-*.json"))
    parts = sorted((sweep / manifest.stem).glob("*.chunk"))
    assert len(parts) > 1
    flip(parts[0], place)
    with pytest.raises(InvalidInputError, match="part-000000"):
        count("6x8", closed=True, checkpoint=tmp_path, backend="core")


def test_a_flipped_byte_in_any_file_of_the_layer_is_refused(tmp_path):
    sweep = stopped_after(tmp_path, 11)
    manifest = max(sweep.glob("layer-*.json"))
    parts = sorted((sweep / manifest.stem).glob("*.chunk"))
    assert len(parts) > 5
    chance = random.Random(7)
    for part in parts:
        place = chance.randrange(part.stat().st_size)
        flip(part, place)
        with pytest.raises(InvalidInputError, match=part.name):
            count("6x8", closed=True, checkpoint=tmp_path, backend="core")
        flip(part, place)
        for made in (sweep / f"layer-{int(manifest.stem[-4:]) + 1:04d}").glob("*"):
            made.unlink()
    assert count("6x8", closed=True, checkpoint=tmp_path, backend="core") == SIX_BY_EIGHT


def test_a_flipped_byte_in_any_file_of_the_step_at_hand_is_made_again(tmp_path):
    problem = problem_of(Board(6, 8), None, None, True)
    sweep = chunks.FileSweep(problem, 8, 0, tmp_path, None, 2)
    for _ in range(9):
        sweep.step()
    saved = tmp_path / "saved"
    shutil.copytree(sweep.folder, saved)
    sweep.step()
    names = sorted(path.name for path in (sweep.folder / "layer-0010").glob("*.chunk"))
    assert len(names) > 2
    chance = random.Random(8)
    for name in names:
        path = sweep.folder / "layer-0010" / name
        whole = path.read_bytes()
        flip(path, chance.randrange(len(whole)))
        # As if it had been killed just before the manifest was written.
        shutil.copytree(saved / "layer-0009", sweep.folder / "layer-0009", dirs_exist_ok=True)
        shutil.copy(saved / "layer-0009.json", sweep.folder)
        (sweep.folder / "layer-0010.json").unlink()
        again = chunks.FileSweep(problem, 8, 0, tmp_path, None, 2)
        assert again.done == 9
        again.step()
        assert path.read_bytes() == whole
    while again.step():
        pass
    assert again.total == SIX_BY_EIGHT


def test_a_missing_or_short_file_is_refused(tmp_path):
    sweep = stopped_after(tmp_path, 9)
    manifest = max(sweep.glob("layer-*.json"))
    part = min((sweep / manifest.stem).glob("*.chunk"))
    part.write_bytes(part.read_bytes()[:-7])
    with pytest.raises(InvalidInputError, match="part-000000"):
        count("6x8", closed=True, checkpoint=tmp_path, backend="core")
    part.unlink()
    with pytest.raises(InvalidInputError, match="part-000000"):
        count("6x8", closed=True, checkpoint=tmp_path, backend="core")


def test_a_damaged_file_of_the_step_at_hand_is_made_again(tmp_path):
    problem = problem_of(Board(6, 8), None, None, True)
    sweep = chunks.FileSweep(problem, 8, 0, tmp_path, None, 2)
    for _ in range(9):
        sweep.step()
    saved = tmp_path / "saved"
    shutil.copytree(sweep.folder, saved)
    sweep.step()
    # As if it had been killed just before the manifest was written, one file being damaged.
    finished = sweep.folder / "layer-0010"
    assert len(list(finished.glob("*.chunk"))) > 2
    flip(finished / "part-000001.chunk", 200)
    shutil.rmtree(sweep.folder / "layer-0009", ignore_errors=True)
    shutil.copytree(saved / "layer-0009", sweep.folder / "layer-0009")
    shutil.copy(saved / "layer-0009.json", sweep.folder)
    (sweep.folder / "layer-0010.json").unlink()
    again = chunks.FileSweep(problem, 8, 0, tmp_path, None, 2)
    assert again.done == 9
    while again.step():
        pass
    assert again.total == SIX_BY_EIGHT


def test_a_damaged_manifest_is_refused(tmp_path):
    sweep = stopped_after(tmp_path, 9)
    flip(max(sweep.glob("layer-*.json")), 15)
    with pytest.raises(InvalidInputError, match="damaged"):
        count("6x8", closed=True, checkpoint=tmp_path, backend="core")


def test_what_an_interruption_has_left_is_cleared_away(tmp_path):
    sweep = stopped_after(tmp_path, 9)
    manifest = max(sweep.glob("layer-*.json"))
    # The layer before, not yet deleted, and a file that was being written.
    old = sweep / f"layer-{int(manifest.stem[-4:]) - 1:04d}"
    old.mkdir()
    (old / "part-000000.chunk").write_bytes(b"old")
    manifest.with_name(f"{old.name}.json").write_text("old")
    (sweep / "layer-0099.json.tmp").write_text("half")
    assert count("6x8", closed=True, checkpoint=tmp_path, backend="core") == SIX_BY_EIGHT
    assert not old.exists()
    assert not manifest.with_name(f"{old.name}.json").exists()
    assert not list(sweep.glob("*.tmp"))


def test_a_file_of_another_layer_is_refused(tmp_path):
    sweep = stopped_after(tmp_path, 9)
    manifest = max(sweep.glob("layer-*.json"))
    layer = sweep / manifest.stem
    kept = (layer / "part-000000.chunk").read_bytes()
    other = stopped_after(tmp_path / "other", 11)
    later = max(other.glob("layer-*.json"))
    foreign = (other / later.stem / "part-000000.chunk").read_bytes()
    (layer / "part-000000.chunk").write_bytes(foreign)
    with pytest.raises(InvalidInputError, match="a file of another count"):
        count("6x8", closed=True, checkpoint=tmp_path, backend="core")
    (layer / "part-000000.chunk").write_bytes(kept)
    assert count("6x8", closed=True, checkpoint=tmp_path, backend="core") == SIX_BY_EIGHT


def test_counts_share_a_folder(tmp_path):
    stopped_after(tmp_path, 9)
    assert count("5x6", checkpoint=tmp_path, backend="core") == 37568
    assert count("5x6", closed=True, checkpoint=tmp_path, backend="core") == 8
    assert count("6x8", closed=True, checkpoint=tmp_path, backend="core") == SIX_BY_EIGHT


def test_several_primes_go_through_files(tmp_path):
    expected = count("6x16", closed=True, backend="core")
    assert expected > 2**64
    assert count("6x16", closed=True, checkpoint=tmp_path, backend="core") == expected
    assert len(list(tmp_path.glob("sweep-*"))) >= 3


def test_spilling_leaves_nothing_behind(tmp_path):
    assert count("6x8", closed=True, spill=tmp_path, backend="core") == SIX_BY_EIGHT
    assert count("5x6", spill=tmp_path, backend="core") == 37568
    assert list(tmp_path.iterdir()) == []


def test_executors(tmp_path):
    with ThreadPoolExecutor(3) as threads:
        assert count("6x8", closed=True, executor=threads, backend="core") == SIX_BY_EIGHT
        assert (
            count("6x8", closed=True, executor=threads, spill=tmp_path, backend="core")
            == SIX_BY_EIGHT
        )


def test_other_processes(tmp_path, monkeypatch):
    monkeypatch.undo()
    with ProcessPoolExecutor(2) as processes:
        assert count("6x7", closed=True, executor=processes, backend="core") == 1067638
        for folder in ("checkpoint", "spill"):
            question = {folder: tmp_path / folder, "executor": processes}
            assert count("6x8", closed=True, backend="core", **question) == SIX_BY_EIGHT


def cut_into(size):
    chunks.PART = size


def workers_of(client):
    """Return which workers have done the tasks so far, and how many each."""
    return Counter(client.cluster.scheduler.plugins["knighttour-who"].done)


def test_a_cluster_of_two_workers(tmp_path, monkeypatch):
    distributed = other_package("distributed")

    class Who(distributed.SchedulerPlugin):
        """Notes which worker has done which task."""

        def __init__(self):
            self.done = []

        def transition(self, *states, worker=None, **_):
            if states[1:3] == ("processing", "memory"):
                self.done.append(worker)

    monkeypatch.undo()
    monkeypatch.setattr(chunks, "PART", 1 << 16)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as here,
        distributed.Client(here) as client,
    ):
        here.scheduler.add_plugin(Who(), name="knighttour-who")
        client.run(cut_into, 1 << 16)
        pids = client.run(os.getpid)
        assert len({*pids.values(), os.getpid()}) == 3
        executor = client.get_executor()
        # Primes across the workers.
        expected = count("6x16", closed=True, backend="core")
        assert expected > 2**64
        assert count("6x16", closed=True, executor=executor, backend="core") == expected
        by_primes = workers_of(client)
        assert set(by_primes) == set(pids)
        # Slices across the workers, over a folder that all of them see.
        for folder in ("checkpoint", "spill"):
            question = {folder: tmp_path / folder, "executor": executor, "backend": "core"}
            assert count("6x8", closed=True, **question) == SIX_BY_EIGHT
        by_slices = workers_of(client) - by_primes
        assert set(by_slices) == set(pids)
        assert by_slices.total() > 60


def test_bad_folders(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, 3.5, Path("/proc/none/such")):
        with pytest.raises(InvalidInputError, match="folder"):
            count("5x6", checkpoint=folder, backend="core")
    with pytest.raises(InvalidInputError, match="spill"):
        count("5x6", checkpoint=tmp_path, spill=tmp_path, backend="core")


def test_a_disk_that_is_too_small_is_refused(tmp_path):
    with pytest.raises(SearchLimitError, match="disk"):
        count("10x10", spill=tmp_path, backend="core", memory_limit=2**40)
