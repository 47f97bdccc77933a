"""The Scrapy add-on: any Scrapy project gets the scheduler and the scoring of a focused crawl.

In the project's settings::

    ADDONS = {"scenthound.live.addon.FocusedCrawl": 500}
    SCENTHOUND_TOPIC = "storms.toml"

The spider stays the project's own, and so do downloading, politeness and items.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.job import job_dir

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.live.addon_focus import Focused
from scenthound.live.addon_middleware import ScoringMiddleware
from scenthound.live.addon_scheduler import BestFirstScheduler
from scenthound.live.addon_topic import Wanted, read_focus

_MIDDLEWARE_PLACE = 60
"""Near the engine: errors are gone by then, and what other middlewares drop is not scored."""
_ADDON_PRIORITY = 15
"""Scrapy's name for it is ``addon``: what a project sets itself wins."""
_PREFIX = "SCENTHOUND_"
_NAMES = (
    "TOPIC", "STRATEGY", "PARAMETERS", "JUDGE", "THRESHOLD", "WORDNET", "WEIGHTS", "INLINKS",
    "CACHE", "CACHE_LIMIT",
)  # fmt: skip

logger = logging.getLogger(__name__)


class FocusedCrawl(Focused):
    """Scores a project's pages and requests by a topic, and hands out the best request next."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Read the topic and put scheduler and middleware in place.

        Raises
        ------
        UsageError
            A setting cannot be used: one sentence, and the crawl does not begin.
        """
        try:
            _check_names(settings)
            _check_scheduler(settings)
            self.focus = read_focus(_wanted(settings), logger.warning)
        except InputError as error:
            raise UsageError(str(error)) from None
        settings.set("SCHEDULER", BestFirstScheduler, _ADDON_PRIORITY)
        settings.setdefault_in_component_priority_dict(
            "SPIDER_MIDDLEWARES", ScoringMiddleware, _MIDDLEWARE_PLACE
        )


def _check_names(settings: BaseSettings) -> None:
    """A setting that is misspelt would be left out without a word."""
    for name in map(str, settings):
        if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in _NAMES:
            raise UnknownNameError("SCENTHOUND_ setting", name.removeprefix(_PREFIX), _NAMES)


def _check_scheduler(settings: BaseSettings) -> None:
    """A scheduler of the project's own would order the requests, and the scores be for nothing."""
    ours = (BestFirstScheduler, f"{BestFirstScheduler.__module__}.{BestFirstScheduler.__name__}")
    priority, given = settings.getpriority("SCHEDULER"), settings["SCHEDULER"]
    if given not in ours and priority is not None and priority > _ADDON_PRIORITY:
        raise SettingsError(f"SCHEDULER is {given!r}; take it out, the add-on brings its own.")


def _wanted(settings: BaseSettings) -> Wanted:
    """The settings of the add-on, as they stand in the project."""
    return Wanted(
        topic=_found(settings.get("SCENTHOUND_TOPIC")),
        strategy=settings.get("SCENTHOUND_STRATEGY"),
        parameters=_table(settings, "PARAMETERS", '{"decay": 0.5}'),
        judge=settings.get("SCENTHOUND_JUDGE"),
        threshold=settings.get("SCENTHOUND_THRESHOLD"),
        wordnet=_found(settings.get("SCENTHOUND_WORDNET")),
        job=job_dir(settings),
        weights=_table(settings, "WEIGHTS", '{"full": 0.3, "anchor": 0.5}'),
        inlinks=settings.get("SCENTHOUND_INLINKS"),
        cache=settings.get("SCENTHOUND_CACHE"),
        cache_limit=settings.get("SCENTHOUND_CACHE_LIMIT"),
    )


def _found(given: object) -> object:
    """A path that leads nowhere from the working folder starts at the folder of scrapy.cfg."""
    if not isinstance(given, str | Path) or not str(given).strip():
        return given
    path = Path(os.path.expanduser(given))
    project = closest_scrapy_cfg()
    in_project = Path(project).parent / path
    if project and not os.path.exists(path) and os.path.exists(in_project):
        return in_project
    return path


def _table(settings: BaseSettings, name: str, example: str) -> dict[str, Any]:
    """A setting that is a dict, or JSON for one; empty where it is not there."""
    try:
        return settings.getdict(f"{_PREFIX}{name}")
    except (TypeError, ValueError):
        given = settings[f"{_PREFIX}{name}"]
        raise SettingsError(
            f"{_PREFIX}{name} is a dict such as {example}, not {given!r}."
        ) from None
