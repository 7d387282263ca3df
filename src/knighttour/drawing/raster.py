"""Pictures and animations in pixels, rasterised from the same SVG as every other picture.

PNG needs resvg-py, animations need Pillow besides; both come with ``pip install
knighttour[image]``. Why resvg-py: it carries the resvg renderer whole, one wheel of a megabyte
each for Linux, macOS and Windows, and draws the same pixels on all of them. CairoSVG needs a cairo
library that pip cannot install, skia-python is twenty times as large and ignores much of SVG's
text. Text is drawn as strokes here (``text="outlines"``): no font is looked up, which would cost
25 ms a picture, and a system without Chinese fonts shows no boxes in the river.

An animation draws each piece of the walk once, on top of what has been drawn before, and hands
every frame on as soon as it is made: besides the walk it holds three pictures of one frame each,
however many frames there are. GIF and APNG are written frame by frame, each cropped to what has
changed; WebP goes through Pillow's encoder, which keeps only compressed frames.
"""

from __future__ import annotations

import io
import math
import os
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ..board import Board, BoardLike, SquareLike
from ..errors import InvalidInputError, KnightTourError, Square
from . import svg as drawing
from .walks import board_of, holes_of, is_closed, squares_of

if TYPE_CHECKING:
    from PIL import Image

    from ..answer import Tour

__all__ = ["FORMATS", "animate", "png", "rasterise", "require"]

#: What an animation can be written as.
FORMATS = ("gif", "apng", "webp")

#: The longer side of a picture, in pixels: as chosen, and at most.
_PNG_SIZE = 1000
_ANIMATION_SIZE = 480
_MAX_SIZE = 8192

#: An animation has about so many frames where `every` is not given, and lasts so many seconds.
_FRAMES = 150
_SECONDS = 15.0

#: An SVG of so many letters takes resvg long enough to be worth a process of its own.
_LONG = 12_000

#: What that process does.
_APART = """
import sys
from resvg_py import svg_to_bytes
source, target, width = sys.argv[1:]
picture = svg_to_bytes(svg_path=source, width=int(width) or None, skip_system_fonts=True)
with open(target, "wb") as file:
    file.write(bytes(picture))
"""

#: The longest frame that a GIF can hold, in hundredths of a second.
_LONGEST = 65_535

#: Browsers slow frames that are shorter than this down to a tenth of a second.
_SHORTEST = 0.02


def _missing(what: str) -> ImportError:
    return ImportError(f"pictures in pixels need {what}: pip install knighttour[image]")


def _resvg() -> Callable[..., bytes]:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise _missing("resvg-py") from None
    render: Callable[..., bytes] = svg_to_bytes
    return render


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise _missing("Pillow") from None
    return Image


def require(*, animation: bool) -> None:
    """Check that what draws pixels is installed, before anything is computed.

    Raises:
        ImportError: it is not; the text says how to install it.
    """
    _resvg()
    if animation:
        _pillow()


def rasterise(picture: str, *, width: int | None = None) -> bytes:
    """Return an SVG as a PNG.

    Args:
        picture: the text of an SVG, lettered with ``text="outlines"``; no font is looked up.
        width: pixels; None for the natural size of the picture.

    Raises:
        ImportError: resvg-py is not installed.
        KnightTourError: the picture cannot be rendered.

    >>> rasterise('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')[1:4]
    b'PNG'
    """
    render = _resvg()
    if len(picture) >= _LONG and _can_be_interrupted():
        return _rasterise_apart(picture, width)
    try:
        return bytes(render(svg_string=picture, width=width, skip_system_fonts=True))
    except ValueError as error:
        raise KnightTourError(f"the picture could not be rendered: {error}") from error


