"""check() and classify(), against fifty published tours and against brute force."""

import itertools
import json
import pickle
import random
from array import array
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import (
    Board,
    InvalidInputError,
    InvalidTourError,
    KnightTourError,
    SearchLimitError,
    Tour,
    check,
    classify,
    exists,
    historic,
    is_same_tour,
    read_text,
    scan_text,
    tour,
)
from knighttour import analysis as analysis_module
from knighttour._engine import _ENGINES, get_engine
from knighttour.answer import SYMMETRIES
from knighttour.notation import column_letters

PUBLISHED = json.loads((Path(__file__).parent / "data" / "tours.json").read_text("utf-8"))
VALID = [entry for entry in PUBLISHED if entry["valid"]]
INVALID = [entry for entry in PUBLISHED if not entry["valid"]]
BY_ID = {entry["id"]: entry for entry in PUBLISHED}


def has_holes():
    try:
        Board(4, 4, holes=[(3, 3)])
    except TypeError:
        return False
    return True


def skip_holes(entry):
    if entry["holes"] and not has_holes():
        pytest.skip("boards have no holes in this version")


def loaded(entry, **options):
    """Read an entry in its own form; the verse of Someshvara by the squares that it spells."""
    if entry["base"] is not None:
        options["base"] = entry["base"]
    if entry["format"].startswith("syllables"):
        return check(entry["squares"], (entry["rows"], entry["cols"]), **options)
    if entry["format"] == "algebraic list":
        options["board"] = (entry["rows"], entry["cols"])
    return read_text(entry["text"], **options)


def names(entries):
    return [entry["id"] for entry in entries]


def test_there_are_fifty_entries_and_eleven_of_them_are_no_tours():
    assert len(PUBLISHED) == 50
    assert len(INVALID) == 11


@pytest.mark.parametrize("entry", VALID, ids=names(VALID))
def test_a_published_tour_is_read_and_has_its_properties(entry, backend):
    skip_holes(entry)
    found = loaded(entry, backend=backend)
    assert found == [tuple(square) for square in entry["squares"]]
    assert found.board.shape == (entry["rows"], entry["cols"])
    assert found.closed is entry["closed"]
    kind = classify(found)
    assert kind.closed is entry["closed"]
    if "semimagic" in entry:
        assert kind.semimagic is entry["semimagic"]
    if "magic" in entry:
        assert kind.magic is entry["magic"]
    if "sym180" in entry:
        assert kind.half_turn is entry["sym180"]
    if "diagonals" in entry:
        assert list(kind.diagonals) == entry["diagonals"]


@pytest.mark.parametrize("entry", INVALID, ids=names(INVALID))
def test_a_published_non_tour_has_exactly_its_faults(entry, backend):
    with pytest.raises(InvalidTourError) as caught:
        loaded(entry, backend=backend)
    found, expected = caught.value.faults, entry["faults"]
    steps = [[a, b, list(c), list(d)] for a, b, c, d in found.illegal_steps]
    assert steps == expected["illegal_steps"]
    if "missing_count" in expected:
        assert found.counts["missing_squares"] == expected["missing_count"]
        assert len(found.missing_squares) == expected["missing_count"]
        assert [list(s) for s in found.repeated_squares] == expected["repeated_squares"]
        return
    assert list(found.missing) == expected["missing"]
    repeated = {str(n): [list(s) for s in squares] for n, squares in found.repeated.items()}
    assert repeated == expected["repeated"]
    assert list(found.out_of_range) == expected["out_of_range"]


# Cases C01 to C08 and F24


def faults_of(grid, **options):
    with pytest.raises(InvalidTourError) as caught:
        check(grid, **options)
    return caught.value.faults


def test_c01_a_number_twice_and_one_missing(backend):
    grid = [[11, 8, 5, 0], [0, 3, 10, 7], [9, 6, 1, 4]]
    found = faults_of(grid, base=0, backend=backend)
    assert found.repeated == {0: ((0, 3), (1, 0))}
    assert found.missing == (2,)
    assert not found.illegal_steps
    assert "0 stands on 2 squares, (0, 3) and (1, 0)" in str(found)
    assert "2 is missing" in str(found)


def test_c02_the_first_bad_step_is_named(backend):
    found = faults_of([[8, 3, 6], [5, 0, 1], [2, 7, 4]], base=0, backend=backend)
    assert found.illegal_steps[0] == (0, 1, (1, 1), (1, 2))
    assert found.counts["illegal_steps"] == 1


def test_c03_a_required_start_is_a_fault_of_its_own(backend):
    grid = BY_ID["judge_5x5_start_not_top_left"]["text"]
    rows = [[int(number) for number in line.split()] for line in grid.splitlines()]
    found = check(rows, base=0, backend=backend)
    assert found.start == (4, 0)
    faults = faults_of(rows, base=0, start=(0, 0), backend=backend)
    assert faults.start == ((0, 0), (4, 0))
    assert {what for what, number in faults.counts.items() if number} == {"start"}
    assert str(faults) == "it starts on (4, 0), and (0, 0) is required"


def test_c04_sums_and_products_are_no_test_of_a_move(backend):
    text = BY_ID["judge_5x5_illegal_jump"]["text"]
    rows = [[int(number) for number in line.split()] for line in text.splitlines()]
    found = faults_of(rows, base=0, backend=backend)
    assert found.illegal_steps[0] == (11, 12, (1, 0), (1, 3))


def test_c05_a_small_tour(backend):
    assert check([[0, 3, 6, 9], [11, 8, 1, 4], [2, 5, 10, 7]], backend=backend).start == (0, 0)


def test_c06_a_short_cycle_called_closed(backend):
    squares = [(0, 0), (2, 1), (4, 0), (3, 2), (4, 4), (2, 3), (0, 4), (1, 2), (0, 0)]
    found = faults_of(squares, board="5x5", closed=True, backend=backend)
    assert found.repeated_squares == {(0, 0): (0, 8)}
    assert found.counts["missing_squares"] == 17
    assert not found.illegal_steps


