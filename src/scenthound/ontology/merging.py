"""Several ontologies as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scenthound.core.errors import OntologyError
from scenthound.ontology.circles import above, ancestors, ranks
from scenthound.ontology.model import Concept, Kind, Ontology, Relation

_BETWEEN = "; "
"""Stands between the origins of a concept."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A relation that did not fit, and why, in words."""

    relation: Relation
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of several ontologies.

    Parameters
    ----------
    ontology : all concepts, and all relations that fit; without circles.
    left_out : the others. Earlier ontologies win over later ones.
    """

    ontology: Ontology
    left_out: tuple[LeftOut, ...] = ()


def merge(*ontologies: Ontology) -> Merged:
    """One ontology from several. Concepts of the same label become one, with both origins.

    Relations are united. One that would close a circle, that says another kind for two concepts
    than an earlier one, or that leads to no concept, is left out. The name is that of the first
    ontology, the topic that of the first that has one. OntologyError where there are none.
    """
    if not ontologies:
        raise OntologyError("there is nothing to merge; give at least one ontology.")
    concepts = joined(concept for each in ontologies for concept in each.concepts)
    told, contradicting = _first_told(
        relation for each in ontologies for relation in each.relations
    )
    closing = list(_closing(told, concepts))
    unfit = {left.relation for left in closing}
    kept = tuple(relation for relation in told if relation not in unfit)
    topic = next((each.topic for each in ontologies if each.topic is not None), None)
    ontology = Ontology(ontologies[0].name, tuple(concepts.values()), kept, topic)
    return Merged(ontology, (*contradicting, *closing))


def joined(concepts: Iterable[Concept]) -> dict[str, Concept]:
    """The concepts by label; those of one label as one, which remembers all origins."""
    origins: dict[str, dict[str, None]] = {}
    for concept in concepts:
        known = origins.setdefault(concept.label, {})
        if concept.origin:
            known[concept.origin] = None
    return {label: Concept(label, _BETWEEN.join(known)) for label, known in origins.items()}


def _first_told(relations: Iterable[Relation]) -> tuple[list[Relation], list[LeftOut]]:
    """What is said first of each pair, and what says otherwise later."""
    kinds: dict[tuple[str, str], Kind] = {}
    kept, otherwise = [], []
    for relation in relations:
        pair = relation.child, relation.parent
        if pair not in kinds:
            kinds[pair] = relation.kind
            kept.append(relation)
        elif kinds[pair] is not relation.kind:
            reason = f"the two are already related as {kinds[pair].value}"
            otherwise.append(LeftOut(relation, reason))
    return kept, otherwise


def _closing(relations: list[Relation], concepts: Mapping[str, Concept]) -> Iterator[LeftOut]:
    """Relations that lead nowhere, and those that close a circle with the earlier ones."""
    sound: list[Relation] = []
    for relation in relations:
        if relation.child in concepts and relation.parent in concepts:
            sound.append(relation)
        else:
            yield LeftOut(relation, "it leads to no concept")
    ordered = ranks(above(sound))
    upwards: dict[str, list[str]] = {}
    for relation in sound:
        # Only what is on a circle, or below one, has no rank.
        if relation.child not in ordered and relation.parent not in ordered:
            if relation.child in ancestors(relation.parent, upwards):
                yield LeftOut(relation, "it would close a circle")
                continue
            upwards.setdefault(relation.child, []).append(relation.parent)
