"""The values that every package uses: topic, link, page, score, candidate, budget. All are
frozen.
"""

from __future__ import annotations

import enum
import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter, mul
from typing import overload

from pydantic import ConfigDict

from scenthound.core.errors import MalformedUrlError, SettingsError, TopicError
from scenthound.core.urls import canonical

DEFAULT_LANGUAGE = "en"
MAX_INLINKS = 5
"""The best inlinks of a URL that are kept."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What the user wants pages about.

    Parameters
    ----------
    name : a short name; it labels results and folders.
    keywords : words or phrases that name the topic.
    seeds : URLs where the crawl starts; kept in canonical form.
    examples : pages about the topic: URLs, local files or plain text. Only their text is used.
    exclude : URL patterns (``*`` and ``?``) that are never followed.
    language : language of the topic, as a code such as ``en``.
    ontology : an ontology file, for the strategies that use one.
    file : where the topic was read from, for messages.
    """

    name: str
    keywords: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    language: str = DEFAULT_LANGUAGE
    ontology: str | None = None
    file: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"topic {self.name!r}" + (f" ({self.file})" if self.file else "")

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TopicError(f"a topic's name is a text, not {self.name!r}.")
        for name in ("keywords", "seeds", "examples", "exclude"):
            object.__setattr__(self, name, self._texts(name))
        object.__setattr__(self, "seeds", tuple(map(self._seed, self.seeds)))
        if not self.name.strip():
            raise TopicError("a topic needs a name.")
        if not any(text.strip() for text in (*self.keywords, *self.examples)):
            raise TopicError(f"topic {self.name!r} is empty: give it keywords or examples.")

    def _texts(self, name: str) -> tuple[str, ...]:
        values = getattr(self, name)
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise TopicError(f"topic {self.name!r}: {name} is a list of texts, not {values!r}.")
        texts = tuple(values)
        for text in texts:
            if not isinstance(text, str):
                raise TopicError(f"topic {self.name!r}: {name} holds {text!r}, which is no text.")
        return texts

    def _seed(self, url: str) -> str:
        try:
            return canonical(url)
        except MalformedUrlError as error:
            raise TopicError(
                f"topic {self.name!r}: a seed is no URL: {error}; "
                "seeds start with http:// or https://."
            ) from None


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink as it stands on a page: canonical target, anchor, words around it."""

    url: str
    anchor: str = ""
    context: str = ""
    rel: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Document:
    """What can be read on a page, without where it is and where it points.

    ``groups`` holds the text of the tag groups by name (see ``text.extract``); ``text`` is
    all the visible text, the title excluded.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    title: str = ""
    text: str = ""
    description: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None

    @cached_property
    def full(self) -> str:
        """Title and text: the "full text" of the papers."""
        return f"{self.title}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched page: address, status, document, links, and links that can be no candidate.

    ``unusable`` counts links that never became a :class:`Link` (``mailto:``, malformed), with
    examples. ``redirects`` are the addresses that led here, first one first. ``problem`` says
    why there is less to read than expected (an error, a binary body, a cut one), if so.
    ``copy_of`` is the number of an earlier page with the same or nearly the same text: nothing is
    learned from a copy and its links are not followed again. ``index`` is False where the page
    asks not to be kept. ``canonical`` is the canonical URL that the page names. ``rendered``
    says that a browser showed what is read here.
    """

    url: str
    status: int
    document: Document
    links: tuple[Link, ...] = ()
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    redirects: tuple[str, ...] = ()
    follow: bool = True
    fetched_at: float = 0.0
    size: int = 0
    problem: str = ""
    copy_of: int | None = None
    index: bool = True
    canonical: str | None = None
    rendered: bool = False

    @property
    def ok(self) -> bool:
        """Was there a document to read?"""
        return 200 <= self.status < 300


INLINKS = "inlinks"
"""A part of this name says how many pages link to a URL: :func:`inlink_share`. A scorer sees one
link at a time and writes that of one; the frontier counts them and fills it in."""


def inlink_share(links: int) -> float:
    """``n / (n + 1)``: half for one link, little more for a hundred than for fifty.

    Examples
    --------
    >>> inlink_share(1), inlink_share(3)
    (0.5, 0.75)
    """
    return links / (links + 1)


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a score: which text or signal, its value, the weight it entered with."""

    name: str
    value: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Score:
    """What a link is thought to be worth, and the parts that make it up."""

    value: float
    parts: Sequence[Part] = ()

    def part(self, name: str, default: float) -> float:
        """Value of the part called ``name``, or ``default`` where there is none."""
        return next((p.value for p in self.parts if p.name == name), default)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A scorer's answer for a link that must not be queued, with the reason for the journal."""

    reason: str


