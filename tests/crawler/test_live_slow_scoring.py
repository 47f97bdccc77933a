"""A model that takes its time does not hold up the downloads, nor do they run away from it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from threading import Semaphore

import pytest

from crawler.live_replies import Served, ok
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from scenthound.core.model import Document
from scenthound.sample.server import Reply
from scenthound.similarity.sentence_models import SentenceModel

CONCURRENCY = 4
HOSTS = 12
PATIENCE = 60.0
"""A crawl that waits for its scorer is noticed after so many seconds; no other waits so long."""


def test_pages_are_downloaded_while_one_is_scored_and_only_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is scored until as many others are asked for as may be under way beside it.

    Every robots.txt is read before: without it no page can be asked for while one is scored.
    """
    with LiveWeb() as web:
        asked = Semaphore(0)
        storms = [web.add(n, "/storm", counted(asked, n)) for n in range(1, HOSTS + 1)]
        scored: set[str] = set()
        awaited: list[str] = []
        quick = SentenceModel.similarities

        def slow(model: SentenceModel, texts: Sequence[str], read: Document) -> list[float]:
            if read.title == "storm" and read.text not in scored:
                scored.add(read.text)
                while len(awaited) < min(len(scored) + CONCURRENCY - 1, HOSTS):
                    assert asked.acquire(timeout=PATIENCE), "nothing came while one was scored"
                    awaited.append("/storm")
                time.sleep(0.05)  # for any that ought not to come
                begun = sum(url in storms for url in web.requested())
                assert begun <= len(scored) + 2 * (CONCURRENCY - 1)
            return quick(model, texts, read)

        monkeypatch.setattr(SentenceModel, "similarities", slow)
        kept = crawl(
            tmp_path / "c", [chain(web, storms)], strategy="sentences-light",
            concurrency=CONCURRENCY,
        )  # fmt: skip
    assert kept.run.fetched == 2 * HOSTS
    assert len(scored) == len(awaited) == HOSTS


def chain(web: LiveWeb, links: Sequence[str]) -> str:
    """A page on every host, each the only one to lead to the next; the last has the links."""
    for host in range(HOSTS, 0, -1):
        first = web.add(host, "/", page("storms", own_words("way", host), links))
        links = [first]
    return first


def counted(asked: Semaphore, host: int) -> Served:
    """A page that tells when it is asked for."""
    reply = ok(page("storm", own_words("storm", host)))

    def serve() -> Reply:
        asked.release()
        return reply

    return serve


def own_words(kind: str, number: int) -> str:
    """No page is like another: the links of a copy are not followed."""
    return " ".join(f"{kind}{number}word{n}" for n in range(30))
