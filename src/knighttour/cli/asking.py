"""``knighttour ask``: program 004's dialogue."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .. import dialogue
from ..errors import InvalidInputError
from .finding import MAX_PRINT
from .shared import add_board, add_command, board_of

__all__ = ["add_ask"]


def add_ask(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "ask", _run_ask, "ask for a point and show the way from it, as program 004 did"
    )
    add_board(parser)
    parser.add_argument(
        "--lang", choices=tuple(dialogue.LANGUAGES), default="en", help="default: %(default)s"
    )


def _run_ask(options: argparse.Namespace) -> int:
    board = board_of(options)
    if board.size > MAX_PRINT:
        raise InvalidInputError(
            f"the way round {board} has {board.size} points, too many to show: use a board of at "
            f"most {MAX_PRINT}"
        )
    dialogue.ask(
        board, lang=options.lang, read=sys.stdin, write=sys.stdout, backend=options.backend
    )
    return 0
