"""Comparisons of strategies against published results, and the commands that draw."""

import json
import re
import xml.etree.ElementTree as ElementTree
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from knighttour import InvalidInputError, Strategy, tour
from knighttour.board import as_board
from knighttour.cli import drawing as cli_drawing
from knighttour.cli import main
from knighttour.drawing import colours, glyphs
from knighttour.drawing.heatmap import ENDINGS, compare, heat_maps, summary, table

SVG = "{http://www.w3.org/2000/svg}"

HAS_CORE = find_spec("knighttour._core") is not None
NEEDS_CORE = pytest.mark.skipif(not HAS_CORE, reason="the compiled core is not built")
BACKENDS = ["pure", pytest.param("core", marks=NEEDS_CORE)]
DATA = Path(__file__).parent / "data"
SIZES = json.loads((DATA / "small_boards.json").read_text())["boards"]


def one(board, strategy, **options):
    [result] = compare(board, [strategy], **options)
    return result


def with_ending(result, ending):
    return {
        square
        for square, outcome in zip(result.board.squares, result.outcomes, strict=True)
        if outcome.ending == ending
    }


# What the programs are known to do: the corrected programs, run in their own languages.


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("strategy", "board", "dead_ends"),
    [
        ("access-level", "8x8", {(4, 2)}),
        ("access-level", "10x9", {(3, 1), (7, 5), (2, 8)}),
        ("warnsdorff", "8x8", {(1, 3), (4, 7)}),
    ],
)
def test_starts_that_end_in_a_dead_end(strategy, board, dead_ends, backend):
    result = one(board, strategy, backend=backend)
    assert with_ending(result, "dead-end") == dead_ends
    assert result.count("tour") == result.board.size - len(dead_ends)
    assert set(result.backtracks()) == {0}


@pytest.mark.parametrize(
    ("strategy", "board", "costly"),
    [
        ("step-back", "8x8", {(5, 4): 46}),
        ("course", "8x8", {(2, 4): 46}),
    ],
)
def test_starts_that_take_moves_back(strategy, board, costly):
    result = one(board, strategy)
    assert result.count("tour") == 64
    pairs = zip(result.board.squares, result.outcomes, strict=True)
    assert {square: o.backtracks for square, o in pairs if o.backtracks} == costly


@NEEDS_CORE
def test_the_static_rule_is_slow_as_published():
    """2.9 million backtracks: a minute in pure Python."""
    result = one("chess", "depth-first", max_nodes=2_000_000, backend="core")
    assert result.count("tour") == 64
    assert result.outcomes[0].backtracks == 74_544
    assert sum(result.backtracks()) == 2_883_981
    assert max(result.backtracks()) == result.outcomes[6 * 8 + 5].backtracks == 1_260_410
    assert sum(count == 0 for count in result.backtracks()) == 4


@pytest.mark.parametrize(
    ("rows", "cols"), [(3, 3), (3, 4), (4, 3), (4, 4), (3, 5), (5, 3), (3, 6), (3, 7), (7, 3)]
)
def test_a_complete_search_succeeds_exactly_where_there_is_a_tour(rows, cols):
    facts = next(b for b in SIZES if {b["m"], b["n"]} == {rows, cols} and b["m"] <= b["n"])
    starts = facts["starts"]
    if rows > cols:
        starts = [list(column) for column in zip(*starts, strict=True)]
    solvable = {
        (row, col) for row in range(rows) for col in range(cols) if int(starts[row][col]) > 0
    }
    result = one((rows, cols), "course", max_nodes=10_000_000)
    assert with_ending(result, "tour") == solvable
    assert result.count("no-tour") == rows * cols - len(solvable)


def test_giving_up_is_not_failing():
    limited = one("chess", "depth-first", max_nodes=64)
    # With 64 nodes for 64 squares only the searches that never step back get there.
    assert with_ending(limited, "tour") == {(0, 6), (1, 1), (1, 5), (3, 2)}
    assert limited.count("gave-up") == 60
    for word in ("60 gave up after 64 nodes", "4 of 64 starts give a tour"):
        assert word in heat_maps([limited])
    assert "no tour" not in ElementTree.fromstring(heat_maps([limited])).find(f"{SVG}desc").text


