"""Explains why a page of a stored crawl was fetched, and why another URL was not.

``explain`` and ``explain_all`` are for callers. The ``Explainer`` asks three sources, the cheapest
first: journal and frontier (``known_urls``), then the rules of the scope, then all stored pages,
which are searched for links (``link_search``) only where nothing else knows the URL.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from scenthound.core.errors import ArchiveError, InputError, SettingsError
from scenthound.crawler.argument_checks import check_number
from scenthound.frontier.politeness import NO_LIMITS
from scenthound.frontier.sqlite_reader import DEALT_WITH, WAITING, FrontierReader
from scenthound.output.explain.explanation import (
    FORBIDDEN,
    MISSING,
    NOT_KEPT,
    NOT_QUEUED,
    OTHER_NAME,
    UNKNOWN,
    Explanation,
    describe_reason,
)
from scenthound.output.explain.journal_search import JournalSearch, UrlQuery, parse_query
from scenthound.output.explain.known_urls import KnownUrls
from scenthound.output.explain.link_search import (
    LinkSearchResult,
    OnPage,
    StoredRules,
    describe_linked,
    describe_unlinked,
    options_of,
    search_links,
)
from scenthound.output.explain.page_relevance import RelevanceExplainer
from scenthound.output.explain.url_priority import strategy_spec
from scenthound.storage.folder import WORKER, Folders, folder_paths
from scenthound.storage.stored_crawl import ArchiveBodies, StoredCrawl, open_whole_crawl

OnInvalid = Callable[[InputError], None]
"""Called with the error of each URL that cannot be explained."""


def _raise(error: InputError) -> None:
    raise error


_PERHAPS = "the crawl does not know it; perhaps another spelling was meant"
_OTHER_WORKERS = (
    "other workers of the crawl may know it: explain the folder that holds those of all"
)
_MISSING = "not in the archive: a link to it is answered as missing, at no cost"


class Explainer:
    """Explains URLs of one stored crawl.

    Parameters
    ----------
    stored : the crawl, finished or running.
    terms : how many terms of a similarity are listed one by one.
    now : the time in seconds since 1970, as live crawls have it.
    on_page : called for every stored page that is searched for links.
    """

    def __init__(
        self, stored: StoredCrawl, *, terms: int, now: float, on_page: OnPage | None = None
    ) -> None:
        self._stored = stored
        self._running = stored.is_live and stored.is_running
        self._on_page = on_page
        self._rules = StoredRules(stored, datetime.fromtimestamp(now, UTC).year)
        self._relevance = RelevanceExplainer(stored, terms)
        self._frontier: FrontierReader | None = None
        if stored.frontier is not None:
            politeness = options_of(stored).politeness() if stored.is_live else NO_LIMITS
            self._frontier = FrontierReader(stored.frontier, politeness, now)

    def explain(self, asked: Sequence[UrlQuery], on_bad: OnInvalid = _raise) -> list[Explanation]:
        """One explanation for each; none for none, and for a number that no page has."""
        with _moment(self._stored.frontier or self._stored.database):
            wanted = [self._cleaned(each) for each in asked]
            journal = self._read_journal(wanted)
            spec = strategy_spec(self._stored.strategy, self._stored.settings.get("inlinks"))
            known = KnownUrls(journal, self._frontier, spec, self._relevance, self._running)
            there = [each for each in wanted if self._check_exists(each, journal, on_bad)]
            found = [self._from_record(each, known) for each in there]
        # Of these nothing but the stored pages may say more.
        lost = frozenset(
            each.url
            for each in found
            if each.state == DEALT_WITH or (each.state == UNKNOWN and not each.near)
        )
        if not lost:
            return found
        links = search_links(self._stored, self._rules, lost, journal.last, self._on_page)
        return [self._from_pages(each, links) if each.url in lost else each for each in found]

    def _cleaned(self, asked: UrlQuery) -> UrlQuery:
        """With the URLs as the crawl queues them: without session ids."""
        return replace(asked, spellings=tuple(map(self._rules.scope.clean, asked.spellings)))

    def _read_journal(self, wanted: Sequence[UrlQuery]) -> JournalSearch:
        """What the journal says, the pages that link to what waits included."""
        urls = [url for each in wanted for url in (*each.spellings, *each.twins)]
        found = [] if self._frontier is None else map(self._frontier.candidate, urls)
        sources = [[each.source for each in one.inlinks] for one in found if one is not None]
        journal = JournalSearch(
            urls,
            (each.number for each in wanted if each.number is not None),
            on_way=(numbers[0] for numbers in sources if numbers),
            named=(number for numbers in sources for number in numbers),
        )
        if urls:
            journal.read(self._stored.events_backwards())
            return journal
        with self._stored.places() as places:  # by their numbers pages are found at once
            journal.read_numbered(places)
            journal.read(places.events_backward("revised"))
        return journal

    def _from_record(self, asked: UrlQuery, known: KnownUrls) -> Explanation:
        """What frontier, journal and rules say."""
        if asked.number is not None:
            return known.fetched(asked.text, known.journal.pages[asked.number].url)
        for url in asked.spellings:
            found = known.explained(asked.text, url)
            if found is not None and found.state == WAITING and self._archive_lacks(url):
                return replace(found, state=MISSING, verdict=_MISSING)
            if found is not None:
                return found
        return self._never_seen(asked, known)

    def _check_exists(self, asked: UrlQuery, journal: JournalSearch, on_bad: OnInvalid) -> bool:
        """Is it a URL, or the number of a page?"""
        if asked.number is None or asked.number in journal.pages:
            return True
        numbers = f"its pages are numbered from 1 to {journal.last:,}"
        there = numbers if journal.last else "it has fetched none so far"
        folder = self._stored.folder.path
        on_bad(SettingsError(f"the crawl in {folder} has no page {asked.number:,}; {there}."))
        return False

    def _never_seen(self, asked: UrlQuery, known: KnownUrls) -> Explanation:
        url, journal = asked.spellings[0], known.journal
        twins = (twin for twin in asked.twins if known.explained("", twin) is not None)
        near = tuple(dict.fromkeys((*twins, *journal.same_path)))
        state, verdict = UNKNOWN, _PERHAPS
        rule = self._rules.forbids(url)
        if rule is not None:
            state, verdict = FORBIDDEN, f"never queued, as a link to it is not followed: {rule}"
        elif url in journal.dropped_on:
            number, reason = journal.dropped_on[url][-1]
            why = f"the link was not queued: {describe_reason(reason)}"
            state, verdict = NOT_QUEUED, f"page {number:,} links to it, and {why}"
        elif not near and self._archive_lacks(url):
            state, verdict = MISSING, _MISSING
        return Explanation(asked.text, url, state, verdict, near=near)

    def _archive_lacks(self, url: str) -> bool:
        bodies = self._stored.bodies
        try:
            return isinstance(bodies, ArchiveBodies) and url not in bodies.archive
        except ArchiveError:
            return False  # it is gone, so that this is not known

    def _from_pages(self, lost: Explanation, found: LinkSearchResult) -> Explanation:
        """With what the stored pages say."""
        links = tuple(found.links.get(lost.url, ()))
        lost = replace(lost, searched=found.searched, unread=found.unread, found_on=links)
        if lost.state == DEALT_WITH:
            name = found.names.get(lost.url)
            if name is None:
                return lost
            verdict = f"not fetched: page {name.n:,}, {name.url}, says that this is its own address"
            return replace(lost, state=OTHER_NAME, verdict=verdict)
        state, verdict = lost.state, describe_unlinked(found.cut, found.unread)
        if links:
            is_live, keeps = self._stored.is_live, self._stored.frontier is not None
            refused = (is_live and keeps) or any(each.reason for each in links)
            state = NOT_QUEUED if refused else NOT_KEPT
            verdict = describe_linked(links, is_live, keeps)
        if WORKER in self._stored.settings:
            verdict = f"{verdict}; {_OTHER_WORKERS}"
        return replace(lost, state=state, verdict=verdict)


@contextmanager
def _moment(database: sqlite3.Connection | None) -> Iterator[None]:
    """All that is read belongs to one commit of a crawl that runs on; nothing without one."""
    if database is None:
        yield
        return
    database.execute("BEGIN")
    try:
        yield
    finally:
        database.execute("ROLLBACK")


# Explanations from Python: why a page was fetched, and why another one was not.


TERMS = 10


def explain(
    folder: Folders, url: str | int, *, terms: int = TERMS, on_page: OnPage | None = None
) -> Explanation:
    """Why a page of a crawl was fetched and is relevant or not; why a URL was not fetched.

    Parameters
    ----------
    folder : of a crawl or a replay; the crawl may be running. Of a crawl of several workers one
        folder of them, the one that holds them, or a list of them.
    url : a URL, with or without its scheme, or the number of a page.
    terms : how many of the terms that made a page similar are reported one by one.
    on_page : called with how many stored pages were searched, and of how many, for links to a URL
        that the crawl does not know.

    Raises
    ------
    FolderError
        There is no crawl in the folder, or it cannot be read.
    SettingsError
        It is no URL, or there is no page of that number.
    """
    (only,) = explain_all(folder, [url], terms=terms, on_page=on_page)
    return only


def explain_all(
    folder: Folders,
    what: Sequence[str | int],
    *,
    terms: int = TERMS,
    on_page: OnPage | None = None,
    on_bad: OnInvalid = _raise,
) -> list[Explanation]:
    """Several explanations, for one reading of the journal; see :func:`explain`.

    ``on_bad`` gets the error for what is no URL and no page, which is then left out; by default it
    is raised.
    """
    folders = folder_paths("folder", folder)
    if isinstance(what, str | bytes | int):
        raise SettingsError(f"what takes a list of URLs and page numbers, not {what!r}.")
    check_number("terms", terms, whole=True)
    if not isinstance(terms, int) or terms < 0:
        raise SettingsError(f"{terms} terms cannot be shown; give 0 or more.")
    wanted = []
    for each in what:
        try:
            wanted.append(parse_query(each))
        except SettingsError as error:
            on_bad(error)
    with open_whole_crawl(folders) as stored:
        explainer = Explainer(stored, terms=terms, now=time.time(), on_page=on_page)
        return explainer.explain(wanted, on_bad)
