"""What a live crawl is asked to do: what can be asked, and how it comes back from its folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawler.scripted_downloads import url
from scenthound.core.errors import FolderError, LabelsError, SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.crawler.crawl import warn_changed_topic
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.options import CrawlOptions
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import LinkWeights

TOPIC = Topic(
    "storms", ("storm",), (url("a/1"),), ("a text",), (url("a/no/*"),), "de", file="/t.toml"
)


def job(topic: Topic = TOPIC, strategy: str = "vsm", **options: Any) -> LiveJob:
    return LiveJob(topic, CATALOGUE[strategy], {}, CrawlOptions(**options))


def folder(path: Path, kept: LiveJob) -> CrawlFolder:
    return CrawlFolder.create(path / "c", kept.crawl_spec())


def again(kept: CrawlFolder, **changes: Any) -> LiveJob:
    return stored_job(kept, CATALOGUE, changes)


def rewrite(kept: CrawlFolder, **values: Any) -> None:
    crawl_spec = {**kept.crawl_spec(), **values}
    crawl_spec = {key: value for key, value in crawl_spec.items() if value != "gone"}
    kept.spec_path.write_text(json.dumps(crawl_spec))


# what can be asked for


def test_a_crawl_needs_somewhere_to_start() -> None:
    with pytest.raises(SettingsError, match=r"topic 'storms' has no seeds: add URLs"):
        job(Topic("storms", ("storm",), examples=("a text",)))
    assert job(Topic("storms", examples=(" HTTPS://a.test/ ",))).topic.seeds == ()
    with pytest.raises(SettingsError, match="'oracle' is steered by labels and only replays"):
        job(strategy="oracle")
    with pytest.raises(SettingsError, match="'shark' takes no weights"):
        LiveJob(TOPIC, CATALOGUE["shark"], {}, CrawlOptions(), weights=WEIGHTS)
    pages = Topic("storms", examples=(url("a/1"), url("a/2")))
    with pytest.raises(SettingsError, match="has 2 example pages to fetch first, more than"):
        job(pages, max_pages=1)


# there and back


def test_a_job_comes_back_from_its_folder(tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text(f"{url('a/5')}\tstorms\n{url('a/6')}\tother\n")
    kept = LiveJob(
        TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(max_pages=5, random_seed=3),
        frozenset({url("a/5")}), labels
    )  # fmt: skip
    back = again(folder(tmp_path, kept))
    assert (back.topic, back.topic.file, back.spec) == (TOPIC, "/t.toml", CATALOGUE["vsm"])
    assert (back.options, back.parameters) == (kept.options, {})
    assert (back.labels, back.labels_file) == (frozenset({url("a/5")}), labels)
    more = again(CrawlFolder.open(tmp_path / "c"), max_pages=50).options
    assert (more.max_pages, more.random_seed) == (50, 3)
    with pytest.raises(SettingsError, match="max_pages"):
        again(CrawlFolder.open(tmp_path / "c"), max_pages=0)


def test_its_files_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f'name = "s"\nseeds = ["{url("a/1")}"]\nexamples = ["a.html"]\nontology = "o.owl"'
    Path("t.toml").write_text(text)
    kept = folder(tmp_path, job(read_topic("t.toml")))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    topic = again(kept).topic
    assert topic.examples == (str(tmp_path / "a.html"),)
    assert (topic.ontology, topic.file) == (str(tmp_path / "o.owl"), str(tmp_path / "t.toml"))
    warn_changed_topic(topic)
    assert warned == []


WEIGHTS = LinkWeights({"full": 0.3, "anchor": 1.0}, "vsm", "gone.toml")


def test_parameters_and_weights_come_back(tmp_path: Path) -> None:
    spec = next(spec for spec in CATALOGUE.values() if spec.parameters)
    given = dict(list(spec.parameters.items())[:1])
    (tmp_path / "p").mkdir()
    assert (
        again(folder(tmp_path / "p", LiveJob(TOPIC, spec, given, CrawlOptions()))).parameters
        == given
    )
    weighted = LiveJob(TOPIC, CATALOGUE["mcoa"], {}, CrawlOptions(), weights=WEIGHTS)
    kept = folder(tmp_path, weighted)
    assert again(kept).weights == WEIGHTS  # its file is gone
    settings = dict(kept.crawl_spec()["settings"])  # type: ignore[call-overload]
    del settings["weights"]  # a folder from before there were weights
    rewrite(kept, settings=settings)
    assert again(kept).weights is None


def test_no_password_is_in_the_folder_but_which_hosts_had_one(tmp_path: Path) -> None:
    kept = folder(tmp_path, job(proxy="http://user:secret@p.test:1", auth=("a.test=me:secret",)))
    assert "secret" not in kept.spec_path.read_text()
    back = again(kept)
    assert back.options.proxy == "http://p.test:1"
    assert (back.auth_hosts, back.options.auth) == (("a.test",), ())
    more = replace(back, options=back.options.changed(auth="b.test=me:secret"))
    assert more.crawl_spec().settings["auth_hosts"] == ["a.test", "b.test"]


# what cannot be gone on with


def test_damage_a_replay_and_an_unknown_strategy_are_told(tmp_path: Path) -> None:
    kept = folder(tmp_path, job())
    whole = kept.spec_path.read_text()
    settings = dict(kept.crawl_spec()["settings"])  # type: ignore[call-overload]
    weights: tuple[object, ...] = (7, {}, {"values": {"full": 7}, "model": None, "origin": ""})
    damages: list[dict[str, Any]] = [
        {"source": "gone"}, {"source": 5}, {"source": {}}, {"topic": []}, {"topic": {"nom": "x"}},
        {"settings": [1]}, {"settings": {"max_pages": "many"}}, {"parameters": None},
        {"strategy": "gone"}, *({"settings": {**settings, "weights": each}} for each in weights)
    ]  # fmt: skip
    for damage in damages:
        kept.spec_path.write_text(whole)
        rewrite(kept, **damage)
        with pytest.raises(FolderError, match=r"crawl\.json is damaged: "):
            again(kept)
    kept.spec_path.write_text(whole)
    rewrite(kept, kind="replay")
    with pytest.raises(FolderError, match="holds a replay, which cannot be resumed"):
        again(kept)
    kept.spec_path.write_text(whole)
    rewrite(kept, strategy="my own")
    with pytest.raises(UnknownNameError, match="unknown strategy 'my own'"):
        again(kept)
    own = CATALOGUE["vsm"]  # a strategy of the user's own must be given again
    assert stored_job(kept, CATALOGUE, {}, own).spec is own


def test_labels_that_are_gone_are_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone.tsv"
    kept = LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(), frozenset(), gone)
    with pytest.raises(LabelsError, match=r"gone\.tsv: No such file"):
        again(folder(tmp_path, kept))
