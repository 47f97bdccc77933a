"""Similarity of words by their vectors: the same on every page, or in the context of the page
(bsvsm-ha section III.A).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Document, TopicProfile
from scenthound.similarity.encoders import (
    CachedWords,
    VectorCache,
    Vectors,
    WordEncoder,
    WordVectors,
    cached_vectors,
    content_key,
)
from scenthound.text.analyzer import Analyzer, Occurrences
from scenthound.text.terms import unit_rows


class IsolatedWords:
    """A word read alone, as if it were a whole text; a phrase is the mean of its words.

    Cheap beside reading pages, since every word is read once, and the fast form of SVSM can be
    used; but "bank" has one meaning, whatever stands around it.
    """

    def __init__(self, encoder: WordEncoder) -> None:
        self._encoder = encoder
        self.dimensions = encoder.dimensions

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word or phrase; zeros for one that the model has no piece of."""
        found = self._encoder.encode_words([word.split() for word in words])
        vectors = np.zeros((len(words), self.dimensions), np.float32)
        for row, of_word in zip(vectors, found, strict=True):
            if len(of_word):
                row[:] = of_word.mean(axis=0)
        return vectors


# How similar are two words by their vectors? (bsvsm-ha Eq. 2)

Table = npt.NDArray[np.float32]
"""A row for each term of a text, a column for each term of the topic."""
_CACHED_TERMS = 100_000
"""Terms whose vectors are held in memory; in 384 dimensions, some 77 MB."""


class TermSimilarities(Protocol):
    """How similar are the terms of a text to those of the topic?"""

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """In [0, 1], a row for each term and a column for each topic term."""

    def among(self, topic_terms: Sequence[str]) -> Table:
        """In [0, 1], of the topic's terms to one another; 1 on the diagonal."""


def clipped_cosines(rows: Vectors, columns: Vectors) -> Table:
    """Cosine of each of ``rows`` with each of ``columns`` (bsvsm-ha Eq. 2), 0 where negative.

    SVSM squares similarities: -0.9 would count as 0.9. Both hold vectors of length 1 or 0.
    """
    cosines: Table = np.clip(rows @ columns.T, 0.0, 1.0)
    return cosines


