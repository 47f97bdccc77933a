"""One reading of the journal, from its end: whatever led to a page comes after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scenthound.core.page_numbers import worker_of
from scenthound.corpus.record import PageRecord, page_record
from scenthound.explanation.asking import tail_of
from scenthound.explanation.model import Happening, LinksTold
from scenthound.explanation.revisions import Revision, revision_told

SAME_PATH_KEPT = 5
_NO_LINKS = ("other scheme", "malformed", "media", "too many links")
_HAPPENINGS = frozenset({"refused", "failed", "redirect"})


class JournalSearch:
    """Keeps what the journal says of a few URLs and pages, and of the pages that led there.

    A page links only to pages that are fetched after it, so reading backwards every page that is
    needed is known to be before its event comes: nothing else has to be remembered.

    Parameters
    ----------
    urls : canonical URLs of interest.
    numbers : pages of interest.
    on_way : further pages that are needed with the way to them.
    named : further pages that are needed by themselves.
    """

    def __init__(
        self,
        urls: Iterable[str],
        numbers: Iterable[int] = (),
        on_way: Iterable[int] = (),
        named: Iterable[int] = (),
    ) -> None:
        self._urls = frozenset(urls)
        self._tails = {tail_of(url) for url in self._urls} - {""}
        self._targets = set(numbers)
        self._on_way = set(on_way)
        self._named = set(named)
        self.last = 0
        """The highest number of a page."""
        self.pages: dict[int, PageRecord] = {}
        self.links: dict[int, LinksTold] = {}
        """Of the pages of interest."""
        self.number_of: dict[str, int] = {}
        """URLs of interest that were fetched: the number of the page."""
        self.led_to: dict[str, int] = {}
        """URLs of interest that redirected to a page: its number."""
        self.happenings: dict[str, list[Happening]] = {}
        """What else happened to URLs of interest, the last event first."""
        self.dropped_on: dict[str, list[tuple[int, str]]] = {}
        """Pages that name a URL of interest among the links they dropped, and the reason."""
        self.revisions: list[Revision] = []
        """Weights that the crawl learnt, the last first."""
        self.same_path: list[str] = []
        """Pages of other hosts with the path of a URL of interest."""

    def read(self, events: Iterable[Mapping[str, object]]) -> None:
        """Read the journal, the last event first."""
        for event in events:
            kind = event.get("event")
            if kind == "page":
                self._page(event)
            elif kind == "revised":
                self.revisions.append(revision_told(event))
            elif kind in _HAPPENINGS and event.get("url") in self._urls:
                self.happenings.setdefault(str(event["url"]), []).append(_happening(event))

    def read_numbered(self, last: int, page: Callable[[int], Mapping[str, object] | None]) -> None:
        """Read nothing but the pages that are needed, which suffices where no URL is of interest.

        Parameters
        ----------
        last : the highest number of a page.
        page : the event of a page, by its number; None where there is none.
        """
        self.last = last
        done: set[int] = set()
        while left := (self._targets | self._on_way | self._named) - done:
            number = max(left)  # whatever led to a page has a lower number
            done.add(number)
            event = None if worker_of(number) else page(number)
            if event is not None:
                self._page(event)

    def _page(self, event: Mapping[str, object]) -> None:
        number, url = event.get("n"), event.get("url")
        if not isinstance(number, int) or not isinstance(url, str):
            return
        self.last = max(self.last, number)
        self._look_for_mentions(number, url, event)
        if url in self._urls or number in self._targets:
            self._keep_target(number, url, event)
        elif number in self._on_way or number in self._named:
            record = self.pages[number] = page_record(event)
            if number in self._on_way and record.parent is not None:
                self._on_way.add(record.parent)

    def _keep_target(self, number: int, url: str, event: Mapping[str, object]) -> None:
        record = self.pages[number] = page_record(event)
        self.number_of[url] = number
        self.links[number] = links_told(event)
        self._named |= {each.source for each in record.inlinks}
        if record.copy_of is not None:
            self._named.add(record.copy_of)
        if record.parent is not None:
            self._on_way.add(record.parent)

    def _look_for_mentions(self, number: int, url: str, event: Mapping[str, object]) -> None:
        redirects = event.get("redirects")
        for hop in redirects if isinstance(redirects, list) else ():
            if hop in self._urls:
                self.led_to[hop] = number
                self._targets.add(number)
        for reason, examples in _drops(event):
            for example in examples:
                if example in self._urls:
                    self.dropped_on.setdefault(example, []).append((number, reason))
        if tail_of(url) in self._tails and url not in self._urls:
            self.same_path = [url, *self.same_path][:SAME_PATH_KEPT]


def links_told(event: Mapping[str, object]) -> LinksTold:
    """What a page event says of the links of its page; nothing where it does not."""
    links, dropped = event.get("links"), event.get("dropped")
    counts = links if isinstance(links, dict) else {}
    reasons = dropped if isinstance(dropped, dict) else {}
    drops = {str(reason): int(found[0]) for reason, found in reasons.items()}
    new, rescored, closed = (int(counts.get(name, 0)) for name in ("new", "rescored", "closed"))
    # The journal counts apart what can be no link, and what is repeated even where it was dropped.
    found = int(counts.get("found", 0)) + sum(drops.get(reason, 0) for reason in _NO_LINKS)
    left = found - new - rescored - closed - sum(drops.values())
    repeated = min(int(counts.get("repeated", 0)), max(0, left))
    return LinksTold(found, new, rescored, closed, repeated, drops)


def _drops(event: Mapping[str, object]) -> Iterable[tuple[str, list[str]]]:
    dropped = event.get("dropped")
    for reason, found in dropped.items() if isinstance(dropped, dict) else ():
        yield str(reason), found[1]


def _happening(event: Mapping[str, object]) -> Happening:
    at, retry_at = event.get("at"), event.get("retry_at")
    return Happening(
        event=str(event["event"]),
        reason=str(event.get("reason", "")),
        at=None if at is None else float(str(at)),
        attempts=int(str(event.get("attempts", 0))),
        retry_at=None if retry_at is None else float(str(retry_at)),
        target=str(event.get("target", "")),
    )
