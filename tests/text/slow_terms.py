"""Terms the slow way: word by word, and every phrase tried at every place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import product

from scenthound.text.analyzer import LONGEST_WORD
from scenthound.text.rules import stop_words
from scenthound.text.terms import words
from scenthound.text.wordnet_files import shipped

Split = tuple[str, ...]


@cache
def noun_phrases() -> frozenset[Split]:
    """The phrases of WordNet that name things, without those that begin with a stop word."""
    stops = stop_words("en")
    split = (tuple(lemma.split(" ")) for lemma in shipped().nouns.lemmas)
    return frozenset(phrase for phrase in split if len(phrase) > 1 and phrase[0] not in stops)


def longest_at(
    stream: Sequence[str], place: int, phrases: Collection[Split], base: Callable[[str], str]
) -> str | None:
    """The phrase with most words; of these the one nearest to what is written."""
    for end in range(len(stream), place + 1, -1):
        for found in product(*({word: 0, base(word): 0} for word in stream[place:end])):
            if found in phrases:
                return " ".join(found)
    return None


def found_phrases(
    stream: Sequence[str], phrases: Collection[Split], base: Callable[[str], str]
) -> list[str]:
    """From left to right; after a phrase the search goes on behind it."""
    found, place = [], 0
    longest = max(map(len, phrases), default=0)
    while place < len(stream):
        phrase = longest_at(stream[: place + longest], place, phrases, base)
        if phrase is not None:
            found.append(phrase)
        place += 1 if phrase is None else phrase.count(" ") + 1
    return found


def counted(text: str, *further: Collection[Split]) -> Counter[str]:
    """The terms of an English text; ``further`` phrases are searched apart."""
    stops, base = stop_words("en"), shipped().base
    stream = words(text)
    terms = []
    for word in stream:
        short = len(word) == 1 and word.isascii()
        if not (short or len(word) > LONGEST_WORD or word.isdigit()):
            terms += [base(word)] if word not in stops and base(word) not in stops else []
    for phrases in (noun_phrases(), *further):
        terms += found_phrases(stream, phrases, base)
    return Counter(terms)
