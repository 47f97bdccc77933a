"""Change anything that terms depend on, and the way of reading is another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from core.dictionary_rows import DictionaryRows
from scenthound.text.analyzer import Analyzer, rules_of, text_representation
from scenthound.text.term_counts import TextCounters
from scenthound.text.terms import Rules
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet, shipped
from text.wordnet_building import FILES, write

LONG = "The wolves ran through the rain and the tropical storm. " * 30


class Reading(NamedTuple):
    """All that a way of reading is told from."""

    own: Rules
    rules: Rules
    wordnet: WordNet | None

    def way(self) -> str:
        return text_representation(*self)

    def with_own(self, **changes: str) -> Reading:
        return self._replace(own=replace(self.own, **changes))  # type: ignore[arg-type]

    def with_rules(self, **changes: object) -> Reading:
        return self._replace(rules=replace(self.rules, **changes))  # type: ignore[arg-type]

    def with_wordnet(self, **changes: object) -> Reading:
        assert self.wordnet is not None
        return self._replace(wordnet=replace(self.wordnet, **changes))  # type: ignore[arg-type]


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return load_wordnet(write(tmp_path / "first"))


@pytest.fixture
def reading(wordnet: WordNet) -> Reading:
    return Reading(rules_of("en", wordnet), rules_of("en", wordnet), wordnet)


def more_nouns(reading: Reading) -> Reading:
    assert reading.wordnet is not None
    nouns = reading.wordnet.nouns
    return reading.with_wordnet(nouns=replace(nouns, lemmas=(*nouns.lemmas, "zephyr")))


def more_verbs(reading: Reading) -> Reading:
    assert reading.wordnet is not None
    verbs = reading.wordnet.verbs
    return reading.with_wordnet(verbs=replace(verbs, lemmas=(*verbs.lemmas, "zap")))


def other_senses(reading: Reading) -> Reading:
    """One lemma has a sense more; the base with the most senses wins."""
    assert reading.wordnet is not None
    nouns = reading.wordnet.nouns
    starts = np.array(nouns.senses.starts)
    starts[1:] += 1
    senses = replace(nouns.senses, starts=starts)
    return reading.with_wordnet(nouns=replace(nouns, senses=senses))


def inflections(part: str, forms: Mapping[str, tuple[str, ...]]) -> Callable[[Reading], Reading]:
    def change(reading: Reading) -> Reading:
        assert reading.wordnet is not None
        return reading.with_wordnet(exceptions={**reading.wordnet.exceptions, part: forms})

    return change


CHANGES: dict[str, Callable[[Reading], Reading]] = {
    "the topic's language": lambda reading: reading.with_own(language="en-GB"),
    "its folding": lambda reading: reading.with_own(folding="stems"),
    "its cutting": lambda reading: reading.with_own(cutting="pairs"),
    "the page's language": lambda reading: reading.with_rules(language="de"),
    "the page's cutting": lambda reading: reading.with_rules(cutting="pairs"),
    "stop words": lambda reading: reading.with_rules(stops=reading.rules.stops | {"storm"}),
    "no stop words": lambda reading: reading.with_rules(stops=frozenset()),
    "stop bases": lambda reading: reading.with_rules(stop_bases=frozenset({"storm"})),
    "no WordNet": lambda reading: reading._replace(wordnet=None),
    "the shipped WordNet": lambda reading: reading._replace(wordnet=shipped()),
    "a noun": more_nouns,
    "a verb": more_verbs,
    "senses": other_senses,
    "a form of nouns": inflections("noun", {"wolves": ("wolf",), "oxen": ("ox",)}),
    "a base of nouns": inflections("noun", {"wolves": ("wolve",)}),
    "a form of verbs": inflections("verb", {"ran": ("run",), "rode": ("ride",)}),
}


def test_all_changes_are_different_ways(reading: Reading) -> None:
    ways = {reading.way(), *(change(reading).way() for change in CHANGES.values())}
    assert len(ways) == 1 + len(CHANGES)


def test_the_same_wordnet_in_another_folder_is_the_same_way(
    reading: Reading, tmp_path: Path
) -> None:
    again = load_wordnet(write(tmp_path / "second"))
    assert reading._replace(wordnet=again).way() == reading.way()


def test_a_second_wordnet_folder_counts_anew(wordnet: WordNet, tmp_path: Path) -> None:
    """Through every part: what the first one had counted is not found."""
    for file, line in [("noun.exc", "ranwolves wolf\n"), ("verb.exc", "rained rain\n")]:
        rows = DictionaryRows()
        second = load_wordnet(write(tmp_path / "second", {**FILES, file: FILES[file] + line}))
        for lexicon, kept in ((wordnet, 1), (wordnet, 1), (second, 2), (shipped(), 3)):
            Analyzer(wordnet=lexicon, counters=TextCounters("1", 10**6, rows)).bag(LONG)
            assert len(rows.kept) == kept
