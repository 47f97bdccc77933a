"""The graph of a crawl as it grows: when it is built again, over what, and how it is saved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.core.model import Document, TopicProfile
from scenthound.papers.ambiguity import PopularityCriterion
from scenthound.papers.disambiguation import graph_state
from scenthound.papers.sdvsm import GraphPlan, LearningGraph
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bag

EXAMPLES = ("python scale python", "venom scale", "python venom")
CRAWL = ("python venom", "python code", "python list code", "venom scale", "python code", "cake")
OURS = GraphPlan(results=None, criterion=PopularityCriterion(), rule="evidence")
PAPERS = GraphPlan()
SAMPLED = GraphPlan(results=2)


class Crawl:
    """A learning graph and the analyzer whose numbers it speaks; code is irrelevant."""

    def __init__(
        self,
        plan: GraphPlan = OURS,
        keywords: Sequence[str] = ("python",),
        examples: Sequence[str] = EXAMPLES,
        seed: int = 0,
        met_before: str = "",
    ) -> None:
        self.analyzer = Analyzer()
        self.analyzer.bag(met_before)
        documents = tuple(Document(text=text) for text in examples)
        briefing = TopicProfile("snakes", tuple(keywords), documents)
        self.learning = LearningGraph(briefing, self.analyzer, plan, seed)

    def is_relevant(self, page: Bag) -> bool:
        return self.analyzer.vocabulary.number("code") not in page.ids

    def add(self, *texts: str) -> list[bool]:
        return [self.learning.add(self.analyzer.bag(text)) for text in texts]

    def fetch(self, *texts: str) -> None:
        """Pages one by one, and the graph built again when it is time."""
        for text in texts:
            if self.learning.add(self.analyzer.bag(text)):
                self.learning.rebuild(self.is_relevant)

    def graph(self) -> dict[str, object]:
        """All of the graph, with its arrays as lists, so that two can be compared."""
        state = graph_state(self.learning.graph)
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in state.items()}

    def popularity(self) -> dict[str, float]:
        """TP of each term: relevant pages with it over irrelevant ones and one."""
        graph = self.learning.graph
        return dict(zip(graph.nodes.names, graph.indicators[:, 1].tolist(), strict=True))


def test_the_graph_is_built_again_when_the_pages_have_grown_by_a_quarter() -> None:
    crawl = Crawl()
    times = []
    for number in range(1, 30):
        if crawl.add(f"python venom p{number}") == [True]:
            crawl.learning.rebuild(crawl.is_relevant)
            times.append(number)
    assert times == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27]


def test_nothing_but_pages_added_is_in_the_graph() -> None:
    """Python: 2 examples and 1 page of snakes, over 3 of code and 1. The rest was only read."""
    crawl = Crawl(met_before="python code " * 9)
    crawl.fetch(*CRAWL)
    for _ in range(5):
        crawl.analyzer.bag("python venom scale")
    crawl.learning.rebuild(crawl.is_relevant)
    assert crawl.popularity() == {"python": 3 / 4, "venom": 4.0, "scale": 3.0}
    names, graph = crawl.learning.graph.nodes.names, crawl.learning.graph
    assert [name for name, flag in zip(names, graph.ambiguous, strict=True) if flag] == ["python"]
    python, venom = names.index("python"), names.index("venom")
    assert graph.cooccurrence[python, venom] == pytest.approx(2 / 8)


def test_the_plan_decides_how_the_graph_is_built() -> None:
    one, two = (Crawl(GraphPlan(per_page=n), (), EXAMPLES[:1]) for n in (1, 2))
    assert one.learning.graph.nodes.names == ("python",)
    assert two.learning.graph.nodes.names == ("python", "scale")
    literal, share = (Crawl(GraphPlan(ti=ti)).learning.graph for ti in ("literal", "share"))
    assert literal.indicators[:, 2].tolist() == (-share.indicators[:, 2]).tolist()
    assert literal.indicators[:, 2].any()
    assert (literal.rule, Crawl(OURS).learning.graph.rule) == ("removal", "evidence")


def test_a_plan_of_nonsense_is_refused_before_the_first_page() -> None:
    cases: list[GraphPlan] = [GraphPlan(per_page=0), GraphPlan(ti="litteral"), GraphPlan(rule="x")]
    for plan in cases:
        with pytest.raises(InputError):
            Crawl(plan)


def test_the_same_seed_gives_the_same_graph_and_another_one_another() -> None:
    """Two of many pages are looked at for a pair."""
    crawls = [Crawl(SAMPLED, seed=seed) for seed in (1, 1, 2)]
    for crawl in crawls:
        crawl.fetch(*CRAWL * 3)
    first, same, other = (crawl.graph() for crawl in crawls)
    assert first == same
    assert first["cooccurrence"] != other["cooccurrence"]


TEXTS = st.lists(st.sampled_from(["python", "venom", "scale", "code", "cake"]), max_size=4)
PAGES = st.lists(TEXTS.map(" ".join), max_size=12)


@pytest.mark.parametrize("plan", [OURS, SAMPLED])
@given(before=PAGES, after=PAGES)
@settings(max_examples=20)
def test_a_restored_graph_goes_on_like_the_saved_one(
    plan: GraphPlan, before: list[str], after: list[str]
) -> None:
    """In another run words have other numbers."""
    saved, restored = Crawl(plan, seed=3), Crawl(plan, seed=3, met_before="cake code scale venom")
    saved.fetch(*before)
    restored.learning.restore(saved.learning.state())
    assert restored.graph() == saved.graph()
    for text in after:
        assert restored.add(text) == saved.add(text)
        for crawl in (saved, restored):
            crawl.learning.rebuild(crawl.is_relevant)
        assert restored.graph() == saved.graph()
