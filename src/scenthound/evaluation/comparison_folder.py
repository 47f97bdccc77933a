"""The folder of a comparison: finished runs, kept crawls, its lock, and resuming."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.crawler.replay import release_folder
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Cell, Outcome, outcome_from_json, outcome_to_json
from scenthound.evaluation.provenance import Provenance, difference, versions
from scenthound.evaluation.results import (
    RESULTS_NAME,
    VERSION,
    Comparison,
    read_comparison,
    read_stored,
    write_results,
)
from scenthound.evaluation.worker_pool import DrawnTopic
from scenthound.storage.files import os_errors_as, write_json
from scenthound.storage.folder import LOCK_NAME, CrawlFolder, FolderLock, folder_name, lock_holder

FORMAT = "scenthound-comparison-run"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run, what it was made with, and the seeds and example pages it had."""

    outcome: Outcome
    made_with: Mapping[str, object]
    drawn: DrawnTopic


def run_name(cell: Cell) -> str:
    """A name that people can read and that no other run has: for files and crawl folders.

    Examples
    --------
    >>> run_name(Cell("schools", "storms", "shark decay=0.3"))
    'storms-shark-decay-0.3-given-0-0-37277402'
    """
    written = json.dumps(cell.to_json(), sort_keys=True)
    digest = hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:8]
    parts = (cell.topic, cell.strategy, cell.seeds, str(cell.draw), str(cell.random_seed))
    return f"{folder_name('-'.join(parts))}-{digest}"


def write_run(folder: Path, record: RunRecord) -> Outcome:
    """Keep a run in ``folder`` and give it back with its figures rounded as they are kept.

    FolderError where it cannot be written.
    """
    written = outcome_to_json(record.outcome)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(record.made_with),
        "drawn": asdict(record.drawn),
        "run": written,
    }
    path = folder / f"{run_name(record.outcome.cell)}.json"
    with os_errors_as(FolderError, f"{path} cannot be written"):
        write_json(path, content)
    return outcome_from_json(written)


def read_run(path: Path) -> RunRecord:
    """The run in a file; FolderError, one sentence, where it cannot be used."""
    stored = read_stored(path, FORMAT)
    run, made_with, drawn = (stored.get(name) for name in ("run", "made_with", "drawn"))
    if not isinstance(run, dict) or not isinstance(made_with, dict):
        raise FolderError(f"{path} is damaged: it lacks the run, or what it was made with.")
    lists = [drawn.get(key) for key in ("seeds", "examples")] if isinstance(drawn, dict) else []
    topic = DrawnTopic(*(tuple(map(str, each)) for each in lists if isinstance(each, list)))
    return RunRecord(outcome_from_json(run), made_with, topic)


# The crawl folders that runs leave in a comparison: which of them are whole, and which must go.


def crawl_path(crawls: Path, cell: Cell) -> CrawlFolder:
    """Where a run leaves its crawl; ``crawls`` is the folder for those of all runs."""
    return CrawlFolder(crawls / run_name(cell))


def is_complete(crawls: Path, cell: Cell) -> bool:
    """Did the run leave its crawl there, with the figures that are written last?"""
    return crawl_path(crawls, cell).results_path.is_file()


def remove_leftovers(crawls: Path, wanted: Iterable[Cell], finished: Container[Cell]) -> None:
    """Remove the crawl folders of attempts that failed, were stopped or were broken off.

    What is there afterwards belongs to a finished run, so that nobody takes an earlier attempt for
    it, whether crawls are kept from now on or not.

    Parameters
    ----------
    crawls : the folder for those of all runs; nothing happens where it is not there.
    wanted : every run of the grid.
    finished : the runs that are not done again.
    """
    for cell in wanted:
        if cell not in finished or not is_complete(crawls, cell):
            remove_crawl(crawls, cell)


