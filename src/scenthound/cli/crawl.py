"""``scenthound crawl`` and ``scenthound scope-test``: crawl the live web for one topic, into a
folder, and find out beforehand which URLs it would fetch.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli import shared_crawl as shared
from scenthound.cli import topic_options as about
from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import Given, argument, option, switch, with_options
from scenthound.cli.results import show_end
from scenthound.cli.settings import CRAWL, read_settings
from scenthound.core.command_options import RunOptions
from scenthound.core.errors import FolderError, SettingsError
from scenthound.crawler import crawl as crawling
from scenthound.crawler import job, scope
from scenthound.crawler.argument_checks import command
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import Verdict, scope_advice
from scenthound.similarity.topic_file import is_url, text_of
from scenthound.storage.files import check_target
from scenthound.storage.folder import KIND, CrawlFolder
from scenthound.strategies.catalogue import STRATEGIES


@with_options(
    "max_pages", "max_time", *opt.BOUNDS, "delay", "concurrency", "contact", "pdf", "javascript",
    "weights", "per_host", "timeout", "proxy", "allow_private", "header", "cookie_file", "auth",
    "netrc", "pages_per_host", "host_share", "min_harvest", "harvest_window", "inlinks", "judge",
    "threshold", "wordnet", "cache", "cache_limit", "random_seed",
)  # fmt: skip
def crawl(
    *,
    topic: Path | None = opt.TOPIC_FILE,
    keywords: str | None = about.KEYWORDS,
    seed: list[str] | None = about.SEED_URLS,
    seeds: Path | None = about.SEEDS_FILE,
    name: str | None = about.TOPIC_NAME,
    language: str | None = about.LANGUAGE,
    out: Path = opt.OUT_FOLDER,
    given: Given,
    redis: str | None = shared.CREATE_ON,
    shared_name: str | None = shared.NEW_NAME,
    workers: int | None = shared.WORKER_COUNT,
    max_waiting: int | None = shared.MAX_WAITING,
    partitions: int | None = shared.PARTITION_COUNT,
    strategy: str = about.STRATEGY_NAME,
    labels: Path | None = opt.LABELS_FILE,
    config: Path | None = opt.CONFIG_FILE,
    assignments: list[str] | None = opt.ASSIGNMENTS,
    json_file: Path | None = opt.JSON_FILE,
    quiet: bool = opt.QUIET,
    log_level: str | None = opt.LOG_LEVEL,
) -> None:
    """Crawl the live web for a topic, politely, into a folder.

    Ctrl-C stops it cleanly; 'scenthound resume DIR' goes on. TIME is in seconds, or as in 100ms,
    90s, 15m, 2h, 1d. With --redis many workers share the crawl: see --help-all.
    """
    shares = shared.SharedOptions(redis, shared_name, workers, max_waiting, partitions)
    spec = STRATEGIES[strategy]
    settings = read_settings(config, assignments or [], [strategy], STRATEGIES, CRAWL)
    values = {**settings.of(CRAWL), **given}
    options = crawl_options(values)
    if quiet:
        ui.silence_warnings()
    asked = about.TopicOptions(topic, keywords, seed or (), seeds, name, language).topic()
    check_target(json_file, "--json")
    _reject_existing(out)
    how: dict[str, Any] = {
        "options": options,
        "labels": labels,
        "parameters": settings.for_strategy(spec),
        **{key: value for key, value in values.items() if key in RunOptions.model_fields},
    }
    if shares.redis is not None:
        shared.crawl_distributed(asked, spec, out, shares, how, json_file, quiet, log_level)
        return
    work = partial(crawling.crawl, asked, out, spec, **how)
    heading = Heading(asked.name, strategy, str(out), options.max_pages, options.max_time)
    run = run_watched(work, heading, quiet, log_level)
    show_end(run, out, options, json_file, quiet)


def crawl_options(values: Mapping[str, Any]) -> CrawlOptions:
    """The options among the values of ``[crawl]``."""
    return CrawlOptions(**{key: values[key] for key in CrawlOptions.model_fields if key in values})


def _reject_existing(out: Path) -> None:
    """A folder with a crawl is never overwritten; this is checked before anything else is done."""
    folder = CrawlFolder(out)
    try:
        if not folder.spec_path.exists():
            return
        is_live = folder.crawl_spec().get("kind") == KIND
    except OSError as error:
        raise FolderError(f"--out {out} cannot be used: {error.strerror}.") from None
    except FolderError:  # what cannot be read cannot be resumed, as a replay cannot
        is_live = False
    other = "choose another --out folder"
    if is_live:
        other = f"go on with it: {command('resume', out)}, or {other}"
    raise FolderError(f"{out} holds a crawl already; {other}.")


@with_options(*opt.BOUNDS, "allow_private")
def scope_test(
    *,
    names: list[str] = argument(
        "[DIR] URL", "Crawl folder, unless a topic is given; URLs (- for stdin)."
    ),
    topic: Path | None = opt.TOPIC_FILE,
    keywords: str | None = about.KEYWORDS,
    seed: list[str] | None = about.SEED_URLS,
    seeds: Path | None = about.SEEDS_FILE,
    config: Path | None = opt.CONFIG_FILE,
    assignments: list[str] | None = opt.ASSIGNMENTS,
    given: Given,
    depth: int | None = option("N", "Number of links from a seed to the URLs. [default: 1]", min=1),
    as_json: bool = switch("--json", "Print one JSON object per line."),
) -> None:
    """Say whether a crawl would follow links to these URLs, and by which rule.

    Of the crawl in DIR, or of one that has not begun, by its topic and options. Nothing is
    fetched, so robots.txt of the sites is not considered.
    """
    asked_topic = about.TopicOptions(topic, keywords, seed or (), seeds)
    if asked_topic != about.TopicOptions():
        settings = read_settings(config, assignments or [], [], STRATEGIES, CRAWL)
        options = crawl_options({**settings.of(CRAWL), **given})
        urls = _urls(names, seeds == ui.STDIN)
        asked = asked_topic.topic()
        verdicts = scope.try_scope(asked, options, urls, depth=depth)
        for advice in scope_advice(asked, options):
            ui.print_warning(advice)
    else:
        # A crawl has its scope already: options beside its folder would have no effect.
        for key, value in {**given, "config": config, "set": assignments}.items():
            if value is not None:
                raise SettingsError(
                    f"{opt.option_name(key)} would not be used, as a crawl folder has its own "
                    "scope; give --topic T.toml instead of a folder, or drop it."
                )
        if is_url(names[0]):
            raise SettingsError(
                f"{names[0]} is a URL: give the folder of a crawl first, or --topic T.toml, or "
                "--keywords and --seed."
            )
        verdicts = job.scope_test(Path(names[0]), _urls(names[1:]), depth=depth)
    for verdict in verdicts:
        if as_json:
            ui.print_json(verdict.to_json(), ensure_ascii=True)
        else:
            ui.say(verdict_line(verdict), ui.output())


def _urls(given: Sequence[str], stdin_is_taken: bool = False) -> list[str]:
    """The URLs, and for ``-`` those of a seeds file on stdin; text that is no URL stays."""
    if stdin_is_taken and str(ui.STDIN) in given:
        raise SettingsError("--seeds - reads stdin, so URLs cannot come from there; give a file.")
    urls: list[str] = []
    for each in given:
        urls += filter(None, map(text_of, sys.stdin)) if each == str(ui.STDIN) else [each]
    if not urls:
        raise SettingsError("there is no URL to test; give some after the folder, or - for stdin.")
    return urls


def verdict_line(verdict: Verdict) -> str:
    """``follow URL`` or ``drop URL``, and why."""
    why = ", ".join(filter(None, (verdict.reason, verdict.rule)))
    parts = [f"{'follow' if verdict.follow else 'drop  '}  {verdict.url}"]
    if verdict.follow and verdict.queued not in (None, verdict.url):
        parts.append(f"as {verdict.queued}")
    return "  ".join([*parts, *([f"({why})"] if why else [])])
