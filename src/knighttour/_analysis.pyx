# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Find where a numbered grid puts its steps, and which of them are no knight's moves.

Two passes over flat memory, each over a window of the caller's choice, so that a caller can look at
signals between two windows: `place` turns a grid of numbers into the squares in the order of the
numbers, `illegal_steps` compares each square with the next. On a grid of 10^8 numbers of a tour
both together take half a second; a grid in random order costs a cache miss a number more.

Invariant: after all windows of `place`, order[k] is the only cell that holds base + k, or -1 where
no cell does, or -2 where several do. `_analysis_py` is the same in Python.
"""

from cpython.buffer cimport (
    PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t

__all__ = ["illegal_steps", "place"]

ctypedef fused number:
    int32_t
    int64_t


cdef struct Found:
    int64_t *cells
    int64_t room   # of `cells`
    int64_t count  # found in all, also those without room


cdef inline void note(Found *found, int64_t value) noexcept nogil:
    if found.count < found.room:
        found.cells[found.count] = value
    found.count += 1


cdef void place_window(
    int32_t *order,
    int64_t count,
    const number *numbers,
    int64_t length,
    int64_t first,
    int64_t base,
    const uint8_t *squares,
    Found *odd,
) noexcept nogil:
    cdef int64_t k, value
    cdef int32_t before
    for k in range(length):
        if squares != NULL and not squares[first + k]:
            continue
        value = numbers[k]
        if value < base or value >= base + count:
            note(odd, first + k)
            continue
        before = order[value - base]
        if before == -1:
            order[value - base] = <int32_t> (first + k)
        else:
            if before >= 0:
                note(odd, before)
                order[value - base] = -2
            note(odd, first + k)


def place(order, numbers, int itemsize, int64_t first, int64_t base, bytes squares, int64_t room):
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
    cdef Py_buffer out, window
    cdef Found odd
    cdef bytes cells = PyBytes_FromStringAndSize(NULL, 8 * room)
    cdef const uint8_t *mask = NULL
    odd.cells = <int64_t *> PyBytes_AsString(cells)
    odd.room = room
    odd.count = 0
    if squares:
        mask = <const uint8_t *> PyBytes_AsString(squares)
    PyObject_GetBuffer(order, &out, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        PyObject_GetBuffer(numbers, &window, PyBUF_SIMPLE)
        try:
            with nogil:
                if itemsize == 4:
                    place_window[int32_t](
                        <int32_t *> out.buf, out.len // 4, <const int32_t *> window.buf,
                        window.len // 4, first, base, mask, &odd,
                    )
                else:
                    place_window[int64_t](
                        <int32_t *> out.buf, out.len // 4, <const int64_t *> window.buf,
                        window.len // 8, first, base, mask, &odd,
                    )
        finally:
            PyBuffer_Release(&window)
    finally:
        PyBuffer_Release(&out)
    return cells[: 8 * min(room, odd.count)], odd.count


cdef void find_illegal(
    const int32_t *order, int64_t cols, int64_t first, int64_t stop, Found *found
) noexcept nogil:
    cdef int64_t k
    cdef int32_t here = order[first], there, row, col, next_row, next_col
    cdef int32_t width = <int32_t> cols
    cdef int64_t rise, run
    row, col = here // width, here % width
    for k in range(first, stop):
        there = order[k + 1]
        next_row = there // width
        next_col = there - next_row * width
        if here >= 0 and there >= 0:
            rise = next_row - row
            run = next_col - col
            # 1 + 4 is the only way to write 5 as a sum of two squares.
            if rise * rise + run * run != 5:
                note(found, k)
        here = there
        row = next_row
        col = next_col


def illegal_steps(order, int64_t cols, int64_t first, int64_t stop, int64_t room):
    """Find the steps from k to k + 1 that are no knight's moves, for first <= k < stop.

    Args:
        order: flat indices, native int32; a step from or to a negative one is not tested.
        cols: the columns of the board.
        first, stop: which steps; stop is less than the number of squares.
        room: how many at most to list.

    Returns:
        The numbers k (native int64) of the first such steps, and how many there are.
    """
    cdef Py_buffer path
    cdef Found found
    cdef bytes steps = PyBytes_FromStringAndSize(NULL, 8 * room)
    found.cells = <int64_t *> PyBytes_AsString(steps)
    found.room = room
    found.count = 0
    if first < stop:
        PyObject_GetBuffer(order, &path, PyBUF_SIMPLE)
        try:
            with nogil:
                find_illegal(<const int32_t *> path.buf, cols, first, stop, &found)
        finally:
            PyBuffer_Release(&path)
    return steps[: 8 * min(room, found.count)], found.count
