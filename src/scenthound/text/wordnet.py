"""WordNet: what words mean, and which base form an inflected word has. An ending is detached and
another put in its place; what comes out counts only if it is a lemma. Irregular forms are
looked up first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path

from scenthound.text.wordnet_database import read_database
from scenthound.text.wordnet_facts import NOUN, PARTS, VERB, Facts, Inflections, read_packed
from scenthound.text.words import DATA

Rules = Sequence[tuple[str, str]]

IsLemma = Callable[[str], bool]


DETACHMENTS: dict[str, Rules] = {
    NOUN: (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    VERB: (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
        ("ing", "e"), ("ing", ""),
    ),
}  # fmt: skip
"""Ending -> what takes its place, by part of speech."""


_DOUBLE_S = "ss"
"""The s of "boss" is no plural, though "bos" is a lemma."""

_TOO_SHORT = 2
"""Nor is the s of "is"."""


def detached(word: str, part: str) -> list[str]:
    """What the rules make of ``word``, in their order; they never leave nothing of it."""
    if len(word) <= _TOO_SHORT or word.endswith(_DOUBLE_S):
        return []
    return [
        word[: len(word) - len(ending)] + instead
        for ending, instead in DETACHMENTS[part]
        if word.endswith(ending) and len(word) > len(ending)
    ]


def irregular_bases(word: str, exceptions: Inflections, is_lemma: IsLemma) -> list[str]:
    """Base forms of an irregular inflection that are lemmas; mostly there are none.

    WordNet lists some words as their own base ("gas", "apparatus"): no rule may touch them.
    """
    return [base for base in exceptions.get(word, ()) if is_lemma(base)]


def regular_bases(word: str, part: str, is_lemma: IsLemma) -> list[str]:
    """Base forms by rule that are lemmas, in the order of the rules, each once."""
    return [base for base in dict.fromkeys(detached(word, part)) if is_lemma(base)]


# One base form for every word of a text, so that "storms", "storm" and "stormed" are one term.
#
# WordNet's morphology often leaves a choice: "lenses" are forms of "lens" and of the rare
# spelling "lense", and "times" is a lemma as well as a form of "time". The base with the most
# senses wins. Words that are used most have most meanings (Zipf 1945, "The meaning-frequency
# relationship of words"), and the number of senses is a fact every WordNet holds.


_SHORT = 3
"""Lemmas of so few letters that end in s ("gps", "cos") are no plurals."""

_SINGULAR_ENDINGS = ("ics", "us", "as")
"""Lemmas that end so are no plurals: physics, campus, atlas."""

_NO_PLURAL = ("ss", "us", "is", "as", "os")

_INDEPENDENT_WORDS = frozenset(
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
    is_short = len(word) <= _SHORT and word.endswith("s")
    if itself and (is_short or word.endswith(_SINGULAR_ENDINGS) or word in _INDEPENDENT_WORDS):
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


def _verb(word: str, facts: Facts) -> str | None:
    """The first: "rated" is from "rate", since what comes from "rat" is spelled with two t."""
    is_lemma = facts.verbs.index.__contains__
    if is_lemma(word):
        return word
    irregular = irregular_bases(word, facts.exceptions[VERB], is_lemma)
    return next(iter(irregular or regular_bases(word, VERB, is_lemma)), None)


# The WordNet of a topic.


SHIPPED = DATA / "wordnet-3.0.npz"
"""The facts of WordNet 3.0, built by ``tools/build_wordnet.py``."""


_CACHED_WORDS = 200_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class WordNet(Facts):
    """The facts of one WordNet, and how its words inflect.

    Parameters
    ----------
    version : of the WordNet, ``3.0``.
    nouns : noun lemmas, their taxonomy, and what is a part of what.
    verbs : verb lemmas and their taxonomy.
    exceptions : irregular inflections by part of speech (``noun``, ``verb``).
    origin : where the facts come from, in words.
    """

    origin: str

    def base(self, word: str) -> str:
        """The one base form by which texts are compared, see :func:`fold`.

        A word outside WordNet keeps its form, but for the s of a plural.
        """
        return self._folded(word)

    @cached_property
    def _folded(self) -> Callable[[str], str]:
        """:func:`fold`, which takes a while, with a cache of the latest words."""
        return lru_cache(_CACHED_WORDS)(partial(fold, facts=self))


@cache
def shipped() -> WordNet:
    """The WordNet that comes with Scenthound; read once."""
    facts = read_packed(SHIPPED)
    origin = "shipped with Scenthound"
    return WordNet(facts.version, facts.nouns, facts.verbs, facts.exceptions, origin)


def load_wordnet(folder: Path | None = None, warn: Callable[[str], None] = _log.warning) -> WordNet:
    """A WordNet of one's own, or the shipped one.

    Parameters
    ----------
    folder : WordNet 3.0 or 3.1 as Princeton publishes it; None for :func:`shipped`. Without
        ``noun.exc`` and ``verb.exc`` the irregular inflections of the shipped one are used.
    warn : gets what is missing or left out, in words.

    Raises
    ------
    LexiconError
        The folder cannot be used; the message says why and what to do.
    """
    if folder is None:
        return shipped()
    facts = read_database(folder, warn)
    exceptions = facts.exceptions
    files = " and ".join(f"{part}.exc" for part in PARTS if part not in exceptions)
    if files:
        warn(
            f"{folder} has no {files}; the irregular inflections shipped with Scenthound are used."
        )
        exceptions = {**shipped().exceptions, **exceptions}
    return WordNet(facts.version, facts.nouns, facts.verbs, exceptions, str(folder))
