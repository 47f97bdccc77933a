"""Vectors of terms in the company they stand in (bsvsm-ha section III.A, Eq. 1-2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from scenthound.semantics.isolated import IsolatedWords
from scenthound.semantics.vector_similarity import Table, clipped_cosines, same_words
from scenthound.text.occurrences import Occurrences
from scenthound.text.vocabulary import Vocabulary
from scenthound.vectors.cached import CachedWords, remembered
from scenthound.vectors.lengths import unit_rows
from scenthound.vectors.protocols import VectorCache, Vectors, WordEncoder

Found = dict[str, Vectors]
"""Term -> its vector."""
_ALONE = 20_000
"""Terms read alone whose vectors are kept."""


def term_means(text: Occurrences, words: Vectors) -> Vectors:
    """The mean vector of each term over all its places, in order of the terms' numbers.

    The vector of a place is the mean of its words': a phrase has several.

    Parameters
    ----------
    text : where which term stands.
    words : a vector for each word of the text.
    """
    terms, rows, counts = np.unique(text.terms, return_inverse=True, return_counts=True)
    sums = np.zeros((len(terms), words.shape[1]), np.float32)
    for shift in range(int(text.lengths.max(initial=0))):
        reaches = text.lengths > shift
        own = words[text.starts[reaches] + shift] / text.lengths[reaches, None]
        np.add.at(sums, rows[reaches], own)
    means: Vectors = (sums / counts[:, None]).astype(np.float32)
    return means


class InContext:
    """Similarity of terms as one page means them to terms as the topic means them.

    The topic's vectors are taken from its example pages and keywords, those of a page from
    that page: the mean over the places where the term stands. So equal words may be less than 1
    similar. A term that does not stand in what was read (the text of a picture, the end of an
    endless page) is read alone; one that the model has no vector of is similar to itself.

    Parameters
    ----------
    encoder : reads words.
    vocabulary : of the terms.
    most : words read of a text; terms of the rest of a longer one are read alone.
    cache : keeps what was read; a page that another run has read is not read again.
    """

    def __init__(
        self, encoder: WordEncoder, vocabulary: Vocabulary, most: int, cache: VectorCache
    ) -> None:
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._most = most
        self._cache = cache
        self._topic: Found = {}
        self._page: Found = {}
        self._isolated = IsolatedWords(CachedWords(encoder, cache))
        self._alone: Found = {}

    def read_topic(self, texts: Sequence[Occurrences]) -> None:
        """From now on the topic means by its terms what these texts do, over all their places."""
        sums: Found = {}
        for text, found in zip(texts, self._read(texts), strict=True):
            numbers, counts = np.unique(text.within(self._most).terms, return_counts=True)
            names = self._vocabulary.terms(numbers.tolist())
            for term, count in zip(names, counts.tolist(), strict=True):
                sums[term] = sums.get(term, 0.0) + count * found[term]
        self._topic = _units(sums)

    def read_page(self, text: Occurrences) -> None:
        """The page whose terms are compared, until the next one is read."""
        self._page = _units(self._read([text])[0])

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

    def _rows(self, found: Found, terms: Sequence[str]) -> Vectors:
        unread = [term for term in dict.fromkeys(terms) if term not in found]
        self._read_alone(unread)
        rows = [found[term] if term in found else self._alone[term] for term in terms]
        return np.array(rows, np.float32).reshape(len(terms), self._encoder.dimensions)

    def _read_alone(self, terms: Sequence[str]) -> None:
        """See to it that these terms are among those read alone."""
        if len(self._alone) + len(terms) > _ALONE:
            self._alone = {}
        new = [term for term in terms if term not in self._alone]
        if new:
            vectors = unit_rows(self._isolated.look_up(new))
            self._alone |= dict(zip(new, vectors, strict=True))

    def _read(self, texts: Sequence[Occurrences]) -> list[Found]:
        """Term by term; the cache has them in the order of the alphabet, the same in all runs."""
        cut = [text.within(self._most) for text in texts]
        terms = [sorted(self._terms(text)) for text in cut]
        keys = [_key(text, names) for text, names in zip(cut, terms, strict=True)]
        sizes = {key: len(names) for key, names in zip(keys, terms, strict=True)}
        tables = remembered(
            self._cache, f"{self._encoder.name}, terms of texts", dict(zip(keys, cut, strict=True)),
            lambda key: (sizes[key], self._encoder.dimensions), self._means,
        )  # fmt: skip
        return [
            dict(zip(names, tables[key].astype(np.float32), strict=True))
            for key, names in zip(keys, terms, strict=True)
        ]

    def _means(self, texts: Sequence[Occurrences]) -> list[Vectors]:
        encoded = self._encoder.encode_words([text.words for text in texts])
        return [self._by_name(text, words) for text, words in zip(texts, encoded, strict=True)]

    def _by_name(self, text: Occurrences, words: Vectors) -> Vectors:
        names = self._terms(text)
        order = sorted(range(len(names)), key=names.__getitem__)
        return term_means(text, words)[order]

    def _terms(self, text: Occurrences) -> list[str]:
        return self._vocabulary.terms(np.unique(text.terms).tolist())


def _key(text: Occurrences, terms: Sequence[str]) -> bytes:
    """What was read, and which terms were found in it: a topic's keywords may be phrases."""
    whole = "\n".join((*text.words, "", *terms))
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _units(found: Found) -> Found:
    """Vectors of length 1; those of no length are left out."""
    if not found:
        return {}
    rows = unit_rows(np.stack([*found.values()]).astype(np.float32))
    return {term: row for term, row in zip(found, rows, strict=True) if row.any()}
