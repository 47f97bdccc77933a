"""How the texts of a language are read: spelling, stop words, stems, scripts without blanks, and
whether a page is in the language that is expected.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from scenthound.text.languages import (
    DATA,
    LANGUAGE_OF,
    LATIN,
    fits,
    is_written_in,
    primary_language,
    script_of,
)
from scenthound.text.terms import (
    Segmenter,
    has_unspaced,
    is_mostly_latin,
    middle,
    pairs,
    segment_words,
    words,
)
from scenthound.text.wordnet import WordNet

# Spelling: different ways to write one word, where lower case alone does not make them equal.

Respelling = Callable[[str], str]
_DOTTED_I = str.maketrans({"I": "ı", "İ": "i"})
"""Turkish has two letters i, and lower case as elsewhere would take one for the other."""
_ARABIC_MARKS = dict.fromkeys([0x640, 0x670, *range(0x64B, 0x653)])
"""Vowel signs, and the stroke that stretches a word: they are rarely written."""
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


def stemmer(language: str) -> Callable[[str], str] | None:
    """Stem of a word in lower case; None for a language without an algorithm here.

    A version of the library that lacks the algorithm counts as one without.
    """
    name = ALGORITHMS.get(primary_language(language) or "")
    if name is None:
        return None
    import Stemmer

    if name not in Stemmer.algorithms():
        return None
    stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord  # 0: the analyzer has a cache
    return stem


UNSPACED = frozenset({"zh", "yue", "wuu", "ja", "ko", "th", "lo", "km", "my"})
"""Languages whose words have to be cut out of longer runs."""


def is_unspaced(language: str) -> bool:
    """Is it a language whose words have to be cut out of longer runs?"""
    return primary_language(language) in UNSPACED


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


# How the texts of a language are read: splitting, folding, stop words.

Split = Callable[[str], list[str]]
"""From a text to its words in lower case, in order."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the texts of a language are read.

    Parameters
    ----------
    base : a word to the form that all its inflections share; the word itself where none is known.
    stop_bases : base forms that are none. Empty for stems: "Ware" and "war" have one of them.
    named : keywords of one word; no list of another language drops them.
    cutting : how words are cut out of runs without blanks, in words; empty where they are not.
    """

    language: str
    split: Split
    base: Callable[[str], str]
    stops: frozenset[str]
    stop_bases: frozenset[str]
    named: frozenset[str] = frozenset()
    folding: str = ""
    cutting: str = ""

    def bases(self, text: str) -> tuple[str, ...]:
        """The base forms of the words of a text, in order."""
        return tuple(map(self.base, self.split(text)))

    @property
    def as_written(self) -> bool:
        """Is nothing known of the language, so that every word counts as it is written?"""
        return not (self.folding or self.cutting or self.stops)

    @property
    def described(self) -> str:
        """All of it in one line, for a reader."""
        how = [text for text in (self.cutting, self.folding) if text] or ["words as written"]
        count = len(self.stops)
        return ", ".join([*how, f"{count} stop words" if count else "no stop words"])


def is_english(language: str) -> bool:
    """``en``, ``en-GB``, ...: the language that WordNet describes."""
    return primary_language(language) == "en"


def rules_of(language: str, wordnet: WordNet | None, keywords: Iterable[str] = ()) -> Rules:
    """The rules of ``language``; words as they are written for a language nothing is known of.

    Parameters
    ----------
    wordnet : where English base forms come from; other languages do not ask.
    keywords : of a topic. They may be in scripts without blanks whatever the language; and a
        keyword is no stop word, though a list that we did not write may hold it.
    """
    keywords = tuple(keywords)
    cut = is_unspaced(language) or has_unspaced(keywords)
    han = han_segmenter(language) if cut else None
    split = _splitter(respelling(language), han)
    named = frozenset(found[0] for found in map(split, keywords) if len(found) == 1)
    cutting = _cutting(language, han)
    stops = stop_words(language)
    if wordnet is not None and is_english(language):
        nouns = wordnet.nouns
        named = frozenset(word for word in named if not len(nouns.concepts(wordnet.base(word))))
        folding = "base forms of WordNet"
        return Rules(language, split, wordnet.base, stops, stops, named, folding, cutting)
    stem = stemmer(language)
    name = ALGORITHMS.get(primary_language(language) or "")
    folding = f"stems (Snowball, {name})" if stem else ""
    base = stem or str
    return Rules(language, split, base, stops - named, frozenset(), named, folding, cutting)


def rules_for_page(own: Rules, language: str) -> Rules:
    """The rules for a page in another ``language`` than the topic's; ``own`` if they are no others.

    Its words are folded as the topic's are, since that is what they are compared with. They are
    cut as its language wants it, and its own stop words are dropped too: "die" and "war" on a
    German page are no English words.
    """
    stops = own.stops | (stop_words(language) - own.named)
    if not is_unspaced(language) or own.cutting:
        return own if stops == own.stops else replace(own, language=language, stops=stops)
    han = han_segmenter(language)
    split, cutting = _splitter(respelling(language), han), _cutting(language, han)
    return replace(own, language=language, split=split, stops=stops, cutting=cutting)


def _splitter(respell: Respelling | None, han: Segmenter | None) -> Split:
    """The plain splitter itself where nothing else is to be done, as for most texts."""
    if han is not None:
        return lambda text: segment_words(words((respell or str)(text)), han)
    return words if respell is None else lambda text: words(respell(text))


def _cutting(language: str, han: Segmenter | None) -> str:
    """In words; where the dictionary would help, how to get it."""
    if han is None:
        return ""
    is_chinese = primary_language(language) == "zh"
    if is_chinese and han is not pairs:
        return "Chinese words by dictionary (rjieba)"
    lacking = is_chinese and suits_dictionary(language) and dictionary() is None
    return "pairs of characters" + (f" (for words: {INSTALL})" if lacking else "")


# Is a page in the expected language? Its script and its stop words tell at no cost.
#
# No detection: a page in the expected language, or one that declares no language and is in the
# expected script, is read as it is. Only a page that declares another language, or is in another
# script, is looked at; and a declaration counts only if the text confirms it, since templates in
# one language around pages in another are common.

_SAMPLE = 2_000
"""Characters from the middle of a page: at its ends are menus."""
_FEWEST_LETTERS = 20
_FEWEST_WORDS = 10
_PREVAILING = 0.6
"""Share of the letters from which on a script is that of the page."""
_RUNNING_TEXT = 0.1
"""Share of stop words that every running text exceeds, in its own language."""


def unexpected_language(text: str, declared: str | None, expected: str) -> str | None:
    """The language of a page that is not in the expected one; None where nothing says so.

    Returns a code such as ``de``; ``und-Cyrl`` where only the script is known.
    """
    own, claimed = primary_language(expected), primary_language(declared)
    if own is None:
        return None
    if claimed in (None, own) and is_mostly_latin(text) and is_written_in(own, LATIN):
        return None
    sample = middle(text, _SAMPLE)
    script = script_of(sample)
    if claimed is not None and not fits(claimed, script):
        claimed = None
    if script.name is None or script.letters < _FEWEST_LETTERS:
        return None
    if not fits(own, script):
        prevails = script.share >= _PREVAILING
        return (claimed or LANGUAGE_OF.get(script.name, f"und-{script.name}")) if prevails else None
    if claimed in (None, own):
        return None
    return claimed if _is_confirmed(sample, claimed, own) else None


def _is_confirmed(sample: str, claimed: str, own: str) -> bool:
    """Are there more small words of the claimed language than of the expected one?"""
    found = words(sample)
    if len(found) < _FEWEST_WORDS:
        return is_written_in(claimed, "Hani")  # no blanks, hence no words to count
    theirs, ours = stop_words(claimed), stop_words(own)
    of_theirs = sum(word in theirs and word not in ours for word in found) / len(found)
    of_ours = sum(word in ours and word not in theirs for word in found) / len(found)
    if not theirs:
        return of_ours < _RUNNING_TEXT
    return of_theirs > max(of_ours, 0.0 if ours else _RUNNING_TEXT)


def text_representation(own: Rules, rules: Rules, wordnet: WordNet | None) -> tuple[Hashable, ...]:
    """All that reading by ``rules`` depends on: where two are equal, texts have the same terms.

    ``wordnet``: gives base forms and phrases; None for a language without.
    """
    return (
        own.language, own.folding, own.cutting, rules.language, rules.cutting, rules.stops,
        rules.stop_bases, wordnet,
    )  # fmt: skip
