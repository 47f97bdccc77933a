"""Where to look for seeds, by name: sitemaps and feeds, a SearXNG server
(https://docs.searxng.org/dev/search_api.html), an archive whose pages are ranked by BM25, and
installed search providers. An entry point of the group ``scenthound.search`` adds a provider of its
name: a function that takes the topic and returns a
:class:`~scenthound.crawler.seed_search.SearchProvider`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode

import numpy as np

from scenthound.core.errors import (
    InputError,
    MalformedUrlError,
    SettingsError,
    UnknownNameError,
    warn_caller,
)
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.core.registry import Registry, installed_entry_points
from scenthound.core.urls import canonical
from scenthound.crawler.seed_search import (
    OnProgress,
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
    checked_result,
    page_in,
    search_result,
)
from scenthound.crawler.sitemaps import FEEDS, SITEMAPS, Feeds, Sitemaps
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure
from scenthound.similarity.topic_senses import topic_terms
from scenthound.storage.archive import Archive
from scenthound.text.analyzer import Analyzer
from scenthound.text.page_index import PageIndex, occurrences
from scenthound.text.terms import Bag

MAX_QUERIES = 10

LONGEST_QUERY = 200

MAX_FAILURES = 3
"""A provider is given up after so many queries in a row that fail."""

_TERMS = 5

_LONGEST_ERROR = 200


def queries_of(profile: TopicProfile, analyzer: Analyzer) -> tuple[str, ...]:
    """Return all keywords together and each by itself, or else the topic's heaviest terms."""
    words = [word.strip() for word in profile.keywords if len(analyzer.bag(word))]
    if not words:
        return tuple(filter(None, [" ".join(topic_terms(profile, analyzer, _TERMS))]))
    together = _cut(" ".join(words))
    return tuple(dict.fromkeys([together, *map(_cut, words)]))[:MAX_QUERIES]


def search_queries(
    provider: SearchProvider,
    name: str,
    queries: Sequence[str],
    count: int,
    on_progress: OnProgress,
) -> Iterator[SearchResult]:
    """Yield ``count`` results of each query; one that fails does not end the others.

    The provider may be an installed one: whatever it raises is a query that failed, and its
    results are checked. SearchError at the end, where some queries failed.
    """
    failures: list[str] = []
    in_a_row = sent = unusable = 0
    for query in queries:
        sent += 1
        on_progress(f"asking {name} for {query}")
        try:
            for given in _results(provider, name, query, count):
                found = checked_result(given, name)
                if found is None:
                    unusable += 1
                else:
                    yield found
            in_a_row = 0
        except SearchError as error:
            failures.append(str(error))
            in_a_row += 1
        if in_a_row == MAX_FAILURES:
            break
    if unusable:
        warn_caller(f"{name}: results without an http address are left out: {unusable}")
    if failures:
        share = "" if sent == 1 else f" ({len(failures)} of {sent} queries)"
        raise SearchError(f"{failures[0]}{share}")


def _results(provider: SearchProvider, name: str, query: str, count: int) -> Iterator[object]:
    """Yield what a provider returns for one query; whatever goes wrong is a SearchError."""
    try:
        given: object = provider.search(query, count)
        if not isinstance(given, Iterable):
            raise SearchError(
                f"{name} cannot be asked: it answers with {type(given).__name__}, not with a "
                "list of SearchResult"
            )
        # An installed provider may ignore count, or yield results without end.
        yield from islice(given, count)
    except (InputError, SearchError):  # an option that cannot be used is for the user to see
        raise
    except Exception as error:
        words = " ".join(str(error).split())[:_LONGEST_ERROR]
        kind = type(error).__name__
        problem = f"{kind}: {words}" if words else kind
        raise SearchError(f"{name} cannot be asked: {problem}") from error


def _cut(query: str) -> str:
    """Cut a query, between two words, to a length that no server refuses."""
    if len(query) <= LONGEST_QUERY:
        return query
    return query[: LONGEST_QUERY + 1].rpartition(" ")[0] or query[:LONGEST_QUERY]


ARCHIVE = "archive"

_SNIPPET = 300

_OTHER = np.iinfo(np.int32).max
"""Stands for all words that no query has; they count for the length of a page."""


OnPage = Callable[[int, int], None]
"""Called with (pages read, pages in all)."""


