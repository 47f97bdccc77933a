"""Replays of a crawl over an archive as if it were the web, with a crawl folder and a result.

``replay`` is the function of the API. ``run_job`` gives the loop, ``run_replay``, a folder, a
journal and a judge. ``fetch_leased`` takes the place of the network: it refuses URLs that the
frontier has not leased, so that no strategy can look at pages in advance.
"""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from scenthound.core.command_options import ReplayOptions
from scenthound.core.crawl_loop import MAX_REDIRECTS, CrawlLoop, Strategy
from scenthound.core.errors import (
    FolderError,
    InputError,
    PeekError,
    StrategyError,
    error_text,
    warn_caller,
)
from scenthound.core.events import PageEvent, text_representations
from scenthound.core.model import Page, Topic
from scenthound.core.options import takes
from scenthound.core.parameters import Value
from scenthound.core.scope import Scope, UrlRules
from scenthound.core.urls import host_of
from scenthound.crawler.argument_checks import (
    check_parameters,
    check_path,
    check_topic,
    load_labels,
    strategy_spec,
)
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.judges import judge_with_concepts, save_ontology
from scenthound.crawler.metrics import Labels, MetricsRecorder, Result, checkpoints, run_result
from scenthound.crawler.replay_plan import ReplayJob, build_plan, replay_spec
from scenthound.crawler.scope import exclude_advice
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.sqlite_reader import write_waiting
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import PageSource
from scenthound.storage.database import open_database
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    CrawlFolder,
    FolderLock,
    check_required_path,
)
from scenthound.storage.journal import STOPPED, FileJournal
from scenthound.storage.pages import finalize_page
from scenthound.storage.state import write_concepts
from scenthound.strategies.catalogue import DEFAULT_STRATEGY
from scenthound.strategies.spec import LinkWeights, StrategySpec

OnPage = Callable[[PageEvent], None]


@takes(ReplayOptions)
def replay(
    archive: str | Path,
    topic: Topic,
    strategy: str | StrategySpec = DEFAULT_STRATEGY,
    *,
    labels: str | Path | Labels | None = None,
    parameters: Mapping[str, Value] | None = None,
    out: str | Path | None = None,
    weights: str | Path | LinkWeights | None = None,
    on_page: OnPage | None = None,
    **options: Any,
) -> Result:
    """Crawl an archive as if it were the web.

    Parameters
    ----------
    archive : WARC file, WACZ file, or a folder of either or of HTML files.
    topic : what to look for; see :func:`read_topic` for topic files.
    strategy : a name from ``scenthound strategies``, or a spec of your own.
    labels : human labels, to measure against; strategies never see them.
    parameters : the strategy's, by name.
    out : folder to write the crawl to; it must not hold one already.
    weights : link weights, or their file, as of :func:`crawl`.
    on_page : called with the event of every page.
    options : how to replay, by name (``budget``, ``judge``, ``threshold``, ...); see
        :class:`ReplayOptions`.
    """
    check_topic(topic)
    check_required_path("archive", archive)
    check_path("out", out)
    check_parameters(parameters)
    given = ReplayOptions.from_arguments(**options)
    spec = strategy_spec(strategy)
    parts = [(spec, spec.check(parameters or {}))]
    plan = build_plan(parts, given, load_labels(labels), weights)
    for advice in exclude_advice(topic):
        warn_caller(advice)
    choice = cache_choice(given.cache, given.cache_limit)
    with open_equipment(choice) as equipment, open_archive(Path(archive)) as opened:
        (job,) = dataclasses.replace(plan, equipment=equipment).jobs(opened, [topic])
        job = job if out is None else dataclasses.replace(job, out=Path(out))
        return run_job(opened, job, on_page)


STATE_EVERY = 500


