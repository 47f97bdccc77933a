"""How like the topic are many short texts? The judge's cosine, for all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Column, Weights
from scenthound.text.weights import DocumentFrequencies, unit

_AT_ONCE = 2_000
"""Texts weighed together; a sitemap may have 50,000."""


class Likeness:
    """VSM similarity of texts to the nearest of some others: ``relevance.judge``, in bulk.

    Parameters
    ----------
    patterns : texts that stand for the topic; those without terms say nothing.
    analyzer : counts terms.
    """

    def __init__(self, patterns: Sequence[str], analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._frequencies = DocumentFrequencies(analyzer.vocabulary)
        bags = [bag for bag in map(analyzer.bag, patterns) if len(bag)]
        for bag in bags:
            self._frequencies.add(bag)
        self._vectors = []
        for bag in bags:
            vector = Column(np.float64)
            weights = unit(bag.counts * self._frequencies.idf(bag.ids))
            vector.upto(len(analyzer.vocabulary))[bag.ids] = weights
            self._vectors.append(vector)

    def of(self, texts: Sequence[str]) -> list[float]:
        """The highest cosine of each text; 0 for one without terms, or nothing to compare with."""
        found: list[float] = []
        for start in range(0, len(texts), _AT_ONCE):
            found += self._of(self._analyzer.bags(texts[start : start + _AT_ONCE])).tolist()
        return found

    def _of(self, bags: Bags) -> Weights:
        weights = bags.counts * self._frequencies.idf(bags.ids)
        lengths = np.sqrt(bags.sums(weights**2))
        highest = np.zeros(len(bags))
        size = len(self._analyzer.vocabulary)
        for vector in self._vectors:
            products = bags.sums(weights * vector.upto(size)[bags.ids])
            np.maximum(highest, products, out=highest)
        return np.minimum(1.0, highest / np.where(lengths > 0.0, lengths, 1.0))
