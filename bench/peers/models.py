"""How each peer is asked: one class a peer, with a method for each kind of task that it can do.

The solvers know nothing of knights, so a model of the board is part of every call, as it is for
their users; imports are not. Models: a closed tour is a circuit (OR-Tools), a successor relation
with reachability (clingo), a 2-factor whose short cycles are forbidden as they appear (SAT), a
Hamiltonian cycle of a graph (graphillion), a tour of length 0 where moves cost 0 and all else 1
(elkai). An open tour is a circuit through one more vertex, the *apex*, between its ends.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from tasks import Square, Task

Number = int
Answer = Any


def apex_edges(task: Task, start: Square | None = None) -> tuple[int | None, list[int], list[int]]:
    """Return the apex and the squares that may come first and last; no apex for closed tours."""
    if task.closed:
        return None, [], []
    everything = list(range(len(task.squares)))
    start = start or task.start
    first = everything if start is None else [task.index[start]]
    last = everything if task.end is None else [task.index[task.end]]
    return len(task.squares), first, last


def walk(successor: dict[int, int], apex: int | None, task: Task) -> list[Square]:
    """Follow a circuit and leave the apex out."""
    tour, vertex = [], successor[apex] if apex is not None else 0
    for _ in task.squares:
        tour.append(task.squares[vertex])
        vertex = successor[vertex]
    return tour


def walk_edges(chosen: list[tuple[int, int]], apex: int | None, first: list[int], task: Task):
    """Follow a circuit of undirected edges, from a square that may come first."""
    beside = defaultdict(list)
    for one, other in chosen:
        beside[one].append(other)
        beside[other].append(one)
    before = apex
    vertex = 0 if apex is None else next(v for v in beside[apex] if v in set(first))
    if apex is None:
        before = beside[0][0]
    tour = []
    for _ in task.squares:
        tour.append(task.squares[vertex])
        one, other = beside[vertex]
        before, vertex = vertex, (other if one == before else one)
    return tour


class Knighttour:
    """This package; the answer of every call is a complete list of squares, as for all others."""

    licence = "MIT"
    note = "plans rectangles, searches other boards; proofs for rectangles are looked up theorems"
    backend = "core"

    def __init__(self):
        import knighttour

        self.package, self.version = knighttour, knighttour.__version__

    def board(self, task):
        return self.package.Board(task.rows, task.cols, holes=task.holes)

    def tour(self, task, start=None):
        found = self.package.tour(
            start or task.start,
            self.board(task),
            end=task.end,
            closed=task.closed,
            backend=self.backend,
        )
        return found.tolist()

    def none(self, task):
        try:
            return self.tour(task)
        except self.package.NoTourError:
            return None

    def count(self, task):
        return self.package.count(self.board(task), closed=task.closed, backend=self.backend)

    def list(self, task):
        found = self.package.tours(None, self.board(task), backend=self.backend)
        return [tour.tolist() for tour in found]


class KnighttourPure(Knighttour):
    note = "the same, in pure Python"
    backend = "pure"


class Plain:
    """What a first program does: depth first, in a fixed order. Our own code, for scale."""

    licence = "-"
    note = "depth-first search in a fixed order, 15 lines of our own, for scale"
    version = ""

    def walks(self, task, start) -> Iterator[list[int]]:
        neighbours, length = task.neighbours, len(task.squares)
        seen, path = [False] * length, [start]
        seen[start] = True
        stack = [iter(neighbours[start])]
        while stack:
            if len(path) == length and (not task.closed or path[0] in neighbours[path[-1]]):
                yield path
            for other in stack[-1]:
                if not seen[other]:
                    seen[other] = True
                    path.append(other)
                    stack.append(iter(self.ordered(neighbours[other], neighbours, seen)))
                    break
            else:
                stack.pop()
                seen[path.pop()] = False

    def ordered(self, others, neighbours, seen):
        """Return the ways on in the order in which they are tried."""
        del neighbours, seen  # what the subclass goes by
        return others

    def tour(self, task, start=None):
        start = task.index[start or task.start or (0, 0)]
        for path in self.walks(task, start):
            if task.end is None or task.squares[path[-1]] == task.end:
                return [task.squares[vertex] for vertex in path]
        return None

    none = tour

    def list(self, task):
        return [
            [task.squares[vertex] for vertex in path]
            for start in range(len(task.squares))
            for path in self.walks(task, start)
        ]

    def count(self, task):
        return sum(1 for _ in self.walks(task, 0)) // 2


class Warnsdorff(Plain):
    """The same with Warnsdorff's order: fewest ways on first, ties as they come."""

    note = "the same with Warnsdorff's rule and stepping back, our own, for scale"

    def ordered(self, others, neighbours, seen):
        free = [other for other in others if not seen[other]]
        return sorted(free, key=lambda o: sum(not seen[after] for after in neighbours[o]))

    list = count = None


