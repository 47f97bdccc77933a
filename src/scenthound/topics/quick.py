"""A topic from a few words, for whoever starts without a topic file."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.errors import TopicError
from scenthound.core.model import DEFAULT_LANGUAGE, Topic


def split_keywords(text: str) -> tuple[str, ...]:
    """The keywords in a text with commas between them, each once; empty for an empty text."""
    return _tidied(text.split(","))


def quick_topic(
    keywords: str | Sequence[str],
    seeds: Sequence[str],
    name: str | None = None,
    language: str = DEFAULT_LANGUAGE,
) -> Topic:
    """A topic without a file.

    Parameters
    ----------
    keywords : words or phrases, in a list or in one text with commas between them.
    seeds : where a crawl starts; may be empty where nobody crawls.
    name : of the topic; by default its first keyword.
    language : of the topic, as a code such as ``en``.

    Raises
    ------
    TopicError
        There is no keyword, or a seed is no URL.
    """
    words = split_keywords(keywords) if isinstance(keywords, str) else _tidied(keywords)
    if not words:
        raise TopicError('there is no keyword; give some, such as "typhoon, storm surge".')
    return Topic(
        name=words[0] if name is None else name,
        keywords=words,
        seeds=tuple(dict.fromkeys(seeds)),
        language=language,
    )


def _tidied(words: Sequence[str]) -> tuple[str, ...]:
    """The words without blanks around and inside them but one, and each once."""
    spaced = (" ".join(word.split()) for word in words)
    return tuple(dict.fromkeys(word for word in spaced if word))
