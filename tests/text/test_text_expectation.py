"""Pages in another language than the topic's: told apart cheaply, and read without harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document
from scenthound.text.analyzer import Analyzer
from scenthound.text.expectation import unexpected_language
from text.test_text_analyzer import TEXTS as ENGLISH_TEXTS

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


@pytest.mark.parametrize(
    ("text", "declared", "expected", "found"),
    [
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
    ],
)
def test_unexpected_language(
    text: str, declared: str | None, expected: str, found: str | None
) -> None:
    assert unexpected_language(text, declared, expected) == found


def test_the_middle_of_a_page_tells_not_its_menus() -> None:
    menu = "Home, and all about us and our service to you. " * 20
    assert unexpected_language(menu + GERMAN * 20 + menu, "de", "en") == "de"


def test_the_stop_words_of_a_page_in_another_language_are_no_terms() -> None:
    analyzer = Analyzer("en", phrases=["war", "storm"])
    page = Document(text=GERMAN, language="de")
    assert analyzer.language_of(page) == "de"
    assert analyzer.count(GERMAN).items() >= {"war": 1, "die": 3}.items()
    terms = analyzer.vocabulary.terms(analyzer.page_bag(page).ids.tolist())
    assert "war" not in terms and "die" not in terms and "sturm" in terms


def test_a_keyword_that_is_no_english_word_counts_on_a_page_of_its_language() -> None:
    """The topic file may just lack its language."""
    analyzer = Analyzer("en", phrases=["Jahr"])
    text = f"{GERMAN} Das Jahr war ein Jahr der Stürme."
    bag = analyzer.page_bag(Document(text=text, language="de"))
    counts = dict(
        zip(analyzer.vocabulary.terms(bag.ids.tolist()), bag.counts.tolist(), strict=True)
    )
    assert counts["jahr"] == 2


def test_words_are_folded_as_the_topic_folds_them() -> None:
    """A German page that writes of hurricanes is found by a topic that names a hurricane."""
    analyzer = Analyzer("en", phrases=["hurricane"])
    page = Document(text=f"{GERMAN} Hurricanes", language="de")
    number = analyzer.vocabulary.find("hurricane")
    assert number is None
    ids = analyzer.page_bag(page).ids.tolist()
    assert "hurricane" in analyzer.vocabulary.terms(ids)


def test_a_page_without_blanks_is_cut_into_words() -> None:
    analyzer = Analyzer("en")
    page = Document(text=CHINESE, language="zh")
    terms = analyzer.vocabulary.terms(analyzer.page_bag(page).ids.tolist())
    assert "台风" in terms and max(map(len, terms)) <= 4


def test_all_texts_of_a_page_are_read_by_one_reader() -> None:
    analyzer = Analyzer("en")
    page = Document("Titel", GERMAN, language="de")
    reader = analyzer.reader(page)
    assert reader is analyzer.reader(page)
    assert len(reader.bags(["die war", "Sturm"])[0]) == 0
    assert reader is not analyzer.reader(Document(text=ENGLISH, language="de"))


def test_readers_of_languages_without_rules_are_the_topics_own() -> None:
    analyzer = Analyzer("en")
    assert analyzer.reader(Document(text=RUSSIAN)) is analyzer.reader(Document(text=ENGLISH))


def test_pages_that_make_up_codes_are_read_like_any() -> None:
    analyzer = Analyzer("en")
    plain = analyzer.bag(f"\n{GERMAN}")
    for code in ("qa" + letter for letter in "abcdefghijklmnopqrstuvwxyz"):
        page = Document(text=GERMAN, language=code)
        assert analyzer.language_of(page) == code
        assert analyzer.page_bag(page).ids.tolist() == plain.ids.tolist()


@given(st.lists(ENGLISH_TEXTS, max_size=3), st.sampled_from([None, "en", "en-gb"]))
def test_english_is_read_as_ever(texts: list[str], declared: str | None) -> None:
    """That a plain analyzer counts these texts right is tested against a slow count elsewhere."""
    plain, marked = Analyzer(), Analyzer()
    for text in texts:
        page = Document(text=text, language=declared)
        ours, theirs = marked.page_bag(page), plain.bag(page.full)
        assert ours.ids.tolist() == theirs.ids.tolist()
        assert ours.counts.tolist() == theirs.counts.tolist()
    assert plain.vocabulary.terms() == marked.vocabulary.terms()