class Greedy(Warnsdorff):
    """Warnsdorff's rule as it is often published: no step back, so it may just fail."""

    note = "Warnsdorff's rule without stepping back, our own, for scale"
    none = None

    def tour(self, task, start=None):
        if task.closed or task.end:
            raise NotImplementedError
        vertex = task.index[start or task.start]
        seen, path = [False] * len(task.squares), [vertex]
        seen[vertex] = True
        while ways := self.ordered(task.neighbours[vertex], task.neighbours, seen):
            vertex = ways[0]
            seen[vertex] = True
            path.append(vertex)
        return [task.squares[vertex] for vertex in path] if all(seen) else None


class Lucasmcgregor:
    """PyPI's package for knight's tours before this one: depth first, finds all, prints them."""

    licence = "MIT"
    note = "depth-first search over all tours; square boards; open tours only"

    def __init__(self):
        from importlib.metadata import version

        from lucasmcgregor.knightstour import Knightstour, TourReporter

        self.module, self.reporter = Knightstour, TourReporter.TourReporter
        self.version = version("lucasmcgregor-knightstour")

    def search(self, task, run, limit=None):
        found = []

        class Collect(self.reporter):
            """Keep the tours instead of printing them, and stop when there are enough."""

            def __init__(self):
                super().__init__(logging=False)

            def increment_moves(self):
                self._moves += 1  # without a line of print every 100,000

            def report_tour(self, grid):
                order = {step: (x, y) for x, row in enumerate(grid) for y, step in enumerate(row)}
                found.append([order[step + 1] for step in range(len(order))])
                if len(found) == limit:
                    raise StopIteration

        board = self.module.Chessboard(task.rows, task.cols, Collect())
        with contextlib.suppress(StopIteration):
            run(board)
        return found

    def tour(self, task, start=None):
        if task.closed or task.end or task.holes:
            raise NotImplementedError
        found = self.search(task, lambda b: b.solve_tour(start or task.start, 1), 1)
        return found[0] if found else None

    def list(self, task):
        return self.search(task, lambda board: board.solve_board())


class Networkx:
    """A graph library without a Hamiltonian search: all simple paths, and those long enough."""

    licence = "BSD-3-Clause"
    note = "no Hamiltonian search; all simple paths are tried until one is long enough"

    def __init__(self):
        import networkx

        self.networkx, self.version = networkx, networkx.__version__

    def paths(self, task, start, end=None):
        graph = self.networkx.Graph(task.edges)
        ends = [end] if end is not None else [v for v in graph if v != start]
        for path in self.networkx.all_simple_paths(graph, start, ends):
            if len(path) == len(task.squares):
                yield [task.squares[vertex] for vertex in path]

    def tour(self, task, start=None):
        if task.closed:
            raise NotImplementedError
        end = None if task.end is None else task.index[task.end]
        return next(self.paths(task, task.index[start or task.start], end), None)

    def list(self, task):
        return [p for start in range(len(task.squares)) for p in self.paths(task, start)]


