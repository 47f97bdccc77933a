"""Languages and words: codes, scripts, detection, and text to words in any script."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
"""Word lists and WordNet, as the package ships them."""
_PRIMARY = re.compile(r"\s*([a-z]{2,3})(?![a-z0-9])")
"""The first subtag of a BCP 47 tag: ``de`` of ``de-AT``; also of ``de_AT`` and ``de, en``."""
_SAME = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "cmn": "zh", "jp": "ja"}
"""Former and narrower codes, and one that is often taken for the right one."""
_LONGEST = 20
"""Characters of a declaration that are kept."""
_NONE = frozenset({"und", "mul", "zxx", "xx", "mis"})
"""Codes that name no language."""


def single_language(declared: str) -> str | None:
    """What a page or a header declares, in lower case; None for nothing and for several."""
    code = declared.strip().lower()[:_LONGEST]
    return None if "," in code else code or None


def primary_language(code: str | None) -> str | None:
    """``de`` of ``de-AT``, ``DE``, ``de_AT``; None for what names no language."""
    match = _PRIMARY.match((code or "")[:40].lower())
    found = _SAME.get(match[1], match[1]) if match else None
    return None if found in _NONE else found


# Scripts: the cheapest thing to know about the language of a text.


LATIN, HAN, KANA, HANGUL = "Latn", "Hani", "Kana", "Hang"
"""Scripts go by their ISO 15924 codes; ``Kana`` stands for both syllabaries of Japanese."""
_SAMPLE = 1_000
"""Characters that are looked at: a page does not change its script half way."""
_KANA_SHARE = 0.05
"""Of the East Asian letters: Japanese has far more kana, Chinese none but in names."""
_BLOCKS = (
    (0x41, 0x24F, LATIN), (0x370, 0x3FF, "Grek"), (0x400, 0x52F, "Cyrl"), (0x531, 0x58F, "Armn"),
    (0x591, 0x5F4, "Hebr"), (0x600, 0x6FF, "Arab"), (0x750, 0x77F, "Arab"), (0x8A0, 0x8FF, "Arab"),
    (0x900, 0x97F, "Deva"), (0x980, 0x9FF, "Beng"), (0xA00, 0xA7F, "Guru"), (0xA80, 0xAFF, "Gujr"),
    (0xB00, 0xB7F, "Orya"), (0xB80, 0xBFF, "Taml"), (0xC00, 0xC7F, "Telu"), (0xC80, 0xCFF, "Knda"),
    (0xD00, 0xD7F, "Mlym"), (0xD80, 0xDFF, "Sinh"), (0xE00, 0xE7F, "Thai"), (0xE80, 0xEFF, "Laoo"),
    (0xF00, 0xFFF, "Tibt"), (0x1000, 0x109F, "Mymr"), (0x10A0, 0x10FF, "Geor"),
    (0x1100, 0x11FF, HANGUL), (0x1200, 0x139F, "Ethi"), (0x1780, 0x17FF, "Khmr"),
    (0x1E00, 0x1EFF, LATIN), (0x1F00, 0x1FFF, "Grek"), (0x3005, 0x3007, HAN),
    (0x3041, 0x30FF, KANA), (0x3131, 0x318E, HANGUL), (0x31F0, 0x31FF, KANA),
    (0x3400, 0x4DBF, HAN), (0x4E00, 0x9FFF, HAN), (0xAC00, 0xD7A3, HANGUL), (0xF900, 0xFAFF, HAN),
    (0xFB50, 0xFDFF, "Arab"), (0xFE70, 0xFEFC, "Arab"), (0xFF21, 0xFF5A, LATIN),
    (0xFF66, 0xFF9D, KANA), (0x20000, 0x3FFFF, HAN),
)  # fmt: skip
_STARTS = [start for start, _, _ in _BLOCKS]
LANGUAGE_OF = {
    HAN: "zh", KANA: "ja", HANGUL: "ko", "Grek": "el", "Armn": "hy", "Hebr": "he", "Guru": "pa",
    "Gujr": "gu", "Orya": "or", "Taml": "ta", "Telu": "te", "Knda": "kn", "Mlym": "ml",
    "Sinh": "si", "Thai": "th", "Laoo": "lo", "Tibt": "bo", "Mymr": "my", "Geor": "ka",
    "Khmr": "km",
}  # fmt: skip
"""The language that nearly every text in a script is in; no entry where there are several."""
_ALSO = {
    HAN: "ja ko yue wuu lzh".split(), "Hebr": ["yi"], "Grek": ["grc"],
    "Cyrl": "ru uk be bg mk sr kk ky mn tg tt ba uz az ab cv os ce".split(),
    "Arab": "ar fa ur ps ug ku ckb sd arz ary sdh az ks".split(),
    "Deva": "hi mr ne sa gom mai bho".split(), "Beng": ["bn", "as"], "Ethi": ["am", "ti"],
}  # fmt: skip
_LONGEST_WITHOUT_KANA = 50
"""Letters: a title in Japanese or Korean may be Han alone, a paragraph is not."""
_BESIDE_LATIN = frozenset("sr uz az kk ku mn tg tt ug bs crh".split())
"""Languages of other scripts that are written in Latin letters as well."""


@dataclass(frozen=True, slots=True)
class Script:
    """The commonest script among the letters of a text; no name where there are no letters."""

    name: str | None
    share: float
    letters: int


def script_of(text: str) -> Script:
    """The script of the beginning of ``text``.

    Where a text mixes kana and Han it is Japanese, hence ``Kana``, although Han may prevail.
    """
    counts: Counter[str] = Counter()
    for character, times in Counter(text[:_SAMPLE]).items():
        place = bisect_right(_STARTS, ord(character)) - 1
        if place >= 0 and ord(character) <= _BLOCKS[place][1] and character.isalpha():
            counts[_BLOCKS[place][2]] += times
    letters = counts.total()
    if counts[KANA] > _KANA_SHARE * (counts[KANA] + counts[HAN]):
        counts[KANA] += counts.pop(HAN, 0)
    if not letters:
        return Script(None, 0.0, 0)
    name, times = max(counts.items(), key=lambda found: found[1])
    return Script(name, times / letters, letters)


def is_written_in(language: str, script: str) -> bool:
    """May a text of ``language`` be in ``script``? Languages that are not listed are Latin."""
    code = primary_language(language) or ""
    if script == LATIN:
        return code in _BESIDE_LATIN or not _other_scripts(code)
    return script in _other_scripts(code)


def fits(language: str, script: Script) -> bool:
    """Can a text in this script be of ``language``? One without letters can be of any."""
    if script.name is None:
        return True
    if script.name == HAN and primary_language(language) in ("ja", "ko"):
        return script.letters <= _LONGEST_WITHOUT_KANA
    return is_written_in(language, script.name)


def _other_scripts(code: str) -> set[str]:
    """The scripts but Latin that a language is written in."""
    single = {script for script, language in LANGUAGE_OF.items() if language == code}
    return single | {script for script, codes in _ALSO.items() if code in codes}


# Language detection, for exports; the crawl itself does not need it.
#
# The library (py3langid: naive Bayes over byte sequences) is exact on a paragraph and guesses on
# a few words. So the script decides where it can, and a declared language is accepted where the
# text can be in it.

_DETECTION_SAMPLE = 5_000
"""Characters of a text that are looked at; the rest tells nothing new."""
_SURE = 0.8
"""From this probability on the text decides, whatever was declared."""
_PROBABLE = 0.5
"""From this probability on a text without a declaration tells its language."""
_POSSIBLE = 0.1
"""A declared language that is as likely as this is believed: Danish or Norwegian?"""
_CONCEIVABLE = 0.01
"""Times the likeliest: so likely a declared language must be where the text leaves it open."""
_FEWEST_LETTERS = 20
"""Fewer are a name or a button, of which no library knows the language."""
_VARIETIES = {"wuu": "zh", "yue": "zh", "arz": "ar", "ary": "ar", "pcm": "en", "zxx": None}
"""What the library tells apart and written pages hardly do; the last means no language."""
_FAMILIES = tuple(map(frozenset, (("hr", "bs", "sr"), ("id", "ms"), ("no", "nn"), ("cs", "sk"))))
"""So near to each other that they share the probability of a text that is clearly one of them."""


@dataclass(frozen=True, slots=True)
class Detected:
    """The language of a text as a code such as ``de``, and how sure that is, in [0, 1].

    ``language`` is None where neither the text nor a declaration tells (``und``).
    """

    language: str | None
    confidence: float


UNDETERMINED = Detected(None, 0.0)


def detect(text: str, declared: str | None = None) -> Detected:
    """The language of ``text``.

    Parameters
    ----------
    text : the words of a page; an empty one is of its declared language.
    declared : what the page or its server says (``lang``, ``Content-Language``), in any
        spelling: ``de``, ``de-AT``, ``DE_at``. Declarations are often wrong: a text that clearly
        is in another language outweighs it.
    """
    claimed = primary_language(declared)
    script = script_of(text)
    if script.name is None:
        return Detected(claimed, 0.0)
    if claimed is not None and not fits(claimed, script):
        claimed = None
    alone = LANGUAGE_OF.get(script.name)
    if alone is not None:
        return Detected(claimed or alone, script.share)
    if script.letters < _FEWEST_LETTERS:
        return Detected(claimed, 0.0)
    chances: dict[str | None, float] = {}
    for code, chance in _identifier().rank(text[:_DETECTION_SAMPLE]):
        language = _VARIETIES.get(code, primary_language(code))
        chances[language] = chances.get(language, 0.0) + chance
    return _choose_language(chances, claimed)


def _choose_language(chances: dict[str | None, float], claimed: str | None) -> Detected:
    """The declared language where the text can be in it, else the likeliest if it is probable."""
    likeliest = max(chances, key=chances.__getitem__)
    # Languages that are hard to tell from each other share the probability of a text.
    family = next((each for each in _FAMILIES if likeliest in each), frozenset([likeliest]))
    sure = sum(chances.get(each, 0.0) for each in family)
    own = chances.get(claimed, 0.0)
    floor = _POSSIBLE if sure >= _SURE else _CONCEIVABLE * chances[likeliest]
    if claimed is not None and (own >= floor or likeliest is None):
        return Detected(claimed, own)
    if likeliest is not None and sure >= _PROBABLE:
        return Detected(likeliest, chances[likeliest])
    return UNDETERMINED


@lru_cache(maxsize=1)
def _identifier() -> Any:
    """Loaded when first used: half a second and a few tens of megabytes."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


# Text to words in any script: splitting, spelling, stop words, stemming, segmentation.

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
    """``words`` with the runs of unspaced scripts cut up."""
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
