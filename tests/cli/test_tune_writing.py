"""``scenthound tune --out`` says what was written, and nothing else."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from cli.commands import Command
from scenthound.api.tuning import TunedTopic
from scenthound.cli import tune_folder

FEW = ("--model", "vsm", "--links", "60")
FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def topics(sample: Path) -> list[str | Path]:
    """An archive and two topics."""
    folder = sample / "topics"
    return [sample / "sample.warc.gz", "-t", folder / "storms.toml", "-t", folder / "coffee.toml"]


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException, topic: str) -> None:
    """The weights of this topic cannot be written."""
    real = TunedTopic.write_weights

    def write(self: TunedTopic, path: Path) -> None:
        if self.tuning.topic == topic:
            raise error
        real(self, path)

    monkeypatch.setattr(TunedTopic, "write_weights", write)


def test_a_full_disk_loses_no_figures_and_claims_no_files(
    scenthound: Command, topics: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, FULL, "storms")
    out = tmp_path / "t"
    answer = scenthound("tune", *topics, *FEW, "--out", out)
    assert answer.code == 2 and "No space left on device; choose another folder" in answer.err
    assert "storms: 30 training and 30 test links" in answer.out
    assert "written to" not in answer.out and "figures there" not in answer.out
    assert "not (fully) written: storms" in answer.out and "Use the weights" not in answer.out
    assert not (out / "heat-map.svg").exists() and not (out / "tuning.json").exists()


def test_what_was_written_before_is_told(
    scenthound: Command, topics: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, FULL, "coffee")
    out = tmp_path / "t"
    answer = scenthound("tune", *topics, *FEW, "--out", out)
    assert answer.code == 2 and "No space left" in answer.err
    assert f"written to {out}: TOPIC/weights.toml" in answer.out
    assert "not (fully) written: coffee" in answer.out and "heat-map.svg" in answer.out
    assert [each["topic"] for each in json.loads((out / "tuning.json").read_text())["topics"]] == [
        "storms"
    ]


@pytest.mark.parametrize(
    ("place", "told"),
    [("links", "nothing was written"), ("weights", "what was written so far is kept")],
)
def test_an_interruption_while_writing(
    scenthound: Command, topics: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    place: str, told: str,
) -> None:  # fmt: skip
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TunedTopic, f"write_{place}", interrupted)
    answer = scenthound("tune", *topics, *FEW, "--out", tmp_path / "t")
    assert answer.code == 130
    assert [line for line in answer.err.splitlines() if line.startswith("error")] == [
        f"error: interrupted; {told}."
    ]
    assert "written to" not in answer.out and "not (fully) written: storms" in answer.out


def test_an_interruption_without_a_folder(
    scenthound: Command, topics: list[str | Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.api.tune", interrupted)
    answer = scenthound("tune", *topics, *FEW)
    assert (answer.code, answer.out) == (130, "")
    assert "error: interrupted; nothing was written." in answer.err


def test_figures_that_cannot_be_drawn_are_an_error_after_what_was_written(
    scenthound: Command, topics: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tune_folder.TuningFolder.draw

    def draw(self: tune_folder.TuningFolder) -> object:
        (self.path / "heat-map.svg").mkdir()
        return real(self)

    monkeypatch.setattr(tune_folder.TuningFolder, "draw", draw)
    answer = scenthound("tune", *topics, *FEW, "--out", tmp_path / "t")
    assert answer.code == 2 and "heat-map.svg" in answer.err
    assert "written to" in answer.out and "figures there" not in answer.out