def _can_be_interrupted() -> bool:
    """Whether a signal would be heard here, and a Python is at hand to start once more."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and bool(sys.executable) and not getattr(sys, "frozen", False)


def _rasterise_apart(picture: str, width: int | None) -> bytes:
    """Rasterise in a process of its own: resvg hears no signal before its end, this does."""
    with tempfile.TemporaryDirectory(prefix="knighttour-") as folder:
        source, target = Path(folder, "picture.svg"), Path(folder, "picture.png")
        complaint = Path(folder, "error.txt")
        source.write_text(picture, encoding="utf-8")
        with complaint.open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, "-c", _APART, source, target, str(width or 0)],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
            try:
                # Not `wait`, which goes on waiting for a quarter of a second after Ctrl-C.
                while process.poll() is None:
                    sleep(0.005)
            finally:
                process.kill()
                process.wait()
        if process.returncode:
            lines = complaint.read_text(encoding="utf-8", errors="replace").splitlines()
            raise KnightTourError(
                f"the picture could not be rendered: {lines[-1] if lines else 'no memory?'}"
            )
        return target.read_bytes()


def png(
    walk: Tour | Iterable[SquareLike] = (),
    board: BoardLike | None = None,
    *,
    size: int | None = None,
    **options: Any,
) -> bytes:
    """Draw a board and a walk as a PNG.

    Args:
        walk: a tour, or squares in the order of visit; none for the empty board.
        board: the board, None for that of the tour.
        size: pixels of the longer side, 16 to 8192; None for 1000.
        options: as in `svg`.

    Raises:
        InvalidInputError: an option that there is not; see `svg`.
        ImportError: resvg-py is not installed (``pip install knighttour[image]``).

    A xiangqi tour takes about 0.1 seconds, a 1000x1000 tour about 3 seconds.

    >>> png([(0, 0), (1, 2)], "3x4", size=100)[1:4]
    b'PNG'
    """
    _resvg()
    options.setdefault("text", "outlines")
    return rasterise(drawing.svg(walk, board, size=_check_size(size, _PNG_SIZE), **options))


def _check_size(size: int | None, default: int) -> int:
    if size is None:
        return default
    if isinstance(size, bool) or not isinstance(size, int) or not 16 <= size <= _MAX_SIZE:
        raise InvalidInputError(
            f"size={size!r} is not a size: use a whole number of pixels from 16 to {_MAX_SIZE}"
        )
    return size


def animate(
    walk: Tour | Iterable[SquareLike],
    out: BinaryIO,
    board: BoardLike | None = None,
    *,
    kind: str = "gif",
    size: int | None = None,
    speed: float | None = None,
    every: int | None = None,
    hold: float = 2.0,
    loop: bool = True,
    path: str = "line",
    numbers: bool = False,
    base: int = 1,
    colour_map: str | None = "viridis",
    theme: str = "light",
    labels: str = "board",
    ranks: str | None = None,
    holes: Collection[Square] | None = None,
) -> int:
    """Draw a walk step by step and write it as an animation.

    Args:
        walk: a tour, or squares in the order of visit.
        out: a binary file to write to; it need not be seekable.
        board: the board, None for that of the tour.
        kind: ``"gif"``, ``"apng"`` or ``"webp"``.
        size: pixels of the longer side, 16 to 8192; None for 480.
        speed: steps a second; None for 6, or as many as make it last about 15 seconds.
        every: a frame every so many steps; None for 1, or as many as make about 150 frames.
        hold: seconds that the last picture stays.
        loop: begin again after that.
        path, numbers, base, colour_map, theme, labels, ranks, holes: as in `svg`.

    Returns:
        The number of frames written.

    Raises:
        InvalidInputError: an option that there is not, or frames shorter than 1/50 of a second,
            which viewers do not show as such.
        ImportError: resvg-py or Pillow is not installed (``pip install knighttour[image]``).

    A GIF of a xiangqi tour takes about 0.3 seconds. Memory does not grow with the number of frames.

    >>> animate([(0, 0), (1, 2), (2, 0)], io.BytesIO(), "3x4", size=100)
    3
    """
    require(animation=True)
    if kind not in FORMATS:
        raise InvalidInputError(f"kind={kind!r} is unknown: use {', '.join(map(repr, FORMATS))}")
    for option, flag in (("loop", loop), ("numbers", numbers)):
        if not isinstance(flag, bool):
            raise InvalidInputError(f"{option}={flag!r} is neither True nor False")
    size = _check_size(size, _ANIMATION_SIZE)
    place = board_of(walk, board)
    style = drawing.style_of(path, numbers, theme, colour_map, base, "outlines")
    drawing.check_drawable(place, style)
    gaps = holes_of(place, holes)
    squares = squares_of(walk, place, gaps)
    if not squares:
        raise InvalidInputError("an animation needs at least one square to walk on")
    pace = _pace(len(squares), speed, every, hold)
    film = _Film(place, squares, style, size, labels, ranks, gaps)
    times = pace.times(len(squares))
    writer = {"gif": _write_gif, "apng": _write_apng, "webp": _write_webp}[kind]
    writer(film, pace.every, times, loop, out)
    return len(times)


class _Pace(NamedTuple):
    """How fast an animation goes."""

    every: int
    speed: float
    hold: float

    def stops(self, total: int) -> Iterator[int]:
        """Yield how many squares each frame shows."""
        if total > 1:
            yield from range(1, total, self.every)
        yield total

    def times(self, total: int) -> list[int]:
        """Return for how many hundredths of a second each frame stays.

        The ends of the frames are rounded, not their lengths, so that errors do not add up.
        """
        shown = list(self.stops(total))
        ends = [round(100 * (stop - 1) / self.speed) for stop in shown]
        # A last piece of few steps is as short as they are, but not shorter than can be shown.
        times = [max(2, later - sooner) for sooner, later in pairwise(ends)]
        times.append(max(2, round(100 * self.hold)))
        if max(times) > _LONGEST:
            raise InvalidInputError(
                f"speed={self.speed:g} with every={self.every} means frames of "
                f"{max(times) / 100:g} seconds: at most {_LONGEST / 100:g} can be written"
            )
        return times


def _pace(total: int, speed: float | None, every: int | None, hold: float) -> _Pace:
    for option, value in (("speed", speed), ("hold", hold)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 601:
            raise InvalidInputError(f"{option}={value!r} is not a number from 0 to 600")
    if every is None:
        every = max(1, math.ceil((total - 1) / _FRAMES))
        if speed is not None:
            every = max(every, math.ceil(_SHORTEST * speed))
    elif isinstance(every, bool) or not isinstance(every, int) or every < 1:
        raise InvalidInputError(f"every={every!r} is not a number of steps: use 1 or more")
    if speed is None:
        speed = max(6.0, min(total / _SECONDS, every / _SHORTEST))
    if speed <= 0 or every / speed < _SHORTEST - 1e-9:
        raise InvalidInputError(
            f"speed={speed:g} with every={every} means frames shorter than {_SHORTEST} seconds, "
            "which viewers do not show as such: use a larger every"
            if speed > 0
            else f"speed={speed:g} would never end: use more than 0 steps a second"
        )
    return _Pace(every, speed, hold)


# Frames

Box = tuple[int, int, int, int]


class _Film:
    """The frames of a walk, one after the other."""

    def __init__(
        self,
        board: Board,
        squares: Sequence[Square],
        style: drawing.Style,
        size: int,
        labels: str,
        ranks: str | None,
        holes: Collection[Square],
    ) -> None:
        self.squares = squares
        theme = style.theme
        self.colours = sorted({theme.paper, theme.light, theme.dark, theme.ink, theme.accent})
        self._style = style
        self._picture = picture = drawing.lay_out(board, labels, ranks, size)
        self._scale = size / max(picture.width, picture.height)
        ground = drawing.draw_board(picture, theme, labels, ranks, holes, outlines=True)
        self._ground = drawing.document(picture, theme, ground, "", "", size)
        total = board.rows * board.cols - len(holes)
        closing = len(squares) == total and is_closed(squares, board)
        # The last frame is the picture that `svg` draws, whole.
        whole = [
            *ground,
            *drawing.draw_walk(picture, style, squares, closing=closing),
            *drawing.draw_ends(picture, style, squares),
        ]
        self._whole = drawing.document(picture, theme, whole, "", "", size)

    def last(self) -> Image.Image:
        """Return the last frame, which is the still picture."""
        return _open(rasterise(self._whole)).convert("RGB")

    def frames(self, every: int) -> Iterator[tuple[Image.Image, Box]]:
        """Yield every frame with the box that differs from the frame before.

        The picture is overwritten by the next one: whoever needs it longer takes a copy.
        """
        image_module = _pillow()
        from PIL import ImageChops

        style, squares = self._style, self.squares
        total = len(squares)
        lines = _open(rasterise(self._ground)).convert("RGBA")
        everything: Box = (0, 0, *lines.size)
        # Numbers and dots lie above all lines, those drawn later too.
        points = None
        if style.dots or style.numbers:
            points = image_module.new("RGBA", lines.size)
        shown = lines.copy()
        start = self._render(self._knight(squares[0], start=True), self._around(squares[:1]))
        before: Box | None = None
        newest = None
        for stop in range(1, total, every):
            # The piece begins on the square where the last one ended.
            first = max(0, stop - every - 1)
            piece = squares[first:stop]
            box = self._around(piece)
            for layer, image in (("path", lines), ("points", points)):
                body = drawing.draw_walk(
                    self._picture, style, piece, first=first, total=total, layers=(layer,)
                )
                if body and image is not None:
                    image.alpha_composite(self._render(body, box), box[:2])
            changed = _union(box, before)
            shown.paste(lines.crop(changed), changed[:2])
            if points is not None:
                shown.alpha_composite(points.crop(changed), changed[:2])
            frame = shown.copy()
            frame.alpha_composite(start, self._around(squares[:1])[:2])
            here = self._around(squares[stop - 1 : stop])
            if stop > 1:
                knight = self._knight(squares[stop - 1], start=False)
                frame.alpha_composite(self._render(knight, here), here[:2])
            changed = everything if before is None else _union(changed, here)
            newest = frame.convert("RGB")
            yield newest, changed
            before = here
        last = self.last()
        changes = everything
        if newest is not None:
            changes = ImageChops.difference(newest, last).getbbox() or (0, 0, 1, 1)
        yield last, changes

    def _around(self, squares: Sequence[Square]) -> Box:
        """Return the pixels that can be touched by drawing a walk on these squares."""
        picture, scale = self._picture, self._scale
        reach = max(0.6 * picture.cell, 1.5 * picture.mark)
        rows = [row for row, _ in squares]
        cols = [col for _, col in squares]
        width = max(1, round(picture.width * scale))
        height = max(1, round(picture.height * scale))
        return (
            max(0, math.floor((picture.x + min(cols) * picture.cell - reach) * scale)),
            max(0, math.floor((picture.y + min(rows) * picture.cell - reach) * scale)),
            min(width, math.ceil((picture.x + max(cols) * picture.cell + reach) * scale)),
            min(height, math.ceil((picture.y + max(rows) * picture.cell + reach) * scale)),
        )

    def _knight(self, square: Square, *, start: bool) -> list[str]:
        if start:
            return list(drawing.draw_ends(self._picture, self._style, [square]))
        return list(drawing.draw_here(self._picture, self._style, square))

    def _render(self, body: Iterable[str], box: Box) -> Image.Image:
        """Rasterise a part of the picture, with nothing behind it."""
        left, top, right, bottom = box
        scale = self._scale
        view = " ".join(f"{value / scale:.6f}" for value in (left, top, right - left, bottom - top))
        return _open(
            rasterise(
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{right - left}" '
                f'height="{bottom - top}" viewBox="{view}" preserveAspectRatio="none">'
                f"{''.join(body)}</svg>"
            )
        ).convert("RGBA")


def _open(data: bytes) -> Image.Image:
    image: Image.Image = _pillow().open(io.BytesIO(data))
    return image


def _union(box: Box, other: Box | None) -> Box:
    if other is None:
        return box
    return (
        min(box[0], other[0]),
        min(box[1], other[1]),
        max(box[2], other[2]),
        max(box[3], other[3]),
    )


# Files


def _write_gif(film: _Film, every: int, times: Sequence[int], loop: bool, out: BinaryIO) -> None:
    """Write a GIF89a with one palette, made from the last frame, which has nearly all colours."""
    from PIL import GifImagePlugin

    image_module = _pillow()
    last = film.last()
    # The marks are small but must keep their colours: these get places of their own.
    own = b"".join(bytes.fromhex(colour[1:]) for colour in film.colours)
    most = last.quantize(256 - len(film.colours), method=image_module.Quantize.MEDIANCUT)
    table = (own + bytes(most.getpalette() or ())).ljust(768, own[:1])[:768]
    palette = image_module.new("P", (1, 1))
    palette.putpalette(table)
    out.write(b"GIF89a" + struct.pack("<HHBBB", last.width, last.height, 0xF7, 0, 0) + table)
    if loop:
        out.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
    for (frame, box), time in zip(film.frames(every), times, strict=True):
        part = frame.crop(box).quantize(palette=palette, dither=image_module.Dither.NONE)
        out.write(b"\x21\xf9\x04\x04" + struct.pack("<H", time) + b"\0\0")
        for block in GifImagePlugin.getdata(part, box[:2]):
            out.write(block)
    out.write(b"\x3b")


def _write_apng(film: _Film, every: int, times: Sequence[int], loop: bool, out: BinaryIO) -> None:
    """Write an animated PNG, true colour: frames are the PNGs of their parts, regrouped."""

    def chunk(kind: bytes, data: bytes) -> None:
        out.write(struct.pack(">I", len(data)) + kind + data)
        out.write(struct.pack(">I", zlib.crc32(kind + data)))

    sequence = 0
    for number, ((frame, box), time) in enumerate(zip(film.frames(every), times, strict=True)):
        left, top, right, bottom = box
        part = io.BytesIO()
        frame.crop(box).save(part, "PNG")
        chunks = list(_png_chunks(part.getvalue()))
        if number == 0:
            out.write(b"\x89PNG\r\n\x1a\n")
            chunk(b"IHDR", chunks[0][1])
            chunk(b"acTL", struct.pack(">II", len(times), 0 if loop else 1))
        control = struct.pack(">IIIII", sequence, right - left, bottom - top, left, top)
        chunk(b"fcTL", control + struct.pack(">HHBB", time, 100, 0, 0))
        sequence += 1
        for kind, data in chunks:
            if kind != b"IDAT":
                continue
            if number == 0:
                chunk(kind, data)
            else:
                chunk(b"fdAT", struct.pack(">I", sequence) + data)
                sequence += 1
    chunk(b"IEND", b"")


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        yield data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        place += length + 12


def _write_webp(film: _Film, every: int, times: Sequence[int], loop: bool, out: BinaryIO) -> None:
    """Write a lossless animated WebP through Pillow, which asks for one frame after the other."""
    image_module = _pillow()
    frames = film.frames(every)

    newest, _ = next(frames)

    class Stream(image_module.Image):  # type: ignore[misc, name-defined]
        """An image whose frames are made when they are sought."""

        n_frames = len(times)

        def __init__(self) -> None:
            super().__init__()
            self._mode, self._size, self.im = newest.mode, newest.size, newest.im
            self.number = 0

        def seek(self, frame: int) -> None:
            # The encoder returns to the first frame at last, when nobody looks any more.
            if frame > self.number:
                made, _ = next(frames)
                self.im = made.im
                self.number = frame

        def tell(self) -> int:
            return self.number

    stream = Stream()
    stream.save(
        out,
        "WEBP",
        save_all=True,
        lossless=True,
        duration=[10 * time for time in times],
        loop=0 if loop else 1,
    )
