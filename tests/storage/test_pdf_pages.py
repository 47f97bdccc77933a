"""PDFs among the pages of an archive, and as example texts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scenthound.core.model import Topic
from scenthound.crawler.topic_reading import build_profile
from scenthound.storage.pages import NESTED_TOO_DEEP, Response, read_page
from text.pdf_writing import Drawn, encrypted, pdf

URL = "http://gauge.test/surge.pdf"
BODY = pdf(["Storm surge", "More"], links=[[Drawn("http://gauge.test/more", 1, 0, 4)]])
TYPE = {"content-type": "application/pdf"}


def answer(body: bytes = BODY, truncated: bool = False, robots: str = "") -> Response:
    return Response(URL, 200, {**TYPE, "x-robots-tag": robots}, body, truncated)


def test_a_pdf_is_a_page_when_asked_for() -> None:
    page = read_page(answer(), ("http://gauge.test/old",), 7.0, pdf=True)
    assert (page.document.title, page.problem, page.size) == ("Storm surge", "", len(BODY))
    assert [(link.url, link.anchor) for link in page.links] == [("http://gauge.test/more", "More")]
    assert (page.redirects, page.fetched_at, page.follow) == (("http://gauge.test/old",), 7.0, True)
    page = read_page(answer(robots="nofollow"), (), 0.0, pdf=True)  # its headers are heeded
    assert page.links and not page.follow


def test_a_pdf_is_no_page_otherwise_and_an_encrypted_one_is_kept_without_text() -> None:
    page = read_page(answer(), (), 0.0)
    assert (page.document.text, page.links) == ("", ())
    assert page.problem == "not a page: binary or media"
    page = read_page(answer(encrypted(BODY, "secret")), (), 0.0, pdf=True)
    assert (page.ok, page.document.text, page.problem) == (True, "", "PDF is encrypted")


def test_what_only_calls_itself_a_pdf_is_read_as_what_it_is() -> None:
    body = b"<title>Surge</title><p>Moved to <a href='/new'>here</a>"
    page = read_page(answer(body), (), 0.0, pdf=True)
    assert (page.document.title, page.problem, len(page.links)) == ("Surge", "", 1)
    assert read_page(answer(body), (), 0.0).problem == "not a page: binary or media"
    for body in (b"\x89PNG\r\n\x1a\n\x00", b"PK\x03\x04zipped", b"some\x00thing"):
        page = read_page(answer(body), (), 0.0, pdf=True)
        assert (page.document.text, page.problem) == ("", "not a page: binary or media")


def test_a_page_that_is_nested_too_deep_is_told() -> None:
    deep = b"<title>Storm</title>" + b"<div>" * 50_000 + b"<p>a storm surge"
    page = read_page(Response(URL, 200, {"content-type": "text/html"}, deep), (), 0.0)
    assert (page.document.text, page.problem) == ("", NESTED_TOO_DEEP)


def test_a_pdf_as_example_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "surge.pdf"
    path.write_bytes(BODY)
    topic = Topic("surge", keywords=("surge",), examples=(str(path),))
    assert build_profile(topic, None, {})[0].examples[0].title == "Storm surge"
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert build_profile(topic, None, {})[1] == (str(path),)
