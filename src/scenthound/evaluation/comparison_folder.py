"""The folder of a comparison: its lock, finished runs, resuming, and their provenance: what the
figures of a run depend on besides its cell. Runs are put together only if all of it is the same.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.model import Topic
from scenthound.core.registry import package_of
from scenthound.crawler.replay import release_folder
from scenthound.crawler.replay_plan import BUDGET_WITH_LABELS, DEFAULT_BUDGET
from scenthound.evaluation import results
from scenthound.evaluation.grid import Grid, Web
from scenthound.evaluation.outcomes import (
    Cell,
    Outcome,
    RunEnded,
    outcome_from_json,
    outcome_to_json,
)
from scenthound.similarity.bert import is_minilm_there
from scenthound.similarity.topic_file import named_files
from scenthound.storage.files import os_errors_as, write_json
from scenthound.storage.folder import LOCK_NAME, CrawlFolder, FolderLock, folder_name
from scenthound.strategies.catalogue import CATALOGUE, STRATEGIES

# What the figures of a run depend on besides its cell: program, archive, topic, plug-ins.

_PACKAGES_ABOVE = frozenset({"cli", "evaluation", "output"})
"""Packages of ours that no run can depend on: they lie above those that run it."""


@cache
def program_digest() -> str:
    """A hash of our source and data, as far as the figures of a run depend on it."""
    root = Path(__file__).parent.parent
    return digest_of(program_files(root), root)


def digest_of(files: Iterable[Path], root: Path) -> str:
    """A hash of the names, below ``root``, and the contents of files."""
    digest = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root)}\0{content}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


def program_files(root: Path) -> Iterator[Path]:
    """The files of our package, which lies at ``root``, that a run depends on."""
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name not in _PACKAGES_ABOVE:
            yield from _files(folder)
    yield root / "evaluation" / "run_process.py"


def _source_digest(module: str) -> str:
    """A hash of the package or module that a dotted name begins with; nothing is imported."""
    spec = find_spec(module.partition(".")[0])
    if spec is None:
        return ""
    if not spec.submodule_search_locations:
        path = Path(spec.origin or "")
        return digest_of([path], path.parent) if path.is_file() else ""
    folders = [Path(each) for each in spec.submodule_search_locations]
    return " ".join(digest_of(_files(each, ".py"), each) for each in folders)


def _files(folder: Path, ending: str = "") -> Iterator[Path]:
    found = (path for path in folder.rglob(f"*{ending}") if path.is_file())
    return (path for path in sorted(found) if path.suffix != ".pyc")


_DESCRIPTIONS = {
    "scenthound": "the version of Scenthound",
    "program": "the source of Scenthound",
    "archive": "the content of the archive",
    "topic": "the topic file",
    "files": "a file that the topic names",
    "plugin": "the package of the strategy",
}
_LONGEST_SHOWN = 40
"""Characters: a digest is longer, and means nothing to a reader."""
Provenance = Mapping[str, object]


def versions() -> dict[str, object]:
    """The versions of Scenthound and of what else the figures may depend on."""
    names = ("scenthound", "selectolax", "numpy", "scipy")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def topic_provenance(grid: Grid, web: Web, topic: Topic, fingerprint: str) -> dict[str, object]:
    """The provenance that runs of a topic share; ``fingerprint`` is that of the web's archive."""
    labels = None if web.labels is None else sorted(web.labels.of(topic.name))
    wordnet = grid.options.wordnet
    about = {key: value for key, value in asdict(topic).items() if key != "file"}
    files = [Path(name.strip()).resolve() for name in named_files(grid.as_known(topic))]
    usual = DEFAULT_BUDGET if web.labels is None else BUDGET_WITH_LABELS
    return {
        "scenthound": version("scenthound"),
        "program": program_digest(),
        "archive": fingerprint,
        "topic": _digest(about),
        "labels": None if labels is None else _digest(labels),
        "files": {str(path): _file_digest(path) for path in files},
        "wordnet_files": None
        if wordnet is None
        else digest_of(_files(Path(wordnet)), Path(wordnet)),
        **grid.rules,
        "budget": (grid.options.budget or usual).strip().lower(),  # the same, named or not
    }


