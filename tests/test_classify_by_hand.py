"""Everything that classify() says, computed once more the slow way, from the squares alone.

Nothing here uses the package's own tables: symmetries are maps of coordinates and sets of edges,
crossings are fractions (with collinear moves that overlap), runs are grouped, sums are added up.
"""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour import (
    Board,
    check,
    classify,
    historic,
    historic_tours,
    is_same_tour,
    random_tour,
    tour,
    tours,
)

#: Where (row, col) of a board of m x n goes.
IMAGES = {
    "rotate180": lambda r, c, m, n: (m - 1 - r, n - 1 - c),
    "flip_rows": lambda r, c, m, n: (m - 1 - r, c),
    "flip_cols": lambda r, c, m, n: (r, n - 1 - c),
    "rotate90": lambda r, c, m, n: (c, m - 1 - r),
    "rotate270": lambda r, c, m, n: (n - 1 - c, r),
    "transpose": lambda r, c, m, n: (c, r),
    "antitranspose": lambda r, c, m, n: (n - 1 - c, m - 1 - r),
}


def steps_of(squares, closed):
    path = [*squares, squares[0]] if closed else squares
    return [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]


def meet_inside(a, b, c, d):
    """Whether two segments have a point in common that is no common end."""
    r, s = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    q = (c[0] - a[0], c[1] - a[1])
    det = r[0] * s[1] - r[1] * s[0]
    if det:
        t = Fraction(q[0] * s[1] - q[1] * s[0], det)
        u = Fraction(q[0] * r[1] - q[1] * r[0], det)
        inside = 0 <= t <= 1 and 0 <= u <= 1
        return inside and not (t in (0, 1) and u in (0, 1))
    if q[0] * r[1] - q[1] * r[0]:
        return False  # parallel
    # On one line: where c and d are on the way from a to b.
    k = 0 if r[0] else 1
    ends = sorted((Fraction(c[k] - a[k], r[k]), Fraction(d[k] - a[k], r[k])))
    return max(ends[0], 0) < min(ends[1], 1)


def crossings(squares, closed):
    path = [*squares, squares[0]] if closed else squares
    segments = list(itertools.pairwise(path))
    return sum(meet_inside(*one, *other) for one, other in itertools.combinations(segments, 2))


def turns(steps, closed):
    """Angles in degrees by their directions, and how many go left and right."""
    angles, left, right = {}, 0, 0
    for (a, b), (c, d) in itertools.pairwise([*steps, steps[0]] if closed else steps):
        # As one looks at the board: x to the right, y upwards.
        first, second = math.degrees(math.atan2(-a, b)), math.degrees(math.atan2(-c, d))
        turn = round((second - first) % 360, 2)
        angle = round(min(turn, 360 - turn), 2)
        angles[angle] = angles.get(angle, 0) + 1
        left += 0 < turn < 180
        right += turn > 180
    return angles, left, right


def runs(steps, closed):
    lengths = [len(list(group)) for _, group in itertools.groupby(steps)]
    if closed and len(lengths) > 1 and steps[0] == steps[-1]:
        lengths = [lengths[0] + lengths[-1], *lengths[1:-1]]
    return {n: lengths.count(n) for n in sorted(set(lengths)) if n > 1}, max(lengths, default=0)


def edges(squares, closed):
    path = [*squares, squares[0]] if closed else squares
    return {frozenset(pair) for pair in itertools.pairwise(path)}


def symmetries(squares, closed, rows, cols):
    found = []
    for name, image in IMAGES.items():
        if rows != cols and name not in ("rotate180", "flip_rows", "flip_cols"):
            continue
        mapped = [image(r, c, rows, cols) for r, c in squares]
        if len(squares) < 2 or edges(mapped, closed) != edges(squares, closed):
            continue
        at = squares.index(mapped[0])
        forwards = mapped[1] == squares[(at + 1) % len(squares)]
        found.append((name, not forwards, at if closed else None))
    return found


