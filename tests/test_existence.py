"""Which rectangles have a knight's tour, and whether the reasons of the others are true.

Three witnesses: the computed tables in tests/data, the theorem of Schwenk as he states it, and a
plain exhaustive search that lives here and shares nothing with the package.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from knighttour.existence import THEOREMS, Question, Reason, Square, first_start, why_not

from .checker import has_path

DATA = Path(__file__).parent / "data"
STEPS = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def load(name: str) -> list[dict[str, Any]]:
    """The boards of one table, m rows x n columns with m <= n."""
    boards: list[dict[str, Any]] = json.loads((DATA / name).read_text())["boards"]
    return boards


SMALL = load("small_boards.json")
PAIRS = load("start_end_pairs.json")
BIG = load("start_end_big.json")


# --- The witness ---------------------------------------------------------------------------------


def neighbours(rows: int, cols: int, square: Square) -> list[Square]:
    """The squares a knight's move away."""
    row, col = square
    moves = ((row + down, col + right) for down, right in STEPS)
    return [(r, c) for r, c in moves if 0 <= r < rows and 0 <= c < cols]


def squares_of(rows: int, cols: int) -> list[Square]:
    """All squares, row by row."""
    return [(row, col) for row in range(rows) for col in range(cols)]


def search(rows: int, cols: int, start: int, end: int) -> bool:
    """The exhaustive search that `why_not` is given; it must be asked about tiny boards only."""
    assert rows <= cols
    assert rows * cols <= 30
    return has_path(rows, cols, start, end)


def no_search(rows: int, cols: int, start: int, end: int) -> bool:
    """A search that must not be asked."""
    raise AssertionError((rows, cols, start, end))


def reason_of(
    rows: int,
    cols: int,
    start: Square | None = None,
    end: Square | None = None,
    closed: bool = False,
) -> Reason | None:
    """`why_not` with the search of this file."""
    return why_not(rows, cols, start, end, closed, search=search)


def turned(square: Square) -> Square:
    """The square on the transposed board."""
    return (square[1], square[0])


def allowed_pairs(rows: int, cols: int) -> Iterator[tuple[Square, Square]]:
    """Unordered pairs of different squares whose colours can be the ends of a tour."""
    squares = squares_of(rows, cols)
    for k, one in enumerate(squares):
        for other in squares[k + 1 :]:
            colours = (sum(one) % 2, sum(other) % 2)
            if (colours[0] != colours[1]) if rows * cols % 2 == 0 else colours == (0, 0):
                yield one, other


# --- Against the tables --------------------------------------------------------------------------


def label(board: dict[str, Any]) -> str:
    """The board as the name of a test."""
    return f"{board['m']}x{board['n']}"


@pytest.mark.parametrize("board", SMALL, ids=label)
def test_starts_and_ends_equal_the_table(board: dict[str, Any]) -> None:
    """Exactly the starts of the table have a tour, on the board and its transpose."""
    rows, cols = board["m"], board["n"]
    expected = {
        (row, col)
        for row, counts in enumerate(board.get("starts", [["1"]]))
        for col, count in enumerate(counts)
        if int(count) > 0
    }
    for square in squares_of(rows, cols):
        for reason in (
            why_not(rows, cols, square, search=no_search),
            why_not(rows, cols, None, square, search=no_search),
            why_not(cols, rows, turned(square), search=no_search),
            why_not(cols, rows, None, turned(square), search=no_search),
        ):
            assert (reason is None) == (square in expected), (square, reason)
    for reason in (
        why_not(rows, cols, search=no_search),
        why_not(cols, rows, search=no_search),
    ):
        assert (reason is None) == (int(board["open_directed"]) > 0)


@pytest.mark.parametrize("board", SMALL, ids=label)
def test_closed_equals_the_table(board: dict[str, Any]) -> None:
    """A closed tour exists where the table counts one; one given end changes nothing."""
    rows, cols = board["m"], board["n"]
    expected = int(board["closed_undirected"]) > 0
    for m, n in ((rows, cols), (cols, rows)):
        assert (why_not(m, n, closed=True, search=no_search) is None) == expected
        for square in squares_of(m, n):
            start_only = why_not(m, n, square, closed=True, search=no_search)
            end_only = why_not(m, n, None, square, closed=True, search=no_search)
            assert (start_only is None) == (end_only is None) == expected


