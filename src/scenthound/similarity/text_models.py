"""Similarity of a text to the topic: the topic as vectors, what all text models share, then VSM,
SVSM, SSRM and soft SVSM. A model is a **form** (the formula: cosine, SSRM, SVSM, ...) over weights
that follow the crawl: TF-IDF over the example pages and the pages fetched so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.core.parameters import check_at_least
from scenthound.core.protocols import State, TermCounts
from scenthound.similarity.training import WordSource
from scenthound.similarity.vector_similarity import WordSimilarity
from scenthound.similarity.word_similarity import SimilarityTable, VectorSimilarityTable
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import (
    Bag,
    Bags,
    Column,
    DocumentFrequencies,
    Numbers,
    Vocabulary,
    Weights,
    strongest,
    unit,
)

# The topic as vectors: keywords and example pages by the weight of their terms.

TOPIC_TERMS = 200
TERMS = 40
"""Terms that describe a topic, as many as the crawlers on WordNet take."""
MERGED, PAGES = "merged", "pages"
REFRESH_GROWTH = 10
"""The topic is worked out again when the collection has grown by one in so many documents."""
_NO_IDS: Numbers = np.empty(0, np.int32)
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
    ids, rows = np.unique(
        np.concatenate([_NO_IDS, *(bag.ids for bag in bags)]), return_inverse=True
    )
    weights = np.concatenate([np.empty(0), *units])
    total = np.bincount(rows, weights=weights, minlength=len(ids)).astype(np.float64)
    kept = strongest(ids, total, most, vocabulary)
    return ids[kept], total[kept]


def page_vectors(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """The terms of all texts, and for each text a column with its own heaviest ``most``."""
    single = [merged_vector([bag], frequencies, most, vocabulary) for bag in bags if len(bag)]
    ids = np.unique(np.concatenate([_NO_IDS, *(own for own, _ in single)]))
    weights = np.zeros((len(ids), max(1, len(single))))
    for column, (own, heaviest) in enumerate(single):
        weights[np.searchsorted(ids, own), column] = heaviest
    return ids, weights


class TopicVectors:
    """The topic as one vector or as one for each page, over the terms that matter most.

    Parameters
    ----------
    frequencies : the running collection. The example pages are added to it here.
    by : "merged": keywords and example pages make one vector; "pages": each is one of its
        own, and a text is as similar as it is to the nearest (printed by svsm-mcoa for its
        judge; for the texts of links it is ours).
    growth : the topic is computed again when the collection has grown by one in so many.
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
        check_at_least(1, terms=most)
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

    def refresh(self, force: bool = False) -> bool:
        """Follow the document frequencies, where they have changed enough, or with ``force``.

        Returns True if the topic was computed again.
        """
        documents = self._frequencies.documents
        if documents < self._fresh_until and not force:
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
        """Restore what :meth:`state` returned."""
        self.ids = np.array(self._vocabulary.numbers(state["terms"]), np.int32)
        self.weights = state["weights"].astype(np.float64)
        self._fresh_until = state["fresh_until"]


# Models.


