"""Is it a tour, and of what kind? `check` finds every fault, `classify` describes a tour.

A numbered grid is checked in two passes: every cell is entered at the place of its number, which
shows what is missing, repeated and out of range; then every square is compared with the next. The
test of a move is exactly {|drow|, |dcol|} = {1, 2}, or the board's own graph. A plain board takes
7 ns a square compiled, 0.2 microseconds in Python, and at times 8 bytes a square besides the grid.

`classify` reads everything off the order of the squares and the directions of the moves. Crossings
are exact: two knight's moves cross if and only if their segments have an inner point in common
(none of them has a lattice point inside), a move can be crossed by nine others at most, and all
pairs of one relative position are counted at once in big integers used as sets of squares. About
0.3 microseconds a square on either engine.

Known answers: tests/data/tours.json has fifty tours and non-tours with their properties; Euler's
tour of 1759 is symmetric by a half turn with a step difference of 32; Beverley's of 1848 has rows
and columns of 260 and diagonals of 210 and 282.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from ._engine import Engine, get_engine
from .answer import _PIECE, SYMMETRIES, Tour, _affine, _check_memory, _whole, path_of
from .board import KNIGHT_MOVES, MAX_SQUARES, Board, BoardLike, SquareLike, _coordinate, as_board
from .errors import InvalidInputError, InvalidTourError, Square
from .notation import RANKS, SIDES, column_number, is_relative_move, numbered_square, read_move

__all__ = [
    "HOLE_MARKS",
    "MOST_FAULTS",
    "Classification",
    "Faults",
    "IllegalStep",
    "Reading",
    "Symmetry",
    "check",
    "classify",
    "is_same_tour",
]

#: Of each kind of fault, so many are listed; all are counted.
MOST_FAULTS = 100_000

#: What stands for a hole in a grid, besides None.
HOLE_MARKS = frozenset(
    ["*", "**", "***", ".", "..", "#", "##", "###", "-", "--", "x", "xx", "X", "XX", "■", "█", "□",
     "·", "None", "none", "null", "NaN", "nan", ""]
)  # fmt: skip

#: Grids are checked so many cells at a time; in between Ctrl-C is noticed.
_WINDOW = 1 << 22

#: More squares than this do not fit the 32-bit indices of a stored tour.
_MOST_SQUARES = 2**31 - 1

_NAME = re.compile(r"([A-Za-z]{1,14})([0-9]{1,18})")
#: One square or two, with the letter of a knight or horse before them or not.
_MOVE = re.compile(
    r"(?:[NH](?=[a-z])|[马馬傌])?([A-Za-z]{1,14}[0-9]{1,18})(?:[-x]?([A-Za-z]{1,14}[0-9]{1,18}))?"
)


class IllegalStep(NamedTuple):
    """A step that is no move: its two numbers, and the squares that they stand on."""

    number: int
    next_number: int
    square: Square
    next_square: Square


@dataclass(frozen=True, slots=True)
class Faults:
    """Everything that is wrong with something that claims to be a tour.

    Numbers are those that the grid prints; the entries of a list are counted from `base`. Of each
    kind up to `MOST_FAULTS` are listed, and `counts` has how many there are. It is false when there
    is no fault.

    >>> try:
    ...     check([[11, 8, 5, 0], [0, 3, 10, 7], [9, 6, 1, 4]], base=0)
    ... except InvalidTourError as error:
    ...     print(error.faults.missing, error.faults.repeated)
    (2,) {0: ((0, 3), (1, 0))}
    """

    #: rows and columns of the board
    shape: Square
    #: the number of the first step
    base: int
    #: numbers that no cell holds
    missing: tuple[int, ...] = ()
    #: numbers that several cells hold, with those cells
    repeated: Mapping[int, tuple[Square, ...]] = field(default_factory=dict)
    #: numbers that there should not be, with their cells
    out_of_range: Mapping[int, tuple[Square, ...]] = field(default_factory=dict)
    #: steps that are no moves; none is tested through a repeated number
    illegal_steps: tuple[IllegalStep, ...] = ()
    #: squares that a list does not visit
    missing_squares: tuple[Square, ...] = ()
    #: squares that a list visits several times, with the numbers of those entries
    repeated_squares: Mapping[Square, tuple[int, ...]] = field(default_factory=dict)
    #: entries of a list that are no squares of the board
    outside: Mapping[int, Square] = field(default_factory=dict)
    #: (required, found) where the first square is another one than required
    start: tuple[Square, Square | None] | None = None
    #: (required, found) where the last square is another one than required
    end: tuple[Square, Square | None] | None = None
    #: whether a closed tour was required and this is none
    not_closed: bool = False
    #: how many there are of each kind, by the names of the fields
    counts: Mapping[str, int] = field(default_factory=dict)
    #: what has been assumed about the input
    note: str = ""

    def __bool__(self) -> bool:
        return any(self.counts.values())

    def __str__(self) -> str:
        return "; ".join(self.sentences())

    def sentences(self, most: int = 5) -> list[str]:
        """Say what is wrong, one sentence a kind, with `most` examples each."""
        said = []
        for number, squares in islice(self.repeated.items(), most):
            places = _listed([str(square) for square in squares], most)
            said.append(f"{number} stands on {len(squares)} squares, {places}")
        said += self._more("repeated", self.repeated, most, "repeated numbers")
        if self.missing:
            numbers = _listed([str(number) for number in self.missing[:most]], most)
            rest = self.counts["missing"] - most
            verb = "is" if self.counts["missing"] == 1 else "are"
            said.append(f"{numbers}{f' and {rest} more' if rest > 0 else ''} {verb} missing")
        for number, squares in islice(self.out_of_range.items(), most):
            said.append(f"{number} on {squares[0]} is out of range")
        said += self._more("out_of_range", self.out_of_range, most, "numbers out of range")
        for square, entries in islice(self.repeated_squares.items(), most):
            said.append(f"{square} is visited by the entries {_listed(entries, most)}")
        said += self._more("repeated_squares", self.repeated_squares, most, "repeated squares")
        if self.missing_squares:
            places = _listed([str(square) for square in self.missing_squares[:most]], most)
            rest = self.counts["missing_squares"] - most
            verb = "is" if self.counts["missing_squares"] == 1 else "are"
            said.append(f"{places}{f' and {rest} more' if rest > 0 else ''} {verb} not visited")
        for entry, pair in islice(self.outside.items(), most):
            said.append(f"entry {entry}, {pair}, is no square of the board")
        said += self._more("outside", self.outside, most, "entries outside")
        for step in self.illegal_steps[:most]:
            said.append(
                f"the step {step.number} -> {step.next_number}, {step.square} to "
                f"{step.next_square}, is no move"
            )
        said += self._more("illegal_steps", self.illegal_steps, most, "illegal steps")
        for what, fault in (("start", self.start), ("end", self.end)):
            if fault is not None:
                found = "no single square" if fault[1] is None else fault[1]
                said.append(f"it {what}s on {found}, and {fault[0]} is required")
        if self.not_closed:
            said.append("no move leads from its end to its start, and a closed tour is required")
        return said

    def _more(self, what: str, listed: Any, most: int, words: str) -> list[str]:
        rest = self.counts.get(what, 0) - min(most, len(listed))
        return [f"{rest} more {words}"] if rest > 0 else []


def _listed(things: Iterable[object], most: int) -> str:
    words = [str(thing) for thing in things]
    if len(words) > most:
        words = [*words[:most], f"{len(words) - most} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    r"""What somebody wrote down as a tour, before anybody has checked it.

    Either `numbers` (a grid) or `entries` (a list of squares) is there; `check` makes a `Tour` of
    it.

    >>> from knighttour import scan_text
    >>> reading = scan_text("1 4 7 10; 12 9 2 5; 3 6 11 8".replace("; ", "\n"))[0]
    >>> reading.rows, reading.cols, reading.check()
    (3, 4, <Tour 3x4 open, a3 to a2, 12 squares>)
    """

    rows: int
    cols: int
    #: the numbers of a grid, row by row: a flat buffer of int32 or int64
    numbers: memoryview | None = None
    #: the squares of a list, in the order of visit; they may be outside the board
    entries: Sequence[Square] | None = None
    #: cells that are no squares
    holes: tuple[Square, ...] = ()
    #: the number of the first step; None where the numbers have to tell
    base: int | None = None
    #: how the squares were named
    naming: str = "algebraic"
    #: the board that was asked for, or None
    board: Board | None = None
    #: in what form it was written
    form: str = "grid"
    #: the line of the file where it begins, from 1
    line: int = 1

    def __reduce__(self) -> tuple[Any, ...]:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        form: str | None = None
        if self.numbers is not None:  # Python pickles no buffer
            values["numbers"], form = self.numbers.tobytes(), self.numbers.format
        return _reading, (values, form)

    def check(
        self,
        *,
        start: SquareLike | None = None,
        end: SquareLike | None = None,
        closed: bool | None = None,
        backend: str | None = None,
    ) -> Tour:
        """Return it as a `Tour`, or raise `InvalidTourError` with every fault; see `check`."""
        engine = get_engine(backend)
        board = self.board
        squares = b""
        if board is None:
            board = Board(self.rows, self.cols, naming=self.naming, holes=self.holes)
        if len(board) != board.rows * board.cols:
            mask = bytearray(board.rows * board.cols)
            for row, col in board.squares:
                mask[row * board.cols + col] = 1
            squares = bytes(mask)
        if self.numbers is not None:
            order, faults = _check_grid(self.numbers, board, squares, self.base, engine)
        else:
            assert self.entries is not None
            order, faults, closes = _check_entries(self.entries, board, self.base or 0, engine)
            closed = closed or closes
        faults = _check_ends(order, board, faults, start, end, closed)
        if faults:
            raise InvalidTourError(f"not a tour of {board}: {faults}{faults.note}", faults=faults)
        path = path_of(board, bytes(order), engine)
        return Tour(board, path, ("check", board.size, 0, 0.0, 0))


def _reading(values: dict[str, Any], form: str | None) -> Reading:
    """Return a pickled `Reading`."""
    if form is not None:
        values = {**values, "numbers": memoryview(values["numbers"]).cast(form)}  # type: ignore[call-overload]
    return Reading(**values)


def check(
    tour: Any,
    board: BoardLike | None = None,
    *,
    base: int | None = None,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool | None = None,
    form: str | None = None,
    ranks: str | None = None,
    side: str | None = None,
    backend: str | None = None,
) -> Tour:
    """Return a grid or a list of squares as a `Tour`, or say everything that is wrong with it.

    Args:
        tour: a grid of step numbers (list of rows, or a two-dimensional array of ints; None,
            ``"*"``, ``"."`` and the like are holes), or the squares in the order of visit (pairs
            ``(row, col)`` from 0, or names), or the moves (names in the styles of `name_move`, or
            objects of python-chess and cchess), or a `Tour` or a `Reading`. A list of squares may
            end with its first square once more: then it claims to be a closed tour.
        board: the board, None for the size of the grid or the smallest board with those squares.
        base: the number of the first step; None takes 1, or 0 where only that can be. The entries
            of a list are counted from it, by default from 0.
        start: the square where it has to start, and where moves such as 马二进三 begin.
        end: the square where it has to end.
        closed: True if it has to be closed.
        form: ``"grid"``, ``"squares"``, ``"steps"`` (a flat list of step numbers, row by row),
            ``"order"`` (a flat list of indices row * cols + col in the order of visit) or
            ``"numbers"`` (square numbers of python-chess or cchess, from the bottom left). A flat
            list of numbers needs one of the last three and a board. Rows of two are squares unless
            the board has two columns. Objects with `from_square` and `to_square` (moves of
            python-chess and packages made like it) hold such numbers, and need a board; those with
            `p_from` and `p_to` (moves of cchess) hold (x, y) from the bottom left.
        ranks: how the ranks of names count, ``"0-9"`` or ``"1-10"``; None as the board has them.
        side: who makes moves such as H2+3, ``"red"`` or ``"black"``; None as for `read_move`.
        backend: ``"core"`` or ``"pure"`` for this call.

    Raises:
        InvalidTourError: it is no tour; its `faults` has every fault.
        InvalidInputError: it cannot be understood, or not in one way only.
        SearchLimitError: no memory for ten bytes a square.

    The test of a move is exactly ``{|drow|, |dcol|} = {1, 2}`` (or the graph of `board`), and no
    step is tested through a repeated number. A million squares of an array take 7 ms compiled,
    0.2 s in Python; of a list of lists 40 ms more.

    >>> check([[0, 3, 6, 9], [11, 8, 1, 4], [2, 5, 10, 7]])
    <Tour 3x4 open, a3 to a2, 12 squares>
    >>> try:
    ...     check([[8, 3, 6], [5, 0, 1], [2, 7, 4]], base=0)
    ... except InvalidTourError as error:
    ...     print(error)
    not a tour of 3x3: the step 0 -> 1, (1, 1) to (1, 2), is no move
    """
    asked = None if board is None else as_board(board)
    if isinstance(tour, Tour):
        if asked is not None and asked != tour.board:
            raise InvalidInputError(f"this is a tour of {tour.board}, not of {asked}")
        tour.verify()
        ends = memoryview(array("q", [_flat(tour.board, s) for s in (tour.start, tour.end)]))
        faults = Faults(tour.board.shape, 1 if base is None else base)
        faults = _check_ends(ends, tour.board, faults, start, end, closed)
        if faults:
            raise InvalidTourError(f"not such a tour of {tour.board}: {faults}", faults=faults)
        return tour
    if isinstance(tour, Reading):
        reading = tour
    else:
        reading = as_reading(tour, asked, base, form, start, side, ranks)
    if asked is not None:
        reading = on_board(reading, asked)
    if base is not None:
        reading = replace(reading, base=_check_base(base))
    return reading.check(start=start, end=end, closed=closed, backend=backend)


def on_board(reading: Reading, board: Board) -> Reading:
    """Return the reading as one of a board of the caller's choice."""
    if reading.numbers is not None and (reading.rows, reading.cols) != board.shape:
        raise InvalidInputError(
            f"the grid has {reading.rows} rows and {reading.cols} columns, and the board is {board}"
        )
    extra = [hole for hole in reading.holes if hole in board.squares]
    if extra:
        raise InvalidInputError(f"the grid has a hole on {extra[0]}, and {board} has a square")
    return replace(reading, board=board)


