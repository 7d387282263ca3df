"""Every public pair - there and back - on R x C and C x R; and no public name is forgotten.

A name that is added to the package has to be entered here: with the pair that it belongs to, or
among those that have no way back.
"""

import copy
import inspect
import io
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knighttour
from knighttour import (
    KNIGHT_MOVES,
    Board,
    Tour,
    check,
    format_text,
    historic,
    historic_tours,
    name_move,
    numbered_square,
    read,
    read_move,
    read_text,
    scan,
    scan_text,
    scramble,
    square_number,
    tour,
    unscramble,
    write,
    write_graph,
)
from knighttour.answer import SYMMETRIES
from knighttour.board import WRAPS, as_board
from knighttour.formats import TEXT_FORMS
from knighttour.notation import (
    MOVE_STYLES,
    column_letters,
    column_number,
    name_square,
    read_square,
)

SHAPES = [(3, 4), (4, 3), (5, 6), (6, 5), (3, 10), (10, 3), (8, 8), (10, 9), (9, 10), (5, 5)]
INVERSE = {"rotate90": "rotate270", "rotate270": "rotate90"}


@st.composite
def boards(draw):
    return Board(
        *draw(st.sampled_from(SHAPES)), naming=draw(st.sampled_from(["algebraic", "iccs"]))
    )


@st.composite
def some_tours(draw):
    rows, cols = draw(st.sampled_from(SHAPES))
    closed = rows * cols % 2 == 0 and 4 not in (rows, cols) and draw(st.booleans())
    board = Board(rows, cols, naming="iccs" if (rows, cols) == (10, 9) else "algebraic")
    found = tour(None, board, closed=closed, seed=draw(st.integers(0, 2**20)))
    found = found.reversed() if draw(st.booleans()) else found
    symmetry = draw(st.sampled_from([None, *SYMMETRIES]))
    return found if symmetry is None else found.transformed(symmetry)


def options_for(form, board):
    """Return what has to be said when a form is read."""
    named = {"flat": "steps", "order": "order", "numbers": "numbers"}.get(form)
    if named is not None:
        return {"form": named, "board": board}
    relative = form.startswith(("wxf", "chinese"))
    return {"board": board} if relative else {}


def forms_for(board):
    wide = board.cols > 9
    return [form for form in TEXT_FORMS if not (wide and form.startswith(("wxf", "chinese")))]


@given(some_tours(), st.data())
def test_text_is_read_back(found, data):
    form = data.draw(st.sampled_from(forms_for(found.board)))
    options = options_for(form, found.board)
    text = format_text(found, form)
    assert read_text(text, **options) == found
    (reading,) = scan_text(text, **options)
    assert reading.check() == found
    (reading,) = scan(io.BytesIO(text.encode("utf-16")), **options)
    assert reading.check() == found
    assert read(io.StringIO(text), **options) == found


@pytest.mark.parametrize("shape", SHAPES)
def test_files_are_read_back(shape, tmp_path):
    found = tour(None, shape)
    for ending in ("txt", "csv", "json", "npy", "tour"):
        assert read(found.save(tmp_path / f"a.{ending}")) == found
        assert read(write(found, tmp_path / f"b.{ending}")) == found
    for form in forms_for(found.board):
        assert read(write(found, tmp_path / "c", form=form), **options_for(form, shape)) == found


@pytest.mark.parametrize("shape", SHAPES)
def test_a_written_graph_is_that_of_the_board(shape, tmp_path):
    networkx = pytest.importorskip("networkx")
    board = Board(*shape)
    lines = write_graph(board, tmp_path / "graph.col").read_text().splitlines()
    graph = networkx.Graph()
    graph.add_nodes_from(board.squares)
    for kind, *numbers in map(str.split, lines):
        if kind == "e":
            graph.add_edge(*(divmod(int(number) - 1, board.cols) for number in numbers))
    assert networkx.utils.graphs_equal(graph, board.to_networkx())


@given(some_tours())
def test_what_a_tour_gives_away_is_checked_to_be_it(found):
    board = found.board
    assert check(found.tolist(), board) == found
    assert check(found.names(), board) == found
    assert check(found.grid(base=0), base=0) == check(found.grid(), board) == found
    assert check(found.numbers(), board, form="numbers") == found
    assert check(list(found.order()), board, form="order") == found
    assert check(list(found.steps(1)), board, form="steps") == found
    assert check(np.asarray(found)) == found
    out = np.zeros(board.shape, np.int64)
    found.fill(out, base=7)
    assert check(out, base=7) == found
    squares = [found.start]
    for code in found.moves():
        squares.append(tuple(map(sum, zip(squares[-1], KNIGHT_MOVES[code], strict=True))))
    assert squares == found.tolist()
    assert b"".join(found.iter_moves(5)) == found.moves()
    for step, square in enumerate(found):
        assert found.index(square) == step
        assert found[step] == square
    for style in MOVE_STYLES:
        if board.cols <= 9 or style in ("uci", "iccs"):
            for side in ("red", "black"):
                names = found.move_names(style, side=side)
                assert check(names, board, start=found.start) == found
    assert np.asarray(found.order())[np.asarray(found.inverse_order())].tolist() == list(
        range(board.size)
    )


@given(some_tours(), st.integers(1, 2), st.integers(1, 2), st.integers(0, 3))
def test_what_is_scrambled_is_unscrambled(found, down, across, depth):
    shape = (found.board.rows * down, found.board.cols * across, *[3] * (depth > 0))
    array = np.random.default_rng(depth).integers(0, 256, shape, dtype=np.uint8)
    assert (unscramble(scramble(array, found, tiled=True), found, tiled=True) == array).all()
    assert (scramble(unscramble(array, found, tiled=True), found, tiled=True) == array).all()


