"""The commands ``check``, ``classify`` and ``convert``: files in, a line or a report out.

A file may hold many tours; ``-`` is standard input. ``check`` prints a line for each tour and, when
there are several, a total. Its exit code is 0 if all are tours, 3 if one is not, 2 if something
cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ..analysis import Reading, classify
from ..answer import Tour
from ..errors import InvalidInputError, InvalidTourError
from ..formats import TEXT_FORMS, check_ending, format_text, write
from ..notation import RANKS, SIDES
from ..reading import COORDINATES, FORMS, MAX_BYTES, scan

__all__ = ["add_check", "add_classify", "add_convert"]


def _command(commands: Any, name: str, run: Any, what: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is read."""
    parser.add_argument(
        "--board", metavar="B", help="xiangqi, chess or ROWSxCOLS (default: as read)"
    )
    parser.add_argument("--form", choices=FORMS, help="how it is written (default: recognised)")
    parser.add_argument(
        "--base", type=int, metavar="N", help="the number of the first step, 0 or 1"
    )
    parser.add_argument("--rows", type=int, metavar="N", help="rows of a flat list of numbers")
    parser.add_argument("--cols", type=int, metavar="N", help="columns of a flat list of numbers")
    parser.add_argument(
        "--coordinates",
        choices=COORDINATES,
        default=COORDINATES[0],
        help="which number of a pair is which; y-up counts from the bottom (default: %(default)s)",
    )
    parser.add_argument("--ranks", choices=tuple(RANKS), help="how xiangqi ranks are numbered")
    parser.add_argument(
        "--side", choices=tuple(SIDES), help="who makes moves such as H2+3 (default: as written)"
    )
    parser.add_argument(
        "--encoding", default="utf-8", metavar="E", help="of a text file (default: %(default)s)"
    )
    parser.add_argument(
        "--headers",
        action=argparse.BooleanOptionalAction,
        help="whether the outer numbers of a grid are row and column numbers",
    )
    parser.add_argument(
        "--hole",
        action="append",
        default=[],
        metavar="MARK",
        help="one more mark of holes, such as 0",
    )
    parser.add_argument(
        "--max-bytes",
        type=int,
        default=MAX_BYTES,
        metavar="N",
        help="refuse larger files (%(default)s)",
    )
    parser.add_argument(
        "--start", metavar="SQUARE", help="where it has to start, and moves such as H2+3 begin"
    )
    parser.add_argument("--end", metavar="SQUARE", help="where it has to end")
    parser.add_argument("--closed", action="store_true", help="it has to be closed")


def _square(words: str | None) -> Any:
    """Return ROW,COL as a pair, a name as it is."""
    if words is None or "," not in words:
        return words
    row, _, col = words.partition(",")
    try:
        return int(row), int(col)
    except ValueError:
        raise InvalidInputError(
            f"{words!r} is not a square: use a name such as a1, or ROW,COL counted from 0"
        ) from None


def _scan(
    file: str,
    options: argparse.Namespace,
    refused: list[tuple[int, InvalidInputError]] | None = None,
) -> list[Reading]:
    return scan(
        sys.stdin.buffer if file == "-" else file,
        max_bytes=options.max_bytes,
        form=options.form,
        board=options.board,
        base=options.base,
        rows=options.rows,
        cols=options.cols,
        coordinates=options.coordinates,
        ranks=options.ranks,
        side=options.side,
        encoding=options.encoding,
        headers=options.headers,
        holes=options.hole,
        start=_square(options.start),
        refused=refused,
    )


def _checked(reading: Reading, options: argparse.Namespace) -> Tour:
    return reading.check(
        start=_square(options.start),
        end=_square(options.end),
        closed=options.closed,
        backend=options.backend,
    )


# check


def add_check(commands: Any) -> None:
    """Add the command ``check``."""
    parser = _command(commands, "check", _run_check, "say of every tour in the files if it is one")
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, - for standard input")
    _add_reading(parser)
    parser.add_argument("--quiet", action="store_true", help="print only the total")


def _run_check(options: argparse.Namespace) -> int:
    valid = invalid = unreadable = 0
    for file in options.files:
        name = "standard input" if file == "-" else file
        refused: list[tuple[int, InvalidInputError]] = []
        readings = _scan(file, options, refused)
        if not readings and len(refused) == 1 and len(options.files) == 1:
            raise refused[0][1]
        for line, error in refused:
            unreadable += 1
            if not options.quiet:
                print(f"{name}:{line}: UNREADABLE {error}")
        for number, reading in enumerate(readings, 1):
            place = f"{name}:{reading.line}: " if reading.form != "npy" else f"{name}[{number}]: "
            try:
                found = _checked(reading, options)
            except InvalidTourError as fault:
                invalid += 1
                verdict = f"INVALID {fault}"
            else:
                valid += 1
                kind = "closed" if found.closed else "open"
                board = found.board
                verdict = (
                    f"valid {kind} tour of {board}, {board.name(found.start)} to "
                    f"{board.name(found.end)}"
                )
            if not options.quiet:
                print(place + verdict)
    if options.quiet or valid + invalid + unreadable > 1:
        total = f"{valid + invalid} tours read: {valid} valid, {invalid} invalid"
        print(total + (f"; {unreadable} unreadable" if unreadable else ""))
    if unreadable:
        return 2
    return 3 if invalid else 0


# classify


def add_classify(commands: Any) -> None:
    """Add the command ``classify``."""
    parser = _command(
        commands, "classify", _run_classify, "describe tours: symmetry, sums, crossings, turns"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, - for standard input")
    _add_reading(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def _run_classify(options: argparse.Namespace) -> int:
    code = 0
    printed = False
    for file in options.files:
        for reading in _scan(file, options):
            try:
                found = _checked(reading, options)
            except InvalidTourError as error:
                print(f"knighttour: {file}:{reading.line}: {error}", file=sys.stderr)
                code = 3
                continue
            if options.json:
                print(json.dumps(classify(found).as_dict()))
                continue
            if printed:
                print()
            print(classify(found))
            printed = True
    return code


# convert


def add_convert(commands: Any) -> None:
    """Add the command ``convert``."""
    parser = _command(
        commands, "convert", _run_convert, "check a tour and write it in another form"
    )
    parser.add_argument("input", metavar="IN", help="a file, - for standard input")
    parser.add_argument("output", metavar="OUT", help="a file, - for standard output")
    _add_reading(parser)
    parser.add_argument(
        "--to",
        choices=TEXT_FORMS,
        help="the form of OUT (default: what its ending says, grid on standard output)",
    )


def _run_convert(options: argparse.Namespace) -> int:
    if options.output != "-" and options.to is None:
        check_ending(options.output)
    found = _scan(options.input, options)
    if len(found) > 1 and options.output != "-":
        raise InvalidInputError(
            f"{options.input} holds {len(found)} tours: one file takes one, standard output (-) all"
        )
    code = 0
    for reading in found:
        try:
            tour = _checked(reading, options)
        except InvalidTourError as error:
            print(f"knighttour: {options.input}:{reading.line}: {error}", file=sys.stderr)
            code = 3
            continue
        if options.output == "-":
            end = "\n\n" if len(found) > 1 else "\n"
            print(format_text(tour, options.to or "grid"), end=end)
        else:
            write(tour, options.output, form=options.to)
    return code
