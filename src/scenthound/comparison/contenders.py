"""The strategies of a comparison, each with the parameters that were set: ``olmoaco xi=2``."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES


@dataclass(frozen=True)
class Contender:
    """A strategy and the parameters that were set; one strategy may come with several.

    UnknownNameError for a strategy or a parameter that there is not, SettingsError for a value of
    the wrong type.
    """

    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = self.recipe.parameters
        checked = self.recipe.check(self.parameters)
        object.__setattr__(
            self, "parameters", {key: checked[key] for key in known if key in checked}
        )

    @property
    def recipe(self) -> Recipe:
        """The strategy, ours or that of an installed package."""
        return STRATEGIES[self.name]

    @property
    def label(self) -> str:
        """What tables call it: its name, and behind it what was set. See :func:`contender`."""
        return " ".join([self.name, *(f"{k}={_written(v)}" for k, v in self.parameters.items())])

    def changed(self, parameters: Mapping[str, Value]) -> Contender:
        """The same with other values for some parameters."""
        return Contender(self.name, {**self.parameters, **parameters})


def contender(text: str) -> Contender:
    """The contender that a text names: a strategy, and KEY=VALUE as often as wanted.

    Examples
    --------
    >>> contender("shark decay=.25").label
    'shark decay=0.25'
    """
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words:
        raise SettingsError(f'{text!r} is no strategy; write one such as "shark decay=0.3".')
    name, *settings = words
    pairs = [word.partition("=") for word in settings]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise SettingsError(
                f"strategy {text!r}: {key!r} is no KEY=VALUE; write {name} and behind it what is "
                "to be set, such as decay=0.3."
            )
    return Contender(name, {key: _value(written) for key, _, written in pairs})


def refuse_twice(contenders: Iterable[Contender]) -> None:
    """SettingsError where two are the same: their figures could not be told apart."""
    seen: set[str] = set()
    for each in contenders:
        if each.label in seen:
            raise SettingsError(f"strategy {each.label!r} is given twice; give each one once.")
        seen.add(each.label)


def _value(text: str) -> Value:
    """As TOML would read it, and ``.3`` as well; anything else is a text."""
    try:
        parsed = tomllib.loads(f"value = {'0' if text.startswith('.') else ''}{text}")["value"]
    except (ValueError, RecursionError):
        return text
    return parsed if isinstance(parsed, bool | int | float | str) else text


def _written(value: Value) -> str:
    """A value as :func:`contender` reads it back, in the shortest form: 2 for 2.0."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shlex.quote(value) if isinstance(value, str) else repr(value)
