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
import os
import pickle
import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_at_least
from scenthound.similarity.encoders import Vectors
from scenthound.similarity.word2vec import OutOfVocabulary, WordTable, gensim, no_vector

MAX_WORDS = 500_000
"""Words that are read; with 300 dimensions they take 0.6 GB."""
MAX_DIMENSIONS = 10_000
"""Vectors have some hundred dimensions; a header that announces more is not one of vectors."""
_GZIP, _PICKLE, _FASTTEXT = b"\x1f\x8b", b"\x80", (793_712_314).to_bytes(4, "little")
_HEAD = 64 * 1024
_MIB = 1024 * 1024
_UNKNOWN_FORMAT = (
    "{} is not a file of word vectors: give one of word2vec, GloVe, fastText or gensim."
)


class FileVectors(NamedTuple):
    """The words of a file, a vector for each, and what gives vectors to other words."""

    words: list[str]
    vectors: Vectors
    guess: OutOfVocabulary = no_vector


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
        name = f"words-{fingerprint([path, *_side_files(path)])}-{len(found.words)}"
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


def damaged_file(path: Path, what: str) -> SettingsError:
    """The error for a file that has to be copied or downloaded again."""
    return SettingsError(
        f"the word vectors {path} cannot be used: the file {what}; copy or download it again."
    )


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
            return _read_fasttext(file, path)
        if head.startswith(_PICKLE):
            return _read_saved(path, file, most)
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


def _all_finite(vectors: Vectors) -> bool:
    """Asked of the extremes: a table of booleans would take memory."""
    return not vectors.size or bool(np.isfinite(vectors.min()) and np.isfinite(vectors.max()))


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
        if not _all_finite(vector):
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


# fastText ``.bin`` files, read by gensim once their sizes are checked.

_FASTTEXT_DAMAGE = (
    ValueError, AssertionError, IndexError, KeyError, EOFError, OverflowError, struct.error,
)  # fmt: skip
"""What gensim raises on a file that is not what it should be."""
_FASTTEXT_HEADER = struct.Struct("<2i12id3i2q")
_FASTTEXT_MATRIX = struct.Struct("<?2q")
_AFTER_WORD = 9
"""Bytes that follow a word: how often it occurred, and what it is."""
_LONGEST_FASTTEXT_WORD = 10_000


def _read_fasttext(file: BinaryIO, path: Path) -> FileVectors:
    """All its words; the vector of another word is the mean of those of its pieces."""
    try:
        _check_fasttext(file, path)
        with gensim("models.fasttext", f"the fastText file {path}") as library:
            found = library.load_facebook_vectors(str(path.resolve()))
    except _FASTTEXT_DAMAGE as error:
        raise damaged_file(path, f"is no fastText model, or not all of it ({error})") from None
    vectors = np.asarray(found.vectors, np.float32)
    if not (_all_finite(vectors) and _all_finite(found.vectors_ngrams)):
        raise damaged_file(path, "has numbers that are not finite")
    return FileVectors(
        list(found.index_to_key), vectors, found.get_vector if found.bucket else no_vector
    )


def _check_fasttext(file: BinaryIO, path: Path) -> None:
    """Raise what is wrong: gensim reads a file that was cut off without end."""
    fields = _FASTTEXT_HEADER.unpack(file.read(_FASTTEXT_HEADER.size))
    dimensions, pieces = fields[2], fields[10]
    entries, words, labels, _, pruned = fields[15:]
    other_model = SettingsError(
        f"{path} holds a classifier or quantised vectors; give the .bin or .vec file of "
        "vectors that fastText trained with skipgram or cbow."
    )
    if labels > 0 or pruned > 0:
        raise other_model
    for _ in range(entries):
        length = 0
        while (letter := file.read(1)) != b"\0":
            length += 1
            if not letter or length > _LONGEST_FASTTEXT_WORD:
                raise EOFError("its list of words has no end")
        file.seek(_AFTER_WORD, os.SEEK_CUR)
    quantised, rows, columns = _FASTTEXT_MATRIX.unpack(file.read(_FASTTEXT_MATRIX.size))
    if quantised:
        raise other_model
    if not 1 <= dimensions == columns <= MAX_DIMENSIONS or not 0 < words <= rows == words + pieces:
        raise ValueError("its sizes do not fit together")
    if os.fstat(file.fileno()).st_size - file.tell() < 4 * rows * columns:
        raise EOFError("it ends too early")