def halves(squares, closed, rows, cols):
    found = []
    for what, size, k in (("rows", rows, 0), ("cols", cols, 1)):
        if size % 2:
            continue
        sides = [square[k] < size // 2 for square in squares]
        order = [side for side, _ in itertools.groupby(sides)]
        # A closed tour may begin in the middle of a half.
        if len(order) == 2 or (closed and len(order) == 3):
            found.append(what)
    return tuple(found)


def assert_described(found):
    kind = classify(found)
    squares, closed = found.tolist(), found.closed
    rows, cols = found.board.shape
    steps = steps_of(squares, closed)
    number = {square: k for k, square in enumerate(squares, 1)}
    grid = [[number.get((r, c), 0) for c in range(cols)] for r in range(rows)]
    assert kind.row_sums == tuple(map(sum, grid))
    assert kind.col_sums == tuple(sum(column) for column in zip(*grid, strict=True))
    assert kind.semimagic is (len(set(kind.row_sums)) == len(set(kind.col_sums)) == 1)
    if rows == cols:
        diagonals = (
            sum(grid[k][k] for k in range(rows)),
            sum(grid[k][cols - 1 - k] for k in range(rows)),
        )
        assert kind.diagonals == diagonals
        assert kind.magic is (len({*kind.row_sums, *kind.col_sums, *diagonals}) == 1)
    else:
        assert kind.diagonals is None
    assert [tuple(one) for one in kind.symmetries] == symmetries(squares, closed, rows, cols)
    opposite = {s: (rows - 1 - s[0], cols - 1 - s[1]) for s in squares}
    assert kind.euler_type is (
        closed
        and all(abs(number[s] - number.get(o, 0)) * 2 == len(squares) for s, o in opposite.items())
    )
    assert kind.half_boards == halves(squares, closed, rows, cols)
    assert kind.crossings == crossings(squares, closed)
    assert {move: n for move, n in kind.directions.items() if n} == {
        move: steps.count(move) for move in steps
    }
    assert (dict(kind.turns), kind.left_turns, kind.right_turns) == turns(steps, closed)
    assert (dict(kind.straight_runs), kind.longest_run) == runs(steps, closed)
    return kind


@given(
    st.sampled_from([(3, 4), (4, 3), (5, 5), (5, 6), (6, 5), (3, 10), (10, 3), (6, 6), (7, 4)]),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_random_tours_and_their_transposes_are_described(shape, seed, closed):
    wants_closed = closed and shape[0] * shape[1] % 2 == 0 and min(shape) > 2 and 4 not in shape
    found = random_tour(shape, closed=wants_closed, seed=seed)
    kind = assert_described(found)
    turned = assert_described(found.transformed("transpose"))
    assert turned.crossings == kind.crossings
    assert turned.turns == kind.turns
    assert (turned.left_turns, turned.right_turns) == (kind.right_turns, kind.left_turns)
    assert turned.row_sums == kind.col_sums


@pytest.mark.parametrize("name", historic_tours())
def test_historic_tours_are_described(name):
    found = historic(name)
    assert_described(found)
    assert_described(found.transformed("rotate90").reversed())


@pytest.mark.parametrize("shape", ["3x4", "4x3"])
def test_all_tours_of_a_small_board_are_described(shape):
    for found in tours(None, shape):
        assert_described(found)


@pytest.mark.parametrize("shape", [(3, 10), (10, 3), (5, 6), (6, 5)])
def test_closed_tours_with_symmetries_are_described(shape):
    found = list(itertools.islice(tours(None, shape, closed=True), 40))
    kinds = [assert_described(one) for one in found]
    assert {symmetry.name for kind in kinds for symmetry in kind.symmetries}
    for one, kind in zip(found, kinds, strict=True):
        turned = assert_described(one.rotated((shape[0] - 1, shape[1] - 1)).reversed())
        assert [s.name for s in turned.symmetries] == [s.name for s in kind.symmetries]


@pytest.mark.parametrize(
    "board",
    [
        Board.parse("....\n....\n....\n...#"),
        Board.parse("#...\n....\n....\n...."),
        Board(6, 6, leaper=(1, 2), holes=[(0, 0), (0, 1)]),
        Board(4, 5, leaper=(0, 1)),
        Board(5, 4, leaper=(0, 1)),
        Board(2, 2, leaper=(0, 1)),
        Board(10, 10, leaper=(2, 3)),
        Board(10, 8, leaper=(1, 4)),
        Board(8, 10, leaper=(1, 4)),
    ],
    ids=str,
)
def test_other_boards_are_described(board):
    assert_described(tour(None, board))


@pytest.mark.parametrize("start", [(0, 0), (0, 1), (1, 2), (2, 0)])
def test_the_ring_around_a_hole_has_all_symmetries_of_the_square(start):
    # Every square lies on one axis, which maps a start there onto itself; quarter turns shift the
    # tour by two of its eight squares.
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)]
    found = check(ring, Board(3, 3, holes=[(1, 1)])).rotated(start)
    for one in (found, found.reversed()):
        kind = assert_described(one)
        assert {symmetry.name for symmetry in kind.symmetries} == set(IMAGES)
        shifts = {symmetry.name: symmetry.shift for symmetry in kind.symmetries}
        assert {shifts["rotate90"], shifts["rotate270"]} == {2, 6}
        assert list(shifts.values()).count(0) == 1


@pytest.mark.parametrize("wrap", ["torus", "rows", "cols"])
def test_on_a_board_that_wraps_crossings_have_no_meaning(wrap):
    board = Board(5, 6, wrap=wrap)
    found = tour(None, board)
    kind = classify(found)
    assert kind.crossings is None
    assert sum(kind.directions.values()) == len(found) - (not found.closed)


@given(
    st.sampled_from([(3, 4), (4, 3), (5, 5), (5, 6), (6, 5), (3, 10), (10, 3), (6, 6)]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
)
def test_the_canonical_form_is_one_of_the_images_and_theirs_too(shape, seed, where):
    closed = shape[0] * shape[1] % 2 == 0 and 4 not in shape
    found = random_tour(shape, closed=closed, seed=seed)
    squares = found.tolist()
    images = []
    for image in [lambda r, c, m, n: (r, c), *IMAGES.values()]:
        mapped = [image(r, c, *shape) for r, c in squares]
        images += [mapped, mapped[::-1]]
    chosen = check(images[where % len(images)])
    if closed:
        chosen = chosen.rotated(chosen[where % len(squares)])
    assert is_same_tour(chosen, found)
    if chosen.board.shape == shape:
        assert chosen.canonical() == found.canonical()
    # The least of all images on this board, from every square of a closed one.
    on_board = [one for one in images if check(one).board.shape == shape]
    shifts = len(squares) if closed else 1
    assert found.canonical() == min(one[k:] + one[:k] for one in on_board for k in range(shifts))
    other = random_tour(shape, closed=closed, seed=seed + 1)
    same = any(edges(one, closed) == edges(other.tolist(), closed) for one in images)
    assert is_same_tour(other, found) is same
