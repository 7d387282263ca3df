"""Tours of boards of any shape: found, proved impossible, or given up, never mixed."""

import contextlib
import json
import pickle
import random
import sys
import time
from array import array
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import (
    Board,
    InvalidInputError,
    NoTourError,
    SearchLimitError,
    Strategy,
    Tour,
    complete,
    random_tour,
    shapes,
    tour,
    tours,
)
from knighttour._engine import BACKENDS, get_engine
from knighttour.limits import UNLIMITED, Limits

# From the project's page on shapes: 40 boards, each verdict confirmed by two independent methods.
FACTS = json.loads((Path(__file__).parent / "data" / "irregular_boards.json").read_text())
BOARDS = [fact for fact in FACTS if not fact["clues"]]
PUZZLES = [fact for fact in FACTS if fact["clues"]]
WRAPS = {"": None, "x": "cols", "y": "rows", "xy": "torus"}


def board_of(fact):
    if fact["rule"].startswith("xiangqi"):
        ranks = ["".join("p" if c == "#" else "1" for c in row) for row in fact["rows"]]
        return Board.from_fen("/".join(ranks))
    wrap = WRAPS["".join(fact["wrap"])]
    return Board.parse("\n".join(fact["rows"]), leaper=fact["leaper"], wrap=wrap)


def swapped(square):
    return None if square is None else (square[1], square[0])


def check(squares, board, start=None, end=None, closed=False):
    """Assert that a list is a tour, by the neighbours of the board alone."""
    squares = [tuple(square) for square in squares]
    assert sorted(squares) == list(board.squares)
    for here, there in pairwise(squares):
        assert there in board.neighbours(here)
    assert start is None or squares[0] == start
    assert end is None or squares[-1] == end
    assert not closed or squares[0] in board.neighbours(squares[-1])


def find(board, backend, *args, timeout=20, **options):
    return shapes.find(
        get_engine(backend), board, *args, limits=Limits.of(None, timeout), **options
    )


def verdict(board, start, end, closed):
    """Decide by trying everything, breadth first over (visited squares, last square)."""
    near = [[board.squares.index(w) for w in board.neighbours(v)] for v in board.squares]
    n = len(near)
    if (n <= 2 and closed) or n == 0:
        return False
    index = board.squares.index
    for first in range(n) if start is None else [index(start)]:
        reached = {(1 << first, first)}
        for _ in range(n - 1):
            reached = {
                (seen | 1 << w, w) for seen, v in reached for w in near[v] if not seen >> w & 1
            }
        for _, last in reached:
            if (end is None or index(end) == last) and (not closed or first in near[last]):
                return True
        if closed and end is None:
            return False
    return False


@pytest.mark.parametrize("fact", BOARDS, ids=lambda fact: fact["name"])
def test_the_forty_boards_are_answered_as_stated(fact, backend):
    board = board_of(fact)
    start, end = swapped(fact["start"]), swapped(fact["end"])
    if fact["feasible"]:
        found = find(board, backend, start, end, closed=fact["closed"])
        check(found, board, start, end, fact["closed"])
        assert len(found) == fact["squares"]
    else:
        with pytest.raises(NoTourError) as caught:
            find(board, backend, start, end, closed=fact["closed"])
        assert caught.value.reason
        assert all(square in board for square in caught.value.squares)
        assert pickle.loads(pickle.dumps(caught.value)).squares == caught.value.squares


@pytest.mark.parametrize("fact", BOARDS, ids=lambda fact: fact["name"])
def test_the_transposed_boards_are_answered_alike(fact):
    board = board_of(fact).transformed("transpose")
    start, end = fact["start"], fact["end"]
    start, end = start and tuple(start), end and tuple(end)
    if fact["feasible"]:
        check(
            find(board, None, start, end, closed=fact["closed"]), board, start, end, fact["closed"]
        )
    else:
        with pytest.raises(NoTourError):
            find(board, None, start, end, closed=fact["closed"])


@pytest.mark.parametrize(
    "fact",
    [fact for fact in BOARDS if fact["count"] and fact["count"] < 20_000],
    ids=lambda fact: fact["name"],
)
def test_the_exact_search_counts_what_was_counted(fact):
    engine, board = get_engine(), board_of(fact)
    start, end = swapped(fact["start"]), swapped(fact["end"])
    question = shapes._ask(engine, board, start, end, fact["closed"])
    search = shapes._Solver(question, 0, None).build(question.directed).search
    search.restart(0)
    found = 0
    while (status := search.run(1 << 20)) != 2:
        found += status == 1
    assert found == fact["count"]


def test_the_exact_search_counts_closed_6x6(backend):
    engine = get_engine(backend)
    question = shapes._ask(engine, Board(6, 6), None, None, True)
    search = shapes._Solver(question, 0, None).build(False).search
    search.restart(0)
    found = 0
    limit = 9862 if engine.name == "core" else 100
    while found < limit and (status := search.run(1 << 20)) != 2:
        found += status == 1
    assert found == limit
    if engine.name == "core":
        assert search.run(1 << 20) == 2


