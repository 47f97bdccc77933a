"""Problems of an ontology (cycles, lost or repeated concepts), and the merge of ontologies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenthound.core.errors import OntologyError
from scenthound.papers.ontologies.model import (
    Concept,
    Ontology,
    Relation,
    ancestors,
    find_cycle,
    parents_by_label,
    shortest_paths,
)

_NAMED = 5
"""Labels that a message lists; it counts the others."""
_LONGEST = 60


class Problem(NamedTuple):
    """One thing that is wrong with an ontology; the ``sentence`` says what, and what to do.

    A serious one keeps the ontology from being used.
    """

    sentence: str
    is_serious: bool


def find_problems(ontology: Ontology) -> list[Problem]:
    """Return all problems, the serious ones first. Linear in the ontology."""
    return [
        *(Problem(sentence, True) for sentence in _serious(ontology)),
        *(Problem(sentence, False) for sentence in _notes(ontology)),
    ]


def require_valid(ontology: Ontology) -> Ontology:
    """Return the ontology; OntologyError with its first serious problem, if it has one."""
    for sentence in _serious(ontology):
        raise OntologyError(f"ontology {_quoted(ontology.name)}: {sentence}")
    return ontology


def _serious(ontology: Ontology) -> Iterator[str]:
    labels = Counter(ontology.labels)
    if not labels:
        yield "it has no concept; add some, or learn it with: scenthound ontology learn."
    elif ontology.topic is not None and ontology.topic not in ontology:
        yield (
            f"the topic concept {_quoted(ontology.topic)} is not among its concepts; "
            "add it, or choose another one."
        )
    if count := labels[""]:
        yield f"concepts without a label: {count:,}; give each a label, or remove it."
    if twice := [label for label, count in labels.items() if count > 1 and label]:
        yield f"more than one concept has the label {_listed(twice)}; keep one of each."
    ends = (end for each in ontology.relations for end in (each.child, each.parent))
    if lost := list(dict.fromkeys(end for end in ends if end not in labels)):
        yield f"relations lead to {_listed(lost)}, which are no concepts; add or remove them."
    if cycle := find_cycle(parents_by_label(ontology.relations)):
        if len(cycle) > 2 * _NAMED:
            cycle = (*cycle[:_NAMED], "...", *cycle[-_NAMED:])
        path = " below ".join(map(_quoted, [*cycle, cycle[0]]))
        yield f"there is a circle, {path}; remove one of these relations and check again."


def _notes(ontology: Ontology) -> Iterator[str]:
    if ontology.topic is None and len(ontology):
        yield (
            "no concept is marked as what the topic is about; choose one with: "
            "scenthound ontology convert FILE OUT --topic LABEL."
        )
    if ontology.topic is not None and ontology.topic in ontology:
        reached = shortest_paths(ontology, ontology.topic)
        if lost := [label for label in ontology.labels if label not in reached]:
            yield (
                f"no relation leads from the topic concept to {_listed(lost)}; relate them, or "
                "remove them."
            )
    alike: dict[str, list[str]] = {}
    for label in dict.fromkeys(ontology.labels):
        letters = re.sub(r"[\W_]", "", label)
        # The s of a plural, which "gas" and "glass" have not.
        alike.setdefault(re.sub(r"(?<=\w{2}[^s])s$", "", letters) or label, []).append(label)
    pairs = [" and ".join(map(_quoted, each)) for each in alike.values() if len(each) > 1]
    for pair in pairs[:_NAMED]:
        yield f"{pair} are perhaps one concept; keep one of them."


def _listed(labels: Sequence[str]) -> str:
    more = len(labels) - _NAMED
    named = ", ".join(map(_quoted, labels[:_NAMED]))
    return named + (f" and {more:,} more" if more > 0 else "")


def _quoted(label: str) -> str:
    return f'"{label if len(label) <= _LONGEST else label[:_LONGEST] + "..."}"'


class DroppedRelation(NamedTuple):
    """A relation that was left out of a merge, and why."""

    relation: Relation
    reason: str


class MergeResult(NamedTuple):
    """Several ontologies merged.

    Parameters
    ----------
    ontology : all concepts, and all relations that fit; without cycles.
    left_out : the other relations. Earlier ontologies win over later ones.
    """

    ontology: Ontology
    left_out: tuple[DroppedRelation, ...] = ()


def merge_ontologies(*ontologies: Ontology) -> MergeResult:
    """Merge ontologies: concepts of the same label become one, with both origins.

    A relation is left out if it would close a cycle, contradicts the kind of an earlier one, or
    leads to no concept. The name is that of the first ontology, the topic that of the first that
    has one. OntologyError where there are none.
    """
    if not ontologies:
        raise OntologyError("there is nothing to merge; give at least one ontology.")
    origins: dict[str, dict[str, None]] = {}
    for concept in (concept for each in ontologies for concept in each.concepts):
        known = origins.setdefault(concept.label, {})
        if concept.origin:
            known[concept.origin] = None
    kept: dict[tuple[str, str], Relation] = {}
    upwards: dict[str, list[str]] = {}
    dropped: list[DroppedRelation] = []
    relations = [relation for each in ontologies for relation in each.relations]
    has_cycle = bool(find_cycle(parents_by_label(relations)))
    for relation in relations:
        child, parent = relation.child, relation.parent
        if (earlier := kept.get((child, parent))) is not None:
            if earlier.kind is not relation.kind:
                reason = f"the two are already related as {earlier.kind.value}"
                dropped.append(DroppedRelation(relation, reason))
        elif not {child, parent} <= origins.keys():
            dropped.append(DroppedRelation(relation, "it leads to no concept"))
        elif has_cycle and child in ancestors(parent, upwards):
            dropped.append(DroppedRelation(relation, "it would close a circle"))
        else:
            kept[child, parent] = relation
            upwards.setdefault(child, []).append(parent)
    concepts = tuple(Concept(label, "; ".join(known)) for label, known in origins.items())
    topic = next((each.topic for each in ontologies if each.topic is not None), None)
    ontology = Ontology(ontologies[0].name, concepts, tuple(kept.values()), topic)
    return MergeResult(ontology, tuple(dropped))
