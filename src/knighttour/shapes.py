"""Tours of boards of any shape: holes, leapers, cylinders and tori, xiangqi positions, puzzles.

What it does. `find` answers for every board that is not a plain rectangle: with a checked tour,
with a proof that there is none (`NoTourError`, a named reason and the squares that show it), or by
giving up within a limit (`SearchLimitError`); never with one for the other. `complete` fills in a
partial numbering, `tours` lists all tours, `random_tour` makes irregular-looking ones.

Method. First the cheap proofs on the board itself: parts, colours, dead ends. Then one question
about a graph with forced edges (see `_shapes_py`): a small one is searched exactly; in a larger one
a 2-factor is matched, its cycles are merged along alternating 4-cycles, stuck ones are repaired in
small windows that are solved exactly, or opened by a longer alternating cycle (a kick). When that
stalls, proofs are tried: edges that no 2-factor has, windows without a solution, a loop none of
whose exits can be used. A partial numbering is searched exactly, by what can lie at each step
between two known numbers. Sources in `_shapes_py`.

Known answers: 3x3 without its centre has a tour; (1, 3)-leapers never have one; every torus has
a closed one (Watkins and Hoenigman 1997). Cost: about 0.05 ms for 8x8, 5 ms for 100x100, 0.2 to
2 s for 500x500, compiled. The problem is NP-complete: some boards stay undecided.
"""

from __future__ import annotations

import contextlib
import math
import operator
import secrets
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, overload

from ._engine import Engine, get_engine
from .answer import Stats, Tour, path_of
from .board import _AFFINE, Board, BoardLike, Shape, SquareLike, as_board
from .errors import InvalidInputError, KnightTourError, NoTourError, SearchLimitError, Square
from .existence import exhaustive, why_not
from .limits import UNLIMITED, Limits, check_seed
from .randomness import splitmix64
from .sampling import uniform_tour
from .strategies import Strategy, as_strategy

if TYPE_CHECKING:
    import numpy

__all__ = ["Completion", "Tours", "complete", "find", "random_tour", "tours"]

_CLOSED, _ENDS, _START, _OPEN = range(4)

_ELEMENTARY = "elementary; computed on the board itself"
_SEARCH = "exhaustive search of the board by this package"
_KOENIG = "no 2-factor: Koenig's theorem on bipartite matching; computed on the board itself"

#: Windows are tried in these sizes, in vertices; a split board has two for every square.
_WINDOWS = (36, 60, 100)
_WINDOW_NODES = 1500

#: Without a limit of the caller a search gives up after so many attempts, or seconds.
_ATTEMPTS = 8
_SECONDS = 20.0
#: On large boards it may search a second for every so many squares.
_PER_SECOND = 10_000

#: Squares listed with a reason.
_MOST = 12


class _Clock:
    """The caller's limits, looked at between two pieces of work."""

    def __init__(self, limits: Limits, began: float, squares: int = 0) -> None:
        self.limits = limits
        self.began = began
        limited = limits.max_nodes >= 0 or limits.timeout is not None
        self.deadline = (
            limits.deadline if limited else monotonic() + max(_SECONDS, squares / _PER_SECOND)
        )
        self.attempts = math.inf if limited else _ATTEMPTS
        self.limited = limited
        self.nodes = 0

    def check(self) -> None:
        """Give up when a limit is reached."""
        if 0 <= self.limits.max_nodes <= self.nodes or monotonic() >= self.deadline:
            raise _GaveUpError

    def look(self) -> None:
        """Give up when the time is over, in the middle of a piece of work; the engine calls it."""
        if monotonic() >= self.deadline:
            raise _GaveUpError

    def left(self, most: int) -> int:
        """Return how many nodes the next piece of work may take."""
        if self.limits.max_nodes < 0:
            return most
        return max(0, min(most, self.limits.max_nodes - self.nodes))


class _GaveUpError(Exception):
    """A limit was reached; nothing is claimed."""


