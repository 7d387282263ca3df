"""Draw the gallery: ``python docs/gallery/make.py`` writes every picture beside this file.

All pictures come from the public calls of the package, with fixed starts, so that they are the same
on every system. A picture that this version cannot make (a shape that it does not know yet) is
named and left out. None may be larger than 300 kB.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from knighttour import KnightTourError, tour
from knighttour.drawing.heatmap import compare, heat_maps
from knighttour.drawing.raster import animate, png
from knighttour.drawing.svg import svg

HERE = Path(__file__).parent
MOST_BYTES = 300_000

#: The five programs on the boards that they were written for.
PROGRAMS = {
    "access-level": ("a8", "chess"),
    "step-back": ("a8", "chess"),
    "depth-first": ("g8", "chess"),
    "warnsdorff": ("a8", "chess"),
    "course": ("a0", "xiangqi"),
}


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
    """Draw a tour of a board that is not a rectangle: 3 x 3 without its centre, a ring."""
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)]
    return svg(
        ring, "3x3", holes=[(1, 1)], path="arrows", title="A closed tour around a hole"
    ).encode()


def heat_map(board: str, theme: str) -> bytes:
    """Draw the five strategies compared."""
    return heat_maps(compare(board), theme=theme).encode()


def moving() -> bytes:
    """Animate a tour of the xiangqi board."""
    import io

    out = io.BytesIO()
    animate(tour("a0", "xiangqi"), out, size=420)
    return out.getvalue()


def pixels() -> bytes:
    """Draw a tour of the chessboard in pixels."""
    return png(tour("a1", "chess"), numbers=True, theme="dark", size=640)


PICTURES: dict[str, Callable[[], bytes]] = {
    **{f"{name}.svg": lambda name=name: program(name) for name in PROGRAMS},
    "xiangqi-closed.svg": lambda: closed_xiangqi("light"),
    "xiangqi-closed-dark.svg": lambda: closed_xiangqi("dark"),
    "50x50-closed.svg": closed_50,
    "holes.svg": holes,
    "compare-chess.svg": lambda: heat_map("chess", "light"),
    "compare-xiangqi-dark.svg": lambda: heat_map("xiangqi", "dark"),
    "xiangqi.gif": moving,
    "chess.png": pixels,
}


def main() -> int:
    """Make every picture, and tell how large it is."""
    missing = 0
    for name, draw in PICTURES.items():
        try:
            data = draw()
        except (KnightTourError, NotImplementedError) as error:
            print(f"{name}: left out: {type(error).__name__} {error}", file=sys.stderr)
            missing += 1
            continue
        if len(data) > MOST_BYTES:
            raise SystemExit(f"{name} would have {len(data)} bytes, more than {MOST_BYTES}")
        (HERE / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
    return min(missing, 1)


if __name__ == "__main__":
    sys.exit(main())
