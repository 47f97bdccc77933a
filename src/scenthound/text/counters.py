"""The counters of texts that runs share, one for each way of reading."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.keeping import KeptRows, Remembered
from scenthound.text.counted_phrases import OwnPhrases, PhraseCounter, PhraseFinder, needed_words
from scenthound.text.counted_texts import Counter, TextCounter, TextMemory, hash_of, size_of
from scenthound.text.finding import TermFinder
from scenthound.text.phrases import Phrases
from scenthound.text.rules import Rules
from scenthound.text.vocabulary import Vocabulary

_MOST_COUNTERS = 50
_MOST_TERMS = 1_000_000
"""Where a counter has met more, all begin anew."""


class TextCounters:
    """The counters that runs share.

    Parameters
    ----------
    version : of all that texts are read by; what another version counted is not found.
    memory_bytes : what all of them remember together.
    rows : what is kept beyond the process; None for nothing.
    """

    def __init__(self, version: str, memory_bytes: int, rows: KeptRows | None = None) -> None:
        self._version = version
        self._memory_bytes = memory_bytes
        self._rows = rows
        self._begin()

    def of(
        self, way: str, rules: Rules, tables: Sequence[Phrases], own: OwnPhrases | None = None
    ) -> Counter:
        """The counter by these rules.

        Parameters
        ----------
        way : rules and tables in words, as :func:`~.reading_way.way_of_reading` tells them.
        rules : of the language.
        tables : of phrases that all topics share.
        own : phrases that come on top.
        """
        self._tidy()
        key = hash_of(f"{self._version}\n{way}")
        base = self._counters.get(key)
        if base is None:
            vocabulary = Vocabulary()
            base = self._counter(key, TermFinder(rules, vocabulary, tables), vocabulary)
            self._counters[key] = base
        return base if own is None else self._with_phrases(key, base, rules, own)

    def _with_phrases(self, key: bytes, base: Counter, rules: Rules, own: OwnPhrases) -> Counter:
        key = hash_of("\n".join(own.phrases), key)
        known = self._counters.get(key)
        if known is None:
            finder = PhraseFinder(rules, base.vocabulary, own.table)
            phrases = self._counter(key, finder, base.vocabulary)
            needed = [needed_words(phrase, rules) for phrase in own.phrases]
            known = self._counters[key] = PhraseCounter(base, phrases, needed)
        return known

    def _counter(
        self, key: bytes, finder: TermFinder | PhraseFinder, vocabulary: Vocabulary
    ) -> TextCounter:
        return TextCounter(key, finder, vocabulary, self._memory, self._rows)

    def _tidy(self) -> None:
        """Begin anew before there is too much; runs that have a counter go on with it."""
        terms = max((len(each.vocabulary) for each in self._counters.values()), default=0)
        if len(self._counters) >= _MOST_COUNTERS or terms > _MOST_TERMS:
            self._begin()

    def _begin(self) -> None:
        self._counters: dict[bytes, Counter] = {}
        self._memory: TextMemory = Remembered(self._memory_bytes, size_of)
