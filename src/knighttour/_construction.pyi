"""Types of the compiled search; its twin `_construction_py.py` is the text to read."""

from typing import Final

NO_PATH: Final[int]
FOUND: Final[int]
GAVE_UP: Final[int]

def solve(
    rows: int,
    cols: int,
    start: int,
    end: int,
    allowed: bytes,
    seed: int,
    first_limit: int,
    total_limit: int,
) -> tuple[int, bytes, int]: ...