class _ImpossibleError(Exception):
    """There is no tour: the name of the rule, its sentence, its source and its squares."""

    def __init__(
        self, reason: str, sentence: str, vertices: Iterable[int] = (), source: str = _ELEMENTARY
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sentence = sentence
        self.vertices = list(vertices)
        self.source = source


class _Question(NamedTuple):
    """What is asked, in vertices of the graph; -1 for an end that is free."""

    engine: Engine
    board: Board
    graph: Any
    closed: bool
    start: int
    end: int
    #: what `graph.explore` tells: parts, a vertex of the second one, and the colours
    parts: int
    second: int
    bipartite: bool
    counts: tuple[int, int]
    #: whether some moves go one way only
    directed: bool

    def name(self, vertex: int) -> str:
        """Name a vertex for the text of a proof."""
        return self.board.name(self.square(vertex))

    def square(self, vertex: int) -> Square:
        """Return the square of a vertex."""
        data = self.graph.squares(array("i", [vertex]).tobytes())
        return divmod(memoryview(data).cast("i")[0], self.board.cols)


def _arguments(board: Board) -> tuple[Any, ...]:
    """Return what the engine wants to know of a board."""
    shape = board._shape or Shape(board.rows, board.cols)
    moves = array("i", [step for move in shape.moves for step in move]).tobytes()
    return board.rows, board.cols, shape.cells, moves, *shape.wraps, shape.blockers


def _unwatched() -> None:
    """Stand in for a clock where there is no limit: to be called is enough to hear Ctrl-C."""


def graph_of(engine: Engine, board: Board, watch: Callable[[], None] = _unwatched) -> Any:
    """Return the move graph of a board on an engine; `watch` is called every few milliseconds."""
    if board.rows * board.cols >= 2**27:
        raise SearchLimitError(
            f"gave up: {board} has {board.rows * board.cols} cells, more than a search can hold"
        )
    try:
        return engine.shapes.MoveGraph(*_arguments(board), watch)
    except MemoryError:
        raise SearchLimitError(f"gave up: no memory for the graph of {board}") from None


def _ask(
    engine: Engine,
    board: Board,
    start: Square | None,
    end: Square | None,
    closed: bool,
    watch: Callable[[], None] = _unwatched,
) -> _Question:
    graph = graph_of(engine, board, watch)
    parts, bipartite, white, black, second = graph.explore()
    cols = board.cols
    first = -1 if start is None else graph.vertex(start[0] * cols + start[1])
    last = -1 if end is None else graph.vertex(end[0] * cols + end[1])
    directed = board.is_directed and not graph.is_symmetric()
    colours = (white, black)
    return _Question(
        engine, board, graph, closed, first, last, parts, second, bipartite == 1, colours, directed
    )


# Proofs on the board itself, the cheapest first


def _prove(q: _Question) -> None:
    """Raise `_ImpossibleError` when one of the cheap proofs applies."""
    graph = q.graph
    low = graph.low_degrees(1, 64)
    for v in low:
        if graph.degree(v, True) == 0 and graph.degree(v, False) == 0:
            raise _ImpossibleError(
                "isolated-square", f"No move leads to {q.name(v)} or away from it.", [v]
            )
    a, b = q.board.leaper
    if q.parts > 1 and q.board.wrap is None and (a + b) % 2 == 0:
        (row, col), (other_row, other_col) = q.square(0), q.square(q.second)
        if (row + col + other_row + other_col) % 2:
            raise _ImpossibleError(
                "leaper-keeps-its-colour",
                f"A ({a},{b})-leaper never changes the colour of its square, so it never comes "
                f"from {q.name(0)} to {q.name(q.second)}.",
                [0, q.second],
                "D. E. Knuth, Leaper graphs, Mathematical Gazette 78 (1994) 274-297",
            )
    if q.parts > 1:
        raise _ImpossibleError(
            "disconnected",
            f"No way leads from {q.name(0)} to {q.name(q.second)}: the board falls into {q.parts} "
            "parts.",
            [0, q.second],
        )
    if q.directed:
        _prove_directed(q, low)
    if q.bipartite:
        _prove_colours(q)
    if not q.directed:
        _prove_degrees(q, low)
        _prove_cuts(q)


def _prove_colours(q: _Question) -> None:
    white, black = q.counts
    colour = q.graph.colour_of
    if q.closed and white != black:
        raise _ImpossibleError(
            "colour-counts",
            f"Every move changes the colour, so a closed tour visits as many squares of one colour "
            f"as of the other; the board has {white} and {black}.",
        )
    if abs(white - black) > 1:
        raise _ImpossibleError(
            "colour-counts",
            "Every move changes the colour, so a tour visits at most one square more of one "
            f"colour than of the other; the board has {white} and {black}.",
        )
    if q.closed:
        return
    if white != black:
        major = 0 if white > black else 1
        for v in (q.start, q.end):
            if v >= 0 and colour(v) != major:
                raise _ImpossibleError(
                    "end-on-wrong-colour",
                    f"Every move changes the colour, and there are {max(white, black)} squares of "
                    f"one colour and {min(white, black)} of the other, so a tour starts and ends "
                    f"on the first; {q.name(v)} has the other.",
                    [v],
                )
    elif q.start >= 0 and q.end >= 0 and colour(q.start) == colour(q.end):
        raise _ImpossibleError(
            "ends-on-the-same-colour",
            f"Every move changes the colour and there are as many squares of one as of the other, "
            f"so the ends of a tour differ in colour; {q.name(q.start)} and {q.name(q.end)} do "
            "not.",
            [q.start, q.end],
        )


def _prove_degrees(q: _Question, low: list[int]) -> None:
    if not low:
        return
    if q.closed:
        raise _ImpossibleError(
            "degree-1-square",
            f"Only one move leads to {q.name(low[0])}, and a closed tour needs two.",
            low[:1],
        )
    ends = {v for v in (q.start, q.end) if v >= 0}
    forced = [v for v in low if v not in ends]
    if len(forced) > 2 - len(ends):
        names = ", ".join(q.name(v) for v in forced[:_MOST])
        given = "" if not ends else f" besides {' and '.join(q.name(v) for v in sorted(ends))}"
        raise _ImpossibleError(
            "too-many-ends-forced",
            f"A square with a single move can only be an end of the tour, and there are too many "
            f"of them{given}: {names}.",
            forced[:_MOST],
        )


def _prove_cuts(q: _Question) -> None:
    if q.graph.n < 3:
        return
    worst, parts, first = q.graph.articulations()
    if q.closed and first >= 0:
        raise _ImpossibleError(
            "articulation-square",
            f"Without {q.name(first)} the board falls apart, and a closed tour would have to visit "
            f"it once for each part.",
            [first],
        )
    if not q.closed and parts > 2:
        raise _ImpossibleError(
            "square-separating-three-parts",
            f"Without {q.name(worst)} the board falls into {parts} parts, and a tour can join only "
            f"two of them through that square.",
            [worst],
        )
    if q.closed or first < 0:
        return
    for v in (q.start, q.end):
        if v >= 0 and q.graph.parts_without(v) > 1:
            raise _ImpossibleError(
                "end-square-separates-the-board",
                f"Without {q.name(v)} the board falls apart, so a tour cannot start or end there.",
                [v],
            )


def _prove_directed(q: _Question, low: list[int]) -> None:
    graph = q.graph
    no_way_out = [v for v in low if graph.degree(v, True) == 0]
    no_way_in = [v for v in low if graph.degree(v, False) == 0]
    for dead, given, how, which in (
        (no_way_out, q.end, "No move leads away from", "last"),
        (no_way_in, q.start, "No move leads to", "first"),
    ):
        allowed = 0 if q.closed else 1
        if len(dead) > allowed or (dead and given >= 0 and dead[0] != given and not q.closed):
            raise _ImpossibleError(
                "dead-end-square",
                f"{how} {' or '.join(q.name(v) for v in dead[:_MOST])}"
                + (
                    "."
                    if q.closed
                    else f", and only the {which} square of a tour can be like that."
                ),
                dead[:_MOST],
            )
    count, one, other = graph.strong()
    if q.closed and count > 1:
        one, other = _no_way(graph)
        raise _ImpossibleError(
            "not-strongly-connected",
            f"The pieces make some moves one-way: no way leads from {q.name(one)} to "
            f"{q.name(other)}, so no closed tour passes through both.",
            [one, other],
        )
    if not q.closed and one >= 0:
        raise _ImpossibleError(
            "strong-components-not-in-a-line",
            f"The pieces make some moves one-way, and the parts of {q.name(one)} and "
            f"{q.name(other)} do not follow each other, so no tour passes through all parts.",
            [one, other],
        )


def _no_way(graph: Any) -> tuple[int, int]:
    """Return two vertices of a graph that is not strongly connected, no way from one to the other.

    Either vertex 0 does not lead everywhere, or not every vertex leads to it.
    """
    there = [graph.neighbours(v) for v in range(graph.n)]
    back: list[list[int]] = [[] for _ in there]
    for v, near in enumerate(there):
        for w in near:
            back[w].append(v)
    for steps, forwards in ((there, True), (back, False)):
        reached = {0}
        ahead = [0]
        while ahead:
            for w in steps[ahead.pop()]:
                if w not in reached:
                    reached.add(w)
                    ahead.append(w)
        for v in range(graph.n):
            if v not in reached:
                return (0, v) if forwards else (v, 0)
    raise AssertionError("the graph is strongly connected")


# The search


class _Solver:
    """One question brought to an answer."""

    #: up to so many squares a board is searched exactly first, and up to so many at all
    small = 160
    middle = 500
    large = 3000

    def __init__(self, q: _Question, seed: int, clock: _Clock) -> None:
        self.q = q
        self.seed = seed
        self.clock = clock
        self.method = ""
        self.counted = 0
        #: the move that closes the tour, where both ends are given
        self.closing: tuple[int, int] | None = None
        #: moves that a tour must, or must not, make
        self.required: list[tuple[int, int]] = []
        self.forbidden: list[tuple[int, int]] = []

    # Setting up

    def kind(self) -> int:
        """Return the kind of question as the engine numbers them."""
        if self.q.closed:
            return _CLOSED
        if self.q.start >= 0 and self.q.end >= 0:
            return _ENDS
        return _START if self.q.start >= 0 or self.q.end >= 0 else _OPEN

    def build(self, split: bool, times: list[int] | None = None) -> Any:
        """Return the engine's graph H for the question, all that is forced at its root settled."""
        q = self.q
        start, end = q.start, q.end
        if not split and not q.closed and start < 0 <= end:
            start, end = end, start  # without directions a tour can be walked from either end
        factor = q.engine.shapes.TwoFactor(
            q.graph, split, self.kind(), start, end, self.seed, times
        )
        if not factor.ok:
            self.contradiction(factor)
        if self.closing is not None and factor.settle(*self.closing, 1) == 0:
            self.contradiction(factor)
        for u, w in self.forbidden:
            # Split in two, a board whose moves go both ways has two edges for each.
            for one, other in ((u, w), (w, u)) if split and not q.directed else ((u, w),):
                if factor.settle(one, other, 0) == 0:
                    self.contradiction(factor)
        for u, w in self.required:
            if factor.settle(u, w, 1) <= 0:
                self.contradiction(factor)
        return factor

    def contradiction(self, factor: Any) -> NoReturn:
        """Say that the forced moves contradict each other."""
        squares = factor.forced_squares(_MOST)
        where = f" (at {self.q.name(squares[0])})" if squares else ""
        raise _ImpossibleError(
            "forced-moves-contradict",
            "Squares with no more than two moves left force these moves, and the moves so forced "
            f"leave a square with too few, give one too many, or close a loop too early{where}.",
            squares,
        )

    # The pieces of the pipeline

    def exact(self, factor: Any, limits: Iterable[int]) -> bool:
        """Search exactly, restarted after each limit; True when a tour is found."""
        search = factor.search
        for limit in limits:
            search.restart(1)
            left = limit
            while left > 0:
                piece = self.clock.left(min(left, 256))
                before = search.nodes
                status = search.run(piece)
                self.clock.nodes += search.nodes - before
                left -= 256
                if status == 1:
                    factor.adopt()
                    self.method = "exact search"
                    return True
                if status == 2:
                    raise _ImpossibleError(
                        "exhausted-search",
                        f"All possibilities were tried ({self.clock.nodes} decisions), and none "
                        "leads to a tour.",
                        source=_SEARCH,
                    )
                self.clock.check()
        search.restart(1)
        return False

    def count_nodes(self, factor: Any) -> None:
        """Add what windows and probes have cost."""
        self.clock.nodes += factor.nodes - self.counted
        self.counted = factor.nodes

    def augment(self, factor: Any) -> None:
        """Complete the cover, or prove that there is none."""
        while True:
            flips = factor.augment()
            if factor.deficit == 0:
                return
            if flips == 0:
                squares = factor.tight(_MOST)
                raise _ImpossibleError(
                    "no-2-factor",
                    "Every square inside a tour needs a way in and a way out of its own; a set of "
                    f"squares{self.around(squares)} has too few neighbours for that.",
                    squares,
                    _KOENIG,
                )
            self.clock.check()

    def around(self, squares: list[int]) -> str:
        """Name the first squares of a proof."""
        if not squares:
            return ""
        return (
            f" ({', '.join(self.q.name(v) for v in squares[:6])}{', ...' if squares[6:] else ''})"
        )

    def merge(self, factor: Any) -> int:
        """Merge cycles along alternating 4-cycles while that helps; return how many are left."""
        cycles: int = factor.label()
        while cycles > 1:
            self.clock.check()
            if not factor.merge():
                break
            cycles = factor.label()
        return cycles

    def repair(self, factor: Any, sizes: Iterable[int]) -> bool:
        """Try windows around all cycles but the longest; True when one has helped."""
        helped = False
        for size in sizes:
            cycle = 0
            longest = factor.extremes()[0]
            while cycle < factor.cycles and factor.cycles > 1:
                if cycle != longest:
                    self.clock.check()
                    joined = factor.window(cycle, size, self.clock.left(_WINDOW_NODES))
                    self.count_nodes(factor)
                    if joined:
                        helped = True
                        factor.label()
                        longest = factor.extremes()[0]
                        continue
                cycle += 1
        return helped

    def obstruct(self, factor: Any, sizes: Iterable[int]) -> None:
        """Try to prove around the shortest cycle that there is no tour."""
        cycle = factor.extremes()[1]
        for size in sizes:
            self.clock.check()
            found = factor.obstruction(cycle, size, self.clock.left(2 * _WINDOW_NODES))
            self.count_nodes(factor)
            if found:
                squares = factor.window_squares(found)
                raise _ImpossibleError(
                    "local-obstruction",
                    f"However a tour comes and goes, it cannot pass through these {len(squares)} "
                    "squares once each without closing a loop: all ways were tried.",
                    squares,
                    _SEARCH,
                )

    def probe(self, factor: Any) -> None:
        """Try every way out of the shortest cycle; delete those that cannot be used."""
        cycle = factor.extremes()[1]
        squares = factor.squares_of(cycle, 1000)
        exits = factor.exits(cycle)
        useful = 0
        for e in exits:
            if factor.decided(e):
                continue
            self.clock.check()
            if not factor.probe(e):
                useful += 1
                if useful > 3:
                    break
            elif not factor.exclude(e):
                self.stuck_loop(squares)
        self.count_nodes(factor)
        if useful == 0 and not any(factor.decided(e) == 2 for e in exits):
            self.stuck_loop(squares)

    def stuck_loop(self, squares: list[int]) -> NoReturn:
        """Say that a loop has no way out."""
        raise _ImpossibleError(
            "short-loop-cannot-be-opened",
            f"Each move that leaves this loop of {len(squares)} squares was tried, and each one "
            "leads to a contradiction.",
            squares,
            _KOENIG,
        )

    def cover_again(self, factor: Any) -> int:
        """Match anew after something has been proved at the root."""
        factor.match()
        self.augment(factor)
        factor.pairs()
        return self.merge(factor)

    # The pipeline

    def solve(self, mixing: int = 0) -> Any:
        """Return the engine's object with a cover of one cycle.

        Args:
            mixing: random flips of alternating 4-cycles before the cycles are merged, for every
                vertex; 0 for none. With them nothing is searched exactly first.
        """
        q = self.q
        directed = q.directed
        even = directed or q.bipartite
        size = q.graph.n
        undirected = None if directed else self.build(False)
        if undirected is not None and not even and self.required:
            # Split in two, the directions of the required moves would have to be known.
            limit = 5000
            while not self.exact(undirected, [limit]):
                limit *= 2
            return undirected
        factor = undirected if even and undirected is not None else self.build(True)
        exact = undirected or factor
        scale = 1 if factor is undirected else 2
        sizes = [scale * window for window in _WINDOWS]
        stalls = 0
        tried = size <= self.small
        if tried and not mixing:
            # Most small boards fall at once; before a longer search it pays to count and match.
            if self.exact(exact, [500]):
                return exact
            factor.cover()
            self.augment(factor)
            if factor.filter() < 0:
                self.contradiction(factor)
            if self.exact(exact, [5000, 7500, 7500]):
                return exact
        while True:
            self.clock.check()
            factor.cover()
            self.augment(factor)
            factor.pairs()
            if mixing:
                for _ in range(mixing):
                    factor.mix(factor.n)
                    self.clock.check()
                if size <= _CHANCE_SQUARES:
                    # Merging prefers some tours to others: better if chance alone leads to one.
                    for _ in range(_CHANCES):
                        if factor.label() == 1:
                            break
                        factor.mix(factor.n)
                        self.clock.check()
            cycles = self.merge(factor)
            kicks = 40 << min(stalls, 10)
            while cycles > 1 and kicks > 0:
                if self.repair(factor, sizes):
                    cycles = self.merge(factor)
                    continue
                if not tried and size <= self.middle:
                    tried = True
                    if self.exact(exact, [2000]):
                        return exact
                kicks -= 1
                cycle = self.stuck_cycle(factor, kicks)
                if not factor.kick(cycle):
                    break
                cycles = self.merge(factor)
            if cycles == 1:
                self.method = "2-factor"
                return factor
            stalls += 1
            if stalls == 1:
                changes = factor.filter()
                if changes < 0:
                    self.contradiction(factor)
                if changes:
                    cycles = self.cover_again(factor)
            if cycles > 1:
                self.obstruct(factor, sizes)
                self.probe(factor)
            limit = 30_000 if stalls < 4 else 200_000
            if size <= self.small:
                limit = 30_000 << min(2 * stalls, 20)  # in the end everything is tried
            if size <= self.large and self.exact(exact, [limit]):
                return exact
            if stalls >= self.clock.attempts:
                raise _GaveUpError

    def stuck_cycle(self, factor: Any, turn: int) -> int:
        """Return the cycle to kick next: all but the longest take turns."""
        longest = factor.extremes()[0]
        cycle: int = turn % (factor.cycles - 1)
        return cycle if cycle < longest else cycle + 1

    # Reading the answer

    def order(self, factor: Any, first: int) -> array[int]:
        """Return the vertices of the tour, from `first` where it is closed."""
        q = self.q
        n = q.graph.n
        if factor.split:
            there = 2 * (n if not q.closed else max(first, 0)) + 1
            ring = array("i", factor.walk(there))
            if ring[1] != there - 1:  # from in(v) the tour goes on to out(v)
                ring = ring[:1] + ring[:0:-1]
            squares = array("i")
            for k in range(0, len(ring), _SLICE):
                squares.extend([v >> 1 for v in ring[k : k + _SLICE : 2]])
                self.clock.look()
            return squares if q.closed else squares[1:]
        if q.closed:
            return array("i", factor.walk(max(first, 0)))
        start, end = q.start, q.end
        if start >= 0 and end >= 0:
            ring = array("i", factor.walk(start))
            return ring if ring[-1] == end else ring[:1] + ring[:0:-1]
        ring = array("i", factor.walk(n))
        if ring[1] == n + 1:
            return ring[2:]
        squares = ring[1:] if ring[-1] != n + 1 else ring[1:-1]
        if (start >= 0 and squares[0] != start) or (end >= 0 and squares[-1] != end):
            squares = squares[::-1]
        return squares


def find(
    engine: Engine,
    board: Board,
    start: Square | None = None,
    end: Square | None = None,
    *,
    closed: bool = False,
    seed: int = 0,
    limits: Limits = UNLIMITED,
    began: float | None = None,
    mixing: int = 0,
    required: Iterable[tuple[Square, Square]] = (),
    forbidden: Iterable[tuple[Square, Square]] = (),
) -> Tour:
    """Find a tour of a board of any shape; the arguments are checked ones of `tour`.

    An open tour without a given start may start anywhere; a closed one starts on the first square.

    Raises:
        NoTourError: proved, there is none.
        SearchLimitError: a limit was reached.
    """
    clock = _Clock(limits, perf_counter() if began is None else began, board.size)
    try:
        order, method = _order(
            engine, board, start, end, closed, seed, clock, mixing, list(required), list(forbidden)
        )
        stats = (method, clock.nodes, 0, perf_counter() - clock.began, seed)
        return _checked(engine, board, order, closed, stats, clock.look)
    except _ImpossibleError as none:
        raise _no_tour(board, none) from None
    except _GaveUpError:
        raise _gave_up(board, clock, seed) from None
    except MemoryError:
        raise SearchLimitError(f"gave up: no memory for a search on {board}") from None


def _no_tour(board: Board, none: _ImpossibleError) -> NoTourError:
    squares = []
    if none.vertices:
        indices = board.squares
        squares = [indices[v] for v in none.vertices]
    return NoTourError(none.sentence, reason=none.reason, source=none.source, squares=squares)


def _gave_up(board: Board, clock: _Clock, seed: int) -> SearchLimitError:
    if not clock.limited:
        own = max(_SECONDS, board.size / _PER_SECOND)
        limit = f"its own limit of {own:.0f} seconds; timeout= sets another"
    elif 0 <= clock.limits.max_nodes <= clock.nodes:
        limit = f"max_nodes={clock.limits.max_nodes}"
    else:
        limit = f"timeout={clock.limits.timeout} seconds"
    stats = Stats("shapes", clock.nodes, 0, perf_counter() - clock.began, seed)
    return SearchLimitError(
        f"gave up: {board} was searched for {stats.seconds:.3g} s with {stats.nodes} decisions "
        f"({limit}); nothing is proved",
        stats=stats,
    )


def _checked(
    engine: Engine,
    board: Board,
    order: bytes,
    closed: bool,
    stats: tuple[str, int, int, float, int],
    watch: Callable[[], None] = _unwatched,
) -> Tour:
    """Check a tour square by square and hand it out."""
    fault = engine.shapes.first_fault_shape(*_arguments(board), order, watch)
    if fault >= 0:
        raise KnightTourError(
            f"internal error: the search returned a tour of {board} with a fault at step {fault}"
        )
    found = Tour(board, path_of(board, order, engine), stats)
    if closed and not found.closed:
        raise KnightTourError(f"internal error: the search returned an open tour of {board}")
    return found


def _order(
    engine: Engine,
    board: Board,
    start: Square | None,
    end: Square | None,
    closed: bool,
    seed: int,
    clock: _Clock,
    mixing: int,
    required: list[tuple[Square, Square]],
    forbidden: list[tuple[Square, Square]],
) -> tuple[bytes, str]:
    """Return the flat indices of a tour and the name of the method that found it."""
    q, solver = _prepare(engine, board, start, end, closed, seed, clock, required, forbidden)
    n = q.graph.n
    if n <= 2:
        vertices = array("i", range(n))
        if n == 2 and (q.start == 1 or q.end == 0 or not q.graph.degree(0, True)):
            vertices.reverse()
        return q.graph.squares(vertices.tobytes()), "trivial"
    if closed and q.end >= 0 and q.start < 0:
        # Any closed tour will do: it is begun behind its end.
        solver.q = q._replace(end=-1)
        ring = solver.order(solver.solve(mixing), q.end)
        order = ring[1:] + ring[:1]
    else:
        order = solver.order(solver.solve(mixing), q.start)
        if closed and q.end >= 0 and order[-1] != q.end:
            order = order[:1] + order[:0:-1]
    return q.graph.squares(order.tobytes()), solver.method


def _prepare(
    engine: Engine,
    board: Board,
    start: Square | None,
    end: Square | None,
    closed: bool,
    seed: int,
    clock: _Clock,
    required: list[tuple[Square, Square]],
    forbidden: list[tuple[Square, Square]],
) -> tuple[_Question, _Solver]:
    """Go through everything that can be said without a search."""
    if board.size == 0:
        raise _ImpossibleError("empty-board", "A board without squares has no tour.")
    if closed and board.size == 1:
        raise _ImpossibleError("single-square", "A single square has no move to close a tour.", [0])
    if closed and board.size == 2:
        raise _ImpossibleError(
            "two-squares",
            "A closed tour returns by a move of its own, and between two squares there is one.",
            [0, 1],
        )
    q = _ask(engine, board, start, end, closed, clock.look)
    if q.start >= 0 and q.start == q.end and board.size > 1:
        raise _ImpossibleError(
            "start-is-end", "A tour of several squares does not end where it starts.", [q.start]
        )
    clock.check()
    if board.size > 1:
        _prove(q)
    clock.check()
    solver = _Solver(q, seed, clock)
    if closed and q.start >= 0 and q.end >= 0:
        if q.start not in q.graph.neighbours(q.end):
            raise _ImpossibleError(
                "end-not-next-to-start",
                f"The last square of a closed tour is one move from the first, and no move leads "
                f"from {q.name(q.end)} to {q.name(q.start)}.",
                [q.end, q.start],
            )
        solver.closing = (q.end, q.start)
    cols = board.cols
    for moves, kept in ((required, solver.required), (forbidden, solver.forbidden)):
        for one, other in moves:
            kept.append(
                (
                    q.graph.vertex(one[0] * cols + one[1]),
                    q.graph.vertex(other[0] * cols + other[1]),
                )
            )
    return q, solver


# Random tours


def random_tour(
    board: BoardLike = "xiangqi",
    *,
    closed: bool = False,
    seed: int | None = None,
    uniform: bool = False,
    timeout: float | None = None,
    memory_limit: int | None = None,
    backend: str | None = None,
) -> Tour:
    """Return an irregular-looking tour of any board.

    A random cover of the board by cycles is mixed by flipping alternating 4-cycles at random
    places, about ten for every square, and its cycles are merged into one tour; on up to 200
    squares the mixing goes on until chance itself leads to one cycle, as a rule, and a rectangle is
    turned or mirrored. An open tour is stirred further by reversing random tails. The result is
    *not* uniform, unless `uniform` asks for that: some tours come up more often than others, and
    nothing says that each one does. With `uniform` it is drawn as `sample` draws.

    Args:
        board: as in `tour`, up to about a million squares.
        closed: return to the start by a move. A closed tour starts on the first square.
        seed: a whole number from 0 to 2^64 - 1 makes it reproducible, on both engines; None takes
            fresh entropy, and `stats.seed` tells which.
        uniform: give every tour exactly the same probability. That takes counting them all, which
            only small boards allow: see `sample`.
        timeout: most seconds that it may take.
        memory_limit: with `uniform`, most bytes to take, None for what is free.
        backend: as in `tour`.

    Raises:
        InvalidInputError: something in the call cannot be used.
        NoTourError: proved, there is no tour.
        SearchLimitError: `timeout` ran out first, or `uniform` needs more memory.

    Cost: about 2 microseconds a square, compiled, on large boards 5; with `uniform` as `sample`.

    >>> t = random_tour("8x8", closed=True, seed=7)
    >>> len(t), t.closed, t == random_tour("8x8", closed=True, seed=7)
    (64, True, True)
    """
    began = perf_counter()
    _check_flag("uniform", uniform)
    if uniform:
        return uniform_tour(
            board,
            closed=closed,
            seed=seed,
            timeout=timeout,
            memory_limit=memory_limit,
            backend=backend,
        )
    if memory_limit is not None:
        raise InvalidInputError("memory_limit= is for uniform=True: nothing else counts all tours")
    place = as_board(board)
    engine = get_engine(backend)
    number = secrets.randbits(64) if seed is None else check_seed(seed)
    limits = Limits.of(None, timeout)
    _check_flag("closed", closed)
    if place.is_plain:
        reason = why_not(place.rows, place.cols, closed=closed, search=_unasked)
        if reason is not None:
            raise NoTourError(
                reason.sentence, reason=reason.rule, source=reason.source, squares=reason.squares
            )
    found = find(
        engine, place, closed=closed, seed=number, limits=limits, began=began, mixing=_MIXING
    )
    small = place.is_plain and 4 <= place.size <= _CHANCE_SQUARES
    if place.size < 4 or (closed and not small):
        return found
    graph = graph_of(engine, place)
    order = array("i", found.order())
    if small:
        order = _turn(place, order, number, closed)
    order = array("i", map(graph.vertex, order))
    if not closed and not place.is_directed:
        order = _flip_tails(graph, order, number)
    stats = found.stats
    return _checked(
        engine,
        place,
        graph.squares(order.tobytes()),
        closed,
        (stats.method, stats.nodes, 0, perf_counter() - began, number),
    )


def _turn(board: Board, order: array[int], seed: int, closed: bool) -> array[int]:
    """Return a random image of a tour under the symmetries of its rectangle, as flat indices."""
    rows, cols = board.shape
    images = [name for name in _AFFINE if rows == cols or not _AFFINE[name](rows, cols)[3]]
    value = splitmix64(seed ^ 0x5DEECE66D)[1]
    turn = value % (len(images) + 1)
    if turn:
        start, down, right, _ = _AFFINE[images[turn - 1]](rows, cols)
        order = array("i", (start + down * (k // cols) + right * (k % cols) for k in order))
    if value >> 63:
        order.reverse()
    if closed:
        first = order.index(0)
        order = order[first:] + order[:first]
    return order


def _unasked(rows: int, cols: int, start: int, end: int) -> bool:
    """Stand in for the exhaustive search of `why_not`, which only two given ends can ask for."""
    raise AssertionError(f"no ends were given, but {start} and {end} on {rows}x{cols} are asked")


#: On boards of up to so many squares the mixing goes on so many times until there is one cycle.
_CHANCE_SQUARES = 200
_CHANCES = 500

#: Random flips of alternating 4-cycles for every vertex, and reversals of a random tail, for
#: `random_tour`.
_MIXING = 10
_FLIPS = 40


def _flip_tails(graph: Any, order: array[int], seed: int) -> array[int]:
    """Reverse what follows a random neighbour of the end, again and again, at both ends."""
    state = seed
    for _ in range(_FLIPS):
        state, value = splitmix64(state)
        near = graph.neighbours(order[-1])
        cut = order.index(near[value % len(near)]) + 1
        order = order[:cut] + order[: cut - 1 : -1]
        if value >> 63:
            order.reverse()
    return order


def _check_flag(what: str, value: object) -> None:
    if value is not True and value is not False:
        raise InvalidInputError(f"{what}={value!r} is neither True nor False")


# All tours


class Tours(Iterator[Tour]):
    """All tours of a board, lazily, one after the other; see `tours`.

    Ctrl-C, a timeout or any other exception loses nothing: the next call goes on behind the last
    tour that was handed out, or passed over. `position` tells how many that are, and
    ``tours(...).skip(position)`` brings another process to the same place. One such iterator
    belongs to one thread at a time.

    >>> from knighttour import tours
    >>> sum(1 for _ in tours((0, 0), "5x5"))
    304
    """

    def __init__(
        self,
        engine: Engine,
        board: Board,
        make: Callable[[int], Any],
        starts: Sequence[int],
        allowed: Callable[[int], bool],
        method: str,
        timeout: float | None,
    ) -> None:
        self._engine = engine
        self._board = board
        #: how walks from a start are made, the starts, which are of use, and the next one
        self._make = make
        self._starts = starts
        self._allowed = allowed
        self._index = 0
        self._method = method
        self._timeout = timeout
        self._slice = _SLICE if engine.name == "core" else _SLICE >> 6
        #: the walks under way, their start, and how many tours they have found
        self._current: Any = None
        self._start = -1
        self._found = 0
        #: whether an exception has come out of the middle of them
        self._torn = False
        self._past = 0
        #: tours found and not yet asked for, the next one last, and what has just been found
        self._waiting: list[bytes] = []
        self._caught: list[Any] = []
        self._given = 0
        self._batch = 1
        self._began = perf_counter()

    @property
    def nodes(self) -> int:
        """Squares placed so far; tours are found a few ahead of being asked for."""
        return self._past + (0 if self._current is None else self._current.nodes)

    @property
    def position(self) -> int:
        """How many tours have been handed out or passed over so far.

        >>> found = tours("a5", "5x5")
        >>> first, passed = next(found), found.skip(10)
        >>> found.position
        11
        """
        return self._given + sum(data for data in self._caught if isinstance(data, int))

    def __iter__(self) -> Tours:
        return self

    def __next__(self) -> Tour:
        self._settle()
        if not self._waiting:
            self._refill()
        data = self._waiting[-1]
        stats = (self._method, self.nodes, 0, perf_counter() - self._began, 0)
        found = Tour(self._board, path_of(self._board, data, self._engine), stats)
        self._waiting.pop()
        self._given += 1
        return found

    def _walk(self) -> Any:
        """Return the walks that are not done yet, None when there are none."""
        if self._torn:
            self._mend()
        while self._current is None or self._current.done:
            if self._current is not None:
                self._past, self._current = self._past + self._current.nodes, None
            if self._index >= len(self._starts):
                return None
            start = self._starts[self._index]
            if not self._allowed(start):
                self._index += 1
                continue
            walk = self._make(start)
            # All at once: nothing can come in between, and no start is left out or walked twice.
            self._current, self._start, self._found = walk, start, 0
            self._index += 1
        return self._current

    def _mend(self) -> None:
        """Make the walks again whose work was torn in the middle, and go where they were."""
        walk = self._make(self._start)
        left = self._found
        while left > 0:
            left -= walk.skip(left, self._slice)
        self._current = walk
        self._torn = False

    def _step(self, call: str, count: int, began: float) -> None:
        """Walk on a little; what is found goes to `_caught`, whatever happens.

        A signal that comes meanwhile is heard as soon as the call returns, before a variable could
        be set; a list that is extended from within the interpreter has the answer by then.
        """
        walk = self._current
        before = len(self._caught)
        try:
            self._caught.extend(map(getattr(walk, call), (count,), (self._slice,)))
        finally:
            if len(self._caught) == before:
                self._torn = True  # it came from the middle of the walks, in pure Python
            else:
                data = self._caught[-1]
                size = 4 * self._board.size
                self._found += data if isinstance(data, int) else len(data) // size
        if self._timeout is not None and perf_counter() - began >= self._timeout:
            stats = Stats(self._method, self.nodes, 0, perf_counter() - self._began, 0)
            raise SearchLimitError(
                f"gave up: timeout={self._timeout} seconds passed without the next tours of "
                f"{self._board}; nothing is proved, and the next call goes on",
                stats=stats,
            )

    def _settle(self) -> None:
        """Put what a call that was broken off has found to the tours that wait."""
        if not self._caught:
            return
        size = 4 * self._board.size
        passed = sum(data for data in self._caught if isinstance(data, int))
        data = b"".join(data for data in self._caught if isinstance(data, bytes))
        found = [data[first : first + size] for first in range(0, len(data), size)]
        waiting = found[::-1] + self._waiting
        self._given, self._waiting, self._caught = self._given + passed, waiting, []

    def _refill(self) -> None:
        """Find the next tours, a few at first, checked square by square."""
        began = perf_counter()
        while self._walk() is not None:
            self._step("take", self._batch, began)
            self._settle()
            if self._waiting:
                arguments = _arguments(self._board)
                for order in self._waiting:
                    if self._engine.shapes.first_fault_shape(*arguments, order) >= 0:
                        raise KnightTourError("internal error: a walk that is no tour")
                self._batch = min(2 * self._batch, 1024)
                return
        raise StopIteration

    def to_array(self, n: int | None = None) -> numpy.ndarray[Any, Any]:
        """Take the next tours into one array; needs numpy.

        Args:
            n: most tours to take, None for all that are left.

        Returns:
            int32 of shape (tours, squares): flat indices ``row * cols + col`` in the order of
            visit.

        Raises:
            SearchLimitError: `timeout` ran out; the tours found are kept for the next call.

        >>> tours(board="3x4", start=(0, 0)).to_array().shape
        (2, 12)
        """
        try:
            import numpy
        except ImportError:
            raise ImportError("to_array() needs numpy: pip install knighttour[numpy]") from None
        began = perf_counter()
        self._settle()
        wanted = _count(n)
        left = wanted - len(self._waiting)
        while left > 0 and self._walk() is not None:
            self._step("take", min(left, _MOST_AT_ONCE), began)
            left -= len(self._caught[-1]) // (4 * self._board.size)
        kept = max(0, len(self._waiting) - wanted)
        data = b"".join([*self._waiting[kept:][::-1], *self._caught])
        flat = numpy.frombuffer(data, dtype=numpy.int32).reshape(-1, self._board.size)
        self._waiting, self._caught = self._waiting[:kept], []
        self._given += len(flat)
        return flat

    def skip(self, n: int | None = None) -> int:
        """Pass over the next tours without building them, and return how many it were.

        What has been passed over stays so if it is interrupted.

        Args:
            n: most tours to pass over, None for all that are left.

        Raises:
            SearchLimitError: `timeout` ran out; `position` tells how far it came.

        >>> tours(board="5x5").skip()
        1728
        """
        began = perf_counter()
        self._settle()
        left = _count(n)
        passed = min(left, len(self._waiting))
        del self._waiting[len(self._waiting) - passed :]
        self._given += passed
        left -= passed
        while left > 0 and self._walk() is not None:
            self._step("skip", left, began)
            found = self._caught[-1]
            self._settle()
            left -= found
            passed += found
        return passed


#: Squares placed between two looks at signals, and tours taken at once.
_SLICE = 1 << 18
_MOST_AT_ONCE = 1 << 20


def _count(n: int | None) -> int:
    if n is None:
        return 1 << 62
    try:
        if isinstance(n, bool):
            raise TypeError
        count = operator.index(n)
    except TypeError:
        count = -1
    if count < 0:
        raise InvalidInputError(f"n={n!r} is not a number of tours: use a whole number >= 0")
    return count


class _StrategyWalks:
    """All tours that a strategy finds, with the methods of the engine's `Walks`."""

    def __init__(self, engine: Engine, board: Board, start: Square, rule: Strategy) -> None:
        from .search import _new_search

        self._core = engine.core
        self._search = _new_search(engine, board, start, rule, 0)
        self.done = False

    @property
    def nodes(self) -> int:
        nodes: int = self._search.nodes
        return nodes

    def take(self, count: int, budget: int) -> bytes:
        pieces: list[bytes] = []
        self._each(count, budget, pieces)
        return b"".join(pieces)

    def skip(self, count: int, budget: int) -> int:
        return self._each(count, budget, None)

    def _each(self, count: int, budget: int, pieces: list[bytes] | None) -> int:
        found = 0
        while found < count and not self.done:
            status = self._search.step(budget)
            if status == self._core.FOUND:
                found += 1
                if pieces is not None:
                    pieces.append(self._search.path())
            elif status == self._core.PAUSED:
                break
            else:
                self.done = True
        return found


def tours(
    start: SquareLike | None = None,
    board: BoardLike = "xiangqi",
    *,
    end: SquareLike | None = None,
    closed: bool = False,
    strategy: Strategy | str | None = None,
    timeout: float | None = None,
    backend: str | None = None,
) -> Tours:
    """Iterate over all tours, lazily, in the order of plain backtracking.

    The order: from each start in turn, row by row; from every square the neighbours in the order of
    `Board.moves`. Walks that can be seen to lead nowhere are left early, which changes neither the
    tours nor their order.

    Args:
        start: the first square, None for each in turn.
        board: as in `tour`.
        end: the last square, None for any.
        closed: only tours whose end leads back to the start by a move. Without a start they begin
            on the first square of the board, so each cycle comes once in either direction.
        strategy: list them in the order of this search instead, without leaving anything early
            (a `Strategy` or its name; plain rectangles only, from `start` or else ``(0, 0)``).
        timeout: most seconds that one call (`next`, `to_array`, `skip`) may take.
        backend: as in `tour`.

    Returns:
        An iterator of `Tour`, with `to_array`, `skip`, `position` and `nodes`. It never claims that
        there is no tour by stopping early: it stops when everything has been tried.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: from the calls of the iterator, when `timeout` runs out; the next call
            goes on where it stopped.

    >>> found = list(tours((0, 0), "5x5"))
    >>> len(found), found[0].names()[:3]
    (304, ['a5', 'c4', 'e5'])
    """
    place = as_board(board)
    engine = get_engine(backend)
    first = None if start is None else place.check_square(start, "start")
    last = None if end is None else place.check_square(end, "end")
    _check_flag("closed", closed)
    wait = Limits.of(None, timeout).timeout
    if strategy is not None:
        if last is not None or closed or not place.is_plain:
            raise InvalidInputError(
                f"strategy={strategy!r} excludes end=, closed= and boards that are not plain "
                "rectangles; leave the strategy out"
            )
        rule = as_strategy(strategy)
        square = first or (0, 0)

        def make(_: int) -> Any:
            return _StrategyWalks(engine, place, square, rule)

        return Tours(engine, place, make, [0], _anything, rule.name, wait)
    return Tours(engine, place, *_walks(engine, place, first, last, closed), "backtracking", wait)


def _anything(_: int) -> bool:
    return True


def _walks(
    engine: Engine, board: Board, start: Square | None, end: Square | None, closed: bool
) -> tuple[Callable[[int], Any], Sequence[int], Callable[[int], bool]]:
    """Return how walks are made, the starts, and whether a tour may begin at one.

    On rectangles it is known whether there is any; elsewhere the colours may speak against it.
    """

    def nothing(_: int) -> Any:
        raise AssertionError("no walks are made")

    n = board.size
    if n == 0 or (closed and n <= 2):
        return nothing, (), _anything
    if start is not None and end is not None and n > 1:
        goes_back = not closed or start in board.neighbours(end)
        if start == end or not goes_back:
            return nothing, (), _anything
    search = exhaustive(engine)
    if board.is_plain and why_not(board.rows, board.cols, start, end, closed, search=search):
        return nothing, (), _anything
    graph = graph_of(engine, board)
    parts, bipartite, white, black, _ = graph.explore()
    if parts > 1 or (bipartite and abs(white - black) > (0 if closed else 1)):
        return nothing, (), _anything
    cols = board.cols
    last = -1 if end is None else graph.vertex(end[0] * cols + end[1])
    if start is not None:
        starts: Sequence[int] = [graph.vertex(start[0] * cols + start[1])]
    elif closed:
        starts = [0]
    else:
        starts = range(n)

    def allowed(v: int) -> bool:
        if board.is_plain:
            square = divmod(v, cols)
            return not why_not(board.rows, cols, square, end, closed, search=search)
        if not bipartite or closed:
            return True
        if white == black:
            return last < 0 or graph.colour_of(last) != graph.colour_of(v)
        major = 0 if white > black else 1
        return graph.colour_of(v) == major and (last < 0 or graph.colour_of(last) == major)

    def make(v: int) -> Any:
        return engine.shapes.Walks(graph, v, last, closed, True)

    return make, starts, allowed


# Partial numberings


class Completion(NamedTuple):
    """A partial numbering completed, and whether in one way only."""

    #: a completion
    tour: Tour
    #: whether there is no other
    unique: bool
    #: another one, where there is one
    second: Tour | None


@overload
def complete(
    grid: Iterable[Iterable[object]],
    board: BoardLike | None = None,
    *,
    closed: bool = False,
    unique: Literal[False] = False,
    required: Iterable[tuple[SquareLike, SquareLike]] = (),
    forbidden: Iterable[tuple[SquareLike, SquareLike]] = (),
    seed: int | None = None,
    max_nodes: int | None = None,
    timeout: float | None = None,
    backend: str | None = None,
) -> Tour: ...
@overload
def complete(
    grid: Iterable[Iterable[object]],
    board: BoardLike | None = None,
    *,
    closed: bool = False,
    unique: Literal[True],
    required: Iterable[tuple[SquareLike, SquareLike]] = (),
    forbidden: Iterable[tuple[SquareLike, SquareLike]] = (),
    seed: int | None = None,
    max_nodes: int | None = None,
    timeout: float | None = None,
    backend: str | None = None,
) -> Completion: ...
def complete(
    grid: Iterable[Iterable[object]],
    board: BoardLike | None = None,
    *,
    closed: bool = False,
    unique: bool = False,
    required: Iterable[tuple[SquareLike, SquareLike]] = (),
    forbidden: Iterable[tuple[SquareLike, SquareLike]] = (),
    seed: int | None = None,
    max_nodes: int | None = None,
    timeout: float | None = None,
    backend: str | None = None,
) -> Tour | Completion:
    """Complete a partial numbering of a board, as in a puzzle.

    Args:
        grid: rows of numbers from 1 on; 0 or None for unknown, ``"#"`` for a hole.
        board: the board, None for the rectangle of the grid less its holes.
        closed: the last square must lead back to the first by a move.
        unique: tell also whether there is only one completion.
        required: moves, as pairs of squares, that the tour must make. They and the forbidden ones
            count in both directions; where pieces make some move of the board one-way, only in the
            direction given.
        forbidden: moves that it must not make.
        seed, max_nodes, timeout, backend: as in `tour`.

    Returns:
        The tour; with `unique` a `Completion`: a tour, whether it is the only one, and a second
        one if not.

    Raises:
        InvalidInputError: a grid that is no partial numbering of the board.
        NoTourError: proved, there is no completion.
        SearchLimitError: a limit was reached. Many numbers on 400 squares or more can be hard.

    >>> complete([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 8]]).grid()
    [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]
    """
    began = perf_counter()
    engine = get_engine(backend)
    limits = Limits.of(max_nodes, timeout)
    number = 0 if seed is None else check_seed(seed)
    _check_flag("closed", closed)
    _check_flag("unique", unique)
    clock = _Clock(limits, began)
    try:
        place, clues = _read_puzzle(grid, board, clock.look)
    except _GaveUpError:
        spent = Stats("shapes", 0, 0, perf_counter() - began, number)
        raise SearchLimitError(
            f"gave up: timeout={timeout} seconds were over before the grid was read; nothing is "
            "proved",
            stats=spent,
        ) from None
    moves = [
        _read_moves(place, chosen, what)
        for chosen, what in (
            (required, "required"),
            (forbidden, "forbidden"),
        )
    ]
    try:
        orders, finished = _complete(engine, place, clues, closed, unique, number, clock, *moves)
    except _ImpossibleError as none:
        raise _no_tour(place, none) from None
    except _GaveUpError:
        raise _gave_up(place, clock, number) from None
    except MemoryError:
        raise SearchLimitError(f"gave up: no memory for a search on {place}") from None
    found = []
    for order in orders:
        cost = ("exact search with times", clock.nodes, 0, perf_counter() - began, number)
        found.append(_checked(engine, place, order, closed, cost))
        for step, square in clues.items():
            if found[-1][step - 1] != square:
                raise KnightTourError(f"internal error: {step} is not on {square}")
    if not unique:
        return found[0]
    return Completion(found[0], finished and len(found) == 1, found[1] if len(found) > 1 else None)


def _read_puzzle(
    grid: Iterable[Iterable[object]],
    board: BoardLike | None,
    watch: Callable[[], None] = _unwatched,
) -> tuple[Board, dict[int, Square]]:
    """Return the board of a puzzle, and which square each given number stands on."""
    try:
        rows = [list(row) for row in grid]
    except TypeError:
        raise InvalidInputError(
            "a puzzle is rows of numbers: a list of lists, or a two-dimensional array"
        ) from None
    if not rows or not rows[0]:
        raise InvalidInputError("a puzzle needs rows of one length, at least one number wide")
    for number, numbers in enumerate(rows):
        if len(numbers) != len(rows[0]):
            raise InvalidInputError(
                f"a puzzle needs rows of one length: row {number} has {len(numbers)} numbers, row "
                f"0 has {len(rows[0])}"
            )
    holes = [
        (row, col)
        for row, values in enumerate(rows)
        for col, value in enumerate(values)
        if isinstance(value, str) and value == "#"
    ]
    if board is None:
        place = Board(len(rows), len(rows[0]), holes=holes)
    else:
        place = as_board(board)
        if place.shape != (len(rows), len(rows[0])):
            raise InvalidInputError(
                f"the puzzle has {len(rows)}x{len(rows[0])} numbers, the board is {place}"
            )
        for hole in holes:
            if hole in place:
                raise InvalidInputError(f"{hole} is a hole of the puzzle, not of the board {place}")
    clues: dict[int, Square] = {}
    for row, values in enumerate(rows):
        watch()
        for col, value in enumerate(values):
            if value is None or (isinstance(value, str) and value == "#"):
                continue
            step = -1
            if not isinstance(value, (bool, float, str)):
                with contextlib.suppress(TypeError):
                    step = operator.index(value)  # type: ignore[arg-type]
            if not 0 <= step <= place.size:
                raise InvalidInputError(
                    f"{value!r} at {(row, col)} is not a number of the puzzle: use 1 to "
                    f"{place.size}, 0 or None for unknown, '#' for a hole"
                )
            if step == 0:
                continue
            if (row, col) not in place:
                raise InvalidInputError(f"{step} stands on {(row, col)}, a hole of {place}")
            if step in clues:
                raise InvalidInputError(f"{step} stands on {clues[step]} and on {(row, col)}")
            clues[step] = (row, col)
    return place, clues


def _read_moves(
    board: Board, moves: Iterable[tuple[SquareLike, SquareLike]], what: str
) -> list[tuple[Square, Square]]:
    """Return moves as pairs of squares, or say which one is none."""
    chosen = []
    for move in moves:
        try:
            one, other = move
        except (TypeError, ValueError):
            raise InvalidInputError(f"{what}: {move!r} is not a pair of squares") from None
        first, second = board.check_square(one, what), board.check_square(other, what)
        if not board.are_adjacent(first, second):
            raise InvalidInputError(f"{what}: no move leads from {first} to {second} on {board}")
        chosen.append((first, second))
    return chosen


def _complete(
    engine: Engine,
    board: Board,
    clues: dict[int, Square],
    closed: bool,
    unique: bool,
    seed: int,
    clock: _Clock,
    required: list[tuple[Square, Square]],
    forbidden: list[tuple[Square, Square]],
) -> tuple[list[bytes], bool]:
    """Return one completion, or with `unique` up to two; and whether everything was tried."""
    n = board.size
    start, end = clues.get(1), clues.get(n) if n > 1 else None
    if not unique and not set(clues) - {1, n}:
        order, _ = _order(engine, board, start, end, closed, seed, clock, 0, required, forbidden)
        if closed and start is None and end is None and clues:  # pragma: no cover
            raise AssertionError("a clue was lost")
        return [order], False
    q, solver = _prepare(engine, board, start, end, closed, seed, clock, required, forbidden)
    if n <= 2:
        order, _ = _order(engine, board, start, end, closed, seed, clock, 0, required, forbidden)
        other = memoryview(order).cast("i")[::-1].tobytes()
        return ([order] if clues or n == 1 or q.directed else [order, other]), True
    cols = board.cols
    times = {step: q.graph.vertex(row * cols + col) for step, (row, col) in clues.items()}
    _prove_clues(q, times)
    split = q.directed
    turned = not split and not closed and q.start < 0 <= q.end
    clue = [-1] * n
    for step, v in times.items():
        clue[v] = n + 1 - step if turned else step
    if not split and (closed or (q.start >= 0 and q.end >= 0)):
        clue = [step % n if step >= 0 else step for step in clue]
    factor = solver.build(split, clue if clues else None)
    found: dict[bytes, None] = {}
    search = factor.search
    # A plain run, which is fast and better with few clues, and one guided by the clues, in turn.
    for guided, limit in ((guided, limit) for limit in _restarts() for guided in (0, 1)):
        search.restart(1, guided)
        slice_ = max(1, (_GUIDED_SLICE if guided else _PLAIN_SLICE) // n)
        left = limit
        while left > 0:
            piece = clock.left(min(left, slice_))
            before = search.nodes
            status = search.run(piece)
            clock.nodes += search.nodes - before
            left -= max(1, search.nodes - before)
            if status == 1:
                for vertices in _readings(q, solver, factor, bool(clues), turned):
                    found[q.graph.squares(vertices.tobytes())] = None
                if len(found) > 1 or not unique:
                    return list(found), False
            elif status == 2:
                if found:
                    return list(found), True
                raise _ImpossibleError(
                    "exhausted-search",
                    f"All possibilities were tried ({clock.nodes} decisions), and none completes "
                    "the numbers.",
                    source=_SEARCH,
                )
            else:
                clock.check()
    raise AssertionError("restarts never end")


#: Decisions between two looks at the clock, times the squares of the board.
_PLAIN_SLICE = 50_000
_GUIDED_SLICE = 6_000


def _prove_clues(q: _Question, times: dict[int, int]) -> None:
    """Raise `_ImpossibleError` when two numbers cannot stand where they stand."""
    steps = sorted(times)
    colour = q.graph.colour_of
    for one, other in pairwise(steps):
        if other == one + 1 and times[other] not in q.graph.neighbours(times[one]):
            raise _ImpossibleError(
                "clues-not-adjacent",
                f"No move leads from {one} on {q.name(times[one])} to {other} on "
                f"{q.name(times[other])}.",
                [times[one], times[other]],
            )
        if q.bipartite and (other - one + colour(times[one]) + colour(times[other])) % 2:
            raise _ImpossibleError(
                "clue-on-the-wrong-colour",
                f"Every move changes the colour, so {one} and {other} stand on "
                f"{'different colours' if (other - one) % 2 else 'the same colour'}; "
                f"{q.name(times[one])} and {q.name(times[other])} do not.",
                [times[one], times[other]],
            )
    white, black = q.counts
    if q.bipartite and white != black and steps:
        major = 0 if white > black else 1
        if (steps[0] + 1 + colour(times[steps[0]]) + major) % 2:
            raise _ImpossibleError(
                "clue-on-the-wrong-colour",
                f"A tour starts on the colour that has more squares, so {steps[0]} cannot stand on "
                f"{q.name(times[steps[0]])}.",
                [times[steps[0]]],
            )


def _restarts() -> Iterator[int]:
    """Yield the limits of the runs: Luby's sequence, and now and then a long one."""
    k = 1
    long_run = 20_000
    while True:
        if k % 40 == 0:
            yield long_run
            long_run *= 4
        yield 400 * _luby(k)
        k += 1


def _luby(k: int) -> int:
    """Return the k-th number of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair, Zuckerman 1993).

    >>> [_luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while True:
        power = 1 << k.bit_length() - 1
        if k == 2 * power - 1:
            return power
        k -= power - 1


def _readings(
    q: _Question, solver: _Solver, factor: Any, timed: bool, turned: bool
) -> Iterator[array[int]]:
    """Yield the numberings that the cycle just found stands for, as vertices in order."""
    n = q.graph.n
    if not timed:
        factor.adopt()
        order = solver.order(factor, q.start)
        yield order
        if not q.directed:
            yield order[::-1]
        return
    u, v, early, late = factor.search.readings()
    factor.adopt()
    ring = array("i", factor.walk(u))
    if ring[1] == v:  # the path from u to v, not the edge that closes it
        ring = ring[:1] + ring[:0:-1]
    size = len(ring)
    # Times that descend along the ring ascend along it backwards, from the same vertex.
    for time, path in ((early, ring), (late, ring[:1] + ring[:0:-1])):
        if time < 0:
            continue
        first = (2 if factor.split else 1) - time
        turn = first % size
        order = path[turn:] + path[:turn]
        if factor.split:
            squares = array("i", [w >> 1 for w in order if w & 1 and w >> 1 < n])
        else:
            squares = array("i", [w for w in order if w < n])
        yield squares[::-1] if turned else squares
