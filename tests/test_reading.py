"""read(): the forms that people exchange, and the errors for what can be read in two ways."""

import io
import json
from time import perf_counter

import numpy as np
import pytest

from knighttour import (
    Board,
    InvalidInputError,
    InvalidTourError,
    format_text,
    read,
    read_text,
    scan,
    scan_text,
    tour,
)
from knighttour.formats import npy_header

SAMPLES = [
    tour((0, 0), "5x5"),
    tour((0, 0), "5x6", closed=True),
    tour((0, 0), "10x3"),
    tour((4, 4), "chess", closed=True),
    tour((0, 0), "6x5", closed=True),
    tour((0, 0), "3x10"),
]


def lines(grid, separator=" ", width=0):
    return "\n".join(separator.join(str(n).rjust(width) for n in row) for row in grid) + "\n"


def boxed(grid, bar="│", rule="─", width=4):
    rows = [bar + bar.join(f" {n:>{width}} " for n in row) + bar for row in grid]
    line = "+" + "+".join([rule * (width + 2)] * len(grid[0])) + "+"
    return line + "\n" + f"\n{line}\n".join(rows) + f"\n{line}\n"


def letters(count):
    return [chr(ord("A") + k) for k in range(count)]


def with_letters(grid):
    """Letters on all four sides, as printed by a course's judge."""
    head = "   " + " ".join(f"{letter:>3}" for letter in letters(len(grid[0])))
    rows = [
        f"{letter}  {' '.join(f'{n:>3}' for n in row)}  {letter}"
        for letter, row in zip(letters(len(grid)), grid, strict=True)
    ]
    return "\n".join([head, *rows, head]) + "\n"


def with_row_numbers(grid):
    """Row numbers on both sides, tabs between."""
    return "\n".join(
        "\t".join(map(str, [number, *row, number])) for number, row in enumerate(grid, 1)
    )


def c_array(grid):
    rows = ",\n".join("  {" + ", ".join(map(str, row)) + "}" for row in grid)
    return f"int board[{len(grid)}][{len(grid[0])}] = {{\n{rows}\n}};\n"


