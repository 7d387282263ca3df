"""scramble() and unscramble() are inverse, for every shape and type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import Board, InvalidInputError, scramble, tour, unscramble

BOARDS = ["3x4", "4x3", "xiangqi", "9x10", "chess", "1x1"]


@pytest.mark.parametrize("board", BOARDS)
def test_the_definition(board):
    t = tour(board=board)
    array = np.arange(t.board.size).reshape(t.board.shape) * 3 + 1
    order = t.order()
    out = scramble(array, t)
    assert all(out.flat[k] == array.flat[order[k]] for k in range(len(order)))
    assert (array == np.arange(t.board.size).reshape(t.board.shape) * 3 + 1).all()


@pytest.mark.parametrize("board", BOARDS)
def test_inverse_order_is_the_inverse(board):
    t = tour(board=board)
    order, inverse = np.asarray(t.order()), np.asarray(t.inverse_order())
    count = np.arange(t.board.size)
    assert (order[inverse] == count).all()
    assert (inverse[order] == count).all()


@given(
    st.sampled_from(BOARDS),
    st.sampled_from([(), (3,), (4,), (2, 2)]),
    st.sampled_from(["uint8", "int64", "float32", "bool", "complex128", "U3"]),
    st.integers(1, 3),
    st.integers(1, 3),
)
def test_unscramble_undoes_scramble(board, depth, kind, down, across):
    t = tour(board=board)
    shape = (t.board.rows * down, t.board.cols * across, *depth)
    array = np.random.default_rng(1).integers(0, 200, shape).astype(kind)
    tiled = down > 1 or across > 1
    out = scramble(array, t, tiled=tiled)
    assert out.dtype == array.dtype
    assert out.shape == array.shape
    assert (unscramble(out, t, tiled=tiled) == array).all()
    assert (scramble(unscramble(array, t, tiled=tiled), t, tiled=tiled) == array).all()


@pytest.mark.parametrize("board", ["3x4", "4x3", "xiangqi"])
def test_each_tile_is_scrambled_by_itself(board):
    t = tour(board=board)
    rows, cols = t.board.shape
    image = np.random.default_rng(2).integers(0, 256, (2 * rows, 3 * cols, 3), dtype=np.uint8)
    out = scramble(image, t, tiled=True)
    for r in range(2):
        for c in range(3):
            tile = np.s_[r * rows : (r + 1) * rows, c * cols : (c + 1) * cols]
            assert (out[tile] == scramble(image[tile], t)).all()


def test_views_in_any_order_are_taken():
    t = tour(board="3x4")
    array = np.arange(24).reshape(4, 6)[:, ::2].T
    assert not array.flags.c_contiguous
    assert (unscramble(scramble(array, t), t) == array).all()


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        (np.zeros((4, 3)), {}, "needs an array of 3x4"),
        (np.zeros(12), {}, "no rows and columns"),
        (np.zeros((0, 4)), {"tiled": True}, "no rows and columns"),
        (np.zeros((6, 8)), {}, "tiled=True"),
        (np.zeros((7, 8)), {"tiled": True}, "pad it to 9x8"),
        ([[1, 2], [3, 4]], {}, "needs an array of 3x4"),
    ],
)
def test_a_wrong_shape_names_the_right_one(array, options, message):
    for function in (scramble, unscramble):
        with pytest.raises(InvalidInputError, match=message):
            function(array, tour(board="3x4"), **options)


def test_arguments_the_wrong_way_round():
    with pytest.raises(InvalidInputError, match="array first"):
        scramble(tour(board="3x4"), np.zeros((3, 4)))


@pytest.mark.parametrize("board", ["3x4", "4x3"])
@pytest.mark.parametrize(
    "kind",
    ["bool", "int8", "uint16", ">i4", "uint64", "float16", "<f8", "complex64", "S3", "U4", "object",
     "datetime64[s]", "timedelta64[m]", [("a", "i4"), ("b", "f8", (2,))]],
    ids=str,
)  # fmt: skip
def test_every_type_of_numpy_is_taken(board, kind):
    t = tour(board=board)
    numbers = np.random.default_rng(3).integers(0, 100, t.board.shape)
    if isinstance(kind, list):
        array = np.zeros(t.board.shape, kind)
        array["a"], array["b"] = numbers, numbers[..., None] + [0, 0.5]
    else:
        array = numbers.astype(kind)
    for options in ({}, {"tiled": True}):
        out = scramble(array, t, **options)
        assert out.dtype == array.dtype
        assert (out.ravel() == array.ravel()[np.asarray(t.order())]).all() or options
        assert (unscramble(out, t, **options) == array).all()


@pytest.mark.parametrize("board", ["3x4", "4x3"])
def test_shapes_without_cells_and_read_only_arrays(board):
    t = tour(board=board)
    for depth in ((0,), (1,), (2, 0, 3)):
        array = np.zeros((*t.board.shape, *depth))
        assert unscramble(scramble(array, t), t).shape == array.shape
    frozen = np.arange(t.board.size).reshape(t.board.shape)
    frozen.flags.writeable = False
    out = scramble(frozen, t)
    out[0, 0] = 99  # a copy of its own
    assert frozen[0, 0] == 0


def test_a_masked_array_keeps_its_mask():
    t = tour(board="4x3")
    array = np.ma.masked_greater(np.arange(12).reshape(4, 3), 6)
    out = scramble(array, t)
    assert out.filled(-1).ravel().tolist() == [array.filled(-1).flat[k] for k in t.order()]
    again = unscramble(out, t)
    assert (again.mask == array.mask).all()
    assert (again == array).all()


def test_an_image_of_pillow_is_an_array():
    image_module = pytest.importorskip("PIL.Image")
    t = tour(board="5x6")
    pixels = np.random.default_rng(4).integers(0, 256, (10, 12, 3), dtype=np.uint8)
    image = image_module.fromarray(pixels)
    out = scramble(image, t, tiled=True)
    assert out.dtype == np.uint8
    assert (np.asarray(image_module.fromarray(unscramble(out, t, tiled=True))) == pixels).all()


@pytest.mark.parametrize("holes", [[(3, 3)], [(0, 0)]])
def test_with_holes_the_squares_change_places_and_the_holes_stay(holes):
    board = Board(4, 4, holes=holes)
    t = tour(None, board)
    array = np.arange(16).reshape(4, 4)
    out = scramble(array, t)
    assert out[holes[0]] == array[holes[0]]
    assert sorted(out.ravel()) == list(range(16))
    assert (unscramble(out, t) == array).all()


@pytest.mark.parametrize("array", [None, "x", 5, [[1, 2], [3]], [[]], {}, object()], ids=repr)
def test_what_is_no_array_of_the_size(array):
    for function in (scramble, unscramble):
        with pytest.raises(InvalidInputError):
            function(array, tour(board="3x4"))


@pytest.mark.parametrize("tiled", ["yes", 1, None])
def test_tiled_is_an_answer(tiled):
    with pytest.raises(InvalidInputError, match="tiled="):
        scramble(np.zeros((3, 4)), tour(board="3x4"), tiled=tiled)
