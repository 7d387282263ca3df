# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
# cython: infer_types=True
"""Hamiltonian cycles with forced edges, compiled: the fast twin of `_shapes_py`, which explains it.

What it computes: tours of boards of any shape, by an exact search, by a 2-factor whose cycles are
merged, and by plain backtracking. Known answers: the 6x6 board has 9,862 closed tours, 5x5 has
1,728 directed ones. Names, signatures and results are those of `_shapes_py`, method by method; read
the method, its sources and its invariants there.

The loops run without the GIL, each over a bounded piece of work; the caller looks at the clock and
at signals between two pieces. Every object owns one block of memory and belongs to one thread at a
time. Cost: linear in the graph for each piece, about 10 ns an edge.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize

__all__ = [
    "DELETED",
    "EXHAUSTED",
    "FOUND",
    "PAUSED",
    "UNDECIDED",
    "CycleSearch",
    "MoveGraph",
    "TwoFactor",
    "Walks",
    "first_fault_shape",
]

PAUSED, FOUND, EXHAUSTED = range(3)
UNDECIDED, DELETED, CHOSEN = range(3)

# The room of a window: vertices and edges. Vertices with more than 64 neighbours, only the extra
# ones of open tours, are left out of windows and merging.
cdef enum:
    WINDOW = 512
    WINDOW_EDGES = 4096

# Gaps between clues up to GAP steps are looked into step by step, where there are not more pairs of
# a vertex and a clue than PLACES.
# The distances of every vertex from every clue are kept, up to so many.
cdef enum:
    GAP = 62
    PLACES = 4_000_000
    DISTANCES = 100_000_000


# A loop over the whole board looks up after so many steps, a few milliseconds.
cdef enum:
    STRIDE = 0xFFFF


def _unwatched():
    """Stand in for a clock where there is none: to be called is enough to hear Ctrl-C."""


cdef inline uint64_t splitmix64(uint64_t *state) noexcept nogil:
    cdef uint64_t z
    state[0] = state[0] + <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int lowest_bit(uint64_t mask) noexcept nogil:
    """Return the number of the lowest bit of a mask that is not 0."""
    cdef uint64_t below = (mask & (~mask + 1)) - 1
    cdef int count = 0
    below = below - (below >> 1 & <uint64_t> 0x5555555555555555)
    below = ((below & <uint64_t> 0x3333333333333333)
             + (below >> 2 & <uint64_t> 0x3333333333333333))
    below = (below + (below >> 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    count = <int> (below * <uint64_t> 0x0101010101010101 >> 56)
    return count


cdef struct Arena:
    # One block of memory, cut into arrays: measured with base = NULL, then cut.
    char *base
    size_t used


cdef inline void *carve(Arena *arena, size_t count, size_t item) noexcept nogil:
    cdef size_t at = arena.used
    arena.used += (count * item + 7) // 8 * 8 + 8
    return arena.base + at if arena.base != NULL else NULL


cdef inline int32_t *ints(Arena *arena, size_t count) noexcept nogil:
    return <int32_t *> carve(arena, count, sizeof(int32_t))


cdef inline int8_t *small_ints(Arena *arena, size_t count) noexcept nogil:
    return <int8_t *> carve(arena, count, 1)


cdef bytes int_bytes(const int32_t *values, size_t count):
    return PyBytes_FromStringAndSize(<const char *> values, count * sizeof(int32_t))


cdef class MoveGraph:
    """The squares of a board and the moves between them, as flat arrays.

    Args:
        rows, cols: the size of the rectangle.
        cells: a byte for every cell, 1 for a square; None for all.
        moves: pairs ``drow, dcol`` as native int32, in the order in which neighbours are listed.
        wrap_rows, wrap_cols: whether the last row, or column, is followed by the first.
        blockers: a byte for every cell, 1 for a piece that hobbles; None for none.
        watch: called every few milliseconds in long loops, here and in all that is made from the
            graph; what it raises ends the work, and the object is of no use afterwards.

    Vertices are numbered row by row. The moves out of v are ``nbr[off[v]:off[v + 1]]``, each
    target once.
    """

    cdef readonly int n
    cdef bint directed, bipartite
    cdef int rows, cols, arcs
    cdef object watch
    cdef int32_t *square
    cdef int32_t *index
    cdef int32_t *off
    cdef int32_t *nbr
    cdef int32_t *roff
    cdef int32_t *rnbr
    cdef int32_t *part
    cdef int32_t *scratch
    cdef int8_t *colour
    cdef char *block

    cdef void layout(self, Arena *arena, size_t cells, size_t n, size_t arcs) noexcept nogil:
        self.index = ints(arena, cells)
        self.square = ints(arena, n)
        self.off = ints(arena, n + 1)
        self.nbr = ints(arena, arcs)
        self.part = ints(arena, n)
        self.scratch = ints(arena, n + 1)
        self.colour = small_ints(arena, n)
        self.roff = self.off
        self.rnbr = self.nbr
        if self.directed:
            self.roff = ints(arena, n + 1)
            self.rnbr = ints(arena, arcs)

    def __cinit__(self, int rows, int cols, bytes cells, bytes moves, bint wrap_rows,
                  bint wrap_cols, bytes blockers, watch=_unwatched):
        cdef size_t area = <size_t> rows * <size_t> cols
        cdef size_t n = area if cells is None else <size_t> cells.count(1)
        cdef int count = len(moves) // 8
        cdef Arena arena
        cdef const char *cell = NULL
        cdef const char *blocker = NULL
        cdef const int32_t *step = <const int32_t *> PyBytes_AsString(moves)
        if cells is not None:
            cell = PyBytes_AsString(cells)
        if blockers is not None:
            blocker = PyBytes_AsString(blockers)
        self.directed = blockers is not None
        self.rows, self.cols = rows, cols
        self.watch = watch
        arena.base = NULL
        arena.used = 0
        self.layout(&arena, area, n, count * n)
        self.block = <char *> calloc(arena.used, 1)
        if self.block == NULL:
            raise MemoryError
        arena.base = self.block
        arena.used = 0
        self.layout(&arena, area, n, count * n)
        self.n = <int> n
        self.bipartite = True
        with nogil:
            self.build(cell, step, count, wrap_rows, wrap_cols, blocker)

    def __dealloc__(self):
        free(self.block)

    cdef int look(self) except -1 nogil:
        with gil:
            self.watch()
        return 0

    cdef int build(self, const char *cell, const int32_t *step, int count, bint wrap_rows,
                   bint wrap_cols, const char *blocker) except -1 nogil:
        cdef int64_t to_row, to_col
        cdef int row, col, k, v, w, d, j, leg, first, drow, dcol, to
        cdef int rows = self.rows, cols = self.cols
        v = 0
        for k in range(rows * cols):
            self.index[k] = -1
            if cell == NULL or cell[k]:
                self.index[k] = v
                self.square[v] = k
                v += 1
        self.arcs = 0
        for v in range(self.n):
            if v & STRIDE == STRIDE:
                self.look()
            k = self.square[v]
            row = k // cols
            col = k - row * cols
            first = self.arcs
            self.off[v] = first
            for d in range(count):
                drow = step[2 * d]
                dcol = step[2 * d + 1]
                to_row = <int64_t> row + drow
                to_col = <int64_t> col + dcol
                if wrap_rows:
                    to_row = (to_row % rows + rows) % rows
                if wrap_cols:
                    to_col = (to_col % cols + cols) % cols
                if to_row < 0 or to_row >= rows or to_col < 0 or to_col >= cols:
                    continue
                to = <int> (to_row * cols + to_col)
                w = self.index[to]
                if w < 0 or to == k:
                    continue
                if blocker != NULL:
                    if drow * drow > dcol * dcol:
                        leg = (row + (1 if drow > 0 else -1)) * cols + col
                    else:
                        leg = k + (1 if dcol > 0 else -1)
                    if blocker[leg]:
                        continue
                if wrap_rows or wrap_cols:
                    for j in range(first, self.arcs):
                        if self.nbr[j] == w:
                            w = -1
                            break
                    if w < 0:
                        continue
                self.nbr[self.arcs] = w
                self.arcs += 1
        self.off[self.n] = self.arcs
        if self.directed:
            for k in range(self.arcs):
                self.roff[self.nbr[k] + 1] += 1
            for v in range(self.n):
                self.roff[v + 1] += self.roff[v]
                self.scratch[v] = self.roff[v]
            for v in range(self.n):
                for k in range(self.off[v], self.off[v + 1]):
                    w = self.nbr[k]
                    self.rnbr[self.scratch[w]] = v
                    self.scratch[w] += 1
        for v in range(self.n):
            self.part[v] = -1
            self.colour[v] = -1
        return 0

    def vertex(self, int cell):
        """Return the vertex of a flat index, -1 for a hole."""
        return self.index[cell]

    def squares(self, bytes vertices):
        """Return the flat indices of a row of vertices, both native int32."""
        cdef int k, count = len(vertices) // 4
        cdef const int32_t *v = <const int32_t *> PyBytes_AsString(vertices)
        cdef bytes out = PyBytes_FromStringAndSize(NULL, 4 * <size_t> count)
        cdef int32_t *flat = <int32_t *> PyBytes_AsString(out)
        with nogil:
            for k in range(count):
                if k & STRIDE == STRIDE:
                    self.look()
                flat[k] = self.square[v[k]]
        return out

    def neighbours(self, int v):
        """Return the vertices that a move from v leads to."""
        cdef int k
        return [self.nbr[k] for k in range(self.off[v], self.off[v + 1])]

    def degree(self, int v, bint out):
        """Return the number of moves out of a vertex, or into it."""
        if out:
            return self.off[v + 1] - self.off[v]
        return self.roff[v + 1] - self.roff[v]

    def low_degrees(self, int limit, int most):
        """Return the first vertices, `most` at the most, with `limit` moves or fewer out or in."""
        cdef int v
        found = []
        for v in range(self.n):
            if (self.off[v + 1] - self.off[v] <= limit
                    or self.roff[v + 1] - self.roff[v] <= limit):
                if len(found) == most:
                    break
                found.append(v)
        return found

    def explore(self):
        """Find the parts of the board and its two colours, moves taken both ways.

        Returns:
            The number of parts, 1 when the colours alternate along every move and 0 when not, the
            numbers of vertices of colour 0 and 1, and a vertex of the second part or -1.
        """
        cdef int counts[2]
        cdef int second = -1, parts = 0, bipartite = 1, first, u, w, k, head, tail, way
        cdef int32_t *queue = self.scratch
        cdef const int32_t *off
        cdef const int32_t *nbr
        counts[0] = counts[1] = 0
        with nogil:
            for first in range(self.n):
                if self.part[first] >= 0:
                    continue
                if parts == 1:
                    second = first
                self.part[first] = parts
                self.colour[first] = 0
                counts[0] += 1
                queue[0] = first
                head = 0
                tail = 1
                while head < tail:
                    u = queue[head]
                    head += 1
                    if head & STRIDE == 0:
                        self.look()
                    for way in range(2 if self.directed else 1):
                        off = self.roff if way else self.off
                        nbr = self.rnbr if way else self.nbr
                        for k in range(off[u], off[u + 1]):
                            w = nbr[k]
                            if self.part[w] < 0:
                                self.part[w] = parts
                                self.colour[w] = 1 - self.colour[u]
                                counts[self.colour[w]] += 1
                                queue[tail] = w
                                tail += 1
                            elif self.colour[w] == self.colour[u]:
                                bipartite = 0
                parts += 1
        self.bipartite = bipartite == 1
        return [parts, bipartite, counts[0], counts[1], second]

    def colour_of(self, int v):
        """Return the colour of a vertex, 0 or 1, once `explore` has run."""
        return self.colour[v]

    def is_symmetric(self):
        """Whether every move of a directed board can be made both ways."""
        cdef int u, w, k, j, back
        for u in range(self.n):
            for k in range(self.off[u], self.off[u + 1]):
                w = self.nbr[k]
                back = 0
                for j in range(self.off[w], self.off[w + 1]):
                    if self.nbr[j] == u:
                        back = 1
                        break
                if not back:
                    return False
        return True

    def articulations(self):
        """Return, for an undirected connected board, what taking one square away leaves.

        Returns:
            A vertex whose removal leaves most parts, that number of parts, and the first vertex
            whose removal leaves more than one, or -1.
        """
        cdef int n = self.n, clock = 0, size = 0, steps = 0, u, w, p, v
        cdef int best = -1, first = -1, most = 1
        cdef int32_t *block = <int32_t *> calloc(6 * <size_t> n + 1, sizeof(int32_t))
        cdef int32_t *order = block
        cdef int32_t *low = block + n
        cdef int32_t *parts = low + n
        cdef int32_t *place = parts + n
        cdef int32_t *parent = place + n
        cdef int32_t *stack = parent + n
        if block == NULL:
            raise MemoryError
        with nogil:
            for v in range(n):
                order[v] = -1
                parts[v] = 1
                place[v] = self.off[v]
                parent[v] = -1
            if n:
                order[0] = low[0] = 0
                clock = 1
                parts[0] = 0
                stack[0] = 0
                size = 1
            while size:
                steps += 1
                if steps & (4 * STRIDE + 3) == 0:
                    with gil:
                        try:
                            self.watch()
                        except BaseException:
                            free(block)
                            raise
                u = stack[size - 1]
                if place[u] < self.off[u + 1]:
                    w = self.nbr[place[u]]
                    place[u] += 1
                    if order[w] < 0:
                        order[w] = low[w] = clock
                        clock += 1
                        parent[w] = u
                        stack[size] = w
                        size += 1
                    elif w != parent[u] and order[w] < low[u]:
                        low[u] = order[w]
                else:
                    size -= 1
                    p = parent[u]
                    if p >= 0:
                        if low[u] < low[p]:
                            low[p] = low[u]
                        if low[u] >= order[p]:
                            parts[p] += 1
            for v in range(n):
                if parts[v] > 1 and first < 0:
                    first = v
                if parts[v] > most:
                    most = parts[v]
                    best = v
        free(block)
        return [best, most, first]

    def parts_without(self, int v):
        """Return how many parts an undirected board falls into without one square."""
        cdef int parts = 0, j, k, u, w, first, head, tail
        cdef int32_t *queue = self.scratch
        cdef int8_t *seen = <int8_t *> calloc(self.n + 1, 1)
        if seen == NULL:
            raise MemoryError
        with nogil:
            seen[v] = 1
            for j in range(self.off[v], self.off[v + 1]):
                first = self.nbr[j]
                if seen[first]:
                    continue
                parts += 1
                seen[first] = 1
                queue[0] = first
                head = 0
                tail = 1
                while head < tail:
                    u = queue[head]
                    head += 1
                    for k in range(self.off[u], self.off[u + 1]):
                        w = self.nbr[k]
                        if not seen[w]:
                            seen[w] = 1
                            queue[tail] = w
                            tail += 1
        free(seen)
        return parts

    def strong(self):
        """Find the strong components of a directed board.

        Returns:
            The number of components; a vertex of the first that cannot be left for the next one in
            topological order and a vertex of that next one, or -1 and -1 when they lie in a line.
        """
        cdef int n = self.n, clock = 0, count = 0, size = 0, opened = 0, first, u, w, k, c
        cdef int32_t *block = <int32_t *> calloc(8 * <size_t> n + 2, sizeof(int32_t))
        cdef int32_t *order = block
        cdef int32_t *low = block + n
        cdef int32_t *component = low + n
        cdef int32_t *place = component + n
        cdef int32_t *stack = place + n
        cdef int32_t *open_stack = stack + n
        cdef int32_t *joined = open_stack + n
        cdef int32_t *member = joined + n + 1
        if block == NULL:
            raise MemoryError
        with nogil:
            for u in range(n):
                order[u] = -1
                component[u] = -1
                place[u] = self.off[u]
            for first in range(n):
                if order[first] >= 0:
                    continue
                order[first] = low[first] = clock
                clock += 1
                stack[0] = first
                size = 1
                open_stack[opened] = first
                opened += 1
                while size:
                    u = stack[size - 1]
                    if place[u] < self.off[u + 1]:
                        w = self.nbr[place[u]]
                        place[u] += 1
                        if order[w] < 0:
                            order[w] = low[w] = clock
                            clock += 1
                            stack[size] = w
                            size += 1
                            open_stack[opened] = w
                            opened += 1
                        elif component[w] < 0 and order[w] < low[u]:
                            low[u] = order[w]
                    else:
                        size -= 1
                        if size and low[u] < low[stack[size - 1]]:
                            low[stack[size - 1]] = low[u]
                        if low[u] == order[u]:
                            while True:
                                opened -= 1
                                w = open_stack[opened]
                                component[w] = count
                                if w == u:
                                    break
                            count += 1
            # Components are numbered against the moves: a tour runs from the last to the first.
            for u in range(n):
                member[component[u]] = u
                for k in range(self.off[u], self.off[u + 1]):
                    if component[self.nbr[k]] == component[u] - 1:
                        joined[component[u]] = 1
        result = [count, -1, -1]
        for c in range(count - 1, 0, -1):
            if not joined[c]:
                result = [count, member[c], member[c - 1]]
                break
        free(block)
        return result


cdef class CycleSearch:
    """An exact search for Hamiltonian cycles of a graph, edge by edge.

    Fill `eu`, `ev`, `forced` (one entry an edge) and `loose` (one a vertex), then `load`. A `loose`
    vertex takes at most two edges, every other exactly two. With `local` no cycle is allowed at
    all: then a finished search proves that the graph around has no Hamiltonian cycle.

    Invariants: need[v] = 2 - chosen edges at v; deg[v] = undecided edges at v; mate[v] = the other
    end of the chosen subpath that ends in v, v itself while it is bare; left = sum of need over
    the vertices that are not loose. Every change is on the trail.
    """

    cdef readonly int n, m
    cdef readonly int64_t nodes
    cdef size_t edges
    cdef int trail_size, work_size, depth, chosen, left, ok, local, timed, ties, clues
    cdef uint64_t random
    cdef object watch
    cdef int32_t *eu
    cdef int32_t *ev
    cdef int32_t *off
    cdef int32_t *nbr
    cdef int32_t *eid
    cdef int32_t *deg
    cdef int32_t *mate
    cdef int32_t *work
    cdef int32_t *dec_mark
    cdef int32_t *dec_edge
    cdef int32_t *trail_index
    cdef int32_t *trail_old
    cdef int8_t *trail_kind
    cdef int8_t *forced
    cdef int8_t *status
    cdef int8_t *loose
    cdef int8_t *need
    cdef int8_t *queued
    # The times of partial numberings, in a block of their own.
    cdef int32_t *clue
    cdef int32_t *time
    cdef int32_t *early
    cdef int32_t *late
    cdef int32_t *size
    cdef int32_t *held
    cdef int32_t *prefix
    cdef int32_t *before
    cdef int32_t *after
    cdef int32_t *dist
    # Where between the clues a subpath can lie: masks of times after the clue before.
    cdef int placing, guided, mark
    cdef int32_t *weight
    cdef int32_t *leaving
    cdef int32_t *leaving_next
    cdef int32_t *entering
    cdef int32_t *entering_next
    cdef int32_t *touched
    cdef int32_t *waiting
    cdef int32_t *edge_mark
    cdef int32_t *begin
    cdef int32_t *place_end
    cdef uint64_t *place_mask
    cdef uint64_t *from_before
    cdef uint64_t *from_behind
    cdef uint64_t *entry
    cdef int8_t *waits
    cdef int8_t *placed
    # Which vertex of a subpath takes which time, in the assignment of subpaths to times.
    cdef uint64_t *wanted
    cdef uint64_t *covered
    cdef uint64_t *rest
    cdef int32_t *taker
    cdef int32_t *taken_next
    cdef int32_t *taken
    cdef int32_t *used
    cdef int32_t *place_gap
    cdef int32_t *place_next
    cdef int32_t *places
    cdef int32_t *came
    cdef int32_t *order
    cdef int32_t *low
    cdef int32_t *component
    cdef int32_t *stack
    cdef int32_t *parent
    cdef int32_t *place_now
    cdef int8_t *seen
    cdef char *block
    cdef char *time_block

    cdef void layout(self, Arena *arena, size_t n, size_t m) noexcept nogil:
        cdef size_t trail = m + 12 * n + 16
        self.eu = ints(arena, m)
        self.ev = ints(arena, m)
        self.off = ints(arena, n + 1)
        self.nbr = ints(arena, 2 * m)
        self.eid = ints(arena, 2 * m)
        self.deg = ints(arena, n)
        self.mate = ints(arena, n)
        self.work = ints(arena, n)
        self.dec_mark = ints(arena, n + 1)
        self.dec_edge = ints(arena, n + 1)
        self.trail_index = ints(arena, trail)
        self.trail_old = ints(arena, trail)
        self.trail_kind = small_ints(arena, trail)
        self.forced = small_ints(arena, m)
        self.status = small_ints(arena, m)
        self.loose = small_ints(arena, n)
        self.need = small_ints(arena, n)
        self.queued = small_ints(arena, n)

    cdef void time_layout(self, Arena *arena, size_t n, size_t m, size_t clues) noexcept nogil:
        self.clue = ints(arena, n)
        self.time = ints(arena, clues)
        self.early = ints(arena, n)
        self.late = ints(arena, n)
        self.size = ints(arena, n)
        self.held = ints(arena, n)
        self.prefix = ints(arena, n + 1)
        self.before = ints(arena, n)
        self.after = ints(arena, n)
        self.dist = ints(arena, n * clues)
        self.placing = clues > 1 and n * clues <= PLACES
        if self.placing:
            self.weight = ints(arena, n)
            self.leaving = ints(arena, clues)
            self.leaving_next = ints(arena, n)
            self.entering = ints(arena, clues)
            self.entering_next = ints(arena, n)
            self.touched = ints(arena, n)
            self.waiting = ints(arena, n)
            self.edge_mark = ints(arena, m)
            self.begin = ints(arena, clues + 1)
            self.place_end = ints(arena, n * clues)
            self.place_mask = <uint64_t *> carve(arena, n * clues, sizeof(uint64_t))
            self.from_before = <uint64_t *> carve(arena, n, sizeof(uint64_t))
            self.from_behind = <uint64_t *> carve(arena, n, sizeof(uint64_t))
            self.entry = <uint64_t *> carve(arena, n, sizeof(uint64_t))
            self.waits = small_ints(arena, n)
            self.placed = small_ints(arena, n)
            self.wanted = <uint64_t *> carve(arena, clues, sizeof(uint64_t))
            self.covered = <uint64_t *> carve(arena, n * clues, sizeof(uint64_t))
            self.rest = <uint64_t *> carve(arena, n, sizeof(uint64_t))
            self.taker = ints(arena, n)
            self.taken_next = ints(arena, n)
            self.taken = ints(arena, n)
            self.used = ints(arena, n)
            self.place_gap = ints(arena, n * clues)
            self.place_next = ints(arena, n * clues)
            self.places = ints(arena, n)
            self.came = ints(arena, n)
            self.order = ints(arena, 2 * n + 1)
            self.low = ints(arena, 2 * n + 1)
            self.component = ints(arena, 2 * n + 1)
            self.stack = ints(arena, 2 * n + 1)
            self.parent = ints(arena, 2 * n + 1)
            self.place_now = ints(arena, n)
            self.seen = small_ints(arena, n)

    def __cinit__(self, int vertices, int edges, uint64_t seed, watch=_unwatched):
        cdef Arena arena
        arena.base = NULL
        arena.used = 0
        self.layout(&arena, vertices, edges)
        self.block = <char *> calloc(arena.used, 1)
        if self.block == NULL:
            raise MemoryError
        arena.base = self.block
        arena.used = 0
        self.layout(&arena, vertices, edges)
        self.random = seed
        self.edges = edges
        self.watch = watch

    def __dealloc__(self):
        free(self.block)
        free(self.time_block)

    cdef uint64_t _next(self) noexcept nogil:
        return splitmix64(&self.random)

    cdef int _below(self, int bound) noexcept nogil:
        return self._next() % bound

    cdef int look(self) except -1 nogil:
        with gil:
            self.watch()
        return 0

    # Setting up

    cdef int _load(self, int n, int m, int local) except -1 nogil:
        """Build the adjacency lists, choose what is forced, propagate; 0 at a contradiction."""
        eu, ev, off, nbr, eid, deg = self.eu, self.ev, self.off, self.nbr, self.eid, self.deg
        need, mate, status, loose = self.need, self.mate, self.status, self.loose
        self.n = n
        self.m = m
        self.local = local
        self.trail_size = 0
        self.work_size = 0
        self.depth = 0
        self.chosen = 0
        self.left = 0
        for v in range(n + 1):
            off[v] = 0
        for e in range(m):
            if e & (4 * STRIDE + 3) == 4 * STRIDE + 3:
                self.look()
            status[e] = 0
            off[eu[e]] += 1
            off[ev[e]] += 1
        total = 0
        for v in range(n):
            if v & STRIDE == STRIDE:
                self.look()
            deg[v] = off[v]
            total += off[v]
            off[v] = total
            need[v] = 2
            mate[v] = v
            self.queued[v] = 0
            if not loose[v]:
                self.left += 2
        off[n] = total
        # Filled from behind, so that the lists come out in the order of the edges.
        e = m - 1
        while e >= 0:
            if e & (4 * STRIDE + 3) == 4 * STRIDE + 3:
                self.look()
            u = eu[e]
            v = ev[e]
            off[u] -= 1
            nbr[off[u]] = v
            eid[off[u]] = e
            off[v] -= 1
            nbr[off[v]] = u
            eid[off[v]] = e
            e -= 1
        if self.timed:
            self._start_times()
        self.ok = 1
        for e in range(m):
            if self.forced[e] and status[e] != 2 and (status[e] == 1 or not self._choose(e)):
                self.ok = 0
                break
        v = n - 1
        while v >= 0:
            if v & STRIDE == STRIDE:
                self.look()
            self._touch(v)
            v -= 1
        if self.ok:
            self.ok = self._conclude()
        else:
            self._forget()
        return self.ok

    # Changing the state

    cdef void _touch(self, int v) noexcept nogil:
        if not self.queued[v]:
            self.queued[v] = 1
            self.work[self.work_size] = v
            self.work_size += 1

    cdef void _forget(self) noexcept nogil:
        """Empty the worklist after a contradiction."""
        while self.work_size:
            self.work_size -= 1
            self.queued[self.work[self.work_size]] = 0

    cdef void _push(self, int kind, int index, int old) noexcept nogil:
        self.trail_kind[self.trail_size] = kind
        self.trail_index[self.trail_size] = index
        self.trail_old[self.trail_size] = old
        self.trail_size += 1

    cdef void _delete(self, int e) noexcept nogil:
        """Decide that an undecided edge is not in the cycle."""
        u = self.eu[e]
        v = self.ev[e]
        self.status[e] = 1
        self._push(1, e, 0)
        self.deg[u] -= 1
        self.deg[v] -= 1
        self._touch(u)
        self._touch(v)

    cdef int _choose(self, int e) noexcept nogil:
        """Decide that an undecided edge is in the cycle; 0 when it cannot be."""
        u = self.eu[e]
        v = self.ev[e]
        mate = self.mate
        if self.need[u] == 0 or self.need[v] == 0:
            return 0
        a = mate[u]
        b = mate[v]
        closing = 0
        if a == v:
            # The two ends of one subpath: only the last edge of all may close it.
            if self.local or self.chosen != self.n - 1:
                return 0
            closing = 1
        elif self.timed and not self._join(v, a, b):
            return 0
        self.status[e] = 2
        self._push(2, e, 0)
        self.chosen += 1
        self.need[u] -= 1
        self.need[v] -= 1
        self.deg[u] -= 1
        self.deg[v] -= 1
        if not self.loose[u]:
            self.left -= 1
        if not self.loose[v]:
            self.left -= 1
        self._touch(u)
        self._touch(v)
        if closing:
            return 1
        self._push(0, a, mate[a])
        self._push(0, b, mate[b])
        mate[a] = b
        mate[b] = a
        if self.local or self.chosen < self.n - 1:
            x = a
            y = b
            if self.off[a + 1] - self.off[a] > self.off[b + 1] - self.off[b]:
                x = b
                y = a
            for k in range(self.off[x], self.off[x + 1]):
                if self.nbr[k] == y and self.status[self.eid[k]] == 0:
                    self._delete(self.eid[k])
        if self.timed:
            self._prune(a)
            self._prune(b)
        return 1

    cdef int _propagate(self) except -1 nogil:
        """Draw all simple conclusions; 0 at a contradiction."""
        need, deg, loose, status, off, eid = (
            self.need,
            self.deg,
            self.loose,
            self.status,
            self.off,
            self.eid,
        )
        steps = 0
        stride = 0xFF if self.timed else STRIDE  # a step takes longer with many clues
        while self.work_size:
            steps += 1
            if steps & stride == 0:
                self.look()
            self.work_size -= 1
            v = self.work[self.work_size]
            self.queued[v] = 0
            if need[v] == 0:
                if deg[v]:
                    for k in range(off[v], off[v + 1]):
                        if status[eid[k]] == 0:
                            self._delete(eid[k])
            elif not loose[v]:
                if deg[v] < need[v]:
                    self._weigh(v)
                    self._forget()
                    return 0
                if deg[v] == need[v]:
                    for k in range(off[v], off[v + 1]):
                        if status[eid[k]] == 0 and not self._choose(eid[k]):
                            self._weigh(v)
                            self._forget()
                            return 0
        return 1

    cdef int _conclude(self) except -1 nogil:
        """Draw all conclusions, those about times too; 0 at a contradiction."""
        while True:
            if not self._propagate():
                return 0
            if not self.guided or self.left == 0:
                return 1
            self.look()
            deleted = self._place()
            if deleted < 0:
                self._forget()
                return 0
            if deleted == 0:
                return 1

    cdef void _undo(self, int mark) noexcept nogil:
        """Take everything back that was done since the trail had this length."""
        while self.trail_size > mark:
            self.trail_size -= 1
            k = self.trail_index[self.trail_size]
            old = self.trail_old[self.trail_size]
            kind = self.trail_kind[self.trail_size]
            if kind == 0:
                self.mate[k] = old
            elif kind == 1:
                self.status[k] = 0
                self.deg[self.eu[k]] += 1
                self.deg[self.ev[k]] += 1
            elif kind == 2:
                u = self.eu[k]
                v = self.ev[k]
                self.status[k] = 0
                self.chosen -= 1
                self.deg[u] += 1
                self.deg[v] += 1
                self.need[u] += 1
                self.need[v] += 1
                if not self.loose[u]:
                    self.left += 1
                if not self.loose[v]:
                    self.left += 1
            elif kind == 3:
                self.early[k] = old
            elif kind == 4:
                self.late[k] = old
            elif kind == 5:
                self.size[k] = old
            else:
                self.held[k] = old

    # Searching

    cdef int _branch(self) noexcept nogil:
        """Return the edge to decide next: at the vertex with the fewest choices."""
        need, deg = self.need, self.deg
        n = self.n
        v = 0
        if self.ties:
            v = self._below(n)
        if self.guided:
            best = self._hardest_end(v)
            return self._edge_at(best)
        best = -1
        least = 1 << 30
        for _ in range(n):
            if need[v] > 0 and not self.loose[v]:
                # A path end comes before a bare vertex with as many choices.
                key = 2 * deg[v] + need[v]
                if key < least:
                    least = key
                    best = v
                    if key <= 5:
                        break
            v += 1
            if v == n:
                v = 0
        return self._edge_at(best)

    cdef int _edge_at(self, int v) noexcept nogil:
        """Return the undecided edge of a vertex that leads to the neighbour with fewest choices."""
        edge = -1
        least = 1 << 30
        for k in range(self.off[v], self.off[v + 1]):
            if self.status[self.eid[k]] == 0 and self.deg[self.nbr[k]] < least:
                least = self.deg[self.nbr[k]]
                edge = self.eid[k]
        return edge

    cdef int _hardest_end(self, int first) noexcept nogil:
        """Return the end of a subpath with clues that has fewest choices for its weight.

        The weight counts contradictions met there and at its neighbours (Boussemart, Hemery,
        Lecoutre and Sais 2004). Vertices are looked at from `first` on.
        """
        best = -1
        fewest = 0
        heaviest = 1
        v = first
        for _ in range(self.n):
            if self.need[v] > 0 and self.held[v]:
                weight = 1 + self.weight[v]
                for k in range(self.off[v], self.off[v + 1]):
                    if self.status[self.eid[k]] == 0:
                        weight += self.weight[self.nbr[k]]
                if best < 0 or <int64_t> self.deg[v] * heaviest < <int64_t> fewest * weight:
                    best = v
                    fewest = self.deg[v]
                    heaviest = weight
            v += 1
            if v == self.n:
                v = 0
        return best

    cdef void _weigh(self, int v) noexcept nogil:
        """Note that a contradiction was met at a vertex."""
        if self.guided:
            self.weight[v] += 1

    cdef void _weigh_gap(self, int k) noexcept nogil:
        """Note that a contradiction was met between a clue and the next."""
        v = self.leaving[k]
        while v >= 0:
            self.weight[v] += 1
            v = self.leaving_next[v]
        v = self.entering[k]
        while v >= 0:
            self.weight[v] += 1
            v = self.entering_next[v]

    cdef int _run(self, int budget) except -1 nogil:
        """Search on for at most `budget` decisions; after FOUND the next call looks for another."""
        while True:
            if self.ok:
                if self.left == 0:
                    self.ok = 0
                    return 1
                if budget <= 0:
                    return 0
                budget -= 1
                self.nodes += 1
                e = self._branch()
                self.dec_mark[self.depth] = self.trail_size
                self.dec_edge[self.depth] = e
                self.depth += 1
                self.ok = self._choose(e)
                if self.ok:
                    self.ok = self._conclude()
                else:
                    self._forget()
            else:
                if self.depth == 0:
                    return 2
                self.depth -= 1
                self._undo(self.dec_mark[self.depth])
                self._delete(self.dec_edge[self.depth])
                self.ok = self._conclude()

    cdef void _restart(self) noexcept nogil:
        """Go back to the root; what was learned there stays."""
        if self.depth:
            self._undo(self.dec_mark[0])
            self.depth = 0
            self.ok = 1

    # Times: partial numberings

    cdef int _start_times(self) except -1 nogil:
        """Start all subpaths as single vertices, and measure how far each clue is from each."""
        n = self.n
        for v in range(n):
            self.early[v] = self.clue[v]
            self.late[v] = self.clue[v]
            self.size[v] = 1
            self.held[v] = 1 if self.clue[v] >= 0 else 0
        queue = self.mate
        for k in range(self.clues):
            self.look()
            base = k * n
            for v in range(n):
                self.dist[base + v] = n
                if self.clue[v] == self.time[k]:
                    queue[0] = v
            self.dist[base + queue[0]] = 0
            head = 0
            tail = 1
            while head < tail:
                u = queue[head]
                head += 1
                if head > 1 and self.clue[u] >= 0:
                    continue  # no way leads through another clue
                for j in range(self.off[u], self.off[u + 1]):
                    w = self.nbr[j]
                    if self.dist[base + w] == n and self.clue[w] != self.time[k]:
                        self.dist[base + w] = self.dist[base + u] + 1
                        queue[tail] = w
                        tail += 1
        for v in range(n):
            queue[v] = v
        # Edges that fit between no two clues are in no completion.
        for e in range(self.m):
            if e & 0xFF == 0xFF:
                self.look()
            if self.forced[e]:
                continue
            u = self.eu[e]
            v = self.ev[e]
            if self.clue[u] < 0 and self.clue[v] < 0 and not self._somewhere(u, v, 2):
                self._delete(e)
        for v in range(n):
            if self.clue[v] >= 0:
                self._prune(v)
        return 0

    cdef int _fits(self, int first, int length, int held, int one, int other) noexcept nogil:
        """Whether a subpath from vertex `one` at time `first` to `other` agrees with the clues."""
        n = self.n
        if length >= n:
            return 1
        last = first + length - 1
        count = 0
        if last < n:
            count = self.prefix[last + 1] - self.prefix[first]
        else:
            last -= n
            count = self.prefix[n] - self.prefix[first] + self.prefix[last + 1]
        if count != held:
            return 0
        if held == self.clues:
            return 1
        # The clue before the first square and the one after the last must be near enough.
        k = self.before[first]
        gap = first - self.time[k]
        if gap < 0:
            gap += n
        if self.dist[k * n + one] > gap:
            return 0
        k = self.after[last]
        gap = self.time[k] - last
        if gap < 0:
            gap += n
        if self.dist[k * n + other] > gap:
            return 0
        return 1

    cdef int _join(self, int v, int p, int q) noexcept nogil:
        """Work out the times of the subpath p..-v..q joined at v; 0 when there are none."""
        n = self.n
        one = self.size[p]
        two = self.size[q]
        total = one + two
        held = self.held[p] + self.held[q]
        # Ascending from p to q.
        t = self._meet(self.early[p], self.early[v], -one)
        if t >= 0 and not self._fits(t, total, held, p, q):
            t = -2
        # Descending from p to q.
        s = self._meet(self.late[p], self.late[v], one)
        if s >= 0 and not self._fits((s - total + 1 + n) % n, total, held, q, p):
            s = -2
        if t == -2 and s == -2:
            return 0
        if held == 0 and not self._somewhere(p, q, total):
            return 0
        self._set_end(p, t, s, total, held)
        self._set_end(
            q,
            s if s < 0 else (s - total + 1 + n) % n,
            t if t < 0 else (t + total - 1) % n,
            total,
            held,
        )
        return 1

    cdef int _somewhere(self, int p, int q, int length) noexcept nogil:
        """Whether a subpath without clues from p to q fits between two clues that follow."""
        n = self.n
        for k in range(self.clues):
            j = k + 1
            gap = 0
            if j == self.clues:
                j = 0
                gap = n
            gap += self.time[j] - self.time[k]
            gap -= length - 1
            if gap < 2:
                continue
            if self.dist[k * n + p] + self.dist[j * n + q] <= gap:
                return 1
            if self.dist[k * n + q] + self.dist[j * n + p] <= gap:
                return 1
        return 0

    cdef void _set_end(self, int v, int early, int late, int size, int held) noexcept nogil:
        self._push(3, v, self.early[v])
        self._push(4, v, self.late[v])
        self._push(5, v, self.size[v])
        self._push(6, v, self.held[v])
        self.early[v] = early
        self.late[v] = late
        self.size[v] = size
        self.held[v] = held

    cdef int _meet(self, int mine, int theirs, int shift) noexcept nogil:
        """Combine a time with one that is `shift` away from it."""
        if mine == -2 or theirs == -2:
            return -2
        if theirs == -1:
            return mine
        theirs = (theirs + shift + self.n) % self.n
        if mine == -1 or mine == theirs:
            return theirs
        return -2

    cdef void _prune(self, int a) noexcept nogil:
        """Delete the undecided edges at a path end that no numbering allows."""
        n = self.n
        b = self.mate[a]
        for k in range(self.off[a], self.off[a + 1]):
            e = self.eid[k]
            w = self.nbr[k]
            if self.status[e] or w == b or self.forced[e]:
                continue
            q = self.mate[w]
            one = self.size[b]
            total = one + self.size[w]
            held = self.held[b] + self.held[w]
            t = self._meet(self.early[b], self.early[w], -one)
            if t >= 0 and not self._fits(t, total, held, b, q):
                t = -2
            if held == 0:
                if not self._somewhere(b, q, total):
                    self._delete(e)
                continue
            if t != -2:
                continue
            s = self._meet(self.late[b], self.late[w], one)
            if s >= 0 and not self._fits((s - total + 1 + n) % n, total, held, q, b):
                s = -2
            if s == -2:
                self._delete(e)

    cdef int _place(self) except? -2 nogil:
        """Find where between the clues each subpath can lie, and delete edges that fit nowhere.

        Returns how many edges were deleted, -1 for a contradiction.
        """
        need, held, size, mate = self.need, self.held, self.size, self.mate
        off, nbr, eid, status = self.off, self.nbr, self.eid, self.status
        entry = self.entry
        cdef uint64_t bit, mask, covered, all_covered, one = 1
        n = self.n
        for k in range(self.clues):
            self.leaving[k] = -1
            self.entering[k] = -1
        for v in range(n):
            self.placed[v] = 0
            if need[v] == 0 or held[v] == 0:
                continue
            if held[v] > 1 and self.early[v] >= 0 and self.late[v] >= 0:
                return 0  # which gaps are filled already depends on the direction
            if self.late[v] >= 0:
                k = self.prefix[self.late[v] + 1] - 1
                if k < 0:
                    k = self.clues - 1
                self.leaving_next[v] = self.leaving[k]
                self.leaving[k] = v
            if self.early[v] >= 0:
                k = self.prefix[self.early[v]] - 1
                if k < 0:
                    k = self.clues - 1
                self.entering_next[v] = self.entering[k]
                self.entering[k] = v
        self.mark += 1
        mark = self.mark
        total = 0
        long_gaps = 0
        for k in range(self.clues):
            if k & 0x3F == 0x3F:
                self.look()
            self.begin[k] = total
            self.wanted[k] = 0
            if self.leaving[k] < 0 and self.entering[k] < 0:
                continue
            if self.leaving[k] < 0 or self.entering[k] < 0:
                return -1
            gap = self.time[k + 1] - self.time[k] if k + 1 < self.clues else (
                self.time[0] + n - self.time[k])
            if gap > GAP:
                long_gaps = 1
                self._allow(self.leaving[k], self.leaving_next)
                self._allow(self.entering[k], self.entering_next)
                continue
            reached = self._reach(k, gap)
            # Every step between must have a vertex that can take it.
            first = 0
            x = self.leaving[k]
            while x >= 0:
                first = max(first, (self.late[x] - self.time[k] + n) % n)
                x = self.leaving_next[x]
            last = gap
            x = self.entering[k]
            while x >= 0:
                last = min(last, (self.early[x] - self.time[k] + n) % n)
                x = self.entering_next[x]
            all_covered = 0
            for i in range(reached):
                v = self.touched[i]
                mask = self.from_behind[mate[v]] >> (size[v] - 1)
                if mask:
                    self.place_end[total] = v
                    self.place_mask[total] = mask
                    self.place_gap[total] = k
                    covered = 0
                    for d in range(size[v]):
                        covered |= mask << d
                    self.covered[total] = covered
                    all_covered |= covered
                    total += 1
                    self.placed[v] = 1
            for i in range(reached):
                v = self.touched[i]
                self.from_before[v] = 0
                self.from_behind[mate[v]] = 0
            if last > first + 1:
                self.wanted[k] = ((one << last) - 1) & ~((one << (first + 1)) - 1)
            if self.wanted[k] & ~all_covered:
                self._weigh_gap(k)
                return -1
        self.begin[self.clues] = total
        if not long_gaps:
            for v in range(n):
                if need[v] and held[v] == 0 and not self.placed[v] and not self.placed[mate[v]]:
                    self._weigh(v)
                    return -1
        if not self._assign(total):
            return -1
        # Edges that some step can use.
        for k in range(self.clues):
            if self.begin[k] == self.begin[k + 1] and self.wanted[k]:
                continue
            if self.leaving[k] < 0:
                continue
            x = self.entering[k]
            while x >= 0:
                t = (self.early[x] - self.time[k] + n) % n
                entry[x] = one << t if t <= GAP else 0
                x = self.entering_next[x]
            for i in range(self.begin[k], self.begin[k + 1]):
                entry[self.place_end[i]] = self.place_mask[i]
            x = self.leaving[k]
            while x >= 0:
                t = (self.late[x] - self.time[k] + n) % n + 1
                bit = one << t if t <= GAP else 0
                for j in range(off[x], off[x + 1]):
                    if status[eid[j]] == 0 and entry[nbr[j]] & bit:
                        self.edge_mark[eid[j]] = mark
                x = self.leaving_next[x]
            for i in range(self.begin[k], self.begin[k + 1]):
                v = self.place_end[i]
                mask = self.place_mask[i] << size[v]
                v = mate[v]
                for j in range(off[v], off[v + 1]):
                    if status[eid[j]] == 0 and entry[nbr[j]] & mask:
                        self.edge_mark[eid[j]] = mark
            for i in range(self.begin[k], self.begin[k + 1]):
                entry[self.place_end[i]] = 0
            x = self.entering[k]
            while x >= 0:
                entry[x] = 0
                x = self.entering_next[x]
        deleted = 0
        for e in range(self.m):
            if status[e] == 0 and self.edge_mark[e] != mark:
                if long_gaps and held[self.eu[e]] == 0 and held[self.ev[e]] == 0:
                    continue
                self._delete(e)
                deleted += 1
        return deleted

    cdef int _assign(self, int total) noexcept nogil:
        """Drop the places that no assignment of subpaths to all times between the clues has.

        Each time between two clues is taken by one subpath, and a subpath takes no more times than
        it has vertices. A place survives when it is in some such assignment: when its subpath and
        its time lie in one strong component of the residual graph (Regin 1994). Returns 0 when
        there is no assignment.
        """
        size, mate, places = self.size, self.mate, self.places
        cdef uint64_t mask, one = 1
        n = self.n
        for v in range(n):
            places[v] = -1
            self.used[v] = 0
            self.taken[v] = -1
        i = total - 1
        while i >= 0:
            v = min(self.place_end[i], mate[self.place_end[i]])
            self.place_next[i] = places[v]
            places[v] = i
            i -= 1
        # What is left of the last assignment.
        for k in range(self.clues):
            mask = self.wanted[k]
            while mask:
                t = lowest_bit(mask)
                mask &= mask - 1
                s = (self.time[k] + t) % n
                v = self.taker[s]
                self.taker[s] = -1
                if v < 0 or self.need[v] == 0 or self.held[v]:
                    continue
                v = min(v, mate[v])
                if self.used[v] < size[v] and self._can_take(v, k, t):
                    self._take(v, s)
        for k in range(self.clues):
            mask = self.wanted[k]
            while mask:
                t = lowest_bit(mask)
                mask &= mask - 1
                s = (self.time[k] + t) % n
                if self.taker[s] < 0 and not self._fill(k, t):
                    self._weigh_gap(k)
                    return 0
        self._components()
        for i in range(total):
            k = self.place_gap[i]
            x = self.place_end[i]
            v = min(x, mate[x])
            mask = self.place_mask[i]
            while mask:
                t = lowest_bit(mask)
                mask &= mask - 1
                for d in range(t, t + size[x]):
                    s = (self.time[k] + d) % n
                    if (self.wanted[k] >> d & 1 and self.taker[s] != v
                            and self.component[v] != self.component[n + s]):
                        self.place_mask[i] &= ~(one << t)
                        break
        return 1

    cdef int _can_take(self, int v, int k, int t) noexcept nogil:
        """Whether the subpath of v has a place between a clue and the next that covers a time."""
        i = self.places[v]
        while i >= 0:
            if self.place_gap[i] == k and self.covered[i] >> t & 1:
                return 1
            i = self.place_next[i]
        return 0

    cdef void _take(self, int v, int s) noexcept nogil:
        self.taker[s] = v
        self.used[v] += 1
        self.taken_next[s] = self.taken[v]
        self.taken[v] = s

    cdef void _release(self, int v, int s) noexcept nogil:
        self.used[v] -= 1
        if self.taken[v] == s:
            self.taken[v] = self.taken_next[s]
            return
        r = self.taken[v]
        while self.taken_next[r] != s:
            r = self.taken_next[r]
        self.taken_next[r] = self.taken_next[s]

    cdef int _fill(self, int k, int t) noexcept nogil:
        """Give a time to a subpath, others giving way along an alternating path; 0 if none can."""
        n = self.n
        queue = self.stack
        for v in range(n):
            self.seen[v] = 0
        queue[0] = (self.time[k] + t) % n
        self.came[queue[0]] = -1
        head = 0
        tail = 1
        while head < tail:
            s = queue[head]
            head += 1
            k = self.before[s]
            t = (s - self.time[k] + n) % n
            for i in range(self.begin[k], self.begin[k + 1]):
                if not self.covered[i] >> t & 1:
                    continue
                v = min(self.place_end[i], self.mate[self.place_end[i]])
                if self.seen[v]:
                    continue
                self.seen[v] = 1
                if self.used[v] < self.size[v]:
                    while True:
                        r = self.came[s]
                        w = self.taker[s]
                        if w >= 0:
                            self._release(w, s)
                        self._take(v, s)
                        if r < 0:
                            return 1
                        v = w
                        s = r
                r = self.taken[v]
                while r >= 0:
                    self.came[r] = s
                    queue[tail] = r
                    tail += 1
                    r = self.taken_next[r]
        return 0

    cdef void _components(self) noexcept nogil:
        """Number the strong components of the residual graph of the assignment.

        Its vertices: the subpaths; n + s for a time s; 2n for the subpaths' room. Arcs lead from a
        subpath to the times that it could take besides, from a time to its taker, from a subpath
        that takes one to 2n, and from 2n to one with room left.
        """
        n = self.n
        order, low, component = self.order, self.low, self.component
        for v in range(2 * n + 1):
            order[v] = -1
            component[v] = -1
        for v in range(n):
            self.place_now[v] = self.places[v]
            self.rest[v] = self.covered[self.places[v]] if self.places[v] >= 0 else 0
            self.seen[v] = 0
        ticks = 0
        count = 0
        opened = 0
        room = 0
        for root in range(n):
            if self.places[root] < 0 or order[root] >= 0:
                continue
            u = root
            self.parent[u] = -1
            order[u] = low[u] = ticks
            ticks += 1
            self.stack[opened] = u
            opened += 1
            while u >= 0:
                w = -1
                if u < n:
                    while True:
                        if self.rest[u]:
                            t = lowest_bit(self.rest[u])
                            self.rest[u] &= self.rest[u] - 1
                            k = self.place_gap[self.place_now[u]]
                            if self.wanted[k] >> t & 1 == 0:
                                continue
                            w = n + (self.time[k] + t) % n
                            if self.taker[w - n] == u:
                                w = -1
                                continue
                            break
                        if self.place_now[u] >= 0:
                            self.place_now[u] = self.place_next[self.place_now[u]]
                            if self.place_now[u] >= 0:
                                self.rest[u] = self.covered[self.place_now[u]]
                            continue
                        if not self.seen[u]:
                            self.seen[u] = 1
                            if self.used[u]:
                                w = 2 * n
                        break
                elif u < 2 * n:
                    if not self.waits[u - n]:
                        self.waits[u - n] = 1
                        w = self.taker[u - n]
                else:
                    while room < n:
                        if self.places[room] >= 0 and self.used[room] < self.size[room]:
                            w = room
                            room += 1
                            break
                        room += 1
                if w >= 0:
                    if order[w] < 0:
                        order[w] = low[w] = ticks
                        ticks += 1
                        self.parent[w] = u
                        self.stack[opened] = w
                        opened += 1
                        u = w
                    elif component[w] < 0 and order[w] < low[u]:
                        low[u] = order[w]
                    continue
                if low[u] == order[u]:
                    while True:
                        opened -= 1
                        w = self.stack[opened]
                        component[w] = count
                        if w == u:
                            break
                    count += 1
                w = self.parent[u]
                if w >= 0 and low[u] < low[w]:
                    low[w] = low[u]
                u = w
        for v in range(n):
            self.waits[v] = 0

    cdef void _allow(self, int x, const int32_t *following) noexcept nogil:
        """Let all edges at the ends of a gap that is too long to be looked into."""
        while x >= 0:
            for j in range(self.off[x], self.off[x + 1]):
                self.edge_mark[self.eid[j]] = self.mark
            x = following[x]

    cdef int _reach(self, int k, int gap) noexcept nogil:
        """Find at which times after a clue subpaths can be entered and left so as to meet the next.

        Bit t of from_before[v]: v can be reached t steps after the clue; bit t of from_behind[v]:
        moreover, when v is left then, the next clue is reached in time. Returns how many vertices
        stand in `touched`: those reached.
        """
        off, nbr, eid, status = self.off, self.nbr, self.eid, self.status
        cdef uint64_t mask, one = 1
        cdef uint64_t full = (one << gap) - 1
        n = self.n
        reached = 0
        tail = 0
        x = self.leaving[k]
        while x >= 0:
            mask = (one << ((self.late[x] - self.time[k] + n) % n + 1)) & full
            for j in range(off[x], off[x + 1]):
                if status[eid[j]] == 0 and self.held[nbr[j]] == 0:
                    w = nbr[j]
                    if mask & ~self.from_before[w]:
                        if self.from_before[w] == 0:
                            self.touched[reached] = w
                            reached += 1
                        self.from_before[w] |= mask
                        if not self.waits[w]:
                            self.waits[w] = 1
                            self.waiting[tail] = w
                            tail += 1
            x = self.leaving_next[x]
        head = 0
        room = tail
        while room:
            v = self.waiting[head]
            head = head + 1 if head + 1 < n else 0
            room -= 1
            self.waits[v] = 0
            if self.size[v] >= gap:
                continue
            mask = (self.from_before[v] << self.size[v]) & full
            if mask == 0:
                continue
            v = self.mate[v]
            for j in range(off[v], off[v + 1]):
                if status[eid[j]] == 0 and self.held[nbr[j]] == 0:
                    w = nbr[j]
                    if mask & ~self.from_before[w]:
                        if self.from_before[w] == 0:
                            self.touched[reached] = w
                            reached += 1
                        self.from_before[w] |= mask
                        if not self.waits[w]:
                            self.waits[w] = 1
                            tail = (head + room) % n
                            self.waiting[tail] = w
                            room += 1
        head = 0
        room = 0
        x = self.entering[k]
        while x >= 0:
            mask = one << ((self.early[x] - self.time[k] + n) % n - 1)
            room = self._lead_back(x, mask, head, room)
            x = self.entering_next[x]
        while room:
            v = self.waiting[head]
            head = head + 1 if head + 1 < n else 0
            room -= 1
            self.waits[v] = 0
            mask = self.from_behind[v] >> self.size[v]
            if mask:
                room = self._lead_back(self.mate[v], mask, head, room)
        return reached

    cdef int _lead_back(self, int x, uint64_t mask, int head, int room) noexcept nogil:
        """Note that the neighbours of x can be left at these times; return how many wait."""
        cdef uint64_t more
        for j in range(self.off[x], self.off[x + 1]):
            w = self.nbr[j]
            if self.status[self.eid[j]] or self.held[w]:
                continue
            if self.size[w] > GAP:
                continue
            more = mask & (self.from_before[self.mate[w]] << (self.size[w] - 1))
            if more & ~self.from_behind[w]:
                self.from_behind[w] |= more
                if not self.waits[w]:
                    self.waits[w] = 1
                    self.waiting[(head + room) % self.n] = w
                    room += 1
        return room

    # What the front asks

    def readings(self):
        """Return, of a cycle just found with times, an end and its time walking up and down.

        A time is -1 when any will do and -2 when that direction is impossible.
        """
        u = self.eu[self.trail_index[self._last_choice()]]
        v = self.ev[self.trail_index[self._last_choice()]]
        return [u, v, self.early[u], self.late[u]]

    cdef int _last_choice(self) noexcept nogil:
        """Return where on the trail the last edge was chosen: the one that closed the cycle."""
        k = self.trail_size - 1
        while self.trail_kind[k] != 2:
            k -= 1
        return k

    # What the front asks

    def set_times(self, clue):
        """Give some vertices their place in the cycle, counted modulo the number of vertices.

        Args:
            clue: for every vertex its time, -1 for unknown. Call it before `load`.
        """
        cdef int n = len(clue), v, t, k
        cdef Arena arena
        known = sorted((time, vertex) for vertex, time in enumerate(clue) if time >= 0)
        if n * len(known) > DISTANCES:
            raise MemoryError
        arena.base = NULL
        arena.used = 0
        self.time_layout(&arena, n, self.edges, len(known))
        free(self.time_block)
        self.time_block = <char *> calloc(arena.used, 1)
        if self.time_block == NULL:
            raise MemoryError
        arena.base = self.time_block
        arena.used = 0
        self.time_layout(&arena, n, self.edges, len(known))
        self.timed = 1
        self.guided = self.placing
        self.clues = len(known)
        for v in range(n):
            self.clue[v] = clue[v]
        for k in range(self.clues):
            self.time[k] = known[k][0]
            self.prefix[self.time[k] + 1] += 1
        for t in range(n):
            self.prefix[t + 1] += self.prefix[t]
        for t in range(n):
            self.before[t] = (self.prefix[t] - 1 + self.clues) % self.clues
            self.after[t] = self.prefix[t + 1] % self.clues

    def run(self, int budget):
        """Search on for at most `budget` decisions: PAUSED, FOUND or EXHAUSTED."""
        cdef int result
        with nogil:
            result = self._run(budget)
        return result

    def restart(self, int ties, int guided=0):
        """Go back to the root.

        Args:
            ties: break ties at random from now on (1) or not (0).
            guided: with clues, grow the subpaths that hold them, the hardest first, and look
                between the clues after every decision (1), or not (0).
        """
        self._restart()
        self.ties = ties
        self.guided = guided and self.placing


cdef class TwoFactor:
    """A cover of the graph by cycles that is merged into one, beside the exact search.

    Args:
        graph: the board, explored.
        split: make two vertices of every square: for directed boards, and for those whose colours
            do not alternate.
        kind: 0 closed, 1 from `start` to `end`, 2 from `start` (split: or to `end`), 3 open.
        start, end: vertices of the board, -1 for none.
        seed: of the random choices.
        times: for every vertex of the board its step, -1 for unknown; None for no clues. Not with
            kind 3 unless the colours settle which end is which.

    `search` holds the graph H with all that is proved about it: DELETED and CHOSEN edges at its
    root hold for every tour. Invariant once `pairs` has run: first[v] and second[v] are the two
    edges of the cover at v, and every CHOSEN edge is in the cover.
    """

    cdef readonly CycleSearch search
    cdef CycleSearch window_search
    cdef MoveGraph graph
    cdef readonly int split, n, m, cycles, deficit, ok
    cdef readonly int64_t nodes
    cdef int kind, clock, steps
    cdef uint64_t random
    cdef int32_t *first
    cdef int32_t *second
    cdef int32_t *cycle
    cdef int32_t *place
    cdef int32_t *seq
    cdef int32_t *begin
    cdef int32_t *union_
    cdef int32_t *stamp
    cdef int32_t *parent
    cdef int32_t *root
    cdef int32_t *queue
    cdef int32_t *local
    cdef int32_t *freedom
    cdef int32_t *before
    cdef int32_t *behind
    cdef int32_t bucket[16]
    cdef int32_t *window_map
    cdef int8_t *side
    cdef int8_t *in_cover
    cdef int8_t *saved
    cdef int8_t *lack
    cdef char *block

    cdef void layout(self, Arena *arena, size_t n, size_t m) noexcept nogil:
        self.side = small_ints(arena, n)
        self.lack = small_ints(arena, n)
        self.in_cover = small_ints(arena, m)
        self.saved = small_ints(arena, m)
        self.first = ints(arena, n)
        self.second = ints(arena, n)
        self.cycle = ints(arena, n)
        self.place = ints(arena, n)
        self.seq = ints(arena, n + 1)
        self.begin = ints(arena, n + 1)
        self.union_ = ints(arena, n + 1)
        self.stamp = ints(arena, n)
        self.parent = ints(arena, n)
        self.root = ints(arena, n)
        self.queue = ints(arena, n + 1)
        self.local = ints(arena, n)
        self.freedom = ints(arena, n)
        self.before = ints(arena, n)
        self.behind = ints(arena, n)
        self.window_map = ints(arena, WINDOW_EDGES)

    def __cinit__(self, MoveGraph graph, bint split, int kind, int start, int end, uint64_t seed,
                  times=None):
        cdef Arena arena
        cdef size_t vertices, edges, n = graph.n, arcs = graph.arcs
        cdef int v
        if split:
            vertices = 2 * n + (2 if kind else 0)
            edges = arcs + n + (2 * n + 1 if kind else 0)
        else:
            vertices = n + (0 if kind < 2 else 1 if kind == 2 else 2)
            edges = arcs // 2 + 2 * n + 2
        self.graph = graph
        self.split = split
        self.kind = kind
        self.random = seed
        self.search = CycleSearch(vertices, edges, seed, graph.watch)
        arena.base = NULL
        arena.used = 0
        self.layout(&arena, vertices, edges)
        self.block = <char *> calloc(arena.used, 1)
        if self.block == NULL:
            raise MemoryError
        arena.base = self.block
        arena.used = 0
        self.layout(&arena, vertices, edges)
        with nogil:
            if split:
                self._build_split(start, end)
            else:
                self._build_plain(start, end)
        if times is not None:
            self.search.set_times(self._clues(times))
        with nogil:
            for v in range(self.n):
                if v & STRIDE == STRIDE:
                    self.look()
                self.first[v] = -1
                self.second[v] = -1
                self.local[v] = -1
                self.before[v] = -1
                self.behind[v] = -1
            self.ok = self.search._load(self.n, self.m, 0)

    def __dealloc__(self):
        free(self.block)

    cdef int look(self) except -1 nogil:
        return self.graph.look()

    cdef void _edge(self, int u, int v, int forced) noexcept nogil:
        self.search.eu[self.m] = u
        self.search.ev[self.m] = v
        self.search.forced[self.m] = forced
        self.m += 1

    def _clues(self, times):
        """Return the times of the vertices of H: the first square has time 1 where there is a z."""
        cdef int n = self.graph.n, v
        if self.split:
            # In time 2t, out time 2t + 1; z is square number 0.
            clue = []
            for t in times:
                clue += [-1, -1] if t < 0 else [(2 * t + 1) % self.n, 2 * t % self.n]
            return [*clue, 1, 0] if self.kind else clue
        clue = list(times)
        if self.kind == 2:
            clue.append(0)
        elif self.kind == 3:
            if self.n == n + 1:
                clue.append(0)
            else:
                # zB (n + 1) is next to colour 0, zA (n) to colour 1.
                for v in range(n):
                    if times[v] >= 0:
                        first = (self.graph.colour[v] + times[v] + 1) & 1
                        clue += [n + 1, 0] if first == 0 else [0, n + 1]
                        break
        return clue

    cdef uint64_t _next(self) noexcept nogil:
        return splitmix64(&self.random)

    cdef int _build_plain(self, int start, int end) except -1 nogil:
        """H of an undirected board: the squares, and z, or zA and zB, of an open tour."""
        side = self.side
        n = self.graph.n
        for u in range(n):
            if u & STRIDE == STRIDE:
                self.look()
            side[u] = self.graph.colour[u]
            for k in range(self.graph.off[u], self.graph.off[u + 1]):
                if u < self.graph.nbr[k]:
                    self._edge(u, self.graph.nbr[k], 0)
        self.n = n
        if self.kind == 0:
            return 0
        if self.kind == 1:
            self._edge(start, end, 1)
            return 0
        ones = 0
        for v in range(n):
            ones += self.graph.colour[v]
        if self.kind == 2:
            self.n = n + 1
            self._edge(start, n, 1)
            target = self.graph.colour[start]
            if 2 * ones == n:
                target = 1 - target
            side[n] = 1 - target
            for v in range(n):
                if v != start and (not self.graph.bipartite or self.graph.colour[v] == target):
                    self._edge(n, v, 0)
            return 0
        if self.graph.bipartite and 2 * ones == n:
            self.n = n + 2
            side[n] = 0
            side[n + 1] = 1
            self._edge(n, n + 1, 1)
            for v in range(n):
                self._edge(n + 1 if self.graph.colour[v] == 0 else n, v, 0)
            return 0
        self.n = n + 1
        major = 1 if 2 * ones > n else 0
        side[n] = 1 - major
        for v in range(n):
            if not self.graph.bipartite or self.graph.colour[v] == major:
                self._edge(n, v, 0)
        return 0

    cdef int _build_split(self, int start, int end) except -1 nogil:
        """H of a board taken as directed: out(v) = 2v, in(v) = 2v + 1."""
        side = self.side
        n = self.graph.n
        for v in range(n):
            side[2 * v + 1] = 1
            self._edge(2 * v, 2 * v + 1, 1)
        for u in range(n):
            if u & STRIDE == STRIDE:
                self.look()
            for k in range(self.graph.off[u], self.graph.off[u + 1]):
                self._edge(2 * u, 2 * self.graph.nbr[k] + 1, 0)
        self.n = 2 * n
        if self.kind == 0:
            return 0
        self.n = 2 * n + 2
        side[2 * n + 1] = 1
        self._edge(2 * n, 2 * n + 1, 1)
        ones = 0
        for v in range(n):
            ones += self.graph.colour[v]
        for v in range(n):
            # With one colour in the majority a tour starts and ends on it.
            if (self.graph.bipartite and 2 * ones != n
                    and (self.graph.colour[v] == 1) != (2 * ones > n)):
                continue
            if start < 0 or start == v:
                self._edge(2 * n, 2 * v + 1, 0)
            if end < 0 or end == v:
                self._edge(2 * v, 2 * n + 1, 0)
        return 0

    cdef int _below(self, int bound) noexcept nogil:
        return self._next() % bound

    # What is known at the root

    def settle(self, int u, int w, int required):
        """Require (1) or forbid (0) the move from u to w; 0 when that contradicts what is known.

        On a board that is not split it is the move in either direction; -1: there is no such move.
        """
        if self.split:
            u = 2 * u
            w = 2 * w + 1
        found = -1
        for k in range(self.search.off[u], self.search.off[u + 1]):
            e = self.search.eid[k]
            if self.search.nbr[k] == w and not self.search.forced[e]:
                found = e
        if found < 0:
            return -1
        if required:
            if self.search.status[found] == 1 or (
                self.search.status[found] == 0 and not self.search._choose(found)
            ):
                self.search._forget()
                self.ok = 0
                return 0
        else:
            if self.search.status[found] == 2:
                self.ok = 0
                return 0
            if self.search.status[found] == 0:
                self.search._delete(found)
        self.ok = self.search._propagate()
        self.search.ok = self.ok
        return self.ok

    def forced_squares(self, int most):
        """Return squares of the board that a contradiction at the root has left without a way."""
        found = []
        for v in range(self.n):
            if self.search.deg[v] < self.search.need[v]:
                u = v // 2 if self.split else v
                if u < self.graph.n and u not in found:
                    found.append(u)
                    if len(found) == most:
                        break
        return found

    # The cover: Warnsdorff walks, then augmenting searches

    cdef void _link(self, int v) noexcept nogil:
        """Put a vertex into the bucket of its freedom."""
        b = min(self.freedom[v], 15)
        head = self.bucket[b]
        self.behind[v] = head
        self.before[v] = -1
        if head >= 0:
            self.before[head] = v
        self.bucket[b] = v

    cdef void _unlink(self, int v) noexcept nogil:
        if self.before[v] >= 0:
            self.behind[self.before[v]] = self.behind[v]
        else:
            self.bucket[min(self.freedom[v], 15)] = self.behind[v]
        if self.behind[v] >= 0:
            self.before[self.behind[v]] = self.before[v]

    cdef void _visit(self, int v) noexcept nogil:
        self._unlink(v)
        self.stamp[v] = 1
        for k in range(self.search.off[v], self.search.off[v + 1]):
            w = self.search.nbr[k]
            if self.search.status[self.search.eid[k]] == 0 and not self.stamp[w]:
                self._unlink(w)
                self.freedom[w] -= 1
                self._link(w)

    cdef int _walk_on(self, int p) except -1 nogil:
        """Walk from a vertex, always to the neighbour of least freedom, until it gets stuck."""
        while self.lack[p] > 0:
            self.steps += 1
            if self.steps & STRIDE == 0:
                self.look()
            edge = -1
            target = -1
            least = 1 << 30
            ties = 0
            for k in range(self.search.off[p], self.search.off[p + 1]):
                w = self.search.nbr[k]
                if self.search.status[self.search.eid[k]] == 0 and not self.stamp[w]:
                    f = self.freedom[w]
                    if f < least:
                        least = f
                        edge = self.search.eid[k]
                        target = w
                        ties = 1
                    elif f == least:
                        ties += 1
                        if self._below(ties) == 0:
                            edge = self.search.eid[k]
                            target = w
            if edge < 0:
                return 0
            self.in_cover[edge] = 1
            self.lack[p] -= 1
            self.lack[target] -= 1
            self._visit(target)
            p = target
            if self.search.need[target] == 1:
                # On the far end of the forced chain that begins here.
                p = self.search.mate[target]
                if not self.stamp[p]:
                    self._visit(p)
        return 0

    cdef int c_cover(self) except -1 nogil:
        n = self.n
        for e in range(self.m):
            self.in_cover[e] = 1 if self.search.status[e] == 2 else 0
        for b in range(16):
            self.bucket[b] = -1
        v = n - 1
        while v >= 0:
            if v & STRIDE == STRIDE:
                self.look()
            self.lack[v] = self.search.need[v]
            self.freedom[v] = self.search.deg[v]
            self.stamp[v] = 1
            if self.search.need[v]:
                self.stamp[v] = 0
                self._link(v)
            v -= 1
        b = 0
        while b < 16:
            v = self.bucket[b]
            if v < 0:
                b += 1
                continue
            other = v
            p = v
            self._visit(v)
            if self.search.need[v] == 1:
                p = self.search.mate[v]
                if not self.stamp[p]:
                    self._visit(p)
            self._walk_on(p)
            self._walk_on(other)
            b = 0
        for v in range(n):
            self.stamp[v] = 0
        self.clock = 0
        return 0

    cdef int c_augment(self) except -1 nogil:
        stamp, lack, queue = self.stamp, self.lack, self.queue
        root, parent, in_cover, status = self.root, self.parent, self.in_cover, self.search.status
        off, nbr, eid = self.search.off, self.search.nbr, self.search.eid
        self.clock += 1
        clock = self.clock
        tail = 0
        self.deficit = 0
        for v in range(self.n):
            if lack[v] > 0:
                self.deficit += lack[v]
                if self.side[v] == 0:
                    stamp[v] = clock
                    root[v] = v
                    parent[v] = -1
                    queue[tail] = v
                    tail += 1
        head = 0
        flips = 0
        while head < tail:
            u = queue[head]
            head += 1
            if head & STRIDE == 0:
                self.look()
            r = root[u]
            if root[r] != r:
                continue  # this tree has done its work
            if self.side[u] == 0:
                for k in range(off[u], off[u + 1]):
                    e = eid[k]
                    if in_cover[e] or status[e]:
                        continue
                    w = nbr[k]
                    if stamp[w] == clock:
                        continue
                    stamp[w] = clock
                    root[w] = r
                    parent[w] = e
                    if lack[w] > 0:
                        lack[w] -= 1
                        lack[r] -= 1
                        x = w
                        while parent[x] >= 0:
                            e = parent[x]
                            in_cover[e] = 1 - in_cover[e]
                            x = self.search.eu[e] + self.search.ev[e] - x
                        root[r] = -1
                        flips += 1
                        self.deficit -= 2
                        break
                    queue[tail] = w
                    tail += 1
            else:
                for k in range(off[u], off[u + 1]):
                    e = eid[k]
                    if not in_cover[e] or status[e]:
                        continue
                    w = nbr[k]
                    if stamp[w] == clock:
                        continue
                    stamp[w] = clock
                    root[w] = r
                    parent[w] = e
                    queue[tail] = w
                    tail += 1
        return flips

    def tight(self, int most):
        """Return squares on the left that the last search reached: too many for their moves."""
        found = []
        for v in range(self.n):
            if self.stamp[v] == self.clock and self.side[v] == 0:
                u = v // 2 if self.split else v
                if u < self.graph.n:
                    found.append(u)
                    if len(found) == most:
                        break
        return found

    cdef int c_match(self) except -1 nogil:
        in_cover, lack = self.in_cover, self.lack
        for v in range(self.n):
            lack[v] = 2
        for e in range(self.m):
            if e & (4 * STRIDE + 3) == 4 * STRIDE + 3:
                self.look()
            if self.search.status[e]:
                in_cover[e] = self.search.status[e] - 1
            if in_cover[e]:
                lack[self.search.eu[e]] -= 1
                lack[self.search.ev[e]] -= 1
        for v in range(self.n):
            if lack[v] >= 0:
                continue
            for k in range(self.search.off[v], self.search.off[v + 1]):
                e = self.search.eid[k]
                if in_cover[e] and self.search.status[e] == 0:
                    in_cover[e] = 0
                    lack[v] += 1
                    lack[self.search.nbr[k]] += 1
                    if lack[v] == 0:
                        break
        return 0

    cdef int c_pairs(self) except -1 nogil:
        for v in range(self.n):
            self.first[v] = -1
            self.second[v] = -1
        for e in range(self.m):
            if e & (4 * STRIDE + 3) == 4 * STRIDE + 3:
                self.look()
            if self.in_cover[e]:
                self._attach(self.search.eu[e], e)
                self._attach(self.search.ev[e], e)
        return 0

    cdef void _attach(self, int v, int e) noexcept nogil:
        if self.first[v] < 0:
            self.first[v] = e
        else:
            self.second[v] = e

    cdef void _detach(self, int v, int e) noexcept nogil:
        if self.first[v] == e:
            self.first[v] = -1
        else:
            self.second[v] = -1

    cdef void _swap(self, int v, int old, int new) noexcept nogil:
        if self.first[v] == old:
            self.first[v] = new
        else:
            self.second[v] = new

    cdef inline void _flip(self, int u, int u2, int v, int v2, int e1, int e2, int e3,
                           int e4) noexcept nogil:
        """Exchange the edges u-u2 and v-v2 of the cover for u-v and u2-v2."""
        self.in_cover[e1] = self.in_cover[e3] = 0
        self.in_cover[e2] = self.in_cover[e4] = 1
        self._swap(u, e1, e2)
        self._swap(v, e3, e2)
        self._swap(u2, e1, e4)
        self._swap(v2, e3, e4)

    cdef void _drop(self, int e) noexcept nogil:
        """Take an edge out of the cover, for the time being."""
        self.in_cover[e] = 0
        self._detach(self.search.eu[e], e)
        self._detach(self.search.ev[e], e)

    cdef void _put(self, int e) noexcept nogil:
        """Put an edge into the cover where there is room for it."""
        self.in_cover[e] = 1
        self._attach(self.search.eu[e], e)
        self._attach(self.search.ev[e], e)

    # Cycles and how to merge them

    cdef int c_label(self) except -1 nogil:
        cycle, place, seq = self.cycle, self.place, self.seq
        for v in range(self.n):
            cycle[v] = -1
        count = 0
        size = 0
        for start in range(self.n):
            if cycle[start] >= 0:
                continue
            self.begin[count] = size
            v = start
            e = self.first[v]
            while cycle[v] < 0:
                cycle[v] = count
                place[v] = size
                seq[size] = v
                size += 1
                if size & STRIDE == 0:
                    self.look()
                v = self.search.eu[e] + self.search.ev[e] - v
                e = self.second[v] if self.first[v] == e else self.first[v]
            count += 1
        self.begin[count] = size
        self.cycles = count
        return count

    def extremes(self):
        """Return the numbers of the longest and of the shortest cycle."""
        longest = shortest = 0
        for c in range(self.cycles):
            if self.begin[c + 1] - self.begin[c] > self.begin[longest + 1] - self.begin[longest]:
                longest = c
            if self.begin[c + 1] - self.begin[c] < self.begin[shortest + 1] - self.begin[shortest]:
                shortest = c
        return [longest, shortest]

    def squares_of(self, int c, int most):
        """Return squares of a cycle, `most` at the most."""
        found = []
        for k in range(self.begin[c], self.begin[c + 1]):
            u = self.seq[k] // 2 if self.split else self.seq[k]
            if u < self.graph.n and u not in found:
                found.append(u)
                if len(found) == most:
                    break
        return found

    cdef int _find(self, int c) noexcept nogil:
        union = self.union_
        while union[c] != c:
            union[c] = union[union[c]]
            c = union[c]
        return c

    cdef int c_merge(self) except -1 nogil:
        union, cycle = self.union_, self.cycle
        off, nbr, eid = self.search.off, self.search.nbr, self.search.eid
        status = self.search.status
        in_cover = self.in_cover
        for c in range(self.cycles):
            union[c] = c
        merged = 0
        for u in range(self.n):
            if u & STRIDE == STRIDE:
                self.look()
            if off[u + 1] - off[u] > 64:
                continue
            done = 0
            for which in range(2):
                e1 = self.second[u] if which else self.first[u]
                if status[e1]:
                    continue
                u2 = self.search.eu[e1] + self.search.ev[e1] - u
                mine = self._find(cycle[u])
                for k in range(off[u], off[u + 1]):
                    e2 = eid[k]
                    if in_cover[e2] or status[e2]:
                        continue
                    v = nbr[k]
                    if self._find(cycle[v]) == mine:
                        continue
                    for other in range(2):
                        e3 = self.second[v] if other else self.first[v]
                        if status[e3]:
                            continue
                        v2 = self.search.eu[e3] + self.search.ev[e3] - v
                        e4 = self._between(u2, v2)
                        if e4 < 0:
                            continue
                        self._flip(u, u2, v, v2, e1, e2, e3, e4)
                        union[self._find(cycle[v])] = mine
                        merged += 1
                        done = 1
                        break
                    if done:
                        break
                if done:
                    break
        return merged

    cdef int _between(self, int u, int v) noexcept nogil:
        """Return an undecided edge outside the cover between two vertices, or -1."""
        off = self.search.off
        if off[u + 1] - off[u] > 64:
            u, v = v, u
            if off[u + 1] - off[u] > 64:
                return -1
        for k in range(off[u], off[u + 1]):
            if self.search.nbr[k] == v:
                e = self.search.eid[k]
                if self.search.status[e] == 0 and not self.in_cover[e]:
                    return e
        return -1

    cdef int c_mix(self, int tries) except -1 nogil:
        off = self.search.off
        flips = 0
        for i in range(tries):
            if i & STRIDE == STRIDE:
                self.look()
            value = self._next()
            u = (value >> 32) % self.n
            degree = off[u + 1] - off[u]
            if degree > 64 or degree == 0:
                continue
            e1 = self.second[u] if value & 1 else self.first[u]
            k = off[u] + ((value >> 2) & 0xFFFF) % degree
            e2 = self.search.eid[k]
            v = self.search.nbr[k]
            e3 = self.second[v] if value & 2 else self.first[v]
            if (self.search.status[e1] or self.search.status[e2] or self.search.status[e3]
                    or self.in_cover[e2]):
                continue
            u2 = self.search.eu[e1] + self.search.ev[e1] - u
            v2 = self.search.eu[e3] + self.search.ev[e3] - v
            e4 = self._between(u2, v2)
            if e4 < 0 or u2 == v:
                continue
            self._flip(u, u2, v, v2, e1, e2, e3, e4)
            flips += 1
        return flips

    # Windows: a few vertices around a stuck cycle, solved exactly

    cdef int _gather(self, int c, int limit, int whole) noexcept nogil:
        """Collect vertices around a cycle in `queue`, marked in `local`; return how many."""
        queue, local = self.queue, self.local
        off = self.search.off
        begin = self.begin[c]
        length = self.begin[c + 1] - begin
        count = 0
        if whole or 3 * length <= limit:
            for k in range(begin, begin + length):
                queue[count] = self.seq[k]
                local[self.seq[k]] = 0
                count += 1
        else:
            shift = self._below(length)
            for j in range(length):
                v = self.seq[begin + (shift + j) % length]
                if off[v + 1] - off[v] > 64:
                    continue
                leaves = 0
                for k in range(off[v], off[v + 1]):
                    if (self.search.status[self.search.eid[k]] == 0
                            and self.cycle[self.search.nbr[k]] != c):
                        leaves = 1
                        break
                if leaves:
                    queue[0] = v
                    local[v] = 0
                    count = 1
                    break
        head = 0
        while head < count and count < limit:
            u = queue[head]
            head += 1
            if off[u + 1] - off[u] > 64:
                continue
            for k in range(off[u], off[u + 1]):
                w = self.search.nbr[k]
                if self.search.status[self.search.eid[k]] == 1 or local[w] >= 0:
                    continue
                if off[w + 1] - off[w] > 64:
                    continue
                if count >= limit:
                    break
                queue[count] = w
                local[w] = 0
                count += 1
                # Forced partners come along.
                for which in range(2):
                    e = self.second[w] if which else self.first[w]
                    x = self.search.eu[e] + self.search.ev[e] - w
                    if self.search.status[e] == 2 and local[x] < 0:
                        queue[count] = x
                        local[x] = 0
                        count += 1
        return count

    cdef int c_window(self, int c, int limit, int budget) except -1 nogil:
        queue, local, cycle, place = self.queue, self.local, self.cycle, self.place
        off, status = self.search.off, self.search.status
        count = self._gather(c, limit, 0)
        if count > 500:
            for i in range(count):
                local[queue[i]] = -1
            return 0
        # How often each cycle is met, counted in `union`, which is not needed now.
        met = self.union_
        for i in range(count):
            met[cycle[queue[i]]] = 0
        for i in range(count):
            met[cycle[queue[i]]] += 1
        size = 0
        for i in range(count):
            v = queue[i]
            if met[cycle[v]] == 1:
                local[v] = -1
            else:
                queue[size] = v
                size += 1
        self._sort(size)
        several = 0
        for i in range(size):
            local[queue[i]] = i
            if cycle[queue[i]] != cycle[queue[0]]:
                several = 1
        result = 0
        if several:
            edges = 0
            for i in range(size):
                v = queue[i]
                self.window_search.loose[i] = 0
                if off[v + 1] - off[v] > 64:
                    for which in range(2):
                        e = self.second[v] if which else self.first[v]
                        w = self.search.eu[e] + self.search.ev[e] - v
                        if off[w + 1] - off[w] > 64 and local[w] > i and edges < 4000:
                            edges = self._small_edge(edges, i, local[w], 1 if status[e] else 0, e)
                else:
                    for k in range(off[v], off[v + 1]):
                        w = self.search.nbr[k]
                        e = self.search.eid[k]
                        if status[e] == 1 or local[w] < 0:
                            continue
                        if (local[w] > i or off[w + 1] - off[w] > 64) and edges < 4000:
                            edges = self._small_edge(edges, i, local[w], 1 if status[e] else 0, e)
                # The stretch of the cycle outside the window that begins here.
                j = i + 1
                gap = 0
                if j < size and cycle[queue[j]] == cycle[v]:
                    gap = place[queue[j]] - place[v]
                else:
                    j = i
                    while j > 0 and cycle[queue[j - 1]] == cycle[v]:
                        j -= 1
                    length = self.begin[cycle[v] + 1] - self.begin[cycle[v]]
                    gap = length - (place[v] - place[queue[j]])
                if gap > 1 and edges < 4000:
                    edges = self._small_edge(edges, i, j, 1, -1)
            if edges < 4000 and self.window_search._load(size, edges, 0):
                self.window_search.nodes = 0
                if self.window_search._run(budget) == 1:
                    result = 1
                self.nodes += self.window_search.nodes
            if result:
                self._write_back(size, edges)
        for i in range(count):
            local[queue[i]] = -1
        for i in range(size):
            local[queue[i]] = -1
        return result

    cdef int _small_edge(self, int edges, int i, int j, int forced, int e) noexcept nogil:
        self.window_search.eu[edges] = i
        self.window_search.ev[edges] = j
        self.window_search.forced[edges] = forced
        self.window_map[edges] = e
        return edges + 1

    cdef void _write_back(self, int size, int edges) noexcept nogil:
        """Put the solution of a window into the cover."""
        queue, local = self.queue, self.local
        for i in range(size):
            v = queue[i]
            e = self.first[v]
            if local[self.search.eu[e] + self.search.ev[e] - v] >= 0:
                self.first[v] = -1
            e = self.second[v]
            if local[self.search.eu[e] + self.search.ev[e] - v] >= 0:
                self.second[v] = -1
        for k in range(edges):
            e = self.window_map[k]
            if e < 0:
                continue
            self.in_cover[e] = 0
            if self.window_search.status[k] == 2:
                self._put(e)

    cdef int c_obstruction(self, int c, int limit, int budget) except -1 nogil:
        queue, local = self.queue, self.local
        off, status = self.search.off, self.search.status
        if self.begin[c + 1] - self.begin[c] > limit:
            return 0
        inside = self._gather(c, limit, 1)
        size = inside
        if inside <= 300:
            for i in range(inside):
                local[queue[i]] = i
                self.window_search.loose[i] = 0
        edges = 0
        for i in range(inside):
            v = queue[i]
            if off[v + 1] - off[v] > 64 or size > 500 or inside > 300:
                size = 1000
                break
            for k in range(off[v], off[v + 1]):
                w = self.search.nbr[k]
                e = self.search.eid[k]
                if status[e] == 1:
                    continue
                if local[w] < 0:
                    local[w] = size
                    self.window_search.loose[size] = 1
                    queue[size] = w
                    size += 1
                    if size > 500:
                        break
                if (local[w] > i or local[w] >= inside) and edges < 4000:
                    edges = self._small_edge(edges, i, local[w], 1 if status[e] else 0, e)
        result = 0
        if size <= 500 and size < self.n and edges < 4000:
            self.window_search.nodes = 0
            if not self.window_search._load(size, edges, 1) or self.window_search._run(budget) == 2:
                result = inside
            self.nodes += self.window_search.nodes
        for v in range(self.n):
            local[v] = -1
        return result

    def window_squares(self, int count):
        """Return the squares of the last window."""
        found = []
        for i in range(count):
            u = self.queue[i] // 2 if self.split else self.queue[i]
            if u < self.graph.n and u not in found:
                found.append(u)
        return found

    # Kicks

    cdef int c_kick(self, int c) except -1 nogil:
        cycle, stamp, parent, queue = self.cycle, self.stamp, self.parent, self.queue
        off, nbr, eid = self.search.off, self.search.nbr, self.search.eid
        status = self.search.status
        begin = self.begin[c]
        length = self.begin[c + 1] - begin
        shift = self._below(length)
        f = -1
        for j in range(length):
            v = self.seq[begin + (shift + j) % length]
            ties = 0
            for k in range(off[v], off[v + 1]):
                if status[eid[k]] == 0 and cycle[nbr[k]] != c:
                    ties += 1
                    if self._below(ties) == 0:
                        f = eid[k]
            if f >= 0:
                break
        if f < 0:
            return 0
        left = self.search.eu[f]
        right = self.search.ev[f]
        if self.side[left]:
            left, right = right, left
        self.clock += 1
        clock = self.clock
        stamp[right] = clock
        parent[right] = f
        queue[0] = right
        head = 0
        tail = 1
        while head < tail and stamp[left] != clock:
            u = queue[head]
            head += 1
            if head & STRIDE == 0:
                self.look()
            wanted = self.side[u]  # cover edges lead away from the right
            degree = off[u + 1] - off[u]
            if degree == 0:
                continue
            shift = self._below(degree)
            for j in range(degree):
                k = off[u] + (shift + j) % degree
                e = eid[k]
                w = nbr[k]
                if status[e] or self.in_cover[e] != wanted or stamp[w] == clock or e == f:
                    continue
                stamp[w] = clock
                parent[w] = e
                queue[tail] = w
                tail += 1
        if stamp[left] != clock:
            return 0
        # Cover edges first, so that there is room for the others.
        for adding in range(2):
            x = left
            while x != right:
                e = parent[x]
                y = self.search.eu[e] + self.search.ev[e] - x
                # Into a left vertex the path comes by an edge of the cover.
                if self.side[x] == adding:
                    if adding:
                        self._put(e)
                    else:
                        self._drop(e)
                x = y
        self._put(f)
        return 1

    # Proofs

    cdef int c_filter(self) except? -1 nogil:
        off, nbr, eid = self.search.off, self.search.nbr, self.search.eid
        status = self.search.status
        n = self.n
        order, low, component, place, opened = (
            self.root,
            self.parent,
            self.union_,
            self.freedom,
            self.before,
        )
        up = self.behind
        for v in range(n):
            order[v] = -1
            component[v] = -1
            place[v] = off[v]
        tick = 0
        count = 0
        size = 0
        for start in range(n):
            if order[start] >= 0:
                continue
            order[start] = tick
            low[start] = tick
            tick += 1
            up[start] = -1
            opened[size] = start
            size += 1
            u = start
            while u >= 0:
                self.steps += 1
                if self.steps & (4 * STRIDE + 3) == 0:
                    self.look()
                if place[u] < off[u + 1]:
                    k = place[u]
                    place[u] += 1
                    e = eid[k]
                    if status[e] or self.in_cover[e] != self.side[u]:
                        continue
                    w = nbr[k]
                    if order[w] < 0:
                        order[w] = tick
                        low[w] = tick
                        tick += 1
                        up[w] = u
                        opened[size] = w
                        size += 1
                        u = w
                    elif component[w] < 0 and order[w] < low[u]:
                        low[u] = order[w]
                else:
                    if low[u] == order[u]:
                        while True:
                            size -= 1
                            component[opened[size]] = count
                            if opened[size] == u:
                                break
                        count += 1
                    w = up[u]
                    if w >= 0 and low[u] < low[w]:
                        low[w] = low[u]
                    u = w
        changes = 0
        for e in range(self.m):
            if e & (4 * STRIDE + 3) == 4 * STRIDE + 3:
                self.look()
            if status[e] == 0 and component[self.search.eu[e]] != component[self.search.ev[e]]:
                changes += 1
                if self.in_cover[e]:
                    if not self.search._choose(e):
                        self.search._forget()
                        self.ok = 0
                        return -1
                else:
                    self.search._delete(e)
        self.ok = self.search._propagate()
        self.search.ok = self.ok
        return changes if self.ok else -1

    cdef int c_probe(self, int e) except -1 nogil:
        mark = self.search.trail_size
        self.nodes += 1
        refuted = 0
        if not self.search._choose(e):
            self.search._forget()
            refuted = 1
        elif not self.search._propagate():
            refuted = 1
        else:
            for k in range(self.m):
                self.saved[k] = self.in_cover[k]
            self.c_match()
            while self.c_augment():
                pass
            if self.deficit:
                refuted = 1
            for k in range(self.m):
                self.in_cover[k] = self.saved[k]
        self.search._undo(mark)
        return refuted

    def exclude(self, int e):
        """Delete an edge at the root; 0 at a contradiction."""
        self.search._delete(e)
        self.ok = self.search._propagate()
        self.search.ok = self.ok
        return self.ok

    def exits(self, int c):
        """Return the undecided edges that leave a cycle."""
        found = []
        for k in range(self.begin[c], self.begin[c + 1]):
            v = self.seq[k]
            for j in range(self.search.off[v], self.search.off[v + 1]):
                if (self.search.status[self.search.eid[j]] == 0
                        and self.cycle[self.search.nbr[j]] != c):
                    found.append(self.search.eid[j])
        return found

    def decided(self, int e):
        """Return the status of an edge."""
        return self.search.status[e]

    # The answer

    cdef int c_adopt(self) except -1 nogil:
        for e in range(self.m):
            self.in_cover[e] = 1 if self.search.status[e] == 2 else 0
        return self.c_pairs()

    cdef void _sort(self, int size) noexcept nogil:
        """Sort the vertices in `queue` by cycle and place: by insertion, they are few."""
        for i in range(1, size):
            v = self.queue[i]
            j = i
            while j > 0 and self.place[self.queue[j - 1]] > self.place[v]:
                self.queue[j] = self.queue[j - 1]
                j -= 1
            self.queue[j] = v

    # What the front asks

    def cover(self):
        """Begin a cover: forced edges, and Warnsdorff walks through the rest."""
        with nogil:
            self.c_cover()

    def augment(self):
        """Grow one tree of alternating paths from every vertex on the left that lacks an edge.

        Returns:
            How many lacks were filled; afterwards `deficit` tells how many are left on both sides.
            0 with a deficit is a proof that there is no 2-factor: `tight` lists the squares.
        """
        cdef int result
        with nogil:
            result = self.c_augment()
        return result

    def match(self):
        """Make the cover agree again with what has been proved at the root since."""
        with nogil:
            self.c_match()

    def pairs(self):
        """Note for every vertex its two edges of the cover."""
        with nogil:
            self.c_pairs()

    def label(self):
        """Number the cycles of the cover; return how many there are."""
        cdef int result
        with nogil:
            result = self.c_label()
        return result

    def merge(self):
        """Flip alternating 4-cycles that touch two cycles; return how many; then label anew.

        Exchanging edges of two different cycles always makes one cycle of them, in whatever
        direction they run: so it takes no more than a union-find to know which are different.
        """
        cdef int result
        with nogil:
            result = self.c_merge()
        return result

    def mix(self, int tries):
        """Flip alternating 4-cycles at random places, whatever cycles they touch."""
        cdef int result
        with nogil:
            result = self.c_mix(tries)
        return result

    def window(self, int c, int limit, int budget):
        """Join all cycles in a window around a cycle by solving the window exactly.

        Args:
            c: the cycle.
            limit: vertices of the window, at most `_WINDOW` - 20.
            budget: most decisions of the exact search.

        Returns:
            1 when the cycles of the window are one now (label anew), else 0.
        """
        if self.window_search is None:
            self.window_search = CycleSearch(WINDOW, WINDOW_EDGES, 0)
        cdef int result
        with nogil:
            result = self.c_window(c, limit, budget)
        return result

    def obstruction(self, int c, int limit, int budget):
        """Try to prove on a window around a cycle that the whole graph has no Hamiltonian cycle.

        The vertices around the window may have any two edges or fewer, and no cycle may be closed.

        Returns:
            The number of vertices of the window, which stand in `queue` then, for a proof; else 0.
        """
        if self.window_search is None:
            self.window_search = CycleSearch(WINDOW, WINDOW_EDGES, 0)
        cdef int result
        with nogil:
            result = self.c_obstruction(c, limit, budget)
        return result

    def kick(self, int c):
        """Open a cycle along a random shortest alternating cycle; 0 when there is none."""
        cdef int result
        with nogil:
            result = self.c_kick(c)
        return result

    def filter(self):
        """Delete edges that are in no 2-factor, and choose those that are in all.

        An edge of the cover lies in all 2-factors, and one outside in none, when its ends are in
        different strong components of the residual graph.

        Returns:
            How many edges were decided, -1 for a contradiction. Afterwards the cover has to be
            matched again.
        """
        cdef int result
        with nogil:
            result = self.c_filter()
        return result

    def probe(self, int e):
        """Whether choosing an undecided edge leads to a contradiction or leaves no 2-factor."""
        cdef int result
        with nogil:
            result = self.c_probe(e)
        return result

    def adopt(self):
        """Take the Hamiltonian cycle that the exact search has found as the cover."""
        with nogil:
            self.c_adopt()

    def walk(self, int start):
        """Return the vertices of the cycle through a vertex, in order, native int32."""
        cdef int e = self.first[start]
        cdef int v = self.search.eu[e] + self.search.ev[e] - start
        cdef int size = 1
        self.queue[0] = start
        while v != start:
            self.queue[size] = v
            size += 1
            if size & STRIDE == 0:
                self.graph.watch()
            e = self.second[v] if self.first[v] == e else self.first[v]
            v = self.search.eu[e] + self.search.ev[e] - v
        return int_bytes(self.queue, size)


cdef struct Level:
    # A square on the path of at most 64: the free squares, four planes, what is left to try, and
    # where the list of its neighbours is read on.
    uint64_t open_
    uint64_t plane[4]
    uint64_t left
    const int32_t *next_


cdef class Walks:
    """All tours of a board, one after the other, in the order of plain backtracking.

    Args:
        graph: the board.
        start: the first vertex.
        end: the last vertex, -1 for any.
        closed: the last vertex must lead back to the first.
        prune: leave walks early that can be seen to lead nowhere; the tours and their order stay.

    When the walker leaves a square, every free square must keep two free neighbours, the first
    square counted too where the tour is closed, and the last one must keep one. A free square with
    fewer has to be the next one, or the last. Numbers of neighbours are kept bit by bit for all
    squares at once: bit v of plane i is bit i of the number of v.
    """

    cdef MoveGraph graph
    cdef int n
    cdef readonly bint done
    cdef readonly int64_t nodes
    cdef int start, end, allowed, depth
    cdef bint closed, prune, at_tour, small, running
    cdef int32_t *path
    cdef int32_t *place
    cdef char *block
    # Up to 64 squares: masks and planes for every square on the path.
    cdef uint64_t *mask
    cdef Level *levels
    # More squares: numbers of neighbours, kept up to date and taken back.
    cdef int8_t *visited
    cdef int8_t *deg
    cdef int8_t *rule  # what may be taken from here: 0 nothing, 1 any, 2 the low, 3 the lonely
    cdef int low, lonely

    cdef void layout(self, Arena *arena, size_t n) noexcept nogil:
        self.path = ints(arena, n)
        self.place = ints(arena, n)
        if self.small:
            self.mask = <uint64_t *> carve(arena, n, 8)
            self.levels = <Level *> carve(arena, n, sizeof(Level))
        else:
            self.visited = small_ints(arena, n)
            self.deg = small_ints(arena, n)
            self.rule = small_ints(arena, n)

    def __cinit__(self, MoveGraph graph, int start, int end, bint closed, bint prune):
        cdef Arena arena
        cdef int v, k, i, degree
        self.small = graph.n <= 64
        arena.base = NULL
        arena.used = 0
        self.layout(&arena, graph.n)
        self.block = <char *> calloc(arena.used, 1)
        if self.block == NULL:
            raise MemoryError
        arena.base = self.block
        arena.used = 0
        self.layout(&arena, graph.n)
        self.graph = graph
        self.n = graph.n
        self.start = start
        self.end = end
        self.closed = closed
        # On a directed board the squares left without a way out are not those without a way in.
        self.prune = prune and not graph.directed
        self.allowed = 0 if closed or end >= 0 else 1
        self.depth = 1
        self.nodes = 1
        self.path[0] = start
        self.place[0] = graph.off[start]
        if self.small:
            for v in range(self.n):
                degree = graph.off[v + 1] - graph.off[v]
                for k in range(graph.off[v], graph.off[v + 1]):
                    self.mask[v] |= (<uint64_t> 1) << graph.nbr[k]
                for i in range(4):
                    self.levels[0].plane[i] |= (<uint64_t> (degree >> i & 1)) << v
                if v != start:
                    self.levels[0].open_ |= (<uint64_t> 1) << v
            self.levels[0].next_ = graph.nbr + graph.off[start]
            self.look_small(&self.levels[0], start, 1)
        else:
            self.visited[start] = 1
            for v in range(self.n):
                self.deg[v] = <int8_t> (graph.off[v + 1] - graph.off[v])
                if v != start:
                    if self.deg[v] <= 1 and v != end:
                        self.low += 1
                    if self.deg[v] == 0:
                        self.lonely += 1
            self.look_large(0)

    def __dealloc__(self):
        free(self.block)

    cdef inline void look_small(self, Level *level, int here, int depth) noexcept nogil:
        """Work out where the walker can go from the last square of the path."""
        cdef uint64_t open_ = level.open_
        cdef uint64_t reach = self.mask[here] & open_
        cdef uint64_t left = reach
        cdef uint64_t low, none, borrow, old
        if self.end >= 0 and depth < self.n - 1:
            left &= ~((<uint64_t> 1) << self.end)
        if self.prune and left:
            if not (self.closed and here == self.start):
                borrow = reach
                old = level.plane[0]
                level.plane[0] = old ^ borrow
                borrow &= ~old
                old = level.plane[1]
                level.plane[1] = old ^ borrow
                borrow &= ~old
                old = level.plane[2]
                level.plane[2] = old ^ borrow
                borrow &= ~old
                level.plane[3] ^= borrow
            low = open_ & ~(level.plane[1] | level.plane[2] | level.plane[3])
            if low:
                none = low & ~level.plane[0]
                if self.end >= 0:
                    low &= ~((<uint64_t> 1) << self.end)
                if self.allowed:
                    # Without its lowest bit: one square may be left to be the end.
                    old = low & (low - 1)
                    if old:
                        left = 0 if old & (old - 1) else left & low
                elif low:
                    left = 0 if low & (low - 1) else left & low
                if none:
                    left = 0 if none & (none - 1) else left & none
        level.left = left

    cdef int advance_small(self, int64_t budget) noexcept nogil:
        """Walk on to the next tour: FOUND, EXHAUSTED, or PAUSED after `budget` squares."""
        cdef int depth = self.depth, there, n = self.n
        cdef int64_t limit = self.nodes + budget, nodes = self.nodes
        cdef uint64_t left, bit
        cdef int32_t *path = self.path
        cdef const int32_t *nbr = self.graph.nbr
        cdef const int32_t *off = self.graph.off
        cdef const int32_t *next_
        cdef Level *level = &self.levels[depth - 1]
        cdef Level *above
        cdef int status
        while True:
            if depth == n:
                if self.at_tour:
                    self.at_tour = False
                else:
                    there = path[n - 1]
                    if ((not self.closed or self.mask[there] >> self.start & 1)
                            and (self.end < 0 or self.end == there)):
                        self.at_tour = True
                        status = 1
                        break
            left = level.left
            if left:
                if nodes >= limit:
                    status = 0
                    break
                nodes += 1
                next_ = level.next_
                while not left >> next_[0] & 1:
                    next_ += 1
                there = next_[0]
                bit = (<uint64_t> 1) << there
                level.next_ = next_ + 1
                level.left = left ^ bit
                above = level
                level += 1
                path[depth] = there
                depth += 1
                level.next_ = nbr + off[there]
                level.open_ = above.open_ & ~bit
                level.plane[0] = above.plane[0]
                level.plane[1] = above.plane[1]
                level.plane[2] = above.plane[2]
                level.plane[3] = above.plane[3]
                self.look_small(level, there, depth)
            elif depth == 1:
                self.done = True
                status = 2
                break
            else:
                depth -= 1
                level -= 1
        self.depth = depth
        self.nodes = nodes
        return status

    cdef void look_large(self, int at) noexcept nogil:
        """Take the walker's square from its free neighbours, and see what may follow."""
        cdef int here = self.path[at], k, w, rule = 1
        if self.prune:
            if not (self.closed and here == self.start):
                for k in range(self.graph.off[here], self.graph.off[here + 1]):
                    w = self.graph.nbr[k]
                    if not self.visited[w]:
                        self.deg[w] -= 1
                        if self.deg[w] == 1 and w != self.end:
                            self.low += 1
                        elif self.deg[w] == 0:
                            self.lonely += 1
            if self.low > self.allowed + 1 or self.lonely > 1:
                rule = 0
            elif self.lonely:
                rule = 3
            elif self.low == self.allowed + 1:
                rule = 2
        self.rule[at] = rule

    cdef void unlook_large(self, int at) noexcept nogil:
        cdef int here = self.path[at], k, w
        if self.prune and not (self.closed and here == self.start):
            for k in range(self.graph.off[here], self.graph.off[here + 1]):
                w = self.graph.nbr[k]
                if not self.visited[w]:
                    if self.deg[w] == 1 and w != self.end:
                        self.low -= 1
                    elif self.deg[w] == 0:
                        self.lonely -= 1
                    self.deg[w] += 1

    cdef inline int may_take(self, int w, int at) noexcept nogil:
        """Whether the walker may go to a neighbour from the square at a place of the path."""
        cdef int rule = self.rule[at]
        if self.visited[w] or rule == 0 or (w == self.end and at + 1 < self.n - 1):
            return 0
        if rule == 1:
            return 1
        if self.low == self.allowed + 1 and (self.deg[w] > 1 or w == self.end):
            return 0
        return rule == 2 or self.deg[w] == 0

    cdef int advance_large(self, int64_t budget) noexcept nogil:
        """Walk on to the next tour: FOUND, EXHAUSTED, or PAUSED after `budget` squares."""
        cdef int depth = self.depth, here, there, k, stop, closes
        while True:
            here = self.path[depth - 1]
            if self.at_tour:
                self.at_tour = False
            elif depth == self.n:
                closes = not self.closed
                for k in range(self.graph.off[here], self.graph.off[here + 1]):
                    if self.graph.nbr[k] == self.start:
                        closes = 1
                if closes and (self.end < 0 or self.end == here):
                    self.at_tour = True
                    self.depth = depth
                    return 1
            k = self.place[depth - 1]
            stop = self.graph.off[here + 1]
            while k < stop and not self.may_take(self.graph.nbr[k], depth - 1):
                k += 1
            self.place[depth - 1] = k
            if k < stop:
                if budget <= 0:
                    self.depth = depth
                    return 0
                budget -= 1
                self.nodes += 1
                self.place[depth - 1] = k + 1
                there = self.graph.nbr[k]
                self.visited[there] = 1
                if there != self.end and self.deg[there] <= 1:
                    self.low -= 1
                if self.deg[there] == 0:
                    self.lonely -= 1
                self.path[depth] = there
                self.place[depth] = self.graph.off[there]
                depth += 1
                self.look_large(depth - 1)
            elif depth == 1:
                self.done = True
                self.depth = depth
                return 2
            else:
                self.unlook_large(depth - 1)
                depth -= 1
                there = self.path[depth]
                if there != self.end and self.deg[there] <= 1:
                    self.low += 1
                if self.deg[there] == 0:
                    self.lonely += 1
                self.visited[there] = 0

    cdef inline int advance(self, int64_t budget) noexcept nogil:
        return self.advance_small(budget) if self.small else self.advance_large(budget)

    cdef int enter(self) except -1:
        # One look and one mark that no other thread comes between, with the GIL or without.
        with cython.critical_section(self):
            if self.running:
                raise ValueError("these walks are already running")
            self.running = True
        return 0

    def take(self, int64_t count, int64_t budget):
        """Return the next tours as flat indices, native int32, one after the other.

        Args:
            count: most tours to return.
            budget: most squares to place; then `done` tells whether there can be more.
        """
        cdef int64_t found = 0, stop = self.nodes + budget, room = 16
        cdef int status, k
        cdef int32_t *out = NULL
        cdef size_t bytes_each = self.n * sizeof(int32_t)
        cdef bytes block
        self.enter()
        pieces = []
        try:
            while found < count and not self.done:
                room = min(room * 4, count - found, 1 + (1 << 20) // self.n)
                block = PyBytes_FromStringAndSize(NULL, room * bytes_each)
                out = <int32_t *> PyBytes_AsString(block)
                k = 0
                status = 1
                with nogil:
                    while k < room and not self.done:
                        status = self.advance(max(0, stop - self.nodes))
                        if status != 1:
                            break
                        self._copy(out + k * <size_t> self.n)
                        k += 1
                found += k
                pieces.append(block if k == room else block[: k * bytes_each])
                if status != 1:
                    break
            return b"".join(pieces) if len(pieces) != 1 else pieces[0]
        finally:
            self.running = False

    cdef void _copy(self, int32_t *out) noexcept nogil:
        for k in range(self.n):
            out[k] = self.graph.square[self.path[k]]

    def skip(self, int64_t count, int64_t budget):
        """Pass over the next tours without building them; return how many it were."""
        cdef int64_t found = 0, stop = self.nodes + budget
        self.enter()
        try:
            with nogil:
                while found < count and not self.done:
                    if self.advance(max(0, stop - self.nodes)) != 1:
                        break
                    found += 1
            return found
        finally:
            self.running = False


def first_fault_shape(int rows, int cols, bytes cells, bytes moves, bint wrap_rows, bint wrap_cols,
                      bytes blockers, bytes order, watch=_unwatched):
    """Return -1 when `order` is a tour of the board, else the index of the first fault.

    Args: as for `MoveGraph`, with which this checker shares nothing, and the flat indices of the
    squares in the order of visit, native int32. A missing square shows as the index ``len(order)``.
    """
    cdef int64_t total = <int64_t> rows * cols
    cdef int64_t needed = total if cells is None else cells.count(1)
    cdef int64_t count = len(order) // 4, k, rise, run, bad = -1
    cdef int pairs = len(moves) // 8, d, legal, half_row, half_col, drow, dcol
    cdef int32_t square, row, col, last_row = 0, last_col = 0
    cdef const int32_t *squares = <const int32_t *> PyBytes_AsString(order)
    cdef const int32_t *step = <const int32_t *> PyBytes_AsString(moves)
    cdef const char *cell = NULL
    cdef const char *blocker = NULL
    cdef int8_t *seen = <int8_t *> calloc(total + 1, 1)
    if seen == NULL:
        raise MemoryError
    if cells is not None:
        cell = PyBytes_AsString(cells)
    if blockers is not None:
        blocker = PyBytes_AsString(blockers)
    with nogil:
        for k in range(count):
            if k & STRIDE == STRIDE:
                with gil:
                    try:
                        watch()
                    except BaseException:
                        free(seen)
                        raise
            square = squares[k]
            if (square < 0 or square >= total or seen[square]
                    or (cell != NULL and not cell[square])):
                bad = k
                break
            seen[square] = 1
            row = square // cols
            col = square - row * cols
            if k:
                legal = 0
                for d in range(pairs):
                    drow = step[2 * d]
                    dcol = step[2 * d + 1]
                    rise = <int64_t> last_row + drow - row
                    run = <int64_t> last_col + dcol - col
                    if rise and not (wrap_rows and rise % rows == 0):
                        continue
                    if run and not (wrap_cols and run % cols == 0):
                        continue
                    if blocker != NULL:
                        half_row = drow // 2
                        half_col = dcol // 2
                        if blocker[(last_row + half_row) * cols + last_col + half_col]:
                            continue
                    legal = 1
                    break
                if not legal:
                    bad = k
                    break
            last_row = row
            last_col = col
        if bad < 0 and count != needed:
            bad = count
    free(seen)
    return bad
