"""Which report a folder gets, and how a report is written: the HTML file, and its plots beside
it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from markupsafe import Markup, escape

from scenthound.core.errors import FolderError, InputError, SettingsError, warn_caller
from scenthound.crawler.arguments import (
    Folders,
    check_labels,
    check_number,
    check_path,
    folder_paths,
)
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.topic_reading import Warn
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
from scenthound.storage.folder import contains_workers, find_crawls, lock_holder
from scenthound.storage.merge import open_whole_crawl
from scenthound.storage.stored_crawl import StoredCrawl


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
    inner = _TAG.sub(lambda tag: _rewrite_tag(tag[0], name), body[opening.end() :])
    described = "".join(
        f'<{tag} id="{name}-{tag}">{escape(escape_invisible(words))}</{tag}>'
        for tag, words in (("title", title), ("desc", description))
    )
    head = (
        f'<svg class="plot" role="img" aria-labelledby="{name}-title {name}-desc" '
        f"{view[0] if view else ''}>"
    )
    return Markup(head + described + inner)


def _rewrite_tag(tag: str, name: str) -> str:
    """What stands between tags are names of topics, which are left as they are."""
    own = _ID.sub(rf"\g<1>{name}-\g<2>", tag)
    return _NUMBER.sub(_round_number, _STYLE.sub(_with_css_variables, own))


def _with_css_variables(style: re.Match[str]) -> str:
    return _COLOUR.sub(lambda found: f"var({_CSS_VARIABLES[found[0].lower()]})", style[0])


def _round_number(number: re.Match[str]) -> str:
    """A hundredth of a point is finer than any screen."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


# Reports from Python: one HTML file for a crawl, a comparison or a tuning.


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

    folders = folder_paths("folder", folder)
    check_path("out", out)
    kind = kind_of(folders[0]) if len(folders) == 1 else Kind.CRAWL
    _check_options(kind, top=top, labels=labels, judged=judged, baseline=baseline, measure=measure)
    target = _default_target(folders) if out is None else Path(out)
    check_target(target)
    described, complain = on_progress or _silent, warn or warn_caller
    if kind is Kind.CRAWL:
        document = _crawl(folders, TOP if top is None else top, labels, judged, described, complain)
    elif kind is Kind.COMPARISON:
        document = _comparison(folders[0], baseline, measure)
    else:
        document = _tuning(folders[0])
    return write_report(document, target, files, described)


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


def _default_target(folders: Sequence[Path]) -> Path:
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
    from scenthound.output.crawl_reading import read_crawl
    from scenthound.output.crawl_report import crawl_document

    found = None if judged is None else score(folders, judged)
    try:
        with open_whole_crawl(folders, on_progress=on_progress) as stored:
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
    from scenthound.output.comparison_report import comparison_document

    return comparison_document(folder, baseline, measure, lock_holder(folder) is not None)


def _tuning(folder: Path) -> Document:
    from scenthound.output.tuning_report import tuning_document

    return tuning_document(folder)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