def check_pairs(board: dict[str, Any]) -> None:
    """Compare every pair of squares, in both orders, turned and not, open and closed."""
    rows, cols = board["m"], board["n"]
    bad = {(tuple(one), tuple(other)) for one, other in board["unsolvable_pairs"] or ()}
    bad |= {(other, one) for one, other in bad}
    good = set()
    if rows * cols > 1:
        good = {pair for pair in allowed_pairs(rows, cols) if pair not in bad}
        good |= {(other, one) for one, other in good}
        if board.get("pair_counts") is not None:
            counted = {((r, c), (u, v)) for r, c, u, v, k in board["pair_counts"] if int(k) > 0}
            assert counted | {(other, one) for one, other in counted} == good
    else:
        good = {((0, 0), (0, 0))}
    squares = squares_of(rows, cols)
    for start in squares:
        moves = neighbours(rows, cols, start)
        for end in squares:
            feasible = (start, end) in good
            reason = reason_of(rows, cols, start, end)
            assert (reason is None) == feasible, (start, end, reason)
            closed = reason_of(rows, cols, start, end, closed=True)
            assert (closed is None) == (feasible and end in moves), (start, end, closed)
            there, back = turned(start), turned(end)
            reason_turned = reason_of(cols, rows, there, back)
            assert (reason_turned is None) == feasible, (there, back, reason_turned)
            closed_turned = reason_of(cols, rows, there, back, closed=True)
            assert (closed_turned is None) == (closed is None), (there, back, closed_turned)
            for one, other in ((reason, reason_turned), (closed, closed_turned)):
                if one is not None and other is not None:
                    assert one.rule == other.rule
    unordered = sum(1 for start, end in good if start < end)
    if board["pairs_colour_allowed"] is not None:
        assert unordered == board["pairs_colour_allowed"] - board["pairs_unsolvable"]


ORDINARY = [board for board in PAIRS if board["m"] * board["n"] <= 40 or board["n"] in (13, 14)]
REST = [board for board in PAIRS if board not in ORDINARY]


@pytest.mark.parametrize("board", ORDINARY, ids=label)
def test_pairs_equal_the_table(board: dict[str, Any]) -> None:
    """Exactly the pairs of the table have a tour, on the board and its transpose."""
    check_pairs(board)


@pytest.mark.slow
@pytest.mark.parametrize("board", REST, ids=label)
def test_pairs_equal_the_whole_table(board: dict[str, Any]) -> None:
    """The same for the long bands."""
    check_pairs(board)


@pytest.mark.parametrize("board", BIG, ids=label)
def test_totals_of_big_boards(board: dict[str, Any]) -> None:
    """From 6x6 on, every pair of ends with the right colours has a tour, and no other."""
    rows, cols = board["m"], board["n"]
    assert board["rep_not_found"] == 0
    for m, n in ((rows, cols), (cols, rows)):
        squares = squares_of(m, n)
        feasible = sum(
            why_not(m, n, one, other, search=no_search) is None
            for k, one in enumerate(squares)
            for other in squares[k + 1 :]
        )
        assert feasible == board["pairs"]


def test_schwenk_to_sixty() -> None:
    """Closed tours exist exactly where Schwenk's theorem says so, on all boards to 60x60."""
    count = 0
    for rows in range(1, 61):
        for cols in range(1, 61):
            short, long = sorted((rows, cols))
            forbidden = (
                (short % 2 == 1 and long % 2 == 1)
                or short in (1, 2, 4)
                or (short == 3 and long in (4, 6, 8))
            )
            reason = why_not(rows, cols, closed=True, search=no_search)
            assert (reason is not None) == forbidden, (rows, cols)
            count += 1
    assert count == 3600


def test_open_tours_of_boards_to_sixty() -> None:
    """Open tours are missing only on one or two rows, 3x3, 3x5, 3x6 and 4x4 (Chia and Ong)."""
    for rows in range(1, 61):
        for cols in range(1, 61):
            short, long = sorted((rows, cols))
            forbidden = (short <= 2 and long > 1) or (short, long) in {
                (3, 3),
                (3, 5),
                (3, 6),
                (4, 4),
            }
            assert (why_not(rows, cols, search=no_search) is not None) == forbidden, (rows, cols)


# --- Against the exhaustive search ---------------------------------------------------------------


def small_sizes(area: int) -> list[tuple[int, int]]:
    """All boards, both orientations, of at most so many squares."""
    return [(m, n) for m in range(1, area + 1) for n in range(1, area + 1) if m * n <= area]


