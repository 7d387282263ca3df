# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""The ported search: a horse walks a board with walls and remembers what it has tried.

What it computes: depth-first walks by a rule for the next move (`Strategy`), among them the five
programs of the course. On the xiangqi board `course` finds a tour from each of the 90 points, with
2859 backtracks in all (9 from (0, 0), 21 from (4, 8), 2715 from (5, 1), 114 from (6, 2)).

The layout is that of the course program, for any rows x cols:

    exits[rows + 4][cols + 4]      the board inside a wall two cells thick (14 x 13 for xiangqi), so
                                   that no move needs a test for the edge
    tried[rows + 4][cols + 4][8]   the directions already tried from every square
    path[rows * cols]              the way so far: (row, col, direction)

Two things are better than in the original. A cell does not hold 0 or a step number but the number
of its free neighbours, kept up to date as the horse moves instead of being counted again; a visited
cell has the bit VISITED besides, and a wall more than that, so "the free cell with the fewest
exits" is simply the smallest number. And the walk can pause: `advance` runs for a number of
operations and leaves everything in the state, so that a caller can look at the clock, at signals,
and at other threads.

Invariant: exits[cell] = (free neighbours of cell) + VISITED * (cell is on the path); for walls the
value stays at or above VISITED. Cost: about 5 ns a square, 9 bytes a cell and 12 a square.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals

from time import monotonic

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

# What a search says when it comes back. STUCK: a dead end, and no way back is allowed. EXHAUSTED:
# everything has been tried.
PAUSED, FOUND, STUCK, EXHAUSTED, NODE_LIMIT, TIME_LIMIT = range(6)

cdef enum:
    C_PAUSED = 0
    C_FOUND = 1
    C_STUCK = 2
    C_EXHAUSTED = 3
    C_NODE_LIMIT = 4
    C_TIME_LIMIT = 5

cdef enum:
    NONE = 0
    STATIC = 1
    DYNAMIC = 2

cdef enum:
    FIRST = 0
    LAST = 1
    RANDOM = 2
    FAR = 3

cdef enum:
    VISITED = 0x80  # added to the exits of a square on the path
    WALL = 0xC0     # eight exits less are still above VISITED
    TRIED = 0x80    # a direction that has been tried, ready to be or-ed to exits

cdef enum:
    SHORT = 1 << 8   # so few operations are done before it is worth while to release the GIL
    SLICE = 1 << 15  # operations between two looks at the clock and at signals: below 1 ms

cdef struct PathNode:
    int32_t row
    int32_t col
    int32_t direction  # the way on from here; -1 while none was taken

cdef struct Moves:
    int64_t offset[8]  # from cell to cell in the walled array
    int32_t drow[8]
    int32_t dcol[8]

cdef struct Walk:
    uint8_t *exits
    uint8_t *tried
    PathNode *path
    int64_t here       # the cell the horse stands on
    int64_t depth      # squares on the path
    int64_t total      # squares of the board
    int64_t backtracks
    int32_t direction  # where it goes next, -1: a dead end
    int32_t status
    uint64_t random    # the state of splitmix64