def test_c07_semimagic_is_not_magic():
    kind = classify(loaded(BY_ID["nested_semimagic_8x8"]))
    assert set(kind.row_sums) == set(kind.col_sums) == {260}
    assert kind.diagonals == (282, 210)
    assert kind.semimagic
    assert not kind.magic


@pytest.mark.parametrize("base", [None, 1])
def test_f24_an_unwritten_square_is_refused(base, backend):
    grid = tour((0, 0), "chess").grid()
    row, col = tour((0, 0), "chess")[-1]
    grid[row][col] = 0
    with pytest.raises(InvalidTourError) as caught:
        check(grid, base=base, backend=backend)
    if base == 1:
        assert caught.value.faults.missing == (64,)
        assert list(caught.value.faults.out_of_range) == [0]
    else:  # either base is wrong, and the text names both
        assert "base=1 is the other way" in str(caught.value)


# check() in general


def random_grid(generator, rows, cols):
    """Return a tour's grid, altered in a few places."""
    grid = tour((0, 0), (rows, cols)).grid()
    for _ in range(generator.randrange(1, 4)):
        a, b = generator.randrange(rows), generator.randrange(cols)
        c, d = generator.randrange(rows), generator.randrange(cols)
        if generator.random() < 0.5:
            grid[a][b], grid[c][d] = grid[c][d], grid[a][b]
        else:
            grid[a][b] = generator.choice([grid[c][d], -3, rows * cols + 1, 2**40])
    return grid


def plain_faults(grid, base):
    """Find the faults again, by a program that shares nothing with the package."""
    places = {}
    for r, row in enumerate(grid):
        for c, number in enumerate(row):
            places.setdefault(number, []).append((r, c))
    count = len(grid) * len(grid[0])
    span = range(base, base + count)
    illegal = []
    for n in span[:-1]:
        here, there = places.get(n, []), places.get(n + 1, [])
        if len(here) == len(there) == 1:
            (a, b), (c, d) = here[0], there[0]
            if sorted((abs(a - c), abs(b - d))) != [1, 2]:
                illegal.append((n, n + 1, here[0], there[0]))
    return {
        "missing": tuple(n for n in span if n not in places),
        "repeated": {n: tuple(p) for n, p in places.items() if len(p) > 1 and n in span},
        "out_of_range": {n: tuple(p) for n, p in places.items() if n not in span},
        "illegal_steps": tuple(illegal),
    }


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (10, 9), (9, 10), (8, 8), (3, 10), (10, 3)])
def test_faults_are_those_of_an_independent_program(shape, backend):
    generator = random.Random(repr(shape))
    seen = 0
    for _ in range(40):
        grid = random_grid(generator, *shape)
        expected = plain_faults(grid, 1)
        try:
            check(grid, base=1, backend=backend)
        except InvalidTourError as error:
            found = error.faults
            seen += 1
            assert found.missing == expected["missing"]
            assert found.repeated == expected["repeated"]
            assert found.out_of_range == expected["out_of_range"]
            assert found.illegal_steps == expected["illegal_steps"]
            assert [found.counts[what] for what in expected] == [
                len(listed) for listed in expected.values()
            ]
        else:
            assert not any(expected.values())
    assert seen > 20


@pytest.mark.skipif("core" not in _ENGINES, reason="there is no compiled core to compare")
def test_both_engines_give_the_same_bytes():
    core, pure = (get_engine(name).analysis for name in ("core", "pure"))
    generator = np.random.default_rng(1)
    for itemsize, kind in ((4, np.int32), (8, np.int64)):
        for _ in range(200):
            count = int(generator.integers(1, 40))
            numbers = generator.integers(-2, count + 2, count).astype(kind)
            mask = bytes(generator.integers(0, 2, count).tolist()) if count % 3 == 0 else b""
            room = int(generator.integers(0, 10))
            orders = [bytearray(b"\xff" * (4 * count)) for _ in range(2)]
            results = [
                engine.place(order, numbers.tobytes(), itemsize, 0, 1, mask, room)
                for engine, order in zip((core, pure), orders, strict=True)
            ]
            assert results[0] == results[1]
            assert orders[0] == orders[1]
            cols = int(generator.integers(1, 8))
            steps = [e.illegal_steps(orders[0], cols, 0, count - 1, room) for e in (core, pure)]
            assert steps[0] == steps[1]


def test_windows_give_what_one_pass_gives(backend, monkeypatch):
    grid = random_grid(random.Random(5), 10, 9)
    whole = faults_of(grid, base=1, backend=backend)
    monkeypatch.setattr(analysis_module, "_WINDOW", 7)
    assert faults_of(grid, base=1, backend=backend) == whole
    assert check(tour("a0").grid(), backend=backend) == tour("a0")


def test_of_many_faults_some_are_listed_and_all_are_counted(backend, monkeypatch):
    grid = [[0] * 30 for _ in range(30)]
    whole = faults_of(grid, base=1, backend=backend)
    assert whole.counts["missing"] == 900
    monkeypatch.setattr(analysis_module, "MOST_FAULTS", 10)
    found = faults_of(grid, base=1, backend=backend)
    assert len(found.missing) == 10
    assert found.counts["missing"] == 900
    orderly = np.arange(1, 901).reshape(30, 30)
    found = faults_of(orderly, backend=backend)
    assert len(found.illegal_steps) == 10
    assert found.counts["illegal_steps"] == 899
    assert "894 more illegal steps" in str(found)


@pytest.mark.parametrize("shape", ["3x4", "4x3", "xiangqi", "9x10", "5x5", "1x1"])
def test_every_form_of_a_tour_is_the_same_tour(shape, backend):
    found = tour(board=shape)
    grid = found.grid()
    forms = [
        found,
        grid,
        found.grid(base=0),
        found.tolist(),
        found.names(),
        np.array(grid),
        np.array(grid, dtype=np.int32),
        np.array(grid, dtype=np.uint8),
        np.array(grid).T.copy().T,  # Fortran order
        np.asarray(found),
        tuple(map(tuple, grid)),
        [[str(number) for number in row] for row in grid],
    ]
    for form in forms:
        again = check(form, found.board, backend=backend)
        assert isinstance(again, Tour)
        assert again == found
    assert check(found.order(), found.board, form="order") == found
    assert check(list(found.steps()), found.board, form="steps", backend=backend) == found


