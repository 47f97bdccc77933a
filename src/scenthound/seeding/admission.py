"""Which of the addresses that were found would a crawl follow? The others are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scenthound.core.model import Topic
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import named_urls
from scenthound.live.trial import Trial
from scenthound.seeding.found import Found
from scenthound.seeding.report import KNOWN


class Admission:
    """Lets through what a crawl with this topic and these options would follow.

    What the topic names already is no news.

    Parameters
    ----------
    topic, options : of the crawl.
    year : the present year; calendars far from it are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._known = frozenset(named_urls(topic))
        self._trial = Trial(topic, options, year)
        self._decided: dict[str, str | None] = {}
        self.left_out: Counter[str] = Counter()
        """Addresses by the reason for which they are left out."""

    def admitted(self, found: Iterable[Found]) -> Iterator[Found]:
        """Those that would be followed, under the address that would be asked for."""
        for each in found:
            url = self._asked_for(each.url)
            if url is not None:
                yield each if url == each.url else replace(each, url=url)

    def admits(self, url: str) -> bool:
        """Would a canonical URL be followed? One that would not is counted, once."""
        return self._asked_for(url) is not None

    def _asked_for(self, url: str) -> str | None:
        if url not in self._decided:  # calendars are counted, so nothing is tried twice
            self._decided[url] = self._tried(url)
        return self._decided[url]

    def _tried(self, url: str) -> str | None:
        if url in self._known:
            self.left_out[KNOWN] += 1
            return None
        verdict = self._trial.verdict(url, depth=0)  # it would be a seed
        if not verdict.follow:
            self.left_out[verdict.reason] += 1
            return None
        return verdict.queued
