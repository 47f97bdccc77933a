"""Text to words in any script: splitting, spelling, stop words, stemming, segmentation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

from scenthound.text.languages import primary_language

DATA = Path(__file__).parent / "data"
"""Word lists and WordNet, as the package ships them."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f][^\x00-\x7f]*")
"""Written so, and not with ``+``, the search for the first character is twice as fast."""

_INVISIBLE = frozenset("\u00ad\u200c\u200d\u2060")
"""Soft hyphen and joiners: they stand inside words."""

_ASCII_SPACED = bytes(
    code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256)
)  # bytes.translate and str.split take a fraction of the time of a regular expression


def words(text: str) -> list[str]:
    """Words of ``text`` in lower case, in order; apostrophes and hyphens separate.

    A word is a run of letters and digits of any script. Accents and vowel signs are part of
    their word however they are encoded; soft hyphens are not there.
    """
    lowered = text.lower()
    if not lowered.isascii():
        composed = unicodedata.normalize("NFC", lowered)
        lowered = _BEYOND_ASCII.sub(lambda run: _letters(run[0]), composed)
    return lowered.encode().translate(_ASCII_SPACED).decode().split()


def _letters(run: str) -> str:
    """``run`` with spaces in place of what belongs to no word."""
    if run.isalnum():
        return run
    kept: list[str] = []
    for character in run:
        if character.isalnum():
            kept.append(character)
        elif character in _INVISIBLE:
            continue
        elif not unicodedata.category(character).startswith("M"):
            kept.append(" ")
        elif kept and kept[-1] != " ":
            kept.append(character)
    return "".join(kept)


# Spelling: different ways to write one word, where lower case alone does not make them equal.


Respelling = Callable[[str], str]


_DOTTED_I = str.maketrans({"I": "ı", "İ": "i"})
"""Turkish has two letters i, and lower case as elsewhere would take one for the other."""

_ARABIC_MARKS = dict.fromkeys([0x640, 0x670, *range(0x64B, 0x653)])
"""Vowel signs, and the stroke that stretches a word: hardly anybody writes them."""

_PERSIAN = {**_ARABIC_MARKS, 0x64A: "ی", 0x643: "ک"}
"""Arabic keyboards give other letters for the same y and k."""

_HEBREW_POINTS = dict.fromkeys([*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7])


_TABLES: Mapping[str, Mapping[int, str | None]] = {
    **dict.fromkeys(("tr", "az"), _DOTTED_I),
    **dict.fromkeys(("fa", "ur"), _PERSIAN),
    **dict.fromkeys(("he", "yi"), _HEBREW_POINTS),
    "ar": _ARABIC_MARKS,
}

_WIDTHS = frozenset({"zh", "ja", "ko"})
"""Written with letters of full and of half width."""


def respelling(language: str) -> Respelling | None:
    """What is done to a text before it is split; None for most languages: nothing."""
    code = primary_language(language) or ""
    if code in _WIDTHS:
        return partial(unicodedata.normalize, "NFKC")
    table = _TABLES.get(code)
    return None if table is None else lambda text: text.translate(table)


# Stop words, by language.


@lru_cache(maxsize=32)
def stop_words(language: str) -> frozenset[str]:
    """Stop words of ``language`` (``en``, ``en-GB``, ...); empty where there are none.

    English has a list of our own. Those of other languages are the library's (stopwordsiso),
    which are longer than one would wish: they hold a few nouns as well.
    """
    code = primary_language(language)
    if code == "en":
        return frozenset((DATA / "stopwords-en.txt").read_text(encoding="utf-8").split())
    import stopwordsiso

    if code is None or not stopwordsiso.has_lang(code):
        return frozenset()
    respell = respelling(language) or str
    split = (words(respell(each)) for each in stopwordsiso.stopwords(code))
    return frozenset(found[0] for found in split if len(found) == 1)


# Stemming, for the languages that WordNet does not describe (Snowball).


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
    stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord  # 0: the analyzer has a cache
    return stem


# Segmentation, for scripts that put no blanks between words.
#
# Without a dictionary, overlapping pairs of characters are what retrieval uses for Chinese,
# Japanese and Korean: every word of two characters is among them, and a longer one is a row of
# pairs. Korean has blanks, but particles are glued to the words; pairs undo that as well.


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


def pairs(run: Sequence[str]) -> list[str]:
    """Overlapping pairs of characters, or clusters; a single one is a word of its own."""
    return ["".join(run)] if len(run) < 2 else [a + b for a, b in pairwise(run)]


def segment_words(words: Iterable[str], han: Segmenter = pairs) -> list[str]:
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
            continue
        for match in _RUNS.finditer(word):
            if match.lastgroup == "han":
                found += han(match[0])
            elif match.lastgroup == "pairs":
                found += pairs(match[0])
            elif match.lastgroup == "clusters":
                found += pairs(_CLUSTER.findall(match[0]))
            else:
                found.append(match[0])
    return found


# Chinese words by a dictionary, where the extra ``chinese`` is installed (rjieba).


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
