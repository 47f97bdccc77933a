"""A topic is read before anything starts, and whatever is left out is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scenthound.archive import Archive
from scenthound.core.errors import TopicError
from scenthound.core.model import Briefing, Document, Topic
from scenthound.engines.briefing import brief, example_name
from scenthound.lexicon.wordnet import WordNet
from scenthound.text.analyzer import Analyzer
from scenthound.text.codes import primary_language
from scenthound.text.counters import TextCounters
from scenthound.text.rules import is_english, rules_of
from scenthound.topics.coverage import (
    known_share,
    nothing_known,
    read_keyword,
    shown,
    topic_terms,
    unknown_terms,
)
from scenthound.topics.file import is_url

Warn = Callable[[str], None]
_NAMED = 5
"""Words that a warning names."""


def read_briefing(
    topic: Topic,
    archive: Archive | None,
    warn: Warn,
    *,
    wordnet: WordNet | None = None,
    by_meaning: bool = False,
    fetched: Mapping[str, Document] | None = None,
    counters: TextCounters | None = None,
) -> Briefing:
    """The topic's words and the texts of its example pages.

    Parameters
    ----------
    topic : what to read.
    archive : where example pages are; without one those given as addresses are left out.
    warn : gets what is left out, and what will happen instead.
    wordnet : the one that is used; None for the shipped one.
    by_meaning : are texts compared by meaning? Then what WordNet does not know is told too.
    fetched : example pages that were fetched live, by the address in the topic.
    counters : count the terms of texts for several runs; None to count them here.

    Raises
    ------
    TopicError
        Nothing that could be read says what the topic is.
    """
    _tell_unread(topic, warn, by_meaning)
    if archive is None and fetched is None:
        topic = _offline(topic, warn)
    briefing = _examples(topic, archive, warn, fetched)
    analyzer = Analyzer(topic.language, wordnet, topic.keywords, counters)
    _refuse_wordless(topic, briefing, analyzer)
    _tell_language(topic, briefing, analyzer, warn)
    briefing = _without_wordless(topic, briefing, analyzer, warn)
    _tell_wordless(topic, analyzer, warn)
    if by_meaning and is_english(topic.language):
        _tell_unknown(topic, briefing, analyzer, warn)
    return briefing


def _tell_unread(topic: Topic, warn: Warn, by_meaning: bool) -> None:
    """What the topic asks for and nothing here heeds yet must not look as if it did."""
    reasons = []
    unknown = rules_of(topic.language, None).as_written
    if unknown:
        reasons.append(_unknown_language(topic.language))
    if by_meaning and not is_english(topic.language):
        reasons.append("WordNet is English")
    if reasons:
        how = "words are compared as they are written"
        if not unknown:
            how = "texts are compared by their words"
        only = " (lexical only)" if by_meaning else ""
        warn(f"{topic}: {' and '.join(reasons)}; {how}{only}")


def _unknown_language(language: str) -> str:
    """Why its words are not folded: a code without rules, or no code."""
    if primary_language(language) is None:
        return f"language {shown(language)!r} is no code such as 'de'"
    return f"there are no stop words and inflections for language {language!r}"


def _tell_language(topic: Topic, briefing: Briefing, analyzer: Analyzer, warn: Warn) -> None:
    """A topic file without a language is English, and its pages may be the first to object."""
    found = Counter(filter(None, map(analyzer.language_of, briefing.examples)))
    if 2 * found.total() > len(briefing.examples):
        likely = found.most_common(1)[0][0]
        hint = f'; if the topic is, set language = "{likely}"' if primary_language(likely) else ""
        warn(
            f"{topic}: {found.total()} of {len(briefing.examples)} examples are not in its "
            f"language, {topic.language!r}, but in {likely!r}{hint}"
        )


def _offline(topic: Topic, warn: Warn) -> Topic:
    """The topic without the examples that only an archive has."""
    others = tuple(example for example in topic.examples if not is_url(example))
    urls = len(set(topic.examples)) - len(set(others))
    if urls and not any(text.strip() for text in (*topic.keywords, *others)):
        raise TopicError(
            f"{topic} is described by the addresses of {urls} example pages alone; "
            "give the archive that holds them (--archive)."
        )
    if urls:
        warn(
            f"{topic}: {urls} of {len(set(topic.examples))} examples are addresses and are left "
            "out; give the archive that holds them (--archive) to read them"
        )
    return replace(topic, examples=others)


def _examples(
    topic: Topic, archive: Archive | None, warn: Warn, fetched: Mapping[str, Document] | None
) -> Briefing:
    briefed = brief(topic, archive, fetched)
    if briefed.unread:
        warn(
            f"{topic}: {len(briefed.unread)} of {len(set(topic.examples))} examples "
            f"cannot be read and are left out, e.g. {example_name(briefed.unread[0])}"
        )
    return briefed.briefing


def _refuse_wordless(topic: Topic, briefing: Briefing, analyzer: Analyzer) -> None:
    """A topic of stop words and signs would score every page 0 and call that a crawl."""
    bags = [*map(analyzer.bag, briefing.keywords), *map(analyzer.page_bag, briefing.examples)]
    if not any(map(len, bags)):
        raise TopicError(
            f"{topic} is empty: its keywords and examples hold no word that tells it from others."
        )


def _without_wordless(topic: Topic, briefing: Briefing, analyzer: Analyzer, warn: Warn) -> Briefing:
    """A page of stop words and signs says nothing, and must not count as a page."""
    told = tuple(page for page in briefing.examples if len(analyzer.page_bag(page)))
    empty = len(briefing.examples) - len(told)
    if empty:
        warn(
            f"{topic}: {empty} of {len(set(topic.examples))} examples hold no word that tells "
            "the topic from others and are left out"
        )
    return replace(briefing, examples=told)


def _tell_wordless(topic: Topic, analyzer: Analyzer, warn: Warn) -> None:
    """A keyword of stop words, digits or signs must not look as if it were searched for."""
    wordless = [word for word in topic.keywords if not len(analyzer.bag(word))]
    if len(wordless) == 1:
        warn(f"{topic}: the keyword {shown(wordless[0])!r} says nothing and is left out")
    elif wordless:
        warn(f"{topic}: {len(wordless)} keywords say nothing and are left out ({_some(wordless)})")


def _tell_unknown(topic: Topic, briefing: Briefing, analyzer: Analyzer, warn: Warn) -> None:
    """A word outside WordNet is similar to itself alone; nobody should have to find that out."""
    terms = topic_terms(briefing, analyzer)
    if nothing_known(terms, analyzer):
        warn(
            f"{topic}: WordNet knows none of its words ({_some(terms)}) as nouns; texts are "
            "compared by their words alone (lexical only)"
        )
        return
    if known_share(terms, analyzer) < 0.5:
        unknown = unknown_terms(terms, analyzer)
        warn(
            f"{topic}: WordNet does not know most of it as nouns, {len(unknown)} of its "
            f"{len(terms)} terms ({_some(unknown)}); these are compared as written (lexical only)"
        )
    _tell_unknown_keywords(topic, briefing, analyzer, warn)


def _tell_unknown_keywords(
    topic: Topic, briefing: Briefing, analyzer: Analyzer, warn: Warn
) -> None:
    readings = [read_keyword(keyword, analyzer) for keyword in briefing.keywords]
    unknown = [reading.keyword for reading in readings if reading.others and not reading.nouns]
    if unknown:
        warn(
            f"{topic}: WordNet does not know {len(unknown)} of {len(readings)} keywords as nouns "
            f"({_some(unknown)}); they are compared as written (lexical only)"
        )


def _some(names: Iterable[str]) -> str:
    """The first few, in a row."""
    listed = [shown(name) for name in names]
    return ", ".join(listed[:_NAMED]) + (", ..." if len(listed) > _NAMED else "")
