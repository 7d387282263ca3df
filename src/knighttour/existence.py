"""Why a knight's tour of a rectangle cannot exist: one function a theorem.

What it does.  `why_not` answers, for every rectangle, open or closed, with a start, an end, both or
neither: None when there is a tour, else a `Reason` with a name, a sentence of proof and its source.

Method.  The tests of `THEOREMS` are asked in turn, those that hold on every board first, those
about one size last.  A "no" is an elementary proof (colours, squares with two moves, cutting the
board into parts) or, for two given ends of a board of at most 30 squares, an exhaustive search that
the caller supplies.  That no other "no" is left rests on
  * closed tours: Schwenk 1991;
  * open tours without given ends: Cull and De Curtins, Knight's tour revisited, Fibonacci
    Quarterly 16 (1978) 276-285 (both sides 5 or more) and Chia and Ong 2005 (all the others);
  * both ends given, 3, 4 and 5 rows: this project's automaton over the columns, whose finitely many
    states were all visited, so it decides every length at once;
  * both ends given, 6 rows and more: Conrad, Hindrichs, Morsy and Wegener 1994 for squares; for the
    other rectangles the construction of this package, tried in each of its finitely many contexts.

Known answers that it reproduces: 13 starts of 5x5, 12 of 4x6, 22 of 3x8; of the pairs of ends whose
colours are right 78 of 225 fail on 3x10, 10 of 190 on 3x13, 47 of 225 on 5x6 and none on 6x6.

Cost.  A few comparisons of integers, whatever the size of the board; at most one search, and that
of at most 30 squares.

In the code of a theorem the board lies on its long side: `short` rows, `long` columns.  What a
reason says is turned back to the board of the question, so 7x4 reads "columns" where 4x7 reads
"rows".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ._engine import Engine, get_engine
from .board import Board, BoardLike, SquareLike, as_board
from .errors import InvalidInputError, NoTourError, Square

__all__ = [
    "THEOREMS",
    "Reason",
    "Search",
    "exhaustive",
    "exists",
    "explain",
    "first_start",
    "no_tour",
    "why_not",
]

Search = Callable[[int, int, int, int], bool]
"""(rows, cols, start, end) -> is there a tour from start to end?  Flat indices row * cols + col."""

SCHWENK: Final = (
    "A. J. Schwenk, Which rectangular chessboards have a knight's tour?, "
    "Mathematics Magazine 64 (1991) 325-332"
)
CHIA_ONG: Final = (
    "G. L. Chia and S.-H. Ong, Generalized knight's tours on rectangular chessboards, "
    "Discrete Applied Mathematics 150 (2005) 80-98"
)
CONRAD: Final = (
    "A. Conrad, T. Hindrichs, H. Morsy and I. Wegener, Solution of the knight's Hamiltonian path "
    "problem on chessboards, Discrete Applied Mathematics 50 (1994) 125-134"
)
CULL: Final = (
    "P. Cull and J. De Curtins, Knight's tour revisited, Fibonacci Quarterly 16 (1978) 276-285"
)
BLOCKS: Final = "the construction of this package, tried in each of its finitely many contexts"
DEFINITION: Final = "by the definition of a tour"
ELEMENTARY: Final = "elementary; confirmed by exhaustive search on the board itself"
SEARCH: Final = "exhaustive search of the board by this package"


def automaton(rows: int) -> str:
    """Source of the rules for a band of 3, 4 or 5 rows of any length."""
    return (
        f"elementary; complete by the automaton over the columns of {rows} rows, "
        "computed for every length by this project"
    )


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a tour cannot exist.

    `rule` is the name of the theorem in kebab-case, the same for a board and its transpose;
    `sentence` a proof in one sentence, with squares as 0-based (row, col) of the board asked about;
    `source` who proved it; `squares` those that the proof turns on: the ends that break the rule,
    or the squares whose removal cuts the board into too many parts; empty for the whole board.
    """

    rule: str
    sentence: str
    source: str
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question, laid on its long side; `turned` tells that the board asked about stands."""

    rows: int
    cols: int
    short: int
    long: int
    turned: bool
    start: Square | None
    end: Square | None
    closed: bool
    search: Search

    @property
    def size(self) -> str:
        """The board as the user gave it, such as 7x4."""
        return f"{self.rows}x{self.cols}"

    @property
    def area(self) -> int:
        """The number of squares."""
        return self.rows * self.cols

    @property
    def row_word(self) -> str:
        """What the user sees where the theorem says row."""
        return "column" if self.turned else "row"

    @property
    def column_word(self) -> str:
        """What the user sees where the theorem says column."""
        return "row" if self.turned else "column"

    @property
    def ends(self) -> tuple[tuple[str, Square], ...]:
        """The given ends of the tour with the verb for each, start first."""
        pairs = (("starts", self.start), ("ends", self.end))
        return tuple((verb, square) for verb, square in pairs if square is not None)

    def turn(self, square: Square) -> Square:
        """A square of the lying board on the user's board, or the other way round."""
        return (square[1], square[0]) if self.turned else square

    def turn_all(self, squares: Iterable[Square]) -> tuple[Square, ...]:
        """The same for several squares."""
        return tuple(self.turn(square) for square in squares)

    def name(self, square: Square) -> str:
        """A square of the lying board as the user writes it."""
        row, col = self.turn(square)
        return f"({row}, {col})"

    def names(self, squares: Iterable[Square], last: str = " and ") -> str:
        """Several of them, as a list in a sentence."""
        words = [self.name(square) for square in squares]
        return last.join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]

    def mirrored(self, square: Square) -> Square:
        """The mirror image, left for right, on the lying board."""
        return (square[0], self.long - 1 - square[1])


