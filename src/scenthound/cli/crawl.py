"""``scenthound crawl``: crawl the live web for one topic, into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from scenthound import api
from scenthound.api import DEFAULT_STRATEGY
from scenthound.api.advice import command
from scenthound.cli.crawl_options import (
    AllowPrivate,
    Assignments,
    Concurrency,
    ConfigFile,
    Contact,
    Delay,
    HarvestWindow,
    HostShare,
    JsonFile,
    LabelsFile,
    LogLevel,
    MaxPages,
    MaxTime,
    MinHarvest,
    OutFolder,
    PagesPerHost,
    PerHost,
    Proxy,
    Quiet,
    Seed,
    StrategyName,
    Threshold,
    Timeout,
    TopicFile,
    WordNetFolder,
)
from scenthound.cli.ending import STDOUT, show_end
from scenthound.cli.live_run import run_watched
from scenthound.cli.live_state import Heading
from scenthound.cli.results import check_writable
from scenthound.core.errors import FolderError
from scenthound.live.job import KIND
from scenthound.live.options import CrawlOptions
from scenthound.settings import CRAWL, WORDNET, option_values, read_settings
from scenthound.store.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Value
from scenthound.topics.file import read_topic


def crawl(
    topic: TopicFile,
    out: OutFolder,
    strategy: StrategyName = DEFAULT_STRATEGY,
    max_pages: MaxPages = None,
    max_time: MaxTime = None,
    delay: Delay = None,
    concurrency: Concurrency = None,
    per_host: PerHost = None,
    pages_per_host: PagesPerHost = None,
    host_share: HostShare = None,
    proxy: Proxy = None,
    allow_private: AllowPrivate = None,
    contact: Contact = None,
    timeout: Timeout = None,
    min_harvest: MinHarvest = None,
    harvest_window: HarvestWindow = None,
    threshold: Threshold = None,
    labels: LabelsFile = None,
    wordnet: WordNetFolder = None,
    seed: Seed = None,
    config: ConfigFile = None,
    assignments: Assignments = None,
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:
    """Crawl the live web for a topic, politely, into a folder.

    Ctrl-C stops it cleanly; 'scenthound resume DIR' goes on. TIME is in seconds, or as in 100ms,
    90s, 15m, 2h, 1d.
    """
    settings = read_settings(config, assignments or [], [strategy], CATALOGUE, CRAWL)
    given = option_values({
        "max_pages": max_pages, "max_time": max_time, "delay": delay, "concurrency": concurrency,
        "per_host": per_host, "pages_per_host": pages_per_host, "host_share": host_share,
        "proxy": proxy, "allow_private": allow_private, "contact": contact, "timeout": timeout,
        "min_harvest": min_harvest, "harvest_window": harvest_window, "threshold": threshold,
        "seed": seed, WORDNET: wordnet,
    })  # fmt: skip
    values = {**settings.crawl, **given}
    options, lexicon = _options(values), values.get(WORDNET)
    asked = read_topic(topic.resolve())  # the day it is resumed may be in another folder
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    _refuse_taken(out)
    work = partial(
        api.crawl, asked, out, CATALOGUE[strategy], options=options, labels=labels,
        parameters=settings.for_strategy(CATALOGUE[strategy]),
        wordnet=None if lexicon is None else str(lexicon),
    )  # fmt: skip
    heading = Heading(asked.name, strategy, str(out), options.max_pages, options.max_time)
    run = run_watched(work, heading, quiet, log_level)
    show_end(run, out, options, json_file, quiet)


def _options(values: Mapping[str, Value]) -> CrawlOptions:
    fields = {key: value for key, value in values.items() if key != WORDNET}
    return CrawlOptions(**fields)  # type: ignore[arg-type]


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
