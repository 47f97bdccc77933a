"""Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7).

The four texts of a hyperlink: ``full`` (the page that holds the link), ``anchor``, ``title``
(of the page that holds it) and ``context`` (the block around it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from operator import attrgetter

from scenthound.core.model import Link, Part, Score, Visit
from scenthound.strategies.model_scorer import ModelScorer, TextModel

_OF_PAGE = ("full", "title")
_OF_LINK = ("anchor", "context")
TEXTS = (*_OF_PAGE, *_OF_LINK)
_TEXT_OF = {name: attrgetter(name) for name in _OF_LINK}


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
        """One score a link; every distinct text of the page is compared once."""
        document = visit.page.document
        texts = {"full": document.full, "title": document.title}
        of_links = {name: [_TEXT_OF[name](link) for link in links] for name, _ in self._of_link}
        of_page = [texts[name] for name, _ in self._of_page]
        similarity = self.text_similarities(chain(of_page, *of_links.values()), document)
        page_parts = tuple(
            Part(name, similarity[text], weight)
            for (name, weight), text in zip(self._of_page, of_page, strict=True)
        )
        values = [[similarity[text] for text in of_links[name]] for name, _ in self._of_link]
        known: dict[tuple[float, ...], Score] = {}
        rows = zip(*values, strict=True) if values else repeat((), len(links))
        return [self._score(page_parts, row, known) for row in rows]

    def _score(
        self,
        of_page: tuple[Part, ...],
        values: tuple[float, ...],
        known: dict[tuple[float, ...], Score],
    ) -> Score:
        """The score of a link; links of a page with equal similarities share one."""
        found = known.get(values)
        if found is None:
            of_link = [
                Part(name, value, weight)
                for (name, weight), value in zip(self._of_link, values, strict=True)
            ]
            parts = (*of_page, *of_link)
            found = Score(sum([part.value * part.weight for part in parts]), parts)
            known[values] = found
        return found