def _ask(
    rows: int,
    cols: int,
    start: Square | None,
    end: Square | None,
    closed: bool,
    search: Search,
) -> Question:
    turned = rows > cols
    if turned:
        start = None if start is None else (start[1], start[0])
        end = None if end is None else (end[1], end[0])
    short, long = min(rows, cols), max(rows, cols)
    return Question(rows, cols, short, long, turned, start, end, closed, search)


def _colour(square: Square) -> int:
    """0 for the colour of (0, 0), 1 for the other; a knight's move always changes it."""
    return (square[0] + square[1]) & 1


def _is_move(one: Square, other: Square) -> bool:
    """Whether a knight's move leads from one square to the other."""
    return {abs(one[0] - other[0]), abs(one[1] - other[1])} == {1, 2}


# --- What is asked contradicts itself, on any board ----------------------------------------------


def same_start_and_end(question: Question) -> Reason | None:
    """A tour of more than one square does not end where it starts (definition)."""
    start, end = question.start, question.end
    if start is None or start != end or question.area == 1:
        return None
    return Reason(
        "same-start-and-end",
        f"A tour visits each of the {question.area} squares of the {question.size} board once, so "
        f"it cannot both start and end on {question.name(start)}: even a closed tour ends one "
        "move before it is back.",
        DEFINITION,
        question.turn_all((start,)),
    )


def end_not_next_to_start(question: Question) -> Reason | None:
    """The last square of a closed tour is a knight's move from the first (definition)."""
    start, end = question.start, question.end
    if not question.closed or start is None or end is None or question.area == 1:
        return None
    if _is_move(start, end):
        return None
    return Reason(
        "end-not-next-to-start",
        "A closed tour returns from its last square to its first by a knight's move, and no "
        f"knight's move leads from {question.name(end)} to {question.name(start)}.",
        DEFINITION,
        question.turn_all((start, end)),
    )


# --- Boards without any tour, or without a closed one --------------------------------------------


def closed_single_square(question: Question) -> Reason | None:
    """1x1 has its trivial open tour, and no closed one: there is no move to close it.

    The theorems leave this case to convention.  A closed tour is one whose last square is a
    knight's move from its first, and nothing is a move from itself; the counts agree (0 cycles).
    """
    if question.area != 1 or not question.closed:
        return None
    return Reason(
        "closed-single-square",
        "A closed tour ends with a knight's move back to its first square, and the only square of "
        "the 1x1 board has no move.",
        DEFINITION,
    )