PUBLISHED_FORMS = {
    "grid": lambda t: lines(t.grid()),
    "grid from 0": lambda t: lines(t.grid(base=0)),
    "aligned grid": lambda t: lines(t.grid(), width=4),
    "zero-padded": lambda t: "\n".join(" ".join(f"{n:03}" for n in row) for row in t.grid()),
    "commas": lambda t: lines(t.grid(), ","),
    "commas with a comma at the end": lambda t: lines(t.grid(), ",").replace("\n", ",\n"),
    "commas and blanks": lambda t: lines(t.grid(), ", "),
    "semicolons": lambda t: lines(t.grid(), ";"),
    "tabs": lambda t: lines(t.grid(), "\t"),
    "quoted cells": lambda t: "\n".join(",".join(f'"{n}"' for n in row) for row in t.grid()),
    "Windows line ends": lambda t: lines(t.grid()).replace("\n", "\r\n"),
    "byte order mark": lambda t: "﻿" + lines(t.grid()),
    "box-drawing table": lambda t: boxed(t.grid()),
    "ASCII table": lambda t: boxed(t.grid(), "|", "-"),
    "Markdown table": lambda t: "\n".join(
        [
            "| " + " | ".join(letters(t.board.cols)) + " |",
            "|" + ":--:|" * t.board.cols,
            *("| " + " | ".join(map(str, row)) + " |" for row in t.grid()),
        ]
    ),
    "row numbers on both sides, tabs": lambda t: with_row_numbers(t.grid()),
    "row numbers on the left": lambda t: "\n".join(
        f"{number} | {' | '.join(map(str, row))}" for number, row in enumerate(t.grid(), 1)
    ),
    "numbers above and beside": lambda t: "\n".join(
        [
            "    " + " ".join(f"{k:>3}" for k in range(t.board.cols)),
            *(
                f"{k:>3} " + " ".join(f"{n:>3}" for n in row)
                for k, row in enumerate(t.grid(base=0))
            ),
        ]
    ),
    "numbers on four sides": lambda t: "\n".join(
        [
            "   " + " ".join(str(k) for k in range(1, t.board.cols + 1)),
            *(f"{k} {' '.join(map(str, row))} {k}" for k, row in enumerate(t.grid(), 1)),
            "   " + " ".join(str(k) for k in range(1, t.board.cols + 1)),
        ]
    ),
    "numbers with tabs on two sides": lambda t: "\n".join(
        [
            "\t" + "\t".join(str(k) for k in range(1, t.board.cols + 1)),
            *(f"{k}\t" + "\t".join(map(str, row)) for k, row in enumerate(t.grid(), 1)),
        ]
    ),
    "A..H headers on both axes": lambda t: with_letters(t.grid()),
    "chess headers": lambda t: "\n".join(
        [
            *(
                f"{t.board.rows - number} {' '.join(map(str, row))}"
                for number, row in enumerate(t.grid())
            ),
            "  " + " ".join("abcdefghij"[: t.board.cols]),
        ]
    ),
    "size above": lambda t: f"{t.board.rows} {t.board.cols}\n{lines(t.grid())}",
    "a title and a grid": lambda t: f"Knight's tour, start {t.start}:\n\n{lines(t.grid())}".replace(
        "(", "<"
    ).replace(")", ">"),
    "JSON list of lists from 0": lambda t: json.dumps(t.grid(base=0)),
    "JSON object": lambda t: json.dumps({"grid": t.grid()}),
    "JSON squares": lambda t: json.dumps({"path": t.tolist()}),
    "JSON points": lambda t: json.dumps([{"row": r, "col": c} for r, c in t]),
    "JSON x and y": lambda t: json.dumps([{"x": c, "y": r} for r, c in t]),
    "JSON names": lambda t: json.dumps(t.names()),
    "Python list": lambda t: str(t.grid()),
    "Python list of tuples": lambda t: str(t.tolist()),
    "Python-like list rows": lambda t: "\n".join(map(str, t.grid())),
    "numpy print": lambda t: str(np.array(t.grid())),
    "numpy repr": lambda t: f"{np.array(t.grid())!r}",
    "JavaScript list of lists": lambda t: f"const tour = {t.grid()};".replace("]]", "],\n]"),
    "C array": lambda t: c_array(t.grid()),
    "algebraic list": lambda t: ", ".join(t.names()),
    "algebraic arrows": lambda t: " -> ".join(t.names()),
    "algebraic Unicode arrows": lambda t: "→".join(t.names()),
    "algebraic dashes": lambda t: "-".join(t.names()).upper(),
    "concatenated algebraic": lambda t: "".join(t.names()).upper(),
    "numbered algebraic": lambda t: "\n".join(f"{k}. N{n}" for k, n in enumerate(t.names(), 1)),
    "UCI moves": lambda t: " ".join(
        a + b for a, b in zip(t.names()[:-1], t.names()[1:], strict=True)
    ),
    "index list": lambda t: "\n".join(f"{r} {c}" for r, c in t),
    "index list with commas": lambda t: "\n".join(f"{r},{c}" for r, c in t),
    "index list from 1": lambda t: "\n".join(f"{r + 1} {c + 1}" for r, c in t),
    "numbered index list": lambda t: "\n".join(f"{k}: {r} {c}" for k, (r, c) in enumerate(t, 1)),
    "index list on one line": lambda t: ", ".join(f"{r} {c}" for r, c in t),
    "bracketed pairs": lambda t: " ".join(f"({r},{c})" for r, c in t),
    "bracketed pairs with arrows": lambda t: " -> ".join(f"({r}, {c})" for r, c in t),
    "pairs with arrows": lambda t: " -> ".join(f"{r},{c}" for r, c in t),
    "steps in words": lambda t: "\n".join(f"step {k}: ({r}, {c})" for k, (r, c) in enumerate(t)),
    "named coordinates": lambda t: "\n".join(f"x={c}, y={r}" for r, c in t),
    "row= and col=": lambda t: "; ".join(f"row={r} col={c}" for r, c in t),
}


@pytest.mark.parametrize("name", PUBLISHED_FORMS)
@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_a_published_form_is_recognised(name, sample):
    found = SAMPLES[sample]
    assert read_text(PUBLISHED_FORMS[name](found)) == found


@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_forms_that_need_an_option(sample):
    t = SAMPLES[sample]
    rows, cols = t.board.shape
    flat = ", ".join(str(n) for row in t.grid() for n in row)  # as in the OEIS
    assert read_text(flat, rows=rows, cols=cols) == t
    assert read_text(flat, rows=rows) == t
    assert read_text(flat, cols=cols) == t
    assert read_text(f"[{flat}]", board=t.board) == t
    wrapped = flat.replace(" ", "\n", 3)
    assert read_text(wrapped, board=t.board, form="steps") == t
    order = " ".join(map(str, t.order()))
    assert read_text(order, board=t.board, form="order") == t
    x_first = "\n".join(f"{c + 1} {r + 1}" for r, c in t)
    assert read_text(x_first, coordinates="x,y", base=1) == t
    assert read_text(x_first, coordinates="col,row", base=1) == t
    upward = "\n".join(f"{c} {rows - 1 - r}" for r, c in t)
    assert read_text(upward, coordinates="x,y-up") == t
    minus = lines(t.grid(base=-5))
    assert read_text(minus, base=-5) == t


@pytest.mark.parametrize("sample", [1, 3])
def test_a_closed_list_that_repeats_its_start(sample):
    t = SAMPLES[sample]
    for words in (t.names(), [f"({r}, {c})" for r, c in t]):
        again = read_text(" ".join([*words, words[0]]))
        assert again == t
        assert again.closed
    points = "\n".join(f"{r} {c}" for r, c in [*t, t.start])
    assert read_text(points) == t


