"""Which language is a text in, and whom do we believe?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.detection import UNDETERMINED, Detected, detect

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


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("declared", [None, "en", "x-default"])
def test_a_sentence_tells_its_language_whatever_is_declared(
    language: str, declared: str | None
) -> None:
    found = detect(TEXTS[language], declared)
    assert found.language == language
    assert 0.8 <= found.confidence <= 1.0


@pytest.mark.parametrize("text", ["", "12 + 34 = 46!", "Login", "Home | Contact"])
def test_a_text_that_tells_nothing_is_in_the_declared_language(text: str) -> None:
    assert detect(text, "de-AT") == Detected("de", 0.0)
    assert detect(text) == detect(text, "und") == UNDETERMINED


def test_few_letters_of_another_script_are_not_in_the_declared_language() -> None:
    assert detect("Буря", "en") == UNDETERMINED
    assert detect("Буря", "uk").language == "uk"


@pytest.mark.parametrize("declared", ["da", "no", "NB_no"])
def test_of_close_relatives_the_declared_one_is_believed(declared: str) -> None:
    text = "Stormen er på vei mot kysten i aften"
    assert detect(text, declared).language == {"NB_no": "no"}.get(declared, declared)


CROATIAN = (
    "Oluja je u ponedjeljak navečer pogodila obalu i izazvala velike štete. Vjetar je rušio stabla "
    "i nosio krovove, a rijeka se izlila iz korita. Vatrogasci su cijelu noć spašavali ljude iz "
    "poplavljenih kuća. Meteorolozi upozoravaju da će kiša padati i sljedećih dana."
)
MALAY = "Ribut melanda pantai pada malam Isnin dan menyebabkan kerosakan besar di kampung itu."


@pytest.mark.parametrize("declared", [None, "en", "de"])
@pytest.mark.parametrize(("text", "family"), [(CROATIAN, "hr bs sr"), (MALAY, "ms id")])
def test_near_languages_share_a_text_that_no_other_can_claim(
    text: str, family: str, declared: str | None
) -> None:
    found = detect(text, declared)
    assert found.language in family.split() and 0.3 < found.confidence < 1.0


@pytest.mark.parametrize("declared", ["hr", "bs"])
def test_of_near_languages_the_declared_one_is_believed(declared: str) -> None:
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
