"""Program 004's dialogue: asks for a point, shows the way from it, and asks "again?".

The questions and answers are those of the course report, in Chinese, with an English version. Rows
and columns are counted from 1. What was wrong there is right here: letters are asked again, a
board without a tour from the point does not end the program, and the end of the input does. The way
shown is program 004's own; where its search would not end in human time, it is the library's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from .answer import Tour
from .board import Board
from .errors import NoTourError, SearchLimitError, Square
from .search import tour

__all__ = ["LANGUAGES", "ask"]

_PER_LINE = 8

#: Squares that 004's search may place: about a second in pure Python. On the xiangqi board it never
#: needs more than 2805.
_PATIENCE = 1_000_000


@dataclass(frozen=True, slots=True)
class _Texts:
    title: str
    ask_row: str
    bad_row: str
    ask_col: str
    bad_col: str
    path: str
    none: str
    again: str


LANGUAGES = {
    "zh": _Texts(
        title=" 中国象棋马的遍历 ",
        ask_row="请输入入口点横坐标(在1-{}之间)：",
        bad_row="输入错误，请重新输入!(横坐标在1-{}之间)",
        ask_col="请输入入口点纵坐标(在1-{}之间)：",
        bad_col="输入错误，请重新输入!(纵坐标在1-{}之间)",
        path="骑士巡游路径如下:",
        none="无法为您找到一条适合的路径!",
        again="是否继续马的遍历（是：y；否：其他）：",
    ),
    "en": _Texts(
        title=" The horse's tour of the xiangqi board ",
        ask_row="Row of the starting point (1-{}): ",
        bad_row="Wrong input, please try again! (rows are 1-{})",
        ask_col="Column of the starting point (1-{}): ",
        bad_col="Wrong input, please try again! (columns are 1-{})",
        path="The knight's way:",
        none="There is no way from that point!",
        again="Another tour? (yes: y, no: anything else): ",
    ),
}

_OTHER_BOARD = {"zh": " {} 棋盘马的遍历 ", "en": " The knight's tour of the {} board "}


def ask(
    board: Board,
    *,
    lang: str = "en",
    read: TextIO,
    write: TextIO,
    backend: str | None = None,
) -> int:
    """Hold the dialogue until the answer is no or the input ends.

    Args:
        board: the board that is toured.
        lang: ``"en"`` or ``"zh"``.
        read: where the answers come from.
        write: where the questions and the ways go.
        backend: as in `tour`.

    Returns:
        How many tours were shown.
    """
    texts = LANGUAGES[lang]
    shown = 0

    def say(text: str, end: str = "\n") -> None:
        write.write(text + end)
        write.flush()

    title = texts.title if board.is_xiangqi else _OTHER_BOARD[lang].format(board)
    say(f"{title}\n")
    try:
        while True:
            row = _number(texts.ask_row, texts.bad_row, board.rows, read, say)
            col = _number(texts.ask_col, texts.bad_col, board.cols, read, say)
            point = (row - 1, col - 1)
            try:
                way = _find_way(point, board, backend) if point in board else None
            except NoTourError:
                way = None
            if way is None:
                say(texts.none)
            else:
                say(texts.path)
                say(way_text(way.tolist()))
                shown += 1
            say(texts.again, end="")
            if _answer(read) != "y":
                return shown
    except EOFError:
        say("")
        return shown


def _find_way(start: Square, board: Board, backend: str | None) -> Tour:
    """Return program 004's tour, or the library's where 004 would search for too long.

    Program 004 knows no holes and no other moves; on such a board the way is the library's too.
    """
    if not board.is_plain:
        return tour(start, board, backend=backend)
    try:
        return tour(start, board, strategy="course", max_nodes=_PATIENCE, backend=backend)
    except SearchLimitError:
        return tour(start, board, backend=backend)


def _answer(read: TextIO) -> str:
    """Return the next line without the spaces around it; raise EOFError when there is none."""
    line = read.readline()
    if not line:
        raise EOFError
    return line.strip()


def _number(
    question: str, complaint: str, largest: int, read: TextIO, say: Callable[..., None]
) -> int:
    """Ask until a number from 1 to `largest` comes; raise EOFError when nothing comes any more."""
    while True:
        say(question.format(largest), end="")
        text = _answer(read)
        if text.isascii() and text.isdecimal() and len(text) < 20 and 1 <= int(text) <= largest:
            return int(text)
        say(complaint.format(largest))


def way_text(squares: list[Square]) -> str:
    """Return a way as eight coordinates a line, counted from 1, joined by arrows.

    >>> print(way_text([(0, 0), (1, 2)]))
     (1,1)->(2,3)
    """
    points = [f"({row + 1},{col + 1})" for row, col in squares]
    lines = ["->".join(points[k : k + _PER_LINE]) for k in range(0, len(points), _PER_LINE)]
    return " " + "\n->".join(lines)
