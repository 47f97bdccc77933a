"""The weights file: written by a tuning, written by hand, and files that are none."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.link_making import made_links
from scenthound.core.errors import SettingsError
from scenthound.crawler.link_weights import read_weights
from scenthound.evaluation.training_links import CollectedLinks
from scenthound.evaluation.tune import tune_links
from scenthound.evaluation.tuning import weights_text, write_weights

HOSTILE = 'st"or\\ms\n[weights]\x00\x7f\u202e\ud800 天 = 1'


def test_weights_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    tuning = tune_links(made_links(100))
    write_weights(path, tuning)
    weights = read_weights(path)
    assert dict(weights.values) == tuning.by_name
    assert list(weights.values) == ["full", "title", "anchor", "context"]
    assert (weights.model, weights.origin) == ("vsm", str(path))
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_says_how_the_weights_were_learnt(tmp_path: Path) -> None:
    links = made_links(100)
    tuning = tune_links(links, "sa", parameters={"cold": 0.5}, random_seed=7)
    found = CollectedLinks(links, 101, 100, {"copy": 1}, "an archive", {"power": 3.0})
    learnt = tomllib.loads(weights_text(tuning, found))["learnt"]
    assert (learnt["topic"], learnt["optimiser"], learnt["seed"]) == ("storms", "sa", 7)
    assert (learnt["train_links"], learnt["test_links"]) == (50, 50)
    assert learnt["test_error"] == pytest.approx(tuning.test_error, abs=1e-6)
    assert learnt["test_error_equal"] == pytest.approx(tuning.test_error_equal, abs=1e-6)
    assert learnt["share_of_exact_fitness"] == pytest.approx(tuning.share, abs=1e-6)
    assert learnt["parameters"] == {"cold": 0.5}
    assert learnt["model_parameters"] == {"power": 3.0}
    assert (learnt["links_from"], learnt["pages_fetched"]) == ("an archive", 101)
    assert learnt["scenthound"] and "equal_because" not in learnt


def test_a_hostile_name_stays_a_name(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    tuning = replace(tune_links(made_links(100)), topic=HOSTILE)
    write_weights(path, tuning)
    assert dict(read_weights(path).values) == tuning.by_name
    kept = tomllib.loads(path.read_text())["learnt"]["topic"]
    assert kept == HOSTILE.replace("\ud800", "?")


def test_weights_written_by_hand_need_no_more_than_a_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[weights]\nanchor = 1\nfull = 0.5\ninlinks = 0.1\n")
    weights = read_weights(path)
    assert weights.values == {"full": 0.5, "anchor": 1, "inlinks": 0.1}
    assert weights.model is None


def test_a_tuning_without_a_model_writes_none(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    write_weights(path, tune_links(replace(made_links(100), model="", topic="")))
    assert read_weights(path).model is None
    assert "text model" not in path.read_text()
    assert '# They fit this text model:\nmodel = "vsm"\n' in weights_text(tune_links(made_links(9)))


def test_a_bad_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    cases: list[tuple[bytes, str]] = [
        (b"", "there are no weights; add a table [weights]"),
        (b"weights = 3\n", "there are no weights"),
        (b"full = 0.3\n", "unknown key 'full'"),
        (b"[weights]\nfull = \n", "not valid TOML"),
        (b"[weights]\nful = 0.3\n", "did you mean 'full'"),
        (b"[weights]\nfull = 1.5\n", "within 0 and 1, not at 1.5"),
        (b"[weights]\nfull = true\n", "is a number, not True"),
        (b"[weights]\nfull = '0.3'\n", "is a number, not '0.3'"),
        (b"[weights]\nfull = 0\n", "all weights are 0"),
        (b"model = 3\n[weights]\nfull = 1\n", "name of a text model, not 3"),
        (b"model = 'svm'\n[weights]\nfull = 1\n", "unknown model 'svm'; did you mean"),
        (b"#" * 1_000_001, "too large"),
        (b"a = " + b"[" * 100_000, "not valid TOML"),
    ]
    for content, said in cases:
        path = tmp_path / "bad.toml"
        path.write_bytes(content)
        with pytest.raises(SettingsError) as told:
            read_weights(path)
        assert said in str(told.value) and str(path) in str(told.value)
        assert "\n" not in str(told.value)


def test_files_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file or directory; give the path"):
        read_weights(tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="Is a directory"):
        read_weights(tmp_path)
    with pytest.raises(SettingsError, match="cannot be written: No such file"):
        write_weights(tmp_path / "nowhere" / "w.toml", tune_links(made_links(40)))
