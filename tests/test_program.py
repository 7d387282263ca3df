"""Tests of programs: both engines against the naive expansion of the element list."""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
import random
import signal
import sys
import threading
from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import _program_py
from knighttour.board import KNIGHT_MOVES as MOVES
from knighttour.errors import InvalidInputError, InvalidTourError
from knighttour.program import Lit, Program, Rep

from .cells import closed_tour, codes_of, expand

try:
    from knighttour import _program
except ImportError:
    BACKENDS = ["pure"]
else:
    BACKENDS = ["pure", "core"]
    for limit in ("FLAT_LIMIT", "FLAT_FROM", "WIDEST_CELL"):
        assert getattr(_program, limit) == getattr(_program_py, limit)

SYMMETRIES = {
    "rotate90": lambda r, c, rows, cols: (c, rows - 1 - r),
    "rotate180": lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c),
    "rotate270": lambda r, c, rows, cols: (cols - 1 - c, r),
    "flip_rows": lambda r, c, rows, cols: (rows - 1 - r, c),
    "flip_cols": lambda r, c, rows, cols: (r, cols - 1 - c),
    "transpose": lambda r, c, rows, cols: (c, r),
    "antitranspose": lambda r, c, rows, cols: (cols - 1 - c, rows - 1 - r),
}

backends = pytest.mark.parametrize("backend", BACKENDS)


@functools.cache
def tour_of_cells(bands: int, cells: int, backend: str = "pure") -> Program:
    return Program(closed_tour(bands, cells), 6 * bands, 6 * cells, backend=backend)


@st.composite
def walks(draw: Any) -> tuple[list[Lit | Rep], int, int]:
    """Draw an element list of one loop deep, moved onto a board that just holds it."""
    loops = [
        codes
        for length in (2, 3, 4)
        for codes in itertools.product(range(8), repeat=length)
        if (sum(MOVES[code][0] for code in codes) == 0)
        != (sum(MOVES[code][1] for code in codes) == 0)
    ]
    row = col = 0
    elements: list[Lit | Rep] = []
    for _ in range(draw(st.integers(1, 5))):
        count = draw(st.integers(1, 9))
        if draw(st.booleans()):
            codes = draw(st.sampled_from(loops))
        else:
            codes, count = tuple(draw(st.lists(st.integers(0, 7), min_size=1, max_size=8))), 1
        squares = []
        r, c = row, col
        for code in codes:
            squares.append((r, c))
            r, c = r + MOVES[code][0], c + MOVES[code][1]
        # The last code of a loop leads to its next copy, or to the next element.
        shift = (r - row, c - col)
        literals = [Lit(tuple(squares))]
        if len(squares) > 1 and draw(st.booleans()):
            literals = [Lit(tuple(squares[:1])), Lit(tuple(squares[1:]))]
        if count > 1 or draw(st.booleans()):
            elements.append(Rep(tuple(literals), count, shift))
        else:
            elements.extend(literals)
        row, col = row + count * shift[0], col + count * shift[1]
    squares = expand(elements)
    top, left = min(r for r, _ in squares), min(c for _, c in squares)
    rows = max(r for r, _ in squares) - top + 1
    cols = max(c for _, c in squares) - left + 1

    def moved(element: Lit | Rep) -> Lit | Rep:
        if isinstance(element, Lit):
            return Lit(tuple((r - top, c - left) for r, c in element.squares))
        return Rep(tuple(moved(inner) for inner in element.elements), element.count, element.shift)

    return [moved(element) for element in elements], rows, cols


def check(program: Program, squares: list[tuple[int, int]]) -> None:
    """Compare everything that a program of distinct squares says with its squares."""
    rows, cols, count = program.rows, program.cols, len(squares)
    assert len(program) == count
    assert (program.start, program.end) == (squares[0], squares[-1])
    assert [program.square_at(step) for step in range(count)] == squares
    assert b"".join(program.iter_codes()) == codes_of(squares, closing=False)
    if program.closed:
        assert b"".join(program.iter_codes(closing=True)) == codes_of(squares, closing=True)
    flat = [row * cols + col for row, col in squares]
    for typecode in "iq":
        order = array(typecode, [-1]) * count
        program.fill_order(order)
        assert order.tolist() == flat
    if len(set(squares)) == count:
        grid = [-5] * (rows * cols)
        for step, index in enumerate(flat):
            grid[index] = step + 3
        for typecode in "iq":
            out = array(typecode, [-5]) * (rows * cols)
            program.fill_steps(out, base=3)
            assert out.tolist() == grid
        assert [program.step_of(*square) for square in squares] == list(range(count))
        program.verify()
    else:
        assert all(squares[program.step_of(*square)] == square for square in squares)
        with pytest.raises(InvalidTourError):
            program.verify()


