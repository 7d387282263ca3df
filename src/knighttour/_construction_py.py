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
Cost: boards up to 255 squares; a few microseconds a node; some 100 nodes on a board between
6x6 and 11x11.
Twin: `_construction.pyx`, the same function with the same paths and node counts.
"""

from __future__ import annotations

NO_PATH = 0
FOUND = 1
GAVE_UP = 2

MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
ATTEMPTS_A_LIMIT = 16
MASK = (1 << 64) - 1


def solve(
    rows: int,
    cols: int,
    start: int,
    end: int,
    allowed: bytes,
    seed: int,
    first_limit: int,
    total_limit: int,
) -> tuple[int, bytes, int]:
    """Find a knight's path from start to end over every allowed square of a small board.

    Arguments: rows, cols (rows * cols <= 255); start, end as flat indices row * cols + col, both
    allowed; `allowed`, one byte a square (0: not part of the board), or b"" for the whole board;
    seed (64 bits) of the ties; first_limit, nodes of the first attempt (>= 1), and total_limit,
    nodes in all (>= 1); negative: no limit. A node is a square placed, the start included.
    Result: (status, path, nodes). FOUND: path is the flat indices in order, one byte a square;
    NO_PATH: proved that there is none; GAVE_UP: total_limit reached; path is then b"".
    Cost: a few microseconds a node.

    >>> solve(3, 4, 0, 11, b"", 1, -1, -1)[0] == FOUND
    True
    """
    is_allowed = allowed or bytes([1]) * (rows * cols)
    neighbours = _graph(rows, cols, is_allowed)
    squares = sum(1 for flag in is_allowed if flag)
    if start == end:
        return (FOUND, bytes((start,)), 1) if squares == 1 else (NO_PATH, b"", 1)

    random = _first_random(seed)
    nodes = 0
    attempts = 0
    attempt_limit = first_limit
    while True:
        # One attempt: the end of its node count first, then the search itself.
        if attempts and attempts % ATTEMPTS_A_LIMIT == 0:
            attempt_limit *= 2
        attempts += 1
        attempt_end = nodes + attempt_limit if attempt_limit >= 0 else -1
        if total_limit >= 0 and not 0 <= attempt_end <= total_limit:
            attempt_end = total_limit

        is_free = [flag != 0 for flag in is_allowed]
        degree = [len(around) for around in neighbours]
        path: list[int] = []
        exits: list[list[int]] = []  # of every square of the path, the best one last
        head = start
        while True:
            path.append(head)
            is_free[head] = False
            for square in neighbours[head]:
                degree[square] -= 1
            nodes += 1
            random ^= random << 13 & MASK
            random ^= random >> 7
            random ^= random << 17 & MASK
            if len(path) == squares - 1:
                if end in neighbours[head]:
                    return FOUND, bytes([*path, end]), nodes + 1
                exits.append([])
            else:
                exits.append(_ranked(neighbours[head], is_free, degree, end, random))

            while not exits[-1]:
                if len(path) == 1:
                    return NO_PATH, b"", nodes
                exits.pop()
                square = path.pop()
                is_free[square] = True
                for other in neighbours[square]:
                    degree[other] += 1
            if nodes == attempt_end:
                break
            head = exits[-1].pop()
        if nodes == total_limit:
            return GAVE_UP, b"", nodes


def _ranked(
    around: list[int], is_free: list[bool], degree: list[int], end: int, random: int
) -> list[int]:
    """Return the squares to try after the head, the best one last; none in a dead end."""
    forced = -1
    keys: list[tuple[int, int, int]] = []
    for k, square in enumerate(around):
        if not is_free[square]:
            continue
        exits = degree[square]
        if exits == 0:
            return []
        if square == end:
            continue
        if exits == 1:
            if forced >= 0:
                return []
            forced = square
        keys.append((exits, random >> 8 * k & 255, k))
    if forced >= 0:
        return [forced]
    keys.sort(reverse=True)
    return [around[key[2]] for key in keys]


def _graph(rows: int, cols: int, is_allowed: bytes) -> list[list[int]]:
    """Return the allowed neighbours of every square, in the order of the direction codes."""
    return [
        [
            (row + down) * cols + col + right
            for down, right in MOVES
            if 0 <= row + down < rows
            and 0 <= col + right < cols
            and is_allowed[(row + down) * cols + col + right]
        ]
        for row in range(rows)
        for col in range(cols)
    ]


def _first_random(seed: int) -> int:
    """Return the first state of xorshift64: splitmix64's last step sends seeds far apart."""
    mixed = seed + 0x9E3779B97F4A7C15 & MASK
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
    return mixed ^ mixed >> 31 or 1
