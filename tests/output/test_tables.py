"""Rows as JSON Lines, CSV and Parquet: read back by somebody else, they say the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
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
    Field,
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
    for mark, start in [(True, b"\xef\xbb\xbfn,url"), (False, b"n,url")]:
        assert written_csv([PLAIN], mark).startswith(start)


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


def test_parquet(tmp_path: Path) -> None:
    first, second = pq.read_table(parquet(tmp_path / "x", FIELDS, PLAIN, EMPTY)).to_pylist()
    parts = [{"name": "anchor", "value": 0.5, "weight": 2.0}]
    assert first == PLAIN | {"priority_parts": parts}
    assert second == EMPTY | {"priority_parts": []}
    assert pq.read_table(parquet(tmp_path / "empty", FIELDS)).num_rows == 0


def test_parquet_is_written_group_by_group_if_the_extra_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    path.write_text("mine")
    with pytest.raises(SettingsError, match="there already; give another --out, or --force"):
        check_target(path, force=False)
    check_target(path, force=True)
    check_target(STDOUT, force=False)
    for bad, told in [(tmp_path, "is a folder"), (tmp_path / "no" / "x.csv", "there is no folder")]:
        with pytest.raises(SettingsError, match=told):
            check_target(bad, force=True)
    (tmp_path / "storms").mkdir()
    assert default_target(tmp_path / "storms", "csv") == tmp_path / "storms.csv"
    assert default_target(tmp_path / "storms" / ".", "csv") == tmp_path / "storms.csv"


def test_a_file_is_there_when_it_is_whole_and_an_error_leaves_what_was_there(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.csv"
    with open_target(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    with pytest.raises(KeyboardInterrupt), open_target(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"all of it" and list(tmp_path.iterdir()) == [path]
