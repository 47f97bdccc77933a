"""The disambiguation graph of a crawl: it grows with the pages that are fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Briefing
from scenthound.core.protocols import State
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bag
from scenthound.topics.ambiguity import Criterion, FuzzyCriterion
from scenthound.topics.collection import MOST_PAGES, PageCollection
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.graph_building import build_graph, graph_of_state, graph_state
from scenthound.topics.graph_terms import IDFS, PER_PAGE, graph_terms
from scenthound.topics.indicators import RESULTS
from scenthound.topics.model import keyword_text

_REBUILT_GROWTH = 4
"""The graph is built again when the pages have grown by one in so many."""


@dataclass(frozen=True)
class GraphPlan:
    """How a graph is built. The defaults are the paper's (sdvsm).

    Parameters
    ----------
    per_page : topic terms taken from each example page.
    idf : ``literal`` or ``smooth`` inverse document frequency of the terms.
    results : pages looked at for a query; None for all.
    ti : form of the topic importance, ``literal`` or ``share``.
    criterion : what makes a term ambiguous.
    rule : what becomes of it, ``removal`` or ``evidence``.
    threshold : degree that companions reach; None for the mean of each term's degrees.
    """

    per_page: int = PER_PAGE
    idf: str = "literal"
    results: int | None = RESULTS
    ti: str = "literal"
    criterion: Criterion = field(default_factory=FuzzyCriterion)
    rule: str = "removal"
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.idf not in IDFS:  # asked only where there are example pages, but said at once
            raise UnknownNameError("inverse document frequency", self.idf, IDFS)


class LearningGraph:
    """A graph over the example pages and the pages fetched so far, rebuilt as they grow.

    Parameters
    ----------
    briefing : the topic.
    analyzer : counts terms.
    plan : how the graph is built.
    seed : of the samples of pages.
    """

    def __init__(
        self, briefing: Briefing, analyzer: Analyzer, plan: GraphPlan, seed: int = 0
    ) -> None:
        examples = [analyzer.page_bag(example) for example in briefing.examples]
        examples = [bag for bag in examples if len(bag)]
        keywords = analyzer.bag(keyword_text(briefing.keywords))
        self._vocabulary = analyzer.vocabulary
        self._plan = plan
        self._seed = seed
        self._nodes = graph_terms(
            examples, keywords, analyzer.vocabulary, per_page=plan.per_page, idf=plan.idf
        )
        self._pages = PageCollection(analyzer.vocabulary, examples, MOST_PAGES, seed)
        self._fresh_until = 0
        self.graph: DisambiguationGraph = self._built(lambda _: True)

    def add(self, page: Bag) -> bool:
        """Take in a page just fetched; True when it is time to :meth:`rebuild`."""
        self._pages.add(page)
        return self._pages.fetched >= self._fresh_until

    def rebuild(self, is_relevant: Callable[[Bag], bool]) -> None:
        """Build the graph over the pages as they are now."""
        self.graph = self._built(is_relevant)

    def _built(self, is_relevant: Callable[[Bag], bool]) -> DisambiguationGraph:
        fetched = self._pages.fetched
        self._fresh_until = fetched + max(1, fetched // _REBUILT_GROWTH)
        return build_graph(
            self._nodes, self._pages, is_relevant, results=self._plan.results, ti=self._plan.ti,
            criterion=self._plan.criterion, rule=self._plan.rule, threshold=self._plan.threshold,
            seed=self._seed,
        )  # fmt: skip

    def state(self) -> State:
        """The pages and the graph as it stands."""
        return {
            "pages": self._pages.state(),
            "graph": graph_state(self.graph),
            "fresh_until": self._fresh_until,
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        pages, graph, fresh_until = state["pages"], state["graph"], state["fresh_until"]
        assert isinstance(pages, dict) and isinstance(graph, dict)
        assert isinstance(fresh_until, int)
        self._pages.restore(pages)
        self.graph = graph_of_state(graph, self._vocabulary)
        self._fresh_until = fresh_until