def test_a_closed_list_may_repeat_its_start(backend):
    found = tour((0, 0), "5x6", closed=True)
    again = check([*found, found.start], backend=backend)
    assert again == found
    assert again.closed
    opened = tour((0, 0), "5x5").tolist()
    with pytest.raises(InvalidTourError, match="closed tour is required"):
        check([*opened, opened[0]], "5x5", backend=backend)


def test_a_closed_tour_can_be_required(backend):
    assert check(tour((0, 0), "5x6", closed=True).grid(), closed=True, backend=backend).closed
    faults = faults_of(tour((0, 0), "5x5").grid(), closed=True, backend=backend)
    assert faults.not_closed
    assert faults_of([[1]], closed=True, backend=backend).not_closed
    with pytest.raises(InvalidTourError, match="ends on"):
        check(tour((0, 0), "5x5"), end=(0, 0), backend=backend)


@pytest.mark.parametrize(
    ("grid", "options", "message"),
    [
        ([], {}, "empty"),
        ([[]], {}, "empty"),
        ("1 2 3", {}, "read_text"),
        (7, {}, "no tour"),
        (None, {}, "no tour"),
        ({(0, 0)}, {}, "no order"),
        ([[1, 2, 3], [4, 5]], {}, "row 1 has 2 cells"),
        ([[1, 2.5, 3]], {}, "2.5 in row 0, column 1"),
        ([[1, True, 3]], {}, "True in row 0, column 1"),
        ([[1, "q", 3]], {}, "'q' in row 0"),
        ([[1, 2**70, 3]], {}, "hexadecimal"),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], {}, "3x4, 4x3"),
        ([(0, 0), (1.5, 2)], {}, "entry 1"),
        ([(0, 0), (-1, 2)], {}, "on no board"),
        (["a1", "b"], {}, "'b' is not the name"),
        ([[1, 2, 3]], {"form": "no"}, "form='no'"),
        ([[1, 2, 3]], {"base": "0"}, "base='0'"),
        ([[1, 2, 3]], {"base": 2**80}, "too large"),
        ([[1, 2, 3]], {"board": "4x4"}, "1 rows and 3 columns"),
        ([[1, 2, 3]], {"start": (5, 5)}, "start"),
        ([[1, 2, 3]], {"backend": "no"}, "backend"),
        (["a1", "b3"], {"board": "2x2"}, "'b3'"),
        (np.zeros((0, 3), int), {}, "no squares"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_says_what_can(grid, options, message):
    with pytest.raises(InvalidInputError, match=message):
        check(grid, **options)


def test_a_tour_of_another_board_is_refused():
    with pytest.raises(InvalidInputError, match="not of 8x8"):
        check(tour("a0"), "chess")


def test_squares_outside_and_a_board_much_larger_than_the_list(backend):
    found = faults_of([(0, 0), (2, 1), (5, 0), (1, 1)], board="3x4", backend=backend)
    assert found.outside == {2: (5, 0)}
    assert found.illegal_steps == ()
    found = faults_of([(0, 0), (2, 1), (2, 2)], board=(10**9, 10**9), backend=backend)
    assert found.counts["missing_squares"] == 10**18 - 3
    assert found.illegal_steps == ((1, 2, (2, 1), (2, 2)),)


def test_the_error_is_pickled_with_its_faults():
    with pytest.raises(InvalidTourError) as caught:
        check([[1, 2], [3, 4], [5, 6]], "3x2")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.faults == caught.value.faults
    assert str(again) == str(caught.value)


def test_too_large_for_the_memory_is_a_limit(monkeypatch):
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 1 << 20)
    grid = np.zeros((3000, 3000), np.int32)
    with pytest.raises(SearchLimitError, match="check"):
        check(grid)


# classify()


def crossings_by_hand(squares, closed):
    """Count crossing segments by parameters of the lines: slow and exact."""
    path = [*squares, squares[0]] if closed else squares
    segments = list(itertools.pairwise(path))
    total = 0
    for (a, b), (c, d) in itertools.combinations(segments, 2):
        r, s = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
        det = r[0] * s[1] - r[1] * s[0]
        if det == 0:
            continue
        q = (c[0] - a[0], c[1] - a[1])
        t, u = q[0] * s[1] - q[1] * s[0], q[0] * r[1] - q[1] * r[0]
        if det < 0:
            det, t, u = -det, -t, -u
        total += 0 < t < det and 0 < u < det
    return total


BOARDS = ["3x4", "4x3", "5x6", "6x5", "xiangqi", "9x10", "3x10", "10x3", "chess"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_crossings_turns_and_moves_are_those_counted_by_hand(board, seed):
    found = tour(None, board, seed=seed)
    squares = found.tolist()
    kind = classify(found)
    assert kind.crossings == crossings_by_hand(squares, found.closed)
    path = [*squares, squares[0]] if found.closed else squares
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]
    assert kind.directions == {move: steps.count(move) for move in kind.directions}
    assert sum(kind.directions.values()) == len(steps)
    cosines = Counter()
    pairs = list(itertools.pairwise([*steps, steps[0]] if found.closed else steps))
    for (a, b), (c, d) in pairs:
        cosines[a * c + b * d] += 1
    degrees = {5: 0.0, 4: 36.87, 3: 53.13, 0: 90.0, -3: 126.87, -4: 143.13}
    assert kind.turns == {degrees[cosine]: n for cosine, n in cosines.items()}
    straight = kind.turns.get(0.0, 0)
    assert kind.left_turns + kind.right_turns + straight == len(pairs)
    assert sum((moves - 1) * n for moves, n in kind.straight_runs.items()) == straight


def test_left_is_left_as_one_looks_at_the_board():
    # up and to the right, then up and to the left
    moves = analysis_module.KNIGHT_MOVES
    codes = bytes([moves.index((-2, 1)), moves.index((-2, -1))])
    assert analysis_module._turns(codes, moves, False)[1:] == (1, 0)
    assert analysis_module._turns(codes[::-1], moves, False)[1:] == (0, 1)


