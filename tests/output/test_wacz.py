"""The index of a WACZ: the same as that of webrecorder's own indexer, and in order."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cdxj_indexer.main import CDXJIndexer
from warcio.archiveiterator import ArchiveIterator

import scenthound
from output.corpus_making import listed, replay_of
from sample.sample_once import sample_web
from scenthound.core.errors import FolderError
from scenthound.output.export.export import Exported
from scenthound.output.export.rows import ExportCounts
from scenthound.output.export.wacz import index_line, surt_key, write_index
from scenthound.output.export.warc_copy import (
    CAPTURES,
    NamedWarc,
    RecordHead,
    distinct,
    record_heads,
)
from scenthound.sample.web import write_warc
from scenthound.storage.archive import open_archive
from scenthound.storage.stored_crawl import open_crawl
from scenthound.storage.warc_reader import Window


def test_keys_and_distinct_names() -> None:
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
    assert distinct(["a.warc", "b.warc", "a.warc"]) == ["a.warc", "b.warc", "00003-a.warc"]


WARC = "pages-00001.warc.gz"


def heads_of(path: Path, losses: ExportCounts | None = None) -> list[RecordHead]:
    with path.open("rb") as file:
        warc = NamedWarc(path.name, Window(file, 0, path.stat().st_size))
        return list(record_heads(warc, losses or ExportCounts()))


def test_lines_are_those_of_webrecorder(live_crawl: Path) -> None:
    path = live_crawl / WARC
    theirs = io.StringIO()
    CDXJIndexer(theirs, str(path), sort=True).process_all()
    heads = [head for head in heads_of(path) if head.kind in CAPTURES]
    ours = sorted(index_line(head, path.name, head.offset) for head in heads)
    assert [facts(line) for line in ours] == [
        facts(line) for line in theirs.getvalue().splitlines()
    ]
    assert "warc/revisit" in "".join(ours)


def facts(line: str) -> tuple[str, str, dict[str, str]]:
    key, at, reported = line.split(" ", 2)
    return key, at, json.loads(reported)


def test_a_damaged_file_is_read_where_a_record_is_known_to_begin(
    live_crawl: Path, tmp_path: Path
) -> None:
    whole, heads = (live_crawl / WARC).read_bytes(), heads_of(live_crawl / WARC)
    cut = heads[1].offset
    odd = tmp_path / "odd.warc.gz"
    odd.write_bytes(whole[:cut] + b"\r\n" * 40 + gzip.compress(b"") + whole[cut:] + b"\r\n")
    assert [head.kind for head in heads_of(odd)] == [head.kind for head in heads]
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-5])
    losses = ExportCounts()
    assert heads_of(tmp_path / "cut.warc.gz", losses) == heads[:-1]
    reported = f"cut.warc.gz is truncated at byte {heads[-1].offset}: put it back as it was."
    assert (losses.damage, losses.lost) == (reported, 0)
    starts = [head.offset for head in heads if head.kind == "response"]
    broken = bytearray(whole)
    broken[starts[1] + 60 : starts[1] + 110] = bytes(50)
    path = tmp_path / "broken.warc.gz"
    path.write_bytes(broken)
    with path.open("rb") as file:
        window = Window(file, 0, len(broken))
        known = list(record_heads(NamedWarc("x", window, lambda: starts), ExportCounts()))
        unknown = list(record_heads(NamedWarc("x", window), ExportCounts()))
    assert known == [h for h in heads if not starts[1] <= h.offset < starts[2]]
    assert unknown == [h for h in heads if h.offset < starts[1]]


def test_blocks_are_found_by_their_first_line() -> None:
    data = io.BytesIO()
    assert len(list(write_index([], data.write))) == 1 and data.getvalue() == b""
    made = [f"key{n:05d} 2024 {{}}\n" for n in range(2_500)]
    data = io.BytesIO()
    meta, *blocks = write_index(made, data.write)
    assert json.loads(meta.split(" ", 2)[2])["format"] == "cdxj-gzip-1.0"
    unpacked = ""
    for block in blocks:
        key, at, place = facts(block)
        packed = data.getvalue()[int(place["offset"]) :][: int(place["length"])]
        text = gzip.decompress(packed).decode()
        assert text.startswith(f"{key} {at} ")
        unpacked += text
    assert unpacked == "".join(made) and len(blocks) == 3


# A crawl as a WACZ: accepted by webrecorder's validator, and replayed by us page by page.


SEED = "http://stormwatch.test/"


@pytest.fixture(scope="module")
def sample_replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("sample-replay")
    write_warc(sample_web(), base / "sample.warc.gz")
    return replay_of(base / "sample.warc.gz", base / "replay", SEED, 60)


def validate(path: Path) -> subprocess.CompletedProcess[str]:
    """By webrecorder's py-wacz; in a process of its own, since its libraries warn."""
    code = "import sys; from wacz.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "validate", "-f", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def records(path: Path) -> list[tuple[str, str]]:
    """Kind and address of all WARC records in a WACZ, digests checked by warcio."""
    found = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("archive/"):
                stream = io.BytesIO(archive.read(name))
                for record in ArchiveIterator(stream, check_digests="raise"):
                    record.raw_stream.read()
                    found.append((record.rec_type, record.rec_headers["WARC-Target-URI"] or ""))
    return found


