"""Tours as sequences, buffers and pictures of themselves."""

import copy
import pickle
import sys
from array import array
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import Board, InvalidInputError, NoTourError, Tour, tour
from knighttour._engine import get_engine
from knighttour.answer import SYMMETRIES, ShapedPath, StoredPath
from knighttour.errors import KnightTourError

from .checker import check

BOARDS = ["chess", "xiangqi", "3x4", "4x3", "5x6", "6x5", "9x10"]
#: A closed tour of program 003 (it returns to its start: facts of the seed programs).
CLOSED = {"start": (0, 0), "board": "chess", "strategy": "warnsdorff"}


@pytest.fixture(params=BOARDS)
def found(request, backend):
    return tour((0, 0), request.param, strategy="course", backend=backend)


def test_a_tour_is_a_sequence_of_pairs(found):
    squares = found.tolist()
    check(squares, *found.board.shape, start=(0, 0))
    assert isinstance(found, Sequence)
    assert list(found) == squares
    assert list(reversed(found)) == squares[::-1]
    assert [found[k] for k in range(len(found))] == squares
    assert found[-1] == squares[-1] == found.end
    assert found[0] == found.start
    assert found[2:9:3] == squares[2:9:3]
    assert found[::-1] == squares[::-1]
    assert isinstance(found[:4], list)
    for bad in (len(found), -len(found) - 1):
        with pytest.raises(IndexError):
            found[bad]
    with pytest.raises(TypeError):
        found["a1"]


def test_index_is_the_inverse_of_getitem(found):
    for step, square in enumerate(found):
        assert found.index(square) == step
        assert found.index(found.board.name(square)) == step
        assert square in found
        assert found.count(square) == 1
    assert (99, 99) not in found
    assert "nonsense" not in found
    assert found.count((99, 99)) == 0
    with pytest.raises(ValueError, match="not a square"):
        found.index((99, 99))
    with pytest.raises(ValueError, match="not in"):
        found.index(found[0], 1)
    assert found.index(found[3], 2, 4) == 3


def test_equality_and_hash(found, backend):
    again = tour((0, 0), found.board, strategy="course", backend=backend)
    assert found == again
    assert hash(found) == hash(again)
    assert found == found.tolist()
    assert found == [list(square) for square in found]
    assert found != found.tolist()[:-1]
    assert found != found.reversed()
    assert found != 5
    assert found != None  # noqa: E711
    assert len({found, again, found.reversed()}) == 2


def test_copies_and_pickles(found):
    for clone in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert clone == found
        assert clone.stats == found.stats
        assert clone.board.naming == found.board.naming


def test_a_tour_is_immutable(found):
    with pytest.raises(TypeError):
        found[0] = (1, 1)
    with pytest.raises(TypeError):
        found.order()[0] = 7


def test_grid_steps_and_order_say_the_same(found):
    rows, cols = found.board.shape
    grid = found.grid()
    assert [len(row) for row in grid] == [cols] * rows
    for step, (row, col) in enumerate(found, 1):
        assert grid[row][col] == step
    assert found.grid(0)[0][0] == 0
    steps, order = np.asarray(found.steps()), np.asarray(found.order())
    assert steps.dtype == order.dtype == np.int32
    assert (steps[order] == np.arange(len(found))).all()
    assert (np.asarray(found.steps(1)).reshape(rows, cols) == grid).all()
    assert found.steps(2**31)[0] == 2**31


def test_numpy_reads_a_tour(found):
    pairs = np.asarray(found)
    assert pairs.shape == (len(found), 2)
    assert pairs.tolist() == [list(square) for square in found]
    assert np.asarray(found, dtype=np.int64).dtype == np.int64
    with pytest.raises(ValueError, match="copy"):
        np.array(found, copy=False)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_fill_writes_the_step_grid(found, dtype):
    out = np.zeros(found.board.shape, dtype)
    found.fill(out)
    assert out.tolist() == found.grid()
    found.fill(out, base=0)
    assert out.tolist() == found.grid(0)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((8, 8), np.float64),
        np.zeros((8, 8), np.uint32),
        np.zeros((8, 8), np.int16),
        np.zeros((8, 9), np.int32),
        np.zeros((16, 8), np.int32)[::2],
        np.zeros((8, 8), ">i4"),
        bytes(256),
        [[0] * 8] * 8,
        None,
    ],
)
def test_fill_refuses_other_buffers(out):
    with pytest.raises(InvalidInputError, match="out"):
        tour((0, 0), "chess").fill(out)


def test_fill_refuses_a_base_that_does_not_fit():
    found = tour((0, 0), "chess")
    with pytest.raises(InvalidInputError, match="int64"):
        found.fill(array("i", bytes(256)), base=2**31 - 10)
    wide = array("q", bytes(512))
    found.fill(wide, base=2**40)
    assert min(wide) == 2**40
    with pytest.raises(InvalidInputError, match="whole number"):
        found.fill(array("i", bytes(256)), base=1.5)


def test_move_codes_lead_from_square_to_square(found):
    codes = found.moves()
    assert len(codes) == len(found) - 1
    moves = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
    row, col = found.start
    walk = [(row, col)]
    for code in codes:
        row, col = row + moves[code][0], col + moves[code][1]
        walk.append((row, col))
    assert walk == found.tolist()
    assert b"".join(found.iter_moves(7)) == codes
    for bad in (0, -1, 1.5, True):
        with pytest.raises(InvalidInputError, match="chunk|whole"):
            list(found.iter_moves(bad))


