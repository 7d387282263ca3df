# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Expanding a compiled program, compiled: the twin of `_program_py.py`, whose text explains it.

What: the same two classes with the same results.
Method: the tables are read in place from the bytes that hold them. A repeat is expanded by writing
one period and then copying blocks of whole periods from just behind the pen, where the cache still
has them; for flat indices the copy adds a constant, for step grids every column of a cell has an
accumulator of its own, and 24 of them (a multiple of the usual widths 3, 4, 6, 8) make a block
that the compiler turns into vector instructions.
Known answer: that of the twin, byte for byte.
Cost: codes 0.02 to 0.05 ns, flat indices and step grids 0.1 to 0.5 ns a square. Every kernel works
on a slice of a few milliseconds without the interpreter; between slices signals are seen.
"""

from cpython.buffer cimport (
    PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

# Unsigned, since the last addition of a block may leave the range before it is thrown away.
ctypedef fused word:
    uint32_t
    uint64_t

cdef struct Group:
    int64_t first_run
    int64_t run_count
    int64_t copies
    int64_t period
    int64_t step
    int64_t row
    int64_t col
    int64_t row_shift
    int64_t col_shift
    int64_t exit_code

cdef struct Run:
    int64_t offset
    int64_t period
    int64_t count
    int64_t step
    int64_t row
    int64_t col
    int64_t row_shift
    int64_t col_shift
    int64_t exit_code
    int64_t unused

cdef struct Table:
    const Group *groups
    const Run *runs
    const uint8_t *pool
    int64_t group_count
    int64_t cols
    int64_t rows
    int64_t deltas[8]

cdef struct Band:
    int64_t row
    int64_t row_step
    int64_t repeats
    int64_t first_segment
    int64_t segment_count

cdef struct Segment:
    int64_t col
    int64_t width
    int64_t stride
    int64_t count
    int64_t first_cell

cdef struct Family:
    int64_t row
    int64_t col
    int64_t value
    int64_t repeats
    int64_t row_step
    int64_t row_value
    int64_t count
    int64_t stride
    int64_t col_value

cdef extern from *:
    """
    static const int64_t ROW_MOVES[8] = {-2, -1, 1, 2, 2, 1, -1, -2};
    static const int64_t COL_MOVES[8] = {1, 2, 2, 1, -1, -2, -2, -1};
    """
    const int64_t ROW_MOVES[8]
    const int64_t COL_MOVES[8]

cdef enum:
    FLAT_SQUARES = 1024      # as FLAT_LIMIT of the twin
    FLAT_BOARD = 1 << 18     # as FLAT_FROM of the twin
    WIDEST = 1024            # as WIDEST_CELL of the twin
    LANES = 24               # accumulators of a block of a step grid
    CODE_BLOCK = 65536       # codes copied at once
    ORDER_BLOCK = 2048       # flat indices copied at once
    ORDER_PERIOD = 16384     # longest group period that is copied rather than expanded again
    CHECK_BLOCK = 4096       # squares checked at once
    CODE_SLICE = 1 << 24     # work between two looks at signals
    ORDER_SLICE = 1 << 22
    STEP_SLICE = 1 << 22
    STEP_TILE = 1 << 15      # squares written band by band: rows of a tile stay in the cache

FLAT_LIMIT = FLAT_SQUARES
FLAT_FROM = FLAT_BOARD
WIDEST_CELL = WIDEST


# -- Finding a step ---------------------------------------------------------------------------

cdef const Group *find_group(const Table *table, int64_t step) noexcept nogil:
    """Return the last group that does not start after a step."""
    cdef int64_t low = 0, high = table.group_count, middle
    while high - low > 1:
        middle = (low + high) >> 1
        if table.groups[middle].step <= step:
            low = middle
        else:
            high = middle
    return &table.groups[low]


cdef const Run *find_run(const Table *table, const Group *group, int64_t within) noexcept nogil:
    """Return the last run of a group that does not start after a step within the group's copy."""
    cdef int64_t low = group.first_run, high = group.first_run + group.run_count, middle
    while high - low > 1:
        middle = (low + high) >> 1
        if table.runs[middle].step <= within:
            low = middle
        else:
            high = middle
    return &table.runs[low]