@pytest.mark.parametrize("seed", range(6))
def test_random_boards_agree_with_trying_everything(seed, backend):
    random_source = random.Random(seed)
    for _ in range(40 if backend == "core" else 12):
        board = random_board(random_source)
        closed = random_source.random() < 0.4
        squares = list(board.squares)
        start = random_source.choice(squares) if squares and random_source.random() < 0.4 else None
        end = random_source.choice(squares) if squares and random_source.random() < 0.3 else None
        if start == end and len(squares) > 1:
            end = None
        expected = verdict(board, start, end, closed)
        try:
            check(find(board, backend, start, end, closed=closed), board, start, end, closed)
            actual = True
        except NoTourError:
            actual = False
        assert actual == expected, (board, start, end, closed)


@pytest.mark.parametrize("seed", range(3))
def test_the_two_factor_part_alone_agrees_too(seed, monkeypatch):
    for name in ("small", "middle", "large"):
        monkeypatch.setattr(shapes._Solver, name, 0)
    random_source = random.Random(1000 + seed)
    decided = 0
    for _ in range(60):
        board = random_board(random_source)
        closed = random_source.random() < 0.5
        expected = verdict(board, None, None, closed)
        try:
            check(find(board, None, closed=closed, timeout=2), board, closed=closed)
            actual = True
        except NoTourError:
            actual = False
        except SearchLimitError:
            continue
        decided += 1
        assert actual == expected, (board, closed)
    assert decided >= 55


def random_board(source):
    """A board of at most 13 squares or so, of a random kind."""
    rows, cols = source.choice([(3, 4), (4, 3), (3, 5), (5, 3), (2, 6), (4, 4), (1, 6), (3, 3)])
    kind = source.choice(["holes", "holes", "wrap", "leaper", "fen", "fen"])
    share = source.choice([0, 0.05, 0.1, 0.2, 0.3])
    if kind == "fen":
        inside = {(r, c) for r in range(rows) for c in range(cols)}
        pieces = {square for square in inside if source.random() < share}
        fen = "/".join(
            "".join(
                "p" if (r, c) in pieces or ((r, c) not in inside and source.random() < 0.3) else "1"
                for c in range(9)
            )
            for r in range(10)
        )
        return Board.from_fen(fen, points=sorted(inside - pieces)[:13])
    holes = [(r, c) for r in range(rows) for c in range(cols) if source.random() < share]
    while rows * cols - len(holes) > 13:
        holes.append(source.choice([(r, c) for r in range(rows) for c in range(cols)]))
        holes = sorted(set(holes))
    leaper = source.choice([(1, 4), (2, 3), (0, 1), (1, 1), (1, 3)]) if kind == "leaper" else (1, 2)
    wrap = source.choice(["rows", "cols", "torus"]) if kind != "holes" else None
    return Board(rows, cols, holes=holes, leaper=leaper, wrap=wrap)


@pytest.mark.slow
def test_two_thousand_random_boards_agree_with_a_sat_solver():
    solvers = pytest.importorskip("pysat.solvers")
    source = random.Random(6)
    compared = 0
    for _ in range(2000):
        board = random_board(source)
        closed = source.random() < 0.4
        squares = list(board.squares)
        if len(squares) < 3:
            continue
        expected = sat_verdict(solvers, board, closed)
        try:
            find(board, None, closed=closed)
            actual = True
        except NoTourError:
            actual = False
        assert actual == expected, (board, closed)
        compared += 1
    assert compared > 1500


def sat_verdict(solvers, board, closed, conflicts=-1):
    """Successor variables, cycles cut off one after the other; None after so many conflicts."""
    index = {square: k for k, square in enumerate(board.squares)}
    n = len(index)
    arcs = [(index[v], index[w]) for v in index for w in board.neighbours(v)]
    if not closed:
        arcs += [(n, v) for v in range(n)] + [(v, n) for v in range(n)]
        n += 1
    variable = {arc: k for k, arc in enumerate(arcs, 1)}
    with solvers.Glucose4() as solver:
        solver.conf_budget(conflicts)
        for side in (0, 1):
            for v in range(n):
                choices = [variable[arc] for arc in arcs if arc[side] == v]
                solver.add_clause(choices)
                for k, one in enumerate(choices):
                    for other in choices[:k]:
                        solver.add_clause([-one, -other])
        while (solved := solver.solve_limited()) is not False:
            if solved is None:
                return None
            chosen = {k for k in solver.get_model() if k > 0}
            following = dict(arc for arc in arcs if variable[arc] in chosen)
            cycle = [0]
            while following[cycle[-1]] != 0:
                cycle.append(following[cycle[-1]])
            if len(cycle) == n:
                return True
            inside = set(cycle)
            solver.add_clause([variable[u, w] for u, w in arcs if u in inside and w not in inside])
    return False


