"""Knight's tours: of the xiangqi board, of the chessboard, and of every rectangle.

>>> from knighttour import tour
>>> t = tour((0, 0), board="xiangqi")
>>> len(t), t[0]
(90, (0, 0))
"""

from __future__ import annotations

from ._engine import BACKEND
from ._version import __version__
from .analysis import Classification, Faults, Reading, check, classify, is_same_tour
from .answer import Stats, Tour
from .board import KNIGHT_MOVES, Board
from .counting import CountPlan, Progress, count, count_lengths, count_plan
from .errors import (
    DeadEndError,
    InvalidInputError,
    InvalidTourError,
    KnightTourError,
    NoTourError,
    SearchLimitError,
)
from .existence import exists, explain
from .formats import format_text, write, write_graph
from .history import historic, historic_tours
from .notation import name_move, numbered_square, read_move, square_number
from .occurrences import edge_counts, end_counts
from .permutations import scramble, unscramble
from .reading import read, read_text, scan, scan_text
from .sampling import sample
from .search import Event, tour, trace
from .shapes import Completion, Tours, complete, random_tour, tours
from .strategies import Strategy

__all__ = [
    "BACKEND",
    "KNIGHT_MOVES",
    "Board",
    "Classification",
    "Completion",
    "CountPlan",
    "DeadEndError",
    "Event",
    "Faults",
    "InvalidInputError",
    "InvalidTourError",
    "KnightTourError",
    "NoTourError",
    "Progress",
    "Reading",
    "SearchLimitError",
    "Stats",
    "Strategy",
    "Tour",
    "Tours",
    "__version__",
    "check",
    "classify",
    "complete",
    "count",
    "count_lengths",
    "count_plan",
    "edge_counts",
    "end_counts",
    "exists",
    "explain",
    "format_text",
    "historic",
    "historic_tours",
    "is_same_tour",
    "name_move",
    "numbered_square",
    "random_tour",
    "read",
    "read_move",
    "read_text",
    "sample",
    "scan",
    "scan_text",
    "scramble",
    "square_number",
    "tour",
    "tours",
    "trace",
    "unscramble",
    "write",
    "write_graph",
]