def remove_crawl(crawls: Path, cell: Cell) -> None:
    """Remove the crawl folder of a run, if there is one; FolderError where that cannot be done."""
    folder = crawl_path(crawls, cell).path
    if not folder.exists():
        return
    with os_errors_as(FolderError, f"{folder} is of an earlier attempt and cannot be removed"):
        shutil.rmtree(folder)


# The folder of a comparison: whose it is, who works there, and what a kill has left in it.


GRID, RUNS, CRAWLS, TOPICS = "grid.toml", "runs", "crawls", "topics"

_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{16}\.(json|toml|csv|parquet)")
"""What a file of ours is called until it is whole; see :mod:`scenthound.storage.files`."""


def refuse_other_folder(folder: Path) -> None:
    """FolderError for a folder that holds anything but a comparison, or is no folder."""
    held = finished_names(folder)
    if GRID in held or held <= {LOCK_NAME}:
        return
    if RESULTS_NAME in held:
        # It is written first, so a comparison may have been killed before it had a grid file.
        with suppress(FolderError):
            read_comparison(folder)
            return
    raise FolderError(f"{folder} holds other files; choose a new --out folder.")


def finished_names(folder: Path) -> set[str]:
    """The names in a folder but those of files that were never finished; none where there is none.

    FolderError where it cannot be read, or is no folder.
    """
    with os_errors_as(FolderError, f"{folder} cannot be used"):
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    return {name for name in names if not _UNFINISHED.fullmatch(name)}


@contextmanager
def lock_comparison(folder: Path) -> Iterator[None]:
    """Nobody else works in the folder until this ends; the lock goes where it ends well.

    What an earlier process left unfinished is removed. FolderError where another one is there.
    """
    lock = _lock_folder(folder)
    try:
        _remove_unfinished_files(folder)
        yield
        release_folder(folder, lock)
    finally:
        lock.release()


def _lock_folder(folder: Path) -> FolderLock:
    try:
        return FolderLock(folder)
    except FolderError:
        who = lock_holder(folder)
        if who is None:
            raise
        raise FolderError(
            f"another comparison works in {folder} (process {who}); wait for it, or choose "
            "another --out folder."
        ) from None


def _remove_unfinished_files(folder: Path) -> None:
    for place in (folder, folder / RUNS, *(folder / TOPICS).glob("*")):
        for path in place.glob(".*"):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)


# The runs that are over: each is written as it ends, and all of them to the results file.


_WRITE_INTERVAL_S = 5.0
"""The figures so far are written as often; what resuming needs is written after every run."""

Clock = Callable[[], float]


class ComparisonWriter:
    """The runs that are over, on disk as soon as they are.

    Parameters
    ----------
    grid : what is run.
    folder : of the comparison.
    wanted : every run, with what it is made with.
    clock : seconds, for how often the figures so far are written.
    """

    def __init__(
        self, grid: Grid, folder: Path, wanted: Mapping[Cell, Provenance], clock: Clock
    ) -> None:
        self.grid = grid
        self.wanted = wanted
        self.outcomes: dict[Cell, Outcome] = {}
        self._folder = folder
        self._clock = clock
        self._written = clock()
        self._kept = 0
        self._created = datetime.now(UTC).isoformat(timespec="seconds")
        with suppress(FolderError):  # none lies there yet
            self._created = read_comparison(folder).created or self._created

    def keep(self, record: RunRecord) -> Outcome:
        """Keep a run that is over; its figures are rounded as files have them.

        The figures so far are written after the first one, and then now and then.
        """
        outcome = write_run(self._folder / RUNS, record)
        self.outcomes[outcome.cell] = outcome
        self._kept += 1
        if self._kept == 1 or self._clock() - self._written >= _WRITE_INTERVAL_S:
            self.write(tables=False)
        return outcome

    def write(self, tables: bool) -> dict[str, str]:
        """The figures so far; see :func:`.results.write_results`."""
        left_out = write_results(self._folder, self.comparison(), tables=tables)
        self._written = self._clock()
        return left_out

    def comparison(self) -> Comparison:
        """The figures so far, in the order of the grid."""
        done = tuple(self.outcomes[cell] for cell in self.wanted if cell in self.outcomes)
        return Comparison(
            self.grid.to_json(), done, len(done) == len(self.wanted), versions(), self._created,
            len(self.wanted),
        )  # fmt: skip