# Both engines


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "board",
    [
        Board(8, 8, holes=["d4", "e4"]),
        Board(20, 20, holes=[(3, 4), (9, 9), (10, 3), (15, 16)]),
        Board(25, 27, wrap="torus"),
        Board(9, 9, wrap="torus"),
        Board(14, 14, leaper=(1, 4)),
        Board.ring(24, 6),
        Board.from_fen("9/9/9/9/4p4/9/9/9/9/9", leg_rule=False),
        Board.from_fen("9/9/9/3p5/9/9/9/9/9/9"),
        Board.cross(8, 8),
    ],
    ids=str,
)
def test_both_engines_find_the_same_tour(board, closed):
    answers = []
    for name in ("core", "pure"):
        try:
            get_engine(name)
        except InvalidInputError:
            pytest.skip("no compiled core")
        try:
            found = find(board, name, closed=closed, seed=5)
            answers.append((found.tolist(), found.stats.method, found.stats.nodes))
        except NoTourError as error:
            answers.append((error.reason, str(error), error.squares))
    assert answers[0] == answers[1]


@given(
    mask=st.integers(3, 9).flatmap(
        lambda cols: st.lists(
            st.lists(st.sampled_from([1, 1, 1, 1, 1, 0]), min_size=cols, max_size=cols),
            min_size=3,
            max_size=9,
        )
    ),
    wrap=st.sampled_from([None, None, "rows", "torus"]),
    closed=st.booleans(),
    seed=st.integers(0, 2**64 - 1),
    mixing=st.sampled_from([0, 0, 2]),
)
@settings(deadline=None, max_examples=60)
def test_the_engines_are_twins(mask, wrap, closed, seed, mixing):
    board = Board.from_mask(mask, wrap=wrap)
    answers = []
    for name in BACKENDS:
        try:
            engine = get_engine(name)
        except InvalidInputError:
            return
        limits = Limits.of(3000, None)
        try:
            found = shapes.find(
                engine, board, closed=closed, seed=seed, mixing=mixing, limits=limits
            )
            check(found, board, closed=closed)
            answers.append((found.tolist(), found.stats.method, found.stats.nodes))
        except NoTourError as error:
            answers.append((error.reason, str(error), error.squares))
        except SearchLimitError as error:
            answers.append(error.stats.nodes)
    assert answers[0] == answers[1]


# Public cases


def test_f18_a_leaper_that_keeps_its_colour(backend):
    for board in (
        Board(10, 10, leaper=(1, 3)),
        Board(7, 9, leaper=(2, 4)),
        Board(1, 2, leaper=(1, 1)),
    ):
        with pytest.raises(NoTourError) as caught:
            tour(board=board, backend=backend)
        assert caught.value.reason in ("leaper-keeps-its-colour", "isolated-square")
    assert len(tour(board=Board(1, 1, leaper=(1, 3)), backend=backend)) == 1


def test_f19_the_ring_of_eight(backend):
    board = Board(3, 3, holes=[(1, 1)])
    found = tour((0, 0), board, backend=backend)
    check(found, board, start=(0, 0))
    assert str(found) == "1 6 3\n4 # 8\n7 2 5"
    assert found.grid() == [[1, 6, 3], [4, 0, 8], [7, 2, 5]]
    assert found.steps().tolist() == [0, 5, 2, 3, -1, 7, 6, 1, 4]
    assert found.closed
    assert found.index((2, 2)) == 4


def test_f25_half_of_the_moves_never_give_a_part_filled_board(backend):
    half = ((2, 1), (1, 2), (-1, 2), (-2, 1))
    with pytest.raises(InvalidInputError, match="eight"):
        Strategy(half, "none")
    # With the other four moves taken away by forbidding them, there is no tour, and it is said.
    board = Board(3, 4)
    up = [
        ((r, c), (r + d, c - e))
        for r, c in board.squares
        for d, e in half
        if (r + d, c - e) in board
    ]
    with pytest.raises(NoTourError):
        complete([[0] * 4] * 3, board, forbidden=up[:8], backend=backend)


def test_f01_all_tours_of_5x5_from_a_corner(backend):
    found = list(tours((0, 0), "5x5", backend=backend))
    assert len(found) == len(set(found)) == 304
    for t in found:
        check(t, Board(5, 5), start=(0, 0))
    for board in ("2x2", "3x3", "4x4"):
        assert list(tours(board=board, backend=backend)) == []
    began = time.perf_counter()
    first = next(tours(board="8x8", backend=backend))
    assert len(first) == 64
    assert time.perf_counter() - began < 5


# The order that F03 and F04 name, and that of F05.
F03 = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
F05 = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def test_f03_a_hopeless_search_gives_up_and_claims_nothing():
    with pytest.raises(SearchLimitError) as caught:
        tour((3, 5), "8x8", strategy=Strategy(F03, "none"), max_nodes=200_000)
    assert caught.value.stats.nodes == 200_000


def test_f04_plain_backtracking_on_8x8():
    if get_engine().name == "pure":
        pytest.skip("8 million squares take the compiled engine")
    found = tour((0, 0), "8x8", strategy=Strategy(F03, "none"))
    assert found.stats.nodes == 8_250_733
    assert found.grid(0)[0] == [0, 59, 38, 33, 30, 17, 8, 63]


