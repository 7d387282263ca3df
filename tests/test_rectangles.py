"""Always an answer: tour() on every rectangle, by the facts, on both engines.

The planner and the expanders have tests of their own; here the whole is asked as users ask it.
"""

import json
import pickle
import random
from array import array
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from knighttour import (
    Board,
    InvalidInputError,
    NoTourError,
    SearchLimitError,
    exists,
    explain,
    tour,
)
from knighttour.answer import SYMMETRIES

from .checker import check, has_path, is_move

DATA = Path(__file__).parent / "data"
SMALL_BOARDS = json.loads((DATA / "small_boards.json").read_text("utf-8"))["boards"]


def answer(*arguments, **options):
    """Return a checked tour's squares, or the name of the reason why there is none."""
    reason = None
    try:
        found = tour(*arguments, **options)
    except NoTourError as error:
        reason = error
    if reason is not None:
        assert reason.source
        assert str(reason).endswith(".")
        return reason.reason
    squares = found.tolist()
    check(
        squares, *found.board.shape,
        start=options.get("start"), end=options.get("end"), closed=options.get("closed", False),
    )  # fmt: skip
    return squares


@pytest.mark.parametrize("turned", [False, True])
def test_starts_and_closed_tours_as_in_the_table(backend, turned):
    for entry in SMALL_BOARDS:
        rows, cols = entry["m"], entry["n"]
        if rows * cols > 60 or (backend == "pure" and rows * cols > 36):
            continue
        board = (cols, rows) if turned else (rows, cols)
        starts = entry.get("starts") or [["1"]]
        for row, counts in enumerate(starts):
            for col, count in enumerate(counts):
                square = (col, row) if turned else (row, col)
                got = answer(start=square, board=board, backend=backend)
                assert isinstance(got, list) == (int(count) > 0), (board, square)
        closed = answer(board=board, closed=True, backend=backend)
        assert isinstance(closed, list) == (int(entry["closed_undirected"]) > 0), board


def paths(rows, cols):
    """Find by brute force which pairs of squares are the ends of a tour."""
    size = rows * cols
    graph = [
        [b for b in range(size) if is_move(divmod(a, cols), divmod(b, cols))] for a in range(size)
    ]
    pairs = set()

    def walk(start, here, visited):
        if visited == (1 << size) - 1:
            pairs.add((divmod(start, cols), divmod(here, cols)))
            return
        for other in graph[here]:
            if not visited >> other & 1:
                walk(start, other, visited | 1 << other)

    for start in range(size):
        walk(start, start, 1 << start)
    return pairs


@pytest.mark.parametrize("board", [(1, 1), (1, 4), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3), (3, 5),
                                   (5, 3), (4, 4), (3, 6), (4, 5), (5, 4)])  # fmt: skip
def test_every_question_of_tiny_boards_as_brute_force_answers_it(board, backend):
    rows, cols = board
    possible = paths(rows, cols)
    squares = [*Board(rows, cols).squares]
    for start in [None, *squares]:
        for end in [None, *squares]:
            for closed in (False, True):
                expected = any(
                    start in (None, first)
                    and end in (None, last)
                    and (not closed or is_move(first, last))
                    for first, last in possible
                )
                question = {"start": start, "end": end, "closed": closed, "backend": backend}
                got = answer(board=board, **question)
                assert isinstance(got, list) == expected, question
                assert exists(board, **question) == expected
                assert explain(board, **question).startswith("there is" if expected else "no ")


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(1, 31))
def test_every_pair_up_to_30_squares_as_an_exhaustive_search_answers_it(rows):
    counted = 0
    for cols in range(1, 30 // rows + 1):
        for start in Board(rows, cols).squares:
            for end in Board(rows, cols).squares:
                ends = [row * cols + col for row, col in (start, end)]
                possible = has_path(rows, cols, *ends)
                for closed in (False, True):
                    expected = possible and (not closed or is_move(start, end))
                    answers = [
                        answer(
                            board=(rows, cols), start=start, end=end, closed=closed, backend=backend
                        )
                        for backend in ("core", "pure")
                    ]
                    assert isinstance(answers[0], list) == expected
                    assert answers[0] == answers[1]
                    counted += 1
    print(f"{rows} rows: {counted} questions on both engines")


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(3, 10))
def test_every_pair_up_to_9x9_is_the_same_on_both_engines(rows):
    counted = refused = 0
    for cols in range(3, 10):
        for start in Board(rows, cols).squares:
            for end in Board(rows, cols).squares:
                answers = [
                    answer(board=(rows, cols), start=start, end=end, backend=backend)
                    for backend in ("core", "pure")
                ]
                assert answers[0] == answers[1]
                assert isinstance(answers[0], list) == exists((rows, cols), start=start, end=end)
                counted += 1
                refused += not isinstance(answers[0], list)
    print(f"{rows} x 3..9: {counted} pairs on both engines, {refused} of them without a tour")


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(3, 31))
def test_every_start_of_every_board_up_to_30_expanded(rows):
    counted = refused = 0
    for cols in range(3, 31):
        for start in Board(rows, cols).squares:
            got = answer(board=(rows, cols), start=start, seed=0)
            counted += isinstance(got, list)
            refused += not isinstance(got, list)
    print(f"{rows} x 3..30: {counted} tours checked square by square, {refused} starts refused")
    assert counted


