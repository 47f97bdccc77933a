"""Which senses of a topic's words count?

To a topic of cars, WordNet's jaguar is a stranger: it knows the animal alone, and through it
every lion and tiger would look like a car. A sense counts where another word of the topic
vouches for it; a word none of whose senses finds a voucher is compared as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scenthound.lexicon.taxonomy import Integers
from scenthound.semantics.information import Array
from scenthound.semantics.similarity import TaxonomySimilarity

Senses = tuple[int, ...]
"""Concepts that a word of the topic stands for."""
FLOOR = 0.6
"""Similarity from which on two concepts are near."""
COMPANY = 12
"""Fewer words than this, a topic of keywords alone, are no company: too many are strangers."""
_REMEMBERED = 4
"""Words remembered for each word of the topic: words come and go at its lower end."""


class AllSenses:
    """Every sense counts, as in the papers.

    Parameters
    ----------
    similarity : of words and concepts.
    """

    def __init__(self, similarity: TaxonomySimilarity) -> None:
        self._similarity = similarity

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""
        return self._similarity.index

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The senses of each word of the topic that count."""
        concepts = self._similarity.taxonomy.concepts
        return [tuple(concepts(word).tolist()) for word in topic]

    def to_all(self, word: str, senses: Senses) -> Array:
        """Similarity of the word, in these senses, to every word; 1 to itself."""
        return self._similarity.to_all(word, senses)


class VouchedSenses(AllSenses):
    """Only senses that another word of the topic vouches for: ours.

    A word vouches for a sense that is at least ``floor`` similar to one of its own.

    Parameters
    ----------
    similarity : of words and concepts.
    floor : similarity that it takes to vouch; at 0 every sense counts, with company or without.
    company : words with a sense that a topic must have; with fewer, every sense counts.
    """

    def __init__(
        self, similarity: TaxonomySimilarity, floor: float = FLOOR, company: int = COMPANY
    ) -> None:
        super().__init__(similarity)
        self._floor = floor
        self._company = company
        self._met: dict[str, Integers] = {}
        self._near: dict[tuple[str, str], Array] = {}
        """Similarity of each sense of the first word to the second."""

    def senses(self, topic: Sequence[str]) -> list[Senses]:
        """The vouched senses of each word; none for one that is a stranger to the topic.

        Where too few words have a sense to ask one another, all senses count.
        """
        everything = super().senses(topic)
        if sum(map(bool, everything)) < self._company:
            return everything
        if len(self._met) > _REMEMBERED * len(topic):
            self._met, self._near = {}, {}
        for word in topic:
            if word not in self._met:
                self._meet(word)
        return [tuple(self._met[word][self._vouched(word, topic)].tolist()) for word in topic]

    def _vouched(self, word: str, topic: Sequence[str]) -> npt.NDArray[np.bool_]:
        others = [self._near[word, other] for other in topic if other != word]
        best = np.max([np.zeros(len(self._met[word])), *others], axis=0)
        vouched: npt.NDArray[np.bool_] = best >= self._floor
        return vouched

    def _meet(self, word: str) -> None:
        """Compare a new word with all others, both ways."""
        own = self._similarity.taxonomy.concepts(word)
        everyone = np.concatenate([own[:0], *self._met.values()])
        rows = [self._similarity.concept_to(concept, everyone) for concept in own.tolist()]
        table, start = np.array(rows).reshape(len(own), len(everyone)), 0
        for other, theirs in self._met.items():
            here = table[:, start : start + len(theirs)]
            self._near[word, other] = here.max(axis=1, initial=0.0)
            self._near[other, word] = here.max(axis=0, initial=0.0)
            start += len(theirs)
        self._met[word] = own