def too_narrow(question: Question) -> Reason | None:
    """No tour with one or two rows, except on 1x1 (Schwenk 1991 closed, Chia and Ong 2005 open)."""
    if question.short > 2 or question.area == 1:
        return None
    source = SCHWENK if question.closed else CHIA_ONG
    row, column = question.row_word, question.column_word
    if question.short == 1:
        return Reason(
            "one-row",
            f"With a single {row} the knight has no move at all, so it never leaves its first "
            f"square and the other squares of the {question.size} board stay unvisited.",
            source,
        )
    return Reason(
        "two-rows",
        f"On 2 {row}s every knight's move goes exactly two {column}s along, so no walk leads from "
        f"{column} 0 to {column} 1 of the {question.size} board.",
        source,
    )


def schwenk_odd_area(question: Question) -> Reason | None:
    """No closed tour of an odd number of squares (Schwenk 1991, case a)."""
    if not question.closed or question.area % 2 == 0:
        return None
    return Reason(
        "schwenk-odd-area",
        "Every knight's move changes the colour of the square, so a closed tour has as many "
        f"squares of one colour as of the other, an even number in all, but the {question.size} "
        f"board has {question.area} squares.",
        SCHWENK,
    )


def schwenk_four_rows(question: Question) -> Reason | None:
    """No closed tour with four rows (Schwenk 1991, case b)."""
    if not question.closed or question.short != 4:
        return None
    row = question.row_word
    return Reason(
        "schwenk-four-rows",
        f"From the outer {row}s 0 and 3, which hold half of the squares, every move leads to the "
        f"inner {row}s 1 and 2, so a closed tour would go outer, inner, outer, inner; the colours "
        "alternate too, so all outer squares would have one colour, yet "
        f"{question.names(((0, 0), (0, 1)))} have different colours.",
        SCHWENK,
    )


def schwenk_three_rows(question: Question) -> Reason | None:
    """No closed tour of 3x4, 3x6 and 3x8 (Schwenk 1991, case c); two by a cut, one by force."""
    if not question.closed or question.short != 3 or question.long not in (4, 6, 8):
        return None
    if question.long == 8:
        name, names = question.name, question.names
        sentence = (
            f"The corners and {names(((1, 0), (1, 7)))} have only two moves each and need both; "
            f"exactly one of {names(((0, 1), (2, 1)))} then goes on to {name((1, 3))} (both would "
            "close a loop of 6 squares, neither a loop of 8), so that nine squares form a strand "
            f"from {name((1, 3))} to {names(((0, 2), (2, 2)), ' or ')} and in the same way nine "
            f"others one from {name((1, 4))} to {names(((0, 5), (2, 5)), ' or ')}; now "
            f"{name((1, 3))} can only go on to the far end of the other strand, and "
            f"{name((1, 4))} likewise, which closes a loop of 18 of the 24 squares."
        )
        return Reason("schwenk-three-rows", sentence, SCHWENK)
    cut = ((0, 1), (2, 1)) if question.long == 4 else ((0, 2), (2, 2))
    return Reason(
        "schwenk-three-rows",
        f"Without {question.names(cut)} the other squares of the {question.size} board fall into 3 "
        "parts with no move from one to another, and a closed tour can join at most 2 parts by "
        "way of 2 squares.",
        SCHWENK,
        question.turn_all(cut),
    )


def isolated_centre(question: Question) -> Reason | None:
    """No tour of 3x3: its centre has no move (Chia and Ong 2005)."""
    if (question.short, question.long) != (3, 3):
        return None
    return Reason(
        "isolated-centre",
        "No knight's move leads to or from the centre (1, 1) of the 3x3 board, so no tour of more "
        "than one square visits it.",
        CHIA_ONG,
        ((1, 1),),
    )


def too_many_parts(question: Question) -> Reason | None:
    """No tour of 3x5, 3x6 and 4x4: a few squares removed leave too many parts (Chia and Ong 2005).

    Between two parts a tour must visit a removed square, so k of them join at most k + 1 parts.
    """
    cuts: dict[tuple[int, int], tuple[int, tuple[Square, ...]]] = {
        (3, 5): (7, ((0, 1), (0, 3), (1, 2), (2, 1), (2, 3))),
        (3, 6): (8, ((0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3))),
        (4, 4): (6, ((1, 1), (1, 2), (2, 1), (2, 2))),
    }
    found = cuts.get((question.short, question.long))
    if found is None:
        return None
    parts, cut = found
    return Reason(
        "too-many-parts",
        f"Without {question.names(cut)} the other squares of the {question.size} board fall into "
        f"{parts} parts with no move from one to another, and a tour can join at most "
        f"{len(cut) + 1} parts by way of {len(cut)} squares.",
        CHIA_ONG,
        question.turn_all(cut),
    )