@pytest.mark.parametrize("board", ["6x6", "5x8", "3x10", "8x8", "10x9", "9x10", "50x50", "21x22"])
def test_closed_from_every_kind_of_square(board, backend):
    rows, cols = map(int, board.split("x"))
    for start in [(0, 0), (rows // 2, cols // 2), (rows - 1, 1), (1, cols - 2)]:
        assert isinstance(answer(board=board, start=start, closed=True, backend=backend), list)


@pytest.mark.parametrize("board", ["88x90", "88x91", "88x92", "200x200", "201x201", "202x202"])
def test_boards_on_which_published_programs_fail(board):
    rows, cols = map(int, board.split("x"))
    for start in [(0, 0), (rows // 2, cols // 2), (rows - 1, cols - 1)]:
        if rows * cols % 2 and sum(start) % 2:
            continue
        found = tour(start, board)
        found.verify()
        assert found.start == start


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"board": "73x73", "closed": True}, "schwenk-odd-area"),
        ({"board": "5x5", "closed": True}, "schwenk-odd-area"),
        ({"board": "5x5", "start": (0, 1)}, "colour-majority"),
        ({"board": "7x7", "start": (0, 1)}, "colour-majority"),
        ({"board": "8x8", "start": "a1", "end": "h8"}, "colour-parity"),
        ({"board": "2x1000000"}, "two-rows"),
        ({"board": "1x9"}, "one-row"),
        ({"board": "8x8", "start": "a1", "end": "a1"}, "same-start-and-end"),
        ({"board": "8x8", "start": "a1", "end": "h1", "closed": True}, "end-not-next-to-start"),
        ({"board": "1000000001x1000000001", "closed": True}, "schwenk-odd-area"),
    ],
)
def test_refusals_come_at_once_and_by_name(options, reason, backend):
    with pytest.raises(NoTourError) as caught:
        tour(**options, backend=backend)
    assert caught.value.reason == reason


def test_5x5_from_corner_to_corner():
    for end in ((4, 4), (0, 4)):
        assert isinstance(answer(board="5x5", start=(0, 0), end=end), list)


HUGE = [
    ("1000000000x1000000000", {"closed": True}),
    ("999999999x1000000001", {"start": (4, 4), "end": (999_999_998, 1_000_000_000)}),
    ("3x3074457345618258602", {"start": (0, 0)}),
    ("6x1000000000000000000", {"closed": True, "start": (3, 7)}),
]


@pytest.mark.parametrize(("board", "options"), HUGE)
def test_huge_boards_are_asked_step_by_step(board, options, backend):
    found = tour(board=board, backend=backend, **options)
    assert found.stats.method == "construction"
    generator = random.Random(3)
    for _ in range(300):
        step = generator.randrange(found.board.size - 1)
        here, there = found[step], found[step + 1]
        assert found.index(here) == step
        assert is_move(here, there)
    assert found.closed or not options.get("closed")
    assert found[-1] == found.end
    assert found[10:13] == [found[10], found[11], found[12]]
    piece = next(found.iter_moves(1000))
    assert len(piece) == 1000
    assert len(repr(found)) < 120


def test_both_engines_plan_the_same_tours():
    generator = random.Random(4)
    for _ in range(60):
        rows, cols = generator.randrange(3, 70), generator.randrange(5, 70)
        start = (generator.randrange(rows), generator.randrange(cols))
        seed = generator.randrange(100)
        answers = []
        for backend in ("core", "pure"):
            try:
                answers.append(tour(start, (rows, cols), seed=seed, backend=backend).tolist())
            except InvalidInputError:
                pytest.skip("this installation has no compiled core")
            except NoTourError as error:
                answers.append(error.reason)
        assert answers[0] == answers[1], (rows, cols, start, seed)


