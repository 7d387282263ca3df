"""Tests of programs that the planner makes: all kinds of boards, both engines, every output."""

from __future__ import annotations

import random
from array import array

import pytest

from knighttour import _engine
from knighttour.program import Program

from .cells import codes_of, expand

construction = pytest.importorskip("knighttour.construction")

SIZES = [3, 4, 5, 6, 7, 8, 11, 13, 20, 37]


@pytest.mark.parametrize("rows", SIZES)
def test_planned_programs_equal_their_expansion(rows: int) -> None:
    generator = random.Random(rows)
    engine = _engine.get_engine().construction
    for cols in [5, 6, 7, 8, 10, 12, 31, 64, 101, 150]:
        try:
            elements, _ = construction.construct(
                rows, cols, closed=rows > 4 and rows * cols % 2 == 0, engine=engine
            )
        except ValueError:
            continue
        programs = [Program(elements, rows, cols), Program(elements, rows, cols, backend="pure")]
        assert programs[0]._steps().tables() == programs[1]._steps().tables()
        for program in programs:
            if generator.random() < 0.5:
                program = program.transformed("transpose")
            if program.closed:
                program = program.rotated(generator.randrange(len(program)))
            squares = expand(program.elements)
            assert len(set(squares)) == len(program) == rows * cols
            flat = [row * program.cols + col for row, col in squares]
            order, grid = array("i", [0]) * len(flat), array("i", [-1]) * len(flat)
            program.fill_order(order)
            program.fill_steps(grid, 0)
            assert order.tolist() == flat
            assert [grid[index] for index in flat] == list(range(len(flat)))
            assert b"".join(program.iter_codes()) == codes_of(squares, closing=False)
            for step in generator.sample(range(len(flat)), 10):
                assert program.square_at(step) == squares[step]
                assert program.step_of(*squares[step]) == step
            program.verify()
