"""The ported search in pure Python: the readable twin of the compiled `_core`.

What it computes: depth-first walks by a rule for the next move (`Strategy`). A walk stands on a
square, goes to the free neighbour with the fewest free neighbours of its own, and takes the last
square back when there is none. Known answer: on the xiangqi board `course` finds a tour from each
of the 90 points with 2859 backtracks in all.

Names, signatures and results (tours, nodes, backtracks, random choices) are those of `_core`; only
the data structures are Python's. Squares are flat indices ``row * cols + col``. Where the compiled
twin has a board with walls, here every square has a tuple of its neighbours, in the order in which
the strategy would take them among equals: its own order, that order reversed for the tie "last",
and the farthest from the centre first for "far". Then "the first with the fewest exits" is the
whole rule.

Invariant: exits[square] = (free neighbours of square) + VISITED * (square is on the path). Cost:
about half a microsecond a square.
"""

from __future__ import annotations

from array import array
from itertools import pairwise
from time import monotonic

from .randomness import splitmix64

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

NONE, STATIC, DYNAMIC = range(3)
FIRST, LAST, RANDOM, FAR = range(4)

VISITED = 128  # added to the exits of a square on the path
SLICE = 1 << 12  # operations between two looks at the clock: a few milliseconds


class WalledBoard:
    """A board with a strategy's moves and counts: the template of a search.

    Immutable after construction, so that any number of searches and threads may share it.

    Args:
        rows, cols: the size, at least 1 each, rows * cols < 2^31.
        order: the eight moves as sixteen signed bytes, drow and dcol in turn.
        degree: 0 none, 1 static, 2 dynamic.
        tie: 0 first, 1 last, 2 random, 3 far.
    """

    __slots__ = ("cols", "degree", "exits", "moves", "neighbours", "rows", "tie")

    def __init__(self, rows: int, cols: int, order: bytes, degree: int, tie: int) -> None:
        self.rows = rows
        self.cols = cols
        self.degree = degree
        self.tie = tie
        signed = memoryview(order).cast("b").tolist()
        self.moves = list(zip(signed[::2], signed[1::2], strict=True))
        preferred = self.moves[::-1] if tie == LAST else self.moves

        def nearness(square: int) -> int:
            row, col = divmod(square, cols)
            return -((2 * row - rows + 1) ** 2) - (2 * col - cols + 1) ** 2

        #: for every square its neighbours, those to be preferred among equals first
        self.neighbours: list[tuple[int, ...]] = []
        for row in range(rows):
            for col in range(cols):
                reached = [
                    (row + drow) * cols + col + dcol
                    for drow, dcol in preferred
                    if 0 <= row + drow < rows and 0 <= col + dcol < cols
                ]
                if tie == FAR:
                    reached.sort(key=nearness)
                self.neighbours.append(tuple(reached))
        self.exits = [len(reached) if degree != NONE else 0 for reached in self.neighbours]


