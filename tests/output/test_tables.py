"""Rows as JSON Lines, CSV and Parquet: read back by somebody else, they say the same."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.output.export import check_target, default_target
from scenthound.output.export_rows import FIELDS, NAMES, select_fields
from scenthound.storage import files as tables
from scenthound.storage.files import (
    STDOUT,
    CsvTable,
    JsonLinesTable,
    Kind,
    ParquetTable,
    Row,
    cell,
    open_target,
    require_parquet,
)

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


def test_json_lines() -> None:
    file = io.BytesIO()
    table = JsonLinesTable(file)
    table.write(PLAIN)
    table.write(EMPTY)
    table.close()
    first, second, rest = file.getvalue().decode("utf-8").split("\n")
    assert (json.loads(first), json.loads(second), rest) == (PLAIN, EMPTY, "")
    assert "wörter" in first


def test_csv_is_read_back_with_its_line_ends_and_quotes() -> None:
    first, second = read_csv(written_csv([PLAIN, EMPTY]))
    assert list(first) == list(PLAIN) and first["text"] == PLAIN["text"]
    assert (first["n"], first["relevance"], first["relevant"]) == ("7", "0.25", "true")
    assert json.loads(first["redirects"]) == PLAIN["redirects"]
    assert json.loads(first["priority_parts"]) == PLAIN["priority_parts"]
    assert set(second.values()) == {""}


def test_csv_says_that_it_is_utf8() -> None:
    for mark, start in [(True, b"\xef\xbb\xbfn,url"), (False, b"n,url")]:
        assert written_csv([PLAIN], mark).startswith(start)


def test_text_that_a_spreadsheet_would_run_is_made_harmless() -> None:
    for start in ["=", "+", "-", "@", "\t", "\r", "＝", "＠"]:
        formula = f'{start}HYPERLINK("http://evil.test","x")'
        assert cell(formula) == f"'{formula}"


def test_other_values_stay_as_they_are() -> None:
    for value in ["storm", "a=b", " =1", -0.5, -3, 0, ""]:
        assert cell(value) == value


def test_a_cell_takes_only_what_a_row_holds() -> None:
    with pytest.raises(TypeError, match="no cell"):
        cell(object())


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])).filter(lambda t: "\r" not in t))
def test_no_text_breaks_out_of_its_cell(text: str) -> None:
    ((got,),) = [list(row.values()) for row in read_csv(written_csv([{"text": text}]))] or [[""]]
    assert got == cell(text) or not text
    assert not got.startswith(("=", "+", "-", "@"))


def test_parquet(tmp_path: Path) -> None:
    with (tmp_path / "x.parquet").open("wb") as file:
        table = ParquetTable(file, FIELDS)
        table.write(PLAIN)
        table.write(EMPTY)
        table.close()
    first, second = pq.read_table(tmp_path / "x.parquet").to_pylist()
    parts = [{"name": "anchor", "value": 0.5, "weight": 2.0}]
    assert first == PLAIN | {"priority_parts": parts}
    assert second == EMPTY | {"priority_parts": []}


def test_parquet_is_written_group_by_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_GROUP_ROWS", 10)
    monkeypatch.setattr(tables, "_GROUP_CHARACTERS", 100)
    path = tmp_path / "x.parquet"
    with path.open("wb") as file:
        table = ParquetTable(file, select_fields(["n", "text"]))
        for n in range(25):
            table.write({"n": n, "text": "x" * 1})
        table.write({"n": 25, "text": "x" * 200})
        table.close()
    meta = pq.read_metadata(path)
    sizes = [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
    assert sizes == [10, 10, 6] and pq.read_table(path)["n"].to_pylist() == list(range(26))


def test_parquet_without_a_row_is_an_empty_table(tmp_path: Path) -> None:
    with (tmp_path / "x.parquet").open("wb") as file:
        ParquetTable(file, FIELDS).close()
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 0


def test_without_the_extra_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[parquet\]'"):
        require_parquet()


# Where an export goes: whole or not at all, and nothing overwritten unasked.


def test_by_default_it_lies_beside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "storms").mkdir()
    assert default_target(tmp_path / "storms", "csv") == tmp_path / "storms.csv"
    assert default_target(tmp_path / "storms" / ".", "csv") == tmp_path / "storms.csv"


def test_what_is_there_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(SettingsError, match="there already; give another --out, or --force"):
        check_target(path, force=False)
    check_target(path, force=True)


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is a folder"):
        check_target(tmp_path, force=True)
    with pytest.raises(SettingsError, match="there is no folder"):
        check_target(tmp_path / "no" / "x.csv", force=True)
    check_target(STDOUT, force=False)


def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(KeyboardInterrupt), open_target(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_text() == "mine" and list(tmp_path.iterdir()) == [path]


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with open_target(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_bytes() == b"all of it"


def test_a_full_disk_is_one_sentence() -> None:
    full = Path("/dev/full")
    if not os.access(full, os.W_OK):
        pytest.skip("no such device here")
    with pytest.raises(SettingsError, match="/dev/full cannot be written: No space left"):
        _fill(full)


def _fill(path: Path) -> None:
    with open_target(path) as file:
        file.write(b"x" * 100_000)
