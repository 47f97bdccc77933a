"""Servers that behave badly: each leaves a reason in the journal, and the crawl goes on.

One crawl sees all the hostile sites; each test looks at some of them. What fails is tried again
later, as late as the server asks, and given up in the end.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from crawler import live_replies as replies
from crawler.live_running import again, check_kept, crawl, stored
from crawler.live_web import LiveWeb, MemoryWeb, Scene, ok, page
from scenthound.sample.server import Reply, http_head
from storage.warc_making import records

MOST_BYTES = 100_000
STORM = page("A storm", "A storm over the weather of a hurricane. " * 20)
FILE = [("Content-Type", "application/pdf")]
LONG = page("A flood", "A flood and the weather after it. " * 20)
SHORT = http_head(200, [("Content-Type", replies.HTML), ("Connection", "close")], len(LONG) // 2)
BAD: dict[str, tuple[Reply, str]] = {
    "announced": (replies.announced("<p>storm", 10**9), "too large"),
    "endless": (replies.endless_body(), "too large"),
    "chunks": (replies.endless_chunks(), "too large"),
    "headers": (replies.endless_headers(), "headers too large"),
    "dripping": (replies.dripping(), "timeout"),
    "dripping-head": (replies.dripping_head(), "timeout"),
    "silent": (replies.silent(), "timeout"),
    "hung-up": (replies.hung_up(), "broken answer"),
    "no-http": (Reply((b"SSH-2.0-OpenSSH_9.6\r\n",), close=True), "broken answer"),
    "file": (
        Reply(replies.Endless(http_head(200, FILE, None), lambda: repeat(b"%PDF" * 999))),
        "type",
    ),
    "image": (ok(b"\x89PNG", {"Content-Type": "image/png"}), "type image/*"),
}
"""Replies by path, and how the reason on record begins."""
SITE, CUT, BOMB, BINARY, CALENDAR, SHOP, MAZE, TITLES = range(1, 9)
HOSTILE = '\x1b]0;owned\x07\x1b[2J"}\r\nWARC/1.1\r\n\udcff\u202e</title><script>alert(1)</script>'


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with LiveWeb(hosts=8) as web:
        for path, (reply, _) in BAD.items():
            web.add(SITE, f"/{path}", reply)
        web.add(CUT, "/", replies.broken_off(STORM))
        web.add(CUT, "/short", Reply((SHORT + LONG.encode(),), close=True))
        web.add(BOMB, "/", replies.gzip_bomb(20_000_000))
        web.add(BINARY, "/", ok(bytes(range(256)) * 40))
        web.add_below(CALENDAR, "/calendar", replies.calendar_month)
        web.add_below(SHOP, "/shop", replies.session_shop("/shop", items=4))
        web.add_below(
            MAZE, "/", lambda path: ok(page(path, f"A storm at {path}.", [f"{path}/deeper"]))
        )
        title = HOSTILE.encode("utf-8", "surrogateescape").decode("latin-1")
        web.add(TITLES, "/", ok(f"<title>{title}</title><p>storm <a href='/{title}'>{title}</a>"))
        seeds = [web.url(SITE, f"/{path}") for path in BAD]
        seeds += [web.url(CUT, "/short"), web.url(CALENDAR, "/calendar?month=2020-01")]
        seeds += [web.url(SHOP, "/shop/0"), web.url(MAZE, "/maze")]
        seeds += [web.url(host) for host in (CUT, BOMB, BINARY, TITLES)]
        out = tmp_path_factory.mktemp("hostile") / "out"
        yield Scene(
            web, crawl(out, seeds, timeout=1.0, retries=0, max_body=MOST_BYTES, concurrency=16)
        )


def test_bad_answers_are_on_record_with_their_reasons_and_the_folder_is_whole(scene: Scene) -> None:
    assert scene.kept.stopped == "frontier empty"
    check_kept(scene.kept.folder)
    assert scene.kept.run.problems["timeout"] == 3
    assert scene.kept.run.problems["too large"] == 3
    summary = scene.kept.of("stopped")[0]["summary"]
    assert summary["given_up"] == 9 and summary["refused"] == 2
    for path, (_, reason) in BAD.items():
        url = scene.web.url(SITE, f"/{path}")
        (why,) = scene.kept.why(url)
        assert why.startswith(reason), path
        assert url not in scene.kept.urls
        assert scene.web.requested_of(SITE).count(f"/{path}") == 1
    # A file is stopped at its headers: else it would have been too large.
    assert scene.kept.why(scene.web.url(SITE, "/file")) == ["type application/pdf"]
    assert scene.kept.run.dropped["type application/pdf"] == 1


def test_a_page_that_is_cut_off_and_a_bomb_are_kept_as_far_as_they_came(scene: Scene) -> None:
    url = scene.web.url(CUT)
    assert scene.kept.page(url)["problem"] == "body cut or damaged"
    (record,) = (r for r in stored(scene.kept.folder) if r.warc["WARC-Target-URI"] == url)
    assert record.warc["WARC-Truncated"] == "disconnect"
    assert record.content == STORM.encode()[: len(STORM) // 2]
    (short,) = (r for r in stored(scene.kept.folder) if r.warc["WARC-Target-URI"] == url + "short")
    assert short.content == LONG.encode()[: len(LONG) // 2]
    url = scene.web.url(BOMB)
    assert scene.kept.page(url)["problem"] == "body cut or damaged"
    (record,) = (r for r in stored(scene.kept.folder) if r.warc["WARC-Target-URI"] == url)
    assert len(record.content) < MOST_BYTES
    assert scene.kept.page(scene.web.url(BINARY))["problem"] == "not a page: binary or media"


def test_traps_end(scene: Scene) -> None:
    asked = scene.web.requested_of
    assert 24 < len(asked(CALENDAR)) < 500
    assert {"calendar", "endless calendar"} & set(scene.kept.dropped())
    shop = [f"/shop/{item}" for item in range(4)]  # each without session id
    assert sorted(asked(SHOP)) == ["/robots.txt", *shop]
    assert len(asked(MAZE)) <= 5
    assert scene.kept.dropped()["path repetition"] == 1


def test_a_hostile_title_breaks_nothing(scene: Scene) -> None:
    url = scene.web.url(TITLES)
    event = scene.kept.page(url)
    assert "owned" in event["title"]
    lines = (scene.kept.folder / "journal.jsonl").read_bytes().splitlines()
    assert len(lines) == len(scene.kept.events)
    assert not [line for line in lines if b"\x1b" in line or b"\x00" in line]
    reported = [
        record
        for record in records(scene.kept.folder / "pages-00001.warc.gz")
        if record.kind == "metadata" and record.warc["WARC-Target-URI"] == url
    ]
    assert len(reported) == 1 and b"\x1b" not in reported[0].content


def storm(host: int) -> str:
    return page(f"Storm {host}", f"A storm at host {host}.")


def test_hosts_rest_as_long_as_they_ask_and_broken_ones_are_given_up(tmp_path: Path) -> None:
    busy_host, limited_host, broken_host, sometimes_host, down_host = range(1, 6)
    wait_s = 1
    later = {"Retry-After": str(wait_s)}
    with LiveWeb(hosts=5) as web:
        served: dict[int, replies.Served] = {
            busy_host: replies.in_turn(replies.no(503, later), ok(storm(busy_host))),
            limited_host: replies.in_turn(
                replies.no(429, later), replies.no(429), ok(storm(limited_host))
            ),
            broken_host: replies.no(500),
            sometimes_host: replies.in_turn(replies.hung_up(), ok(storm(sometimes_host))),
            down_host: replies.hung_up(),
        }
        urls = {host: web.add(host, "/", reply) for host, reply in served.items()}
        other = web.add(busy_host, "/other", page("Other", "Another hurricane."))
        kept = crawl(tmp_path / "out", [*urls.values(), other], retries=2, concurrency=1)
        times = {
            url: [request.time for request in web.log if request.url == url]
            for url in (*urls.values(), other)
        }
    assert {host: len(times[url]) for host, url in urls.items()} == {
        busy_host: 2, limited_host: 3, broken_host: 3, sometimes_host: 2, down_host: 3
    }  # fmt: skip
    assert set(check_kept(kept.folder)) == {
        urls[busy_host],
        urls[limited_host],
        urls[sometimes_host],
        other,
    }
    assert kept.why(urls[busy_host]) == ["status 503"]
    assert kept.why(urls[limited_host]) == 2 * ["status 429"]
    busy, limited, broken = (times[urls[host]] for host in (busy_host, limited_host, broken_host))
    for later_time in (busy[1], times[other][0]):  # the whole host rests
        assert later_time - busy[0] >= wait_s
    assert limited[1] - limited[0] >= wait_s
    # Waits are twice as long each time, shortened by a half at most.
    assert broken[1] - broken[0] >= 0.05 and broken[2] - broken[1] >= 0.1
    failed = [event for event in kept.of("failed") if event["url"] == urls[broken_host]]
    assert [event["attempts"] for event in failed] == [1, 2, 3]
    assert [event["retry_at"] is None for event in failed] == [False, False, True]
    assert kept.run.problems["status 500"] == 1
    assert kept.of("stopped")[0]["summary"]["given_up"] == 2


def test_silent_seeds_and_cut_bodies_are_tried_again(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        seed = web.add(1, "/", replies.in_turn(replies.no(503), replies.no(503), ok(storm(1))))
        first = crawl(tmp_path / "out", [seed], retries=1)
        assert (first.run.fetched, first.stopped) == (0, "frontier empty")
        assert any("the seed" in reported and "status 503" in reported for reported in first.warned)
        second = again(tmp_path / "out")
    assert second.urls == check_kept(second.folder) == [seed]
    html = page("Storm", "A storm.", ["/2"])
    with MemoryWeb() as web:
        seed = web.add(1, "/", replies.in_turn(replies.broken_off(html), ok(html)))
        other = web.add(1, "/2", page("Two", "Another storm."))
        kept = crawl(tmp_path / "cut", [seed])
    assert kept.urls == check_kept(kept.folder) == [seed, other]
    assert kept.why(seed) == ["broken answer: the body is cut"]


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