@pytest.mark.parametrize("crawl", ["live_crawl", "sample_replay"])
def test_a_validator_accepts_it_and_we_replay_every_page_of_it(
    crawl: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder, out = Path(request.getfixturevalue(crawl)), tmp_path / "x.wacz"
    done = scenthound.export(folder, out, "wacz", text=False, everything=True)
    checked = validate(out)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "is valid" in checked.stdout
    with open_crawl(folder) as stored, open_archive(out, cache=tmp_path) as archive:
        fetched = list(stored.pages())
        assert done.rows == len(fetched) > 0
        for record in fetched:
            response, body = archive.fetch(record.url), stored.bodies.body(record)
            assert response is not None and response.status == record.status
            assert body is None or response.body == body.body


@pytest.fixture(scope="module")
def exported(live_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """The live crawl with the texts of its pages."""
    path = tmp_path_factory.mktemp("exported") / "x.wacz"
    return scenthound.export(live_crawl, path, "wacz", jobs=1)


def test_a_live_crawl_is_all_there_but_not_in_a_broken_file(
    live_crawl: Path, exported: Exported, tmp_path: Path
) -> None:
    with zipfile.ZipFile(exported.path) as archive:
        names = archive.namelist()
        stored = archive.read("archive/pages-00001.warc.gz")
        (info,) = (i for i in archive.infolist() if i.filename.startswith("archive/"))
        package = json.loads(archive.read("datapackage.json"))
        digest = json.loads(archive.read("datapackage-digest.json"))
        whole = hashlib.sha256(archive.read("datapackage.json")).hexdigest()
        lines = gzip.decompress(archive.read("indexes/index.cdx.gz")).decode().splitlines()
    assert stored == (live_crawl / WARC).read_bytes()
    assert info.compress_type == zipfile.ZIP_STORED
    assert names[1:] == [
        "indexes/index.cdx.gz", "indexes/index.idx", "pages/pages.jsonl", "datapackage.json",
        "datapackage-digest.json",
    ]  # fmt: skip
    assert (exported.rows, exported.lost, exported.damage) == (4, 0, "")
    head, *pages = listed(exported.path)
    assert head == {"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": True}
    assert [page["id"] for page in pages] == sorted((page["id"] for page in pages), key=str)
    first = pages[0]
    assert first["title"] == "Seed storm" and first["seed"] is True
    assert "tied up their boats" in str(first["text"]) and "Imprint" not in str(first["text"])
    assert package["wacz_version"] == "1.1.1" and package["title"] == "storms"
    assert package["mainPageUrl"] == first["url"] and digest["hash"] == f"sha256:{whole}"
    assert lines == sorted(lines)
    times = {json.loads(line.split(" ", 2)[2])["url"]: line.split(" ")[1] for line in lines}
    for page in pages:
        assert "".join(filter(str.isdigit, str(page["ts"]))) == times[str(page["url"])]
    broken = tmp_path / "broken.wacz"
    with zipfile.ZipFile(exported.path) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[:-1] if name.startswith("pages/") else data)
    assert validate(broken).returncode != 0


def test_a_choice_holds_its_pages_and_the_originals_of_copies(
    live_crawl: Path, tmp_path: Path
) -> None:
    done = scenthound.export(live_crawl, tmp_path / "x.wacz", "wacz", relevant=True, text=False)
    paths = {
        ("/" + url.split("/", 3)[3], kind) for kind, url in records(tmp_path / "x.wacz") if url
    }
    assert {path for path, _ in paths} == {"/", "/2", "/new", "/old"}  # the last one redirects
    kinds = {kind for path, kind in paths if path == "/2"}
    assert kinds == {"response", "request", "metadata"}
    assert done.rows == 3 and validate(tmp_path / "x.wacz").returncode == 0
    with open_crawl(live_crawl) as stored:
        (copy,) = (record for record in stored.pages() if record.copy_of)
    scenthound.export(
        live_crawl, tmp_path / "y.wacz", "wacz", everything=True, text=False,
        min_relevance=min(1.0, copy.similarity),
    )  # fmt: skip
    with open_archive(tmp_path / "y.wacz", cache=tmp_path) as archive:
        response = archive.fetch(copy.url)
    assert response is not None and b"tied up" in response.body


def test_of_a_crawl_that_was_killed_only_what_was_committed(
    live_crawl: Path, tmp_path: Path
) -> None:
    folder, out = tmp_path / "killed", tmp_path / "x.wacz"
    shutil.copytree(live_crawl, folder)
    with (folder / WARC).open("ab") as segment:
        segment.write(b"\x1f\x8bhalf a record")
    (folder / "pages-00002.warc.gz").write_bytes(b"")
    scenthound.export(folder, out, "wacz", text=False)
    with zipfile.ZipFile(out) as archive:
        assert archive.read(f"archive/{WARC}") == (live_crawl / WARC).read_bytes()
        assert "archive/pages-00002.warc.gz" not in archive.namelist()
    (folder / WARC).unlink()
    with pytest.raises(FolderError, match=r"pages-00001\.warc\.gz is not there"):
        scenthound.export(folder, out, "wacz", force=True)


def test_a_replay_of_a_wacz_can_be_exported_again_and_none_of_html_files(
    sample_replay: Path, tmp_path: Path, replayed: Path
) -> None:
    scenthound.export(sample_replay, tmp_path / "one.wacz", "wacz", text=False)
    again = replay_of(tmp_path / "one.wacz", tmp_path / "again", SEED, 60)
    scenthound.export(again, tmp_path / "two.wacz", "wacz", text=False)
    one = {(page["url"], page["ts"]) for page in listed(tmp_path / "one.wacz")[1:]}
    two = {(page["url"], page["ts"]) for page in listed(tmp_path / "two.wacz")[1:]}
    assert two <= one and len(two) > 30
    with pytest.raises(FolderError, match="is a replay of HTML files"):
        scenthound.export(replayed, tmp_path / "x.wacz", "wacz")
    assert not (tmp_path / "x.wacz").exists()
