"""What the compiled counting kernels offer; `dense`, `chunks` and `sampling` call them."""

import mmap
from typing import Any, Self, final

__all__ = [
    "PRIMES_AT_ONCE",
    "Backward",
    "Ending",
    "Layout",
    "Mirrors",
    "Scratch",
    "Step",
    "Stop",
    "Tables",
    "Tally",
    "clear",
    "collect",
    "retrace",
]

PRIMES_AT_ONCE: int

@final
class Tables: ...

@final
class Mirrors:
    @property
    def memory(self) -> int: ...
    def prepare(self, left: int, middle: int, pairs: int) -> None: ...

@final
class Layout:
    def __new__(
        cls,
        static: list[tuple[int, int, int, int]],
        dynamic: list[tuple[int, int, int, int]],
        gone: int,
        excess: int,
        apex: int,
        is_coloured: bool,
        is_first: bool,
        is_halved: bool,
    ) -> Self: ...
    @property
    def slices(self) -> int: ...
    @property
    def states(self) -> int: ...
    def place(self, slice_number: int) -> int: ...
    def cuts(self, first: int, last: int, states: int) -> list[int]: ...

@final
class Stop:
    @property
    def is_set(self) -> bool: ...
    def set(self) -> None: ...

@final
class Scratch:
    def __new__(cls, width: int) -> Self: ...
    @property
    def single(self) -> int | tuple[int, ...]: ...
    @property
    def double(self) -> int | tuple[int, ...]: ...
    @property
    def transitions(self) -> int: ...
    @property
    def has_overflowed(self) -> bool: ...
    def total(self, is_halved: bool) -> Any: ...
    def take_log(self) -> tuple[bytes, bytes]: ...

@final
class Step:
    def __new__(
        cls,
        source: Layout,
        target: Layout,
        tables: Tables,
        mirrors: Mirrors,
        static: list[tuple[int, ...]],
        dynamic: list[tuple[int, ...]],
        constant: tuple[int, int, int, int],
        stages: list[tuple[Any, ...]],
        left: int,
        axis: int,
    ) -> Self: ...
    @property
    def source(self) -> Layout: ...
    def process(
        self,
        scratch: Scratch,
        source: bytes | bytearray | mmap.mmap,
        target: bytearray | mmap.mmap | None,
        first: int,
        last: int,
        modulus: int | tuple[int, ...],
        stop: Stop,
        source_place: int = 0,
    ) -> None: ...

@final
class Ending:
    def __new__(cls, layout: Layout, cells: list[int], completions: bytes) -> Self: ...
    @property
    def count(self) -> int: ...
    def total(
        self,
        values: bytes | bytearray | mmap.mmap,
        width: int,
        modulus: int | tuple[int, ...],
        stop: Stop,
    ) -> int | tuple[int, ...] | None: ...

@final
class Backward:
    def __new__(
        cls,
        layout: Layout,
        static: list[int],
        dynamic: list[int],
        ordered: list[int],
        opened: list[int],
        mirror: list[int],
        vertices: int,
        stages: list[tuple[int, list[int], list[bool]]],
    ) -> Self: ...
    def predecessors(
        self,
        values: list[bytes | bytearray | mmap.mmap],
        moduli: list[int],
        state: bytes,
        stage: int,
        is_closed: bool,
    ) -> list[tuple[tuple[int, ...], bytes, tuple[int, ...]]]: ...

@final
class Tally:
    def __new__(cls, width: int) -> Self: ...
    def take(self, step: Step) -> list[list[tuple[int, int]]]: ...

def retrace(
    step: Step,
    tally: Tally,
    source: bytearray | mmap.mmap,
    target: bytes | bytearray | mmap.mmap,
    first: int,
    last: int,
    modulus: int,
    stop: Stop,
) -> None: ...
def clear(target: bytearray | mmap.mmap, size: int) -> None: ...
def collect(
    runs: bytes, values: bytes, width: int, low: int, high: int, target: bytearray
) -> None: ...
