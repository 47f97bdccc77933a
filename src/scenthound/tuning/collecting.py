"""Training links together with what it took to get them, and why other links gave none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scenthound.core.model import INLINKS, Score, inlink_share
from scenthound.core.parameters import Value
from scenthound.corpus.record import NOTHING_TO_READ
from scenthound.tuning.links import TrainingLinks

MISSING = "not in the archive"
UNFETCHED = "not fetched by then"
UNREADABLE = "failed or nothing to read"
COPY = "copy of an earlier page"
KNOWN = "redirect to a page that is known or excluded"
UNLINKED = "no stored page links there"

OnLinks = Callable[[int, int], None]
"""Told how many links there are so far, and how many are wanted."""


@dataclass(frozen=True)
class Collected:
    """Training links, and what it took to get them.

    ``fetched`` counts the pages that a pre-crawl fetched, or that were read again out of a crawl
    folder; ``wanted`` the links that were asked for. ``left_out`` counts the targets of links that
    gave no training link, by reason. ``source`` says in words where the links come from,
    ``parameters`` what was set of the text model.
    """

    links: TrainingLinks
    fetched: int
    wanted: int
    left_out: Mapping[str, int]
    source: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """As a results file has it, without the links themselves."""
        return {
            "source": self.source,
            "model": self.links.model,
            "parameters": dict(self.parameters),
            "links": len(self.links),
            "wanted": self.wanted,
            "fetched": self.fetched,
            "left_out": dict(self.left_out),
        }


def why_no_target(status: int, problem: str, copy_of: int | None) -> str | None:
    """Why a fetched page tells nothing of the link to it; None where it does."""
    if copy_of is not None:
        return COPY
    if not 200 <= status < 300 or problem in NOTHING_TO_READ:
        return UNREADABLE
    return None


def values_of(score: Score, linked_from: int) -> tuple[float, ...]:
    """What a link was worth, part by part; ``inlinks`` by the pages that link there by now."""
    inlinks = inlink_share(linked_from)
    return tuple(inlinks if part.name == INLINKS else part.value for part in score.parts)