def test_several_grids_in_one_file_are_separated_by_blank_lines_or_titles():
    grids = [t.grid(base=0) for t in SAMPLES]
    for text in (
        "\n".join(map(lines, grids)),
        "".join(f"Case #{k}:\n{lines(grid)}" for k, grid in enumerate(grids, 1)),
        "\n\n".join("\n".join(map(str, grid)) for grid in grids),
        json.dumps(grids),
        "\n".join(map(str, grids)),
    ):
        found = scan_text(text)
        assert [reading.check() for reading in found] == SAMPLES
    assert [reading.line for reading in scan_text("\n".join(map(lines, grids)))] == [
        1, 7, 13, 24, 33, 40,
    ]  # fmt: skip
    with pytest.raises(InvalidInputError, match=r"6 tours \(the first ones begin in lines 1, 7"):
        read_text("\n".join(map(lines, grids)))


def test_a_tour_a_line_and_a_tour_over_several_lines():
    first, second = tour("a1", "5x5"), tour("c3", "5x5")
    found = scan_text(", ".join(first.names()) + "\n" + ", ".join(second.names()) + "\n")
    assert [reading.check() for reading in found] == [first, second]
    names = first.names()
    wrapped = " ".join(names[:9]) + "\n" + " ".join(names[9:20]) + "\n" + " ".join(names[20:])
    assert read_text(wrapped) == first


# Holes


@pytest.mark.parametrize("mark", ["**", ".", "#", "*", "--", "X"])
def test_marks_of_holes(mark):
    (reading,) = scan_text(f"10 15 6 3\n7 4 9 12\n14 11 2 5\n1 8 13 {mark}\n")
    assert reading.holes == ((3, 3),)
    assert (reading.rows, reading.cols) == (4, 4)
    assert reading.numbers.tolist()[:4] == [10, 15, 6, 3]


def test_blanks_for_holes():
    for text in (
        "10,15, 6, 3\n 7, , 9,12\n14,11, 2, 5\n 1, 8,13,\n",
        "10\t15\t6\t3\n7\t\t9\t12\n14\t11\t2\t5\n1\t8\t13\t\n",
        " 10  15   6   3\n  7       9  12\n 14  11   2   5\n  1   8  13    \n",
        "│10│15│6│3│\n│7│ │9│12│\n│14│11│2│5│\n│1│8│13│ │\n",
    ):
        if text.startswith("10,15"):
            text = text.replace("13,\n", "13,,\n")
        (reading,) = scan_text(text)
        assert reading.holes == ((1, 1), (3, 3)), text
        assert reading.cols == 4


def test_holes_in_a_flat_list():
    (reading,) = scan_text("10, 15, 6, 3, 7, 4, 9, 12, 14, 11, 2, 5, 1, 8, 13, *", rows=4)
    assert (reading.rows, reading.cols, reading.holes) == (4, 4, ((3, 3),))
    (reading,) = scan_text("[1, null, 2, 3]", rows=2)
    assert reading.holes == ((0, 1),)


def test_numbers_that_stand_for_holes_have_to_be_named():
    text = "10 15 6 3\n7 4 9 12\n14 11 2 5\n1 8 13 0\n"
    (reading,) = scan_text(text, holes=["0"])
    assert reading.holes == ((3, 3),)
    (reading,) = scan_text(json.dumps([[10, 15], [7, 0], [1, 2], [3, 4]]), holes="0", form="grid")
    assert reading.holes == ((1, 1),)
    with pytest.raises(InvalidTourError):
        read_text(text)


# Nothing swaps silently


