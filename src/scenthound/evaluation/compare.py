"""Runs a grid in parallel: checks everything first, skips finished runs, writes results as they
come.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.options import CompareOptions
from scenthound.crawler.arguments import check_number, check_path, check_required_path
from scenthound.crawler.run_caches import refuse_cache_file
from scenthound.crawler.scope import exclude_advice
from scenthound.crawler.topic_reading import Warn
from scenthound.evaluation.comparison_folder import (
    CRAWLS,
    GRID,
    RUNS,
    TOPICS,
    Clock,
    ComparisonWriter,
    RunRecord,
    finished_runs,
    lock_comparison,
    refuse_other_folder,
    remove_leftovers,
)
from scenthound.evaluation.contenders import Contender, missing_extra
from scenthound.evaluation.grid import KEEP_CRAWLS, WEB, Grid, Web
from scenthound.evaluation.grid_file import (
    Values,
    make_grid,
    read_grid_file,
    with_topic_files,
    write_grid_file,
)
from scenthound.evaluation.outcomes import GIVEN, Cell
from scenthound.evaluation.provenance import Provenance, strategy_provenance, topic_provenance
from scenthound.evaluation.results import Comparison
from scenthound.evaluation.worker_pool import ComparisonProgress, Schedule, WorkerPool, WorkOrder
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.files import os_errors_as
from scenthound.strategies.catalogue import DEFAULT_STRATEGY
from scenthound.strategies.checks import EXAMPLES, KEYWORDS, LABELS
from scenthound.strategies.spec import StrategyContext
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf_pages import require_pdf
from scenthound.text.wordnet_files import load_wordnet

_NEURAL, _ONTOLOGY, _WORDNET, _PLAIN = 30.0, 6.0, 3.0, 1.0
"""For a page, measured on the sample web; only the order of magnitude matters."""


def cost_of(grid: Grid, cell: Cell) -> float:
    """Pages that the run may fetch, times what a page costs with its strategy.

    Where the budget is no plain number, the labelled pages stand for it.
    """
    budget, labels = grid.rules.budget, grid.web(cell.web).labels
    fixed = labels is None or (budget is not None and budget.strip().isdigit())
    spec = grid.contender(cell.strategy).spec
    weight = _WORDNET if spec.uses_wordnet else _PLAIN
    if spec.extra:
        weight = _NEURAL if spec.extra == _SLOW_EXTRA else _ONTOLOGY
    return weight * (1 if fixed or labels is None else len(labels.of(cell.topic)))


_SLOW_EXTRA = "neural"
"""The extra whose libraries take seconds to load."""


def preflight(
    grid: Grid, watch: ComparisonProgress, indexes: Path | None = None
) -> dict[Cell, Provenance]:
    """The runs of a grid, each with what it is made with, in the grid's order.

    Every archive is opened, and indexed if it never was; ``indexes`` is the folder for that, None
    for the user's own. InputError of the fitting kind where one cannot be read, an extra is not
    installed, a parameter is out of range, or no seed of a topic is in its archive.
    """
    _check_libraries(grid, watch)
    for each in grid.contenders:
        _try_to_build(each)
    fingerprints = {web.name: _check_archive(grid, web, watch, indexes) for web in grid.webs}
    known = {
        (web.name, topic.name): topic_provenance(grid, web, topic, fingerprints[web.name])
        for web in grid.webs
        for topic in web.topics
    }
    by_strategy = {each.label: strategy_provenance(each.name) for each in grid.contenders}
    return {
        cell: {**known[cell.web, cell.topic], **by_strategy[cell.strategy]} for cell in grid.cells()
    }


def _check_libraries(grid: Grid, watch: ComparisonProgress) -> None:
    refuse_cache_file(grid.cache.path)
    if grid.rules.pdf:
        require_pdf()
    if grid.rules.wordnet is not None:
        load_wordnet(Path(grid.rules.wordnet), watch.warned)
    for each in grid.contenders:
        if missing := missing_extra(each.spec):
            raise SettingsError(f"strategy {each.name!r}: {missing}.")


def _try_to_build(each: Contender) -> None:
    """Build it once where values were set, unless that takes seconds, to find a wrong value."""
    if each.parameters and each.spec.extra != _SLOW_EXTRA:
        labels = LABELS if each.spec.needs_labels else frozenset()
        profile = TopicProfile("trial", KEYWORDS, EXAMPLES)
        strategy_context = StrategyContext(profile, Analyzer(), random.Random(0), labels)
        each.spec.build(strategy_context, each.parameters)


def _check_archive(grid: Grid, web: Web, watch: ComparisonProgress, indexes: Path | None) -> str:
    """The fingerprint of the archive."""
    reading = partial(watch.reading, web.archive.name)
    with open_archive(web.archive, cache=indexes, progress=reading) as archive:
        for reason, skipped in archive.skipped.items():
            watch.warned(
                f"{web.archive.name}: {skipped.count} records skipped ({reason}), "
                f"e.g. {skipped.examples[0]}"
            )
        if GIVEN in grid.seeds:
            _check_seeds(web, archive)
        return archive.fingerprint


def _check_seeds(web: Web, archive: Archive) -> None:
    """A topic without a seed in the archive would fail in every run."""
    for topic in web.topics:
        if not any(url in archive for url in topic.seeds):
            first = f" (the first is {topic.seeds[0]})" if topic.seeds else ""
            drawn = "" if web.labels is None else ", or have them drawn with --seeds relevant"
            raise SettingsError(
                f"{topic}: none of its {len(topic.seeds)} seeds is in {archive.path}{first}; give "
                f"seeds that are{drawn}."
            )


# Running: in parallel, finished runs kept, resumed from there.


def compare_grid(
    grid: Grid,
    out: Path,
    workers: int | None = None,
    watch: ComparisonProgress | None = None,
    clock: Clock = time.monotonic,
    indexes: Path | None = None,
) -> Comparison:
    """Do all runs of a grid, and leave their figures in a folder.

    Parameters
    ----------
    grid : what to run.
    out : the folder. Runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    watch : follows the runs.
    clock : seconds, for how often the figures so far are written.
    indexes : folder for the indexes of archives; by default the user's own.

    Returns
    -------
    The outcome of every run, in the order of the grid. One that failed has an error in words.

    Raises
    ------
    InputError
        The grid cannot be run, or the folder holds something else. Nothing was run then.
    """
    if workers is not None and workers < 1:
        raise SettingsError(f"with {workers} workers nothing would be done; give 1 or more.")
    watch = watch or ComparisonProgress()
    refuse_other_folder(out)
    wanted = preflight(grid, watch, indexes)
    crawls = out / CRAWLS
    with os_errors_as(FolderError, f"{out} cannot be made"):
        (out / RUNS).mkdir(parents=True, exist_ok=True)
    with lock_comparison(out):
        writer = ComparisonWriter(grid, out, wanted, clock)
        writer.outcomes.update(finished_runs(out, wanted, grid.keep_crawls, watch.warned))
        remove_leftovers(crawls, wanted, writer.outcomes)
        writer.write(tables=False)  # first: it says whose folder this is
        writer.grid = with_topic_files(grid, out / TOPICS)
        write_grid_file(out / GRID, writer.grid)
        try:
            order = WorkOrder(writer.grid, crawls if grid.keep_crawls else None, indexes)
            _run(writer, workers or available_cores(), order, watch)
        finally:  # whatever ends the work, the figures of what is finished are there
            for name, why in writer.write(tables=True).items():
                watch.warned(f"{name} is left out: {why}")
        return writer.comparison()


def _run(
    writer: ComparisonWriter, workers: int, order: WorkOrder, watch: ComparisonProgress
) -> None:
    """The runs that are not finished, by several processes."""
    left = [cell for cell in writer.wanted if cell not in writer.outcomes]
    workers = min(workers, len(left))
    watch.planned(len(writer.wanted), len(writer.outcomes), workers)
    if not left:
        return
    cost = partial(cost_of, writer.grid)
    units = {cell.unit: number for number, cell in enumerate(left)}
    left.sort(key=lambda cell: (units[cell.unit], -cost(cell)))
    threads = max(1, available_cores() // workers)
    with WorkerPool(order, Schedule(left, cost), workers, threads, watch) as pool:
        for ended in pool.outcomes():
            record = RunRecord(ended.outcome, writer.wanted[ended.outcome.cell], ended.drawn)
            watch.ended(writer.keep(record))


def available_cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _made(folder: Path) -> None:
    with os_errors_as(FolderError, f"{folder} cannot be made"):
        folder.mkdir(parents=True, exist_ok=True)


# Comparisons from Python: strategies x topics x draws, run side by side, with statistics.


BASELINE = "breadth-first"


DEFAULT_STRATEGIES = (BASELINE, "vsm-mean", "soft-svsm", DEFAULT_STRATEGY)


_LABELS = "labels"


_TOPIC_FILE = ".toml"


def compare(
    archive: str | Path | None = None,
    topics: Sequence[Topic | str | Path] | Topic | str | Path | None = None,
    *,
    out: str | Path,
    grid: str | Path | None = None,
    labels: str | Path | None = None,
    strategies: Sequence[str] | None = None,
    baseline: str | None = None,
    seeds: Sequence[str] | None = None,
    draws: int | None = None,
    random_seeds: int | None = None,
    budget: int | str | None = None,
    measure: str | None = None,
    judge: str | None = None,
    threshold: float | None = None,
    count_missing: bool | None = None,
    pdf: bool | None = None,
    inlinks: str | None = None,
    wordnet: str | Path | None = None,
    keywords_only: bool | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    workers: int | None = None,
    keep_crawls: bool | None = None,
    watch: ComparisonProgress | None = None,
    warn: Warn | None = None,
) -> Comparison:
    """Run strategies on topics of an archive, side by side, and compare what they found.

    What is not given is as the grid file says, or else as by default. Runs that are finished in
    ``out`` are not done again, so the same call goes on where it was ended.

    Parameters
    ----------
    archive : WARC file, WACZ file, or a folder of either or of HTML files.
    topics : topics, topic files, or patterns such as ``"topics/*.toml"``; a list, or one of them.
    out : the folder for figures and finished runs.
    grid : a grid file; by default the one in ``out``, if there is no archive.
    labels : file of human labels, to measure against and to draw by.
    strategies : names, with parameters behind them if wanted: ``"shark decay=0.3"``; ``"all"`` for
        every strategy that can be run here.
    baseline : the strategy that the others are compared with, and which runs too; by default
        breadth-first.
    seeds : where crawls start, one or several of ``"given"``, ``"relevant"``, ``"irrelevant"``.
    draws : how often seeds and example pages are drawn; the first takes them from the topic file.
    random_seeds : how many; strategies that leave nothing to chance run with one.
    budget : pages a run, or a multiple of the labelled pages such as ``"2x"``.
    measure : the figure to compare by; by default labelled harvest, or HR without labels.
    judge, threshold, count_missing, pdf, inlinks, wordnet : as for :func:`replay`.
    keywords_only : leave out the topics' example pages, and draw none?
    cache, cache_limit : where pages, terms and vectors are kept between runs, and how many.
    workers : processes at once; by default one for each core.
    keep_crawls : leave the crawl folder of every run under ``out/crawls``? By default as the
        comparison in ``out`` does, and a new one does not.
    watch : hears how it goes.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.

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
    options = CompareOptions.given(
        strategies=strategies, baseline=baseline, seeds=seeds, draws=draws,
        random_seeds=random_seeds, budget=budget, measure=measure, judge=judge,
        threshold=threshold, count_missing=count_missing, pdf=pdf, inlinks=inlinks,
        wordnet=wordnet, keywords_only=keywords_only, keep_crawls=keep_crawls, cache=cache,
        cache_limit=cache_limit,
    )  # fmt: skip
    given = options.model_dump(exclude_unset=True)
    tell = warn or warn_caller
    listed = [topics] if isinstance(topics, Topic | str | Path) else list(topics or ())
    web = web_values(None if archive is None else Path(archive), listed, labels)
    asked = build_grid(None if grid is None else Path(grid), Path(out), {**given, **web}, tell)
    described = watch or _WarningWatch(tell)
    return compare_grid(asked, Path(out), workers, described)


