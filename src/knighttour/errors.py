"""The errors of knighttour: one root, and one class for every different kind of answer.

"There is no tour" (`NoTourError`) and "I gave up" (`SearchLimitError`) are different facts
about a board and never share a class. Bad input is an `InvalidInputError`, which is a
`ValueError` as Python's own functions would raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .analysis import Faults
    from .answer import Stats

__all__ = [
    "DeadEndError",
    "InvalidInputError",
    "InvalidTourError",
    "KnightTourError",
    "NoTourError",
    "SearchLimitError",
]

#: A square as ``(row, col)``, 0-based, row 0 at the top.
Square = tuple[int, int]


class KnightTourError(Exception):
    """The root of every error that this package raises."""


class InvalidInputError(KnightTourError, ValueError):
    """A board, a square, an option or a file that cannot be used; the text says what can be."""


class InvalidTourError(KnightTourError, ValueError):
    """Something that claims to be a tour and is not; the text names the faults found.

    Attributes:
        faults: all of them, as a `knighttour.Faults`.
    """

    faults: Faults | None

    def __init__(self, message: str, *, faults: Faults | None = None) -> None:
        super().__init__(message)
        self.faults = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return _invalid_tour_error, (str(self), self.faults)


class NoTourError(KnightTourError):
    """Proved: there is no such tour. `str()` is one sentence of proof.

    Attributes:
        reason: the name of the rule, such as ``"colour-parity"``.
        source: where the rule is proved.
        squares: the squares that show it, where there are any.
    """

    reason: str
    source: str
    squares: tuple[Square, ...]

    def __init__(
        self, sentence: str, *, reason: str, source: str, squares: Sequence[Square] = ()
    ) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.source = source
        self.squares = tuple(squares)

    def __reduce__(self) -> tuple[Any, ...]:
        return _no_tour_error, (str(self), self.reason, self.source, self.squares)


class SearchLimitError(KnightTourError):
    """Gave up: out of time, nodes or memory. It claims nothing about the board.

    Attributes:
        stats: what the search had cost when it stopped.
    """

    stats: Stats | None

    def __init__(self, message: str, *, stats: Stats | None = None) -> None:
        super().__init__(message)
        self.stats = stats

    def __reduce__(self) -> tuple[Any, ...]:
        return _limit_error, (type(self), str(self), self.stats)


class DeadEndError(SearchLimitError):
    """A search without backtracking got stuck.

    Attributes:
        walk: the partial walk, a list of ``(row, col)``, from the start to the dead end.
        stats: what the walk had cost.
    """

    walk: list[Square]

    def __init__(
        self, message: str, *, walk: Sequence[Square] = (), stats: Stats | None = None
    ) -> None:
        super().__init__(message, stats=stats)
        self.walk = list(walk)

    def __reduce__(self) -> tuple[Any, ...]:
        return _dead_end_error, (str(self), self.walk, self.stats)


def _invalid_tour_error(message: str, faults: Faults | None) -> InvalidTourError:
    return InvalidTourError(message, faults=faults)


def _no_tour_error(
    sentence: str, reason: str, source: str, squares: tuple[Square, ...]
) -> NoTourError:
    return NoTourError(sentence, reason=reason, source=source, squares=squares)


def _limit_error(
    kind: type[SearchLimitError], message: str, stats: Stats | None
) -> SearchLimitError:
    return kind(message, stats=stats)


def _dead_end_error(message: str, walk: list[Square], stats: Stats | None) -> DeadEndError:
    return DeadEndError(message, walk=walk, stats=stats)
