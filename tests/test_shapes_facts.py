"""What is known of boards of any shape, fact by fact: published cases, theorems, trying everything.

The cases F01 to F25 and X01 to X05 are inputs on which published programs go wrong. The old ones
about rectangles are also tested where their functions are; here each is named, on both engines, and
with the rows and columns exchanged.
"""

import contextlib
import time
from functools import cache
from itertools import pairwise

import pytest

from knighttour import (
    Board,
    DeadEndError,
    InvalidInputError,
    InvalidTourError,
    NoTourError,
    SearchLimitError,
    Strategy,
    check,
    complete,
    count,
    exists,
    scan_text,
    shapes,
    tour,
    tours,
)
from knighttour._engine import get_engine

from .small_questions import KINDS, TASKS, question
from .test_shapes import BOARDS, FACTS, PUZZLES, board_of, puzzle, sat_verdict, swapped

WAYS = ("as given", "transposed")


@pytest.fixture(params=WAYS)
def turned(request):
    """Whether rows and columns are exchanged."""
    return request.param == "transposed"


def flip(square, turned):
    return (square[1], square[0]) if turned and square is not None else square


def sized(rows, cols, turned):
    return Board(cols, rows) if turned else Board(rows, cols)


def flipped(rows, turned):
    """Return a grid, transposed where asked."""
    return [list(column) for column in zip(*rows, strict=True)] if turned else rows


def assert_tour(found, board, start=None, end=None, closed=False):
    """Assert that something is a tour, by rules written down here."""
    squares = [tuple(square) for square in found]
    assert len(squares) == len(set(squares)) == board.size
    assert all(0 <= row < board.rows and 0 <= col < board.cols for row, col in squares)
    steps = list(pairwise(squares)) + ([(squares[-1], squares[0])] if closed else [])
    for (row, col), (other_row, other_col) in steps:
        assert sorted((abs(row - other_row), abs(col - other_col))) == [1, 2]
    assert start is None or squares[0] == start
    assert end is None or squares[-1] == end


# The published cases


def test_f01_all_tours_of_5x5_from_a_corner(backend):
    found = tours((0, 0), "5x5", backend=backend)
    first = next(found)
    rest = list(found)
    everything = [first, *rest]
    assert len(everything) == len({tuple(t) for t in everything}) == 304
    for t in everything:
        assert_tour(t, Board(5, 5), start=(0, 0))
    before = first.tolist()
    copies = [first.tolist(), first.grid(), list(first.order())]
    for copy in copies:
        copy[0] = copy[1]
    assert first.tolist() == before
    assert [t.tolist() for t in rest] == [t.tolist() for t in everything[1:]]
    for board in ("2x2", "3x3", "4x4"):
        assert list(tours(board=board, backend=backend)) == []
    began = time.process_time()
    assert_tour(next(tours((0, 0), "8x8", backend=backend)), Board(8, 8), start=(0, 0))
    assert time.process_time() - began < 5


@pytest.mark.parametrize("size", [(8, 8), (10, 9), (9, 10)], ids=str)
def test_f02_a_tour_from_every_square(size, backend):
    board = Board(*size)
    for square in board.squares:
        assert_tour(tour(square, board, backend=backend), board, start=square)


# The orders that F03 and F04, and F05, name.
F03 = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
F05 = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def plain(order, turned):
    return Strategy(tuple(flip(move, turned) for move in order), "none")


def test_f03_a_hopeless_search_gives_up_and_claims_nothing(turned, backend):
    rule = plain(F03, turned)
    limit = 3_000_000 if backend == "core" else 30_000
    with pytest.raises(SearchLimitError, match="nothing is proved") as caught:
        tour(flip((3, 5), turned), "8x8", strategy=rule, max_nodes=limit, backend=backend)
    assert caught.value.stats.nodes == limit
    with pytest.raises(SearchLimitError, match="nothing is proved"):
        tour(flip((3, 5), turned), "8x8", strategy=rule, timeout=0.05, backend=backend)


def test_f04_plain_backtracking_on_8x8(turned, core):
    found = tour((0, 0), "8x8", strategy=plain(F03, turned), backend=core)
    assert found.stats.nodes == 8_250_733
    assert flipped(found.grid(0), turned)[0] == [0, 59, 38, 33, 30, 17, 8, 63]


