"""The page in a real browser: headless Chromium of the system, driven by Playwright.

Without either the tests are skipped and say so; KNIGHTTOUR_REQUIRE_BROWSER=1 makes that a failure.
KNIGHTTOUR_CHROMIUM names a browser that is not on the path.
"""

import os
import shutil
import time
from itertools import islice

import pytest

from knighttour import Board, tour, trace
from knighttour.board import as_board
from knighttour.drawing.colours import get_theme
from knighttour.drawing.page import LANGUAGES, page

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")


def cannot(reason):
    if os.environ.get("KNIGHTTOUR_REQUIRE_BROWSER", "") not in ("", "0"):
        pytest.fail(f"KNIGHTTOUR_REQUIRE_BROWSER is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        cannot("playwright is not installed: pip install knighttour[browser-test]")
    found = os.environ.get("KNIGHTTOUR_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), ""
    )
    if not found:
        cannot("no Chromium was found: apt-get install chromium, or set KNIGHTTOUR_CHROMIUM")
    with sync_playwright() as playwright:
        # Chromium's own sandbox refuses to start for root, as in most containers.
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        opened = playwright.chromium.launch(executable_path=found, args=arguments)
        yield opened
        opened.close()


class Opened:
    """A page in the browser, with what it says, asks for and complains of."""

    def __init__(self, tab, messages, requests):
        self.tab, self.messages, self.requests = tab, messages, requests

    def text(self, name):
        return self.tab.inner_text(f"#{name}")

    def click(self, name):
        self.tab.click(f"#{name}")

    def press(self, key):
        self.tab.keyboard.press(key)

    @property
    def position(self):
        return int(self.tab.input_value("#scrub"))

    @property
    def is_playing(self):
        return self.tab.evaluate("document.body.classList.contains('playing')")

    def scrub(self, position):
        self.tab.evaluate(
            """value => {
                const bar = document.getElementById("scrub");
                bar.value = value;
                bar.dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            position,
        )

    def wait(self, condition):
        # Playwright's own wait_for_function uses eval(), which the page's policy forbids.
        give_up = time.monotonic() + 20
        while not self.tab.evaluate(condition):
            assert time.monotonic() < give_up, condition
            self.tab.wait_for_timeout(20)

    def shown(self, selector):
        """Count the elements that are drawn."""
        return self.tab.evaluate(
            """selector => [...document.querySelectorAll(selector)].filter(
                (item) => item.getAttribute("visibility") !== "hidden" &&
                          item.getAttribute("d") !== "").length""",
            selector,
        )


@pytest.fixture
def open_page(browser, tmp_path):
    """Open pages from files; at the end hold that they were silent and asked for nothing."""
    opened = []

    def opening(made, *, width=1000, height=760, motion="no-preference", scheme="light"):
        file = made.save(tmp_path / f"page{len(opened)}.html")
        context = browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion=motion,
            color_scheme=scheme,
        )
        tab = context.new_page()
        messages, requests = [], []
        tab.on("console", lambda message: messages.append(message.text))
        tab.on("pageerror", lambda error: messages.append(str(error)))
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(file.as_uri())
        opened.append((context, file, messages, requests))
        return Opened(tab, messages, requests)

    yield opening
    for context, file, messages, requests in opened:
        context.close()
        assert messages == []
        # The one thing asked for is the file itself; the empty icon is no request of a network.
        assert [url for url in requests if not url.startswith("data:")] == [file.as_uri()]


@pytest.fixture
def chess(open_page):
    found = tour("a1", "chess")
    return open_page(found.animate(autoplay=False)), found


def test_step_and_back_move_by_one_and_say_where(chess):
    opened, found = chess
    names = found.names()
    assert opened.text("value-step") == "1 / 64"
    assert opened.text("value-square") == "a1"
    assert opened.text("message") == "The knight starts on a1."
    for step in (2, 3, 4):
        opened.click("step-forward")
        assert opened.text("value-step") == f"{step} / 64"
        assert opened.text("value-square") == names[step - 1]
        assert opened.shown(".visit") == step
    opened.click("step-back")
    assert opened.text("value-square") == names[2]
    assert opened.shown(".visit") == 3
    assert opened.shown(".piece") == 2
    assert opened.text("last-squares") == " → ".join(names[:3])
    for _ in range(5):
        opened.click("step-back")
    assert opened.text("value-step") == "1 / 64"
    assert opened.shown(".piece") == 0


def test_play_reaches_the_last_step_and_stops_there(open_page):
    found = tour("a1", "chess")
    opened = open_page(found.animate(autoplay=False, speed=500))
    assert not opened.is_playing
    assert opened.tab.get_attribute("#play", "aria-label") == "Play"
    opened.click("play")
    opened.wait("document.getElementById('value-step').textContent === '64 / 64'")
    opened.wait("!document.body.classList.contains('playing')")
    assert opened.text("value-square") == found.names()[-1]
    assert opened.tab.get_attribute("#play", "aria-label") == "Play"
    assert opened.shown(".piece") == 63
    assert "all squares are visited" in opened.text("live")
    opened.click("play")  # again from the beginning
    opened.wait("Number(document.getElementById('scrub').value) < 64")


def test_pause_stops_where_it_is_and_play_goes_on(open_page):
    opened = open_page(tour((0, 0), "50x50").animate(autoplay=False, speed=60))
    opened.click("play")
    assert opened.tab.get_attribute("#play", "aria-label") == "Pause"
    opened.wait("Number(document.getElementById('scrub').value) > 5")
    opened.click("play")
    stopped = opened.position
    opened.tab.wait_for_timeout(300)
    assert opened.position == stopped < 2500
    assert opened.text("live").startswith(f"Step {stopped} of 2500")
    opened.click("play")
    opened.wait(f"Number(document.getElementById('scrub').value) > {stopped}")
    opened.click("step-back")  # stepping stops the playing too
    assert not opened.is_playing


def test_the_bar_goes_anywhere_and_the_drawing_follows(chess):
    opened, found = chess
    names = found.names()
    for step in (64, 10, 40, 1, 63):
        opened.scrub(step)
        assert opened.text("value-square") == names[step - 1]
        assert opened.shown(".visit") == step
        assert opened.shown(".piece") == step - 1
        assert opened.text("live").startswith(f"Step {step} of 64: {names[step - 1]}.")
    numbers = opened.tab.evaluate(
        """[...document.querySelectorAll(".visit")]
            .filter((item) => item.getAttribute("visibility") === "visible")
            .map((item) => [Number(item.querySelector("text").textContent),
                            Math.floor(item.querySelector("circle").getAttribute("cy") / 40),
                            Math.floor(item.querySelector("circle").getAttribute("cx") / 40)])"""
    )
    assert sorted(map(tuple, numbers)) == [
        (step, *square) for step, square in enumerate(found.tolist()[:63], 1)
    ]


def test_the_keyboard_does_everything(chess):
    opened, _ = chess
    opened.press("End")
    assert opened.position == 64
    opened.press("ArrowLeft")
    opened.press("ArrowLeft")
    assert opened.position == 62
    opened.press("ArrowRight")
    assert opened.position == 63
    opened.press("Home")
    assert opened.position == 1
    opened.press(" ")
    assert opened.is_playing
    opened.press(" ")
    assert not opened.is_playing
    # On a focused button the space bar is a click of that button, once.
    opened.press("Home")
    opened.tab.focus("#step-forward")
    opened.press(" ")
    assert opened.position == 2
    # The bar is one of the things to tab to; its arrows move one step, not two.
    opened.tab.focus("#scrub")
    opened.press("ArrowRight")
    assert opened.position == 3
    # On the speed the arrows change the speed and nothing else.
    before = opened.text("speed-text")
    opened.tab.focus("#speed")
    opened.press("ArrowRight")
    assert opened.text("speed-text") != before
    assert opened.position == 3


def test_every_control_can_be_tabbed_to_and_shows_its_focus(chess):
    opened, _ = chess
    seen = []
    for _ in range(9):
        opened.press("Tab")
        seen.append(
            opened.tab.evaluate(
                """(() => {
                    const item = document.activeElement, style = getComputedStyle(item);
                    return [item.id || item.tagName, style.outlineStyle, style.outlineWidth];
                })()"""
            )
        )
    names = ["language", "scrub", "first", "step-back", "play", "step-forward", "last", "speed"]
    assert seen == [[name, "solid", "3px"] for name in [*names, "SUMMARY"]]


def test_the_speed_is_set_by_its_bar(open_page):
    opened = open_page(tour("a0").animate(autoplay=False, speed=2))
    assert opened.text("speed-text") == "2 steps/s"
    opened.tab.focus("#speed")
    opened.press("End")
    assert opened.text("speed-text") == "2048 steps/s"
    assert opened.tab.get_attribute("#speed", "aria-valuetext") == "2048 steps/s"
    opened.press("Home")
    assert opened.text("speed-text") == "0.5 steps/s"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_languages_and_the_way_between_them(open_page, lang):
    opened = open_page(tour("a0").animate(autoplay=False, lang=lang))
    opened.press("End")
    for name in (lang, "zh" if lang == "en" else "en", lang):
        words = LANGUAGES[name]
        title = words["title-open"].format(board=words["xiangqi-board"])
        assert opened.tab.title() == opened.tab.inner_text("h1") == title
        assert opened.tab.get_attribute("html", "lang") == words["tag"]
        for button in ("play", "step-forward", "step-back", "first", "last"):
            assert opened.tab.get_attribute(f"#{button}", "aria-label") == words[button]
        last = opened.text("value-square")
        assert opened.text("message") == words["on-open"].format(name=last)
        written = opened.tab.evaluate(
            "[...document.querySelectorAll('[data-text]')].map((item) => "
            "[item.dataset.text, item.textContent])"
        )
        assert {key for key, _ in written} >= {"speed", "square", "step", "last-squares", "keys"}
        assert all(text == words[key] for key, text in written)
        opened.click("language")


def test_a_trace_shows_candidates_dead_ends_and_undo(open_page):
    board = as_board("xiangqi")
    events = list(trace((0, 0), board, "course"))
    opened = open_page(page(events, board, autoplay=False))
    kinds = [event.kind for event in events]
    first_dead_end, first_undo = kinds.index("dead-end"), kinds.index("undo")
    previous = events[first_undo - 1]

    opened.scrub(first_dead_end + 1)
    name = board.name(events[first_dead_end].square)
    assert opened.text("message") == f"Dead end on {name}: nothing left to try."
    assert opened.text("candidates") == "none"
    assert opened.shown("#overlay .ghost") == 0
    assert opened.tab.evaluate(
        "getComputedStyle(document.querySelector('#overlay .knight-disc')).fill"
    ) == opened.tab.evaluate("getComputedStyle(document.querySelector('#legend .dead-end')).stroke")

    opened.scrub(first_undo + 1)
    event = events[first_undo]
    assert opened.text("message").startswith(f"{board.name(event.square)} is taken back")
    assert opened.text("value-step") == f"{event.step} / 90"
    assert opened.text("value-backtracks") == "1"
    assert opened.text("value-nodes") == str(previous.nodes)
    assert opened.shown("#overlay .ghost") == 1
    assert opened.shown("#overlay .tint") == 1
    assert opened.shown("#overlay .dead-end") == 1

    opened.press("ArrowLeft")  # back before the undo: nothing of it remains
    assert opened.text("value-backtracks") == "0"
    for mark in ("ghost", "tint", "dead-end"):
        assert opened.shown(f"#overlay .{mark}") == 0
    assert opened.text("value-step") == f"{previous.step} / 90"


def test_a_trace_counts_as_its_events_do_forwards_and_backwards(open_page):
    board = as_board("xiangqi")
    events = list(trace((0, 0), board, "course"))
    opened = open_page(page(events, board, autoplay=False))
    path, undone, free_again = [], set(), []  # the last: for every event, what is to be tinted
    for event in events:
        if event.kind == "place":
            path.append(event.square)
        elif event.kind == "undo":
            undone.add(path.pop())
        free_again.append(undone - set(path))
    forwards = range(1, len(events) + 1)
    for position in [*forwards, *reversed(forwards), len(events), 100, 30, 115]:
        opened.scrub(position)
        event = events[position - 1]
        assert opened.tab.evaluate(
            "['step', 'event', 'nodes', 'backtracks'].map((name) => "
            "document.getElementById('value-' + name).textContent)"
        ) == [
            f"{event.step} / 90",
            f"{position} / {len(events)}",
            str(event.nodes),
            str(event.backtracks),
        ]
        corners = opened.tab.evaluate(
            "(document.querySelector('#overlay .tint').getAttribute('d').match(/M[^h]*/g) || [])"
            ".map((start) => start.slice(1).split(' ').map((at) => Math.floor(at / 40)))"
        )
        assert {(row, col) for col, row in corners} == free_again[position - 1]
        shown = ", ".join(f"{board.name(s)} ({degree})" for s, degree in event.candidates)
        assert opened.text("candidates") == (shown or "none")
        assert opened.shown("#overlay .candidate") == len(event.candidates)
        assert opened.tab.evaluate(
            "[...document.querySelectorAll('#overlay .candidate-degree')].map(t => t.textContent)"
        ) == [str(degree) for _, degree in event.candidates]
        is_followed_by_a_move = position < len(events) and events[position].kind == "place"
        assert opened.shown("#overlay .chosen") == int(is_followed_by_a_move)
    opened.press("End")
    assert opened.text("message") == "Tour found: all 90 squares."


def test_a_search_that_fails_says_so(open_page):
    stuck = list(trace((3, 3), "5x5", "warnsdorff"))
    opened = open_page(page(stuck, Board(5, 5), autoplay=False))
    opened.press("End")
    assert opened.text("message").startswith("Stuck on ")
    assert opened.text("message").endswith("after 19 of 25 squares.")
    hopeless = list(trace((0, 0), "3x3", "course"))
    opened = open_page(page(hopeless, Board(3, 3), autoplay=False, lang="zh"))
    opened.press("End")
    assert opened.text("message") == "无解：从 a3 出发的走法都已试过。"


def test_a_click_on_a_square_goes_to_its_step(chess):
    opened, found = chess
    for step in (30, 64, 2):
        row, col = found[step - 1]
        # The centre of the square in the drawing's units, through the matrix of the drawing.
        x, y = opened.tab.evaluate(
            """([x, y]) => {
                const place = new DOMPoint(x, y)
                    .matrixTransform(document.getElementById("overlay").getScreenCTM());
                return [place.x, place.y];
            }""",
            [col * 40 + 20, row * 40 + 20],
        )
        opened.tab.mouse.click(x, y)
        assert opened.text("value-step") == f"{step} / 64"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_has_the_colours_of_the_pictures(open_page, scheme):
    opened = open_page(tour("a1", "chess").animate(autoplay=False), scheme=scheme)
    computed = opened.tab.evaluate(
        """[...document.querySelectorAll("#board > g:first-of-type > *")]
            .map(e => [getComputedStyle(e).fill, getComputedStyle(e).stroke])"""
    )
    theme = get_theme(scheme)
    light, dark, line = (
        "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:]))
        for colour in (theme.light, theme.dark, theme.line)
    )
    assert computed == [[light, "none"], [dark, "none"], ["none", line]]


@pytest.mark.parametrize("board", ["3x100", "100x3"])
def test_a_strip_scrolls_in_its_box_with_squares_that_can_be_seen(open_page, board):
    opened = open_page(tour((0, 0), board).animate(autoplay=False), width=360, height=740)
    assert opened.tab.evaluate("document.documentElement.scrollWidth") <= 360
    side = opened.tab.evaluate("40 * document.getElementById('overlay').getScreenCTM().a")
    assert 14 < side < 20
    boxes = opened.tab.evaluate(
        """[".knight-disc", ".start-mark"].map(
            name => document.querySelector(name).getBoundingClientRect().width)"""
    )
    assert max(boxes) < 1.5 * side


def test_names_of_squares_are_those_of_the_library(open_page):
    for board in (Board(2, 30), Board(30, 2), as_board("xiangqi")):
        walk = list(board.squares)
        opened = open_page(page(walk, board, autoplay=False))
        shown = []
        for position in range(1, len(walk) + 1):
            opened.scrub(position)
            shown.append(opened.text("value-square"))
        assert shown == [board.name(square) for square in walk]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("board", ["chess", "xiangqi", "50x50", "3x4"])
def test_a_phone_shows_it_without_scrolling_sideways(open_page, board, scheme):
    place = as_board(board)
    for made in (
        tour((0, 0), board).animate(autoplay=False, lang="zh"),
        page(islice(trace((0, 0), place, "course"), 300), place, autoplay=False, title="W" * 90),
    ):
        opened = open_page(made, width=360, height=740, scheme=scheme)
        opened.press("End")
        assert opened.tab.evaluate("document.documentElement.scrollWidth") <= 360
        box = opened.tab.locator("#board").bounding_box()
        assert box["x"] >= 0
        assert 300 < box["width"] <= 360
        for button in ("first", "step-back", "play", "step-forward", "last", "language"):
            size = opened.tab.locator(f"#{button}").bounding_box()
            assert min(size["width"], size["height"]) >= 44
            assert size["x"] + size["width"] <= 360


def test_themes_follow_the_system_unless_one_is_chosen(open_page):
    found = tour("a0")
    grounds = {}
    for theme in ("auto", "light", "dark"):
        for scheme in ("light", "dark"):
            opened = open_page(found.animate(autoplay=False, theme=theme), scheme=scheme)
            grounds[theme, scheme] = opened.tab.evaluate(
                "getComputedStyle(document.body).backgroundColor"
            )
    light, dark = grounds["auto", "light"], grounds["auto", "dark"]
    assert light != dark
    assert {grounds["light", scheme] for scheme in ("light", "dark")} == {light}
    assert {grounds["dark", scheme] for scheme in ("light", "dark")} == {dark}


def test_it_plays_by_itself_but_not_where_motion_is_unwelcome(open_page):
    made = tour("a0").animate(speed=4)
    opened = open_page(made)
    opened.wait("Number(document.getElementById('scrub').value) > 1")
    assert opened.is_playing
    assert opened.tab.evaluate("document.querySelector('#overlay.gliding') !== null")
    calm = open_page(made, motion="reduce")
    calm.tab.wait_for_timeout(700)
    assert not calm.is_playing
    assert calm.position == 1
    calm.press("ArrowRight")
    duration = "getComputedStyle(document.querySelector('.knight')).transitionDuration"
    assert calm.tab.evaluate(duration) == "0s"
    calm.click("play")  # who asks for it gets it
    calm.wait("Number(document.getElementById('scrub').value) > 2")


def test_a_title_with_markup_stays_text_and_runs_nothing(open_page):
    title = "</script><img src=x onerror=document.title='broken'><script>alert(1)</script>"
    opened = open_page(tour("a0").animate(autoplay=False, title=title))
    assert opened.tab.title() == opened.tab.inner_text("h1") == title
    assert opened.tab.evaluate("document.images.length") == 0


def test_the_policy_really_forbids_what_the_page_does_not_need(browser, tmp_path):
    made = tour("a0").animate(autoplay=False)
    smuggled = made.replace("</body>", "<script>document.title = 'broken'</script></body>")
    (tmp_path / "smuggled.html").write_text(smuggled, "utf-8", newline="\n")
    tab = browser.new_page()
    asked = []
    tab.on("requestfinished", lambda request: asked.append(request.url))
    tab.goto((tmp_path / "smuggled.html").as_uri())
    assert tab.title() == "Knight's tour of the xiangqi board"
    refused = tab.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("securitypolicyviolation",
                (event) => done(event.effectiveDirective));
            fetch("http://127.0.0.1:9/").catch(() => {});
        })"""
    )
    assert refused == "connect-src"
    tab.close()
    assert not [url for url in asked if url.startswith("http")]


def test_a_notebook_shows_it_in_a_frame(browser):
    tab = browser.new_page()
    messages = []
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.on("console", lambda message: messages.append(message.text))
    made = tour("a0").animate(autoplay=False)
    tab.set_content(f"<!doctype html><p>before</p>{made._repr_html_()}<p>after</p>")
    frame = tab.frame_locator("iframe")
    frame.locator("#last").click()
    assert frame.locator("#value-step").inner_text() == "90 / 90"
    assert tab.locator("iframe").bounding_box()["height"] == 640
    tab.close()
    assert messages == []


def test_two_hundred_thousand_events_can_be_played(open_page):
    events = islice(trace((0, 0), "chess", "depth-first"), 200_000)
    opened = open_page(page(events, Board(8, 8), autoplay=False))
    opened.press("End")
    assert opened.text("value-event") == "200000 / 200000"
    opened.press("Home")
    assert opened.text("value-nodes") == "1"
    assert opened.text("value-backtracks") == "0"
