"""The tags of a page in their order, told from comments and scripts, without building a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BLANK = r"[ \t\n\f\r]"
_NAME = r"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
_VALUE = rf"(?:{_BLANK}*+={_BLANK}*+(?:\"[^\"]*+\"?|'[^']*+'?|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)?)?"
_ATTRIBUTE = re.compile(rf"({_NAME}){_VALUE}")
_MARKUP = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(/?)([a-zA-Z][^ \t\n\f\r/>]*+)((?:[ \t\n\f\r/]++|{_NAME}{_VALUE})*+)"
    r"|(?:[!?]|/[^a-zA-Z])[^>]*+)",
    re.DOTALL,
)  # possessive, so that the whole page is read once, whatever stands in it
_RAW = {
    name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE)
    for name in "script style textarea title xmp iframe noembed noframes".split()
}
"""Elements that hold no tags, and how they end."""
_NOT_RAW_INSIDE = frozenset({"svg", "math", "select"})


class Tag(NamedTuple):
    """A tag: where it begins, its name in lower case, and what stands behind the name."""

    start: int
    name: str
    is_end: bool
    rest: str


def tags(html: str) -> Iterator[Tag]:
    """Every tag of ``html``; an empty page has none.

    Comments, scripts and other raw text are passed over. In doubt, as inside drawings, what
    may be no tag is taken for one.
    """
    at = foreign = 0
    while found := _MARKUP.search(html, at):
        at = found.end()
        if found[2] is None:
            continue
        tag = Tag(found.start(), found[2].lower(), found[1] == "/", found[3])
        yield tag
        if tag.name in _NOT_RAW_INSIDE:
            foreign = max(0, foreign - 1) if tag.is_end else foreign + 1
        elif tag.name in _RAW and not tag.is_end and not foreign:
            end = _RAW[tag.name].search(html, at)
            at = end.start() if end else len(html)


def attribute_names(rest: str) -> list[str]:
    """The names of the attributes in the ``rest`` of a tag, as they are written there."""
    return _ATTRIBUTE.findall(rest)
