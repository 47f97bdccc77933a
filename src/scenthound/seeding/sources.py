"""The places to look, by name.

Others can be added without a line here: a package that declares an entry point of the group
``scenthound.search`` adds a search provider of that entry point's name. It names a function that
takes the :class:`~scenthound.core.model.Topic` and gives a
:class:`~scenthound.seeding.found.SearchProvider`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint

from scenthound.core.entry_points import installed
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.core.registry import Registry
from scenthound.seeding import archive_search, feeds, searxng, sitemaps
from scenthound.seeding.archive_search import ArchiveSearch
from scenthound.seeding.feeds import Feeds
from scenthound.seeding.found import Finder, SearchError, SearchProvider
from scenthound.seeding.means import Means
from scenthound.seeding.order import Order
from scenthound.seeding.searching import Searching
from scenthound.seeding.searxng import Searxng, server_address
from scenthound.seeding.sitemaps import Sitemaps

GROUP = "scenthound.search"


@dataclass(frozen=True, slots=True)
class Source:
    """A place to look.

    Parameters
    ----------
    name : what users call it.
    make : the finder, for one order.
    needs : the options without which it is nothing, named as in an order.
    of_sites : does it look at the sites of the topic's seeds?
    """

    name: str
    make: Callable[[Means], Finder]
    needs: tuple[str, ...] = ()
    of_sites: bool = False


def _sitemaps(means: Means) -> Finder:
    return Sitemaps(means.errands, means.sites, means.teller)


def _feeds(means: Means) -> Finder:
    return Feeds(means.errands, means.sites, means.teller)


def _searxng(means: Means) -> Finder:
    assert means.order.searxng is not None
    address = server_address(means.order.searxng)
    call = means.service(address).call
    return searching(Searxng(address, call, means.order.topic.language), means)


def _archive(means: Means) -> Finder:
    assert means.archive is not None
    asked = means.queries
    pdf = means.order.options.pdf
    provider = ArchiveSearch(means.archive, means.analyzer, asked, means.on_page, pdf)
    return searching(provider, means)


SOURCES = Registry(
    "source",
    (
        Source(sitemaps.NAME, _sitemaps, of_sites=True),
        Source(feeds.NAME, _feeds, of_sites=True),
        Source(searxng.NAME, _searxng, needs=("searxng",)),
        Source(archive_search.NAME, _archive, needs=("archive",)),
    ),
)


def searching(provider: SearchProvider, means: Means) -> Finder:
    """The finder that puts the topic's queries to a provider."""
    return Searching(provider, means.queries, means.order.count, means.teller)


def source(name: str) -> Source:
    """The source of this name, one of ours or of an installed package.

    UnknownNameError where there is none.
    """
    if name in SOURCES:
        return SOURCES[name]
    added = installed(GROUP)
    if name not in added:
        raise UnknownNameError("source", name, [*SOURCES, *added])
    first = added[name][0]
    return Source(name, lambda means: searching(_provider(first, means), means))


def default_sources(topic: Topic, searxng_server: object, archive: object) -> tuple[str, ...]:
    """Sitemaps and feeds where the topic has seeds, and the providers that are given an address."""
    sites = (sitemaps.NAME, feeds.NAME) if topic.seeds else ()
    given = {searxng.NAME: searxng_server, archive_search.NAME: archive}
    return (*sites, *(name for name, value in given.items() if value is not None))


def check(order: Order, others: int = 0) -> Sequence[Source]:
    """The sources of an order, if all that they need is there.

    ``others`` is the number of providers that are asked besides.

    Raises
    ------
    SettingsError
        A source needs what is not given, a server is given that no source asks, or there is no
        source at all.
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
    for name in (searxng.NAME, archive_search.NAME):
        if getattr(order, name) is not None and name not in order.sources:
            raise SettingsError(f"--{name} is given, but {name} is not among the sources; add it.")
    return chosen


def _provider(entry_point: EntryPoint, means: Means) -> SearchProvider:
    """What somebody else wrote may fail in any way; the other sources go on."""
    try:
        made: SearchProvider = entry_point.load()(means.order.topic)
    except Exception as error:
        raise SearchError(f"the source {entry_point.name} does not start: {error}") from error
    return made
