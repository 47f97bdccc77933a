"""Concepts of WordNet near those of a draft, and the relations WordNet knows between them
(olmoaco 2.5, step 3).
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scenthound.papers.olmoaco.ontology import Kind
from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.similarity.concept_similarity import Array, li_bandar_mclean
from scenthound.similarity.topic_senses import ConceptNames
from scenthound.similarity.word_similarity import FLOOR, SupportedSenses, TaxonomySimilarity
from scenthound.text.wordnet import Taxonomy

EDGES = 2
"""Concepts within so many edges are near (ours: the paper says "near")."""


class RelativePosition(enum.Enum):
    """Where one concept stands, seen from another."""

    SAME = enum.auto()
    BELOW = enum.auto()
    """A kind of the other."""
    ABOVE = enum.auto()
    """What the other is a kind of."""
    PART = enum.auto()
    BESIDE = enum.auto()


class TaxonomyNeighbours:
    """A taxonomy, to be walked up and down.

    Parameters
    ----------
    taxonomy : the concepts.
    """

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._children = taxonomy.parents.inverted()

    def near(self, concept: int, edges: int = EDGES) -> set[int]:
        """The concepts within ``edges`` is-a edges, up or down; not the concept itself."""
        found, newest = {concept}, {concept}
        for _ in range(edges):
            newest = {other for each in newest for other in self._next(each)} - found
            found |= newest
        return found - {concept}

    def above(self, concept: int) -> set[int]:
        """All that a concept is a kind of; not the concept itself."""
        return self._taxonomy.ancestors(concept) - {concept}

    def nearest_above(self, concept: int, among: Collection[int]) -> list[int]:
        """Those among some near concepts that it is a kind of, with none of them in between."""
        found = sorted(self.near(concept) & self.above(concept) & set(among))
        return [one for one in found if not any(one in self.above(other) for other in found)]

    def wholes(self, concept: int) -> set[int]:
        """The concepts that a concept is a part of; mostly none."""
        return set(self._taxonomy.wholes[concept].tolist())

    def parts(self, concept: int) -> set[int]:
        """The concepts that are parts of a concept; mostly none."""
        return set(self._taxonomy.parts[concept].tolist())

    def depth(self, concept: int) -> int:
        """Concepts on the shortest way to the root, both ends counted."""
        return int(self._taxonomy.depth[concept])

    def place(self, concept: int, seen_from: int) -> RelativePosition:
        """Where a concept stands, seen from another."""
        if concept == seen_from:
            return RelativePosition.SAME
        if seen_from in self._taxonomy.ancestors(concept):
            return RelativePosition.BELOW
        if concept in self._taxonomy.ancestors(seen_from):
            return RelativePosition.ABOVE
        return (
            RelativePosition.PART if concept in self.parts(seen_from) else RelativePosition.BESIDE
        )

    def _next(self, concept: int) -> list[int]:
        return [*self._taxonomy.parents[concept].tolist(), *self._children[concept].tolist()]


GAMMA = 0.5
_IMPORTANT = 3.0
"""Weight of the topic and its keywords; other concepts have 1."""
_POWER = 4
"""Similarities are raised to this: many that are a little similar must not outweigh a near one."""
_SEEN = 2.0
"""A word of the texts counts so many times one that is in none."""
_ENOUGH = 1.0
"""Least score: as much as one ordinary concept that means the same."""
_SHORTEST = 3
"""Letters; shorter names are abbreviations and signs."""
_SYNONYMS = 2
"""Other words for one concept of the draft: some have ten, and nobody uses eight of them."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A concept of WordNet, and where it would go.

    Parameters
    ----------
    concept : in the taxonomy.
    label : what it is called.
    host : label of the concept of the draft that it is most similar to.
    place : where it stands, seen from the host.
    similarity : to the host (Li, Bandar and McLean).
    score : how well it fits the draft, see :func:`fit`; twice that for a word of the texts.
    """

    concept: int
    label: str
    host: str
    place: RelativePosition
    similarity: float
    score: float


class Host(NamedTuple):
    """Where a concept of WordNet could go: the most similar label, and how similar it is.

    ``is_general`` says that the concept is above some label of the draft, this one or another.
    """

    label: str
    similarity: float
    is_general: bool


def fit(similarities: Array, weights: Array) -> Array:
    """How well concepts fit a draft: ``sum_i w_i s_ij^4`` over the near ones, ``s_ij >= 0.6``.

    Ours: the paper takes every neighbour above its threshold, and those are thousands.

    Parameters
    ----------
    similarities : of each concept of the draft (rows) to each neighbour (columns).
    weights : of the concepts of the draft.
    """
    near = np.where(similarities >= FLOOR, similarities, 0.0)
    summed: Array = weights @ near**_POWER
    return summed


class NeighbourFinder:
    """Finds what stands near the concepts of a draft.

    A concept within two edges is a neighbour where it is more than ``gamma`` similar. "The node
    near A most related to B" is the concept of the draft that is most similar to it, and that it is
    not above, if there is one. A name that mostly means something else is none.

    Parameters
    ----------
    nouns : of WordNet.
    counts : how often words are in the texts.
    gamma : similarity that a neighbour must exceed.
    """

    def __init__(self, nouns: Taxonomy, counts: Mapping[str, int], gamma: float = GAMMA) -> None:
        self.surroundings = TaxonomyNeighbours(nouns)
        self._nouns = nouns
        self._counts = counts
        self._gamma = gamma
        self._names = ConceptNames(nouns)
        self._lin = TaxonomySimilarity(nouns, "lin")
        self._li = TaxonomySimilarity(nouns, "li")

    def senses(self, labels: Sequence[str]) -> dict[str, int]:
        """What each label stands for: its most frequent sense that another label vouches for.

        A label that WordNet does not know, or that is a stranger to all others, is left out.
        """
        vouched = SupportedSenses(self._lin).senses(labels)
        return {label: found[0] for label, found in zip(labels, vouched, strict=True) if found}

    def find(self, senses: Mapping[str, int], important: Collection[str] = ()) -> list[Neighbour]:
        """All neighbours that fit, the best first, each name once; none without senses.

        Parameters
        ----------
        senses : of the labels of the draft.
        important : labels that weigh more.
        """
        if not senses:
            return []
        concepts = sorted(set().union(*map(self._reach, senses.values())))
        weights = np.array([_IMPORTANT if label in important else 1.0 for label in senses])
        parts = self._parts(senses, concepts)
        fits = fit(np.maximum(parts, self._table(self._lin, senses, concepts)), weights)
        similar = np.maximum(parts, self._table(self._li, senses, concepts))
        columns = zip(concepts, self._hosts(similar, senses, concepts), fits.tolist(), strict=True)
        found = [each for column in columns for each in self._named(senses, *column)]
        found.sort(key=lambda each: (-each.score, -each.similarity, each.label))
        once = {each.label: each for each in reversed(found) if each.label not in senses}
        return [*once.values()][::-1]

    def _reach(self, sense: int) -> set[int]:
        return {sense, *self.surroundings.near(sense), *self.surroundings.parts(sense)}

    def _hosts(
        self, similar: Array, senses: Mapping[str, int], concepts: Sequence[int]
    ) -> list[Host]:
        """Of each concept the most similar label.

        One that the concept is above is taken only where no other is similar enough.
        """
        rows = [np.isin(concepts, [*self.surroundings.above(s)]) for s in senses.values()]
        above = np.array(rows, np.bool_)
        others = np.where(above, 0.0, similar)
        chosen = np.where(others.max(axis=0) > self._gamma, others, similar)
        labels = [[*senses][row] for row in chosen.argmax(axis=0).tolist()]
        best, general = chosen.max(axis=0), np.logical_or.reduce(above, axis=0)
        each = zip(labels, best.tolist(), general.tolist(), strict=True)
        return [Host(*host) for host in each]

    def _named(
        self, senses: Mapping[str, int], concept: int, host: Host, fits: float
    ) -> Iterator[Neighbour]:
        """The concept under its best name; the host's own under some more."""
        if host.similarity <= self._gamma:
            return
        place = self.surroundings.place(concept, senses[host.label])
        names = self._own_names(concept)
        for name in names[: _SYNONYMS if place is RelativePosition.SAME else 1]:
            seen = self._counts.get(name, 0) > 0
            score = fits * (_SEEN if seen else 1.0)
            if score >= _ENOUGH and (seen or _may_be_unseen(place, host.is_general)):
                yield Neighbour(concept, name, host.label, place, host.similarity, score)

    def _own_names(self, concept: int) -> list[str]:
        """The names that mean the concept first of all, those frequent in the texts in front."""
        concepts = self._nouns.concepts
        names = (name for name in self._names.of(concept) if len(name) >= _SHORTEST)
        own = [name for name in names if concepts(name)[0] == concept and name[0].isalpha()]
        return sorted(own, key=lambda name: -self._counts.get(name, 0))

    def _table(
        self, measure: TaxonomySimilarity, senses: Mapping[str, int], concepts: Sequence[int]
    ) -> Array:
        return np.array([measure.concept_to_all(sense)[concepts] for sense in senses.values()])

    def _parts(self, senses: Mapping[str, int], concepts: Sequence[int]) -> Array:
        """Similarity of each part to its whole, 0 elsewhere: one edge below it, as a kind is.

        Ours: by is-a edges alone a wheel and a car have little in common.
        """
        table = np.zeros((len(senses), len(concepts)))
        for row, sense in enumerate(senses.values()):
            own = np.isin(concepts, self._nouns.parts[sense])
            table[row, own] = li_bandar_mclean(1.0, float(self._nouns.depth[sense]))
        return table


