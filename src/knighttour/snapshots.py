"""A sweep in tables that survives a kill: after every step its layer is in a file.

What it does.  A `frontier.TableSweep` has one layer, no slices. `Snapshot` keeps it in one file,
which takes the place of that of the step before when it is whole. Another process, of either
engine, goes on from there. For layers that are cut into parts see `chunks`.

A file belongs to one problem. It is named ``sweep-<fingerprint>.layer``; all numbers are
little-endian:

    8 bytes   KTLAYER1
    16 bytes  fingerprint of the problem
    5 x 8     vertices eliminated, vertices of a state, how many times 64 bits a number has, number
              of states, bytes of the total
              the total: how many cycles have closed so far
              pieces of 4096 states, the last one shorter: what every state says of each of its
              vertices, 2 bytes each, 65535 for a vertex that is done with; then the numbers of ways
    4 bytes   CRC-32 of everything before

Cost.  Compiled, that of writing the file; in pure Python a tenth of what the step itself takes.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from .elimination import Problem
from .errors import InvalidInputError
from .files import little_endian, replacing
from .frontier import TableSweep
from .oneway import OneWayProblem

__all__ = ["Snapshot"]

_MAGIC = b"KTLAYER1"
_HEADER = struct.Struct("<8s16s5Q")
_CHECK = struct.Struct("<I")

#: States of a piece.
_PIECE = 4096

#: Bytes that are read between two looks at signals.
_READ = 1 << 22

#: Raised with every change that makes old files useless.
_VERSION = 1


class Snapshot:
    """The file that keeps a sweep.

    Args:
        folder: where it is or will be.
        problem: what is counted.
    """

    def __init__(self, folder: Path, problem: Problem | OneWayProblem) -> None:
        words = repr((_VERSION, type(problem).__name__, tuple(problem)))
        self.mark = hashlib.blake2b(words.encode(), digest_size=16).digest()
        self.path = folder / f"sweep-{self.mark.hex()}.layer"

    def save(self, sweep: TableSweep, tick: Callable[[], None] = lambda: None) -> None:
        """Keep a sweep as it is between two steps; `tick` is called every few milliseconds."""
        layer = sweep.layers[-1]
        limbs = layer.limbs
        total = sweep.total.to_bytes((sweep.total.bit_length() + 7) // 8, "little")
        check = 0
        with replacing(self.path, sync=True) as file:

            def write(data: bytes) -> None:
                nonlocal check
                check = zlib.crc32(data, check)
                file.write(data)

            numbers = sweep.done, layer.vertices, limbs, len(layer), len(total)
            write(_HEADER.pack(_MAGIC, self.mark, *numbers))
            write(total)
            for states, ways in layer.pieces(_PIECE):
                tick()
                write(little_endian(states, 2))
                write(little_endian(ways, 8))
            file.write(_CHECK.pack(check))

    def resume(self, sweep: TableSweep) -> None:
        """Bring a new sweep to where the file is, if there is one.

        Raises:
            InvalidInputError: the file is damaged, or belongs to another count.
        """
        for unfinished in self.path.parent.glob(f".{self.path.name}.*.tmp"):
            unfinished.unlink(missing_ok=True)
        if not self.path.exists():
            return
        try:
            data = self._read()
        except ValueError as error:
            raise InvalidInputError(
                f"{self.path} is damaged: {error}; delete it to begin this count again"
            ) from None
        except OSError as error:
            raise InvalidInputError(f"{self.path} cannot be read: {error.strerror}") from None
        _, _, done, vertices, limbs, states, bytes_of_total = _HEADER.unpack(data[: _HEADER.size])
        place = _HEADER.size + bytes_of_total
        total = int.from_bytes(data[_HEADER.size : place], "little")
        sweep.resume(
            done, total, vertices, limbs, _pieces(data[place:], states, 2 * vertices, 8 * limbs)
        )

    def _read(self) -> memoryview:
        """Return what the file says, all but its checksum.

        Raises:
            ValueError: it is not as it was written.
        """
        data = bytearray()
        check = 0
        with self.path.open("rb") as file:
            while piece := file.read(_READ):
                data += piece
        if len(data) < _HEADER.size + _CHECK.size:
            raise ValueError("it is too short")
        rest = memoryview(data)[: -_CHECK.size]
        for place in range(0, len(rest), _READ):
            check = zlib.crc32(rest[place : place + _READ], check)
        if _CHECK.pack(check) != data[-_CHECK.size :]:
            raise ValueError("its checksum does not fit")
        magic, mark, _, vertices, limbs, states, bytes_of_total = _HEADER.unpack(
            rest[: _HEADER.size]
        )
        if magic != _MAGIC or mark != self.mark:
            raise ValueError("it belongs to another count")
        if len(rest) != _HEADER.size + bytes_of_total + states * (2 * vertices + 8 * limbs):
            raise ValueError("it has a wrong length")
        return rest


def _pieces(
    data: memoryview, states: int, state: int, number: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the pieces of a file.

    Args:
        data: all of them.
        states: how many there are.
        state, number: bytes of one.
    """
    place = 0
    for first in range(0, states, _PIECE):
        many = min(_PIECE, states - first)
        middle = place + state * many
        end = middle + number * many
        yield (
            little_endian(bytes(data[place:middle]), 2),
            little_endian(bytes(data[middle:end]), 8),
        )
        place = end
