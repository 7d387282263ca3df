"""Files that are there as a whole or not at all, and the order of the bytes in them."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["little_endian", "replacing"]


@contextlib.contextmanager
def replacing(target: Path, *, sync: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside `target` that takes its place when the block ends well.

    After an error or Ctrl-C the new file is gone and `target` is as it was. Whoever else writes
    `target` at the same time does so under another name.

    Args:
        target: the file.
        sync: wait until the new file is on the disk before it takes the place of the old one.
    """
    stand_in = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with stand_in.open("x+b") as out:
            yield out
            if sync:
                out.flush()
                os.fsync(out.fileno())
        stand_in.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            stand_in.unlink()
        if isinstance(error, OSError):
            # It is about the file that the caller named, not about its stand-in.
            raise OSError(error.errno, error.strerror, os.fspath(target)) from None
        raise


def little_endian(data: bytes, width: int) -> bytes:
    """Return numbers of so many bytes in little-endian order, or such numbers in the machine's."""
    if sys.byteorder == "little":
        return data
    numbers = array({2: "H", 4: "I", 8: "Q"}[width], data)
    numbers.byteswap()
    return numbers.tobytes()
