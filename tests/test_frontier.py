"""Tables of states: both engines against each other, state by state, forwards and back."""

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knighttour import _frontier_py as pure
from knighttour import counting
from knighttour._engine import get_engine
from knighttour.board import Board
from knighttour.counting import count, count_plan
from knighttour.elimination import problem_of
from knighttour.errors import SearchLimitError
from knighttour.frontier import TableSweep
from knighttour.occurrences import edge_counts
from knighttour.oneway import one_way_problem
from knighttour.sampling import sample

from .test_oneway import POSITIONS

BOARDS = {
    "4x5": Board(4, 5),
    "5x4, a hole": Board(5, 4, holes=[(2, 1)]),
    "3x4 torus": Board(3, 4, wrap="torus"),
    "4x4 torus": Board(4, 4, wrap="torus"),
    "5x3 cylinder": Board(5, 3, wrap="cols"),
    "4x6, (1, 3)-leaper": Board(4, 6, leaper=(1, 3)),
    "2x4, (0, 1)-leaper": Board(2, 4, leaper=(0, 1)),
}

#: Every question: start, end, closed. Squares are numbers.
QUESTIONS = [
    (None, None, True),
    (None, None, False),
    (0, None, False),
    (0, -1, False),
    (0, 1, True),
]


def problems():
    for name, board in BOARDS.items():
        squares = list(board.squares)
        for start, end, closed in QUESTIONS:
            ends = [None if n is None else squares[n] for n in (start, end)]
            problem = problem_of(board, *ends, closed)
            if problem is not None:
                yield pytest.param(problem, id=f"{name} {start} {end} {closed}")
    for name in ("4x5", "4x6, two pieces", "3x8"):
        for closed in (True, False):
            problem = one_way_problem(POSITIONS[name], None, None, closed)
            if problem is not None:
                yield pytest.param(problem, id=f"one way {name} {closed}")


def swept(problem, kernel, **options):
    sweep = TableSweep(problem, kernel, **options)
    while sweep.step():
        pass
    return sweep


@pytest.mark.parametrize("problem", list(problems()))
def test_both_engines_have_the_same_layers(problem, core):
    kernel = get_engine(core).frontier
    here, there = swept(problem, kernel, keep=True), swept(problem, pure, keep=True)
    assert here.total == there.total
    assert here.states == there.states
    for ours, theirs in zip(here.layers, there.layers, strict=True):
        assert list(ours.items()) == list(theirs.items())
        assert list(ours.pieces(7)) == list(theirs.pieces(7))
        assert all(ours.get(state) == ways for state, ways in theirs.items())
        assert len(ours) == len(theirs)
    ours = theirs = None
    while here.done:
        ours, our_edges = here.back(ours)
        theirs, their_edges = there.back(theirs)
        assert our_edges == their_edges
        assert list(ours.items()) == list(theirs.items())
    # At the beginning there is one state, and all cycles are before it.
    ways = [number for _, number in ours.items()]
    assert ways == ([here.total] if here.total else [])


#: Closed tours of tori. Those of 3 rows by a survey of 2026 too; they are not in the OEIS.
TORI = {(3, 3): 48, (3, 4): 14934, (4, 4): 1344, (3, 5): 10594392}
LARGER_TORI = {(3, 6): 259338240, (4, 5): 5199764, (3, 7): 6378257020}


def is_counted_so(rows, cols, number, backend):
    for board in (Board(rows, cols, wrap="torus"), Board(cols, rows, wrap="torus")):
        if count(board, closed=True, backend=backend) != number:
            return False
    return True


@pytest.mark.parametrize("size", TORI)
def test_tori(size, backend):
    if size == (3, 5) and backend == "pure":
        pytest.skip("seconds in pure Python")
    assert is_counted_so(*size, TORI[size], backend)


@pytest.mark.slow
@pytest.mark.parametrize("size", LARGER_TORI)
def test_larger_tori(size, core):
    assert is_counted_so(*size, LARGER_TORI[size], core)