class Search:
    """One walk over a board, which can be paused, looked at and continued.

    One search belongs to one thread at a time: calling it again while it runs raises ValueError,
    as a generator does.

    Args:
        board: the template.
        start: flat index of the first square.
        backtrack: take dead ends back, or stop at the first.
        seed: for the tie "random".
    """

    __slots__ = (
        "_backtrack",
        "_board",
        "_choice",
        "_exits",
        "_is_torn",
        "_path",
        "_random",
        "_running",
        "_status",
        "_tried",
        "backtracks",
    )

    def __init__(self, board: WalledBoard, start: int, backtrack: bool, seed: int) -> None:
        self._board = board
        self._backtrack = backtrack
        self._random = seed
        self._running = False
        #: a signal has left something half done
        self._is_torn = False
        self._status = PAUSED
        self._exits = board.exits.copy()
        self._path = [start]
        #: for every square on the path that was come back to: the squares tried from it
        self._tried: dict[int, set[int]] = {}
        #: squares taken back so far
        self.backtracks = 0
        self._exits[start] += VISITED
        if board.degree == DYNAMIC:
            for square in board.neighbours[start]:
                self._exits[square] -= 1
        self._choice = self._choose(start)

    @property
    def nodes(self) -> int:
        """Squares placed so far, the start included."""
        return len(self._path) + self.backtracks

    @property
    def depth(self) -> int:
        """Squares on the path now."""
        return len(self._path)

    def here(self) -> int:
        """Return the flat index of the square the knight stands on."""
        return self._path[-1]

    def _choose(self, here: int) -> int:
        """Return the square to go to from `here`, -1 at a dead end."""
        exits = self._exits
        tried = self._tried.get(here, ())
        candidates = [
            square
            for square in self._board.neighbours[here]
            if exits[square] < VISITED and square not in tried
        ]
        if not candidates:
            return -1
        if self._board.tie != RANDOM:
            return min(candidates, key=exits.__getitem__)
        fewest = VISITED
        choice = -1
        count = 0
        for square in candidates:
            if exits[square] < fewest:
                fewest, choice, count = exits[square], square, 1
            elif exits[square] == fewest:
                count += 1
                self._random, number = splitmix64(self._random)
                if number % count == 0:
                    choice = square
        return choice

    def _advance(self, nodes: int, work: int) -> int:
        """Walk on for at most `nodes` new squares (-1: any number) and `work` operations."""
        if self._is_torn:
            self._mend()
        board = self._board
        neighbours = board.neighbours
        dynamic = board.degree == DYNAMIC
        at_random = board.tie == RANDOM
        total = len(neighbours)
        exits = self._exits
        path = self._path
        tried = self._tried
        choice = self._choice
        status = self._status

        self._is_torn = True
        while True:
            if not work:
                status = PAUSED
                break
            work -= 1
            if choice >= 0:
                if not nodes:
                    status = NODE_LIMIT
                    break
                nodes -= 1
                here = choice
                path.append(here)
                exits[here] += VISITED
                if at_random:
                    if dynamic:
                        for square in neighbours[here]:
                            exits[square] -= 1
                    choice = self._choose(here)
                    continue
                # Nothing has been tried from here yet, and all candidates lose one exit alike: one
                # sweep over the neighbours counts and chooses.
                choice = -1
                fewest = VISITED
                if dynamic:
                    for square in neighbours[here]:
                        exits[square] = left = exits[square] - 1
                        if left < fewest:
                            fewest = left
                            choice = square
                else:
                    for square in neighbours[here]:
                        if exits[square] < fewest:
                            fewest = exits[square]
                            choice = square
                continue
            # A dead end: the goal, or a step back.
            if len(path) == total and status != FOUND:
                status = FOUND
                break
            if not self._backtrack:
                status = STUCK
                break
            if len(path) == 1:
                status = EXHAUSTED
                break
            if status != PAUSED:
                self._status = status = PAUSED
            # In this order, so that nothing is lost if a signal comes in between.
            left_behind = path[-1]
            here = path[-2]
            tried.setdefault(here, set()).add(left_behind)
            path.pop()
            tried.pop(left_behind, None)
            exits[left_behind] -= VISITED
            if dynamic:
                for square in neighbours[left_behind]:
                    exits[square] += 1
            self.backtracks += 1
            choice = self._choose(here)

        self._choice = choice
        self._status = status
        self._is_torn = False
        return status

    def _mend(self) -> None:
        """Make whole what a signal has left half done: all of it follows from the path."""
        board = self._board
        exits = board.exits.copy()
        for here in self._path:
            exits[here] += VISITED
            if board.degree == DYNAMIC:
                for square in board.neighbours[here]:
                    exits[square] -= 1
        self._exits = exits
        on_path = set(self._path)
        self._tried = {square: seen for square, seen in self._tried.items() if square in on_path}
        self._choice = self._choose(self._path[-1])
        self._is_torn = False

    def step(self, work: int) -> int:
        """Do at most `work` operations (a square placed, or taken back); return the status."""
        if self._running:
            raise ValueError("this search is already running")
        self._running = True
        try:
            return self._advance(-1, work)
        finally:
            self._running = False

    def run(self, max_nodes: int, deadline: float) -> int:
        """Search until there is something to say.

        Args:
            max_nodes: most squares to place in all, the start included; -1 for no limit.
            deadline: a `time.monotonic()` value; infinity for no limit.

        Returns:
            FOUND, STUCK, EXHAUSTED, NODE_LIMIT or TIME_LIMIT; after FOUND the next call looks for
            the next tour.
        """
        if self._running:
            raise ValueError("this search is already running")
        self._running = True
        try:
            while True:
                nodes = -1 if max_nodes < 0 else max(0, max_nodes - self.nodes)
                status = self._advance(nodes, SLICE)
                if status != PAUSED:
                    return status
                if monotonic() >= deadline:
                    return TIME_LIMIT
        finally:
            self._running = False

    def path(self) -> bytes:
        """Return the squares on the path as flat indices, native int32, in bytes."""
        return array("i", self._path).tobytes()

    def candidates(self) -> list[tuple[int, int]]:
        """Return the squares that can be taken next, in the order of moves, each with its exits."""
        if self._is_torn:
            self._mend()
        board = self._board
        here = self._path[-1]
        row, col = divmod(here, board.cols)
        tried = self._tried.get(here, ())
        reached = [
            (row + drow) * board.cols + col + dcol
            for drow, dcol in board.moves
            if 0 <= row + drow < board.rows and 0 <= col + dcol < board.cols
        ]
        return [
            (square, self._exits[square])
            for square in reached
            if self._exits[square] < VISITED and square not in tried
        ]


def search_memory(rows: int, cols: int, tie: int) -> int:  # noqa: ARG001
    """Return about how many bytes a search on a board of this size takes, template included."""
    return rows * cols * 260


def first_fault(rows: int, cols: int, order: bytes) -> int:
    """Return -1 when `order` is a knight's tour of the board, else the index of the first fault.

    Args:
        rows, cols: the size.
        order: flat indices, native int32.

    This is a checker of its own: it shares nothing with the search. A missing square shows as the
    index ``len(order)``.
    """
    total = rows * cols
    seen = bytearray(total)
    last_row = last_col = 0
    squares = memoryview(order).cast("i")
    for k, square in enumerate(squares):
        if not 0 <= square < total or seen[square]:
            return k
        seen[square] = 1
        row, col = divmod(square, cols)
        if k and (row - last_row) ** 2 + (col - last_col) ** 2 != 5:
            return k
        last_row, last_col = row, col
    return -1 if len(squares) == total else len(squares)


def step_numbers(order: bytes) -> bytes:
    """Return the 0-based step at which each square is visited: bytes of native int32."""
    squares = memoryview(order).cast("i")
    steps = array("i", bytes(4 * len(squares)))
    for step, square in enumerate(squares):
        steps[square] = step
    return steps.tobytes()


_CODES = {
    move: code
    for code, move in enumerate(
        ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
    )
}


def move_codes(cols: int, order: bytes) -> bytes:
    """Return the direction codes of the moves between consecutive squares of a path.

    Code k is the k-th of (-2,1) (-1,2) (1,2) (2,1) (2,-1) (1,-2) (-1,-2) (-2,-1).
    """
    squares = [divmod(square, cols) for square in memoryview(order).cast("i")]
    return bytes(
        _CODES[row - last_row, col - last_col]
        for (last_row, last_col), (row, col) in pairwise(squares)
    )
