"""What is a part of what: by hand, from a folder with good and bad pointers, in WordNet 3.0."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.wordnet import ROOT, Rows, Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import cycle_links, read_database, shipped
from text.wordnet_building import DATA_NOUN, HEAD, write

Links = list[list[int]]


def as_lists(rows: Rows) -> Links:
    return [rows[place].tolist() for place in range(len(rows))]


def names(taxonomy: Taxonomy, concepts: list[int]) -> set[str]:
    """Every lemma of the concepts."""
    return {
        lemma
        for lemma, number in taxonomy.index.items()
        if set(taxonomy.senses[number].tolist()) & set(concepts)
    }


def wholes(taxonomy: Taxonomy, lemma: str) -> set[str]:
    """What the first sense of a lemma is a part of, in words."""
    return names(taxonomy, taxonomy.wholes[taxonomy.concepts(lemma)[0]].tolist())


def parts(taxonomy: Taxonomy, lemma: str) -> set[str]:
    return names(taxonomy, taxonomy.parts[taxonomy.concepts(lemma)[0]].tolist())


def pointing(line: int, *pointers: str) -> str:
    """``data.noun`` with more pointers on the synset of that number, which has one so far."""
    start, end = f"{line:08} ", " 001 @ "
    lines = DATA_NOUN.splitlines(keepends=True)
    (place,) = (place for place, text in enumerate(lines) if text.startswith(start))
    assert lines[place].count(end) == 1
    more = "".join(f"{pointer} 0000 " for pointer in pointers)
    lines[place] = lines[place].replace(end, f" {1 + len(pointers):03} {more}@ ")
    return HEAD + "".join(lines)


def test_by_hand() -> None:
    """3 thing; 1 wheel, 2 car, 4 rim: numbered 1, 2, 3 below 0. A rim is said to be of two."""
    taxonomy = build_taxonomy({}, {3: [], 1: [3], 2: [3], 4: [3]}, {1: [2], 4: [2, 1, 2]})
    assert as_lists(taxonomy.wholes) == [[], [2], [], [1, 2]]
    assert as_lists(taxonomy.parts) == [[], [3], [1, 3], []]


def test_the_root_that_is_put_above_has_no_part_in_it() -> None:
    taxonomy = build_taxonomy({}, {5: [], 7: []}, {5: [7]})
    assert as_lists(taxonomy.wholes) == [[], [2], []]
    assert as_lists(taxonomy.parts) == [[], [], [1]]


def test_a_part_or_a_whole_that_is_not_there() -> None:
    cases: list[dict[int, list[int]]] = [{1: [2]}, {2: [1]}, {2: []}]
    for links in cases:
        with pytest.raises(ValueError, match="concept 2 is named and not there"):
            build_taxonomy({}, {1: []}, links)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1)), min_size=n)))
def test_turned_rows_against_a_search_of_all_rows(lists: Links) -> None:
    expected = [
        [row for row, values in enumerate(lists) for value in values if value == place]
        for place in range(len(lists))
    ]
    assert as_lists(Rows.of(lists).inverted()) == expected


def test_a_folder_says_it_at_either_end(tmp_path: Path) -> None:
    nouns = read_database(write(tmp_path), pytest.fail).nouns
    assert wholes(nouns, "wolf") == {"group", "pack"}
    assert wholes(nouns, "storm") == {"event"}
    assert parts(nouns, "event") == {"storm", "tempest"}
    assert len(nouns.wholes.values) == len(nouns.parts.values) == 2


def test_members_and_substances_are_no_parts(tmp_path: Path) -> None:
    for pointer in ["#m 00000070 n", "#s 00000070 n", "%m 00000070 n"]:
        folder = write(tmp_path, data_noun=pointing(30, pointer))
        assert len(read_database(folder, pytest.fail).nouns.wholes.values) == 2


def test_a_bad_pointer_is_left_out_and_told(tmp_path: Path) -> None:
    """To no synset, to no number, to itself; the other parts are there as before."""
    for pointer in [
        "#p 00000099 n",
        "%p 00000099 n",
        "#p 0000x070 n",
        "%p -0000070 n",
        "#p 00000030 n",
    ]:
        said: list[str] = []
        folder = write(tmp_path, data_noun=pointing(30, pointer))
        nouns = read_database(folder, said.append).nouns
        assert len(said) == 1
        assert said[0].endswith("to the same one (1 in all).") and "data.noun" in said[0]
        assert wholes(nouns, "pet") == set() and wholes(nouns, "storm") == {"event"}


def test_facts_that_anybody_can_look_up() -> None:
    for part, whole in [
        ("wheel", "wheeled vehicle"), ("finger", "hand"), ("raindrop", "rain"),
        ("classroom", "schoolhouse"), ("stratosphere", "atmosphere"), ("low", "cyclone"),
    ]:  # fmt: skip
        nouns = shipped().nouns
        assert whole in wholes(nouns, part)
        assert part in names(nouns, nouns.parts[nouns.wholes[nouns.concepts(part)[0]][0]].tolist())


def test_parts_of_wordnet() -> None:
    """9,097 pointers #p in data.noun of 3.0, and as many %p; storm has one part."""
    nouns = shipped().nouns
    assert len(nouns.wholes) == len(nouns.parts) == len(nouns)
    assert len(nouns.wholes.values) == len(nouns.parts.values) == 9_097
    assert parts(nouns, "storm") == {"storm center", "storm centre"}
    assert "bumper" in parts(nouns, "car") and wholes(nouns, "car") == set()
    assert wholes(nouns, "typhoon") == parts(nouns, "typhoon") == set()
    assert len(shipped().verbs.wholes.values) == 0


# Taxonomies: by hand on six concepts, by brute force on random graphs.


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


def test_graphs_that_are_no_taxonomy() -> None:
    cases: list[tuple[dict[str, list[int]], Graph, str]] = [
        ({}, {1: [1]}, "concept 1 is above itself"),
        ({}, {1: [2], 2: [3], 3: [2]}, "concept 2 is above itself"),
        ({}, {1: [2]}, "concept 2 is named and not there"),
        ({"dog": [2]}, {1: []}, "concept 2 is named and not there"),
    ]
    for senses, parents, message in cases:
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


@given(st.lists(st.lists(st.integers(0, 99))))
def test_rows_come_back_as_they_were(lists: list[list[int]]) -> None:
    rows = Rows.of(lists)
    assert [rows[place].tolist() for place in range(len(rows))] == lists


def test_a_circle_is_opened_where_the_walk_closes_it() -> None:
    """From 1 the walk goes to 2, to 3, and back: the link that closes is 3 -> 1."""
    assert cycle_links({1: [2], 2: [3], 3: [1], 4: [1]}) == {(3, 1)}
    assert cycle_links({1: [1]}) == {(1, 1)}
    assert cycle_links({}) == cycle_links(ANIMALS) == set()


@given(tangles())
def test_without_the_circular_links_no_concept_is_above_itself(graph: Graph) -> None:
    closing = cycle_links(graph)
    links = {(concept, parent) for concept, above in graph.items() for parent in above}
    opened = {c: [p for p in above if (c, p) not in closing] for c, above in graph.items()}
    assert closing <= links
    assert bool(closing) == any(reaches_itself(concept, graph) for concept in graph)
    assert not any(reaches_itself(concept, opened) for concept in opened)
