"""The five programs, square for square: tests/data/programs holds what they did from every start.

Both engines reproduce every run there: the way, the squares taken back, the squares reached at a
dead end. Then come the facts that tie the programs to each other, and their sums.
"""

from __future__ import annotations

import re
from statistics import median

import pytest

from knighttour import DeadEndError, NoTourError, Strategy, Tour, tour
from knighttour.board import as_board

Square = tuple[int, int]
Answer = tuple[str, int, int, list[Square]]

FIVE = ("access-level", "step-back", "depth-first", "warnsdorff", "course")

#: boards of each file: tours, runs, runs that were not finished
CONTENTS = {
    "access-level": {"8x8": (63, 64, 0)},
    "step-back": {
        "8x8": (64, 64, 0),
        "10x9": (90, 90, 0),
        "9x10": (90, 90, 0),
        "3x4": (6, 12, 0),
        "4x3": (6, 12, 0),
        "3x7": (10, 21, 0),
        "3x8": (22, 24, 0),
        "4x5": (10, 20, 0),
        "5x5": (13, 25, 0),
        "5x6": (30, 30, 0),
        "5x8": (37, 40, 3),
        "8x5": (37, 40, 3),
        "6x6": (36, 36, 0),
        "7x7": (25, 25, 0),
    },
    "depth-first": {
        "8x8": (64, 64, 0),
        "6x6": (36, 36, 0),
        "5x5": (13, 25, 0),
        "3x4": (6, 12, 0),
        "4x3": (6, 12, 0),
        "7x7": (25, 25, 0),
        "10x9": (70, 90, 20),
        "9x10": (71, 90, 19),
    },
    "warnsdorff": {
        "5x5": (10, 25, 0),
        "6x6": (36, 36, 0),
        "7x7": (22, 49, 0),
        "8x8": (62, 64, 0),
        "9x9": (41, 81, 0),
        "10x10": (98, 100, 0),
    },
    "course": {
        "10x9": (90, 90, 0),
        "9x10": (90, 90, 0),
        "8x8": (64, 64, 0),
        "3x4": (6, 12, 0),
        "5x5": (13, 25, 0),
        "5x6": (30, 30, 0),
        "5x8": (37, 40, 3),
        "6x6": (36, 36, 0),
        "6x7": (42, 42, 0),
        "7x7": (25, 25, 0),
    },
}

#: A failed search of these two counted one step back more: that of the start itself.
COUNTS_THE_START = ("step-back", "depth-first")

FEW = 200_000  # backtracks; longer runs are slow

BOARDS = [(name, board) for name, boards in CONTENTS.items() for board in boards]


def attempt(
    start: Square, board: str, strategy: Strategy | str, backend: str
) -> Tour | DeadEndError | NoTourError:
    """The tour, or what is raised instead of one."""
    try:
        return tour(start, board, strategy=strategy, backend=backend)
    except (DeadEndError, NoTourError) as error:
        return error


def ask(start: Square, board: str, strategy: Strategy | str, backend: str) -> Answer:
    """What the library answers: result, backtracks, squares visited, squares."""
    outcome = attempt(start, board, strategy, backend)
    if isinstance(outcome, Tour):
        assert outcome.stats.nodes == len(outcome) + outcome.stats.backtracks
        return "tour", outcome.stats.backtracks, len(outcome), outcome.tolist()
    if isinstance(outcome, DeadEndError):
        assert outcome.stats is not None
        assert outcome.stats.nodes == len(outcome.walk)
        return "stuck", outcome.stats.backtracks, len(outcome.walk), outcome.walk
    assert outcome.reason == "exhausted-search"
    placed = re.search(r"\((\d+) squares placed\)", str(outcome))
    assert placed is not None
    # Every square but the start has been taken back.
    return "none", int(placed[1]) - 1, 0, []


def differences(runs, board: str, strategy: Strategy | str, backend: str) -> list[object]:
    """Starts at which the library does something else than the program did."""
    wrong = []
    for start, run in runs.items():
        backtracks = run.backtracks
        if run.result == "none" and strategy in COUNTS_THE_START:
            backtracks -= 1
        answer = ask(start, board, strategy, backend)
        if answer != (run.result, backtracks, run.visited, run.squares):
            wrong.append((start, answer, run))
    return wrong


# --- Square for square ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_a_strategy_does_what_its_program_did(programs, backend, name, board):
    runs = {
        start: run
        for start, run in programs(name)[board].items()
        if run.result != "unknown" and run.backtracks <= FEW
    }
    assert runs
    assert differences(runs, board, name, backend) == []


