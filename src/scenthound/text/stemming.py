"""Inflection folded for languages that WordNet does not describe: the Snowball stemmers."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.text.codes import primary_language

ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""By language code."""


def algorithm(language: str) -> str | None:
    """Name of the algorithm for ``language``; None where there is none."""
    return ALGORITHMS.get(primary_language(language) or "")


def stemmer(language: str) -> Callable[[str], str] | None:
    """Stem of a word in lower case; None for a language without an algorithm here.

    A version of the library that lacks the algorithm counts as one without.
    """
    name = algorithm(language)
    if name is None:
        return None
    import Stemmer

    if name not in Stemmer.algorithms():
        return None
    stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord  # 0: the analyzer remembers
    return stem
