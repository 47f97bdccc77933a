"""Pages that nobody can judge are no documents: they are neither drawn nor exported."""

from __future__ import annotations

from pathlib import Path

import pytest

import scenthound
from corpus.corpus_making import article, html_folder
from scenthound.archive import Response
from scenthound.assessment.frame import read_frame
from scenthound.corpus.choosing import NO_PAGE
from scenthound.corpus.record import NOTHING_TO_READ
from scenthound.corpus.stored_crawl import open_crawl
from scenthound.engines.reading import read_page
from text.pdf_writing import encrypted, pdf

HTML, PDF, PICTURE = "text/html", "application/pdf", "image/png"
UNREADABLE = [
    (b"", HTML),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, PICTURE),
    (b"<html><body><img src='a.png'></body></html>", HTML),
    (pdf([""]), PDF),
    (encrypted(pdf(["Storm surge"]), "secret"), PDF),
    (b"%PDF-1.4 and nothing else", PDF),
]


def problem(body: bytes, content_type: str) -> str:
    made = Response("http://a.test/", 200, {"content-type": content_type}, body)
    return read_page(made, (), 0.0, pdf=True).problem


def test_the_words_of_the_journal_are_the_ones_we_know() -> None:
    assert {problem(*each) for each in UNREADABLE} == NOTHING_TO_READ


@pytest.mark.parametrize("body", [b"<title>Storm</title>", b"<p>storm", b"storm"])
def test_little_to_read_is_something(body: bytes) -> None:
    assert problem(body, HTML) not in NOTHING_TO_READ


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    linked = ["empty.html", "picture.html", "b.html"]
    files = {"index.html": article("Storm", links=linked), "b.html": article("Second storm")}
    return html_folder(tmp_path, {**files, "empty.html": "", "picture.html": "<img src='a.png'>"})


def test_they_are_not_drawn(crawled: Path, tmp_path: Path) -> None:
    with open_crawl(crawled) as crawl:
        found = read_frame(crawl.pages())
    assert {page.title for page in found.documents} == {"Storm", "Second storm"}
    assert sorted(found.others.values()) == ["empty body", "no text"]
    assert scenthound.draw_sample(crawled, tmp_path / "judged.csv").added == 2


def test_they_are_exported_only_with_everything(crawled: Path, tmp_path: Path) -> None:
    done = scenthound.export(crawled, tmp_path / "some.jsonl")
    assert (done.rows, done.left_out) == (2, {NO_PAGE: 2})
    assert scenthound.export(crawled, tmp_path / "all.jsonl", everything=True).rows == 4
