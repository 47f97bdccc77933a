"""The order of terms, the concept lattice, the skeleton, and a thesaurus beside it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from papers.ontology_building import context_of, table_one
from scenthound.papers.olmoaco import formal_context
from scenthound.papers.olmoaco.formal_context import (
    ConceptLattice,
    Flags,
    FormalContext,
    concept_lattice,
)
from scenthound.papers.olmoaco.learner import Learner, LearningPlan, LearningResult
from scenthound.papers.olmoaco.skeleton import (
    MOST_PARENTS,
    Draft,
    Proposal,
    compose_kinds,
    restrict_thesaurus,
    skeleton,
)
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.ontologies.files import parse_ontology_text
from scenthound.papers.ontologies.model import Concept, Kind, Ontology, Relation
from scenthound.text.analyzer import Analyzer

SOME = settings(max_examples=25)


def slow_covering(sets: Flags) -> list[tuple[int, int]]:
    """By the definition, on Python's own sets."""
    each = [frozenset(np.flatnonzero(row).tolist()) for row in sets]
    below = [
        (large, small)
        for large in range(len(each))
        for small in range(len(each))
        if each[small] and each[small] < each[large]
    ]
    return [
        (large, small)
        for large, small in below
        if not any(
            (large, middle) in below and (middle, small) in below for middle in range(len(each))
        )
    ]


def term_order(context: FormalContext) -> tuple[tuple[str, str], ...]:
    """Pairs (general, specific), each term by the first of its group."""
    groups, covers = formal_context.order_of_terms(context)
    names = [context.attributes[group[0]] for group in groups]
    return tuple((names[general], names[specific]) for general, specific in covers)


def test_the_order_of_terms() -> None:
    assert set(term_order(table_one())) == {
        ("term 1", "term 2"),
        ("term 3", "term 2"),
        ("term 1", "term 4"),
        ("term 5", "term 4"),
        ("term 1", "term 6"),
    }
    # terms in the same texts are one group, named by the first
    context = context_of(["xxx.", "xx.x", "..x."], ["sea", "tide", "wind", "dike"])
    assert formal_context.order_of_terms(context)[0] == [[0, 1], [2], [3]]
    assert term_order(context) == (("sea", "dike"),)
    for shape in [(0, 0), (0, 2), (2, 0)]:
        rows, columns = shape
        context = FormalContext(("a", "b")[:rows], ("x", "y")[:columns], np.zeros(shape, np.bool_))
        assert term_order(context) == ()


@SOME
@given(arrays(np.bool_, st.tuples(st.integers(0, 9), st.integers(0, 6))))
def test_covering_is_what_its_definition_says(sets: Flags) -> None:
    distinct = np.unique(sets, axis=0) if sets.size else sets[:1]
    assert formal_context.cover_pairs(distinct) == slow_covering(distinct)


def test_a_formal_context() -> None:
    """The node "doc 2, term 2" of olmoaco Fig. 1 has the terms 1, 2, 3 and the texts 2, 5."""
    context = table_one()
    assert context.intent([1]) == {0, 1, 2}
    assert context.extent([0, 1, 2]) == context.extent([1]) == {1, 4}
    assert context.intent([]) == set(range(6))
    assert context.extent([]) == set(range(5))
    assert FormalContext(
        ("a", "b"), ("x", "y"), np.array([[1, 1], [0, 1]], bool)
    ).spread.tolist() == [1, 2]


def context(incidence: Flags) -> FormalContext:
    rows, columns = incidence.shape
    return FormalContext(
        tuple(f"d{row}" for row in range(rows)), tuple(f"t{i}" for i in range(columns)), incidence
    )


def slow_extents(given: FormalContext) -> set[frozenset[int]]:
    """What every set of objects closes to."""
    objects = range(len(given.objects))
    sets = (chosen for size in range(len(objects) + 1) for chosen in combinations(objects, size))
    return {given.extent(given.intent(chosen)) for chosen in sets}


def slow_covers(lattice: ConceptLattice) -> set[tuple[int, int]]:
    extents = [concept.extent for concept in lattice.concepts]
    pairs = [(u, v) for u, a in enumerate(extents) for v, b in enumerate(extents) if b < a]
    between = {(u, w) for u, v in pairs for x, w in pairs if v == x}
    return set(pairs) - between


