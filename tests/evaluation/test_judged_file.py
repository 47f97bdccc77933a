"""The CSV file: what a spreadsheet makes of it is read back, and nothing in it can do harm."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frame_making import frame
from scenthound.core.errors import JudgedFileError, SettingsError
from scenthound.evaluation import judged_file
from scenthound.evaluation.sampling import Frame, SampleOptions, continued_sample, new_sample

LINES = (
    judged_file.JudgedLine(
        2, {"url": "http://a.test/1", "title": 'Wind, "rain"; hail', "judgement": "yes"}
    ),
    judged_file.JudgedLine(3, {"url": "http://a.test/2", "title": "Größe", "judgement": "no"}),
)


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def judgements(path: Path) -> list[tuple[int, str, str]]:
    return [
        (line.number, line.cell("url"), line.cell("judgement"))
        for line in judged_file.read_judged(path).lines
    ]


def test_what_is_written_is_read_by_its_lines_and_a_title_is_never_a_formula(
    tmp_path: Path,
) -> None:
    judged_file.write_judged(tmp_path / "j.csv", judged_file.JudgedFile(LINES))
    found = judged_file.read_judged(tmp_path / "j.csv")
    assert found.columns == judged_file.COLUMNS and found.separator == ","
    assert [line.number for line in found.lines] == [2, 3]
    assert found.lines[0].cell("title") == 'Wind, "rain"; hail'
    assert found.lines[1].cell("title") == "Größe"
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", "＋1", "－1", "＠A"):
        assert judged_file.strip_control(text) == f"'{text.strip()}"
    path = tmp_path / "j.csv"
    rows = 'url,judgement,comment\n\nhttp://a.test/1,yes,"two\nlines"\n,,\nhttp://a.test/2,no\n'
    assert [n for n, _, _ in judgements(written(path, rows))] == [3, 6]
    unnamed = written(path, "http://a.test/1,yes\nhttp://a.test/2,no\n")  # columns
    assert judgements(unnamed) == [(1, "http://a.test/1", "yes"), (2, "http://a.test/2", "no")]


def test_a_spreadsheet_and_a_column_of_texts_are_read(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        for separator in (",", ";", "\t"):
            rows = [
                ["Comment", " JUDGEMENT ", "mine", "URL"],
                ["Größe, klein", "Y", "7", "http://a.test/1"],
            ]
            text = "\r\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows)
            path = written(tmp_path / "j.csv", text.encode(encoding))
            assert judgements(path) == [(2, "http://a.test/1", "Y")]
            again = tmp_path / "again.csv"
            judged_file.write_judged(again, judged_file.read_judged(path))
            assert judgements(again) == judgements(path)
            assert judged_file.read_judged(again).columns == ("comment", "judgement", "mine", "url")
            assert judged_file.read_judged(again).lines[0].cell("mine") == "7"
    # An exported table with a column of judgements: its cells are long.
    limit = csv.field_size_limit()
    long = "x " * 200_000 + '""quoted"" '
    table = "".join(f'{i},http://a.test/{i},"{long}\n{long}",yes\r\n' for i in range(5))
    path = written(tmp_path / "j.csv", f"n,url,text,judgement\r\n{table}")
    lines = judged_file.read_judged(path).lines
    assert [(line.number, line.cell("url")) for line in lines] == [
        (2 + 2 * i, f"http://a.test/{i}") for i in range(5)
    ]
    assert csv.field_size_limit() == limit


def test_files_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half_quoted = b'url,judgement\nhttp://a.test/1,yes\nhttp://a.test/2,"no\n'
    cases: list[tuple[bytes, str]] = [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"address,what\nx,y\n", "no column 'judgement'"),
        (b"judgement,title\nyes,a\n", "no column 'url'"),
        (b"PK\x03\x04rest", "save it as CSV"),
        (half_quoted, "line 3: .*is a quote not closed"),
    ]
    for data, message in cases:
        with pytest.raises(JudgedFileError, match=message):
            judged_file.read_judged(written(tmp_path / "j.csv", data))
    with pytest.raises(JudgedFileError, match="No such file"):
        judged_file.read_judged(tmp_path / "none.csv")
    with pytest.raises(JudgedFileError, match="directory"):
        judged_file.read_judged(tmp_path)
    with pytest.raises(JudgedFileError, match="cannot be written"):
        judged_file.write_judged(tmp_path / "no" / "j.csv", judged_file.JudgedFile(LINES))
    monkeypatch.setattr(judged_file, "LONGEST_CELL", 1_000)
    for cells, problem in [
        ('"' + "x\n" * 1_000, "field larger than field limit"),
        ("yes," * 500, "a line is longer than 1,000 characters"),
    ]:
        path = written(tmp_path / "j.csv", f"url,judgement\nhttp://a.test/,{cells}")
        with pytest.raises(JudgedFileError, match=f"line 2: {problem}"):
            judged_file.read_judged(path)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_file_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = written(tmp_path_factory.getbasetemp() / "any.csv", data)
    try:
        found = judged_file.read_judged(path)
    except JudgedFileError as error:
        assert str(path) in str(error)
    else:
        assert {"url", "judgement"} <= set(found.columns)


def blank(page: object) -> tuple[str, str]:
    return "", ""


def sampled(tmp_path: Path, made: Frame, wanted: SampleOptions) -> Path:
    path = tmp_path / "sample.csv"
    judged_file.write_judged(path, new_sample(made, wanted, blank).file)
    return path


HUNDRED = frame([i / 100 for i in range(100)])


def test_a_sample_grows_and_keeps_what_is_judged(tmp_path: Path) -> None:
    path = sampled(tmp_path, HUNDRED, SampleOptions(n=20))
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))
    assert len(rows) == 20 and list(rows[0]) == list(judged_file.COLUMNS)
    assert {row["band"] for row in rows} == {"1", "2", "3", "4", "5"}
    of_last = {row["sample"] for row in rows if row["band"] == "5"}
    assert of_last == {"bands=5 pages=100 band_pages=25 seed=0"}
    assert all(row["judgement"] == row["comment"] == "" for row in rows)
    assert float(rows[0]["relevance"]) == (int(rows[0]["n"]) - 1) / 100
    file = judged_file.read_judged(path)
    first = file.lines[0].judged("yes")
    judged_file.write_judged(
        path, judged_file.JudgedFile((first, *file.lines[1:]), file.columns, ";")
    )
    larger = continued_sample(path, HUNDRED, SampleOptions(n=30), blank)
    assert (larger.added, larger.kept, len(larger.file.lines)) == (10, 20, 30)
    assert larger.file.separator == ";"
    assert larger.file.lines[0].cell("judgement") == "yes"
    same = continued_sample(path, HUNDRED, SampleOptions(n=10), blank)
    assert (same.added, same.kept) == (0, 20)


def test_what_cannot_be_drawn_and_a_file_of_another_draw_is_left_alone(tmp_path: Path) -> None:
    path = sampled(tmp_path, HUNDRED, SampleOptions(n=20))
    for made, options, reported in (
        (frame([i / 60 for i in range(60)]), SampleOptions(n=20), "no sample of this crawl"),
        (HUNDRED, SampleOptions(n=20, bands=4), "drawn with bands 5, not 4"),
        (HUNDRED, SampleOptions(n=20, random_seed=3), "drawn with random seed 0, not 3"),
    ):
        with pytest.raises(JudgedFileError, match=reported):
            continued_sample(path, made, options, blank)
    written(path, "url,judgement\nhttp://a.test/1,yes\n")
    with pytest.raises(JudgedFileError, match="no sample of this crawl"):
        continued_sample(path, HUNDRED, SampleOptions(n=20), blank)
    with pytest.raises(SettingsError, match="no documents"):
        new_sample(frame([]), SampleOptions(), blank)
    with pytest.raises(SettingsError, match="n is 10 or more"):
        SampleOptions(n=9)
    with pytest.raises(SettingsError, match="bands takes a whole number from 2 to 20"):
        SampleOptions(n=100, bands=1)
    assert len(new_sample(frame([0.1, 0.9]), SampleOptions(n=100), blank).file.lines) == 2
