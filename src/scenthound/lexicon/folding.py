"""One base form for every word of a text, so that "storms", "storm" and "stormed" are one term.

WordNet's morphology often leaves a choice: "lenses" are forms of "lens" and of the rare
spelling "lense", and "times" is a lemma as well as a form of "time". The base with the most
senses wins. Words that are used most have most meanings (Zipf 1945, "The meaning-frequency
relationship of words"), and the number of senses is a fact every WordNet holds.
"""

from __future__ import annotations

from scenthound.lexicon.facts import NOUN, VERB, Facts
from scenthound.lexicon.morphology import irregular_bases, regular_bases

_SHORT = 3
"""Lemmas of so few letters that end in s ("gps", "cos") are no plurals."""
_LEARNED = ("ics", "us", "as")
"""Lemmas that end so are no plurals: physics, campus, atlas."""
_NO_PLURAL = ("ss", "us", "is", "as", "os")
_OWN_WORDS = frozenset(
    "aids alps ares arms blues breeches cola customs dolmen eyeglasses glasses goods humanities "
    "isis laos lei mars mores omen pants pliers premises riches savings shingles shorts slacks "
    "spectacles sunglasses wales".split()
)
"""Lemmas that look like a form of a richer word and that texts nearly always mean themselves."""


def fold(word: str, facts: Facts) -> str:
    """The base form of ``word``, in lower case as the word is; folding it again changes nothing.

    A noun if it can be one, else a verb, else as it is written but for the s of a plural: texts
    are about things, and "building" and "flooding" are nouns of their own.
    """
    seen = [word]
    while True:
        base = _noun(seen[-1], facts) or _verb(seen[-1], facts) or _unknown(seen[-1], facts)
        if base in seen:
            return base
        seen.append(base)


def _noun(word: str, facts: Facts) -> str | None:
    """Of equal candidates a regular singular comes before the word, the word before the others.

    So "humans" are "human", and "data" is not "datum".
    """
    is_lemma = facts.nouns.index.__contains__
    itself = [word] if is_lemma(word) else []
    if itself and _is_own_word(word):
        return word
    irregular = irregular_bases(word, facts.exceptions[NOUN], is_lemma)
    candidates = itself + irregular if irregular else regular_bases(word, NOUN, is_lemma) + itself
    single = [base for base in candidates if " " not in base]  # "comics": comic strip, comic
    return max(single or candidates, key=lambda base: len(facts.nouns.concepts(base)), default=None)


def _unknown(word: str, facts: Facts) -> str:
    """A word outside WordNet: only the s of a plural goes, so that "podcasts" meet "podcast".

    A name may lose its s as well; it does so in every text alike.
    """
    if len(word) <= _SHORT or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    return word if word in facts.exceptions[NOUN] else word[:-1]


def _is_own_word(lemma: str) -> bool:
    short = len(lemma) <= _SHORT and lemma.endswith("s")
    return short or lemma.endswith(_LEARNED) or lemma in _OWN_WORDS


def _verb(word: str, facts: Facts) -> str | None:
    """The first: "rated" is from "rate", since what comes from "rat" is spelled with two t."""
    is_lemma = facts.verbs.index.__contains__
    if is_lemma(word):
        return word
    irregular = irregular_bases(word, facts.exceptions[VERB], is_lemma)
    return next(iter(irregular or regular_bases(word, VERB, is_lemma)), None)
