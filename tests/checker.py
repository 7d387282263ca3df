"""An independent checker of tours: it shares no code with the package."""

import itertools


def is_move(first, second, leaper=(1, 2)):
    return sorted((abs(first[0] - second[0]), abs(first[1] - second[1]))) == sorted(leaper)


def check(squares, rows, cols, *, start=None, end=None, closed=False):
    """Assert that a list of squares is a tour of the board with everything that was asked for."""
    squares = [tuple(square) for square in squares]
    assert len(squares) == rows * cols
    assert set(squares) == {(row, col) for row in range(rows) for col in range(cols)}
    assert all(is_move(a, b) for a, b in itertools.pairwise(squares))
    if start is not None:
        assert squares[0] == tuple(start)
    if end is not None:
        assert squares[-1] == tuple(end)
    if closed:
        assert is_move(squares[-1], squares[0])