def _flat(board: Board, square: Square) -> int:
    return square[0] * board.cols + square[1]


def _check_base(base: object) -> int:
    number = _whole("base", base)
    if not -(2**62) <= number <= 2**62:
        raise InvalidInputError(
            f"base={number} is too large: use 0, 1 or what the grid begins with"
        )
    return number


# From Python objects to readings


def as_reading(
    tour: Any,
    board: Board | None = None,
    base: int | None = None,
    form: str | None = None,
    start: SquareLike | None = None,
    side: str | None = None,
    ranks: str | None = None,
) -> Reading:
    """Return a grid or a list of squares, as Python has them, as a `Reading`.

    Args:
        tour, board, base, form: as for `check`.
        start: where relative moves begin.
        side: who makes them; None as for `read_move`.
        ranks: how the ranks of names count.

    Raises:
        InvalidInputError: it cannot be understood, or not in one way only.
    """
    if form not in (None, "grid", "squares", "steps", "order", "numbers"):
        raise InvalidInputError(
            f"form={form!r} is unknown: use 'grid', 'squares', 'steps', 'order', 'numbers' or None"
        )
    for what, value, known in (("ranks", ranks, RANKS), ("side", side, SIDES)):
        if value is not None and (not isinstance(value, str) or value not in known):
            raise InvalidInputError(
                f"{what}={value!r} is unknown: use {' or '.join(map(repr, known))}"
            )
    base = None if base is None else _check_base(base)
    if isinstance(tour, (str, bytes)):
        raise InvalidInputError(
            "check() takes grids and lists: use read_text(text) for a text and read(file) for a "
            "file"
        )
    view = _integer_view(tour)
    shape = None if view is None else view.shape
    if view is not None and shape is not None and view.ndim == 2:
        if 0 in shape:
            raise InvalidInputError(f"a grid of {shape[0]}x{shape[1]} has no squares")
        if not _means_pairs(shape, board, form):
            flat = view.cast("B").cast("i" if view.itemsize == 4 else "q")
            return Reading(shape[0], shape[1], numbers=flat, base=base)
    if hasattr(tour, "to_numpy"):  # a table of pandas and the like
        tour = tour.to_numpy()
    if hasattr(tour, "tolist"):
        tour = tour.tolist()
    if isinstance(tour, (dict, set, frozenset)):
        raise InvalidInputError(f"a {type(tour).__name__} has no order: use a list of squares")
    try:
        things = list(tour)
    except TypeError:
        raise InvalidInputError(
            f"{tour!r} is no tour: use a grid (a list of rows) or a list of squares"
        ) from None
    if not things:
        raise InvalidInputError("an empty list is no tour: use a grid or a list of squares")
    if all(isinstance(thing, str) for thing in things):
        return from_words(things, board, base, start, side, ranks)
    for names in _MOVE_ATTRIBUTES:
        if all(all(hasattr(thing, name) for name in names) for thing in things):
            return _from_moves(things, names, board, base)
    if all(_coordinate(thing) is not None for thing in things):
        return _from_flat(things, board, base, form)
    return _from_rows(things, board, base, form)


