"""``scenthound compare``: options, the grid file, bad input, progress and tables."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cli.commands import (
    PATIENCE_S,
    Command,
    interrupted,
    pipe,
    refused,
    shown,
    terminal,
    wait_until,
    written,
)
from evaluation.grid_web import workers_of, write_web
from evaluation.outcomes_made import by_topic, failed, ran
from scenthound import InputError, ScenthoundWarning, compare
from scenthound.cli.compare import CompareBars, outcome_line, print_comparison, run_title
from scenthound.cli.screen import bars
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT, Cell, Outcome
from scenthound.evaluation.results import Comparison


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("web"))


def stored(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "comparison.json").read_text())
    return found


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def small(cli: Command, web: Path, out: Path) -> Command:
    """A comparison on an archive with topics and labels."""
    given = (f"{web}/small.warc.gz", f"{web}/topics/*.toml", "--labels", f"{web}/labels.tsv")
    return cli.begun("compare", *given, "--out", out)


@pytest.fixture
def again(cli: Command, out: Path) -> Command:
    return cli.begun("compare", f"--out={out}")


def test_a_comparison_goes_on(small: Command, again: Command, out: Path, tmp_path: Path) -> None:
    answer = small.ok(
        "--strategy", "breadth-first", "-s", "shark", "--set", "shark.decay=0.3", "--workers", "1",
        "--cache", tmp_path / "kept", "--cache-limit", "10MB",
    )  # fmt: skip
    assert "shark decay=0.3" in answer.out and "labelled harvest" in answer.out
    assert "too few topics" in answer.out
    lines = [line for line in answer.err.splitlines() if line[:2] in {"1/", "2/", "3/", "4/"}]
    assert "4 runs, 1 at once" in answer.err.splitlines()
    assert len(lines) == 4 and "4/4 small " in lines[-1] and "labelled harvest 0." in lines[-1]
    assert "comparison.json" in answer.err
    runs = {(run["topic"], run["strategy"]) for run in stored(out)["runs"]}
    assert runs == set(product(("storms", "coffee"), ("breadth-first", "shark decay=0.3")))
    assert stored(out)["finished"] and stored(out)["grid"]["baseline"] == "breadth-first"
    assert any((tmp_path / "kept").iterdir())
    first, *_ = (out / "grid.toml").read_text().splitlines()
    assert first.endswith(f"scenthound compare --grid={out}/grid.toml --out=ANOTHER-FOLDER")
    written = tomllib.loads((out / "grid.toml").read_text())
    assert (written["budget"], written["measure"]) == ("2x", "labelled_harvest")
    assert (out / "results.csv").read_bytes().startswith(b"web,topic")
    assert not (out / "crawl.lock").exists()
    second = again.ok()
    assert second.out == answer.out
    assert "4 of 4 runs are finished already" in second.err
    named = again.ok("--grid", out / "grid.toml", "--quiet")
    assert (named.out, named.err) == ("", "")


def test_options_go_over_the_grid_file(again: Command, web: Path, out: Path) -> None:
    (web / "g.toml").write_text(
        'strategies = ["vsm"]\ndraws = 3\nbudget = 5\npdf = true\ncount_missing = true\n'
        "keywords_only = true\n"
        '[[web]]\narchive = "small.warc.gz"\ntopics = ["topics/storms.toml"]\n'
    )
    answer = again.ok(
        "--grid", web / "g.toml", "--labels", web / "labels.tsv", "--draws", "1",
        "--seeds", "relevant", "--seeds", "irrelevant", "--random-seeds", "2", "-s", "random",
        "--baseline", "breadth-first", "--budget", "4", "--measure", "hr", "--no-pdf",
        "--free-missing", "--with-examples", "--threshold", "0.2", "--inlinks", "last",
        "--judge", "similarity", "--keep-crawls", "--cache", "none", "-q",
    )  # fmt: skip
    assert "breadth-first: nothing is left to chance, so one random seed is run" in answer.err
    grid, runs = stored(out)["grid"], stored(out)["runs"]
    given = {
        "strategies": ["breadth-first", "random"], "baseline": "breadth-first", "draws": 1,
        "seeds": ["relevant", "irrelevant"], "random_seeds": 2, "budget": "4", "measure": "hr",
        "pdf": False, "count_missing": False, "threshold": 0.2, "inlinks": "last",
        "judge": "similarity", "cache": "none", "keywords_only": False,
    }  # fmt: skip
    assert {key: grid[key] for key in given} == given
    assert [run["fetched"] for run in runs] == [4] * 6
    assert {run["threshold"] for run in runs} == {0.2}
    crawls = [json.loads(path.read_text()) for path in out.glob("crawls/*/crawl.json")]
    assert [crawl["settings"]["count_missing"] for crawl in crawls] == [False] * 6
    assert tomllib.loads((out / "grid.toml").read_text())["budget"] == "4"


def test_keywords_alone_and_a_topic_that_has_none(
    cli: Command, small: Command, again: Command, web: Path, out: Path, tmp_path: Path
) -> None:
    more = ["-s", "vsm", "--budget", "4", "--workers", "1", "--keywords-only"]
    answer = small.ok(*more)
    assert "Note: keywords only: no run knew example pages" in answer.out
    assert stored(out)["grid"]["keywords_only"] is True
    assert tomllib.loads((out / "grid.toml").read_text())["keywords_only"] is True
    drawn = [json.loads(run.read_text())["drawn"]["examples"] for run in out.glob("runs/*.json")]
    assert drawn and not any(drawn)
    assert again.ok().out == answer.out
    refused(again("--with-examples"), "keywords only has changed (True, now False)")
    text = (web / "topics" / "storms.toml").read_text().replace('"storms"]', '" "]')
    (tmp_path / "storms.toml").write_text(text)
    given = [f"{web}/small.warc.gz", tmp_path / "storms.toml", *more, "--out", tmp_path / "no"]
    refused(cli("compare", *given), "has no keywords, and with keywords only nothing else")
    assert not (tmp_path / "no").exists()


def test_failed_runs_are_shown(again: Command, web: Path, out: Path, tmp_path: Path) -> None:
    topic = (web / "topics" / "storms.toml").read_text() + 'ontology = "none.owl"\n'
    (tmp_path / "storms.toml").write_text(topic)
    answer = again(
        f"{web}/small.warc.gz", tmp_path / "storms.toml", "--budget", "3",
        "-s", "breadth-first", "-s", "best-first-ontology",
    )  # fmt: skip
    assert answer.code == 1
    assert "1 run failed; try it again with" in answer.err and "OntologyError" in answer.err
    assert "best-first-ontology" in answer.out
    assert [bool(run["error"]) for run in stored(out)["runs"]] == [False, True]
    answer = again("-q")
    assert (answer.code, answer.out) == (1, "")
    why, ending = answer.err.splitlines()
    assert why.startswith("failed: small storms best-first-ontology: ") and "OntologyError" in why
    assert ending.endswith(f"try it again with: scenthound compare --out={out}")


def test_the_choice_to_keep_crawls_stays(small: Command, again: Command, out: Path) -> None:
    small.ok("-s", "vsm", "--budget", "3", "--workers", "1", "-q", "--keep-crawls")
    crawls = {path.name for path in (out / "crawls").iterdir()}
    assert len(crawls) == 4
    for path in sorted(out.glob("runs/*.json"))[:2]:
        path.unlink()
    again.ok("-q")  # as the message says
    assert {path.parent.name for path in out.glob("crawls/*/results.json")} == crawls
    for path in out.glob("runs/*-vsm-*.json"):
        path.unlink()
    again.ok("-q", "--no-keep-crawls")
    assert tomllib.loads((out / "grid.toml").read_text())["keep_crawls"] is False
    with pytest.warns(ScenthoundWarning, match="without a crawl folder are done again: 2"):
        assert compare(out=out, keep_crawls=True).grid["keep_crawls"] is True
    assert len(list(out.glob("crawls/*/results.json"))) == 4


def test_nothing_is_reported_to_be_kept_before_there_is_something(small: Command) -> None:
    small.monkeypatch.setattr("scenthound.evaluation.compare.preflight", interrupted)
    answer = small()
    assert answer.code == 130 and "go on with" not in answer.err


def test_bad_options(small: Command, again: Command, web: Path, out: Path) -> None:
    archive, topic = web / "small.warc.gz", web / "topics" / "storms.toml"
    cases: list[tuple[Command, list[object], str]] = [
        (small, ["-s", "shrak"], "did you mean 'shark'"),
        (small, ["-s", "vsm", "-s", "vsm"], "given twice"),
        (small, ["--set", "shark.decay=1"], "strategy 'shark' is not in this run"),
        (small, ["--set", "replay.budget=3"], "not for a comparison; give the option"),
        (small, ["--seeds", "good"], "unknown kind of seeds"),
        (small, ["--wordnet", "/nowhere"], "/nowhere"),
        (small, ["--grid", "none.toml"], "grid file none.toml"),
        (again, [], "nothing to crawl"),
        (again, ["--labels", web / "labels.tsv"], "labels are for one archive"),
        (again, [archive], "give topic files"),
        (again, [topic, archive], "give the archive first"),
        (again, [archive, web / "none*.toml"], "no topic file is called"),
        (again, [archive, topic, "--draws", "2"], "has no labels"),
        (again, [web / "none.warc.gz", topic], "none.warc.gz"),
    ]
    for command, given, reported in cases:
        refused(command(*given), reported)
        assert not out.exists()


def test_bad_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"out": ""}, "out is an empty path"),
        ({"workers": "two"}, "workers takes a whole number"),
        ({"keep_crawls": "yes"}, "keep_crawls takes true or false"),
        ({"archive": 3}, "archive takes a path"),
        ({"topics": ["t.toml"]}, "no archive"),
        ({"archive": "a", "topics": "t.toml"}, "topic file t.toml: No such file"),
        ({"archive": None, "topics": None}, "or a grid file"),
    ]
    for given, reported in cases:
        with pytest.raises(InputError, match=reported):
            compare(**{"out": "x", **given})


CELL = Cell("web", "storms", "vsm")
FINAL = Indicators(10, 4, 0.4, 0.5, 0.3, 0.1, None, 3, 0.3, 0.5)


def test_a_bar_for_all_runs_and_one_for_each() -> None:
    console = terminal()
    with bars(console, quiet=False) as progress:
        watch = CompareBars(progress, quiet=False)
        watch.reading("a.warc.gz", 5 << 20, 10 << 20)
        assert [task.description for task in progress.tasks] == ["reading a.warc.gz"]
        watch.planned(3, 1, 2)
        watch.begun(CELL, 40)
        watch.begun(CELL, 40)  # it is tried again, and has one bar
        watch.fetched(CELL, 7)
        tasks = [(task.description, task.completed, task.total) for task in progress.tasks]
        assert tasks == [("all runs", 1, 3), ("web storms vsm", 7, 40)]
        progress.refresh()
        watch.ended(Outcome(CELL, error="ValueError: no"))
        watch.fetched(CELL, 8)
        (left,) = progress.tasks
        assert (left.completed, left.fields["found"]) == (2, "1 failed")
    assert "web storms vsm" in shown(console) and "7/40" in shown(console)
    assert run_title(CELL) == "web storms vsm"
    drawn = Cell("web", "storms", "random", "irrelevant", 2, 1)
    assert run_title(drawn) == "web storms random irrelevant seeds draw 2 random seed 1"
    assert outcome_line(Outcome(CELL, error="OSError: gone")).endswith("failed: OSError: gone")


@pytest.mark.parametrize("quiet", [True, False])
def test_without_a_terminal_a_line_tells_of_each_run(quiet: bool) -> None:
    console = pipe()
    with bars(console, quiet=quiet) as progress:
        watch = CompareBars(progress, quiet)
        watch.planned(3, 1, 2)
        watch.begun(CELL, 40)
        watch.ended(Outcome(CELL, fetched=10, stopped="budget spent", final=FINAL))
    lines = [
        "1 of 3 runs are finished already",
        "2 runs, 2 at once",
        "2/3 web storms vsm: 10 pages, labelled harvest 0.300 (budget spent)",
    ]
    assert written(console).split("\n") == [*([] if quiet else lines), ""]


def test_names_of_topics_are_neither_markup_nor_control_signs() -> None:
    for topic in ["x[/]", "[red]y", "\x1b[2Jz"]:
        console, hostile = terminal(), Cell("web", topic, "vsm")
        with bars(console, quiet=False) as progress:
            watch = CompareBars(progress, quiet=False)
            watch.planned(1, 0, 1)
            watch.begun(hostile, 4)
            progress.refresh()
            assert "\x1b" not in progress.tasks[-1].description
        assert "\x1b[2Jz" not in written(console)
        assert topic.replace("\x1b", " ") in shown(console)


BASE = [0.10, 0.20, 0.30, 0.15, 0.25, 0.20]
SIX = by_topic({"bfs": BASE, "good": [value + 0.1 for value in BASE], "same": BASE})


def printed(outcomes: Iterable[Outcome], width: int = 100, finished: bool = True) -> str:
    console = pipe(width)
    print_comparison(Comparison({"baseline": "bfs"}, tuple(outcomes), finished), console)
    return written(console)


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_rows_and_conditions_of_seeds() -> None:
    lines = words(printed(SIX))
    assert lines[0] == ["labelled", "harvest,", "given", "seeds"]
    row = next(line for line in lines if line[0] == "good")
    assert row[1] == "0.300" and row[5:] == [
        "6", "+0.100", "+0.100", "to", "+0.100", "0.031", "6/0/0", "better",
    ]  # fmt: skip
    same = next(line for line in lines if line and line[0] == "same")
    assert same[-3:] == ["0/6/0", "no", "difference"] and "+0.000" in same
    assert next(line for line in lines if line and line[0] == "bfs")[-1] == "baseline"
    assert ["topic", "good", "bfs", "same"] in lines
    assert ["t2", "0.400*", "0.300", "0.300"] in lines
    outcomes = [
        ran(name, topic, 0.1, seeds=seeds)
        for name in ("bfs", "vsm")
        for topic in ("a", "b")
        for seeds in (RELEVANT, IRRELEVANT)
    ]
    text = printed(outcomes)
    titles = ["relevant seeds", "irrelevant seeds", "all seeds together"]
    assert [title for title in titles if f"labelled harvest, {title}" in text] == titles
    assert text.count("by topic (* best)") == 2
    text = printed(ran("bfs", "a", value, random_seed=k) for k, value in enumerate((0.1, 0.3)))
    assert "0.141" in text and "deviation over random seeds." in text
    assert "p: how" not in text and "p: how" in printed(SIX) and "seeds: dev" not in printed(SIX)


def test_how_many_stand_and_few_topics() -> None:
    """2/64 times two is above 0.05, so that with six topics neither can."""
    text = " ".join(printed(SIX).split())
    assert "0 of 2 differences stand when it counts that 2 were looked at (Holm, 5 %)." in text
    assert "With 6 topics none can: compare fewer strategies on more." in text
    eight = by_topic({"bfs": [0.1] * 8, "good": [0.2] * 8, "same": [0.1] * 8})
    text = " ".join(printed(eight).split())
    assert "1 of 2 differences stand" in text and "none can" not in text
    text = printed(by_topic({"bfs": [0.1, 0.2], "vsm": [0.3, 0.4]}))
    assert "too few topics to tell" in text
    text = printed(by_topic({"bfs": [0.1], "vsm": [0.3]}))
    row = "vsm 0.300 - 1 +0.200 - 1/0/0 too few draws to tell"
    assert row.split() in words(text) and "one topic only" in text


def test_failed_runs_are_reported_by_strategy_and_reason() -> None:
    reason = "SettingsError: no seeds."
    broken = [failed("vsm", f"t{number}", reason) for number in range(5)]
    others = [failed("ssrm", "t0", reason), failed("ssrm", "t1", reason), failed("vsm", "t9", "!")]
    text = printed([*SIX, *broken, *others, failed("svsm", "t0", "killed.")])
    assert [line for line in text.splitlines() if line.startswith("failed: ")] == [
        "failed: web t0 vsm and 4 runs more: SettingsError: no seeds.",
        "failed: web t0 ssrm and 1 run more: SettingsError: no seeds.",
        "failed: web t9 vsm: !",
        "failed: web t0 svsm: killed.",
    ]
    assert "9 of 27 runs failed and are left out." in text
    text = printed(failed("vsm", "a", f"reason {number}", draw=number) for number in range(13))
    assert text.count("failed: web a vsm") == 10 and "3 more reasons are in comparison.json" in text
    assert printed([]).strip() == "Note: no run has finished: there is nothing to compare."
    assert "not finished; 18 runs are over." in printed(SIX, finished=False)


def test_names_of_topics_and_narrow_screens() -> None:
    hostile = "\x1b[31mred[/]\u202e"
    outcomes = [
        ran(hostile, hostile, 0.1, web=hostile),
        ran("bfs", "[bold]x", 0.2),
        replace(failed(hostile, hostile), error=f"{hostile}\nsecond line"),
    ]
    text = printed(outcomes, width=160)
    assert "\x1b" not in text and "\u202e" not in text
    assert "[31mred[/]" in text and "[bold]x" in text
    for width in [20, 40, 60]:
        flat = [word for line in words(printed(SIX, width)) for word in line]
        assert flat.count("0.400*") == 1 and flat.count("6/0/0") == 1 and flat.count("0.031") == 1


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def comparison(sample: Path, out: Path, workers: int) -> list[str]:
    """Six runs."""
    return [
        "compare", f"{sample}/sample.warc.gz", f"{sample}/topics/storms.toml",
        "--labels", f"{sample}/labels.tsv", "-s", "vsm", "-s", "breadth-first", "--draws", "3",
        "--budget", "80", "--workers", f"{workers}", "--out", f"{out}",
    ]  # fmt: skip


def started(arguments: Sequence[str], cache: Path) -> subprocess.Popen[str]:
    """With a cache of its own: from the shared one its runs would end before it is killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "scenthound.cli.main", *arguments],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(out: Path) -> list[Path]:
    """A kill may leave a file behind that begins with a dot: that one was never whole."""
    return list(out.glob("runs/[!.]*.json"))


@pytest.mark.parametrize("number, count", [(signal.SIGTERM, 2), (signal.SIGKILL, 1)])
def test_finished_runs_are_kept(
    number: signal.Signals, count: int, cli: Command, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = started(comparison(sample, out, workers=count), tmp_path / "cache")
    wait_until(lambda: bool(finished(out)) and len(workers_of(process.pid)) == count)
    workers = workers_of(process.pid)
    process.send_signal(number)
    _, reported = process.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not any(map(alive, workers)))
    kept = {path: path.stat().st_mtime_ns for path in finished(out)}
    assert 1 <= len(kept) < 6
    if number == signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 130
        assert (
            f"go on with: scenthound compare --out={out}" in reported
            and "Traceback" not in reported
        )
        assert not json.loads((out / "comparison.json").read_text())["finished"]
    again = cli.ok(*comparison(sample, out, workers=1))
    assert f"{len(kept)} of 6 runs are finished already" in again.err
    assert "breadth-first" in again.out
    assert len(finished(out)) == 6
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
