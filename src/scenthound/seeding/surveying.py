"""All places are looked at in turn; one that cannot be asked is told and passed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from scenthound.seeding.found import Finder, Found, SearchError, SearchProvider
from scenthound.seeding.means import Means
from scenthound.seeding.report import Outcome
from scenthound.seeding.sources import Source, searching
from scenthound.seeding.telling import Teller

Place = tuple[str, Callable[[], Finder]]
"""What users call it, and what makes its finder."""


class Survey:
    """Looks at places, and notes what came of each.

    Parameters
    ----------
    teller : gets what cannot be asked.
    """

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self.outcomes: list[Outcome] = []

    def found(self, places: Iterable[Place]) -> Iterator[Found]:
        """All that is found, place by place."""
        for name, make in places:
            yield from self._at(name, make)

    def _at(self, name: str, make: Callable[[], Finder]) -> Iterator[Found]:
        urls: set[str] = set()
        failure = ""
        try:
            for each in make().find():
                urls.add(each.url)
                yield each
        except SearchError as error:
            failure = str(error)
            rest = "what it found is kept" if urls else "the search goes on without it"
            self._teller.warn(f"{failure}; {rest}")
        self.outcomes.append(Outcome(name, len(urls), failure))


def places_of(
    providers: Sequence[SearchProvider], sources: Iterable[Source], means: Means
) -> Iterator[Place]:
    """The places of an order: the providers that were handed over, then the sources."""
    for provider in providers:
        yield searching(provider, means).name, partial(searching, provider, means)
    for source in sources:
        yield source.name, partial(source.make, means)
