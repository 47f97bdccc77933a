"""What the concepts of an ontology are called."""

from __future__ import annotations


def topic_label(name: str) -> str:
    """The label of a topic's concept: its name in words; "topic" where the name has none.

    Examples
    --------
    >>> topic_label("severe-weather")
    'severe weather'
    """
    words = name.replace("-", " ").replace("_", " ").lower().split()
    return " ".join(words) or "topic"
