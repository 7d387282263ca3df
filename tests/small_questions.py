"""Random questions about small boards of every kind, and what trying everything answers to them.

A question is described by plain data, and its moves are computed here from the rules alone: no code
of the package takes part in the expected answers.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import NamedTuple

from knighttour import Board, complete, tour

Square = tuple[int, int]

KINDS = ("holes", "leaper", "cylinder", "torus", "leg rule", "no leg rule")
TASKS = ("open", "closed", "start", "both ends", "closed from", "moves", "numbers")

#: What is tried has at most so many squares.
MOST = 13

_SIZES = ((3, 4), (3, 5), (2, 6), (4, 4), (1, 6), (3, 3), (3, 6), (4, 5), (1, 2))
_WIDE = ((4, 5), (5, 5), (5, 6), (6, 7), (3, 8))
_LETTERS = "kabnrcpKABNRCPhHeE"


class Question(NamedTuple):
    """One question: the board as the package takes it, and everything that is asked of a tour."""

    board: Board
    kind: str
    task: str
    #: the squares, and for each the squares that one move leads to
    moves: dict[Square, list[Square]]
    closed: bool
    start: Square | None
    end: Square | None
    required: list[tuple[Square, Square]]
    forbidden: list[tuple[Square, Square]]
    #: step, counted from 1 -> square
    numbers: dict[int, Square]

    def ask(self, backend: str) -> tuple[list[list[Square]], bool | None]:
        """Return the answers of the package, and whether it says that there is no other."""
        if self.task not in ("moves", "numbers"):
            found = tour(self.start, self.board, end=self.end, closed=self.closed, backend=backend)
            return [found.tolist()], None
        answer = complete(
            self.grid(),
            self.board,
            closed=self.closed,
            unique=True,
            required=self.required,
            forbidden=self.forbidden,
            backend=backend,
        )
        both = [answer.tour, answer.second]
        return [found.tolist() for found in both if found is not None], answer.unique

    def grid(self) -> list[list[int]]:
        """Return the partial numbering as `complete` takes it."""
        rows = [[0] * self.board.cols for _ in range(self.board.rows)]
        for step, (row, col) in self.numbers.items():
            rows[row][col] = step
        return rows

    def wants(self, walk: list[Square]) -> bool:
        """Whether a walk is an answer, by the rules alone."""
        steps = list(pairwise(walk))
        if self.closed:
            steps.append((walk[-1], walk[0]))
        made = set(steps)
        return (
            sorted(walk) == sorted(self.moves)
            and (not self.closed or len(walk) > 2)
            and all(there in self.moves[here] for here, there in steps)
            and self.start in (None, walk[0])
            and self.end in (None, walk[-1])
            and all(walk[step - 1] == square for step, square in self.numbers.items())
            and not any(self.both(move) & made for move in self.forbidden)
            and all(self.both(move) & made for move in self.required)
        )

    def both(self, move: tuple[Square, Square]) -> set[tuple[Square, Square]]:
        """Return a move and, unless pieces make some move of the board one-way, its reverse."""
        one, other = move
        return {move} if self.one_way else {move, (other, one)}

    @property
    def one_way(self) -> bool:
        """Whether some move of the board cannot be taken back."""
        return any(
            here not in self.moves[there] for here in self.moves for there in self.moves[here]
        )

    def answers(self, most: int) -> list[list[Square]]:
        """Return up to so many answers, found by trying everything."""
        found: list[list[Square]] = []
        where = self.numbers
        fixed = {square: step for step, square in where.items()}
        never = set().union(*(self.both(move) for move in self.forbidden))
        path: list[Square] = []
        size = len(self.moves)

        def extend(choices: list[Square]) -> None:
            step = len(path) + 1
            for square in choices:
                if square in path or fixed.get(square, step) != step:
                    continue
                if where.get(step, square) != square or (path and (path[-1], square) in never):
                    continue
                path.append(square)
                if step == size:
                    if self.wants(path):
                        found.append(list(path))
                else:
                    extend(self.moves[square])
                path.pop()
                if len(found) >= most:
                    return

        first = [self.start] if self.start is not None else list(self.moves)
        if self.closed and self.start is None and self.end is None and not where:
            # A closed tour can be begun anywhere, so it is enough to begin it on one square.
            first = first[:1]
        if size:
            extend(first)
        return found


def moves_of(
    squares: list[Square],
    rows: int,
    cols: int,
    leaper: Square = (1, 2),
    wrap: str | None = None,
    pieces: frozenset[Square] = frozenset(),
) -> dict[Square, list[Square]]:
    """Return the moves by their rules: |drow|, |dcol| are a and b; a piece on the leg blocks."""
    down = range(-3, 4) if wrap in ("rows", "torus") else (0,)
    along = range(-3, 4) if wrap in ("cols", "torus") else (0,)
    table: dict[Square, list[Square]] = {}
    for row, col in squares:
        table[row, col] = []
        for other in squares:
            ways = [
                (other[0] - row + i * rows, other[1] - col + j * cols) for i in down for j in along
            ]
            fitting = [way for way in ways if sorted(map(abs, way)) == sorted(leaper)]
            for drow, dcol in fitting[:1]:
                leg = (row + drow // 2, col) if abs(drow) == 2 else (row, col + dcol // 2)
                if other != (row, col) and leg not in pieces:
                    table[row, col].append(other)
    return table


def question(number: int) -> Question:
    """Return the question of that number; neighbouring numbers have different kinds and tasks."""
    source = random.Random(f"question {number}")
    kind = KINDS[number % len(KINDS)]
    task = TASKS[number // len(KINDS) % len(TASKS)]
    start = end = None
    closed = task in ("closed", "closed from") or (
        task in ("moves", "numbers") and source.random() < 0.3
    )
    while True:
        board, moves = _board(source, kind, closed)
        if len(moves) >= (1 if source.random() < 0.02 else 4):
            break
    squares = sorted(moves)
    if task in ("start", "both ends", "closed from"):
        start = source.choice(squares)
    if task == "both ends":
        end = source.choice(squares)
        some = Question(board, kind, task, moves, closed, None, None, [], [], {}).answers(9)
        if some and source.random() < 0.6:
            start, end = some[-1][0], some[-1][-1]
    if task == "start" and source.random() < 0.3:
        start, end = None, start
    bare = Question(board, kind, task, moves, closed, start, end, [], [], {})
    if task == "moves":
        arcs = [(one, other) for one in squares for other in moves[one]]
        few = min(len(arcs), source.choice([1, 1, 2, 3]))
        chosen = source.sample(arcs, few)
        cut = source.randrange(few + 1)
        return bare._replace(required=chosen[:cut], forbidden=chosen[cut:])
    if task == "numbers":
        hidden = bare.answers(source.choice([1, 1, 5, 50]))
        order = hidden[-1] if hidden else source.sample(squares, len(squares))
        steps = source.sample(
            range(1, len(order) + 1), min(len(order), source.choice([1, 2, 3, 5]))
        )
        numbers = {step: order[step - 1] for step in steps}
        if len(steps) > 1 and source.random() < 0.25:  # two numbers exchanged: most often wrong
            one, other = steps[:2]
            numbers[one], numbers[other] = numbers[other], numbers[one]
        return bare._replace(numbers=numbers)
    return bare


def _board(
    source: random.Random, kind: str, closed: bool
) -> tuple[Board, dict[Square, list[Square]]]:
    """Return a random board of a kind, and its moves."""
    # Half of the boards are made of the squares of a random walk, so that many have a tour.
    walked = source.random() < 0.6
    rows, cols = source.choice(_WIDE if walked else _SIZES)
    if source.random() < 0.5:
        rows, cols = cols, rows
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    leaper = (1, 2)
    wrap = None
    if kind == "leaper":
        leaper = source.choice([(0, 1), (1, 1), (0, 2), (1, 3), (2, 3), (1, 4), (2, 2)])
    if kind == "cylinder" or (kind == "leaper" and source.random() < 0.3):
        wrap = source.choice(["rows", "cols"])
    if kind == "torus":
        wrap = "torus"
    xiangqi = kind in ("leg rule", "no leg rule")
    share = source.choice([0, 0, 0.05, 0.1, 0.2, 0.3])
    if walked:
        share = share / 2 if xiangqi else 0
    taken = {cell for cell in cells if source.random() < share}  # holes, or pieces
    if xiangqi:
        # Pieces around the points that are toured hobble too.
        around = [(row, col) for row in range(10) for col in range(9) if (row, col) not in cells]
        taken |= {point for point in around if source.random() < share}
    hobbling = frozenset(taken if kind == "leg rule" else ())
    size = (10, 9) if xiangqi else (rows, cols)
    squares = [cell for cell in cells if cell not in taken]
    if walked:
        moves = moves_of(squares, *size, leaper, wrap, hobbling)
        squares = sorted(_walk(source, moves, closed))
    while len(squares) > MOST:
        squares.remove(source.choice(squares))
    moves = moves_of(squares, *size, leaper, wrap, hobbling)
    if not xiangqi:
        holes = [cell for cell in cells if cell not in squares]
        return Board(rows, cols, holes=holes, leaper=leaper, wrap=wrap), moves
    text = "/".join(
        "".join(source.choice(_LETTERS) if (row, col) in taken else "1" for col in range(9))
        for row in range(10)
    )
    return Board.from_fen(text, kind == "leg rule", points=squares), moves


def _walk(source: random.Random, moves: dict[Square, list[Square]], closed: bool) -> list[Square]:
    """Return a random walk that meets no square twice; where it can be, one that closes."""
    best: list[Square] = []
    for _ in range(40):
        walk = [source.choice(list(moves))]
        while len(walk) < MOST:
            ahead = [square for square in moves[walk[-1]] if square not in walk]
            if not ahead:
                break
            walk.append(source.choice(ahead))
            if closed and len(walk) > 5 and walk[0] in moves[walk[-1]]:
                return walk
        if len(walk) > len(best):
            best = walk
        if not closed and len(best) > 7:
            break
    return best
