"""Writing tours to files: the ending says in what form, or the option `form` does.

``.txt`` is the numbered grid, ``.csv`` the same with commas, ``.json`` an object with the board,
the squares and the grid, ``.npy`` the step grid (first step 1) as ``numpy.load`` reads it, written
without numpy, ``.tour`` a TSPLIB tour. ``.svg`` and ``.png`` are pictures, ``.gif``, ``.apng`` and
``.webp`` animations and ``.html`` a page that plays the tour, all in the default style (`Tour.svg`,
`Tour.animate` and `knighttour.drawing` have the options). Grids are written window by window, so
that a file may be larger than the memory. A file appears under its name only when all of it is
written. The graph of a board is written for solvers: TSPLIB HCP and DIMACS. docs/formats.md shows
every form; `knighttour.reading` reads them.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, TypeAlias

from .answer import Progress, Tour, _check_memory
from .board import Board, BoardLike, as_board
from .errors import InvalidInputError, Square
from .files import replacing
from .notation import name_move

__all__ = [
    "GRAPH_FORMS",
    "TEXT_FORMS",
    "as_json",
    "check_ending",
    "format_text",
    "npy_header",
    "write",
    "write_graph",
]

#: What writes a tour into an open file.
Writer: TypeAlias = Callable[[Tour, BinaryIO, Progress], None]

#: Squares of a window: 16 MiB of int32.
_WINDOW = 1 << 22


def write(
    tour: Tour,
    file: str | os.PathLike[str],
    progress: Progress | None = None,
    *,
    form: str | None = None,
) -> Path:
    """Write a tour to a file in the form that its ending names; see `Tour.save`.

    Args:
        tour: the tour.
        file: the path; an existing file is replaced when all has been written.
        progress: called with (squares written, squares in all) now and then.
        form: one of `TEXT_FORMS`, whatever the ending says.

    Raises:
        InvalidInputError: an ending or a form that there is not.
        OSError: the file cannot be written; nothing is left behind.

    >>> import os, tempfile
    >>> from knighttour import read, tour
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = write(tour("a0"), os.path.join(folder, "tour.txt"), form="chinese")
    ...     read(file) == tour("a0")
    True
    """
    target = Path(file)
    writer = check_ending(target) if form is None else _text_writer(form)
    with replacing(target) as out:
        writer(tour, out, progress or _nobody)
    return target


def _nobody(done: int, total: int) -> None:
    """Nobody wants to know how far it is."""


def check_ending(file: str | os.PathLike[str]) -> Writer:
    """Return what writes files of this ending, before anything is computed.

    Raises:
        InvalidInputError: an ending that there is not.
    """
    ending = Path(file).suffix.lower()
    try:
        return _WRITERS[ending]
    except KeyError:
        raise InvalidInputError(
            f"cannot tell from {os.fspath(file)!r} what to write: use an ending of "
            f"{', '.join(_WRITERS)}"
        ) from None


def as_json(tour: Tour) -> str:
    """Return a tour as a JSON object of one line.

    >>> from knighttour import tour
    >>> as_json(tour((0, 0), board="3x4"))[:66]
    '{"rows": 3, "cols": 4, "closed": false, "start": [0, 0], "end": [1'
    """
    return json.dumps({**_facts(tour), "squares": tour.tolist(), "grid": tour.grid()})


def _facts(tour: Tour) -> dict[str, object]:
    """Return what a JSON object says before the squares."""
    return {
        "rows": tour.board.rows,
        "cols": tour.board.cols,
        "closed": tour.closed,
        "start": tour.start,
        "end": tour.end,
        "method": tour.stats.method,
        "nodes": tour.stats.nodes,
        "backtracks": tour.stats.backtracks,
        "board": str(tour.board),
        **({"holes": tour.board.holes} if tour.board.holes else {}),
    }


def _cell(step: int) -> str:
    """Write a step number, and a star for a hole, which has none."""
    return str(step) if step else "*"


def _windows(tour: Tour, progress: Progress, squares: int = _WINDOW) -> Iterator[memoryview]:
    """Yield the step numbers from 1 on, row by row, some million squares at a time."""
    total = tour.board.rows * tour.board.cols  # the holes are cells of the grid, too
    itemsize = 4 if total < 2**31 else 8
    window = memoryview(bytearray(itemsize * min(squares, total)))
    window = window.cast("i" if itemsize == 4 else "q")
    for first in range(0, total, squares):
        part = window[: min(squares, total - first)]
        tour.fill_window(part, first)
        yield part
        progress(first + len(part), total)


def _pieces_of_rows(tour: Tour, progress: Progress) -> Iterator[tuple[list[int], bool]]:
    """Yield the step grid in pieces of rows, each with whether its row ends there.

    A row may be far too long to be written at once: no call would then see Ctrl-C in time.
    """
    cols = tour.board.cols
    first = 0
    for part in _windows(tour, progress, 1 << 16):
        numbers = part.tolist()
        begin = 0
        while begin < len(numbers):
            end = min(len(numbers), begin + cols - first % cols)
            first += end - begin
            yield numbers[begin:end], first % cols == 0
            begin = end


def _rows(tour: Tour) -> Iterator[list[int]]:
    """Yield the rows of the step grid, for texts that are kept whole."""
    row: list[int] = []
    for steps, row_ends in _pieces_of_rows(tour, _nobody):
        row += steps
        if row_ends:
            yield row
            row = []


def _write_txt(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    width = len(str(tour.board.size))
    for steps, row_ends in _pieces_of_rows(tour, progress):
        text = " ".join(_cell(step).rjust(width) for step in steps)
        out.write((text + ("\n" if row_ends else " ")).encode("ascii"))


def _write_csv(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    for steps, row_ends in _pieces_of_rows(tour, progress):
        text = ",".join(map(_cell, steps))
        out.write((text + ("\n" if row_ends else ",")).encode("ascii"))


def _write_json(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    """Write what `as_json` returns and a line end, in pieces."""
    head = json.dumps(_facts(tour))
    out.write(f'{head[:-1]}, "squares": ['.encode("ascii"))
    size = len(tour)
    for first in range(0, size, 1 << 13):
        squares = json.dumps(tour[first : first + (1 << 13)])
        out.write(f"{', ' if first else ''}{squares[1:-1]}".encode("ascii"))
    out.write(b'], "grid": [')
    opening = "["
    for steps, row_ends in _pieces_of_rows(tour, progress):
        text = ", ".join(map(str, steps))
        out.write((opening + text + ("]" if row_ends else "")).encode("ascii"))
        opening = ", [" if row_ends else ", "
    out.write(b"]}\n")


def npy_header(rows: int, cols: int, itemsize: int) -> bytes:
    """Return the header of a ``.npy`` file (format 1.0) of native signed integers."""
    order = "<" if sys.byteorder == "little" else ">"
    text = f"{{'descr': '{order}i{itemsize}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    # Magic, version, length and text together fill a multiple of 64 bytes, with a line end last.
    padding = -(10 + len(text) + 1) % 64
    body = (text + " " * padding + "\n").encode("ascii")
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(body)) + body


def _write_npy(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    for number, window in enumerate(_windows(tour, progress)):
        if number == 0:
            out.write(npy_header(tour.board.rows, tour.board.cols, window.itemsize))
        out.write(window)


def _write_html(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    from .drawing.page import page

    out.write(page(tour).encode())
    progress(tour.board.size, tour.board.size)


def _write_svg(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    out.write(tour.svg().encode())
    progress(tour.board.size, tour.board.size)


def _write_png(tour: Tour, out: BinaryIO, progress: Progress) -> None:
    from .drawing.raster import png

    out.write(png(tour))
    progress(tour.board.size, tour.board.size)


def _animation(kind: str) -> Writer:
    def write_animation(tour: Tour, out: BinaryIO, progress: Progress) -> None:
        from .drawing.raster import animate

        animate(tour, out, kind=kind)
        progress(tour.board.size, tour.board.size)

    return write_animation


# Texts of one piece after the other


def format_text(tour: Tour, form: str = "grid") -> str:
    """Return a tour as a text that `read_text` reads again.

    Args:
        tour: the tour.
        form: one of `TEXT_FORMS`: ``"grid"``, ``"csv"``, ``"tsv"``, ``"table"`` (with lines),
            ``"rows"`` (a nested list, as JSON, JavaScript and Python have it), ``"flat"`` (row by
            row, on one line), ``"squares"`` (one pair a line), ``"python"`` (a list of tuples),
            ``"js"`` (an array of arrays), ``"order"`` (flat indices), ``"numbers"`` (squares as
            python-chess numbers them), ``"names"``, ``"uci"``, ``"iccs"``, ``"wxf"``,
            ``"chinese"`` (moves, of red), ``"wxf-black"``, ``"chinese-black"``, ``"codes"``
            (direction codes), ``"json"`` (an object with everything), ``"tsplib"``.

    Raises:
        InvalidInputError: an unknown form, or a board that it cannot be written for.
        SearchLimitError: no memory for the text.

    >>> from knighttour import tour
    >>> print(format_text(tour((0, 0), board="3x4"), "python"))
    [(0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (2, 3), (1, 1), (0, 3), (2, 2), (1, 0)]
    """
    pieces = _pieces_of(form)
    _check_memory(100 * tour.board.size, "format_text()", "a file, write(tour, file, form=...),")
    return "".join(pieces(tour)).rstrip("\n")


def _pieces_of(form: str) -> Callable[[Tour], Iterator[str]]:
    try:
        return _PIECES[form]
    except (KeyError, TypeError):
        raise InvalidInputError(f"form={form!r} is unknown: use {', '.join(TEXT_FORMS)}") from None


def _text_writer(form: str) -> Writer:
    pieces = _pieces_of(form)

    def writer(tour: Tour, out: BinaryIO, progress: Progress) -> None:
        total = tour.board.size
        # Some thousand pieces at a time: a piece may be as short as a number.
        block: list[str] = []
        for piece in pieces(tour):
            block.append(piece)
            if len(block) == 8192:
                out.write("".join(block).encode())
                block.clear()
        out.write("".join(block).encode())
        progress(total, total)

    return writer


def _grid_pieces(separator: str) -> Callable[[Tour], Iterator[str]]:
    def pieces(tour: Tour) -> Iterator[str]:
        width = len(str(tour.board.size)) if separator == " " else 0
        for row in _rows(tour):
            yield separator.join(_cell(step).rjust(width) for step in row) + "\n"

    return pieces


def _table(tour: Tour) -> Iterator[str]:
    width = len(str(tour.board.size))
    line = "─" * (width + 2)
    cols = tour.board.cols
    yield f"┌{'┬'.join([line] * cols)}┐\n"
    for number, row in enumerate(_rows(tour)):
        if number:
            yield f"├{'┼'.join([line] * cols)}┤\n"
        yield "│" + "│".join(f" {_cell(step):>{width}} " for step in row) + "│\n"
    yield f"└{'┴'.join([line] * cols)}┘\n"


def _nested_rows(tour: Tour) -> Iterator[str]:
    lead = "["
    for row in _rows(tour):
        yield f"{lead}[{', '.join(str(step) if step else 'null' for step in row)}]"
        lead = ",\n "
    yield "]\n"


def _flat_steps(tour: Tour) -> Iterator[str]:
    for number, row in enumerate(_rows(tour)):
        yield (", " if number else "") + ", ".join(map(_cell, row))
    yield "\n"


def _joined(
    words: Callable[[Tour], Iterator[str]], separator: str, before: str = "", after: str = "\n"
) -> Callable[[Tour], Iterator[str]]:
    def pieces(tour: Tour) -> Iterator[str]:
        yield before
        for number, word in enumerate(words(tour)):
            yield separator + word if number else word
        yield after

    return pieces


def _names(tour: Tour) -> Iterator[str]:
    return map(tour.board.name, tour)


def _numbers(tour: Tour) -> Iterator[int]:
    """Yield the squares as python-chess and cchess number them: from the bottom left."""
    cols, last = tour.board.cols, tour.board.rows - 1
    return ((last - row) * cols + col for row, col in tour)


def _move_names(style: str, side: str = "red") -> Callable[[Tour], Iterator[str]]:
    def words(tour: Tour) -> Iterator[str]:
        # The relative styles do not say where they begin; a single square has no moves.
        if style in ("wxf", "chinese") and tour.board.shape == (10, 9):
            yield as_board("xiangqi").name(tour.start)
        elif style in ("wxf", "chinese") or tour.board.size == 1:
            yield tour.board.name(tour.start)
        for first, second in pairwise(tour):
            yield name_move(first, second, tour.board, style, side=side)

    return words


def _codes(tour: Tour) -> Iterator[str]:
    yield f"{tour.board.name(tour.start)} "
    for chunk in tour.iter_moves():
        yield "".join(map(str, chunk))
    yield "\n"


def _tsplib_tour(tour: Tour) -> Iterator[str]:
    board = tour.board
    numbers = _vertices(board)
    yield f"NAME : {_graph_name(board)}\n"
    yield f"COMMENT : knight's tour of {_board_words(board)}\n"
    yield f"TYPE : TOUR\nDIMENSION : {board.size}\nTOUR_SECTION\n"
    for square in tour:
        yield f"{numbers(square)}\n"
    yield "-1\nEOF\n"


_PIECES: dict[str, Callable[[Tour], Iterator[str]]] = {
    "grid": _grid_pieces(" "),
    "csv": _grid_pieces(","),
    "tsv": _grid_pieces("\t"),
    "table": _table,
    "rows": _nested_rows,
    "flat": _flat_steps,
    "squares": _joined(lambda tour: (f"{row} {col}" for row, col in tour), "\n"),
    "python": _joined(lambda tour: map(str, tour), ", ", "[", "]\n"),
    "js": _joined(lambda tour: (f"[{row}, {col}]" for row, col in tour), ", ", "[", "]\n"),
    "order": _joined(lambda tour: (f"{r * tour.board.cols + c}" for r, c in tour), " "),
    "numbers": _joined(lambda tour: (str(n) for n in _numbers(tour)), " "),
    "names": _joined(_names, " "),
    "uci": _joined(_move_names("uci"), " "),
    "iccs": _joined(_move_names("iccs"), " "),
    "wxf": _joined(_move_names("wxf"), " "),
    "chinese": _joined(_move_names("chinese"), " "),
    "wxf-black": _joined(_move_names("wxf", "black"), " "),
    "chinese-black": _joined(_move_names("chinese", "black"), " "),
    "codes": _codes,
    "json": lambda tour: iter((as_json(tour), "\n")),
    "tsplib": _tsplib_tour,
}

#: What `form` of `format_text` and `write` may be.
TEXT_FORMS = tuple(_PIECES)


# Graphs of boards


def write_graph(board: BoardLike, file: str | os.PathLike[str], *, form: str | None = None) -> Path:
    r"""Write the move graph of a board for a solver of Hamiltonian cycles.

    Args:
        board: the board; vertex row * cols + col + 1 is the square (row, col). With holes the
            squares are counted row by row, from 1: vertex k is ``board.squares[k - 1]``.
        file: the path; ``.hcp`` is TSPLIB HCP, ``.col``, ``.edge`` and ``.dimacs`` are DIMACS edge
            lists.
        form: ``"hcp"`` or ``"dimacs"``, whatever the ending says.

    Raises:
        InvalidInputError: no board, or an ending or a form that there is not, or a board with moves
            that have no way back (these formats have edges, no arrows).
        OSError: the file cannot be written; nothing is left behind.

    Each edge is written once. About one microsecond an edge.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = write_graph("3x4", os.path.join(folder, "board.col")).read_text().split("\n")
    >>> lines[1:4]
    ['p edge 12 14', 'e 1 7', 'e 1 10']
    """
    shape = as_board(board)
    target = Path(file)
    if form is None:
        form = {".hcp": "hcp", ".col": "dimacs", ".edge": "dimacs", ".dimacs": "dimacs"}.get(
            target.suffix.lower()
        )
        if form is None:
            raise InvalidInputError(
                f"cannot tell from {os.fspath(file)!r} what to write: use .hcp, .col, .edge or "
                f".dimacs, or form={' or form='.join(map(repr, GRAPH_FORMS))}"
            )
    elif form not in GRAPH_FORMS:
        raise InvalidInputError(f"form={form!r} is unknown: use {' or '.join(GRAPH_FORMS)}")
    if shape.is_directed:
        raise InvalidInputError(
            f"on {shape} pieces block some moves in one direction only, and the edges of {form} "
            "have none: board.to_networkx() is a directed graph"
        )
    with replacing(target) as out:
        for line in (_hcp if form == "hcp" else _dimacs)(shape):
            out.write(line.encode("ascii"))
    return target


#: What `form` of `write_graph` may be.
GRAPH_FORMS = ("hcp", "dimacs")


def _vertices(board: Board) -> Callable[[Square], int]:
    """Return what numbers the squares from 1 on, row by row; holes are no vertices."""
    cols = board.cols
    if board.size == board.rows * cols:
        return lambda square: square[0] * cols + square[1] + 1
    return {square: number for number, square in enumerate(board.squares, 1)}.__getitem__


def _graph_name(board: Board) -> str:
    """Return the name of a graph, which solvers repeat in the tours that they write."""
    holes = "_with_holes" if board.size < board.rows * board.cols else ""
    return f"knight_{board.rows}x{board.cols}{holes}"


def _board_words(board: Board) -> str:
    if board.size < board.rows * board.cols:
        return f"a board of {board.rows}x{board.cols} with holes, its squares row by row"
    return f"the board {board.rows}x{board.cols}, vertices row by row"


def _edges(board: Board) -> Iterator[tuple[int, int]]:
    """Yield each move once, as numbers of vertices from 1 on."""
    numbers = _vertices(board)
    for square in board.squares:
        here = numbers(square)
        for there in map(numbers, board.neighbours(square)):
            if here < there:
                yield here, there


def _hcp(board: Board) -> Iterator[str]:
    yield f"NAME : {_graph_name(board)}\n"
    yield f"COMMENT : the moves on {_board_words(board)}\n"
    yield f"TYPE : HCP\nDIMENSION : {board.size}\n"
    yield "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
    for here, there in _edges(board):
        yield f"{here} {there}\n"
    yield "-1\nEOF\n"


def _dimacs(board: Board) -> Iterator[str]:
    yield f"c the moves on {_board_words(board)}\n"
    # The number of edges comes before them: they are counted in a pass of its own.
    yield f"p edge {board.size} {sum(1 for _ in _edges(board))}\n"
    for here, there in _edges(board):
        yield f"e {here} {there}\n"


_WRITERS: dict[str, Writer] = {
    ".txt": _write_txt,
    ".csv": _write_csv,
    ".json": _write_json,
    ".npy": _write_npy,
    ".html": _write_html,
    ".svg": _write_svg,
    ".png": _write_png,
    ".gif": _animation("gif"),
    ".apng": _animation("apng"),
    ".webp": _animation("webp"),
    ".tour": _text_writer("tsplib"),
}
