"""What is a part of what: by hand, from a folder with good and bad pointers, in WordNet 3.0."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.wordnet_building import DATA_NOUN, DATA_VERB, HEAD, write
from scenthound.lexicon.database import read_database
from scenthound.lexicon.taxonomy import Rows, Taxonomy, build_taxonomy
from scenthound.lexicon.wordnet import shipped

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


@pytest.mark.parametrize("links", [{1: [2]}, {2: [1]}, {2: []}])
def test_a_part_or_a_whole_that_is_not_there(links: dict[int, list[int]]) -> None:
    with pytest.raises(ValueError, match="concept 2 is named and not there"):
        build_taxonomy({}, {1: []}, links)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1)), min_size=n)))
def test_turned_rows_against_a_search_of_all_rows(lists: Links) -> None:
    expected = [
        [row for row, values in enumerate(lists) for value in values if value == place]
        for place in range(len(lists))
    ]
    assert as_lists(Rows.of(lists).turned()) == expected


def test_no_rows_turned_are_none() -> None:
    assert as_lists(Rows.of([]).turned()) == []


def test_a_folder_says_it_at_either_end(tmp_path: Path) -> None:
    nouns = read_database(write(tmp_path), pytest.fail).nouns
    assert wholes(nouns, "wolf") == {"group", "pack"}
    assert wholes(nouns, "storm") == {"event"}
    assert parts(nouns, "event") == {"storm", "tempest"}
    assert len(nouns.wholes.values) == len(nouns.parts.values) == 2


def test_both_ends_are_one_fact(tmp_path: Path) -> None:
    twice = pointing(91, "#p 00000090 n")
    nouns = read_database(write(tmp_path, data_noun=twice), pytest.fail).nouns
    assert len(nouns.wholes.values) == 2


@pytest.mark.parametrize("pointer", ["#m 00000070 n", "#s 00000070 n", "%m 00000070 n"])
def test_members_and_substances_are_no_parts(tmp_path: Path, pointer: str) -> None:
    folder = write(tmp_path, data_noun=pointing(30, pointer))
    assert len(read_database(folder, pytest.fail).nouns.wholes.values) == 2


def test_a_pointer_to_another_part_of_speech_is_passed_over(tmp_path: Path) -> None:
    folder = write(tmp_path, data_noun=pointing(30, "#p 00000011 v"))
    assert wholes(read_database(folder, pytest.fail).nouns, "pet") == set()


def test_a_folder_without_parts_has_none(tmp_path: Path) -> None:
    bare = DATA_NOUN.replace("#p", "#m").replace("%p", "%m")
    nouns = read_database(write(tmp_path, data_noun=HEAD + bare), pytest.fail).nouns
    assert as_lists(nouns.wholes) == as_lists(nouns.parts) == [[]] * len(nouns)


@pytest.mark.parametrize(
    "pointer",
    ["#p 00000099 n", "%p 00000099 n", "#p 0000x070 n", "%p -0000070 n", "#p 00000030 n"],
)
def test_a_bad_pointer_is_left_out_and_told(tmp_path: Path, pointer: str) -> None:
    """To no synset, to no number, to itself; the other parts are there as before."""
    said: list[str] = []
    folder = write(tmp_path, data_noun=pointing(30, pointer))
    nouns = read_database(folder, said.append).nouns
    assert len(said) == 1
    assert said[0].endswith("to the same one (1 in all).") and "data.noun" in said[0]
    assert wholes(nouns, "pet") == set() and wholes(nouns, "storm") == {"event"}


def test_circles_are_left_alone(tmp_path: Path) -> None:
    circle = pointing(30, "#p 00000080 n", "%p 00000080 n")
    nouns = read_database(write(tmp_path, data_noun=circle), pytest.fail).nouns
    assert wholes(nouns, "pet") == parts(nouns, "pet") == {"species"}


def test_verbs_of_a_foreign_folder(tmp_path: Path) -> None:
    """WordNet has no parts of verbs; where a folder has, they are read like those of nouns."""
    odd = DATA_VERB.replace("001 ~ 00000021 v", "001 %p 00000021 v")
    verbs = read_database(write(tmp_path, data_verb=HEAD + odd), pytest.fail).verbs
    assert wholes(verbs, "run") == {"move"}


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("wheel", "wheeled vehicle"), ("finger", "hand"), ("raindrop", "rain"),
        ("classroom", "schoolhouse"), ("stratosphere", "atmosphere"), ("low", "cyclone"),
    ],
)  # fmt: skip
def test_facts_that_anybody_can_look_up(part: str, whole: str) -> None:
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
