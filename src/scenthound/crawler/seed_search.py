"""The parts of a search for seeds: its options, the results of search providers, and the fetcher
and archive that are opened when first needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.model import Page, Topic
from scenthound.core.urls import canonical, host_of, rejection_reason
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import bounds_of
from scenthound.fetch.fetcher import Fetcher, FetchFailure
from scenthound.fetch.messages import unwanted_type
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import final_response
from scenthound.storage.pages import Response, read_page
from scenthound.text.analyzer import Analyzer
from scenthound.text.extract import media_type

OnProgress = Callable[[str], None]
"""Called with what is being done now, a few times a second at most."""

DEFAULT_COUNT = 20
MAX_PROPOSALS = 1_000
MAX_FETCHED = 500


@dataclass(frozen=True, slots=True)
class SeedSearchOptions:
    """Options of a search for seeds, named and meant as in ``find_seeds``."""

    topic: Topic
    sources: tuple[str, ...]
    count: int = DEFAULT_COUNT
    fetch: int = 0
    searxng: str | None = None
    archive: Path | None = None
    options: CrawlOptions = field(default_factory=CrawlOptions)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MAX_PROPOSALS:
            raise SettingsError(f"count is 1 to {MAX_PROPOSALS}, not {self.count}.")
        if not 0 <= self.fetch <= MAX_FETCHED:
            raise SettingsError(f"fetch is 0 to {MAX_FETCHED}, not {self.fetch}.")


LONGEST_TITLE = 300
LONGEST_SNIPPET = 1_000
_LONGEST_SOURCE = 40
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


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


def search_result(
    href: object,
    source: str,
    title: object = "",
    snippet: object = "",
    rank: int = 0,
    modified: object = "",
    base: str | None = None,
) -> SearchResult | None:
    """Return a result from an untrusted source, cut to bounds; None where it is no http URL.

    Parameters
    ----------
    href : the URL as it was written; relative ones need ``base``, the URL it was read at.
    source : name of the source, for reports.
    title, snippet : what the source says of the page; a value that is no text counts as empty.
    rank : place among the results of a query, from 1; 0 where there is no order.
    modified : when the page last changed; anything but a date counts as empty.
    """
    try:
        url = canonical(_text(href, 100_000), base)
    except MalformedUrlError:
        return None
    date = _DATE.match(_text(modified, 40))
    return SearchResult(
        url,
        source,
        _text(title, LONGEST_TITLE),
        _text(snippet, LONGEST_SNIPPET),
        rank,
        date[0] if date else "",
    )


def checked_result(given: object, source: str) -> SearchResult | None:
    """Return a result of an installed provider, with a canonical URL and cut to bounds.

    ``source`` stands in where it names none. None for what is no SearchResult, or no http URL.
    """
    if not isinstance(given, SearchResult):
        return None
    named = _text(given.source, _LONGEST_SOURCE) or source
    rank = given.rank if isinstance(given.rank, int) else 0
    return search_result(given.url, named, given.title, given.snippet, rank, given.modified)


def _text(value: object, longest: int) -> str:
    """Return the text in one line; one that is far too long is cut before it is split."""
    if not isinstance(value, str):
        return ""
    return " ".join(value[: 10 * longest].split())[:longest]


_NO_PAGES = frozenset({"text/xml", "application/xml"})
"""A crawl reads them where links lead to them; in an archive they are sitemaps and feeds."""


def page_in(response: Response, pdf: bool = False) -> Page | None:
    """Return the page in an archived response; None for redirects, errors and other types.

    With ``pdf`` a PDF is a page too.
    """
    content_type = response.headers.get("content-type", "")
    if not 200 <= response.status < 300 or media_type(content_type) in _NO_PAGES:
        return None
    if unwanted_type(content_type, response.url, pdf) is not None:
        return None
    return read_page(response, (), 0.0, pdf=pdf)


class SearchResources:
    """The fetcher and the archive of a search: opened when first needed, closed by ``resources``.

    ``on_progress`` gets what is being done.
    """

    def __init__(
        self,
        search: SeedSearchOptions,
        analyzer: Analyzer,
        on_progress: OnProgress,
        resources: ExitStack,
    ) -> None:
        self.search = search
        self.analyzer = analyzer
        self.on_progress = on_progress
        self.queries: Sequence[str] = ()
        """For search providers; set once the topic has been read."""
        self._resources = resources
        self._network = search.options.network(version("scenthound"))
        self._bounds = bounds_of(search.topic, search.options)
        self._fetcher: Fetcher | None = None

    @property
    def fetcher(self) -> Fetcher:
        """Fetches on the web, within the bounds of the crawl."""
        if self._fetcher is None:
            delay = self.search.options.delay
            self._fetcher = self._start(Fetcher(self._network, delay, denied=self._denied))
        return self._fetcher

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """The seeds whose sites may be searched."""
        return tuple(url for url in self.search.topic.seeds if self._denied(url) is None)

    def forbids(self, url: str) -> bool:
        """Whether a robots.txt that has been read forbids a canonical URL."""
        return self._fetcher is not None and self._fetcher.forbids(url)

    def service(self, address: str) -> Fetcher:
        """Open a fetcher for a service that the user has named, wherever it runs.

        Its address may be private; then no proxy is used, which could not reach it.
        """
        network = replace(self._network, allow_private=True)
        if is_nearby(address):
            network = replace(network, proxy=None)
        return self._start(Fetcher(network, self.search.options.delay))

    def page(self, url: str) -> Page | FetchFailure:
        """Return the page at a canonical URL: from the archive, else from the web."""
        if self.archive is not None and url in self.archive:
            response = final_response(self.archive, url)
            page = None if response is None else page_in(response, self.search.options.pdf)
            return page or FetchFailure(url, "the archive has no page there")
        fetched = self.fetcher.page(url)
        if isinstance(fetched, FetchFailure):
            return fetched
        assert fetched.page is not None
        return fetched.page

    @cached_property
    def archive(self) -> Archive | None:
        """The archive; None where there is none."""
        if self.search.archive is None:
            return None
        name = self.search.archive.name

        def on_bytes(done: int, total: int) -> None:
            self.on_progress(f"indexing {name}: {done >> 20} of {total >> 20} MB")

        opened = open_archive(self.search.archive, progress=on_bytes)
        return self._resources.enter_context(opened)

    def _start(self, fetcher: Fetcher) -> Fetcher:
        """Open a fetcher, which is closed with the other resources."""
        self.on_progress("starting")
        return self._resources.enter_context(fetcher)

    def _denied(self, url: str) -> str | None:
        """Return why the bounds of the crawl forbid a URL."""
        violation = self._bounds.denial(url)
        return None if violation is None else violation.reason


def is_nearby(url: str) -> bool:
    """Whether the host of a URL is this machine, a private address, or a name without a dot."""
    host = host_of(url)
    name = host.partition(":")[0]
    return rejection_reason(host) is not None or ("." not in name and not host.startswith("["))
