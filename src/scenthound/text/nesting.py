"""A guard against pages nested so deep that any HTML parser takes quadratic time on them."""

from __future__ import annotations

import re

MAX_DEPTH = 5_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_NEVER_NESTED = frozenset(
    "br hr img input meta link area base col embed source track wbr p li td th tr dt dd option "
    "script style body html head".split()
)


def bounded(html: str) -> str:
    """``html``, cut where more than :data:`MAX_DEPTH` elements would be open at once.

    Ordinary pages, which have fewer tags than that in all, come back unread. Tags that close
    each other (``p``, ``li``, table cells) do not count as nesting.
    """
    if html.count("<") <= MAX_DEPTH:
        return html
    depth = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() in _NEVER_NESTED:
            continue
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > MAX_DEPTH:
            return html[: tag.start()]
    return html
