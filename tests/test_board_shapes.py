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


# Doors: masks, maps, pictures, positions, and bad input on each


@pytest.mark.parametrize(
    "mask",
    [
        [[1, 1, 1], [1, 0, 1], [1, 1, 1]],
        ((True, True, True), (True, False, True), (True, True, True)),
        [[0.5, 2, -1], [object(), None, 1], [1, 1, 1]],
        [b"\1\1\1", bytearray(b"\1\0\1"), memoryview(b"\1\1\1")],
        memoryview(b"\1\1\1\1\0\1\1\1\1").cast("B", (3, 3)),
        (iter([1, row != 1, 1]) for row in range(3)),
        np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]]),
        np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=bool)[::-1, ::-1],
        np.asfortranarray(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=np.float32)),
        np.array([[1, 1, 1], [1, None, 1], [1, 1, 1]], dtype=object),
        list(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=np.uint8)),
    ],
)
def test_a_mask_is_any_nested_sequence_or_array(mask):
    assert Board.from_mask(mask) == Board.ring(3, 1)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        ("..#", "Board.parse"),
        (["..#", "#.."], "row 0 .*Board.parse"),
        ([[1, 1], ["1", "0"]], "'1' in row 1, column 0"),
        (np.array([["1", "0"]]), "'1'.* in row 0, column 0"),
        ([[1, [0]]], r"\[0\] in row 0, column 1"),
        ([{1, 2}, {3, 4}], "row 0"),
        ({0: [1]}, "rows of truth values"),
        (np.ones(3), "rows of truth values"),
        (np.ones((2, 2, 2)), "rows of truth values"),
        (np.ones((0, 3)), "at least one row"),
        ([[]], "at least one row"),
        (None, "rows of truth values"),
    ],
    ids=str,
)
def test_what_is_no_mask_is_refused(mask, words):
    with pytest.raises(InvalidInputError, match=words):
        Board.from_mask(mask)


def test_holes_and_leapers_may_be_arrays():
    assert Board(3, 3, holes=np.array([[1, 1]])) == Board.ring(3, 1)
    assert Board(3, 3, holes=np.empty((0, 2), dtype=int)).is_plain
    assert Board(3, 3, holes=iter(["b2"])) == Board.ring(3, 1)
    assert Board(9, 9, leaper=np.array([1, 4])) == Board(9, 9, leaper=(4, 1))


def test_maps_as_editors_write_them():
    assert Board.parse("\ufeff...\r\n.#.\r\n...\r\n") == Board.ring(3, 1)
    assert Board.parse("###").size == 0
    assert Board.parse("..\n\n..").holes == ((1, 0), (1, 1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Board.diamond(10**6),
        lambda: Board.ring(10**9, 3),
        lambda: Board.cross(10**6, 10**6),
    ],
)
def test_shapes_too_large_for_a_mask_are_refused_at_once(make):
    with pytest.raises(InvalidInputError, match="at most 100000000 cells"):
        make()


@pytest.fixture
def picture(tmp_path):
    """Save a picture and read it as a board."""
    image = pytest.importorskip("PIL.Image")

    def read(pixels, mode=None, name="mask.png", **options):
        made = pixels if isinstance(pixels, image.Image) else image.fromarray(pixels)
        if mode is not None:
            made = made.convert(mode)
        made.save(tmp_path / name)
        return Board.from_image(tmp_path / name, **options)

    read.image = image
    read.folder = tmp_path
    return read


RING_PIXELS = np.array([[0, 0, 0], [0, 255, 0], [0, 0, 0]], dtype=np.uint8)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_dark_pixels_are_squares(picture, mode):
    assert picture(RING_PIXELS, mode) == Board.ring(3, 1)
    assert picture(RING_PIXELS, mode, wrap="torus", leaper=(1, 3)) == Board(
        3, 3, holes=["b2"], wrap="torus", leaper=(1, 3)
    )


def test_grey_is_divided_in_the_middle(picture):
    grey = np.array([[0, 100, 127], [128, 200, 255]], dtype=np.uint8)
    assert picture(grey).holes == ((1, 0), (1, 1), (1, 2))
    assert picture(grey.astype(np.uint16) * 257).holes == ((1, 0), (1, 1), (1, 2))


