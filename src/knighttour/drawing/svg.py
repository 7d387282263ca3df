"""Boards and walks as SVG: the one drawing path from which every other picture is made.

Boards are drawn as squares (``a1`` dark), the xiangqi board as it is played, on its points: ten
lines by nine, the river with its four characters, the palaces with their diagonals, the corner
marks where cannons and soldiers stand. A picture refers to nothing by an id, so that any number of
them can stand in one page, and uses attributes only, so that no style leaks out of it or into it.
Its unit is the pixel of its natural size; the walk itself is written in squares, relative moves in
whole numbers, about four bytes each, in at most 64 paths from one end of the colour map to the
other. A checkerboard is one path: the odd rows and the odd columns, filled by the even-odd rule.

The same call gives the same bytes on every system. A 10x9 tour costs about 0.2 milliseconds, one
of 1000x1000 about 0.3 seconds and 4 MB.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from ..board import Board, BoardLike, SquareLike
from ..errors import InvalidInputError, Square
from ..notation import NAMINGS, RANKS, column_letters, name_square
from .colours import Theme, colour_at, contrast, get_colour_map, get_theme
from .glyphs import RIVER, STROKE_WIDTH, text_path, text_width
from .walks import board_of, holes_of, is_closed, squares_of

if TYPE_CHECKING:
    from ..answer import Tour

__all__ = [
    "LABELS",
    "MAX_DETAILED",
    "MAX_DRAWN",
    "MAX_SHOWN",
    "PATH_STYLES",
    "Picture",
    "Style",
    "Svg",
    "svg",
]

#: What a walk can be drawn as.
PATH_STYLES = ("line", "arrows", "dots", "numbers")

#: How squares can be labelled, besides ``"board"`` (in the board's own style) and ``"none"``.
LABELS = (*NAMINGS, "index")

#: Boards of more squares are not drawn at all.
MAX_DRAWN = 4_000_000

#: Boards of more squares do not show themselves in a notebook, which would grow by megabytes.
MAX_SHOWN = 250_000

#: Arrows and numbers are drawn on boards of at most so many squares.
MAX_DETAILED = 40_000

#: The longer side of a board in pixels, where its squares would be larger than `_LARGEST`.
_NATURAL = 1000.0
_LARGEST = 48.0

#: A walk is cut into at most so many pieces of one colour.
_COLOURS = 64

_FONT = "Helvetica,Arial,&quot;DejaVu Sans&quot;,sans-serif"

#: Characters that XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Svg(str):
    """An SVG picture: its text, which a notebook shows as the picture.

    >>> Svg("<svg/>")._repr_svg_()
    '<svg/>'
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Write the picture to a file, which is replaced only when all has been written.

        Raises:
            OSError: the file cannot be written; nothing is left behind.
        """
        from ..files import replacing

        target = Path(file)
        with replacing(target) as out:
            out.write(self.encode())
        return target


class Style(NamedTuple):
    """How a walk is drawn."""

    line: bool
    arrows: bool
    dots: bool
    numbers: bool
    theme: Theme
    #: the anchors of the colour map, none for a path in one colour
    anchors: tuple[str, ...]
    base: int
    outlines: bool


class Picture(NamedTuple):
    """Where everything is: pixels of the picture's natural size, x to the right, y down."""

    board: Board
    #: from one square to the next
    cell: float
    #: the centre of square (0, 0)
    x: float
    y: float
    width: float
    height: float
    #: size of the labels, and the least radius of a mark
    font: float
    mark: float


