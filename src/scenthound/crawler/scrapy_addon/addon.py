"""The Scrapy add-on: any Scrapy project gets the scheduler and the scoring of a focused crawl.

In the project's settings::

    ADDONS = {"scenthound.scrapy.FocusedCrawl": 500}
    SCENTHOUND_TOPIC = "storms.toml"

The spider stays the project's own, and so do downloading, politeness and items.
"""

from __future__ import annotations

import logging
import math
import os
import random
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.job import job_dir

from scenthound.core.command_options import SIMILARITY, ReplayOptions
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.crawler.judges import build_judge
from scenthound.crawler.scrapy_addon.focus import Focus, Focused
from scenthound.crawler.scrapy_addon.middleware import ScoringMiddleware
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.similarity.topic_file import read_topic
from scenthound.strategies.catalogue import (
    DEFAULT_STRATEGY,
    STRATEGIES,
    check_user_weights,
    with_inlink_rule,
)
from scenthound.strategies.spec import LinkWeights, StrategyContext, StrategySpec
from scenthound.strategies.text_model_builders import ONTOLOGY
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet_files import load_wordnet

logger = logging.getLogger(__name__)


_PREFIX = "SCENTHOUND_"
_NAMES = (
    "TOPIC STRATEGY PARAMETERS JUDGE THRESHOLD WORDNET WEIGHTS INLINKS CACHE CACHE_LIMIT".split()
)
"""The settings of the add-on without their prefix; docs/howto/scrapy.md has what they mean."""
_TABLES = {"PARAMETERS": '{"decay": 0.5}', "WEIGHTS": '{"full": 0.3, "anchor": 0.5}'}
"""Settings that are dicts, with an example of each."""


def read_focus(settings: BaseSettings) -> Focus:
    """The focus that a project's settings describe; InputError where one cannot be used."""
    given = {
        name: None if value is None else str(value)
        for name, value in ((name, settings.get(_PREFIX + name)) for name in _NAMES)
    }
    parameters, weights = _table(settings, "PARAMETERS"), _table(settings, "WEIGHTS")
    topic_file, wordnet_folder = _find_file(given["TOPIC"]), _find_file(given["WORDNET"])
    if topic_file is None:
        raise SettingsError('there is no topic; set SCENTHOUND_TOPIC = "topic.toml".')
    spec = _strategy_spec(given["STRATEGY"], given["INLINKS"])
    link_weights = LinkWeights(weights) if weights else None
    check_user_weights(spec, link_weights, parameters)
    topic = read_topic(topic_file)
    if spec.extra == ONTOLOGY:
        check_topic_ontology(topic)
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        wordnet = None if wordnet_folder is None else load_wordnet(wordnet_folder.resolve())
        # Without an archive, since the spider decides what is fetched.
        profile = read_topic_profile(topic, None, wordnet=wordnet, by_meaning=spec.uses_wordnet)
    for warning in issued:  # users of Scrapy look into its log
        logger.warning("%s", warning.message)
    analyzer = Analyzer(topic.language, wordnet, topic.keywords)
    judge_name = ReplayOptions.read("judge", given["JUDGE"] or SIMILARITY)
    judge = build_judge(judge_name, profile, analyzer, _threshold(given["THRESHOLD"]))
    with ExitStack() as resources:
        cache = cache_choice(given["CACHE"], given["CACHE_LIMIT"])
        equipment = resources.enter_context(open_equipment(cache))
        context = StrategyContext(
            profile, analyzer, random.Random(0), weights=link_weights, equipment=equipment
        )
        strategy = spec.build(context, parameters)
        job = job_dir(settings)
        focus = Focus(topic, strategy, spec.combination, judge, None if job is None else Path(job))
        focus.resources.push(resources.pop_all())
    return focus


def _strategy_spec(name: str | None, inlinks: str | None) -> StrategySpec:
    spec = STRATEGIES[name or DEFAULT_STRATEGY]
    if spec.needs_labels:
        raise SettingsError(
            f"strategy {spec.name!r} is steered by labels and only replays archives; "
            "set another SCENTHOUND_STRATEGY."
        )
    if spec.walks:
        raise SettingsError(
            f"strategy {spec.name!r} goes from page to page itself, and in a Scrapy project the "
            "spider decides which requests there are; set another SCENTHOUND_STRATEGY."
        )
    return with_inlink_rule(spec, inlinks)


def _threshold(value: str | None) -> float | None:
    """The similarity from which a page counts as relevant; None to calibrate it."""
    if value is None:
        return None
    try:
        threshold = float(value)
    except ValueError:
        threshold = math.nan
    if not 0.0 <= threshold <= 1.0:
        raise SettingsError(f"SCENTHOUND_THRESHOLD lies within 0 and 1, not at {value!r}.")
    return threshold


_MIDDLEWARE_PLACE = 60
"""Near the engine: errors are gone by then, and what other middlewares drop is not scored."""
_ADDON_PRIORITY = 15
"""Scrapy's name for it is ``addon``: what a project sets itself wins."""


class FocusedCrawl(Focused):
    """Scores a project's pages and requests by a topic, and hands out the best request next."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Read the topic and put scheduler and middleware in place.

        UsageError where a setting cannot be used: one sentence, and the crawl does not begin.
        """
        try:
            # A misspelt setting would be left out silently.
            for name in map(str, settings):
                if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in _NAMES:
                    raise UnknownNameError(
                        "SCENTHOUND_ setting", name.removeprefix(_PREFIX), _NAMES
                    )
            _check_scheduler(settings)
            self.focus = read_focus(settings)
        except InputError as error:
            raise UsageError(str(error)) from None
        settings.set("SCHEDULER", BestFirstScheduler, _ADDON_PRIORITY)
        settings.setdefault_in_component_priority_dict(
            "SPIDER_MIDDLEWARES", ScoringMiddleware, _MIDDLEWARE_PLACE
        )


def _check_scheduler(settings: BaseSettings) -> None:
    """A scheduler of the project's own would order the requests, and the scores would be unused."""
    ours = (BestFirstScheduler, f"{BestFirstScheduler.__module__}.{BestFirstScheduler.__name__}")
    priority, given = settings.getpriority("SCHEDULER"), settings["SCHEDULER"]
    if given not in ours and priority is not None and priority > _ADDON_PRIORITY:
        raise SettingsError(f"SCHEDULER is {given!r}; take it out, the add-on brings its own.")


def _find_file(given: str | None) -> Path | None:
    """A path that leads nowhere from the working folder starts at the folder of scrapy.cfg."""
    if given is None or not given.strip():
        return None
    path, project = Path(os.path.expanduser(given)), closest_scrapy_cfg()
    in_project = Path(project).parent / path
    return in_project if project and not path.exists() and in_project.exists() else path


def _table(settings: BaseSettings, name: str) -> dict[str, Any]:
    """A setting that is a dict, or JSON for one; empty where it is not there."""
    try:
        return settings.getdict(_PREFIX + name)
    except (TypeError, ValueError):
        raise SettingsError(
            f"{_PREFIX}{name} is a dict such as {_TABLES[name]}, not {settings[_PREFIX + name]!r}."
        ) from None