def test_table_one_has_the_eleven_concepts_of_the_paper() -> None:
    lattice = concept_lattice(table_one())
    intents = {"".join(str(i + 1) for i in sorted(each.intent)) for each in lattice.concepts}
    assert intents == {
        "", "1", "3", "5", "16", "145", "123", "35", "1456", "12345", "123456"
    }  # fmt: skip
    assert len(lattice.concepts) == 11
    assert set(lattice.covers) == slow_covers(lattice) and len(lattice.covers) == 17
    # "doc 2, term 2" has the terms {1, 2, 3} and the texts {2, 5}.
    found = [each for each in concept_lattice(table_one()).concepts if 1 in each.attributes]
    assert found == [
        formal_context.FormalConcept(frozenset({1, 4}), frozenset({0, 1, 2}), (1,), (1,))
    ]


@SOME
@given(arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_the_lattice_is_what_its_definition_says(incidence: Flags) -> None:
    lattice = concept_lattice(context(incidence))
    assert {each.extent for each in lattice.concepts} == slow_extents(lattice.context)
    assert set(lattice.covers) == slow_covers(lattice)
    for each in lattice.concepts:
        assert lattice.context.extent(each.intent) == each.extent
    labelled = [number for each in lattice.concepts for number in each.attributes]
    assert sorted(labelled) == list(range(len(lattice.context.attributes)))
    # a partial lattice is a part, in the same order
    part = concept_lattice(context(incidence), 1)
    known = {each.extent: each for each in lattice.concepts}
    assert all(known[each.extent] == each for each in part.concepts)
    assert set(part.covers) == slow_covers(part)


def test_dense_and_empty_contexts() -> None:
    """Thirty texts and sixty terms, four of five of which each text has: far too many concepts."""
    dense = np.random.default_rng(8).random((30, 60)) < 0.8
    lattice = concept_lattice(context(dense))
    assert len(lattice.concepts) <= 92
    assert {each.extent for each in lattice.concepts} == formal_context.labelled_extents(
        lattice.context
    )
    assert all(each.objects or each.attributes for each in lattice.concepts[1:-1])
    for shape in [(0, 0), (0, 2), (2, 0)]:
        lattice = concept_lattice(context(np.zeros(shape, np.bool_)))
        (only,) = lattice.concepts
        assert (len(only.extent), len(only.intent)) == shape
        assert not lattice.covers


def proposals(
    context: FormalContext, topic: str = "storm", keywords: tuple[str, ...] = (),
    thesaurus: Ontology | None = None,
) -> list[Proposal]:  # fmt: skip
    draft = Draft("d", topic)
    return [each for each in skeleton(context, draft, keywords, thesaurus) if draft.offer(each)]


def pairs(proposals: list[Proposal]) -> list[tuple[str, str | None, str]]:
    return [(each.label, each.parent, each.kind.value) for each in proposals]


def test_the_skeleton_and_its_origins() -> None:
    assert pairs(proposals(table_one())) == [
        ("term 1", "storm", "is-a"),
        ("term 3", "storm", "is-a"),
        ("term 5", "storm", "is-a"),
        ("term 2", "term 3", "is-a"),
        ("term 2", "term 1", "is-a"),
        ("term 4", "term 5", "is-a"),
        ("term 4", "term 1", "is-a"),
        ("term 6", "term 1", "is-a"),
    ]
    context = context_of(["xx.x", "xx.x", "x.x."], ["sea", "tide", "wind", "ebb"])
    assert [each.origin for each in proposals(context, keywords=("Dike ",))] == [
        "keyword of the topic",
        "in 3 of 3 texts; at the top of the concept lattice",
        'in 2 of 3 texts; below "sea" in the concept lattice',
        'in the same 2 of 3 texts as "tide"',
        'in 1 of 3 texts; below "sea" in the concept lattice',
    ]
    # keywords come first and stay below the topic
    context = context_of(["xxx", "x.x"], ["sea", "Tide", "storm"])
    assert pairs(proposals(context, "Storm", ("tide", "TIDE", "", "storm"))) == [
        ("tide", "storm", "is-a"),
        ("sea", "storm", "coordinate-term-of"),
    ]
    # Four terms stand next above "dike"; the two that are in fewest texts are its parents.
    rows = ["xxxxx", "x....", "x....", ".x...", ".x...", "..x..", "...x."]
    found = proposals(context_of(rows, ["a", "b", "c", "d", "dike"]))
    assert [each.parent for each in found if each.label == "dike"] == ["d", "c"]
    assert MOST_PARENTS == 2


def test_the_thesaurus_takes_the_place_of_the_lattice() -> None:
    """By the lattice "tide" is below "ebb"; the thesaurus says the opposite, and of what kind."""
    context = context_of(["xx", "x."], ["ebb", "tide"])
    known = (
        Relation("ebb", "tide", Kind.PART_OF),
        Relation("tide", "flow"),
        Relation("sea", "ebb"),
    )
    thesaurus = Ontology("t", tuple(map(Concept, ("ebb", "tide", "flow", "sea"))), known)
    found = proposals(context, thesaurus=thesaurus)
    assert pairs(found) == [("tide", "storm", "is-a"), ("ebb", "tide", "part-of")]
    assert found[1].origin == 'in 2 of 2 texts; below "tide" in the thesaurus'
    # a circle in the thesaurus is cut
    context = context_of(["xx", "x."], ["ebb", "tide"])
    circle = (Relation("ebb", "tide"), Relation("tide", "ebb"))
    thesaurus = Ontology("t", (Concept("ebb"), Concept("tide")), circle)
    found = proposals(context, thesaurus=thesaurus)
    assert pairs(found) == [("ebb", "storm", "is-a"), ("tide", "ebb", "is-a")]


def test_what_would_go_below_a_dropped_term_finds_another_parent() -> None:
    context = context_of(["xxxx", "xxx.", "x..."], ["sea", "tide", "ebb", "dike"])
    draft = Draft("d", "storm", review=lambda proposal: proposal.label not in ("sea", "tide"))
    for proposal in skeleton(context, draft):
        draft.offer(proposal)
    found = [(each.child, each.parent) for each in draft.ontology().relations]
    assert found == [("ebb", "storm"), ("dike", "ebb")]


@SOME
@given(arrays(np.bool_, st.tuples(st.integers(0, 6), st.integers(0, 8))), st.integers(0, 3))
def test_a_draft_takes_everything_and_all_of_it_hangs_together(
    incidence: Flags, keywords: int
) -> None:
    rows, columns = incidence.shape
    terms = tuple(f"t{number}" for number in range(columns))
    context = FormalContext(tuple(f"d{row}" for row in range(rows)), terms, incidence)
    draft = Draft("d", "topic")
    assert all(map(draft.offer, skeleton(context, draft, terms[:keywords])))
    ontology = draft.ontology()
    assert set(ontology.labels) == {"topic", *terms}
    assert ontology.roots == ("topic",)


RULES = Analyzer("en").rules


def known(text: str, *labels: str) -> tuple[Relation, ...]:
    thesaurus = parse_ontology_text(text, "t")
    return restrict_thesaurus(thesaurus, labels, RULES).relations


def test_what_a_thesaurus_says_of_labels() -> None:
    text = "Disasters\n  Floods\n    Flash floods\n  Fires\n"
    assert known(text, "flood", "flash flood", "fire") == (Relation("flash flood", "flood"),)
    assert known(text, "storm") == ()
    # what stands between is passed over
    text = "water\n  wet things\n    flood\n  dam\n    wall (part-of)\n      stone (part-of)\n"
    assert known(text, "flood", "water") == (Relation("flood", "water"),)
    assert known(text, "stone", "dam") == (Relation("stone", "dam", Kind.PART_OF),)
    assert known(text, "stone", "water") == ()  # a part of a kind says nothing
    # circles and words that read alike do no harm
    circle = (Relation("flood", "river"), Relation("river", "flood"), Relation("floods", "flood"))
    thesaurus = Ontology("t", parse_ontology_text("flood\nriver\nfloods\n", "t").concepts, circle)
    found = restrict_thesaurus(thesaurus, ("flood",), RULES)
    assert found.relations == () and found.labels == ("flood",)


def test_kinds_through_a_third() -> None:
    for first, second, kind in [
        (Kind.SYNONYM, Kind.PART_OF, Kind.PART_OF),
        (Kind.INDUCED_BY, Kind.SYNONYM, Kind.INDUCED_BY),
        (Kind.IS_A, Kind.IS_A, Kind.IS_A),
        (Kind.PART_OF, Kind.IS_A, None),
        (Kind.COORDINATE, Kind.COORDINATE, None),
    ]:
        assert compose_kinds(first, second) is kind


TEXTS = ("The sea and the tide. A wave.", "The sea and the tide. An ebb.", "The sea. A wave.")


def learn(thesaurus: Ontology | None) -> LearningResult:
    pages = [Source(f"page {n}", "", text, (), text) for n, text in enumerate(TEXTS)]
    plan = LearningPlan(gamma=1.0, least=1, topics=2)
    return Learner(
        "sea", ["tide"], [], pages, Analyzer("en"), plan, thesaurus=thesaurus
    ).learn()  # fmt: skip


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
    # one of something else adds nothing, which is reported
    learned = learn(parse_ontology_text("music\n  opera\n", "t"))
    assert learned.ontology.relations == learn(None).ontology.relations
    assert "the thesaurus relates no two terms of the texts; it adds nothing." in learned.notes
