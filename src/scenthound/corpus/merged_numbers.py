"""Which number a worker's page has in the crawl as a whole, and which pages came twice."""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from typing import Self

from scenthound.core.page_numbers import foreign, page_in, worker_of

_KEY_BYTES = 16
_TABLE = "CREATE TABLE urls (key BLOB PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID"
_ENTER = "INSERT OR IGNORE INTO urls VALUES (?, ?)"


class MergedNumbers:
    """Numbers pages anew, 1, 2, ...; a URL that came before keeps its first number.

    Eight bytes a page are in memory; what tells URLs apart lies in a file of SQLite's own, which
    goes away with the connection.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, array[int]] = {}
        self._urls = sqlite3.connect("", isolation_level=None)
        self._urls.execute("PRAGMA synchronous = OFF")
        self._urls.execute(_TABLE)
        self._urls.execute("BEGIN")
        self.pages = 0
        """Pages so far, every URL once."""

    def enter(self, worker: int, url: str) -> int | None:
        """The number of the worker's next page; None where another page has its URL."""
        numbers = self._numbers.setdefault(worker, array("q"))
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
        if self._urls.execute(_ENTER, (key, self.pages + 1)).rowcount:
            self.pages += 1
            numbers.append(self.pages)
            return self.pages
        ((first,),) = self._urls.execute("SELECT n FROM urls WHERE key = ?", (key,))
        numbers.append(-first)
        return None

    def pages_of(self, worker: int) -> int:
        """How many pages of the worker were entered."""
        return len(self._numbers.get(worker, ()))

    def kept(self, worker: int, n: int) -> int | None:
        """The number of a worker's page; None for one that is left out, or is not there."""
        number = self._entered(worker, n)
        return number if number is not None and number > 0 else None

    def left_out(self, worker: int, n: int) -> bool:
        """Was it a page whose URL another page has?"""
        number = self._entered(worker, n)
        return number is not None and number < 0

    def number_of(self, worker: int, number: int) -> int:
        """The number of the page that ``worker`` calls so: its own, or that of another one.

        A page whose URL came before is now the one that came. A page of a worker that is not among
        these, or that it has lost, stays what it is to others.
        """
        owner = worker_of(number) or worker
        found = self._entered(owner, page_in(number))
        return foreign(owner, page_in(number)) if found is None else abs(found)

    def close(self) -> None:
        """Forget everything."""
        self._urls.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _entered(self, worker: int, n: int) -> int | None:
        numbers = self._numbers.get(worker, ())
        return numbers[n - 1] if 0 < n <= len(numbers) else None