def test_f23_x_is_the_column_and_it_counts_as_it_is_told():
    (reading,) = scan_text("x=2, y=1", base=1, board="3x4")  # the 1 stands in row 1, column 2
    assert reading.entries == [(0, 1)]
    (reading,) = scan_text("2 1", coordinates="x,y", base=1, board="3x4")
    assert reading.entries == [(0, 1)]
    (reading,) = scan_text("2 1", base=1, board="3x4")
    assert reading.entries == [(1, 0)]
    (reading,) = scan_text("2 1", coordinates="x,y-up", base=1, board="3x4")
    assert reading.entries == [(2, 1)]
    with pytest.raises(InvalidInputError, match="base=0 or base=1"):
        scan_text("x=2, y=1")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "empty"),
        (" \n\t\n", {}, "empty"),
        ("hello world", {}, "no tour in the text"),
        ("1 2 3\n4 5", {}, "different lengths"),
        ("1 2 3\n4 q9q 6", {}, "'q9q'"),
        ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", {}, "form='steps'.*form='order'.*3x4, 4x3"),
        ("1 2\n2 1\n", {}, "base=0 or base=1"),
        ("[[1, 2, 3], [4, 5]]", {}, "row 1 has 2 cells"),
        ("[[1, 2, 3], [4, 5, 6]", {}, "never closed"),
        ("[[1, 2, 3], [4, 5, 6))", {}, "closes nothing"),
        ("[" * 9 + "1" + "]" * 9, {}, "deep"),
        ("[" * 100_000, {}, "deep"),
        ('{"a":' * 100_000, {}, "deep"),
        ("[[1, import os, 3]]", {}, "'import'"),
        ("[__import__('os')]", {}, "__import__"),
        ("{}", {}, "no list of the name squares"),
        ('{"grid": 7}', {}, "no list of the name"),
        ("[]", {}, "no tour"),
        ("7", {"form": "json"}, "no JSON"),
        ("[1,", {"form": "json"}, "no JSON"),
        ("1 4 7 10\n12 9 2 5\n3 6 11 8\n", {"board": "4x3"}, "3 rows and 4 columns.*form='steps'"),
        ("1 4 7 10", {"board": "3x4"}, "cannot fill"),
        ("1 2\n3 4\n", {"form": "xml"}, "form='xml'"),
        ("1 2\n", {"coordinates": "y,x"}, "coordinates='y,x'"),
        ("a1 b3", {"ranks": "1-9"}, "ranks='1-9'"),
        ("a1 b3", {"board": "1x1"}, "b3"),
        ("a10 b8", {"board": "xiangqi"}, "1-10"),
        ("马二进三", {}, "start="),
        ("a0 马二进三", {}, "file 9"),
        ("a1 8", {"form": "codes"}, "no list of form='codes'"),
        ("1 2 3", {"form": "names"}, "no list of names"),
        ("1 2 3", {"form": "tsplib"}, "TOUR_SECTION"),
        ("TOUR_SECTION\n1\n2\n-1\n", {}, "board="),
        ("TOUR_SECTION\n-1\n", {"board": "3x4"}, "empty"),
        ("1 2 3", {"form": "npy"}, "binary"),
        ("1 2 3", {"rows": 2, "board": "3x4"}, "contradict"),
        ("1 2 3", {"rows": 0}, "rows=0"),
        ("1 2 3", {"base": 1.5}, "base=1.5"),
        ("1 2 3", {"headers": 2}, "headers=2"),
        ("9" * 5000 + " 1\n2 3", {}, "no step number"),
        ("1 2 3\n" + "9" * 25 + " 5 6", {}, "no step number"),
        ("** **\n** **", {}, "all cells are holes"),
        ("(1, 2) -> (3)", {}, "row 1 has 1 cells"),
        ("0,0 -> 1", {}, "between two arrows"),
        ('{"squares": [[0, 0], [1, 2]], "grid": [[1, 2, 3], [4, 5, 6]]}', {}, "disagree about"),
        ('[{"x": 1, "y": 2}, {"row": 1, "col": 2}]', {}, "mix row/col and x/y"),
        ('[{"x": 1, "y": null}]', {}, "no square"),
        (b"a1 b3", {}, "a bytes is no text"),
        ("1 2 3", {"holes": [0]}, "0 in holes is no text"),
        ("row=1, col=2; x=2, y=1", {}, "mixes row/col and x/y"),
        ("A1 7 0", {"form": "codes"}, "leave the board"),
        ("---\n---", {}, "only rules"),
        ("1 2 3", {"form": "squares"}, "no pairs of numbers"),
        ("0 0, 2 q", {"form": "squares"}, "'2 q' from line 1 on is no square"),
        ("[[[0, 0], [1, 2]], 7]", {}, "7 in line 1 is no tour"),
        ('[{"squares": [[0, 0]]}, 7]', {}, "7 in line 1 is no JSON object"),
        ('{"rows": 1, "cols": 3, "grid": [[1, 2, 3]], "holes": 7}', {},
         "holes of the JSON object in line 1 are no list"),
        ('{"rows": 1, "cols": 3, "grid": [[1, 2, 3]], "holes": [[0]]}', {},
         r"the hole \[0\] .* is no \[row, col\]"),
        ('{"squares": [[[0, 0], [1, 2]], [[0, 0], [2, 1]]]}', {}, "holds 2 tours under a key"),
        ('{"squares": [[1, 2, 3], [4, 5, 6]], "grid": [[1, 2, 3], [4, 5, 6]]}', {},
         "a grid where squares are due"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_in_one_way_says_so(text, options, message):
    with pytest.raises(InvalidInputError, match=message):
        scan_text(text, **options)


def test_outer_numbers_that_may_be_headers_have_to_be_named():
    grid = SAMPLES[0].grid()
    grid[2][2], grid[2][3] = grid[2][3], grid[2][2]
    text = with_row_numbers(grid)
    # A complete numbering inside is taken; an incomplete one asks.
    with pytest.raises(InvalidTourError):
        read_text(text)
    grid[2][2] = 7
    text = with_row_numbers(grid)
    with pytest.raises(InvalidInputError, match="headers=True"):
        scan_text(text)
    (reading,) = scan_text(text, headers=True)
    assert (reading.rows, reading.cols) == (5, 5)
    (reading,) = scan_text(text, headers=False)
    assert (reading.rows, reading.cols) == (5, 7)


def test_a_grid_is_never_stripped_of_its_own_numbers():
    # The first column counts 1 2 3, and the grid is complete as it is.
    (reading,) = scan_text("1 4 7 10\n2 5 8 11\n3 6 9 12\n")
    assert reading.cols == 4


# Files


@pytest.mark.parametrize("ending", ["txt", "csv", "json", "npy", "tour"])
@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_saved_files_are_read(ending, sample, tmp_path, backend):
    t = SAMPLES[sample]
    file = t.save(tmp_path / f"tour.{ending}")
    assert read(file, backend=backend) == t
    assert read(str(file)) == t
    with file.open("rb") as stream:
        assert read(stream) == t
    (tmp_path / "noending").write_bytes(file.read_bytes())
    assert read(tmp_path / "noending") == t


def test_text_streams_and_other_encodings():
    text = lines(SAMPLES[0].grid())
    assert read(io.StringIO(text)) == SAMPLES[0]
    assert read(io.BytesIO(text.encode("utf-16"))) == SAMPLES[0]
    table = boxed(SAMPLES[0].grid(), "│", "─")
    assert read(io.BytesIO(table.encode("gb18030")), encoding="gb18030") == SAMPLES[0]
    with pytest.raises(InvalidInputError, match="encoding="):
        read(io.BytesIO(b"\xff1 2 3"))
    with pytest.raises(InvalidInputError, match="encoding="):
        read(io.BytesIO(b"1 2 3"), encoding="klingon")


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "large.txt"
    file.write_bytes(b"1 " * 1000)
    with pytest.raises(InvalidInputError, match="more than 100 bytes: max_bytes="):
        read(file, max_bytes=100)
    with pytest.raises(InvalidInputError, match="max_bytes=-1"):
        read(file, max_bytes=-1)


@pytest.mark.parametrize("source", ["1 2\n3 4", "a\0b", 7, None, [[1]], b"abc"])
def test_what_is_no_source(source):
    with pytest.raises(InvalidInputError):
        read(source)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing.txt")


@pytest.mark.parametrize("shape", ["3x4", "4x3", "xiangqi", "9x10"])
@pytest.mark.parametrize(
    "kind", ["<i4", ">i4", "<i8", ">i8", "u1", "i1", "<u2", ">u2", "<u4", "<u8"]
)  # fmt: skip
def test_npy_files_of_every_integer_type(shape, kind, tmp_path):
    t = tour(board=shape)
    grid = np.array(t.grid(), dtype=kind)
    for order in "CF":
        np.save(tmp_path / "tour.npy", np.asarray(grid, order=order))
        assert read(tmp_path / "tour.npy") == t
        assert read(io.BytesIO((tmp_path / "tour.npy").read_bytes())) == t


def test_npy_files_of_squares_of_several_grids_and_flat_ones(tmp_path):
    file = tmp_path / "tour.npy"
    t = tour("a0")
    np.save(file, np.asarray(t))
    assert read(file, board="xiangqi") == t
    np.save(file, np.array([t.grid(), t.reversed().grid()]))
    assert [reading.check() for reading in scan(file)] == [t, t.reversed()]
    np.save(file, np.asarray(t.order()))
    assert read(file, form="order", board="xiangqi") == t
    with pytest.raises(InvalidInputError, match="form='steps'"):
        read(file)


def test_an_npy_grid_is_no_list_of_squares(tmp_path):
    file = tour("a0").save(tmp_path / "tour.npy")
    with pytest.raises(InvalidInputError, match="rows of 9 numbers"):
        scan(file, form="squares")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x93NUMPY", "cut off"),
        (b"\x93NUMPY\x01\x00\xff\xff{}", "cut off"),
        (b"\x93NUMPY\x09\x00\x02\x00{}", "unknown version"),
        (b"\x93NUMPY\x01\x00\x02\x00{}", "no plain array"),
        (npy_header(3, 4, 4) + bytes(47), "47 bytes"),
        (npy_header(3, 4, 4).replace(b"<i4", b"<f4") + bytes(48), "'<f4'"),
        (npy_header(3, 4, 4).replace(b"<i4", b"|O8") + bytes(48), "'|O8'"),
        (npy_header(3, 4, 4).replace(b"(3, 4)", b"(0, 4)") + bytes(48), "no tour"),
    ],
)
def test_a_broken_npy_file(data, message, tmp_path):
    file = tmp_path / "tour.npy"
    file.write_bytes(data)
    for source in (file, io.BytesIO(data)):
        with pytest.raises(InvalidInputError, match=message.replace("|", r"\|")):
            scan(source)


