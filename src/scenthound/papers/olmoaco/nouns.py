"""Which words of texts are nouns, without a tagger; collocations; nouns of pages, counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from scenthound.papers.olmoaco.sources import Source
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import stop_words
from scenthound.text.wordnet import NOUN, WordNet

IsNoun = Callable[[str], bool]
"""Says of a term of the texts whether it is a noun there."""
_ENOUGH = 0.2
"""Share of a word's places where it must be a noun. Nouns stand before nouns more often than
not ("hurricane season"), so that half would be too many; adjectives hardly ever stand alone."""
_UNKNOWN_ENOUGH = 0.5
"""The same for a word that WordNet does not have, of places beyond doubt: WordNet has nearly all
nouns, so that most of what is not there is an adjective, of which our facts have none."""
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
DETERMINERS = frozenset(
    "a an the this that these those its his her their our your my some any each every no".split()
)
_BEFORE_NOUNS = DETERMINERS | frozenset("of in by for from with into on at between and".split())
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


def noun_test(votes: Mapping[str, Votes], wordnet: WordNet) -> IsNoun:
    """Return a test for the terms of texts, by their votes; phrases always pass."""
    excluded = _excluded_concepts(wordnet)

    def is_noun(term: str) -> bool:
        if " " in term:
            return True
        senses = wordnet.nouns.concepts(term).tolist()
        if len(term) < _SHORTEST or any(c in excluded for c in senses[:1]):
            return False
        found = votes.get(term, Votes())
        if senses:
            return found.noun >= found.verb and found.noun / max(found.places, 1) >= _ENOUGH
        certain = found.certain / max(found.places, 1) >= _UNKNOWN_ENOUGH
        return certain and not len(wordnet.verbs.concepts(term))

    return is_noun


def counted_votes(texts: Iterable[str], wordnet: WordNet) -> dict[str, Votes]:
    """Return the votes of every word, under its base form; stop words and numbers have none."""
    counts: dict[str, Counter[str]] = {}
    # Counting pairs first, since a text has far more places than pairs of word and kind.
    for (base, kinds), number in Counter(_places(texts, wordnet)).items():
        count = counts.setdefault(base, Counter())
        for kind in kinds:
            count[kind] += number
    return {base: Votes(**count) for base, count in counts.items()}


def _places(texts: Iterable[str], wordnet: WordNet) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the base of the word at each place, and what it is there: names of :class:`Votes`."""
    stops = stop_words("en")
    for line in (line for text in texts for line in text.lower().splitlines()):
        tokens = [".", *_TOKEN.findall(line), "."]
        for before, word, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if not word.isalpha() or word in stops:
                continue
            base = wordnet.base(word)
            # An s that is gone from the base, or a plural that WordNet lists: "mice".
            listed = base in wordnet.exceptions[NOUN].get(word, ())
            plural = word != base and (word.endswith("s") or listed)
            content = after == "-" or (after.isalpha() and after not in stops)
            if (word != base and not plural) or before in _BEFORE_VERBS or after in DETERMINERS:
                yield base, ("verb",)
            elif plural:
                yield base, ("noun", "certain")
            elif content or before in _BEFORE_ADJECTIVES or after in _AFTER_ADJECTIVES:
                yield base, ("adjective",)
            else:
                yield base, ("noun", "certain") if before in _BEFORE_NOUNS else ("noun",)


@lru_cache(maxsize=2)
def _excluded_concepts(wordnet: WordNet) -> frozenset[int]:
    """Return the concepts below the excluded branches, without their heads."""
    nouns = wordnet.nouns
    heads = {c for name in _BRANCHES for c in nouns.concepts(name)[:1].tolist()}
    below = set(heads)
    # Concepts come after those they are a kind of: one pass finds all that is below.
    for concept in range(min(heads, default=len(nouns)), len(nouns)):
        if any(parent in below for parent in nouns.parents[concept].tolist()):
            below.add(concept)
    return frozenset(below - heads)


