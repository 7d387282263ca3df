"""Can any input break the readers and the checker?

    python bench/fuzz_reading.py             # ten minutes
    python bench/fuzz_reading.py 0.5 --seed 7   # half a minute, other inputs

Hypothesis makes texts, bytes and Python values: wild ones, and written tours that are cut, joined,
doubled and altered. Each goes through `scan_text`, `scan` or `check`, with random options, and
whatever is read is checked and, if it is a tour, classified and written again. Broken is an
exception that is not the package's own, an input that takes longer than five seconds, and a process
that has grown by more than 64 MiB since its first minute (or first tenth).
"""

import argparse
import faulthandler
import io
import struct
import sys
from array import array
from pathlib import Path
from time import perf_counter

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from knighttour import KnightTourError, check, classify, format_text, scan, scan_text, tour
from knighttour.formats import TEXT_FORMS, npy_header
from knighttour.reading import COORDINATES, FORMS

LONGEST = 5.0
GROWTH = 64 << 20

BOARDS = ["3x4", "4x3", "xiangqi", "chess", "5x5", "1x1", "3x10", "10x3"]
TOURS = [tour((0, 0), board) for board in BOARDS]
TEXTS = [
    format_text(found, form)
    for found in TOURS
    for form in TEXT_FORMS
    if not (form.startswith(("wxf", "chinese")) and found.board.cols > 9)
] + [
    "A1B3C1A2B4C2A3B1C3A4B2C4",
    "  A B C D\n1 1 4 7 10 1\n2 12 9 2 5 2\n3 3 6 11 8 3\n  A B C D",
    "10 15 6 3\n7 4 9 12\n14 11 2 5\n1 8 13 **\n",
    "x=2, y=1\nx=4, y=2\n",
    '[{"row": 0, "col": 0}, {"row": 1, "col": 2}]',
    "Case #1:\n1 4 7 10\n12 9 2 5\n3 6 11 8\n\nCase #2:\n0 1\n2 3\n",
    "const tour = [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]];",
    "0,0 -> 1,2 -> 2,0",
    "[1 4 7 10; 12 9 2 5; 3 6 11 8]",
    "１，４，７，１０\n１２，９，２，５\n３，６，１１，８",
    "a0马九进七马七进九",
    "  | 1 2 3 4\n--+--------\n1 | 1 4 7 10\n2 | 12 9 2 5\n3 | 3 6 11 8",
    '{"grid": [[1]]}\n{"squares": [[0, 0]]}',
    "10,15,6,3\n7,4,9,12\n14,11,2,5\n1,8,13,",
]  # fmt: skip
PIECES = [
    "\n", "\n\n", " ", "\t", ",", ";", "|", "│", "[", "]", "(", ")", "{", "}", "->", "→", "-", "--",
    "*", "**", ".", "#", "null", "None", "a1", "A0", "i10", "aa100", "马二进三", "H2+3", "0", "1",
    "-1", "99", "9" * 30, "TOUR_SECTION", "x=", "y=", ":", '"', "'", "=", "NaN", "1e9", "é", "\0",
    "\x1b", "٣", "²", "，", "１", "；", "\u3000", "前马进五", "None", "NaN", "Tour: ", "H++5", "·",
]  # fmt: skip

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "form": st.sampled_from(FORMS),
        "board": st.sampled_from([*BOARDS, "2x2", (0, 3), "x", 7]),
        "base": st.sampled_from([0, 1, -5, 2**70, "1", True]),
        "rows": st.integers(-1, 12),
        "cols": st.integers(-1, 12),
        "coordinates": st.sampled_from([*COORDINATES, "y"]),
        "ranks": st.sampled_from(["0-9", "1-10", "2"]),
        "side": st.sampled_from(["red", "black", "white"]),
        "headers": st.booleans(),
        "holes": st.lists(st.sampled_from(["0", "-1", "99"]), max_size=2),
        "start": st.sampled_from(["a1", "a0", (0, 0), (9, 9), "zz"]),
    },
)


@st.composite
def altered_texts(draw):
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(text)))
        last = min(len(text), first + draw(st.integers(0, 30)))
        change = draw(st.sampled_from(["drop", "double", "piece", "join", "cut", "swap"]))
        if change == "drop":
            text = text[:first] + text[last:]
        elif change == "double":
            text = text[:last] + text[first:]
        elif change == "piece":
            text = text[:first] + draw(st.sampled_from(PIECES)) + text[first:]
        elif change == "join":
            text += draw(st.sampled_from(["", "\n", "\n\n"])) + draw(st.sampled_from(TEXTS))
        elif change == "cut":
            text = text[first:]
        else:
            text = text[last:] + text[first:last] + text[:first]
    return text


