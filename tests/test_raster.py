"""Pixels are looked at: colours where the squares are, frames that show what has been walked."""

import io
import struct
import sys
import zlib

import pytest

from knighttour import InvalidInputError, KnightTourError, Strategy, tour
from knighttour.board import as_board
from knighttour.cli import main
from knighttour.drawing import colours, raster
from knighttour.drawing import svg as drawing

pytest.importorskip("resvg_py", reason="pictures in pixels need knighttour[image]")
Image = pytest.importorskip("PIL.Image", reason="animations need knighttour[image]")
ImageChops = pytest.importorskip("PIL.ImageChops")

SIGNATURES = {
    ".svg": (0, b"<svg "),
    ".png": (0, b"\x89PNG\r\n\x1a\n"),
    ".apng": (0, b"\x89PNG\r\n\x1a\n"),
    ".gif": (0, b"GIF89a"),
    ".webp": (8, b"WEBPVP8X"),
}


def found(start, board, strategy="course"):
    return tour(start, board, strategy=strategy)


def opened(data):
    return Image.open(io.BytesIO(data))


def animation(walk, board=None, **options):
    out = io.BytesIO()
    count = raster.animate(walk, out, board, **options)
    image = opened(out.getvalue())
    assert image.n_frames == count
    return image


def pixels_of(board, size, labels="board", ranks=None):
    """Return the pixel at the centre of a square."""
    picture = drawing.lay_out(board, labels, ranks, size)
    scale = size / max(picture.width, picture.height)

    def place(square):
        row, col = square
        return (
            int((picture.x + col * picture.cell) * scale),
            int((picture.y + row * picture.cell) * scale),
        )

    return place


def rgb(colour):
    return tuple(bytes.fromhex(colour[1:]))


def is_near(pixel, colour, tolerance=3):
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, colour, strict=True))


@pytest.mark.parametrize("board", ["3x4", "4x3", "chess", "xiangqi", "12x30"])
@pytest.mark.parametrize("theme", colours.THEMES)
def test_dots_have_their_colours_on_their_squares(board, theme):
    walk = found((0, 0), board, "step-back")
    image = opened(raster.png(walk, path="dots", theme=theme, size=600, ends=False)).convert("RGB")
    assert max(image.size) == 600
    place = pixels_of(walk.board, 600)
    low, high = colours.THEMES[theme].span
    anchors = colours.COLOUR_MAPS["viridis"]
    shades = min(64, len(walk) - 1)
    for step, square in enumerate(walk):
        index = max(0, step - 1) * shades // (len(walk) - 1)
        shade = colours.colour_at(anchors, low + (high - low) * index / (shades - 1))
        assert is_near(image.getpixel(place(square)), rgb(shade)), (step, square)


def test_squares_have_the_colours_of_the_board():
    image = opened(raster.png((), "5x8", size=400)).convert("RGB")
    theme, place = colours.THEMES["light"], pixels_of(as_board("5x8"), 400)
    for row, col in as_board("5x8").squares:
        dark = (4 - row + col) % 2 == 0
        assert is_near(image.getpixel(place((row, col))), rgb(theme.dark if dark else theme.light))


def test_the_river_is_written_without_any_font():
    """All fonts are switched off in `rasterise`; boxes or nothing would fail here."""
    image = opened(raster.png((), "xiangqi", size=1000)).convert("L")
    place = pixels_of(as_board("xiangqi"), 1000)
    (left, top), (right, bottom) = place((4, 0)), place((5, 8))
    cell = (right - left) / 8
    shares = []
    for centre in (1.5, 2.5, 5.5, 6.5):
        middle = left + centre * cell
        box = (round(middle - 0.3 * cell), round((top + bottom) / 2 - 0.3 * cell))
        part = image.crop((*box, box[0] + round(0.6 * cell), box[1] + round(0.6 * cell)))
        dark = sum(part.histogram()[:190]) / (part.width * part.height)
        shares.append(round(dark, 3))
        assert 0.12 < dark < 0.45
        # An empty box has no ink in its middle third; these characters do.
        third = part.width // 3
        assert sum(part.crop((third, third, 2 * third, 2 * third)).histogram()[:190]) > 0
    assert len(set(shares)) == 4  # four different characters


