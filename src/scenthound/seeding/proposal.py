"""What is proposed to a person, and how the best are chosen from all that was found."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from scenthound.core.urls import host_of
from scenthound.seeding.found import Found

HOST_DISCOUNT = 0.8
"""Every further proposal of one host counts this much less than the one before."""


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
    basis : its text where it was fetched, else its title and snippet, else its address.
    title : as its site or a search engine has it; may be empty.
    sources : the names of what knew of it.
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
        """By name, for ``--json``."""
        return {
            "url": self.url,
            "kind": self.kind.value,
            "score": round(self.score, 4),
            "basis": self.basis.value,
            "title": self.title,
            "sources": list(self.sources),
            "topical_links": self.topical_links,
            "modified": self.modified,
        }


def grouped(found: Iterable[Found]) -> list[tuple[Found, ...]]:
    """All that was found of each address, in the order the addresses were first found."""
    groups: dict[str, list[Found]] = {}
    for each in found:
        groups.setdefault(each.url, []).append(each)
    return [tuple(group) for group in groups.values()]


def chosen(proposals: Sequence[Proposal], count: int) -> list[Proposal]:
    """The best ``count`` where pages were to be read: those that were come before the others."""
    by_text = [each for each in proposals if each.basis is Basis.TEXT]
    others = [each for each in proposals if each.basis is not Basis.TEXT]
    best = spread(by_text, count)
    return best + spread(others, count - len(best))


def spread(proposals: Iterable[Proposal], count: int) -> list[Proposal]:
    """The best ``count``, over many hosts; of equals the first found.

    A host's best has its whole score, its second one :data:`HOST_DISCOUNT` of it, and so on.
    """
    taken: dict[str, int] = {}
    discounted = []
    for each in sorted(proposals, key=attrgetter("score"), reverse=True):
        host = host_of(each.url)
        discounted.append((each.score * HOST_DISCOUNT ** taken.get(host, 0), each))
        taken[host] = taken.get(host, 0) + 1
    discounted.sort(key=lambda pair: -pair[0])
    return [each for _, each in discounted[: max(0, count)]]
