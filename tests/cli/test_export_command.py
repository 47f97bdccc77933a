"""``scenthound export`` and ``merge``: options, formats, what is printed, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cli.commands import Command, interrupted, refused, wait_until
from crawler.live_running import crawling, events, prepare
from crawler.live_web import LiveWeb
from output.corpus_making import article, html_folder, live_folder
from output.worker_making import WorkerMaking
from scenthound import Topic, replay
from scenthound.cli import export as module
from scenthound.core.model import global_page_number
from scenthound.output.export.rows import NAMES
from scenthound.storage.files import JsonLinesTable
from text.pdf_writing import pdf


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_folder(tmp_path_factory.mktemp("exports") / "storms")


def json_rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_lines_by_default_beside_the_folder(cli: Command, folder: Path) -> None:
    answer = cli("export", folder, "--jobs", "1")
    path = folder.with_name("storms.jsonl")
    rows = json_rows(path.read_text(encoding="utf-8"))
    assert (answer.code, answer.out) == (0, "")
    reported = "4 pages; left out: copy of another page 1, no page (an error, or nothing to keep) 1"
    assert answer.err.splitlines() == [f"wrote {path}: {reported}"]
    assert len(rows) == 4 and tuple(rows[0]) == NAMES and "boats" in str(rows[0]["text"])
    refused(cli("export", folder), "storms.jsonl exists already", "--force")
    assert cli("export", folder, "--force", "--no-text", "-q").err == ""
    assert "text" not in json_rows(path.read_text(encoding="utf-8"))[0]
    assert cli("export", folder, "--force", "--text", "--jobs", "1", "-q").err == ""
    assert "text" in json_rows(path.read_text(encoding="utf-8"))[0]


def test_which_pages(cli: Command, folder: Path) -> None:
    for options, paths in [
        ([], ["/", "/2", "/new", "/off"]),
        (["--relevant"], ["/", "/2", "/new"]),
        (["--min-relevance", "0.1"], ["/", "/2", "/new"]),
        (["--min-relevance", "1"], []),
        (["--all"], ["/", "/2", "/copy", "/gone", "/new", "/off"]),
    ]:
        answer = cli("export", folder, "--out", "-", "--fields", "url", *options)
        found = ["/" + str(row["url"]).split("/", 3)[3] for row in json_rows(answer.out)]
        if "/copy" in found and "--all" not in options:  # whichever of the two came second
            found[found.index("/copy")] = "/2"
        assert sorted(found) == paths and answer.code == 0
        assert answer.err.startswith(f"wrote stdout: {len(paths)} pages")
    answer = cli("export", folder, "-f", "csv", "-o", "-", "--fields", "n, status")
    assert answer.out.splitlines()[:2] == ["n,status", "1,200"]


def test_bad_options(cli: Command, folder: Path, tmp_path: Path) -> None:
    for options, words in [
        (["--fields", "titel"], ["titel", "did you mean", "title"]),
        (["--fields", ","], ["no field is named"]),
        (["--fields", "text", "--no-text"], ["text", "--no-text"]),
        (["-f", "wacz", "--fields", "n"], ["WACZ has no columns"]),
        (["-f", "wacz", "-o", "-"], ["wacz", "standard output"]),
        (["--min-relevance", "2"], ["--min-relevance lies within 0 and 1"]),
        (["--jobs", "0"], ["--jobs", "from 1 to 64"]),
        (["-o", "."], ["is a folder"]),
        (["-o", "no/where.jsonl"], ["there is no folder no"]),
        (["-o", "storms.xlsx"], ["no export format has the extension .xlsx", ".parquet"]),
    ]:
        refused(cli("export", folder, *options), *words)
    answer = cli("export", folder, "-f", "xlsx")
    assert answer.code == 2 and "jsonl" in answer.err and answer.out == ""
    refused(cli("export", tmp_path), "holds no crawl")
    refused(cli("export", tmp_path / "no"), "no")


def test_an_archive_that_has_moved(cli: Command, tmp_path: Path) -> None:
    replay = html_folder(tmp_path, {"index.html": article("Storm")})
    (tmp_path / "web").rename(tmp_path / "moved")
    refused(cli("export", replay), "web")
    assert not (tmp_path / "replay.jsonl").exists()


def test_pages_that_break_the_search_are_reported(cli: Command, tmp_path: Path) -> None:
    long = article("Storm", "x" * 800_000)
    replay = html_folder(tmp_path, {"index.html": long})
    answer = cli("export", replay, "--out", "-", "--fields", "text_source")
    assert json_rows(answer.out) == [{"text_source": "visible"}]
    assert "warning: no main text was found in 1 pages" in answer.err


def test_while_it_runs_and_after_it_is_killed(cli: Command, tmp_path: Path) -> None:
    folder = tmp_path / "running"
    with LiveWeb(hosts=4) as web:
        urls = web.add_linked(pages=400, hosts=4)
        prepare(folder, urls[:1], delay=0.05, max_pages=400)
        with crawling(folder) as process:
            wait_until(lambda: pages_in(folder) >= 70)  # so that the first batch is committed
            running = cli("export", folder, "-o", tmp_path / "a.wacz", "--no-text", "-q")
            assert (running.code, process.poll()) == (0, None)
            process.send_signal(signal.SIGKILL)
    killed = cli.ok("export", folder, "-o", "-", "--fields", "n,url,size", "-q")
    rows = json_rows(killed.out)
    assert rows and all(row["size"] for row in rows)
    with zipfile.ZipFile(tmp_path / "a.wacz") as archive:
        listed = json_rows(archive.read("pages/pages.jsonl").decode())[1:]
    assert {page["url"] for page in listed} <= {row["url"] for row in rows}
    assert listed


def pages_in(folder: Path) -> int:
    """Those of the journal."""
    there = (folder / "journal.jsonl").exists()
    return sum(event["event"] == "page" for event in events(folder)) if there else 0


def test_ctrl_c_and_a_kill_leave_nothing_whole(cli: Command, folder: Path, tmp_path: Path) -> None:
    cli.monkeypatch.setattr(JsonLinesTable, "write", interrupted)
    answer = cli("export", folder, "-o", tmp_path / "x.jsonl", "--jobs", "1")
    assert answer.code == 130 and answer.err.strip() == "error: interrupted; no file was written."
    assert not (tmp_path / "x.jsonl").exists()
    out = tmp_path / "x.jsonl"
    export = [sys.executable, "-m", "scenthound.cli.main", "export", "--jobs", "1"]
    command = [*export, str(folder), "-o", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: bool(list(tmp_path.iterdir())))
        os.kill(process.pid, signal.SIGKILL)
    assert not out.exists() and len(list(tmp_path.iterdir())) == 1


def test_formats(cli: Command, folder: Path, tmp_path: Path) -> None:
    for name in ("x.csv", "x.PARQUET", "x.wacz", "x.ndjson", "x"):
        cli.ok("export", folder, "-o", tmp_path / name, "--no-text")
    starts = {path.name: path.read_bytes()[:4] for path in tmp_path.iterdir()}
    assert starts == {
        "x.csv": b"\xef\xbb\xbfn", "x.PARQUET": b"PAR1", "x.wacz": b"PK\x03\x04",
        "x.ndjson": b'{"n"', "x": b'{"n"',
    }  # fmt: skip
    answer = cli("export", folder, "-f", "jsonl", "-o", tmp_path / "y.csv")
    refused(answer, "y.csv has an extension that does not match --format jsonl")
    cli.ok("export", folder, "-fcsv", "-o", tmp_path / "y.txt", "-qj1", "--no-text")
    out = tmp_path / "z.wacz"
    answer = cli.ok("export", folder, "--format", "wacz", "--out", out, "--relevant", "--no-text")
    assert "3 pages" in answer.err
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
    topic = tmp_path / "t.toml"
    seed = json_rows(cli("export", folder, "-o", "-", "--fields", "url").out)[0]["url"]
    topic.write_text(f'name = "storms"\nkeywords = ["storm"]\nseeds = ["{seed}"]\n')
    replayed = cli(
        "replay", out, "-t", topic, "-s", "breadth-first", "--budget", "9", "--json", "-"
    )
    assert json.loads(replayed.out)["runs"][0]["fetched"] == 3


def test_pages_that_are_lost_are_reported(cli: Command, folder: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "storms"
    shutil.copytree(folder, damaged)
    warc = damaged / "pages-00001.warc.gz"
    warc.write_bytes(warc.read_bytes()[:2_000] + bytes(50) + warc.read_bytes()[2_050:])
    answer = cli("export", damaged, "-o", tmp_path / "x.jsonl", "--no-text")
    reported, warning = answer.err.splitlines()
    assert answer.code == 1 and reported.startswith(f"wrote {tmp_path / 'x.jsonl'}: 4 pages")
    assert warning.startswith("warning: the crawl is damaged, 1 page lost; the first damage: ")
    quiet = cli("export", damaged, "-o", tmp_path / "x.wacz", "-q", "--no-text")
    assert quiet.code == 1 and quiet.err.count("\n") == 1 and "1 page lost" in quiet.err


def test_pdfs_that_nobody_here_can_read_are_reported(cli: Command, tmp_path: Path) -> None:
    host = tmp_path / "web" / "w.test"
    host.mkdir(parents=True)
    (host / "index.html").write_text("<p>A storm.")
    (host / "storm.pdf").write_bytes(pdf(["A storm came in from the sea"]))
    topic = Topic("storms", keywords=("storm",), seeds=("http://w.test/storm.pdf",))
    replay(tmp_path / "web", topic, "vsm", budget=1, out=tmp_path / "replay", pdf=True)
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "sitecustomize.py").write_text("import sys\nsys.modules['pypdf'] = None\n")
    cli.monkeypatch.setenv("PYTHONPATH", str(missing))
    answer = cli.ok("export", tmp_path / "replay", "-o", "-", "--fields", "text", "-j", "1")
    assert json_rows(answer.out) == [{"text": ""}]
    assert "1 PDF without a text" in answer.err and "pip install 'scenthound[pdf]'" in answer.err
    assert "too long" not in answer.err


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Three pages of two workers, one of them stored by both, and one that was never saved."""
    first = WorkerMaking(tmp_path / "w" / "worker-1", 1)
    second = WorkerMaking(tmp_path / "w" / "worker-2", 2)
    first.page("http://a.test/", 1)
    first.page("b", 3, sources=[1])
    second.page("a", 2, sources=[global_page_number(1, 1)])
    second.page("b", 4, sources=[global_page_number(1, 1)])
    second.commit()
    second.page("lost", 5)
    first.stop(8)
    second.close()
    return tmp_path / "w"


