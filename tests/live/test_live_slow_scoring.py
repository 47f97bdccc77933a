"""A model that takes its time does not hold up the downloads, nor do they run away from it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from live.live_running import crawl
from live.live_web import LiveWeb, page
from scenthound.core.model import Document
from scenthound.relevance.sentences import SentenceModel

CONCURRENCY = 4
PAGES = 30


def test_pages_are_downloaded_while_one_is_scored_and_only_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a page is scored others arrive, and no more than may be under way or wait.

    On a busy machine the robots.txt of other sites may not be read yet when the first page is
    scored, and nothing else can be under way; so a later page may show it.
    """
    with LiveWeb() as web:
        urls = [web.add(n, "/", page("storm", own_words(n))) for n in range(2, PAGES + 2)]
        seed = web.add(1, "/", page("storms", "where storms are", urls))
        scored: set[str] = set()
        beside: list[int] = []
        quick = SentenceModel.similarities

        def slow(model: SentenceModel, texts: Sequence[str], read: Document) -> list[float]:
            if read.title == "storm":
                scored.add(read.text)
                if max(beside, default=0) < CONCURRENCY - 1:
                    wait_for(web, 1 + len(scored) + CONCURRENCY - 1)
                    time.sleep(0.2)  # for any that ought not to come
                    beside.append(pages_asked(web) - 1 - len(scored))
            return quick(model, texts, read)

        monkeypatch.setattr(SentenceModel, "similarities", slow)
        kept = crawl(tmp_path / "c", [seed], strategy="sentences-light", concurrency=CONCURRENCY)
    assert kept.run.fetched == PAGES + 1
    assert 1 <= max(beside) <= 2 * CONCURRENCY


def own_words(number: int) -> str:
    """No page is like another: the links of a copy are not followed."""
    return " ".join(f"storm{number}word{n}" for n in range(30))


def pages_asked(web: LiveWeb) -> int:
    return sum(not url.endswith("/robots.txt") for url in web.requested())


def wait_for(web: LiveWeb, pages: int) -> None:
    """Until so many were asked for; a crawl that waits for its scorer never gets there."""
    end = time.monotonic() + 2
    while pages_asked(web) < pages and time.monotonic() < end:
        time.sleep(0.01)
