"""Which links of a page are queued, with what on record, and which are dropped and why."""

from __future__ import annotations

import math

import pytest

from core.crawl_building import page, rig
from scenthound.core.errors import StrategyError
from scenthound.core.events import RedirectEvent
from scenthound.core.model import Inlink, Link, Part, Refusal, Score

NOFOLLOW = frozenset({"nofollow", "noopener"})


def test_a_nofollow_link_is_dropped() -> None:
    made = rig("s")
    event = made.fetch(page("s", Link("a", rel=NOFOLLOW), Link("b", rel=frozenset({"noopener"}))))
    assert event.drops.counts == {"nofollow": (1, ("a",))}
    assert event.new == 1
    assert made.lease() == "b"


def test_all_links_of_a_nofollow_page_are_dropped() -> None:
    made = rig("s")
    event = made.fetch(page("s", "a", "b", follow=False))
    assert event.drops.counts == {"nofollow": (2, ("a", "b"))}
    assert made.crawl.next() is None


def test_links_to_the_page_itself_are_dropped() -> None:
    made = rig("s")
    event = made.fetch(page("s", "s", "a", "s"))
    assert event.drops.counts == {"same page": (2, ("s", "s"))}
    assert event.new == 1


@pytest.mark.parametrize(
    ("pattern", "dropped"),
    [
        ("http://a.test/*", ["http://a.test/x", "http://a.test/x?page=1", "http://a.test/x[1]"]),
        ("*?page=?", ["http://a.test/x?page=1"]),
        ("http://a.test/x", ["http://a.test/x"]),
        ("*[1]", ["http://a.test/x[1]"]),
        ("*/X*", []),
        ("a.test", []),
    ],
)
def test_exclude_patterns_know_stars_and_question_marks(pattern: str, dropped: list[str]) -> None:
    links = ["http://a.test/x", "http://a.test/x?page=1", "http://a.test/x[1]", "http://b.test/"]
    made = rig("s", exclude=["nothing like it", pattern])
    event = made.fetch(page("s", *links))
    expected = {"excluded": (len(dropped), tuple(dropped))} if dropped else {}
    assert event.drops.counts == expected
    assert event.new == 4 - len(dropped)


def test_a_scorers_refusals_are_dropped_for_its_reason() -> None:
    made = rig("s", table={"a": Refusal("no steps left"), "b": Refusal("too deep")})
    event = made.fetch(page("s", "a", "b", "c", Link("d", "a")))
    assert event.drops.counts == {"no steps left": (2, ("a", "d")), "too deep": (1, ("b",))}
    assert event.new == 1


