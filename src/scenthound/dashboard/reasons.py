"""Why a page was fetched and is relevant or not, for the panel of that page."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path

from scenthound.core.errors import InputError
from scenthound.corpus.stored_crawl import open_crawl
from scenthound.dashboard.crawl_reader import Clock
from scenthound.dashboard.plain_values import Json
from scenthound.explanation.asking import asked
from scenthound.explanation.explaining import Explainer

_TERMS = 10


class Reasons:
    """Explains pages, one at a time: the topic and the stored page are read again for each.

    Parameters
    ----------
    now : the time in seconds since 1970.
    """

    def __init__(self, now: Clock) -> None:
        self._now = now
        self._lock = threading.Lock()

    def of(self, folder: Path, page: int) -> tuple[Json | None, str]:
        """The explanation of a page; None, and why, where there is none now.

        Of a running crawl the very last pages are not committed yet, so that they cannot be read.
        """
        now = self._now()
        year = datetime.fromtimestamp(now, UTC).year
        try:
            with self._lock, open_crawl(folder) as stored:
                explainer = Explainer(stored, terms=_TERMS, now=now, year=year)
                (told,) = explainer.explain([asked(page)], _raise)
        except InputError as error:
            return None, str(error)
        except sqlite3.Error as error:
            return None, f"the database of the crawl cannot be read now ({error})."
        return told.to_json(), ""


def _raise(error: InputError) -> None:
    raise error
