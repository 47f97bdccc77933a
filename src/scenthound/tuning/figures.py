"""The papers' figures of tunings, each with the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import InputError
from scenthound.optimise.catalogue import EXACT
from scenthound.tuning.figures_drawing import convergence, heat_map, mean_errors
from scenthound.tuning.figures_file import known_suffix, save_drawing, save_numbers
from scenthound.tuning.figures_numbers import (
    Rows,
    convergence_rows,
    heat_map_rows,
    mean_error_rows,
)
from scenthound.tuning.result import Tuning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Tunings = Sequence[Tuning]
HEAT_MAP, MEAN_ERRORS, CONVERGENCE = "heat-map", "mean-errors", "convergence"


@dataclass(frozen=True)
class Drawn:
    """The figures that were written, and why others were not, by their names."""

    paths: tuple[Path, ...]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class _Kind:
    """A figure: its file's name, its numbers, how it is drawn, why there may be nothing to."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Tunings], Rows]
    draw: Callable[[Tunings], Figure]
    why_empty: Callable[[Tunings], str]


def draw_tuning(tunings: Tunings, folder: str | Path, suffix: str = ".svg") -> Drawn:
    """Draw tunings of one or more topics, as the papers do, into a folder.

    ``heat-map`` shows for every topic and group of test links by how much learnt weights are
    better than equal ones (svsm-mcoa Fig. 3), ``mean-errors`` the mean errors of both over all
    topics (its Fig. 4), ``convergence`` how near the optimiser came to the exact optimum. Beside
    each stands a CSV file of the same name with its numbers. A figure that would be empty is not
    drawn; the answer says why.

    Parameters
    ----------
    tunings : in the order in which their topics are shown; none leave every figure out.
    folder : where to, made if it is not there. Figures in it are replaced.
    suffix : ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    InputError
        The suffix is another one, or the folder cannot be written to.
    """
    suffix, folder = known_suffix(suffix), Path(folder)
    _make(folder)
    paths: list[Path] = []
    left_out: dict[str, str] = {}
    for kind in _KINDS:
        rows = kind.rows(tunings)
        if not rows:
            left_out[kind.name] = kind.why_empty(tunings)
            continue
        path = folder / f"{kind.name}{suffix}"
        save_drawing(kind.draw(tunings), path)
        save_numbers(kind.columns, rows, path.with_suffix(".csv"))
        paths.append(path)
    return Drawn(tuple(paths), left_out)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or "cannot be made"
        raise InputError(f"folder {folder}: {reason}; give a folder to write to.") from None


def _no_errors(tunings: Tunings) -> str:
    return "no topic has test links whose errors are known" if tunings else "there is no tuning"


def _no_curve(tunings: Tunings) -> str:
    if not tunings:
        return "there is no tuning"
    if all(tuning.optimiser == EXACT for tuning in tunings):
        return "the exact optimum needs no search, so there is no curve"
    return "nothing could be learnt, so nothing was searched"


_KINDS = (
    _Kind(
        HEAT_MAP, ("topic", "group", "error_equal", "error_learnt", "difference"),
        heat_map_rows, heat_map, _no_errors,
    ),
    _Kind(
        MEAN_ERRORS, ("group", "topics", "error_equal", "error_learnt"),
        mean_error_rows, mean_errors, _no_errors,
    ),
    _Kind(
        CONVERGENCE,
        ("topic", "optimiser", "evaluations", "best_fitness", "exact_fitness", "share"),
        convergence_rows, convergence, _no_curve,
    ),
)  # fmt: skip
