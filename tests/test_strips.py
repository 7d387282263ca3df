"""Boards of one width and all lengths: the numbers of one sweep are those of the single counts."""

import tomllib
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from knighttour import InvalidInputError, SearchLimitError, count, count_lengths, count_plan
from knighttour._engine import get_engine
from knighttour.board import Board
from knighttour.dense import Blueprint, Sweep
from knighttour.elimination import problem_of
from knighttour.residues import Reconstruction, decimal, primes_below
from knighttour.strips import StripBlueprint, StripSweep, completions, families, strip_of

COUNTS = tomllib.loads((Path(__file__).parent / "data" / "counts.toml").read_text("utf-8"))["count"]

SEQUENCES = tomllib.loads((Path(__file__).parent / "data" / "sequences.toml").read_text("utf-8"))[
    "sequence"
]

#: OEIS A175881, the last term there
CLOSED_6X40 = 377031597006006571424070743308269493020186682009428464253448495336


def singly(board, closed, modulus=0):
    """Count a board by a sweep of its own, modulo a prime or exactly."""
    problem = problem_of(Board(*board), None, None, closed)
    if problem is None:
        return 0
    sweep = Sweep(Blueprint(problem, get_engine("core").counting), 8, modulus)
    while sweep.step():
        pass
    assert not sweep.has_overflowed
    return sweep.total


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    ("width", "longest"), [(1, 4), (2, 5), (3, 14), (4, 14), (5, 12), (6, 9), (7, 5)]
)
def test_all_lengths_are_those_of_single_counts(width, longest, closed, core):
    found = count_lengths(width, longest, closed=closed, backend=core)
    assert list(found) == list(range(1, longest + 1))
    for length, number in found.items():
        assert number == count((length, width), closed=closed, backend=core)
        assert number == count((width, length), closed=closed, backend=core)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(("width", "longest"), [(1, 3), (2, 3), (3, 11), (4, 6), (5, 5), (7, 3)])
def test_both_engines_count_all_lengths(width, longest, closed, core):
    by_core = count_lengths(width, longest, closed=closed, backend=core)
    assert count_lengths(width, longest, closed=closed, backend="pure") == by_core


def test_direction(backend):
    once = count_lengths(3, 10, closed=True, backend=backend)
    assert once[10] == 16
    both = count_lengths(3, 10, closed=True, directed=True, backend=backend)
    assert both == {length: 2 * number for length, number in once.items()}
    open_both = count_lengths(4, 5, shortest=3, backend=backend)
    assert open_both == {3: 16, 4: 0, 5: 164}
    open_once = count_lengths(4, 5, shortest=3, directed=False, backend=backend)
    assert open_once == {3: 8, 4: 0, 5: 82}
    assert count_lengths(1, 1, backend=backend) == {1: count("1x1", backend=backend)} == {1: 1}


@pytest.mark.parametrize("kind", ["closed", "directed"])
@pytest.mark.parametrize("width", [3, 4, 5, 6])
def test_published_counts(width, kind, core):
    known = {}
    for entry in COUNTS:
        narrow, length = sorted(entry["board"])
        if narrow == width and kind in entry and (kind == "closed" or width < 6 or length < 10):
            known[length] = entry[kind]
    if not known:
        pytest.skip("nothing is known")
    found = count_lengths(width, max(known), closed=kind == "closed", backend=core)
    assert {length: found[length] for length in known} == known


@pytest.mark.parametrize(
    "entry",
    [entry for entry in SEQUENCES if entry["width"] < 7 or len(entry["terms"]) < 3],
    ids=lambda entry: entry["name"],
)
def test_published_sequences(entry, core):
    first, step = entry["lengths"]
    lengths = range(first, first + step * len(entry["terms"]), step)
    found = count_lengths(
        entry["width"],
        lengths[-1],
        shortest=first,
        closed=entry["kind"] == "closed",
        directed=entry["kind"] == "directed",
        backend=core,
    )
    assert [found[length] for length in lengths] == [int(term) for term in entry["terms"]]


def test_6x40_closed(core):
    assert count("6x40", closed=True, backend=core) == CLOSED_6X40
    assert count("40x6", closed=True, backend=core) == CLOSED_6X40