def test_npy_files_that_cannot_be_what_is_asked_for(tmp_path):
    file, text = tmp_path / "tour.npy", tmp_path / "tour.txt"
    grid = np.array(tour(board="3x4").grid())
    text.write_text("a1 b3")
    with pytest.raises(InvalidInputError, match=r"is no \.npy file"):
        scan(text, form="npy")
    np.save(file, grid)
    with pytest.raises(InvalidInputError, match=r"form='names', but this is an \.npy file"):
        scan(file, form="names")
    np.save(file, np.full((3, 4), 2**63, dtype="<u8"))
    with pytest.raises(InvalidInputError, match=r"numbers of 2\^63 and more"):
        scan(file)
    np.save(file, np.asfortranarray(np.stack([grid, grid])))
    with pytest.raises(InvalidInputError, match="has to be in C order"):
        scan(file)
    np.save(file, np.zeros((3, 4), dtype="<i4"))
    with pytest.raises(InvalidInputError, match="all are holes"):
        scan(file, holes="0")


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3)])
def test_an_npy_grid_has_holes_and_steps_where_it_is_told(rows, cols, tmp_path):
    t = tour(board=(rows, cols))
    file = tmp_path / "tour.npy"
    np.save(file, np.array(t.grid()).ravel())
    assert read(file, form="steps", board=(rows, cols)) == t
    ring = tour(board=Board(3, 3, holes=[(1, 1)]))
    np.save(file, np.array([[n or 0 for n in row] for row in ring.grid()]))
    assert read(file, holes="0") == ring


