"""The live drawing of a search: what fits, what is shown, and how the terminal is left."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour.board import Board, as_board
from knighttour.cli import animating as cli_animate
from knighttour.cli import main
from knighttour.drawing.page import page
from knighttour.drawing.terminal import SearchView, can_animate, event_line, frame
from knighttour.drawing.text import display_width
from knighttour.search import trace
from knighttour.strategies import STRATEGIES

XIANGQI = as_board("xiangqi")


def view_after(count, start=(0, 0), board="xiangqi", strategy="course", backend=None):
    place = as_board(board)
    view = SearchView(place, f"{strategy} on {place}")
    for event, _ in zip(trace(start, place, strategy, backend=backend), range(count), strict=False):
        view.apply(event)
    return view


def plain(lines):
    return ["".join(text for text, _ in line) for line in lines]


# The state


@pytest.mark.parametrize(("rows", "cols"), [(5, 6), (6, 5), (3, 4), (4, 3), (5, 5)])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_view_follows_the_path_of_the_search(backend, rows, cols, strategy):
    board = Board(rows, cols)
    view = SearchView(board, "")
    for count, event in enumerate(trace((0, 0), board, strategy, backend=backend), 1):
        view.apply(event)
        assert view.events == count
        assert len(view.path) == event.step
        assert view.steps == {square: step for step, square in enumerate(view.path, 1)}
        assert all(
            board.are_adjacent(first, second)
            for first, second in zip(view.path, view.path[1:], strict=False)
        )
        assert not set(view.undone) & set(view.path)
        assert not set(view.choices()) & set(view.path)
        if count == 3000:
            break
    if event.kind == "done":
        assert view.is_tour == (len(view.path) == board.size)
        assert view.is_stuck != view.is_tour


# The picture


@settings(max_examples=150, deadline=None)
@given(
    rows=st.integers(1, 40),
    cols=st.integers(1, 40),
    width=st.integers(-1, 170),
    height=st.integers(-1, 90),
    count=st.integers(0, 120),
    ascii_only=st.booleans(),
    board_only=st.booleans(),
)
def test_no_picture_is_larger_than_the_terminal(
    rows, cols, width, height, count, ascii_only, board_only
):
    view = view_after(count, board=Board(rows, cols))
    lines = frame(
        view, width, height, ascii_only=ascii_only, board_only=board_only, hint="Ctrl-C stops"
    )
    assert 1 <= len(lines) <= max(height, 1)
    assert all(display_width(line) <= max(width, 1) for line in plain(lines))
    if ascii_only:
        assert all(line.isascii() for line in plain(lines))


@settings(max_examples=60, deadline=None)
@given(width=st.integers(1, 120), height=st.integers(1, 50), count=st.integers(0, 91))
def test_no_picture_of_the_xiangqi_board_is_larger_than_the_terminal(width, height, count):
    lines = plain(frame(view_after(count), width, height, hint="Ctrl-C stops"))
    assert len(lines) <= height
    assert all(display_width(line) <= width for line in lines)


def test_xiangqi_in_80_columns_is_drawn_on_points_with_everything_beside_it():
    lines = plain(frame(view_after(56, "a0"), 80, 24, hint="20 events/s, Ctrl-C stops"))
    assert len(lines) == 20
    assert "楚 河" in lines[9]
    assert "step        56 of 90" in "\n".join(lines)
    assert "[56]" in lines[6]
    assert "20 events/s, Ctrl-C stops" in "\n".join(lines)


@pytest.mark.parametrize(
    ("board", "width", "height", "sign"),
    [
        ("chess", 80, 24, "┌────┬"),
        ("chess", 44, 20, "┌────┬"),
        ("chess", 40, 20, "8   1"),
        ("20x20", 80, 24, "@ . ."),
        ("20x20", 120, 24, "20   [1]"),
        ("20x20", 20, 24, "@..."),
        ("100x100", 80, 24, "@..."),
        ("3x10", 80, 24, "┌────┬"),
        ("10x3", 80, 24, "┌────┬"),
    ],
)
def test_the_richest_picture_that_fits_is_taken(board, width, height, sign):
    count = 2 if board == "chess" else 1
    lines = plain(frame(view_after(count, board=board), width, height))
    assert sign in lines[0] + lines[1]


def test_the_window_follows_the_knight_to_every_corner():
    board = Board(100, 100)
    for start in ((0, 0), (0, 99), (99, 0), (99, 99), (50, 50)):
        view = view_after(1, start, board)
        lines = plain(frame(view, 40, 12))
        assert len(lines) == 12
        assert "".join(lines[:10]).count("@") == 1
        assert "100x100" in lines[-1]


def test_a_terminal_of_one_row_still_shows_the_step():
    assert plain(frame(view_after(5), 12, 1)) == ["step 5/90  o"]


def test_dead_ends_choices_and_undone_squares_are_told_apart_with_and_without_colour():
    view = SearchView(Board(3, 4), "")
    seen = set()
    for event in trace((0, 1), "3x4"):
        view.apply(event)
        lines = frame(view, 80, 24)
        pieces = [(text.strip(), style) for line in lines for text, style in line]
        name = view.name(event.square)
        if event.kind == "place":
            assert (f"[{event.step}]", "here") in pieces
        if event.kind == "dead-end":
            assert (f"!{event.step}!", "dead") in pieces
            assert (f"dead end on {name}", "dead") in pieces
        if event.kind == "undo":
            assert ("x", "undone") in pieces
            assert (f"{name} taken back", "undone") in pieces
        for square, degree in event.candidates:
            assert (f"({degree})", "choice") in pieces
            assert (f"{view.name(square)} ({degree})", "choice") in pieces
        seen.add(event.kind)
    assert seen == {"place", "dead-end", "undo", "done"}
    assert view.is_stuck


def test_brackets_of_neighbouring_squares_do_not_overwrite_numbers():
    # a board where every mark is as wide as its number can be
    view = view_after(140, board="12x12")
    for width in (60, 200):
        numbers = re.findall(r"\d+", " ".join(line[:52] for line in plain(frame(view, width, 16))))
        for step in view.steps.values():
            assert str(step) in numbers


def test_a_complete_tour_says_so():
    view = view_after(1000, "a0")
    assert view.is_tour
    assert "tour complete" in "\n".join(plain(frame(view, 80, 24)))


# The command, without a terminal


def test_piped_every_event_is_a_line_and_the_reason_is_told_once(capsys):
    assert main(["animate", "a0"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == 91
    assert lines[0] == "place a0  step 1  nodes 1  backtracks 0  next c1(5) b2(5)"
    assert lines[-1].startswith("done b6  step 90  nodes 90")
    assert err.count("plain steps") == 1
    assert "tour by course on xiangqi from a0" in err


def test_piped_output_does_not_wait(capsys):
    began = time.monotonic()
    assert main(["animate", "--speed", "1"]) == 0
    assert time.monotonic() - began < 5


def test_lines_tell_backtracking(capsys, backend):
    assert main(["--backend", backend, "animate", "0,1", "--board", "3x4"]) == 3
    out, err = capsys.readouterr()
    kinds = [line.split()[0] for line in out.splitlines()]
    assert kinds.count("place") == 54
    assert kinds.count("undo") == 53
    assert "exhausted-search" in err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["0,0", "--board", "3x3"], 3, "no tour"),
        (["1,3", "--board", "chess", "--strategy", "warnsdorff"], 4, "dead end"),
        (["0,1", "--board", "7x7", "--max-events", "100"], 4, "--max-events 100"),
        (["a0", "--max-events", "91"], 0, "tour by course"),
        (["--board", "1x1", "--max-events", "2"], 0, "tour by"),
        (["--board", "1x1", "--max-events", "1"], 4, "nothing is proved"),
    ],
)
def test_the_exit_code_says_how_it_ended(capsys, words, code, said):
    assert main(["animate", *words]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("speed", ["-1", "nan", "inf", "-inf", "fast", "", "1e-9", "2 0", "-0.5"])
def test_a_speed_that_is_none_is_refused(capsys, speed):
    assert main(["animate", f"--speed={speed}"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "is not a speed" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--strategy", "fast"], "'course'"),
        (["z0"], "not a square"),
        (["--max-events", "0"], "--max-events 0"),
        (["--max-events", "-3"], "--max-events -3"),
        (["--board", "0x3"], "rows"),
        (["--seed", "-1"], "seed"),
        (["--lang", "zh"], "--lang is for a page"),
        (["--theme", "dark"], "--theme is for a page"),
        (["--title", "x"], "--title is for a page"),
    ],
)
def test_other_bad_input_is_refused(capsys, words, said):
    assert main(["animate", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("speed", ["0", "max", "MAX", "0.5", "1e6", "20"])
def test_speeds_that_there_are(capsys, speed):
    assert main(["animate", "--speed", speed, "--max-events", "3"]) == 4
    assert len(capsys.readouterr().out.splitlines()) == 3


# The search as a page


def test_a_page_shows_the_search_and_nothing_is_told(tmp_path, capsys):
    file = tmp_path / "search.html"
    words = ["--lang", "zh", "--theme", "dark", "--title", "<script>", "--speed", "7"]
    assert main(["animate", "c4", *words, "-o", str(file)]) == 0
    place = as_board("xiangqi")
    made = page(
        trace("c4", place, "course"), place, lang="zh", theme="dark", title="<script>", speed=7
    )
    assert file.read_text("utf-8") == made
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tour by course on ")


def test_a_page_plays_by_its_own_speed_unless_told(tmp_path):
    for words, speed in (([], 118 / 20), (["--speed", "max"], 2048), (["--speed", "9"], 9)):
        file = tmp_path / "search.html"
        assert main(["animate", "0,0", *words, "-o", str(file)]) == 0
        shown = re.search(r'"speed":([\d.]+)', file.read_text("utf-8"))[1]
        assert float(shown) == pytest.approx(speed)


@pytest.mark.parametrize(
    ("words", "code", "letters"),
    [
        # A dead end, a proof, and the first hundred events of a search without end.
        (["1,3", "--board", "chess", "--strategy", "warnsdorff"], 4, "PXD"),
        (["0,0", "--board", "3x3"], 3, "PXUD"),
        (["0,1", "--board", "7x7", "--max-events", "100"], 4, "PXU"),
    ],
)
def test_a_page_shows_searches_that_fail(words, code, letters, tmp_path, capsys):
    file = tmp_path / "search.html"
    assert main(["animate", *words, "-o", str(file)]) == code
    assert capsys.readouterr().out == ""
    events = re.search(r'"events":"([^"]*)"', file.read_text("utf-8"))[1]
    kinds = re.sub("[^A-Z]", "", events)
    assert set(kinds) == set(letters)
    if "--max-events" in words:
        assert len(kinds) == 100


@pytest.mark.parametrize(
    ("file", "words", "code", "said"),
    [
        ("a.gif", [], 2, "use an ending of .html"),
        ("a", [], 2, "use an ending of .html"),
        ("a.html", ["--ascii"], 2, "--ascii is for the terminal"),
        ("a.html", ["--speed", "0.1"], 2, "at least 0.5"),
        ("a.html", ["--board", "2000x2000"], 2, "more than 1000000"),
        ("missing/a.html", [], 1, "missing"),
        ("a.html", ["0,1", "--board", "7x7"], 2, "more than 300 events"),
    ],
)
def test_what_cannot_be_a_page_is_named_and_leaves_nothing(
    file, words, code, said, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(cli_animate, "_MAX_PAGE", 300)
    assert main(["animate", *words, "-o", str(tmp_path / file)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_page_of_exactly_the_limit_is_one_that_fits(tmp_path, monkeypatch):
    monkeypatch.setattr(cli_animate, "_MAX_PAGE", 118)
    assert main(["animate", "0,0", "-o", str(tmp_path / "a.html")]) == 0


def test_ranks_are_named_as_asked(capsys):
    assert main(["animate", "a10", "--ranks", "1-10", "--max-events", "1"]) == 4
    assert capsys.readouterr().out.startswith("place a10 ")


def test_the_help_names_the_default_strategy(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["animate", "--help"])
    assert stop.value.code == 0
    assert "course (default: course)" in " ".join(capsys.readouterr().out.split())


class FakeTerminal(io.StringIO):
    def isatty(self):
        return True


def test_why_a_stream_cannot_be_drawn_on(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert "not a terminal" in can_animate(io.StringIO())
    monkeypatch.setitem(sys.modules, "rich", None)
    assert "knighttour[cli]" in can_animate(FakeTerminal())
    monkeypatch.setenv("TERM", "dumb")
    assert "cannot be drawn on" in can_animate(FakeTerminal())


def test_event_lines_are_ascii():
    view = view_after(3, board="chess")
    assert event_line(view).isascii()


# The command in a pseudo-terminal

_START = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
{before}
sys.argv[0] = "knighttour"
runpy.run_module("knighttour", run_name="__main__", alter_sys=True)
"""

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Session:
    """The command in a pseudo-terminal of its own."""

    def __init__(self, *words, size=(80, 24), before="", **environment):
        pty = pytest.importorskip("pty", reason="needs pseudo-terminals (not on Windows)")
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        import termios

        self.modes = termios.tcgetattr(self.slave)
        variables = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
            variables.pop(name, None)
        source = os.path.dirname(os.path.dirname(sys.modules["knighttour"].__file__))  # noqa: PTH120
        variables["PYTHONPATH"] = source
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START.format(before=before), "animate", *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**variables, **environment},
        )
        self.text = ""
        # A write that a signal cuts short may end in the middle of a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def resize(self, width, height):
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def read(self, until=None, seconds=20.0):
        """Read until a text has come, or until there is silence for so many seconds."""
        end = time.monotonic() + seconds
        first = len(self.text)
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.text += self.decoder.decode(os.read(self.master, 65536))
                except OSError:
                    break
            elif self.process.poll() is not None:
                break
            if until is not None and until in self.text[first:]:
                return self.text[first:]
        if until is not None:
            pytest.fail(f"{until!r} did not come in {self.text[first:]!r}")
        return self.text[first:]

    def send(self, keys):
        os.write(self.master, keys)

    def finish(self):
        self.read(seconds=20)
        return self.process.wait(timeout=20)

    def is_clean(self):
        """Whether cursor, colours, screen and keys are as they were before."""
        import termios

        modes = termios.tcgetattr(self.slave)
        after = self.text[self.text.rindex("\x1b[?1049l") :]
        shown = max(self.text.rfind("\x1b[?25h"), -1) > self.text.rfind("\x1b[?25l")
        styles = [code for code in _CONTROL.findall(after) if code.endswith("m")]
        return modes == self.modes and shown and (not styles or styles[-1] in ("\x1b[0m", "\x1b[m"))

    def frames(self, text):
        """Return the pictures in a piece of output, each as its lines without controls."""
        pictures = text.split("\x1b[?1049l")[0].split("\x1b[H")[1:]
        # The last one may not have come wholly.
        return [_CONTROL.sub("", picture).split("\r\n") for picture in pictures[:-1]]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def session():
    opened = []

    def start(*words, **options):
        pytest.importorskip("rich", reason="the animation is drawn by rich")
        opened.append(Session(*words, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_a_walk_is_drawn_and_the_last_picture_stays(session):
    one = session("a0", "--speed", "max")
    assert one.finish() == 0
    assert one.is_clean()
    after = _CONTROL.sub("", one.text.split("\x1b[?1049l")[1])
    assert "楚 河" in after
    assert "[90]" in after
    assert "tour by course on xiangqi from a0" in after
    assert one.text.count("\x1b[?1049h") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["a0", "--speed", "20"],
        ["0,1", "--board", "7x7", "--speed", "max"],
        ["a1", "--board", "20x20", "--speed", "0.01"],
    ],
)
def test_ctrl_c_leaves_the_terminal_clean(session, words):
    one = session(*words)
    one.read("step")
    one.read(seconds=0.3)
    asked = time.monotonic()
    one.send(b"typed\x03")
    assert one.finish() == 130
    assert time.monotonic() - asked < 5
    assert one.is_clean()
    assert "interrupted" in one.text
    assert "typed" not in one.text
    assert "Traceback" not in one.text


