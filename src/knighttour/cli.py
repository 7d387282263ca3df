"""The command line: ``knighttour tour a0``, ``knighttour ask --lang zh``, and what else there is.

Results go to standard output, everything about them (what was found, what it cost, what went
wrong) to standard error. Exit codes: 0 yes, 1 failure, 2 bad input, 3 proved impossible, 4 gave
up, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import re
import sys
from collections.abc import Sequence
from typing import Any

from . import (
    _engine,
    cli_analysis,
    cli_animate,
    cli_counting,
    cli_drawing,
    cli_shapes,
    dialogue,
    timing,
)
from ._version import __version__
from .answer import Tour
from .board import Board
from .drawing import text
from .errors import (
    DeadEndError,
    InvalidInputError,
    KnightTourError,
    NoTourError,
    SearchLimitError,
    Square,
)
from .existence import exists, explain
from .formats import as_json, check_ending
from .notation import RANKS
from .progress import progress
from .search import tour
from .strategies import STRATEGIES, as_strategy

__all__ = ["main"]

STYLES = ("grid", "board", "list", "names", "json", "levels")

#: A board of more squares is not printed.
_MAX_PRINT = 250_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: the words after the command, None for those of the process.
    """
    _survive_encodings()
    parser = _parser()
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parser.parse_args([_as_value(word) for word in words])
        if options.backend is not None:
            _engine.get_engine(options.backend)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except InvalidInputError as error:
        return _complain(error, 2)
    except NoTourError as error:
        return _complain(f"no tour ({error.reason}): {error}\n  source: {error.source}", 3)
    except SearchLimitError as error:
        return _complain(error, 4)
    except BrokenPipeError:
        # Whoever read our output has seen enough; say nothing more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KnightTourError, OSError, ImportError) as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)


