"""What was wrong in the five programs as published, and that it is right here.

One section a program, one test a row of the table in docs/five-programs.md. What the published
programs answered is in tests/data/programs/as-published.txt; inputs on which other programs of this
kind went wrong close the file.
"""

from __future__ import annotations

import itertools

import pytest

from knighttour import (
    Board,
    DeadEndError,
    InvalidInputError,
    NoTourError,
    SearchLimitError,
    Strategy,
    tour,
)
from knighttour.board import as_board

FIVE = ("access-level", "step-back", "depth-first", "warnsdorff", "course")


def is_tour(squares, rows, cols) -> bool:
    """Whether these squares are a knight's tour, told without the package."""
    moves = itertools.pairwise(squares)
    return sorted(squares) == [(r, c) for r in range(rows) for c in range(cols)] and all(
        {abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in moves
    )


def starts(runs, *results):
    return {start for start, run in runs.items() if run.result in results}


# --- 000, access-level ---------------------------------------------------------------------------


def test_000_marks_every_start_not_only_the_corner(programs, backend):
    published = programs("as-published")["8x8 access-level"]
    assert starts(published, "tour") == {(0, 0)}
    claimed, endless = starts(published, "claimed"), starts(published, "endless")
    assert (len(claimed), len(endless)) == (29, 34)
    odd = {(row, col) for row, col in as_board("chess").squares if (row + col) % 2}
    assert endless == odd | {(1, 5), (2, 6)}
    stuck = []
    for start in claimed | endless:
        try:
            found = tour(start, "chess", strategy="access-level", backend=backend).tolist()
        except DeadEndError:
            stuck.append(start)
            continue
        assert is_tour(found, 8, 8)
        assert found[0] == start
    assert stuck == [(4, 2)]


@pytest.mark.parametrize("start", [(0, 5), (1, 4), (2, 1), (2, 2), (4, 0), (4, 6)])
def test_000_lowers_the_levels_round_the_start_too(backend, start):
    # These six get stuck where the start is marked but the levels round it are not lowered.
    found = tour(start, "chess", strategy="access-level", backend=backend)
    assert is_tour(found.tolist(), 8, 8)


def test_000_stops_at_a_dead_end_and_says_so(backend):
    with pytest.raises(DeadEndError, match="after 60 of 64 squares") as error:
        tour((4, 2), "chess", strategy="access-level", backend=backend)
    walk = error.value.walk
    assert len(walk) == len(set(walk)) == 60
    left = set(as_board("chess").neighbours(walk[-1])) - set(walk)
    assert left == set()


@pytest.mark.parametrize("start", [(8, 0), (-1, 0), (0, 8), (0, -1), "abc", "i1", "a9", "a0", ""])
@pytest.mark.parametrize("strategy", FIVE)
def test_000_refuses_what_is_no_square(backend, strategy, start):
    with pytest.raises(InvalidInputError) as error:
        tour(start, "chess", strategy=strategy, backend=backend)
    assert repr(start) in str(error.value)
    assert "a1" in str(error.value)
    assert "h8" in str(error.value)


@pytest.mark.parametrize("strategy", FIVE)
def test_000_has_an_answer_where_the_first_step_has_no_square(backend, strategy):
    backtracking = Strategy.named(strategy).backtrack
    with pytest.raises(NoTourError if backtracking else DeadEndError) as error:
        tour((1, 1), "3x3", strategy=strategy, backend=backend)
    if not backtracking:
        assert error.value.walk == [(1, 1)]


# --- 001, step-back ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "index"), [((2, 1), 27), ((2, 3), 27), ((5, 4), 27), ((7, 0), 25)]
)
def test_001_counts_the_exits_of_the_candidate(programs, backend, start, index):
    published = programs("as-published")["8x5 step-back"][start].squares
    found = tour(start, "8x5", strategy="step-back", backend=backend).tolist()
    assert is_tour(found, 8, 5)
    assert is_tour(published, 8, 5)
    assert found[:index] == published[:index]
    assert found[index] != published[index]


