"""Which links of a page are queued, with what on record, and which are dropped and why."""

from __future__ import annotations

import dataclasses
import math
import pickle

import pytest

from core.crawl_building import Rig, page, rig
from scenthound.core import model
from scenthound.core.errors import SettingsError, StrategyError, TopicError
from scenthound.core.events import RedirectEvent
from scenthound.core.model import (
    Budget,
    Candidate,
    Document,
    Inlink,
    Link,
    Page,
    Part,
    Parts,
    Rejection,
    Score,
    Topic,
)

NOFOLLOW = frozenset({"nofollow", "noopener"})


def test_links_that_are_not_queued_are_on_record_with_a_reason() -> None:
    """Not followed, refused by the scorer, of no score, or never a candidate."""
    noopener = Link("b", rel=frozenset({"noopener"}))
    table = {"a": Rejection("no steps left"), "c": Rejection("too deep")}
    numbers = {"a": math.nan, "c": math.inf, "d": -math.inf}
    unusable = {"mailto": (3, ("mailto:a",))}
    cases: list[tuple[Rig, list[str | Link], dict[str, tuple[int, tuple[str, ...]]]]] = [
        (rig("s"), [Link("a", rel=NOFOLLOW), noopener], {"nofollow": (1, ("a",))}),
        (rig("s", table=table), ["a", "c", "b", Link("d", "a")],
         {"no steps left": (2, ("a", "d")), "too deep": (1, ("c",))}),
        (rig("s", table=numbers), ["a", "c", "d", "b"],
         {"score is no number": (3, ("a", "c", "d"))}),
        (rig("s"), ["s", "b"], {"same page": (1, ("s",))}),
    ]  # fmt: skip
    for made, links, counts in cases:
        event = made.fetch(page("s", *links, unusable=unusable))
        assert event.drops.counts == {**counts, "mailto": (3, ("mailto:a",))}
        assert event.new == 1 and made.lease() == "b"
    assert unusable == {"mailto": (3, ("mailto:a",))}


def test_the_scorer_sees_only_links_that_may_be_followed() -> None:
    made = rig("s", exclude=["x*"])
    made.fetch(page("s", "a", "x1", "s", Link("n", rel=NOFOLLOW), "b"))
    made.fetch(page("a", "c", follow=False))
    made.fetch(page("b", "d", status=500))
    assert made.scorer.shown == ["a", "b"]


def test_two_links_to_one_target_are_one_scored_link_with_the_best_score() -> None:
    made = rig("s", table={"weak": 0.2, "strong": 0.9, "middling": 0.4})
    event = made.fetch(page("s", *(Link("a", anchor) for anchor in ("weak", "strong", "middling"))))
    assert (event.links, event.new, event.rescored) == (3, 1, 0)
    candidate = made.candidate()
    assert candidate.score == Score(0.9, (Part("anchor", 0.9),))
    assert candidate.inlinks == (Inlink(1, candidate.score, "strong"),)


def test_inlinks_parts_and_priority_are_on_record_and_seeds_have_no_priority() -> None:
    made = rig("s1", "s2", table={"good": 0.8, "fair": 0.3})
    made.fetch(page("s1", Link("a", "fair"), Link("s2", "good")))
    seed, event = made.fetch(page("s2", Link("a", "good"))), made.fetch(page("a"))
    assert (seed.priority, len(seed.inlinks)) == (None, 1)
    inlinks = [(each.source, each.score.value, each.anchor) for each in event.inlinks]
    assert inlinks == [(2, 0.8, "good"), (1, 0.3, "fair")]
    assert (event.parts, event.priority) == ((Part("anchor", 0.8),), 0.8)


def test_a_failed_page_is_a_fetch_but_teaches_nothing() -> None:
    made = rig("s")
    event = made.fetch(page("s", "a", title="0.9", status=500))
    assert (event.n, event.status, event.similarity, event.relevant) == (1, 500, 0.0, False)
    assert (made.crawl.summary.fetched, made.crawl.summary.failed) == (1, 1)
    assert made.scorer.learned == [] and made.scorer.shown == []
    assert made.crawl.next() is None


def test_a_page_is_learned_before_its_links_are_scored() -> None:
    made = rig("s")
    made.scorer.learned = made.scorer.shown = []
    made.fetch(page("s", "a"))
    assert made.scorer.learned == ["s", "a"]


def test_a_redirect_closes_every_address_on_the_way_also_to_a_known_page() -> None:
    made = rig("old")
    event = made.fetch(page("new", redirects=("old", "hop")), expected="old")
    assert (event.url, event.redirects) == ("new", ("old", "hop"))
    assert all(made.crawl.is_fetched(url) for url in ("old", "hop", "new"))
    made = rig("s", "old")
    made.fetch(page("s", "old"))
    made.fetch(page("new", "s", "hop", "old", redirects=("old", "hop")), expected="old")
    assert made.crawl.next() is None
    made = rig("s")
    made.fetch(page("s", "old"))
    made.crawl.redirect_rejected(made.lease(), "s")
    assert made.journal.events[-1] == RedirectEvent("old", "s")
    assert made.crawl.is_fetched("old")
    assert made.crawl.summary.fetched == 1
    assert made.crawl.next() is None