LONG = [
    (name, board)
    for name, board in BOARDS
    if name in ("step-back", "depth-first", "course")
    and board in ("5x5", "5x6", "7x7", "8x8", "10x9", "9x10")
    and not (name != "depth-first" and board in ("8x8", "10x9", "9x10"))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "board"), LONG)
def test_a_strategy_does_what_its_program_did_in_long_runs(programs, backend, name, board):
    runs = {
        start: run
        for start, run in programs(name)[board].items()
        if run.result != "unknown" and run.backtracks > FEW
    }
    assert runs
    assert differences(runs, board, name, backend) == []


def test_no_long_run_is_left_out(programs):
    long = {
        (name, board)
        for name, board in BOARDS
        for run in programs(name)[board].values()
        if run.backtracks > FEW
    }
    assert long == set(LONG)


@pytest.mark.parametrize("tie", ["first", "last"])
@pytest.mark.parametrize("board", ["8x8", "10x9"])
@pytest.mark.parametrize("name", ["access-level", "step-back", "course", "warnsdorff"])
def test_a_walk_without_a_way_back_goes_as_the_programs_do(programs, backend, name, board, tie):
    heading = name if name != "course" else "depth-first"
    runs = programs("one-walk")[f"{board} {heading} {tie}"]
    rule = Strategy(Strategy.named(name).order, "dynamic", tie, backtrack=False)
    assert len(runs) == (64 if board == "8x8" else 90)
    assert differences(runs, board, rule, backend) == []


# --- The files themselves ------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONTENTS)
def test_the_files_hold_every_run(programs, name):
    counted = {
        board: (
            sum(run.result == "tour" for run in runs.values()),
            len(runs),
            sum(run.result == "unknown" for run in runs.values()),
        )
        for board, runs in programs(name).items()
    }
    assert counted == CONTENTS[name]


@pytest.mark.parametrize("name", [*CONTENTS, "one-walk"])
def test_the_ways_in_the_files_are_walks_of_free_squares(programs, name):
    for heading, runs in programs(name).items():
        rows, cols = map(int, heading.split()[0].split("x"))
        for start, run in runs.items():
            if run.result in ("none", "unknown"):
                assert run.squares == []
                continue
            assert run.squares[0] == start
            assert len(run.squares) == len(set(run.squares)) == run.visited
            assert all(0 <= row < rows and 0 <= col < cols for row, col in run.squares)
            assert (run.visited == rows * cols) == (run.result == "tour")


# --- What ties them to each other ----------------------------------------------------------------


def turned(order, first):
    return (*order[first:], *order[:first])


def test_the_orders_of_moves_are_one_cycle():
    order = {name: Strategy.named(name).order for name in FIVE}
    assert order["depth-first"] == order["course"]
    assert order["access-level"] == turned(order["course"], 2)
    assert order["step-back"] == tuple((-drow, dcol) for drow, dcol in order["course"])


def test_depth_first_with_degrees_counted_anew_is_course():
    static = Strategy.named("depth-first")
    assert Strategy(static.order, "dynamic", static.tie, static.backtrack) == Strategy.named(
        "course"
    )
    assert Strategy(static.order, "dynamic").name == "course"


def test_the_rules_of_the_five():
    rules = {}
    for name in FIVE:
        rule = Strategy.named(name)
        rules[name] = (rule.degree, rule.tie, rule.backtrack)
    assert rules == {
        "access-level": ("dynamic", "last", False),
        "step-back": ("dynamic", "first", True),
        "depth-first": ("static", "first", True),
        "warnsdorff": ("dynamic", "first", False),
        "course": ("dynamic", "first", True),
    }


@pytest.mark.parametrize("board", ["10x9", "9x10", "8x8", "6x6", "6x7", "7x6"])
def test_step_back_is_the_row_mirror_of_course(backend, board):
    rows, cols = map(int, board.split("x"))
    for row in range(rows):
        for col in range(cols):
            mirrored = tour((rows - 1 - row, col), board, strategy="course", backend=backend)
            found = tour((row, col), board, strategy="step-back", backend=backend)
            assert found == mirrored.transformed("flip_rows")
            assert found.stats.backtracks == mirrored.stats.backtracks


def test_the_published_runs_are_row_mirrors_too(programs):
    pairs = 0
    for board, runs in programs("course").items():
        rows = int(board.split("x")[0])
        for (row, col), run in programs("step-back").get(board, {}).items():
            mirrored = runs[rows - 1 - row, col]
            if run.result == mirrored.result == "tour":
                pairs += 1
                assert run.backtracks == mirrored.backtracks
                assert run.squares == [(rows - 1 - r, c) for r, c in mirrored.squares]
    assert pairs == 391


