"""Letters as strokes: what a picture can be lettered with where no font can be relied on.

Drawn for this project, in the manner of engraved plates: every character is a line of constant
width with round ends, in a box of 100 units to the em with the tops of digits at 0 and the base
line at 70. They serve two purposes. The four characters of the xiangqi river are always drawn this
way, because many systems have no Chinese font and would show boxes. And pictures in pixels are
lettered this way throughout, so that a PNG is the same on every system, with fonts or without.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["RIVER", "STROKE_WIDTH", "text_path", "text_width"]

#: The width of the pen, in hundredths of an em.
STROKE_WIDTH = 9.0

#: Characters with their advance and their strokes. Digits are equally wide.
_GLYPHS: dict[str, tuple[int, str]] = {
    "0": (56, "M9 22a19 22 0 0 1 38 0v26a19 22 0 0 1-38 0z"),
    "1": (56, "M14 15L31 0V70"),
    "2": (56, "M10 19a18.5 19 0 0 1 37 0c0 15-12 24-38 51h39"),
    "3": (56, "M11 0H45L27 27A20 21 0 1 1 9 58"),
    "4": (56, "M36 70V0L7 51H49"),
    "5": (56, "M44 0H16L13 31A20 21 0 1 1 9 59"),
    "6": (56, "M9 48a19 22 0 1 1 38 0a19 22 0 1 1-38 0C9 32 22 12 37 0"),
    "7": (56, "M9 0H47L23 70"),
    "8": (
        56,
        "M12 16.5a16 16.5 0 1 1 32 0a16 16.5 0 1 1-32 0"
        "M9 51.5a19 18.5 0 1 1 38 0a19 18.5 0 1 1-38 0",
    ),
    "9": (56, "M47 22a19 22 0 1 1-38 0a19 22 0 1 1 38 0C47 38 34 58 19 70"),
    "a": (52, "M43 46a17.5 24 0 1 1-35 0a17.5 24 0 1 1 35 0M43 22V70"),
    "b": (52, "M9 0V70M9 46a17.5 24 0 1 1 35 0a17.5 24 0 1 1-35 0"),
    "c": (46, "M40 31A18 24 0 1 0 40 61"),
    "d": (52, "M43 46a17.5 24 0 1 1-35 0a17.5 24 0 1 1 35 0M43 0V70"),
    "e": (50, "M8 46H42A17 24 0 1 0 39 61"),
    "f": (34, "M31 1C19-2 16 5 16 14V70M5 24H29"),
    "g": (52, "M43 46a17.5 24 0 1 1-35 0a17.5 24 0 1 1 35 0M43 22V76C43 92 22 93 11 86"),
    "h": (52, "M9 0V70M9 42a17 20 0 0 1 34 0V70"),
    "i": (20, "M10 22V70M10 5v.1"),
    "j": (22, "M13 22V76C13 86 9 90 1 90M13 5v.1"),
    "k": (46, "M9 0V70M38 22L9 53M19 43L40 70"),
    "l": (24, "M10 0V60Q10 70 19 70"),
    "m": (78, "M9 22V70M9 39a15 17 0 0 1 30 0V70M39 39a15 17 0 0 1 30 0V70"),
    "n": (52, "M9 22V70M9 42a17 20 0 0 1 34 0V70"),
    "o": (52, "M8 46a18 24 0 1 1 36 0a18 24 0 1 1-36 0"),
    "p": (52, "M9 22V90M9 46a17.5 24 0 1 1 35 0a17.5 24 0 1 1-35 0"),
    "q": (52, "M43 46a17.5 24 0 1 1-35 0a17.5 24 0 1 1 35 0M43 22V90"),
    "r": (34, "M9 22V70M9 46C9 30 18 21 31 23"),
    "s": (44, "M36 30C32 20 9 18 9 33C9 49 37 41 37 57C37 73 11 73 7 61"),
    "t": (36, "M16 6V56Q16 71 31 69M5 24H30"),
    "u": (52, "M9 22V50a17 20 0 0 0 34 0M43 22V70"),
    "v": (46, "M6 22L23 70L40 22"),
    "w": (66, "M6 22L20 70L33 24L46 70L60 22"),
    "x": (46, "M7 22L39 70M39 22L7 70"),
    "y": (46, "M6 22L24 68M40 22L24 68Q17 90 6 90"),
    "z": (44, "M8 22H37L7 70H38"),
    "-": (38, "M8 46H30"),
    "+": (56, "M28 22V66M6 44H50"),
    ".": (24, "M12 70v.1"),
    ",": (24, "M13 69L8 83"),
    ":": (24, "M12 30v.1M12 68v.1"),
    "/": (40, "M34-4L6 78"),
    "(": (30, "M24-6Q4 35 24 76"),
    ")": (30, "M6-6Q26 35 6 76"),
    "?": (50, "M8 16a17 17 0 1 1 27 14Q25 38 25 50M25 70v.1"),
    " ": (28, ""),
}

#: The river of the xiangqi board, in boxes of 100 x 100: Chu river, Han border.
RIVER: dict[str, str] = {
    "楚": "M8 20H46M27 4V50M27 21Q20 36 6 45M28 22Q35 33 45 38"
    "M54 20H93M73 4V50M73 21Q67 35 55 43M74 22Q82 37 95 45"
    "M14 58H86L79 68M50 58V92M50 74H76M28 68Q25 85 8 97M26 80Q40 94 94 95",
    "河": "M13 12L26 22M7 38L20 48M9 92L29 60"
    "M36 17H95M44 38V70M44 38H69V66M44 64H69M84 18V92L73 86",
    "漢": "M13 12L26 22M7 38L20 48M9 92L29 60"
    "M36 13H95M53 3V26H78V3M44 36H87V54H44ZM65 26V66M42 65H89M36 77H96"
    "M65 66Q60 86 37 97M67 78Q77 92 97 97",
    "界": "M24 6H76V46H24ZM24 26H76M50 6V46M49 47Q36 64 7 73M51 47Q64 64 94 73"
    "M37 66Q37 86 22 97M64 66V97",
}

_UNKNOWN = "?"


def text_width(text: str) -> float:
    """Return how wide a text is, in em.

    >>> text_width("10")
    1.12
    """
    return sum(_GLYPHS.get(letter, _GLYPHS[_UNKNOWN])[0] for letter in text) / 100


@lru_cache(maxsize=4096)
def text_path(text: str) -> str:
    """Return a text as the data of one SVG path, begun at the left, 100 units to the em.

    Args:
        text: letters are drawn in lower case, characters without a drawing as a question mark.

    >>> text_path("-."), text_path("a b") == text_path("A B")
    ('M8 46H30M50 70v.1', True)
    """
    pieces = []
    left = 0
    for letter in text.lower():
        advance, strokes = _GLYPHS.get(letter, _GLYPHS[_UNKNOWN])
        pieces.append(_shifted(strokes, left))
        left += advance
    return "".join(pieces)


_COMMAND = re.compile(r"([MLHVCQAZz]|[a-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def _shifted(strokes: str, right: int) -> str:
    """Move the absolute commands of a path to the right; relative ones follow by themselves."""

    def move(match: re.Match[str]) -> str:
        command, arguments = match.groups()
        if command not in "MLHCQA":
            return match[0]
        numbers = [float(number) for number in _NUMBER.findall(arguments)]
        # Of an arc only the sixth number is an x, of the others every second, of H every one.
        for index in range(len(numbers)):
            if command == "H" or (index == 5 if command == "A" else index % 2 == 0):
                numbers[index] += right
        return command + " ".join(f"{number:g}" for number in numbers)

    return _COMMAND.sub(move, strokes) if right else strokes
