"""Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7).

The four texts of a hyperlink: ``full`` (the page that holds the link), ``anchor``, ``title``
(of the page that holds it) and ``context`` (the block around it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenthound.core.model import Document, Link, Page, Part, Score, Visit
from scenthound.core.protocols import State, Stateful

_OF_PAGE = ("full", "title")
_OF_LINK = ("anchor", "context")
TEXTS = (*_OF_PAGE, *_OF_LINK)


class TextModel(Stateful, Protocol):
    """How similar is a text to the topic?"""

    def learn(self, document: Document) -> None:
        """A page was fetched."""
        ...

    def similarity(self, text: str) -> float:
        """In [0, 1]; 0 for an empty text."""
        ...


class WeightedTexts:
    """Scores links by the texts around them.

    Parameters
    ----------
    model : compares a text with the topic.
    weights : weight of each text, by name; a text without a weight is not read.
    """

    predicts = True

    def __init__(self, model: TextModel, weights: Mapping[str, float]) -> None:
        self._model = model
        self._of_page = [(name, weights[name]) for name in _OF_PAGE if name in weights]
        self._of_link = [(name, weights[name]) for name in _OF_LINK if name in weights]

    def observe(self, page: Page) -> None:
        """Let the model learn from the page."""
        self._model.learn(page.document)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link; the texts of the page itself are compared once."""
        document = visit.page.document
        texts = {"full": document.full, "title": document.title}
        of_page = tuple(
            Part(name, self._model.similarity(texts[name]), weight)
            for name, weight in self._of_page
        )
        return [self._score(of_page, link) for link in links]

    def _score(self, of_page: tuple[Part, ...], link: Link) -> Score:
        texts = {"anchor": link.anchor, "context": link.context}
        of_link = [
            Part(name, self._model.similarity(texts[name]), weight)
            for name, weight in self._of_link
        ]
        parts = (*of_page, *of_link)
        return Score(sum([part.value * part.weight for part in parts]), parts)

    def state(self) -> State:
        """What the model has learnt."""
        return self._model.state()

    def restore(self, state: State) -> None:
        """Give it back to the model."""
        self._model.restore(state)