def test_f05_plain_backtracking_on_5x5_and_6x6(backend):
    plain = Strategy(F05, "none")
    found = next(tours((0, 0), "5x5", strategy=plain, backend=backend))
    assert found.grid() == [
        [1, 20, 17, 12, 3],
        [16, 11, 2, 7, 18],
        [21, 24, 19, 4, 13],
        [10, 15, 6, 23, 8],
        [25, 22, 9, 14, 5],
    ]
    assert tour((0, 0), "5x5", strategy=plain, backend=backend).stats.nodes == 41
    six = tour((0, 0), "6x6", strategy=plain, backend=backend)
    assert six.stats.nodes == 5_422
    assert six.grid()[0] == [1, 28, 33, 20, 3, 26]


def test_f06_starts_that_have_a_tour(backend):
    for rows, cols, starts in ((5, 6, 30), (4, 6, 12), (6, 4, 12)):
        board = Board(rows, cols)
        assert (
            sum(next(tours(s, board, backend=backend), None) is not None for s in board.squares)
            == starts
        )


def test_f17_two_given_ends(backend):
    assert tours((0, 0), "5x5", end=(4, 4), backend=backend).skip() == 56
    assert tours((0, 0), "5x5", end=(0, 4), backend=backend).skip() == 60


# Theorems of Watkins and Hoenigman 1997 and Watkins 2004


def test_tori_and_cylinders_up_to_24_squares():
    for rows in range(1, 25):
        for cols in range(1, 24 // rows + 1):
            torus = Board(rows, cols, wrap="torus")
            cylinder = Board(rows, cols, wrap="cols")
            turned = Board(cols, rows, wrap="rows")
            if rows * cols > 2:
                check(find(torus, None, closed=True), torus, closed=True)
            else:  # boards of one and two squares have no move to close a tour with
                with pytest.raises(NoTourError):
                    find(torus, None, closed=True)
            # The columns wrap: the theorem's m is the number of rows, its n that of the columns.
            none = (rows == 1 and cols > 1) or (rows in (2, 4) and cols % 2 == 0)
            if rows * cols <= 2 or degenerate(rows, cols):
                continue
            for board in (cylinder, turned):
                if none:
                    with pytest.raises(NoTourError):
                        find(board, None, closed=True)
                else:
                    check(find(board, None, closed=True), board, closed=True)


def degenerate(rows, cols):
    """Cylinders so narrow that the simple graph lacks moves which the theorem counts."""
    return cols <= 2 or rows == 1


# Reasons


@pytest.mark.parametrize(
    ("board", "options", "reason"),
    [
        (Board.parse("##\n##"), {}, "empty-board"),
        (Board(1, 1, leaper=(1, 3)), {"closed": True}, "single-square"),
        (Board.parse(".#\n##\n#."), {"closed": True}, "two-squares"),
        (Board(3, 3, holes=[(0, 0)]), {}, "isolated-square"),
        (Board.parse(".....\n.....\n#####\n#####\n.....\n....."), {}, "disconnected"),
        (Board.parse(RING_TWICE := "...###...\n.#.###.#.\n...###..."), {}, "disconnected"),
        (Board(8, 8, holes=["a1"]), {"closed": True}, "colour-counts"),
        (Board(8, 8, holes=["a1", "c1"]), {}, "colour-counts"),
        (Board(7, 7, wrap="rows", holes=[]), {"start": (0, 0), "end": (0, 0)}, "start-is-end"),
        (Board(8, 8, holes=["a1"]), {"start": "b2"}, "end-on-wrong-colour"),
        (Board(8, 8, holes=["a1", "a2"]), {"start": "b2", "end": "d2"}, "ends-on-the-same-colour"),
        (Board(8, 8, holes=["b3", "b4"]), {"closed": True}, "degree-1-square"),
        (
            Board.ring(3, 1),
            {"start": (0, 0), "end": (0, 1), "closed": True},
            "end-not-next-to-start",
        ),
        (Board(2, 9, leaper=(0, 1), holes=[(1, 3)]), {"closed": True}, "colour-counts"),
        (Board.parse("...\n#.#\n#.#"), {"closed": True}, "isolated-square"),
        (Board(3, 5, leaper=(0, 1), holes=[(0, 2), (2, 2)]), {"closed": True}, "colour-counts"),
        (
            Board.from_fen("1p7/9/9/9/9/9/9/9/9/1P7", points=["a9", "c8", "b7"]),
            {"closed": True},
            "dead-end-square",
        ),
    ],
)
def test_every_no_names_its_rule(board, options, reason, backend):
    with pytest.raises(NoTourError) as caught:
        tour(board=board, backend=backend, **options)
    assert caught.value.reason == reason
    assert str(caught.value).endswith(".")
    assert caught.value.source


def test_cut_squares_are_named():
    bow_tie = Board(5, 5, leaper=(0, 1), holes=[(0, 2), (1, 2), (3, 2), (4, 2), (0, 0), (4, 4)])
    with pytest.raises(NoTourError) as caught:
        tour(board=bow_tie, closed=True)
    assert caught.value.reason in ("articulation-square", "colour-counts", "degree-1-square")


def hidden_numbers(board, share, seed, swap=False):
    """Return a grid with some of the numbers of a random tour, two of them swapped on demand."""
    hidden = random_tour(board, seed=seed)
    source = random.Random(seed)
    grid = [[0] * board.cols for _ in range(board.rows)]
    steps = source.sample(range(board.size), max(2, round(share * board.size)))
    numbers = [step + 1 for step in steps]
    if swap:
        numbers[0], numbers[1] = numbers[1], numbers[0]
    for step, number in zip(steps, numbers, strict=True):
        row, col = hidden[step]
        grid[row][col] = number
    return grid


def completed(grid, board, backend, **options):
    try:
        answer = complete(grid, board, unique=True, backend=backend, **options)
    except NoTourError as none:
        return none.reason
    return answer.unique, answer.tour.tolist(), answer.second and answer.second.tolist()


@pytest.mark.parametrize(
    "board",
    [
        Board(5, 5),
        Board(3, 8),
        Board(5, 5, holes=["a1", "e4"]),
        Board(4, 6, holes=["a1", "a2"]),
        Board(4, 5, wrap="torus"),
        Board(5, 4, wrap="rows"),
    ],
    ids=repr,
)
def test_completions_are_those_among_all_tours(board, backend, monkeypatch):
    # Runs of 1, 2, 4 ... decisions, so that the search guided by the clues is what answers.
    monkeypatch.setattr(shapes, "_restarts", lambda: (2**k for k in range(60)))
    every = [t.tolist() for t in islice(tours(board=board), 5_000)]
    assert len(every) < 5_000 or board.wrap
    for seed in range(6):
        grid = hidden_numbers(board, (0.1, 0.25, 0.4)[seed % 3], seed, swap=seed >= 3)
        clues = {
            value: (row, col)
            for row, values in enumerate(grid)
            for col, value in enumerate(values)
            if value
        }
        fitting = [
            t for t in every if all(t[number - 1] == square for number, square in clues.items())
        ]
        answer = completed(grid, board, backend)
        if len(every) == 5_000:  # not all: what is found must be right, what is there be found
            assert isinstance(answer, str) <= (not fitting)
            assert len(fitting) < 2 or answer[0] is False
        elif not fitting:
            assert isinstance(answer, str), (grid, fitting)
        else:
            unique, first, second = answer
            assert unique == (len(fitting) == 1)
            assert first in fitting
            assert unique or (second in fitting and second != first)


def test_both_engines_complete_numbers_in_the_same_way(both_engines, monkeypatch):
    boards = [Board(8, 8), Board(7, 8, holes=["a1", "a2"]), Board(6, 7, wrap="cols")]
    for seed, board in enumerate(boards):
        for share in (0.05, 0.2, 0.35):
            grid = hidden_numbers(board, share, seed)
            answers, nodes = [], []
            for backend in BACKENDS:
                monkeypatch.setattr(shapes, "_restarts", lambda: (2**k for k in range(60)))
                answers.append(completed(grid, board, backend, seed=seed))
                answer = complete(grid, board, backend=backend, seed=seed)
                nodes.append(answer.stats.nodes)
            assert answers[0] == answers[1]
            assert nodes[0] == nodes[1]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.35])
