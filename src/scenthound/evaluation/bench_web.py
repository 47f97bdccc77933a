"""bench-web: generated webs with fixed topics, seeds, labels and budget; its files and runs, and
scores of fetch orders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from scenthound.core.command_options import CompareOptions
from scenthound.core.crawl_loop import MAX_REDIRECTS
from scenthound.core.errors import FolderError, MalformedUrlError, UnknownNameError, warn_caller
from scenthound.core.model import Budget
from scenthound.core.urls import canonical, host_of
from scenthound.crawler.caches import CacheChoice
from scenthound.crawler.metrics import read_labels
from scenthound.evaluation.compare import compare_grid
from scenthound.evaluation.comparison_folder import CRAWLS, crawl_path, finished_names
from scenthound.evaluation.grid import Contender, Grid, Web
from scenthound.evaluation.outcomes import Outcome
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.sample.web import SampleWeb, build, write_labels, write_topics, write_warc
from scenthound.storage.files import os_errors_as, write_json
from scenthound.storage.journal import read_journal
from scenthound.storage.pages import REDIRECTS

VERSION = 1
NAME = f"bench-web {VERSION}"
BUDGET = "2x"
BREADTH_FIRST, ORACLE = "breadth-first", "oracle"
REFERENCES = (BREADTH_FIRST, "soft-sdvsm", ORACLE)
"""What everything is measured beside: no focus, words and WordNet, and the labels themselves.

Not our default: that depends on what is installed."""
FINGERPRINTS: Mapping[int, str] = {
    11: "995ab45b356ba028",
    12: "d3205d260da09711",
    13: "ebb73d6a079064c6",
}
"""The webs by the seed they are made from, and what their pages, topics and labels hash to.

Our strategies were chosen and tuned on other seeds. A web that changes is another benchmark: then
the version changes too.
"""
QUICK_WEBS, QUICK_TOPICS = (11,), ("storms", "coffee", "snakes")


@dataclass(frozen=True)
class BenchWeb:
    """The benchmark, or a part of it: webs, and the topics that are looked for in each."""

    webs: tuple[SampleWeb, ...]
    topics: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Is nothing left out?"""
        return len(self.webs) == len(FINGERPRINTS) and len(self.topics) == len(self.webs[0].topics)

    @property
    def is_known(self) -> bool:
        """Are the webs those of this version? If not, no figure compares with those of others."""
        return all(found == FINGERPRINTS.get(seed) for seed, found in self.fingerprints.items())

    @cached_property
    def fingerprints(self) -> dict[int, str]:
        """The :func:`fingerprint` of each web by its number."""
        return {web.seed: fingerprint(web) for web in self.webs}


def build_bench_web(quick: bool = False) -> BenchWeb:
    """Build the whole benchmark, or a part that is run in seconds."""
    webs = tuple(build(seed) for seed in (QUICK_WEBS if quick else FINGERPRINTS))
    return BenchWeb(webs, QUICK_TOPICS if quick else topic_names(webs[0]))


def one_web(seed: int) -> SampleWeb:
    """Build the web of a seed; UnknownNameError for a seed that is not of the benchmark."""
    if seed not in FINGERPRINTS:
        raise UnknownNameError("web of bench-web", str(seed), map(str, FINGERPRINTS))
    return build(seed)


def one_topic(web: int, topic: str) -> BenchWeb:
    """One topic of one web; UnknownNameError for unknown ones."""
    made = one_web(web)
    if topic not in topic_names(made):
        raise UnknownNameError("topic of bench-web", topic, topic_names(made))
    return BenchWeb((made,), (topic,))


def web_name(web: SampleWeb) -> str:
    """The name of a web in figures and folders."""
    return f"web-{web.seed}"


def topic_names(web: SampleWeb) -> tuple[str, ...]:
    """The topics of a web, in their order."""
    return tuple(topic.name for topic in web.topics)


def labelled(web: SampleWeb, topic: str) -> frozenset[str]:
    """The pages about a topic."""
    return frozenset(url for url, name in web.labels.items() if name == topic)


def budget_of(web: SampleWeb, topic: str) -> int:
    """How many fetches a crawl for the topic has."""
    return Budget.parse(BUDGET, len(labelled(web, topic))).pages


