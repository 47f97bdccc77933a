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
    """Compares texts with the topic."""

    def learn(self, document: Document) -> None:
        """Learn from a page that was fetched."""

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return the similarity of each text, in [0, 1]; 0 for an empty one.

        ``page`` is the page the texts stand on: a model may take from it what a word means.
        """


class ModelScorer:
    """A scorer with one text model, whose state is what the model has learned."""

    predicts = True

    def __init__(self, model: TextModel) -> None:
        self.model = model
        """The model that compares texts."""

    def observe(self, fetched: FetchedPage) -> None:
        """Let the model learn from the page."""
        self.model.learn(fetched.page.document)

    def text_similarities(self, texts: Iterable[str], page: Document) -> dict[str, float]:
        """Return the similarity of each distinct text: links of a block share their context."""
        distinct = list(dict.fromkeys(texts))
        return dict(zip(distinct, self.model.similarities(distinct, page), strict=True))

    def page_similarity(self, document: Document) -> float:
        """Return the similarity of the page's full text."""
        return self.model.similarities([document.full], document)[0]

    def state(self) -> State:
        """Return what the model has learned."""
        return self.model.state()

    def restore(self, state: State) -> None:
        """Restore the model."""
        self.model.restore(state)


# Link structure, which four of the five papers name as further work. Each piece of evidence is a
# number in [0, 1] and a part of the score like a text, so that an optimiser may weight it.

HOST, SOURCE = "host", "source"
STRUCTURE = (HOST, SOURCE, INLINKS)
"""``host``: mean relevance of the pages fetched from the link's host, when the link was seen.
``source``: relevance of the page that holds the link; combined over inlinks, that of the pages
that link here. ``inlinks``: how many they are; the frontier fills it in (``INLINKS``)."""
MAX_HOSTS = 100_000
_PRIOR_PAGES = 5.0
"""A host counts as if it had given this many more pages of the crawl's mean relevance."""


def host_record(
    pages: int, relevance: float, mean: float, prior_pages: float = _PRIOR_PAGES
) -> float:
    """Return the mean relevance of a host's pages, shrunk towards the crawl's mean while they are
    few.

    ``relevance`` is the sum over its pages; ``prior_pages`` pages of mean relevance are added.

    Examples
    --------
    >>> host_record(5, 4.0, 0.2)
    0.5
    """
    return (relevance + prior_pages * mean) / (pages + prior_pages)


class LinkStructure:
    """Records of hosts, those of the last 100,000 that were fetched from."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._pages = 0
        self._relevance = 0.0

    def observe(self, url: str, relevance: float) -> None:
        """Add a fetched page and its relevance."""
        host = host_of(url)
        pages, total = self._hosts.pop(host, (0, 0.0))
        self._hosts[host] = (pages + 1, total + relevance)
        if len(self._hosts) > MAX_HOSTS:
            self._hosts.popitem(last=False)
        self._pages += 1
        self._relevance += relevance

    def of_hosts(self, links: Sequence[Link]) -> list[float]:
        """Return the record of the host of each link; the mean of all pages for a new host."""
        mean = self._relevance / self._pages if self._pages else 0.0
        hosts = [host_of(link.url) for link in links]
        known = {host: host_record(*self._hosts.get(host, (0, 0.0)), mean) for host in set(hosts)}
        return [known[host] for host in hosts]

    def state(self) -> State:
        """Return the records."""
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


# The four texts of a hyperlink (svsm-mcoa Eq. 7): ``full`` (the page that holds the link),
# ``anchor``, ``title`` (of the page that holds it) and ``context`` (the block around it).

_OF_PAGE = ("full", "title")
_OF_LINK = ("anchor", "context")
TEXTS = (*_OF_PAGE, *_OF_LINK)
EVIDENCE = (*TEXTS, *STRUCTURE)
"""All that may have a weight, in the order of the parts of a score."""
_TEXT_OF = {name: attrgetter(name) for name in _OF_LINK}
Relevance = Callable[[Document], float]
"""How relevant is a page? In [0, 1]."""


class WeightedTexts(ModelScorer):
    """Scores links by the texts around them, and by link structure where that has a weight.

    Parameters
    ----------
    model : compares a text with the topic.
    weights : of each text and piece of link-structure evidence, by name; the others are ignored.
    relevance : of a page, for the link-structure evidence; by default the model's.
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
        self.set_weights(weights)

    def set_weights(self, weights: Mapping[str, float]) -> None:
        """Use these weights from now on, for the same texts and evidence."""
        self.weights = {name: float(weights[name]) for name in self.names}
        self._weights = tuple(self.weights.values())

    def observe(self, fetched: FetchedPage) -> None:
        """Let the model learn from the page, and update the record of its host."""
        super().observe(fetched)
        if self._structure is not None:
            self._structure.observe(fetched.page.url, self._relevance(fetched.page.document))

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """Return one score a link; every distinct text of the page is compared once."""
        document = fetched.page.document
        texts = {"full": document.full, "title": document.title}
        of_links = {name: [_TEXT_OF[name](link) for link in links] for name in self._of_link}
        of_page = [texts[name] for name in self._of_page]
        similarity = self.text_similarities(chain(of_page, *of_links.values()), document)
        own = tuple([similarity[text] for text in of_page])
        columns = {name: [similarity[text] for text in each] for name, each in of_links.items()}
        if self._structure is not None:
            if HOST in self.weights:
                columns[HOST] = self._structure.of_hosts(links)
            if SOURCE in self.weights:
                columns[SOURCE] = [self._relevance(document) if links else 0.0] * len(links)
            if INLINKS in self.weights:
                columns[INLINKS] = [inlink_share(1)] * len(links)
        known: dict[tuple[float, ...], Score] = {}  # links with equal similarities share a score
        scores = []
        for row in zip(*columns.values(), strict=True) if columns else repeat((), len(links)):
            values = (*own, *row)
            if values not in known:
                known[values] = Parts(self.names, values, self._weights).score()
            scores.append(known[values])
        return scores

    def state(self) -> State:
        """Return what the model has learned, and the records of hosts if they have a weight."""
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


def uniform_weights(names: Sequence[str]) -> dict[str, float]:
    """Return the same weight for each, 1 in all."""
    return dict.fromkeys(names, 1.0 / len(names))
