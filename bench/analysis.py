"""How fast are checking and classifying?

    python bench/analysis.py                # a minute; needs 2 GiB of memory and 400 MB of disk
    python bench/analysis.py --side 3000    # a smaller file instead of 10^8 squares

Targets: checking and classifying a grid of 1000x1000 takes at most 2 s on the compiled engine, and
checking 10^8 squares from an ``.npy`` file at most 10 s. Each figure is the best of three in wall
time, the large file is read once warm; with it goes the speed of the same check in numpy.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from knighttour import check, classify, format_text, read, read_text, tour
from knighttour._engine import get_engine
from knighttour.errors import InvalidInputError
from knighttour.timing import human_time, machine


def best(work, times=3):
    """Return the shortest time of a call and its last result."""
    times_taken = []
    result = None
    for _ in range(times):
        begin = perf_counter()
        result = work()
        times_taken.append(perf_counter() - begin)
    return min(times_taken), result


def check_with_numpy(grid):
    """Check a grid of numbers from 1 on with numpy: what one would write by hand."""
    rows, cols = grid.shape
    order = np.full(rows * cols, -1, np.int64)
    order[grid.reshape(-1) - 1] = np.arange(rows * cols)
    assert (order >= 0).all()
    row, col = np.divmod(order, cols)
    return bool((np.diff(row) ** 2 + np.diff(col) ** 2 == 5).all())


def engines():
    """Return the names of the engines that are here."""
    names = []
    for name in ("core", "pure"):
        try:
            get_engine(name)
        except InvalidInputError:
            continue
        names.append(name)
    return names


def square_of(side):
    """Time what one does with a grid of side x side."""
    found = tour((0, 0), (side, side))
    grid = np.array(found.steps(1), dtype=np.int32).reshape(side, side)
    rows = grid.tolist()
    wrong = grid.copy()
    wrong[0, 0], wrong[0, 1] = wrong[0, 1], wrong[0, 0]
    for name in engines():
        seconds, checked = best(lambda name=name: check(grid, backend=name))
        print(f"check a {side}x{side} array         {name}  {human_time(seconds):>10}")
        listed, _ = best(lambda name=name: check(rows, backend=name))
        print(f"check a {side}x{side} list of lists {name}  {human_time(listed):>10}")
        described, _ = best(lambda checked=checked: classify(checked))
        print(f"classify it                   {name}  {human_time(described):>10}")
        total = listed + described
        verdict = "within" if total <= 2 else "OVER"
        print(f"  both: {human_time(total)}, {verdict} the target of 2 s")
    seconds, _ = best(lambda: check_with_numpy(grid))
    print(f"check it in numpy                   {human_time(seconds):>10}")
    for form in ("grid", "json", "names"):
        text = format_text(found, form)
        seconds, again = best(lambda text=text: read_text(text), 1)
        assert again == found
        print(f"read it as text, form {form:<6}        {human_time(seconds):>10}")


def large_file(side):
    """Time the check of a large file, and its rejection when two numbers are exchanged."""
    with tempfile.TemporaryDirectory() as folder:
        file = tour((0, 0), (side, side)).save(Path(folder) / "large.npy")
        seconds, _ = best(lambda: read(file), 2)
        squares = side * side
        print(
            f"check {squares:,} squares from .npy   {human_time(seconds)}, "
            f"{seconds / squares * 1e9:.1f} ns a square, "
            f"{'within' if seconds <= 10 else 'OVER'} the target of 10 s for 10^8"
        )
        grid = np.load(file, mmap_mode="r+")
        grid[5, 5], grid[5, 6] = grid[5, 6], grid[5, 5]
        grid[0, 0] = grid[0, 1]
        grid.flush()
        begin = perf_counter()
        try:
            read(file)
        except ValueError as error:
            print(
                f"find its faults after two changes: {human_time(perf_counter() - begin)}: {error}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=10_000, metavar="N", help="of the large file")
    options = parser.parse_args()
    print(machine())
    square_of(1000)
    large_file(options.side)


if __name__ == "__main__":
    sys.exit(main())
