"""Tours in characters: alignment on boards of any size, ASCII, Chinese widths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knighttour.board import Board, as_board
from knighttour.drawing.text import (
    board_picture,
    display_width,
    lined_board,
    number_width,
    numbered_grid,
)
from knighttour.notation import column_letters
from knighttour.search import tour

XIANGQI = as_board("xiangqi")
SHAPES = [(1, 1), (1, 12), (12, 1), (3, 10), (10, 3), (8, 8), (3, 30), (30, 3), (5, 703), (33, 32)]


def snake(board):
    """Every square once: the layout does not ask whether a knight can go so."""
    return list(board.squares)


def columns_of_line_ends(picture, board):
    return {display_width(line) for line in picture.splitlines()[: 2 * board.rows + 1]}


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_squares_are_aligned_at_every_size(rows, cols, ascii_only):
    board = Board(rows, cols)
    picture = board_picture(snake(board), board, ascii_only=ascii_only)
    lines = picture.splitlines()
    assert len(lines) == 2 * rows + 2
    assert len(columns_of_line_ends(picture, board)) == 1
    tall = "|" if ascii_only else "│"
    bars = {tuple(k for k, c in enumerate(line) if c == tall) for line in lines[1:-1:2]}
    assert len(bars) == 1
    assert len(bars.pop()) == cols + 1
    numbers = [int(n) for line in lines[1:-1:2] for n in line.split(tall)[1:-1]]
    assert numbers == list(range(1, rows * cols + 1))
    assert picture.isascii() == ascii_only


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_letters_stand_under_the_last_digit(rows, cols):
    board = Board(rows, cols)
    for picture in (
        board_picture(snake(board), board),
        numbered_grid(snake(board), board, labels=True),
    ):
        lines = picture.splitlines()
        below = lines[-1]
        first = lines[1] if "┌" in lines[0] else lines[0]
        numbers = [found.end() for found in re.finditer(r"\d+", first)][1:]
        letters = [found.end() for found in re.finditer(r"[a-z]+", below)]
        assert letters == numbers
        assert below.split() == [column_letters(col) for col in range(cols)]


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
@pytest.mark.parametrize("base", [-1000, -5, 0, 1, 99_999])
def test_a_partial_walk_has_the_measures_of_a_whole_one(rows, cols, base):
    board = Board(rows, cols)
    for draw in (board_picture, numbered_grid):
        whole = draw(snake(board), board, base=base).splitlines()
        for length in (0, 1, board.size // 2):
            part = draw(snake(board)[:length], board, base=base).splitlines()
            assert [len(line) for line in part] == [len(line) for line in whole]


@pytest.mark.parametrize("base", [-85, -5, 0, 1, 10, 11, 100, 911, 12345])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_xiangqi_lines_meet_the_numbers_for_every_width(base, ascii_only):
    picture = board_picture(tour("a0"), base=base, ascii_only=ascii_only)
    lines = picture.splitlines()
    tall = "|" if ascii_only else "│"
    uprights = [k for k, c in enumerate(lines[5]) if c == tall]
    assert len(uprights) == 9
    for row in range(10):
        ends = [found.end() - 1 for found in re.finditer(r"\d+", lines[2 * row])][1:]
        assert ends == uprights
    for row in (1, 3, 15, 17):
        diagonals = [k for k, c in enumerate(lines[row]) if c in "╲╱\\/"]
        left, right = diagonals
        assert [k for k, c in enumerate(lines[row]) if c == tall] == uprights
        # in the middle between the lines of the palace
        assert 2 * left == uprights[3] + uprights[4]
        assert 2 * right == uprights[4] + uprights[5]
    assert picture.isascii() == ascii_only


def test_palace_diagonals_cross_in_the_centre():
    lines = board_picture([], XIANGQI).splitlines()
    shapes = ["".join(c for c in lines[row] if c in "╲╱") for row in (1, 3, 15, 17)]
    assert shapes == ["╲╱", "╱╲", "╲╱", "╱╲"]


@pytest.mark.parametrize("base", [1, 11, 1000])
def test_the_river_is_as_wide_as_the_board(base):
    lines = board_picture([], XIANGQI, base=base).splitlines()
    river = lines[9]
    assert "楚 河" in river
    assert "漢 界" in river
    assert display_width(river) == display_width(lines[7]) == display_width(lines[11])
    assert display_width(river) == len(river) + 4


def test_empty_points_show_the_lines_that_meet_there():
    lines = board_picture([], XIANGQI).splitlines()
    points = ["".join(c for c in line[2:] if c not in " ─") for line in lines[:19:2]]
    assert points == [
        "┌┬┬┬┬┬┬┬┐",
        *["├┼┼┼┼┼┼┼┤"] * 3,
        "├┴┴┴┴┴┴┴┤",
        "├┬┬┬┬┬┬┬┤",
        *["├┼┼┼┼┼┼┼┤"] * 3,
        "└┴┴┴┴┴┴┴┘",
    ]
    plain = board_picture([], XIANGQI, ascii_only=True)
    assert plain.count("+") == 90


def test_a_ten_by_nine_board_with_chess_names_is_drawn_on_squares():
    lines = board_picture([], Board(10, 9)).splitlines()
    assert len(lines) == 22
    assert lines[0].count("┬") == 8


@pytest.mark.parametrize(("ranks", "top", "bottom"), [("0-9", "9", "0"), ("1-10", "10", "1")])
def test_ranks_can_be_counted_from_one(ranks, top, bottom):
    lines = board_picture(tour("a0"), ranks=ranks).splitlines()
    assert lines[0].split()[0] == top
    assert lines[18].split()[0].split("─")[0] == bottom
    assert lines[0].index("─") == lines[18].index("─")


class Ring(Board):
    """A 3x3 board whose centre is no square of it."""

    def __contains__(self, square):
        return square != (1, 1) and super().__contains__(square)


def test_holes_are_told_from_empty_squares():
    ring = Ring(3, 3)
    assert numbered_grid([(0, 0)], ring) == "1 . .\n. # .\n. . ."
    assert board_picture([], ring, ascii_only=True).splitlines()[3] == "2 | . | # | . |"


def test_marks_do_not_move_anything():
    for board in (XIANGQI, Board(8, 8), Board(12, 12)):
        width = number_width(board)
        cells = [
            [str(row * board.cols + col + 1) for col in range(board.cols)]
            for row in range(board.rows)
        ]
        plain = list(lined_board(board, cells, width))
        marks = dict.fromkeys(board.squares, ("[", "]"))
        marked = list(lined_board(board, cells, width, marks=marks))
        for before, after in zip(plain, marked, strict=True):
            text, other = ("".join(piece[0] for piece in line) for line in (before, after))
            assert other.count("[") == sum(square is not None for _, square in after)
            digits = [(m.start(), m.group()) for m in re.finditer(r"\d+", text)]
            assert [(m.start(), m.group()) for m in re.finditer(r"\d+", other)] == digits


def test_display_width_counts_chinese_as_two_and_combining_as_none():
    assert display_width("") == 0
    assert display_width("第1步(0,0)") == 10
    assert display_width("é") == 1
    assert display_width("│─┼╲") == 4
    assert display_width("ＡＢ") == 4


@given(rows=st.integers(1, 12), cols=st.integers(1, 30), base=st.integers(-200, 2000))
def test_the_grid_reads_back(rows, cols, base):
    board = Board(rows, cols)
    grid = numbered_grid(snake(board), board, base=base)
    read = [[int(word) for word in line.split()] for line in grid.splitlines()]
    assert read == [[base + row * cols + col for col in range(cols)] for row in range(rows)]
    assert len({len(line) for line in grid.splitlines()}) == 1
