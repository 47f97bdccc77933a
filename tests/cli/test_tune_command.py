"""``scenthound tune`` refuses what it cannot use in one sentence, before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands import Command
from scenthound.cli.tune import set_parameters
from scenthound.core.errors import SettingsError
from scenthound.evaluation import tune


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to learn has not looked first."""

    def begun(*given: object, **options: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(tune, "tune", begun)
    monkeypatch.setattr(tune, "tune_links", begun)


def test_options(scenthound: Command, sample: Path) -> None:
    for options, sentence in [
        (["--optimiser", "mcao"], "unknown optimiser 'mcao'; did you mean 'mcoa'"),
        (["--optimiser", "?"], "choose one of: exact, ga, hybrid"),
        (["--model", "?"], "unknown model '?'; choose one of: bsvsm, elmo, ontology, sdvsm"),
        (["--set", "power=3"], "--set power=3: write it as TABLE.KEY=VALUE"),
        (["--set", "shark.decay=3"], "what can be set is soft-sdvsm.KEY."),
        (["--set", "vsm.x=3"], "model 'vsm' is not in use; give --model vsm, or drop"),
        (["--set", "ga.generations=3"], "'ga' is not in use; give --optimiser ga, or drop"),
        (["--set", "exact.x=3"], "optimiser 'exact' has nothing to set"),
        (["--set", "soft-sdvsm.pwoer=3"], "did you mean 'power'"),
        (["--set", "soft-sdvsm.power=much"], "soft-sdvsm.power takes a value like 4.0"),
        (
            ["--optimiser", "ga", "--set", "ga.individuals=100000000000"],
            "individuals must be at most 100,000, not 100,000,000,000",
        ),
        (["--format", "csv"], "give --out too"),
        (["--random-seed", "-1"], "--random-seed"),
        (["--links", "many"], "--links"),
    ]:
        topic = sample / "topics" / "storms.toml"
        answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, *options)
        assert (answer.code, answer.out) == (2, "")
        assert sentence in answer.err


def test_sources(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    archive, links = sample / "sample.warc.gz", tmp_path / "links.csv"
    links.write_text("a,b\n1,2\n")
    for arguments, sentence in (
        ([tmp_path / "none.warc.gz"], "does not exist; give an archive"),
        (["w" * 300 + ".csv"], "does not exist; give an archive"),
        ([archive], "has no topic of its own; give one with --topic"),
        ([sample / "topics"], "or a crawl folder"),
        ([links], "it needs a column relevance"),
        ([links, "--topic", "t.toml", "--pdf"], "--topic and --pdf would not be used"),
        ([links, "--structure"], "--structure would not be used"),
        ([links, "--set", "vsm.x=1"], "has its similarities already"),
        ([archive, "-t", tmp_path / "none.toml"], "none.toml"),
    ):
        answer = scenthound("tune", *arguments)
        assert (answer.code, answer.out) == (2, ""), arguments
        assert sentence in answer.err


def test_twins(scenthound: Command, sample: Path) -> None:
    topic = sample / "topics" / "storms.toml"
    answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, "-t", topic)
    assert answer.code == 2 and "give each once, or rename one" in answer.err


def test_targets(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "tuning.json").write_text("{}")
    (tmp_path / "broken" / "storms").mkdir(parents=True)
    (tmp_path / "broken" / "storms" / "weights.toml").write_text("")
    for out, sentence in (
        ("old", "holds a tuning already; choose another --out folder"),
        ("broken", "holds a tuning already; choose another --out folder"),
        ("file", "file is no folder; choose another folder"),
        ("file/below", "file is no folder; choose another folder"),
        ("w" * 300, "choose another folder"),
    ):
        answer = scenthound(
            "tune", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
            "--out", tmp_path / out,
        )  # fmt: skip
        assert answer.code == 2 and sentence in answer.err
    assert {path.name for path in tmp_path.iterdir()} == {"file", "old", "broken"}


def test_a_missing_library_is_told_first(
    scenthound: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenthound.storage.files.find_spec", lambda name: None)
    topic = sample / "topics" / "storms.toml"
    answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, "--out", tmp_path / "t",
                        "--format", "parquet")  # fmt: skip
    assert answer.code == 2 and "pip install 'scenthound[parquet]'" in answer.err


def test_what_is_set_goes_to_its_part() -> None:
    found = set_parameters(
        ["soft-svsm.power=3", "ga.generations=7", "soft-svsm.floor=.2"], "soft-svsm", "ga"
    )
    assert found.model == {"power": 3.0, "floor": 0.2}
    assert found.optimiser == {"generations": 7}
    with pytest.raises(SettingsError, match="what can be set is nothing here"):
        set_parameters(["x.y=1"], None, "exact")