cdef void find_square(const Table *table, int64_t step, int64_t *row, int64_t *col) noexcept nogil:
    cdef const Group *group = find_group(table, step)
    cdef int64_t copy = (step - group.step) // group.period
    cdef int64_t within = (step - group.step) - copy * group.period
    cdef const Run *run = find_run(table, group, within)
    cdef const uint8_t *code = table.pool + run.offset
    cdef int64_t position
    row[0] = run.row + copy * group.row_shift
    col[0] = run.col + copy * group.col_shift
    copy = (within - run.step) // run.period
    within = (within - run.step) - copy * run.period
    row[0] += copy * run.row_shift
    col[0] += copy * run.col_shift
    for position in range(within):
        row[0] += ROW_MOVES[code[position]]
        col[0] += COL_MOVES[code[position]]


# -- Direction codes --------------------------------------------------------------------------

cdef void repeat_codes(uint8_t *out, int64_t period, int64_t count) noexcept nogil:
    """Continue the first `period` codes periodically to `count` codes."""
    cdef int64_t filled = period, block = period, size
    while filled < count:
        size = min(block, count - filled)
        memcpy(out + filled, out + filled - block, <size_t>size)
        filled += size
        if block < CODE_BLOCK:
            block = filled


cdef void run_codes(
    const Table *table, const Run *run, int64_t skip, int64_t count, uint8_t *out
) noexcept nogil:
    cdef const uint8_t *literal = table.pool + run.offset
    cdef int64_t phase = skip % run.period
    cdef int64_t head = min(count, run.period)
    cdef int64_t first = min(head, run.period - phase)
    memcpy(out, literal + phase, <size_t>first)
    if head > first:
        memcpy(out + first, literal, <size_t>(head - first))
    repeat_codes(out, run.period, count)
    if skip + count == run.period * run.count:
        out[count - 1] = <uint8_t>run.exit_code


cdef void group_codes(
    const Table *table, const Group *group, int64_t skip, int64_t count, uint8_t *out
) noexcept nogil:
    cdef int64_t within = skip % group.period
    cdef const Run *run = find_run(table, group, within)
    cdef const Run *end = table.runs + group.first_run + group.run_count
    cdef int64_t head = count, done = 0, size
    # A period that does not fit into the cache is cheaper to expand again than to copy.
    if group.period <= CODE_BLOCK:
        head = min(count, group.period)
    within -= run.step
    while done < head:
        size = min(head - done, run.period * run.count - within)
        run_codes(table, run, within, size, out + done)
        done += size
        within = 0
        run += 1
        if run == end:
            run = table.runs + group.first_run
    if head < count:
        repeat_codes(out, group.period, count)
    if skip + count == group.period * group.copies:
        out[count - 1] = <uint8_t>group.exit_code


cdef void write_codes(
    const Table *table, int64_t first, int64_t count, uint8_t *out
) noexcept nogil:
    cdef const Group *group = find_group(table, first)
    cdef int64_t skip = first - group.step, done = 0, size
    while done < count:
        size = min(count - done, group.period * group.copies - skip)
        group_codes(table, group, skip, size, out + done)
        done += size
        skip = 0
        group += 1


# -- Flat indices -----------------------------------------------------------------------------

cdef void repeat_order(word *out, int64_t period, int64_t shift, int64_t count) noexcept nogil:
    """Continue the first `period` indices to `count`, each period `shift` above the last."""
    cdef int64_t filled = period, block = period, size, index
    cdef word rise = <word>shift
    cdef word *pen
    cdef const word *source
    while filled < count:
        size = min(block, count - filled)
        pen = out + filled
        source = pen - block
        for index in range(size):
            pen[index] = source[index] + rise
        filled += size
        if block < ORDER_BLOCK:
            # The next block spans everything so far: `filled / block` times the old one.
            block = filled
            rise = rise + rise


cdef void run_order(
    const Table *table, const Run *run, int64_t base, int64_t skip, int64_t count, word *out
) noexcept nogil:
    cdef const uint8_t *literal = table.pool + run.offset
    cdef int64_t shift = run.row_shift * table.cols + run.col_shift
    cdef int64_t copy = skip // run.period
    cdef int64_t phase = skip - copy * run.period
    cdef int64_t head = min(count, run.period), index
    cdef int64_t value = base + run.row * table.cols + run.col + copy * shift
    for index in range(phase):
        value += table.deltas[literal[index]]
    for index in range(head):
        out[index] = <word>value
        value += table.deltas[literal[phase]]
        phase += 1
        if phase == run.period:
            phase = 0
    repeat_order(out, run.period, shift, count)