def test_an_npy_file_with_pickled_objects_runs_nothing(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (exec, ("raise SystemExit('ran')",))

    np.save(tmp_path / "bomb.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    with pytest.raises(InvalidInputError, match=r"'\|O'|integers"):
        read(tmp_path / "bomb.npy")


# Xiangqi


def test_xiangqi_names_and_moves():
    t = tour("a0")
    found = read_text(" ".join(t.names()))
    assert found == t
    assert found.board == Board(10, 9)
    assert found.board.naming == "iccs"
    ten = " ".join(t.names(ranks="1-10"))
    assert read_text(ten, board="xiangqi", ranks="1-10") == t
    assert read_text(ten) == t  # names from 1 on are those of any board of 10x9
    (reading,) = scan_text("a0 b2 d1", ranks="0-9")
    assert (reading.rows, reading.cols, reading.naming) == (3, 4, "iccs")


def test_relative_moves_begin_where_they_are_told(backend):
    (reading,) = scan_text("马二进三 马三进四", start="h0")
    names = [reading.board.name(square) for square in reading.entries]
    assert names == ["h0", "g2", "f4"]
    (reading,) = scan_text("1. H2+3 2. H3+4", start="h0")
    assert reading.entries == [(9, 7), (7, 6), (5, 5)]
    (reading,) = scan_text("h0：马二进三，马三进四")
    assert len(reading.entries) == 3


def test_codes_are_read_with_and_without_a_board():
    t = tour("a1", "5x6")
    text = f"{t.board.name(t.start)} {''.join(map(str, t.moves()))}"
    assert read_text(text) == t
    assert read_text(text, board="5x6") == t
    spaced = f"{t.board.name(t.start)}: {', '.join(map(str, t.moves()))}"
    assert read_text(spaced) == t


def test_names_that_are_asked_for_have_to_be_there():
    for text in (">", "-", ", ;"):
        with pytest.raises(InvalidInputError, match="names"):
            scan_text(text, form="names", board="3x4")


@pytest.mark.parametrize(
    "text",
    [
        "1" + "\n" * 100_000,
        "x=1, y=2\nx=1" + " " * 100_000 + "!",
        "const t = [" + "1 " * 100_000,
        "a1" + " " * 100_000 + "!",
        "a1 " * 100_000 + "!",
        "->" * 100_000 + "!",
        "1. " * 100_000,
        ":" * 100_000 + " " * 100_000 + "x",
        "9" * 1_000_000,
        "[" + "9" * 1_000_000 + "]",
        '{"rows": 1' + "0" * 4000 + ', "cols": 1' + "0" * 4000 + ', "squares": [[0, 0]]}',
        "TOUR_SECTION" + "\nCOMMENT" * 20_000,
        "1:" * 100_000,
        "[1;" * 50_000,
        "[" + "1;" * 100_000,
        "{} " * 50_000,
        '{"a": 1}' * 20_000 + "!",
        "none " * 50_000,
        "a: " * 100_000,
        "马二进三" * 50_000 + "!",
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_more_than_linear_time(text):
    begin = perf_counter()
    try:
        readings = scan_text(text)
    except InvalidInputError as error:
        assert len(str(error)) < 500  # noqa: PT017
    else:
        assert readings
    assert perf_counter() - begin < 20  # quadratic would be minutes


@pytest.mark.parametrize("image", ["as published", "transposed", "upside down"])
def test_tours_with_holes_are_read_checked_and_written_again(image):
    try:
        Board(4, 4, holes=[(3, 3)])
    except TypeError:
        pytest.skip("boards have no holes in this version")
    rows = [line.split() for line in ["10 15 6 3", "7 4 9 12", "14 11 2 5", "1 8 13 **"]]
    if image == "transposed":
        rows = list(zip(*rows, strict=True))
    elif image == "upside down":
        rows = rows[::-1]
    found = read_text("\n".join(" ".join(row) for row in rows))
    assert len(found) == found.board.size == 15
    assert [row.index("1") for row in rows if "1" in row] == [found.start[1]]
    for form in ("grid", "csv", "table", "rows", "json"):
        again = read_text(format_text(found, form))
        assert again == found
        assert again.board == found.board


# What people paste: other characters, other languages, other encodings

SMALL = tour((0, 0), "3x4")
ROWS = SMALL.grid()
FULL_WIDTH = str.maketrans("0123456789,;", "０１２３４５６７８９，；")


def as_rows(separator=" ", between="\n"):
    return between.join(separator.join(map(str, row)) for row in ROWS)


@pytest.mark.parametrize(
    "text",
    [
        as_rows().translate(FULL_WIDTH),
        as_rows("，"),
        as_rows("、"),
        as_rows("；"),
        as_rows("\u3000"),
        as_rows("\u00a0"),
        as_rows(", ").translate(FULL_WIDTH),
        "\ufeff" + as_rows(between="\r\n"),
        as_rows(between="; "),
        as_rows(",", ";"),
        f"[{as_rows(between='; ')}];",
        f"tour = [{as_rows(' ', ';' + chr(10))}]",
        "[][]int{{" + as_rows(", ", "}, {") + "}}",
        "  | 1  2  3  4\n--+-----------\n"
        + "\n".join(f"{n} | {as_rows().splitlines()[n - 1]}" for n in (1, 2, 3)),
        "，".join(SMALL.names()),
        "、".join(SMALL.names()).translate(FULL_WIDTH),
        " | ".join(SMALL.names()),
        "/".join(SMALL.names()),
        ", ".join(map(repr, SMALL.names())),
        "Tour: " + " ".join(SMALL.names()),
        "起点 a3：" + " ".join(SMALL.names()),
        "; ".join(f"{row},{col}" for row, col in SMALL),
        "（" + "），（".join(f"{row}，{col}" for row, col in SMALL) + "）",
        json.dumps(SMALL.move_names()),
        str(SMALL.move_names("iccs")),
        json.dumps([[str(number) for number in row] for row in ROWS]),
        " ".join(SMALL.move_names("iccs")),
    ],
)
def test_what_people_paste_is_read(text):
    assert read_text(text) == SMALL
    turned = SMALL.transformed("transpose")
    assert read_text(format_text(turned).translate(FULL_WIDTH)) == turned


@pytest.mark.parametrize("mark", ["None", "null", "NaN", "nan", "·", "□", "＊", "＃", "．"])
@pytest.mark.parametrize("separator", [" ", ",", "\t"])
def test_words_and_signs_for_holes_are_no_titles(mark, separator):
    for board in (Board.parse("....\n....\n....\n...#"), Board.parse("...#\n....\n....\n....")):
        found = tour(None, board)
        text = "\n".join(
            separator.join(str(number) if number else mark for number in row)
            for row in found.grid()
        )
        assert read_text(text) == found


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
@pytest.mark.parametrize("hole", ["first", "last"])
def test_an_empty_cell_at_an_end_of_a_line_is_a_hole(separator, hole):
    text = "....\n....\n....\n...#" if hole == "last" else "....\n....\n....\n#..."
    found = tour(None, Board.parse(text))
    written = "\n".join(
        separator.join(str(number) if number else "" for number in row) for row in found.grid()
    )
    assert read_text(written) == found


def test_a_comma_at_the_end_of_every_line_is_no_hole():
    assert read_text(as_rows(",", ",\n") + ",") == SMALL
    assert read_text(as_rows(",", ",\n")) == SMALL


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_the_encodings_of_unicode_are_known_by_themselves(encoding, tmp_path):
    file = tmp_path / "tour.txt"
    for found in (SMALL, SMALL.transformed("transpose")):
        file.write_bytes(format_text(found).replace("\n", "\r\n").encode(encoding))
        assert read(file) == found


@pytest.mark.parametrize(("encoding", "title"), [("latin-1", "Für zwei"), ("gb18030", "马踏棋盘")])
def test_another_encoding_has_to_be_named(encoding, title, tmp_path):
    file = tmp_path / "tour.txt"
    file.write_bytes(f"{title}\n{as_rows()}".encode(encoding))
    with pytest.raises(InvalidInputError, match="encoding= names another, such as 'latin-1'"):
        read(file)
    assert read(file, encoding=encoding) == SMALL


@pytest.mark.parametrize("encoding", [None, 8, "nope", "rot13", "hex", ""])
def test_what_is_no_encoding(encoding, tmp_path):
    file = tmp_path / "tour.txt"
    file.write_text(as_rows())
    with pytest.raises(InvalidInputError, match="encoding"):
        read(file, encoding=encoding)


@pytest.mark.parametrize(
    "data", [bytes(100), bytes(range(256)), b"PK\3\4\0\0" + as_rows().encode()]
)
def test_binary_files_are_no_text(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(InvalidInputError, match="is no text: it has zero bytes"):
        read(tmp_path / "file")


def test_json_objects_one_a_line():
    turned = SMALL.transformed("transpose")
    text = f"{format_text(SMALL, 'json')}\n\n{format_text(turned, 'json')}"
    first, second = scan_text(text)
    assert (first.check(), second.check()) == (SMALL, turned)
    assert (first.line, second.line) == (1, 3)
    refused = []
    only = scan_text(f'{{"grid": 5}}\n{format_text(turned, "json")}', refused=refused)
    assert [reading.check() for reading in only] == [turned]
    assert [line for line, _ in refused] == [1]


@pytest.mark.parametrize(("form", "wanted"), [("flat", None), ("order", "order")])
def test_a_flat_list_a_line_is_a_tour_a_line(form, wanted):
    tours = [SMALL, SMALL.reversed(), SMALL.transformed("rotate180")]
    text = "\n".join(format_text(found, form) for found in tours)
    found = scan_text(text, board="3x4", form=wanted)
    assert [reading.check() for reading in found] == tours
    assert [reading.line for reading in found] == [1, 2, 3]


def test_numbers_of_python_chess_have_to_be_named():
    for board in ("chess", "xiangqi", "3x4", "4x3"):
        found = tour(None, board)
        text = format_text(found, "numbers")
        with pytest.raises(InvalidInputError, match=r"form='order'.*form='numbers'"):
            read_text(text)
        assert read_text(text, board=board, form="numbers") == found
        assert read_text(f"[{text.replace(' ', ', ')}]", board=board, form="numbers") == found


def test_names_among_other_words_say_what_is_wrong():
    with pytest.raises(InvalidInputError, match="is the name of a square, but something"):
        read_text("a1 b9 zz")


# Chinese notation as it is written


@pytest.mark.parametrize("side", ["red", "black"])
def test_chinese_moves_in_all_their_spellings(side):
    found = tour("a0")
    moves = found.move_names("chinese", side=side)
    text = "".join(moves)
    ascii_digits = text.translate(
        str.maketrans("一二三四五六七八九１２３４５６７８９", "123456789" * 2)
    )
    for spelled in (
        " ".join(moves),
        text,
        "，".join(moves),
        "、".join(moves) + "。",
        text.replace("马", "馬").replace("进", "進"),
        text.replace("马", "傌").replace("馬", "傌"),
        ascii_digits,
        " ".join(f"{number}. {move}" for number, move in enumerate(moves, 1)),
    ):
        assert read_text("a0 " + spelled) == found
        assert read_text(spelled, start="a0") == found
    assert read_text(ascii_digits, start="a0", side=side) == found
    other = {"red": "black", "black": "red"}[side]
    with pytest.raises(InvalidInputError, match=f"by the {other} horse"):
        read_text(text, start="a0", side=other)


@pytest.mark.parametrize("name", ["3x4", "4x3"])
def test_less_usual_ways_to_write_what_is_clear(name):
    t = tour(board=name)
    squares = t.tolist()
    one = [(row + 1, col + 1) for row, col in squares]
    rows, cols = t.board.shape
    # An arrow at the end leads nowhere.
    arrows = " -> ".join(f"{row},{col}" for row, col in squares)
    assert read_text(arrows + " ->") == t
    # On a known board a coordinate beyond its last index says that they count from 1.
    assert read_text(" -> ".join(f"{row},{col}" for row, col in one), board=name) == t
    # As many numbers as the board has squares, in lines of any length.
    steps = [str(n) for row in t.grid() for n in row]
    assert read_text(" ".join(steps[:5]) + "\n" + " ".join(steps[5:]), board=name) == t
    # Names and marks in brackets, JSON with numbers as text, and several objects in a list.
    assert read_text("[" + ", ".join(t.names()) + "]") == t
    assert read_text(json.dumps([[str(n) for n in row] for row in t.grid()])) == t
    assert read_text(json.dumps(t.grid()), form="steps", board=name) == t
    both = [{"squares": squares}, {"squares": squares[::-1]}]
    assert [r.check() for r in scan_text(json.dumps(both), board=name)] == [t, t.reversed()]
    assert read_text(json.dumps({"grid": t.grid()}), board=name).board.shape == (rows, cols)
