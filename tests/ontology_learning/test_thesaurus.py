"""A thesaurus beside the lattice: whose terms it knows, and what becomes of them."""

from __future__ import annotations

import pytest

from scenthound.ontology.model import Kind, Ontology, Relation
from scenthound.ontology.text_file import parse_ontology_text
from scenthound.ontology_learning.learned import Learned
from scenthound.ontology_learning.learner import learn_ontology
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.source import Source
from scenthound.ontology_learning.thesaurus import joined_kind, thesaurus_of
from scenthound.text.analyzer import Analyzer

RULES = Analyzer("en").rules


def known(text: str, *labels: str) -> tuple[Relation, ...]:
    thesaurus = parse_ontology_text(text, "t")
    return thesaurus_of(thesaurus, labels, RULES.split, RULES.base).relations


def test_labels_are_compared_by_their_base_forms() -> None:
    text = "Disasters\n  Floods\n    Flash floods\n  Fires\n"
    assert known(text, "flood", "flash flood", "fire") == (Relation("flash flood", "flood"),)
    assert known(text, "storm") == ()


def test_what_stands_between_is_passed_over() -> None:
    text = "water\n  wet things\n    flood\n  dam\n    wall (part-of)\n      stone (part-of)\n"
    assert known(text, "flood", "water") == (Relation("flood", "water"),)
    assert known(text, "stone", "dam") == (Relation("stone", "dam", Kind.PART_OF),)
    assert known(text, "stone", "water") == ()  # a part of a kind says nothing


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (Kind.SYNONYM, Kind.PART_OF, Kind.PART_OF),
        (Kind.INDUCED_BY, Kind.SYNONYM, Kind.INDUCED_BY),
        (Kind.IS_A, Kind.IS_A, Kind.IS_A),
        (Kind.PART_OF, Kind.IS_A, None),
        (Kind.COORDINATE, Kind.COORDINATE, None),
    ],
)
def test_kinds_through_a_third(first: Kind, second: Kind, kind: Kind | None) -> None:
    assert joined_kind(first, second) is kind


def test_circles_and_words_that_read_alike_do_no_harm() -> None:
    circle = (Relation("flood", "river"), Relation("river", "flood"), Relation("floods", "flood"))
    thesaurus = Ontology("t", parse_ontology_text("flood\nriver\nfloods\n", "t").concepts, circle)
    found = thesaurus_of(thesaurus, ("flood",), RULES.split, RULES.base)
    assert found.relations == () and found.labels == ("flood",)


TEXTS = ("The sea and the tide. A wave.", "The sea and the tide. An ebb.", "The sea. A wave.")


def learn(thesaurus: Ontology | None) -> Learned:
    pages = [Source(f"page {n}", "", text, (), text) for n, text in enumerate(TEXTS)]
    plan = LearningPlan(gamma=1.0, least=1)
    return learn_ontology(
        "sea", ["tide"], [], pages, Analyzer("en"), plan, thesaurus=thesaurus
    )  # fmt: skip


def test_learning_with_a_thesaurus() -> None:
    without = set(learn(None).ontology.relations)
    assert Relation("ebb", "tide", Kind.PART_OF) not in without
    thesaurus = parse_ontology_text("waves\n  tides (synonym)\n    ebb (part-of)\n", "t")
    learned = learn(thesaurus)
    relations = set(learned.ontology.relations)
    assert Relation("ebb", "tide", Kind.PART_OF) in relations
    assert Relation("tide", "wave", Kind.SYNONYM) in relations  # a keyword, and below a term
    assert "in 1 of 3 texts" in learned.ontology["ebb"].origin
    assert learned.ontology["ebb"].origin.endswith('below "tide" in the thesaurus')
    assert not any("thesaurus" in note for note in learned.notes)


def test_a_thesaurus_of_something_else_is_told() -> None:
    learned = learn(parse_ontology_text("music\n  opera\n", "t"))
    assert learned.ontology.relations == learn(None).ontology.relations
    assert "the thesaurus relates no two terms of the texts; it adds nothing." in learned.notes
