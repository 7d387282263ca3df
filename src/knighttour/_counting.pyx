# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Counting Hamiltonian cycles by a frontier, compiled: dense blocks over all matchings.

What it computes: one step of the sweep that `_frontier_py` defines, for one unit of a `Problem` (a
mirror pair of vertices, or one vertex). Known answers: 9862 closed tours of 6x6 in 0.02 s,
13267364410532 of 8x8.

Words.  A state is a degree 0, 1 or 2 for every vertex of the frontier and a perfect matching of the
vertices of degree 1, the ends. All states with the same degrees form a *block*: an array of
(2k-1)!! counts, where 2k is the number of ends, indexed by the rank of the matching; no state is
stored as such. A cell is *dynamic* in a step if it is in the unit or next to it, else *static*: its
degree stays. All blocks with the same static degrees form a *slice*, the piece of work of this
module: what comes out of a slice comes out of no other, so that slices need no locks and no
particular order. A `Layout` says which slices and blocks there are and where they lie in a layer.

The rank of a matching of the points 0 .. 2k-1: take the lowest free point and its mate; the digit
is the number of free points between them; digits in mixed radix (2k-1)(2k-3)...1, the first the
most significant. So a block of k pairs is 2k-1 blocks of k-1 pairs, one after the other, and that
is how the large ones are worked here: a change of one or two ends of k pairs is a change of k-1
pairs in each of the parts, down to k = 5, where a table of 945 places says it all. Three changes
are enough:

    move(k, p, q)     the end at place p goes to place q
    insert(k, x, y)   a new pair at the places x < y
    join(k, a, b)     the ends at a < b meet and disappear: their mates become a pair

Values are 16, 32 or 64 bits wide, modulo a prime, or (modulus 0) exact as long as the largest
value, which stands for "too large", is not reached: additions stick to it. Or a value is eight
numbers of 64 bits modulo eight primes, for frontiers so small that most of the work is to find the
blocks: that is done once for all eight.

Cost.  About a nanosecond for each state and each way on, whatever the width of the value.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize

__all__ = [
    "PRIMES_AT_ONCE",
    "Backward",
    "Ending",
    "Layout",
    "Mirrors",
    "Scratch",
    "Step",
    "Stop",
    "Tables",
    "Tally",
    "clear",
    "collect",
    "retrace",
]

cdef enum:
    LEAF = 5            # blocks of so many pairs are worked by a table
    MAX_PAIRS = 12
    MAX_CELLS = 40      # of a frontier
    MAX_DYNAMIC = 14    # 3^14 slots
    MAX_STAGES = 4
    LANES = 8           # primes in a value of many

cdef struct lanes_t:
    uint64_t lane[LANES]

ctypedef fused number_t:
    uint16_t
    uint32_t
    uint64_t

ctypedef fused value_t:
    uint16_t
    uint32_t
    uint64_t
    lanes_t

#: A value as wide as so many of 64 bits is modulo so many primes.
PRIMES_AT_ONCE = LANES

cdef int64_t DF[MAX_PAIRS + 1]   # (2k-1)!!, the number of matchings of 2k points
DF[0] = 1
for _pairs in range(1, MAX_PAIRS + 1):
    DF[_pairs] = DF[_pairs - 1] * (2 * _pairs - 1)


# Matchings and their ranks


