"""Which words of some texts are nouns, without a tagger.

WordNet says what a word can be; the texts show what it is in them. Every word votes at each of
its places by its form and by its neighbours: "storms" and "the storm." are nouns, "to storm" and
"storms the" a verb, "stormy weather" an adjective. The rules are ours. They are measured on
whole pages: in a text of a few lines most words have one vote or two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from scenthound.lexicon.facts import NOUN
from scenthound.lexicon.wordnet import WordNet
from scenthound.text.analyzer import Analyzer
from scenthound.text.stopwords import stop_words

IsNoun = Callable[[str], bool]
"""Says of a term of the texts whether it is a noun there."""

_ENOUGH = 0.2
"""Share of a word's places where it must be a noun. Nouns stand before nouns more often than
not ("hurricane season"), so that half would be too many; adjectives hardly ever stand alone."""
_UNKNOWN_ENOUGH = 0.5
"""The same for a word that WordNet does not have, of places beyond doubt: WordNet has nearly all
nouns, so that most of what is not there is an adjective, of which our facts have none."""
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
_DETERMINERS = frozenset(
    "a an the this that these those its his her their our your my some any each every no".split()
)
_BEFORE_NOUNS = _DETERMINERS | frozenset("of in by for from with into on at between and".split())
_BEFORE_VERBS = frozenset(
    "to will would can could may might must should shall cannot not did does do i we you he she "
    "they it who".split()
)
_BEFORE_ADJECTIVES = frozenset(
    "is are was were be been very more most as so too less least how quite become became".split()
)
_AFTER_ADJECTIVES = frozenset({"than"})
_SHORTEST = 3
"""Letters. Shorter words are units, initials and endings."""
_BRANCHES = (
    "unit of measurement", "integer", "time unit", "calendar month", "day of the week",
    "compass point",
)  # fmt: skip
"""What measures, counts and dates is on every page, and no concept of a topic."""


@dataclass(frozen=True, slots=True)
class Votes:
    """At how many places a word is a noun, one beyond doubt, a verb, an adjective."""

    noun: int = 0
    certain: int = 0
    verb: int = 0
    adjective: int = 0

    @property
    def places(self) -> int:
        """All of them."""
        return self.noun + self.verb + self.adjective


def noun_test(texts: Iterable[str], analyzer: Analyzer) -> IsNoun:
    """A test for the terms of these texts; phrases always pass, they are made of nouns.

    Parameters
    ----------
    texts : what the words are judged by.
    analyzer : names the terms. Without a WordNet (in other languages than English) every term
        passes.
    """
    wordnet = analyzer.wordnet
    if wordnet is None:
        return lambda _: True
    return noun_test_by(counted_votes(texts, wordnet), wordnet)


def noun_test_by(votes: Mapping[str, Votes], wordnet: WordNet) -> IsNoun:
    """The same for votes that are counted already."""
    idle = _idle_concepts(wordnet)

    def is_noun(term: str) -> bool:
        if " " in term:
            return True
        senses = wordnet.nouns.concepts(term).tolist()
        if len(term) < _SHORTEST or any(c in idle for c in senses[:1]):
            return False
        found = votes.get(term, Votes())
        if senses:
            return found.noun >= found.verb and _share(found.noun, found) >= _ENOUGH
        certain = _share(found.certain, found) >= _UNKNOWN_ENOUGH
        return certain and not len(wordnet.verbs.concepts(term))

    return is_noun


def content_words(text: str) -> Iterator[list[str]]:
    """Runs of neighbouring words in lower case that are neither stop words nor numbers."""
    stops = stop_words("en")
    for line in text.lower().splitlines():
        run: list[str] = []
        for token in (*_TOKEN.findall(line), "."):
            if token.isalpha() and token not in stops:
                run.append(token)
            elif run:
                yield run
                run = []


def _share(count: int, votes: Votes) -> float:
    """Of all places; a word without a place has none."""
    return count / votes.places if votes.places else 0.0


def counted_votes(texts: Iterable[str], wordnet: WordNet) -> dict[str, Votes]:
    """The votes of every word, under its base form; stop words and numbers have none."""
    counts: dict[str, Counter[str]] = {}
    # Counting pairs first, since a text has far more places than pairs of word and kind.
    for (base, kinds), number in Counter(_places(texts, wordnet)).items():
        count = counts.setdefault(base, Counter())
        for kind in kinds:
            count[kind] += number
    return {base: Votes(**count) for base, count in counts.items()}


def _places(texts: Iterable[str], wordnet: WordNet) -> Iterator[tuple[str, tuple[str, ...]]]:
    stops = stop_words("en")
    for text in texts:
        for line in text.lower().splitlines():
            tokens = [".", *_TOKEN.findall(line), "."]
            for before, word, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
                if word.isalpha() and word not in stops:
                    base = wordnet.base(word)
                    plural = _is_plural(word, base, wordnet)
                    content = after == "-" or (after.isalpha() and after not in stops)
                    yield base, _kinds(before, word == base, plural, after, content)


def _kinds(before: str, is_base: bool, plural: bool, after: str, content: bool) -> tuple[str, ...]:
    """What a word is at one place: names of :class:`Votes`."""
    if not (is_base or plural) or before in _BEFORE_VERBS or after in _DETERMINERS:
        return ("verb",)
    if plural:
        return ("noun", "certain")
    if content or before in _BEFORE_ADJECTIVES or after in _AFTER_ADJECTIVES:
        return ("adjective",)
    return ("noun", "certain") if before in _BEFORE_NOUNS else ("noun",)


def _is_plural(word: str, base: str, wordnet: WordNet) -> bool:
    """An s that is gone from the base, or a plural that WordNet lists: "mice"."""
    if word == base:
        return False
    return word.endswith("s") or base in wordnet.exceptions[NOUN].get(word, ())


@lru_cache(maxsize=2)
def _idle_concepts(wordnet: WordNet) -> frozenset[int]:
    """Concepts below the idle branches, their heads not among them."""
    nouns = wordnet.nouns
    heads = {c for name in _BRANCHES for c in nouns.concepts(name)[:1].tolist()}
    below = set(heads)
    # Concepts come after those they are a kind of: one pass finds all that is below.
    for concept in range(min(heads, default=len(nouns)), len(nouns)):
        if any(parent in below for parent in nouns.parents[concept].tolist()):
            below.add(concept)
    return frozenset(below - heads)
