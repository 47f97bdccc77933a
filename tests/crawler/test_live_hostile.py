"""Servers that behave badly: each leaves a reason in the journal, and the crawl goes on.

One crawl sees all the sites; each test looks at some of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import pytest

from crawler.live_replies import (
    HTML,
    Endless,
    announced,
    broken_off,
    calendar_month,
    dripping,
    dripping_head,
    endless_body,
    endless_chunks,
    endless_headers,
    gzip_bomb,
    hung_up,
    ok,
    session_shop,
    silent,
)
from crawler.live_running import check_kept, crawl, stored
from crawler.live_web import LiveWeb, Scene, page
from scenthound.sample.server import Reply, http_head
from storage.warc_making import records

MOST_BYTES = 100_000
STORM = page("A storm", "A storm over the weather of a hurricane. " * 20)
FILE = [("Content-Type", "application/pdf")]
LONG = page("A flood", "A flood and the weather after it. " * 20)
SHORT = http_head(200, [("Content-Type", HTML), ("Connection", "close")], len(LONG) // 2)
BAD: dict[str, tuple[Reply, str]] = {
    "announced": (announced("<p>storm", 10**9), "too large"),
    "endless": (endless_body(), "too large"),
    "chunks": (endless_chunks(), "too large"),
    "headers": (endless_headers(), "headers too large"),
    "dripping": (dripping(), "timeout"),
    "dripping-head": (dripping_head(), "timeout"),
    "silent": (silent(), "timeout"),
    "hung-up": (hung_up(), "broken answer"),
    "no-http": (Reply((b"SSH-2.0-OpenSSH_9.6\r\n",), close=True), "broken answer"),
    "file": (Reply(Endless(http_head(200, FILE, None), lambda: repeat(b"%PDF" * 999))), "type"),
    "image": (ok(b"\x89PNG", {"Content-Type": "image/png"}), "type image/*"),
}
"""Replies by path, and how the reason on record begins."""
SITE, CUT, BOMB, BINARY, CALENDAR, SHOP, MAZE, TITLES = range(1, 9)
HOSTILE = '\x1b]0;owned\x07\x1b[2J"}\r\nWARC/1.1\r\n\udcff\u202e</title><script>alert(1)</script>'


def build_sites(web: LiveWeb) -> list[str]:
    """Put the sites there; the pages to start from."""
    for path, (reply, _) in BAD.items():
        web.add(SITE, f"/{path}", reply)
    web.add(CUT, "/", broken_off(STORM))
    web.add(CUT, "/short", Reply((SHORT + LONG.encode(),), close=True))
    web.add(BOMB, "/", gzip_bomb(20_000_000))
    web.add(BINARY, "/", ok(bytes(range(256)) * 40))
    web.add_below(CALENDAR, "/calendar", calendar_month)
    web.add_below(SHOP, "/shop", session_shop("/shop", items=4))
    web.add_below(MAZE, "/", lambda path: ok(page(path, f"A storm at {path}.", [f"{path}/deeper"])))
    title = HOSTILE.encode("utf-8", "surrogateescape").decode("latin-1")
    web.add(TITLES, "/", ok(f"<title>{title}</title><p>storm <a href='/{title}'>{title}</a>"))
    seeds = [web.url(SITE, f"/{path}") for path in BAD]
    seeds += [web.url(CUT, "/short"), web.url(CALENDAR, "/calendar?month=2020-01")]
    seeds += [web.url(SHOP, "/shop/0"), web.url(MAZE, "/maze")]
    return seeds + [web.url(host) for host in (CUT, BOMB, BINARY, TITLES)]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with LiveWeb(hosts=8) as web:
        seeds = build_sites(web)
        out = tmp_path_factory.mktemp("hostile") / "out"
        yield Scene(
            web, crawl(out, seeds, timeout=1.0, retries=0, max_body=MOST_BYTES, concurrency=16)
        )


def test_the_crawl_ends_and_its_folder_is_whole(scene: Scene) -> None:
    assert scene.kept.stopped == "frontier empty"
    check_kept(scene.kept.folder)
    assert scene.kept.run.problems["timeout"] == 3
    assert scene.kept.run.problems["too large"] == 3
    summary = scene.kept.of("stopped")[0]["summary"]
    assert summary["given_up"] == 9 and summary["refused"] == 2


def test_a_bad_answer_is_on_record_with_its_reason(scene: Scene) -> None:
    for path, (_, reason) in BAD.items():
        url = scene.web.url(SITE, f"/{path}")
        (why,) = scene.kept.why(url)
        assert why.startswith(reason), path
        assert url not in scene.kept.urls
        assert scene.web.requested_of(SITE).count(f"/{path}") == 1
    # A file is stopped at its headers: else it would have been too large.
    assert scene.kept.why(scene.web.url(SITE, "/file")) == ["type application/pdf"]
    assert scene.kept.run.dropped["type application/pdf"] == 1


def test_a_page_that_is_cut_off_is_kept_as_far_as_it_came(scene: Scene) -> None:
    url = scene.web.url(CUT)
    assert scene.kept.page(url)["problem"] == "body cut or damaged"
    (record,) = (r for r in stored(scene.kept.folder) if r.warc["WARC-Target-URI"] == url)
    assert record.warc["WARC-Truncated"] == "disconnect"
    assert record.content == STORM.encode()[: len(STORM) // 2]
    (short,) = (r for r in stored(scene.kept.folder) if r.warc["WARC-Target-URI"] == url + "short")
    assert short.content == LONG.encode()[: len(LONG) // 2]


def test_a_bomb_is_stored_as_it_came_and_read_up_to_the_limit(scene: Scene) -> None:
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
    told = [
        record
        for record in records(scene.kept.folder / "pages-00001.warc.gz")
        if record.kind == "metadata" and record.warc["WARC-Target-URI"] == url
    ]
    assert len(told) == 1 and b"\x1b" not in told[0].content
