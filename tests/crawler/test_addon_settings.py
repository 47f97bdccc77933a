"""The settings of the Scrapy add-on: what they do, and what is said of those that do nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.addon_running import STORM, focus, write_topic
from scenthound.core.errors import InputError
from scenthound.crawler.scrapy_addon.addon import FocusedCrawl, FocusSettings, read_focus


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"strategy": "vms"}, "unknown strategy 'vms'; did you mean 'vsm'"),
        ({"strategy": "oracle"}, "steered by labels"),
        ({"judge": "me"}, "unknown judge 'me'; choose one of: ontology, similarity"),
        ({"threshold": 7}, "SCENTHOUND_THRESHOLD lies within 0 and 1"),
        ({"text": 'name = "s"\nexamples = ["http://a.test/"]'}, "fetches none; add keywords"),
        ({"wordnet": "nowhere"}, "nowhere"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        focus(tmp_path, **more)
    assert said in str(caught.value)


def test_examples_that_are_addresses_are_told(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    path.write_text(STORM + 'examples = ["http://a.test/", "A storm over the sea"]\n')
    warned: list[str] = []
    read_focus(FocusSettings(str(path), "vsm"), warned.append)
    assert len(warned) == 1 and "1 of 2 examples are addresses" in warned[0]


def test_the_add_on_sets_what_it_needs_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    path.write_text(STORM, encoding="utf-8")
    settings = Settings({"SCENTHOUND_TOPIC": str(path), "SCENTHOUND_STRATEGY": "vsm"})
    before = settings.copy_to_dict()
    addon = FocusedCrawl()
    addon.update_settings(settings)
    after = settings.copy_to_dict()
    assert {name for name in after if after[name] != before.get(name)} == {
        "SCHEDULER",
        "SPIDER_MIDDLEWARES",
    }
    assert addon.focus is not None and addon.focus.topic.name == "storms"


def test_settings_that_are_refused() -> None:
    messages: list[tuple[dict[str, Any], str]] = [
        ({"SCENTHOUND_TOPIC": None}, 'there is no topic; set SCENTHOUND_TOPIC = "topic.toml".'),
        ({}, "topic file t.toml: No such file"),
        ({"SCENTHOUND_PARAMETERS": "depth: 3"}, "SCENTHOUND_PARAMETERS is a dict"),
        ({"SCENTHOUND_TRESHOLD": 0.1}, "unknown SCENTHOUND_ setting 'TRESHOLD'; did you mean 'THR"),
        ({"SCHEDULER": "nix.nix"}, "SCHEDULER is 'nix.nix'; take it out"),
        ({"SCHEDULER": "scrapy.core.scheduler.Scheduler"}, "Scheduler'; take it out"),
    ]
    for given, said in messages:
        with pytest.raises(UsageError) as caught:
            FocusedCrawl().update_settings(Settings({"SCENTHOUND_TOPIC": "t.toml", **given}))
        assert said in str(caught.value)


def test_the_topic_is_found_from_anywhere_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "project" / "spiders"
    inner.mkdir(parents=True)
    write_topic(tmp_path, STORM)
    (tmp_path / "scrapy.cfg").touch()
    monkeypatch.chdir(inner)
    for name in ("storms", "those of the working folder"):
        addon = FocusedCrawl()
        given = {"SCENTHOUND_TOPIC": "topic.toml", "SCENTHOUND_STRATEGY": "vsm"}
        addon.update_settings(Settings(given))
        assert addon.focus is not None and addon.focus.topic.name == name
        write_topic(inner, STORM.replace("storms", "those of the working folder"))