@pytest.mark.slow
def test_6x1000_closed(core):
    """A number of 1801 digits; minutes."""
    counts = count_lengths(6, 1000, closed=True, backend=core)
    digits = decimal(counts[1000])
    assert len(digits) == 1801
    assert digits[:30] == "110370544864266129217366734842"
    assert digits[-30:] == "890133161091799607582208267866"
    assert (
        sha256(digits.encode()).hexdigest()
        == "f96dabd3f657adac7ec52c6499d268a1a92478cd9de92e482949689aee938fde"
    )
    assert counts[40] == CLOSED_6X40


@pytest.mark.parametrize(
    ("board", "closed"), [((41, 3), True), ((3, 40), False), ((43, 5), False), ((44, 5), True)]
)
def test_long_boards_modulo_a_prime_that_was_not_used(board, closed, core):
    """A long board is swept as a strip; its number agrees with a sweep of the board itself."""
    number = count(board, closed=closed, directed=False, backend=core)
    for prime in (2**61 - 1, 2**31 - 1):
        assert number % prime == singly(board, closed, prime)


@pytest.mark.parametrize(("width", "closed", "length"), [(5, False, 14), (6, True, 12)])
def test_eight_primes_at_once_are_eight_primes(width, closed, length, core):
    kernels = get_engine(core).counting
    blueprint = StripBlueprint(strip_of(width, closed, length % 2), length - 2, kernels)
    primes = tuple(islice(primes_below(2**63), kernels.PRIMES_AT_ONCE))
    together = StripSweep(blueprint, 8 * len(primes), primes, 1, [length - 2, length])
    while together.step():
        pass
    for lane, prime in enumerate(primes):
        alone = StripSweep(blueprint, 8, prime, 2, [length - 2, length])
        while alone.step():
            pass
        assert alone.found == {n: found[lane] for n, found in together.found.items()}
        assert together.found[length][lane] == singly((length, width), closed, prime)


def test_eight_primes_at_once_close_cycles(core):
    """The sweep of a whole board works with eight primes as well."""
    kernels = get_engine(core).counting
    problem = problem_of(Board(6, 6), None, None, True)
    primes = tuple(islice(primes_below(2**63), kernels.PRIMES_AT_ONCE))
    scratch = kernels.Scratch(8 * len(primes))
    sweep = Sweep(Blueprint(problem, kernels), 8 * len(primes), primes)
    sweep._scratches = [scratch]
    while sweep.step():
        pass
    assert [n % p for n, p in zip(scratch.total(True), primes, strict=True)] == [9862] * len(primes)


@pytest.mark.parametrize("width", [2, 4])
def test_narrow_values(width, core):
    kernels = get_engine(core).counting
    prime = {2: 65521, 4: 2**31 - 1}[width]
    sweep = StripSweep(
        StripBlueprint(strip_of(5, True), 12, kernels), width, prime, 2, range(3, 15)
    )
    while sweep.step():
        pass
    assert sweep.found[14] == 1495135512514 % prime


def test_an_overflow_is_noticed(core):
    kernels = get_engine(core).counting
    sweep = StripSweep(StripBlueprint(strip_of(6, True), 16, kernels), 8, 0, 1, range(3, 19))
    while sweep.step():
        pass
    assert sweep.found[14] == 4005716717182224826
    assert sweep.found[18] is None  # 67351449674771471216148786
    assert sweep.has_overflowed


def test_rows_are_planned_once_whatever_the_length(core):
    kernels = get_engine(core).counting
    made = []
    for rows in (40, 4000):
        blueprint = StripBlueprint(strip_of(5, False, 1), rows, kernels)
        layouts = {id(blueprint.layout(number)) for number in range(blueprint.steps + 1)}
        made.append(len(layouts))
    assert made[0] == made[1] <= 3 * (2 + 2)


def test_completions_of_two_rows():
    """Each degree is what is missing to two, and the ends of paths come in pairs."""
    for closed in (True, False):
        cells, ways = completions(4, closed)
        size = len(cells)
        assert size == 8 + (not closed)
        records = {ways[i : i + 2 * size] for i in range(0, len(ways), 2 * size)}
        for record in records:
            for cell in range(size):
                degree, mate = record[2 * cell], record[2 * cell + 1]
                assert 0 <= degree <= 2
                assert (degree == 1) == (mate != cell)
                assert record[2 * mate + 1] == cell
    assert len(completions(6, True)[1]) == 2**8 * 24  # every set of edges is without a cycle


