"""``scenthound bench-web``: an open benchmark, run, served, or scored for another crawler."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from scenthound import __version__, api
from scenthound.cli.bench_web_options import (
    CacheFolder,
    JsonFile,
    OutFolder,
    Port,
    Quick,
    Quiet,
    ScoreFile,
    Serve,
    StrategyNames,
    TopicName,
    WebNumber,
    WithLabels,
    Workers,
)
from scenthound.cli.bench_web_serve import serve_bench
from scenthound.cli.bench_web_view import print_card, print_errors
from scenthound.cli.compare_ending import end_failed, tell_going_on
from scenthound.cli.compare_progress import CompareBars
from scenthound.cli.demo_serve import DEFAULT_PORT
from scenthound.cli.progress import bars
from scenthound.cli.results import check_writable
from scenthound.cli.screen import notices, output, say_warning
from scenthound.cli.strategy_names import named_strategies
from scenthound.comparison.bench_web import CARD
from scenthound.comparison.contenders import contender
from scenthound.comparison.score_card import ScoreCard
from scenthound.comparison.score_card_json import card_to_json
from scenthound.core.errors import SettingsError
from scenthound.store.atomic import write_json

STDOUT = Path("-")


def bench_web(
    strategy: StrategyNames = None,
    quick: Quick = False,
    out: OutFolder = None,
    json_file: JsonFile = None,
    workers: Workers = None,
    cache: CacheFolder = None,
    serve: Serve = False,
    score: ScoreFile = None,
    topic: TopicName = None,
    web: WebNumber = None,
    port: Port = None,
    with_labels: WithLabels = False,
    quiet: Quiet = False,
) -> None:
    """Run strategies on a small open benchmark of generated webs, and print their score card.

    For a crawler that is not ours: --serve it, crawl it through the proxy, then --score the URLs
    in the order they were fetched.
    """
    _refuse_idle(
        serve, score is not None, strategy=strategy, quick=quick, json_file=json_file,
        workers=workers, cache=cache, topic=topic, web=web, port=port, with_labels=with_labels,
        out=out,
    )  # fmt: skip
    number = api.FIRST_WEB if web is None else web
    if serve:
        serve_bench(number, out, DEFAULT_PORT if port is None else port, with_labels, output())
        return
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    again = _again(out, strategy or (), quick, json=json_file, workers=workers, cache=cache)
    with _telling(again), bars(notices(), quiet) as progress:
        watch = CompareBars(progress, quiet)
        if score is not None:
            assert topic is not None  # it was refused without
            card = api.score_urls(
                score, topic, web=number, name=score.name, workers=workers, cache=cache,
                watch=watch, warn=say_warning,
            )  # fmt: skip
        else:
            named_strategies([contender(text).name for text in strategy or ()])
            card = api.bench_web(
                strategy or (), quick=quick, out=out, workers=workers, cache=cache, watch=watch,
                warn=say_warning,
            )  # fmt: skip
    _write(card_to_json(card, __version__), json_file, out)
    _show(card, quiet or json_file == STDOUT, again)


def _show(card: ScoreCard, quiet: bool, again: str) -> None:
    """Print the card, or nothing but why runs failed; ToldExit where some did."""
    if not quiet:
        print_card(card, output())
    else:
        print_errors(card, notices())
    if failed := sum(line.failed for line in card.lines):
        end_failed(failed, again)


def _write(content: dict[str, object], json_file: Path | None, out: Path | None) -> None:
    """The card in the folder, and where else it is asked for."""
    if out is not None:
        write_json(out / CARD, content)
    if json_file == STDOUT:
        typer.echo(json.dumps(content, ensure_ascii=False))
    elif json_file is not None:
        try:
            write_json(json_file, content)
        except OSError as error:
            told = f"--json {json_file} cannot be written: {error.strerror}."
            raise SettingsError(told) from None


@contextmanager
def _telling(again: str) -> Iterator[None]:
    """Whoever breaks it off is told how to go on, where something is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if again:
            tell_going_on(again)
        raise


def _again(out: Path | None, strategies: Sequence[str], quick: bool, **more: object) -> str:
    """The command that goes on with a benchmark; "" where nothing of it is kept."""
    if out is None:
        return ""
    options = [f"--strategy={each}" for each in strategies] + ["--quick"] * quick
    options += [f"--{name}={value}" for name, value in more.items() if value is not None]
    return shlex.join(["scenthound", "bench-web", *options, f"--out={out}"])


_OF_SERVING = {"port", "with_labels", "web", "out"}
_OF_SCORING = {"topic", "web", "json_file", "workers", "cache"}
_OF_RUNNING = {"strategy", "quick", "json_file", "workers", "cache", "out"}


def _refuse_idle(serve: bool, score: bool, **given: object) -> None:
    """SettingsError for an option that would not be heeded, and for --score without a topic."""
    if serve and score:
        raise SettingsError("--serve and --score are two things; give one of them.")
    if score and given["topic"] is None:
        raise SettingsError("--score needs the --topic that was looked for; give its name.")
    mode = "with --serve" if serve else "with --score" if score else "without --serve or --score"
    heeded = _OF_SERVING if serve else _OF_SCORING if score else _OF_RUNNING
    for key, value in given.items():
        if value not in (None, False) and key not in heeded:
            option = "--" + {"json_file": "json"}.get(key, key).replace("_", "-")
            raise SettingsError(f"{option} would not be heeded {mode}; leave it out.")
