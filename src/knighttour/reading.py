"""Reading tours in the forms that people exchange, recognised by content or forced by an option.

`scan` and `scan_text` find out what is written and return it unchecked, as `Reading` objects;
`read` and `read_text` want exactly one and return it checked, as a `Tour`. docs/formats.md lists
the forms. What can be read in two ways is an error that names the ways and the option that chooses.

Nothing that is read can run code: brackets are parsed here or by `json`, ``.npy`` headers by a
regular expression. Files are read up to a size limit. A grid of a million numbers takes about a
second as text; an ``.npy`` file is mapped, not copied.
"""

from __future__ import annotations

import io
import json
import mmap
import os
import re
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .analysis import (
    HOLE_MARKS,
    Reading,
    _check_base,
    as_reading,
    from_words,
    on_board,
    on_smallest_board,
)
from .answer import Tour
from .board import MAX_SQUARES, Board, BoardLike, SquareLike, _coordinate, as_board
from .errors import InvalidInputError
from .notation import RANKS, SIDES

__all__ = ["COORDINATES", "FORMS", "MAX_BYTES", "read", "read_text", "scan", "scan_text"]

#: Text files larger than this are refused unless `max_bytes` says otherwise.
MAX_BYTES = 64 * 2**20

#: What `form` may be.
FORMS = (
    "grid", "steps", "squares", "order", "numbers", "names", "moves", "codes", "json", "tsplib",
    "npy",
)  # fmt: skip

#: What `coordinates` may be: which number of a pair is which; ``x,y-up`` counts y from the bottom.
COORDINATES = ("row,col", "col,row", "x,y", "x,y-up")

#: Brackets deeper than this are no tour.
_MAX_DEPTH = 4

#: Chinese text has digits, letters and signs as wide as its characters, and commas of its own.
_HALF_WIDTH: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    ord("\u3000"): " ", ord("、"): ",", ord("。"): ".", ord("−"): "-",
}  # fmt: skip
_WIDE = re.compile("[\u3000-\u3002−\uff01-\uff5e]")

