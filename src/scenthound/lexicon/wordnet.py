"""WordNet: what words mean, and what they are forms of."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path

from scenthound.lexicon.database import read_database
from scenthound.lexicon.facts import PARTS, Facts, Inflections
from scenthound.lexicon.folding import fold
from scenthound.lexicon.packed import read_packed

SHIPPED = Path(__file__).parent / "data" / "wordnet-3.0.npz"
"""The facts of WordNet 3.0, built by ``tools/build_wordnet.py``."""

_REMEMBERED = 200_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class WordNet(Facts):
    """The facts of one WordNet, and how its words inflect.

    Parameters
    ----------
    version : of the WordNet, ``3.0``.
    nouns : noun lemmas, their taxonomy, and what is a part of what.
    verbs : verb lemmas and their taxonomy.
    exceptions : irregular inflections by part of speech (``noun``, ``verb``).
    origin : where the facts come from, in words.
    """

    origin: str

    def base(self, word: str) -> str:
        """The one base form by which texts are compared, see :func:`~.folding.fold`.

        A word outside WordNet keeps its form, but for the s of a plural.
        """
        return self._folded(word)

    @cached_property
    def _folded(self) -> Callable[[str], str]:
        """:func:`fold`, which takes a while, with the latest words remembered."""
        return lru_cache(_REMEMBERED)(partial(fold, facts=self))


@cache
def shipped() -> WordNet:
    """The WordNet that comes with Scenthound; read once."""
    return _wordnet(read_packed(SHIPPED), "shipped with Scenthound")


def load_wordnet(folder: Path | None = None, warn: Callable[[str], None] = _log.warning) -> WordNet:
    """A WordNet of one's own, or the shipped one.

    Parameters
    ----------
    folder : WordNet 3.0 or 3.1 as Princeton publishes it; None for :func:`shipped`. Without
        ``noun.exc`` and ``verb.exc`` the irregular inflections of the shipped one are used.
    warn : gets what is missing or left out, in words.

    Raises
    ------
    LexiconError
        The folder cannot be used; the message says why and what to do.
    """
    if folder is None:
        return shipped()
    facts = read_database(folder, warn)
    missing = [part for part in PARTS if part not in facts.exceptions]
    if not missing:
        return _wordnet(facts, str(folder))
    files = " and ".join(f"{part}.exc" for part in missing)
    warn(f"{folder} has no {files}; the irregular inflections shipped with Scenthound are used.")
    return _wordnet(facts, str(folder), {**shipped().exceptions, **facts.exceptions})


def _wordnet(
    facts: Facts, origin: str, exceptions: Mapping[str, Inflections] | None = None
) -> WordNet:
    return WordNet(facts.version, facts.nouns, facts.verbs, exceptions or facts.exceptions, origin)
