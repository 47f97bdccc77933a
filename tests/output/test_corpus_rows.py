"""Rows of a crawl: which pages, which columns, and what stands in them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenthound
from crawler.live_running import prepare
from output.corpus_making import AUTHORED, article, html_folder
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.output.export_rows import (
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

TYPES = {
    Kind.TEXT: str, Kind.INTEGER: int, Kind.NUMBER: float, Kind.TRUTH: bool, Kind.TEXTS: list,
    Kind.PARTS: dict,
}  # fmt: skip


@pytest.fixture(scope="module")
def found(live_crawl: Path) -> dict[str, Row]:
    """All rows of the live crawl, by the path of their address."""
    every = scenthound.corpus_rows(live_crawl, everything=True, jobs=1)
    return {"/" + str(row["url"]).split("/", 3)[3]: row for row in every}


def test_values_are_of_the_kind_their_column_says(found: dict[str, Row]) -> None:
    for row in found.values():
        assert tuple(row) == NAMES
        for field in FIELDS:
            value = row[field.name]
            assert value is None or isinstance(value, TYPES[field.kind]), (field, value)


def test_what_a_page_says_and_a_copy_or_an_error_does_not(found: dict[str, Row]) -> None:
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


def test_what_the_crawl_knows_of_a_page(found: dict[str, Row]) -> None:
    seed, row = found["/"], found["/2"]
    assert [seed[name] for name in ("parent", "anchor", "priority", "depth")] == [None] * 3 + [0]
    assert (row["parent"], row["anchor"], row["depth"]) == (seed["url"], "more on /2", 1)
    assert row["relevant"] is True and isinstance(row["priority"], float)
    parts = row["priority_parts"]
    assert isinstance(parts, dict) and parts
    assert all(set(part) == {"value", "weight"} for part in parts.values())
    assert (row["status"], row["problem"], row["copy_of"]) == (200, None, None)
    assert row["rendered"] is False


def test_when_it_was_fetched_and_where_its_record_lies(
    live_crawl: Path, found: dict[str, Row]
) -> None:
    moment = datetime.fromisoformat(str(found["/"]["fetched_at"]))
    assert str(moment.tzinfo) == "UTC" and moment.year > 2020
    assert found["/new"]["redirects"] == [str(found["/"]["url"]) + "old"]
    data = (live_crawl / str(found["/2"]["warc_file"])).read_bytes()
    assert data[int(str(found["/2"]["warc_offset"])) :].startswith(b"\x1f\x8b")


def test_which_columns(live_crawl: Path) -> None:
    chosen = next(scenthound.corpus_rows(live_crawl, fields=["relevance", "url"]))
    assert list(chosen) == ["relevance", "url"]
    first = next(scenthound.corpus_rows(live_crawl, text=False))
    assert "text" not in first and "language" not in first and first["size"]
    with pytest.raises(SettingsError, match="language comes from the text"):
        select_fields(["language"], text=False)


def test_which_pages(live_crawl: Path) -> None:
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


def test_bad_columns_and_a_relevance_that_is_none() -> None:
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


def test_a_page_in_another_language_than_the_topic_is_marked(tmp_path: Path) -> None:
    german = "Der Sturm kam am Abend von der See, und im Hafen wurden die Boote festgemacht. "
    folder = html_folder(tmp_path, {"index.html": f"<title>storm</title><p>{german * 4}"})
    (row,) = scenthound.corpus_rows(folder, fields=["language", "expected_language"], jobs=1)
    assert row == {"language": "de", "expected_language": False}


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


def test_no_column_turns_the_direction_of_what_follows(tmp_path: Path) -> None:
    turned = "gnp\u202e\u202d\u2066 \u2069.exe"
    head = f"<meta name=author content='Ada{turned}'><meta name=description content='{turned}'>"
    page = article(f"Storm {turned}", links=["b.html"], head=head)
    linked = page.replace("more on", f"more {turned}")
    folder = html_folder(tmp_path, {"index.html": linked, "b.html": article("Other storm")})
    for row in scenthound.corpus_rows(folder, jobs=1):
        assert not {"\u202e", "\u202d", "\u2066", "\u2069"} & set(str(row))
        assert "gnp" in str(row)
