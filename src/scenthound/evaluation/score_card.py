"""bench-web from Python: run strategies on it, or score the fetch order of any crawler; the score
card that both return. The benchmark itself is in ``bench_web``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from scenthound.core.errors import MalformedUrlError, SettingsError, warn_caller
from scenthound.core.urls import canonical
from scenthound.crawler.argument_checks import check_number, check_path
from scenthound.crawler.caches import cache_choice
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation import bench_web as webs
from scenthound.evaluation.grid import contender
from scenthound.evaluation.outcomes import LABELLED_HARVEST, Cell, Outcome, plain_json
from scenthound.evaluation.standings import Difference, Mean, Standing, compare_with
from scenthound.evaluation.statistics import TOO_FEW, TOO_FEW_DRAWS
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.sample.web import SampleWeb
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import check_required_path

FIRST_WEB = webs.QUICK_WEBS[0]


def bench_web(
    strategies: Sequence[str] = (),
    *,
    quick: bool = False,
    out: str | Path | None = None,
    workers: int | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watch: ComparisonProgress | None = None,
) -> ScoreCard:
    """Run strategies over bench-web, a small open benchmark of generated webs.

    Breadth-first, ``soft-sdvsm`` and the oracle are run beside them. It shows whether a
    strategy works; it proves nothing for the web that people write.

    Parameters
    ----------
    strategies : names, ours or of installed packages, with parameters behind them if wanted:
        ``"shark decay=0.3"``; none for the references alone.
    quick : one web and three topics only.
    out : folder for webs and runs; runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    cache, cache_limit : where pages, terms and vectors are cached between runs, and how many.
    watch : follows the runs.
    """
    if isinstance(strategies, str):
        raise SettingsError("strategies takes a list of names, not one text; write [...].")
    check_path("out", out)
    check_number("workers", workers, whole=True)
    choice = cache_choice(cache, cache_limit)
    contenders = [contender(text) for text in strategies]
    bench = webs.build_bench_web(quick)
    folder = None if out is None else Path(out)
    runs = webs.run_bench(bench, contenders, folder, workers, choice, watch)
    return score_card(bench, runs, list(dict.fromkeys(each.label for each in contenders)))


def score_urls(
    file: str | Path,
    topic: str,
    *,
    web: int = FIRST_WEB,
    name: str = "outside",
    workers: int | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watch: ComparisonProgress | None = None,
) -> ScoreCard:
    """Score another crawler by the URLs that it fetched on bench-web.

    Parameters
    ----------
    file : one URL per line in the order of fetching, or JSON lines with a ``url``. Redirects cost
        nothing, what was fetched before neither; a URL where there is nothing costs a fetch.
    topic : the topic that it looked for.
    web : the web that it crawled, by its number.
    name : its name on the card.
    workers : processes at once, for the references; by default one for each core.
    cache, cache_limit : as for :func:`bench_web`.
    watch : follows the runs of the references.
    """
    check_required_path("file", file)
    check_number("web", web, whole=True)
    if name in webs.REFERENCES:
        raise SettingsError(f"{name!r} is a reference of the card; give another name.")
    choice = cache_choice(cache, cache_limit)
    bench, (urls, unreadable) = webs.one_topic(web, topic), read_external_order(Path(file))
    (crawled,) = bench.webs
    _warn_foreign_urls(crawled, urls, file)
    fetched = webs.score_fetch_order(crawled, topic, urls)
    if unreadable:
        warn_caller(f"{file}: {unreadable:,} lines hold no URL and are left out")
    if fetched.beyond:
        warn_caller(
            f"{file}: {fetched.beyond:,} fetches beyond the budget of {fetched.budget} are cut"
        )
    own = webs.BenchRun(webs.web_name(crawled), topic, name, fetched)
    references = webs.run_bench(bench, (), None, workers, choice, watch)
    return score_card(bench, [*references, own], [name])


def _warn_foreign_urls(web: SampleWeb, urls: Sequence[str], file: str | Path) -> None:
    """Warn where half of the URLs or more are not in the web; SettingsError where all are."""
    asked = set(urls)
    found = len(asked & web.responses.keys())
    if not found:
        raise SettingsError(
            f"{file}: none of its {len(asked):,} addresses is in web {web.seed} of bench-web; give "
            "the URLs that were fetched through the proxy of --serve, and the --web that it served."
        )
    if 2 * found <= len(asked):
        warn_caller(
            f"{file}: only {found:,} of its {len(asked):,} addresses are in web {web.seed} of "
            "bench-web; was it another --web that was crawled?"
        )


def read_external_order(path: Path) -> tuple[tuple[str, ...], int]:
    """Read the URLs in a file, one per line or JSON lines with a ``url``, and count other lines.

    Empty lines and lines that start with # are skipped. SettingsError where the file cannot be
    read, or no line of it holds a URL.
    """
    try:
        with os_errors_as(SettingsError, f"--score {path}", "; give the file's path"):
            text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsError(f"--score {path} is not UTF-8 text; give a file of URLs.") from None
    urls: list[str] = []
    unreadable = 0
    for line in map(str.strip, text.split("\n")):
        if line and not line.startswith("#"):
            try:
                found = json.loads(line).get("url") if line.startswith("{") else line
                urls.append(canonical(found if isinstance(found, str) else ""))
            except (MalformedUrlError, ValueError, RecursionError):
                unreadable += 1
    if not urls:
        raise SettingsError(
            f"--score {path} holds no address; give one URL a line, in the order of fetching, "
            'or JSON lines with a "url".'
        )
    return tuple(urls), unreadable


# The score card.


@dataclass(frozen=True, slots=True)
class ScoreCardLine:
    """One strategy over all topics.

    ``harvest`` has an interval over the topics, each the mean of its webs. ``speed`` is fetches in
    a second against those of breadth-first in the same session, roughly: runs share what they
    read, and the first reads most. It is None where it was not measured. ``harvests`` are by
    topic. ``failed`` runs are in none of the means. ``way`` is how far a strategy gets from
    breadth-first to the oracle: 0 as the one, 1 as the other; more is possible, as the oracle looks
    one link ahead. The references have none.
    """

    strategy: str
    harvest: Mean | None
    recall: float
    area: float
    hosts: float
    speed: float | None
    harvests: dict[str, float]
    runs: int
    failed: int
    way: float | None


@dataclass(frozen=True, slots=True)
class ReferenceDifference:
    """A strategy against one of the references, by labelled harvest."""

    strategy: str
    reference: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The figures of some strategies on bench-web.

    ``webs`` are the fingerprints of the webs by their numbers: figures compare only with figures
    of the same topics in the same webs. ``lines`` has the references first. ``errors`` are the
    reasons why runs failed, each once.
    """

    benchmark: str
    whole: bool
    known: bool
    topics: tuple[str, ...]
    webs: dict[int, str]
    lines: tuple[ScoreCardLine, ...]
    against: tuple[ReferenceDifference, ...]
    errors: tuple[str, ...]


