"""How often sources have terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scenthound.ontology.model import squeezed
from scenthound.ontology_learning.source import Source
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bag

Counts = npt.NDArray[np.int32]
"""One row for each source, one column for each term."""


class TermTable:
    """The terms of titles, abstracts and keywords, by number, and how often each source has them.

    Parameters
    ----------
    sources : what is read.
    reader : reads them; nobody else may have used it, so that its numbers follow from the sources.
    """

    def __init__(self, sources: Sequence[Source], reader: Analyzer) -> None:
        self._reader = reader
        self._sources = sources
        self._texts = [(each.title, each.abstract, *each.keywords) for each in sources]
        bags = [[reader.bag(text) for text in texts] for texts in self._texts]
        self.terms = tuple(reader.vocabulary.terms())
        self.counts: Counts = self._counted(bags)
        self._within = self._phrase_counts()

    def alone(self, term: int) -> int:
        """Occurrences of a term that are no part of a longer one."""
        return int(self.counts[:, term].sum()) - self._within[term]

    def full_counts(self) -> Counts:
        """The same over the whole texts."""
        bags = [
            [self._reader.bag(each.title), self._reader.bag(each.body or each.abstract)]
            for each in self._sources
        ]
        return self._counted(bags)

    def numbers_of(self, keywords: Sequence[str]) -> dict[int, str]:
        """The terms of the keywords that occur, and how the keywords are written."""
        found: dict[int, str] = {}
        for keyword in keywords:
            term = self._number(keyword)
            if term is not None and self.counts[:, term].any():
                found.setdefault(term, squeezed(keyword))
        return found

    def labels(self, terms: Sequence[int], given: Mapping[int, str]) -> list[str]:
        """How terms are called: as given; in English by base form.

        In other languages a stem is no word, and the commonest of its forms is taken.
        """
        forms = {} if self._reader.wordnet else self._written(set(terms))
        return [given.get(term) or forms.get(term) or self.terms[term] for term in terms]

    def _number(self, keyword: str) -> int | None:
        """The term that a keyword is: the longest of those found in it."""
        found = max(self._reader.count(keyword), key=lambda term: term.count(" "), default=None)
        return None if found is None else self._known(found)

    def _known(self, term: str) -> int | None:
        number = self._reader.vocabulary.find(term)
        return number if number is not None and number < len(self.terms) else None

    def _counted(self, bags: Sequence[Sequence[Bag]]) -> Counts:
        counts: Counts = np.zeros((len(bags), len(self.terms)), np.int32)
        for row, found in zip(counts, bags, strict=True):
            for bag in found:
                known = bag.ids < len(self.terms)
                row[bag.ids[known]] += bag.counts[known]
        return counts

    def _phrase_counts(self) -> Counter[int]:
        """How often each word stands in a phrase."""
        inside: Counter[int] = Counter()
        totals = self.counts.sum(axis=0).tolist()
        for term, total in zip(self.terms, totals, strict=True):
            words = term.split(" ") if " " in term else []
            for base in {self._reader.rules.base(word) for word in words}:
                number = self._known(base)
                if number is not None:
                    inside[number] += total
        return inside

    def _written(self, wanted: set[int]) -> dict[int, str]:
        """The commonest form of each term."""
        forms: dict[int, Counter[str]] = {}
        for text in (text for texts in self._texts for text in texts):
            found = self._reader.occurrences(text)
            ends = (found.starts + found.lengths).tolist()
            for term, start, end in zip(
                found.terms.tolist(), found.starts.tolist(), ends, strict=True
            ):
                if term in wanted:
                    forms.setdefault(term, Counter())[" ".join(found.words[start:end])] += 1
        return {term: min(c, key=lambda form: (-c[form], form)) for term, c in forms.items()}
