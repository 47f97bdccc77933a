"""In which ways a strategy reads texts, where that depends on what is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from scenthound.core.summary import Json

_MOST, _LONGEST = 12, 200
"""Of what a file says: anybody may have written it."""
_TOLD = {"sentence": "sentences"}


@runtime_checkable
class Reading(Protocol):
    """A scorer that reads texts in as many ways as it can where it runs.

    It may have a ``why_fewer`` too: a few words on why there are not more ways; "" where there are
    all.
    """

    @property
    def ways(self) -> Sequence[str]:
        """The names of the ways, such as "words"; they stay the same for the whole crawl."""
        ...


@dataclass(frozen=True, slots=True)
class WaysRead:
    """The ``ways`` by name, in order; ``fewer`` says why there are not more, or is ""."""

    ways: tuple[str, ...]
    fewer: str = ""

    def told(self) -> str:
        """In words, to stand behind a verb.

        Examples
        --------
        >>> WaysRead(("words", "meaning"), "the extra neural is not installed").told()
        'by words and meaning: the extra neural is not installed'
        """
        why = f": {self.fewer.rstrip('.')}" if self.fewer else ""
        return f"by {listed([_TOLD.get(way, way) for way in self.ways])}{why}"

    def to_json(self) -> Json:
        """As journal and results have it."""
        return {"ways": list(self.ways), "fewer": self.fewer}


def ways_read(scorer: object) -> WaysRead | None:
    """The ways of a scorer that tells them; None for one that always reads alike."""
    ways = scorer.ways if isinstance(scorer, Reading) else ()
    if not ways or not isinstance(ways, list | tuple):  # a strategy of one's own may mean another
        return None
    return WaysRead(tuple(map(str, ways)), str(getattr(scorer, "why_fewer", None) or ""))


def ways_stored(stored: object) -> WaysRead | None:
    """What :meth:`WaysRead.to_json` wrote; None where it is none, or of an older crawl."""
    ways = stored.get("ways") if isinstance(stored, Mapping) else None
    if not isinstance(stored, Mapping) or not isinstance(ways, list) or not ways:
        return None
    names = tuple(str(way)[:_LONGEST] for way in ways[:_MOST])
    return WaysRead(names, str(stored.get("fewer") or "")[:_LONGEST])


def listed(names: Sequence[str]) -> str:
    """``words, meaning and sentences``; "" for none."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
