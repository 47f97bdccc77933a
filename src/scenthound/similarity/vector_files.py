"""Word vectors that others trained, from a file.

The content of a file says which format it is, not its name: text (word2vec, GloVe, fastText
``.vec``), word2vec's binary form, fastText ``.bin``, or what gensim's ``KeyedVectors.save`` wrote.
Text and binary files are read here and not by gensim: gensim fails on the words with spaces that
GloVe has, does not name the line that is damaged, and is an extra that these files do not need.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_at_least
from scenthound.similarity.encoders import Vectors
from scenthound.similarity.gensim_files import (
    MAX_DIMENSIONS,
    FileVectors,
    all_finite,
    damaged_file,
    read_fasttext,
    read_saved,
    side_files,
)
from scenthound.similarity.word2vec import WordTable

MAX_WORDS = 500_000
"""Words that are read; with 300 dimensions they take 0.6 GB."""
_GZIP, _PICKLE, _FASTTEXT = b"\x1f\x8b", b"\x80", (793_712_314).to_bytes(4, "little")
_HEAD = 64 * 1024
_MIB = 1024 * 1024
_UNKNOWN_FORMAT = (
    "{} is not a file of word vectors: give one of word2vec, GloVe, fastText or gensim."
)


def load_word_vectors(path: str | Path, most: int = MAX_WORDS) -> WordTable:
    """The vectors of a file of one of these formats:

    * word2vec, binary or text, with its first line of two numbers; fastText ``.vec`` is the same;
    * GloVe: text without that line;
    * fastText ``.bin``, which has vectors for words it never saw as well (needs gensim);
    * what gensim's ``KeyedVectors.save`` wrote. It is a pickle; nothing in it is run.

    Text and binary word2vec files may be packed with gzip.

    Parameters
    ----------
    path : the file. One that cannot be used is a SettingsError that says why.
    most : words that are read, the first ones: files begin with the most frequent. (fastText
        ``.bin`` files are read whole.)
    """
    path = Path(path)
    check_at_least(1, most=most)
    try:
        found = _read(path, most)
        if not found.words:
            raise damaged_file(path, "has no words")
        name = f"words-{fingerprint([path, *side_files(path)])}-{len(found.words)}"
        return WordTable(name, *found)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise damaged_file(path, f"cannot be unpacked ({error})") from None
    except (OSError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or error or "it does not fit into memory"
        raise SettingsError(f"the word vectors {path} cannot be read: {reason}.") from None


def fingerprint(files: Iterable[Path]) -> str:
    """Tells one set of files from another: SHA-256 of the size, first and last MiB of each.

    Files of vectors have gigabytes; two that differ do so in size, or from the beginning on.
    """
    digest = hashlib.sha256()
    for path in files:
        size = path.stat().st_size
        with path.open("rb") as file:
            digest.update(b"%d:" % size + file.read(_MIB))
            file.seek(max(0, size - _MIB))
            digest.update(file.read(_MIB))
    return digest.hexdigest()[:16]


def _read(path: Path, most: int) -> FileVectors:
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        file = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
        head = file.read(_HEAD)
        file.seek(0)
        if head.startswith(_FASTTEXT):
            if packed:  # gensim would take the packed bytes for numbers
                raise SettingsError(f"{path} is a packed fastText model; unpack it with gunzip.")
            return read_fasttext(file, path)
        if head.startswith(_PICKLE):
            return read_saved(path, file, most)
        if _is_text(head):
            return _read_text(file, path, most)
        first, _, rest = head.partition(b"\n")
        if _header(first) is not None and rest:
            return _read_binary(file, path, most)
    raise SettingsError(_UNKNOWN_FORMAT.format(path))


def _is_text(head: bytes) -> bool:
    """Is this the beginning of a text?

    It has no control characters and is UTF-8; where old tools cut a word in the middle of a
    letter, its second line ends with a number all the same.
    """
    if head.translate(None, bytes({*range(32), 127} - set(b"\t\r\n"))) != head:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # its last letter may be cut off
    except UnicodeDecodeError:
        second = head.partition(b"\n")[2].partition(b"\n")[0]
        return _is_number(second.rpartition(b" ")[2])
    return True


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


# Text and binary files: a header with two numbers, then a word and its vector, row by row.

_Row = tuple[bytes, Vectors, str]
"""A word, its vector, and where it stands in the file."""
_LONGEST_LINE = 1024 * 1024
_LONGEST_HEADER = 100
_LONGEST_BINARY_WORD = 2_000


def _header(line: bytes) -> tuple[int, int] | None:
    """The number of words and of dimensions that a first line gives; None where it does not."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 12 for field in fields):
        return None
    return int(fields[0]), int(fields[1])