def test_labels_are_written_without_any_font():
    with_labels = opened(raster.png((), "chess", size=400)).convert("L")
    place = pixels_of(as_board("chess"), 400)
    left = place((0, 0))[0] - 30
    strip = with_labels.crop((0, 0, max(4, left), 380))
    assert sum(strip.histogram()[:150]) > 100


# Animations


@pytest.mark.parametrize("kind", raster.FORMATS)
@pytest.mark.parametrize("board", ["3x4", "4x3", "chess", "xiangqi"])
def test_frame_k_shows_the_first_k_squares(kind, board):
    walk = found((0, 0), board)
    image = animation(walk, kind=kind, path="dots", size=400, labels="none")
    assert image.n_frames == len(walk)
    place = pixels_of(walk.board, 400, labels="none")
    empty = opened(raster.png((), walk.board, size=400, labels="none")).convert("RGB")
    theme = colours.THEMES["light"]
    for shown in (1, 2, len(walk) // 2, len(walk) - 1):
        image.seek(shown - 1)
        frame = image.convert("RGB")
        for step, square in enumerate(walk):
            pixel = frame.getpixel(place(square))
            if step >= shown:
                assert is_near(pixel, empty.getpixel(place(square)), 12), (shown, step)
            elif step == shown - 1 and step > 0:
                assert is_near(pixel, rgb(theme.accent), 12), (shown, step)
            else:
                assert not is_near(pixel, empty.getpixel(place(square)), 12) or step == 0


@pytest.mark.parametrize("kind", raster.FORMATS)
@pytest.mark.parametrize("options", [{}, {"path": "arrows", "numbers": True, "theme": "dark"}])
def test_the_last_frame_is_the_still_picture(kind, options):
    walk = tour((0, 0), "chess", strategy="warnsdorff")
    assert walk.closed
    image = animation(walk, kind=kind, size=360, **options)
    image.seek(image.n_frames - 1)
    still = opened(raster.png(walk, size=360, **options)).convert("RGB")
    difference = ImageChops.difference(image.convert("RGB"), still)
    most = max(high for _, high in difference.getextrema())
    if kind == "gif":  # 256 colours
        assert sum(difference.convert("L").histogram()[40:]) < 0.001 * still.width * still.height
    else:
        assert most == 0


@pytest.mark.parametrize("numbers", [False, True])
def test_drawing_piece_by_piece_gives_the_same_as_drawing_at_once(numbers):
    """Frames are built up from pieces; only the marks of the end may differ from the still."""
    walk = found((0, 0), "xiangqi")
    image = animation(walk, kind="apng", size=500, every=7, numbers=numbers, speed=7)
    image.seek(image.n_frames - 2)
    shown = list(range(1, len(walk), 7))[-1]
    frame = image.convert("RGB")
    at_once = opened(
        raster.rasterise(_still_of_a_piece(walk, shown, 500, numbers=numbers))
    ).convert("RGB")
    row, col = pixels_of(walk.board, 500)(walk[shown - 1])[::-1]
    for picture in (frame, at_once):  # where the knight stands
        picture.paste((0, 0, 0), (col - 28, row - 28, col + 28, row + 28))
    difference = ImageChops.difference(frame, at_once).convert("L")
    assert sum(difference.histogram()[24:]) < 0.002 * frame.width * frame.height


def _still_of_a_piece(walk, shown, size, *, numbers):
    style = drawing.style_of("line", numbers, "light", "viridis", 1, "outlines")
    picture = drawing.lay_out(walk.board, "board", None, size)
    body = drawing.draw_board(picture, style.theme, "board", None, (), True)
    body += drawing.draw_walk(picture, style, walk[:shown], total=len(walk))
    body += drawing.draw_ends(picture, style, walk[:1])
    return drawing.document(picture, style.theme, body, "", "", size)


@pytest.mark.parametrize(
    ("options", "frames", "milliseconds"),
    [
        ({"speed": 10}, 90, 8900 + 2000),
        ({"speed": 10, "every": 5}, 19, 8900 + 2000),
        ({"speed": 7, "hold": 0.5}, 90, 12710 + 500),
        ({"speed": 1, "every": 89}, 2, 89_000 + 2000),
        ({"speed": 1, "every": 1000}, 2, 89_000 + 2000),
        ({"speed": 50}, 90, 1780 + 2000),
        ({"speed": 400}, 13, 240 + 2000),
    ],
)
def test_speed_is_kept_and_rounding_does_not_add_up(options, frames, milliseconds):
    walk = found((0, 0), "xiangqi")
    image = animation(walk, size=64, labels="none", **options)
    assert image.n_frames == frames
    lengths = []
    for number in range(frames):
        image.seek(number)
        lengths.append(image.info["duration"])
    assert min(lengths) >= 20
    assert abs(sum(lengths) - milliseconds) <= 20


def test_large_boards_get_about_150_frames():
    walk = found((0, 0), "50x50", "step-back")
    image = animation(walk, size=120)
    assert 100 <= image.n_frames <= 151
    assert image.info["loop"] == 0


@pytest.mark.parametrize("kind", raster.FORMATS)
@pytest.mark.parametrize("loop", [True, False])
def test_animations_loop_or_not(kind, loop):
    image = animation(found((0, 0), "3x4"), kind=kind, size=64, loop=loop)
    if kind == "gif":
        assert ("loop" in image.info) is loop
    else:
        assert image.info["loop"] == (0 if loop else 1)


@pytest.mark.parametrize("kind", ["gif", "apng"])
def test_frames_are_written_as_soon_as_they_are_made(kind, monkeypatch):
    written = []
    out = io.BytesIO()
    plain = raster._Film.frames

    def watched(self, every):
        for frame in plain(self, every):
            written.append(out.tell())
            yield frame

    monkeypatch.setattr(raster._Film, "frames", watched)
    raster.animate(found((0, 0), "3x4"), out, kind=kind, size=100)
    assert len(written) == 12
    # Before each frame all frames before it have left.
    assert sorted(set(written)) == written


def test_webp_makes_one_frame_after_the_other(monkeypatch):
    """Of the frames made so far at most two are still alive."""
    import weakref

    alive = []
    most = 0
    plain = raster._Film.frames

    def watched(self, every):
        nonlocal most
        for frame, box in plain(self, every):
            alive.append(weakref.ref(frame))
            yield frame, box
            del frame
            most = max(most, sum(ref() is not None for ref in alive))

    monkeypatch.setattr(raster._Film, "frames", watched)
    raster.animate(found((0, 0), "xiangqi"), io.BytesIO(), kind="webp", size=100)
    assert len(alive) == 90
    assert most <= 3


def test_the_chunks_of_an_apng_are_as_its_specification_says():
    out = io.BytesIO()
    raster.animate(found((0, 0), "3x4"), out, kind="apng", size=100)
    data, place, chunks = out.getvalue(), 8, []
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", data, place + 8 + length)[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        place += 12 + length
    kinds = [kind for kind, _ in chunks]
    assert kinds[:4] == [b"IHDR", b"acTL", b"fcTL", b"IDAT"]
    assert kinds[-1] == b"IEND"
    assert struct.unpack(">II", chunks[1][1]) == (12, 0)
    numbers = [
        struct.unpack_from(">I", body)[0] for kind, body in chunks if kind in (b"fcTL", b"fdAT")
    ]
    assert numbers == list(range(len(numbers)))
    # The first frame fills the picture.
    assert struct.unpack_from(">II", chunks[2][1], 4) == struct.unpack_from(">II", chunks[0][1])


def test_holes_stay_holes_in_an_animation():
    image = animation(
        ["a1", "b3"], "4x4", path="dots", holes=[(0, 0)], size=200, labels="none", kind="apng"
    )
    # Beside the cross.
    x, y = pixels_of(as_board("4x4"), 200, labels="none")((0, 0))
    assert is_near(image.convert("RGB").getpixel((x, y - 15)), rgb(colours.THEMES["light"].hole))


# Files, and what can be missing


@pytest.mark.parametrize("ending", SIGNATURES)
@pytest.mark.parametrize("board", ["chess", "xiangqi", "3x10", "10x3", "50x50"])
def test_tours_are_saved_in_every_form(board, ending, tmp_path):
    walk = found((0, 0), board, "step-back")
    file = walk.save(tmp_path / f"tour{ending}")
    offset, signature = SIGNATURES[ending]
    assert file.read_bytes()[offset : offset + len(signature)] == signature
    if ending != ".svg":
        with Image.open(file) as image:
            image.load()
            assert getattr(image, "n_frames", 1) == 1 or ending != ".png"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("module", "ending", "name"),
    [
        ("resvg_py", ".png", "resvg-py"),
        ("resvg_py", ".gif", "resvg-py"),
        ("PIL", ".gif", "Pillow"),
        ("PIL", ".webp", "Pillow"),
        ("PIL", ".apng", "Pillow"),
    ],
)
def test_a_missing_extra_is_named_and_leaves_nothing_behind(
    module, ending, name, tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(sys.modules, module, None)
    file = tmp_path / f"tour{ending}"
    words = rf"{name}: pip install knighttour\[image\]"
    with pytest.raises(ImportError, match=words):
        found((0, 0), "3x4").save(file)
    assert not list(tmp_path.iterdir())
    file.write_bytes(b"old")
    command = ["draw", "--board", "3x4", "0,0", "--strategy", "course", "-o", str(file)]
    assert main(command) == 1
    assert "pip install knighttour[image]" in capsys.readouterr().err
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(file.name, b"old")]


