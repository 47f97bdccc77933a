"""``scenthound compare``: options, the grid file, and what bad input is told."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Answer, Command
from evaluation.grid_web import write_web
from scenthound import InputError, ScenthoundWarning, Topic, compare, read_topic


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("web"))


def stored(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "comparison.json").read_text())
    return found


def small(web: Path) -> list[str]:
    """Archive, topics and labels, as they are given."""
    return [f"{web}/small.warc.gz", f"{web}/topics/*.toml", "--labels", f"{web}/labels.tsv"]


def test_a_comparison_and_going_on_with_it(scenthound: Command, web: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    answer = scenthound(
        "compare", *small(web), "--strategy", "breadth-first", "-s", "shark", "--out", out,
        "--set", "shark.decay=0.3", "--workers", "1", "--cache", tmp_path / "kept",
        "--cache-limit", "10MB",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "shark decay=0.3" in answer.out and "labelled harvest" in answer.out
    assert "too few topics" in answer.out
    lines = [line for line in answer.err.splitlines() if line[:2] in {"1/", "2/", "3/", "4/"}]
    assert "4 runs, 1 at once" in answer.err.splitlines()
    assert len(lines) == 4 and "4/4 small " in lines[-1] and "labelled harvest 0." in lines[-1]
    assert "comparison.json" in answer.err
    assert {(run["topic"], run["strategy"]) for run in stored(out)["runs"]} == {
        (topic, name)
        for topic in ("storms", "coffee")
        for name in ("breadth-first", "shark decay=0.3")
    }
    assert stored(out)["finished"] and stored(out)["grid"]["baseline"] == "breadth-first"
    assert any((tmp_path / "kept").iterdir())
    first, *_ = (out / "grid.toml").read_text().splitlines()
    assert first.endswith(f"scenthound compare --grid={out}/grid.toml --out=ANOTHER-FOLDER")
    written = tomllib.loads((out / "grid.toml").read_text())
    assert (written["budget"], written["measure"]) == ("2x", "labelled_harvest")
    assert (out / "results.csv").read_bytes().startswith(b"web,topic")
    assert not (out / "crawl.lock").exists()
    again = scenthound("compare", "--out", out)
    assert again.code == 0 and again.out == answer.out
    assert "4 of 4 runs are finished already" in again.err
    named = scenthound("compare", "--grid", out / "grid.toml", "--out", out, "--quiet")
    assert (named.code, named.out, named.err) == (0, "", "")


def test_options_go_over_the_grid_file(scenthound: Command, web: Path, tmp_path: Path) -> None:
    (web / "g.toml").write_text(
        'strategies = ["vsm"]\ndraws = 3\nbudget = 5\npdf = true\ncount_missing = true\n'
        "keywords_only = true\n"
        '[[web]]\narchive = "small.warc.gz"\ntopics = ["topics/storms.toml"]\n'
    )
    answer = scenthound(
        "compare", "--grid", web / "g.toml", "--labels", web / "labels.tsv", "--draws", "1",
        "--seeds", "relevant", "--seeds", "irrelevant", "--random-seeds", "2", "-s", "random",
        "--baseline", "breadth-first", "--budget", "4", "--measure", "hr", "--no-pdf",
        "--free-missing", "--with-examples", "--threshold", "0.2", "--inlinks", "last",
        "--judge", "similarity", "--keep-crawls", "--cache", "none", "--out", tmp_path / "out",
        "-q",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "breadth-first: nothing is left to chance, so one random seed is run" in answer.err
    grid = stored(tmp_path / "out")["grid"]
    given = {
        "strategies": ["breadth-first", "random"], "baseline": "breadth-first", "draws": 1,
        "seeds": ["relevant", "irrelevant"], "random_seeds": 2, "budget": "4", "measure": "hr",
        "pdf": False, "count_missing": False, "threshold": 0.2, "inlinks": "last",
        "judge": "similarity", "cache": "none", "keywords_only": False,
    }  # fmt: skip
    assert {key: grid[key] for key in given} == given
    runs = stored(tmp_path / "out")["runs"]
    assert [run["fetched"] for run in runs] == [4] * 6
    assert {run["threshold"] for run in runs} == {0.2}
    assert len(list((tmp_path / "out" / "crawls").iterdir())) == 6
    settings = json.loads(next((tmp_path / "out" / "crawls").glob("*/crawl.json")).read_text())
    assert settings["settings"]["count_missing"] is False
    assert tomllib.loads((tmp_path / "out" / "grid.toml").read_text())["budget"] == "4"


def test_rules_reach_every_run(scenthound: Command, web: Path, tmp_path: Path) -> None:
    answer = scenthound(
        "compare", f"{web}/small.warc.gz", f"{web}/topics/storms.toml", "-s", "shark",
        "--baseline", "shark", "--budget", "3", "--pdf", "--count-missing", "--keep-crawls",
        "--out", tmp_path / "out",
        "--set", "strategy.decay=0.3",
    )  # fmt: skip
    assert answer.code == 0 and "HR" in answer.out
    (order,) = (tmp_path / "out" / "crawls").glob("*/crawl.json")
    written = json.loads(order.read_text())
    assert written["settings"]["pdf"] and written["settings"]["count_missing"]
    assert written["parameters"]["decay"] == 0.3 and written["budget"] == 3


def test_keywords_alone_and_a_topic_that_has_none(
    scenthound: Command, web: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    more = ["-s", "vsm", "--budget", "4", "--workers", "1", "--keywords-only"]
    answer = scenthound("compare", *small(web), *more, "--out", out)
    assert answer.code == 0, answer.err
    assert "Note: keywords only: no run knew example pages" in answer.out
    assert stored(out)["grid"]["keywords_only"] is True
    assert tomllib.loads((out / "grid.toml").read_text())["keywords_only"] is True
    assert {tuple(json.loads(run.read_text())["drawn"]["examples"]) for run in
            out.glob("runs/*.json")} == {()}  # fmt: skip
    again = scenthound("compare", "--out", out)
    assert again.code == 0 and again.out == answer.out
    refused(
        scenthound("compare", "--out", out, "--with-examples"),
        "keywords_only was True and is now False",
    )
    text = (web / "topics" / "storms.toml").read_text().replace('"storms"]', '" "]')
    (tmp_path / "storms.toml").write_text(text)
    given = [f"{web}/small.warc.gz", tmp_path / "storms.toml", *more, "--out", tmp_path / "no"]
    refused(scenthound("compare", *given), "has no keywords, and with keywords only nothing else")
    assert not (tmp_path / "no").exists()


def test_failed_runs_are_shown_and_the_code_is_1(
    scenthound: Command, web: Path, tmp_path: Path
) -> None:
    topic = (web / "topics" / "storms.toml").read_text() + 'ontology = "none.owl"\n'
    (tmp_path / "storms.toml").write_text(topic)
    answer = scenthound(
        "compare", f"{web}/small.warc.gz", tmp_path / "storms.toml", "--budget", "3",
        "-s", "breadth-first", "-s", "best-first-ontology", "--out", tmp_path / "out",
    )  # fmt: skip
    assert answer.code == 1
    assert "1 run failed; try it again with" in answer.err and "OntologyError" in answer.err
    assert "best-first-ontology" in answer.out
    assert [bool(run["error"]) for run in stored(tmp_path / "out")["runs"]] == [False, True]


def test_the_choice_to_keep_crawls_stays_with_the_folder(
    scenthound: Command, web: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    begun = [*small(web), "-s", "vsm", "--budget", "3", "--workers", "1", "--out", out, "-q"]
    assert scenthound("compare", *begun, "--keep-crawls").code == 0
    crawls = {path.name for path in (out / "crawls").iterdir()}
    assert len(crawls) == 4
    for path in sorted(out.glob("runs/*.json"))[:2]:
        path.unlink()
    assert scenthound("compare", f"--out={out}", "-q").code == 0, "as the message says"
    assert {path.parent.name for path in out.glob("crawls/*/results.json")} == crawls
    assert scenthound("compare", *begun, "-s", "shark").code == 0, "the whole command, too"
    assert len(list(out.glob("crawls/*/results.json"))) == 6
    for path in out.glob("runs/*-shark-*.json"):
        path.unlink()
    assert scenthound("compare", f"--out={out}", "-q", "--no-keep-crawls").code == 0
    assert {path.name for path in (out / "crawls").iterdir()} == crawls
    assert tomllib.loads((out / "grid.toml").read_text())["keep_crawls"] is False
    with pytest.warns(ScenthoundWarning, match="2 finished runs have left no crawl folder"):
        assert compare(out=out, keep_crawls=True).grid["keep_crawls"] is True
    assert len(list(out.glob("crawls/*/results.json"))) == 6


def test_quiet_tells_why_runs_failed(scenthound: Command, web: Path, tmp_path: Path) -> None:
    topic = (web / "topics" / "storms.toml").read_text() + 'ontology = "none.owl"\n'
    (tmp_path / "storms.toml").write_text(topic)
    answer = scenthound(
        "compare", f"{web}/small.warc.gz", tmp_path / "storms.toml", "--budget", "3", "-q",
        "-s", "breadth-first", "-s", "best-first-ontology", "--out", tmp_path / "out",
    )  # fmt: skip
    assert (answer.code, answer.out) == (1, "")
    why, ending = answer.err.splitlines()
    assert why.startswith("failed: best-first-ontology on storms (") and "OntologyError" in why
    assert ending.endswith(f"try it again with: scenthound compare --out={tmp_path}/out")


def test_nothing_is_said_to_be_kept_before_there_is_something(
    scenthound: Command, web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.evaluation.compare.preflight", end)
    answer = scenthound("compare", *small(web), "--out", tmp_path / "out")
    assert answer.code == 130 and "go on with" not in answer.err


def refused(answer: Answer, told: str) -> None:
    assert answer.code == 2 and answer.out == ""
    (line,) = [line for line in answer.err.splitlines() if line.startswith("error: ")]
    assert told in line and "Traceback" not in answer.err


def test_bad_options(scenthound: Command, web: Path, tmp_path: Path) -> None:
    for more, told in [
        (["-s", "shrak"], "did you mean 'shark'"),
        (["-s", "vsm", "-s", "vsm"], "given twice"),
        (["-s", ""], "strategies takes a list such as"),
        (["--set", "shark.decay=1"], "strategy 'shark' is not in this run"),
        (["--set", "replay.budget=3"], "not for a comparison; give the option"),
        (["--seeds", "good"], "unknown kind of seeds"),
        (["--draws", "0"], "draws is 1 or more"),
        (["--measure", "beauty"], "unknown measure"),
        (["--workers", "0"], "with 0 workers nothing would be done"),
        (["--wordnet", "/nowhere"], "/nowhere"),
        (["--grid", "none.toml"], "grid file none.toml"),
    ]:
        refused(scenthound("compare", *small(web), "--out", tmp_path / "out", *more), told)
        assert not (tmp_path / "out").exists()


def test_nothing_to_compare(scenthound: Command, web: Path, tmp_path: Path) -> None:
    for arguments, told in [
        ([], "nothing to crawl"),
        (["--labels", "{web}/labels.tsv"], "labels are for one archive"),
        (["{web}/small.warc.gz"], "give topic files"),
        (["{web}/topics/storms.toml", "{web}/small.warc.gz"], "give the archive first"),
        (["{web}/small.warc.gz", "{web}/none*.toml"], "no topic file is called"),
        (["{web}/small.warc.gz", "{web}/topics/storms.toml", "--draws", "2"], "has no labels"),
        (["{web}/none.warc.gz", "{web}/topics/storms.toml"], "none.warc.gz"),
    ]:
        given = [each.format(web=web) for each in arguments]
        refused(scenthound("compare", *given, "--out", tmp_path / "out"), told)


def test_a_taken_folder(scenthound: Command, web: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    refused(scenthound("compare", *small(web), "--out", tmp_path), "holds other files")
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["notes.txt"]


def test_from_python(web: Path, tmp_path: Path) -> None:
    topics: list[Topic | str | Path] = [
        read_topic(web / "topics" / "storms.toml"),
        f"{web}/topics/coffee.toml",
    ]
    found = compare(
        web / "small.warc.gz", topics, out=tmp_path / "out", labels=web / "labels.tsv",
        strategies=["breadth-first", "vsm"], budget=6, workers=1,
    )  # fmt: skip
    assert found.finished and found.baseline == "breadth-first"
    assert [(each.cell.topic, each.fetched) for each in found.outcomes] == [
        ("storms", 6), ("storms", 6), ("coffee", 6), ("coffee", 6),
    ]  # fmt: skip
    assert compare(out=tmp_path / "out") == found
    words = compare(
        web / "small.warc.gz", topics, out=tmp_path / "words", labels=web / "labels.tsv",
        strategies=["vsm"], budget=6, workers=1, keywords_only=True,
    )  # fmt: skip
    assert words.grid["keywords_only"] is True and found.grid["keywords_only"] is False
    alone = compare(
        web / "small.warc.gz", f"{web}/topics/storms.toml", out=tmp_path / "alone",
        strategies=["breadth-first"], budget=2, workers=1,
    )  # fmt: skip
    assert [each.cell.topic for each in alone.outcomes] == ["storms"]


def test_bad_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"out": ""}, "out is an empty path"),
        ({"out": "x", "workers": "two"}, "workers takes a whole number"),
        ({"out": "x", "keep_crawls": "yes"}, "keep_crawls takes true or false"),
        ({"out": "x", "archive": 3}, "archive takes a path"),
        ({"out": "x", "topics": ["t.toml"]}, "no archive"),
        ({"out": "x", "archive": "a", "topics": "t.toml"}, "topic file t.toml: No such file"),
        ({"out": "x", "archive": None, "topics": None}, "or a grid file"),
    ]
    for given, told in cases:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError, match=told):
            compare(**given)
