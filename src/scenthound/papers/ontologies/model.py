"""What an ontology is (olmoaco Definition 4): concepts, relations, ancestors, cycles, levels."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter


class Kind(enum.Enum):
    """How a concept is related to its parent (olmoaco Definition 4)."""

    SYNONYM = "synonym"
    INDUCED_BY = "induced-by"
    IS_A = "is-a"
    PART_OF = "part-of"
    COORDINATE = "coordinate-term-of"


RELATION_WEIGHTS: Mapping[Kind, float] = {
    Kind.SYNONYM: 1.0,
    Kind.INDUCED_BY: 1 / 2,
    Kind.IS_A: 1 / 3,
    Kind.PART_OF: 2 / 7,
    Kind.COORDINATE: 1 / 4,
}
"""olmoaco Definition 4."""


def normalise_label(label: str) -> str:
    """Return a label in lower case, with blanks and underscores as one blank.

    Examples
    --------
    >>> normalise_label(" Storm_surge ")
    'storm surge'
    """
    return " ".join(label.replace("_", " ").split()).lower()


@dataclass(frozen=True, slots=True)
class Concept:
    """A class of an ontology.

    Parameters
    ----------
    label : its name, normalised by :func:`normalise_label`; unique within an ontology.
    origin : where it comes from, in words; "" where unknown.
    """

    label: str
    origin: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", normalise_label(self.label))


@dataclass(frozen=True, slots=True)
class Relation:
    """``child`` stands below ``parent``; both are labels."""

    child: str
    parent: str
    kind: Kind = Kind.IS_A

    def __post_init__(self) -> None:
        object.__setattr__(self, "child", normalise_label(self.child))
        object.__setattr__(self, "parent", normalise_label(self.parent))


@dataclass(frozen=True)
class Ontology:
    """The concepts of a topic.

    Parameters
    ----------
    name : of the ontology.
    concepts : each label once; :mod:`.checks` reports duplicates.
    relations : between labels of ``concepts``.
    topic : label of the concept the topic is about (C in olmoaco Eq. 4); None where none is chosen.
    """

    name: str
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    topic: str | None = None

    def __post_init__(self) -> None:
        if self.topic is not None:
            object.__setattr__(self, "topic", normalise_label(self.topic))

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self.concepts)

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and normalise_label(label) in self._by_label

    def __getitem__(self, label: str) -> Concept:
        return self._by_label[normalise_label(label)]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(concept.label for concept in self.concepts)

    @cached_property
    def parents(self) -> Mapping[str, tuple[Relation, ...]]:
        """For each label the relations to its parents; none for a root."""
        return self._grouped("child")

    @cached_property
    def children(self) -> Mapping[str, tuple[Relation, ...]]:
        """For each label the relations from its children; none for a leaf."""
        return self._grouped("parent")

    @property
    def roots(self) -> tuple[str, ...]:
        """The labels without a parent."""
        return tuple(label for label in self.labels if not self.parents[label])

    @cached_property
    def _by_label(self) -> Mapping[str, Concept]:
        return {concept.label: concept for concept in self.concepts}

    def _grouped(self, end: str) -> dict[str, tuple[Relation, ...]]:
        found: dict[str, list[Relation]] = {label: [] for label in self.labels}
        for relation in self.relations:
            label = getattr(relation, end)
            if label in found:
                found[label].append(relation)
        return {label: tuple(relations) for label, relations in found.items()}


# Ancestors and cycles. All walks are loops, not recursions: a chain may have any length.

ParentMap = Mapping[str, Collection[str]]
"""For each label its parents."""


def parents_by_label(relations: Iterable[Relation]) -> dict[str, list[str]]:
    """Return the parents of every label that has a relation."""
    found: dict[str, list[str]] = {}
    for relation in relations:
        found.setdefault(relation.child, []).append(relation.parent)
        found.setdefault(relation.parent, [])
    return found


def ancestors(label: str, parents: ParentMap) -> set[str]:
    """Return the label itself and all its ancestors; a cycle does no harm."""
    found, waiting = {label}, [label]
    while waiting:
        new = set(parents.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return found


def shortest_paths(ontology: Ontology, start: str) -> dict[str, tuple[int, float]]:
    """Return the shortest path from ``start`` to each concept that has one, the nearest first.

    Its edges, up and down relations, and their weights together; of several the one of most weight.
    """
    found, newest, edges = {start: (0, 0.0)}, {start: 0.0}, 0
    while newest:
        edges += 1
        reached: dict[str, float] = {}
        for here, total in newest.items():
            for relation in (*ontology.parents[here], *ontology.children[here]):
                there = relation.parent if relation.child == here else relation.child
                if there in ontology.parents and there not in found:
                    weight = total + RELATION_WEIGHTS[relation.kind]
                    reached[there] = max(reached.get(there, 0.0), weight)
        found |= {label: (edges, total) for label, total in reached.items()}
        newest = reached
    return found


def find_cycle(parents: ParentMap) -> tuple[str, ...]:
    """Return the labels of a cycle, each below the next; none where there is no cycle."""
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:  # which has the first label again at the end
        return tuple(reversed(error.args[1][1:]))
    return ()


def topological_ranks(parents: ParentMap) -> dict[str, int]:
    """Return a number for each label, larger than those of its ancestors.

    Labels on a cycle, or below one, have none.
    """
    # Labels first, then their parents: ranks, and with them files, follow the order of the labels.
    sorter = TopologicalSorter(dict.fromkeys(parents, ()))
    for label, upwards in parents.items():
        sorter.add(label, *upwards)
    with suppress(CycleError):  # which leaves a sorter of all that is on no cycle
        sorter.prepare()
    ranks: dict[str, int] = {}
    while ready := sorter.get_ready():
        ranks |= {label: len(ranks) + place for place, label in enumerate(ready)}
        sorter.done(*ready)
    return ranks


def concept_levels(ontology: Ontology) -> dict[str, int]:
    """Return the level of each label: 1 for a root, then one more than its highest parent.

    Relations of a concept to itself, or to what is no concept, are left out. A cycle below no
    root is entered at its first concept, as if that were a root.
    """
    found: dict[str, int] = {}
    roots = [
        label
        for label in ontology.labels
        if all(r.parent == label or r.parent not in ontology for r in ontology.parents[label])
    ]
    for start in (roots, *([label] for label in ontology.labels)):
        queue = [label for label in start if label not in found]
        found.update(dict.fromkeys(queue, 1))
        for label in queue:
            for relation in ontology.children[label]:
                if relation.child in ontology and relation.child not in found:
                    found[relation.child] = found[label] + 1
                    queue.append(relation.child)
    return found


_NOT_XML = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped, and other control characters."""


def one_line(text: str) -> str:
    """Return the text with single blanks, and without characters that XML cannot hold.

    Examples
    --------
    >>> one_line("a term\\n of a page")
    'a term of a page'
    """
    return " ".join(_NOT_XML.sub("\ufffd", text).split())
