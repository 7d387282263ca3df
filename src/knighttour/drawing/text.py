"""Tours in characters: numbered grids, boards with lines, lists of steps.

Everything is aligned for any size of board. Unicode lines by default, ASCII on request. The
xiangqi board is drawn as it is played: horses stand on the points, the river runs between ranks 4
and 5, and the palaces have their diagonals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..notation import column_letters

if TYPE_CHECKING:
    from ..board import Board
    from ..errors import Square
    from ..tours import Tour

__all__ = ["board_picture", "level_tables", "numbered_grid", "running_total", "step_list"]


def _cells(walk: Sequence[Square], board: Board, base: int) -> list[list[str]]:
    """Return the step numbers of a whole or partial walk as text, dots where it has not been."""
    cells = [["." for _ in range(board.cols)] for _ in range(board.rows)]
    for step, (row, col) in enumerate(walk, base):
        cells[row][col] = str(step)
    return cells


def _rank_names(board: Board, ranks: str | None) -> list[str]:
    names = [board.name((row, 0), ranks=ranks)[1:] for row in range(board.rows)]
    width = max(map(len, names))
    return [name.rjust(width) for name in names]


def numbered_grid(
    tour: Tour | Sequence[Square],
    board: Board | None = None,
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
    if board is None:
        board = tour.board  # type: ignore[union-attr]
    cells = _cells(tour, board, base)
    letters = [column_letters(col) for col in range(board.cols)] if labels else []
    width = max(len(str(base)), len(str(base + board.size - 1)), max(map(len, letters), default=0))
    lines = [" ".join(cell.rjust(width) for cell in row) for row in cells]
    if labels:
        names = _rank_names(board, ranks)
        lines = [f"{name}  {line}" for name, line in zip(names, lines, strict=True)]
        below = " ".join(letter.rjust(width) for letter in letters)
        lines += ["", " " * (len(names[0]) + 2) + below]
    return "\n".join(lines)


def board_picture(
    tour: Tour | Sequence[Square],
    board: Board | None = None,
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
    if board is None:
        board = tour.board  # type: ignore[union-attr]
    cells = _cells(tour, board, base)
    draw = _points if board.is_xiangqi else _squares
    return "\n".join(draw(board, cells, ascii_only, ranks))


def _squares(
    board: Board, cells: list[list[str]], ascii_only: bool, ranks: str | None
) -> Iterable[str]:
    """Draw a board of squares, one number in each."""
    letters = [column_letters(col) for col in range(board.cols)]
    width = max(len(cell) for row in [*cells, letters] for cell in row)
    flat, tall = ("-", "|") if ascii_only else ("─", "│")
    joints = ("+++", "+++", "+++") if ascii_only else ("┌┬┐", "├┼┤", "└┴┘")
    names = _rank_names(board, ranks)
    margin = " " * (len(names[0]) + 1)

    def rule(joint: str) -> str:
        bars = joint[1].join(flat * (width + 2) for _ in range(board.cols))
        return f"{margin}{joint[0]}{bars}{joint[2]}"

    yield rule(joints[0])
    for row, (name, texts) in enumerate(zip(names, cells, strict=True)):
        inner = tall.join(f" {text.rjust(width)} " for text in texts)
        yield f"{name} {tall}{inner}{tall}"
        yield rule(joints[2] if row == board.rows - 1 else joints[1])
    # Letters stand under the last digit of the numbers.
    below = " ".join(f" {letter.rjust(width)} " for letter in letters)
    yield f"{margin} {below}".rstrip()


def _points(
    board: Board, cells: list[list[str]], ascii_only: bool, ranks: str | None
) -> Iterable[str]:
    """Draw the xiangqi board: the numbers stand on the points, where the lines cross."""
    width = max(len(cell) for row in cells for cell in row)
    flat, tall, falling, rising = "-|\\/" if ascii_only else "─│╲╱"
    gap = width + 2  # characters between two vertical lines
    names = _rank_names(board, ranks)
    margin = " " * (len(names[0]) + 2)
    for row, (name, texts) in enumerate(zip(names, cells, strict=True)):
        line = texts[0].rjust(width)
        for text in texts[1:]:
            line += flat * 2 + text.rjust(width, flat)
        yield f"{name}  {line}"
        if row == board.rows - 1:
            break
        if row == 4:
            yield margin + " " * (width - 1) + _river(tall, 8 * (gap) - 1, ascii_only)
            continue
        between = [" " * (gap - 1)] * 8
        if row in (0, 7):
            between[3:5] = falling.center(gap - 1), rising.center(gap - 1)
        elif row in (1, 8):
            between[3:5] = rising.center(gap - 1), falling.center(gap - 1)
        yield margin + " " * (width - 1) + tall + "".join(space + tall for space in between)
    letters = "  ".join(column_letters(col).rjust(width) for col in range(board.cols))
    yield ""
    yield f"{margin}{letters}"


def _river(tall: str, inner: int, ascii_only: bool) -> str:
    """Return the river between its banks; Chinese characters take two columns each."""
    if ascii_only:
        return tall + "r i v e r".center(inner) + tall
    left, right = "楚 河", "漢 界"  # five columns each
    between = inner - 10
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