def test_001_counts_the_exits_of_the_candidate_after_a_step_back(programs, backend):
    published = programs("as-published")["5x8 step-back"][0, 4]
    found = tour((0, 4), "5x8", strategy="step-back", backend=backend)
    assert found.tolist() == published.squares
    assert (published.backtracks, found.stats.backtracks) == (12_543, 7_319)


def test_001_ends_where_a_stale_direction_would_loop(backend):
    found = tour((5, 4), "8x8", strategy="step-back", backend=backend)
    assert is_tour(found.tolist(), 8, 8)
    assert found.stats.backtracks == 46


@pytest.mark.parametrize(("board", "start"), [("3x4", (0, 1)), ("4x3", (1, 0))])
def test_001_steps_back_to_the_start_and_no_further(backend, board, start):
    with pytest.raises(NoTourError, match="all walks from there were tried") as error:
        tour(start, board, strategy="step-back", backend=backend)
    assert error.value.reason == "exhausted-search"


@pytest.mark.parametrize("strategy", FIVE)
def test_001_tours_a_single_square(backend, strategy):
    found = tour((0, 0), "1x1", strategy=strategy, backend=backend)
    assert found.tolist() == [(0, 0)]
    assert (found.stats.nodes, found.stats.backtracks) == (1, 0)


@pytest.mark.parametrize(("board", "start"), [("7x7", (0, 1)), ("5x8", (1, 6))])
@pytest.mark.parametrize("strategy", ["step-back", "depth-first", "course"])
def test_001_gives_up_when_told_to_and_proves_nothing(backend, board, start, strategy):
    with pytest.raises(SearchLimitError, match="nothing is proved") as error:
        tour(start, board, strategy=strategy, max_nodes=50_000, backend=backend)
    assert not isinstance(error.value, (NoTourError, DeadEndError))
    assert error.value.stats is not None
    assert error.value.stats.nodes == 50_000


# --- 002, depth-first ----------------------------------------------------------------------------


def test_002_can_be_asked_twice(backend):
    first = tour((0, 0), "5x5", strategy="depth-first", backend=backend)
    before = first.grid()
    second = tour((2, 2), "5x5", strategy="depth-first", backend=backend)
    assert is_tour(first.tolist(), 5, 5)
    assert is_tour(second.tolist(), 5, 5)
    assert first.grid() == before
    assert sum(row.count(1) for row in second.grid()) == 1
    assert second[0] == (2, 2)


def test_002_says_that_there_is_no_tour(backend):
    with pytest.raises(NoTourError, match="no tour"):
        tour((0, 1), "3x4", strategy="depth-first", backend=backend)


@pytest.mark.parametrize("strategy", FIVE)
@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3)])
def test_002_prints_rows_of_columns(backend, strategy, rows, cols):
    found = tour((0, 0), (rows, cols), strategy=strategy, backend=backend)
    assert found.board.shape == (rows, cols)
    grid = found.grid()
    assert [len(row) for row in grid] == [cols] * rows
    assert [len(line.split()) for line in str(found).splitlines()] == [cols] * rows
    assert [len(row) for row in found.board.degrees()] == [cols] * rows
    assert all(grid[row][col] == step for step, (row, col) in enumerate(found, 1))
    assert is_tour(found.tolist(), rows, cols)


@pytest.mark.parametrize("strategy", FIVE)
def test_002_refuses_a_start_off_the_board_either_way_round(backend, strategy):
    for board, start in (("3x4", (3, 0)), ("4x3", (0, 3))):
        with pytest.raises(InvalidInputError, match=board):
            tour(start, board, strategy=strategy, backend=backend)


def test_002_is_not_bound_by_the_depth_of_a_call_stack(backend):
    with pytest.raises(SearchLimitError) as error:
        tour((0, 0), "150x150", strategy="depth-first", max_nodes=30_000, backend=backend)
    assert error.value.stats is not None
    # So many squares stood on the path at once.
    assert error.value.stats.nodes - error.value.stats.backtracks > 10_000


