"""The index of a WACZ: the same as that of webrecorder's own indexer, and in order."""

from __future__ import annotations

import gzip
import io
import json
from itertools import pairwise
from pathlib import Path

from cdxj_indexer.main import CDXJIndexer

from scenthound.output.export_rows import Losses
from scenthound.output.wacz import SortedLines, cdx_timestamp, index_line, surt_key, write_index
from scenthound.output.warc_copy import CAPTURES, NamedWarc, RecordHead, record_heads
from scenthound.storage.warc_reader import Window


def test_keys() -> None:
    for url, key in [
        ("http://example.com/", "com,example)/"),
        ("https://www.Example.com/A/b?Z=1&a=2", "com,example)/a/b?a=2&z=1"),
        ("http://www2.example.com:8080/x", "com,example:8080)/x"),
        ("https://example.com:443", "com,example)/"),
        ("http://127.0.0.1:99/x?", "1,0,0,127:99)/x"),
        ("urn:x", "urn:x"),
        ("http://[broken/", "http://[broken/"),
    ]:
        assert surt_key(url) == key


def test_timestamps() -> None:
    for date in ["2024-03-01T12:30:00Z", "2024-03-01T12:30:00.251634Z"]:
        assert cdx_timestamp(date) == "20240301123000"


def heads_of(path: Path, losses: Losses | None = None) -> list[RecordHead]:
    with path.open("rb") as file:
        warc = NamedWarc(path.name, Window(file, 0, path.stat().st_size))
        return list(record_heads(warc, losses or Losses()))


def test_lines_are_those_of_webrecorder(live_crawl: Path) -> None:
    path = live_crawl / "pages-00001.warc.gz"
    theirs = io.StringIO()
    CDXJIndexer(theirs, str(path), sort=True).process_all()
    heads = [head for head in heads_of(path) if head.kind in CAPTURES]
    ours = sorted(index_line(head, path.name, head.offset) for head in heads)
    assert [facts(line) for line in ours] == [
        facts(line) for line in theirs.getvalue().splitlines()
    ]
    assert "warc/revisit" in "".join(ours)


def facts(line: str) -> tuple[str, str, dict[str, str]]:
    key, at, told = line.split(" ", 2)
    return key, at, json.loads(told)


def test_records_follow_each_other_without_a_gap(live_crawl: Path) -> None:
    path = live_crawl / "pages-00001.warc.gz"
    heads = heads_of(path)
    assert all(one.offset + one.length == two.offset for one, two in pairwise(heads))
    assert (
        heads[0].kind == "warcinfo" and heads[-1].offset + heads[-1].length == path.stat().st_size
    )


def test_blank_lines_and_empty_members_between_records_are_passed(
    live_crawl: Path, tmp_path: Path
) -> None:
    whole = (live_crawl / "pages-00001.warc.gz").read_bytes()
    cut = heads_of(live_crawl / "pages-00001.warc.gz")[1].offset
    odd = tmp_path / "odd.warc.gz"
    odd.write_bytes(whole[:cut] + b"\r\n" * 40 + gzip.compress(b"") + whole[cut:] + b"\r\n")
    kinds = [head.kind for head in heads_of(odd)]
    assert kinds == [head.kind for head in heads_of(live_crawl / "pages-00001.warc.gz")]


def test_a_damaged_file_is_told(live_crawl: Path, tmp_path: Path) -> None:
    whole = (live_crawl / "pages-00001.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-5])
    losses = Losses()
    heads = heads_of(tmp_path / "cut.warc.gz", losses)
    *others, last = heads_of(live_crawl / "pages-00001.warc.gz")
    assert heads == others
    told = f"cut.warc.gz is truncated at byte {last.offset}: put it back as it was."
    assert (losses.damage, losses.pages) == (told, 0)


def test_after_damage_it_goes_on_where_a_record_is_known_to_begin(
    live_crawl: Path, tmp_path: Path
) -> None:
    whole = heads_of(live_crawl / "pages-00001.warc.gz")
    starts = [head.offset for head in whole if head.kind == "response"]
    broken = bytearray((live_crawl / "pages-00001.warc.gz").read_bytes())
    broken[starts[1] + 60 : starts[1] + 110] = bytes(50)
    path = tmp_path / "broken.warc.gz"
    path.write_bytes(broken)
    with path.open("rb") as file:
        window = Window(file, 0, len(broken))
        known = list(record_heads(NamedWarc("x", window, lambda: starts), Losses()))
        unknown = list(record_heads(NamedWarc("x", window), Losses()))
    assert known == [h for h in whole if not starts[1] <= h.offset < starts[2]]
    assert unknown == [h for h in whole if h.offset < starts[1]]


def test_lines_are_sorted_whatever_fits_in_memory() -> None:
    for run_lines in [1, 3, 1_000]:
        words = [f"{(n * 7) % 50:03d} ü\n" for n in range(50)]
        with SortedLines(run_lines) as lines:
            for word in words:
                lines.add(word)
            assert list(lines) == sorted(words)


def test_blocks_are_found_by_their_first_line() -> None:
    lines = [f"key{n:05d} 2024 {{}}\n" for n in range(2_500)]
    data = io.BytesIO()
    meta, *blocks = write_index(lines, data.write)
    assert json.loads(meta.split(" ", 2)[2])["format"] == "cdxj-gzip-1.0"
    unpacked = ""
    for block in blocks:
        key, at, place = facts(block)
        packed = data.getvalue()[int(place["offset"]) :][: int(place["length"])]
        text = gzip.decompress(packed).decode()
        assert text.startswith(f"{key} {at} ")
        unpacked += text
    assert unpacked == "".join(lines) and len(blocks) == 3


def test_an_empty_index_has_no_blocks() -> None:
    data = io.BytesIO()
    assert len(list(write_index([], data.write))) == 1 and data.getvalue() == b""
