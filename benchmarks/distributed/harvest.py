"""Do many workers find as much as one? The schools web on 20 host names, six topics.

Links that leave the web are taken out, so that every fetch is of a page, as in a replay. Pages are
spread over the hosts by the checksum of their URL. All workers begin at once. With the usual delay
the hosts set the pace, not the cores that the workers share here: one worker and four fetch equally
fast, and what differs is what they know when they choose.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.closed_webs import closed_web, on_hosts
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.together import Crawled, crawl_together, crawled_in
from benchmarks.live.campus_server import pages_as_http
from benchmarks.neural.schools import ARCHIVE, topics_of
from scenthound import CrawlOptions, Topic
from scenthound.core.urls import canonical
from scenthound.crawler import crawl as crawling
from scenthound.crawler.metrics import read_labels
from scenthound.sample.server import WebServer
from scenthound.similarity.topic_file import read_topic

HOSTS, WORKERS = 20, 4
STRATEGIES = ("vsm-mean", "scent")
DELAY_S, CONCURRENCY = 1.0, 8
BAR = 0.97
SQLITE, ONE, FOUR, FOUR_FEWER = "SQLite", "1 worker", "4 workers", "4 workers, a quarter each"
Found = dict[str, list[float]]
"""By way of crawling, the labelled harvest on each topic."""


@dataclasses.dataclass(frozen=True, slots=True)
class Task:
    """A topic on the 20 hosts, and its labelled pages there."""

    name: str
    topic: Topic
    labelled: frozenset[str]

    @property
    def budget(self) -> int:
        """Twice the labelled pages."""
        return 2 * len(self.labelled)

    def harvest(self, crawled: Crawled) -> float:
        """The share of labelled pages among those fetched."""
        urls = {page.url for page in crawled.pages}
        return len(urls & self.labelled) / len(crawled.pages)


def harvest(
    schools: Path, strategies: Sequence[str] = STRATEGIES, rounds: int = 1, delay: float = DELAY_S
) -> Section:
    """Labelled harvest by strategy, topic and number of workers, means of ``rounds``."""
    tasks = list(moved_tasks(schools))
    pages = closed_web(pages_as_http(schools / ARCHIVE), partial(on_hosts, hosts=HOSTS))
    found: dict[str, Found] = {}
    shares: list[Sequence[int]] = []
    with WebServer(pages) as web, serving() as server:
        for strategy, number, task in product(strategies, range(rounds), tasks):
            options = CrawlOptions(max_pages=task.budget, delay=delay, proxy=web.proxy)
            rows = found.setdefault(strategy, {})
            for name, crawl in crawls_compared(task, strategy, options, server).items():
                crawled = _in_scratch(crawl, f"{strategy}-{task.name}-{number}-{name}")
                rows.setdefault(name, []).append(task.harvest(crawled))
                shares += [crawled.shares] if len(crawled.shares) > 1 else []
            _print_rows(strategy, task, rows)
    return _verdict(found, shares, delay, rounds)


def _in_scratch(crawl: Callable[[Path], Crawled], name: str) -> Crawled:
    with TemporaryDirectory() as scratch:
        return crawl(Path(scratch) / re.sub(r"\W+", "-", name))


def moved_tasks(schools: Path) -> Iterator[Task]:
    """The six topics, their pages where they are now."""
    labels = read_labels(schools / "labels.tsv")

    def there(urls: Iterable[str]) -> tuple[str, ...]:
        return tuple(on_hosts(canonical(url), HOSTS) for url in urls)

    for path in topics_of(schools):
        topic = read_topic(path)
        moved = dataclasses.replace(topic, seeds=there(topic.seeds), examples=there(topic.examples))
        yield Task(path.stem, moved, frozenset(there(labels.of(topic.name))))


@contextmanager
def serving() -> Iterator[str]:
    """A server for all crawls."""
    with TemporaryDirectory(prefix="v") as folder, running_server(Path(folder), AOF) as server:
        yield server


def crawls_compared(
    task: Task, strategy: str, options: CrawlOptions, server: str
) -> Mapping[str, Callable[[Path], Crawled]]:
    """The crawls that are compared."""

    def shared(workers: int, concurrency: int, out: Path) -> Crawled:
        own = options.changed(concurrency=concurrency)
        return crawl_together(task.topic, strategy, own, server, out, workers)

    return {
        SQLITE: partial(_alone, task.topic, strategy, options),
        ONE: partial(shared, 1, CONCURRENCY),
        FOUR: partial(shared, WORKERS, CONCURRENCY),
        FOUR_FEWER: partial(shared, WORKERS, CONCURRENCY // WORKERS),
    }


def _alone(topic: Topic, strategy: str, options: CrawlOptions, out: Path) -> Crawled:
    own = options.changed(concurrency=CONCURRENCY)
    crawling.crawl(topic, out, strategy, options=own)
    return crawled_in([out])


def _print_rows(strategy: str, task: Task, rows: Found) -> None:
    latest = ", ".join(f"{name} {row[-1]:.3f}" for name, row in rows.items())
    print(f"  {strategy}, {task.name}: {latest}", flush=True)


def _verdict(
    found: Mapping[str, Found], shares: Sequence[Sequence[int]], delay: float, rounds: int
) -> Section:
    least = min(min(each) / sum(each) for each in shares)
    lines = [
        f"labelled harvest, budget 2x, {HOSTS} hosts, delay {delay:g} s, {CONCURRENCY} requests "
        f"under way in each worker (last column: {CONCURRENCY} in all), {rounds} rounds; the "
        f"smallest share of a worker {least:.2f} of the pages:"
    ]
    bars = []
    for strategy, rows in found.items():
        means = {name: fmean(row) for name, row in rows.items()}
        lines.append(f"{strategy}: " + ", ".join(f"{n} {mean:.4f}" for n, mean in means.items()))
        for name in (FOUR, FOUR_FEWER):
            ratio = means[name] / means[ONE]
            lines.append(f"{strategy}: {name} / {ONE} {ratio:.3f}")
    whole = {n: fmean(v for rows in found.values() for v in rows[n]) for n in (ONE, FOUR)}
    bars = [Bar(f"mean harvest of {FOUR} / of {ONE}", whole[FOUR] / whole[ONE], BAR)]
    return Section(bars, lines, {"harvest": found, "shares": [list(each) for each in shares]})
