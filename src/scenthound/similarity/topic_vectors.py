"""A topic as weighted terms that follow the document frequencies of the crawl, and what WordNet
knows of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.model import TopicProfile
from scenthound.core.protocols import State
from scenthound.text.analyzer import Analyzer
from scenthound.text.vocabulary import Bag, Numbers, Vocabulary, Weights
from scenthound.text.weights import DocumentFrequencies, strongest, unit
from scenthound.text.words import words

TOPIC_TERMS = 200

MERGED, PAGES = "merged", "pages"

REFRESH_GROWTH = 10
"""The topic is worked out again when the collection has grown by one in so many documents."""

_SEPARATOR = " 0 "
"""A number is no term, and no phrase holds this one; signs would not be seen at all."""


def keyword_text(keywords: Sequence[str]) -> str:
    """The keywords as one text, set apart so that no phrase runs from one into the next."""
    return _SEPARATOR.join(keywords)


def merged_vector(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """Sum of the unit TF-IDF vectors of the texts: its ``most`` heaviest terms and weights."""
    units = [unit(bag.counts * frequencies.idf(bag.ids)) for bag in bags]
    ids, rows = np.unique(_joined([bag.ids for bag in bags], np.int32), return_inverse=True)
    sums = np.bincount(rows, weights=_joined(units, np.float64), minlength=len(ids))
    total = sums.astype(np.float64)
    kept = strongest(ids, total, most, vocabulary)
    return ids[kept], total[kept]


def page_vectors(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """The terms of all texts, and for each text a column with its own heaviest ``most``."""
    single = [merged_vector([bag], frequencies, most, vocabulary) for bag in bags if len(bag)]
    ids = np.unique(_joined([own for own, _ in single], np.int32))
    weights = np.zeros((len(ids), max(1, len(single))))
    for column, (own, heaviest) in enumerate(single):
        weights[np.searchsorted(ids, own), column] = heaviest
    return ids, weights


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate([*parts, np.empty(0, dtype)])


class TopicVectors:
    """The topic as one vector or as one for each page, over the terms that matter most.

    Parameters
    ----------
    profile : the topic's words and example texts.
    analyzer : counts terms; shared with the readers of pages.
    frequencies : the running collection. The example pages are added to it here.
    most : how many terms are kept, of the whole or of each page.
    by : "merged": keywords and example pages make one vector; "pages": each is one of its
        own, and a text is as similar as it is to the nearest (printed by svsm-mcoa for its
        judge; for the texts of links it is ours).
    growth : the topic is worked out anew when the collection has grown by one in so many.
    """

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        frequencies: DocumentFrequencies,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        growth: int = REFRESH_GROWTH,
    ) -> None:
        if by not in (MERGED, PAGES):
            raise SettingsError(f"a topic is taken as {MERGED!r} or by {PAGES!r}, not {by!r}.")
        if most < 1:
            raise SettingsError(f"a topic of {most} terms is none; give 1 or more.")
        self.examples = [analyzer.page_bag(example) for example in profile.examples]
        """The terms of the example pages."""
        self._bags = [analyzer.bag(keyword_text(profile.keywords)), *self.examples]
        self._vocabulary = analyzer.vocabulary
        self._frequencies = frequencies
        self._most, self._by, self._growth = most, by, growth
        self._fresh_until = 0
        for bag in self.examples:
            frequencies.add(bag)
        self.refresh()

    @property
    def vector(self) -> dict[str, float]:
        """The topic now, by term: the heaviest weight over the columns."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return dict(zip(terms, self.weights.max(axis=1).tolist(), strict=True))

    def refresh(self, anew: bool = False) -> bool:
        """Follow the document frequencies, where they have changed enough to matter, or ``anew``.

        Returns True if the topic was worked out anew.
        """
        documents = self._frequencies.documents
        if documents < self._fresh_until and not anew:
            return False
        arguments = (self._bags, self._frequencies, self._most, self._vocabulary)
        if self._by == PAGES:
            self.ids, self.weights = page_vectors(*arguments)
        else:
            self.ids, weights = merged_vector(*arguments)
            self.weights = weights[:, None]
        self._fresh_until = documents + max(1, -(-documents // self._growth))
        return True

    def state(self) -> State:
        """The topic as it stands: it may be older than the frequencies, up to the growth."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return {"terms": [*terms], "weights": self.weights, "fresh_until": self._fresh_until}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        terms, weights, fresh_until = state["terms"], state["weights"], state["fresh_until"]
        assert isinstance(terms, list) and isinstance(fresh_until, int)
        assert isinstance(weights, np.ndarray)
        self.ids = np.array([self._vocabulary.number(str(term)) for term in terms], np.int32)
        self.weights = weights.astype(np.float64)
        self._fresh_until = fresh_until


# What WordNet knows of a topic; the other terms are compared as they are written.


TERMS = 40
"""Terms that describe a topic, as many as the crawlers on WordNet take."""

MAX_SHOWN = 60
"""Characters of a keyword or term that are worth a reader's time."""


@dataclass(frozen=True, slots=True)
class KeywordSenses:
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


def topic_terms(profile: TopicProfile, analyzer: Analyzer, most: int = TERMS) -> dict[str, float]:
    """The ``most`` heaviest terms of keywords and example pages, heaviest first."""
    frequencies = DocumentFrequencies(analyzer.vocabulary)
    vector = TopicVectors(profile, analyzer, frequencies, most).vector
    return dict(sorted(vector.items(), key=lambda item: (-item[1], item[0])))


def senses_of(term: str, analyzer: Analyzer) -> int:
    """Number of noun senses; 0 for an unknown word, and where WordNet is not used."""
    return 0 if analyzer.wordnet is None else len(analyzer.wordnet.nouns.concepts(term))


def unknown_terms(terms: Iterable[str], analyzer: Analyzer) -> tuple[str, ...]:
    """Those that WordNet does not know as nouns."""
    return tuple(term for term in terms if not senses_of(term, analyzer))


def read_keyword(keyword: str, analyzer: Analyzer) -> KeywordSenses:
    """What WordNet knows of a keyword; a keyword of stop words has neither nouns nor others."""
    single = [term for word in words(keyword) for term in analyzer.count(word)]
    terms = list(dict.fromkeys([*single, *analyzer.count(keyword)]))
    nouns = tuple(term for term in terms if senses_of(term, analyzer))
    others = tuple(term for term in terms if " " not in term and term not in nouns)
    size = len(words(keyword))
    return KeywordSenses(keyword, any(len(n.split()) == size for n in nouns), nouns, others)


def nouns_among(terms: Iterable[str], analyzer: Analyzer) -> int:
    """How many of the terms WordNet knows as nouns."""
    return sum(1 for term in terms if senses_of(term, analyzer))


def knows_no_term(terms: Iterable[str], analyzer: Analyzer) -> bool:
    """Is there no term that WordNet knows?"""
    return nouns_among(terms, analyzer) == 0


def known_share(weights: Mapping[str, float], analyzer: Analyzer) -> float:
    """Share of the weight that lies on terms WordNet knows as nouns; 0 for no weight at all."""
    known = sum(weight for term, weight in weights.items() if senses_of(term, analyzer))
    return known / sum(weights.values()) if known else 0.0


def shortened(text: str) -> str:
    """A keyword or term as a reader sees it: one of 12,000 characters is cut."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."
