"""What a call may cost, nodes, time and memory, checked before and while it runs; and its seed."""

from __future__ import annotations

import contextlib
import math
import mmap
import operator
import os
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from .errors import InvalidInputError

__all__ = ["UNLIMITED", "Limits", "check_seed", "free_memory", "human_bytes", "zeroed"]

#: Memory of so many bytes comes straight from the system.
_MAPPED_FROM = 1 << 24


class Limits(NamedTuple):
    """Limits in the form that the engines take them."""

    #: most squares to place, -1 for no limit
    max_nodes: int
    #: a `time.monotonic()` value, infinity for no limit
    deadline: float
    #: the caller's `timeout` in seconds, for the error text
    timeout: float | None

    @classmethod
    def of(cls, max_nodes: int | None, timeout: float | None) -> Limits:
        """Check a caller's `max_nodes` and `timeout`.

        Raises:
            InvalidInputError: a limit that is not a number, or is negative.
        """
        nodes = -1
        if max_nodes is not None:
            try:
                nodes = operator.index(max_nodes)
            except TypeError:
                nodes = 0
            if nodes < 1 or isinstance(max_nodes, bool):
                raise InvalidInputError(
                    f"max_nodes={max_nodes!r} is not a number of nodes: use a whole number >= 1, "
                    "or None for no limit"
                )
            nodes = min(nodes, 2**62)
        deadline = math.inf
        if timeout is not None:
            if (
                isinstance(timeout, (bool, str))
                or not isinstance(timeout, (int, float))
                or not timeout >= 0
            ):
                raise InvalidInputError(
                    f"timeout={timeout!r} is not a time: use seconds >= 0, or None for no limit"
                )
            deadline = monotonic() + timeout
        return cls(nodes, deadline, timeout)


UNLIMITED = Limits(-1, math.inf, None)


def check_seed(seed: object) -> int:
    """Return a caller's `seed` as an int.

    Raises:
        InvalidInputError: not a whole number from 0 to 2^64 - 1.

    >>> check_seed(7)
    7
    """
    number = -1
    if not isinstance(seed, bool):
        with contextlib.suppress(TypeError):
            number = operator.index(seed)  # type: ignore[arg-type]
    if not 0 <= number < 2**64:
        raise InvalidInputError(
            f"seed={seed!r} is not a seed: use a whole number from 0 to 2^64 - 1"
        )
    return number


def free_memory() -> int | None:
    """Return how many bytes this process may still take, None where that cannot be told.

    The smaller of what the machine has free and what a limit on the address space
    (``ulimit -v``) leaves.
    """
    bounds = []
    in_use = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                bounds.append(int(line.split()[1]) * 1024)
        in_use = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        in_use *= os.sysconf("SC_PAGE_SIZE")
    try:
        import resource
    except ImportError:  # Windows
        return min(bounds, default=None)
    ceiling = resource.getrlimit(resource.RLIMIT_AS)[0]
    if ceiling != resource.RLIM_INFINITY:
        bounds.append(max(0, ceiling - in_use))
    if not bounds and "SC_PHYS_PAGES" in os.sysconf_names:
        bounds.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(bounds, default=None)


def zeroed(count: int) -> memoryview[int]:
    """Return writable memory of `count` bytes, all 0, that costs nothing before it is written.

    ``bytearray(count)`` writes all its zeros at once, which takes seconds for gigabytes, and
    Ctrl-C is not heard meanwhile. The system gives a page when it is touched, in the slices of the
    work that fills it.

    Raises:
        MemoryError: there is no room.

    >>> memory = zeroed(10**9)
    >>> memory[123_456_789] = 7
    >>> memory.nbytes, memory[123_456_789], memory[-1]
    (1000000000, 7, 0)
    """
    if count < _MAPPED_FROM:
        return memoryview(bytearray(count))
    # Private where there is such a thing: after a fork each process writes into its own copy.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANON} if hasattr(mmap, "MAP_PRIVATE") else {}
    try:
        return memoryview(mmap.mmap(-1, count, **private))
    except (OSError, OverflowError):
        raise MemoryError(f"no room for {human_bytes(count)}") from None


def human_bytes(count: int) -> str:
    """Write a number of bytes for people.

    >>> human_bytes(512), human_bytes(3 * 2**30)
    ('512 bytes', '3.0 GiB')
    """
    if count < 1024:
        return f"{count} bytes"
    size = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} EiB"
