"""How fast are tours of irregular boards found, and refuted, against SAT, clingo and OR-Tools?

The boards are made here from seeds: squares from 8x8 to 500x500 with 0 to 20 % holes that leave the
colours balanced and every square at least two exits, leapers, tori, xiangqi positions, partial
numberings, and boards without a tour. Every tour of this package is checked by the board's own
`neighbours`; the others' verdicts are compared with ours. python-sat (CaDiCaL, cycles cut off as
they turn up; for numberings a variable for every square and step), clingo (reachability) and
OR-Tools (CP-SAT with one circuit, one worker) are used where they are installed
(``pip install python-sat clingo ortools``), on the first boards of a class, and no longer on larger
boards of a kind once they have answered none of a class.

    python bench/bench_shapes.py [--quick] [--seconds 10] [--minutes 15] [--backend core|pure]

It prints tables in Markdown. Times are CPU time, so that a busy machine matters little: median and
slowest of a class, for boards of up to 1,000 squares the best of three runs. An answer counts when
it took no more than `--seconds` of CPU time; four times as much may pass on the clock, for the
others twice, and they are not asked about a class again after the first board they miss. Their
columns: boards answered of those asked, their median, and how many times our median on the same
boards that is. After `--minutes` they are asked no more.
"""

import argparse
import importlib.util
import itertools
import multiprocessing
import os
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
    wanted = max(1, side * side * percent // 200) if percent else 0
    for colour, pool in enumerate(pools):
        source.shuffle(pool)
        for square in pool:
            if len(removed[colour]) == wanted:
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


def squares(sides):
    """Yield (name, kind, closed, boards, how many of them other solvers are asked)."""
    for side, number, asked in sides:
        for percent in (0, 1, 5, 10, 20):
            boards = [holed(side, percent, seed) for seed in range(number if percent else 1)]
            for closed in (True, False):
                what = "closed" if closed else "open"
                kind = f"{percent} % holes, {what}"
                some = asked if side < 100 or (closed and percent in (0, 10)) else 0
                yield f"{side}x{side}, {kind}", kind, closed, boards, some


def others_kinds():
    """Yield leapers, tori and xiangqi positions in the same way."""
    leapers = [Board(s, s, leaper=(1, 4)) for s in range(10, 31, 4)]
    yield "(1,4)-leaper, 10x10 to 30x30, closed", "1,4", True, leapers, 3
    leapers = [Board(s, s, leaper=(2, 3)) for s in range(10, 31, 5)]
    yield "(2,3)-leaper, 10x10 to 30x30, open", "2,3", False, leapers, 3
    tori = [Board(s, s + 2, wrap="torus") for s in (5, 9, 20, 51)]
    yield "tori 5x7 to 51x53, closed", "torus", True, tori, 3
    positions = [position(s % 9, s) for s in range(20)]
    yield "xiangqi, 0 to 8 pieces, open", "pieces", False, positions, 3
    yield "xiangqi, 0 to 8 pieces, closed", "pieces", True, positions, 3


def refutations():
    """Yield classes of boards most of which have no tour."""
    raw, balanced = [], []
    for seed in range(20):
        source = random.Random(seed)
        side = source.choice([8, 12, 20])
        cells = [divmod(k, side) for k in range(side * side)]
        raw.append(Board(side, side, holes=source.sample(cells, side)))
        holes = []
        for colour in (0, 1):
            half = [cell for cell in cells if sum(cell) % 2 == colour]
            holes += source.sample(half, side * side // 20)
        balanced.append(Board(side, side, holes=holes))
    yield "any holes, 8x8 to 20x20, closed", "raw", True, raw, 3
    yield "10 % holes, balanced colours, closed", "balanced", True, balanced, 3
    yield "10 % holes, balanced colours, open", "balanced open", False, balanced, 3
    strips = [Board(4, n) for n in (6, 8, 10, 12, 20, 40)]
    yield "4x6 to 4x40, closed", "strip", True, strips, 3
    rings = [Board.ring(s, 2) for s in (8, 12, 20, 40)]
    yield "square rings 2 wide, closed", "ring", True, rings, 3
    crosses = [Board.cross(2, arm) for arm in (3, 4, 6, 12)]
    yield "crosses 2 wide, open", "cross", False, crosses, 3
    leapers = [Board(s, s, leaper=(2, 3)) for s in (6, 7, 8, 11)]
    yield "(2,3)-leaper, 6x6 to 11x11, open", "leaper", False, leapers, 3
    yield (
        "xiangqi, 4 to 12 pieces, closed",
        "pieces",
        True,
        [position(4 + s % 9, 100 + s) for s in range(20)],
        3,
    )


def arcs_of(board, closed):
    """Return the number of vertices and the arcs of a cycle problem."""
    index = {square: k for k, square in enumerate(board.squares)}
    arcs = [(index[v], index[w]) for v in index for w in board.neighbours(v)]
    n = len(index)
    if not closed:
        arcs += [(n, v) for v in range(n)] + [(v, n) for v in range(n)]
        n += 1
    return n, arcs


def at_most_one(solver, choices, fresh):
    """Add clauses: pairs for a few, else a ladder of new variables (sequential counter)."""
    if len(choices) <= 6:
        for k, one in enumerate(choices):
            for other in choices[:k]:
                solver.add_clause([-one, -other])
        return
    before = None
    for one in choices:
        step = next(fresh)
        solver.add_clause([-one, step])
        if before is not None:
            solver.add_clause([-before, step])
            solver.add_clause([-before, -one])
        before = step


def by_sat(n, arcs, seconds):
    """A variable for every move; the cycles of each solution are cut off. True, False or None."""
    from pysat.solvers import Cadical153

    began = time.process_time()
    if all((w, u) in known for known in [set(arcs)] for u, w in arcs):
        return edges_by_sat(n, [(u, w) for u, w in arcs if u < w], seconds)
    variable = {arc: k for k, arc in enumerate(arcs, 1)}
    fresh = itertools.count(len(arcs) + 1)
    sides = [[[] for _ in range(n)] for _ in range(2)]
    for arc, k in variable.items():
        sides[0][arc[0]].append(k)
        sides[1][arc[1]].append(k)
    with Cadical153() as solver:
        for choices in sides[0] + sides[1]:
            solver.add_clause(choices)
            at_most_one(solver, choices, fresh)
        while solver.solve():
            if time.process_time() - began > seconds:
                return None
            chosen = [arcs[k - 1] for k in solver.get_model()[: len(arcs)] if k > 0]
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


def edges_by_sat(n, edges, seconds):
    """The same without directions: two edges at every vertex, and two that leave every cycle."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Cadical153

    began = time.process_time()
    at = [[] for _ in range(n)]
    for k, (u, w) in enumerate(edges, 1):
        at[u].append(k)
        at[w].append(k)
    top = len(edges)
    with Cadical153() as solver:
        for choices in at:
            if len(choices) < 2:
                return False
            if len(choices) <= 8:
                for k in range(len(choices)):
                    solver.add_clause(choices[:k] + choices[k + 1 :])
                for triple in itertools.combinations(choices, 3):
                    solver.add_clause([-k for k in triple])
            else:
                rule = CardEnc.equals(choices, 2, top_id=top, encoding=EncType.seqcounter)
                top = max(top, rule.nv)
                solver.append_formula(rule.clauses)
        while solver.solve():
            if time.process_time() - began > seconds:
                return None
            near = [[] for _ in range(n)]
            for k in solver.get_model()[: len(edges)]:
                if k > 0:
                    u, w = edges[k - 1]
                    near[u].append(w)
                    near[w].append(u)
            left = set(range(n))
            cycles = []
            while left:
                ahead = [left.pop()]
                cycle = set(ahead)
                while ahead:
                    for w in near[ahead.pop()]:
                        if w in left:
                            left.discard(w)
                            cycle.add(w)
                            ahead.append(w)
                cycles.append(cycle)
            if len(cycles) == 1:
                return True
            for cycle in cycles:
                leaving = {k for v in cycle for k in at[v]}
                inside = [k for k in leaving if all(v in cycle for v in edges[k - 1])]
                solver.add_clause(sorted(leaving.difference(inside)))
    return False


def numbers_by_sat(board, clues):
    """A variable for every square and step: True for one completion, False for several."""
    from pysat.solvers import Cadical153

    squares = list(board.squares)
    index = {square: k for k, square in enumerate(squares)}
    n = len(squares)
    fresh = itertools.count(n * n + 1)
    with Cadical153() as solver:
        for v in range(n):
            for chosen in ([v * n + t + 1 for t in range(n)], [t * n + v + 1 for t in range(n)]):
                solver.add_clause(chosen)
                at_most_one(solver, chosen, fresh)
            near = [index[square] for square in board.neighbours(squares[v])]
            for t in range(n):
                for other in (t - 1, t + 1):
                    if 0 <= other < n:
                        solver.add_clause([-(v * n + t + 1)] + [w * n + other + 1 for w in near])
        for step, square in clues.items():
            solver.add_clause([index[square] * n + step])
        if not solver.solve():
            return None
        found = [k for k in solver.get_model()[: n * n] if k > 0]
        solver.add_clause([-k for k in found])
        return not solver.solve()


def by_ortools(n, arcs, seconds):
    """CP-SAT with one circuit constraint, one worker."""
    from ortools.sat.python import cp_model

    del n
    model = cp_model.CpModel()
    model.add_circuit([(u, w, model.new_bool_var("")) for u, w in arcs])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 4 * seconds
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
        if not handle.wait(4 * seconds):
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
    """Return our answer, and the CPU seconds that it took."""
    times = []
    for _ in range(3 if board.size <= 1000 else 1):
        began = time.process_time()
        try:
            answer = shapes.find(engine, board, closed=closed, limits=Limits.of(None, 4 * seconds))
        except NoTourError:
            answer = False
        except SearchLimitError:
            answer = None
        times.append(time.process_time() - began)
        if answer is None or times[-1] > 0.1:
            break
    return (answer if min(times) <= seconds else None), min(times)


def checked(tour, board, closed):
    """Raise when a tour is none."""
    squares = tour.tolist()
    assert len(set(squares)) == len(squares) == board.size
    assert all(there in board.neighbours(here) for here, there in pairwise(squares))
    assert not closed or squares[0] in board.neighbours(squares[-1])


def shown(seconds):
    """Return a time in milliseconds or seconds."""
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def in_a_process(solve, question, seconds):
    """Return the answer of another solver and its CPU seconds; not all of them can be stopped."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)

    def work():
        began = time.process_time()
        answer = solve(*question, seconds)
        there.send((answer, time.process_time() - began))

    child = context.Process(target=work)
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(2 * seconds) else (None, seconds)
    except EOFError:  # out of memory, as a rule
        return None, seconds
    finally:
        child.kill()
        child.join()


class Rivals:
    """The other solvers: which there are, until when they are asked, and what they cannot do."""

    def __init__(self, names, minutes, seconds):
        self.names = names
        self.deadline = time.monotonic() + 60 * minutes
        self.seconds = seconds
        self.beaten = set()

    def cells(self, kind, questions, verdicts, ours):
        """Return a cell of the table for each solver; the verdicts must agree."""
        for name, solve in self.names.items():
            answers, times = [], []
            if (name, kind) not in self.beaten:
                for question, verdict in zip(questions, verdicts, strict=False):
                    if time.monotonic() > self.deadline:
                        break
                    answer, spent = in_a_process(solve, question, self.seconds)
                    times.append(spent)
                    answers.append(answer if spent <= self.seconds else None)
                    assert None in (answers[-1], verdict) or answers[-1] == verdict, name
                    if answers[-1] is None:
                        break
            if not answers:
                yield "-"
                continue
            done = [
                spent for spent, answer in zip(times, answers, strict=True) if answer is not None
            ]
            if not done:
                self.beaten.add((name, kind))
                yield f"0/{len(answers)}"
                continue
            median = statistics.median(times)
            ratio = median / max(1e-6, statistics.median(ours[: len(times)]))
            more = "> " if len(done) < len(times) else ""
            times_ours = f"{ratio:,.{1 if ratio < 10 else 0}f}x"
            yield f"{len(done)}/{len(answers)}, {more}{shown(median)}, {more}{times_ours}"


def compare(engine, rivals, chosen, seconds):
    """Time all solvers on the classes of boards."""
    for name, kind, closed, boards, asked in chosen:
        verdicts, times = [], []
        for board in boards:
            answer, spent = ours(engine, board, closed, seconds)
            times.append(spent)
            if answer not in (None, False):
                checked(answer, board, closed)
                answer = True
            verdicts.append(answer)
        questions = [arcs_of(board, closed) for board in boards[:asked]]
        cells = rivals.cells((kind, closed), questions, verdicts, times)
        row(name, verdicts, times, cells)


def row(name, verdicts, times, cells):
    """Print a row of the table."""
    counts = " / ".join(str(verdicts.count(verdict)) for verdict in (True, False, None))
    answered = sum(verdict is not None for verdict in verdicts) / len(verdicts)
    print(
        f"| {name} | {len(verdicts)} | {counts} | {answered:.0%} "
        f"| {shown(statistics.median(times))} | {shown(max(times))} | {' | '.join(cells)} |",
        flush=True,
    )


def heading(what, counts, names):
    """Print the head of a table."""
    columns = [what, "boards", counts, "answered", "median", "slowest", *names]
    print(f"\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def puzzles(engine, rivals, seconds, quick):
    """Time partial numberings with a share of the numbers given, uniqueness included."""
    sides = ((5, 0), (6, 4), (8, 0), (8, 6), (10, 8), (14, 0), (20, 0))
    for side, holes in sides[:4] if quick else sides:
        for share in (0.05, 0.2, 0.35):
            verdicts, times, questions = [], [], []
            for seed in range(5):
                board = holed(side, 100 * holes // side**2, seed) if holes else Board(side, side)
                try:
                    hidden = random_tour(board, seed=seed, backend=engine.name)
                except NoTourError:
                    continue
                source = random.Random(seed)
                steps = source.sample(range(board.size), max(1, round(share * board.size)))
                clues = {step + 1: hidden[step] for step in steps}
                grid = [[0] * side for _ in range(side)]
                for step, (y, x) in clues.items():
                    grid[y][x] = step
                questions.append((board, clues))
                began = time.process_time()
                try:
                    answer = complete(
                        grid, board, unique=True, timeout=4 * seconds, backend=engine.name
                    )
                    verdicts.append(answer.unique)
                except SearchLimitError:
                    verdicts.append(None)
                times.append(time.process_time() - began)
                if times[-1] > seconds:
                    verdicts[-1] = None
            name = f"{side}x{side}, {holes} holes, {share:.0%} of the numbers"
            cells = rivals.cells("numbers", questions[: 2 if side <= 8 else 0], verdicts, times)
            row(name, verdicts, times, cells)


def main():
    """Run everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="boards up to 100x100")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds for one board")
    parser.add_argument("--minutes", type=float, default=15.0, help="how long to ask the others")
    parser.add_argument("--backend", choices=("core", "pure"))
    options = parser.parse_args()
    engine = get_engine(options.backend)
    began = time.monotonic()
    found = others()
    load = "/".join(f"{load:.1f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "?"
    print(f"engine {engine.name}; others: {', '.join(found) or 'none installed'}; load {load}")
    shapes.find(engine, Board(9, 9, wrap="torus"), closed=True)  # what is done once only
    for solve in found.values():
        solve(*arcs_of(Board(6, 6), True), 1)
    rivals = Rivals(found, options.minutes, options.seconds)
    counts = "tour / none / gave up"
    heading("boards", counts, found)
    compare(engine, rivals, squares([(8, 20, 3), (20, 20, 3)]), options.seconds)
    compare(engine, rivals, others_kinds(), options.seconds)
    heading("refutations", counts, found)
    compare(engine, rivals, refutations(), options.seconds)
    heading("larger boards", counts, found)
    sides = [(50, 10, 1), (100, 5, 1)] + ([] if options.quick else [(200, 3, 0), (500, 1, 0)])
    compare(engine, rivals, squares(sides), options.seconds)
    numbers = (
        {
            "sat": lambda board, clues, _: numbers_by_sat(board, clues),
        }
        if "sat" in found
        else {}
    )
    heading("partial numberings", "only one / several / gave up", numbers)
    rivals.names = numbers
    rivals.deadline = max(rivals.deadline, time.monotonic() + 120)
    puzzles(engine, rivals, options.seconds, options.quick)
    load = "/".join(f"{load:.1f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "?"
    print(f"\n{(time.monotonic() - began) / 60:.1f} minutes; load {load}")


if __name__ == "__main__":
    main()
