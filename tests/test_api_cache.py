"""The vector cache from Python: a strategy that encodes finds it again, through every door."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scenthound
from scenthound import CATALOGUE, CrawlOptions, Recipe, ScenthoundWarning, Topic
from scenthound.core.protocols import Scorer
from scenthound.evaluation import tune
from scenthound.evaluation.link_collection import collect_links
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.strategies.spec import StrategyContext

SEED, KEY = "http://storms.test/", b"k" * 16
TOPIC = Topic("storms", ("storm",), (SEED,))
HTML = b'<title>Storms</title><p>A storm.</p><a href="/a">hail</a> <a href="/b">gale</a>'


@dataclass
class Encoding:
    """A strategy that keeps a vector when it is made, and says if it was there."""

    found: list[bool | None] = field(default_factory=list)

    def scorer(self, strategy_context: StrategyContext) -> Scorer:
        cache = strategy_context.equipment.cache
        self.found.append(None if cache is None else KEY in cache.find("m", [KEY]))
        if cache is not None:
            cache.keep("m", {KEY: np.ones(3, dtype=np.float16)})
        return CATALOGUE["vsm"].scorer(strategy_context)  # type: ignore[no-any-return]

    @property
    def spec(self) -> Recipe:
        return replace(CATALOGUE["vsm"], name="encoding", scorer=self.scorer)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "web" / "storms.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_bytes(HTML)
    return tmp_path / "web"


@pytest.fixture
def options() -> Iterator[CrawlOptions]:
    html = (("Content-Type", "text/html"),)
    web = {url: Response(url, 200, html, HTML) for url in (SEED, f"{SEED}a", f"{SEED}b")}
    with WebServer(web) as server:
        yield CrawlOptions(max_pages=1, delay=0.0, proxy=server.proxy, min_disk=0)


def test_replays_share_it(archive: Path, tmp_path: Path) -> None:
    encoding, topic = Encoding(), replace(TOPIC, seeds=(f"{SEED}index.html",))
    for cache in (tmp_path / "c", tmp_path / "c", "none", str(tmp_path / "d")):
        scenthound.replay(archive, topic, encoding.spec, cache=cache, cache_limit="5MB")
    assert encoding.found == [False, True, None, False]
    held = scenthound.cache_report(tmp_path / "c")
    assert held.entries == {"m": 1} and held.folder == tmp_path / "c"
    scenthound.clear_cache(tmp_path / "c")
    assert scenthound.cache_report(str(tmp_path / "c")).entries == {}


def test_the_report_of_a_folder(tmp_path: Path) -> None:
    empty = scenthound.CacheReport(tmp_path / "c", 0, {})
    assert scenthound.cache_report(tmp_path / "c") == empty
    scenthound.clear_cache(tmp_path / "c")
    assert not (tmp_path / "c").exists()
    (tmp_path / "file").touch()
    for ask in (scenthound.cache_report, scenthound.clear_cache):
        with pytest.raises(scenthound.InputError, match="is no folder"):
            ask(tmp_path / "file")


def test_a_live_crawl_uses_it_again(options: CrawlOptions, tmp_path: Path) -> None:
    encoding, out, cache = Encoding(), tmp_path / "out", tmp_path / "c"
    scenthound.crawl(TOPIC, out, encoding.spec, options=options, cache=cache)
    assert encoding.found == [False] and cache.is_dir()
    scenthound.resume(out, max_pages=2, strategy=encoding.spec)
    assert encoding.found == [False, True]


def test_tuning_gets_it(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def noted(source: Any, topic: Any, plan: Any, *more: Any) -> Any:
        folders.append(plan.equipment.cache.folder)
        return collect_links(source, topic, plan, *more)

    monkeypatch.setattr(tune, "collect_links", noted)
    topic = replace(TOPIC, seeds=(f"{SEED}index.html",))
    with pytest.warns(ScenthoundWarning, match="links of the 1,000 wanted"):
        scenthound.tune(archive, topic, model="vsm", cache=tmp_path / "c", cache_limit=5_000_000)
    assert folders == [tmp_path / "c"] and not (tmp_path / "c").exists()
