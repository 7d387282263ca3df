"""The commands ``check``, ``classify`` and ``convert``: files in, a line or a report out.

A file may hold many tours; ``-`` is standard input. ``check`` prints a line for each tour and, when
there are several, a total; ``classify`` describes each. The exit code is 0 if all are tours, 1 if a
file cannot be opened, 2 if something cannot be read, 3 if something is no tour: the first of 1, 2
and 3 that applies. One file that cannot be read does not keep the others from being checked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
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
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog="Exit code: 0 all are tours, 1 a file cannot be opened or written, 2 something "
        "cannot be read or an option is wrong, 3 something is no tour.",
        allow_abbrev=False,
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


class _Count:
    """What became of the tours in the files."""

    def __init__(self) -> None:
        self.valid = self.invalid = self.unreadable = self.missing = 0

    @property
    def code(self) -> int:
        """The exit code: the first that applies of 1, 2, 3 and 0."""
        return 1 if self.missing else 2 if self.unreadable else 3 if self.invalid else 0

    def __str__(self) -> str:
        read = self.valid + self.invalid
        words = [f"{read} tour{'' if read == 1 else 's'} read: {self.valid} valid"]
        words[0] += f", {self.invalid} invalid"
        if self.unreadable:
            words.append(f"{self.unreadable} unreadable")
        if self.missing:
            words.append(f"{self.missing} file{'' if self.missing == 1 else 's'} not opened")
        return "; ".join(words)


def _readings(
    options: argparse.Namespace, count: _Count
) -> Iterator[tuple[str, Reading | InvalidInputError | OSError]]:
    """Yield everything in the files in its order, each with its place; count what is no reading.

    One file alone that cannot be opened or read at all is an error of the command.
    """
    alone = len(options.files) == 1
    for file in options.files:
        name = "standard input" if file == "-" else file
        refused: list[tuple[int, InvalidInputError]] = []
        try:
            readings = _scan(file, options, refused)
        except InvalidInputError as error:
            if alone:
                raise
            count.unreadable += 1
            yield name, error
            continue
        except OSError as error:
            if alone:
                raise
            count.missing += 1
            yield name, error
            continue
        if not readings and len(refused) == 1 and alone:
            raise refused[0][1]
        count.unreadable += len(refused)
        found: list[tuple[int, Reading | InvalidInputError]] = [*refused]
        found += [(reading.line, reading) for reading in readings]
        for number, (line, thing) in enumerate(sorted(found, key=lambda pair: pair[0]), 1):
            npy = isinstance(thing, Reading) and thing.form == "npy"
            yield (f"{name}[{number}]" if npy else f"{name}:{line}"), thing


def _run_check(options: argparse.Namespace) -> int:
    count = _Count()
    lines = 0
    for place, thing in _readings(options, count):
        if not isinstance(thing, Reading):
            verdict = f"UNREADABLE {thing}"
        else:
            try:
                found = _checked(thing, options)
            except InvalidTourError as fault:
                count.invalid += 1
                verdict = f"INVALID {fault}"
            else:
                count.valid += 1
                kind = "closed" if found.closed else "open"
                board = found.board
                verdict = (
                    f"valid {kind} tour of {board}, {board.name(found.start)} to "
                    f"{board.name(found.end)}"
                )
        lines += 1
        if not options.quiet:
            print(f"{place}: {verdict}")
    if options.quiet or lines > 1:
        print(count)
    return count.code


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
    count = _Count()
    things = list(_readings(options, count))
    for place, thing in things:
        try:
            if not isinstance(thing, Reading):
                raise thing
            found = _checked(thing, options)
        except (InvalidTourError, InvalidInputError, OSError) as error:
            count.invalid += isinstance(error, InvalidTourError)
            print(f"knighttour: {place}: {error}", file=sys.stderr)
            continue
        count.valid += 1
        if options.json:
            print(json.dumps({"source": place, **classify(found).as_dict()}))
        elif len(things) == 1:
            print(classify(found))
        else:
            print(f"{place}:\n{classify(found)}\n")
    if len(things) > 1:
        print(count, file=sys.stderr if options.json else sys.stdout)
    return count.code


# convert


def add_convert(commands: Any) -> None:
    """Add the command ``convert``."""
    parser = _command(
        commands, "convert", _run_convert, "check a tour and write it in another form"
    )
    parser.add_argument("input", metavar="IN", help="a file, - for standard input")
    parser.add_argument("output", nargs="?", metavar="OUT", help="a file, - for standard output")
    parser.add_argument("-o", dest="o", metavar="OUT", help="the same, as with other commands")
    _add_reading(parser)
    parser.add_argument(
        "--to",
        choices=TEXT_FORMS,
        help="the form of OUT (default: what its ending says, grid on standard output)",
    )


def _run_convert(options: argparse.Namespace) -> int:
    if (options.output is None) == (options.o is None):
        raise InvalidInputError("convert takes IN and one OUT: a file, or - for standard output")
    options.output = options.output or options.o
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
