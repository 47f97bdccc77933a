"""What an export holds of a crawl that is damaged, and its rows as tables."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenthound
from output.corpus_making import article, html_body, html_folder, listed, replay_of
from output.report_making import page
from scenthound.core.errors import ArchiveError, FolderError, ScenthoundError, SettingsError
from scenthound.output.export.export import default_target
from scenthound.output.export.page_text import PageText
from scenthound.output.export.rows import (
    FIELDS,
    LOST,
    NAMES,
    NO_RECORD,
    RowOptions,
    Task,
    TextProcessPool,
    select_fields,
)
from scenthound.storage import files as tables
from scenthound.storage.archive import open_archive
from scenthound.storage.files import (
    STDOUT,
    CsvTable,
    Field,
    JsonLinesTable,
    Kind,
    ParquetTable,
    Row,
    cell,
    check_target,
    open_target,
    require_parquet,
)
from scenthound.storage.stored_crawl import RecordLocation, open_crawl, page_record

WARC = "pages-00001.warc.gz"


@pytest.fixture
def folder(live_crawl: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(live_crawl, tmp_path / "crawl" / "storms"))


def places(folder: Path) -> dict[int, RecordLocation]:
    """Where the pages with a text lie, by their numbers."""
    with open_crawl(folder) as stored:
        found = {page.n: stored.bodies.place(page) for page in stored.pages() if page.has_document}
    return {n: place for n, place in found.items() if place is not None}


def zero(folder: Path, place: RecordLocation) -> None:
    """Fifty bytes in the middle of a record."""
    path = folder / place.file
    content = bytearray(path.read_bytes())
    middle = place.offset + place.length // 2
    content[middle : middle + 50] = bytes(50)
    path.write_bytes(content)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("text", [True, False])
def test_a_damaged_record_costs_its_page_alone(folder: Path, tmp_path: Path, text: bool) -> None:
    n, place = list(places(folder).items())[1]
    zero(folder, place)
    done = scenthound.export(folder, tmp_path / "x.jsonl", text=text, jobs=1)
    rows = lines(tmp_path / "x.jsonl")
    assert (done.rows, done.lost) == (len(rows), 1) == (4, 1)
    assert f"holds no page at byte {place.offset}" in done.damage
    (lost,) = [row for row in rows if row["problem"] == LOST]
    assert (lost["n"], lost["size"], lost["warc_offset"]) == (n, None, place.offset)
    assert not lost.get("text") and lost["title"]
    assert all(row["size"] and (not text or row["text"]) for row in rows if row is not lost)


def test_a_file_that_was_cut_costs_what_was_behind_and_one_that_is_gone_all(
    folder: Path, tmp_path: Path
) -> None:
    second = list(places(folder).values())[1]
    path = folder / second.file
    path.write_bytes(path.read_bytes()[: second.offset + 20])
    done = scenthound.export(folder, tmp_path / "x.jsonl", jobs=1)
    assert (done.rows, done.lost) == (4, 3)
    assert [bool(row["text"]) for row in lines(tmp_path / "x.jsonl")] == [True, False, False, False]
    (folder / WARC).unlink()
    done = scenthound.export(folder, tmp_path / "without.jsonl", text=False)
    assert (done.rows, done.lost) == (4, 4) and f"{WARC} cannot be read" in done.damage
    fields = ["n", "url", "relevance"]
    whole = scenthound.export(folder, tmp_path / "y.jsonl", fields=fields)
    assert (whole.rows, whole.lost, whole.damage) == (4, 0, "")


def test_a_wacz_leaves_out_what_is_lost(folder: Path, tmp_path: Path) -> None:
    with open_crawl(folder) as stored:
        urls = {page.n: page.url for page in stored.pages()}
    n, place = list(places(folder).items())[1]
    zero(folder, place)
    out = tmp_path / "x.wacz"
    done = scenthound.export(folder, out, text=False)
    assert (done.rows, done.lost, done.left_out[NO_RECORD]) == (3, 1, 1)
    assert done.damage == f"{WARC} is damaged at byte {place.offset}: put it back as it was."
    pages = [str(page["url"]) for page in listed(out)[1:]]
    assert urls[n] not in pages and len(pages) == 3
    with open_archive(out, cache=tmp_path) as archive:
        assert archive.fetch(urls[n]) is None
        assert all(archive.fetch(url) is not None for url in pages)


def test_damage_to_no_page_is_reported_as_well(folder: Path, tmp_path: Path) -> None:
    first = next(iter(places(folder).values()))
    request = RecordLocation(first.file, first.offset + first.length, 200)
    zero(folder, request)
    table = scenthound.export(folder, tmp_path / "x.jsonl", jobs=1)
    assert (table.lost, table.damage) == (0, "")
    archive = scenthound.export(folder, tmp_path / "x.wacz", text=False)
    assert (archive.rows, archive.lost) == (4, 0) and "is damaged" in archive.damage


def test_a_replay_whose_archive_is_gone_or_has_changed(tmp_path: Path, live_crawl: Path) -> None:
    replay = html_folder(tmp_path, {"index.html": article("Storm")})
    (tmp_path / "web").rename(tmp_path / "moved")
    gone = r"web, which was replayed, is gone: put it back, or do without texts \(--no-text\)\.$"
    with pytest.raises(ArchiveError, match=gone):
        scenthound.export(replay, tmp_path / "x.jsonl", jobs=1)
    with pytest.raises(ArchiveError, match=r"is gone: put it back\.$"):
        scenthound.export(replay, tmp_path / "x.wacz")
    assert not (tmp_path / "x.jsonl").exists() and not (tmp_path / "x.wacz").exists()
    done = scenthound.export(replay, tmp_path / "x.jsonl", text=False)
    assert (done.rows, done.lost) == (1, 1) and done.damage.endswith("is gone: put it back.")
    archive = tmp_path / "web.warc.gz"
    shutil.copy(live_crawl / WARC, archive)
    with open_crawl(live_crawl) as stored:
        seed = next(stored.pages()).url
    replay = replay_of(archive, tmp_path / "again", seed, 3)
    archive.write_bytes(archive.read_bytes()[:-50])
    with pytest.raises(ArchiveError, match=r"that was replayed has changed: .*truncated"):
        scenthound.export(replay, tmp_path / "y.jsonl", jobs=1)


def test_a_journal_that_is_cut_or_empty(live_crawl: Path, replayed: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    live = Path(shutil.copytree(live_crawl, tmp_path / "live"))
    replay = Path(shutil.copytree(replayed, tmp_path / "replay"))
    journal = live / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-30])
    with pytest.raises(FolderError, match="is shorter than it was"):
        scenthound.export(live, out)
    journal = replay / "journal.jsonl"  # of which a replay can do without its end
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'"event":"page"') + 20])
    done = scenthound.export(replay, out, text=False)
    assert (done.rows, done.lost) == (1, 0)
    assert done.damage == f"{journal} is cut: later pages are missing."
    for folder in (live, replay):
        (folder / "journal.jsonl").write_bytes(b"")
        with pytest.raises(FolderError, match=r"journal\.jsonl is empty: put it back"):
            scenthound.export(folder, out, force=True)


def test_nothing_is_written_into_the_crawl_folder_nor_over_its_archive(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "sub").mkdir()
    kept = [path for path in folder.glob("*.*") if not path.name.endswith(("-wal", "-shm"))]
    before = {path: path.read_bytes() for path in kept}
    for name in ("x.jsonl", "x.wacz", "journal.jsonl", "sub/x.csv"):
        with pytest.raises(SettingsError, match="is in the crawl folder"):
            scenthound.export(folder, folder / name, text=False, force=True)
    archive = tmp_path / "web.wacz"
    scenthound.export(folder, archive, text=False)
    before[archive] = archive.read_bytes()
    replay = replay_of(archive, tmp_path / "replay", str(listed(archive)[1]["url"]), 2)
    with pytest.raises(SettingsError, match="is the archive that was replayed"):
        scenthound.export(replay, archive, text=False, force=True)
    assert {path: path.read_bytes() for path in before} == before
    assert not any((folder / "sub").iterdir())


# Pages read in other processes: in order, and whatever a page does to one of them.


CHILD = """
import json, os, sys, time
from multiprocessing.connection import Connection
pages = Connection(int(sys.argv[1]))
pages.send_bytes(b"")
while True:
    head, body = json.loads(pages.recv_bytes()), pages.recv_bytes()
    if body == b"hang" and head["main"] or body == b"hang always":
        time.sleep(600)
    if body == b"die" and head["main"]:
        os._exit(9)
    text = body.decode() + ("" if head["main"] else ", visible")
    pages.send_bytes(json.dumps({"text": text, "failed": False}).encode())
