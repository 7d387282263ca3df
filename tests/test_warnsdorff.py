"""Warnsdorff's rule alone, and plain search without it: published counts that no file holds.

The counts of completed starts are those measured on the five programs' orders of moves; the sizes
that fail from a corner, the node counts and the grids of the plain search come from public reports
and were recomputed independently. Nothing here is read from the package's own tables.
"""

from __future__ import annotations

import pytest

from knighttour import DeadEndError, SearchLimitError, Strategy, Tour, tour
from knighttour.board import as_board

ORDERS = {
    "000": ((-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2)),
    "001": ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)),
    "004": ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
    "003": ((1, 2), (2, 1), (1, -2), (2, -1), (-1, 2), (-2, 1), (-1, -2), (-2, -1)),
}


def walk(start, board, backend, order, degree, tie) -> Tour | list[tuple[int, int]]:
    """The tour, or the partial walk of a dead end."""
    rule = Strategy(ORDERS[order], degree, tie, backtrack=False)
    try:
        return tour(start, board, strategy=rule, backend=backend)
    except DeadEndError as error:
        return error.walk


def failures(board, backend, order, tie, degree="dynamic") -> dict[tuple[int, int], int]:
    """Every start that gets stuck, with the squares visited till then."""
    stuck = {}
    for start in as_board(board).squares:
        answer = walk(start, board, backend, order, degree, tie)
        if isinstance(answer, list):
            stuck[start] = len(answer)
    return stuck


@pytest.mark.parametrize(
    ("order", "tie", "board", "expected"),
    [
        ("000", "first", "8x8", {(3, 2): 60}),
        ("000", "last", "8x8", {(4, 2): 60}),
        ("001", "first", "8x8", {(5, 4): 60}),
        ("001", "last", "8x8", {(5, 3): 60}),
        ("004", "first", "8x8", {(2, 4): 60}),
        ("004", "last", "8x8", {(2, 3): 60}),
        ("003", "first", "8x8", {(1, 3): 60, (4, 7): 60}),
        ("003", "last", "8x8", {(0, 3): 60, (7, 3): 60}),
        ("000", "first", "10x9", {(2, 5): 78, (6, 1): 76, (7, 8): 84}),
        ("000", "last", "10x9", {(2, 8): 84, (3, 1): 76, (7, 5): 78}),
        ("001", "first", "10x9", {(3, 2): 82, (4, 1): 80, (5, 8): 86, (9, 0): 86}),
        ("001", "last", "10x9", {(3, 6): 82, (4, 7): 80, (5, 0): 86, (9, 8): 86}),
        ("004", "first", "10x9", {(0, 0): 86, (4, 8): 86, (5, 1): 80, (6, 2): 82}),
        ("004", "last", "10x9", {(0, 8): 86, (4, 0): 86, (5, 7): 80, (6, 6): 82}),
        ("003", "first", "10x9", {(7, 5): 72}),
        ("003", "last", "10x9", {(5, 8): 86}),
    ],
)
def test_which_starts_get_stuck_and_where(backend, order, tie, board, expected):
    assert failures(board, backend, order, tie) == expected


@pytest.mark.parametrize(
    ("order", "board", "first", "last"),
    [
        ("000", "9x10", 86, 86),
        ("001", "9x10", 87, 87),
        ("004", "9x10", 87, 87),
        ("003", "9x10", 89, 88),
        ("000", "5x5", 12, 12),
        ("001", "5x5", 12, 12),
        ("004", "5x5", 12, 12),
        ("003", "5x5", 10, 11),
        ("000", "6x6", 35, 35),
        ("001", "6x6", 35, 35),
        ("004", "6x6", 35, 35),
        ("003", "6x6", 36, 36),
        ("000", "7x7", 18, 18),
        ("001", "7x7", 18, 18),
        ("004", "7x7", 18, 18),
        ("003", "7x7", 22, 20),
    ],
)
def test_how_many_starts_are_completed(backend, order, board, first, last):
    size = as_board(board).size
    completed = [size - len(failures(board, backend, order, tie)) for tie in ("first", "last")]
    assert completed == [first, last]


