"""A thesaurus that knows some of the terms (olmoaco section 2.5, step 2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from scenthound.ontology.model import Concept, Kind, Ontology, Relation
from scenthound.ontology_learning.sentences import Base, Words


def thesaurus_of(known: Ontology, labels: Iterable[str], words: Words, base: Base) -> Ontology:
    """What a thesaurus says of some labels, in their spelling: "Floods" is "flood".

    Where another concept stands between two of them, the relation goes past it: a kind of a kind
    is a kind. Labels that it does not know are left out; it may know none.

    Parameters
    ----------
    known : the thesaurus. Circles in it do no harm.
    labels : of terms, keywords and the topic.
    words, base : how the language is read.
    """

    def spelling(label: str) -> tuple[str, ...]:
        return tuple(map(base, words(label)))

    ours: dict[tuple[str, ...], str] = {}
    for label in labels:
        ours.setdefault(spelling(label), label)
    found = {each: ours[key] for each in known.labels if (key := spelling(each)) in ours}
    relations = dict.fromkeys(
        relation for label in found for relation in _nearest(known, label, found)
    )
    concepts = tuple(map(Concept, dict.fromkeys(found.values())))
    return Ontology(known.name, concepts, tuple(relations))


def _nearest(known: Ontology, label: str, ours: Mapping[str, str]) -> Iterator[Relation]:
    """From a label to those of ours that stand next above it."""
    seen, waiting = {label}, deque([(label, Kind.SYNONYM)])
    while waiting:
        child, so_far = waiting.popleft()
        for relation in known.parents.get(child, ()):
            parent, kind = relation.parent, joined_kind(so_far, relation.kind)
            if kind is None or parent in seen or parent not in known:
                continue
            seen.add(parent)
            if parent not in ours:
                waiting.append((parent, kind))
            elif ours[parent] != ours[label]:
                yield Relation(ours[label], ours[parent], kind)


def joined_kind(first: Kind, second: Kind) -> Kind | None:
    """How two are related through a third; None where that says nothing.

    A synonym changes nothing; kinds of kinds are kinds, parts of parts are parts.
    """
    if Kind.SYNONYM in (first, second):
        return second if first is Kind.SYNONYM else first
    transitive = first is second and first in (Kind.IS_A, Kind.PART_OF)
    return first if transitive else None