def test_ctrl_c_many_times_leaves_the_terminal_clean(session):
    one = session("0,1", "--board", "7x7", "--speed", "max")
    one.read("step")
    one.send(b"\x03\x03\x03")
    assert one.finish() == 130
    assert one.is_clean()


@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_a_signal_to_end_leaves_the_terminal_clean(session, number):
    one = session("0,1", "--board", "7x7", "--speed", "max")
    one.read("step")
    one.process.send_signal(number)
    assert one.finish() == 128 + number
    assert one.is_clean()


def test_ctrl_z_leaves_the_terminal_clean_and_the_picture_comes_back(session):
    one = session("a0", "--speed", "20")
    one.read("step")
    one.process.send_signal(signal.SIGTSTP)
    one.read("\x1b[?1049l")
    one.read(seconds=0.3)
    assert one.is_clean()
    stopped = one.read(seconds=0.5)
    assert stopped == ""
    one.process.send_signal(signal.SIGCONT)
    assert "\x1b[?1049h" in one.read("step")
    one.send(b"\x03")
    assert one.finish() == 130
    assert one.is_clean()


def measures(picture):
    return len(picture), {display_width(line) for line in picture}


@pytest.mark.parametrize("board", ["xiangqi", "chess", "20x20", "100x100"])
def test_every_size_that_the_terminal_takes_is_filled_exactly(session, board):
    one = session("0,0", "--board", board, "--speed", "15")
    one.read("step")
    for width, height in ((80, 24), (60, 20), (10, 5), (3, 2), (120, 40)):
        one.resize(width, height)
        wanted = (height, {width})
        text, end = "", time.monotonic() + 10
        while wanted not in map(measures, one.frames(text)):
            assert time.monotonic() < end, f"no picture of {wanted}"
            text += one.read(seconds=0.1)
        text += one.read(seconds=0.2)
        found = list(map(measures, one.frames(text)))
        # From the first picture of the new size on, all are.
        assert set(map(str, found[found.index(wanted) :])) == {str(wanted)}
    one.send(b"\x03")
    assert one.finish() == 130
    assert one.is_clean()


