"""Example pages given as addresses come first, say what the topic is, and are pages as any."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.live_replies import moved, no, ok
from crawler.live_running import again, check_kept, crawl
from crawler.live_web import LiveWeb, MemoryWeb, page
from scenthound.core.errors import TopicError
from scenthound.storage.state import read_topic_profile


@pytest.fixture
def web() -> Iterator[LiveWeb]:
    with MemoryWeb() as web:
        yield web


def examples(web: LiveWeb, count: int = 3) -> tuple[str, ...]:
    """Each with a link of its own."""
    for n in range(count):
        web.add(2, f"/on/{n}", page(f"On {n}", f"After hurricane {n}."))
    return tuple(
        web.add(
            1, f"/{n}", page(f"Example {n}", f"Hurricane number {n}.", [web.url(2, f"/on/{n}")])
        )
        for n in range(count)
    )


def test_examples_are_fetched_first_and_once(web: LiveWeb, tmp_path: Path) -> None:
    given = examples(web)
    seed = web.add(3, "/", page("Seed", "A storm.", given))
    seeds = [given[1], seed]  # an example may be a seed too
    kept = crawl(tmp_path / "out", seeds, examples=given, keywords=(), concurrency=1)
    asked = web.requested_pages()
    assert sorted(kept.urls[:3]) == sorted(given)
    assert asked[:3] == list(given) and max(Counter(asked).values()) == 1
    linked = [web.url(2, f"/on/{n}") for n in range(3)]
    assert sorted(check_kept(kept.folder)) == sorted([*given, seed, *linked])
    assert kept.warned == []
    briefing = read_topic_profile(kept.folder)
    assert briefing is not None and len(briefing.examples) == 3
    assert all(event["relevant"] for event in kept.pages[:3])


def test_examples_count_as_pages(web: LiveWeb, tmp_path: Path) -> None:
    given = examples(web)
    kept = crawl(tmp_path / "out", [], examples=given, max_pages=4)
    assert kept.stopped == "budget spent" and kept.run.fetched == 4
    before = kept.urls
    more = again(tmp_path / "out", max_pages=10)
    assert more.run.fetched == 6 and more.urls[:4] == before
    assert len([url for url in web.requested() if url in given]) == 3
    check_kept(tmp_path / "out")


def test_an_example_that_cannot_be_read_is_told(web: LiveWeb, tmp_path: Path) -> None:
    gone = web.add(1, "/gone", no(404))
    hidden = web.add(2, "/hidden", page("Hidden", "A storm."))
    web.add(
        2, "/robots.txt", ok("User-agent: *\nDisallow: /hidden", {"Content-Type": "text/plain"})
    )
    fine = web.add(1, "/fine", page("Fine", "A hurricane."))
    other = web.add(3, "/moved", moved("/here"))
    here = web.add(3, "/here", page("Here", "A cyclone."))
    kept = crawl(tmp_path / "out", [], examples=(gone, hidden, fine, other), keywords=())
    assert sorted(check_kept(kept.folder)) == sorted([fine, here])
    told = "\n".join(kept.warned)
    assert f"{gone} cannot be read (status 404)" in told
    assert f"{hidden} cannot be read (robots.txt)" in told
    assert hidden not in web.requested()
    briefing = read_topic_profile(kept.folder)
    assert briefing is not None and len(briefing.examples) == 2


def test_a_topic_of_nothing_readable_is_refused(web: LiveWeb, tmp_path: Path) -> None:
    """The folder is free for another try."""
    gone = (web.add(1, "/1", no(404)), web.add(1, "/2", no(410)))
    with pytest.raises(TopicError, match="storms"):
        crawl(tmp_path / "out", [web.url(1, "/3")], examples=gone, keywords=())
    seed = web.add(1, "/3", page("Seed", "A storm."))
    assert crawl(tmp_path / "out", [seed]).urls == [seed]


def test_an_unreachable_seed_is_on_record(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    seed = f"http://127.0.0.1:{port}/"
    unknown = "http://no-such-host.invalid/"
    kept = crawl(tmp_path / "out", [seed, unknown], retries=1)
    assert kept.stopped == "frontier empty" and kept.run.fetched == 0
    assert kept.why(seed)[0] == "robots.txt unreadable: connection refused"
    assert kept.why(unknown)[0] == "robots.txt unreadable: host not found"
    assert len(kept.why(seed)) == len(kept.why(unknown)) == 2
    assert kept.of("stopped")[0]["summary"]["given_up"] == 2
