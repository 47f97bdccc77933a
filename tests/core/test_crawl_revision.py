"""A strategy that learns other weights: what waits is valued anew, and the journal says so."""

from __future__ import annotations

from dataclasses import dataclass

from core.crawl_building import Rig, TableScorer, page, rig
from scenthound.core.model import Score
from scenthound.core.protocols import Revising, Revision


@dataclass
class Turncoat(TableScorer):
    """After ``turns_at`` pages the worst link is the best."""

    turns_at: int = 1

    def revise(self) -> Revision | None:
        if len(self.learnt) != self.turns_at:
            return None
        return Revision({"anchor": -1.0}, 7)

    def reweighed(self, score: Score) -> Score:
        return Score(-score.value, score.parts)


def crawl(turns_at: int) -> Rig:
    scorer = Turncoat({"a": 0.9, "b": 0.5, "c": 0.1}, turns_at=turns_at)
    return rig("s", scorer=scorer)


def test_what_waits_is_valued_anew_after_the_links_of_the_page() -> None:
    assert isinstance(Turncoat(), Revising)
    assert crawl(1).run([page("s", "a", "b", "c")]) == ["s", "c", "b", "a"]


def test_nothing_changes_where_nothing_was_learnt() -> None:
    assert not isinstance(TableScorer(), Revising)
    assert crawl(99).run([page("s", "a", "b", "c")]) == ["s", "a", "b", "c"]


def test_a_revision_is_an_event_after_that_of_the_page() -> None:
    made = crawl(2)
    made.run([page("s", "a", "b", "c"), page("a")])
    lines = made.journal.lines()
    kinds = [line["event"] for line in lines]
    assert kinds == ["started", "page", "page", "revised", "missing", "stopped"]
    told = lines[3]
    assert (told["n"], told["weights"], told["links"]) == (2, {"anchor": -1.0}, 7)
    assert made.journal.pages()[1].priority == 0.9


def test_a_crawl_that_goes_on_begins_with_scores_of_the_weights_it_has() -> None:
    """What was learnt again after a kill may differ from what was known then."""
    made = crawl(99)
    made.fetch(page("s", "a", "b", "c"))
    again = rig("s", scorer=made.scorer, frontier=made.frontier, so_far=made.crawl.summary)
    assert [again.lease() for _ in range(3)] == ["c", "b", "a"]