@pytest.mark.parametrize("board", ["3x4", "4x3", "5x6", "6x6", "xiangqi", "chess"])
def test_symmetric_images_have_the_same_counts(board):
    found = tour(None, board)
    kind = classify(found)
    images = [found.transformed(name) for name in SYMMETRIES]
    for image in [*images, found.reversed()]:
        other = classify(image)
        assert other.crossings == kind.crossings
        assert other.turns == kind.turns
        assert other.straight_runs == kind.straight_runs
        assert other.longest_run == kind.longest_run
        assert {other.left_turns, other.right_turns} == {kind.left_turns, kind.right_turns}


def test_symmetries_are_those_of_transformed_tours():
    ids = ["euler_A226697", "judge_3x4_expected", "lexicographic_first_4x3", "knuth_3x10_eq16"]
    for name in [*ids, "closed_6x6", "beverley1848"]:
        found = loaded(BY_ID[name])
        square = found.board.rows == found.board.cols
        expected = set()
        for symmetry in SYMMETRIES if square else SYMMETRIES[:3]:
            image = found.transformed(symmetry)
            both = [image, image.reversed()]
            if found.closed:
                both = [one.rotated(found.start) for one in both]
            if found in both:
                expected.add(symmetry)
        assert {symmetry.name for symmetry in classify(found).symmetries} == expected


def test_eulers_tour_has_a_step_difference_of_half_the_tour():
    kind = classify(historic("euler_A226697"))
    assert kind.euler_type
    assert [tuple(symmetry) for symmetry in kind.symmetries] == [("rotate180", False, 32)]
    open_one = classify(historic("knuth_3x10_eq16"))
    assert open_one.half_turn
    assert not open_one.euler_type


def test_rotating_a_closed_tour_changes_only_what_counts_from_the_start():
    found = historic("euler_A226697")
    first, second = classify(found), classify(found.rotated((3, 3)))
    for what in ("symmetries", "crossings", "turns", "straight_runs", "directions", "half_boards"):
        assert getattr(first, what) == getattr(second, what)


def joined_halves():
    """Join a tour of the upper half of a board of 12x5 to one of the lower half."""
    for end, start in itertools.product(range(5), repeat=2):
        last, first = (5, end), (0, start)
        there_are = exists("6x5", start=(0, 0), end=last) and exists("6x5", start=first)
        if abs(end - start) == 2 and there_are:
            lower = [(row + 6, col) for row, col in tour(first, "6x5")]
            return check([*tour((0, 0), "6x5", end=last), *lower])
    raise AssertionError("no two half tours could be joined")


def test_half_boards():
    assert classify(tour((0, 0), "3x4")).half_boards == ()
    joined = joined_halves()
    assert classify(joined).half_boards == ("rows",)
    assert classify(joined.reversed()).half_boards == ("rows",)
    assert classify(joined.transformed("rotate90")).half_boards == ("cols",)


def test_longest_run_of_a_closed_tour_goes_across_its_start():
    found = tour((0, 0), "6x6", closed=True)
    longest = {classify(found.rotated(square)).longest_run for square in found}
    assert len(longest) == 1


def test_the_smallest_board():
    kind = classify(check([[1]]))
    assert kind.crossings == 0
    assert kind.longest_run == 0
    assert kind.diagonals == (1, 1)
    assert kind.magic
    assert not kind.symmetric


def test_a_classification_is_text_and_json():
    kind = classify(historic("beverley1848"))
    assert "semimagic" in str(kind)
    again = json.loads(json.dumps(kind.as_dict()))
    assert again["row_sums"] == [260] * 8
    assert again["semimagic"] is True


def test_only_a_tour_is_classified():
    with pytest.raises(InvalidInputError, match="check"):
        classify([[1]])
    with pytest.raises(InvalidInputError, match="no Tour"):
        is_same_tour(tour("a0"), [1])


@given(st.sampled_from(BOARDS), st.sampled_from(SYMMETRIES), st.booleans(), st.integers(0, 10**6))
def test_same_up_to_symmetry_and_reversal(board, symmetry, backwards, where):
    found = tour(None, board)
    image = found.transformed(symmetry)
    if backwards:
        image = image.reversed()
    if image.closed:
        image = image.rotated(divmod(where % image.board.size, image.board.cols))
    assert is_same_tour(found, image)
    assert is_same_tour(image, found)


@given(st.sampled_from(BOARDS), st.sampled_from(SYMMETRIES), st.integers(0, 10**6))
def test_every_transformation_has_its_inverse(board, symmetry, where):
    found = tour(None, board)
    inverse = {"rotate90": "rotate270", "rotate270": "rotate90"}.get(symmetry, symmetry)
    image = found.transformed(symmetry)
    assert image.transformed(inverse) == found
    assert image.reversed().reversed() == image
    if found.closed:
        square = divmod(where % found.board.size, found.board.cols)
        assert found.rotated(square).rotated(found.start) == found


def test_different_tours_are_not_the_same():
    assert not is_same_tour(historic("euler_A226697"), historic("euler_gouraud1845"))
    assert not is_same_tour(historic("beverley1848"), historic("euler_A226697"))
    assert not is_same_tour(tour(board="3x4"), tour(board="chess"))


# Sentences and values, where a change of the module went unnoticed (tools/mutate.py)


def sentence_of(thing, *arguments, **options):
    with pytest.raises(InvalidTourError) as caught:
        check(thing, *arguments, **options)
    return str(caught.value)