# --- Colours -------------------------------------------------------------------------------------


def colour_majority(question: Question) -> Reason | None:
    """Both ends of a tour of an odd board have the colour of the corners (Conrad et al. 1994)."""
    if question.area % 2 == 0:
        return None
    for verb, square in question.ends:
        if _colour(square) == 1:
            fewer = question.area // 2
            return Reason(
                "colour-majority",
                f"The colours alternate along a tour and the {question.size} board has "
                f"{fewer + 1} squares of the colour of its corners but {fewer} of the other, so a "
                f"tour starts and ends on the colour of the corners, and {question.name(square)}, "
                f"where this one {verb}, has the other.",
                CONRAD,
                question.turn_all((square,)),
            )
    return None


def colour_parity(question: Question) -> Reason | None:
    """The ends of a tour of an even board have different colours (Conrad et al. 1994)."""
    start, end = question.start, question.end
    if question.area % 2 == 1 or start is None or end is None or _colour(start) != _colour(end):
        return None
    return Reason(
        "colour-parity",
        f"A tour of the {question.size} board makes {question.area - 1} moves, an odd number, and "
        "every move changes the colour, so its ends have different colours, but "
        f"{question.names((start, end))} have the same.",
        CONRAD,
        question.turn_all((start, end)),
    )


# --- One end is enough ---------------------------------------------------------------------------


def four_rows_inner_end(question: Question) -> Reason | None:
    """Both ends of a tour with four rows lie in the outer rows.

    Half of the squares are outer and no two of them are neighbours; if one end is inner, they can
    only be every second square of the tour.
    """
    if question.short != 4:
        return None
    row = question.row_word
    for verb, square in question.ends:
        if square[0] in (1, 2):
            return Reason(
                "four-rows-inner-end",
                f"From the outer {row}s 0 and 3, which hold half of the squares, every move leads "
                f"to the inner {row}s 1 and 2, so a tour that {verb} on the inner square "
                f"{question.name(square)} has outer and inner squares in turn; the colours "
                "alternate too, so all outer squares would have one colour, yet "
                f"{question.names(((0, 0), (0, 1)))} have different colours.",
                automaton(4),
                question.turn_all((square,)),
            )
    return None


def three_by_four_middle_end(question: Question) -> Reason | None:
    """Both ends of a tour of 3x4 lie in its outer columns.

    The cut contains the end, so its k squares join at most k parts.
    """
    if (question.short, question.long) != (3, 4):
        return None
    for verb, square in question.ends:
        row, col = square
        if col not in (1, 2):
            continue
        parts, cut = 3, [(0, col), (2, col)]
        if row == 1:
            parts, cut = 4, [(0, 3 - col), square, (2, 3 - col)]
        return Reason(
            "three-by-four-middle-end",
            f"Without {question.names(cut)} the other squares of the {question.size} board fall "
            f"into {parts} parts with no move from one to another, and a tour that {verb} on "
            f"{question.name(square)} can join at most {len(cut)} parts by way of these "
            f"{len(cut)} squares.",
            ELEMENTARY,
            question.turn_all(cut),
        )
    return None


def three_by_seven_centre_end(question: Question) -> Reason | None:
    """No tour of 3x7 starts or ends in its centre."""
    if (question.short, question.long) != (3, 7):
        return None
    for verb, square in question.ends:
        if square == (1, 3):
            name, names = question.name, question.names
            return Reason(
                "three-by-seven-centre-end",
                f"Squares {names(((1, 1), (1, 5)))} have only the moves to "
                f"{names(((0, 3), (2, 3)))}, so "
                f"a tour that {verb} on the centre {name((1, 3))} has its other end on one of "
                "them, else the four squares close a loop; so the corners and "
                f"{names(((1, 0), (1, 6)))} use their only two moves, and on the side where "
                f"{name((1, 3))} does not go they close a loop of 8 squares.",
                ELEMENTARY,
                question.turn_all((square,)),
            )
    return None


