"""In how many tours every move occurs: against enumeration, both engines, layers kept or not."""

import time
from collections import Counter
from itertools import pairwise

import pytest

from knighttour import occurrences
from knighttour.board import Board
from knighttour.counting import count
from knighttour.elimination import problem_of
from knighttour.errors import InvalidInputError, SearchLimitError
from knighttour.occurrences import edge_counts, end_counts
from knighttour.predictor import forecast
from knighttour.shapes import tours

#: Known answers, all found by walking every tour.
QUESTIONS = [
    ("3x4", {}), ("4x3", {}), ("5x5", {}), ("5x5", {"start": (0, 0)}), ("5x5", {"end": (2, 2)}),
    ("5x5", {"start": (0, 0), "end": (4, 4)}), ("5x5", {"start": (0, 1)}), ("4x5", {}),
    ("5x4", {"end": (0, 3)}), ("5x6", {"closed": True}), ("6x5", {"closed": True}),
    ("5x6", {"closed": True, "start": (0, 1), "end": (2, 2)}), ("3x10", {"closed": True}),
    ("10x3", {"closed": True}), ("3x7", {}), ("4x6", {"start": (1, 1)}),
]  # fmt: skip


def walked(board, question):
    """Count moves and starts of all tours by walking them, each tour without direction once."""
    question = dict(question)
    moves, starts, number = Counter(), Counter(), 0
    closed = question.get("closed", False)
    needed = None
    if closed and "start" in question:
        needed = frozenset((question.pop("start"), question.pop("end")))
    for tour in tours(board=board, **question):
        squares = [tuple(square) for square in tour]
        steps = [frozenset(step) for step in pairwise(squares)]
        if closed:
            steps.append(frozenset((squares[-1], squares[0])))
            if needed is not None and needed not in steps:
                continue
        moves.update(steps)
        starts[squares[0]] += 1
        number += 1
    twice = 1 if "start" in question or "end" in question else 2
    return {step: ways // twice for step, ways in moves.items()}, starts, number // twice


@pytest.mark.parametrize(("board", "question"), QUESTIONS)
def test_moves_against_walking_all_tours(board, question, backend):
    if backend == "pure" and board in ("3x10", "10x3"):
        pytest.skip("slow in pure Python")
    expected, _, number = walked(board, question)
    counts = edge_counts(board, backend=backend, **question)
    assert {frozenset(move): ways for move, ways in counts.items() if ways} == expected
    assert number == count(board, directed=False, **question)
    place = Board(*map(int, board.split("x")))
    assert len(counts) == sum(map(place.degree, place.squares)) // 2
    assert all(a < b for a, b in counts)


def test_the_moves_of_6x6_against_walking_all_tours(core):
    expected, _, number = walked("6x6", {"closed": True})
    assert number == 9862
    counts = edge_counts("6x6", closed=True, backend=core)
    assert {frozenset(move): ways for move, ways in counts.items() if ways} == expected


@pytest.mark.parametrize("board", ["3x4", "4x5", "5x5", "3x7", "7x3"])
def test_ends_against_walking_all_tours(board, backend):
    _, starts, _ = walked(board, {})
    assert {s: ways for s, ways in end_counts(board, backend=backend).items() if ways} == starts


@pytest.mark.parametrize("width", [2, 4, 8])
@pytest.mark.parametrize("stride", [1, 2, 3, 7, 100])
def test_layers_that_are_made_again(width, stride, core, monkeypatch):
    expected = edge_counts("6x7", closed=True, backend=core), end_counts("5x5", backend=core)
    monkeypatch.setattr(
        occurrences,
        "_plan",
        lambda *_: occurrences._Plan(width, {2: 3, 4: 2, 8: 1}[width], stride, 0),
    )
    assert edge_counts("6x7", closed=True, backend=core) == expected[0]
    assert edge_counts("7x6", closed=True, threads=3, backend=core) == {
        tuple(sorted((a[::-1], b[::-1]))): ways for (a, b), ways in expected[0].items()
    }
    assert end_counts("5x5", backend=core) == expected[1]


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("5x6", {}), ("6x6", {"closed": True}), ("4x6", {"start": (0, 0)}), ("6x4", {}),
        ("5x6", {"closed": True, "start": (0, 1), "end": (2, 2)}),
    ],
)  # fmt: skip
def test_every_move_by_itself(board, question, core, monkeypatch):
    counts = edge_counts(board, backend=core, **question)
    monkeypatch.setattr(occurrences, "_plan", lambda *_: None)
    assert edge_counts(board, backend=core, **question) == counts
    if not question:
        ends = end_counts(board, backend=core)
        monkeypatch.undo()
        assert ends == end_counts(board, backend=core)


