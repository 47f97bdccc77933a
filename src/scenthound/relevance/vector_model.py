"""Text models over vectors of words: SVSM and soft SVSM as on WordNet (bsvsm-ha III.A)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.relevance.likeness import TermTable
from scenthound.relevance.model import Form, TopicModel
from scenthound.relevance.vector_likeness import VectorLikeness
from scenthound.semantics.meaning import Meaning
from scenthound.text.analyzer import Analyzer
from scenthound.topics.model import MERGED, TOPIC_TERMS

FormOf = Callable[[TermTable], Form]
"""SVSM, soft SVSM, ...: made of the similarities of terms."""


class VectorModel(TopicModel):
    """Similarity of texts to a topic by one form, over words that a model understands.

    Parameters
    ----------
    briefing, analyzer, most, by : as for :class:`TopicModel`.
    form : the formula.
    meaning : how similar terms are.
    floor, power : of the similarities of terms; see :class:`VectorLikeness`.
    """

    def __init__(
        self,
        briefing: Briefing,
        analyzer: Analyzer,
        form: FormOf,
        meaning: Meaning,
        floor: float = 0.0,
        power: float = 1.0,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
    ) -> None:
        self._meaning = meaning
        self._likeness = VectorLikeness(meaning, analyzer.vocabulary, floor, power)
        super().__init__(briefing, analyzer, form(self._likeness), most, by)

    def learn(self, document: Document) -> None:
        """Count the page; where the words mean something else since, all is compared anew."""
        super().learn(document)
        if self._meaning.learn(document):
            self._start_over()

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text of the page, its words as the page means them."""
        if self._meaning.read(page):
            self._likeness.forget()
        return super().similarities(texts, page)

    def state(self) -> State:
        """What was learnt of weights and of words."""
        return {**super().state(), "words": self._meaning.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        words = state["words"]
        assert isinstance(words, dict)
        self._meaning.restore(words)
        super().restore(state)
        self._start_over()

    def _start_over(self) -> None:
        self._likeness.forget()
        self._is_stale = True
