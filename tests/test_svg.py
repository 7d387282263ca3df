"""SVG pictures are read back: what is drawn must be the walk, the board and the words asked for.

`python tests/test_svg.py` writes the golden files anew; look at every one of them after that.
"""

import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import Board, InvalidInputError, tour
from knighttour.board import as_board
from knighttour.drawing import colours, glyphs
from knighttour.drawing.svg import MAX_DETAILED, MAX_DRAWN, Svg, svg

GOLDEN = Path(__file__).parent / "data" / "svg"
SVG = "{http://www.w3.org/2000/svg}"

HAS_CORE = find_spec("knighttour._core") is not None
NEEDS_CORE = pytest.mark.skipif(not HAS_CORE, reason="the compiled core is not built")
BACKENDS = ["pure", pytest.param("core", marks=NEEDS_CORE)]

#: A start from which the rule of program 003 happens to give a closed tour (seed_programs.md).
CLOSED = ((0, 0), "chess", "warnsdorff")


def found(start, board, strategy="course", backend=None):
    return tour(start, board, strategy=strategy, backend=backend)


GOLDEN_PICTURES = {
    "3x4-numbers": lambda: found((0, 0), "3x4").svg(path="arrows+numbers", labels="index"),
    "8x8-closed-print": lambda: found(*CLOSED).svg(path="dots+line", theme="print"),
    "xiangqi-dark": lambda: found("a1", "xiangqi").svg(theme="dark", colour_map="cividis"),
    "6x5-holes": lambda: svg(
        ["a1", "b3", "d4"], "6x5", holes=[(0, 0), (2, 2)], text="outlines", title="<script> & 马"
    ),
    "12x30-plain": lambda: found((11, 0), "12x30", "step-back").svg(
        colour_map=None, labels="none", size=300
    ),
}


@pytest.mark.parametrize("name", GOLDEN_PICTURES)
def test_pictures_stay_the_same_byte_for_byte(name):
    assert GOLDEN_PICTURES[name]().encode() == (GOLDEN / f"{name}.svg").read_bytes()