# Word vectors that gensim's ``KeyedVectors.save`` wrote.
#
# Such a file is a pickle, and a pickle can run anything. Here it makes nothing but stand-ins,
# which keep what they are given, for the few things that word vectors consist of. (numpy's own
# are not safe either: a pickle can spoil a number type for the whole process.)

_PICKLE_DAMAGE = (
    *_FASTTEXT_DAMAGE, pickle.UnpicklingError, AttributeError, TypeError, ImportError,
)  # fmt: skip
_SIDE = ".vectors.npy"
"""Large vectors lie in a file of their own, with this after the name."""
_KINDS = ("f2", "f4", "f8")


class _Placeholder:
    """Keeps what it is made of and the state that it is given."""

    made_of: tuple[Any, ...] = ()
    state: Any = None

    def __init__(self, *made_of: Any) -> None:
        self.made_of = made_of

    def __setstate__(self, state: Any) -> None:
        self.state = state


_ALLOWED = {
    ("gensim.models.keyedvectors", "KeyedVectors"),
    ("gensim.models.keyedvectors", "Word2VecKeyedVectors"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
}


class _ForbiddenClassError(Exception):
    """The pickle asks for something that word vectors do not consist of."""


class _Unpickler(pickle.Unpickler):
    """Makes placeholders of the allowed classes, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise _ForbiddenClassError(repr(f"{module}.{name}"))
        return _Placeholder


def _side_files(path: Path) -> list[Path]:
    """The files that gensim wrote beside this one."""
    side = path.with_name(path.name + _SIDE)
    return [side] if side.is_file() else []


def _read_saved(path: Path, file: BinaryIO, most: int) -> FileVectors:
    """The first ``most`` words of what gensim saved; large vectors lie beside the file."""
    try:
        saved = _Unpickler(file, encoding="latin1").load()
        if not (isinstance(saved, _Placeholder) and isinstance(saved.state, dict)):
            raise _ForbiddenClassError("something else")
        if saved.state.get("vectors") is not None:
            vectors = _array(saved.state["vectors"])
        elif beside := _side_files(path):
            vectors = np.load(beside[0], mmap_mode="r", allow_pickle=False)
        else:
            raise SettingsError(f"{path.name}{_SIDE} is not beside {path}; copy that file as well.")
        return _checked(path, saved.state["index_to_key"], vectors, most)
    except _ForbiddenClassError as error:
        raise SettingsError(
            f"{path} holds {error}, not word vectors alone; save them in gensim with "
            "model.wv.save, or of fastText with save_facebook_model."
        ) from None
    except _PICKLE_DAMAGE as error:
        raise damaged_file(path, f"is not what gensim saves ({error})") from None


def _array(saved: _Placeholder) -> Any:
    """The array that numpy would have made of this: version, shape, type, order, bytes."""
    _, shape, kind, by_columns, numbers = saved.state
    if kind.made_of[0] not in _KINDS or not isinstance(numbers, bytes):
        raise ValueError("no floating-point numbers")
    dtype = kind.state[1] + kind.made_of[0]
    return np.frombuffer(numbers, dtype).reshape(shape, order="F" if by_columns else "C")


def _checked(path: Path, words: Any, vectors: Any, most: int) -> FileVectors:
    are_words = isinstance(words, list) and all(isinstance(word, str) for word in words)
    are_numbers = vectors.dtype.kind == "f" and vectors.ndim == 2 and vectors.shape[1]
    if not are_words or not are_numbers or not 0 < len(words) == len(vectors):
        raise damaged_file(path, "has no list of words with a vector for each")
    with np.errstate(over="ignore"):  # too large a number is not finite, which is said below
        read = np.array(vectors[:most], np.float32)
    if not _all_finite(read):
        raise damaged_file(path, "has numbers that are not finite")
    return FileVectors(words[:most], read)
