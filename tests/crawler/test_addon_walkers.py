"""The add-on and the strategies of the ant colony: those that walk are refused, others work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crawler.addon_running import ADDON, FOLLOWER, STORM, focus, run_spider, write_topic
from crawler.live_web import LiveWeb, page
from scenthound.core.errors import SettingsError
from scenthound.strategies.catalogue import CATALOGUE

ONTOLOGY = "# topic: storm\nstorm\n  hurricane\n  flood (induced-by)\n"


def test_strategies_that_walk_are_refused_in_one_sentence(tmp_path: Path) -> None:
    walking = {name for name in CATALOGUE if CATALOGUE[name].walks}
    assert walking == {"moaco", "olmoaco", "olmode", "wseo"}
    with pytest.raises(SettingsError) as caught:
        focus(tmp_path, strategy="moaco")
    assert "strategy 'moaco' goes from page to page itself" in str(caught.value)
    assert re.fullmatch(r"[^\n.]+\.", str(caught.value))


def test_the_others_steer_a_spider(tmp_path: Path) -> None:
    (tmp_path / "storms.txt").write_text(ONTOLOGY)
    links = [("/tea", "a kettle"), ("/storm", "a hurricane"), ("/flood", "the flood")]
    with LiveWeb(hosts=1) as web:
        start = web.add(1, "/", page("Front", "All kinds of pages.", links))
        tea = web.add(1, "/tea", page("Tea", "A kettle of tea."))
        web.add(1, "/storm", page("Storm", "A storm and a hurricane."))
        web.add(1, "/flood", page("Flood", "After the storm."))
        topic = write_topic(tmp_path, f'{STORM}ontology = "storms.txt"\n')
        settings = {
            "ADDONS": ADDON, "SCENTHOUND_TOPIC": topic, "SCENTHOUND_THRESHOLD": 0.1,
            "SCENTHOUND_STRATEGY": "best-first-ontology",
        }  # fmt: skip
        ran = run_spider(tmp_path, FOLLOWER, [start], settings)
    assert ran.code == 0, ran.said
    assert len(ran.urls) == len(set(ran.urls)) == 4
    assert ran.urls[-1] == tea


def test_bad_ontology_is_refused_before_the_spider_begins(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web:
        start = web.add(1, "/", page("Front", "All kinds of pages."))
        topic = write_topic(tmp_path, f'{STORM}ontology = "nowhere.owl"\n')
        settings = {
            "ADDONS": ADDON, "SCENTHOUND_TOPIC": topic,
            "SCENTHOUND_STRATEGY": "best-first-ontology",
        }  # fmt: skip
        ran = run_spider(tmp_path, FOLLOWER, [start], settings)
        assert web.requested() == []
    assert ran.code != 0 and "nowhere.owl: No such file" in ran.said
