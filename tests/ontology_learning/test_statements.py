"""What sentences say of concepts, and what they do not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.ontology_learning.cues import Voice, cues_in
from scenthound.ontology_learning.reading import MOST_LISTED
from scenthound.ontology_learning.sentences import MOST_TOKENS, ConceptFinder, sentences
from scenthound.ontology_learning.statements import statements
from scenthound.text.analyzer import Analyzer

LABELS = (
    "rain", "flood", "landslide", "storm", "storm surge", "wind", "eye", "wave", "dam", "typhoon",
    "slope", "disease", "trigger",
)  # fmt: skip
NOUNS = frozenset({"debris", "rain", "river", "storm"})
RULES = Analyzer("en").rules
FINDER = ConceptFinder(LABELS, RULES.split, RULES.base)

Triple = tuple[str, str, str]


def said(text: str) -> list[Triple]:
    return [
        (found.child, found.kind.value, found.parent)
        for sentence in sentences(text)
        for found in statements(
            sentence.tokens, FINDER.places(sentence.tokens), lambda word: word in NOUNS
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Landslides triggered by rain",
        "Landslides are often triggered by very heavy rain.",
        "The landslide, which was mostly caused by the rain, closed a road.",
        "Slides differ: landslides are due to rain",
        "Landslides result from rain.",
        "A landslide stems from intense rain",
        "Rain triggers landslides.",
        "Rain may also cause a deep landslide.",
        "Rain that leads to landslides is heavy.",
        "Long rain results in landslides downhill.",
        "The rain-induced landslide",
        "People fear the risk of landslides triggered by rain.",
        "Most of the landslides were brought about by rain.",
        "wrapped lines: a landslide is\n  caused by rain",
    ],
)
def test_causes(text: str) -> None:
    assert said(text) == [("landslide", "induced-by", "rain")]


@pytest.mark.parametrize(
    "text",
    [
        "The eye is a part of a typhoon.",
        "An eye is the calmest part of every typhoon",
        "A typhoon consists of an eye.",
        "A strong typhoon is made up of its eye.",
        "Look at the parts of a typhoon, such as the eye.",
        "They measure parts of a typhoon including its small eye.",
    ],
)
def test_parts(text: str) -> None:
    assert said(text) == [("eye", "part-of", "typhoon")]


@pytest.mark.parametrize(
    "text",
    [
        "Landslides are not caused by rain.",
        "Rain doesn't cause floods.",
        "No flood was caused by rain.",
        "Rain hardly ever causes a flood.",
        "The eye is never part of a storm surge.",
        "Floods. Caused by rain, they say.",
        "Floods\nCaused by rain",
        "The flood came after the dam was caused by rain to break.",
        "The foot of the slope is caused by rain.",  # the foot is
        "Flood damage caused by wind",  # the damage is
        "Floods caused by rain clouds",  # the clouds do it
        "Floods caused by the failure of a dam",
        "Floods caused by opening the dam",
        "The storm hit the slope, causing floods.",
        "Debris flows and river floods are caused by wind.",  # no flood, but one of a river
        "Residents of a slope are led to the dam.",
        "A storm brings down the dam.",
        "The map of what a storm would flood are part of the wind.",  # "flood" does something
        "Rain causes rain.",
        "Rain causes nothing.",
        "caused by rain",
        "rain causes",
        "parts of such as",
        "",
    ],
)
def test_what_is_not_said(text: str) -> None:
    assert said(text) == []


def test_both_sides_may_be_lists() -> None:
    assert said("Wind and heavy rain cause floods, waves and a landslide in summer.") == [
        (child, "induced-by", parent)
        for parent in ("rain", "wind")
        for child in ("flood", "wave", "landslide")
    ]


def test_a_comma_alone_is_no_list() -> None:
    assert said("The dam broke in the wind, rain caused floods, disease and waves followed.") == [
        ("flood", "induced-by", "rain")
    ]
    assert said("Rain causes floods, and disease is common.") == [("flood", "induced-by", "rain")]


def test_lists_are_not_endless() -> None:
    wide = " and ".join(["rain", "wind", "wave", "dam", "eye", "slope", "disease", "typhoon"])
    found = said(f"{wide} cause floods")
    assert len(found) == MOST_LISTED and found[0] == ("flood", "induced-by", "typhoon")


def test_the_longest_concept_counts() -> None:
    assert said("Storm surges are caused by wind.") == [("storm surge", "induced-by", "wind")]


def test_a_concept_that_is_a_cue_is_none() -> None:
    assert said("Rain triggers floods.") == [("flood", "induced-by", "rain")]
    assert said("A trigger causes floods.") == []


def test_two_cues_in_one_sentence() -> None:
    assert said("Floods caused by rain that is brought by storms") == [
        ("flood", "induced-by", "rain"),
        ("rain", "induced-by", "storm"),
    ]


def test_the_longest_cue_counts() -> None:
    found = [(place, cue.words, cue.voice) for place, cue in cues_in("it is caused by".split())]
    assert found == [(2, ("caused", "by"), Voice.PASSIVE)]


def test_sentences() -> None:
    found = [sentence.tokens for sentence in sentences("A dam (old)\nbroke. 2.5 m!\nWaves; wind")]
    assert found == [
        ("a", "dam", ",", "old", ",", "broke"), ("2",), ("5", "m"), ("waves",), ("wind",),
    ]  # fmt: skip
    assert [found.tokens for found in sentences("dam\n  wave\n\n rain")] == [
        ("dam", "wave"), ("rain",)
    ]  # fmt: skip
    (one,) = sentences("Rain-induced floods")
    assert one.tokens == ("rain", "induced", "floods")
    assert one.spans == ((0, 4), (5, 12), (13, 19))


def test_an_endless_sentence_is_cut() -> None:
    text = "rain causes floods " * 10_000
    assert max(len(sentence.tokens) for sentence in sentences(text)) == MOST_TOKENS
    assert set(said(text)) == {("flood", "induced-by", "rain")}


WORDS = st.sampled_from(
    "rain storm surge flood floods causes caused by is are part parts of such as not and , . \n "
    "the which leads to".split(" ")
)


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_any_text_gives_statements_about_two_concepts(text: str) -> None:
    for sentence in sentences(text):
        places = FINDER.places(sentence.tokens)
        for found in statements(sentence.tokens, places, lambda word: word in NOUNS):
            assert found.child != found.parent and {found.child, found.parent} <= set(LABELS)
            assert 0 <= found.start < found.end <= len(sentence.tokens)
