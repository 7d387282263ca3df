"""What every test may use: the engines that are here, and what the five programs did."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from knighttour._engine import BACKENDS, Engine, get_engine
from knighttour.errors import InvalidInputError

Square = tuple[int, int]

# A job in the background of a script ignores Ctrl-C, and so would every process that tests start.
# One under nohup ignores the end of its terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# How long an example takes says more about the machine than about the package.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

PROGRAMS = Path(__file__).parent / "data" / "programs"

#: What the digits of the files there mean, as (drow, dcol).
CODES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--default-engine",
        action="store_true",
        help="only tests that leave the engine to the default: the others name theirs and have run",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--default-engine"):
        return
    named = {"backend", "core", "engine", "both_engines"}
    left = [item for item in items if not named & set(getattr(item, "fixturenames", ()))]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(left)])
    items[:] = left


def available() -> list[str]:
    """Return the engines that this installation has."""
    names = []
    for name in BACKENDS:
        with contextlib.suppress(InvalidInputError):
            get_engine(name)
            names.append(name)
    return names


def installed() -> list[str]:
    """Return the engines to test: one if the environment insists on it, else all there are."""
    wanted = os.environ.get("KNIGHTTOUR_BACKEND") or "auto"
    return available() if wanted == "auto" else [wanted]


@pytest.fixture(params=installed())
def backend(request: pytest.FixtureRequest) -> str:
    """The name of an engine, for a call's ``backend=``."""
    return str(request.param)


@pytest.fixture
def core() -> str:
    """The compiled engine's name, for what only it can do, whatever the default is."""
    if "core" not in available():
        pytest.skip("this installation has no compiled core")
    return "core"


@pytest.fixture
def engine(backend: str) -> Engine:
    """An engine itself, for tests of the contract between front and engine."""
    return get_engine(backend)


@pytest.fixture(scope="session")
def both_engines() -> tuple[str, str]:
    """Both engines, for tests that compare them."""
    if available() != list(BACKENDS):
        pytest.skip("this installation has no compiled core")
    return BACKENDS


class Run(NamedTuple):
    """What a program did from one start."""

    #: tour, stuck, none (searched to the end), unknown (not finished), gave-up, claimed, endless
    result: str
    backtracks: int
    #: squares on its way, 0 where none is given
    visited: int
    #: the way, empty where none is given
    squares: list[Square]
    #: a further word of the file, such as what program 003 says
    remark: str


Runs = dict[Square, Run]


@cache
def read_programs(name: str) -> dict[str, Runs]:
    """Read one file of tests/data/programs: heading -> start -> run."""
    groups: dict[str, Runs] = {}
    for line in (PROGRAMS / f"{name}.txt").read_text("ascii").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("= "):
            runs = groups.setdefault(line[2:], {})
            continue
        where, result, *rest = line.split()
        row, col = map(int, where.split(","))
        backtracks, visited = map(int, rest[:2]) if rest else (0, 0)
        word = rest[2] if len(rest) > 2 else ""
        moves = word if word.isdecimal() else ""
        squares = [(row, col)] if moves else []
        for code in moves:
            drow, dcol = CODES[int(code)]
            squares.append((squares[-1][0] + drow, squares[-1][1] + dcol))
        runs[row, col] = Run(result, backtracks, visited, squares, "" if moves else word)
    return groups


@pytest.fixture(scope="session")
def programs() -> Callable[[str], dict[str, Runs]]:
    """The oracle: what the five programs did, read from tests/data/programs by file name."""
    return read_programs