def test_a_picture_does_not_depend_on_the_hash_seed():
    code = (
        "from knighttour.drawing.svg import svg; import hashlib; "
        "print(hashlib.sha256(svg(['a1','b3'], '6x5', holes=[(0, 0), (2, 2), (4, 4)], "
        "numbers=True).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(digests) == 1


# Reading pictures back

NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def parse(picture):
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def transform_of(element):
    x, y, scale = map(float, NUMBER.findall(element.get("transform")))
    return x, y, scale


def path_group(root):
    """The group of the lines of the walk: the only one with round joins and a transform."""
    [group] = [
        g
        for g in root.iter(f"{SVG}g")
        if g.get("transform") and g.get("stroke-linejoin") == "round"
    ]
    return group


def squares_of_path(root):
    """Decode the lines of the walk to squares, and check that every piece goes on from the last."""
    squares = []
    for path in path_group(root):
        if path.get("stroke") is None:
            continue  # arrow heads
        start, moves = path.get("d").split("l")
        numbers = [int(number) for number in NUMBER.findall(moves)]
        x, y = map(int, NUMBER.findall(start))
        if squares:
            assert squares[-1] == (y, x)
        else:
            squares.append((y, x))
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            squares.append((y, x))
    return squares


BOARDS = ["3x4", "4x3", "5x6", "6x5", "chess", "xiangqi", "9x10", "12x30", "30x12", "50x50"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("path", ["line", "arrows"])
def test_the_lines_are_the_tour(board, path, backend):
    walk = found((0, 0), board, "step-back", backend=backend)
    assert squares_of_path(parse(walk.svg(path=path))) == walk


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_walk_on_any_board_is_drawn_as_it_is(data):
    rows, cols = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    square = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    walk = data.draw(st.lists(square, max_size=90))
    root = parse(
        svg(
            walk,
            (rows, cols),
            path=data.draw(st.sampled_from(["line", "arrows", "line+dots", "arrows+numbers"])),
            theme=data.draw(st.sampled_from(list(colours.THEMES))),
            size=data.draw(st.none() | st.integers(16, 3000)),
            text=data.draw(st.sampled_from(["font", "outlines"])),
        )
    )
    if len(walk) > 1:
        assert squares_of_path(root) == walk


def test_colours_run_along_the_map_in_steps_of_equal_length():
    walk = found((0, 0), "50x50", "step-back")
    group = path_group(parse(walk.svg()))
    anchors = colours.COLOUR_MAPS["viridis"]
    low, high = colours.THEMES["light"].span
    strokes = [path.get("stroke") for path in group]
    assert strokes[0] == colours.colour_at(anchors, low)
    assert strokes[-1] == colours.colour_at(anchors, high)
    assert len(strokes) == len(set(strokes)) == 64
    lengths = [(len(NUMBER.findall(path.get("d"))) - 2) // 2 for path in group]
    assert sum(lengths) == 2499
    assert max(lengths) - min(lengths) <= 1


def where(picture):
    """Return how to find the square at a place of a picture."""
    x, y, cell = transform_of(next(parse(picture).iter(f"{SVG}g")))
    return lambda px, py: ((py - y) / cell, (px - x) / cell)


@pytest.mark.parametrize("path", ["numbers", "line+numbers", "dots+numbers"])
@pytest.mark.parametrize("board", ["3x4", "4x3", "chess", "xiangqi"])
@pytest.mark.parametrize("base", [0, 1])
def test_numbers_stand_on_their_squares(board, path, base):
    walk = found((0, 0), board)
    picture = walk.svg(path=path, labels="none", base=base)
    square_at = where(picture)
    seen = {}
    for text in parse(picture).iter(f"{SVG}text"):
        row, col = square_at(float(text.get("x")), float(text.get("y")))
        # The base line lies a third of the letters below the centre.
        assert 0.05 < row - round(row - 0.12) < 0.2
        assert abs(col - round(col)) < 0.01
        seen[round(row - 0.12), round(col)] = int(text.text)
    assert seen == {square: step for step, square in enumerate(walk, base)}


@pytest.mark.parametrize("board", ["3x4", "4x3", "xiangqi", "12x30"])
@pytest.mark.parametrize("numbers", [False, True])
def test_start_is_a_disc_and_end_a_square(board, numbers):
    walk = found((0, 0), board)
    picture = walk.svg(numbers=numbers)
    square_at = where(picture)
    root = parse(picture)
    [disc] = root.iter(f"{SVG}circle")
    row, col = square_at(float(disc.get("cx")), float(disc.get("cy")))
    assert (row, col) == pytest.approx(walk.start, abs=0.01)
    end = list(root)[-1]
    assert end.tag == f"{SVG}rect"
    half = float(end.get("width")) / 2
    row, col = square_at(float(end.get("x")) + half, float(end.get("y")) + half)
    assert (row, col) == pytest.approx(walk.end, abs=0.01)
    assert not list(parse(walk.svg(ends=False, numbers=numbers)).iter(f"{SVG}circle"))


def dashed(picture):
    return [path for path in parse(picture).iter(f"{SVG}path") if path.get("stroke-dasharray")]


def test_only_a_closed_tour_has_a_closing_move_and_it_is_dashed():
    closed = found(*CLOSED)
    assert closed.closed
    [move] = dashed(closed.svg())
    (row, col), (last_row, last_col) = closed.start, closed.end
    assert move.get("d") == f"M{last_col} {last_row}L{col} {row}"
    assert not dashed(closed.svg(closing=False))
    # A list of the same squares is the same picture; a piece of it is not closed.
    assert svg(closed.tolist(), "chess") == closed.svg()
    assert not dashed(svg(closed[:63], "chess"))
    assert not dashed(found("a1", "xiangqi").svg())
    with pytest.raises(InvalidInputError, match="closing=True"):
        found("a1", "xiangqi").svg(closing=True)


# Boards


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("cols", [1, 2, 5, 8])
def test_a1_is_dark_and_neighbours_differ(rows, cols):
    [dark] = [
        path
        for path in parse(svg((), (rows, cols))).iter(f"{SVG}path")
        if path.get("fill-rule") == "evenodd"
    ]
    bands = dark.get("d").split("z")[:-1]
    is_dark = [[False] * cols for _ in range(rows)]
    for band in bands:
        x, y = map(float, NUMBER.findall(band[1:])[:2])
        for row in range(rows):
            for col in range(cols):
                across = "v1h-" in band
                if (across and row == y + 0.5) or (not across and col == x + 0.5):
                    is_dark[row][col] ^= True
    assert is_dark == [
        [(rows - 1 - row + col) % 2 == 0 for col in range(cols)] for row in range(rows)
    ]


def segments(data):
    """Decode a path of M, m, L, l, h, v, H, V to its straight pieces."""
    pieces = []
    x = y = 0.0
    for command, arguments in re.findall(r"([MmLlHhVv])([^A-Za-z]*)", data):
        numbers = list(map(float, NUMBER.findall(arguments)))
        pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
        if command in "Hh":
            pairs = [(numbers[0] - (x if command == "H" else 0), 0.0)]
        elif command in "Vv":
            pairs = [(0.0, numbers[0] - (y if command == "V" else 0))]
        elif command in "ML":
            pairs = [(pairs[0][0] - x, pairs[0][1] - y)]
        for dx, dy in pairs:
            ends = sorted([(round(x, 3), round(y, 3)), (round(x + dx, 3), round(y + dy, 3))])
            x, y = x + dx, y + dy
            if command not in "Mm":
                pieces.append(tuple(ends))
    return pieces


def test_the_xiangqi_board_is_one_that_a_player_knows():
    root = parse(Board(10, 9, naming="iccs")._repr_svg_())
    [lines] = [path for path in root.iter(f"{SVG}path") if "M0 0h8" in path.get("d")]
    expected = {((0, row), (8, row)) for row in range(10)}
    expected |= {((0, 0), (0, 9)), ((8, 0), (8, 9))}
    # Between ranks 4 and 5 (rows 5 and 4) there is the river: no line but the edges.
    for col in range(1, 8):
        expected |= {((col, 0), (col, 4)), ((col, 5), (col, 9))}
    # Palaces: d9-f7, f9-d7, d2-f0, f2-d0.
    expected |= {((3, 0), (5, 2)), ((3, 2), (5, 0)), ((3, 7), (5, 9)), ((3, 9), (5, 7))}
    assert sorted(segments(lines.get("d"))) == sorted(expected)
    [corners] = [
        path.get("d")
        for path in root.iter(f"{SVG}path")
        if path.get("d").startswith("M") and path.get("d").count("V") > 40
    ]
    marks = {}
    for piece in re.findall(r"M[^M]*", corners):
        tall, flat = segments(piece)
        [corner] = set(tall) & set(flat)
        centre = (round(corner[1]), round(corner[0]))
        marks.setdefault(centre, set()).add((corner[0] > centre[1], corner[1] > centre[0]))
    board = as_board("xiangqi")
    cannons = ["b2", "h2", "b7", "h7"]
    soldiers = [f"{file}{rank}" for file in "acegi" for rank in "36"]
    assert {board.name(square) for square in marks} == {*cannons, *soldiers}
    for (_, col), quarters in marks.items():
        sides = {0: {True}, 8: {False}}.get(col, {True, False})
        assert quarters == {(right, low) for right in sides for low in (True, False)}


def test_the_river_has_its_four_characters_in_order():
    picture = Board(10, 9, naming="iccs")._repr_svg_()
    places = [picture.index(f'd="{glyphs.RIVER[character]}"') for character in "楚河漢界"]
    assert places == sorted(places)
    assert "<text" in picture  # of the labels
    assert not set("楚河漢界") & set(picture)  # but none that a font would have to have


def labels_of(picture):
    texts = list(parse(picture).iter(f"{SVG}text"))
    bottom = max(float(text.get("y")) for text in texts)
    below = [text for text in texts if float(text.get("y")) == bottom]
    left = [text for text in texts if text not in below]
    left.sort(key=lambda text: float(text.get("y")))
    below.sort(key=lambda text: float(text.get("x")))
    return [text.text for text in left], [text.text for text in below]


@pytest.mark.parametrize(
    ("board", "options", "rows", "cols"),
    [
        ("3x4", {}, "3 2 1", "a b c d"),
        ("4x3", {"labels": "iccs"}, "3 2 1 0", "a b c"),
        ("3x4", {"labels": "index"}, "0 1 2", "0 1 2 3"),
        ("xiangqi", {}, "9 8 7 6 5 4 3 2 1 0", "a b c d e f g h i"),
        ("xiangqi", {"ranks": "1-10"}, "10 9 8 7 6 5 4 3 2 1", "a b c d e f g h i"),
        ("xiangqi", {"labels": "index"}, "0 1 2 3 4 5 6 7 8 9", "0 1 2 3 4 5 6 7 8"),
        ("chess", {"ranks": "0-9"}, "7 6 5 4 3 2 1 0", "a b c d e f g h"),
    ],
)
def test_labels_name_the_squares(board, options, rows, cols):
    assert labels_of(svg((), board, **options)) == (rows.split(), cols.split())


def test_boards_without_labels_have_no_text():
    assert "<text" not in svg((), "xiangqi", labels="none")


@pytest.mark.parametrize("shape", [(1000, 3), (3, 1000), (60, 60), (200, 90)])
@pytest.mark.parametrize("size", [None, 200, 3000])
@pytest.mark.parametrize("labels", ["board", "index"])
def test_labels_do_not_overlap_and_stay_inside(shape, size, labels):
    picture = svg((), shape, size=size, labels=labels)
    root = parse(picture)
    _, _, width, height = map(float, root.get("viewBox").split())
    boxes = []
    for group in root.iter(f"{SVG}g"):
        if group.get("font-size") is None:
            continue
        font = float(group.get("font-size"))
        share = {"middle": 0.5, "end": 1.0}[group.get("text-anchor")]
        for text in group:
            wide = glyphs.text_width(text.text) * font
            left = float(text.get("x")) - share * wide
            low = float(text.get("y"))
            boxes.append((left, low - 0.72 * font, left + wide, low))
    for left, top, right, low in boxes:
        assert left >= 0
        assert top >= 0
        assert low <= height
        assert right <= width + 0.35 * font
    for index, (left, top, right, low) in enumerate(boxes):
        for other_left, other_top, other_right, other_low in boxes[index + 1 :]:
            assert right < other_left or other_right < left or low < other_top or other_low < top


def test_large_boards_are_labelled_with_round_numbers():
    left, _ = labels_of(svg((), (1000, 1000)))
    assert left[-1] == "20"
    assert all(int(label) % 20 == 0 for label in left)


def test_holes_are_drawn_and_cannot_be_stood_on():
    root = parse(svg([], "3x4", holes=[(0, 0), (1, 2)]))
    [shape] = [path for path in root.iter(f"{SVG}path") if path.get("fill") == "#a49b8c"]
    assert shape.get("d") == "M-0.5 -0.5h1v1h-1zM1.5 0.5h1v1h-1z"
    assert "2 holes" in root.find(f"{SVG}desc").text
    with pytest.raises(InvalidInputError, match="c2, which is a hole"):
        svg([(0, 0), (1, 2)], "3x4", holes=[(1, 2)])


def test_holes_count_for_a_closed_tour():
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)]
    assert dashed(svg(ring, "3x3", holes=[(1, 1)]))
    assert not dashed(svg(ring, "3x3"))
    assert "<title>Closed knight's tour" in svg(ring, "3x3", holes=[(1, 1)])
    assert "<title>Knight's walk" in svg(ring, "3x3")


@pytest.mark.parametrize("board", ["3x4", "12x30", "50x50", "xiangqi"])
@pytest.mark.parametrize("size", [None, 150, 2000])
def test_marks_touch_neither_labels_nor_rims(board, size):
    place = as_board(board)
    for corner in ((0, 0), (0, place.cols - 1), (place.rows - 1, 0)):
        root = parse(svg([corner], place, size=size))
        _, _, width, height = map(float, root.get("viewBox").split())
        [disc] = root.iter(f"{SVG}circle")
        reach = float(disc.get("r")) + float(disc.get("stroke-width")) / 2
        x, y = float(disc.get("cx")), float(disc.get("cy"))
        assert reach <= x <= width - reach
        assert reach <= y <= height - reach
        for group in root.iter(f"{SVG}g"):
            for text in group.iter(f"{SVG}text"):
                font = float(group.get("font-size"))
                left, low = float(text.get("x")), float(text.get("y"))
                if group.get("text-anchor") == "end":
                    assert left <= x - reach
                else:
                    assert low - 0.74 * font >= y + reach or abs(left - x) > reach


# Words


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "a & b", "\"quoted\" 'too'", "马踏棋盘", "]]>", ""]
)
def test_titles_stay_text(title):
    picture = svg((), "3x4", title=title, description=title)
    root = parse(picture)
    assert (root.find(f"{SVG}title").text or "") == title
    assert (root.find(f"{SVG}desc").text or "") == title
    assert "<script" not in picture
    assert len(root.findall(f".//{SVG}script")) == 0