_BRACKET = re.compile(r"[\[\](){}]")
_ARROWS = re.compile(r"->|=>|-->|→|⇒|⟶|➔|➜|~>|>")
_BARS = "|│┃║¦╎┆┊｜"
_RULES = frozenset("─━═-=+_┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋╒╕╘╛╞╡╤╧╪╓╖╙╜╟╢╥╨╫:" + _BARS)
_NAME = r"[A-Za-z]{1,3}[0-9]{1,10}"
# Possessive: a text that is no list of names is refused in linear time.
_NAME_LIST = re.compile(
    rf"(?:[\s,;.:>→⇒×–—|/\"'-]|(?<![0-9A-Za-z])[0-9]{{1,9}}[.):]\s|[Nn]?{_NAME})++"
)
_CODES = re.compile(rf"\s*({_NAME})[\s:;,]+((?:[0-7][\s,;]*+)++)")
_FIGURE = "[一二三四五六七八九1-9]"
_RELATIVE = re.compile(
    rf"(?:[马馬傌NnHh]{_FIGURE}|[前后後][马馬傌]|[NnHh][+\-])[进進退+\-]{_FIGURE}"
)
_RELATIVES = re.compile(rf"(?:{_NAME})?(?:{_RELATIVE.pattern})++")
_NAMED_PAIR = re.compile(
    r"(row|x|r)\s*[=:]\s*(-?[0-9]{1,18})\s*+(?:[,;]\s*+)?(col|column|y|c)\s*[=:]\s*(-?[0-9]{1,18})",
    re.IGNORECASE,
)
_TITLE = re.compile(r"[A-Za-z]{3,}|[㐀-鿿]|^\s*//|^\s*#\s+[^\s#*.]*[A-Za-z]|^\s*#[0-9]+\s*$")
#: Words that stand for a hole; a line with them is a row and no title.
_NO_NUMBER = re.compile(r"(?i)(?<![A-Za-z])(?:none|null|nan)(?![A-Za-z])")
_MATRIX = re.compile(r"[^\[\](){}]*+\[([^\[\](){}]*+)\][\s;]*+")
_NOT_BLANK = re.compile(r"\S")
_TOKEN = re.compile(
    r"""[\[\](){}]|"[^"\n]{0,40}"|'[^'\n]{0,40}'|-?[0-9]+|[A-Za-z_][A-Za-z_0-9]*|\*+|\#+|\.+|[,;\s]+|.""",
    re.DOTALL,
)
_NPY_HEADER = re.compile(
    r"""\s*\{(?=.*'descr':\s*'(?P<type>[<>|=][a-zA-Z][0-9]{1,3})')"""
    r"""(?=.*'fortran_order':\s*(?P<fortran>True|False))"""
    r"""(?=.*'shape':\s*\((?P<shape>[0-9,\sL]*)\)).*\}\s*""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Options:
    """How to read, checked."""

    form: str | None
    board: Board | None
    base: int | None
    rows: int | None
    cols: int | None
    coordinates: str
    ranks: str | None
    side: str | None
    headers: bool | None
    holes: frozenset[str]
    start: SquareLike | None
    #: takes the pieces of a text that cannot be read; None: the first of them is raised
    refused: list[tuple[int, InvalidInputError]] | None = None

    @property
    def target(self) -> Board | None:
        """The board, if it is known beforehand."""
        if self.board is None and self.rows is not None and self.cols is not None:
            return Board(self.rows, self.cols)
        return self.board

    def wants(self, *forms: str) -> bool:
        """Whether one of these forms is asked for, or none at all."""
        return self.form is None or self.form in forms


def _options(
    *,
    form: str | None = None,
    board: BoardLike | None = None,
    base: int | None = None,
    rows: int | None = None,
    cols: int | None = None,
    coordinates: str = "row,col",
    ranks: str | None = None,
    side: str | None = None,
    headers: bool | None = None,
    holes: Iterable[str] = (),
    start: SquareLike | None = None,
    refused: list[tuple[int, InvalidInputError]] | None = None,
) -> _Options:
    for name, value, known in (
        ("form", form, (None, *FORMS)),
        ("coordinates", coordinates, COORDINATES),
        ("ranks", ranks, (None, *RANKS)),
        ("side", side, (None, *SIDES)),
        ("headers", headers, (None, True, False)),
    ):
        if not isinstance(value, (str, bool, type(None))) or value not in known:
            raise InvalidInputError(
                f"{name}={value!r} is unknown: use {', '.join(map(repr, known))}"
            )
    marks = frozenset([holes] if isinstance(holes, str) else holes)
    for mark in marks:
        if not isinstance(mark, str):
            raise InvalidInputError(f"{mark!r} in holes is no text: use marks such as '0' or '*'")
    asked = None if board is None else as_board(board)
    if asked is None and (rows is not None or cols is not None):
        Board(1 if rows is None else rows, 1 if cols is None else cols)  # refuses what is no size
    elif rows not in (None, asked and asked.rows) or cols not in (None, asked and asked.cols):
        raise InvalidInputError(f"rows={rows}, cols={cols} and board={asked} contradict each other")
    return _Options(
        form,
        asked,
        None if base is None else _check_base(base),
        None if rows is None else int(rows),
        None if cols is None else int(cols),
        coordinates,
        ranks,
        side,
        headers,
        marks,
        start,
        refused,
    )


# The four ways in


def read(
    source: Any,
    *,
    end: SquareLike | None = None,
    closed: bool | None = None,
    max_bytes: int = MAX_BYTES,
    encoding: str = "utf-8",
    backend: str | None = None,
    **options: Any,
) -> Tour:
    """Read a tour from a file and check it.

    Args:
        source: a path, or an open file (binary or text).
        end: the square where it has to end.
        closed: True if it has to be closed.
        max_bytes: a larger file is refused; it does not count for ``.npy``, which is not copied.
        encoding: of a text file.
        backend: ``"core"`` or ``"pure"`` for this call.
        options: those of `scan_text`; `start` is required of the tour, too.

    Raises:
        InvalidInputError: nothing that can be read, or not in one way only, or several tours.
        InvalidTourError: it is no tour; its `faults` has every fault.
        OSError: the file cannot be opened.

    >>> import os, tempfile
    >>> from knighttour import tour
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = tour("a1", "chess").save(os.path.join(folder, "tour.txt"))
    ...     read(file) == tour("a1", "chess")
    True
    """
    found = scan(source, max_bytes=max_bytes, encoding=encoding, **options)
    return _single(found).check(start=options.get("start"), end=end, closed=closed, backend=backend)


def read_text(
    text: str,
    *,
    end: SquareLike | None = None,
    closed: bool | None = None,
    backend: str | None = None,
    **options: Any,
) -> Tour:
    """Read a tour from a text and check it; otherwise as `read`.

    >>> read_text("A1B3C1A2B4C2A3B1C3A4B2C4")
    <Tour 4x3 open, a1 to c4, 12 squares>
    """
    found = scan_text(text, **options)
    return _single(found).check(start=options.get("start"), end=end, closed=closed, backend=backend)


def _single(found: list[Reading]) -> Reading:
    if len(found) != 1:
        lines = ", ".join(str(reading.line) for reading in found[:5])
        raise InvalidInputError(
            f"there are {len(found)} tours (the first ones begin in lines {lines}): scan() or "
            "scan_text() returns them all"
        )
    return found[0]


def scan(
    source: Any, *, max_bytes: int = MAX_BYTES, encoding: str = "utf-8", **options: Any
) -> list[Reading]:
    """Read everything in a file that claims to be a tour, without checking it.

    Args and errors as for `read`. ``.npy`` files are known by their first bytes; an array of three
    dimensions is one grid after the other.

    >>> import io
    >>> [reading.check().start for reading in scan(io.StringIO("A1B3C1A2B4C2A3B1C3A4B2C4"))]
    [(3, 0)]
    """
    chosen = _options(**options)
    limit = _coordinate(max_bytes)
    if limit is None or limit < 0:
        raise InvalidInputError(f"max_bytes={max_bytes!r} is no size: use a number of bytes")
    if hasattr(source, "read"):
        data = source.read(limit + 1)
        name = "the file"
    elif isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        if not isinstance(name, str) or "\n" in name or "\0" in name:
            raise InvalidInputError(
                f"{name[:40]!r} is no path: a text itself is read by read_text() or scan_text()"
            )
        with Path(name).open("rb") as file:
            if file.read(6) == _NPY_MAGIC:
                return _scan_npy(_mapped(file), chosen)
            file.seek(0) if file.seekable() else None
            data = file.read(limit + 1)
    else:
        raise InvalidInputError(
            f"a {type(source).__name__} cannot be read: use a path or an open file; check() takes "
            "grids and lists"
        )
    if len(data) > limit:
        raise InvalidInputError(
            f"{name} has more than {limit} bytes: max_bytes= raises the limit, and .npy files are "
            "read without copying"
        )
    if isinstance(data, str):
        return scan_text(data, **options)
    if data[:6] == _NPY_MAGIC:
        return _scan_npy(memoryview(data), chosen)
    if chosen.form == "npy":
        raise InvalidInputError(f"{name} is no .npy file: it does not begin with \\x93NUMPY")
    return scan_text(_decoded(data, encoding, name), **options)


def _decoded(data: bytes, encoding: str, name: str) -> str:
    """Return the text of a file; what is UTF-16 or UTF-32 is known by its marks or its zeros."""
    if not isinstance(encoding, str):
        raise InvalidInputError(f"encoding={encoding!r} is no name of an encoding: use 'utf-8'")
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        encoding = "utf-32"
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif encoding == "utf-8" and b"\0" in data[:64]:
        # Digits and blanks of UTF-16 without a mark: every other byte is 0.
        even, odd = data[:64:2].count(0), data[1:64:2].count(0)
        if min(even, odd) > 0 or 4 * max(even, odd) < len(data[:64]):
            raise InvalidInputError(f"{name} is no text: it has zero bytes")
        encoding = "utf-16-le" if odd else "utf-16-be"
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise InvalidInputError(
            f"{name} is no text in the encoding {encoding!r} ({error}): encoding= names another, "
            "such as 'latin-1' or 'gb18030'"
        ) from None


def scan_text(text: str, **options: Any) -> list[Reading]:
    """Read everything in a text that claims to be a tour, without checking it.

    Args:
        text: grids, lists of squares, names or moves; see docs/formats.md.
        options: `form` (one of `FORMS`), `board` (or `rows` and `cols`), `base` (the first step
            number of a grid; 0 or 1 for coordinates), `coordinates` (one of `COORDINATES`), `ranks`
            (``"0-9"`` or ``"1-10"``), `side` (``"red"`` or ``"black"``, who makes moves such as
            H2+3), `headers` (True or False: whether the outer lines of a grid
            are headers), `holes` (more marks that stand for holes, such as ``"0"``), `start` (the
            square where moves begin), `refused` (a list that takes the pieces between blank lines
            that cannot be read, each as (line, error), instead of the first of them being raised).

    Raises:
        InvalidInputError: nothing that can be read, or not in one way only.

    >>> [reading.form for reading in scan_text("(0, 0) (2, 1)")]
    ['squares']
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"a {type(text).__name__} is no text: use str, or read() for files")
    chosen = _options(**options)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if _WIDE.search(text):
        text = text.translate(_HALF_WIDTH)
    if not text.strip():
        raise InvalidInputError("the text is empty: there is no tour in it")
    found = _recognise(text, chosen)
    if not found and not chosen.refused:
        raise InvalidInputError(
            f"there is no tour in the text {_excerpt(text)}: see docs/formats.md"
        )
    if chosen.target is not None:
        found = [
            reading if reading.board is not None else _on_board(reading, chosen)
            for reading in found
        ]
    return found