def test_seeds_give_other_tours_and_the_same_ones_again(backend):
    for board, options in (("8x8", {}), ("10x9", {"closed": True}), ("40x41", {"end": (0, 1)})):
        tours = [tour((0, 0), board, seed=seed, backend=backend, **options) for seed in range(6)]
        assert len(set(tours)) > 3
        assert tours[5] == tour((0, 0), board, seed=5, backend=backend, **options)


@pytest.fixture
def computed(backend):
    """A tour that is computed, not stored, but small enough to be expanded."""
    found = tour((0, 0), "48x30", closed=True, backend=backend)
    assert found.stats.method == "construction"
    return found


def test_a_computed_tour_is_a_sequence_like_any_other(computed):
    squares = computed.tolist()
    check(squares, 48, 30, start=(0, 0), closed=True)
    assert [computed[k] for k in range(len(computed))] == squares
    assert computed[100:1:-7] == squares[100:1:-7]
    assert list(reversed(computed)) == squares[::-1]
    assert all(computed.index(square) == step for step, square in enumerate(squares))
    assert computed == squares
    assert np.asarray(computed.order()).tolist() == [row * 30 + col for row, col in squares]
    assert computed.grid()[0][0] == 1
    assert np.asarray(computed).tolist() == [list(square) for square in squares]
    codes = computed.moves(closing=True)
    assert len(codes) == 48 * 30
    assert b"".join(computed.iter_moves(77)) == codes[:-1]
    assert pickle.loads(pickle.dumps(computed)) == computed


def test_rewriting_a_computed_tour_rewrites_its_squares(computed):
    squares = computed.tolist()
    assert computed.reversed().tolist() == squares[::-1]
    for step in (0, 1, 17, 700, 1439):
        rotated = computed.rotated(squares[step])
        assert rotated.tolist() == squares[step:] + squares[:step]
    for symmetry in SYMMETRIES:
        image = computed.transformed(symmetry)
        check(image.tolist(), *image.board.shape, closed=True)
        inverse = {"rotate90": "rotate270", "rotate270": "rotate90"}.get(symmetry, symmetry)
        assert image.transformed(inverse) == computed
        assert image.canonical() == computed.canonical() or symmetry not in SYMMETRIES[:3]


@pytest.mark.parametrize("typecode", ["i", "q"])
def test_windows_make_up_the_grid(computed, typecode):
    whole = array(typecode, [0]) * len(computed)
    computed.fill(whole)
    for size in (1, 29, 30, 77, 1440):
        parts = []
        for first in range(0, len(computed), size):
            part = array(typecode, [0]) * min(size, len(computed) - first)
            computed.fill_window(part, first)
            parts += part
        assert parts == whole.tolist()
    for first in (-1, 1440, 1441):
        with pytest.raises(InvalidInputError, match=f"first={first}"):
            computed.fill_window(array(typecode, [0, 0]), first)


def test_a_stored_tour_has_windows_too(backend):
    found = tour((0, 0), "chess", strategy="course", backend=backend)
    row = array("i", [0]) * 8
    found.fill_window(row, 16)
    assert row.tolist() == found.grid()[2]


def test_int32_where_it_fits_and_int64_beyond():
    narrow, wide = tour(board="46340x46340"), tour(board="46342x46341")
    assert narrow.board.size < 2**31 < wide.board.size
    for found, typecode, fits in ((narrow, "i", True), (wide, "i", False), (wide, "q", True)):
        window = array(typecode, [0]) * 1000
        first = found.board.size - 1000
        if not fits:
            with pytest.raises(InvalidInputError, match="int64"):
                found.fill_window(window, first)
            continue
        found.fill_window(window, first)
        cols = found.board.cols
        assert window[-1] == found.index((found.board.rows - 1, cols - 1)) + 1
        assert window[0] == found.index(divmod(first, cols)) + 1


def test_a_board_that_needs_more_than_64_bits_is_refused():
    with pytest.raises(InvalidInputError, match=r"2\^63"):
        tour(board=(2**32, 2**31))
    assert tour(board=(2**32 - 1, 2**31)).board.size < 2**63


@pytest.mark.parametrize(
    "ask",
    [
        lambda t: t.order(),
        lambda t: t.steps(),
        lambda t: t.grid(),
        lambda t: t.tolist(),
        lambda t: t.names(),
        lambda t: t.moves(),
        lambda t: str(t),
        lambda t: t[:],
        lambda t: t.verify(),
        lambda t: np.asarray(t),
    ],
)
def test_what_does_not_fit_the_memory_is_refused_with_advice(ask):
    with pytest.raises(SearchLimitError, match=r"would take .* are free: ask for .* instead"):
        ask(tour(board="1000000000x1000000000"))


