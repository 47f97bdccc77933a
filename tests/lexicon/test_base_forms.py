"""From inflected words to base forms: the rules alone, a little WordNet, the shipped one."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexicon.wordnet_building import write
from scenthound.lexicon.folding import fold
from scenthound.lexicon.morphology import detached, irregular_bases, regular_bases
from scenthound.lexicon.wordnet import load_wordnet, shipped

LEMMAS = frozenset("axe axis ax bus bos boss gas ga lens lense glass glasses ox".split())
EXCEPTIONS = {"axes": ("ax", "axis"), "gas": ("gas",), "oxen": ("ox",), "feet": ("foot",)}


@pytest.mark.parametrize(
    ("word", "part", "expected"),
    [
        ("storms", "noun", ["storm"]),
        ("lenses", "noun", ["lense", "lens"]),
        ("boxes", "noun", ["boxe", "box"]),
        ("quizzes", "noun", ["quizze", "quizz"]),
        ("churches", "noun", ["churche", "church"]),
        ("dishes", "noun", ["dishe", "dish"]),
        ("firemen", "noun", ["fireman"]),
        ("cities", "noun", ["citie", "city"]),
        ("flooded", "verb", ["floode", "flood"]),
        ("racing", "verb", ["race", "rac"]),
        ("flies", "verb", ["flie", "fly", "flie", "fli"]),
        ("boss", "noun", []),
        ("is", "noun", []),
        ("men", "noun", []),
        ("ing", "verb", []),
        ("", "noun", []),
    ],
)
def test_rules_of_detachment(word: str, part: str, expected: list[str]) -> None:
    assert detached(word, part) == expected


@pytest.mark.parametrize(
    ("word", "irregular", "regular"),
    [
        ("axes", ["ax", "axis"], ["axe", "ax"]),
        ("lenses", [], ["lense", "lens"]),
        ("glasses", [], ["glass"]),
        ("gas", ["gas"], ["ga"]),  # its own base, so that no rule makes it "ga"
        ("boss", [], []),
        ("oxen", ["ox"], []),
        ("feet", [], []),  # listed, and "foot" is no lemma here
        ("zebras", [], []),
    ],
)
def test_bases_among_a_few_lemmas(word: str, irregular: list[str], regular: list[str]) -> None:
    is_lemma = LEMMAS.__contains__
    assert irregular_bases(word, EXCEPTIONS, is_lemma) == irregular
    assert regular_bases(word, "noun", is_lemma) == regular


def test_a_little_wordnet(tmp_path: Path) -> None:
    wordnet = load_wordnet(write(tmp_path))
    assert wordnet.origin == str(tmp_path)
    words = ("dogs", "tropical storms", "wolves", "species", "ran", "rained", "cats")
    assert [wordnet.base(word) for word in words] == [
        "dog", "tropical storm", "wolf", "species", "run", "rain", "cat",
    ]  # fmt: skip


def test_exceptions_that_run_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    """dog has one sense and pack two, so the way leads to pack, and no further."""
    wordnet = load_wordnet(write(tmp_path, noun_exc="dog pack\npack dog\nhounds dog\n"))
    assert wordnet.base("hounds") == wordnet.base("dog") == wordnet.base("pack") == "pack"


BASES = {
    "storms": "storm", "hurricanes": "hurricane", "railways": "railway", "cities": "city",
    "ties": "tie", "movies": "movie", "cookies": "cookie", "churches": "church", "dishes": "dish",
    "boxes": "box", "classes": "class", "buses": "bus", "gases": "gas", "lenses": "lens",
    "houses": "house", "cases": "case", "shoes": "shoe", "toes": "toe", "topics": "topic",
    "comics": "comic", "menus": "menu", "quizzes": "quiz", "mens": "man",
    "leaves": "leaf", "wolves": "wolf", "children": "child", "men": "man", "women": "woman",
    "teeth": "tooth", "mice": "mouse", "oxen": "ox", "potatoes": "potato", "indices": "index",
    "crises": "crisis", "analyses": "analysis", "axes": "axis", "bases": "base",
    "times": "time", "years": "year", "windows": "window", "humans": "human",
    "flooded": "flood", "went": "go", "rated": "rate", "stopped": "stop", "carried": "carry",
    "written": "write", "located": "locate",
}  # fmt: skip
UNCHANGED = """storm gas bus class analysis species series news physics mathematics statistics
glasses customs mars wales omen texas athens data dive trivia flooding building making as café
zzyzx wordnet""".split()


@pytest.mark.parametrize("word", BASES)
def test_base_forms_by_the_shipped_wordnet(word: str) -> None:
    assert shipped().base(word) == BASES[word]


@pytest.mark.parametrize("word", UNCHANGED)
def test_words_that_are_their_own_base(word: str) -> None:
    assert shipped().base(word) == word


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
