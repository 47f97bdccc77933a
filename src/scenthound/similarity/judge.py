"""The judge: how similar is a page to the topic, apart from the model that steers the crawl?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.core.model import Document, TopicProfile
from scenthound.similarity.text_models import keyword_text
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bag, Column, DocumentFrequencies, Numbers, Weights, unit

# The threshold of relevance, learned from the example pages where a paper prints no value.

PERCENTILE = 5.0
DEFAULT_THRESHOLD = 0.1


def leave_one_out(vectors: Weights) -> list[float]:
    """For each unit vector (a column) its highest cosine with one of the others.

    Empty for fewer than two.
    """
    if vectors.shape[1] < 2:
        return []
    cosines = np.clip(vectors.T @ vectors, 0.0, 1.0)
    np.fill_diagonal(cosines, -np.inf)
    return [float(highest) for highest in cosines.max(axis=0)]


def calibrated_threshold(similarities: Sequence[float]) -> float | None:
    """The 5th percentile of the example pages' own similarities; None where there are none."""
    return float(np.percentile(similarities, PERCENTILE)) if similarities else None


# The judge by VSM.
#
# The papers judge by VSM, the maximum over the example pages (svsm-mcoa section 4.1.3, sdvsm Eq.
# 22). They leave the collection behind the IDF unsaid. Ours is the example pages alone, so that a
# page gets the same similarity whenever and by whichever crawler it is fetched.

_ROUNDING = 1e-9
"""Without it a copy of an example page may fall below a threshold that another copy set."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which similarity on a page counts as relevant, and where that value comes from."""

    value: float
    origin: str


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one term adds to a similarity: the product of its weight in both texts.

    ``count`` is how often the page has it; both weights are those of vectors of length 1.
    """

    term: str
    count: int
    on_page: float
    in_example: float

    @property
    def contribution(self) -> float:
        """Its part of the similarity."""
        return self.on_page * self.in_example


@dataclass(frozen=True, slots=True)
class Judgement:
    """A similarity taken apart.

    ``terms`` are those that page and example share, the largest share first; their contributions
    add up to the similarity. ``nearest`` is the place of the nearest example among those of the
    profile; None where the keywords stand for them.
    """

    similarity: float
    nearest: int | None
    terms: tuple[TermShare, ...] = ()


def calibrate(
    own: Sequence[float], given: float | None, default: float, *, alike: str, how: str = ""
) -> Threshold:
    """The threshold that was given, or the one that the example pages set.

    Parameters
    ----------
    own : similarity of each example page; fewer than two give the default.
    alike : why the threshold would be 0, so that the default is taken.
    how : what is added to the origin of a calibrated one.
    """
    if given is not None:
        return Threshold(given, "given")
    found = calibrated_threshold(own)
    if found is None or len(own) < 2:
        return Threshold(default, "default: fewer than two example pages")
    if found == 0.0:  # every page would be relevant
        return Threshold(default, f"default: {alike}")
    origin = f"{PERCENTILE:g}th percentile of {len(own)} example pages{how}"
    return Threshold(found - _ROUNDING, origin)


class SimilarityJudge:
    """VSM similarity to the nearest example page (to the keywords, where there is none).

    ``threshold``: from where on a page is relevant; None to calibrate it from the examples.
    """

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, threshold: float | None = None
    ) -> None:
        self._analyzer = analyzer
        frequencies = DocumentFrequencies(analyzer.vocabulary)
        read = enumerate(analyzer.page_bag(e) for e in profile.examples)
        examples = [(place, bag) for place, bag in read if len(bag)]
        self._places = [place for place, _ in examples]
        bags = [bag for _, bag in examples] or [analyzer.bag(keyword_text(profile.keywords))]
        for bag in bags:
            frequencies.add(bag)
        self._idf = frequencies.idf
        self._row, vectors = _columns(bags, frequencies)
        self._vectors = np.vstack([vectors, np.zeros((1, len(bags)))])  # row -1: other terms
        self.calibration = calibrate(
            leave_one_out(vectors), threshold, DEFAULT_THRESHOLD,
            alike="the example pages have no word in common", how=", each left out in turn",
        )  # fmt: skip
        self.threshold = self.calibration.value

    def similarity(self, document: Document) -> float:
        """Highest cosine with an example page; 0 for a document without terms."""
        bag = self._analyzer.page_bag(document)
        if not len(bag):
            return 0.0
        weights = bag.counts * self._idf(bag.ids)
        products = weights @ self._vectors[self._rows(bag)]
        return min(1.0, float(products.max() / np.linalg.norm(weights)))

    def judgement(self, document: Document) -> Judgement:
        """The same similarity with the terms that make it up; none for a document without terms."""
        bag = self._analyzer.page_bag(document)
        if not len(bag):
            return Judgement(0.0, None)
        weights = unit(bag.counts * self._idf(bag.ids))
        vectors = self._vectors[self._rows(bag)]
        nearest = int((weights @ vectors).argmax())
        shared = np.flatnonzero(vectors[:, nearest])
        shares = [
            TermShare(term, count, on_page, in_example)
            for term, count, on_page, in_example in zip(
                self._analyzer.vocabulary.terms(bag.ids[shared].tolist()),
                bag.counts[shared].tolist(),
                weights[shared].tolist(),
                vectors[shared, nearest].tolist(),
                strict=True,
            )
        ]
        shares.sort(key=lambda share: (-share.contribution, share.term))
        place = self._places[nearest] if self._places else None
        return Judgement(self.similarity(document), place, tuple(shares))

    def language(self, document: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing says so."""
        return self._analyzer.language_of(document)

    def _rows(self, bag: Bag) -> Numbers:
        """The row of each term of a text; -1 for one that no example has."""
        rows: Numbers = self._row.upto(len(self._analyzer.vocabulary))[bag.ids]
        return rows


def _columns(bags: Sequence[Bag], frequencies: DocumentFrequencies) -> tuple[Column, Weights]:
    """The unit TF-IDF vectors of the texts as columns, and the row of each term.

    The row of a term that no text has is -1.
    """
    ids = np.unique(np.concatenate([bag.ids for bag in bags]))
    row = Column(np.int32, -1)
    row.upto(int(ids.max(initial=0)) + 1)[ids] = np.arange(len(ids))
    vectors = np.zeros((len(ids), len(bags)))
    for column, bag in enumerate(bags):
        places = np.searchsorted(ids, bag.ids)
        vectors[places, column] = unit(bag.counts * frequencies.idf(bag.ids))
    return row, vectors
