"""Taxonomies: by hand on six concepts, by brute force on random graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lexicon.circles import circular_links
from scenthound.lexicon.taxonomy import ROOT, Rows, build_taxonomy

Graph = dict[int, list[int]]

ANIMALS: Graph = {70: [], 10: [70], 50: [70], 40: [10], 20: [10, 40], 60: [50]}
"""70 entity; 10 animal, 50 event; 40 pet; 20 dog (an animal and a pet); 60 storm."""
WORDS = {"dog": [20], "pet": [40, 20], "storm": [60], "animal": [10]}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """No circle, since concepts are drawn under earlier ones; then the numbers are shuffled."""
    size = draw(st.integers(0, 12))
    numbers = draw(st.permutations(range(100, 100 + size)))
    graph: Graph = {}
    for place in range(size):
        earlier = st.lists(st.sampled_from(numbers[:place]), max_size=3) if place else st.just([])
        graph[numbers[place]] = draw(earlier)
    return {concept: graph[concept] for concept in sorted(graph)}


@st.composite
def tangles(draw: st.DrawFn) -> Graph:
    """Any links among a few concepts, circles among them."""
    concepts = st.integers(0, 7)
    return draw(st.dictionaries(concepts, st.lists(concepts, max_size=3), max_size=8))


def ways_up(concept: int, graph: Graph) -> list[tuple[int, ...]]:
    """Every way from a concept to a top, spelled out."""
    if not graph[concept]:
        return [(concept,)]
    return [(concept, *way) for parent in graph[concept] for way in ways_up(parent, graph)]


def reaches_itself(concept: int, graph: Graph) -> bool:
    found: set[int] = set()
    waiting = list(graph.get(concept, []))
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += graph.get(here, [])
    return concept in found


def test_levels_depth_and_hyponyms_by_hand() -> None:
    """In order: entity; animal, event; pet, storm; dog. The dog is three long, by way of pet."""
    taxonomy = build_taxonomy(WORDS, ANIMALS)
    assert taxonomy.levels.tolist() == [0, 1, 3, 5, 6]
    assert taxonomy.hyponyms.tolist() == [5, 2, 1, 1, 0, 0]
    assert taxonomy.depth.tolist() == [1, 2, 2, 3, 3, 3]
    assert [row.tolist() for row in map(taxonomy.parents.__getitem__, range(6))] == [
        [], [0], [0], [1], [2], [1, 3],
    ]  # fmt: skip


def test_words_and_their_senses_by_hand() -> None:
    taxonomy = build_taxonomy(WORDS, ANIMALS)
    assert taxonomy.lemmas == ("animal", "dog", "pet", "storm")
    assert taxonomy.concepts("pet").tolist() == [3, 5]
    assert taxonomy.concepts("cake").tolist() == []
    assert taxonomy.ancestors(5) == {5, 3, 1, ROOT}


def test_several_tops_get_a_root_above_them() -> None:
    taxonomy = build_taxonomy({"run": [7], "rain": [3]}, {3: [], 5: [], 7: [5]})
    assert taxonomy.levels.tolist() == [0, 1, 3, 4]
    assert taxonomy.hyponyms.tolist() == [3, 0, 1, 0]
    assert taxonomy.depth.tolist() == [1, 2, 2, 3]
    assert (taxonomy.concepts("rain").tolist(), taxonomy.concepts("run").tolist()) == ([1], [3])


def test_nothing_gives_a_root_alone() -> None:
    taxonomy = build_taxonomy({}, {})
    assert (len(taxonomy), taxonomy.lemmas) == (1, ())
    assert taxonomy.levels.tolist() == [0, 1]
    assert taxonomy.depth.tolist() == [1]
    assert (len(taxonomy.wholes), len(taxonomy.parts)) == (1, 1)


@pytest.mark.parametrize(
    ("senses", "parents", "message"),
    [
        ({}, {1: [1]}, "concept 1 is above itself"),
        ({}, {1: [2], 2: [3], 3: [2]}, "concept 2 is above itself"),
        ({}, {1: [2]}, "concept 2 is named and not there"),
        ({"dog": [2]}, {1: []}, "concept 2 is named and not there"),
    ],
)
def test_graphs_that_are_no_taxonomy(
    senses: dict[str, list[int]], parents: Graph, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        build_taxonomy(senses, parents)


@given(graphs())
def test_what_is_derived_equals_brute_force(graph: Graph) -> None:
    """The ways to the root are listed one by one; ``several`` tops make each one step longer."""
    taxonomy = build_taxonomy({str(concept): [concept] for concept in graph}, graph)
    several = sum(not above for above in graph.values()) != 1
    place = {concept: int(taxonomy.concepts(str(concept))[0]) for concept in graph}
    level = np.repeat(np.arange(len(taxonomy.levels) - 1), np.diff(taxonomy.levels))
    assert len(taxonomy) == len(graph) + several
    assert taxonomy.hyponyms[ROOT] == len(taxonomy) - 1
    for concept, here in place.items():
        ways = ways_up(concept, graph)
        below = [
            other for other in graph if any(concept in way[1:] for way in ways_up(other, graph))
        ]
        assert level[here] == max(map(len, ways)) - 1 + several
        assert taxonomy.depth[here] == min(map(len, ways)) + several
        assert taxonomy.hyponyms[here] == len(below)
        above = {place[node] for way in ways for node in way} | ({ROOT} if several else set())
        assert taxonomy.ancestors(here) == above


@given(graphs())
def test_concepts_come_after_what_they_are_kinds_of(graph: Graph) -> None:
    taxonomy = build_taxonomy({}, graph)
    for concept in range(len(taxonomy)):
        assert all(taxonomy.parents[concept] < concept)
        assert (len(taxonomy.parents[concept]) == 0) == (concept == ROOT)


@given(st.lists(st.lists(st.integers(0, 99))))
def test_rows_come_back_as_they_were(lists: list[list[int]]) -> None:
    rows = Rows.of(lists)
    assert [rows[place].tolist() for place in range(len(rows))] == lists


def test_a_circle_is_opened_where_the_walk_closes_it() -> None:
    """From 1 the walk goes to 2, to 3, and back: the link that closes is 3 -> 1."""
    assert circular_links({1: [2], 2: [3], 3: [1], 4: [1]}) == {(3, 1)}
    assert circular_links({1: [1]}) == {(1, 1)}
    assert circular_links({}) == circular_links(ANIMALS) == set()


def test_a_long_chain_is_walked() -> None:
    chain = {concept: [concept + 1] for concept in range(5000)}
    assert circular_links(chain) == set()
    assert circular_links(chain | {5000: [0]}) == {(5000, 0)}


@given(tangles())
def test_without_the_circular_links_no_concept_is_above_itself(graph: Graph) -> None:
    closing = circular_links(graph)
    links = {(concept, parent) for concept, above in graph.items() for parent in above}
    opened = {c: [p for p in above if (c, p) not in closing] for c, above in graph.items()}
    assert closing <= links
    assert bool(closing) == any(reaches_itself(concept, graph) for concept in graph)
    assert not any(reaches_itself(concept, opened) for concept in opened)
