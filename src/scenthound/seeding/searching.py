"""Queries from a topic, put to a search provider."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenthound.core.model import Briefing
from scenthound.seeding.found import Found, SearchProvider
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import topic_terms

MOST_QUERIES = 10
LONGEST_QUERY = 200
_TERMS = 5


def queries_of(briefing: Briefing, analyzer: Analyzer) -> tuple[str, ...]:
    """Each keyword, and all together; of a topic without keywords its heaviest terms.

    None where the topic has no word at all.
    """
    words = [word.strip() for word in briefing.keywords if len(analyzer.bag(word))]
    if not words:
        return tuple(filter(None, [" ".join(topic_terms(briefing, analyzer, _TERMS))]))
    together = _cut(" ".join(words))
    return tuple(dict.fromkeys([together, *map(_cut, words)]))[:MOST_QUERIES]


class Searching:
    """Puts queries to a provider, one after the other.

    Parameters
    ----------
    provider : answers them.
    queries : what to ask.
    count : results wanted of each.
    teller : gets what goes on.
    """

    def __init__(
        self, provider: SearchProvider, queries: Sequence[str], count: int, teller: Teller
    ) -> None:
        self._provider = provider
        self._queries = queries
        self._count = count
        self._teller = teller

    @property
    def name(self) -> str:
        """The provider's."""
        return self._provider.name

    def find(self) -> Iterator[Found]:
        """What the provider answers, query by query."""
        for query in self._queries:
            self._teller.doing(f"asking {self.name} for {query}")
            yield from self._provider.search(query, self._count)


def _cut(query: str) -> str:
    """A query that no server refuses for its length, cut between two words."""
    if len(query) <= LONGEST_QUERY:
        return query
    return query[: LONGEST_QUERY + 1].rpartition(" ")[0] or query[:LONGEST_QUERY]
