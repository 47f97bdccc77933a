"""A guard against pages on which any HTML parser takes quadratic time.

Such pages are nested very deep, or have thousands of names, of attributes in one tag, of choices
in one list, or formatting that is never closed, which the parser repeats in every block. The
guard counts what a parser would have to do and cuts the page where that is too much, at a million
tags at the latest.
"""

from __future__ import annotations

import re

from scenthound.text.tags import Tag, attribute_names, tags

MAX_DEPTH = 5_000
MAX_STEPS = 400_000_000
"""Comparisons that a parser may have to make for one page: about a second."""
SMALL_PAGE = 128 * 1024
FEW_TAGS = 2_000
FEW_FORMATS = 200
"""A page within these limits takes about a second at worst, so it is not looked at."""

_NEVER_NESTED = frozenset(
    "br hr img input meta link area base col embed source track wbr p li td th tr dt dd option "
    "script style body html head".split()
)
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_FORMAT = re.compile(rf"<(?:{'|'.join(sorted(_FORMATTING))})[ \t\n\f\r/>]", re.IGNORECASE)
_MERGED = frozenset({"html", "body"})
_DRAWN = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan stop image "
    "lineargradient radialgradient clippath mask pattern marker animate filter".split()
)
_COST_OF_TAG = 400
_COST_OF_ELEMENT = 500
_COST_OF_OPTION = 4
_NAMES_PER_STEP = 4
_MOST_EQUAL_FORMATS = 3
_LOOKED_AT = 64
"""Open formats compared with a new one: all of an honest page, and never too many."""


def bounded(html: str) -> str:
    """``html``, cut where it would nest or cost beyond :data:`MAX_DEPTH`, :data:`MAX_STEPS`.

    Ordinary pages, which are small and have few tags, come back unread. Tags that close
    each other (``p``, ``li``, table cells) do not count as nesting.
    """
    if _is_ordinary(html):
        return html
    work = _Work()
    for tag in tags(html):
        work.add(tag)
        if work.depth > MAX_DEPTH or work.steps > MAX_STEPS:
            return html[: tag.start]
    return html


def _is_ordinary(html: str) -> bool:
    """Is the page, in the worst case, read at once? Told without reading its tags."""
    count = html.count("<")
    if len(html) > SMALL_PAGE or count > MAX_DEPTH:
        return False
    return count <= FEW_TAGS or len(_FORMAT.findall(html)) <= FEW_FORMATS


class _Work:
    """What a parser has done up to a tag: elements open, comparisons made."""

    def __init__(self) -> None:
        self.depth = self.steps = 0
        self._formats = _Formats()
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
        if name in _FORMATTING:
            self._formats.add(tag)
        elif self._formats.open:
            self.steps += self._formats.open * _COST_OF_ELEMENT
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
        names = attribute_names(tag.rest)
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


class _Formats:
    """Formatting that is open: of equal tags a parser repeats at most three."""

    def __init__(self) -> None:
        self.open = 0
        self._tags: dict[str, list[str]] = {}

    def add(self, tag: Tag) -> None:
        """Open what ``tag`` opens, or close the last of its name."""
        opened = self._tags.setdefault(tag.name, [])
        if not tag.is_end:
            if opened[-_LOOKED_AT:].count(tag.rest) < _MOST_EQUAL_FORMATS:
                opened.append(tag.rest)
                self.open += 1
        elif opened:
            opened.pop()
            self.open -= 1
