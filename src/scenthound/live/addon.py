"""The Scrapy add-on: any Scrapy project gets the scheduler and the scoring of a focused crawl.

In the project's settings::

    ADDONS = {"scenthound.live.addon.FocusedCrawl": 500}
    SCENTHOUND_TOPIC = "storms.toml"

The spider stays the project's own, and so do downloading, politeness and items.
"""

from __future__ import annotations

import logging

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object

from scenthound.core.errors import InputError, SettingsError
from scenthound.live.addon_focus import Focused
from scenthound.live.addon_middleware import ScoringMiddleware
from scenthound.live.addon_scheduler import BestFirstScheduler
from scenthound.live.addon_topic import Wanted, read_focus
from scenthound.strategies.ingredients import Value

_MIDDLEWARE_PLACE = 60
"""Near the engine: errors are gone by then, and what other middlewares drop is not scored."""
_ADDON_PRIORITY = 15
"""Scrapy's name for it is ``addon``: what a project sets itself wins."""

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
            _check_scheduler(settings)
            self.focus = read_focus(_wanted(settings), logger.warning)
        except InputError as error:
            raise UsageError(str(error)) from None
        settings.set("SCHEDULER", BestFirstScheduler, _ADDON_PRIORITY)
        settings.setdefault_in_component_priority_dict(
            "SPIDER_MIDDLEWARES", ScoringMiddleware, _MIDDLEWARE_PLACE
        )


def _check_scheduler(settings: BaseSettings) -> None:
    """A scheduler of the project's own would order the requests, and the scores be for nothing."""
    priority = settings.getpriority("SCHEDULER")
    given = load_object(settings["SCHEDULER"])
    if given is not BestFirstScheduler and priority is not None and priority > _ADDON_PRIORITY:
        raise SettingsError(
            f"SCHEDULER is {settings['SCHEDULER']!r}; take it out, the add-on brings its own."
        )


def _wanted(settings: BaseSettings) -> Wanted:
    """The settings of the add-on, as they stand in the project."""
    return Wanted(
        topic=settings.get("SCENTHOUND_TOPIC"),
        strategy=settings.get("SCENTHOUND_STRATEGY"),
        parameters=_parameters(settings),
        threshold=settings.get("SCENTHOUND_THRESHOLD"),
        wordnet=settings.get("SCENTHOUND_WORDNET"),
        job=job_dir(settings),
    )


def _parameters(settings: BaseSettings) -> dict[str, Value]:
    try:
        return settings.getdict("SCENTHOUND_PARAMETERS")
    except (TypeError, ValueError):
        raise SettingsError(
            'SCENTHOUND_PARAMETERS is a dict such as {"decay": 0.5}, '
            f"not {settings['SCENTHOUND_PARAMETERS']!r}."
        ) from None