def three_by_eight_closing_end(question: Question) -> Reason | None:
    """No tour of 3x8 starts or ends on (1, 2) or (1, 5): it would be closed."""
    if (question.short, question.long) != (3, 8):
        return None
    for verb, square in question.ends:
        if square in ((1, 2), (1, 5)):
            edge = 0 if square == (1, 2) else 7
            corners = ((0, edge), (2, edge))
            return Reason(
                "three-by-eight-closing-end",
                f"The corners {question.names(corners)} have only two moves each, one of them to "
                f"{question.name(square)}, so a tour that {verb} there has its other end on one "
                "of these corners and would be closed, but by Schwenk's theorem the "
                f"{question.size} board has no closed tour.",
                ELEMENTARY,
                question.turn_all((square,)),
            )
    return None


# --- Both ends together --------------------------------------------------------------------------


def two_corners(question: Question) -> Reason | None:
    """With 3 or 5 rows, an end next to two corners has one of them as the other end.

    Only there is a square next to two corners: (1, 2) or (2, 1), and its mirror image.  On an odd
    board its colour is wrong anyway.
    """
    start, end = question.start, question.end
    if question.short not in (3, 5) or start is None or end is None:
        return None
    near = (1, 2) if question.short == 3 else (2, 1)
    corners = ((0, 0), (question.short - 1, 0))
    far = question.mirrored(near)
    far_corners = (question.mirrored(corners[0]), question.mirrored(corners[1]))
    for verb, square, other in (("starts", start, end), ("ends", end, start)):
        for middle, pair in ((near, corners), (far, far_corners)):
            if square != middle or other in pair:
                continue
            name = question.name
            if question.closed:
                proof = (
                    f"and a closed tour uses both, so {name(square)} is joined to these two and "
                    f"has no third move, to {name(other)}, left to close the tour."
                )
            else:
                proof = (
                    f"and a tour that {verb} there uses a single move of {name(square)}, so one of "
                    f"these corners keeps one move and must be the other end, which {name(other)} "
                    "is not."
                )
            return Reason(
                "two-corners",
                f"The corners {question.names(pair)} have only two moves each, one of them to "
                f"{name(square)}, {proof}",
                automaton(question.short),
                question.turn_all((start, end)),
            )
    return None


def _forced_strand(first: Square) -> tuple[Square, ...]:
    """How a tour of three rows from (0, 2), or (2, 2), begins that does not end in columns 0 to 2.

    The corners and (1, 0) have two moves each and use them; (2, 1) cannot return to the end (0, 2)
    and goes to (1, 3); (0, 1) is then left with (2, 2).  From (2, 2) the same upside down.
    """
    strand = ((0, 2), (1, 0), (2, 2), (0, 1), (2, 0), (1, 2), (0, 0), (2, 1), (1, 3))
    return strand if first == (0, 2) else tuple((2 - row, col) for row, col in strand)


def three_rows_short_cut(question: Question) -> Reason | None:
    """On 3 rows of odd length two of (0, 2), (2, 2), (1, 3) are joined by 3 or 9 squares only."""
    start, end = question.start, question.end
    if question.short != 3 or question.area % 2 == 0 or start is None or end is None:
        return None
    group = ((0, 2), (2, 2), (1, 3))
    name, names, area = question.name, question.names, question.area
    for is_mirrored in (False, True):

        def image(square: Square, is_mirrored: bool = is_mirrored) -> Square:
            return question.mirrored(square) if is_mirrored else square

        ends = (image(start), image(end))
        if ends[0] not in group or ends[1] not in group:
            continue
        squares = question.turn_all((start, end))
        forced = image((1, 0))
        if (1, 3) not in ends:
            return Reason(
                "three-rows-short-cut",
                f"Square {name(forced)} has only two moves, to {names((start, end))}; it is no end "
                f"of the tour, so it uses both, and the tour is over after 3 of {area} squares.",
                automaton(3),
                squares,
            )
        first = ends[1] if ends[0] == (1, 3) else ends[0]
        strand = [image(square) for square in _forced_strand(first)]
        if ends[0] == (1, 3):
            strand.reverse()
        return Reason(
            "three-rows-short-cut",
            f"Squares {names([image((0, 0)), image((2, 0)), forced])} have only two moves each and "
            "are no ends of the tour, so they use both, which leaves no choice but "
            f"{names(strand, ', ')}, and the tour is over after 9 of {area} squares.",
            automaton(3),
            squares,
        )
    return None


