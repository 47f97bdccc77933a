"""What does WordNet know of a topic, and what is compared as it is written?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenthound.core.model import Briefing
from scenthound.text.analyzer import Analyzer
from scenthound.text.weights import DocumentFrequencies
from scenthound.text.words import words
from scenthound.topics.model import TopicVectors

TERMS = 40
"""Terms a topic is told by, as many as the crawlers on WordNet take."""
LONGEST_SHOWN = 60
"""Characters of a keyword or term that are worth a reader's time."""


@dataclass(frozen=True, slots=True)
class KeywordReading:
    """A keyword as WordNet reads it.

    Parameters
    ----------
    keyword : as it was given. One without a term says nothing.
    is_noun : is it a noun of WordNet as a whole, in any inflection?
    nouns : its words and phrases that are.
    others : its words that are not; they are compared as written.
    """

    keyword: str
    is_noun: bool
    nouns: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def is_phrase(self) -> bool:
        """Has it several words?"""
        return len(words(self.keyword)) > 1


def topic_terms(briefing: Briefing, analyzer: Analyzer, most: int = TERMS) -> dict[str, float]:
    """The ``most`` heaviest terms of keywords and example pages, heaviest first."""
    frequencies = DocumentFrequencies(analyzer.vocabulary)
    vector = TopicVectors(briefing, analyzer, frequencies, most).vector
    return dict(sorted(vector.items(), key=lambda item: (-item[1], item[0])))


def senses_of(term: str, analyzer: Analyzer) -> int:
    """Number of noun senses; 0 for an unknown word, and where WordNet is not used."""
    return 0 if analyzer.wordnet is None else len(analyzer.wordnet.nouns.concepts(term))


def unknown_terms(terms: Iterable[str], analyzer: Analyzer) -> tuple[str, ...]:
    """Those that WordNet does not know as nouns."""
    return tuple(term for term in terms if not senses_of(term, analyzer))


def read_keyword(keyword: str, analyzer: Analyzer) -> KeywordReading:
    """What WordNet knows of a keyword; a keyword of stop words has neither nouns nor others."""
    single = [term for word in words(keyword) for term in analyzer.count(word)]
    terms = list(dict.fromkeys([*single, *analyzer.count(keyword)]))
    nouns = tuple(term for term in terms if senses_of(term, analyzer))
    others = tuple(term for term in terms if " " not in term and term not in nouns)
    size = len(words(keyword))
    return KeywordReading(keyword, any(len(n.split()) == size for n in nouns), nouns, others)


def nouns_among(terms: Iterable[str], analyzer: Analyzer) -> int:
    """How many of the terms WordNet knows as nouns."""
    return sum(1 for term in terms if senses_of(term, analyzer))


def nothing_known(terms: Iterable[str], analyzer: Analyzer) -> bool:
    """Is there no term that WordNet knows?"""
    return nouns_among(terms, analyzer) == 0


def known_share(weights: Mapping[str, float], analyzer: Analyzer) -> float:
    """Share of the weight that lies on terms WordNet knows as nouns; 0 for no weight at all."""
    unknown = sum(weights[term] for term in unknown_terms(weights, analyzer))
    known = sum(weight for term, weight in weights.items() if senses_of(term, analyzer))
    return known / (known + unknown) if known else 0.0


def shown(text: str) -> str:
    """A keyword or term as a reader sees it: one of 12,000 characters is cut."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