def fingerprint(web: SampleWeb) -> str:
    """A hash of everything in a web: what servers answer, topics, labels."""
    digest = hashlib.sha256()
    for response in web.responses.values():
        head = (response.url, str(response.status), *(f"{n}: {v}" for n, v in response.headers))
        digest.update("\n".join(head).encode() + b"\n\n" + response.body + b"\n")
    for topic in web.topics:
        words = (topic.name, *topic.keywords, *topic.seeds, *topic.examples)
        digest.update("\n".join(words).encode())
    for url, name in sorted(web.labels.items()):
        digest.update(f"{url}\t{name}\n".encode())
    return digest.hexdigest()[:16]


# Files: the webs to replay, or what another crawler may know of one.

LABELS, TOPICS, SEEDS, ABOUT = "labels.tsv", "topics", "seeds", "bench-web.json"
_ARCHIVE = "sample.warc.gz"


def _write_web(bench: BenchWeb, web: SampleWeb, folder: Path) -> Web:
    """Write a web as an archive with topic files and labels, to be replayed.

    Existing files are written over: they are the same, byte for byte.
    """
    archive, labels = folder / _ARCHIVE, folder / LABELS
    with os_errors_as(FolderError, f"--out {folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        if not archive.exists():
            unfinished = folder / f".{_ARCHIVE}"  # half of it would be taken for the web
            write_warc(web, unfinished)
            unfinished.replace(archive)
        write_topics(web, folder / TOPICS)
        write_labels(web, labels)
    by_name = {topic.name: topic for topic in web.topics}
    topics = tuple(by_name[name] for name in bench.topics)
    return Web(web_name(web), archive, topics, read_labels(labels), labels)


def write_for_others(web: SampleWeb, folder: Path, with_labels: bool) -> None:
    """Write what a crawler may know of a web beforehand, and the labels if wanted.

    ``topics/NAME.toml`` and ``seeds/NAME.txt`` for each topic, and ``bench-web.json`` with the
    version and the budget of each topic.
    """
    with os_errors_as(FolderError, f"--out {folder} cannot be written"):
        for path in write_topics(web, folder / TOPICS):
            topic = next(t for t in web.topics if path.stem == t.name.replace(" ", "-"))
            seeds = folder / SEEDS / f"{path.stem}.txt"
            seeds.parent.mkdir(exist_ok=True)
            seeds.write_text("".join(f"{url}\n" for url in topic.seeds), encoding="utf-8")
        about = {
            "benchmark": NAME,
            "web": web.seed,
            "fingerprint": fingerprint(web),
            "budget": BUDGET,
            "fetches": {topic.name: budget_of(web, topic.name) for topic in web.topics},
        }
        write_json(folder / ABOUT, about)
        if with_labels:
            write_labels(web, folder / LABELS)


# The score of a fetch order, counted alike for our strategies and for other crawlers.
#
# A page costs one fetch, and so does a URL where there is nothing. A redirect costs nothing, its
# target one fetch. A URL that was fetched before costs nothing, and neither does ``robots.txt``.


@dataclass(frozen=True, slots=True)
class FetchOrderScore:
    """The pages about a topic that a crawl found within its budget of fetches.

    ``found_at`` has the number of the fetch for each of them, in order. ``fetches`` counts those
    up to the budget, ``unknown`` those of them where there is nothing, ``beyond`` fetches past the
    budget, which do not count.
    """

    budget: int
    labelled_pages: int
    found_at: tuple[int, ...] = ()
    fetches: int = 0
    unknown: int = 0
    hosts: int = 0
    beyond: int = 0

    @property
    def harvest(self) -> float:
        """Labelled pages found / budget, used up or not."""
        return len(self.found_at) / self.budget

    @property
    def recall(self) -> float:
        """Labelled pages found / labelled pages."""
        return len(self.found_at) / self.labelled_pages

    @property
    def area(self) -> float:
        """The mean of the recall after 1, 2, ... fetches of the budget: early finds count more."""
        return sum(self.budget - at + 1 for at in self.found_at) / self.budget / self.labelled_pages


def score_fetch_order(web: SampleWeb, topic: str, order: Iterable[str | None]) -> FetchOrderScore:
    """Score canonical URLs in the order they were fetched; None is one where there is nothing."""
    targets, budget = labelled(web, topic), budget_of(web, topic)
    seen: set[str] = set()
    found_at: list[int] = []
    spent = unknown = beyond = 0
    hosts: set[str] = set()
    for asked in order:
        url = None if asked is None else final_address(web, asked)
        if url is not None and (url in seen or urlsplit(url).path == "/robots.txt"):
            continue
        seen.update(() if url is None else (url,))
        if spent == budget:
            beyond += 1
            continue
        spent += 1
        unknown += url not in web.responses
        hosts.update(() if url is None else (host_of(url),))
        if url in targets:
            found_at.append(spent)
    return FetchOrderScore(
        budget, len(targets), tuple(found_at), spent, unknown, len(hosts), beyond
    )


def final_address(web: SampleWeb, url: str) -> str:
    """Where a canonical URL leads in the end; itself where that is nowhere, or a loop."""
    address = url
    for _ in range(MAX_REDIRECTS + 1):
        response = web.responses.get(address)
        location = response.header("Location") if response is not None else None
        if response is None or response.status not in REDIRECTS or not location:
            return address
        try:
            address = canonical(location, address)
        except MalformedUrlError:
            return address
    return url


# Runs: the grid of webs and topics, and the order in which each run fetched.

WEBS, COMPARISON, CARD = "webs", "comparison", "score-card.json"
"""In the folder of a benchmark: what is crawled, what ``compare`` would have written, the card."""


@dataclass(frozen=True, slots=True)
class BenchRun:
    """One strategy, or another crawler, on one topic of one web.

    ``seconds`` is None where it was not measured; ``error`` says why there is no ``fetched``.
    """

    web: str
    topic: str
    strategy: str
    fetched: FetchOrderScore | None
    seconds: float | None = None
    error: str = ""


def run_bench(
    bench: BenchWeb, contenders: Sequence[Contender], out: Path | None, workers: int | None,
    cache: CacheChoice, watch: ComparisonProgress | None,
) -> list[BenchRun]:  # fmt: skip
    """Run the references and the contenders over the benchmark.

    ``out`` gets the webs and the runs; runs that are finished there are not done again. None keeps
    nothing. InputError where a strategy cannot be run, or the folder holds something else. A
    warning where the webs are not those of the version, so that no figures get mixed.
    """
    if not bench.is_known:
        warn_caller(
            "the webs made here are not those of this version of bench-web (another Python, or a "
            "changed generator); its figures compare with no others"
        )
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="bench-web-")))
        held = finished_names(folder)
        if COMPARISON not in held and held - {WEBS, CARD}:
            raise FolderError(f"{folder} holds other files; choose a new --out folder.")
        wanted = [*(Contender(name) for name in REFERENCES), *contenders]
        options = CompareOptions.from_arguments(
            budget=BUDGET, count_missing=True, keep_crawls=True, cache=cache.folder,
            cache_limit=cache.limit,
        )  # fmt: skip
        grid = Grid(
            tuple(_write_web(bench, web, folder / WEBS / web_name(web)) for web in bench.webs),
            tuple({each.label: each for each in wanted}.values()),
            BREADTH_FIRST,
            options,
        )
        runs = folder / COMPARISON
        indexes = folder / "indexes" if out is None else None  # they go with the archives
        done = compare_grid(grid, runs, workers, watch, indexes=indexes)
        webs = {web_name(web): web for web in bench.webs}
        return [_run(webs[each.cell.web], each, runs / CRAWLS) for each in done.outcomes]


def _run(web: SampleWeb, outcome: Outcome, crawls: Path) -> BenchRun:
    cell = outcome.cell
    if outcome.error:
        return BenchRun(cell.web, cell.topic, cell.strategy, None, error=outcome.error)
    order = journal_order(crawl_path(crawls, cell).journal_path)
    fetched = score_fetch_order(web, cell.topic, order)
    return BenchRun(cell.web, cell.topic, cell.strategy, fetched, outcome.seconds)


def journal_order(journal: Path) -> Iterator[str | None]:
    """The URLs that a replay requested, in order; None for each that was not there."""
    for event in read_journal(journal):
        if event["event"] == "missing":
            yield from [None] * int(str(event["count"]))
        elif event["event"] == "page":
            yield str(event["url"])
