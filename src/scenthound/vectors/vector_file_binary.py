"""word2vec files in binary form."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from scenthound.vectors.vector_file_rows import (
    Rows,
    Words,
    all_finite,
    check_complete,
    check_header,
    damaged,
    header_of,
)

_LONGEST_HEADER, _LONGEST_WORD = 100, 2_000


def read_binary(file: BinaryIO, path: Path, most: int) -> Words:
    """The first ``most`` words: each is its letters, a space, and its numbers in 4 bytes each.

    Parameters
    ----------
    file : at its beginning.
    path : what to call it.
    most : words that are read.
    """
    announced, dimensions = header_of(file.readline(_LONGEST_HEADER)) or (0, 0)
    check_header(path, announced, dimensions)
    rows, wanted = Rows(dimensions), min(announced, most)
    while rows.read < wanted:
        word = _word(file, path, rows.read + 1)
        numbers = file.read(4 * dimensions)
        if word is None or len(numbers) < 4 * dimensions:
            break
        vector = np.frombuffer(numbers, "<f4")
        if not all_finite(vector):
            raise damaged(path, f"has a number that is not finite at word {rows.read + 1}")
        rows.add(word, vector)
    check_complete(path, rows.read, wanted)
    return rows.finished()


def _word(file: BinaryIO, path: Path, place: int) -> bytes | None:
    """The letters up to the next space; None at the end of the file."""
    letters = bytearray()
    while letter := file.read(1):
        if letter == b" ":
            return bytes(letters).lstrip(b"\n")  # some writers end a word's numbers with one
        letters += letter
        if len(letters) > _LONGEST_WORD:
            raise damaged(path, f"has no word at its place {place}")
    return None
