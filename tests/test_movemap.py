"""The map of the moves: what is drawn, the options, what is refused."""

import re
from xml.etree import ElementTree

import pytest

from knighttour.board import Board
from knighttour.drawing.movemap import move_map
from knighttour.errors import InvalidInputError
from knighttour.occurrences import edge_counts, end_counts

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(picture):
    """Return the lines with the colour and the width of each."""
    found = {}
    for path in ElementTree.fromstring(picture).iter(f"{SVG}path"):
        for x1, y1, x2, y2 in re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", path.get("d")):
            move = (int(y1), int(x1)), (int(y2), int(x2))
            found[move] = path.get("stroke"), float(path.get("stroke-width"))
    return found


@pytest.mark.parametrize("size", ["5x6", "6x5"])
def test_every_move_that_occurs_has_a_line_as_wide_as_it_is_frequent(size):
    counts = edge_counts(size, closed=True)
    lines = lines_of(move_map(size, counts))
    assert set(lines) == {move for move, ways in counts.items() if ways}
    ordered = sorted(lines, key=counts.__getitem__)
    widths = [lines[move][1] for move in ordered]
    assert widths == sorted(widths)
    assert len({lines[move][0] for move in ordered}) > 3
    rare, frequent = lines[ordered[0]], lines[ordered[-1]]
    assert rare[0] != frequent[0]


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_open_tours_colour_the_squares_by_their_starts(theme):
    counts, starts = edge_counts("3x4"), end_counts("3x4")
    picture = move_map("3x4", counts, starts, total=8, theme=theme)
    assert set(lines_of(picture)) == {move for move, ways in counts.items() if ways}
    assert picture.count("fill-opacity") == len(set(starts.values()))
    assert "start on a square" in picture
    assert "fill-opacity" not in move_map("3x4", counts, total=8, theme=theme)


def test_the_description_has_the_numbers():
    root = ElementTree.fromstring(move_map("5x6", edge_counts("5x6", closed=True), title="<b>&"))
    assert root.find(f"{SVG}title").text == "<b>&"
    words = root.find(f"{SVG}desc").text
    assert "of the 8 tours" in words
    assert "in 100.0% of them, the rarest in 0.0%" in words


def test_text_as_strokes_has_no_unknown_characters():
    outlines = move_map("5x6", edge_counts("5x6", closed=True), text="outlines")
    assert "<text" not in outlines
    assert "%" not in re.sub(r"<desc>.*</desc>", "", outlines)


def test_one_way_moves_share_a_line():
    board = Board(3, 4)
    moves = {((0, 0), (1, 2)): 1, ((1, 2), (0, 0)): 2, ((0, 1), (1, 3)): 3}
    assert set(lines_of(move_map(board, moves, total=3))) == {
        ((0, 0), (1, 2)),
        ((0, 1), (1, 3)),
    }


@pytest.mark.parametrize(
    "options",
    [{"theme": "pink"}, {"colour_map": "jet"}, {"text": "font2"}, {"ranks": "2-11"},
     {"board": "40x40"}, {"board": "2x2"}, {"moves": {}}],
)  # fmt: skip
def test_bad_input(options):
    counts = edge_counts("5x6", closed=True)
    with pytest.raises(InvalidInputError):
        move_map(**{"board": "5x6", "moves": counts, **options})
