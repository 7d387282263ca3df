"""`trace` tells truly what the search does: replayed, its events give the tour and its costs."""

from __future__ import annotations

import itertools

import pytest

from knighttour import DeadEndError, Event, InvalidInputError, NoTourError, Strategy, tour, trace
from knighttour.board import as_board

FIVE = ("access-level", "step-back", "depth-first", "warnsdorff", "course")

FAMILY = {
    **{name: Strategy.named(name) for name in FIVE},
    "static, last": Strategy(Strategy.named("course").order, "static", "last"),
    "plain": Strategy(Strategy.named("step-back").order, "none"),
    "random": Strategy(Strategy.named("course").order, "dynamic", "random"),
    "random walk": Strategy(Strategy.named("course").order, "none", "random", backtrack=False),
    "far": Strategy(Strategy.named("course").order, "dynamic", "far"),
    "far, no way back": Strategy(Strategy.named("course").order, tie="far", backtrack=False),
}

#: boards with starts, of every kind of ending: tours, dead ends, proofs that there is none
CASES = [
    ("1x1", (0, 0)),
    ("1x4", (0, 2)),
    ("2x3", (1, 0)),
    ("3x3", (1, 1)),
    ("3x3", (0, 0)),
    ("3x4", (0, 0)),
    ("4x3", (0, 0)),
    ("3x4", (1, 1)),
    ("4x4", (2, 1)),
    ("5x5", (4, 2)),
    ("5x6", (0, 0)),
    ("6x5", (0, 0)),
    ("8x8", (4, 2)),
    ("8x8", (5, 4)),
    ("xiangqi", (0, 0)),
]

MOST = 20_000  # events looked at: enough for all these but a few plain searches


def first_events(start, board, strategy, backend) -> list[Event]:
    return list(itertools.islice(trace(start, board, strategy, seed=7, backend=backend), MOST))


def dynamic_exits(board, path, square):
    return [other for other in board.neighbours(square) if other not in path]


@pytest.mark.parametrize("strategy", FAMILY)
@pytest.mark.parametrize(("name", "start"), CASES)
def test_replaying_the_events_gives_the_search(backend, name, start, strategy):
    board = as_board(name)
    rule = FAMILY[strategy]
    events = first_events(start, name, rule, backend)
    path: list[tuple[int, int]] = []
    nodes = backtracks = 0
    for before, event in zip([None, *events], events, strict=False):
        if event.kind == "place":
            if before is not None:
                assert event.square in [square for square, _ in before.candidates]
            path.append(event.square)
            nodes += 1
        elif event.kind == "undo":
            assert path.pop() == event.square
            backtracks += 1
            # What was taken back is not tried again from here.
            assert event.square not in [square for square, _ in event.candidates]
        elif event.kind == "dead-end":
            assert event.square == path[-1]
            assert event.candidates == ()
            assert len(path) < board.size
        else:
            assert event.kind == "done"
            assert event is events[-1]
            assert event.square == path[-1]
        assert event.step == len(path)
        assert event.nodes == nodes
        assert event.backtracks == backtracks
        assert nodes == len(path) + backtracks
        for square, exits in event.candidates:
            assert square not in path
            assert board.are_adjacent(square, path[-1])
            if rule.degree == "dynamic":
                assert exits == len(dynamic_exits(board, path, square))
            elif rule.degree == "static":
                assert exits == board.degree(square)
            else:
                assert exits == 0
    if len(events) == MOST:
        return  # cut off, as far as that everything was in order
    assert [event.kind for event in events].count("done") == 1
    if events[-1].step == board.size:
        found = tour(start, name, strategy=rule, seed=7, backend=backend)
        assert found.tolist() == path
        assert found.stats[1:3] == (nodes, backtracks)
    elif rule.backtrack:
        with pytest.raises(NoTourError) as proof:
            tour(start, name, strategy=rule, seed=7, backend=backend)
        assert path == [start]
        assert f"({nodes} squares placed)" in str(proof.value)
    else:
        with pytest.raises(DeadEndError) as stuck:
            tour(start, name, strategy=rule, seed=7, backend=backend)
        assert stuck.value.walk == path
        assert stuck.value.stats is not None
        assert stuck.value.stats[1:3] == (nodes, backtracks)


@pytest.mark.parametrize("strategy", FAMILY)
@pytest.mark.parametrize(("name", "start"), CASES)
def test_both_engines_tell_the_same(both_engines, name, start, strategy):
    core, pure = (first_events(start, name, FAMILY[strategy], which) for which in both_engines)
    assert core == pure


@pytest.mark.parametrize("strategy", ["access-level", "warnsdorff", "course", "depth-first"])
def test_the_square_taken_is_the_one_the_rule_names(backend, strategy):
    rule = Strategy.named(strategy)
    events = first_events((0, 0), "xiangqi", rule, backend)
    for event, after in itertools.pairwise(events):
        if after.kind != "place":
            continue
        fewest = min(exits for _, exits in event.candidates)
        best = [square for square, exits in event.candidates if exits == fewest]
        assert after.square == (best[-1] if rule.tie == "last" else best[0])


@pytest.mark.parametrize("strategy", ["step-back", "course"])
def test_a_trace_comes_lazily_where_the_search_has_no_end(backend, strategy):
    events = trace((0, 1), "7x7", strategy, backend=backend)
    kinds = [event.kind for event in itertools.islice(events, 5000)]
    assert len(kinds) == 5000
    assert set(kinds) == {"place", "dead-end", "undo"}


def test_the_default_is_course_on_the_xiangqi_board(backend):
    assert list(trace(backend=backend)) == list(trace((0, 0), "xiangqi", "course", backend=backend))


def test_a_trace_is_refused_when_it_is_asked_for_not_when_it_is_read(backend):
    for call in (
        lambda: trace((8, 8), "8x8", backend=backend),
        lambda: trace((0, 0), "8by8", backend=backend),
        lambda: trace((0, 0), "8x8", "quickly", backend=backend),
        lambda: trace((0, 0), "8x8", seed=-1, backend=backend),
        lambda: trace((0, 0), "8x8", backend="fast"),
    ):
        with pytest.raises(ValueError, match=r"8x8 board|8by8|quickly|seed=-1|backend='fast'"):
            call()


def test_a_board_of_another_shape_is_refused():
    from knighttour import Board

    for board in (
        Board(4, 4, holes=[(1, 2)]),
        Board(4, 4, leaper=(1, 4)),
        Board(4, 4, wrap="rows"),
    ):
        with pytest.raises(InvalidInputError, match="plain rectangles"):
            trace((0, 0), board)