def _excerpt(text: str) -> str:
    words = " ".join(text[:200].split())
    return repr(words if len(words) <= 40 else words[:40] + "...")


def _on_board(reading: Reading, options: _Options) -> Reading:
    board = options.target
    assert board is not None
    if reading.numbers is not None and (reading.rows, reading.cols) != board.shape:
        size = len(reading.numbers)
        hint = ": form='steps' reads them row by row" if size == board.rows * board.cols else ""
        raise InvalidInputError(
            f"the grid in line {reading.line} has {reading.rows} rows and {reading.cols} columns, "
            f"and the board is {board}{hint}"
        )
    return on_board(reading, board)


# What is it?


def _recognise(text: str, options: _Options) -> list[Reading]:
    if options.wants("tsplib") and "TOUR_SECTION" in text:
        return [_tsplib(text, options)]
    if options.form == "tsplib":
        raise InvalidInputError("there is no TOUR_SECTION in the text: it is no TSPLIB tour")
    if options.form == "npy":
        raise InvalidInputError("form='npy' is a binary form: use read(file)")
    if options.wants("json") and text.lstrip()[:1] in ("{", "[", '"'):
        try:
            value = json.loads(text)
        except RecursionError:
            raise InvalidInputError("the brackets are nested too deeply for a tour") from None
        except ValueError as error:
            objects = _json_lines(text)
            if objects is not None:
                return _from_json_lines(objects, options)
            if options.form == "json":
                raise InvalidInputError(f"the text is no JSON: {error}") from None
        else:
            return _from_value(value, options, 1)
    elif options.form == "json":
        raise InvalidInputError(f"the text {_excerpt(text)} is no JSON object or array")
    whole = _whole_text(text, options)
    if whole is not None:
        return [whole]
    found: list[Reading] = []
    for line, block in _blocks(text):
        try:
            found += _block(block, line, options)
        except InvalidInputError as error:
            if options.refused is None:
                raise
            options.refused.append((line, error))
    return found


def _json_lines(text: str) -> list[tuple[int, Any]] | None:
    """Return JSON objects that follow each other, each with its line; None if they are not that."""
    objects: list[tuple[int, Any]] = []
    decoder = json.JSONDecoder()
    place, line = 0, 1
    while True:
        match = _NOT_BLANK.search(text, place)
        if match is None:
            return objects
        begin = match.start()
        line += text.count("\n", place, begin)
        if text[begin] != "{":
            return None
        try:
            value, place = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            return None
        objects.append((line, value))
        line += text.count("\n", begin, place)


def _from_json_lines(objects: list[tuple[int, Any]], options: _Options) -> list[Reading]:
    found: list[Reading] = []
    for line, value in objects:
        try:
            found += _from_value(value, options, line)
        except InvalidInputError as error:
            if options.refused is None:
                raise
            options.refused.append((line, error))
    return found


def _whole_text(text: str, options: _Options) -> Reading | None:
    """Recognise the forms that are one list over the whole text."""
    head = text[:400]
    if options.wants("codes"):
        match = _CODES.fullmatch(text)
        if match is not None:
            return _from_codes(match[1], match[2], options)
    if options.wants("moves") and _RELATIVE.search(head):
        tokens = _move_tokens(text)
        if options.form == "moves" or all(map(_RELATIVE.fullmatch, tokens[1:])):
            return _from_relative(tokens, options)
    if options.form == "codes":
        raise InvalidInputError(
            f"the text {_excerpt(text)} is no list of form={options.form!r}: see docs/formats.md"
        )
    if options.wants("squares") and _NAMED_PAIR.search(head):
        pairs = [
            (first, int(u), second, int(v)) for first, u, second, v in _NAMED_PAIR.findall(text)
        ]
        upward = options.coordinates if options.coordinates.startswith("x") else "x,y"
        ways = {upward if first[0] in "xX" else "row,col" for first, *_ in pairs}
        if len(ways) > 1:
            raise InvalidInputError("the text mixes row/col and x/y: write one of them")
        return _from_pairs([(u, v) for _, u, _, v in pairs], options, 1, ways.pop())
    return None


def _blocks(text: str) -> list[tuple[int, list[str]]]:
    """Split a text at blank lines and titles, but not inside brackets."""
    blocks: list[tuple[int, list[str]]] = []
    current: list[str] = []
    first = 1
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        # A title holds words; a line of a bracketed list may hold names and assignments.
        brackets = _BRACKET.search(line) is not None
        title = depth == 0 and not brackets and _is_title(line)
        if title and ":" in line:
            # Tour: a1 c2 e1 ...
            rest = line.partition(":")[2]
            if _NAME_LIST.fullmatch(rest) and re.search(_NAME, rest):
                line, title = rest, False
        if depth == 0 and (title or not line.strip()):
            if current:
                blocks.append((first, current))
                current = []
            continue
        if not current:
            first = number
        current.append(line)
        if brackets:
            depth += sum(line.count(char) for char in "[({") - sum(line.count(c) for c in "])}")
            depth = max(depth, 0)
    if current:
        blocks.append((first, current))
    return blocks


def _is_title(line: str) -> bool:
    if _NAME_LIST.fullmatch(line):
        return False
    if line.rstrip()[-1:] == ":" and len(re.findall(r"[0-9]+", line)) < 2:
        return True
    return _TITLE.search(_NO_NUMBER.sub("", line)) is not None


def _block(lines: list[str], line: int, options: _Options) -> list[Reading]:
    text = "\n".join(lines)
    if options.wants("names", "moves"):
        if re.search(_NAME, text) and _NAME_LIST.fullmatch(text):
            parts = [_find_names(part) for part in lines]
            # One tour a line, if every line visits the same squares.
            if len(parts) == 1 or len({frozenset(part) for part in parts}) > 1:
                parts = [[name for part in parts for name in part]]
            return [replace(_from_names(part, options), line=line) for part in parts]
        if options.form is not None and "(" not in text and "[" not in text:
            raise InvalidInputError(
                f"the text {_excerpt(text)} is no list of names or moves: see docs/formats.md"
            )
    matrix = _MATRIX.fullmatch(text)
    if matrix is not None and ";" in matrix[1]:  # [1 4 7; 2 5 8], as MATLAB and Julia write it
        rows = [row for row in re.split(r"[;\n]", matrix[1]) if row.strip()]
        return [_from_table(rows, line, options)]
    if _BRACKET.search(text):
        return _from_value(_parse_brackets(text), options, line)
    if _ARROWS.search(text) and options.wants("squares"):
        return [_from_arrows(text, options, line)]
    board = options.target
    if board is not None and board.shape != (len(lines), board.rows * board.cols):
        # A flat list a line is a tour a line.
        size = board.rows * board.cols
        if size > 2 and len(lines) > 1 and all(len(_cells(row)) == size for row in lines):
            flat = [[cell for cell in _cells(row) if cell] for row in lines]
            return [_flat(cells, options, number) for number, cells in enumerate(flat, line)]
    return [_from_table(lines, line, options)]


