"""Boards with moves that go one way only: counts, moves, ends and samples against enumeration."""

import itertools
from collections import Counter
from itertools import pairwise

import pytest

from knighttour._engine import get_engine
from knighttour.board import Board
from knighttour.cli import main
from knighttour.counting import count, count_plan
from knighttour.errors import InvalidInputError, NoTourError, SearchLimitError
from knighttour.frontier import TableSweep
from knighttour.occurrences import edge_counts, end_counts
from knighttour.oneway import has_one_way_moves, one_way_problem
from knighttour.sampling import sample
from knighttour.shapes import random_tour, tours


def position(rows, cols, pieces):
    """Return a corner of the xiangqi board with pawns on some points, all other points to tour."""
    ranks = []
    for row in range(10):
        cells = ["p" if (row, col) in pieces else "1" for col in range(9)]
        ranks.append("".join(str(len(list(g))) if k == "1" else "p" * len(list(g))
                             for k, g in itertools.groupby(cells)))  # fmt: skip
    points = [p for p in itertools.product(range(rows), range(cols)) if p not in pieces]
    return Board.from_fen("/".join(ranks), points=points)


POSITIONS = {
    "4x5": position(4, 5, [(0, 3)]),
    "5x5": position(5, 5, [(2, 2)]),
    "5x5, two pieces": position(5, 5, [(0, 0), (3, 0)]),
    "4x6, two pieces": position(4, 6, [(3, 1), (0, 5)]),
    "4x7": position(4, 7, [(3, 2)]),
    "3x8": position(3, 8, [(1, 4)]),
    "5x6, two pieces": position(5, 6, [(0, 1), (4, 4)]),
}

#: Open tours, and closed ones in their direction, by walking them all.
KNOWN = {
    "4x5": (7, 0), "5x5": (96, 0), "5x5, two pieces": (588, 0), "4x6, two pieces": (741, 2),
    "4x7": (1290, 0), "3x8": (8, 0), "5x6, two pieces": (3892, 12),
}  # fmt: skip


def graph_of(board):
    squares = list(board.squares)
    index = {square: number for number, square in enumerate(squares)}
    return [[index[other] for other in board.neighbours(square)] for square in squares]


def walks(graph, closed=False):
    """Return all paths, or all circuits from vertex 0, of a graph with one-way edges."""
    found = []

    def walk(path):
        if len(path) == len(graph):
            if not closed or path[0] in graph[path[-1]]:
                found.append(tuple(path))
            return
        for following in graph[path[-1]]:
            if following not in path:
                walk([*path, following])

    for first in [0] if closed else range(len(graph)):
        walk([first])
    return found


@pytest.mark.parametrize("name", POSITIONS)
def test_counts_against_walking_all_tours(name, backend):
    board = POSITIONS[name]
    assert has_one_way_moves(board)
    paths = [tuple(tour.tolist()) for tour in tours(board=board)]
    circuits = [tuple(tour.tolist()) for tour in tours(board=board, closed=True)]
    assert (len(paths), len(circuits)) == KNOWN[name]
    assert count(board, backend=backend) == len(paths)
    assert count(board, closed=True, backend=backend) == len(circuits)
    assert count(board, closed=True, directed=True, backend=backend) == len(circuits)
    squares = list(board.squares)
    starts, ends = Counter(path[0] for path in paths), Counter(path[-1] for path in paths)
    for square in squares[:: 1 if backend == "core" else 5]:
        assert count(board, start=square, backend=backend) == starts[square]
        assert count(board, end=square, backend=backend) == ends[square]
    pairs = Counter((path[0], path[-1]) for path in paths)
    for pair in [*pairs][::7]:
        assert count(board, start=pair[0], end=pair[1], backend=backend) == pairs[pair]
    moves = Counter(m for c in circuits for m in [*pairwise(c), (c[-1], c[0])])
    for square, other in [*moves][::5]:
        through = count(board, closed=True, start=other, end=square, backend=backend)
        assert through == moves[square, other]


@pytest.mark.parametrize("name", ["4x5", "5x5"])
def test_counts_against_plain_recursion(name):
    board = POSITIONS[name]
    graph = graph_of(board)
    assert count(board) == len(walks(graph))
    assert count(board, closed=True) == len(walks(graph, closed=True))


@pytest.mark.parametrize("name", POSITIONS)
def test_moves_and_starts_against_walking_all_tours(name, backend):
    board = POSITIONS[name]
    for closed in (False, True):
        found = [tuple(tour.tolist()) for tour in tours(board=board, closed=closed)]
        moves = Counter(step for path in found for step in pairwise(path))
        if closed:
            moves.update((path[-1], path[0]) for path in found)
        counts = edge_counts(board, closed=closed, backend=backend)
        assert len(counts) == sum(map(board.degree, board.squares))
        assert {move: ways for move, ways in counts.items() if ways} == moves
        if not closed:
            starts = Counter(path[0] for path in found)
            ends = end_counts(board, backend=backend)
            assert {square: ways for square, ways in ends.items() if ways} == starts


