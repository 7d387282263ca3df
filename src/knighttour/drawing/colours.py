"""Colours: maps along a path that colour-blind eyes can follow, and the three themes.

A colour map is a table of anchor colours, equally spaced and interpolated linearly in sRGB. Both
maps grow steadily lighter, so their order survives every kind of colour blindness and a black and
white printer:

- viridis: S. van der Walt and N. Smith, 2015, released under CC0.
- cividis: J. R. Nunez, C. R. Anderton, R. S. Renslow, "Optimizing colormaps with consideration
  for color vision deficiency", PLoS ONE 13(7): e0199239, 2018.

A theme uses only the part of a map that stands out from both colours of its squares; the tests
hold it to a contrast ratio (WCAG 2.1, 1.4.11) of 3 on the paler and 2.2 on the darker squares.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from ..errors import InvalidInputError

__all__ = [
    "COLOUR_MAPS",
    "THEMES",
    "Theme",
    "colour_at",
    "contrast",
    "get_colour_map",
    "get_theme",
    "luminance",
]

Value = TypeVar("Value")

#: The colours at 0, 1/8, ... 1.
COLOUR_MAPS: dict[str, tuple[str, ...]] = {
    "viridis": (
        "#440154",
        "#472d7b",
        "#3b528b",
        "#2c728e",
        "#21918c",
        "#27ad81",
        "#5cc863",
        "#aadc32",
        "#fde725",
    ),
    "cividis": (
        "#00224e",
        "#1a386f",
        "#434e6c",
        "#61656f",
        "#7d7c78",
        "#9a9376",
        "#bbad6d",
        "#ddc858",
        "#fee838",
    ),
}


class Theme(NamedTuple):
    """The colours of a picture, and which part of a colour map it can use."""

    #: around the board, and behind the lines of a xiangqi board
    paper: str
    #: the two kinds of squares
    light: str
    dark: str
    #: lines of the board, and its labels
    line: str
    label: str
    #: the marks of start and end, a path in one colour, numbers on plain squares
    ink: str
    #: the closing move, the knight of an animation, crosses of a heat map
    accent: str
    #: squares that do not belong to the board
    hole: str
    #: the part of a colour map to use, from 0 to 1
    span: tuple[float, float]


THEMES: dict[str, Theme] = {
    "light": Theme(
        paper="#ffffff",
        light="#fbf8f1",
        dark="#e8e2d4",
        line="#8b7d66",
        label="#5c5346",
        ink="#16130f",
        accent="#c8420a",
        hole="#a49b8c",
        span=(0.0, 0.55),
    ),
    "dark": Theme(
        paper="#12151c",
        light="#2c3442",
        dark="#1d232e",
        line="#77839a",
        label="#b3bccb",
        ink="#f4f6fa",
        accent="#ff8a5c",
        hole="#05070a",
        span=(0.45, 1.0),
    ),
    "print": Theme(
        paper="#ffffff",
        light="#ffffff",
        dark="#ececec",
        line="#7a7a7a",
        label="#333333",
        ink="#000000",
        accent="#000000",
        hole="#9a9a9a",
        span=(0.0, 0.5),
    ),
}


def get_theme(name: str) -> Theme:
    """Return a theme by its name.

    Raises:
        InvalidInputError: no theme has that name.
    """
    return _named("theme", name, THEMES)


def get_colour_map(name: str) -> tuple[str, ...]:
    """Return the anchors of a colour map by its name.

    Raises:
        InvalidInputError: no map has that name.
    """
    return _named("colour_map", name, COLOUR_MAPS)


def _named(option: str, name: str, known: dict[str, Value]) -> Value:
    try:
        return known[name]
    except (KeyError, TypeError):
        raise InvalidInputError(
            f"{option}={name!r} is unknown: use {', '.join(map(repr, known))}"
        ) from None


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def colour_at(anchors: tuple[str, ...], position: float) -> str:
    """Return the colour at a position from 0 to 1.

    >>> colour_at(COLOUR_MAPS["viridis"], 0.5), colour_at(("#000000", "#ffffff"), 0.5)
    ('#21918c', '#808080')
    """
    place = min(max(position, 0.0), 1.0) * (len(anchors) - 1)
    index = min(int(place), len(anchors) - 2)
    share = place - index
    pairs = zip(_channels(anchors[index]), _channels(anchors[index + 1]), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * share):02x}" for low, high in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG 2.1 defines it, 0 to 1.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21.

    >>> round(contrast("#ffffff", "#000000"), 1)
    21.0
    """
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)
