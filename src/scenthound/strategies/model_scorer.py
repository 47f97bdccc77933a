"""What every scorer that reads shares: a model of the topic that learns from each page."""

from __future__ import annotations

from typing import Protocol

from scenthound.core.model import Document, Page
from scenthound.core.protocols import State, Stateful


class TextModel(Stateful, Protocol):
    """How similar is a text to the topic?"""

    def learn(self, document: Document) -> None:
        """A page was fetched."""
        ...

    def similarity(self, text: str) -> float:
        """In [0, 1]; 0 for an empty text."""
        ...


class ModelScorer:
    """A scorer with one text model; what it has learnt is the scorer's state."""

    predicts = True

    def __init__(self, model: TextModel) -> None:
        self._model = model

    def observe(self, page: Page) -> None:
        """Let the model learn from the page."""
        self._model.learn(page.document)

    def state(self) -> State:
        """What the model has learnt."""
        return self._model.state()

    def restore(self, state: State) -> None:
        """Give it back to the model."""
        self._model.restore(state)
