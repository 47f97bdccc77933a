"""Vectors of words that others trained, from a file."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, cast

from scenthound.core.errors import SettingsError
from scenthound.vectors.vector_file_binary import read_binary
from scenthound.vectors.vector_file_fasttext import read_fasttext
from scenthound.vectors.vector_file_rows import Words, damaged, header_of, is_text, not_vectors
from scenthound.vectors.vector_file_saved import read_saved, side_files
from scenthound.vectors.vector_file_text import read_text
from scenthound.vectors.word2vec_table import WordTable

MOST_WORDS = 500_000
"""Words that are read; with 300 dimensions they take 0.6 GB."""
_GZIP, _PICKLE, _FASTTEXT = b"\x1f\x8b", b"\x80", (793_712_314).to_bytes(4, "little")
_HEAD = 64 * 1024
_MIB = 1024 * 1024


def load_word_vectors(path: str | Path, most: int = MOST_WORDS) -> WordTable:
    """The vectors of a file. What it is, its content says and not its name:

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
    if most < 1:
        raise SettingsError(f"{most} words cannot be read of {path}; give 1 or more.")
    try:
        found = _read(path, most)
        if not found.words:
            raise damaged(path, "has no words")
        return WordTable(f"words-{fingerprint(_files(path))}-{len(found.words)}", *found)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise damaged(path, f"cannot be unpacked ({error})") from None
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"the word vectors {path} cannot be read: {reason}.") from None
    except MemoryError:
        raise SettingsError(
            f"{path} does not fit into memory; read fewer words of it than {most}."
        ) from None


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


def _read(path: Path, most: int) -> Words:
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
        header, _, rest = head.partition(b"\n")
        if is_text(head):
            return read_text(file, path, most)
        if header_of(header) is not None and rest:
            return read_binary(file, path, most)
    raise not_vectors(path)


def _files(path: Path) -> list[Path]:
    return [path, *side_files(path)]
