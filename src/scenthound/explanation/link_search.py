"""Looks through the stored pages for links to URLs that the crawl does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from scenthound.core.crawl import HOST_SPENT, TOO_FAR
from scenthound.core.errors import InputError
from scenthound.core.model import Link, Page
from scenthound.core.scope import DropCount, Scope
from scenthound.core.sightings import NOT_A_NUMBER
from scenthound.corpus.record import PageRecord, page_record
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.explanation.journal_search import links_told
from scenthound.explanation.meanings import reason_told
from scenthound.explanation.model import LinkFound
from scenthound.explanation.rules import StoredRules

ENOUGH = 3
"""Links to a URL after which no more are looked for."""
QUEUED = ""
"""The reason of a link that no rule kept from being queued."""
TOO_MANY = "too many links"
_ANCHOR_KEPT = 200
_AFTER_THE_RULES = (HOST_SPENT, "no steps left", NOT_A_NUMBER)

OnPage = Callable[[int, int], None]
"""Told how many pages were looked through, and of how many."""


@dataclass
class LinksFound:
    """What was found: links by URL, and the pages that call a URL their own name.

    ``cut`` counts the pages that have more links than are read, ``unread`` those that are gone or
    damaged.
    """

    searched: int = 0
    cut: int = 0
    unread: int = 0
    links: dict[str, list[LinkFound]] = field(default_factory=dict)
    names: dict[str, PageRecord] = field(default_factory=dict)

    def is_enough(self, urls: Iterable[str]) -> bool:
        """Is there nothing left to look for?"""
        return all(url in self.names or len(self.links.get(url, ())) >= ENOUGH for url in urls)


def search_links(
    stored: StoredCrawl,
    rules: StoredRules,
    urls: frozenset[str],
    pages: int,
    on_page: OnPage | None,
) -> LinksFound:
    """Read the stored pages, the first one first, until enough links to each URL are found.

    Parameters
    ----------
    stored : the crawl.
    rules : its rules.
    urls : canonical URLs to look for; without any nothing is read.
    pages : how many pages there are.
    on_page : told of every page.
    """
    found = LinksFound()
    for event in stored.events():
        if found.is_enough(urls):
            break
        if event.get("event") != "page":
            continue
        record = page_record(event)
        page = _page(stored, record, found) if 200 <= record.status < 300 else None
        if page is not None:
            found.cut += TOO_MANY in page.unusable
            _look(found, record, page, links_told(event).dropped, rules, urls)
        found.searched += 1
        if on_page is not None:
            on_page(found.searched, pages)
    return found


def _page(stored: StoredCrawl, record: PageRecord, found: LinksFound) -> Page | None:
    """The page as the crawl read it; None where it was not kept, or cannot be read any more."""
    try:
        return stored.bodies.page(record)
    except InputError:
        found.unread += 1
        return None


def _look(
    found: LinksFound,
    record: PageRecord,
    page: Page,
    dropped: Mapping[str, int],
    rules: StoredRules,
    urls: frozenset[str],
) -> None:
    if page.canonical in urls:
        found.names.setdefault(page.canonical, record)
    seen: set[str] = set()
    for link in page.links:
        url = rules.clean(link.url)
        if url in urls and url not in seen:
            seen.add(url)
            reason = _reason(record, page, link, dropped, rules)
            told = LinkFound(record.n, record.url, link.anchor[:_ANCHOR_KEPT], reason)
            found.links.setdefault(url, []).append(told)


def _reason(
    record: PageRecord, page: Page, link: Link, dropped: Mapping[str, int], rules: StoredRules
) -> str:
    """Why the link was not queued; :data:`QUEUED` where nothing is known against it."""
    refused = _refusal(replace(page, links=(link,), copy_of=record.copy_of), rules.scope)
    if refused is not None:
        return reason_told(refused)
    if rules.max_depth is not None and record.depth >= rules.max_depth:
        return reason_told(TOO_FAR)
    after = next((reason for reason in _AFTER_THE_RULES if reason in dropped), None)
    return QUEUED if after is None else reason_told(after)


def _refusal(page: Page, scope: Scope) -> str | None:
    drops = DropCount({})
    scope.follow(page, drops)
    return next(iter(drops.total().counts), None)
