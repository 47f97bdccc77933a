"""What the parts of a score and the reasons of the journal mean, in words."""

from __future__ import annotations

from collections.abc import Mapping

PARTS: Mapping[str, str] = {
    "full": "similarity of the linking page's text to the topic (sentences: title and beginning)",
    "title": "similarity of the linking page's title to the topic",
    "anchor": "similarity of the words of the link to the topic",
    "context": "similarity of the words around the link to the topic",
    "host": "mean relevance of the pages fetched from the link's host so far",
    "source": "relevance of the linking page, by the judge",
    "inlinks": "how many pages link there: n / (n + 1) for n of them",
    "page": "similarity of the linking page to the topic",
    "steps": "pages off the topic that may still be passed through from here",
    "inherited": "what the linking page was worth, and those before it, fading with distance",
    "labelled": "1 where the link leads to a labelled page: for evaluation",
    "address": "similarity of the words of the link's address to the topic",
}
"""Every part that a strategy of the catalogue has, or may be told to have; by what it speaks of
where it is one of several :data:`WAYS` to read the same text."""
WAYS: Mapping[str, str] = {
    "words": "by its words",
    "meaning": "by the meaning of its words",
    "sentence": "read as sentences",
}
"""The second word of a part that reads a text in one of several ways: ``anchor meaning``."""
_THINGS: Mapping[str, str] = {
    "full": "the page it stands on",
    "title": "the title of that page",
    "anchor": "the text of the link",
    "context": "the text around it",
    "host": "its host so far",
    "source": "the relevance of the linking page",
    "inlinks": "how many pages link there",
    "page": "the page it stands on",
    "steps": "the steps left",
    "inherited": "the pages that led there",
    "labelled": "its label",
    "address": "its address",
}
"""What parts speak of, as it stands in a sentence about a link."""
_OWN = "a part of the strategy's own"

REASONS: Mapping[str, str] = {
    "nofollow": "the link, or its page, asks not to be followed",
    "same page": "a page's link to itself is not followed",
    "on a copy": "links of a page that is a copy of another are not followed",
    "media": "by its ending it is no page",
    "too far from the seeds": "it is more links away from a seed than max_depth allows",
    "host budget": "its host has had all the pages it may have",
    "no steps left": "fish: the way to it led through too many pages off the topic",
    "score is no number": "the strategy's score for it was no number",
    "private address": "private, loopback and link-local addresses are not asked for",
    "path repetition": "a trap: its path repeats itself",
    "too deep": "a trap: its path has too many segments",
    "too many parameters": "a trap: its query has too many parameters",
    "calendar": "a trap: a calendar leads to it, far from today",
    "endless calendar": "a trap: the calendar has shown enough dates",
    "robots.txt": "its site's robots.txt forbids it",
}
"""Reasons that need more words than the journal has for them."""


def part_meaning(name: str) -> str:
    """What a part of a score means; a strategy of one's own has parts that only it knows."""
    thing, way = evidence_of(name)
    return f"{thing_told(thing)}, {WAYS[way]}" if way else PARTS.get(name, _OWN)


def evidence_of(name: str) -> tuple[str, str]:
    """What a part speaks of, and in which way it reads that; the name and "" where it has no way.

    Examples
    --------
    >>> evidence_of("anchor meaning"), evidence_of("anchor"), evidence_of("my words")
    (('anchor', 'meaning'), ('anchor', ''), ('my words', ''))
    """
    thing, _, way = name.rpartition(" ")
    return (thing, way) if thing in PARTS and way in WAYS else (name, "")


def thing_told(name: str) -> str:
    """What parts speak of, in words for a sentence; a name that is not known as it stands."""
    return _THINGS.get(name, name)


def reason_told(reason: str) -> str:
    """``nofollow (the link, or its page, asks not to be followed)``; others as they stand."""
    meaning = REASONS.get(reason)
    return reason if meaning is None else f"{reason} ({meaning})"
