"""``scenthound crawl``: options, topics, ends, and bad input."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command, refused
from cli.live_making import FakeEngine, made_run
from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.crawler.options import CrawlOptions
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.journal import read_journal

TOPIC = 'name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n'


def test_without_options_everything_has_its_default(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    assert scenthound("crawl", "--topic", topic, "--out", tmp_path / "c").code == 0
    (job,) = engine.jobs
    assert job.options == CrawlOptions()
    assert (job.topic.name, job.spec.name) == ("storms", "scent")
    assert (job.labels, job.wordnet, dict(job.parameters)) == (None, None, {})
    assert engine.folders == [tmp_path / "c"]
    assert job.topic.file == str(topic.resolve())


def test_options_reach_the_crawl(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
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
    answer = scenthound(
        "crawl", "-t", topic, "--out", tmp_path / "c", *line.split(), "--header", "X-A: b",
        "--header", "X-B: c",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert engine.jobs[0].options == CrawlOptions(
        max_pages=7, max_time=900.0, delay=0.1, concurrency=3, per_host=2, pages_per_host=9,
        host_share=0.25, proxy="http://127.0.0.1:8080", allow_private=True,
        contact="me@example.org", timeout=60.0, min_harvest=0.1, harvest_window=50, threshold=0.2,
        random_seed=5, max_depth=0, allow_host=("a.test", "stormwatch.test"),
        deny_host=("b.test",), include=("*a*", "re:b"), exclude=("*x*",), stay=True,
        cookie_file="c.txt", auth=("a.test=u:p=w",), netrc="n", pdf=True, javascript=True,
        retries=1, retry_wait=120.0, header=("X-A: b", "X-B: c"),
    )  # fmt: skip


def test_options_win_over_set_and_set_over_the_file(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        '[crawl]\nmax_pages = 5\ndelay = "2s"\nrandom_seed = 3\n[shark]\ndecay = 0.1\n'
        '[replay]\nbudget = "2x"\n'
    )
    answer = scenthound(
        "crawl", "-t", topic, "--out", tmp_path / "c", "-s", "shark", "--config", config,
        "--set", "crawl.delay=3", "--set", "crawl.random_seed=4", "--random-seed", "6",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    (job,) = engine.jobs
    assert job.options == CrawlOptions(max_pages=5, delay=3.0, random_seed=6)
    assert job.parameters == {"decay": 0.1}


def test_the_reason_is_told_and_what_to_do_next(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
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
        answer = scenthound(
            "crawl",
            "-t",
            topic,
            "--out",
            tmp_path / "c",
            "--max-time",
            "1m",
            "--min-harvest",
            "0.1",
        )
        assert answer.code == code
        for word in words:
            assert word in answer.err
        if stopped != "frontier empty":
            assert f"scenthound resume {tmp_path / 'c'}" in answer.err
        assert answer.err.count("interrupted") == (stopped == "interrupted")
        assert f"{tmp_path / 'c'}/pages-*.warc.gz" in answer.out


@pytest.mark.parametrize(("stopped", "code"), [("budget spent", 0), ("interrupted", 130)])
def test_quiet_says_nothing_and_the_exit_code_stays(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path, stopped: str, code: int
) -> None:
    engine.run = made_run(stopped)
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--quiet")
    assert (answer.code, answer.out, answer.err) == (code, "", "")


def test_quiet_tells_what_went_wrong(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    engine.run = made_run("disk nearly full")
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--quiet")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("stopped: less than 200 MB are free on the disk. Make room.")


def test_figures_as_json(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--json", tmp_path / "f.json")
    written = json.loads((tmp_path / "f.json").read_text())
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "d", "--json", "-")
    assert json.loads(answer.out) == written
    assert written["runs"][0]["stopped"] == "budget spent"
    assert "stopped: 10 pages" in answer.err


def test_an_error_in_the_middle_says_once_how_to_go_on(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    for number, (message, written, advice) in enumerate(
        [
            ("the disk is full; make room.", True, " Then go on with: scenthound resume '{0}'"),
            ("the disk is full; make room.", False, ""),
            ("make room, then go on with `scenthound resume x`.", True, ""),
        ]
    ):
        engine.error, engine.writes = FolderError(message), written
        out = tmp_path / f"resume x\u00fc {number}"
        answer = scenthound("crawl", "-t", topic, "--out", out, "-q")
        assert answer.code == 1
        assert answer.err == f"error: {message}{advice.format(out)}\n"


def test_a_bug_is_shown_whole_after_a_word_on_the_folder(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    engine.error, engine.writes = ZeroDivisionError("by nothing"), True
    out = tmp_path / "c"
    with pytest.raises(ZeroDivisionError):
        scenthound("crawl", "-t", topic, "--out", out, "-q")
    assert capsys.readouterr().err == (
        f"error: this is a bug; the crawl in {out} is consistent. Go on with: "
        f"scenthound resume {out}\n"
    )


def test_nothing_heavy_is_loaded_before_a_crawl() -> None:
    code = (
        "import scenthound, scenthound.cli.main, sys; "
        "heavy = {'twisted', 'scrapy', 'starlette', 'scipy', 'scenthound.strategies.catalogue'}; "
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@pytest.fixture
def asked_topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(f'name = "storms"\nkeywords = ["storm"]\nseeds = ["{A}"]\nexclude = ["*x*"]\n')
    return path


def asked(scenthound: Command, engine: FakeEngine, out: Path, *options: str | Path) -> Topic:
    answer = scenthound("crawl", "--out", out, *options)
    assert answer.code == 0, answer.err
    return engine.jobs[0].topic


def test_keywords_and_seeds_are_enough(
    scenthound: Command, engine: FakeEngine, tmp_path: Path
) -> None:
    made = asked(
        scenthound, engine, tmp_path / "c", "--keywords", "typhoon, storm surge", "--seed", A,
        "--seed", B, "--language", "de",
    )  # fmt: skip
    assert made == Topic("typhoon", ("typhoon", "storm surge"), (A, B), language="de")
    assert made.file is None


def test_a_file_of_seeds_with_junk(scenthound: Command, engine: FakeEngine, tmp_path: Path) -> None:
    seeds = tmp_path / "s.txt"
    seeds.write_text(f"# mine\n{B}\nnonsense\n{C}\n{B}\n")
    out = tmp_path / "c"
    answer = scenthound("crawl", "--out", out, "--keywords", "storm", "--seeds", seeds, "--seed", A)
    assert answer.code == 0
    assert engine.jobs[0].topic.seeds == (A, B, C)
    assert f"warning: seeds file {seeds}, line 3 is left out" in answer.err
    quiet = scenthound("crawl", "--out", out, "--keywords", "storm", "--seeds", seeds, "--quiet")
    assert (quiet.code, quiet.err) == (0, "")


def test_seeds_from_stdin(
    scenthound: Command, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{B}\n"))
    made = asked(scenthound, engine, tmp_path / "c", "--keywords", "storm", "--seeds", "-")
    assert made.seeds == (B,)


def test_what_is_given_beside_a_file_is_added(
    scenthound: Command, engine: FakeEngine, asked_topic: Path, tmp_path: Path
) -> None:
    made = asked(
        scenthound, engine, tmp_path / "c", "-t", asked_topic, "--keywords", "gale,storm",
        "--seed", B, "--seed", "http://A.test", "--name", "weather",
    )  # fmt: skip
    assert made == Topic("weather", ("storm", "gale"), (A, B), exclude=("*x*",))
    assert made.file is None  # it is no longer the file's: a resume compares them


def test_a_file_alone_stays_the_file_s(
    scenthound: Command, engine: FakeEngine, asked_topic: Path, tmp_path: Path
) -> None:
    made = asked(scenthound, engine, tmp_path / "c", "-t", asked_topic, "--seed", A)
    assert made.file == str(asked_topic)


def test_bad_topics(scenthound: Command, engine: FakeEngine, tmp_path: Path) -> None:
    for options, words in [
        ([], "there is no topic: give --topic T.toml, or --keywords"),
        (["--seed", A], "there is no topic"),
        (["--keywords", " , ", "--seed", A], "there is no keyword"),
        (["--keywords", "storm"], "topic 'storm' has no seeds: add URLs to start from."),
        (["--keywords", "storm", "--seed", "nowhere"], "a seed is no URL: 'nowhere'"),
        (["--keywords", "storm", "--seed", "5"], "the random generator's is --random-seed"),
        (["--keywords", "storm", "--seeds", "none.txt"], "seeds file none.txt: No such file"),
        (["--keywords", "storm", "--seed", A, "--name", " "], "a topic needs a name"),
        (["--keywords", "storm", "--seed", A, "--deny-host", "a.test"],
         "every seed is denied or excluded, http://a.test/ by deny_host 'a.test'"),
    ]:  # fmt: skip
        answer = scenthound("crawl", "--out", tmp_path / "c", *options)
        assert (answer.code, answer.out) == (2, "")
        assert (
            answer.err.startswith("error: ") and answer.err.count("\n") == 1 and words in answer.err
        )
        assert engine.jobs == [] and not (tmp_path / "c").exists()


def test_a_seed_that_is_denied_is_told_and_the_rest_goes_on(
    scenthound: Command, engine: FakeEngine, tmp_path: Path
) -> None:
    answer = scenthound(
        "crawl", "--out", tmp_path / "c", "--keywords", "storm", "--seed", A, "--seed", B,
        "--deny-host", "b.test", "--exclude", "news",
    )  # fmt: skip
    assert answer.code == 0
    assert engine.jobs[0].seeds == (A,)
    assert f"{B} is left out: host denied (deny_host 'b.test')" in answer.err
    assert "exclude 'news' can match no URL" in answer.err


def test_bad_options(scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path) -> None:
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
        refused(scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *options), message)
        assert engine.jobs == [] and not (tmp_path / "c").exists()


def test_labels_without_the_topic(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    labels = tmp_path / "l.tsv"
    labels.write_text("http://a.test/\tcoffee\n")
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--labels", labels)
    refused(answer, "l.tsv has no page for this topic", "'storms'")


def test_a_folder_that_holds_a_crawl(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "x \u2602"
    out.mkdir()
    (out / "crawl.json").write_text('{"kind": "crawl"}')
    answer = scenthound("crawl", "-t", topic, "--out", out)
    refused(answer, f"{out} holds a crawl already; go on with it: scenthound resume '{out}', or "
            "choose another --out folder.")  # fmt: skip
    assert engine.jobs == []


def test_a_folder_that_holds_something_else_cannot_go_on(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    for text in ['{"kind": "replay"}', "{}", "no JSON"]:
        (tmp_path / "crawl.json").write_text(text)
        answer = scenthound("crawl", "-t", topic, "--out", tmp_path)
        refused(answer, f"{tmp_path} holds a crawl already; choose another --out folder.")
        assert engine.jobs == []


def test_an_error_before_the_crawl_begins_is_bad_input(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    engine.error, engine.begun = FolderError("that folder is no good."), False
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "-q")
    refused(answer, "that folder is no good.")


def test_a_folder_that_cannot_be_written(
    scenthound: Command, monkeypatch: pytest.MonkeyPatch, topic: Path, tmp_path: Path
) -> None:
    monkeypatch.undo()
    (tmp_path / "file").write_text("")
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "file" / "c")
    refused(answer, "cannot", "file/c", "Not a directory")


PAGES = 12
HTML = (("Content-Type", "text/html"),)


def page(number: int) -> Response:
    links = "".join(f'<a href="/{n}">storm {n}</a> ' for n in range(PAGES))
    body = f"<title>Storm {number}</title><p>A storm named {'abcdefghijkl'[number] * 9}.</p>{links}"
    return Response(f"http://storms.test/{number}", 200, HTML, body.encode())


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(page, range(PAGES))}) as server:
        yield server.proxy


@pytest.fixture
def live_topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://storms.test/0"]\n')
    return path


def fetched(folder: Path) -> list[str]:
    events = read_journal(folder / "journal.jsonl")
    return [str(event["url"]) for event in events if event["event"] == "page"]


def test_a_crawl_that_is_resumed_until_all_is_fetched(
    scenthound: Command, proxy: str, live_topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", live_topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0",
        "--max-pages", "5", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert len(fetched(out)) == 5
    assert f"Go on with: scenthound resume {out} --max-pages 10" in answer.err
    assert f"{out}/pages-*.warc.gz (1 file)" in answer.out
    assert "has fetched all of its 5 pages" in scenthound("resume", out).err
    answer = scenthound("resume", out, "--max-pages", "50", "--json", "-")
    assert answer.code == 0, answer.err
    assert len(fetched(out)) == len(set(fetched(out))) == PAGES
    (run,) = json.loads(answer.out)["runs"]
    assert (run["stopped"], run["fetched"]) == ("frontier empty", PAGES)
    assert "all that could be reached is fetched, 12 pages" in answer.err


def test_a_seed_that_may_not_be_asked(scenthound: Command, tmp_path: Path) -> None:
    live_topic = tmp_path / "t.toml"
    live_topic.write_text('name = "x"\nkeywords = ["storm"]\nseeds = ["http://127.0.0.1:9/"]\n')
    answer = scenthound("crawl", "-t", live_topic, "--out", tmp_path / "c", "-s", "vsm")
    assert answer.code == 1
    assert "not one page could be fetched (private address 1)" in answer.err