class ArchiveSearch:
    """Searches the pages of an archive, which is read once, at the first query.

    Only the words of ``queries`` are indexed; all others only count for the length of a page, so
    that the index of a large archive stays small. ``on_page`` gets how far the reading is.
    """

    name = ARCHIVE

    def __init__(
        self,
        archive: Archive,
        analyzer: Analyzer,
        queries: Iterable[str],
        on_page: OnPage = lambda done, total: None,
        pdf: bool = False,
    ) -> None:
        self._archive = archive
        self._analyzer = analyzer
        self._on_page = on_page
        self._pdf = pdf
        self._terms = np.unique(np.concatenate([analyzer.bag(text).ids for text in queries]))
        self._urls: list[str] = []
        self._index: PageIndex | None = None

    def search(self, query: str, count: int) -> list[SearchResult]:
        """Return up to ``count`` pages that hold a word of the query, best first by BM25."""
        if self._index is None:
            self._index = self._indexed()
        terms = np.intersect1d(self._analyzer.bag(query).ids, self._terms)
        scores = self._index.scores(terms)
        order = np.argsort(-scores, kind="stable")[: max(0, count)]
        best = [self._urls[place] for place in order.tolist() if scores[place] > 0.0]
        found = (self._search_result(url, rank) for rank, url in enumerate(best, start=1))
        return [each for each in found if each is not None]

    def _indexed(self) -> PageIndex:
        """Read all pages of the archive once."""
        bags = []
        total = len(self._archive)
        for number, url in enumerate(self._archive.urls(), start=1):
            document = self._document(url)
            self._on_page(number, total)
            if document is not None:
                self._urls.append(url)
                bags.append(self._narrowed(self._analyzer.bag(document.full)))
        if not bags:
            raise SearchError(f"{self._archive.path} holds no page that can be read")
        return PageIndex(bags, self._terms)

    def _narrowed(self, bag: Bag) -> Bag:
        """Return the bag with the words of queries, and one more for all the others."""
        counts = occurrences(bag, self._terms)
        held = counts > 0
        others = int(bag.counts.sum() - counts.sum())
        ids = np.append(self._terms[held], _OTHER).astype(np.int32)
        return Bag(ids, np.append(counts[held], others).astype(np.int32))

    def _document(self, url: str) -> Document | None:
        """Return the text of an archived page; None where it is no page."""
        response = self._archive.fetch(url)
        page = None if response is None else page_in(response, self._pdf)
        return None if page is None else page.document

    def _search_result(self, url: str, rank: int) -> SearchResult | None:
        """Return a page as a search result."""
        # Read a second time: the texts of a large archive would not fit into memory.
        document = self._document(url)
        if document is None:
            return None
        snippet = document.description or document.text[:_SNIPPET]
        return search_result(url, ARCHIVE, document.title, snippet, rank)


SEARXNG = "searxng"

MAX_RESULT_PAGES = 10
"""Pages of results requested for a query."""

_JSON_OFF = "it gives no JSON; its settings.yml needs 'json' among the formats under 'search'"

_MEANING = {
    "status 401": "status 401; give --auth HOST=USER:PASSWORD",
    "status 429": "status 429, it has been asked too often; wait, or take another server",
}

_MAX_ENGINES = 5

_LONGEST_REASON = 60


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
        self._language = language
        self._gives_json = False

    def search(self, query: str, count: int) -> Iterator[SearchResult]:
        """Yield up to ``count`` results, as they come.

        SearchError where the server is down, asks for a pause, or gives no JSON.
        """
        seen: set[str] = set()
        for number in range(1, MAX_RESULT_PAGES + 1):
            before = len(seen)
            for each in self._page(query, number, before):
                if each.url not in seen and len(seen) < count:
                    seen.add(each.url)
                    yield each
            # A page without new results is the last one: engines may repeat it for every number.
            if len(seen) >= count or len(seen) == before:
                return

    def _page(self, query: str, number: int, before: int) -> Iterator[SearchResult]:
        """Yield the results of one page of results."""
        parameters = {"q": query, "format": "json", "pageno": str(number)}
        if self._language:
            parameters["language"] = self._language
        for rank, result in enumerate(self._results(parameters, number), start=before + 1):
            found = search_result(
                result.get("url"), SEARXNG, result.get("title"), result.get("content"), rank,
                result.get("publishedDate"),
            )  # fmt: skip
            if found is not None:
                yield found

    def _results(self, parameters: Mapping[str, str], number: int) -> list[dict[str, object]]:
        """Fetch one page of results, as the server returns it."""
        answer = self._call(f"{self._search}?{urlencode(parameters)}")
        if isinstance(answer, FetchFailure):
            # SearXNG answers 403 to a format that is switched off. A server that has given JSON
            # before means something else by it.
            off = answer.reason == "status 403" and not self._gives_json
            raise self._error(_JSON_OFF if off else _MEANING.get(answer.reason, answer.reason))
        parsed = self._parsed(answer)
        results = parsed.get("results")
        if not isinstance(results, list):
            raise self._error("its answer has no results in it")
        self._gives_json = True
        silent = _silent_engines(parsed)
        if not results and number == 1 and silent:
            raise self._error(f"its engines do not answer: {silent}")
        return [result for result in results if isinstance(result, dict)]

    def _parsed(self, answer: FetchedUrl) -> dict[str, object]:
        """Parse the JSON of a response; HTML instead means that JSON is switched off."""
        try:
            parsed = json.loads(answer.body)
        except (ValueError, RecursionError):
            is_page = answer.body.lstrip()[:1] == b"<"
            raise self._error(_JSON_OFF if is_page else "its answer is no JSON") from None
        return parsed if isinstance(parsed, dict) else {}

    def _error(self, reason: str) -> SearchError:
        return SearchError(f"SearXNG at {self._search} cannot be asked: {reason}")