"""
FAKE = (sys.executable, "-c", CHILD)


def tasks(*bodies: str | None) -> Iterator[Task]:
    for number, body in enumerate(bodies):
        yield page_record(page(number)), None if body is None else html_body(body)


def read(*bodies: str | None, jobs: int = 2) -> list[tuple[int, str, bool]]:
    with TextProcessPool(jobs, "en", timeout_s=0.5, command=FAKE) as readers:
        return [(record.n, t.text, t.failed) for record, _, t in readers.read(tasks(*bodies))]


def test_pages_come_in_order_and_one_that_hangs_or_kills_is_read_again() -> None:
    words = [f"page {number}" for number in range(40)]
    assert read(*words, jobs=3) == [(n, word, False) for n, word in enumerate(words)]
    assert read(None, "") == [(0, "", False), (1, "", False)], "without a body there is no text"
    for bad, text in [("hang", "hang, visible"), ("die", "die, visible"), ("hang always", "")]:
        assert read("a", bad, "b") == [(0, "a", False), (1, text, True), (2, "b", False)]


def test_few_pages_are_taken_ahead_and_none_waited_for_at_the_end() -> None:
    taken = []

    def counted() -> Iterator[Task]:
        for task in tasks(*map(str, range(100))):
            taken.append(task)
            yield task

    with TextProcessPool(2, "en", command=FAKE) as readers:
        next(readers.read(counted()))
    assert len(taken) == 6
    # Who leaves early does not wait for a page that hangs.
    with TextProcessPool(1, "en", timeout_s=600, command=FAKE) as readers:
        found = readers.read(tasks("a", "b", "c", "hang"))
        assert next(found)[2] == PageText(text="a")


def test_the_real_process_reads_a_page_and_one_that_does_not_start_is_reported() -> None:
    with TextProcessPool(1, "en") as readers:
        ((record, _, text),) = readers.read(tasks(article("Storm")))
    assert record.n == 0 and text.source == "main" and "tied up" in text.text
    assert text.is_expected
    with (
        TextProcessPool(1, "en", command=(sys.executable, "-c", "")) as readers,
        pytest.raises(ScenthoundError, match="does not start"),
    ):
        list(readers.read(tasks("a")))
    for jobs in [0, -1, 65, True, "2", 1.5]:
        with pytest.raises(SettingsError, match="from 1 to 64"):
            RowOptions.from_arguments(jobs=jobs)


# Rows as JSON Lines, CSV and Parquet: read back by somebody else, they say the same.


BY_KIND: dict[Kind, object] = {
    Kind.TEXT: "wörter, \"so\"\nund 'so'",
    Kind.INTEGER: 7,
    Kind.NUMBER: 0.25,
    Kind.TRUTH: True,
    Kind.TEXTS: ["http://a.test/", "http://b.test/"],
    Kind.PARTS: {"anchor": {"value": 0.5, "weight": 2.0}},
}
PLAIN = cast(Row, {field.name: BY_KIND[field.kind] for field in FIELDS})
EMPTY = cast(Row, {**dict.fromkeys(NAMES), "redirects": [], "priority_parts": {}})


def written_csv(rows: list[Row], mark: bool = True) -> bytes:
    file = io.BytesIO()
    table = CsvTable(file, select_fields(list(rows[0])), mark)
    for row in rows:
        table.write(row)
    table.close()
    return file.getvalue()


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_csv_and_json_lines_are_read_back() -> None:
    first, second = read_csv(written_csv([PLAIN, EMPTY]))
    assert list(first) == list(PLAIN) and first["text"] == PLAIN["text"]
    assert (first["n"], first["relevance"], first["relevant"]) == ("7", "0.25", "true")
    assert json.loads(first["redirects"]) == PLAIN["redirects"]
    assert json.loads(first["priority_parts"]) == PLAIN["priority_parts"]
    assert set(second.values()) == {""}
    for mark, start in [(True, b"\xef\xbb\xbfn,url"), (False, b"n,url")]:
        assert written_csv([PLAIN], mark).startswith(start)
    file = io.BytesIO()
    table = JsonLinesTable(file)
    table.write(PLAIN)
    table.write(EMPTY)
    table.close()
    one, two, rest = file.getvalue().decode("utf-8").split("\n")
    assert (json.loads(one), json.loads(two), rest) == (PLAIN, EMPTY, "")
    assert "wörter" in one


def test_text_that_a_spreadsheet_would_run_is_made_harmless() -> None:
    for start in ["=", "+", "-", "@", "\t", "\r", "＝", "＠"]:
        formula = f'{start}HYPERLINK("http://evil.test","x")'
        assert cell(formula) == f"'{formula}"
    for value in ["storm", "a=b", " =1", -0.5, -3, 0, ""]:
        assert cell(value) == value
    with pytest.raises(TypeError, match="no cell"):
        cell(object())


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])).filter(lambda t: "\r" not in t))
def test_no_text_breaks_out_of_its_cell(text: str) -> None:
    ((got,),) = [list(row.values()) for row in read_csv(written_csv([{"text": text}]))] or [[""]]
    assert got == cell(text) or not text
    assert not got.startswith(("=", "+", "-", "@"))


def parquet(path: Path, fields: Sequence[Field], *rows: Row) -> Path:
    with path.open("wb") as file:
        table = ParquetTable(file, fields)
        for row in rows:
            table.write(row)
        table.close()
    return path


def test_parquet_is_written_group_by_group_if_the_extra_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pq.read_table(parquet(tmp_path / "x", FIELDS, PLAIN, EMPTY)).to_pylist()
    parts = [{"name": "anchor", "value": 0.5, "weight": 2.0}]
    assert first == PLAIN | {"priority_parts": parts}
    assert second == EMPTY | {"priority_parts": []}
    assert pq.read_table(parquet(tmp_path / "empty", FIELDS)).num_rows == 0
    monkeypatch.setattr(tables, "_GROUP_ROWS", 10)
    monkeypatch.setattr(tables, "_GROUP_CHARACTERS", 100)
    rows: list[Row] = [{"n": n, "text": "x" * (200 if n == 25 else 1)} for n in range(26)]
    path = parquet(tmp_path / "x.parquet", select_fields(["n", "text"]), *rows)
    meta = pq.read_metadata(path)
    sizes = [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
    assert sizes == [10, 10, 6] and pq.read_table(path)["n"].to_pylist() == list(range(26))
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[parquet\]'"):
        require_parquet()


# Where an export goes: whole or not at all, and nothing overwritten unasked.


def test_where_an_export_goes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with open_target(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    with pytest.raises(KeyboardInterrupt), open_target(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"all of it" and list(tmp_path.iterdir()) == [path]
    path.write_text("mine")
    with pytest.raises(SettingsError, match="exists already; give another name, or --force"):
        check_target(path, force=False)
    check_target(path, force=True)
    check_target(STDOUT, force=False)
    for bad, reported in [
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "x.csv", "there is no folder"),
    ]:
        with pytest.raises(SettingsError, match=reported):
            check_target(bad, force=True)
    (tmp_path / "storms").mkdir()
    assert default_target(tmp_path / "storms", "csv") == tmp_path / "storms.csv"
    assert default_target(tmp_path / "storms" / ".", "csv") == tmp_path / "storms.csv"
