"""Draws seeds and example pages of a topic at random from the labelled pages of an archive.

The same topic, draw and kind of seeds always draw the same pages of the same archive. Example pages
are those of the draw, whatever the seeds, so that runs differ in nothing but the seeds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from scenthound.core.errors import SettingsError
from scenthound.core.model import Page, Topic
from scenthound.core.scope import Scope, UrlRules
from scenthound.crawler.metrics import Labels
from scenthound.evaluation.outcomes import GIVEN, IRRELEVANT
from scenthound.storage.archive import Archive
from scenthound.storage.pages import final_response, read_page

PAPER_SEED_COUNT = 3
"""Seeds that are drawn for a topic that has none (sdvsm section 5)."""


class ArchivePages:
    """The pages of an archive that can be drawn for a topic; none that the topic excludes."""

    def __init__(self, archive: Archive, topic: Topic, labels: Labels) -> None:
        self._archive = archive
        self._scope = Scope(UrlRules(exclude=topic.exclude))
        self._labelled = labels.of(topic.name)

    def labelled(self) -> list[str]:
        """URLs labelled with the topic, sorted; some may not be in the archive."""
        return sorted(self._labelled)

    @cached_property
    def others(self) -> list[str]:
        """All other URLs of the archive, in its order."""
        targets = (final_response(self._archive, url) for url in self._labelled)
        topical = self._labelled | {page.url for page in targets if page is not None}
        return [url for url in self._archive.urls() if url not in topical]

    def page(self, url: str) -> str | None:
        """The URL of the page that ``url`` leads to; None where there is no text to read."""
        found = self._read(url)
        return None if found is None else found.url

    def start(self, url: str) -> str | None:
        """``url``, if it is itself a page with text and a link into the archive; else None."""
        found = self._read(url)
        if found is None or found.url != url:
            return None
        onward = any(link.url != url and link.url in self._archive for link in found.links)
        return url if onward and found.follow else None

    def _read(self, url: str) -> Page | None:
        response = final_response(self._archive, url)
        if response is None or self._scope.refusal(response.url) is not None:
            return None
        page = read_page(response, (), 0.0)
        return page if page.ok and page.document.text.strip() else None


def draw_topic(topic: Topic, pages: ArchivePages, seeds: str, draw: int) -> Topic:
    """Return the topic with the seeds and examples of a draw.

    Parameters
    ----------
    topic : as its file has it, which is draw 0 of given seeds.
    pages : what can be drawn.
    seeds : one of :data:`.outcomes.SEEDS`.
    draw : from 1 on example pages, and given seeds as well, are drawn from the labelled pages.

    As many are drawn as the topic has, fewer where there are no more pages; seeds are none of the
    example pages as long as there are others. SettingsError where nothing can be drawn.
    """
    if draw > 0:
        wanted, rng = len(set(topic.examples)), _generator(topic, draw, "examples")
        topic = replace(topic, examples=_drawn(pages.labelled(), pages.page, wanted, rng))
    if seeds == GIVEN and draw == 0:
        return topic
    wanted, rng = len(set(topic.seeds)) or PAPER_SEED_COUNT, _generator(topic, draw, seeds)
    if seeds == IRRELEVANT:
        found = _drawn(pages.others, pages.start, wanted, rng)
        kind = "that is not labelled with it, and links to others,"
    else:
        examples = set(topic.examples)
        usable = _drawn(pages.labelled(), pages.page, wanted + len(examples), rng)
        found = tuple(sorted(usable, key=examples.__contains__))[:wanted]
        kind = "that is labelled with it"
    if not found:
        raise SettingsError(
            f"{topic}: the archive has no page {kind} to draw seeds from; give given seeds alone."
        )
    return replace(topic, seeds=found)


def _drawn(
    urls: Sequence[str], usable: Callable[[str], str | None], wanted: int, rng: random.Random
) -> tuple[str, ...]:
    """The first ``wanted`` usable URLs in random order, each once."""
    found: dict[str, None] = {}
    for url in rng.sample(urls, len(urls)):
        if len(found) >= wanted:  # every further look would read a page
            break
        if (page := usable(url)) is not None:
            found[page] = None
    return tuple(found)


def _generator(topic: Topic, draw: int, what: str) -> random.Random:
    return random.Random(f"{topic.name}\n{draw}\n{what}")
