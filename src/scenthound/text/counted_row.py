"""What was counted in a text as a row of bytes, with the terms as words: for other processes."""

from __future__ import annotations

import numpy as np

from scenthound.text.counted import PAIR, Counted
from scenthound.text.vocabulary import Numbers, Vocabulary

_STORED: np.dtype[np.int32] = np.dtype("<i4")
"""The same bytes on every machine."""
_BETWEEN = "\n"
"""Words are cut at blanks of any kind, so that no term holds one."""


def row_of(counted: Counted, vocabulary: Vocabulary) -> bytes:
    """Sizes of the parts, counts of all terms, and the terms.

    Parameters
    ----------
    counted : a text, in numbers of the vocabulary.
    vocabulary : knows the terms.
    """
    pairs: Numbers = np.frombuffer(b"".join(counted), np.int32).reshape(-1, 2)
    sizes = [len(part) // PAIR for part in counted]
    terms = _BETWEEN.join(vocabulary.terms(pairs[:, 0].tolist()))
    numbers = np.concatenate([sizes, pairs[:, 1]]).astype(_STORED)
    return numbers.tobytes() + terms.encode("utf-8", "surrogatepass")


def counted_of(row: bytes, vocabulary: Vocabulary, parts: int) -> Counted | None:
    """What :func:`row_of` wrote, in numbers of ``vocabulary``; None where it is not that.

    Parameters
    ----------
    row : from a cache.
    vocabulary : takes terms that it does not know.
    parts : that the row must have: single words, and each table of phrases.
    """
    if len(row) < parts * _STORED.itemsize:
        return None
    sizes = np.frombuffer(row, _STORED, parts).tolist()
    total = sum(sizes)
    start = parts * _STORED.itemsize
    end = start + total * _STORED.itemsize
    if min(sizes) < 0 or end > len(row):
        return None
    terms = _words(row[end:])
    counts = np.frombuffer(row, _STORED, total, start)
    if terms is None or len(terms) != total or (total and counts.min() < 1):
        return None
    return _paired(vocabulary.numbers(terms), counts, sizes)


def _words(content: bytes) -> list[str] | None:
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return text.split(_BETWEEN) if text else []


def _paired(terms: list[int], counts: Numbers, sizes: list[int]) -> Counted:
    pairs = np.column_stack((np.array(terms, np.int32), counts)).astype(np.int32).tobytes()
    parts = []
    start = 0
    for size in sizes:
        parts.append(pairs[start : start + PAIR * size])
        start += PAIR * size
    return tuple(parts)
