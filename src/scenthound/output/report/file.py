"""Writes a report: one HTML file with its plots in it, and each plot beside it as SVG, PNG and CSV.
A file that is no report is never replaced.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path

from markupsafe import Markup, escape

from scenthound.core.errors import SettingsError
from scenthound.output.plots.figure import (
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
from scenthound.output.report.document import GENERATOR, Document, Plot, escape_invisible, render
from scenthound.storage.files import os_errors_as, write_bytes
from scenthound.storage.stored_crawl import OnProgress

DRAWING = "drawing"
_HEAD_BYTES = 4_096
"""Bytes in which a report names its generator: nothing else is ever replaced."""
_MARK = f'content="{GENERATOR}"'.encode()


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


def _write_errors(path: Path) -> AbstractContextManager[None]:
    return os_errors_as(SettingsError, f"the report {path}", "; choose another file with --out")


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
_OPENING = re.compile(r'<svg\b[^>]*(viewBox="[^"]*")[^>]*>')
_NUMBER = re.compile(r"(?<![\w#])-?\d+\.\d{3,}")


def inline_svg(svg: bytes, name: str, title: str, description: str) -> Markup:
    """The content of an SVG file as part of an HTML page.

    Parameters
    ----------
    svg : as :func:`to_svg` gives it.
    name : of the plot; the ids in the page begin with it, so that no two are the same.
    title, description : for those who cannot see it.
    """
    text = svg.decode("utf-8")
    body = _EMPTY_DEFS.sub("", _LEFT_OUT.sub("", text[text.index("<svg") :]))
    opening = _OPENING.match(body)
    assert opening is not None, "matplotlib wrote no SVG"

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
    head = f'<svg class="plot" role="img" aria-labelledby="{name}-title {name}-desc" {opening[1]}>'
    return Markup(head + described + inner)


def _css_variable(colour: re.Match[str]) -> str:
    return f"var({_CSS_VARIABLES[colour[0].lower()]})"


def _round_number(number: re.Match[str]) -> str:
    """A hundredth of a point is finer than any screen."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
