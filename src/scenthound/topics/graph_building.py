"""Builds the disambiguation graph of a topic from the pages at hand, and saves it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scenthound.core.protocols import State, StateValue
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Numbers, Vocabulary, Weights
from scenthound.topics.ambiguity import Criterion, FuzzyCriterion
from scenthound.topics.collection import PageCollection
from scenthound.topics.disambiguation import DisambiguationGraph, companions
from scenthound.topics.graph_terms import GraphTerms
from scenthound.topics.indicators import RESULTS, Flags, cooccurrence, topic_indicators


def build_graph(
    nodes: GraphTerms,
    collection: PageCollection,
    is_relevant: Callable[[Bag], bool],
    *,
    results: int | None = RESULTS,
    ti: str = "literal",
    criterion: Criterion | None = None,
    threshold: float | None = None,
    rule: str = "removal",
    seed: int = 0,
) -> DisambiguationGraph:
    """The graph of a topic as the collection shows it now (sdvsm Eq. 10-16).

    Without options it is the paper's graph. Ours takes ``results=None``,
    ``criterion=PopularityCriterion()`` and ``rule="evidence"``.

    Parameters
    ----------
    nodes : the topic terms.
    collection : the pages that are searched.
    is_relevant : is a fetched page about the topic? Example pages are, unasked.
    results : pages looked at for a term and for a pair; None for all that hold them.
    ti : form of the topic importance, ``literal`` or ``share``.
    criterion : what makes a term ambiguous; None for the paper's fuzzy inference.
    threshold : T_cd of Eq. 16; None for each term's mean degree.
    rule : what becomes of an ambiguous term, ``removal`` or ``evidence``.
    seed : decides which pages are looked at for a pair.
    """
    index = collection.index(nodes.numbers)
    held = index.counts[index.rows(nodes.numbers)].sum(axis=0) > 0
    relevant = _relevance(collection, is_relevant, held)
    degrees = cooccurrence(index, nodes.numbers, relevant, results=results, seed=seed)
    indicators = topic_indicators(
        index, nodes.numbers, nodes.occurrences, relevant, results=results, ti=ti
    )
    values, flags = (criterion or FuzzyCriterion()).judge(indicators)
    company = companions(degrees, flags, threshold)
    return DisambiguationGraph(nodes, degrees, indicators, values, flags, company, rule)


def graph_state(graph: DisambiguationGraph) -> State:
    """All of a graph, with its terms as words: numbers differ from run to run."""
    return {
        "names": list(graph.nodes.names),
        "weights": graph.nodes.weights,
        "occurrences": graph.nodes.occurrences,
        "cooccurrence": graph.cooccurrence,
        "indicators": graph.indicators,
        "ambiguity": graph.ambiguity,
        "ambiguous": graph.ambiguous,
        "companions": graph.companions,
        "rule": graph.rule,
        "few": graph.few,
    }


def graph_of_state(state: State, vocabulary: Vocabulary) -> DisambiguationGraph:
    """The graph that :func:`graph_state` saved, in the numbers of this run."""
    names, rule, few = state["names"], state["rule"], state["few"]
    assert isinstance(names, list) and isinstance(rule, str) and isinstance(few, int)
    words = tuple(map(str, names))
    numbers = np.array([vocabulary.number(word) for word in words], np.int32)
    occurrences: Numbers = _array(state["occurrences"]).astype(np.int32)
    degrees, indicators, ambiguity = (
        _array(state[key]) for key in ("cooccurrence", "indicators", "ambiguity")
    )
    return DisambiguationGraph(
        GraphTerms(numbers, words, _array(state["weights"]), occurrences),
        degrees,
        indicators,
        ambiguity,
        _array(state["ambiguous"]).astype(np.bool_),
        _array(state["companions"]).astype(np.bool_),
        rule,
        few,
    )


def _relevance(
    collection: PageCollection, is_relevant: Callable[[Bag], bool], asked: Flags
) -> Flags:
    """Is each page relevant? Pages without a topic term are not asked for: nothing finds them."""
    sure = len(collection.examples)
    pages = enumerate(collection.pages)
    return np.array(
        [number < sure or bool(asked[number] and is_relevant(page)) for number, page in pages],
        np.bool_,
    )


def _array(value: StateValue) -> Weights:
    assert isinstance(value, np.ndarray)
    return value.astype(np.float64)
