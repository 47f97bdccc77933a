"""A browser that dies: it comes back, or it is given up. Its program is one of this test."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest import MonkeyPatch

from scenthound.core.errors import SettingsError
from scenthound.fetch import browser as module
from scenthound.fetch.browser import (
    NAMES,
    VARIABLE,
    Browser,
    BrowserCrashedError,
    BrowserLostError,
    Chromium,
    RenderingError,
    launch_options,
    no_browser,
)
from scenthound.fetch.subresources import Subresource, SubresourceRequest

PAGE = module.PageSource("http://a.test/", "text/html", b"<p>page")
Act = Callable[["Browser"], Awaitable[object]]


class PlaywrightError(Exception):
    """Stands for Playwright's own."""


class Program:
    """A program that is alive or not; a dead one raises what a dead driver does."""

    def __init__(self) -> None:
        self.alive = True

    async def new_context(self, **_: object) -> Program:
        if not self.alive:
            raise Exception("Connection closed while reading from the driver")
        return self

    async def close(self) -> None:
        """A profile of a dead program does not close."""
        if not self.alive:
            raise PlaywrightError


class FakeChromium(Chromium):
    """Starts as often as it is set to."""

    def __init__(self, starts: int = 1_000) -> None:
        super().__init__()
        self.starts: list[Program] = []
        self.tried = 0
        self._left = starts

    async def start(self) -> None:
        self.tried += 1
        if self.tried > self._left:
            raise SettingsError("it does not start")
        self._program = Program()
        self.starts.append(self._program)

    async def stop(self) -> None:
        self._program = None


class Showings:
    """What happens to the pages that are shown, in turn; afterwards all goes well."""

    def __init__(self, *fates: str) -> None:
        self._fates = list(fates)
        self.shown = 0

    def __call__(self, *_: object) -> Showings:
        return self

    async def run(self, program: Program) -> bytes:
        self.shown += 1
        fate = self._fates.pop(0) if self._fates else "fine"
        if fate == "dies":
            program.alive = False
            raise PlaywrightError
        if fate == "dies silently":
            program.alive = False
            raise TimeoutError
        if fate != "fine":
            raise {"too long": TimeoutError, "crash": PlaywrightError, "bug": KeyError}[fate]
        return b"shown"


async def nothing(wanted: SubresourceRequest) -> Subresource | None:
    raise AssertionError(wanted)


Run = Callable[[Showings, FakeChromium, Act], Any]


@pytest.fixture
def run(monkeypatch: MonkeyPatch) -> Run:
    """Has something done with a browser, without Playwright."""
    playwright = ModuleType("playwright.async_api")
    playwright.Error = PlaywrightError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "playwright", ModuleType("playwright"))
    monkeypatch.setitem(sys.modules, "playwright.async_api", playwright)

    def go(showings: Showings, chromium: FakeChromium, act: Act) -> Any:
        monkeypatch.setattr(module, "PageRendering", showings)

        async def all_of_it() -> object:
            browser = Browser(nothing, "x", 1_000, chromium)
            await browser.start()
            return await act(browser)

        return asyncio.run(all_of_it())

    return go


async def show(browser: Browser) -> bytes:
    return await browser.show(PAGE)


async def failure(browser: Browser) -> Exception:
    with pytest.raises(Exception) as caught:
        await browser.show(PAGE)
    return caught.value


def test_one_that_died_is_replaced_and_the_page_under_way_shown_by_the_next(run: Run) -> None:
    chromium = FakeChromium()

    async def after_a_death(browser: Browser) -> bytes:
        await browser.show(PAGE)
        chromium.starts[-1].alive = False  # between two pages
        return await browser.show(PAGE)

    for fates, act in [(["dies"], show), (["dies silently"], show), ([], after_a_death)]:
        chromium.starts.clear()
        assert run(Showings(*fates), chromium, act) == b"shown"
        assert len(chromium.starts) == 2


def test_a_page_over_which_it_dies_twice_is_not_tried_for_ever(run: Run) -> None:
    showings = Showings("dies", "dies")
    error = run(showings, FakeChromium(), failure)
    assert type(error) is BrowserCrashedError
    assert showings.shown == 2


@pytest.mark.parametrize(
    ("fate", "kind", "why"),
    [("too long", RenderingError, "the browser took too long"),
     ("crash", RenderingError, "the browser failed"), ("bug", KeyError, "")],
)  # fmt: skip
def test_what_is_the_pages_own_fault_is_not_tried_again(
    run: Run, fate: str, kind: type[Exception], why: str
) -> None:
    showings, chromium = Showings(fate), FakeChromium()
    error = run(showings, chromium, failure)
    assert (type(error), str(error)) == (kind, why)
    assert (showings.shown, len(chromium.starts)) == (1, 1)


