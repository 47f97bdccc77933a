"""Which links may be followed at all, and a count of those that may not."""

from __future__ import annotations

from dataclasses import replace

from scenthound.core.bounds import Bounds, Breach
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
    bounds : the part of the web that is wanted; None for all of it.
    rules : further rules for addresses; None for an archive, which holds no trap without end.
    """

    def __init__(self, bounds: Bounds | None = None, rules: LinkRules | None = None) -> None:
        self._bounds = bounds or Bounds()
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

    def breach(self, url: str) -> Breach | None:
        """Which rule of the bounds a URL breaks, however one comes to it; None where none."""
        return self._bounds.breach(url)

    def refusal(self, url: str) -> str | None:
        """Why a URL may not be fetched, however one comes to it; None where it may."""
        return self._why(self._bounds.breach(url), url)

    def redirect_refusal(self, url: str, target: str, is_seed: bool) -> str | None:
        """Why a redirect from ``url`` to ``target`` may not be followed; None where it may."""
        return self._why(self._bounds.redirect_breach(url, target, is_seed), target)

    def clean(self, url: str) -> str:
        """The URL as it is queued."""
        return url if self._rules is None else self._rules.clean(url)

    def _why(self, breach: Breach | None, url: str) -> str | None:
        if breach is not None:
            return breach.reason
        return None if self._rules is None else self._rules.refusal(url)

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
