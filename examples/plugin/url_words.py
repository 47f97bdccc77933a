"""A strategy of one file: links whose address or anchor names the topic come first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from scenthound.plugins import (
    Combination,
    FetchedPage,
    Greedy,
    Link,
    Part,
    Score,
    SettingsError,
    State,
    StrategyContext,
    StrategySpec,
)


class UrlWords:
    """How many of the topic's words stand in the address of a link, and how many in its anchor.

    It reads no page and learns nothing, and of a link that says "read more" it knows nothing.

    Parameters
    ----------
    anchor_weight : weight of the anchor; the address has the rest.
    enough : so many different words of the topic are as good as all.
    """

    predicts = True

    def __init__(
        self, context: StrategyContext, *, anchor_weight: float = 0.6, enough: int = 2
    ) -> None:
        if not 0.0 <= anchor_weight <= 1.0:
            raise SettingsError(f"anchor_weight must lie within 0 and 1, not {anchor_weight}.")
        if enough < 1:
            raise SettingsError(f"enough must be 1 or more, not {enough}.")
        self._terms = context.analyzer.count
        self._anchor_weight = anchor_weight
        self._enough = enough
        profile = context.profile
        named = (*profile.keywords, *(example.title for example in profile.examples))
        self._topic = frozenset(term for text in named for term in self._terms(text))

    def observe(self, page: FetchedPage) -> None:
        """Nothing is learned."""

    def score(self, page: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link, in order."""
        return [self._score(link) for link in links]

    def _score(self, link: Link) -> Score:
        parts = (
            Part("anchor", self._share(link.anchor), self._anchor_weight),
            Part("address", self._share(address_words(link.url)), 1.0 - self._anchor_weight),
        )
        return Score(sum(part.value * part.weight for part in parts), parts)

    def _share(self, text: str) -> float:
        found = len(self._topic.intersection(self._terms(text)))
        return min(1.0, found / self._enough)

    def state(self) -> State:
        """Nothing is learned."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing to restore."""


def address_words(url: str) -> str:
    """The words of an address: ``http://a.test/heavy-rain_2.html`` has "heavy rain html"."""
    return " ".join(re.findall(r"[^\W\d_]+", unquote(urlsplit(url).path)))


RECIPE = StrategySpec(
    name="url-words",
    scorer=UrlWords,
    policy=Greedy,
    combination=Combination.MAX,
    paper="an example",
    summary="words of the topic in the address and the anchor, best inlink",
)
