"""How fast is one search, kernel against kernel and call against call?

    python -m pytest bench/bench_search.py

Each group has the core and the pure engine side by side, measured in one run; the number in
brackets is the ratio to the faster one. `extra_info` has nanoseconds a square of the kernel.
"""

import math

import pytest

from knighttour import tour
from knighttour._engine import get_engine
from knighttour.errors import InvalidInputError
from knighttour.strategies import DEGREES, STRATEGIES, TIES
from knighttour.timing import ROWS

STARTS = 90  # of the xiangqi board


@pytest.fixture(params=["core", "pure"])
def backend(request):
    try:
        get_engine(request.param)
    except InvalidInputError:
        pytest.skip("this installation has no compiled core")
    return request.param


def course(core, rows=10, cols=9):
    rule = STRATEGIES["course"]
    order = bytes(step & 0xFF for move in rule.order for step in move)
    return core.WalledBoard(rows, cols, order, DEGREES.index(rule.degree), TIES.index(rule.tie))


@pytest.mark.benchmark(group="kernel: course from (0, 1) on 10x9, no way back needed")
def test_kernel_one_start(benchmark, backend):
    core = get_engine(backend).core
    template = course(core)

    def run():
        core.Search(template, 1, True, 0).run(-1, math.inf)

    benchmark.pedantic(run, rounds=40, iterations=2000 if backend == "core" else 20)
    benchmark.extra_info["ns a square"] = round(benchmark.stats.stats.min / STARTS * 1e9, 2)


@pytest.mark.benchmark(group="kernel: course from all 90 starts of 10x9")
def test_kernel_all_starts(benchmark, backend):
    core = get_engine(backend).core
    template = course(core)

    def run():
        for start in range(STARTS):
            core.Search(template, start, True, 0).run(-1, math.inf)

    benchmark.pedantic(run, rounds=40, iterations=20 if backend == "core" else 1)


@pytest.mark.benchmark(group="call: tour((0, 0))")
def test_one_call(benchmark, backend):
    benchmark.pedantic(
        lambda: tour((0, 0), backend=backend),
        rounds=40,
        iterations=1000 if backend == "core" else 20,
    )


@pytest.mark.parametrize("row", [row for row in ROWS if row != "one xiangqi tour"])
def test_calls(benchmark, backend, row):
    benchmark.group = f"calls: {row}"
    benchmark.pedantic(lambda: ROWS[row](backend), rounds=40, iterations=1)
