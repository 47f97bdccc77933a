"""How similar are two words, or one word and all others, by their senses in a taxonomy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.lexicon.taxonomy import Integers, Taxonomy
from scenthound.semantics.information import Array
from scenthound.semantics.kin import Everyone, Few, Steps, climb
from scenthound.semantics.table import MEASURES, Traits
from scenthound.semantics.words import BestSense


class TaxonomySimilarity:
    """Similarity of words by their senses in a taxonomy: the maximum over the sense pairs.

    Every value is in [0, 1], and symmetric. A concept is similar to itself at 1 under every
    measure, and so is a word to itself and to its synonyms; the formulas of Resnik and of Li alone
    would give a general concept less. Words are base forms as the taxonomy spells them. A word it
    does not know is similar to itself and to nothing else.

    Parameters
    ----------
    taxonomy : words, senses, and what is a kind of what.
    measure : a name of :data:`~scenthound.semantics.table.MEASURES`.
    lso : for the measures by information content, the common ancestor that counts:
        "informative", the one with the most information, or "deepest". The others look at the
        deepest one by definition, or at all.
    """

    def __init__(self, taxonomy: Taxonomy, measure: str = "lin", lso: str = "informative") -> None:
        self.taxonomy = taxonomy
        self._measure = MEASURES[measure]
        self._traits = Traits(taxonomy, lso)
        self._best_sense = BestSense(taxonomy.senses, len(taxonomy))

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""
        return self.taxonomy.index

    def between(self, first: str, second: str) -> float:
        """Similarity of two words; 1 for equal words, known or not, else 0 if one is unknown."""
        if first == second:
            return 1.0
        climbs = self._climbs(second)
        if not climbs:
            return 0.0
        return max((self._highest(steps, climbs) for steps in self._climbs(first)), default=0.0)

    def _climbs(self, term: str) -> list[Steps]:
        return [climb(self.taxonomy, c) for c in self.taxonomy.concepts(term).tolist()]

    def _highest(self, steps: Steps, climbs: list[Steps]) -> float:
        """Similarity of a concept to the most similar of others."""
        kin = Few(steps, climbs)
        values = self._measure.formula(self._traits, kin)
        values[kin.others == kin.concept] = 1.0
        return float(values.max())

    def to_all(self, term: str, senses: Sequence[int] | None = None) -> Array:
        """Similarity to every lemma, in order of ``taxonomy.lemmas``; zeros for an unknown term.

        All senses of all lemmas are compared, in a few milliseconds for 100,000 lemmas; with
        ``senses`` the term stands for these concepts alone.
        """
        best = np.zeros(len(self.taxonomy))
        for concept in self.taxonomy.concepts(term).tolist() if senses is None else senses:
            np.maximum(best, self.concept_to_all(concept), out=best)
        similar = self._best_sense.of(best)
        number = self.taxonomy.index.get(term)
        if number is not None:
            similar[number] = 1.0
        return similar

    def concept_to_all(self, concept: int) -> Array:
        """Similarity of a concept to every concept."""
        values = self._measure.formula(self._traits, Everyone(self._traits.descent, concept))
        values[concept] = 1.0
        return values

    def concept_to(self, concept: int, others: Integers) -> Array:
        """Similarity of a concept to these."""
        kin = Everyone(self._traits.descent, concept, others)
        values = self._measure.formula(self._traits, kin)
        values[others == concept] = 1.0
        return values
