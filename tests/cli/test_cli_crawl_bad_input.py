"""Bad input to ``scenthound crawl``: one clear sentence, exit code 2, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands import Answer, Command
from cli.live_making import FakeEngine
from scenthound.core.errors import FolderError
from scenthound.live import session

TOPIC = 'name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n'


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr(session, "start_crawl", fake.start)
    return fake


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(TOPIC)
    return path


def refused(answer: Answer, *words: str) -> None:
    assert answer.code == 2
    assert answer.out == ""
    message = answer.err.strip()
    assert message.startswith("error: ") and "\n" not in message, message
    for word in words:
        assert word in message, message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-pages", "many"], "--max-pages takes a whole number, not 'many'."),
        (["--max-pages", "2.5"], "--max-pages takes a whole number, not 2.5."),
        (["--max-pages", "0"], "--max-pages is 1 or more, not 0."),
        (["--max-time", "0"], "--max-time is more than 0, not 0."),
        (["--max-time", "soon"],
         "--max-time takes a time such as 1.5, 100ms, 90s, 15m, 2h or 1d, not 'soon'."),
        (["--max-time", "5w"], "--max-time takes a time such as"),
        (["--delay", "-1"], "--delay -1: a delay of -1.0 seconds cannot be kept; give 0 or more"),
        (["--delay", "nan"], "--delay takes a time such as"),
        (["--delay", ""], "--delay takes a time such as"),
        (["--concurrency", "0"], "--concurrency 0: a concurrency of 0 cannot be; give 1 to 1000."),
        (["--per-host", "0"], "--per-host 0: 0 requests at once to a host fetch nothing"),
        (["--pages-per-host", "0"], "--pages-per-host 0: 0 pages of a host fetch nothing"),
        (["--host-share", "2"], "--host-share 2: a host's share of 2.0 is no share"),
        (["--proxy", "nowhere"], "--proxy 'nowhere' is no proxy; write it as http://host:port."),
        (["--proxy", "u:pw@127.0.0.1"], "error: --proxy is no proxy; write it as http://host:port."),
        (["--auth", "a.org"], "error: --auth is not understood; write it as HOST=USER:PASSWORD"),
        (["--header", "X-A: ä"], "error: --header X-A has a line break or another character"),
        (["--proxy", ""], "--proxy takes a text, not ''."),
        (["--contact", "\u00fc@x"], "--contact"),
        (["--timeout", "0"], "--timeout 0: a timeout of 0 s waits for nothing"),
        (["--min-harvest", "7"], "--min-harvest lies within 0 and 1, not at 7."),
        (["--harvest-window", "0"], "--harvest-window is more than 0"),
        (["--threshold", "x"], "--threshold takes a number, not 'x'."),
        (["--random-seed", "x"], "--random-seed takes a whole number, not 'x'."),
        (["--set", "crawl.delya=1"], "did you mean 'delay'?"),
        (["--set", "crawl.allow_private=1"], "crawl.allow_private takes true or false, not 1."),
        (["--set", "replay.random_seed=1"], "this is no replay, so it would not be heeded"),
        (["--set", "shark.decay=1"], "strategy 'shark' is not in this run"),
        (["-s", "shark", "--set", "shark.decay=7"], "strategy 'shark': decay"),
        (["-s", "vms"], "did you mean 'vsm'"),
        (["-s", "oracle"], "only replays archives; choose another one"),
        (["--config", "no.toml"], "config file no.toml: No such file"),
        (["--labels", "no.tsv"], "labels file no.tsv: No such file"),
        (["--wordnet", ""], "--wordnet takes the path of a WordNet folder, not ''."),
        (["--wordnet", "/no/such"], "/no/such"),
        (["--weights", ""], "--weights takes the path of a weights file, not ''."),
        (["--weights", "no.toml"], "weights file no.toml: No such file"),
        (["--json", "no/such/f.json"], "there is no folder no/such"),
        (["--log-level", "loud"], "unknown --log-level 'loud'; choose one of: critical, debug"),
    ],
)  # fmt: skip
def test_options(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path,
    options: list[str], message: str,
) -> None:  # fmt: skip
    refused(scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *options), message)
    assert engine.jobs == [] and not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["bad.toml", "name"]),
        ('name = "x', ["bad.toml", "TOML"]),
        ('name = "x"\nkeywords = ["a"]', ["no seeds"]),
        ('name = "x"\nkeywords = ["a"]\nseed = ["http://a.test/"]', ["did you mean 'seeds'"]),
    ],
)
def test_topic_files(
    scenthound: Command, engine: FakeEngine, tmp_path: Path, text: str, words: list[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    refused(scenthound("crawl", "-t", path, "--out", tmp_path / "c"), *words)
    assert engine.jobs == []


def test_a_topic_file_that_is_not_there(scenthound: Command, tmp_path: Path) -> None:
    refused(scenthound("crawl", "-t", "no.toml", "--out", tmp_path / "c"), "no.toml", "give the")


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


@pytest.mark.parametrize("order", ['{"kind": "replay"}', "{}", "no JSON"])
def test_a_folder_that_holds_something_else_cannot_go_on(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path, order: str
) -> None:
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
