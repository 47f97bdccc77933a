"""What is taken from a WordNet, whatever it was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.lexicon.taxonomy import Taxonomy

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
