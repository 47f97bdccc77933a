"""The concept lattice: the paper's example, a slow reference, and contexts that explode."""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ontology_learning.table_one import table_one
from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.context import Flags, FormalContext
from scenthound.ontology_learning.lattice import (
    ConceptLattice,
    FormalConcept,
    concept_lattice,
    introducing,
)


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
    assert len(lattice.concepts) == 11 and not lattice.is_partial
    assert set(lattice.covers) == slow_covers(lattice) and len(lattice.covers) == 17


def test_the_node_of_figure_one() -> None:
    """ "doc 2, term 2" has the terms {1, 2, 3} and the texts {2, 5}."""
    found = [each for each in concept_lattice(table_one()).concepts if 1 in each.attributes]
    assert found == [FormalConcept(frozenset({1, 4}), frozenset({0, 1, 2}), (1,), (1,))]


def test_top_comes_first_and_bottom_last() -> None:
    concepts = concept_lattice(table_one()).concepts
    assert concepts[0] == FormalConcept(frozenset(range(5)), frozenset())
    assert concepts[-1] == FormalConcept(frozenset(), frozenset(range(6)))


@given(arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_the_lattice_is_what_its_definition_says(incidence: Flags) -> None:
    lattice = concept_lattice(context(incidence))
    assert {each.extent for each in lattice.concepts} == slow_extents(lattice.context)
    assert set(lattice.covers) == slow_covers(lattice)
    for each in lattice.concepts:
        assert lattice.context.extent(each.intent) == each.extent
    labelled = [number for each in lattice.concepts for number in each.attributes]
    assert sorted(labelled) == list(range(len(lattice.context.attributes)))


@given(arrays(np.bool_, st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_a_partial_lattice_is_a_part_in_the_same_order(incidence: Flags) -> None:
    whole, part = (concept_lattice(context(incidence), most) for most in (5_000, 1))
    known = {each.extent: each for each in whole.concepts}
    assert all(known[each.extent] == each for each in part.concepts)
    assert set(part.covers) == slow_covers(part)


def test_a_dense_context_is_not_worked_out_whole() -> None:
    """Thirty texts and sixty terms, four of five of which each text has: far too many concepts."""
    dense = np.random.default_rng(8).random((30, 60)) < 0.8
    lattice = concept_lattice(context(dense))
    assert lattice.is_partial and len(lattice.concepts) <= 92
    assert {each.extent for each in lattice.concepts} == set(introducing(lattice.context))
    assert all(each.objects or each.attributes for each in lattice.concepts[1:-1])


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (2, 0)])
def test_an_empty_context_has_one_concept(shape: tuple[int, int]) -> None:
    lattice = concept_lattice(context(np.zeros(shape, np.bool_)))
    (only,) = lattice.concepts
    assert (len(only.extent), len(only.intent)) == shape
    assert not lattice.covers and not lattice.is_partial


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "concepts", None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[ontology\]'"):
        concept_lattice(table_one())
