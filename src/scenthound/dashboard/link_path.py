"""The pages that led from a seed to a page, by the best link to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scenthound.core.page_numbers import foreign, page_in, told_page, worker_of
from scenthound.dashboard.page_row import best_inlink
from scenthound.dashboard.plain_values import Json, address, items, words

_REDIRECTS = 20
_LONGEST = 500
"""Pages; a walk that is longer is shown from the page back to there."""

Event = Mapping[str, object]
Find = Callable[[int, int], Event | None]
"""The page of a worker, by the numbers of both; None where it is not shown here."""


def link_path(event: Event, find: Find, worker: int = 0) -> list[Json]:
    """The pages from the seed on, the page itself the last one.

    Each is looked up by its number, so that nothing else of the journal is read. ``anchor`` and
    ``score`` are those of the link that leads to it, ``redirects`` the URLs that it was sent on
    from. A page that is not on record any more ends the way back, and so does one of a worker
    whose folder is not shown; of that one the number is told.

    Parameters
    ----------
    event : of the page.
    find : looks up others.
    worker : who has the page; 0 for a crawl of one process.
    """
    way: list[Json] = []
    here: Event | None = event
    seen: set[tuple[int, object]] = set()
    while here is not None and len(way) < _LONGEST:
        source, score, anchor = best_inlink(here)
        way.append(_step(here, worker, anchor, score))
        seen.add((worker, here.get("n")))
        before = _before(here, source, worker)
        if before is None or before in seen:
            break
        here = find(*before)
        if here is None and before[0] != worker:
            way.append(_elsewhere(*before))
        worker = before[0]
    return way[::-1]


def _before(here: Event, source: int, worker: int) -> tuple[int, int] | None:
    """Worker and number of the page that led here; None where that cannot be.

    The pages of one worker lead to later ones only.
    """
    other = worker_of(source) if source > 0 else 0
    if other not in (0, worker):
        return other, page_in(source)
    number, own = here.get("n"), page_in(source)
    is_earlier = isinstance(number, int) and source > 0 and 0 < own < number
    return (worker, own) if is_earlier else None


def _step(event: Event, worker: int, anchor: str, score: float | None) -> Json:
    return {
        "n": event.get("n"),
        "url": address(event.get("url")),
        "title": words(event.get("title")),
        "anchor": anchor,
        "score": score,
        "redirects": [address(url) for url in items(event.get("redirects"))[:_REDIRECTS]],
        **({"worker": worker} if worker else {}),
    }


def _elsewhere(worker: int, number: int) -> Json:
    told = told_page(foreign(worker, number))
    return {"n": number, "url": "", "title": told, "worker": worker, "elsewhere": True}
