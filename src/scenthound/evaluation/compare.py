"""Comparisons of strategies x topics x draws: checked first, run in parallel, resumed.

:func:`compare` is the function for Python, :func:`compare_grid` does the work for it, for the
command line and for bench-web.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.core.model import Topic
from scenthound.core.options import takes
from scenthound.crawler.argument_checks import check_number, check_path
from scenthound.crawler.caches import refuse_cache_file
from scenthound.crawler.scope import exclude_advice
from scenthound.evaluation import comparison_folder as folders
from scenthound.evaluation import grid as grids
from scenthound.evaluation import grid_file
from scenthound.evaluation.grid import missing_extra
from scenthound.evaluation.outcomes import GIVEN, Cell
from scenthound.evaluation.results import Comparison
from scenthound.evaluation.run_process import WorkOrder
from scenthound.evaluation.worker_pool import ComparisonProgress, Schedule, WorkerPool
from scenthound.storage.archive import open_archive
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import check_required_path
from scenthound.strategies.catalogue import DEFAULT_STRATEGY
from scenthound.strategies.checks import trial_context
from scenthound.text.pdf import require_pdf
from scenthound.text.wordnet_files import load_wordnet

BASELINE = "breadth-first"
DEFAULT_STRATEGIES = (BASELINE, "vsm-mean", "soft-svsm", DEFAULT_STRATEGY)
_SLOW_EXTRA = "neural"
"""The extra whose libraries take seconds to load."""


@takes(CompareOptions)
def compare(
    archive: str | Path | None = None,
    topics: Sequence[Topic | str | Path] | Topic | str | Path | None = None,
    *,
    out: str | Path,
    grid: str | Path | None = None,
    labels: str | Path | None = None,
    workers: int | None = None,
    watch: ComparisonProgress | None = None,
    **options: Any,
) -> Comparison:
    """Run strategies on topics of an archive and compare what they found.

    A value that is not given is that of the grid file, or else the default. Finished runs in
    ``out`` are not done again, so the same call resumes a comparison.

    Parameters
    ----------
    archive : WARC file, WACZ file, or a folder of either or of HTML files.
    topics : topics, topic files, or patterns such as ``"topics/*.toml"``; a list, or one of them.
    out : the folder for figures and finished runs.
    grid : a grid file; by default the one in ``out``, if there is no archive.
    labels : file of human labels, to measure against and to draw by.
    workers : processes at once; by default one for each core.
    watch : follows the runs.
    options : ``strategies``, ``baseline``, ``seeds``, ``draws``, ``budget``, ... as keywords: see
        :class:`~scenthound.core.command_options.CompareOptions`.

    Raises
    ------
    InputError
        Something cannot be used; nothing was run then. A run that fails has an error in its
        outcome, and the others go on.
    """
    check_path("archive", archive)
    check_path("grid", grid)
    check_required_path("out", out)
    check_number("workers", workers, whole=True)
    wanted = CompareOptions.from_arguments(**options)
    listed = [topics] if isinstance(topics, Topic | str | Path) else list(topics or ())
    web = web_values(None if archive is None else Path(archive), listed, labels)
    values = {**wanted.model_dump(exclude_unset=True), **web}
    asked = build_grid(None if grid is None else Path(grid), Path(out), values)
    return compare_grid(asked, Path(out), workers, watch)


def web_values(
    archive: Path | None, topics: Sequence[Topic | str | Path], labels: str | Path | None
) -> dict[str, object]:
    """The archive, topics and labels as values of a grid; empty for none.

    SettingsError for an archive without topics, or topics without an archive.
    """
    if archive is None:
        if topics:
            raise SettingsError("there are topics and no archive; give the archive first.")
        return {} if labels is None else {"labels": labels}
    if archive.suffix.lower() == ".toml":
        raise SettingsError(f"{archive} is a topic file; give the archive first, then the topics.")
    if not topics:
        raise SettingsError("there is an archive and no topic; give topic files behind it.")
    web = {"archive": archive, "topics": list(topics)}
    return {grids.WEB: [web if labels is None else {**web, "labels": labels}]}


def build_grid(file: Path | None, out: Path, given: grid_file.Values) -> grids.Grid:
    """Build the grid of a file, with the given values in place of the file's.

    Parameters
    ----------
    file : the grid file; None for the one in ``out``, if no web is given and it is there.
    out : the folder of the comparison.
    given : by the keys of a grid file, None where not given; ``labels`` are for the only web.
    """
    if file is None and grids.WEB not in given and (out / folders.GRID).is_file():
        file = out / folders.GRID
    values: dict[str, object] = {"strategies": DEFAULT_STRATEGIES, "baseline": BASELINE}
    with suppress(SettingsError, KeyError):  # a comparison that keeps crawls goes on keeping them
        stored = grid_file.read_grid_file(out / folders.GRID)
        values[grids.KEEP_CRAWLS] = stored[grids.KEEP_CRAWLS]
    values |= {} if file is None else grid_file.read_grid_file(file)
    values |= {key: value for key, value in given.items() if value is not None}
    if "labels" in values:
        webs = values.get(grids.WEB)
        if not isinstance(webs, list) or len(webs) != 1:
            raise SettingsError(
                "labels are for one archive; give them beside the archive, or in each [[web]] of "
                "the grid file."
            )
        values[grids.WEB] = [{**webs[0], "labels": values.pop("labels")}]
    grid = grid_file.make_grid(values)
    for topic in (topic for web in grid.webs for topic in web.topics):
        for advice in exclude_advice(topic):
            warn_caller(advice)
    if grid.steady:
        warn_caller(
            f"{', '.join(grid.steady)}: nothing is left to chance, so one random seed is run "
            f"and not {grid.options.random_seeds}"
        )
    return grid


def compare_grid(
    grid: grids.Grid, out: Path, workers: int | None = None,
    watch: ComparisonProgress | None = None, indexes: Path | None = None,
) -> Comparison:  # fmt: skip
    """Do all runs of a grid, and leave their figures in a folder.

    Parameters
    ----------
    grid : what to run.
    out : the folder. Runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    watch : follows the runs.
    indexes : folder for the indexes of archives; by default the user's own.

    Returns
    -------
    The outcome of every run, in the order of the grid. One that failed has an error.

    Raises
    ------
    InputError
        The grid cannot be run, or the folder holds something else. Nothing was run then.
    """
    if workers is not None and workers < 1:
        raise SettingsError(f"with {workers} workers nothing would be done; give 1 or more.")
    watch = watch or ComparisonProgress()
    folders.refuse_other_folder(out)
    wanted = preflight(grid, watch, indexes)
    crawls = out / folders.CRAWLS
    with os_errors_as(FolderError, f"{out} cannot be made"):
        (out / folders.RUNS).mkdir(parents=True, exist_ok=True)
    with folders.lock_comparison(out):
        writer = folders.ComparisonWriter(grid, out, wanted)
        writer.outcomes.update(folders.finished_runs(out, wanted, grid.options.keep_crawls))
        for cell in wanted:  # attempts that failed, were stopped or interrupted
            if cell not in writer.outcomes or not folders.is_complete(crawls, cell):
                folders.remove_crawl(crawls, cell)
        writer.write(tables=False)  # first: it says whose folder this is
        writer.grid = grid_file.with_topic_files(grid, out / folders.TOPICS)
        grid_file.write_grid_file(out / folders.GRID, writer.grid)
        try:
            order = WorkOrder(writer.grid, crawls if grid.options.keep_crawls else None, indexes)
            _run(writer, workers or available_cores(), order, watch)
        finally:  # whatever ends the work, the figures of what is finished are there
            writer.write(tables=True)
        return writer.comparison()


def _run(
    writer: folders.ComparisonWriter, workers: int, order: WorkOrder, watch: ComparisonProgress
) -> None:
    """Do the runs that are not finished, in several processes."""
    left = [cell for cell in writer.wanted if cell not in writer.outcomes]
    workers = min(workers, len(left))
    watch.planned(len(writer.wanted), len(writer.outcomes), workers)
    if not left:
        return
    # Slow strategies come first in their unit, so that none of them runs alone at the end.
    units = {cell.unit: number for number, cell in enumerate(left)}
    slow = {each.label for each in order.grid.contenders if each.spec.extra}
    left.sort(key=lambda cell: (units[cell.unit], cell.strategy not in slow))
    threads = max(1, available_cores() // workers)
    with WorkerPool(order, Schedule(left), workers, threads, watch) as pool:
        for ended in pool.outcomes():
            watch.ended(writer.add(ended))


def available_cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def preflight(
    grid: grids.Grid, watch: ComparisonProgress, indexes: Path | None = None
) -> Mapping[Cell, folders.Provenance]:
    """Check everything that a run would fail at, and return the runs with their provenance.

    Every archive is opened, and indexed if it never was. InputError where one cannot be read, an
    extra is not installed, a parameter is out of range, or no seed of a topic is in its archive.
    """
    refuse_cache_file(grid.cache.path)
    if grid.options.pdf:
        require_pdf()
    if grid.options.wordnet is not None:
        load_wordnet(Path(grid.options.wordnet))
    for each in grid.contenders:
        if missing := missing_extra(each.spec):
            raise SettingsError(f"strategy {each.name!r}: {missing}.")
        if each.parameters and each.spec.extra != _SLOW_EXTRA:  # finds a value out of range
            each.spec.build(trial_context(each.spec), each.parameters)
    known: dict[tuple[str, str], dict[str, object]] = {}
    for web in grid.webs:
        fingerprint = _check_archive(grid, web, watch, indexes)
        for topic in web.topics:
            known[web.name, topic.name] = folders.topic_provenance(grid, web, topic, fingerprint)
    by_strategy = {each.label: folders.strategy_provenance(each.name) for each in grid.contenders}
    return {
        cell: {**known[cell.web, cell.topic], **by_strategy[cell.strategy]} for cell in grid.cells()
    }


def _check_archive(
    grid: grids.Grid, web: grids.Web, watch: ComparisonProgress, indexes: Path | None
) -> str:
    """Return the fingerprint of the archive; a topic without a seed in it would always fail."""
    reading = partial(watch.reading, web.archive.name)
    with open_archive(web.archive, cache=indexes, progress=reading) as archive:
        for reason, skipped in archive.skipped.items():
            warn_caller(
                f"{web.archive.name}: {skipped.count} records skipped ({reason}), "
                f"e.g. {skipped.examples[0]}"
            )
        for topic in web.topics if GIVEN in grid.options.seeds else ():
            if not any(url in archive for url in topic.seeds):
                first = f" (the first is {topic.seeds[0]})" if topic.seeds else ""
                drawn = "" if web.labels is None else ", or have them drawn with --seeds relevant"
                raise SettingsError(
                    f"{topic}: none of its {len(topic.seeds)} seeds is in {archive.path}{first}; "
                    f"give seeds that are{drawn}."
                )
        return archive.fingerprint
