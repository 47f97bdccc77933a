"""Is an answer for a topic file of any use? Told at once, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.core.bounds_advice import check_bounds, nothing_advice
from scenthound.core.errors import MalformedUrlError, SettingsError, TopicError
from scenthound.core.patterns import Patterns
from scenthound.core.urls import canonical
from scenthound.text.analyzer import Analyzer
from scenthound.text.codes import primary_language
from scenthound.text.rules import is_english
from scenthound.topics.coverage import KeywordReading, read_keyword, shown
from scenthound.topics.file import is_file_name, is_url
from scenthound.topics.quick import split_keywords

_LEAST_WORDS = 5


def read_language(text: str) -> str:
    """A language code; English where nothing is given."""
    if text and primary_language(text) is None:
        raise TopicError(f"{text!r} is no language code; give one such as en, de or zh-CN.")
    return text or "en"


def read_keywords(text: str, language: str) -> tuple[str, ...]:
    """Keywords with commas between them; each must hold a word that says something."""
    keywords = split_keywords(text)
    analyzer = Analyzer(language, None, keywords)
    for keyword in keywords:
        if not len(analyzer.bag(keyword)):
            raise TopicError(f"the keyword {shown(keyword)!r} says nothing; give other words.")
    return keywords


def keyword_advice(keywords: tuple[str, ...], language: str) -> str:
    """What WordNet knows of the keywords, in a line; empty where there are none."""
    if not keywords:
        return ""
    if not is_english(language):
        return "WordNet is English; the keywords are compared as they are written"
    analyzer = Analyzer(language, None, keywords)
    readings = [read_keyword(keyword, analyzer) for keyword in keywords]
    known = [_known(reading) for reading in readings if reading.nouns]
    unknown = [shown(reading.keyword) for reading in readings if not reading.nouns]
    parts = [f"known to WordNet: {', '.join(known)}"] if known else []
    parts += [f"compared as written: {', '.join(unknown)}"] if unknown else []
    return "; ".join(parts)


def _known(reading: KeywordReading) -> str:
    """The keyword; where WordNet knows only words of it, these too."""
    name = shown(reading.keyword)
    return name if reading.is_noun else f"{name} (by {', '.join(map(shown, reading.nouns))})"


def read_seed(text: str) -> str:
    """A canonical URL."""
    try:
        return canonical(text)
    except MalformedUrlError as error:
        raise TopicError(f"{error}; give an address such as https://example.org/.") from None


def read_example(text: str, folder: Path) -> str:
    """An address, a file in ``folder`` (or with its path), or a text of some words."""
    if is_url(text):
        return read_seed(text)
    if is_file_name(text):
        path = folder / Path(text.strip()).expanduser()
        if not path.is_file():
            raise TopicError(f"there is no file {path}; give another one, an address or a text.")
        return text
    if len(text.split()) < _LEAST_WORDS:
        raise TopicError(
            f"{shown(text)!r} is no address, no .html or .txt file, and too short for a text; "
            "give another example."
        )
    return text


def read_pattern(text: str, named: Sequence[str] = ()) -> str:
    """A pattern of addresses to leave out.

    SettingsError where it cannot be read, matches every URL or none, or one of the addresses in
    ``named``, which a person gave before.
    """
    check_bounds((), (), (), (text,))
    for advice in nothing_advice("exclude", (text,)):
        raise SettingsError(advice)
    pattern = Patterns((text,))
    for url in filter(pattern.match, map(canonical, filter(is_url, named))):
        raise SettingsError(
            f"exclude {text!r} matches {url}, which you have given; write a narrower pattern."
        )
    return text
