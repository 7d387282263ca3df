"""The page as text: what it contains, what it refuses, and that nothing breaks out of it."""

import base64
import copy
import hashlib
import json
import pickle
import re
from html.parser import HTMLParser
from itertools import islice
from string import Formatter

import pytest

from knighttour import Board, DeadEndError, InvalidInputError, Strategy, tour, trace
from knighttour.board import as_board
from knighttour.drawing import page as module
from knighttour.drawing.colours import contrast, get_theme
from knighttour.drawing.page import LANGUAGES, Page, page
from knighttour.drawing.svg import svg

VOID = {"meta", "link", "input", "br", "img"}


class Reader(HTMLParser):
    """Collect the elements of a page, and hold that every one of them is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.texts = {}
        self._open = []
        self.feed(text)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)


def data_of(made):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', made, re.S)
    return json.loads(found[1])


def decoded(data):
    """Read the events as the page does, but with the rules written down a second time."""
    width, text = data["width"], data["events"]
    if data["kind"] == "walk":
        return [int(text[k : k + width], 36) for k in range(0, len(text), width)]
    candidates = rf"((?:[0-9a-z]{{{width + 1}}})*)"
    pattern = rf"P([0-9a-z]{{{width}}}){candidates}|([XUD]){candidates}"
    events = []
    stack = []
    for match in re.finditer(pattern, text):
        kind = "P" if match[1] else match[3]
        candidates = match[2] if match[1] else match[4]
        if kind == "P":
            stack.append(int(match[1], 36))
        square = stack[-1]
        if kind == "U":
            stack.pop()
        size = width + 1
        pairs = [candidates[k : k + size] for k in range(0, len(candidates), size)]
        events.append((kind, square, [(int(pair[:-1], 36), int(pair[-1], 36)) for pair in pairs]))
    assert sum(len(match[0]) for match in re.finditer(pattern, text)) == len(text)
    return events


@pytest.mark.parametrize("board", ["chess", "xiangqi", "5x6", "6x5", "50x50"])
def test_a_walk_is_written_square_for_square(board):
    found = tour((0, 0), board)
    assert decoded(data_of(found.animate())) == found.order().tolist()


@pytest.mark.parametrize("board", ["6x6", "5x7", "7x5", "xiangqi"])
@pytest.mark.parametrize("strategy", ["course", "depth-first", "access-level"])
def test_a_trace_is_written_event_for_event(board, strategy, backend):
    place = as_board(board)
    events = list(islice(trace((0, 0), place, strategy, backend=backend), 3000))
    made = page(events, place)
    letters = {"place": "P", "dead-end": "X", "undo": "U", "done": "D"}

    def flat(square):
        return square[0] * place.cols + square[1]

    assert decoded(data_of(made)) == [
        (letters[e.kind], flat(e.square), [(flat(s), degree) for s, degree in e.candidates])
        for e in events
    ]


def test_the_traces_of_these_tests_have_undos():
    kinds = [event.kind for event in trace((0, 0), "xiangqi", "course")]
    assert kinds.count("undo") == 9


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", module.THEMES)
def test_the_html_is_well_formed_labelled_and_in_its_language(lang, theme):
    made = page(trace((0, 0), "xiangqi"), as_board("xiangqi"), lang=lang, theme=theme)
    reader = Reader(made)
    tags = [tag for tag, _ in reader.elements]
    assert tags[0] == "html"
    assert reader.elements[0][1] == {"lang": LANGUAGES[lang]["tag"], "data-theme": theme}
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in reader.elements:
        if tag == "button":
            assert attributes.get("aria-label") or attributes["id"] == "language"
        if tag == "input":
            assert attributes.get("aria-label") or attributes["id"] == "speed"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
    attributes = {a["id"]: a for _, a in reader.elements if "id" in a}
    assert attributes["speed-label"]["for"] == "speed"
    assert attributes["live"]["aria-live"] == "polite"
    assert attributes["board"]["role"] == "img"
    assert set(attributes["board"]["aria-labelledby"].split()) <= set(ids)


def test_everything_the_script_asks_for_by_name_is_there():
    script = module._asset("page.js")
    for made, missing in (
        (tour("a0").animate(), {"value-event", "value-nodes", "value-backtracks", "candidates"}),
        (page(trace("a0"), as_board("xiangqi")), set()),
    ):
        ids = {a["id"] for _, a in Reader(made).elements if "id" in a}
        assert set(re.findall(r'byId\("([a-z-]+)"\)', script)) - ids == missing


def test_the_policy_forbids_the_network_and_knows_its_script_and_style():
    made = tour("a0").animate()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)[1]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", made, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    # The one address is the name of the SVG language, which nobody fetches.
    assert set(re.findall(r"\w+://[^\"' ]*", made)) == {"http://www.w3.org/2000/svg"}
    for _, attributes in Reader(made).elements:
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,"
    assert "url(" not in made.replace('url("#ramp")', "")


@pytest.mark.parametrize(
    "title",
    [
        "<script>alert(1)</script>",
        "</script><script>alert(1)</script>",
        "</title></style><!-- <script>",
        "\"' onload=x & &amp; \\u003c \u2028",
        "馬 ♞ 🐎",
    ],
)
def test_a_title_stays_text(title):
    made = tour("a0").animate(title=title)
    reader = Reader(made)
    assert [tag for tag, _ in reader.elements].count("script") == 2
    assert "".join(reader.texts["h1"]) == title
    assert reader.texts["title"][0] == title
    assert data_of(made)["titles"] == {"en": title, "zh": title}
    # A frame around the page: the whole page is one attribute of one element.
    frame = Reader(made._repr_html_())
    assert [tag for tag, _ in frame.elements] == ["iframe"]
    assert frame.elements[0][1]["srcdoc"] == made
    assert frame.elements[0][1]["title"] == title
    assert frame.elements[0][1]["sandbox"] == "allow-scripts"


def test_characters_that_a_page_cannot_hold_are_replaced():
    made = tour("a0").animate(title="a\x00b\ud800c")
    assert data_of(made)["titles"]["en"] == "a\ufffdb\ufffdc"
    made.encode()


def test_a_page_is_deterministic_and_text():
    first, second = (tour("a0").animate(lang="zh", speed=7) for _ in range(2))
    assert first == second
    assert isinstance(first, str)
    for copied in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert isinstance(copied, Page)
        assert copied._repr_html_() == first._repr_html_()


def test_a_large_tour_stays_small():
    small, large = (len(tour((0, 0), board).animate()) for board in ("5x5", "50x50"))
    assert large - small < 12_000


def test_saving_writes_the_same_bytes_and_leaves_nothing_behind(tmp_path, monkeypatch):
    found = tour("a0")
    assert found.save(tmp_path / "a.html") == tmp_path / "a.html"
    found.animate().save(tmp_path / "b.html")
    written = (tmp_path / "a.html").read_bytes()
    assert written == (tmp_path / "b.html").read_bytes() == found.animate().encode()
    with pytest.raises(OSError, match="missing"):
        found.animate().save(tmp_path / "missing" / "c.html")
    monkeypatch.setattr(module, "MAX_SQUARES", 89)
    with pytest.raises(InvalidInputError, match="90 squares, more than 89"):
        found.save(tmp_path / "d.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "b.html"]


def test_titles_say_what_is_shown():
    def heading(made):
        return "".join(Reader(made).texts["h1"])

    closed = [(0, 0), (1, 2), (2, 4), (4, 5), (5, 3), (4, 1), (2, 0), (0, 1), (1, 3), (0, 5)]
    assert heading(page(closed, Board(6, 6))) == "A knight's walk on the 6×6 board"
    assert heading(tour("a1", "chess").animate()) == "Knight's tour of the 8×8 board"
    assert heading(tour("a0").animate(lang="zh")) == "马踏棋盘：中国象棋棋盘"
    made = page(trace("a1", "chess"), as_board("chess"))
    assert heading(made) == "The search for a knight's tour of the 8×8 board"


def closed_tour_of_six_by_six():
    """Return a closed tour, found by turning the ends of a strategy's walks until they meet."""
    place = Board(6, 6)
    for start in place.squares:
        for name in ("course", "step-back", "depth-first"):
            found = tour(start, place, strategy=name, max_nodes=100_000)
            if found.closed:
                return found
    raise AssertionError("none of these walks closes")