def test_characters_that_xml_cannot_hold_are_replaced():
    picture = svg((), "3x4", title="a\0b\x0bc\ud800d\uffffe")
    assert parse(picture).find(f"{SVG}title").text == "a\ufffdb\ufffdc\ufffdd\ufffde"
    picture.encode()


def test_pictures_say_in_words_what_is_to_be_seen():
    root = parse(found(*CLOSED).svg())
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root.find(f"{SVG}title").text == "Closed knight's tour of 8x8 from a8"
    words = root.find(f"{SVG}desc").text
    assert "64 of 64 squares" in words
    assert "dashed move leads back" in words
    partial = parse(svg(["a1", "b3"], "chess"))
    assert partial.find(f"{SVG}title").text == "Knight's walk on 8x8 from a1 to b3"
    assert "2 of 64 squares" in partial.find(f"{SVG}desc").text
    assert "points" in found("a1", "xiangqi").svg()
    assert parse(svg((), "xiangqi")).find(f"{SVG}title").text == "Empty board, xiangqi"
    assert "from a1 (" in found("a0", "xiangqi").svg(ranks="1-10")


@pytest.mark.parametrize("options", [{}, {"numbers": True, "text": "outlines"}, {"path": "arrows"}])
def test_many_pictures_can_stand_in_one_page(options):
    for walk in (found("a0", "xiangqi"), found(*CLOSED)):
        root = parse(walk.svg(**options))
        for element in root.iter():
            # Nothing to clash: no ids, no references, no styles, no scripts.
            assert not {"id", "class", "style", "href"} & set(element.attrib)
            assert not any("url(" in value for value in element.attrib.values())
            assert element.tag.removeprefix(SVG) in {
                "svg", "title", "desc", "g", "path", "rect", "circle", "text",
            }  # fmt: skip


