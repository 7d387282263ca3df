"""Expanding a compiled program, in pure Python: the twin of `_program.pyx`.

What: `Expander` turns the tables that `program.py` compiles into squares, direction codes and flat
indices; `Steps` inverts them: the step of a square, and the step grid.
Method: a walk is a list of groups; a group is a list of runs, repeated; a run is a literal of the
pool, repeated. To expand a repeat is to write one period and to copy it, adding the shift. For the
inverse, all copies of one literal square form a *family*: an arithmetic progression of rows (the
outer loop) times one of columns (the inner one), with steps linear in both. Families are sorted
into bands (rows row, row + step, ... that look alike) and, within a band, into segments: cells of
a fixed width side by side, in which each column of the cell has a first step and a step per cell.
Known answer: a band of 6 x 6 cells becomes six rows of one segment each, six columns wide.
Cost: building `Steps` is O(F log F) for F families (about 1,000, whatever the board); the rest is
linear in the output.

Tables (int64 in bytes; `program.py` says what the fields of the first two mean):
    group    first_run run_count copies period step row col row_shift col_shift exit_code
    run      offset period count step row col row_shift col_shift exit_code 0
    band     row row_step repeats first_segment segment_count
    segment  col width stride count first_cell
    cells    of a segment: `width` first steps, `width` steps per cell, `width` steps per band row
"""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_right
from io import BytesIO
from typing import Any, TypeAlias

_MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))

# A large board is stored as one long row if that many squares hold all columns of one vertical
# period: narrow rows would make short segments. On a small board the table would cost more than it
# saves.
FLAT_LIMIT = 1024
FLAT_FROM = 1 << 18
# The widest cell or row of single squares that is written side by side; families with a wider step
# go alone.
WIDEST_CELL = 1024

# Direction codes written at once: Ctrl-C is heard between two slices.
_CODE_SLICE = 1 << 22

# row, col, step; repeats, row step, step per repeat; count, column step, step per column step
Family: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]


def _records(table: bytes, width: int) -> list[tuple[int, ...]]:
    """Return a table of int64 as tuples."""
    numbers = memoryview(table).cast("q").tolist() if table else []
    return [tuple(numbers[i : i + width]) for i in range(0, len(numbers), width)]


