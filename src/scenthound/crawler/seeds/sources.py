"""Where to look for seeds, by name: sitemaps and feeds, a SearXNG server, an archive, and installed
search providers. An entry point of the group ``scenthound.search`` adds a provider of its name: a
function that takes the topic and returns a
:class:`~scenthound.crawler.seeds.search.SearchProvider`.

Providers get the topic as queries; sitemaps and feeds look at the sites of its seeds.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from scenthound.core.errors import (
    InputError,
    MalformedUrlError,
    SettingsError,
    UnknownNameError,
    describe_error,
)
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.registry import installed_entry_points
from scenthound.core.urls import canonical
from scenthound.crawler.seeds.search import (
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedOptions,
    checked_result,
)
from scenthound.crawler.seeds.sitemaps import FEEDS, SITEMAPS, feed_results, sitemap_results
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure
from scenthound.similarity.topic_senses import topic_terms
from scenthound.text.analyzer import Analyzer

SEARXNG, ARCHIVE = "searxng", "archive"

GROUP = "scenthound.search"

Find = Callable[[SearchResources], Iterable[SearchResult]]
"""A source: yields results. SearchError where it does not respond; results before it are kept."""

MAX_QUERIES = 10

LONGEST_QUERY = 200

_TERMS = 5


def queries_of(profile: TopicProfile, analyzer: Analyzer) -> tuple[str, ...]:
    """Return all keywords together and each by itself, or else the topic's heaviest terms."""
    words = [word.strip() for word in profile.keywords if len(analyzer.bag(word))]
    queries = [" ".join(words or topic_terms(profile, analyzer, _TERMS)), *words]
    # No server refuses so short a query.
    cut = (textwrap.shorten(query, LONGEST_QUERY, placeholder="") for query in queries)
    return tuple(dict.fromkeys(filter(None, cut)))[:MAX_QUERIES]


MAX_FAILURES = 3
"""A provider is given up after so many queries in a row that fail."""


def provider_name(provider: SearchProvider) -> str:
    """Return the name of a provider, or else that of its class."""
    return str(getattr(provider, "name", "") or type(provider).__name__)


def search_queries(provider: SearchProvider, resources: SearchResources) -> Iterator[SearchResult]:
    """Yield the results of each query; one that fails does not end the others.

    The provider may be an installed one: whatever it raises is a query that failed, and its
    results are checked. SearchError at the end, where some queries failed.
    """
    name, count = provider_name(provider), resources.search.count
    failures: list[str] = []
    in_a_row = 0
    for query in resources.queries:
        resources.on_progress(f"asking {name} for {query}")
        try:
            yield from _results(provider, name, query, count)
            in_a_row = 0
        except SearchError as error:
            failures.append(str(error))
            in_a_row += 1
        if in_a_row == MAX_FAILURES:
            break
    if failures:
        raise SearchError(f"{failures[0]} ({len(failures)} of {len(resources.queries)} queries)")


def _results(provider: SearchProvider, name: str, query: str, count: int) -> Iterator[SearchResult]:
    """Yield the results of one query, cut to bounds; those without an http URL are left out."""
    try:
        # An installed provider may ignore count, or yield results without end.
        for each in islice(provider.search(query, count), count):
            if isinstance(each, SearchResult):
                found = checked_result(replace(each, source=each.source or name))
                if found is not None:
                    yield found
    except (InputError, SearchError):  # an option that cannot be used is for the user to see
        raise
    except Exception as error:
        raise SearchError(f"{name} cannot be asked: {describe_error(error)}") from error


def _search_archive(resources: SearchResources) -> Iterator[SearchResult]:
    """Yield all URLs of the archive: its pages are scored by their text."""
    assert resources.archive is not None
    return (SearchResult(url, ARCHIVE) for url in resources.archive.urls())


# SearXNG: https://docs.searxng.org/dev/search_api.html

MAX_RESULT_PAGES = 10
"""Pages of results requested for a query."""

_NO_JSON = "it gives no list of results in JSON"
_JSON_OFF = "; its settings.yml needs 'json' among the formats under 'search'"
_ADVICE = {
    _NO_JSON: _JSON_OFF,
    "status 403": _JSON_OFF,
    "status 401": "; give --auth HOST=USER:PASSWORD",
}


