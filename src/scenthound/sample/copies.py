"""The same page again: on a mirror, under a second address, as a print version."""

from __future__ import annotations

import random
from dataclasses import dataclass

from scenthound.core.urls import canonical
from scenthound.sample.hosts import MIRROR, MIRRORED
from scenthound.sample.pages import Leaf, Plan, Target

MIRRORED_PAGES = 24
SECOND_ADDRESSES = 14
PRINT_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class Copy:
    """A second address of ``original``; a print version has the text without the surroundings."""

    url: str
    original: Leaf
    printed: bool = False

    @property
    def target(self) -> Target:
        """The link that leads here."""
        words = "Print version" if self.printed else self.original.title
        return Target(self.url, words)


def plan_copies(plan: Plan, rng: random.Random) -> list[Copy]:
    """Copies of open pages only: a copy must not become a way into a bridged cluster."""
    able = [leaf for leaf in plan.leaves.values() if leaf.open and leaf.subject]
    mirrored = [leaf for leaf in able if leaf.host == MIRRORED]
    return [
        Copy(f"http://{MIRROR}/", plan.leaves[f"http://{MIRRORED}/"]),
        *(_on_mirror(leaf) for leaf in rng.sample(mirrored, MIRRORED_PAGES)),
        *(_second(leaf, "ref=rss") for leaf in rng.sample(able, SECOND_ADDRESSES)),
        *(_print(leaf) for leaf in rng.sample(able, PRINT_VERSIONS)),
    ]


def _on_mirror(leaf: Leaf) -> Copy:
    return Copy(leaf.url.replace(f"//{MIRRORED}/", f"//{MIRROR}/"), leaf)


def _second(leaf: Leaf, query: str) -> Copy:
    mark = "&" if "?" in leaf.url else "?"
    return Copy(canonical(f"{leaf.url}{mark}{query}"), leaf)


def _print(leaf: Leaf) -> Copy:
    return Copy(_second(leaf, "print=1").url, leaf, printed=True)