class Ortools:
    licence = "Apache-2.0"
    note = "CP-SAT with one circuit constraint, one worker"

    def __init__(self):
        import ortools
        from ortools.sat.python import cp_model

        self.cp_model, self.version = cp_model, ortools.__version__

    def build(self, task, start=None):
        model = self.cp_model.CpModel()
        apex, first, last = apex_edges(task, start)
        pairs = [(v, w) for v, others in enumerate(task.neighbours) for w in others]
        pairs += [(apex, v) for v in first] + [(v, apex) for v in last]
        arcs = {pair: model.new_bool_var("") for pair in pairs}
        model.add_circuit([(v, w, literal) for (v, w), literal in arcs.items()])
        solver = self.cp_model.CpSolver()
        solver.parameters.num_workers = 1
        return model, solver, arcs, apex

    def tour(self, task, start=None):
        model, solver, arcs, apex = self.build(task, start)
        status = solver.solve(model)
        if status == self.cp_model.INFEASIBLE:
            return None
        successor = {v: w for (v, w), literal in arcs.items() if solver.boolean_value(literal)}
        return walk(successor, apex, task)

    none = tour

    def every(self, task, visit):
        model, solver, arcs, apex = self.build(task)
        solver.parameters.enumerate_all_solutions = True

        class Callback(self.cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self):
                visit(self, arcs, apex)

        assert solver.solve(model, Callback()) == self.cp_model.OPTIMAL

    def count(self, task):
        found = itertools.count()
        self.every(task, lambda *_: next(found))
        return next(found) // 2

    def list(self, task):
        found = []

        def visit(solution, arcs, apex):
            chosen = {v: w for (v, w), literal in arcs.items() if solution.boolean_value(literal)}
            found.append(walk(chosen, apex, task))

        self.every(task, visit)
        return found


class Clingo:
    licence = "MIT"
    note = "answer set programming: a successor for each square, all reachable; grounding included"

    program = """
        { next(V, W) : move(V, W) } = 1 :- vertex(V).
        :- vertex(W), { next(V, W) : move(V, W) } != 1.
        reached(V) :- from(V).
        reached(W) :- reached(V), next(V, W).
        :- vertex(V), not reached(V).
        #show next/2.
    """

    def __init__(self):
        import clingo

        self.clingo, self.version = clingo, clingo.__version__

    def build(self, task, start=None, models=1):
        apex, first, last = apex_edges(task, start)
        pairs = [(v, w) for v, others in enumerate(task.neighbours) for w in others]
        pairs += [(apex, v) for v in first] + [(v, apex) for v in last]
        vertices = len(task.squares) + (apex is not None)
        facts = f"vertex(0..{vertices - 1}). from({0 if apex is None else apex})."
        facts += "".join(f"move({v},{w})." for v, w in pairs)
        control = self.clingo.Control([str(models), "--warn=none"])
        control.add("base", [], self.program + facts)
        control.ground([("base", [])])
        return control, apex

    def read(self, model, apex, task):
        chosen = (atom.arguments for atom in model.symbols(shown=True))
        return walk({one.number: other.number for one, other in chosen}, apex, task)

    def tour(self, task, start=None):
        control, apex = self.build(task, start)
        with control.solve(yield_=True) as handle:
            for model in handle:
                return self.read(model, apex, task)
        return None

    none = tour

    def count(self, task):
        control, _ = self.build(task, models=0)
        control.solve()
        return int(control.statistics["summary"]["models"]["enumerated"]) // 2

    def list(self, task):
        control, apex = self.build(task, models=0)
        with control.solve(yield_=True) as handle:
            return [self.read(model, apex, task) for model in handle]


