"""Puts an explanation together: frontier and journal, then the rules, then the stored pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from scenthound.core.errors import ArchiveError, InputError, SettingsError
from scenthound.corpus.bodies import ArchiveBodies
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.explanation import verdicts
from scenthound.explanation.asking import Asked
from scenthound.explanation.journal_search import JournalSearch
from scenthound.explanation.known import KnownUrls
from scenthound.explanation.link_search import LinksFound, OnPage, search_links
from scenthound.explanation.model import (
    FORBIDDEN,
    MISSING,
    NOT_KEPT,
    NOT_QUEUED,
    OTHER_NAME,
    UNKNOWN,
    Explanation,
)
from scenthound.explanation.priority import recipe_of
from scenthound.explanation.relevance import RelevanceReading
from scenthound.explanation.rules import StoredRules, options_of
from scenthound.frontier.manners import AS_FAST_AS_IT_GOES
from scenthound.frontier.sqlite_reading import DEALT_WITH, WAITING, FrontierReading
from scenthound.live.job import WORKER
from scenthound.store.journal_lines import Event

_PERHAPS = "the crawl does not know it; perhaps another spelling was meant"
_MISSING = "not in the archive: a link to it is answered as missing, at no cost"


class Explainer:
    """Explains URLs of one stored crawl.

    Parameters
    ----------
    stored : the crawl, finished or running.
    terms : how many terms of a similarity are told one by one.
    now : the time on the crawl's clock, in seconds since 1970.
    year : the present one.
    running : does a process crawl in the folder now?
    on_page : told of every stored page that is looked through for links.
    """

    def __init__(
        self,
        stored: StoredCrawl,
        *,
        terms: int,
        now: float,
        year: int,
        running: bool = False,
        on_page: OnPage | None = None,
    ) -> None:
        self._stored = stored
        self._running = running
        self._on_page = on_page
        self._rules = StoredRules(stored, year)
        self._relevance = RelevanceReading(stored, terms)
        self._frontier: FrontierReading | None = None
        if stored.frontier is not None:
            manners = options_of(stored).manners() if stored.is_live else AS_FAST_AS_IT_GOES
            self._frontier = FrontierReading(stored.frontier, manners, now)

    def explain(
        self, asked: Sequence[Asked], refuse: Callable[[InputError], None]
    ) -> list[Explanation]:
        """One explanation for each; none for none.

        ``refuse`` is told of every number that no page has; it is left out unless that raises.
        """
        with _moment(self._stored.frontier or self._stored.database):
            wanted = [self._cleaned(each) for each in asked]
            journal = self._read_journal(wanted)
            recipe = recipe_of(self._stored.strategy, self._stored.settings.get("inlinks"))
            known = KnownUrls(journal, self._frontier, recipe, self._relevance, self._running)
            there = [each for each in wanted if self._is_there(each, journal, refuse)]
            told = [self._from_record(each, known) for each in there]
        lost = frozenset(each.url for each in told if _is_lost(each))
        if not lost:
            return told
        found = search_links(self._stored, self._rules, lost, journal.last, self._on_page)
        return [self._from_pages(each, found) if each.url in lost else each for each in told]

    def _cleaned(self, asked: Asked) -> Asked:
        """With the URLs as the crawl queues them: without session ids."""
        return replace(asked, spellings=tuple(map(self._rules.clean, asked.spellings)))

    def _read_journal(self, wanted: Sequence[Asked]) -> JournalSearch:
        """What the journal says, the pages that link to what waits included."""
        urls = [url for each in wanted for url in each.urls]
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
        else:
            self._read_numbered(journal)
        return journal

    def _read_numbered(self, journal: JournalSearch) -> None:
        """Pages that are asked for by number are found without reading the whole journal."""
        with self._stored.places() as places:
            last = next(places.pages_backward(), None)

            def event_of(number: int) -> Event | None:
                found = places.page(number)
                return None if found is None else found.event

            journal.read_numbered(0 if last is None else last.number, event_of)
            journal.read(places.told_backward("revised"))

    def _from_record(self, asked: Asked, known: KnownUrls) -> Explanation:
        """What frontier, journal and rules say."""
        if asked.number is not None:
            return known.fetched(asked.text, known.journal.pages[asked.number].url)
        for url in asked.spellings:
            told = known.explained(asked.text, url)
            if told is not None and told.state == WAITING and self._archive_lacks(url):
                return replace(told, state=MISSING, verdict=_MISSING)
            if told is not None:
                return told
        return self._never_seen(asked, known)

    def _is_there(
        self, asked: Asked, journal: JournalSearch, refuse: Callable[[InputError], None]
    ) -> bool:
        """Is it a URL, or the number of a page?"""
        if asked.number is None or asked.number in journal.pages:
            return True
        numbers = f"its pages are numbered from 1 to {journal.last:,}"
        there = numbers if journal.last else "it has fetched none so far"
        folder = self._stored.folder.path
        refuse(SettingsError(f"the crawl in {folder} has no page {asked.number:,}; {there}."))
        return False

    def _never_seen(self, asked: Asked, known: KnownUrls) -> Explanation:
        url, journal = asked.spellings[0], known.journal
        twins = (twin for twin in asked.twins if known.explained("", twin) is not None)
        near = tuple(dict.fromkeys((*twins, *journal.same_path)))
        told = Explanation(asked.text, url, UNKNOWN, _PERHAPS, near=near)
        rule = self._rules.forbids(url)
        if rule is not None:
            verdict = f"never queued, as a link to it is not followed: {rule}"
            return replace(told, state=FORBIDDEN, verdict=verdict)
        if url in journal.dropped_on:
            verdict = verdicts.dropped(*journal.dropped_on[url][-1])
            return replace(told, state=NOT_QUEUED, verdict=verdict)
        if not near and self._archive_lacks(url):
            return replace(told, state=MISSING, verdict=_MISSING)
        return told

    def _archive_lacks(self, url: str) -> bool:
        bodies = self._stored.bodies
        try:
            return isinstance(bodies, ArchiveBodies) and url not in bodies.archive
        except ArchiveError:
            return False  # it is gone, so that this is not known

    def _from_pages(self, told: Explanation, found: LinksFound) -> Explanation:
        """With what the stored pages say."""
        links = tuple(found.links.get(told.url, ()))
        told = replace(told, searched=found.searched, unread=found.unread, found_on=links)
        if told.state == DEALT_WITH:
            name = found.names.get(told.url)
            if name is None:
                return told
            return replace(told, state=OTHER_NAME, verdict=verdicts.other_name(name.n, name.url))
        if not links:
            verdict = verdicts.unlinked(found.cut, found.unread)
            return replace(told, verdict=self._perhaps_of_others(verdict))
        is_live, keeps = self._stored.is_live, self._stored.frontier is not None
        refused = (is_live and keeps) or any(each.reason for each in links)
        verdict = self._perhaps_of_others(verdicts.linked(links, is_live, keeps))
        return replace(told, state=NOT_QUEUED if refused else NOT_KEPT, verdict=verdict)

    def _perhaps_of_others(self, verdict: str) -> str:
        return verdicts.of_a_worker(verdict) if WORKER in self._stored.settings else verdict


def _is_lost(told: Explanation) -> bool:
    """Is there nothing but the stored pages that may say more?"""
    return told.state == DEALT_WITH or (told.state == UNKNOWN and not told.near)


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
