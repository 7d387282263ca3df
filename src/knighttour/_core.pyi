"""The contract of the compiled search; `_core_py` fulfils it in pure Python."""

from typing import Final, Self, final

__all__ = [
    "EXHAUSTED",
    "FOUND",
    "NODE_LIMIT",
    "PAUSED",
    "STUCK",
    "TIME_LIMIT",
    "Search",
    "WalledBoard",
    "first_fault",
    "move_codes",
    "search_memory",
    "step_numbers",
]

PAUSED: Final[int]
FOUND: Final[int]
STUCK: Final[int]
EXHAUSTED: Final[int]
NODE_LIMIT: Final[int]
TIME_LIMIT: Final[int]

@final
class WalledBoard:
    def __new__(cls, rows: int, cols: int, order: bytes, degree: int, tie: int) -> Self: ...

@final
class Search:
    def __new__(cls, board: WalledBoard, start: int, backtrack: bool, seed: int) -> Self: ...
    @property
    def nodes(self) -> int: ...
    @property
    def backtracks(self) -> int: ...
    @property
    def depth(self) -> int: ...
    def here(self) -> int: ...
    def step(self, work: int) -> int: ...
    def run(self, max_nodes: int, deadline: float) -> int: ...
    def path(self) -> bytes: ...
    def candidates(self) -> list[tuple[int, int]]: ...

def search_memory(rows: int, cols: int, tie: int) -> int: ...
def first_fault(rows: int, cols: int, order: bytes) -> int: ...
def step_numbers(order: bytes) -> bytes: ...
def move_codes(cols: int, order: bytes) -> bytes: ...