class Sat:
    """A 2-factor by SAT; every cycle that is too short is forbidden, and the solver goes on."""

    def edges(self, task, start=None):
        apex, first, last = apex_edges(task, start)
        if apex is not None and len(first) > 1 < len(last):
            return apex, first, [*task.edges, *((v, apex) for v in range(apex))]
        ends = [(v, apex) for v in first] + [(v, apex) for v in last if v not in first]
        return apex, first, [*task.edges, *ends]

    def clauses(self, task, start=None):
        apex, first, edges = self.edges(task, start)
        at = defaultdict(list)
        for variable, edge in enumerate(edges, start=1):
            for vertex in edge:
                at[vertex].append(variable)
        fresh = itertools.count(len(edges) + 1)
        for vertex, variables in at.items():
            if apex is not None and vertex == apex and len(first) == 1:
                # The start is one end; exactly one of the others is the other end.
                yield [variables[0]]
                yield variables[1:]
                yield from at_most_one(variables[1:], fresh)
            elif len(variables) <= 10:
                yield from ([-v for v in three] for three in itertools.combinations(variables, 3))
                for left_out in variables:
                    yield [v for v in variables if v != left_out]
            else:
                yield from exactly_two(variables, fresh)

    def cuts(self, chosen, edges, vertices):
        """Return clauses that each need an edge out of one of the components, None if it is one."""
        component = list(range(vertices))

        def find(vertex):
            while component[vertex] != vertex:
                component[vertex] = component[component[vertex]]
                vertex = component[vertex]
            return vertex

        for one, other in chosen:
            component[find(one)] = find(other)
        of = [find(vertex) for vertex in range(vertices)]
        if len(set(of)) == 1:
            return None
        leaving = defaultdict(list)
        for variable, (one, other) in enumerate(edges, start=1):
            if of[one] != of[other]:
                leaving[of[one]].append(variable)
                leaving[of[other]].append(variable)
        return [leaving.get(name, []) for name in set(of)]

    def models(self, task, start=None) -> Iterator[list[tuple[int, int]]]:
        apex, _, edges = self.edges(task, start)
        add, solve = self.solver(list(self.clauses(task, start)))
        vertices = len(task.squares) + (apex is not None)
        while (model := solve()) is not None:
            variables = [variable for variable in model[: len(edges)] if variable > 0]
            chosen = [edges[variable - 1] for variable in variables]
            cuts = self.cuts(chosen, edges, vertices)
            if cuts is None:
                yield chosen
                cuts = [[-variable for variable in variables]]
            for cut in cuts:
                add(cut)

    def tour(self, task, start=None):
        apex, first, _ = self.edges(task, start)
        for chosen in self.models(task, start):
            return walk_edges(chosen, apex, first, task)
        return None

    none = tour

    def count(self, task):
        return sum(1 for _ in self.models(task))

    def list(self, task):
        apex, first, _ = self.edges(task)
        found = [walk_edges(chosen, apex, first, task) for chosen in self.models(task)]
        return found + [tour[::-1] for tour in found]


def at_most_one(variables: list[int], fresh: Iterator[int]) -> Iterator[list[int]]:
    """A ladder: "one of the first so many is true"."""
    before = None
    for variable in variables:
        now = next(fresh)
        yield [-variable, now]
        if before is not None:
            yield [-before, now]
            yield [-before, -variable]
        before = now


def exactly_two(variables: list[int], fresh: Iterator[int]) -> Iterator[list[int]]:
    """A counter with two rungs: "at least one" and "at least two of the first so many"."""
    one = two = None
    for variable in variables:
        now_one, now_two = next(fresh), next(fresh)
        yield [-variable, now_one]
        yield [-now_one, variable] if one is None else [-now_one, variable, one]
        if one is None:
            yield [-now_two]
        else:
            yield [-one, now_one]
            yield [-one, -variable, now_two]
            yield [-two, now_two]
            yield [-two, -variable]
            yield [-now_two, two, one]
            yield [-now_two, two, variable]
        one, two = now_one, now_two
    yield [two]


class Pysat(Sat):
    licence = "MIT"
    note = "CaDiCaL 1.9.5, incremental: 2-factor, short cycles forbidden as they appear"

    def __init__(self):
        from importlib.metadata import version

        from pysat.solvers import Solver

        self.Solver, self.version = Solver, version("python-sat")

    def solver(self, clauses) -> tuple[Callable[..., Any], Callable[[], list[int] | None]]:
        solver = self.Solver("cadical195", bootstrap_with=clauses)
        return solver.add_clause, lambda: solver.get_model() if solver.solve() else None


class Pycosat(Sat):
    licence = "MIT"
    note = "PicoSAT: the same model, begun anew for every cut"

    def __init__(self):
        import pycosat

        self.pycosat, self.version = pycosat, pycosat.__version__

    def solver(self, clauses):
        def solve():
            model = self.pycosat.solve(clauses)
            return None if model == "UNSAT" else model

        return clauses.append, solve


