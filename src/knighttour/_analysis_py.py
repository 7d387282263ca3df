"""Find where a numbered grid puts its steps, and which of them are no knight's moves.

The twin of `_analysis` in Python: the same names, arguments and results. `place` turns a grid of
numbers into the squares in the order of the numbers, `illegal_steps` compares each square with the
next. Both work on a window at a time; about 0.2 microseconds a number.
"""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import Any

__all__ = ["illegal_steps", "place"]


def place(
    order: Any, numbers: Any, itemsize: int, first: int, base: int, squares: bytes, room: int
) -> tuple[bytes, int]:
    """Enter the cells of a window of a grid into `order`, each at the place of its number.

    Args:
        order: a writable buffer of as many int32 as the board has squares, -1 at first.
        numbers: the window: native signed integers of `itemsize` (4 or 8) bytes.
        first: the flat index of its first cell.
        base: the number of the first step, -2^62 to 2^62.
        squares: a byte for every cell of the board, 0 for holes; empty if there are none.
        room: how many cells at most to list.

    Returns:
        The flat indices (native int64) of cells with numbers out of range or on several cells, the
        first one of each such number included, in the order of discovery; and how many there are.
    """
    path = memoryview(order).cast("B").cast("i")
    window = memoryview(numbers).cast("B").cast("i" if itemsize == 4 else "q")
    count = len(path)
    odd = array("q")
    for cell, number in enumerate(window, first):
        if squares and not squares[cell]:
            continue
        step = number - base
        if not 0 <= step < count:
            odd.append(cell)
        elif path[step] == -1:
            path[step] = cell
        else:
            if path[step] >= 0:
                odd.append(path[step])
                path[step] = -2
            odd.append(cell)
    return odd[:room].tobytes(), len(odd)


def illegal_steps(order: Any, cols: int, first: int, stop: int, room: int) -> tuple[bytes, int]:
    """Find the steps from k to k + 1 that are no knight's moves, for first <= k < stop.

    Args:
        order: flat indices, native int32; a step from or to a negative one is not tested.
        cols: the columns of the board.
        first, stop: which steps; stop is less than the number of squares.
        room: how many at most to list.

    Returns:
        The numbers k (native int64) of the first such steps, and how many there are.
    """
    if first >= stop:
        return b"", 0
    path = memoryview(order).cast("B").cast("i")[first : stop + 1].tolist()
    illegal = array("q")
    for step, (here, there) in enumerate(pairwise(path), first):
        if here >= 0 and there >= 0:
            rise = there // cols - here // cols
            run = there % cols - here % cols
            # 1 + 4 is the only way to write 5 as a sum of two squares.
            if rise * rise + run * run != 5:
                illegal.append(step)
    return illegal[:room].tobytes(), len(illegal)