def test_outlines_need_no_font():
    assert "<text" not in found("a0", "xiangqi").svg(numbers=True, text="outlines")
    assert "<text" in found("a0", "xiangqi").svg(numbers=True)


def test_strokes_move_only_their_absolute_places():
    shifted = glyphs.text_path("-" + "0123456789abcdefghijklmnopqrstuvwxyz+.,:/()?")
    assert shifted.count("M") >= 45
    # A hyphen is 38 wide: what follows it is moved by 38, heights are not.
    assert glyphs.text_path("-4") == "M8 46H30M74 70V0L45 51H87"
    assert glyphs.text_path("-c") == "M8 46H30M78 31A18 24 0 1 0 78 61"
    assert glyphs.text_path("é") == glyphs.text_path("?")
    assert glyphs.text_width("") == 0


# Colours


@pytest.mark.parametrize("name", colours.THEMES)
@pytest.mark.parametrize("colour_map", colours.COLOUR_MAPS)
def test_paths_and_marks_stand_out_from_the_squares(name, colour_map):
    theme = colours.THEMES[name]
    low, high = theme.span
    shades = [
        colours.colour_at(colours.COLOUR_MAPS[colour_map], low + (high - low) * k / 20)
        for k in range(21)
    ]
    for shade in [*shades, theme.ink, theme.accent]:
        ratios = sorted(colours.contrast(shade, square) for square in (theme.light, theme.dark))
        assert ratios[1] >= 3.0, shade
        assert ratios[0] >= 2.2, shade
    for text in (theme.label, theme.ink):
        assert colours.contrast(text, theme.paper) >= 4.5


