"""Counts against published numbers, against each other, against brute force and a reflection."""

import itertools
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour.board import Board
from knighttour.counting import convention, count, count_lengths, count_plan
from knighttour.elimination import problem_of
from knighttour.errors import InvalidInputError, SearchLimitError
from knighttour.occurrences import edge_counts, end_counts
from knighttour.residues import chinese_remainder, primes_below
from knighttour.sampling import sample

DATA = Path(__file__).parent / "data"
COUNTS = tomllib.loads((DATA / "counts.toml").read_text("utf-8"))["count"]
SMALL = json.loads((DATA / "small_boards.json").read_text("utf-8"))["boards"]
PAIRS = json.loads((DATA / "start_end_pairs.json").read_text("utf-8"))["boards"]


def brute_force(neighbours, start=None, end=None, closed=False):
    """Count directed paths, or cycles once each, by walking them all."""
    total = len(neighbours)

    def walk(here, seen, goal):
        if len(seen) == total:
            return goal is None or (goal in neighbours[here] if closed else here == goal)
        return sum(walk(n, seen | {n}, goal) for n in neighbours[here] if n not in seen)

    if closed:
        return walk(0, frozenset([0]), 0) // 2
    starts = range(total) if start is None else [start]
    return sum(walk(first, frozenset([first]), end) for first in starts)


def graph_of(board):
    squares = list(board.squares)
    index = {square: number for number, square in enumerate(squares)}
    return [[index[other] for other in board.neighbours(square)] for square in squares]


def is_quick(entry, kind, backend):
    rows, cols = entry["board"]
    squares = rows * cols
    if backend == "pure":
        return squares <= 30 and (rows <= 4 or kind == "closed")
    return rows <= 6 if kind == "closed" else rows <= 5 or squares <= 36


@pytest.mark.parametrize("kind", ["closed", "directed"])
@pytest.mark.parametrize("entry", COUNTS, ids=lambda entry: "x".join(map(str, entry["board"])))
def test_published_counts(entry, kind, backend):
    if kind not in entry or not is_quick(entry, kind, backend):
        pytest.skip("in the slow tests, or not known")
    rows, cols = entry["board"]
    assert count((rows, cols), closed=kind == "closed", backend=backend) == entry[kind]
    if rows * cols <= 100:
        assert count((cols, rows), closed=kind == "closed", backend=backend) == entry[kind]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["closed", "directed"])
@pytest.mark.parametrize("entry", COUNTS, ids=lambda entry: "x".join(map(str, entry["board"])))
def test_published_counts_of_large_boards(entry, kind):
    if kind not in entry or is_quick(entry, kind, "core"):
        pytest.skip("in the quick tests, or not known")
    plan = count_plan(tuple(entry["board"]), closed=kind == "closed")
    if plan.width is None:
        pytest.skip("does not fit into the memory of this machine")
    if plan.seconds > 3600:
        pytest.skip("takes more than an hour")
    assert count(tuple(entry["board"]), closed=kind == "closed", backend="core") == entry[kind]


