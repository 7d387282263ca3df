"""The commands that draw: ``knighttour draw`` and ``knighttour compare``.

The ending of ``-o`` says what is written: ``.svg`` and ``.png`` are pictures, ``.gif``, ``.apng``
and ``.webp`` animations, ``.html`` is a page that plays the tour. Whatever can be wrong with the
options is found before anything is computed, and a file appears only when all of it has been
written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..answer import Tour
from ..board import Board
from ..drawing import colours, heatmap
from ..drawing import page as pages
from ..drawing import svg as drawing
from ..errors import DeadEndError, InvalidInputError, Square
from ..files import replacing
from ..notation import RANKS
from ..search import tour
from ..strategies import STRATEGIES
from .shared import add_board, add_command, board_of, square_argument

__all__ = ["add_compare", "add_draw"]

_PICTURES = (".svg", ".png")
_ANIMATIONS = (".gif", ".apng", ".webp")
_PAGE = ".html"

#: Options of `draw` for everything but pages, with what they are when nobody gives them.
_LOOKS: dict[str, Any] = {
    "path": "line",
    "numbers": False,
    "base": 1,
    "colours": "viridis",
    "labels": "board",
    "size": None,
}


# draw


def add_draw(commands: Any) -> None:
    """Add ``knighttour draw`` to the commands."""
    what = "draw a tour as a picture, an animation or a page"
    parser = add_command(commands, "draw", _run_draw, what)
    parser.add_argument(
        "start", nargs="?", metavar="START", help="first square: a name such as a0, or ROW,COL"
    )
    add_board(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        required=True,
        help=f"a picture ({' '.join(_PICTURES)}), an animation ({' '.join(_ANIMATIONS)}) or a page "
        f"that plays the tour ({_PAGE})",
    )
    parser.add_argument("--empty", action="store_true", help="the board without a tour")
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="return to the start by a move")
    parser.add_argument(
        "--strategy",
        metavar="S",
        help=f"run exactly one published search: {', '.join(STRATEGIES)}; where it gets stuck, "
        "its partial walk is drawn",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="another tour, reproducible")
    parser.add_argument("--max-nodes", type=int, metavar="N", help="give up after N squares")
    parser.add_argument("--timeout", type=float, metavar="S", help="give up after S seconds")
    look = parser.add_argument_group("how it looks")
    look.add_argument(
        "--path",
        default=_LOOKS["path"],
        metavar="P",
        help=f"{', '.join(drawing.PATH_STYLES)}, several joined with '+', or none "
        "(default: %(default)s)",
    )
    look.add_argument("--numbers", action="store_true", help="number the steps")
    look.add_argument(
        "--base", type=int, default=_LOOKS["base"], metavar="N", help="the first number (1)"
    )
    look.add_argument(
        "--theme",
        choices=(*colours.THEMES, "auto"),
        help="default: light; of a page: auto, what its reader prefers",
    )
    look.add_argument(
        "--colours",
        choices=(*colours.COLOUR_MAPS, "none"),
        default=_LOOKS["colours"],
        help="from the start to the end (default: %(default)s)",
    )
    look.add_argument(
        "--labels",
        choices=("board", *drawing.LABELS, "none"),
        default=_LOOKS["labels"],
        help="index: rows and columns from 0 (default: in the board's own style)",
    )
    look.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    look.add_argument("--size", type=int, metavar="PX", help="pixels of the longer side")
    look.add_argument("--title", metavar="T", help="the name of an SVG picture or of a page")
    moving = parser.add_argument_group("animations")
    moving.add_argument("--speed", type=float, metavar="S", help="steps a second; of pages too")
    moving.add_argument("--every", type=int, metavar="K", help="a frame every K steps")
    parser.add_argument(
        "--lang", choices=tuple(pages.LANGUAGES), help="language of a page at first (default: en)"
    )


def _run_draw(options: argparse.Namespace) -> int:
    board = board_of(options, getattr(options, "start", None))
    target = Path(options.output)
    ending = target.suffix.lower()
    if ending not in (*_PICTURES, *_ANIMATIONS, _PAGE):
        raise InvalidInputError(
            f"cannot tell from {options.output!r} what to draw: use an ending of "
            f"{', '.join((*_PICTURES, *_ANIMATIONS, _PAGE))}"
        )
    if ending == _PAGE:
        return _run_page(board, target, options)
    if ending in _PICTURES and not (options.speed is None and options.every is None):
        raise InvalidInputError(
            "--speed and --every are for animations: use an ending of "
            f"{', '.join(_ANIMATIONS)}, or {_PAGE} with --speed"
        )
    if ending != ".svg" and options.title is not None:
        raise InvalidInputError(f"--title is for .svg and {_PAGE}: pixels have no name")
    if options.lang is not None:
        raise InvalidInputError(f"--lang is for {_PAGE}: a picture has a --title")
    looks = {
        "path": options.path,
        "numbers": options.numbers,
        "base": options.base,
        "colour_map": None if options.colours == "none" else options.colours,
        "theme": options.theme or "light",
        "labels": options.labels,
        "ranks": options.ranks,
        "size": options.size,
    }
    # An empty board in this style fails now where the tour would fail later.
    drawing.svg((), board, **looks)
    from ..drawing import raster

    if ending != ".svg":
        raster.require(animation=ending in _ANIMATIONS)
    # The file is opened first, so that a long search does not end in a path that is none.
    with replacing(target) as out:
        walk, stuck = ([], None) if options.empty else _find(board, options)
        if ending == ".svg":
            out.write(drawing.svg(walk, board, title=options.title, **looks).encode())
        elif ending == ".png":
            out.write(raster.png(walk, board, **looks))
        else:
            raster.animate(
                walk,
                out,
                board,
                kind=ending[1:],
                speed=options.speed,
                every=options.every,
                **looks,
            )
    if stuck is not None:
        raise stuck
    return 0


def _run_page(board: Board, target: Path, options: argparse.Namespace) -> int:
    given = [name for name, value in _LOOKS.items() if getattr(options, name) != value]
    if options.every is not None:
        given.append("every")
    if given:
        names = " and ".join(f"--{name}" for name in given)
        raise InvalidInputError(f"{names}: not for {_PAGE}, whose page shows every step as it is")
    if options.empty:
        raise InvalidInputError(f"--empty is for pictures: a page ({_PAGE}) plays a tour")
    looks = {
        "lang": options.lang or "en",
        "theme": options.theme or "auto",
        "title": options.title,
        "speed": options.speed,
        "ranks": options.ranks,
    }
    # A page of the first square in this style fails now where that of the tour would fail later.
    pages.page([(0, 0)], board, **looks)
    with replacing(target) as out:
        walk, stuck = _find(board, options)
        out.write(pages.page(walk, board, **looks).encode())
    if stuck is not None:
        raise stuck
    return 0


def _find(
    board: Board, options: argparse.Namespace
) -> tuple[Tour | list[Square], DeadEndError | None]:
    """Return a tour, or how far it came with the error that says so."""
    try:
        return _tour(board, options), None
    except DeadEndError as error:
        return error.walk, error


def _tour(board: Board, options: argparse.Namespace) -> Tour:
    return tour(
        square_argument(board, options.start, options.ranks),
        board,
        end=square_argument(board, options.end, options.ranks),
        closed=options.closed,
        strategy=options.strategy,
        seed=options.seed,
        max_nodes=options.max_nodes,
        timeout=options.timeout,
        backend=options.backend,
    )


# compare


def add_compare(commands: Any) -> None:
    """Add ``knighttour compare`` to the commands."""
    what = "run strategies from every square, and draw which succeed at what cost"
    parser = add_command(commands, "compare", _run_compare, what)
    add_board(parser)
    parser.add_argument(
        "--strategies",
        metavar="A,B",
        default=",".join(STRATEGIES),
        help="names joined with commas (default: all: %(default)s)",
    )
    parser.add_argument(
        "--max-nodes",
        type=int,
        metavar="N",
        help="give a start up after so many squares placed (default: 100000, more on large boards)",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="draw heat maps: .svg or .png")
    parser.add_argument("--theme", choices=tuple(colours.THEMES), default="light")
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")


def _run_compare(options: argparse.Namespace) -> int:
    board = board_of(options, getattr(options, "start", None))
    names = [name.strip() for name in options.strategies.split(",")]

    def compared() -> list[heatmap.Comparison]:
        return heatmap.compare(board, names, max_nodes=options.max_nodes, backend=options.backend)

    if options.output is None:
        print(heatmap.table(compared(), ranks=options.ranks))
        return 0
    target = Path(options.output)
    if target.suffix.lower() not in _PICTURES:
        raise InvalidInputError(
            f"cannot tell from {options.output!r} what to draw: use an ending of "
            f"{', '.join(_PICTURES)}"
        )
    from ..drawing import raster

    if target.suffix.lower() == ".png":
        raster.require(animation=False)
    with replacing(target) as out:
        results = compared()
        if target.suffix.lower() == ".svg":
            picture = heatmap.heat_maps(results, theme=options.theme, ranks=options.ranks)
            out.write(picture.encode())
        else:
            picture = heatmap.heat_maps(
                results, theme=options.theme, ranks=options.ranks, text="outlines"
            )
            out.write(raster.rasterise(picture))
    print(heatmap.summary(results), file=sys.stderr)
    return 0
