"""The values that every package uses: topic, link, page, score, candidate, budget. All are
frozen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scenthound.core.errors import MalformedUrlError, SettingsError, TopicError
from scenthound.core.urls import canonical

DEFAULT_LANGUAGE = "en"


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
class Refusal:
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
                f"a budget of {self.pages} pages fetches nothing; give --budget 1 or more."
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
                f"budget {text!r} is not understood; give --budget a number of pages (500) "
                "or a multiple of the labelled pages (2x)."
            )
        if not match["times"]:
            return cls(int(match["number"]))
        if labelled is None:
            raise SettingsError(
                f"budget {text!r} counts labelled pages; give --labels, or a plain number."
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