class Form(Protocol):
    """A formula for the similarity of a text and a topic.

    Everything that depends on the topic alone is worked out once, as a few numbers for
    each term, so that a text costs a few sums over its terms.
    """

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic is now these terms; ``weights`` has one column, or one for each page."""

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """In [0, 1] for each text, the highest over the columns; 0 for an empty text.

        ``weights`` are those of the entries of ``bags``, up to a factor for each text.
        """


class CountedPages:
    """Document frequencies of the pages of a crawl, which workers count together.

    ``examples`` are the texts that every worker has counted before the first page.
    """

    def __init__(self, frequencies: DocumentFrequencies, examples: Sequence[Bag] = ()) -> None:
        self._frequencies, self._examples = frequencies, examples

    def share(self) -> None:
        """Keep apart from now on the pages that are counted here, for other workers."""
        self._frequencies.share()

    def local_counts(self) -> TermCounts:
        """Return the pages that were counted here since the last call."""
        return self._frequencies.local_counts()

    def add_counts(self, tally: TermCounts) -> None:
        """Add pages that others have counted."""
        self._frequencies.add_counts(tally)
        self._refresh()

    def total_counts(self) -> TermCounts:
        """Return all pages that were counted but the examples and what is kept apart here."""
        return self._frequencies.total_counts(self._examples)

    def replace_counts(self, tally: TermCounts) -> None:
        """Count the examples, what all have counted, and what is kept apart here."""
        self._frequencies.replace_counts(self._examples, tally)
        self._refresh(force=True)

    def _refresh(self, force: bool = False) -> None:
        """Follow the document frequencies, where they have changed enough, or with ``force``."""


class TopicModel(CountedPages):
    """Similarity of texts to a topic by one form; for the parameters see :class:`TopicVectors`."""

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        form: Form,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        growth: int = REFRESH_GROWTH,
    ) -> None:
        self._analyzer = analyzer
        self._form = form
        frequencies = DocumentFrequencies(analyzer.vocabulary)
        self.topic = TopicVectors(profile, analyzer, frequencies, most, by, growth)
        super().__init__(frequencies, self.topic.examples)
        self._is_stale = True

    @property
    def form(self) -> Form:
        """The formula, with the topic as it is now."""
        if self._is_stale:
            self._form.take(self.topic.ids, self.topic.weights)
            self._is_stale = False
        return self._form

    def learn(self, document: Document) -> None:
        """Add a fetched page to the collection that the weights are taken over."""
        self._frequencies.add(self._analyzer.page_bag(document))
        self._refresh()

    def _refresh(self, force: bool = False) -> None:
        self._is_stale |= self.topic.refresh(force)

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page, in [0, 1]; 0 for a text without terms."""
        similarities: list[float] = self.of_bags(self._analyzer.reader(page).bags(texts)).tolist()
        return similarities

    def of_bags(self, bags: Bags) -> Weights:
        """The same of texts whose terms are counted already."""
        return self.form.similarities(bags, self.weights(bags))

    def weights(self, bags: Bags) -> Weights:
        """TF-IDF of each entry, without the ``1 / f_max`` of sdvsm Eq. 9: it cancels."""
        return bags.counts * self._frequencies.idf(bags.ids)

    def state(self) -> State:
        """Document frequencies and topic."""
        return {"frequencies": self._frequencies.state(), "topic": self.topic.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._frequencies.restore(state["frequencies"])
        self.topic.restore(state["topic"])
        self._is_stale = True


def quotients(products: Weights, norms: Weights) -> Weights:
    """``products / norms``, at most 1; 0 where a norm is 0."""
    shares = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0.0)
    return np.minimum(shares, 1.0)


def nearest_column(columns: Iterable[Weights]) -> Weights:
    """The highest similarity of each text over the columns of the topic."""
    highest: Weights = np.maximum.reduce(list(columns))
    return highest


# Vector space model: the cosine of two TF-IDF vectors (sdvsm Eq. 17, svsm-mcoa section 2.1).
#
# sdvsm prints the norms over the common terms only; read literally, one shared term would always
# score 1. This is the true cosine, with the norms over all terms.


def cosines(bags: Bags, weights: Weights, topic: Weights, topic_norm: float) -> Weights:
    """Cosine of each text with the topic (sdvsm Eq. 17), in [0, 1]; 0 for an empty text.

    Parameters
    ----------
    weights : weight of each entry of ``bags``, up to a factor for each text.
    topic : weight in the topic of each entry's term, 0 for a term that is not in it.
    """
    return quotients(bags.sums(weights * topic), np.sqrt(bags.sums(weights**2)) * topic_norm)


class Cosine:
    """The form: one number a term, its weight in the topic."""

    def take(self, ids: Numbers, weights: Weights) -> None:
        """Lay the topic's weights out by the numbers of their terms."""
        self._columns = []
        for weight in weights.T:
            column = Column(np.float64)
            column.upto(int(ids.max(initial=0)) + 1)[ids] = weight
            self._columns.append((column, float(np.linalg.norm(weight))))

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest cosine over the columns of the topic."""
        size = int(bags.ids.max(initial=0)) + 1
        return nearest_column(
            cosines(bags, weights, column.upto(size)[bags.ids], norm)
            for column, norm in self._columns
        )


# Semantic vector space model, SVSM = SSVSM (sdvsm Eq. 19, svsm-mcoa Eq. 2-3).
#
# Text and topic are mapped to the space of all pairs (text term, topic term): ``DSV = (w_i
# s_ij)``, ``TSV = (t_j s_ij)``, and the similarity is the cosine of the two.
#
# Known flaw: numerator and both norms carry the same ``s``, so the score does not fall when every
# ``s`` is small. A text of one word is as similar as a synonym would be, however faint its
# relation to the topic.


def svsm(bags: Bags, weights: Weights, a: Weights, b: Weights, c: Weights) -> Weights:
    """Cosine of the semantic vectors of each text and of the topic (sdvsm Eq. 19).

    ``sum_ij w_i t_j s_ij^2 / (sqrt(sum_ij (w_i s_ij)^2) sqrt(sum_ij (t_j s_ij)^2))``, in
    the fast form ``w . a / (sqrt(w^2 . b) sqrt(sum_i c_i))`` with three numbers a term:
    ``a_i = sum_j t_j s_ij^2``, ``b_i = sum_j s_ij^2``, ``c_i = sum_j t_j^2 s_ij^2``. Terms
    without weight are not there: those of the text do not enter the sum of ``c``, and those of
    the topic do not enter ``b``, which matters where each page is a topic of its own.
    """
    norms = np.sqrt(bags.sums(weights**2 * b) * bags.sums(np.where(weights > 0.0, c, 0.0)))
    return quotients(bags.sums(weights * a), norms)


class TableForm:
    """What the forms over similarities of terms begin with."""

    def __init__(self, table: SimilarityTable) -> None:
        self._table = table


class Svsm(TableForm):
    """The form."""

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic is now this; a page has the terms with a weight in its column."""
        self._table.take(ids)
        self._weights = weights
        self._has = (weights > 0.0).astype(np.float64)

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        terms, places = np.unique(bags.ids, return_inverse=True)
        squares = self._table.rows(terms) ** 2
        a, b, c = (squares @ self._weights, squares @ self._has, squares @ self._weights**2)
        columns = zip(a.T, b.T, c.T, strict=True)
        return nearest_column(
            svsm(bags, weights, a[places], b[places], c[places]) for a, b, c in columns
        )