def same_words(table: Table, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
    """``table`` with 1 where both words are the same: known or not, they are alike."""
    column_of = {term: column for column, term in enumerate(topic_terms)}
    for row, term in enumerate(terms):
        if term in column_of:
            table[row, column_of[term]] = 1.0
    return table


class VectorSimilarity:
    """Clipped cosines of vectors that do not depend on the context of a word.

    Words without a vector are similar to themselves alone.
    """

    def __init__(self, words: WordVectors) -> None:
        self._words = words
        self._units: dict[str, npt.NDArray[np.float16]] = {}

    def read(self, page: Document) -> bool:
        """A page makes no difference to its words."""
        return False

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """Of each term to each topic term."""
        table = clipped_cosines(self._of(terms), self._of(topic_terms))
        return same_words(table, terms, topic_terms)

    def among(self, topic_terms: Sequence[str]) -> Table:
        """Of the topic's terms to one another."""
        return self.similarities(topic_terms, topic_terms)

    def _of(self, terms: Sequence[str]) -> Vectors:
        new = [term for term in dict.fromkeys(terms) if term not in self._units]
        if len(self._units) + len(new) > _CACHED_TERMS:
            self._units, new = {}, list(dict.fromkeys(terms))
        if new:
            rows = unit_rows(self._words.look_up(new)).astype(np.float16)
            self._units |= dict(zip(new, rows, strict=True))
        found = [self._units[term] for term in terms]
        return np.array(found, np.float32).reshape(len(terms), self._words.dimensions)


# Vectors of terms in context (bsvsm-ha section III.A, Eq. 1-2).

TermVectorsByName = dict[str, Vectors]
"""Term -> its vector."""
_MAX_ISOLATED = 20_000
"""Terms read alone whose vectors are kept."""
MAX_WORDS = 5_000
"""Words of a page that are read in context; those of the rest of a longer page are read alone."""


def term_means(text: Occurrences, words: Vectors) -> Vectors:
    """The mean vector of each term over all its places, in order of the terms' numbers.

    The vector of a place is the mean of its words': a phrase has several.
    """
    terms, rows, counts = np.unique(text.terms, return_inverse=True, return_counts=True)
    sums = np.zeros((len(terms), words.shape[1]), np.float32)
    for shift in range(int(text.lengths.max(initial=0))):
        reaches = text.lengths > shift
        own = words[text.starts[reaches] + shift] / text.lengths[reaches, None]
        np.add.at(sums, rows[reaches], own)
    means: Vectors = (sums / counts[:, None]).astype(np.float32)
    return means


class ContextualSimilarity:
    """Similarity of terms as one page means them to terms as the topic means them (bsvsm-ha Eq. 1).

    The topic's vectors are taken from its example pages and keywords, those of a page from
    that page: the mean over the places where the term stands. So equal words may be less than 1
    similar. All texts of a link stand on the page that holds it, so its words are read there. A
    term that does not stand in what was read (the text of a picture, the end of an endless page)
    is read alone; one that the model has no vector of is similar to itself.

    Parameters
    ----------
    most : words read of a text; terms of the rest of a longer one are read alone.
    cache : stores what was read; a page that another run has read is not read again.
    """

    def __init__(
        self, encoder: WordEncoder, profile: TopicProfile, analyzer: Analyzer,
        most: int = MAX_WORDS, cache: VectorCache | None = None,
    ) -> None:  # fmt: skip
        self._encoder, self._analyzer = encoder, analyzer
        self._most = most
        self._cache = cache
        self._read_last: Document | None = None
        self._page: TermVectorsByName = {}
        self._isolated = IsolatedWords(CachedWords(encoder, cache))
        self._alone: TermVectorsByName = {}
        pages = [analyzer.reader(page).occurrences(page.full) for page in profile.examples]
        # Each keyword is a text of its own.
        self._topic = self._means_of([*pages, *map(analyzer.occurrences, profile.keywords)])

    def _means_of(self, texts: Sequence[Occurrences]) -> TermVectorsByName:
        """What the topic means by its terms: what these texts do, over all their places."""
        sums: TermVectorsByName = {}
        for text, found in zip(texts, self._read(texts), strict=True):
            numbers, counts = np.unique(text.within(self._most).terms, return_counts=True)
            names = self._analyzer.vocabulary.terms(numbers.tolist())
            for term, count in zip(names, counts.tolist(), strict=True):
                sums[term] = sums.get(term, 0.0) + count * found[term]
        return _units(sums)

    def read(self, page: Document) -> bool:
        """Terms are those of this page from now on; False where it was the one read last."""
        if page is self._read_last:
            return False
        text = self._analyzer.reader(page).occurrences(page.full)
        self._page, self._read_last = _units(self._read([text])[0]), page
        return True

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """Of terms of the page to terms of the topic."""
        rows, columns = self._rows(self._page, terms), self._rows(self._topic, topic_terms)
        table = clipped_cosines(rows, columns)
        unknown = {term for term, row in zip(terms, rows, strict=True) if not row.any()}
        return same_words(table, terms, [term if term in unknown else "" for term in topic_terms])

    def among(self, topic_terms: Sequence[str]) -> Table:
        """Of the topic's terms to one another."""
        rows = self._rows(self._topic, topic_terms)
        return same_words(clipped_cosines(rows, rows), topic_terms, topic_terms)

    def _rows(self, found: TermVectorsByName, terms: Sequence[str]) -> Vectors:
        unread = [term for term in dict.fromkeys(terms) if term not in found]
        if len(self._alone) + len(unread) > _MAX_ISOLATED:
            self._alone = {}
        new = [term for term in unread if term not in self._alone]
        if new:
            vectors = unit_rows(self._isolated.look_up(new))
            self._alone |= dict(zip(new, vectors, strict=True))
        rows = [found[term] if term in found else self._alone[term] for term in terms]
        return np.array(rows, np.float32).reshape(len(terms), self._encoder.dimensions)

    def _read(self, texts: Sequence[Occurrences]) -> list[TermVectorsByName]:
        """Term by term; the cache has them in the order of the alphabet, the same in all runs."""
        cut = [text.within(self._most) for text in texts]
        terms = [sorted(self._terms(text)) for text in cut]
        # A key holds the text and the terms found in it: the keywords of a topic may be phrases.
        keys = [
            content_key("\n".join((*text.words, "", *names)))
            for text, names in zip(cut, terms, strict=True)
        ]
        sizes = {key: len(names) for key, names in zip(keys, terms, strict=True)}
        tables = cached_vectors(
            self._cache, f"{self._encoder.name}, terms of texts", dict(zip(keys, cut, strict=True)),
            lambda key: (sizes[key], self._encoder.dimensions), self._means,
        )  # fmt: skip
        return [
            dict(zip(names, tables[key].astype(np.float32), strict=True))
            for key, names in zip(keys, terms, strict=True)
        ]

    def _means(self, texts: Sequence[Occurrences]) -> list[Vectors]:
        encoded = self._encoder.encode_words([text.words for text in texts])
        tables = []
        for text, words in zip(texts, encoded, strict=True):
            names = self._terms(text)
            order = sorted(range(len(names)), key=names.__getitem__)
            tables.append(term_means(text, words)[order])
        return tables

    def _terms(self, text: Occurrences) -> list[str]:
        return self._analyzer.vocabulary.terms(np.unique(text.terms).tolist())


def _units(found: TermVectorsByName) -> TermVectorsByName:
    """Vectors of length 1; those of no length are left out."""
    if not found:
        return {}
    rows = unit_rows(np.stack([*found.values()]).astype(np.float32))
    return {term: row for term, row in zip(found, rows, strict=True) if row.any()}


WordSimilarity = VectorSimilarity | ContextualSimilarity
"""A word means the same everywhere, or what the page makes of it."""