def check_exhaustively(rows: int, cols: int) -> None:
    """Compare every question about one board with a search of every pair of ends."""
    squares = squares_of(rows, cols)
    index = {square: k for k, square in enumerate(squares)}
    starts: set[Square | None] = {None} if rows * cols == 1 else set()
    closed_exists = False
    for start in squares:
        for end in squares:
            # A board of one square has its trivial tour.  has_path is asked on the user's own
            # orientation, so this does not rely on why_not turning the board rightly.
            feasible = rows * cols == 1 or has_path(rows, cols, index[start], index[end])
            closed = feasible and end in neighbours(rows, cols, start)
            assert (reason_of(rows, cols, start, end) is None) == feasible
            assert (reason_of(rows, cols, start, end, closed=True) is None) == closed
            if feasible:
                starts |= {start, None}
            closed_exists |= closed
    for square in (None, *squares):
        assert (reason_of(rows, cols, square) is None) == (square in starts)
        assert (reason_of(rows, cols, None, square) is None) == (square in starts)
        assert (reason_of(rows, cols, square, closed=True) is None) == closed_exists
        assert (reason_of(rows, cols, None, square, closed=True) is None) == closed_exists


@pytest.mark.parametrize(("rows", "cols"), small_sizes(21))
def test_tiny_boards_exhaustively(rows: int, cols: int) -> None:
    """Every question about every board of at most 21 squares."""
    check_exhaustively(rows, cols)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), [s for s in small_sizes(30) if s[0] * s[1] > 21])
def test_boards_to_thirty_squares_exhaustively(rows: int, cols: int) -> None:
    """Every question about every board of at most 30 squares."""
    check_exhaustively(rows, cols)


# --- The reasons ---------------------------------------------------------------------------------


def every_reason(rows: int, cols: int) -> Iterator[tuple[Reason, tuple[Any, ...]]]:
    """All reasons that a board can give, with the question."""
    squares: list[Square | None] = [None, *squares_of(rows, cols)]
    for closed in (False, True):
        for start in squares:
            for end in squares:
                reason = reason_of(rows, cols, start, end, closed)
                if reason is not None:
                    yield reason, (start, end, closed)


SPOKEN = [(1, 1), (1, 3), (2, 2), (2, 4), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (3, 8), (3, 9)]
SPOKEN += [(3, 10), (3, 11), (3, 13), (4, 4), (4, 5), (4, 7), (5, 5), (5, 6), (5, 8), (6, 6)]
SPOKEN += [(cols, rows) for rows, cols in SPOKEN if rows != cols]


def parts(rows: int, cols: int, removed: set[Square]) -> int:
    """Into how many parts, without a move between them, the board falls without some squares."""
    left = set(squares_of(rows, cols)) - removed
    count = 0
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            for square in neighbours(rows, cols, stack.pop()):
                if square in left:
                    left.remove(square)
                    stack.append(square)
    return count


@pytest.mark.parametrize(("rows", "cols"), SPOKEN)
def test_sentences_speak_of_this_board(rows: int, cols: int) -> None:
    """A sentence names the size or squares of the board asked about, and only squares on it."""
    for reason, (start, end, _) in every_reason(rows, cols):
        sentence = reason.sentence
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", reason.rule)
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
        assert sentence[0].isupper()
        assert reason.source
        named = {(int(r), int(c)) for r, c in re.findall(r"\((\d+), (\d+)\)", sentence)}
        assert all(0 <= r < rows and 0 <= c < cols for r, c in named), sentence
        sizes = re.findall(r"\d+x\d+", sentence)
        assert set(sizes) <= {f"{rows}x{cols}"}
        assert named or sizes
        assert set(reason.squares) <= named
        if rows > cols:
            assert not re.search(r"(outer|inner|2|single) rows?", sentence)
        if reason.rule == "same-start-and-end":
            assert start == end
        if start is None and end is None:
            assert reason.rule not in {"colour-majority", "colour-parity", "exhaustive-search"}


@pytest.mark.parametrize(("rows", "cols"), SPOKEN)
def test_cuts_leave_as_many_parts_as_they_say(rows: int, cols: int) -> None:
    """Where a reason removes squares, the parts are counted again here, and are too many."""
    for reason, (start, end, closed) in every_reason(rows, cols):
        told = re.search(r"fall into (\d+) parts", reason.sentence)
        if told is None:
            continue
        cut = set(reason.squares)
        assert parts(rows, cols, cut) == int(told[1])
        # An end inside the cut, where the proof uses it, and a closing move each cost a part.
        by_end = reason.rule == "three-by-four-middle-end"
        assert not by_end or cut & {start, end}
        joined = len(cut) if closed or by_end else len(cut) + 1
        assert f"at most {joined} parts" in reason.sentence
        assert int(told[1]) > joined


