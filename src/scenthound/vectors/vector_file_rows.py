"""What the readers of files of word vectors share."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.protocols import Vectors
from scenthound.vectors.word2vec_table import Guess, no_guess

MOST_DIMENSIONS = 10_000
"""Vectors have some hundred; who says more is not a file of vectors."""
_CONTROL = bytes({*range(32), 127} - set(b"\t\r\n"))


class Words(NamedTuple):
    """What a file holds: words, a vector for each, and what can be said of other words."""

    words: list[str]
    vectors: Vectors
    guess: Guess = no_guess


class Rows:
    """Words and vectors as they are read, one after the other.

    Memory grows with what is there and not with what the file says of itself.

    Parameters
    ----------
    dimensions : numbers of each vector.
    """

    def __init__(self, dimensions: int) -> None:
        self.read = 0
        """Words so far, those that came twice included."""
        self.dimensions = dimensions
        self._words: dict[str, None] = {}
        self._numbers = bytearray()

    def add(self, word: bytes, vector: Vectors) -> None:
        """One more word. A word that came before keeps its first vector.

        Words that are not UTF-8 (old tools cut them in the middle of a letter) are read as far
        as they can be; a word without a letter left is passed over.
        """
        self.read += 1
        text = word.decode("utf-8", "ignore").strip()
        if text and text not in self._words:
            self._words[text] = None
            self._numbers += vector.astype("<f4", copy=False).tobytes()

    def finished(self) -> Words:
        """All of them."""
        vectors = np.frombuffer(self._numbers, "<f4").reshape(-1, self.dimensions)
        return Words(list(self._words), vectors.astype(np.float32, copy=False))


def header_of(line: bytes) -> tuple[int, int] | None:
    """The number of words and of dimensions that a first line tells; None where it does not."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 12 for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def check_header(path: Path, words: int, dimensions: int) -> None:
    """SettingsError for a file that says it has no words, or vectors that cannot be."""
    if words < 1 or not 1 <= dimensions <= MOST_DIMENSIONS:
        raise damaged(path, f"says it has {words} words of {dimensions} dimensions")


def check_complete(path: Path, found: int, announced: int) -> None:
    """SettingsError for a file that ends too early."""
    if found < announced:
        raise damaged(path, f"ends after {found} of {announced} words")


def is_text(head: bytes) -> bool:
    """Is this the beginning of a text?

    It has no control characters and is UTF-8; where old tools cut a word in the middle of a
    letter, its second line ends with a number all the same.
    """
    if head.translate(None, _CONTROL) != head:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # its last letter may be cut off
    except UnicodeDecodeError:
        second = head.partition(b"\n")[2].partition(b"\n")[0]
        return is_number(second.rpartition(b" ")[2])
    return True


def is_number(field: bytes) -> bool:
    """Can it be read as a number, finite or not?"""
    try:
        float(field)
    except ValueError:
        return False
    return True


def all_finite(vectors: Vectors) -> bool:
    """Are all of them numbers? (Asked of the extremes: a table of answers would take memory.)"""
    return not vectors.size or bool(np.isfinite(vectors.min()) and np.isfinite(vectors.max()))


def damaged(path: Path, what: str) -> SettingsError:
    """The file ``what``: it has to be fetched again."""
    return SettingsError(
        f"the word vectors {path} cannot be used: the file {what}; copy or download it again."
    )


def not_vectors(path: Path) -> SettingsError:
    """The file is of no kind that can be read."""
    return SettingsError(
        f"{path} is not a file of word vectors: give one of word2vec, GloVe, fastText or gensim."
    )
