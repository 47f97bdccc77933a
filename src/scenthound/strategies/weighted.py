"""Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7).

The four texts of a hyperlink: ``full`` (the page that holds the link), ``anchor``, ``title``
(of the page that holds it) and ``context`` (the block around it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.core.model import Link, Part, Score, Visit
from scenthound.strategies.model_scorer import ModelScorer, TextModel

_OF_PAGE = ("full", "title")
_OF_LINK = ("anchor", "context")
TEXTS = (*_OF_PAGE, *_OF_LINK)


class WeightedTexts(ModelScorer):
    """Scores links by the texts around them.

    Parameters
    ----------
    model : compares a text with the topic.
    weights : weight of each text, by name; a text without a weight is not read.
    """

    def __init__(self, model: TextModel, weights: Mapping[str, float]) -> None:
        super().__init__(model)
        self._of_page = [(name, weights[name]) for name in _OF_PAGE if name in weights]
        self._of_link = [(name, weights[name]) for name in _OF_LINK if name in weights]

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link; the texts of the page itself are compared once."""
        document = visit.page.document
        texts = {"full": document.full, "title": document.title}
        of_page = tuple(
            Part(name, self._model.similarity(texts[name]), weight)
            for name, weight in self._of_page
        )
        known: dict[tuple[float, ...], Score] = {}
        return [self._score(of_page, link, known) for link in links]

    def _score(
        self, of_page: tuple[Part, ...], link: Link, known: dict[tuple[float, ...], Score]
    ) -> Score:
        """The score of a link; links of a page with equal similarities share one."""
        texts = {"anchor": link.anchor, "context": link.context}
        values = tuple([self._model.similarity(texts[name]) for name, _ in self._of_link])
        if values not in known:
            of_link = [
                Part(name, value, weight)
                for (name, weight), value in zip(self._of_link, values, strict=True)
            ]
            parts = (*of_page, *of_link)
            known[values] = Score(sum([part.value * part.weight for part in parts]), parts)
        return known[values]