cdef inline uint64_t splitmix64(uint64_t *state) noexcept nogil:
    cdef uint64_t z
    state[0] = state[0] + <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int choose(
    const Moves *moves,
    const uint64_t *nearness,
    uint8_t *exits,
    const uint8_t *tried,
    uint64_t *random,
    int64_t here,
    int tie,
    int change,
    bint fresh,
) noexcept nogil:
    """Change the exits of all neighbours of `here` and choose the next direction in one sweep.

    `change` is what is added to every neighbour's exits: -1 as the horse comes, 0 for looking only.
    All candidates change alike, so that the choice is the same before and after. `fresh` says that
    nothing has been tried from here yet.
    """
    cdef int k, direction, best = -1
    cdef int64_t cell
    cdef unsigned int left, fewest = VISITED
    cdef unsigned int count = 0
    cdef uint64_t rank, lowest = <uint64_t> VISITED << 56
    for k in range(8):
        direction = 7 - k if tie == LAST else k
        cell = here + moves.offset[direction]
        left = exits[cell]
        if change:
            left = left + change
            exits[cell] = <uint8_t> left
        if not fresh:
            left = left | tried[direction]
        if tie == FAR:
            rank = (<uint64_t> left << 56) | nearness[cell]
            if rank < lowest:
                lowest = rank
                best = direction
        elif tie == RANDOM:
            if left < fewest:
                fewest = left
                best = direction
                count = 1
            elif left == fewest and left < VISITED:
                count += 1
                if splitmix64(random) % count == 0:
                    best = direction
        elif left < fewest:
            fewest = left
            best = direction
    return best


cdef inline int advance(
    Walk *walk,
    const Moves *moves,
    const uint64_t *nearness,
    int64_t nodes,
    int64_t work,
    bint backtrack,
    int tie,
    bint dynamic,
) noexcept nogil:
    """Walk on for at most `nodes` new squares and at most `work` operations."""
    cdef uint8_t *exits = walk.exits
    cdef uint8_t *tried = walk.tried
    cdef PathNode *path = walk.path
    cdef int64_t depth = walk.depth
    cdef int64_t here = walk.here
    cdef int64_t total = walk.total
    cdef int direction = walk.direction
    cdef int status = walk.status
    cdef int32_t row = path[depth - 1].row
    cdef int32_t col = path[depth - 1].col
    cdef int k

    while True:
        if work == 0:
            status = C_PAUSED
            break
        work -= 1
        if direction >= 0:
            if nodes == 0:
                status = C_NODE_LIMIT
                break
            nodes -= 1
            path[depth - 1].direction = direction
            here += moves.offset[direction]
            row += moves.drow[direction]
            col += moves.dcol[direction]
            path[depth].row = row
            path[depth].col = col
            path[depth].direction = -1
            depth += 1
            exits[here] += VISITED
            direction = choose(moves, nearness, exits, tried + 8 * here, &walk.random, here, tie,
                               -1 if dynamic else 0, True)
            continue
        # A dead end: the goal, or a step back.
        if depth == total and status != C_FOUND:
            status = C_FOUND
            break
        if not backtrack:
            status = C_STUCK
            break
        if depth == 1:
            status = C_EXHAUSTED
            break
        status = C_PAUSED
        memset(tried + 8 * here, 0, 8)
        exits[here] -= VISITED
        if dynamic:
            for k in range(8):
                exits[here + moves.offset[k]] += 1
        depth -= 1
        row = path[depth - 1].row
        col = path[depth - 1].col
        direction = path[depth - 1].direction
        here -= moves.offset[direction]
        tried[8 * here + direction] = TRIED
        walk.backtracks += 1
        direction = choose(moves, nearness, exits, tried + 8 * here, &walk.random, here, tie,
                           0, False)

    walk.depth = depth
    walk.here = here
    walk.direction = direction
    walk.status = status
    return status


cdef int dispatch(
    Walk *walk, const Moves *moves, const uint64_t *nearness, int64_t nodes, int64_t work,
    bint backtrack, int tie, bint dynamic,
) noexcept nogil:
    """Call `advance` with its rule spelled out, so that the compiler makes a loop for each."""
    if dynamic:
        if tie == FIRST:
            return advance(walk, moves, nearness, nodes, work, backtrack, FIRST, True)
        if tie == LAST:
            return advance(walk, moves, nearness, nodes, work, backtrack, LAST, True)
        if tie == FAR:
            return advance(walk, moves, nearness, nodes, work, backtrack, FAR, True)
        return advance(walk, moves, nearness, nodes, work, backtrack, RANDOM, True)
    return advance(walk, moves, nearness, nodes, work, backtrack, tie, False)