def strategy_provenance(strategy: str) -> dict[str, object]:
    """The provenance that runs of a strategy share: the package it comes from and a hash of its
    source, if it is not ours.

    For a strategy that can do without MiniLM it says whether MiniLM is installed.
    """
    found: dict[str, object] = {"plugin": None}
    if (point := STRATEGIES.entry_point(strategy)) is not None:
        source = _source_digest(point.module)
        found["plugin"] = {"package": package_of(point), "source": source}
    if strategy in CATALOGUE and "sentences" in CATALOGUE[strategy].parameters:
        found["minilm"] = is_minilm_there()
    return found


def difference(before: Provenance, now: Provenance) -> str | None:
    """Describe the first difference; None where everything is the same."""
    for key, value in now.items():
        if before.get(key) != value:
            shown = f" ({before.get(key)!r}, now {value!r})"
            what = _DESCRIPTIONS.get(key, key.replace("_", " "))
            return f"{what} has changed{shown if len(shown) <= _LONGEST_SHOWN else ''}"
    return None


def _file_digest(path: Path) -> str | None:
    """None for what cannot be read: the run will say so."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _digest(value: object) -> str:
    written = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()


# The folder of a comparison.

FORMAT = "scenthound-comparison-run"
GRID, RUNS, CRAWLS, TOPICS = "grid.toml", "runs", "crawls", "topics"
_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{16}\.(json|toml|csv|parquet)")
"""The name of a file of ours until it is whole; see :mod:`scenthound.storage.files`."""

# One run: its file and its crawl folder.


def run_name(cell: Cell) -> str:
    """A readable name that no other run has, for files and crawl folders.

    Examples
    --------
    >>> run_name(Cell("schools", "storms", "shark decay=0.3"))
    'storms-shark-decay-0.3-given-0-0-37277402'
    """
    written = json.dumps(asdict(cell), sort_keys=True)
    digest = hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:8]
    parts = (cell.topic, cell.strategy, cell.seeds, str(cell.draw), str(cell.random_seed))
    return f"{folder_name('-'.join(parts))}-{digest}"


def write_run(folder: Path, ended: RunEnded, made_with: Provenance) -> Outcome:
    """Write a run to ``folder`` and return it with its figures rounded as in the file."""
    written = outcome_to_json(ended.outcome)
    content = {
        "format": FORMAT,
        "version": results.VERSION,
        "made_with": dict(made_with),
        "drawn": {"seeds": ended.seeds, "examples": ended.examples},
        "run": written,
    }
    path = folder / f"{run_name(ended.outcome.cell)}.json"
    with os_errors_as(FolderError, f"{path} cannot be written"):
        write_json(path, content)
    return outcome_from_json(written)


def read_run(path: Path) -> tuple[Outcome, Provenance]:
    """Read a run and its provenance; FolderError where the file cannot be used."""
    stored = results.read_stored(path, FORMAT)
    try:
        return outcome_from_json(stored["run"]), dict(stored["made_with"])
    except (LookupError, TypeError, ValueError) as error:
        raise FolderError(f"{path} is damaged ({error}).") from None


def crawl_path(crawls: Path, cell: Cell) -> CrawlFolder:
    """The crawl folder of a run; ``crawls`` holds those of all runs."""
    return CrawlFolder(crawls / run_name(cell))


def is_complete(crawls: Path, cell: Cell) -> bool:
    """Does the crawl folder of the run have the figures, which are written last?"""
    return crawl_path(crawls, cell).results_path.is_file()


def remove_crawl(crawls: Path, cell: Cell) -> None:
    """Remove the crawl folder of a run, if there is one; FolderError where that cannot be done."""
    folder = crawl_path(crawls, cell).path
    if folder.exists():
        with os_errors_as(FolderError, f"{folder} is of an earlier attempt and cannot be removed"):
            shutil.rmtree(folder)


# The folder: whose it is, who works there, and what a kill has left in it.


def refuse_other_folder(folder: Path) -> None:
    """FolderError for a folder that holds anything but a comparison, or is no folder."""
    held = finished_names(folder)
    if GRID in held or held <= {LOCK_NAME}:
        return
    if results.RESULTS_NAME in held:
        # It is written first, so a comparison may have been killed before it had a grid file.
        with suppress(FolderError):
            results.read_comparison(folder)
            return
    raise FolderError(f"{folder} holds other files; choose a new --out folder.")


def finished_names(folder: Path) -> set[str]:
    """The names in a folder, without files that were never finished; none for no folder."""
    with os_errors_as(FolderError, f"{folder} cannot be used"):
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    return {name for name in names if not _UNFINISHED.fullmatch(name)}


@contextmanager
def lock_comparison(folder: Path) -> Iterator[None]:
    """Lock the folder, and remove what an earlier process left unfinished.

    FolderError where another process has the lock. The lock file is removed if all goes well.
    """
    with FolderLock(folder) as lock:
        for place in (folder, folder / RUNS, *(folder / TOPICS).glob("*")):
            for path in place.glob(".*"):
                if _UNFINISHED.fullmatch(path.name):
                    path.unlink(missing_ok=True)
        yield
        release_folder(folder, lock)


_WRITE_INTERVAL_S = 5.0
"""Between two writes of all figures so far; what resuming needs is written after every run."""


class ComparisonWriter:
    """Writes every run as it ends, and all of them to the results file.

    Parameters
    ----------
    grid : what is run.
    folder : of the comparison.
    wanted : every run, with its provenance.
    """

    def __init__(self, grid: Grid, folder: Path, wanted: Mapping[Cell, Provenance]) -> None:
        self.grid = grid
        self.wanted = wanted
        self.outcomes: dict[Cell, Outcome] = {}
        self._folder = folder
        self._due = time.monotonic()
        self._created = datetime.now(UTC).isoformat(timespec="seconds")
        with suppress(FolderError):  # none lies there yet
            self._created = results.read_comparison(folder).created or self._created

    def add(self, ended: RunEnded) -> Outcome:
        """Write a run that is over, and now and then the figures so far; return its outcome."""
        outcome = write_run(self._folder / RUNS, ended, self.wanted[ended.outcome.cell])
        self.outcomes[outcome.cell] = outcome
        if time.monotonic() >= self._due:
            self.write(tables=False)
            self._due = time.monotonic() + _WRITE_INTERVAL_S
        return outcome

    def write(self, tables: bool) -> None:
        """Write the figures so far; see :func:`.results.write_results`."""
        results.write_results(self._folder, self.comparison(), tables=tables)

    def comparison(self) -> results.Comparison:
        """The figures so far, in the order of the grid."""
        done = tuple(self.outcomes[cell] for cell in self.wanted if cell in self.outcomes)
        return results.Comparison(
            self.grid.to_json(), done, len(done) == len(self.wanted), versions(), self._created,
            len(self.wanted),
        )  # fmt: skip


# Resuming: which runs are finished, and do they still fit?


def finished_runs(
    folder: Path, wanted: Mapping[Cell, Provenance], keep_crawls: bool
) -> dict[Cell, Outcome]:
    """Return the runs of a comparison that need not be done again.

    Parameters
    ----------
    folder : of the comparison.
    wanted : the runs of the grid, and the provenance of each now.
    keep_crawls : are crawl folders kept? Then a run without a whole one is done again.

    Runs that failed, or whose file is damaged, are done again. FolderError where a finished run is
    not in the grid, or was made with something else.
    """
    found: dict[Cell, Outcome] = {}
    lacking = 0
    for path in sorted((folder / RUNS).glob("[!.]*.json")):
        try:
            outcome, made_with = read_run(path)
        except FolderError as error:
            warn_caller(f"{error} That run is done again.")
            continue
        cell = outcome.cell
        if outcome.error:
            continue
        if cell not in wanted:
            raise FolderError(
                f"{folder} has a finished run that this grid leaves out: {cell.web} {cell.topic} "
                f"{cell.strategy!r} {cell.seeds} seeds, draw {cell.draw}, random seed "
                f"{cell.random_seed}; a grid may only grow: add that again, or choose another "
                "--out folder."
            )
        changed = difference(made_with, wanted[cell])
        if changed is not None:
            raise FolderError(
                f"{folder} has finished runs, and since then {changed}: choose another --out "
                "folder, or change it back."
            )
        if keep_crawls and not is_complete(folder / CRAWLS, cell):
            lacking += 1
        else:
            found[cell] = outcome
    if lacking:
        warn_caller(f"finished runs without a crawl folder are done again: {lacking:,}")
    return found
