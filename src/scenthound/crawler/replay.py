"""Replays a crawl over an archive as if it were the web, with pause and stop, a crawl folder and
a result.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.crawl import MAX_REDIRECTS, Crawl, Strategy, check_any_scored
from scenthound.core.errors import FolderError, InputError, PeekError, StrategyError, error_text
from scenthound.core.events import PageEvent, text_representations
from scenthound.core.model import Page
from scenthound.core.scope import Scope, UrlRules
from scenthound.core.urls import host_of
from scenthound.crawler.judges import PageJudge, judge_with_concepts, save_ontology
from scenthound.crawler.link_weights import weights_used
from scenthound.crawler.metrics import MetricsRecorder, checkpoints, over_budget
from scenthound.crawler.replay_plan import ReplayJob, replay_order
from scenthound.crawler.result import Run
from scenthound.crawler.topic_reading import Warn
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.sqlite_reader import write_waiting
from scenthound.storage.archive import Archive
from scenthound.storage.database import open_database
from scenthound.storage.files import write_concepts
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    ControlRequests,
    CrawlFolder,
    FolderLock,
)
from scenthound.storage.journal import FileJournal
from scenthound.storage.pages import ArchivedPages, PageSource, finalize_page


class ReplayClock:
    """Time under replay: one second a fetch, so that the same replay writes the same journal."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        """Seconds since the replay began."""
        return self._now

    def tick(self) -> None:
        """One more fetch."""
        self._now += 1.0


@dataclass(frozen=True, slots=True)
class RedirectRejected:
    """The candidate redirects to a page that is not to be fetched, for a reason."""

    target: str
    reason: str


class LeasedArchive:
    """An archive that answers only for the URLs that the crawl has leased: nothing peeks.

    Parameters
    ----------
    archive : where pages lie.
    crawl : knows what is leased.
    pdf : are PDFs pages too?
    pages : reads the pages of the archive; None to read each one anew.
    """

    def __init__(
        self, archive: Archive, crawl: Crawl, pdf: bool = False, pages: PageSource | None = None
    ) -> None:
        self._archive = archive
        self._crawl = crawl
        self._pages = pages or ArchivedPages(archive, pdf)

    def fetch(self, url: str, now: float) -> Page | RedirectRejected | None:
        """The page for a leased URL, None where it is not in the archive; PeekError for others."""
        if not self._crawl.is_leased(url):
            raise PeekError(f"{url} was asked for before it was leased")
        hops: list[str] = []
        address = url
        while True:
            found = self._pages.read(address)
            if found is None:
                return None
            page, target = found
            if target is None:
                return finalize_page(page, tuple(hops), now)
            hops.append(address)
            if target in hops or len(hops) > MAX_REDIRECTS:
                return finalize_page(page, tuple(hops), now)
            if self._crawl.is_fetched(target):
                known = target in self._archive
                return RedirectRejected(target, "fetched before") if known else None
            if (reason := self._crawl.out_of_bounds(target)) is not None:
                return RedirectRejected(target, reason)
            address = target


def run_replay(
    archive: Archive,
    crawl: Crawl,
    clock: ReplayClock,
    on_page: Callable[[PageEvent], None] | None = None,
    pdf: bool = False,
    pages: PageSource | None = None,
    check_control: Callable[[], None] | None = None,
) -> None:
    """Drive ``crawl`` over ``archive`` until it stops; ``on_page`` gets every page.

    With ``pdf`` the PDFs in the archive are pages too. ``pages`` reads the pages of the archive,
    PDFs or not; without it each one is read anew. ``check_control`` is called between two fetches:
    it may wait, or stop the crawl.
    """
    leased = LeasedArchive(archive, crawl, pdf, pages)
    while (candidate := crawl.next()) is not None:
        found = leased.fetch(candidate.url, clock())
        if found is None:
            crawl.missing(candidate.url)
        elif isinstance(found, RedirectRejected):
            crawl.redirect_rejected(candidate.url, found.target, found.reason)
        else:
            clock.tick()
            event = crawl.observe(candidate.url, found)
            if on_page is not None:
                on_page(event)
        if check_control is not None:
            check_control()


# A replay that writes a crawl folder can be paused and stopped, as a live crawl can.


STOPPED = "stopped"

_POLL_INTERVAL_S = 0.2
"""Between two looks for a request."""


class ReplayController:
    """Follows the requests that users leave in the folder of a replay.

    Parameters
    ----------
    folder : where requests are left.
    crawl : what they are about.
    monotonic : the time, for measuring.
    sleep : waits so many seconds.
    """

    def __init__(
        self,
        folder: Path,
        crawl: Crawl,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests = ControlRequests(folder)
        self._crawl = crawl
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = monotonic()
        self.paused_s = 0.0
        """Seconds that were spent waiting."""

    def check(self) -> None:
        """Stop the crawl, or wait here as long as it is paused, where somebody asks for it.

        To be called before every fetch; it looks a few times a second.
        """
        now = self._monotonic()
        if now - self._last < _POLL_INTERVAL_S:
            return
        self._last = now
        self._look_for_stop()
        if self._crawl.stop_reason is None and self._requests.is_left(PAUSE):
            self._pause()

    def _pause(self) -> None:
        begun = self._monotonic()
        self._crawl.control("paused")
        while self._requests.is_left(PAUSE) and self._crawl.stop_reason is None:
            self._sleep(_POLL_INTERVAL_S)
            self._look_for_stop()
        self.paused_s += self._monotonic() - begun
        if self._crawl.stop_reason is None:
            self._crawl.control("unpaused")

    def _look_for_stop(self) -> None:
        if self._requests.withdraw(STOP):
            self._crawl.stop(STOPPED)


def release_folder(folder: Path, lock: FolderLock) -> None:
    """Release the folder of a replay that has ended, and leave no lock there: none comes back."""
    (folder / LOCK_NAME).unlink(missing_ok=True)
    lock.release()


# What still waits when a replay is over is stored, so that it can be explained.


MOST_WAITING = 50_000
"""URLs that are kept, the best first: some 30 MB."""


def save_waiting_urls(
    folder: CrawlFolder, frontier: MemoryFrontier, fetched: Iterable[str], warn: Warn
) -> None:
    """Write what waits to the folder; a disk that is full costs the explanation, not the crawl.

    Parameters
    ----------
    folder : of the replay.
    frontier : as the replay has left it.
    fetched : the URLs of its pages.
    warn : gets why nothing is stored.
    """
    path = folder.waiting_path
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(open_database(unfinished, new=True, pragmas={"synchronous": "OFF"})) as kept:
            write_waiting(kept, frontier.peek(MOST_WAITING), Counter(map(host_of, fetched)))
        os.replace(unfinished, path)
    except (OSError, sqlite3.Error, FolderError) as error:
        warn(f"what waited is not kept in {path}, so explain cannot tell of it: {error}")


# One replay: archive and job in, figures out, everything in a crawl folder if asked.


STATE_EVERY = 500

_LONGEST_ERROR = 500

OnPage = Callable[[PageEvent], None]


def run_job(archive: Archive, job: ReplayJob, on_page: OnPage | None = None) -> Run:
    """Replay one job; with ``job.out`` everything is written to that crawl folder as it goes."""
    started = time.perf_counter()
    analyzer = job.analyzer()
    judge = judge_with_concepts(job.concepts, job.profile, analyzer, job.threshold)
    strategy = job.strategy(analyzer)
    order = replay_order(archive, job, analyzer.wordnet)
    folder = None if job.out is None else CrawlFolder.create(job.out, order)
    if folder is not None and job.concepts is not None:
        write_concepts(folder.path, job.concepts)
    clock, paused = ReplayClock(), 0.0
    frontier = MemoryFrontier(job.spec.combination)
    with _locked_folder(folder, strategy) as file:
        metrics = MetricsRecorder(file)
        crawl = Crawl(
            topic=job.topic.name,
            strategy=strategy,
            frontier=frontier,
            budget=job.budget,
            seeds=job.topic.seeds,
            judge=judge,
            journal=metrics,
            clock=clock,
            scope=Scope(UrlRules(exclude=job.topic.exclude)),
            count_missing=job.count_missing,
        )
        path = None if folder is None else folder.path
        save_ontology(strategy.scorer, job.profile, path, job.equipment.warn)
        with _stop_on_record(crawl):
            each = _state_saver(folder, strategy, on_page)
            control = None if path is None else ReplayController(path, crawl)
            check = None if control is None else control.check
            run_replay(archive, crawl, clock, each, job.pdf, job.pages(archive), check)
            paused = 0.0 if control is None else control.paused_s
    if folder is not None:
        fetched = (record.url for record in metrics.records)
        save_waiting_urls(folder, frontier, fetched, job.equipment.warn)
    check_any_scored(strategy.name, metrics.dropped, metrics.scored)
    seconds = time.perf_counter() - started - paused
    result = _result(job, judge, strategy, crawl, metrics, seconds)
    if folder is not None:
        folder.write_results(result.to_json())
    return result


@contextmanager
def _locked_folder(folder: CrawlFolder | None, strategy: Strategy) -> Iterator[FileJournal | None]:
    """The journal of the folder, which nobody else may write to until this ends.

    Whatever ends it, the journal is on the disk, and others are let in even where the strategy
    cannot tell its state.
    """
    if folder is None:
        yield None
        return
    lock = FolderLock(folder.path)
    try:
        with closing(folder.journal()) as file:
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


@contextmanager
def _stop_on_record(crawl: Crawl) -> Iterator[None]:
    """Whatever ends a crawl, the journal says so."""
    try:
        yield
    except KeyboardInterrupt:
        crawl.stop("interrupted")
        raise
    except Exception as error:
        crawl.stop(f"error: {format_error(error)}")
        raise


def format_error(error: Exception) -> str:
    """An error as journals and comparisons have it: its kind and its sentence, in one line, cut."""
    sentence = str(error) if isinstance(error, InputError) else error_text(error)
    line = f"{type(error).__name__}: {sentence}"
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return " ".join(printable.split())[:_LONGEST_ERROR]


def _state_saver(
    folder: CrawlFolder | None, strategy: Strategy, on_page: OnPage | None
) -> OnPage | None:
    """Tell of every page and, where there is a folder, save the state now and then."""
    if folder is None:
        return on_page

    def each(event: PageEvent) -> None:
        if event.n % STATE_EVERY == 0:
            folder.save_state(strategy.state())
        if on_page is not None:
            on_page(event)

    return each


def _result(
    job: ReplayJob, judge: PageJudge, strategy: Strategy, crawl: Crawl, metrics: MetricsRecorder,
    seconds: float,
) -> Run:  # fmt: skip
    *rows, last = checkpoints(metrics.records, job.labels, job.every)
    final = over_budget(last, job.budget.pages)
    return Run(
        topic=job.topic.name,
        strategy=job.spec.name,
        parameters={**job.spec.parameters, **job.parameters},
        seed=job.seed,
        budget=job.budget.pages,
        fetched=crawl.summary.fetched,
        missing=crawl.summary.missing,
        failed=crawl.summary.failed,
        stopped=crawl.stop_reason or "",
        seconds=seconds,
        peak_rss_mb=peak_rss_mb(),
        threshold=judge.calibration,
        labelled_pages=None if job.labels is None else len(job.labels),
        dropped=dict(metrics.dropped.most_common()),
        problems=dict(metrics.problems.most_common()),
        final=final,
        checkpoints=(*rows, final),
        order=tuple(record.url for record in metrics.records),
        weights=weights_used(job.spec, strategy.scorer, job.weights, metrics.learned_from),
        inlinks=job.spec.combination.value,
        judge=job.judge,
        ways=text_representations(strategy.scorer),
    )


def peak_rss_mb() -> float:
    """Highest memory of this process so far, in MB.

    On Linux ``getrusage`` counts what the process had that started this one, too; ``VmHWM`` does
    not. It tells kilobytes there, and bytes on macOS.
    """
    with suppress(OSError, StopIteration), open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / 1024 if sys.platform == "darwin" else peak / 1024
