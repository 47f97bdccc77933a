"""Rows of a crawl: which pages, which columns, and what stands in them; the text of a page."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenthound
from crawler.live_running import prepare
from output.corpus_making import AUTHORED, MENU, article, html_folder
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.output.export import page_text
from scenthound.output.export.page_text import PageText, read_text
from scenthound.output.export.rows import (
    COPIES,
    FIELDS,
    IRRELEVANT,
    NAMES,
    NO_PAGE,
    TOO_LOW,
    ExportCounts,
    RowOptions,
    clean_text,
    read_rows,
    select_fields,
)
from scenthound.storage.database import open_database
from scenthound.storage.files import Kind, Row
from scenthound.storage.stored_crawl import open_crawl
from text.pdf_writing import pdf


@pytest.fixture(scope="module")
def found(live_crawl: Path) -> dict[str, Row]:
    """All rows of the live crawl, by the path of their address."""
    every = scenthound.corpus_rows(live_crawl, everything=True, jobs=1)
    return {"/" + str(row["url"]).split("/", 3)[3]: row for row in every}


def test_values_are_of_their_column_s_kind_and_what_a_page_says(found: dict[str, Row]) -> None:
    types = {
        Kind.TEXT: str, Kind.INTEGER: int, Kind.NUMBER: float, Kind.TRUTH: bool, Kind.TEXTS: list,
        Kind.PARTS: dict,
    }  # fmt: skip
    for row in found.values():
        assert tuple(row) == NAMES
        for field in FIELDS:
            value = row[field.name]
            assert value is None or isinstance(value, types[field.kind]), (field, value)
    row = found["/2"]
    assert row["title"] == "Storm two" and row["text_source"] == "main"
    assert "Gale." in str(row["text"]) and "Imprint" not in str(row["text"])
    assert (row["language"], row["expected_language"]) == ("en", True)
    assert (row["date"], row["author"]) == ("2023-04-05", "Ada Field")
    size = len(article("Storm two", "Gale.", head=AUTHORED))
    assert str(row["content_type"]).startswith("text/html") and row["size"] == size
    (copy,) = (row for row in found.values() if row["copy_of"])
    assert (copy["text"], copy["text_source"], copy["problem"]) == ("", None, "copy")
    assert (found["/gone"]["text"], found["/gone"]["text_source"]) == ("", None)
    assert found["/gone"]["status"] == 404 and found["/gone"]["problem"] == "status 404"


def test_what_the_crawl_knows_of_a_page(found: dict[str, Row], live_crawl: Path) -> None:
    seed, row = found["/"], found["/2"]
    assert [seed[name] for name in ("parent", "anchor", "priority", "depth")] == [None] * 3 + [0]
    assert (row["parent"], row["anchor"], row["depth"]) == (seed["url"], "more on /2", 1)
    assert row["relevant"] is True and isinstance(row["priority"], float)
    parts = row["priority_parts"]
    assert isinstance(parts, dict) and parts
    assert all(set(part) == {"value", "weight"} for part in parts.values())
    assert (row["status"], row["problem"], row["copy_of"]) == (200, None, None)
    assert row["rendered"] is False
    moment = datetime.fromisoformat(str(found["/"]["fetched_at"]))
    assert str(moment.tzinfo) == "UTC" and moment.year > 2020
    assert found["/new"]["redirects"] == [str(found["/"]["url"]) + "old"]
    data = (live_crawl / str(found["/2"]["warc_file"])).read_bytes()
    assert data[int(str(found["/2"]["warc_offset"])) :].startswith(b"\x1f\x8b")


def test_which_columns_and_which_pages(live_crawl: Path) -> None:
    chosen = next(scenthound.corpus_rows(live_crawl, fields=["relevance", "url"]))
    assert list(chosen) == ["relevance", "url"]
    first = next(scenthound.corpus_rows(live_crawl, text=False))
    assert "text" not in first and "language" not in first and first["size"]
    with pytest.raises(SettingsError, match="language comes from the text"):
        select_fields(["language"], text=False)
    for choice, pages, left_out in [
        (RowOptions(), 4, {COPIES: 1, NO_PAGE: 1}),
        (RowOptions(everything=True), 6, {}),
        (RowOptions(relevant=True), 3, {COPIES: 1, NO_PAGE: 1, IRRELEVANT: 1}),
        (RowOptions(min_relevance=0.1), 3, {COPIES: 1, NO_PAGE: 1, TOO_LOW: 1}),
        (RowOptions(min_relevance=1.0), 0, {COPIES: 1, NO_PAGE: 1, TOO_LOW: 4}),
    ]:
        counts = ExportCounts()
        with open_crawl(live_crawl) as crawl:
            got = list(read_rows(crawl, select_fields(["n"]), choice, counts))
        assert (len(got), counts.left_out, counts.looked_at) == (pages, left_out, 6)
    for names, error, words in [
        (["titel"], UnknownNameError, "title"),
        ([], SettingsError, "give some of: n, url"),
        (["n", "n"], SettingsError, "twice"),
    ]:
        with pytest.raises(error, match=words):
            select_fields(names)
    for value in [-0.1, 1.1, float("nan"), float("inf")]:
        with pytest.raises(SettingsError, match="0 and 1"):
            RowOptions(min_relevance=value)


def test_a_replay_has_no_times_and_no_records_of_its_own(replayed: Path) -> None:
    first, second = scenthound.corpus_rows(replayed, jobs=1)
    assert first["title"] == "First storm" and first["text_source"] == "main"
    assert second["parent"] == first["url"]
    assert first["fetched_at"] is first["warc_file"] is first["warc_offset"] is None


def test_a_crawl_that_was_killed_before_its_first_commit(tmp_path: Path) -> None:
    prepare(tmp_path / "c", ["http://a.test/"])
    open_database(tmp_path / "c" / "frontier.sqlite", new=True).close()
    with pytest.raises(FolderError, match="holds no page yet"):
        next(scenthound.corpus_rows(tmp_path / "c"))


@given(st.text() | st.text(st.characters(categories=["Cs", "Cc", "Lu"])))
def test_cleaned_text_can_be_written_anywhere(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert all(sign in "\n\t" or sign >= " " for sign in cleaned) and clean_text(cleaned) == cleaned
    assert clean_text("a\r\nb\rc\td\x00\x1b[31m\ud800\x85") == "a\nb\nc\td[31m\ufffd"


def test_a_page_whose_text_turns_direction_or_is_in_another_language(tmp_path: Path) -> None:
    turned = "gnp\u202e\u202d\u2066 \u2069.exe"
    head = f"<meta name=author content='Ada{turned}'><meta name=description content='{turned}'>"
    page = article(f"Storm {turned}", links=["b.html"], head=head)
    linked = page.replace("more on", f"more {turned}")
    folder = html_folder(tmp_path, {"index.html": linked, "b.html": article("Other storm")})
    for row in scenthound.corpus_rows(folder, jobs=1):
        assert not {"\u202e", "\u202d", "\u2066", "\u2069"} & set(str(row))
        assert "gnp" in str(row)
    german = "Der Sturm kam am Abend von der See, und im Hafen wurden die Boote festgemacht. "
    folder = html_folder(
        tmp_path / "german", {"index.html": f"<title>storm</title><p>{german * 4}"}
    )
    (only,) = scenthound.corpus_rows(folder, fields=["language", "expected_language"], jobs=1)
    assert only == {"language": "de", "expected_language": False}


# The text of a page without what surrounds it, and the facts a page gives of itself.


URL = "http://w.test/a"


def test_main_text_is_without_menu_and_footer_and_facts_are_those_the_page_gives() -> None:
    read = read_text(article("Storm").encode(), URL, "text/html")
    assert read.source == "main" and not read.failed
    assert "tied up their boats" in read.text and "Paragraph 3 of Storm" in read.text
    assert MENU.split()[0] not in read.text and "cookies" not in read.text
    assert read.title == "Storm" and read.language == "en" and read.confidence > 0.8
    for html, facts in [
        (article("Storm", head=AUTHORED), ("2023-04-05", "Ada Field", "=A storm, told")),
        (article("Storm", "It was on 12 March 1999."), (None, None, None)),
    ]:
        read = read_text(html.encode(), URL, "text/html")
        assert (read.date, read.author, read.description) == facts


def test_without_a_main_text_there_is_the_visible_one(monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_text(b"<title>x</title><body><footer>Go</footer>", URL, "text/html")
    assert (read.text, read.source, read.failed) == ("Go", "visible", False)
    read = read_text(article("Storm").encode(), URL, "text/html", main=False)
    assert read.source == "visible" and MENU.split()[0] in read.text
    read = read_text(b"A storm <b> it was.", URL, "text/plain")
    assert (read.text, read.source) == ("A storm <b> it was.", "visible")

    def fails(html: str, url: str) -> None:
        raise RecursionError

    for name, value in [("_extract_main", fails), ("LONGEST_PAGE", 100)]:
        with monkeypatch.context() as patch:
            patch.setattr(page_text, name, value)
            read = read_text(article("Storm").encode(), URL, "text/html")
        assert (read.source, read.failed) == ("visible", True)


def test_what_the_server_says_of_a_page_and_hostile_pages() -> None:
    for body in [b"", b"\x89PNG\r\n", b"\x00\x01\x02"]:
        assert read_text(body, URL) == PageText()
    body = article("Stürme").encode("cp1252")
    read = read_text(body, URL, "application/pdf; charset=windows-1252")
    assert (read.title, read.source) == ("Stürme", "main") and "tied up" in read.text
    assert read_text(b"<p>Ja", URL, "text/html", "de-AT").language == "de"
    for html in [
        "<div>" * 20_000 + "storm",
        "<p>\ud800 storm</p>".encode("utf-8", "surrogatepass").decode("latin-1"),
        "<html><head><meta charset=utf-7><title>+AGE-</title>",
        "<p>" + "&#x1F32A;&#xD800;\x00" * 50,
        "<script type='application/ld+json'>{\"@type\":</script><p>storm",
    ]:
        read = read_text(html.encode("utf-8", "replace"), URL, "text/html")
        assert isinstance(read.text, str)


def test_a_pdf_has_its_own_text_and_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"Author": "Ada Field", "CreationDate": "D:20230405100000Z"}
    body = pdf(["A storm came in from the sea", "and the boats were tied up."], facts=facts)
    read = read_text(body, URL, "application/pdf")
    assert read.source == "pdf" and "storm came in" in read.text and not read.failed
    assert (read.author, read.date, read.language) == ("Ada Field", "2023-04-05", "en")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert read_text(body, URL, "application/pdf") == PageText(needs_pdf=True)


def test_nynorsk_is_norwegian() -> None:
    nynorsk = (
        "Stormen nådde kysten om kvelden og elva gjekk over breiddene sine. Mange hus vart "
        "øydelagde, og folk måtte flytte ut frå heimane sine. "
        "Meteorologane seier at det kjem meir regn."
    )
    html = f"<html lang=nn><title>Storm</title><p>{nynorsk}".encode()
    found = {each: read_text(html, URL, "text/html", expected=each) for each in ("nb", "da", "")}
    assert {each.language for each in found.values()} == {"nn"}
    assert [found[each].is_expected for each in ("nb", "da", "")] == [True, False, None]
