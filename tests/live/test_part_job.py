"""What a live crawl is asked to do: what can be asked, and how it comes back from its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from live.part_building import url
from scenthound.api.going_on import tell_changed_topic
from scenthound.core.errors import FolderError, LabelsError, SettingsError, UnknownNameError
from scenthound.core.model import Budget, Topic
from scenthound.experiments.labels import Labels
from scenthound.live.job import LiveJob, changed, labelled_pages
from scenthound.live.options import CrawlOptions
from scenthound.live.stored_job import stored_job
from scenthound.store.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.weights import LinkWeights
from scenthound.topics.file import read_topic

TOPIC = Topic(
    "storms", ("storm",), (url("a/1"),), ("a text",), (url("a/no/*"),), "de", file="/t.toml"
)


def job(topic: Topic = TOPIC, strategy: str = "vsm", **options: Any) -> LiveJob:
    return LiveJob(topic, CATALOGUE[strategy], {}, CrawlOptions(**options))


def folder(path: Path, kept: LiveJob) -> CrawlFolder:
    return CrawlFolder.create(path / "c", kept.order())


def again(kept: CrawlFolder, **changes: Any) -> LiveJob:
    return stored_job(kept, CATALOGUE, changes, lambda text: None)


def rewrite(kept: CrawlFolder, **values: Any) -> None:
    order = {**kept.order(), **values}
    order = {key: value for key, value in order.items() if value != "gone"}
    kept.order_path.write_text(json.dumps(order))


# what can be asked for


def test_a_crawl_needs_somewhere_to_start() -> None:
    with pytest.raises(SettingsError, match=r"topic 'storms' has no seeds: add URLs"):
        job(Topic("storms", ("storm",), examples=("a text",)))


@pytest.mark.parametrize("example", ["http://a.test/", " HTTPS://a.test/ "])
def test_an_example_on_the_web_is_somewhere(example: str) -> None:
    assert job(Topic("storms", examples=(example,))).topic.seeds == ()


def test_a_strategy_that_needs_labels_is_for_archives() -> None:
    with pytest.raises(SettingsError, match="'oracle' is steered by labels and only replays"):
        job(strategy="oracle")


def test_what_follows_from_it() -> None:
    made = job(max_pages=7)
    assert made.budget == Budget(7)
    assert changed(made, max_pages=9, delay=0.0).options == CrawlOptions(max_pages=9, delay=0.0)
    assert made.options.max_pages == 7


def test_labels_are_those_of_the_topic() -> None:
    labels = Labels({"storms": frozenset({"u"}), "other": frozenset({"v"})}, "labels.tsv")
    assert labelled_pages(labels, TOPIC) == frozenset({"u"})
    assert labelled_pages(None, TOPIC) is None


# there and back


def test_a_job_comes_back_from_its_folder(tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text(f"{url('a/5')}\tstorms\n{url('a/6')}\tother\n")
    kept = LiveJob(
        TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(max_pages=5, random_seed=3),
        frozenset({url("a/5")}), labels,
    )  # fmt: skip
    back = again(folder(tmp_path, kept))
    assert (back.topic, back.topic.file, back.recipe) == (TOPIC, "/t.toml", CATALOGUE["vsm"])
    assert (back.options, back.parameters) == (kept.options, {})
    assert (back.labels, back.labels_file) == (frozenset({url("a/5")}), labels)


def test_its_files_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f'name = "s"\nseeds = ["{url("a/1")}"]\nexamples = ["a.html"]\nontology = "o.owl"'
    Path("t.toml").write_text(text)
    kept = folder(tmp_path, job(read_topic("t.toml")))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    topic, warnings = again(kept).topic, list[str]()
    assert topic.examples == (str(tmp_path / "a.html"),)
    assert (topic.ontology, topic.file) == (str(tmp_path / "o.owl"), str(tmp_path / "t.toml"))
    tell_changed_topic(topic, warnings.append)
    assert warnings == []


def test_options_may_be_changed_on_the_way(tmp_path: Path) -> None:
    kept = folder(tmp_path, job(max_pages=5, delay=3.0))
    back = again(kept, max_pages=50)
    assert (back.options.max_pages, back.options.delay) == (50, 3.0)


def test_a_change_is_checked_like_any_option(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="max_pages"):
        again(folder(tmp_path, job()), max_pages=0)


def test_parameters_come_back_and_are_checked(tmp_path: Path) -> None:
    recipe = next(recipe for recipe in CATALOGUE.values() if recipe.parameters)
    given = dict(list(recipe.parameters.items())[:1])
    kept = folder(tmp_path, LiveJob(TOPIC, recipe, given, CrawlOptions()))
    assert again(kept).parameters == given


WEIGHTS = LinkWeights({"full": 0.3, "anchor": 1.0}, "vsm", "gone.toml")


def test_weights_come_back_without_their_file(tmp_path: Path) -> None:
    kept = LiveJob(TOPIC, CATALOGUE["mcoa"], {}, CrawlOptions(), weights=WEIGHTS)
    assert again(folder(tmp_path, kept)).weights == WEIGHTS


def test_a_folder_from_before_there_were_weights(tmp_path: Path) -> None:
    kept = folder(tmp_path, job())
    settings = dict(kept.order()["settings"])  # type: ignore[call-overload]
    del settings["weights"]
    rewrite(kept, settings=settings)
    assert again(kept).weights is None


@pytest.mark.parametrize("stored", [7, {}, {"values": {"full": 7}, "model": None, "origin": ""}])
def test_weights_that_are_damaged(tmp_path: Path, stored: object) -> None:
    kept = folder(tmp_path, job())
    settings = dict(kept.order()["settings"])  # type: ignore[call-overload]
    rewrite(kept, settings={**settings, "weights": stored})
    with pytest.raises(FolderError, match=r"crawl\.json is damaged"):
        again(kept)


def test_weights_that_the_strategy_cannot_use() -> None:
    with pytest.raises(SettingsError, match="'shark' takes no weights"):
        LiveJob(TOPIC, CATALOGUE["shark"], {}, CrawlOptions(), weights=WEIGHTS)


def test_a_strategy_of_ones_own_is_used_where_it_is_given(tmp_path: Path) -> None:
    kept = folder(tmp_path, job())
    rewrite(kept, strategy="mine")
    own = CATALOGUE["vsm"]
    assert stored_job(kept, CATALOGUE, {}, lambda text: None, own).recipe is own


def test_a_password_is_not_in_the_folder(tmp_path: Path) -> None:
    kept = folder(tmp_path, job(proxy="http://user:secret@p.test:1"))
    assert "secret" not in kept.order_path.read_text()
    assert again(kept).options.proxy == "http://p.test:1"


def test_which_hosts_had_a_password_is_in_the_folder_for_good(tmp_path: Path) -> None:
    kept = folder(tmp_path, job(auth=("a.test=me:secret",)))
    assert "secret" not in kept.order_path.read_text()
    back = again(kept)
    assert (back.auth_hosts, back.options.auth) == (("a.test",), ())
    more = changed(back, auth="b.test=me:secret")
    assert more.order().settings["auth_hosts"] == ["a.test", "b.test"]


# what cannot be gone on with


def test_a_replay_is_not_resumed(tmp_path: Path) -> None:
    kept = folder(tmp_path, job())
    rewrite(kept, kind="replay")
    with pytest.raises(FolderError, match="holds a replay, which cannot be resumed"):
        again(kept)


@pytest.mark.parametrize(
    "damage",
    [
        {"source": "gone"}, {"source": 5}, {"source": {}},
        {"topic": "gone"}, {"topic": []}, {"topic": {"nom": "x"}},
        {"settings": "gone"}, {"settings": [1]}, {"settings": {"max_pages": "many"}},
        {"parameters": None}, {"strategy": "gone"},
    ],
)  # fmt: skip
def test_damage_is_told(tmp_path: Path, damage: dict[str, Any]) -> None:
    kept = folder(tmp_path, job())
    rewrite(kept, **damage)
    with pytest.raises(FolderError, match=r"crawl\.json is damaged: "):
        again(kept)


def test_a_strategy_of_somebody_s_own_must_be_given_again(tmp_path: Path) -> None:
    kept = folder(tmp_path, job())
    rewrite(kept, strategy="my own")
    with pytest.raises(UnknownNameError, match="unknown strategy 'my own'"):
        again(kept)


def test_labels_that_are_gone_are_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone.tsv"
    kept = LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(), frozenset(), gone)
    with pytest.raises(LabelsError, match=r"gone\.tsv: No such file"):
        again(folder(tmp_path, kept))
