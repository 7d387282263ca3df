"""How fast is the construction: planning, random access, and every expansion against a plain fill?

    python bench/construction.py            # about two minutes
    python bench/construction.py 40000x200  # boards of your choice

All figures of a line come from one run, best of several; ratios are to `numpy.ndarray.fill` of the
same bytes in the same run. Peak memory is that of a process of its own.
"""

import random
import subprocess
import sys
from time import perf_counter, thread_time

import numpy as np

from knighttour import tour
from knighttour.timing import best_of, human_time, machine

BOARDS = [
    "1000x1000", "4000x4000", "10000x10000",
    "3x3333333", "4x2500000", "5x2000000", "6x1666666", "3333x3001",
]  # fmt: skip
STREAMS = ["31622x31622", "1000000x1000", "3x333333333", "5x200000000"]
CHUNK = 1 << 18


def closable(rows, cols):
    return rows * cols % 2 == 0 and min(rows, cols) != 4


def planning(count=2000, backend="core"):
    """Time tour() with random ends on random boards up to 10^9 x 10^9, cold and warm alike."""
    generator = random.Random(1)
    times = []
    for _ in range(count):
        rows = generator.choice([3, 4, 5, 6, 7, int(10 ** generator.uniform(0.8, 9))])
        cols = max(int(10 ** generator.uniform(1.2, 9)), 12)
        if generator.random() < 0.5:
            rows, cols = cols, rows
        start = (generator.randrange(rows), generator.randrange(cols))
        end = (generator.randrange(rows), generator.randrange(cols))
        # CPU time: a shared machine's pauses are not ours.
        began = thread_time()
        try:
            tour(start, (rows, cols), end=end, seed=generator.randrange(1000), backend=backend)
        except Exception as error:  # refused: that is an answer too
            if type(error).__name__ != "NoTourError":
                raise
            continue
        times.append((thread_time() - began, (rows, cols, start, end)))
    times.sort()
    middle, last = times[len(times) // 2][0], times[-1]
    print(
        f"planning on the {backend} engine, {len(times)} boards: median {human_time(middle)}, "
        f"99 % {human_time(times[len(times) * 99 // 100][0])}, worst {human_time(last[0])}, "
        f"CPU time; the worst was {last[1]}"
    )


def random_access():
    found = tour(board="1000000000x1000000000", closed=True)
    generator = random.Random(2)
    steps = [generator.randrange(10**18) for _ in range(1000)]
    squares = [found[step] for step in steps]
    found.index(squares[0])
    at = best_of(lambda: [found[step] for step in steps], 20) / 1000
    index = best_of(lambda: [found.index(square) for square in squares], 20) / 1000
    print(f"10^9 x 10^9: t[k] {human_time(at)}, t.index(square) {human_time(index)}")


def stream(board):
    rows, cols = map(int, board.split("x"))
    found = tour(board=board, closed=closable(rows, cols))

    def walk():
        for _ in found.iter_moves(CHUNK):
            pass

    seconds = min(once(walk) for _ in range(3))
    print(f"{board}: direction codes {seconds / found.board.size * 1e9:.4f} ns a square")


def once(call):
    began = perf_counter()
    call()
    return perf_counter() - began


def expand(board):
    rows, cols = map(int, board.split("x"))
    found = tour(board=board, closed=closable(rows, cols))
    squares = rows * cols
    runs = max(3, min(50, int(3e8 / squares)))
    line = f"{board}:"
    for dtype in (np.int32, np.int64) if squares <= 10**7 else (np.int32,):
        out = np.zeros((rows, cols), dtype)

        def fill(out=out):
            out.fill(7)

        def steps(out=out):
            found.fill(out)

        steps()
        # In turn, so that both see the same machine.
        pairs = [(once(fill), once(steps)) for _ in range(runs)]
        plain, grid = (min(times) for times in zip(*pairs, strict=True))
        line += (
            f" {np.dtype(dtype).name} steps {human_time(grid)} = {grid / squares * 1e9:.3f} ns a "
            f"square, {grid / plain:.2f} times a fill;"
        )
    order = min(once(found.order) for _ in range(runs))
    print(f"{line} new order() {order / squares * 1e9:.3f} ns a square")


PEAK = """
import re, numpy as np
from pathlib import Path
from knighttour import tour

def peak():  # in KiB, of this program alone (Linux)
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

found = tour(board="10000x10000", closed=True); found.index((0, 0))
before = peak()
out = np.empty((10000, 10000), np.int32); found.fill(out)
after = peak()
print(f"10000x10000 int32: peak memory grows by {(after - before) / 1024:.1f} MiB, "
      f"of which the array takes {out.nbytes / 2**20:.1f}")
"""


def main():
    print(machine())
    if len(sys.argv) > 1:
        for board in sys.argv[1:]:
            expand(board)
        return
    planning()
    planning(200, "pure")
    random_access()
    for board in STREAMS:
        stream(board)
    for board in BOARDS:
        expand(board)
    subprocess.run([sys.executable, "-c", PEAK], check=True)


if __name__ == "__main__":
    main()
