"""Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7), beside
evidence from the structure of links. The base of every scorer with a text model.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Protocol

from scenthound.core.model import INLINKS, Document, FetchedPage, Link, Parts, Score, inlink_share
from scenthound.core.protocols import State, Stateful
from scenthound.core.urls import host_of


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
    """A scorer with one text model; what it has learned is the scorer's state."""

    predicts = True

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def model(self) -> TextModel:
        """What texts are compared by."""
        return self._model

    def observe(self, visit: FetchedPage) -> None:
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
        """What the model has learned."""
        return self._model.state()

    def restore(self, state: State) -> None:
        """Give it back to the model."""
        self._model.restore(state)


# What speaks for a link besides its texts: who links to it, and what its host has given so far.
#
# Four of the five papers name link structure as further work. Each piece of evidence is a number
# in [0, 1] and a part of the score like a text, so that an optimiser may weigh it.


HOST, SOURCE = "host", "source"
STRUCTURE = (HOST, SOURCE, INLINKS)
"""``host``: mean relevance of the pages fetched from the link's host, when the link was seen.
``source``: relevance of the page that holds the link; combined over inlinks, that of the pages
that link here. ``inlinks``: how many they are; the frontier fills it in (``INLINKS``)."""
MAX_HOSTS = 100_000
_PRIOR_PAGES = 5.0
"""A host's record counts as if it had also given this many pages of the crawl's mean relevance."""


def host_record(pages: int, relevance: float, mean: float, doubt: float = _PRIOR_PAGES) -> float:
    """Mean relevance of a host's pages, drawn towards the crawl's mean as long as they are few.

    Parameters
    ----------
    pages : fetched from the host.
    relevance : of all of them together.
    mean : relevance of all pages fetched so far.
    doubt : so many pages of mean relevance are added.

    Examples
    --------
    >>> host_record(5, 4.0, 0.2)
    0.5
    """
    return (relevance + doubt * mean) / (pages + doubt)


class LinkStructure:
    """Keeps the records of hosts, those of the last 100,000 that were fetched from."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._pages = 0
        self._relevance = 0.0

    def observe(self, url: str, relevance: float) -> None:
        """A page was fetched, and is this relevant."""
        host = host_of(url)
        pages, total = self._hosts.pop(host, (0, 0.0))
        self._hosts[host] = (pages + 1, total + relevance)
        if len(self._hosts) > MAX_HOSTS:
            self._hosts.popitem(last=False)
        self._pages += 1
        self._relevance += relevance

    def of_hosts(self, links: Sequence[Link]) -> list[float]:
        """The record of the host of each link; the mean of all pages for a host without one."""
        mean = self._relevance / self._pages if self._pages else 0.0
        hosts = [host_of(link.url) for link in links]
        known = {host: host_record(*self._hosts.get(host, (0, 0.0)), mean) for host in set(hosts)}
        return [known[host] for host in hosts]

    def state(self) -> State:
        """The records."""
        return {
            "hosts": list(self._hosts),
            "pages": [pages for pages, _ in self._hosts.values()],
            "relevance": [relevance for _, relevance in self._hosts.values()],
            "all_pages": self._pages,
            "all_relevance": self._relevance,
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        records = zip(state["pages"], state["relevance"], strict=True)
        self._hosts = OrderedDict(zip(state["hosts"], records, strict=True))
        self._pages, self._relevance = state["all_pages"], state["all_relevance"]


# Priority of a link = weighted sum of the similarities of its texts (svsm-mcoa Eq. 7).
#
# The four texts of a hyperlink: ``full`` (the page that holds the link), ``anchor``, ``title``
# (of the page that holds it) and ``context`` (the block around it). Evidence from the structure
# of links is weighed beside them, where it is asked for.


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

    def observe(self, visit: FetchedPage) -> None:
        """Let the model learn from the page, and note what its host has given."""
        super().observe(visit)
        if self._structure is not None:
            self._structure.observe(visit.page.url, self._relevance(visit.page.document))

    def score(self, visit: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
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
        """What the model has learned, and the records of hosts where they are asked for."""
        if self._structure is None:
            return super().state()
        return {"model": super().state(), "structure": self._structure.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        if self._structure is None:
            super().restore(state)
            return
        super().restore(state["model"])
        self._structure.restore(state["structure"])

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


def uniform_weights(names: Sequence[str]) -> dict[str, float]:
    """The same weight for each, 1 in all."""
    return dict.fromkeys(names, 1.0 / len(names))
