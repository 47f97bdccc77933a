"""What learning proposes, and the ontology that grows from what is accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scenthound.ontology.circles import ancestors
from scenthound.ontology.model import Concept, Kind, Ontology, Relation, squeezed


@dataclass(frozen=True, slots=True)
class Proposal:
    """A concept to add below another, or one more relation of a concept that is there.

    Parameters
    ----------
    label : of the concept.
    parent : label of the concept it goes below; None for a root.
    kind : how the two are related.
    origin : which step proposes it and why, in words; the concept remembers it.
    guess : is only the place known, and the kind a guess? One that is known takes its place.
    """

    label: str
    parent: str | None
    kind: Kind
    origin: str
    guess: bool = False


Review = Callable[[Proposal], bool]
"""Says of each proposal whether it is accepted. Somebody is asked, or all are."""


def accept_all(proposal: Proposal) -> bool:
    """For learning unattended."""
    del proposal
    return True


class Draft:
    """An ontology under construction. What would close a circle or repeat a relation is refused.

    A relation whose kind was a guess gets the kind that is known; the concept keeps its origin.

    Parameters
    ----------
    name : of the ontology.
    topic : label of the concept it is about: the first one, a root.
    review : is asked about every proposal that could be added.
    most : concepts at most; proposals of new ones beyond are refused unasked.
    """

    def __init__(
        self, name: str, topic: str, review: Review = accept_all, most: int | None = None
    ) -> None:
        self._name = name
        self._topic = squeezed(topic)
        self._review = review
        self._most = most
        self._concepts: dict[str, Concept] = {self._topic: Concept(topic, "the topic")}
        self._relations: dict[tuple[str, str], Relation] = {}
        self._guesses: set[tuple[str, str]] = set()
        self._above: dict[str, set[str]] = {self._topic: set()}
        self._dropped: set[str] = set()

    def __contains__(self, label: str) -> bool:
        return squeezed(label) in self._concepts

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self._concepts)

    @property
    def is_full(self) -> bool:
        """Are there as many concepts as there may be?"""
        return self._most is not None and len(self) >= self._most

    @property
    def labels(self) -> tuple[str, ...]:
        """The concepts so far, in the order they were added."""
        return tuple(self._concepts)

    def offer(self, proposal: Proposal) -> bool:
        """Add what is proposed, if it fits and is accepted; a concept once dropped stays so."""
        label = squeezed(proposal.label)
        parent = None if proposal.parent is None else squeezed(proposal.parent)
        there = None if parent is None else self._relations.get((label, parent))
        if there is not None:
            return self._change(there, proposal)
        if not self._fits(label, parent):
            return False
        if not self._review(proposal):
            if label not in self._concepts:
                self._dropped.add(label)
            return False
        if label not in self._concepts:
            self._concepts[label] = Concept(label, proposal.origin)
            self._above[label] = set()
        if parent is not None:
            self._relate(Relation(label, parent, proposal.kind), proposal.guess)
        return True

    def ontology(self) -> Ontology:
        """What has been accepted so far."""
        return Ontology(
            self._name, tuple(self._concepts.values()), tuple(self._relations.values()), self._topic
        )

    def _change(self, there: Relation, proposal: Proposal) -> bool:
        """Of two that are related already: may the kind be another, and is that accepted?"""
        pair = (there.child, there.parent)
        if proposal.guess or pair not in self._guesses:
            return False
        if proposal.kind is there.kind:  # it is known from now on
            self._guesses.discard(pair)
            return False
        told = f"{proposal.origin}; until now {there.kind.value}"
        if self._review(replace(proposal, origin=told)):
            self._relate(replace(there, kind=proposal.kind), guess=False)
            return True
        return False

    def _relate(self, relation: Relation, guess: bool) -> None:
        pair = (relation.child, relation.parent)
        self._relations[pair] = relation
        self._above[relation.child].add(relation.parent)
        (self._guesses.add if guess else self._guesses.discard)(pair)

    def _fits(self, label: str, parent: str | None) -> bool:
        new = label not in self._concepts
        if not label or label in self._dropped or (new and self.is_full):
            return False
        return self._could(label, parent)

    def _could(self, label: str, parent: str | None) -> bool:
        """Is there such a parent, and not below the concept?"""
        if parent is None:
            return label not in self._concepts
        return parent in self._concepts and label not in ancestors(parent, self._above)
