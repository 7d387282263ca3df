"""Program 004's dialogue: its words, its eight points a line, and an end to every input."""

from __future__ import annotations

import io
import itertools
import re

import pytest

from knighttour import InvalidInputError, NoTourError, SearchLimitError, tour
from knighttour import dialogue as module
from knighttour.board import as_board
from knighttour.dialogue import ask, way_text

TITLE = " 中国象棋马的遍历 "
ROW = "请输入入口点横坐标(在1-10之间)："
BAD_ROW = "输入错误，请重新输入!(横坐标在1-10之间)"
COL = "请输入入口点纵坐标(在1-9之间)："
BAD_COL = "输入错误，请重新输入!(纵坐标在1-9之间)"
PATH = "骑士巡游路径如下:"
NONE = "无法为您找到一条适合的路径!"
AGAIN = "是否继续马的遍历（是：y；否：其他）："


def hold(
    answers: str, board: str = "xiangqi", lang: str = "zh", backend: str | None = None
) -> tuple[int, str]:
    """Hold the dialogue with these answers: how many ways were shown, and what was written."""
    out = io.StringIO()
    shown = ask(as_board(board), lang=lang, read=io.StringIO(answers), write=out, backend=backend)
    return shown, out.getvalue()


def way(row: int, col: int, board: str = "xiangqi") -> str:
    """The lines of the way from a point counted from 1, made here."""
    points = [f"({r + 1},{c + 1})" for r, c in tour((row - 1, col - 1), board, strategy="course")]
    lines = ["->".join(points[k : k + 8]) for k in range(0, len(points), 8)]
    return " " + "\n->".join(lines) + "\n"


def test_the_authors_own_test_run(backend):
    # Row 0 is refused, 1 taken; column 10 is refused, 2 taken; the way is shown.
    shown, written = hold("0\n1\n10\n2\nn\n", backend=backend)
    assert shown == 1
    assert written == (
        f"{TITLE}\n\n{ROW}{BAD_ROW}\n{ROW}{COL}{BAD_COL}\n{COL}{PATH}\n{way(1, 2)}{AGAIN}"
    )


def test_the_way_has_eight_points_a_line_joined_by_arrows(backend):
    _, written = hold("1\n2\nn\n", backend=backend)
    lines = written.split(f"{PATH}\n")[1].removesuffix(AGAIN).splitlines()
    assert len(lines) == 12
    assert [line.count("(") for line in lines] == [8] * 11 + [2]
    assert lines[0].startswith(" (1,2)->(3,1)->(5,2)->")
    assert all(line.startswith("->(") for line in lines[1:])
    assert not any(line.endswith("->") for line in lines)
    points = [(int(r) - 1, int(c) - 1) for r, c in re.findall(r"\((\d+),(\d+)\)", "".join(lines))]
    assert points == tour((0, 1), strategy="course").tolist()
    assert len(set(points)) == 90


@pytest.mark.parametrize("point", [(1, 1), (5, 9), (6, 2), (7, 3)])
def test_the_four_points_where_004_found_nothing(backend, point):
    row, col = point
    shown, written = hold(f"{row}\n{col}\nn\n", backend=backend)
    assert shown == 1
    assert NONE not in written
    assert way(row, col) in written


def test_every_point_of_the_board_is_answered(backend):
    points = list(itertools.product(range(1, 11), range(1, 10)))
    answers = "y\n".join(f"{row}\n{col}\n" for row, col in points)
    shown, written = hold(answers + "n\n", backend=backend)
    assert shown == 90
    # Everything starts anew each time: the way is that of a first question.
    for row, col in points[::13]:
        assert way(row, col) in written
    assert written.count(TITLE) == 1
    assert written.count(AGAIN) == 90


BAD = ["", " ", "abc", "y", "0", "-1", "11", "1.5", "1,2", "1e3", "0x1", "９", "½", "²", "1 2"]
BAD += ["9" * 5000, "None", "\x00", "中"]


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_row_is_asked_again(bad):
    shown, written = hold(f"{bad}\n3\n4\nn\n")
    assert shown == 1
    assert written == f"{TITLE}\n\n{ROW}{BAD_ROW}\n{ROW}{COL}{PATH}\n{way(3, 4)}{AGAIN}"


@pytest.mark.parametrize("bad", [*BAD, "10"])
def test_what_is_no_column_is_asked_again(bad):
    shown, written = hold(f"3\n{bad}\n4\nn\n")
    assert shown == 1
    assert written == f"{TITLE}\n\n{ROW}{COL}{BAD_COL}\n{COL}{PATH}\n{way(3, 4)}{AGAIN}"


@pytest.mark.parametrize("good", ["10", " 10 ", "010", "\t10", "10\r"])
def test_spaces_around_a_number_do_no_harm(good):
    shown, written = hold(f"{good}\n 9 \nn\n")
    assert shown == 1
    assert way(10, 9) in written


