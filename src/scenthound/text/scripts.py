"""The script a text is written in: the cheapest thing to know about its language."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

from scenthound.text.codes import primary_language

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
    HAN: {"ja", "ko", "yue", "wuu", "lzh"},
    "Hebr": {"yi"},
    "Grek": {"grc"},
    "Cyrl": set("ru uk be bg mk sr kk ky mn tg tt ba uz az ab cv os ce".split()),
    "Arab": set("ar fa ur ps ug ku ckb sd arz ary sdh az ks".split()),
    "Deva": set("hi mr ne sa gom mai bho".split()),
    "Beng": {"bn", "as"},
    "Ethi": {"am", "ti"},
}
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
        name = _script_of_character(character)
        if name is not None:
            counts[name] += times
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


def _script_of_character(character: str) -> str | None:
    """None for what is no letter of a script we know."""
    code = ord(character)
    place = bisect_right(_STARTS, code) - 1
    if place < 0 or code > _BLOCKS[place][1] or not character.isalpha():
        return None
    return _BLOCKS[place][2]
