"""What fails is tried again later, as late as the server asks, and given up in the end."""

from __future__ import annotations

from pathlib import Path

from crawler.live_replies import Served, broken_off, hung_up, in_turn, no, ok
from crawler.live_running import again, check_kept, crawl
from crawler.live_web import LiveWeb, MemoryWeb, page

BUSY, LIMITED, BROKEN, SOMETIMES, DOWN = range(1, 6)
WAIT_S = 1


def storm(host: int) -> str:
    return page(f"Storm {host}", f"A storm at host {host}.")


def test_hosts_are_left_alone_as_long_as_they_ask_and_broken_ones_are_given_up(
    tmp_path: Path,
) -> None:
    later = {"Retry-After": str(WAIT_S)}
    with LiveWeb(hosts=5) as web:
        served: dict[int, Served] = {
            BUSY: in_turn(no(503, later), ok(storm(BUSY))),
            LIMITED: in_turn(no(429, later), no(429), ok(storm(LIMITED))),
            BROKEN: no(500),
            SOMETIMES: in_turn(hung_up(), ok(storm(SOMETIMES))),
            DOWN: hung_up(),
        }
        urls = {host: web.add(host, "/", reply) for host, reply in served.items()}
        other = web.add(BUSY, "/other", page("Other", "Another hurricane."))
        kept = crawl(tmp_path / "out", [*urls.values(), other], retries=2, concurrency=1)
        times = {
            url: [request.time for request in web.log if request.url == url]
            for url in (*urls.values(), other)
        }
    assert {host: len(times[url]) for host, url in urls.items()} == {
        BUSY: 2, LIMITED: 3, BROKEN: 3, SOMETIMES: 2, DOWN: 3
    }  # fmt: skip
    assert set(check_kept(kept.folder)) == {urls[BUSY], urls[LIMITED], urls[SOMETIMES], other}
    assert kept.why(urls[BUSY]) == ["status 503"]
    assert kept.why(urls[LIMITED]) == 2 * ["status 429"]
    busy, limited, broken = (times[urls[host]] for host in (BUSY, LIMITED, BROKEN))
    for later_time in (busy[1], times[other][0]):  # the whole host rests
        assert later_time - busy[0] >= WAIT_S
    assert limited[1] - limited[0] >= WAIT_S
    # Waits are twice as long each time, shortened by a half at most.
    assert broken[1] - broken[0] >= 0.05 and broken[2] - broken[1] >= 0.1
    failed = [event for event in kept.of("failed") if event["url"] == urls[BROKEN]]
    assert [event["attempts"] for event in failed] == [1, 2, 3]
    assert [event["retry_at"] is None for event in failed] == [False, False, True]
    assert kept.run.problems["status 500"] == 1
    assert kept.of("stopped")[0]["summary"]["given_up"] == 2


def test_seeds_that_never_answered_are_tried_again_on_resuming(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        seed = web.add(1, "/", in_turn(no(503), no(503), ok(storm(1))))
        first = crawl(tmp_path / "out", [seed], retries=1)
        assert (first.run.fetched, first.stopped) == (0, "frontier empty")
        assert any("the seed" in told and "status 503" in told for told in first.warned)
        second = again(tmp_path / "out")
    assert second.urls == check_kept(second.folder) == [seed]


def test_a_body_that_is_cut_is_tried_again(tmp_path: Path) -> None:
    html = page("Storm", "A storm.", ["/2"])
    with MemoryWeb() as web:
        seed = web.add(1, "/", in_turn(broken_off(html), ok(html)))
        other = web.add(1, "/2", page("Two", "Another storm."))
        kept = crawl(tmp_path / "out", [seed])
    assert kept.urls == check_kept(kept.folder) == [seed, other]
    assert kept.why(seed) == ["broken answer: the body is cut"]
