"""From the order of terms to proposals."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ontology_learning.table_one import context_of, table_one
from scenthound.ontology.model import Concept, Kind, Ontology, Relation
from scenthound.ontology_learning.context import Flags, FormalContext
from scenthound.ontology_learning.proposals import Draft, Proposal
from scenthound.ontology_learning.skeleton import MOST_PARENTS, skeleton


def pairs(proposals: list[Proposal]) -> list[tuple[str, str | None, str]]:
    return [(each.label, each.parent, each.kind.value) for each in proposals]


def test_table_one() -> None:
    assert pairs(list(skeleton(table_one(), "storm"))) == [
        ("term 1", "storm", "is-a"),
        ("term 3", "storm", "is-a"),
        ("term 5", "storm", "is-a"),
        ("term 2", "term 3", "is-a"),
        ("term 2", "term 1", "is-a"),
        ("term 4", "term 5", "is-a"),
        ("term 4", "term 1", "is-a"),
        ("term 6", "term 1", "is-a"),
    ]


def test_origins_say_why() -> None:
    context = context_of(["xx.x", "xx.x", "x.x."], ["sea", "tide", "wind", "ebb"])
    assert [each.origin for each in skeleton(context, "storm", ["Dike "])] == [
        "keyword of the topic",
        "in 3 of 3 texts; at the top of the concept lattice",
        'in 2 of 3 texts; below "sea" in the concept lattice',
        'in the same 2 of 3 texts as "tide"',
        'in 1 of 3 texts; below "sea" in the concept lattice',
    ]


def test_terms_in_the_same_texts_are_coordinate_terms_of_the_first() -> None:
    context = context_of(["xxx"], ["sea", "tide", "wind"])
    assert pairs(list(skeleton(context, "storm"))) == [
        ("sea", "storm", "is-a"),
        ("tide", "sea", "coordinate-term-of"),
        ("wind", "sea", "coordinate-term-of"),
    ]


def test_keywords_come_first_and_stay_below_the_topic() -> None:
    context = context_of(["xxx", "x.x"], ["sea", "Tide", "storm"])
    assert pairs(list(skeleton(context, "Storm", ["tide", "TIDE", "", "storm"]))) == [
        ("tide", "storm", "is-a"),
        ("sea", "storm", "coordinate-term-of"),
    ]


def test_a_term_goes_below_the_nearest_few_only() -> None:
    """Four terms stand next above "dike"; the two that are in fewest texts are its parents."""
    rows = ["xxxxx", "x....", "x....", ".x...", ".x...", "..x..", "...x."]
    found = list(skeleton(context_of(rows, ["a", "b", "c", "d", "dike"]), "storm"))
    assert [each.parent for each in found if each.label == "dike"] == ["d", "c"]
    assert MOST_PARENTS == 2


def test_an_empty_context_gives_the_keywords_alone() -> None:
    empty = FormalContext((), (), np.zeros((0, 0), np.bool_))
    assert pairs(list(skeleton(empty, "storm", ["wind"]))) == [("wind", "storm", "is-a")]


def test_the_thesaurus_takes_the_place_of_the_lattice() -> None:
    """By the lattice "tide" is below "ebb"; the thesaurus says the opposite, and of what kind."""
    context = context_of(["xx", "x."], ["ebb", "tide"])
    known = (
        Relation("ebb", "tide", Kind.PART_OF),
        Relation("tide", "flow"),
        Relation("sea", "ebb"),
    )
    thesaurus = Ontology("t", tuple(map(Concept, ("ebb", "tide", "flow", "sea"))), known)
    found = list(skeleton(context, "storm", thesaurus=thesaurus))
    assert pairs(found) == [("tide", "storm", "is-a"), ("ebb", "tide", "part-of")]
    assert found[1].origin == 'in 2 of 2 texts; below "tide" in the thesaurus'


def test_a_circle_in_the_thesaurus_is_cut() -> None:
    context = context_of(["xx", "x."], ["ebb", "tide"])
    circle = (Relation("ebb", "tide"), Relation("tide", "ebb"))
    thesaurus = Ontology("t", (Concept("ebb"), Concept("tide")), circle)
    found = list(skeleton(context, "storm", thesaurus=thesaurus))
    assert pairs(found) == [("ebb", "storm", "is-a"), ("tide", "ebb", "is-a")]


def test_what_would_go_below_a_dropped_term_finds_another_parent() -> None:
    context = context_of(["xxxx", "xxx.", "x..."], ["sea", "tide", "ebb", "dike"])
    draft = Draft("d", "storm", review=lambda proposal: proposal.label not in ("sea", "tide"))
    for proposal in skeleton(context, "storm", draft=draft):
        draft.offer(proposal)
    found = [(each.child, each.parent) for each in draft.ontology().relations]
    assert found == [("ebb", "storm"), ("dike", "ebb")]


@given(arrays(np.bool_, st.tuples(st.integers(0, 6), st.integers(0, 8))), st.integers(0, 3))
def test_a_draft_takes_everything_and_all_of_it_hangs_together(
    incidence: Flags, keywords: int
) -> None:
    rows, columns = incidence.shape
    terms = tuple(f"t{number}" for number in range(columns))
    context = FormalContext(tuple(f"d{row}" for row in range(rows)), terms, incidence)
    draft = Draft("d", "topic")
    assert all(map(draft.offer, skeleton(context, "topic", terms[:keywords], draft=draft)))
    ontology = draft.ontology()
    assert set(ontology.labels) == {"topic", *terms}
    assert ontology.roots == ("topic",)
