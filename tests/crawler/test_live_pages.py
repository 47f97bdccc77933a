"""A web is crawled to its end: what is stored, what is on record, what redirects become.

One crawl sees all the sites; each test looks at one of them. PDFs have crawls of their own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.live_replies import moved, no, ok
from crawler.live_running import again, check_kept, crawl, redirects, stored
from crawler.live_web import LiveWeb, MemoryWeb, Scene, page
from scenthound.core.errors import SettingsError
from scenthound.storage.archive import open_archive
from scenthound.storage.folder import CrawlFolder
from storage.warc_making import records
from text.pdf_writing import Drawn, encrypted, pdf

LINKED = range(1, 6)
REDIRECTS, OTHER, LOOPS, ERRORS, LINKS, COPIES = range(6, 12)
TEXT = " ".join(f"storm {number}{number} over sea{number}" for number in range(100))
UNUSABLE = (
    "mailto:me@a.test", "javascript:x()", "http://[", "/", "/secret/1", "/secret/2",
    "/deep/deep/deep/deep"
)  # fmt: skip


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with LiveWeb(hosts=11) as web:
        moves = {"/start": "/middle", "/old": "/", "/away": "http://[", "/ftp": "ftp://a/"}
        for place, to in moves.items():
            web.add(REDIRECTS, place, moved(to))
        web.add(REDIRECTS, "/middle", moved(web.url(OTHER, "/end"), 301))
        web.add(REDIRECTS, "/", page("Seed", "A storm.", ["/start", "/old", "/away", "/ftp"]))
        web.add(OTHER, "/end", page("End", "A storm at the end."))
        for place, to in (("/a", "/b"), ("/b", "/a"), ("/self", "/self")):
            web.add(LOOPS, place, moved(to))
        web.add_below(LOOPS, "/far/", lambda path: moved(f"/far/{int(path[5:]) + 1}"))
        web.add(LOOPS, "/", page("Loops", "A storm that turns.", ["/a", "/self", "/far/1"]))
        for status in (404, 410, 403, 401):
            web.add(ERRORS, f"/{status}", no(status))
        links = ["/404", "/410", "/403", "/401"]
        web.add(ERRORS, "/", page("Errors", "A storm went wrong.", links))
        web.add(LINKS, "/", page("Links", "A storm of links.", UNUSABLE))
        original = page("Storms", TEXT, [("/only-here", "More")])
        web.add(COPIES, "/first", original)
        web.add(COPIES, "/second", original)
        web.add(COPIES, "/third", original.replace("/only-here", "/elsewhere"))
        web.add(COPIES, "/only-here", page("Here", "A short storm."))
        web.add(COPIES, "/elsewhere", page("Elsewhere", "A short hurricane."))
        web.add(COPIES, "/", page("Copies", "Storms.", ["/first"]))
        copies = [web.url(COPIES, path) for path in ("/first", "/second", "/third")]
        seeds = [*(web.url(host) for host in (REDIRECTS, LOOPS, ERRORS, LINKS)), *copies]
        seeds.append(web.add_linked(pages=60, hosts=5, seed=1)[0])
        out = tmp_path_factory.mktemp("pages") / "out"
        kept = crawl(out, seeds, concurrency=1, exclude=("*/secret/*",), contact="me@example.org")
        yield Scene(web, kept)


def test_every_page_is_stored_once_and_the_results_are_those_of_the_journal(scene: Scene) -> None:
    assert scene.kept.stopped == "frontier empty"
    urls = check_kept(scene.kept.folder)
    linked, asked = scene.web.urls_of(LINKED), scene.web.requested()
    assert len(linked) == 60 and set(linked) <= set(urls)
    assert len(set(asked)) == len(asked)
    assert len([url for url in asked if url.endswith("/robots.txt")]) == 11
    assert scene.kept.run.fetched == len(urls)
    results = json.loads(CrawlFolder(scene.kept.folder).results_path.read_text())
    assert results["stopped"] == "frontier empty"
    assert results["fetched"] == len(scene.kept.pages)
    assert results["final"]["rn"] == sum(event["relevant"] for event in scene.kept.pages)
    assert results == scene.kept.run.to_json()


def test_an_archive_is_what_the_crawl_leaves(scene: Scene, tmp_path: Path) -> None:
    with open_archive(scene.kept.folder, cache=tmp_path) as archive:
        moved_from = [url for url, _ in redirects(scene.kept.folder)]
        assert sorted(archive.urls()) == sorted([*scene.kept.urls, *moved_from])
        for url in scene.web.urls_of(LINKED):
            reply, found = scene.web._answer(url), archive.fetch(url)
            assert reply is not None and found is not None
            (wire,) = reply.steps
            assert isinstance(wire, bytes)
            assert found.body == wire.partition(b"\r\n\r\n")[2]


def test_the_metadata_says_why_a_page_was_fetched_and_requests_who_asks(scene: Scene) -> None:
    reported = {
        record.warc["WARC-Target-URI"]: record.content.decode()
        for record in records(scene.kept.folder / "pages-00001.warc.gz")
        if record.kind == "metadata"
    }
    moved_from = [url for url, _ in redirects(scene.kept.folder)]
    assert sorted(reported) == sorted([*scene.kept.urls, *moved_from])
    for event in scene.kept.pages:
        fields = dict(line.split(": ", 1) for line in reported[event["url"]].splitlines())
        assert fields["page"] == str(event["n"])
        assert fields["hopsFromSeed"] == str(event["depth"])
        assert float(fields["similarity"]) == event["similarity"]
        assert fields["relevant"] == str(event["relevant"]).lower()
        assert ("priority" in fields) == (event["depth"] > 0)
        if event["depth"] > 0:
            assert float(fields["priority"]) == event["priority"]
            assert fields["linkedFromPage"].split()[0] in {str(i[0]) for i in event["inlinks"]}
            assert {"priority-full", "priority-anchor"} <= set(fields)
            assert fields["via"] == scene.kept.urls[event["inlinks"][0][0] - 1]
    (agent,) = {request.headers["user-agent"] for request in scene.web.log}
    assert agent.startswith("scenthound/") and agent.endswith(" (+me@example.org)")
    written = records(scene.kept.folder / "pages-00001.warc.gz")
    requests = [record for record in written if record.kind == "request"]
    assert len(requests) == len(scene.kept.pages) + len(redirects(scene.kept.folder))
    assert all(("User-Agent", agent) in record.http for record in requests)


def test_redirects_are_followed_kept_on_record_and_end(scene: Scene) -> None:
    web, kept = scene.web, scene.kept
    start, middle = web.url(REDIRECTS, "/start"), web.url(REDIRECTS, "/middle")
    end = kept.page(web.url(OTHER, "/end"))
    assert end["redirects"] == [start, middle] and end["depth"] == 1
    stored_hops = dict(redirects(kept.folder))
    assert {start, middle} <= stored_hops.keys()
    assert kept.why(start) == kept.why(middle) == ["followed"]
    assert start not in kept.urls and middle not in kept.urls
    assert kept.why(web.url(REDIRECTS, "/old")) == ["fetched before"]
    assert kept.run.dropped["fetched before"] == 1
    for path in ("/away", "/ftp"):
        assert kept.why(web.url(REDIRECTS, path)) == ["status 302 without a usable Location"]
    assert kept.why(web.url(LOOPS, "/b")) == ["redirects without end"]
    assert kept.why(web.url(LOOPS, "/self")) == ["redirects without end"]
    assert len([url for url in web.requested() if "/far/" in url]) == 11
    assert kept.run.dropped["redirects without end"] == 3


def test_errors_are_pages_without_a_document_and_dropped_links_are_counted(scene: Scene) -> None:
    for status in (404, 410, 403, 401):
        event = scene.kept.page(scene.web.url(ERRORS, f"/{status}"))
        assert event["problem"] == f"status {status}" and event["status"] == status
        assert not event["relevant"]
    assert scene.kept.run.failed == 4
    assert scene.kept.run.problems["status 404"] == 1
    front = scene.web.url(LINKS)
    dropped = {why: count for why, (count, _) in scene.kept.page(front)["dropped"].items()}
    assert dropped["excluded"] == 2
    assert dropped["same page"] == 1
    assert dropped["path repetition"] == 1
    assert sum(dropped.values()) == len(UNUSABLE)
    assert scene.web.requested_of(LINKS) == ["/robots.txt", "/"]
    assert scene.kept.dropped() == {
        why: count for why, count in scene.kept.run.dropped.items() if why in scene.kept.dropped()
    }


def test_copies_are_stored_as_such_and_lead_nowhere(scene: Scene) -> None:
    web, kept = scene.web, scene.kept
    first, exact, near = (kept.page(web.url(COPIES, p)) for p in ("/first", "/second", "/third"))
    assert exact["problem"] == "copy" and near["problem"] == "near copy"
    assert exact["copy_of"] == near["copy_of"] == first["n"]
    assert exact["dropped"] == {"on a copy": [1, [web.url(COPIES, "/only-here")]]}
    assert not exact["relevant"] and first["relevant"]
    kinds = {record.warc["WARC-Target-URI"]: record.kind for record in stored(kept.folder)}
    assert kinds[exact["url"]] == "revisit"
    assert kinds[first["url"]] == kinds[near["url"]] == "response"
    assert web.url(COPIES, "/only-here") in kept.urls
    assert web.url(COPIES, "/elsewhere") not in web.requested()
    assert kept.of("stopped")[0]["summary"]["copies"] == 2


# PDFs: pages where that was asked for, and stopped at their headers otherwise.


@pytest.fixture
def pdf_web() -> Iterator[LiveWeb]:
    kind = {"Content-Type": "application/pdf"}
    report = pdf(
        ["Storm report", "The hurricane and the weather of the coast"],
        links=[[Drawn("/found", 1, 4, 13)]],
        facts={"Title": "Storms of the coast"},
    )
    with MemoryWeb() as built:
        links = ["/report", "/named.pdf?v=2", "/closed.pdf", "/broken.pdf", "/fake.pdf"]
        built.add(1, "/", page("Storms", "Storm and weather.", links))
        built.add(1, "/report", ok(report, kind))
        octets = {"Content-Type": "application/octet-stream"}
        built.add(1, "/named.pdf?v=2", ok(pdf(["Storm of another name"]), octets))
        built.add(1, "/closed.pdf", ok(encrypted(report, "secret"), kind))
        built.add(1, "/broken.pdf", ok(b"%PDF-1.7 nothing more", kind))
        built.add(1, "/fake.pdf", ok(page("A page", "A storm that is no PDF.")))
        built.add(1, "/found", page("Found", "The hurricane."))
        yield built


def test_pdfs_are_pages_where_that_was_asked_for(pdf_web: LiveWeb, tmp_path: Path) -> None:
    url = pdf_web.url
    kept = crawl(tmp_path / "whole", [url(1)], pdf=True)
    report = kept.page(url(1, "/report"))
    assert report["relevant"] and "problem" not in report
    inlink = kept.page(url(1, "/found"))["inlinks"][0]
    assert inlink[0] == report["n"] and "hurricane" in inlink[2]
    assert kept.page(url(1, "/named.pdf?v=2"))["relevant"]
    assert kept.page(url(1, "/closed.pdf"))["problem"] == "PDF is encrypted"
    assert kept.page(url(1, "/broken.pdf"))["problem"] == "PDF cannot be read"
    assert "problem" not in kept.page(url(1, "/fake.pdf"))
    check_kept(kept.folder)
    out = tmp_path / "resumed"
    crawl(out, [url(1)], pdf=True, max_pages=3, concurrency=1)
    assert set(again(out, max_pages=2_000).urls) == set(kept.urls)


def test_without_the_option_pdfs_are_refused_and_without_the_extra_nothing_begins(
    pdf_web: LiveWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = crawl(tmp_path / "plain", [pdf_web.url(1)])
    assert kept.why(pdf_web.url(1, "/report")) == ["type application/pdf"]
    assert pdf_web.url(1, "/found") not in kept.urls
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[pdf\]'"):
        crawl(tmp_path / "crawl", [pdf_web.url(1)], pdf=True)
    assert not (tmp_path / "crawl").exists()