class Expander:
    """Squares, codes and flat indices of a compiled program; immutable, safe to share."""

    def __init__(
        self, rows: int, cols: int, groups: bytes, runs: bytes, pool: bytes, length: int
    ) -> None:
        """Keep the tables."""
        self._rows = rows
        self._cols = cols
        self._length = length
        self._pool = pool
        self._groups = _records(groups, 10)
        self._runs = _records(runs, 10)
        self._group_steps = [group[4] for group in self._groups]
        self._run_steps = [
            [run[3] for run in self._runs[group[0] : group[0] + group[1]]] for group in self._groups
        ]
        self._deltas = [drow * cols + dcol for drow, dcol in _MOVES]

    def square_at(self, step: int) -> tuple[int, int]:
        """Return (row, col) of a step."""
        number = bisect_right(self._group_steps, step) - 1
        first_run, _, _, period, start, _, _, row_shift, col_shift, _ = self._groups[number]
        copy, within = divmod(step - start, period)
        row, col = copy * row_shift, copy * col_shift
        run_number = first_run + bisect_right(self._run_steps[number], within) - 1
        offset, period, _, start, run_row, run_col, row_shift, col_shift, _, _ = self._runs[
            run_number
        ]
        copy, within = divmod(within - start, period)
        row += run_row + copy * row_shift
        col += run_col + copy * col_shift
        for code, (drow, dcol) in enumerate(_MOVES):
            times = self._pool.count(code, offset, offset + within)
            row += times * drow
            col += times * dcol
        return row, col

    def codes(self, first: int, count: int) -> bytes:
        """Return the codes of the moves first, ..., first + count - 1."""
        out = BytesIO()  # whose value is handed out without being copied
        for begin in range(0, count, _CODE_SLICE):
            buffer = bytearray(min(_CODE_SLICE, count - begin))
            self.codes_into(buffer, first + begin)
            out.write(buffer)
        return out.getvalue()

    def codes_into(self, buffer: Any, first: int) -> None:
        """Write the codes of the moves first, first + 1, ... until the buffer is full."""
        out = memoryview(buffer)
        number = bisect_right(self._group_steps, first) - 1 if len(out) else 0
        skip = first - self._groups[number][4]
        done = 0
        while done < len(out):
            room = self._group_size(number) - skip
            size = min(len(out) - done, room, _CODE_SLICE)
            self._group_codes(number, skip, out[done : done + size])
            done += size
            skip += size
            if size == room:
                skip = 0
                number += 1

    def _group_size(self, number: int) -> int:
        return self._groups[number][2] * self._groups[number][3]

    def _group_codes(self, number: int, skip: int, out: memoryview[Any]) -> None:
        """Write codes of one group: one period run by run, and then that period again."""
        first_run, run_count, copies, period, _, _, _, _, _, exit_code = self._groups[number]
        head = min(len(out), period)
        within = skip % period
        run_number = first_run + bisect_right(self._run_steps[number], within) - 1
        within -= self._runs[run_number][3]
        done = 0
        while done < head:
            run = self._runs[run_number]
            size = min(head - done, run[1] * run[2] - within)
            self._run_codes(run, within, out[done : done + size])
            done += size
            within = 0
            run_number += 1
            if run_number == first_run + run_count:
                run_number = first_run
        if len(out) > head:
            _repeat_bytes(out, period)
        if skip + len(out) == period * copies:
            out[-1] = exit_code

    def _run_codes(self, run: tuple[int, ...], skip: int, out: memoryview[Any]) -> None:
        offset, period, count = run[:3]
        phase = skip % period
        literal = self._pool[offset : offset + period]
        literal = literal[phase:] + literal[:phase]
        whole, rest = divmod(len(out), period)
        out[:] = literal * whole + literal[:rest]
        if skip + len(out) == period * count:
            out[-1] = run[8]

    def order_into(self, buffer: Any, itemsize: int, first: int) -> None:
        """Write the flat indices of the steps first, first + 1, ... until the buffer is full."""
        out = _numbers(buffer, itemsize)
        number = bisect_right(self._group_steps, first) - 1
        skip = first - self._groups[number][4]
        done = 0
        while done < len(out):
            size = min(len(out) - done, self._group_size(number) - skip)
            self._group_order(number, skip, out[done : done + size])
            done += size
            skip = 0
            number += 1

    def _group_order(self, number: int, skip: int, out: memoryview[Any]) -> None:
        """Write flat indices of one group run by run, copy by copy."""
        first_run, run_count, _, period, _, _, _, row_shift, col_shift, _ = self._groups[number]
        shift = row_shift * self._cols + col_shift
        copy, within = divmod(skip, period)
        run_number = first_run + bisect_right(self._run_steps[number], within) - 1
        within -= self._runs[run_number][3]
        done = 0
        while done < len(out):
            run = self._runs[run_number]
            size = min(len(out) - done, run[1] * run[2] - within)
            self._run_order(run, copy * shift, within, out[done : done + size])
            done += size
            within = 0
            run_number += 1
            if run_number == first_run + run_count:
                run_number = first_run
                copy += 1

    def _run_order(self, run: tuple[int, ...], base: int, skip: int, out: memoryview[Any]) -> None:
        """Write flat indices of one run: every phase of its period is an arithmetic progression."""
        offset, period, _, _, row, col, row_shift, col_shift, _, _ = run
        shift = row_shift * self._cols + col_shift
        copy, phase = divmod(skip, period)
        deltas = self._deltas
        value = base + row * self._cols + col + copy * shift
        for code in self._pool[offset : offset + phase]:
            value += deltas[code]
        cycle = self._pool[offset + phase : offset + period] + self._pool[offset : offset + phase]
        for position in range(min(period, len(out))):
            if shift:
                places = (len(out) - position + period - 1) // period
                out[position::period] = array(
                    out.format, range(value, value + places * shift, shift)
                )
            else:
                out[position] = value
            value += deltas[cycle[position]]

    def first_fault(self, seen: memoryview[int], first: int, count: int) -> int:
        """Return the first wrong step from `first` on, or -1; mark the squares in a bitmap."""
        squares = array("q", bytes(8 * count))
        self.order_into(memoryview(squares).cast("B"), 8, first)
        rows, cols = self._rows, self._cols
        if first:
            row, col = self.square_at(first - 1)
            drow, dcol = _MOVES[self.codes(first - 1, 1)[0]]
            row, col = row + drow, col + dcol
        else:
            row, col = self.square_at(0)
        for position, (square, code) in enumerate(
            zip(squares, self.codes(first, count), strict=True)
        ):
            if not (0 <= row < rows and 0 <= col < cols) or square != row * cols + col:
                return first + position
            bit = 1 << (square & 7)
            if seen[square >> 3] & bit:
                return first + position
            seen[square >> 3] |= bit
            drow, dcol = _MOVES[code]
            row, col = row + drow, col + dcol
        return -1


def _repeat_bytes(out: memoryview[Any], period: int) -> None:
    """Continue the first `period` bytes periodically over the whole buffer."""
    filled = period
    while filled < len(out):
        size = min(filled, len(out) - filled)
        out[filled : filled + size] = out[:size]
        filled += size


def _numbers(buffer: Any, itemsize: int) -> memoryview[Any]:
    """Return a buffer as a row of int32 or int64."""
    return memoryview(buffer).cast("B").cast("i" if itemsize == 4 else "q")


