"""Strategies compared: from which starts each finds a tour, and how many moves it takes back.

Every strategy is run from every square under a limit on the squares placed, so that it always
ends. The four ways to end are kept apart, in words, in the table and in the picture: a tour found;
a dead end, where a search without a way back got stuck; no tour, where all walks were tried; and
given up, where the limit came first and nothing is known. Colours stand for the number of
backtracks, on a logarithmic scale that all maps of a picture share; the other three ways to end
have a sign of their own, not a colour of the scale.

The five named strategies together take about 0.02 seconds on the chessboard and 0.1 on the xiangqi
board, compiled; 0.7 and 5 seconds in pure Python.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from ..board import Board, BoardLike, as_board
from ..errors import DeadEndError, InvalidInputError, NoTourError, SearchLimitError, Square
from ..notation import column_letters
from ..search import tour
from ..strategies import STRATEGIES, Strategy, as_strategy
from .colours import Theme, colour_at, contrast, get_colour_map, get_theme
from .svg import (
    Lettering,
    Picture,
    Svg,
    document,
    draw_labels,
    in_squares,
    lay_out,
)
from .text import rank_names

__all__ = ["ENDINGS", "Comparison", "Outcome", "compare", "heat_maps", "summary", "table"]

#: The ways in which a search ends, with the sign for each in the table.
ENDINGS = {"tour": "", "dead-end": "x", "no-tour": "-", "gave-up": "?"}

#: A comparison runs a search from every square: the cost grows with the square of the size.
_MAX_SQUARES = 10_000

#: Grids are printed for boards of at most so many squares.
_MAX_PRINTED = 400

_LEAST_NODES = 100_000


class Outcome(NamedTuple):
    """How one search ended."""

    #: a key of `ENDINGS`
    ending: str
    #: squares placed, the start included
    nodes: int
    #: squares taken back
    backtracks: int


class Comparison(NamedTuple):
    """What one strategy did from every square of a board."""

    board: Board
    strategy: str
    max_nodes: int
    #: one for each square, row by row
    outcomes: tuple[Outcome, ...]

    def count(self, ending: str) -> int:
        """Return from how many starts the search ended in this way."""
        return sum(outcome.ending == ending for outcome in self.outcomes)

    def backtracks(self) -> list[int]:
        """Return the backtracks of the searches that found a tour."""
        return [outcome.backtracks for outcome in self.outcomes if outcome.ending == "tour"]


def compare(
    board: BoardLike = "chess",
    strategies: Iterable[Strategy | str] = tuple(STRATEGIES),
    *,
    max_nodes: int | None = None,
    seed: int | None = None,
    backend: str | None = None,
) -> list[Comparison]:
    """Run strategies from every square of a board.

    Args:
        board: a board of at most 10000 squares.
        strategies: strategies or their names.
        max_nodes: most squares that one search may place; None for 100000, or for 20 times the
            board where that is more.
        seed: for the tie "random".
        backend: ``"core"`` or ``"pure"``, None for `knighttour.BACKEND`.

    Returns:
        One comparison for each strategy, in the order given.

    Raises:
        InvalidInputError: an unknown strategy or none, a board too large, or `max_nodes` below
            the number of squares, with which no tour could be found.

    >>> [result] = compare("5x5", ["warnsdorff"])
    >>> {ending: result.count(ending) for ending in ENDINGS}
    {'tour': 10, 'dead-end': 15, 'no-tour': 0, 'gave-up': 0}
    """
    place = as_board(board)
    rules = [
        (rule if isinstance(rule, str) else rule.name, as_strategy(rule)) for rule in strategies
    ]
    if not rules:
        raise InvalidInputError(f"no strategy to compare: use {', '.join(STRATEGIES)}")
    if place.size > _MAX_SQUARES:
        raise InvalidInputError(
            f"comparing runs a search from each of the {place.size} squares: use a board of at "
            f"most {_MAX_SQUARES}"
        )
    limit = max(_LEAST_NODES, 20 * place.size) if max_nodes is None else max_nodes
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < place.size:
        raise InvalidInputError(
            f"max_nodes={limit!r} lets no search place all {place.size} squares: use a whole "
            "number that is not less"
        )
    return [
        Comparison(
            place,
            name,
            limit,
            tuple(_try(square, place, rule, limit, seed, backend) for square in place.squares),
        )
        for name, rule in rules
    ]


def _try(
    start: Square, board: Board, rule: Strategy, limit: int, seed: int | None, backend: str | None
) -> Outcome:
    """Run one strategy from one square."""
    try:
        stats = tour(start, board, strategy=rule, max_nodes=limit, seed=seed, backend=backend).stats
    except SearchLimitError as error:
        if error.stats is None:  # it never began: no memory
            raise
        ending = "dead-end" if isinstance(error, DeadEndError) else "gave-up"
        return Outcome(ending, error.stats.nodes, error.stats.backtracks)
    except NoTourError:
        return Outcome("no-tour", 0, 0)
    return Outcome("tour", stats.nodes, stats.backtracks)


# In words and characters


def _percentile(values: Sequence[int]) -> str:
    return f"{median(values):.0f}" if values else "-"


def summary(results: Sequence[Comparison]) -> str:
    """Return a table of text, one line a strategy.

    >>> print(summary(compare("5x5", ["warnsdorff"])))
    strategy    tour  dead end  no tour  gave up  backtracks: none  median  most
    warnsdorff    10        15        0        0                10       0     0
    """
    head = [
        "strategy",
        "tour",
        "dead end",
        "no tour",
        "gave up",
        "backtracks: none",
        "median",
        "most",
    ]
    lines = [head]
    for result in results:
        backtracks = result.backtracks()
        lines.append(
            [
                result.strategy,
                *(str(result.count(ending)) for ending in ENDINGS),
                str(backtracks.count(0)),
                _percentile(backtracks),
                str(max(backtracks)) if backtracks else "-",
            ]
        )
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0])]
            + [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
        )
        for line in lines
    )


def table(results: Sequence[Comparison], *, ranks: str | None = None) -> str:
    """Return the summary, and for boards of up to 400 squares a grid for each strategy.

    Args:
        results: what `compare` returns.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.

    >>> print(table(compare("3x4", ["course"])))
    strategy  tour  dead end  no tour  gave up  backtracks: none  median  most
    course       6         0        6        0                 6       0     0
    <BLANKLINE>
    course: backtracks from each start (- no tour)
    3  0  -  -  0
    2  0  -  -  0
    1  0  -  -  0
    <BLANKLINE>
       a  b  c  d
    """
    board = results[0].board
    text = summary(results)
    if board.size > _MAX_PRINTED:
        return f"{text}\n\n(grids are printed for up to {_MAX_PRINTED} squares: use -o FILE.svg)"
    for result in results:
        cells = [ENDINGS[o.ending] or str(o.backtracks) for o in result.outcomes]
        rows = [cells[k : k + board.cols] for k in range(0, board.size, board.cols)]
        signs = {
            "dead-end": "x dead end",
            "no-tour": "- no tour",
            "gave-up": f"? gave up after {result.max_nodes} nodes",
        }
        used = [sign for ending, sign in signs.items() if result.count(ending)]
        note = f" ({', '.join(used)})" if used else ""
        text += f"\n\n{result.strategy}: backtracks from each start{note}\n"
        text += _grid(rows, board, ranks)
    return text


def _grid(rows: Sequence[Sequence[str]], board: Board, ranks: str | None) -> str:
    names = rank_names(board, ranks)
    letters = [column_letters(col) for col in range(board.cols)]
    width = max(len(cell) for row in [*rows, letters] for cell in row)
    lines = [
        f"{name}  {'  '.join(cell.rjust(width) for cell in row)}"
        for name, row in zip(names, rows, strict=True)
    ]
    below = "  ".join(letter.rjust(width) for letter in letters)
    return "\n".join([*lines, "", f"{' ' * len(names[0])}  {below}"])


# As a picture


class _Scale(NamedTuple):
    """Backtracks as colours: logarithmic, the same for all maps of a picture."""

    anchors: tuple[str, ...]
    most: int

    def colour(self, backtracks: int) -> str:
        return colour_at(self.anchors, self.position(backtracks))

    def position(self, backtracks: int) -> float:
        return math.log1p(backtracks) / math.log1p(self.most) if self.most else 0.0


def heat_maps(
    results: Sequence[Comparison],
    *,
    theme: str = "light",
    colour_map: str = "cividis",
    ranks: str | None = None,
    title: str | None = None,
    text: str = "font",
) -> Svg:
    """Draw a comparison as heat maps side by side, with a legend.

    Args:
        results: what `compare` returns.
        theme: ``"light"``, ``"dark"`` or ``"print"``.
        colour_map: ``"cividis"`` or ``"viridis"``.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.
        title: the name of the picture; None for a fitting one.
        text: ``"font"`` or ``"outlines"``, as in `svg`.

    Raises:
        InvalidInputError: an option that there is not, or nothing to draw.

    >>> heat_maps(compare("5x5", ["warnsdorff", "course"])).count("<circle")
    0
    """
    if not results:
        raise InvalidInputError("no comparison to draw")
    if text not in ("font", "outlines"):
        raise InvalidInputError(f"text={text!r} is unknown: use 'font' or 'outlines'")
    look = get_theme(theme)
    anchors = get_colour_map(colour_map)
    if theme != "dark":  # few backtracks are pale, as the board is
        anchors = anchors[::-1]
    board = results[0].board
    most = max((max(result.backtracks(), default=0) for result in results), default=0)
    scale = _Scale(anchors, most)
    letters = text == "outlines"
    one = _panel_layout(board, ranks)
    across = _columns(len(results), one)
    down = -(-len(results) // across)
    head, legend = 44.0, 84.0
    width = float(math.ceil(max(across * one.width, 440.0)))
    height = float(math.ceil(down * (one.height + head) + legend))
    body: list[str] = []
    for index, result in enumerate(results):
        x, y = index % across * one.width, index // across * (one.height + head)
        panel = one._replace(x=one.x + x, y=one.y + y + head)
        body += _panel(result, panel, x + one.x - one.cell / 2, y, look, scale, ranks, letters)
    body += _legend(results, look, scale, 16.0, height - legend + 8, width - 32, letters)
    names = ", ".join(result.strategy for result in results)
    words = " ".join(f"{result.strategy}: {_in_words(result)}." for result in results)
    whole = one._replace(width=width, height=height)
    return document(
        whole,
        look,
        body,
        title or f"Strategies compared on {board}: {names}",
        f"One map for each strategy; the colour of a square is the number of backtracks of the "
        f"search that starts there. {words}",
        None,
    )


def _in_words(result: Comparison) -> str:
    counts = Counter(outcome.ending for outcome in result.outcomes)
    parts = [f"{counts['tour']} of {len(result.outcomes)} starts give a tour"]
    if counts["dead-end"]:
        parts.append(f"{counts['dead-end']} end in a dead end")
    if counts["no-tour"]:
        parts.append(f"{counts['no-tour']} have no tour")
    if counts["gave-up"]:
        parts.append(f"{counts['gave-up']} gave up after {result.max_nodes} nodes")
    return ", ".join(parts)


def _panel_layout(board: Board, ranks: str | None) -> Picture:
    """Return the place of a map whose squares are large enough for their numbers, if they can."""
    longest = max(board.shape)
    factor = min(30.0, 420.0 / longest) / min(48.0, 1000.0 / longest)
    one = lay_out(board, "board", ranks, max(16, round(factor * 1.08 * min(48 * longest, 1000))))
    # Everything of the natural layout in proportion, with room to the next panel.
    return one._replace(
        cell=one.cell * factor,
        x=one.x * factor + 10,
        y=one.y * factor,
        width=max(one.width * factor + 26, 270.0),
        height=one.height * factor + 6,
        font=one.font * factor,
        mark=one.mark * factor,
    )


def _columns(panels: int, one: Picture) -> int:
    """Return how many panels stand side by side, so that the picture is about as wide as tall."""
    fits = [n for n in range(1, panels + 1) if n * one.width <= 1100] or [1]
    return min(fits, key=lambda n: abs(n * one.width - 1.4 * -(-panels // n) * one.height))


def _panel(
    result: Comparison,
    panel: Picture,
    left: float,
    top: float,
    theme: Theme,
    scale: _Scale,
    ranks: str | None,
    outlines: bool,
) -> Iterator[str]:
    """Draw one map with its heading."""
    board, cell = panel.board, panel.cell
    yield from Lettering(15, theme.ink, outlines).draw([(left, top + 16, result.strategy)], 0.0)
    backtracks = result.backtracks()
    line = f"{len(backtracks)} of {len(result.outcomes)} starts succeed"
    if backtracks:
        line += f", {sum(count > 0 for count in backtracks)} with backtracks"
    yield from Lettering(11, theme.label, outlines).draw([(left, top + 34, line)], 0.0)
    yield from draw_labels(panel, theme, "board", ranks, outlines)
    by_colour: dict[str, list[Square]] = {}
    by_ending: dict[str, list[Square]] = {}
    numbers: dict[str, list[tuple[float, float, str]]] = {}
    for square, outcome in zip(board.squares, result.outcomes, strict=True):
        if outcome.ending != "tour":
            by_ending.setdefault(outcome.ending, []).append(square)
            continue
        colour = scale.colour(outcome.backtracks)
        by_colour.setdefault(colour, []).append(square)
        if cell >= 18:
            ink = max(("#000000", "#ffffff"), key=lambda shade: contrast(shade, colour))
            row, col = square
            where = (panel.x + col * cell, panel.y + row * cell, _short(outcome.backtracks))
            numbers.setdefault(ink, []).append(where)
    yield f"<g {in_squares(panel)}>\n"
    # The cells of a map stand for themselves: neither the colours nor the lines of a board.
    yield (
        f'<rect x="-.53" y="-.53" width="{board.cols + 0.06:g}" height="{board.rows + 0.06:g}" '
        f'fill="{theme.line}" fill-opacity=".45"/>\n'
    )
    for colour, squares in by_colour.items():
        yield f'<path fill="{colour}" d="{_boxes(squares)}"/>\n'
    for ending, squares in by_ending.items():
        yield from _sign(ending, squares, theme)
    yield "</g>\n"
    longest = max((len(text) for texts in numbers.values() for _, _, text in texts), default=1)
    for ink, texts in numbers.items():
        size = min(0.36, 0.8 / (0.56 * max(2, longest))) * cell
        yield from Lettering(size, ink, outlines).draw(texts, 0.5)


def _boxes(squares: Iterable[Square]) -> str:
    return "".join(f"M{col - 0.47:.4g} {row - 0.47:.4g}h.94v.94h-.94z" for row, col in squares)


def _sign(ending: str, squares: Sequence[Square], theme: Theme) -> Iterator[str]:
    """Draw the sign of a search that found no tour: a cross, a bar, or hatching."""
    ground = theme.hole if ending == "no-tour" else theme.paper
    yield f'<path fill="{ground}" d="{_boxes(squares)}"/>\n'
    strokes = {
        "dead-end": "m-.22-.22l.44 .44m0-.44l-.44 .44",
        "no-tour": "m-.24 0h.48",
        "gave-up": "m-.47-.1l.37-.37m-.37 .94l.94-.94m-.37 .94l.37-.37",
    }[ending]
    ink = {"dead-end": theme.accent, "no-tour": theme.paper, "gave-up": theme.label}[ending]
    if ending == "no-tour" and contrast(ink, ground) < 2:
        ink = theme.ink
    marks = "".join(f"M{col} {row}{strokes}" for row, col in squares)
    width = 0.05 if ending == "gave-up" else 0.09
    yield f'<path fill="none" stroke="{ink}" stroke-width="{width}" d="{marks}"/>\n'


def _short(count: int) -> str:
    """Write a number in at most four characters.

    >>> _short(999), _short(1250), _short(99_600), _short(2_000_000)
    ('999', '1.2k', '100k', '2.0m')
    """
    if count < 1000:
        return str(count)
    for unit, size in (("k", 1000), ("m", 1_000_000), ("g", 1_000_000_000)):
        if count < 999.5 * size:
            return (
                f"{count / size:.1f}{unit}" if count < 9.95 * size else f"{count / size:.0f}{unit}"
            )
    return "lots"


def _legend(
    results: Sequence[Comparison],
    theme: Theme,
    scale: _Scale,
    x: float,
    y: float,
    width: float,
    outlines: bool,
) -> Iterator[str]:
    """Draw the scale of colours, and the signs that occur."""
    text = Lettering(11, theme.label, outlines)
    bar = min(260.0, width)
    yield from text.draw([(x, y + 6, "backtracks of the search from a square")], 0.0)
    pieces = 52
    if scale.most:
        for index in range(pieces):
            colour = colour_at(scale.anchors, index / (pieces - 1))
            yield (
                f'<rect x="{x + index * bar / pieces:.2f}" y="{y + 16:.2f}" '
                f'width="{bar / pieces + 0.3:.2f}" height="12" fill="{colour}"/>\n'
            )
        ticks = [0, *(10**power for power in range(12) if 10**power < scale.most), scale.most]
        places: list[tuple[float, float, str]] = []
        for tick in reversed(ticks):
            place = x + bar * scale.position(tick)
            if not places or places[-1][0] - place > 34 or tick == 0:
                places.append((place, y + 38, _short(tick)))
        if len(places) > 2 and places[-2][0] - places[-1][0] < 20:
            del places[-2]
        first = places.pop()
        yield from text.draw([(first[0], first[1], "0")], 0.0)
        yield from text.draw(places, 0.5)
    else:
        yield (
            f'<rect x="{x:.2f}" y="{y + 16:.2f}" width="12" height="12" '
            f'fill="{scale.colour(0)}"/>\n'
        )
        yield from text.draw([(x + 20, y + 22, "0")], 0.0)
    used = {outcome.ending for result in results for outcome in result.outcomes} - {"tour"}
    limit = max(result.max_nodes for result in results)
    words = {
        "dead-end": "dead end",
        "no-tour": "no tour, all walks tried",
        "gave-up": f"gave up after {_short(limit)} nodes",
    }
    left = x
    for ending, word in words.items():
        if ending not in used:
            continue
        yield (
            f'<g transform="translate({left + 7:.2f} {y + 58:.2f})scale(14)">'
            f"{''.join(_sign(ending, [(0, 0)], theme))}</g>\n"
        )
        yield (
            f'<rect x="{left:.2f}" y="{y + 51:.2f}" width="14" height="14" fill="none" '
            f'stroke="{theme.line}" stroke-width=".7"/>\n'
        )
        yield from text.draw([(left + 21, y + 58, word)], 0.0)
        left += 44 + 0.54 * 11 * len(word)
