"""Which links may be followed at all, and a count of those that may not."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

from scenthound.core.events import EXAMPLES_KEPT, Drops
from scenthound.core.model import Link, Page


class DropCount:
    """Counts links that are not queued, by reason, and keeps a few examples."""

    def __init__(self, start: dict[str, tuple[int, tuple[str, ...]]]) -> None:
        self._counts = start

    def add(self, reason: str, url: str) -> None:
        """One more link for this reason."""
        count, examples = self._counts.get(reason, (0, ()))
        if count < EXAMPLES_KEPT:
            examples = (*examples, url)
        self._counts[reason] = (count + 1, examples)

    def total(self) -> Drops:
        """All of them, for the journal."""
        return Drops(self._counts)


class Scope:
    """The rules a link must pass before it is scored.

    Parameters
    ----------
    exclude : URL patterns that are never followed.
    """

    def __init__(self, exclude: Sequence[str] = ()) -> None:
        self._excluded = _matcher(exclude)

    def follow(self, page: Page, drops: DropCount) -> list[Link]:
        """The links of ``page`` that may be followed; the others are counted in ``drops``."""
        kept = []
        for link in page.links:
            reason = self._refusal(page, link)
            if reason is None:
                kept.append(link)
            else:
                drops.add(reason, link.url)
        return kept

    def excludes(self, url: str) -> bool:
        """Does a pattern forbid this URL?"""
        return self._excluded is not None and self._excluded.match(url) is not None

    def _refusal(self, page: Page, link: Link) -> str | None:
        if not page.follow or "nofollow" in link.rel:
            return "nofollow"
        if link.url == page.url:
            return "same page"
        if self.excludes(link.url):
            return "excluded"
        return None


def _matcher(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """One expression for all patterns; only ``*`` and ``?`` are special, URLs have brackets."""
    if not patterns:
        return None
    literal_brackets = (pattern.replace("[", "[[]") for pattern in patterns)
    return re.compile("|".join(map(fnmatch.translate, literal_brackets)))