def test_a_new_size_is_drawn_though_no_event_comes(session):
    one = session("a0", "--speed", "0.01")
    one.read("step")
    one.read(seconds=0.3)
    assert one.read(seconds=0.4) == ""
    one.resize(50, 22)
    lines = _CONTROL.sub("", one.read("next: ").split("\x1b[H")[-1]).split("\r\n")
    assert {display_width(line) for line in lines[:-1]} == {50}
    one.send(b"\x03")
    assert one.finish() == 130


def test_at_full_speed_there_are_at_most_thirty_pictures_a_second(session):
    one = session("0,1", "--board", "7x7", "--speed", "max")
    one.read("step")
    began = time.monotonic()
    text = one.read(seconds=1.5)
    seconds = time.monotonic() - began
    assert 5 <= len(one.frames(text)) <= 31 * seconds + 2
    one.send(b"\x03")
    assert one.finish() == 130


def test_the_speed_is_kept(session):
    began = time.monotonic()
    one = session("a0", "--speed", "20", "--max-events", "30")
    assert one.finish() == 4
    assert time.monotonic() - began > 29 / 20
    counts = [int(n) for n in re.findall(r"step        (\d+) of 90", _CONTROL.sub("", one.text))]
    assert counts == sorted(counts)
    assert len(set(counts)) >= 10


