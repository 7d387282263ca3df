"""Every form that is written is read again: on R x C and C x R, open and closed."""

import json

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import (
    Board,
    InvalidInputError,
    SearchLimitError,
    check,
    format_text,
    read,
    read_text,
    tour,
    write,
    write_graph,
)
from knighttour.answer import SYMMETRIES
from knighttour.formats import GRAPH_FORMS, TEXT_FORMS

BOARDS = [
    "3x4",
    "4x3",
    "5x6",
    "6x5",
    "xiangqi",
    "10x9",
    "9x10",
    "chess",
    "3x10",
    "10x3",
    "1x1",
    "30x28",
]
#: What has to be said when these forms are read.
NEEDS_BOARD = {"flat": "steps", "order": "order", "numbers": "numbers"}
#: Moves that count files, for boards of at most nine.
RELATIVE = ("wxf", "chinese", "wxf-black", "chinese-black")


def options_for(form, board):
    options = {}
    if form in NEEDS_BOARD:
        options = {"form": NEEDS_BOARD[form], "board": board}
    elif form in RELATIVE:
        options = {"board": board}
    return options


@st.composite
def tours(draw):
    found = tour(None, draw(st.sampled_from(BOARDS)), seed=draw(st.integers(0, 3)))
    if draw(st.booleans()):
        found = found.reversed()
    symmetry = draw(st.sampled_from([None, *SYMMETRIES]))
    return found if symmetry is None else found.transformed(symmetry)


@given(tours(), st.sampled_from(TEXT_FORMS))
def test_what_is_written_is_read(found, form):
    if form in RELATIVE and found.board.cols > 9:
        with pytest.raises(InvalidInputError, match="1 to 9"):
            format_text(found, form)
        return
    text = format_text(found, form)
    assert read_text(text, **options_for(form, found.board)) == found


@pytest.mark.parametrize("form", TEXT_FORMS)
@pytest.mark.parametrize("board", ["5x6", "6x5", "xiangqi", "10x9"])
def test_a_file_holds_what_the_text_is(form, board, tmp_path):
    found = tour(None, board, closed=True)
    done = []
    file = write(found, tmp_path / "any.ending", lambda *d: done.append(d), form=form)
    assert file.read_text("utf-8").rstrip("\n") == format_text(found, form)
    assert done == [(found.board.size, found.board.size)]
    assert read(file, **options_for(form, found.board)) == found


def test_a_large_tour_is_written_in_pieces(tmp_path):
    found = tour((0, 0), "300x200")
    for form in ("names", "squares", "codes", "flat", "tsplib"):
        file = write(found, tmp_path / form, form=form)
        assert read(file, **options_for(form, found.board)) == found


@pytest.mark.parametrize("form", ["xml", "", None, 7, "GRID"])
def test_an_unknown_form_names_the_known_ones(form, tmp_path):
    with pytest.raises(InvalidInputError, match="grid, csv, tsv"):
        format_text(tour("a0"), form)
    if form is not None:
        with pytest.raises(InvalidInputError, match="grid, csv, tsv"):
            write(tour("a0"), tmp_path / "a.txt", form=form)
    assert list(tmp_path.iterdir()) == []


def test_a_text_too_large_for_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 1 << 20)
    with pytest.raises(SearchLimitError, match="write"):
        format_text(tour((0, 0), "2000x2000"))


def test_json_and_scripts_are_what_their_languages_read():
    found = tour("a0")
    assert json.loads(format_text(found, "rows")) == found.grid()
    assert json.loads(format_text(found, "js")) == [list(square) for square in found]
    assert eval(format_text(found, "python"), {"__builtins__": {}}) == found.tolist()
    data = json.loads(format_text(found, "json"))
    assert data["board"] == "xiangqi"
    assert read_text(format_text(found, "json")).board.naming == "iccs"
    assert check(data["grid"]) == found


def test_the_relative_styles_begin_with_a_square():
    text = format_text(tour("a0"), "chinese")
    assert text.startswith("a0 马九进")
    assert len(text.split()) == 90


# Graphs


def edges_of(text, form):
    """Read HCP and DIMACS files, as a solver would."""
    if form == "dimacs":
        words = [line.split() for line in text.splitlines()]
        ((_, _, vertices, count),) = [line for line in words if line[0] == "p"]
        edges = {(int(a), int(b)) for kind, a, b, *_ in (w for w in words if w[0] == "e")}
        assert len(edges) == int(count)
        return int(vertices), edges
    head, body = text.split("EDGE_DATA_SECTION\n")
    fields = dict(line.split(" : ") for line in head.splitlines())
    assert fields["TYPE"] == "HCP"
    assert fields["EDGE_DATA_FORMAT"] == "EDGE_LIST"
    numbers, rest = body.split("-1\n")
    assert rest == "EOF\n"
    edges = {tuple(map(int, line.split())) for line in numbers.splitlines()}
    return int(fields["DIMENSION"]), edges


