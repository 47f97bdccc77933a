"""A guard against pages on which any HTML parser takes quadratic time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The tags of a page in order, without comments and scripts, and without building a tree.

_BLANK = r"[ \t\n\f\r]"
_NAME = r"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
_VALUE = rf"(?:{_BLANK}*+={_BLANK}*+(?:\"[^\"]*+\"?|'[^']*+'?|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)?)?"
ATTRIBUTE_NAME = re.compile(rf"({_NAME}){_VALUE}")
"""Finds the names of the attributes in the ``rest`` of a tag."""
_TAG_OR_COMMENT = re.compile(
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
    while found := _TAG_OR_COMMENT.search(html, at):
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


# A guard against pages on which any HTML parser takes quadratic time.
#
# Such pages are nested very deep, or have thousands of names, of attributes in one tag, of
# choices in one list, or formatting that is never closed, which the parser repeats in every
# block. The guard counts what a parser would have to do and cuts the page where that is too much,
# at a million tags at the latest.

MAX_DEPTH = 5_000
MAX_STEPS = 400_000_000
"""Comparisons that a parser may have to make for one page: about a second."""
_NEVER_NESTED = frozenset(
    "br hr img input meta link area base col embed source track wbr p li td th tr dt dd option "
    "script style body html head".split()
)
FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_MERGED = frozenset({"html", "body"})
_DRAWN = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan stop image "
    "lineargradient radialgradient clippath mask pattern marker animate filter".split()
)
_COST_OF_TAG, _COST_OF_ELEMENT, _COST_OF_OPTION = 400, 500, 4
_NAMES_PER_STEP = 4
_MAX_EQUAL_FORMATS = 3
_COMPARED_FORMATS = 64
"""Open formats compared with a new one: all of an honest page, and never too many."""


def cut_where_costly(html: str) -> str:
    """``html``, cut where it would nest or cost beyond :data:`MAX_DEPTH`, :data:`MAX_STEPS`.

    Tags that close each other (``p``, ``li``, table cells) do not count as nesting.
    """
    work = _Work()
    for tag in tags(html):
        work.add(tag)
        if work.depth > MAX_DEPTH or work.steps > MAX_STEPS:
            return html[: tag.start]
    return html


class _Work:
    """What a parser has done up to a tag: elements open, comparisons made."""

    def __init__(self) -> None:
        self.depth = self.steps = 0
        self._formats = 0
        """Formatting that is open: of equal tags a parser repeats at most three."""
        self._open_formats: dict[str, list[str]] = {}
        self._names: set[str] = set()
        self._merged = self._options = 0
        self._in_drawing = False

    def add(self, tag: Tag) -> None:
        """Count one more tag."""
        name = tag.name
        self.steps += self.depth + _COST_OF_TAG
        self._meet([name])
        if tag.rest:
            self._attributes(tag)
        if name in FORMATTING:
            self._format(tag)
        else:
            self.steps += self._formats * _COST_OF_ELEMENT
        if name == "option":
            self._options += 1
            self.steps += self._options * _COST_OF_OPTION
        self._nest(tag)

    def _meet(self, names: list[str]) -> None:
        """A parser keeps names in a table of fixed size: each new one takes longer."""
        known = len(self._names)
        self._names.update(names)
        fresh = len(self._names) - known
        if fresh:
            self.steps += fresh * len(self._names) // _NAMES_PER_STEP

    def _attributes(self, tag: Tag) -> None:
        """Each attribute is compared with all others of its element."""
        names = ATTRIBUTE_NAME.findall(tag.rest)
        others = len(names)
        if tag.name in _MERGED:  # all tags of the body add to the one body
            self._merged += len(names)
            others = self._merged
        self.steps += len(names) * others
        self._meet(names)

    def _nest(self, tag: Tag) -> None:
        if tag.name == "svg":
            self._in_drawing = not tag.is_end
        elif tag.name not in _DRAWN:
            self._in_drawing = False
        if tag.name in _NEVER_NESTED or (self._in_drawing and tag.rest.endswith("/")):
            return
        self.depth = max(0, self.depth - 1) if tag.is_end else self.depth + 1

    def _format(self, tag: Tag) -> None:
        """Open what ``tag`` opens, or close the last of its name."""
        opened = self._open_formats.setdefault(tag.name, [])
        if not tag.is_end:
            if opened[-_COMPARED_FORMATS:].count(tag.rest) < _MAX_EQUAL_FORMATS:
                opened.append(tag.rest)
                self._formats += 1
        elif opened:
            opened.pop()
            self._formats -= 1
