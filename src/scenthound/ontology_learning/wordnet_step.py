"""What WordNet knows, as proposals for a draft (olmoaco section 2.5, step 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from scenthound.ontology.model import Kind
from scenthound.ontology_learning.neighbours import Neighbour, Neighbourhood
from scenthound.ontology_learning.proposals import Proposal
from scenthound.ontology_learning.surroundings import Place, Surroundings

EACH = 5
"""Neighbours that one concept may bring: "person" has thousands."""
_KINDS = {
    Place.SAME: (Kind.SYNONYM, "another word for"),
    Place.BELOW: (Kind.IS_A, "a kind of"),
    Place.PART: (Kind.PART_OF, "a part of"),
    Place.BESIDE: (Kind.COORDINATE, "of the same kind as"),
}


def known_relations(around: Surroundings, senses: Mapping[str, int]) -> Iterator[Proposal]:
    """Relations that WordNet knows between near concepts that are there already.

    Of several words for one concept the others are synonyms of the first, which speaks for them.
    It goes below the nearest it is a kind of, and below its wholes.

    Parameters
    ----------
    around : the taxonomy.
    senses : of the labels of the draft.
    """
    speakers: dict[int, str] = {}
    for label, sense in senses.items():
        if speakers.setdefault(sense, label) != label:
            yield _below(label, speakers[sense], Place.SAME)
    for sense, label in speakers.items():
        for other in around.nearest_above(sense, speakers):
            yield _below(label, speakers[other], Place.BELOW)
        for other in sorted(around.wholes(sense) & speakers.keys()):
            yield _below(label, speakers[other], Place.PART)


def neighbour_proposals(
    around: Neighbourhood, labels: Sequence[str], topic: str, important: Collection[str] = ()
) -> Iterator[Proposal]:
    """New concepts, those that fit best first; none for labels that WordNet does not know.

    Parameters
    ----------
    around : what is near.
    labels : of the draft.
    topic : the label that stands above all others.
    important : labels that weigh more when it is decided what fits, beside the topic.
    """
    senses = around.senses(labels)
    hosted: Counter[str] = Counter()
    for found in around.find(senses, {topic, *important}):
        if hosted[found.host] >= EACH:
            continue
        hosted[found.host] += 1
        if found.place is not Place.ABOVE:
            yield _below(found.label, found.host, found.place, found.similarity)
        elif found.host != topic:  # nothing goes above that
            yield _between(around.surroundings, found, senses, topic)


def _below(label: str, host: str, place: Place, similarity: float | None = None) -> Proposal:
    kind, words = _KINDS[place]
    told = "" if similarity is None else f" (similarity {similarity:.2f})"
    return Proposal(label, host, kind, f'WordNet: {words} "{host}"{told}')


def _between(
    around: Surroundings, found: Neighbour, senses: Mapping[str, int], topic: str
) -> Proposal:
    """What is above a concept goes between it and the topic.

    That is below the deepest concept of the draft that WordNet has above it too, or else below
    the topic. That the host is a kind of it, :func:`known_relations` finds afterwards.
    """
    above = around.above(found.concept)
    hosts = [host for host, sense in senses.items() if sense in above]
    parent = max(hosts, key=lambda host: around.depth(senses[host]), default=topic)
    why = f'WordNet: "{found.host}" is a kind of it (similarity {found.similarity:.2f})'
    return Proposal(found.label, parent, Kind.IS_A, why, guess=not hosts)
