"""Boards: sizes, squares, names, neighbours, and every way to get them wrong."""

import copy
import pickle
import re

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import KNIGHT_MOVES, Board, InvalidInputError, Strategy
from knighttour.board import as_board

from .checker import is_move

sizes = st.integers(1, 60)


@pytest.mark.parametrize(
    ("given_board", "rows", "cols"),
    [
        ("xiangqi", 10, 9),
        ("chess", 8, 8),
        ("Chess ", 8, 8),
        ("3x10", 3, 10),
        ("10X3", 10, 3),
        (" 5 x 6 ", 5, 6),
        ((4, 7), 4, 7),
        ([7, 4], 7, 4),
        ((np.int64(5), np.int8(9)), 5, 9),
        (np.array([2, 3]), 2, 3),
        (Board(2, 3), 2, 3),
        ("1000000000x1000000000", 10**9, 10**9),
    ],
)
def test_everything_that_means_a_board_is_accepted(given_board, rows, cols):
    assert as_board(given_board).shape == (rows, cols)


@pytest.mark.parametrize("size", [0, -1, -20, 2.5, True, "8", None, float("nan"), np.bool_(True)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_bad_size_is_refused_with_its_value_and_the_remedy(size, turned):
    with pytest.raises(InvalidInputError, match=r"use a whole number >= 1") as caught:
        Board(*((size, 8) if turned else (8, size)))

    assert repr(size) in str(caught.value)


@pytest.mark.parametrize(
    "nonsense", ["", "8", "8x", "x8", "8x8x8", "0x8", "chessboard", "-3x4", 8, (8,), (1, 2, 3), {}]
)
def test_what_is_no_board_is_refused(nonsense):
    with pytest.raises(InvalidInputError):
        as_board(nonsense)


def test_a_board_too_large_for_64_bits_is_refused():
    with pytest.raises(InvalidInputError, match=r"2\^63"):
        Board(2**32, 2**31)
    assert Board(2**32, 2**31 - 1).size < 2**63


def test_equality_is_size_and_graph_not_naming():
    assert as_board("xiangqi") == Board(10, 9)
    assert hash(as_board("xiangqi")) == hash(Board(10, 9))
    assert Board(10, 9) != Board(9, 10)
    assert Board(8, 8) != "8x8"


def test_a_board_is_immutable_and_copies():
    board = as_board("xiangqi")
    with pytest.raises(AttributeError):
        board.rows = 3
    with pytest.raises(AttributeError):
        del board.rows
    for clone in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert clone == board
        assert clone.naming == "iccs"


@given(sizes, sizes, st.sampled_from(["algebraic", "iccs"]), st.data())
def test_name_and_square_are_inverse(rows, cols, naming, data):
    board = Board(rows, cols, naming=naming)
    square = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    ranks = data.draw(st.sampled_from([None, "0-9", "1-10"]))

    name = board.name(square, ranks=ranks)

    assert board.square(name, ranks=ranks) == square
    assert board.square(name.upper(), ranks=ranks) == square


@given(st.integers(0, 2**62))
def test_column_letters_round_trip(col):
    board = Board(1, col + 1)
    assert board.square(board.name((0, col))) == (0, col)


def test_the_corners_are_called_as_players_call_them():
    chess, xiangqi = as_board("chess"), as_board("xiangqi")
    assert chess.name((7, 0)) == "a1"
    assert chess.name((0, 7)) == "h8"
    assert xiangqi.name((9, 0)) == "a0"
    assert xiangqi.name((0, 0)) == "a9"
    assert xiangqi.name((0, 8), ranks="1-10") == "i10"
    assert as_board("10x9").name((9, 0)) == "a1"


def test_rank_ten_without_the_option_is_an_error_that_names_the_option():
    with pytest.raises(InvalidInputError, match=r'ranks="1-10"'):
        as_board("xiangqi").square("a10")
    assert as_board("xiangqi").square("a10", ranks="1-10") == (0, 0)


@pytest.mark.parametrize(
    "name", ["", "a", "9", "a0", "i1", "a9", "é1", "a1b2", "a-1", "a１", "a" * 99]
)
def test_a_name_that_is_not_on_the_chessboard_is_refused(name):
    with pytest.raises(InvalidInputError, match=r"a1 .*h8"):
        Board(8, 8).square(name)


@pytest.mark.parametrize(
    "square",
    [(8, 8), (-1, 0), (0, 8), (0, -1), (True, 0), (0.0, 1), ("0", 1), (0,), (0, 1, 2), 64, -1, None,
     (np.float64(1), 1), (np.bool_(False), 1)],
)  # fmt: skip
def test_a_square_off_the_board_is_refused_and_negative_never_wraps(square):
    board = Board(8, 8)
    with pytest.raises(InvalidInputError, match=r"\(0, 0\) to \(7, 7\)"):
        board.check_square(square)
    assert square not in board.squares


def test_numpy_integers_are_squares():
    assert Board(8, 8).check_square((np.int64(3), np.uint8(4))) == (3, 4)
    assert Board(8, 8).check_square(np.array([3, 4])) == (3, 4)


@pytest.mark.parametrize("board", ["chess", "xiangqi"])
def test_numbers_of_python_chess_and_cchess_are_squares_of_their_boards(board):
    board = as_board(board)
    numbered = [board.check_square(number) for number in range(board.size)]
    assert sorted(numbered) == list(board.squares)
    # From the bottom left to the right, and then upwards.
    assert numbered[:2] == [(board.rows - 1, 0), (board.rows - 1, 1)]
    assert numbered[-1] == (0, board.cols - 1)
    assert board.check_square(np.int8(5)) == (board.rows - 1, 5)
    assert board.name(0) == board.name((board.rows - 1, 0))
    assert board.neighbours(0) == board.neighbours((board.rows - 1, 0))
    for wrong in (board.size, -1, True, 5.0, np.True_, np.float32(1)):
        with pytest.raises(InvalidInputError):
            board.check_square(wrong)


@pytest.mark.parametrize("shape", [(9, 10), (3, 4), (4, 3), (8, 9), (64, 1)])
def test_a_number_is_no_square_of_another_board(shape):
    with pytest.raises(InvalidInputError, match="only the squares of 8x8 and 10x9 have numbers"):
        Board(*shape).check_square(0)


def test_a_number_in_a_list_of_squares_is_refused():
    # holes=(0, 1) may be meant as one square, and a walk as flat indices from the top.
    with pytest.raises(InvalidInputError, match="hole 0 is a number in a list"):
        Board(8, 8, holes=(0, 1))
    with pytest.raises(InvalidInputError, match="is a number in a list"):
        Board(8, 8)._check_entry(5)
    holed = Board(8, 8, holes=["a1"])
    with pytest.raises(InvalidInputError, match="a hole"):
        holed.check_square(0)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 7), (3, 4), (4, 3), (10, 9), (9, 10)])
