"""Marks that flow down a taxonomy, against what one reads off the drawing."""

from __future__ import annotations

import numpy as np

from scenthound.similarity.concept_similarity import Array, Propagation, ancestor_distances
from similarity.farm import NAMES, concept, farm

FARM = farm()
DOG = concept(FARM, "dog")


def by_name(values: Array) -> dict[str, float]:
    return {name: float(values[concept(FARM, name)]) for name in NAMES}


def test_climbing_takes_the_shortest_way() -> None:
    """Two parents: the root is two steps up through pet, three through animal."""
    names = {concept(FARM, name): name for name in NAMES}
    steps = {names[c]: n for c, n in ancestor_distances(FARM, DOG).items()}
    assert steps == {"dog": 0, "animal": 1, "pet": 1, "object": 2, "entity": 2}
    assert next(iter(ancestor_distances(FARM, DOG))) == DOG


def test_features_are_a_concept_and_its_ancestors() -> None:
    found = by_name(Propagation(FARM).total(np.ones(len(FARM))))
    assert found["entity"] == 1
    assert found["horse"] == 4
    assert found["dog"] == found["cat"] == 5
    assert found["puppy"] == 6