def _integer_view(tour: Any) -> memoryview | None:
    """Return the buffer of an array of 4- or 8-byte signed integers, None for everything else."""
    try:
        view = memoryview(tour)
    except TypeError:
        return None
    fits = view.format in ("i", "l", "q") and view.itemsize in (4, 8) and view.c_contiguous
    return view if fits else None


def _means_pairs(shape: Sequence[int], board: Board | None, form: str | None) -> bool:
    """Whether rows of this shape are squares: no board of two columns has a tour."""
    if form is not None:
        return form == "squares"
    return shape[1] == 2 and not (board is not None and board.shape == (shape[0], 2))


def from_words(
    words: list[str],
    board: Board | None,
    base: int | None = None,
    start: SquareLike | None = None,
    side: str | None = None,
    ranks: str | None = None,
) -> Reading:
    """Read names of squares, or of moves in one of the styles of `name_move`.

    Raises:
        InvalidInputError: a word that is neither, or moves that do not follow each other.
    """
    words = [word.strip() for word in words]
    if all(map(_NAME.fullmatch, words)):
        return _from_names(words, board, base, ranks)
    if any(map(is_relative_move, words)):
        return _from_relative(words, board, base, start, side, ranks)
    names: list[str] = []
    for number, word in enumerate(words):
        match = _MOVE.fullmatch(word)
        if match is None:
            raise InvalidInputError(
                f"{word[:40]!r} is not the name of a square, such as a1 or i9, and not the name of "
                "a move, such as a1c2"
            )
        # A list may begin with the square where the first move begins.
        first, second = match[1], match[2] or match[1]
        if names and match[2] is not None and first.lower() != names[-1].lower():
            raise InvalidInputError(
                f"move {number}, {word!r}, does not begin on {names[-1]}, where the one before ends"
            )
        names += [first, second] if not names and match[2] else [second]
    return replace(_from_names(names, board, base, ranks), form="moves")


def _from_names(
    names: list[str], board: Board | None, base: int | None, ranks: str | None
) -> Reading:
    if board is not None:
        entries = [board.square(name, ranks=ranks) for name in names]
        return Reading(*board.shape, entries=entries, base=base, naming=board.naming, form="names")
    pairs = []
    for name in names:
        match = _NAME.fullmatch(name)
        if match is None:
            raise InvalidInputError(f"{name[:40]!r} is not the name of a square, such as a1 or i9")
        pairs.append((int(match[2]), column_number(match[1])))
    bottom = min(1, min(rank for rank, _ in pairs))
    if ranks is not None:
        if bottom < RANKS[ranks]:
            raise InvalidInputError("a rank 0 occurs, and ranks='1-10' count from 1")
        bottom = RANKS[ranks]
    naming = "algebraic" if bottom else "iccs"
    rows, cols = max(rank for rank, _ in pairs) - bottom + 1, max(col for _, col in pairs) + 1
    entries = [(rows - 1 - (rank - bottom), col) for rank, col in pairs]
    if rows * cols >= MAX_SQUARES:
        raise InvalidInputError(f"these names need a board of {rows}x{cols}: too large")
    return Reading(rows, cols, entries=entries, base=base, naming=naming, form="names")


