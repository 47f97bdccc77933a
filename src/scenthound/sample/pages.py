"""The pages of the sample web before they have any text: what, where, and about which subject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.urls import host_of
from scenthound.sample.theme import Subject, Theme

OPEN = 0
"""The cluster of pages that same-topic links reach; 1 and up are reached over a bridge only."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A planned page. ``label`` is the topic it is truly about; mixed and noise pages have none.

    ``charset`` and ``quirk`` say how its bytes and its markup will be spoiled, if at all.
    """

    url: str
    kind: str
    theme: str
    title: str
    subject: Subject | None = None
    label: str | None = None
    cluster: int = OPEN
    charset: str = "utf-8"
    quirk: str = ""

    @property
    def host(self) -> str:
        """Host of the page."""
        return host_of(self.url)

    @property
    def open(self) -> bool:
        """Can the page be linked from anywhere?"""
        return self.cluster == OPEN


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link goes and the words it may be given."""

    url: str
    title: str
    phrase: str = ""
    teaser: str = ""
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """All planned pages by URL, and the words to fill them with."""

    leaves: Mapping[str, Leaf]
    themes: Mapping[str, Theme]
    seeds: Mapping[str, tuple[str, ...]]

    def of_theme(self, theme: str) -> list[Leaf]:
        """Pages of one theme, in the order of the plan."""
        return [leaf for leaf in self.leaves.values() if leaf.theme == theme]

    @property
    def topics(self) -> list[str]:
        """Names of the themes that are topics."""
        return [name for name, theme in self.themes.items() if theme.keywords]

    @property
    def noise(self) -> list[str]:
        """Names of the themes that are not."""
        return [name for name, theme in self.themes.items() if not theme.keywords]


def target_of(leaf: Leaf) -> Target:
    """The link target that ``leaf`` is."""
    if leaf.subject is None:
        return Target(leaf.url, leaf.title)
    phrase = "" if leaf.subject.side else leaf.subject.phrase
    return Target(leaf.url, leaf.title, phrase, leaf.subject.facts[0])
