"""Which records are pages, and which capture of a page wins."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch

from scenthound.core.errors import ArchiveError
from scenthound.core.model import Topic
from scenthound.crawler.topics.reading import build_profile
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archive_index import Skipped
from scenthound.storage.pages import NESTED_TOO_DEEP, Response, read_page
from storage.warc_making import (
    Add,
    other,
    raw_record,
    response,
    revisit,
    warc_bytes,
    write_warc,
    write_zip,
)
from text.pdf_writing import Drawn, encrypted, pdf

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


def page_at(archive: Archive, url: str) -> Response:
    page = archive.fetch(url)
    assert page is not None
    return page


Opener = Callable[..., Archive]


@pytest.fixture
def opened(tmp_path: Path) -> Opener:
    """Opens an archive of records; those of a file that is not compressed are the same."""

    def opener(*adds: Add, gzip: bool = True) -> Archive:
        path = write_warc(tmp_path / ("gzip" if gzip else "plain"), *adds, gzip=gzip)
        return open_archive(path, cache=tmp_path / "cache")

    return opener


@pytest.mark.parametrize("gzip", [True, False])
def test_a_page_comes_back_as_it_was_archived(opened: Opener, gzip: bool) -> None:
    headers = [("Content-Type", "text/html"), ("X-Twice", "1"), ("x-twice", "2")]
    first = response("HTTP://A.test:80", b"<p>text", "404 Not Found", headers)
    with opened(first, response(C), first, response(B), gzip=gzip) as archive:
        page = page_at(archive, A)
        assert (page.url, page.status, page.body, page.truncated) == (A, 404, b"<p>text", False)
        assert page.headers == {"content-type": "text/html", "x-twice": "2"}
        assert archive.fetch("http://d.test/") is None
        assert (A in archive, "http://d.test/" in archive) == (True, False)
        assert len(archive) == 3
        assert list(archive.urls()) == [A, C, B]


def test_the_first_success_wins_and_a_revisit_of_its_own_url_hides_nothing(opened: Opener) -> None:
    for statuses, winner in [
        (["200 OK", "200 OK"], 0),
        (["404 No", "200 OK", "200 OK"], 1),
        (["404 No", "301 Moved"], 0),
        (["200 OK", "404 No"], 0),
    ]:
        adds = [response(A, str(i).encode(), status) for i, status in enumerate(statuses)]
        with opened(*adds) as archive:
            assert page_at(archive, A).body == str(winner).encode()
    with opened(
        revisit(A, A, "200 OK"), revisit(B, None), response(A, b"t"), response(B)
    ) as archive:
        assert len(archive) == 2
        assert not archive.skipped
        assert page_at(archive, A).body == b"t"


def test_a_revisit_has_the_body_of_its_target_decoded_as_that_says(opened: Opener) -> None:
    own = [("X-Own", "yes")]
    with opened(revisit(B, A, "203 Copy", own), response(A, b"text"), revisit(C, B)) as archive:
        with_own_headers, without = page_at(archive, B), page_at(archive, C)
        assert (with_own_headers.url, with_own_headers.status) == (B, 203)
        assert (with_own_headers.body, with_own_headers.headers) == (b"text", {"x-own": "yes"})
        assert (without.url, without.status, without.body) == (C, 200, b"text")
        assert without.headers == {"content-type": "text/html"}
    with opened(response(A, b"text"), revisit(B, A, "304 Not Modified")) as archive:
        page = page_at(archive, B)
        assert (page.status, page.body) == (200, b"text")
    chunked = [("Transfer-Encoding", "chunked")]
    target = response(A, b"4\r\ntext\r\n0\r\n\r\n", headers=chunked)
    with opened(target, revisit(B, A, "200 OK", [("Content-Encoding", "gzip")])) as archive:
        assert page_at(archive, B).body == b"text"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pages=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["200 OK", "404 No"])), min_size=1),
    revisits=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3))),
)
def test_revisits_of_revisits_always_end_at_a_body(
    tmp_path: Path, pages: list[tuple[int, str]], revisits: list[tuple[int, int]]
) -> None:
    url = "http://a.test/{}".format
    adds = [response(url(page), b"text", status) for page, status in pages]
    adds += [revisit(url(page), url(target), "200 OK") for page, target in revisits]
    with open_archive(write_warc(tmp_path / "x", *adds), cache=tmp_path / "cache") as archive:
        found = [archive.fetch(u) for u in archive.urls()]
        assert all(page is not None and page.body == b"text" for page in found)
        assert {page for page, _ in pages} <= {int(u[-1]) for u in archive.urls()}


def test_resource_records_are_pages_and_what_a_browser_showed_goes_before(opened: Opener) -> None:
    with opened(other("resource", A, b"HTTP/1.1 no head", "text/plain; x=y")) as archive:
        page = page_at(archive, A)
        assert (page.status, page.body) == (200, b"HTTP/1.1 no head")
        assert page.headers == {"content-type": "text/plain; x=y"}
    html = "text/html; charset=utf-8"
    shown = [other("conversion", A, body, html) for body in (b"<p>shown", b"<p>again")]
    with opened(response(A, b"<script>"), *shown, response(A, b"<p>later")) as archive:
        page = page_at(archive, A)
        assert (page.status, page.body) == (200, b"<p>shown")
        assert page.headers == {"content-type": html}
        assert len(archive) == 1 and not archive.skipped


def test_what_can_never_be_fetched_is_counted(opened: Opener) -> None:
    dns = [other("response", f"dns:{i}.test", b"2024 1.2.3.4", "text/dns") for i in range(7)]
    adds = [
        other("warcinfo", "", b"software: x"),
        other("request", A, b"GET / HTTP/1.1"),
        other("metadata", A, b"x: y"),
        other("conversion", A, b"text"),
        other("continuation", A, b"more"),
        other("resource", "urn:pageinfo:1", b"{}"),
        revisit(C, B),
        response("mailto:a@b.test"),
        response(A),
    ]
    with opened(*dns, *adds) as archive:
        assert archive.skipped == {
            "response that is not http": Skipped(7, tuple(f"dns:{i}.test" for i in range(5))),
            "conversion record": Skipped(1, (A,)),
            "continuation record": Skipped(1, (A,)),
            "unusable URL": Skipped(2, ("urn:pageinfo:1", "mailto:a@b.test")),
            "revisit of a page that is not in the archive": Skipped(1, (C,)),
        }
        assert list(archive.urls()) == [A]
    with pytest.raises(ArchiveError, match="holds no page"):
        opened(other("warcinfo", "", b"software: x"), revisit(B, A))


def test_old_and_sloppy_writers(tmp_path: Path) -> None:
    for line_end in [b"\r\n", b"\n"]:
        http = line_end.join(
            [b"HTTP/1.0 200", b"Content-Type: text/html;", b"  charset=x", b"", b"body"]
        )
        headers = [("warc-TYPE", "response"), ("WARC-Target-URI", f"<{A}>")]
        path = tmp_path / "x"
        path.write_bytes((raw_record(headers, http, line_end) + line_end * 50) * 2)
        with open_archive(path, cache=tmp_path / "cache") as archive:
            page = page_at(archive, A)
            assert page.body == b"body"
            assert page.headers == {"content-type": "text/html; charset=x"}


def test_pages_that_were_cut_say_so_and_heads_that_never_end_do_not_raise(opened: Opener) -> None:
    with opened(response(A, warc=[("WARC-Truncated", "length")]), response(B)) as archive:
        assert [page_at(archive, url).truncated for url in (A, B)] == [True, False]
    endless = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 2_000_000
    adds = [
        other("response", A, endless, "application/http"),
        other("response", B, b"HTTP/1.1 200", "application/http"),
    ]
    with opened(*adds) as archive:
        assert [page_at(archive, url).status for url in (A, B)] == [200, 200]


def members() -> dict[str, bytes]:
    return {
        "datapackage.json": b"{}",
        "archive/2.warc": warc_bytes(response(A, b"second"), response(B, b"b"), gzip=False),
        "archive/1.warc.gz": warc_bytes(response(A, b"first")),
        "archive/readme.txt": b"not a WARC",
        "elsewhere/3.warc": warc_bytes(response(C), gzip=False),
    }


def test_all_warcs_of_a_wacz_are_read_by_name_and_a_cut_one_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "named anyhow", members())
    for _ in range(2):  # the second time with the index of the first
        with open_archive(path, cache=tmp_path / "cache") as archive:
            assert list(archive.urls()) == [A, B]
            assert [page_at(archive, url).body for url in (A, B)] == [b"first", b"b"]
    packed = write_zip(tmp_path / "packed.wacz", members(), zipfile.ZIP_DEFLATED)
    with pytest.raises(ArchiveError, match=r"packed\.wacz has an encrypted or compressed member"):
        open_archive(packed, cache=tmp_path / "cache")
    whole = write_zip(tmp_path / "whole", members()).read_bytes()
    path = tmp_path / "cut.wacz"
    for size in range(0, len(whole), 61):
        path.write_bytes(whole[:size])
        with pytest.raises(ArchiveError, match=r"cut\.wacz"):
            open_archive(path, cache=tmp_path / "cache")
    path = write_zip(tmp_path / "x.wacz", {"archive/cut.warc.gz": warc_bytes(response(A))[:-3]})
    with pytest.raises(ArchiveError, match=r"x\.wacz \(archive/cut\.warc\.gz\) is truncated"):
        open_archive(path, cache=tmp_path / "cache")


def test_a_folder_of_warcs_is_one_archive_however_many_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_warc(folder / "b.warc", response(A, b"late"), response(B), gzip=False)
    write_warc(folder / "a" / "x.WARC.GZ", response(A, b"early"))
    write_zip(folder / "c.wacz", {"archive/x.warc.gz": warc_bytes(response(C))})
    (folder / "index.html").write_bytes(b"<html>")
    with open_archive(folder, cache=tmp_path / "cache") as archive:
        assert list(archive.urls()) == [A, B, C]
        assert page_at(archive, A).body == b"early"
    for i in range(50):
        write_warc(tmp_path / "web" / f"{i:02}.warc", response(f"http://{i}.test/", b"%d" % i))
    with open_archive(tmp_path / "web", cache=tmp_path / "cache") as archive:
        for i in [*range(50), *range(0, 50, 7)]:
            assert page_at(archive, f"http://{i}.test/").body == b"%d" % i


# PDFs among the pages of an archive, and as example texts.


URL = "http://gauge.test/surge.pdf"
BODY = pdf(["Storm surge", "More"], links=[[Drawn("http://gauge.test/more", 1, 0, 4)]])
TYPE = {"content-type": "application/pdf"}


def answer(body: bytes = BODY, truncated: bool = False, robots: str = "") -> Response:
    return Response(URL, 200, {**TYPE, "x-robots-tag": robots}, body, truncated)


def test_a_pdf_is_a_page_when_asked_for_an_encrypted_one_without_text() -> None:
    page = read_page(answer(), ("http://gauge.test/old",), 7.0, pdf=True)
    assert (page.document.title, page.problem, page.size) == ("Storm surge", "", len(BODY))
    assert [(link.url, link.anchor) for link in page.links] == [("http://gauge.test/more", "More")]
    assert (page.redirects, page.fetched_at, page.follow) == (("http://gauge.test/old",), 7.0, True)
    page = read_page(answer(robots="nofollow"), (), 0.0, pdf=True)  # its headers are heeded
    assert page.links and not page.follow
    page = read_page(answer(), (), 0.0)
    assert (page.document.text, page.links) == ("", ())
    assert page.problem == "not a page: binary or media"
    page = read_page(answer(encrypted(BODY, "secret")), (), 0.0, pdf=True)
    assert (page.ok, page.document.text, page.problem) == (True, "", "PDF is encrypted")


def test_what_only_calls_itself_a_pdf_and_what_is_nested_too_deep() -> None:
    body = b"<title>Surge</title><p>Moved to <a href='/new'>here</a>"
    page = read_page(answer(body), (), 0.0, pdf=True)
    assert (page.document.title, page.problem, len(page.links)) == ("Surge", "", 1)
    assert read_page(answer(body), (), 0.0).problem == "not a page: binary or media"
    for body in (b"\x89PNG\r\n\x1a\n\x00", b"PK\x03\x04zipped", b"some\x00thing"):
        page = read_page(answer(body), (), 0.0, pdf=True)
        assert (page.document.text, page.problem) == ("", "not a page: binary or media")
    deep = b"<title>Storm</title>" + b"<div>" * 50_000 + b"<p>a storm surge"
    page = read_page(Response(URL, 200, {"content-type": "text/html"}, deep), (), 0.0)
    assert (page.document.text, page.problem) == ("", NESTED_TOO_DEEP)


def test_a_pdf_as_example_file(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    path = tmp_path / "surge.pdf"
    path.write_bytes(BODY)
    topic = Topic("surge", keywords=("surge",), examples=(str(path),))
    assert build_profile(topic, None, {})[0].examples[0].title == "Storm surge"
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert build_profile(topic, None, {})[1] == (str(path),)