def test_a_closed_tour_says_so_walk_and_list_alike():
    found = closed_tour_of_six_by_six()
    for made in (found.animate(), page(found.tolist(), Board(6, 6))):
        assert data_of(made)["closed"] is True
        assert "Closed knight's tour" in made
        assert 'data-text="legend-closing"' in made
    opened = page(found.tolist()[:-1], Board(6, 6))
    assert data_of(opened)["closed"] is False
    assert 'data-text="legend-closing"' not in opened


def test_a_walk_that_got_stuck_can_be_played():
    with pytest.raises(DeadEndError) as caught:
        tour((0, 0), "3x10", strategy="warnsdorff")
    data = data_of(page(caught.value.walk, Board(3, 10)))
    assert decoded(data) == [row * 10 + col for row, col in caught.value.walk]


def test_degrees_are_shown_only_where_the_search_counts_them():
    order = Strategy.named("course").order
    for degree, ranked in (("none", False), ("static", True), ("dynamic", True)):
        events = trace((0, 0), "5x5", Strategy(order, degree=degree))
        assert data_of(page(islice(events, 200), Board(5, 5)))["ranked"] is ranked


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (7, 1), (3, 10), (10, 3), (40, 30)])
def test_boards_of_every_shape_are_drawn_within_their_view(rows, cols):
    made = page([(0, 0)], Board(rows, cols))
    wide, high = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)" role', made).groups())
    texts = re.findall(r'<text x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)<', board_of(made))
    for x, y, _ in texts:
        assert 0 < float(x) < wide
        assert 0 < float(y) < high
    written = [name for _, _, name in texts]
    assert "a" in written
    # Where only some rows have names, these are round numbers.
    assert {"1", "5", "10"} & set(written)
    assert len(written) == len(set(written))


