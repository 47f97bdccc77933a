"""One run as JSON, and back: what the files of a comparison keep of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

from scenthound.comparison.measures import DIGITS
from scenthound.comparison.model import SEEDS, Cell, Outcome
from scenthound.core.errors import FolderError
from scenthound.core.ways_read import ways_stored
from scenthound.experiments.metrics import Indicators

_WORDS = 2_000
"""Characters of an error that are kept: what a library says may be a page long."""


def outcome_to_json(outcome: Outcome) -> dict[str, object]:
    """The run by name; figures that are no number are null."""
    return {
        **outcome.cell.to_json(),
        "error": outcome.error[:_WORDS],
        "budget": outcome.budget,
        "fetched": outcome.fetched,
        "missing": outcome.missing,
        "failed": outcome.failed,
        "stopped": outcome.stopped,
        "seconds": plain_json(outcome.seconds, 3),
        "pages_per_second": plain_json(outcome.pages_per_second, 1),
        "peak_rss_mb": plain_json(outcome.peak_rss_mb, 1),
        "labelled_pages": outcome.labelled_pages,
        "relevant_by": outcome.relevant_by,
        "threshold": plain_json(outcome.threshold),
        "parameters": plain_json(outcome.parameters),
        "reading": None if outcome.ways is None else outcome.ways.to_json(),
        "final": None if outcome.final is None else plain_json(outcome.final.to_json()),
        "checkpoints": [plain_json(row.to_json()) for row in outcome.checkpoints],
    }


def plain_json(value: object, digits: int = DIGITS) -> object:
    """Anything as JSON can hold it: floats rounded, or null where they are no number."""
    match value:
        case float():
            return round(value, digits) if math.isfinite(value) else None
        case None | str() | bool() | int():
            return value
        case Mapping():
            return {str(key): plain_json(each, digits) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain_json(each, digits) for each in value]
        case _:
            return str(value)


def outcome_from_json(stored: Mapping[str, object]) -> Outcome:
    """The run that :func:`outcome_to_json` wrote; names that are not known are left aside.

    FolderError, one sentence, where it is not one.
    """
    run = _Stored(stored)
    checkpoints = [_indicators(_Stored(row)) for row in run.tables("checkpoints")]
    final = run.table("final")
    return Outcome(
        cell=_cell(run),
        error=run.text("error"),
        budget=run.whole("budget"),
        fetched=run.whole("fetched"),
        missing=run.whole("missing"),
        failed=run.whole("failed"),
        stopped=run.text("stopped"),
        seconds=run.number("seconds") or 0.0,
        peak_rss_mb=run.number("peak_rss_mb") or 0.0,
        labelled_pages=run.whole_or_none("labelled_pages"),
        relevant_by=run.text("relevant_by"),
        threshold=run.number("threshold"),
        parameters=run.table("parameters"),
        final=None if final is None else _indicators(_Stored(final)),
        checkpoints=tuple(checkpoints),
        ways=ways_stored(stored.get("reading")),
    )


def _cell(run: _Stored) -> Cell:
    seeds = run.text("seeds")
    if seeds not in SEEDS:
        raise FolderError(f"a run has seeds {seeds[:40]!r}, which is none of {', '.join(SEEDS)}.")
    return Cell(
        run.text("web"), run.text("topic"), run.text("strategy"), seeds,
        run.whole("draw"), run.whole("random_seed"),
    )  # fmt: skip


def _indicators(row: _Stored) -> Indicators:
    return Indicators(
        fetched=row.whole("fetched"),
        rn=row.whole("rn"),
        hr=row.number_or_nan("hr"),
        as_=row.number("as"),
        ar=row.number_or_nan("ar"),
        sd=row.number_or_nan("sd"),
        ae=row.number("ae"),
        labelled=row.whole_or_none("labelled"),
        labelled_harvest=row.number("labelled_harvest"),
        target_recall=row.number("target_recall"),
    )


class _Stored:
    """A table of a file, whose values are looked at before they are believed."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        value = self._get(name)
        return value if isinstance(value, str) else self._refuse(name, "text")

    def whole(self, name: str) -> int:
        value = self.whole_or_none(name)
        return self._refuse(name, "whole number") if value is None else value

    def whole_or_none(self, name: str) -> int | None:
        value = self._get(name)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        return self._refuse(name, "whole number")

    def number(self, name: str) -> float | None:
        value = self._get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self._refuse(name, "number")
        try:
            return float(value)
        except OverflowError:
            return self._refuse(name, "number of a size that can be")

    def number_or_nan(self, name: str) -> float:
        value = self.number(name)
        return math.nan if value is None else value

    def table(self, name: str) -> dict[str, object] | None:
        value = self._get(name)
        return value if value is None or isinstance(value, dict) else self._refuse(name, "table")

    def tables(self, name: str) -> Sequence[dict[str, object]]:
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self._refuse(name, "list of tables")
        return cast("Sequence[dict[str, object]]", value)

    def _get(self, name: str) -> object:
        if name not in self._values:
            raise FolderError(f"a run has no {name!r}.")
        return self._values[name]

    def _refuse(self, name: str, kind: str) -> NoReturn:
        raise FolderError(f"{name!r} of a run is no {kind}.")