def test_one_line_says_what_was_made(cli: Command, parent: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    answer = cli("merge", parent, "--out", out)
    reported = "3 pages of 2 workers, 1 page stored twice left out, 1 page never saved left out, "
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{out}: {reported}") and answer.out.endswith(" kB\n")
    again = cli("merge", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "n", "-q")
    assert (again.code, again.out, again.err) == (0, "", "")
    crawl_spec, other = ((each / "crawl.json").read_text() for each in (out, tmp_path / "n"))
    assert crawl_spec == other
    refused(cli("resume", out), "cannot be resumed", "merge again")


def test_what_cannot_be_merged(cli: Command, parent: Path, tmp_path: Path) -> None:
    refused(cli("merge", parent, "--out", parent), "is there already")
    refused(cli("merge", tmp_path / "none", "--out", tmp_path / "m"), "is not there")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["w"]
    answer = cli.ok("merge", parent / "worker-2", "--out", tmp_path / "m", "--quiet")
    assert answer.out == ""
    assert answer.err.startswith("warning: 2 links came from pages of worker 1 ")
    cli.monkeypatch.setattr(module, "merge_folders", interrupted)
    answer = cli("merge", parent, "--out", tmp_path / "i")
    assert answer.code == 130 and "interrupted; " in answer.err and not (tmp_path / "i").exists()


def test_other_commands_read_all_workers(cli: Command, parent: Path, tmp_path: Path) -> None:
    report = cli("report", parent, "--no-files")
    assert (report.code, report.out) == (0, f"{parent / 'report.html'}\n")
    cli.ok(
        "report", parent / "worker-1", parent / "worker-2", "-o", tmp_path / "r.html", "--no-files"
    )
    export = cli.ok("export", parent, "--no-text")
    assert "3 pages" in export.err
    assert len((tmp_path / "w.jsonl").read_text().splitlines()) == 3
    explained = cli("explain", parent, "--page", "3")
    assert "Fetched as page 3 of 3." in explained.out and "page 1  http://a.test/" in explained.out
    reported = cli("explain", parent / "worker-2", "a.test/a").out
    assert "  page 1 of worker 1  (in the folder of that worker)\n" in reported
    assert 'page 1 of worker 1  (in the folder of that worker)  "link' in reported
    (only,) = json.loads(cli("explain", parent / "worker-2", "1", "--json").out)["explanations"]
    assert [(each["page"], each["worker"]) for each in only["path"]] == [(1, 1), (1, 0)]
