"""Which concepts stand in a text: by base forms, and the longest of those that overlap."""

from __future__ import annotations

import pytest

from scenthound.core.model import Document
from scenthound.papers.concept_model import ConceptCounter
from scenthound.text.analyzer import Analyzer

ENGLISH = Document()


def counts(
    labels: list[str], text: str, page: Document = ENGLISH, language: str = "en"
) -> dict[str, float]:
    """How often each concept that stands in the text does."""
    counter = ConceptCounter(labels, Analyzer(language))
    (row,) = counter.in_texts([text], page).tolist()
    return {label: count for label, count in zip(labels, row, strict=True) if count}


def test_words_count_by_their_base_forms() -> None:
    assert counts(["storm", "flood"], "Storms bring floods, and the storm floods.") == {
        "storm": 2, "flood": 2,
    }  # fmt: skip
    assert counts(["storms"], "a storm") == {"storms": 1}


def test_longer_of_two_that_overlap_counts() -> None:
    labels = ["storm", "storm surge", "surge", "storm surge warning"]
    assert counts(labels, "storm surges, a storm") == {"storm surge": 1, "storm": 1}
    assert counts(labels, "a storm surge warning") == {"storm surge warning": 1}
    assert counts(labels, "the surge of the storm") == {"surge": 1, "storm": 1}


def test_first_of_two_that_overlap_counts() -> None:
    labels = ["tropical storm", "storm surge", "surge"]
    assert counts(labels, "tropical storm surge") == {"tropical storm": 1, "surge": 1}


def test_phrase_does_not_run_from_one_text_into_the_next() -> None:
    counter = ConceptCounter(["storm surge"], Analyzer())
    assert counter.in_texts(["a storm", "surge of the sea"], ENGLISH).tolist() == [[0.0], [0.0]]


def test_labels_that_read_alike_are_one() -> None:
    assert counts(["flood", "floods", "Flood"], "floods") == {"flood": 1}
    assert counts(["storm surges", "storm surge"], "storm surge") == {"storm surges": 1}


def test_word_that_is_dropped_alone_is_not_counted_below_nothing() -> None:
    assert counts(["who", "who report"], "who report") == {"who report": 1}
    assert counts(["a", "a storm"], "a storm") == {"a storm": 1}


def test_labels_in_other_languages() -> None:
    assert counts(["Überschwemmung", "Sturmflut"], "Überschwemmungen, die Sturmfluten",
                  language="de") == {"Überschwemmung": 1, "Sturmflut": 1}  # fmt: skip
    assert counts(["台风", "风暴潮"], "台风带来风暴潮。台风!", language="zh")["台风"] == 2


def test_pages_of_another_language_drop_its_own_stop_words() -> None:
    """On a German page "war" is a verb."""
    text = "Es war ein Sturm, und die Menschen hatten Angst, weil das Wasser immer weiter stieg."
    german = Document(text=text, language="de")
    assert counts(["war", "storm"], "es war ein storm") == {"war": 1, "storm": 1}
    assert counts(["war", "storm"], "es war ein storm", german) == {"storm": 1}


def test_more_languages_than_are_remembered_are_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analyzer = Analyzer()
    monkeypatch.setattr(analyzer, "language_of", lambda page: page.language)
    counter = ConceptCounter(["storm"], analyzer)
    codes = "ar bg bn ca cs da de el es et eu fa fi fr ga gl he hi hr hu hy id it".split()
    for code in [*codes, *codes]:
        assert counter.in_texts(["storm"], Document(language=code)).tolist() == [[1.0]]
