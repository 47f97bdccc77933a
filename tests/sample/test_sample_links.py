"""The link graph: everything can be reached, some of it only by leaving the topic.

The link extractor and the crawler here are deliberately not the ones of the product: the
sample web must hold up on its own.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest
from scrapy.selector import Selector

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Topic
from scenthound.core.urls import canonical, host_of
from scenthound.sample.responses import Response
from scenthound.sample.web import SampleWeb

MAX_REDIRECTS = 5


def links_of(response: Response) -> list[tuple[str, str]]:
    """Canonical links of a page with their anchors, of which the alt text of an image is one.

    None for anything that is not a page.
    """
    if not response.is_page or not response.body:
        return []
    page = Selector(text=response.body.decode("utf-8", "replace"))
    base = page.css("base::attr(href)").get(response.url)
    found = []
    for link in page.css("a[href], area[href], frame[src]"):
        words = link.xpath(".//text() | .//img/@alt").getall()
        with suppress(MalformedUrlError):
            href = link.attrib.get("href") or link.attrib.get("src", "")
            found.append((canonical(href, base), "".join(words)))
    return found


class Walker:
    """Walks over a sample web; every page is parsed once."""

    def __init__(self, web: SampleWeb) -> None:
        self.web = web
        self._links: dict[str, list[tuple[str, str]]] = {}

    def links(self, url: str) -> list[tuple[str, str]]:
        """Links of the page at ``url``, which must exist."""
        if url not in self._links:
            self._links[url] = links_of(self.web.responses[url])
        return self._links[url]

    def settle(self, url: str) -> str | None:
        """Where ``url`` ends after redirects; None for nowhere."""
        for _ in range(MAX_REDIRECTS):
            response = self.web.responses.get(url)
            if response is None:
                return None
            location = response.header("Location")
            if location is None:
                return url
            url = canonical(location, url)
        return None

    def reach(self, seeds: Iterable[str], passable: Callable[[str], bool]) -> set[str]:
        """Everything found when only ``passable`` pages are left over their links."""
        queue = list(seeds)
        reached = set(queue)
        for url in queue:
            if not passable(url):
                continue
            ends = (self.settle(link) for link, _ in self.links(url))
            new = [end for end in dict.fromkeys(ends) if end is not None and end not in reached]
            reached.update(new)
            queue += new
        return reached

    def crawl(
        self, seeds: Iterable[str], budget: int, worth: Callable[[str, str], float]
    ) -> list[str]:
        """Best-first crawl; ``worth(source, anchor)`` scores a link, ties go first come."""
        heap = [(-9.0, number, url) for number, url in enumerate(seeds)]
        seen, order = {url for _, _, url in heap}, len(heap)
        fetched: list[str] = []
        while heap and len(fetched) < budget:
            url = self.settle(heapq.heappop(heap)[2])
            if url is None or url in fetched:
                continue
            fetched.append(url)
            for link, anchor in self.links(url):
                if link not in seen:
                    seen.add(link)
                    order += 1
                    heapq.heappush(heap, (-worth(url, anchor), order, link))
        return fetched


@pytest.fixture(scope="module")
def walker(web: SampleWeb) -> Walker:
    """One walker for all tests, since parsing is the slow part."""
    return Walker(web)


def labelled(web: SampleWeb, topic: Topic) -> set[str]:
    """Pages about ``topic``."""
    return {url for url, name in web.labels.items() if name == topic.name}


def on_topic(pages: set[str]) -> Callable[[str, str], float]:
    """Values a link by whether the page it stands on is one of ``pages``."""
    return lambda source, anchor: float(source in pages)


def test_all_is_reachable_some_only_through_other_topics(walker: Walker) -> None:
    for topic in walker.web.topics:
        pages = labelled(walker.web, topic)
        assert pages <= walker.reach(topic.seeds, lambda url: True), topic.name
        reached = walker.reach(topic.seeds, pages.__contains__)
        share = len(pages - reached) / len(pages)
        assert 0.1 < share < 0.4, (topic.name, share)


def test_following_the_topic_beats_breadth_first(walker: Walker) -> None:
    gains = []
    for topic in walker.web.topics:
        pages = labelled(walker.web, topic)
        budget = 2 * len(pages)
        blind = walker.crawl(topic.seeds, budget, lambda source, anchor: 0.0)
        guided = walker.crawl(topic.seeds, budget, on_topic(pages))
        gains.append(len(pages & set(guided)) - len(pages & set(blind)))
        assert len(pages & set(blind)) < 0.6 * len(pages), topic.name
    assert sum(gain > 0 for gain in gains) >= 6
    assert sum(gains) > 0.15 * len(walker.web.labels)


def test_ambiguous_words_stand_in_anchors_to_both_senses(walker: Walker) -> None:
    senses: dict[str, set[str]] = {}
    for url in walker.web.labels:
        for link, anchor in walker.links(url):
            for word in ("jaguar", "python", "java", "puma", "mercury", "cobra", "amazon"):
                if word in anchor.lower() and link in walker.web.labels:
                    senses.setdefault(word, set()).add(walker.web.labels[link])
    assert all(len(topics) >= 2 for topics in senses.values()), senses
    assert len(senses) == 7


def test_the_calendar_has_no_end_and_some_links_lead_nowhere(walker: Walker) -> None:
    months = [url for url in walker.web.responses if "/calendar?month=" in url]
    beyond = {link for url in months for link, _ in walker.links(url) if "/calendar?" in link}
    assert 70 <= len(months) <= 90
    assert beyond - set(months), "the last month links to one that does not exist"
    links = [link for url in walker.web.labels for link, _ in walker.links(url)]
    missing = set(links) - set(walker.web.responses)
    assert len(missing) > 20 and all(host_of(link).endswith(".test") for link in missing)
    assert sum(link in walker.web.responses for link in links) > 0.95 * len(links)