def test_f05_plain_backtracking_on_5x5_and_6x6(turned, backend):
    rule = plain(F05, turned)
    found = tour((0, 0), "5x5", strategy=rule, backend=backend)
    assert found.stats.nodes == 41
    assert flipped(found.grid(), turned) == [
        [1, 20, 17, 12, 3],
        [16, 11, 2, 7, 18],
        [21, 24, 19, 4, 13],
        [10, 15, 6, 23, 8],
        [25, 22, 9, 14, 5],
    ]
    assert next(tours((0, 0), "5x5", strategy=rule, backend=backend)) == found
    six = tour((0, 0), "6x6", strategy=rule, backend=backend)
    assert six.stats.nodes == 5_422
    assert flipped(six.grid(), turned)[0] == [1, 28, 33, 20, 3, 26]


@pytest.mark.parametrize("size", [(6, 6, 36), (5, 6, 30), (4, 6, 12)], ids=str)
def test_f06_how_many_squares_start_a_tour(size, turned, backend):
    rows, cols, starts = size
    board = sized(rows, cols, turned)
    for can in (
        lambda s: exists(board, start=s, backend=backend),
        lambda s: shapes_find(board, s, backend) is not None,
    ):
        assert sum(map(can, board.squares)) == starts


def shapes_find(board, start, backend):
    """Ask the general method of this page, not the construction of rectangles."""
    try:
        return shapes.find(get_engine(backend), board, start)
    except NoTourError:
        return None


@pytest.mark.parametrize(
    ("order", "tie", "most", "stuck"),
    [
        (F05, "first", 60, {41, 52, 59, 60}),
        (F05, "last", 61, {7, 38, 41, 54, 56, 61}),
        (F03, "first", 66, {64, 66}),
        (F03, "last", 63, {61, 63}),
    ],
    ids=["F07", "F08", "F09 first", "F09 last"],
)
def test_f07_to_f09_the_first_sizes_that_warnsdorff_misses(order, tie, most, stuck, turned, core):
    rule = Strategy(
        tuple(flip(move, turned) for move in order), "dynamic", tie=tie, backtrack=False
    )
    missed = set()
    for n in range(5, most + 1):
        try:
            tour((0, 0), (n, n), strategy=rule, backend=core)
        except DeadEndError:
            missed.add(n)
    assert missed == stuck
    for n in sorted(missed):  # a heuristic that fails proves nothing
        assert_tour(tour((0, 0), (n, n), backend=core), Board(n, n), start=(0, 0))


def test_f10_around_the_centre_of_50x50(backend):
    board = Board(50, 50)
    for square in [(row, col) for row in range(23, 27) for col in range(23, 27)]:
        assert_tour(tour(square, board, backend=backend), board, start=square)


