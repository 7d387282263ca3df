# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Hamiltonian paths between two squares of a small board: the one search of the construction.

Method: depth-first search with Warnsdorff's order (H. C. von Warnsdorff, 1823), random ties and
restarts. `degree[x]` is the number of free squares a move away from the free square x. From the
head the search may go to any free neighbour except the end, which comes last. A neighbour of the
head that has one free neighbour left must be the next square, for it could never be passed
through later; two of them, or one that has none, are a dead end. An attempt that outgrows its
node limit is thrown away and the search starts again with other ties; the limit doubles every 16
attempts. An attempt that runs out of squares to try has seen its whole tree: there is no path.

Known answer: without a limit it finds 7 feasible pairs of squares on 3x4, 17 on 3x7, 42 on 5x5
and 178 on 5x6, and no path at all on 3x3, 3x5, 3x6 and 4x4.
Cost: boards up to 255 squares; about 0.1 microsecond a node; some 100 nodes on a board between
6x6 and 11x11. One allocation of about 8 KiB a search.
Twin: `_construction_py.py`, the same function with the same paths and node counts.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

NO_PATH = 0
FOUND = 1
GAVE_UP = 2

cdef enum:
    CNO_PATH = 0
    CFOUND = 1
    CGAVE_UP = 2
    PAUSED = 3
    LARGEST = 256
    # Some 2 ms between two looks at the signals.
    STEP = 20000
    ATTEMPTS_A_LIMIT = 16

# Written once, at import.
cdef int[8] ROW_MOVES = [-2, -1, 1, 2, 2, 1, -1, -2]
cdef int[8] COL_MOVES = [1, 2, 2, 1, -1, -2, -2, -1]


cdef struct Search:
    # The graph, built once: neighbours in the order of the direction codes.
    uint8_t neighbours[LARGEST][8]
    uint8_t neighbour_count[LARGEST]
    uint8_t full_degree[LARGEST]
    uint8_t allowed[LARGEST]
    int squares, start, end
    # The current attempt: path[0..depth] is placed, the exits of every placed square are ranked.
    uint8_t is_free[LARGEST]
    uint8_t degree[LARGEST]
    uint8_t path[LARGEST]
    uint8_t exits[LARGEST][8]
    uint8_t exit_count[LARGEST]
    uint8_t next_exit[LARGEST]
    int depth
    bint head_is_new
    # The generator and the limits (negative: none).
    uint64_t random
    int64_t nodes, total_limit, attempt_limit, attempt_end
    int attempts


cdef inline void place(Search *search, int square) noexcept nogil:
    cdef int k
    search.depth += 1
    search.path[search.depth] = square
    search.is_free[square] = 0
    for k in range(search.neighbour_count[square]):
        search.degree[search.neighbours[square][k]] -= 1
    search.head_is_new = True
    search.nodes += 1


cdef inline void take_back(Search *search) noexcept nogil:
    cdef int k
    cdef int square = search.path[search.depth]
    for k in range(search.neighbour_count[square]):
        search.degree[search.neighbours[square][k]] += 1
    search.is_free[square] = 1
    search.depth -= 1


cdef void begin_attempt(Search *search) noexcept nogil:
    """Clear the board, set the limit of this attempt and place the start."""
    cdef int square
    if search.attempts > 0 and search.attempts % ATTEMPTS_A_LIMIT == 0:
        search.attempt_limit *= 2
    search.attempts += 1
    search.attempt_end = -1
    if search.attempt_limit >= 0:
        search.attempt_end = search.nodes + search.attempt_limit
    if search.total_limit >= 0:
        if search.attempt_end < 0 or search.attempt_end > search.total_limit:
            search.attempt_end = search.total_limit
    for square in range(LARGEST):
        search.is_free[square] = search.allowed[square]
        search.degree[square] = search.full_degree[square]
    search.depth = -1
    place(search, search.start)


cdef bint rank_exits(Search *search) noexcept nogil:
    """Rank the squares to try after the head; True if the end closes the path."""
    cdef int head = search.path[search.depth]
    cdef int count = 0, forced = -1, k, slot, square, degree
    cdef int keys[8]
    cdef int key
    cdef uint64_t random = search.random
    search.head_is_new = False
    search.next_exit[search.depth] = 0
    search.exit_count[search.depth] = 0
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    search.random = random
    if search.depth == search.squares - 2:
        for k in range(search.neighbour_count[head]):
            if search.neighbours[head][k] == search.end:
                return True
        return False
    for k in range(search.neighbour_count[head]):
        square = search.neighbours[head][k]
        if not search.is_free[square]:
            continue
        degree = search.degree[square]
        if degree == 0:
            return False
        if square == search.end:
            continue
        if degree == 1:
            if forced >= 0:
                return False
            forced = square
        key = (degree << 11) | (<int>((random >> (8 * k)) & 255) << 3) | k
        slot = count
        while slot > 0 and keys[slot - 1] > key:
            keys[slot] = keys[slot - 1]
            slot -= 1
        keys[slot] = key
        count += 1
    if forced >= 0:
        search.exits[search.depth][0] = forced
        search.exit_count[search.depth] = 1
        return False
    for slot in range(count):
        search.exits[search.depth][slot] = search.neighbours[head][keys[slot] & 7]
    search.exit_count[search.depth] = count
    return False


