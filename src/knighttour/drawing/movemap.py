"""How often every move occurs, as a picture: the map of the moves of a board.

What it does.  Every move of the board is a line whose colour and width say in which part of all
tours it occurs; the rare ones are drawn first. If it is told, the colour of a square says in which
part of the open tours it is the start. The numbers come from `edge_counts` and `end_counts`.

Cost.  Linear in the number of moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from ..board import BoardLike, as_board
from ..errors import InvalidInputError, Square
from .colours import Theme, colour_at, get_colour_map, get_theme
from .svg import Lettering, Svg, document, draw_board, in_squares, lay_out

__all__ = ["move_map"]

#: Lines are told apart on boards of at most so many squares.
_MAX_SQUARES = 1000

#: Shades of a scale.
_SHADES = 40

#: Widths of the lines of the rarest and of the most frequent move, in squares.
_THIN, _THICK = 0.03, 0.15

Move = tuple[Square, Square]


def move_map(
    board: BoardLike,
    moves: Mapping[Move, int],
    starts: Mapping[Square, int] | None = None,
    *,
    total: int | None = None,
    theme: str = "light",
    colour_map: str = "viridis",
    ranks: str | None = None,
    title: str | None = None,
    text: str = "font",
) -> Svg:
    """Draw in which part of the tours of a board each move occurs.

    Args:
        board: a board of at most 1000 squares.
        moves: what `edge_counts` returns for it.
        starts: what `end_counts` returns for it, or None.
        total: how many tours there are; None: as many as make closed tours of the moves.
        theme: ``"light"``, ``"dark"`` or ``"print"``.
        colour_map: ``"cividis"`` or ``"viridis"``.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.
        title: the name of the picture; None for a fitting one.
        text: ``"font"`` or ``"outlines"``, as in `svg`.

    Raises:
        InvalidInputError: an option that there is not, a board too large, or nothing to draw.

    >>> from knighttour.occurrences import edge_counts
    >>> picture = move_map("5x6", edge_counts("5x6", closed=True))
    >>> picture.count("<path") > 4, "8 tours" in picture
    (True, True)
    """
    place = as_board(board)
    look = get_theme(theme)
    anchors = get_colour_map(colour_map)
    if theme != "dark":  # what is rare is pale, as the board is
        anchors = anchors[::-1]
    if text not in ("font", "outlines"):
        raise InvalidInputError(f"text={text!r} is unknown: use 'font' or 'outlines'")
    if place.size > _MAX_SQUARES:
        raise InvalidInputError(
            f"moves on {place.size} squares could not be told apart: at most {_MAX_SQUARES}"
        )
    for move in moves:
        for square in move:
            place.check_square(square, "square of a move")
    ways: dict[Move, int] = {}
    for (a, b), number in moves.items():  # a move and its way back are one line
        line = (min(a, b), max(a, b))
        ways[line] = ways.get(line, 0) + number
    tours = sum(ways.values()) // place.size if total is None else total
    if tours < 1:
        raise InvalidInputError(f"{place}: there is no tour, so there is nothing to draw")
    most = max(ways.values())
    outlines = text == "outlines"
    picture = lay_out(place, "board", ranks, None)
    legend_height = 56.0 if starts is None else 106.0
    width = math.ceil(max(picture.width, 300.0))
    height = math.ceil(picture.height) + legend_height
    body = draw_board(picture, look, "board", ranks, place.holes, outlines)
    body.append(f"<g {in_squares(picture)}>\n")
    if starts is not None:
        body += _draw_starts(starts, anchors)
    body += _draw_moves(ways, most, anchors, look, starts is not None)
    body.append("</g>\n")
    left, top = 12.0, math.ceil(picture.height) + 12.0
    words = "percent of the tours use a move"
    body += _legend(left, top, width - 24, words, most / tours, anchors, look, outlines)
    if starts is not None:
        frequent = max(starts.values()) / max(1, sum(starts.values()))
        words = "percent of the tours start on a square"
        body += _legend(left, top + 50, width - 24, words, frequent, anchors, look, outlines)
    often = max(ways, key=lambda move: (ways[move], move))
    names = "-".join(place.name(square, ranks=ranks) for square in often)
    return document(
        picture._replace(width=width, height=height),
        look,
        body,
        title or f"How often each move occurs in the tours of {place}",
        f"A line for every move, the darker and wider the more of the {tours} tours use it. The "
        f"most frequent one, {names}, occurs in {most / tours:.1%} of them, the rarest in "
        f"{min(ways.values()) / tours:.1%}.",
        None,
    )


def _draw_starts(starts: Mapping[Square, int], anchors: tuple[str, ...]) -> Iterator[str]:
    """Colour every square, fainter than the lines above it."""
    most = max(1, *starts.values())
    by_shade: dict[int, list[Square]] = {}
    for square, number in starts.items():
        by_shade.setdefault(round(number / most * (_SHADES - 1)), []).append(square)
    for shade, squares in sorted(by_shade.items()):
        boxes = "".join(f"M{col - 0.5:g} {row - 0.5:g}h1v1h-1z" for row, col in squares)
        colour = colour_at(anchors, shade / (_SHADES - 1))
        yield f'<path fill="{colour}" fill-opacity=".55" d="{boxes}"/>\n'


def _draw_moves(
    ways: Mapping[Move, int], most: int, anchors: tuple[str, ...], theme: Theme, has_starts: bool
) -> Iterator[str]:
    """Draw the lines, the rare ones first, and a dot on every square."""
    by_shade: dict[int, list[Move]] = {}
    for move, number in ways.items():
        if number:
            by_shade.setdefault(round(number / most * (_SHADES - 1)), []).append(move)
    squares: set[Square] = set()
    yield '<g fill="none" stroke-linecap="round">\n'
    for shade, lines in sorted(by_shade.items()):
        share = shade / (_SHADES - 1)
        path = "".join(f"M{a[1]} {a[0]}L{b[1]} {b[0]}" for a, b in lines)
        width = _THIN + (_THICK - _THIN) * share
        if has_starts:  # a rim, so that a line is seen on a square of its own colour
            rim = f'stroke="{theme.paper}" stroke-width="{width + 0.03:.3g}"'
            yield f'<path {rim} d="{path}"/>\n'
        colour = colour_at(anchors, share)
        yield f'<path stroke="{colour}" stroke-width="{width:.3g}" d="{path}"/>\n'
        squares.update(square for move in lines for square in move)
    yield "</g>\n"
    dots = "".join(f"M{col} {row}h0" for row, col in sorted(squares))
    yield (
        f'<path fill="none" stroke="{theme.ink}" stroke-width=".13" stroke-linecap="round" '
        f'd="{dots}"/>\n'
    )


def _legend(
    x: float,
    y: float,
    width: float,
    words: str,
    most: float,
    anchors: tuple[str, ...],
    theme: Theme,
    outlines: bool,
) -> Iterator[str]:
    """Draw a scale of colours from 0 to the largest share."""
    bar = min(240.0, width - 20)
    letters = Lettering(11, theme.label, outlines)
    for shade in range(_SHADES):
        colour = colour_at(anchors, shade / (_SHADES - 1))
        left = x + shade * bar / _SHADES
        yield (
            f'<rect x="{left:.2f}" y="{y:.2f}" width="{bar / _SHADES + 0.3:.2f}" height="10" '
            f'fill="{colour}"/>\n'
        )
    places = [0.0, 0.5, 1.0]
    marks = [(x + place * bar, y + 20, _percent(place * most)) for place in places]
    yield from letters.draw(marks[:1], 0.0)
    yield from letters.draw(marks[1:2], 0.5)
    yield from letters.draw(marks[2:], 1.0)
    yield from letters.draw([(x, y + 34, words)], 0.0)


def _percent(share: float) -> str:
    """Write a share in percent, with two or three digits.

    >>> _percent(0), _percent(1), _percent(0.4237), _percent(0.0312)
    ('0', '100', '42', '3.1')
    """
    number = 100 * share
    return f"{number:.1f}" if 0 < number < 9.95 else f"{number:.0f}"