class Elkai:
    licence = "non-commercial (LKH)"
    note = "LKH, a heuristic for the travelling salesman: it proves nothing"

    def __init__(self):
        from importlib.metadata import version

        import elkai

        self.elkai, self.version = elkai, version("elkai")

    def tour(self, task, start=None):
        apex, first, last = apex_edges(task, start)
        size = len(task.squares) + (apex is not None)
        costs = [[1] * size for _ in range(size)]
        for vertex, others in enumerate(task.neighbours):
            for other in others:
                costs[vertex][other] = 0
        for vertex in first:
            costs[apex][vertex] = 0
        for vertex in last:
            costs[vertex][apex] = 0
        # One run, and ten only if it was not enough.
        for runs in (1, 10):
            order = self.elkai.DistanceMatrix(costs).solve_tsp(runs=runs)[:-1]
            steps = zip(order, order[1:] + order[:1], strict=True)
            if not any(costs[one][other] for one, other in steps):
                at = 0 if apex is None else order.index(apex)
                turned = order[at:] + order[:at]
                return [task.squares[v] for v in turned[apex is not None :]]
        return None


class Graphillion:
    licence = "MIT"
    note = "zero-suppressed decision diagrams: the set of all Hamiltonian cycles or paths"

    def __init__(self):
        from importlib.metadata import version

        import graphillion

        self.GraphSet, self.version = graphillion.GraphSet, version("graphillion")

    def build(self, task, start=None):
        apex, first, last = apex_edges(task, start)
        # Its vertices are numbers from 1; edges are taken as they come, column by column of the
        # longer side, which keeps the frontier narrow.
        columns = sorted(
            range(len(task.squares)),
            key=lambda v: task.squares[v][:: 1 if task.rows > task.cols else -1],
        )
        place = {vertex: number for number, vertex in enumerate(columns, start=1)}
        edges = sorted(tuple(sorted((place[v], place[w]))) for v, w in task.edges)
        self.names = {number: vertex for vertex, number in place.items()}
        if apex is None:
            self.GraphSet.set_universe(edges, traversal="as-is")
            return self.GraphSet.cycles(is_hamilton=True)
        if len(first) == 1 == len(last):
            self.GraphSet.set_universe(edges, traversal="as-is")
            return self.GraphSet.paths(place[first[0]], place[last[0]], is_hamilton=True)
        ends = sorted({place[v] for v in [*first, *last]})
        self.names[0] = apex
        edges = sorted(edges + [(0, number) for number in ends], key=lambda e: (max(e), min(e)))
        self.GraphSet.set_universe(edges, traversal="as-is")
        found = self.GraphSet.cycles(is_hamilton=True)
        return found.including((0, place[first[0]])) if len(first) == 1 else found

    def read(self, edges, task, start=None):
        apex, first, last = apex_edges(task, start)
        chosen = [(self.names[v], self.names[w]) for v, w in edges]
        if len(first) == 1 == len(last):
            chosen += [(apex, first[0]), (last[0], apex)]
        return walk_edges(chosen, apex, first, task)

    def tour(self, task, start=None):
        found = self.build(task, start)
        return self.read(next(iter(found)), task, start) if found else None

    none = tour

    def count(self, task):
        return self.build(task).len()

    def list(self, task):
        found = [self.read(edges, task) for edges in self.build(task)]
        return found + [tour[::-1] for tour in found]


PEERS: dict[str, type] = {
    "knighttour": Knighttour,
    "knighttour, pure": KnighttourPure,
    "clingo": Clingo,
    "python-sat": Pysat,
    "pycosat": Pycosat,
    "ortools": Ortools,
    "graphillion": Graphillion,
    "elkai": Elkai,
    "networkx": Networkx,
    "lucasmcgregor-knightstour": Lucasmcgregor,
    "depth first": Plain,
    "Warnsdorff": Warnsdorff,
    "Warnsdorff, no way back": Greedy,
}

sys.setrecursionlimit(100_000)
