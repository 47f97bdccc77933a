"""Parameters that a user may set by name: their defaults, and their types put right."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from scenthound.core.errors import SettingsError, UnknownNameError

Value = bool | int | float | str
Parameters = Mapping[str, Value]


def keyword_parameters(factory: Callable[..., object]) -> dict[str, Value]:
    """The keyword-only parameters of ``factory`` with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def checked(kind: str, name: str, given: Parameters, known: Parameters) -> dict[str, Value]:
    """``given`` with the types put right; an error names the key and what it takes.

    Parameters
    ----------
    kind, name : whose parameters they are, for the message.
    given : what the user wants.
    known : all there are, with their defaults.
    """
    for key in given:
        if key not in known:
            raise UnknownNameError(f"key for {kind} {name!r}:", key, known)
    return {key: _fitted(f"{name}.{key}", value, known[key]) for key, value in given.items()}


def _fitted(key: str, value: Value, default: Value) -> Value:
    """``value`` as the type of ``default``: an int will do for a float, nothing else."""
    if type(default) is float and type(value) is int:
        return float(value)
    if type(value) is not type(default):
        raise SettingsError(
            f"{key} takes a value like {default!r}, not {value!r}; "
            f"correct it in --set or in the config file."
        )
    return value
