"""Language codes and scripts."""

from __future__ import annotations

import pytest

from scenthound.text.codes import primary_language, single_language
from scenthound.text.scripts import HAN, KANA, LATIN, Script, fits, is_written_in, script_of


@pytest.mark.parametrize(
    ("code", "primary"),
    [
        ("de", "de"), ("DE_at", "de"), (" de-AT-1996", "de"), ("de, en", "de"), ("iw", "he"),
        ("nb-NO", "no"), ("cmn", "zh"), ("haw", "haw"), ("und", None), ("mul", None), ("", None),
        (None, None), ("german", None), ("x-default", None), ("d", None), ("de1", None),
        ("<script>", None), ("e" * 10**6, None),
    ],
)  # fmt: skip
def test_primary_language(code: str | None, primary: str | None) -> None:
    assert primary_language(code) == primary


@pytest.mark.parametrize(
    ("declared", "single"),
    [(" EN-gb ", "en-gb"), ("", None), ("de, en", None), ("x" * 50, "x" * 20)],
)
def test_several_declared_languages_are_none(declared: str, single: str | None) -> None:
    assert single_language(declared) == single


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Sturm 3.5!", LATIN), ("Größe", LATIN), ("ﾀｲﾌｰﾝ", KANA), ("буря", "Cyrl"),
        ("τυφώνας", "Grek"), ("سودان", "Arab"), ("तूफ़ान", "Deva"), ("พายุ", "Thai"),
        ("台风", HAN), ("台風の目", KANA), ("태풍", "Hang"), ("\U00020000", HAN), ("12!", None),
        ("", None),
    ],
)  # fmt: skip
def test_script_of(text: str, name: str | None) -> None:
    assert script_of(text).name == name


def test_the_commonest_script_counts_and_its_share_is_told() -> None:
    assert script_of("abc буря бурь") == Script("Cyrl", 8 / 11, 11)


@pytest.mark.parametrize(
    ("language", "script", "fitting"),
    [
        ("de", LATIN, True), ("de", "Cyrl", False), ("ru", "Cyrl", True), ("ru", LATIN, False),
        ("sr", "Cyrl", True), ("sr", LATIN, True), ("ja", HAN, True), ("zh-TW", HAN, True),
        ("zh", KANA, False), ("xyz", LATIN, True), ("he", "Hebr", True), ("yi", "Hebr", True),
    ],
)  # fmt: skip
def test_is_written_in(language: str, script: str, fitting: bool) -> None:
    assert is_written_in(language, script) is fitting


def test_a_paragraph_of_han_alone_is_not_japanese() -> None:
    assert fits("ja", Script(HAN, 1.0, 10)) and not fits("ja", Script(HAN, 1.0, 500))
    assert fits("zh", Script(HAN, 1.0, 500)) and fits("ja", Script(None, 0.0, 0))