def test_numbers_beyond_64_bits(core):
    total = count("5x26", closed=True)
    assert total > 2**64
    counts = edge_counts("5x26", closed=True, backend=core)
    for square in Board(5, 26).squares:
        assert sum(ways for move, ways in counts.items() if square in move) == 2 * total
    move = (1, 10), (3, 11)
    assert counts[move] == count("5x26", closed=True, start=move[0], end=move[1])


def test_an_unexpected_size_is_counted_by_primes(core, monkeypatch):
    counts = edge_counts("4x34", backend=core)
    assert sum(counts.values()) == count("4x34", directed=False) * (4 * 34 - 1)
    monkeypatch.setattr(occurrences, "bits_expected", lambda problem: 60.0)
    assert edge_counts("4x34", backend=core) == counts


def test_the_engines_agree_beyond_64_bits(core):
    assert edge_counts("3x40", closed=True, backend="pure") == edge_counts(
        "3x40", closed=True, backend=core
    )


def test_boards_of_other_shapes(backend):
    for board, closed in [
        (Board.ring(6, 2), True), (Board(4, 5, holes=[(1, 2), (2, 2)]), False),
        (Board(3, 4, wrap="torus"), False),
    ]:  # fmt: skip
        expected, starts, _ = walked(board, {"closed": closed})
        counts = edge_counts(board, closed=closed, backend=backend)
        assert {frozenset(move): ways for move, ways in counts.items() if ways} == expected
        if not closed:
            ends = end_counts(board, backend=backend)
            assert {square: ways for square, ways in ends.items() if ways} == starts


def test_how_the_layers_are_kept_follows_from_the_memory():
    cost = forecast(problem_of(Board(8, 8), None, None, True))
    plans = [occurrences._plan(cost, 44.0, 2, size * 2**30) for size in (30, 12, 5, 2, 1)]
    assert plans[0][:3] == (8, 1, 1)
    assert plans[0].memory > 2**33
    assert plans[1].width == 8
    assert plans[1].stride > 1
    assert plans[2] is not None
    assert plans[2].width < 8
    assert plans[-1] is None
    for plan, size in zip(plans, (30, 12, 5, 2), strict=False):
        if plan is not None:
            assert plan.memory <= size * 2**30


@pytest.mark.parametrize("size", [(15, 1000), (6, 1000), (20, 1000), (3, 6000)])
def test_limits_bind_the_plan_too(size, core):
    began = time.monotonic()
    for call in (edge_counts, end_counts, count):
        with pytest.raises(SearchLimitError):
            call(size, timeout=0.05, memory_limit=2**28, backend=core)
    assert time.monotonic() - began < 30  # without their looking at the clock: minutes


@pytest.mark.parametrize("size", [(10**9, 2), (1, 10**9), (142, 142), (2, 10_001)])
def test_boards_of_too_many_squares_are_refused_even_without_a_tour(size, backend):
    for call in (edge_counts, end_counts):
        with pytest.raises(InvalidInputError, match="more than 20000"):
            call(size, backend=backend)
    assert set(end_counts((2, 10_000), backend=backend).values()) == {0}


def test_limits(core):
    with pytest.raises(SearchLimitError, match="16 bits.*may be taken"):
        edge_counts("8x8", closed=True, memory_limit=2**28, backend=core)
    with pytest.raises(SearchLimitError, match="tables"):
        edge_counts("5x6", memory_limit=2**16, backend="pure")
    for backend in (core, "pure"):
        for call in (edge_counts, end_counts):
            with pytest.raises(SearchLimitError, match="timeout"):
                call("6x6", timeout=0, backend=backend)


def test_the_timeout_is_for_all_moves_together(core, monkeypatch):
    monkeypatch.setattr(occurrences, "_plan", lambda *_: None)
    with pytest.raises(SearchLimitError, match="timeout"):
        edge_counts("6x7", timeout=0.3, backend=core)


def test_progress_and_interruption(backend):
    told = []
    board = "5x6" if backend == "pure" else "6x7"
    edge_counts(board, closed=True, progress=told.append, backend=backend)
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert 0.9 < shares[-1] <= 1

    def enough(progress):
        if progress.share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        edge_counts(board, closed=True, progress=enough, backend=backend)


@pytest.mark.parametrize(
    "question",
    [{"closed": None}, {"start": (6, 0)}, {"threads": 0}, {"memory_limit": -1}, {"timeout": "x"},
     {"board": "0x4"}, {"backend": "other"}],
)  # fmt: skip
def test_bad_input(question):
    with pytest.raises(InvalidInputError):
        edge_counts(**{"board": "6x6", **question})


@pytest.mark.slow
def test_the_moves_of_7x8_are_those_counted_one_by_one(core):
    counts = edge_counts("7x8", closed=True, backend=core)
    assert sum(counts.values()) == 56 * 34524432316
    for start, end in [((0, 0), (1, 2)), ((3, 3), (1, 4)), ((2, 7), (4, 6))]:
        move = min(start, end), max(start, end)
        assert counts[move] == count("7x8", closed=True, start=start, end=end)
