"""A text model that first asks what the ambiguous words of a page mean (sdvsm Eq. 20).

On a page where "python" stands without the company it has on pages of the topic, it is not
the topic's python: it is left out of the page's text and of the texts of its links.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.relevance.calibration import DEFAULT_THRESHOLD, calibrated_threshold
from scenthound.relevance.model import Form, TopicModel
from scenthound.relevance.vsm import Cosine
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bag, Bags
from scenthound.topics.learning_graph import GraphPlan, LearningGraph
from scenthound.topics.model import MERGED, TOPIC_TERMS


class DisambiguatedModel(TopicModel):
    """A topic model behind a semantic disambiguation graph.

    The paper splits the pages it searches into relevant and irrelevant ones by VSM; where the
    line is drawn is not said. Here it is the 5th percentile of the example pages' own
    similarity to the topic.

    Parameters
    ----------
    briefing, analyzer, form, most, by : as for :class:`TopicModel`.
    plan : how the graph is built.
    seed : of the graph's samples of pages.
    links_too : are the page's links read as the page is? The paper speaks of the page's terms
        alone; its anchors are among them.
    """

    def __init__(
        self,
        briefing: Briefing,
        analyzer: Analyzer,
        form: Form,
        plan: GraphPlan,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        seed: int = 0,
        links_too: bool = True,
    ) -> None:
        super().__init__(briefing, analyzer, form, most, by)
        self._links_too = links_too
        self._examples = [analyzer.page_bag(example) for example in briefing.examples]
        self._learning = LearningGraph(briefing, analyzer, plan, seed)

    def learn(self, document: Document) -> None:
        """Count the page, and let the graph grow with it."""
        super().learn(document)
        if self._learning.add(self._analyzer.page_bag(document)):
            cosine = Cosine()
            cosine.take(self.topic.ids, self.topic.weights)
            threshold = self._threshold(cosine)
            self._learning.rebuild(lambda page: self._vsm(cosine, page) >= threshold)

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text, with the page's ambiguous terms weighed by what they mean there."""
        bags = self._analyzer.reader(page).bags(texts)
        weights = self.weights(bags)
        heeding = bags.of_texts([self._links_too or text == page.full for text in texts])
        ids, factors = self._learning.graph.factors(self._analyzer.page_bag(page))
        for id_, factor in zip(ids.tolist(), factors.tolist(), strict=True):
            weights[heeding & (bags.ids == id_)] *= factor
        found: list[float] = self.form.similarities(bags, weights).tolist()
        return found

    def _vsm(self, cosine: Cosine, page: Bag) -> float:
        bags = Bags([page])
        return float(cosine.similarities(bags, self.weights(bags))[0])

    def _threshold(self, cosine: Cosine) -> float:
        own = [self._vsm(cosine, bag) for bag in self._examples if len(bag)]
        return calibrated_threshold(own) or DEFAULT_THRESHOLD

    def state(self) -> State:
        """What the model has learnt, and the graph."""
        return {**super().state(), "graph": self._learning.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        super().restore(state)
        graph = state["graph"]
        assert isinstance(graph, dict)
        self._learning.restore(graph)
