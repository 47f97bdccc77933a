"""What the sitemaps of the seeds' sites list."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of
from scenthound.live.errands import Errands, Unfetched
from scenthound.live.robots import origin_of
from scenthound.seeding.found import Found, SearchError, found_at
from scenthound.seeding.sitemap_reading import Sitemap, read_sitemap
from scenthound.seeding.telling import Teller

NAME = "sitemaps"
MOST_FILES = 50
"""Sitemaps read in all."""
MOST_FILES_OF_A_SITE = 10
MOST_URLS = 50_000
"""Addresses kept in all."""
_NO_SITEMAP = "it is no sitemap, or an empty one"


class Sitemaps:
    """Finds the pages in the sitemaps of sites.

    A site's robots.txt says where its sitemaps are; where it does not, ``/sitemap.xml`` is tried.
    Only pages of the site itself count, as the protocol has it.

    Parameters
    ----------
    errands : fetch.
    seeds : canonical URLs; their sites are looked at.
    teller : gets what goes on and what is left out.
    """

    name = NAME

    def __init__(self, errands: Errands, seeds: Sequence[str], teller: Teller) -> None:
        self._errands = errands
        self._origins = tuple(dict.fromkeys(map(origin_of, seeds)))
        self._teller = teller
        self._files = MOST_FILES
        self._urls = MOST_URLS
        self._unasked: list[Unfetched] = []

    def find(self) -> Iterator[Found]:
        """The pages, site by site; SearchError where no site can be asked."""
        for origin in self._origins:
            if self._files > 0 and self._urls > 0:
                yield from self._of_site(origin)
        self._tell_unasked()

    def _tell_unasked(self) -> None:
        if not self._unasked:
            return
        first = self._unasked[0]
        example = f"e.g. {first.url} ({first.reason})"
        if len(self._unasked) == len(self._origins):
            raise SearchError(f"sitemaps: no site can be asked, {example}")
        count = f"{len(self._unasked)} of {len(self._origins)} sites"
        self._teller.warn(f"sitemaps: {count} cannot be asked, {example}")

    def _of_site(self, origin: str) -> Iterator[Found]:
        named = self._errands.sitemaps(origin + "/")
        if isinstance(named, Unfetched):
            self._unasked.append(named)
            return
        waiting = deque(named or (f"{origin}/sitemap.xml",))
        seen = set(waiting)
        room = min(MOST_FILES_OF_A_SITE, self._files)
        while waiting and room > 0 and self._urls > 0:
            url = waiting.popleft()
            room -= 1
            sitemap = self._read(url, told=bool(named))
            onward = [each for each in _addresses(sitemap, url) if each not in seen]
            waiting += onward
            seen.update(onward)
            yield from self._pages(sitemap, url, origin)
        if waiting:
            self._teller.warn(
                f"sitemaps of {host_of(origin + '/')}: {len(waiting)} are left unread"
            )

    def _read(self, url: str, told: bool) -> Sitemap:
        self._files -= 1
        self._teller.doing(f"reading {url}")
        answer = self._errands.file(url)
        read = None if isinstance(answer, Unfetched) else read_sitemap(answer.body)
        if told and not read:  # a site need not have a sitemap, but one it names should be there
            reason = answer.reason if isinstance(answer, Unfetched) else _NO_SITEMAP
            self._teller.warn(f"sitemap {url} cannot be read ({reason})")
        return read or Sitemap()

    def _pages(self, sitemap: Sitemap, url: str, origin: str) -> Iterator[Found]:
        site = _site(origin + "/")
        for entry in sitemap.pages:
            found = found_at(entry.url, NAME, entry.title, modified=entry.modified, base=url)
            if found is not None and _site(found.url) == site and self._urls > 0:
                self._urls -= 1
                yield found


def _addresses(sitemap: Sitemap, url: str) -> list[str]:
    """The further sitemaps, the latest first: there may be more than can be read."""
    latest_first = sorted(sitemap.sitemaps, key=lambda entry: entry.modified, reverse=True)
    addresses = []
    for entry in latest_first:
        try:
            addresses.append(canonical(entry.url, url))
        except MalformedUrlError:
            continue
    return list(dict.fromkeys(addresses))


def _site(url: str) -> str:
    return host_of(url).removeprefix("www.")
