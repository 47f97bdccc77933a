"""A page asked for by its number is explained without reading the whole journal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from output.explained_web import Crawled
from scenthound import explain


def test_it_is_explained_as_by_its_url(live: Crawled) -> None:
    for number in range(1, 7):
        told = explain(live.folder, number)
        by_url = explain(live.folder, told.url)
        assert replace(told, asked="", history=()) == replace(by_url, asked="", history=())


def test_the_journal_is_not_read_through(live: Crawled, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: object) -> None:
        raise AssertionError("all of it was read")

    monkeypatch.setattr("scenthound.storage.stored_crawl.read_backwards", never)
    assert explain(live.folder, 2).verdict == "fetched as page 2 of 6"
