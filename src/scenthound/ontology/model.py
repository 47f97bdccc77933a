"""What an ontology is: concepts, and relations from each to the concepts above it.

A relation leads from a child to its parent, whatever its kind (olmoaco Definition 4: "F_i
represents the parent concept of C_i"). All together must have no circle; :mod:`.checking` tells.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


class Kind(enum.Enum):
    """How a concept is related to its parent (olmoaco Definition 4)."""

    SYNONYM = "synonym"
    INDUCED_BY = "induced-by"
    IS_A = "is-a"
    PART_OF = "part-of"
    COORDINATE = "coordinate-term-of"


def squeezed(label: str) -> str:
    """A label as it is compared: lower case, blanks and underscores as one blank.

    Examples
    --------
    >>> squeezed(" Storm_surge ")
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
        object.__setattr__(self, "label", squeezed(self.label))


@dataclass(frozen=True, slots=True)
class Relation:
    """``child`` stands below ``parent``; both are labels."""

    child: str
    parent: str
    kind: Kind = Kind.IS_A

    def __post_init__(self) -> None:
        object.__setattr__(self, "child", squeezed(self.child))
        object.__setattr__(self, "parent", squeezed(self.parent))


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
            object.__setattr__(self, "topic", squeezed(self.topic))

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self.concepts)

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and squeezed(label) in self._by_label

    def __getitem__(self, label: str) -> Concept:
        return self._by_label[squeezed(label)]

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
