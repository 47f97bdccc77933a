"""Files of links and of weights: written, read back, made by hand, and damaged."""

from __future__ import annotations

import csv
import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluation.link_making import made_links
from scenthound.core.errors import SettingsError
from scenthound.crawler.argument_checks import read_weights
from scenthound.evaluation import training_links as links_file
from scenthound.evaluation.training_links import (
    CollectedLinks,
    TrainingLinks,
    read_links,
    write_links,
)
from scenthound.evaluation.tune import tune_links
from scenthound.evaluation.tuning_result import weights_text, write_weights
from scenthound.similarity.link_priority import TEXTS

HOSTILE = ("=cmd|'/c calc'!A0", "@sum(1)", "+1", "-1", 'quo"te', "comma, semi; tab", "'plain", "天")


def test_links_come_back_as_they_were_and_a_spreadsheet_runs_nothing(tmp_path: Path) -> None:
    for name in ("links.csv", "links.parquet", "LINKS.CSV"):
        for split in (None, 3, 0):
            hostile = (
                replace(link, anchor=anchor)
                for link, anchor in zip(made_links(8).links, HOSTILE, strict=True)
            )
            links = TrainingLinks("=storms", "soft-svsm", TEXTS, tuple(hostile), split)
            write_links(tmp_path / name, links)
            back = read_links(tmp_path / name)
            assert back == replace(links, split=links.train)
            (tmp_path / name).unlink()
            assert list(tmp_path.iterdir()) == []
    links = made_links(1)
    evil = replace(links, links=(replace(links.links[0], anchor="=1+1"),), topic="@topic")
    write_links(tmp_path / "l.csv", evil)
    with (tmp_path / "l.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["anchor"], row["topic"], row["half"]) == ("'=1+1", "'@topic", "train")
    columns = "source target anchor sim_full sim_title sim_anchor sim_context relevance half"
    assert list(row) == [*columns.split(), "topic", "model"]


def test_links_of_ones_own_need_little_and_what_is_no_number_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("sim_anchor;relevance;sim_full;note\n0.5;1;0.25;x\n\n0;0.5;0;y\n0.1;0;0;z\n")
    links = read_links(path)
    assert links.names == ("full", "anchor") and (links.train, links.test) == (2, 1)
    assert links.links[0].values == (0.25, 0.5) and links.links[0].relevance == 1.0
    assert (links.topic, links.model, links.links[0].source) == ("", "", "")
    path.write_text("sim_full,relevance,half\n1,.1,test\n1,.2,train\n1,.3,train\n")
    links = read_links(path)  # rows that train come first wherever they stand
    assert [link.relevance for link in links.links] == [0.2, 0.3, 0.1]
    assert links.train == 2
    for name, number in (("l.csv", 2), ("l.parquet", 1)):
        links = made_links(60)
        odd = replace(links.links[0], values=(math.nan, 0.5, 0.5, 0.5))
        write_links(tmp_path / name, replace(links, links=(odd, *links.links[1:])))
        with pytest.raises(SettingsError, match=f"sim_full in row {number} is .*nan.*; correct it"):
            read_links(tmp_path / name)


def test_a_bad_file_of_links_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    two_topics = "links of more than one topic, 'sea' and 'storms'; make a file for each"
    cases: list[tuple[str, str]] = [
        ("a,b\n1,2\n", "needs a column relevance and one or more of sim_full"),
        ("sim_full,relevance\n", "there is no link in it"),
        ("sim_full,relevance\n0.5,high\n", "relevance in row 2 is 'high'"),
        ("sim_full,relevance\n0.5,\n", "relevance in row 2 is empty"),
        ("sim_full,relevance\n0,5,1\n", "row 2 has 3 cells and the first one 2"),
        ("sim_full,sim_full,relevance\n1,1,1\n", "two columns 'sim_full'"),
        ("sim_fall,relevance\n1,1\n", "did you mean 'sim_full'"),
        ("sim_full,relevance,half\n1,1,third\n", "half in row 2 is 'third'"),
        ("sim_full,relevance\n1,1\n\n0,1e308\n", "relevance in row 4 is '1e308'"),
        ("sim_full,relevance\n-0.1,1\n", "sim_full in row 2 is '-0.1'"),
        ("sim_full,relevance,topic\n1,1,storms\n1,1,\n1,0,sea\n", two_topics),
        ("sim_full,relevance,model\n1,1,bert\n", "unknown model 'bert'; choose one of"),
        ('sim_full,relevance\n"1,1\n', "is a quote not closed"),
    ]
    for content, printed in cases:
        path.write_text(content)
        with pytest.raises(SettingsError) as reported:
            read_links(path)
        assert printed in str(reported.value) and str(path) in str(reported.value)
        assert "\n" not in str(reported.value)
    path = tmp_path / "bad.parquet"
    path.write_bytes(b"sim_full,relevance\n1,1\n")
    with pytest.raises(SettingsError, match="no Parquet file"):
        read_links(path)
    pq.write_table(pa.table({"sim_full": ["high"], "relevance": [1.0]}), path)
    with pytest.raises(SettingsError, match="sim_full in row 1 is 'high'"):
        read_links(path)


def test_files_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"ends in \.parquet or \.csv"):
        write_links(tmp_path / "links.xlsx", made_links(1))
    with pytest.raises(SettingsError, match="cannot be written"):
        write_links(tmp_path / "nowhere" / "links.csv", made_links(1))
    for name in ("links.csv", "w" * 300 + ".csv"):
        with pytest.raises(SettingsError, match="there is no such file"):
            read_links(tmp_path / name)
    monkeypatch.setattr(links_file, "MOST_LINKS", 4)
    for name in ("l.csv", "l.parquet"):
        write_links(tmp_path / name, made_links(5))
        with pytest.raises(SettingsError, match="more than 4 links; leave some out"):
            read_links(tmp_path / name)