# Semantic similarity retrieval model (sdvsm Eq. 18).


def ssrm(bags: Bags, weights: Weights, similarity: Weights) -> Weights:
    """``sum_ij s_ij w_i t_j / sum_ij w_i t_j`` of each text (sdvsm Eq. 18); 0 if it is empty.

    Fast form: ``(w . e) / |w|_1`` with one number a term, ``e_i = sum_j s_ij t_j / |t|_1``.
    The weights must not be negative.
    """
    return quotients(bags.sums(weights * similarity), bags.sums(weights))


class Ssrm(TableForm):
    """The form. With a floor, faint similarities do not add up: ours, the paper has none."""

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic's weights as shares."""
        self._table.take(ids)
        sums = weights.sum(axis=0)
        self._shares = weights / np.where(sums > 0.0, sums, 1.0)

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        terms, places = np.unique(bags.ids, return_inverse=True)
        e = self._table.rows(terms) @ self._shares
        return nearest_column(ssrm(bags, weights, each[places]) for each in e.T)


# Soft SVSM, ours: the double-term numerator of SVSM over norms that similarity does not shrink.
#
# A faint relation then counts for little, whatever else the text has; see ``svsm`` for the flaw
# it mends.


class SoftSvsm(TableForm):
    """The form ``sum_ij w_i t_j s_ij^p / (|w| sqrt(sum_jk t_j t_k s_jk^p))``, at most 1.

    It is the cosine with one number a term, ``a_i = sum_j t_j s_ij^p``, over the soft length of
    the topic. The text is measured by its plain length, so that a text of k synonyms could reach
    ``sqrt(k)``: it is cut off at 1. Floor and exponent of the similarities are those of the table.
    """

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic's weights, and the soft length of each of its columns."""
        self._table.take(ids)
        self._weights = weights
        among = self._table.among()
        self._norms = np.sqrt(np.einsum("jp,jk,kp->p", weights, among, weights))

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest over the columns of the topic."""
        columns = zip(self._table.sums(bags.ids, self._weights).T, self._norms, strict=True)
        return nearest_column(cosines(bags, weights, a, norm) for a, norm in columns)


# Text models over vectors of words: SVSM and soft SVSM as on WordNet (bsvsm-ha III.A).

FormOf = Callable[[SimilarityTable], Form]
"""SVSM, soft SVSM, ...: made of the similarities of terms."""


class VectorModel(TopicModel):
    """Similarity of texts to a topic by one form, over words that a model understands.

    Parameters
    ----------
    profile, analyzer, most, by : see :class:`TopicVectors`.
    form : made of the similarities of terms, those below ``floor`` 0, the others to the ``power``.
    source : gives the model, which may change with the crawl.
    compare : makes similarities of terms of the model.
    """

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        form: FormOf,
        source: WordSource,
        compare: Callable[[Any], WordSimilarity],
        floor: float = 0.0,
        power: float = 1.0,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
    ) -> None:
        self._source, self._compare = source, compare
        self._words: WordSimilarity | None = None
        self._table = VectorSimilarityTable(self._newest, analyzer.vocabulary, floor, power)
        super().__init__(profile, analyzer, form(self._table), most, by)

    def learn(self, document: Document) -> None:
        """Count the page; where the words mean something else since, all is compared again."""
        super().learn(document)
        if self._source.learn(document):
            self._start_over()

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page, its words as the page means them."""
        if self._newest().read(page):
            self._table.forget()
        return super().similarities(texts, page)

    def state(self) -> State:
        """What was learned of weights and of words."""
        return {**super().state(), "words": self._source.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._source.restore(state["words"])
        super().restore(state)
        self._start_over()

    def _newest(self) -> WordSimilarity:
        """Made when first needed: a crawl that is resumed need not train what it restores."""
        if self._words is None:
            self._words = self._compare(self._source.newest())
        return self._words

    def _start_over(self) -> None:
        self._words = None
        self._table.forget()
        self._is_stale = True