def test_a_space_after_the_number_does_not_eat_the_next_answer():
    # In 004 the space after the 2 was taken for the answer to "again?".
    shown, written = hold("1\n2 \ny\n3\n3\nn\n")
    assert shown == 2
    assert written.count(AGAIN) == 2


@pytest.mark.parametrize("answer", ["n", "", "no", "Y", "yes", "是", "0", " n"])
def test_anything_but_y_ends_it(answer):
    shown, written = hold(f"1\n2\n{answer}\n5\n5\nn\n")
    assert shown == 1
    assert written.endswith(AGAIN)


@pytest.mark.parametrize("yes", ["y", " y", "y "])
def test_y_goes_on(yes):
    assert hold(f"1\n2\n{yes}\n5\n5\nn\n")[0] == 2


@pytest.mark.parametrize(
    ("answers", "shown", "last"),
    [
        ("", 0, ROW),
        ("x\n", 0, ROW),
        ("x", 0, ROW),
        ("1\n", 0, COL),
        ("1", 0, COL),
        ("1\nx\n", 0, COL),
        ("1\n2\n", 1, AGAIN),
        ("1\n2", 1, AGAIN),
        ("1\n2\ny\n", 1, ROW),
        ("1\n2\ny", 1, ROW),
        ("1\n2\ny\n3\n", 1, COL),
    ],
)
def test_the_end_of_the_input_ends_it_wherever_it_comes(answers, shown, last):
    count, written = hold(answers)
    assert count == shown
    assert written.endswith(f"{last}\n")


def test_the_same_in_english(backend):
    shown, written = hold("0\n1\n10\n2\ny\nx\n", lang="en", backend=backend)
    assert shown == 1
    assert written.isascii()
    assert written == (
        " The horse's tour of the xiangqi board \n\n"
        "Row of the starting point (1-10): Wrong input, please try again! (rows are 1-10)\n"
        "Row of the starting point (1-10): Column of the starting point (1-9): "
        "Wrong input, please try again! (columns are 1-9)\n"
        f"Column of the starting point (1-9): The knight's way:\n{way(1, 2)}"
        "Another tour? (yes: y, no: anything else): "
        "Row of the starting point (1-10): Wrong input, please try again! (rows are 1-10)\n"
        "Row of the starting point (1-10): \n"
    )


@pytest.mark.parametrize(("board", "rows", "cols"), [("5x6", 5, 6), ("6x5", 6, 5), ("chess", 8, 8)])
def test_other_boards_ask_in_their_own_range(backend, board, rows, cols):
    shown, written = hold(f"{rows + 1}\n{rows}\n{cols + 1}\n{cols}\nn\n", board, backend=backend)
    assert shown == 1
    assert f"(在1-{rows}之间)" in written
    assert f"(在1-{cols}之间)" in written
    assert f"(横坐标在1-{rows}之间)" in written
    assert f"(纵坐标在1-{cols}之间)" in written
    assert way(rows, cols, board) in written
    assert TITLE not in written


def test_no_tour_does_not_end_it(backend):
    # In 004 exit(0) ended the program there.
    shown, written = hold("1\n2\ny\n1\n1\nn\n", "3x4", backend=backend)
    assert f"{COL.replace('9', '4')}{NONE}\n{AGAIN}" in written
    assert shown == 1
    assert way(1, 1, "3x4") in written


def test_where_004_would_search_for_ever_the_library_answers(monkeypatch, backend):
    asked = []

    def find(start, board, *, strategy=None, max_nodes=None, backend=None):
        asked.append((strategy, max_nodes))
        if strategy is not None:
            raise SearchLimitError("gave up")
        if start == (0, 1):
            raise NoTourError("none", reason="colour-majority", source="here")
        return tour((0, 0), "5x5", strategy="course", backend=backend)

    monkeypatch.setattr(module, "tour", find)
    shown, written = hold("1\n2\ny\n1\n1\nn\n", "5x5", backend=backend)
    assert [strategy for strategy, _ in asked] == ["course", None, "course", None]
    assert all(limit for strategy, limit in asked if strategy)
    assert shown == 1
    assert NONE in written
    assert way(1, 1, "5x5") in written


def test_the_way_of_few_points():
    assert way_text([(0, 0)]) == " (1,1)"
    nine = [(k, k) for k in range(9)]
    assert way_text(nine[:8]).count("\n") == 0
    assert way_text(nine).endswith("(8,8)\n->(9,9)")


def test_an_unknown_engine_is_refused():
    with pytest.raises(InvalidInputError, match="backend='fast'"):
        hold("1\n2\n", backend="fast")


def test_a_board_with_a_hole_is_asked_about_too():
    from knighttour import Board

    out = io.StringIO()
    board = Board(3, 3, holes=[(1, 1)])
    shown = ask(board, lang="zh", read=io.StringIO("2\n2\ny\n1\n1\nn\n"), write=out)
    assert shown == 1
    assert out.getvalue().count(NONE) == 1
    assert out.getvalue().count("->") == 7