def test_the_whole_sentence(backend):
    one = [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 13]]
    assert sentence_of(one, base=1, backend=backend) == (
        "not a tour of 3x4: 8 is missing; 13 on (2, 3) is out of range"
    )
    first = tour(None, "5x5").tolist()
    assert sentence_of(first[:24], "5x5", backend=backend) == (
        f"not a tour of 5x5: {first[24]} is not visited"
    )
    missing = sorted(first[13:])
    listed = ", ".join(map(str, missing[:4]))
    assert sentence_of(first[:13], "5x5", backend=backend) == (
        f"not a tour of 5x5: {listed} and {missing[4]} and 7 more are not visited"
    )
    empty = [[1, 99, 99], [99, 99, 99], [99, 99, 99]]
    assert sentence_of(empty, base=1, backend=backend).startswith(
        "not a tour of 3x3: 2, 3, 4, 5 and 6 and 3 more are missing; 99 on (0, 1) is out of range"
    )
    twice = [*first[:24], first[3]]
    assert sentence_of(twice, "5x5", backend=backend).startswith(
        f"not a tour of 5x5: {first[3]} is visited by the entries 3 and 24; {first[24]} is not"
    )
    outside = [*first[:24], (7, 7)]
    assert sentence_of(outside, "5x5", backend=backend) == (
        f"not a tour of 5x5: {first[24]} is not visited; "
        "entry 24, (7, 7), is no square of the board"
    )


def test_a_checked_tour_says_what_it_cost(backend):
    stats = check([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]], backend=backend).stats
    assert tuple(stats) == ("check", 12, 0, 0.0, 0)


def test_the_ends_of_a_tour_are_those_of_its_squares():
    found = tour((1, 2), "5x6")
    assert check(found, start=(1, 2), end=found.end) is found
    faults = faults_of(found, start=(2, 1), end=(1, 2), base=3)
    assert (faults.start, faults.end) == (((2, 1), (1, 2)), ((1, 2), found.end))
    assert faults.base == 3
    assert faults_of(found, start=(0, 0)).base == 1


@pytest.mark.parametrize("base", [2**62, -(2**62)])
def test_the_largest_base(base, backend):
    grid = np.array(tour(None, "3x4").grid(base=0)) + base
    assert check(grid, base=base, backend=backend) == tour(None, "3x4")
    with pytest.raises(InvalidInputError, match="too large"):
        check(grid, base=base + (1 if base > 0 else -1))


@pytest.mark.parametrize(
    "board",
    [
        Board(5, 6, wrap="torus"),
        Board(6, 5, wrap="rows"),
        Board(10, 10, leaper=(2, 3)),
        Board.parse("....\n....\n....\n...#"),
        Board.from_fen("9/9/9/9/9/9/9/9/4p4/9"),
    ],
    ids=str,
)
def test_on_another_board_a_move_is_one_of_its_graph(board, backend):
    found = tour(None, board)
    cells = [[number or None for number in row] for row in found.grid()]
    assert check(cells, board, backend=backend) == found
    assert check(found.tolist(), board, backend=backend) == found
    generator = random.Random(7)
    for _ in range(10):
        (r, c), (y, x) = generator.sample(list(board.squares), 2)
        wrong = [[*row] for row in cells]
        wrong[r][c], wrong[y][x] = wrong[y][x], wrong[r][c]
        where = {wrong[row][col]: (row, col) for row, col in board.squares}
        expected = [
            (k, k + 1, where[k], where[k + 1])
            for k in range(1, board.size)
            if where[k + 1] not in board.neighbours(where[k])
        ]
        if expected:
            assert list(faults_of(wrong, board=board, backend=backend).illegal_steps) == expected
        order = [where[k] for k in range(1, board.size + 1)]
        if expected:
            steps = faults_of(order, board=board, base=1, backend=backend).illegal_steps
            assert list(steps) == expected


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_two_columns_are_a_grid_on_a_board_of_two_columns_alone(rows, backend):
    grid = np.arange(1, 2 * rows + 1).reshape(rows, 2)
    for values in (grid, grid.astype(np.uint8), grid.tolist()):
        faults = faults_of(values, board=(rows, 2), backend=backend)
        assert [step.number for step in faults.illegal_steps] == list(range(1, 2 * rows))
        # Without such a board these are squares.
        assert faults_of(values, backend=backend).missing_squares
        assert faults_of(values, form="squares", board=(12, 12)).shape == (12, 12)


def test_faults_over_several_windows_are_listed_up_to_the_limit_and_all_counted(
    backend, monkeypatch
):
    # Sixteen cells: 1 to 4 four times each, so that four numbers are repeated and twelve missing.
    grid = [[1 + (4 * row + col) % 4 for col in range(4)] for row in range(4)]
    whole = faults_of(grid, base=1, backend=backend)
    assert dict(whole.counts) == {
        "missing": 12, "repeated": 4, "out_of_range": 0, "illegal_steps": 0,
    }  # fmt: skip
    monkeypatch.setattr(analysis_module, "_WINDOW", 3)
    assert faults_of(grid, base=1, backend=backend).repeated == whole.repeated
    monkeypatch.setattr(analysis_module, "MOST_FAULTS", 5)
    faults = faults_of(grid, base=1, backend=backend)
    assert sum(map(len, faults.repeated.values())) == 5
    assert faults.missing == (5, 6, 7, 8, 9)
    assert faults.counts == whole.counts


def test_squares_on_a_board_too_large_for_any_index():
    with pytest.raises(InvalidInputError, match="is on no board"):
        check([(0, 0), (2**40, 2**40)])
    with pytest.raises(InvalidInputError, match="too large"):
        check(["a1", "zzzzzzzz999999999999"])


def test_what_is_said_is_what_is_there():
    for name in ("beverley1848", "knuth_3x10_eq14", "euler_A226697"):
        kind = classify(historic(name))
        said = kind.as_dict()
        assert (said["rows"], said["cols"]) == kind.shape
        assert said["diagonals"] == (kind.diagonals and list(kind.diagonals))
        assert said["symmetries"] == [dict(one._asdict()) for one in kind.symmetries]
        assert said["turns"] == {str(degrees): n for degrees, n in kind.turns.items()}
        assert said["straight_runs"] == {str(n): k for n, k in kind.straight_runs.items()}
        for what in (
            "squares", "closed", "symmetric", "half_turn", "euler_type", "semimagic", "magic",
            "crossings", "left_turns", "right_turns", "longest_run",
        ):  # fmt: skip
            assert said[what] == getattr(kind, what)
        assert said["row_sums"] == list(kind.row_sums)
        assert said["col_sums"] == list(kind.col_sums)
    text = str(classify(historic("knuth_3x10_eq14")))
    assert "row sums: 153 151 161\n" in text
    assert "row sums: all 260\n" in str(classify(historic("beverley1848")))
    wide = str(classify(tour(None, "5x20")))
    sums = classify(tour(None, "5x20")).col_sums
    assert f"column sums: {min(sums)} to {max(sums)}\n" in wide


