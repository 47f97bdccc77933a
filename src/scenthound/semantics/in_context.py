"""Vectors of terms in the company they stand in (bsvsm-ha section III.A, Eq. 1-2)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scenthound.semantics.vector_similarity import Table, clipped_cosines, same_words, unit_rows
from scenthound.text.occurrences import Occurrences
from scenthound.text.vocabulary import Vocabulary
from scenthound.vectors.protocols import VectorCache, Vectors, WordEncoder

Rounded = npt.NDArray[np.float16]
Found = dict[str, Vectors]
"""Term -> its vector."""


def term_sums(text: Occurrences, words: Vectors) -> tuple[list[int], Vectors]:
    """The terms of a text, and for each the sum of its vectors over all its places.

    The vector of a place is the mean of its words': a phrase has several. A sum points where
    the mean does, and only that is asked of it.

    Parameters
    ----------
    text : where which term stands.
    words : a vector for each word of the text.
    """
    terms, rows = np.unique(text.terms, return_inverse=True)
    sums = np.zeros((len(terms), words.shape[1]), np.float32)
    for shift in range(int(text.lengths.max(initial=0))):
        reaches = text.lengths > shift
        own = words[text.starts[reaches] + shift] / text.lengths[reaches, None]
        np.add.at(sums, rows[reaches], own)
    return terms.tolist(), sums


class InContext:
    """Similarity of terms as one page means them to terms as the topic means them.

    The topic's vectors are taken from its example pages and keywords, those of a page from
    that page: the mean over the places where the term stands. So equal words may be less than 1
    similar. A term that was not read, or has no vector, is similar to itself alone.

    Parameters
    ----------
    encoder : reads words.
    vocabulary : of the terms.
    most : words read of a page; the rest of a longer one is not looked at.
    cache : keeps what was read; a page that another run has read is not read again.
    """

    def __init__(
        self, encoder: WordEncoder, vocabulary: Vocabulary, most: int,
        cache: VectorCache | None = None,
    ) -> None:  # fmt: skip
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._most = most
        self._cache = cache
        self._topic: Found = {}
        self._page: Found = {}

    def read_topic(self, texts: Sequence[Occurrences]) -> None:
        """From now on the topic means by its terms what these texts do."""
        sums: Found = {}
        for found in self._read(texts):
            for term, vector in found.items():
                sums[term] = sums[term] + vector if term in sums else vector
        self._topic = _units(sums)

    def read_page(self, text: Occurrences) -> None:
        """The page whose terms are compared, until the next one is read."""
        self._page = _units(self._read([text])[0])

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """Of terms of the page to terms of the topic."""
        table = clipped_cosines(self._rows(self._page, terms), self._rows(self._topic, topic_terms))
        read = self._page.keys() & self._topic.keys()
        unread = ["" if term in read else term for term in topic_terms]
        return same_words(table, terms, unread)

    def among(self, topic_terms: Sequence[str]) -> Table:
        """Of the topic's terms to one another."""
        rows = self._rows(self._topic, topic_terms)
        return same_words(clipped_cosines(rows, rows), topic_terms, topic_terms)

    def _rows(self, found: Found, terms: Sequence[str]) -> Vectors:
        nothing = np.zeros(self._encoder.dimensions, np.float32)
        rows = [found.get(term, nothing) for term in terms]
        return np.array(rows, np.float32).reshape(len(terms), self._encoder.dimensions)

    def _read(self, texts: Sequence[Occurrences]) -> list[Found]:
        cut = [text.within(self._most) for text in texts]
        terms = [self._vocabulary.terms(np.unique(text.terms).tolist()) for text in cut]
        tables = self._known(cut, terms) if self._cache else list(map(_rounded, self._sums(cut)))
        return [
            dict(zip(names, table.astype(np.float32), strict=True))
            for names, table in zip(terms, tables, strict=True)
        ]

    def _known(self, texts: Sequence[Occurrences], terms: Sequence[Sequence[str]]) -> list[Rounded]:
        """The sums of texts, from the cache where it has them."""
        assert self._cache is not None
        keys = [_key(text, names) for text, names in zip(texts, terms, strict=True)]
        sizes = {key: len(names) for key, names in zip(keys, terms, strict=True)}
        found = {
            key: table
            for key, table in self._cache.find(self._name, keys).items()
            if table.shape == (sizes[key], self._encoder.dimensions)
        }
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            fresh = dict(zip(new, map(_rounded, self._sums([*new.values()])), strict=True))
            self._cache.keep(self._name, fresh)
            found |= fresh
        return [found[key] for key in keys]

    def _sums(self, texts: Sequence[Occurrences]) -> list[Vectors]:
        encoded = self._encoder.encode_words([text.words for text in texts])
        return [term_sums(text, words)[1] for text, words in zip(texts, encoded, strict=True)]

    @property
    def _name(self) -> str:
        return f"{self._encoder.name}, terms of texts"


def _rounded(sums: Vectors) -> Rounded:
    """As a cache keeps them, so that a run gives the same with a cache and without."""
    return sums.astype(np.float16)


def _key(text: Occurrences, terms: Sequence[str]) -> bytes:
    """What was read, and which terms were found in it: a topic's keywords may be phrases."""
    whole = "\n".join(("\n".join(text.words), "", *terms))
    return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _units(found: Found) -> Found:
    """Vectors of length 1; those of no length are left out."""
    if not found:
        return {}
    rows = unit_rows(np.stack([*found.values()]))
    return {term: row for term, row in zip(found, rows, strict=True) if row.any()}