cdef void group_order(
    const Table *table, const Group *group, int64_t skip, int64_t count, word *out
) noexcept nogil:
    cdef int64_t shift = group.row_shift * table.cols + group.col_shift
    cdef int64_t copy = skip // group.period
    cdef int64_t within = skip - copy * group.period
    cdef const Run *run = find_run(table, group, within)
    cdef const Run *end = table.runs + group.first_run + group.run_count
    cdef int64_t head = count, done = 0, size
    if group.period <= ORDER_PERIOD:
        head = min(count, group.period)
    within -= run.step
    while done < head:
        size = min(head - done, run.period * run.count - within)
        run_order(table, run, copy * shift, within, size, out + done)
        done += size
        within = 0
        run += 1
        if run == end:
            run = table.runs + group.first_run
            copy += 1
    if head < count:
        repeat_order(out, group.period, shift, count)


cdef void write_order(const Table *table, int64_t first, int64_t count, word *out) noexcept nogil:
    cdef const Group *group = find_group(table, first)
    cdef int64_t skip = first - group.step, done = 0, size
    while done < count:
        size = min(count - done, group.period * group.copies - skip)
        group_order(table, group, skip, size, out + done)
        done += size
        skip = 0
        group += 1


# -- Checking ---------------------------------------------------------------------------------

cdef int64_t check(
    const Table *table, uint8_t *seen, int64_t first, int64_t count
) noexcept nogil:
    """Return the first wrong step, or -1: squares against codes, borders, and a bitmap."""
    cdef uint8_t codes[CHECK_BLOCK]
    cdef uint64_t squares[CHECK_BLOCK]
    cdef int64_t row = 0, col = 0, done = 0, size, index
    cdef uint64_t square
    cdef uint8_t bit
    find_square(table, first - 1 if first else 0, &row, &col)
    if first:
        write_codes(table, first - 1, 1, codes)
        row += ROW_MOVES[codes[0]]
        col += COL_MOVES[codes[0]]
    while done < count:
        size = min(<int64_t>CHECK_BLOCK, count - done)
        write_codes(table, first + done, size, codes)
        write_order(table, first + done, size, squares)
        for index in range(size):
            square = <uint64_t>(row * table.cols + col)
            # One unsigned comparison tests both borders of an axis.
            if (
                <uint64_t>row >= <uint64_t>table.rows
                or <uint64_t>col >= <uint64_t>table.cols
                or square != squares[index]
            ):
                return first + done + index
            bit = <uint8_t>(1 << (square & 7))
            if seen[square >> 3] & bit:
                return first + done + index
            seen[square >> 3] |= bit
            row += ROW_MOVES[codes[index]]
            col += COL_MOVES[codes[index]]
        done += size
    return -1


cdef class Expander:
    """Squares, codes and flat indices of a compiled program; immutable, safe to share."""

    cdef Table table
    cdef bytes groups, runs, pool

    def __cinit__(
        self, int64_t rows, int64_t cols, bytes groups, bytes runs, bytes pool, int64_t length
    ):
        cdef int code
        self.groups = groups
        self.runs = runs
        self.pool = pool
        self.table.groups = <const Group *>PyBytes_AsString(groups)
        self.table.runs = <const Run *>PyBytes_AsString(runs)
        self.table.pool = <const uint8_t *>PyBytes_AsString(pool)
        self.table.group_count = len(groups) // <Py_ssize_t>sizeof(Group)
        self.table.rows = rows
        self.table.cols = cols
        for code in range(8):
            self.table.deltas[code] = ROW_MOVES[code] * cols + COL_MOVES[code]

    def square_at(self, int64_t step):
        """Return (row, col) of a step."""
        cdef int64_t row = 0, col = 0
        find_square(&self.table, step, &row, &col)
        return row, col

    def codes(self, int64_t first, int64_t count):
        """Return the codes of the moves first, ..., first + count - 1."""
        cdef bytes codes = PyBytes_FromStringAndSize(NULL, count)
        self.write(<uint8_t *>PyBytes_AsString(codes), first, count)
        return codes

    def codes_into(self, buffer, int64_t first):
        """Write the codes of the moves first, first + 1, ... until the buffer is full."""
        cdef Py_buffer view
        PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        try:
            self.write(<uint8_t *>view.buf, first, view.len)
        finally:
            PyBuffer_Release(&view)

    cdef int write(self, uint8_t *out, int64_t first, int64_t count) except -1:
        cdef int64_t done = 0, size
        while done < count:
            size = min(<int64_t>CODE_SLICE, count - done)
            with nogil:
                write_codes(&self.table, first + done, size, out + done)
            done += size
            PyErr_CheckSignals()
        return 0

    def order_into(self, buffer, int itemsize, int64_t first):
        """Write the flat indices of the steps first, first + 1, ... until the buffer is full."""
        cdef Py_buffer view
        cdef int64_t done = 0, size, count
        PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        try:
            count = view.len // itemsize
            while done < count:
                size = min(<int64_t>ORDER_SLICE, count - done)
                with nogil:
                    if itemsize == 4:
                        write_order(&self.table, first + done, size, <uint32_t *>view.buf + done)
                    else:
                        write_order(&self.table, first + done, size, <uint64_t *>view.buf + done)
                done += size
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&view)

    def first_fault(self, seen, int64_t first, int64_t count):
        """Return the first wrong step from `first` on, or -1; mark the squares in a bitmap."""
        cdef Py_buffer view
        cdef int64_t fault
        PyObject_GetBuffer(seen, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        try:
            with nogil:
                fault = check(&self.table, <uint8_t *>view.buf, first, count)
            PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&view)
        return fault