def test_families():
    assert families(6, range(1, 6), True) == [(0, [3, 4, 5])]
    assert families(7, [9, 4, 9], False) == [(0, [4]), (1, [9])]
    assert families(7, [9], True) == []
    assert families(2, [9], False) == []


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((0, 5), {}),
        ((3, 0), {}),
        ((3.0, 5), {}),
        ((True, 5), {}),
        (("3", 5), {}),
        ((3, 5), {"shortest": 6}),
        ((3, 5), {"shortest": 0}),
        ((17, 20), {}),
        ((3, 10**9), {}),
        ((3, 5), {"closed": 1}),
        ((3, 5), {"directed": "yes"}),
        ((3, 5), {"threads": 0}),
        ((3, 5), {"memory_limit": -1}),
        ((3, 5), {"timeout": -1}),
        ((3, 5), {"backend": "other"}),
    ],
)
def test_bad_input(arguments, options):
    with pytest.raises(InvalidInputError):
        count_lengths(*arguments, **options)


def test_an_executor_is_for_the_core():
    with ProcessPoolExecutor(1) as pool, pytest.raises(InvalidInputError, match="compiled"):
        count_lengths(3, 5, executor=pool, backend="pure")


def test_primes_are_worked_by_an_executor(core):
    with ProcessPoolExecutor(2) as pool:
        assert count_lengths(5, 6, executor=pool, backend=core) == count_lengths(5, 6)
        assert count("6x40", closed=True, executor=pool, backend=core) == CLOSED_6X40


def test_too_little_memory_is_refused_before_the_start(core):
    with pytest.raises(SearchLimitError, match="before the start"):
        count_lengths(8, 30, memory_limit=10**8, backend=core)
    with pytest.raises(SearchLimitError, match="tables"):
        count_lengths(5, 8, memory_limit=10**5, backend="pure")


def test_timeout(backend):
    with pytest.raises(SearchLimitError, match="timeout"):
        count_lengths(7, 20, timeout=0.2, backend=backend)


@pytest.mark.parametrize("arguments", [(5, 41), (6, 60)])
def test_progress_rises_to_the_end(arguments, backend):
    if backend == "pure":
        arguments = (3, 9)
    told = []
    count_lengths(*arguments, closed=arguments[0] == 6, progress=told.append, backend=backend)
    shares = [at.share for at in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.5 < shares[-1] <= 1


class EnoughError(Exception):
    """Raised in the middle of a count."""


def test_an_exception_in_progress_ends_the_count(backend):
    def stop(progress):
        raise EnoughError

    with pytest.raises(EnoughError):
        count_lengths(5, 40, progress=stop, backend=backend)


def test_a_plan_of_a_long_board_costs_no_more_than_that_of_a_short_one():
    short = count_plan("6x50", closed=True).forecast
    long = count_plan("6x5000", closed=True).forecast
    assert short.peak_states == long.peak_states == 304212
    by_row = (long.transitions - short.transitions) / 4950
    assert by_row == (count_plan("6x51", closed=True).forecast.transitions - short.transitions)


def test_numbers_become_known():
    number = Reconstruction()
    taken = [number.add(prime, 10**40 % prime) for prime in islice(primes_below(2**63), 4)]
    assert taken == [False, False, False, True]
    assert number.value == 10**40


def test_decimal():
    for number in (0, 7, -7, 10**511, 10**512 - 1, 10**512, 10**1024 - 1, 10**1024, -(3**2500)):
        assert decimal(number) == str(number)
    assert decimal(10**20_000 + 5) == "1" + "0" * 19_999 + "5"


@pytest.mark.parametrize("width", [8, 4, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_little_memory_means_narrow_values_and_the_same_numbers(width, threads, core):
    expected = count_lengths(5, 24, closed=True, backend=core)
    cost = count_plan("5x24", closed=True).forecast
    limit = cost.memory(width, threads)
    for board in ("5x24", "24x5"):
        plan = count_plan(board, closed=True, threads=threads, memory_limit=limit)
        assert plan.width == width
        limits = {"threads": threads, "memory_limit": limit, "backend": core}
        assert count(board, closed=True, **limits) == expected[24]
    assert count_lengths(5, 24, closed=True, **limits) == expected