def test_a_scorer_that_loses_an_answer_is_found_out() -> None:
    made = rig("s")
    made.scorer.score = lambda visit, links: [Score(0.5)]  # type: ignore[method-assign]
    made.lease()
    with pytest.raises(StrategyError, match="'table' returned 1 scores for 2 links"):
        made.crawl.observe("s", page("s", "a", "b"))


# The values: what they refuse, what they read, and that they never change.


def test_every_value_is_frozen() -> None:
    kinds = [
        kind
        for kind in vars(model).values()
        if isinstance(kind, type)
        and dataclasses.is_dataclass(kind)
        and not issubclass(kind, model.Evidence)  # evidence grows with every link
    ]
    assert len(kinds) == 13
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind  # type: ignore[attr-defined]


def test_a_topic_takes_lists_and_keeps_tuples() -> None:
    topic = Topic("storms", keywords=["hurricane"], seeds=["http://a.test/"])  # type: ignore[arg-type]
    assert (topic.keywords, topic.seeds) == (("hurricane",), ("http://a.test/",))
    assert (topic.language, topic.exclude, topic.ontology) == ("en", (), None)


def test_a_topic_that_cannot_be_used() -> None:
    cases: list[tuple[dict[str, object], str]] = [
        ({"keywords": ()}, "topic 'storms' is empty: give it keywords"),
        ({"keywords": ("", "  ")}, "topic 'storms' is empty: give it keywords"),
        ({"keywords": (), "examples": ("",)}, "topic 'storms' is empty: give it keywords"),
        ({"keywords": (), "examples": ("\n",)}, "topic 'storms' is empty: give it keywords"),
        ({"name": ""}, "a topic needs a name."), ({"name": " \t"}, "a topic needs a name."),
        ({"keywords": "hurricane"}, "topic 'storms': keywords is a list of texts, not"),
        ({"seeds": None}, "topic 'storms': seeds is a list of texts, not"),
        ({"examples": 7}, "topic 'storms': examples is a list of texts, not"),
        ({"keywords": ("wind", 7)}, "topic 'storms': keywords holds 7, which is no text"),
    ]  # fmt: skip
    for values, message in cases:
        with pytest.raises(TopicError) as caught:
            Topic(**{"name": "storms", "keywords": ("wind",), **values})  # type: ignore[arg-type]
        assert str(caught.value).startswith(message)


def test_a_budget_is_pages_or_a_multiple() -> None:
    for text, labelled, pages in [
        ("500", None, 500), ("500", 7, 500), (" 10 ", None, 10), ("1", None, 1), ("2x", 100, 200),
        ("2X", 100, 200), ("1.5x", 10, 15), ("0.25x", 10, 2), ("0.01x", 10, 1), ("1x", 1, 1),
    ]:  # fmt: skip
        assert Budget.parse(text, labelled) == Budget(pages)


def test_no_other_budget_is_understood_and_one_of_nothing_or_without_labels_is_refused() -> None:
    for texts, labelled, message in [
        ((*" x -3 1e3 1.5 x2 .5x 1,000 nanx".split(" "), "2 x", "9" * 5000), 100,
         r"^budget '.*' is not understood; give a number"),
        (("0", "0x", "0.0x", "00"), 100, r"^a budget of 0 pages fetches nothing"),
        (("2x",), None, r"^budget '2x' counts labelled pages; give labels"),
    ]:  # fmt: skip
        for text in texts:
            with pytest.raises(SettingsError, match=message):
                Budget.parse(text, labelled)


def test_what_is_computed_of_pages_scores_and_candidates() -> None:
    for status, ok in [(199, False), (200, True), (204, True), (299, True), (304, False)]:
        assert Page("http://a.test/", status, Document()).ok is ok
    score = Score(0.5, (Part("anchor", 0.25), Part("title", 0.75, 0.5)))
    assert (score.part("title", 0.0), score.part("context", -1.0)) == (0.75, -1.0)
    assert [Candidate("a", score, depth).is_seed for depth in (0, 1)] == [True, False]


# The parts of a score by column: read as a sequence, equal to what they were made of.


PLAIN = (Part("page", 0.5, 0.25), Part("anchor", 0.2, 0.5), Part("inlinks", 0.75, 1.0))


def test_they_read_as_what_they_were_made_of() -> None:
    parts = Parts.of(PLAIN)
    assert parts == PLAIN and tuple(parts) == PLAIN
    assert Score(0.0, PLAIN) == Score(0.0, parts)  # the other way round
    assert parts[1] == PLAIN[1] and parts[-1] == PLAIN[-1] and parts[:2] == PLAIN[:2]
    assert len(parts) == 3 and PLAIN[2] in parts and hash(parts) == hash(PLAIN)
    assert pickle.loads(pickle.dumps(parts)) == parts
    assert Parts.of(parts) is parts
    assert not Parts.of(()) and parts != "parts"


def test_the_score_is_the_weighted_sum_also_of_other_values() -> None:
    """0.5 / 4 + 0.2 / 2 + 0.75 = 0.975, and 1 / 4 + 1 / 2 = 0.75."""
    score = Parts.of(PLAIN).score()
    assert score.value == pytest.approx(0.975) and score.parts == PLAIN
    others = Parts.of(PLAIN).with_values((1.0, 1.0, 0.0))
    assert others.names == ("page", "anchor", "inlinks")
    assert others.score().value == pytest.approx(0.75)
    with pytest.raises(ValueError, match="1 values"):
        Parts(("page", "anchor"), (1.0,), (1.0, 1.0))
