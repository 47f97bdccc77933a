"""Ways to write a word that are one word, where lower case alone does not make them one."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import partial

from scenthound.text.codes import primary_language

Respelling = Callable[[str], str]

_DOTTED_I = str.maketrans({"I": "ı", "İ": "i"})
"""Turkish has two letters i, and lower case as elsewhere would take one for the other."""
_ARABIC_MARKS = dict.fromkeys([0x640, 0x670, *range(0x64B, 0x653)])
"""Vowel signs, and the stroke that stretches a word: hardly anybody writes them."""
_PERSIAN = {**_ARABIC_MARKS, 0x64A: "ی", 0x643: "ک"}
"""Arabic keyboards give other letters for the same y and k."""
_HEBREW_POINTS = dict.fromkeys([*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7])

_TABLES: Mapping[str, Mapping[int, str | None]] = {
    "tr": _DOTTED_I,
    "az": _DOTTED_I,
    "ar": _ARABIC_MARKS,
    "fa": _PERSIAN,
    "ur": _PERSIAN,
    "he": _HEBREW_POINTS,
    "yi": _HEBREW_POINTS,
}
_WIDTHS = frozenset({"zh", "ja", "ko"})
"""Written with letters of full and of half width."""


def respelling(language: str) -> Respelling | None:
    """What is done to a text before it is split; None for most languages: nothing."""
    code = primary_language(language) or ""
    if code in _WIDTHS:
        return partial(unicodedata.normalize, "NFKC")
    return partial(_translated, _TABLES[code]) if code in _TABLES else None


def _translated(table: Mapping[int, str | None], text: str) -> str:
    return text.translate(table)
