"""From an inflected English word to its base form, by WordNet's rules (``man morphy``).

An ending is detached and another put in its place; what comes out counts only if it is a
lemma. Irregular forms are looked up first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scenthound.lexicon.facts import NOUN, VERB, Inflections

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

_KEPT = "ss"
"""The s of "boss" is no plural, though "bos" is a lemma."""
_TOO_SHORT = 2
"""Nor is the s of "is"."""


def detached(word: str, part: str) -> list[str]:
    """What the rules make of ``word``, in their order; they never leave nothing of it."""
    if len(word) <= _TOO_SHORT or word.endswith(_KEPT):
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
