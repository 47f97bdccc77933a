"""The text model of sdvsm: a topic model behind a disambiguation graph that follows the crawl."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenthound.core.model import Document, TopicProfile
from scenthound.core.protocols import State
from scenthound.papers.ambiguity import MOST_PAGES, PageCollection
from scenthound.papers.sdvsm import GraphPlan, build_graph, graph_of_state, graph_state, graph_terms
from scenthound.similarity.judge import DEFAULT_THRESHOLD, calibrated_threshold
from scenthound.similarity.text_models import (
    MERGED,
    TOPIC_TERMS,
    Cosine,
    Form,
    TopicModel,
    keyword_text,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bag, Bags

_REBUILT_GROWTH = 4
"""The graph is built again when the pages have grown by one in so many."""


class LearningGraph:
    """A graph over the example pages and the pages fetched so far, rebuilt as they grow."""

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, plan: GraphPlan, seed: int = 0
    ) -> None:
        examples = [analyzer.page_bag(example) for example in profile.examples]
        examples = [bag for bag in examples if len(bag)]
        keywords = analyzer.bag(keyword_text(profile.keywords))
        self._vocabulary = analyzer.vocabulary
        self._plan = plan
        self._seed = seed
        self._nodes = graph_terms(
            examples, keywords, analyzer.vocabulary, per_page=plan.per_page, idf=plan.idf
        )
        self._pages = PageCollection(analyzer.vocabulary, examples, MOST_PAGES, seed)
        self.rebuild(lambda _: True)

    def add(self, page: Bag) -> bool:
        """Add a fetched page; return whether it is time to :meth:`rebuild`."""
        self._pages.add(page)
        return self._pages.fetched >= self._fresh_until

    def rebuild(self, is_relevant: Callable[[Bag], bool]) -> None:
        """Build the graph over the pages as they are now."""
        fetched = self._pages.fetched
        self._fresh_until = fetched + max(1, fetched // _REBUILT_GROWTH)
        self.graph = build_graph(self._nodes, self._pages, is_relevant, self._plan, self._seed)

    def state(self) -> State:
        """Return the pages and the graph."""
        return {
            "pages": self._pages.state(),
            "graph": graph_state(self.graph),
            "fresh_until": self._fresh_until,
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._pages.restore(state["pages"])
        self.graph = graph_of_state(state["graph"], self._vocabulary)
        self._fresh_until = state["fresh_until"]


class DisambiguatedModel(TopicModel):
    """A topic model behind a semantic disambiguation graph (sdvsm Eq. 20).

    On a page where "python" stands without the terms that accompany it on pages of the topic, it is
    left out of the page's text and of the texts of its links. The paper splits the pages it
    searches into relevant and irrelevant ones by VSM and does not say where; here the line is the
    5th percentile of the example pages' own similarity to the topic.

    Parameters
    ----------
    profile, analyzer, form, most, by : as for :class:`TopicModel`.
    plan : how the graph is built.
    seed : of the graph's samples of pages.
    links_too : are the page's links read as the page is? The paper speaks of the page's terms
        alone; its anchors are among them.
    """

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        form: Form,
        plan: GraphPlan,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        seed: int = 0,
        links_too: bool = True,
    ) -> None:
        super().__init__(profile, analyzer, form, most, by)
        self._links_too = links_too
        self._examples = [analyzer.page_bag(example) for example in profile.examples]
        self._learning = LearningGraph(profile, analyzer, plan, seed)

    def learn(self, document: Document) -> None:
        """Count the page, and let the graph grow with it."""
        super().learn(document)
        if self._learning.add(self._analyzer.page_bag(document)):
            cosine = Cosine()
            cosine.take(self.topic.ids, self.topic.weights)
            own = [self._vsm(cosine, bag) for bag in self._examples if len(bag)]
            threshold = calibrated_threshold(own) or DEFAULT_THRESHOLD
            self._learning.rebuild(lambda page: self._vsm(cosine, page) >= threshold)

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return the similarity of each text, with the page's ambiguous terms weighted by what they
        mean there.
        """
        bags = self._analyzer.reader(page).bags(texts)
        weights = self.weights(bags)
        affected = bags.of_texts([self._links_too or text == page.full for text in texts])
        ids, factors = self._learning.graph.factors(self._analyzer.page_bag(page))
        for id_, factor in zip(ids.tolist(), factors.tolist(), strict=True):
            weights[affected & (bags.ids == id_)] *= factor
        found: list[float] = self.form.similarities(bags, weights).tolist()
        return found

    def _vsm(self, cosine: Cosine, page: Bag) -> float:
        bags = Bags([page])
        return float(cosine.similarities(bags, self.weights(bags))[0])

    def state(self) -> State:
        """Return document frequencies, topic, and the graph."""
        return {**super().state(), "graph": self._learning.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._learning.restore(state["graph"])
