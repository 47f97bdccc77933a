"""Build the WordNet file that Scenthound ships: ``python tools/build_wordnet.py FOLDER``.

FOLDER is a WordNet 3.0 as Princeton publishes it, with ``noun.exc`` and ``verb.exc``
(Debian's package wordnet-base: ``/usr/share/wordnet``). Taken from it are lemmas, senses, what is
a kind of what, what is a part of what (nouns), and irregular inflections. Building twice gives the
same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scenthound.core.errors import LexiconError
from scenthound.text.wordnet import NOUN, PARTS, VERB, Facts
from scenthound.text.wordnet_files import SHIPPED, licence, read_database, write_packed


def read(folder: Path) -> Facts:
    """The facts of ``folder``, complete.

    Raises
    ------
    LexiconError
        The folder cannot be used, or lacks the irregular inflections.
    """
    facts = read_database(folder, _say)
    missing = " and ".join(f"{part}.exc" for part in PARTS if part not in facts.exceptions)
    if missing:
        raise LexiconError(f"{folder} lacks {missing}; take the folder of Debian's wordnet-base.")
    return facts


def counts(facts: Facts) -> list[str]:
    """What there is in ``facts``, a line for each part of speech."""
    return [
        f"{part}: {len(taxonomy.lemmas):,} lemmas, {len(taxonomy):,} concepts, "
        f"{len(taxonomy.parents.values):,} links up, "
        f"{len(taxonomy.wholes.values):,} part-of links, "
        f"{len(facts.exceptions[part]):,} irregular inflections"
        for part, taxonomy in ((NOUN, facts.nouns), (VERB, facts.verbs))
    ]


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