def test_a_tour_too_large_to_be_described_is_a_limit(monkeypatch):
    found = tour((0, 0), "1000x1000")
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 100 << 20)
    with pytest.raises(SearchLimitError, match=r"classify\(\)"):
        classify(found)


def test_entries_are_counted_from_the_base(backend):
    walk = [*tour(None, "5x5").tolist()[:24], (7, 7)]
    assert faults_of(walk, board="5x5", base=1, backend=backend).outside == {25: (7, 7)}
    assert faults_of(walk, board="5x5", backend=backend).outside == {24: (7, 7)}


def test_a_hundred_thousand_faults_are_listed(core):
    found = faults_of(np.zeros((317, 317), np.int32), base=1, backend=core)
    assert found.counts["missing"] == 317 * 317 == 100_489
    assert found.missing == tuple(range(1, 100_001))


@pytest.mark.parametrize("shape", [(2, 6), (6, 2)])
def test_one_more_than_are_told(shape, backend):
    grid = np.repeat(np.arange(1, 7), 2).reshape(shape)
    said = faults_of(grid, board=shape, base=1, backend=backend).sentences()
    assert said[5] == "1 more repeated numbers"
    assert said[6] == "7, 8, 9, 10 and 11 and 1 more are missing"


def test_every_repeat_of_a_second_window_is_listed(backend, monkeypatch):
    # Each of its seven cells is listed, and the one in the first window with that number.
    grid = [[1, 2, 3, 4, 5, 6, 7]] * 2
    monkeypatch.setattr(analysis_module, "_WINDOW", 7)
    found = faults_of(grid, base=1, backend=backend)
    assert found.repeated == {n: ((0, n - 1), (1, n - 1)) for n in range(1, 8)}
    turned = faults_of([[n, n] for n in range(1, 8)], board="7x2", base=1, backend=backend)
    assert turned.repeated == {n: ((n - 1, 0), (n - 1, 1)) for n in range(1, 8)}


@pytest.mark.parametrize(
    ("grid", "base", "note"),
    [
        ([[1, 4, 7], [2, 5, 8], [3, 6, 9]], 1, ""),
        ([[0, 4, 7], [2, 5, 8], [3, 6, 1]], 0,
         " (numbers taken as counted from 0; base=1 is the other way)"),
        ([[0, 4, 7], [2, 5, 8], [3, 6, 6]], 0,
         " (numbers taken as counted from 0; base=1 is the other way)"),
        ([[0, 4, 7], [2, 5, 8], [3, 6, 0]], 0,
         " (numbers taken as counted from 0; base=1 is the other way)"),
        ([[1, 4, 7], [2, 5, 8], [3, 3, 9]], 1,
         " (numbers taken as counted from 1; base=0 is the other way)"),
        ([[0, 4, 7], [2, 5, 8], [3, 6, 9]], 1,
         " (0 and 9 both occur: base=0 or base=1 says what the first number is)"),
        ([[1, 4, 7], [2, 5, 8], [3, 6, 6]], 1,
         " (0 and 9 do not occur: base=0 or base=1 says what the first number is)"),
    ],
)  # fmt: skip
def test_the_base_that_the_numbers_tell_is_said(grid, base, note, backend):
    for cells in (grid, [*map(list, zip(*grid, strict=True))]):
        with pytest.raises(InvalidTourError) as caught:
            check(cells, backend=backend)
        faults = caught.value.faults
        assert faults.base == base
        expected = plain_faults(cells, base)
        assert (faults.missing, faults.repeated) == (expected["missing"], expected["repeated"])
        text = str(caught.value)
        assert text.endswith(note) if note else "base" not in text


@pytest.mark.parametrize("shape", [(4, 5), (5, 4)])
def test_illegal_steps_over_several_windows_are_listed_up_to_the_limit(shape, backend, monkeypatch):
    # Numbered row by row: all 19 steps go to a neighbour or to the next row.
    grid = np.arange(1, 21).reshape(shape)
    boards = [Board(*shape), Board(*shape, leaper=(2, 3))]
    whole = [faults_of(grid, board=board, backend=backend).illegal_steps for board in boards]
    monkeypatch.setattr(analysis_module, "_WINDOW", 3)
    monkeypatch.setattr(analysis_module, "MOST_FAULTS", 5)
    for board, steps in zip(boards, whole, strict=True):
        for thing in (grid, sorted(np.ndindex(*shape))):
            found = faults_of(thing, board=board, base=1, backend=backend)
            assert found.illegal_steps == steps[:5]
            assert found.counts["illegal_steps"] == len(steps) == 19


@pytest.mark.parametrize("shape", [(5, 6), (6, 5)])
@pytest.mark.parametrize("wrap", [None, "torus"])
def test_no_step_is_tested_through_what_is_no_square(shape, wrap, backend):
    board = Board(*shape, wrap=wrap)
    found = tour((0, 0), board)
    grid = found.grid()
    (r, c), (y, x) = found[10], found[20]
    grid[r][c], grid[y][x] = 21, 11
    grid[found[3][0]][found[3][1]] = 99
    grid[found[6][0]][found[6][1]] = 1
    faults = faults_of(grid, board=board, base=1, backend=backend)
    assert (faults.missing, list(faults.repeated)) == ((4, 7), [1])
    expected = {
        (n, n + 1)
        for n, (a, b) in {
            10: (found[9], found[20]), 11: (found[20], found[11]),
            20: (found[19], found[10]), 21: (found[10], found[21]),
        }.items()
        if b not in board.neighbours(a)
    }  # fmt: skip
    assert {step[:2] for step in faults.illegal_steps} == expected
    # The same with a list: entries outside, just beyond each side.
    for outside in ((shape[0], 0), (0, shape[1]), (-1, 0), (0, -1)):
        squares = found.tolist()
        squares[7] = outside
        faults = faults_of(squares, board=board, backend=backend)
        assert faults.outside == {7: outside}
        assert faults.missing_squares == (found[7],)
        assert not faults.illegal_steps