def web_values(
    archive: Path | None, topics: Sequence[Topic | str | Path], labels: str | Path | None
) -> dict[str, object]:
    """The archive, topics and labels as values of a grid; empty for none.

    SettingsError for an archive without topics, or topics without an archive.
    """
    if archive is None:
        if topics:
            raise SettingsError("there are topics and no archive; give the archive first.")
        return {} if labels is None else {_LABELS: labels}
    if archive.suffix.lower() == _TOPIC_FILE:
        raise SettingsError(f"{archive} is a topic file; give the archive first, then the topics.")
    if not topics:
        raise SettingsError("there is an archive and no topic; give topic files behind it.")
    web = {"archive": archive, "topics": list(topics), _LABELS: labels}
    return {WEB: [{key: value for key, value in web.items() if value is not None}]}


def build_grid(file: Path | None, out: Path, given: Values, warn: Warn) -> Grid:
    """The grid of a file with what is given laid over it; None is not given.

    Parameters
    ----------
    file : the grid file; None for the one in ``out``, if no web is given and it is there.
    out : the folder of the comparison.
    given : by the keys of a grid file; ``labels`` are for the file's only web.
    warn : gets what is left out, in words.
    """
    if file is None and WEB not in given and (out / GRID).is_file():
        file = out / GRID
    values: dict[str, object] = {} if file is None else read_grid_file(file)
    values |= {key: value for key, value in given.items() if value is not None}
    values = {**_stored_keep_crawls(out), **values}
    if _LABELS in values:
        values[WEB] = _labelled(values.get(WEB), values.pop(_LABELS))
    asked = make_grid(_with_defaults(values), warn)
    for topic in (topic for web in asked.webs for topic in web.topics):
        for advice in exclude_advice(topic):
            warn(advice)
    if asked.steady:
        warn(
            f"{', '.join(asked.steady)}: nothing is left to chance, so one random seed is run "
            f"and not {asked.random_seeds}"
        )
    return asked


def _stored_keep_crawls(out: Path) -> dict[str, object]:
    """Whether the comparison in a folder keeps crawls; empty where there is none that says so."""
    with suppress(SettingsError):
        described = read_grid_file(out / GRID)
        return {key: value for key, value in described.items() if key == KEEP_CRAWLS}
    return {}


def _with_defaults(values: dict[str, object]) -> dict[str, object]:
    """The usual strategies where none is named, and the usual baseline."""
    return {"strategies": list(DEFAULT_STRATEGIES), "baseline": BASELINE, **values}


def _labelled(webs: object, labels: object) -> list[Mapping[str, object]]:
    """The only web with these labels."""
    if not isinstance(webs, list) or len(webs) != 1:
        raise SettingsError(
            "labels are for one archive; give them beside the archive, or in each [[web]] of the "
            "grid file."
        )
    return [{**webs[0], _LABELS: labels}]


class _WarningWatch(ComparisonProgress):
    """Hears nothing but warnings, and that a process died."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn

    def warned(self, message: str) -> None:
        """Passed on."""
        self._warn(message)

    def died(self, cell: Cell, cause: str) -> None:
        """Passed on in words."""
        self._warn(f"{cell.topic} {cell.strategy}: its process died ({cause}); tried once more")
