"""A whole graph from a few pages: snakes, and the language of that name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scenthound.papers.ambiguity import FuzzyCriterion, PageCollection, PopularityCriterion
from scenthound.papers.disambiguation import (
    DisambiguationGraph,
    build_graph,
    graph_of_state,
    graph_state,
    graph_terms,
)
from scenthound.text.terms import Bag, Vocabulary
from similarity.bag_building import bag

EXAMPLES = ("python scale python", "venom scale", "python venom")
SNAKES = ("python venom", "python scale", "venom scale")
CODE = ("python code", "python list code", "python class", "python code code", "class") * 2


def with_term(term: str, vocabulary: Vocabulary) -> Callable[[Bag], bool]:
    number = vocabulary.number(term)
    return lambda page: number in page.ids


def snakes(seed: int = 0, vocabulary: Vocabulary | None = None) -> DisambiguationGraph:
    """Ours: python is on 2 examples, 2 pages of snakes and 8 of code; TP = 4/9."""
    vocabulary = Vocabulary() if vocabulary is None else vocabulary
    examples = [bag(text, vocabulary) for text in EXAMPLES]
    collection = PageCollection(vocabulary, examples)
    for text in SNAKES + CODE:
        collection.add(bag(text, vocabulary))
    code = [vocabulary.number(word) for word in ("code", "class")]
    return build_graph(
        graph_terms(examples, bag("python", vocabulary), vocabulary, per_page=1),
        collection,
        lambda page: not np.isin(code, page.ids).any(),
        results=None,
        criterion=PopularityCriterion(),
        rule="evidence",
        seed=seed,
    )


def test_the_ambiguous_name_is_found() -> None:
    """Relevant pages with python and venom, or python and scale: 2 each; with either: 14."""
    graph = snakes()
    names = graph.nodes.names
    assert set(names) == {"python", "venom", "scale"}
    python, venom, scale = (names.index(name) for name in ("python", "venom", "scale"))
    assert [names[n] for n in np.flatnonzero(graph.ambiguous)] == ["python"]
    assert graph.indicators[python, 1] == pytest.approx(4 / 9)
    assert graph.indicators[venom, 1] == pytest.approx(4.0)
    assert graph.cooccurrence[python, venom] == pytest.approx(2 / 14)
    assert graph.cooccurrence[venom, scale] == pytest.approx(2 / 6)


def test_the_papers_graph_of_the_same_pages() -> None:
    """Only the examples are relevant: python occurs 3 times on 2 of them, 10 times elsewhere."""
    vocabulary = Vocabulary()
    examples = [bag(text, vocabulary) for text in EXAMPLES]
    collection = PageCollection(vocabulary, examples)
    for text in SNAKES + CODE:
        collection.add(bag(text, vocabulary))
    nodes = graph_terms(examples, bag("", vocabulary), vocabulary, per_page=1)
    graph = build_graph(nodes, collection, with_term("nothing", vocabulary))
    again = build_graph(nodes, collection, with_term("nothing", vocabulary))
    assert graph.rule == "removal"
    expected = FuzzyCriterion().judge(graph.indicators)
    assert graph.ambiguity.tolist() == expected.values.tolist()
    assert graph.ambiguous.tolist() == expected.flags.tolist()
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
    cases: list[FuzzyCriterion | PopularityCriterion | None] = [None, PopularityCriterion()]
    for criterion in cases:
        vocabulary = Vocabulary()
        nodes = graph_terms([], bag("", vocabulary), vocabulary)
        graph = build_graph(nodes, PageCollection(vocabulary), lambda _: True, criterion=criterion)
        assert len(graph) == 0
        assert len(graph.dropped(bag("storm", vocabulary))) == 0


def test_a_restored_graph_answers_like_the_saved_one() -> None:
    vocabulary, other = Vocabulary(), Vocabulary()
    for word in ("scale", "z", "venom"):
        other.number(word)
    saved = snakes(vocabulary=vocabulary)
    restored = graph_of_state(graph_state(saved), other)
    assert restored.nodes.names == saved.nodes.names
    assert restored.companions.tolist() == saved.companions.tolist()
    assert restored.ambiguous.dtype == restored.companions.dtype == np.bool_
    for text in ("python", "python scale", "venom scale python code"):
        ids, factors = saved.factors(bag(text, vocabulary))
        same, alike = restored.factors(bag(text, other))
        assert other.terms(same.tolist()) == vocabulary.terms(ids.tolist())
        assert alike.tolist() == factors.tolist()
        gone = restored.dropped(bag(text, other)).tolist()
        expected = saved.dropped(bag(text, vocabulary)).tolist()
        assert other.terms(gone) == vocabulary.terms(expected)