def test_what_shines_through_is_paper(picture):
    pixels = np.zeros((2, 3, 4), dtype=np.uint8)
    pixels[..., 3] = [[255, 200, 127], [0, 255, 255]]
    pixels[1, 2, :3] = 255
    assert picture(pixels).holes == ((0, 2), (1, 0), (1, 2))
    palette = picture.image.fromarray(RING_PIXELS // 255, mode="P")
    palette.putpalette([0, 0, 0, 90, 90, 90])
    palette.save(picture.folder / "clear.png", transparency=1)
    assert Board.from_image(picture.folder / "clear.png") == Board.ring(3, 1)


@pytest.mark.parametrize("scale", [1, 2, 7, 40])
def test_a_larger_picture_of_the_same_board(picture, scale):
    large = np.kron(RING_PIXELS, np.ones((scale, scale), dtype=np.uint8))
    assert picture(large, size=(3, 3)) == Board.ring(3, 1)
    if scale > 1:
        assert picture(large).shape == (3 * scale, 3 * scale)
        blurred = picture.image.fromarray(large).resize((100, 90))
        assert picture(blurred, size=(3, 3)) == Board.ring(3, 1)
    wide = np.kron(np.array([[0, 255, 0, 0]], dtype=np.uint8), np.ones((scale, 3), np.uint8))
    assert picture(wide, size=(1, 4)) == Board(1, 4, holes=[(0, 1)])
    assert picture(wide.T, size=(4, 1)) == Board(4, 1, holes=[(1, 0)])


def test_what_is_no_picture_is_refused_and_named(picture):
    noise = np.random.default_rng(1).integers(0, 255, (300, 400), dtype=np.uint8)
    picture(noise)
    whole = (picture.folder / "mask.png").read_bytes()
    for name, data in (("text.png", b"hello"), ("empty.png", b""), ("cut.png", whole[:9000])):
        (picture.folder / name).write_bytes(data)
        with pytest.raises(InvalidInputError, match=name):
            Board.from_image(picture.folder / name)
    with pytest.raises(FileNotFoundError, match="absent"):
        Board.from_image(picture.folder / "absent.png")
    for file in (None, 3, True):
        with pytest.raises(InvalidInputError, match=repr(file)):
            Board.from_image(file)
    with pytest.raises(InvalidInputError, match="8 or 16 bits"):
        picture(np.zeros((2, 2), dtype=np.float32), name="float.tif")
    for size in (3, "3x3", (3,), (0, 3), (3, -1), (10**5, 10**5)):
        with pytest.raises(InvalidInputError):
            picture(RING_PIXELS, size=size)


EMPTY = "9/9/9/9/9/9/9/9/9/9"


@pytest.mark.parametrize(
    ("fen", "options", "words"),
    [
        ("startpos", {}, "1 rank instead of 10.*ten ranks"),
        (EMPTY + "/9", {}, "11 ranks"),
        (None, {}, "None is not a xiangqi position"),
        ("  ", {}, "text of a FEN"),
        (EMPTY.replace("9", "0", 1), {}, "'0' in the FEN"),
        (EMPTY.replace("9", "８1", 1), {}, "'８' in the FEN"),
        (EMPTY.replace("9", "91", 1), {}, "rank 9 .* 10 points instead of 9.*a digit"),
        (EMPTY, {"horse": "a0"}, "horse='a0': there is no horse"),
        (EMPTY, {"horse": "a10"}, "1-10"),
        (EMPTY, {"horse": 5}, "horse=5"),
        (EMPTY, {"points": "a0"}, "points='a0' is text"),
        (EMPTY, {"points": 7}, "points=7"),
        (EMPTY, {"points": ["j0"]}, "'j0'"),
        (EMPTY, {"leg_rule": "no"}, "leg_rule='no'"),
        (EMPTY, {"leg_rule": None}, "leg_rule=None"),
    ],
)
def test_a_position_that_is_none_is_refused_with_the_remedy(fen, options, words):
    with pytest.raises(InvalidInputError, match=words):
        Board.from_fen(fen, **options)


def test_a_position_says_how_many_pieces_and_points_it_has():
    assert str(Board.from_fen(MIDGAME)) == "xiangqi (13 pieces)"
    assert str(Board.from_fen(MIDGAME, points=["g6"])) == "xiangqi (13 pieces, 1 point)"
    assert str(Board.from_fen(MIDGAME, leg_rule=False)) == "xiangqi (13 holes)"


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