@NEEDS_CORE
@pytest.mark.parametrize("board", ["4x5", "5x4", "6x6"])
def test_both_engines_agree(board):
    assert compare(board, max_nodes=3000, backend="core") == compare(
        board, max_nodes=3000, backend="pure"
    )


def test_a_random_tie_follows_the_seed():
    rule = Strategy(Strategy.named("course").order, tie="random", backtrack=False)
    assert compare("6x6", [rule], seed=1) == compare("6x6", [rule], seed=1)
    assert compare("6x6", [rule], seed=1) != compare("6x6", [rule], seed=2)
    assert compare("6x6", [rule])[0].strategy == "custom"


# In words


def test_the_summary_counts_every_start_once():
    results = compare("5x6", max_nodes=2000)
    lines = summary(results).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [result.strategy for result in results]
    for line, result in zip(lines[1:], results, strict=True):
        counts = [int(number) for number in line.split()[1:5]]
        assert counts == [result.count(ending) for ending in ENDINGS]
        assert sum(counts) == 30


@pytest.mark.parametrize("board", ["3x4", "4x3", "xiangqi"])
def test_the_table_has_a_sign_for_every_way_to_end(board):
    result = one(board, "access-level")
    text = table([result])
    grid = [line.split()[1:] for line in text.splitlines()[4:] if re.match(r" *\d", line)]
    cells = [cell for row in grid for cell in row]
    assert len(grid) == result.board.rows
    assert cells == [ENDINGS[o.ending] or str(o.backtracks) for o in result.outcomes]
    assert "x dead end" in text


def test_large_boards_are_summed_up():
    assert "use -o FILE.svg" in table(compare("25x25", ["warnsdorff"]))


# As a picture


def cells_of(picture):
    """Return the colour or the sign of every cell, map by map."""
    root = ElementTree.fromstring(picture)
    maps = []
    for group in root.iter(f"{SVG}g"):
        if not (group.get("transform") and group.find(f"{SVG}rect") is not None):
            continue
        cells = {}
        for path in group.iter(f"{SVG}path"):
            for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)h\.94", path.get("d")):
                where = round(float(y) + 0.47), round(float(x) + 0.47)
                cells[where] = path.get("fill")
            if path.get("fill") == "none":
                for x, y in re.findall(r"M(\d+) (\d+)m", path.get("d")):
                    cells[int(y), int(x)] = path.get("d").split("M")[1].split("m")[-1]
        maps.append(cells)
    return maps


@pytest.mark.parametrize("theme", colours.THEMES)
@pytest.mark.parametrize("board", ["3x10", "10x3", "chess", "xiangqi"])
def test_cells_have_the_colour_of_their_backtracks_or_a_sign(board, theme):
    results = compare(board, max_nodes=5000)
    maps = cells_of(heat_maps(results, theme=theme))
    assert len(maps) == len(results)
    shades = {}
    signs = {}
    for cells, result in zip(maps, results, strict=True):
        assert set(cells) == set(result.board.squares)
        for square, outcome in zip(result.board.squares, result.outcomes, strict=True):
            if outcome.ending == "tour":
                shades[outcome.backtracks] = cells[square]
            else:
                signs.setdefault(outcome.ending, set()).add(cells[square])
    order = sorted(shades)
    light = [colours.luminance(shades[count]) for count in order]
    # One scale for all maps: more backtracks are darker, in the dark theme lighter.
    # Neighbouring shades may differ by the rounding to 8 bits.
    sign = 1 if theme == "dark" else -1
    assert all(sign * (later - sooner) > -0.001 for sooner, later in pairwise(light))
    assert sign * (light[-1] - light[0]) > 0.5 or len(light) == 1
    assert all(len(used) == 1 for used in signs.values())
    assert len({*signs}) == len({sign for used in signs.values() for sign in used})
    assert not {sign for used in signs.values() for sign in used} & set(shades.values())


