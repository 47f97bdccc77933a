"""Terms of texts in many languages, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import rules_of
from scenthound.text.stemming import ALGORITHMS, stemmer
from scenthound.text.stopwords import stop_words

COUNTS = {
    "de": (
        "Die Wirbelstürme zerstörten Häuser an der Küste; ein Wirbelsturm, das Haus.",
        {"wirbelsturm": 2, "zerstort": 1, "haus": 2, "kust": 1},
    ),
    "fr": (
        "Les tempêtes ont inondé les côtes ; l'inondation et la tempête",
        {"tempêt": 2, "inond": 2, "côt": 1},
    ),
    "es": ("Los huracanes y el huracán", {"huracan": 2}),
    "ru": ("Тайфуны и тайфун разрушили побережье", {"тайфун": 2, "разруш": 1, "побереж": 1}),
    "ar": ("العاصفةُ و عَاصِفَة، عـــاصفة", {"عاصف": 3}),
    "tr": ("FIRTINA, fırtına, IŞIK ve İstanbul", {"fırt": 2, "ışık": 1, "istanbul": 1}),
    "el": ("Η ΚΑΤΑΙΓΙΔΑ και οι καταιγίδες· ΔΡΟΜΟΣ, δρόμος", {"καταιγιδ": 2, "δρομ": 2}),
    "he": ("הַסּוּפָה של הסופה", {"הסופה": 2}),
    "fa": ("كتاب کتاب", {"کتاب": 2}),
    "zh": ("台风的路径和ＡＢＣ abc", {"台风": 1, "路径": 1, "abc": 2}),
    "ja": ("台風は海岸に。ﾀｲﾌｰﾝとタイフーン", {"台風": 1, "海岸": 1, "タイフーン": 2}),
    "ko": ("태풍이 태풍은", {"태풍": 2, "풍이": 1, "풍은": 1}),
    "th": ("พายุ ฝั่ง", {"พา": 1, "ายุ": 1, "ฝั่ง": 1}),
}


@pytest.mark.parametrize("language", COUNTS)
def test_terms(language: str) -> None:
    text, counts = COUNTS[language]
    assert Analyzer(language).count(text) == counts


@pytest.mark.parametrize("language", COUNTS)
def test_the_words_of_a_keyword_are_found_on_a_page(language: str) -> None:
    text, counts = COUNTS[language]
    assert Analyzer(language, phrases=[text]).count(text).items() >= counts.items()


def test_phrases_are_found_in_every_inflection() -> None:
    analyzer = Analyzer("fr", phrases=["cyclone tropical"])
    assert analyzer.count("les cyclones tropicaux") == {"cyclon": 1, "tropical": 1} | {
        "cyclon tropical": 1
    }


def test_words_of_several_scripts_in_one_text() -> None:
    analyzer = Analyzer("zh")
    assert analyzer.count("台风Hagupit登陆, буря storm") == {
        "台风": 1, "hagupit": 1, "登陆": 1, "буря": 1, "storm": 1,
    }  # fmt: skip


def test_keywords_without_blanks_are_found_whatever_the_language() -> None:
    analyzer = Analyzer("en", phrases=["typhoon", "台风"])
    assert analyzer.count("Typhoons: 台风到达") == {"typhoon": 1, "台风": 1, "到达": 1}
    assert Analyzer("en").count("台风到达") == {"台风到达": 1}


def test_what_somebody_searches_for_is_no_stop_word() -> None:
    """The library's list has the noun."""
    assert "земля" in stop_words("ru")
    assert Analyzer("ru").count("земля") == {}
    assert Analyzer("ru", phrases=["Земля"]).count("земля и") == {"земл": 1}
    assert Analyzer("en", phrases=["the"]).count("the") == {}


def test_a_stem_that_looks_like_a_stop_word_is_none() -> None:
    assert "war" in stop_words("de")
    assert Analyzer("de").count("Ware war") == {"war": 1}


@pytest.mark.parametrize("language", ALGORITHMS)
def test_every_stemmer_is_there(language: str) -> None:
    stem = stemmer(language)
    assert stem is not None and stem("x") == "x"
    assert rules_of(language, None).folding == f"stems (Snowball, {ALGORITHMS[language]})"


@pytest.mark.parametrize("language", ["he", "vi", "tlh", "", "german"])
def test_a_language_without_a_stemmer(language: str) -> None:
    assert stemmer(language) is None


@pytest.mark.parametrize(
    ("language", "described"),
    [
        ("en-US", "base forms of WordNet, 322 stop words"),
        ("de", "stems (Snowball, german), {} stop words"),
        ("he", "words as written, {} stop words"),
        ("ta", "stems (Snowball, tamil), no stop words"),
        ("tlh", "words as written, no stop words"),
        ("zh", "Chinese words by dictionary (rjieba), {} stop words"),
        ("zh-TW", "pairs of characters, {} stop words"),
        ("ko", "pairs of characters, {} stop words"),
    ],
)
def test_the_rules_in_words(language: str, described: str) -> None:
    rules = Analyzer(language).rules
    assert rules.described == described.format(len(stop_words(language)))
    assert rules.as_written is (language == "tlh")


LANGUAGES = ["en", "de", "ru", "ar", "tr", "he", "zh", "zh-TW", "ja", "ko", "th", "tlh", "x y"]


@given(st.sampled_from(LANGUAGES), st.none() | st.sampled_from(LANGUAGES), st.text())
def test_no_text_is_too_odd(language: str, declared: str | None, text: str) -> None:
    analyzer = Analyzer(language, phrases=[text[:20]])
    page = Document(text=text, language=declared)
    assert len(analyzer.page_bag(page)) <= len(analyzer.vocabulary)
    assert all(count > 0 for count in analyzer.count(text).values())
