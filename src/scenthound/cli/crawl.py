"""``scenthound crawl``: crawl the live web for one topic, into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import (
    BOUNDS,
    Assignments,
    ConfigFile,
    JsonFile,
    Keywords,
    LabelsFile,
    Language,
    LogLevel,
    OutFolder,
    Quiet,
    SeedsFile,
    SeedUrls,
    StrategyName,
    TopicFile,
    TopicName,
    TopicOptions,
    named_strategies,
    with_options,
)
from scenthound.cli.results import STDOUT, check_writable, show_end
from scenthound.cli.screen import silence_warnings
from scenthound.cli.settings import CRAWL, OptionValue, option_values, read_settings
from scenthound.cli.shared_crawl import (
    CreateOn,
    MaxWaiting,
    PartitionCount,
    SharedName,
    SharedOptions,
    WorkerCount,
    crawl_distributed,
)
from scenthound.core.errors import FolderError
from scenthound.core.options import RunOptions
from scenthound.crawler import control
from scenthound.crawler.arguments import command
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.folder import KIND, CrawlFolder
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, STRATEGIES


@with_options(
    "max_pages", "max_time", *BOUNDS, "delay", "concurrency", "contact", "pdf", "javascript",
    "weights", "per_host", "timeout", "proxy", "allow_private", "header", "cookie_file", "auth",
    "netrc", "pages_per_host", "host_share", "min_harvest", "harvest_window", "inlinks", "judge",
    "threshold", "wordnet", "cache", "cache_limit", "random_seed",
)  # fmt: skip
def crawl(
    *,
    topic: TopicFile = None,
    keywords: Keywords = None,
    seed: SeedUrls = None,
    seeds: SeedsFile = None,
    name: TopicName = None,
    language: Language = None,
    out: OutFolder,
    given: Mapping[str, OptionValue],
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
    (spec,) = named_strategies([strategy])
    settings = read_settings(config, assignments or [], [strategy], STRATEGIES, CRAWL)
    values = {**settings.of(CRAWL), **option_values(given)}
    options = crawl_options(values)
    if quiet:
        silence_warnings()
    asked = TopicOptions(topic, keywords, seed or (), seeds, name, language).topic()
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    _reject_existing(out)
    how: dict[str, Any] = {
        "options": options,
        "labels": labels,
        "parameters": settings.for_strategy(spec),
        **{key: value for key, value in values.items() if key in RunOptions.model_fields},
    }
    if shares.redis is not None:
        crawl_distributed(asked, spec, out, shares, how, json_file, quiet, log_level)
        return
    work = partial(control.crawl, asked, out, spec, **how)
    heading = Heading(asked.name, strategy, str(out), options.max_pages, options.max_time)
    run = run_watched(work, heading, quiet, log_level)
    show_end(run, out, options, json_file, quiet)


def crawl_options(values: Mapping[str, Any]) -> CrawlOptions:
    """The options among the values of ``[crawl]``."""
    return CrawlOptions(**{key: values[key] for key in CrawlOptions.model_fields if key in values})


def _reject_existing(out: Path) -> None:
    """A folder with a crawl is never overwritten; reported before anything else is done."""
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
