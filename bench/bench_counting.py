"""How long counts take, on both engines and against peers; and the table of counts of the docs.

    python bench/bench_counting.py                 the boards of the table below, core and pure
    python bench/bench_counting.py --peers         graphillion too, if it is installed
    python bench/bench_counting.py --tables        boards that are counted in tables of states: both
                                                   engines, and blocks where they can do it
    python bench/bench_counting.py --large         8x8 open, 8x10 closed as well: minutes
    python bench/bench_counting.py --table         docs/counts.md: all up to 8x8, and 3..7 x n
                                                   up to n = 30, with the sources; --large for 8x8
                                                   open as well
    ... --table --closed-from F --directed-from F  numbers that `knighttour count --board 7x7..30
                                                   [--closed]` printed are not counted again

Every number is compared with the published one before its time is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tomllib
from pathlib import Path
from time import perf_counter, process_time

from knighttour._engine import get_engine
from knighttour.board import Board, BoardLike
from knighttour.counting import count, count_lengths, count_plan
from knighttour.dense import Blueprint, Sweep
from knighttour.elimination import problem_of
from knighttour.limits import human_bytes
from knighttour.timing import human_time, machine

DATA = Path(__file__).parent.parent / "tests" / "data" / "counts.toml"

#: board, closed, whether pure Python does it in bearable time
ROWS = (
    ("5x5", False, True),
    ("5x6", True, True),
    ("6x6", True, True),
    ("6x6", False, False),
    ("6x8", True, False),
    ("7x8", True, False),
    ("7x7", False, False),
    ("8x8", True, False),
)
LARGE = (("8x10", True, False), ("8x8", False, False))

SEQUENCES = Path(__file__).parent.parent / "tests" / "data" / "sequences.toml"

#: Sequences that are published, by the narrow side; not all of their terms were at hand.
CLOSED_SEQUENCES = {3: "A070030", 5: "A175855", 6: "A175881", 7: "A193054", 8: "A193055"}
OPEN_SEQUENCES = {3: "A169696", 4: "A079137", 5: "A083386", 6: "A306281", 7: "A306283"}

LONGEST = 30


def known() -> dict[tuple[int, int, str], tuple[int, str]]:
    entries = tomllib.loads(DATA.read_text("utf-8"))["count"]
    return {
        (*entry["board"], kind): (entry[kind], entry["source"])
        for entry in entries
        for kind in ("closed", "directed")
        if kind in entry
    }


def time_of(board: BoardLike, closed: bool, backend: str, runs: int) -> tuple[float, float, int]:
    best, cpu = float("inf"), 0.0
    number = 0
    for _ in range(runs):
        began, used = perf_counter(), process_time()
        number = count(board, closed=closed, backend=backend)
        seconds = perf_counter() - began
        if seconds < best:
            best, cpu = seconds, process_time() - used
    return best, cpu, number


def one(board: str, closed: bool, backend: str) -> None:
    """Time one count in a process of its own, so that its memory is its own."""
    runs = 5 if count_plan(board, closed=closed).seconds < 0.5 and backend == "core" else 1
    seconds, cpu, number = time_of(board, closed, backend, runs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{number} {seconds} {cpu} {peak}")


def bench(rows: tuple[tuple[str, bool, bool], ...]) -> None:
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}; best wall time, its CPU time, peak memory")
    numbers = known()
    for board, closed, is_pure_too in rows:
        rows_, cols = map(int, board.split("x"))
        cells = []
        for backend in ("core", "pure") if is_pure_too else ("core",):
            words = [sys.executable, __file__, "--one", board, str(int(closed)), backend]
            out = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
            number, seconds, cpu, peak = int(out[0]), float(out[1]), float(out[2]), int(out[3])
            expected = numbers.get((rows_, cols, "closed" if closed else "directed"))
            assert expected is None or expected[0] == number, (board, closed, number)
            cells.append(
                f"{backend} {human_time(seconds)} (CPU {human_time(cpu)}, {human_bytes(peak)})"
            )
        kind = "closed" if closed else "open"
        print(f"{board:>5} {kind:<6} {number:>18}  {'; '.join(cells)}", flush=True)


def tables() -> None:
    """Time tables of states against pure Python, and against blocks that are nearly empty."""
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}; CPU time")
    core = get_engine("core")
    for board, is_pure_too in (
        (Board(3, 4, wrap="torus"), True),
        (Board(3, 5, wrap="torus"), True),
        (Board(4, 5, wrap="torus"), False),
        (Board(3, 7, wrap="torus"), False),
        (Board(8, 8, leaper=(2, 3)), False),
        (Board(6, 6, leaper=(2, 3), wrap="cols"), False),
    ):
        _, cpu, number = time_of(board, True, "core", 1)
        cells = [f"core {human_time(cpu)}"]
        if is_pure_too:
            _, cpu, same = time_of(board, True, "pure", 1)
            assert same == number
            cells.append(f"pure {human_time(cpu)}")
        if count_plan(board, closed=True).forecast is not None:
            problem = problem_of(board, None, None, True)
            assert problem is not None
            used = process_time()
            sweep = Sweep(Blueprint(problem, core.counting), 8, 0)
            while sweep.step():
                pass
            assert sweep.total == number
            cells.append(f"in blocks {human_time(process_time() - used)}")
        print(f"{board} closed {number:>12}  {'; '.join(cells)}", flush=True)


def peers() -> None:
    try:
        import graphillion
    except ImportError:
        print("graphillion is not installed (pip install graphillion)")
        return
    for size, cycles in (((5, 10), 13311268), ((6, 7), 1067638)):
        board = Board(*size)
        edges = [
            (square, other)
            for square in board.squares
            for other in board.neighbours(square)
            if square < other
        ]
        began = perf_counter()
        graphillion.GraphSet.set_universe(edges)
        number = graphillion.GraphSet.cycles(is_hamilton=True).len()
        assert number == cycles
        seconds = perf_counter() - began
        ours, _, _ = time_of(f"{size[0]}x{size[1]}", True, "core", 5)
        print(
            f"{board} closed: graphillion {human_time(seconds)}, knighttour {human_time(ours)}, "
            f"{seconds / ours:,.0f} times"
        )


def published() -> dict[tuple[int, int, str], list[tuple[int, str]]]:
    """Return the published numbers, each with its source, by board and kind."""
    numbers: dict[tuple[int, int, str], list[tuple[int, str]]] = {}
    for (m, n, kind), (number, source) in known().items():
        # A source of two kinds names that of closed tours first, or that of directed ones alone.
        if (m, n, "directed") in known() and (m, n, "closed") in known():
            parts = source.split("; ") if ";" in source else source.split(", ")
            if len(parts) == 1 and kind == "closed":
                continue
            source = parts[0 if kind == "closed" else -1]
            source = f"OEIS {source}" if source.startswith("A") else source
        if "computed" not in source:
            numbers.setdefault((m, n, kind), []).append((number, source))
    for entry in tomllib.loads(SEQUENCES.read_text("utf-8"))["sequence"]:
        first, step = entry["lengths"]
        for place, term in enumerate(entry["terms"]):
            m, n = sorted((entry["width"], first + step * place))
            kind = "directed" if entry["kind"] == "open" else entry["kind"]
            number = int(term) * (2 if entry["kind"] == "open" else 1)
            numbers.setdefault((m, n, kind), []).append((number, entry["name"]))
    return numbers


def said_of(m: int, n: int, kind: str, number: int, sources: list[tuple[int, str]]) -> str:
    """Return what is published about a number, after comparing it."""
    for expected, source in sources:
        assert expected == number, (m, n, kind, number, expected, source)
    if sources:
        return "equal to " + "; ".join(dict.fromkeys(source for _, source in sources))
    if number == 0 and kind == "closed":
        return "none: odd number of squares" if m * n % 2 else "none: Schwenk 1991"
    sequence = (CLOSED_SEQUENCES if kind == "closed" else OPEN_SEQUENCES).get(m)
    if sequence is not None:
        return f"sequence OEIS {sequence}, this term not compared"
    return "no published value known to us"


def read_counts(path: str | None) -> dict[tuple[int, int], int]:
    """Read the lines that `knighttour count` printed for a range of lengths."""
    counts = {}
    for line in Path(path).read_text("utf-8").splitlines() if path else ():
        size, number = line.split()
        rows, cols = map(int, size.split("x"))
        counts[rows, cols] = int(number)
    return counts


def table(large: bool, most: float, read: dict[str, dict[tuple[int, int], int]]) -> None:
    sources = published()
    left_out = []
    print("# How many knight's tours there are\n")
    print(
        "Made by `python bench/bench_counting.py --table`: for every width one call of "
        "`count_lengths`, closed and directed, and `count` for 8x8 (numbers that take minutes were "
        "printed by `knighttour count --board 7x7..30` beforehand and read with "
        "`--directed-from`). Closed tours count once "
        "each; directed ones are open tours in both directions, those that could be closed "
        "included. Rows and columns may be exchanged; boards of one or two rows have no tours, but "
        'for one open tour of 1x1. "Equal to" means compared when this table '
        "was made: with `tests/data/counts.toml` and `tests/data/sequences.toml`.\n"
    )
    print("| board | kind | tours | published |\n|---|---|---:|---|")
    for width in range(3, 8):
        counts = {}
        for kind in ("closed", "directed"):
            counts[kind] = {n: ways for (m, n), ways in read[kind].items() if m == width}
            if set(range(width, LONGEST + 1)) <= set(counts[kind]):
                continue
            if count_plan((LONGEST, width), closed=kind == "closed").seconds > most:
                left_out.append(f"{width}x{width} to {width}x{LONGEST}, {kind}")
            else:
                counts[kind] = count_lengths(
                    width, LONGEST, shortest=width, closed=kind == "closed"
                )
        for n in range(width, LONGEST + 1):
            for kind in ("closed", "directed"):
                if n not in counts[kind]:
                    continue
                number = counts[kind][n]
                said = said_of(width, n, kind, number, sources.get((width, n, kind), []))
                print(f"| {width}x{n} | {kind} | {number} | {said} |", flush=True)
    number = read["closed"].get((8, 8)) or count("8x8", closed=True)
    said = said_of(8, 8, "closed", number, sources[8, 8, "closed"])
    print(f"| 8x8 | closed | {number} | {said} |", flush=True)
    plan = count_plan("8x8")
    if (8, 8) in read["directed"] or (large and plan.width is not None):
        number = read["directed"].get((8, 8)) or count("8x8")
        said = said_of(8, 8, "directed", number, sources[8, 8, "directed"])
    else:
        number, said = sources[8, 8, "directed"][0]
        said += ": as published, not counted here"
    print(f"| 8x8 | directed | {number} | {said} |\n")
    assert plan.forecast is not None
    print(
        f"8x8 directed takes {human_bytes(plan.forecast.memory(8))} with values of 64 bits, or two "
        f"sweeps of {human_bytes(plan.forecast.memory(4))} with 32: `--table --large` counts it "
        "where that is free."
    )
    if left_out:
        print(
            f"\nNot counted, for they take longer than --seconds {most:g}: {'; '.join(left_out)}."
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--seconds", type=float, default=1000.0, help="of one width, with --table")
    parser.add_argument("--closed-from", metavar="FILE")
    parser.add_argument("--directed-from", metavar="FILE")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one[0], options.one[1] == "1", options.one[2])
    elif options.tables:
        tables()
    elif options.table:
        read = {
            "closed": read_counts(options.closed_from),
            "directed": read_counts(options.directed_from),
        }
        table(options.large, options.seconds, read)
    else:
        bench(ROWS + LARGE if options.large else ROWS)
        if options.peers:
            peers()


if __name__ == "__main__":
    main()
