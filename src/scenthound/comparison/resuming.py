"""Going on with a comparison: which of its runs are finished, and are they still the same?"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from scenthound.comparison.folder_upkeep import CRAWLS, RUNS
from scenthound.comparison.kept_crawls import is_whole
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.provenance import MadeWith, difference
from scenthound.comparison.run_file import RunRecord, read_run
from scenthound.core.errors import FolderError

_ANOTHER = "choose another --out folder, or change it back"
_LISTS = {"strategy": "strategies", "topic": "topics", "web": "webs"}
_MOST_NAMED = 20


def finished_runs(
    folder: Path,
    wanted: Mapping[Cell, MadeWith],
    keep_crawls: bool,
    warn: Callable[[str], None],
) -> dict[Cell, Outcome]:
    """The runs of a comparison that need not be done again.

    Parameters
    ----------
    folder : of the comparison.
    wanted : the runs of the grid, and what each is made with now.
    keep_crawls : are crawl folders kept? Then a run without a whole one is done again, and told.
    warn : gets files that cannot be used; their runs are done again.

    Runs that failed are done again. FolderError where a finished run is not in the grid, or was
    made with something else.
    """
    records = {each.outcome.cell: each for each in _records(folder / RUNS, warn)}
    _refuse_left_out(folder, [cell for cell in records if cell not in wanted], list(wanted))
    for cell, record in records.items():
        changed = difference(record.made_with, wanted[cell])
        if changed is not None:
            raise FolderError(f"{folder} has finished runs, and since then {changed}: {_ANOTHER}.")
    found = {cell: record.outcome for cell, record in records.items()}
    return _with_crawls(found, folder / CRAWLS, warn) if keep_crawls else found


def _with_crawls(
    found: Mapping[Cell, Outcome], crawls: Path, warn: Callable[[str], None]
) -> dict[Cell, Outcome]:
    """The runs that have left their crawls."""
    kept = {cell: outcome for cell, outcome in found.items() if is_whole(crawls, cell)}
    if lacking := len(found) - len(kept):
        one = lacking == 1
        told = "1 finished run has" if one else f"{lacking:,} finished runs have"
        again = "it is" if one else "they are"
        warn(f"{told} left no crawl folder, and crawls are to be kept: {again} done again")
    return kept


def _records(folder: Path, warn: Callable[[str], None]) -> Iterator[RunRecord]:
    """The runs that did not fail."""
    for path in sorted(folder.glob("[!.]*.json")):
        try:
            record = read_run(path)
        except FolderError as error:
            warn(f"{error} That run is done again.")
            continue
        if not record.outcome.error:
            yield record


def _refuse_left_out(folder: Path, left_out: Sequence[Cell], wanted: Sequence[Cell]) -> None:
    """FolderError for finished runs that the grid has not, with all that has to be added."""
    if not left_out:
        return
    missing = {
        key: _missing([getattr(each, key) for each in left_out], {getattr(e, key) for e in wanted})
        for key in left_out[0].to_json()
    }
    told = [_named(key, values) for key, values in missing.items() if values]
    told = told or [", ".join(_named(k, [v]) for k, v in left_out[0].to_json().items())]
    advice = "so add that again"
    if [key for key, values in missing.items() if values] == ["strategy"]:
        names = dict.fromkeys([*missing["strategy"], *(each.strategy for each in wanted)])
        command = ["scenthound", "compare", f"--out={folder}"]
        command += [f"--strategy={each}" for each in names]
        advice = f"so name them all: {shlex.join(command)}"
    raise FolderError(
        f"{folder} has finished runs that this grid leaves out ({'; '.join(told)}); a grid may "
        f"only grow, {advice}; or choose another --out folder."
    )


def _missing(values: Sequence[object], known: set[object]) -> list[object]:
    return [value for value in dict.fromkeys(values) if value not in known]


def _named(key: str, values: Sequence[object]) -> str:
    """``strategies 'vsm', 'shark'``, in words that a long list does not run over."""
    name = key.replace("_", " ") if len(values) == 1 else _LISTS.get(key, key.replace("_", " "))
    more = f" and {len(values) - _MOST_NAMED} more" if len(values) > _MOST_NAMED else ""
    return f"{name} {', '.join(map(repr, values[:_MOST_NAMED]))}{more}"
