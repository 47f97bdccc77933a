"""Which pages of an archive can be drawn as seeds and as example pages of a topic."""

from __future__ import annotations

from functools import cached_property

from scenthound.archive import Archive
from scenthound.core.bounds import Bounds
from scenthound.core.model import Page, Topic
from scenthound.core.scope import Scope
from scenthound.engines.reading import read_page
from scenthound.engines.redirects import final_response
from scenthound.experiments.labels import Labels


class ArchivePages:
    """The pages of an archive that can be drawn for a topic: see :class:`.draws.DrawnFrom`.

    Pages that the topic excludes are never drawn.
    """

    def __init__(self, archive: Archive, topic: Topic, labels: Labels) -> None:
        self._archive = archive
        self._scope = Scope(Bounds(exclude=topic.exclude))
        self._labelled = labels.of(topic.name)

    def labelled(self) -> list[str]:
        """Addresses labelled with the topic, sorted; some may not be in the archive."""
        return sorted(self._labelled)

    def others(self) -> list[str]:
        """All other addresses of the archive, in its order."""
        return self._others

    @cached_property
    def _others(self) -> list[str]:
        led_to = (final_response(self._archive, url) for url in self._labelled)
        topical = self._labelled | {page.url for page in led_to if page is not None}
        return [url for url in self._archive.urls() if url not in topical]

    def page(self, url: str) -> str | None:
        """The address of the page that ``url`` leads to; None where there is no text to read."""
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