cdef int advance(Search *search, int64_t budget) noexcept nogil:
    """Place at most `budget` squares; the search goes on where it stopped."""
    cdef int depth
    while True:
        if search.head_is_new and rank_exits(search):
            place(search, search.end)
            return CFOUND
        depth = search.depth
        if search.next_exit[depth] == search.exit_count[depth]:
            if depth == 0:
                return CNO_PATH
            take_back(search)
        elif search.nodes == search.attempt_end:
            if search.nodes == search.total_limit:
                return CGAVE_UP
            begin_attempt(search)
        elif budget == 0:
            return PAUSED
        else:
            budget -= 1
            search.next_exit[depth] += 1
            place(search, search.exits[depth][search.next_exit[depth] - 1])


cdef class _Solver:
    """Owner of the memory of one search."""
    cdef Search *search

    def __cinit__(self):
        self.search = <Search *>malloc(sizeof(Search))
        if self.search == NULL:
            raise MemoryError("no memory for a search on a small board")
        memset(self.search, 0, sizeof(Search))

    def __dealloc__(self):
        free(self.search)

    cdef void prepare(
        self, int rows, int cols, int start, int end, const unsigned char *allowed,
        uint64_t seed, int64_t first_limit, int64_t total_limit,
    ) noexcept nogil:
        cdef Search *search = self.search
        cdef int square, other, row, col, k, count
        search.start = start
        search.end = end
        for square in range(rows * cols):
            search.allowed[square] = allowed == NULL or allowed[square] != 0
            search.squares += search.allowed[square]
        for row in range(rows):
            for col in range(cols):
                square = row * cols + col
                count = 0
                for k in range(8):
                    if not 0 <= row + ROW_MOVES[k] < rows or not 0 <= col + COL_MOVES[k] < cols:
                        continue
                    other = square + ROW_MOVES[k] * cols + COL_MOVES[k]
                    if search.allowed[other]:
                        search.neighbours[square][count] = other
                        count += 1
                search.neighbour_count[square] = count
                search.full_degree[square] = count
        # The last step of splitmix64 sends neighbouring seeds far apart; xorshift64 needs a state
        # other than 0.
        seed = (seed + <uint64_t>0x9E3779B97F4A7C15)
        seed = (seed ^ (seed >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
        seed = (seed ^ (seed >> 27)) * <uint64_t>0x94D049BB133111EB
        seed = seed ^ (seed >> 31)
        search.random = seed if seed != 0 else 1
        search.attempt_limit = first_limit
        search.total_limit = total_limit
        begin_attempt(search)


def solve(
    int rows, int cols, int start, int end, bytes allowed, uint64_t seed,
    int64_t first_limit, int64_t total_limit,
):
    """Find a knight's path from start to end over every allowed square of a small board.

    Arguments: rows, cols (rows * cols <= 255); start, end as flat indices row * cols + col, both
    allowed; `allowed`, one byte a square (0: not part of the board), or b"" for the whole board;
    seed (64 bits) of the ties; first_limit, nodes of the first attempt (>= 1), and total_limit,
    nodes in all (>= 1); negative: no limit. A node is a square placed, the start included.
    Result: (status, path, nodes). FOUND: path is the flat indices in order, one byte a square;
    NO_PATH: proved that there is none; GAVE_UP: total_limit reached; path is then b"".
    Cost: about 0.1 microsecond a node; releases the GIL; answers Ctrl-C within milliseconds.

    >>> solve(3, 4, 0, 11, b"", 1, -1, -1)[0] == FOUND
    True
    """
    cdef _Solver solver = _Solver()
    cdef Search *search = solver.search
    cdef const unsigned char *mask = NULL
    cdef int status
    if len(allowed) > 0:
        mask = allowed
    with nogil:
        solver.prepare(rows, cols, start, end, mask, seed, first_limit, total_limit)
    if start == end:
        if search.squares == 1:
            return FOUND, bytes((start,)), 1
        return NO_PATH, b"", 1
    while True:
        with nogil:
            status = advance(search, STEP)
        if status != PAUSED:
            break
        PyErr_CheckSignals()
    if status == CFOUND:
        return FOUND, (<char *>search.path)[:search.squares], search.nodes
    return status, b"", search.nodes