@dataclass(frozen=True, slots=True)
class Inlink:
    """Evidence for a candidate: a page that links to it, and what that link scored.

    ``source`` is the number of the page in order of fetching: the ``n`` of its page event.
    """

    source: int
    score: Score
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class ScoredLink:
    """A link to ``url`` seen on a page (``inlink`` is None for a seed)."""

    url: str
    depth: int
    inlink: Inlink | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL in the frontier with its combined score and its best inlinks, best first.

    ``score`` and its parts combine all the pages that link to it, ``linked_from`` in number.
    ``redirects`` are the addresses that led here, first one first, where this is where another
    URL redirected to. ``chosen`` says in words why a policy took it now; "" where the frontier's
    own order decided.
    """

    url: str
    score: Score
    depth: int
    inlinks: tuple[Inlink, ...] = ()
    attempts: int = 0
    linked_from: int = 0
    redirects: tuple[str, ...] = ()
    chosen: str = ""

    @property
    def is_seed(self) -> bool:
        """Seeds were given, not found: nothing predicted their worth."""
        return self.depth == 0


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A fetched page together with the candidate that led to it."""

    candidate: Candidate
    page: Page


@dataclass(frozen=True, slots=True)
class TopicProfile:
    """What a strategy may know beforehand: the topic's words and the texts of its examples.

    It carries no address: a strategy cannot recognise an example page when it meets one.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")  # a misspelt key of a file is no default

    name: str
    keywords: tuple[str, ...]
    examples: tuple[Document, ...]
    language: str = DEFAULT_LANGUAGE
    ontology: str | None = None


_BUDGET = re.compile(r"(?P<number>[0-9]{1,12}(?:\.[0-9]{1,12})?)(?P<times>x?)")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages a crawl may fetch."""

    pages: int

    def __post_init__(self) -> None:
        if self.pages < 1:
            raise SettingsError(
                f"a budget of {self.pages} pages fetches nothing; give a budget of 1 or more."
            )

    def allows(self, spent: int) -> bool:
        """May a page be fetched where so many are, or are being fetched?"""
        return spent < self.pages

    def is_exhausted(self, spent: int) -> bool:
        """Is it for good that no page may be fetched?"""
        return spent >= self.pages

    @classmethod
    def parse(cls, text: str, labelled: int | None = None) -> Budget:
        """``"500"`` pages, or ``"2x"``: a multiple of the topic's ``labelled`` pages."""
        match = _BUDGET.fullmatch(text.strip().lower())
        if match is None or (not match["times"] and "." in match["number"]):
            raise SettingsError(
                f"budget {text!r} is not understood; give a number of pages (500) "
                "or a multiple of the labelled pages (2x)."
            )
        if not match["times"]:
            return cls(int(match["number"]))
        if labelled is None:
            raise SettingsError(
                f"budget {text!r} counts labelled pages; give labels, or a plain number."
            )
        factor = float(match["number"])
        return cls(max(1, round(factor * labelled)) if factor else 0)


# Numbers of pages where several workers share a crawl.
#
# Every worker counts its own pages 1, 2, ... in its own journal. Where it names a page of another
# worker, the number of that worker stands above that of the page, so that no two are alike and a
# reader of one folder knows which pages are not in it.

_BITS = 32


def global_page_number(worker: int, n: int) -> int:
    """The number by which others name page ``n`` of a worker; workers are numbered from 1 on.

    >>> global_page_number(2, 7) == 2 * 2**32 + 7
    True
    """
    return worker << _BITS | n


def worker_of(number: int) -> int:
    """The worker whose page it is; 0 for the worker's own, in whose folder the number stands."""
    return number >> _BITS


def local_page_number(number: int) -> int:
    """The number that the page has in the journal of its worker."""
    return number & (1 << _BITS) - 1


def format_page_number(number: int) -> str:
    """The page in words.

    >>> format_page_number(1200), format_page_number(global_page_number(3, 12))
    ('page 1,200', 'page 12 of worker 3')
    """
    worker = worker_of(number)
    return (
        f"page {local_page_number(number):,} of worker {worker}" if worker else f"page {number:,}"
    )


_PART = attrgetter("name", "value", "weight")


class Parts(Sequence[Part]):
    """What a score is made up of.

    To read, a sequence of :class:`Part`. A crawl has millions of them, all of a few names, so
    that only the values are a score's own.

    Examples
    --------
    >>> Parts(("page", "anchor"), (0.5, 0.25), (1.0, 2.0))[1]
    Part(name='anchor', value=0.25, weight=2.0)
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


class Combination(enum.Enum):
    """What the score of a URL is, when several pages link to it."""

    MAX = "max"
    MEAN = "mean"
    LAST = "last"


def combine_scores(how: Combination, score: float, link_count: int, new: float) -> float:
    """The score after one more link, which scored ``new``, to the ``link_count`` links so far.

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

    ``best`` says that the new link scored above all before it.
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
