"""Fold the inflections of a word, so that "storms" and "storm" are one term.

Plurals only, and the result is a word one can read in an explanation ("hurricane", never
"hurrican"). A lexicon does this better; these rules need none.
"""

from __future__ import annotations

from collections.abc import Callable

_IRREGULAR = {
    "children": "child", "criteria": "criterion", "feet": "foot", "geese": "goose",
    "halves": "half", "hooves": "hoof", "indices": "index", "knives": "knife",
    "leaves": "leaf", "lives": "life", "loaves": "loaf", "matrices": "matrix", "men": "man",
    "mice": "mouse", "nuclei": "nucleus", "oxen": "ox", "phenomena": "phenomenon",
    "shelves": "shelf", "shoes": "shoe", "teeth": "tooth", "thieves": "thief",
    "vertices": "vertex", "wives": "wife", "wolves": "wolf", "women": "woman",
}  # fmt: skip
_UNCHANGED = frozenset(
    {"gas", "lens", "mars", "news", "series", "species", "always", "perhaps", "physics", "diabetes"}
)
_SHORTEST = 4


def fold_english(word: str) -> str:
    """Singular of an English noun in lower case; other words come back as they are."""
    irregular = _IRREGULAR.get(word)
    if irregular is not None:
        return irregular
    if len(word) < _SHORTEST or word[-1] != "s" or word in _UNCHANGED:
        return word
    if word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ches", "shes", "xes", "sses", "zzes", "oes")):
        return word[:-2]
    return word[:-1]


def keep(word: str) -> str:
    """The word as it is: for languages we have no rules for."""
    return word


def folding(language: str) -> Callable[[str], str]:
    """The folding rule for ``language``."""
    return fold_english if language.lower().partition("-")[0] == "en" else keep
