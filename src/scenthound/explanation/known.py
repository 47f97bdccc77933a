"""Explains URLs that the crawl knows: fetched, waiting, or dealt with without a page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scenthound.core.model import Candidate
from scenthound.core.page_numbers import told_page, worker_of
from scenthound.corpus.record import PageRecord
from scenthound.explanation import verdicts
from scenthound.explanation.journal_search import JournalSearch
from scenthound.explanation.model import (
    FETCHED,
    GIVEN_UP,
    REDIRECTED,
    REFUSED,
    Explanation,
    Happening,
    PageTold,
    Place,
)
from scenthound.explanation.priority import (
    page_priority,
    url_of,
    waiting_priority,
    way_to,
    way_to_waiting,
)
from scenthound.explanation.relevance import RelevanceReading
from scenthound.frontier.sqlite_reading import DEALT_WITH, FrontierReading, Standing
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.policies import Uniform

_NOT_TOLD = "closed without being fetched, and the journal does not say why"


@dataclass(frozen=True)
class KnownUrls:
    """What frontier and journal say.

    Parameters
    ----------
    journal : read to its beginning.
    frontier : None for a replay that has kept nothing of what waited.
    recipe : of the strategy; None for one that is not in the catalogue.
    relevance : judges pages again.
    running : does a process crawl in the folder now?
    """

    journal: JournalSearch
    frontier: FrontierReading | None
    recipe: Recipe | None
    relevance: RelevanceReading
    running: bool

    def explained(self, asked: str, url: str) -> Explanation | None:
        """The explanation of a URL; None where neither frontier nor journal knows it."""
        if url in self.journal.number_of:
            return self.fetched(asked, url)
        if url in self.journal.led_to:
            return self._led_on(asked, url)
        history = self._history(url)
        standing = None if self.frontier is None else self.frontier.standing(url)
        if standing is not None and standing.place != DEALT_WITH:
            return self._waiting(asked, standing, history)
        if history:
            return self._turned_down(asked, url, history)
        return None if standing is None else Explanation(asked, url, DEALT_WITH, _NOT_TOLD)

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
            page=self._page(record),
            path=way_to(record, pages),
            priority=page_priority(
                record, self._candidate(url), pages, self.recipe, self.journal.revisions
            ),
            relevance=self.relevance.relevance(record, original),
            history=self._history(url),
        )

    def _page(self, record: PageRecord) -> PageTold:
        journal = self.journal
        return PageTold(
            number=record.n,
            at=record.at,
            status=record.status,
            title=record.title,
            depth=record.depth,
            problem=record.problem,
            copy_of=self._original(record.copy_of),
            links=journal.links[record.n],
            language=record.language,
            rendered=record.rendered,
        )

    def _original(self, number: int | None) -> str:
        """The page whose copy another one is: its URL, or who has it."""
        if number is None:
            return ""
        return told_page(number) if worker_of(number) else url_of(number, self.journal.pages)

    def _led_on(self, asked: str, url: str) -> Explanation:
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
        self, asked: str, standing: Standing, history: tuple[Happening, ...]
    ) -> Explanation:
        candidate, place, state = standing.candidate, _place(standing), standing.place
        verdict = verdicts.waits(
            state,
            place,
            history,
            is_seed=candidate.is_seed,
            drawn=self.recipe is not None and self.recipe.policy is Uniform,
            running=self.running,
        )
        told = Explanation(asked, candidate.url, state, verdict, place=place, history=history)
        return self._with_evidence(told, candidate)

    def _turned_down(self, asked: str, url: str, history: tuple[Happening, ...]) -> Explanation:
        """Of a URL that was dealt with and gave no page."""
        last, candidate = history[-1], self._candidate(url)
        if last.event == "refused":
            state, verdict = REFUSED, verdicts.refused(last)
        elif last.event == "failed":
            state, verdict = GIVEN_UP, verdicts.given_up(last)
        else:
            place = None if self.frontier is None else self.frontier.place(last.target)
            state, verdict = REDIRECTED, verdicts.redirects(last, place or "")
        told = Explanation(asked, url, state, verdict, history=history)
        return told if candidate is None else self._with_evidence(told, candidate)

    def _with_evidence(self, told: Explanation, candidate: Candidate) -> Explanation:
        pages = self.journal.pages
        path = way_to_waiting(candidate, pages)
        priority = waiting_priority(candidate, pages, self.recipe, self.journal.revisions)
        return replace(told, path=path, priority=priority)

    def _candidate(self, url: str) -> Candidate | None:
        return None if self.frontier is None else self.frontier.candidate(url)

    def _history(self, url: str) -> tuple[Happening, ...]:
        """The first event first."""
        return tuple(reversed(self.journal.happenings.get(url, ())))


def _place(standing: Standing) -> Place:
    host = standing.host
    return Place(
        waiting=standing.waiting,
        better=standing.better,
        better_on_host=standing.better_on_host,
        attempts=standing.candidate.attempts,
        due=standing.due,
        host=host.name,
        host_waiting=host.waiting,
        host_had=host.had,
        host_state=host.state,
        host_until=host.until,
    )
