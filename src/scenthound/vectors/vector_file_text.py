"""Files of word vectors as text: word2vec, GloVe, fastText ``.vec``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scenthound.vectors.protocols import Vectors
from scenthound.vectors.vector_file_rows import (
    MOST_DIMENSIONS,
    Rows,
    Words,
    all_finite,
    check_complete,
    check_header,
    damaged,
    header_of,
    is_number,
    not_vectors,
)

_LONGEST_LINE = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


def read_text(file: BinaryIO, path: Path, most: int) -> Words:
    """The first ``most`` words: a line is a word and its numbers, with spaces between them.

    A first line of two numbers is how many words and dimensions there are; without one (GloVe)
    the first word tells the dimensions. A word may hold spaces itself, as a few of GloVe do.

    Parameters
    ----------
    file : at its beginning.
    path : what to call it.
    most : words that are read.
    """
    lines = _lines(file, path)
    number, first = next(lines, (1, b""))
    header = header_of(first)
    if header is None:
        rows = Rows(_dimensions(path, first))
        wanted = most
        rows.add(*_parsed(path, number, first, rows.dimensions))
    else:
        check_header(path, *header)
        rows, wanted = Rows(header[1]), min(header[0], most)
    while rows.read < wanted and (line := next(lines, None)) is not None:
        rows.add(*_parsed(path, *line, rows.dimensions))
    if header is not None:
        check_complete(path, rows.read, wanted)
    return rows.finished()


def _lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers."""
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE:
            raise damaged(path, f"has no vectors: line {number} is longer than {len(line)} bytes")
        line = line.removeprefix(_BOM) if number == 1 else line
        line = line.replace(b"\t", b" ").rstrip(b" \r\n")
        if line:
            yield number, line


def _dimensions(path: Path, first: bytes) -> int:
    _, *numbers = first.split(b" ")
    if not 1 <= len(numbers) <= MOST_DIMENSIONS or not all(map(is_number, numbers)):
        raise not_vectors(path)
    return len(numbers)


def _parsed(path: Path, number: int, line: bytes, dimensions: int) -> tuple[bytes, Vectors]:
    word, *numbers = line.rsplit(b" ", dimensions)
    try:
        with np.errstate(over="ignore"):  # too large a number is not finite, which is said below
            vector = np.array([float(field) for field in numbers], np.float32)
    except ValueError:
        raise damaged(path, f"has something that is no number in line {number}") from None
    if len(vector) < dimensions or _ends_with_number(word):
        found = line.count(b" ")
        raise damaged(path, f"has {found} numbers and not {dimensions} in line {number}")
    if not all_finite(vector):
        raise damaged(path, f"has a number that is not finite in line {number}")
    return word, vector


def _ends_with_number(word: bytes) -> bool:
    _, space, last = word.rpartition(b" ")
    return bool(space) and is_number(last)