def _from_relative(
    words: list[str],
    board: Board | None,
    base: int | None,
    start: SquareLike | None,
    side: str | None,
    ranks: str | None,
) -> Reading:
    """Read moves such as 马二进三 or H2+3, which say where they go but not where they begin."""
    board = as_board("xiangqi") if board is None else board
    square = None
    if _NAME.fullmatch(words[0]):
        # On the board of xiangqi such moves go with ICCS, whatever its squares are called.
        named = as_board("xiangqi") if board.shape == (10, 9) else board
        square = named.square(words[0], ranks=ranks)
        words = words[1:]
    elif start is not None:
        square = board.check_square(start, "start")
    if square is None:
        raise InvalidInputError(
            "relative moves do not say where they begin: start= does, or a name before the first"
        )
    sides: list[str | None] = [side]
    if side is None and not any(set(word) & set("一二三四五六七八九NnHh") for word in words):
        # Arabic figures are black's in books, but many programs write them for both sides.
        sides = ["black", "red"]
    entries: list[Square] = []
    for number, mover in enumerate(sides, 1):
        entries = [square]
        try:
            for word in words:
                entries.append(read_move(word, board, entries[-1], side=mover)[1])
        except InvalidInputError:
            if number == len(sides):
                raise
        else:
            break
    return Reading(*board.shape, entries=entries, base=base, naming=board.naming, form="moves")


#: What moves of other packages are called: python-chess and its like (numbers), cchess (x, y-up).
_MOVE_ATTRIBUTES = (("from_square", "to_square"), ("p_from", "p_to"))


def _from_moves(
    moves: list[Any], names: tuple[str, str], board: Board | None, base: int | None
) -> Reading:
    """Read the moves of python-chess or cchess: objects with two squares."""
    numbered = names == _MOVE_ATTRIBUTES[0]
    if board is None and numbered:
        raise InvalidInputError(
            "these moves number their squares: board='chess' or board='xiangqi' says of which board"
        )
    board = as_board("xiangqi") if board is None else board
    read = numbered_square if numbered else _square_from_below
    entries = [read(getattr(moves[0], names[0]), board)]
    for number, move in enumerate(moves):
        start, end = (read(getattr(move, name), board) for name in names)
        if start != entries[-1]:
            raise InvalidInputError(
                f"move {number} begins on {board.name(start)}, and the one before ends on "
                f"{board.name(entries[-1])}"
            )
        entries.append(end)
    return Reading(*board.shape, entries=entries, base=base, naming=board.naming, form="moves")


def _square_from_below(place: Any, board: Board) -> Square:
    """Return the square of a pair (x, y) of cchess, which counts y from the bottom."""
    try:
        col, up = map(_coordinate, place)
    except (TypeError, ValueError):
        col = up = None
    if col is None or up is None:
        raise InvalidInputError(f"{place!r:.40} is no (x, y) of a move")
    return board.check_square((board.rows - 1 - up, col), f"(x, y) = {place}, which is")


