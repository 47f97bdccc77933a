"""One run of a grid and its outcome: the measures that strategies are compared by, and its JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from scenthound.core.errors import FolderError, UnknownNameError
from scenthound.core.events import TextRepresentations, stored_text_representations
from scenthound.crawler.metrics import Indicators

GIVEN, RELEVANT, IRRELEVANT = "given", "relevant", "irrelevant"
SEEDS = (GIVEN, RELEVANT, IRRELEVANT)
"""Where a crawl starts: at the seeds of the topic file, or (sdvsm section 5) at pages that are
drawn from those labelled with the topic, or from those that are not."""


class Unit(NamedTuple):
    """What two strategies are compared on: the same web, topic, seeds and examples."""

    web: str
    topic: str
    seeds: str
    draw: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of the grid.

    Parameters
    ----------
    web : name of the archive in the comparison; no two have the same.
    topic : name of the topic.
    strategy : its name and, behind it, the parameters that were set: ``olmoaco xi=2``.
    seeds : one of :data:`SEEDS`.
    draw : 0 for example pages (and given seeds) as the topic file has them; from 1 on they are
        drawn again.
    random_seed : of the random generator of the strategy.
    """

    web: str
    topic: str
    strategy: str
    seeds: str = GIVEN
    draw: int = 0
    random_seed: int = 0

    @property
    def unit(self) -> Unit:
        """What other strategies are compared on."""
        return Unit(self.web, self.topic, self.seeds, self.draw)


_ATTRIBUTES = {"as": "as_"}
"""Where an indicator has another name in Python."""


def _read_indicators(row: object) -> object:
    """The figures as Python names them; JSON has null for one that is not a number."""
    if not isinstance(row, dict):
        return row
    known = {_ATTRIBUTES.get(str(name), name): value for name, value in row.items()}
    return known | {name: math.nan for name in ("hr", "ar", "sd") if known.get(name) is None}


StoredIndicators = Annotated[Indicators, BeforeValidator(_read_indicators)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run; a run that failed has an ``error`` and no ``final``.

    ``final`` has labelled harvest over the whole budget, used up or not. ``checkpoints`` are in the
    order of pages, the last one is ``final``. ``relevant_by`` names the judge, ``threshold`` the
    value from which it calls a page relevant. ``representations`` are those of texts, None where
    they are the same everywhere or not known.
    """

    cell: Cell
    error: str = ""
    budget: int = 0
    fetched: int = 0
    missing: int = 0
    failed: int = 0
    stopped: str = ""
    seconds: float = 0.0
    peak_rss_mb: float = 0.0
    labelled_pages: int | None = None
    relevant_by: str = ""
    threshold: float | None = None
    parameters: Mapping[str, object] | None = None
    final: StoredIndicators | None = None
    checkpoints: tuple[StoredIndicators, ...] = ()
    representations: TextRepresentations | None = None

    @property
    def pages_per_second(self) -> float:
        """Speed of the whole run, while others ran beside it."""
        return self.fetched / self.seconds if self.seconds > 0 else 0.0


class RunEnded(NamedTuple):
    """The outcome of a run, its warnings, and its seeds and example pages: enough to repeat it."""

    outcome: Outcome
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


# The figures that strategies can be compared by.

DIGITS = 6
"""Figures are rounded as in the files, so that a comparison read back has the same ones."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a run.

    Parameters
    ----------
    name : as the files have it.
    title : as tables head it.
    lower_is_better : true for errors and deviations (sdvsm AE; olmoaco section 5 on SD).
    digits : behind the point, where it is shown.
    """

    name: str
    title: str
    lower_is_better: bool = False
    digits: int = 3

    def of(self, figures: Indicators | None) -> float | None:
        """The value among these figures; None where it is not defined or not a number."""
        value = None if figures is None else getattr(figures, _ATTRIBUTES.get(self.name, self.name))
        if value is None or not math.isfinite(value):
            return None
        return round(float(value), DIGITS)


LABELLED_HARVEST = Measure("labelled_harvest", "labelled harvest")
HARVEST = Measure("hr", "HR")
MEASURES = (
    LABELLED_HARVEST,
    Measure("target_recall", "target recall"),
    Measure("labelled", "labelled pages", digits=1),
    HARVEST,
    Measure("rn", "RN", digits=1),
    Measure("as", "AS"),
    Measure("ar", "AR"),
    Measure("sd", "SD", lower_is_better=True),
    Measure("ae", "AE", lower_is_better=True),
)
"""See :mod:`scenthound.crawler.metrics` for what they are."""


def measure_named(name: str) -> Measure:
    """The measure of a name; UnknownNameError where there is none."""
    by_name = {measure.name: measure for measure in MEASURES}
    if name not in by_name:
        raise UnknownNameError("measure", name, by_name)
    return by_name[name]


def known_figures(
    rows: Iterable[tuple[Cell, Indicators | None]], measure: Measure
) -> list[tuple[Cell, float]]:
    """The runs that have the figure, with it."""
    found = ((cell, measure.of(figures)) for cell, figures in rows)
    return [(cell, value) for cell, value in found if value is not None]


# One run as JSON, and back.

_LONGEST_TEXT = 2_000
"""Characters of an error that are stored: the message of a library may be a page long."""


def outcome_to_json(outcome: Outcome) -> dict[str, object]:
    """Return the run by name; figures that are no number are null."""
    own = {each.name: getattr(outcome, each.name) for each in fields(Outcome)}
    figures = {
        **asdict(own.pop("cell")),
        "reading": own.pop("representations"),
        **own,
        "error": outcome.error[:_LONGEST_TEXT],
        "pages_per_second": round(outcome.pages_per_second, 1),
    }
    return plain_json(figures)  # type: ignore[return-value]


def plain_json(value: object) -> object:
    """Convert anything to what JSON can hold: floats are rounded, or null if not finite."""
    match value:
        case float():
            return round(value, DIGITS) if math.isfinite(value) else None
        case None | str() | bool() | int():
            return value
        case Mapping():
            return {str(key): plain_json(each) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain_json(each) for each in value]
        case Indicators() | TextRepresentations():
            return plain_json(value.to_json())
        case _:
            return str(value)


def outcome_from_json(stored: Mapping[str, object]) -> Outcome:
    """Read what :func:`outcome_to_json` wrote, and ignore unknown names; FolderError for damage."""
    values = {
        **stored,
        "cell": {each.name: stored[each.name] for each in fields(Cell) if each.name in stored},
        "representations": stored_text_representations(stored.get("reading")),
    }
    try:
        return _OUTCOME.validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])).removeprefix("cell.")
        raise FolderError(f"{name!r} of a run is damaged: {first['msg'].lower()}.") from None


_OUTCOME = TypeAdapter(Outcome)
