"""Pairs of words that go together in the texts and are in no WordNet: "tropical storm"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from scenthound.lexicon.wordnet import WordNet
from scenthound.ontology_learning.nouns import Votes, content_words

_OCCURRENCES = 3
"""A pair must be there so often ..."""
_TEXTS = 2
"""... and in so many texts: what one author says again and again is a manner of speaking."""
_TOGETHER = 0.3
"""Share of the places of the rarer word where it must stand in the pair."""
_HEAD_IS_NOUN = 0.4
"""Share of its places where the second word must be a noun."""
_VERB_AT_MOST = 0.3
"""And where the first one may be a verb."""
_NAME = 0.5
"""From this share of capitals on, the mean of both, a pair is a name."""

Pair = tuple[str, str]


def collocations(
    texts: Sequence[str],
    wordnet: WordNet,
    votes: Mapping[str, Votes],
    names: Mapping[str, float],
) -> list[str]:
    """Two neighbouring words that often stand together and name something, as base forms; ours.

    The second is a noun in these texts and the first no verb; nothing stands between them. Names
    are left out. By the alphabet; one text alone has none.

    Parameters
    ----------
    texts : English ones.
    wordnet : folds inflection.
    votes : what the words of the texts are, of :func:`~.nouns.counted_votes`.
    names : how often they are names, of :func:`~.worth.name_shares`.
    """
    pairs: Counter[Pair] = Counter()
    spread: Counter[Pair] = Counter()
    words: Counter[str] = Counter()
    for text in texts:
        found = _pairs(text, wordnet, words)
        pairs.update(found)
        spread.update(set(found))
    return sorted(
        f"{first} {second}"
        for (first, second), count in pairs.items()
        if count >= max(_OCCURRENCES, _TOGETHER * min(words[first], words[second]))
        and spread[first, second] >= _TEXTS
        and _names_a_thing(votes[first], votes[second])
        and not _is_name(first, second, names)
    )


def _pairs(text: str, wordnet: WordNet, words: Counter[str]) -> list[Pair]:
    """The pairs of a text, in order; its words are counted on the way."""
    found: list[Pair] = []
    for run in content_words(text):
        bases = [wordnet.base(word) for word in run]
        words.update(bases)
        found += pairwise(bases)
    return found


def _names_a_thing(first: Votes, second: Votes) -> bool:
    head = second.noun >= max(second.verb, _HEAD_IS_NOUN * second.places)
    return head and first.verb <= _VERB_AT_MOST * first.places


def _is_name(first: str, second: str, names: Mapping[str, float]) -> bool:
    return (names.get(first, 0.0) + names.get(second, 0.0)) / 2.0 >= _NAME
