"""Which report a folder gets, and how a report is written: the HTML file, and its plots beside
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from markupsafe import Markup, escape

from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.options import FilePath, Flag, Options, Text, option, takes, whole_within
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.evaluation.judging import score
from scenthound.output.document import GENERATOR, Document, Plot, escape_invisible, render
from scenthound.output.plots import (
    GRID,
    INK,
    MUTED,
    OTHERS,
    PAPER,
    SERIES,
    freeze_layout,
    save_figure,
    save_numbers,
    to_svg,
)
from scenthound.storage.files import write_bytes
from scenthound.storage.folder import (
    Folders,
    contains_workers,
    find_crawls,
    folder_paths,
    lock_holder,
)
from scenthound.storage.stored_crawl import StoredCrawl, open_whole_crawl


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


DRAWING = "drawing"
_HEAD_BYTES = 4_096
"""Bytes in which a report names its generator: nothing else is ever replaced."""
_MARK = f'content="{GENERATOR}"'.encode()
OnProgress = Callable[[str, int, int], None]


def check_target(path: Path) -> None:
    """SettingsError where the report cannot go there, or would replace what is no report."""
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; give the name of a file, such as report.html.")
    with _write_errors(path):
        if not path.exists():
            return
        with path.open("rb") as file:
            ours = _MARK in file.read(_HEAD_BYTES)
    if not ours:
        raise SettingsError(f"{path} is there and is no report; choose another file with --out.")


def write_report(document: Document, path: Path, files: bool, on_progress: OnProgress) -> Path:
    """Write the report to ``path``; with ``files`` also its plots, into a folder of that name.

    Each plot is there as SVG, PNG and, with the numbers behind it, CSV. What is there is replaced.
    """
    check_target(path)
    folder = path.with_suffix("") if path.suffix else path.with_name(f"{path.name}-files")
    plots, pictures = document.plots, {}
    if files and plots:
        with _write_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
    for done, plot in enumerate(plots):
        on_progress(DRAWING, done, len(plots))
        pictures[plot.name] = _draw(plot, folder if files else None)
    on_progress(DRAWING, len(plots), len(plots))
    html = render(document, pictures).encode("utf-8", "replace")
    with _write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, html)
    return path


def _draw(plot: Plot, folder: Path | None) -> Markup:
    figure = plot.draw()
    freeze_layout(figure)
    svg = to_svg(figure)
    if folder is not None:
        with _write_errors(folder):
            write_bytes(folder / f"{plot.name}.svg", svg)
        save_figure(figure, folder / f"{plot.name}.png")
        save_numbers(plot.columns, plot.rows, folder / f"{plot.name}.csv")
    return inline_svg(svg, plot.name, plot.title, plot.description)


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise SettingsError(
            f"the report {path}: {reason}; choose another file with --out."
        ) from None


# A figure inside a page: its colours follow light and dark, and no two figures share an id.

_CSS_VARIABLES = {
    "#000000": "--ink", INK: "--ink", MUTED: "--muted", GRID: "--line", PAPER: "--paper",
    OTHERS: "--others",
    **{colour: f"--series-{place}" for place, colour in enumerate(SERIES, start=1)},
}  # fmt: skip
"""Colours that the style sheet of the page sets, for light, dark and print."""
_COLOUR = re.compile("|".join(_CSS_VARIABLES), re.IGNORECASE)
_STYLE = re.compile(r'style="[^"]*"')
# A style element of one figure would apply to the whole page.
_LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", re.DOTALL)
_EMPTY_DEFS = re.compile(r"<defs>\s*</defs>\s*")
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r'(\bid="|href="#|url\(#)([A-Za-z_][\w.-]*)')
_OPENING = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_VIEW = re.compile(r'viewBox="[^"]*"')
_NUMBER = re.compile(r"(?<![\w#])-?\d+\.\d{3,}")


def inline_svg(svg: bytes, name: str, title: str, description: str) -> Markup:
    """The content of an SVG file as part of an HTML page.

    Parameters
    ----------
    svg : as :func:`svg_of` gives it.
    name : of the plot; the ids in the page begin with it, so that no two are the same.
    title, description : for those who cannot see it.
    """
    text = svg.decode("utf-8")
    body = _EMPTY_DEFS.sub("", _LEFT_OUT.sub("", text[text.index("<svg") :]))
    opening = _OPENING.match(body)
    assert opening is not None, "matplotlib wrote no SVG"
    view = _VIEW.search(opening[0])

    def rewrite(tag: re.Match[str]) -> str:
        """Only tags: what stands between them are names of topics, which are left as they are."""
        own = _ID.sub(rf"\g<1>{name}-\g<2>", tag[0])
        styled = _STYLE.sub(lambda style: _COLOUR.sub(_css_variable, style[0]), own)
        return _NUMBER.sub(_round_number, styled)

    inner = _TAG.sub(rewrite, body[opening.end() :])
    described = "".join(
        f'<{tag} id="{name}-{tag}">{escape(escape_invisible(words))}</{tag}>'
        for tag, words in (("title", title), ("desc", description))
    )
    head = (
        f'<svg class="plot" role="img" aria-labelledby="{name}-title {name}-desc" '
        f"{view[0] if view else ''}>"
    )
    return Markup(head + described + inner)


def _css_variable(colour: re.Match[str]) -> str:
    return f"var({_CSS_VARIABLES[colour[0].lower()]})"


def _round_number(number: re.Match[str]) -> str:
    """A hundredth of a point is finer than any screen."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


