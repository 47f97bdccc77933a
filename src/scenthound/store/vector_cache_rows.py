"""Vectors as the cache stores them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float16]
"""One vector, or several as the rows of a table."""
Packed = tuple[int | None, int, bytes]
"""How many rows, None for a vector alone; the length of each; their bytes."""
_STORED: np.dtype[np.float16] = np.dtype("<f2")
"""The same bytes on every machine."""
_EXPONENT = 0x7C00
"""The bits of a 16 bit number that are all set where it is infinite, or no number."""
_LONGEST = 2**31


def packed(vector: Vector) -> Packed | None:
    """A vector as it is stored; None for one with a value that is no number."""
    array = np.asarray(vector, _STORED)
    if array.ndim not in (1, 2) or not _all_finite(array):
        return None
    rows = array.shape[0] if array.ndim == 2 else None
    return rows, array.shape[-1], array.tobytes()


def unpacked(rows: object, length: object, content: object) -> Vector | None:
    """A stored vector, to read only; None where its bytes are not those of its shape.

    Nor is one given out with a value that is no number, for that is damage too.
    """
    shape = [each for each in (rows, length) if isinstance(each, int) and 0 <= each < _LONGEST]
    if len(shape) != (1 if rows is None else 2) or not isinstance(content, bytes):
        return None
    if len(content) != _STORED.itemsize * math.prod(shape):
        return None
    vector = np.frombuffer(content, _STORED).reshape(shape)
    return vector if _all_finite(vector) else None


def _all_finite(array: Vector) -> bool:
    """The same as numpy's isfinite, which takes the numbers one by one and twenty times as long."""
    return bool((array.view("<u2") & _EXPONENT).max(initial=0) < _EXPONENT)
