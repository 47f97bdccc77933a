"""``scenthound report``: the options, what is refused, and that what it says to repeat can be."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from cli.commands import Answer, Command, refused
from evaluation.outcomes_made import by_topic
from output.report_making import STARTED, STOPPED, crawl_folder, off_topic, page, read
from scenthound.cli.screen import MEGABYTES, stage_bar
from scenthound.evaluation.results import Comparison, write_results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return crawl_folder(tmp_path / "storms", [STARTED, page(1), off_topic(2), page(3), STOPPED])


def test_where_it_is_goes_to_stdout(cli: Command, folder: Path, tmp_path: Path) -> None:
    answer = cli("report", folder)
    assert (answer.code, answer.out, answer.err) == (0, f"{folder / 'report.html'}\n", "")
    assert (folder / "report" / "harvest.svg").read_bytes().startswith(b"<?xml")
    assert (folder / "report" / "harvest.png").read_bytes().startswith(b"\x89PNG")
    assert cli("report", folder, "--quiet").code == 0, "a report is replaced"
    out = tmp_path / "new" / "x.html"
    assert cli("report", folder, "--out", out, "--no-files", "-q").out == f"{out}\n"
    assert [each.name for each in out.parent.iterdir()] == ["x.html"]
    cli.ok("report", folder, "-o", out, "--files")
    assert (out.parent / "x" / "harvest.csv").exists()


def test_stages_are_drawn_one_after_the_other_with_their_units() -> None:
    progress = Progress(disable=True)
    with stage_bar(progress, {"copying": MEGABYTES}) as reported:
        (task,) = progress.tasks
        assert not task.visible
        reported("reading", 3, 7)
        assert (task.description, task.completed, task.total) == ("reading", 3, 7)
        reported("copying", 5 << 20, 9 << 20)
        assert (task.description, task.completed, task.total) == ("copying", 5, 9)
        assert task.fields["found"] == "MB" and task.visible
        reported("drawing", 0, 0)
        assert (task.completed, task.total, task.fields["found"]) == (0, 1, "")


def test_options_of_crawls(cli: Command, folder: Path, tmp_path: Path) -> None:
    labels, judged = tmp_path / "l.tsv", tmp_path / "j.csv"
    labels.write_text("http://w.test/3\tstorms\n")
    judged.write_text("url,judgement\nhttp://w.test/3,yes\n")
    answer = cli.ok("report", folder, "--top", "1", "--labels", labels, "--judged", judged)
    parsed = read(folder / "report.html")
    assert "warning: " in answer.err
    assert len(parsed.named("article")) == 1
    assert "Target recall" in parsed.text and "Judged by a person" in parsed.text


def test_options_of_comparisons(cli: Command, folder: Path, tmp_path: Path) -> None:
    outcomes = tuple(by_topic({"bf": [0.1] * 5, "vsm": [0.2] * 5}))
    write_results(tmp_path, Comparison({"baseline": "bf"}, outcomes, True), tables=False)
    cli.ok("report", tmp_path, "--baseline", "vsm", "--measure", "rn")
    assert "less vsm" in read(tmp_path / "report.html").text
    refused(cli("report", tmp_path, "--top", "3"), "top is for the report of a crawl")
    refused(cli("report", tmp_path, "--baseline", "vsn"), "did you mean 'vsm'")
    for options in (["--baseline", "vsm"], ["--measure", "hr"]):
        answer = cli("report", folder, *options)
        refused(answer, "is for the report of a comparison", "drop it")


def test_what_is_refused(cli: Command, folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "thesis.html"
    precious.write_text("<h1>Years of work</h1>")
    refused(cli("report", folder, "--out", precious), "is no report", "--out")
    assert precious.read_text() == "<h1>Years of work</h1>"
    refused(cli("report", folder, "--out", tmp_path), "is a folder")
    refused(cli("report", folder, "--out", precious / "x.html"), "choose another file")
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(cli("report", empty), "holds nothing to report on", "comparison.json")
    refused(cli("report", tmp_path / "none"), "is not there")
    refused(cli("report", folder / "crawl.json"), "is no folder")
    refused(cli("report", tmp_path), "holds a crawl further down; give it", str(folder))
    (folder / "tuning.json").write_text("{}")
    refused(cli("report", folder), "crawl.json and tuning.json")
    (empty / "crawl.json").write_text("{")
    refused(cli("report", empty), "cannot be read")


_CODE = re.compile(r"<figcaption>([^<]*)</figcaption><pre[^>]*><code>(.*?)</code></pre>", re.DOTALL)
WEIGHTS = "[weights]\nfull = 0.2\nanchor = 0.7\n"


def reported(report: Path) -> dict[str, str]:
    """The lines to copy by their captions."""
    found = _CODE.findall(report.read_text(encoding="utf-8"))
    return {html.unescape(caption): html.unescape(text) for caption, text in found}


def again(command: Command, report: Path, work: Path, *more: str) -> Answer:
    """Write the files of a report into a new folder, go there, and type its command."""
    work.mkdir()
    blocks = reported(report)
    for caption, text in blocks.items():
        if re.match(r"\w+\.toml: ", caption):
            (work / caption.partition(":")[0]).write_text(text, encoding="utf-8")
    command.monkeypatch.chdir(work)
    (line,) = (text for caption, text in blocks.items() if caption.startswith("The command"))
    return typed(command, line, *more)


def typed(command: Command, line: str, *more: str) -> Answer:
    name, *words = shlex.split(line)
    assert name == "scenthound"
    return command.ok(*words, *more)


def crawl_spec(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((folder / "crawl.json").read_text())
    return {**kept, "topic": {**kept["topic"], "file": None}}


def test_a_replay_with_everything_set(cli: Command, sample: Path, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/example.txt").write_text("A storm is strong wind, rain and thunder over the sea.")
    Path("weights.toml").write_text(WEIGHTS)
    given = (sample / "topics" / "storms.toml").read_text()
    examples = 'examples = ["example.txt", "http://b.test/?q=%22\'<b>", "Rain & <thunder>\\twind"]'
    Path("mine/t.toml").write_text(re.sub(r"examples = \[.*?\]", lambda _: examples, given,
                                          flags=re.DOTALL))  # fmt: skip
    cli.ok(
        "replay", sample / "sample.warc.gz", "-t", "mine/t.toml", "-s", "soft-sdvsm", "--labels",
        sample / "labels.tsv", "--budget", "30", "--random-seed", "3", "--count-missing",
        "--threshold", "0.2", "--inlinks", "mean", "--weights", "weights.toml", "--out", "o", "-q",
        "--set", "soft-sdvsm.terms=12",
    )  # fmt: skip
    folder = tmp_path / "o" / "storms" / "soft-sdvsm"
    cli.ok("report", folder, "--no-files")
    again(cli, folder / "report.html", tmp_path / "w")
    repeated = tmp_path / "w" / "soft-sdvsm-again" / "storms" / "soft-sdvsm"
    assert (repeated / "journal.jsonl").read_bytes() == (folder / "journal.jsonl").read_bytes()
    first, second = crawl_spec(folder), crawl_spec(repeated)
    for each in (first, second):  # by whole paths, which differ; weights by their content
        each["topic"]["examples"] = [Path(text).name for text in each["topic"]["examples"]]
        each["settings"]["weights"]["origin"] = ""
    assert first == second


def test_a_live_crawl(cli: Command, proxy: str, live_topic: Path, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(tmp_path)
    Path("labels.tsv").write_text("http://storms.test/3\tstorms\n")
    private = ("--proxy", proxy, "--header", "X-Secret: hunter2")
    cli.ok(
        "crawl", "-t", live_topic, "--out", "c", "-s", "vsm", *private, "--delay", "0",
        "--max-pages", "7", "--concurrency", "1", "--max-depth", "4", "--allow-host", "storms.test",
        "--exclude", "*/9", "--exclude", "*/8", "--timeout", "5s", "--threshold", "0.1",
        "--contact", "me@example.org", "--inlinks", "last", "--labels", "labels.tsv", "-q",
        "--max-time", "10m", "--random-seed", "4", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    cli.ok("report", "c", "--no-files")
    report = tmp_path / "c" / "report.html"
    assert "hunter2" not in report.read_text() and proxy not in report.read_text()
    assert "The command; left out, and to be given again: header, proxy" in reported(report)
    again(cli, report, tmp_path / "w", *private, "-q")
    first, second = crawl_spec(tmp_path / "c"), crawl_spec(tmp_path / "w" / "c-again")
    assert first["settings"] == second["settings"] and first["topic"] == second["topic"]
    for key in ("strategy", "parameters", "budget", "seed"):
        assert first[key] == second[key], key
    labels = [kept["source"]["labels"] for kept in (first, second)]
    assert labels == [str(tmp_path / "labels.tsv")] * 2


def test_tunings(cli: Command, sample: Path, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text((sample / "topics" / "storms.toml").read_text())
    cli.ok("tune", sample / "sample.warc.gz", "-t", "t.toml", "--model", "vsm",
                        "--links", "60", "--structure", "--random-seed", "2", "--optimiser", "ga",
                        "--set", "ga.generations=3", "--out", "tuned", "-q")  # fmt: skip
    cli.ok("report", "tuned", "--no-files")
    use, learn = reported(tmp_path / "tuned" / "report.html").values()
    (tmp_path / "w").mkdir()
    cli.monkeypatch.chdir(tmp_path / "w")
    typed(cli, learn, "-q")
    first, second = ((folder / "storms" / "weights.toml").read_text() for folder in
                     (tmp_path / "tuned", tmp_path / "w" / "tuned-again-storms"))  # fmt: skip
    assert _weights(first) == _weights(second)
    typed(cli, use, "--budget", "5")
    cli.monkeypatch.chdir(tmp_path)
    topic = sample / "topics" / "storms.toml"
    cli("replay", sample / "sample.warc.gz", "-t", topic, "-s", "vsm", "--budget", "40",
               "--out", "o", "-q")  # fmt: skip
    tune = ["tune", "o/storms/vsm", "--links", "30"], ["tune", "first/storms/links.csv"]
    for line, folder in zip(tune, ("first", "second"), strict=True):
        cli.ok(*line, "--out", folder, "-q")
        cli.ok("report", folder, "--no-files")
        use, learn = reported(tmp_path / folder / "report.html").values()
        assert use.startswith("scenthound crawl --topic TOPIC.toml --out ") and "--weights" in use
        typed(cli, learn, "-q")
        old, new = ((tmp_path / name / "storms" / "weights.toml").read_text()
                         for name in (folder, f"{folder}-again-storms"))  # fmt: skip
        assert _weights(old) == _weights(new)


def _weights(text: str) -> str:
    return text[text.index("[weights]") : text.index("[learnt]")]


def test_a_comparison_from_elsewhere(cli: Command, sample: Path, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(sample)
    cli.ok("compare", "sample.warc.gz", "topics/storms.toml", "-s", "vsm", "-s",
                        "breadth-first", "--budget", "10", "--out", tmp_path / "c", "-q",
                        "--keep-crawls")  # fmt: skip
    cli.monkeypatch.chdir(tmp_path)
    cli.ok("report", "c", "--no-files")
    blocks = reported(tmp_path / "c" / "report.html")
    (tmp_path / "w").mkdir()
    cli.monkeypatch.chdir(tmp_path / "w")
    typed(cli, blocks["The command"], "-q")
    first, second = (json.loads((folder / "comparison.json").read_text())["statistics"]
                     for folder in (tmp_path / "c", tmp_path / "w" / "c-again"))  # fmt: skip
    assert first == second
    (single,) = (text for caption, text in blocks.items() if "stored in" in caption)
    typed(cli, single, "--no-files")
