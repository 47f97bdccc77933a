"""Seeds and example pages drawn again: the rules, and where chance comes in.

The same topic, draw and kind of seeds always draw the same pages of the same archive. Example
pages are those of the draw, whatever the seeds, so that runs differ in nothing but the seeds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol

from scenthound.comparison.model import GIVEN, IRRELEVANT
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic

SEEDS_OF_THE_PAPER = 3
"""Seeds that are drawn for a topic that has none (sdvsm section 5)."""


class DrawnFrom(Protocol):
    """The pages of an archive that can be drawn for a topic."""

    def labelled(self) -> Sequence[str]:
        """Addresses labelled with the topic, sorted."""
        ...

    def others(self) -> Sequence[str]:
        """All other addresses of the archive, in its order."""
        ...

    def page(self, url: str) -> str | None:
        """The address of the page that ``url`` leads to; None where there is no text to read."""
        ...

    def start(self, url: str) -> str | None:
        """``url``, if it is itself a page with text and a link into the archive; else None."""
        ...


def drawn_topic(topic: Topic, pages: DrawnFrom, seeds: str, draw: int) -> Topic:
    """The topic with the seeds and examples of a draw.

    Parameters
    ----------
    topic : as its file has it; so it stays for given seeds and draw 0.
    pages : what can be drawn.
    seeds : one of :data:`.model.SEEDS`.
    draw : from 1 on example pages, and given seeds as well, are drawn from the labelled pages.

    As many are drawn as the topic has, fewer where there are no more pages; seeds are none of the
    example pages as long as there are others. SettingsError where nothing can be drawn.
    """
    if draw > 0:
        topic = replace(topic, examples=_examples(topic, pages, draw))
    if seeds == GIVEN and draw == 0:
        return topic
    return replace(topic, seeds=_seeds(topic, pages, seeds, draw))


def _examples(topic: Topic, pages: DrawnFrom, draw: int) -> tuple[str, ...]:
    wanted = len(set(topic.examples))
    return _drawn(pages.labelled(), pages.page, wanted, _generator(topic, draw, "examples"))


def _seeds(topic: Topic, pages: DrawnFrom, seeds: str, draw: int) -> tuple[str, ...]:
    wanted = len(set(topic.seeds)) or SEEDS_OF_THE_PAPER
    rng = _generator(topic, draw, seeds)
    if seeds == IRRELEVANT:
        found = _drawn(pages.others(), pages.start, wanted, rng)
        kind = "that is not labelled with it, and links to others,"
    else:
        able = _drawn(pages.labelled(), pages.page, wanted + len(set(topic.examples)), rng)
        examples = set(topic.examples)
        found = tuple(sorted(able, key=examples.__contains__))[:wanted]
        kind = "that is labelled with it"
    if not found:
        raise SettingsError(
            f"{topic}: the archive has no page {kind} to draw seeds from; give given seeds alone."
        )
    return found


def _drawn(
    urls: Sequence[str], able: Callable[[str], str | None], wanted: int, rng: random.Random
) -> tuple[str, ...]:
    """The first so many of the shuffled addresses that are able, each once."""
    shuffled = rng.sample(urls, len(urls))
    return tuple(islice(_distinct(filter(None, map(able, shuffled))), wanted))


def _distinct(urls: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for url in urls:
        if url not in seen:
            seen.add(url)
            yield url


def _generator(topic: Topic, draw: int, what: str) -> random.Random:
    return random.Random(f"{topic.name}\n{draw}\n{what}")
