"""Tuning from Python: an archive, open or not, a crawl folder, a file of links; bad arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from crawler.web_building import Field, Plant
from evaluation.link_making import STORMS, hub
from scenthound import InputError, ScenthoundWarning, Topic, read_links, read_weights, tune
from scenthound.core.errors import ArchiveError, FolderError, SettingsError, UnknownNameError
from scenthound.evaluation.link_collection import default_model
from scenthound.evaluation.training_links import DEFAULT_MODEL
from scenthound.evaluation.tune import COLLECTING, LEARNING, TunedTopic
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, text_model_name


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    """Enough pages for 60 links: every third one is about storms, and its link says so."""
    with ExitStack() as stack:
        yield Plant(tmp_path_factory.mktemp("web"), stack)(*hub(80))


@pytest.fixture(scope="module")
def tuned(web: Field) -> TunedTopic:
    """By the default model."""
    return tune(web.archive, STORMS, links=60)


def test_an_archive_gives_weights_for_a_topic(web: Field) -> None:
    tuned = tune(web.archive, STORMS, model="vsm", links=60)
    tuning = tuned.tuning
    assert tuning.reason is None and (tuning.train, tuning.test) == (30, 30)
    assert tuning.by_name["anchor"] + tuning.by_name["context"] > 0.5
    assert tuning.test_error < tuning.test_error_equal
    assert tuned.collected is not None and tuned.collected.fetched == 61
    assert tuned.links == tuned.collected.links


def test_a_crawl_folder_has_a_topic_of_its_own(
    web: Field, tuned: TunedTopic, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    scenthound.replay(web.archive.path, STORMS, "breadth-first", budget=100, out=folder)
    from_folder = tune(folder, links=60)
    assert from_folder.links == tuned.links
    assert from_folder.tuning.weights == tuned.tuning.weights
    assert from_folder.collected is not None and str(folder) in from_folder.collected.source
    cakes = tune(folder, Topic("cakes", keywords=("cake",)), links=60)
    assert cakes.tuning.topic == "cakes" and cakes.links != from_folder.links


def test_too_few_links_are_an_answer_with_a_warning_and_progress_is_told(web: Field) -> None:
    heard: list[tuple[str, float, float]] = []
    tune(web.archive, STORMS, model="vsm", links=5, on_progress=lambda *told: heard.append(told))
    assert heard[:2] == [(COLLECTING, 0, 5), (COLLECTING, 1, 5)]
    assert heard[-2:] == [(COLLECTING, 5, 5), (LEARNING, 1.0, 1.0)]
    with pytest.warns(ScenthoundWarning, match="gave 81 links of the 1,000 wanted"):
        tuned = tune(web.archive, STORMS, model="vsm")
    assert tuned.tuning.reason is None
    small = tune(web.archive, STORMS, model="vsm", links=19)
    assert small.tuning.reason is not None and set(small.tuning.weights) == {0.25}


def test_what_was_learnt_is_kept_and_read_back(tuned: TunedTopic, tmp_path: Path) -> None:
    tuned.write_weights(tmp_path / "w.toml")
    tuned.write_links(str(tmp_path / "l.parquet"))
    assert read_weights(tmp_path / "w.toml").values == tuned.tuning.by_name
    links = read_links(str(tmp_path / "l.parquet"))
    assert scenthound.tune_links(links).weights == tuned.tuning.weights
    told = tuned.to_json()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert tuned.collected is not None and told["collected"] == tuned.collected.to_json()


def test_weights_can_be_used_without_a_file(web: Field, tuned: TunedTopic) -> None:
    weights = tuned.weights
    assert (weights.values, weights.model) == (tuned.tuning.by_name, "soft-sdvsm")
    assert weights.origin == "the tuning of 'storms'"
    run = scenthound.replay(web.archive.path, STORMS, "soft-sdvsm", budget=5, weights=weights)
    assert run.fetched == 5
    with pytest.raises(SettingsError, match=r"'scent' takes no weights.*that can use them \(soft"):
        scenthound.replay(web.archive.path, STORMS, budget=5, weights=weights)
    unnamed = TunedTopic(replace(tuned.tuning, topic="", model=""), tuned.links)
    assert (unnamed.weights.model, unnamed.weights.origin) == (None, "a tuning")


def test_the_model_is_that_of_the_crawl_or_else_soft_sdvsm(web: Field, tmp_path: Path) -> None:
    default = text_model_name(scenthound.CATALOGUE["soft-sdvsm"])
    assert default == DEFAULT_MODEL == default_model(web.archive) == default_model(tmp_path)
    for strategy, model in (
        ("vsm", "vsm"), ("soft-svsm-mcoa", "soft-svsm"), (DEFAULT_STRATEGY, default),
    ):  # fmt: skip
        folder = tmp_path / strategy
        scenthound.replay(web.archive.path, STORMS, strategy, budget=30, out=folder)
        assert tune(folder, links=5).tuning.model == model
    assert tune(folder, links=5, model="svsm").tuning.model == "svsm"


def test_a_folder_that_is_neither(tmp_path: Path, web: Field) -> None:
    with pytest.raises(ArchiveError, match=r"or a crawl folder\.$"):
        tune(tmp_path / "none", STORMS)
    scenthound.replay(web.archive.path, STORMS, "vsm", budget=3, out=tmp_path / "all" / "vsm")
    with pytest.raises(FolderError, match=r"give one of them: .*vsm"):
        tune(tmp_path / "all", STORMS)
    damaged = tmp_path / "all" / "vsm" / "crawl.json"
    damaged.write_text("{")
    with pytest.raises(FolderError, match="cannot be read"):
        tune(damaged.parent, STORMS)


def test_bad_arguments_are_told_in_one_sentence(web: Field) -> None:
    cases: list[tuple[dict[str, object], type[InputError], str]] = [
        ({"source": None}, SettingsError, "source takes a path, not None"),
        ({"topic": "storms.toml"}, SettingsError, "read a topic file with read_topic"),
        ({"topic": None}, SettingsError, "an archive has no topic of its own"),
        ({"topic": replace(STORMS, seeds=())}, SettingsError, "has no seeds"),
        ({"model": "wsm"}, UnknownNameError, "did you mean 'vsm'"),
        ({"model": 3}, SettingsError, "model takes a text"),
        ({"source": "links.csv"}, SettingsError, "give tune_links(read_links(...)) instead"),
        ({"source": "w" * 300}, ArchiveError, "too long; give an archive or a crawl"),
        ({"optimiser": 3}, SettingsError, "optimiser takes a text"),
        ({"links": 0}, SettingsError, "links takes a whole number from 1 to 1,000,000, not 0"),
        ({"random_seed": -1}, SettingsError, "random_seed is 0 or more, not -1"),
        ({"parameters": ["power"]}, SettingsError, "parameters takes a dict"),
        ({"parameters": {"power": "high"}}, SettingsError, "power takes a value like 4.0"),
        ({"optimiser_parameters": {"hot": 1.0}}, SettingsError, "nothing to set"),
        ({"wordnet": 3}, SettingsError, "wordnet takes the path of"),
    ]
    for arguments, error, said in cases:
        given = {"source": web.archive.path, "topic": STORMS, **arguments}
        with pytest.raises(error) as told:
            tune(**given)  # type: ignore[arg-type]
        assert said in str(told.value)
    with pytest.raises(SettingsError, match="path is an empty path"):
        read_weights("")
    with pytest.raises(SettingsError, match="path takes a path, not None"):
        read_links(None)
    with pytest.raises(SettingsError, match="links takes TrainingLinks"):
        scenthound.tune_links([])