def test_the_closing_move(backend):
    closed = tour(**CLOSED, backend=backend)
    assert closed.closed
    codes = closed.moves(closing=True)
    assert len(codes) == 64
    assert codes[:-1] == closed.moves()
    open_tour = tour((0, 0), "3x4")
    with pytest.raises(NoTourError, match="no knight's move"):
        open_tour.moves(closing=True)


def test_reversed(found):
    backwards = found.reversed()
    assert backwards.tolist() == found.tolist()[::-1]
    assert backwards.reversed() == found


def test_rotated_begins_elsewhere(backend):
    closed = tour(**CLOSED, backend=backend)
    squares = closed.tolist()
    for square in squares:
        step = squares.index(square)
        assert closed.rotated(square).tolist() == squares[step:] + squares[:step]
    assert closed.rotated("d4").start == (4, 3)
    with pytest.raises(NoTourError):
        tour((0, 0), "3x4").rotated((1, 1))
    with pytest.raises(InvalidInputError):
        closed.rotated((8, 8))


INVERSE = {"rotate90": "rotate270", "rotate270": "rotate90"}
NUMPY = {
    "rotate90": lambda grid: np.rot90(grid, -1),
    "rotate180": lambda grid: np.rot90(grid, 2),
    "rotate270": np.rot90,
    "flip_rows": np.flipud,
    "flip_cols": np.fliplr,
    "transpose": np.transpose,
    "antitranspose": lambda grid: np.rot90(grid, 2).T,
}


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_transformed_is_what_numpy_does_to_the_grid(found, symmetry):
    image = found.transformed(symmetry)
    assert image.grid() == NUMPY[symmetry](np.array(found.grid())).tolist()
    check(image.tolist(), *image.board.shape)
    assert image.transformed(INVERSE.get(symmetry, symmetry)) == found


def test_an_unknown_symmetry_names_the_known_ones(found):
    with pytest.raises(InvalidInputError, match="rotate90.*antitranspose"):
        found.transformed("mirror")


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(SYMMETRIES[:3]), st.booleans(), st.integers(0, 29), st.booleans())
def test_the_canonical_tour_is_the_same_for_all_images(symmetry, backwards, turn, closed):
    square = divmod(turn, 6)
    found = tour((0, 0), "5x6", closed=closed)
    image = found.transformed(symmetry)
    if backwards:
        image = image.reversed()
    if closed:
        image = image.rotated(square)
    assert image.canonical() == found.canonical()
    assert image.canonical().tolist() <= found.tolist()


def test_names_follow_the_board():
    found = tour("a0", strategy="course")
    assert found.names()[:3] == ["a0", "c1", "e0"]
    assert found.names(ranks="1-10")[0] == "a1"


def test_repr_and_str(backend):
    found = tour((0, 0), "3x4", backend=backend)
    assert repr(found) == "<Tour 3x4 open, a3 to a2, 12 squares>"
    assert str(found) == " 1  4  7 10\n12  9  2  5\n 3  6 11  8"
    assert "\n" not in repr(tour("a0"))


def test_the_single_square_is_a_tour(backend):
    found = tour(None, "1x1", backend=backend)
    assert found.tolist() == [(0, 0)]
    assert found.grid() == [[1]]
    assert found.moves() == b""
    assert not found.closed
    assert found == found.reversed() == found.canonical()
    assert np.asarray(found).tolist() == [[0, 0]]


def test_stats_tell_what_it_cost(backend):
    stats = tour((0, 0), strategy="course", backend=backend).stats
    assert (stats.method, stats.nodes, stats.backtracks, stats.seed) == ("course", 99, 9, 0)
    assert 0 < stats.seconds < 10


def test_verify_passes_and_would_not_pass_a_fault():
    found = tour((0, 0), "chess")
    found.verify()
    data = bytearray(found.order().tobytes())
    data[0:4], data[8:12] = data[8:12], data[0:4]
    broken = Tour(found.board, StoredPath(8, 8, bytes(data), get_engine()), ("x", 0, 0, 0.0, 0))
    with pytest.raises(KnightTourError, match="fault"):
        broken.verify()


def test_len_fits_what_python_allows():
    assert len(tour((0, 0), "chess")) <= sys.maxsize


@pytest.mark.parametrize("board", ["chess", Board.ring(5, 2)])
def test_verify_tells_how_far_it_is(board, backend):
    found = tour(board=board, backend=backend)
    told = []
    found.verify(lambda done, total: told.append((done, total)))
    assert told[-1] == (found.board.size, found.board.size)


def test_verify_would_not_pass_a_fault_on_a_board_with_holes(backend):
    found = tour(board=Board.ring(5, 2), backend=backend)
    order = found.order().tobytes()
    last = array("i", order)
    last[-1] = 12  # the middle, a hole
    for data, step in ((order[:8] + order[:4] + order[12:], 2), (last.tobytes(), len(last) - 1)):
        path = ShapedPath(found.board, data, get_engine(backend))
        with pytest.raises(KnightTourError, match=f"fault at step {step}$"):
            path.verify()
