"""Facts about WordNet 3.0 that anybody can look up."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.lexicon.taxonomy import ROOT, Taxonomy
from scenthound.lexicon.wordnet import SHIPPED, load_wordnet, shipped

STORM = ("storm", "atmospheric phenomenon", "physical phenomenon", "natural phenomenon",
         "phenomenon", "process", "physical entity", "entity")  # fmt: skip
"""The first sense of storm and all above it, upwards."""


@pytest.fixture(scope="module")
def nouns() -> Taxonomy:
    return shipped().nouns


def test_it_is_read_once_and_says_what_it_is() -> None:
    wordnet = shipped()
    assert shipped() is wordnet is load_wordnet()
    assert (wordnet.version, wordnet.origin) == ("3.0", "shipped with Scenthound")


def test_sizes_as_princeton_counts_them(nouns: Taxonomy) -> None:
    """wnstats: 117,798 noun strings in 82,115 synsets, 11,529 verb strings in 13,767."""
    verbs = shipped().verbs
    assert (len(nouns.lemmas), len(nouns), len(nouns.senses.values)) == (117_798, 82_115, 146_312)
    assert (len(verbs.lemmas), len(verbs), len(verbs.senses.values)) == (11_529, 13_768, 25_047)


def test_entity_is_above_all(nouns: Taxonomy) -> None:
    assert nouns.concepts("entity").tolist() == [ROOT]
    assert nouns.hyponyms[ROOT] == 82_114
    assert shipped().verbs.hyponyms[ROOT] == 13_767


def test_what_a_storm_is(nouns: Taxonomy) -> None:
    storm = int(nouns.concepts("storm")[0])
    chain = nouns.ancestors(storm)
    assert len(chain) == len(STORM)
    for name in STORM:
        assert chain & set(nouns.concepts(name).tolist())
    assert nouns.depth[storm] == len(STORM)
    assert storm in nouns.ancestors(int(nouns.concepts("hurricane")[0]))


def test_a_dog_is_a_canine_and_a_domestic_animal(nouns: Taxonomy) -> None:
    parents = nouns.parents[int(nouns.concepts("dog")[0])].tolist()
    assert len(parents) == 2
    assert set(parents) & set(nouns.concepts("canine").tolist())
    assert set(parents) & set(nouns.concepts("domestic animal").tolist())


def test_instances_have_a_place(nouns: Taxonomy) -> None:
    physicist = int(nouns.concepts("physicist")[0])
    assert physicist in nouns.ancestors(int(nouns.concepts("einstein")[0]))


def test_lemmas_are_in_order_and_in_lower_case(nouns: Taxonomy) -> None:
    for taxonomy in (nouns, shipped().verbs):
        assert list(taxonomy.lemmas) == sorted(set(taxonomy.lemmas))
        assert not any(lemma != lemma.lower() or "_" in lemma for lemma in taxonomy.lemmas)


def test_irregular_forms() -> None:
    exceptions = shipped().exceptions
    assert exceptions["noun"]["wolves"] == ("wolf",)
    assert exceptions["verb"]["went"] == ("go",)
    assert exceptions["noun"]["bases"] == ("base", "basis")


def test_the_licence_travels_with_the_data() -> None:
    folder = Path(SHIPPED).parent
    licence = (folder / "LICENSE.wordnet").read_text("utf-8")
    assert "Permission to use, copy, modify and distribute" in licence
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence
    assert "build_wordnet.py" in (folder / "README.md").read_text("utf-8")
    assert SHIPPED.stat().st_size < 1_200_000