def svg(
    walk: Tour | Iterable[SquareLike] = (),
    board: BoardLike | None = None,
    *,
    path: str = "line",
    numbers: bool = False,
    base: int = 1,
    colour_map: str | None = "viridis",
    theme: str = "light",
    labels: str = "board",
    ranks: str | None = None,
    ends: bool = True,
    closing: bool | None = None,
    holes: Collection[Square] | None = None,
    size: int | None = None,
    title: str | None = None,
    description: str | None = None,
    text: str = "font",
) -> Svg:
    """Draw a board and a whole or partial walk on it.

    Args:
        walk: a tour, or squares in the order of visit; none for the empty board.
        board: the board, None for that of the tour.
        path: ``"line"``, ``"arrows"``, ``"dots"``, ``"numbers"`` or ``"none"``; several are
            joined with ``+``, as in ``"dots+numbers"``.
        numbers: add the step numbers to whatever `path` says.
        base: the number of the first step.
        colour_map: ``"viridis"`` or ``"cividis"`` from the start to the end; None for one colour.
        theme: ``"light"``, ``"dark"`` or ``"print"``.
        labels: ``"board"`` (the board's own style), ``"algebraic"``, ``"iccs"``, ``"index"``
            (row and column numbers from 0, row 0 at the top) or ``"none"``.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.
        ends: mark the start (a disc) and the end (a square).
        closing: draw the move from the end to the start, dashed; None where the walk is a closed
            tour.
        holes: squares that do not belong to the board; None for those of the board.
        size: pixels of the longer side; None for 48 a square, up to about 1000. The picture is
            scalable all the same.
        title: the name of the picture, for screen readers and as a tooltip; None for a fitting one.
        description: what is to be seen, for screen readers; None for a fitting one.
        text: ``"font"`` (text that can be searched, in a font of the system) or ``"outlines"``
            (the same strokes everywhere, no font needed).

    Returns:
        The text of the picture, the same for the same call.

    Raises:
        InvalidInputError: an option or a square that there is not; a board of more than
            `MAX_DRAWN` squares; arrows or numbers on one of more than `MAX_DETAILED`.

    >>> from knighttour import tour
    >>> picture = svg(tour("a0"), theme="dark")
    >>> picture.startswith("<svg "), picture.count("<text")
    (True, 19)
    """
    place = board_of(walk, board)
    style = style_of(path, numbers, theme, colour_map, base, text)
    check_drawable(place, style)
    for option, value in (("ends", ends), ("numbers", numbers)):
        if not isinstance(value, bool):
            raise InvalidInputError(f"{option}={value!r} is neither True nor False")
    gaps = holes_of(place, holes)
    squares = squares_of(walk, place, gaps)
    total = place.rows * place.cols - len(gaps)
    closed = len(squares) == total and is_closed(squares, place)
    if closing is None:
        closing = closed
    elif closing and not closed:
        raise InvalidInputError("closing=True draws the last move of a closed tour: this is none")
    picture = lay_out(place, labels, ranks, size)
    body = draw_board(picture, style.theme, labels, ranks, gaps, style.outlines)
    body += draw_walk(picture, style, squares, closing=closing)
    if ends:
        body += draw_ends(picture, style, squares)
    if title is None:
        title = _title(squares, place, total, closed, ranks)
    if description is None:
        description = _description(squares, place, total, closed, ranks)
    return document(picture, style.theme, body, title, description, size)


def style_of(
    path: str, numbers: bool, theme: str, colour_map: str | None, base: int, text: str
) -> Style:
    """Check the options that say how a walk looks."""
    parts = path.split("+") if isinstance(path, str) else [path]
    for part in parts:
        if part not in PATH_STYLES and parts != ["none"]:
            raise InvalidInputError(
                f"path={path!r} is unknown: use {', '.join(PATH_STYLES)} or several joined with "
                "'+', or none"
            )
    if text not in ("font", "outlines"):
        raise InvalidInputError(f"text={text!r} is unknown: use 'font' or 'outlines'")
    if isinstance(base, bool) or not isinstance(base, int):
        raise InvalidInputError(f"base={base!r} is not a whole number")
    return Style(
        line="line" in parts or "arrows" in parts,
        arrows="arrows" in parts,
        dots="dots" in parts,
        numbers=numbers or "numbers" in parts,
        theme=get_theme(theme),
        anchors=() if colour_map is None else get_colour_map(colour_map),
        base=base,
        outlines=text == "outlines",
    )


def check_drawable(board: Board, style: Style) -> None:
    """Refuse a picture that nobody could look at, before anything is computed."""
    if board.size > MAX_DRAWN:
        raise InvalidInputError(
            f"a board of {board.size} squares is too large to draw: at most {MAX_DRAWN}"
        )
    if (style.arrows or style.numbers) and board.size > MAX_DETAILED:
        what = "arrows" if style.arrows else "numbers"
        raise InvalidInputError(
            f"{what} on {board.size} squares could not be told apart: use path='line' above "
            f"{MAX_DETAILED}"
        )


# Where everything is


