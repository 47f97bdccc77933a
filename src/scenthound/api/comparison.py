"""Comparisons from Python: strategies x topics x draws, run side by side, with statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from scenthound.api.arguments import check_given_path, check_number, check_path
from scenthound.api.shared import DEFAULT_STRATEGY, warn_caller
from scenthound.comparison.folder_upkeep import GRID
from scenthound.comparison.grid import Grid
from scenthound.comparison.grid_file import read_grid_file
from scenthound.comparison.grid_keys import KEEP_CRAWLS, WEB
from scenthound.comparison.grid_making import Values, make_grid
from scenthound.comparison.model import Cell
from scenthound.comparison.results_file import Comparison
from scenthound.comparison.running import compare_grid
from scenthound.comparison.watching import Unwatched, Watch
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.topic_reading import Warn
from scenthound.live.scoping import exclude_advice

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
    watch: Watch | None = None,
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
    check_given_path("out", out)
    check_number("workers", workers, whole=True)
    given = {
        "strategies": strategies, "baseline": baseline, "seeds": seeds, "draws": draws,
        "random_seeds": random_seeds, "budget": budget, "measure": measure, "judge": judge,
        "threshold": threshold, "count_missing": count_missing, "pdf": pdf, "inlinks": inlinks,
        "wordnet": wordnet, "keywords_only": keywords_only, "keep_crawls": keep_crawls,
        "cache": cache, "cache_limit": cache_limit,
    }  # fmt: skip
    tell = warn or warn_caller
    listed = [topics] if isinstance(topics, Topic | str | Path) else list(topics or ())
    web = asked_web(None if archive is None else Path(archive), listed, labels)
    asked = asked_grid(None if grid is None else Path(grid), Path(out), {**given, **web}, tell)
    told = watch or _Warning(tell)
    return compare_grid(asked, Path(out), workers, told)


def asked_web(
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


def asked_grid(file: Path | None, out: Path, given: Values, warn: Warn) -> Grid:
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
    values = {**_kept_choice(out), **values}
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


def _kept_choice(out: Path) -> dict[str, object]:
    """Whether the comparison in a folder keeps crawls; empty where there is none that says so."""
    with suppress(SettingsError):
        told = read_grid_file(out / GRID)
        return {key: value for key, value in told.items() if key == KEEP_CRAWLS}
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


class _Warning(Unwatched):
    """Hears nothing but warnings, and that a process died."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn

    def warned(self, message: str) -> None:
        """Passed on."""
        self._warn(message)

    def died(self, cell: Cell, cause: str) -> None:
        """Passed on in words."""
        self._warn(f"{cell.topic} {cell.strategy}: its process died ({cause}); tried once more")
