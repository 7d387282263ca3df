"""Boards of other shapes: holes, leapers, wraps, xiangqi positions, and what they refuse."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import KNIGHT_MOVES, Board, InvalidInputError
from knighttour.answer import SYMMETRIES
from knighttour.board import leaper_moves

RING = "...\n.#.\n..."
MIDGAME = "4ka3/4aN3/9/RC7/2b3b2/9/9/4p4/3nr3r/5K3"
OPENING = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

masks = st.integers(1, 6).flatmap(
    lambda cols: st.lists(
        st.lists(st.booleans(), min_size=cols, max_size=cols), min_size=1, max_size=6
    )
)


def legal(board, first, second):
    """The rules of a move once more, written down without a look at the package."""
    rows, cols = board.shape
    a, b = board.leaper
    down, right = second[0] - first[0], second[1] - first[1]
    downs = {down + k * rows for k in range(-3, 4)} if board.wrap in ("rows", "torus") else {down}
    rights = (
        {right + k * cols for k in range(-3, 4)} if board.wrap in ("cols", "torus") else {right}
    )
    return first != second and any(
        sorted((abs(d), abs(r))) == [a, b] for d in downs for r in rights
    )


def test_a_ring_has_eight_squares_and_no_centre():
    board = Board.parse(RING)
    assert board.size == len(board) == 8
    assert (1, 1) not in board
    assert list(board.squares) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert board.squares[-1] == (2, 2)
    assert board.squares[1:3] == [(0, 1), (0, 2)]
    assert board.degrees() == [[2, 2, 2], [2, 0, 2], [2, 2, 2]]
    assert sum(map(sum, board.move_table())) == 16
    assert board == Board(3, 3, holes=[(1, 1)]) == Board.ring(3, 1) == Board(3, 3, holes=["b2"])
    assert str(board) == "3x3 (1 hole)"
    assert eval(repr(board)) == board
    with pytest.raises(InvalidInputError, match="hole"):
        board.neighbours("b2")


@given(
    masks,
    st.sampled_from([None, "rows", "cols", "torus"]),
    st.sampled_from([(1, 2), (0, 1), (1, 3), (2, 3)]),
)
def test_neighbours_are_the_squares_that_a_move_reaches(mask, wrap, leaper):
    board = Board.from_mask(mask, wrap=wrap, leaper=leaper)
    squares = [(r, c) for r, row in enumerate(mask) for c, value in enumerate(row) if value]
    assert list(board.squares) == squares
    for square in squares:
        near = board.neighbours(square)
        assert len(near) == len(set(near)) == board.degree(square)
        assert set(near) == {other for other in squares if legal(board, square, other)}
        assert all(board.are_adjacent(square, other) for other in near)


@given(masks, st.sampled_from([None, "rows", "torus"]))
def test_boards_copy_pickle_and_compare(mask, wrap):
    board = Board.from_mask(mask, wrap=wrap)
    for clone in (copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert clone == board
        assert hash(clone) == hash(board)
        assert list(clone.squares) == list(board.squares)
    if len(mask) > 1 and mask != mask[::-1]:
        assert Board.from_mask(mask[::-1], wrap=wrap) != board


@given(masks, st.sampled_from(SYMMETRIES), st.sampled_from([None, "rows", "cols"]))
def test_images_of_boards_have_the_images_of_the_squares(mask, symmetry, wrap):
    board = Board.from_mask(mask, wrap=wrap)
    image = board.transformed(symmetry)
    array = {
        "rotate180": lambda a: np.rot90(a, 2),
        "flip_rows": np.flipud,
        "flip_cols": np.fliplr,
        "rotate90": lambda a: np.rot90(a, -1),
        "rotate270": np.rot90,
        "transpose": np.transpose,
        "antitranspose": lambda a: np.rot90(np.transpose(a), 2),
    }[symmetry](np.array(mask))
    assert list(image.squares) == [tuple(map(int, square)) for square in np.argwhere(array)]
    assert sorted(map(image.degree, image.squares)) == sorted(map(board.degree, board.squares))


def test_a_mask_may_be_an_array_and_full_means_plain():
    assert Board.from_mask(np.ones((3, 4), dtype=bool)) == Board(3, 4)
    assert Board.from_mask(np.ones((3, 4), dtype=bool)).is_plain
    assert Board(4, 4, leaper=(2, 1)).is_plain
    assert not Board(4, 4, leaper=[1, 3]).is_plain


def test_boards_of_other_make_with_the_same_graph_are_equal():
    assert Board(1, 4, leaper=(1, 3)) == Board(1, 4)
    assert Board(20, 20, wrap="torus") != Board(20, 20)


def test_parse_pads_ragged_lines_with_holes_and_skips_blank_edges():
    assert Board.parse("\n..\n.\n\n") == Board(2, 2, holes=[(1, 1)])
    assert Board.parse("..X\n*. ") == Board(2, 3, holes=[(0, 2), (1, 0), (1, 2)])


def test_leapers_move_clockwise():
    assert leaper_moves(2, 1) == KNIGHT_MOVES
    assert leaper_moves(1, 1) == ((-1, 1), (1, 1), (1, -1), (-1, -1))
    assert Board(9, 9, leaper=(1, 4)).neighbours((4, 4)) == [
        (0, 5),
        (3, 8),
        (5, 8),
        (8, 5),
        (8, 3),
        (5, 0),
        (3, 0),
        (0, 3),
    ]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Board.parse("..o"), "line 1, column 3"),
        (lambda: Board.parse(""), "at least one row"),
        (lambda: Board.parse(b"..."), "bytes"),
        (lambda: Board.from_mask([[1], [1, 0]]), "row 1"),
        (lambda: Board.from_mask(3), "rows of truth values"),
        (lambda: Board(3, 3, holes=[(3, 0)]), "hole"),
        (lambda: Board(3, 3, holes="b2"), "list of squares"),
        (lambda: Board(3, 3, leaper=(0, 0)), "leaper"),
        (lambda: Board(3, 3, leaper=(1, -2)), "leaper"),
        (lambda: Board(3, 3, leaper=(1, True)), "leaper"),
        (lambda: Board(3, 3, wrap="both"), "wrap"),
        (lambda: Board(10**6, 10**6, holes=[(0, 0)]), "cells"),
        (lambda: Board.ring(4, 2), "no hole"),
        (lambda: Board.from_fen("9/9"), "2 ranks"),
        (lambda: Board.from_fen("8/9/9/9/9/9/9/9/9/9"), "rank 9"),
        (lambda: Board.from_fen("8q/9/9/9/9/9/9/9/9/9"), "'q'"),
        (lambda: Board.from_fen(MIDGAME, horse="e8"), "no horse"),
        (lambda: Board.from_fen(MIDGAME, points=["e8"]), "not empty"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(make, words):
    with pytest.raises(InvalidInputError, match=words):
        make()


def test_shapes_that_people_draw():
    assert Board.diamond(2, even=True) == Board.parse(" .. \n....\n....\n .. ")
    assert Board.diamond(1) == Board.parse(" .\n...\n .")
    assert Board.cross(1, 1) == Board.diamond(1)
    assert Board.ring(5, 2).size == 24


# X01 to X05 of the public cases


def names(board, square):
    return sorted(board.name(other) for other in board.neighbours(square))


def test_x01_a_horse_with_two_hobbled_legs():
    assert names(Board.from_fen(MIDGAME), "f8") == ["e6", "g6", "h7", "h9"]
    assert names(Board.from_fen(MIDGAME, leg_rule=False), "f8") == [
        "d7",
        "d9",
        "e6",
        "g6",
        "h7",
        "h9",
    ]
    lifted = Board.from_fen(MIDGAME, horse="f8")
    assert names(lifted, "f8") == ["e6", "g6", "h7", "h9"]
    assert lifted.size == Board.from_fen(MIDGAME).size + 1


def test_x02_the_horse_of_the_opening():
    assert names(Board.from_fen(OPENING), "b0") == ["a2", "c2"]


def test_x03_a_piece_blocks_one_way_only():
    fen = "1p7/9/9/9/9/9/9/9/9/9"
    board = Board.from_fen(fen)
    assert board.is_directed
    assert not board.are_adjacent((0, 0), (1, 2))
    assert board.are_adjacent((1, 2), (0, 0))
    assert board.to_networkx().is_directed()
    free = Board.from_fen(fen, leg_rule=False)
    assert free.are_adjacent((0, 0), (1, 2))
    assert not free.is_directed
    assert pickle.loads(pickle.dumps(board)) == board != free


def test_x03_a_point_left_out_of_the_tour_hobbles_nobody():
    fen = "9/9/9/9/9/9/9/9/9/9"
    board = Board.from_fen(fen, points=[(0, 0), (1, 2), (2, 1)])
    assert board.are_adjacent((0, 0), (1, 2))
    assert board.size == 3


def test_x04_on_the_empty_board_the_leg_rule_never_bites():
    board = Board.from_fen("9/9/9/9/9/9/9/9/9/9 w - - 0 1")
    assert board == Board(10, 9)
    assert board.is_plain
    assert board.is_xiangqi


def test_x05_letters_and_ranks():
    assert Board.from_fen(OPENING) == Board.from_fen(OPENING.replace("n", "h").replace("N", "H"))
    assert Board.from_fen(OPENING) == Board.from_fen(OPENING.replace("b", "e").replace("B", "E"))
    board = Board.from_fen(MIDGAME)
    assert board.name((9, 0)) == "a0"
    assert board.name((0, 8), ranks="1-10") == "i10"
    with pytest.raises(InvalidInputError, match=r'ranks="1-10"'):
        board.square("a10")
