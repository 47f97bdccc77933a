"""Bad input to ``scenthound crawl``: one clear sentence, exit code 2, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands import Command, refused
from cli.live_making import FakeEngine
from scenthound.core.errors import FolderError

TOPIC = 'name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n'


pytestmark = pytest.mark.usefixtures("engine")


def test_options(scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path) -> None:
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
    for order in ['{"kind": "replay"}', "{}", "no JSON"]:
        (tmp_path / "crawl.json").write_text(order)
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