def test_one_that_does_not_start_again_is_given_up(run: Run) -> None:
    showings, chromium = Showings("dies"), FakeChromium(starts=1)

    async def act(browser: Browser) -> list[Exception]:
        return [await failure(browser) for _ in range(3)]

    errors = run(showings, chromium, act)
    kinds = [BrowserCrashedError, BrowserCrashedError, BrowserLostError]
    assert [type(error) for error in errors] == kinds
    assert chromium.tried == module.MAX_CRASHES


def test_one_that_starts_and_dies_over_every_page_is_given_up_too(run: Run) -> None:
    showings, chromium = Showings(*["dies"] * 100), FakeChromium()

    async def act(browser: Browser) -> list[type[Exception]]:
        return [type(await failure(browser)) for _ in range(5)]

    kinds = run(showings, chromium, act)
    assert kinds == [BrowserCrashedError] * 2 + [BrowserLostError] * 3
    assert showings.shown == len(chromium.starts) == module.MAX_CRASHES
    # They are forgotten with every page that is shown.

    async def twenty(browser: Browser) -> list[bytes]:
        return [await browser.show(PAGE) for _ in range(20)]

    assert run(Showings(*["dies", "fine"] * 20), FakeChromium(), twenty) == [b"shown"] * 20


def test_a_page_that_does_not_let_go_takes_the_browser(run: Run, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CLOSE_SECONDS", 0.01)
    chromium = FakeChromium()

    async def held(self: Program) -> None:
        await asyncio.Event().wait()

    async def act(browser: Browser) -> tuple[Exception, bytes]:
        with monkeypatch.context() as patch:
            patch.setattr(Program, "close", held)
            error = await failure(browser)
        return error, await browser.show(PAGE)

    error, shown = run(Showings("too long"), chromium, act)
    assert (type(error), str(error)) == (RenderingError, "the browser took too long")
    assert (shown, len(chromium.starts)) == (b"shown", 2)


# Which browser is started and how, and what is reported where there is none.


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)
    return str(path)


def test_which_browser_is_started_and_its_sandbox(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    first, second = program(tmp_path, NAMES[0]), program(tmp_path, NAMES[1])
    named = program(tmp_path, "mine")
    path = {"PATH": str(tmp_path)}
    assert launch_options({**path, VARIABLE: named})["executable_path"] == named
    assert launch_options(path)["executable_path"] == first
    os.unlink(first)
    assert launch_options(path)["executable_path"] == second
    os.unlink(second)
    assert launch_options(path)["executable_path"] is None  # Playwright's own
    with pytest.raises(SettingsError, match=r"SCENTHOUND_BROWSER names '.*none', which is no prog"):
        launch_options({VARIABLE: str(tmp_path / "none")})
    for root in (True, False):
        monkeypatch.setattr(module, "is_root", lambda root=root: root)
        assert launch_options({"PATH": ""})["chromium_sandbox"] is not root


def test_why_there_is_no_browser_is_one_sentence(monkeypatch: MonkeyPatch) -> None:
    closed = "launch: Target closed\n"
    messages = {
        "BrowserType.launch: Executable doesn't exist at /x": "none was found; install Chromium",
        f"{closed}<launching> x --no-sandbox\n[pid=1][err] no display\n"
        "[pid=1][err] [1:2:0101/1.2:FATAL:zygote.cc(3)] No usable sandbox! Update\n"
        "[pid=1][err] #0 0x12": "not start (No usable sandbox! Update)",
        f"{closed}<launching> x --no-sandbox --headless\n<launched> pid=1\n"
        "[pid=1][err] chromium: [: unexpected operator\n"
        "[pid=1][err] error while loading libnss3.so\nCall log:\n  - <launching> x": (
            "not start (error while loading libnss3.so)"
        ),
        f"{closed}<launching> x --no-sandbox": "not start (launch: Target closed)",
        "launch: Failed\n  logs": "does not start (launch: Failed); try to start it by hand.",
        "": "does not start ()",
    }
    for error, words in messages.items():
        assert words in no_browser(error) and "\n" not in no_browser(error)
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with pytest.raises(SettingsError, match=r"install it with: pip install 'scenthound\[js\]'\."):
        asyncio.run(Browser(nothing, "x", 1_000).start())
    asyncio.run(Browser(nothing, "x", 1_000).stop())  # one that never started
