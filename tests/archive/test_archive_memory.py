"""Memory does not grow with the archive. SQLite's own memory is bounded by its page cache."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest
from warc_building import response, warc_bytes

from scenthound.archive.opening import open_archive

PAGE = 20_000


def write_pages(path: Path, count: int, gzip: bool) -> Path:
    noise = random.Random(7).randbytes(PAGE)
    with path.open("wb") as file:
        for i in range(count):
            file.write(warc_bytes(response(f"http://a.test/{i}", noise), gzip=gzip))
    return path


def peak_of_reading(path: Path, cache: Path) -> int:
    """Peak of Python's memory while the archive is indexed and read through."""
    tracemalloc.start()
    try:
        with open_archive(path, cache=cache) as archive:
            for url in archive.urls():
                page = archive.fetch(url)
                assert page is not None and len(page.body) == PAGE
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("gzip", [True, False], ids=["gzip", "plain"])
def test_ten_times_the_pages_need_no_more_memory(tmp_path: Path, gzip: bool) -> None:
    warm_up = write_pages(tmp_path / "warm-up", 20, gzip)
    peak_of_reading(warm_up, tmp_path / "cache")
    few = peak_of_reading(write_pages(tmp_path / "few", 200, gzip), tmp_path / "cache")
    many = peak_of_reading(write_pages(tmp_path / "many", 2_000, gzip), tmp_path / "cache")
    assert many < few + 200_000  # the bodies are 36 MB more


def test_one_huge_record_needs_no_more_memory_than_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.write_bytes(warc_bytes(response("http://a.test/", bytes(30_000_000))))
    tracemalloc.start()
    try:
        with open_archive(path, cache=tmp_path / "cache", max_body=100_000) as archive:
            page = archive.fetch("http://a.test/")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert page is not None and (len(page.body), page.truncated) == (100_000, True)
    assert peak < 2_000_000
