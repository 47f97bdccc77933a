"""Each kind of dirt is there: a sample web without it would teach nothing."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from scenthound.core.urls import canonical, host_of
from scenthound.sample import Response, SampleWeb


@pytest.fixture(scope="module")
def pages(web: SampleWeb) -> list[Response]:
    """Everything a reader could read."""
    return [response for response in web.responses.values() if response.is_page]


def containing(pages: list[Response], text: str) -> list[Response]:
    """Pages with ``text`` in their markup."""
    return [page for page in pages if text.encode() in page.body]


@pytest.mark.parametrize(
    "markup",
    [
        "<base href=",
        "<frameset",
        "<area ",
        'rel="nofollow"',
        "mailto:",
        "javascript:",
        '" alt="',
        ">click here</a>",
        ">Read more</a>",
        "_(animal)",
        "_%28animal%29",
        '#history"',
        'href="../',
        "<title><script>alert(1)</script>",
        '<a name="top"><a href="#top">',
    ],
)
def test_markup_of_every_kind(pages: list[Response], markup: str) -> None:
    assert containing(pages, markup)


def test_unclosed_paragraphs(pages: list[Response]) -> None:
    assert any(b"<p>" in page.body and b"</p>" not in page.body for page in pages)


def test_exact_copies(web: SampleWeb, pages: list[Response]) -> None:
    digests = Counter(hashlib.sha256(page.body).digest() for page in pages)
    assert sum(count > 1 for count in digests.values()) > 30
    mirrored = [url for url in web.responses if host_of(url) == "www.openpedia.test"]
    assert len(mirrored) > 20


def test_copies_carry_the_label_of_their_original(web: SampleWeb) -> None:
    copies = [url for url in web.responses if "?ref=rss" in url or "?print=1" in url]
    originals = {url: url.partition("?")[0] for url in copies}
    assert len(copies) > 20
    assert all(
        web.labels.get(url) == web.labels.get(original) for url, original in originals.items()
    )


def test_print_versions_are_nearly_the_same(web: SampleWeb) -> None:
    printed = next(url for url in web.responses if url.endswith("?print=1"))
    copy, original = web.responses[printed], web.responses[printed.removesuffix("?print=1")]
    assert copy.body != original.body
    lines = set(copy.body.splitlines())
    assert len(lines & set(original.body.splitlines())) > 0.4 * len(lines)


def test_redirects(web: SampleWeb) -> None:
    moved = {u: r for u, r in web.responses.items() if r.header("Location")}
    ends = {url: canonical(str(r.header("Location")), url) for url, r in moved.items()}
    assert {response.status for response in moved.values()} == {301, 302}
    assert any(end in moved and ends[end] not in moved for end in ends.values()), "a chain"
    assert any(ends.get(end) == url for url, end in ends.items()), "a loop"
    assert any(end in web.labels for end in ends.values())


def test_errors(web: SampleWeb) -> None:
    statuses = Counter(response.status for response in web.responses.values())
    assert statuses[404] >= 5
    assert statuses[500] >= 3


def test_the_slow_host_is_slow_and_the_others_are_not(web: SampleWeb) -> None:
    slow = {host_of(url) for url, response in web.responses.items() if response.delay}
    assert slow == {"slowlibrary.test"}
    assert all(r.delay for u, r in web.responses.items() if host_of(u) == "slowlibrary.test")


def test_robots(web: SampleWeb) -> None:
    rules = [response for url, response in web.responses.items() if url.endswith("/robots.txt")]
    assert len(rules) == 30
    assert all(b"Disallow: /login" in rule.body for rule in rules)
    assert all(rule.header("Content-Type") == "text/plain" for rule in rules)
    assert sum(b"Crawl-delay" in rule.body for rule in rules) == 1


def test_encodings(pages: list[Response]) -> None:
    in_meta = containing(pages, "charset=iso-8859-1")
    in_header = [p for p in pages if p.header("Content-Type") == "text/html; charset=ISO-8859-1"]
    assert any(max(page.body) > 127 and "é" in page.body.decode("latin-1") for page in in_meta)
    assert any(max(page.body) > 127 for page in in_header)
    assert "\u20ac" in containing(pages, "charset=windows-1252")[0].body.decode("cp1252")


def test_one_page_fits_no_encoding(web: SampleWeb) -> None:
    guestbook = web.responses["http://greenriver.test/guestbook.html"]
    assert b"charset" not in guestbook.body
    assert guestbook.header("Content-Type") == "text/html"
    with pytest.raises(UnicodeDecodeError):
        guestbook.body.decode("utf-8")


def test_one_huge_and_one_empty_page(pages: list[Response]) -> None:
    sizes = sorted(len(page.body) for page in pages)
    assert sizes[0] == 0
    assert 2_900_000 < sizes[-1] < 3_500_000
    assert sizes[-2] < 100_000


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "application/json"])
def test_files_that_are_no_pages(web: SampleWeb, kind: str) -> None:
    assert any(response.header("Content-Type") == kind for response in web.responses.values())
