"""The README is run, so that it cannot drift."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

import scenthound
from sample.sample_once import write_sample
from scenthound.cli.main import main
from scenthound.cli.settings import read_settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPLAY = (ROOT / "docs" / "howto" / "replay.md").read_text(encoding="utf-8")
LONGEST_README = 120
SHORT = shlex.split("--budget 20 --strategy vsm-mean --workers 1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample web, as ``scenthound demo --out sample`` leaves it."""
    return write_sample(tmp_path_factory.mktemp("readme") / "sample").parent


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def run(line: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """Run a command of the README; ``more`` keeps it short."""
    monkeypatch.setattr(sys, "argv", [*shlex.split(line, comments=True), *more])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_five_lines_of_python_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks("python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 5
    exec(compile(code, "README.md", "exec"), {})
    found = re.match(r"(\d+) of (\d+) pages look relevant", capsys.readouterr().out)
    assert found and 0 < int(found[1]) <= int(found[2]) <= 100


def test_it_is_short_and_the_two_commands_at_the_top_are_targets_of_the_makefile() -> None:
    assert len(README.splitlines()) <= LONGEST_README
    makefile = (Path(__file__).parent.parent / "Makefile").read_text()
    assert re.findall(r"^make (\w+)", blocks("sh")[0], re.MULTILINE) == ["demo", "test"]
    assert {"demo:", "test:"} <= {line.split(" ")[0] for line in makefile.splitlines() if line}


def test_the_replay_command_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(blocks("sh")).replace("\\\n", " ").splitlines()
    (line,) = [line for line in lines if line.startswith("scenthound replay")]
    run(line, monkeypatch, "--budget", "20")
    assert (here / "figures.json").is_file()
    assert (here / "crawls" / "coffee" / "vsm-mean" / "journal.jsonl").is_file()


def test_compare_and_report_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(blocks("sh")).replace("sample/topics/*", "sample/topics/storms").splitlines()
    for command in ("compare", "report"):
        start = f"scenthound {command} "
        (line,) = [line for line in lines if line.startswith(start) and "compared" in line]
        run(line, monkeypatch, *(SHORT if command == "compare" else ()))
    assert (here / "compared" / "report.html").is_file()


def test_the_pictures_are_there_and_say_what_they_show() -> None:
    pictures = re.findall(
        r'<a href="([^"]+)"><img src="([^"]+)" width="\d+%" alt="([^"]+)">', README
    )
    assert len(pictures) == README.count("<img") > 0
    for link, source, reported in pictures:
        assert link == source and (Path(__file__).parent.parent / source).is_file()
        assert len(reported.split()) > 5


def test_the_topic_file_is_a_topic_file(tmp_path: Path) -> None:
    (text,) = [block for block in blocks("toml", REPLAY) if "keywords" in block]
    (tmp_path / "t.toml").write_text(text)
    topic = scenthound.read_topic(tmp_path / "t.toml")
    assert topic.name == "storms" and len(topic.examples) == 3


def test_the_settings_file_is_a_settings_file(tmp_path: Path) -> None:
    (text,) = [block for block in blocks("toml", REPLAY) if "[replay]" in block]
    (tmp_path / "c.toml").write_text(text)
    settings = read_settings(tmp_path / "c.toml", [], ["shark"], scenthound.CATALOGUE)
    assert settings.of("replay").get("budget") == "2x"
    shark = settings.for_strategy(scenthound.CATALOGUE["shark"])
    assert shark == {"decay": 0.4, "anchor_weight": 0.9}


def test_every_strategy_is_named_on_the_replay_page() -> None:
    assert [name for name in scenthound.CATALOGUE if f"`{name}`" not in REPLAY] == []
