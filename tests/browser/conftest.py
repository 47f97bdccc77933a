"""Tests that need a browser; they are not collected unless asked for: ``make browser``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.browser_net import SharedBrowser
from browser.dashboard_running import dashboard, finish, prepare
from scenthound.fetch.browser import NAMES, VARIABLE, launch_options

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what is missing in one line, rather than in every test."""
    if find_spec("playwright") is None:
        pytest.exit("Playwright is missing: pip install 'scenthound[js]'", returncode=1)
    if os.environ.get(VARIABLE) is None and not any(map(shutil.which, NAMES)):
        pytest.exit(f"no Chromium: apt install chromium, or name one in {VARIABLE}", returncode=1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Root, as in a container, has no sandbox; one test asserts that it is warned of that."""
    ignored = pytest.mark.filterwarnings("ignore:the browser runs without its sandbox")
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(ignored)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser for all tests of the dashboard and of reports."""
    from playwright.sync_api import sync_playwright

    options = launch_options(os.environ)
    chosen: dict[str, Any] = {
        name: options[name] for name in ("executable_path", "chromium_sandbox")
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chosen)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def show() -> Iterator[Callable[..., str]]:
    """Shows a page in a browser that all tests share; the HTML that comes of it."""
    browser = SharedBrowser()
    yield browser.show
    browser.close()


@pytest.fixture
def errors() -> list[str]:
    """What the console complains of; none is left at the end of a test."""
    return []


@pytest.fixture
def page(chromium: Browser, errors: list[str]) -> Iterator[Page]:
    """A new page in a profile of its own; it must not complain, nor open a dialog."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(20_000)
    page = context.new_page()

    def printed(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} {message.location['url']}")

    def opened(dialog: Dialog) -> None:
        errors.append(dialog.message)
        dialog.dismiss()

    page.on("console", printed)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", opened)
    yield page
    context.close()
    assert errors == []


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of the sample web that is over, 120 pages."""
    return finish(prepare(tmp_path_factory.mktemp("crawls") / "finished", max_pages=120))


@pytest.fixture(scope="session")
def finished_address(finished: Path) -> Iterator[str]:
    """The dashboard of the crawl that is over."""
    with dashboard(finished) as started:
        yield started
