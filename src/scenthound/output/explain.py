"""Explains where a URL of a stored crawl stands: fetched, waiting, rejected or never seen.

``Explainer.explain`` asks three sources, the cheapest first: the record (:class:`KnownUrls`, which
joins journal and frontier), then the rules of the scope, then all stored pages, which are searched
for links only where nothing else knows the URL. ``explain`` and ``explain_all`` are for callers.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scenthound.core.errors import ArchiveError, InputError, SettingsError
from scenthound.core.model import Candidate, format_page_number, worker_of
from scenthound.crawler.argument_checks import check_number
from scenthound.frontier.politeness import NO_LIMITS
from scenthound.frontier.sqlite_reader import DEALT_WITH, WAITING, FrontierReader, UrlStatus
from scenthound.output.explain_scores import (
    RelevanceExplainer,
    page_priority,
    path_to,
    path_to_waiting,
    strategy_spec,
    url_of,
    waiting_priority,
)
from scenthound.output.explanation import (
    FETCHED,
    FORBIDDEN,
    GIVEN_UP,
    MISSING,
    NOT_KEPT,
    NOT_QUEUED,
    OTHER_NAME,
    REDIRECTED,
    REFUSED,
    UNKNOWN,
    Explanation,
    FrontierPlace,
    PageDetails,
    UrlEvent,
    describe_linked,
    describe_reason,
    describe_unlinked,
    describe_waiting,
)
from scenthound.output.journal_search import JournalSearch, UrlQuery, parse_query
from scenthound.output.link_search import (
    LinkSearchResult,
    OnPage,
    StoredRules,
    options_of,
    search_links,
)
from scenthound.storage.folder import WORKER, Folders, folder_paths
from scenthound.storage.stored_crawl import ArchiveBodies, StoredCrawl, open_whole_crawl
from scenthound.strategies.spec import StrategySpec, Uniform

_NOT_RECORDED = "closed without being fetched, and the journal does not say why"
OnInvalid = Callable[[InputError], None]
"""Called with the error of each URL that cannot be explained."""


@dataclass(frozen=True)
class KnownUrls:
    """What frontier and journal say.

    Parameters
    ----------
    journal : read to its beginning.
    frontier : None for a replay that has kept nothing of what waited.
    spec : of the strategy; None for one that is not in the catalogue.
    relevance : judges pages again.
    running : does a process crawl in the folder now?
    """

    journal: JournalSearch
    frontier: FrontierReader | None
    spec: StrategySpec | None
    relevance: RelevanceExplainer
    running: bool

    def explained(self, asked: str, url: str) -> Explanation | None:
        """The explanation of a URL; None where neither frontier nor journal knows it."""
        # The journal first: in the frontier a fetched page is only a URL that is closed.
        if url in self.journal.number_of:
            return self.fetched(asked, url)
        if url in self.journal.led_to:
            return self._redirected(asked, url)
        history = self._history(url)
        standing = None if self.frontier is None else self.frontier.status(url)
        if standing is not None and standing.place != DEALT_WITH:
            return self._waiting(asked, standing, history)
        if history:
            return self._rejected(asked, url, history)
        return None if standing is None else Explanation(asked, url, DEALT_WITH, _NOT_RECORDED)

    def fetched(self, asked: str, url: str) -> Explanation:
        """Of a page that was fetched under this URL."""
        pages = self.journal.pages
        record = pages[self.journal.number_of[url]]
        original = None if record.copy_of is None else pages.get(record.copy_of)
        return Explanation(
            asked,
            url,
            FETCHED,
            f"fetched as page {record.n:,} of {self.journal.last:,}",
            page=PageDetails(
                number=record.n,
                at=record.at,
                status=record.status,
                title=record.title,
                depth=record.depth,
                problem=record.problem,
                copy_of=self._original(record.copy_of),
                links=self.journal.links[record.n],
                language=record.language,
                rendered=record.rendered,
            ),
            path=path_to(record, pages),
            priority=page_priority(
                record, self._candidate(url), pages, self.spec, self.journal.revisions
            ),
            relevance=self.relevance.relevance(record, original),
            history=self._history(url),
        )

    def _original(self, number: int | None) -> str:
        """The page whose copy another one is: its URL, or who has it."""
        if number is None:
            return ""
        pages = self.journal.pages
        return format_page_number(number) if worker_of(number) else url_of(number, pages)

    def _redirected(self, asked: str, url: str) -> Explanation:
        """Of a URL that redirected to a page: that page is explained."""
        number = self.journal.led_to[url]
        target = self.journal.pages[number].url
        return replace(
            self.fetched(asked, target),
            url=url,
            state=REDIRECTED,
            verdict=f"redirects to {target}, fetched as page {number:,}",
            history=self._history(url),
        )

    def _waiting(
        self, asked: str, standing: UrlStatus, history: tuple[UrlEvent, ...]
    ) -> Explanation:
        candidate, state, host = standing.candidate, standing.place, standing.host
        place = FrontierPlace(
            waiting=standing.waiting,
            better=standing.better,
            better_on_host=standing.better_on_host,
            attempts=candidate.attempts,
            due=standing.due,
            host=host.name,
            host_waiting=host.waiting,
            host_had=host.had,
            host_state=host.state,
            host_until=host.until,
        )
        verdict = describe_waiting(
            state,
            place,
            history,
            is_seed=candidate.is_seed,
            drawn=self.spec is not None and self.spec.policy is Uniform,
            running=self.running,
        )
        found = Explanation(asked, candidate.url, state, verdict, place=place, history=history)
        return self._with_evidence(found, candidate)

    def _rejected(self, asked: str, url: str, history: tuple[UrlEvent, ...]) -> Explanation:
        """Of a URL that was dealt with and gave no page."""
        last, candidate = history[-1], self._candidate(url)
        if last.event == "refused":
            state = REFUSED
            verdict = f"not fetched when its turn came: {describe_reason(last.reason)}"
        elif last.event == "failed":
            tries = "one attempt" if last.attempts == 1 else f"{last.attempts} attempts"
            state, verdict = GIVEN_UP, f"given up after {tries}: {last.reason.rstrip('.')}"
        else:
            place = None if self.frontier is None else self.frontier.place(last.target)
            where = f" ({place})" if place else ""
            state, verdict = REDIRECTED, f"redirects to {last.target}{where}: {last.reason}"
        found = Explanation(asked, url, state, verdict, history=history)
        return found if candidate is None else self._with_evidence(found, candidate)

    def _with_evidence(self, found: Explanation, candidate: Candidate) -> Explanation:
        pages = self.journal.pages
        path = path_to_waiting(candidate, pages)
        priority = waiting_priority(candidate, pages, self.spec, self.journal.revisions)
        return replace(found, path=path, priority=priority)

    def _candidate(self, url: str) -> Candidate | None:
        return None if self.frontier is None else self.frontier.candidate(url)

    def _history(self, url: str) -> tuple[UrlEvent, ...]:
        """The first event first."""
        return tuple(reversed(self.journal.happenings.get(url, ())))


# An explanation comes from frontier and journal, else from the rules, else from the stored pages.

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
    now : the time on the crawl's clock, in seconds since 1970.
    year : the present one.
    running : does a process crawl in the folder now?
    on_page : called for every stored page that is searched for links.
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
        self._relevance = RelevanceExplainer(stored, terms)
        self._frontier: FrontierReader | None = None
        if stored.frontier is not None:
            politeness = options_of(stored).politeness() if stored.is_live else NO_LIMITS
            self._frontier = FrontierReader(stored.frontier, politeness, now)

    def explain(
        self, asked: Sequence[UrlQuery], on_bad: OnInvalid | None = None
    ) -> list[Explanation]:
        """One explanation for each; none for none.

        ``on_bad`` gets the error for every number that no page has, which is then left out; without
        it the first one is raised.
        """
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
        return replace(asked, spellings=tuple(map(self._rules.clean, asked.spellings)))

    def _read_journal(self, wanted: Sequence[UrlQuery]) -> JournalSearch:
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

    def _check_exists(
        self, asked: UrlQuery, journal: JournalSearch, on_bad: OnInvalid | None
    ) -> bool:
        """Is it a URL, or the number of a page?"""
        if asked.number is None or asked.number in journal.pages:
            return True
        numbers = f"its pages are numbered from 1 to {journal.last:,}"
        there = numbers if journal.last else "it has fetched none so far"
        folder = self._stored.folder.path
        error = SettingsError(f"the crawl in {folder} has no page {asked.number:,}; {there}.")
        if on_bad is None:
            raise error
        on_bad(error)
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
    on_bad: OnInvalid | None = None,
) -> list[Explanation]:
    """Several explanations, for one reading of the journal; see :func:`explain`.

    ``on_bad`` gets the error for what is no URL and no page, which is then left out; without it
    the first one is raised.
    """
    folders = folder_paths("folder", folder)
    check_number("terms", terms, whole=True)
    if not isinstance(terms, int) or terms < 0:
        raise SettingsError(f"{terms} terms cannot be shown; give 0 or more.")
    if isinstance(what, str | bytes) or not isinstance(what, Iterable):
        raise SettingsError("explain_all takes a list of URLs and numbers; put one in brackets.")
    wanted = []
    for each in what:
        try:
            wanted.append(parse_query(each))
        except SettingsError as error:
            if on_bad is None:
                raise
            on_bad(error)
    now = time.time()
    with open_whole_crawl(folders) as stored:
        explainer = Explainer(
            stored,
            terms=terms,
            now=now,
            year=datetime.fromtimestamp(now, UTC).year,
            running=stored.is_live and stored.is_running,
            on_page=on_page,
        )
        return explainer.explain(wanted, on_bad)
