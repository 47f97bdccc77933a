"""Which of the URLs that were found are proposed: those that the crawl would follow, and of them
the best, as many of which are fetched and scored by their text as the options say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from scenthound.core.errors import warn_caller
from scenthound.core.model import Topic
from scenthound.crawler.archive_search import ARCHIVE
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import ScopeTrial, named_urls
from scenthound.crawler.seed_proposals import (
    ALREADY_IN_TOPIC,
    NO_TOPIC_WORD,
    NOT_FETCHED,
    OFF_TOPIC,
    OVER_LIMIT,
    Kind,
    Proposal,
    chosen,
    spread,
)
from scenthound.crawler.seed_scoring import Scorer, proposal_of
from scenthound.crawler.seed_search import SearchResources, SearchResult
from scenthound.fetch.fetcher import FetchFailure
from scenthound.fetch.robots import BY_ROBOTS


class ScopeFilter:
    """Lets through what a crawl with this topic and these options would follow.

    URLs that the topic names already are left out; calendars far from ``year`` are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._known = frozenset(named_urls(topic))
        self._trial = ScopeTrial(topic, options, year)
        self._decided: dict[str, str | None] = {}
        self.left_out: Counter[str] = Counter()
        """How many URLs are left out, by reason."""

    def admitted(self, results: Iterable[SearchResult]) -> Iterator[SearchResult]:
        """Yield those that would be followed, under the URL that would be requested."""
        for each in results:
            url = self.admit(each.url)
            if url is not None:
                yield each if url == each.url else replace(each, url=url)

    def admit(self, url: str) -> str | None:
        """Return the URL as it would be requested; None, counted once, where it would not be."""
        if url not in self._decided:  # calendars are counted, so nothing is tried twice
            self._decided[url] = self._decide(url)
        return self._decided[url]

    def _decide(self, url: str) -> str | None:
        """Try a URL against the scope, and count why it is left out."""
        if url in self._known:
            self.left_out[ALREADY_IN_TOPIC] += 1
            return None
        verdict = self._trial.verdict(url, depth=0)  # it would be a seed
        if not verdict.follow:
            self.left_out[verdict.reason] += 1
            return None
        return verdict.queued


Group = Sequence[SearchResult]
"""All results for one URL."""


class ProposalSelection:
    """Makes proposals.

    Results from an archive are scored by their text, which is stored there. Of the others the best
    are fetched and scored by theirs, as many as the options say.
    """

    def __init__(self, scorer: Scorer, resources: SearchResources, scope: ScopeFilter) -> None:
        self._scorer = scorer
        self._resources = resources
        self._scope = scope
        self._judged: dict[str, Proposal] = {}
        self._tried: set[str] = set()
        self._unfetched: list[FetchFailure] = []
        self._off_topic = 0

    def proposals(self, groups: Iterable[Group]) -> list[Proposal]:
        """Return the best of all, best first."""
        search, left_out = self._resources.search, self._scope.left_out
        self._resources.on_progress("scoring")
        archived: list[Group] = []
        others: list[Group] = []
        for group in groups:
            archive = self._resources.archive
            found = any(each.source == ARCHIVE for each in group)
            stored = found and archive is not None and group[0].url in archive
            (archived if stored else others).append(group)
        # Without --fetch these are proposed like pages that are not read.
        unscored = [proposal_of(group, 0.0) for group in archived]
        self._read(unscored, None if search.fetch else Kind.SEED)
        scored = self._scorer.by_title(others)
        titled = [each for each in scored if not self._resources.forbids(each.url)]
        left_out[NO_TOPIC_WORD] += len(others) - len(scored)
        left_out[BY_ROBOTS] += len(scored) - len(titled)
        self._read(chosen(titled, search.fetch), None)
        self._report()
        rest = [each for each in titled if each.url not in {*self._tried, *self._judged}]
        candidates = [*self._judged.values(), *rest]
        best = (chosen if search.fetch else spread)(candidates, search.count)
        left_out[OVER_LIMIT] += len(candidates) - len(best)
        return best

    def _read(self, proposals: Sequence[Proposal], otherwise: Kind | None) -> None:
        """Read and judge each; ``otherwise`` is the kind of a page that is no seed or example."""
        for number, proposal in enumerate(proposals, start=1):
            self._resources.on_progress(f"reading {number} of {len(proposals)}: {proposal.url}")
            self._tried.add(proposal.url)
            page = self._resources.page(proposal.url)
            if isinstance(page, FetchFailure):
                self._unfetched.append(page)
                continue
            if page.url != proposal.url and self._scope.admit(page.url) is None:
                continue  # it has moved out of the scope, and is counted there
            judged = self._scorer.by_text(proposal, page, otherwise)
            if judged is None:
                self._off_topic += 1
            elif judged.url in self._judged:
                self._scope.left_out[ALREADY_IN_TOPIC] += 1
            else:
                self._judged[judged.url] = judged

    def _report(self) -> None:
        """Warn of pages that were fetched in vain."""
        tried, failed, off_topic = len(self._tried), len(self._unfetched), self._off_topic
        self._scope.left_out[NOT_FETCHED] += failed
        self._scope.left_out[OFF_TOPIC] += off_topic
        if failed:
            first = self._unfetched[0]
            warn_caller(
                f"{_share(failed, tried)} cannot be fetched and {_is(failed)} left out, "
                f"e.g. {first.url} ({first.reason})"
            )
        if off_topic:
            share = f"{_share(off_topic, tried)} {_is(off_topic)}"
            warn_caller(f"{share} not about the topic and left out")


def _share(count: int, total: int) -> str:
    return f"{count} of {total} page{'' if total == 1 else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
