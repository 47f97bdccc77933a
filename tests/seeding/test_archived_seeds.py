"""Pages of an archive are scored by their text, and never asked for on the web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from live.live_replies import ok
from live.live_web import LiveWeb
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.seeding.proposal import Basis, Kind
from seeding.seed_site import STORMY
from seeding.seed_web import urlset

KEYWORDS = ("typhoon", "storm surge")
PAGES = {
    "much.html": f"<title>Notes</title><p>{STORMY}",
    "little.html": f"<title>Typhoon</title><p>A typhoon came. {'Roses grew. ' * 50}",
    "none.html": "<title>Roses</title><p>Roses grew.",
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "pages" / "a.test"
    folder.mkdir(parents=True)
    for name, html in PAGES.items():
        (folder / name).write_text(html)
    return tmp_path / "pages"


@pytest.fixture
def web() -> Iterator[LiveWeb]:
    with LiveWeb(hosts=1) as served:
        yield served


def test_the_whole_text_counts_and_not_the_title(archive: Path) -> None:
    first, second = find_seeds(Topic("storms", KEYWORDS), archive=archive, warn=print)
    assert (first.url, first.kind, first.basis) == (
        "http://a.test/much.html", Kind.EXAMPLE, Basis.TEXT,
    )  # fmt: skip
    assert (second.url, second.kind, second.basis) == (
        "http://a.test/little.html", Kind.SEED, Basis.TEXT,
    )  # fmt: skip
    assert first.score > 0.5 > second.score > 0.0
    assert first.sources == ("archive",)


def test_whoever_has_pages_read_gets_only_good_ones(archive: Path) -> None:
    told: list[str] = []
    topic = Topic("storms", KEYWORDS)
    (found,) = find_seeds(topic, archive=archive, fetch=5, warn=told.append)
    assert found.url == "http://a.test/much.html"
    assert told == ["1 of 2 pages is not about the topic and left out"]


def test_one_page_is_one_page(archive: Path) -> None:
    (archive / "a.test" / "much.html").unlink()
    told: list[str] = []
    assert find_seeds(Topic("storms", KEYWORDS), archive=archive, fetch=5, warn=told.append) == []
    assert told == ["1 of 1 page is not about the topic and left out"]


def test_what_lies_in_the_archive_is_not_asked_for(web: LiveWeb, archive: Path) -> None:
    pages = ("http://a.test/much.html", "http://a.test/storm-surge.html")
    web.add("a.test", "/sitemap.xml", ok(urlset(*pages), {"Content-Type": "application/xml"}))
    web.add("a.test", "/storm-surge.html", f"<title>Surge</title><p>{STORMY}")
    (archive / "a.test" / "example.html").write_text(f"<p>{STORMY} Rain fell.")
    topic = Topic("storms", KEYWORDS, ("http://a.test/",), ("http://a.test/example.html",))
    options = CrawlOptions(proxy=web.proxy, delay=0.0)
    found = find_seeds(
        topic, ["sitemaps", "archive"], archive=archive, fetch=5, options=options, warn=print
    )
    assert {each.url for each in found} == set(pages)
    assert web.requested() == [
        "http://a.test/robots.txt", "http://a.test/sitemap.xml", pages[1],
    ]  # fmt: skip


def test_sitemaps_and_images_in_an_archive_are_no_pages(archive: Path) -> None:
    (archive / "a.test" / "map.xml").write_text(urlset("http://a.test/typhoon"))
    found = find_seeds(Topic("storms", KEYWORDS), archive=archive, warn=print)
    assert [each.url.rpartition("/")[2] for each in found] == ["much.html", "little.html"]
