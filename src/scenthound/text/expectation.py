"""Is a page in the language that is expected? By its script and small words, at no cost.

No detection: a page in the expected language, or one that says nothing of its language and is
in the expected script, is taken as it is. Only where a page declares another language, or is in
another script, is there more to look at; and a declaration counts only if the text bears it out,
since templates in one language around pages in another are common.
"""

from __future__ import annotations

from scenthound.text.codes import primary_language
from scenthound.text.scripts import LANGUAGE_OF, Script, fits, is_written_in, script_of
from scenthound.text.stopwords import stop_words
from scenthound.text.words import words

_SAMPLE = 2_000
"""Characters from the middle of a page: at its ends are menus."""
_GLANCE = 400
_FEWEST_LETTERS = 20
_FEWEST_WORDS = 10
_PREVAILING = 0.6
"""Share of the letters from which on a script is that of the page."""
_RUNNING_TEXT = 0.1
"""Share of stop words that every running text exceeds, in its own language."""


def unexpected_language(text: str, declared: str | None, expected: str) -> str | None:
    """The language of a page that is not in the expected one; None where nothing tells so.

    Parameters
    ----------
    text : what the page says.
    declared : the language it claims to be in, if any.
    expected : the topic's.

    Returns a code such as ``de``; ``und-Cyrl`` where only the script is known.
    """
    own, claimed = primary_language(expected), primary_language(declared)
    if own is None:
        return None
    if claimed in (None, own) and _is_plainly_latin(text) and is_written_in(own, "Latn"):
        return None
    sample = _middle(text, _SAMPLE)
    script = script_of(sample)
    if claimed is not None and not fits(claimed, script):
        claimed = None
    if script.name is None or script.letters < _FEWEST_LETTERS:
        return None
    if not fits(own, script):
        return _by_script(script, claimed)
    if claimed in (None, own):
        return None
    return claimed if _is_borne_out(sample, claimed, own) else None


def _by_script(script: Script, claimed: str | None) -> str | None:
    if script.share < _PREVAILING:
        return None
    return claimed or LANGUAGE_OF.get(script.name or "", f"und-{script.name}")


def _is_borne_out(sample: str, claimed: str, own: str) -> bool:
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


def _is_plainly_latin(text: str) -> bool:
    """Is most of it ASCII or western European? A glance, for the many pages that are."""
    if text.isascii():
        return True
    glance = _middle(text, _GLANCE)
    return 2 * len(glance.encode("latin-1", "ignore")) > len(glance)


def _middle(text: str, size: int) -> str:
    start = max(0, (len(text) - size) // 2)
    return text[start : start + size]
