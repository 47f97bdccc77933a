"""Queries from a topic, put to a search provider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from scenthound.core.errors import InputError
from scenthound.core.model import Briefing
from scenthound.seeding.found import Found, SearchError, SearchProvider, checked
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import topic_terms

MOST_QUERIES = 10
LONGEST_QUERY = 200
MOST_FAILURES = 3
"""After so many queries in a row that fail a provider is not asked again."""
_TERMS = 5
_LONGEST_ERROR = 200


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

    The provider may be somebody else's: whatever it raises is a query that failed, and what it
    gives is checked.

    Parameters
    ----------
    provider : answers them.
    queries : what to ask.
    count : results wanted of each.
    teller : gets what goes on and what is left out.
    """

    def __init__(
        self, provider: SearchProvider, queries: Sequence[str], count: int, teller: Teller
    ) -> None:
        self._provider = provider
        self._queries = queries
        self._count = count
        self._teller = teller
        self._unusable = 0

    @property
    def name(self) -> str:
        """The provider's; that of its class where it has none."""
        return str(getattr(self._provider, "name", "") or type(self._provider).__name__)

    def find(self) -> Iterator[Found]:
        """What the provider answers, query by query; one that fails does not end the others.

        SearchError at the end, where some failed.
        """
        failures: list[str] = []
        in_a_row = asked = 0
        for query in self._queries:
            asked += 1
            self._teller.doing(f"asking {self.name} for {query}")
            try:
                yield from self._answers(query)
                in_a_row = 0
            except SearchError as error:
                failures.append(str(error))
                in_a_row += 1
            if in_a_row == MOST_FAILURES:
                break
        self._tell_unusable()
        if failures:
            share = "" if asked == 1 else f" ({len(failures)} of {asked} queries)"
            raise SearchError(f"{failures[0]}{share}")

    def _answers(self, query: str) -> Iterator[Found]:
        """The answers to one query; whatever goes wrong is a SearchError."""
        try:
            yield from self._checked(query)
        except (InputError, SearchError):  # an option cannot be used: that is for the user to hear
            raise
        except Exception as error:
            words = " ".join(str(error).split())[:_LONGEST_ERROR]
            kind = type(error).__name__
            told = f"{kind}: {words}" if words else kind
            raise SearchError(f"{self.name} cannot be asked: {told}") from error

    def _checked(self, query: str) -> Iterator[Found]:
        given: object = self._provider.search(query, self._count)
        if not isinstance(given, Iterable):
            raise SearchError(
                f"{self.name} cannot be asked: it answers with {type(given).__name__}, not with a "
                "list of Found"
            )
        for each in islice(given, self._count):
            found = checked(each, self.name)
            if found is None:
                self._unusable += 1
            else:
                yield found

    def _tell_unusable(self) -> None:
        if self._unusable:
            self._teller.warn(
                f"{self.name}: results without an http address are left out: {self._unusable}"
            )


def _cut(query: str) -> str:
    """A query that no server refuses for its length, cut between two words."""
    if len(query) <= LONGEST_QUERY:
        return query
    return query[: LONGEST_QUERY + 1].rpartition(" ")[0] or query[:LONGEST_QUERY]