def run_job(archive: Archive, job: ReplayJob, on_page: OnPage | None = None) -> Result:
    """Replay one job; with ``job.out`` everything is written to that crawl folder as it goes."""
    started = time.perf_counter()
    analyzer = job.analyzer()
    judge = judge_with_concepts(job.concepts, job.profile, analyzer, job.plan.threshold)
    strategy = job.strategy(analyzer)
    crawl_spec = replay_spec(archive, job, analyzer.wordnet)
    folder = None if job.out is None else CrawlFolder.create(job.out, crawl_spec)
    if folder is not None and job.concepts is not None:
        write_concepts(folder.path, job.concepts)
    clock = ReplayClock()
    frontier = MemoryFrontier(job.spec.combination)
    with _locked_folder(folder, strategy) as file:
        metrics = MetricsRecorder(onward=file)
        crawl = CrawlLoop(
            topic=job.topic.name,
            strategy=strategy,
            frontier=frontier,
            budget=job.budget,
            seeds=job.topic.seeds,
            judge=judge,
            journal=metrics,
            clock=clock,
            scope=Scope(UrlRules(exclude=job.topic.exclude)),
            count_missing=job.plan.count_missing,
        )
        path = None if folder is None else folder.path
        save_ontology(strategy.scorer, job.profile, path)

        def each(event: PageEvent) -> None:
            if folder is not None and event.n % STATE_EVERY == 0:
                folder.save_state(strategy.state())
            if on_page is not None:
                on_page(event)

        with _stop_on_record(crawl):
            control = ReplayController(path, crawl)
            run_replay(archive, crawl, clock, job.pages(archive), each, control.check)
    if folder is not None:
        fetched = (record.url for record in metrics.records)
        save_waiting_urls(folder, frontier, fetched)
    result = run_result(
        job,
        job.budget.pages,
        checkpoints(metrics.records, job.labels, job.plan.every),
        metrics,
        strategy.scorer,
        seed=job.plan.seed,
        missing=crawl.summary.missing,
        failed=crawl.summary.failed,
        stopped=crawl.stop_reason or "",
        seconds=time.perf_counter() - started - control.paused_s,
        threshold=judge.calibration,
        order=tuple(record.url for record in metrics.records),
        judge=job.plan.judge,
        representations=text_representations(strategy.scorer),
    )
    if folder is not None:
        folder.write_results(result.to_json())
    return result


@contextmanager
def _locked_folder(folder: CrawlFolder | None, strategy: Strategy) -> Iterator[FileJournal | None]:
    """Open the journal of the folder, which no other process may write to until this ends.

    Whatever ends it, the journal is on the disk, and the folder is released even where the
    strategy cannot save its state.
    """
    if folder is None:
        yield None
        return
    lock = FolderLock(folder.path)
    try:
        with closing(FileJournal(folder.journal_path)) as file:
            try:
                yield file
            except BaseException:
                file.sync()
                with suppress(StrategyError):  # the error that ended the crawl is the one to raise
                    folder.save_state(strategy.state())
                raise
            file.sync()
            folder.save_state(strategy.state())
    finally:
        release_folder(folder.path, lock)


def release_folder(folder: Path, lock: FolderLock) -> None:
    """Release the folder of a replay that has ended, and leave no lock there: none comes back."""
    # Removed before the release: afterwards the file may already be that of another process.
    (folder / LOCK_NAME).unlink(missing_ok=True)
    lock.release()


MOST_WAITING = 50_000
"""URLs that are kept, the best first: some 30 MB."""


def save_waiting_urls(
    folder: CrawlFolder, frontier: MemoryFrontier, fetched: Iterable[str]
) -> None:
    """Write the waiting URLs to the folder, so that they can be explained.

    A disk that is full costs the explanation, not the crawl. ``fetched`` are the URLs of pages.
    """
    path = folder.waiting_path
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        # Nothing is synced: only the renamed file counts, and only explanations need it.
        with closing(open_database(unfinished, new=True, pragmas={"synchronous": "OFF"})) as kept:
            write_waiting(kept, frontier.peek(MOST_WAITING), Counter(map(host_of, fetched)))
        os.replace(unfinished, path)
    except (OSError, sqlite3.Error, FolderError) as error:
        warn_caller(f"what waited is not kept in {path}, so explain cannot tell of it: {error}")


