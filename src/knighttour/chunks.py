"""Sweeps through files: layers on a disk, counts that survive a kill, work for many machines.

What it does.  A step of a sweep is a map over runs of slices. Here every run is one task: it reads
the states it needs from the chunk files of the layer before, and writes what becomes of them to one
chunk file of the next layer. Nothing else passes between tasks, so that they may run in threads, in
processes, or on other machines that see the same folder. `FileSweep` hands them out; when all files
of a layer are there it writes the layer's manifest and deletes the layer before. A sweep that was
killed goes on from the last manifest, and even takes over the finished files of the step that it
was killed in.

A folder belongs to one problem, one width and one modulus:

    sweep-<fingerprint>/layer-0012.json              the manifest: files and what has closed so far
                        layer-0012/part-000003.chunk

A chunk file, all numbers little-endian:

    8 bytes   KTCHUNK1
    16 bytes  fingerprint of the problem, the width and the modulus
    7 x 8     layer, part, bytes of a value, number of runs, number of values, and how many cycles
              closed in the task: in slices that are their own mirror images, in others
    16 each   the runs: place in the layer and number of values; sorted, disjoint
              the values, one run after the other
    4 bytes   CRC-32 of everything before

Every file is checked whenever it is read. A damaged one of the step at hand is made again; one of
the layer before is refused, for what it was made from is gone.

Cost.  A third more than in memory where the disk keeps up; two layers on the disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import sys
import zlib
from array import array
from collections.abc import Callable
from concurrent.futures import Executor
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ._engine import get_engine
from .dense import Blueprint
from .elimination import Problem
from .errors import InvalidInputError
from .files import little_endian, replacing
from .workers import work_by_executor, work_in_threads

__all__ = ["PART", "FileSweep", "part_memory"]

#: Values that a task takes from a layer.
PART = 1 << 22

_MAGIC = b"KTCHUNK1"
_HEADER = struct.Struct("<8s16s7Q")
_CHECK = struct.Struct("<I")

#: Raised with every change that makes old files useless.
_VERSION = 1


class Part(NamedTuple):
    """A finished chunk file, as the manifest lists it."""

    name: str
    #: the places from the first to behind the last of its values
    low: int
    high: int
    single: int
    double: int
    transitions: int


def part_memory(width: int) -> int:
    """Return the bytes that one task takes, roughly: what it reads, makes and writes."""
    return 6 * width * PART


def fingerprint(problem: Problem, width: int, modulus: int) -> bytes:
    """Return what a file must say to belong to a sweep."""
    words = repr((_VERSION, PART, tuple(problem), width, modulus))
    return hashlib.blake2b(words.encode(), digest_size=16).digest()


class DamagedError(Exception):
    """A chunk file that is not what it was."""


def _write(path: Path, *pieces: bytes) -> None:
    """Write a chunk file with its checksum."""
    check = 0
    with replacing(path, sync=True) as file:
        for piece in pieces:
            check = zlib.crc32(piece, check)
            file.write(piece)
        file.write(_CHECK.pack(check))


def _read(path: Path, mark: bytes, layer: int) -> tuple[tuple[int, ...], memoryview, memoryview]:
    """Return the numbers of the header, the runs and the values of a chunk file.

    Raises:
        DamagedError: a missing file, or one that is not as it was written.
    """
    try:
        data = memoryview(path.read_bytes())
    except OSError as error:
        raise DamagedError(f"{path}: {error.strerror}") from None
    if len(data) < _HEADER.size + 4:
        raise DamagedError(f"{path}: too short")
    if zlib.crc32(data[:-4]) != _CHECK.unpack(data[-4:])[0]:
        raise DamagedError(f"{path}: its checksum does not fit")
    magic, whose, *numbers = _HEADER.unpack(data[: _HEADER.size])
    _, _, width, runs, values, *_ = numbers
    middle = _HEADER.size + 16 * runs
    if magic != _MAGIC or whose != mark or numbers[0] != layer:
        raise DamagedError(f"{path}: a file of another count")
    if len(data) != middle + width * values + 4:
        raise DamagedError(f"{path}: wrong length")
    return tuple(numbers), data[_HEADER.size : middle], data[middle:-4]


@lru_cache(maxsize=2)
def _blueprint(problem: Problem) -> Blueprint:
    return Blueprint(problem, get_engine("core").counting)


@lru_cache(maxsize=1)
def _step(problem: Problem, number: int) -> Any:
    blueprint = _blueprint(problem)
    source, target = blueprint.layout(number), blueprint.layout(number + 1)
    return blueprint.step(number, source, target)


def _part_name(part: int) -> str:
    return f"part-{part:06d}.chunk"


def work_part(
    folder: str,
    problem: Problem,
    width: int,
    modulus: int,
    number: int,
    part: int,
    first: int,
    last: int,
    sources: list[Part],
    stop: Any = None,
) -> Part | None:
    """Do one task: what becomes of the slices `first` .. `last` - 1 of layer `number`.

    Returns:
        The finished file, None if it was stopped.

    Raises:
        InvalidInputError: a source file is damaged.
    """
    core = get_engine("core").counting
    mark = fingerprint(problem, width, modulus)
    step = _step(problem, number)
    low, high = step.source.place(first), step.source.place(last)
    values = bytearray(width * (high - low))
    if number == 0:
        values[:width] = (1).to_bytes(width, sys.byteorder)
    for source in sources:
        if source.low < high and low < source.high:
            path = Path(folder) / f"layer-{number:04d}" / source.name
            try:
                _, runs, data = _read(path, mark, number)
            except DamagedError as error:
                raise InvalidInputError(
                    f"{error}. The step that made it is over, so it cannot be made again: delete "
                    f"{folder} to begin this sweep again"
                ) from None
            core.collect(
                little_endian(bytes(runs), 8),
                little_endian(bytes(data), width),
                width,
                low,
                high,
                values,
            )
    scratch = core.Scratch(width)
    stop = core.Stop() if stop is None else stop
    step.process(scratch, values, None, first, last, modulus, stop, low)
    if stop.is_set:
        return None
    runs, data = scratch.take_log()
    places = array("q", runs)
    low, high = (places[0], places[-2] + places[-1]) if places else (0, 0)
    # What has stuck to the largest value stays there.
    single, double = int(scratch.single), int(scratch.double)
    header = _HEADER.pack(
        _MAGIC, mark, number + 1, part, width, len(places) // 2, len(data) // width, single, double
    )
    path = Path(folder) / f"layer-{number + 1:04d}" / _part_name(part)
    _write(path, header, little_endian(runs, 8), little_endian(data, width))
    return Part(path.name, low, high, single, double, scratch.transitions)


class FileSweep:
    """One sweep whose layers are files; the counterpart of `dense.Sweep`.

    Args:
        problem: the problem.
        width, modulus: as in `dense.Sweep`.
        folder: where the sweep's own folder is or will be.
        executor: what works the tasks; None: this many threads.
        threads: how many.
    """

    def __init__(
        self,
        problem: Problem,
        width: int,
        modulus: int,
        folder: Path,
        executor: Executor | None,
        threads: int,
    ) -> None:
        self.problem = problem
        self.width = width
        self.modulus = modulus
        self.mark = fingerprint(problem, width, modulus)
        self.folder = folder / f"sweep-{self.mark.hex()}"
        self.executor = executor
        self.threads = threads
        self.done = 0
        self.single = self.double = self.transitions = 0
        self._parts: list[Part] = []
        self._stop = get_engine("core").counting.Stop()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._resume()

    @property
    def has_overflowed(self) -> bool:
        """Whether the width was not enough for exact values."""
        return self.modulus == 0 and max(self.single, self.double) >= 2**64 - 1

    @property
    def total(self) -> int:
        """The number of cycles that have closed."""
        total = self.single + (2 if self.problem.mirror else 1) * self.double
        return total % self.modulus if self.modulus else total

    def _manifest(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:04d}.json"

    def _resume(self) -> None:
        """Take the last complete layer."""
        for unfinished in self.folder.glob("*.tmp"):
            unfinished.unlink()
        manifests = sorted(self.folder.glob("layer-*.json"))
        if not manifests:
            return
        path = manifests[-1]
        try:
            line, check = path.read_text("ascii").splitlines()
            if zlib.crc32(line.encode()) != int(check):
                raise ValueError
            said = json.loads(line)
            self._parts = [Part(*part) for part in said["parts"]]
            self.done, self.single, self.double = said["layer"], said["single"], said["double"]
        except (ValueError, KeyError, TypeError):
            raise InvalidInputError(
                f"{path} is damaged: its checksum does not fit; delete {self.folder} to begin "
                "this sweep again"
            ) from None
        for old in manifests[:-1]:
            self._forget(int(old.stem.removeprefix("layer-")))

    def _forget(self, layer: int) -> None:
        # Not by `rmtree`, which may close a file twice when a signal comes.
        folder = self.folder / f"layer-{layer:04d}"
        self._manifest(layer).unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            for path in folder.iterdir():
                path.unlink(missing_ok=True)
        # A task that is late may have put another file there.
        with contextlib.suppress(OSError):
            folder.rmdir()

    def step(self, tick: Callable[[], None] = lambda: None) -> bool:
        """Eliminate one more unit; return whether there is more to do.

        Raises:
            InvalidInputError: a file of the layer is damaged.
        """
        number = self.done
        if number == len(self.problem.units):
            return False
        target = self.folder / f"layer-{number + 1:04d}"
        target.mkdir(exist_ok=True)
        source = _step(self.problem, number).source
        tasks = []
        parts: list[Part] = []
        for part, (first, last) in enumerate(pairwise(source.cuts(0, source.slices, PART))):
            finished = self._finished(target / _part_name(part), number + 1)
            if finished is not None:
                parts.append(finished)
            else:
                tasks.append((part, first, last))
        parts += [part for part in self._work(number, tasks, tick) if part is not None]
        for done in parts:
            self.single += done.single
            self.double += done.double
            self.transitions += done.transitions
        if self.modulus:
            self.single %= self.modulus
            self.double %= self.modulus
        else:  # it sticks at the largest value, as a value does
            self.single, self.double = (min(n, 2**64 - 1) for n in (self.single, self.double))
        self._parts = sorted(part for part in parts if part.high > part.low)
        self.done += 1
        self._save()
        self._forget(number)
        return True

    def _finished(self, path: Path, layer: int) -> Part | None:
        """Return what a file of an interrupted step says, None if it is not there or damaged."""
        if not path.exists():
            return None
        try:
            numbers, runs, _ = _read(path, self.mark, layer)
        except DamagedError:
            return None
        places = array("q", little_endian(bytes(runs), 8))
        low, high = (places[0], places[-2] + places[-1]) if places else (0, 0)
        return Part(path.name, low, high, numbers[5], numbers[6], 0)

    def _work(
        self, number: int, tasks: list[tuple[int, int, int]], tick: Callable[[], None]
    ) -> list[Part | None]:
        arguments = (str(self.folder), self.problem, self.width, self.modulus, number)
        calls = [partial(work_part, *arguments, *task, self._parts) for task in tasks]
        if self.executor is not None:
            return work_by_executor(self.executor, calls, lambda _: tick())
        calls = [partial(call, stop=self._stop) for call in calls]
        return work_in_threads(calls, self.threads, self._stop.set, tick)

    def _save(self) -> None:
        """Write the manifest of the layer that is complete now."""
        line = json.dumps(
            {
                "layer": self.done,
                "of": len(self.problem.units),
                "width": self.width,
                "modulus": self.modulus,
                "single": self.single,
                "double": self.double,
                "parts": self._parts,
            }
        )
        with replacing(self._manifest(self.done), sync=True) as file:
            file.write(f"{line}\n{zlib.crc32(line.encode())}\n".encode("ascii"))