def lay_out(board: Board, labels: str, ranks: str | None, size: int | None) -> Picture:
    """Find the place of everything; see `svg` for the arguments."""
    if labels not in (*LABELS, "board", "none"):
        raise InvalidInputError(
            f"labels={labels!r} is unknown: use 'board', {', '.join(map(repr, LABELS))} or 'none'"
        )
    if ranks is not None and ranks not in RANKS:
        raise InvalidInputError(
            f"ranks={ranks!r} is not a numbering of rows; use {' or '.join(map(repr, RANKS))}"
        )
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 16):
        raise InvalidInputError(f"size={size!r} is not a size: use a whole number of pixels >= 16")
    rows, cols = board.shape
    longest = max(rows, cols)
    cell = min(_LARGEST, _NATURAL / longest)
    extent = cell * longest
    # Labels and marks keep a size that can be read, whatever the picture is scaled to.
    pixel = 1.0 if size is None else extent * 1.08 / size
    font = max(0.3 * cell, min(11 * pixel, 0.09 * extent))
    mark = max(0.2 * cell, min(5 * pixel, 0.3 * cell + 0.02 * extent))
    frame = 0.25 * cell if board.is_xiangqi else 0.0
    # Labels and marks of the outermost rows may be taller than these rows.
    edge = max(0.12 * cell, 2 * pixel, 1.3 * mark - cell / 2, 0.6 * font - cell / 2) + frame
    left = below = edge
    if labels != "none":
        names = [label_of_row(board, row, labels, ranks) for row in {0, rows - 1}]
        gap = _gap(cell, font, mark)
        left += gap + 0.15 * font + max(map(text_width, names)) * font
        below += gap + font
    width, height = left + cols * cell + edge, edge + rows * cell + below
    # Whole pixels, so that nothing is shifted or half covered at the rims.
    scale = 1.0 if size is None else size / max(width, height)
    return Picture(
        board=board,
        cell=cell,
        x=left + cell / 2,
        y=edge + cell / 2,
        width=max(1, round(width * scale)) / scale,
        height=max(1, round(height * scale)) / scale,
        font=font,
        mark=mark,
    )


def _gap(cell: float, font: float, mark: float) -> float:
    """Return how far the labels stand from the board: clear of a mark on an outermost square."""
    return max(0.35 * font, 1.3 * mark - cell / 2 + 0.2 * font)


def label_of_row(board: Board, row: int, labels: str, ranks: str | None) -> str:
    """Return what stands at the left of a row."""
    if labels == "index":
        return str(row)
    naming = board.naming if labels == "board" else labels
    # The name of a square of column a, without the a.
    return name_square((row, 0), board.rows, naming, ranks)[1:]


def label_of_col(col: int, labels: str) -> str:
    """Return what stands below a column."""
    return str(col) if labels == "index" else column_letters(col)


def _strides() -> Iterator[int]:
    """Yield the intervals at which labels can be drawn: 1, 2, 5, 10, 20, 50, ..."""
    for power in count():
        for digit in (1, 2, 5):
            yield digit * 10**power


# The pieces of a picture


def document(
    picture: Picture,
    theme: Theme,
    body: Iterable[str],
    title: str,
    description: str,
    size: int | None,
    *,
    paper: bool = True,
) -> Svg:
    """Put the pieces of a picture together."""
    width, height = f"{picture.width:.8g}", f"{picture.height:.8g}"
    scale = 1.0 if size is None else size / max(picture.width, picture.height)
    pixels = (
        f'width="{max(1, round(picture.width * scale))}" '
        f'height="{max(1, round(picture.height * scale))}"'
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {pixels} '
        f'viewBox="0 0 {width} {height}">\n'
        f"<title>{_text(title)}</title>\n<desc>{_text(description)}</desc>\n"
    )
    ground = f'<rect width="{width}" height="{height}" fill="{theme.paper}"/>\n' if paper else ""
    return Svg(f"{head}{ground}{''.join(body)}</svg>\n")


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", str(text)))


