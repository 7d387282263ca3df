"""A progress bar for long commands: rich's where it is installed, else one line, else nothing.

It is drawn on standard error, and only where that is a terminal: logs and pipes see nothing. An
update costs well under a microsecond when nothing is due to be drawn; at most ten are drawn a
second.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, TextIO

__all__ = ["progress"]

_INTERVAL = 0.1


@contextlib.contextmanager
def progress(
    label: str, total: int | None = None, *, stream: TextIO | None = None
) -> Iterator[Callable[[int], None]]:
    """Show how far a long computation is while the block runs.

    Args:
        label: what is being done, in a few words.
        total: how many units there are in all, None where nobody knows.
        stream: where to draw, None for standard error.

    Yields:
        `update(done)`, to be called with the number of units done so far, as often as you like.

    The line is removed when the block ends, by an error or Ctrl-C too.

    >>> with progress("counting", 3) as update:
    ...     for done in range(3):
    ...         update(done + 1)
    """
    out = sys.stderr if stream is None else stream
    if not _is_terminal(out):
        yield _ignore
        return
    bar = _rich_bar(label, total, out)
    if bar is None:
        bar = _plain_line(label, total, out)
    with bar as update:
        yield update


def _is_terminal(stream: TextIO | None) -> bool:
    # Under pythonw there is no standard error at all.
    return (
        stream is not None
        and stream.isatty()
        and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")
    )


def _ignore(done: int) -> None:
    """Show nothing."""


def _share(done: int, total: int) -> float:
    # Both may be far beyond what a float holds; Python divides them exactly all the same.
    return min(max(done / total, 0.0), 1.0) if total > 0 else 1.0


def _amount(done: int, total: int | None) -> str:
    return f"{done:,}" if total is None else f"{done:,}/{total:,}"


@contextlib.contextmanager
def _plain_line(label: str, total: int | None, out: TextIO) -> Iterator[Callable[[int], None]]:
    """Rewrite one line with a carriage return."""
    drawn, length = -1.0, 0

    def update(done: int) -> None:
        nonlocal drawn, length
        now = monotonic()
        if now - drawn < _INTERVAL and drawn >= 0:
            return
        drawn = now
        share = "" if total is None else f" {_share(done, total):4.0%}"
        line = f"{label}{share} ({_amount(done, total)})"
        line = line[: max(shutil.get_terminal_size().columns - 1, 1)]
        out.write("\r" + line.ljust(length))
        out.flush()
        length = len(line)

    try:
        yield update
    finally:
        if length:
            out.write("\r" + " " * length + "\r")
            out.flush()


def _rich_bar(
    label: str, total: int | None, out: TextIO
) -> contextlib.AbstractContextManager[Callable[[int], None]] | None:
    """Return rich's bar, None where rich is not installed."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        from rich.progress import TimeRemainingColumn as Remaining
    except ImportError:
        return None
    known = total is not None
    columns: list[Any] = [TextColumn("{task.description}", markup=False), BarColumn(bar_width=30)]
    columns += [TextColumn("{task.fields[amount]}", markup=False)]
    columns += [Remaining()] if known else [TimeElapsedColumn()]
    bar = Progress(
        *columns,
        console=Console(file=out),
        transient=True,
        refresh_per_second=1 / _INTERVAL,
        redirect_stdout=False,
        redirect_stderr=False,
    )

    @contextlib.contextmanager
    def run() -> Iterator[Callable[[int], None]]:
        # The bar measures the share done, so that a total of any number of digits will do.
        task = bar.add_task(label, total=1.0 if known else None, amount=_amount(0, total))
        drawn = -1.0

        def update(done: int) -> None:
            nonlocal drawn
            now = monotonic()
            if now - drawn < _INTERVAL and drawn >= 0:
                return
            drawn = now
            share = None if total is None else _share(done, total)
            bar.update(task, completed=share, amount=_amount(done, total))

        with bar:
            yield update

    return run()
