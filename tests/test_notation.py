"""Names of moves and numbers of squares: there and back on every board."""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knighttour import (
    Board,
    InvalidInputError,
    NoTourError,
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


class MoveFromBelow:
    """What cchess calls a Move: (x, y), counted from the bottom left."""

    def __init__(self, p_from, p_to):
        self.p_from = p_from
        self.p_to = p_to


def test_moves_of_cchess_are_tours():
    found = tour("b0")
    places = [(col, 9 - row) for row, col in found]
    moves = [MoveFromBelow(*pair) for pair in itertools.pairwise(places)]
    assert check(moves) == check(moves, "xiangqi") == found
    with pytest.raises(InvalidInputError, match="the one before ends on"):
        check([moves[0], moves[5]])
    for wrong in [(9, 0), (0, 10), (-1, 0), 5, ("a", 0), (0,), None]:
        with pytest.raises(InvalidInputError):
            check([MoveFromBelow(wrong, (1, 2))])


@pytest.mark.parametrize("board", ["chess", "xiangqi", "3x4", "4x3", "9x10", "5x30"])
@pytest.mark.parametrize("style", MOVE_STYLES)
@pytest.mark.parametrize("side", sorted(SIDES))
def test_a_list_of_move_names_is_a_tour(board, style, side):
    found = tour(None, board)
    if style in ("wxf", "chinese") and found.board.cols > 9:
        with pytest.raises(InvalidInputError, match="1 to 9"):
            found.move_names(style)
        return
    names = found.move_names(style, side=side)
    assert len(names) == len(found) - 1
    assert check(names, board, start=found.start) == found
    if style in ("uci", "iccs") and board != "xiangqi":
        assert check(names) == found
    # A list may begin with the square where the first move begins.
    assert check([found.board.name(found.start), *names], board) == found
    if found.closed:
        closing = found.move_names(style, side=side, closing=True)
        assert check(closing, board, start=found.start) == found


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["a1b3", "c5d7"], "move 1, 'c5d7', does not begin on b3"),
        (["a1b3", "b3a5", "pass"], "'pass' is not the name of a square"),
        (["马二进三", "马三进四"], "do not say where they begin"),
        ([""], "''"),
    ],
)
def test_a_list_of_words_that_is_no_list_of_moves(moves, message):
    with pytest.raises(InvalidInputError, match=message):
        check(moves)


@given(st.sampled_from(SHAPES), st.integers(0, 3), st.booleans())
def test_numbers_of_a_tour_are_read_back(shape, seed, backwards):
    found = tour(None, shape, seed=seed)
    found = found.reversed() if backwards else found
    assert found.numbers() == [square_number(square, found.board) for square in found]
    assert check(found.numbers(), shape, form="numbers") == found


def test_closing_moves_are_those_of_a_closed_tour():
    with pytest.raises(NoTourError, match="no knight's move from its start"):
        tour((0, 0), "3x4").move_names(closing=True)
    found = tour(None, "5x6", closed=True)
    assert found.move_names(closing=True)[-1] == found.names()[-1] + found.names()[0]
    assert found.move_names(closing=True)[:-1] == found.move_names()


def test_square_numbers_are_those_of_python_chess():
    chess = Board(8, 8)
    # chess.A1, chess.H1, chess.A8, chess.H8, chess.E4
    names = ["a1", "h1", "a8", "h8", "e4"]
    assert [square_number(name, chess) for name in names] == [0, 7, 56, 63, 28]


def test_a_letter_before_a_name_is_a_piece_only_where_there_is_no_such_column():
    wide = Board(5, 400)
    for col in (13, 364, 208, 7):  # n, na, ha, h
        first, second = (2, col), (0, col + 1)
        assert read_move(name_move(first, second, wide), wide) == (first, second)
        assert read_move(name_move(first, second, wide, "iccs"), wide) == (first, second)
    assert read_move("Na1b3", Board(8, 8)) == ((7, 0), (5, 1))
    assert read_move("Hh0-g2", XIANGQI) == ((9, 7), (7, 6))
    assert read_move("马h0-g2", XIANGQI) == ((9, 7), (7, 6))


# Two horses on one file


@given(
    st.sampled_from([s for s in SHAPES if s[1] <= 9]),
    st.sampled_from(["wxf", "chinese"]),
    st.sampled_from(sorted(SIDES)),
    st.data(),
)
def test_the_horse_in_front_is_named_and_read_back(shape, style, side, data):
    board = Board(*shape)
    first = data.draw(st.sampled_from([s for s in board.squares if board.neighbours(s)]))
    second = data.draw(st.sampled_from(board.neighbours(first)))
    other = data.draw(st.sampled_from(list(board.squares)))
    text = name_move(first, second, board, style, side=side, other=other)
    assert read_move(text, board, first, side=side) == (first, second)
    assert read_move(text, board, first) == (first, second)
    on_one_file = other != first and other[1] == first[1]
    assert (text != name_move(first, second, board, style, side=side)) is on_one_file
    if on_one_file and style == "chinese":
        # The one in front is nearer to the other side: above for red, below for black.
        above = first[0] < other[0]
        assert text[0] == ("前" if above == (side == "red") else "后")


@pytest.mark.parametrize(
    ("text", "square", "second"),
    [
        ("前马进五", "d4", "e6"),
        ("后马退三", "f4", "g2"),
        ("後馬退三", "f4", "g2"),
        ("前馬进５", "d4", "e2"),  # black goes down
        ("H++5", "d4", "e6"),
        ("H-+5", "d4", "e6"),
        ("h+-5", "d4", "e6"),
    ],
)
def test_moves_of_one_of_two_horses(text, square, second):
    assert read_move(text, XIANGQI, square)[1] == XIANGQI.square(second)


def test_full_width_and_arabic_figures():
    # In books Arabic figures are black's; where the file is red's alone they are red's.
    assert read_move("马８进７", XIANGQI, "h9") == (XIANGQI.square("h9"), XIANGQI.square("g7"))
    assert read_move("马2进3", XIANGQI, "h0") == (XIANGQI.square("h0"), XIANGQI.square("g2"))
    assert read_move("马２进３", XIANGQI, "h0") == (XIANGQI.square("h0"), XIANGQI.square("g2"))
    # On the file in the middle it could be either: black, as in books, and side= says otherwise.
    assert read_move("马5进4", XIANGQI, "e4")[1] == XIANGQI.square("d2")
    assert read_move("马5进4", XIANGQI, "e4", side="red")[1] == XIANGQI.square("f6")


@pytest.mark.parametrize("ranks", ["0-9", "1-10"])
@pytest.mark.parametrize("shape", ["xiangqi", "9x10"])
def test_names_with_other_ranks_are_checked(shape, ranks):
    found = tour(None, shape)
    assert check(found.names(ranks=ranks), shape, ranks=ranks) == found
    assert check(found.names(ranks=ranks), ranks=ranks) == found
    for style in ("uci", "iccs"):
        assert check(found.move_names(style, ranks=ranks), shape, ranks=ranks) == found


def test_the_side_and_the_ranks_of_a_list_can_be_said():
    arabic = [move.translate(str.maketrans("一二三四五六七八九", "123456789"))
              for move in tour("a0").move_names("chinese")]  # fmt: skip
    assert check(arabic, start="a0") == check(arabic, start="a0", side="red") == tour("a0")
    with pytest.raises(InvalidInputError, match="by the black horse"):
        check(arabic, start="a0", side="black")
    with pytest.raises(InvalidInputError, match="ranks='2' is unknown"):
        check(["a1"], ranks="2")
    with pytest.raises(InvalidInputError, match=r"side=\['red'\] is unknown"):
        check(["a1"], side=["red"])
    with pytest.raises(InvalidInputError, match="a rank 0 occurs"):
        check(["a0", "b2"], ranks="1-10")
