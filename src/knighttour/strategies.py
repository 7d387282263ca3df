"""Strategies: the published searches as values, and the five programs this package grew from.

A strategy is a rule for the next move of a depth-first walk: the moves in their order, how the
candidates are ranked, how ties are broken, and whether a dead end is taken back. The five named
ones reproduce five course programs square for square, with what was wrong in them put right
(`docs/five-programs.md` has the faults and the squares that prove them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .board import KNIGHT_MOVES
from .errors import InvalidInputError, Square

__all__ = ["DEGREES", "STRATEGIES", "TIES", "Strategy", "as_strategy"]

DEGREES = ("none", "static", "dynamic")
TIES = ("first", "last", "random", "far")


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a walk chooses its next square.

    Args:
        order: the eight moves ``(drow, dcol)`` in the order in which they are tried.
        degree: the candidate with the fewest exits is taken; ``"dynamic"`` counts the free
            squares (Warnsdorff's rule), ``"static"`` those on the empty board, ``"none"`` counts
            nothing: the plain fixed-order search.
        tie: among candidates with equally few exits the ``"first"`` or the ``"last"`` in order, a
            ``"random"`` one (by the call's seed), or the one ``"far"`` from the centre: with the
            largest (2r-R+1)^2 + (2c-C+1)^2 on R rows and C columns, then the first in order.
        backtrack: take a dead end back and try the next best move (a complete search), or stop.

    Raises:
        InvalidInputError: an order that is not the eight knight's moves, or an unknown word.

    >>> Strategy.named("course").backtrack
    True
    >>> from knighttour import tour
    >>> tour("a1", "chess", strategy=Strategy(Strategy.named("course").order, tie="far")).end
    (5, 3)
    """

    order: tuple[Square, ...]
    degree: str = "dynamic"
    tie: str = "first"
    backtrack: bool = True
    # Every call of tour() looks its strategy up: the hash is computed once.
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        try:
            order = tuple((int(drow), int(dcol)) for drow, dcol in self.order)
        except (TypeError, ValueError):
            order = ()
        if sorted(order) != sorted(KNIGHT_MOVES):
            raise InvalidInputError(
                f"order={self.order!r} is not an order of moves: give each of the eight knight's "
                "moves (drow, dcol) once"
            )
        object.__setattr__(self, "order", order)
        for option, known in (("degree", DEGREES), ("tie", TIES)):
            value = getattr(self, option)
            if value not in known:
                raise InvalidInputError(f"{option}={value!r} is unknown: use {', '.join(known)}")
        if not isinstance(self.backtrack, bool):
            raise InvalidInputError(f"backtrack={self.backtrack!r} is neither True nor False")
        key = hash((self.order, self.degree, self.tie, self.backtrack))
        object.__setattr__(self, "_hash", key)

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def named(cls, name: str) -> Strategy:
        """Return one of the five named strategies.

        Args:
            name: ``"access-level"``, ``"step-back"``, ``"depth-first"``, ``"warnsdorff"`` or
                ``"course"``.

        Raises:
            InvalidInputError: no strategy has that name.

        >>> Strategy.named("depth-first").degree
        'static'
        """
        try:
            return STRATEGIES[name]
        except (KeyError, TypeError):
            raise InvalidInputError(
                f"strategy={name!r} is unknown: use {', '.join(map(repr, STRATEGIES))} or a "
                "Strategy"
            ) from None

    @property
    def name(self) -> str:
        """The name of a named strategy, and ``"custom"`` for every other."""
        for name, strategy in STRATEGIES.items():
            if strategy == self:
                return name
        return "custom"


def as_strategy(strategy: Strategy | str) -> Strategy:
    """Return the strategy meant by a `Strategy` or by a name."""
    return strategy if isinstance(strategy, Strategy) else Strategy.named(strategy)


def _turned(moves: Sequence[Square], first: int) -> tuple[Square, ...]:
    return (*moves[first:], *moves[:first])


#: Round the clock from (2, 1), anticlockwise as (row, col) is drawn: programs 002 and 004.
_ROUND = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))

#: The five programs, by the numbers of their texts 000 to 004.
STRATEGIES: dict[str, Strategy] = {
    # 000: keeps a level for every square, the last of the lowest is taken; no way back.
    "access-level": Strategy(_turned(_ROUND, 2), "dynamic", "last", backtrack=False),
    # 001: fewest exits first, and a step back after a dead end.
    "step-back": Strategy(KNIGHT_MOVES, "dynamic", "first"),
    # 002: recursive, sorted once by the exits on the empty board.
    "depth-first": Strategy(_ROUND, "static", "first"),
    # 003: Warnsdorff's rule alone.
    "warnsdorff": Strategy(
        ((1, 2), (2, 1), (1, -2), (2, -1), (-1, 2), (-2, 1), (-1, -2), (-2, -1)),
        "dynamic",
        "first",
        backtrack=False,
    ),
    # 004: the course report on the xiangqi board: walls, tried directions, a path stack.
    "course": Strategy(_ROUND, "dynamic", "first"),
}
