"""The best that may be fetched comes first, end to end through the downloader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crawler.live_running import Kept, crawl
from crawler.live_web import LiveWeb, MemoryWeb
from scenthound.core.model import Candidate, Combination
from scenthound.core.urls import host_of
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.sqlite import SqliteFrontier

ROUNDING = 1e-5
"""Of scores in the journal."""


class Shadow:
    """Keeps, beside the frontier of a crawl, a simple one that cannot be wrong about the best."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.leases: list[Candidate] = []
        self.wrong: list[str] = []
        self.hosts_at_once = 0
        self._plain = MemoryFrontier(Combination.MAX)
        self._busy: dict[str, int] = {}
        for name in ("add", "lease", "take", "ack", "fail", "redirect", "record_response"):
            self._wrap(monkeypatch, name)

    def _wrap(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        original = getattr(SqliteFrontier, name)
        after = getattr(self, f"_after_{name}")

        def wrapped(frontier: SqliteFrontier, *given: Any) -> Any:
            result = original(frontier, *given)
            after(result, *given)
            return result

        monkeypatch.setattr(SqliteFrontier, name, wrapped)

    def _after_add(self, result: Any, scored_links: Any) -> None:
        assert self._plain.add(scored_links) == result

    def _after_lease(self, result: list[Candidate], most: int, now: float) -> None:
        free = [each for each in self._plain.peek(10_000) if not self._is_busy(each.url)]
        if [each.url for each in result] != [each.url for each in free[:most]]:
            self.wrong.append(f"{[c.url for c in result]} and not {free[:1]}")
        for each in result:
            self._after_take(each, each.url, now)

    def _after_take(self, result: Candidate | None, url: str, now: float) -> None:
        if result is not None:
            assert self._plain.take(url, now) is not None
            self._busy[host_of(url)] = self._busy.get(host_of(url), 0) + 1
            self.hosts_at_once = max(self.hosts_at_once, sum(map(bool, self._busy.values())))
            self.leases.append(result)

    def _after_record_response(self, result: None, url: str, at: float) -> None:
        self._busy[host_of(url)] -= 1

    def _after_ack(self, result: None, url: str) -> None:
        self._plain.ack(url)

    def _after_fail(self, result: None, url: str, retry_at: float | None) -> None:
        self._plain.fail(url, retry_at)

    def _after_redirect(self, result: Any, url: str, target: str) -> None:
        assert self._plain.redirect(url, target) is result

    def _is_busy(self, url: str) -> bool:
        return self._busy.get(host_of(url), 0) > 0


def _in_turn(web: LiveWeb) -> list[str]:
    return [url for url in web.requested() if not url.endswith("/robots.txt")]


def _check_best_first(kept: Kept) -> None:
    """By the journal alone: no page that waited had a higher score than the one fetched.

    ``inlinks`` of a page name the pages that link to it and the scores they gave; a score is
    known once the page that gave it has been read.
    """
    pages = kept.pages
    for here, event in enumerate(pages[1:], start=1):
        for later in pages[here + 1 :]:
            known = [score for source, score, _ in later["inlinks"] if source <= here]
            assert max(known, default=0.0) <= event["priority"] + ROUNDING


def test_one_at_a_time_the_best_known_page_is_asked_for(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        urls = web.add_linked(pages=50, hosts=6, seed=1)
        kept = crawl(tmp_path / "out", urls[:1], concurrency=1)
        assert _in_turn(web) == kept.urls
    assert kept.run.fetched == 50
    _check_best_first(kept)


def test_many_at_a_time_the_best_of_the_free_hosts_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shadow = Shadow(monkeypatch)
    with MemoryWeb() as web:
        urls = web.add_linked(pages=100, hosts=20, seed=4)
        kept = crawl(tmp_path / "out", urls[:1], strategy="shark", per_host=1, concurrency=8)
        asked = _in_turn(web)
    assert sorted(asked) == sorted(urls)
    assert kept.run.fetched == len(shadow.leases) == 100
    assert shadow.wrong == []
    assert shadow.hosts_at_once >= 4
    for host in {host_of(url) for url in urls}:  # and requests leave in the order of the leases
        leased = [each.url for each in shadow.leases if host_of(each.url) == host]
        assert [url for url in asked if host_of(url) == host] == leased
