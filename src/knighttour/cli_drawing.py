"""The commands that draw: ``knighttour draw`` and ``knighttour compare``.

The ending of ``-o`` says what is written: ``.svg`` and ``.png`` are pictures, ``.gif``, ``.apng``
and ``.webp`` animations. Whatever can be wrong with the options is found before anything is
computed, and a file appears only when all of it has been written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from .board import Board, as_board
from .drawing import colours, heatmap
from .drawing import svg as drawing
from .errors import DeadEndError, InvalidInputError, Square
from .formats import replacing
from .notation import RANKS
from .search import tour
from .strategies import STRATEGIES
from .tours import Tour

__all__ = ["add_compare", "add_draw"]

_PICTURES = (".svg", ".png")
_ANIMATIONS = (".gif", ".apng", ".webp")


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board",
        default="xiangqi",
        metavar="B",
        help="xiangqi, chess or ROWSxCOLS such as 8x8 (default: %(default)s)",
    )


# draw


def add_draw(commands: Any) -> None:
    """Add ``knighttour draw`` to the commands."""
    what = "draw a tour as a picture or an animation"
    parser: argparse.ArgumentParser = commands.add_parser(
        "draw", help=what, description=f"{what.capitalize()}.", allow_abbrev=False
    )
    parser.set_defaults(run=_run_draw)
    parser.add_argument(
        "start", nargs="?", metavar="START", help="first square: a name such as a0, or ROW,COL"
    )
    _add_board(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        required=True,
        help=f"a picture ({' '.join(_PICTURES)}) or an animation ({' '.join(_ANIMATIONS)})",
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
        default="line",
        metavar="P",
        help=f"{', '.join(drawing.PATH_STYLES)}, several joined with '+', or none "
        "(default: %(default)s)",
    )
    look.add_argument("--numbers", action="store_true", help="number the steps")
    look.add_argument("--base", type=int, default=1, metavar="N", help="the first number (1)")
    look.add_argument("--theme", choices=tuple(colours.THEMES), default="light")
    look.add_argument(
        "--colours",
        choices=(*colours.COLOUR_MAPS, "none"),
        default="viridis",
        help="from the start to the end (default: %(default)s)",
    )
    look.add_argument(
        "--labels",
        choices=("board", *drawing.LABELS, "none"),
        default="board",
        help="index: rows and columns from 0 (default: in the board's own style)",
    )
    look.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    look.add_argument("--size", type=int, metavar="PX", help="pixels of the longer side")
    look.add_argument("--title", metavar="T", help="the name of an SVG picture")
    moving = parser.add_argument_group("animations")
    moving.add_argument("--speed", type=float, metavar="S", help="steps a second")
    moving.add_argument("--every", type=int, metavar="K", help="a frame every K steps")


def _run_draw(options: argparse.Namespace) -> int:
    board = as_board(options.board)
    target = Path(options.output)
    ending = target.suffix.lower()
    if ending not in _PICTURES + _ANIMATIONS:
        raise InvalidInputError(
            f"cannot tell from {options.output!r} what to draw: use an ending of "
            f"{', '.join(_PICTURES + _ANIMATIONS)}"
        )
    if ending in _PICTURES and not (options.speed is None and options.every is None):
        raise InvalidInputError(
            f"--speed and --every are for animations: use an ending of {', '.join(_ANIMATIONS)}"
        )
    if ending != ".svg" and options.title is not None:
        raise InvalidInputError("--title is for .svg: pixels have no name")
    looks = {
        "path": options.path,
        "numbers": options.numbers,
        "base": options.base,
        "colour_map": None if options.colours == "none" else options.colours,
        "theme": options.theme,
        "labels": options.labels,
        "ranks": options.ranks,
        "size": options.size,
    }
    # An empty board in this style fails now where the tour would fail later.
    drawing.svg((), board, **looks)
    if ending != ".svg":
        from .drawing import raster

        raster.require(animation=ending in _ANIMATIONS)
    stuck: DeadEndError | None = None
    walk: Tour | list[Square] = []
    if not options.empty:
        try:
            walk = _find(board, options)
        except DeadEndError as error:
            walk, stuck = error.walk, error
    with replacing(target) as out:
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


def _find(board: Board, options: argparse.Namespace) -> Tour:
    from .cli import square_argument

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
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare", help=what, description=f"{what.capitalize()}.", allow_abbrev=False
    )
    parser.set_defaults(run=_run_compare)
    _add_board(parser)
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
    board = as_board(options.board)
    names = [name.strip() for name in options.strategies.split(",")]
    if options.output is not None:
        target = Path(options.output)
        if target.suffix.lower() not in _PICTURES:
            raise InvalidInputError(
                f"cannot tell from {options.output!r} what to draw: use an ending of "
                f"{', '.join(_PICTURES)}"
            )
        if target.suffix.lower() == ".png":
            from .drawing import raster

            raster.require(animation=False)
    results = heatmap.compare(board, names, max_nodes=options.max_nodes, backend=options.backend)
    if options.output is None:
        print(heatmap.table(results, ranks=options.ranks))
        return 0
    with replacing(target) as out:
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