def three_by_thirteen_ends(question: Question) -> Reason | None:
    """On 3x13 no tour joins (0, 2) or (2, 2) to (0, 10) or (2, 10)."""
    start, end = question.start, question.end
    if (question.short, question.long) != (3, 13) or start is None or end is None:
        return None
    left, right = (start, end) if start[1] < end[1] else (end, start)
    if left not in ((0, 2), (2, 2)) or right not in ((0, 10), (2, 10)):
        return None
    name, names = question.name, question.names
    forced = ((0, 0), (2, 0), (1, 0))
    mirrored = [question.mirrored(square) for square in forced]
    return Reason(
        "three-by-thirteen-ends",
        f"Squares {names(forced)} have only two moves each and use both, so at its end "
        f"{name(left)} the tour is {names(_forced_strand(left), ', ')}; "
        f"{names(mirrored)} force the mirror image at {name(right)}; then "
        f"{names(((1, 4), (1, 8)))} have only the moves to "
        f"{names(((0, 6), (2, 6)))} left, and these four squares close a loop.",
        automaton(3),
        question.turn_all((start, end)),
    )


def exhaustive_search(question: Question) -> Reason | None:
    """What no rule decides: two ends of a board of at most 30 squares."""
    start, end = question.start, question.end
    if start is None or end is None:
        return None
    short, long = question.short, question.long
    if long > {3: 10, 4: 6, 5: 6}.get(short, 0):
        return None
    first, last = start[0] * long + start[1], end[0] * long + end[1]
    if first == last or question.search(short, long, first, last):
        return None
    return Reason(
        "exhaustive-search",
        f"All walks from {question.name(start)} over the {question.area} squares of the "
        f"{question.size} board were tried, and none that ends on {question.name(end)} visits "
        "every square.",
        SEARCH,
        question.turn_all((start, end)),
    )


THEOREMS: Final[tuple[Callable[[Question], Reason | None], ...]] = (
    same_start_and_end,
    closed_single_square,
    end_not_next_to_start,
    too_narrow,
    schwenk_odd_area,
    schwenk_four_rows,
    schwenk_three_rows,
    isolated_centre,
    too_many_parts,
    colour_majority,
    colour_parity,
    four_rows_inner_end,
    three_by_four_middle_end,
    three_by_seven_centre_end,
    three_by_eight_closing_end,
    two_corners,
    three_rows_short_cut,
    three_by_thirteen_ends,
    exhaustive_search,
)
"""The theorems in the order in which `why_not` asks them."""


def why_not(
    rows: int,
    cols: int,
    start: Square | None = None,
    end: Square | None = None,
    closed: bool = False,
    *,
    search: Search,
) -> Reason | None:
    """Tell why a rectangle has no such knight's tour, or None if it has one.

    Arguments: `rows`, `cols` at least 1, without upper limit; `start`, `end` squares of the board,
    0-based (row, col), or None for any; `closed` asks for a tour whose last square is a knight's
    move from its first (with one end given that changes nothing, with both it asks for a closed
    tour through the move between them); `search(rows, cols, start, end)` decides by trying all
    whether a board of at most 30 squares, rows <= cols, has a tour between two flat indices.

    Result: the first `Reason` of `THEOREMS` that applies; None means that a tour exists.  The 1x1
    board has its trivial tour, which is not closed.

    Raises: nothing; the squares are trusted.

    Cost: O(1) whatever the size; at most one search.

    >>> never = lambda rows, cols, start, end: False
    >>> why_not(5, 5, (0, 1), search=never).rule
    'colour-majority'
    >>> print(why_not(3, 3, search=never).sentence)
    No knight's move leads to or from the centre (1, 1) of the 3x3 board, so no tour of more \
than one square visits it.
    >>> why_not(10**9, 10**9, (0, 0), (7, 10**8), closed=False, search=never) is None
    True
    """
    question = _ask(rows, cols, start, end, closed, search)
    for theorem in THEOREMS:
        reason = theorem(question)
        if reason is not None:
            return reason
    return None