def test_the_moves_of_a_torus_add_up(backend):
    board = Board(4, 4, wrap="torus")
    assert sum(edge_counts(board, closed=True, backend=backend).values()) == 16 * 1344


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=9),
    st.sampled_from([None, "rows", "cols", "torus"]),
    st.sampled_from([(1, 2), (1, 1), (0, 1), (1, 3), (2, 3)]),
    st.booleans(),
    st.integers(1, 2**300),
)
def test_numbers_of_any_size_on_any_board(holes, wrap, leaper, closed, factor):
    # As if the first state had been reached in so many ways: everything is that much more.
    kernel = pytest.importorskip("knighttour._frontier")
    board = Board(4, 5, holes=holes, wrap=wrap, leaper=leaper)
    if len(board.squares) > 13:
        board = Board(4, 5, holes={*holes, *list(board.squares)[13:]}, wrap=wrap, leaper=leaper)
    problem = problem_of(board, None, None, closed) if len(board.squares) > 1 else None
    if problem is None:
        return
    limbs = (factor.bit_length() + 63) // 64
    sweep = TableSweep(problem, kernel, keep=True)
    (state,) = swept(problem, pure, keep=True).layers[0]
    piece = array("H", state).tobytes(), factor.to_bytes(8 * limbs, "little")
    sweep.resume(0, 0, len(state), limbs, [piece])
    plain = TableSweep(problem, pure, keep=True)
    while sweep.step():
        plain.step()
        assert dict(sweep.layers[-1].items()) == {
            state: factor * ways for state, ways in plain.layers[-1].items()
        }
    plain.step()
    assert sweep.total == factor * plain.total
    ours = theirs = None
    while sweep.done:
        ours, our_edges = sweep.back(ours)
        theirs, their_edges = plain.back(theirs)
        assert our_edges == {edge: factor * ways for edge, ways in their_edges.items()}
        assert dict(ours.items()) == dict(theirs.items())


def test_completions_wider_than_the_numbers_of_ways(core):
    # What is behind a state has more bits than what is before it.
    kernel = get_engine(core).frontier
    problem = problem_of(Board(3, 4, wrap="torus"), None, None, True)
    sweep, plain = swept(problem, kernel, keep=True), swept(problem, pure, keep=True)
    number = len(sweep.stages) // 2
    factor = 2**64 - 3
    behind, expected = kernel.Layer(sweep.layers[number + 1].vertices), pure.Layer(0)
    for state, ways in plain.layers[number + 1].items():
        mates = array("H", [mate & 0xFFFF for mate in state]).tobytes()
        behind.put(mates, (factor - ways).to_bytes(8, "little"), 1)
        expected[state] = factor - ways
    question = sweep.stages[number]
    made = kernel.Layer(sweep.layers[number].vertices)
    assert kernel.retreat(sweep.layers[number], question, behind, made) is None
    made = kernel.Layer(sweep.layers[number].vertices, 2)
    completions = pure.Layer(0)
    assert kernel.retreat(sweep.layers[number], question, behind, made) == pure.retreat(
        plain.layers[number], question, expected, completions
    )
    assert list(made.items()) == list(completions.items())
    assert max(completions.values()) >= 2**64


def packed(states):
    return array("H", [mate & 0xFFFF for state in states for mate in state]).tobytes()


@pytest.mark.parametrize("vertices", [1, 3, 4, 5, 17])
def test_a_table_of_many_states(vertices, engine):
    chance = random.Random(vertices)
    many = 200_000 if engine.name == "core" and vertices > 1 else 3_000
    states = list(
        dict.fromkeys(
            tuple(chance.choice((-1, chance.randrange(20_000))) for _ in range(vertices))
            for _ in range(many)
        )
    )
    layer = engine.frontier.Layer(vertices)
    for first in range(0, len(states), 50_000):
        piece = states[first : first + 50_000]
        numbers = array("Q", range(first, first + len(piece))).tobytes()
        layer.put(packed(piece), numbers, 1)
    assert len(layer) == len(states)
    assert all(layer.get(state) == number for number, state in enumerate(states))
    assert [state for state, _ in layer.items()] == states
    pieces = list(layer.pieces(4096))
    assert b"".join(piece for piece, _ in pieces) == packed(states)
    assert layer.memory >= (2 * vertices + 8) * len(states)
    assert layer.get((7,) * (vertices + 1)) is None
    assert layer.get((19_999,) * vertices, "none") in ("none", *range(len(states)))


