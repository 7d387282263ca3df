"""Uniform tours: chi-square tests over all tours, both engines draw the same, bad input."""

from collections import Counter

import pytest

from knighttour import sampling
from knighttour.board import Board
from knighttour.counting import count
from knighttour.errors import InvalidInputError, NoTourError, SearchLimitError
from knighttour.sampling import sample, uniform_tour
from knighttour.shapes import random_tour

from .checker import check


def undirected(tour, closed):
    """Return a name of a tour that does not depend on its direction, nor its start if closed."""
    squares = [tuple(square) for square in tour]
    if closed:
        first = squares.index((0, 0))
        squares = squares[first:] + squares[:first]
        return min(tuple(squares), (squares[0], *squares[:0:-1]))
    return min(tuple(squares), tuple(reversed(squares)))


def chi_square(seen, number, samples):
    expected = samples / number
    return sum((n - expected) ** 2 / expected for n in seen.values()) + (
        (number - len(seen)) * expected
    )


def is_plausible(chi2, number):
    """Within four standard deviations of the mean of the chi-square distribution."""
    freedom = number - 1
    return abs(chi2 - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("board", "closed", "samples"),
    [("5x6", True, 2000), ("3x10", True, 3000), ("3x7", False, 4000), ("5x5", False, 9000)],
)
def test_every_tour_is_as_probable_as_every_other(board, closed, samples):
    number = count(board, closed=closed, directed=False)
    tours = sample(board, samples, closed=closed, seed=2026)
    seen = Counter(undirected(tour, closed) for tour in tours)
    assert len(seen) == number
    assert is_plausible(chi_square(seen, number, samples), number)


def test_both_directions_and_all_starts_of_closed_tours_are_drawn():
    tours = sample("5x6", 400, closed=True, seed=1)
    assert {tour.start for tour in tours} == {(0, 0)}
    assert {tour[1] for tour in tours} == {(1, 2), (2, 1)}
    starts = Counter(tour.start for tour in sample("3x4", 1600, seed=1))
    for square in Board(3, 4).squares:
        expected = 100 * count("3x4", start=square)  # of 16 tours in both directions
        assert abs(starts[square] - expected) <= 5 * expected**0.5


@pytest.mark.slow
def test_the_9862_closed_tours_of_6x6():
    seen = Counter(undirected(t, True) for t in sample("6x6", 100_000, closed=True, seed=6))
    assert len(seen) <= 9862
    assert is_plausible(chi_square(seen, 9862, 100_000), 9862)


@pytest.mark.slow
def test_the_864_tours_of_5x5_in_both_directions():
    tours = sample("5x5", 100_000, seed=5)
    seen = Counter(undirected(t, False) for t in tours)
    assert len(seen) == 864
    assert is_plausible(chi_square(seen, 864, 100_000), 864)
    directed = Counter(tuple(t.tolist()) for t in tours)
    assert len(directed) == 1728
    assert is_plausible(chi_square(directed, 1728, 100_000), 1728)


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("3x4", {}), ("5x6", {"closed": True}), ("6x5", {"closed": True}), ("4x5", {}),
        ("5x4", {"start": (0, 0)}), ("4x5", {"end": (0, 0)}), ("3x10", {"closed": True}),
        ("4x5", {"start": (0, 1), "end": (2, 0)}),
        ("3x10", {"closed": True, "start": (0, 1), "end": (2, 2)}),
    ],
)  # fmt: skip
def test_the_engines_draw_the_same(board, question):
    core = pytest.importorskip("knighttour._counting")
    assert core
    try:
        tours = sample(board, 30, seed=9, backend="core", **question)
    except NoTourError:
        with pytest.raises(NoTourError):
            sample(board, 30, seed=9, backend="pure", **question)
    else:
        assert tours == sample(board, 30, seed=9, backend="pure", **question)


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ((6, 6), {"closed": True}), ((5, 7), {}), ((7, 5), {"start": (2, 2)}),
        ((6, 5), {"end": (0, 0)}), ((5, 6), {"start": (0, 0), "end": (0, 1)}),
        ((6, 7), {"closed": True, "start": (3, 3)}), ((6, 6), {"closed": True, "end": (5, 5)}),
        ((6, 6), {"closed": True, "start": (2, 2), "end": (0, 1)}),
    ],
)  # fmt: skip
def test_what_is_drawn_is_what_was_asked_for(board, question):
    for tour in sample(board, 20, seed=4, **question):
        check(
            list(tour), *board,
            start=question.get("start"), end=question.get("end"),
            closed=question.get("closed", False),
        )  # fmt: skip
        assert tour.stats.method == "uniform"
        assert tour.stats.seed == 4


def test_the_first_samples_do_not_depend_on_how_many_there_are(backend):
    board, closed = ("3x10", True) if backend == "pure" else ("6x6", True)
    many = sample(board, 12, closed=closed, seed=8, backend=backend)
    assert sample(board, 5, closed=closed, seed=8, backend=backend) == many[:5]
    assert uniform_tour(board, closed=closed, seed=8, backend=backend) == many[0]
    assert sample(board, 0, closed=closed, backend=backend) == []


@pytest.mark.parametrize(
    ("board", "closed"),
    [("5x26", True), ("5x30", False), ("6x20", True), ("4x60", False), ("60x4", False)],
)
def test_boards_with_more_than_2_to_the_64_tours(board, closed, core):
    tours = sample(board, 5, closed=closed, seed=12, backend=core)
    assert len(set(tours)) == 5
    rows, cols = map(int, board.split("x"))
    for tour in tours:
        check(list(tour), rows, cols, closed=closed)
    assert sample(board, 3, closed=closed, seed=12, backend=core) == tours[:3]


