"""Looks through the stored pages for links to a URL, and says which rule keeps the crawl from
following them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from scenthound.core.crawl_loop import HOST_BUDGET_EXHAUSTED, NOT_A_NUMBER, TOO_FAR
from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import Link, Page
from scenthound.core.scope import DropCount, LiveLinkRules, Scope, UrlRules, is_dated
from scenthound.core.urls import is_media, rejection_reason
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import bounds_of
from scenthound.output.explain.explanation import LinkOccurrence, describe_reason
from scenthound.output.explain.journal_search import link_counts
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl, page_record

_NEEDED = (
    "delay", "per_host", "pages_per_host", "host_share", "max_depth", "allow_private",
    "allow_host", "deny_host", "include", "exclude", "stay",
)  # fmt: skip
"""The options that say where a URL stands. Others may name files that are gone by now."""


def options_of(stored: StoredCrawl) -> CrawlOptions:
    """How a live crawl chose and treated hosts; FolderError where that cannot be read."""
    kept = {name: value for name, value in stored.settings.items() if name in _NEEDED}
    try:
        return CrawlOptions.from_json(kept)
    except (InputError, TypeError) as error:
        raise FolderError(f"{stored.folder.spec_path} is damaged: {error}") from None


class StoredRules:
    """The rules of a stored crawl.

    Parameters
    ----------
    stored : the crawl.
    year : the present one; calendars far from it are traps.
    """

    def __init__(self, stored: StoredCrawl, year: int) -> None:
        self._stored = stored
        self.max_depth: int | None = None
        self._live: LiveLinkRules | None = None
        bounds = UrlRules(exclude=stored.topic.exclude)
        if stored.is_live:
            options = options_of(stored)
            rejection = None if options.allow_private else rejection_reason
            self._live = LiveLinkRules(year, rejection)
            self.max_depth = options.max_depth
            bounds = bounds_of(stored.topic, options)
        self.scope = Scope(bounds, self._live)

    def forbids(self, url: str) -> str | None:
        """The rule that keeps a link to the URL from being followed, in words; None for none."""
        violation = self.scope.violation(url)
        if violation is not None:
            return f"{violation.reason} ({violation.rule})"
        if self._live is not None and is_dated(url):
            # How many dates of each calendar the crawl had seen, where that is known.
            with suppress(FolderError):
                counts = self._stored.folder.load_state().get("rules")
                if isinstance(counts, dict):
                    self._live.restore(counts)
        reason = "media" if is_media(url) else self.scope.refusal(url)
        return None if reason is None else describe_reason(reason)


# The search through the stored pages.

ENOUGH = 3
"""Links to a URL after which no more are looked for."""
QUEUED = ""
"""The reason of a link that no rule kept from being queued."""
TOO_MANY = "too many links"
_ANCHOR_KEPT = 200
_AFTER_THE_RULES = (HOST_BUDGET_EXHAUSTED, "no steps left", NOT_A_NUMBER)
OnPage = Callable[[int, int], None]
"""Called with how many pages were searched, and of how many."""


@dataclass
class LinkSearchResult:
    """What was found: links by URL, and the pages that call a URL their own name.

    ``cut`` counts the pages that have more links than are read, ``unread`` those that are gone or
    damaged.
    """

    searched: int = 0
    cut: int = 0
    unread: int = 0
    links: dict[str, list[LinkOccurrence]] = field(default_factory=dict)
    names: dict[str, PageRecord] = field(default_factory=dict)


def search_links(
    stored: StoredCrawl,
    rules: StoredRules,
    urls: frozenset[str],
    pages: int,
    on_page: OnPage | None,
) -> LinkSearchResult:
    """Read the stored pages, the first one first, until enough links to each URL are found.

    Parameters
    ----------
    stored : the crawl.
    rules : its rules.
    urls : canonical URLs to look for; without any nothing is read.
    pages : how many pages there are.
    on_page : called for every page.
    """
    found = LinkSearchResult()
    for event in stored.events():
        if all(url in found.names or len(found.links.get(url, ())) >= ENOUGH for url in urls):
            break  # nothing is left to look for
        if event.get("event") != "page":
            continue
        record = page_record(event)
        page = None
        try:
            page = stored.bodies.page(record) if 200 <= record.status < 300 else None
        except InputError:
            found.unread += 1
        if page is not None:
            found.cut += TOO_MANY in page.unusable
            _look(found, record, page, link_counts(event).dropped, rules, urls)
        found.searched += 1
        if on_page is not None:
            on_page(found.searched, pages)
    return found


def _look(
    found: LinkSearchResult,
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
        url = rules.scope.clean(link.url)
        if url in urls and url not in seen:
            seen.add(url)
            reason = _reason(record, page, link, dropped, rules)
            match = LinkOccurrence(record.n, record.url, link.anchor[:_ANCHOR_KEPT], reason)
            found.links.setdefault(url, []).append(match)


def _reason(
    record: PageRecord, page: Page, link: Link, dropped: Mapping[str, int], rules: StoredRules
) -> str:
    """Why the link was not queued; :data:`QUEUED` where nothing is known against it."""
    drops = DropCount({})
    rules.scope.follow(replace(page, links=(link,), copy_of=record.copy_of), drops)
    refused = next(iter(drops.total().counts), None)
    if refused is not None:
        return describe_reason(refused)
    if rules.max_depth is not None and record.depth >= rules.max_depth:
        return describe_reason(TOO_FAR)
    after = next((reason for reason in _AFTER_THE_RULES if reason in dropped), None)
    return QUEUED if after is None else describe_reason(after)


# What was found, in a sentence.

_ON_A_SERVER = "what waited is on the server that the workers shared"


def describe_unlinked(cut: int, unread: int) -> str:
    """Of a URL that no stored page links to.

    ``cut`` of them have more links than are read, ``unread`` cannot be read any more.
    """
    limits = [f"{cut:,} of them with too many"] * bool(cut)
    limits += [f"{unread:,} of them cannot be read any more"] * bool(unread)
    but = f", as far as their links were read ({', '.join(limits)})" if limits else ""
    return f"no page fetched so far links to it{but}"


def describe_linked(
    found: Sequence[LinkOccurrence], is_live: bool, keeps_waiting: bool = True
) -> str:
    """Of a URL that the crawl does not have, and stored pages link to.

    Parameters
    ----------
    found : the links.
    is_live : was it a crawl of the live web?
    keeps_waiting : does the folder of such a crawl say what waits?
    """
    reason = next((each.reason for each in found if each.reason), "")
    page = f"page {found[0].page} links to it"
    if reason:
        return f"{page}, and the link was not queued: {reason}"
    if not is_live:
        return f"{page}; it was not fetched, and the replay has not kept what waited"
    if keeps_waiting:
        return f"{page}, and the journal does not say why it is not known"
    return f"{page}; it was not fetched, and {_ON_A_SERVER}"