def test_many_numbers_on_14x14_are_completed(share):
    pytest.importorskip("knighttour._shapes")
    board = Board(14, 14)
    for seed in range(3):
        grid = hidden_numbers(board, share, seed)
        answer = complete(grid, board, timeout=60, backend="core")
        for row, values in enumerate(grid):
            for col, value in enumerate(values):
                assert value in (0, answer.index((row, col)) + 1)


# Limits


@pytest.mark.parametrize("timeout", [0, 0.2])
def test_a_timeout_is_kept_on_boards_that_are_hard(timeout, backend):
    for board, closed in (
        (Board(4, 60, leaper=(1, 2), holes=[]), True),
        (Board.parse("\n".join([".#" * 30 + "....." * 10] * 60)), False),
    ):
        began = time.perf_counter()
        with contextlib.suppress(SearchLimitError, NoTourError):
            find(board, backend, closed=closed, timeout=timeout)
        assert time.perf_counter() - began < timeout + (0.5 if backend == "core" else 1.5)


def test_the_clock_is_looked_at_all_the_time(backend, monkeypatch):
    # Processor time, so that a busy machine does not matter; the largest gap is about 15 ms.
    side = 400 if backend == "core" else 90
    looks = [time.process_time()]
    for name in ("look", "check"):
        plain = getattr(shapes._Clock, name)

        def looked(clock, plain=plain):
            looks.append(time.process_time())
            plain(clock)

        monkeypatch.setattr(shapes._Clock, name, looked)
    for board, closed in (
        (Board(side, side, leaper=(2, 3)), True),
        (Board(side - 1, side - 1, wrap="torus"), False),
    ):
        looks.append(time.process_time())
        find(board, backend, closed=closed, timeout=60)
        looks.append(time.process_time())
    puzzle = Board(40, 40) if backend == "core" else Board(14, 14)
    grid = hidden_numbers(puzzle, 0.2, 1)
    looks.append(time.process_time())
    with contextlib.suppress(SearchLimitError):
        complete(grid, max_nodes=420, backend=backend)
    looks.append(time.process_time())
    assert len(looks) > 60
    longest = 0.1 if sys.gettrace() is None else 1  # what counts lines makes Python slow
    assert max(later - earlier for earlier, later in pairwise(looks)) < longest


