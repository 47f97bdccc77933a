"""What a report says under "To run it again" is done, and gives the same again."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Answer, Command

_CODE = re.compile(r"<figcaption>([^<]*)</figcaption><pre[^>]*><code>(.*?)</code></pre>", re.DOTALL)
WEIGHTS = "[weights]\nfull = 0.2\nanchor = 0.7\n"


def told(report: Path) -> dict[str, str]:
    """The lines to copy by their captions."""
    found = _CODE.findall(report.read_text(encoding="utf-8"))
    return {html.unescape(caption): html.unescape(text) for caption, text in found}


def again(
    command: Command, report: Path, work: Path, monkeypatch: pytest.MonkeyPatch, *more: str
) -> Answer:
    """Write the files of a report into a new folder, go there, and type its command."""
    work.mkdir()
    blocks = told(report)
    for caption, text in blocks.items():
        if re.match(r"\w+\.toml: ", caption):
            (work / caption.partition(":")[0]).write_text(text, encoding="utf-8")
    monkeypatch.chdir(work)
    (line,) = (text for caption, text in blocks.items() if caption.startswith("The command"))
    return typed(command, line, *more)


def typed(command: Command, line: str, *more: str) -> Answer:
    name, *words = shlex.split(line)
    assert name == "scenthound"
    return command(*words, *more)


def crawl_spec(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((folder / "crawl.json").read_text())
    return {**kept, "topic": {**kept["topic"], "file": None}}


def test_a_replay_with_everything_set(
    cli: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/example.txt").write_text("A storm is strong wind, rain and thunder over the sea.")
    Path("weights.toml").write_text(WEIGHTS)
    given = (sample / "topics" / "storms.toml").read_text()
    examples = 'examples = ["example.txt", "http://b.test/?q=%22\'<b>", "Rain & <thunder>\\twind"]'
    Path("mine/t.toml").write_text(re.sub(r"examples = \[.*?\]", lambda _: examples, given,
                                          flags=re.DOTALL))  # fmt: skip
    answer = cli.ok(
        "replay", sample / "sample.warc.gz", "-t", "mine/t.toml", "-s", "soft-sdvsm", "--labels",
        sample / "labels.tsv", "--budget", "30", "--random-seed", "3", "--count-missing",
        "--threshold", "0.2", "--inlinks", "mean", "--weights", "weights.toml", "--out", "o", "-q",
        "--set", "soft-sdvsm.terms=12",
    )  # fmt: skip
    folder = tmp_path / "o" / "storms" / "soft-sdvsm"
    cli.ok("report", folder, "--no-files")
    answer = again(cli, folder / "report.html", tmp_path / "w", monkeypatch)
    assert answer.code == 0, answer.err
    repeated = tmp_path / "w" / "soft-sdvsm-again" / "storms" / "soft-sdvsm"
    assert (repeated / "journal.jsonl").read_bytes() == (folder / "journal.jsonl").read_bytes()
    first, second = crawl_spec(folder), crawl_spec(repeated)
    for each in (first, second):  # by whole paths, which differ; weights by their content
        each["topic"]["examples"] = [Path(text).name for text in each["topic"]["examples"]]
        each["settings"]["weights"]["origin"] = ""
    assert first == second


def test_a_live_crawl_with_much_set(
    cli: Command, proxy: str, live_topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.tsv").write_text("http://storms.test/3\tstorms\n")
    private = ("--proxy", proxy, "--header", "X-Secret: hunter2")
    answer = cli.ok(
        "crawl", "-t", live_topic, "--out", "c", "-s", "vsm", *private, "--delay", "0",
        "--max-pages", "7", "--concurrency", "1", "--max-depth", "4", "--allow-host", "storms.test",
        "--exclude", "*/9", "--exclude", "*/8", "--timeout", "5s", "--threshold", "0.1",
        "--contact", "me@example.org", "--inlinks", "last", "--labels", "labels.tsv", "-q",
        "--max-time", "10m", "--random-seed", "4", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    cli.ok("report", "c", "--no-files")
    report = tmp_path / "c" / "report.html"
    assert "hunter2" not in report.read_text() and proxy not in report.read_text()
    assert "The command; left out, and to be given again: header, proxy" in told(report)
    answer = again(cli, report, tmp_path / "w", monkeypatch, *private, "-q")
    assert answer.code == 0, answer.err
    first, second = crawl_spec(tmp_path / "c"), crawl_spec(tmp_path / "w" / "c-again")
    assert first["settings"] == second["settings"] and first["topic"] == second["topic"]
    for key in ("strategy", "parameters", "budget", "seed"):
        assert first[key] == second[key], key
    labels = [kept["source"]["labels"] for kept in (first, second)]
    assert labels == [str(tmp_path / "labels.tsv")] * 2


def test_a_tuning_is_learnt_again_and_used(
    cli: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text((sample / "topics" / "storms.toml").read_text())
    answer = cli.ok("tune", sample / "sample.warc.gz", "-t", "t.toml", "--model", "vsm",
                        "--links", "60", "--structure", "--random-seed", "2", "--optimiser", "ga",
                        "--set", "ga.generations=3", "--out", "tuned", "-q")  # fmt: skip
    cli.ok("report", "tuned", "--no-files")
    use, learn = told(tmp_path / "tuned" / "report.html").values()
    (tmp_path / "w").mkdir()
    monkeypatch.chdir(tmp_path / "w")
    answer = typed(cli, learn, "-q")
    assert answer.code == 0, answer.err
    first, second = ((folder / "storms" / "weights.toml").read_text() for folder in
                     (tmp_path / "tuned", tmp_path / "w" / "tuned-again"))  # fmt: skip
    assert _weights(first) == _weights(second)
    answer = typed(cli, use, "--budget", "5")
    assert answer.code == 0, answer.err


def _weights(text: str) -> str:
    return text[text.index("[weights]") : text.index("[learnt]")]


def test_a_tuning_of_a_crawl_or_of_links(
    cli: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    topic = sample / "topics" / "storms.toml"
    cli("replay", sample / "sample.warc.gz", "-t", topic, "-s", "vsm", "--budget", "40",
               "--out", "o", "-q")  # fmt: skip
    tune = ["tune", "o/storms/vsm", "--links", "30"], ["tune", "first/storms/links.csv"]
    for line, folder in zip(tune, ("first", "second"), strict=True):
        cli.ok(*line, "--out", folder, "-q")
        cli.ok("report", folder, "--no-files")
        use, learn = told(tmp_path / folder / "report.html").values()
        assert use.startswith("scenthound crawl --topic TOPIC.toml --out ") and "--weights" in use
        answer = typed(cli, learn, "-q")
        assert answer.code == 0, answer.err
        first, second = ((tmp_path / name / "storms" / "weights.toml").read_text()
                         for name in (folder, f"{folder}-again"))  # fmt: skip
        assert _weights(first) == _weights(second)


def test_a_comparison_is_run_again_from_elsewhere(
    cli: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample)
    answer = cli.ok("compare", "sample.warc.gz", "topics/storms.toml", "-s", "vsm", "-s",
                        "breadth-first", "--budget", "10", "--out", tmp_path / "c", "-q",
                        "--keep-crawls")  # fmt: skip
    monkeypatch.chdir(tmp_path)
    cli.ok("report", "c", "--no-files")
    blocks = told(tmp_path / "c" / "report.html")
    (tmp_path / "w").mkdir()
    monkeypatch.chdir(tmp_path / "w")
    answer = typed(cli, blocks["The command"], "-q")
    assert answer.code == 0, answer.err
    first, second = (json.loads((folder / "comparison.json").read_text())["statistics"]
                     for folder in (tmp_path / "c", tmp_path / "w" / "c-again"))  # fmt: skip
    assert first == second
    (single,) = (text for caption, text in blocks.items() if "stored in" in caption)
    assert typed(cli, single, "--no-files").code == 0
