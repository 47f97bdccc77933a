"""Terms of texts in many languages, worked out by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document
from scenthound.text import languages as chinese
from scenthound.text.analyzer import Analyzer, rules_of
from scenthound.text.languages import (
    ALGORITHMS,
    han_segmenter,
    pairs,
    segment_words,
    stemmer,
    stop_words,
    words,
)

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


def test_terms() -> None:
    for language in COUNTS:
        text, counts = COUNTS[language]
        assert Analyzer(language).count(text) == counts


def test_phrases_are_found_in_every_inflection() -> None:
    analyzer = Analyzer("fr", phrases=["cyclone tropical"])
    assert analyzer.count("les cyclones tropicaux") == {"cyclon": 1, "tropical": 1} | {
        "cyclon tropical": 1
    }


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


def test_every_stemmer_is_there() -> None:
    for language in ALGORITHMS:
        stem = stemmer(language)
        assert stem is not None and stem("x") == "x"
        assert rules_of(language, None).folding == f"stems (Snowball, {ALGORITHMS[language]})"


def test_a_language_without_a_stemmer() -> None:
    for language in ["he", "vi", "tlh", "", "german"]:
        assert stemmer(language) is None


def test_the_rules_in_words() -> None:
    for language, described in [
        ("en-US", "base forms of WordNet, 322 stop words"),
        ("de", "stems (Snowball, german), {} stop words"),
        ("he", "words as written, {} stop words"),
        ("ta", "stems (Snowball, tamil), no stop words"),
        ("tlh", "words as written, no stop words"),
        ("zh", "Chinese words by dictionary (rjieba), {} stop words"),
        ("zh-TW", "pairs of characters, {} stop words"),
        ("ko", "pairs of characters, {} stop words"),
    ]:
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


# Words of scripts without blanks between them.


@pytest.fixture
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    chinese.dictionary.cache_clear()
    monkeypatch.setitem(sys.modules, "rjieba", None)
    yield
    chinese.dictionary.cache_clear()


def test_pairs() -> None:
    cases: list[tuple[str, list[str]]] = [
        ("雨", ["雨"]),
        ("台风", ["台风"]),
        ("风暴潮", ["风暴", "暴潮"]),
        ("", [""]),
    ]
    for run, found in cases:
        assert pairs(run) == found


def test_each_script_in_its_way() -> None:
    cases: list[tuple[str, list[str]]] = [
        ("台风hagupit登陆", ["台风", "hagupit", "登陆"]),
        ("台風の目は", ["台風", "の", "目", "は"]),
        ("スーパー台風", ["スーパー", "台風"]),
        ("태풍이", ["태풍", "풍이"]),
        ("ฝั่งน้ำ", ["ฝั่ง", "งน้", "น้ำ"]),
        ("größe", ["größe"]),
        ("storm", ["storm"]),
        ("буря", ["буря"]),
    ]
    for word, found in cases:
        assert segment_words([word]) == found


@given(st.text())
def test_pieces_are_parts_of_their_word_and_no_letter_is_lost(text: str) -> None:
    for word in words(text):
        pieces = segment_words([word])
        assert set("".join(pieces)) == set(word)
        assert all(piece in word for piece in pieces)


def test_chinese_words_by_dictionary_and_the_shorter_ones_in_them() -> None:
    for language in ["zh", "zh-CN", "en"]:
        assert han_segmenter(language)("强台风到达海岸") == ["台风", "强台风", "到达", "海岸"]


def test_where_the_dictionary_is_no_help_there_are_pairs() -> None:
    for language in ["ja", "ko", "zh-TW", "zh_HK", "zh-Hant"]:
        assert han_segmenter(language) is pairs


@pytest.mark.usefixtures("no_dictionary")
def test_without_the_extra_there_are_pairs_and_a_hint() -> None:
    assert han_segmenter("zh") is pairs
    assert "scenthound[chinese]" not in Analyzer("zh-TW").rules.described
    analyzer = Analyzer("zh", phrases=["风暴潮"])
    assert analyzer.rules.described.startswith(
        "pairs of characters (for words: pip install 'scenthound[chinese]'), "
    )
    assert analyzer.count("风暴潮") == {"风暴": 1, "暴潮": 1, "风暴 暴潮": 1}


def test_a_run_as_long_as_a_page_is_cut_up_piece_by_piece() -> None:
    assert Analyzer("zh").count("台风" * 30_000) == {"台风": 30_000}


# Text to words of any script.


_LATIN = st.text(st.characters(max_codepoint=0x24F) | st.sampled_from("–—‘’“”…•\u2003€"))


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert words(text) == re.findall(r"[a-z0-9]+", text.lower())


@given(_LATIN)
def test_latin_words_are_runs_of_letters_and_digits(text: str) -> None:
    visible = text.replace("\xad", "").replace("İ", "I")
    assert words(text) == re.findall(r"[^\W_]+", visible.lower())


def test_words_of_many_scripts() -> None:
    cases: list[tuple[str, list[str]]] = [
        ("Café-Besitzer’s", ["café", "besitzer", "s"]),
        ("Ураган, буря", ["ураган", "буря"]),
        ("Καταιγίδα!", ["καταιγίδα"]),
        ("台風。暴風", ["台風", "暴風"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301", ["café"]),
        ("hurri\u00adcane", ["hurricane"]),
        ("snake_case", ["snake", "case"]),
        ("⚡️ 1️⃣", ["1"]),
        ("a\u00a0b\u2003c\u200bd", ["a", "b", "c", "d"]),
        ("storm\ud800surge", ["storm", "surge"]),
        ("", []),
    ]
    for text, expected in cases:
        assert words(text) == expected
