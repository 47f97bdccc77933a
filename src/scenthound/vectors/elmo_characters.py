"""Words as the published ELMo models read them: the bytes of their UTF-8, with marks around.

A byte is its own number; the five marks come after the bytes. All numbers are raised by one, as
in the published files: 0 is no character at all, for places where there is no word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Characters = npt.NDArray[np.int64]
"""A row for each word, as many columns as characters are read of it."""

SENTENCE_BEGINS, SENTENCE_ENDS, WORD_BEGINS, WORD_ENDS, PADDING = range(257, 262)


def characters_of(words: Sequence[str], longest: int = 50) -> Characters:
    """A row for each word: mark, bytes, mark, padding; no row for no word.

    A word with too many bytes is cut, perhaps inside a character, as in the published models.
    Of what cannot be written in UTF-8 nothing is read.
    """
    rows = np.full((len(words), longest), PADDING, np.int64)
    for row, word in zip(rows, words, strict=True):
        content = np.frombuffer(word.encode("utf-8", "ignore")[: longest - 2], np.uint8)
        row[0], row[len(content) + 1] = WORD_BEGINS, WORD_ENDS
        row[1 : len(content) + 1] = content
        row[1 : len(content) + 1] += 1
    return rows


def marked_characters(words: Sequence[str], longest: int = 50) -> Characters:
    """First the two marks around every sentence, which are words of their own, then the words."""
    marks = characters_of(["?", "?"], longest)
    marks[:, 1] = SENTENCE_BEGINS, SENTENCE_ENDS
    return np.concatenate([marks, characters_of(words, longest)])


def without_padding(characters: Characters, width: int) -> Characters:
    """Cut what is padding in every row, but for the last ``width`` columns of it.

    The maximum over the places of a filter stays the same where no filter is wider than that: one
    of its places lies in nothing but padding, and further ones give the same number.
    """
    written = (characters != PADDING).any(axis=0)
    used = int(np.flatnonzero(written)[-1]) + 1 if written.any() else 0
    return characters[:, : used + width]
