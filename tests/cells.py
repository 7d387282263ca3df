"""True knight programs for the tests: closed tours of 6m x 6n boards, one 6 x 6 cell at a time.

A cell is joined to a path by exchanging a move of the path for two moves into and out of it; a
chain of cells is a repeat outwards, a last cell, and a repeat back. A column of strips is the same
with a strip (a cell and its chain to the right) in place of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator

from knighttour.board import KNIGHT_MOVES as MOVES
from knighttour.program import Element, Lit, Rep

Square = tuple[int, int]

_CYCLE = "213456160214356130765202436570254177"


def expand(elements: tuple[Element, ...] | list[Element]) -> list[Square]:
    """Return all squares of a program, by the definition of its elements."""
    squares: list[Square] = []
    for element in elements:
        if isinstance(element, Lit):
            squares += element.squares
        else:
            copy = expand(element.elements)
            for number in range(element.count):
                drow, dcol = number * element.shift[0], number * element.shift[1]
                squares += [(row + drow, col + dcol) for row, col in copy]
    return squares


def codes_of(squares: list[Square], *, closing: bool) -> bytes:
    """Return the direction codes between squares, by definition."""
    targets = squares[1:] + (squares[:1] if closing else [])
    return bytes(
        MOVES.index((target[0] - source[0], target[1] - source[1]))
        for source, target in zip(squares, targets, strict=False)
    )


def _cell(row: int, col: int) -> list[Square]:
    """Return the closed tour of a 6 x 6 cell."""
    squares = []
    for code in _CYCLE:
        squares.append((row, col))
        row, col = row + MOVES[int(code)][0], col + MOVES[int(code)][1]
    return squares


def _joins(one: Square, other: Square) -> bool:
    return (other[0] - one[0], other[1] - one[1]) in MOVES


def _moved(squares: list[Square], drow: int, dcol: int) -> list[Square]:
    return [(row + drow, col + dcol) for row, col in squares]


def _routes(cycle: list[Square], one: Square, other: Square) -> Iterator[list[Square]]:
    """Yield the ways to list a cycle from a neighbour of one square to one of another."""
    for listing in (cycle, cycle[::-1]):
        for index in range(len(listing)):
            route = listing[index:] + listing[:index]
            if _joins(one, route[0]) and _joins(route[-1], other):
                yield route


def _chain(
    route: list[Square], disp: Square, count: int, arm: tuple[list[Square], int] | None
) -> list[Element] | None:
    """Return a chain of equal cells, each with an arm to the right, or None."""
    drow, dcol = disp
    for index in range(len(route) - 1):
        if count > 1 and not (
            _joins(route[index], (route[0][0] + drow, route[0][1] + dcol))
            and _joins((route[-1][0] + drow, route[-1][1] + dcol), route[index + 1])
        ):
            continue
        heads: list[Element] = [Lit(tuple(route[: index + 1]))]
        tails: list[Element] = [Lit(tuple(route[index + 1 :]))]
        if arm is not None:
            hung = hang(heads, *arm, (0, 6))
            if hung is not None:
                heads = hung
            else:
                hung = hang(tails, *arm, (0, 6))
                if hung is None:
                    continue
                tails = hung
        if count == 1:
            return heads + tails
        last = _shift(heads + tails, (count - 1) * drow, (count - 1) * dcol)
        back = _shift(tails, (count - 2) * drow, (count - 2) * dcol)
        return [
            Rep(tuple(heads), count - 1, disp),
            *last,
            Rep(tuple(back), count - 1, (-drow, -dcol)),
        ]
    return None


def _shift(elements: list[Element], drow: int, dcol: int) -> list[Element]:
    return [
        Lit(tuple(_moved(list(element.squares), drow, dcol)))
        if isinstance(element, Lit)
        else Rep(tuple(_shift(list(element.elements), drow, dcol)), element.count, element.shift)
        for element in elements
    ]


def hang(
    path: list[Element],
    cycle: list[Square],
    count: int,
    disp: Square,
    arm: tuple[list[Square], int] | None = None,
) -> list[Element] | None:
    """Return the path with a chain of cells hung on one of its moves, or None."""
    for place, element in enumerate(path):
        if not isinstance(element, Lit):
            continue
        squares = element.squares
        for index in range(len(squares) - 1):
            for route in _routes(cycle, squares[index], squares[index + 1]):
                chain = _chain(route, disp, count, arm)
                if chain is not None:
                    return [
                        *path[:place],
                        Lit(squares[: index + 1]),
                        *chain,
                        Lit(squares[index + 1 :]),
                        *path[place + 1 :],
                    ]
    return None


def closed_tour(bands: int, cells: int) -> list[Element]:
    """Return a closed tour of the board of 6 bands x 6 cells squares, from (0, 0)."""
    path: list[Element] | None = [Lit(tuple(_cell(0, 0)))]
    if cells > 1:
        path = hang(path or [], _cell(0, 6), cells - 1, (0, 6))
    if bands > 1 and path is not None:
        arm = (_cell(6, 6), cells - 1) if cells > 1 else None
        path = hang(path, _cell(6, 0), bands - 1, (6, 0), arm)
    assert path is not None
    return path