def test_forced_strands_are_legal_and_short() -> None:
    """Every strand that a reason lists is a walk of moves from one end to the other."""
    seen = 0
    for n in (9, 11, 13, 15):
        for rows, cols in ((3, n), (n, 3)):
            for reason, (start, end, _) in every_reason(rows, cols):
                strand = re.search(r"no choice but (.*), and the tour is over", reason.sentence)
                if reason.rule != "three-rows-short-cut" or strand is None:
                    continue
                walk = [(int(r), int(c)) for r, c in re.findall(r"\((\d+), (\d+)\)", strand[1])]
                assert (walk[0], walk[-1]) == (start, end)
                assert len(set(walk)) == len(walk) == 9
                for one, other in itertools.pairwise(walk):
                    assert other in neighbours(rows, cols, one)
                seen += 1
    assert seen == 4 * 2 * 8


def test_squares_that_have_only_two_moves() -> None:
    """The squares on which the proofs by force rest have the moves that the sentences say."""
    for n in (7, 8, 10, 11, 13, 20):
        assert neighbours(3, n, (1, 0)) == [(0, 2), (2, 2)]
        assert sorted(neighbours(3, n, (0, 0))) == [(1, 2), (2, 1)]
        assert sorted(neighbours(3, n, (2, 0))) == [(0, 1), (1, 2)]
        assert sorted(neighbours(5, n, (0, 0))) == [(1, 2), (2, 1)]
        assert sorted(neighbours(5, n, (4, 0))) == [(2, 1), (3, 2)]
    assert sorted(neighbours(3, 7, (1, 1))) == sorted(neighbours(3, 7, (1, 5))) == [(0, 3), (2, 3)]
    used = {(0, 2), (2, 2), (0, 10), (2, 10)}
    assert set(neighbours(3, 13, (1, 4))) - used == {(0, 6), (2, 6)}
    assert set(neighbours(3, 13, (1, 8))) - used == {(0, 6), (2, 6)}


def loops_of_covers(rows: int, cols: int, ends: set[Square]) -> Iterator[set[frozenset[Square]]]:
    """The loops of every set of moves that has two moves of each square and one of each end.

    A tour between the ends is such a set without a loop.
    """
    queue = sorted(squares_of(rows, cols), key=turned)
    rank = {square: k for k, square in enumerate(queue)}
    need = {square: 1 if square in ends else 2 for square in queue}
    joined: dict[Square, list[Square]] = {square: [] for square in queue}

    def loops() -> set[frozenset[Square]]:
        left, found = set(queue), set()
        while left:
            part: set[Square] = set()
            stack = [left.pop()]
            while stack:
                square = stack.pop()
                part.add(square)
                fresh = [other for other in joined[square] if other in left]
                left -= set(fresh)
                stack += fresh
            if not part & ends:
                found.add(frozenset(part))
        return found

    def extend(k: int) -> Iterator[set[frozenset[Square]]]:
        if k == len(queue):
            yield loops()
            return
        square = queue[k]
        later = [s for s in neighbours(rows, cols, square) if rank[s] > k and need[s]]
        for chosen in itertools.combinations(later, need[square]):
            for other in chosen:
                need[other] -= 1
                joined[square].append(other)
                joined[other].append(square)
            yield from extend(k + 1)
            for other in chosen:
                need[other] += 1
                joined[square].pop()
                joined[other].pop()

    return extend(0)


def test_proof_of_three_by_eight() -> None:
    """Whatever two moves each square of 3x8 uses, a loop of 6, 8 or 18 squares is closed."""
    covers = list(loops_of_covers(3, 8, set()))
    assert covers
    assert all({len(loop) for loop in loops} & {6, 8, 18} for loops in covers)


def test_proof_of_three_by_seven() -> None:
    """From the centre of 3x7, a loop of 4 is closed, or one of 8 if the end is in its way."""
    around = frozenset({(1, 1), (1, 5), (0, 3), (2, 3)})
    count = 0
    for end in squares_of(3, 7):
        if end == (1, 3) or sum(end) % 2 == 1:
            continue
        for loops in loops_of_covers(3, 7, {(1, 3), end}):
            if end in ((1, 1), (1, 5)):
                assert 8 in {len(loop) for loop in loops}
            else:
                assert around in loops
            count += 1
    assert count > 0