cdef inline void unrank(int pairs, int64_t rank, uint8_t *mate) noexcept nogil:
    """Write the mates of the points 0 .. 2 pairs - 1 in the matching of that rank."""
    cdef uint8_t left[2 * MAX_PAIRS]
    cdef int count = 2 * pairs
    cdef int i, digit
    for i in range(count):
        left[i] = <uint8_t> i
    while pairs:
        pairs -= 1
        digit = <int> (rank // DF[pairs])
        rank -= digit * DF[pairs]
        mate[left[0]] = left[digit + 1]
        mate[left[digit + 1]] = left[0]
        count -= 2
        for i in range(digit):
            left[i] = left[i + 1]
        for i in range(digit, count):
            left[i] = left[i + 2]


cdef inline int64_t rank_of(int pairs, const uint8_t *mate) noexcept nogil:
    """Return the rank of a matching given by its mates."""
    cdef uint32_t taken = 0
    cdef int lowest = 0
    cdef int i, digit
    cdef int64_t rank = 0
    while pairs:
        pairs -= 1
        while taken >> lowest & 1:
            lowest += 1
        digit = mate[lowest] - lowest - 1
        for i in range(lowest + 1, mate[lowest]):
            digit -= taken >> i & 1
        rank += digit * DF[pairs]
        taken |= <uint32_t> 1 << lowest | <uint32_t> 1 << mate[lowest]
    return rank


cdef inline int64_t rank_moved(int pairs, const uint8_t *mate, int p, int q) noexcept nogil:
    """Return the rank of a matching after its end at place p has gone to place q."""
    cdef uint8_t to[2 * MAX_PAIRS]
    cdef uint8_t after[2 * MAX_PAIRS]
    cdef int i, j
    for i in range(2 * pairs):
        j = i - (i > p)
        to[i] = <uint8_t> (q if i == p else j + (j >= q))
    for i in range(2 * pairs):
        after[to[i]] = to[mate[i]]
    return rank_of(pairs, after)


cdef inline int64_t rank_inserted(int pairs, const uint8_t *mate, int x, int y) noexcept nogil:
    """Return the rank of a matching after a new pair has come to the places x < y."""
    cdef uint8_t to[2 * MAX_PAIRS]
    cdef uint8_t after[2 * MAX_PAIRS]
    cdef int i, j
    for i in range(2 * pairs):
        j = i + (i >= x)
        to[i] = <uint8_t> (j + (j >= y))
    for i in range(2 * pairs):
        after[to[i]] = to[mate[i]]
    after[x] = <uint8_t> y
    after[y] = <uint8_t> x
    return rank_of(pairs + 1, after)


cdef inline int64_t rank_joined(int pairs, const uint8_t *mate, int a, int b) noexcept nogil:
    """Return the rank of a matching after its ends at a < b have met, -1 if they are mates."""
    cdef uint8_t joined[2 * MAX_PAIRS]
    cdef uint8_t after[2 * MAX_PAIRS]
    cdef int i, j, m
    if mate[a] == b:
        return -1
    for i in range(2 * pairs):
        joined[i] = mate[i]
    joined[mate[a]] = mate[b]
    joined[mate[b]] = mate[a]
    j = 0
    for i in range(2 * pairs):
        if i != a and i != b:
            m = joined[i]
            after[j] = <uint8_t> (m - (m > a) - (m > b))
            j += 1
    return rank_of(pairs - 1, after)


cdef class Tables:
    """The places of every change of up to five pairs; immutable, one is enough for a process.

    About half a megabyte, made in about ten milliseconds.
    """

    cdef uint16_t *places
    cdef int32_t move_at[LEAF + 1][2 * LEAF][2 * LEAF]
    cdef int32_t insert_at[LEAF + 1][2 * LEAF + 2][2 * LEAF + 2]
    cdef int32_t join_at[LEAF + 1][2 * LEAF][2 * LEAF]

    def __cinit__(self):
        cdef int64_t size = 0
        cdef int k, a, b
        for k in range(LEAF + 1):
            for a in range(2 * k):
                for b in range(2 * k):
                    self.move_at[k][a][b] = <int32_t> size
                    size += DF[k]
            for a in range(2 * k + 2):
                for b in range(a + 1, 2 * k + 2):
                    self.insert_at[k][a][b] = <int32_t> size
                    size += DF[k]
            for a in range(2 * k):
                for b in range(a + 1, 2 * k):
                    self.join_at[k][a][b] = <int32_t> size
                    size += DF[k]
        self.places = <uint16_t *> malloc(size * sizeof(uint16_t))
        if self.places == NULL:
            raise MemoryError
        with nogil:
            self.fill()

    def __dealloc__(self):
        free(self.places)

    cdef void fill(self) noexcept nogil:
        cdef uint8_t mate[2 * MAX_PAIRS]
        cdef uint8_t split[2 * MAX_PAIRS]
        cdef uint16_t *place
        cdef int64_t rank
        cdef int k, a, b, i, j, m
        for k in range(LEAF + 1):
            for rank in range(DF[k]):
                unrank(k, rank, mate)
                for a in range(2 * k):
                    for b in range(2 * k):
                        self.places[self.move_at[k][a][b] + rank] = <uint16_t> (
                            rank_moved(k, mate, a, b))
                for a in range(2 * k + 2):
                    for b in range(a + 1, 2 * k + 2):
                        self.places[self.insert_at[k][a][b] + rank] = <uint16_t> (
                            rank_inserted(k, mate, a, b))
            # Joining is told from the other side: which 2k - 2 matchings become this one.
            if k == 0:
                continue
            for rank in range(DF[k - 1]):
                unrank(k - 1, rank, mate)
                for a in range(2 * k):
                    for b in range(a + 1, 2 * k):
                        place = self.places + self.join_at[k][a][b] + rank * (2 * k - 2)
                        for m in range(2 * k - 2):  # the mate of a, in the smaller matching
                            for i in range(2 * k - 2):
                                j = mate[i]
                                split[stretch(i, a, b)] = stretch(j, a, b)
                            split[stretch(m, a, b)] = <uint8_t> a
                            split[a] = stretch(m, a, b)
                            split[stretch(mate[m], a, b)] = <uint8_t> b
                            split[b] = stretch(mate[m], a, b)
                            place[m] = <uint16_t> rank_of(k, split)


cdef inline uint8_t stretch(int i, int a, int b) noexcept nogil:
    """Return the place of the i-th point that is neither a nor b (a < b)."""
    i += i >= a
    return <uint8_t> (i + (i >= b))


# Changes of whole blocks


cdef inline number_t plus(number_t a, number_t b, uint64_t modulus) noexcept nogil:
    """Add modulo a prime (below 2^16, 2^31, 2^63), or up to the largest value."""
    cdef uint32_t sum16, less16
    cdef number_t total
    if number_t is uint16_t:
        sum16 = <uint32_t> a + b
        if modulus:
            less16 = sum16 - <uint32_t> modulus
            return <uint16_t> (less16 if less16 < sum16 else sum16)
        return <uint16_t> (sum16 if sum16 < 0xFFFF else 0xFFFF)
    else:
        total = a + b
        if modulus:
            a = total - <number_t> modulus
            return a if a < total else total
        return total | -<number_t> (total < a)


cdef inline void add_lanes(
    lanes_t *to, const lanes_t *source, const uint64_t *moduli
) noexcept nogil:
    """Add modulo primes below 2^63, each in its lane.

    There is no comparison, which compilers would make a jump: a sum less the prime is negative
    where the prime should have stayed, and its sign says to add it again.
    """
    cdef uint64_t total
    cdef int lane
    for lane in range(LANES):
        total = to.lane[lane] + source.lane[lane] - moduli[lane]
        to.lane[lane] = total + (moduli[lane] & <uint64_t> (<int64_t> total >> 63))


cdef struct Kernel:
    const uint16_t *places
    const int32_t *move_at
    const int32_t *insert_at
    const int32_t *join_at
    uint32_t *const *mirrors
    uint64_t moduli[LANES]   # the first one alone, if values are single numbers
    const int *stop


cdef struct Findings:
    uint64_t single[LANES]
    uint64_t double[LANES]
    int64_t transitions


cdef inline void add_run(
    value_t *to, const value_t *source, int64_t count, const uint64_t *moduli
) noexcept nogil:
    cdef int64_t i
    cdef uint64_t modulus = moduli[0]
    if value_t is lanes_t:
        for i in range(count):
            add_lanes(&to[i], &source[i], moduli)
    elif modulus:
        for i in range(count):
            to[i] = plus(to[i], source[i], modulus)
    else:
        for i in range(count):
            to[i] = plus(to[i], source[i], 0)


cdef inline void gather(
    value_t *to, const value_t *source, const uint16_t *place, int64_t count,
    const uint64_t *moduli,
) noexcept nogil:
    cdef int64_t i
    cdef uint64_t modulus = moduli[0]
    if value_t is lanes_t:
        for i in range(count):
            add_lanes(&to[i], &source[place[i]], moduli)
    elif modulus:
        for i in range(count):
            to[i] = plus(to[i], source[place[i]], modulus)
    else:
        for i in range(count):
            to[i] = plus(to[i], source[place[i]], 0)


cdef inline void scatter(
    value_t *to, const value_t *source, const uint16_t *place, int64_t count,
    const uint64_t *moduli,
) noexcept nogil:
    cdef int64_t i
    cdef uint64_t modulus = moduli[0]
    if value_t is lanes_t:
        for i in range(count):
            add_lanes(&to[place[i]], &source[i], moduli)
    elif modulus:
        for i in range(count):
            to[place[i]] = plus(to[place[i]], source[i], modulus)
    else:
        for i in range(count):
            to[place[i]] = plus(to[place[i]], source[i], 0)


cdef inline void spread(
    const Kernel *kernel, value_t *line, value_t *other, bint line_is_target,
    const uint16_t *place, int64_t count,
) noexcept nogil:
    """Add between a run of `line` and the places of `other` that belong to it."""
    if place == NULL:
        if line_is_target:
            add_run(line, other, count, kernel.moduli)
        else:
            add_run(other, line, count, kernel.moduli)
    elif line_is_target:
        gather(line, other, place, count, kernel.moduli)
    else:
        scatter(other, line, place, count, kernel.moduli)


cdef void insert(
    const Kernel *kernel, value_t *line, value_t *other, bint line_is_target, int k, int x, int y
) noexcept nogil:
    """Add between k pairs and those k + 1 pairs that have besides them a pair at x < y.

    `line` has k pairs, `other` k + 1.
    """
    cdef int64_t part
    cdef int m, to
    if x == 0:
        spread(kernel, line, other + (y - 1) * DF[k], line_is_target, NULL, DF[k])
        return
    if k <= LEAF:
        spread(kernel, line, other, line_is_target,
               kernel.places + kernel.insert_at[(k * (2 * LEAF + 2) + x) * (2 * LEAF + 2) + y],
               DF[k])
        return
    part = DF[k - 1]
    for m in range(1, 2 * k):  # the mate of point 0, which stays the lowest
        if kernel.stop[0]:
            return
        to = stretch(m, x, y)
        insert(kernel, line + (m - 1) * part, other + (to - 1) * DF[k], line_is_target, k - 1,
               x - 1 - (x > to), y - 1 - (y > to))


cdef void move(
    const Kernel *kernel, value_t *line, value_t *other, bint line_is_target, int k, int p, int q
) noexcept nogil:
    """Add between k pairs and the k pairs that they become when the end at p goes to q."""
    cdef int64_t part
    cdef int m, to
    if p == q:
        spread(kernel, line, other, line_is_target, NULL, DF[k])
        return
    if k <= LEAF:
        spread(kernel, line, other, line_is_target,
               kernel.places + kernel.move_at[(k * 2 * LEAF + p) * 2 * LEAF + q], DF[k])
        return
    if q == 0:  # looked at from the other side it is a move away from 0
        move(kernel, other, line, not line_is_target, k, 0, p)
        return
    part = DF[k - 1]
    if p == 0:
        # Point 1 becomes the lowest.  The pair (0, m) becomes (q, to).
        spread(kernel, line, other + (q - 1) * part, line_is_target, NULL, part)  # m = 1
        for m in range(2, 2 * k):
            to = m - 1 + (m - 1 >= q)
            insert(kernel, line + (m - 1) * part, other, line_is_target, k - 1,
                   to if to < q else q, q if to < q else to)
        return
    for m in range(1, 2 * k):  # the mate of point 0, which stays the lowest
        if kernel.stop[0]:
            return
        if m == p:
            spread(kernel, line + (m - 1) * part, other + (q - 1) * part, line_is_target, NULL,
                   part)
        else:
            to = m - (m > p)
            to += to >= q
            move(kernel, line + (m - 1) * part, other + (to - 1) * part, line_is_target, k - 1,
                 p - 1 - (p > m), q - 1 - (q > to))


cdef void join(
    const Kernel *kernel, value_t *to, value_t *source, int k, int a, int b
) noexcept nogil:
    """Add to k - 1 pairs the k pairs that become them when the ends at a < b meet."""
    cdef const uint16_t *place
    cdef int64_t part, i
    cdef int m, j, ways
    cdef uint64_t modulus = kernel.moduli[0]
    cdef value_t total
    if k <= LEAF:
        place = kernel.places + kernel.join_at[(k * 2 * LEAF + a) * 2 * LEAF + b]
        ways = 2 * k - 2
        for i in range(DF[k - 1]):
            if value_t is lanes_t:
                for j in range(ways):
                    add_lanes(&to[i], &source[place[j]], kernel.moduli)
            else:
                total = to[i]
                for j in range(ways):
                    total = plus(total, source[place[j]], modulus)
                to[i] = total
            place += ways
        return
    part = DF[k - 1]
    for m in range(1, 2 * k):  # the mate of point 0
        if kernel.stop[0]:
            return
        if a == 0:
            if m != b:  # b goes to the place of m; mates that meet close a cycle too early
                move(kernel, source + (m - 1) * part, to, False, k - 1, b - 1 - (b > m),
                     m - 1 - (m > b))
        elif m == a:
            move(kernel, source + (m - 1) * part, to, False, k - 1, b - 2, 0)
        elif m == b:
            move(kernel, source + (m - 1) * part, to, False, k - 1, a - 1, 0)
        else:
            join(kernel, to + (m - 1 - (m > a) - (m > b)) * DF[k - 2], source + (m - 1) * part,
                 k - 1, a - 1 - (a > m), b - 1 - (b > m))


cdef class Mirrors:
    """The rank of the mirror image of a matching, by numbers of ends left and on the axis."""

    cdef uint32_t *place[MAX_PAIRS][2 * MAX_PAIRS][2 * MAX_PAIRS]
    cdef readonly int64_t memory

    def __dealloc__(self):
        cdef int k, left, middle
        for k in range(MAX_PAIRS):
            for left in range(2 * MAX_PAIRS):
                for middle in range(2 * MAX_PAIRS):
                    free(self.place[k][left][middle])

    def prepare(self, int left, int middle, int pairs):
        """Make the tables for frontiers with so many cells left and right, and on the axis.

        Args:
            pairs: no tables above so many; those blocks are mirrored element by element.
        """
        cdef int k, i, j
        cdef uint32_t *place
        for k in range(1, pairs + 1):
            for i in range(min(left, 2 * k) + 1):
                for j in range(min(middle, 2 * k - i) + 1):
                    if 2 * k - i - j > left or self.place[k][i][j] != NULL:
                        continue
                    place = <uint32_t *> malloc(DF[k] * sizeof(uint32_t))
                    if place == NULL:
                        raise MemoryError
                    with nogil:
                        mirror_ranks(k, i, j, place)
                    self.place[k][i][j] = place
                    self.memory += DF[k] * sizeof(uint32_t)


cdef inline int64_t mirrored(int k, int left, int middle, const uint8_t *mate) noexcept nogil:
    cdef uint8_t to[2 * MAX_PAIRS]
    cdef uint8_t after[2 * MAX_PAIRS]
    cdef int i
    cdef int right = 2 * k - left - middle
    for i in range(2 * k):
        if i < left or i >= left + middle:
            to[i] = <uint8_t> (2 * k - 1 - i)
        else:
            to[i] = <uint8_t> (i - left + right)
    for i in range(2 * k):
        after[to[i]] = to[mate[i]]
    return rank_of(k, after)


cdef void mirror_ranks(int k, int left, int middle, uint32_t *place) noexcept nogil:
    cdef uint8_t mate[2 * MAX_PAIRS]
    cdef int64_t rank
    for rank in range(DF[k]):
        unrank(k, rank, mate)
        place[rank] = <uint32_t> mirrored(k, left, middle, mate)


# Where the states of a layer are


cdef struct DynamicBlock:
    uint32_t slot     # the degrees of the dynamic cells, base 3, the first the least significant
    uint32_t packed   # the same, two bits each
    int64_t offset    # from the beginning of the slice, in values


cdef struct SliceClass:
    int64_t size      # values of a slice
    int32_t count
    DynamicBlock *blocks
    int64_t *offset_of  # by slot, -1 for no block


cdef class Layout:
    """Which states a layer may have, and where each of them is; immutable.

    Args:
        static: for every cell whose degree stays in the next step ``(low, high, colour, mirror)``,
            the most significant first; the mirror is the number of a static cell.
        dynamic: ``(low, high, colour, 0)`` for the other cells of the frontier.
        gone: twice the sum of the colours of the eliminated vertices.
        excess: the sum of the colours of all vertices.
        apex: the number of the apex among the dynamic cells, -1 for none.
        is_coloured: whether the colours mean anything; else they are all 0.
        is_first: whether nothing is eliminated, so that there are no ends.
        is_halved: whether of a slice and its mirror image only the first is there.

    Cost: time and memory are linear in the number of slices.
    """

    cdef int static_count, dynamic_count, apex, gone, excess
    cdef bint is_coloured, is_first, is_halved
    cdef int low[MAX_CELLS]
    cdef int radix[MAX_CELLS]
    cdef int colour[MAX_CELLS]
    cdef int64_t weight[MAX_CELLS]
    cdef int64_t mirror_weight[MAX_CELLS]
    cdef int dynamic_low[MAX_DYNAMIC]
    cdef int dynamic_high[MAX_DYNAMIC]
    cdef int dynamic_colour[MAX_DYNAMIC]
    cdef readonly int64_t slices
    cdef readonly int64_t states
    cdef int64_t *offset     # slices + 1 places in the layer; a slice that is not there has no size
    cdef uint16_t *class_of
    cdef SliceClass *classes
    cdef int class_count
    cdef int32_t slots

    def __cinit__(self, list static, list dynamic, int gone, int excess, int apex,
                  bint is_coloured, bint is_first, bint is_halved):
        cdef int i, twin
        cdef int64_t weight = 1
        if len(static) > MAX_CELLS or len(dynamic) > MAX_DYNAMIC:
            raise OverflowError("the frontier is too wide for the compiled engine")
        self.static_count, self.dynamic_count = len(static), len(dynamic)
        self.gone, self.excess, self.apex = gone, excess, apex
        self.is_coloured, self.is_first, self.is_halved = is_coloured, is_first, is_halved
        for i in range(self.static_count - 1, -1, -1):
            low, high, colour, _ = static[i]
            self.low[i], self.radix[i], self.colour[i] = low, high - low + 1, colour
            self.weight[i] = weight
            weight *= self.radix[i]
        for i in range(self.static_count):
            twin = static[i][3]
            self.mirror_weight[i] = self.weight[twin]
        self.slots = 1
        for i in range(self.dynamic_count):
            low, high, colour, _ = dynamic[i]
            self.dynamic_low[i], self.dynamic_high[i] = low, high
            self.dynamic_colour[i] = colour
            self.slots *= 3
        self.slices = weight
        self.offset = <int64_t *> malloc((weight + 1) * sizeof(int64_t))
        self.class_of = <uint16_t *> malloc(weight * sizeof(uint16_t))
        self.classes = <SliceClass *> calloc((2 * MAX_CELLS * 2 + 1) * (MAX_CELLS + 1),
                                             sizeof(SliceClass))
        if self.offset == NULL or self.class_of == NULL or self.classes == NULL:
            raise MemoryError
        cdef bint is_ok
        with nogil:
            is_ok = self.number()
        if not is_ok:
            raise MemoryError

    def __dealloc__(self):
        cdef int i
        for i in range(self.class_count):
            free(self.classes[i].blocks)
            free(self.classes[i].offset_of)
        free(self.classes)
        free(self.offset)
        free(self.class_of)

    cdef bint number(self) noexcept nogil:
        """Give every slice its class and its place."""
        cdef int32_t class_at[4 * MAX_CELLS + 1][MAX_CELLS + 1]
        cdef int digit[MAX_CELLS]
        cdef int64_t number, total = 0
        cdef int64_t twin
        cdef int i, colour, ends, degree
        memset(class_at, 0xFF, sizeof(class_at))
        for i in range(self.static_count):
            digit[i] = 0
        for number in range(self.slices):
            colour = ends = 0
            twin = 0
            for i in range(self.static_count):
                degree = self.low[i] + digit[i]
                colour += degree * self.colour[i]
                ends += degree == 1
                twin += digit[i] * self.mirror_weight[i]
            if class_at[colour + 2 * MAX_CELLS][ends] < 0:
                class_at[colour + 2 * MAX_CELLS][ends] = self.class_count
                self.class_count += 1
                if not self.enumerate_blocks(&self.classes[self.class_count - 1], colour, ends):
                    return False
            self.class_of[number] = <uint16_t> class_at[colour + 2 * MAX_CELLS][ends]
            self.offset[number] = total
            if not self.is_halved or number <= twin:
                total += self.classes[self.class_of[number]].size
            i = self.static_count - 1
            while i >= 0:
                digit[i] += 1
                if digit[i] < self.radix[i]:
                    break
                digit[i] = 0
                i -= 1
        self.offset[self.slices] = total
        self.states = total
        return True

    cdef bint enumerate_blocks(self, SliceClass *kind, int colour, int ends) noexcept nogil:
        """List the blocks of the slices with that sum of colours and that number of ends."""
        cdef int degree[MAX_DYNAMIC]
        cdef int i, balance, points
        cdef uint32_t packed
        cdef int32_t slot
        cdef int32_t capacity = 0
        cdef DynamicBlock *grown
        kind.offset_of = <int64_t *> malloc(self.slots * sizeof(int64_t))
        if kind.offset_of == NULL:
            return False
        memset(degree, 0, sizeof(degree))
        for slot in range(self.slots):
            kind.offset_of[slot] = -1
            balance = self.gone + colour
            points = ends
            packed = 0
            for i in range(self.dynamic_count):
                if not self.dynamic_low[i] <= degree[i] <= self.dynamic_high[i]:
                    break
                balance += degree[i] * self.dynamic_colour[i]
                points += degree[i] == 1
                packed |= <uint32_t> degree[i] << 2 * i
            else:
                if self.is_possible(balance, points, degree[self.apex] if self.apex >= 0 else 0):
                    if kind.count == capacity:
                        capacity = 2 * capacity + 16
                        grown = <DynamicBlock *> realloc(kind.blocks,
                                                         capacity * sizeof(DynamicBlock))
                        if grown == NULL:
                            return False
                        kind.blocks = grown
                    kind.offset_of[slot] = kind.size
                    kind.blocks[kind.count].slot = slot
                    kind.blocks[kind.count].packed = packed
                    kind.blocks[kind.count].offset = kind.size
                    kind.count += 1
                    kind.size += DF[points // 2]
            i = 0
            while i < self.dynamic_count:
                degree[i] += 1
                if degree[i] < 3:
                    break
                degree[i] = 0
                i += 1
        return True

    cdef bint is_possible(self, int balance, int points, int apex_degree) noexcept nogil:
        """Whether degrees with that sum of colours and so many ends can occur."""
        cdef int most
        if points & 1 or (points == 0) != self.is_first:
            return False
        if not self.is_coloured:
            return True
        # The edges of the apex are the only ones that count for one colour alone.
        if apex_degree == 2:
            return balance == 2 * self.excess
        if self.excess:
            return balance == apex_degree * self.excess
        most = apex_degree
        return balance == most or balance == -most

    def place(self, int64_t slice_number):
        """Return where a slice begins, in values from the beginning of the layer."""
        return self.offset[slice_number]

    def cuts(self, int64_t first, int64_t last, int64_t states):
        """Return slice numbers from `first` to `last` that cut a part of the layer into runs.

        A run has `states` states, or it has fewer and one slice more would make it larger, or it
        is the last one; runs without any are left out.
        """
        cdef int64_t number, begin = first
        cuts = []
        if self.offset[first] == self.offset[last]:
            return cuts
        cuts.append(first)
        for number in range(first + 1, last):
            if self.offset[number] - self.offset[begin] >= states:
                begin = number
                cuts.append(number)
        cuts.append(last)
        return cuts


# The work


cdef class Stop:
    """A flag that ends all work within a fraction of a second."""

    cdef int flag

    def set(self):
        """Ask for the end."""
        self.flag = 1

    @property
    def is_set(self):
        """Whether the end has been asked for."""
        return bool(self.flag)


cdef struct Block:
    uint32_t slot
    uint32_t packed
    uint64_t ends     # the dynamic ones, as bits in the order of the ends
    int64_t offset    # in the arena, in values


cdef struct Arena:
    char *values
    int64_t used      # in values
    int64_t capacity
    Block *blocks
    int32_t count
    int32_t block_capacity


cdef struct Run:
    int64_t offset    # in the layer, in values
    int64_t count
    int64_t at        # in the log, in values


cdef struct Log:
    char *values
    int64_t used
    int64_t capacity
    Run *runs
    int64_t count
    int64_t run_capacity


cdef class Scratch:
    """The working memory of one thread, and what it has found.

    Args:
        width: bytes of a value: 2, 4 or 8, or 8 for each of `PRIMES_AT_ONCE`: then the numbers of
            cycles are tuples.
    """

    cdef int width
    cdef Arena arenas[2]
    cdef int32_t *slot_block
    cdef int32_t slots
    cdef Log log
    cdef uint32_t *index
    cdef int64_t index_capacity
    cdef readonly object single   # cycles that closed in slices that are their own mirror images
    cdef readonly object double   # in all others
    cdef readonly object transitions
    cdef readonly bint has_overflowed
    cdef bint running

    def __cinit__(self, int width):
        self.width = width
        self.single = self.double = (0,) * LANES if width == sizeof(lanes_t) else 0
        self.transitions = 0

    def __dealloc__(self):
        cdef int i
        for i in range(2):
            free(self.arenas[i].values)
            free(self.arenas[i].blocks)
        free(self.slot_block)
        free(self.log.values)
        free(self.log.runs)
        free(self.index)

    cdef bint make_slots(self, int32_t slots) noexcept nogil:
        cdef int32_t *grown
        if slots <= self.slots:
            return True
        grown = <int32_t *> realloc(self.slot_block, slots * sizeof(int32_t))
        if grown == NULL:
            return False
        memset(grown, 0xFF, slots * sizeof(int32_t))
        self.slot_block = grown
        self.slots = slots
        return True

    cdef void trim(self, int64_t most) noexcept nogil:
        """Give back the memory of an unusually large slice."""
        cdef int i
        for i in range(2):
            if self.arenas[i].capacity * self.width > most:
                free(self.arenas[i].values)
                self.arenas[i].values = NULL
                self.arenas[i].capacity = 0

    def total(self, bint is_halved):
        """Return the number of cycles found; with mirror images if only half was worked."""
        weight = 2 if is_halved else 1
        if self.width == sizeof(lanes_t):
            return tuple([a + weight * b for a, b in zip(self.single, self.double)])
        return self.single + weight * self.double

    def take_log(self):
        """Return what was logged, sorted by place and merged, and forget it.

        Returns:
            Runs as bytes of pairs of native int64 (place, count), and their values one after the
            other.
        """
        cdef Log *log = &self.log
        cdef int64_t i, merged = 0, at = 0
        cdef bytes runs, values
        cdef char *out
        cdef int64_t *pair
        if log.count:  # C forbids to sort nothing that lies nowhere
            qsort(log.runs, log.count, sizeof(Run), &compare_runs)
        for i in range(log.count):
            merged += i == 0 or log.runs[i - 1].offset + log.runs[i - 1].count != log.runs[i].offset
        runs = PyBytes_FromStringAndSize(NULL, merged * 16)
        values = PyBytes_FromStringAndSize(NULL, log.used * self.width)
        out = values
        pair = <int64_t *> <char *> runs
        merged = -1
        for i in range(log.count):
            if i == 0 or log.runs[i - 1].offset + log.runs[i - 1].count != log.runs[i].offset:
                merged += 1
                pair[2 * merged] = log.runs[i].offset
                pair[2 * merged + 1] = 0
            pair[2 * merged + 1] += log.runs[i].count
            memcpy(out + at * self.width, log.values + log.runs[i].at * self.width,
                   log.runs[i].count * self.width)
            at += log.runs[i].count
        free(log.values)
        free(log.runs)
        memset(log, 0, sizeof(Log))
        return runs, values


def collect(bytes runs, bytes values, int width, int64_t low, int64_t high, bytearray target):
    """Copy what belongs to the places `low` .. `high` - 1 of a layer out of logged runs.

    Args:
        runs, values: as `Scratch.take_log` returns them.
        width: bytes of a value.
        target: the values from place `low` on.
    """
    cdef const int64_t *run = <const int64_t *> <const char *> runs
    cdef const char *source = values
    cdef char *to = target
    cdef int64_t count = len(runs) // 16
    cdef int64_t i, begin, end, at = 0
    if len(target) != width * (high - low):
        raise ValueError("the target has another size")
    with nogil:
        for i in range(count):
            begin = run[2 * i]
            end = begin + run[2 * i + 1]
            if begin < high and low < end:
                if begin < low:
                    begin = low
                if end > high:
                    end = high
                memcpy(to + width * (begin - low), source + width * (at + begin - run[2 * i]),
                       width * (end - begin))
            at += run[2 * i + 1]


def clear(target, int64_t size):
    """Write zeros to the first `size` bytes of a writable buffer."""
    cdef Py_buffer view
    PyObject_GetBuffer(target, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        if view.len < size:
            raise ValueError("the target is too small")
        with nogil:
            memset(view.buf, 0, size)
    finally:
        PyBuffer_Release(&view)


cdef int compare_runs(const void *a, const void *b) noexcept nogil:
    cdef int64_t first = (<const Run *> a).offset
    cdef int64_t second = (<const Run *> b).offset
    return (first > second) - (first < second)


cdef struct CStage:
    int cell                        # the dynamic cell that goes
    int later_count
    int later[MAX_DYNAMIC]          # the dynamic cells that it can be joined to
    int required[MAX_DYNAMIC]       # whether it must be
    int least[MAX_DYNAMIC]          # the bounds of their degree afterwards
    int most[MAX_DYNAMIC]
    bint may_close
    uint32_t complete               # packed: all dynamic cells that are left have degree 2


cdef struct Weights:
    # what one degree of a cell adds to the places of a target block and of its mirror image
    int64_t slice
    int64_t twin
    int32_t slot
    int32_t twin_slot


cdef class Step:
    """One unit goes: how the slices of one layer become those of the next.

    Args:
        source, target: the layouts before and after.
        tables, mirrors: shared tables.
        static: for every static cell of the source, in its order, ``(position, weights...)`` with
            four weights: what one degree adds to the number of the target slice and of its mirror
            image, and to the slot of the target block and of its mirror image.
        dynamic: the same for every dynamic cell: those of the source in its order, then the opened
            ones.
        constant: the four weights' constant terms.
        stages: ``(cell, later, required, least, most, may_close)`` for every vertex of the unit, in
            numbers of dynamic cells.
        left, axis: masks of the positions in the left half and on the axis.

    Immutable; any number of threads may work on it, each with its own `Scratch`.
    """

    cdef readonly Layout source
    cdef Layout target
    cdef Tables tables
    cdef Mirrors mirrors
    cdef int static_count, dynamic_count, stage_count
    cdef int static_position[MAX_CELLS]
    cdef int position[MAX_DYNAMIC]
    cdef int32_t power[MAX_DYNAMIC + 1]
    cdef Weights static_weights[MAX_CELLS]
    cdef Weights weights[MAX_DYNAMIC]
    cdef Weights constant
    cdef CStage stages[MAX_STAGES]
    cdef uint64_t left, axis

    def __cinit__(self, Layout source, Layout target, Tables tables, Mirrors mirrors, list static,
                  list dynamic, tuple constant, list stages, left, axis):
        cdef int i, j
        cdef uint32_t all_two = 0
        if len(dynamic) > MAX_DYNAMIC or len(stages) > MAX_STAGES:
            raise OverflowError("the frontier is too wide for the compiled engine")
        self.source, self.target = source, target
        self.tables, self.mirrors = tables, mirrors
        self.static_count, self.dynamic_count = len(static), len(dynamic)
        self.stage_count = len(stages)
        self.left, self.axis = left, axis
        set_weights(&self.constant, constant)
        for i in range(self.static_count):
            self.static_position[i] = static[i][0]
            set_weights(&self.static_weights[i], static[i][1:])
        self.power[0] = 1
        for i in range(self.dynamic_count):
            self.position[i] = dynamic[i][0]
            set_weights(&self.weights[i], dynamic[i][1:])
            self.power[i + 1] = 3 * self.power[i]
            all_two |= <uint32_t> 2 << 2 * i
        for i in range(self.stage_count):
            cell, later, required, least, most, may_close = stages[i]
            self.stages[i].cell = cell
            self.stages[i].later_count = len(later)
            for j in range(len(later)):
                self.stages[i].later[j] = later[j]
                self.stages[i].required[j] = required[j]
                self.stages[i].least[j] = least[j]
                self.stages[i].most[j] = most[j]
            self.stages[i].may_close = may_close
            all_two &= ~(<uint32_t> 3 << 2 * <int> cell)
            self.stages[i].complete = all_two

    def process(self, Scratch scratch, source, target, int64_t first, int64_t last,
                object modulus, Stop stop, int64_t source_place=0):
        """Work the slices `first` .. `last` - 1.

        Args:
            scratch: this thread's memory; what closes is added to it.
            source: a buffer with the values of the layer, from value `source_place` on.
            target: a writable buffer for all values of the next layer, filled with zeros before
                the first slice; or None: the blocks are logged in the scratch instead.
            modulus: a prime below 2^16, 2^31 or 2^63 for 2, 4 or 8 bytes; 0: exact, and
                `scratch.has_overflowed` tells when the width was not enough. A tuple of
                `PRIMES_AT_ONCE` primes below 2^63 if the values are so many numbers.
            stop: ends the work early when it is set; the target is useless then.
        """
        cdef Py_buffer source_view, target_view
        cdef char *to = NULL
        cdef Findings found
        cdef Kernel kernel
        cdef bint is_ok
        cdef const char *values
        memset(&found, 0, sizeof(found))
        kernel.places = self.tables.places
        kernel.move_at = &self.tables.move_at[0][0][0]
        kernel.insert_at = &self.tables.insert_at[0][0][0]
        kernel.join_at = &self.tables.join_at[0][0][0]
        kernel.mirrors = &self.mirrors.place[0][0][0]
        set_moduli(kernel.moduli, modulus, scratch.width)
        kernel.stop = &stop.flag
        if scratch.running:
            raise ValueError("this scratch is in use")
        PyObject_GetBuffer(source, &source_view, PyBUF_SIMPLE)
        try:
            if target is not None:
                PyObject_GetBuffer(target, &target_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
                to = <char *> target_view.buf
            try:
                scratch.running = True
                values = <const char *> source_view.buf - source_place * scratch.width
                with nogil:
                    if scratch.width == 2:
                        is_ok = process_slices[uint16_t](
                            self, self.source, self.target, scratch, &kernel,
                            <uint16_t *> values, <uint16_t *> to, first, last, &found)
                    elif scratch.width == 4:
                        is_ok = process_slices[uint32_t](
                            self, self.source, self.target, scratch, &kernel,
                            <uint32_t *> values, <uint32_t *> to, first, last, &found)
                    elif scratch.width == 8:
                        is_ok = process_slices[uint64_t](
                            self, self.source, self.target, scratch, &kernel,
                            <uint64_t *> values, <uint64_t *> to, first, last, &found)
                    else:
                        is_ok = process_slices[lanes_t](
                            self, self.source, self.target, scratch, &kernel,
                            <lanes_t *> values, <lanes_t *> to, first, last, &found)
                if not is_ok:
                    raise MemoryError
                scratch.transitions += found.transitions
                if scratch.width == sizeof(lanes_t):
                    scratch.single = tuple(
                        [(scratch.single[i] + found.single[i]) % modulus[i] for i in range(LANES)])
                    scratch.double = tuple(
                        [(scratch.double[i] + found.double[i]) % modulus[i] for i in range(LANES)])
                    return
                scratch.single += found.single[0]
                scratch.double += found.double[0]
                if modulus:
                    scratch.single %= modulus
                    scratch.double %= modulus
                elif found.single[0] == <uint64_t> -1 or found.double[0] == <uint64_t> -1:
                    scratch.has_overflowed = True
            finally:
                scratch.running = False
                if target is not None:
                    PyBuffer_Release(&target_view)
        finally:
            PyBuffer_Release(&source_view)


cdef int set_moduli(uint64_t *moduli, modulus, int width) except -1:
    """Write what is counted modulo: one number, or a tuple."""
    cdef int lane
    for lane in range(LANES):
        moduli[lane] = modulus[lane] if width == sizeof(lanes_t) else modulus
    return 0


cdef int set_weights(Weights *weights, tuple values) except -1:
    weights.slice, weights.twin, weights.slot, weights.twin_slot = values
    return 0


cdef inline int popcount(uint64_t bits) noexcept nogil:
    bits = bits - (bits >> 1 & 0x5555555555555555u)
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0Fu
    return <int> (bits * 0x0101010101010101u >> 56)


cdef inline int below(uint64_t ends, int position) noexcept nogil:
    """Return how many ends come before a position."""
    return popcount(ends & ((<uint64_t> 1 << position) - 1))


cdef Block *find_block(
    Scratch scratch, Arena *arena, uint32_t slot, uint32_t packed, uint64_t ends, int64_t size
) noexcept nogil:
    """Return the block of an arena with these degrees; a new one is filled with zeros."""
    cdef int32_t number = scratch.slot_block[slot]
    cdef Block *block
    cdef Block *blocks
    cdef char *values
    cdef int64_t capacity
    if number >= 0:
        return &arena.blocks[number]
    if arena.count == arena.block_capacity:
        blocks = <Block *> realloc(arena.blocks, (2 * arena.count + 64) * sizeof(Block))
        if blocks == NULL:
            return NULL
        arena.blocks = blocks
        arena.block_capacity = 2 * arena.count + 64
    if arena.used + size > arena.capacity:
        capacity = arena.used + size + (arena.used >> 1) + 1024
        values = <char *> realloc(arena.values, capacity * scratch.width)
        if values == NULL:
            return NULL
        arena.values = values
        arena.capacity = capacity
    block = &arena.blocks[arena.count]
    block.slot = slot
    block.packed = packed
    block.ends = ends
    block.offset = arena.used
    memset(arena.values + arena.used * scratch.width, 0, size * scratch.width)
    arena.used += size
    scratch.slot_block[slot] = arena.count
    arena.count += 1
    return block


cdef inline bint is_zero(const value_t *values, int64_t count) noexcept nogil:
    cdef int64_t i
    cdef int64_t end
    cdef value_t any_bit
    if value_t is lanes_t:
        return is_zero(<const uint64_t *> values, count * LANES)
    else:
        i = 0
        while i < count:
            end = i + 256 if i + 256 < count else count
            any_bit = 0
            while i < end:
                any_bit |= values[i]
                i += 1
            if any_bit:
                return False
        return True


cdef int eliminate(
    Step step, Scratch scratch, const Kernel *kernel, CStage *stage, uint64_t static_ends,
    bint is_saturated, value_t *values, const Block *source, Arena *arena, uint64_t *closed,
    int64_t *transitions,
) noexcept nogil:
    """Eliminate one cell from one block into an arena; return 0, or -1 for want of memory.

    The options are those of `_frontier_py.successors`: the missing edges of the cell go to later
    cells that have a place left, among them all that require it or could not get enough edges
    elsewhere.
    """
    cdef int free_cells[MAX_DYNAMIC]
    cdef bint is_needed[MAX_DYNAMIC]
    cdef int free_count = 0
    cdef int needed = 0
    cdef int i, j, degree, cell, first, second
    cdef int missing = 2 - <int> (source.packed >> 2 * stage.cell & 3)
    cdef uint64_t bit = <uint64_t> 1 << step.position[stage.cell]
    cdef uint64_t ends = static_ends | source.ends
    cdef int pairs = popcount(ends) // 2
    cdef uint32_t slot = source.slot - (2 - missing) * step.power[stage.cell]
    cdef uint32_t packed = source.packed & ~(<uint32_t> 3 << 2 * stage.cell)
    cdef Block *block
    for i in range(stage.later_count):
        cell = stage.later[i]
        degree = <int> (source.packed >> 2 * cell & 3)
        if degree < stage.most[i]:
            is_needed[free_count] = stage.required[i] or degree < stage.least[i]
            needed += is_needed[free_count]
            free_cells[free_count] = cell
            free_count += 1
            if degree + 1 < stage.least[i]:
                return 0
        elif stage.required[i]:
            return 0
    if needed > missing:
        return 0
    if missing == 0:
        block = find_block(scratch, arena, slot, packed, source.ends, DF[pairs])
        if block == NULL:
            return -1
        add_run(<value_t *> arena.values + block.offset, values, DF[pairs], kernel.moduli)
        transitions[0] += DF[pairs]
        return 0
    for i in range(free_count):
        if missing == 1:
            if needed and not is_needed[i]:
                continue
            if connect(step, scratch, kernel, stage, is_saturated, values, arena, closed, slot,
                       packed, source.ends & ~bit, ends, pairs, stage.cell, free_cells[i],
                       transitions) < 0:
                return -1
            continue
        for j in range(i + 1, free_count):
            if is_needed[i] + is_needed[j] < needed:
                continue
            first, second = free_cells[i], free_cells[j]
            if connect_two(step, scratch, kernel, stage, is_saturated, values, arena, closed, slot,
                           packed, source.ends, ends, pairs, first, second, transitions) < 0:
                return -1
    return 0


cdef int connect(
    Step step, Scratch scratch, const Kernel *kernel, CStage *stage, bint is_saturated,
    value_t *values, Arena *arena, uint64_t *closed, uint32_t slot, uint32_t packed,
    uint64_t dynamic_ends, uint64_t ends, int pairs, int end, int cell, int64_t *transitions,
) noexcept nogil:
    """The path that ends in the dynamic cell `end` goes on to another one.

    `slot`, `packed` and `dynamic_ends` are already without `end`; `ends` is with it.
    """
    cdef uint64_t bit = <uint64_t> 1 << step.position[end]
    cdef uint64_t other = <uint64_t> 1 << step.position[cell]
    cdef int p = below(ends, step.position[end])
    cdef int q = below(ends & ~bit, step.position[cell])
    cdef Block *block
    slot += step.power[cell]
    packed += <uint32_t> 1 << 2 * cell
    if not ends & other:
        block = find_block(scratch, arena, slot, packed, dynamic_ends | other, DF[pairs])
        if block == NULL:
            return -1
        move(kernel, <value_t *> arena.values + block.offset, values, True, pairs, q, p)
        transitions[0] += DF[pairs]
        return 0
    if pairs == 1:
        if stage.may_close and is_saturated and packed == stage.complete:
            if value_t is lanes_t:
                add_lanes(<lanes_t *> closed, &values[0], kernel.moduli)
            else:
                closed[0] = plus(closed[0], <uint64_t> values[0], kernel.moduli[0])
                if not kernel.moduli[0] and values[0] == <value_t> -1:
                    closed[0] = <uint64_t> -1
        return 0
    block = find_block(scratch, arena, slot, packed, dynamic_ends & ~other, DF[pairs - 1])
    if block == NULL:
        return -1
    q += q >= p  # among all ends again
    join(kernel, <value_t *> arena.values + block.offset, values, pairs, p if p < q else q,
         q if p < q else p)
    transitions[0] += DF[pairs]
    return 0


cdef int connect_two(
    Step step, Scratch scratch, const Kernel *kernel, CStage *stage, bint is_saturated,
    value_t *values, Arena *arena, uint64_t *closed, uint32_t slot, uint32_t packed,
    uint64_t dynamic_ends, uint64_t ends, int pairs, int first, int second, int64_t *transitions,
) noexcept nogil:
    """A cell that had no edge joins two others."""
    cdef uint64_t bit = <uint64_t> 1 << step.position[first]
    cdef uint64_t other = <uint64_t> 1 << step.position[second]
    cdef int p, q
    cdef Block *block
    if ends & bit:  # the path that ends in the first goes on to the second
        slot += step.power[first]
        packed += <uint32_t> 1 << 2 * first
        return connect(step, scratch, kernel, stage, is_saturated, values, arena, closed, slot,
                       packed, dynamic_ends & ~bit, ends, pairs, first, second, transitions)
    if ends & other:
        slot += step.power[second]
        packed += <uint32_t> 1 << 2 * second
        return connect(step, scratch, kernel, stage, is_saturated, values, arena, closed, slot,
                       packed, dynamic_ends & ~other, ends, pairs, second, first, transitions)
    slot += step.power[first] + step.power[second]
    packed += (<uint32_t> 1 << 2 * first) + (<uint32_t> 1 << 2 * second)
    block = find_block(scratch, arena, slot, packed, dynamic_ends | bit | other, DF[pairs + 1])
    if block == NULL:
        return -1
    ends |= bit | other
    p, q = below(ends, step.position[first]), below(ends, step.position[second])
    insert(kernel, values, <value_t *> arena.values + block.offset, False, pairs,
           p if p < q else q, q if p < q else p)
    transitions[0] += DF[pairs]
    return 0


cdef value_t *log_block(
    Scratch scratch, int64_t offset, int64_t count, value_t *unused
) noexcept nogil:
    """Return room for a block in the log, NULL for want of memory."""
    cdef Log *log = &scratch.log
    cdef char *values
    cdef Run *runs
    cdef int64_t capacity
    if log.used + count > log.capacity:
        capacity = log.used + count + (log.used >> 1) + 4096
        values = <char *> realloc(log.values, capacity * scratch.width)
        if values == NULL:
            return NULL
        log.values = values
        log.capacity = capacity
    if log.count == log.run_capacity:
        capacity = 2 * log.count + 256
        runs = <Run *> realloc(log.runs, capacity * sizeof(Run))
        if runs == NULL:
            return NULL
        log.runs = runs
        log.run_capacity = capacity
    log.runs[log.count].offset = offset
    log.runs[log.count].count = count
    log.runs[log.count].at = log.used
    log.count += 1
    log.used += count
    return <value_t *> log.values + log.used - count


cdef int store(
    Step step, Scratch scratch, const Kernel *kernel, value_t *values, int64_t count,
    value_t *target, int64_t place, int pairs, uint64_t ends, bint is_mirrored,
) noexcept nogil:
    """Write a block, or its mirror image, to its place in the layer or to the log."""
    cdef value_t *to
    cdef const uint32_t *mirror
    cdef int64_t i
    cdef int left, middle
    cdef uint8_t mate[2 * MAX_PAIRS]
    if target == NULL:
        to = log_block(scratch, place, count, values)
        if to == NULL:
            return -1
    else:
        to = target + place
    if not is_mirrored:
        memcpy(to, values, count * sizeof(value_t))
        return 0
    left = popcount(ends & step.left)
    middle = popcount(ends & step.axis)
    mirror = kernel.mirrors[(pairs * 2 * MAX_PAIRS + left) * 2 * MAX_PAIRS + middle]
    if mirror != NULL:
        for i in range(count):
            to[mirror[i]] = values[i]
    else:
        for i in range(count):
            unrank(pairs, i, mate)
            to[mirrored(pairs, left, middle, mate)] = values[i]
    return 0


cdef void read_static(
    Step step, Layout before, int64_t number, Weights *base, uint64_t *ends, int64_t *twin,
    bint *is_saturated,
) noexcept nogil:
    """Say what the static cells of a slice add: places, ends, its mirror image, all saturated."""
    cdef int i, degree
    base[0] = step.constant
    ends[0] = 0
    twin[0] = 0
    is_saturated[0] = True
    for i in range(step.static_count):
        degree = <int> (number // before.weight[i] % before.radix[i])
        twin[0] += degree * before.mirror_weight[i]
        degree += before.low[i]
        if degree == 1:
            ends[0] |= <uint64_t> 1 << step.static_position[i]
        is_saturated[0] = is_saturated[0] and degree == 2
        base.slice += degree * step.static_weights[i].slice
        base.twin += degree * step.static_weights[i].twin
        base.slot += degree * step.static_weights[i].slot
        base.twin_slot += degree * step.static_weights[i].twin_slot


cdef bint process_slices(
    Step step, Layout before, Layout after, Scratch scratch, const Kernel *kernel,
    value_t *source, value_t *target, int64_t first, int64_t last, Findings *found,
) noexcept nogil:
    """Work a run of slices; False for want of memory."""
    cdef SliceClass *kind
    cdef Arena *arena
    cdef Arena *previous
    cdef Block block
    cdef Block *done
    cdef Weights base, sum_of
    cdef int64_t number, twin, place, size, start
    cdef uint64_t static_ends, ends
    cdef uint64_t *closed
    cdef bint is_saturated
    cdef int i, b, degree, stage, pairs
    if not scratch.make_slots(step.power[step.dynamic_count]):
        return False
    for number in range(first, last):
        start = before.offset[number]
        if before.offset[number + 1] == start:
            continue
        kind = &before.classes[before.class_of[number]]
        read_static(step, before, number, &base, &static_ends, &twin, &is_saturated)
        closed = &found.single[0] if twin == number or not before.is_halved else &found.double[0]
        # The unit's vertices go, one after the other.
        for stage in range(step.stage_count):
            arena = &scratch.arenas[stage & 1]
            arena.used = arena.count = 0
            previous = &scratch.arenas[~stage & 1]
            for b in range(kind.count if stage == 0 else previous.count):
                if kernel.stop[0]:
                    for i in range(arena.count):
                        scratch.slot_block[arena.blocks[i].slot] = -1
                    return True
                if stage == 0:
                    block.slot = kind.blocks[b].slot
                    block.packed = kind.blocks[b].packed
                    block.ends = 0
                    for i in range(before.dynamic_count):
                        if block.packed >> 2 * i & 3 == 1:
                            block.ends |= <uint64_t> 1 << step.position[i]
                    size = DF[popcount(static_ends | block.ends) // 2]
                    if is_zero(source + start + kind.blocks[b].offset, size):
                        continue
                    i = eliminate(step, scratch, kernel, &step.stages[stage], static_ends,
                                  is_saturated, source + start + kind.blocks[b].offset, &block,
                                  arena, closed, &found.transitions)
                else:
                    i = eliminate(step, scratch, kernel, &step.stages[stage], static_ends,
                                  is_saturated,
                                  <value_t *> previous.values + previous.blocks[b].offset,
                                  &previous.blocks[b], arena, closed, &found.transitions)
                if i < 0:
                    return False
            for i in range(arena.count):
                scratch.slot_block[arena.blocks[i].slot] = -1
        # To their places in the next layer.
        arena = &scratch.arenas[~step.stage_count & 1]
        for b in range(arena.count):
            done = &arena.blocks[b]
            ends = static_ends | done.ends
            pairs = popcount(ends) // 2
            size = DF[pairs]
            if is_zero(<value_t *> arena.values + done.offset, size):
                continue
            sum_of = base
            for i in range(step.dynamic_count):
                degree = <int> (done.packed >> 2 * i & 3)
                sum_of.slice += degree * step.weights[i].slice
                sum_of.twin += degree * step.weights[i].twin
                sum_of.slot += degree * step.weights[i].slot
                sum_of.twin_slot += degree * step.weights[i].twin_slot
            if not after.is_halved or sum_of.slice <= sum_of.twin:
                place = after.classes[after.class_of[sum_of.slice]].offset_of[sum_of.slot]
                if place >= 0 and store(
                        step, scratch, kernel, <value_t *> arena.values + done.offset, size, target,
                        after.offset[sum_of.slice] + place, pairs, ends, False) < 0:
                    return False
            if after.is_halved and twin != number and sum_of.twin <= sum_of.slice:
                place = after.classes[after.class_of[sum_of.twin]].offset_of[sum_of.twin_slot]
                if place >= 0 and store(
                        step, scratch, kernel, <value_t *> arena.values + done.offset, size, target,
                        after.offset[sum_of.twin] + place, pairs, ends, True) < 0:
                    return False
        scratch.trim(128 << 20)
    return True


# The last two rows of a board, all at once


cdef struct Completion:
    int64_t place       # of the block in the layer, in values
    int weight          # 2 for a block that stands for its mirror image too
    int pairs
    uint8_t mate[2 * MAX_PAIRS]   # which ends the edges of the completion join


cdef void single_cycles(
    const value_t *values, int pairs, const uint8_t *left, uint8_t *far, const uint64_t *moduli,
    uint64_t *total,
) noexcept nogil:
    """Add up the matchings of a block that make one cycle with the paths between the points.

    Args:
        left: the points that have no mate yet, in order.
        far: the other end of the path that ends in a point.
    """
    cdef uint8_t rest[2 * MAX_PAIRS]
    cdef int i, j
    cdef uint8_t a, b, x, y
    if pairs == 1:
        if value_t is lanes_t:
            add_lanes(<lanes_t *> total, &values[0], moduli)
        elif not moduli[0] and values[0] == <value_t> -1:
            total[0] = <uint64_t> -1
        else:
            total[0] = plus(total[0], <uint64_t> values[0], moduli[0])
        return
    a = left[0]
    x = far[a]
    for j in range(2, 2 * pairs):
        rest[j - 2] = left[j]
    for i in range(1, 2 * pairs):
        if i > 1:
            rest[i - 2] = left[i - 1]
        b = left[i]
        if b == x:
            continue  # a cycle that leaves the other ends out
        y = far[b]
        far[x], far[y] = y, x
        single_cycles(values + (i - 1) * DF[pairs - 1], pairs - 1, rest, far, moduli, total)
        far[x], far[y] = a, b


cdef class Ending:
    """What a layer after a whole row is worth if the board ends with the two rows of its frontier.

    Args:
        layout: that of the layer.
        cells: for every square of the two rows, and the apex, in the order of the ends: its number
            among the static cells, or, after these, among the dynamic ones; -1 if it is not in the
            frontier.
        completions: for every way to choose the edges among these cells that are still missing,
            two bytes a cell: the degree that a state must have there, and the number of the cell
            that the edges join it to, itself where they join it to none.

    Immutable; any number of threads may use it. Cost: (2k-2)!! additions for a completion of k
    paths.
    """

    cdef Layout layout
    cdef Completion *completions
    cdef readonly int64_t count   # of the completions that a state of the layer can have

    def __cinit__(self, Layout layout, list cells, bytes completions):
        cdef int size = len(cells)
        cdef int cell[MAX_CELLS]
        cdef int i
        cdef int64_t number, most
        cdef const uint8_t *record = <const uint8_t *> <const char *> completions
        if size > MAX_CELLS:
            raise OverflowError("the frontier is too wide for the compiled engine")
        for i in range(size):
            cell[i] = cells[i]
        self.layout = layout
        most = len(completions) // (2 * size)
        self.completions = <Completion *> malloc((most + 1) * sizeof(Completion))
        if self.completions == NULL:
            raise MemoryError
        with nogil:
            for number in range(most):
                self.count += self.find(layout, record + number * 2 * size, size, cell,
                                        &self.completions[self.count])

    def __dealloc__(self):
        free(self.completions)

    cdef bint find(
        self, Layout layout, const uint8_t *record, int size, const int *cell,
        Completion *completion
    ) noexcept nogil:
        """Find the block that a completion completes; False if there is none."""
        cdef int power[MAX_DYNAMIC]
        cdef int point[MAX_CELLS]
        cdef int64_t number = 0
        cdef int64_t twin = 0
        cdef int64_t offset
        cdef int slot = 0
        cdef int points = 0
        cdef int i, degree, place
        place = 1
        for i in range(layout.dynamic_count):
            power[i] = place
            place *= 3
        for i in range(size):
            degree = record[2 * i]
            place = cell[i]
            point[i] = points
            points += degree == 1
            if place < 0:
                if degree:
                    return False
            elif place < layout.static_count:
                degree -= layout.low[place]
                if not 0 <= degree < layout.radix[place]:
                    return False
                number += degree * layout.weight[place]
                twin += degree * layout.mirror_weight[place]
            else:
                slot += degree * power[place - layout.static_count]
        if layout.is_halved and twin < number:
            return False  # its mirror image is in the list too
        offset = layout.classes[layout.class_of[number]].offset_of[slot]
        if offset < 0 or points == 0:
            return False
        completion.place = layout.offset[number] + offset
        completion.weight = 2 if layout.is_halved and number < twin else 1
        completion.pairs = points // 2
        for i in range(size):
            if record[2 * i] == 1:
                completion.mate[point[i]] = <uint8_t> point[record[2 * i + 1]]
        return True

    def total(self, values, int width, modulus, Stop stop):
        """Return the number of cycles, modulo a prime, or exactly.

        Args:
            values: a buffer with the values of the layer.
            width: bytes of a value.
            modulus: as in `Step.process`.
            stop: ends the work early when it is set; the result is useless then.

        Returns:
            The number, None if the width of a value was not enough for exact values; a tuple of
            numbers modulo several primes.
        """
        cdef Py_buffer view
        cdef Findings found
        cdef uint64_t moduli[LANES]
        cdef int lane
        set_moduli(moduli, modulus, width)
        memset(&found, 0, sizeof(found))
        PyObject_GetBuffer(values, &view, PyBUF_SIMPLE)
        try:
            with nogil:
                if width == 2:
                    complete(self, <const uint16_t *> view.buf, moduli, &stop.flag, &found)
                elif width == 4:
                    complete(self, <const uint32_t *> view.buf, moduli, &stop.flag, &found)
                elif width == 8:
                    complete(self, <const uint64_t *> view.buf, moduli, &stop.flag, &found)
                else:
                    complete(self, <const lanes_t *> view.buf, moduli, &stop.flag, &found)
        finally:
            PyBuffer_Release(&view)
        numbers = [int(found.single[lane]) + 2 * int(found.double[lane]) for lane in range(LANES)]
        if width == sizeof(lanes_t):
            return tuple([numbers[lane] % modulus[lane] for lane in range(LANES)])
        if modulus:
            return numbers[0] % modulus
        if found.single[0] == <uint64_t> -1 or found.double[0] == <uint64_t> -1:
            return None
        return numbers[0]


cdef void complete(
    Ending ending, const value_t *values, const uint64_t *moduli, const int *stop, Findings *found
) noexcept nogil:
    """Add up over the completions."""
    cdef uint8_t far[2 * MAX_PAIRS]
    cdef uint8_t points[2 * MAX_PAIRS]
    cdef const Completion *completion
    cdef int64_t number
    cdef int i
    for i in range(2 * MAX_PAIRS):
        points[i] = <uint8_t> i
    for number in range(ending.count):
        if stop[0]:
            return
        completion = &ending.completions[number]
        memcpy(far, completion.mate, sizeof(far))
        single_cycles(values + completion.place, completion.pairs, points, far, moduli,
                      &found.double[0] if completion.weight == 2 else &found.single[0])


# The way back, for sampling


cdef enum:
    MAX_VERTICES = 512
    MAX_MODULI = 64
    DONE = -1           # the mate of a vertex that has two edges

cdef struct Layers:
    # one layer, once for every modulus
    int count
    const uint64_t *values[MAX_MODULI]
    uint64_t modulus[MAX_MODULI]

cdef struct Trail:
    int stage
    bint is_closed
    int choice, i, j
    int split           # the end that was split last, -1 for none
    int16_t first, second
    int16_t x, y
    int count
    int16_t where[8]
    int16_t what[8]


cdef inline void restart(Trail *trail) noexcept nogil:
    trail.choice = -1
    trail.i = trail.j = -1
    trail.split = -1
    trail.count = 0


cdef inline void put(int16_t *mates, Trail *trail, int16_t vertex, int16_t mate) noexcept nogil:
    trail.where[trail.count] = vertex
    trail.what[trail.count] = mates[vertex]
    trail.count += 1
    mates[vertex] = mate


cdef inline void undo(int16_t *mates, Trail *trail) noexcept nogil:
    while trail.count:
        trail.count -= 1
        mates[trail.where[trail.count]] = trail.what[trail.count]


cdef class Backward:
    """From a state back to the states it came from, through the stages of one step.

    Args:
        layout: that of the layer before the step.
        static, dynamic: the vertices of its cells, in its order.
        ordered: all of them, in the order of the ends.
        opened: vertices that have no edge before the step.
        mirror: the mirror image of every vertex where the layout is halved.
        vertices: how many there are, the apex included.
        stages: ``(vertex, later, required)`` for the vertices that go.

    A state is told by the mates of all vertices, in bytes of native int16: itself for a vertex
    without an edge, -1 for one with two, which the eliminated ones have. It goes through the same
    choices as `Step`, backwards: a state is asked for by its rank, none is stored.
    """

    cdef Layout layout
    cdef int static_count, dynamic_count, opened_count, vertices, stage_count
    cdef int16_t opened[MAX_DYNAMIC]
    cdef int16_t static[MAX_CELLS]
    cdef int16_t dynamic[MAX_DYNAMIC]
    cdef int16_t ordered[MAX_CELLS + MAX_DYNAMIC]
    cdef int16_t mirror[MAX_VERTICES]
    cdef int16_t vertex[MAX_STAGES]
    cdef int later_count[MAX_STAGES]
    cdef int16_t later[MAX_STAGES][MAX_DYNAMIC]
    cdef bint required[MAX_STAGES][MAX_DYNAMIC]
    cdef int required_count[MAX_STAGES]

    def __cinit__(self, Layout layout, list static, list dynamic, list ordered, list opened,
                  list mirror, int vertices, list stages):
        cdef int i, j
        if vertices > MAX_VERTICES or len(stages) > MAX_STAGES:
            raise OverflowError("the board is too large for sampling")
        self.layout = layout
        self.static_count, self.dynamic_count = len(static), len(dynamic)
        self.vertices, self.stage_count = vertices, len(stages)
        for i in range(self.static_count):
            self.static[i] = static[i]
        for i in range(self.dynamic_count):
            self.dynamic[i] = dynamic[i]
        for i in range(len(ordered)):
            self.ordered[i] = ordered[i]
        self.opened_count = len(opened)
        for i in range(self.opened_count):
            self.opened[i] = opened[i]
        for i in range(vertices):
            self.mirror[i] = mirror[i] if mirror else i
        for i in range(self.stage_count):
            self.vertex[i], later, required = stages[i]
            self.later_count[i] = len(later)
            self.required_count[i] = 0
            for j in range(len(later)):
                self.later[i][j] = later[j]
                self.required[i][j] = required[j]
                self.required_count[i] += required[j]

    def predecessors(self, list values, list moduli, bytes state, int stage, bint is_closed):
        """Return the states before a stage that lead to this one.

        Args:
            values: buffers with the values of the layer before the step, 64 bits each, one buffer
                for every modulus.
            moduli: primes below 2^63, or a single 0: the values are exact.
            state: the mates after the stage; if `is_closed`, the cycle has closed in it.
            stage: its number in the step.

        Returns:
            A list of ``(chosen, state, ways)``: the vertices that the stage's vertex was joined to,
            in order, the mates before, and the number of ways to get there modulo every modulus, a
            tuple that is not all 0.
        """
        cdef int16_t mates[MAX_VERTICES]
        cdef Py_buffer views[MAX_MODULI]
        cdef Layers layers
        cdef int i
        if len(state) != 2 * self.vertices:
            raise ValueError("a state has a mate for every vertex")
        if len(values) != len(moduli) or len(moduli) > MAX_MODULI:
            raise ValueError("one buffer for every modulus")
        memcpy(mates, <const char *> state, 2 * self.vertices)
        found = []
        layers.count = 0
        try:
            for i in range(<int> len(moduli)):
                PyObject_GetBuffer(values[i], &views[i], PyBUF_SIMPLE)
                layers.values[i] = <const uint64_t *> views[i].buf
                layers.count += 1
                layers.modulus[i] = moduli[i]
            self.enumerate_ways(&layers, mates, stage, is_closed, found)
        finally:
            for i in range(layers.count):
                PyBuffer_Release(&views[i])
        return found

    cdef int enumerate_ways(self, const Layers *layers, int16_t *mates, int stage,
                            bint is_closed, list found) except -1:
        cdef Trail trail
        cdef uint64_t ways[MAX_MODULI]
        cdef uint64_t any_way
        cdef int i
        trail.stage = stage
        trail.is_closed = is_closed
        restart(&trail)
        while self.next_way(mates, &trail):
            memset(ways, 0, sizeof(ways))
            self.weigh(layers, mates, stage, ways)
            any_way = 0
            for i in range(layers.count):
                any_way |= ways[i]
            if any_way:
                chosen = tuple([int(u) for u in (trail.first, trail.second) if u >= 0])
                found.append((
                    chosen,
                    PyBytes_FromStringAndSize(<char *> mates, 2 * self.vertices),
                    tuple([ways[i] for i in range(layers.count)]),
                ))
            undo(mates, &trail)
        return 0

    cdef void weigh(
        self, const Layers *layers, int16_t *mates, int stage, uint64_t *ways
    ) noexcept nogil:
        """Add the numbers of ways to a state before a stage."""
        cdef Trail trail
        cdef int64_t place
        cdef int i
        if stage == 0:
            place = self.look_up(self.layout, mates)
            if place >= 0:
                for i in range(layers.count):
                    ways[i] = plus(ways[i], layers.values[i][place], layers.modulus[i])
            return
        trail.stage = stage - 1
        trail.is_closed = False
        restart(&trail)
        while self.next_way(mates, &trail):
            self.weigh(layers, mates, stage - 1, ways)
            undo(mates, &trail)

    cdef bint next_way(self, int16_t *mates, Trail *trail) noexcept nogil:
        """Change the mates to those of the next state that this one may have come from.

        What was changed is noted in the trail, for `undo`. The order: no edge, one edge, two edges,
        each in the order of the later vertices; for every choice the ends that may have been joined
        in the order of their vertices.
        """
        cdef int s = trail.stage
        cdef int16_t v = self.vertex[s]
        cdef int16_t a, b, x, y
        cdef int da, db, used
        while True:
            # Which vertices, in this order: (), (i,), (i, j).
            if trail.split < 0:
                trail.choice += 1
                if trail.choice == 0:
                    trail.i = trail.j = -1
                elif trail.j < 0:
                    trail.i += 1
                    if trail.i == self.later_count[s]:
                        trail.i, trail.j = 0, 1
                else:
                    trail.j += 1
                    if trail.j == self.later_count[s]:
                        trail.i += 1
                        trail.j = trail.i + 1
                if trail.j >= self.later_count[s]:
                    return False
                used = 0
                if trail.i >= 0:
                    used += self.required[s][trail.i]
                if trail.j >= 0:
                    used += self.required[s][trail.j]
                if used != self.required_count[s]:
                    continue
            trail.first = self.later[s][trail.i] if trail.i >= 0 else -1
            trail.second = self.later[s][trail.j] if trail.j >= 0 else -1
            a, b = trail.first, trail.second
            trail.count = 0
            if a < 0:
                if trail.is_closed:
                    continue
                # It had both edges: nothing changes.
                put(mates, trail, v, DONE)
                return True
            da = 2 if mates[a] == DONE else mates[a] != a
            if b < 0:
                if trail.is_closed:
                    # The last edge joined the two ends of the only path.
                    put(mates, trail, v, a)
                    put(mates, trail, a, v)
                    return True
                if da == 0:
                    continue
                if da == 1:
                    x = mates[a]
                    put(mates, trail, v, x)
                    put(mates, trail, x, v)
                    put(mates, trail, a, a)
                    return True
                if not self.next_split(mates, trail):
                    continue
                x, y = trail.x, trail.y
                put(mates, trail, v, x)
                put(mates, trail, x, v)
                put(mates, trail, a, y)
                put(mates, trail, y, a)
                return True
            db = 2 if mates[b] == DONE else mates[b] != b
            if trail.is_closed:
                put(mates, trail, v, v)
                put(mates, trail, a, b)
                put(mates, trail, b, a)
                return True
            if da == 0 or db == 0:
                continue
            if da == 1 and db == 1:
                if mates[a] != b:
                    continue
                put(mates, trail, v, v)
                put(mates, trail, a, a)
                put(mates, trail, b, b)
                return True
            if da == 1 or db == 1:
                if db == 1:
                    a, b = b, a
                x = mates[a]  # the end went from b to a
                put(mates, trail, v, v)
                put(mates, trail, b, x)
                put(mates, trail, x, b)
                put(mates, trail, a, a)
                return True
            if not self.next_split(mates, trail):
                continue
            x, y = trail.x, trail.y
            put(mates, trail, v, v)
            put(mates, trail, a, x)
            put(mates, trail, x, a)
            put(mates, trail, b, y)
            put(mates, trail, y, b)
            return True

    cdef bint next_split(self, int16_t *mates, Trail *trail) noexcept nogil:
        """Find the next end `x` and its mate `y` that may have been two paths before."""
        cdef int16_t x
        for x in range(<int16_t> (trail.split + 1), <int16_t> self.vertices):
            if mates[x] != DONE and mates[x] != x:
                trail.split = x
                trail.x, trail.y = x, mates[x]
                return True
        trail.split = -1
        return False

    cdef int64_t look_up(self, Layout layout, const int16_t *mates) noexcept nogil:
        """Return the place of a state in the layer, -1 if it cannot occur."""
        cdef int16_t image[MAX_VERTICES]
        cdef int64_t number, twin
        cdef int i, degree, digit
        for i in range(self.opened_count):
            if mates[self.opened[i]] != self.opened[i]:
                return -1
        for i in range(self.static_count):
            degree = 2 if mates[self.static[i]] == DONE else mates[self.static[i]] != self.static[i]
            digit = degree - layout.low[i]
            if not 0 <= digit < layout.radix[i]:
                return -1
        number = twin = 0
        for i in range(self.static_count):
            degree = 2 if mates[self.static[i]] == DONE else mates[self.static[i]] != self.static[i]
            digit = degree - layout.low[i]
            number += digit * layout.weight[i]
            twin += digit * layout.mirror_weight[i]
        if layout.is_halved and twin < number:
            for i in range(self.vertices):
                image[self.mirror[i]] = DONE if mates[i] == DONE else self.mirror[mates[i]]
            return self.look_up_in(layout, image, twin)
        return self.look_up_in(layout, mates, number)

    cdef int64_t look_up_in(
        self, Layout layout, const int16_t *mates, int64_t number
    ) noexcept nogil:
        cdef int16_t place[MAX_VERTICES]
        cdef uint8_t mate[2 * MAX_PAIRS]
        cdef int16_t end[2 * MAX_PAIRS]
        cdef int64_t offset
        cdef int32_t slot = 0
        cdef int32_t power = 1
        cdef int i, degree, points = 0
        for i in range(self.dynamic_count):
            degree = (2 if mates[self.dynamic[i]] == DONE
                      else mates[self.dynamic[i]] != self.dynamic[i])
            slot += degree * power
            power *= 3
        offset = layout.classes[layout.class_of[number]].offset_of[slot]
        if offset < 0:
            return -1
        for i in range(self.static_count + self.dynamic_count):
            if mates[self.ordered[i]] != DONE and mates[self.ordered[i]] != self.ordered[i]:
                place[self.ordered[i]] = <int16_t> points
                end[points] = self.ordered[i]
                points += 1
        for i in range(points):
            mate[i] = <uint8_t> place[mates[end[i]]]
        return layout.offset[number] + offset + rank_of(points // 2, mate)


# The way back of whole layers: completions, and how many cycles use every edge


cdef enum:
    STAY = 0
    MOVE = 1
    INSERT = 2
    JOIN = 3
    CLOSE = 4
    MAX_OPTIONS = 1 + MAX_DYNAMIC + MAX_DYNAMIC * MAX_DYNAMIC // 2

cdef struct Option:
    # one way to get the missing edges of a vertex: what becomes of a block
    int kind
    int p, q            # places of ends: from and to, or the smaller and the larger
    int first, second   # which later cells are chosen, as numbers of the stage, -1 for none
    uint32_t slot       # the block that it becomes
    uint32_t packed
    uint64_t ends


cdef int list_options(
    Step step, CStage *stage, uint64_t static_ends, bint is_saturated, const Block *source,
    Option *options,
) noexcept nogil:
    """List the ways on of a block, those of `eliminate`; return how many there are."""
    cdef int free_cells[MAX_DYNAMIC]
    cdef int number[MAX_DYNAMIC]
    cdef bint is_needed[MAX_DYNAMIC]
    cdef int free_count = 0
    cdef int needed = 0
    cdef int count = 0
    cdef int i, j, degree, cell
    cdef int missing = 2 - <int> (source.packed >> 2 * stage.cell & 3)
    cdef uint64_t bit = <uint64_t> 1 << step.position[stage.cell]
    cdef uint64_t ends = static_ends | source.ends
    cdef uint32_t slot = source.slot - (2 - missing) * step.power[stage.cell]
    cdef uint32_t packed = source.packed & ~(<uint32_t> 3 << 2 * stage.cell)
    for i in range(stage.later_count):
        cell = stage.later[i]
        degree = <int> (source.packed >> 2 * cell & 3)
        if degree < stage.most[i]:
            is_needed[free_count] = stage.required[i] or degree < stage.least[i]
            needed += is_needed[free_count]
            free_cells[free_count] = cell
            number[free_count] = i
            free_count += 1
            if degree + 1 < stage.least[i]:
                return 0
        elif stage.required[i]:
            return 0
    if needed > missing:
        return 0
    if missing == 0:
        options.kind = STAY
        options.first = options.second = -1
        options.slot, options.packed, options.ends = slot, packed, source.ends
        return 1
    for i in range(free_count):
        if missing == 1:
            if needed and not is_needed[i]:
                continue
            options[count].first, options[count].second = number[i], -1
            count += option_of_one(step, stage, is_saturated, &options[count], slot, packed,
                                   source.ends & ~bit, ends, stage.cell, free_cells[i])
            continue
        for j in range(i + 1, free_count):
            if is_needed[i] + is_needed[j] < needed:
                continue
            options[count].first, options[count].second = number[i], number[j]
            count += option_of_two(step, stage, is_saturated, &options[count], slot, packed,
                                   source.ends, ends, free_cells[i], free_cells[j])
    return count


cdef bint option_of_one(
    Step step, CStage *stage, bint is_saturated, Option *option, uint32_t slot, uint32_t packed,
    uint64_t dynamic_ends, uint64_t ends, int end, int cell,
) noexcept nogil:
    """Say what `connect` does; whether it does anything."""
    cdef uint64_t bit = <uint64_t> 1 << step.position[end]
    cdef uint64_t other = <uint64_t> 1 << step.position[cell]
    cdef int p = below(ends, step.position[end])
    cdef int q = below(ends & ~bit, step.position[cell])
    option.slot = slot + step.power[cell]
    option.packed = packed + (<uint32_t> 1 << 2 * cell)
    if not ends & other:
        option.kind = MOVE
        option.ends = dynamic_ends | other
        option.p, option.q = p, q
        return True
    option.ends = dynamic_ends & ~other
    if popcount(ends) == 2:
        option.kind = CLOSE
        return stage.may_close and is_saturated and option.packed == stage.complete
    option.kind = JOIN
    q += q >= p
    option.p, option.q = (p if p < q else q), (q if p < q else p)
    return True


cdef bint option_of_two(
    Step step, CStage *stage, bint is_saturated, Option *option, uint32_t slot, uint32_t packed,
    uint64_t dynamic_ends, uint64_t ends, int first, int second,
) noexcept nogil:
    """Say what `connect_two` does; whether it does anything."""
    cdef uint64_t bit = <uint64_t> 1 << step.position[first]
    cdef uint64_t other = <uint64_t> 1 << step.position[second]
    cdef int p, q
    if ends & bit:
        return option_of_one(step, stage, is_saturated, option, slot + step.power[first],
                             packed + (<uint32_t> 1 << 2 * first), dynamic_ends & ~bit, ends,
                             first, second)
    if ends & other:
        return option_of_one(step, stage, is_saturated, option, slot + step.power[second],
                             packed + (<uint32_t> 1 << 2 * second), dynamic_ends & ~other, ends,
                             second, first)
    option.kind = INSERT
    option.slot = slot + step.power[first] + step.power[second]
    option.packed = packed + (<uint32_t> 1 << 2 * first) + (<uint32_t> 1 << 2 * second)
    option.ends = dynamic_ends | bit | other
    ends |= bit | other
    p, q = below(ends, step.position[first]), below(ends, step.position[second])
    option.p, option.q = (p if p < q else q), (q if p < q else p)
    return True


cdef void unjoin(
    const Kernel *kernel, number_t *to, number_t *source, int k, int a, int b
) noexcept nogil:
    """Add to those k pairs that `join` makes k - 1 pairs of what these have: it, transposed."""
    cdef const uint16_t *place
    cdef int64_t part, i
    cdef int m, j, ways
    if k <= LEAF:
        place = kernel.places + kernel.join_at[(k * 2 * LEAF + a) * 2 * LEAF + b]
        ways = 2 * k - 2
        for i in range(DF[k - 1]):
            for j in range(ways):
                source[place[j]] = plus(source[place[j]], to[i], kernel.moduli[0])
            place += ways
        return
    part = DF[k - 1]
    for m in range(1, 2 * k):  # the mate of point 0, as in `join`
        if kernel.stop[0]:
            return
        if a == 0:
            if m != b:
                move(kernel, source + (m - 1) * part, to, True, k - 1, b - 1 - (b > m),
                     m - 1 - (m > b))
        elif m == a:
            move(kernel, source + (m - 1) * part, to, True, k - 1, b - 2, 0)
        elif m == b:
            move(kernel, source + (m - 1) * part, to, True, k - 1, a - 1, 0)
        else:
            unjoin(kernel, to + (m - 1 - (m > a) - (m > b)) * DF[k - 2], source + (m - 1) * part,
                   k - 1, a - 1 - (a > m), b - 1 - (b > m))


cdef inline uint64_t add_and_multiply(
    number_t *total, const number_t *more, const number_t *factor, int64_t count, uint64_t modulus
) noexcept nogil:
    """Add a run to another; return its scalar product with a third, of at most 31 bits a value.

    Exact values (modulus 0): modulo 2^64.
    """
    cdef int64_t i
    cdef uint64_t product
    cdef uint64_t low = 0
    cdef uint64_t high = 0
    if modulus:
        for i in range(count):
            total[i] = plus(total[i], more[i], modulus)
            product = <uint64_t> more[i] * factor[i]
            low += product & 0xFFFFFFFFu
            high += product >> 32
        return ((high % modulus << 32) + low % modulus) % modulus
    for i in range(count):
        total[i] = plus(total[i], more[i], 0)
        low += <uint64_t> more[i] * factor[i]
    return low


cdef struct Later:
    uint32_t slot
    bint is_image       # whether its values are in the arena of images, else in the layer
    bint is_zero
    int64_t offset


cdef class Tally:
    """The working memory of one thread on the way back, and the edges that it has counted.

    Args:
        width: bytes of a value: 2 or 4 modulo a prime, 8 for exact values.
    """

    cdef Scratch scratch
    cdef Arena states[MAX_STAGES]      # before every stage but the first: the ways to get there,
    cdef Arena completions[MAX_STAGES]  # and the ways from there
    cdef Arena images
    cdef Later *laters
    cdef int32_t later_count, later_capacity
    cdef char *line
    cdef char *total
    cdef int64_t capacity
    # edges in slices that are their own mirror images, and in others
    cdef uint64_t edges[2][MAX_STAGES][MAX_DYNAMIC]

    def __cinit__(self, int width):
        self.scratch = Scratch(width)

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_STAGES):
            free(self.states[i].values)
            free(self.states[i].blocks)
            free(self.completions[i].values)
        free(self.images.values)
        free(self.laters)
        free(self.line)
        free(self.total)

    def take(self, Step step):
        """Return for every stage of a step, for every later cell, two numbers; and forget them.

        They say how many cycles use the edge, counted in slices that are their own mirror images,
        and in others, modulo the prime, or 2^64.
        """
        cdef int stage, i
        taken = [
            [(self.edges[0][stage][i], self.edges[1][stage][i])
             for i in range(step.stages[stage].later_count)]
            for stage in range(step.stage_count)
        ]
        memset(self.edges, 0, sizeof(self.edges))
        return taken

    cdef bint make_room(self, int64_t size) noexcept nogil:
        """Make room for a block of so many values, twice."""
        if size <= self.capacity:
            return True
        free(self.line)
        free(self.total)
        self.capacity = 0
        self.line = <char *> malloc(size * self.scratch.width)
        self.total = <char *> malloc(size * self.scratch.width)
        if self.line == NULL or self.total == NULL:
            return False
        self.capacity = size
        return True


cdef bint reserve(Arena *arena, int64_t size, int width) noexcept nogil:
    """Make room for so many more values."""
    cdef int64_t capacity
    cdef char *values
    if arena.used + size <= arena.capacity:
        return True
    capacity = arena.used + size + (arena.used >> 1) + 1024
    values = <char *> realloc(arena.values, capacity * width)
    if values == NULL:
        return False
    arena.values = values
    arena.capacity = capacity
    return True


def retrace(Step step, Tally tally, source, target, int64_t first, int64_t last, uint64_t modulus,
            Stop stop):
    """Go back through the slices `first` .. `last` - 1: count their edges and completions.

    Args:
        tally: this thread's memory, to which the edges are added.
        source: a writable buffer with the layer before the step, the ways to its states; they are
            replaced by the numbers of their completions, the ways from there to a cycle.
        target: a buffer with the completions of the states of the layer after the step.
        modulus: a prime below 2^16 or 2^31 for 2 or 4 bytes; 0 for 8 bytes: exact where the number
            of all cycles is.
        stop: ends the work early when it is set; both layers are useless then.

    A state that has no way to get there may get any completions: no cycle goes through it.
    """
    cdef Py_buffer source_view, target_view
    cdef Kernel kernel
    cdef bint is_ok
    cdef int width = tally.scratch.width
    if (width == 8) != (modulus == 0):
        raise ValueError("8 bytes are for exact values, fewer for those modulo a prime")
    kernel.places = step.tables.places
    kernel.move_at = &step.tables.move_at[0][0][0]
    kernel.insert_at = &step.tables.insert_at[0][0][0]
    kernel.join_at = &step.tables.join_at[0][0][0]
    kernel.mirrors = &step.mirrors.place[0][0][0]
    kernel.moduli[0] = modulus
    kernel.stop = &stop.flag
    if tally.scratch.running:
        raise ValueError("this tally is in use")
    PyObject_GetBuffer(source, &source_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        PyObject_GetBuffer(target, &target_view, PyBUF_SIMPLE)
        try:
            tally.scratch.running = True
            with nogil:
                if width == 2:
                    is_ok = retrace_slices[uint16_t](
                        step, step.source, step.target, tally, tally.scratch, &kernel,
                        <uint16_t *> source_view.buf, <uint16_t *> target_view.buf, first, last)
                elif width == 4:
                    is_ok = retrace_slices[uint32_t](
                        step, step.source, step.target, tally, tally.scratch, &kernel,
                        <uint32_t *> source_view.buf, <uint32_t *> target_view.buf, first, last)
                else:
                    is_ok = retrace_slices[uint64_t](
                        step, step.source, step.target, tally, tally.scratch, &kernel,
                        <uint64_t *> source_view.buf, <uint64_t *> target_view.buf, first, last)
            if not is_ok:
                raise MemoryError
        finally:
            tally.scratch.running = False
            PyBuffer_Release(&target_view)
    finally:
        PyBuffer_Release(&source_view)


cdef bint retrace_slices(
    Step step, Layout before, Layout after, Tally tally, Scratch scratch, const Kernel *kernel,
    number_t *source, number_t *target, int64_t first, int64_t last,
) noexcept nogil:
    """Go back through a run of slices; False for want of memory."""
    cdef SliceClass *kind
    cdef Arena *arena
    cdef Arena *previous
    cdef Block block
    cdef Block *here
    cdef Weights base
    cdef int64_t number, twin, size, start, transitions
    cdef uint64_t static_ends
    cdef uint64_t closed = 0
    cdef bint is_saturated, is_ok
    cdef int i, b, stage, half
    arena = &tally.states[0]
    transitions = 0
    if not scratch.make_slots(step.power[step.dynamic_count]):
        return False
    for number in range(first, last):
        start = before.offset[number]
        if before.offset[number + 1] == start:
            continue
        kind = &before.classes[before.class_of[number]]
        read_static(step, before, number, &base, &static_ends, &twin, &is_saturated)
        half = before.is_halved and twin != number
        # Forwards to the last stage: the ways to the states before every stage.
        for stage in range(step.stage_count - 1):
            arena = &tally.states[stage + 1]
            arena.used = arena.count = 0
            previous = &tally.states[stage]
            is_ok = True
            for b in range(kind.count if stage == 0 else previous.count):
                if kernel.stop[0]:
                    break
                if stage == 0:
                    block_of(step, before, &kind.blocks[b], &block)
                    size = DF[popcount(static_ends | block.ends) // 2]
                    # Modulo a prime a value that is 0 may stand for ways all the same.
                    if not kernel.moduli[0] and is_zero(source + start + block.offset, size):
                        continue
                    i = eliminate(step, scratch, kernel, &step.stages[stage], static_ends,
                                  is_saturated, source + start + block.offset, &block, arena,
                                  &closed, &transitions)
                else:
                    i = eliminate(step, scratch, kernel, &step.stages[stage], static_ends,
                                  is_saturated,
                                  <number_t *> previous.values + previous.blocks[b].offset,
                                  &previous.blocks[b], arena, &closed, &transitions)
                if i < 0:
                    is_ok = False
                    break
            for i in range(arena.count):
                scratch.slot_block[arena.blocks[i].slot] = -1
            if not is_ok:
                return False
            if not reserve_all(&tally.completions[stage + 1], arena.used, scratch.width):
                return False
        # And back.
        tally.images.used = 0
        tally.later_count = 0
        for stage in range(step.stage_count - 1, -1, -1):
            is_ok = True
            if stage < step.stage_count - 1:
                arena = &tally.states[stage + 1]
                for i in range(arena.count):
                    scratch.slot_block[arena.blocks[i].slot] = i
            previous = &tally.states[stage]
            for b in range(kind.count if stage == 0 else previous.count):
                if kernel.stop[0]:
                    break
                if stage == 0:
                    block_of(step, before, &kind.blocks[b], &block)
                    here = &block
                    size = DF[popcount(static_ends | block.ends) // 2]
                    if not kernel.moduli[0] and is_zero(source + start + block.offset, size):
                        continue
                    if not tally.make_room(size):
                        is_ok = False
                        break
                    is_ok = retrace_block(
                        step, after, tally, scratch, kernel, stage, half, static_ends,
                        is_saturated, &base, here, source + start + block.offset,
                        <number_t *> tally.total, target)
                    memcpy(source + start + block.offset, tally.total, size * sizeof(number_t))
                else:
                    here = &previous.blocks[b]
                    size = DF[popcount(static_ends | here.ends) // 2]
                    if not tally.make_room(size):
                        is_ok = False
                        break
                    is_ok = retrace_block(
                        step, after, tally, scratch, kernel, stage, half, static_ends,
                        is_saturated, &base, here, <number_t *> previous.values + here.offset,
                        <number_t *> tally.completions[stage].values + here.offset, target)
                if not is_ok:
                    break
            if stage < step.stage_count - 1:
                for i in range(arena.count):
                    scratch.slot_block[arena.blocks[i].slot] = -1
            else:
                for i in range(tally.later_count):
                    scratch.slot_block[tally.laters[i].slot] = -1
            if not is_ok:
                return False
            if kernel.stop[0]:
                return True
    return True


cdef inline bint reserve_all(Arena *arena, int64_t size, int width) noexcept nogil:
    arena.used = 0
    return reserve(arena, size, width)


cdef inline void block_of(
    Step step, Layout layout, const DynamicBlock *dynamic, Block *block
) noexcept nogil:
    cdef int i
    block.slot = dynamic.slot
    block.packed = dynamic.packed
    block.offset = dynamic.offset
    block.ends = 0
    for i in range(layout.dynamic_count):
        if block.packed >> 2 * i & 3 == 1:
            block.ends |= <uint64_t> 1 << step.position[i]


cdef bint retrace_block(
    Step step, Layout after, Tally tally, Scratch scratch, const Kernel *kernel, int stage,
    int half, uint64_t static_ends, bint is_saturated, const Weights *base, const Block *block,
    const number_t *values, number_t *total, number_t *target,
) noexcept nogil:
    """Find the completions of one block before a stage; False for want of memory."""
    cdef Option options[MAX_OPTIONS]
    cdef Option *option
    cdef number_t *later
    cdef number_t *line = <number_t *> tally.line
    cdef int pairs = popcount(static_ends | block.ends) // 2
    cdef int64_t size = DF[pairs]
    cdef int32_t index
    cdef uint64_t product
    cdef uint64_t *edges = &tally.edges[half][stage][0]
    cdef int i
    cdef int count = list_options(step, &step.stages[stage], static_ends, is_saturated, block,
                                  options)
    memset(total, 0, size * sizeof(number_t))
    for i in range(count):
        option = &options[i]
        if option.kind == CLOSE:
            line[0] = 1
        else:
            if stage < step.stage_count - 1:
                index = scratch.slot_block[option.slot]
                if index < 0:
                    continue
                later = (<number_t *> tally.completions[stage + 1].values
                         + tally.states[stage + 1].blocks[index].offset)
            else:
                index = find_later(step, after, tally, scratch, kernel, base,
                                   static_ends | option.ends, option, target)
                if index < 0:
                    return False
                if tally.laters[index].is_zero:
                    continue
                later = tally.laters[index].offset + (
                    <number_t *> tally.images.values if tally.laters[index].is_image else target)
            # What a state gets from its image: the change of `connect` and its like, transposed.
            if option.kind == STAY or (option.kind == MOVE and option.p == option.q):
                line = later
            elif option.kind == INSERT and option.p == 0:
                line = later + (option.q - 1) * size
            else:
                line = <number_t *> tally.line
                memset(line, 0, size * sizeof(number_t))
                if option.kind == MOVE:
                    move(kernel, line, later, True, pairs, option.p, option.q)
                elif option.kind == INSERT:
                    insert(kernel, line, later, True, pairs, option.p, option.q)
                else:
                    unjoin(kernel, later, line, pairs, option.p, option.q)
        product = add_and_multiply(total, line, values, size, kernel.moduli[0])
        if product and option.first >= 0:
            edges[option.first] = add_edge(edges[option.first], product, kernel.moduli[0])
            if option.second >= 0:
                edges[option.second] = add_edge(edges[option.second], product, kernel.moduli[0])
        line = <number_t *> tally.line
    return True


cdef inline uint64_t add_edge(uint64_t a, uint64_t b, uint64_t modulus) noexcept nogil:
    return (a + b) % modulus if modulus else a + b


cdef int32_t find_later(
    Step step, Layout after, Tally tally, Scratch scratch, const Kernel *kernel,
    const Weights *base, uint64_t ends, const Option *option, number_t *target,
) noexcept nogil:
    """Return the number of a block of the next layer, -1 for want of memory."""
    cdef int32_t index = scratch.slot_block[option.slot]
    cdef Later *later
    cdef Later *grown
    cdef Weights sum_of
    cdef const uint32_t *mirror
    cdef const number_t *values
    cdef number_t *to
    cdef int64_t place, i
    cdef int64_t size
    cdef int degree, cell, left, middle
    cdef int pairs = popcount(ends) // 2
    cdef uint8_t mate[2 * MAX_PAIRS]
    if index >= 0:
        return index
    if tally.later_count == tally.later_capacity:
        grown = <Later *> realloc(tally.laters, (2 * tally.later_count + 64) * sizeof(Later))
        if grown == NULL:
            return -1
        tally.laters = grown
        tally.later_capacity = 2 * tally.later_count + 64
    size = DF[pairs]
    sum_of = base[0]
    for cell in range(step.dynamic_count):
        degree = <int> (option.packed >> 2 * cell & 3)
        sum_of.slice += degree * step.weights[cell].slice
        sum_of.twin += degree * step.weights[cell].twin
        sum_of.slot += degree * step.weights[cell].slot
        sum_of.twin_slot += degree * step.weights[cell].twin_slot
    index = tally.later_count
    later = &tally.laters[index]
    later.slot = option.slot
    later.is_image = after.is_halved and sum_of.twin < sum_of.slice
    later.is_zero = True
    if later.is_image:
        place = after.classes[after.class_of[sum_of.twin]].offset_of[sum_of.twin_slot]
        if place >= 0:
            place += after.offset[sum_of.twin]
    else:
        place = after.classes[after.class_of[sum_of.slice]].offset_of[sum_of.slot]
        if place >= 0:
            place += after.offset[sum_of.slice]
    if place >= 0 and not is_zero(target + place, size):
        later.is_zero = False
        later.offset = place
        if later.is_image:
            if not reserve(&tally.images, size, scratch.width):
                return -1
            later.offset = tally.images.used
            tally.images.used += size
            to = <number_t *> tally.images.values + later.offset
            values = target + place
            left = popcount(ends & step.left)
            middle = popcount(ends & step.axis)
            mirror = kernel.mirrors[(pairs * 2 * MAX_PAIRS + left) * 2 * MAX_PAIRS + middle]
            if mirror != NULL:
                for i in range(size):
                    to[i] = values[mirror[i]]
            else:
                for i in range(size):
                    unrank(pairs, i, mate)
                    to[i] = values[mirrored(pairs, left, middle, mate)]
    scratch.slot_block[option.slot] = index
    tally.later_count += 1
    return index
