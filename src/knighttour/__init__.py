"""Knight's tours: of the xiangqi board, of the chessboard, and of every rectangle.

>>> from knighttour import tour
>>> t = tour((0, 0), board="xiangqi")
>>> len(t), t[0]
(90, (0, 0))
"""

from __future__ import annotations

from ._engine import BACKEND
from ._version import __version__
from .board import KNIGHT_MOVES, Board
from .errors import (
    DeadEndError,
    InvalidInputError,
    InvalidTourError,
    KnightTourError,
    NoTourError,
    SearchLimitError,
)
from .existence import exists, explain
from .search import Event, tour, trace
from .strategies import Strategy
from .tours import Stats, Tour

__all__ = [
    "BACKEND",
    "KNIGHT_MOVES",
    "Board",
    "DeadEndError",
    "Event",
    "InvalidInputError",
    "InvalidTourError",
    "KnightTourError",
    "NoTourError",
    "SearchLimitError",
    "Stats",
    "Strategy",
    "Tour",
    "__version__",
    "exists",
    "explain",
    "tour",
    "trace",
]
