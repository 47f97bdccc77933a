"""What journal and frontier say of a URL: it was fetched, redirects, waits, was rejected or given
up; and the sentence that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scenthound.core.model import Candidate, format_page_number, worker_of
from scenthound.frontier.sqlite_reader import (
    AT_REST,
    DEALT_WITH,
    FREE_NOW,
    HAD_ITS_SHARE,
    IS_BUSY,
    IS_SPENT,
    RETRYING,
    SET_ASIDE,
    UNDER_WAY,
    FrontierReader,
    UrlStatus,
)
from scenthound.output.explain.explanation import (
    FETCHED,
    GIVEN_UP,
    REDIRECTED,
    REFUSED,
    Explanation,
    FrontierPlace,
    PageDetails,
    UrlEvent,
    describe_reason,
    format_time,
)
from scenthound.output.explain.journal_search import JournalSearch
from scenthound.output.explain.page_relevance import RelevanceExplainer
from scenthound.output.explain.url_priority import (
    page_priority,
    path_to,
    path_to_waiting,
    url_of,
    waiting_priority,
)
from scenthound.strategies.spec import StrategySpec, Uniform

_NOT_RECORDED = "closed without being fetched, and the journal does not say why"


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
        return tuple(reversed(self.journal.other_events.get(url, ())))


# The one sentence that says where a URL in the frontier stands.

_HOSTS = {
    FREE_NOW: "its host may be asked now",
    IS_BUSY: "its host is being asked for other pages",
    HAD_ITS_SHARE: "its host has had its share, so that others go first",
    IS_SPENT: "its host has had all the pages it may have",
}
_DRAWN = "the next one is drawn, each as likely as another"
_NOT_RUNNING = "the crawl is not running"


def describe_waiting(
    state: str,
    place: FrontierPlace,
    history: Sequence[UrlEvent],
    *,
    is_seed: bool,
    drawn: bool,
    running: bool,
) -> str:
    """Of a URL that is in the frontier and is not dealt with.

    ``drawn`` says that the strategy draws any URL, so that none is better than another.
    """
    if state == SET_ASIDE:
        return f"set aside: its host {place.host} has had {place.host_had} pages, all it may have"
    if state == UNDER_WAY:
        ended = "it was being fetched when the crawl ended and waits again once that is resumed"
        return "being fetched now" if running else ended
    first = _again(place, history) if state == RETRYING else "waits"
    order = "seeds go before all others" if is_seed else _DRAWN if drawn else _rank(place)
    return f"{first}; {order}; {_host(place) if running else _NOT_RUNNING}"


def _again(place: FrontierPlace, history: Sequence[UrlEvent]) -> str:
    reasons = [each.reason for each in history if each.event == "failed"]
    why = f" ({reasons[-1]})" if reasons else ""
    due = "" if place.due is None else f" and is tried again at {format_time(place.due)}"
    times = "once" if place.attempts == 1 else f"{place.attempts} times"
    return f"failed {times}{why}{due}"


def _rank(place: FrontierPlace) -> str:
    if not place.better:
        return f"it is the best of {place.waiting:,} that wait"
    better = "1 is better" if place.better == 1 else f"{place.better:,} are better"
    return f"of {place.waiting:,} that wait {better}, {place.better_on_host:,} on its own host"


def _host(place: FrontierPlace) -> str:
    if place.host_state == AT_REST and place.host_until is not None:
        return f"its host rests until {format_time(place.host_until)}"
    return _HOSTS.get(place.host_state, "nothing of its host may be asked for now")
