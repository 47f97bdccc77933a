"""Graphs of ambiguous terms: what they hold, and what they say of a page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.core.model import Document, TopicProfile
from scenthound.papers.ambiguity import (
    FuzzyCriterion,
    PageCollection,
    PopularityCriterion,
)
from scenthound.papers.sdvsm import (
    GraphPlan,
    GraphTerms,
    LearningGraph,
    build_graph,
    disambiguation_terms,
    graph_state,
    graph_terms,
    inverse_document_frequency,
    mean_degrees,
    removed_terms,
    topic_evidence,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bag, Vocabulary, Weights
from similarity.bag_building import bag, graph

# A whole graph from a few pages: snakes, and the language of that name.

OURS = GraphPlan(results=None, criterion=PopularityCriterion(), rule="evidence")
SAMPLED = GraphPlan(results=2)
EXAMPLES = ("python scale python", "venom scale", "python venom")
SNAKES = ("python venom", "python scale", "venom scale")
CODE = ("python code", "python list code", "python class", "python code code", "class") * 2


def pages_of_snakes(vocabulary: Vocabulary) -> tuple[list[Bag], PageCollection]:
    """The example pages, and a collection of them and of the fetched ones."""
    examples = [bag(text, vocabulary) for text in EXAMPLES]
    collection = PageCollection(vocabulary, examples)
    for text in SNAKES + CODE:
        collection.add(bag(text, vocabulary))
    return examples, collection


def test_the_ambiguous_name_is_found() -> None:
    """Ours: python is on 2 examples, 2 pages of snakes and 8 of code; TP = 4/9.

    Relevant pages with python and venom, or python and scale: 2 each; with either: 14.
    """
    vocabulary = Vocabulary()
    examples, collection = pages_of_snakes(vocabulary)
    code = [vocabulary.number(word) for word in ("code", "class")]
    graph = build_graph(
        graph_terms(examples, bag("python", vocabulary), vocabulary, per_page=1),
        collection,
        lambda page: not np.isin(code, page.ids).any(),
        OURS,
    )
    names = graph.nodes.names
    assert set(names) == {"python", "venom", "scale"}
    python, venom, scale = (names.index(name) for name in ("python", "venom", "scale"))
    assert [names[n] for n in np.flatnonzero(graph.ambiguous)] == ["python"]
    assert graph.indicators[[python, venom], 1] == pytest.approx([4 / 9, 4.0])
    assert graph.cooccurrence[python, venom] == pytest.approx(2 / 14)
    assert graph.cooccurrence[venom, scale] == pytest.approx(2 / 6)


def test_the_papers_graph_of_the_same_pages() -> None:
    """Only the examples are relevant: python occurs 3 times on 2 of them, 10 times elsewhere."""
    vocabulary = Vocabulary()
    examples, collection = pages_of_snakes(vocabulary)
    nodes = graph_terms(examples, bag("", vocabulary), vocabulary, per_page=1)
    graph = build_graph(nodes, collection, lambda _: False)
    again = build_graph(nodes, collection, lambda _: False)
    assert graph.rule == "removal"
    values, flags = FuzzyCriterion().judge(graph.indicators)
    assert graph.ambiguity.tolist() == values.tolist()
    assert graph.ambiguous.tolist() == flags.tolist()
    assert graph.cooccurrence.tolist() == again.cooccurrence.tolist()
    python = graph.nodes.names.index("python")
    assert graph.indicators[python, :2] == pytest.approx([3 / 11, 2 / 11])


def test_example_pages_are_relevant_unasked_and_only_pages_that_matter_are_asked() -> None:
    vocabulary = Vocabulary()
    examples = [bag("storm sea", vocabulary)]
    collection = PageCollection(vocabulary, examples)
    for text in ("storm", "cake", "sea cake"):
        collection.add(bag(text, vocabulary))
    asked: list[list[str]] = []

    def never(page: Bag) -> bool:
        asked.append(vocabulary.terms(page.ids.tolist()))
        return False

    nodes = graph_terms(examples, bag("", vocabulary), vocabulary)
    graph = build_graph(nodes, collection, never)
    assert asked == [["storm"], ["sea", "cake"]]
    assert graph.cooccurrence[0, 1] == pytest.approx(1 / 3)


def test_a_topic_of_nothing_has_an_empty_graph() -> None:
    for plan in (None, GraphPlan(criterion=PopularityCriterion())):
        vocabulary = Vocabulary()
        nodes = graph_terms([], bag("", vocabulary), vocabulary)
        graph = build_graph(nodes, PageCollection(vocabulary), lambda _: True, plan)
        assert len(graph) == 0
        assert len(graph.factors(bag("storm", vocabulary))[0]) == 0


# Companions and what becomes of ambiguous terms on a page (sdvsm Eq. 16 and 20).

FIGURE_4 = {(1, 0): 0.36, (1, 2): 0.35, (1, 3): 0.86, (1, 4): 0.61}
NAMES = ("k1", "k2", "k3", "k4", "k5")


def symmetric(size: int, degrees: list[float]) -> Weights:
    table = np.zeros((size, size))
    table[np.triu_indices(size, 1)] = degrees[: size * (size - 1) // 2]
    return table + table.T


def tables() -> st.SearchStrategy[Weights]:
    """Degrees as they come: shares of up to 20 pages."""
    degree = st.builds(lambda n, of: min(n, of) / of, st.integers(0, 20), st.integers(1, 20))
    return st.integers(1, 7).flatmap(
        lambda size: st.lists(degree, min_size=21, max_size=21).map(lambda d: symmetric(size, d))
    )


def test_figure_4() -> None:
    """Degrees 0.36, 0.35, 0.86, 0.61 and T = 0.4: k4 and k5 tell what k2 means; mean 0.735."""
    figure = graph(NAMES, FIGURE_4, [1], Vocabulary(), threshold=0.4)
    assert figure.companions[1].tolist() == [False, False, False, True, True]
    assert figure.companions.sum() == 2
    assert figure.companion_mean == pytest.approx([0.0, 0.735, 0.0, 0.0, 0.0])
    # Mean of 0.36, 0.35, 0.86, 0.61 = 0.545: k4 and k5 again; the mean itself is enough.
    assert graph(NAMES, FIGURE_4, [1], Vocabulary()).companions[1].tolist() == [
        False, False, False, True, True,
    ]  # fmt: skip
    even = disambiguation_terms(symmetric(3, [0.1, 0.1, 0.1]), np.array([True, False, False]))
    assert even.tolist() == [[False, True, True], [False] * 3, [False] * 3]


def test_figure_4_on_pages() -> None:
    """Eq. 20: with k4 the mean is 0.86, with k5 0.61, with both 0.735; T_P is 0.735."""
    for page, goes in [
        ("k2 k4", False),
        ("k2 k5", True),
        ("k2 k4 k5", False),
        ("k2", True),
        ("k2 k1 k3", True),
        ("k4 k5", False),
        ("", False),
    ]:
        vocabulary = Vocabulary()
        figure = graph(NAMES, FIGURE_4, [1], vocabulary, threshold=0.4)
        ids, factors = figure.factors(bag(f"{page} other words", vocabulary))
        assert vocabulary.terms(ids[factors == 0.0].tolist()) == (["k2"] if goes else [])


def slow_removed(degrees: Weights, ambiguous: list[bool], present: list[bool]) -> list[bool]:
    """Eq. 16 and 20 term by term, as they are printed."""
    size = len(ambiguous)
    gone = []
    for k in range(size):
        others = [j for j in range(size) if j != k]
        mean = sum(degrees[k, j] for j in others) / max(len(others), 1)
        company = [j for j in others if degrees[k, j] >= mean - 1e-12]
        on_page = [degrees[k, j] for j in company if present[j]]
        bar = sum(degrees[k, j] for j in company) / max(len(company), 1)
        found = sum(on_page) / len(on_page) if on_page else 0.0
        gone.append(ambiguous[k] and present[k] and found < bar - 1e-12)
    return gone


@given(tables(), st.data())
def test_removal_equals_the_slow_form(degrees: Weights, data: st.DataObject) -> None:
    flags = st.lists(st.booleans(), min_size=len(degrees), max_size=len(degrees))
    ambiguous, present = data.draw(flags), data.draw(flags)
    company = disambiguation_terms(degrees, np.array(ambiguous))
    bars = mean_degrees(degrees, company)
    fast = removed_terms(degrees, company, bars, np.array(present))
    assert fast.tolist() == slow_removed(degrees, ambiguous, present)


@given(tables(), st.data())
def test_more_company_is_never_less_evidence(degrees: Weights, data: st.DataObject) -> None:
    size = len(degrees)
    flags = st.lists(st.booleans(), min_size=size, max_size=size).map(np.array)
    some, more = data.draw(flags), data.draw(flags)
    company = disambiguation_terms(degrees, np.ones(size, np.bool_))
    before = topic_evidence(degrees, company, some, 3)
    after = topic_evidence(degrees, company, some | more, 3)
    assert ((before >= 0.0) & (before <= after + 1e-12) & (after <= 1.0)).all()


def test_evidence_by_hand() -> None:
    """Companions 0.86 and 0.61, together 1.47: k4 alone is 0.585 of it, k5 0.415."""
    vocabulary = Vocabulary()
    figure = graph(NAMES, FIGURE_4, [1], vocabulary, threshold=0.4, rule="evidence")
    for page, factor in (("k2", 0.0), ("k2 k4", 0.86 / 1.47), ("k2 k5", 0.61 / 1.47)):
        ids, factors = figure.factors(bag(page, vocabulary))
        assert vocabulary.terms(ids.tolist()) == ["k2"]
        assert factors == pytest.approx([factor])
    assert figure.factors(bag("k2 k4 k5", vocabulary))[1] == pytest.approx([1.0])
    assert len(figure.factors(bag("k1 k4", vocabulary))[0]) == 0


def test_the_few_strongest_companions_are_enough() -> None:
    """Companions 0.5, 0.4, 0.3, 0.2: the last three, 0.9, are three quarters of 1.2."""
    edges = {(0, 1): 0.5, (0, 2): 0.4, (0, 3): 0.3, (0, 4): 0.2}
    degrees = graph(NAMES, edges, [0], Vocabulary()).cooccurrence
    company = disambiguation_terms(degrees, np.array([True, False, False, False, False]), 0.1)
    present = np.array([True, False, True, True, True])
    assert topic_evidence(degrees, company, present, 3)[0] == pytest.approx(0.75)
    assert topic_evidence(degrees, company, present, 1)[0] == 1.0


# Which terms become nodes (sdvsm Eq. 9).


def chosen(
    *examples: str, keywords: str = "", per_page: int = 2, idf: str = "literal"
) -> GraphTerms:
    vocabulary = Vocabulary()
    pages = [bag(text, vocabulary) for text in examples]
    return graph_terms(pages, bag(keywords, vocabulary), vocabulary, per_page=per_page, idf=idf)


def test_inverse_document_frequencies() -> None:
    containing = np.array([0, 1, 2, 4], np.int32)
    literal = inverse_document_frequency(4, containing)
    assert literal == pytest.approx([math.log(4), math.log(4), math.log(2), 0.0])
    smooth = inverse_document_frequency(4, containing, "smooth")
    assert smooth == pytest.approx([math.log(5) + 1, math.log(2.5) + 1, math.log(5 / 3) + 1, 1.0])
    with pytest.raises(UnknownNameError, match="smooth"):
        inverse_document_frequency(4, containing, "smoothed")


def test_the_two_heaviest_terms_of_each_page() -> None:
    """storm is on both pages: log 1 = 0. First page: sea 2/3 log 2, rain 1/3 log 2."""
    nodes = chosen("storm storm storm sea sea rain", "storm storm dike flood flood")
    assert nodes.names == ("sea", "rain", "flood", "dike")
    assert nodes.weights == pytest.approx(np.log(2) * np.array([2 / 3, 1 / 3, 1, 1 / 2]))
    assert nodes.occurrences.tolist() == [2, 1, 2, 1]
    # The second page's best, sea and rain, are taken: the next are dike and wind.
    nodes = chosen(
        "sea sea sea rain rain dike wind", "sea sea sea rain rain dike wind", "cake", per_page=2
    )
    assert nodes.names == ("sea", "rain", "dike", "wind", "cake")


def test_equal_weights_go_by_frequency_and_then_by_the_alphabet() -> None:
    """One page alone: every weight is log 1 = 0."""
    assert chosen("wind sea sea rain", per_page=3).names == ("sea", "rain", "wind")
    nodes = chosen("storm storm storm sea", "storm storm storm dike", per_page=1, idf="smooth")
    assert nodes.names == ("storm", "dike")


def test_keywords_join() -> None:
    """storm is on every page and would never be a node; surge is on none."""
    nodes = chosen("storm sea", "storm dike", keywords="storm surge storm", per_page=1)
    assert nodes.names == ("sea", "dike", "storm", "surge")
    assert nodes.weights == pytest.approx([math.log(2), math.log(2), 0.0, 0.5])
    assert nodes.occurrences.tolist() == [1, 1, 4, 1]


# The graph of a crawl as it grows: when it is built again, over what, and how it is saved.

CRAWL = ("python venom", "python code", "python list code", "venom scale", "python code", "cake")


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
        profile = TopicProfile("snakes", tuple(keywords), documents)
        self.learning = LearningGraph(profile, self.analyzer, plan, seed)

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
