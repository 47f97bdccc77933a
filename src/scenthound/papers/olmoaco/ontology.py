"""What an ontology is (olmoaco Definition 4): concepts, and relations from each to the concepts
above it. Ancestors, cycles and levels.
"""

from __future__ import annotations

import enum
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property


class Kind(enum.Enum):
    """How a concept is related to its parent (olmoaco Definition 4)."""

    SYNONYM = "synonym"
    INDUCED_BY = "induced-by"
    IS_A = "is-a"
    PART_OF = "part-of"
    COORDINATE = "coordinate-term-of"


def normalise_label(label: str) -> str:
    """A label as it is compared: lower case, blanks and underscores as one blank.

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
    label : its name, as :func:`squeezed` writes it; the ontology knows it by this.
    origin : where it comes from, in words; "" where nobody said.
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
    concepts : each label once; a second one of the same label is a mistake that
        :mod:`.checking` tells.
    relations : between labels of ``concepts``.
    topic : label of the concept that the topic is about (C in olmoaco Eq. 4); None where none was
        chosen.
    """

    name: str
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    topic: str | None = field(default=None)

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
        """For each label the relations to what stands above it; none for a root."""
        return self._grouped("child")

    @cached_property
    def children(self) -> Mapping[str, tuple[Relation, ...]]:
        """For each label the relations from what stands below it; none for a leaf."""
        return self._grouped("parent")

    @property
    def roots(self) -> tuple[str, ...]:
        """The labels with nothing above them."""
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


# What stands above a concept, and concepts that stand above themselves.
#
# All walks are loops: a chain may have any length.


ParentMap = Mapping[str, Collection[str]]
"""For each label what stands right above it."""
Cycle = tuple[str, ...]
"""Labels, each right below the next, and the last one below the first."""


def parents_by_label(relations: Iterable[Relation]) -> dict[str, list[str]]:
    """The parents of every label that has a relation; nothing for no relations."""
    found: dict[str, list[str]] = {}
    for relation in relations:
        found.setdefault(relation.child, []).append(relation.parent)
        found.setdefault(relation.parent, [])
    return found


def ancestors(label: str, parents: ParentMap) -> set[str]:
    """The label itself and all above it, at any height; a circle does no harm."""
    found, waiting = {label}, [label]
    while waiting:
        new = set(parents.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return found


def find_cycles(parents: ParentMap) -> Iterator[Cycle]:
    """Every circle that is closed on a walk upwards, depth first; none where there are none.

    Each circle of the graph has a concept in common with one of these.
    """
    done: set[str] = set()
    for label in parents:
        if label not in done:
            yield from _walk(label, parents, done)


def _walk(start: str, parents: ParentMap, done: set[str]) -> Iterator[Cycle]:
    way: dict[str, Iterator[str]] = {start: iter(parents[start])}
    while way:
        here, upwards = next(reversed(way.items()))
        parent = next(upwards, None)
        if parent is None:
            done.add(here)
            del way[here]
        elif parent in way:
            labels = list(way)
            yield tuple(labels[labels.index(parent) :])
        elif parent not in done:
            way[parent] = iter(parents.get(parent, ()))


def topological_ranks(parents: ParentMap) -> dict[str, int]:
    """A number for each label, larger than those of all above it.

    Labels on a circle, or below one, have none.
    """
    below: dict[str, list[str]] = {}
    missing = {label: len(upwards) for label, upwards in parents.items()}
    for label, upwards in parents.items():
        for parent in upwards:
            below.setdefault(parent, []).append(label)
    waiting = deque(label for label, count in missing.items() if not count)
    order: dict[str, int] = {}
    while waiting:
        label = waiting.popleft()
        order[label] = len(order)
        for child in below.get(label, ()):
            missing[child] -= 1
            if not missing[child]:
                waiting.append(child)
    return order


def concept_levels(ontology: Ontology) -> dict[str, int]:
    """For each label its level, in the order they are reached: 1 for a root, then one more than
    its highest parent.

    Relations of a concept to itself, or to what is no concept, are left out. A circle that hangs
    below no root is entered at its first concept, as if that were one. Empty for an ontology
    without concepts.
    """
    found: dict[str, int] = {}
    roots = [label for label in ontology.labels if not _has_parent(ontology, label)]
    for start in (roots, *([label] for label in ontology.labels)):
        queue = [label for label in start if label not in found]
        found.update(dict.fromkeys(queue, 1))
        for label in queue:
            below = (relation.child for relation in ontology.children[label])
            for child in below:
                if child in ontology and child not in found:
                    found[child] = found[label] + 1
                    queue.append(child)
    return found


def _has_parent(ontology: Ontology, label: str) -> bool:
    above = (relation.parent for relation in ontology.parents[label])
    return any(parent != label and parent in ontology for parent in above)


_NOT_XML = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped, and the other control characters."""


def one_line(text: str) -> str:
    """The text with single blanks, and without what no file can hold.

    Examples
    --------
    >>> one_line("a term\\n of a page")
    'a term of a page'
    """
    return " ".join(_NOT_XML.sub("\ufffd", text).split())
