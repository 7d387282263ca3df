"""Timing the two engines against each other: what ``knighttour bench`` and the README show.

Each row is one call that a user could make, timed on both engines in turn in the same process; the
figure is the best of several runs, and the ratio is of the two bests. Absolute figures are of this
machine; the ratio travels better.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import NamedTuple

from ._engine import BACKENDS, get_engine
from ._version import __version__
from .board import as_board
from .errors import InvalidInputError
from .search import tour

__all__ = ["ROWS", "Row", "best_of", "machine", "measure", "table"]


class Row(NamedTuple):
    """One line of the table: seconds on each engine, None where there is no such engine."""

    what: str
    core: float | None
    pure: float


def _one_xiangqi(backend: str) -> None:
    tour((0, 0), backend=backend)


def _all_starts(board: str) -> Callable[[str], None]:
    squares = list(as_board(board).squares)

    def run(backend: str) -> None:
        for square in squares:
            tour(square, board, strategy="course", backend=backend)

    return run


def _fifty(backend: str) -> None:
    tour((0, 0), "50x50", backend=backend)


#: What is timed, by its name in the table.
ROWS: dict[str, Callable[[str], None]] = {
    "one xiangqi tour": _one_xiangqi,
    "all 90 xiangqi starts": _all_starts("xiangqi"),
    "all 64 chess starts": _all_starts("chess"),
    "one 50x50 tour": _fifty,
}


def best_of(call: Callable[[], object], runs: int) -> float:
    """Return the least wall time of several runs, in seconds; short calls are repeated in each."""
    call()
    began = perf_counter()
    call()
    once = perf_counter() - began
    repeat = max(1, min(1000, int(0.001 / max(once, 1e-9))))
    best = float("inf")
    for _ in range(runs):
        began = perf_counter()
        for _ in range(repeat):
            call()
        best = min(best, (perf_counter() - began) / repeat)
    return best


def measure(rows: Iterable[str] = ROWS, runs: int = 40) -> list[Row]:
    """Time rows of the table on every engine that is installed.

    Args:
        rows: names out of `ROWS`.
        runs: how often each is timed; the best counts.
    """
    measured = []
    for what in rows:
        seconds: dict[str, float | None] = {}
        for backend in BACKENDS:
            try:
                get_engine(backend)
            except InvalidInputError:
                seconds[backend] = None
                continue
            call = ROWS[what]
            seconds[backend] = best_of(lambda call=call, backend=backend: call(backend), runs)  # type: ignore[misc]
        pure = seconds["pure"]
        assert pure is not None
        measured.append(Row(what, seconds["core"], pure))
    return measured


def human_time(seconds: float | None) -> str:
    """Write a time with three digits and a unit.

    >>> human_time(0.00000314), human_time(0.0123), human_time(None)
    ('3.14 µs', '12.3 ms', '-')
    """
    if seconds is None:
        return "-"
    units = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
    unit = next((unit for unit, factor in units.items() if seconds >= factor), "ns")
    value = seconds / units[unit]
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} {unit}"


def ratio(row: Row) -> str:
    """Return how many times faster the core is."""
    return "-" if row.core is None else f"{row.pure / row.core:.0f}x"


def machine() -> str:
    """Return what was timed and on what, in one line."""
    return (
        f"knighttour {__version__}, {platform.python_implementation()} "
        f"{platform.python_version()}, {sys.platform} {platform.machine()}"
    )


def table(rows: list[Row]) -> str:
    """Return the rows as aligned text.

    >>> print(table([Row("one tour", 3e-6, 6e-5)]))
    what         core     pure  ratio
    one tour  3.00 µs  60.0 µs    20x
    """
    lines = [("what", "core", "pure", "ratio")]
    lines += [(row.what, human_time(row.core), human_time(row.pure), ratio(row)) for row in rows]
    widths = [max(len(line[col]) for line in lines) for col in range(4)]
    return "\n".join(
        "  ".join(
            text.ljust(width) if col == 0 else text.rjust(width)
            for col, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )
