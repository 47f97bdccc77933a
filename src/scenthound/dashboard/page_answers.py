"""What is answered about one page: the way to it, and why it was fetched."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from scenthound.core.errors import FolderError
from scenthound.dashboard.crawl_reader import CrawlReader
from scenthound.dashboard.link_path import Find, link_path
from scenthound.dashboard.plain_values import Json, address, items, table, whole
from scenthound.dashboard.reasons import Reasons
from scenthound.store.journal_lines import Event
from scenthound.store.journal_places import JournalPlaces

Folders = Callable[[int], CrawlReader | None]
"""The folder of a worker, by its number; None where it is not shown."""


@dataclass(frozen=True, slots=True)
class PageTold:
    """The event of a page, and what is answered about it."""

    event: Event
    answer: Json


class PageAnswers:
    """Answers about pages, which those of other workers may have led to.

    Parameters
    ----------
    reasons : explains.
    folders : of other workers.
    """

    def __init__(self, reasons: Reasons, folders: Folders) -> None:
        self._reasons = reasons
        self._folders = folders

    def of(self, reader: CrawlReader, page: int) -> PageTold | None:
        """One page of a folder; None where there is none."""
        mark = reader.mark()
        own = 0 if mark is None else mark.number
        with ExitStack() as stack:
            find = self._finding(stack, reader, own)
            event = find(own, page)
            if event is None:
                return None
            path = link_path(event, find, own)
            explanation, problem = self._reasons.of(reader.path, page)
            if explanation is not None:
                self._name_inlinks(explanation, find)
        answer: Json = {"path": path, "explanation": explanation, "unexplained": problem}
        return PageTold(dict(event), answer)

    def _finding(self, stack: ExitStack, reader: CrawlReader, own: int) -> Find:
        """Finds pages of all workers that are shown; each journal is opened once."""
        journals: dict[int, JournalPlaces | None] = {own: stack.enter_context(reader.opened())}

        def find(worker: int, page: int) -> Event | None:
            if worker not in journals:
                journals[worker] = _opened(stack, self._folders(worker))
            journal = journals[worker]
            found = None if journal is None else journal.page(page)
            return None if found is None else found.event

        return find

    def _name_inlinks(self, explanation: Json, find: Find) -> None:
        """The folder that was explained does not have what others know of their pages."""
        for each in items(table(explanation.get("priority")).get("inlinks")):
            worker = whole(each.get("worker")) if isinstance(each, dict) else 0
            reader = self._folders(worker) if worker else None
            mark = None if reader is None else reader.mark()
            if mark is None or not isinstance(each, dict):
                continue
            event = find(worker, whole(each.get("page")))
            each["worker_name"] = mark.name
            if event is not None:
                each["url"] = address(event.get("url"))


def _opened(stack: ExitStack, reader: CrawlReader | None) -> JournalPlaces | None:
    try:
        return None if reader is None else stack.enter_context(reader.opened())
    except FolderError:
        return None
