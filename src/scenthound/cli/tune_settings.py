"""What ``--set`` of ``scenthound tune`` sets: parameters of the text model and the optimiser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.optimise import catalogue
from scenthound.settings.assignments import assignment, told_assignment
from scenthound.strategies.text_models import TEXT_MODELS


@dataclass(frozen=True)
class Parameters:
    """Values by key, checked."""

    model: dict[str, Value]
    optimiser: dict[str, Value]


def set_parameters(assignments: Sequence[str], model: str | None, optimiser: str) -> Parameters:
    """The parameters that the options set, for this model (None: no model is asked) and optimiser.

    Raises
    ------
    UnknownNameError
        There is no such model or optimiser.
    SettingsError
        An option is about another part, or about a key or value that the part does not take.
    """
    catalogue.check(optimiser, {})
    text_model = None if model is None else TEXT_MODELS[model]
    found = Parameters({}, {})
    for text in assignments:
        table, key, value = assignment(text)
        with _naming(text):
            if text_model is not None and table == text_model.name:
                found.model.update(text_model.check({key: value}))
            elif table == optimiser:
                found.optimiser.update(catalogue.check(optimiser, {key: value}))
            else:
                raise SettingsError(_not_heeded(table, model, optimiser))
    return found


@contextmanager
def _naming(text: str) -> Iterator[None]:
    """Every error says which option it is about."""
    try:
        yield
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"{told_assignment(text)}: {error}") from None


def _not_heeded(table: str, model: str | None, optimiser: str) -> str:
    """Why a table is not looked at, and what to do."""
    if model is None and table in TEXT_MODELS:
        return "a file of links has its similarities already; drop the option."
    for kind, names in (("model", TEXT_MODELS), ("optimiser", catalogue.NAMES)):
        if table in names:
            return f"{kind} {table!r} is not in use; give --{kind} {table}, or drop the option."
    settable = [name for name in (model, optimiser) if name not in (None, catalogue.EXACT)]
    tables = " and ".join(f"{name}.KEY" for name in settable) or "nothing here"
    return f"{table!r} is neither the model nor the optimiser; what can be set is {tables}."
