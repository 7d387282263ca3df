# cython: boundscheck=False, wraparound=False, cdivision=True, freethreading_compatible=True
"""Counting Hamiltonian cycles by a frontier, compiled: tables of states.

What it computes: what `_frontier_py` defines, state by state and in the same order. Known answers:
8 closed tours of 5x6, 1728 open ones of 5x5 in both directions (the problem itself counts them
without direction: 864), 5199764 closed ones of a torus of 4x5.

Method.  A layer keeps its states in the order in which they were found, in chunks that never move;
a state is 16 bits for each vertex and then its number of ways, of one or more limbs of 64 bits. An
index by a hash finds them. It has 256 parts, each of which grows when it is three quarters full, so
that no growth takes longer than some milliseconds; a slot of it holds 32 bits of the hash, which
tell where it goes when its part grows and which states need not be looked at.

Numbers are exact. When a sum does not fit into its limbs the step is given up, and the caller does
it again with one limb more.

Cost.  About a tenth of a microsecond a transition.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset
from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize

from .oneway import OneWayStage

__all__ = ["MAX_PLACES", "Layer", "Stage", "advance", "retreat"]

cdef enum:
    PARTS = 256          # of an index
    FIRST_SLOTS = 8      # of a part
    CHUNK = 4096         # states in a chunk
    PLACES = 1024        # vertices of a frontier, those that are just opened included
    MAX_WORDS = 256      # of a state
    MAX_LIMBS = 512
    MATELESS = 0xFFFF
    SLICE = 2048         # states between two looks at the clock and at signals

    # How a step ended.
    DONE = 0
    NO_MEMORY = 1
    TOO_LARGE = 2


MAX_PLACES = PLACES


# Numbers of several limbs, the lowest first


cdef inline bint add(uint64_t *to, const uint64_t *number, int limbs) noexcept nogil:
    """Add a number to another of as many limbs; return whether the sum does not fit."""
    cdef uint64_t carry = 0
    cdef uint64_t once, twice
    cdef int i
    for i in range(limbs):
        once = to[i] + number[i]
        twice = once + carry
        carry = (once < number[i]) | (twice < once)
        to[i] = twice
    return carry != 0


cdef inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) noexcept nogil:
    """Return the lower half of a product and write the upper one."""
    cdef uint64_t mask = 0xFFFFFFFF
    cdef uint64_t low = (a & mask) * (b & mask)
    cdef uint64_t middle = (a >> 32) * (b & mask) + (low >> 32)
    cdef uint64_t other = (a & mask) * (b >> 32) + (middle & mask)
    high[0] = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32)
    return other << 32 | (low & mask)


cdef void add_product(
    uint64_t *to, const uint64_t *a, int a_limbs, const uint64_t *b, int b_limbs
) noexcept nogil:
    """Add the product of two numbers to one that has more limbs than both together."""
    cdef int i, j
    cdef uint64_t low, high, carry
    for i in range(a_limbs):
        carry = 0
        for j in range(b_limbs):
            low = multiply(a[i], b[j], &high)
            low += carry
            high += low < carry
            to[i + j] += low
            carry = high + (to[i + j] < low)
        j = i + b_limbs
        while carry:
            to[j] += carry
            carry = to[j] < carry
            j += 1


cdef object as_int(const uint64_t *number, int limbs):
    """Return a number as Python's."""
    value = 0
    cdef int i
    for i in range(limbs - 1, -1, -1):
        value = value << 64 | number[i]
    return value


# Layers


cdef struct Part:
    uint64_t *slots     # 32 bits of the hash, and the number of the state + 1; 0 is empty
    uint32_t mask       # slots - 1
    uint32_t used


cdef inline uint64_t hash_of(const uint64_t *state, int words) noexcept nogil:
    cdef uint64_t value = 0x9E3779B97F4A7C15
    cdef int i
    for i in range(words):
        value = (value ^ state[i]) * <uint64_t> 0xD6E8FEB86659FD93
        value ^= value >> 32
    value *= <uint64_t> 0xD6E8FEB86659FD93
    return value ^ value >> 29


