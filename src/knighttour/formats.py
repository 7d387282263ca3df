"""Writing tours to files: the ending says in what form.

``.txt`` is the numbered grid, ``.csv`` the same with commas, ``.json`` an object with the board,
the squares and the grid, ``.npy`` the step grid (first step 1) as ``numpy.load`` reads it, written
without numpy. ``.svg`` and ``.png`` are pictures, ``.gif``, ``.apng`` and ``.webp`` animations and
``.html`` a page that plays the tour, all in the default style (`Tour.svg`, `Tour.animate` and
`knighttour.drawing` have the options). Grids are written window by window, so that a file may be
larger than the memory. A file appears under its name only when all of it has been written.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from .errors import InvalidInputError
from .tours import Progress, Tour

__all__ = ["as_json", "check_ending", "npy_header", "replacing", "write"]

#: What writes a tour into an open file.
Writer: TypeAlias = Callable[[Tour, BinaryIO, Progress], None]

#: Squares of a window: 16 MiB of int32.
_WINDOW = 1 << 22


def write(tour: Tour, file: str | os.PathLike[str], progress: Progress | None = None) -> Path:
    """Write a tour to a file in the form that its ending names; see `Tour.save`."""
    target = Path(file)
    writer = check_ending(target)
    with replacing(target) as out:
        writer(tour, out, progress or _nobody)
    return target


def _nobody(done: int, total: int) -> None:
    """Nobody wants to know how far it is."""


def check_ending(file: str | os.PathLike[str]) -> Writer:
    """Return what writes files of this ending, before anything is computed.

    Raises:
        InvalidInputError: an ending that there is not.
    """
    ending = Path(file).suffix.lower()
    try:
        return _WRITERS[ending]
    except KeyError:
        raise InvalidInputError(
            f"cannot tell from {os.fspath(file)!r} what to write: use an ending of "
            f"{', '.join(_WRITERS)}"
        ) from None


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Open a new file beside `target` that takes its place when the block ends well.

    After an error or Ctrl-C the new file is gone and `target` is as it was.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise _about(target, error) from None
    try:
        with os.fdopen(handle, "w+b") as out:
            yield out
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # noqa: PTH101
        os.replace(name, target)  # noqa: PTH105
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        if isinstance(error, OSError):
            raise _about(target, error) from None
        raise


def _about(target: Path, error: OSError) -> OSError:
    """Return the error as one about the file that the caller named, not about its stand-in."""
    return OSError(error.errno, error.strerror, os.fspath(target))


def as_json(tour: Tour) -> str:
    """Return a tour as a JSON object of one line.

    >>> from knighttour import tour
    >>> as_json(tour((0, 0), board="3x4"))[:66]
    '{"rows": 3, "cols": 4, "closed": false, "start": [0, 0], "end": [1'
    """
    return json.dumps(
        {
            "rows": tour.board.rows,
            "cols": tour.board.cols,
            "closed": tour.closed,
            "start": tour.start,
            "end": tour.end,
            "method": tour.stats.method,
            "nodes": tour.stats.nodes,
            "backtracks": tour.stats.backtracks,
            "squares": tour.tolist(),
            "grid": tour.grid(),
        }
    )


def _windows(tour: Tour, progress: Progress, squares: int = _WINDOW) -> Iterator[memoryview]:
    """Yield the step numbers from 1 on, row by row, some million squares at a time."""
    total = tour.board.size
    itemsize = 4 if total < 2**31 else 8
    window = memoryview(bytearray(itemsize * min(squares, total)))
    window = window.cast("i" if itemsize == 4 else "q")
    for first in range(0, total, squares):
        part = window[: min(squares, total - first)]
        tour.fill_window(part, first)
        yield part
        progress(first + len(part), total)


def _rows(tour: Tour, progress: Progress) -> Iterator[list[int]]:
    """Yield the rows of the step grid."""
    cols = tour.board.cols
    for part in _windows(tour, progress, max(1, (1 << 16) // cols) * cols):
        numbers = part.tolist()
        for first in range(0, len(numbers), cols):
            yield numbers[first : first + cols]


def _write_txt(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    width = len(str(tour.board.size))
    for row in _rows(tour, progress):
        out.write((" ".join(str(step).rjust(width) for step in row) + "\n").encode("ascii"))


def _write_csv(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    for row in _rows(tour, progress):
        out.write((",".join(map(str, row)) + "\n").encode("ascii"))


def _write_json(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    out.write(f"{as_json(tour)}\n".encode("ascii"))
    progress(tour.board.size, tour.board.size)


def npy_header(rows: int, cols: int, itemsize: int) -> bytes:
    """Return the header of a ``.npy`` file (format 1.0) of native signed integers."""
    order = "<" if sys.byteorder == "little" else ">"
    text = f"{{'descr': '{order}i{itemsize}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    # Magic, version, length and text together fill a multiple of 64 bytes, with a line end last.
    padding = -(10 + len(text) + 1) % 64
    body = (text + " " * padding + "\n").encode("ascii")
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(body)) + body


def _write_npy(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    for number, window in enumerate(_windows(tour, progress)):
        if number == 0:
            out.write(npy_header(tour.board.rows, tour.board.cols, window.itemsize))
        out.write(window)


def _write_html(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    from .drawing.page import page

    out.write(page(tour).encode())
    progress(tour.board.size, tour.board.size)


def _write_svg(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    out.write(tour.svg().encode())
    progress(tour.board.size, tour.board.size)


def _write_png(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    from .drawing.raster import png

    out.write(png(tour))
    progress(tour.board.size, tour.board.size)


def _animation(kind: str) -> Writer:
    def write_animation(tour: Tour, out: BinaryIO, progress: Progress) -> None:
        from .drawing.raster import animate

        animate(tour, out, kind=kind)
        progress(tour.board.size, tour.board.size)

    return write_animation


_WRITERS: dict[str, Writer] = {
    ".txt": _write_txt,
    ".csv": _write_csv,
    ".json": _write_json,
    ".npy": _write_npy,
    ".html": _write_html,
    ".svg": _write_svg,
    ".png": _write_png,
    ".gif": _animation("gif"),
    ".apng": _animation("apng"),
    ".webp": _animation("webp"),
}