@backends
@given(walk=walks())
@settings(deadline=None)
def test_walks_equal_their_naive_expansion(
    backend: str, walk: tuple[list[Lit | Rep], int, int]
) -> None:
    elements, rows, cols = walk
    program = Program(elements, rows, cols, complete=False, backend=backend)
    squares = expand(elements)
    check(program, squares)
    check(program.reversed(), squares[::-1])


@pytest.mark.skipif(len(BACKENDS) == 1, reason="needs the compiled engine")
@given(walk=walks())
@settings(deadline=None)
def test_twins_build_the_same_tables(walk: tuple[list[Lit | Rep], int, int]) -> None:
    core = Program(*walk, complete=False, backend="core")
    pure = Program(*walk, complete=False, backend="pure")
    assert core._steps().tables() == pure._steps().tables()


@backends
@pytest.mark.parametrize(
    ("bands", "cells"), [(1, 1), (1, 2), (2, 1), (1, 5), (4, 1), (2, 2), (3, 4), (5, 3)]
)
def test_tours_of_cells(backend: str, bands: int, cells: int) -> None:
    program = tour_of_cells(bands, cells, backend)
    squares = expand(program.elements)
    assert program.closed
    check(program, squares)
    check(program.reversed(), squares[::-1])
    for name, image in SYMMETRIES.items():
        twin = program.transformed(name)
        assert (twin.rows, twin.cols) in {(6 * bands, 6 * cells), (6 * cells, 6 * bands)}
        check(twin, [image(r, c, program.rows, program.cols) for r, c in squares])


@backends
@given(
    bands=st.integers(1, 6),
    cells=st.integers(1, 6),
    cuts=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=3),
    symmetry=st.sampled_from(sorted(SYMMETRIES)),
    backwards=st.booleans(),
)
@settings(deadline=None, max_examples=40)
def test_rewriting_equals_rewriting_the_squares(
    backend: str, bands: int, cells: int, cuts: list[float], symmetry: str, backwards: bool
) -> None:
    program = tour_of_cells(bands, cells, backend)
    squares = expand(program.elements)
    program = program.transformed(symmetry)
    image = SYMMETRIES[symmetry]
    squares = [image(r, c, 6 * bands, 6 * cells) for r, c in squares]
    for cut in cuts:
        step = int(cut * len(program))
        program = program.rotated(step)
        squares = squares[step:] + squares[:step]
        if backwards:
            program, squares = program.reversed(), squares[::-1]
    check(program, squares)


