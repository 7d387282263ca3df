"""The command line: ``knighttour tour a0``, ``knighttour ask --lang zh``, and what else there is.

Results go to standard output, everything about them (what was found, what it cost, what went
wrong) to standard error. Exit codes: 0 yes, 1 failure, 2 bad input, 3 proved impossible, 4 gave
up, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Sequence

from .. import _engine
from .._version import __version__
from ..errors import InvalidInputError, KnightTourError, NoTourError, SearchLimitError
from . import animating, asking, checking, counting, drawing, finding, machine, puzzles

__all__ = ["main"]


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
    finding.add_tour(commands)
    finding.add_explain(commands)
    puzzles.add_complete(commands)
    puzzles.add_list(commands)
    asking.add_ask(commands)
    animating.add_animate(commands)
    drawing.add_draw(commands)
    drawing.add_compare(commands)
    checking.add_check(commands)
    checking.add_classify(commands)
    checking.add_convert(commands)
    counting.add_count(commands)
    counting.add_sample(commands)
    machine.add_bench(commands)
    machine.add_info(commands)
    return parser