def score_card(
    bench: webs.BenchWeb, runs: Sequence[webs.BenchRun], asked: Sequence[str]
) -> ScoreCard:
    """Build the card of all runs; the strategies ``asked`` are compared with the references."""
    draws = {webs.web_name(web): number for number, web in enumerate(bench.webs)}
    outcomes = [_outcome(run, draws[run.web]) for run in runs]
    against = {name: _standings(outcomes, name) for name in webs.REFERENCES}
    means = {name: each.mean for name, each in against[webs.BREADTH_FIRST].items()}
    names = list(dict.fromkeys(run.strategy for run in runs))
    return ScoreCard(
        webs.NAME,
        bench.is_whole,
        bench.is_known,
        bench.topics,
        bench.fingerprints,
        tuple(_make_line(name, means, asked, bench.topics, runs) for name in names),
        tuple(
            ReferenceDifference(name, other, found)
            for name in asked
            for other in webs.REFERENCES
            if name != other and (found := against[other][name].difference) is not None
        ),
        tuple(dict.fromkeys(run.error for run in runs if run.error)),
    )


def _outcome(run: webs.BenchRun, draw: int) -> Outcome:
    """The run as a grid has it: webs are draws, as topics of one name are not independent."""
    found, figures = run.fetched, None
    if found is not None:  # labels alone: no judge was asked
        figures = Indicators(
            found.fetches, 0, 0.0, None, 0.0, 0.0, None,
            len(found.found_at), found.harvest, found.recall,
        )  # fmt: skip
    return Outcome(Cell(webs.NAME, run.topic, run.strategy, draw=draw), run.error, final=figures)


