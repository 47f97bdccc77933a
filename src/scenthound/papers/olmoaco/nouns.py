"""Which words of some texts are nouns, without a tagger; collocations; and the nouns of pages,
counted (olmoaco 2.5, step 5).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from scenthound.papers.olmoaco.sources import Source
from scenthound.text.analyzer import Analyzer
from scenthound.text.languages import stop_words
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
    idle = _excluded_concepts(wordnet)

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
def _excluded_concepts(wordnet: WordNet) -> frozenset[int]:
    """Concepts below the idle branches, their heads not among them."""
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
Pair = tuple[str, str]


def collocations(
    texts: Sequence[str], wordnet: WordNet, votes: Mapping[str, Votes], names: Mapping[str, float]
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


def noun_counts(pages: Sequence[Source], analyzer: Analyzer) -> list[dict[str, int]]:
    """How often each noun is in each page; a page without any has an empty count.

    Words of a phrase count where they stand alone: "pepper" in "black pepper" does not. In other
    languages than English all terms count, each as it is mostly written.

    Parameters
    ----------
    pages : titles and bodies are read.
    analyzer : finds the terms.
    """
    texts = [f"{page.title}\n{page.body}" for page in pages]
    counts = [analyzer.count(text) for text in texts]
    if analyzer.wordnet is None:
        forms = written_forms(texts, analyzer)
        return [_renamed(count, forms) for count in counts]
    is_noun = noun_test(texts, analyzer)
    base = analyzer.rules.base
    alone = [without_phrase_words(count, base) for count in counts]
    return [{term: n for term, n in count.items() if is_noun(term)} for count in alone]


def word_counts(sources: Iterable[Source], analyzer: Analyzer) -> Counter[str]:
    """How often each term is in all of the sources together; each source counts once."""
    counts: Counter[str] = Counter()
    for source in dict.fromkeys(sources):
        counts.update(analyzer.count(f"{source.title}\n{source.abstract}\n{source.body}"))
    return counts


def without_phrase_words(counts: Mapping[str, int], base: Callable[[str], str]) -> dict[str, int]:
    """The counts, less the words of phrases; words that are nowhere else are left out.

    Parameters
    ----------
    counts : of words and phrases.
    base : the form under which a word is counted.
    """
    left = Counter(counts)
    for phrase, number in counts.items():
        if " " in phrase:
            for word in map(base, phrase.split(" ")):
                left[word] -= number
    return {term: number for term, number in left.items() if number > 0}


def written_forms(texts: Iterable[str], analyzer: Analyzer) -> dict[str, str]:
    """The commonest written form of each term, the first by the alphabet of equal ones."""
    forms: dict[int, Counter[str]] = {}
    for text in texts:
        found = analyzer.occurrences(text)
        places = (found.terms.tolist(), found.starts.tolist(), found.lengths.tolist())
        for term, start, length in zip(*places, strict=True):
            written = " ".join(found.words[start : start + length])
            forms.setdefault(term, Counter())[written] += 1
    commonest = {term: min(c, key=lambda form: (-c[form], form)) for term, c in forms.items()}
    names = analyzer.vocabulary.terms(commonest)
    return dict(zip(names, commonest.values(), strict=True))


def _renamed(counts: Mapping[str, int], forms: Mapping[str, str]) -> dict[str, int]:
    """The counts by written form; numbers are left out."""
    named: Counter[str] = Counter()
    for term, number in counts.items():
        form = forms.get(term, term)
        if any(map(str.isalpha, form)):
            named[form] += number
    return dict(named)
