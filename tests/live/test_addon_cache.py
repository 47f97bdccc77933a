"""Inlinks and the vector cache in the Scrapy add-on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from live.addon_running import STORM, write_topic
from scenthound.frontier.combination import Combination
from scenthound.live import addon_topic
from scenthound.live.addon import FocusedCrawl
from scenthound.live.addon_focus import Focus
from scenthound.store.vector_cache import VectorCache
from scenthound.store.vector_cache_file import FILE
from scenthound.strategies.ingredients import Ingredients


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
    made: list[Ingredients] = []

    def noted(*given: Any, **named: Any) -> Ingredients:
        made.append(Ingredients(*given, **named))
        return made[-1]

    monkeypatch.setattr(addon_topic, "Ingredients", noted)
    focused = focus(tmp_path, CACHE=tmp_path / "c", CACHE_LIMIT="5MB")
    cache = made[0].equipment.cache
    assert isinstance(cache, VectorCache) and cache.folder == tmp_path / "c"
    cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
    assert (tmp_path / "c" / f"{FILE}-wal").exists()
    focused.close()
    assert not (tmp_path / "c" / f"{FILE}-wal").exists()
    focus(tmp_path, CACHE="none").close()
    assert made[1].equipment.cache is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"INLINKS": "sum"}, "give max, mean or last as inlinks, not 'sum'"),
        ({"INLINKS": "max", "STRATEGY": "random"}, "'random' scores all links to a page alike"),
        ({"CACHE_LIMIT": "much"}, "'much' is no size for a cache"),
        ({"CACHE": ""}, "the cache has an empty name"),
        ({"CACHE_SIZE": "2GB"}, "CACHE_LIMIT"),
    ],
)
def test_what_cannot_be(tmp_path: Path, settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        focus(tmp_path, **settings)