def test_png_and_svg_need_no_pillow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    for ending in (".svg", ".png"):
        assert found((0, 0), "3x4").save(tmp_path / f"tour{ending}").stat().st_size > 500


def test_a_failure_half_way_leaves_the_old_file(tmp_path, monkeypatch):
    plain = raster._Film.frames

    def failing(self, every):
        frames = plain(self, every)
        yield next(frames)
        raise KeyboardInterrupt

    monkeypatch.setattr(raster._Film, "frames", failing)
    file = tmp_path / "tour.gif"
    file.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        found((0, 0), "3x4").save(file)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("tour.gif", b"old")]


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_a_directory_that_is_not_there_is_an_os_error(ending, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        found((0, 0), "3x4").save(tmp_path / "nowhere" / f"tour{ending}")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "mp4"}, "kind='mp4'"),
        ({"size": 15}, "size=15"),
        ({"size": 8193}, "size=8193"),
        ({"size": "big"}, "size='big'"),
        ({"speed": 0}, "would never end"),
        ({"speed": -1}, "speed=-1"),
        ({"speed": float("nan")}, "speed=nan"),
        ({"speed": True}, "speed=True"),
        ({"speed": 100, "every": 1}, "use a larger every"),
        ({"speed": 0.001}, "frames of 1000 seconds"),
        ({"every": 0}, "every=0"),
        ({"every": 1.0}, "every=1.0"),
        ({"hold": -1}, "hold=-1"),
        ({"loop": 3}, "loop=3"),
        ({"numbers": None}, "numbers=None"),
        ({"theme": "neon"}, "theme='neon'"),
    ],
)
def test_bad_options_are_named(options, words):
    out = io.BytesIO()
    with pytest.raises(InvalidInputError, match=words):
        raster.animate([(0, 0), (1, 2)], out, "3x4", **options)
    assert out.getvalue() == b""


