"""python-chess and cchess themselves: their squares, moves and texts, both ways.

Skipped where a package is not installed; the rest of the suite has stand-ins for them.
"""

import itertools

import pytest

from knighttour import (
    Board,
    check,
    name_move,
    numbered_square,
    read_move,
    read_text,
    square_number,
    tour,
)

from .packages import other_package

XIANGQI = Board(10, 9, naming="iccs")


@pytest.fixture
def chess():
    return other_package("chess")


@pytest.fixture
def cchess():
    return other_package("cchess")


def test_squares_of_python_chess_are_squares(chess):
    board = Board(8, 8)
    for number, name in zip(chess.SQUARES, chess.SQUARE_NAMES, strict=True):
        assert board.check_square(number) == board.square(name) == numbered_square(number, board)
        assert square_number(name, board) == number
    found = tour(chess.A1, board="chess", end=chess.B1)
    assert found.names()[0] == "a1"
    assert found.names()[-1] == "b1"
    assert found.index(chess.A1) == 0
    assert found == tour("a1", "chess", end="b1")


@pytest.mark.parametrize("closed", [False, True])
def test_a_tour_as_squares_and_moves_of_python_chess(chess, closed):
    found = tour(chess.C3, board="chess", closed=closed)
    squares = found.numbers()
    assert [chess.square_name(square) for square in squares] == found.names()
    assert check(squares, "chess", form="numbers") == found
    assert check([chess.square_name(square) for square in squares]) == found
    moves = [chess.Move.from_uci(name) for name in found.move_names(closing=closed)]
    ends = [*squares, squares[0]] if closed else squares
    assert moves == [chess.Move(*pair) for pair in itertools.pairwise(ends)]
    assert check(moves, "chess") == found
    assert check([move.uci() for move in moves]) == found
    assert check(list(map(str, moves)), "chess", closed=closed) == found


def test_a_knight_of_python_chess_can_go_the_tour(chess):
    found = tour(chess.A1, board="chess")
    position = chess.Board("8/8/8/8/8/8/8/N7 w - - 0 1")
    for name in found.move_names():
        move = chess.Move.from_uci(name)
        assert move in position.pseudo_legal_moves
        position.push(move)
        position.turn = chess.WHITE
    assert check(position.move_stack, "chess") == found


@pytest.mark.parametrize("side", ["red", "black"])
def test_moves_of_cchess_are_a_tour_and_their_texts_are_ours(cchess, side):
    found = tour("b0", "xiangqi")
    horse, mover = {"red": ("N", "w"), "black": ("n", "b")}[side]
    position = cchess.ChessBoard(f"9/9/9/9/9/9/9/9/9/1{horse}7 {mover} - - 0 1")
    moves = []
    for name in found.move_names():
        moves.append(position.move_iccs(name))
        position.set_move_color(cchess.RED if side == "red" else cchess.BLACK)
    assert check(moves) == check(moves, "xiangqi") == found
    assert check([move.to_iccs() for move in moves]) == found
    texts = [move.to_text() for move in moves]
    ours = found.move_names("chinese", side=side)
    assert [text.replace("马", "馬") for text in texts] == [
        text.replace("马", "馬") for text in ours
    ]
    assert check(texts, start="b0") == read_text(" ".join(texts), start="b0") == found


@pytest.mark.parametrize("side", ["red", "black"])
@pytest.mark.parametrize(("here", "other"), [("d4", "d1"), ("d1", "d4")])
def test_of_two_horses_cchess_names_the_same_one(cchess, side, here, other):
    horse, mover = {"red": ("N", "w"), "black": ("n", "b")}[side]
    fen = f"9/9/9/9/9/3{horse}5/9/9/3{horse}5/9 {mover} - - 0 1"
    for end in XIANGQI.neighbours(here):
        text = cchess.ChessBoard(fen).move_iccs(here + XIANGQI.name(end)).to_text()
        ours = name_move(here, end, XIANGQI, "chinese", side=side, other=other)
        assert text.replace("马", "馬") == ours.replace("马", "馬")
        assert read_move(text, XIANGQI, here)[1] == end