@pytest.mark.parametrize("worth", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_not_queued(worth: float) -> None:
    made = rig("s", table={"a": worth})
    event = made.fetch(page("s", "a", "b"))
    assert event.drops.counts == {"score is no number": (1, ("a",))}
    assert made.lease() == "b"


def test_five_examples_are_kept_for_a_reason() -> None:
    made = rig("s", exclude=["x*"])
    event = made.fetch(page("s", *(f"x{i}" for i in range(8))))
    assert event.drops.counts == {"excluded": (8, ("x0", "x1", "x2", "x3", "x4"))}


def test_links_that_never_were_candidates_are_on_record_too() -> None:
    unusable = {"mailto": (3, ("mailto:a",))}
    made = rig("s")
    event = made.fetch(page("s", "s", unusable=unusable))
    assert event.drops.counts == {"mailto": (3, ("mailto:a",)), "same page": (1, ("s",))}
    assert unusable == {"mailto": (3, ("mailto:a",))}


def test_the_scorer_sees_only_links_that_may_be_followed() -> None:
    made = rig("s", exclude=["x*"])
    made.fetch(page("s", "a", "x1", "s", Link("n", rel=NOFOLLOW), "b"))
    made.fetch(page("a", "c", follow=False))
    made.fetch(page("b", "d", status=500))
    assert made.scorer.shown == ["a", "b"]


def test_two_links_to_one_target_are_one_sighting_with_the_best_score() -> None:
    made = rig("s", table={"weak": 0.2, "strong": 0.9, "middling": 0.4})
    event = made.fetch(page("s", *(Link("a", anchor) for anchor in ("weak", "strong", "middling"))))
    assert (event.links, event.new, event.rescored) == (3, 1, 0)
    candidate = made.candidate()
    assert candidate.score == Score(0.9, (Part("anchor", 0.9),))
    assert candidate.inlinks == (Inlink(1, candidate.score, "strong"),)


def test_of_two_equal_links_to_one_target_the_first_is_on_record() -> None:
    made = rig("s", table={"one": 0.5, "two": 0.5})
    made.fetch(page("s", Link("a", "one"), Link("a", "two")))
    assert [inlink.anchor for inlink in made.candidate().inlinks] == ["one"]


def test_new_rescored_and_closed_links_are_told_apart() -> None:
    made = rig("s", table={"a": 0.9, "b": 0.5, "c": 0.1})
    made.fetch(page("s", "a", "b"))
    event = made.fetch(page("a", "s", "b", "c"))
    assert (event.links, event.new, event.rescored, event.closed) == (3, 1, 1, 1)


def test_a_link_is_one_deeper_than_the_candidate_that_led_to_its_page() -> None:
    made = rig("s")
    depths = [made.fetch(p).depth for p in (page("s", "a"), page("a", "b"), page("b"))]
    assert depths == [0, 1, 2]


def test_the_inlinks_and_parts_of_a_page_are_on_record() -> None:
    made = rig("s1", "s2", table={"good": 0.8, "fair": 0.3})
    made.fetch(page("s1", Link("a", "fair")))
    made.fetch(page("s2", Link("a", "good")))
    event = made.fetch(page("a"))
    assert [(i.source, i.score.value, i.anchor) for i in event.inlinks] == [
        (2, 0.8, "good"),
        (1, 0.3, "fair"),
    ]
    assert event.parts == (Part("anchor", 0.8),)
    assert event.priority == 0.8


def test_seeds_have_no_priority_even_if_links_to_them_were_scored() -> None:
    made = rig("s1", "s2", table={"s2": 0.9})
    assert made.fetch(page("s1", "s2")).priority is None
    event = made.fetch(page("s2"))
    assert event.priority is None
    assert len(event.inlinks) == 1


def test_a_scorer_that_predicts_nothing_gives_no_priority() -> None:
    made = rig("s", predicts=False)
    made.fetch(page("s", "a"))
    event = made.fetch(page("a"))
    assert event.priority is None
    assert made.crawl.summary.predicted == 0


def test_a_failed_page_is_a_fetch_but_teaches_nothing() -> None:
    made = rig("s")
    event = made.fetch(page("s", "a", title="0.9", status=500))
    assert (event.n, event.status, event.similarity, event.relevant) == (1, 500, 0.0, False)
    assert (made.crawl.summary.fetched, made.crawl.summary.failed) == (1, 1)
    assert made.scorer.learnt == [] and made.scorer.shown == []
    assert made.crawl.next() is None


def test_a_page_is_learnt_before_its_links_are_scored() -> None:
    order: list[str] = []

    made = rig("s")
    made.scorer.learnt = made.scorer.shown = order
    made.fetch(page("s", "a"))
    assert order == ["s", "a"]


def test_a_redirect_closes_every_address_on_the_way() -> None:
    made = rig("old")
    event = made.fetch(page("new", redirects=("old", "hop")), expected="old")
    assert (event.url, event.redirects) == ("new", ("old", "hop"))
    assert all(made.crawl.is_fetched(url) for url in ("old", "hop", "new"))
    made = rig("s", "old")
    made.fetch(page("s", "old"))
    made.fetch(page("new", "s", "hop", "old", redirects=("old", "hop")), expected="old")
    assert made.crawl.next() is None


def test_a_waiting_url_reached_through_a_redirect_is_not_fetched_again() -> None:
    made = rig("s", table={"old": 0.9, "new": 0.8, "hop": 0.7, "b": 0.1})
    made.fetch(page("s", "old", "new", "hop", "b"))
    made.fetch(page("new", redirects=("old", "hop")), expected="old")
    assert made.lease() == "b"


def test_a_seed_reached_through_a_redirect_is_not_fetched_again() -> None:
    made = rig("s1", "s2", "s3")
    made.fetch(page("s2", redirects=("s1",)), expected="s1")
    assert made.lease() == "s3"


def test_a_candidate_that_leads_to_a_known_page_is_closed_and_on_record() -> None:
    made = rig("s")
    made.fetch(page("s", "old"))
    made.crawl.turned_away(made.lease(), "s")
    assert made.journal.events[-1] == RedirectEvent("old", "s")
    assert made.crawl.is_fetched("old")
    assert made.crawl.summary.fetched == 1
    assert made.crawl.next() is None


def test_a_scorer_that_loses_an_answer_is_found_out() -> None:
    made = rig("s")
    made.scorer.score = lambda visit, links: [Score(0.5)]  # type: ignore[method-assign]
    made.lease()
    with pytest.raises(StrategyError, match="'table' gives 1 scores for 2 links"):
        made.crawl.observe("s", page("s", "a", "b"))
