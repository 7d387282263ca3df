"""A search drawn live in a terminal: the board, the knight, its choices, dead ends and steps back.

`frame` turns the state of a search into lines of coloured pieces that fit any size of terminal; it
takes the richest picture that fits: the board with its lines, the numbers alone, one mark a
square, or the part of the board round the knight. `animate` plays the events of `trace` in the
alternate screen of the terminal, at most 30 pictures a second, and leaves the terminal as it was,
whatever ends it: the end of the search, Ctrl-C, Ctrl-Z or a signal. Colours and control sequences
are written by rich (extra ``cli``), which is imported only here and only when a terminal is drawn
on. An event costs O(1), a picture O(1) for every square on the screen.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TextIO

from ..notation import column_letters
from .text import display_width, lined_board, number_width, rank_names

if TYPE_CHECKING:
    from ..board import Board
    from ..errors import Square
    from ..search import Event

__all__ = ["SearchView", "animate", "can_animate", "event_line", "frame"]

#: Text with the name of its style, a key of `_STYLES`.
Piece = tuple[str, str]
Line = list[Piece]

#: Every mark can be told without colour too: [12] here, (2) a choice, !12! a dead end, x undone.
_STYLES = {
    "line": "dim",
    "label": "dim",
    "text": "",
    "title": "bold",
    "empty": "dim",
    "visited": "green",
    "recent": "bold bright_green",
    "here": "bold reverse green",
    "choice": "bold cyan",
    "dead": "bold white on red",
    "undone": "bold red",
    "done": "bold green",
}

#: Pictures a second, at most.
_FRAME_RATE = 30

#: Squares that still show that they have been taken back.
_UNDONE_SHOWN = 8

#: A panel beside the board is at least as wide as this.
_PANEL = 28


class SearchView:
    """What there is to see of a search after the events applied so far.

    Args:
        board: the board of the search.
        title: what is searched, in a few words.
        ranks: ``"0-9"`` or ``"1-10"`` for the names of squares.

    >>> from knighttour.board import Board
    >>> from knighttour.search import trace
    >>> view = SearchView(Board(3, 4), "3x4")
    >>> for event in trace((0, 0), "3x4"):
    ...     view.apply(event)
    >>> view.is_tour, view.events
    (True, 13)
    """

    def __init__(self, board: Board, title: str, *, ranks: str | None = None) -> None:
        self.board = board
        self.title = title
        self.ranks = ranks
        self.events = 0
        self.last: Event | None = None
        self.steps: dict[Square, int] = {}
        self.path: list[Square] = []
        self.undone: deque[Square] = deque(maxlen=_UNDONE_SHOWN)
        self.dead_ends = 0

    def apply(self, event: Event) -> None:
        """Take one more event of the search into the picture."""
        self.events += 1
        self.last = event
        if event.kind == "place":
            self.path.append(event.square)
            self.steps[event.square] = event.step
            with contextlib.suppress(ValueError):
                self.undone.remove(event.square)
        elif event.kind == "undo":
            self.path.pop()
            del self.steps[event.square]
            self.undone.append(event.square)
        elif event.kind == "dead-end":
            self.dead_ends += 1

    @property
    def is_tour(self) -> bool:
        """Whether the search has ended with a tour."""
        last = self.last
        return last is not None and last.kind == "done" and last.step == self.board.size

    @property
    def is_stuck(self) -> bool:
        """Whether the knight stands in a dead end now."""
        last = self.last
        if last is None or self.is_tour:
            return False
        return last.kind == "dead-end" or (last.kind == "done" and not last.candidates)

    def name(self, square: Square) -> str:
        """Return the name of a square in the style of the picture."""
        return self.board.name(square, ranks=self.ranks)

    def what_happened(self) -> Piece:
        """Return the last event in words, with its style."""
        last = self.last
        if last is None:
            return "about to start", "text"
        square = self.name(last.square)
        if last.kind == "place":
            return f"on to {square}", "text"
        if last.kind == "dead-end":
            return f"dead end on {square}", "dead"
        if last.kind == "undo":
            return f"{square} taken back", "undone"
        if self.is_tour:
            return "tour complete", "done"
        return f"stopped on {square}", "dead"

    def choices(self) -> dict[Square, int]:
        """Return the squares that may be next, with their degrees."""
        return dict(self.last.candidates) if self.last is not None else {}


# The picture of a moment


class _Marks:
    """What stands on the squares at a moment."""

    def __init__(self, view: SearchView) -> None:
        self._view = view
        self._here = view.path[-1] if view.path else None
        self._choices = view.choices()
        self._undone = frozenset(view.undone)
        self._recent = len(view.path) - 4

    def number(self, square: Square) -> tuple[str, str, tuple[str, str] | None]:
        """Return the text of a square, its style, and what is drawn before and after it."""
        step = self._view.steps.get(square)
        if square == self._here:
            if self._view.is_stuck:
                return str(step), "dead", ("!", "!")
            return str(step), "here", ("[", "]")
        if step is not None:
            return str(step), "recent" if step >= self._recent else "visited", None
        if square in self._choices:
            return str(self._choices[square]), "choice", ("(", ")")
        if square in self._undone:
            return "x", "undone", None
        if square in self._view.board:
            return ".", "empty", None
        return "#", "line", None

    def symbol(self, square: Square) -> Piece:
        """Return one character for a square, with its style."""
        text, style, _ = self.number(square)
        if style in ("visited", "recent"):
            return "o", style
        if style in ("here", "dead"):
            return "@" if style == "here" else "!", style
        return text[0], style


def frame(
    view: SearchView,
    width: int,
    height: int,
    *,
    ascii_only: bool = False,
    board_only: bool = False,
    hint: str = "",
) -> list[Line]:
    """Return the picture of a search as lines of pieces that fit a terminal.

    Args:
        view: the search.
        width: columns of the terminal; no line is wider.
        height: rows of the terminal; there are not more lines.
        ascii_only: draw with ``+-|`` instead of box-drawing characters.
        board_only: without the counters and the meaning of the marks, where the board fits.
        hint: how to stop, or nothing.

    >>> from knighttour.board import Board
    >>> view = SearchView(Board(3, 4), "course on 3x4")
    >>> for line in frame(view, 30, 5):
    ...     print("".join(text for text, style in line).rstrip())
    3   .  .  .  .
    2   .  .  .  .
    1   .  .  .  .
        a  b  c  d
    step 0/12  about to start
    """
    width, height = max(width, 1), max(height, 1)
    marks = _Marks(view)
    for draw in (_lined, _numbers, _symbols):
        lines = draw(view, marks, width, height, ascii_only)
        if lines is None:
            continue
        taken = max(map(_width, lines))
        if board_only and taken <= width and len(lines) <= height:
            return lines
        beside = width - taken - 3
        panel = _panel(view, hint)
        if beside >= _PANEL and len(panel) <= height and len(lines) <= height:
            return _side_by_side(lines, [_crop(line, beside) for line in panel], taken)
        if taken <= width and len(lines) < height:
            room = height - len(lines)
            below = [_crop(line, width) for line in _status(view, width, hint)[:room]]
            return lines + below
    return _window(view, marks, width, height, hint)


def _width(line: Line) -> int:
    return sum(display_width(text) for text, _ in line)


def _crop(line: Line, width: int) -> Line:
    """Return the part of a line that fits."""
    kept: Line = []
    for text, style in line:
        if display_width(text) > width:
            while display_width(text) > width:
                text = text[:-1]
            return [*kept, (text, style)]
        kept.append((text, style))
        width -= display_width(text)
    return kept


def _side_by_side(left: list[Line], right: list[Line], taken: int) -> list[Line]:
    lines: list[Line] = []
    for row in range(max(len(left), len(right))):
        line = left[row] if row < len(left) else []
        if row < len(right) and right[row]:
            line = [*line, (" " * (taken + 3 - _width(line)), "text"), *right[row]]
        lines.append(line)
    return lines


def _lined(
    view: SearchView, marks: _Marks, width: int, height: int, ascii_only: bool
) -> list[Line] | None:
    """Draw the board with its lines, None where that cannot fit."""
    board = view.board
    if 2 * board.rows > height or 4 * board.cols > width:
        return None
    told = {square: marks.number(square) for square in board.squares}
    cells = [[told[row, col][0] for col in range(board.cols)] for row in range(board.rows)]
    lines = lined_board(
        board,
        cells,
        number_width(board),
        marks={square: around for square, (_, _, around) in told.items() if around is not None},
        ascii_only=ascii_only,
        ranks=view.ranks,
    )
    styled = [
        [(text, "line" if square is None else told[square][1]) for text, square in line]
        for line in lines
        if line
    ]
    return styled if len(styled) <= height and max(map(_width, styled)) <= width else None


def _numbers(
    view: SearchView,
    marks: _Marks,
    width: int,
    height: int,
    ascii_only: bool,  # noqa: ARG001
) -> list[Line] | None:
    """Draw the numbers without lines, None where that cannot fit."""
    board = view.board
    if board.rows + 1 > height or 2 * board.cols > width:
        return None
    names = rank_names(board, view.ranks)
    room = number_width(board) + 1
    if len(names[0]) + 1 + board.cols * room + 1 > width:
        return None
    lines: list[Line] = []
    for row, name in enumerate(names):
        line: Line = [(f"{name} ", "label")]
        closing: Piece | None = None
        for col in range(board.cols):
            text, style, around = marks.number((row, col))
            before, after = around or ("", "")
            text = (before + text).rjust(room)
            if closing is not None and text[0] == " ":
                line.append(closing)
                text = text[1:]
            line.append((text, style if text.strip() else "empty"))
            closing = (after, style) if after else None
        line.append(closing or (" ", "empty"))
        lines.append(_unpadded(line))
    letters = [column_letters(col) for col in range(board.cols)]
    if max(map(len, letters)) < room:
        below = "".join(letter.rjust(room) for letter in letters)
        lines.append([(" " * (len(names[0]) + 1) + below, "label")])
    return lines


def _unpadded(line: Line) -> Line:
    """Split the blanks before a number off, so that a background colour marks the number alone."""
    split: Line = []
    for text, style in line:
        bare = text.lstrip(" ")
        if len(bare) < len(text):
            split.append((text[: len(text) - len(bare)], "text"))
        if bare:
            split.append((bare, style))
    return split


def _symbols(
    view: SearchView,
    marks: _Marks,
    width: int,
    height: int,
    ascii_only: bool,  # noqa: ARG001
) -> list[Line] | None:
    """Draw one mark a square, None where that cannot fit."""
    board = view.board
    if board.rows > height or board.cols > width:
        return None
    gap = " " if 2 * board.cols <= width else ""
    return [
        [
            piece
            for col in range(board.cols)
            for piece in ([(gap, "text")] if gap and col else []) + [marks.symbol((row, col))]
        ]
        for row in range(board.rows)
    ]


def _window(view: SearchView, marks: _Marks, width: int, height: int, hint: str) -> list[Line]:
    """Draw the part of the board round the knight, one mark a square, and one or two lines."""
    board = view.board
    status = _status(view, width, hint)
    if height < 3:
        return [_crop(line, width) for line in status[:height]]
    rows, cols = min(board.rows, height - 2), min(board.cols, width)
    here = view.path[-1] if view.path else (0, 0)
    top = min(max(here[0] - rows // 2, 0), board.rows - rows)
    left = min(max(here[1] - cols // 2, 0), board.cols - cols)
    lines: list[Line] = [
        [marks.symbol((row, col)) for col in range(left, left + cols)]
        for row in range(top, top + rows)
    ]
    corner, other = view.name((top + rows - 1, left)), view.name((top, left + cols - 1))
    where: Line = [(f"{corner} to {other} of {board.rows}x{board.cols}", "label")]
    return [*lines, _crop(status[0], width), _crop(where, width)]


def _counters(view: SearchView) -> tuple[int, int, int]:
    last = view.last
    return (0, 0, 0) if last is None else (last.step, last.nodes, last.backtracks)


def _choice_pieces(view: SearchView) -> Line:
    pieces: Line = []
    for square, degree in view.choices().items():
        pieces += [(f"{view.name(square)} ({degree})", "choice"), ("  ", "text")]
    return pieces[:-1] or [("none", "text")]


def _status(view: SearchView, width: int, hint: str) -> list[Line]:
    """Return the counters as lines for below the board, the most needed first."""
    step, nodes, backtracks = _counters(view)
    where: Line = [(f"step {step}/{view.board.size}  ", "text")]
    counters: Line = [(f"nodes {nodes}  backtracks {backtracks}  ", "text")]
    happened = view.what_happened()
    # Room for the longest that can happen, so that the lines do not jump.
    if _width([*where, *counters]) + len("dead end on ") + 4 <= width:
        lines = [[*where, *counters, happened]]
    else:
        lines = [[*where, happened], counters]
    return [
        *lines,
        [("next: ", "label"), *_choice_pieces(view)],
        [(view.title, "title"), (f"  {hint}" if hint else "", "label")],
    ]


def _panel(view: SearchView, hint: str) -> list[Line]:
    """Return the counters and the meaning of the marks as lines for beside the board."""
    step, nodes, backtracks = _counters(view)
    return [
        [(view.title, "title")],
        [],
        [("step        ", "label"), (f"{step} of {view.board.size}", "text")],
        [("nodes       ", "label"), (f"{nodes}", "text")],
        [("backtracks  ", "label"), (f"{backtracks}", "text")],
        [("dead ends   ", "label"), (f"{view.dead_ends}", "text")],
        [],
        [("now   ", "label"), view.what_happened()],
        *_wrapped(_choice_pieces(view)),
        [],
        *_LEGEND,
        [],
        [(hint, "label")],
    ]


_LEGEND: tuple[Line, ...] = (
    [("[n]", "here"), ("  the knight, on step n", "label")],
    [("(d)", "choice"), ("  choice with d exits", "label")],
    [("!n!", "dead"), ("  dead end", "label")],
    [(" x ", "undone"), ("  taken back", "label")],
)


def _wrapped(pieces: Line) -> list[Line]:
    """Return the choices on two lines of a fixed number, so that the panel does not jump."""
    shown = [piece for piece in pieces if piece[0].strip()]
    lines: list[Line] = []
    for number, label in enumerate(("next  ", "      ", "      ")):
        line: Line = [(label, "label")]
        for piece in shown[3 * number : 3 * number + 3]:
            line += [piece, ("  ", "text")]
        lines.append(line[:-1] if len(line) > 1 else line)
    return lines


def event_line(view: SearchView) -> str:
    """Return the last event as one plain line.

    >>> from knighttour.board import Board
    >>> from knighttour.search import trace
    >>> view = SearchView(Board(3, 4), "3x4")
    >>> view.apply(next(trace((0, 0), "3x4")))
    >>> event_line(view)
    'place a3  step 1  nodes 1  backtracks 0  next b1(2) c2(1)'
    """
    last = view.last
    assert last is not None
    line = (
        f"{last.kind} {view.name(last.square)}  step {last.step}  nodes {last.nodes}  "
        f"backtracks {last.backtracks}"
    )
    if last.candidates:
        line += "  next " + " ".join(
            f"{view.name(square)}({degree})" for square, degree in last.candidates
        )
    return line


# The animation


def can_animate(stream: TextIO) -> str | None:
    """Return None if a stream is a terminal that can be drawn on, else the reason why not."""
    if not stream.isatty():
        return "output is not a terminal"
    if os.environ.get("TERM", "").lower() in ("dumb", "unknown"):
        return "this terminal cannot be drawn on"
    if importlib.util.find_spec("rich") is None:
        return "rich is not installed (pip install knighttour[cli])"
    if _console(stream).legacy_windows:
        return "this terminal cannot be drawn on"
    return None


def _console(stream: TextIO) -> Any:
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False, force_terminal=True)


def animate(
    events: Iterable[Event],
    view: SearchView,
    *,
    speed: float,
    max_events: int | None = None,
    stream: TextIO | None = None,
    ascii_only: bool = False,
) -> bool:
    """Play the events of a search in a terminal, and print the last picture.

    Args:
        events: what `trace` yields.
        view: is brought up to date with every event.
        speed: events per second; infinity for as fast as can be.
        max_events: stop after so many.
        stream: a terminal (see `can_animate`), None for standard output.
        ascii_only: draw with ``+-|`` instead of box-drawing characters.

    Returns:
        Whether the events came to their end.

    Raises:
        KeyboardInterrupt: Ctrl-C; the terminal is clean when it is raised.
        SystemExit: a signal to end; likewise.
    """
    terminal = _Terminal(sys.stdout if stream is None else stream)
    ascii_only = ascii_only or not terminal.can_draw_lines()
    with terminal:
        finished = _play(iter(events), view, speed, max_events, terminal, ascii_only)
    width, height = terminal.size()
    # One line stays free for the prompt, and one for what is said at the end.
    picture = frame(view, width, max(height - 2, 1), ascii_only=ascii_only, board_only=True)
    terminal.write_lines(picture)
    return finished


def _play(
    events: Iterator[Event],
    view: SearchView,
    speed: float,
    max_events: int | None,
    terminal: _Terminal,
    ascii_only: bool,
) -> bool:
    """Apply the events when they are due, and draw when something has changed."""
    gap = 1 / _FRAME_RATE
    pause = 1 / speed  # 0.0 for infinity
    pace = "as fast as can be" if math.isinf(speed) else f"{speed:g} events/s"
    hint = f"{pace}, Ctrl-C stops"
    if max_events is not None:
        events = islice(events, max_events)
    due = drawn = -math.inf
    size, is_changed = (0, 0), True
    while True:
        if terminal.obey_signals():
            due, is_changed = -math.inf, True
        now = monotonic()
        due = max(due, now - gap)  # what could not be kept up with is not caught up
        while due <= now:
            event = next(events, None)
            if event is None:
                return view.last is not None and view.last.kind == "done"
            view.apply(event)
            is_changed = True
            due += pause
            if monotonic() - now >= gap:
                break
        current = terminal.size()
        if is_changed or current != size:
            wait = drawn + gap - monotonic()
            if wait > 0 and due - monotonic() > wait:
                sleep(wait)
            if monotonic() - drawn >= gap:
                terminal.draw(frame(view, *current, ascii_only=ascii_only, hint=hint), current)
                drawn, size, is_changed = monotonic(), current, False
        # Short naps, so that a new size of the terminal and a signal are noticed soon.
        sleep(min(max(due - monotonic(), 0.0), 0.05))


class _Terminal:
    """The alternate screen of a terminal, from `__enter__` to `__exit__`.

    Signals are noted while it is open, and obeyed between two pictures, so that no control
    sequence is cut in the middle. One object, one thread.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._console = _console(stream)
        self._pending: int | None = None
        self._old_handlers: dict[int, Any] = {}
        self._old_modes: list[Any] | None = None

    def can_draw_lines(self) -> bool:
        """Whether the stream's encoding has box-drawing characters."""
        try:
            "─│┼╲楚".encode(self._stream.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def size(self) -> tuple[int, int]:
        """Return the columns and rows that the terminal has now."""
        try:
            columns, rows = os.get_terminal_size(self._stream.fileno())
        except OSError:
            return 80, 24
        return (columns or 80), (rows or 24)

    def __enter__(self) -> _Terminal:
        self._catch_signals()
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._close()
        finally:
            for number, handler in self._old_handlers.items():
                signal.signal(number, handler)
            self._old_handlers.clear()

    def _open(self) -> None:
        self._hush_keys()
        self._console.set_alt_screen(True)
        self._console.show_cursor(False)

    def _close(self) -> None:
        from rich.control import Control

        # A terminal that is gone (hang-up) cannot be tidied up.
        with contextlib.suppress(OSError):
            # Some terminals, enlarged meanwhile, would show parts of the last picture again.
            self._console.control(Control.home(), Control.clear())
            self._console.show_cursor(True)
            self._console.set_alt_screen(False)
            self._stream.flush()
        self._restore_keys()

    def _hush_keys(self) -> None:
        """Keep what is typed from being printed into the picture."""
        try:
            import termios

            descriptor = self._stream.fileno()
            modes = termios.tcgetattr(descriptor)
            self._old_modes = list(modes)
            modes[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
        except (ImportError, OSError, ValueError):
            self._old_modes = None
        except Exception as error:
            if type(error).__name__ != "error":  # termios.error is no OSError
                raise
            self._old_modes = None

    def _restore_keys(self) -> None:
        if self._old_modes is None:
            return
        import termios

        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._stream.fileno(), termios.TCSAFLUSH, self._old_modes)

    def _catch_signals(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGTSTP"):
            number = getattr(signal, name, None)
            # What is ignored (as by nohup) or not Python's stays as it is.
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._old_handlers[number] = signal.signal(number, self._note)

    def _note(self, number: int, _: object) -> None:
        if number == self._pending == signal.SIGINT:
            raise KeyboardInterrupt  # asked twice: do not wait for the next picture
        self._pending = number

    def obey_signals(self) -> bool:
        """Do what a signal has asked for; return whether the screen must be drawn again."""
        number, self._pending = self._pending, None
        if number is None:
            return False
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        if number == getattr(signal, "SIGTSTP", None):
            self._close()
            os.kill(os.getpid(), signal.SIGSTOP)
            self._open()  # here again after `fg`
            return True
        raise SystemExit(128 + number)

    def draw(self, lines: list[Line], size: tuple[int, int]) -> None:
        """Draw a picture over the one before, in one write and without blanking the screen."""
        from rich.control import Control
        from rich.text import Text

        width, height = size
        self._console.size = size
        picture = Text(no_wrap=True, end="")
        for row in range(height):
            line = lines[row] if row < len(lines) else []
            self._append(picture, line)
            picture.append(" " * (width - _width(line)))
            if row < height - 1:
                picture.append("\n")
        with self._console:
            self._console.control(Control.home())
            self._console.print(picture, end="", crop=False, overflow="ignore", soft_wrap=True)

    def write_lines(self, lines: list[Line]) -> None:
        """Print lines where the cursor is."""
        from rich.text import Text

        text = Text(no_wrap=True)
        for line in lines:
            self._append(text, line)
            text.append("\n")
        self._console.print(text, end="", crop=False, overflow="ignore", soft_wrap=True)

    @staticmethod
    def _append(text: Any, line: Line) -> None:
        for piece, style in line:
            text.append(piece, style=_STYLES[style] or None)
