"""What is drawn: a board, its holes, and a whole or partial walk on it, checked.

Whoever draws takes a tour, which knows its board and has been checked when it was made, or any
squares with the board that they are on. O(1) for a tour's board, O(1) a square for a walk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ..board import Board, BoardLike, SquareLike, as_board
from ..errors import InvalidInputError, Square

if TYPE_CHECKING:
    from ..answer import Tour

__all__ = ["board_of", "holes_of", "is_closed", "squares_of"]


def board_of(walk: object, board: BoardLike | None) -> Board:
    """Return the board that is given, or else that of the tour."""
    if board is not None:
        return as_board(board)
    own = getattr(walk, "board", None)
    if not isinstance(own, Board):
        raise InvalidInputError("board=None: say on which board a list of squares is to be drawn")
    return own


def holes_of(board: Board, holes: Collection[Square] | None) -> frozenset[Square]:
    """Return the holes that are given, or else those of the board."""
    if holes is None:
        return frozenset(board.holes)
    own = frozenset(board.holes)
    return own | {board._check_entry(square, "hole") for square in holes if square not in own}


def squares_of(
    walk: Tour | Iterable[SquareLike], board: Board, holes: frozenset[Square]
) -> Sequence[Square]:
    """Return the squares of a walk; those of a tour have been checked when it was made."""
    own = getattr(walk, "board", None)
    squares: Sequence[Square]
    if isinstance(own, Board) and own == board:
        squares = list(walk)  # type: ignore[arg-type]
    else:
        squares = [board._check_entry(square) for square in walk]
    if holes and not holes.isdisjoint(squares):
        where = next(square for square in squares if square in holes)
        raise InvalidInputError(f"the walk stands on {board.name(where)}, which is a hole")
    return squares


def is_closed(squares: Sequence[Square], board: Board) -> bool:
    """Whether a move leads from the last square of a walk to its first."""
    return len(squares) > 2 and board.are_adjacent(squares[-1], squares[0])
