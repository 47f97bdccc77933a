"""What came of a search for seeds: what each source found, and why the rest is no proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

KNOWN = "in the topic already"
NO_WORD = "no word of the topic"
NOT_ABOUT = "not about the topic"
UNFETCHED = "cannot be fetched"
BEYOND = "beyond the number wanted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one source: its name, the addresses it knew of, and what went wrong, if so."""

    name: str
    found: int = 0
    failure: str = ""

    @property
    def failed(self) -> bool:
        """Did it go wrong, and bring nothing?"""
        return bool(self.failure) and not self.found


@dataclass(frozen=True, slots=True)
class Report:
    """What was tried, and what became of it.

    Parameters
    ----------
    outcomes : of the sources, in the order they were asked.
    left_out : why addresses are no proposals, and how many.
    """

    outcomes: Sequence[Outcome] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Did every source go wrong?"""
        return bool(self.outcomes) and all(each.failed for each in self.outcomes)

    def found(self) -> str:
        """What each source found, in words, such as ``sitemaps 12, searxng failed``."""
        return ", ".join(
            f"{each.name} {'failed' if each.failed else f'{each.found:,}'}"
            for each in self.outcomes
        )

    def reasons(self) -> str:
        """Why addresses are left out, most frequent first; empty where none is."""
        most_first = sorted(self.left_out.items(), key=lambda pair: -pair[1])
        return ", ".join(f"{reason} {count:,}" for reason, count in most_first if count)

    def summary(self) -> str:
        """All of it, in one sentence."""
        reasons = self.reasons()
        return f"found: {self.found()}" + (f"; left out: {reasons}" if reasons else "")

    def failures(self) -> str:
        """What went wrong, a sentence for each source; empty where nothing did."""
        return "; ".join(each.failure for each in self.outcomes if each.failure)