# Reports from Python: one HTML file for a crawl, a comparison or a tuning.

_MOST_TOP = 200
"""Pages that are explained at most; each one is read and judged again."""
_OF = {"top": Kind.CRAWL, "labels": Kind.CRAWL, "judged": Kind.CRAWL,
       "baseline": Kind.COMPARISON, "measure": Kind.COMPARISON}  # fmt: skip


class ReportOptions(Options):
    """The options of ``scenthound report``; some are for one kind of report only."""

    out: Annotated[FilePath, option("File to write.", "FILE", shown="DIR/report.html")] | None = (
        None
    )
    files: Annotated[
        Flag,
        option(
            "Also write each plot as SVG, PNG and CSV, into a folder named like FILE.", shown=False
        ),
    ] = True
    top: (
        Annotated[
            int,
            whole_within(0, _MOST_TOP),
            option("Crawl: number of pages to explain.", "N", shown="10"),
        ]
        | None
    ) = None
    labels: (
        Annotated[
            FilePath,
            option("Crawl: human labels to measure by.", "L.tsv", shown="those it was run with"),
        ]
        | None
    ) = None
    judged: (
        Annotated[FilePath, option("Crawl: pages judged after 'scenthound sample'.", "CSV")] | None
    ) = None
    baseline: (
        Annotated[
            Text,
            option("Comparison: strategy to compare with.", "NAME", shown="that of its grid"),
        ]
        | None
    ) = None
    measure: (
        Annotated[
            Text,
            option(
                "Comparison: figure to compare by.",
                "NAME",
                shown="labelled_harvest, or hr without labels",
            ),
        ]
        | None
    ) = None

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
    choice : the other fields of :class:`ReportOptions`: ``files`` and, of a crawl, ``top`` and
        ``judged``, of a comparison ``baseline`` and ``measure``.

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
        from scenthound.output.comparison_report import comparison_document

        running = lock_holder(folders[0]) is not None
        document = comparison_document(folders[0], options.baseline, options.measure, running)
    else:
        from scenthound.output.tuning_report import tuning_document

        document = tuning_document(folders[0])
    return write_report(document, target, options.files, progress)


def _crawl(
    folders: Sequence[Path], options: ReportOptions, labels: Labels | None, on_progress: OnProgress
) -> Document:
    from scenthound.output.crawl_reading import read_crawl
    from scenthound.output.crawl_report import crawl_document

    found = None if options.judged is None else score(folders, options.judged)
    if options.labels is not None:
        labels = read_labels(options.labels)
    with open_whole_crawl(folders, on_progress=on_progress) as stored:
        about = _own_labels(stored) if labels is None else labels.of(stored.topic.name)
        top = 10 if options.top is None else options.top
        reading = read_crawl(stored, top, about, on_progress)
        return crawl_document(stored, reading, stored.is_running, found)


def _own_labels(stored: StoredCrawl) -> frozenset[str] | None:
    """Those that a live crawl was given, if their file is still there; None for others.

    A replay measures by those of the labelled pages that its archive has: its results have the
    figures.
    """
    source = stored.order.get("source")
    path = source.get("labels") if stored.is_live and isinstance(source, dict) else None
    try:
        return None if path is None else read_labels(str(path)).of(stored.topic.name)
    except InputError:
        return None
