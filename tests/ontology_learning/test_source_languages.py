"""Texts in another language than the topic's are told of."""

from __future__ import annotations

import pytest

from scenthound.ontology_learning.languages import named_language, other_language
from scenthound.ontology_learning.source import Source

FRENCH = (
    "La tempête a soufflé toute la nuit sur la côte, et les vagues ont brisé les murs du port. "
    "Les habitants ont été évacués avant que le vent ne se lève."
)
ENGLISH = (
    "The storm blew all night along the coast, and the waves broke the walls of the harbour. "
    "The people had been brought to safety before the wind rose."
)


def sources(*texts: str) -> list[Source]:
    return [Source(f"page {n}", "", "", body=text) for n, text in enumerate(texts)]


def test_most_texts_in_another_language() -> None:
    assert other_language(sources(FRENCH, ENGLISH, FRENCH), "en") == (
        "2 of 3 texts look French (fr) and the topic is in English (en); "
        'put language = "fr" into the topic file.'
    )
    told = other_language(sources(ENGLISH), "fr")
    assert told is not None and told.startswith("1 of 1 text looks English (en) and the topic is")


def test_no_such_language() -> None:
    told = other_language(sources(ENGLISH), "xx")
    assert told is not None and "English (en) and the topic is in 'xx'" in told


@pytest.mark.parametrize("texts", [(), ("",), ("Wind.",), (ENGLISH,), (ENGLISH, ENGLISH, FRENCH)])
def test_nothing_to_tell(texts: tuple[str, ...]) -> None:
    assert other_language(sources(*texts), "en-GB") is None


@pytest.mark.parametrize(
    ("code", "name"), [("zh-TW", "Chinese (zh-TW)"), ("tlh", "'tlh'"), ("", "''")]
)
def test_names_of_languages(code: str, name: str) -> None:
    assert named_language(code) == name
