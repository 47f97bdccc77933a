"""How the texts of a language are read: splitting, folding, stop words; and whether a page is in
the expected language.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from scenthound.text.languages import LANGUAGE_OF, fits, is_written_in, primary_language, script_of
from scenthound.text.wordnet import WordNet
from scenthound.text.words import (
    INSTALL,
    Respelling,
    Segmenter,
    algorithm,
    dictionary,
    han_segmenter,
    has_unspaced,
    is_unspaced,
    pairs,
    respelling,
    segment_words,
    stemmer,
    stop_words,
    suits_dictionary,
    words,
)

Split = Callable[[str], list[str]]
"""From a text to its words in lower case, in order."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How the texts of a language are read.

    Parameters
    ----------
    language : its code.
    split : a text to its words.
    base : a word to the form that all its inflections share; the word itself where none is known.
    stops : words that are no terms.
    stop_bases : base forms that are none. Empty for stems: "Ware" and "war" have one of them.
    named : words that somebody searches for; no list of another language drops them.
    folding : how inflection is folded, in words; empty where it is not.
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
    language : a code such as ``en``, ``zh-TW``.
    wordnet : where English base forms come from; other languages do not ask.
    keywords : of a topic. They may be in scripts without blanks whatever the language; and what
        somebody searches for is no stop word, though a list that we did not write may hold it.
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
    folding = f"stems (Snowball, {algorithm(language)})" if stem else ""
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

_ASCII_SAMPLE = 400
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


def _is_plainly_latin(text: str) -> bool:
    """Is most of it ASCII or western European? A glance, for the many pages that are."""
    if text.isascii():
        return True
    glance = _middle(text, _ASCII_SAMPLE)
    return 2 * len(glance.encode("latin-1", "ignore")) > len(glance)


def _middle(text: str, size: int) -> str:
    start = max(0, (len(text) - size) // 2)
    return text[start : start + size]


# The text representation as a string: where two are equal, texts have the same terms.


def text_representation(own: Rules, rules: Rules, wordnet: WordNet | None) -> str:
    """Describe how texts are read by ``rules``, in a line for each thing that it depends on.

    Parameters
    ----------
    own : rules of the topic, by which words are folded.
    rules : of the page's language; ``own`` for a page in the topic's.
    wordnet : gives base forms and phrases; None for a language without.
    """
    facts = (
        own.language, own.folding, own.cutting, rules.language, rules.cutting,
        _digest(sorted(rules.stops)), _digest(sorted(rules.stop_bases)),
        "" if wordnet is None else _wordnet_digest(wordnet),
    )  # fmt: skip
    return "\n".join(facts)


@lru_cache(maxsize=2)
def _wordnet_digest(wordnet: WordNet) -> str:
    """Of all that folding and phrases depend on; worked out once for all analyzers."""
    inflections = (
        f"{part} {form} {' '.join(bases)}"
        for part, forms in wordnet.exceptions.items()
        for form, bases in forms.items()
    )
    senses = wordnet.nouns.senses.starts.tobytes().hex()
    return _digest([*wordnet.nouns.lemmas, senses, *wordnet.verbs.lemmas, *inflections])


def _digest(lines: Iterable[str]) -> str:
    content = "\n".join(lines).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).hexdigest()
