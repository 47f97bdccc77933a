"""Which language is a text in, and whom do we believe?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
    single_language,
)

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
    cases_1: list[str | None] = [None, "en", "x-default"]
    for language in TEXTS:
        for declared in cases_1:
            found = detect(TEXTS[language], declared)
            assert found.language == language
            assert 0.8 <= found.confidence <= 1.0


def test_a_text_that_tells_nothing_is_in_the_declared_language() -> None:
    for text in ["", "12 + 34 = 46!", "Login", "Home | Contact"]:
        assert detect(text, "de-AT") == Detected("de", 0.0)
        assert detect(text) == detect(text, "und") == UNDETERMINED


def test_few_letters_of_another_script_are_not_in_the_declared_language() -> None:
    assert detect("Буря", "en") == UNDETERMINED
    assert detect("Буря", "uk").language == "uk"


CROATIAN = (
    "Oluja je u ponedjeljak navečer pogodila obalu i izazvala velike štete. Vjetar je rušio stabla "
    "i nosio krovove, a rijeka se izlila iz korita. Vatrogasci su cijelu noć spašavali ljude iz "
    "poplavljenih kuća. Meteorolozi upozoravaju da će kiša padati i sljedećih dana."
)


def test_of_near_languages_the_declared_one_is_believed() -> None:
    for declared in ["hr", "bs"]:
        assert detect(CROATIAN, declared).language == declared


def test_a_declaration_is_believed_where_the_text_leaves_it_open() -> None:
    names = "Obama Clinton Merkel Macron Berlusconi Zapatero Putin"
    assert detect(names) == UNDETERMINED
    assert detect(names, "en").language == "en" and detect(names, "de").language == "de"


def test_chinese_characters_alone_may_be_a_japanese_title_but_no_japanese_page() -> None:
    assert detect("台風情報", "ja").language == "ja"
    assert detect("台风晚上到达海岸" * 10, "ja").language == "zh"
    assert detect("颱風晚上到達海岸", "zh-Hant-TW").language == "zh"


def test_the_beginning_of_a_long_text_is_enough() -> None:
    assert detect(TEXTS["de"] * 100 + TEXTS["en"] * 2_000).language == "de"


@given(st.text(), st.none() | st.text(max_size=10))
def test_no_text_is_too_odd(text: str, declared: str | None) -> None:
    found = detect(text, declared)
    assert found.language is None or 2 <= len(found.language) <= 3
    assert 0.0 <= found.confidence <= 1.001  # the library's numbers are 32 bits wide


# Language codes and scripts.


def test_primary_language() -> None:
    cases: list[tuple[str | None, str | None]] = [
        ("de", "de"), ("DE_at", "de"), (" de-AT-1996", "de"), ("de, en", "de"), ("iw", "he"),
        ("nb-NO", "no"), ("cmn", "zh"), ("haw", "haw"), ("und", None), ("mul", None), ("", None),
        (None, None), ("german", None), ("x-default", None), ("d", None), ("de1", None),
        ("<script>", None), ("e" * 10**6, None),
    ]  # fmt: skip
    for code, primary in cases:
        assert primary_language(code) == primary


def test_several_declared_languages_are_none() -> None:
    cases: list[tuple[str, str | None]] = [
        (" EN-gb ", "en-gb"),
        ("", None),
        ("de, en", None),
        ("x" * 50, "x" * 20),
    ]
    for declared, single in cases:
        assert single_language(declared) == single


def test_script_of() -> None:
    cases: list[tuple[str, str | None]] = [
        ("Sturm 3.5!", LATIN), ("Größe", LATIN), ("ﾀｲﾌｰﾝ", KANA), ("буря", "Cyrl"),
        ("τυφώνας", "Grek"), ("سودان", "Arab"), ("तूफ़ान", "Deva"), ("พายุ", "Thai"),
        ("台风", HAN), ("台風の目", KANA), ("태풍", "Hang"), ("\U00020000", HAN), ("12!", None),
        ("", None),
    ]  # fmt: skip
    for text, name in cases:
        assert script_of(text).name == name


def test_the_commonest_script_counts_and_its_share_is_told() -> None:
    assert script_of("abc буря бурь") == Script("Cyrl", 8 / 11, 11)


def test_is_written_in() -> None:
    for language, script, fitting in [
        ("de", LATIN, True), ("de", "Cyrl", False), ("ru", "Cyrl", True), ("ru", LATIN, False),
        ("sr", "Cyrl", True), ("sr", LATIN, True), ("ja", HAN, True), ("zh-TW", HAN, True),
        ("zh", KANA, False), ("xyz", LATIN, True), ("he", "Hebr", True), ("yi", "Hebr", True),
    ]:  # fmt: skip
        assert is_written_in(language, script) is fitting


def test_a_paragraph_of_han_alone_is_not_japanese() -> None:
    assert fits("ja", Script(HAN, 1.0, 10)) and not fits("ja", Script(HAN, 1.0, 500))
    assert fits("zh", Script(HAN, 1.0, 500)) and fits("ja", Script(None, 0.0, 0))
