"""A reader that shares a counter gives the very bags of one that counts by itself."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.model import Document
from scenthound.text import analyzer as module
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import rules_of, text_representation, unexpected_language
from scenthound.text.term_counts import TextCounters
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet, shipped
from text.slow_terms import counted
from text.wordnet_building import FILES, write

PHRASES = """tropical rain forests | Rain Forest | united states | United States of America |
world war ii | World Wars | trades union movement | prisoners of war | heat waves | wave equations |
second world war | take off""".replace("\n", " ").split(" | ")
"""Of WordNet, whole and in part, inflected, overlapping; the last two begin with a stop word."""
ANY_WORDS = """storm Storms flooded the of and ones used 1987 2 x é 雨 café zzyzx podcasts ii world
war states union rain tropical wave mice running""".split()
LONG_TEXT = ["a" * 40, "b" * 41, "hurricane" * 10]
ANY_TEXTS = st.lists(st.sampled_from([*PHRASES, *ANY_WORDS, *LONG_TEXT]), max_size=12).flatmap(
    lambda parts: st.sampled_from([" ", ", ", "-", "\n"]).map(lambda sign: sign.join(parts))
)
KEYWORDS = [
    "tropical cyclone", "natural disaster", "second world war", "take off", "eye of 2 storms",
]  # fmt: skip
PARTS = """tropical cyclone | Tropical cyclones | natural disasters | rain forest | World Wars |
second world war | seconds | world | cyclone | tropical | disaster | take | takes off | off | of |
eye of 2 storms | eyes | storm | 2 | the | café | zzyzx | used | comics | 雨 | mice | a""".replace(
    "\n", " "
).split(" | ")
LONG = " ".join(PARTS * 8)
TEXTS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join), st.just(LONG), st.just(LONG[5:])
)
BATCHES = st.lists(st.lists(TEXTS, max_size=5), min_size=1, max_size=4)


def same(one: Analyzer, other: Analyzer, batches: Sequence[Sequence[str]]) -> None:
    """Both count alike, and number the terms alike."""
    for texts in batches:
        ours, theirs = one.bags(texts), other.bags(texts)
        assert len(ours) == len(theirs) == len(texts)
        for row in range(len(texts)):
            assert ours[row].ids.tolist() == theirs[row].ids.tolist()
            assert ours[row].counts.tolist() == theirs[row].counts.tolist()
            assert ours[row].ids.dtype == theirs[row].ids.dtype
    assert one.vocabulary.terms() == other.vocabulary.terms()


@given(BATCHES, BATCHES, st.integers(0, 3), st.integers(0, 5))
@settings(max_examples=15)
def test_bags_and_numbers_are_the_same(
    before: list[list[str]], batches: list[list[str]], others: int, own: int
) -> None:
    """Whatever other topics have read before, remembered or not, and with little memory."""
    for memory in (0, 3_000, 10**6):
        shared = TextCounters(memory)
        for texts in before:
            Analyzer(phrases=KEYWORDS[:others], counters=shared).bags(texts)
        analyzer = Analyzer(phrases=KEYWORDS[:own], counters=shared)
        same(analyzer, Analyzer(phrases=KEYWORDS[:own]), batches)


@given(BATCHES, st.sampled_from(["de", "fr", "zh", "tr", "xx", "en-GB"]))
@settings(max_examples=15)
def test_in_other_languages(batches: list[list[str]], language: str) -> None:
    shared = TextCounters(10**6)
    for keywords in (KEYWORDS, []):
        analyzer = Analyzer(language, None, keywords, shared)
        same(analyzer, Analyzer(language, None, keywords), batches)


def test_occurrences_and_pages_in_other_languages_are_those_of_a_run_alone() -> None:
    page = Document(text="Der Sturm und die Wellen an der Küste war stark. " * 30, language="de")
    shared = TextCounters(10**6)
    for _ in range(2):
        ours, theirs = Analyzer(counters=shared), Analyzer()
        for analyzer in (ours, theirs):
            analyzer.page_bag(page)
            analyzer.bag(page.full)  # as English
        assert ours.vocabulary.terms() == theirs.vocabulary.terms()
        assert ours.page_bag(page).ids.tolist() == theirs.page_bag(page).ids.tolist()
        assert len(ours.page_bag(page)) < len(ours.bag(page.full))  # "die", "war" are no terms
    ours, theirs = (
        Analyzer(phrases=KEYWORDS, counters=TextCounters(10**6)),
        Analyzer(phrases=KEYWORDS),
    )
    for text in ("storm surges", LONG, "cyclone"):
        assert ours.bag(text).ids.tolist() == theirs.bag(text).ids.tolist()
        found, expected = ours.occurrences(f"x {text}"), theirs.occurrences(f"x {text}")
        assert found.terms.tolist() == expected.terms.tolist()
    assert ours.vocabulary.terms() == theirs.vocabulary.terms()


def test_topics_with_the_same_phrases_share_counts() -> None:
    shared = TextCounters(10**6)
    for keywords, kept in (((), 1), (KEYWORDS[:2], 2), (KEYWORDS[:2], 2)):
        found = Analyzer(phrases=keywords, counters=shared).count(LONG)
        assert found.get("tropical cyclone", 0) == (16 if keywords else 0)
        assert len(shared._counters) == kept


def test_too_many_terms_or_ways_of_reading_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[TextCounters.__module__], "_MAX_TERMS", 5)
    shared, theirs = TextCounters(10**6), Analyzer()
    first = Analyzer(counters=shared)
    same(first, theirs, [[LONG, "storm"], ["mice", "storm"]])
    same(Analyzer(counters=shared), Analyzer(), [["mice", LONG]])
    same(first, theirs, [["a cafe in the storm", LONG[9:]]])  # the old one goes on
    same(Analyzer(counters=shared), Analyzer(), [[LONG[9:], "a cafe in the storm"]])
    monkeypatch.setattr(sys.modules[TextCounters.__module__], "_MAX_COUNTERS", 3)
    shared = TextCounters(10**6)
    for turn in range(10):
        keywords = [f"tropical kettle{turn}"]
        analyzer = Analyzer(phrases=keywords, counters=shared)
        same(analyzer, Analyzer(phrases=keywords), [[f"tropical kettle{turn} storm"]])


def test_a_word_whose_stem_has_a_stem_may_stand_in_either_form() -> None:
    """Snowball makes "absente" of "absentee", and "absent" of "absente"."""
    texts = ["absentee wirbelsturm", "absente wirbelsturm", "absent wirbelsturm", "wirbelsturm"]
    keywords = ["absentee wirbelsturm"]
    ours, theirs = (
        Analyzer("de", None, keywords, TextCounters(10**6)),
        Analyzer("de", None, keywords),
    )
    same(ours, theirs, [texts])
    assert ["absente wirbelsturm" in ours.count(text) for text in texts] == [True] * 2 + [False] * 2


# Pages in another language than the topic's: told apart cheaply, and read without harm.

ENGLISH = (
    "The storm reached the coast in the evening, and the river rose over its banks. Many of the "
    "houses were under water, but nobody was hurt."
)
GERMAN = (
    "Der Sturm erreichte am Abend die Küste, und der Fluss trat über die Ufer. Viele der Häuser "
    "standen unter Wasser, aber niemand war verletzt, und die Lage ist nun ruhig."
)
RUSSIAN = "Буря достигла побережья вечером, и река вышла из берегов."
CHINESE = "台风晚上到达海岸，河水漫过堤岸，许多房屋被淹，没有人受伤。"
JAPANESE = "台風は夕方に海岸に到達し、川は堤防を越えてあふれた。"


def test_unexpected_language() -> None:
    cases: list[tuple[str, str | None, str, str | None]] = [
        (ENGLISH, "en", "en", None),
        (ENGLISH, None, "en", None),
        (GERMAN, None, "en", None),  # nothing tells it cheaply
        (GERMAN, "en", "en", None),
        (GERMAN, "de-AT", "en", "de"),
        (ENGLISH, "de", "en", None),  # the template is German, the page is not
        (ENGLISH, "en-GB", "de", "en"),
        (GERMAN, "en", "de", None),
        ("Sturm Kontakt", "de", "en", None),  # too little to say
        (RUSSIAN, None, "en", "und-Cyrl"),
        (RUSSIAN, "en", "en", "und-Cyrl"),
        (RUSSIAN, "ru", "en", "ru"),
        (RUSSIAN, "bg", "ru", None),  # no more Bulgarian than Russian
        (ENGLISH, None, "ru", "und-Latn"),
        (ENGLISH, "en", "ru", "en"),
        (CHINESE, None, "en", "zh"),
        (CHINESE, "zh-CN", "ja", "zh"),
        (CHINESE * 3, None, "ja", "zh"),
        (CHINESE, "zh-CN", "zh", None),
        (JAPANESE, None, "zh", "ja"),
        (JAPANESE, "ja", "ja", None),
        (f"{ENGLISH} {CHINESE}", None, "en", None),
        (GERMAN, "de", "tlh", "de"),
        (ENGLISH, "tlh", "en", None),
        (GERMAN, "tlh", "en", "tlh"),
        (ENGLISH, "de", "no language", None),
        ("", "de", "en", None),
        ("1234 " * 100, "de", "en", None),
    ]
    for text, declared, expected, found in cases:
        assert unexpected_language(text, declared, expected) == found
    menu = "Home, and all about us and our service to you. " * 20
    assert unexpected_language(menu + GERMAN * 20 + menu, "de", "en") == "de"


def test_a_page_in_another_language_than_the_topic() -> None:
    analyzer = Analyzer("en", phrases=["war", "storm"])
    page = Document(text=GERMAN, language="de")
    assert analyzer.language_of(page) == "de"
    assert analyzer.count(GERMAN).items() >= {"war": 1, "die": 3}.items()
    terms = analyzer.vocabulary.terms(analyzer.page_bag(page).ids.tolist())
    assert "war" not in terms and "die" not in terms and "sturm" in terms
    # The topic file may just lack its language.
    analyzer = Analyzer("en", phrases=["Jahr"])
    text = f"{GERMAN} Das Jahr war ein Jahr der Stürme."
    bag = analyzer.page_bag(Document(text=text, language="de"))
    counts = dict(
        zip(analyzer.vocabulary.terms(bag.ids.tolist()), bag.counts.tolist(), strict=True)
    )
    assert counts["jahr"] == 2
    analyzer = Analyzer("en")
    page = Document(text=CHINESE, language="zh")
    terms = analyzer.vocabulary.terms(analyzer.page_bag(page).ids.tolist())
    assert "台风" in terms and max(map(len, terms)) <= 4


# Where terms stand: the same terms as the bag has, each at its words.

ANALYZER = Analyzer(phrases=["severe weather"])
WORDS = st.sampled_from("the storm surges surge of severe weather front door 7 a".split())


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_as_often_as_the_bag_counts_them(text: str) -> None:
    found = ANALYZER.occurrences(text)
    counted = Counter(ANALYZER.vocabulary.term(term) for term in found.terms)
    assert counted == ANALYZER.count(text)


def test_a_cut_keeps_the_terms_that_lie_wholly_before_it() -> None:
    whole = ANALYZER.occurrences("flood and severe weather")
    cut = whole.within(3)
    assert cut.words == ["flood", "and", "severe"]
    assert {ANALYZER.vocabulary.term(term) for term in cut.terms} == {"flood", "severe"}
    assert whole.within(4) is whole


# The analyzer against counting word by word, on texts of all kinds of words.


@given(ANY_TEXTS)
def test_counts_are_those_of_the_slow_reference(text: str) -> None:
    assert Analyzer().count(text) == counted(text)


@given(st.lists(ANY_TEXTS | ANY_TEXTS.map(lambda text: f"{text} storm " * 150), max_size=5))
def test_many_texts_at_once_are_counted_like_one_by_one(texts: list[str]) -> None:
    together, alone = Analyzer(), Analyzer()
    bags = together.bags(texts)
    assert len(bags) == len(texts)
    for row, text in enumerate(texts):
        terms = together.vocabulary.terms(bags[row].ids.tolist())
        found = dict(zip(terms, bags[row].counts.tolist(), strict=True))
        assert found == alone.count(text)


def test_given_phrases_are_found_and_none_runs_into_the_next_text(tmp_path: Path) -> None:
    analyzer = Analyzer()
    analyzer.bags(["a rain", "forest", "", "world", "war ii"])
    assert "rain forest" not in analyzer.vocabulary.terms()
    assert "world war" not in analyzer.vocabulary.terms()
    expected = {"tropical": 1, "cyclone": 1}
    assert Analyzer().count("tropical cyclones") == expected
    given_ = Analyzer(phrases=["Tropical Cyclones", "storm"])
    assert given_.count("A tropical-cyclone!") == {**expected, "tropical cyclone": 1}
    # The one begins with a stop word, and the other is a verb that does.
    for phrase in ["second world war", "take off"]:
        assert phrase not in Analyzer().count(phrase)
        assert Analyzer(phrases=[phrase]).count(phrase)[phrase] == 1
    # It knows wolves, dogs and tropical storms, and no forest of rain.
    analyzer = Analyzer(wordnet=load_wordnet(write(tmp_path)))
    assert analyzer.count("Wolves, tropical storms, rain forest") == {
        "wolf": 1, "tropical": 1, "storm": 1, "tropical storm": 1, "rain": 1, "forest": 1,
    }  # fmt: skip


@given(ANY_TEXTS.map(lambda text: f"tropical cyclone {text} tropical cyclones"))
def test_given_phrases_are_searched_apart(text: str) -> None:
    """So a phrase of WordNet that overlaps them is found as well."""
    own = [("tropical", "cyclone"), ("cyclone", "rain")]
    analyzer = Analyzer(phrases=map(" ".join, own))
    assert analyzer.count(text) == counted(text, own)


@given(st.lists(ANY_TEXTS, min_size=1, max_size=4))
def test_a_table_of_forms_that_is_full_is_begun_again(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CACHED_FORMS", 2)
        narrow = Analyzer(phrases=["tropical cyclone"])
        found = [narrow.count(text) for text in texts * 2]
    wide = Analyzer(phrases=["tropical cyclone"])
    assert found == [wide.count(text) for text in texts * 2]
    assert narrow.vocabulary.terms() == wide.vocabulary.terms()


# Change anything that terms depend on, and the way of reading is another one.


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return load_wordnet(write(tmp_path / "first"))


def test_all_changes_are_different_ways(wordnet: WordNet) -> None:
    english, lexicons = rules_of("en", wordnet), [None, wordnet, shipped()]
    of_topic = [
        replace(english, language="en-GB"),
        replace(english, folding="stems"),
        replace(english, cutting="pairs"),
    ]
    of_page = [
        replace(english, language="de"),
        replace(english, cutting="pairs"),
        replace(english, stops=english.stops | {"storm"}),
        replace(english, stops=frozenset()),
        replace(english, stop_bases=frozenset({"storm"})),
    ]
    ways = [
        *(text_representation(english, english, lexicon) for lexicon in lexicons),
        *(text_representation(own, english, wordnet) for own in of_topic),
        *(text_representation(english, rules, wordnet) for rules in of_page),
    ]
    assert len(set(ways)) == len(ways)


def test_a_second_wordnet_counts_again(wordnet: WordNet, tmp_path: Path) -> None:
    # Through every part: what the first one had counted is not found.
    long_page = "The wolves ran through the rain and the tropical storm. " * 30
    for file, line in [("noun.exc", "ranwolves wolf\n"), ("verb.exc", "rained rain\n")]:
        shared = TextCounters(10**6)
        second = load_wordnet(write(tmp_path / "second", {**FILES, file: FILES[file] + line}))
        for lexicon, kept in ((wordnet, 1), (wordnet, 1), (second, 2)):
            Analyzer(wordnet=lexicon, counters=shared).bag(long_page)
            assert len(shared._counters) == kept