# -- Families, bands and segments -------------------------------------------------------------

cdef struct Vector:
    int64_t *items
    int64_t size
    int64_t room

cdef struct Heap:
    int64_t *items      # numbers of families; the least (row, col, number) comes first
    int64_t size

cdef struct Build:
    Family *families
    Family *line        # the families of one band
    int64_t *chosen     # their numbers
    int64_t *cell       # places in `line`: the families of one cell
    int64_t *single_steps
    int64_t *single_rises
    int64_t single_count
    int64_t single_col
    Heap rows
    Heap cols
    Vector bands
    Vector segments
    Vector cells


cdef int64_t *reserve(Vector *vector, int64_t more) noexcept nogil:
    """Make room for more numbers and return where they go, or NULL without memory."""
    cdef int64_t room = vector.room
    cdef int64_t *items
    if vector.size + more > room:
        room = 2 * room + more + 64
        items = <int64_t *>realloc(vector.items, <size_t>room * sizeof(int64_t))
        if items == NULL:
            return NULL
        vector.items = items
        vector.room = room
    vector.size += more
    return vector.items + vector.size - more


cdef bint comes_before(const Family *families, int64_t one, int64_t other) noexcept nogil:
    if families[one].row != families[other].row:
        return families[one].row < families[other].row
    if families[one].col != families[other].col:
        return families[one].col < families[other].col
    return one < other


cdef void push(Heap *heap, const Family *families, int64_t item) noexcept nogil:
    cdef int64_t place = heap.size, parent
    heap.size += 1
    while place:
        parent = (place - 1) >> 1
        if not comes_before(families, item, heap.items[parent]):
            break
        heap.items[place] = heap.items[parent]
        place = parent
    heap.items[place] = item


cdef int64_t pop(Heap *heap, const Family *families) noexcept nogil:
    cdef int64_t first = heap.items[0], place = 0, child, item
    heap.size -= 1
    item = heap.items[heap.size]
    while True:
        child = 2 * place + 1
        if child >= heap.size:
            break
        if child + 1 < heap.size and comes_before(
            families, heap.items[child + 1], heap.items[child]
        ):
            child += 1
        if not comes_before(families, heap.items[child], item):
            break
        heap.items[place] = heap.items[child]
        place = child
    heap.items[place] = item
    return first


cdef bint flush_singles(Build *build) noexcept nogil:
    """Close the segment of single squares; False without memory."""
    cdef int64_t width = build.single_count, index
    cdef int64_t first_cell = build.cells.size
    cdef int64_t *segment
    cdef int64_t *cells
    if width == 0:
        return True
    segment = reserve(&build.segments, 5)
    cells = reserve(&build.cells, 3 * width)
    if segment == NULL or cells == NULL:
        return False
    segment[0] = build.single_col
    segment[1] = width
    segment[2] = width
    segment[3] = 1
    segment[4] = first_cell
    for index in range(width):
        cells[index] = build.single_steps[index]
        cells[width + index] = 0
        cells[2 * width + index] = build.single_rises[index]
    build.single_count = 0
    return True