@given(some_tours(), st.sampled_from(SYMMETRIES), st.integers(0, 10**6))
def test_a_tour_comes_back_from_its_images(found, symmetry, where):
    inverse = INVERSE.get(symmetry, symmetry)
    assert found.transformed(symmetry).transformed(inverse) == found
    assert found.board.transformed(symmetry).transformed(inverse) == found.board
    assert found.reversed().reversed() == found
    if found.closed:
        assert found.rotated(found[where % len(found)]).rotated(found.start) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found


@given(boards(), st.sampled_from([None, "0-9", "1-10"]), st.data())
def test_squares_and_moves_are_read_back(board, ranks, data):
    square = data.draw(st.sampled_from(list(board.squares)))
    name = board.name(square, ranks=ranks)
    assert board.square(name, ranks=ranks) == board.square(name.upper(), ranks=ranks) == square
    assert name_square(square, board.rows, board.naming, ranks) == name
    assert read_square(name, *board.shape, board.naming, ranks) == square
    assert numbered_square(square_number(square, board), board) == square
    if board.neighbours(square):
        second = data.draw(st.sampled_from(board.neighbours(square)))
        style = data.draw(st.sampled_from(MOVE_STYLES if board.cols <= 9 else MOVE_STYLES[:2]))
        side = data.draw(st.sampled_from(["red", "black"]))
        text = name_move(square, second, board, style, side=side, ranks=ranks)
        assert read_move(text, board, square, side=side, ranks=ranks) == (square, second)


@given(st.integers(0, 10**12))
def test_columns_are_read_back(col):
    assert column_number(column_letters(col)) == col
    assert column_number(column_letters(col).upper()) == col


@given(
    st.sampled_from([(4, 5), (5, 4), (3, 7), (7, 3)]),
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=5),
    st.sampled_from([None, *WRAPS]),
)
def test_boards_are_made_of_what_they_say(shape, holes, wrap):
    board = Board(*shape, holes=holes, wrap=wrap)
    rows, cols = shape
    mask = [[(row, col) in board.squares for col in range(cols)] for row in range(rows)]
    text = "\n".join("".join("#."[cell] for cell in row) for row in mask)
    assert Board.parse(text, wrap=wrap) == board
    assert Board.from_mask(np.array(mask), wrap=wrap) == board
    assert Board(*shape, holes=board.holes, wrap=wrap) == board
    assert set(board.holes) == holes
    assert pickle.loads(pickle.dumps(board)) == board
    if not holes and wrap is None:
        assert as_board(str(board)) == as_board(shape) == board


def test_historic_tours_have_the_names_that_are_listed():
    for name in historic_tours():
        assert read_text(format_text(historic(name))) == historic(name)


#: The tests above that hold a name to its way back.
PAIRED = {
    "Board", "KNIGHT_MOVES", "Reading", "Tour", "check", "format_text", "historic",
    "historic_tours", "name_move", "numbered_square", "read", "read_move", "read_text", "scan",
    "scan_text", "scramble", "square_number", "tour", "unscramble", "write", "write_graph",
}  # fmt: skip
#: Answers, questions and errors: nothing leads back from them.
ONE_WAY = {
    "BACKEND", "Classification", "Completion", "CountPlan", "DeadEndError", "Event", "Faults",
    "InvalidInputError", "InvalidTourError", "KnightTourError", "NoTourError", "Progress",
    "SearchLimitError", "Stats", "Strategy", "Tours", "__version__", "classify", "complete",
    "count", "count_lengths", "count_plan", "edge_counts", "end_counts", "exists", "explain",
    "is_same_tour", "random_tour", "sample", "tours", "trace",
}  # fmt: skip
#: Members of Tour and Board that are one side of a pair, all of them used above.
PAIRED_MEMBERS = {
    Tour: {
        "fill", "grid", "index", "inverse_order", "iter_moves", "move_names", "moves", "names",
        "numbers", "order", "reversed", "rotated", "save", "steps", "tolist", "transformed",
    },
    Board: {"from_mask", "name", "parse", "square", "to_networkx", "transformed", "holes"},
}  # fmt: skip
ONE_WAY_MEMBERS = {
    Tour: {
        "animate", "board", "canonical", "closed", "count", "end", "fill_window", "start", "stats",
        "svg", "verify",
    },
    Board: {
        "are_adjacent", "check_square", "cols", "cross", "degree", "degrees", "diamond",
        "from_fen", "from_image", "is_directed", "is_plain", "is_xiangqi", "leaper", "move_table",
        "moves", "naming", "neighbours", "ring", "rows", "shape", "size", "squares", "wrap",
    },
}  # fmt: skip


def test_no_public_name_is_forgotten():
    assert not PAIRED & ONE_WAY
    assert set(knighttour.__all__) <= PAIRED | ONE_WAY, "enter the new names above"
    for owner, paired in PAIRED_MEMBERS.items():
        assert not paired & ONE_WAY_MEMBERS[owner]
        members = {
            name
            for base in owner.__mro__
            if base.__module__.startswith("knighttour")
            for name in vars(base)
            if not name.startswith("_")
        }
        assert members <= paired | ONE_WAY_MEMBERS[owner], "enter the new members above"
        used = inspect.getsource(inspect.getmodule(test_no_public_name_is_forgotten))
        assert [name for name in paired if f".{name}" not in used] == []
