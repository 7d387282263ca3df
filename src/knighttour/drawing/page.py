"""A page that walks a tour, or shows a search at work: one HTML file, no network, no framework.

The board is that of every picture (`drawing.svg`), in a theme whose colours are custom properties
of the style sheet, so that a page goes from light to dark without being drawn again. `page.js`
moves on it, on squares of `CELL` units, and `page.css` colours what moves. A content security
policy with the hashes of exactly this script and this style sheet forbids everything else, so that
the page cannot load or send anything, and works from ``file://``. A walk is written as square
numbers in base 36 of one fixed width, a trace as one letter an event with its square and
candidates. The same input gives the same bytes. Cost: linear in the events. A page takes about
35 KB, one of a 50x50 tour 8 KB more, one of 220,000 events of a search on the chessboard 0.7 MB,
made in 0.3 seconds.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidInputError, Square
from ..notation import NAMINGS, RANKS
from .colours import Theme, get_theme
from .svg import Picture, draw_board, lay_out
from .walks import board_of, holes_of, is_closed

if TYPE_CHECKING:
    import os

    from ..answer import Tour
    from ..board import Board, BoardLike
    from ..search import Event

__all__ = ["LANGUAGES", "THEMES", "Page", "page"]

THEMES = ("auto", "light", "dark")

#: Speeds of the page in steps (or events) a second.
MIN_SPEED, MAX_SPEED = 0.5, 2048.0

#: A page keeps a few bytes for every square of the board; more squares than this are refused.
MAX_SQUARES = 1_000_000

#: Side of a square in the units of what `page.js` draws.
CELL = 40

#: The least width in pixels at which a page is looked at: the board on a phone.
_SHOWN = 340


class Page(str):
    """The text of a self-contained HTML page, which a notebook shows inline.

    It is the HTML itself, so it can be written, served or compared as any text.

    >>> from knighttour import tour
    >>> made = tour("a1", "chess").animate()
    >>> made[:15], "src=" in made
    ('<!doctype html>', False)
    """

    __slots__ = ("height", "title_text")

    #: height in a notebook, in pixels
    height: int
    #: the title in the page's first language
    title_text: str

    def __new__(cls, text: str, *, title: str = "", height: int = 640) -> Page:
        """Take the HTML; `title` and `height` are those of the frame in a notebook."""
        made = super().__new__(cls, text)
        made.height = height
        made.title_text = title
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (str(self), self.title_text, self.height)

    def _repr_html_(self) -> str:
        # The frame has an origin of its own (no allow-same-origin): the page can neither read the
        # notebook nor be mistaken for it.
        return (
            f'<iframe srcdoc="{html.escape(self)}" title="{html.escape(self.title_text)}" '
            f'sandbox="allow-scripts" width="100%" height="{self.height}" '
            'style="border:0;max-width:100%"></iframe>'
        )

    def save(self, file: str | os.PathLike[str]) -> FilePath:
        """Write the page to a file, UTF-8; an existing one is replaced when all is written.

        Args:
            file: the path; it should end in ``.html``.

        Returns:
            The path written.

        Raises:
            OSError: the file cannot be written; nothing is left behind.

        >>> import tempfile
        >>> from knighttour import tour
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tour("a1", "chess").animate().save(folder + "/tour.html").name
        'tour.html'
        """
        from ..files import replacing

        target = FilePath(file)
        with replacing(target) as out:
            out.write(self.encode())
        return target


def _restore(text: str, title: str, height: int) -> Page:
    return Page(text, title=title, height=height)


def page(
    walk: Tour | Iterable[Square] | Iterable[Event],
    board: BoardLike | None = None,
    *,
    lang: str = "en",
    title: str | None = None,
    theme: str = "auto",
    speed: float | None = None,
    autoplay: bool = True,
    ranks: str | None = None,
    height: int = 640,
    max_events: int = 200_000,
) -> Page:
    """Make a self-contained HTML page that plays a walk, or a search event by event.

    Args:
        walk: a `Tour`, the squares ``(row, col)`` of a whole or partial walk, or what `trace`
            yields (from its first event on; it may be cut off anywhere).
        board: the board of a walk or trace, as in `tour`; a Tour knows its own.
        lang: language at first, ``"en"`` or ``"zh"``; the page can switch.
        title: heading; None for one that names the board, in both languages.
        theme: ``"auto"`` (what the reader's system prefers), ``"light"`` or ``"dark"``.
        speed: steps a second at first, 0.5 to 2048; None: all of it in about 20 seconds, but no
            slower than 4 and no faster than 60 a second.
        autoplay: play when opened, unless the reader's system asks for reduced motion.
        ranks: ``"0-9"`` or ``"1-10"`` to number the rows against the board's own style.
        height: height of the frame in a notebook, in pixels, at least 200.
        max_events: most steps of a walk or events of a trace that the page may hold.

    Raises:
        InvalidInputError: an option that there is not, a square off the board, events that are no
            search from its beginning, or more than `max_events`.

    >>> from itertools import islice
    >>> from knighttour import Board, trace
    >>> made = page(trace((0, 0), "6x6", "depth-first"), Board(6, 6), title="<b> & co")
    >>> "<h1>&lt;b&gt; &amp; co</h1>" in made
    True
    """
    for option, value, known in (("lang", lang, LANGUAGES), ("theme", theme, THEMES)):
        if value not in known:
            raise InvalidInputError(f"{option}={value!r} is unknown: use {', '.join(known)}")
    if title is not None and not isinstance(title, str):
        raise InvalidInputError(f"title={title!r} is not text")
    if ranks is not None and ranks not in RANKS:
        raise InvalidInputError(f"ranks={ranks!r} is unknown: use {' or '.join(RANKS)}")
    if not isinstance(autoplay, bool):
        raise InvalidInputError(f"autoplay={autoplay!r} is neither True nor False")
    _check_number("height", height, 200, 100_000)
    _check_number("max_events", max_events, 1, 100_000_000)
    if speed is not None:
        _check_number("speed", speed, MIN_SPEED, MAX_SPEED)
    board = board_of(walk, board)
    if board.rows * board.cols > MAX_SQUARES:
        raise InvalidInputError(
            f"a page of a {board.rows}x{board.cols} board would draw {board.rows * board.cols} "
            f"squares, more than {MAX_SQUARES}"
        )
    story = _story(walk, board, max_events)
    pace = min(60.0, max(4.0, story.length / 20)) if speed is None else float(speed)
    titles = {
        name: _plain(title) if title is not None else _default_title(board, story, name)
        for name in LANGUAGES
    }
    picture = _geometry(board, ranks)
    data = {
        "rows": board.rows,
        "cols": board.cols,
        "size": board.size,
        "xiangqi": board.is_xiangqi,
        "bottom": RANKS[ranks] if ranks is not None else NAMINGS[board.naming],
        "cell": CELL,
        "mark": round(picture.mark / picture.cell * CELL, 2),
        "strip": _strip(board),
        "kind": story.kind,
        "width": story.width,
        "events": story.text,
        "closed": story.closed,
        "ranked": story.ranked,
        "speed": round(pace, 3),
        "speeds": [MIN_SPEED, MAX_SPEED],
        "autoplay": autoplay,
        "lang": lang,
        "titles": titles,
        "texts": LANGUAGES,
    }
    text = _document(picture, data, lang, theme, ranks)
    return Page(text, title=titles[lang], height=height)


def _check_number(option: str, value: object, least: float, most: float) -> None:
    whole = option != "speed"
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        what = "a whole number" if whole else "a number"
        raise InvalidInputError(f"{option}={value!r}: use {what} from {least} to {most}")


def _plain(title: str) -> str:
    """Replace what HTML and UTF-8 cannot hold: control characters and lone surrogates."""
    return "".join("\ufffd" if _is_forbidden(letter) else letter for letter in title)


def _is_forbidden(letter: str) -> bool:
    code = ord(letter)
    return (code < 32 and letter not in "\t\n") or 127 <= code < 160 or 0xD800 <= code < 0xE000


# What happens: a walk or a trace, as one text


class _Story(NamedTuple):
    """Everything that the page plays, in the form that it reads."""

    kind: str  # "walk" or "trace"
    width: int  # digits of a square number
    text: str
    length: int  # steps or events
    closed: bool  # whether a move leads from the last square back to the first
    ranked: bool = False  # whether the search counts exits at all


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

#: The letters of the events; digits are lower case, so a letter ends the candidates before it.
_LETTERS = {"place": "P", "dead-end": "X", "undo": "U", "done": "D"}


def _coder(board: Board) -> tuple[int, dict[Square, str]]:
    """Return the width of a square number in base 36, and a table that fills itself."""
    width = 1
    while 36**width < board.rows * board.cols:
        width += 1
    cols = board.cols

    class Codes(dict[Square, str]):
        def __missing__(self, square: Square) -> str:
            row, col = board.check_square(square)
            index = row * cols + col
            code = ""
            for _ in range(width):
                index, digit = divmod(index, 36)
                code = _DIGITS[digit] + code
            self[square] = code
            return code

    return width, Codes()


def _story(walk: Any, board: Board, max_events: int) -> _Story:
    own = getattr(walk, "board", None)
    if own is not None:
        if own != board:
            raise InvalidInputError(f"the tour is one of {own}, not of {board}")
        # Asked before the first square: the tour may be longer than any list.
        if own.size > max_events:
            raise _too_long("tour", max_events, f"{own.size} steps")
    rest = iter(walk)
    first = next(rest, None)
    if first is None:
        raise InvalidInputError("there is nothing to play: the walk or trace is empty")
    story = _trace_story if hasattr(first, "kind") else _walk_story
    return story(chain([first], rest), board, max_events)


def _too_long(what: str, max_events: int, count: str) -> InvalidInputError:
    return InvalidInputError(
        f"the {what} has {count}, too many for a page of max_events={max_events}: play a part of "
        "it (itertools.islice), or raise max_events if your browser can hold it"
    )


def _walk_story(walk: Iterable[Square], board: Board, max_events: int) -> _Story:
    width, codes = _coder(board)
    squares: list[Square] = []
    for given in walk:
        if len(squares) == max_events:
            raise _too_long("walk", max_events, f"more than {max_events} steps")
        squares.append(board._check_entry(given))
    closed = len(squares) == board.size and is_closed(squares, board)
    text = "".join(codes[square] for square in squares)
    return _Story("walk", width, text, len(squares), closed)


def _trace_story(events: Iterable[Event], board: Board, max_events: int) -> _Story:
    """Write a trace, following it: the page works out steps, nodes and backtracks by itself."""
    width, codes = _coder(board)
    parts: list[str] = []
    path: list[Square] = []
    length = 0
    done = ranked = False
    for event in events:
        if length == max_events:
            raise _too_long("trace", max_events, f"more than {max_events} events")
        length += 1
        kind, square = event.kind, event.square
        fits = not done and (bool(path) or kind == "place")
        if kind == "place":
            path.append(square)
        elif kind == "undo":
            fits = fits and len(path) > 1 and path.pop() == square
        else:
            fits = fits and kind in _LETTERS and path[-1] == square
            done = kind == "done"
        if not fits or event.step != len(path):
            raise InvalidInputError(
                f"event {length}, {kind} on {square!r} at step {event.step}, does not follow from "
                "those before it: give the events of trace() from the first on"
            )
        parts.append(_LETTERS[kind])
        if kind == "place":
            parts.append(codes[square])
        for candidate, degree in event.candidates:
            parts.append(codes[candidate] + _DIGITS[min(degree, 35)])
            ranked = ranked or degree > 0
    closed = done and len(path) == board.size and is_closed(path, board)
    return _Story("trace", width, "".join(parts), length, closed, ranked)


# The board

#: The colours of the board are those of the pictures, by custom properties that `_style` defines.
_COLOURS = Theme._make(
    (0.0, 1.0) if field == "span" else f"var(--board-{field})" for field in Theme._fields
)


def _style() -> str:
    """Return the style sheet: the colours of the board in both themes, and `page.css`."""
    rules = []
    for selector, name in ((":root", "light"), (':root[data-theme="dark"]', "dark")):
        colours = "".join(
            f" --board-{field}: {colour};"
            for field, colour in get_theme(name)._asdict().items()
            if field != "span"
        )
        rules.append(f"{selector} {{{colours} }}\n")
    return "".join(rules) + _asset("page.css")


def _strip(board: Board) -> int:
    """Return the length in pixels that a long strip keeps (its box scrolls), 0 for other boards."""
    short, long = sorted(board.shape)
    return min(max(_SHOWN, 16 * long), 30_000) if long > 6 * short else 0


def _geometry(board: Board, ranks: str | None) -> Picture:
    """Return where everything is, with labels and marks that can be read on a phone."""
    return lay_out(board, "board", ranks, max(_SHOWN, _strip(board)))


def _board_svg(picture: Picture, ranks: str | None, title: str) -> Iterator[str]:
    """Draw the board, and above it the empty layer that `page.js` draws on.

    In that layer the centre of ``(row, col)`` is at ``((col + 1/2) * CELL, (row + 1/2) * CELL)``.
    """
    board = picture.board
    corner = f"{picture.x - picture.cell / 2:.6g} {picture.y - picture.cell / 2:.6g}"
    yield (
        '<svg id="board" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {picture.width:.8g} {picture.height:.8g}" '
        'role="img" aria-labelledby="board-title board-text">'
    )
    yield f'<title id="board-title">{title}</title><desc id="board-text"></desc>'
    drawn = draw_board(picture, _COLOURS, "board", ranks, holes_of(board, None), outlines=False)
    yield "".join(drawn).rstrip()
    yield f'<g id="overlay" transform="translate({corner})scale({picture.cell / CELL:.6g})"></g>'
    yield "</svg>"


# The page


@cache
def _asset(name: str) -> str:
    return files("knighttour.drawing").joinpath(name).read_text("utf-8").strip()


def _hash_source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _safe_json(data: object) -> str:
    """Return JSON that can stand inside a script element: it holds no <, > or &."""
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _document(
    picture: Picture, data: dict[str, Any], lang: str, theme: str, ranks: str | None
) -> str:
    style, script = f"\n{_style()}\n", f"\n{_asset('page.js')}\n"
    words = {key: html.escape(text) for key, text in LANGUAGES[lang].items()}
    title = html.escape(data["titles"][lang])
    # form-action and base-uri do not fall back to default-src.
    policy = (
        f"default-src 'none'; script-src {_hash_source(script)}; style-src {_hash_source(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    is_trace = data["kind"] == "trace"
    most = _length(data)

    def button(name: str, key: str) -> str:
        return (
            f'<button type="button" id="{name}" aria-label="{words[name]}" '
            f'title="{words[name]}" aria-keyshortcuts="{key}">{_ICONS[name]}</button>'
        )

    def row(term: str) -> str:
        name = f'<dt data-text="{term}">{words[term]}</dt>'
        return f'<div>{name}<dd id="value-{term}"></dd></div>'

    terms = ["square", "step"]
    if is_trace:
        terms += ["event", "nodes", "backtracks"]
    legend = ["start", "here", "path"]
    if is_trace:
        legend += ["candidate", "chosen", "undone", "deadend"]
    elif data["closed"]:
        legend += ["closing"]
    keys = [("Space", "play"), ("→", "step-forward"), ("←", "step-back"), ("Home", "first")]
    keys += [("End", "last")]
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{_TAGS[lang]}" data-theme="{theme}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            # Without this a server would be asked for /favicon.ico.
            '<link rel="icon" href="data:,">',
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            f'<body class="{data["kind"]}">',
            f'<header><h1>{title}</h1><button type="button" id="language" '
            f'lang="{words["other-tag"]}">{words["other-language"]}</button></header>',
            "<main>",
            '<div id="board-box">',
            *_board_svg(picture, ranks, title),
            "</div>",
            '<div id="panel">',
            f'<div id="controls" role="group" aria-label="{words["controls"]}">',
            f'<input type="range" id="scrub" min="1" max="{most}" value="1" step="1" '
            f'aria-label="{words["scrub"]}">',
            '<div id="buttons">',
            button("first", "Home"),
            button("step-back", "ArrowLeft"),
            button("play", "Space"),
            button("step-forward", "ArrowRight"),
            button("last", "End"),
            "</div>",
            f'<label id="speed-label" for="speed"><span data-text="speed">{words["speed"]}</span>'
            '<input type="range" id="speed" min="0" max="100" step="1">'
            '<output id="speed-text" for="speed"></output></label>',
            "</div>",
            '<p id="message"></p>',
            f'<dl id="counters">{"".join(map(row, terms))}</dl>',
            *(
                [
                    f'<p class="list"><b data-text="candidates">{words["candidates"]}</b> '
                    '<span id="candidates"></span></p>'
                ]
                if is_trace
                else []
            ),
            f'<p class="list trail"><b data-text="last-squares">{words["last-squares"]}</b> '
            '<span id="last-squares"></span></p>',
            '<ul id="legend">',
            *(
                f'<li><svg viewBox="-12 -12 24 24" aria-hidden="true">{_LEGEND[key]}</svg>'
                f'<span data-text="legend-{key}">{words["legend-" + key]}</span></li>'
                for key in legend
            ),
            "</ul>",
            f'<details><summary data-text="keys">{words["keys"]}</summary><dl id="keys">',
            *(
                f'<div><dt><kbd>{key}</kbd></dt><dd data-text="{name}">{words[name]}</dd></div>'
                for key, name in keys
            ),
            f'</dl><p data-text="click">{words["click"]}</p></details>',
            "</div>",
            "</main>",
            '<p id="live" class="visually-hidden" aria-live="polite" role="status"></p>',
            f"<noscript><p>{words['no-script']}</p></noscript>",
            f'<script type="application/json" id="data">{_safe_json(data)}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _length(data: dict[str, Any]) -> int:
    """Return the number of steps or events in the encoded text."""
    if data["kind"] == "walk":
        return len(data["events"]) // int(data["width"])
    return sum(letter in "PXUD" for letter in data["events"])


def _default_title(board: Board, story: _Story, lang: str) -> str:
    words = LANGUAGES[lang]
    size = (
        words["xiangqi-board"]
        if board.is_xiangqi
        else words["board"].format(size=f"{board.rows}×{board.cols}")
    )
    if story.kind == "trace":
        kind = "title-trace"
    elif story.length < board.size:
        kind = "title-walk"
    else:
        kind = "title-closed" if story.closed else "title-open"
    return words[kind].format(board=size)


def _icon(path: str) -> str:
    return f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg>'


_ICONS = {
    "first": _icon("M5 5h3v14H5zM20 5v14L9 12z"),
    "step-back": _icon("M16 5v14L6 12zM18 5h2v14h-2z"),
    # Two drawings in one button; the style sheet shows the one that a click would do.
    "play": '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="when-paused" '
    'd="M7 4v16l13-8z"/><path class="when-playing" d="M6 5h4v14H6zM14 5h4v14h-4z"/></svg>',
    "step-forward": _icon("M8 5v14l10-7zM4 5h2v14H4z"),
    "last": _icon("M16 5h3v14h-3zM4 5v14l11-7z"),
}

_LEGEND = {
    "start": '<rect class="start-mark" x="-8" y="-8" width="16" height="16" rx="3"/>',
    "here": '<circle class="knight-disc" r="9"/>',
    "path": '<linearGradient id="ramp"><stop class="ramp-first"/><stop class="ramp-latest" '
    'offset="1"/></linearGradient><path class="ramp" d="M-10 6L10 -6"/>',
    "closing": '<path class="closing" d="M-10 6L10 -6"/>',
    "candidate": '<circle class="candidate" r="8"/>',
    "chosen": '<circle class="candidate chosen" r="8"/>',
    "undone": '<path class="ghost" d="M-10 6L10 -6"/>',
    "deadend": '<path class="dead-end" d="M-7 -7L7 7M-7 7L7 -7"/>',
}

_TAGS = {"en": "en", "zh": "zh-CN"}

#: Everything the page says. Both languages have the same keys and the same {places}.
LANGUAGES: dict[str, dict[str, str]] = {
    "en": {
        "tag": "en",
        "other-language": "中文",
        "other-tag": "zh-CN",
        "title-open": "Knight's tour of {board}",
        "title-closed": "Closed knight's tour of {board}",
        "title-walk": "A knight's walk on {board}",
        "title-trace": "The search for a knight's tour of {board}",
        "xiangqi-board": "the xiangqi board",
        "board": "the {size} board",
        "controls": "Playback",
        "play": "Play",
        "pause": "Pause",
        "step-forward": "One step forward",
        "step-back": "One step back",
        "first": "To the beginning",
        "last": "To the end",
        "scrub": "Position",
        "speed": "Speed",
        "per-second": "{speed} steps/s",
        "square": "Square",
        "step": "Step",
        "event": "Event",
        "nodes": "Squares placed",
        "backtracks": "Taken back",
        "of": "{number} / {total}",
        "candidates": "Candidates (exits):",
        "none": "none",
        "last-squares": "Last squares:",
        "said": "Step {step} of {total}: {name}.",
        "on-start": "The knight starts on {name}.",
        "on-place": "The knight goes to {name}.",
        "on-end": "The walk ends on {name}.",
        "on-closed": "The tour ends on {name}, a knight's move from its start.",
        "on-open": "The tour ends on {name}; all squares are visited.",
        "on-dead-end": "Dead end on {name}: nothing left to try.",
        "on-undo": "{name} is taken back; the knight is on {here} again.",
        "on-found": "Tour found: all {total} squares.",
        "on-exhausted": "No tour: every way from {name} was tried.",
        "on-stuck": "Stuck on {name} after {step} of {total} squares.",
        "board-text": "Board of {rows} rows and {cols} columns. {step} of {total} squares "
        "visited, the knight is on {name}.",
        "legend-start": "start",
        "legend-here": "the knight",
        "legend-path": "its way, from early to late",
        "legend-closing": "the move that closes the tour",
        "legend-candidate": "candidate and its exits",
        "legend-chosen": "the one taken next",
        "legend-undone": "taken back",
        "legend-deadend": "dead end",
        "keys": "Keyboard",
        "click": "A click on a square goes to the moment when the knight comes there.",
        "no-script": "This page plays with JavaScript, which is switched off.",
    },
    "zh": {
        "tag": "zh-CN",
        "other-language": "English",
        "other-tag": "en",
        "title-open": "马踏棋盘：{board}",
        "title-closed": "马踏棋盘（回路）：{board}",
        "title-walk": "马的走法：{board}",
        "title-trace": "马踏棋盘的搜索过程：{board}",
        "xiangqi-board": "中国象棋棋盘",
        "board": "{size}",
        "controls": "播放控制",
        "play": "播放",
        "pause": "暂停",
        "step-forward": "前进一步",
        "step-back": "后退一步",
        "first": "回到开头",
        "last": "跳到结尾",
        "scrub": "位置",
        "speed": "速度",
        "per-second": "每秒 {speed} 步",
        "square": "位置",
        "step": "步数",
        "event": "事件",
        "nodes": "已试落点",
        "backtracks": "回溯次数",
        "of": "{number} / {total}",
        "candidates": "候选点（出口数）：",
        "none": "无",
        "last-squares": "最近几步：",
        "said": "第 {step} 步，共 {total} 步：{name}。",
        "on-start": "马从 {name} 出发。",
        "on-place": "马跳到 {name}。",
        "on-end": "走到 {name} 为止。",
        "on-closed": "走完全部位置，终点 {name} 再跳一步即回到起点。",
        "on-open": "走完全部位置，终点 {name}。",
        "on-dead-end": "{name} 是死路：没有可试的走法。",
        "on-undo": "从 {name} 退回，马又在 {here}。",
        "on-found": "找到了：走遍全部 {total} 个位置。",
        "on-exhausted": "无解：从 {name} 出发的走法都已试过。",
        "on-stuck": "停在 {name}：走了 {step} 个位置，共 {total} 个。",
        "board-text": "棋盘 {rows} 行 {cols} 列，已走 {step} 个位置，共 {total} 个，马在 {name}。",
        "legend-start": "起点",
        "legend-here": "马",
        "legend-path": "走过的路线，由先到后",
        "legend-closing": "回到起点的一步",
        "legend-candidate": "候选点及其出口数",
        "legend-chosen": "下一步选中的点",
        "legend-undone": "退回的路线",
        "legend-deadend": "死路",
        "keys": "键盘操作",
        "click": "点击棋盘上的位置，跳到马走到那里的时刻。",
        "no-script": "本页需要 JavaScript 才能播放，而它已被关闭。",
    },
}