cdef void advance_cols(Build *build, int64_t place, int64_t cell_count) noexcept nogil:
    """Let what is left of a family after some cells wait for its column."""
    cdef Family *family = &build.line[place]
    if family.count > cell_count:
        family.col += cell_count * family.stride
        family.value += cell_count * family.col_value
        family.count -= cell_count
        push(&build.cols, build.line, place)


cdef bint add_cell(
    Build *build, int64_t col, int64_t width, int64_t stride, int64_t count
) noexcept nogil:
    """Append a segment of the families in `cell`; False without memory."""
    cdef int64_t first_cell = build.cells.size, index
    cdef int64_t *segment = reserve(&build.segments, 5)
    cdef int64_t *cells = reserve(&build.cells, 3 * width)
    if segment == NULL or cells == NULL:
        return False
    segment[0] = col
    segment[1] = width
    segment[2] = stride
    segment[3] = count
    segment[4] = first_cell
    for index in range(width):
        cells[index] = build.line[build.cell[index]].value
        cells[width + index] = build.line[build.cell[index]].col_value
        cells[2 * width + index] = build.line[build.cell[index]].row_value
    return True


cdef bint build_segments(Build *build, int64_t line_size) noexcept nogil:
    """Append the segments of the band in `line`; False without memory."""
    cdef int64_t place, other, col, width, count, size, index
    cdef bint meets_single
    build.cols.size = 0
    build.single_count = 0
    for place in range(line_size):
        push(&build.cols, build.line, place)
    while build.cols.size:
        place = pop(&build.cols, build.line)
        col = build.line[place].col
        count = build.line[place].count
        width = build.line[place].stride
        build.cell[0] = place
        size = 1
        meets_single = True
        if count > 1:
            meets_single = False
            while size < width <= WIDEST and build.cols.size:
                other = build.cols.items[0]
                if build.line[other].col >= col + width:
                    break
                if build.line[other].count == 1:
                    meets_single = True
                    break
                if build.line[other].col != col + size or build.line[other].stride != width:
                    break
                build.cell[size] = pop(&build.cols, build.line)
                size += 1
        if count > 1 and size == width:
            for index in range(width):
                count = min(count, build.line[build.cell[index]].count)
            if not flush_singles(build) or not add_cell(build, col, width, width, count):
                return False
            for index in range(width):
                advance_cols(build, build.cell[index], count)
            continue
        for index in range(1, size):
            push(&build.cols, build.line, build.cell[index])
        if meets_single:
            if build.single_count and build.single_col + build.single_count != col:
                if not flush_singles(build):
                    return False
            if build.single_count == WIDEST and not flush_singles(build):
                return False
            if build.single_count == 0:
                build.single_col = col
            build.single_steps[build.single_count] = build.line[place].value
            build.single_rises[build.single_count] = build.line[place].row_value
            build.single_count += 1
            advance_cols(build, place, 1)
        elif not flush_singles(build) or not add_cell(build, col, 1, width, count):
            return False
    return flush_singles(build)


cdef bint build_bands(Build *build, int64_t family_count) noexcept nogil:
    """Append all bands, from the top; False without memory."""
    cdef Family *family
    cdef int64_t *band
    cdef int64_t number, row, row_step, repeats, size, kept, index, first_segment
    for number in range(family_count):
        push(&build.rows, build.families, number)
    while build.rows.size:
        row = build.families[build.rows.items[0]].row
        size = 0
        while build.rows.size and build.families[build.rows.items[0]].row == row:
            build.chosen[size] = pop(&build.rows, build.families)
            size += 1
        row_step = 0
        repeats = 0
        kept = 0
        for index in range(size):
            number = build.chosen[index]
            family = &build.families[number]
            if family.repeats > 1:
                if row_step == 0:
                    row_step = family.row_step
                if family.row_step != row_step:
                    push(&build.rows, build.families, number)
                    continue
            repeats = min(repeats, family.repeats) if repeats else family.repeats
            build.chosen[kept] = number
            build.line[kept] = family[0]
            kept += 1
        if row_step == 0:
            row_step = 1
        first_segment = build.segments.size // 5
        if not build_segments(build, kept):
            return False
        band = reserve(&build.bands, 5)
        if band == NULL:
            return False
        band[0] = row
        band[1] = row_step
        band[2] = repeats
        band[3] = first_segment
        band[4] = build.segments.size // 5 - first_segment
        for index in range(kept):
            number = build.chosen[index]
            family = &build.families[number]
            if family.repeats > repeats:
                family.row += repeats * row_step
                family.value += repeats * family.row_value
                family.repeats -= repeats
                push(&build.rows, build.families, number)
    return True


