"""How the texts of a language are read: what its words are, what is folded, what is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from scenthound.lexicon.wordnet import WordNet
from scenthound.text.chinese import INSTALL, dictionary, han_segmenter, suits_dictionary
from scenthound.text.codes import primary_language
from scenthound.text.segmentation import (
    Segmenter,
    has_unspaced,
    is_unspaced,
    pairs,
    segmented,
)
from scenthound.text.spelling import Respelling, respelling
from scenthound.text.stemming import algorithm, stemmer
from scenthound.text.stopwords import stop_words
from scenthound.text.words import words

Split = Callable[[str], list[str]]
"""From a text to its words in lower case, in order."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the texts of a language are read.

    Parameters
    ----------
    language : its code.
    split : a text to its words.
    base : a word to the form that all its inflections share; the word itself where none is known.
    stops : words that are no terms.
    stop_bases : base forms that are none. Empty for stems: "Ware" and "war" have one of them.
    named : words that somebody searches for; no list of another language drops them.
    folding : how inflection is folded, in words; empty where it is not.
    cutting : how words are cut out of runs without blanks, in words; empty where they are not.
    """

    language: str
    split: Split
    base: Callable[[str], str]
    stops: frozenset[str]
    stop_bases: frozenset[str]
    named: frozenset[str] = frozenset()
    folding: str = ""
    cutting: str = ""

    @property
    def as_written(self) -> bool:
        """Is nothing known of the language, so that every word counts as it is written?"""
        return not (self.folding or self.cutting or self.stops)

    @property
    def described(self) -> str:
        """All of it in one line, for a reader."""
        how = [text for text in (self.cutting, self.folding) if text] or ["words as written"]
        count = len(self.stops)
        return ", ".join([*how, f"{count} stop words" if count else "no stop words"])


def is_english(language: str) -> bool:
    """``en``, ``en-GB``, ...: the language that WordNet describes."""
    return primary_language(language) == "en"


def rules_of(language: str, wordnet: WordNet | None, keywords: Iterable[str] = ()) -> Rules:
    """The rules of ``language``; words as they are written for a language nothing is known of.

    Parameters
    ----------
    language : a code such as ``en``, ``zh-TW``.
    wordnet : where English base forms come from; other languages do not ask.
    keywords : of a topic. They may be in scripts without blanks whatever the language; and what
        somebody searches for is no stop word, though a list that we did not write may hold it.
    """
    keywords = tuple(keywords)
    cut = is_unspaced(language) or has_unspaced(keywords)
    han = han_segmenter(language) if cut else None
    split = _splitter(respelling(language), han)
    named = frozenset(found[0] for found in map(split, keywords) if len(found) == 1)
    cutting = _cutting(language, han)
    stops = stop_words(language)
    if wordnet is not None and is_english(language):
        nouns = wordnet.nouns
        named = frozenset(word for word in named if not len(nouns.concepts(wordnet.base(word))))
        folding = "base forms of WordNet"
        return Rules(language, split, wordnet.base, stops, stops, named, folding, cutting)
    stem = stemmer(language)
    folding = f"stems (Snowball, {algorithm(language)})" if stem else ""
    base = stem or str
    return Rules(language, split, base, stops - named, frozenset(), named, folding, cutting)


def rules_for_page(own: Rules, language: str) -> Rules:
    """The rules for a page in another ``language`` than the topic's; ``own`` if they are no others.

    Its words are folded as the topic's are, since that is what they are compared with. They are
    cut as its language wants it, and its own stop words are dropped too: "die" and "war" on a
    German page are no English words.
    """
    stops = own.stops | (stop_words(language) - own.named)
    if not is_unspaced(language) or own.cutting:
        return own if stops == own.stops else replace(own, language=language, stops=stops)
    han = han_segmenter(language)
    split, cutting = _splitter(respelling(language), han), _cutting(language, han)
    return replace(own, language=language, split=split, stops=stops, cutting=cutting)


def _splitter(respell: Respelling | None, han: Segmenter | None) -> Split:
    """The plain splitter itself where nothing else is to be done: most texts are read so."""
    if respell is None and han is None:
        return words
    return partial(_split, respell or str, han)


def _split(respell: Respelling, han: Segmenter | None, text: str) -> list[str]:
    found = words(respell(text))
    return found if han is None else segmented(found, han)


def _cutting(language: str, han: Segmenter | None) -> str:
    """In words; where the dictionary would help, how to get it."""
    if han is None:
        return ""
    is_chinese = primary_language(language) == "zh"
    if is_chinese and han is not pairs:
        return "Chinese words by dictionary (rjieba)"
    lacking = is_chinese and suits_dictionary(language) and dictionary() is None
    return "pairs of characters" + (f" (for words: {INSTALL})" if lacking else "")
