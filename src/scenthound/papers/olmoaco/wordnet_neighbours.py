"""WordNet concepts near those of a draft, and their relations (olmoaco 2.5, step 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.ontologies.model import Kind
from scenthound.similarity.topic_senses import ConceptNames
from scenthound.similarity.word_similarity import FLOOR, SupportedSenses, TaxonomySimilarity
from scenthound.similarity.wordnet_similarity import Array, li_bandar_mclean
from scenthound.text.wordnet import Taxonomy

EDGES = 2
"""Concepts within so many edges are near (ours: the paper says "near")."""


def near(taxonomy: Taxonomy, concept: int, edges: int = EDGES) -> set[int]:
    """Return the concepts within ``edges`` is-a edges, up or down; not the concept itself."""
    found, newest = {concept}, {concept}
    for _ in range(edges):
        above = {other for each in newest for other in taxonomy.parents[each].tolist()}
        below = {other for each in newest for other in taxonomy.children[each].tolist()}
        newest = (above | below) - found
        found |= newest
    return found - {concept}


def position(taxonomy: Taxonomy, concept: int, seen_from: int) -> Kind | None:
    """Return how a concept is related to another as one below it; None where it stands above."""
    if concept == seen_from:
        return Kind.SYNONYM
    if seen_from in taxonomy.ancestors(concept):
        return Kind.IS_A
    if concept in taxonomy.ancestors(seen_from):
        return None
    return Kind.PART_OF if concept in taxonomy.parts[seen_from].tolist() else Kind.COORDINATE


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
_Host = tuple[str, float, bool]


class Neighbour(NamedTuple):
    """A concept of WordNet, and where it would go.

    ``host`` is the label of the draft that it is most similar to, ``similarity`` that of Li, Bandar
    and McLean, ``place`` its :func:`position` seen from there. ``score`` is how well it fits the
    draft, see :func:`fit`; twice that for a word of the texts.
    """

    concept: int
    label: str
    host: str
    place: Kind | None
    similarity: float
    score: float


def fit(similarities: Array, weights: Array) -> Array:
    """Return how well concepts fit a draft: ``sum_i w_i s_ij^4`` over all ``s_ij >= 0.6``.

    Rows of ``similarities`` are concepts of the draft, columns their neighbours. Ours: the paper
    takes every neighbour above its threshold, and those are thousands.
    """
    near = np.where(similarities >= FLOOR, similarities, 0.0)
    summed: Array = weights @ near**_POWER
    return summed


class NeighbourFinder:
    """Finds concepts near those of a draft.

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
        self.nouns = nouns
        self._counts = counts
        self._gamma = gamma
        self._names = ConceptNames(nouns)
        self._lin = TaxonomySimilarity(nouns, "lin")
        self._li = TaxonomySimilarity(nouns, "li")

    def senses(self, labels: Sequence[str]) -> dict[str, int]:
        """Return the most frequent sense of each label that another label vouches for.

        A label that WordNet does not know, or that is similar to no other, is left out.
        """
        vouched = SupportedSenses(self._lin).senses(labels)
        return {label: found[0] for label, found in zip(labels, vouched, strict=True) if found}

    def find(self, senses: Mapping[str, int], important: Collection[str] = ()) -> list[Neighbour]:
        """Return all neighbours that fit, the best first, each name once.

        ``senses`` are those of the draft's labels; ``important`` ones have more weight.
        """
        if not senses:
            return []
        nouns = self.nouns
        reach = ({s, *near(nouns, s), *nouns.parts[s].tolist()} for s in senses.values())
        concepts = sorted(set().union(*reach))
        weights = np.array([_IMPORTANT if label in important else 1.0 for label in senses])
        parts = self._parts(senses, concepts)
        lin, li = (
            np.array([measure.concept_to(sense)[concepts] for sense in senses.values()])
            for measure in (self._lin, self._li)
        )
        fits = fit(np.maximum(parts, lin), weights).tolist()
        hosts = self._hosts(np.maximum(parts, li), senses, concepts)
        columns = zip(concepts, hosts, fits, strict=True)
        found = [each for column in columns for each in self._named(senses, *column)]
        found.sort(key=lambda each: (-each.score, -each.similarity, each.label))
        once = {each.label: each for each in reversed(found) if each.label not in senses}
        return [*once.values()][::-1]

    def _hosts(
        self, similar: Array, senses: Mapping[str, int], concepts: Sequence[int]
    ) -> list[_Host]:
        """Of each concept the most similar label, and how similar it is; is it above any label?

        One that the concept is above is taken only where no other is similar enough.
        """
        rows = [np.isin(concepts, [*(self.nouns.ancestors(s) - {s})]) for s in senses.values()]
        above = np.array(rows, np.bool_)
        others = np.where(above, 0.0, similar)
        chosen = np.where(others.max(axis=0) > self._gamma, others, similar)
        labels = [[*senses][row] for row in chosen.argmax(axis=0).tolist()]
        best, general = chosen.max(axis=0), np.logical_or.reduce(above, axis=0)
        return [*zip(labels, best.tolist(), general.tolist(), strict=True)]

    def _named(
        self, senses: Mapping[str, int], concept: int, host: _Host, fits: float
    ) -> Iterator[Neighbour]:
        """The concept under its best name; the host's own under some more."""
        label, similarity, is_general = host
        if similarity <= self._gamma:
            return
        place = position(self.nouns, concept, senses[label])
        # The names that mean the concept first of all, those frequent in the texts in front.
        names = sorted(
            (
                name
                for name in self._names.of(concept)
                if len(name) >= _SHORTEST
                and name[0].isalpha()
                and self.nouns.concepts(name)[0] == concept
            ),
            key=lambda name: -self._counts.get(name, 0),
        )
        # Other words and kinds may join unseen. What is above a concept mostly has a name that
        # only WordNet uses ("atmospheric phenomenon"), and parts are many.
        unseen = place in (Kind.SYNONYM, Kind.IS_A) or (place is Kind.COORDINATE and not is_general)
        for name in names[: _SYNONYMS if place is Kind.SYNONYM else 1]:
            seen = self._counts.get(name, 0) > 0
            score = fits * (_SEEN if seen else 1.0)
            if score >= _ENOUGH and (seen or unseen):
                yield Neighbour(concept, name, label, place, similarity, score)

    def _parts(self, senses: Mapping[str, int], concepts: Sequence[int]) -> Array:
        """Similarity of each part to its whole, 0 elsewhere: one edge below it, as a kind is.

        Ours: by is-a edges alone a wheel and a car have little in common.
        """
        table = np.zeros((len(senses), len(concepts)))
        for row, sense in enumerate(senses.values()):
            own = np.isin(concepts, self.nouns.parts[sense])
            table[row, own] = li_bandar_mclean(1.0, float(self.nouns.depth[sense]))
        return table


