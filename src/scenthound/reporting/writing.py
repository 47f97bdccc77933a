"""Puts a report on the disk: the HTML file, and its plots beside it for papers and spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from markupsafe import Markup

from scenthound.core.errors import SettingsError
from scenthound.reporting.document import Document, Plot
from scenthound.reporting.plot_style import settle
from scenthound.reporting.rendering import GENERATOR, rendered
from scenthound.reporting.svg import inline, svg_of
from scenthound.store.atomic import write_bytes
from scenthound.tuning.figures_file import save_drawing, save_numbers

DRAWING = "drawing"
_HEAD_BYTES = 4_096
_MARK = f'content="{GENERATOR}"'.encode()
OnProgress = Callable[[str, int, int], None]


def check_target(path: Path) -> None:
    """SettingsError where the report cannot go there, or would replace what is no report."""
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; give the name of a file, such as report.html.")
    with _told(path):
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
        _make(folder)
    for done, plot in enumerate(plots):
        on_progress(DRAWING, done, len(plots))
        pictures[plot.name] = _drawn(plot, folder if files else None)
    on_progress(DRAWING, len(plots), len(plots))
    html = rendered(document, pictures).encode("utf-8", "replace")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, html)
    return path


def _drawn(plot: Plot, folder: Path | None) -> Markup:
    figure = plot.draw()
    settle(figure)
    svg = svg_of(figure)
    if folder is not None:
        with _told(folder):
            write_bytes(folder / f"{plot.name}.svg", svg)
        save_drawing(figure, folder / f"{plot.name}.png")
        save_numbers(plot.columns, plot.rows, folder / f"{plot.name}.csv")
    return inline(svg, plot.name, plot.title, plot.description)


def _make(folder: Path) -> None:
    with _told(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise SettingsError(
            f"the report {path}: {reason}; choose another file with --out."
        ) from None