def test_any_look_at_the_clock_can_end_the_work(backend, monkeypatch):
    board = Board(400, 400, holes=["a1", "a2"]) if backend == "core" else Board(80, 80, holes=[])
    left = [10**9]
    plain = shapes._Clock.look

    def look(clock):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        plain(clock)

    monkeypatch.setattr(shapes._Clock, "look", look)
    find(board, backend, closed=True)
    looks = 10**9 - left[0]
    assert looks > 10
    for left[0] in {1, 2, 3, looks // 3, looks // 2, looks - 1, looks}:
        with pytest.raises(KeyboardInterrupt):
            find(board, backend, closed=True)


def test_too_few_nodes_are_no_proof(backend):
    with pytest.raises(SearchLimitError) as caught:
        tour(board=Board(8, 8, holes=["a1", "a2"]), max_nodes=5, backend=backend)
    assert caught.value.stats.nodes <= 5 + 1
    assert "nothing is proved" in str(caught.value)


def test_a_strategy_is_for_plain_rectangles():
    with pytest.raises(InvalidInputError, match="plain"):
        tour(board=Board.ring(3, 1), strategy="course")


# Tours on such boards


def test_tours_of_holed_boards_behave_as_tours():
    board = Board(6, 6, holes=[(0, 1), (5, 5), (0, 0), (5, 4)])
    found = tour((2, 2), board)
    assert isinstance(found, Tour)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.reversed().start == found.end
    for symmetry in ("rotate90", "flip_rows", "transpose"):
        image = found.transformed(symmetry)
        check(image, image.board)
        image.verify()
    assert found.canonical() == found.reversed().canonical()
    codes = found.moves()
    assert len(codes) == board.size - 1
    assert (0, 1) not in found
    grid = found.grid()
    assert grid[0][1] == grid[5][5] == 0
    assert sorted(number for row in grid for number in row if number) == list(range(1, 33))


@pytest.mark.parametrize(
    "board",
    [
        Board(4, 5, holes=["b2", "e4"]),
        Board(5, 4, wrap="torus"),
        Board(4, 5, wrap="cols"),
        Board(5, 4, wrap="rows"),
        Board(5, 6, leaper=(1, 3)),
        Board(3, 4, leaper=(0, 2), wrap="torus"),
        Board.from_fen("9/3p5/1p7/4p4/9/9/9/9/9/4p4"),
    ],
    ids=str,
)
def test_the_last_check_lets_a_move_pass_if_and_only_if_there_is_one(board, backend):
    # It is what every tour of such a board passes before it is handed out.
    check_order = get_engine(backend).shapes.first_fault_shape
    arguments = shapes._arguments(board)
    cells = range(board.rows * board.cols)
    for one in board.squares:
        reached = {row * board.cols + col for row, col in board.neighbours(one)}
        first = one[0] * board.cols + one[1]
        for second in cells:
            # Both are there and a move leads on: then the first fault is that the rest is missing.
            fault = 2 if second in reached else 1
            assert check_order(*arguments, array("i", [first, second]).tobytes()) == fault
    hole = next((cell for cell in cells if divmod(cell, board.cols) not in board), -1)
    for nowhere in {hole, -1, len(cells), 2**31 - 1, -(2**31)}:
        assert check_order(*arguments, array("i", [nowhere]).tobytes()) == 0
    assert check_order(*arguments, b"") == 0


def test_codes_are_for_knights_on_a_plane():
    with pytest.raises(InvalidInputError, match="direction codes"):
        tour(board=Board(5, 5, wrap="torus")).moves()


def test_a_tour_among_pieces_may_not_be_walked_back():
    board = Board.from_fen("9/9/9/3p5/9/9/9/9/9/9")
    found = find(board, None)
    back = found.tolist()[::-1]
    legal = all(b in board.neighbours(a) for a, b in pairwise(back))
    if legal:
        assert found.reversed().tolist() == back
    else:
        with pytest.raises(NoTourError, match="way back"):
            found.reversed()


def test_a_tour_past_a_piece_that_blocks_the_way_back(backend):
    # The pawn on d8 hobbles a horse on c8 that goes to the right, and none that comes from there.
    points = [(row, col) for row in range(3) for col in range(4) if (row, col) != (1, 3)]
    board = Board.from_fen("9/3p5/9/9/9/9/9/9/9/9", points=points)
    found = tour(board=board, backend=backend)
    back = found.tolist()[::-1]
    assert not all(second in board.neighbours(first) for first, second in pairwise(back))
    with pytest.raises(NoTourError, match="the way back: the leg of a horse"):
        found.reversed()


@pytest.mark.parametrize("n", [-1, True, 1.5, "3"])
def test_a_number_of_tours_that_is_none_is_refused(n):
    with pytest.raises(InvalidInputError, match="is not a number of tours"):
        tours("a1", "3x4").skip(n)


def test_a_strategy_excludes_ends_and_closed_tours_of_all_tours():
    for options in ({"end": (2, 3)}, {"closed": True}):
        with pytest.raises(InvalidInputError, match="strategy='course' excludes end=, closed="):
            tours((0, 0), "3x4", strategy="course", **options)


# All tours


def test_all_tours_of_5x5_in_one_array(backend):
    everything = tours(board="5x5", backend=backend).to_array()
    assert everything.shape == (1728, 25)
    assert len({bytes(row) for row in everything}) == 1728


def test_tours_are_resumed_where_they_were_left(backend):
    board = Board(5, 5)
    whole = [t.tolist() for t in tours((0, 0), board, backend=backend)]
    some = tours((0, 0), board, backend=backend)
    parts = [next(some).tolist()]
    assert some.skip(3) == 3
    parts += [[divmod(int(k), 5) for k in row] for row in some.to_array(4)]
    parts += [t.tolist() for t in some]
    assert parts == [whole[0], *whole[4:]]
    assert list(some) == []
    assert some.skip() == 0


def plain_backtracking(board, start, end=None, closed=False):
    path = [start]

    def go():
        if len(path) == board.size:
            if end in (None, path[-1]) and (not closed or start in board.neighbours(path[-1])):
                yield list(path)
            return
        for square in board.neighbours(path[-1]):
            if square not in path:
                path.append(square)
                yield from go()
                path.pop()

    yield from go()


@pytest.mark.parametrize("seed", range(8))
def test_the_order_is_that_of_plain_backtracking(seed, backend):
    source = random.Random(seed)
    board = random_board(source)
    while board.size < 5:
        board = random_board(source)
    start = source.choice(list(board.squares))
    end = source.choice([None, *board.squares])
    end = None if end == start else end
    closed = source.random() < 0.5
    expected = list(plain_backtracking(board, start, end, closed))
    assert [
        t.tolist() for t in tours(start, board, end=end, closed=closed, backend=backend)
    ] == expected


def test_tours_on_more_than_64_squares_are_the_same_on_both_engines():
    board = Board(2, 40, leaper=(0, 1))
    rows = []
    for name in ("core", "pure"):
        try:
            found = tours((0, 0), board, backend=name)
        except InvalidInputError:
            pytest.skip("no compiled core")
        rows.append((found.to_array(50).tolist(), found.nodes))
    assert rows[0] == rows[1]


def test_closed_tours_come_in_both_directions(backend):
    assert tours(board="5x6", closed=True, backend=backend).skip() == 2 * 8


@pytest.mark.slow
def test_all_tours_of_6x6_without_building_squares():
    found = tours(board="6x6", backend="core")
    began = time.process_time()
    assert found.skip() == 6_637_920
    assert time.process_time() - began < 6


# Random tours


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "board",
    [Board(8, 8), Board(3, 10), Board(10, 3), Board.ring(12, 4), Board(7, 7, wrap="torus")],
    ids=str,
)
def test_random_tours_are_tours_and_reproducible(board, closed, backend):
    if board.size % 2 and closed and board.wrap is None:
        return
    found = random_tour(board, closed=closed, seed=11, backend=backend)
    check(found, board, closed=closed)
    assert found == random_tour(board, closed=closed, seed=11)
    assert found.stats.seed == 11


