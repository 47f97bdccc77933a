"""Options: the kinds of values, and the model that every command's options derive from.

The command line, the Python API and settings files read the same model.

A field of a model has its default, its bound and its description here and nowhere else. The first
sentence of a description is the help of the command line; the reference prints all of it. A value
may come from Python, from TOML or from the command line: one reader takes all three, so that each
of them takes the same values and complains in the same words.
"""

from __future__ import annotations

import inspect
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo

from scenthound.core.errors import SettingsError, UnknownNameError

# Kinds of values. Each is a type whose reader gives the value, or REJECTED for what is none.

REJECTED = object()
_TIME = re.compile(r"(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*(?P<unit>ms|[smhd]?)")
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
TIME_EXAMPLES = "1.5, 100ms, 90s, 15m, 2h or 1d"


def parse_duration(text: str) -> float | None:
    """The seconds that a text such as ``90s`` or ``2h`` means; None where it means no time."""
    match = _TIME.fullmatch(text.strip().lower())
    return None if match is None else float(match["number"]) * _SECONDS[match["unit"]]


class Takes(BeforeValidator):
    """Reads the values of an option; ``words`` say what it takes."""

    words: str

    def __init__(self, words: str, read: Callable[[Any], Any]) -> None:
        def validate(value: object, info: ValidationInfo) -> object:
            result = read(value)
            if result is not REJECTED:
                return result
            name = str(info.field_name)
            raise SettingsError(f"{name} takes {words}, not {describe(name, value)}.")

        super().__init__(validate)
        object.__setattr__(self, "words", words)


def describe(name: str, value: object) -> str:
    """A value in a message; of an option that may hold a password no more than its type."""
    harmless = isinstance(value, int | float) or value is None or not str(value).strip()
    kind = type(value).__name__
    return repr(value) if name not in SECRETS or harmless else f"a value of type {kind}"


SECRETS = frozenset({"auth", "header", "proxy"})
"""Options whose values may hold a password: no message repeats them."""


def _number(value: object) -> object:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else REJECTED  # type: ignore[arg-type]


def _seconds(value: object) -> object:
    if not isinstance(value, str):
        return _number(value)
    found = parse_duration(value)
    return REJECTED if found is None else found


def _text(value: object) -> object:
    return value if isinstance(value, str) and value.strip() else REJECTED


def read_path(value: object) -> object:
    """A path as text; REJECTED for anything else."""
    return _text(os.fspath(value)) if isinstance(value, str | os.PathLike) else REJECTED


def read_texts(value: object) -> object:
    """One text is a list of one."""
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, Iterable) or isinstance(values, bytes | Mapping):
        return REJECTED
    texts = tuple(values)
    return texts if all(isinstance(text, str) for text in texts) else REJECTED


def _exactly(kind: type) -> Callable[[object], object]:
    return lambda value: value if type(value) is kind else REJECTED


def whole_within(low: int, high: int) -> Takes:
    """Whole numbers from ``low`` to ``high``."""

    def read(value: object) -> object:
        return value if type(value) is int and low <= value <= high else REJECTED

    return Takes(f"a whole number from {low} to {high:,}", read)


def one_of(*names: str) -> Takes:
    """One of these texts."""
    words = " or ".join(", ".join(map('"{}"'.format, names)).rsplit(", ", 1))
    return Takes(words, lambda value: value if value in names else REJECTED)


Whole = Annotated[int, Takes("a whole number", _exactly(int))]
Number = Annotated[float, Takes("a number", _number)]
Share = Annotated[float, Takes("a number within 0 and 1", _number), Field(ge=0.0, le=1.0)]
Part = Annotated[
    float, Takes("a part above 0 and up to 1, such as 0.5", _number), Field(gt=0.0, le=1.0)
]
Seconds = Annotated[float, Takes(f"a time such as {TIME_EXAMPLES}", _seconds)]
Flag = Annotated[bool, Takes("true or false", _exactly(bool))]
Text = Annotated[str, Takes("a text", _text)]
FilePath = Annotated[str, Takes("the path of a file", read_path)]
Texts = Annotated[
    tuple[str, ...], Takes('a text or a list of texts such as ["*news*", "*storm*"]', read_texts)
]


def option(
    description: str, metavar: str = "", *, panel: str = "", shown: object = None, **more: Any
) -> Any:
    """What is known of a field beside its type and default.

    Parameters
    ----------
    description : its first sentence is the help of the command line.
    metavar : stands for the value in the help.
    panel : heading under which ``--help-all`` lists the option; "" for the first page.
    shown : the default as the help shows it, where the value itself would not do.
    more : bounds, as pydantic knows them.
    """
    extra: dict[str, Any] = {"metavar": metavar, "panel": panel, "shown": shown}
    return Field(description=description, json_schema_extra=extra, **more)