@contextmanager
def _stop_on_record(crawl: CrawlLoop) -> Iterator[None]:
    """Record the end of a crawl in the journal, also an error."""
    try:
        yield
    except KeyboardInterrupt:
        crawl.stop("interrupted")
        raise
    except Exception as error:
        crawl.stop(f"error: {format_error(error)}")
        raise


_LONGEST_ERROR = 500


def format_error(error: Exception) -> str:
    """Return an error for journals and comparisons: its kind and its sentence, in one line."""
    sentence = str(error) if isinstance(error, InputError) else error_text(error)
    line = f"{type(error).__name__}: {sentence}"
    # Errors may quote pages: nothing in them may end a line of the journal, or steer a terminal.
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return " ".join(printable.split())[:_LONGEST_ERROR]


class ReplayClock:
    """Time under replay: one second a fetch, so that the same replay writes the same journal."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds since the replay began."""
        return self.now


def fetch_leased(
    archive: Archive, crawl: CrawlLoop, pages: PageSource, url: str, now: float
) -> Page | None:
    """Return the page of a URL that the crawl has leased; ``pages`` reads those of the archive.

    None where there is none, or where it redirects to one that is not to be fetched: then the
    outcome has been reported to the crawl. PeekError for a URL that is not leased.
    """
    if crawl.candidate(url) is None:
        raise PeekError(f"{url} was read before it was leased")
    hops: list[str] = []
    address = url
    while (found := pages.read(address)) is not None:
        page, target = found
        if target is not None:
            hops.append(address)
        if target is None or target in hops or len(hops) > MAX_REDIRECTS:
            return finalize_page(page, tuple(hops), now)
        is_fetched = crawl.is_fetched(target)
        if is_fetched and target not in archive:
            break
        reason = "fetched before" if is_fetched else crawl.out_of_bounds(target)
        if reason is not None:
            crawl.redirect_rejected(url, target, reason)
            return None
        address = target
    crawl.missing(url)
    return None


def run_replay(
    archive: Archive,
    crawl: CrawlLoop,
    clock: ReplayClock,
    pages: PageSource,
    on_page: Callable[[PageEvent], None],
    check_control: Callable[[], None] = lambda: None,
) -> None:
    """Drive ``crawl`` over ``archive``, read by ``pages``, until it stops.

    ``on_page`` gets every page. ``check_control`` is called between two fetches: it may wait, or
    stop the crawl.
    """
    while (candidate := crawl.next()) is not None:
        page = fetch_leased(archive, crawl, pages, candidate.url, clock())
        if page is not None:
            clock.now += 1.0
            on_page(crawl.observe(candidate.url, page))
        check_control()


_POLL_INTERVAL_S = 0.2


class ReplayController:
    """Pauses and stops a replay by the requests that users leave in its folder, if it has one."""

    def __init__(
        self,
        folder: Path | None,
        crawl: CrawlLoop,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests = None if folder is None else ControlRequests(folder)
        self._crawl = crawl
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = monotonic()
        self.paused_s = 0.0
        """Seconds that were spent waiting."""

    def check(self) -> None:
        """Stop the crawl, or wait here while it is paused; it looks a few times a second."""
        now = self._monotonic()
        if self._requests is None or now - self._last < _POLL_INTERVAL_S:
            return
        self._last = now
        if not self._is_to_pause(self._requests):
            return
        self._crawl.control("paused")
        while self._is_to_pause(self._requests):
            self._sleep(_POLL_INTERVAL_S)
        self.paused_s += self._monotonic() - now
        if self._crawl.stop_reason is None:
            self._crawl.control("unpaused")

    def _is_to_pause(self, requests: ControlRequests) -> bool:
        """Stop the crawl if that is requested; return whether it is to wait."""
        if requests.withdraw(STOP):
            self._crawl.stop(STOPPED)
        return self._crawl.stop_reason is None and requests.is_left(PAUSE)
