"""What the type checker knows about the compiled engine; `_analysis_py.py` explains it."""

from typing import Any

__all__ = ["illegal_steps", "place"]

def place(
    order: Any, numbers: Any, itemsize: int, first: int, base: int, squares: bytes, room: int
) -> tuple[bytes, int]: ...
def illegal_steps(order: Any, cols: int, first: int, stop: int, room: int) -> tuple[bytes, int]: ...
