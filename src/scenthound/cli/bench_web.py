"""``scenthound bench-web``: an open benchmark, run, served, or scored for another crawler."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound import __version__
from scenthound.cli.compare import CompareBars, exit_failed, print_rerun
from scenthound.cli.demo import DEFAULT_PORT, listening, wait_for_signal
from scenthound.cli.options import named_strategies
from scenthound.cli.results import STDOUT, check_writable
from scenthound.cli.screen import bars, figure, notices, output, plain, print_figures
from scenthound.core.errors import SettingsError
from scenthound.evaluation import benchmark
from scenthound.evaluation.bench_web import (
    BUDGET,
    CARD,
    FINGERPRINTS,
    NAME,
    ORACLE,
    SEEDS,
    TOPICS,
    budget_of,
    fingerprint,
    one_web,
    write_for_others,
)
from scenthound.evaluation.benchmark import FIRST_WEB
from scenthound.evaluation.contenders import contender
from scenthound.evaluation.score_card import (
    ReferenceDifference,
    ScoreCard,
    ScoreCardLine,
    card_to_json,
)
from scenthound.evaluation.statistics import BETTER, NO_DIFFERENCE, WORSE
from scenthound.sample.web import SampleWeb
from scenthound.storage.files import write_json

# fmt: off
StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME",
                 help='Strategy, or "NAME key=value"; may be repeated. [default: the references]'),
]

Quick = Annotated[bool, typer.Option("--quick", help="One web and three topics: seconds.")]

OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Keep webs, runs and card there; with --serve "
                 "the topic files and seeds."),
]

JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the card (- for stdout)."),
]

Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Processes at once. [default: one for each core]"),
]

CacheFolder = Annotated[
    str | None, typer.Option("--cache", metavar="DIR", help="Keep pages, terms and vectors there, "
                             "or none. [default: ~/.cache/scenthound]"),
]

Serve = Annotated[
    bool, typer.Option("--serve", help="Serve a web of it on this machine, for any crawler."),
]

ScoreFile = Annotated[
    Path | None,
    typer.Option("--score", metavar="FILE", help="Score another crawler: URLs in the order of "
                 'fetching, one a line, or JSON lines with "url".'),
]

TopicName = Annotated[
    str | None,
    typer.Option("--topic", "-t", metavar="NAME", help="The topic that --score is about."),
]

WebNumber = Annotated[
    int | None,
    typer.Option("--web", metavar="N", help="The web to serve or score: "
                 f"{', '.join(map(str, FINGERPRINTS))}. [default: {FIRST_WEB}]"),
]

Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=65535,
                 help=f"Port for --serve. [default: {DEFAULT_PORT}]"),
]

WithLabels = Annotated[
    bool, typer.Option("--with-labels", help="Write the labels too, with --serve."),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables.")]

# fmt: on


# ``scenthound bench-web --serve``: a web of the benchmark on this machine, for any crawler.


def serve_bench(
    number: int, out: Path | None, port: int, with_labels: bool, screen: Console
) -> None:
    """Serve a web of the benchmark as a proxy on loopback until Ctrl-C.

    Parameters
    ----------
    number : of the web.
    out : gets what a crawler may know beforehand; None for nothing.
    port : to listen at; SettingsError where it is taken.
    with_labels : write the labels too.
    screen : where it is said how to crawl it.
    """
    if with_labels and out is None:
        raise SettingsError("--with-labels needs --out, where the labels go; give a folder.")
    web = one_web(number)
    with listening(web, port) as server:
        if out is not None:
            write_for_others(web, out, with_labels)
        _print_instructions(web, out, server.proxy, screen)
        try:
            wait_for_signal()
        except KeyboardInterrupt:
            screen.print("The web is no longer served.")


def _print_instructions(web: SampleWeb, out: Path | None, proxy: str, screen: Console) -> None:
    lines = [
        f"{NAME}, web {web.seed} (fingerprint {fingerprint(web)}), is served by the proxy {proxy}.",
        "Crawl it with any crawler through that proxy (http_proxy), and write down the URLs in the "
        "order of fetching. Fetches that count, by topic: "
        + ", ".join(f"{each.name} {budget_of(web, each.name)}" for each in web.topics)
        + ".",
    ]
    if out is not None:
        lines.append(f"Topics are in {out / TOPICS}, their seeds in {out / SEEDS}.")
    topic = shlex.quote(web.topics[0].name)
    lines.append(f"Then: scenthound bench-web --score FILE --web {web.seed} --topic {topic}")
    lines.append("Ctrl-C ends it.")
    for line in lines:
        screen.print(plain(line), soft_wrap=True)


# How a score card is shown.


_LEGEND = (
    "harvest: pages about the topic / fetches of the budget, with 95 % interval over topics; "
    "recall: of all such pages; area: the mean of the recall after each fetch; speed: fetches in a "
    "second against breadth-first, roughly, as runs share what they read and the first reads most. "
    "The oracle follows links to labelled pages first and sees one link ahead."
)

_CAVEAT = (
    "The webs are small and invented: good for finding out whether something works, no proof for "
    "the real web."
)

_VERDICTS = {BETTER: "better than", WORSE: "worse than", NO_DIFFERENCE: "no difference from"}


def print_card(card: ScoreCard, screen: Console) -> None:
    """The card: what was run, all figures, topic by topic, and what they say in words."""
    screen.print(plain(_heading(card)), style="bold", soft_wrap=True)
    screen.print(plain(_webs(card)), soft_wrap=True)
    print_figures("", "strategy", _COLUMNS, [(each.strategy, _cells(each)) for each in card.lines],
                  screen)  # fmt: skip
    if len(card.topics) > 1:
        screen.print()
        _print_topics(card, screen)
    screen.print()
    for each in card.against:
        screen.print(plain(_verdict(each, card)), soft_wrap=True)
    for name, way in card.way.items():
        screen.print(plain(_gap_text(name, way)), soft_wrap=True)
    print_errors(card, screen)
    screen.print(_LEGEND, style="dim")
    screen.print(_CAVEAT, style="dim")


_COLUMNS = ("harvest", "interval", "recall", "area", "hosts", "speed")


def _heading(card: ScoreCard) -> str:
    part = "" if card.whole else ", a part of it"
    webs = f"{len(card.webs)} web{'' if len(card.webs) == 1 else 's'}"
    topics = f"{len(card.topics)} topic{'' if len(card.topics) == 1 else 's'}"
    return f"{card.benchmark}{part}: {webs}, {topics}, budget {BUDGET}"


def _webs(card: ScoreCard) -> str:
    """The webs with their fingerprints, as ``--serve`` tells them."""
    described = ", ".join(f"web {seed} (fingerprint {found})" for seed, found in card.webs.items())
    return described if card.known else f"{described}: OTHER WEBS than those of this version"


def _cells(line: ScoreCardLine) -> list[str]:
    if line.harvest is None:
        return ["-"] * len(_COLUMNS)
    span = line.harvest.interval
    interval = "-" if span is None else f"{span.low:.3f} to {span.high:.3f}"
    speed = "-" if line.speed is None else f"{line.speed:.1f} x"
    return [
        figure(line.harvest.value), interval, figure(line.recall), figure(line.area),
        figure(line.hosts, 0), speed,
    ]  # fmt: skip


def _print_topics(card: ScoreCard, screen: Console) -> None:
    rows = [
        (topic, [figure(line.harvests.get(topic)) for line in card.lines]) for topic in card.topics
    ]
    names = [line.strategy for line in card.lines]
    print_figures("Harvest by topic, mean of the webs", "topic", names, rows, screen)


def _verdict(each: ReferenceDifference, card: ScoreCard) -> str:
    found = each.difference
    span, record = found.mean.interval, found.record
    words = _VERDICTS.get(found.verdict)
    described = (
        f"{words} {each.reference}" if words else f"against {each.reference}: {found.verdict}"
    )
    interval = "" if span is None else f" ({span.low:+.3f} to {span.high:+.3f})"
    counts = f"; topics won {record.wins}, tied {record.ties}, lost {record.losses}"
    topics = counts if len(card.topics) > 1 else ""
    return f"{each.strategy}: {described}, {found.mean.value:+.3f}{interval}{topics}"


def _gap_text(name: str, way: float) -> str:
    return f"{name}: {way:.0%} of the way from breadth-first to the {ORACLE}"


def print_errors(card: ScoreCard, screen: Console) -> None:
    """How many runs of a strategy failed, and each reason once; nothing where none did."""
    for line in card.lines:
        if line.failed:
            described = f"{line.strategy}: {line.failed} of {line.runs} runs failed"
            screen.print(plain(described), soft_wrap=True)
    for error in card.errors:
        screen.print(plain(f"  {error}"), soft_wrap=True)


# ``scenthound bench-web``: an open benchmark, run, served, or scored for another crawler.


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
    _reject_unused(
        serve, score is not None, strategy=strategy, quick=quick, json_file=json_file,
        workers=workers, cache=cache, topic=topic, web=web, port=port, with_labels=with_labels,
        out=out,
    )  # fmt: skip
    number = benchmark.FIRST_WEB if web is None else web
    if serve:
        serve_bench(number, out, DEFAULT_PORT if port is None else port, with_labels, output())
        return
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    again = _rerun_command(out, strategy or (), quick, json=json_file, workers=workers, cache=cache)
    with _report_interruption(again), bars(notices(), quiet) as progress:
        watch = CompareBars(progress, quiet)
        if score is not None:
            assert topic is not None  # it was refused without
            card = benchmark.score_urls(
                score, topic, web=number, name=score.name, workers=workers, cache=cache,
                watch=watch,
            )  # fmt: skip
        else:
            named_strategies([contender(text).name for text in strategy or ()])
            card = benchmark.bench_web(
                strategy or (), quick=quick, out=out, workers=workers, cache=cache, watch=watch,
            )  # fmt: skip
    _write(card_to_json(card, __version__), json_file, out)
    _show(card, quiet or json_file == STDOUT, again)


def _show(card: ScoreCard, quiet: bool, again: str) -> None:
    """Print the card, or nothing but why runs failed; CommandExit where some did."""
    if not quiet:
        print_card(card, output())
    else:
        print_errors(card, notices())
    if failed := sum(line.failed for line in card.lines):
        exit_failed(failed, again)


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
            described = f"--json {json_file} cannot be written: {error.strerror}."
            raise SettingsError(described) from None


@contextmanager
def _report_interruption(again: str) -> Iterator[None]:
    """Whoever breaks it off is reported how to go on, where something is kept."""
    try:
        yield
    except KeyboardInterrupt:
        if again:
            print_rerun(again)
        raise


def _rerun_command(out: Path | None, strategies: Sequence[str], quick: bool, **more: object) -> str:
    """The command that goes on with a benchmark; "" where nothing of it is kept."""
    if out is None:
        return ""
    options = [f"--strategy={each}" for each in strategies] + ["--quick"] * quick
    options += [f"--{name}={value}" for name, value in more.items() if value is not None]
    return shlex.join(["scenthound", "bench-web", *options, f"--out={out}"])


_OF_SERVING = {"port", "with_labels", "web", "out"}

_OF_SCORING = {"topic", "web", "json_file", "workers", "cache"}

_OF_RUNNING = {"strategy", "quick", "json_file", "workers", "cache", "out"}


def _reject_unused(serve: bool, score: bool, **given: object) -> None:
    """SettingsError for an option that would not be used, and for --score without a topic."""
    if serve and score:
        raise SettingsError("--serve and --score are two things; give one of them.")
    if score and given["topic"] is None:
        raise SettingsError("--score needs the --topic that was looked for; give its name.")
    mode = "with --serve" if serve else "with --score" if score else "without --serve or --score"
    used = _OF_SERVING if serve else _OF_SCORING if score else _OF_RUNNING
    for key, value in given.items():
        if value not in (None, False) and key not in used:
            option = "--" + {"json_file": "json"}.get(key, key).replace("_", "-")
            raise SettingsError(f"{option} would not be used {mode}; leave it out.")