cdef class WalledBoard:
    """A board inside its walls with a strategy's moves and counts: the template of a search.

    Immutable after construction, so that any number of searches and threads may share it.

    Args:
        rows, cols: the size, at least 1 each, rows * cols < 2^31.
        order: the eight moves as sixteen signed bytes, drow and dcol in turn.
        degree: 0 none, 1 static, 2 dynamic.
        tie: 0 first, 1 last, 2 random, 3 far.
    """

    cdef readonly int rows, cols
    cdef int degree, tie
    cdef int64_t stride
    cdef size_t cells
    cdef Moves moves
    cdef uint8_t *exits
    cdef uint64_t *nearness  # the farther from the centre, the smaller; only for the tie "far"

    def __cinit__(self, int rows, int cols, bytes order, int degree, int tie):
        cdef int64_t r, c, cell, largest
        cdef int k, dr, dc
        cdef const int8_t *step = <const int8_t *> PyBytes_AsString(order)
        self.rows, self.cols, self.degree, self.tie = rows, cols, degree, tie
        self.stride = <int64_t> cols + 4
        self.cells = (<size_t> rows + 4) * (<size_t> cols + 4)
        for k in range(8):
            self.moves.drow[k] = step[2 * k]
            self.moves.dcol[k] = step[2 * k + 1]
            self.moves.offset[k] = step[2 * k] * self.stride + step[2 * k + 1]
        self.exits = <uint8_t *> malloc(self.cells)
        if self.exits == NULL:
            raise MemoryError
        memset(self.exits, WALL, self.cells)
        for r in range(rows):
            for c in range(cols):
                cell = (r + 2) * self.stride + c + 2
                self.exits[cell] = 0
                if degree != NONE:
                    for k in range(8):
                        dr, dc = self.moves.drow[k], self.moves.dcol[k]
                        if 0 <= r + dr < rows and 0 <= c + dc < cols:
                            self.exits[cell] += 1
        if tie == FAR:
            self.nearness = <uint64_t *> malloc(self.cells * sizeof(uint64_t))
            if self.nearness == NULL:
                raise MemoryError
            memset(self.nearness, 0, self.cells * sizeof(uint64_t))
            largest = (rows - 1) * <int64_t> (rows - 1) + (cols - 1) * <int64_t> (cols - 1)
            for r in range(rows):
                for c in range(cols):
                    cell = (r + 2) * self.stride + c + 2
                    self.nearness[cell] = <uint64_t> (
                        largest
                        - (2 * r - rows + 1) * (2 * r - rows + 1)
                        - (2 * c - cols + 1) * (2 * c - cols + 1)
                    )

    def __dealloc__(self):
        free(self.exits)
        free(self.nearness)


