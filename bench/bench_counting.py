"""How long counts take, on both engines and against peers; and the table of counts of the docs.

    python bench/bench_counting.py                 the boards of the table below, core and pure
    python bench/bench_counting.py --peers         graphillion too, if it is installed
    python bench/bench_counting.py --large         8x8 open, 8x10 closed as well: minutes
    python bench/bench_counting.py --table         docs/counts.md: every count of up to so many
                                                   --seconds each, with its source

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

from knighttour.counting import count, count_plan
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

#: Sequences whose further terms are published, by the narrow side.
CLOSED_SEQUENCES = {3: "A070030", 5: "A175855", 6: "A175881", 7: "A193054", 8: "A193055"}
DIRECTED_SEQUENCES = {3: "A118067", 4: "A079137", 5: "A083386"}


def known() -> dict[tuple[int, int, str], tuple[int, str]]:
    entries = tomllib.loads(DATA.read_text("utf-8"))["count"]
    return {
        (*entry["board"], kind): (entry[kind], entry["source"])
        for entry in entries
        for kind in ("closed", "directed")
        if kind in entry
    }


def time_of(board: str, closed: bool, backend: str, runs: int) -> tuple[float, float, int]:
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


def peers() -> None:
    try:
        import graphillion
    except ImportError:
        print("graphillion is not installed (pip install graphillion)")
        return
    from knighttour.board import Board

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


def table(most: float) -> None:
    boards = {(m, n) for m in range(3, 9) for n in range(m, 9)}
    boards |= {(m, n) for m in range(3, 8) for n in range(m, 31)}
    numbers = known()
    print("# How many knight's tours there are\n")
    print(
        "Made by `python bench/bench_counting.py --table --seconds "
        f"{most:g}`. Closed tours count once each; directed ones are open tours in both "
        "directions, those that could be closed included. Rows and columns may be exchanged. "
        '"Equal to" means compared when this table was made; a count that would have taken '
        "longer than the limit is left out.\n"
    )
    print("| board | kind | tours | published |\n|---|---|---:|---|")
    for m, n in sorted(boards):
        for kind in ("closed", "directed"):
            plan = count_plan((m, n), closed=kind == "closed")
            if plan.forecast is not None and (plan.width is None or plan.seconds > most):
                continue
            number = count((m, n), closed=kind == "closed")
            sequences = CLOSED_SEQUENCES if kind == "closed" else DIRECTED_SEQUENCES
            if (m, n, kind) in numbers:
                expected, source = numbers[m, n, kind]
                assert expected == number, (m, n, kind, number)
                said = source if source.startswith("computed by") else f"equal to {source}"
            elif number == 0 and plan.forecast is None:
                said = "none, by the colours or for want of moves"
            elif m in sequences:
                said = f"a term of OEIS {sequences[m]}, not compared"
            else:
                said = "no published value known to us"
            print(f"| {m}x{n} | {kind} | {number} | {said} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one[0], options.one[1] == "1", options.one[2])
    elif options.table:
        table(options.seconds)
    else:
        bench(ROWS + LARGE if options.large else ROWS)
        if options.peers:
            peers()


if __name__ == "__main__":
    main()