def _may_be_unseen(place: RelativePosition, is_general: bool) -> bool:
    """May a concept join that no text names?

    Other words and kinds may. What is above a concept mostly has a name that only WordNet uses
    ("atmospheric phenomenon"), and parts are many.
    """
    if place in (RelativePosition.SAME, RelativePosition.BELOW):
        return True
    return place is RelativePosition.BESIDE and not is_general


MAX_PER_CONCEPT = 5
"""Neighbours that one concept may bring: "person" has thousands."""
_KINDS = {
    RelativePosition.SAME: (Kind.SYNONYM, "another word for"),
    RelativePosition.BELOW: (Kind.IS_A, "a kind of"),
    RelativePosition.PART: (Kind.PART_OF, "a part of"),
    RelativePosition.BESIDE: (Kind.COORDINATE, "of the same kind as"),
}


def known_relations(around: TaxonomyNeighbours, senses: Mapping[str, int]) -> Iterator[Proposal]:
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
            yield _below(label, speakers[sense], RelativePosition.SAME)
    for sense, label in speakers.items():
        for other in around.nearest_above(sense, speakers):
            yield _below(label, speakers[other], RelativePosition.BELOW)
        for other in sorted(around.wholes(sense) & speakers.keys()):
            yield _below(label, speakers[other], RelativePosition.PART)


def neighbour_proposals(
    around: NeighbourFinder, labels: Sequence[str], topic: str, important: Collection[str] = ()
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
        if hosted[found.host] >= MAX_PER_CONCEPT:
            continue
        hosted[found.host] += 1
        if found.place is not RelativePosition.ABOVE:
            yield _below(found.label, found.host, found.place, found.similarity)
        elif found.host != topic:  # nothing goes above that
            yield _between(around.surroundings, found, senses, topic)


def _below(
    label: str, host: str, place: RelativePosition, similarity: float | None = None
) -> Proposal:
    kind, words = _KINDS[place]
    degree = "" if similarity is None else f" (similarity {similarity:.2f})"
    return Proposal(label, host, kind, f'WordNet: {words} "{host}"{degree}')


def _between(
    around: TaxonomyNeighbours, found: Neighbour, senses: Mapping[str, int], topic: str
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