def test_random_tours_differ_and_report_fresh_entropy():
    found = {random_tour("8x8") for _ in range(5)}
    assert len(found) == 5
    one = random_tour("8x8", closed=True)
    assert one == random_tour("8x8", closed=True, seed=one.stats.seed)
    with pytest.raises(NoTourError):
        random_tour("4x4")
    with pytest.raises(InvalidInputError, match="seed"):
        random_tour("8x8", seed=-1)


# Puzzles


def puzzle(fact):
    grid = [[0 if cell == "." else "#" for cell in row] for row in fact["rows"]]
    for (col, row), step in fact["clues"]:
        grid[row][col] = step
    return grid


@pytest.mark.parametrize("fact", PUZZLES, ids=lambda fact: fact["name"])
def test_the_partial_numberings_are_answered_as_stated(fact, backend):
    grid = puzzle(fact)
    if not fact["feasible"]:
        with pytest.raises(NoTourError):
            complete(grid, backend=backend)
        return
    answer = complete(grid, unique=True, backend=backend)
    assert answer.unique == fact["unique"] == (fact["count"] == 1)
    for found in (answer.tour, answer.second):
        if found is not None:
            check(found, found.board)
            for row, values in enumerate(grid):
                for col, step in enumerate(values):
                    assert step in (0, "#") or found[step - 1] == (row, col)
    assert (answer.second is None) == answer.unique