@pytest.mark.parametrize("order", ORDERS)
def test_how_many_starts_are_completed_from_the_far_squares_first(backend, order):
    boards = ("8x8", "10x9", "9x10", "5x5", "6x6", "7x7")
    completed = [as_board(b).size - len(failures(b, backend, order, "far")) for b in boards]
    assert completed == [64, 86, 86, 13, 36, 16 if order == "003" else 15]


@pytest.mark.parametrize(
    ("order", "first", "last"), [("000", 4, 4), ("001", 4, 4), ("004", 4, 4), ("003", 4, 7)]
)
def test_degrees_of_the_empty_board_complete_few_starts(backend, order, first, last):
    completed = [
        64 - len(failures("8x8", backend, order, tie, "static")) for tie in ("first", "last")
    ]
    assert completed == [first, last]
    for tie in ("first", "last"):
        assert 0 <= 90 - len(failures("10x9", backend, order, tie, "static")) <= 2


@pytest.mark.parametrize(
    ("order", "tie", "count"),
    [("000", "first", 4), ("001", "first", 4), ("004", "first", 4), ("003", "first", 7)],
)
def test_how_many_tours_of_the_chessboard_are_closed(backend, order, tie, count):
    answers = [walk(s, "8x8", backend, order, "dynamic", tie) for s in as_board("8x8").squares]
    assert sum(isinstance(answer, Tour) and answer.closed for answer in answers) == count


# --- From the corner of ever larger boards -------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "tie", "expected"),
    [
        ("001", "first", [41, 52, 59, 60, 66, 74, 79, 87, 88, 94, 98]),
        ("001", "last", [7, 38, 41, 54, 56, 61, 67, 81, 85, 87, 90, 91, 99]),
        ("004", "first", [64, 66, 72, 74, 80, 84, 90, 91, 94, 95, 96, 97, 100]),
        ("004", "last", [61, 63, 64, 65, 70, 75, 76, 82, 83, 85, 90, 91, 97]),
    ],
)
def test_squares_up_to_100_that_fail_from_the_corner(backend, order, tie, expected):
    stuck = [
        n
        for n in range(5, 101)
        if isinstance(walk((0, 0), (n, n), backend, order, "dynamic", tie), list)
    ]
    assert stuck == expected


# --- The plain search, which counts nothing ------------------------------------------------------


def test_the_plain_search_of_a_small_board(backend):
    found = tour((0, 0), "5x5", strategy=Strategy(ORDERS["001"], "none"), backend=backend)
    assert found.grid() == [
        [1, 20, 17, 12, 3],
        [16, 11, 2, 7, 18],
        [21, 24, 19, 4, 13],
        [10, 15, 6, 23, 8],
        [25, 22, 9, 14, 5],
    ]
    assert found.stats.nodes == 41


def test_the_plain_search_of_six_by_six(backend):
    found = tour((0, 0), "6x6", strategy=Strategy(ORDERS["001"], "none"), backend=backend)
    assert found.grid()[0] == [1, 28, 33, 20, 3, 26]
    assert found.stats.nodes == 5_422


def check_plain_search_of_the_chessboard(backend: str) -> None:
    found = tour((0, 0), "8x8", strategy=Strategy(ORDERS["004"], "none"), backend=backend)
    assert found.grid(base=0)[0] == [0, 59, 38, 33, 30, 17, 8, 63]
    assert found.stats.nodes == 8_250_733


@pytest.mark.slow
def test_the_plain_search_of_the_chessboard(backend):
    check_plain_search_of_the_chessboard(backend)


def test_the_plain_search_of_the_chessboard_compiled(backend):
    if backend == "pure":
        pytest.skip("seconds in pure Python: the slow test above does it")
    check_plain_search_of_the_chessboard(backend)


def test_a_plain_search_without_end_gives_up_and_proves_nothing(backend):
    rule = Strategy(ORDERS["004"], "none")
    with pytest.raises(SearchLimitError, match=r"max_nodes=100000.*nothing is proved") as error:
        tour((3, 5), "8x8", strategy=rule, max_nodes=100_000, backend=backend)
    assert error.value.stats is not None
    assert error.value.stats.nodes == 100_000
    with pytest.raises(SearchLimitError, match=r"gave up.*timeout=0\.05 seconds"):
        tour((3, 5), "8x8", strategy=rule, timeout=0.05, backend=backend)