@pytest.mark.parametrize("board", ["3x4", "3x30", "30x3", "chess", "xiangqi", "25x25", "1x1"])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_nothing_sticks_out_of_the_picture(board, number):
    strategies = ["warnsdorff", "course", "access-level", "step-back", "depth-first"][:number]
    root = ElementTree.fromstring(heat_maps(compare(board, strategies, max_nodes=1600)))
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width <= 1100
    for group in root.iter(f"{SVG}g"):
        if group.get("font-size") is None:
            continue
        font = float(group.get("font-size"))
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[group.get("text-anchor")]
        for text in group:
            x, y = float(text.get("x")), float(text.get("y"))
            wide = glyphs.text_width(text.text) * font
            assert x - share * wide >= 0, text.text
            assert x + (1 - share) * wide <= width, text.text
            assert 0.7 * font <= y <= height, text.text


def test_heat_maps_say_in_words_what_they_show():
    root = ElementTree.fromstring(heat_maps(compare("3x4", ["course"]), title="<b>&"))
    assert root.find(f"{SVG}title").text == "<b>&"
    assert "6 of 12 starts give a tour, 6 have no tour" in root.find(f"{SVG}desc").text


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("chess", ["best"]), {}, "strategy='best'"),
        (("chess", []), {}, "no strategy"),
        (("101x100",), {}, "at most 10000"),
        (("chess",), {"max_nodes": 63}, "max_nodes=63"),
        (("chess",), {"max_nodes": True}, "max_nodes=True"),
        (("chess",), {"max_nodes": 1e6}, "max_nodes=1000000.0"),
        (("0x3",), {}, "rows=0"),
    ],
)
def test_bad_comparisons_are_named(arguments, options, words):
    with pytest.raises(InvalidInputError, match=words):
        compare(*arguments, **options)


def test_bad_looks_are_named():
    results = compare("3x4", ["course"])
    for options in ({"theme": "neon"}, {"colour_map": "jet"}, {"text": "comic"}, {"ranks": "x"}):
        with pytest.raises(InvalidInputError, match=next(iter(options))):
            heat_maps(results, **options)
    with pytest.raises(InvalidInputError, match="no comparison"):
        heat_maps([])


# The commands


