"""How fast are tours of irregular boards found, and refuted, against SAT, clingo and OR-Tools?

The boards are made here from seeds: squares from 8x8 to 500x500 with 0 to 20 % holes that leave the
colours balanced and every square at least two exits, leapers, tori, xiangqi positions, partial
numberings, and boards without a tour. Every answer of this package is checked by the board's own
`neighbours`; the others' verdicts are compared with ours. python-sat, clingo and ortools are used
where they are installed (``pip install python-sat clingo ortools``), on boards of their size.

    python bench/bench_shapes.py [--quick] [--seconds 10] [--backend core|pure]

A row: class, boards, tours found / proved impossible / gave up, median and slowest seconds (wall),
then the same for each other solver that ran.
"""

import argparse
import importlib.util
import random
import statistics
import time
from itertools import pairwise

from knighttour import Board, NoTourError, SearchLimitError, complete, random_tour, shapes
from knighttour._engine import get_engine
from knighttour.limits import Limits

KNIGHT = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def holed(side, percent, seed, exits=2):
    """Return a square board with random holes, as many of each colour."""
    source = random.Random(1000 * side + 10 * percent + seed)
    keep = {(row, col) for row in range(side) for col in range(side)}
    if side % 2:
        keep.discard((side - 1, side - 1))

    def near(square):
        row, col = square
        return [(row + d, col + e) for d, e in KNIGHT if (row + d, col + e) in keep]

    degree = {square: len(near(square)) for square in keep}
    pools = [sorted(square for square in keep if sum(square) % 2 == colour) for colour in (0, 1)]
    removed = [[], []]
    for colour, pool in enumerate(pools):
        source.shuffle(pool)
        for square in pool:
            if len(removed[colour]) == side * side * percent // 200:
                break
            around = near(square)
            if all(degree[other] > exits for other in around):
                keep.discard(square)
                removed[colour].append(square)
                for other in around:
                    degree[other] -= 1
    # Where one colour ran out of squares to take, some of the other come back.
    fewer = min(map(len, removed))
    for squares in removed:
        keep.update(squares[fewer:])
    return Board.from_mask([[(r, c) in keep for c in range(side)] for r in range(side)])


def position(pieces, seed):
    """Return a xiangqi board with so many pieces at random places."""
    source = random.Random(seed)
    points = set(source.sample(range(90), pieces))
    ranks = ["".join("p" if 9 * r + c in points else "1" for c in range(9)) for r in range(10)]
    return Board.from_fen("/".join(ranks))


def classes(quick):
    """Yield (name, closed, boards, whether other solvers are asked)."""
    for side, number in ((8, 20), (20, 20), (50, 10), (100, 5), (200, 3), (500, 1)):
        if quick and side > 100:
            continue
        for percent in (0, 1, 5, 10, 20):
            boards = [holed(side, percent, seed) for seed in range(number)]
            for closed in (True, False):
                kind = "closed" if closed else "open"
                yield f"{side}x{side} {percent} % holes {kind}", closed, boards, side <= 50
    yield (
        "(1,4)-leaper 10..30 closed",
        True,
        [Board(s, s, leaper=(1, 4)) for s in range(10, 31, 4)],
        True,
    )
    yield (
        "(2,3)-leaper 10..30 open",
        False,
        [Board(s, s, leaper=(2, 3)) for s in range(10, 31, 5)],
        True,
    )
    yield "tori 5..51 closed", True, [Board(s, s + 2, wrap="torus") for s in (5, 9, 20, 51)], True
    yield "xiangqi 0..8 pieces open", False, [position(s % 9, s) for s in range(20)], True
    yield "xiangqi 0..8 pieces closed", True, [position(s % 9, s) for s in range(20)], True


def refutations():
    """Yield classes of boards most of which have no tour."""
    raw = []
    for seed in range(20):
        source = random.Random(seed)
        side = source.choice([8, 12, 20])
        raw.append(
            Board(
                side, side, holes=[divmod(k, side) for k in source.sample(range(side * side), side)]
            )
        )
    yield "raw holes closed", True, raw, True
    yield "4 x n closed", True, [Board(4, n, wrap=None, holes=[]) for n in (6, 8, 10, 12)], True
    yield "rings 2 wide closed", True, [Board.ring(s, 2) for s in (8, 12, 20, 40)], True
    yield "crosses 2 wide open", False, [Board.cross(2, arm) for arm in (3, 4, 6)], True


def arcs_of(board, closed):
    """Return the number of vertices and the arcs of a cycle problem."""
    index = {square: k for k, square in enumerate(board.squares)}
    arcs = [(index[v], index[w]) for v in index for w in board.neighbours(v)]
    n = len(index)
    if not closed:
        arcs += [(n, v) for v in range(n)] + [(v, n) for v in range(n)]
        n += 1
    return n, arcs


def by_sat(n, arcs, seconds):
    """Successor variables; the cycles of each solution are cut off. True, False or None."""
    from pysat.solvers import Cadical153

    began = time.perf_counter()
    variable = {arc: k for k, arc in enumerate(arcs, 1)}
    sides = [[[] for _ in range(n)] for _ in range(2)]
    for arc, k in variable.items():
        sides[0][arc[0]].append(k)
        sides[1][arc[1]].append(k)
    with Cadical153() as solver:
        for choices in sides[0] + sides[1]:
            solver.add_clause(choices)
            for k, one in enumerate(choices):
                for other in choices[:k]:
                    solver.add_clause([-one, -other])
        while solver.solve():
            if time.perf_counter() - began > seconds:
                return None
            chosen = [arcs[k - 1] for k in solver.get_model() if k > 0]
            following = dict(chosen)
            left = set(range(n))
            cycles = []
            while left:
                cycle = [left.pop()]
                while following[cycle[-1]] in left:
                    cycle.append(following[cycle[-1]])
                    left.discard(cycle[-1])
                cycles.append(set(cycle))
            if len(cycles) == 1:
                return True
            for cycle in cycles:
                solver.add_clause(
                    [k for v in cycle for k in sides[0][v] if arcs[k - 1][1] not in cycle]
                )
    return False


