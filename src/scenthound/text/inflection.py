"""Fold the inflections of a word, so that "storms" and "storm" are one term.

Plurals only, and the result is a word one can read in an explanation ("hurricane", never
"hurrican"). A lexicon does this better; these rules need none.
"""

from __future__ import annotations

from collections.abc import Callable

_IRREGULAR = {
    "aches": "ache", "analyses": "analysis", "bonuses": "bonus", "buses": "bus",
    "caches": "cache", "calories": "calorie", "campuses": "campus", "canoes": "canoe",
    "children": "child", "clinics": "clinic", "comics": "comic", "cookies": "cookie",
    "crises": "crisis", "criteria": "criterion", "critics": "critic", "fabrics": "fabric",
    "feet": "foot", "gases": "gas", "geese": "goose", "halves": "half",
    "headaches": "headache", "hooves": "hoof", "hypotheses": "hypothesis", "indices": "index",
    "knives": "knife", "leaves": "leaf", "lenses": "lens", "lives": "life", "loaves": "loaf",
    "matrices": "matrix", "men": "man", "menus": "menu", "mice": "mouse", "movies": "movie",
    "nuclei": "nucleus", "oxen": "ox", "phenomena": "phenomenon", "plastics": "plastic",
    "prairies": "prairie", "quizzes": "quiz", "shelves": "shelf", "shoes": "shoe",
    "taxis": "taxi", "teeth": "tooth", "theses": "thesis", "thieves": "thief",
    "topics": "topic", "vertices": "vertex", "viruses": "virus", "wives": "wife",
    "wolves": "wolf", "women": "woman", "zombies": "zombie",
}  # fmt: skip
_UNCHANGED = frozenset(
    "always arkansas athens atlas bias canvas chaos christmas cosmos diabetes gas herpes james "
    "kansas lens mars news pancreas perhaps rabies series species texas thames wales".split()
)
_SHORTEST = 4


def fold_english(word: str) -> str:
    """Singular of an English noun in lower case; other words come back as they are."""
    irregular = _IRREGULAR.get(word)
    if irregular is not None:
        return irregular
    singular = _regular(word)
    return _IRREGULAR.get(singular, singular)  # "mens" is "men", which is "man"


def _regular(word: str) -> str:
    if len(word) < _SHORTEST or word[-1] != "s" or word in _UNCHANGED:
        return word
    if word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    if word.endswith("oes") and len(word) > 4:  # heroes, but not toes
        return word[:-2]
    return word[:-1]


def keep(word: str) -> str:
    """The word as it is: for languages we have no rules for."""
    return word


def folding(language: str) -> Callable[[str], str]:
    """The folding rule for ``language``."""
    return fold_english if language.lower().partition("-")[0] == "en" else keep
