"""Words of scripts without blanks between them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text import chinese
from scenthound.text.analyzer import Analyzer
from scenthound.text.chinese import han_segmenter
from scenthound.text.segmentation import has_unspaced, is_unspaced, pairs, segmented
from scenthound.text.words import words


@pytest.fixture
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    chinese.dictionary.cache_clear()
    monkeypatch.setitem(sys.modules, "rjieba", None)
    yield
    chinese.dictionary.cache_clear()


@pytest.mark.parametrize(
    ("run", "found"),
    [("雨", ["雨"]), ("台风", ["台风"]), ("风暴潮", ["风暴", "暴潮"]), ("", [""])],
)
def test_pairs(run: str, found: list[str]) -> None:
    assert pairs(run) == found


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("台风hagupit登陆", ["台风", "hagupit", "登陆"]),
        ("台風の目は", ["台風", "の", "目", "は"]),
        ("スーパー台風", ["スーパー", "台風"]),
        ("태풍이", ["태풍", "풍이"]),
        ("ฝั่งน้ำ", ["ฝั่ง", "งน้", "น้ำ"]),
        ("größe", ["größe"]),
        ("storm", ["storm"]),
        ("буря", ["буря"]),
    ],
)
def test_each_script_in_its_way(word: str, found: list[str]) -> None:
    assert segmented([word]) == found


def test_languages_and_letters_that_need_it() -> None:
    assert all(map(is_unspaced, ("zh", "zh-TW", "ja", "ko-KR", "th", "lo", "km", "my")))
    assert not any(map(is_unspaced, ("en", "vi", "ru", "", "tlh")))
    assert has_unspaced(["storm", "台风"]) and not has_unspaced(["storm", "буря"])


@given(st.text())
def test_pieces_are_parts_of_their_word_and_no_letter_is_lost(text: str) -> None:
    for word in words(text):
        pieces = segmented([word])
        assert set("".join(pieces)) == set(word)
        assert all(piece in word for piece in pieces)


@pytest.mark.parametrize("language", ["zh", "zh-CN", "en"])
def test_chinese_words_by_dictionary_and_the_shorter_ones_in_them(language: str) -> None:
    assert han_segmenter(language)("强台风到达海岸") == ["台风", "强台风", "到达", "海岸"]


@pytest.mark.parametrize("language", ["ja", "ko", "zh-TW", "zh_HK", "zh-Hant"])
def test_where_the_dictionary_is_no_help_there_are_pairs(language: str) -> None:
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


def test_a_keyword_that_is_a_word_with_words_in_it_is_no_phrase() -> None:
    analyzer = Analyzer("zh", phrases=["强台风", "热带气旋"])
    assert analyzer.count("强台风") == {"台风": 1, "强台风": 1}
    assert analyzer.count("热带气旋") == {"热带": 1, "气旋": 1, "热带 气旋": 1}


def test_a_run_as_long_as_a_page_is_cut_up_piece_by_piece() -> None:
    assert Analyzer("zh").count("台风" * 30_000) == {"台风": 30_000}
