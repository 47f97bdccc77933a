"""Facts about WordNet 3.0 that anybody can look up."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.text.wordnet import Taxonomy
from scenthound.text.wordnet_files import SHIPPED, load_wordnet, shipped

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


def test_what_a_storm_is(nouns: Taxonomy) -> None:
    storm = int(nouns.concepts("storm")[0])
    chain = nouns.ancestors(storm)
    assert len(chain) == len(STORM)
    for name in STORM:
        assert chain & set(nouns.concepts(name).tolist())
    assert nouns.depth[storm] == len(STORM)
    assert storm in nouns.ancestors(int(nouns.concepts("hurricane")[0]))


def test_the_licence_travels_with_the_data() -> None:
    folder = Path(SHIPPED).parent
    licence = (folder / "LICENSE.wordnet").read_text("utf-8")
    assert "Permission to use, copy, modify and distribute" in licence
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence
    assert "build_wordnet.py" in (folder / "README.md").read_text("utf-8")
    assert SHIPPED.stat().st_size < 1_200_000