def test_far_squares_of_a_board_too_large_for_32_bits(backend):
    steps = [(0, 0), (2, 1), (10**9 - 1, 5), (10**9 - 3, 6)]
    found = faults_of(steps, board=(10**9, 10**9), backend=backend)
    assert found.illegal_steps == ((1, 2, (2, 1), (10**9 - 1, 5)),)
    assert found.counts == {
        "missing_squares": 10**18 - 4, "repeated_squares": 0, "outside": 0, "illegal_steps": 1,
    }  # fmt: skip


def test_one_square_twice_is_no_closed_tour(backend):
    faults = faults_of([(0, 0), (0, 0)], board="1x1", backend=backend)
    assert faults.not_closed
    assert not faults.repeated_squares


def test_every_wrong_end_counts_once(backend):
    found = tour((0, 0), "5x5").grid()
    faults = faults_of(found, start=(0, 2), end=(0, 2), closed=True, backend=backend)
    assert {what: n for what, n in faults.counts.items() if n} == {
        "start": 1, "end": 1, "not_closed": 1,
    }  # fmt: skip


@pytest.mark.parametrize("shape", [(1, 2**31 - 1), (2**31 - 1, 1), (2**16, 2**15), (2**15, 2**16)])
def test_the_most_squares_of_a_written_tour_are_those_of_32_bit_indices(shape, monkeypatch):
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 1 << 20)
    reading = analysis_module.Reading(*shape, numbers=memoryview(array("i", [1, 2, 3])))
    if shape[0] * shape[1] < 2**31:
        with pytest.raises(SearchLimitError, match="check"):
            reading.check()
    else:
        with pytest.raises(InvalidInputError, match=r"2147483648 squares .* most is 2147483647"):
            reading.check()


def test_the_memory_that_is_asked_for_is_what_is_documented(core, monkeypatch):
    grid = np.zeros((2600, 2600), np.int32)
    for missing, error in ((0, InvalidTourError), (1, SearchLimitError)):
        monkeypatch.setattr("knighttour.answer.free_memory", lambda less=missing: 67_600_000 - less)
        with pytest.raises(error):
            check(grid, base=1, backend=core)
    found = tour((0, 0), "580x580")
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 200 * 580 * 580)
    assert classify(found).squares == 580 * 580
    monkeypatch.setattr("knighttour.answer.free_memory", lambda: 200 * 580 * 580 - 1)
    with pytest.raises(SearchLimitError):
        classify(found)


def test_a_reading_is_pickled_with_its_numbers_or_its_entries(backend):
    found = tour(None, "3x4")
    (grid,) = scan_text("1 4 7 10\n12 9 2 5\n3 6 11 8")
    listed = analysis_module.Reading(3, 4, entries=found.tolist())
    assert listed.line == 1
    for reading in (grid, listed):
        again = pickle.loads(pickle.dumps(reading))
        assert again.check(backend=backend) == reading.check(backend=backend)
        assert again.entries == reading.entries
        if reading.numbers is not None:
            assert again.numbers.format == reading.numbers.format
            assert again.numbers.tolist() == reading.numbers.tolist()


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_an_array_is_read_where_it_lies(kind):
    grid = np.arange(1, 13, dtype=kind).reshape(3, 4)
    numbers = analysis_module.as_reading(grid).numbers
    assert np.shares_memory(np.frombuffer(numbers, kind), grid)


@pytest.mark.parametrize(("board", "hole"), [("3x4", (2, 3)), ("4x3", (3, 2))])
def test_a_hole_where_the_board_has_a_square(board, hole):
    grid = tour(None, board).grid()
    grid[hole[0]][hole[1]] = None
    with pytest.raises(InvalidInputError, match=rf"a hole on \({hole[0]}, {hole[1]}\)"):
        check(grid, board)


def test_names_count_from_the_first_rank_and_file():
    assert faults_of(["b2", "d3"]).shape == (3, 4)
    assert faults_of(["c2", "b4"]).shape == (4, 3)
    assert faults_of(["a0", "b2"]).shape == (3, 2)


def test_the_smallest_board_that_is_too_large():
    # 2^32 x 2^31 = 2^63 squares, one more than fit.
    far = (2**32 - 1, 2**31 - 1)
    with pytest.raises(InvalidInputError, match=r"\(4294967295, 2147483647\) is on no board"):
        check([(0, 0), far])
    with pytest.raises(InvalidInputError, match="need a board of 4294967296x2147483648"):
        check(["a1", f"{column_letters(far[1])}{far[0] + 1}"])
    with pytest.raises(InvalidInputError, match=r"^\(-1, 2\) is on no board"):
        check([(0, 5), (-1, 2)])


@pytest.mark.parametrize("form", [None, "grid"])
def test_numbers_in_one_row_need_a_form(form):
    for board in (None, "3x4"):
        with pytest.raises(InvalidInputError, match=r"need a board, such as 3x4, 4x3$"):
            check(list(range(1, 13)), board, form=form)


def test_numbers_in_one_row_name_no_board_or_a_few():
    for form in ("order", "steps", "numbers"):
        with pytest.raises(InvalidInputError, match=r"need a board, such as 3x4, 4x3$"):
            check(list(range(12)), form=form)
    # 6 = 2 x 3 has no tour; the sizes of 1320 would take two hundred characters.
    sizes = ", ".join(f"{k}x{1320 // k}" for k in range(3, 441) if 1320 % k == 0)
    assert len(sizes) == 200
    for count in (6, 1320):
        with pytest.raises(InvalidInputError, match="need a board$"):
            check(list(range(count)))


def test_a_word_is_a_number_up_to_nineteen_characters():
    assert faults_of([["1", "4", "1000000000000000000"]], base=1).out_of_range == {
        4: ((0, 1),),
        10**18: ((0, 2),),
    }
    with pytest.raises(InvalidInputError, match="column 2, is no step number"):
        check([["1", "4", "10000000000000000000"]])


