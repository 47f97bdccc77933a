"""Reads a topic before a crawl starts: the texts of its example pages, checks, and warnings about
what is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from scenthound.core.errors import MalformedUrlError, TopicError, warn_caller
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.core.urls import canonical
from scenthound.similarity.topic_file import is_file_name, is_url
from scenthound.similarity.topic_senses import (
    known_share,
    read_keyword,
    shortened,
    topic_terms,
    unknown_terms,
)
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import final_response
from scenthound.text.analyzer import Analyzer
from scenthound.text.extract import extract
from scenthound.text.languages import primary_language
from scenthound.text.pdf import can_read_pdf, is_pdf, read_pdf
from scenthound.text.rules import is_english, rules_of
from scenthound.text.term_counts import TextCounters
from scenthound.text.wordnet import WordNet


def build_profile(
    topic: Topic, archive: Archive | None, fetched: Mapping[str, Document] | None = None
) -> tuple[TopicProfile, tuple[str, ...]]:
    """Read the example pages: from the archive, from local files, or as plain text.

    ``fetched`` are those that a live crawl has fetched, by the address in the topic. Returns the
    profile, and the examples that could not be read. TopicError where none of the examples can be
    read, and (for a live crawl) there is no keyword either.
    """
    known = fetched or {}
    documents = {each: known.get(each) or _read(each, archive) for each in topic.examples}
    unread = tuple(example for example, document in documents.items() if document is None)
    found = tuple(document for document in documents.values() if document is not None)
    enough = fetched is not None and any(word.strip() for word in topic.keywords)
    if topic.examples and not found and not enough:
        where = "is in the archive" if fetched is None else "could be fetched"
        raise TopicError(
            f"{topic}: none of its {len(documents)} examples {where} or is a readable "
            f"file (the first is {example_name(unread[0])}); correct the examples."
        )
    return TopicProfile(topic.name, topic.keywords, found, topic.language, topic.ontology), unread


def example_name(example: str) -> str:
    """Return an example for a message: cut where it is long, and in words where it is empty."""
    return repr(example[:100]) if example.strip() else "an empty text"


def _read(example: str, archive: Archive | None) -> Document | None:
    """Read one example; None where it cannot be read."""
    if is_url(example):
        return _archived(example, archive) if archive is not None else None
    if is_file_name(example):
        return _file(Path(example.strip()))
    # ``notes/surge.md``, ``stormwatch.test/a`` are names that lead nowhere, not texts.
    is_name = len(example.split()) == 1 and any(sign in example.strip()[:-1] for sign in "/.\\")
    return Document(text=example) if example.strip() and not is_name else None


def _archived(url: str, archive: Archive) -> Document | None:
    """Read an example page from the archive, over redirects."""
    try:
        response = final_response(archive, canonical(url))
    except MalformedUrlError:
        return None
    if response is None or not 200 <= response.status < 300:
        return None
    return _document(response.body, response.url, response.headers.get("content-type", ""))


def _file(path: Path) -> Document | None:
    """Read an example from a local file."""
    try:
        body = path.read_bytes()
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return None
    kind = "text/plain" if path.suffix.lower() == ".txt" else "text/html"
    return _document(body, "http://example.invalid/", kind)


def _document(body: bytes, url: str, content_type: str) -> Document | None:
    """Extract the text of an example; None where it has none."""
    if is_pdf(body, content_type):  # named by a person, so it is read wherever it can be
        document = read_pdf(body, url).document if can_read_pdf() else Document()
    else:
        document = extract(body, url, content_type).document
    return document if document.text or document.title else None


# Checks of a topic before anything starts. Whatever is left out is a warning.


_MOST_NAMED = 5
"""Words that a warning names."""


def read_topic_profile(
    topic: Topic,
    archive: Archive | None,
    *,
    wordnet: WordNet | None = None,
    by_meaning: bool = False,
    fetched: Mapping[str, Document] | None = None,
    counters: TextCounters | None = None,
) -> TopicProfile:
    """Read the topic's words and the texts of its example pages; warn of what is left out.

    Parameters
    ----------
    topic : what to read.
    archive : where example pages are; without one those given as addresses are left out.
    wordnet : the one that is used; None for the shipped one.
    by_meaning : are texts compared by meaning? Then words that WordNet lacks are a warning too.
    fetched : example pages that were fetched live, by the address in the topic.
    counters : count the terms of texts for several runs; None to count them here.

    TopicError where nothing that could be read says what the topic is.
    """
    _warn_unsupported_language(topic, by_meaning)
    if archive is None and fetched is None:
        topic = _without_addresses(topic)
    profile, unread = build_profile(topic, archive, fetched)
    if unread:
        warn_caller(
            f"{topic}: {len(unread)} of {len(set(topic.examples))} examples cannot be read and "
            f"are left out, e.g. {example_name(unread[0])}"
        )
    analyzer = Analyzer(topic.language, wordnet, topic.keywords, counters)
    keywords = {word: len(analyzer.bag(word)) for word in profile.keywords}
    pages = tuple(page for page in profile.examples if len(analyzer.page_bag(page)))
    if not pages and not any(keywords.values()):  # it would score every page 0
        raise TopicError(
            f"{topic} is empty: its keywords and examples hold no word that tells it from others."
        )
    _warn_other_language(topic, profile, analyzer)
    if empty := len(profile.examples) - len(pages):
        warn_caller(
            f"{topic}: {empty} of {len(set(topic.examples))} examples hold no word that tells "
            "the topic from others and are left out"
        )
    profile = replace(profile, examples=pages)
    if wordless := [word for word, terms in keywords.items() if not terms]:
        warn_caller(f"{topic}: keywords that say nothing are left out: {_list_some(wordless)}")
    if by_meaning and is_english(topic.language):
        _warn_unknown(topic, profile, analyzer)
    return profile


def _warn_unsupported_language(topic: Topic, by_meaning: bool) -> None:
    """Warn of a language without stemming, stop words or WordNet."""
    unknown = rules_of(topic.language, None).as_written
    if unknown:
        warn_caller(
            f"{topic}: nothing is known of the language {shortened(topic.language)!r}, so words "
            "are compared as they are written; languages have codes such as 'de'"
        )
    elif by_meaning and not is_english(topic.language):
        warn_caller(
            f"{topic}: WordNet is English; texts are compared by their words (lexical only)"
        )


def _warn_other_language(topic: Topic, profile: TopicProfile, analyzer: Analyzer) -> None:
    """Warn of examples in another language: a topic file that names none is English."""
    found = Counter(filter(None, map(analyzer.language_of, profile.examples)))
    if 2 * found.total() > len(profile.examples):
        likely = found.most_common(1)[0][0]
        hint = f'; if the topic is, set language = "{likely}"' if primary_language(likely) else ""
        warn_caller(
            f"{topic}: {found.total()} of {len(profile.examples)} examples are not in its "
            f"language, {topic.language!r}, but in {likely!r}{hint}"
        )


def _without_addresses(topic: Topic) -> Topic:
    """Return the topic without the examples that only an archive has."""
    others = tuple(example for example in topic.examples if not is_url(example))
    urls = len(set(topic.examples)) - len(set(others))
    advice = "give the archive that holds them (--archive), or save the pages as files"
    if urls and not any(text.strip() for text in (*topic.keywords, *others)):
        raise TopicError(
            f"{topic} is described by the addresses of {urls} example pages alone; {advice}."
        )
    if urls:
        warn_caller(
            f"{topic}: {urls} of {len(set(topic.examples))} examples are addresses and are left "
            f"out; {advice}"
        )
    return replace(topic, examples=others)


def _warn_unknown(topic: Topic, profile: TopicProfile, analyzer: Analyzer) -> None:
    """Warn of words outside WordNet: each is similar to itself alone."""
    terms = topic_terms(profile, analyzer)
    readings = [read_keyword(keyword, analyzer) for keyword in profile.keywords]
    unknown = [reading.keyword for reading in readings if reading.others and not reading.nouns]
    if known_share(terms, analyzer) < 0.5:
        unknown = [*unknown, *unknown_terms(terms, analyzer)]
    if unknown:
        warn_caller(
            f"{topic}: WordNet does not know these words as nouns, so they are compared as written "
            f"(lexical only): {_list_some(dict.fromkeys(unknown))}"
        )


def _list_some(names: Iterable[str]) -> str:
    """The first few, in a row."""
    listed = [shortened(name) for name in names]
    return ", ".join(listed[:_MOST_NAMED]) + (", ..." if len(listed) > _MOST_NAMED else "")


@contextmanager
def opened_archive(archive: str | Path | Archive | None) -> Iterator[Archive | None]:
    """Open an archive; one that is open already stays open."""
    if archive is None or isinstance(archive, Archive):
        yield archive
    else:
        with open_archive(Path(archive)) as opened:
            yield opened
