"""The skeleton of an ontology: terms below terms, as the formal context orders them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from scenthound.ontology.model import Kind, Ontology, Relation, squeezed
from scenthound.ontology_learning.context import FormalContext, order_of_terms
from scenthound.ontology_learning.proposals import Draft, Proposal

MOST_PARENTS = 2
"""Terms that one goes below. A term of one page is below nearly all others of that page; the
nearest say what there is to say."""


def skeleton(
    context: FormalContext,
    topic: str,
    keywords: Sequence[str] = (),
    thesaurus: Ontology | None = None,
    draft: Draft | None = None,
) -> Iterator[Proposal]:
    """Proposals in an order in which every parent comes before what is below it.

    First the keywords, below the topic, where they stay. Then the terms from the general to the
    specific (olmoaco section 2.5, step 2): a term goes below those that stand next above it in the
    order of the context, or below the topic if there are none. At most :data:`MOST_PARENTS`, the
    most specific ones. Of terms in the same texts the others are coordinate terms of the first.
    Where a thesaurus relates a term to others of them, its relations take the place of those; what
    it says of keywords comes last. An empty context gives the keywords alone.

    Parameters
    ----------
    context : which text has which term.
    topic : label of the concept that the ontology is about.
    keywords : of the topic.
    thesaurus : an ontology whose relations are known to hold.
    draft : what has been accepted so far. It is asked while the proposals are drawn one by one:
        what would go below a term that was dropped finds another parent. Without it every
        proposal counts as accepted.
    """
    topic = squeezed(topic)
    given = [label for label in dict.fromkeys(map(squeezed, keywords)) if label not in ("", topic)]
    proposed = {topic}
    for label in given:
        proposed.add(label)
        yield Proposal(label, topic, Kind.IS_A, "keyword of the topic", guess=True)
    places = _Places(context, topic, proposed, draft)
    relations = _Thesaurus(thesaurus)
    for term in relations.in_order(places.terms):
        if term not in proposed:
            known = [each for each in relations.of(term) if each.parent in places]
            yield from map(places.by_thesaurus, known)
            yield from () if known else places.by_context(term)
            proposed.add(term)
    for label in given:
        for each in relations.of(label):
            if each.parent in places:
                origin = f'keyword of the topic; below "{each.parent}" in the thesaurus'
                yield Proposal(label, each.parent, each.kind, origin)


class _Places:
    """Where terms go.

    Parameters
    ----------
    context, topic, draft : as in :func:`skeleton`.
    proposed : labels that were proposed; grows outside.
    """

    def __init__(
        self,
        context: FormalContext,
        topic: str,
        proposed: Container[str],
        draft: Draft | None,
    ) -> None:
        order = order_of_terms(context)
        labels = [squeezed(term) for term in context.attributes]
        self.terms = [labels[term] for group in order.groups for term in group]
        self._groups = [[labels[term] for term in group] for group in order.groups]
        self._group = {label: i for i, group in enumerate(self._groups) for label in group}
        self._above: list[list[int]] = [[] for _ in order.groups]
        for general, specific in order.covers:
            self._above[specific].append(general)
        spread = [int(context.spread[group[0]]) for group in order.groups]
        self._texts = [f"{count} of {len(context.objects)} texts" for count in spread]
        self._topic, self._proposed, self._draft = topic, proposed, draft

    def __contains__(self, label: str) -> bool:
        """Can something go below it?"""
        accepted = self._draft is None or label == self._topic or label in self._draft
        return accepted and label in self._proposed

    def by_thesaurus(self, relation: Relation) -> Proposal:
        """As the thesaurus says."""
        texts = self._texts[self._group[relation.child]]
        origin = f'in {texts}; below "{relation.parent}" in the thesaurus'
        return Proposal(relation.child, relation.parent, relation.kind, origin)

    def by_context(self, term: str) -> list[Proposal]:
        """Beside a term in the same texts, or below the nearest ones."""
        group = self._group[term]
        texts, beside = self._texts[group], self._speaker(group)
        if beside is not None:
            origin = f'in the same {texts} as "{beside}"'
            return [Proposal(term, beside, Kind.COORDINATE, origin, guess=True)]
        above = self._nearest(group)[:MOST_PARENTS]
        if not above:
            origin = f"in {texts}; at the top of the concept lattice"
            return [Proposal(term, self._topic, Kind.IS_A, origin, guess=True)]
        origins = [f'in {texts}; below "{parent}" in the concept lattice' for parent in above]
        return [
            Proposal(term, parent, Kind.IS_A, origin, guess=True)
            for parent, origin in zip(above, origins, strict=True)
        ]

    def _speaker(self, group: int) -> str | None:
        """The first of a group that something can go below."""
        return next((label for label in self._groups[group] if label in self), None)

    def _nearest(self, group: int) -> list[str]:
        """What stands above; the most specific first. Over a group without a speaker one climbs."""
        found: set[int] = set()
        seen, waiting = {group}, [group]
        while waiting:
            for above in self._above[waiting.pop()]:
                if above not in seen:
                    seen.add(above)
                    (found.add if self._speaker(above) else waiting.append)(above)
        speakers = (self._speaker(above) for above in sorted(found, reverse=True))
        return [speaker for speaker in speakers if speaker is not None]


class _Thesaurus:
    """The relations of an ontology, or none."""

    def __init__(self, ontology: Ontology | None) -> None:
        self._ontology = ontology

    def of(self, term: str) -> tuple[Relation, ...]:
        """To what stands above the term."""
        return () if self._ontology is None else self._ontology.parents.get(term, ())

    def in_order(self, terms: Sequence[str]) -> list[str]:
        """The same terms; each comes after those that the thesaurus puts above it."""
        among, found, opened = set(terms), dict[str, None](), set[str]()
        waiting = list(reversed(terms))
        while waiting:
            term = waiting[-1]
            first = [r.parent for r in self.of(term) if r.parent in among and r.parent not in found]
            if term in opened or not first:  # opened before: a circle is cut where it closes
                found[waiting.pop()] = None
            else:
                opened.add(term)
                waiting.extend(reversed(first))
        return list(found)
