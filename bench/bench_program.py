"""How fast a program expands: codes, flat indices, step grids, against a plain fill of the bytes."""

import sys
import time

import numpy as np

from knighttour import _construction
from knighttour.construction import construct
from knighttour.program import Program


def best(call, repeats):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def board(rows, cols, threads=(1, 2), closed=True):
    begin = time.perf_counter()
    elements, _ = construct(rows, cols, closed=closed, engine=_construction)
    planned = time.perf_counter()
    program = Program(elements, rows, cols)
    compiled = time.perf_counter()
    program.step_of(0, 0)
    table = time.perf_counter()
    squares = rows * cols
    program._step_table = None
    print(
        f"{rows} x {cols}: plan {1e3 * (planned - begin):.2f} ms, compile "
        f"{1e3 * (compiled - planned):.2f}, step tables {1e3 * (table - compiled):.2f} ms; "
        f"{[len(t) for t in program._tables[:3]]} {[len(t) for t in program._steps().tables()[1:]]}"
    )
    chunk = bytearray(1 << 18)

    def stream():
        for first in range(0, squares - 1, 1 << 18):
            program.codes_into(memoryview(chunk)[: min(1 << 18, squares - 1 - first)], first)

    def chunks():
        for _ in program.iter_moves():
            pass

    print(
        f"  codes {1e9 * best(stream, 3) / squares:.4f} ns, iter_moves {1e9 * best(chunks, 3) / squares:.4f}"
    )
    if squares > 2e8:
        return
    repeats = max(3, min(50, int(3e8 / squares)))
    for dtype in (np.int32, np.int64):
        if dtype == np.int64 and squares > 1e8:
            continue
        out = np.zeros(squares, dtype)
        fill = best(lambda: out.fill(7), repeats)
        line = f"  {dtype.__name__}: fill {1e9 * fill / squares:.3f}"
        for count in threads:
            order = best(lambda: program.fill_order(out, threads=count), repeats)
            steps = best(lambda: program.fill_steps(out, threads=count), repeats)
            line += (
                f" | {count} thr: order {1e9 * order / squares:.3f} ({order / fill:.2f}x)"
                f" steps {1e9 * steps / squares:.3f} ({steps / fill:.2f}x)"
            )
        print(line)


if __name__ == "__main__":
    for size in (
        sys.argv[1:]
        or [
            "1000x1000",
            "4000x4000",
            "10000x10000",
            "3x3333333",
            "4x2500000",
            "5x2000000",
            "6x1666666",
            "1666666x6",
            "100000x100",
            "100x100000",
            "31622x31622",
            "1000000000x1000000000",
        ][:-1]
    ):
        rows, cols = map(int, size.split("x"))
        board(rows, cols, closed=rows != 4 and rows * cols % 2 == 0)
