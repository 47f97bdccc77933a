"""Why a page was fetched and is relevant or not, for the panel of that page."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from scenthound.core.errors import InputError, ScenthoundError
from scenthound.dashboard.crawl_reader import Clock
from scenthound.dashboard.plain_values import Json, plain, table
from scenthound.dashboard.watched_crawl import watched_crawl
from scenthound.explanation.asking import asked
from scenthound.explanation.explaining import Explainer

_TERMS = 10
_WAITING = 8
"""Explanations that are waited for at once; whoever waits keeps a thread of the server's."""
_NONSENSE = (ScenthoundError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""What comes of figures and URLs that no crawl writes."""


class Reasons:
    """Explains pages, one at a time: the topic and the stored page are read again for each.

    All are explained in one thread. What reading a page takes in memory is given back to the
    thread that took it, so that many threads would keep it many times.

    Parameters
    ----------
    now : the time in seconds since 1970.
    """

    def __init__(self, now: Clock) -> None:
        self._now = now
        self._thread = ThreadPoolExecutor(1)
        self._room = threading.Semaphore(_WAITING)

    def of(self, folder: Path, page: int) -> tuple[Json | None, str]:
        """The explanation of a page; None, and why, where there is none now.

        Of a running crawl the very last pages are not committed yet, so that they cannot be read.
        """
        if not self._room.acquire(blocking=False):
            return None, "others are being explained: ask again in some seconds."
        try:
            return self._thread.submit(_explained, folder, page, self._now()).result()
        finally:
            self._room.release()


def _explained(folder: Path, page: int, now: float) -> tuple[Json | None, str]:
    year = datetime.fromtimestamp(now, UTC).year
    try:
        with watched_crawl(folder) as stored:
            explainer = Explainer(stored, terms=_TERMS, now=now, year=year)
            (told,) = explainer.explain([asked(page)], _raise)
            return dict(table(plain(told.to_json()))), ""
    except InputError as error:
        return None, str(error)
    except sqlite3.Error as error:
        return None, f"the database of the crawl cannot be read now ({error})."
    except _NONSENSE as error:
        return None, f"what is on record of this page makes no sense ({type(error).__name__})."


def _raise(error: InputError) -> None:
    raise error
