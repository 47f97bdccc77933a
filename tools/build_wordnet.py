"""Build the WordNet file that Scenthound ships: ``python tools/build_wordnet.py FOLDER``.

FOLDER is a WordNet 3.0 as Princeton publishes it, with ``noun.exc`` and ``verb.exc``
(Debian's package wordnet-base: ``/usr/share/wordnet``). Taken from it are lemmas, senses, what is
a kind of what, what is a part of what (nouns), and irregular inflections. Building twice gives the
same bytes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import LexiconError
from scenthound.text.wordnet import NOUN, PARTS, VERB, Integers, WordNet
from scenthound.text.wordnet_files import BETWEEN, LICENCE_START, SHIPPED, read_database


def read(folder: Path) -> WordNet:
    """The facts of ``folder``, complete.

    Raises
    ------
    LexiconError
        The folder cannot be used, or lacks the irregular inflections.
    """
    facts = read_database(folder)
    missing = " and ".join(f"{part}.exc" for part in PARTS if part not in facts.exceptions)
    if missing:
        raise LexiconError(f"{folder} lacks {missing}; take the folder of Debian's wordnet-base.")
    return facts


def counts(facts: WordNet) -> list[str]:
    """What there is in ``facts``, a line for each part of speech."""
    return [
        f"{part}: {len(taxonomy.lemmas):,} lemmas, {len(taxonomy):,} concepts, "
        f"{len(taxonomy.parents.values):,} links up, "
        f"{len(taxonomy.wholes.values):,} part-of links, "
        f"{len(facts.exceptions[part]):,} irregular inflections"
        for part, taxonomy in ((NOUN, facts.nouns), (VERB, facts.verbs))
    ]


def write_packed(path: Path, facts: WordNet) -> None:
    """Write ``facts`` to ``path``; the same facts always give the same bytes.

    ``scenthound.text.wordnet_files`` says how words and numbers are laid out.
    """
    arrays: dict[str, Any] = dict(sorted(_packed(facts).items()))
    np.savez_compressed(path, **arrays)


def _packed(facts: WordNet) -> dict[str, npt.NDArray[np.uint8]]:
    arrays = {"version": _text_block([facts.version])}
    for part, taxonomy in ((NOUN, facts.nouns), (VERB, facts.verbs)):
        inflections = facts.exceptions.get(part, {})
        arrays |= {
            f"{part}.lemmas": _text_block(taxonomy.lemmas),
            f"{part}.sense_counts": _planes(np.diff(taxonomy.senses.starts)),
            f"{part}.senses": _planes(taxonomy.senses.values),
            f"{part}.parent_counts": _planes(np.diff(taxonomy.parents.starts)),
            f"{part}.parents": _planes(taxonomy.parents.values),
            f"{part}.levels": _planes(taxonomy.levels),
            f"{part}.hyponyms": _planes(taxonomy.hyponyms),
            f"{part}.exceptions": _text_block(
                [BETWEEN.join((word, *bases)) for word, bases in sorted(inflections.items())]
            ),
        }
        if len(taxonomy.wholes.values):
            arrays[f"{part}.whole_counts"] = _planes(np.diff(taxonomy.wholes.starts))
            arrays[f"{part}.wholes"] = _planes(taxonomy.wholes.values)
    return arrays


def _planes(numbers: Integers) -> npt.NDArray[np.uint8]:
    """First bytes of all the numbers, then all second bytes, ..."""
    return np.ascontiguousarray(numbers.astype("<i4").view(np.uint8).reshape(-1, 4).T)


def _text_block(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def licence(folder: Path) -> str:
    """The licence at the head of ``data.noun``, without its line numbers."""
    lines = (folder / f"data.{NOUN}").read_text("utf-8", errors="replace").split("\n")
    head = (line for line in lines if line.startswith(LICENCE_START))
    return "\n".join(re.sub(r"^\s*\d+ ?", "", line).rstrip() for line in head).strip() + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the file; 2 if the folder cannot be used."""
    parser = argparse.ArgumentParser(description="Build the WordNet file that Scenthound ships.")
    parser.add_argument("folder", type=Path, help="WordNet 3.0 with noun.exc and verb.exc")
    parser.add_argument("--out", type=Path, default=SHIPPED.parent, help="default: %(default)s")
    given = parser.parse_args(arguments)
    _say(f"reading {given.folder}")
    try:
        facts = read(given.folder)
    except LexiconError as error:
        _say(f"error: {error}")
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / f"wordnet-{facts.version}.npz"
    _say(f"writing {file}")
    write_packed(file, facts)
    (given.out / "LICENSE.wordnet").write_text(licence(given.folder), "utf-8")
    size = f"{file.name}: {file.stat().st_size:,} bytes"
    sys.stdout.write("\n".join([*counts(facts), size]) + "\n")
    return 0


def _say(progress: str) -> None:
    sys.stderr.write(progress + "\n")


if __name__ == "__main__":
    sys.exit(main())
