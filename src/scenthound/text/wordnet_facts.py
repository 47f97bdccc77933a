"""The facts of a WordNet, and the small packed file (NumPy arrays in a zip archive, ``.npz``)
that holds them.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import LexiconError
from scenthound.text.taxonomy import Integers, Rows, Taxonomy

NOUN, VERB = "noun", "verb"

PARTS = (NOUN, VERB)
"""The parts of speech that are read: the ones with a taxonomy."""


Inflections = Mapping[str, tuple[str, ...]]
"""Inflected form -> its base forms."""


@dataclass(frozen=True, eq=False)
class Facts:
    """Words, concepts and irregular inflections; no definitions, no example sentences.

    Parameters
    ----------
    version : of the WordNet, ``3.0``.
    nouns : noun lemmas, their taxonomy, and what is a part of what.
    verbs : verb lemmas and their taxonomy.
    exceptions : irregular inflections by part of speech. A part that is not there was not
        in the source.
    """

    version: str
    nouns: Taxonomy
    verbs: Taxonomy
    exceptions: Mapping[str, Inflections]


# The facts of a WordNet in one small file: NumPy arrays in a zip archive (``.npz``).
#
# A list of words is one block of text, a word a line. Numbers are kept as four rows of bytes, the
# lowest first: the high bytes are nearly all alike, and so take next to no room.


Bytes = npt.NDArray[np.uint8]

Arrays = Mapping[str, Bytes]


_ENDING = ".npy"

_EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every member, so that the same facts give the same file."""

_DAMAGED = (
    OSError, EOFError, ValueError, LookupError, TypeError, RuntimeError, struct.error, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip
"""What reading a file of any content can raise."""

_BETWEEN = "\t"
"""Stands between an inflected form and its bases."""


def write_packed(path: Path, facts: Facts) -> None:
    """Write ``facts`` to ``path``; the same facts always give the same bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in sorted(_packed(facts).items()):
            member = zipfile.ZipInfo(name + _ENDING, _EARLIEST_ZIP_DATE)
            member.create_system = 3  # else it says on what kind of machine it was written
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            archive.writestr(member, content.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=9)


def read_packed(path: Path) -> Facts:
    """What :func:`write_packed` wrote.

    Raises
    ------
    LexiconError
        The file is missing or damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _unpacked(_members(archive))
    except _DAMAGED as error:
        raise LexiconError(
            f"{path} is missing or damaged; install Scenthound again, "
            "or give the folder of a WordNet."
        ) from error


def _members(archive: zipfile.ZipFile) -> Arrays:
    arrays: dict[str, Bytes] = {}
    for name in archive.namelist():
        content = io.BytesIO(archive.read(name))  # in one go: this checks the sum of the bytes
        array = np.lib.format.read_array(content, allow_pickle=False)
        arrays[name.removesuffix(_ENDING)] = array
    return arrays


def _packed(facts: Facts) -> dict[str, Bytes]:
    arrays = {"version": _text([facts.version])}
    for part, taxonomy in ((NOUN, facts.nouns), (VERB, facts.verbs)):
        inflections = facts.exceptions.get(part, {})
        arrays |= {
            f"{part}.lemmas": _text(taxonomy.lemmas),
            f"{part}.sense_counts": _planes(np.diff(taxonomy.senses.starts)),
            f"{part}.senses": _planes(taxonomy.senses.values),
            f"{part}.parent_counts": _planes(np.diff(taxonomy.parents.starts)),
            f"{part}.parents": _planes(taxonomy.parents.values),
            f"{part}.levels": _planes(taxonomy.levels),
            f"{part}.hyponyms": _planes(taxonomy.hyponyms),
            f"{part}.exceptions": _text(
                [_BETWEEN.join((word, *bases)) for word, bases in sorted(inflections.items())]
            ),
        }
        if len(taxonomy.wholes.values):
            arrays[f"{part}.whole_counts"] = _planes(np.diff(taxonomy.wholes.starts))
            arrays[f"{part}.wholes"] = _planes(taxonomy.wholes.values)
    return arrays


def _unpacked(arrays: Arrays) -> Facts:
    (version,) = _lines(arrays["version"])
    return Facts(
        version,
        _taxonomy(arrays, NOUN),
        _taxonomy(arrays, VERB),
        {part: _inflections(arrays[f"{part}.exceptions"]) for part in PARTS},
    )


def _taxonomy(arrays: Arrays, part: str) -> Taxonomy:
    taxonomy = Taxonomy(
        lemmas=_lines(arrays[f"{part}.lemmas"]),
        senses=_rows(arrays, f"{part}.sense_counts", f"{part}.senses"),
        parents=_rows(arrays, f"{part}.parent_counts", f"{part}.parents"),
        levels=_numbers(arrays[f"{part}.levels"]),
        hyponyms=_numbers(arrays[f"{part}.hyponyms"]),
        wholes=_wholes(arrays, part),
    )
    concepts = len(taxonomy)
    for rows in (taxonomy.senses, taxonomy.parents, taxonomy.wholes):
        values = rows.values
        if len(values) and not 0 <= values.min() <= values.max() < concepts:
            raise ValueError("a concept that is not there")
    lengths = (
        len(taxonomy.senses), len(taxonomy.hyponyms), len(taxonomy.wholes), taxonomy.levels[-1],
    )  # fmt: skip
    if lengths != (len(taxonomy.lemmas), concepts, concepts, concepts):
        raise ValueError("lists of different lengths")
    return taxonomy


def _wholes(arrays: Arrays, part: str) -> Rows:
    """None where nothing is a part of anything, and in files from before parts were kept."""
    counts, values = f"{part}.whole_counts", f"{part}.wholes"
    if counts in arrays or values in arrays:
        return _rows(arrays, counts, values)
    concepts = arrays[f"{part}.parent_counts"].shape[1]
    return Rows(np.zeros(concepts + 1, np.int32), np.empty(0, np.int32))


def _rows(arrays: Arrays, counts: str, values: str) -> Rows:
    lengths = _numbers(arrays[counts])
    starts = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    rows = Rows(starts, _numbers(arrays[values]))
    if len(lengths) and (lengths.min() < 0 or starts[-1] != len(rows.values)):
        raise ValueError("rows that do not fill their list")
    return rows


def _planes(numbers: Integers) -> Bytes:
    """First bytes of all the numbers, then all second bytes, ..."""
    return np.ascontiguousarray(numbers.astype("<i4").view(np.uint8).reshape(-1, 4).T)


def _numbers(planes: Bytes) -> Integers:
    if planes.dtype != np.uint8 or planes.ndim != 2 or len(planes) != 4:
        raise ValueError("not four rows of bytes")
    return np.ascontiguousarray(planes.T).view("<i4").reshape(-1).astype(np.int32, copy=False)


def _text(lines: list[str] | tuple[str, ...]) -> Bytes:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def _lines(text: Bytes) -> tuple[str, ...]:
    """The words of a block; none for an empty one."""
    return tuple(text.tobytes().decode().split("\n")) if len(text) else ()


def _inflections(text: Bytes) -> Inflections:
    rows = (line.split(_BETWEEN) for line in _lines(text))
    return {word: tuple(bases) for word, *bases in rows}