def board_of(made):
    """Return the drawing of the empty board in a page."""
    return re.search(r'<desc id="board-text"></desc>(.*?)<g id="overlay"', made, re.S)[1]


def colours_of(made, theme):
    """Return the custom properties of a page that are colours."""
    selector = ":root {" if theme == "light" else ':root[data-theme="dark"] {'
    blocks = [part.split("}")[0] for part in made.split(selector)[1:]]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", "".join(blocks)))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("board", ["chess", "xiangqi", "10x9", "3x10", "10x3", "3x100", "1x1"])
def test_the_board_of_a_page_is_that_of_the_pictures(board, theme):
    place = as_board(board)
    made = page([(0, 0)], place)
    drawn = board_of(made)
    colours = colours_of(made, theme)
    assert "#" not in drawn
    drawn = re.sub(r"var\(--([a-z-]+)\)", lambda match: colours[match[1]], drawn)
    # What the pictures draw is read back, square by square, in test_svg.
    whole = svg((), place, theme=theme, size=1600 if board == "3x100" else 340)
    ground, empty = re.search(r"</desc>\n(<rect [^>]*>\n)(.*)</svg>", whole, re.S).groups()
    assert get_theme(theme).paper in ground
    assert drawn.strip() == empty.strip()


@pytest.mark.parametrize("board", ["chess", "xiangqi", "3x10", "50x50", "100x3"])
def test_the_layer_of_the_script_lies_on_the_squares(board):
    place = as_board(board)
    made = page([(0, 0)], place)
    number = r"(-?[\d.]+)"
    x, y, scale = map(
        float,
        re.search(
            rf'<g id="overlay" transform="translate\({number} {number}\)scale\({number}\)">', made
        ).groups(),
    )
    left, top, cell = map(
        float,
        re.search(
            rf'transform="translate\({number} {number}\)scale\({number}\)">', board_of(made)
        ).groups(),
    )
    for row, col in ((0, 0), (place.rows - 1, place.cols - 1)):
        assert x + (col + 0.5) * module.CELL * scale == pytest.approx(left + col * cell, abs=0.02)
        assert y + (row + 0.5) * module.CELL * scale == pytest.approx(top + row * cell, abs=0.02)


def test_strips_keep_their_length_and_other_boards_the_width_of_the_page():
    lengths = {
        name: data_of(page([(0, 0)], as_board(name)))["strip"]
        for name in ("chess", "3x10", "1x7", "3x100", "100x3", "1x9000")
    }
    assert lengths == {
        "chess": 0,
        "3x10": 0,
        "1x7": 340,
        "3x100": 1600,
        "100x3": 1600,
        "1x9000": 30_000,
    }


def test_ranks_can_be_numbered_from_one():
    assert data_of(tour("a0").animate())["bottom"] == 0
    made = tour("a0").animate(ranks="1-10")
    assert data_of(made)["bottom"] == 1
    assert ">10</text>" in made