@pytest.mark.parametrize("end", [(0, 10), (2, 10)])
def test_proof_of_three_by_thirteen(end: Square) -> None:
    """From (0, 2) to these ends of 3x13, a loop of 6 is closed at a side or the one of 4."""
    middle = frozenset({(1, 4), (1, 8), (0, 6), (2, 6)})
    covers = list(loops_of_covers(3, 13, {(0, 2), end}))
    assert covers
    assert all(middle in loops or 6 in {len(loop) for loop in loops} for loops in covers)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ((8, 8, (0, 0), (0, 0), False), "same-start-and-end"),
        ((8, 8, (0, 0), (0, 0), True), "same-start-and-end"),
        ((8, 8, (0, 0), (0, 1), True), "end-not-next-to-start"),
        ((1, 1, None, None, True), "closed-single-square"),
        ((1, 1, (0, 0), (0, 0), True), "closed-single-square"),
        ((9, 1, None, None, False), "one-row"),
        ((2, 9, (0, 0), None, True), "two-rows"),
        ((73, 73, None, None, True), "schwenk-odd-area"),
        ((9, 4, (0, 0), None, True), "schwenk-four-rows"),
        ((4, 3, None, None, True), "schwenk-three-rows"),
        ((3, 6, None, None, True), "schwenk-three-rows"),
        ((8, 3, None, None, True), "schwenk-three-rows"),
        ((3, 3, (0, 0), None, False), "isolated-centre"),
        ((5, 3, None, None, False), "too-many-parts"),
        ((4, 4, (0, 0), (0, 1), False), "too-many-parts"),
        ((7, 7, (0, 1), None, False), "colour-majority"),
        ((7, 7, None, (0, 1), False), "colour-majority"),
        ((8, 8, (7, 0), (0, 7), False), "colour-parity"),
        ((7, 4, (0, 1), None, False), "four-rows-inner-end"),
        ((3, 4, (1, 1), None, False), "three-by-four-middle-end"),
        ((7, 3, (3, 1), None, False), "three-by-seven-centre-end"),
        ((3, 8, None, (1, 5), False), "three-by-eight-closing-end"),
        ((5, 8, (2, 1), (0, 2), False), "two-corners"),
        ((12, 3, (0, 1), (9, 1), False), "two-corners"),
        ((10, 3, (2, 1), (4, 2), True), "two-corners"),
        ((3, 11, (0, 2), (2, 2), False), "three-rows-short-cut"),
        ((11, 3, (9, 1), (8, 0), False), None),
        ((11, 3, (7, 1), (8, 0), False), "three-rows-short-cut"),
        ((3, 13, (2, 10), (0, 2), False), "three-by-thirteen-ends"),
        ((3, 15, (2, 12), (0, 2), False), None),
        ((5, 5, (2, 0), (1, 1), False), "exhaustive-search"),
    ],
)
def test_names_of_the_rules(question: tuple[Any, ...], rule: str | None) -> None:
    """The first theorem that applies gives its name."""
    rows, cols, start, end, closed = question
    reason = reason_of(rows, cols, start, end, closed)
    assert (None if reason is None else reason.rule) == rule


def test_a_single_start_is_refused_for_its_own_sake() -> None:
    """A "no" to a start on a board that has tours names that start."""
    for rows, cols in ((5, 5), (4, 5), (6, 4), (3, 4), (7, 3), (3, 8), (9, 3), (7, 7)):
        for square in squares_of(rows, cols):
            for verb, reason in (
                ("starts", why_not(rows, cols, square, search=no_search)),
                ("ends", why_not(rows, cols, None, square, search=no_search)),
            ):
                if reason is not None:
                    assert f"({square[0]}, {square[1]})" in reason.sentence
                    assert verb in reason.sentence
                    assert square in reason.squares or "parts" in reason.sentence


def test_a_standing_board_is_told_in_columns() -> None:
    """7x4 says columns where 4x7 says rows, with the squares turned."""
    lying = reason_of(4, 7, (1, 2))
    standing = reason_of(7, 4, (2, 1))
    assert lying is not None
    assert standing is not None
    assert "outer rows 0 and 3" in lying.sentence
    assert "outer columns 0 and 3" in standing.sentence
    assert "(2, 1)" in standing.sentence
    assert (lying.squares, standing.squares) == (((1, 2),), ((2, 1),))


