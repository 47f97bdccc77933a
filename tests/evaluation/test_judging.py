"""The passages that are shown to a judge."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.evaluation.judging import passages, topic_words

TEXT = "Nothing here. " * 30 + "Then a storm rose over the hills. " + "Nothing there. " * 30


def test_passages_are_around_the_words_of_the_topic() -> None:
    (found,) = passages(TEXT, ["hurricane", "storm surge"])
    assert "a storm rose" in found and found.startswith("... ") and found.endswith(" ...")
    assert len(found) < 240
    assert len(passages("storm " * 500, ["storm"])) == 3
    assert passages("A storm.", ["storm"]) == ["A storm."]
    for words in (["coffee"], []):
        assert passages(TEXT, words)[0].startswith("Nothing here.")
    assert passages(" \n ", ["storm"]) == []


def test_passages_in_any_script() -> None:
    for keyword, sentence in [
        ("台风", "气象台昨天说台风将在明天登陆沿海地区。"),
        ("ハリケーン", "昨日の夜大きなハリケーンが上陸した。"),
        ("태풍", "기상청은 어제 태풍이 온다고 말했다."),
        ("พายุ", "กรมอุตุนิยมวิทยาประกาศเตือนพายุลูกใหม่"),
        ("шторм", "Синоптики сказали: шторм придёт завтра."),
        ("AI", "They said that AI will change much."),
        ("WiFi", "今天在办公室用WiFi上网很慢。"),
    ]:
        blank = " " if " " in sentence else ""
        filling = sentence.replace(keyword, "") + blank
        text = filling * 40 + sentence + blank + filling * 40
        (found,) = passages(text, [keyword])
        assert keyword in found and 150 < len(found) < 240
        assert found.startswith("... ") and found.endswith(" ...")


def test_long_words_are_found_by_their_parts_and_short_ones_only_by_themselves() -> None:
    filling = "今天天气很好。" * 40
    (found,) = passages(f"{filling}热带的气旋来了。{filling}", ["热带气旋"])
    assert "热带的气旋" in found
    filling = "The aid of the air. " * 30
    (found,) = passages(f"{filling}AI is here. {filling}", ["AI"])
    assert "AI is here" in found
    assert passages(filling, ["history of music"])[0].startswith("The aid")
    assert topic_words(["history of music", "C++", "?!", "--"]) == {"history", "music", "C"}


@given(st.text(max_size=500), st.lists(st.text(max_size=10), max_size=3))
def test_any_text_gives_short_passages(text: str, phrases: list[str]) -> None:
    found = passages(text, phrases)
    assert len(found) <= 3 and all(0 < len(each) < 260 for each in found)