def test_both_languages_say_the_same_things():
    def places(text):
        return {field for _, field, _, _ in Formatter().parse(text) if field}

    english, chinese = LANGUAGES["en"], LANGUAGES["zh"]
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        if key != "board-text":
            assert places(text) == places(chinese[key]), key
    used = set(re.findall(r'say\("([a-z-]+)"', module._asset("page.js")))
    assert used <= english.keys()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_by_four_and_a_half_to_one(theme):
    colours = colours_of(tour("a0").animate(), theme)

    def ratio(first, second):
        return contrast(colours[first], colours[second])

    for text, ground in (
        ("text", "page"),
        ("quiet", "page"),
        ("text", "button"),
        ("on-accent", "accent"),
        ("on-accent", "undo"),
        ("on-disc", "disc"),
        ("on-candidate", "candidate"),
        ("board-label", "page"),
    ):
        assert ratio(text, ground) >= 4.5, (text, ground)
    # What is no text but has to be seen: 3 to 1.
    for mark in ("first", "latest", "undo", "accent", "chosen"):
        for ground in ("board-light", "board-dark"):
            assert ratio(mark, ground) >= 3, (mark, ground)
    assert ratio("edge", "page") >= 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lang": "fr"}, "lang='fr'"),
        ({"theme": "print"}, "theme='print'"),
        ({"title": 3}, "title=3"),
        ({"ranks": "0-10"}, "ranks='0-10'"),
        ({"speed": 0}, "speed=0"),
        ({"speed": float("nan")}, "speed=nan"),
        ({"speed": True}, "speed=True"),
        ({"speed": "4"}, "speed='4'"),
        ({"height": 50}, "height=50"),
        ({"height": 500.5}, "height=500.5"),
        ({"autoplay": 1}, "autoplay=1"),
        ({"max_events": 0}, "max_events=0"),
        ({"max_events": 89}, "90 steps"),
    ],
)
def test_options_that_cannot_be_used_are_named(options, message):
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        tour("a0").animate(**options)


def test_walks_that_cannot_be_drawn_are_refused():
    with pytest.raises(InvalidInputError, match="on which board"):
        page([(0, 0)])
    with pytest.raises(InvalidInputError, match="empty"):
        page([], Board(3, 4))
    with pytest.raises(InvalidInputError, match="3x4 board"):
        page([(0, 0), (3, 0)], Board(3, 4))
    with pytest.raises(InvalidInputError, match="not of 8x8"):
        page(tour("a0"), Board(8, 8))
    with pytest.raises(InvalidInputError, match="more than 1000000"):
        page([(0, 0)], Board(10**9, 10**9))


def test_traces_longer_than_the_limit_are_refused_lazily():
    events = trace((0, 0), "chess", "depth-first")
    with pytest.raises(InvalidInputError, match="max_events=500"):
        page(events, Board(8, 8), max_events=500)
    with pytest.raises(InvalidInputError, match=r"the walk has more than 2 steps.*max_events=2"):
        page(((row, 0) for row in range(8)), Board(8, 8), max_events=2)
    assert next(events).nodes < 600, "it read on after the limit"
    # A trace of exactly the limit is one that fits.
    fits = page(islice(trace((0, 0), "chess", "depth-first"), 500), Board(8, 8), max_events=500)
    assert len(decoded(data_of(fits))) == 500


def test_events_that_are_no_search_from_its_beginning_are_refused():
    events = list(trace((0, 0), "xiangqi", "course"))
    first_undo = [event.kind for event in events].index("undo")
    board = as_board("xiangqi")
    for wrong, where in (
        (events[1:], "event 1"),
        (events[:5] + events[6:], "event 6"),
        (events[:first_undo] + events[first_undo + 1 :], f"event {first_undo + 1}"),
        ([*events, events[-1]], f"event {len(events) + 1}"),
        ([events[0], events[0]._replace(kind="jump")], "event 2"),
    ):
        with pytest.raises(InvalidInputError, match=where + ","):
            page(wrong, board)


def test_the_board_may_be_given_as_everywhere():
    pages = [page([(0, 0), (1, 2)], board) for board in ("8x8", "chess", (8, 8), Board(8, 8))]
    assert len(set(pages)) == 1
    with pytest.raises(InvalidInputError, match="board="):
        page([(0, 0), (1, 2)], "chessboard")
