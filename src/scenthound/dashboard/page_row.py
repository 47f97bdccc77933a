"""A page event of the journal as a row of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenthound.core.page_numbers import foreign
from scenthound.dashboard.plain_values import Json, address, items, number, table, whole, words
from scenthound.explanation.meanings import evidence_of
from scenthound.live.job import WorkerMark

_PARTS = 30
_FIGURES = ("n", "at", "status", "depth", "similarity")


def page_row(event: Mapping[str, object]) -> Json:
    """The row of a page; what its event does not say is None, 0 or ""."""
    return {
        "n": whole(event.get("n")),
        "at": number(event.get("at")),
        "url": address(event.get("url")),
        "title": words(event.get("title")),
        "relevant": event.get("relevant") is True,
        "similarity": number(event.get("similarity")),
        "priority": number(event.get("priority")),
        "depth": whole(event.get("depth")),
        "status": whole(event.get("status")),
        "parts": _parts(event),
        "linked_from": whole(event.get("linked_from")),
        "problem": words(event.get("problem")),
        "language": words(event.get("language")) or None,
        "anchor": best_inlink(event)[2],
    }


def worker_row(event: Mapping[str, object], mark: WorkerMark) -> Json:
    """The row of a page that one of several workers has; ``key`` is its number among all."""
    row = page_row(event)
    return {**row, "key": foreign(mark.number, whole(row["n"])), "worker": _told(mark)}


def newest_first(rows: Iterable[Json]) -> list[Json]:
    """Rows of several workers in the order of time; those without a time come last."""
    return sorted(rows, key=lambda row: number(row["at"]) or 0.0, reverse=True)


def _told(mark: WorkerMark) -> Json:
    return {"number": mark.number, "name": mark.name}


def is_sound(event: Mapping[str, object]) -> bool:
    """Does a page event say what every page has? Rows of others have gaps."""
    figures = all(number(event.get(name)) is not None for name in _FIGURES)
    return figures and isinstance(event.get("url"), str) and isinstance(event.get("relevant"), bool)


def best_inlink(event: Mapping[str, object]) -> tuple[int, float | None, str]:
    """Number of the page with the best link here, its score, its words; 0, None, "" for none."""
    inlinks = items(event.get("inlinks"))
    best = items(inlinks[0]) if inlinks else []
    if len(best) != 3:
        return 0, None, ""
    return whole(best[0]), number(best[1]), words(best[2])


def _parts(event: Mapping[str, object]) -> list[list[object]]:
    """Name, value and weight of each part of its priority, and what it speaks of."""
    parts = list(table(event.get("parts")).items())[:_PARTS]
    pairs = [(words(name), items(pair)) for name, pair in parts]
    return [
        [name, *map(number, pair), evidence_of(name)[0]] for name, pair in pairs if len(pair) == 2
    ]
