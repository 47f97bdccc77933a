"""Scores of links: their parts, how several inlinks combine to one score, and the evidence for a
URL. The rule of combination matters as much as the model.
"""

from __future__ import annotations

import enum
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, mul
from typing import overload

from scenthound.core.events import MAX_INLINKS
from scenthound.core.model import INLINKS, Candidate, Inlink, Part, Score, ScoredLink, inlink_share

_PART = attrgetter("name", "value", "weight")


class Parts(Sequence[Part]):
    """What a score is made up of.

    To read, a sequence of :class:`Part`. A crawl has millions of them, all of a few names, so
    that only the values are a score's own.

    Parameters
    ----------
    names, values, weights : one for each part.

    Examples
    --------
    >>> parts = Parts(("page", "anchor"), (0.5, 0.25), (1.0, 2.0))
    >>> parts[1]
    Part(name='anchor', value=0.25, weight=2.0)
    >>> parts.score()
    Score(value=1.0, parts=Parts(('page', 'anchor'), (0.5, 0.25), (1.0, 2.0)))
    """

    __slots__ = ("names", "values", "weights")

    def __init__(
        self, names: tuple[str, ...], values: tuple[float, ...], weights: tuple[float, ...]
    ) -> None:
        if not len(names) == len(values) == len(weights):
            raise ValueError(f"{len(values)} values, {len(weights)} weights for {names}")
        self.names, self.values, self.weights = names, values, weights

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Parts:
        """The same parts by column; as they are, if they are so already."""
        if isinstance(parts, Parts):
            return parts
        return cls(*zip(*map(_PART, parts), strict=True)) if parts else cls((), (), ())

    def with_values(self, values: tuple[float, ...]) -> Parts:
        """Other values under the same names and weights."""
        return Parts(self.names, values, self.weights)

    def score(self) -> Score:
        """The priority that the parts make up: ``sum of weight x value`` (svsm-mcoa Eq. 7)."""
        return Score(sum(map(mul, self.values, self.weights)), self)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Part]:
        return map(Part, self.names, self.values, self.weights)

    @overload
    def __getitem__(self, place: int) -> Part: ...

    @overload
    def __getitem__(self, place: slice) -> Parts: ...

    def __getitem__(self, place: int | slice) -> Part | Parts:
        if isinstance(place, slice):
            return Parts(self.names[place], self.values[place], self.weights[place])
        return Part(self.names[place], self.values[place], self.weights[place])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Parts | tuple | list):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Parts({self.names}, {self.values}, {self.weights})"


class Combination(enum.Enum):
    """What the score of a URL is, when several pages link to it."""

    MAX = "max"
    MEAN = "mean"
    LAST = "last"


def combine_scores(how: Combination, score: float, link_count: int, new: float) -> float:
    """The score after one more link.

    Parameters
    ----------
    how : the rule.
    score : the combined score of the links so far (ignored when there are none).
    link_count : how many these are.
    new : what the new link scored.

    Examples
    --------
    >>> combine_scores(Combination.MEAN, 0.5, 2, 0.8)
    0.6
    """
    if link_count == 0 or how is Combination.LAST:
        return new
    if how is Combination.MAX:
        return max(score, new)
    return score + (new - score) / (link_count + 1)


def combine_parts(
    how: Combination, parts: Sequence[Part], link_count: int, new: Sequence[Part], best: bool
) -> Sequence[Part]:
    """The parts behind the combined score, by the same rule, so that they still sum to it.

    Parameters
    ----------
    how : the rule.
    parts : what the ``link_count`` links so far combine to.
    new : the parts of the new link; ``best`` if it scored above all before it.
    """
    if link_count == 0 or how is Combination.LAST:
        return new
    if how is Combination.MAX:
        return new if best else parts
    known, fresh = Parts.of(parts), Parts.of(new)
    if known.names != fresh.names:  # they have no mean: those of the better link stand for both
        return new if best else parts
    pairs = zip(known.values, fresh.values, strict=True)
    return known.with_values(tuple([old + (own - old) / (link_count + 1) for old, own in pairs]))