cdef class Layer:
    """The states between two eliminations, and in how many ways each is reached.

    Args:
        vertices: vertices of a state.
        limbs: how many times 64 bits a number has.
    """

    cdef readonly int vertices
    cdef readonly int limbs
    cdef int words              # of 64 bits, those of a state
    cdef int64_t count
    cdef uint64_t **chunks
    cdef int64_t chunk_count
    cdef int64_t chunk_capacity
    cdef int64_t slots
    cdef Part parts[PARTS]

    def __cinit__(self, int vertices, int limbs=1):
        if not 0 <= vertices <= PLACES:
            raise ValueError(f"vertices={vertices} is not a number from 0 to {PLACES}")
        if not 1 <= limbs <= MAX_LIMBS:
            raise ValueError(f"limbs={limbs} is not a number from 1 to {MAX_LIMBS}")
        self.vertices = vertices
        self.limbs = limbs
        self.words = (vertices + 3) // 4

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.chunk_count):
            free(self.chunks[i])
        free(self.chunks)
        for i in range(PARTS):
            free(self.parts[i].slots)

    def __len__(self):
        return self.count

    @property
    def memory(self):
        """The bytes that it takes."""
        return 8 * (self.chunk_count * CHUNK * (self.words + self.limbs) + self.slots)

    cdef inline uint64_t *state(self, int64_t number) noexcept nogil:
        """Return a state; its number of ways is behind it."""
        return self.chunks[number // CHUNK] + number % CHUNK * (self.words + self.limbs)

    cdef uint64_t *find(self, const uint64_t *state) noexcept nogil:
        """Return the number of ways of a state, NULL if it is not there."""
        cdef uint64_t value = hash_of(state, self.words)
        cdef Part *part = &self.parts[value % PARTS]
        cdef uint32_t tag = <uint32_t> (value >> 32)
        cdef uint64_t slot
        cdef uint64_t *found
        cdef uint32_t place
        if part.used == 0:
            return NULL
        place = tag & part.mask
        while part.slots[place]:
            slot = part.slots[place]
            if slot >> 32 == tag:
                found = self.state(<int64_t> <uint32_t> slot - 1)
                if memcmp(found, state, 8 * self.words) == 0:
                    return found + self.words
            place = (place + 1) & part.mask
        return NULL

    cdef int add(self, const uint64_t *state, const uint64_t *ways) noexcept nogil:
        """Add ways to a state; return how that ended."""
        cdef uint64_t value = hash_of(state, self.words)
        cdef Part *part = &self.parts[value % PARTS]
        cdef uint32_t tag = <uint32_t> (value >> 32)
        cdef uint64_t slot
        cdef uint64_t *found
        cdef uint32_t place
        if part.slots == NULL or 4 * <uint64_t> part.used > 3 * <uint64_t> part.mask:
            if not self.grow(part):
                return NO_MEMORY
        place = tag & part.mask
        while part.slots[place]:
            slot = part.slots[place]
            if slot >> 32 == tag:
                found = self.state(<int64_t> <uint32_t> slot - 1)
                if memcmp(found, state, 8 * self.words) == 0:
                    return TOO_LARGE if add(found + self.words, ways, self.limbs) else DONE
            place = (place + 1) & part.mask
        if self.count == self.chunk_count * CHUNK and not self.lengthen():
            return NO_MEMORY
        found = self.state(self.count)
        memcpy(found, state, 8 * self.words)
        memcpy(found + self.words, ways, 8 * self.limbs)
        self.count += 1
        part.slots[place] = <uint64_t> tag << 32 | <uint64_t> self.count
        part.used += 1
        return DONE

    cdef bint grow(self, Part *part) noexcept nogil:
        """Double the slots of a part; return whether there was memory for it."""
        cdef uint64_t many = 2 * (<uint64_t> part.mask + 1) if part.slots != NULL else FIRST_SLOTS
        cdef uint64_t *slots
        cdef uint32_t mask, place
        cdef uint64_t i, slot
        if many > <uint64_t> 1 << 31:
            return False
        slots = <uint64_t *> calloc(many, 8)
        if slots == NULL:
            return False
        mask = <uint32_t> (many - 1)
        if part.slots != NULL:
            for i in range(<uint64_t> part.mask + 1):
                slot = part.slots[i]
                if slot:
                    place = <uint32_t> (slot >> 32) & mask
                    while slots[place]:
                        place = (place + 1) & mask
                    slots[place] = slot
            self.slots -= <int64_t> part.mask + 1
            free(part.slots)
        self.slots += <int64_t> many
        part.slots = slots
        part.mask = mask
        return True

    cdef bint lengthen(self) noexcept nogil:
        """Make room for one more chunk of states; return whether there was memory for it."""
        cdef int64_t capacity
        cdef uint64_t **chunks
        cdef uint64_t *chunk
        if self.count >= <int64_t> 0xFFFFFFFF - CHUNK:
            return False
        if self.chunk_count == self.chunk_capacity:
            capacity = 2 * self.chunk_capacity + 4
            chunks = <uint64_t **> realloc(self.chunks, capacity * sizeof(uint64_t *))
            if chunks == NULL:
                return False
            self.chunks = chunks
            self.chunk_capacity = capacity
        # A state of a graph that ends has no words, but its number is there.
        chunk = <uint64_t *> malloc(8 * CHUNK * <size_t> (self.words + self.limbs))
        if chunk == NULL:
            return False
        self.chunks[self.chunk_count] = chunk
        self.chunk_count += 1
        return True

    cdef int pack(self, object state, uint64_t *packed) except -1:
        """Write a state, given as a tuple, as words; return whether it can be one of these."""
        cdef int i
        cdef int mate
        if len(state) != self.vertices:
            return 0
        memset(packed, 0, 8 * self.words)
        for i in range(self.vertices):
            mate = state[i]
            (<uint16_t *> packed)[i] = <uint16_t> (MATELESS if mate < 0 else mate)
        return 1

    def get(self, state, default=None):
        """Return the number of ways of a state, a tuple of mates, as that of a dictionary."""
        cdef uint64_t packed[MAX_WORDS]
        cdef uint64_t *found = NULL
        if self.pack(state, packed):
            found = self.find(packed)
        return default if found == NULL else as_int(found, self.limbs)

    def items(self):
        """Yield the states with their numbers, in the order in which they were found."""
        cdef int64_t number
        for number in range(self.count):
            yield self.item(number)

    cdef object item(self, int64_t number):
        cdef uint64_t *found = self.state(number)
        cdef uint16_t *mates = <uint16_t *> found
        cdef int i
        state = tuple([-1 if mates[i] == MATELESS else mates[i] for i in range(self.vertices)])
        return state, as_int(found + self.words, self.limbs)

    def pieces(self, int64_t many):
        """Yield its states, so many at a time, as bytes: see `_frontier_py.Layer.pieces`."""
        cdef int64_t first
        for first in range(0, self.count, max(1, many)):
            yield self.piece(first, min(max(1, many), self.count - first))

    cdef object piece(self, int64_t first, int64_t many):
        cdef int64_t state_bytes = 2 * self.vertices
        cdef int64_t number_bytes = 8 * self.limbs
        states = PyBytes_FromStringAndSize(NULL, many * state_bytes)
        numbers = PyBytes_FromStringAndSize(NULL, many * number_bytes)
        cdef char *to = PyBytes_AsString(states)
        cdef char *number_to = PyBytes_AsString(numbers)
        cdef int64_t i
        cdef uint64_t *found
        for i in range(many):
            found = self.state(first + i)
            memcpy(to + i * state_bytes, found, state_bytes)
            memcpy(number_to + i * number_bytes, found + self.words, number_bytes)
        return states, numbers

    def put(self, bytes states not None, bytes numbers not None, int limbs):
        """Add a piece, whose states are not there yet."""
        cdef int64_t state_bytes = 2 * self.vertices
        cdef int64_t number_bytes = 8 * limbs
        cdef const char *state = PyBytes_AsString(states)
        cdef const char *number = PyBytes_AsString(numbers)
        cdef uint64_t packed[MAX_WORDS]
        cdef uint64_t ways[MAX_LIMBS]
        cdef int64_t i, many
        if not 1 <= limbs <= self.limbs:
            raise ValueError(f"limbs={limbs} is not a number from 1 to {self.limbs}")
        many = len(numbers) // number_bytes
        if len(numbers) != many * number_bytes or len(states) != many * state_bytes:
            raise ValueError("states and numbers do not fit each other")
        memset(packed, 0, 8 * self.words)
        memset(ways, 0, 8 * self.limbs)
        for i in range(many):
            memcpy(packed, state + i * state_bytes, state_bytes)
            memcpy(ways, number + i * number_bytes, number_bytes)
            if self.add(packed, ways) != DONE:
                raise MemoryError


# Stages


cdef struct Visit:
    # What is done with what becomes of a state.
    const uint64_t *ways    # of the state
    int limbs               # of `ways`
    uint64_t *total         # limbs + 1: cycles that close
    # Forwards: the layer that is made is `Stage.target`. Backwards:
    bint is_back
    uint64_t *completions   # of the state, as many limbs as its layer of completions
    int completion_limbs
    uint64_t *edges         # a number for each edge of the stage
    int edge_limbs


cdef class Stage:
    """One vertex goes: what is the same for all states.

    Args:
        stage: an `elimination.Stage` or `oneway.OneWayStage`.
    """

    cdef bint is_one_way
    cdef bint is_last_opening
    cdef int vertex
    cdef int size               # one-way: one more than any vertex
    cdef int here               # its place
    cdef int before             # places before the vertices that are opened
    cdef int places
    cdef int later_count        # later vertices; one-way: those that an edge leads to
    cdef int in_count           # one-way: those that an edge comes from
    cdef int required_count
    cdef int needs_in_count
    cdef int needs_out_count
    cdef uint16_t opened[PLACES]
    cdef uint16_t later[PLACES]
    cdef uint16_t inwards[PLACES]
    cdef uint16_t needs_in[PLACES]
    cdef uint16_t needs_out[PLACES]
    cdef uint8_t low[PLACES]
    cdef uint8_t high[PLACES]
    cdef uint8_t is_required[PLACES]
    cdef int32_t *place         # of a vertex
    cdef int64_t vertices       # that have one
    cdef Layer target           # forwards what is made, backwards where completions are looked up

    def __cinit__(self, stage):
        places = stage.place
        if len(places) > PLACES:
            raise ValueError(f"a frontier of {len(places)} vertices, more than {PLACES}")
        self.is_one_way = isinstance(stage, OneWayStage)
        self.is_last_opening = stage.is_last_opening
        self.vertex = stage.vertex
        self.here = places[stage.vertex]
        self.places = len(places)
        self.before = self.places - len(stage.opened)
        self.vertices = max(places) + 1
        self.place = <int32_t *> calloc(self.vertices, sizeof(int32_t))
        if self.place == NULL:
            raise MemoryError
        for vertex, place in places.items():
            self.place[vertex] = place
        for i, vertex in enumerate(stage.opened):
            self.opened[i] = vertex
        if self.is_one_way:
            self.size = stage.size
            if 3 * self.size >= MATELESS:
                raise ValueError(f"a graph of {self.size} vertices is too large")
            self.later_count = fill(self.later, stage.outwards)
            self.in_count = fill(self.inwards, stage.inwards)
            self.needs_in_count = fill(self.needs_in, stage.needs_in)
            self.needs_out_count = fill(self.needs_out, stage.needs_out)
            return
        self.required_count = len(stage.required)
        self.later_count = fill(self.later, stage.later)
        for i, vertex in enumerate(stage.later):
            self.low[i], self.high[i] = stage.bounds[vertex]
            self.is_required[i] = vertex in stage.required

    def __dealloc__(self):
        free(self.place)

    cdef inline int edges(self) noexcept nogil:
        """Return how many edges the vertex has to later ones and from them."""
        return self.later_count + self.in_count

    cdef int follow(self, const uint64_t *state, Visit *visit) noexcept nogil:
        """Visit all that becomes of a state; return how that ended."""
        cdef uint16_t mates[PLACES]
        memcpy(mates, state, 2 * self.before)
        memcpy(mates + self.before, self.opened, 2 * (self.places - self.before))
        if self.is_one_way:
            return self.follow_one_way(mates, visit)
        return self.follow_both_ways(mates, visit)

    cdef int follow_both_ways(self, const uint16_t *mates, Visit *visit) noexcept nogil:
        cdef int can[PLACES]
        cdef int count = 0
        cdef int mate = mates[self.here]
        cdef int i, j, ended
        for i in range(self.later_count):
            if degree(self.later[i], mates[self.place[self.later[i]]]) < self.high[i]:
                can[count] = i
                count += 1
        if mate == MATELESS:
            if self.required_count == 0:
                return self.choose(mates, -1, -1, visit)
        elif mate != self.vertex:
            for i in range(count):
                if self.is_required[can[i]] == self.required_count:
                    ended = self.choose(mates, can[i], -1, visit)
                    if ended != DONE:
                        return ended
        else:
            for i in range(count):
                for j in range(i + 1, count):
                    if (
                        self.is_required[can[i]] + self.is_required[can[j]]
                        == self.required_count
                    ):
                        ended = self.choose(mates, can[i], can[j], visit)
                        if ended != DONE:
                            return ended
        return DONE

    cdef int choose(
        self, const uint16_t *mates, int first, int second, Visit *visit
    ) noexcept nogil:
        """Join the vertex to none, one or two of the later ones and visit what that leads to."""
        cdef uint16_t after[PLACES]
        cdef bint is_cycle = False
        cdef int i, other
        memcpy(after, mates, 2 * self.places)
        if first >= 0:
            is_cycle = self.join(after, self.later[first])
        if second >= 0:
            is_cycle = self.join(after, self.later[second])
        if is_cycle:
            return self.close(after, first, second, visit)
        for i in range(self.later_count):
            other = self.later[i]
            if degree(other, after[self.place[other]]) < self.low[i]:
                return DONE
        return self.arrive(after, first, second, visit)

    cdef inline bint join(self, uint16_t *after, int other) noexcept nogil:
        """Join the vertex to another one; return whether that closes a cycle."""
        cdef int near = after[self.here]
        cdef int far = after[self.place[other]]
        after[self.here] = MATELESS
        after[self.place[other]] = MATELESS
        if near == other:
            return True
        after[self.place[near]] = <uint16_t> far
        after[self.place[far]] = <uint16_t> near
        return False

    cdef int follow_one_way(self, const uint16_t *mates, Visit *visit) noexcept nogil:
        cdef int size = self.size
        cdef int mate = mates[self.here]
        cdef bint wants_out = mate == self.vertex or (mate != MATELESS and mate >= 2 * size)
        cdef bint wants_in = mate == self.vertex or size <= mate < 2 * size
        cdef int i, j, to, origin, ended
        # -1 stands for no edge.
        for i in range(0 if wants_out else -1, self.later_count if wants_out else 0):
            to = -1
            if i >= 0:
                to = self.later[i]
                if not misses(mates[self.place[to]], size, 1):
                    continue
            for j in range(0 if wants_in else -1, self.in_count if wants_in else 0):
                origin = -1
                if j >= 0:
                    origin = self.inwards[j]
                    if origin == to or not misses(mates[self.place[origin]], size, 2):
                        continue
                ended = self.choose_one_way(mates, i, j, visit)
                if ended != DONE:
                    return ended
        return DONE

    cdef int choose_one_way(
        self, const uint16_t *mates, int out, int into, Visit *visit
    ) noexcept nogil:
        cdef uint16_t after[PLACES]
        cdef bint is_circuit = False
        cdef int i
        memcpy(after, mates, 2 * self.places)
        if out >= 0:
            is_circuit = self.lead(after, self.vertex, self.later[out])
        if into >= 0:
            is_circuit = self.lead(after, self.inwards[into], self.vertex)
        into = -1 if into < 0 else self.later_count + into
        if is_circuit:
            return self.close(after, out, into, visit)
        for i in range(self.needs_in_count):
            if misses(after[self.needs_in[i]], self.size, 1):
                return DONE
        for i in range(self.needs_out_count):
            if misses(after[self.needs_out[i]], self.size, 2):
                return DONE
        return self.arrive(after, out, into, visit)

    cdef inline bint lead(self, uint16_t *after, int tail, int head) noexcept nogil:
        """Add an edge from one vertex to another; return whether that closes a circuit."""
        cdef int begin = after[self.place[tail]]
        cdef int finish = after[self.place[head]]
        begin = begin - 2 * self.size if begin >= self.size else tail
        finish = finish - self.size if finish >= self.size else head
        after[self.place[tail]] = MATELESS
        after[self.place[head]] = MATELESS
        if begin == head:
            return True
        after[self.place[begin]] = <uint16_t> (self.size + finish)
        after[self.place[finish]] = <uint16_t> (2 * self.size + begin)
        return False

    cdef int close(
        self, const uint16_t *after, int first, int second, Visit *visit
    ) noexcept nogil:
        """A cycle has closed."""
        cdef int i
        cdef uint64_t one = 1
        if not self.is_last_opening:
            return DONE
        for i in range(self.places):
            if after[i] != MATELESS:
                return DONE
        if not visit.is_back:
            return TOO_LARGE if add(visit.total, visit.ways, visit.limbs) else DONE
        return self.go_back(&one, 1, first, second, visit)

    cdef int arrive(
        self, uint16_t *after, int first, int second, Visit *visit
    ) noexcept nogil:
        """The vertex goes: a state of the next layer is reached."""
        cdef uint64_t packed[MAX_WORDS]
        cdef uint64_t *behind
        if self.places > 1:
            packed[(self.places + 2) // 4 - 1] = 0
        memcpy(packed, after, 2 * self.here)
        memcpy(
            <uint16_t *> packed + self.here,
            after + self.here + 1,
            2 * (self.places - 1 - self.here),
        )
        if not visit.is_back:
            return self.target.add(packed, visit.ways)
        behind = self.target.find(packed)
        if behind == NULL:
            return DONE
        return self.go_back(behind, self.target.limbs, first, second, visit)

    cdef int go_back(
        self, const uint64_t *behind, int limbs, int first, int second, Visit *visit
    ) noexcept nogil:
        """Add the completions behind a transition to those of the state, and to its edges."""
        cdef uint64_t wide[MAX_LIMBS]
        memset(wide, 0, 8 * visit.completion_limbs)
        memcpy(wide, behind, 8 * min(limbs, visit.completion_limbs))
        if add(visit.completions, wide, visit.completion_limbs):
            return TOO_LARGE
        if first >= 0:
            add_product(
                visit.edges + first * visit.edge_limbs, visit.ways, visit.limbs, behind, limbs
            )
        if second >= 0:
            add_product(
                visit.edges + second * visit.edge_limbs, visit.ways, visit.limbs, behind, limbs
            )
        return DONE


cdef int fill(uint16_t *to, values) except -1:
    """Write some numbers; return how many."""
    cdef int i = 0
    for value in values:
        if i == PLACES:
            raise ValueError("too many")
        to[i] = value
        i += 1
    return i


cdef inline int degree(int vertex, int mate) noexcept nogil:
    """Return how many edges a vertex has, by its mate."""
    return 2 if mate == MATELESS else mate != vertex


cdef inline bint misses(int mate, int size, int role) noexcept nogil:
    """Whether a vertex misses an edge in (role 1) or out (role 2)."""
    return mate != MATELESS and (mate < size or mate // size == role)


def advance(Layer source, stage, Layer target, tick=None):
    """Eliminate the vertex of a stage: see `_frontier_py.advance`.

    Raises:
        MemoryError: there was none left.
    """
    cdef Stage plan = Stage(stage)
    cdef Visit visit
    cdef uint64_t total[MAX_LIMBS]
    cdef int64_t first, last, number
    cdef int ended = DONE
    check_fit(source, plan, target)
    if target.limbs != source.limbs:
        raise ValueError(f"numbers of {source.limbs} and of {target.limbs} limbs")
    plan.target = target
    memset(&visit, 0, sizeof(Visit))
    memset(total, 0, sizeof(total))
    visit.limbs = source.limbs
    visit.total = total
    for first in range(0, source.count, SLICE):
        if tick is not None:
            tick()
        last = min(first + SLICE, source.count)
        with nogil:
            for number in range(first, last):
                visit.ways = source.state(number) + source.words
                ended = plan.follow(source.state(number), &visit)
                if ended != DONE:
                    break
        if ended == NO_MEMORY:
            raise MemoryError(f"no memory for more than {target.count:,} states")
        if ended == TOO_LARGE:
            return None
    return as_int(total, source.limbs)


def retreat(Layer source, stage, Layer behind, Layer completions, tick=None):
    """Go back over the elimination of a vertex: see `_frontier_py.retreat`.

    Raises:
        MemoryError: there was none left.
    """
    cdef Stage plan = Stage(stage)
    cdef Visit visit
    cdef uint64_t sums[MAX_LIMBS]
    cdef uint64_t zero[MAX_LIMBS]
    cdef uint64_t *edges
    cdef int64_t first, last, number
    cdef int ended = DONE
    cdef int i
    check_fit(source, plan, behind)
    if completions.vertices != source.vertices:
        raise ValueError("the layers do not fit the stage")
    if completions.limbs < behind.limbs:
        raise ValueError(f"numbers of {behind.limbs} limbs do not fit into {completions.limbs}")
    plan.target = behind
    memset(&visit, 0, sizeof(Visit))
    memset(zero, 0, sizeof(zero))
    visit.is_back = True
    visit.limbs = source.limbs
    visit.completions = sums
    visit.completion_limbs = completions.limbs
    visit.edge_limbs = source.limbs + behind.limbs + 2
    edges = <uint64_t *> calloc(plan.edges() + 1, 8 * visit.edge_limbs)
    if edges == NULL:
        raise MemoryError
    visit.edges = edges
    try:
        for first in range(0, source.count, SLICE):
            if tick is not None:
                tick()
            last = min(first + SLICE, source.count)
            with nogil:
                for number in range(first, last):
                    memset(sums, 0, 8 * completions.limbs)
                    visit.ways = source.state(number) + source.words
                    ended = plan.follow(source.state(number), &visit)
                    if ended == DONE and memcmp(sums, zero, 8 * completions.limbs) != 0:
                        ended = completions.add(source.state(number), sums)
                    if ended != DONE:
                        break
            if ended == NO_MEMORY:
                raise MemoryError(f"no memory for more than {completions.count:,} states")
            if ended == TOO_LARGE:
                return None
        return [as_int(edges + i * visit.edge_limbs, visit.edge_limbs) for i in range(plan.edges())]
    finally:
        free(edges)


cdef check_fit(Layer source, Stage plan, Layer target):
    """Refuse layers that are not before and after a stage."""
    if source.vertices != plan.before or target.vertices != plan.places - 1:
        raise ValueError("the layers do not fit the stage")