def by_ortools(n, arcs, seconds):
    """CP-SAT with one circuit constraint, one worker."""
    from ortools.sat.python import cp_model

    del n
    model = cp_model.CpModel()
    model.add_circuit([(u, w, model.new_bool_var("")) for u, w in arcs])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    return False if status == cp_model.INFEASIBLE else None


def by_clingo(n, arcs, seconds):
    """One arc out, one arc in, and everything reached from vertex 0."""
    import clingo

    control = clingo.Control(["--warn=none"])
    facts = "".join(f"a({u},{w})." for u, w in arcs) + f"v(0..{n - 1})."
    rules = (
        "{c(U,W):a(U,W)}=1:-v(U). {c(U,W):a(U,W)}=1:-v(W).r(0). r(W):-r(U),c(U,W). :-v(V),not r(V)."
    )
    control.add("base", [], facts + rules)
    control.ground([("base", [])])
    with control.solve(async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
            return None
        return bool(handle.get().satisfiable)


def others():
    """Return the other solvers that are installed."""
    found = {}
    for name, module, solve in (
        ("sat", "pysat", by_sat),
        ("clingo", "clingo", by_clingo),
        ("ortools", "ortools", by_ortools),
    ):
        if importlib.util.find_spec(module) is not None:
            found[name] = solve
    return found


def ours(engine, board, closed, seconds):
    """Return our verdict, and the tour checked here by the board alone."""
    try:
        tour = shapes.find(engine, board, closed=closed, limits=Limits.of(None, seconds))
    except NoTourError:
        return False
    except SearchLimitError:
        return None
    return tour


def checked(tour, board, closed):
    """Raise when a tour is none."""
    squares = tour.tolist()
    assert len(set(squares)) == len(squares) == board.size
    assert all(there in board.neighbours(here) for here, there in pairwise(squares))
    assert not closed or squares[0] in board.neighbours(squares[-1])


def summary(verdicts, seconds):
    """Return counts, median and maximum of one class."""
    counts = "/".join(str(verdicts.count(verdict)) for verdict in (True, False, None))
    return f"{counts:>9} {statistics.median(seconds):9.5f} {max(seconds):9.5f}"


def compare(engine, rivals, chosen, seconds):
    """Time all solvers on the classes of boards."""
    for name, closed, boards, small in chosen:
        verdicts, times = [], []
        for board in boards:
            began = time.perf_counter()
            answer = ours(engine, board, closed, seconds)
            times.append(time.perf_counter() - began)
            if answer not in (None, False):
                checked(answer, board, closed)
                answer = True
            verdicts.append(answer)
        line = f"{name:32} {len(boards):3} {summary(verdicts, times)}"
        for rival, solve in rivals.items() if small else ():
            theirs, times = [], []
            for board, verdict in zip(boards[:4], verdicts, strict=False):
                n, arcs = arcs_of(board, closed)
                began = time.perf_counter()
                theirs.append(solve(n, arcs, seconds))
                times.append(time.perf_counter() - began)
                assert None in (theirs[-1], verdict) or theirs[-1] == verdict, (rival, board)
            line += f" | {rival} {summary(theirs, times)}"
        print(line, flush=True)


def puzzles(engine, seconds):
    """Time partial numberings with a share of the numbers given, uniqueness included."""
    for side, holes in ((5, 0), (6, 4), (8, 0), (8, 6), (10, 8), (14, 0), (20, 0)):
        for share in (0.05, 0.2, 0.35):
            verdicts, times = [], []
            for seed in range(6):
                board = holed(side, 100 * holes // side**2, seed) if holes else Board(side, side)
                try:
                    hidden = random_tour(board, seed=seed, backend=engine.name)
                except NoTourError:
                    continue
                source = random.Random(seed)
                grid = [[0] * side for _ in range(side)]
                for step in source.sample(range(board.size), max(1, round(share * board.size))):
                    row, col = hidden[step]
                    grid[row][col] = step + 1
                began = time.perf_counter()
                try:
                    answer = complete(
                        grid, board, unique=True, timeout=seconds, backend=engine.name
                    )
                    verdicts.append(answer.unique)
                except SearchLimitError:
                    verdicts.append(None)
                times.append(time.perf_counter() - began)
            name = f"puzzle {side}x{side} {holes} holes {share:.0%}"
            print(f"{name:32} {len(times):3} {summary(verdicts, times)}", flush=True)


def main():
    """Run everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="boards up to 100x100")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit for one board")
    parser.add_argument("--backend", choices=("core", "pure"))
    options = parser.parse_args()
    engine = get_engine(options.backend)
    rivals = others()
    print(f"engine {engine.name}; others: {', '.join(rivals) or 'none installed'}")
    print("class, boards, tour/none/gave up, median and slowest seconds")
    compare(engine, rivals, classes(options.quick), options.seconds)
    print("refutations")
    compare(engine, rivals, refutations(), options.seconds)
    print("partial numberings: the only completion/several/gave up")
    puzzles(engine, options.seconds)


if __name__ == "__main__":
    main()