@pytest.mark.parametrize(("number", "digits"), [(2**63, 16), (-(2**63) - 1, 16), (-(16**20), 21)])
def test_a_number_that_needs_more_than_64_bits_is_the_one_named(number, digits):
    row = [-(2**63), 2**63 - 1, number]
    for grid, where in (([row], r"\(0, 2\)"), ([[cell] for cell in row], r"\(2, 0\)")):
        with pytest.raises(InvalidInputError, match=rf"{where} has {digits} hexadecimal digits"):
            check(grid)


def test_a_classification_with_one_sum_of_rows_alone_is_not_semimagic():
    kind = classify(historic("beverley1848"))
    other = tuple(range(256, 264))
    assert kind.semimagic
    assert not replace(kind, col_sums=other).semimagic
    assert not replace(kind, row_sums=other).semimagic


def test_crossings_are_said_where_they_have_a_meaning():
    kind = classify(tour(None, "3x4"))
    assert f"\ncrossings: {kind.crossings}\n" in str(kind)
    assert "crossings" not in str(classify(tour(None, Board(5, 6, wrap="torus"))))


@pytest.mark.parametrize("sums", [12, 13])
def test_up_to_twelve_sums_are_said_one_by_one(sums):
    kind = classify(tour(None, (5, sums)))
    every = " ".join(map(str, kind.col_sums))
    spread = f"{min(kind.col_sums)} to {max(kind.col_sums)}"
    assert f"\ncolumn sums: {every if sums == 12 else spread}\n" in str(kind)


@pytest.mark.parametrize("piece", [1, 5, 7])
@pytest.mark.parametrize("board", ["3x10", "10x3", "5x6"])
def test_turns_counted_in_pieces_are_those_counted_at_once(board, piece, monkeypatch):
    found = tour((0, 0), board)
    whole = classify(found)
    monkeypatch.setattr(analysis_module, "_PIECE", piece)
    assert classify(found) == whole


@given(st.lists(st.integers(0, 2), min_size=2, max_size=12), st.booleans())
def test_straight_runs_of_every_length_are_counted(codes, closed):
    if closed and len(set(codes)) == 1:
        return  # no closed tour goes straight on all the way
    groups = [len(list(group)) for _, group in itertools.groupby(codes)]
    if closed and codes[0] == codes[-1]:
        groups = [groups[0] + groups[-1], *groups[1:-1]]
    assert analysis_module._straight_runs(bytes(codes), closed) == Counter(groups)


@pytest.mark.parametrize(("rows", "cols", "name"), [(2, 4, "rows"), (4, 2, "cols")])
def test_halves_of_a_closed_tour_from_every_start(rows, cols, name):
    # The squares of one half, then those of the other; any order within a half will do.
    halves = sorted(range(8), key=lambda k: (2 * (k // cols) // rows, 2 * (k % cols) // cols))
    if name == "cols":
        halves.sort(key=lambda k: 2 * (k % cols) // cols)
    for shift in range(8):
        order = halves[shift:] + halves[:shift]
        assert analysis_module._half_boards(order, rows, cols, True) == (name,)
        assert analysis_module._half_boards(order, rows, cols, False) == ((name,) * (not shift % 4))
    mixed = halves[1:4] + halves[4:5] + halves[:1] + halves[5:]
    assert name not in analysis_module._half_boards(mixed, rows, cols, True)


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 3)])
def test_a_rectangle_has_no_quarter_turns(rows, cols):
    # An order that the flat indices of the quarter turn of 3x4, read as squares of 3x4, map onto
    # itself, a third further on: (row, col) goes to col * rows + rows - 1 - row.
    image = [(k % cols) * rows + rows - 1 - k // cols for k in range(12)]
    cycles, seen = [], set()
    for first in range(12):
        if first not in seen:
            cycle = [first]
            while image[cycle[-1]] != first:
                cycle.append(image[cycle[-1]])
            cycles.append(cycle)
            seen.update(cycle)
    if len({len(cycle) for cycle in cycles}) > 1:
        cycles = [list(range(12))]
    order = [cycle[k] for k in range(len(cycles[0])) for cycle in cycles]
    numbers = [order.index(k) + 1 for k in range(12)]
    found = analysis_module._symmetries(order, numbers, rows, cols, True)
    assert not {symmetry.name for symmetry in found} & {"rotate90", "rotate270", "transpose"}


# Moves, where the packages that make them are not installed


@pytest.mark.parametrize(
    "place", [(1.5, 2), (2, 1.5), (None, 1), (1, None), 7, (1, 2, 3), "b0"], ids=repr
)
def test_a_move_of_no_squares_is_refused(place):
    moves = [SimpleNamespace(p_from=(1, 0), p_to=place)]
    with pytest.raises(InvalidInputError, match=r"is no \(x, y\) of a move"):
        check(moves, "xiangqi")


def test_relative_moves_on_ten_ranks_begin_on_a_square_of_iccs():
    found = tour("b0", "xiangqi")
    for style in ("chinese", "wxf"):
        words = ["b0", *found.move_names(style, side="red")]
        again = check(words, Board(10, 9), side="red")
        assert again.tolist() == found.tolist()


@pytest.mark.parametrize("wrap", ["rows", "cols", "torus"])
@pytest.mark.parametrize("leaper", [(1, 2), (0, 1), (1, 6), (1, 30), (7, 12)])
def test_moves_longer_than_a_board_that_wraps(wrap, leaper):
    found = 0
    for size in ((5, 7), (7, 5), (3, 5), (6, 9)):
        board = Board(*size, leaper=leaper, wrap=wrap)
        for closed in (False, True):
            try:
                made = tour(board=board, closed=closed, timeout=5)
            except KnightTourError:
                continue
            properties = classify(made)
            steps = len(board.squares) - (not properties.closed)
            assert sum(properties.directions.values()) == steps
            found += 1
    # On a cylinder moves that are longer than it is high lead nowhere.
    assert found >= 2 or (max(leaper) > 9 and wrap != "torus")