def first_start(
    rows: int,
    cols: int,
    end: Square | None = None,
    closed: bool = False,
    *,
    search: Search,
) -> Square | None:
    """Find the first square, row by row, from which such a tour starts, or None if there is none.

    Arguments: as for `why_not`.

    Result: (row, col), 0-based; without `end` always (0, 0) when there is a tour at all.

    Raises: nothing; the squares are trusted.

    Cost: at most about 30 calls of `why_not`, whatever the size of the board.

    >>> never = lambda rows, cols, start, end: False
    >>> first_start(10**9, 10**9, (0, 0), search=never)
    (0, 1)
    >>> first_start(3, 10**9, (1, 10**9 - 3), search=never)
    (0, 999999999)
    >>> first_start(2, 8, search=never) is None
    True
    """
    if why_not(rows, cols, None, end, closed, search=search) is not None:
        return None
    if end is None:
        # Whatever board has a tour, or a closed one, has one from its corners.
        return (0, 0)
    for start in _candidates(rows, cols, end, closed):
        if why_not(rows, cols, start, end, closed, search=search) is None:
            return start
    return None


def _candidates(rows: int, cols: int, end: Square, closed: bool) -> list[Square]:
    """Squares, row by row, among which the first feasible start for this end lies.

    A closed tour starts a move from its end.  An open one on at most 30 squares may start anywhere.
    On larger boards a rule either leaves out a few squares of a row or, for an end next to two
    corners, leaves only those: 30 squares row by row and the four corners are enough.
    """
    row, col = end
    if closed and rows * cols > 1:
        steps = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
        squares = ((row + down, col + right) for down, right in steps)
        return [(r, c) for r, c in squares if 0 <= r < rows and 0 <= c < cols]
    found = {divmod(index, cols) for index in range(min(30, rows * cols))}
    found |= {(0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1)}
    return sorted(found)


# --- What users call -----------------------------------------------------------------------------


def exhaustive(engine: Engine) -> Search:
    """Return the search that decides tiny boards, on an engine."""
    solve, found = engine.construction.solve, engine.construction.FOUND

    def search(rows: int, cols: int, start: int, end: int) -> bool:
        # One attempt without a limit is an exact decision.
        return bool(solve(rows, cols, start, end, b"", 1, -1, -1)[0] == found)

    return search


def no_tour(reason: Reason) -> NoTourError:
    """Return a reason as the error that `tour` raises."""
    return NoTourError(
        reason.sentence, reason=reason.rule, source=reason.source, squares=reason.squares
    )


def _asked(
    board: BoardLike,
    start: SquareLike | None,
    end: SquareLike | None,
    closed: bool,
    backend: str | None,
) -> tuple[Question, Reason | None]:
    """Validate a user's question and answer it."""
    place = as_board(board)
    first = None if start is None else place.check_square(start, "start")
    last = None if end is None else place.check_square(end, "end")
    if closed is not True and closed is not False:
        raise InvalidInputError(f"closed={closed!r} is neither True nor False")
    search = exhaustive(get_engine(backend))
    return (
        _ask(*place.shape, first, last, closed, search),
        why_not(*place.shape, first, last, closed, search=search),
    )


def exists(
    board: BoardLike = "xiangqi",
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    backend: str | None = None,
) -> bool:
    """Tell whether a board has such a knight's tour, exactly.

    Rectangles of any size are answered by theorems; boards of other shapes by looking for a tour.

    Args:
        board: a board, as in `tour`.
        start: the first square, None for any.
        end: the last square, None for any.
        closed: whether the tour must return to its start by a move.
        backend: the engine that decides boards of at most 30 squares.

    Raises:
        InvalidInputError: something in the call cannot be used.
        SearchLimitError: a board of another shape stayed undecided.

    Takes microseconds on a rectangle of any size; below 30 squares at most a millisecond.

    >>> exists("chess", closed=True), exists("4x7", closed=True), exists("4x7", start="b2")
    (True, False, False)
    """
    place = as_board(board)
    if not place.is_plain:
        return _tried(place, start, end, closed, backend) is None
    return _asked(place, start, end, closed, backend)[1] is None