@pytest.mark.parametrize("size", [(88, 90), (88, 91), (88, 92), (200, 200), (201, 201), (202, 202)])
def test_f11_boards_on_which_programs_fail(size, turned, backend):
    board = sized(*size, turned)
    for start in [(0, 0), (board.rows // 2, board.cols // 2 - board.rows // 2 % 2)]:
        found = tour(start, board, backend=backend)
        assert found.verify() is None
        if board.size < 10_000:
            assert_tour(found, board, start=start)


def test_f12_closed_on_21x22(turned, backend):
    board = sized(21, 22, turned)
    assert_tour(tour(board=board, closed=True, backend=backend), board, closed=True)


def test_f13_no_closed_tour_of_odd_by_odd(backend):
    began = time.process_time()
    for rows in (1, 3, 5, 7, 9, 73, 1001):
        for cols in (1, 3, 5, 7, 9, 73, 1001):
            with pytest.raises(NoTourError) as caught:
                tour(board=(rows, cols), closed=True, backend=backend)
            assert str(caught.value).endswith(".")
            assert caught.value.source
    assert time.process_time() - began < 5


def test_f14_closed_from_each_square_of_8x8(backend):
    board = Board(8, 8)
    for square in board.squares:
        found = tour(square, board, closed=True, backend=backend)
        assert_tour(found, board, start=square, closed=True)


def test_f15_odd_boards_from_the_minority_colour(turned, backend):
    for n in (5, 7):
        with pytest.raises(NoTourError):
            tour(flip((0, 1), turned), (n, n), backend=backend)
    board = Board(7, 7)
    starts = [s for s in board.squares if exists(board, start=s, backend=backend)]
    assert starts == [(row, col) for row, col in board.squares if (row + col) % 2 == 0]
    assert len(starts) == 25


def test_f16_ends_of_one_colour(turned, backend):
    h8, h1 = flip((0, 7), turned), flip((7, 7), turned)
    with pytest.raises(NoTourError):
        tour(flip((7, 0), turned), "8x8", end=h8, backend=backend)
    found = tour(flip((7, 0), turned), "8x8", end=h1, backend=backend)
    assert_tour(found, Board(8, 8), start=flip((7, 0), turned), end=h1)
    board = sized(10, 9, turned)
    with pytest.raises(NoTourError):
        tour((0, 0), board, end=flip((9, 1), turned), backend=backend)


def test_f17_two_given_ends(turned, backend):
    assert tours((0, 0), "5x5", end=(4, 4), backend=backend).skip() == 56
    assert tours((0, 0), "5x5", end=flip((0, 4), turned), backend=backend).skip() == 60


def test_f18_a_leaper_that_keeps_its_colour(backend):
    for rows in range(1, 13):
        for cols in range(1, 13):
            for leaper in ((1, 3), (3, 1), (2, 4), (1, 1)):
                board = Board(rows, cols, leaper=leaper)
                if rows * cols == 1:
                    assert len(tour(board=board, backend=backend)) == 1
                    continue
                with pytest.raises(NoTourError):
                    tour(board=board, backend=backend)
                assert list(tours(board=board, backend=backend)) == []
    with pytest.raises(NoTourError) as caught:
        tour(board=Board(10, 12, leaper=(1, 3)), backend=backend)
    assert caught.value.reason == "leaper-keeps-its-colour"


def test_f19_the_ring_of_eight(turned, backend):
    for board in (Board.ring(3, 1), Board.parse("...\n.#.\n..."), Board(3, 3, holes=["b2"])):
        grid = tour((0, 0), board, backend=backend).grid()
        assert grid in ([[1, 6, 3], [4, 0, 8], [7, 2, 5]], [[1, 4, 7], [6, 0, 2], [3, 8, 5]])
    every = [t.grid() for t in tours((0, 0), Board.ring(3, 1), backend=backend)]
    assert flipped([[1, 6, 3], [4, 0, 8], [7, 2, 5]], turned) in every
    assert len(every) == 2
    closed = tour(board=Board.ring(3, 1), closed=True, backend=backend)
    assert closed.closed


@pytest.mark.parametrize("value", [0, -1, -20, 2.5, True, "8", None, float("nan")])
def test_f20_sizes_that_are_none(value):
    for make in (lambda: Board(value, 8), lambda: Board(8, value)):
        with pytest.raises(InvalidInputError) as caught:
            make()
        assert repr(value) in str(caught.value)
        assert ">= 1" in str(caught.value)
    for call in (tour, count, tours):
        with pytest.raises(InvalidInputError):
            call(board=(value, 8))
    for shape in (lambda: Board.ring(value, 1), lambda: Board.cross(value, 1)):
        with pytest.raises(InvalidInputError):
            shape()


@pytest.mark.parametrize("square", [(8, 8), (-1, 0), (0, 8), (0, -1), (8, 0)])
def test_f20_squares_that_are_none(square):
    for board in ("8x8", Board(8, 8, holes=["a1", "a2"]), Board(8, 8, wrap="torus")):
        for call in (
            lambda b: tour(square, b),
            lambda b: tour((0, 0), b, end=square),
            lambda b: tours(square, b),
        ):
            with pytest.raises(InvalidInputError) as caught:
                call(board)
            assert repr(square) in str(caught.value)
            assert "(0, 0) to (7, 7)" in str(caught.value)
    from_one = [(1, 1), (3, 2), (1, 3), (3, 4), (2, 2), (1, 4), (3, 3), (2, 1), (3, 1)]
    with pytest.raises(InvalidTourError):
        check(from_one, "8x8", base=1)


def test_f20_with_input_from_1_the_squares_1_to_8_are_valid(backend):
    found = tour((7, 7), "8x8", backend=backend)
    words = "\n".join(f"{row + 1},{col + 1}" for row, col in found)
    (reading,) = scan_text(words, base=1, board="8x8")
    assert reading.check(backend=backend) == found


def test_f21_one_square_one_row_two_rows(backend):
    assert len(tour(board="1x1", backend=backend)) == 1
    assert tours(board="1x1", backend=backend).skip() == 1
    for n in range(1, 40):
        for size in ((1, n), (n, 1), (2, n), (n, 2)):
            if size == (1, 1):
                continue
            with pytest.raises(NoTourError):
                tour(board=size, backend=backend)
            assert list(tours(board=size, backend=backend)) == []


def test_f22_three_lines_of_four_numbers(turned, backend):
    board = sized(3, 4, turned)
    shape = (4, 3) if turned else (3, 4)
    found = tour(board=board, backend=backend)
    every = list(tours(board=board, backend=backend))
    assert found in every
    assert len(every) == 16
    for t in (
        found,
        shapes.find(get_engine(backend), board),
        complete([[0] * shape[1]] * shape[0]),
    ):
        assert [len(t.grid()), *map(len, t.grid())] == [shape[0]] + [shape[1]] * shape[0]
        assert len(str(t).splitlines()) == shape[0]
        assert [row.count(0) for row in t.grid()] == [0] * shape[0]
    assert [len(board.degrees()), len(board.degrees()[0])] == list(shape)


def test_f23_nothing_swaps_silently(turned):
    (reading,) = scan_text("x=2, y=1", base=1, board="4x3" if turned else "3x4")
    assert reading.entries == [(0, 1)]  # x is the column
    with pytest.raises(InvalidInputError, match="base"):
        scan_text("x=2, y=1")


def test_f24_a_number_that_is_missing_and_one_out_of_range(turned, backend):
    grid = flipped(tour(board="8x8", backend=backend).grid(), turned)
    last = next((r, c) for r in range(8) for c in range(8) if grid[r][c] == 64)
    grid[last[0]][last[1]] = 0  # the last square was never written
    with pytest.raises(InvalidTourError) as caught:
        check(grid, base=1, backend=backend)
    assert caught.value.faults.missing == (64,)
    assert caught.value.faults.out_of_range
    assert complete(grid, backend=backend).grid()[last[0]][last[1]] == 64


def test_f25_half_of_the_moves_never_give_a_part_filled_board(turned, backend):
    half = {flip(move, turned) for move in ((2, 1), (1, 2), (-1, 2), (-2, 1))}
    with pytest.raises(InvalidInputError, match="eight"):
        Strategy(tuple(half), "none")
    # Forbidding a move forbids the way back too, so one of each pair of opposite moves is left.
    board = sized(5, 5, turned)
    kept = {move for move in half if move[0] > 0 or move[1] > 0}
    taken = [
        (square, other)
        for square in board.squares
        for other in board.neighbours(square)
        if not {
            (other[0] - square[0], other[1] - square[1]),
            (square[0] - other[0], square[1] - other[1]),
        }
        & kept
    ]
    blank = [[0] * board.cols for _ in range(board.rows)]
    assert not taken  # half of the moves and their ways back are all moves
    up = [(s, t) for s in board.squares for t in board.neighbours(s) if t[0] - s[0] in (1, -1)]
    with pytest.raises(NoTourError):
        complete(blank, board, forbidden=up, backend=backend)


# X01 to X05: the engines know the same moves as the board, and so do images of the position

MIDGAME = "4ka3/4aN3/9/RC7/2b3b2/9/9/4p4/3nr3r/5K3"
OPENING = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
EMPTY = "9/9/9/9/9/9/9/9/9/9"


def engine_moves(board, square, backend):
    """Return where an engine's graph leads from a square."""
    graph = shapes.graph_of(get_engine(backend), board)
    squares = list(board.squares)
    v = graph.vertex(square[0] * board.cols + square[1])
    return sorted(squares[w] for w in graph.neighbours(v))


@pytest.mark.parametrize(
    ("fen", "horse", "leg_rule", "names"),
    [
        (MIDGAME, "f8", True, ["e6", "g6", "h7", "h9"]),
        (MIDGAME, "f8", False, ["d7", "d9", "e6", "g6", "h7", "h9"]),
        (OPENING, "b0", True, ["a2", "c2"]),
        (OPENING, "b0", False, ["a2", "c2"]),  # d1 is empty: the rule alone keeps it away
        (EMPTY.replace("9", "1N7", 1), "b9", True, ["a7", "c7", "d8"]),
        (MIDGAME.replace("N", "H").replace("n", "h"), "f8", True, ["e6", "g6", "h7", "h9"]),
    ],
)
def test_x01_to_x05_where_a_horse_goes(fen, horse, leg_rule, names, turned, backend):
    board = Board.from_fen(fen, leg_rule, horse=horse)
    expected = sorted(map(board.square, names))
    if not leg_rule and horse == "b0":
        expected = sorted([*expected, board.square("d1")])
    square = board.square(horse)
    if turned:
        board = board.transformed("transpose")
        square, expected = flip(square, True), sorted(flip(s, True) for s in expected)
    assert sorted(board.neighbours(square)) == expected
    assert engine_moves(board, square, backend) == expected


def test_x03_a_piece_blocks_one_way_only(turned, backend):
    board = Board.from_fen("1p7/9/9/9/9/9/9/9/9/9")
    one, other = (0, 0), (1, 2)
    if turned:
        board, other = board.transformed("transpose"), (2, 1)
    assert other not in engine_moves(board, one, backend)
    assert one in engine_moves(board, other, backend)
    # Directed tours are counted as such: the reverse of a tour may be none.
    points = ["a9", "c8", "b7", "d9", "a8"]
    small = Board.from_fen("1p7/9/9/9/9/9/9/9/9/9", points=points)
    walks = {tuple(t) for t in tours(board=small, backend=backend)}
    assert any(walk[::-1] not in walks for walk in walks) or not walks


def test_x04_the_empty_board(backend):
    board = Board.from_fen(EMPTY)
    assert board == Board(10, 9)
    assert board.degrees() == Board(10, 9).degrees()
    assert not board.is_directed
    found = tour("a0", board, backend=backend)
    assert_tour(found, board, start=(9, 0))
    assert found.reversed().start == found.end


def test_x05_letters_and_ranks():
    for fen in (MIDGAME, OPENING):
        assert Board.from_fen(fen) == Board.from_fen(fen.translate(str.maketrans("nN", "hH")))
    board = Board.from_fen(EMPTY)
    assert [board.name((9, 0)), board.name((0, 8))] == ["a0", "i9"]
    assert board.name((0, 8), ranks="1-10") == "i10"
    assert board.square("a10", ranks="1-10") == (0, 0)
    with pytest.raises(InvalidInputError, match=r'ranks="1-10"'):
        board.square("a10")


# The forty boards: how many tours they have

#: These the pure engine counts within seconds.
LIGHT = {"dia2_3_c", "cyl_3x7_c", "nar_9x4_0_o"}


@pytest.mark.parametrize(
    "fact",
    [fact for fact in BOARDS if fact["count"]],
    ids=lambda fact: fact["name"],
)
def test_the_forty_boards_have_as_many_tours_as_stated(fact, turned, backend):
    if backend == "pure" and fact["name"] not in LIGHT:
        pytest.skip("minutes in pure Python")
    board = board_of(fact)
    start, end = swapped(fact["start"]), swapped(fact["end"])
    if turned:
        board = board.transformed("transpose")
        start, end = flip(start, True), flip(end, True)
    if fact["name"] == "tor_5x3_c" and not turned:
        pytest.skip("seconds of work for every core; the transposed board is counted")
    directed = fact["count_unit"] == "directed"
    ways = {"start": start, "end": end, "closed": fact["closed"], "directed": directed}
    assert count(board, backend=backend, **ways) == fact["count"]


@pytest.mark.parametrize("fact", PUZZLES, ids=lambda fact: fact["name"])
def test_the_puzzles_have_as_many_completions_as_stated(fact, turned, backend):
    if fact["count"] > 10 and backend == "pure":
        pytest.skip("thousands of puzzles take the compiled engine")
    grid = flipped(puzzle(fact), turned)
    found = all_completions(grid, backend, 200)
    assert len(found) == fact["count"]
    if not found:
        with pytest.raises(NoTourError):
            complete(grid, unique=True, backend=backend)
        return
    answer = complete(grid, unique=True, backend=backend)
    assert answer.unique == (fact["count"] == 1)
    assert tuple(answer.tour) in found
    assert answer.second is None or tuple(answer.second) in found - {tuple(answer.tour)}


def all_completions(grid, backend, most):
    """List completions by forbidding one move of each that is known, again and again.

    A completion differs from a known one in some first move: all completions are one of those that
    begin like the known one up to some step and then make another move.
    """
    found = set()

    def collect(grid):
        if len(found) > most:
            return
        try:
            known = complete(grid, backend=backend)
        except NoTourError:
            return
        found.add(tuple(known))
        numbered = {step: (r, c) for r, row in enumerate(grid) for c, step in enumerate(row)}
        fixed = [list(row) for row in grid]
        for step, (row, col) in enumerate(known, 1):
            if step in numbered:
                continue
            if step == 1:
                choices = known.board.squares
            else:
                choices = known.board.neighbours(known[step - 2])
            for other_row, other_col in choices:
                if (other_row, other_col) != (row, col) and fixed[other_row][other_col] == 0:
                    branch = [list(line) for line in fixed]
                    branch[other_row][other_col] = step
                    collect(branch)
            fixed[row][col] = step

    collect(grid)
    return found


def test_the_facts_are_all_there():
    assert len(FACTS) == 40
    assert sum(fact["feasible"] for fact in FACTS) == 27


# Theorems: Watkins and Hoenigman 1997 (tori), Watkins 2004, page 71 (cylinders)


def torus_has_one(rows, cols):
    """Every torus has a closed tour; one of one or two squares has no second move to close it."""
    return rows * cols > 2


def cylinder_has_one(rows, cols):
    """The columns wrap. The simple graph of one or two squares has no closed tour."""
    return not (rows * cols <= 2 or rows == 1 or (rows in (2, 4) and cols % 2 == 0))


SMALL = [(rows, cols) for rows in range(1, 25) for cols in range(1, 24 // rows + 1)]


@pytest.mark.parametrize("wrap", ["torus", "cols", "rows"])
def test_tori_and_cylinders_of_up_to_24_squares(wrap, backend):
    for rows, cols in SMALL:
        size = (cols, rows) if wrap == "rows" else (rows, cols)
        board = Board(*size, wrap=wrap)
        expected = torus_has_one(rows, cols) if wrap == "torus" else cylinder_has_one(rows, cols)
        assert exists(board, closed=True, backend=backend) == expected, board
        if expected:
            found = tour(board=board, closed=True, backend=backend)
            squares = [*found, found[0]]
            assert sorted(set(squares)) == sorted(board.squares)
            assert all(wrapped_move(a, b, size, wrap) for a, b in pairwise(squares))
            assert len(squares) == board.size + 1


def wrapped_move(one, other, size, wrap):
    """Whether a knight moves so, by the rule of the move alone."""
    downs, rights = other[0] - one[0], other[1] - one[1]
    ways = [
        (downs + i * size[0] * (wrap != "cols"), rights + j * size[1] * (wrap != "rows"))
        for i in range(-2, 3)
        for j in range(-2, 3)
    ]
    return one != other and any(sorted(map(abs, way)) == [1, 2] for way in ways)


@pytest.mark.parametrize("wrap", ["torus", "cols"])
def test_the_smallest_tori_and_cylinders_by_trying_everything(wrap, backend):
    for rows, cols in [
        size for size in SMALL if size[0] * size[1] <= (12 if backend == "core" else 9)
    ]:
        squares = [(row, col) for row in range(rows) for col in range(cols)]
        near = {a: [b for b in squares if wrapped_move(a, b, (rows, cols), wrap)] for a in squares}
        board = Board(rows, cols, wrap=wrap)
        for closed in (True, False):
            walks = walks_of(near, closed)
            assert tours(board=board, closed=closed, backend=backend).skip() == walks, board
            assert exists(board, closed=closed, backend=backend) == (walks > 0), board


def walks_of(near, closed):
    """Count the walks through everything; closed ones of more than two squares, from the first."""
    everything = frozenset(near)

    @cache
    def ways(here, left):
        if not left:
            return int(not closed or first in near[here])
        return sum(ways(there, left - {there}) for there in near[here] if there in left)

    total = 0
    for first in list(near)[: 1 if closed else None]:
        ways.cache_clear()
        total += ways(first, everything - {first})
    return 0 if closed and len(near) <= 2 else total


# Two thousand questions about small boards, answered by trying everything

BLOCK = 200


@cache
def expected(number):
    asked = question(number)
    return asked, asked.answers(2)


@pytest.mark.parametrize("block", range(2000 // BLOCK))
def test_two_thousand_questions_as_trying_everything_answers_them(block, backend):
    for number in range(BLOCK * block, BLOCK * (block + 1)):
        asked, answers = expected(number)
        try:
            found, unique = asked.ask(backend)
        except NoTourError:
            found, unique = [], None
        assert bool(found) == bool(answers), number
        assert all(map(asked.wants, found)), number
        assert unique in (None, len(answers) == 1), number
        assert unique is not False or found[0] != found[1], number


def test_the_questions_are_of_every_kind_and_have_both_answers():
    tally = {}
    for number in range(2000):
        asked, answers = expected(number)
        tally.setdefault((asked.kind, asked.task), []).append(bool(answers))
    assert len(tally) == len(KINDS) * len(TASKS)
    assert all(len(kinds) > 40 and 0 < sum(kinds) < len(kinds) for kinds in tally.values())


@pytest.mark.slow
def test_two_thousand_larger_boards_agree_with_a_sat_solver():
    solvers = pytest.importorskip("pysat.solvers")
    import random

    source = random.Random(17)
    tally = [0, 0]
    for _ in range(2000):
        rows, cols = source.randrange(4, 8), source.randrange(4, 8)
        share = source.choice([0, 0.02, 0.05, 0.1, 0.2])
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        holes = [cell for cell in cells if source.random() < share]
        options = {
            "wrap": source.choice([None, None, None, "rows", "cols", "torus"]),
            "leaper": source.choice([(1, 2)] * 6 + [(2, 3), (1, 4), (0, 1)]),
        }
        board = Board(rows, cols, holes=holes, **options)
        if source.random() < 0.25:
            pieces = set(source.sample(cells, source.randrange(6)))
            text = "/".join(
                "".join("p" if (r, c) in pieces else "1" for c in range(9)) for r in range(10)
            )
            board = Board.from_fen(text, points=[cell for cell in cells if cell not in pieces])
        closed = source.random() < 0.5
        if board.size < 3:
            continue
        found = True
        try:
            shapes.find(get_engine(), board, closed=closed)
        except NoTourError:
            found = False
        other = sat_verdict(solvers, board, closed, 2000)
        assert other in (None, found), (board, closed)
        tally[found] += other is not None
    assert min(tally) > 200


@pytest.mark.parametrize("block", range(4))
def test_the_two_factor_part_alone_answers_them_too(both_engines, block, monkeypatch):
    for name in ("small", "middle", "large"):
        monkeypatch.setattr(shapes._Solver, name, 0)
    monkeypatch.setattr(shapes, "_SECONDS", 1.0)
    decided = total = 0
    for number in range(500 * block, 500 * (block + 1)):
        asked, answers = expected(number)
        if asked.task in ("moves", "numbers"):
            continue
        total += 1
        with contextlib.suppress(SearchLimitError):
            try:
                found = asked.ask("core")[0]
            except NoTourError:
                found = []
            assert all(map(asked.wants, found)), number
            assert bool(found) == bool(answers), number
            decided += 1
    assert decided > 0.98 * total


# Every named reason, on both engines, transposed too

ROOKLIKE = {"leaper": (0, 1)}
FIGURE = "..###\n....#\n#....\n###.."  # three blocks that hang together by one square each


def asked_of(number):
    """Return a question of the two thousand, as arguments."""
    q = question(number)
    return q.board, {"start": q.start, "end": q.end, "closed": q.closed}


#: reason, board, question, squares reported (None: any number but none)
REASONS = [
    ("empty-board", Board.parse("##"), {}, 0),
    ("single-square", Board.parse("#."), {"closed": True}, 1),
    ("two-squares", Board.parse(".#\n##\n#."), {"closed": True}, 2),
    ("start-is-end", Board.ring(3, 1), {"start": (0, 0), "end": (0, 0)}, 1),
    (
        "end-not-next-to-start",
        Board.ring(3, 1),
        {"start": (0, 0), "end": (0, 1), "closed": True},
        2,
    ),
    ("isolated-square", Board(3, 3, holes=[(0, 0)]), {}, 1),
    ("disconnected", Board.parse("...###...\n.#.###.#.\n...###..."), {}, 2),
    ("leaper-keeps-its-colour", Board(10, 12, leaper=(1, 3)), {}, 2),
    ("colour-counts", Board(8, 8, holes=["a1"]), {"closed": True}, 0),
    ("colour-counts", Board(8, 8, holes=["a1", "c1"]), {}, 0),
    ("end-on-wrong-colour", Board(8, 8, holes=["a1"]), {"start": (6, 1)}, 1),
    ("ends-on-the-same-colour", Board.ring(3, 1), {"start": (0, 0), "end": (0, 2)}, 2),
    ("degree-1-square", Board(8, 8, holes=["b3", "b4"]), {"closed": True}, 1),
    ("too-many-ends-forced", Board.cross(2, 3), {}, None),
    ("articulation-square", Board.parse(FIGURE, **ROOKLIKE), {"closed": True}, 1),
    ("square-separating-three-parts", *asked_of(563), 1),
    ("end-square-separates-the-board", Board.parse(FIGURE, **ROOKLIKE), {"start": (1, 1)}, 1),
    ("dead-end-square", *asked_of(814), None),
    ("not-strongly-connected", *asked_of(10), 2),
    ("strong-components-not-in-a-line", *asked_of(268), 2),
    ("forced-moves-contradict", Board.ring(8, 2), {"closed": True}, None),
    ("no-2-factor", board_of(next(f for f in FACTS if f["name"] == "nar_12x4_2_o")), {}, None),
    ("exhausted-search", *asked_of(634), 0),
]


def refused(board, ways, backend):
    start, end = ways.get("start"), ways.get("end")
    with pytest.raises(NoTourError) as caught:
        shapes.find(get_engine(backend), board, start, end, closed=ways.get("closed", False))
    error = caught.value
    sentence = str(error)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert error.source
    assert all(square in board for square in error.squares)
    if error.squares and error.reason not in ("two-squares", "single-square", "start-is-end"):
        named = [board.name(square) in sentence for square in error.squares]
        assert any(named) or error.reason in LOOPS
    return error


#: Proofs that report more squares than a sentence can name.
LOOPS = ("local-obstruction", "short-loop-cannot-be-opened")


@pytest.mark.parametrize(("reason", "board", "ways", "squares"), REASONS, ids=lambda v: str(v)[:30])
def test_every_reason_is_reached_and_shows_its_squares(
    reason, board, ways, squares, turned, backend
):
    if turned:
        board = board.transformed("transpose")
        ways = {k: flip(v, True) if k in ("start", "end") else v for k, v in ways.items()}
    error = refused(board, ways, backend)
    assert error.reason == reason
    assert len(error.squares) == squares if squares is not None else error.squares


@pytest.mark.parametrize(
    ("reason", "board", "squares"),
    [
        ("no-2-factor", Board(4, 4, holes=[(1, 3), (2, 3)]), 4),
        ("short-loop-cannot-be-opened", Board(4, 4, holes=[(1, 2), (3, 3)]), 4),
        ("local-obstruction", Board(4, 6, holes=[(1, 3), (1, 5), (3, 4)]), 9),
    ],
)
def test_the_proofs_for_boards_too_large_to_be_searched(
    reason, board, squares, turned, backend, monkeypatch
):
    # On boards as small as these the exact search would answer first.
    for name in ("small", "middle", "large"):
        monkeypatch.setattr(shapes._Solver, name, 0)
    if turned:
        board = board.transformed("transpose")
    error = refused(board, {}, backend)
    if not turned:
        assert (error.reason, len(error.squares)) == (reason, squares)
    else:  # another order of the squares may lead to another proof
        assert error.reason in (*LOOPS, "no-2-factor", "forced-moves-contradict")
        assert error.squares


def test_the_reasons_of_puzzles(turned, backend):
    for steps, reason in (
        ({5: (0, 0), 6: (0, 1)}, "clues-not-adjacent"),
        ({5: (0, 0), 8: (1, 1)}, "clue-on-the-wrong-colour"),
    ):
        grid = [[0] * 8 for _ in range(8)]
        for step, square in steps.items():
            row, col = flip(square, turned)
            grid[row][col] = step
        with pytest.raises(NoTourError) as caught:
            complete(grid, backend=backend)
        assert caught.value.reason == reason
        assert set(caught.value.squares) == {flip(square, turned) for square in steps.values()}
        assert all(Board(8, 8).name(square) in str(caught.value) for square in caught.value.squares)


def test_no_reason_is_left_untested():
    import re
    from pathlib import Path

    source = Path(shapes.__file__).read_text("utf-8")
    named = set(re.findall(r'_ImpossibleError\(\s*"([a-z0-9-]+)"', source))
    tested = {reason for reason, *_ in REASONS} | set(LOOPS)
    assert named == tested | {"clues-not-adjacent", "clue-on-the-wrong-colour"}
    page = Path(__file__).parents[1] / "docs" / "shapes.md"
    if not page.exists():
        pytest.skip("the page is in the checkout alone")
    assert all(f"`{reason}`" in page.read_text("utf-8") for reason in named)