# The base of all models, and how it describes its fields.


class Options(BaseModel):
    """Values by name, each checked; SettingsError says in one sentence what cannot be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _raise_settings_error(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(values)
        except ValidationError as error:
            raise _settings_error(cls, error) from None

    @classmethod
    def from_arguments(cls, **values: object) -> Self:
        """The options with these values; None leaves the default."""
        return cls(**{key: value for key, value in values.items() if value is not None})

    @classmethod
    def read(cls, key: str, value: object) -> Any:
        """One value as the model keeps it; UnknownNameError for a key that there is not."""
        return getattr(cls(**{key: value}), key)

    def changed(self, **values: object) -> Self:
        """The options with other values, checked again."""
        return type(self)(**{**self.__dict__, **values})


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(model: type[Options]) -> Callable[[Function], Function]:
    """Put the fields of a model in place of ``**options`` in the signature of a function.

    ``help()`` and the completion of notebooks show them then, with their defaults.
    """

    def decorate(function: Function) -> Function:
        own, hints = inspect.signature(function), get_type_hints(model)
        named = {
            name: each for name, each in own.parameters.items() if each.kind is not each.VAR_KEYWORD
        }
        fields = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.get_default(call_default_factory=True),
                annotation=hints[name],
            )
            for name, field in model.model_fields.items()
            if name not in named
        ]
        signature = own.replace(parameters=[*named.values(), *fields])
        function.__signature__ = signature  # type: ignore[attr-defined]
        return function

    return decorate


def _settings_error(model: type[Options], error: ValidationError) -> Exception:
    """The first of pydantic's errors as a sentence of ours."""
    first = error.errors()[0]
    name, kind, value = str(first["loc"][0]), first["type"], first["input"]
    bounds = first.get("ctx", {})
    if kind == "extra_forbidden":
        return UnknownNameError("option", name, model.model_fields)
    if kind not in ("greater_than_equal", "greater_than", "less_than_equal"):
        return SettingsError(f"{name} takes another value than {describe(name, value)}.")
    notes = list(_parts(model.model_fields[name]))
    if any(getattr(each, "le", None) == 1.0 for each in notes):
        if any(getattr(each, "gt", None) is not None for each in notes):
            return SettingsError(f"{name} is more than 0 and at most 1, not {value:g}.")
        return SettingsError(f"{name} lies within 0 and 1, not at {value:g}.")
    if kind == "less_than_equal":
        return SettingsError(f"{name} is {bounds['le']:,g} or less, not {value:,g}.")
    if kind == "greater_than":
        return SettingsError(f"{name} is more than {bounds['gt']:g}, not {value:g}.")
    return SettingsError(f"{name} is {bounds['ge']:g} or more, not {value:g}.")


def _parts(hint: object) -> Iterator[Any]:
    """The types of a type hint such as ``Annotated[str, note] | None``, and all that is noted."""
    if isinstance(hint, FieldInfo):
        yield from (hint, *hint.metadata, *_parts(hint.annotation))
    elif get_origin(hint) in (Annotated, Union, UnionType):
        for each in get_args(hint):
            yield from _parts(each)
    else:
        yield hint


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option as help and reference show it; ``default`` is None where there is none to show."""

    name: str
    kind: type
    takes: str
    description: str
    metavar: str
    panel: str
    default: object

    @property
    def help(self) -> str:
        """The first sentence of the description, and the default."""
        first = re.split(r"(?<=[.?]) ", self.description)[0]
        return first if self.default is None else f"{first} [default: {self.default}]"

    @property
    def is_path(self) -> bool:
        """Does it name a file or a folder?"""
        return self.takes.startswith("the path of")


def option_text(model: type[Options], name: str) -> OptionText:
    """How an option is described; see :func:`option`."""
    field = model.model_fields[name]
    found = list(_parts(field))
    about = next(each for each in found if isinstance(each, FieldInfo) and each.description)
    extra: Any = about.json_schema_extra
    default = extra["shown"] if extra["shown"] is not None else field.default
    kinds = [each for each in found if each in (bool, int, float, str)]
    return OptionText(
        name,
        kind=kinds[0] if kinds else tuple,
        takes=next(each.words for each in found if isinstance(each, Takes)),
        description=str(about.description),
        metavar=extra["metavar"],
        panel=extra["panel"],
        default=None if default is False or default == () else default,
    )
