"""Inlinks and the vector cache in the Scrapy add-on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.addon_running import STORM, write_topic
from scenthound.core.model import Candidate, Combination, Document, Page, Score
from scenthound.crawler.scrapy_addon import addon as addon_topic
from scenthound.crawler.scrapy_addon.addon import FocusedCrawl
from scenthound.crawler.scrapy_addon.focus import Focus
from scenthound.storage.cache import FILE, VectorCache
from scenthound.strategies.spec import StrategyContext


def focus(tmp_path: Path, **settings: Any) -> Focus:
    given = {"SCENTHOUND_TOPIC": str(write_topic(tmp_path, STORM)), "SCENTHOUND_STRATEGY": "vsm"}
    addon = FocusedCrawl()
    addon.update_settings(
        Settings({**given, **{f"SCENTHOUND_{name}": value for name, value in settings.items()}})
    )
    assert addon.focus is not None
    return addon.focus


def test_inlinks_are_combined_as_the_settings_say(tmp_path: Path) -> None:
    assert focus(tmp_path).combination is Combination.MAX
    assert focus(tmp_path, INLINKS="mean").combination is Combination.MEAN


def test_the_strategy_gets_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[StrategyContext] = []

    def noted(*given: Any, **named: Any) -> StrategyContext:
        made.append(StrategyContext(*given, **named))
        return made[-1]

    monkeypatch.setattr(addon_topic, "StrategyContext", noted)
    focused = focus(tmp_path, CACHE=tmp_path / "c", CACHE_LIMIT="5MB")
    cache = made[0].equipment.cache
    assert isinstance(cache, VectorCache) and cache.folder == tmp_path / "c"
    cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
    assert (tmp_path / "c" / f"{FILE}-wal").exists()
    focused.close()
    assert not (tmp_path / "c" / f"{FILE}-wal").exists()
    focus(tmp_path, CACHE="none").close()
    assert made[1].equipment.cache is None


def test_what_cannot_be(tmp_path: Path) -> None:
    messages = [
        ({"INLINKS": "sum"}, "give max, mean or last as inlinks, not 'sum'"),
        ({"INLINKS": "max", "STRATEGY": "random"}, "'random' scores all links to a page alike"),
        ({"CACHE_LIMIT": "much"}, "'much' is no size for a cache"),
        ({"CACHE": ""}, "the cache has an empty name"),
        ({"CACHE_SIZE": "2GB"}, "CACHE_LIMIT"),
    ]
    for settings, message in messages:
        with pytest.raises(UsageError, match=message):
            focus(tmp_path, **settings)


# The add-on judges as ``SCENTHOUND_JUDGE`` says.


def judged(folder: Path, text: str, **settings: object) -> tuple[float, bool]:
    """A page with this text, judged by the add-on of a project with these settings."""
    (folder / "o.txt").write_text("# topic: storm\nstorm\n  typhoon\n")
    topic = write_topic(folder, STORM + 'ontology = "o.txt"\n')
    addon = FocusedCrawl()
    addon.update_settings(
        Settings({"SCENTHOUND_TOPIC": str(topic), "SCENTHOUND_STRATEGY": "vsm", **settings})
    )
    assert addon.focus is not None
    url = "http://a.test/"
    page = Page(url, 200, Document(text=text), ())
    found = addon.focus.judge(Candidate(url, Score(0.0), 0), page)
    addon.focus.close()
    return found


def test_an_ontology_judges(tmp_path: Path) -> None:
    """The keyword is "storm" alone: a typhoon is a concept of the ontology only."""
    assert judged(tmp_path, "A typhoon.")[0] == 0.0
    similarity, relevant = judged(
        tmp_path, "A typhoon.", SCENTHOUND_JUDGE="ontology", SCENTHOUND_THRESHOLD=0.1
    )
    assert similarity > 0.1 and relevant


def test_a_page_at_sigma_is_not_relevant(tmp_path: Path) -> None:
    given = {"SCENTHOUND_JUDGE": "ontology"}
    sigma = judged(tmp_path, "A typhoon.", **given)[0]
    assert not judged(tmp_path, "A typhoon.", SCENTHOUND_THRESHOLD=sigma, **given)[1]