@backends
@given(data=st.data(), bands=st.integers(1, 4), cells=st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_windows_agree_with_the_whole(backend: str, data: Any, bands: int, cells: int) -> None:
    program = tour_of_cells(bands, cells, backend)
    squares = expand(program.elements)
    count, cols = len(squares), program.cols
    flat = [row * cols + col for row, col in squares]
    codes = codes_of(squares, closing=True)
    typecode = data.draw(st.sampled_from("iq"))
    first, last = sorted((data.draw(st.integers(0, count)), data.draw(st.integers(0, count))))
    order = array(typecode, [0]) * (last - first)
    program.fill_order(order, first)
    assert order.tolist() == flat[first:last]
    buffer = bytearray(last - first)
    program.codes_into(buffer, first)
    assert buffer == codes[first:last]
    chunk = data.draw(st.integers(1, count + 1))
    chunks = list(program.iter_codes(chunk, closing=True))
    assert b"".join(chunks) == codes
    assert {len(part) for part in chunks[:-1]} <= {chunk}
    grid = [0] * count
    for step, index in enumerate(flat):
        grid[index] = step
    top = data.draw(st.integers(0, program.rows))
    height = data.draw(st.integers(0, program.rows - top))
    window = array(typecode, [0]) * (height * cols)
    program.fill_steps(window, 0, top * program.cols)
    assert window.tolist() == grid[top * cols : (top + height) * cols]
    # The engine fills any range of squares: that is how threads share rows.
    part = array(typecode, [0]) * (last - first)
    if part:
        program._steps().fill(memoryview(part).cast("B"), part.itemsize, 7, first)
    assert part.tolist() == [step + 7 for step in grid[first:last]]


@backends
@pytest.mark.parametrize(
    ("bands", "cells"), [(10**8, 10**8), (1, 10**17), (10**17, 1), (5, 10**16), (3, 10**6)]
)
def test_huge_boards_can_be_asked_anywhere(backend: str, bands: int, cells: int) -> None:
    program = tour_of_cells(bands, cells, backend)
    generator = random.Random(bands + cells)
    steps = [0, 1, len(program) - 1]
    steps += [generator.randrange(len(program) - 1) for _ in range(200)]
    for step in steps:
        square = program.square_at(step)
        assert program.step_of(*square) == step
    for step in steps[3:50]:
        code = next(iter(program.iter_codes(1))) if step == 0 else bytearray(1)
        program.codes_into(memoryview(code), step)
        source, target = program.square_at(step), program.square_at(step + 1)
        assert MOVES[code[0]] == (target[0] - source[0], target[1] - source[1])
        order = array("q", [0] * 100)
        first = min(step, len(program) - 100)
        program.fill_order(order, first)
        assert [divmod(index, program.cols) for index in order] == [
            program.square_at(first + offset) for offset in range(100)
        ]
    for _ in range(50):
        row, col = generator.randrange(program.rows), generator.randrange(program.cols)
        assert program.square_at(program.step_of(row, col)) == (row, col)
    far = program.rotated(len(program) // 3).reversed().transformed("rotate90")
    for step in steps:
        assert far.step_of(*far.square_at(step)) == step
    assert len(far.elements) < 3 * len(program.elements) + 20


@backends
@pytest.mark.parametrize(("bands", "cells"), [(10000, 1), (4000, 2), (1500, 28), (2, 20000)])
def test_narrow_boards(backend: str, bands: int, cells: int) -> None:
    """Tall boards are stored as one long row; windows of them agree with `step_of`."""
    program = tour_of_cells(bands, cells, backend)
    flat = program._steps().tables()[0] != program.cols
    assert flat == (6 * program.cols <= 1024 and len(program) >= 1 << 18)
    program = program.rotated(12345)
    for first in (0, program.rows // 2 + 1, program.rows - 5):
        grid = array("q", [0]) * (5 * program.cols)
        program.fill_steps(grid, 0, first * program.cols)
        width = program.cols
        for index in [*range(0, len(grid), 1 + len(grid) // 3000), len(grid) - 1]:
            assert grid[index] == program.step_of(first + index // width, index % width)


@pytest.mark.skipif(len(BACKENDS) == 1, reason="needs the compiled engine")
@pytest.mark.parametrize(("bands", "cells"), [(300, 300), (100000, 2), (2, 100000)])
def test_threads_write_the_same(bands: int, cells: int) -> None:
    program = tour_of_cells(bands, cells, "core")
    results = []
    for threads in (1, 2, 5):
        order, grid = array("i", [0]) * len(program), array("i", [-1]) * len(program)
        program.fill_order(order, threads=threads)
        program.fill_steps(grid, 0, threads=threads)
        results.append((order, grid))
    assert results[0] == results[1] == results[2]
    order, grid = results[0]
    assert all(grid[order[step]] == step for step in range(0, len(order), 97))
    program.verify()


@backends
def test_programs_are_shared_between_threads(backend: str) -> None:
    program = Program(closed_tour(3, 3), 18, 18, backend=backend)
    squares = expand(program.elements)
    failures = []

    def ask() -> None:
        for step, square in enumerate(squares):
            if program.step_of(*square) != step or program.square_at(step) != square:
                failures.append(step)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@backends
def test_buffers(backend: str) -> None:
    numpy = pytest.importorskip("numpy")
    program = tour_of_cells(2, 3, backend)
    for dtype in (numpy.int32, numpy.int64, numpy.longlong):
        grid = numpy.zeros((12, 18), dtype)
        program.fill_steps(grid)
        assert sorted(grid.ravel().tolist()) == list(range(1, 217))
        assert int(grid[program.square_at(100)]) == 101
        program.fill_order(grid)
        assert grid[0, 0] == 0
    for wrong in (
        numpy.zeros((12, 18), numpy.int16),
        numpy.zeros((12, 18), numpy.float64),
        numpy.zeros((12, 18), numpy.uint32),
        numpy.zeros((12, 18), ">i4" if sys.byteorder == "little" else "<i4"),
        numpy.zeros((18, 12), numpy.int32).T,
        numpy.zeros((12, 36), numpy.int32)[:, ::2],
        numpy.zeros((13, 18), numpy.int32),
        bytearray(216),
        bytes(864),
        [0] * 216,
    ):
        with pytest.raises(InvalidInputError):
            program.fill_steps(wrong)
    with pytest.raises(InvalidInputError):
        program.fill_order(numpy.zeros(217, numpy.int32))
    with pytest.raises(InvalidInputError):
        program.codes_into(numpy.zeros(10, numpy.int32))
    with pytest.raises(InvalidInputError):
        program.codes_into(bytearray(2), 215)


def test_numbers_that_do_not_fit_are_refused() -> None:
    program = tour_of_cells(2, 3)
    out = array("i", [0]) * 216
    program.fill_steps(out, 2**31 - 216)
    assert max(out) == 2**31 - 1
    with pytest.raises(InvalidInputError, match="int32"):
        program.fill_steps(out, 2**31 - 215)
    with pytest.raises(InvalidInputError, match="int32"):
        tour_of_cells(10**4, 10**4).fill_order(out)


@pytest.mark.parametrize(
    ("elements", "rows", "cols"),
    [
        ([], 3, 3),
        ([Lit(())], 3, 3),
        ([Lit(((0, 0), (1, 1)))], 3, 3),
        ([Lit(((0, 0),)), Lit(((1, 1),))], 3, 3),
        ([Lit(((0, 0), (2, 1)))], 2, 2),
        ([Lit(((0, 0), (-2, 1)))], 3, 3),
        ([Rep((Lit(((0, 0), (2, 1))),), 3, (0, 2))], 3, 5),
        ([Rep((Lit(((0, 0), (2, 1))),), 3, (0, 3))], 9, 9),
        ([Rep((Lit(((0, 0),)),), 3, (2, 1))], 9, 9),
        ([Rep((Lit(((0, 0), (2, 1))),), 0, (0, 2))], 9, 9),
        ([Rep((), 2, (0, 2))], 9, 9),
        ([Lit(((0, 0),))], 2**32, 2**31),
        ([Lit(((0, 0),))], 0, 5),
    ],
)
def test_bad_programs_are_refused(elements: list[Any], rows: int, cols: int) -> None:
    with pytest.raises(InvalidInputError):
        Program(elements, rows, cols, complete=False)


def test_a_tour_must_have_the_length_of_the_board() -> None:
    with pytest.raises(InvalidInputError, match="4 squares"):
        Program([Lit(((0, 0), (2, 1), (0, 2), (2, 3)))], 3, 4)
    assert len(Program([Lit(((0, 0),))], 1, 1)) == 1


@backends
def test_questions_off_the_walk_are_refused(backend: str) -> None:
    program = Program([Lit(((0, 0), (2, 1)))], 3, 2, complete=False, backend=backend)
    for step in (-1, 2):
        with pytest.raises(InvalidInputError):
            program.square_at(step)
    for square in ((-1, 0), (0, -1), (3, 0), (0, 2), (1, 1)):
        with pytest.raises(InvalidInputError):
            program.step_of(*square)
    with pytest.raises(InvalidInputError):
        Program([Lit(((0, 0), (2, 1), (0, 2)))], 3, 3, complete=False).rotated(1)
    with pytest.raises(InvalidInputError):
        program.transformed("rotate45")
    with pytest.raises(InvalidInputError):
        program.iter_codes(0)


@backends
def test_verify_finds_a_repeated_square(backend: str) -> None:
    there_and_back = Lit(((0, 0), (2, 1), (0, 0), (1, 2)))
    program = Program([there_and_back], 3, 3, complete=False, backend=backend)
    with pytest.raises(InvalidTourError, match="step 2"):
        program.verify()


@backends
def test_verify_reports_progress(backend: str) -> None:
    calls: list[tuple[int, int]] = []
    tour_of_cells(2, 2, backend).verify(lambda done, total: calls.append((done, total)))
    assert calls == [(144, 144)]


@backends
def test_programs_pickle_and_copy(backend: str) -> None:
    program = tour_of_cells(2, 3, backend).rotated(50)
    for twin in (pickle.loads(pickle.dumps(program)), copy.copy(program), copy.deepcopy(program)):
        assert twin.elements == program.elements
        assert b"".join(twin.iter_codes()) == b"".join(program.iter_codes())


@pytest.mark.skipif(
    len(BACKENDS) == 1 or not hasattr(signal, "setitimer"), reason="needs the engine and a timer"
)
def test_work_can_be_interrupted() -> None:
    """A signal stops the writers long before they are done."""
    program = tour_of_cells(5000, 5000, "core")
    out = array("q", [0]) * (6 * 10**7)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for threads in (1, 2):
            for call in (
                lambda threads=threads: program.fill_order(out, 12345, threads=threads),
                lambda threads=threads: program.fill_steps(out, 1, 7 * 30000, threads=threads),
                lambda: program.verify(),
            ):
                signal.setitimer(signal.ITIMER_REAL, 0.004)
                with pytest.raises(KeyboardInterrupt):
                    call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_walk_says_what_it_is_and_equal_ones_are_one() -> None:
    ring = Lit(((0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)))
    program = Program([ring], 3, 3, complete=False)
    assert repr(program) == "<Program 3x3, (0, 0) to (2, 1)>"
    assert len({program, Program([ring], 3, 3, complete=False)}) == 1
    with pytest.raises(InvalidInputError, match="no step 8: steps run from 0 to 7"):
        program.rotated(8)
    assert program.rotated(7).start == (2, 1)
    opened = Program([Lit(ring.squares[:-1])], 3, 3, complete=False)
    with pytest.raises(
        InvalidInputError, match=r"no closing move: \(0, 2\) is no knight move from"
    ):
        opened.iter_codes(closing=True)