def test_where_all_moves_go_both_ways_circuits_are_counted_twice(backend):
    for board in (Board(5, 6), Board(3, 7), Board(4, 4), Board(5, 4), Board(3, 10)):
        for closed in (True, False):
            problem = one_way_problem(board, None, None, closed)
            sweep = TableSweep(problem, get_engine(backend).frontier)
            while sweep.step():
                pass
            assert sweep.total == count(board, closed=closed, directed=True)


def test_every_tour_is_as_probable_as_every_other(backend):
    for name, closed, drawn in [
        ("5x5", False, 2000), ("4x6, two pieces", False, 5000), ("4x6, two pieces", True, 100),
        ("5x6, two pieces", True, 600),
    ]:  # fmt: skip
        board = POSITIONS[name]
        number = count(board, closed=closed)
        found = sample(board, drawn, closed=closed, seed=3, backend=backend)
        seen = Counter(tuple(tour.tolist()) for tour in found)
        expected = drawn / number
        chi2 = sum((n - expected) ** 2 / expected for n in seen.values())
        chi2 += (number - len(seen)) * expected
        assert abs(chi2 - (number - 1)) < 4 * (2 * (number - 1)) ** 0.5


def test_the_engines_draw_the_same(core):
    board = POSITIONS["4x6, two pieces"]
    for question in ({}, {"closed": True}):
        drawn = sample(board, 20, seed=8, backend=core, **question)
        assert drawn == sample(board, 20, seed=8, backend="pure", **question)
        assert drawn[:3] == sample(board, 3, seed=8, backend=core, **question)


def test_samples_keep_to_start_and_end(backend):
    board = POSITIONS["4x6, two pieces"]
    path = next(iter(tours(board=board)))
    for tour in sample(board, 5, start=path.start, seed=1, backend=backend):
        assert tour.start == path.start
    for tour in sample(board, 5, end=path.end, seed=1, backend=backend):
        assert tour.end == path.end
    for tour in sample(board, 5, start=path.start, end=path.end, seed=1, backend=backend):
        assert (tour.start, tour.end) == (path.start, path.end)
    assert random_tour(board, uniform=True, seed=1, backend=backend).board == board


def test_closed_samples_begin_and_end_where_they_are_told(backend):
    board = POSITIONS["4x6, two pieces"]
    circuit = next(iter(tours(board=board, closed=True))).tolist()
    first, last = circuit[0], circuit[-1]
    for ends in ({"start": first}, {"end": last}, {"start": first, "end": last}):
        for tour in sample(board, 5, closed=True, seed=1, backend=backend, **ends):
            assert tour.closed
            assert {name: getattr(tour, name) for name in ends} == ends


def test_a_question_without_tours_is_answered_with_none(backend):
    board = POSITIONS["4x6, two pieces"]
    assert count(board, start=(0, 0), end=(0, 0), backend=backend) == 0
    far = board.squares[-1]
    assert (0, 0) not in board.neighbours(far)
    assert count(board, closed=True, start=(0, 0), end=far, backend=backend) == 0


def test_what_cannot_be_asked(backend):
    board = POSITIONS["4x5"]
    with pytest.raises(InvalidInputError, match="direction"):
        count(board, directed=False, backend=backend)
    with pytest.raises(NoTourError):
        sample(position(3, 3, [(1, 0)]), backend=backend)
    assert count(position(3, 3, [(1, 0)]), backend=backend) == 0
    with pytest.raises(SearchLimitError, match="timeout"):
        count(board, timeout=0, backend=backend)
    with pytest.raises(SearchLimitError, match="memory|more than"):
        count(POSITIONS["5x6, two pieces"], memory_limit=10_000, backend=backend)


def test_a_plan_says_that_it_does_not_know():
    plan = count_plan(POSITIONS["4x5"])
    assert "table of states" in plan.table()
    assert plan.forecast is None


def test_pieces_that_block_nothing_leave_the_conventions_alone():
    board = Board.from_fen("9/9/9/9/9/9/9/9/9/8p", points=itertools.product(range(5), range(4)))
    assert not has_one_way_moves(board)
    assert count(board) == count("5x4")
    assert count(board, directed=False) == count("5x4", directed=False)


def test_the_command_line(capsys):
    fen = "/".join(["9"] * 5 + ["1p7"] + ["9"] * 4)
    assert main(["count", "--fen", fen, "--closed", "--timeout", "0"]) == 4
    assert "timeout" in capsys.readouterr().err
    assert main(["count", "--fen", fen, "--plan"]) == 0
    assert "table of states" in capsys.readouterr().out
