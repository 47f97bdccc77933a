"""Reports from Python: one HTML file for a crawl, a comparison or a tuning."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from scenthound.api.arguments import check_labels, check_number, check_path
from scenthound.api.assessment import score
from scenthound.api.merging import Folders, given_folders
from scenthound.api.shared import warn_caller
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.corpus.as_one import open_as_one
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.topic_reading import Warn
from scenthound.reporting.document import Document
from scenthound.reporting.kinds import Kind, kind_of
from scenthound.store.lock import holder

TOP, MOST_TOP = 10, 200
"""Pages that are explained; each one is read and judged again."""
OnReport = Callable[[str, int, int], None]
"""Told what is done, how far that is, and how far it goes."""
_OF = {"top": Kind.CRAWL, "labels": Kind.CRAWL, "judged": Kind.CRAWL,
       "baseline": Kind.COMPARISON, "measure": Kind.COMPARISON}  # fmt: skip


def report(
    folder: Folders,
    out: str | Path | None = None,
    *,
    files: bool = True,
    top: int | None = None,
    labels: str | Path | Labels | None = None,
    judged: str | Path | None = None,
    baseline: str | None = None,
    measure: str | None = None,
    on_progress: OnReport | None = None,
    warn: Warn | None = None,
) -> Path:
    """Write a report: one HTML file that needs nothing else, and its plots beside it.

    Parameters
    ----------
    folder : of a crawl or a replay, which may be running, of a comparison or of a tuning. Of a
        crawl of several workers the one that holds their folders, or a list of them.
    out : the file; by default ``report.html`` in the folder. A report that is there is replaced.
        It has to be given for a list of folders.
    files : also write every plot as SVG, PNG and CSV, into a folder named after the file.
    top : how many pages of a crawl are explained; 10 by default.
    labels : human labels to measure a crawl by, where its own results have none.
    judged : judgements of a sample of a crawl's pages, as ``draw_sample`` made the file.
    baseline : strategy that those of a comparison are compared with; by default that of its grid.
    measure : indicator that they are compared by; by default labelled harvest, or ``hr``.
    on_progress : called now and then with what is done, how far that is, and how far it goes.
    warn : called with a sentence for what is odd; by default a ScenthoundWarning.

    Returns the file. Nothing else in the folder is changed.

    Raises
    ------
    InputError
        The folder holds nothing to report on, or something given cannot be used.
    """
    from scenthound.reporting.writing import check_target, write_report

    folders = given_folders("folder", folder)
    check_path("out", out)
    kind = kind_of(folders[0]) if len(folders) == 1 else Kind.CRAWL
    _check_options(kind, top=top, labels=labels, judged=judged, baseline=baseline, measure=measure)
    target = _within(folders) if out is None else Path(out)
    check_target(target)
    told, complain = on_progress or _silent, warn or warn_caller
    if kind is Kind.CRAWL:
        document = _crawl(folders, TOP if top is None else top, labels, judged, told, complain)
    elif kind is Kind.COMPARISON:
        document = _comparison(folders[0], baseline, measure)
    else:
        document = _tuning(folders[0])
    return write_report(document, target, files, told)


def _check_options(kind: Kind, **given: object) -> None:
    """SettingsError for what is given and would not be heeded, or cannot be used."""
    for name, value in given.items():
        if value is not None and _OF[name] is not kind:
            what = _OF[name].name.lower()
            raise SettingsError(
                f"{name} is for the report of a {what}, which this is not; drop it."
            )
    check_number("top", given["top"], whole=True)
    check_labels(given["labels"])
    check_path("judged", given["judged"])
    top = given["top"]
    if isinstance(top, int) and not 0 <= top <= MOST_TOP:
        raise SettingsError(f"top is within 0 and {MOST_TOP}, not {top}.")


def _within(folders: Sequence[Path]) -> Path:
    if len(folders) != 1:
        raise SettingsError("a report of several folders lies in none of them; give its file, out.")
    return folders[0] / "report.html"


def _crawl(
    folders: Sequence[Path],
    top: int,
    labels: str | Path | Labels | None,
    judged: str | Path | None,
    on_progress: OnReport,
    warn: Warn,
) -> Document:
    from scenthound.reporting.crawl_reading import read_crawl
    from scenthound.reporting.crawl_report import crawl_document

    found = None if judged is None else score(folders, judged, warn=warn)
    try:
        with open_as_one(folders, on_progress=on_progress) as stored:
            about = _labelled(stored, labels)
            reading = read_crawl(stored, top, about, on_progress)
            return crawl_document(stored, reading, stored.is_running, found)
    except sqlite3.Error as error:
        raise FolderError(
            f"the database in {folders[0]} cannot be read ({error}); if the crawl has just begun, "
            "try again when it has fetched a page."
        ) from None


def _labelled(stored: StoredCrawl, labels: str | Path | Labels | None) -> frozenset[str] | None:
    if labels is None:
        return _own_labels(stored)
    read = labels if isinstance(labels, Labels) else read_labels(labels)
    return read.of(stored.topic.name)


def _own_labels(stored: StoredCrawl) -> frozenset[str] | None:
    """Those that a live crawl was given, if their file is still there; None for others.

    A replay measures by those of the labelled pages that its archive has: its results have the
    figures.
    """
    if not stored.is_live:
        return None
    source = stored.order.get("source")
    path = source.get("labels") if isinstance(source, dict) else None
    try:
        return None if path is None else read_labels(str(path)).of(stored.topic.name)
    except InputError:
        return None


def _comparison(folder: Path, baseline: str | None, measure: str | None) -> Document:
    from scenthound.reporting.comparison_report import comparison_document

    return comparison_document(folder, baseline, measure, holder(folder) is not None)


def _tuning(folder: Path) -> Document:
    from scenthound.reporting.tuning_report import tuning_document

    return tuning_document(folder)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
