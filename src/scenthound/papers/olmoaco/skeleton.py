"""The skeleton of an ontology (olmoaco 2.5, step 2): drafts, a thesaurus, terms below terms."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scenthound.papers.olmoaco.formal_context import FormalContext, order_of_terms
from scenthound.papers.ontologies.model import (
    Concept,
    Kind,
    Ontology,
    Relation,
    ancestors,
    normalise_label,
)
from scenthound.text.rules import Rules


@dataclass(frozen=True, slots=True)
class Proposal:
    """A concept to add below another, or one more relation of a concept that is there.

    Parameters
    ----------
    label : of the concept.
    parent : label of the concept it goes below.
    kind : how the two are related.
    origin : which step proposes it and why, in words; the concept keeps it.
    guess : is the kind a guess? A later proposal that knows the kind replaces it.
    """

    label: str
    parent: str
    kind: Kind
    origin: str
    guess: bool = False


Review = Callable[[Proposal], bool]
"""Returns whether a proposal is accepted. Somebody is asked, or all are."""


def accept_all(proposal: Proposal) -> bool:
    """Accept every proposal: for learning unattended."""
    del proposal
    return True


class Draft:
    """An ontology under construction. What would close a cycle or repeat a relation is refused.

    A relation whose kind was a guess gets the kind that is known; the concept keeps its origin.

    Parameters
    ----------
    name : of the ontology.
    topic : label of the concept it is about: the first one, a root.
    review : is asked about every proposal that could be added.
    most : concepts at most; proposals of further ones are refused unasked.
    """

    def __init__(
        self, name: str, topic: str, review: Review = accept_all, most: int = sys.maxsize
    ) -> None:
        self._name = name
        self.topic = normalise_label(topic)
        self._review = review
        self._most = most
        self._concepts: dict[str, Concept] = {self.topic: Concept(topic, "the topic")}
        self._relations: dict[tuple[str, str], Relation] = {}
        self._guesses: set[tuple[str, str]] = set()
        self._above: dict[str, set[str]] = {self.topic: set()}
        self._dropped: set[str] = set()

    def __contains__(self, label: str) -> bool:
        return normalise_label(label) in self._concepts

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self._concepts)

    @property
    def labels(self) -> tuple[str, ...]:
        """The concepts so far, in the order they were added."""
        return tuple(self._concepts)

    def offer(self, proposal: Proposal) -> bool:
        """Add a proposal if it fits and is accepted; a concept once dropped stays so."""
        label, parent = normalise_label(proposal.label), normalise_label(proposal.parent)
        if (there := self._relations.get((label, parent))) is not None:
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
        self._relate(Relation(label, parent, proposal.kind), proposal.guess)
        return True

    def ontology(self) -> Ontology:
        """Return what has been accepted so far."""
        return Ontology(
            self._name, tuple(self._concepts.values()), tuple(self._relations.values()), self.topic
        )

    def _change(self, there: Relation, proposal: Proposal) -> bool:
        """Replace a guessed kind of two that are related already, if that is accepted."""
        pair = (there.child, there.parent)
        if proposal.guess or pair not in self._guesses:
            return False
        if proposal.kind is there.kind:  # it is known from now on
            self._guesses.discard(pair)
            return False
        origin = f"{proposal.origin}; until now {there.kind.value}"
        accepted = self._review(replace(proposal, origin=origin))
        if accepted:
            self._relate(replace(there, kind=proposal.kind), guess=False)
        return accepted

    def _relate(self, relation: Relation, guess: bool) -> None:
        pair = (relation.child, relation.parent)
        self._relations[pair] = relation
        self._above[relation.child].add(relation.parent)
        (self._guesses.add if guess else self._guesses.discard)(pair)

    def _fits(self, label: str, parent: str) -> bool:
        full = label not in self._concepts and len(self) >= self._most
        if not label or label in self._dropped or full:
            return False
        return parent in self._concepts and label not in ancestors(parent, self._above)


def restrict_thesaurus(known: Ontology, labels: Iterable[str], rules: Rules) -> Ontology:
    """Return what a thesaurus says of some labels, in their spelling: "Floods" is "flood".

    Where another concept stands between two of them, the relation goes past it: a kind of a kind is
    a kind. Unknown labels are left out. ``rules`` read the language.
    """
    ours: dict[tuple[str, ...], str] = {}
    for label in labels:
        ours.setdefault(rules.bases(label), label)
    found = {each: ours[key] for each in known.labels if (key := rules.bases(each)) in ours}
    relations = dict.fromkeys(
        relation for label in found for relation in _nearest(known, label, found)
    )
    concepts = tuple(map(Concept, dict.fromkeys(found.values())))
    return Ontology(known.name, concepts, tuple(relations))


def _nearest(known: Ontology, label: str, ours: Mapping[str, str]) -> Iterator[Relation]:
    """Yield relations from a label to those of ours that stand next above it."""
    seen, waiting = {label}, deque([(label, Kind.SYNONYM)])
    while waiting:
        child, so_far = waiting.popleft()
        for relation in known.parents.get(child, ()):
            parent, kind = relation.parent, compose_kinds(so_far, relation.kind)
            if kind is None or parent in seen or parent not in known:
                continue
            seen.add(parent)
            if parent not in ours:
                waiting.append((parent, kind))
            elif ours[parent] != ours[label]:
                yield Relation(ours[label], ours[parent], kind)


def compose_kinds(first: Kind, second: Kind) -> Kind | None:
    """Return how two are related through a third; None where that says nothing.

    A synonym changes nothing; kinds of kinds are kinds, parts of parts are parts.
    """
    if Kind.SYNONYM in (first, second):
        return second if first is Kind.SYNONYM else first
    transitive = first is second and first in (Kind.IS_A, Kind.PART_OF)
    return first if transitive else None


MOST_PARENTS = 2
"""Terms that one goes below. A term of one page is below nearly all others of that page; the
nearest say what there is to say."""


def skeleton(
    context: FormalContext, draft: Draft, keywords: Sequence[str] = (),
    thesaurus: Ontology | None = None,
) -> Iterator[Proposal]:  # fmt: skip
    """Yield proposals in an order in which every parent comes before what is below it.

    First the keywords, below the topic, where they stay. Then the terms from the general to the
    specific (olmoaco section 2.5, step 2): a term goes below those that stand next above it in the
    order of the context, or below the topic if there are none. At most :data:`MOST_PARENTS`, the
    most specific ones. Of terms in the same texts the others are coordinate terms of the first.
    Where a thesaurus relates a term to others of them, its relations replace those; what it says
    of keywords comes last.

    ``draft`` takes the proposals one by one: what would go below a term that it dropped finds
    another parent.
    """
    topic = draft.topic
    known = {} if thesaurus is None else thesaurus.parents
    given = [label for label in dict.fromkeys(map(normalise_label, keywords)) if label]
    for label in given:
        if label != topic:
            yield Proposal(label, topic, Kind.IS_A, "keyword of the topic", guess=True)
    places = _Places(context, draft)
    for term in _in_order(places.terms, known):
        if term not in (topic, *given):
            stated = [each for each in known.get(term, ()) if each.parent in draft]
            for each in stated:
                origin = f'in {places.texts(term)}; below "{each.parent}" in the thesaurus'
                yield Proposal(each.child, each.parent, each.kind, origin)
            yield from () if stated else places.by_context(term)
    for label in given:
        for each in known.get(label, ()):
            if each.parent in draft and label != topic:
                origin = f'keyword of the topic; below "{each.parent}" in the thesaurus'
                yield Proposal(label, each.parent, each.kind, origin)


class _Places:
    """Where the terms of a context go in a draft."""

    def __init__(self, context: FormalContext, draft: Draft) -> None:
        groups, covers = order_of_terms(context)
        labels = [normalise_label(term) for term in context.attributes]
        self._groups = [[labels[term] for term in group] for group in groups]
        self.terms = [label for group in self._groups for label in group]
        self._group = {label: i for i, group in enumerate(self._groups) for label in group}
        self._above: list[list[int]] = [[] for _ in groups]
        for general, specific in covers:
            self._above[specific].append(general)
        spread = [int(context.spread[group[0]]) for group in groups]
        self._texts = [f"{count} of {len(context.objects)} texts" for count in spread]
        self._draft = draft

    def texts(self, term: str) -> str:
        """Return how many texts have a term, in words."""
        return self._texts[self._group[term]]

    def by_context(self, term: str) -> list[Proposal]:
        """Return proposals beside a term in the same texts, or below the nearest ones."""
        group, texts = self._group[term], self.texts(term)
        if (beside := self._speaker(group)) is not None:
            origin = f'in the same {texts} as "{beside}"'
            return [Proposal(term, beside, Kind.COORDINATE, origin, guess=True)]
        above = self._nearest(group)[:MOST_PARENTS]
        if not above:
            origin = f"in {texts}; at the top of the concept lattice"
            return [Proposal(term, self._draft.topic, Kind.IS_A, origin, guess=True)]
        why = f'in {texts}; below "{{}}" in the concept lattice'
        return [Proposal(term, each, Kind.IS_A, why.format(each), guess=True) for each in above]

    def _speaker(self, group: int) -> str | None:
        """The first of a group that something can go below."""
        return next((label for label in self._groups[group] if label in self._draft), None)

    def _nearest(self, group: int) -> list[str]:
        """The terms above, the most specific first; groups without a speaker are passed over."""
        found: dict[int, str] = {}
        seen, waiting = {group}, [group]
        while waiting:
            for above in self._above[waiting.pop()]:
                if above in seen:
                    continue
                seen.add(above)
                if (speaker := self._speaker(above)) is None:
                    waiting.append(above)
                else:
                    found[above] = speaker
        return [found[above] for above in sorted(found, reverse=True)]


def _in_order(terms: Sequence[str], known: Mapping[str, Sequence[Relation]]) -> list[str]:
    """Return the same terms; each comes after those that the thesaurus puts above it."""
    among, found, opened = set(terms), dict[str, None](), set[str]()
    waiting = list(reversed(terms))
    while waiting:
        term = waiting[-1]
        parents = [relation.parent for relation in known.get(term, ())]
        first = [parent for parent in parents if parent in among and parent not in found]
        if term in opened or not first:  # opened before: a cycle is cut where it closes
            found[waiting.pop()] = None
        else:
            opened.add(term)
            waiting.extend(reversed(first))
    return list(found)
