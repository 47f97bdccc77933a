"""Figures and the numbers behind them on the disk, whole or not at all."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import InputError
from scenthound.corpus.csv_table import cell
from scenthound.experiments.figure_file import SUFFIXES, save_figure
from scenthound.store.atomic import write_bytes
from scenthound.tuning.figures_numbers import Rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def known_suffix(suffix: str) -> str:
    """The suffix in small letters; InputError for one that nothing is drawn to."""
    if suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"figures cannot be drawn to {suffix!r}; give one of: {known}.")
    return suffix.lower()


def save_drawing(figure: Figure, path: Path) -> None:
    """Write a figure, by the suffix of ``path``; InputError says why it cannot be done."""
    known_suffix(path.suffix)
    with _told(path):
        save_figure(figure, path)


def save_numbers(columns: Sequence[str], rows: Rows, path: Path) -> None:
    """Write a table as CSV; names of topics that look like a formula are made harmless."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    with _told(path):
        write_bytes(path, codecs.BOM_UTF8 + text.getvalue().encode("utf-8", "replace"))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise InputError(f"figure {path}: {reason}; give a folder to write to.") from None
