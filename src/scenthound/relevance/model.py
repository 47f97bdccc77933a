"""How similar is a text to the topic? What all text models share.

A model is a **form** (the formula: cosine, SSRM, SVSM, ...) over weights that follow the
crawl: TF-IDF over the example pages and the pages fetched so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.core.sharing import Tally
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Numbers, Weights
from scenthound.text.weights import DocumentFrequencies
from scenthound.topics.model import MERGED, REFRESH_GROWTH, TOPIC_TERMS, TopicVectors


class Form(Protocol):
    """A formula for the similarity of a text and a topic.

    Everything that depends on the topic alone is worked out once, as a few numbers for
    each term, so that a text costs a few sums over its terms.
    """

    def take(self, ids: Numbers, weights: Weights) -> None:
        """The topic is now these terms; ``weights`` has one column, or one for each page."""
        ...

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """In [0, 1] for each text, the highest over the columns; 0 for an empty text.

        ``weights`` are those of the entries of ``bags``, up to a factor for each text.
        """
        ...


class TopicModel:
    """Similarity of texts to a topic by one form.

    Parameters
    ----------
    briefing : what the topic is.
    analyzer : counts terms.
    form : the formula.
    most : terms kept of the topic.
    by, growth : as :class:`TopicVectors` takes them.
    """

    def __init__(
        self,
        briefing: Briefing,
        analyzer: Analyzer,
        form: Form,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        growth: int = REFRESH_GROWTH,
    ) -> None:
        self._analyzer = analyzer
        self._form = form
        self._frequencies = DocumentFrequencies(analyzer.vocabulary)
        self.topic = TopicVectors(briefing, analyzer, self._frequencies, most, by, growth)
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

    def share(self) -> None:
        """Keep apart from now on the pages that are counted here."""
        self._frequencies.share()

    def counted_here(self) -> Tally:
        """The pages that were counted here since this was last asked."""
        return self._frequencies.counted_here()

    def count_elsewhere(self, tally: Tally) -> None:
        """Others have counted these."""
        self._frequencies.count_elsewhere(tally)
        self._refresh()

    def counted_by_all(self) -> Tally:
        """All pages that were counted, but for the examples and what is kept apart here."""
        return self._frequencies.counted_by_all(self.topic.examples)

    def count_from(self, tally: Tally) -> None:
        """The collection is the example pages, what all have counted, and what is kept apart."""
        self._frequencies.count_from(self.topic.examples, tally)
        self.topic.refresh(anew=True)
        self._is_stale = True

    def _refresh(self) -> None:
        """Follow the document frequencies."""
        if self.topic.refresh():
            self._is_stale = True

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page, in [0, 1]; 0 for a text without terms."""
        found: list[float] = self.of_bags(self._analyzer.reader(page).bags(texts)).tolist()
        return found

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
        """Go on from what :meth:`state` gave."""
        frequencies, topic = state["frequencies"], state["topic"]
        assert isinstance(frequencies, dict) and isinstance(topic, dict)
        self._frequencies.restore(frequencies)
        self.topic.restore(topic)
        self._is_stale = True


def quotients(products: Weights, norms: Weights) -> Weights:
    """``products / norms``, at most 1; 0 where a norm is 0."""
    found = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0.0)
    return np.minimum(found, 1.0)


def distinct_terms(bags: Bags) -> tuple[Numbers, npt.NDArray[np.intp]]:
    """The terms of all texts, each once, and for every entry which of them it is."""
    return np.unique(bags.ids, return_inverse=True)
