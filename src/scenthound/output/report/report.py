"""Reports from Python: one HTML file for a crawl, a comparison or a tuning, whichever a folder
holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.options import FilePath, Flag, Options, Text, option, takes, whole_within
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.evaluation.judging import score
from scenthound.output.report.document import Document
from scenthound.output.report.file import check_target, write_report
from scenthound.storage.folder import (
    Folders,
    contains_workers,
    find_crawls,
    folder_paths,
    lock_holder,
)
from scenthound.storage.stored_crawl import OnProgress, StoredCrawl, open_whole_crawl


class Kind(Enum):
    """What reports are made of, each with the file that tells it."""

    CRAWL = "crawl.json"
    COMPARISON = "comparison.json"
    TUNING = "tuning.json"


_MAX_NAMED = 10


def kind_of(folder: Path) -> Kind:
    """What the folder holds; FolderError where that is nothing to report on, or several things.

    The folders of a crawl's workers are one crawl.
    """
    try:
        if not folder.is_dir():
            state = "is no folder" if folder.exists() else "is not there"
            raise FolderError(
                f"{folder} {state}; give the folder of a crawl, comparison or tuning."
            )
        found = [kind for kind in Kind if (folder / kind.value).exists()]
    except OSError as error:
        raise FolderError(f"{folder} cannot be read: {error.strerror or error}.") from None
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(kind.value for kind in found)
        raise FolderError(f"{folder} holds {names}; give a folder that holds one of them.")
    if contains_workers(folder):
        return Kind.CRAWL
    below = [str(each) for each in find_crawls(folder)]
    if below:
        what = "several crawls; give one of them" if below[1:] else "a crawl further down; give it"
        more = f" and {len(below) - _MAX_NAMED:,} more" if len(below) > _MAX_NAMED else ""
        raise FolderError(f"{folder} holds {what}: {', '.join(below[:_MAX_NAMED])}{more}.")
    raise FolderError(
        f"{folder} holds nothing to report on; give the folder of a crawl (crawl.json), a "
        "comparison (comparison.json) or a tuning (tuning.json)."
    )


_MOST_TOP = 200
"""Pages that are explained at most; each one is read and judged again."""
TopPages = Annotated[int, whole_within(0, _MOST_TOP)]
_OF = {"top": Kind.CRAWL, "labels": Kind.CRAWL, "judged": Kind.CRAWL,
       "baseline": Kind.COMPARISON, "measure": Kind.COMPARISON}  # fmt: skip


class ReportOptions(Options):
    """The options of ``scenthound report``; some are for one kind of report only."""

    out: Annotated[FilePath | None, option("File to write.", "FILE", shown="DIR/report.html")] = (
        None
    )
    files: Annotated[
        Flag,
        option(
            "Also write each plot as SVG, PNG and CSV, into a folder named like FILE.", shown=False
        ),
    ] = True
    top: Annotated[
        TopPages | None, option("Crawl: number of pages to explain.", "N", shown="10")
    ] = None
    labels: Annotated[
        FilePath | None,
        option("Crawl: human labels to measure by.", "L.tsv", shown="those it was run with"),
    ] = None
    judged: Annotated[
        FilePath | None, option("Crawl: pages judged after 'scenthound sample'.", "CSV")
    ] = None
    baseline: Annotated[
        Text | None,
        option("Comparison: strategy to compare with.", "NAME", shown="that of its grid"),
    ] = None
    measure: Annotated[
        Text | None,
        option(
            "Comparison: figure to compare by.",
            "NAME",
            shown="labelled_harvest, or hr without labels",
        ),
    ] = None

    def check_kind(self, kind: Kind) -> None:
        """SettingsError for an option that is for another kind of report."""
        for name, of in _OF.items():
            if getattr(self, name) is not None and of is not kind:
                raise SettingsError(
                    f"{name} is for the report of a {of.name.lower()}, which this is not; drop it."
                )


@takes(ReportOptions)
def report(
    folder: Folders,
    out: str | Path | None = None,
    *,
    labels: str | Path | Labels | None = None,
    on_progress: OnProgress | None = None,
    **choice: Any,
) -> Path:
    """Write a report: one HTML file that needs nothing else, and its plots beside it.

    Parameters
    ----------
    folder : of a crawl or a replay, which may be running, of a comparison or of a tuning. Of a
        crawl of several workers the one that holds their folders, or a list of them.
    out : the file; by default ``report.html`` in the folder. A report that is there is replaced.
        It has to be given for a list of folders.
    labels : human labels to measure a crawl by, where its own results have none.
    on_progress : called now and then with what is done, how far that is, and how far it goes.
    files, top, judged, baseline, measure : see :class:`ReportOptions`; ``top`` and ``judged`` are
        of a crawl, ``baseline`` and ``measure`` of a comparison.

    Returns the file. Nothing else in the folder is changed.

    Raises
    ------
    InputError
        The folder holds nothing to report on, or something given cannot be used.
    """
    folders = folder_paths("folder", folder)
    read = labels if isinstance(labels, Labels) else None
    options = ReportOptions.from_arguments(out=out, labels=None if read else labels, **choice)
    kind = kind_of(folders[0]) if len(folders) == 1 else Kind.CRAWL
    options.check_kind(kind)
    if options.out is None and len(folders) != 1:
        raise SettingsError("a report of several folders lies in none of them; give its file, out.")
    target = folders[0] / "report.html" if options.out is None else Path(options.out)
    check_target(target)
    progress = on_progress or (lambda *_: None)
    # The modules of each kind are imported when needed: statistics take a second to load.
    if kind is Kind.CRAWL:
        document = _crawl(folders, options, read, progress)
    elif kind is Kind.COMPARISON:
        from scenthound.output.report.comparison import comparison_document

        running = lock_holder(folders[0]) is not None
        document = comparison_document(folders[0], options.baseline, options.measure, running)
    else:
        from scenthound.output.report.tuning import tuning_document

        document = tuning_document(folders[0])
    return write_report(document, target, options.files, progress)


def _crawl(
    folders: Sequence[Path], options: ReportOptions, labels: Labels | None, on_progress: OnProgress
) -> Document:
    from scenthound.output.report.crawl import crawl_document
    from scenthound.output.report.crawl_reading import read_crawl

    found = None if options.judged is None else score(folders, options.judged)
    if options.labels is not None:
        labels = read_labels(options.labels)
    with open_whole_crawl(folders, on_progress=on_progress) as stored:
        about = _own_labels(stored) if labels is None else labels.of(stored.topic.name)
        top = 10 if options.top is None else options.top
        reading = read_crawl(stored, top, about, on_progress)
        return crawl_document(stored, reading, found)


def _own_labels(stored: StoredCrawl) -> frozenset[str] | None:
    """Those that a live crawl was given, if their file is still there; None for others.

    A replay measures by those of the labelled pages that its archive has: its results have the
    figures.
    """
    source = stored.crawl_spec.get("source")
    path = source.get("labels") if stored.is_live and isinstance(source, dict) else None
    try:
        return None if path is None else read_labels(str(path)).of(stored.topic.name)
    except InputError:
        return None
