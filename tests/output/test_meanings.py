"""No part of a score is left unexplained."""

from __future__ import annotations

from scenthound.core.model import Score
from scenthound.output.explanation import (
    PARTS,
    REPRESENTATIONS,
    describe_evidence,
    describe_reason,
    evidence_of,
    part_meaning,
)
from scenthound.papers.link_priority import EVIDENCE
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.scent import TEXTS_READ_AS
from strategies.scoring import link, strategy, strategy_context, visit

SILENT = {"breadth-first", "random"}
"""These have no parts."""


def parts_of(name: str) -> set[str]:
    given = strategy_context(
        examples=["storm and rain", "storm and hail"], labels=["http://w.test/x"]
    )
    answers = strategy(name, given).scorer.score(visit("storm and rain"), [link("storm")])
    return {part.name for one in answers if isinstance(one, Score) for part in one.parts}


def test_every_part_of_every_strategy_has_a_meaning_and_there_are_no_others() -> None:
    found = {name: parts_of(name) for name in CATALOGUE}
    assert {name for name in found if not found[name]} == SILENT
    parts = set().union(*found.values())
    assert {evidence_of(part)[0] for part in parts} | set(EVIDENCE) == PARTS.keys()
    assert (
        {evidence_of(part)[1] for part in parts} - {""}
        <= REPRESENTATIONS.keys()
        == set(TEXTS_READ_AS)
    )
    assert all(part_meaning(part) != part_meaning("mood") for part in parts)
    assert all(describe_evidence(part) != part for part in PARTS)


def test_parts_and_reasons_of_others_are_told_as_they_stand() -> None:
    assert part_meaning("mood") == "a part of the strategy's own"
    assert describe_reason("status 503") == "status 503"
    assert describe_reason("nofollow").startswith("nofollow (the link")