# Names and moves


def _find_names(text: str) -> list[str]:
    """Return the names of squares in a text, without the N of a knight before them."""
    return re.findall(rf"(?:(?<![A-Za-z])N(?=[a-z][0-9]))?({_NAME})", text)


def _move_tokens(text: str) -> list[str]:
    """Return the words of a list of moves, without the numbers of the moves."""
    words = [word for word in re.split(r"[\s,;:.]+", text) if word and not word.isdigit()]
    if not any(_RELATIVES.fullmatch(word) and len(word) > 4 for word in words):
        return words
    # 马二进三马三进四: nothing stands between the moves
    tokens = []
    for word in words:
        if _RELATIVES.fullmatch(word):
            tokens += re.findall(rf"{_RELATIVE.pattern}|{_NAME}", word)
        else:
            tokens.append(word)
    return tokens


def _from_names(names: list[str], options: _Options) -> Reading:
    if not names:
        raise InvalidInputError("there are no names of squares in the text, such as a1 or i9")
    form = "names"
    # A list of moves names every square twice, but for the ends: a1c2 c2e1 e1g2.
    if len(names) >= 4 and len(names) % 2 == 0 and names[1:-1:2] == names[2::2]:
        names = [names[0], *names[1::2]]
        form = "moves"
    reading = from_words(names, options.target, ranks=options.ranks)
    return replace(reading, board=options.target, form=form)


def _from_codes(start: str, codes: str, options: _Options) -> Reading:
    from .board import KNIGHT_MOVES

    board = options.target
    match = re.fullmatch(r"([A-Za-z]+)([0-9]+)", start)
    assert match is not None
    walk = [int(code) for code in codes if code.isdigit()]
    if board is not None:
        row, col = board.square(start, ranks=options.ranks)
    else:
        from .notation import column_number

        row, col = -int(match[2]), column_number(match[1])
    entries = [(row, col)]
    for code in walk:
        row, col = row + KNIGHT_MOVES[code][0], col + KNIGHT_MOVES[code][1]
        entries.append((row, col))
    if board is not None:
        return Reading(
            *board.shape, entries=entries, board=board, naming=board.naming, form="codes"
        )
    # Without a board: the ranks count from the bottom, so that the highest one is the top row.
    bottom = min(1, min(-r for r, _ in entries))
    if bottom < 0 or min(c for _, c in entries) < 0:
        raise InvalidInputError("the moves leave the board: say which board this is a tour of")
    top = min(r for r, _ in entries)
    rows, cols = -bottom - top + 1, max(c for _, c in entries) + 1
    entries = [(r - top, c) for r, c in entries]
    naming = "algebraic" if bottom else "iccs"
    return Reading(rows, cols, entries=entries, naming=naming, form="codes")


def _from_relative(tokens: list[str], options: _Options) -> Reading:
    """Read moves such as 马二进三 or H2+3, which say where they go but not where they begin."""
    board = options.target or as_board("xiangqi")
    reading = from_words(tokens, board, start=options.start, side=options.side, ranks=options.ranks)
    return replace(reading, board=board)


# Pairs of numbers


def _from_arrows(text: str, options: _Options, line: int) -> Reading:
    pairs: list[tuple[int, int]] = []
    for piece in _ARROWS.split(text):
        numbers = re.findall(r"-?[0-9]{1,18}", piece)
        if not piece.strip() and pairs:
            continue
        if len(numbers) != 2 or re.sub(r"[-0-9,;:\s]", "", piece):
            raise InvalidInputError(
                f"{piece.strip()[:40]!r} between two arrows is no square: use two numbers or a name"
            )
        pairs.append((int(numbers[0]), int(numbers[1])))
    return _from_pairs(pairs, options, line)


def _from_pairs(
    pairs: list[tuple[int, int]], options: _Options, line: int, coordinates: str | None = None
) -> Reading:
    """Turn coordinates into squares, as the options say."""
    board = options.target
    way = coordinates or options.coordinates
    if way != "row,col":
        pairs = [(second, first) for first, second in pairs]
    least = (min(row for row, _ in pairs), min(col for _, col in pairs))
    most = (max(row for row, _ in pairs), max(col for _, col in pairs))
    base = options.base
    if base is None:
        if board is not None and (most[0] >= board.rows or most[1] >= board.cols):
            base = 0 if 0 in least else 1
        elif min(least) <= 0:
            base = 0
        elif least == (1, 1) and len(set(pairs)) == most[0] * most[1]:
            base = 1
        else:
            raise InvalidInputError(
                f"the coordinates in line {line} count from {least[0]} and {least[1]}, so that "
                "they can begin with 0 or with 1: base=0 or base=1 says which"
            )
    if way == "x,y-up":
        top = board.rows - 1 if board is not None else most[0] - base
        entries = [(top - (row - base), col - base) for row, col in pairs]
    else:
        entries = [(row - base, col - base) for row, col in pairs]
    if board is not None:
        return Reading(
            *board.shape,
            entries=entries,
            board=board,
            naming=board.naming,
            form="squares",
            line=line,
        )
    return replace(on_smallest_board(entries), line=line)


# Tables of numbers


def _from_table(lines: list[str], line: int, options: _Options) -> Reading:
    """Read lines of numbers: a grid, coordinates one pair a line, or a flat list."""
    rows = [
        (number, row)
        for number, row in enumerate(lines, line)
        if not (set(row.replace(" ", "")) <= _RULES and not _is_row_of_holes(row))
    ]
    if not rows:
        raise InvalidInputError(f"there are only rules in line {line}, and no numbers")
    texts = _without_numbering([row for _, row in rows])
    table = [_cells(row) for row in texts]
    marks = HOLE_MARKS | options.holes
    width = max(map(len, table))
    ragged = any(len(cells) != width for cells in table)
    if ragged and any(char in ",;" + _BARS for row in texts for char in row):
        # An empty cell at an end is a hole where that makes all rows equal: 3,6,11,
        whole = [_cells(row, framed=False) for row in texts]
        if len({len(cells) for cells in whole}) == 1:
            table, ragged = whole, False
    elif ragged and "\t" not in "".join(texts):
        by_columns = _by_columns(texts)
        if by_columns is not None:
            table = by_columns
            ragged = False
    if options.form in ("steps", "order", "numbers"):
        return _flat([cell for cells in table for cell in cells if cell], options, line)
    if options.wants("squares") and width == 2 and not ragged:
        words = [cell for cells in table for cell in cells]
        narrow = options.target is not None and options.target.cols == 2
        if (options.form is not None or not narrow) and _are_numbers(words):
            numbers = list(map(int, words))
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
            return _from_pairs(pairs, options, line)
    if table[0] and len(_words(table[0][0])) > 1:
        pieces = [_words(cell) for cells in table for cell in cells if cell]
        counts = set(map(len, pieces))
        if options.wants("squares") and counts == {2}:
            # 0 0, 2 1, 4 0 and 0,0; 2,1; 4,0: what is between the squares is not in them
            return _from_pairs([_pair(piece, line) for piece in pieces], options, line)
        if len(counts) == 1 and any(";" in row for row in texts):
            table, ragged = pieces, False  # 1 4 7; 2 5 8: rows on one line
    if options.form == "squares":
        raise InvalidInputError(f"the lines from {line} on are no pairs of numbers")
    if len(table) > 1:
        table = _without_size(table)
        table = _without_headers(table, options, marks, line)
        ragged = len({len(cells) for cells in table}) != 1
    if len(table) == 1 and len(table[0]) > 1:
        return _flat([cell for cell in table[0] if cell], options, line)
    if ragged:
        total = sum(1 for cells in table for cell in cells if cell)
        board = options.target
        if options.form is None and board is not None and total == board.rows * board.cols:
            return _flat([cell for cells in table for cell in cells if cell], options, line)
        lengths = [len(cells) for cells in table]
        odd = next(k for k, length in enumerate(lengths) if length != lengths[0])
        raise InvalidInputError(
            f"the rows from line {line} on have different lengths ({lengths[0]} and then "
            f"{lengths[odd]} cells): mark holes with '*', or say form='steps' with rows= and cols="
        )
    return replace(_grid(table, options, marks, line), line=line)


