"""``scenthound crawl``: options become a job, and the end is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import Command
from cli.live_making import FakeEngine, made_run
from scenthound.core.errors import FolderError
from scenthound.crawler.options import CrawlOptions

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


def test_forms_of_options(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    cases: list[tuple[list[str], CrawlOptions]] = [
        (["--max-time", "90"], CrawlOptions(max_time=90.0)),
        (["--max-time", "1.5d"], CrawlOptions(max_time=129600.0)),
        (["--delay", ".5"], CrawlOptions(delay=0.5)),
        (["--set", "crawl.stay=true", "--follow-external"], CrawlOptions()),
        (["--set", 'crawl.include=["*a*", "*b*"]'], CrawlOptions(include=("*a*", "*b*"))),
        (["--set", "crawl.include=*a*", "--include", "*b*"], CrawlOptions(include=("*b*",))),
    ]
    for options, expected in cases:
        answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *options)
        assert answer.code == 0, answer.err
        assert engine.jobs.pop().options == expected


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


def test_labels_and_where_they_came_from(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "l.tsv"
    labels.write_text("http://stormwatch.test/a\tstorms\n")
    scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "--labels", labels)
    assert engine.jobs[0].labels == frozenset({"http://stormwatch.test/a"})
    assert engine.jobs[0].labels_file == labels


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
        "sys.exit(bool({'twisted', 'scrapy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