cdef class Search:
    """One walk over a board, which can be paused, looked at and continued.

    One search belongs to one thread at a time: calling it again while it runs raises ValueError,
    as a generator does. Several searches run side by side, with the GIL released.

    Args:
        board: the template.
        start: flat index of the first square.
        backtrack: take dead ends back, or stop at the first.
        seed: for the tie "random".
    """

    cdef WalledBoard board
    cdef Walk walk
    cdef void *block  # path, tried and exits in one allocation
    cdef bint backtrack
    cdef bint running

    def __cinit__(self, WalledBoard board, int64_t start, bint backtrack, uint64_t seed):
        cdef size_t total = <size_t> board.rows * <size_t> board.cols
        cdef size_t tried_bytes = 8 * board.cells
        cdef size_t path_bytes = (total * sizeof(PathNode) + 7) // 8 * 8
        cdef char *block = <char *> malloc(tried_bytes + path_bytes + board.cells)
        cdef Walk *walk = &self.walk
        cdef int change = -1 if board.degree == DYNAMIC else 0
        if block == NULL:
            raise MemoryError
        self.block = block
        self.board = board
        self.backtrack = backtrack
        walk.tried = <uint8_t *> block
        walk.path = <PathNode *> (block + tried_bytes)
        walk.exits = <uint8_t *> (block + tried_bytes + path_bytes)
        memset(walk.tried, 0, tried_bytes)
        memcpy(walk.exits, board.exits, board.cells)
        walk.total = total
        walk.depth = 1
        walk.backtracks = 0
        walk.status = C_PAUSED
        walk.random = seed
        walk.path[0].row = <int32_t> (start // board.cols)
        walk.path[0].col = <int32_t> (start % board.cols)
        walk.path[0].direction = -1
        walk.here = (walk.path[0].row + 2) * board.stride + walk.path[0].col + 2
        walk.exits[walk.here] += VISITED
        walk.direction = choose(&board.moves, board.nearness, walk.exits,
                                walk.tried + 8 * walk.here, &walk.random, walk.here, board.tie,
                                change, True)

    def __dealloc__(self):
        free(self.block)

    @property
    def nodes(self):
        """Squares placed so far, the start included."""
        return self.walk.depth + self.walk.backtracks

    @property
    def backtracks(self):
        """Squares taken back so far."""
        return self.walk.backtracks

    @property
    def depth(self):
        """Squares on the path now."""
        return self.walk.depth

    def here(self):
        """Return the flat index of the square the knight stands on."""
        cdef PathNode node = self.walk.path[self.walk.depth - 1]
        return node.row * <int64_t> self.board.cols + node.col

    cdef int enter(self) except -1:
        # One look and one mark that no other thread comes between, with the GIL or without.
        with cython.critical_section(self):
            if self.running:
                raise ValueError("this search is already running")
            self.running = True
        return 0

    cdef int slice(self, int64_t nodes, int64_t work) noexcept:
        cdef WalledBoard board = self.board
        cdef int status
        if work <= SHORT:
            return dispatch(&self.walk, &board.moves, board.nearness, nodes, work,
                            self.backtrack, board.tie, board.degree == DYNAMIC)
        with nogil:
            status = dispatch(&self.walk, &board.moves, board.nearness, nodes, work,
                              self.backtrack, board.tie, board.degree == DYNAMIC)
        return status

    def step(self, int64_t work):
        """Do at most `work` operations (a square placed, or taken back); return the status."""
        cdef int status
        self.enter()
        status = self.slice(INT64_MAX, work)
        self.running = False
        return status

    def run(self, int64_t max_nodes, double deadline):
        """Search until there is something to say.

        Args:
            max_nodes: most squares to place in all, the start included; -1 for no limit.
            deadline: a `time.monotonic()` value; infinity for no limit.

        Returns:
            FOUND, STUCK, EXHAUSTED, NODE_LIMIT or TIME_LIMIT; after FOUND the next call looks for
            the next tour.
        """
        cdef int64_t nodes = INT64_MAX
        cdef int64_t work = SHORT
        cdef int status
        self.enter()
        while True:
            if max_nodes >= 0:
                nodes = max(0, max_nodes - self.walk.depth - self.walk.backtracks)
            status = self.slice(nodes, work)
            if status != C_PAUSED:
                break
            work = SLICE
            try:  # the handler of a signal may raise
                PyErr_CheckSignals()
                if deadline != INFINITY and monotonic() >= deadline:
                    status = C_TIME_LIMIT
                    break
            except BaseException:
                self.running = False
                raise
        self.running = False
        return status

    def path(self):
        """Return the squares on the path as flat indices, native int32, in bytes."""
        cdef int64_t k
        cdef int32_t cols = self.board.cols
        cdef bytes out = PyBytes_FromStringAndSize(NULL, self.walk.depth * sizeof(int32_t))
        cdef int32_t *index = <int32_t *> PyBytes_AsString(out)
        for k in range(self.walk.depth):
            index[k] = self.walk.path[k].row * cols + self.walk.path[k].col
        return out

    def candidates(self):
        """Return the squares that can be taken next, in the order of moves, each with its exits."""
        cdef WalledBoard board = self.board
        cdef Walk *walk = &self.walk
        cdef PathNode node = walk.path[walk.depth - 1]
        cdef int k
        cdef int exits
        found = []
        for k in range(8):
            exits = walk.exits[walk.here + board.moves.offset[k]]
            if exits < VISITED and not walk.tried[8 * walk.here + k]:
                found.append((
                    (node.row + board.moves.drow[k]) * board.cols + node.col + board.moves.dcol[k],
                    exits,
                ))
        return found


def search_memory(rows, cols, tie):
    """Return the bytes that a search on a board of this size takes, its template included."""
    cells = (rows + 4) * (cols + 4)
    return cells * (1 + 8 + 1 + (8 if tie == FAR else 0)) + rows * cols * (sizeof(PathNode) + 4)


def first_fault(int rows, int cols, bytes order):
    """Return -1 when `order` is a knight's tour of the board, else the index of the first fault.

    Args:
        rows, cols: the size.
        order: flat indices, native int32.

    This is a checker of its own: it shares nothing with the search. A missing square shows as the
    index ``len(order)``.
    """
    cdef int64_t total = <int64_t> rows * cols
    cdef int64_t count = len(order) // 4
    cdef int64_t k, bad = -1
    cdef int32_t square, row = 0, col = 0, last_row = 0, last_col = 0
    cdef int64_t rise, run  # the square of a jump across a long board does not fit 32 bits
    cdef const int32_t *squares = <const int32_t *> PyBytes_AsString(order)
    cdef uint8_t small[1024]
    cdef uint8_t *seen = small
    if total > 1024:
        seen = <uint8_t *> malloc(<size_t> total)
        if seen == NULL:
            raise MemoryError
    with nogil:
        memset(seen, 0, <size_t> total)
        for k in range(count):
            square = squares[k]
            if square < 0 or square >= total or seen[square]:
                bad = k
                break
            seen[square] = 1
            row = square // cols
            col = square - row * cols
            if k:
                rise = row - last_row
                run = col - last_col
                if rise * rise + run * run != 5:
                    bad = k
                    break
            last_row = row
            last_col = col
        if bad < 0 and count != total:
            bad = count
    if seen != small:
        free(seen)
    return bad


def step_numbers(bytes order):
    """Return the 0-based step at which each square is visited: bytes of native int32."""
    cdef int64_t k, count = len(order) // 4
    cdef const int32_t *square = <const int32_t *> PyBytes_AsString(order)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, count * sizeof(int32_t))
    cdef int32_t *step = <int32_t *> PyBytes_AsString(out)
    with nogil:
        for k in range(count):
            step[square[k]] = <int32_t> k
    return out


def move_codes(int cols, bytes order):
    """Return the direction codes of the moves between consecutive squares of a path.

    Code k is the k-th of (-2,1) (-1,2) (1,2) (2,1) (2,-1) (1,-2) (-1,-2) (-2,-1).
    """
    cdef int64_t k, count = len(order) // 4
    cdef int32_t row, col, last_row, last_col
    cdef const int32_t *square = <const int32_t *> PyBytes_AsString(order)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, max(0, count - 1))
    cdef uint8_t *code = <uint8_t *> PyBytes_AsString(out)
    cdef int8_t table[25]
    cdef int d
    for d, (drow, dcol) in enumerate(((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2),
                                      (-1, -2), (-2, -1))):
        table[5 * (drow + 2) + dcol + 2] = d
    if count:
        last_row, last_col = square[0] // cols, square[0] % cols
        with nogil:
            for k in range(1, count):
                row = square[k] // cols
                col = square[k] - row * cols
                code[k - 1] = table[5 * (row - last_row + 2) + col - last_col + 2]
                last_row = row
                last_col = col
    return out