def _is_row_of_holes(row: str) -> bool:
    """Whether a line of nothing but dashes is a row of separate holes rather than a rule."""
    words = row.split()
    return len(words) > 1 and set(words) <= {"-", "--"}


def _without_numbering(rows: list[str]) -> list[str]:
    """Drop ``1.``, ``2:``, ``3)`` at the beginning of the lines where all lines have them."""
    matches = [re.match(r"\s*([0-9]{1,9})\s*[.:)]\s+", row) for row in rows]
    numbers = [int(match[1]) for match in matches if match is not None]
    if len(numbers) == len(rows) and _is_run(numbers) and len(rows) > 1:
        return [row[match.end() :] for row, match in zip(rows, matches, strict=True) if match]
    return rows


def _is_run(numbers: Sequence[int]) -> bool:
    """Whether numbers count up from 0 or 1, or down to 0 or 1, one by one."""
    if numbers[0] > numbers[-1]:
        numbers = numbers[::-1]
    return numbers[0] in (0, 1) and all(n == k for k, n in enumerate(numbers, numbers[0]))


def _cells(row: str, *, framed: bool = True) -> list[str]:
    """Split a line into cells; `framed`: a bar or comma at an end of it is no empty cell beyond."""
    for bar in _BARS:
        if bar in row:
            row = row.translate({ord(other): bar for other in _BARS}).strip()
            if framed:
                row = row.removeprefix(bar).removesuffix(bar)
            cells = [cell.strip() for cell in row.split(bar)]
            if any(" " in cell for cell in cells):
                # 1 | 12 9 2 5: the bar is only beside the header
                cells = [word for cell in cells for word in cell.split() or [""]]
            return cells
    for delimiter in ("\t", ";", ","):
        if delimiter in row:
            text = row.strip("\n " if delimiter == "\t" else None)
            # A delimiter at the end of a line is no empty cell, but a tab may be one.
            text = text.removesuffix(delimiter) if framed and delimiter != "\t" else text
            return [cell.strip(" \"'") for cell in text.split(delimiter)]
    return row.split()


def _words(cell: str) -> list[str]:
    """Return the words of a cell between semicolons or commas."""
    return cell.replace(",", " ").split()


def _by_columns(rows: list[str]) -> list[list[str]] | None:
    """Read rows of which some have blanks for holes: by the columns where the numbers end.

    A row that just ends early has no blanks there: it may be cut off, and is not guessed at.
    """
    for side in (1, 0):
        places = [
            [(match.span()[side], match[0]) for match in re.finditer(r"\S+", row)] for row in rows
        ]
        columns = sorted({place for line in places for place, _ in line})
        if len(columns) == max(map(len, places)):
            found = []
            for row, line in zip(rows, places, strict=True):
                words = dict(line)
                if len(row) < columns[-1] + 1 - side and columns[-1] not in words:
                    return None
                found.append([words.get(place, "") for place in columns])
            return found
    return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.removeprefix("-").isdigit() and len(word) < 20


def _pair(cells: list[str], line: int) -> tuple[int, int]:
    if not (_is_number(cells[0]) and _is_number(cells[1])):
        raise InvalidInputError(f"{' '.join(cells)[:40]!r} from line {line} on is no square")
    return int(cells[0]), int(cells[1])


