"""A page that was read, as JSON values and back: so that reading can happen in another process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenthound.core.model import Document, Link, Page

_PLAIN = ("url", "status", "follow", "fetched_at", "size", "problem", "index", "canonical",
          "rendered")  # fmt: skip


def page_json(page: Page) -> dict[str, object]:
    """All that a page holds when it has just been read; how it was come by is not known yet."""
    document = page.document
    return {
        **{name: getattr(page, name) for name in _PLAIN},
        "title": document.title,
        "text": document.text,
        "description": document.description,
        "groups": document.groups,
        "language": document.language,
        "links": [(link.url, link.anchor, link.context, *link.rel) for link in page.links],
        "unusable": page.unusable,
    }


def json_page(stored: Mapping[str, Any]) -> Page:
    """What :func:`page_json` was given."""
    return Page(
        **{name: stored[name] for name in _PLAIN},
        document=Document(
            stored["title"],
            stored["text"],
            stored["description"],
            stored["groups"],
            stored["language"],
        ),
        links=tuple(
            Link(url, anchor, context, frozenset(rel))
            for url, anchor, context, *rel in stored["links"]
        ),
        unusable={
            reason: (count, tuple(examples))
            for reason, (count, examples) in stored["unusable"].items()
        },
    )