@pytest.mark.parametrize("form", GRAPH_FORMS)
@pytest.mark.parametrize(
    "shape", [(3, 4), (4, 3), (10, 9), (9, 10), (8, 8), (1, 1), (2, 5), (5, 2)]
)
def test_a_graph_is_that_of_the_board(shape, form, tmp_path):
    board = Board(*shape)
    ending = {"hcp": ".hcp", "dimacs": ".col"}[form]
    file = write_graph(shape, tmp_path / f"board{ending}")
    count, edges = edges_of(file.read_text("ascii"), form)
    assert count == board.size
    cols = board.cols
    squares = {tuple(sorted(divmod(k - 1, cols) for k in edge)) for edge in edges}
    assert squares == {tuple(sorted(edge)) for edge in board.to_networkx().edges}
    assert write_graph(board, tmp_path / "other", form=form).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("form", GRAPH_FORMS)
@pytest.mark.parametrize(
    "board",
    [
        Board.parse(".#...\n.....\n...#."),
        Board.parse(".#.\n...\n...\n..#\n..."),
        Board(5, 6, leaper=(1, 4)),
        Board(5, 6, wrap="torus"),
        Board(6, 5, wrap="rows"),
    ],
    ids=str,
)
def test_a_graph_of_another_shape_has_its_squares_alone(board, form, tmp_path):
    file = write_graph(board, tmp_path / "graph", form=form)
    count, edges = edges_of(file.read_text("ascii"), form)
    # A hole would be a vertex without edges, and no solver could find a cycle.
    assert count == board.size == board.to_networkx().number_of_nodes()
    names = list(board.squares)
    squares = {tuple(sorted(names[k - 1] for k in edge)) for edge in edges}
    assert squares == {tuple(sorted(edge)) for edge in board.to_networkx().edges}


def test_a_directed_graph_has_no_edge_list(tmp_path):
    board = Board.from_fen("4ka3/4a4/9/9/4N4/9/9/4p4/3nr3r/5K3")
    assert board.is_directed
    with pytest.raises(InvalidInputError, match="to_networkx"):
        write_graph(board, tmp_path / "graph.hcp")
    assert list(tmp_path.iterdir()) == []


def test_networkx_there_and_back():
    for shape in ("5x6", "6x5"):
        found = tour(None, shape, closed=True)
        graph = found.board.to_networkx()
        path = list(found)
        assert networkx.is_path(graph, path)
        assert check(path) == found


def test_a_tsplib_tour_of_a_solver_needs_a_board(tmp_path):
    found = tour(None, "5x6", closed=True)
    text = format_text(found, "tsplib")
    assert read_text(text) == found
    without = "".join(text.splitlines(True)[2:])  # neither its name nor the comment
    with pytest.raises(InvalidInputError, match="board="):
        read_text(without)
    assert read_text(without, board="5x6") == found


@pytest.mark.parametrize("shape", ["5x6", "6x5", "chess"])
def test_the_tour_that_a_solver_writes_for_a_graph_is_read(shape, tmp_path):
    found = tour(None, shape, closed=True)
    graph = write_graph(shape, tmp_path / "board.hcp").read_text()
    name = graph.splitlines()[0].partition(" : ")[2]
    # As LKH writes it: the name of the problem, then the length and what it is.
    vertices = [row * found.board.cols + col + 1 for row, col in found]
    lines = [
        f"NAME : {name}.{len(found)}.tour",
        f"COMMENT : Length = {len(found)}",
        "COMMENT : Found by LKH-3 [Keld Helsgaun]",
        "TYPE : TOUR",
        f"DIMENSION : {len(found)}",
        "TOUR_SECTION",
        *map(str, vertices),
        "-1",
        "EOF",
    ]
    file = tmp_path / "board.tour"
    file.write_text("\n".join(lines) + "\n")
    assert read(file) == found
    assert read(file, closed=True, board=shape) == found
    # Several on a line, and no end mark, are legal too.
    file.write_text("\n".join(lines[:6]) + "\n" + " ".join(map(str, vertices)))
    assert read(file, form="tsplib") == found


def test_a_tsplib_tour_with_holes_counts_squares():
    for shape in ("....\n....\n....\n...#", "#...\n....\n....\n...."):
        board = Board.parse(shape)
        found = tour(None, board)
        text = format_text(found, "tsplib")
        assert sorted(map(int, text.splitlines()[5:-2])) == list(range(1, board.size + 1))
        assert read_text(text, board=board) == found
        with pytest.raises(InvalidInputError, match="board="):
            read_text(text)
        with pytest.raises(InvalidInputError, match="16 is no vertex"):
            read_text(text.replace("\n1\n", "\n16\n"), board=board)


@pytest.mark.parametrize("name", ["board", "board.txt", "board.hcp.bak"])
def test_an_unknown_ending_of_a_graph(name, tmp_path):
    with pytest.raises(InvalidInputError, match=r"\.hcp"):
        write_graph("chess", tmp_path / name)
    with pytest.raises(InvalidInputError, match="hcp or dimacs"):
        write_graph("chess", tmp_path / name, form="gml")
