"""The tasks of the comparison, and an independent test of every answer.

A task is a board, what is asked of it and the known answer. Squares are ``(row, col)`` from 0, row
0 at the top. An answer is a list of squares in the order of visit, a list of such lists, a number,
or None for "there is no tour"; it is tested here, by nothing of knighttour's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

Square = tuple[int, int]


@dataclass(frozen=True)
class Task:
    """One question to every peer.

    Args:
        name: what the command line calls it.
        title: what the page calls it.
        kind: ``"tour"``, ``"starts"`` (a tour from every square), ``"count"``, ``"list"`` (all
            tours, as lists of squares) or ``"none"`` (there is no tour; prove it).
        rows, cols, holes: the board.
        closed: whether the tour has to return by a move.
        start, end: the ends of an open tour, or None.
        answer: the known number of tours, for ``"count"`` and ``"list"``.
        after: a smaller task; who did not do that one in time is not asked this one.
    """

    name: str
    title: str
    kind: str
    rows: int
    cols: int
    closed: bool = False
    start: Square | None = None
    end: Square | None = None
    holes: frozenset[Square] = field(default_factory=frozenset)
    answer: int | None = None
    after: str | None = None

    @cached_property
    def squares(self) -> list[Square]:
        """All squares, row by row."""
        return [
            (row, col)
            for row in range(self.rows)
            for col in range(self.cols)
            if (row, col) not in self.holes
        ]

    @cached_property
    def index(self) -> dict[Square, int]:
        """The number of each square in `squares`."""
        return {square: number for number, square in enumerate(self.squares)}

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """For each square the squares that are a knight's move away, as numbers."""
        moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        return [
            [
                self.index[row + down, col + right]
                for down, right in moves
                if (row + down, col + right) in self.index
            ]
            for row, col in self.squares
        ]

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """Every move once, as a pair of numbers in order."""
        return [
            (one, other)
            for one, others in enumerate(self.neighbours)
            for other in others
            if one < other
        ]


def is_tour(task: Task, tour: list[Square], start: Square | None = None) -> bool:
    """Tell whether the squares are a tour of the task's board with the ends that it asks for."""
    steps = list(pairwise(tour))
    if task.closed:
        steps.append((tour[-1], tour[0]))
    return (
        sorted(tour) == task.squares
        and all((a - c) ** 2 + (b - d) ** 2 == 5 for (a, b), (c, d) in steps)
        and (start or task.start or tour[0]) == tour[0]
        and (task.end or tour[-1]) == tour[-1]
    )


# 20 x 20 without 40 squares, 20 of each colour: two in each row.
HOLE_COLUMNS = [(8, 11), (3, 14), (6, 19), (9, 12), (1, 16), (5, 14), (10, 17), (3, 12), (7, 18)]
HOLE_COLUMNS += [(0, 11), (5, 14), (9, 16), (2, 11), (6, 19), (4, 13), (8, 17), (1, 10), (7, 14)]
HOLE_COLUMNS += [(5, 12), (3, 10)]
HOLES = frozenset((row, col) for row, pair in enumerate(HOLE_COLUMNS) for col in pair)

# 7 x 8 without 8 squares, 4 of each colour; every square that is left has two moves or more, and
# what they force does not decide it.
NO_TOUR_HOLES = frozenset(
    [(1, 0), (1, 6), (1, 7), (2, 0), (2, 7), (4, 2), (5, 0), (5, 1)]
)  # fmt: skip

TASKS = [
    Task("open-8x8", "8x8, open, from a corner", "tour", 8, 8, start=(7, 0)),
    Task("ends-8x8", "8x8, open, from a1 to h1", "tour", 8, 8, start=(7, 0), end=(7, 7),
         after="open-8x8"),
    Task("starts-8x8", "8x8, open, from each of the 64 squares", "starts", 8, 8, after="open-8x8"),
    Task("closed-8x8", "8x8, closed", "tour", 8, 8, closed=True, after="open-8x8"),
    Task("closed-20x20", "20x20, closed", "tour", 20, 20, closed=True, after="closed-8x8"),
    Task("closed-50x50", "50x50, closed", "tour", 50, 50, closed=True, after="closed-20x20"),
    Task("closed-100x100", "100x100, closed", "tour", 100, 100, closed=True, after="closed-50x50"),
    Task("holes-20x20", "20x20 with 40 holes, closed", "tour", 20, 20, closed=True, holes=HOLES,
         after="closed-8x8"),
    Task("all-5x5", "5x5, all 1728 open tours listed", "list", 5, 5, answer=1728),
    Task("count-6x6", "6x6, closed tours counted", "count", 6, 6, closed=True, answer=9862),
    Task("count-5x10", "5x10, closed tours counted", "count", 5, 10, closed=True,
         answer=13_311_268, after="count-6x6"),
    Task("none-5x5", "5x5, closed: there is none", "none", 5, 5, closed=True),
    Task("none-4x8", "4x8, closed: there is none", "none", 4, 8, closed=True),
    Task("none-3x8", "3x8, closed: there is none", "none", 3, 8, closed=True),
    Task("none-holes", "7x8 with 8 holes, closed: there is none", "none", 7, 8, closed=True,
         holes=NO_TOUR_HOLES),
]  # fmt: skip
