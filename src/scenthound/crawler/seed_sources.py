"""Where to look for seeds, by name: sitemaps and feeds, a SearXNG server, an archive, and installed
search providers. An entry point of the group ``scenthound.search`` adds a provider of its name: a
function that takes the topic and returns a
:class:`~scenthound.crawler.seed_search.SearchProvider`.

Providers get the topic as queries; sitemaps and feeds look at the sites of its seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from scenthound.core.errors import InputError, SettingsError, UnknownNameError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.registry import Registry, installed_entry_points
from scenthound.crawler.archive_search import ARCHIVE, ArchiveSearch
from scenthound.crawler.feeds import FEEDS, Feeds
from scenthound.crawler.searxng import SEARXNG, Searxng, server_address
from scenthound.crawler.seed_search import (
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
    checked_result,
)
from scenthound.crawler.sitemaps import SITEMAPS, Sitemaps
from scenthound.similarity.topic_senses import topic_terms
from scenthound.text.analyzer import Analyzer

MAX_QUERIES = 10

LONGEST_QUERY = 200

_TERMS = 5


def queries_of(profile: TopicProfile, analyzer: Analyzer) -> tuple[str, ...]:
    """Return all keywords together and each by itself, or else the topic's heaviest terms."""
    words = [word.strip() for word in profile.keywords if len(analyzer.bag(word))]
    if not words:
        return tuple(filter(None, [" ".join(topic_terms(profile, analyzer, _TERMS))]))
    together = _cut(" ".join(words))
    return tuple(dict.fromkeys([together, *map(_cut, words)]))[:MAX_QUERIES]


def _cut(query: str) -> str:
    """Cut a query, between two words, to a length that no server refuses."""
    if len(query) <= LONGEST_QUERY:
        return query
    return query[: LONGEST_QUERY + 1].rpartition(" ")[0] or query[:LONGEST_QUERY]


MAX_FAILURES = 3
"""A provider is given up after so many queries in a row that fail."""

_LONGEST_ERROR = 200


def search_queries(
    provider: SearchProvider, name: str, resources: SearchResources
) -> Iterator[SearchResult]:
    """Yield the results of each query; one that fails does not end the others.

    The provider may be an installed one: whatever it raises is a query that failed, and its
    results are checked. SearchError at the end, where some queries failed.
    """
    failures: list[str] = []
    in_a_row = sent = unusable = 0
    for query in resources.queries:
        sent += 1
        resources.on_progress(f"asking {name} for {query}")
        try:
            for given in _results(provider, name, query, resources.search.count):
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
    return Source(name, lambda resources: search_queries(provider, name, resources))


def _searxng(resources: SearchResources) -> Iterable[SearchResult]:
    """Search a SearXNG server."""
    assert resources.search.searxng is not None
    address = server_address(resources.search.searxng)
    call = resources.service(address).call
    provider = Searxng(address, call, resources.search.topic.language)
    return provider_source(provider).find(resources)


def _archive(resources: SearchResources) -> Iterable[SearchResult]:
    """Search an archive."""
    assert resources.archive is not None
    provider = ArchiveSearch(
        resources.archive, resources.analyzer, resources.queries, resources.on_progress,
        resources.search.options.pdf,
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
            provider: SearchProvider = entry_point.load()(resources.search.topic)
        except Exception as error:
            raise SearchError(f"the source {name} does not start: {error}") from error
        return provider_source(provider).find(resources)

    return Source(name, find)


def default_sources(topic: Topic, searxng: object, archive: object) -> tuple[str, ...]:
    """Return sitemaps and feeds where the topic has seeds, and providers with an address."""
    sites = (SITEMAPS, FEEDS) if topic.seeds else ()
    given = {SEARXNG: searxng, ARCHIVE: archive}
    return (*sites, *(name for name, value in given.items() if value is not None))


def check_sources(search: SeedSearchOptions, others: int = 0) -> Sequence[Source]:
    """Return the sources of a search; ``others`` is the number of providers besides.

    SettingsError where a source needs an option that is not given, a server is given that no source
    uses, or there is no source at all.
    """
    chosen = [source(name) for name in dict.fromkeys(search.sources)]
    for each in chosen:
        for need in each.needs:
            if getattr(search, need) is None:
                raise SettingsError(f"the source {each.name} needs --{need}; give it.")
        if each.of_sites and not search.topic.seeds:
            raise SettingsError(
                f"{search.topic} has no seeds, so the source {each.name} has no site to look at; "
                "give seeds, or another source."
            )
    if not chosen and not others:
        raise SettingsError(
            f"there is nowhere to look: {search.topic} has no seeds; give --searxng or --archive."
        )
    if search.searxng is not None:
        server_address(search.searxng)
    for name in (SEARXNG, ARCHIVE):
        if getattr(search, name) is not None and name not in search.sources:
            raise SettingsError(f"--{name} is given, but {name} is not among the sources; add it.")
    return chosen
