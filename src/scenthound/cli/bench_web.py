"""``scenthound bench-web``: an open benchmark, run, served, or scored for another crawler.

One command with three modes, chosen by ``--serve`` and ``--score``. The sets ``_OF_...`` say which
options each mode uses; any other is an error, as an option without effect would mislead. The
benchmark itself is in ``evaluation.score_card`` and ``evaluation.bench_web``.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from scenthound import __version__
from scenthound.cli import screen as ui
from scenthound.cli.compare import CompareBars, exit_failed, print_rerun
from scenthound.cli.demo import DEFAULT_PORT, listening, wait_for_signal
from scenthound.cli.options import NO_PROGRESS, WORKER_COUNT, option, switch
from scenthound.cli.results import write_figures
from scenthound.core.errors import SettingsError
from scenthound.evaluation import bench_web as bench
from scenthound.evaluation import score_card
from scenthound.evaluation.statistics import BETTER, NO_DIFFERENCE, WORSE
from scenthound.sample.web import SampleWeb
from scenthound.storage.files import STDOUT, check_target, write_json

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
_FIRST = score_card.FIRST_WEB
_WEBS = ", ".join(map(str, bench.FINGERPRINTS))
_COLUMNS = ("harvest", "interval", "recall", "area", "hosts", "speed")
_OF_SERVING = {"port", "with_labels", "web", "out"}
_OF_SCORING = {"topic", "web", "json_file", "workers", "cache"}
_OF_RUNNING = {"strategy", "quick", "json_file", "workers", "cache", "out"}


def bench_web(
    strategy: list[str] | None = option(
        "NAME",
        'Strategy, "NAME key=value" too; may be repeated. [default: references]',
        "--strategy -s",
    ),
    quick: bool = switch("--quick", "One web and three topics: takes seconds."),
    out: Path | None = option(
        "DIR", "Keep webs, runs and card here; with --serve topics and seeds.", "--out -o"
    ),
    json_file: Path | None = option(
        "FILE", "Write the score card as JSON (- for stdout).", "--json"
    ),
    workers: int | None = WORKER_COUNT,
    cache: str | None = option("DIR", "Cache folder, or none. [default: ~/.cache/scenthound]"),
    serve: bool = switch("--serve", "Serve one of its webs on this machine, for any crawler."),
    score: Path | None = option(
        "FILE", "Score the URLs of another crawler, in order: text or JSON lines."
    ),
    topic: str | None = option("NAME", "Topic of the crawl that --score scores.", "--topic -t"),
    web: int | None = option("N", f"Web to serve or score: {_WEBS}. [default: {_FIRST}]"),
    port: int | None = option(
        "N", f"Port for --serve. [default: {DEFAULT_PORT}]", min=1, max=65535
    ),
    with_labels: bool = switch("--with-labels", "With --serve: write the labels too."),
    quiet: bool = NO_PROGRESS,
) -> None:
    """Run strategies on a small open benchmark of generated webs, and print their score card.

    For another crawler: --serve it, crawl it through the proxy, then --score the URLs in the
    order they were fetched.
    """
    _reject_unused(
        serve, score is not None, strategy=strategy, quick=quick, json_file=json_file,
        workers=workers, cache=cache, topic=topic, web=web, port=port, with_labels=with_labels,
        out=out,
    )  # fmt: skip
    number = _FIRST if web is None else web
    if serve:
        serve_bench(number, out, DEFAULT_PORT if port is None else port, with_labels, ui.output())
        return
    check_target(json_file, "--json")
    again = _rerun_command(out, strategy or (), quick, json=json_file, workers=workers, cache=cache)
    try:
        with ui.bars(ui.notices(), quiet) as progress:
            watch = CompareBars(progress, quiet)
            if score is not None:
                assert topic is not None  # _reject_unused has checked it
                card = score_card.score_urls(
                    score, topic, web=number, name=score.name, workers=workers, cache=cache,
                    watch=watch,
                )  # fmt: skip
            else:
                card = score_card.bench_web(
                    strategy or (), quick=quick, out=out, workers=workers, cache=cache,
                    watch=watch,
                )  # fmt: skip
    except KeyboardInterrupt:
        if again:
            print_rerun(again)
        raise
    content = score_card.card_to_json(card, __version__)
    if out is not None:
        write_json(out / bench.CARD, content)
    write_figures(content, json_file)
    if quiet or json_file == STDOUT:
        print_errors(card, ui.notices())
    else:
        print_card(card, ui.output())
    if failed := sum(line.failed for line in card.lines):
        exit_failed(failed, again)


def _rerun_command(out: Path | None, strategies: Sequence[str], quick: bool, **more: object) -> str:
    """The command that goes on with a benchmark; "" where nothing of it is kept."""
    if out is None:
        return ""
    options = [f"--strategy={each}" for each in strategies] + ["--quick"] * quick
    options += [f"--{name}={value}" for name, value in more.items() if value is not None]
    return shlex.join(["scenthound", "bench-web", *options, f"--out={out}"])


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
            name = "--" + {"json_file": "json"}.get(key, key).replace("_", "-")
            raise SettingsError(f"{name} would not be used {mode}; leave it out.")


# ``scenthound bench-web --serve``: a web of the benchmark on this machine, for any crawler.


def serve_bench(
    number: int, out: Path | None, port: int, with_labels: bool, screen: Console
) -> None:
    """Serve a web of the benchmark as a proxy on loopback until Ctrl-C.

    ``out`` gets the topic files and seeds, and ``with_labels`` the labels too.
    """
    if with_labels and out is None:
        raise SettingsError("--with-labels needs --out, where the labels go; give a folder.")
    web = bench.one_web(number)
    with listening(web, port) as server:
        if out is not None:
            bench.write_for_others(web, out, with_labels)
        _print_instructions(web, out, server.proxy, screen)
        wait_for_signal(screen)


def _print_instructions(web: SampleWeb, out: Path | None, proxy: str, screen: Console) -> None:
    lines = [
        f"{bench.NAME}, web {web.seed} (fingerprint {bench.fingerprint(web)}), is served by the "
        f"proxy {proxy}.",
        "Crawl it with any crawler through that proxy (http_proxy), and write down the URLs in the "
        "order of fetching. Fetches that count, by topic: "
        + ", ".join(f"{each.name} {bench.budget_of(web, each.name)}" for each in web.topics)
        + ".",
    ]
    if out is not None:
        lines.append(f"Topics are in {out / bench.TOPICS}, their seeds in {out / bench.SEEDS}.")
    topic = shlex.quote(web.topics[0].name)
    lines.append(f"Then: scenthound bench-web --score FILE --web {web.seed} --topic {topic}")
    for line in lines:
        ui.say(line, screen)


# How a score card is shown.


def print_card(card: score_card.ScoreCard, screen: Console) -> None:
    """The card: the webs and topics, all figures, topic by topic, and the verdicts in words."""
    part = "" if card.whole else ", a part of it"
    size = f"{ui.counted(len(card.webs), 'web')}, {ui.counted(len(card.topics), 'topic')}"
    ui.say(f"{card.benchmark}{part}: {size}, budget {bench.BUDGET}", screen, "bold")
    webs = ", ".join(f"web {seed} (fingerprint {found})" for seed, found in card.webs.items())
    ui.say(webs if card.known else f"{webs}: OTHER WEBS than those of this version", screen)
    rows = [(each.strategy, _cells(each)) for each in card.lines]
    ui.print_figures("", "strategy", _COLUMNS, rows, screen)
    if len(card.topics) > 1:
        screen.print()
        rows = [
            (topic, [ui.figure(line.harvests.get(topic)) for line in card.lines])
            for topic in card.topics
        ]
        names = [line.strategy for line in card.lines]
        ui.print_figures("Harvest by topic, mean of the webs", "topic", names, rows, screen)
    screen.print()
    for each in card.against:
        ui.say(_verdict(each, card), screen)
    for line in card.lines:
        if line.way is not None:
            reached = f"{line.way:.0%} of the way from breadth-first to the {bench.ORACLE}"
            ui.say(f"{line.strategy}: {reached}", screen)
    print_errors(card, screen)
    screen.print(_LEGEND, style="dim")
    screen.print(_CAVEAT, style="dim")


def _cells(line: score_card.ScoreCardLine) -> list[str]:
    if line.harvest is None:
        return ["-"] * len(_COLUMNS)
    span = line.harvest.interval
    interval = "-" if span is None else ui.interval(span.low, span.high)
    speed = "-" if line.speed is None else f"{line.speed:.1f} x"
    return [
        ui.figure(line.harvest.value), interval, ui.figure(line.recall), ui.figure(line.area),
        ui.figure(line.hosts, 0), speed,
    ]  # fmt: skip


def _verdict(each: score_card.ReferenceDifference, card: score_card.ScoreCard) -> str:
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


def print_errors(card: score_card.ScoreCard, screen: Console) -> None:
    """How many runs of a strategy failed, and each reason once; nothing where none did."""
    for line in card.lines:
        if line.failed:
            ui.say(f"{line.strategy}: {line.failed} of {line.runs} runs failed", screen)
    for error in card.errors:
        ui.say(f"  {error}", screen)
