"""A topic of which nothing but its words is known, to see what a crawl makes of these alone."""

from __future__ import annotations

from dataclasses import replace

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic


def without_examples(topic: Topic) -> Topic:
    """The same topic without its example pages; one that has none stays as it is.

    SettingsError where it has no keywords: nothing would be left of it.
    """
    if not any(keyword.strip() for keyword in topic.keywords):
        raise SettingsError(
            f"{topic} has no keywords, and with keywords only nothing else is known of it; give it "
            "keywords."
        )
    return replace(topic, examples=())
