"""The parts of a search for seeds: its options, what search providers return, and the fetcher and
the archive that the sources share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Protocol

from scenthound.core.command_options import WordNetFolder
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Page, Topic
from scenthound.core.options import FilePath, Options, Text, Texts, whole_within
from scenthound.core.urls import canonical, host_of, rejection_reason
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import bounds_of
from scenthound.fetch.client import unwanted_type
from scenthound.fetch.fetcher import Fetcher, FetchFailure
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import final_response
from scenthound.storage.pages import read_page
from scenthound.text.extract import media_type

OnProgress = Callable[[str], None]
"""Called with what is being done now, a few times a second at most."""

DEFAULT_COUNT = 20


class SeedOptions(Options):
    """Options of a search for seeds, named and meant as in ``find_seeds``."""

    sources: Texts | None = None
    searxng: Text | None = None
    archive: FilePath | None = None
    count: Annotated[int, whole_within(1, 1_000)] = DEFAULT_COUNT
    fetch: Annotated[int, whole_within(0, 500)] = 0
    wordnet: WordNetFolder | None = None


class SearchError(Exception):
    """A source does not respond, or in a form that cannot be read; the others go on."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A URL, and what the source says of it.

    Parameters
    ----------
    url : canonical.
    source : the name of the source.
    title, snippet : in plain text; empty where there is none.
    rank : place in the results of a query, from 1; 0 where there is no order.
    modified : when the page last changed (``2024-05-31``), as its site says; empty if unknown.
    """

    url: str
    source: str
    title: str = ""
    snippet: str = ""
    rank: int = 0
    modified: str = ""


class SearchProvider(Protocol):
    """A search engine."""

    @property
    def name(self) -> str:
        """What users call it; the ``source`` of its results."""
        ...

    def search(self, query: str, count: int) -> Iterable[SearchResult]:
        """Up to ``count`` results, best first; none where there are none.

        Raises SearchError where it does not respond; results before that are kept.
        """
        ...


LONGEST_TITLE = 300
LONGEST_SNIPPET = 1_000
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def checked_result(found: SearchResult, base: str | None = None) -> SearchResult | None:
    """Return a result of an untrusted source, cut to bounds; None where it has no http URL.

    A title or snippet that is no text, a rank that is no number, and what is no date count as
    none. Relative URLs need ``base``, the URL that they were read at.
    """
    try:
        url = canonical(_text(found.url, 100_000), base)
    except MalformedUrlError:
        return None
    date = _DATE.match(_text(found.modified, 40))
    return SearchResult(
        url,
        _text(found.source, LONGEST_TITLE),
        _text(found.title, LONGEST_TITLE),
        _text(found.snippet, LONGEST_SNIPPET),
        found.rank if isinstance(found.rank, int) else 0,
        date[0] if date else "",
    )


def _text(value: object, longest: int) -> str:
    """Return the text in one line; one that is far too long is cut before it is split."""
    if not isinstance(value, str):
        return ""
    return " ".join(value[: 10 * longest].split())[:longest]


_NO_PAGES = frozenset({"text/xml", "application/xml"})
"""A crawl reads them where links lead to them; in an archive they are sitemaps and feeds."""


class SearchResources:
    """The fetcher and the archive of a search: opened when first needed, closed by ``stack``.

    ``options`` say how requests are made, ``on_progress`` gets what is being done.
    """

    def __init__(
        self,
        topic: Topic,
        search: SeedOptions,
        options: CrawlOptions,
        on_progress: OnProgress,
        stack: ExitStack,
    ) -> None:
        self.topic = topic
        self.search = search
        self.on_progress = on_progress
        self.queries: Sequence[str] = ()
        """For search providers; set once the topic has been read."""
        self._options = options
        self._stack = stack
        self._network = options.network(version("scenthound"))
        self._bounds = bounds_of(topic, options)

    @cached_property
    def fetcher(self) -> Fetcher:
        """Fetches on the web, within the bounds of the crawl."""
        fetcher = Fetcher(self._network, self._options.delay, denied=self._denied)
        return self._stack.enter_context(fetcher)

    @cached_property
    def archive(self) -> Archive | None:
        """The archive; None where there is none."""
        if self.search.archive is None:
            return None
        self.on_progress(f"indexing {self.search.archive}")
        return self._stack.enter_context(open_archive(Path(self.search.archive)))

    @property
    def sites(self) -> list[str]:
        """The seeds whose sites may be searched."""
        return [url for url in self.topic.seeds if self._denied(url) is None]

    def forbids(self, url: str) -> bool:
        """Whether a robots.txt that has been read forbids a canonical URL."""
        return "fetcher" in vars(self) and self.fetcher.forbids(url)  # none is started for this

    def service(self, address: str) -> Fetcher:
        """Open a fetcher for a service that the user has named, wherever it runs.

        Its address may be private; then no proxy is used, which could not reach it.
        """
        network = replace(self._network, allow_private=True)
        if is_nearby(address):
            network = replace(network, proxy=None)
        return self._stack.enter_context(Fetcher(network, self._options.delay))

    def page(self, url: str) -> Page | FetchFailure:
        """Return the page at a canonical URL: from the archive, else from the web."""
        self.on_progress(f"reading {url}")
        if self.archive is not None and url in self.archive:
            return self._archived(self.archive, url) or FetchFailure(url, "no page")
        fetched = self.fetcher.page(url)
        if isinstance(fetched, FetchFailure):
            return fetched
        assert fetched.page is not None
        return fetched.page

    def _archived(self, archive: Archive, url: str) -> Page | None:
        """Return the page in the archive; None for errors and for types that are no pages."""
        response, pdf = final_response(archive, url), self._options.pdf
        if response is None or not 200 <= response.status < 300:
            return None
        content_type = response.headers.get("content-type", "")
        unwanted = unwanted_type(content_type, response.url, pdf)
        if unwanted is not None or media_type(content_type) in _NO_PAGES:
            return None
        return read_page(response, (), 0.0, pdf=pdf)

    def _denied(self, url: str) -> str | None:
        """Return why the bounds of the crawl forbid a URL."""
        violation = self._bounds.denial(url)
        return None if violation is None else violation.reason


def is_nearby(url: str) -> bool:
    """Whether the host of a URL is this machine, a private address, or a name without a dot."""
    host = host_of(url)
    name = host.partition(":")[0]
    return rejection_reason(host) is not None or ("." not in name and not host.startswith("["))
