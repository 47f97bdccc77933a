"""``scenthound crawl``: options, topics, ends, and bad input."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import Command, refused
from cli.live_making import LINKED_PAGES, FakeEngine, made_run
from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.journal import read_journal

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "c"


@pytest.fixture
def anything(cli: Command, out: Path) -> Command:
    """A crawl of no topic yet."""
    return cli.begun("crawl", "--out", out)


@pytest.fixture
def crawl(anything: Command, topic: Path) -> Command:
    return anything.begun("--topic", topic)


def test_defaults_and_options(crawl: Command, engine: FakeEngine, topic: Path, out: Path) -> None:
    crawl.ok()
    (job,) = engine.jobs
    assert job.options == CrawlOptions()
    assert (job.topic.name, job.spec.name) == ("storms", "scent")
    assert (job.labels, job.wordnet, dict(job.parameters)) == (None, None, {})
    assert engine.folders == [out]
    assert job.topic.file == str(topic.resolve())
    line = (
        "--max-pages 7 --max-time 15m --delay 100ms --concurrency 3 --per-host 2 "
        "--pages-per-host 9 --host-share 0.25 --proxy http://127.0.0.1:8080 --allow-private "
        "--contact me@example.org --timeout 1m --min-harvest 0.1 --harvest-window 50 "
        "--threshold 0.2 --random-seed 5 "
        "--max-depth 0 --allow-host a.test --allow-host stormwatch.test --deny-host b.test "
        "--include *a* --include re:b --exclude *x* --stay --cookie-file c.txt "
        "--auth a.test=u:p=w --netrc n --pdf --javascript --set crawl.retries=1 "
        "--set crawl.retry_wait=2m"
    )
    crawl.ok(*line.split(), "--header", "X-A: b", "--header", "X-B: c")
    assert engine.jobs[1].options == CrawlOptions(
        max_pages=7, max_time=900.0, delay=0.1, concurrency=3, per_host=2, pages_per_host=9,
        host_share=0.25, proxy="http://127.0.0.1:8080", allow_private=True,
        contact="me@example.org", timeout=60.0, min_harvest=0.1, harvest_window=50, threshold=0.2,
        random_seed=5, max_depth=0, allow_host=("a.test", "stormwatch.test"),
        deny_host=("b.test",), include=("*a*", "re:b"), exclude=("*x*",), stay=True,
        cookie_file="c.txt", auth=("a.test=u:p=w",), netrc="n", pdf=True, javascript=True,
        retries=1, retry_wait=120.0, header=("X-A: b", "X-B: c"),
    )  # fmt: skip


def test_options_win_over_set(crawl: Command, engine: FakeEngine, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        '[crawl]\nmax_pages = 5\ndelay = "2s"\nrandom_seed = 3\n[shark]\ndecay = 0.1\n'
        '[replay]\nbudget = "2x"\n'
    )
    more = ("--set", "crawl.delay=3", "--set", "crawl.random_seed=4", "--random-seed", "6")
    crawl.ok("-s", "shark", "--config", config, *more)
    (job,) = engine.jobs
    assert job.options == CrawlOptions(max_pages=5, delay=3.0, random_seed=6)
    assert job.parameters == {"decay": 0.1}


def test_the_reason_is_reported(crawl: Command, engine: FakeEngine, out: Path) -> None:
    for stopped, fetched, code, words in [
        ("budget spent", 1000, 0, ["1,000 pages are fetched (--max-pages)", "--max-pages 2000"]),
        ("time is up", 10, 0, ["the time is up (--max-time)", "--max-time 120"]),
        ("frontier empty", 10, 0, ["all that could be reached", "more seeds"]),
        ("frontier empty", 0, 1, ["not one page", "host not found 1", "Check the seeds"]),
        ("harvest below the floor", 10, 0, ["fewer than 10.0% of the last 500 pages"]),
        ("stopped", 10, 0, ["on request, after 10 pages"]),
        ("interrupted", 10, 130, ["stopped: interrupted, after 10 pages"]),
        ("disk nearly full", 10, 1, ["less than 200 MB", "Make room."]),
        ("error: KeyError: 'x'", 10, 1, ["error: KeyError: 'x', after 10 pages"]),
    ]:
        engine.run = made_run(stopped, fetched, problems={"host not found": 1})
        answer = crawl("--max-time", "1m", "--min-harvest", "0.1")
        assert answer.code == code
        for word in words:
            assert word in answer.err
        if stopped != "frontier empty":
            assert f"scenthound resume {out}" in answer.err
        assert answer.err.count("interrupted") == (stopped == "interrupted")
        assert f"{out}/pages-*.warc.gz" in answer.out


def test_figures_as_json_and_quiet(crawl: Command, engine: FakeEngine, tmp_path: Path) -> None:
    crawl("--json", tmp_path / "f.json")
    written = json.loads((tmp_path / "f.json").read_text())
    answer = crawl("--json", "-")
    assert json.loads(answer.out) == written
    assert written["runs"][0]["stopped"] == "budget spent"
    assert "stopped: 10 pages" in answer.err
    for stopped, code, reported in [
        ("budget spent", 0, ""),
        ("interrupted", 130, ""),
        ("disk nearly full", 1, "stopped: less than 200 MB are free on the disk. Make room."),
    ]:
        engine.run = made_run(stopped)
        answer = crawl("--quiet")
        assert (answer.code, answer.out) == (code, "")
        assert answer.err.startswith(reported) and bool(answer.err) == bool(reported)


def test_an_error_before_and_a_bug_within(crawl: Command, engine: FakeEngine, out: Path) -> None:
    engine.error, engine.begun = FolderError("that folder is no good."), False
    refused(crawl("-q"), "that folder is no good.")
    engine.begun = True
    engine.error, engine.writes = ZeroDivisionError("by nothing"), True
    with pytest.raises(ZeroDivisionError):
        crawl("-q")
    assert crawl.capsys.readouterr().err == (
        f"error: this is a bug; the crawl in {out} is consistent. Go on with: "
        f"scenthound resume {out}\n"
    )


def test_an_error_on_the_way(cli: Command, engine: FakeEngine, topic: Path, tmp_path: Path) -> None:
    for number, (message, written, advice) in enumerate(
        [
            ("the disk is full; make room.", True, " Then go on with: scenthound resume '{0}'"),
            ("the disk is full; make room.", False, ""),
            ("make room, then go on with `scenthound resume x`.", True, ""),
        ]
    ):
        engine.error, engine.writes = FolderError(message), written
        out = tmp_path / f"resume x\u00fc {number}"
        answer = cli("crawl", "-t", topic, "--out", out, "-q")
        assert (answer.code, answer.err) == (1, f"error: {message}{advice.format(out)}\n")


def test_nothing_heavy_is_loaded_before_a_crawl() -> None:
    code = (
        "import scenthound, scenthound.cli.main, sys; "
        "heavy = {'twisted', 'scrapy', 'starlette', 'scipy', 'scenthound.strategies.catalogue'}; "
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_topic_of_keywords(anything: Command, engine: FakeEngine, tmp_path: Path) -> None:
    words = ("--keywords", "typhoon, storm surge", "--language", "de")
    anything.ok(*words, "--seed", A, "--seed", B)
    anything.monkeypatch.setattr("sys.stdin", io.StringIO(f"{B}\n"))
    anything.ok("--keywords", "storm", "--seeds", "-")
    first, second = (job.topic for job in engine.jobs)
    assert first == Topic("typhoon", ("typhoon", "storm surge"), (A, B), language="de")
    assert first.file is None and second.seeds == (B,)
    seeds = tmp_path / "s.txt"
    seeds.write_text(f"# mine\n{B}\nnonsense\n{C}\n{B}\n")
    answer = anything.ok("--keywords", "storm", "--seeds", seeds, "--seed", A)
    assert engine.jobs[2].topic.seeds == (A, B, C)
    assert f"warning: seeds file {seeds}, line 3 is left out" in answer.err
    assert anything.ok("--keywords", "storm", "--seeds", seeds, "--quiet").err == ""


def test_what_is_given_beside_a_file(anything: Command, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(f'name = "storms"\nkeywords = ["storm"]\nseeds = ["{A}"]\nexclude = ["*x*"]\n')
    more = ("--keywords", "gale,storm", "--seed", B, "--seed", "http://A.test", "--name", "weather")
    anything.ok("-t", file, *more)
    anything.ok("-t", file, "--seed", A)
    made, alone = (job.topic for job in engine.jobs)
    assert made == Topic("weather", ("storm", "gale"), (A, B), exclude=("*x*",))
    assert made.file is None  # it is no longer the file's: a resume compares them
    assert alone.file == str(file)


def test_topics_and_seeds_refused(anything: Command, engine: FakeEngine, out: Path) -> None:
    for options, words in [
        ([], "there is no topic: give --topic T.toml, or --keywords"),
        (["--seed", A], "there is no topic"),
        (["--keywords", " , ", "--seed", A], "there is no keyword"),
        (["--keywords", "storm"], "topic 'storm' has no seeds; give --seed, or seeds in its file."),
        (["--keywords", "storm", "--seed", "nowhere"], "a seed is no URL: 'nowhere'"),
        (["--keywords", "storm", "--seed", "5"], "the random generator's is --random-seed"),
        (["--keywords", "storm", "--seeds", "none.txt"], "seeds file none.txt: No such file"),
        (["--keywords", "storm", "--seed", A, "--name", " "], "a topic needs a name"),
        (["--keywords", "storm", "--seed", A, "--deny-host", "a.test"],
         "every seed is denied or excluded, http://a.test/ by deny_host 'a.test'"),
    ]:  # fmt: skip
        refused(anything(*options), words)
        assert engine.jobs == [] and not out.exists()
    answer = anything.ok(
        "--keywords", "storm", "--seed", A, "--seed", B, "--deny-host", "b.test",
        "--exclude", "news",
    )  # fmt: skip
    assert engine.jobs[0].seeds == (A,)
    assert f"{B} is left out: host denied (deny_host 'b.test')" in answer.err
    assert "exclude 'news' can match no URL" in answer.err


def test_bad_options(crawl: Command, engine: FakeEngine, out: Path) -> None:
    for options, message in [
        (["--max-pages", "many"], "--max-pages takes a whole number, not 'many'."),
        (["--max-pages", "0"], "--max-pages is 1 or more, not 0."),
        (["--max-time", "soon"],
         "--max-time takes a time such as 1.5, 100ms, 90s, 15m, 2h or 1d, not 'soon'."),
        (["--delay", "-1"], "--delay is 0 or more, not -1"),
        (["--concurrency", "0"], "--concurrency is 1 or more, not 0"),
        (["--per-host", "0"], "--per-host is 1 or more, not 0"),
        (["--proxy", "u:pw@127.0.0.1"], "error: --proxy is no proxy; write it as http://host:port."),
        (["--auth", "a.org"], "error: --auth is not understood; write it as HOST=USER:PASSWORD"),
        (["--header", "X-A: ä"], "error: --header X-A has a line break or another character"),
        (["--contact", "\u00fc@x"], "--contact"),
        (["--min-harvest", "7"], "--min-harvest lies within 0 and 1, not at 7."),
        (["--threshold", "x"], "--threshold takes a number within 0 and 1, not 'x'."),
        (["--set", "crawl.delya=1"], "did you mean 'delay'?"),
        (["--set", "replay.random_seed=1"], "this is no replay, so it would not be used"),
        (["-s", "shark", "--set", "shark.decay=7"], "strategy 'shark': decay"),
        (["-s", "vms"], "did you mean 'vsm'"),
        (["-s", "oracle"], "only replays archives; choose another one"),
        (["--config", "no.toml"], "config file no.toml: No such file"),
        (["--labels", "no.tsv"], "labels file no.tsv: No such file"),
        (["--wordnet", "/no/such"], "/no/such"),
        (["--weights", "no.toml"], "weights file no.toml: No such file"),
        (["--json", "no/such/f.json"], "there is no folder no/such"),
        (["--log-level", "loud"], "unknown --log-level 'loud'; choose one of: critical, debug"),
    ]:  # fmt: skip
        refused(crawl(*options), message)
        assert engine.jobs == [] and not out.exists()
    (out.parent / "l.tsv").write_text("http://a.test/\tcoffee\n")
    answer = crawl("--labels", out.parent / "l.tsv")
    refused(answer, "l.tsv has no page for this topic", "'storms'")


def test_a_taken_folder(cli: Command, engine: FakeEngine, topic: Path, tmp_path: Path) -> None:
    out = tmp_path / "x \u2602"
    out.mkdir()
    for text, reported in [
        ('{"kind": "crawl"}', f"; go on with it: scenthound resume '{out}', or "),
        *((other, "; ") for other in ('{"kind": "replay"}', "{}", "no JSON")),
    ]:
        (out / "crawl.json").write_text(text)
        answer = cli("crawl", "-t", topic, "--out", out)
        refused(answer, f"{out} holds a crawl already{reported}choose another --out folder.")
        assert engine.jobs == []


def test_a_folder_that_cannot_be_written(cli: Command, topic: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = cli("crawl", "-t", topic, "--out", tmp_path / "file" / "c")
    refused(answer, "cannot", "file/c", "Not a directory")


def fetched(folder: Path) -> list[str]:
    events = read_journal(folder / "journal.jsonl")
    return [str(event["url"]) for event in events if event["event"] == "page"]


def test_resuming(cli: Command, anything: Command, proxy: str, live_topic: Path, out: Path) -> None:
    answer = anything.ok(
        "-t", live_topic, "-s", "vsm", "--proxy", proxy, "--delay", "0", "--max-pages", "5",
        "--set", "crawl.min_disk=0",
    )  # fmt: skip
    assert len(fetched(out)) == 5
    assert f"Go on with: scenthound resume {out} --max-pages 10" in answer.err
    assert f"{out}/pages-*.warc.gz (1 file)" in answer.out
    assert "has fetched 5 pages" in cli("resume", out).err
    answer = cli.ok("resume", out, "--max-pages", "50", "--json", "-")
    assert len(fetched(out)) == len(set(fetched(out))) == LINKED_PAGES
    (run,) = json.loads(answer.out)["runs"]
    assert (run["stopped"], run["fetched"]) == ("frontier empty", LINKED_PAGES)
    assert "all that could be reached is fetched, 12 pages" in answer.err


def test_a_seed_that_may_not_be_asked(anything: Command) -> None:
    answer = anything("--keywords", "storm", "--seed", "http://127.0.0.1:9/", "-s", "vsm")
    assert answer.code == 1
    assert "not one page could be fetched (private address 1)" in answer.err