def test_counts_of_every_start(backend):
    most = 5000 if backend == "core" else 200
    for board in SMALL:
        size = board["m"], board["n"]
        if int(board["open_directed"]) > most or "starts" not in board:
            continue
        assert count(size, backend=backend) == int(board["open_directed"])
        assert count(size, closed=True, backend=backend) == int(board["closed_undirected"])
        for row, col in itertools.product(*map(range, size)):
            expected = int(board["starts"][row][col])
            if backend == "pure" and (row > size[0] // 2 or col > size[1] // 2):
                continue
            assert count(size, start=(row, col), backend=backend) == expected
            assert count(size, end=(row, col), backend=backend) == expected
            assert count(size[::-1], start=(col, row), backend=backend) == expected


@pytest.mark.parametrize("size", [(3, 4), (3, 7), (4, 5), (5, 5), (4, 7), (5, 6), (6, 6)])
def test_counts_of_every_pair_of_ends(size, backend):
    board = next(board for board in PAIRS if [board["m"], board["n"]] == list(size))
    pairs = board["pair_counts"]
    step = {"core": 17, "pure": 97}[backend]
    if backend == "pure" and math.prod(size) > 25:
        pytest.skip("slow in pure Python")
    for r1, c1, r2, c2, text in pairs[::step] if len(pairs) > 40 else pairs:
        expected = int(text)
        assert count(size, start=(r1, c1), end=(r2, c2), backend=backend) == expected
        assert count(size, start=(r2, c2), end=(r1, c1), backend=backend) == expected
        assert count(size[::-1], start=(c1, r1), end=(c2, r2), backend=backend) == expected


def test_pairs_of_ends_add_up(backend):
    for size in [(3, 4), (4, 5) if backend == "pure" else (5, 5)]:
        squares = list(Board(*size).squares)
        total = sum(
            count(size, start=a, end=b, backend=backend) for a in squares for b in squares if a != b
        )
        assert total == count(size, backend=backend)


def test_the_convention_of_5x5(backend):
    assert count("5x5", start=(0, 0), backend=backend) == 304
    assert count("5x5", backend=backend) == 1728
    assert count("5x5", directed=True, backend=backend) == 1728
    assert count("5x5", directed=False, backend=backend) == 864
    assert count("5x5", start=(0, 0), end=(4, 4), backend=backend) == 56
    assert count("5x5", start=(0, 0), end=(0, 4), backend=backend) == 60
    assert count("5x5", start=(0, 1), backend=backend) == 0
    assert count("5x5", closed=True, backend=backend) == 0


def test_the_convention_of_6x6(core):
    assert count("6x6", backend="core") == 6637920
    assert count("6x6", closed=True, backend="core") == 9862
    assert count("6x6", closed=True, directed=True, backend="core") == 19724
    assert count("6x6", closed=True, start=(2, 3), backend="core") == 9862
    # Strictly open: each closed tour can be opened at any of its 36 moves, in both directions.
    assert 6637920 - 36 * 19724 == 5927856
    assert count("6x6", start=(0, 0), backend="core") == 524486


@pytest.mark.parametrize(
    ("size", "directed", "corner"),
    [
        ((3, 4), 16, 2), ((3, 7), 104, 8), ((3, 8), 792, 82), ((3, 9), 1120, 172),
        ((4, 5), 164, 32), ((4, 6), 1488, 220), ((4, 7), 12756, 1682), ((5, 5), 1728, 304),
        ((5, 6), 37568, 4542),
    ],
)  # fmt: skip
def test_totals_and_those_from_the_corner(size, directed, corner):
    for shape in (size, size[::-1]):
        assert count(shape) == directed
        assert count(shape, start=(0, 0)) == corner
        assert count(shape, start=(shape[0] - 1, shape[1] - 1)) == corner


def test_closed_through_a_move_is_part_of_closed(backend):
    size = (3, 10) if backend == "pure" else (6, 6)
    board = Board(*size)
    total = count(size, closed=True, backend=backend)
    # Every tour leaves a square by two of its moves.
    through = [
        count(size, closed=True, start=(0, 1), end=other, backend=backend)
        for other in board.neighbours((0, 1))
    ]
    assert sum(through) == 2 * total
    both = count(size, closed=True, directed=True, start=(0, 0), end=(1, 2), backend=backend)
    assert both == 2 * total
    assert count(size, closed=True, start=(0, 0), end=(1, 1), backend=backend) == 0


def test_trivial_boards(backend):
    assert count("1x1", backend=backend) == 1
    assert count("1x1", start=(0, 0), end=(0, 0), backend=backend) == 1
    assert count("1x1", closed=True, backend=backend) == 0
    for size in [(1, 2), (2, 1), (1, 7), (2, 9), (9, 2), (3, 3), (4, 4), (2, 10**9)]:
        assert count(size, backend=backend) == 0
        assert count(size, closed=True, backend=backend) == 0
    assert count("9x9", closed=True, backend=backend) == 0
    assert count("5x6", start=(0, 0), end=(0, 0), backend=backend) == 0


class Leaper:
    """A board of any shape and any leaper, as the counting code sees a board."""

    def __init__(self, rows, cols, leaper=(1, 2), holes=(), wrap=False):
        self.rows, self.cols, self.shape = rows, cols, (rows, cols)
        self.squares = [s for s in itertools.product(range(rows), range(cols)) if s not in holes]
        a, b = leaper
        self.moves = sorted(
            {(i * p, j * q) for p, q in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}
        )
        self.wrap = wrap

    def neighbours(self, square):
        found = []
        for drow, dcol in self.moves:
            row, col = square[0] + drow, square[1] + dcol
            if self.wrap:
                row, col = row % self.rows, col % self.cols
            if (row, col) in self.squares and (row, col) != square and (row, col) not in found:
                found.append((row, col))
        return found


SHAPES = {
    "hole": Leaper(3, 3, holes=[(1, 1)]),
    "corners": Leaper(5, 5, holes=[(0, 0), (4, 4)]),
    "cross": Leaper(4, 5, holes=[(1, 2), (2, 2)]),
    "king without rook": Leaper(3, 4, leaper=(1, 1)),
    "rook": Leaper(4, 4, leaper=(0, 1)),
    "rook 5x3": Leaper(5, 3, leaper=(0, 1)),
    "camel": Leaper(4, 4, leaper=(1, 3)),
    "torus": Leaper(3, 4, wrap=True),
    "odd torus": Leaper(3, 3, wrap=True),
}


@pytest.mark.parametrize("name", SHAPES)
def test_boards_of_any_shape_against_brute_force(name, engine):
    board = SHAPES[name]
    graph = graph_of(board)
    squares = list(board.squares)

    def cycles(*question):
        problem = problem_of(board, *question)
        if problem is None:
            return 0
        if engine.name == "pure":
            return engine.counting.count_cycles(problem)
        from knighttour.dense import Blueprint, Sweep

        sweep = Sweep(Blueprint(problem, engine.counting), 8, 0)
        while sweep.step():
            pass
        return sweep.total

    assert cycles(None, None, True) == brute_force(graph, closed=True)
    last = len(squares) - 1
    assert cycles(squares[0], None, False) == brute_force(graph, start=0)
    assert cycles(squares[0], squares[last], False) == brute_force(graph, start=0, end=last)
    if len(squares) < 14:
        assert 2 * cycles(None, None, False) == brute_force(graph)


def test_rectangles_against_brute_force(backend):
    for rows, cols in itertools.product(range(1, 6), range(1, 6)):
        if rows * cols > (20 if backend == "core" else 16):
            continue
        graph = graph_of(Board(rows, cols))
        assert count((rows, cols), backend=backend) == brute_force(graph)
        expected = brute_force(graph, closed=True) if rows * cols > 2 else 0
        assert count((rows, cols), closed=True, backend=backend) == expected


def test_moves_add_up():
    for size, closed in [((5, 6), True), ((6, 6), True), ((3, 7), False), ((5, 5), False)]:
        counts = edge_counts(size, closed=closed)
        total = count(size, closed=closed, directed=False)
        board = Board(*size)
        assert len(counts) == sum(board.degree(square) for square in board.squares) // 2
        assert sum(counts.values()) == total * (board.size - (not closed))
        for (a, b), ways in counts.items():
            assert a < b
            mirrored = sorted(((a[0], size[1] - 1 - a[1]), (b[0], size[1] - 1 - b[1])))
            assert counts[tuple(mirrored)] == ways
    assert edge_counts((6, 6), closed=True)[(2, 3), (4, 2)] == count(
        (6, 6), closed=True, start=(4, 2), end=(2, 3)
    )


def test_ends_add_up(backend):
    for size in [(3, 4), (4, 5), (5, 4)]:
        counts = end_counts(size, backend=backend)
        assert sum(counts.values()) == count(size, backend=backend)
        assert counts[1, 2] == count(size, start=(1, 2), backend=backend)
    assert end_counts("1x1", backend=backend) == {(0, 0): 1}


def test_moves_of_a_board_without_tours():
    assert set(edge_counts("4x4", closed=True).values()) == {0}
    assert edge_counts("1x1") == {}


@pytest.mark.parametrize("width", [2, 4, 8])
def test_every_width_and_number_of_threads_agrees(width):
    knighttour_core = pytest.importorskip("knighttour._counting")
    from knighttour.dense import Blueprint, Sweep

    for size, closed, expected in [
        ((6, 8), True, 55488142),
        ((5, 7), False, 622868),
        ((7, 6), True, 1067638),
    ]:
        problem = problem_of(Board(*size), None, None, closed)
        prime = next(primes_below({2: 2**16, 4: 2**31, 8: 2**63}[width]))
        for threads in (1, 3):
            sweep = Sweep(Blueprint(problem, knighttour_core), width, prime, threads)
            while sweep.step():
                pass
            assert sweep.total == expected % prime


def test_an_overflow_is_noticed():
    knighttour_core = pytest.importorskip("knighttour._counting")
    from knighttour.dense import Blueprint, Sweep

    for width, size, overflows in [
        (2, (6, 6), False), (2, (6, 7), True), (4, (6, 8), False), (4, (6, 10), True),
        (8, (6, 10), False), (8, (5, 26), True),
    ]:  # fmt: skip
        problem = problem_of(Board(*size), None, None, True)
        sweep = Sweep(Blueprint(problem, knighttour_core), width, 0)
        while sweep.step():
            pass
        assert sweep.has_overflowed == overflows
        assert overflows or sweep.total == count(size, closed=True)


def test_numbers_beyond_64_bits():
    # By 2 x 2^64 too small in one published list, so often is this done in 64 bits.
    assert count("5x26", closed=True) == count("26x5", closed=True) > 2**64


def test_chinese_remainder():
    for number in (0, 1, 65520, 65521, 2**64, 3**200):
        asked = []

        def residues(primes, number=number, asked=asked):
            asked.extend(primes)
            return [number % prime for prime in primes]

        assert chinese_remainder(residues, primes_below(2**16), 2) == number
        assert math.prod(asked[:-1]) > number  # one more than needed


def test_primes():
    assert list(primes_below(30)) == [29, 23, 19, 17, 13, 11, 7, 5, 3, 2]
    assert next(primes_below(2**31)) == 2**31 - 1
    assert next(primes_below(2**63)) == 2**63 - 25


def test_the_convention_in_words():
    assert convention(start=False, end=False, closed=False).startswith("open tours, in both dir")
    assert "each once" in convention(start=False, end=False, closed=False, directed=False)
    assert "both directions" in convention(start=True, end=True, closed=True, directed=True)
    assert "to the end" in convention(start=True, end=True, closed=False)


@pytest.mark.parametrize(
    "question",
    [
        {"board": "0x5"}, {"board": "5x6", "start": (5, 0)}, {"board": "5x6", "end": "z9"},
        {"board": "5x6", "closed": 1}, {"board": "5x6", "directed": "yes"},
        {"board": "5x6", "memory_limit": 0}, {"board": "5x6", "memory_limit": True},
        {"board": "5x6", "memory_limit": "2 GB"}, {"board": "5x6", "threads": 0},
        {"board": "5x6", "timeout": -1}, {"board": "5x6", "backend": "fast"},
        {"board": "1000x1000"},
    ],
)  # fmt: skip
def test_bad_input(question):
    with pytest.raises(InvalidInputError):
        count(**question)


def test_too_little_memory_is_refused_before_the_start(core):
    began = time.monotonic()
    with pytest.raises(SearchLimitError, match="153,785,940 states"):
        count("8x8", closed=True, memory_limit=100 * 2**20, backend="core")
    with pytest.raises(SearchLimitError, match="TiB"):
        count("10x10", memory_limit=2**34, backend="core")
    assert time.monotonic() - began < 2


def test_a_narrower_width_is_chosen_for_little_memory(core):
    assert count_plan("8x8", closed=True, memory_limit=4 * 2**30).width == 8
    assert count_plan("8x8", closed=True, memory_limit=2**30).width == 4
    assert count_plan("8x8", closed=True, memory_limit=2**29).width == 2
    limit = count_plan("6x8", memory_limit=2**40).forecast.memory(2)
    assert count("6x7", closed=True, memory_limit=limit, backend=core) == 1067638


def test_the_forecast_is_exact():
    knighttour_core = pytest.importorskip("knighttour._counting")
    from knighttour.dense import Blueprint, Sweep
    from knighttour.predictor import forecast

    for size, start, closed in [
        ((5, 6), None, True), ((6, 5), None, False), ((7, 6), None, True), ((5, 5), None, False),
        ((5, 7), (0, 0), False), ((6, 8), None, True), ((3, 10), None, False),
    ]:  # fmt: skip
        problem = problem_of(Board(*size), start, None, closed)
        blueprint = Blueprint(problem, knighttour_core)
        cost = forecast(problem)
        sizes = [blueprint.layout(number + 1).states for number in range(blueprint.steps)]
        assert [step.states for step in cost.steps] == sizes
        sweep = Sweep(blueprint, 8, 0)
        for step in cost.steps:
            before = sweep.transitions
            sweep.step()
            # Half of a layer is not exactly half of the transitions of the first of a pair.
            assert sweep.transitions - before <= 1.05 * step.transitions + 2


def test_progress_rises_to_the_end(backend):
    told = []
    size = (4, 6) if backend == "pure" else (7, 8)
    count(size, closed=backend == "core", progress=told.append, backend=backend)
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert told[-1].steps >= told[-1].step > told[-1].steps // 2
    assert all(progress.elapsed >= 0 and progress.remaining >= 0 for progress in told)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize("call", ["count('8x10', ", "count('6x3000', ", "count_lengths(7, 600, "])
def test_control_c_ends_a_count_at_once(call):
    pytest.importorskip("knighttour._counting")
    code = (
        "import sys\nfrom knighttour.counting import count, count_lengths\n"
        "print('go', flush=True)\n"
        f"{call} closed=True, memory_limit=2**40, backend='core')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout.read(2) == b"go"
        time.sleep(1.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
        # A tenth of a second on a quiet machine, and then the interpreter has to end.
        assert time.monotonic() - began < 2
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in error


holes = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=6)


@settings(deadline=None, max_examples=40)
@given(holes, st.booleans(), st.data())
def test_both_engines_agree_on_boards_with_holes(missing, closed, data):
    core = pytest.importorskip("knighttour._counting")
    from knighttour import _counting_py
    from knighttour.dense import Blueprint, Sweep

    leaper = data.draw(st.sampled_from([(1, 2), (1, 1), (0, 1), (1, 3)]))
    board = Leaper(4, 5, leaper=leaper, holes=missing)
    ends = st.none() | st.sampled_from(board.squares)
    problem = problem_of(board, data.draw(ends), data.draw(ends), closed)
    if problem is None or len(board.squares) == 1:
        return
    sweep = Sweep(Blueprint(problem, core), 8, 0)
    while sweep.step():
        pass
    assert sweep.total == _counting_py.count_cycles(problem)
    assert _counting_py.count_cycles(problem, 7) == sweep.total % 7


def test_timeout(backend):
    began = time.monotonic()
    with pytest.raises(SearchLimitError, match="timeout"):
        count("8x10", timeout=0.3, memory_limit=2**40, backend=backend)
    assert time.monotonic() - began < 3


def test_an_exception_in_progress_ends_the_count(backend):
    class EnoughError(Exception):
        pass

    def progress(_):
        raise EnoughError

    before = threading.active_count()
    with pytest.raises(EnoughError):
        count("7x7", progress=progress, backend=backend)
    assert threading.active_count() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    [board for board in SMALL if "starts" in board],
    ids=lambda board: f"{board['m']}x{board['n']}",
)
def test_counts_of_every_start_of_every_board(board):
    size = board["m"], board["n"]
    assert count(size, backend="core") == int(board["open_directed"])
    assert count(size, closed=True, backend="core") == int(board["closed_undirected"])
    for row, col in itertools.product(range((size[0] + 1) // 2), range((size[1] + 1) // 2)):
        expected = int(board["starts"][row][col])
        assert count(size, start=(row, col), backend="core") == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    [board for board in PAIRS if board.get("pair_counts")],
    ids=lambda board: f"{board['m']}x{board['n']}",
)
def test_counts_of_every_pair_of_every_board(board):
    size = board["m"], board["n"]
    for r1, c1, r2, c2, expected in board["pair_counts"]:
        assert count(size, start=(r1, c1), end=(r2, c2), backend="core") == int(expected)


GUESSERS = ("questions", "counting", "occurrences", "sampling")


@pytest.mark.parametrize("guess", [40.0, 70.0, 200.0])
def test_a_wrong_guess_of_the_size_costs_time_and_nothing_else(guess, core, monkeypatch):
    # 64 bits overflow where 40 are expected; then it is counted modulo primes, as with 70 and 200.
    board = Board(5, 20, holes=[(3, 0), (4, 0)])
    number = 71453911900663391532
    assert number > 2**64
    drawn = list(sample(board, 2, closed=True, seed=5, backend=core))
    for module in GUESSERS:
        monkeypatch.setattr(f"knighttour.{module}.bits_expected", lambda _: guess)
    assert count(board, closed=True, backend=core) == number
    # Every tour has as many moves as the board has squares.
    assert sum(edge_counts(board, closed=True, backend=core).values()) == 98 * number
    assert list(sample(board, 2, closed=True, seed=5, backend=core)) == drawn


def test_a_wrong_guess_of_the_size_of_a_count_through_files(core, monkeypatch, tmp_path):
    monkeypatch.setattr("knighttour.files.os.fsync", lambda _: None)  # nothing is to be kept
    for module in GUESSERS:
        monkeypatch.setattr(f"knighttour.{module}.bits_expected", lambda _: 40.0)
    board = Board(5, 20, holes=[(3, 0), (4, 0)])
    assert count(board, closed=True, checkpoint=tmp_path, backend=core) == 71453911900663391532


def test_a_wrong_guess_of_the_size_of_counts_of_all_lengths(core, monkeypatch):
    expected = count_lengths(5, 26, closed=True, backend=core)
    assert expected[18] < 2**64 < expected[20]
    monkeypatch.setattr("knighttour.questions.bits_of_strip", lambda *_: 40.0)
    assert count_lengths(5, 26, closed=True, backend=core) == expected


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2"])
def test_what_is_no_number_of_threads_is_refused(threads, backend):
    with pytest.raises(InvalidInputError, match="is not a number of threads: use 1 or more"):
        count("5x5", threads=threads, backend=backend)
