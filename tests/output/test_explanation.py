"""Which evidence mattered, in shares and in words."""

from __future__ import annotations

import pytest

from scenthound.core.model import Part
from scenthound.output.explanation import describe_gist, describe_parts, evidence_of, part_meaning

PARTS = (
    Part("page words", 0.1, 0.5), Part("anchor words", 0.2, 0.5), Part("context words", 0.0, 0.5),
    Part("anchor meaning", 0.4, 0.5), Part("address words", 0.1, 0.2), Part("inlinks", 0.5, 0.08),
)  # fmt: skip


def told(*parts: Part) -> str:
    return describe_gist(describe_parts(parts), sum(part.value * part.weight for part in parts))


def test_the_largest_part_comes_first_with_its_share() -> None:
    found = describe_parts(PARTS)
    assert [part.name for part in found[:3]] == ["anchor meaning", "anchor words", "page words"]
    assert found[0].contribution == pytest.approx(0.2)
    assert found[0].share == pytest.approx(0.2 / 0.41)
    assert sum(part.share or 0.0 for part in found) == pytest.approx(1.0)
    assert describe_parts([]) == ()


def test_shares_may_be_of_a_score_that_parts_do_not_account_for() -> None:
    (part,) = describe_parts([Part("full", 0.5, 0.5)], 0.5)
    assert part.share == 0.5


def test_a_score_that_is_not_above_nothing_has_no_shares() -> None:
    for parts in [[Part("full", 0.0, 0.5)], [Part("full", 0.5, -1.0)]]:
        (part,) = describe_parts(parts)
        assert part.share is None and describe_gist([part], part.contribution) == ""


def test_what_mattered_is_told_with_all_ways_of_a_text_together() -> None:
    assert told(*PARTS) == "mostly the text of the link (0.30 of 0.41)"
    weaker = (Part("page words", 0.2, 0.5), *PARTS[1:3], Part("address words", 0.1, 0.5))
    assert told(*weaker) == (
        "mostly the page it stands on (0.10 of 0.25) and the text of the link (0.10)"
    )


def test_what_is_even_is_told_whole() -> None:
    assert told(Part("full", 0.3, 0.5), Part("anchor", 0.25, 0.5)) == (
        "the page it stands on (0.15 of 0.28) and the text of the link (0.12)"
    )


def test_at_most_three_are_told() -> None:
    names = ("anchor", "context", "full", "title", "my own")
    words = told(*(Part(name, 0.5, 0.2) for name in names))
    assert words.startswith("mostly the text of the link (0.10 of 0.50), the text around it (0.10)")
    assert words.count("(") == 3


def test_one_thing_alone_needs_no_words() -> None:
    assert told(Part("full", 0.5)) == told(Part("page words", 0.5), Part("page meaning", 0.5)) == ""


def test_parts_of_others_keep_their_names() -> None:
    assert told(Part("mood", 0.5), Part("my words", 0.1)) == "mostly mood (0.50 of 0.60)"
    assert evidence_of("my words") == ("my words", "")
    assert part_meaning("anchor meaning") == "the text of the link, by the meaning of its words"