@pytest.mark.parametrize("seed", range(10))
def test_completions_agree_with_the_list_of_all_tours(seed, backend):
    source = random.Random(seed)
    board = random_board(source)
    closed = source.random() < 0.3
    everything = [
        t.tolist() for s in board.squares for t in tours(s, board, closed=closed, backend=backend)
    ][:20_000]
    if not everything or len(everything) == 20_000:
        everything = [t.tolist() for t in tours(board="3x4")]
        board, closed = Board(3, 4), False
    hidden = source.choice(everything)
    steps = source.sample(range(board.size), source.choice([0, 1, 2, 3]))
    grid = [[None] * board.cols for _ in range(board.rows)]
    for step in steps:
        grid[hidden[step][0]][hidden[step][1]] = step + 1
    matching = [t for t in everything if all(t[step] == hidden[step] for step in steps)]
    answer = complete(grid, board, closed=closed, unique=True, backend=backend)
    assert answer.tour.tolist() in matching
    assert answer.unique == (len(matching) == 1)
    assert answer.unique or (answer.second.tolist() in matching and answer.second != answer.tour)


def test_required_and_forbidden_moves(backend):
    blank = [[0] * 5 for _ in range(5)]
    found = complete(blank, required=[("a1", "b3")], forbidden=[("a5", "c4")], backend=backend)
    moves = {frozenset(move) for move in pairwise(found)}
    board = Board(5, 5)
    assert frozenset((board.square("a1"), board.square("b3"))) in moves
    assert frozenset((board.square("a5"), board.square("c4"))) not in moves
    with pytest.raises(NoTourError):
        complete(blank, required=[("c3", "d5"), ("c3", "b5"), ("c3", "e4")], backend=backend)


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ([], "rows"),
        ([[1, 2], [3]], "rows of one length"),
        ([[13, 0, 0, 0]] + [[0] * 4] * 2, "13"),
        ([[1.0, 0, 0, 0]] + [[0] * 4] * 2, "1.0"),
        ([[True, 0, 0, 0]] + [[0] * 4] * 2, "True"),
        ([[1, 1, 0, 0]] + [[0] * 4] * 2, "1 stands on"),
        (7, "a puzzle is rows of numbers"),
    ],
)
def test_what_is_no_puzzle_is_refused(grid, words):
    with pytest.raises(InvalidInputError, match=words):
        complete(grid)


BLANK = [[0] * 4] * 3


@pytest.mark.parametrize(
    ("grid", "options", "words"),
    [
        (BLANK, {"board": "4x3"}, "the puzzle has 3x4 numbers, the board is 4x3"),
        ([["#", 0, 0, 0], *BLANK[1:]], {"board": "3x4"}, r"\(0, 0\) is a hole of the puzzle, not"),
        (
            [[1, 0, 0, 0], *BLANK[1:]],
            {"board": Board(3, 4, holes=["a3"])},
            r"1 stands on \(0, 0\), a",
        ),
        (BLANK, {"required": [7]}, "required: 7 is not a pair of squares"),
        (BLANK, {"forbidden": ["a1b3"]}, "forbidden: 'a1b3' is not a pair of squares"),
        (BLANK, {"required": [("a1", "a2")]}, r"no move leads from \(2, 0\) to \(1, 0\) on 3x4"),
    ],
)
def test_what_contradicts_the_board_of_a_puzzle_is_refused(grid, options, words):
    with pytest.raises(InvalidInputError, match=words):
        complete(grid, **options)


def test_a_timeout_before_the_grid_is_read_says_so():
    with pytest.raises(SearchLimitError, match="before the grid was read; nothing is proved"):
        complete([[0] * 30] * 30, timeout=1e-9)


def test_a_puzzle_of_one_or_two_squares(backend):
    single = complete([[0]], unique=True, backend=backend)
    assert (single.tour.tolist(), single.unique) == ([(0, 0)], True)
    pair = [[0, "#"], ["#", "#"], ["#", 0]]
    found = complete(pair, unique=True, backend=backend)
    assert found.unique is False
    assert {tuple(found.tour), tuple(found.second)} == {
        ((0, 0), (2, 1)),
        ((2, 1), (0, 0)),
    }
    clued = complete([[2, "#"], ["#", "#"], ["#", 0]], unique=True, backend=backend)
    assert (clued.tour.tolist(), clued.unique) == ([(2, 1), (0, 0)], True)


def test_numbers_that_cannot_be_are_named():
    def grid(**steps):
        rows = [[0] * 8 for _ in range(8)]
        for name, step in steps.items():
            row, col = Board(8, 8).square(name)
            rows[row][col] = step
        return rows

    for steps, reason in (
        ({"a1": 5, "b1": 6}, "clues-not-adjacent"),
        ({"a1": 5, "b2": 8}, "clue-on-the-wrong-colour"),
    ):
        with pytest.raises(NoTourError) as caught:
            complete(grid(**steps))
        assert caught.value.reason == reason
        assert len(caught.value.squares) == 2


def test_the_default_limits_are_those_of_find():
    assert find(Board.ring(9, 3), None, closed=True).stats.method
    assert shapes.find(get_engine(), Board.ring(9, 3), limits=UNLIMITED)
