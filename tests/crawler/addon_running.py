"""The parts of the Scrapy add-on without a reactor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from scrapy import Request, Spider
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from scenthound.core.model import Score
from scenthound.crawler.scrapy_addon.addon import read_focus
from scenthound.crawler.scrapy_addon.focus import Focus, Note
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler

STORM = 'name = "storms"\nkeywords = ["storm"]\n'


def write_topic(folder: Path, text: str) -> Path:
    path = folder / "topic.toml"
    path.write_text(text, encoding="utf-8")
    return path


def project(folder: Path, text: str = STORM, **given: Any) -> Settings:
    """The settings of a project, given without their prefix, and a topic file with this text."""
    given = {"topic": write_topic(folder, text), "strategy": "vsm", **given}
    return Settings({f"SCENTHOUND_{name.upper()}": value for name, value in given.items()})


def focus(folder: Path, job: Path | None = None, **given: Any) -> Focus:
    settings = project(folder, **given)
    settings.set("JOBDIR", job and str(job))
    return read_focus(settings)


class Crawling:
    """A crawler as far as the scheduler looks at it; ``active`` is in the downloader."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.stats = MemoryStatsCollector(cast(Any, SimpleNamespace(settings=Settings())))
        self.request_fingerprinter = RequestFingerprinter()
        downloader = SimpleNamespace(
            active=self.active,
            get_slot_key=lambda request: (
                request.meta.get("download_slot") or request.url.split("/")[2]
            ),
        )
        self.engine = SimpleNamespace(downloader=downloader)


@contextmanager
def scheduler(
    folder: Path,
    crawling: Crawling,
    job: Path | None = None,
    spider: Spider | None = None,
    filters: bool = True,
    **settings: Any,
) -> Iterator[BestFirstScheduler]:
    """One that is open, with one request to a host at once."""
    focused = focus(folder, job, **settings)
    made = BestFirstScheduler(cast(Any, crawling), focused, 1, lambda: 1_000.0, filters)
    made.open(spider or Spider(name="any"))
    try:
        yield made
    finally:
        made.close("finished")


def scored(url: str, score: float | Score | None, **more: Any) -> Request:
    """A request with the note of a link with this score."""
    request = Request(url, **more)
    note = Note.of(score, "", 1) if isinstance(score, Score) else Note(score)
    note.write(request)
    return request