def test_what_does_not_fit_is_refused(core):
    kernel = get_engine(core).frontier
    for vertices, limbs in [(-1, 1), (1025, 1), (3, 0), (3, 513)]:
        with pytest.raises(ValueError, match="is not a number from"):
            kernel.Layer(vertices, limbs)
    layer = kernel.Layer(2)
    for states, numbers, limbs in [(b"1234", b"12345678", 2), (b"1234", b"12345678", 0)]:
        with pytest.raises(ValueError, match="limbs"):
            layer.put(states, numbers, limbs)
    for states, numbers in [(b"123", b"12345678"), (b"1234", b"1234567"), (b"", b"12345678")]:
        with pytest.raises(ValueError, match="do not fit"):
            layer.put(states, numbers, 1)
    problem = problem_of(Board(4, 5), None, None, False)
    sweep = swept(problem, kernel, keep=True)
    first, second = sweep.layers[:2]
    stage = sweep.stages[0]
    for wrong in [(second, first), (first, first), (second, second)]:
        with pytest.raises(ValueError, match="do not fit the stage"):
            kernel.advance(wrong[0], stage, wrong[1])
    with pytest.raises(ValueError, match="limbs"):
        kernel.advance(first, stage, kernel.Layer(second.vertices, 2))
    with pytest.raises(ValueError, match="do not fit the stage"):
        kernel.retreat(first, stage, second, kernel.Layer(first.vertices + 1))
    with pytest.raises(ValueError, match="do not fit the stage"):
        kernel.retreat(second, stage, second, kernel.Layer(second.vertices))
    with pytest.raises(ValueError, match="limbs"):
        kernel.retreat(first, stage, kernel.Layer(second.vertices, 2), kernel.Layer(first.vertices))


def test_what_a_tick_raises_leaves_the_sweep_as_it_was(engine):
    class EnoughError(Exception):
        pass

    def tick():
        raise EnoughError

    problem = problem_of(Board(3, 4, wrap="torus"), None, None, True)
    sweep = TableSweep(problem, engine.frontier, keep=True)
    while sweep.done < len(sweep.stages):
        if sweep.layers[-1]:  # where there is nothing left to do nobody looks at the clock
            done, states = sweep.done, sweep.states
            with pytest.raises(EnoughError):
                sweep.step(tick)
            assert (sweep.done, sweep.states) == (done, states)
        sweep.step()
    assert sweep.total == 14934
    completions = None
    while sweep.done:
        if sweep.layers[-2]:
            done, states = sweep.done, sweep.states
            with pytest.raises(EnoughError):
                sweep.back(completions, tick)
            assert (sweep.done, sweep.states) == (done, states)
        completions, _ = sweep.back(completions)
    assert dict(completions.items()) == {(): 14934}


def test_memory_has_a_ceiling(backend):
    board = Board(3, 5, wrap="torus")
    for question in (count, edge_counts):
        with pytest.raises(SearchLimitError, match=r"states of 3x5 .* in tables take more than"):
            question(board, closed=True, memory_limit=200_000, backend=backend)


SPARSE = {
    "4x6 (1, 3)-leaper on a cylinder": Board(4, 6, leaper=(1, 3), wrap="rows"),
    "4x6 (1, 4)-leaper on a cylinder": Board(4, 6, leaper=(1, 4), wrap="rows"),
    "4x7 (2, 3)-leaper on a cylinder": Board(4, 7, leaper=(2, 3), wrap="rows"),
    "5x5 cylinder": Board(5, 5, wrap="cols"),
    "5x5 (1, 4)-leaper on a torus": Board(5, 5, leaper=(1, 4), wrap="torus"),
    "7x8 (2, 3)-leaper": Board(7, 8, leaper=(2, 3)),
    "a ring of 6x6": Board(6, 6, holes=[(2, 2), (2, 3), (3, 2), (3, 3)]),
    "a cross": Board.cross(3, 1),
}


@pytest.mark.parametrize("name", SPARSE)
def test_blocks_and_tables_count_the_same(name, core, monkeypatch):
    board = SPARSE[name]
    questions = [{"closed": True}, {"start": board.squares[0]}]
    found = [count(board, backend=core, **question) for question in questions]
    monkeypatch.setattr(counting, "_MILLISECOND", 0)
    monkeypatch.setattr(counting, "_TRIAL", 10**30)
    assert [count(board, backend=core, **question) for question in questions] == found
    # Tables are tried, and left when there is too much in them.
    for trial in (1, 10**3, 10**12):
        monkeypatch.setattr(counting, "_TRIAL", trial)
        assert [count(board, backend=core, **question) for question in questions] == found


