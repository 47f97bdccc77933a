"""Which language is a text in, and whom do we believe?"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document
from scenthound.text import rules as language_rules
from scenthound.text.analyzer import Analyzer
from scenthound.text.extract import single_language
from scenthound.text.languages import (
    HAN,
    KANA,
    LATIN,
    UNDETERMINED,
    Detected,
    Script,
    detect,
    fits,
    is_written_in,
    primary_language,
    script_of,
)
from scenthound.text.rules import ALGORITHMS, han_segmenter, rules_of, stemmer, stop_words
from scenthound.text.terms import pairs, segment_words, words

TEXTS = {
    "en": "The storm reached the coast in the evening and the river rose over its banks.",
    "de": "Der Sturm erreichte am Abend die Küste, und der Fluss trat über die Ufer.",
    "fr": "La tempête a atteint la côte dans la soirée, et le fleuve est sorti de son lit.",
    "es": "La tormenta llegó a la costa por la tarde y el río se desbordó.",
    "ru": "Буря достигла побережья вечером, и река вышла из берегов; много домов разрушено.",
    "ar": "وصلت العاصفة إلى الساحل في المساء وفاض النهر على ضفتيه",
    "tr": "Fırtına akşam saatlerinde kıyıya ulaştı ve nehir yatağından taştı.",
    "el": "Η καταιγίδα έφτασε στην ακτή το βράδυ.",
    "he": "הסופה הגיעה אל החוף בערב.",
    "th": "พายุถึงชายฝั่งในตอนเย็น",
    "zh": "台风晚上到达海岸",
    "ja": "台風は夕方に海岸に到達した",
    "ko": "태풍이 저녁에 해안에 도달했다",
}


def test_a_sentence_tells_its_language_whatever_is_declared() -> None:
    for language, text in TEXTS.items():
        for declared in (None, "en", "x-default"):
            found = detect(text, declared)
            assert found.language == language
            assert 0.8 <= found.confidence <= 1.0
    assert detect(TEXTS["de"] * 100 + TEXTS["en"] * 2_000).language == "de"
    assert detect("台風情報", "ja").language == "ja"
    assert detect("台风晚上到达海岸" * 10, "ja").language == "zh"
    assert detect("颱風晚上到達海岸", "zh-Hant-TW").language == "zh"


def test_the_declared_language_is_believed_where_the_text_leaves_it_open() -> None:
    for text in ["", "12 + 34 = 46!", "Login", "Home | Contact"]:
        assert detect(text, "de-AT") == Detected("de", 0.0)
        assert detect(text) == detect(text, "und") == UNDETERMINED
    assert detect("Буря", "en") == UNDETERMINED
    assert detect("Буря", "uk").language == "uk"
    croatian = (
        "Oluja je u ponedjeljak navečer pogodila obalu i izazvala velike štete. Vjetar je rušio "
        "stabla i nosio krovove, a rijeka se izlila iz korita. Vatrogasci su cijelu noć spašavali "
        "ljude iz poplavljenih kuća. Meteorolozi upozoravaju da će kiša padati i sljedećih dana."
    )
    for declared in ["hr", "bs"]:
        assert detect(croatian, declared).language == declared
    names = "Obama Clinton Merkel Macron Berlusconi Zapatero Putin"
    assert detect(names) == UNDETERMINED
    assert detect(names, "en").language == "en" and detect(names, "de").language == "de"


@given(st.text(), st.none() | st.text(max_size=10))
def test_no_text_is_too_odd(text: str, declared: str | None) -> None:
    found = detect(text, declared)
    assert found.language is None or 2 <= len(found.language) <= 3
    assert 0.0 <= found.confidence <= 1.001  # the library's numbers are 32 bits wide


# Language codes and scripts.


def test_language_codes() -> None:
    cases: list[tuple[str | None, str | None]] = [
        ("de", "de"), ("DE_at", "de"), (" de-AT-1996", "de"), ("de, en", "de"), ("iw", "he"),
        ("nb-NO", "no"), ("cmn", "zh"), ("haw", "haw"), ("und", None), ("mul", None), ("", None),
        (None, None), ("german", None), ("x-default", None), ("d", None), ("de1", None),
        ("<script>", None), ("e" * 10**6, None),
    ]  # fmt: skip
    for code, primary in cases:
        assert primary_language(code) == primary
    declarations: list[tuple[str, str | None]] = [
        (" EN-gb ", "en-gb"),
        ("", None),
        ("de, en", None),
        ("x" * 50, "x" * 20),
    ]
    for declared, single in declarations:
        assert single_language(declared) == single


def test_scripts() -> None:
    cases: list[tuple[str, str | None]] = [
        ("Sturm 3.5!", LATIN), ("Größe", LATIN), ("ﾀｲﾌｰﾝ", KANA), ("буря", "Cyrl"),
        ("τυφώνας", "Grek"), ("سودان", "Arab"), ("तूफ़ान", "Deva"), ("พายุ", "Thai"),
        ("台风", HAN), ("台風の目", KANA), ("태풍", "Hang"), ("\U00020000", HAN), ("12!", None),
        ("", None),
    ]  # fmt: skip
    for text, name in cases:
        assert script_of(text).name == name
    assert script_of("abc буря бурь") == Script("Cyrl", 8 / 11, 11)
    for language, script, fitting in [
        ("de", LATIN, True), ("de", "Cyrl", False), ("ru", "Cyrl", True), ("ru", LATIN, False),
        ("sr", "Cyrl", True), ("sr", LATIN, True), ("ja", HAN, True), ("zh-TW", HAN, True),
        ("zh", KANA, False), ("xyz", LATIN, True), ("he", "Hebr", True), ("yi", "Hebr", True),
    ]:  # fmt: skip
        assert is_written_in(language, script) is fitting
    assert fits("ja", Script(HAN, 1.0, 10)) and not fits("ja", Script(HAN, 1.0, 500))
    assert fits("zh", Script(HAN, 1.0, 500)) and fits("ja", Script(None, 0.0, 0))


# Terms of texts in many languages, worked out by hand.


def test_terms_and_phrases() -> None:
    by_language = {
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
    for language, (text, counts) in by_language.items():
        assert Analyzer(language).count(text) == counts
    analyzer = Analyzer("fr", phrases=["cyclone tropical"])
    assert analyzer.count("les cyclones tropicaux") == {"cyclon": 1, "tropical": 1} | {
        "cyclon tropical": 1
    }
    analyzer = Analyzer("en", phrases=["typhoon", "台风"])
    assert analyzer.count("Typhoons: 台风到达") == {"typhoon": 1, "台风": 1, "到达": 1}
    assert Analyzer("en").count("台风到达") == {"台风到达": 1}


def test_stop_words_unless_they_are_searched_for() -> None:
    # The library's list has the noun.
    assert "земля" in stop_words("ru")
    assert Analyzer("ru").count("земля") == {}
    assert Analyzer("ru", phrases=["Земля"]).count("земля и") == {"земл": 1}
    assert Analyzer("en", phrases=["the"]).count("the") == {}
    assert "war" in stop_words("de")
    assert Analyzer("de").count("Ware war") == {"war": 1}


def test_every_stemmer_is_there_and_the_rules_are_reported() -> None:
    for language in ALGORITHMS:
        stem = stemmer(language)
        assert stem is not None and stem("x") == "x"
        assert rules_of(language, None).folding == f"stems (Snowball, {ALGORITHMS[language]})"
    assert [stemmer(language) for language in ("he", "vi", "tlh", "", "german")] == [None] * 5
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
def test_any_text_is_split(language: str, declared: str | None, text: str) -> None:
    analyzer = Analyzer(language, phrases=[text[:20]])
    page = Document(text=text, language=declared)
    assert len(analyzer.page_bag(page)) <= len(analyzer.vocabulary)
    assert all(count > 0 for count in analyzer.count(text).values())


# Words of scripts without blanks between them.


@pytest.fixture
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    language_rules.dictionary.cache_clear()
    monkeypatch.setitem(sys.modules, "rjieba", None)
    yield
    language_rules.dictionary.cache_clear()


def test_each_script_is_cut_in_its_way() -> None:
    cases: list[tuple[str, list[str]]] = [
        ("雨", ["雨"]),
        ("台风", ["台风"]),
        ("风暴潮", ["风暴", "暴潮"]),
        ("", [""]),
    ]
    for run, found in cases:
        assert pairs(run) == found
    mixed: list[tuple[str, list[str]]] = [
        ("台风hagupit登陆", ["台风", "hagupit", "登陆"]),
        ("台風の目は", ["台風", "の", "目", "は"]),
        ("スーパー台風", ["スーパー", "台風"]),
        ("태풍이", ["태풍", "풍이"]),
        ("ฝั่งน้ำ", ["ฝั่ง", "งน้", "น้ำ"]),
        ("größe", ["größe"]),
        ("storm", ["storm"]),
        ("буря", ["буря"]),
    ]
    for word, found in mixed:
        assert segment_words([word]) == found


@given(st.text())
def test_pieces_are_parts_of_their_word_and_no_letter_is_lost(text: str) -> None:
    for word in words(text):
        pieces = segment_words([word])
        assert set("".join(pieces)) == set(word)
        assert all(piece in word for piece in pieces)


def test_chinese_words_by_dictionary_and_pairs_where_it_is_no_help() -> None:
    for language in ["zh", "zh-CN", "en"]:
        assert han_segmenter(language)("强台风到达海岸") == ["台风", "强台风", "到达", "海岸"]
    for language in ["ja", "ko", "zh-TW", "zh_HK", "zh-Hant"]:
        assert han_segmenter(language) is pairs
    assert Analyzer("zh").count("台风" * 30_000) == {"台风": 30_000}


@pytest.mark.usefixtures("no_dictionary")
def test_without_the_extra_there_are_pairs_and_a_hint() -> None:
    assert han_segmenter("zh") is pairs
    assert "scenthound[chinese]" not in Analyzer("zh-TW").rules.described
    analyzer = Analyzer("zh", phrases=["风暴潮"])
    assert analyzer.rules.described.startswith(
        "pairs of characters (for words: pip install 'scenthound[chinese]'), "
    )
    assert analyzer.count("风暴潮") == {"风暴": 1, "暴潮": 1, "风暴 暴潮": 1}


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