def test_a_node_limit_binds_the_construction_too(backend):
    with pytest.raises(SearchLimitError, match="max_nodes=3") as caught:
        tour(board="1000x1000", closed=True, max_nodes=3, backend=backend)
    assert caught.value.stats.nodes > 3
    assert tour(board="1000x1000", closed=True, max_nodes=10**6, backend=backend)


def test_npy_files_are_written_window_by_window(tmp_path):
    found = tour(board="3001x1700")
    calls = []
    found.save(tmp_path / "grid.npy", lambda done, total: calls.append((done, total)))
    grid = np.load(tmp_path / "grid.npy")
    out = np.zeros((3001, 1700), np.int32)
    found.fill(out)
    assert (grid == out).all()
    assert len(calls) == 2
    assert calls[-1] == (3001 * 1700,) * 2


@pytest.mark.parametrize("ending", ["npy", "csv", "txt"])
def test_an_interrupted_file_never_has_its_final_name(ending, tmp_path):
    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tour(board="3001x1700").save(tmp_path / f"grid.{ending}", interrupt)
    assert list(tmp_path.iterdir()) == []


def test_verify_walks_everything_and_tells_how_far_it_is():
    found = tour(board="1200x1100", closed=True)
    calls = []
    found.verify(lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (1200 * 1100,) * 2


@pytest.mark.slow
def test_a_board_of_a_thousand_million_squares_is_right_everywhere():
    for board in ("31622x31622", "31621x31623"):
        tour(board=board).verify()


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x3333334", "4x2500000", "5x2000000", "6x1666667", "3163x3161",
                                   "3333334x3", "2000000x5"])  # fmt: skip
def test_boards_of_ten_million_squares_square_by_square(board):
    """Checked here by numpy, not by the package: a permutation, and knight's moves only."""
    found = tour(board=board)
    order = np.asarray(found.order())
    assert (np.sort(order) == np.arange(found.board.size)).all()
    rows, cols = np.divmod(order.astype(np.int64), found.board.cols)
    rise, run = np.abs(np.diff(rows)), np.abs(np.diff(cols))
    assert (rise * run == 2).all()
    steps = np.asarray(found.steps())
    assert (steps[order] == np.arange(found.board.size)).all()


def test_move_codes_of_a_large_board_are_the_moves_of_its_squares():
    found = tour(board="300x301")
    moves = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
    for code, (here, there) in zip(found.moves(), pairwise(found), strict=True):
        assert (there[0] - here[0], there[1] - here[1]) == moves[code]


@pytest.mark.parametrize(
    ("board", "question", "rule", "words"),
    [
        ("5x6", {"closed": True}, "schwenk", "Schwenk"),
        ("6x5", {"closed": True}, "schwenk", "Schwenk"),
        ("6x6", {"start": (0, 0), "end": (0, 1)}, "construction", "Conrad"),
        ("6x7", {"start": (0, 0), "end": (0, 1)}, "construction", "the construction of"),
        ("3x12", {"start": (0, 0), "end": (0, 3)}, "construction", "columns of 3 rows"),
        ("8x5", {"start": (0, 0), "end": (0, 1)}, "construction", "5 columns"),
    ],
)
def test_a_yes_names_its_theorem_and_is_true(board, question, rule, words, backend):
    told = explain(board, **question, backend=backend)
    assert told.startswith("there is a ")
    assert f": {rule}\n" in told
    assert words in told
    assert exists(board, **question, backend=backend)
    found = tour(board=board, **question, backend=backend)
    check(found.tolist(), *found.board.shape)


def test_boards_of_any_shape_are_explained(backend):
    assert explain(Board(4, 4, holes=["a4"]), backend=backend).splitlines()[:2] == [
        "there is a tour of 4x4 (1 hole): found",
        "One was found and checked.",
    ]
    # Two corners of one colour are gone: 6 squares of that colour are left, and 8 of the other.
    no = explain(Board(4, 4, holes=["a4", "d1"]), backend=backend).splitlines()
    assert no[0] == "no tour of 4x4 (2 holes): colour-counts"
    assert no[1].endswith("has 8 and 6.")
    with pytest.raises(InvalidInputError, match="closed=2 is neither True nor False"):
        explain("3x4", closed=2, backend=backend)