def test_what_blocks_are_too_many_for_is_counted_in_tables(core):
    # In blocks this would take terabytes.
    board = Board(8, 8, leaper=(2, 3))
    assert "table of states" in count_plan(board, closed=True).table()
    assert count(board, closed=True, backend=core) == 0
    torus = Board(5, 5, leaper=(2, 3), wrap="torus")
    plan = count_plan(torus, closed=True, memory_limit=2**24)
    assert plan.forecast is None
    assert plan.sweeps == 1
    fits = count(torus, closed=True, backend=core)
    assert fits == count(torus, closed=True, memory_limit=2**24, backend=core) > 0
    drawn = sample(torus, 2, closed=True, seed=1, memory_limit=2**26, backend=core)
    assert all(tour.closed for tour in drawn)
    assert sum(edge_counts(torus, closed=True, memory_limit=2**27, backend=core).values()) == (
        25 * fits
    )


def test_blocks_that_do_not_fit_go_through_a_disk_where_there_is_one(core, tmp_path):
    board = Board(5, 5, leaper=(2, 3), wrap="torus")
    expected = count(board, closed=True, backend=core)
    small = {"closed": True, "memory_limit": 2**24, "backend": core}
    assert count(board, spill=tmp_path, **small) == expected
    assert sample(board, 1, seed=1, spill=tmp_path, **small)[0].closed
    assert list(tmp_path.iterdir()) == []
    # A checkpoint is of tables then, which are smaller.
    assert count(board, checkpoint=tmp_path, **small) == expected
    assert [path.suffix for path in tmp_path.iterdir()] == [".layer"]


def test_a_trial_keeps_the_limits(core, monkeypatch):
    board = Board(4, 7, leaper=(1, 4), wrap="rows")
    expected = count(board, closed=True, backend=core)
    monkeypatch.setattr(counting, "_TRIAL", 1)
    # Tables do not fit, blocks do.
    monkeypatch.setattr(counting.TableSweep, "check_memory", refused)
    assert count(board, closed=True, backend=core) == expected
    monkeypatch.undo()
    with pytest.raises(SearchLimitError, match="timeout"):
        count(Board(6, 6, leaper=(2, 3), wrap="torus"), timeout=0.05, backend=core)


def refused(*_):
    raise SearchLimitError("too many")


def test_a_board_that_falls_apart_is_never_swept(backend):
    # The camel keeps to its colour; the last squares of the third have no way to the others.
    for board in (
        Board(6, 6, leaper=(1, 3)),
        Board(4, 8, leaper=(2, 2)),
        Board(3, 9, holes=[(0, 4), (1, 4), (2, 4), (0, 3), (1, 3), (2, 3)]),
    ):
        for question in ({"closed": True}, {}, {"start": board.squares[0]}):
            assert count(board, timeout=1, backend=backend, **question) == 0
        assert count_plan(board).sweeps == 0


def wide_ring(side):
    """Return the squares on the edge of a board, for a piece that goes one square straight on."""
    inner = [(row, col) for row in range(1, side - 1) for col in range(1, side - 1)]
    return Board(side, side, holes=inner, leaper=(0, 1))


def test_a_frontier_wider_than_compiled_tables(core, monkeypatch):
    monkeypatch.setattr(get_engine(core).frontier, "MAX_PLACES", 20)
    assert count(wide_ring(60), closed=True, backend=core) == 1


@pytest.mark.parametrize("side", [5, 30, 100, 300])
def test_frontiers_of_any_width(side, backend):
    board = wide_ring(side)
    assert count(board, closed=True, backend=backend) == 1
    if side <= 100:
        assert count(board, backend=backend) == 2 * (4 * side - 4)
        assert set(edge_counts(board, closed=True, backend=backend).values()) == {1}
        assert sample(board, 1, closed=True, seed=1, backend=backend)[0].closed
    count_plan(board, closed=True)


@pytest.mark.parametrize("size", [(30, 30), (60, 61), (141, 141)])
def test_rectangles_too_wide_to_tell_are_refused_at_once(size, core):
    for question in (count, count_plan, edge_counts):
        options = {} if question is count_plan else {"backend": core}
        with pytest.raises(SearchLimitError, match=r"a frontier of \d+ squares"):
            question(size, closed=size != (141, 141), **options)
    # Of those that are not much too wide it is told how many states there are.
    assert count_plan("16x16", closed=True).forecast.peak_states > 10**20


def test_wide_boards_with_holes_keep_their_limits(backend):
    board = Board(60, 60, holes=[(0, 0), (0, 1)])
    with pytest.raises(SearchLimitError, match="in tables"):
        count(board, memory_limit=2**22, backend=backend)
    with pytest.raises(SearchLimitError, match="timeout"):
        count(board, timeout=0.2, backend=backend)
