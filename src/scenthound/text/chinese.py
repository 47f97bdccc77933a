"""Chinese words by a dictionary, where the extra ``chinese`` is installed (rjieba)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from scenthound.text.segmentation import Segmenter, pairs

INSTALL = "pip install 'scenthound[chinese]'"
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
"""Parts of a language code: the dictionary is one of simplified characters."""
_LONGEST_RUN = 10_000
"""Characters that are cut up in one go: a page has no sentence as long as this."""


def han_segmenter(language: str) -> Segmenter:
    """What cuts up Chinese characters: the dictionary where it can be used, else pairs.

    Japanese and Korean have words of their own, and the dictionary does not know traditional
    characters: all these are read in pairs.
    """
    if not suits_dictionary(language) or dictionary() is None:
        return pairs
    return _by_dictionary


def suits_dictionary(language: str) -> bool:
    """Are Chinese characters in texts of this language those of the dictionary?"""
    first, *others = language.lower().replace("_", "-").split("-")
    return first not in ("ja", "ko") and _TRADITIONAL.isdisjoint(others)


@lru_cache(maxsize=1)
def dictionary() -> Callable[[str, bool], list[str]] | None:
    """The segmenter of the extra; None where it is not installed."""
    try:
        import rjieba
    except ImportError:
        return None
    cut: Callable[[str, bool], list[str]] = rjieba.cut_for_search
    return cut


def _by_dictionary(run: str) -> list[str]:
    """Words of the dictionary, before a long one the shorter ones in it.

    Unknown words are not guessed: a guess would depend on what stands beside them.
    """
    cut = dictionary()
    assert cut is not None
    starts = range(0, len(run), _LONGEST_RUN)
    return [word for start in starts for word in cut(run[start : start + _LONGEST_RUN], False)]