class Searxng:
    """A SearXNG server, which returns its results as JSON, page by page.

    Parameters
    ----------
    server : its address, such as ``https://searx.example.org``, with or without ``/search``.
    call : fetches a URL.
    language : of the results, as a code; empty for the server's own choice.
    """

    name = SEARXNG

    def __init__(
        self, server: str, call: Callable[[str], FetchedUrl | FetchFailure], language: str = ""
    ) -> None:
        self._search = f"{server_address(server)}search"
        self._call = call
        self._language = {"language": language} if language else {}

    def search(self, query: str, count: int) -> Iterator[SearchResult]:
        """Yield up to ``count`` results, as they come.

        SearchError where the server is down, asks for a pause, or gives no JSON.
        """
        seen: set[str] = set()
        for number in range(1, MAX_RESULT_PAGES + 1):
            before = len(seen)
            for result in self._page(query, number):
                keys = ("url", "title", "content", "publishedDate")
                url, title, snippet, date = (result.get(key, "") for key in keys)
                rank = len(seen) + 1
                found = checked_result(SearchResult(url, SEARXNG, title, snippet, rank, date))
                if found is not None and found.url not in seen and len(seen) < count:
                    seen.add(found.url)
                    yield found
            # A page without new results is the last one: engines may repeat it for every number.
            if len(seen) >= count or len(seen) == before:
                return

    def _page(self, query: str, number: int) -> list[dict[str, Any]]:
        """Fetch one page of results, as the server returns it."""
        parameters = {"q": query, "format": "json", "pageno": str(number), **self._language}
        answer = self._call(f"{self._search}?{urlencode(parameters)}")
        if isinstance(answer, FetchFailure):
            raise self._error(answer.reason)
        try:
            results = json.loads(answer.body)["results"]
            return [result for result in results if isinstance(result, dict)]
        except (ValueError, RecursionError, TypeError, LookupError):
            raise self._error(_NO_JSON) from None

    def _error(self, reason: str) -> SearchError:
        advice = _ADVICE.get(reason, "")
        return SearchError(f"SearXNG at {self._search} cannot be asked: {reason}{advice}")


def server_address(server: str) -> str:
    """Return the canonical address of a server, with ``/`` at the end."""
    try:
        address = canonical(server).partition("?")[0]
    except MalformedUrlError as error:
        raise SettingsError(
            f"--searxng: {error}; give the address of a server, such as https://searx.example.org."
        ) from None
    return address.removesuffix("/").removesuffix("/search") + "/"


def _search_searxng(resources: SearchResources) -> Iterator[SearchResult]:
    """Search a SearXNG server."""
    address = server_address(resources.search.searxng or "")
    provider = Searxng(address, resources.service(address).call, resources.topic.language)
    return search_queries(provider, resources)


# The sources of a search, by name.

_OF_SITES: dict[str, Find] = {SITEMAPS: sitemap_results, FEEDS: feed_results}
_OF_OPTIONS: dict[str, Find] = {SEARXNG: _search_searxng, ARCHIVE: _search_archive}
"""Each needs the option of its name."""


def chosen_sources(search: SeedOptions, topic: Topic) -> list[tuple[str, Find]]:
    """Return the sources of a search: those that were named, or all that have what they need.

    SettingsError where a named one has not, or an option is given that no source uses.
    """
    given = [name for name in _OF_OPTIONS if getattr(search, name) is not None]
    names = search.sources
    if names is None:
        names = (*(_OF_SITES if topic.seeds else ()), *given)
    for name in names:
        if name in _OF_OPTIONS and name not in given:
            raise SettingsError(f"the source {name} needs --{name}; give it.")
        if name in _OF_SITES and not topic.seeds:
            raise SettingsError(
                f"{topic} has no seeds, so the source {name} has no site to look at; "
                "give seeds, or another source."
            )
    for name in given:
        if name not in names:
            raise SettingsError(f"--{name} is given, but {name} is not among the sources; add it.")
    if search.searxng is not None:
        server_address(search.searxng)
    return [(name, _source(name)) for name in dict.fromkeys(names)]


def _source(name: str) -> Find:
    """Return the source of this name, one of ours or of an installed package."""
    own = {**_OF_SITES, **_OF_OPTIONS}
    added = {point.name: point for point in installed_entry_points(GROUP)}
    if name in own:
        return own[name]
    if name not in added:
        raise UnknownNameError("source", name, [*own, *added])

    def find(resources: SearchResources) -> Iterable[SearchResult]:
        try:  # an installed package may fail in any way; the other sources go on
            provider: SearchProvider = added[name].load()(resources.topic)
        except Exception as error:
            raise SearchError(f"the source {name} does not start: {error}") from error
        return search_queries(provider, resources)

    return find


def provider_sources(providers: Sequence[SearchProvider]) -> list[tuple[str, Find]]:
    """Return search providers of one's own as sources; several may have one name."""
    return [(provider_name(each), partial(search_queries, each)) for each in providers]
