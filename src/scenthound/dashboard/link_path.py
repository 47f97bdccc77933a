"""The pages that led from a seed to a page, by the best link to each."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.dashboard.page_row import best_inlink
from scenthound.dashboard.plain_values import Json, address, items, words
from scenthound.store.journal_places import JournalPlaces

_REDIRECTS = 20
_LONGEST = 500
"""Pages; a walk that is longer is shown from the page back to there."""


def link_path(journal: JournalPlaces, event: Mapping[str, object]) -> list[Json]:
    """The pages from the seed on, the page itself the last one.

    Each is looked up by its number, so that nothing else of the journal is read. ``anchor`` and
    ``score`` are those of the link that leads to it, ``redirects`` the URLs that it was sent on
    from. A page that is not on record any more ends the way back.
    """
    way: list[Json] = []
    here: Mapping[str, object] | None = event
    while here is not None and len(way) < _LONGEST:
        source, score, anchor = best_inlink(here)
        way.append(_step(here, anchor, score))
        number = here.get("n")
        earlier = isinstance(number, int) and 0 < source < number
        found = journal.page(source) if earlier else None
        here = None if found is None else found.event
    return way[::-1]


def _step(event: Mapping[str, object], anchor: str, score: float | None) -> Json:
    return {
        "n": event.get("n"),
        "url": address(event.get("url")),
        "title": words(event.get("title")),
        "anchor": anchor,
        "score": score,
        "redirects": [address(url) for url in items(event.get("redirects"))[:_REDIRECTS]],
    }