# --- 003, warnsdorff -----------------------------------------------------------------------------


def test_003_can_be_asked_twice(backend):
    first = tour((0, 0), "chess", strategy="warnsdorff", backend=backend)
    second = tour((7, 7), "chess", strategy="warnsdorff", backend=backend)
    third = tour((0, 0), "chess", strategy="warnsdorff", backend=backend)
    assert first == third
    assert second[0] == (7, 7)


@pytest.mark.parametrize(
    ("size", "published_tours", "tours"),
    [(5, 0, 10), (6, 0, 36), (7, 2, 22), (8, 62, 62), (9, 41, 41), (10, 98, 98)],
)
def test_003_has_eight_moves_on_a_board_of_any_size(
    programs, backend, size, published_tours, tours
):
    published = programs("as-published")[f"{size}x{size} warnsdorff"]
    assert len(starts(published, "tour")) == published_tours
    found = 0
    for start in published:
        try:
            squares = tour(start, (size, size), strategy="warnsdorff", backend=backend).tolist()
        except DeadEndError:
            continue
        assert is_tour(squares, size, size)
        found += 1
    assert found == tours


def test_003_calls_a_tour_what_is_one(programs, backend):
    published = {
        size: programs("as-published")[f"{size}x{size} warnsdorff"] for size in (7, 8, 9, 10)
    }
    wrong = {
        (size, start): run
        for size, runs in published.items()
        for start, run in runs.items()
        if (run.remark == "yeah") != (run.result == "tour")
    }
    assert sum(size == 9 for size, _ in wrong) == 80 - 41
    assert {start for size, start in wrong if size == 10} == {(3, 7), (7, 7)}
    assert {start for size, start in wrong if size == 7} == {(0, 4), (2, 0)}
    assert not [start for size, start in wrong if size == 8]
    for (size, start), run in wrong.items():
        if run.result == "tour":  # a tour that it kept quiet about
            assert tour(start, (size, size), strategy="warnsdorff", backend=backend)[0] == start
        else:
            with pytest.raises(DeadEndError):
                tour(start, (size, size), strategy="warnsdorff", backend=backend)


@pytest.mark.parametrize("start", [(1, 3), (4, 7)])
def test_003_says_that_it_has_failed(backend, start):
    with pytest.raises(DeadEndError, match=r"after 60 of 64 squares; .*nothing is proved"):
        tour(start, "chess", strategy="warnsdorff", backend=backend)


# --- 004, course ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "pops", "backtracks"),
    [((0, 0), 99, 9), ((4, 8), 97, 21), ((5, 1), 97, 2_715), ((6, 2), 99, 114)],
)
def test_004_gives_a_square_back_when_it_is_taken_back(programs, backend, start, pops, backtracks):
    published = programs("as-published")["10x9 course"]
    assert starts(published, "gave-up") == {(0, 0), (4, 8), (5, 1), (6, 2)}
    assert published[start].backtracks == pops
    found = tour(start, "xiangqi", strategy="course", backend=backend)
    assert is_tour(found.tolist(), 10, 9)
    assert found.stats.backtracks == backtracks


@pytest.mark.parametrize(
    ("board", "published_tours", "all_starts"),
    [
        ("10x9", 86, 90),
        ("9x10", 87, 90),
        ("8x8", 63, 64),
        ("6x6", 35, 36),
        ("6x7", 40, 42),
        ("3x4", 6, 12),
    ],
)
def test_004_moves_to_other_boards(programs, backend, board, published_tours, all_starts):
    published = programs("as-published")[f"{board} course"]
    assert (len(starts(published, "tour")), len(published)) == (published_tours, all_starts)
    rows, cols = as_board(board).shape
    for start in starts(published, "gave-up"):
        try:
            found = tour(start, board, strategy="course", backend=backend)
        except NoTourError:
            assert board == "3x4"  # six of its squares start no tour
        else:
            assert board != "3x4"
            assert is_tour(found.tolist(), rows, cols)


