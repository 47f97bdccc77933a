"""Many windows of one dashboard in one browser, which has six connections for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.dashboard_running import dashboard, turn, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

MANY = 7


@pytest.fixture(scope="module")
def address(finished: Path) -> Iterator[str]:
    with dashboard(finished) as started:
        yield started


def opened(page: Page, address: str) -> Page:
    """A further window of the same browser."""
    further = page.context.new_page()
    further.goto(address)
    return further


def is_shown(page: Page) -> bool:
    live: int = page.locator("#connection[data-state=live]").count()
    rows: int = page.locator("table.pages tbody tr").count()
    return live == 1 and rows == 50


def test_windows_out_of_sight_leave_room_for_one_more(page: Page, address: str) -> None:
    for _ in range(MANY - 1):
        further = opened(page, address)
        wait_for(partial(is_shown, further), "its pages")
        turn(further, away=True)
    page.goto(address)
    wait_for(partial(is_shown, page), "its pages")


def test_windows_in_sight_make_room_for_each_other(page: Page, address: str) -> None:
    windows = [opened(page, address) for _ in range(MANY)]
    wait_for(lambda: all(map(is_shown, windows)), "the pages in all of them")