def test_without_colours_the_marks_remain(session):
    one = session("a0", "--speed", "max", NO_COLOR="1")
    assert one.finish() == 0
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])m", one.text)
    assert "[90]" in _CONTROL.sub("", one.text)


def test_an_encoding_without_lines_gets_ascii(session):
    one = session("a0", "--speed", "max", PYTHONIOENCODING="ascii")
    assert one.finish() == 0
    assert "?" not in _CONTROL.sub("", one.text)
    assert "r i v e r" in one.text


def test_without_rich_a_terminal_gets_plain_lines_in_time(session):
    began = time.monotonic()
    one = session("a0", "--speed", "20", "--max-events", "20", before="sys.modules['rich'] = None")
    assert one.finish() == 4
    assert time.monotonic() - began > 19 / 20
    assert "\x1b" not in one.text
    assert one.text.count("place ") == 20
    assert one.text.count("pip install knighttour[cli]") == 1


def test_plain_lines_can_be_interrupted(session):
    one = session("a0", "--speed", "2", TERM="dumb")
    one.read("place")
    one.send(b"\x03")
    assert one.finish() == 130
    assert "Traceback" not in one.text


def test_bad_input_never_touches_the_screen(session):
    one = session("a0", "--speed", "nan")
    assert one.finish() == 2
    assert "\x1b" not in one.text