def _checked_header(path: Path, words: int, dimensions: int) -> tuple[int, int]:
    if words < 1 or not 1 <= dimensions <= MAX_DIMENSIONS:
        raise damaged_file(path, f"says it has {words} words of {dimensions} dimensions")
    return words, dimensions


def _collected(
    rows: Iterator[_Row], path: Path, most: int, header: tuple[int, int] | None, dimensions: int
) -> FileVectors:
    """The first ``most`` words of ``rows``. A word that comes twice keeps its first vector.

    Memory grows with what is there and not with what the file says of itself. Words that are not
    UTF-8 (old tools cut them in the middle of a letter) are read as far as they can be; a word
    without a letter left is passed over.
    """
    words: dict[str, None] = {}
    numbers = bytearray()
    read = 0
    wanted = most if header is None else min(header[0], most)
    for word, vector, where in islice(rows, wanted):
        read += 1
        if not all_finite(vector):
            raise damaged_file(path, f"has a number that is not finite {where}")
        text = word.decode("utf-8", "ignore").strip()
        if text and text not in words:
            words[text] = None
            numbers += vector.astype("<f4", copy=False).tobytes()
    if header is not None and read < wanted:
        raise damaged_file(path, f"ends after {read} of {wanted} words")
    vectors = np.frombuffer(numbers, "<f4").reshape(-1, dimensions)
    return FileVectors(list(words), vectors.astype(np.float32, copy=False))


def _read_text(file: BinaryIO, path: Path, most: int) -> FileVectors:
    """A line is a word and its numbers, with spaces between them.

    A first line of two numbers is how many words and dimensions there are; without one (GloVe)
    the first word gives the dimensions. A word may hold spaces itself, as a few of GloVe do.
    """
    lines = _lines(file, path)
    number, first = next(lines, (1, b""))
    header = _header(first)
    if header is not None:
        _, dimensions = _checked_header(path, *header)
    else:
        _, *numbers = first.split(b" ")
        dimensions = len(numbers)
        if not 1 <= dimensions <= MAX_DIMENSIONS or not all(map(_is_number, numbers)):
            raise SettingsError(_UNKNOWN_FORMAT.format(path))
        lines = chain([(number, first)], lines)
    rows = (_parsed(path, number, line, dimensions) for number, line in lines)
    return _collected(rows, path, most, header, dimensions)


def _lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers."""
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
        if len(line) == _LONGEST_LINE:
            raise damaged_file(path, f"has no vectors: line {number} is longer than a MiB")
        line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        line = line.replace(b"\t", b" ").rstrip(b" \r\n")
        if line:
            yield number, line


def _parsed(path: Path, number: int, line: bytes, dimensions: int) -> _Row:
    word, *numbers = line.rsplit(b" ", dimensions)
    try:
        with np.errstate(over="ignore"):  # too large a number is not finite, which is checked later
            vector = np.array([float(field) for field in numbers], np.float32)
    except ValueError:
        raise damaged_file(path, f"has something that is no number in line {number}") from None
    _, space, last = word.rpartition(b" ")
    if len(vector) < dimensions or (space and _is_number(last)):
        found = line.count(b" ")
        raise damaged_file(path, f"has {found} numbers and not {dimensions} in line {number}")
    return word, vector, f"in line {number}"


def _read_binary(file: BinaryIO, path: Path, most: int) -> FileVectors:
    """Each word is its letters, a space, and its numbers in 4 bytes each."""
    header = _checked_header(path, *(_header(file.readline(_LONGEST_HEADER)) or (0, 0)))
    return _collected(_binary_rows(file, path, header[1]), path, most, header, header[1])


def _binary_rows(file: BinaryIO, path: Path, dimensions: int) -> Iterator[_Row]:
    letters, place = bytearray(), 1
    while letter := file.read(1):
        if letter != b" ":
            letters += letter
            if len(letters) > _LONGEST_BINARY_WORD:
                raise damaged_file(path, f"has no word at its place {place}")
            continue
        numbers = file.read(4 * dimensions)
        if len(numbers) < 4 * dimensions:
            return
        # Some writers end a word's numbers with a line end.
        yield bytes(letters).lstrip(b"\n"), np.frombuffer(numbers, "<f4"), f"at word {place}"
        letters, place = bytearray(), place + 1
