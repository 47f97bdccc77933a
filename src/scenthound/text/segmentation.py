"""Words of scripts that put no blanks between them.

Without a dictionary, overlapping pairs of characters are what retrieval uses for Chinese,
Japanese and Korean: every word of two characters is among them, and a longer one is a row of
pairs. Korean has blanks, but particles are glued to the words; pairs undo that as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import pairwise

from scenthound.text.codes import primary_language

Segmenter = Callable[[str], list[str]]
"""From a run of letters to its words, in order."""

UNSPACED = frozenset({"zh", "yue", "wuu", "ja", "ko", "th", "lo", "km", "my"})
"""Languages whose words have to be cut out of longer runs."""

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_CLUSTERED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese, Khmer: a letter and its signs count as one."""
_SIGNS = "".join(
    chr(code)
    for first, last in ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
    for code in range(first, last + 1)
    if unicodedata.category(chr(code)).startswith("M")
)
_ANY_UNSPACED = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_CLUSTERED}]")
_RUNS = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<pairs>[{_HIRAGANA}]+|[{_HANGUL}]+)|(?P<clusters>[{_CLUSTERED}]+)"
    f"|[{_KATAKANA}]+|[^{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}{_CLUSTERED}]+"
)
"""A run of katakana is a foreign word and stays whole, as does what has blanks around it."""
_CLUSTER = re.compile(f".[{_SIGNS}]*", re.DOTALL)


def is_unspaced(language: str) -> bool:
    """Is it a language whose words have to be cut out of longer runs?"""
    return primary_language(language) in UNSPACED


def has_unspaced(texts: Iterable[str]) -> bool:
    """Is there a letter of such a script in any of the texts?"""
    return any(_ANY_UNSPACED.search(text) for text in texts)


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single one is a word of its own."""
    return [run] if len(run) < 2 else [first + second for first, second in pairwise(run)]


def segmented(words: Iterable[str], han: Segmenter = pairs) -> list[str]:
    """``words`` with the runs of unspaced scripts cut up.

    Parameters
    ----------
    words : as blanks and signs separate them.
    han : cuts up Chinese characters.
    """
    found: list[str] = []
    for word in words:
        if word.isascii():
            found.append(word)
        else:
            found += _pieces(word, han)
    return found


def _pieces(word: str, han: Segmenter) -> list[str]:
    found: list[str] = []
    for match in _RUNS.finditer(word):
        run = match[0]
        if match.lastgroup == "han":
            found += han(run)
        elif match.lastgroup == "pairs":
            found += pairs(run)
        elif match.lastgroup == "clusters":
            found += _cluster_pairs(run)
        else:
            found.append(run)
    return found


def _cluster_pairs(run: str) -> list[str]:
    clusters = _CLUSTER.findall(run)
    return clusters if len(clusters) < 2 else [a + b for a, b in pairwise(clusters)]