def _standings(outcomes: Sequence[Outcome], reference: str) -> dict[str, Standing]:
    """Every strategy by labelled harvest, with its difference to a reference."""
    found = compare_with(outcomes, reference, LABELLED_HARVEST.name).tables[0].standings
    return {
        # The draws are webs: where there are too few, it is topics that are lacking.
        each.strategy: replace(each, difference=replace(each.difference, verdict=TOO_FEW))
        if each.difference is not None and each.difference.verdict == TOO_FEW_DRAWS
        else each
        for each in found
    }


def _make_line(
    name: str, means: Mapping[str, Mean | None], asked: Sequence[str], topics: Sequence[str],
    runs: Sequence[webs.BenchRun],
) -> ScoreCardLine:  # fmt: skip
    own = [run for run in runs if run.strategy == name]
    fetched = [run.fetched for run in own if run.fetched is not None]
    ours, theirs = _rate(own), _rate([run for run in runs if run.strategy == webs.BREADTH_FIRST])
    harvests = {
        topic: [run.fetched.harvest for run in own if run.fetched and run.topic == topic]
        for topic in topics
    }
    return ScoreCardLine(
        name,
        means[name],
        fmean([each.recall for each in fetched] or [0.0]),
        fmean([each.area for each in fetched] or [0.0]),
        fmean([each.hosts for each in fetched] or [0.0]),
        ours / theirs if ours and theirs else None,
        {topic: fmean(values) for topic, values in harvests.items() if values},
        len(own),
        len(own) - len(fetched),
        _oracle_fraction(name, means) if name in asked else None,
    )


def _rate(runs: Sequence[webs.BenchRun]) -> float:
    """Fetches a second; 0 where no time was measured."""
    timed = [(run.fetched.fetches, run.seconds) for run in runs if run.fetched and run.seconds]
    seconds = sum(each for _, each in timed)
    return sum(fetches for fetches, _ in timed) / seconds if seconds else 0.0


def _oracle_fraction(name: str, means: Mapping[str, Mean | None]) -> float | None:
    own, low, high = (means.get(each) for each in (name, webs.BREADTH_FIRST, webs.ORACLE))
    if own is None or low is None or high is None or high.value <= low.value:
        return None
    return (own.value - low.value) / (high.value - low.value)


def card_to_json(card: ScoreCard, version: str) -> object:
    """The card as JSON; ``version`` is that of the program which made it."""
    return plain_json(
        {
            "benchmark": card.benchmark,
            "whole": card.whole,
            "known": card.known,
            "scenthound": version,
            "budget": webs.BUDGET,
            "webs": [{"web": seed, "fingerprint": found} for seed, found in card.webs.items()],
            "topics": card.topics,
            "strategies": [
                {
                    "strategy": line.strategy,
                    "labelled_harvest": line.harvest and _mean_to_json(line.harvest),
                    "target_recall": line.recall,
                    "area": line.area,
                    "hosts": round(line.hosts, 1),
                    "speed": line.speed and round(line.speed, 1),
                    "from_breadth_first_to_oracle": None
                    if line.way is None
                    else round(line.way, 3),
                    "by_topic": line.harvests,
                    "runs": line.runs,
                    "failed": line.failed,
                }
                for line in card.lines
            ],
            "against": [
                {
                    "strategy": each.strategy,
                    "reference": each.reference,
                    "difference": _mean_to_json(each.difference.mean),
                    "verdict": each.difference.verdict,
                    "record": each.difference.record._asdict(),
                }
                for each in card.against
            ],
            "errors": card.errors,
        }
    )


def _mean_to_json(mean: Mean) -> dict[str, object]:
    return {"mean": mean.value, "interval": mean.interval, "topics": mean.groups}
