"""The values: what they refuse, what they read, and that they never change."""

from __future__ import annotations

import dataclasses

import pytest

from scenthound.core import model
from scenthound.core.errors import SettingsError, TopicError
from scenthound.core.model import Budget, Candidate, Document, Page, Part, Score, Topic


def test_every_value_is_frozen() -> None:
    kinds = [
        kind
        for kind in vars(model).values()
        if isinstance(kind, type) and dataclasses.is_dataclass(kind)
    ]
    assert len(kinds) == 13
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind  # type: ignore[attr-defined]


def test_a_value_cannot_be_changed() -> None:
    topic = Topic("storms", keywords=("hurricane",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        topic.name = "calm"  # type: ignore[misc]


def test_a_topic_takes_lists_and_keeps_tuples() -> None:
    topic = Topic("storms", keywords=["hurricane"], seeds=["http://a.test/"])  # type: ignore[arg-type]
    assert (topic.keywords, topic.seeds) == (("hurricane",), ("http://a.test/",))
    assert (topic.language, topic.exclude, topic.ontology) == ("en", (), None)


def test_examples_alone_make_a_topic() -> None:
    assert Topic("storms", examples=("wind and rain",)).keywords == ()


@pytest.mark.parametrize(
    ("keywords", "examples"), [((), ()), (("", "  "), ()), ((), ("",)), ((), ("\n",))]
)
def test_a_topic_without_words_is_empty(
    keywords: tuple[str, ...], examples: tuple[str, ...]
) -> None:
    with pytest.raises(TopicError, match=r"^topic 'storms' is empty: give it keywords or examples"):
        Topic("storms", keywords=keywords, examples=examples)


@pytest.mark.parametrize("name", ["", " \t"])
def test_a_topic_needs_a_name(name: str) -> None:
    with pytest.raises(TopicError, match=r"^a topic needs a name\.$"):
        Topic(name, keywords=("hurricane",))


@pytest.mark.parametrize("field", ["keywords", "seeds", "examples", "exclude"])
@pytest.mark.parametrize("wrong", ["hurricane", None, 7])
def test_a_list_of_texts_is_nothing_else(field: str, wrong: object) -> None:
    values: dict[str, object] = {"keywords": ("wind",), field: wrong}
    with pytest.raises(TopicError, match=f"^topic 'storms': {field} is a list of texts, not"):
        Topic("storms", **values)  # type: ignore[arg-type]


def test_a_list_of_texts_holds_only_texts() -> None:
    with pytest.raises(TopicError, match=r"^topic 'storms': keywords holds 7, which is no text"):
        Topic("storms", keywords=("wind", 7))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "labelled", "pages"),
    [
        ("500", None, 500),
        ("500", 7, 500),
        (" 10 ", None, 10),
        ("1", None, 1),
        ("2x", 100, 200),
        ("2X", 100, 200),
        ("1.5x", 10, 15),
        ("0.25x", 10, 2),
        ("0.01x", 10, 1),
        ("1x", 1, 1),
    ],
)
def test_a_budget_is_pages_or_a_multiple(text: str, labelled: int | None, pages: int) -> None:
    assert Budget.parse(text, labelled) == Budget(pages)


@pytest.mark.parametrize(
    "text", ["", "x", "-3", "1e3", "1.5", "2 x", "x2", "2xx", ".5x", "1,000", "nanx", "9" * 5000]
)
def test_anything_else_is_not_understood(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^budget '.*' is not understood; give --budget"):
        Budget.parse(text, 100)


@pytest.mark.parametrize("text", ["0", "0x", "0.0x", "00"])
def test_a_budget_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^a budget of 0 pages fetches nothing"):
        Budget.parse(text, 100)


def test_a_multiple_needs_labels() -> None:
    with pytest.raises(SettingsError, match=r"^budget '2x' counts labelled pages; give --labels"):
        Budget.parse("2x")


@pytest.mark.parametrize(
    ("status", "ok"), [(199, False), (200, True), (204, True), (299, True), (304, False)]
)
def test_only_a_status_in_the_two_hundreds_is_a_document(status: int, ok: bool) -> None:
    assert Page("http://a.test/", status, Document()).ok is ok


def test_a_score_tells_its_parts_by_name() -> None:
    score = Score(0.5, (Part("anchor", 0.25), Part("title", 0.75, 0.5)))
    assert (score.part("title", 0.0), score.part("context", -1.0)) == (0.75, -1.0)


def test_what_has_depth_0_is_a_seed() -> None:
    assert Candidate("a", Score(1.0), depth=0).is_seed
    assert not Candidate("a", Score(1.0), depth=1).is_seed
