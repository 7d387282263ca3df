"""A small library of tours that people have published, with their sources.

``historic("beverley1848")`` is the tour, `historic_tours` lists the names with the sources. The
tours are those of tests/data/tours.json that have a historic source; what each of them is known for
(closed, semimagic, symmetric) is in that file, and a test compares it with what `classify` finds.
Someshvara's verse of about 1130 is given by the squares that it spells.

Each tour is checked when it is loaded, like everything that is read: 30 microseconds.
"""

from __future__ import annotations

from .analysis import as_reading
from .answer import Tour
from .errors import InvalidInputError

__all__ = ["historic", "historic_tours"]

#: Name: (source, step numbers from 1, row 0 at the top).
_TOURS: dict[str, tuple[str, str]] = {
    "someshvara_c1130_syllables": (
        "Someshvara c. 1130, quoted in Knuth, TAOCP 7.2.2.4",
        """
        12 39 24 59 10 37 34  7
        25 60 11 38 23  8 21 36
        40 13 58  9 48 35  6 33
        61 26 51 54 57 22 47 20
        14 41 56 63 52 49 32  5
        27 62 53 50 55 64 19 46
        42 15  2 29 44 17  4 31
         1 28 43 16  3 30 45 18
        """,
    ),
    "yahya_ibn_ibrahim_abjad": (
        "Arabic MS 766, quoted in Knuth, TAOCP 7.2.2.4",
        """
        60 11 56  7 54  3 42  1
        57  8 59 62 31 64 53  4
        12 61 10 55  6 41  2 43
         9 58 13 32 63 30  5 52
        34 17 36 23 40 27 44 29
        37 14 33 20 47 22 51 26
        18 35 16 39 24 49 28 45
        15 38 19 48 21 46 25 50
        """,
    ),
    "euler_A226697": (
        "Euler 1759; OEIS A226697",
        """
        37 62 43 56 35 60 41 50
        44 55 36 61 42 49 34 59
        63 38 53 46 57 40 51 48
        54 45 64 39 52 47 58 33
         1 26 15 20  7 32 13 22
        16 19  8 25 14 21  6 31
        27  2 17 10 29  4 23 12
        18  9 28  3 24 11 30  5
        """,
    ),
    "euler_gouraud1845": (
        "Euler, printed by Gouraud 1845",
        """
         1 52 15 34  3 50 17 36
        14 33  2 51 16 35  4 49
        53 64 31 24 29 26 37 18
        32 13 62 27 60 23 48  5
        63 54 11 30 25 28 19 38
        12 43 56 61 22 59  6 47
        55 10 41 58 45  8 39 20
        42 57 44  9 40 21 46  7
        """,
    ),
    "beverley1848": (
        "W. Beverley 1848",
        """
         1 30 47 52  5 28 43 54
        48 51  2 29 44 53  6 27
        31 46 49  4 25  8 55 42
        50  3 32 45 56 41 26  7
        33 62 15 20  9 24 39 58
        16 19 34 61 40 57 10 23
        63 14 17 36 21 12 59 38
        18 35 64 13 60 37 22 11
        """,
    ),
    "dudeney_amusements_nearmagic": (
        "H. E. Dudeney, Amusements in Mathematics, 1917",
        """
        46 55 44 19 58  9 22  7
        43 18 47 56 21  6 59 10
        54 45 20 41 12 57  8 23
        17 42 53 48  5 24 11 60
        52  3 32 13 40 61 34 25
        31 16 49  4 33 28 37 62
         2 51 14 29 64 39 26 35
        15 30  1 50 27 36 63 38
        """,
    ),
    "mms2003_b3d2": (
        "Mackay, Meyrignac, Stertenbrink 2003",
        """
        59 30 35 24 57 22 15 18
        36 25 58 29 16 19 56 21
        31 60 27 34 23 54 17 14
        26 37 32 49 28 13 20 55
        39  4 61 12 33 48 53 10
        62  1 38  7 50 11 44 47
         5 40  3 64 45 42  9 52
         2 63  6 41  8 51 46 43
        """,
    ),
    "jelliss2003_d5f4": (
        "G. Jelliss 2003",
        """
        11 46 51 40  9 38 31 34
        52 41 10 45 32 35  8 37
        47 12 43 50 39  6 33 30
        42 53 48  1 44 29 36  7
        55 20 13 28 49 64  5 26
        14 17 54 23  2 27 60 63
        21 56 19 16 61 58 25  4
        18 15 22 57 24  3 62 59
        """,
    ),
    "knuth_3x10_eq14": (
        "Knuth, TAOCP 7.2.2.4",
        """
         4  7  2 19 16 13 10 25 30 27
         1 20  5 14  9 22 17 28 11 24
         6  3  8 21 18 15 12 23 26 29
        """,
    ),
    "knuth_3x10_eq16": (
        "Knuth, TAOCP 7.2.2.4",
        """
         1 12  3 22 15 10  7 26 29 18
         4 23 14 11  6 25 20 17  8 27
        13  2  5 24 21 16  9 28 19 30
        """,
    ),
    "knuth_3x10_closed": (
        "Knuth, TAOCP 7.2.2.4",
        """
         4  7  2 23 10 25 28 17 12 15
         1 22  5  8 29 20 11 14 27 18
         6  3 30 21 24  9 26 19 16 13
        """,
    ),
}


def historic_tours() -> dict[str, str]:
    """Return the names of the historic tours, oldest first, with their sources.

    >>> historic_tours()["beverley1848"]
    'W. Beverley 1848'
    """
    return {name: source for name, (source, _) in _TOURS.items()}


def historic(name: str) -> Tour:
    """Return a historic tour by its name.

    Args:
        name: one of `historic_tours`.

    Raises:
        InvalidInputError: an unknown name; the text lists those that there are.

    >>> print(historic("knuth_3x10_eq14"))
     4  7  2 19 16 13 10 25 30 27
     1 20  5 14  9 22 17 28 11 24
     6  3  8 21 18 15 12 23 26 29
    """
    try:
        source, text = _TOURS[name]
    except (KeyError, TypeError):
        raise InvalidInputError(
            f"there is no historic tour {name!r:.60}: use {', '.join(_TOURS)}"
        ) from None
    rows = [[int(number) for number in line.split()] for line in text.strip().splitlines()]
    tour = as_reading(rows, base=1).check()
    return Tour(tour.board, tour._path, (f"historic: {source}", tour.board.size, 0, 0.0, 0))