def test_every_theorem_is_used_and_documented() -> None:
    """Each theorem has a docstring, and the boards above reach all of them."""
    assert all(theorem.__doc__ for theorem in THEOREMS)
    rules = {reason.rule for rows, cols in SPOKEN for reason, _ in every_reason(rows, cols)}
    # too_narrow has two names, for one row and for two.
    assert len(rules) == len(THEOREMS) + 1


# --- The first start -----------------------------------------------------------------------------


def scan(rows: int, cols: int, end: Square | None, closed: bool) -> Square | None:
    """The first feasible start by asking about every square."""
    for start in squares_of(rows, cols):
        if reason_of(rows, cols, start, end, closed) is None:
            return start
    return None


@pytest.mark.parametrize("rows", range(1, 9))
def test_first_start_equals_a_scan(rows: int) -> None:
    """`first_start` finds the first feasible square row by row, for every end, closed or not."""
    for cols in range(1, 9):
        for end in (None, *squares_of(rows, cols)):
            for closed in (False, True):
                expected = scan(rows, cols, end, closed)
                assert first_start(rows, cols, end, closed, search=search) == expected


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(1, 41))
def test_first_start_equals_a_scan_on_bands(rows: int) -> None:
    """The same on every board to 40 rows and 12 columns, and on its transpose."""
    for m, n in {(rows, cols) for cols in range(1, 13)} | {(cols, rows) for cols in range(1, 13)}:
        for end in (None, *squares_of(m, n)):
            for closed in (False, True):
                expected = scan(m, n, end, closed)
                assert first_start(m, n, end, closed, search=search) == expected


def test_huge_boards_cost_nothing() -> None:
    """Boards beyond 2**31 a side are answered at once and exactly."""
    side = 2**31 + 1
    begin = perf_counter()
    for rows, cols in ((side, side), (3, side), (side, 3), (4, side), (side, 4), (5, side + 1)):
        ends = {(0, 0), (rows - 1, cols - 1), (rows // 2, cols // 2), (1, cols - 2)}
        ends |= {(2, cols - 2), (1, cols - 3), (rows - 3, 1), (rows - 2, min(2, cols - 1))}
        for end in ends:
            for closed in (False, True):
                start = first_start(rows, cols, end, closed, search=no_search)
                if start is not None:
                    assert why_not(rows, cols, start, end, closed, search=no_search) is None
                else:
                    assert why_not(rows, cols, None, end, closed, search=no_search) is not None
    # Some hundreds of questions; a scan of one of these boards would take minutes.
    assert perf_counter() - begin < 5


# --- Sentences, where a change of the module went unnoticed (tools/mutate.py) --------------------


def test_squares_are_listed_as_in_a_sentence() -> None:
    """One alone, two joined, three with commas; on a standing board row and column change."""
    question = Question(3, 4, 3, 4, False, None, None, False, lambda *_: None)
    assert question.names([(0, 1)]) == "(0, 1)"
    assert question.names([(0, 1), (2, 3)]) == "(0, 1) and (2, 3)"
    assert question.names([(0, 1), (2, 3), (1, 0)], " or ") == "(0, 1), (2, 3) or (1, 0)"
    standing = Question(4, 3, 3, 4, True, None, None, False, lambda *_: None)
    assert standing.names([(0, 1), (2, 3)]) == "(1, 0) and (3, 2)"


@pytest.mark.parametrize(
    ("rows", "cols", "square", "corners"),
    [
        (3, 8, (1, 2), ((0, 0), (2, 0))),
        (3, 8, (1, 5), ((0, 7), (2, 7))),
        (8, 3, (2, 1), ((0, 0), (0, 2))),
        (8, 3, (5, 1), ((7, 0), (7, 2))),
    ],
)
@pytest.mark.parametrize("is_end", [False, True])
def test_the_corners_named_on_three_by_eight_are_next_to_the_square(
    rows: int, cols: int, square: Square, corners: tuple[Square, Square], is_end: bool
) -> None:
    start, end = (None, square) if is_end else (square, None)
    reason = why_not(rows, cols, start, end, search=lambda *_: None)
    assert reason is not None
    assert reason.rule == "three-by-eight-closing-end"
    assert f"The corners {corners[0]} and {corners[1]} have only two moves each" in reason.sentence
    assert ("ends there" if is_end else "starts there") in reason.sentence
