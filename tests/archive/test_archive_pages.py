"""Which records are pages, and which capture of a page wins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warc_building import Add, other, raw_record, response, revisit, write_warc

from scenthound.archive.opening import Archive, Skipped, open_archive
from scenthound.core.errors import ArchiveError

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@pytest.fixture(params=[True, False], ids=["gzip", "plain"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Archive]:
    def opener(*adds: Add) -> Archive:
        path = write_warc(tmp_path / "x", *adds, gzip=request.param)
        return open_archive(path, cache=tmp_path / "cache")

    return opener


def test_a_page_comes_back_as_it_was_archived(opened: Callable[..., Archive]) -> None:
    headers = [("Content-Type", "text/html"), ("X-Twice", "1"), ("x-twice", "2")]
    with opened(response("HTTP://A.test:80", b"<p>text", "404 Not Found", headers)) as archive:
        page = archive.fetch(A)
        assert page is not None
        assert (page.url, page.status, page.body, page.truncated) == (A, 404, b"<p>text", False)
        assert page.headers == {"content-type": "text/html", "x-twice": "2"}


def test_what_is_not_archived_is_none(opened: Callable[..., Archive]) -> None:
    with opened(response(A)) as archive:
        assert archive.fetch(B) is None
        assert (A in archive, B in archive) == (True, False)


def test_length_and_urls_follow_the_archive(opened: Callable[..., Archive]) -> None:
    with opened(response(B), response(A), response(B), response(C)) as archive:
        assert len(archive) == 3
        assert list(archive.urls()) == [B, A, C]


@pytest.mark.parametrize(
    ("statuses", "winner"),
    [
        (["200 OK", "200 OK"], 0),
        (["404 No", "200 OK", "200 OK"], 1),
        (["404 No", "301 Moved"], 0),
        (["200 OK", "404 No"], 0),
    ],
)
def test_the_first_success_wins(
    opened: Callable[..., Archive], statuses: list[str], winner: int
) -> None:
    adds = [response(A, str(i).encode(), status) for i, status in enumerate(statuses)]
    with opened(*adds) as archive:
        page = archive.fetch(A)
        assert page is not None
        assert page.body == str(winner).encode()


def test_a_revisit_has_the_body_of_its_target(opened: Callable[..., Archive]) -> None:
    own = [("X-Own", "yes")]
    with opened(revisit(B, A, "203 Copy", own), response(A, b"text"), revisit(C, B)) as archive:
        with_own_headers, without = archive.fetch(B), archive.fetch(C)
        assert with_own_headers is not None and without is not None
        assert (with_own_headers.url, with_own_headers.status) == (B, 203)
        assert (with_own_headers.body, with_own_headers.headers) == (b"text", {"x-own": "yes"})
        assert (without.url, without.status, without.body) == (C, 200, b"text")
        assert without.headers == {"content-type": "text/html"}


def test_a_revisit_that_was_not_modified_is_its_target(opened: Callable[..., Archive]) -> None:
    with opened(response(A, b"text"), revisit(B, A, "304 Not Modified")) as archive:
        page = archive.fetch(B)
        assert page is not None
        assert (page.status, page.body) == (200, b"text")


def test_a_revisit_of_its_own_url_never_hides_the_page(opened: Callable[..., Archive]) -> None:
    with opened(
        revisit(A, A, "200 OK"), revisit(B, None), response(A, b"t"), response(B)
    ) as archive:
        assert len(archive) == 2
        assert not archive.skipped
        page = archive.fetch(A)
        assert page is not None and page.body == b"t"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def test_the_body_of_a_revisit_is_decoded_as_its_target_says(
    opened: Callable[..., Archive],
) -> None:
    chunked = [("Transfer-Encoding", "chunked")]
    target = response(A, b"4\r\ntext\r\n0\r\n\r\n", headers=chunked)
    with opened(target, revisit(B, A, "200 OK", [("Content-Encoding", "gzip")])) as archive:
        page = archive.fetch(B)
        assert page is not None and page.body == b"text"


def test_resource_records_are_pages(opened: Callable[..., Archive]) -> None:
    with opened(other("resource", A, b"HTTP/1.1 no head", "text/plain; x=y")) as archive:
        page = archive.fetch(A)
        assert page is not None
        assert (page.status, page.body) == (200, b"HTTP/1.1 no head")
        assert page.headers == {"content-type": "text/plain; x=y"}


def test_what_a_browser_showed_goes_before_what_was_sent(opened: Callable[..., Archive]) -> None:
    html = "text/html; charset=utf-8"
    shown = [other("conversion", A, body, html) for body in (b"<p>shown", b"<p>again")]
    with opened(response(A, b"<script>"), *shown, response(A, b"<p>later")) as archive:
        page = archive.fetch(A)
        assert page is not None and (page.status, page.body) == (200, b"<p>shown")
        assert page.headers == {"content-type": html}
        assert len(archive) == 1 and not archive.skipped


def test_what_can_never_be_fetched_is_counted(opened: Callable[..., Archive]) -> None:
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


def test_records_without_any_page_are_refused(opened: Callable[..., Archive]) -> None:
    with pytest.raises(ArchiveError, match="holds no page"):
        opened(other("warcinfo", "", b"software: x"), revisit(B, A))


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_old_and_sloppy_writers(tmp_path: Path, line_end: bytes) -> None:
    http = line_end.join(
        [b"HTTP/1.0 200", b"Content-Type: text/html;", b"  charset=x", b"", b"body"]
    )
    headers = [("warc-TYPE", "response"), ("WARC-Target-URI", f"<{A}>")]
    path = tmp_path / "x"
    path.write_bytes((raw_record(headers, http, line_end) + line_end * 50) * 2)
    with open_archive(path, cache=tmp_path / "cache") as archive:
        page = archive.fetch(A)
        assert page is not None
        assert page.body == b"body"
        assert page.headers == {"content-type": "text/html; charset=x"}


def test_a_page_that_was_cut_when_archived_says_so(opened: Callable[..., Archive]) -> None:
    with opened(response(A, warc=[("WARC-Truncated", "length")]), response(B)) as archive:
        cut, whole = archive.fetch(A), archive.fetch(B)
        assert cut is not None and whole is not None
        assert (cut.truncated, whole.truncated) == (True, False)


def test_http_heads_that_never_end_do_not_raise(opened: Callable[..., Archive]) -> None:
    endless = b"HTTP/1.1 200 OK\r\nX: " + b"y" * 2_000_000
    adds = [
        other("response", A, endless, "application/http"),
        other("response", B, b"HTTP/1.1 200", "application/http"),
    ]
    with opened(*adds) as archive:
        for url in (A, B):
            page = archive.fetch(url)
            assert page is not None and page.status == 200