def test_the_engines_draw_the_same_beyond_2_to_the_64(core):
    assert count("4x32") > 2**66
    drawn = sample("4x32", 25, seed=21, backend=core)
    assert drawn == sample("4x32", 25, seed=21, backend="pure")


@pytest.mark.parametrize("bound", [2**63, 2**31, 2**16])
def test_by_primes_the_same_tours_are_drawn(bound, core, monkeypatch):
    questions = [("6x6", {"closed": True}), ("5x6", {}), ("5x6", {"start": (0, 0)})]
    exactly = [sample(board, 40, seed=5, backend=core, **q) for board, q in questions]
    monkeypatch.setattr(sampling, "sweeps_expected", lambda width, bits: 2)
    monkeypatch.setitem(sampling.PRIMES_BELOW, 8, bound)
    assert [sample(board, 40, seed=5, backend=core, **q) for board, q in questions] == exactly


def test_an_unexpected_size_is_drawn_by_primes(core, monkeypatch):
    expected = sample("5x26", 4, closed=True, seed=5, backend=core)
    monkeypatch.setattr(sampling, "bits_expected", lambda problem: 60.0)
    assert sample("5x26", 4, closed=True, seed=5, backend=core) == expected


def test_by_primes_every_tour_is_as_probable_as_every_other(core, monkeypatch):
    monkeypatch.setattr(sampling, "sweeps_expected", lambda width, bits: 2)
    number = count("3x12", closed=True)
    tours = sample("3x12", 5000, closed=True, seed=31, backend=core)
    seen = Counter(undirected(tour, True) for tour in tours)
    assert len(seen) == number
    assert is_plausible(chi_square(seen, number, 5000), number)


def test_random_tour_draws_uniformly_if_asked(backend):
    board, closed = ("3x10", True) if backend == "pure" else ("6x6", True)
    for seed in (1, 2**64 - 1):
        tour = random_tour(board, closed=closed, uniform=True, seed=seed, backend=backend)
        assert tour == sample(board, 1, closed=closed, seed=seed, backend=backend)[0]
        assert tour.stats.method == "uniform"
    assert random_tour("5x5", uniform=True, timeout=60, memory_limit=2**30, backend="pure").board
    with pytest.raises(NoTourError):
        random_tour("4x4", uniform=True, backend=backend)
    with pytest.raises(InvalidInputError, match="uniform"):
        random_tour("5x5", uniform=1, backend=backend)
    with pytest.raises(InvalidInputError, match="uniform=True"):
        random_tour("5x5", memory_limit=2**30, backend=backend)
    with pytest.raises(InvalidInputError, match="without uniform=True"):
        random_tour("30x30", uniform=True, backend=backend)
    with pytest.raises(SearchLimitError, match="timeout"):
        random_tour("5x6", uniform=True, timeout=0, backend=backend)


def test_random_tour_names_the_memory_and_what_helps(core):
    with pytest.raises(SearchLimitError, match="GiB may be taken; .*spill=DIR.*memory_limit="):
        random_tour("8x8", uniform=True, memory_limit=2**30, backend=core)


def test_a_new_seed_every_time():
    tours = [sample("6x6", closed=True)[0] for _ in range(3)]
    assert len({tour.stats.seed for tour in tours}) == 3
    seed = tours[0].stats.seed
    assert sample("6x6", closed=True, seed=seed)[0] == tours[0]


def test_layers_in_files(tmp_path, core):
    question = {"k": 5, "closed": True, "seed": 3, "backend": core}
    tours = sample("6x7", **question)
    assert sample("6x7", **question, spill=tmp_path, memory_limit=2**20) == tours
    assert list(tmp_path.iterdir()) == []


def test_no_tour(backend):
    for board, question in [
        ("4x4", {}), ("2x5", {}), ("5x5", {"closed": True}), ("3x4", {"closed": True}),
        ("3x5", {}), ("4x5", {"start": (0, 0), "end": (0, 0)}), ("1x1", {"closed": True}),
    ]:  # fmt: skip
        with pytest.raises(NoTourError):
            sample(board, backend=backend, **question)
    assert [list(tour) for tour in sample("1x1", 2, backend=backend)] == [[(0, 0)]] * 2


@pytest.mark.parametrize(
    "question",
    [{"k": -1}, {"k": 1.5}, {"k": True}, {"seed": -1}, {"seed": 2**64}, {"seed": 0.5},
     {"closed": None}, {"start": (6, 0)}, {"board": "30x30"}, {"spill": 7}],
)  # fmt: skip
def test_bad_input(question):
    with pytest.raises(InvalidInputError):
        sample(**{"board": "6x6", **question})


def test_a_disk_that_is_too_small_is_refused(tmp_path, core):
    with pytest.raises(SearchLimitError, match="before the start.*free on the disk"):
        sample("10x10", closed=True, spill=tmp_path, backend=core)
    assert list(tmp_path.iterdir()) == []


def test_limits(core):
    with pytest.raises(SearchLimitError, match="spill"):
        sample("8x8", closed=True, memory_limit=2**30, backend="core")
    with pytest.raises(SearchLimitError, match="before the start.*3 times.*memory_limit"):
        sample("8x14", closed=True, memory_limit=2**33, backend="core")
    with pytest.raises(SearchLimitError, match="timeout"):
        sample("6x6", timeout=0)
