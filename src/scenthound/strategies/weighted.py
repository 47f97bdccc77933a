"""Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7).

The four texts of a hyperlink: ``full`` (the page that holds the link), ``anchor``, ``title``
(of the page that holds it) and ``context`` (the block around it). Evidence from the structure of
links is weighed beside them, where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from operator import attrgetter

from scenthound.core.model import INLINKS, Document, Link, Score, Visit, inlink_share
from scenthound.core.parts import Parts
from scenthound.core.protocols import State
from scenthound.strategies.link_structure import HOST, SOURCE, STRUCTURE, LinkStructure
from scenthound.strategies.model_scorer import ModelScorer, TextModel

_OF_PAGE = ("full", "title")
_OF_LINK = ("anchor", "context")
TEXTS = (*_OF_PAGE, *_OF_LINK)
EVIDENCE = (*TEXTS, *STRUCTURE)
"""All that may be weighed, in the order of the parts of a score."""
_TEXT_OF = {name: attrgetter(name) for name in _OF_LINK}
Relevance = Callable[[Document], float]
"""How relevant is a page? In [0, 1]."""


class WeightedTexts(ModelScorer):
    """Scores links by the texts around them.

    Parameters
    ----------
    model : compares a text with the topic.
    weights : weight of each text, by name, and of each piece of link-structure evidence; what
        has no weight is not looked at.
    relevance : of a page, for the link-structure evidence; the model's, if it is not given.
    """

    def __init__(
        self, model: TextModel, weights: Mapping[str, float], relevance: Relevance | None = None
    ) -> None:
        super().__init__(model)
        self._relevance = relevance or self.page_similarity
        self._structure = LinkStructure() if set(STRUCTURE) & set(weights) else None
        self.names = tuple(name for name in EVIDENCE if name in weights)
        self._of_page = [name for name in self.names if name in _OF_PAGE]
        self._of_link = [name for name in self.names if name in _OF_LINK]
        self.weigh(weights)

    def weigh(self, weights: Mapping[str, float]) -> None:
        """Use these weights from now on, for the same texts and evidence."""
        self.weights = {name: float(weights[name]) for name in self.names}
        self._weights = tuple(self.weights.values())

    def observe(self, visit: Visit) -> None:
        """Let the model learn from the page, and note what its host has given."""
        super().observe(visit)
        if self._structure is not None:
            self._structure.observe(visit.page.url, self._relevance(visit.page.document))

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link; every distinct text of the page is compared once."""
        document = visit.page.document
        texts = {"full": document.full, "title": document.title}
        of_links = {name: [_TEXT_OF[name](link) for link in links] for name in self._of_link}
        of_page = [texts[name] for name in self._of_page]
        similarity = self.text_similarities(chain(of_page, *of_links.values()), document)
        own = tuple([similarity[text] for text in of_page])
        columns = {name: [similarity[text] for text in each] for name, each in of_links.items()}
        if self._structure is not None:
            columns |= self._structural(self._structure, document, links)
        known: dict[tuple[float, ...], Score] = {}
        rows = zip(*columns.values(), strict=True) if columns else repeat((), len(links))
        return [self._score((*own, *row), known) for row in rows]

    def state(self) -> State:
        """What the model has learnt, and the records of hosts where they are asked for."""
        if self._structure is None:
            return super().state()
        return {"model": super().state(), "structure": self._structure.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        if self._structure is None:
            super().restore(state)
            return
        model, structure = state["model"], state["structure"]
        assert isinstance(model, dict) and isinstance(structure, dict)
        super().restore(model)
        self._structure.restore(structure)

    def _structural(
        self, structure: LinkStructure, document: Document, links: Sequence[Link]
    ) -> dict[str, list[float]]:
        """The link-structure evidence that is weighed, a column each."""
        columns: dict[str, list[float]] = {}
        if HOST in self.weights:
            columns[HOST] = structure.of_hosts(links)
        if SOURCE in self.weights:
            columns[SOURCE] = [self._relevance(document) if links else 0.0] * len(links)
        if INLINKS in self.weights:
            columns[INLINKS] = [inlink_share(1)] * len(links)
        return columns

    def _score(self, values: tuple[float, ...], known: dict[tuple[float, ...], Score]) -> Score:
        """The score of a link; links of a page with equal similarities share one."""
        found = known.get(values)
        if found is None:
            found = known[values] = Parts(self.names, values, self._weights).score()
        return found


def equal(names: Sequence[str]) -> dict[str, float]:
    """The same weight for each, 1 in all."""
    return dict.fromkeys(names, 1.0 / len(names))