def test_004_failed_at_starts_that_have_tours_on_5x5_to_7x7(programs):
    right = programs("course")
    wrong = {}
    for board in ("5x5", "5x6", "5x8", "7x7"):
        published = programs("as-published")[f"{board} course"]
        gave_up = starts(published, "gave-up")
        assert gave_up >= starts(right[board], "none")
        wrong[board] = len(gave_up & starts(right[board], "tour"))
    assert wrong == {"5x5": 1, "5x6": 14, "5x8": 11, "7x7": 7}


# --- Where other programs of this kind went wrong ------------------------------------------------


@pytest.mark.parametrize("backtracking", ["step-back", "course"])
@pytest.mark.parametrize("board", ["5x5", "chess"])
def test_a_dead_end_is_no_proof(backend, board, backtracking):
    # From here the walk without a way back fails; a tour there is.
    start = {"5x5": (2, 0), "chess": (4, 2)}[board]
    with pytest.raises(DeadEndError, match="nothing is proved"):
        tour(start, board, strategy="access-level", backend=backend)
    assert tour(start, board, strategy=backtracking, backend=backend)[0] == start


@pytest.mark.parametrize(
    "order",
    [
        (),
        ((2, 1), (1, 2), (-1, 2), (-2, 1)),
        ((2, 1),) * 8,
        ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, 2)),
        (*Strategy.named("course").order, (2, 1)),
        "knight",
        None,
        7,
    ],
)
def test_a_strategy_has_all_eight_moves(order):
    with pytest.raises(InvalidInputError, match="each of the eight knight's moves"):
        Strategy(order)


@pytest.mark.parametrize(
    ("option", "value"),
    [("degree", "lowest"), ("tie", "middle"), ("backtrack", 1), ("backtrack", None)],
)
def test_a_strategy_is_made_of_known_words(option, value):
    with pytest.raises(InvalidInputError, match=f"{option}={value!r}"):
        Strategy(Strategy.named("course").order, **{option: value})


@pytest.mark.parametrize("name", ["Course", "004", "", None, 4, ["course"]])
def test_only_five_strategies_have_names(backend, name):
    with pytest.raises(InvalidInputError, match="'access-level', 'step-back', 'depth-first'"):
        Strategy.named(name)
    if name is not None:
        with pytest.raises(InvalidInputError, match="unknown"):
            tour((0, 0), "chess", strategy=name, backend=backend)


@pytest.mark.parametrize("option", [{"end": (0, 1)}, {"closed": True}])
def test_a_published_search_has_neither_an_end_nor_closes(backend, option):
    with pytest.raises(InvalidInputError, match="excludes end= and closed="):
        tour((0, 0), "chess", strategy="course", backend=backend, **option)


@pytest.mark.parametrize("size", [0, -1, -20, 2.5, True, "8", None])
def test_a_size_is_a_whole_number_of_at_least_1(size):
    for rows, cols in ((size, 8), (8, size)):
        with pytest.raises(InvalidInputError, match=r"whole number >= 1") as error:
            Board(rows, cols)
        assert repr(size) in str(error.value)


@pytest.mark.parametrize("strategy", ["step-back", "course"])
def test_on_seven_by_seven_24_squares_start_no_tour_and_no_search_claims_to_know(backend, strategy):
    rarer = [(row, col) for row, col in as_board("7x7").squares if (row + col) % 2]
    assert len(rarer) == 24
    for start in rarer:
        with pytest.raises(SearchLimitError):
            tour(start, "7x7", strategy=strategy, max_nodes=3_000, backend=backend)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["step-back", "depth-first", "course"])
def test_five_by_five_from_the_rarer_colour_is_proved_impossible(backend, strategy):
    with pytest.raises(NoTourError, match="all walks from there were tried"):
        tour((0, 1), "5x5", strategy=strategy, backend=backend)