def _from_flat(
    numbers: list[Any], board: Board | None, base: int | None, form: str | None
) -> Reading:
    count = len(numbers)
    if form == "numbers" and board is not None:
        entries = [numbered_square(number, board) for number in numbers]
        return Reading(*board.shape, entries=entries, base=base, naming=board.naming, form=form)
    if form not in ("steps", "order") or board is None:
        sizes = ", ".join(f"{k}x{count // k}" for k in range(3, count // 3 + 1) if count % k == 0)
        raise InvalidInputError(
            f"{count} numbers in one row can be the step numbers row by row (form='steps'), the "
            "indices row * cols + col of the squares in the order of visit (form='order') or their "
            "numbers from the bottom left, as in python-chess (form='numbers'), and need a board"
            + (f", such as {sizes}" if 0 < len(sizes) < 200 else "")
        )
    if form == "order":
        entries = [divmod(int(number), board.cols) for number in numbers]
        return Reading(*board.shape, entries=entries, base=base, naming=board.naming, form=form)
    if count != board.rows * board.cols:
        raise InvalidInputError(f"{count} numbers cannot be the grid of {board}")
    return Reading(*board.shape, numbers=_numbers(numbers, board.cols), base=base, form=form)


def _from_rows(rows: list[Any], board: Board | None, base: int | None, form: str | None) -> Reading:
    table = []
    for number, row in enumerate(rows):
        if isinstance(row, (str, bytes, dict, set, frozenset)):
            raise InvalidInputError(f"row {number}, {row!r:.60}, is no list")
        try:
            table.append(list(row))
        except TypeError:
            raise InvalidInputError(
                f"row {number}, {row!r:.60}, is no list: a grid is a list of rows, a tour a list "
                "of (row, col) pairs or names"
            ) from None
    width = len(table[0])
    for number, cells in enumerate(table):
        if len(cells) != width:
            raise InvalidInputError(
                f"row {number} has {len(cells)} cells and row 0 has {width}: write holes as None "
                "or '*'"
            )
    if width == 0:
        raise InvalidInputError("the rows of the grid are empty")
    if width == 2 and _means_pairs((len(table), 2), board, form):
        return _from_pairs(table, board, base)
    if form == "squares":
        raise InvalidInputError(f"squares are pairs (row, col), and row 0 has {width} cells")
    holes: list[Square] = []
    numbers: list[int] = []
    for r, cells in enumerate(table):
        if set(map(type, cells)) == {int}:  # most grids, at the speed of C
            numbers.extend(cells)
            continue
        for c, cell in enumerate(cells):
            number = _cell(cell)
            if number is None:
                holes.append((r, c))
                number = 0
            elif number is NotImplemented:
                raise InvalidInputError(
                    f"{cell!r:.60} in row {r}, column {c}, is no step number: use whole numbers, "
                    "and None or '*' for holes"
                )
            numbers.append(number)
    if len(holes) == len(numbers):
        raise InvalidInputError("the grid has no squares: all cells are holes")
    flat = _numbers(numbers, width)
    return Reading(len(table), width, numbers=flat, holes=tuple(holes), base=base)


def _cell(cell: Any) -> Any:
    """Return the number of a cell, None for a hole, NotImplemented for anything else."""
    if cell is None:
        return None
    if isinstance(cell, str):
        word = cell.strip()
        if word in HOLE_MARKS:
            return None
        if word.isascii() and word.lstrip("-").isdigit() and len(word) < 20:
            return int(word)
        return NotImplemented
    number = _coordinate(cell)
    return NotImplemented if number is None else number


def _numbers(numbers: list[Any], cols: int) -> memoryview:
    try:
        return memoryview(array("q", numbers))
    except OverflowError:
        for k, number in enumerate(numbers):
            if not -(2**63) <= number < 2**63:
                where, digits = divmod(k, cols), f"{abs(number):x}"
                raise InvalidInputError(
                    f"the number on {where} has {len(digits)} hexadecimal digits: no step number "
                    "is that large"
                ) from None
        raise


def _from_pairs(pairs: list[list[Any]], board: Board | None, base: int | None) -> Reading:
    entries = []
    for number, (first, second) in enumerate(pairs):
        row, col = _coordinate(first), _coordinate(second)
        if row is None or col is None:
            raise InvalidInputError(
                f"entry {number}, ({first!r:.40}, {second!r:.40}), is no square: use (row, col), "
                "two whole numbers"
            )
        entries.append((row, col))
    if board is not None:
        return Reading(*board.shape, entries=entries, base=base, form="squares")
    return replace(on_smallest_board(entries), base=base)


def on_smallest_board(entries: Sequence[Square]) -> Reading:
    """Return a list of squares as one of the smallest board that has them all.

    Raises:
        InvalidInputError: no board has them.
    """
    columns = [col for _, col in entries]
    rows, cols = max(entries)[0] + 1, max(columns) + 1
    if min(entries)[0] < 0 or min(columns) < 0 or rows * cols >= MAX_SQUARES:
        negative = next((square for square in entries if min(square) < 0), None)
        raise InvalidInputError(
            f"{negative or max(entries)} is on no board: say which board this is a tour of"
        )
    return Reading(rows, cols, entries=entries, form="squares")


# The check


def _check_size(count: int) -> None:
    if count > _MOST_SQUARES:
        raise InvalidInputError(
            f"a written tour of {count} squares cannot be checked: the most is {_MOST_SQUARES}"
        )
    _check_memory(10 * count, "check()", "a smaller board")


def _place(
    numbers: memoryview, count: int, base: int, squares: bytes, engine: Engine
) -> tuple[bytearray, array[int], int]:
    """Return the flat indices in the order of the numbers, the odd cells, and their number."""
    order = bytearray(b"\xff") * (4 * count)
    odd = array("q")
    found = 0
    for first in range(0, len(numbers), _WINDOW):
        window = numbers[first : first + _WINDOW]
        room = min(MOST_FAULTS - len(odd), 2 * len(window))
        cells, more = engine.analysis.place(
            order, window, numbers.itemsize, first, base, squares, room
        )
        odd.frombytes(cells)
        found += more
    return order, odd, found


def _check_grid(
    numbers: memoryview, board: Board, squares: bytes, base: int | None, engine: Engine
) -> tuple[memoryview, Faults]:
    count = board.size
    _check_size(board.rows * board.cols)
    note = ""
    order, odd, found = _place(numbers, count, 1 if base is None else base, squares, engine)
    if base is None:
        base = 1
        if found:
            last = memoryview(order).cast("i")[count - 1] != -1
            from_zero = _place(numbers, count, 0, squares, engine)
            zero = memoryview(from_zero[0]).cast("i")[0] != -1
            if zero and not last:
                base = 0
                order, odd, found = from_zero
            if zero != last:
                note = f" (numbers taken as counted from {base}; base={1 - base} is the other way)"
            else:
                both = "both occur" if zero else "do not occur"
                note = f" (0 and {count} {both}: base=0 or base=1 says what the first number is)"
    path = memoryview(order).cast("i")
    illegal, illegal_count = _illegal_steps(path, board, base, engine)
    if not found and not illegal_count:
        return path, Faults(board.shape, base)
    missing = _positions_of_minus_one(order, MOST_FAULTS) if found else []
    repeated: dict[int, list[Square]] = {}
    out_of_range: dict[int, list[Square]] = {}
    for cell in odd:
        number = numbers[cell]
        group = repeated if base <= number < base + count else out_of_range
        group.setdefault(number, []).append(divmod(cell, board.cols))
    counts = {
        "missing": len(missing) if len(missing) < MOST_FAULTS else array("i", path).count(-1),
        "repeated": len(repeated) if found == len(odd) else array("i", path).count(-2),
        "out_of_range": len(out_of_range),
        "illegal_steps": illegal_count,
    }
    return path, Faults(
        board.shape,
        base,
        missing=tuple(step + base for step in missing),
        repeated={number: tuple(sorted(cells)) for number, cells in sorted(repeated.items())},
        out_of_range={number: tuple(cells) for number, cells in sorted(out_of_range.items())},
        illegal_steps=illegal,
        counts=counts,
        note=note,
    )


def _positions_of_minus_one(order: bytearray, most: int) -> list[int]:
    """Return the places of the first int32 that are -1, at the speed of a byte search."""
    found: list[int] = []
    place = 0
    while len(found) < most:
        place = order.find(b"\xff\xff\xff\xff", place)
        if place < 0:
            break
        if place % 4 == 0:
            found.append(place >> 2)
            place += 4
        else:
            place += -place % 4
    return found


def _illegal_steps(
    path: memoryview, board: Board, base: int, engine: Engine
) -> tuple[tuple[IllegalStep, ...], int]:
    steps = array("q")
    found = 0
    if board.is_plain:
        last = len(path) - 1
        for first in range(0, last, _WINDOW):
            stop = min(first + _WINDOW, last)
            room = min(MOST_FAULTS - len(steps), stop - first)
            some, more = engine.analysis.illegal_steps(path, board.cols, first, stop, room)
            steps.frombytes(some)
            found += more
    else:
        cols = board.cols
        for step, (here, there) in enumerate(pairwise(path)):
            if here >= 0 and there >= 0:
                if board.are_adjacent(divmod(here, cols), divmod(there, cols)):
                    continue
                found += 1
                if len(steps) < MOST_FAULTS:
                    steps.append(step)
    listed = tuple(
        IllegalStep(
            step + base,
            step + base + 1,
            divmod(path[step], board.cols),
            divmod(path[step + 1], board.cols),
        )
        for step in steps
    )
    return listed, found


def _check_entries(
    entries: Sequence[Square], board: Board, base: int, engine: Engine
) -> tuple[memoryview, Faults, bool]:
    """Check a list of squares; the last result is whether it repeats its start at the end."""
    closes = len(entries) == board.size + 1 and entries[0] == entries[-1]
    if closes:
        entries = entries[:-1]
    _check_size(len(entries))
    rows, cols = board.shape
    has = board.squares.__contains__
    plain = board.is_plain
    outside: dict[int, Square] = {}
    # Flat indices need not fit 32 bits here: the board may be much larger than the list.
    flat = array("q")
    for number, (row, col) in enumerate(entries):
        if 0 <= row < rows and 0 <= col < cols and (plain or has((row, col))):
            flat.append(row * cols + col)
        else:
            outside[number + base] = (row, col)
            flat.append(-1)
    visited = set(flat)
    visited.discard(-1)
    repeated: dict[Square, list[int]] = {}
    if len(visited) + len(outside) < len(flat):
        times = Counter(flat)
        for number, index in enumerate(flat, base):
            if index >= 0 and times[index] > 1:
                repeated.setdefault(divmod(index, cols), []).append(number)
    missing: list[Square] = []
    if len(visited) < board.size:
        unvisited = (s for s in board.squares if s[0] * cols + s[1] not in visited)
        missing = list(islice(unvisited, MOST_FAULTS))
    if board.rows * board.cols <= _MOST_SQUARES and plain:
        path = memoryview(array("i", flat)).cast("B").cast("i")
        illegal, illegal_count = _illegal_steps(path, board, base, engine)
    else:
        path = memoryview(flat)
        illegal, illegal_count = _illegal_pairs(flat, board, base)
    counts = {
        "missing_squares": board.size - len(visited),
        "repeated_squares": len(repeated),
        "outside": len(outside),
        "illegal_steps": illegal_count,
    }
    if path.itemsize == 8 and not any(counts.values()):
        path = memoryview(array("i", flat)).cast("B").cast("i")
    faults = Faults(
        board.shape,
        base,
        illegal_steps=illegal,
        missing_squares=tuple(missing),
        repeated_squares={
            square: tuple(numbers)
            for square, numbers in islice(sorted(repeated.items()), MOST_FAULTS)
        },
        outside=dict(islice(outside.items(), MOST_FAULTS)),
        counts=counts,
    )
    return path, faults, closes


def _illegal_pairs(
    flat: Sequence[int], board: Board, base: int
) -> tuple[tuple[IllegalStep, ...], int]:
    """Find the illegal steps of a list on a board of any size and graph."""
    found = []
    for number, (here, there) in enumerate(pairwise(flat), base):
        if here >= 0 and there >= 0:
            first, second = divmod(here, board.cols), divmod(there, board.cols)
            if not board.are_adjacent(first, second):
                found.append(IllegalStep(number, number + 1, first, second))
    return tuple(found[:MOST_FAULTS]), len(found)


def _check_ends(
    order: memoryview,
    board: Board,
    faults: Faults,
    start: SquareLike | None,
    end: SquareLike | None,
    closed: bool | None,
) -> Faults:
    """Add what is wrong with the first and the last square."""
    if type(closed).__name__ not in ("NoneType", "bool", "bool_"):
        raise InvalidInputError(f"closed={closed!r} is no answer: use True, False or None")
    ends = [divmod(k, board.cols) if k >= 0 else None for k in (order[0], order[-1])]
    wrong: dict[str, Any] = {}
    counts = dict(faults.counts)
    for what, required, found in (("start", start, ends[0]), ("end", end, ends[1])):
        if required is not None:
            square = board.check_square(required, what)
            if square != found:
                wrong[what] = (square, found)
                counts[what] = 1
    if closed:
        first, last = ends
        # A single square is no closed tour: there is no move from it to itself.
        if first is None or last is None or not board.are_adjacent(last, first):
            wrong["not_closed"] = True
            counts["not_closed"] = 1
    return replace(faults, counts=counts, **wrong) if wrong else faults


# The description


class Symmetry(NamedTuple):
    """A symmetry of the board that maps a tour onto itself."""

    #: its name, as for `Tour.transformed`
    name: str
    #: whether the image runs the other way round
    reverses: bool
    #: for closed tours, at which step the image of the start is visited; None for open ones
    shift: int | None


@dataclass(frozen=True, slots=True)
class Classification:
    """What kind of tour it is; `classify` makes it, ``print`` shows it, `as_dict` is for JSON.

    For a closed tour the closing move counts as a move everywhere.

    >>> from knighttour import historic
    >>> kind = classify(historic("euler_A226697"))
    >>> kind.half_turn, kind.euler_type, kind.symmetries
    (True, True, (Symmetry(name='rotate180', reverses=False, shift=32),))
    """

    #: rows and columns
    shape: Square
    #: the number of squares
    squares: int
    closed: bool
    start: Square
    end: Square
    #: the symmetries of the board, the identity apart, that map the tour onto itself
    symmetries: tuple[Symmetry, ...]
    #: sums of the step numbers (from 1) of the rows, from the top
    row_sums: tuple[int, ...]
    #: sums of the columns, from the left
    col_sums: tuple[int, ...]
    #: sums of the two diagonals of a square board, from the top left corner first
    diagonals: Square | None
    #: whether closed or open halves of the board are visited one after the other: "rows" (the
    #: board cut between the middle rows), "cols"
    half_boards: tuple[str, ...]
    #: how many pairs of moves cross, None where that has no meaning (a board that wraps)
    crossings: int | None
    #: how many moves go in each direction (drow, dcol)
    directions: Mapping[Square, int]
    #: how often the path turns by so many degrees (0 is straight on), rounded to 0.01
    turns: Mapping[float, int]
    #: turns to the left and to the right of the direction of travel, as one looks at the board
    left_turns: int
    right_turns: int
    #: how many straight runs there are of so many moves, from 2 moves on
    straight_runs: Mapping[int, int]
    #: the most moves in a straight line
    longest_run: int

    @property
    def symmetric(self) -> bool:
        """Whether some symmetry of the board maps the tour onto itself."""
        return bool(self.symmetries)

    @property
    def half_turn(self) -> bool:
        """Whether a half turn (180 degrees) maps the tour onto itself."""
        return any(symmetry.name == "rotate180" for symmetry in self.symmetries)

    @property
    def euler_type(self) -> bool:
        """Whether opposite squares of the closed tour are half the tour apart, in both halves."""
        return any(
            symmetry.name == "rotate180"
            and not symmetry.reverses
            and symmetry.shift == self.squares // 2
            for symmetry in self.symmetries
        )

    @property
    def semimagic(self) -> bool:
        """Whether all rows have one sum and all columns have one sum."""
        return len(set(self.row_sums)) == 1 and len(set(self.col_sums)) == 1

    @property
    def magic(self) -> bool:
        """Whether rows, columns and both diagonals of a square board all have the same sum."""
        sums = {*self.row_sums, *self.col_sums, *(self.diagonals or (None,))}
        return len(sums) == 1

    def as_dict(self) -> dict[str, Any]:
        """Return everything in types that JSON has."""
        return {
            "rows": self.shape[0],
            "cols": self.shape[1],
            "squares": self.squares,
            "closed": self.closed,
            "start": list(self.start),
            "end": list(self.end),
            "symmetric": self.symmetric,
            "symmetries": [symmetry._asdict() for symmetry in self.symmetries],
            "half_turn": self.half_turn,
            "euler_type": self.euler_type,
            "semimagic": self.semimagic,
            "magic": self.magic,
            "row_sums": list(self.row_sums),
            "col_sums": list(self.col_sums),
            "diagonals": None if self.diagonals is None else list(self.diagonals),
            "half_boards": list(self.half_boards),
            "crossings": self.crossings,
            "directions": {f"{r:+d},{c:+d}": n for (r, c), n in self.directions.items()},
            "turns": {str(degrees): times for degrees, times in self.turns.items()},
            "left_turns": self.left_turns,
            "right_turns": self.right_turns,
            "straight_runs": {str(moves): times for moves, times in self.straight_runs.items()},
            "longest_run": self.longest_run,
        }

    def __str__(self) -> str:
        rows, cols = self.shape
        kind = "closed" if self.closed else "open"
        lines = [f"{kind} tour of {rows}x{cols}, {self.squares} squares"]
        lines.append(f"from {self.start} to {self.end}")
        images = []
        for name, reverses, shift in self.symmetries:
            how = "reversed" if reverses else "in the same direction"
            images.append(f"{name} ({how}{'' if shift is None else f', shift {shift}'})")
        lines.append(f"symmetries: {', '.join(images) or 'none'}")
        if self.euler_type:
            lines.append(f"Euler's kind: opposite squares differ by {self.squares // 2}")
        lines.append(f"row sums: {_spread(self.row_sums)}")
        lines.append(f"column sums: {_spread(self.col_sums)}")
        if self.diagonals is not None:
            lines.append(f"diagonal sums: {self.diagonals[0]} and {self.diagonals[1]}")
        magic = "magic" if self.magic else "semimagic" if self.semimagic else "not semimagic"
        lines.append(f"magic: {magic}")
        lines.append(f"half boards: {', '.join(self.half_boards) or 'no'}")
        if self.crossings is not None:
            lines.append(f"crossings: {self.crossings}")
        moves = ", ".join(f"({r:+d},{c:+d}) {n}" for (r, c), n in self.directions.items())
        lines.append(f"moves: {moves}")
        turns = ", ".join(f"{degrees:g} deg {times}" for degrees, times in self.turns.items())
        lines.append(f"turns: {turns}; {self.left_turns} left, {self.right_turns} right")
        runs = ", ".join(f"{n} of {moves} moves" for moves, n in self.straight_runs.items())
        lines.append(f"straight runs: {runs or 'none'}; the longest run has {self.longest_run}")
        return "\n".join(lines)


def _spread(sums: tuple[int, ...]) -> str:
    if len(set(sums)) == 1:
        return f"all {sums[0]}"
    if len(sums) <= 12:
        return " ".join(map(str, sums))
    return f"{min(sums)} to {max(sums)}"


def classify(tour: Tour) -> Classification:
    """Describe a tour: symmetry, sums, crossings, turns, and how its moves are spread.

    Args:
        tour: a `Tour`; `check` makes one from a grid or a list.

    Raises:
        InvalidInputError: not a `Tour`.
        SearchLimitError: no memory for some 200 bytes a square.

    About 0.3 microseconds a square on either engine.

    >>> from knighttour import historic
    >>> kind = classify(historic("beverley1848"))
    >>> kind.closed, kind.semimagic, kind.magic, kind.diagonals
    (False, True, False, (282, 210))
    """
    if not isinstance(tour, Tour):
        raise InvalidInputError(
            f"classify() takes a Tour, not a {type(tour).__name__}: check(...) makes one"
        )
    board = tour.board
    rows, cols = board.shape
    _check_memory(200 * board.size, "classify()", "a smaller board")
    buffer = tour.order()
    order: list[int] = []
    for first in range(0, len(buffer), _PIECE):
        order += buffer[first : first + _PIECE].tolist()
    closed = tour.closed
    numbers = [0] * (rows * cols)
    for number, index in enumerate(order, 1):
        numbers[index] = number
    diagonals = None
    if rows == cols:
        last = (rows - 1) * cols
        diagonals = (sum(numbers[:: cols + 1]), sum(numbers[cols - 1 : last + 1 : cols - 1 or 1]))
    moves, codes = _codes(tour, closed)
    crossings = None
    if board.wrap is None and math.gcd(*map(abs, moves[0])) == 1:
        crossings = _count_crossings(order, codes, moves, rows, cols)
    turns, left, right = _turns(codes, moves, closed)
    runs = _straight_runs(codes, closed)
    return Classification(
        shape=board.shape,
        squares=board.size,
        closed=closed,
        start=tour.start,
        end=tour.end,
        symmetries=_symmetries(order, numbers, rows, cols, closed),
        row_sums=tuple(sum(numbers[first : first + cols]) for first in range(0, rows * cols, cols)),
        col_sums=tuple(sum(numbers[col::cols]) for col in range(cols)),
        diagonals=diagonals,
        half_boards=_half_boards(order, rows, cols, closed),
        crossings=crossings,
        directions={move: codes.count(code) for code, move in enumerate(moves)},
        turns=turns,
        left_turns=left,
        right_turns=right,
        straight_runs={length: times for length, times in runs.items() if length > 1},
        longest_run=max(runs, default=0),
    )


def _codes(tour: Tour, closed: bool) -> tuple[Sequence[Square], bytes]:
    """Return the moves of the board's piece, and which of them each step is."""
    board = tour.board
    if board.leaper == (1, 2) and board.wrap is None:
        return KNIGHT_MOVES, tour.moves(closing=closed)
    moves: Sequence[Square] = board.moves
    squares = [*tour, tour.start] if closed else list(tour)
    steps = ((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(squares))
    # On a board that wraps a move is known by where it leads; one that is longer than the board is
    # wide leads to where a shorter one does.
    rows = board.rows if board.wrap in ("rows", "torus") else 0
    cols = board.cols if board.wrap in ("cols", "torus") else 0
    known: dict[Square, int] = {}
    for code, (drow, dcol) in enumerate(moves):
        known.setdefault((drow % rows if rows else drow, dcol % cols if cols else dcol), code)
    return moves, bytes(
        known[drow % rows if rows else drow, dcol % cols if cols else dcol] for drow, dcol in steps
    )


@lru_cache(maxsize=16)
def _crossing_pairs(moves: tuple[Square, ...]) -> tuple[tuple[int, int, int, int], ...]:
    """Return all (first, second, drow, dcol) such that two moves cross.

    `first` from (0, 0) and `second` from (drow, dcol), both downwards (or level, to the right).
    Each pair is listed from the one of its two that begins higher (or further left).
    """
    down = [code for code, move in enumerate(moves) if move > (0, 0)]
    reach = max(abs(part) for move in moves for part in move)
    found = []
    for first in down:
        for second in down:
            for drow in range(reach + 1):
                for dcol in range(-2 * reach, 2 * reach + 1):
                    if (drow, dcol) <= (0, 0):
                        continue
                    other = (drow + moves[second][0], dcol + moves[second][1])
                    if _segments_cross((0, 0), moves[first], (drow, dcol), other):
                        found.append((first, second, drow, dcol))
    return tuple(found)


def _side(a: Square, b: Square, point: Square) -> int:
    """Return on which side of the line through a and b a point lies: the sign of the result."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def _segments_cross(a: Square, b: Square, c: Square, d: Square) -> bool:
    """Whether two segments have exactly one point in common, and that inside both."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _count_crossings(
    order: list[int], codes: bytes, moves: Sequence[Square], rows: int, cols: int
) -> int:
    # One set of squares for each downward direction: where such a move has its upper end.
    upward = [move < (0, 0) for move in moves]
    opposite = [moves.index((-drow, -dcol)) for drow, dcol in moves]
    planes = {code: bytearray(b"0") * (rows * cols) for code, up in enumerate(upward) if not up}
    target = [planes[opposite[code] if up else code] for code, up in enumerate(upward)]
    following = [*order[1:], order[0]]
    for here, there, code in zip(order, following, codes, strict=False):
        target[code][there if upward[code] else here] = 49  # "1"
    # Rows get a margin, so that a shift sideways never reaches the next row.
    reach = 2 * max(abs(part) for move in moves for part in move)
    width = cols + reach
    margin = b"0" * reach
    sets = {}
    for code, plane in planes.items():
        lines = [plane[first : first + cols] for first in range(0, rows * cols, cols)]
        # The last digit of a number is bit 0, so that the squares are in reverse order.
        sets[code] = int(margin + margin.join(lines), 2)
    total = 0
    for first, second, drow, dcol in _crossing_pairs(tuple(moves)):
        shift = drow * width + dcol
        total += ((sets[first] >> shift) & sets[second]).bit_count()
    return total


def _turns(
    codes: bytes, moves: Sequence[Square], closed: bool
) -> tuple[dict[float, int], int, int]:
    """Return how often the path turns by which angle, and how often to the left and the right."""
    pairs: Counter[tuple[int, int]] = Counter()
    for first in range(0, len(codes), _PIECE):
        pairs.update(pairwise(codes[first : first + _PIECE + 1]))
    if closed:
        pairs[codes[-1], codes[0]] += 1
    angles: Counter[float] = Counter()
    left = right = 0
    for (first, second), times in pairs.items():
        (drow, dcol), (next_drow, next_dcol) = moves[first], moves[second]
        ahead = drow * next_drow + dcol * next_dcol
        # Rows grow downwards: with x = col and y = -row this is the usual cross product.
        sideways = drow * next_dcol - dcol * next_drow
        angles[round(math.degrees(math.atan2(abs(sideways), ahead)), 2)] += times
        if sideways > 0:
            left += times
        elif sideways < 0:
            right += times
    return dict(sorted(angles.items())), left, right


def _straight_runs(codes: bytes, closed: bool) -> dict[int, int]:
    """Return how many runs of moves in one direction there are of which length."""
    if not codes:
        return {}
    if closed:
        # Begin behind a turn; a closed tour has one.
        turn = next(k for k in range(len(codes)) if codes[k - 1] != codes[k])
        codes = codes[turn:] + codes[:turn]
    here, there = (int.from_bytes(part, "big") for part in (codes[:-1], codes[1:]))
    # A zero byte stands between two moves in the same direction.
    changes = (here ^ there).to_bytes(len(codes) - 1, "big")
    runs = Counter(len(zeros) + 1 for zeros in re.findall(rb"\0+", changes))
    longer = sum(length * times for length, times in runs.items())
    if longer < len(codes):
        runs[1] = len(codes) - longer
    return dict(sorted(runs.items()))


def _half_boards(order: list[int], rows: int, cols: int, closed: bool) -> tuple[str, ...]:
    """Return which halves of the board are visited one after the other."""
    halves = []
    sides = []
    if rows % 2 == 0:
        middle = rows // 2 * cols
        sides.append(("rows", bytes(index >= middle for index in order)))
    if cols % 2 == 0:
        half = cols // 2
        sides.append(("cols", bytes(index % cols >= half for index in order)))
    for name, side in sides:
        changes = side.count(b"\0\1") + side.count(b"\1\0") + (closed and side[0] != side[-1])
        if changes == (2 if closed else 1):
            halves.append(name)
    return tuple(halves)


def _symmetries(
    order: list[int], numbers: list[int], rows: int, cols: int, closed: bool
) -> tuple[Symmetry, ...]:
    """Return the symmetries of the board that map the tour onto itself.

    An open tour can only be mapped onto itself reversed: a symmetry that keeps its start keeps all
    of it. A closed one may also be shifted.
    """
    count = len(order)
    if count == 1:
        return ()
    found = []
    for name in SYMMETRIES if rows == cols else SYMMETRIES[:3]:
        start, down, right, _ = _affine(name, rows, cols)

        def image(index: int, start: int = start, down: int = down, right: int = right) -> int:
            row, col = divmod(index, cols)
            return start + down * row + right * col

        first = numbers[image(order[0])] - 1
        if first < 0:  # a hole
            continue
        for step in (1, -1) if closed else (-1,):
            # The image of step k has to be at first + step * k.
            if not closed and first != count - 1:
                continue
            if all(
                order[(first + step * k) % count] == image(index) for k, index in enumerate(order)
            ):
                found.append(Symmetry(name, step < 0, first if closed else None))
    return tuple(found)


def is_same_tour(first: Tour, second: Tour) -> bool:
    """Whether two tours are one up to the symmetries of the board, reversal, and rotation.

    A tour of R x C can be the same as one of C x R. Costs two calls of `Tour.canonical` where the
    cheap tests do not tell.

    Raises:
        InvalidInputError: not two Tours.

    >>> from knighttour import tour
    >>> t = tour((0, 0), board="3x4")
    >>> is_same_tour(t, t.reversed().transformed("rotate90"))
    True
    """
    for thing in (first, second):
        if not isinstance(thing, Tour):
            raise InvalidInputError(f"{thing!r:.60} is no Tour: check(...) makes one")
    if first.board.shape != second.board.shape:
        if first.board.shape != second.board.shape[::-1]:
            return False
        second = second.transformed("transpose")
    if first.closed != second.closed:
        return False
    return first.canonical() == second.canonical()
