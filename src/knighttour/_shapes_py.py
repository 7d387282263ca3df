"""Hamiltonian cycles with forced edges, in pure Python: the readable twin of `_shapes`.

What it computes: tours of boards of any shape. A `MoveGraph` is the board; `CycleSearch` is an
exact search for Hamiltonian cycles (find, count, prove) that propagates forced edges and remembers
the other end of every chosen subpath; `TwoFactor` finds a cover of the graph by cycles and merges
them into one; `Walks` lists all tours in the order of plain backtracking. Known answers: the 6x6
board has 9,862 closed tours, 5x5 has 1,728 directed ones.

Method. Everything is one question about an undirected graph H: is there a Hamiltonian cycle through
its forced edges? An open tour is a cycle through an extra vertex z; a directed board becomes H by
splitting every square v into out(v) = 2v and in(v) = 2v + 1 with a forced edge between them. A
2-factor is found by Warnsdorff walks and augmenting searches; two cycles that an alternating
4-cycle touches are merged by flipping it; what is left is repaired by solving small windows exactly
and by longer alternating cycles ("kicks"). Sources: Karp 1979 (patching an assignment); Martello
1983, Algorithm 595 (forced arcs); Knuth, TAOCP 7.2.2.4 (mates of subpaths); Regin 1994 (edges in no
2-factor, by strong components); Boussemart, Hemery, Lecoutre and Sais 2004 (weights of
contradictions, for partial numberings).

Every method does a bounded piece of work, so that its caller can look at the clock; which piece
comes next is decided by the caller alone, the same for both twins. Vertices and edges are small
ints; `status` of an edge is UNDECIDED, DELETED or CHOSEN. Cost: linear in the graph for each piece.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from .randomness import splitmix64

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

# Kinds of entries on the trail of a search.
_MATE, _DELETE, _CHOOSE, _EARLY, _LATE, _SIZE, _HELD = range(7)

# A time that may be anything, and one that cannot be.
_ANY, _NEVER = -1, -2

# Gaps between clues up to _GAP steps are looked into step by step, where there are not more pairs
# of a vertex and a clue than _PLACES. The distances of every vertex from every clue are kept, up to
# so many.
_GAP, _PLACES, _DISTANCES = 62, 4_000_000, 100_000_000

# The room of a window: vertices and edges. Vertices with more than 64 neighbours, only the extra
# ones of open tours, are left out of windows and merging.
_WINDOW, _WINDOW_EDGES = 512, 4096


# A loop over the whole board looks up after so many steps, a few milliseconds.
_STRIDE = 2**12

_Item = TypeVar("_Item")


def _unwatched() -> None:
    """Stand in for a clock where there is none."""


def _watched(values: Iterable[_Item], watch: Callable[[], None]) -> Iterator[_Item]:
    """Yield the values of a long loop, and call `watch` now and then."""
    source = iter(values)
    while chunk := list(islice(source, _STRIDE)):
        yield from chunk
        if len(chunk) == _STRIDE:
            watch()


class MoveGraph:
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

    def __init__(
        self,
        rows: int,
        cols: int,
        cells: bytes | None,
        moves: bytes,
        wrap_rows: bool,
        wrap_cols: bool,
        blockers: bytes | None,
        watch: Callable[[], None] = _unwatched,
    ) -> None:
        self.watch = watch
        steps = memoryview(moves).cast("i").tolist()
        self.directed = blockers is not None
        area = _watched(range(rows * cols), watch)
        self.square = [k for k in area if cells is None or cells[k]]
        self.n = len(self.square)
        index = [-1] * (rows * cols)
        for v, k in enumerate(self.square):
            index[k] = v
        self.index = index
        self.off = [0]
        self.nbr: list[int] = []
        pairs = list(zip(steps[::2], steps[1::2], strict=True))
        for k in _watched(self.square, watch):
            row, col = divmod(k, cols)
            first = len(self.nbr)
            for drow, dcol in pairs:
                to_row, to_col = row + drow, col + dcol
                if wrap_rows:
                    to_row %= rows
                if wrap_cols:
                    to_col %= cols
                if not (0 <= to_row < rows and 0 <= to_col < cols):
                    continue
                w = index[to_row * cols + to_col]
                if w < 0 or to_row * cols + to_col == k:
                    continue
                if blockers is not None:
                    if abs(drow) > abs(dcol):
                        leg = (row + (1 if drow > 0 else -1)) * cols + col
                    else:
                        leg = k + (1 if dcol > 0 else -1)
                    if blockers[leg]:
                        continue
                if w not in self.nbr[first:]:
                    self.nbr.append(w)
            self.off.append(len(self.nbr))
        if self.directed:
            incoming: list[list[int]] = [[] for _ in range(self.n)]
            for u in range(self.n):
                for w in self.nbr[self.off[u] : self.off[u + 1]]:
                    incoming[w].append(u)
            self.roff = [0]
            self.rnbr: list[int] = []
            for sources in incoming:
                self.rnbr += sources
                self.roff.append(len(self.rnbr))
        else:
            self.roff, self.rnbr = self.off, self.nbr
        self.colour = [-1] * self.n
        self.part = [-1] * self.n
        self.bipartite = True

    def vertex(self, cell: int) -> int:
        """Return the vertex of a flat index, -1 for a hole."""
        return self.index[cell]

    def squares(self, vertices: bytes) -> bytes:
        """Return the flat indices of a row of vertices, both native int32."""
        square = self.square
        wanted = _watched(memoryview(vertices).cast("i"), self.watch)
        return array("i", [square[v] for v in wanted]).tobytes()

    def neighbours(self, v: int) -> list[int]:
        """Return the vertices that a move from v leads to."""
        return self.nbr[self.off[v] : self.off[v + 1]]

    def degree(self, v: int, out: bool) -> int:
        """Return the number of moves out of a vertex, or into it."""
        off = self.off if out else self.roff
        return off[v + 1] - off[v]

    def low_degrees(self, limit: int, most: int) -> list[int]:
        """Return the first vertices, `most` at the most, with `limit` moves or fewer out or in."""
        off, roff = self.off, self.roff
        found: list[int] = []
        for v in range(self.n):
            if off[v + 1] - off[v] <= limit or roff[v + 1] - roff[v] <= limit:
                if len(found) == most:
                    break
                found.append(v)
        return found

    def explore(self) -> list[int]:
        """Find the parts of the board and its two colours, moves taken both ways.

        Returns:
            The number of parts, 1 when the colours alternate along every move and 0 when not, the
            numbers of vertices of colour 0 and 1, and a vertex of the second part or -1.
        """
        colour, part = self.colour, self.part
        parts = second = 0
        bipartite = 1
        counts = [0, 0]
        second = -1
        for first in range(self.n):
            if part[first] >= 0:
                continue
            if parts == 1:
                second = first
            part[first] = parts
            colour[first] = 0
            counts[0] += 1
            queue = [first]
            for head, u in enumerate(queue, 1):
                if head % _STRIDE == 0:
                    self.watch()
                for off, nbr in ((self.off, self.nbr), (self.roff, self.rnbr)):
                    for k in range(off[u], off[u + 1]):
                        w = nbr[k]
                        if part[w] < 0:
                            part[w] = parts
                            colour[w] = 1 - colour[u]
                            counts[colour[w]] += 1
                            queue.append(w)
                        elif colour[w] == colour[u]:
                            bipartite = 0
            parts += 1
        self.bipartite = bipartite == 1
        return [parts, bipartite, counts[0], counts[1], second]

    def colour_of(self, v: int) -> int:
        """Return the colour of a vertex, 0 or 1, once `explore` has run."""
        return self.colour[v]

    def is_symmetric(self) -> bool:
        """Whether every move of a directed board can be made both ways."""
        for u in range(self.n):
            for k in range(self.off[u], self.off[u + 1]):
                if u not in self.neighbours(self.nbr[k]):
                    return False
        return True

    def articulations(self) -> list[int]:
        """Return, for an undirected connected board, what taking one square away leaves.

        Returns:
            A vertex whose removal leaves most parts, that number of parts, and the first vertex
            whose removal leaves more than one, or -1.
        """
        n, off, nbr = self.n, self.off, self.nbr
        order = [-1] * n
        low = [0] * n
        parts = [1] * n
        place = self.off[:n]
        parent = [-1] * n
        clock = 0
        stack = [0] if n else []
        if n:
            order[0] = low[0] = 0
            clock = 1
            parts[0] = 0
        steps = 0
        while stack:
            steps += 1
            if steps % (4 * _STRIDE) == 0:
                self.watch()
            u = stack[-1]
            if place[u] < off[u + 1]:
                w = nbr[place[u]]
                place[u] += 1
                if order[w] < 0:
                    order[w] = low[w] = clock
                    clock += 1
                    parent[w] = u
                    stack.append(w)
                elif w != parent[u] and order[w] < low[u]:
                    low[u] = order[w]
            else:
                stack.pop()
                p = parent[u]
                if p >= 0:
                    if low[u] < low[p]:
                        low[p] = low[u]
                    if low[u] >= order[p]:
                        parts[p] += 1
        best = first = -1
        most = 1
        for v in range(n):
            if parts[v] > 1 and first < 0:
                first = v
            if parts[v] > most:
                most = parts[v]
                best = v
        return [best, most, first]

    def parts_without(self, v: int) -> int:
        """Return how many parts an undirected board falls into without one square."""
        seen = [0] * self.n
        seen[v] = 1
        parts = 0
        for first in self.neighbours(v):
            if seen[first]:
                continue
            parts += 1
            seen[first] = 1
            queue = [first]
            for u in queue:
                for k in range(self.off[u], self.off[u + 1]):
                    w = self.nbr[k]
                    if not seen[w]:
                        seen[w] = 1
                        queue.append(w)
        return parts

    def strong(self) -> list[int]:
        """Find the strong components of a directed board.

        Returns:
            The number of components; a vertex of the first that cannot be left for the next one in
            topological order and a vertex of that next one, or -1 and -1 when they lie in a line.
        """
        n, off, nbr = self.n, self.off, self.nbr
        order = [-1] * n
        low = [0] * n
        component = [-1] * n
        place = self.off[:n]
        clock = count = 0
        open_stack: list[int] = []
        for first in range(n):
            if order[first] >= 0:
                continue
            order[first] = low[first] = clock
            clock += 1
            stack = [first]
            open_stack.append(first)
            while stack:
                u = stack[-1]
                if place[u] < off[u + 1]:
                    w = nbr[place[u]]
                    place[u] += 1
                    if order[w] < 0:
                        order[w] = low[w] = clock
                        clock += 1
                        stack.append(w)
                        open_stack.append(w)
                    elif component[w] < 0 and order[w] < low[u]:
                        low[u] = order[w]
                else:
                    stack.pop()
                    if stack and low[u] < low[stack[-1]]:
                        low[stack[-1]] = low[u]
                    if low[u] == order[u]:
                        while True:
                            w = open_stack.pop()
                            component[w] = count
                            if w == u:
                                break
                        count += 1
        # Components are numbered against the moves: a tour runs from the last one to the first.
        joined = [0] * (count + 1)
        member = [-1] * (count + 1)
        for u in range(n):
            member[component[u]] = u
            for k in range(off[u], off[u + 1]):
                if component[nbr[k]] == component[u] - 1:
                    joined[component[u]] = 1
        for c in range(count - 1, 0, -1):
            if not joined[c]:
                return [count, member[c], member[c - 1]]
        return [count, -1, -1]


class CycleSearch:
    """An exact search for Hamiltonian cycles of a graph, edge by edge.

    Fill `eu`, `ev`, `forced` (one entry an edge) and `loose` (one a vertex), then `load`. A `loose`
    vertex takes at most two edges, every other exactly two. With `local` no cycle is allowed at
    all: then a finished search proves that the graph around has no Hamiltonian cycle.

    Invariants: need[v] = 2 - chosen edges at v; deg[v] = undecided edges at v; mate[v] = the other
    end of the chosen subpath that ends in v, v itself while it is bare; left = sum of need over
    the vertices that are not loose. Every change is on the trail, as (kind, vertex or edge, what
    stood there); `decisions` is a stack of (edge, length of the trail before it was chosen).
    """

    def __init__(
        self, vertices: int, edges: int, seed: int, watch: Callable[[], None] = _unwatched
    ) -> None:
        self.watch = watch
        self.eu = [0] * edges
        self.ev = [0] * edges
        self.forced = [0] * edges
        self.status = [0] * edges
        self.loose = [0] * vertices
        self.off = [0] * (vertices + 1)
        self.nbr = [0] * (2 * edges)
        self.eid = [0] * (2 * edges)
        self.need = [0] * vertices
        self.deg = [0] * vertices
        self.mate = [0] * vertices
        self.queued = [0] * vertices
        self.work: list[int] = []
        self.decisions: list[tuple[int, int]] = []
        self.trail: list[tuple[int, int, int]] = []
        self.n = self.m = 0
        self.chosen = self.left = 0
        self.nodes = 0
        self.ok = self.local = self.timed = self.ties = 0
        self.random = seed
        self.clues = 0
        self.clue: list[int] = []
        self.time: list[int] = []
        self.early: list[int] = []
        self.late: list[int] = []
        self.size: list[int] = []
        self.held: list[int] = []
        self.prefix: list[int] = []
        self.before: list[int] = []
        self.after: list[int] = []
        self.dist: list[int] = []
        self.guided = self.placing = 0
        #: contradictions met at each vertex
        self.weight: list[int] = []
        #: for every clue the ends from which the way to the next one leaves, and is entered
        self.leaving: list[list[int]] = []
        self.entering: list[list[int]] = []
        #: for every clue a mask of the times up to the next one that some subpath has to take
        self.wanted: list[int] = []
        #: places: a subpath entered at an end, after a clue, at one of the times of a mask, and all
        #: times that it then covers; those after clue k begin at begin[k]
        self.place_end: list[int] = []
        self.place_gap: list[int] = []
        self.place_mask: list[int] = []
        self.covered: list[int] = []
        self.begin: list[int] = []
        #: for every subpath, by the smaller of its ends, its places and the times it takes
        self.places: dict[int, list[int]] = {}
        self.taken: dict[int, list[int]] = {}
        #: for every time the subpath that takes it
        self.taker: list[int] = []

    def _next(self) -> int:
        self.random, value = splitmix64(self.random)
        return value

    def _below(self, bound: int) -> int:
        return self._next() % bound

    # Setting up

    def _load(self, n: int, m: int, local: int) -> int:
        """Build the adjacency lists, choose what is forced, propagate; 0 at a contradiction."""
        eu, ev, off, nbr, eid, deg = self.eu, self.ev, self.off, self.nbr, self.eid, self.deg
        need, mate, status, loose = self.need, self.mate, self.status, self.loose
        self.n = n
        self.m = m
        self.local = local
        self.trail.clear()
        self.work.clear()
        self.decisions.clear()
        self.chosen = 0
        self.left = 0
        for v in range(n + 1):
            off[v] = 0
        for e in _watched(range(m), self.watch):
            status[e] = 0
            off[eu[e]] += 1
            off[ev[e]] += 1
        total = 0
        for v in _watched(range(n), self.watch):
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
        for e in _watched(range(m - 1, -1, -1), self.watch):
            u = eu[e]
            v = ev[e]
            off[u] -= 1
            nbr[off[u]] = v
            eid[off[u]] = e
            off[v] -= 1
            nbr[off[v]] = u
            eid[off[v]] = e
        if self.timed:
            self._start_times()
        self.ok = 1
        for e in range(m):
            if (
                self.forced[e]
                and status[e] != CHOSEN
                and (status[e] == DELETED or not self._choose(e))
            ):
                self.ok = 0
                break
        for v in _watched(range(n - 1, -1, -1), self.watch):
            self._touch(v)
        if self.ok:
            self.ok = self._conclude()
        else:
            self._forget()
        return self.ok

    # Changing the state

    def _touch(self, v: int) -> None:
        if not self.queued[v]:
            self.queued[v] = 1
            self.work.append(v)

    def _forget(self) -> None:
        """Empty the worklist after a contradiction."""
        while self.work:
            self.queued[self.work.pop()] = 0

    def _push(self, kind: int, index: int, old: int) -> None:
        self.trail.append((kind, index, old))

    def _delete(self, e: int) -> None:
        """Decide that an undecided edge is not in the cycle."""
        u = self.eu[e]
        v = self.ev[e]
        self.status[e] = DELETED
        self._push(_DELETE, e, 0)
        self.deg[u] -= 1
        self.deg[v] -= 1
        self._touch(u)
        self._touch(v)

    def _choose(self, e: int) -> int:
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
        self.status[e] = CHOSEN
        self._push(_CHOOSE, e, 0)
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
        self._push(_MATE, a, mate[a])
        self._push(_MATE, b, mate[b])
        mate[a] = b
        mate[b] = a
        if self.local or self.chosen < self.n - 1:
            x = a
            y = b
            if self.off[a + 1] - self.off[a] > self.off[b + 1] - self.off[b]:
                x = b
                y = a
            for k in range(self.off[x], self.off[x + 1]):
                if self.nbr[k] == y and self.status[self.eid[k]] == UNDECIDED:
                    self._delete(self.eid[k])
        if self.timed:
            self._prune(a)
            self._prune(b)
        return 1

    def _propagate(self) -> int:
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
        stride = 2**5 if self.timed else _STRIDE  # a step takes longer with many clues
        while self.work:
            steps += 1
            if steps % stride == 0:
                self.watch()
            v = self.work.pop()
            self.queued[v] = 0
            if need[v] == 0:
                if deg[v]:
                    for k in range(off[v], off[v + 1]):
                        if status[eid[k]] == UNDECIDED:
                            self._delete(eid[k])
            elif not loose[v]:
                if deg[v] < need[v]:
                    self._weigh([v])
                    self._forget()
                    return 0
                if deg[v] == need[v]:
                    for k in range(off[v], off[v + 1]):
                        if status[eid[k]] == UNDECIDED and not self._choose(eid[k]):
                            self._weigh([v])
                            self._forget()
                            return 0
        return 1

    def _conclude(self) -> int:
        """Draw all conclusions, those about times too; 0 at a contradiction."""
        while self._propagate():
            if not self.guided or self.left == 0:
                return 1
            self.watch()
            deleted = self._place()
            if deleted < 0:
                self._forget()
                return 0
            if deleted == 0:
                return 1
        return 0

    def _undo(self, mark: int) -> None:
        """Take everything back that was done since the trail had this length."""
        while len(self.trail) > mark:
            kind, k, old = self.trail.pop()
            if kind == _MATE:
                self.mate[k] = old
            elif kind == _DELETE:
                self.status[k] = 0
                self.deg[self.eu[k]] += 1
                self.deg[self.ev[k]] += 1
            elif kind == _CHOOSE:
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
            elif kind == _EARLY:
                self.early[k] = old
            elif kind == _LATE:
                self.late[k] = old
            elif kind == _SIZE:
                self.size[k] = old
            else:
                self.held[k] = old

    # Searching

    def _branch(self) -> int:
        """Return the edge to decide next: at the vertex with the fewest choices."""
        need, deg = self.need, self.deg
        n = self.n
        v = 0
        if self.ties:
            v = self._below(n)
        if self.guided:
            return self._edge_at(self._hardest_end(v))
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

    def _edge_at(self, v: int) -> int:
        """Return the undecided edge of a vertex that leads to the neighbour with fewest choices."""
        return min(self._open(v), key=lambda way: self.deg[way[1]])[0]

    def _open(self, v: int) -> list[tuple[int, int]]:
        """Return the undecided edges of a vertex, each with the neighbour that it leads to."""
        around = range(self.off[v], self.off[v + 1])
        return [(self.eid[k], self.nbr[k]) for k in around if self.status[self.eid[k]] == UNDECIDED]

    def _hardest_end(self, first: int) -> int:
        """Return the end of a subpath with clues that has fewest choices for its weight.

        The weight counts contradictions met there and at its neighbours (Boussemart, Hemery,
        Lecoutre and Sais 2004). Vertices are looked at from `first` on.
        """
        best = -1
        fewest, heaviest = 0, 1
        for v in (*range(first, self.n), *range(first)):
            if self.need[v] > 0 and self.held[v]:
                weight = 1 + self.weight[v] + sum(self.weight[w] for _, w in self._open(v))
                if best < 0 or self.deg[v] * heaviest < fewest * weight:
                    best, fewest, heaviest = v, self.deg[v], weight
        return best

    def _weigh(self, vertices: list[int]) -> None:
        """Note that a contradiction was met at these vertices."""
        if self.guided:
            for v in vertices:
                self.weight[v] += 1

    def _run(self, budget: int) -> int:
        """Search on for at most `budget` decisions; after FOUND the next call looks for another."""
        while True:
            if self.ok:
                if self.left == 0:
                    self.ok = 0
                    return FOUND
                if budget <= 0:
                    return PAUSED
                budget -= 1
                self.nodes += 1
                e = self._branch()
                self.decisions.append((e, len(self.trail)))
                self.ok = self._choose(e)
                if self.ok:
                    self.ok = self._conclude()
                else:
                    self._forget()
            else:
                if not self.decisions:
                    return EXHAUSTED
                e, mark = self.decisions.pop()
                self._undo(mark)
                self._delete(e)
                self.ok = self._conclude()

    def _restart(self) -> None:
        """Go back to the root; what was learned there stays."""
        if self.decisions:
            self._undo(self.decisions[0][1])
            self.decisions.clear()
            self.ok = 1

    # Times: partial numberings

    def set_times(self, clue: list[int]) -> None:
        """Give some vertices their place in the cycle, counted modulo the number of vertices.

        Args:
            clue: for every vertex its time, -1 for unknown. Call it before `load`.
        """
        n = len(clue)
        self.timed = 1
        self.clue = list(clue)
        self.weight = [0] * n
        self.taker = [-1] * n
        known = sorted((t, v) for v, t in enumerate(clue) if t >= 0)
        if n * len(known) > _DISTANCES:
            raise MemoryError
        self.time = [t for t, _ in known]
        self.clues = len(known)
        self.guided = self.placing = int(self.clues > 1 and n * self.clues <= _PLACES)
        self.early = [0] * n
        self.late = [0] * n
        self.size = [0] * n
        self.held = [0] * n
        self.prefix = [0] * (n + 1)
        self.before = [0] * n
        self.after = [0] * n
        self.dist = [0] * (n * self.clues)
        for t in self.time:
            self.prefix[t + 1] += 1
        for t in range(n):
            self.prefix[t + 1] += self.prefix[t]
        for t in range(n):
            self.before[t] = (self.prefix[t] - 1) % self.clues
            self.after[t] = self.prefix[t + 1] % self.clues

    def _start_times(self) -> None:
        """Start all subpaths as single vertices, and measure how far each clue is from each."""
        n = self.n
        for v in range(n):
            self.early[v] = self.clue[v]
            self.late[v] = self.clue[v]
            self.size[v] = 1
            self.held[v] = 1 if self.clue[v] >= 0 else 0
        queue = self.mate
        for k in range(self.clues):
            self.watch()
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
            if e % 16 == 15:
                self.watch()
            if self.forced[e]:
                continue
            u = self.eu[e]
            v = self.ev[e]
            if self.clue[u] < 0 and self.clue[v] < 0 and not self._somewhere(u, v, 2):
                self._delete(e)
        for v in range(n):
            if self.clue[v] >= 0:
                self._prune(v)

    def _fits(self, first: int, length: int, held: int, one: int, other: int) -> int:
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

    def _join(self, v: int, p: int, q: int) -> int:
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

    def _somewhere(self, p: int, q: int, length: int) -> int:
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

    def _set_end(self, v: int, early: int, late: int, size: int, held: int) -> None:
        self._push(_EARLY, v, self.early[v])
        self._push(_LATE, v, self.late[v])
        self._push(_SIZE, v, self.size[v])
        self._push(_HELD, v, self.held[v])
        self.early[v] = early
        self.late[v] = late
        self.size[v] = size
        self.held[v] = held

    def _meet(self, mine: int, theirs: int, shift: int) -> int:
        """Combine a time with one that is `shift` away from it."""
        if mine == -2 or theirs == -2:
            return -2
        if theirs == -1:
            return mine
        theirs = (theirs + shift + self.n) % self.n
        if mine == -1 or mine == theirs:
            return theirs
        return -2

    def _prune(self, a: int) -> None:
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

    # What the front asks

    def _place(self) -> int:
        """Find where between the clues each subpath can lie, and delete edges that fit nowhere.

        Returns how many edges were deleted, -1 for a contradiction.
        """
        n, clues, time, mate, size = self.n, self.clues, self.time, self.mate, self.size
        need, held, early, late = self.need, self.held, self.early, self.late
        self.leaving = [[] for _ in range(clues)]
        self.entering = [[] for _ in range(clues)]
        for v in range(n - 1, -1, -1):
            if need[v] == 0 or held[v] == 0:
                continue
            if held[v] > 1 and early[v] >= 0 and late[v] >= 0:
                return 0  # which gaps are filled already depends on the direction
            if late[v] >= 0:
                self.leaving[self.prefix[late[v] + 1] - 1].append(v)
            if early[v] >= 0:
                self.entering[self.prefix[early[v]] - 1].append(v)
        self.wanted = [0] * clues
        self.begin = []
        for places in (self.place_end, self.place_gap, self.place_mask, self.covered):
            places.clear()
        allowed: set[int] = set()
        long_gaps = False
        for k in range(clues):
            self.watch()
            self.begin.append(len(self.place_end))
            leaving, entering = self.leaving[k], self.entering[k]
            if not leaving and not entering:
                continue
            if not leaving or not entering:
                return -1
            gap = (time[k + 1] if k + 1 < clues else time[0] + n) - time[k]
            if gap > _GAP:
                long_gaps = True
                for x in leaving + entering:
                    allowed.update(e for e, _ in self._open(x))
                continue
            all_covered = 0
            from_before, from_behind = self._reach(k, gap)
            for v in from_before:
                mask = from_behind.get(mate[v], 0) >> (size[v] - 1)
                if mask:
                    covered = 0
                    for d in range(size[v]):
                        covered |= mask << d
                    all_covered |= covered
                    self.place_end.append(v)
                    self.place_gap.append(k)
                    self.place_mask.append(mask)
                    self.covered.append(covered)
            # Every step between must have a vertex that can take it.
            first = max(0, *((late[x] - time[k]) % n for x in leaving))
            last = min(gap, *((early[x] - time[k]) % n for x in entering))
            if last > first + 1:
                self.wanted[k] = (1 << last) - (1 << first + 1)
            if self.wanted[k] & ~all_covered:
                self._weigh(leaving + entering)
                return -1
        self.begin.append(len(self.place_end))
        if not long_gaps:
            placed = set(self.place_end)
            for v in range(n):
                if need[v] and held[v] == 0 and v not in placed and mate[v] not in placed:
                    self._weigh([v])
                    return -1
        if not self._assign():
            return -1
        for k in range(clues):
            allowed |= self._usable(k)
        deleted = 0
        for e in range(self.m):
            if self.status[e] == UNDECIDED and e not in allowed:
                if long_gaps and held[self.eu[e]] == 0 and held[self.ev[e]] == 0:
                    continue
                self._delete(e)
                deleted += 1
        return deleted

    def _usable(self, k: int) -> set[int]:
        """Return the edges that some step between a clue and the next can use."""
        n, start = self.n, self.time[k]
        places = range(self.begin[k], self.begin[k + 1])
        if not self.leaving[k] or (not places and self.wanted[k]):
            return set()
        entry = {self.place_end[i]: self.place_mask[i] for i in places}
        for x in self.entering[k]:
            after = (self.early[x] - start) % n
            entry[x] = 1 << after if after <= _GAP else 0
        ways = [(x, 1 << (self.late[x] - start) % n + 1) for x in self.leaving[k]]
        for i in places:
            v = self.place_end[i]
            ways.append((self.mate[v], self.place_mask[i] << self.size[v]))
        full = (1 << _GAP + 1) - 1
        return {e for x, mask in ways for e, w in self._open(x) if entry.get(w, 0) & mask & full}

    def _reach(self, k: int, gap: int) -> tuple[dict[int, int], dict[int, int]]:
        """Find at which times after a clue subpaths can be entered and left so as to meet the next.

        Bit t of from_before[v]: v can be reached t steps after the clue; bit t of from_behind[v]:
        moreover, when v is left then, the next clue is reached in time.
        """
        start, held, mate, size = self.time[k], self.held, self.mate, self.size
        full = (1 << gap) - 1
        from_before: dict[int, int] = {}
        from_behind: dict[int, int] = {}
        waiting: deque[int] = deque()
        waits: set[int] = set()

        def note(known: dict[int, int], w: int, mask: int) -> None:
            if mask & ~known.get(w, 0):
                known[w] = known.get(w, 0) | mask
                if w not in waits:
                    waits.add(w)
                    waiting.append(w)

        def lead_on(x: int, mask: int) -> None:
            for _, w in self._open(x) if mask else ():
                if held[w] == 0:
                    note(from_before, w, mask)

        def lead_back(x: int, mask: int) -> None:
            for _, w in self._open(x) if mask else ():
                if held[w] == 0:
                    reached = from_before.get(mate[w], 0) << size[w] - 1
                    note(from_behind, w, mask & reached)

        for x in self.leaving[k]:
            lead_on(x, 1 << (self.late[x] - start) % self.n + 1 & full)
        while waiting:
            v = waiting.popleft()
            waits.remove(v)
            lead_on(mate[v], from_before[v] << size[v] & full)
        for x in self.entering[k]:
            lead_back(x, 1 << (self.early[x] - start) % self.n - 1)
        while waiting:
            v = waiting.popleft()
            waits.remove(v)
            lead_back(mate[v], from_behind[v] >> size[v])
        return from_before, from_behind

    def _assign(self) -> int:
        """Drop the places that no assignment of subpaths to all times between the clues has.

        Each time between two clues is taken by one subpath, and a subpath takes no more times than
        it has vertices. A place survives when it is in some such assignment: when its subpath and
        its time lie in one strong component of the residual graph (Regin 1994). Returns 0 when
        there is no assignment.
        """
        n, mate, size = self.n, self.mate, self.size
        self.places = {}
        for i, x in enumerate(self.place_end):
            self.places.setdefault(min(x, mate[x]), []).append(i)
        self.taken = {v: [] for v in self.places}
        steps = [
            (k, t, (self.time[k] + t) % n)
            for k, wanted in enumerate(self.wanted)
            for t in range(wanted.bit_length())
            if wanted >> t & 1
        ]
        # What is left of the last assignment.
        for k, t, s in steps:
            v, self.taker[s] = self.taker[s], -1
            if v < 0 or self.need[v] == 0 or self.held[v]:
                continue
            v = min(v, mate[v])
            places = self.places.get(v, []) if len(self.taken.get(v, [])) < size[v] else []
            if any(self.place_gap[i] == k and self.covered[i] >> t & 1 for i in places):
                self._take(v, s)
        for k, _, s in steps:
            if self.taker[s] < 0 and not self._fill(s):
                self._weigh(self.leaving[k] + self.entering[k])
                return 0
        component = self._components()
        for i, x in enumerate(self.place_end):
            k, v = self.place_gap[i], min(x, mate[x])
            for t in range(self.place_mask[i].bit_length()):
                for d in range(t, t + size[x]) if self.place_mask[i] >> t & 1 else ():
                    s = (self.time[k] + d) % n
                    if (
                        self.wanted[k] >> d & 1
                        and self.taker[s] != v
                        and component[v] != component[n + s]
                    ):
                        self.place_mask[i] &= ~(1 << t)
                        break
        return 1

    def _take(self, v: int, s: int) -> None:
        self.taker[s] = v
        self.taken[v].insert(0, s)

    def _fill(self, s: int) -> int:
        """Give a time to a subpath, others giving way along an alternating path; 0 if none can."""
        came = {s: -1}
        seen: set[int] = set()
        queue = [s]
        for s in queue:
            k = self.before[s]
            t = (s - self.time[k]) % self.n
            for i in range(self.begin[k], self.begin[k + 1]):
                v = min(self.place_end[i], self.mate[self.place_end[i]])
                if v in seen or not self.covered[i] >> t & 1:
                    continue
                seen.add(v)
                if len(self.taken[v]) < self.size[v]:
                    while s >= 0:
                        giving_way = self.taker[s]
                        if giving_way >= 0:
                            self.taken[giving_way].remove(s)
                        self._take(v, s)
                        v, s = giving_way, came[s]
                    return 1
                for other in self.taken[v]:
                    came[other] = s
                    queue.append(other)
        return 0

    def _components(self) -> list[int]:
        """Number the strong components of the residual graph of the assignment.

        Its vertices: the subpaths; n + s for a time s; 2n for the subpaths' room. Arcs lead from a
        subpath to the times that it could take besides, from a time to its taker, from a subpath
        that takes one to 2n, and from 2n to one with room left.
        """
        n = self.n
        arcs: list[list[int]] = [[] for _ in range(2 * n + 1)]
        for v, places in self.places.items():
            for i in places:
                k = self.place_gap[i]
                mask = self.covered[i] & self.wanted[k]
                for t in range(mask.bit_length()):
                    s = (self.time[k] + t) % n
                    if mask >> t & 1 and self.taker[s] != v:
                        arcs[v].append(n + s)
                        arcs[n + s] = [self.taker[s]]
            if self.taken[v]:
                arcs[v].append(2 * n)
            if len(self.taken[v]) < self.size[v]:
                arcs[2 * n].append(v)
        order = [-1] * (2 * n + 1)
        low = [0] * (2 * n + 1)
        component = [-1] * (2 * n + 1)
        opened: list[int] = []
        ticks = count = 0
        for root in self.places:
            if order[root] >= 0:
                continue
            path = [(root, iter(arcs[root]))]
            order[root] = low[root] = ticks
            ticks += 1
            opened.append(root)
            while path:
                u, ways = path[-1]
                w = next(ways, -1)
                if w >= 0:
                    if order[w] < 0:
                        order[w] = low[w] = ticks
                        ticks += 1
                        opened.append(w)
                        path.append((w, iter(arcs[w])))
                    elif component[w] < 0:
                        low[u] = min(low[u], order[w])
                    continue
                path.pop()
                if low[u] == order[u]:
                    w = -1
                    while w != u:
                        w = opened.pop()
                        component[w] = count
                    count += 1
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[u])
        return component

    def run(self, budget: int) -> int:
        """Search on for at most `budget` decisions: PAUSED, FOUND or EXHAUSTED."""
        return self._run(budget)

    def restart(self, ties: int, guided: int = 0) -> None:
        """Go back to the root.

        Args:
            ties: break ties at random from now on (1) or not (0).
            guided: with clues, grow the subpaths that hold them, the hardest first, and look
                between the clues after every decision (1), or not (0).
        """
        self._restart()
        self.ties = ties
        self.guided = guided and self.placing

    def readings(self) -> list[int]:
        """Return, of a cycle just found with times, an end and its time walking up and down.

        A time is -1 when any will do and -2 when that direction is impossible.
        """
        closing = next(k for kind, k, _ in reversed(self.trail) if kind == _CHOOSE)
        u = self.eu[closing]
        v = self.ev[closing]
        return [u, v, self.early[u], self.late[u]]


class TwoFactor:
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

    def __init__(
        self,
        graph: MoveGraph,
        split: bool,
        kind: int,
        start: int,
        end: int,
        seed: int,
        times: list[int] | None = None,
    ) -> None:
        n = graph.n
        arcs = len(graph.nbr)
        if split:
            vertices = 2 * n + (2 if kind else 0)
            edges = arcs + n + (2 * n + 1 if kind else 0)
        else:
            vertices = n + (0 if kind < 2 else 1 if kind == 2 else 2)
            edges = arcs // 2 + 2 * n + 2
        self.graph = graph
        self.split = 1 if split else 0
        self.kind = kind
        self.steps = 0
        self.random = seed
        self.nodes = 0
        self.cycles = 0
        self.deficit = 0
        self.watch = graph.watch
        self.search = CycleSearch(vertices, edges, seed, graph.watch)
        self.side = [0] * vertices
        self.n = self.m = 0
        if split:
            self._build_split(start, end)
        else:
            self._build_plain(start, end)
        if times is not None:
            self.search.set_times(self._clues(times))
        n, m = self.n, self.m
        self.in_cover = [0] * m
        self.lack = [0] * n
        self.first = [-1] * n
        self.second = [-1] * n
        self.cycle = [0] * n
        self.place = [0] * n
        self.seq = [0] * (n + 1)
        self.begin = [0] * (n + 1)
        self.union = [0] * (n + 1)
        self.stamp = [0] * n
        self.clock = 0
        self.parent = [0] * n
        self.root = [0] * n
        self.queue = [0] * (n + 1)
        self.local = [-1] * n
        self.saved = [0] * m
        self.freedom = [0] * n
        self.before = [-1] * n
        self.behind = [-1] * n
        self.bucket = [-1] * 16
        self.window_search = CycleSearch(_WINDOW, _WINDOW_EDGES, seed)
        self.window_map = [0] * _WINDOW_EDGES
        self.ok = self.search._load(n, m, 0)

    def _edge(self, u: int, v: int, forced: int) -> None:
        self.search.eu[self.m] = u
        self.search.ev[self.m] = v
        self.search.forced[self.m] = forced
        self.m += 1

    def _build_plain(self, start: int, end: int) -> None:
        """H of an undirected board: the squares, and z, or zA and zB, of an open tour."""
        graph = self.graph
        side = self.side
        n = graph.n
        for u in _watched(range(n), self.watch):
            side[u] = graph.colour[u]
            for k in range(graph.off[u], graph.off[u + 1]):
                if u < graph.nbr[k]:
                    self._edge(u, graph.nbr[k], 0)
        self.n = n
        if self.kind == 0:
            return
        if self.kind == 1:
            self._edge(start, end, 1)
            return
        ones = 0
        for v in range(n):
            ones += graph.colour[v]
        if self.kind == 2:
            self.n = n + 1
            self._edge(start, n, 1)
            target = graph.colour[start]
            if 2 * ones == n:
                target = 1 - target
            side[n] = 1 - target
            for v in range(n):
                if v != start and (not graph.bipartite or graph.colour[v] == target):
                    self._edge(n, v, 0)
            return
        if graph.bipartite and 2 * ones == n:
            self.n = n + 2
            side[n] = 0
            side[n + 1] = 1
            self._edge(n, n + 1, 1)
            for v in range(n):
                self._edge(n + 1 if graph.colour[v] == 0 else n, v, 0)
            return
        self.n = n + 1
        major = 1 if 2 * ones > n else 0
        side[n] = 1 - major
        for v in range(n):
            if not graph.bipartite or graph.colour[v] == major:
                self._edge(n, v, 0)

    def _build_split(self, start: int, end: int) -> None:
        """H of a board taken as directed: out(v) = 2v, in(v) = 2v + 1."""
        graph = self.graph
        side = self.side
        n = graph.n
        for v in range(n):
            side[2 * v + 1] = 1
            self._edge(2 * v, 2 * v + 1, 1)
        for u in _watched(range(n), self.watch):
            for k in range(graph.off[u], graph.off[u + 1]):
                self._edge(2 * u, 2 * graph.nbr[k] + 1, 0)
        self.n = 2 * n
        if self.kind == 0:
            return
        self.n = 2 * n + 2
        side[2 * n + 1] = 1
        self._edge(2 * n, 2 * n + 1, 1)
        ones = 0
        for v in range(n):
            ones += graph.colour[v]
        for v in range(n):
            # With one colour in the majority a tour starts and ends on it.
            if graph.bipartite and 2 * ones != n and (graph.colour[v] == 1) != (2 * ones > n):
                continue
            if start < 0 or start == v:
                self._edge(2 * n, 2 * v + 1, 0)
            if end < 0 or end == v:
                self._edge(2 * v, 2 * n + 1, 0)

    def _clues(self, times: list[int]) -> list[int]:
        """Return the times of the vertices of H: the first square has time 1 where there is a z."""
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
            n = self.graph.n
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

    def _next(self) -> int:
        self.random, value = splitmix64(self.random)
        return value

    def _below(self, bound: int) -> int:
        return self._next() % bound

    # What is known at the root

    def settle(self, u: int, w: int, required: int) -> int:
        """Require (1) or forbid (0) the move from u to w; 0 when that contradicts what is known.

        On a board that is not split it is the move in either direction; -1: there is no such move.
        """
        search = self.search
        if self.split:
            u = 2 * u
            w = 2 * w + 1
        found = -1
        for k in range(search.off[u], search.off[u + 1]):
            e = search.eid[k]
            if search.nbr[k] == w and not search.forced[e]:
                found = e
        if found < 0:
            return -1
        if required:
            if search.status[found] == DELETED or (
                search.status[found] == UNDECIDED and not search._choose(found)
            ):
                search._forget()
                self.ok = 0
                return 0
        else:
            if search.status[found] == CHOSEN:
                self.ok = 0
                return 0
            if search.status[found] == UNDECIDED:
                search._delete(found)
        self.ok = search._propagate()
        search.ok = self.ok
        return self.ok

    def forced_squares(self, most: int) -> list[int]:
        """Return squares of the board that a contradiction at the root has left without a way."""
        search = self.search
        found: list[int] = []
        for v in range(self.n):
            if search.deg[v] < search.need[v]:
                u = v // 2 if self.split else v
                if u < self.graph.n and u not in found:
                    found.append(u)
                    if len(found) == most:
                        break
        return found

    # The cover: Warnsdorff walks, then augmenting searches

    def _link(self, v: int) -> None:
        """Put a vertex into the bucket of its freedom."""
        b = min(self.freedom[v], 15)
        head = self.bucket[b]
        self.behind[v] = head
        self.before[v] = -1
        if head >= 0:
            self.before[head] = v
        self.bucket[b] = v

    def _unlink(self, v: int) -> None:
        if self.before[v] >= 0:
            self.behind[self.before[v]] = self.behind[v]
        else:
            self.bucket[min(self.freedom[v], 15)] = self.behind[v]
        if self.behind[v] >= 0:
            self.before[self.behind[v]] = self.before[v]

    def _visit(self, v: int) -> None:
        search = self.search
        self._unlink(v)
        self.stamp[v] = 1
        for k in range(search.off[v], search.off[v + 1]):
            w = search.nbr[k]
            if search.status[search.eid[k]] == UNDECIDED and not self.stamp[w]:
                self._unlink(w)
                self.freedom[w] -= 1
                self._link(w)

    def _walk_on(self, p: int) -> None:
        """Walk from a vertex, always to the neighbour of least freedom, until it gets stuck."""
        search = self.search
        while self.lack[p] > 0:
            self.steps += 1
            if self.steps % _STRIDE == 0:
                self.watch()
            edge = -1
            target = -1
            least = 1 << 30
            ties = 0
            for k in range(search.off[p], search.off[p + 1]):
                w = search.nbr[k]
                if search.status[search.eid[k]] == UNDECIDED and not self.stamp[w]:
                    f = self.freedom[w]
                    if f < least:
                        least = f
                        edge = search.eid[k]
                        target = w
                        ties = 1
                    elif f == least:
                        ties += 1
                        if self._below(ties) == 0:
                            edge = search.eid[k]
                            target = w
            if edge < 0:
                return
            self.in_cover[edge] = 1
            self.lack[p] -= 1
            self.lack[target] -= 1
            self._visit(target)
            p = target
            if search.need[target] == 1:
                # On the far end of the forced chain that begins here.
                p = search.mate[target]
                if not self.stamp[p]:
                    self._visit(p)

    def cover(self) -> None:
        """Begin a cover: forced edges, and Warnsdorff walks through the rest."""
        search = self.search
        n = self.n
        for e in range(self.m):
            self.in_cover[e] = 1 if search.status[e] == CHOSEN else 0
        for b in range(16):
            self.bucket[b] = -1
        for v in _watched(range(n - 1, -1, -1), self.watch):
            self.lack[v] = search.need[v]
            self.freedom[v] = search.deg[v]
            self.stamp[v] = 1
            if search.need[v]:
                self.stamp[v] = 0
                self._link(v)
        b = 0
        while b < 16:
            v = self.bucket[b]
            if v < 0:
                b += 1
                continue
            other = v
            p = v
            self._visit(v)
            if search.need[v] == 1:
                p = search.mate[v]
                if not self.stamp[p]:
                    self._visit(p)
            self._walk_on(p)
            self._walk_on(other)
            b = 0
        for v in range(n):
            self.stamp[v] = 0
        self.clock = 0

    def augment(self) -> int:
        """Grow one tree of alternating paths from every vertex on the left that lacks an edge.

        Returns:
            How many lacks were filled; afterwards `deficit` tells how many are left on both sides.
            0 with a deficit is a proof that there is no 2-factor: `tight` lists the squares.
        """
        search = self.search
        stamp, lack, queue = self.stamp, self.lack, self.queue
        root, parent, in_cover, status = self.root, self.parent, self.in_cover, search.status
        off, nbr, eid = search.off, search.nbr, search.eid
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
            if head % _STRIDE == 0:
                self.watch()
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
                            x = search.eu[e] + search.ev[e] - x
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

    def tight(self, most: int) -> list[int]:
        """Return squares on the left that the last search reached: too many for their moves."""
        found: list[int] = []
        for v in range(self.n):
            if self.stamp[v] == self.clock and self.side[v] == 0:
                u = v // 2 if self.split else v
                if u < self.graph.n:
                    found.append(u)
                    if len(found) == most:
                        break
        return found

    def match(self) -> None:
        """Make the cover agree again with what has been proved at the root since."""
        search = self.search
        in_cover, lack = self.in_cover, self.lack
        for v in range(self.n):
            lack[v] = 2
        for e in _watched(range(self.m), self.watch):
            if search.status[e]:
                in_cover[e] = search.status[e] - 1
            if in_cover[e]:
                lack[search.eu[e]] -= 1
                lack[search.ev[e]] -= 1
        for v in range(self.n):
            if lack[v] >= 0:
                continue
            for k in range(search.off[v], search.off[v + 1]):
                e = search.eid[k]
                if in_cover[e] and search.status[e] == UNDECIDED:
                    in_cover[e] = 0
                    lack[v] += 1
                    lack[search.nbr[k]] += 1
                    if lack[v] == 0:
                        break

    def pairs(self) -> None:
        """Note for every vertex its two edges of the cover."""
        search = self.search
        for v in range(self.n):
            self.first[v] = -1
            self.second[v] = -1
        for e in _watched(range(self.m), self.watch):
            if self.in_cover[e]:
                self._attach(search.eu[e], e)
                self._attach(search.ev[e], e)

    def _attach(self, v: int, e: int) -> None:
        if self.first[v] < 0:
            self.first[v] = e
        else:
            self.second[v] = e

    def _detach(self, v: int, e: int) -> None:
        if self.first[v] == e:
            self.first[v] = -1
        else:
            self.second[v] = -1

    def _swap(self, v: int, old: int, new: int) -> None:
        if self.first[v] == old:
            self.first[v] = new
        else:
            self.second[v] = new

    def _flip(self, u: int, u2: int, v: int, v2: int, e1: int, e2: int, e3: int, e4: int) -> None:
        """Exchange the edges u-u2 and v-v2 of the cover for u-v and u2-v2."""
        self.in_cover[e1] = self.in_cover[e3] = 0
        self.in_cover[e2] = self.in_cover[e4] = 1
        self._swap(u, e1, e2)
        self._swap(v, e3, e2)
        self._swap(u2, e1, e4)
        self._swap(v2, e3, e4)

    def _drop(self, e: int) -> None:
        """Take an edge out of the cover, for the time being."""
        self.in_cover[e] = 0
        self._detach(self.search.eu[e], e)
        self._detach(self.search.ev[e], e)

    def _put(self, e: int) -> None:
        """Put an edge into the cover where there is room for it."""
        self.in_cover[e] = 1
        self._attach(self.search.eu[e], e)
        self._attach(self.search.ev[e], e)

    # Cycles and how to merge them

    def label(self) -> int:
        """Number the cycles of the cover; return how many there are."""
        search = self.search
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
                if size % _STRIDE == 0:
                    self.watch()
                v = search.eu[e] + search.ev[e] - v
                e = self.second[v] if self.first[v] == e else self.first[v]
            count += 1
        self.begin[count] = size
        self.cycles = count
        return count

    def extremes(self) -> list[int]:
        """Return the numbers of the longest and of the shortest cycle."""
        longest = shortest = 0
        for c in range(self.cycles):
            if self.begin[c + 1] - self.begin[c] > self.begin[longest + 1] - self.begin[longest]:
                longest = c
            if self.begin[c + 1] - self.begin[c] < self.begin[shortest + 1] - self.begin[shortest]:
                shortest = c
        return [longest, shortest]

    def squares_of(self, c: int, most: int) -> list[int]:
        """Return squares of a cycle, `most` at the most."""
        found: list[int] = []
        for k in range(self.begin[c], self.begin[c + 1]):
            u = self.seq[k] // 2 if self.split else self.seq[k]
            if u < self.graph.n and u not in found:
                found.append(u)
                if len(found) == most:
                    break
        return found

    def _find(self, c: int) -> int:
        union = self.union
        while union[c] != c:
            union[c] = union[union[c]]
            c = union[c]
        return c

    def merge(self) -> int:
        """Flip alternating 4-cycles that touch two cycles; return how many; then label anew.

        Exchanging edges of two different cycles always makes one cycle of them, in whatever
        direction they run: so it takes no more than a union-find to know which are different.
        """
        search = self.search
        union, cycle = self.union, self.cycle
        off, nbr, eid, status = search.off, search.nbr, search.eid, search.status
        in_cover = self.in_cover
        for c in range(self.cycles):
            union[c] = c
        merged = 0
        for u in _watched(range(self.n), self.watch):
            if off[u + 1] - off[u] > 64:
                continue
            done = 0
            for which in range(2):
                e1 = self.second[u] if which else self.first[u]
                if status[e1]:
                    continue
                u2 = search.eu[e1] + search.ev[e1] - u
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
                        v2 = search.eu[e3] + search.ev[e3] - v
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

    def _between(self, u: int, v: int) -> int:
        """Return an undecided edge outside the cover between two vertices, or -1."""
        search = self.search
        off = search.off
        if off[u + 1] - off[u] > 64:
            u, v = v, u
            if off[u + 1] - off[u] > 64:
                return -1
        for k in range(off[u], off[u + 1]):
            if search.nbr[k] == v:
                e = search.eid[k]
                if search.status[e] == UNDECIDED and not self.in_cover[e]:
                    return e
        return -1

    def mix(self, tries: int) -> int:
        """Flip alternating 4-cycles at random places, whatever cycles they touch."""
        search = self.search
        off = search.off
        flips = 0
        for _ in _watched(range(tries), self.watch):
            value = self._next()
            u = (value >> 32) % self.n
            degree = off[u + 1] - off[u]
            if degree > 64 or degree == 0:
                continue
            e1 = self.second[u] if value & 1 else self.first[u]
            k = off[u] + ((value >> 2) & 0xFFFF) % degree
            e2 = search.eid[k]
            v = search.nbr[k]
            e3 = self.second[v] if value & 2 else self.first[v]
            if search.status[e1] or search.status[e2] or search.status[e3] or self.in_cover[e2]:
                continue
            u2 = search.eu[e1] + search.ev[e1] - u
            v2 = search.eu[e3] + search.ev[e3] - v
            e4 = self._between(u2, v2)
            if e4 < 0 or u2 == v:
                continue
            self._flip(u, u2, v, v2, e1, e2, e3, e4)
            flips += 1
        return flips

    # Windows: a few vertices around a stuck cycle, solved exactly

    def _gather(self, c: int, limit: int, whole: int) -> int:
        """Collect vertices around a cycle in `queue`, marked in `local`; return how many."""
        search = self.search
        queue, local = self.queue, self.local
        off = search.off
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
                    if search.status[search.eid[k]] == UNDECIDED and self.cycle[search.nbr[k]] != c:
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
                w = search.nbr[k]
                if search.status[search.eid[k]] == DELETED or local[w] >= 0:
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
                    x = search.eu[e] + search.ev[e] - w
                    if search.status[e] == CHOSEN and local[x] < 0:
                        queue[count] = x
                        local[x] = 0
                        count += 1
        return count

    def window(self, c: int, limit: int, budget: int) -> int:
        """Join all cycles in a window around a cycle by solving the window exactly.

        Args:
            c: the cycle.
            limit: vertices of the window, at most `_WINDOW` - 20.
            budget: most decisions of the exact search.

        Returns:
            1 when the cycles of the window are one now (label anew), else 0.
        """
        search = self.search
        small = self.window_search
        queue, local, cycle, place = self.queue, self.local, self.cycle, self.place
        off, status = search.off, search.status
        count = self._gather(c, limit, 0)
        if count > 500:
            for i in range(count):
                local[queue[i]] = -1
            return 0
        # How often each cycle is met, counted in `union`, which is not needed now.
        met = self.union
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
                small.loose[i] = 0
                if off[v + 1] - off[v] > 64:
                    for which in range(2):
                        e = self.second[v] if which else self.first[v]
                        w = search.eu[e] + search.ev[e] - v
                        if off[w + 1] - off[w] > 64 and local[w] > i and edges < 4000:
                            edges = self._small_edge(edges, i, local[w], 1 if status[e] else 0, e)
                else:
                    for k in range(off[v], off[v + 1]):
                        w = search.nbr[k]
                        e = search.eid[k]
                        if status[e] == DELETED or local[w] < 0:
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
            if edges < 4000 and small._load(size, edges, 0):
                small.nodes = 0
                if small._run(budget) == 1:
                    result = 1
                self.nodes += small.nodes
            if result:
                self._write_back(size, edges)
        for i in range(count):
            local[queue[i]] = -1
        for i in range(size):
            local[queue[i]] = -1
        return result

    def _small_edge(self, edges: int, i: int, j: int, forced: int, e: int) -> int:
        self.window_search.eu[edges] = i
        self.window_search.ev[edges] = j
        self.window_search.forced[edges] = forced
        self.window_map[edges] = e
        return edges + 1

    def _sort(self, size: int) -> None:
        """Sort the vertices in `queue` by cycle and place."""
        self.queue[:size] = sorted(self.queue[:size], key=self.place.__getitem__)

    def _write_back(self, size: int, edges: int) -> None:
        """Put the solution of a window into the cover."""
        search = self.search
        small = self.window_search
        queue, local = self.queue, self.local
        for i in range(size):
            v = queue[i]
            e = self.first[v]
            if local[search.eu[e] + search.ev[e] - v] >= 0:
                self.first[v] = -1
            e = self.second[v]
            if local[search.eu[e] + search.ev[e] - v] >= 0:
                self.second[v] = -1
        for k in range(edges):
            e = self.window_map[k]
            if e < 0:
                continue
            self.in_cover[e] = 0
            if small.status[k] == CHOSEN:
                self._put(e)

    def obstruction(self, c: int, limit: int, budget: int) -> int:
        """Try to prove on a window around a cycle that the whole graph has no Hamiltonian cycle.

        The vertices around the window may have any two edges or fewer, and no cycle may be closed.

        Returns:
            The number of vertices of the window, which stand in `queue` then, for a proof; else 0.
        """
        search = self.search
        small = self.window_search
        queue, local = self.queue, self.local
        off, status = search.off, search.status
        if self.begin[c + 1] - self.begin[c] > limit:
            return 0
        inside = self._gather(c, limit, 1)
        size = inside
        if inside <= 300:
            for i in range(inside):
                local[queue[i]] = i
                small.loose[i] = 0
        edges = 0
        for i in range(inside):
            v = queue[i]
            if off[v + 1] - off[v] > 64 or size > 500 or inside > 300:
                size = 1000
                break
            for k in range(off[v], off[v + 1]):
                w = search.nbr[k]
                e = search.eid[k]
                if status[e] == DELETED:
                    continue
                if local[w] < 0:
                    local[w] = size
                    small.loose[size] = 1
                    queue[size] = w
                    size += 1
                    if size > 500:
                        break
                if (local[w] > i or local[w] >= inside) and edges < 4000:
                    edges = self._small_edge(edges, i, local[w], 1 if status[e] else 0, e)
        result = 0
        if size <= 500 and size < self.n and edges < 4000:
            small.nodes = 0
            if not small._load(size, edges, 1) or small._run(budget) == 2:
                result = inside
            self.nodes += small.nodes
        for v in range(self.n):
            local[v] = -1
        return result

    def window_squares(self, count: int) -> list[int]:
        """Return the squares of the last window."""
        found: list[int] = []
        for i in range(count):
            u = self.queue[i] // 2 if self.split else self.queue[i]
            if u < self.graph.n and u not in found:
                found.append(u)
        return found

    # Kicks

    def kick(self, c: int) -> int:
        """Open a cycle along a random shortest alternating cycle; 0 when there is none."""
        search = self.search
        cycle, stamp, parent, queue = self.cycle, self.stamp, self.parent, self.queue
        off, nbr, eid, status = search.off, search.nbr, search.eid, search.status
        begin = self.begin[c]
        length = self.begin[c + 1] - begin
        shift = self._below(length)
        f = -1
        for j in range(length):
            v = self.seq[begin + (shift + j) % length]
            ties = 0
            for k in range(off[v], off[v + 1]):
                if status[eid[k]] == UNDECIDED and cycle[nbr[k]] != c:
                    ties += 1
                    if self._below(ties) == 0:
                        f = eid[k]
            if f >= 0:
                break
        if f < 0:
            return 0
        left = search.eu[f]
        right = search.ev[f]
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
            if head % _STRIDE == 0:
                self.watch()
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
                y = search.eu[e] + search.ev[e] - x
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

    def filter(self) -> int:
        """Delete edges that are in no 2-factor, and choose those that are in all.

        An edge of the cover lies in all 2-factors, and one outside in none, when its ends are in
        different strong components of the residual graph.

        Returns:
            How many edges were decided, -1 for a contradiction. Afterwards the cover has to be
            matched again.
        """
        search = self.search
        off, nbr, eid, status = search.off, search.nbr, search.eid, search.status
        n = self.n
        order, low, component, place, opened = (
            self.root,
            self.parent,
            self.union,
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
                if self.steps % (4 * _STRIDE) == 0:
                    self.watch()
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
        for e in _watched(range(self.m), self.watch):
            if status[e] == UNDECIDED and component[search.eu[e]] != component[search.ev[e]]:
                changes += 1
                if self.in_cover[e]:
                    if not search._choose(e):
                        search._forget()
                        self.ok = 0
                        return -1
                else:
                    search._delete(e)
        self.ok = search._propagate()
        search.ok = self.ok
        return changes if self.ok else -1

    def probe(self, e: int) -> int:
        """Whether choosing an undecided edge leads to a contradiction or leaves no 2-factor."""
        search = self.search
        mark = len(search.trail)
        self.nodes += 1
        refuted = 0
        if not search._choose(e):
            search._forget()
            refuted = 1
        elif not search._propagate():
            refuted = 1
        else:
            for k in range(self.m):
                self.saved[k] = self.in_cover[k]
            self.match()
            while self.augment():
                pass
            if self.deficit:
                refuted = 1
            for k in range(self.m):
                self.in_cover[k] = self.saved[k]
        search._undo(mark)
        return refuted

    def exclude(self, e: int) -> int:
        """Delete an edge at the root; 0 at a contradiction."""
        self.search._delete(e)
        self.ok = self.search._propagate()
        self.search.ok = self.ok
        return self.ok

    def exits(self, c: int) -> list[int]:
        """Return the undecided edges that leave a cycle."""
        search = self.search
        found: list[int] = []
        for k in range(self.begin[c], self.begin[c + 1]):
            v = self.seq[k]
            for j in range(search.off[v], search.off[v + 1]):
                if search.status[search.eid[j]] == UNDECIDED and self.cycle[search.nbr[j]] != c:
                    found.append(search.eid[j])
        return found

    def decided(self, e: int) -> int:
        """Return the status of an edge."""
        return self.search.status[e]

    # The answer

    def adopt(self) -> None:
        """Take the Hamiltonian cycle that the exact search has found as the cover."""
        for e in range(self.m):
            self.in_cover[e] = 1 if self.search.status[e] == CHOSEN else 0
        self.pairs()

    def walk(self, start: int) -> bytes:
        """Return the vertices of the cycle through a vertex, in order, native int32."""
        search = self.search
        out = array("i", [start])
        e = self.first[start]
        v = search.eu[e] + search.ev[e] - start
        while v != start:
            out.append(v)
            if len(out) % _STRIDE == 0:
                self.watch()
            e = self.second[v] if self.first[v] == e else self.first[v]
            v = search.eu[e] + search.ev[e] - v
        return out.tobytes()


class Walks:
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

    def __init__(self, graph: MoveGraph, start: int, end: int, closed: bool, prune: bool) -> None:
        n = graph.n
        self.graph = graph
        self.n = n
        self.start = start
        self.end = end
        self.closed = closed
        # On a directed board the squares left without a way out are not those without a way in.
        self.prune = prune and not graph.directed
        #: squares with a single neighbour that may be left: one where the end is free
        self.allowed = 0 if closed or end >= 0 else 1
        self.near = [graph.neighbours(v) for v in range(n)]
        self.mask = [sum(1 << w for w in near) for near in self.near]
        planes = [0, 0, 0, 0]
        for v, near in enumerate(self.near):
            for i in range(4):
                planes[i] |= (len(near) >> i & 1) << v
        self.done = False
        self.nodes = 1
        #: a tour has been reported and has to be left first
        self.at_tour = False
        self.path = [start]
        #: for every square on the path: the free squares, the planes, what is left to try, and how
        #: far the list of neighbours has been read
        self.free = [(1 << n) - 1 & ~(1 << start)]
        self.planes = [planes]
        self.left = [0]
        self.place = [0]
        self._look()

    def _look(self) -> None:
        """Work out where the walker can go from the last square of the path."""
        here = self.path[-1]
        free = self.free[-1]
        left = self.mask[here] & free
        if self.end >= 0 and len(self.path) < self.n - 1:
            left &= ~(1 << self.end)
        if self.prune and left:
            planes = self.planes[-1]
            if not (self.closed and here == self.start):
                borrow = self.mask[here] & free
                for i in range(4):
                    old = planes[i]
                    planes[i] ^= borrow
                    borrow &= ~old
            low = free & ~(planes[1] | planes[2] | planes[3])
            none = low & ~planes[0]
            if self.end >= 0:
                low &= ~(1 << self.end)
            count = low.bit_count() - self.allowed
            if count > 1 or none.bit_count() > 1:
                left = 0
            else:
                if count == 1:
                    left &= low
                if none:
                    left &= none
        self.left[-1] = left

    def _advance(self, budget: int) -> int:
        """Walk on to the next tour: FOUND, EXHAUSTED, or PAUSED after `budget` squares."""
        path, place, left = self.path, self.place, self.left
        while True:
            here = path[-1]
            if self.at_tour:
                self.at_tour = False
            elif len(path) == self.n:
                closes = not self.closed or self.start in self.near[here]
                if closes and self.end in (-1, here):
                    self.at_tour = True
                    return FOUND
            if left[-1]:
                if budget <= 0:
                    return PAUSED
                budget -= 1
                self.nodes += 1
                near = self.near[here]
                k = place[-1]
                while not left[-1] >> near[k] & 1:
                    k += 1
                place[-1] = k + 1
                there = near[k]
                left[-1] ^= 1 << there
                path.append(there)
                place.append(0)
                left.append(0)
                self.free.append(self.free[-1] & ~(1 << there))
                self.planes.append(self.planes[-1].copy())
                self._look()
            elif len(path) == 1:
                self.done = True
                return EXHAUSTED
            else:
                for stack in (path, place, left, self.free, self.planes):
                    stack.pop()

    def take(self, count: int, budget: int) -> bytes:
        """Return the next tours as flat indices, native int32, one after the other.

        Args:
            count: most tours to return.
            budget: most squares to place; then `done` tells whether there can be more.
        """
        out = array("i")
        square = self.graph.square
        found = 0
        stop = self.nodes + budget
        while found < count and not self.done:
            if self._advance(max(0, stop - self.nodes)) != FOUND:
                break
            out.extend(square[v] for v in self.path)
            found += 1
        return out.tobytes()

    def skip(self, count: int, budget: int) -> int:
        """Pass over the next tours without building them; return how many it were."""
        found = 0
        stop = self.nodes + budget
        while found < count and not self.done:
            if self._advance(max(0, stop - self.nodes)) != FOUND:
                break
            found += 1
        return found


def first_fault_shape(
    rows: int,
    cols: int,
    cells: bytes | None,
    moves: bytes,
    wrap_rows: bool,
    wrap_cols: bool,
    blockers: bytes | None,
    order: bytes,
    watch: Callable[[], None] = _unwatched,
) -> int:
    """Return -1 when `order` is a tour of the board, else the index of the first fault.

    Args: as for `MoveGraph`, with which this checker shares nothing, and the flat indices of the
    squares in the order of visit, native int32. A missing square shows as the index ``len(order)``.
    """
    total = rows * cols
    seen = bytearray(total)
    steps = memoryview(moves).cast("i").tolist()
    pairs = list(zip(steps[::2], steps[1::2], strict=True))
    squares = memoryview(order).cast("i")
    last_row = last_col = 0
    for k, square in _watched(enumerate(squares), watch):
        if not 0 <= square < total or seen[square] or (cells is not None and not cells[square]):
            return k
        seen[square] = 1
        row, col = divmod(square, cols)
        if k:
            legal = False
            for drow, dcol in pairs:
                rise, run = last_row + drow - row, last_col + dcol - col
                if rise and not (wrap_rows and rise % rows == 0):
                    continue
                if run and not (wrap_cols and run % cols == 0):
                    continue
                if blockers is not None:
                    half_row = (abs(drow) // 2) * (1 if drow > 0 else -1)
                    half_col = (abs(dcol) // 2) * (1 if dcol > 0 else -1)
                    if blockers[(last_row + half_row) * cols + last_col + half_col]:
                        continue
                legal = True
                break
            if not legal:
                return k
        last_row, last_col = row, col
    squares_needed = total if cells is None else cells.count(1)
    return -1 if len(squares) == squares_needed else len(squares)