@pytest.mark.parametrize("colour_map", colours.COLOUR_MAPS)
def test_colour_maps_grow_steadily_lighter(colour_map):
    anchors = colours.COLOUR_MAPS[colour_map]
    # 32 steps: in finer ones the rounding to 8 bits would show.
    lightness = [colours.luminance(colours.colour_at(anchors, k / 32)) for k in range(33)]
    assert all(later > sooner for sooner, later in pairwise(lightness))


@pytest.mark.parametrize("theme", colours.THEMES)
def test_numbers_can_be_read_on_their_discs(theme):
    root = parse(found("a0", "xiangqi").svg(numbers=True, theme=theme, labels="none"))
    discs = [path.get("stroke") for path in root.iter(f"{SVG}path") if "h0" in path.get("d")]
    inks = [group.get("fill") for group in root.iter(f"{SVG}g") if group.get("font-size")]
    assert len(discs) == len(inks) == 64
    for disc, ink in zip(discs, inks, strict=True):
        assert colours.contrast(disc, ink) >= 4.5


# Limits and bad input


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"path": "curve"}, "path='curve'"),
        ({"path": "line+none"}, r"path='line\+none'"),
        ({"path": ""}, "path=''"),
        ({"path": None}, "path=None"),
        ({"theme": "neon"}, "theme='neon'"),
        ({"colour_map": "jet"}, "colour_map='jet'"),
        ({"labels": "uci"}, "labels='uci'"),
        ({"ranks": "0-10"}, "ranks='0-10'"),
        ({"text": "comic"}, "text='comic'"),
        ({"size": 0}, "size=0"),
        ({"size": 1.5}, "size=1.5"),
        ({"size": True}, "size=True"),
        ({"base": 1.0}, "base=1.0"),
        ({"base": True}, "base=True"),
        ({"numbers": 1}, "numbers=1"),
        ({"ends": None}, "ends=None"),
        ({"holes": [(3, 0)]}, r"hole \(3, 0\)"),
        ({"closing": True}, "closing=True"),
    ],
)
def test_bad_options_are_named(options, words):
    with pytest.raises(InvalidInputError, match=words):
        svg([(0, 0)], "3x4", **options)


