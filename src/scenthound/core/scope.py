"""Which links may be followed at all, and a count of those that may not."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import replace

from scenthound.core.model import Link, Page
from scenthound.core.protocols import LinkRules
from scenthound.core.summary import EXAMPLES_KEPT, Drops


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
    rules : further rules for addresses; None for an archive, which holds no trap without end.
    """

    def __init__(self, exclude: Sequence[str] = (), rules: LinkRules | None = None) -> None:
        self._excluded = _matcher(exclude)
        self._rules = rules

    def follow(self, page: Page, drops: DropCount) -> list[Link]:
        """The links of ``page`` that may be followed; the others are counted in ``drops``."""
        kept = []
        for link in map(self._cleaned, page.links):
            reason = self._refusal(page, link)
            if reason is None:
                kept.append(link)
            else:
                drops.add(reason, link.url)
        return kept

    def excludes(self, url: str) -> bool:
        """Does a pattern forbid this URL?"""
        return self._excluded is not None and self._excluded.match(url) is not None

    def refusal(self, url: str) -> str | None:
        """Why a URL may not be fetched, however one comes to it; None where it may."""
        if self.excludes(url):
            return "excluded"
        return None if self._rules is None else self._rules.refusal(url)

    def clean(self, url: str) -> str:
        """The URL as it is queued."""
        return url if self._rules is None else self._rules.clean(url)

    def _cleaned(self, link: Link) -> Link:
        url = self.clean(link.url)
        return link if url == link.url else replace(link, url=url)

    def _refusal(self, page: Page, link: Link) -> str | None:
        if page.copy_of is not None:
            return "on a copy"
        if not page.follow or "nofollow" in link.rel:
            return "nofollow"
        if link.url == page.url:
            return "same page"
        return self.refusal(link.url)


def _matcher(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """One expression for all patterns; only ``*`` and ``?`` are special, URLs have brackets."""
    if not patterns:
        return None
    literal_brackets = (pattern.replace("[", "[[]") for pattern in patterns)
    return re.compile("|".join(map(fnmatch.translate, literal_brackets)))
