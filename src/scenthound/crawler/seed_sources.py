"""Where to look for seeds, by name. An entry point of the group ``scenthound.search`` adds a
search provider of its name: a function that takes the topic and gives a
:class:`~scenthound.crawler.seed_search.SearchProvider`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.core.registry import Registry, installed_entry_points
from scenthound.crawler.feeds import FEEDS, Feeds
from scenthound.crawler.search_providers import (
    ARCHIVE,
    SEARXNG,
    ArchiveSearch,
    Searxng,
    search_queries,
    server_address,
)
from scenthound.crawler.seed_search import (
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
)
from scenthound.crawler.sitemaps import SITEMAPS, Sitemaps

GROUP = "scenthound.search"


@dataclass(frozen=True, slots=True)
class Source:
    """A source of seeds.

    Parameters
    ----------
    name : what users call it.
    find : its results, as they are found. Raises SearchError where it does not respond; results
        before that are kept.
    needs : the options that it needs, named as in :class:`SeedSearchOptions`.
    of_sites : does it search the sites of the topic's seeds?
    """

    name: str
    find: Callable[[SearchResources], Iterable[SearchResult]]
    needs: tuple[str, ...] = ()
    of_sites: bool = False


def provider_source(provider: SearchProvider) -> Source:
    """A search provider as a source: the queries of the topic are put to it."""
    name = str(getattr(provider, "name", "") or type(provider).__name__)

    def find(resources: SearchResources) -> Iterable[SearchResult]:
        return search_queries(
            provider, name, resources.queries, resources.order.count, resources.reporter
        )

    return Source(name, find)


def _searxng(resources: SearchResources) -> Iterable[SearchResult]:
    assert resources.order.searxng is not None
    address = server_address(resources.order.searxng)
    call = resources.service(address).call
    provider = Searxng(address, call, resources.order.topic.language)
    return provider_source(provider).find(resources)


def _archive(resources: SearchResources) -> Iterable[SearchResult]:
    assert resources.archive is not None
    provider = ArchiveSearch(
        resources.archive, resources.analyzer, resources.queries, resources.on_page,
        resources.order.options.pdf,
    )  # fmt: skip
    return provider_source(provider).find(resources)


SOURCES = Registry(
    "source",
    (
        Source(SITEMAPS, lambda r: Sitemaps(r.fetcher, r.sites, r.reporter).find(), of_sites=True),
        Source(FEEDS, lambda r: Feeds(r.fetcher, r.sites, r.reporter).find(), of_sites=True),
        Source(SEARXNG, _searxng, needs=("searxng",)),
        Source(ARCHIVE, _archive, needs=("archive",)),
    ),
)


def source(name: str) -> Source:
    """The source of this name, one of ours or of an installed package.

    UnknownNameError where there is none.
    """
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
    """Sitemaps and feeds where the topic has seeds, and the providers that have an address."""
    sites = (SITEMAPS, FEEDS) if topic.seeds else ()
    given = {SEARXNG: searxng, ARCHIVE: archive}
    return (*sites, *(name for name, value in given.items() if value is not None))


def check_sources(order: SeedSearchOptions, others: int = 0) -> Sequence[Source]:
    """The sources of a search, if all that they need is there.

    ``others`` is the number of providers besides.

    Raises
    ------
    SettingsError
        A source needs an option that is not given, a server is given that no source uses, or there
        is no source at all.
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