def server_address(server: str) -> str:
    """Return the canonical address of a server, with ``/`` at the end."""
    try:
        address = canonical(server).partition("?")[0]
    except MalformedUrlError as error:
        raise SettingsError(
            f"--searxng: {error}; give the address of a server, such as https://searx.example.org."
        ) from None
    return address.removesuffix("/").removesuffix("/search") + "/"


def _silent_engines(answer: Mapping[str, object]) -> str:
    """Return the engines that did not respond to the server, with the reasons it gives."""
    listed = answer.get("unresponsive_engines")
    engines = []
    for each in listed[:_MAX_ENGINES] if isinstance(listed, list) else ():
        words = [part for part in each if isinstance(part, str)] if isinstance(each, list) else []
        if words:
            reason = f" ({words[1][:_LONGEST_REASON]})" if len(words) > 1 else ""
            engines.append(f"{words[0][:_LONGEST_REASON]}{reason}")
    return ", ".join(engines)


GROUP = "scenthound.search"


@dataclass(frozen=True, slots=True)
class Source:
    """A source of seeds.

    Parameters
    ----------
    name : what users call it.
    find : yields results. SearchError where it does not respond; results before that are kept.
    needs : the options that it needs, named as in :class:`SeedSearchOptions`.
    of_sites : does it search the sites of the topic's seeds?
    """

    name: str
    find: Callable[[SearchResources], Iterable[SearchResult]]
    needs: tuple[str, ...] = ()
    of_sites: bool = False


def provider_source(provider: SearchProvider) -> Source:
    """Return a search provider as a source: the queries of the topic are sent to it."""
    name = str(getattr(provider, "name", "") or type(provider).__name__)

    def find(resources: SearchResources) -> Iterable[SearchResult]:
        return search_queries(
            provider, name, resources.queries, resources.order.count, resources.on_progress
        )

    return Source(name, find)


def _searxng(resources: SearchResources) -> Iterable[SearchResult]:
    """Search a SearXNG server."""
    assert resources.order.searxng is not None
    address = server_address(resources.order.searxng)
    call = resources.service(address).call
    provider = Searxng(address, call, resources.order.topic.language)
    return provider_source(provider).find(resources)


def _archive(resources: SearchResources) -> Iterable[SearchResult]:
    """Search an archive."""
    assert resources.archive is not None
    provider = ArchiveSearch(
        resources.archive, resources.analyzer, resources.queries, resources.on_page,
        resources.order.options.pdf,
    )  # fmt: skip
    return provider_source(provider).find(resources)


SOURCES = Registry(
    "source",
    (
        Source(
            SITEMAPS, lambda r: Sitemaps(r.fetcher, r.sites, r.on_progress).find(), of_sites=True
        ),
        Source(FEEDS, lambda r: Feeds(r.fetcher, r.sites, r.on_progress).find(), of_sites=True),
        Source(SEARXNG, _searxng, needs=("searxng",)),
        Source(ARCHIVE, _archive, needs=("archive",)),
    ),
)


def source(name: str) -> Source:
    """Return the source of this name, one of ours or of an installed package."""
    if name in SOURCES:
        return SOURCES[name]
    added = installed_entry_points(GROUP)
    if name not in added:
        raise UnknownNameError("source", name, [*SOURCES, *added])
    entry_point = added[name][0]

    def find(resources: SearchResources) -> Iterable[SearchResult]:
        try:  # an installed package may fail in any way; the other sources go on
            provider: SearchProvider = entry_point.load()(resources.order.topic)
        except Exception as error:
            raise SearchError(f"the source {name} does not start: {error}") from error
        return provider_source(provider).find(resources)

    return Source(name, find)


def default_sources(topic: Topic, searxng: object, archive: object) -> tuple[str, ...]:
    """Return sitemaps and feeds where the topic has seeds, and providers with an address."""
    sites = (SITEMAPS, FEEDS) if topic.seeds else ()
    given = {SEARXNG: searxng, ARCHIVE: archive}
    return (*sites, *(name for name, value in given.items() if value is not None))


def check_sources(order: SeedSearchOptions, others: int = 0) -> Sequence[Source]:
    """Return the sources of a search; ``others`` is the number of providers besides.

    SettingsError where a source needs an option that is not given, a server is given that no source
    uses, or there is no source at all.
    """
    chosen = [source(name) for name in dict.fromkeys(order.sources)]
    for each in chosen:
        for need in each.needs:
            if getattr(order, need) is None:
                raise SettingsError(f"the source {each.name} needs --{need}; give it.")
        if each.of_sites and not order.topic.seeds:
            raise SettingsError(
                f"{order.topic} has no seeds, so the source {each.name} has no site to look at; "
                "give seeds, or another source."
            )
    if not chosen and not others:
        raise SettingsError(
            f"there is nowhere to look: {order.topic} has no seeds; give --searxng or --archive."
        )
    if order.searxng is not None:
        server_address(order.searxng)
    for name in (SEARXNG, ARCHIVE):
        if getattr(order, name) is not None and name not in order.sources:
            raise SettingsError(f"--{name} is given, but {name} is not among the sources; add it.")
    return chosen
