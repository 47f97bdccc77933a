"""What every scorer that reads shares: a model of the topic that learns from each page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from scenthound.core.model import Document, Visit
from scenthound.core.protocols import State, Stateful


class TextModel(Stateful, Protocol):
    """How similar is a text to the topic?"""

    def learn(self, document: Document) -> None:
        """A page was fetched."""
        ...

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text, in [0, 1]; 0 for an empty one.

        ``page`` is the page the texts stand on: a model may take from it what a word means.
        """
        ...


class ModelScorer:
    """A scorer with one text model; what it has learnt is the scorer's state."""

    predicts = True

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def model(self) -> TextModel:
        """What texts are compared by."""
        return self._model

    def observe(self, visit: Visit) -> None:
        """Let the model learn from the page."""
        self._model.learn(visit.page.document)

    def text_similarities(self, texts: Iterable[str], page: Document) -> dict[str, float]:
        """Similarity of each distinct text: links of a block share their context."""
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, self._model.similarities(distinct, page), strict=True))

    def page_similarity(self, document: Document) -> float:
        """Similarity of the page's full text."""
        return self._model.similarities([document.full], document)[0]

    def state(self) -> State:
        """What the model has learnt."""
        return self._model.state()

    def restore(self, state: State) -> None:
        """Give it back to the model."""
        self._model.restore(state)
