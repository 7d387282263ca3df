"""What is printed: grids, boards with lines, lists of steps, and the tables of program 000."""

from __future__ import annotations

import re
import unicodedata

import pytest

from knighttour import DeadEndError, InvalidInputError, Strategy, tour
from knighttour.board import Board, as_board
from knighttour.drawing import text

MOVES = ((-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2))

SIZES = [("3x4", "course"), ("4x3", "course"), ("5x6", "course"), ("6x5", "course")]
SIZES += [("8x8", "course"), ("xiangqi", "course"), ("12x30", "course"), ("30x12", "course")]


def width(line: str) -> int:
    """Columns of a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def grid_of(printed: str) -> list[list[int]]:
    return [[int(word) for word in line.split()] for line in printed.splitlines()]


# --- Grids ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "strategy"), SIZES)
@pytest.mark.parametrize("base", [0, 1, 1000])
def test_a_grid_reads_back_as_the_tour(board, strategy, base):
    found = tour((0, 0), board, strategy=strategy)
    printed = text.numbered_grid(found, base=base)
    assert grid_of(printed) == found.grid(base)
    assert len({len(line) for line in printed.splitlines()}) == 1


def test_str_of_a_tour_is_its_grid():
    found = tour((0, 0), "3x4", strategy="course")
    assert str(found) == text.numbered_grid(found) == " 1  4  7 10\n12  9  2  5\n 3  6 11  8"


@pytest.mark.parametrize(("board", "strategy"), SIZES)
def test_labels_name_the_squares(board, strategy):
    found = tour((0, 0), board, strategy=strategy)
    *rows, blank, letters = text.numbered_grid(found, labels=True).splitlines()
    assert blank == ""
    columns = letters.split()
    for line in rows:
        rank, *steps = line.split()
        for letter, step in zip(columns, steps, strict=True):
            assert found.board.name(found[int(step) - 1]) == letter + rank
    # Every letter ends under the last digit of its column.
    ends = [match.end() for match in re.finditer(r"\S+", letters)]
    assert ends == [match.end() for match in re.finditer(r"\S+", rows[0])][1:]


def test_ranks_of_the_xiangqi_board_count_from_0_or_from_1():
    found = tour("a0", strategy="course")
    zero = text.numbered_grid(found, labels=True).splitlines()
    one = text.numbered_grid(found, labels=True, ranks="1-10").splitlines()
    assert [line.split()[0] for line in zero[:10]] == [str(rank) for rank in range(9, -1, -1)]
    assert [line.split()[0] for line in one[:10]] == [str(rank) for rank in range(10, 0, -1)]
    assert [line.split()[1:] for line in zero] == [line.split()[1:] for line in one]


def test_a_partial_walk_has_dots_where_it_has_not_been():
    with pytest.raises(DeadEndError) as error:
        tour((1, 3), "chess", strategy="warnsdorff")
    rows = text.numbered_grid(error.value.walk, as_board("chess")).splitlines()
    words = " ".join(rows).split()
    assert len(words) == 64
    assert words.count(".") == 4
    assert sorted(int(word) for word in words if word != ".") == list(range(1, 61))
    assert len({len(row) for row in rows}) == 1


# --- Boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(("board", "strategy"), SIZES)
def test_every_line_of_a_board_is_as_wide_as_it_should_be(board, strategy, ascii_only):
    found = tour((0, 0), board, strategy=strategy)
    lines = text.board_picture(found, ascii_only=ascii_only).splitlines()
    assert len({width(line) for line in lines[:-2]}) == 1
    if ascii_only:
        assert "\n".join(lines).isascii()
    rows = found.board.rows
    numbers = [line for line in lines if len(re.findall(r"\d+", line)) > 1]
    assert [
        [int(word) for word in re.findall(r"\d+", line)][1:] for line in numbers[:rows]
    ] == found.grid()


def test_the_xiangqi_board_has_its_river_and_its_palaces():
    found = tour("a0", strategy="course")
    lines = text.board_picture(found).splitlines()
    assert len(lines) == 10 + 9 + 2
    assert "楚 河" in lines[9]
    assert "漢 界" in lines[9]
    for line, signs in ((1, "╲╱"), (3, "╱╲"), (15, "╲╱"), (17, "╱╲")):
        assert "".join(sign for sign in lines[line] if sign in "╱╲") == signs
    assert sum("╱" in line for line in lines) == 4
    # A board of the same size that is not named so is a plain one.
    assert "楚" not in text.board_picture(tour((0, 0), "10x9", strategy="course"))


# --- Program 003: the list of steps --------------------------------------------------------------


def test_the_list_of_steps_is_program_003s(programs, backend):
    run = programs("warnsdorff")["8x8"][0, 0]
    found = tour((0, 0), "chess", strategy="warnsdorff", backend=backend)
    lines = text.step_list(found, lang="zh").splitlines()
    assert lines == [f"第{k}步({row},{col})" for k, (row, col) in enumerate(run.squares, 1)]
    assert len(lines) == 64


def test_the_list_of_steps_shows_a_partial_walk_too(backend):
    with pytest.raises(DeadEndError) as error:
        tour((4, 7), "chess", strategy="warnsdorff", backend=backend)
    lines = text.step_list(error.value.walk, lang="zh").splitlines()
    assert len(lines) == 60
    assert lines[0] == "第1步(4,7)"
    assert lines[-1].startswith("第60步(")


def test_the_list_of_steps_in_english_and_counted_from_1():
    assert text.step_list([(0, 0), (1, 2)]) == "step 1 (0,0)\nstep 2 (1,2)"
    assert text.step_list([(0, 0), (1, 2)], base=1, lang="zh") == "第1步(1,1)\n第2步(2,3)"
    assert text.step_list([]) == ""


# --- Program 000: its tables and its running total -----------------------------------------------


def test_the_visit_levels_of_the_chessboard():
    assert Board(8, 8).degrees() == [
        [2, 3, 4, 4, 4, 4, 3, 2],
        [3, 4, 6, 6, 6, 6, 4, 3],
        [4, 6, 8, 8, 8, 8, 6, 4],
        [4, 6, 8, 8, 8, 8, 6, 4],
        [4, 6, 8, 8, 8, 8, 6, 4],
        [4, 6, 8, 8, 8, 8, 6, 4],
        [3, 4, 6, 6, 6, 6, 4, 3],
        [2, 3, 4, 4, 4, 4, 3, 2],
    ]


def test_the_table_of_legal_moves_has_64_rows_of_8():
    assert Strategy.named("access-level").order == MOVES
    table = Board(8, 8).move_table(MOVES)
    assert len(table) == 64
    for row in range(8):
        for col in range(8):
            assert table[8 * row + col] == [
                int(0 <= row + drow < 8 and 0 <= col + dcol < 8) for drow, dcol in MOVES
            ]
    assert table[0] == [0, 0, 0, 0, 0, 0, 1, 1]
    assert [sum(legal) for legal in table] == [n for row in Board(8, 8).degrees() for n in row]


@pytest.mark.parametrize("board", ["8x8", "3x4", "4x3", "xiangqi"])
def test_both_tables_are_printed(board):
    place = as_board(board)
    printed = text.level_tables(place, MOVES)
    levels, moves = re.split(r"\n\nlegal moves.*\n\n", printed)
    levels = levels.split("\n\n", 1)[1]
    assert grid_of(levels) == place.degrees()
    lines = [line.strip() for line in moves.splitlines()]
    assert [line.split("  ", 1)[0] for line in lines] == [f"({r},{c})" for r, c in place.squares]
    legal = [[int(word) for word in line.split()[1:]] for line in lines]
    assert legal == place.move_table(MOVES)
    assert "(-1,+2) (-2,+1) (-2,-1) (-1,-2) (+1,-2) (+2,-1) (+2,+1) (+1,+2)" in printed


def test_the_running_total_is_program_000s(backend):
    found = tour((0, 0), "chess", strategy="access-level", backend=backend)
    lines = text.running_total(found).splitlines()
    assert len(lines) == 63
    row, col = found[1]
    assert lines[0] == f"→row[{row}],column[{col}],boardtotal[2]"
    assert lines[-1] == "→row[6],column[5],boardtotal[64]"
    totals = [int(re.search(r"boardtotal\[(\d+)\]", line)[1]) for line in lines]
    assert totals == list(range(2, 65))


@pytest.mark.parametrize("draw", [text.numbered_grid, text.board_picture])
def test_a_walk_without_its_board_is_refused(draw):
    with pytest.raises(InvalidInputError, match="on which board"):
        draw([(0, 0), (1, 2)])
    assert draw([(0, 0), (1, 2)], "3x4") == draw([(0, 0), (1, 2)], Board(3, 4))