BEGINNINGS = [
    "", "1", "a1", "x=1, y=2\nx=1", "[[1, 2]", "int a[2][2] = {", "1 2\n", "0,0 -> ",
    "h0 马二进三 ",
]  # fmt: skip
LONG = st.builds(
    lambda begin, piece, count, end: begin + piece * count + end,
    st.sampled_from(BEGINNINGS),
    st.sampled_from([*PIECES, "1 2\n", "a1 ", "[1,", "(", "1, ", "- > ", "1. "]),
    st.sampled_from([10, 300, 5000, 40_000]),
    st.sampled_from(["", "!", "x", "\n", "="]),
)  # fmt: skip
ANY_TEXT = st.one_of(
    altered_texts(),
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    LONG,
)


@st.composite
def npy_files(draw):
    shape = draw(st.lists(st.integers(0, 6), min_size=2, max_size=2))
    itemsize = draw(st.sampled_from([4, 8]))
    numbers = draw(st.lists(st.integers(-3, 40), min_size=shape[0] * shape[1],
                            max_size=shape[0] * shape[1]))  # fmt: skip
    data = npy_header(*shape, itemsize) + array("i" if itemsize == 4 else "q", numbers).tobytes()
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.binary(max_size=4)) + data[place + draw(st.integers(0, 4)) :]
    return data


ANY_BYTES = st.one_of(
    npy_files(),
    st.binary(max_size=100),
    st.binary(max_size=60).map(lambda body: b"\x93NUMPY\x01\x00" + struct.pack("<H", 50) + body),
    st.builds(
        lambda text, encoding: text.encode(encoding, "replace"),
        ANY_TEXT,
        st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "latin-1"]),
    ),
)

CELLS = st.one_of(
    st.integers(-2, 30), st.integers(), st.none(), st.booleans(), st.floats(), st.text(max_size=3)
)
VALUES = st.one_of(
    st.recursive(CELLS, lambda inner: st.lists(inner, max_size=6), max_leaves=30),
    st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9)), max_size=20),
    st.lists(
        st.sampled_from(
            ["a1", "b3", "a0", "", "zz9", "a1c2", "c2e1", "A1-C2", "马二进三", "H2+3", "前马退五"]
        ),
        max_size=12,
    ),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.sampled_from(TOURS).map(lambda found: found.grid()),
    st.sampled_from(TOURS).map(lambda found: found.tolist()),
)


class Watch:
    """What has been seen so far."""

    inputs = read = valid = 0
    slowest = 0.0


def follow(readings):
    """Check what was read, and use what is a tour."""
    for reading in readings[:20]:
        Watch.read += 1
        try:
            found = reading.check()
        except KnightTourError as error:
            str(error)
            continue
        Watch.valid += 1
        classify(found)
        scan_text(format_text(found, "json"))


def watched(work):
    """Run one input, and say so if it takes too long."""
    begin = perf_counter()
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        follow(work())
    except KnightTourError as error:
        str(error)
    finally:
        faulthandler.cancel_dump_traceback_later()
        Watch.inputs += 1
        Watch.slowest = max(Watch.slowest, perf_counter() - begin)


def resident():
    """Return how many bytes of memory this process uses now."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def campaign(number, examples=300):
    """Run all targets once, with inputs that depend on a number alone."""
    rules = settings(
        max_examples=examples, database=None, deadline=None, phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip

    @seed(number)
    @rules
    @given(ANY_TEXT, OPTIONS)
    def texts(text, options):
        watched(lambda: scan_text(text, **options))

    @seed(number)
    @rules
    @given(ANY_BYTES, OPTIONS)
    def files(data, options):
        watched(lambda: scan(io.BytesIO(data), max_bytes=1 << 16, **options))

    @seed(number)
    @rules
    @given(
        VALUES,
        st.sampled_from([None, *BOARDS]),
        st.sampled_from([None, 0, 1, 5]),
        st.sampled_from([None, "grid", "squares", "steps", "order", "numbers"]),
        st.sampled_from([None, True]),
        st.sampled_from([None, "pure"]),
    )
    def values(value, board, base, form, closed, backend):
        def work():
            check(value, board, base=base, form=form, closed=closed, backend=backend)
            return []

        watched(work)

    texts()
    files()
    values()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", nargs="?", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = perf_counter()
    end = begin + 60 * options.minutes
    settled = begin + min(60, 6 * options.minutes)
    first = None
    number = options.seed
    while perf_counter() < end:
        campaign(number)
        number += 1
        if first is None and perf_counter() >= settled:
            first = resident()
    growth = resident() - (first or resident())
    print(
        f"{Watch.inputs} inputs in {perf_counter() - begin:.0f} s (seeds {options.seed} to "
        f"{number - 1}): {Watch.read} tours read, {Watch.valid} of them valid; no foreign "
        f"exception; slowest input {Watch.slowest:.2f} s; memory {growth / 2**20:+.1f} MiB"
    )
    return 1 if growth > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
