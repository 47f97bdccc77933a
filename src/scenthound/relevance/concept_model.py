"""How relevant is a page, an anchor, by the concepts it names? (olmoaco Eq. 5-8)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.core.sharing import Tally
from scenthound.relevance.concept_counts import ConceptCounter
from scenthound.relevance.concept_formulas import (
    OVER_GROUPS,
    anchor_weights,
    cosines,
    page_weights,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.vocabulary import Weights
from scenthound.text.walk import GROUPS

_ENTRIES = 500_000
"""Texts times concepts that are weighed at once: some megabytes, however many links a page has."""


class ConceptModel:
    """A text model over the concepts of a topic: the text of a whole page by its groups of tags.

    Parameters
    ----------
    topic : weight of each concept in the topic (W_TK, Eq. 4), by label.
    analyzer : reads texts.
    norm : "word" or "group"; see :func:`page_weights`.
    """

    def __init__(
        self, topic: Mapping[str, float], analyzer: Analyzer, norm: str = OVER_GROUPS
    ) -> None:
        self._labels = list(topic)
        self._counter = ConceptCounter(self._labels, analyzer)
        self._topic = np.zeros(len(topic))  # labels that read alike are one, with the larger weight
        np.maximum.at(self._topic, self._counter.stands_for, np.array(list(topic.values())))
        self._norm = norm
        self._pages = 0
        self._containing = np.zeros(len(topic))
        self._here: tuple[int, Weights] | None = None
        """Pages since others were told, and in how many each concept stood; None: alone."""
        self._last: tuple[Document, Weights] | None = None

    @property
    def pages(self) -> int:
        """Learnt from so far (N in Eq. 7)."""
        return self._pages

    def counts_on(self, document: Document) -> Weights:
        """How often each concept (columns) stands in each group of tags (rows) of the page."""
        return self._counts(document).copy()

    def named_on(self, document: Document) -> int:
        """How many of the concepts the page names."""
        return int(np.count_nonzero(self._counts(document).any(axis=0)))

    def learn(self, document: Document) -> None:
        """A page was fetched: in how many does each concept stand?"""
        named = np.asarray(self._counts(document).any(axis=0), np.float64)
        self._count(1, named)
        if self._here is not None:
            pages, containing = self._here
            self._here = pages + 1, containing + named

    def share(self) -> None:
        """Keep apart from now on what is counted here."""
        if self._here is None:
            self._here = 0, np.zeros(len(self._labels))

    def counted_here(self) -> Tally:
        """The pages since this was last asked, and in how many each concept stood, by label."""
        if self._here is None:
            return Tally()
        here, self._here = self._here, (0, np.zeros(len(self._labels)))
        return self._tally(*here)

    def counted_by_all(self) -> Tally:
        """All pages that were counted, but for what is kept apart here."""
        pages, containing = self._here or (0, np.zeros(len(self._labels)))
        return self._tally(self._pages - pages, self._containing - containing)

    def count_elsewhere(self, tally: Tally) -> None:
        """Others have counted these; a concept that is none here is passed over."""
        found = [float(tally.counts.get(label, 0)) for label in self._labels]
        self._count(tally.documents, np.array(found))

    def count_from(self, tally: Tally) -> None:
        """What all have counted, and what is kept apart here."""
        self._pages, self._containing = 0, np.zeros(len(self._labels))
        self.count_elsewhere(tally)
        if self._here is not None:
            self._count(*self._here)

    def _tally(self, pages: int, containing: Weights) -> Tally:
        pairs = zip(self._labels, containing.astype(int).tolist(), strict=True)
        return Tally(pages, {label: count for label, count in pairs if count})

    def _count(self, pages: int, containing: Weights) -> None:
        self._pages += pages
        self._containing = self._containing + containing

    def page_relevance(self, document: Document) -> float:
        """R(P), olmoaco Eq. 5-6; 0 for a page that names no concept."""
        weights = page_weights(self._counts(document), self._norm)
        return float(cosines(weights[None, :], self._topic)[0])

    def anchor_relevances(self, texts: Sequence[str], page: Document) -> list[float]:
        """R(A) of each text, olmoaco Eq. 7-8; 0 for one that names no concept."""
        at_once = max(1, _ENTRIES // max(1, len(self._topic)))
        found: list[float] = []
        for start in range(0, len(texts), at_once):
            counts = self._counter.in_texts(texts[start : start + at_once], page)
            weights = anchor_weights(counts, self._pages, self._containing)
            found += cosines(weights, self._topic).tolist()
        return found

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page; the full text of the page is weighed by its tags."""
        others = iter(self.anchor_relevances([t for t in texts if t is not page.full], page))
        return [self.page_relevance(page) if text is page.full else next(others) for text in texts]

    def state(self) -> State:
        """In how many pages each concept stood."""
        return {"pages": self._pages, "containing": self._containing.copy()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        pages, containing = state["pages"], state["containing"]
        assert isinstance(pages, int) and isinstance(containing, np.ndarray)
        self._pages, self._containing = pages, containing.astype(np.float64)

    def _counts(self, document: Document) -> Weights:
        """How often each concept stands in each group; a page without groups is all body."""
        if self._last is None or self._last[0] is not document:
            groups = document.groups or {"title": document.title, "body": document.text}
            texts = [groups.get(name, "") for name in GROUPS]
            self._last = (document, self._counter.in_texts(texts, document))
        return self._last[1]
