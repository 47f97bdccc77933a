"""``scenthound scope-test``: what would become of a URL, and by which rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.crawl import crawl_options
from scenthound.cli.options import (
    BOUNDS,
    STDIN,
    Assignments,
    ConfigFile,
    Keywords,
    SeedsFile,
    SeedUrls,
    TopicFile,
    TopicOptions,
    with_options,
)
from scenthound.cli.screen import output, plain, print_warning
from scenthound.cli.settings import CRAWL, OptionValue, option_values, read_settings
from scenthound.core.errors import SettingsError
from scenthound.crawler import control, scope
from scenthound.crawler.scope import Verdict, scope_advice
from scenthound.similarity.topic_file import is_url, text_of
from scenthound.strategies.catalogue import STRATEGIES

"""As in a seeds file: a ``#`` inside a URL starts a fragment."""


@with_options(*BOUNDS, "allow_private")
def scope_test(
    *,
    names: Annotated[
        list[str],
        typer.Argument(metavar="[DIR] URL", show_default=False,
                       help="Crawl folder, unless a topic is given; URLs (- for stdin, one a "
                       "line)."),
    ],
    topic: TopicFile = None,
    keywords: Keywords = None,
    seed: SeedUrls = None,
    seeds: SeedsFile = None,
    config: ConfigFile = None,
    assignments: Assignments = None,
    given: Mapping[str, OptionValue],
    depth: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Links from a seed to the URLs. [default: 1]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
) -> None:  # fmt: skip
    """Say what a crawl would do with links to URLs, and by which rule.

    Of the crawl in DIR, or of one that has not begun, by its topic and options. Nothing is
    fetched: what a site's robots.txt says is not known here.
    """
    asked_topic = TopicOptions(topic, keywords, seed or (), seeds)
    if asked_topic != TopicOptions():
        settings = read_settings(config, assignments or [], [], STRATEGIES, CRAWL)
        options = crawl_options({**settings.of(CRAWL), **option_values(given)})
        urls = _urls(names, seeds == STDIN)
        asked = asked_topic.topic()
        verdicts = scope.try_scope(asked, options, urls, depth=depth)
        for advice in scope_advice(asked, options):
            print_warning(advice)
    else:
        _reject_unused({**given, "config": config, "set": assignments})
        verdicts = control.scope_test(_folder(names[0]), _urls(names[1:]), depth=depth)
    _show(verdicts, as_json)


def _folder(name: str) -> Path:
    if is_url(name):
        raise SettingsError(
            f"{name} is a URL: give the folder of a crawl first, or --topic T.toml, or --keywords "
            "and --seed."
        )
    return Path(name)


def _reject_unused(given: Mapping[str, object]) -> None:
    """A crawl has its scope already: what is given beside it must not seem to have counted."""
    for key, value in given.items():
        if value is not None:
            raise SettingsError(
                f"--{key.replace('_', '-')} would not be used, as a crawl folder has its own "
                "scope; give --topic T.toml instead of a folder, or drop it."
            )


def _urls(given: Sequence[str], stdin_is_taken: bool = False) -> list[str]:
    if stdin_is_taken and str(STDIN) in given:
        raise SettingsError("--seeds - reads stdin, so URLs cannot come from there; give a file.")
    urls = [url for each in given for url in (_lines(sys.stdin) if each == str(STDIN) else [each])]
    if not urls:
        raise SettingsError("there is no URL to test; give some after the folder, or - for stdin.")
    return urls


def _lines(lines: Iterable[str]) -> list[str]:
    """The URLs of a seeds file; what is none gets a verdict, too."""
    return list(filter(None, map(text_of, lines)))


def _show(verdicts: Sequence[Verdict], as_json: bool) -> None:
    for verdict in verdicts:
        if as_json:
            typer.echo(json.dumps(verdict.to_json(), ensure_ascii=True))
        else:
            output().print(plain(verdict_line(verdict)), soft_wrap=True)


def verdict_line(verdict: Verdict) -> str:
    """A line: what becomes of the URL, the URL, and why."""
    why = ", ".join(filter(None, (verdict.reason, verdict.rule)))
    queued = verdict.queued
    changed = queued is not None and queued != verdict.url and verdict.follow
    parts = [f"{'follow' if verdict.follow else 'drop  '}  {verdict.url}"]
    if changed:
        parts.append(f"as {queued}")
    return "  ".join([*parts, *([f"({why})"] if why else [])])