HOSTILE_NAME = 'st"or\\ms\n[weights]\x00\x7f\u202e\ud800 天 = 1'


def test_weights_come_back_with_how_they_were_learned_and_need_no_model(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    tuning = tune_links(made_links(100))
    write_weights(path, tuning)
    weights = read_weights(path)
    assert dict(weights.values) == tuning.by_name
    assert list(weights.values) == ["full", "title", "anchor", "context"]
    assert (weights.model, weights.origin) == ("vsm", str(path))
    assert list(tmp_path.iterdir()) == [path]
    write_weights(path, replace(tuning, topic=HOSTILE_NAME))
    assert dict(read_weights(path).values) == tuning.by_name
    kept = tomllib.loads(path.read_text())["learnt"]["topic"]
    assert kept == HOSTILE_NAME.replace("\ud800", "?")
    path = tmp_path / "mine.toml"
    path.write_text("[weights]\nanchor = 1\nfull = 0.5\ninlinks = 0.1\n")
    weights = read_weights(path)
    assert weights.values == {"full": 0.5, "anchor": 1, "inlinks": 0.1}
    assert weights.model is None
    write_weights(path, tune_links(replace(made_links(100), model="", topic="")))
    assert read_weights(path).model is None
    assert "text model" not in path.read_text()
    assert '# They fit this text model:\nmodel = "vsm"\n' in weights_text(tune_links(made_links(9)))
    links = made_links(100)
    tuning = tune_links(links, "sa", parameters={"cold": 0.5}, random_seed=7)
    found = CollectedLinks(links, 101, 100, {"copy": 1}, "an archive", {"power": 3.0})
    learned = tomllib.loads(weights_text(tuning, found))["learnt"]
    assert (learned["topic"], learned["optimiser"], learned["seed"]) == ("storms", "sa", 7)
    assert (learned["train_links"], learned["test_links"]) == (50, 50)
    assert learned["test_error"] == pytest.approx(tuning.test_error, abs=1e-6)
    assert learned["test_error_equal"] == pytest.approx(tuning.test_error_equal, abs=1e-6)
    assert learned["share_of_exact_fitness"] == pytest.approx(tuning.share, abs=1e-6)
    assert learned["parameters"] == {"cold": 0.5}
    assert learned["model_parameters"] == {"power": 3.0}
    assert (learned["links_from"], learned["pages_fetched"]) == ("an archive", 101)
    assert learned["scenthound"] and "equal_because" not in learned


def test_a_bad_weights_file_is_reported_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    cases: list[tuple[bytes, str]] = [
        (b"", "there are no weights; add a table [weights]"),
        (b"weights = 3\n", "there are no weights"),
        (b"full = 0.3\n", "unknown key 'full'"),
        (b"[weights]\nfull = \n", "not valid TOML"),
        (b"[weights]\nfull = '0.3'\n", "within 0 and 1, not '0.3'"),
        (b"model = 3\n[weights]\nfull = 1\n", "name of a text model, not 3"),
        (b"model = 'svm'\n[weights]\nfull = 1\n", "unknown model 'svm'; did you mean"),
        (b"#" * 1_000_001, "too large"),
        (b"a = " + b"[" * 100_000, "not valid TOML"),
    ]
    for content, printed in cases:
        path.write_bytes(content)
        with pytest.raises(SettingsError) as reported:
            read_weights(path)
        assert printed in str(reported.value) and str(path) in str(reported.value)
        assert "\n" not in str(reported.value)
    with pytest.raises(SettingsError, match="No such file or directory; give the path"):
        read_weights(tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="Is a directory"):
        read_weights(tmp_path)
    with pytest.raises(SettingsError, match="cannot be written: No such file"):
        write_weights(tmp_path / "nowhere" / "w.toml", tune_links(made_links(40)))