def test_bad_squares_and_missing_boards_are_named():
    with pytest.raises(InvalidInputError, match=r"\(3, 0\)"):
        svg([(0, 0), (3, 0)], "3x4")
    with pytest.raises(InvalidInputError, match="board=None"):
        svg([(0, 0)])
    with pytest.raises(InvalidInputError, match="board=None"):
        svg(iter([(0, 0)]))
    # A tour on another board is a walk like any other.
    with pytest.raises(InvalidInputError, match="is not a square"):
        svg(found((0, 0), "3x4"), "4x3")


def test_boards_too_large_to_look_at_are_refused_at_once():
    huge = Board(10**9, 10**9)
    assert huge._repr_svg_() is None
    assert Board(501, 500)._repr_svg_() is None
    with pytest.raises(InvalidInputError, match="too large to draw"):
        svg((), huge)
    with pytest.raises(InvalidInputError, match="too large to draw"):
        svg((), (1, MAX_DRAWN + 1))
    assert Board(1, 10)._repr_svg_().startswith("<svg ")
    for path, what in (("numbers", "numbers"), ("arrows", "arrows")):
        with pytest.raises(InvalidInputError, match=f"{what} on"):
            svg((), (1, MAX_DETAILED + 1), path=path)


# Notebooks and files


def test_tours_boards_and_pictures_show_themselves_in_a_notebook():
    walk = found("a0", "xiangqi")
    picture = walk.svg()
    assert isinstance(picture, Svg)
    assert walk._repr_svg_() == picture._repr_svg_() == picture
    assert type(picture._repr_svg_()) is str
    assert as_board("chess")._repr_svg_() == svg((), "chess")


@pytest.mark.parametrize("board", ["chess", "xiangqi", "3x10", "10x3", "50x50"])
def test_tours_are_saved_as_pictures(board, tmp_path):
    walk = found((0, 0), board, "step-back")
    file = walk.save(tmp_path / "tour.svg")
    assert squares_of_path(parse(file.read_text("utf-8"))) == walk
    assert walk.svg(theme="dark").save(tmp_path / "dark.svg").read_text("utf-8") == walk.svg(
        theme="dark"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dark.svg", "tour.svg"]


def test_a_path_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    walk = found((0, 0), "3x4")
    with pytest.raises(OSError, match="nowhere"):
        walk.save(tmp_path / "nowhere" / "tour.svg")
    with pytest.raises(OSError, match="nowhere"):
        walk.svg().save(tmp_path / "nowhere" / "tour.svg")
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(OSError, match=r"taken\.svg"):
        walk.save(tmp_path / "taken.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.svg"]


def test_size_is_the_longer_side_and_keeps_the_shape():
    for shape in ((3, 40), (40, 3), (8, 8)):
        root = parse(svg((), shape, size=777))
        width, height = int(root.get("width")), int(root.get("height"))
        assert max(width, height) == 777
        _, _, wide, high = map(float, root.get("viewBox").split())
        assert math.isclose(width / height, wide / high, rel_tol=0.02)


if __name__ == "__main__":
    for name, draw in GOLDEN_PICTURES.items():
        draw().save(GOLDEN / f"{name}.svg")
        print(GOLDEN / f"{name}.svg")


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_the_holes_of_a_board_are_drawn_and_its_closing_move_too(theme):
    board = Board.ring(10, 4)
    walk = tour(board=board, closed=True)
    assert set(board.holes) == {(4, 4), (4, 5), (5, 4), (5, 5)}
    options = {"theme": theme, "title": "ring"}
    plain = svg(walk.tolist(), "10x10", holes=board.holes, **options)
    assert walk.svg(**options) == plain
    assert walk.svg(theme=theme) != walk.svg(theme=theme, closing=False)
    with pytest.raises(InvalidInputError, match="hole"):
        svg([(4, 4)], board)
