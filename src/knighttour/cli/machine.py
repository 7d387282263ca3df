"""``knighttour bench`` and ``knighttour info``: this machine and this installation."""

from __future__ import annotations

import argparse
import platform
from typing import Any

from .. import _engine, timing
from .._version import __version__
from ..errors import InvalidInputError
from .shared import add_command, whole_number

__all__ = ["add_bench", "add_info"]


def add_bench(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "bench", _run_bench, "time both engines on this machine, side by side"
    )
    parser.add_argument(
        "--runs",
        type=whole_number,
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


def add_info(commands: Any) -> None:
    """Add the command."""
    add_command(commands, "info", _run_info, "tell which version and which engine this is")


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