def _number(value: float) -> str:
    """Write a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def in_squares(picture: Picture) -> str:
    """Return the attribute that makes a square the unit, and the centre of (0, 0) the origin."""
    return (
        f'transform="translate({_number(picture.x)} {_number(picture.y)})scale({picture.cell:.6g})"'
    )


def draw_board(
    picture: Picture,
    theme: Theme,
    labels: str,
    ranks: str | None,
    holes: Collection[Square],
    outlines: bool,
) -> list[str]:
    """Draw the empty board with its labels."""
    board = picture.board
    body = [f"<g {in_squares(picture)}>\n"]
    body += _xiangqi_board(theme) if board.is_xiangqi else _chess_board(board, theme, picture.cell)
    if holes:
        body += _draw_holes(sorted(holes), theme)
    body.append("</g>\n")
    if labels != "none":
        body += draw_labels(picture, theme, labels, ranks, outlines)
    return body


def _chess_board(board: Board, theme: Theme, cell: float) -> Iterator[str]:
    rows, cols = board.shape
    whole = f'x="-.5" y="-.5" width="{cols}" height="{rows}"'
    yield f'<rect {whole} fill="{theme.light}"/>\n'
    # A square is dark where exactly one of its row and its column is in these sets; a1 is.
    bands = [f"M-.5 {row - 0.5:g}h{cols}v1h-{cols}z" for row in range(rows - 2, -1, -2)]
    bands += [f"M{col - 0.5:g}-.5v{rows}h1v-{rows}z" for col in range(0, cols, 2)]
    yield f'<path fill="{theme.dark}" fill-rule="evenodd" d="{"".join(bands)}"/>\n'
    # The rim lies outside, so that it covers nothing of small squares.
    width = 1.4 / cell
    yield (
        f'<rect x="{-0.5 - width / 2:.4g}" y="{-0.5 - width / 2:.4g}" '
        f'width="{cols + width:.6g}" height="{rows + width:.6g}" fill="none" '
        f'stroke="{theme.line}" stroke-width="{width:.4g}"/>\n'
    )


@lru_cache(maxsize=8)
def _xiangqi_board(theme: Theme) -> tuple[str, ...]:
    lines = [f"M0 {row}h8" for row in range(10)] + ["M0 0v9M8 0v9"]
    lines += [f"M{col} 0v4m0 1v4" for col in range(1, 8)]
    palaces = "M3 0l2 2m0-2l-2 2M3 7l2 2m0-2l-2 2"
    cannons = [(row, col) for row in (2, 7) for col in (1, 7)]
    soldiers = [(row, col) for row in (3, 6) for col in range(0, 9, 2)]
    corners = []
    for row, col in cannons + soldiers:
        for across in (-1, 1):
            if not 0 <= col + across <= 8:
                continue  # the edge of the board has half a mark
            for down in (-1, 1):
                x, y = col + 0.09 * across, row + 0.09 * down
                corners.append(f"M{x:g} {y + 0.16 * down:g}V{y:g}H{x + 0.16 * across:g}")
    river = "".join(
        f'<path transform="translate({x - 0.29} 4.21)scale(.0058)" d="{RIVER[character]}"/>'
        for character, x in zip(RIVER, (1.5, 2.5, 5.5, 6.5), strict=True)
    )
    return (
        '<rect x="-.5" y="-.5" width="9" height="10" rx=".04" '
        f'fill="{theme.light}"/>\n'
        f'<g fill="none" stroke="{theme.line}" stroke-width=".03">'
        '<rect x="-.14" y="-.14" width="8.28" height="9.28" stroke-width=".06"/>'
        f'<path d="{"".join(lines)}{palaces}"/><path d="{"".join(corners)}"/></g>\n'
        f'<g fill="none" stroke="{theme.line}" stroke-width="7" stroke-linecap="round" '
        f'stroke-linejoin="round">{river}</g>\n',
    )


def _draw_holes(holes: Sequence[Square], theme: Theme) -> Iterator[str]:
    squares = "".join(f"M{col - 0.5:g} {row - 0.5:g}h1v1h-1z" for row, col in holes)
    yield f'<path fill="{theme.hole}" d="{squares}"/>\n'
    crosses = "".join(f"M{col - 0.25:g} {row - 0.25:g}l.5 .5m0-.5l-.5 .5" for row, col in holes)
    yield f'<path fill="none" stroke="{theme.line}" stroke-width=".06" d="{crosses}"/>\n'


def draw_labels(
    picture: Picture, theme: Theme, labels: str, ranks: str | None, outlines: bool
) -> Iterator[str]:
    """Label the rows at the left and the columns below, as many as there is room for."""
    rows, cols = picture.board.shape
    font, cell = picture.font, picture.cell
    letters = Lettering(font, theme.label, outlines)
    gap = _gap(cell, font, picture.mark)
    below = picture.y + (rows - 0.5) * cell + gap + 0.4 * font
    shown: list[tuple[int, str]] = []
    for stride in _strides():
        shown = [(col, label_of_col(col, labels)) for col in range(0, cols, stride)]
        if stride * cell >= (max(text_width(name) for _, name in shown) + 0.5) * font:
            break
    yield from letters.draw([(picture.x + col * cell, below, name) for col, name in shown], 0.5)
    stride = next(stride for stride in _strides() if stride * cell >= 1.25 * font)
    if labels == "index":
        order = range(0, rows, stride)
    else:
        # Round numbers: 10, 20, ... rather than 1, 11, ...
        bottom = int(label_of_row(picture.board, rows - 1, labels, ranks))
        order = range(rows - 1 - (-bottom % stride), -1, -stride)
    right = picture.x - cell / 2 - gap
    yield from letters.draw(
        [
            (right, picture.y + row * cell, label_of_row(picture.board, row, labels, ranks))
            for row in order
        ],
        1.0,
    )


class Lettering(NamedTuple):
    """How text is written: as text, or as strokes."""

    size: float
    colour: str
    outlines: bool

    def draw(self, texts: Iterable[tuple[float, float, str]], anchor: float) -> Iterator[str]:
        """Write texts, each at its x and at the y of the middle of its digits.

        `anchor` is the part of a text that lies left of its x: 0, 0.5 or 1.
        """
        if self.outlines:
            yield (
                f'<g fill="none" stroke="{self.colour}" stroke-width="{STROKE_WIDTH:g}" '
                'stroke-linecap="round" stroke-linejoin="round">'
            )
            scale = self.size / 100
            for x, y, text in texts:
                left = x - anchor * text_width(text) * self.size
                yield (
                    f'<path transform="translate({_number(left)} {_number(y - 35 * scale)})'
                    f'scale({scale:.4g})" d="{text_path(text)}"/>'
                )
        else:
            where = {0.0: "start", 0.5: "middle", 1.0: "end"}[anchor]
            yield (
                f'<g fill="{self.colour}" font-family="{_FONT}" font-size="{_number(self.size)}" '
                f'text-anchor="{where}">'
            )
            # The digits of the usual fonts are 0.72 em tall.
            drop = 0.36 * self.size
            for x, y, text in texts:
                yield f'<text x="{_number(x)}" y="{_number(y + drop)}">{_text(text)}</text>'
        yield "</g>\n"


# The walk


def _line_width(cell: float) -> float:
    """Return the width of the path in squares: thin on large ones, still there on tiny ones."""
    return min(0.34, max(0.075, 0.7 / cell + 0.045))


def _colours(style: Style, total: int) -> tuple[str, ...]:
    """Return the colours from the first to the last step of a walk of `total` squares."""
    low, high = style.theme.span
    if not style.anchors:
        return (style.theme.ink,)
    return _spread(style.anchors, low, high, max(1, min(_COLOURS, total - 1)))


@lru_cache(maxsize=256)
def _spread(anchors: tuple[str, ...], low: float, high: float, number: int) -> tuple[str, ...]:
    pace = (high - low) / max(1, number - 1)
    return tuple(colour_at(anchors, low + pace * index) for index in range(number))


def draw_walk(
    picture: Picture,
    style: Style,
    squares: Sequence[Square],
    *,
    first: int = 0,
    total: int | None = None,
    closing: bool = False,
    layers: Collection[str] = ("path", "points"),
) -> list[str]:
    """Draw a walk, or a piece of one.

    Args:
        picture: where everything is.
        style: how it looks.
        squares: the squares; of a piece that is not the first, begun with the last square of the
            piece before.
        first: the 0-based step of the first of them.
        total: squares of the whole walk, which the colours are spread over.
        closing: with the dashed move back to the start.
        layers: ``"path"`` (lines and arrows) and ``"points"`` (dots and numbers, above all lines).
    """
    if not squares:
        return []
    colours = _colours(style, total or len(squares))
    moves = max(1, (total or len(squares)) - 1)
    # Step k, and the move that leads to step k, have colour (k - 1) * len(colours) // moves.
    pieces: list[tuple[str, int, Sequence[Square]]] = []
    last_step = first + len(squares) - 1
    for index, colour in enumerate(colours):
        # The steps of this colour, and the step before, from which its first move comes.
        low = -(-index * moves // len(colours)) + 1
        high = -(-(index + 1) * moves // len(colours))
        low, high = max(low - 1, first), min(high, last_step)
        if low < high or (index == 0 and first == 0 == last_step):
            pieces.append((colour, low, squares[low - first : high - first + 1]))
    body: list[str] = []
    if "path" in layers and style.line:
        body += _draw_path(picture, style, pieces)
        if closing:
            body += _draw_closing(picture, style, squares)
    if "points" in layers and (style.dots or style.numbers):
        body += _draw_points(picture, style, pieces, last_step)
    return body


def _draw_path(
    picture: Picture, style: Style, pieces: Sequence[tuple[str, int, Sequence[Square]]]
) -> Iterator[str]:
    width = _line_width(picture.cell)
    moves = _Moves()
    heads = _Heads(max(0.2, 3 * width))
    yield (
        f'<g {in_squares(picture)} fill="none" stroke-width="{width:.3g}" stroke-linecap="round" '
        'stroke-linejoin="round">\n'
    )
    for colour, _, piece in pieces:
        if len(piece) < 2:
            continue
        steps = []
        row, col = piece[0]
        for next_row, next_col in islice(piece, 1, None):
            steps.append(moves[next_row - row, next_col - col])
            row, col = next_row, next_col
        row, col = piece[0]
        yield f'<path stroke="{colour}" d="M{col} {row}l{"".join(steps)}"/>\n'
        if style.arrows:
            tips = []
            for next_row, next_col in islice(piece, 1, None):
                tips.append(heads.draw(row, col, next_row - row, next_col - col))
                row, col = next_row, next_col
            yield f'<path fill="{colour}" d="{"".join(tips)}"/>\n'
    yield "</g>\n"


class _Moves(dict[Square, str]):
    """Moves as the text of a relative line, each made when it first occurs."""

    def __missing__(self, move: Square) -> str:
        drow, dcol = move
        text = self[move] = f"{' ' if dcol >= 0 else ''}{dcol}{' ' if drow >= 0 else ''}{drow}"
        return text


class _Heads:
    """Arrow heads, a little behind the middle of their moves."""

    def __init__(self, length: float) -> None:
        self._length = length
        self._made: dict[Square, tuple[float, float, str]] = {}

    def draw(self, row: int, col: int, drow: int, dcol: int) -> str:
        """Return the triangle on the move from a square by (drow, dcol)."""
        made = self._made.get((drow, dcol))
        if made is None:
            made = self._made[drow, dcol] = self._make(drow, dcol)
        x, y, shape = made
        return f"M{col + x:.2f} {row + y:.2f}{shape}"

    def _make(self, drow: int, dcol: int) -> tuple[float, float, str]:
        distance = math.hypot(drow, dcol) or 1.0
        along_x, along_y = dcol / distance, drow / distance
        reach = 0.5 * distance + 0.5 * self._length
        back_x, back_y = -self._length * along_x, -self._length * along_y
        side_x, side_y = -0.42 * self._length * along_y, 0.42 * self._length * along_x
        shape = (
            f"l{_number(back_x + side_x)} {_number(back_y + side_y)}"
            f"l{_number(-2 * side_x)} {_number(-2 * side_y)}z"
        )
        return reach * along_x, reach * along_y, shape


def _draw_closing(picture: Picture, style: Style, squares: Sequence[Square]) -> Iterator[str]:
    width = max(_line_width(picture.cell), 1.6 / picture.cell)
    (row, col), (last_row, last_col) = squares[0], squares[-1]
    dash = f"{1.6 * width:.3g} {1.5 * width:.3g}"
    yield (
        f'<path {in_squares(picture)} fill="none" stroke="{style.theme.accent}" '
        f'stroke-width="{width:.3g}" stroke-dasharray="{dash}" '
        f'd="M{last_col} {last_row}L{col} {row}"/>\n'
    )


def _draw_points(
    picture: Picture,
    style: Style,
    pieces: Sequence[tuple[str, int, Sequence[Square]]],
    last_step: int,
) -> Iterator[str]:
    """Draw dots, or numbers on discs where lines would cross them."""
    on_discs = style.numbers and (style.line or style.dots or picture.board.is_xiangqi)
    if style.dots or on_discs:
        width = 0.66 if style.numbers else 0.4
        yield (
            f'<g {in_squares(picture)} fill="none" stroke-width="{width}" stroke-linecap="round">\n'
        )
        for colour, low, piece in pieces:
            centres = "".join(f"M{col} {row}h0" for row, col in _new(low, piece))
            yield f'<path stroke="{colour}" d="{centres}"/>\n'
        yield "</g>\n"
    if not style.numbers:
        return
    digits = max(len(str(style.base)), len(str(style.base + last_step)), 2)
    font = min(0.36, (0.6 if on_discs else 0.84) / (0.56 * digits)) * picture.cell
    for colour, low, piece in pieces:
        ink = style.theme.ink
        if on_discs:
            ink = max(("#000000", "#ffffff"), key=lambda shade: contrast(shade, colour))
        start = low + len(piece) - len(_new(low, piece))
        yield from Lettering(font, ink, style.outlines).draw(
            [
                (picture.x + col * picture.cell, picture.y + row * picture.cell, str(step))
                for step, (row, col) in enumerate(_new(low, piece), style.base + start)
            ],
            0.5,
        )


def _new(low: int, piece: Sequence[Square]) -> Sequence[Square]:
    """Return the squares of a piece without the one that the piece before has drawn."""
    return piece if low == 0 else piece[1:]


def _mark_radius(picture: Picture, style: Style) -> float:
    """Return the radius of a mark: round a number, larger than a dot."""
    least = 0.41 if style.numbers else 0.27 if style.dots else 0.0
    return max(picture.mark, least * picture.cell)


def draw_ends(picture: Picture, style: Style, squares: Sequence[Square]) -> Iterator[str]:
    """Mark the start by a disc and the end by a square."""
    if not squares:
        return
    theme = style.theme
    cell = picture.cell
    open_marks = style.numbers
    radius = _mark_radius(picture, style)
    fill = "none" if open_marks else theme.paper
    width = max(0.05 * cell, 0.22 * picture.mark)
    row, col = squares[0]
    x, y = picture.x + col * cell, picture.y + row * cell
    yield (
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{fill}" '
        f'stroke="{theme.ink}" stroke-width="{_number(width)}"/>\n'
    )
    if len(squares) == 1:
        return
    row, col = squares[-1]
    side = 1.9 * radius if not open_marks else 1.85 * radius
    x, y = picture.x + col * cell - side / 2, picture.y + row * cell - side / 2
    fill = "none" if open_marks else theme.ink
    stroke = theme.ink if open_marks else theme.paper
    yield (
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(side)}" '
        f'height="{_number(side)}" fill="{fill}" stroke="{stroke}" '
        f'stroke-width="{_number(width)}"/>\n'
    )


def draw_here(picture: Picture, style: Style, square: Square) -> Iterator[str]:
    """Mark where the knight of an animation stands."""
    row, col = square
    cell = picture.cell
    radius = _mark_radius(picture, style)
    look = f'fill="{style.theme.accent}" stroke="{style.theme.paper}"'
    if style.numbers:
        look = f'fill="none" stroke="{style.theme.accent}"'
    yield (
        f'<circle cx="{_number(picture.x + col * cell)}" cy="{_number(picture.y + row * cell)}" '
        f'r="{_number(radius)}" {look} '
        f'stroke-width="{_number(max(0.05 * cell, 0.25 * picture.mark))}"/>\n'
    )


# The picture in words


def _title(
    squares: Sequence[Square], board: Board, total: int, closed: bool, ranks: str | None
) -> str:
    if not squares:
        return f"Empty board, {board}"
    start, end = (board.name(square, ranks=ranks) for square in (squares[0], squares[-1]))
    if closed:
        return f"Closed knight's tour of {board} from {start}"
    if len(squares) == total:
        return f"Open knight's tour of {board} from {start} to {end}"
    return f"Knight's walk on {board} from {start} to {end}"


def _description(
    squares: Sequence[Square], board: Board, total: int, closed: bool, ranks: str | None
) -> str:
    kind = "points" if board.is_xiangqi else "squares"
    words = f"A board of {board.rows} rows and {board.cols} columns"
    holes = board.rows * board.cols - total
    if holes:
        words += f" with {holes} hole{'s' if holes > 1 else ''}"
    words += "."
    if not squares:
        return words
    start, end = (board.name(square, ranks=ranks) for square in (squares[0], squares[-1]))
    words += f" The walk visits {len(squares)} of {total} {kind}"
    if len(squares) == 1:
        return f"{words}: {start}."
    words += f", from {start} (marked by a disc) to {end} (marked by a square)."
    if closed:
        words += " The dashed move leads back to the start."
    return words