def _flat(cells: list[str], options: _Options, line: int) -> Reading:
    """Read a list of numbers without rows."""
    words = [word for cell in cells for word in cell.split()]
    count = len(words)
    board = options.target
    form = options.form
    if board is not None and form in (None, "grid"):
        form = "steps"
    if board is None and options.rows is not None and count % options.rows == 0:
        board = Board(options.rows, count // options.rows)
        form = form or "steps"
    elif board is None and options.cols is not None and count % options.cols == 0:
        board = Board(count // options.cols, options.cols)
        form = form or "steps"
    if form == "steps" and board is not None:
        if board.rows * board.cols != count:
            raise InvalidInputError(
                f"{count} numbers from line {line} on cannot fill the {board} board"
            )
        table = [words[first : first + board.cols] for first in range(0, count, board.cols)]
        return replace(
            _grid(table, options, HOLE_MARKS | options.holes, line), form=form, line=line
        )
    numbers = [_number(word, line) for word in words]
    reading = as_reading(numbers, board, options.base, form)
    return replace(reading, board=board, line=line)


def _number(word: str, line: int) -> int:
    if not _is_number(word):
        if re.fullmatch(_NAME, word):
            raise InvalidInputError(
                f"{word!r} from line {line} on is the name of a square, but something in that text "
                "is none: write nothing but names, or nothing but numbers"
            )
        raise InvalidInputError(
            f"{word[:40]!r} from line {line} on is no step number: use whole numbers, and '*' for "
            "holes"
        )
    return int(word)


def _without_size(table: list[list[str]]) -> list[list[str]]:
    """Drop a first line that says the size of the grid below it."""
    first, rest = table[0], table[1:]
    widths = {len(cells) for cells in rest}
    if len(widths) == 1 and len(first) in (1, 2) and len(first) < min(widths):
        size = [str(len(rest)), str(min(widths))]
        if first == size[: len(first)]:
            return rest
    return table


def _without_headers(
    table: list[list[str]], options: _Options, marks: frozenset[str], line: int
) -> list[list[str]]:
    """Drop the names of rows and columns around a grid."""
    if options.headers is False:
        return table
    # Letters are never steps.
    for k in (0, -1):
        if len(table) > 1 and _are_letters([cell for cell in table[k] if cell]):
            table = table[1:] if k == 0 else table[:-1]
    for k in (0, -1):
        if all(table) and _are_letters([cells[k] for cells in table]):
            table = [cells[1:] if k == 0 else cells[:-1] for cells in table]
    table = _without_short_lines(table)
    if len({len(cells) for cells in table}) != 1 or not table[0]:
        return table
    if options.headers is None and _is_complete(table, options.base, marks):
        return table
    return _without_numbers(table, options, marks, line)


def _without_short_lines(table: list[list[str]]) -> list[list[str]]:
    """Drop shorter lines 1 2 3 ... above or below a grid that has row numbers beside it."""
    width = max(map(len, table))

    def is_header(cells: list[str]) -> bool:
        words = [cell for cell in cells if cell]
        return 1 < len(words) < width <= len(words) + 2 and _is_run_of_words(words)

    above, below = is_header(table[0]), is_header(table[-1])
    body = table[above : len(table) - below]
    if not (above or below) or not body or any(len(cells) != width for cells in body):
        return table
    if not _is_run_of_words([cells[0] for cells in body]):
        return table
    body = [cells[1:] for cells in body]
    words = [cell for cell in table[0 if above else -1] if cell]
    if len(words) == width - 2 and _is_run_of_words([cells[-1] for cells in body]):
        body = [cells[:-1] for cells in body]
    return body


def _without_numbers(
    table: list[list[str]], options: _Options, marks: frozenset[str], line: int
) -> list[list[str]]:
    """Drop outer lines that count 1 2 3 ..., if what is left is a complete numbering."""
    whole = table
    # The corners of lines of numbers are blank or part of the count.
    for with_rows in (True, False):
        table = whole
        dropped = False
        for k in (0, -1):
            column = [cells[k] for cells in table]
            inner = column[1:] if column[0] == "" else column
            if len(inner) > 1 and _is_run_of_words(inner) and len(table[0]) > 1:
                table = [cells[1:] if k == 0 else cells[:-1] for cells in table]
                dropped = True
        if with_rows:
            for k in (0, -1):
                row = table[k]
                if len(table) > 1 and len(row) > 1 and _is_run_of_words(row):
                    table = table[1:] if k == 0 else table[:-1]
                    dropped = True
        if not dropped:
            continue
        if options.headers or _is_complete(table, options.base, marks):
            return table
    if table is not whole or dropped:
        raise InvalidInputError(
            f"the outer numbers of the grid in line {line} count one by one: headers=True takes "
            "them as row and column numbers, headers=False as steps"
        )
    return whole


def _are_letters(words: list[str]) -> bool:
    """Whether words are a, b, c, ... or the other way round."""
    if not words or not all(len(word) == 1 and word.isascii() and word.isalpha() for word in words):
        return False
    if len(words) == 1:
        return words[0].lower() == "a"
    numbers = [ord(word.lower()) - ord("a") for word in words]
    return _is_run(numbers) and 0 in numbers


def _is_run_of_words(words: list[str]) -> bool:
    if not all(_is_number(word) for word in words):
        return False
    return _is_run([int(word) for word in words])


def _is_complete(table: list[list[str]], base: int | None, marks: frozenset[str]) -> bool:
    """Whether every number from the base on occurs once."""
    words = [cell for cells in table for cell in cells]
    if not _are_digits(words):
        words = [word for word in words if word not in marks]
        if not words or not all(map(_is_number, words)):
            return False
    numbers = set(map(int, words))
    least = min(numbers)
    if len(numbers) != len(words) or max(numbers) - least != len(words) - 1:
        return False
    return least in ((0, 1) if base is None else (base,))


def _are_numbers(words: list[str]) -> bool:
    return _are_digits(words) or all(map(_is_number, words))


def _are_digits(words: list[str]) -> bool:
    """Whether all words are numbers without signs: two passes at the speed of C."""
    text = "".join(words)
    return text.isascii() and text.isdigit() and all(words) and max(map(len, words)) < 20


def _grid(table: list[list[str]], options: _Options, marks: frozenset[str], line: int) -> Reading:
    holes: list[tuple[int, int]] = []
    numbers = array("q")
    for r, cells in enumerate(table):
        if _are_digits(cells) and marks.isdisjoint(cells):
            numbers.extend(map(int, cells))
            continue
        for c, cell in enumerate(cells):
            if cell in marks:
                holes.append((r, c))
                numbers.append(0)
            else:
                numbers.append(_number(cell, line))
    if len(holes) == len(numbers):
        raise InvalidInputError(f"the grid in line {line} has no squares: all cells are holes")
    return Reading(
        len(table), len(table[0]), numbers=memoryview(numbers), holes=tuple(holes),
        base=options.base,
    )  # fmt: skip


# Brackets


def _parse_brackets(text: str) -> list[Any]:
    """Parse nested lists of Python, JavaScript, C and the like into nested lists.

    Words other than None, null and hole marks are passed over outside brackets (a name that is
    assigned to, arrows, numbering) and refused inside.
    """
    top: list[Any] = []
    stack = [top]
    opened: list[str] = []
    closing = {"[": "]", "(": ")", "{": "}"}
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in closing:
            if len(stack) > _MAX_DEPTH:
                raise InvalidInputError(
                    f"the brackets are nested more than {_MAX_DEPTH} deep: that is no tour"
                )
            inner: list[Any] = []
            stack[-1].append(inner)
            stack.append(inner)
            opened.append(token)
        elif token in "])}":
            if not opened or closing[opened.pop()] != token:
                raise InvalidInputError(
                    f"the bracket {token!r} in {_excerpt(text[max(0, match.start() - 15) :])} "
                    "closes nothing"
                )
            stack.pop()
        elif not opened:
            # The sizes of a declaration, int board[8][8] = ..., are no part of what is assigned.
            while token == "=" and top and len(top[-1]) <= 1:
                top.pop()
        elif not token.strip(",; \t\n"):
            continue
        elif _is_number(token):
            stack[-1].append(int(token))
        elif token[0] in "\"'":
            stack[-1].append(token[1:-1])
        elif token in ("None", "null", "undefined", "nil") or token in HOLE_MARKS:
            stack[-1].append(None)
        elif re.fullmatch(_NAME, token):
            stack[-1].append(token)
        elif token != "array":
            raise InvalidInputError(
                f"{token[:40]!r} inside the brackets is neither a number nor a square nor a hole"
            )
    if opened:
        raise InvalidInputError(f"a bracket {opened[-1]!r} is never closed")
    # [][]int{{1, 4}, {2, 3}}: the type comes with brackets of its own
    return [thing for thing in top if thing != []] or top


def _from_value(value: Any, options: _Options, line: int) -> list[Reading]:
    """Recognise a value made of dicts, lists, numbers and strings."""
    # Lists of one element around everything mean nothing, such as [[[1, 2], [3, 4]]].
    depth = 0
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        if value[0] and not isinstance(value[0][0], (list, dict)):
            break
        value = value[0]
        depth += 1
        if depth > _MAX_DEPTH:
            raise InvalidInputError("the brackets are nested too deeply for a tour")
    if isinstance(value, dict):
        return [_from_object(value, options, line)]
    if not isinstance(value, list) or not value:
        raise InvalidInputError(f"{value!r:.60} in line {line} is no tour: use a list")
    first = value[0]
    if isinstance(first, dict):
        if {"row", "x", "r"} & set(first):
            return [_from_point_objects(value, options, line)]
        return [_from_object(item, options, line) for item in value]
    if isinstance(first, list) and first and isinstance(first[0], (list, dict)):
        found = []
        for item in value:
            if not isinstance(item, list):
                raise InvalidInputError(f"{item!r:.60} in line {line} is no tour: use a list")
            found += _from_value(item, options, line)
        return found
    return [replace(_from_list(value, options), line=line)]


def _from_list(value: list[Any], options: _Options) -> Reading:
    if len(value) == 1 and isinstance(value[0], list) and len(value[0]) > 2:
        value = value[0]  # one row is a flat list
    if all(isinstance(item, str) for item in value) and not all(map(_is_cell, value)):
        if all(re.fullmatch(_NAME, item.strip()) for item in value):
            return _from_names([item.strip() for item in value], options)
        words = [item.strip() for item in value]
        reading = from_words(
            words, options.target, None, options.start, options.side, options.ranks
        )
        return replace(reading, board=options.target or reading.board)
    if all(
        item is None or _coordinate(item) is not None or (isinstance(item, str) and _is_cell(item))
        for item in value
    ):
        return _flat([_word(item) for item in value], options, 1)
    rows = [item if isinstance(item, list) else [item] for item in value]
    board = options.target
    narrow = board is not None and board.shape == (len(rows), 2)
    pairs = all(len(row) == 2 and all(_coordinate(n) is not None for n in row) for row in rows)
    if options.wants("squares") and pairs and not (narrow and options.form is None):
        return _from_pairs([(row[0], row[1]) for row in rows], options, 1)
    if options.form in ("steps", "order", "numbers"):
        return _flat([str(cell) for row in rows for cell in row], options, 1)
    if options.holes:
        rows = [[None if str(cell) in options.holes else cell for cell in row] for row in rows]
    form = "grid" if options.form in (None, "json") else options.form
    return as_reading(rows, None, options.base, form)


def _is_cell(word: str) -> bool:
    """Whether a text in a list is a number or a mark of a hole."""
    return _is_number(word.strip()) or word.strip() in HOLE_MARKS


def _word(number: int | str | None) -> str:
    """Return a number of a JSON list as it would stand in a text."""
    if number is None:
        return "*"
    if isinstance(number, str):
        return number.strip() or "*"
    return str(number) if abs(number) < 10**18 else "a huge number"


def _from_point_objects(value: list[Any], options: _Options, line: int) -> Reading:
    pairs = []
    x_and_y = options.coordinates if options.coordinates.startswith("x") else "x,y"
    known = {("row", "col"): "row,col", ("r", "c"): "row,col", ("x", "y"): x_and_y}
    ways = set()
    for item in value:
        keys = set(item) if isinstance(item, dict) else set()
        names = next((pair for pair in known if keys.issuperset(pair)), None)
        u, v = (None, None) if names is None else (_coordinate(item[name]) for name in names)
        if names is None or u is None or v is None:
            raise InvalidInputError(
                f"{item!r:.60} in line {line} is no square: use row and col, or x and y"
            )
        ways.add(known[names])
        pairs.append((u, v))
    if len(ways) > 1:
        raise InvalidInputError(f"the squares in line {line} mix row/col and x/y: use one of them")
    way = ways.pop()
    return _from_pairs(pairs, options, line, way)


#: The keys of JSON objects that hold a tour, the first one that is there counts.
_SQUARE_KEYS = ("squares", "path", "tour", "walk", "moves", "order")
_GRID_KEYS = ("grid", "board", "steps", "matrix")


def _from_object(value: Any, options: _Options, line: int) -> Reading:
    if not isinstance(value, dict):
        raise InvalidInputError(f"{value!r:.60} in line {line} is no JSON object with a tour")
    squares = next((value[key] for key in _SQUARE_KEYS if isinstance(value.get(key), list)), None)
    grid = next((value[key] for key in _GRID_KEYS if isinstance(value.get(key), list)), None)
    if squares is None and grid is None:
        raise InvalidInputError(
            f"the JSON object in line {line} has no list of the name {', '.join(_SQUARE_KEYS)} or "
            f"{', '.join(_GRID_KEYS)}"
        )
    if options.target is None:
        size = (_coordinate(value.get("rows")), _coordinate(value.get("cols")))
        if value.get("board") == "xiangqi" and size in ((10, 9), (None, None)):
            options = replace(options, board=as_board("xiangqi"))
        elif size[0] is not None and size[1] is not None:
            if max(size[0], size[1]) >= MAX_SQUARES:
                raise InvalidInputError(f"the JSON object in line {line} has an absurd size")
            holes = _json_holes(value, line)
            board = Board(size[0], size[1], holes=holes)
            options = replace(options, board=board)
    inner = replace(options, form=None if options.form == "json" else options.form)
    found = None
    if squares is not None:
        # The board of the object says nothing about the base: squares count from 0 here.
        found = _only(_from_value(squares, replace(inner, base=inner.base or 0), line), line)
    if grid is not None:
        table = _only(_from_value(grid, inner, line), line)
        if found is not None:
            _check_agreement(found, table, line)
        else:
            found = table
    assert found is not None
    if found.board is None and options.target is not None:
        found = on_board(found, options.target)
    return replace(found, line=line)


def _json_holes(value: dict[str, Any], line: int) -> list[tuple[int, int]]:
    holes = []
    listed = value.get("holes") or []
    if not isinstance(listed, list):
        raise InvalidInputError(f"the holes of the JSON object in line {line} are no list")
    for hole in listed:
        pair = [_coordinate(number) for number in hole] if isinstance(hole, list) else []
        if len(pair) != 2 or pair[0] is None or pair[1] is None:
            raise InvalidInputError(
                f"the hole {hole!r:.60} of the JSON object in line {line} is no [row, col]"
            )
        holes.append((pair[0], pair[1]))
    return holes


def _only(found: list[Reading], line: int) -> Reading:
    if len(found) != 1:
        raise InvalidInputError(
            f"the JSON object in line {line} holds {len(found)} tours under a key"
        )
    return found[0]


def _check_agreement(squares: Reading, grid: Reading, line: int) -> None:
    """Refuse an object whose list and grid are two different tours."""
    if squares.entries is None or grid.numbers is None:
        raise InvalidInputError(f"the JSON object in line {line} has a grid where squares are due")
    numbers = grid.numbers.tolist()
    first = None
    for step, (row, col) in enumerate(squares.entries):
        inside = 0 <= row < grid.rows and 0 <= col < grid.cols
        number = numbers[row * grid.cols + col] - step if inside else None
        first = number if step == 0 else first
        if number is None or number != first:
            raise InvalidInputError(
                f"the squares and the grid of the JSON object in line {line} disagree about step "
                f"{step}, ({row}, {col})"
            )


# TSPLIB


def _tsplib(text: str, options: _Options) -> Reading:
    """Read a TSPLIB tour: the vertices, counted from 1 row by row, up to -1 or EOF.

    LKH and others put the name of the graph before that of the tour: knight_8x8.64.tour.
    """
    board = options.target
    size = re.search(
        r"^(?:COMMENT[ \t]*+:.*?\bboard |NAME[ \t]*+:[ \t]*+knight_)"
        r"([0-9]{1,9})x([0-9]{1,9})(?!\w)",
        text,
        re.MULTILINE,
    )
    if board is None and size is not None:
        board = Board(int(size[1]), int(size[2]))
    if board is None:
        raise InvalidInputError(
            "a TSPLIB tour numbers the vertices of a graph: board= says of which board"
        )
    numbers = []
    for word in text.split("TOUR_SECTION", 1)[1].split():
        if word in ("-1", "EOF"):
            break
        numbers.append(_number(word, 1) - 1)
    if not numbers:
        raise InvalidInputError("the TOUR_SECTION is empty")
    if board.size == board.rows * board.cols:
        entries = [divmod(number, board.cols) for number in numbers]
    else:  # holes are no vertices
        squares = list(board.squares)
        wrong = next((n for n in numbers if not 0 <= n < len(squares)), None)
        if wrong is not None:
            raise InvalidInputError(f"{wrong + 1} is no vertex of {board}: use 1 to {board.size}")
        entries = [squares[number] for number in numbers]
    return Reading(*board.shape, entries=entries, board=board, naming=board.naming, form="tsplib")


# .npy

_NPY_MAGIC = b"\x93NUMPY"

#: The integer types that are read, by kind and size, as formats of `memoryview.cast`.
_NPY_TYPES = {
    "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
}  # fmt: skip


def _mapped(file: io.BufferedReader) -> memoryview:
    try:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (ValueError, OSError) as error:
        raise InvalidInputError(f"the .npy file cannot be mapped: {error}") from None


def _scan_npy(data: memoryview, options: _Options) -> list[Reading]:
    if not options.wants("npy", "grid", "squares", "steps", "order", "numbers"):
        raise InvalidInputError(f"form={options.form!r}, but this is an .npy file")
    if len(data) < 12 or data[6] not in (1, 2, 3):
        raise InvalidInputError("the .npy file is cut off or of an unknown version: use 1.0 to 3.0")
    wide = 2 if data[6] == 1 else 4
    first = 8 + wide + int.from_bytes(data[8 : 8 + wide], "little")
    if not first <= min(len(data), 1 << 16):
        raise InvalidInputError("the header of the .npy file is cut off or absurdly long")
    header = bytes(data[8 + wide : first]).decode("latin-1")
    match = _NPY_HEADER.fullmatch(header)
    if match is None:
        raise InvalidInputError(
            f"the header of the .npy file, {header.strip()[:80]!r}, is no plain array of integers"
        )
    kind = _NPY_TYPES.get(match["type"][1:])
    if kind is None:
        raise InvalidInputError(
            f"the .npy file holds {match['type']!r}: step numbers are integers, such as int32"
        )
    shape = [int(part.rstrip("L")) for part in match["shape"].replace(" ", "").split(",") if part]
    count = 1
    for extent in shape:
        count *= extent
    body = data[first:]
    itemsize = int(match["type"][2:])
    if not 1 <= len(shape) <= 3 or count == 0 or len(body) != count * itemsize:
        raise InvalidInputError(
            f"the .npy file of shape {tuple(shape)} with {len(body)} bytes is no tour: use a grid "
            "(rows, cols), squares (n, 2), several of them, or a flat array with form="
        )
    native = "<" if sys.byteorder == "little" else ">"
    swapped = itemsize > 1 and match["type"][0] not in (native, "=")
    if match["fortran"] == "True" and len(shape) > 1:
        body, itemsize, kind = _in_c_order(body, kind, shape, swapped)
    elif swapped or kind not in "iq":
        numbers = array(kind)
        numbers.frombytes(body)
        if swapped:
            numbers.byteswap()
        body, itemsize, kind = _as_int64(numbers)
    view = body.cast(kind)  # type: ignore[call-overload]
    return _npy_readings(view, shape, options)


def _as_int64(numbers: array[Any]) -> tuple[memoryview, int, str]:
    try:
        wide = array("q", numbers)
    except OverflowError:
        raise InvalidInputError(
            "the .npy file holds numbers of 2^63 and more: no step numbers"
        ) from None
    return memoryview(wide).cast("B"), 8, "q"


def _in_c_order(
    body: memoryview, kind: str, shape: list[int], swapped: bool
) -> tuple[memoryview, int, str]:
    numbers = array(kind)
    numbers.frombytes(body)
    if swapped:
        numbers.byteswap()
    if len(shape) == 2:
        rows, _ = shape
        numbers = array(kind, [n for row in range(rows) for n in numbers[row::rows]])
    else:
        raise InvalidInputError("an .npy file of several grids has to be in C order")
    return _as_int64(numbers)


def _npy_readings(view: memoryview, shape: list[int], options: _Options) -> list[Reading]:
    board = options.target
    form = None if options.form == "npy" else options.form
    if len(shape) == 1:
        return [replace(_flat([str(n) for n in view], options, 1), form="npy")]
    size = shape[-2] * shape[-1]
    found = []
    for first in range(0, len(view), size):
        part = view[first : first + size]
        narrow = board is not None and board.shape == (shape[-2], 2)
        if form == "squares" and shape[-1] != 2:
            raise InvalidInputError(
                f"form='squares', but the .npy file has rows of {shape[-1]} numbers: use (n, 2)"
            )
        if form == "squares" or (form is None and shape[-1] == 2 and not narrow):
            numbers = part.tolist()
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
            found.append(_from_pairs(pairs, options, 1))
        elif form in ("steps", "order", "numbers"):
            found.append(_flat([str(n) for n in part], options, 1))
        else:
            holes: tuple[tuple[int, int], ...] = ()
            if options.holes:
                marks = {int(mark) for mark in options.holes if _is_number(mark)}
                cells = enumerate(part)
                holes = tuple(divmod(k, shape[-1]) for k, number in cells if number in marks)
            if len(holes) == size:
                raise InvalidInputError("the grid of the .npy file has no squares: all are holes")
            found.append(
                Reading(
                    shape[-2], shape[-1], numbers=part, holes=holes, base=options.base, form="npy"
                )
            )
    if board is not None:
        found = [r if r.board is not None else _on_board(r, options) for r in found]
    return found
