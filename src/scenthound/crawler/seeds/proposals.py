"""Proposed seeds: how the best are chosen, the report of what was left out, and the user's choice
such as ``1, 3-5``.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from operator import attrgetter, itemgetter

from scenthound.core.errors import SettingsError
from scenthound.core.urls import host_of

ALREADY_IN_TOPIC = "in the topic already"

NO_TOPIC_WORD = "no word of the topic"

OFF_TOPIC = "not about the topic"

OVER_LIMIT = "beyond the number wanted"


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """The outcome of one source: its name, how many URLs it found, and why it failed, if so."""

    name: str
    found: int = 0
    failure: str = ""

    @property
    def failed(self) -> bool:
        """Whether it failed, and found nothing."""
        return bool(self.failure) and not self.found


@dataclass(frozen=True, slots=True)
class SeedReport:
    """The outcomes of the sources in order, and how many URLs were left out, by reason."""

    outcomes: Sequence[SourceOutcome] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether every source failed."""
        return bool(self.outcomes) and all(each.failed for each in self.outcomes)

    def counts(self) -> str:
        """Return what each source found, such as ``sitemaps 12, searxng failed``."""
        return ", ".join(
            f"{each.name} {'failed' if each.failed else f'{each.found:,}'}"
            for each in self.outcomes
        )

    def summary(self) -> str:
        """Return, in a sentence, what was found and why URLs are left out, most frequent first."""
        most_first = sorted(self.left_out.items(), key=lambda pair: -pair[1])
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in most_first if count)
        return f"found: {self.counts()}" + (f"; left out: {reasons}" if reasons else "")

    def failures(self) -> str:
        """Return why sources failed, a sentence each; empty where none did."""
        return "; ".join(each.failure for each in self.outcomes if each.failure)


class Kind(enum.StrEnum):
    """What a page would be good for."""

    SEED = "seed"
    EXAMPLE = "example"
    BOTH = "both"


class Basis(enum.StrEnum):
    """What a score was made from."""

    ADDRESS = "address"
    TITLE = "title"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A page that could be a seed or an example page.

    Parameters
    ----------
    url : canonical.
    kind : what it would be good for; pages that were not fetched are proposed as seeds.
    score : similarity to the topic, from 0 to 1, of what ``basis`` names.
    basis : its text where it was fetched, else its title and snippet, else its URL.
    title : as its site or a search engine has it; may be empty.
    sources : the names of the sources that found it.
    topical_links : of a page that was fetched, how many links have a word of the topic.
    modified : when it last changed, as its site says; empty if unsaid.
    """

    url: str
    kind: Kind = Kind.SEED
    score: float = 0.0
    basis: Basis = Basis.ADDRESS
    title: str = ""
    sources: tuple[str, ...] = ()
    topical_links: int | None = None
    modified: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the values by name, for ``--json``."""
        return {**asdict(self), "score": round(self.score, 4), "sources": list(self.sources)}


HOST_DISCOUNT = 0.8
"""Every further proposal of one host counts this much less than the one before."""


def best(proposals: Iterable[Proposal], count: int) -> list[Proposal]:
    """Return the best ``count``: pages that were read come first; of equals the first found.

    They come from many hosts: a host's best has its whole score, its second one
    :data:`HOST_DISCOUNT` of it, and so on.
    """
    taken: Counter[tuple[bool, str]] = Counter()
    ranked = []
    for each in sorted(proposals, key=attrgetter("score"), reverse=True):
        is_read = each.basis is Basis.TEXT
        place = is_read, host_of(each.url)
        ranked.append((is_read, each.score * HOST_DISCOUNT ** taken[place], each))
        taken[place] += 1
    ranked.sort(key=itemgetter(0, 1), reverse=True)
    return [each for _, _, each in ranked[:count]]


_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")

_AROUND_DASH = re.compile(r"\s*-\s*")


def chosen_numbers(text: str, count: int) -> tuple[int, ...]:
    """Return the numbers in the user's choice, from 1 to ``count``, in order, each once.

    Nothing, or ``none``, is no number; ``all`` is every one. SettingsError where a part of it is
    neither a number nor a range of them.
    """
    text = text.strip().lower()
    if text in ("", "none"):
        return ()
    if text == "all":
        return tuple(range(1, count + 1))
    numbers: set[int] = set()
    for part in _AROUND_DASH.sub("-", text).replace(",", " ").split():
        match = _RANGE.fullmatch(part)
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else 0
        if not 1 <= first <= last <= count:
            raise SettingsError(
                f"{part!r} is none of the proposals; give numbers from 1 to {count} such as 1,3-5, "
                "or all, or none."
            )
        numbers.update(range(first, last + 1))
    return tuple(sorted(numbers))