def test_compare_prints_a_table(capsys):
    assert main(["compare", "--board", "3x4", "--strategies", "course, warnsdorff"]) == 0
    assert capsys.readouterr().out == table(compare("3x4", ["course", "warnsdorff"])) + "\n"


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_compare_draws(ending, tmp_path, capsys):
    file = tmp_path / f"map{ending}"
    if ending == ".png":
        pytest.importorskip("resvg_py", reason="pictures in pixels need knighttour[image]")
    words = ["compare", "--board", "5x5", "--theme", "dark", "--max-nodes", "500"]
    assert main([*words, "-o", str(file)]) == 0
    data = file.read_bytes()
    if ending == ".svg":
        assert data.decode() == heat_maps(compare("5x5", max_nodes=500), theme="dark")
    else:
        assert data[:4] == b"\x89PNG"
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "warnsdorff" in captured.err


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--board", "3x4", "-o", "map.gif"],
        ["compare", "--board", "3x4", "--strategies", "best"],
        ["compare", "--board", "200x200"],
        ["compare", "--board", "chess", "--max-nodes", "9"],
        ["draw", "-o", "x.bmp"],
        ["draw", "-o", "svg"],
        ["draw", "-o", "x.svg", "--path", "curve"],
        ["draw", "-o", "x.svg", "--speed", "3"],
        ["draw", "-o", "x.png", "--title", "t"],
        ["draw", "z9", "-o", "x.svg"],
        ["draw", "--board", "3000x3000", "-o", "x.svg"],
        ["draw", "--board", "300x300", "--numbers", "-o", "x.svg"],
        ["draw", "--size", "3", "-o", "x.png"],
        ["draw", "--strategy", "course", "--every", "0", "-o", "x.gif"],
        ["draw", "--theme", "auto", "-o", "x.svg"],
        ["draw", "--lang", "zh", "-o", "x.svg"],
        ["draw", "--theme", "print", "-o", "x.html"],
        ["draw", "--path", "dots", "-o", "x.html"],
        ["draw", "--size", "400", "-o", "x.html"],
        ["draw", "--every", "2", "-o", "x.html"],
        ["draw", "--speed", "0.1", "-o", "x.html"],
        ["draw", "--empty", "-o", "x.html"],
        ["draw", "--board", "500x500", "-o", "x.html"],
    ],
)
def test_bad_input_is_exit_2_and_writes_nothing(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("knighttour: ")
    assert not list(tmp_path.iterdir())


def test_draw_writes_what_svg_draws(tmp_path):
    file = tmp_path / "tour.svg"
    words = ["draw", "a0", "--strategy", "course", "--path", "arrows", "--numbers"]
    words += ["--theme", "dark", "--colours", "cividis", "--labels", "index", "--title", "<b>"]
    assert main([*words, "--size", "500", "--base", "0", "-o", str(file)]) == 0
    assert file.read_text("utf-8") == tour("a0", strategy="course").svg(
        path="arrows",
        numbers=True,
        theme="dark",
        colour_map="cividis",
        labels="index",
        title="<b>",
        size=500,
        base=0,
    )


def test_draw_draws_the_empty_board(tmp_path):
    file = tmp_path / "board.svg"
    assert main(["draw", "--empty", "--board", "5x6", "-o", str(file)]) == 0
    assert file.read_text("utf-8") == as_board("5x6")._repr_svg_()


@pytest.mark.parametrize("ending", [".png", ".gif", ".apng", ".webp"])
def test_draw_writes_pixels(ending, tmp_path):
    pytest.importorskip("resvg_py", reason="pictures in pixels need knighttour[image]")
    image_module = pytest.importorskip("PIL.Image", reason="animations need knighttour[image]")
    file = tmp_path / f"tour{ending}"
    words = ["draw", "0,0", "--board", "3x4", "--strategy", "course", "--size", "90"]
    if ending != ".png":
        words += ["--speed", "20", "--every", "3"]
    assert main([*words, "-o", str(file)]) == 0
    with image_module.open(file) as image:
        assert max(image.size) == 90
        assert getattr(image, "n_frames", 1) == (1 if ending == ".png" else 5)


def test_draw_writes_the_page_that_animate_makes(tmp_path):
    file = tmp_path / "tour.html"
    words = ["draw", "a0", "--closed", "--lang", "zh", "--title", "<script>", "--speed", "9"]
    assert main([*words, "-o", str(file)]) == 0
    found = tour("a0", closed=True)
    assert file.read_text("utf-8") == found.animate(lang="zh", title="<script>", speed=9)
    assert main(["draw", "a0", "--closed", "-o", str(file)]) == 0
    assert file.read_text("utf-8") == found.animate()
    assert main(["draw", "a0", "--closed", "--theme", "dark", "-o", str(file)]) == 0
    assert file.read_text("utf-8") == found.animate(theme="dark")


@pytest.mark.parametrize("ending", [".svg", ".html"])
def test_draw_finds_a_path_that_is_none_before_it_searches(ending, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli_drawing, "tour", None)
    file = tmp_path / "missing" / f"tour{ending}"
    assert main(["draw", "a0", "-o", str(file)]) == 1
    assert str(file) in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_draw_shows_how_far_a_stuck_walk_came(tmp_path, capsys):
    page = tmp_path / "stuck.html"
    words = ["draw", "1,3", "--board", "chess", "--strategy", "warnsdorff", "-o", str(page)]
    assert main(words) == 4
    assert "got stuck after 60 of 64" in capsys.readouterr().err
    assert "A knight's walk on" in page.read_text("utf-8").replace("&#x27;", "'")
    file = tmp_path / "stuck.svg"
    words = ["draw", "1,3", "--board", "chess", "--strategy", "warnsdorff", "-o", str(file)]
    assert main(words) == 4
    assert "got stuck after 60 of 64" in capsys.readouterr().err
    assert "The walk visits 60 of 64 squares" in file.read_text("utf-8")
    # Without a walk there is nothing to draw.
    gone = tmp_path / "none.svg"
    assert main(["draw", "0,1", "--board", "5x5", "--strategy", "course", "--max-nodes", "99",
                 "-o", str(gone)]) == 4  # fmt: skip
    assert not gone.exists()
