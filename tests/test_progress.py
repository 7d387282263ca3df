"""The progress bar of long commands: rich, a plain line, or nothing."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

from knighttour.progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return Terminal()


@pytest.fixture
def no_rich(monkeypatch):
    for name in ("rich", "rich.console", "rich.progress", "rich.text"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def with_rich():
    pytest.importorskip("rich", reason="the bar is drawn by rich")


def fail_under_way(stream, error):
    with progress("counting", 10, stream=stream) as update:
        update(1)
        raise error


@pytest.mark.parametrize("total", [None, 0, 1, 10, 10**400])
def test_nothing_is_written_where_there_is_no_terminal(capfd, total):
    stream = io.StringIO()
    with progress("counting", total, stream=stream) as update:
        update(1)
    assert stream.getvalue() == ""
    with progress("counting", total) as update:
        update(1)
    assert capfd.readouterr() == ("", "")


def test_nothing_is_written_on_a_dumb_terminal(terminal, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with progress("counting", 3, stream=terminal) as update:
        update(1)
    assert terminal.getvalue() == ""


def test_no_standard_error_at_all_is_no_failure(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with progress("counting", 3) as update:
        update(1)


def test_the_plain_line_shows_share_and_amount_and_goes_away(terminal, no_rich):
    with progress("counting", 2000, stream=terminal) as update:
        update(1000)
        assert terminal.getvalue() == "\rcounting  50% (1,000/2,000)"
    line = terminal.getvalue().split("\r")
    assert line[-2].strip() == ""
    assert len(line[-2]) == len("counting  50% (1,000/2,000)")
    assert line[-1] == ""


def test_the_plain_line_without_a_total_shows_the_amount(terminal, no_rich):
    with progress("counting", stream=terminal) as update:
        update(1234567)
        assert terminal.getvalue() == "\rcounting (1,234,567)"


def test_a_shorter_line_leaves_nothing_of_a_longer_one(terminal, no_rich):
    with progress("counting", stream=terminal) as update:
        update(1_000_000)
        time.sleep(0.12)
        update(1)
    first, second = terminal.getvalue().split("\r")[1:3]
    assert second == "counting (1)".ljust(len(first))


def test_the_plain_line_is_no_wider_than_the_terminal(terminal, no_rich, monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    with progress("a very long label", 10, stream=terminal) as update:
        update(5)
        assert len(terminal.getvalue()) <= 12


@pytest.mark.parametrize(
    ("done", "total", "share"),
    [
        (5, 10, "50%"),
        (20, 10, "100%"),
        (-1, 10, "0%"),
        (0, 0, "100%"),
        (10**400, 4 * 10**400, "25%"),
    ],
)
def test_every_share_is_from_0_to_100(terminal, no_rich, done, total, share):
    with progress("", total, stream=terminal) as update:
        update(done)
        assert re.search(r"\d+%", terminal.getvalue())[0] == share


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_plain_line_goes_away_when_the_block_fails(terminal, no_rich, error):
    with pytest.raises(error):
        fail_under_way(terminal, error)
    assert terminal.getvalue().endswith(" \r")


def test_at_most_ten_lines_a_second_are_written(terminal, no_rich):
    began = time.monotonic()
    done = 0
    with progress("counting", 10**9, stream=terminal) as update:
        while time.monotonic() - began < 0.35:
            done += 1
            update(done)
    assert done > 1000
    assert 2 <= terminal.getvalue().count("\r") - 2 <= 5


def test_rich_draws_a_bar_and_takes_it_away(terminal, with_rich):
    with progress("counting [b]", 2000, stream=terminal) as update:
        update(1000)
        time.sleep(0.3)
        text = terminal.getvalue()
    assert "counting [b]" in text
    assert "1,000/2,000" in text
    assert "\x1b[?25l" in text
    end = terminal.getvalue()
    assert end.rindex("\x1b[?25h") > end.rindex("\x1b[?25l")
    # the line is erased at last
    assert end.rstrip("\r").endswith("\x1b[2K")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_rich_shows_the_cursor_again_when_the_block_fails(terminal, with_rich, error):
    with pytest.raises(error):
        fail_under_way(terminal, error)
    end = terminal.getvalue()
    assert end.rindex("\x1b[?25h") > end.rindex("\x1b[?25l")


@pytest.mark.parametrize(("done", "total"), [(1, None), (3, 0), (10**400, 2 * 10**400), (9, 3)])
def test_rich_takes_any_numbers(terminal, with_rich, done, total):
    with progress("counting", total, stream=terminal) as update:
        update(done)
        time.sleep(0.15)
    assert f"{done:,}"[:20] in terminal.getvalue().replace("\n", "")


def test_bars_after_each_other_do_not_disturb(terminal, with_rich):
    for label in ("first", "second"):
        with progress(label, 2, stream=terminal) as update:
            update(1)
    assert terminal.getvalue().index("first") < terminal.getvalue().index("second")
