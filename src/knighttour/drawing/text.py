"""Tours in characters: numbered grids, boards with lines, lists of steps.

Everything is aligned for any size of board, and a partial walk has the same measures as a whole
one. Unicode lines by default, ASCII on request. The xiangqi board is drawn as it is played: horses
stand on the points, the river runs between ranks 4 and 5, and the palaces have their diagonals.
Chinese characters are counted as two columns (Unicode Standard Annex 11). A picture costs O(1) a
square and is built in memory.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..notation import column_letters
from .walks import board_of

if TYPE_CHECKING:
    from ..answer import Tour
    from ..board import Board, BoardLike
    from ..errors import Square

__all__ = [
    "Piece",
    "board_picture",
    "display_width",
    "level_tables",
    "lined_board",
    "number_width",
    "numbered_grid",
    "rank_names",
    "running_total",
    "step_list",
]

#: A piece of a line: its text, and the square whose number or mark it is, or None.
Piece = tuple[str, "Square | None"]


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    East Asian wide characters take two, combining ones none. Box-drawing characters, which are
    "ambiguous" there, are counted as one: terminals draw them so unless told otherwise.

    >>> display_width("楚 河"), display_width("└──┘")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def number_width(board: Board, base: int = 1) -> int:
    """Return the length of the longest step number of a tour of the board, the sign included.

    >>> from knighttour.board import Board
    >>> number_width(Board(10, 9)), number_width(Board(10, 10)), number_width(Board(2, 3), -10)
    (2, 3, 3)
    """
    return max(len(str(base)), len(str(base + board.size - 1)))


def _cells(walk: Iterable[Square], board: Board, base: int) -> list[list[str]]:
    """Return the step numbers of a walk as text: "." where it has not been, "#" for a hole."""
    cells = [[""] * board.cols for _ in range(board.rows)]
    for step, (row, col) in enumerate(walk, base):
        cells[row][col] = str(step)
    for row, texts in enumerate(cells):
        for col, text in enumerate(texts):
            if not text:
                texts[col] = "." if (row, col) in board else "#"
    return cells


def rank_names(board: Board, ranks: str | None) -> list[str]:
    """Return the numbers of the rows, from the top row down, all of one width."""
    names = [board.name((row, 0), ranks=ranks)[1:] for row in range(board.rows)]
    width = max(map(len, names))
    return [name.rjust(width) for name in names]


def numbered_grid(
    tour: Tour | Sequence[Square],
    board: BoardLike | None = None,
    *,
    base: int = 1,
    labels: bool = False,
    ranks: str | None = None,
) -> str:
    """Return the step numbers as aligned rows of text.

    Args:
        tour: a tour, or a partial walk as a list of squares (then give the board).
        board: the board of a partial walk.
        base: the number of the first step.
        labels: with the numbers of the rows at the left and the letters of the columns below.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.

    >>> from knighttour import tour
    >>> print(numbered_grid(tour((0, 0), board="3x4"), labels=True))
    3   1  4  7 10
    2  12  9  2  5
    1   3  6 11  8
    <BLANKLINE>
        a  b  c  d
    """
    board = board_of(tour, board)
    cells = _cells(tour, board, base)
    letters = [column_letters(col) for col in range(board.cols)] if labels else []
    width = max(number_width(board, base), max(map(len, letters), default=0))
    lines = [" ".join(cell.rjust(width) for cell in row) for row in cells]
    if labels:
        names = rank_names(board, ranks)
        lines = [f"{name}  {line}" for name, line in zip(names, lines, strict=True)]
        below = " ".join(letter.rjust(width) for letter in letters)
        lines += ["", " " * (len(names[0]) + 2) + below]
    return "\n".join(lines)


def board_picture(
    tour: Tour | Sequence[Square],
    board: BoardLike | None = None,
    *,
    base: int = 1,
    ascii_only: bool = False,
    ranks: str | None = None,
) -> str:
    """Return a board drawn with lines, with the step numbers on it.

    Args:
        tour: a tour, or a partial walk as a list of squares (then give the board).
        board: the board of a partial walk.
        base: the number of the first step.
        ascii_only: draw with ``+-|`` instead of box-drawing characters.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.

    >>> from knighttour import tour
    >>> print(board_picture(tour((0, 0), board="3x4"), ascii_only=True))
      +----+----+----+----+
    3 |  1 |  4 |  7 | 10 |
      +----+----+----+----+
    2 | 12 |  9 |  2 |  5 |
      +----+----+----+----+
    1 |  3 |  6 | 11 |  8 |
      +----+----+----+----+
         a    b    c    d
    """
    board = board_of(tour, board)
    lines = lined_board(
        board,
        _cells(tour, board, base),
        number_width(board, base),
        ascii_only=ascii_only,
        ranks=ranks,
    )
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def lined_board(
    board: Board,
    cells: Sequence[Sequence[str]],
    width: int,
    *,
    marks: Mapping[Square, tuple[str, str]] | None = None,
    ascii_only: bool = False,
    ranks: str | None = None,
) -> Iterator[list[Piece]]:
    """Yield the lines of a board in pieces, so that a caller can colour them.

    Args:
        board: the board; the xiangqi board is drawn on points, every other on squares.
        cells: what stands on the squares, row by row; "." is an empty one.
        width: columns for the longest number that can come.
        marks: what is drawn before and after a number, one character each, such as ``("[", "]")``.
        ascii_only: draw with ``+-|`` instead of box-drawing characters.
        ranks: ``"0-9"`` or ``"1-10"`` for the labels.
    """
    draw = _points if board.is_xiangqi else _squares
    return draw(board, cells, width, marks or {}, ascii_only, ranks)


def _squares(
    board: Board,
    cells: Sequence[Sequence[str]],
    width: int,
    marks: Mapping[Square, tuple[str, str]],
    ascii_only: bool,
    ranks: str | None,
) -> Iterator[list[Piece]]:
    """Draw a board of squares, one number in each."""
    letters = [column_letters(col) for col in range(board.cols)]
    width = max(width, *map(len, letters))
    flat, tall = ("-", "|") if ascii_only else ("─", "│")
    joints = ("+++", "+++", "+++") if ascii_only else ("┌┬┐", "├┼┤", "└┴┘")
    names = rank_names(board, ranks)
    margin = " " * (len(names[0]) + 1)

    def rule(joint: str) -> list[Piece]:
        bars = joint[1].join(flat * (width + 2) for _ in range(board.cols))
        return [(f"{margin}{joint[0]}{bars}{joint[2]}", None)]

    yield rule(joints[0])
    for row, (name, texts) in enumerate(zip(names, cells, strict=True)):
        line: list[Piece] = [(f"{name} {tall}", None)]
        for col, text in enumerate(texts):
            before, after = marks.get((row, col), (" ", " "))
            line += [((before + text).rjust(width + 1) + after, (row, col)), (tall, None)]
        yield line
        yield rule(joints[2] if row == board.rows - 1 else joints[1])
    # Letters stand under the last digit of the numbers.
    yield [(f"{margin} {' '.join(f' {letter.rjust(width)} ' for letter in letters)}", None)]


def _points(
    board: Board,
    cells: Sequence[Sequence[str]],
    width: int,
    marks: Mapping[Square, tuple[str, str]],
    ascii_only: bool,
    ranks: str | None,
) -> Iterator[list[Piece]]:
    """Draw the xiangqi board: the numbers stand on the points, where the lines cross."""
    flat, tall, falling, rising = "-|\\/" if ascii_only else "─│╲╱"
    # The number of columns between two vertical lines is odd, so that the palaces have a middle.
    between = width + 1 + width % 2
    names = rank_names(board, ranks)
    margin = " " * (len(names[0]) + 1 + width)
    for row, (name, texts) in enumerate(zip(names, cells, strict=True)):
        line: list[Piece] = [(f"{name} ", None)]
        room, fill = width + 1, " "
        for col, text in enumerate(texts):
            before, after = marks.get((row, col), ("", ""))
            number = before + (_crossing(row, col, ascii_only) if text == "." else text)
            line += [(fill * (room - len(number)), None), (number + after, (row, col))]
            room, fill = between + 1 - len(after), flat
        yield line
        if row == board.rows - 1:
            break
        if row == 4:
            yield [(margin + _river(tall, 8 * (between + 1) - 1, ascii_only), None)]
            continue
        gaps = [" " * between] * 8
        if row in (0, 7):
            gaps[3:5] = falling.center(between), rising.center(between)
        elif row in (1, 8):
            gaps[3:5] = rising.center(between), falling.center(between)
        yield [(margin + tall + "".join(gap + tall for gap in gaps), None)]
    letters = "".join(column_letters(col).rjust(between + 1) for col in range(1, board.cols))
    yield []
    yield [(margin + column_letters(0) + letters, None)]


def _crossing(row: int, col: int, ascii_only: bool) -> str:
    """Return what an empty point of the xiangqi board looks like: the lines that meet there."""
    if ascii_only:
        return "+"
    # No line crosses the river but the two at the sides.
    if row == 0 or (row == 5 and 0 < col < 8):
        return "┌┬┐"[(col > 0) + (col == 8)]
    if row == 9 or (row == 4 and 0 < col < 8):
        return "└┴┘"[(col > 0) + (col == 8)]
    return "├┼┤"[(col > 0) + (col == 8)]


def _river(tall: str, inner: int, ascii_only: bool) -> str:
    """Return the river between its banks; Chinese characters take two columns each."""
    if ascii_only:
        return tall + "r i v e r".center(inner) + tall
    left, right = "楚 河", "漢 界"
    between = inner - display_width(left) - display_width(right)
    side = between // 4
    return f"{tall}{' ' * side}{left}{' ' * (between - 2 * side)}{right}{' ' * side}{tall}"


def step_list(walk: Iterable[Square], *, lang: str = "en", base: int = 0) -> str:
    """Return a walk as a numbered list of steps, as program 003 prints it.

    Args:
        walk: the squares, of a tour or of a partial walk.
        lang: ``"zh"`` for 第1步(0,0), ``"en"`` for step 1 (0,0).
        base: what is added to rows and columns: 0, or 1 to count them from 1.

    >>> print(step_list([(0, 0), (1, 2)], lang="zh"))
    第1步(0,0)
    第2步(1,2)
    """
    template = "第{}步({},{})" if lang == "zh" else "step {} ({},{})"
    return "\n".join(
        template.format(step, row + base, col + base) for step, (row, col) in enumerate(walk, 1)
    )


def running_total(walk: Iterable[Square]) -> str:
    """Return the steps with the number of squares visited so far, as program 000 prints them.

    >>> print(running_total([(0, 0), (1, 2)]))
    →row[1],column[2],boardtotal[2]
    """
    return "\n".join(
        f"→row[{row}],column[{col}],boardtotal[{total}]"
        for total, (row, col) in enumerate(walk, 1)
        if total > 1
    )


def level_tables(board: Board, order: Sequence[Square]) -> str:
    """Return program 000's two tables: the visit levels, and the legal moves of every square.

    Args:
        board: the board.
        order: the eight moves, one a column of the second table.
    """
    levels = board.degrees()
    lines = ["visit level of each square (the fewer ways lead on, the sooner it is visited):", ""]
    lines += ["  ".join(map(str, row)) for row in levels]
    moves = " ".join(f"({drow:+d},{dcol:+d})" for drow, dcol in order)
    lines += ["", f"legal moves of each square, row by row, in the order {moves}:", ""]
    names = [f"({row},{col})" for row, col in board.squares]
    width = max(map(len, names))
    for name, legal in zip(names, board.move_table(order), strict=True):
        lines.append(f"{name.rjust(width)}  " + "   ".join(map(str, legal)))
    return "\n".join(lines)
