"""Tours as permutations: put the cells of an array into the order of a tour, and back.

``out.flat[k] = array.flat[order[k]]``, where `order` is `Tour.order`: the cell that the tour visits
at step k goes to place k, row by row. `unscramble` is the exact inverse. This hides an image from
the eye and nothing more: **it is no cryptography**. A tour is found in seconds by whoever knows how
the image was scrambled, the values of the cells stay as they are, and neighbouring pixels give the
order away.

One copy of the array and one index a square; numpy does the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answer import Tour
from .errors import InvalidInputError

if TYPE_CHECKING:
    import numpy

__all__ = ["scramble", "unscramble"]


def scramble(array: Any, tour: Tour, *, tiled: bool = False) -> numpy.ndarray[Any, Any]:
    """Return a copy of an array with its cells in the order of a tour.

    Args:
        array: anything that numpy takes as an array of the shape ``(rows, cols)`` of the tour's
            board, or ``(rows, cols, ...)``, such as a colour image; of any type. A masked array
            stays one.
        tour: the tour.
        tiled: the array is larger than the board: cut it into tiles of the board's size, and
            scramble each of them. Both extents have to be multiples of the board's.

    Raises:
        InvalidInputError: not a `Tour`, or no array, or one of another shape.
        ImportError: numpy is not installed (``pip install knighttour[numpy]``).

    It is no cryptography: see the head of the module.

    >>> import numpy
    >>> from knighttour import tour
    >>> t = tour((0, 0), board="3x4")
    >>> image = numpy.arange(12).reshape(3, 4)
    >>> scramble(image, t)[0].tolist()
    [0, 6, 8, 1]
    >>> bool((unscramble(scramble(image, t), t) == image).all())
    True
    """
    return _permuted(array, tour, tiled, back=False)


def unscramble(array: Any, tour: Tour, *, tiled: bool = False) -> numpy.ndarray[Any, Any]:
    """Return the array that `scramble` made this one of, with the same tour and `tiled`.

    Args and errors as for `scramble`.

    >>> import numpy
    >>> from knighttour import tour
    >>> t = tour((0, 0), board="3x4")
    >>> unscramble(numpy.arange(12).reshape(3, 4), t).tolist() == t.grid(base=0)
    True
    """
    return _permuted(array, tour, tiled, back=True)


def _permuted(values: Any, tour: Tour, tiled: bool, *, back: bool) -> numpy.ndarray[Any, Any]:
    try:
        import numpy
    except ImportError:
        raise ImportError("scramble() needs numpy: pip install knighttour[numpy]") from None
    if not isinstance(tour, Tour):
        raise InvalidInputError(
            f"a {type(tour).__name__} is no Tour: scramble(array, tour) takes the array first"
        )
    if not isinstance(tiled, bool):
        raise InvalidInputError(f"tiled={tiled!r} is no answer: use True or False")
    if isinstance(values, numpy.ma.MaskedArray):
        # What is masked moves with its value.
        data = _permuted(values.data, tour, tiled, back=back)
        mask = _permuted(numpy.ma.getmaskarray(values), tour, tiled, back=back)
        return numpy.ma.MaskedArray(data, mask, fill_value=values.fill_value)
    try:
        cells = numpy.asarray(values)
    except ValueError as error:
        raise InvalidInputError(f"{values!r:.60} is no array: {error}") from None
    rows, cols = tour.board.shape
    shape = cells.shape
    remedy = f"{tour.board} needs an array of {rows}x{cols}, or of {rows}x{cols} times something"
    if len(shape) < 2 or 0 in shape[:2]:
        raise InvalidInputError(f"an array of the shape {shape} has no rows and columns: {remedy}")
    if not tiled and shape[:2] != (rows, cols):
        raise InvalidInputError(
            f"an array of the shape {shape} does not fit: {remedy}; tiled=True cuts a larger one "
            "into tiles"
        )
    if shape[0] % rows or shape[1] % cols:
        raise InvalidInputError(
            f"an array of the shape {shape} cannot be cut into tiles of {rows}x{cols}: pad it to "
            f"{-(-shape[0] // rows) * rows}x{-(-shape[1] // cols) * cols} first"
        )
    down, across = shape[0] // rows, shape[1] // cols
    # (tile row, row, tile col, col, ...) -> one flat list of cells a tile
    tiles = cells.reshape(down, rows, across, cols, *shape[2:])
    tiles = numpy.moveaxis(tiles, 2, 1).reshape(down * across, rows * cols, *shape[2:])
    order = numpy.asarray(tour.order())
    # With holes the squares are permuted among themselves, and what is on the holes stays.
    squares = slice(None) if len(order) == rows * cols else numpy.sort(order)
    moved = tiles.copy()
    if back:
        moved[:, order] = tiles[:, squares]
    else:
        moved[:, squares] = tiles[:, order]
    moved = moved.reshape(down, across, rows, cols, *shape[2:])
    return numpy.moveaxis(moved, 2, 1).reshape(shape)