# Resuming a comparison: which of its runs are finished, and do they still fit?


_ADVICE = "choose another --out folder, or change it back"

_PLURALS = {"strategy": "strategies", "topic": "topics", "web": "webs"}

_MOST_NAMED = 20


def finished_runs(
    folder: Path,
    wanted: Mapping[Cell, Provenance],
    keep_crawls: bool,
    warn: Callable[[str], None],
) -> dict[Cell, Outcome]:
    """The runs of a comparison that need not be done again.

    Parameters
    ----------
    folder : of the comparison.
    wanted : the runs of the grid, and what each is made with now.
    keep_crawls : are crawl folders kept? Then a run without a whole one is done again.
    warn : gets files that cannot be used; their runs are done again.

    Runs that failed are done again. FolderError where a finished run is not in the grid, or was
    made with something else.
    """
    records = {each.outcome.cell: each for each in _records(folder / RUNS, warn)}
    _refuse_left_out(folder, [cell for cell in records if cell not in wanted], list(wanted))
    for cell, record in records.items():
        changed = difference(record.made_with, wanted[cell])
        if changed is not None:
            raise FolderError(f"{folder} has finished runs, and since then {changed}: {_ADVICE}.")
    found = {cell: record.outcome for cell, record in records.items()}
    if not keep_crawls:
        return found
    kept = {cell: run for cell, run in found.items() if is_complete(folder / CRAWLS, cell)}
    if lacking := len(found) - len(kept):
        one = lacking == 1
        runs = "1 finished run has" if one else f"{lacking:,} finished runs have"
        again = "it is" if one else "they are"
        warn(f"{runs} left no crawl folder, and crawls are to be kept: {again} done again")
    return kept


def _records(folder: Path, warn: Callable[[str], None]) -> Iterator[RunRecord]:
    """The runs that did not fail."""
    for path in sorted(folder.glob("[!.]*.json")):
        try:
            record = read_run(path)
        except FolderError as error:
            warn(f"{error} That run is done again.")
            continue
        if not record.outcome.error:
            yield record


def _refuse_left_out(folder: Path, left_out: Sequence[Cell], wanted: Sequence[Cell]) -> None:
    """FolderError for finished runs that the grid has not, with all that has to be added."""
    if not left_out:
        return
    missing: dict[str, list[object]] = {}
    for key in left_out[0].to_json():
        known = {getattr(each, key) for each in wanted}
        values = dict.fromkeys(getattr(each, key) for each in left_out)
        missing[key] = [value for value in values if value not in known]
    names = [_list_names(key, values) for key, values in missing.items() if values]
    names = names or [", ".join(_list_names(k, [v]) for k, v in left_out[0].to_json().items())]
    advice = "so add that again"
    if [key for key, values in missing.items() if values] == ["strategy"]:
        every = dict.fromkeys([*missing["strategy"], *(each.strategy for each in wanted)])
        command = ["scenthound", "compare", f"--out={folder}"]
        command += [f"--strategy={each}" for each in every]
        advice = f"so name them all: {shlex.join(command)}"
    raise FolderError(
        f"{folder} has finished runs that this grid leaves out ({'; '.join(names)}); a grid may "
        f"only grow, {advice}; or choose another --out folder."
    )


def _list_names(key: str, values: Sequence[object]) -> str:
    """``strategies 'vsm', 'shark'``, in words that a long list does not run over."""
    name = key.replace("_", " ") if len(values) == 1 else _PLURALS.get(key, key.replace("_", " "))
    more = f" and {len(values) - _MOST_NAMED} more" if len(values) > _MOST_NAMED else ""
    return f"{name} {', '.join(map(repr, values[:_MOST_NAMED]))}{more}"