def _tried(
    board: Board,
    start: SquareLike | None,
    end: SquareLike | None,
    closed: bool,
    backend: str | None,
) -> NoTourError | None:
    """Answer for a board of another shape, where no theorem does, by looking for a tour."""
    from .search import tour

    try:
        tour(start, board, end=end, closed=closed, backend=backend)
    except NoTourError as error:
        return error
    return None


def explain(
    board: BoardLike = "xiangqi",
    *,
    start: SquareLike | None = None,
    end: SquareLike | None = None,
    closed: bool = False,
    backend: str | None = None,
) -> str:
    """Say in words whether a board has such a tour and why, with the source.

    Args:
        board: a board, as in `tour`.
        start: the first square, None for any.
        end: the last square, None for any.
        closed: whether the tour must return to its start by a move.
        backend: the engine that decides boards of at most 30 squares.

    Returns:
        Three lines: the answer with the name of its rule, the proof, and the source. Squares in it
        are (row, col) from the top left.

    Raises:
        InvalidInputError: something in the call cannot be used.

    >>> print(explain("2x8"))
    no tour of 2x8: two-rows
    On 2 rows every knight's move goes exactly two columns along, so no walk leads from column 0 \
to column 1 of the 2x8 board.
    source: G. L. Chia and S.-H. Ong, Generalized knight's tours on rectangular chessboards, \
Discrete Applied Mathematics 150 (2005) 80-98
    """
    place = as_board(board)
    if not place.is_plain:
        error = _tried(place, start, end, closed, backend)
        what = f"{'closed ' if closed else ''}tour of {place}"
        if error is not None:
            return f"no {what}: {error.reason}\n{error}\nsource: {error.source}"
        return f"there is a {what}: found\nOne was found and checked.\nsource: {SEARCH}"
    question, reason = _asked(place, start, end, closed, backend)
    what = f"{'closed ' if closed else ''}tour of {question.size}"
    if question.start is not None:
        what += f" from {question.name(question.start)}"
    if question.end is not None:
        what += f" to {question.name(question.end)}"
    if reason is not None:
        return f"no {what}: {reason.rule}\n{reason.sentence}\nsource: {reason.source}"
    rule, sentence, source = _why(question)
    return f"there is a {what}: {rule}\n{sentence}\nsource: {source}"


def _why(question: Question) -> tuple[str, str, str]:
    """Return the theorem by which a question is answered with yes: its name, words and source."""
    size, short = question.size, question.short
    if question.area == 1:
        return "single-square", "The tour of the 1x1 board is its one square.", DEFINITION
    if question.closed and (question.start is None or question.end is None):
        return (
            "schwenk",
            f"{size} is none of the boards without a closed tour (an odd number of squares, 1, 2 "
            "or 4 rows, 3x4, 3x6, 3x8), and a closed tour can be begun at any of its squares.",
            SCHWENK,
        )
    if question.start is None and question.end is None:
        if short >= 5:
            return "both-sides-five", f"Both sides of {size} are 5 or more.", CULL
        return (
            "open-tours",
            f"{size} is none of the boards without a tour (1 or 2 rows, 3x3, 3x5, 3x6, 4x4).",
            CHIA_ONG,
        )
    if question.area <= 30:
        return (
            "exhaustive-search",
            f"One was found by trying the walks over the {question.area} squares of {size}.",
            SEARCH,
        )
    if short >= 6:
        return (
            "construction",
            "With 6 rows and columns or more only the colours of the ends can forbid a tour, and "
            "these do not.",
            CONRAD if question.rows == question.cols else BLOCKS,
        )
    return (
        "construction",
        f"The rules that forbid ends on {short} {question.row_word}s are all known, and none of "
        "them applies.",
        automaton(short),
    )
