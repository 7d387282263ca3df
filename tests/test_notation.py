"""Names of moves and numbers of squares: there and back on every board."""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knighttour import (
    Board,
    InvalidInputError,
    check,
    name_move,
    numbered_square,
    read_move,
    square_number,
    tour,
)
from knighttour.notation import MOVE_STYLES, SIDES

XIANGQI = Board(10, 9, naming="iccs")
SHAPES = [(10, 9), (9, 10), (8, 8), (3, 7), (7, 3), (30, 5), (5, 30)]


@given(
    st.sampled_from(SHAPES),
    st.sampled_from(["iccs", "algebraic"]),
    st.sampled_from(MOVE_STYLES),
    st.sampled_from(sorted(SIDES)),
    st.sampled_from([None, "0-9", "1-10"]),
    st.data(),
)
def test_moves_are_read_back(shape, naming, style, side, ranks, data):
    board = Board(*shape, naming=naming)
    assume(style in ("uci", "iccs") or board.cols <= 9)
    first = data.draw(st.sampled_from(list(board.squares)))
    assume(board.neighbours(first))
    second = data.draw(st.sampled_from(board.neighbours(first)))
    text = name_move(first, second, board, style, side=side, ranks=ranks)
    assert read_move(text, board, first, side=side, ranks=ranks) == (first, second)
    assert read_move(text, board, first, ranks=ranks) == (first, second)


@given(st.sampled_from(SHAPES), st.sampled_from(["iccs", "algebraic"]), st.data())
def test_names_and_numbers_of_squares_are_read_back(shape, naming, data):
    board = Board(*shape, naming=naming)
    square = data.draw(st.sampled_from(list(board.squares)))
    assert numbered_square(square_number(square, board), board) == square
    for ranks in (None, "0-9", "1-10"):
        assert board.square(board.name(square, ranks=ranks), ranks=ranks) == square


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        # The four openings of the red horses, in every book on xiangqi.
        ("h0", "g2", ["马二进三", "馬二進三", "傌二進三", "马2进3", "H2+3", "N2+3", "H0-G2"]),
        ("b0", "c2", ["马八进七", "H8+7", "b0c2"]),
        ("h0", "i2", ["马二进一", "H2+1"]),
        ("b0", "a2", ["马八进九", "H8+9"]),
        ("g2", "e1", ["马三退五", "H3-5"]),
    ],
)  # fmt: skip
def test_moves_of_red(first, second, texts):
    pair = (XIANGQI.square(first), XIANGQI.square(second))
    for text in texts:
        side = "red" if text == "马2进3" else None
        assert read_move(text, XIANGQI, first, side=side) == pair
    assert name_move(first, second, XIANGQI, "chinese") == texts[0]


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        ("h9", "g7", ["馬８进７", "马8进7", "h8+7"]),
        ("b9", "c7", ["馬２进３", "马2進3", "n2+3"]),
    ],
)
def test_moves_of_black(first, second, texts):
    pair = (XIANGQI.square(first), XIANGQI.square(second))
    for text in texts:
        assert read_move(text, XIANGQI, first) == pair
    assert name_move(first, second, XIANGQI, "chinese", side="black") == texts[0]


@pytest.mark.parametrize(
    ("text", "square", "message"),
    [
        ("马二进三", None, "does not say where it begins"),
        ("马二进三", "b0", "file 8"),
        ("马二进五", "h0", "cannot be made"),
        ("马二退三", "h0", "the end of"),
        ("炮二平五", "h0", "no move of a horse"),
        ("", "h0", "no move"),
        ("h0g2", "b0", "the horse stands on b0"),
        ("h0z2", None, "z2"),
        (7, "h0", "7"),
    ],
)
def test_what_is_no_move_says_why(text, square, message):
    with pytest.raises(InvalidInputError, match=message):
        read_move(text, XIANGQI, square)


def test_unknown_options_and_wide_boards():
    with pytest.raises(InvalidInputError, match="chinese"):
        name_move("h0", "g2", XIANGQI, "pgn")
    with pytest.raises(InvalidInputError, match="red or black"):
        name_move("h0", "g2", XIANGQI, "wxf", side="white")
    with pytest.raises(InvalidInputError, match="uci"):
        name_move((0, 0), (1, 2), Board(9, 10), "wxf")
    with pytest.raises(InvalidInputError, match="no horse's move"):
        name_move("h0", "h2", XIANGQI, "wxf")


@pytest.mark.parametrize("number", [-1, 64, 1.0, True, "a1", None])
def test_a_number_of_no_square(number):
    with pytest.raises(InvalidInputError, match="0 \\(bottom left\\) to 63"):
        numbered_square(number, Board(8, 8))


# X05: ranks 0-9 and 1-10


def test_x05_ranks():
    assert XIANGQI.square("a0") == (9, 0)
    assert XIANGQI.square("i9") == (0, 8)
    assert XIANGQI.square("a10", ranks="1-10") == (0, 0)
    with pytest.raises(InvalidInputError, match='ranks="1-10"'):
        XIANGQI.square("a10")
    assert read_move("a10b8", XIANGQI, ranks="1-10") == ((0, 0), (2, 1))


# Objects of other packages, by what they look like


class ForeignMove:
    """What python-chess and cchess call a Move, as far as it matters."""

    def __init__(self, from_square, to_square):
        self.from_square = from_square
        self.to_square = to_square


@pytest.mark.parametrize("board", ["chess", "xiangqi"])
def test_moves_of_other_packages_are_tours(board):
    found = tour(board=board)
    numbers = [square_number(square, found.board) for square in found]
    moves = [ForeignMove(*pair) for pair in itertools.pairwise(numbers)]
    assert check(moves, board) == found
    assert check(numbers, board, form="numbers") == found
    with pytest.raises(InvalidInputError, match="of which board"):
        check(moves)
    with pytest.raises(InvalidInputError, match="the one before ends on"):
        check([moves[0], moves[5]], board)


def test_square_numbers_are_those_of_python_chess():
    chess = Board(8, 8)
    # chess.A1, chess.H1, chess.A8, chess.H8, chess.E4
    names = ["a1", "h1", "a8", "h8", "e4"]
    assert [square_number(name, chess) for name in names] == [0, 7, 56, 63, 28]
