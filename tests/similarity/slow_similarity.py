"""Similarity of two words the slow way: all pairs of senses, sets of ancestors, as printed."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property

from scenthound.text.wordnet import Taxonomy


class SlowSimilarity:
    """Everything worked out from the parents alone, a pair at a time."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._parents = [taxonomy.parents[c].tolist() for c in range(len(taxonomy))]

    @cached_property
    def _up(self) -> list[dict[int, int]]:
        """Of each concept: its ancestors, and the edges up to each; parents come first."""
        up: list[dict[int, int]] = []
        for concept, parents in enumerate(self._parents):
            ways: dict[int, int] = {}
            for parent in parents:
                for ancestor, steps in up[parent].items():
                    ways[ancestor] = min(steps + 1, ways.get(ancestor, steps + 1))
            up.append({concept: 0, **ways})
        return up

    @cached_property
    def _below(self) -> Counter[int]:
        return Counter(ancestor for up in self._up for ancestor in up)

    @cached_property
    def _longest(self) -> int:
        longest: list[int] = []
        for parents in self._parents:
            longest.append(1 + max((longest[p] for p in parents), default=0))
        return max(longest)

    def information(self, concept: int) -> float:
        if concept == 0:
            return 0.0
        return 1.0 - math.log(self._below[concept]) / math.log(len(self._parents))

    def depth(self, concept: int) -> int:
        return self._up[concept][0] + 1

    def concepts(self, measure: str, lso: str, first: int, second: int) -> float:
        """Similarity of two concepts; 1 for one and the same."""
        if first == second:
            return 1.0
        one, two = self._up[first], self._up[second]
        shared = one.keys() & two.keys()
        deepest = max(self.depth(c) for c in shared)
        candidates = [c for c in shared if lso == "informative" or self.depth(c) == deepest]
        common = max(self.information(c) for c in candidates)
        both = self.information(first) + self.information(second)
        length = min(one[c] + two[c] for c in shared)
        values = {
            "lin": 2 * common / both,
            "resnik": common,
            "jiang-conrath": 1 - (both - 2 * common) / 2,
            "wu-palmer": 2 * deepest / (length + 2 * deepest),
            "leacock-chodorow": math.log(2 * self._longest / (length + 1))
            / math.log(2 * self._longest),
            "li": math.exp(-0.2 * length) * math.tanh(0.6 * (deepest - 1)),
            "tversky": 2 * len(shared) / (len(one) + len(two)),
        }
        return values[measure]

    def words(self, measure: str, lso: str, first: str, second: str) -> float:
        """The most similar pair of senses; 1 for equal words, 0 if one has no sense."""
        pairs = [
            (a, b)
            for a in self._taxonomy.concepts(first).tolist()
            for b in self._taxonomy.concepts(second).tolist()
        ]
        values = [self.concepts(measure, lso, a, b) for a, b in pairs]
        return 1.0 if first == second else max(values, default=0.0)
