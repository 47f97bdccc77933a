"""Crawls of pages that are nothing without their scripts, and browsers that are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple

import pytest

from browser.browser_net import Net, browse
from crawler.live_running import KEYWORDS, AtPage, Kept, again, check_kept, crawl, stored
from crawler.live_web import LiveWeb, MemoryWeb, ok, page
from scenthound.core.errors import SettingsError
from scenthound.crawler.fetch_loop import BROWSER_LOST
from scenthound.fetch import browser as browser_module
from scenthound.fetch.browser import (
    NAMES,
    VARIABLE,
    Browser,
    BrowserCrashedError,
    BrowserLostError,
    PageSource,
)
from scenthound.fetch.subresources import Subresource, SubresourceRequest
from storage.warc_making import records

SHELL = "<!doctype html><title>App</title><div id=app>Loading</div><script src=/app.js></script>"
SCRIPT = """
fetch('/data' + location.pathname).then(answer => answer.json()).then(page => {
  document.title = page.title;
  document.getElementById('app').innerHTML = '<h1>' + page.title + '</h1><p>' + page.text + '</p>'
    + page.links.map(link => '<a href="' + link + '">' + link + '</a>').join(' ');
});
"""
PAGES = {
    "/app": ("A storm", ["/app/one", "/app/two"]),
    "/app/one": ("A hurricane", ["/app"]),
    "/app/two": ("Weather", ["/static"]),
}
TEXT = " ".join(f"the {word} rises over the sea wall in part" for word in KEYWORDS * 5)


def application(web: LiveWeb) -> str:
    """Every page of it is sent as the same few bytes; a static page beside it is not."""
    for path, (title, links) in PAGES.items():
        web.add(1, path, SHELL)
        reported = json.dumps({"title": title, "text": f"{title}: {TEXT}", "links": links})
        web.add(1, f"/data{path}", ok(reported, {"Content-Type": "application/json"}))
    web.add(1, "/app.js", ok(SCRIPT, {"Content-Type": "text/javascript"}))
    static = page(
        "Static", TEXT, [web.url(1, "/app")], head="<script>document.body = null</script>"
    )
    web.add(1, "/static", static)
    return web.url(1, "/app")


def test_without_a_browser_there_is_one_empty_page(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        kept = crawl(tmp_path / "out", [application(web)])
    assert kept.urls == [web.url(1, "/app")]


class Rendered(NamedTuple):
    """A crawl of the application with a browser, and what was in its folder of profiles then."""

    kept: Kept
    web: LiveWeb
    profiles: list[str]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    out = tmp_path_factory.mktemp("rendered") / "out"
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,  # Chromium wants a short path
        pytest.MonkeyPatch.context() as patch,
        LiveWeb(1) as web,
    ):
        patch.setenv("TMPDIR", folder)
        kept = crawl(out, [application(web)], javascript=True)
        return Rendered(kept, web, [path.name for path in Path(folder).iterdir()])


def test_with_a_browser_the_application_is_crawled(rendered: Rendered) -> None:
    kept, web, profiles = rendered
    asked = web.requested()
    assert [name for name in profiles if "profile" in name] == [], "none is left behind"
    assert any("sandbox" in each for each in kept.warned) is (os.geteuid() == 0)
    assert sorted(kept.urls) == sorted(
        [*(web.url(1, path) for path in PAGES), web.url(1, "/static")]
    )
    titles = {event["url"]: event["title"] for event in kept.pages}
    assert [titles[web.url(1, path)] for path in PAGES] == [title for title, _ in PAGES.values()]
    shown = {event["url"] for event in kept.pages if event.get("rendered")}
    assert shown == {web.url(1, path) for path in PAGES}
    assert not any("copy_of" in event for event in kept.pages)
    assert len(asked) == len(set(asked))  # no page is asked for twice, no script either
    assert set(asked) == {
        web.url(1, path)
        for path in ("/robots.txt", "/app.js", "/static", *PAGES, *(f"/data{p}" for p in PAGES))
    }


def test_what_is_kept_is_what_was_sent_and_what_was_shown(rendered: Rendered) -> None:
    out = rendered.kept.folder
    check_kept(out)
    sent = [
        record for record in stored(out) if not record.warc["WARC-Target-URI"].endswith("static")
    ]
    assert {record.content for record in sent} == {SHELL.encode()}
    (path,) = out.glob("pages-*.warc.gz")
    shown = [record for record in records(path) if record.kind == "conversion"]
    assert {r.warc["WARC-Refers-To"] for r in shown} == {r.warc["WARC-Record-ID"] for r in sent}
    assert all(TEXT.encode() in record.content for record in shown)


@pytest.mark.parametrize("robots", ["", "User-agent: *\nCrawl-delay: 1"])
def test_the_delay_is_kept_before_scripts_run_and_what_was_learned_comes_back(
    tmp_path: Path, robots: str
) -> None:
    """From what was shown; a kill between two states leaves none."""
    out = tmp_path / "out"
    with LiveWeb(1) as web:
        web.add(1, "/robots.txt", ok(robots, {"Content-Type": "text/plain"}))
        first = crawl(
            out, [application(web)], javascript=True, max_pages=1, concurrency=1, delay=0.5
        )
        asked = dict(zip(web.requested(), web.arrivals(1), strict=True))
        (out / "state.npz").unlink()
        kept = again(out, max_pages=10, delay=0.0)
    assert asked[web.url(1, "/app.js")] - asked[web.url(1, "/app")] >= (1.0 if robots else 0.5)
    assert kept.warned == [w for w in first.warned if "sandbox" in w]
    assert len(kept.urls) == 4
    check_kept(out)


def test_a_browser_that_is_not_there_is_reported_before_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with LiveWeb(1) as web:
        with pytest.raises(SettingsError, match=r"SCENTHOUND_BROWSER names '.*', which is no prog"):
            crawl(out, [application(web)], javascript=True)
        assert web.requested() == []
    assert list(out.iterdir()) == []
    monkeypatch.setenv(VARIABLE, "/bin/false")
    with LiveWeb(1) as web, pytest.raises(SettingsError, match="does not start"):
        crawl(tmp_path / "false", [application(web)], javascript=True)


# A browser or its driver that is killed: the page under way is shown all the same.


SPARED: dict[int, set[int]] = {}
"""By process: its drivers that no test here has started."""
PAGE = PageSource("http://a.test/", "text/html", b"<p>alive")


@pytest.fixture(autouse=True)
def profiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where a browser that is killed leaves its profile; Chromium wants a short path.

    The browsers that all tests share are spared.
    """
    monkeypatch.setitem(SPARED, os.getpid(), set(drivers(os.getpid())))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield


def children(parent: int) -> list[int]:
    """Processes that this one has started."""
    found = []
    for each in Path("/proc").iterdir():
        try:
            fields = (each / "stat").read_text().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if each.name.isdigit() and int(fields[1]) == parent:
            found.append(int(each.name))
    return found


def drivers(parent: int) -> list[int]:
    return [
        pid
        for pid in children(parent)
        if pid not in SPARED.get(parent, ())
        and b"run-driver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def kill_driver() -> None:
    for pid in drivers(os.getpid()):
        os.kill(pid, signal.SIGKILL)


def kill_program() -> None:
    for driver in drivers(os.getpid()):
        for pid in children(driver):
            os.kill(pid, signal.SIGKILL)


def test_between_two_pages_until_it_is_gone_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(browser: Browser) -> None:
        for kill in (kill_driver, kill_program):
            kill()
            assert b"alive" in await browser.show(PAGE)
        monkeypatch.setenv(VARIABLE, "/bin/false")
        kill_driver()
        for kind in (BrowserCrashedError, BrowserCrashedError, BrowserLostError):
            with pytest.raises(kind):
                await browser.show(PAGE)

    browse(Net(), act)


def test_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_module, "SECONDS", 5.0)
    source = PageSource("http://a.test/", "text/html", b"<p>alive</p><script src=/a.js></script>")

    class Killer(Net):
        kills: ClassVar[list[Callable[[], None]]] = []

        async def fetch(self, wanted: SubresourceRequest) -> Subresource | None:
            if self.kills:
                self.kills.pop()()
            return await super().fetch(wanted)

    async def act(browser: Browser) -> None:
        for kill in (kill_driver, kill_program):
            Killer.kills.append(kill)
            assert b"alive" in await browser.show(source)
            assert Killer.kills == []

    browse(Killer(), act)


def chain(web: LiveWeb, pages: int) -> str:
    """A chain of pages, each of which a script makes."""
    for number in range(pages):
        text = " ".join(f"storm{number}word{word}" for word in range(60))
        made = f"app.innerHTML = '<p>storm {text}</p><a href=/{number + 1}>storm</a>'"
        web.add(1, f"/{number}", f"<div id=app></div><script>{made}</script>")
    return web.url(1, "/0")


def downloader() -> int:
    (found,) = (
        pid
        for pid in children(os.getpid())
        if b"scenthound.fetch.downloader" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    return found


def test_a_crawl_goes_on_with_every_page_after_its_driver_was_killed(tmp_path: Path) -> None:
    def kill() -> None:
        for pid in drivers(downloader()):
            os.kill(pid, signal.SIGKILL)

    with LiveWeb(1) as web:
        seed = chain(web, 4)
        kept = crawl(
            tmp_path / "out", [seed], javascript=True, max_pages=4, watcher=AtPage(2, kill)
        )
    assert [event.get("rendered") for event in kept.pages] == [True] * 4
    assert BROWSER_LOST not in kept.warned


def test_a_crawl_whose_browser_does_not_come_back_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromium = next(filter(None, map(shutil.which, [os.environ.get(VARIABLE, ""), *NAMES])))
    program = tmp_path / "chromium"
    program.symlink_to(chromium)
    monkeypatch.setenv(VARIABLE, str(program))

    def kill() -> None:
        program.unlink()
        for pid in drivers(downloader()):
            os.kill(pid, signal.SIGKILL)

    with LiveWeb(1) as web:
        # One page before the browser dies, and three for its five starts: two are tried for each.
        chain(web, 4)
        seeds = [web.url(1, f"/{number}") for number in range(4)]
        seeds.append(web.add(1, "/plain", "<p>storm"))
        kept = crawl(
            tmp_path / "out", seeds, javascript=True, concurrency=1, watcher=AtPage(1, kill)
        )
    assert kept.warned.count(BROWSER_LOST) == 1
    assert set(seeds) <= set(kept.urls)
