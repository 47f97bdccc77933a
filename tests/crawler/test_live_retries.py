"""What fails is tried again later, as late as the server asks, and given up in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from crawler.live_replies import hung_up, in_turn, no, ok
from crawler.live_running import Kept, check_kept, crawl
from crawler.live_web import LiveWeb, page

BUSY, LIMITED, BROKEN, SOMETIMES, DOWN = range(1, 6)
WAIT_S = 1


def storm(host: int) -> str:
    return page(f"Storm {host}", f"A storm at host {host}.")


@dataclass(frozen=True)
class Scene:
    """The web and what the crawl kept of it."""

    web: LiveWeb
    kept: Kept


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with LiveWeb(hosts=5) as web:
        later = {"Retry-After": str(WAIT_S)}
        web.add(BUSY, "/", in_turn(no(503, later), ok(storm(BUSY))))
        web.add(BUSY, "/other", page("Other", "Another hurricane."))
        web.add(LIMITED, "/", in_turn(no(429, later), no(429), ok(storm(LIMITED))))
        web.add(BROKEN, "/", no(500))
        web.add(SOMETIMES, "/", in_turn(hung_up(), ok(storm(SOMETIMES))))
        web.add(DOWN, "/", hung_up())
        seeds = [web.url(host) for host in range(1, 6)]
        out = tmp_path_factory.mktemp("retries") / "out"
        yield Scene(web, crawl(out, [*seeds, web.url(BUSY, "/other")], retries=2, concurrency=1))


def times(scene: Scene, host: int, path: str = "/") -> list[float]:
    url = scene.web.url(host, path)
    return [request.time for request in scene.web.log if request.url == url]


def test_retry_after_is_obeyed_by_the_whole_host(scene: Scene) -> None:
    first, second = times(scene, BUSY)
    assert second - first >= WAIT_S
    assert scene.kept.why(scene.web.url(BUSY)) == ["status 503"]
    assert scene.web.url(BUSY) in scene.kept.urls
    (other,) = times(scene, BUSY, "/other")
    assert other - first >= WAIT_S


def test_too_many_requests(scene: Scene) -> None:
    first, second, _ = times(scene, LIMITED)
    assert second - first >= WAIT_S
    assert scene.kept.why(scene.web.url(LIMITED)) == 2 * ["status 429"]
    assert scene.web.url(LIMITED) in scene.kept.urls


def test_a_broken_page_is_given_up_after_the_retries(scene: Scene) -> None:
    first, second, third = times(scene, BROKEN)
    # Waits are twice as long each time, shortened by a half at most.
    assert second - first >= 0.05 and third - second >= 0.1
    failed = [e for e in scene.kept.of("failed") if e["url"] == scene.web.url(BROKEN)]
    assert [event["attempts"] for event in failed] == [1, 2, 3]
    assert [event["retry_at"] is None for event in failed] == [False, False, True]
    assert scene.kept.run.problems["status 500"] == 1


def test_a_connection_that_breaks_once(scene: Scene) -> None:
    assert len(times(scene, SOMETIMES)) == 2
    assert scene.web.url(SOMETIMES) in scene.kept.urls
    check_kept(scene.kept.folder)


def test_a_host_that_never_answers(scene: Scene) -> None:
    assert len(times(scene, DOWN)) == 3
    assert scene.web.url(DOWN) not in scene.kept.urls
    assert scene.kept.of("stopped")[0]["summary"]["given_up"] == 2