cdef void run_family(const Group *group, const Run *run, Family *family) noexcept nogil:
    """Write the family of the first square of a run, with rising rows and columns."""
    cdef int64_t period, copies, row_shift, col_shift
    cdef int loop
    family.row = run.row
    family.col = run.col
    family.value = group.step + run.step
    family.repeats = 1
    family.row_step = 0
    family.row_value = 0
    family.count = 1
    family.stride = 0
    family.col_value = 0
    for loop in range(2):
        copies = run.count if loop else group.copies
        period = run.period if loop else group.period
        row_shift = run.row_shift if loop else group.row_shift
        col_shift = run.col_shift if loop else group.col_shift
        if copies > 1 and row_shift:
            family.repeats = copies
            family.row_step = row_shift
            family.row_value = period
        elif copies > 1:
            family.count = copies
            family.stride = col_shift
            family.col_value = period
    if family.row_step < 0:
        family.row += (family.repeats - 1) * family.row_step
        family.value += (family.repeats - 1) * family.row_value
        family.row_step = -family.row_step
        family.row_value = -family.row_value
    if family.stride < 0:
        family.col += (family.count - 1) * family.stride
        family.value += (family.count - 1) * family.col_value
        family.stride = -family.stride
        family.col_value = -family.col_value


# -- Step grids -------------------------------------------------------------------------------

cdef void write_blocks(
    word *out, const word *starts, const word *rises, int64_t count
) noexcept nogil:
    """Write `count` numbers: lane i of block b is starts[i] + b * rises[i], 24 lanes."""
    cdef word value[LANES]
    cdef word rise[LANES]
    cdef int lane
    memcpy(value, starts, sizeof(value))
    memcpy(rise, rises, sizeof(rise))
    while count >= LANES:
        for lane in range(LANES):
            out[lane] = value[lane]
            value[lane] += rise[lane]
        out += LANES
        count -= LANES
    for lane in range(<int>count):
        out[lane] = value[lane]


cdef void write_cells(
    word *out, const int64_t *cell, int64_t width, int64_t copy, int64_t base,
    int64_t first, int64_t count
) noexcept nogil:
    """Write the squares first, ..., first + count - 1 of a segment without gaps."""
    cdef word value[WIDEST + LANES]
    cdef word rise[WIDEST + LANES]
    cdef int64_t number = first // width
    cdef int64_t place = first - number * width
    cdef int64_t span = width, cells = 1, lane, index, size
    if width < LANES:
        cells = (LANES + width - 1) // width
        span = width * cells
    index = min(span, count)
    for lane in range(index):
        value[lane] = <word>(
            base + cell[place] + number * cell[place + width] + copy * cell[place + 2 * width]
        )
        rise[lane] = <word>(cells * cell[place + width])
        place += 1
        if place == width:
            place = 0
            number += 1
    if span == LANES and count > LANES:
        write_blocks(out, value, rise, count)
        return
    while count > 0:
        size = min(span, count)
        for lane in range(size):
            out[lane] = value[lane]
            value[lane] += rise[lane]
        out += span
        count -= span


