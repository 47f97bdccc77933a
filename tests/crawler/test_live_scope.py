"""A crawl keeps to its scope: over links, redirects, seeds that contradict it, and a resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crawler.live_replies import moved
from crawler.live_running import Kept, again, crawl
from crawler.live_web import LiveWeb, MemoryWeb, page

PAGES = {
    "a.test": ["/news/1", "/shop", "http://www.a.test/", "http://b.test/", "http://c.test/"],
    "www.a.test": ["/news/2"],
    "b.test": ["/news/3", "http://bad.b.test/"],
    "bad.b.test": ["/"],
    "c.test": ["/away"],
}


@pytest.fixture
def web() -> Any:
    with MemoryWeb() as made:
        for host, links in PAGES.items():
            made.add(host, "/", page(host, f"A storm over {host}.", links))
        for number, host in enumerate(("a.test", "www.a.test", "b.test"), start=1):
            made.add(
                host, f"/news/{number}", page(f"News {number}", f"Storm number {number * 77}.")
            )
        made.add("a.test", "/shop", page("Shop", "Umbrellas against any weather."))
        made.add("c.test", "/away", moved("http://bad.b.test/"))
        made.add("old.test", "/", moved("http://www.old.test/"))
        made.add("www.old.test", "/", page("Old", "A hurricane of old.", ["http://b.test/"]))
        yield made


def kept(web: LiveWeb, out: Path, *seeds: str, **options: Any) -> Kept:
    return crawl(out, seeds or ["http://a.test/"], allow_private=False, **options)


@pytest.mark.parametrize(
    ("options", "missing", "reason"),
    [
        ({"stay": True}, {"b.test", "bad.b.test", "c.test"}, "outside the seeds' hosts"),
        ({"deny_host": ["bad.*"]}, {"bad.b.test"}, "host denied"),
    ],
)
def test_hosts_out_of_scope_are_never_asked(
    web: LiveWeb, tmp_path: Path, options: dict[str, Any], missing: set[str], reason: str
) -> None:
    found = kept(web, tmp_path / "c", **options)
    asked = {request.url.split("/")[2] for request in web.log}
    assert asked == set(PAGES) - missing
    assert found.dropped()[reason] > 0
    if "c.test" in asked:
        (why,) = found.why("http://c.test/away")
        assert why == reason


def test_includes_bind_links_and_not_the_seed(web: LiveWeb, tmp_path: Path) -> None:
    found = kept(web, tmp_path / "c", include=["*/news/*", "http://b.test/"])
    assert set(found.urls) == {
        "http://a.test/", "http://a.test/news/1", "http://b.test/", "http://b.test/news/3"
    }  # fmt: skip
    assert found.dropped() == {"not included": 4}


def test_a_seed_that_moves_within_its_site_is_followed(web: LiveWeb, tmp_path: Path) -> None:
    found = kept(web, tmp_path / "c", "http://old.test/", include="*/news/*", stay=True)
    assert found.urls == ["http://www.old.test/"]
    assert found.why("http://old.test/") == ["followed"]


def test_a_denied_example_page_is_left_out(web: LiveWeb, tmp_path: Path) -> None:
    examples = ("http://b.test/", "http://c.test/away")
    found = kept(web, tmp_path / "c", examples=examples, deny_host="b.test")
    assert not any("b.test" in url for url in web.requested())
    assert found.why("http://c.test/away") == []
    assert any("http://c.test/away" in text for text in found.warned)


def test_the_scope_holds_after_a_resume(web: LiveWeb, tmp_path: Path) -> None:
    kept(web, tmp_path / "c", stay=True, max_pages=1)
    found = again(tmp_path / "c", max_pages=100)
    assert set(found.urls) == {
        "http://a.test/", "http://a.test/news/1", "http://a.test/shop", "http://www.a.test/",
        "http://www.a.test/news/2"
    }  # fmt: skip
