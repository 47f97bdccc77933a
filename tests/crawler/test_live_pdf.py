"""PDFs in a live crawl: pages where that was asked for, and stopped at their headers otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.live_replies import ok
from crawler.live_running import Kept, again, check_kept, crawl
from crawler.live_web import LiveWeb, MemoryWeb, page
from scenthound.core.errors import SettingsError
from text.pdf_writing import Drawn, encrypted, pdf

KIND = {"Content-Type": "application/pdf"}
REPORT = pdf(
    ["Storm report", "The hurricane and the weather of the coast"],
    links=[[Drawn("/found", 1, 4, 13)]],
    facts={"Title": "Storms of the coast"},
)


@pytest.fixture(scope="module")
def web() -> Iterator[LiveWeb]:
    with MemoryWeb() as built:
        links = ["/report", "/named.pdf?v=2", "/closed.pdf", "/broken.pdf", "/fake.pdf"]
        built.add(1, "/", page("Storms", "Storm and weather.", links))
        built.add(1, "/report", ok(REPORT, KIND))
        octets = {"Content-Type": "application/octet-stream"}
        built.add(1, "/named.pdf?v=2", ok(pdf(["Storm of another name"]), octets))
        built.add(1, "/closed.pdf", ok(encrypted(REPORT, "secret"), KIND))
        built.add(1, "/broken.pdf", ok(b"%PDF-1.7 nothing more", KIND))
        built.add(1, "/fake.pdf", ok(page("A page", "A storm that is no PDF.")))
        built.add(1, "/found", page("Found", "The hurricane."))
        yield built


@pytest.fixture(scope="module")
def kept(web: LiveWeb, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    out = tmp_path_factory.mktemp("pdf") / "crawl"
    return crawl(out, [web.url(1)], pdf=True)


def test_a_pdf_is_judged_and_its_links_are_followed(kept: Kept, web: LiveWeb) -> None:
    report = kept.page(web.url(1, "/report"))
    assert report["relevant"] and "problem" not in report
    inlink = kept.page(web.url(1, "/found"))["inlinks"][0]
    assert inlink[0] == report["n"] and "hurricane" in inlink[2]
    assert kept.page(web.url(1, "/named.pdf?v=2"))["relevant"]
    check_kept(kept.folder)


def test_what_cannot_be_read_is_kept_and_told(kept: Kept, web: LiveWeb) -> None:
    assert kept.page(web.url(1, "/closed.pdf"))["problem"] == "PDF is encrypted"
    assert kept.page(web.url(1, "/broken.pdf"))["problem"] == "PDF cannot be read"
    assert "problem" not in kept.page(web.url(1, "/fake.pdf"))


def test_without_the_option_pdfs_are_refused(web: LiveWeb, tmp_path: Path) -> None:
    kept = crawl(tmp_path / "crawl", [web.url(1)])
    assert kept.why(web.url(1, "/report")) == ["type application/pdf"]
    assert web.url(1, "/found") not in kept.urls


def test_a_crawl_goes_on_with_pdfs(web: LiveWeb, kept: Kept, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    crawl(out, [web.url(1)], pdf=True, max_pages=3, concurrency=1)
    resumed = again(out, max_pages=2_000)
    assert set(resumed.urls) == set(kept.urls)


def test_without_the_extra_nothing_begins(
    web: LiveWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[pdf\]'"):
        crawl(tmp_path / "crawl", [web.url(1)], pdf=True)
    assert not (tmp_path / "crawl").exists()
