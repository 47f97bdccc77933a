"""A browser or its driver that is killed: the page under way is shown all the same."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest

from browser.browser_net import Net, browse
from crawler.live_running import AtPage, crawl
from crawler.live_web import LiveWeb
from scenthound.crawler.worker import BROWSER_LOST
from scenthound.fetch import browser as module
from scenthound.fetch import chromium as program_module
from scenthound.fetch.browser import Browser, BrowserLostError, PageSource
from scenthound.fetch.chromium import NAMES, VARIABLE
from scenthound.fetch.subresources import Subresource, SubresourceRequest

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
    monkeypatch.setattr(program_module, "PAUSES", (0.0,))

    async def act(browser: Browser) -> None:
        for kill in (kill_driver, kill_program):
            kill()
            assert b"alive" in await browser.show(PAGE)
        monkeypatch.setenv(VARIABLE, "/bin/false")
        kill_driver()
        with pytest.raises(BrowserLostError):
            await browser.show(PAGE)

    browse(Net(), act)


def test_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 5.0)
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


def application(web: LiveWeb, pages: int) -> str:
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
        seed = application(web, 4)
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
        seeds = [application(web, 2), web.add(1, "/plain", "<p>storm")]
        kept = crawl(
            tmp_path / "out", seeds, javascript=True, concurrency=1, watcher=AtPage(1, kill)
        )
    assert kept.warned.count(BROWSER_LOST) == 1
    assert len(kept.pages) >= 2
