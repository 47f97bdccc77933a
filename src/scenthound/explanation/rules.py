"""Which rule keeps a crawl from following a URL."""

from __future__ import annotations

from scenthound.core.bounds import Bounds
from scenthound.core.errors import FolderError, InputError
from scenthound.core.scope import Scope
from scenthound.core.traps import is_dated
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.explanation.meanings import reason_told
from scenthound.live.link_rules import LiveRules
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import bounds_of
from scenthound.text.links import is_media

_NEEDED = (
    "delay", "per_host", "pages_per_host", "host_share", "max_depth", "allow_private",
    "allow_host", "deny_host", "include", "exclude", "stay",
)  # fmt: skip
"""The options that say where a URL stands. Others may name files that are gone by now."""


def options_of(stored: StoredCrawl) -> CrawlOptions:
    """How a live crawl chose and treated hosts; FolderError where that cannot be read."""
    kept = {name: value for name, value in stored.settings.items() if name in _NEEDED}
    try:
        return CrawlOptions.from_json(kept)
    except (InputError, TypeError) as error:
        raise FolderError(f"{stored.folder.order_path} is damaged: {error}") from None


class StoredRules:
    """The rules of a stored crawl.

    Parameters
    ----------
    stored : the crawl.
    year : the present one; calendars far from it are traps.
    """

    def __init__(self, stored: StoredCrawl, year: int) -> None:
        self._stored = stored
        self.max_depth: int | None = None
        self._live: LiveRules | None = None
        bounds = Bounds(exclude=stored.topic.exclude)
        if stored.is_live:
            options = options_of(stored)
            self._live = LiveRules(year, options.allow_private)
            self.max_depth = options.max_depth
            bounds = bounds_of(stored.topic, options)
        self.scope = Scope(bounds, self._live)

    def clean(self, url: str) -> str:
        """The URL as it would be queued."""
        return self.scope.clean(url)

    def forbids(self, url: str) -> str | None:
        """The rule that keeps a link to the URL from being followed, in words; None for none."""
        breach = self.scope.breach(url)
        if breach is not None:
            return f"{breach.reason} ({breach.rule})"
        if self._live is not None and is_dated(url):
            self._bring_back(self._live)
        reason = "media" if is_media(url) else self.scope.refusal(url)
        return None if reason is None else reason_told(reason)

    def _bring_back(self, rules: LiveRules) -> None:
        """How many dates of each calendar the crawl had seen; nothing where it is not known."""
        try:
            counts = self._stored.folder.load_state().get("rules")
        except FolderError:
            return
        if isinstance(counts, dict):
            rules.restore(counts)
