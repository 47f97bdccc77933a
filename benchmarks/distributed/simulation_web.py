"""A generated web, the same for the same seed: hosts, links, worths, response times."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from scenthound.core.model import Inlink, Parts, Score, ScoredLink

LINKS_OF_A_PAGE = 12
SLOWEST_ANSWER = 10.0
_AT_HOME, _TRIED = 4, 3
_TAIL = 1.1
_NAMES, _WEIGHTS = ("full", "anchor", "context", "parent"), (0.25, 0.25, 0.25, 0.25)
_NOISE = 0.5
"""Of each part of a score; of the score, the mean of four, it is half of that."""
_SPREAD = 0.5
"""Of the logarithms of the response times of a host."""
_ANCHOR = "the history of measuring light"


@dataclass(frozen=True)
class Web:
    """Hosts with heavy-tailed numbers of pages; each page has a worth that only scores hint at.

    Pages of a host are worth much the same, and hosts link to hosts that are like them. Every
    page can be reached from every front page.

    Parameters
    ----------
    hosts, pages : how many.
    seed : what chance starts from.
    """

    hosts: int
    pages: int
    seed: int = 1

    @cached_property
    def _sizes(self) -> list[int]:
        chance = np.random.default_rng(self.seed)
        weights = chance.pareto(_TAIL, self.hosts) + 1
        sizes = 1 + np.floor(weights / weights.sum() * (self.pages - self.hosts)).astype(int)
        sizes[np.argmax(sizes)] += self.pages - sizes.sum()
        return [int(size) for size in sizes]

    @cached_property
    def fronts(self) -> list[int]:
        """The front page of each host; the host's other pages follow it."""
        return [0, *np.cumsum(self._sizes)[:-1].tolist()]

    @cached_property
    def hosts_of(self) -> list[int]:
        """The host of each page."""
        return [host for host, size in enumerate(self._sizes) for _ in range(size)]

    @cached_property
    def _likings(self) -> list[float]:
        """What the pages of each host are worth in the mean: most of them little."""
        drawn = np.random.default_rng((self.seed, 1)).beta(0.5, 2.5, self.hosts)
        return [float(liking) for liking in drawn]

    @cached_property
    def worths(self) -> list[float]:
        """What each page is worth, 0 to 1."""
        noise = np.random.default_rng((self.seed, 2)).normal(0, 0.15, self.pages)
        likings = np.repeat(self._likings, self._sizes)
        return [float(worth) for worth in np.clip(likings + noise, 0, 1)]

    @cached_property
    def response_means(self) -> list[float]:
        """Seconds in which each host answers, in the mean; some are slow."""
        chance = np.random.default_rng((self.seed, 3))
        means = chance.lognormal(np.log(0.3), 0.6, self.hosts)
        return [float(each) for each in np.clip(means, 0.05, 3.0)]

    def response_seconds(self, page: int, chance: random.Random) -> float:
        """How long this response takes."""
        mean = self.response_means[self.hosts_of[page]]
        return min(mean * chance.lognormvariate(-_SPREAD * _SPREAD / 2, _SPREAD), SLOWEST_ANSWER)

    def url(self, page: int) -> str:
        """The address of a page."""
        host = self.hosts_of[page]
        return f"https://www.host-{host}.example/section-{page % 97}/page-{page}.html"

    def page(self, url: str) -> int:
        """The page at an address."""
        return int(url.rpartition("-")[2].removesuffix(".html"))

    def targets(self, page: int) -> list[int]:
        """Where a page links to, each page once."""
        return [*dict.fromkeys(self._drawn_targets(page, random.Random(self._key(page))))]

    def scored_links(self, page: int, number: int) -> list[ScoredLink]:
        """The links of a page, which was the ``number``-th of the crawl, with noisy scores."""
        chance = random.Random(self._key(page) + 1)
        return [
            ScoredLink(self.url(target), 3, Inlink(number, self._score(target, chance), _ANCHOR))
            for target in self.targets(page)
        ]

    def omniscient(self, seeds: list[int], count: int) -> list[float]:
        """The worths of so many pages, the best first of all that were linked so far."""
        heap = [(-self.worths[page], page) for page in dict.fromkeys(seeds)]
        heap.sort()
        seen, worths = set(seeds), list[float]()
        while heap and len(worths) < count:
            worth, page = heappop(heap)
            worths.append(-worth)
            for target in self.targets(page):
                if target not in seen:
                    seen.add(target)
                    heappush(heap, (-self.worths[target], target))
        return worths

    def _key(self, page: int) -> int:
        return (self.seed * self.pages + page) * 2

    def _score(self, target: int, chance: random.Random) -> Score:
        worth = self.worths[target]
        values = tuple([worth + chance.gauss(0, _NOISE) for _ in _NAMES])
        return Parts(_NAMES, values, _WEIGHTS).score()

    def _drawn_targets(self, page: int, chance: random.Random) -> Iterator[int]:
        host = self.hosts_of[page]
        front, size = self.fronts[host], self._sizes[host]
        for child in (2 * (page - front) + 1, 2 * (page - front) + 2):
            if child < size:
                yield front + child
        if page == front:
            yield self.fronts[(host + 1) % self.hosts]
        for _ in range(_AT_HOME):
            yield front + chance.randrange(size)
        liking = self._likings[host]
        for _ in range(LINKS_OF_A_PAGE - _AT_HOME - 2):
            some = [chance.randrange(self.hosts) for _ in range(_TRIED)]
            other = min(some, key=lambda it: abs(self._likings[it] - liking))
            yield self.fronts[other] + int(self._sizes[other] * chance.random() ** 3)