def with_inlink_count(score: Score, links: int) -> Score:
    """The score with its part ``INLINKS`` that of so many links; as it is, if it has none."""
    parts = Parts.of(score.parts)
    if INLINKS not in parts.names:
        return score
    place, share, values = parts.names.index(INLINKS), inlink_share(links), parts.values
    value = score.value + (share - values[place]) * parts.weights[place]
    return Score(value, parts.with_values((*values[:place], share, *values[place + 1 :])))


# --- the evidence for a URL: the links to it, and the score they combine to


SEED_SCORE = 1.0
Reweight = Callable[[Score], Score]
"""The score of a link under the weights of now."""


@dataclass(slots=True)
class Evidence:
    """The combined score of a URL, its parts, and the best inlinks, best first.

    The parts add up to the score. Inlinks carry what each scored by itself.
    """

    depth: int
    score: float = SEED_SCORE
    link_count: int = 0
    parts: Sequence[Part] = ()
    inlinks: list[Inlink] = field(default_factory=list)

    def add_link(self, link: ScoredLink, how: Combination) -> None:
        """Combine one more link with those so far; a seed only makes the depth smaller."""
        self.depth = min(self.depth, link.depth)
        if link.inlink is None:
            return
        known, new = with_inlink_count(Score(self.score, self.parts), 1), link.inlink.score
        best = not self.link_count or new.value > known.value
        parts = combine_parts(how, known.parts, self.link_count, new.parts, best)
        value = combine_scores(how, known.value, self.link_count, new.value)
        self.link_count += 1
        self.set_score(with_inlink_count(Score(value, parts), self.link_count))
        self._add_inlinks([link.inlink])

    def merge(self, other: Evidence) -> None:
        """Add the evidence for another URL, which redirects to this one.

        The better score of the two counts, with its parts. A seed has no parts: its score is a
        default and does not override what links say.
        """
        self.depth = min(self.depth, other.depth)
        if other.score > self.score and (other.parts or not self.parts):
            self.set_score(Score(other.score, other.parts))
        self._add_inlinks(other.inlinks)

    def set_score(self, score: Score) -> None:
        """Replace the combined score."""
        self.score, self.parts = score.value, score.parts

    def reweight(self, weigh: Reweight, how: Combination) -> None:
        """Rescore every link, and combine them again.

        A mean is reweighted as it stands: the mean of weighted sums is the weighted sum of means.
        A maximum is taken again over the inlinks that are stored.
        """
        self.inlinks = [Inlink(i.source, weigh(i.score), i.anchor) for i in self.inlinks]
        self.inlinks.sort(key=_best_first)
        if how is Combination.MAX and self.inlinks:
            self.set_score(with_inlink_count(self.inlinks[0].score, self.link_count))
        elif self.parts:
            self.set_score(weigh(Score(self.score, self.parts)))

    def _add_inlinks(self, inlinks: list[Inlink]) -> None:
        for inlink in inlinks:
            insort(self.inlinks, inlink, key=_best_first)
        del self.inlinks[MAX_INLINKS:]


def _best_first(inlink: Inlink) -> float:
    return -inlink.score.value


@dataclass(slots=True, kw_only=True)
class UrlEvidence(Evidence):
    """The evidence for a URL, with the URL and its attempts: what all frontiers store."""

    url: str
    attempts: int = 0
    redirects: tuple[str, ...] = ()

    def candidate(self) -> Candidate:
        """The value that strategies and engines see."""
        score, inlinks = Score(self.score, self.parts), tuple(self.inlinks)
        tried = self.attempts, self.link_count, self.redirects
        return Candidate(self.url, score, self.depth, inlinks, *tried)

    def take_over(self, origin: UrlEvidence) -> None:
        """Have the evidence for ``origin``, which redirects to this URL, as one's own."""
        self.depth, self.link_count = origin.depth, origin.link_count
        self.set_score(Score(origin.score, origin.parts))
        self.inlinks = list(origin.inlinks)
        self.redirects = (*origin.redirects, origin.url)