def _survive_encodings() -> None:
    """Never fail on a character that the terminal's encoding lacks, written or typed."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


_NEGATIVE = re.compile(r"-[0-9]+\s*[,xX×*].*")


def _as_value(word: str) -> str:
    """Keep argparse from taking ``-1,0`` or ``-1x8`` for options: they are refused as values."""
    return f" {word}" if _NEGATIVE.fullmatch(word) else word


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds >= 0") from None


def _complain(what: object, code: int) -> int:
    print(f"knighttour: {what}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="knighttour",
        description="Knight's tours of the xiangqi board, the chessboard and every rectangle.",
        epilog="Exit codes: 0 yes, 1 failure, 2 bad input, 3 proved impossible, 4 gave up, "
        "130 interrupted.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"knighttour {__version__}")
    parser.add_argument(
        "--backend",
        choices=_engine.BACKENDS,
        help="compute on the compiled core or in pure Python (default: what there is)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_tour(commands)
    _add_explain(commands)
    cli_shapes.add_commands(commands, _add_command, _add_board, square_argument)
    _add_ask(commands)
    cli_animate.add_animate(commands)
    cli_drawing.add_draw(commands)
    cli_drawing.add_compare(commands)
    cli_analysis.add_check(commands)
    cli_analysis.add_classify(commands)
    cli_analysis.add_convert(commands)
    cli_counting.add_count(commands)
    cli_counting.add_sample(commands)
    _add_bench(commands)
    _add_info(commands)
    return parser


def _add_command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board",
        default="xiangqi",
        type=str.strip,
        metavar="B",
        help="xiangqi, chess or ROWSxCOLS such as 8x8 (default: %(default)s)",
    )
    cli_shapes.add_options(parser)


def square_argument(board: Board, words: str | None, ranks: str | None) -> Square | None:
    """Read a square of the command line: a name such as ``a0``, or ``ROW,COL`` counted from 0."""
    if words is None:
        return None
    words = words.strip()
    row, comma, col = words.partition(",")
    if not comma:
        return board.square(words, ranks=ranks)
    try:
        pair = (int(row), int(col))
    except ValueError:
        raise InvalidInputError(
            f"{words!r} is not a square: use a name such as "
            f"{board.name((board.rows - 1, 0), ranks=ranks)}, or ROW,COL counted from 0"
        ) from None
    return board.check_square(pair)


# tour


def _add_tour(commands: Any) -> None:
    parser = _add_command(commands, "tour", _run_tour, "find a tour and print it")
    parser.add_argument(
        "start", nargs="?", metavar="START", help="first square: a name such as a0, or ROW,COL"
    )
    _add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="return to the start by a move")
    parser.add_argument(
        "--strategy",
        metavar="S",
        help=f"run exactly one published search: {', '.join(STRATEGIES)}",
    )
    parser.add_argument(
        "--seed", type=_whole_number, metavar="N", help="another tour, reproducible"
    )
    parser.add_argument(
        "--max-nodes", type=_whole_number, metavar="N", help="give up after N squares"
    )
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="give up after S seconds")
    parser.add_argument(
        "--style",
        choices=STYLES,
        default="grid",
        help="grid: step numbers; board: the same with lines; list: numbered steps; names: names "
        "of squares; json; levels: the tables and the running total of program 000 "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--at", type=_whole_number, metavar="K", help="print only the K-th square, from 1"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="write .txt .csv .json .npy .html .svg .png .gif .apng .webp",
    )
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    parser.add_argument(
        "--lang", choices=("en", "zh"), default="en", help="language of --style list"
    )
    parser.add_argument("--ascii", action="store_true", help="no box-drawing characters")


def _run_tour(options: argparse.Namespace) -> int:
    board = cli_shapes.board_of(options, options.start)
    if options.output is not None:
        if options.at is not None:
            raise InvalidInputError(
                "--at prints one square and -o writes the tour: use one of them"
            )
        check_ending(options.output)
    elif options.at is None and board.size > _MAX_PRINT:
        raise InvalidInputError(
            f"a tour of {board} has {board.size} squares, too many to print: ask for one square "
            "with --at K, or write a file with -o FILE"
        )
    if options.at is not None and not 1 <= options.at <= board.size:
        raise InvalidInputError(
            f"--at {options.at} is not a step of {board}: use 1 to {board.size}"
        )
    start = square_argument(board, options.start, options.ranks)
    try:
        found = tour(
            start,
            board,
            end=square_argument(board, options.end, options.ranks),
            closed=options.closed,
            strategy=options.strategy,
            seed=options.seed,
            max_nodes=options.max_nodes,
            timeout=options.timeout,
            backend=options.backend,
        )
    except DeadEndError as error:
        if options.style != "json" and options.output is None and options.at is None:
            print(_styled(error.walk, board, options))
        raise
    stats = found.stats
    if options.at is not None:
        row, col = square = found[options.at - 1]
        print(f"{board.name(square, ranks=options.ranks)} ({row},{col})")
    elif options.output is not None:
        with progress(f"writing {options.output}", board.size) as update:
            found.save(options.output, lambda done, _: update(done))
    elif options.style == "json":
        print(as_json(found))
    else:
        print(_styled(found, board, options))
    kind = "closed" if found.closed else "open"
    print(
        f"{kind} tour of {board} by {stats.method}: {stats.nodes} nodes, {stats.backtracks} "
        f"backtracks, {timing.human_time(stats.seconds)} ({options.backend or _engine.BACKEND})",
        file=sys.stderr,
    )
    return 0


def _styled(walk: Tour | list[Square], board: Board, options: argparse.Namespace) -> str:
    """Return a whole or partial walk in one of the styles that can show both."""
    if options.style == "list":
        return text.step_list(walk, lang=options.lang)
    if options.style == "names":
        return " ".join(board.name(square, ranks=options.ranks) for square in walk)
    if options.style == "levels":
        rule = as_strategy(options.strategy or "access-level")
        row, col = walk[0]
        return (
            f"{text.level_tables(board, rule.order)}\n\n"
            f"from row[{row}],column[{col}]:\n\n{text.running_total(walk)}"
        )
    if options.style == "board":
        return text.board_picture(walk, board, ascii_only=options.ascii, ranks=options.ranks)
    return text.numbered_grid(walk, board, labels=True, ranks=options.ranks)


# explain


def _add_explain(commands: Any) -> None:
    parser = _add_command(
        commands, "explain", _run_explain, "say whether there is a tour, why, and who proved it"
    )
    parser.add_argument("start", nargs="?", metavar="START", help="first square (default: any)")
    _add_board(parser)
    parser.add_argument("--end", metavar="E", help="last square (default: any)")
    parser.add_argument("--closed", action="store_true", help="a tour that returns to its start")
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")


def _run_explain(options: argparse.Namespace) -> int:
    board = cli_shapes.board_of(options, options.start)
    question: dict[str, Any] = {
        "start": square_argument(board, options.start, options.ranks),
        "end": square_argument(board, options.end, options.ranks),
        "closed": options.closed,
        "backend": options.backend,
    }
    print(explain(board, **question))
    return 0 if exists(board, **question) else 3


# ask


def _add_ask(commands: Any) -> None:
    parser = _add_command(
        commands, "ask", _run_ask, "ask for a point and show the way from it, as program 004 did"
    )
    _add_board(parser)
    parser.add_argument(
        "--lang", choices=tuple(dialogue.LANGUAGES), default="en", help="default: %(default)s"
    )


def _run_ask(options: argparse.Namespace) -> int:
    board = cli_shapes.board_of(options)
    if board.size > _MAX_PRINT:
        raise InvalidInputError(
            f"the way round {board} has {board.size} points, too many to show: use a board of at "
            f"most {_MAX_PRINT}"
        )
    dialogue.ask(
        board, lang=options.lang, read=sys.stdin, write=sys.stdout, backend=options.backend
    )
    return 0


# bench and info


def _add_bench(commands: Any) -> None:
    parser = _add_command(
        commands, "bench", _run_bench, "time both engines on this machine, side by side"
    )
    parser.add_argument(
        "--runs",
        type=_whole_number,
        default=40,
        metavar="N",
        help="runs a row; the best counts (40)",
    )


def _run_bench(options: argparse.Namespace) -> int:
    if options.runs < 1:
        raise InvalidInputError(f"--runs {options.runs} is not a number of runs: use 1 or more")
    print(f"{timing.machine()}; best of {options.runs}")
    print(timing.table(timing.measure(runs=options.runs)))
    return 0


def _add_info(commands: Any) -> None:
    _add_command(commands, "info", _run_info, "tell which version and which engine this is")


def _run_info(options: argparse.Namespace) -> int:
    print(f"knighttour {__version__}")
    print(f"backend: {options.backend or _engine.BACKEND}")
    try:
        core = _engine.get_engine("core").core.__file__
    except InvalidInputError:
        core = "none (pure Python only)"
    print(f"compiled core: {core}")
    print(f"python: {platform.python_implementation()} {platform.python_version()}")
    print(f"platform: {platform.platform()}")
    return 0
