"""How an ontology is learnt: the numbers of the seven steps."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.association import CONFIDENCE, SUPPORT, check_share
from scenthound.ontology_learning.neighbours import GAMMA
from scenthound.ontology_learning.word_topics import TOPICS, WORDS

MOST_CONCEPTS = 5_000
"""More than this nobody reads, and every page of a crawl is compared with all of them."""
MOST_TOPICS = 200
_LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class LearningPlan:
    """How an ontology is learnt.

    Parameters
    ----------
    terms : candidate terms at most (step 1).
    concepts : concepts at most, the topic included.
    gamma : similarity that a neighbour in WordNet must exceed (step 3); at 1 there are none.
    topics : topics of the pages' nouns (step 6); 0 searches their number.
    words : of each topic, at most.
    support : part of the topics that must hold a pair of words (step 7).
    confidence : part of the topics with one word that must hold the other.
    seed : same seed, same texts, same ontology.
    least : occurrences in all texts that a term must have (step 1).
    """

    terms: int = 60
    concepts: int = 100
    gamma: float = GAMMA
    topics: int = TOPICS
    words: int = WORDS
    support: float = SUPPORT
    confidence: float = CONFIDENCE
    seed: int = 0
    least: int = 2

    def __post_init__(self) -> None:
        _check_whole("terms", self.terms, 1, MOST_CONCEPTS)
        _check_whole("concepts", self.concepts, 1, MOST_CONCEPTS)
        _check_whole("topics", self.topics, 0, MOST_TOPICS)
        _check_whole("words", self.words, 1, MOST_CONCEPTS)
        _check_whole("least", self.least, 1, MOST_CONCEPTS)
        _check_whole("seed", self.seed, 0, _LARGEST_SEED)
        for name in ("gamma", "support", "confidence"):
            check_share(name, getattr(self, name))


def _check_whole(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SettingsError(f"{name} takes a whole number from {least} to {most:,}, not {value!r}.")
