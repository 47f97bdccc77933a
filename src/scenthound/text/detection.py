"""Which language is a text in? For what is written out at the end, not for the crawl itself.

The library (py3langid: naive Bayes over byte sequences) is exact on a paragraph and guesses on
a few words. So the script decides where it can, and a language that the page declares is believed
where the text can be in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from scenthound.text.codes import primary_language
from scenthound.text.scripts import LANGUAGE_OF, fits, script_of

_SAMPLE = 5_000
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


class _Identifier(Protocol):
    """What we use of the library."""

    def rank(self, text: str) -> list[tuple[str, float]]: ...


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
    return _weighed(_chances(text[:_SAMPLE]), claimed)


def _weighed(chances: dict[str | None, float], claimed: str | None) -> Detected:
    """The declared language where the text can be in it, else the likeliest if it is probable."""
    likeliest = max(chances, key=chances.__getitem__)
    sure = _of_family(chances, likeliest)
    own = chances.get(claimed, 0.0)
    floor = _POSSIBLE if sure >= _SURE else _CONCEIVABLE * chances[likeliest]
    if claimed is not None and (own >= floor or likeliest is None):
        return Detected(claimed, own)
    if likeliest is not None and sure >= _PROBABLE:
        return Detected(likeliest, chances[likeliest])
    return UNDETERMINED


def _of_family(chances: dict[str | None, float], language: str | None) -> float:
    """Probability that a text is in the language, or in one that is hard to tell from it."""
    family = next((each for each in _FAMILIES if language in each), frozenset([language]))
    return sum(chances.get(each, 0.0) for each in family)


def _chances(text: str) -> dict[str | None, float]:
    """Probability of each language, varieties counted with their language."""
    chances: dict[str | None, float] = {}
    for code, chance in _identifier().rank(text):
        language = _VARIETIES.get(code, primary_language(code))
        chances[language] = chances.get(language, 0.0) + chance
    return chances


@lru_cache(maxsize=1)
def _identifier() -> _Identifier:
    """Loaded when first used: half a second and a few tens of megabytes."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return identifier