MAX_PER_CONCEPT = 5
"""Neighbours that one concept may bring: "person" has thousands."""
_IN_WORDS = {
    Kind.SYNONYM: "another word for",
    Kind.IS_A: "a kind of",
    Kind.PART_OF: "a part of",
    Kind.COORDINATE: "of the same kind as",
}


def known_relations(nouns: Taxonomy, senses: Mapping[str, int]) -> Iterator[Proposal]:
    """Yield relations that WordNet knows between near concepts that are there already.

    Of several words for one concept the others are synonyms of the first, which represents them.
    It goes below the nearest it is a kind of, and below its wholes.
    """
    speakers: dict[int, str] = {}
    for label, sense in senses.items():
        if speakers.setdefault(sense, label) != label:
            yield _below(label, speakers[sense], Kind.SYNONYM)
    for sense, label in speakers.items():
        kinds = sorted(near(nouns, sense) & nouns.ancestors(sense) & speakers.keys())
        for one in kinds:
            if not any(one != other and one in nouns.ancestors(other) for other in kinds):
                yield _below(label, speakers[one], Kind.IS_A)
        for other in sorted(set(nouns.wholes[sense].tolist()) & speakers.keys()):
            yield _below(label, speakers[other], Kind.PART_OF)


def neighbour_proposals(
    around: NeighbourFinder, labels: Sequence[str], topic: str, important: Collection[str] = ()
) -> Iterator[Proposal]:
    """Yield new concepts, those that fit best first.

    ``important`` labels have more weight, beside the ``topic``, which stands above all others.
    """
    senses, nouns = around.senses(labels), around.nouns
    hosted: Counter[str] = Counter()
    for found in around.find(senses, {topic, *important}):
        if hosted[found.host] >= MAX_PER_CONCEPT:
            continue
        hosted[found.host] += 1
        if found.place is not None:
            yield _below(found.label, found.host, found.place, found.similarity)
        elif found.host != topic:  # nothing goes above that
            # Between the host and the deepest concept of the draft that WordNet has above both,
            # or else the topic. That the host is a kind of it, known_relations finds afterwards.
            above = nouns.ancestors(found.concept) - {found.concept}
            hosts = [host for host, sense in senses.items() if sense in above]
            parent = max(hosts, key=lambda host: int(nouns.depth[senses[host]]), default=topic)
            why = f'WordNet: "{found.host}" is a kind of it (similarity {found.similarity:.2f})'
            yield Proposal(found.label, parent, Kind.IS_A, why, guess=not hosts)


def _below(label: str, host: str, kind: Kind, similarity: float | None = None) -> Proposal:
    degree = "" if similarity is None else f" (similarity {similarity:.2f})"
    return Proposal(label, host, kind, f'WordNet: {_IN_WORDS[kind]} "{host}"{degree}')
