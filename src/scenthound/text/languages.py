"""Languages and words: codes, scripts, detection, and text to words in any script."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
"""Word lists and WordNet, as the package ships them."""
_PRIMARY = re.compile(r"\s*([a-z]{2,3})(?![a-z0-9])")
"""The first subtag of a BCP 47 tag: ``de`` of ``de-AT``; also of ``de_AT`` and ``de, en``."""
_SAME = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "cmn": "zh", "jp": "ja"}
"""Former and narrower codes, and one that is often taken for the right one."""
_NONE = frozenset({"und", "mul", "zxx", "xx", "mis"})
"""Codes that name no language."""


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
"""Characters of a text that are looked at; the rest adds nothing."""
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
