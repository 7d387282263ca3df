"""An independent checker of tours and an exhaustive search; no code of the package is in them."""

import itertools
from functools import cache


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


@cache
def masks_of(rows, cols):
    """Return for every flat index its neighbours as a bit mask."""
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    return tuple(
        sum(1 << k for k, other in enumerate(squares) if is_move(square, other))
        for square in squares
    )


@cache
def has_path(rows, cols, start, end):
    """Decide by exhaustive search; a branch ends where a square ahead has too few moves left."""
    if start > end:
        return has_path(rows, cols, end, start)
    masks = masks_of(rows, cols)

    def extend(head, free):
        # `free` holds the squares not yet visited, `end` among them.
        if free == 1 << end:
            return bool(masks[head] & free)
        here = free | (1 << head)
        rest = free
        while rest:
            low = rest & -rest
            rest ^= low
            square = low.bit_length() - 1
            exits = (masks[square] & here).bit_count()
            if exits < (1 if square == end else 2):
                return False
        choices = masks[head] & free & ~(1 << end)
        ordered = []
        while choices:
            low = choices & -choices
            choices ^= low
            square = low.bit_length() - 1
            ordered.append(((masks[square] & free).bit_count(), square))
        return any(extend(square, free ^ (1 << square)) for _, square in sorted(ordered))

    if rows * cols == 1:
        return True
    return start != end and extend(start, ((1 << rows * cols) - 1) ^ (1 << start))