cdef void write_row(
    word *out, const Segment *segment, const Segment *end, const int64_t *cells,
    int64_t copy, int64_t base, int64_t low, int64_t high
) noexcept nogil:
    """Write the columns low, ..., high - 1 of one row; `out` is the place of column `low`."""
    cdef const int64_t *cell
    cdef int64_t first, last, index
    cdef word *pen
    while segment != end:
        cell = cells + segment.first_cell
        if segment.count == 1:
            first = max(low, segment.col)
            last = min(high, segment.col + segment.width)
            pen = out + (first - low)
            for index in range(first - segment.col, last - segment.col):
                pen[0] = <word>(base + cell[index] + copy * cell[index + 2 * segment.width])
                pen += 1
        elif segment.width == segment.stride:
            first = max(low, segment.col)
            last = min(high, segment.col + segment.width * segment.count)
            if first < last:
                write_cells(
                    out + (first - low), cell, segment.width, copy, base,
                    first - segment.col, last - first,
                )
        elif segment.col < high:
            # A family on its own, one square wide.
            first = 0
            if segment.col < low:
                first = (low - segment.col + segment.stride - 1) // segment.stride
            last = min(segment.count, (high - segment.col + segment.stride - 1) // segment.stride)
            for index in range(first, last):
                out[segment.col + index * segment.stride - low] = <word>(
                    base + cell[0] + index * cell[1] + copy * cell[2]
                )
        segment += 1


cdef void write_tile(
    const Band *bands, int64_t band_count, const Segment *segments, const int64_t *cells,
    int64_t cols, int64_t base, int64_t begin, int64_t count, word *out
) noexcept nogil:
    """Write the squares begin, ..., begin + count - 1 of the board: rows, the outer two in part."""
    cdef int64_t end = begin + count
    cdef int64_t top = begin // cols, bottom = (end - 1) // cols
    cdef int64_t number, copy, row, low, high
    cdef const Band *band
    for number in range(band_count):
        band = &bands[number]
        if band.row > bottom:
            break
        copy = 0
        if band.row < top:
            copy = (top - band.row + band.row_step - 1) // band.row_step
        while copy < band.repeats:
            row = band.row + copy * band.row_step
            if row > bottom:
                break
            low = begin - row * cols if row == top else 0
            high = end - row * cols if row == bottom else cols
            write_row(
                out + (row * cols + low - begin),
                segments + band.first_segment,
                segments + band.first_segment + band.segment_count,
                cells, copy, base, low, high,
            )
            copy += 1


cdef void write_steps(
    const Band *bands, int64_t band_count, const Segment *segments, const int64_t *cells,
    int64_t cols, int64_t base, int64_t begin, int64_t count, word *out
) noexcept nogil:
    """Write squares tile by tile, since the rows of a band lie far apart in memory."""
    cdef int64_t done = 0, size
    while done < count:
        size = min(<int64_t>STEP_TILE, count - done)
        write_tile(bands, band_count, segments, cells, cols, base, begin + done, size, out + done)
        done += size


cdef class Steps:
    """The step of any square of a compiled program; immutable, safe to share."""

    cdef int64_t true_cols, cols, band_count
    cdef bytes band_table, segment_table, cell_table
    cdef const Band *bands
    cdef const Segment *segments
    cdef const int64_t *cells

    def __cinit__(self, int64_t rows, int64_t cols, bytes groups, bytes runs, bytes pool):
        cdef const Group *group = <const Group *>PyBytes_AsString(groups)
        cdef const Group *group_end = group + len(groups) // <Py_ssize_t>sizeof(Group)
        cdef const Run *all_runs = <const Run *>PyBytes_AsString(runs)
        cdef const Run *run
        cdef const uint8_t *codes = <const uint8_t *>PyBytes_AsString(pool)
        cdef int64_t row_step = 0, count = 0, number, index, copy, copies
        cdef const Group *each
        cdef Family first
        cdef Family *family
        cdef Build build
        cdef bint flat, done
        cdef char *memory

        each = group
        while each != group_end:
            if each.copies > 1:
                row_step = max(row_step, abs(each.row_shift))
            for number in range(each.first_run, each.first_run + each.run_count):
                if all_runs[number].count > 1:
                    row_step = max(row_step, abs(all_runs[number].row_shift))
            each += 1
        flat = row_step > 0 and row_step * cols <= FLAT_SQUARES and rows * cols >= FLAT_BOARD
        each = group
        while each != group_end:
            for number in range(each.first_run, each.first_run + each.run_count):
                run_family(each, &all_runs[number], &first)
                count += all_runs[number].period * (first.count if flat else 1)
            each += 1

        # One block for all that the construction needs besides its result.
        memory = <char *>malloc(
            <size_t>count * (2 * sizeof(Family) + 3 * sizeof(int64_t))
            + 3 * WIDEST * sizeof(int64_t)
        )
        if memory == NULL:
            raise MemoryError("no room for the families of a program")
        build.families = <Family *>memory
        build.line = build.families + count
        build.chosen = <int64_t *>(build.line + count)
        build.rows.items = build.chosen + count
        build.cols.items = build.rows.items + count
        build.cell = build.cols.items + count
        build.single_steps = build.cell + WIDEST
        build.single_rises = build.single_steps + WIDEST
        build.rows.size = build.cols.size = 0
        build.bands.items = build.segments.items = build.cells.items = NULL
        build.bands.size = build.segments.size = build.cells.size = 0
        build.bands.room = build.segments.room = build.cells.room = 0
        try:
            family = build.families
            each = group
            while each != group_end:
                for number in range(each.first_run, each.first_run + each.run_count):
                    run = &all_runs[number]
                    run_family(each, run, &first)
                    copies = first.count if flat else 1
                    for index in range(run.period):
                        for copy in range(copies):
                            family[0] = first
                            if flat:
                                family.row = 0
                                family.col = first.row * cols + first.col + copy * first.stride
                                family.value = first.value + copy * first.col_value
                                family.repeats = 1
                                family.row_step = 0
                                family.row_value = 0
                                family.count = first.repeats
                                family.stride = first.row_step * cols
                                family.col_value = first.row_value
                            family += 1
                        first.row += ROW_MOVES[codes[run.offset + index]]
                        first.col += COL_MOVES[codes[run.offset + index]]
                        first.value += 1
                each += 1
            with nogil:
                done = build_bands(&build, count)
            if not done:
                raise MemoryError("no room for the bands of a program")
            self.band_table = PyBytes_FromStringAndSize(
                <char *>build.bands.items, build.bands.size * <Py_ssize_t>sizeof(int64_t)
            )
            self.segment_table = PyBytes_FromStringAndSize(
                <char *>build.segments.items, build.segments.size * <Py_ssize_t>sizeof(int64_t)
            )
            self.cell_table = PyBytes_FromStringAndSize(
                <char *>build.cells.items, build.cells.size * <Py_ssize_t>sizeof(int64_t)
            )
        finally:
            free(memory)
            free(build.bands.items)
            free(build.segments.items)
            free(build.cells.items)
        self.true_cols = cols
        self.cols = rows * cols if flat else cols
        self.bands = <const Band *>PyBytes_AsString(self.band_table)
        self.segments = <const Segment *>PyBytes_AsString(self.segment_table)
        self.cells = <const int64_t *>PyBytes_AsString(self.cell_table)
        self.band_count = len(self.band_table) // <Py_ssize_t>sizeof(Band)

    def tables(self):
        """Return columns of a stored row, bands, segments and cells (for tests)."""
        return self.cols, self.band_table, self.segment_table, self.cell_table

    def step_of(self, int64_t row, int64_t col):
        """Return the step at which a square is visited, or -1."""
        cdef int64_t flat = row * self.true_cols + col
        cdef int64_t number, copy, cell, place, index
        cdef const Band *band
        cdef const Segment *segment
        row = flat // self.cols
        col = flat - row * self.cols
        for number in range(self.band_count):
            band = &self.bands[number]
            if row < band.row:
                break
            copy = (row - band.row) // band.row_step
            if copy >= band.repeats or band.row + copy * band.row_step != row:
                continue
            for index in range(band.first_segment, band.first_segment + band.segment_count):
                segment = &self.segments[index]
                if col < segment.col:
                    continue
                cell = (col - segment.col) // segment.stride
                place = (col - segment.col) - cell * segment.stride
                if cell < segment.count and place < segment.width:
                    place += segment.first_cell
                    return (
                        self.cells[place]
                        + cell * self.cells[place + segment.width]
                        + copy * self.cells[place + 2 * segment.width]
                    )
        return -1

    def fill(self, buffer, int itemsize, int64_t base, int64_t first):
        """Write base + step of the squares first, first + 1, ... until the buffer is full."""
        cdef Py_buffer view
        cdef int64_t done = 0, size, count
        PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        try:
            count = view.len // itemsize
            while done < count:
                size = min(<int64_t>STEP_SLICE, count - done)
                with nogil:
                    if itemsize == 4:
                        write_steps(
                            self.bands, self.band_count, self.segments, self.cells, self.cols,
                            base, first + done, size, <uint32_t *>view.buf + done,
                        )
                    else:
                        write_steps(
                            self.bands, self.band_count, self.segments, self.cells, self.cols,
                            base, first + done, size, <uint64_t *>view.buf + done,
                        )
                done += size
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&view)