def test_an_animation_needs_a_walk_and_a_picture_may_be_a_single_square():
    with pytest.raises(InvalidInputError, match="at least one square"):
        raster.animate([], io.BytesIO(), "3x4")
    for kind in raster.FORMATS:
        out = io.BytesIO()
        assert raster.animate([(0, 0)], out, "1x1", kind=kind, size=32) == 1
        assert opened(out.getvalue()).convert("RGB").size[1] <= 32


@pytest.mark.parametrize("picture", ["<svg", "<svg" + " " * 20_000])
def test_what_cannot_be_rendered_is_our_error(picture):
    with pytest.raises(KnightTourError, match="could not be rendered: .*root node"):
        raster.rasterise(picture)


def test_a_large_picture_is_the_same_from_a_process_of_its_own(monkeypatch):
    picture = str(found((0, 0), "60x60").svg(text="outlines", size=400))
    monkeypatch.setattr(raster, "_LONG", len(picture))
    apart = raster.rasterise(picture)
    monkeypatch.setattr(raster, "_LONG", len(picture) + 1)
    assert raster.rasterise(picture) == apart
    assert max(opened(apart).size) == 400


@pytest.mark.slow
def test_a_million_squares_are_animated():
    far = Strategy(Strategy.named("course").order, tie="far", backtrack=False)
    walk = found((0, 0), "1000x1000", far)
    assert 100 <= raster.animate(walk, io.BytesIO(), size=480) <= 151
