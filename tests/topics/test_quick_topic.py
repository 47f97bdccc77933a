from __future__ import annotations

import pytest

from scenthound.core.errors import TopicError
from scenthound.topics.quick import quick_topic, split_keywords


def test_a_text_with_commas_is_a_list_of_keywords() -> None:
    assert split_keywords(" typhoon,storm   surge,, typhoon ") == ("typhoon", "storm surge")
    assert split_keywords(" , ") == ()


@pytest.mark.parametrize("keywords", ["typhoon, storm surge", ["typhoon", " storm surge "]])
def test_the_first_keyword_names_the_topic(keywords: str | list[str]) -> None:
    topic = quick_topic(keywords, ["http://a.test", "http://a.test"])
    assert (topic.name, topic.keywords) == ("typhoon", ("typhoon", "storm surge"))
    assert topic.seeds == ("http://a.test/",)


def test_name_and_language_can_be_given() -> None:
    topic = quick_topic("Sturm", (), name="wetter", language="de")
    assert (topic.name, topic.language) == ("wetter", "de")


@pytest.mark.parametrize("keywords", ["", " , ", [], [" "]])
def test_no_keyword_is_refused(keywords: str | list[str]) -> None:
    with pytest.raises(TopicError, match="no keyword"):
        quick_topic(keywords, ())
