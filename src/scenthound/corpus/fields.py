"""The columns of an export: what each holds, and what has to be read for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypedDict

from scenthound.core.errors import SettingsError, UnknownNameError

Value = str | int | float | bool | None


class Weight(TypedDict):
    """One part of a priority: its value, and the weight it entered with."""

    value: float
    weight: float


Row = dict[str, Value | list[str] | dict[str, Weight]]
"""One page, by the names of :data:`FIELDS`; None where nothing is known."""


class Kind(Enum):
    """What a column holds: a single value, a list of texts, or the parts of a priority."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    TRUTH = "true or false"
    TEXTS = "list of texts"
    PARTS = "value and weight by name"


class Source(IntEnum):
    """Where a column comes from, the cheapest first."""

    JOURNAL = 0
    BODY = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class Field:
    """One column."""

    name: str
    kind: Kind
    source: Source
    about: str


_PARTS_ABOUT = "what the priority is made of: of each part its value and its weight"

FIELDS: tuple[Field, ...] = (
    Field("n", Kind.INTEGER, Source.JOURNAL, "number of the page in the order of fetching"),
    Field("url", Kind.TEXT, Source.JOURNAL, "canonical address"),
    Field("title", Kind.TEXT, Source.JOURNAL, "title; without the text, its first 120 characters"),
    Field("text", Kind.TEXT, Source.TEXT, "main text, without menus and the like"),
    Field("text_source", Kind.TEXT, Source.TEXT, "main, visible (all of the page's text) or pdf"),
    Field("language", Kind.TEXT, Source.TEXT, "language of the text, as a code"),
    Field("language_confidence", Kind.NUMBER, Source.TEXT, "how sure that is, 0 to 1"),
    Field("expected_language", Kind.TRUTH, Source.TEXT, "is it the language of the topic?"),
    Field("date", Kind.TEXT, Source.TEXT, "date the page gives itself, as 2024-03-01"),
    Field("author", Kind.TEXT, Source.TEXT, "author the page names"),
    Field("description", Kind.TEXT, Source.TEXT, "description the page gives of itself"),
    Field("relevance", Kind.NUMBER, Source.JOURNAL, "similarity to the topic, 0 to 1"),
    Field("relevant", Kind.TRUTH, Source.JOURNAL, "did it reach the crawl's threshold?"),
    Field("priority", Kind.NUMBER, Source.JOURNAL, "what its links promised; empty for a seed"),
    Field("priority_parts", Kind.PARTS, Source.JOURNAL, _PARTS_ABOUT),
    Field("parent", Kind.TEXT, Source.JOURNAL, "address of the page with the best link here"),
    Field("anchor", Kind.TEXT, Source.JOURNAL, "words of that link"),
    Field("depth", Kind.INTEGER, Source.JOURNAL, "links from a seed"),
    Field("fetched_at", Kind.TEXT, Source.JOURNAL, "time of fetching, UTC; empty for a replay"),
    Field("status", Kind.INTEGER, Source.JOURNAL, "HTTP status"),
    Field("redirects", Kind.TEXTS, Source.JOURNAL, "addresses that led here"),
    Field("copy_of", Kind.INTEGER, Source.JOURNAL, "number of the page whose copy it is"),
    Field("problem", Kind.TEXT, Source.JOURNAL, "why there is less to read than expected"),
    Field("rendered", Kind.TRUTH, Source.JOURNAL, "was it read with a browser?"),
    Field("content_type", Kind.TEXT, Source.BODY, "as the server says"),
    Field("size", Kind.INTEGER, Source.BODY, "bytes of the body, unpacked"),
    Field("warc_file", Kind.TEXT, Source.JOURNAL, "file in the crawl folder with its record"),
    Field("warc_offset", Kind.INTEGER, Source.JOURNAL, "byte at which the record starts"),
    Field("warc_length", Kind.INTEGER, Source.JOURNAL, "bytes of the record"),
)

NAMES = tuple(field.name for field in FIELDS)


def chosen_fields(names: Iterable[str] | None, text: bool = True) -> tuple[Field, ...]:
    """The columns of these names, in this order; all of them for None.

    Without ``text`` all but those for which the text of a page has to be found.

    Raises
    ------
    SettingsError
        No column is left, one is named twice, or one would need the text that is not wanted.
    UnknownNameError
        There is no column of a name.
    """
    if names is None:
        return tuple(field for field in FIELDS if text or field.source is not Source.TEXT)
    if isinstance(names, str):
        raise SettingsError(f"fields is a list of names, not the text {names!r}; give a list.")
    return _checked([_field(name) for name in names], text)


def deepest(fields: Sequence[Field]) -> Source:
    """How much has to be read for these columns."""
    return max((field.source for field in fields), default=Source.JOURNAL)


def _field(name: str) -> Field:
    for field in FIELDS:
        if field.name == name:
            return field
    raise UnknownNameError("field", str(name), NAMES)


def _checked(fields: list[Field], text: bool) -> tuple[Field, ...]:
    names = [field.name for field in fields]
    if not names:
        raise SettingsError(f"no field is named; give some of: {', '.join(NAMES)}.")
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"the field {name} is named twice; name it once.")
    needy = [field.name for field in fields if field.source is Source.TEXT]
    if needy and not text:
        raise SettingsError(
            f"the field {needy[0]} comes from the text of a page; leave out --no-text or the field."
        )
    return tuple(fields)
