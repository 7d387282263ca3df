"""Print nanoseconds a square of the search kernel, and the ratio of the engines, best of 40.

    python bench/kernel.py

For the ordinary build and, after KNIGHTTOUR_LIMITED_API=1 pip install ., for the abi3 build: the
file name of the core is printed with the figures.
"""

import math
from pathlib import Path

from bench_search import STARTS, course
from knighttour._engine import get_engine
from knighttour.timing import best_of, human_time, machine

ROUNDS = 1000


def search(core, template, start):
    core.Search(template, start, True, 0).run(-1, math.inf)


def main():
    print(machine())
    seconds = {}
    for backend in ("core", "pure"):
        core = get_engine(backend).core
        template = course(core)

        def one(core=core, template=template, rounds=ROUNDS if backend == "core" else 10):
            for _ in range(rounds):
                search(core, template, 1)

        def every(core=core, template=template):
            for start in range(STARTS):
                search(core, template, start)

        rounds = ROUNDS if backend == "core" else 10
        square = best_of(one, 40) / rounds / STARTS
        seconds[backend] = best_of(every, 40)
        print(f"{Path(core.__file__).name}: {square * 1e9:.2f} ns a square from (0, 1), ", end="")
        print(f"{human_time(seconds[backend])} for all {STARTS} starts")
    print(f"ratio for all {STARTS} starts: {seconds['pure'] / seconds['core']:.0f}")


if __name__ == "__main__":
    main()