def test_neighbours_are_the_knights_moves(rows, cols):
    board = Board(rows, cols)
    for square in board.squares:
        expected = {other for other in board.squares if is_move(square, other)}
        assert set(board.neighbours(square)) == expected
        assert len(board.neighbours(square)) == board.degree(square) == len(expected)
        assert all(board.are_adjacent(square, other) for other in expected)


def test_the_table_of_visit_levels_of_the_chessboard():
    assert Board(8, 8).degrees()[:4] == [
        [2, 3, 4, 4, 4, 4, 3, 2],
        [3, 4, 6, 6, 6, 6, 4, 3],
        [4, 6, 8, 8, 8, 8, 6, 4],
        [4, 6, 8, 8, 8, 8, 6, 4],
    ]


@pytest.mark.parametrize(("rows", "cols"), [(8, 8), (3, 4), (4, 3)])
def test_the_move_table_says_what_stays_on_the_board(rows, cols):
    order = Strategy.named("access-level").order
    table = Board(rows, cols).move_table(order)
    assert len(table) == rows * cols
    for (row, col), legal in zip(Board(rows, cols).squares, table, strict=True):
        assert legal == [
            int(0 <= row + drow < rows and 0 <= col + dcol < cols) for drow, dcol in order
        ]
    degrees = [degree for row in Board(rows, cols).degrees() for degree in row]
    assert [sum(legal) for legal in Board(rows, cols).move_table()] == degrees


def test_tables_of_huge_boards_are_refused_with_advice():
    for table in ("degrees", "move_table", "to_networkx"):
        with pytest.raises(InvalidInputError, match="instead"):
            getattr(Board(10**9, 10**9), table)()


def test_squares_say_how_many_they_are():
    assert repr(Board(3, 4).squares) == "<12 squares, (0, 0) to (2, 3)>"
    holed = Board(3, 4, holes=["a1"]).squares
    assert repr(holed) == "<11 squares of 3x4>"
    assert "a2" not in holed
    assert (1, 0, 0) not in holed


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Board(8, 8, naming="german"), "naming='german' is not a naming of squares"),
        (lambda: Board(8, 8, leaper=7), "leaper=7 is not a leaper"),
        (lambda: Board(8, 8).square(7), "7 is not the name of a square"),
        (lambda: Board(8, 8).name("a1", ranks="2-9"), "ranks='2-9' is not a numbering of rows"),
        (lambda: Board(8, 8).name("a1", ranks=[1]), "is not a numbering of rows; use '0-9' or"),
        (lambda: Board(8, 8).transformed("upside down"), "symmetry='upside down' is unknown"),
        (lambda: Board(8, 8).transformed(90), "symmetry=90 is unknown: use rotate180"),
    ],
)
def test_options_that_there_are_not_are_named_with_those_there_are(call, words):
    with pytest.raises(InvalidInputError, match=re.escape(words)):
        call()


def test_squares_are_a_lazy_sequence():
    squares = Board(10**9, 10**9).squares
    assert len(squares) == 10**18
    assert squares[10**9] == (1, 0)
    assert squares[-1] == (10**9 - 1, 10**9 - 1)
    assert squares[5:7] == [(0, 5), (0, 6)]
    assert (10**9, 0) not in squares
    with pytest.raises(IndexError):
        squares[10**18]
    assert list(Board(2, 3).squares) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3), (8, 8)])
def test_the_networkx_graph_is_the_move_graph(rows, cols):
    graph = Board(rows, cols).to_networkx()
    assert set(graph) == set(Board(rows, cols).squares)
    assert all(set(graph[square]) == set(Board(rows, cols).neighbours(square)) for square in graph)
    assert isinstance(graph, networkx.Graph)


def test_knight_moves_are_the_direction_codes():
    assert KNIGHT_MOVES == ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
