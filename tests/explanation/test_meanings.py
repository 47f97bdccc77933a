"""No part of a score is left unexplained."""

from __future__ import annotations

import pytest

from scenthound.core.model import Score
from scenthound.explanation.meanings import (
    PARTS,
    WAYS,
    evidence_of,
    part_meaning,
    reason_told,
    thing_told,
)
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.evidence import READ
from scenthound.strategies.weighted import EVIDENCE
from strategies.scoring import ingredients, link, strategy, visit

SILENT = {"breadth-first", "random"}
"""These have no parts."""


def parts_of(name: str) -> set[str]:
    given = ingredients(examples=["storm and rain", "storm and hail"], labels=["http://w.test/x"])
    answers = strategy(name, given).scorer.score(visit("storm and rain"), [link("storm")])
    return {part.name for one in answers if isinstance(one, Score) for part in one.parts}


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name not in SILENT])
def test_every_part_of_every_strategy_has_a_meaning(name: str) -> None:
    found = parts_of(name)
    assert found and {evidence_of(part)[0] for part in found} <= PARTS.keys()
    assert all(part_meaning(part) != part_meaning("mood") for part in found)


def test_every_meaning_is_that_of_a_part() -> None:
    found = {part for name in CATALOGUE for part in parts_of(name)}
    assert {evidence_of(part)[0] for part in found} | set(EVIDENCE) == PARTS.keys()
    assert {evidence_of(part)[1] for part in found} - {""} <= WAYS.keys() == set(READ)
    assert all(thing_told(part) != part for part in PARTS)


def test_parts_and_reasons_of_others_are_told_as_they_stand() -> None:
    assert part_meaning("mood") == "a part of the strategy's own"
    assert reason_told("status 503") == "status 503"
    assert reason_told("nofollow").startswith("nofollow (the link")


def test_full_is_true_of_strategies_that_read_no_more_than_the_beginning() -> None:
    assert "whole" not in part_meaning("full")
    assert "(sentences: title and beginning)" in part_meaning("full")