# Pairs of words that go together in the texts and are in no WordNet: "tropical storm".

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


def collocations(
    texts: Sequence[str], wordnet: WordNet, votes: Mapping[str, Votes], names: Mapping[str, float]
) -> list[str]:
    """Return two neighbouring words that often stand together and name something; ours.

    As base forms, by the alphabet. The second is a noun in these texts and the first no verb;
    nothing stands between them. ``names`` are the shares of :func:`~.terms.name_shares`: pairs
    that are names are left out.
    """
    stops = stop_words("en")
    pairs: Counter[tuple[str, str]] = Counter()
    spread: Counter[tuple[str, str]] = Counter()
    words: Counter[str] = Counter()
    for text in texts:
        found: list[tuple[str, str]] = []
        for line in text.lower().splitlines():
            tokens = [
                wordnet.base(token) if token.isalpha() and token not in stops else ""
                for token in _TOKEN.findall(line)
            ]
            words.update(filter(None, tokens))
            found += [pair for pair in pairwise(tokens) if all(pair)]
        pairs.update(found)
        spread.update(set(found))

    def names_a_thing(first: str, second: str) -> bool:
        modifier, head = votes[first], votes[second]
        is_noun = head.noun >= max(head.verb, _HEAD_IS_NOUN * head.places)
        is_verb = modifier.verb > _VERB_AT_MOST * modifier.places
        capitals = (names.get(first, 0.0) + names.get(second, 0.0)) / 2.0
        return is_noun and not is_verb and capitals < _NAME

    return sorted(
        f"{first} {second}"
        for (first, second), count in pairs.items()
        if count >= max(_OCCURRENCES, _TOGETHER * min(words[first], words[second]))
        and spread[first, second] >= _TEXTS
        and names_a_thing(first, second)
    )


def noun_counts(pages: Sequence[Source], analyzer: Analyzer) -> list[dict[str, int]]:
    """Return how often each noun is in the title and body of each page (olmoaco 2.5, step 5).

    Words of a phrase count where they stand alone: "pepper" in "black pepper" does not. In other
    languages than English all terms count, each as it is mostly written.
    """
    texts = [f"{page.title}\n{page.body}" for page in pages]
    counts = [Counter(analyzer.count(text)) for text in texts]
    wordnet = analyzer.wordnet
    if wordnet is None:
        forms = written_forms(texts, analyzer)
        named = dict(zip(analyzer.vocabulary.terms(forms), forms.values(), strict=True))
        return [_by_written_form(count, named) for count in counts]
    is_noun = noun_test(counted_votes(texts, wordnet), wordnet)
    for count in counts:
        for phrase in [term for term in count if " " in term]:
            for word in map(analyzer.rules.base, phrase.split(" ")):
                count[word] -= count[phrase]
    return [{term: n for term, n in count.items() if n > 0 and is_noun(term)} for count in counts]


def _by_written_form(counts: Mapping[str, int], forms: Mapping[str, str]) -> dict[str, int]:
    """Return the counts by written form; numbers are left out."""
    named: Counter[str] = Counter()
    for term, number in counts.items():
        form = forms.get(term, term)
        if any(map(str.isalpha, form)):
            named[form] += number
    return dict(named)


def written_forms(texts: Iterable[str], analyzer: Analyzer) -> dict[int, str]:
    """Return the commonest written form of each term; of equal ones the first by the alphabet."""
    forms: dict[int, Counter[str]] = {}
    for text in texts:
        found = analyzer.occurrences(text)
        places = (found.terms.tolist(), found.starts.tolist(), found.lengths.tolist())
        for term, start, length in zip(*places, strict=True):
            written = " ".join(found.words[start : start + length])
            forms.setdefault(term, Counter())[written] += 1
    return {term: min(c, key=lambda form: (-c[form], form)) for term, c in forms.items()}
