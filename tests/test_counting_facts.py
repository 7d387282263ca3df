"""Tours from every start, between every pair of ends: against the tables, by two methods."""

import json
from pathlib import Path

import pytest

from knighttour.board import Board
from knighttour.counting import count
from knighttour.elimination import problem_of
from knighttour.occurrences import end_counts, occurrences
from knighttour.questions import Question

DATA = Path(__file__).parent / "data"
STARTS = [
    board
    for board in json.loads((DATA / "small_boards.json").read_text("utf-8"))["boards"]
    if "starts" in board
]
PAIRS = [
    board
    for board in json.loads((DATA / "start_end_pairs.json").read_text("utf-8"))["boards"]
    if board.get("pair_counts")
]


def name(board):
    return f"{board['m']}x{board['n']}"


@pytest.mark.parametrize("board", STARTS, ids=name)
def test_every_start_from_one_sweep(board, backend):
    size = board["m"], board["n"]
    if backend == "pure" and int(board["open_directed"]) > 2000:
        pytest.skip("slow in pure Python")
    table = {
        (row, col): int(number)
        for row, line in enumerate(board["starts"])
        for col, number in enumerate(line)
    }
    assert end_counts(size, backend=backend) == table
    turned = {(col, row): number for (row, col), number in table.items()}
    assert end_counts(size[::-1], backend=backend) == turned
    assert sum(table.values()) == int(board["open_directed"])


@pytest.mark.slow
@pytest.mark.parametrize("board", STARTS, ids=name)
def test_every_start_by_itself(board, core):
    size = board["m"], board["n"]
    for row, line in enumerate(board["starts"]):
        for col, number in enumerate(line):
            assert count(size, start=(row, col), backend=core) == int(number)


def between(size, first, backend):
    """Return how many tours lead from a square to each other one: one sweep for all of them."""
    question = Question.of(size, first, None, False, None)
    if question.problem is None:
        return {}
    found = occurrences(question, backend=backend).ends
    # The edge to the start is in every tour.
    assert found[first] == count(size, start=first, backend=backend)
    return {square: ways for square, ways in found.items() if square != first}


def check_pairs(board, backend, firsts=None):
    size = board["m"], board["n"]
    table = {}
    for row, col, other_row, other_col, number in board["pair_counts"]:
        for pair in ((row, col), (other_row, other_col)), ((other_row, other_col), (row, col)):
            table[pair] = int(number)
    for first in Board(*size).squares if firsts is None else firsts:
        for other, ways in between(size, first, backend).items():
            assert ways == table.get((first, other), 0)


@pytest.mark.parametrize("board", [b for b in PAIRS if b["m"] * b["n"] <= 28], ids=name)
def test_every_pair_of_ends(board, core):
    check_pairs(board, core)


@pytest.mark.parametrize("board", [b for b in PAIRS if b["m"] * b["n"] <= 21], ids=name)
def test_pairs_of_ends_in_pure_python(board):
    check_pairs(board, "pure", [(0, 0), (1, 2)])


@pytest.mark.slow
@pytest.mark.parametrize("board", [b for b in PAIRS if b["m"] * b["n"] > 28], ids=name)
def test_every_pair_of_ends_of_larger_boards(board, core):
    check_pairs(board, core)


def brute_force(graph, first):
    """Return the number of paths through all vertices, by walking them all."""
    total = (1 << len(graph)) - 1

    def walk(here, seen):
        if seen == total:
            return 1
        return sum(walk(other, seen | 1 << other) for other in graph[here] if not seen >> other & 1)

    return walk(first, 1 << first)


@pytest.mark.slow
def test_5x5_against_walking_without_any_pruning(backend):
    squares = list(Board(5, 5).squares)
    graph = [[squares.index(other) for other in Board(5, 5).neighbours(s)] for s in squares]
    counts = end_counts("5x5", backend=backend)
    for vertex in (0, 1, 2, 6, 7, 12):  # one of each kind
        ways = brute_force(graph, vertex)
        assert counts[squares[vertex]] == ways
        assert count("5x5", start=squares[vertex], backend=backend) == ways


def test_the_problem_of_a_pair_without_tours_is_seen_at_once():
    assert problem_of(Board(6, 6), (0, 0), (5, 5), False) is None