class Steps:
    """The step of any square of a compiled program; immutable, safe to share."""

    def __init__(self, rows: int, cols: int, groups: bytes, runs: bytes, pool: bytes) -> None:
        """Sort the families of the program into bands and segments."""
        families, flat = _families(rows, cols, _records(groups, 10), _records(runs, 10), pool)
        self._true_cols = cols
        self._cols = rows * cols if flat else cols
        self._bands, self._segments, self._cells = _bands(families)

    def tables(self) -> tuple[int, bytes, bytes, bytes]:
        """Return columns of a stored row, bands, segments and cells (for tests)."""
        return (
            self._cols,
            b"".join(array("q", band).tobytes() for band in self._bands),
            b"".join(array("q", segment).tobytes() for segment in self._segments),
            array("q", self._cells).tobytes(),
        )

    def step_of(self, row: int, col: int) -> int:
        """Return the step at which a square is visited, or -1."""
        row, col = divmod(row * self._true_cols + col, self._cols)
        for band_row, row_step, repeats, first_segment, segment_count in self._bands:
            copy, off = divmod(row - band_row, row_step)
            if off or not 0 <= copy < repeats:
                continue
            for segment in self._segments[first_segment : first_segment + segment_count]:
                segment_col, width, stride, count, first_cell = segment
                cell, place = divmod(col - segment_col, stride)
                if 0 <= cell < count and place < width:
                    place += first_cell
                    return (
                        self._cells[place]
                        + cell * self._cells[place + width]
                        + copy * self._cells[place + 2 * width]
                    )
        return -1

    def fill(self, buffer: Any, itemsize: int, base: int, first: int) -> None:
        """Write base + step of the squares first, first + 1, ... until the buffer is full."""
        out = _numbers(buffer, itemsize)
        last = first + len(out)
        for band_row, row_step, repeats, first_segment, segment_count in self._bands:
            segments = self._segments[first_segment : first_segment + segment_count]
            low = max(0, (first // self._cols - band_row + row_step - 1) // row_step)
            for copy in range(low, repeats):
                begin = (band_row + copy * row_step) * self._cols
                if begin >= last:
                    break
                for segment in segments:
                    self._fill_segment(out, segment, copy, base, begin - first)

    def _fill_segment(
        self, out: memoryview[Any], segment: tuple[int, ...], copy: int, base: int, origin: int
    ) -> None:
        """Write the part of a segment that falls into the buffer, one column of its cell a time.

        `origin` is the place of column 0 of the segment's row in the buffer.
        """
        col, width, stride, count, first_cell = segment
        if origin + col >= len(out) or origin + col + stride * (count - 1) + width <= 0:
            return
        for place in range(width):
            index = first_cell + place
            begin = origin + col + place
            low = max(0, -(begin // stride))
            high = min(count, (len(out) - begin + stride - 1) // stride)
            if low >= high:
                continue
            step = self._cells[index + width]
            value = base + self._cells[index] + copy * self._cells[index + 2 * width] + low * step
            begin += low * stride
            if high - low == 1:
                out[begin] = value
            else:
                out[begin : begin + (high - low - 1) * stride + 1 : stride] = array(
                    out.format, range(value, value + (high - low) * step, step)
                )


def _families(
    rows: int,
    cols: int,
    groups: list[tuple[int, ...]],
    runs: list[tuple[int, ...]],
    pool: bytes,
) -> tuple[list[Family], bool]:
    """Return the families of all literal squares, and whether rows are joined into one.

    Negative shifts are turned round, so that every progression of rows and columns rises.
    """
    row_step = 0
    for group in groups:
        row_step = max(row_step, abs(group[7]) if group[2] > 1 else 0)
        for run in runs[group[0] : group[0] + group[1]]:
            row_step = max(row_step, abs(run[6]) if run[2] > 1 else 0)
    flat = row_step > 0 and row_step * cols <= FLAT_LIMIT and rows * cols >= FLAT_FROM
    families: list[Family] = []
    for group in groups:
        for run in runs[group[0] : group[0] + group[1]]:
            repeats, rise, row_value = 1, 0, 0
            count, stride, col_value = 1, 0, 0
            for copies, period, row_shift, col_shift in (
                (group[2], group[3], group[7], group[8]),
                (run[2], run[1], run[6], run[7]),
            ):
                if copies > 1 and row_shift:
                    repeats, rise, row_value = copies, row_shift, period
                elif copies > 1:
                    count, stride, col_value = copies, col_shift, period
            row, col, value = run[4], run[5], group[4] + run[3]
            if rise < 0:
                row += (repeats - 1) * rise
                value += (repeats - 1) * row_value
                rise, row_value = -rise, -row_value
            if stride < 0:
                col += (count - 1) * stride
                value += (count - 1) * col_value
                stride, col_value = -stride, -col_value
            for code in pool[run[0] : run[0] + run[1]]:
                if flat:
                    for copy in range(count):
                        place = row * cols + col + copy * stride
                        first = value + copy * col_value
                        families.append((0, place, first, 1, 0, 0, repeats, rise * cols, row_value))
                else:
                    families.append(
                        (row, col, value, repeats, rise, row_value, count, stride, col_value)
                    )
                row += _MOVES[code][0]
                col += _MOVES[code][1]
                value += 1
    return families, flat


_Bands: TypeAlias = tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[int]]


def _bands(families: list[Family]) -> _Bands:
    """Return bands, segments and cells.

    Rows are taken from the top. All families that start in a row make a band of as many repeats
    as all of them have; what is left of the longer ones starts again further down.
    """
    bands: list[tuple[int, ...]] = []
    segments: list[tuple[int, ...]] = []
    cells: list[int] = []
    waiting = [(family[0], family[1], index) for index, family in enumerate(families)]
    heapq.heapify(waiting)
    families = list(families)
    while waiting:
        row = waiting[0][0]
        line: list[int] = []
        while waiting and waiting[0][0] == row:
            line.append(heapq.heappop(waiting)[2])
        # Families with another row step than the first one found wait for a band of their own.
        row_step = repeats = 0
        chosen: list[int] = []
        for index in line:
            own_repeats, own_step = families[index][3:5]
            if own_repeats > 1:
                row_step = row_step or own_step
                if own_step != row_step:
                    heapq.heappush(waiting, (row, families[index][1], index))
                    continue
            repeats = min(repeats, own_repeats) if repeats else own_repeats
            chosen.append(index)
        row_step = row_step or 1
        first_segment = len(segments)
        _segments([families[index] for index in chosen], segments, cells)
        bands.append((row, row_step, repeats, first_segment, len(segments) - first_segment))
        for index in chosen:
            _, col, value, own_repeats, own_step, row_value, *rest = families[index]
            if own_repeats > repeats:
                below = row + repeats * row_step
                families[index] = (
                    below, col, value + repeats * row_value, own_repeats - repeats, own_step,
                    row_value, rest[0], rest[1], rest[2],
                )  # fmt: skip
                heapq.heappush(waiting, (below, col, index))
    return bands, segments, cells


def _segments(line: list[Family], segments: list[tuple[int, ...]], cells: list[int]) -> None:
    """Append the segments of one band, from left to right.

    Where the next families cover a cell without a gap, they go on together for as long as all of
    them last. If one of them is a single square, the first goes on alone by one column; if one
    is missing, it goes alone to its end.
    """
    waiting = [(family[1], index) for index, family in enumerate(line)]
    heapq.heapify(waiting)
    single_col = 0
    single_steps: list[int] = []
    single_rises: list[int] = []

    def flush() -> None:
        if single_steps:
            width = len(single_steps)
            segments.append((single_col, width, width, 1, len(cells)))
            cells.extend(single_steps)
            cells.extend([0] * width)
            cells.extend(single_rises)
            single_steps.clear()
            single_rises.clear()

    def advance(index: int, cell_count: int) -> None:
        family = line[index]
        _, col, value, _, _, row_value, count, stride, col_value = family
        if count > cell_count:
            col += cell_count * stride
            value += cell_count * col_value
            line[index] = (
                0, col, value, 1, 0, row_value, count - cell_count, stride, col_value,
            )  # fmt: skip
            heapq.heappush(waiting, (col, index))

    while waiting:
        col, index = heapq.heappop(waiting)
        count, width = line[index][6:8]
        cell = [index]
        meets_single = True
        if count > 1:
            meets_single = False
            while len(cell) < width <= WIDEST_CELL and waiting:
                other_col, other = waiting[0]
                if other_col >= col + width:
                    break
                if line[other][6] == 1:
                    meets_single = True
                    break
                if other_col != col + len(cell) or line[other][7] != width:
                    break
                cell.append(heapq.heappop(waiting)[1])
        if count > 1 and len(cell) == width:
            flush()
            count = min(line[other][6] for other in cell)
            segments.append((col, width, width, count, len(cells)))
            for field in (2, 8, 5):
                cells.extend(line[other][field] for other in cell)
            for other in cell:
                advance(other, count)
            continue
        for other in cell[1:]:
            heapq.heappush(waiting, (line[other][1], other))
        if meets_single:
            if len(single_steps) == WIDEST_CELL or single_col + len(single_steps) != col:
                flush()
            if not single_steps:
                single_col = col
            single_steps.append(line[index][2])
            single_rises.append(line[index][5])
            advance(index, 1)
        else:
            flush()
            segments.append((col, 1, width, count, len(cells)))
            cells.extend((line[index][2], line[index][8], line[index][5]))
    flush()
