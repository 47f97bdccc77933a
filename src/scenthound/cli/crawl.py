"""``scenthound crawl``: crawl the live web for one topic, into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from scenthound import api
from scenthound.api import DEFAULT_STRATEGY
from scenthound.api.advice import command
from scenthound.cli.asked_topic import (
    AskedTopic,
    Keywords,
    Language,
    SeedsFile,
    SeedUrls,
    TopicName,
)
from scenthound.cli.crawl_options import (
    OPTIONS,
    Assignments,
    ConfigFile,
    JsonFile,
    LabelsFile,
    LogLevel,
    OutFolder,
    Quiet,
    StrategyName,
    TopicFile,
    with_crawl_options,
)
from scenthound.cli.ending import STDOUT, show_end
from scenthound.cli.live_run import run_watched
from scenthound.cli.live_state import Heading
from scenthound.cli.results import check_writable
from scenthound.cli.screen import say_warning
from scenthound.cli.shared_crawl import crawl_together
from scenthound.cli.shared_crawl_options import (
    CreateOn,
    MaxWaiting,
    PartitionCount,
    SharedName,
    SharedOptions,
    WorkerCount,
)
from scenthound.cli.strategy_names import named_strategies
from scenthound.core.errors import FolderError
from scenthound.experiments.equipping import CACHE, CACHE_LIMIT
from scenthound.live.job import KIND
from scenthound.live.options import CrawlOptions
from scenthound.settings import (
    BESIDE_OPTIONS,
    CRAWL,
    INLINKS,
    WEIGHTS,
    WORDNET,
    CrawlValue,
    Given,
    option_values,
    read_settings,
)
from scenthound.store.folder import CrawlFolder
from scenthound.strategies.installed import STRATEGIES


@with_crawl_options(*OPTIONS)
def crawl(
    *,
    topic: TopicFile = None,
    keywords: Keywords = None,
    seed: SeedUrls = None,
    seeds: SeedsFile = None,
    name: TopicName = None,
    language: Language = None,
    out: OutFolder,
    given: Mapping[str, Given],
    redis: CreateOn = None,
    shared_name: SharedName = None,
    workers: WorkerCount = None,
    max_waiting: MaxWaiting = None,
    partitions: PartitionCount = None,
    strategy: StrategyName = DEFAULT_STRATEGY,
    labels: LabelsFile = None,
    config: ConfigFile = None,
    assignments: Assignments = None,
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:
    """Crawl the live web for a topic, politely, into a folder.

    Ctrl-C stops it cleanly; 'scenthound resume DIR' goes on. TIME is in seconds, or as in 100ms,
    90s, 15m, 2h, 1d. With --redis it is for many workers: see --help-all.
    """
    shares = SharedOptions(redis, shared_name, workers, max_waiting, partitions)
    (recipe,) = named_strategies([strategy])
    settings = read_settings(config, assignments or [], [strategy], STRATEGIES, CRAWL)
    values = {**settings.crawl, **option_values(given)}
    options = crawl_options(values)
    warn = _silent if quiet else say_warning
    asked = AskedTopic(topic, keywords, seed or (), seeds, name, language).topic(warn)
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    _refuse_taken(out)
    how: dict[str, Any] = {
        "options": options,
        "labels": labels,
        "parameters": settings.for_strategy(recipe),
        **{key: _text(values, key) for key in (WORDNET, WEIGHTS, INLINKS, CACHE, CACHE_LIMIT)},
    }
    if shares.redis is not None:
        crawl_together(asked, recipe, out, shares, how, json_file, quiet, log_level, warn)
        return
    work = partial(api.crawl, asked, out, recipe, **how)
    heading = Heading(asked.name, strategy, str(out), options.max_pages, options.max_time)
    run = run_watched(work, heading, quiet, log_level)
    show_end(run, out, options, json_file, quiet)


def crawl_options(values: Mapping[str, CrawlValue]) -> CrawlOptions:
    """The options that values of ``[crawl]`` mean."""
    fields = {key: value for key, value in values.items() if key not in BESIDE_OPTIONS}
    return CrawlOptions(**fields)  # type: ignore[arg-type]


def _text(values: Mapping[str, CrawlValue], key: str) -> str | None:
    value = values.get(key)
    return None if value is None else str(value)


def _silent(warning: str) -> None:
    """With --quiet nothing is told but errors."""


def _refuse_taken(out: Path) -> None:
    """A folder with a crawl is never overwritten; told before anything else is done."""
    folder = CrawlFolder(out)
    try:
        taken = folder.order_path.exists()
    except OSError as error:
        raise FolderError(f"--out {out} cannot be used: {error.strerror}.") from None
    if taken:
        other = "choose another --out folder"
        if _is_live(folder):
            other = f"go on with it: {command('resume', out)}, or {other}"
        raise FolderError(f"{out} holds a crawl already; {other}.")


def _is_live(folder: CrawlFolder) -> bool:
    """Is it a live crawl, which can go on? A replay cannot, nor what cannot be read."""
    try:
        return folder.order().get("kind") == KIND
    except FolderError:
        return False
