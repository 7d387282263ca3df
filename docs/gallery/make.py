"""Draw the gallery: ``python docs/gallery/make.py`` writes every picture beside this file.

All pictures come from the public calls of the package, with fixed starts, so that they are the same
on every system. README.md, the page that shows them, is written from the same table. No picture may
be larger than 300 kB, and none that other pages of the documentation show larger than 60 kB.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from knighttour import Board, edge_counts, end_counts, tour
from knighttour.drawing.heatmap import compare, heat_maps
from knighttour.drawing.movemap import move_map
from knighttour.drawing.raster import animate, png

HERE = Path(__file__).parent
MOST_BYTES = 300_000
MOST_BYTES_IN_DOCS = 60_000

HEAD = """# Gallery

Every picture here is made by `python docs/gallery/make.py`, which also writes this page. Colours
run from the start (a disc) to the end (a square); a dashed move leads from the end of a closed tour
back to its start.
"""

#: The five programs on the boards that they were written for.
PROGRAMS = {
    "access-level": ("a8", "chess"),
    "step-back": ("a8", "chess"),
    "depth-first": ("g8", "chess"),
    "warnsdorff": ("a8", "chess"),
    "course": ("a0", "xiangqi"),
}


class Picture(NamedTuple):
    """A picture of the gallery."""

    #: returns the file
    draw: Callable[[], bytes]
    #: what it is, and how it is made
    caption: str
    #: what is to be seen, for those who cannot see it
    alt: str
    #: whether a page of the documentation shows it too
    in_docs: bool = False


def program(strategy: str) -> bytes:
    """Draw the tour of one of the five programs."""
    start, board = PROGRAMS[strategy]
    walk = tour(start, board, strategy=strategy)
    return walk.svg(path="arrows", title=f"{strategy}, from {start}").encode()


def closed_xiangqi(theme: str) -> bytes:
    """Draw a closed tour of the xiangqi board with its numbers."""
    walk = tour("a0", "xiangqi", closed=True)
    return walk.svg(numbers=True, theme=theme, title="A closed tour of the xiangqi board").encode()


def closed_50() -> bytes:
    """Draw a closed tour of 50 x 50."""
    return tour((0, 0), "50x50", closed=True).svg(title="A closed tour of 50 x 50").encode()


def holes() -> bytes:
    """Draw a closed tour of a board with a hole in its middle."""
    walk = tour(board=Board.ring(10, 4), closed=True)
    return walk.svg(title="A closed tour of a ring").encode()


def heat_map(board: str, theme: str) -> bytes:
    """Draw the five strategies compared."""
    return heat_maps(compare(board), theme=theme).encode()


def closed_moves() -> bytes:
    """Draw how often each move occurs in the closed tours of 7 x 8."""
    return move_map("7x8", edge_counts("7x8", closed=True)).encode()


def open_moves() -> bytes:
    """Draw how often each move occurs, and where they start, in the open tours of 6 x 6."""
    moves, starts = edge_counts("6x6"), end_counts("6x6")
    total = sum(starts.values()) // 2
    return move_map("6x6", moves, starts, total=total, theme="dark").encode()


def join() -> bytes:
    """Draw the closed tour of 6 x 12 that two closed tours of 6 x 6 were joined to."""
    walk = tour((0, 0), "6x12", closed=True)
    return walk.svg(numbers=True, title="Two tours of 6 x 6 joined to one of 6 x 12").encode()


def construction() -> bytes:
    """Draw a closed tour of 30 x 42."""
    return tour((0, 0), "30x42", closed=True).svg(title="A closed tour of 30 x 42").encode()


def moving() -> bytes:
    """Animate a tour of the xiangqi board."""
    out = io.BytesIO()
    animate(tour("a0", "xiangqi"), out, size=420)
    return out.getvalue()


def pixels() -> bytes:
    """Draw a tour of the chessboard in pixels."""
    return png(tour("a1", "chess"), numbers=True, theme="dark", size=640)


def _program(strategy: str) -> Picture:
    start, board = PROGRAMS[strategy]
    return Picture(
        lambda: program(strategy),
        f"The program `{strategy}` from {start}: "
        f'`tour("{start}", "{board}", strategy="{strategy}").svg(path="arrows")`',
        f"The tour of the {board} board that the strategy {strategy} finds from {start}, with an "
        "arrow on every move",
    )


PICTURES: dict[str, Picture] = {
    "xiangqi.gif": Picture(
        moving,
        'A tour of the xiangqi board, step by step: `tour("a0").save("xiangqi.gif")`, or '
        "`knighttour draw a0 -o xiangqi.gif`",
        "Animation: a knight walks over all ninety points of the xiangqi board, and its way is "
        "drawn behind it",
    ),
    "xiangqi-closed.svg": Picture(
        lambda: closed_xiangqi("light"),
        'A closed tour of the xiangqi board: `tour("a0", closed=True).svg(numbers=True)`',
        "A closed knight's tour of the xiangqi board, its ninety points numbered, in colours from "
        "violet to green",
    ),
    "xiangqi-closed-dark.svg": Picture(
        lambda: closed_xiangqi("dark"),
        'The same with `theme="dark"`',
        "The same closed tour of the xiangqi board on a dark ground",
    ),
    **{f"{name}.svg": _program(name) for name in PROGRAMS},
    "chess.png": Picture(
        pixels,
        "A tour of the chessboard in pixels: `knighttour draw a1 --board chess --numbers --theme "
        "dark -o chess.png`",
        "A knight's tour of the chessboard on a dark ground, its squares numbered from 1 to 64",
    ),
    "join.svg": Picture(
        join,
        "Two closed tours of 6 x 6 joined to one of 6 x 12 "
        '([how](../construction.md#the-join)): `tour((0, 0), "6x12", closed=True)`',
        "A closed tour of 6 x 12: it begins in the left half, walks the right half from 6 to 41, "
        "and ends in the left half",
        in_docs=True,
    ),
    "30x42-closed.svg": Picture(
        construction,
        'A closed tour of 30 x 42: `tour((0, 0), "30x42", closed=True)`',
        "A closed tour of 30 x 42 made of cells that look alike, coloured along the way",
        in_docs=True,
    ),
    "50x50-closed.svg": Picture(
        closed_50,
        "A closed tour of 50 x 50: `knighttour draw --board 50x50 --closed -o 50x50.svg`",
        "A closed tour of 50 x 50 as a fine web of lines, coloured along the way",
    ),
    "holes.svg": Picture(
        holes,
        "A closed tour of a ring: `tour(board=Board.ring(10, 4), closed=True)`",
        "A closed tour of a board of 10 x 10 squares with a hole of 2 x 2 in its middle",
    ),
    "compare-chess.svg": Picture(
        lambda: heat_map("chess", "light"),
        "Which starts succeed, and what they cost: `knighttour compare --board chess -o "
        "compare-chess.svg`",
        "Five maps of the chessboard, one a strategy: every square has the colour of the moves "
        "taken back from there, or a sign where the search got stuck",
    ),
    "compare-xiangqi-dark.svg": Picture(
        lambda: heat_map("xiangqi", "dark"),
        "The same for the xiangqi board, dark: `knighttour compare --theme dark -o "
        "compare-xiangqi.svg`",
        "Five maps of the xiangqi board, one a strategy, on a dark ground",
    ),
    "moves-7x8.svg": Picture(
        closed_moves,
        "In which part of the 34,524,432,316 closed tours of 7 x 8 each move occurs: `knighttour "
        "count --board 7x8 --closed --moves -o moves.svg`",
        "A line for every move of a board of 7 x 8 squares: dark and wide at the corners, whose "
        "moves occur in every closed tour, pale and thin in the middle",
        in_docs=True,
    ),
    "moves-6x6-open.svg": Picture(
        open_moves,
        "The same for the open tours of 6 x 6, the squares in the colours of how many tours start "
        "there: `knighttour count --board 6x6 --moves --theme dark -o moves.svg`",
        "A line for every move of a board of 6 x 6 squares on a dark ground, and the corners in "
        "the colour of the most frequent starts",
    ),
}


def page() -> str:
    """Return the page that shows every picture with its caption."""
    parts = [HEAD]
    parts += [f"{item.caption}\n\n![{item.alt}]({name})\n" for name, item in PICTURES.items()]
    return "\n".join(parts)


def main() -> int:
    """Make every picture and the page, and tell how large they are."""
    for name, item in PICTURES.items():
        data = item.draw()
        most = MOST_BYTES_IN_DOCS if item.in_docs else MOST_BYTES
        if len(data) > most:
            raise SystemExit(f"{name} would have {len(data)} bytes, more than {most}")
        (HERE / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
    (HERE / "README.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
