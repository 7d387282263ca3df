"""scramble() and unscramble() are inverse, for every shape and type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import InvalidInputError, scramble, tour, unscramble

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