def test_from_a_corner_access_level_is_what_000_published(programs, backend):
    # The corner is the one start that the published program marks.
    assert tour((0, 0), "chess", strategy="access-level", backend=backend).end == (6, 5)
    assert programs("as-published")["8x8 access-level"][0, 0].result == "tour"


# --- Sums ----------------------------------------------------------------------------------------


def every(
    board: str, strategy: str, backend: str
) -> dict[Square, Tour | DeadEndError | NoTourError]:
    """The answers from every start."""
    return {start: attempt(start, board, strategy, backend) for start in as_board(board).squares}


def backtracks(answers) -> dict[Square, int]:
    return {
        start: answer.stats.backtracks
        for start, answer in answers.items()
        if answer.stats.backtracks
    }


@pytest.mark.parametrize("board", ["10x9", "xiangqi"])
def test_course_takes_2859_squares_back_on_the_xiangqi_board(backend, board):
    answers = every(board, "course", backend)
    assert all(isinstance(answer, Tour) for answer in answers.values())
    counted = backtracks(answers)
    assert counted == {(0, 0): 9, (4, 8): 21, (5, 1): 2715, (6, 2): 114}
    assert sum(counted.values()) == 2859


def test_step_back_takes_2859_squares_back_on_the_xiangqi_board(backend):
    counted = backtracks(every("10x9", "step-back", backend))
    assert counted == {(9, 0): 9, (5, 8): 21, (4, 1): 2715, (3, 2): 114}


@pytest.mark.parametrize(
    ("board", "strategy", "expected"),
    [
        ("9x10", "course", {(8, 2): 30, (5, 7): 2828, (1, 3): 4542}),
        ("9x10", "step-back", {(0, 2): 30, (3, 7): 2828, (7, 3): 4542}),
        ("8x8", "course", {(2, 4): 46}),
        ("8x8", "step-back", {(5, 4): 46}),
        ("6x6", "course", {(3, 3): 27}),
        ("6x6", "step-back", {(2, 3): 27}),
    ],
)
def test_where_squares_are_taken_back(backend, board, strategy, expected):
    answers = every(board, strategy, backend)
    assert all(isinstance(answer, Tour) for answer in answers.values())
    assert backtracks(answers) == expected


@pytest.mark.parametrize(
    ("strategy", "failures", "closed"),
    [
        ("access-level", {(4, 2): 60}, {(0, 3), (1, 1), (2, 4), (3, 1)}),
        (
            "warnsdorff",
            {(1, 3): 60, (4, 7): 60},
            {(0, 0), (1, 5), (2, 2), (2, 3), (4, 0), (4, 3), (7, 4)},
        ),
    ],
)
def test_where_walks_end_on_the_chessboard(backend, strategy, failures, closed):
    answers = every("8x8", strategy, backend)
    stuck = {
        start: len(answer.walk)
        for start, answer in answers.items()
        if isinstance(answer, DeadEndError)
    }
    assert stuck == failures
    assert {s for s, a in answers.items() if isinstance(a, Tour) and a.closed} == closed


@pytest.mark.parametrize("strategy", ["course", "step-back"])
def test_four_tours_of_the_chessboard_are_closed(backend, strategy):
    answers = every("8x8", strategy, backend)
    assert sum(isinstance(answer, Tour) and answer.closed for answer in answers.values()) == 4


def test_what_the_static_order_of_depth_first_costs(programs):
    runs = programs("depth-first")["8x8"]
    counts = {start: run.backtracks for start, run in runs.items()}
    assert sum(counts.values()) == 2_883_981
    assert median(counts.values()) == 640.5
    assert {start for start, count in counts.items() if not count} == {
        (0, 6),
        (1, 1),
        (1, 5),
        (3, 2),
    }
    assert sorted(counts.items(), key=lambda item: -item[1])[:3] == [
        ((6, 5), 1_260_410),
        ((2, 1), 767_036),
        ((0, 2), 294_891),
    ]
    assert counts[0, 0] == 74_544
    closed = [
        run
        for run in runs.values()
        if abs(run.squares[0][0] - run.squares[-1][0]) * abs(run.squares[0][1] - run.squares[-1][1])
        == 2
    ]
    assert len(closed) == 15


def test_the_order_costs_depth_first_74544_squares_from_the_corner(backend):
    static = tour((0, 0), "chess", strategy="depth-first", backend=backend)
    dynamic = tour((0, 0), "chess", strategy="course", backend=backend)
    assert (static.stats.backtracks, dynamic.stats.backtracks) == (74_544, 0)
