"""Pages are compressed and written by a thread of their own, a bounded number behind the crawl."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import TypeVar

from scenthound.store.exchange import End, Exchange, Original, Pairs, Position
from scenthound.store.warc import WarcWriter

MOST_WAITING = 64

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Flushed:
    """What is on the disk now: pages by number since the last flush, and how far the files go."""

    positions: tuple[tuple[int, Position], ...]
    end: End


class WritingThread:
    """Owns a writer. Pages are written in the order of ``put``.

    After an error nothing more is written: it is raised by every later ``put`` and ``flush``,
    and by ``close`` where nobody has been told.

    Parameters
    ----------
    writer : used by the thread alone from now on, and closed with it.
    most : so many pages may wait to be written; ``put`` blocks while there are that many.
    """

    def __init__(self, writer: WarcWriter, most: int = MOST_WAITING) -> None:
        self._writer = writer
        self._room = BoundedSemaphore(most)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")
        self._positions: list[tuple[int, Position]] = []
        self._failure: BaseException | None = None
        self._told = False

    def put(
        self, number: int, exchange: Exchange, fields: Pairs, copy_of: Original | None = None
    ) -> None:
        """Have a page written soon; blocks while too many wait.

        Raises
        ------
        FolderError
            An earlier page could not be written, so this one is not either.
        """
        self._raise_failure()
        self._room.acquire()
        try:
            written = self._thread.submit(self._write, number, exchange, fields, copy_of)
        except RuntimeError:  # closed
            self._room.release()
            raise
        written.add_done_callback(lambda _: self._room.release())

    def flush(self) -> Flushed:
        """Wait until everything put so far is on the disk; says where. Raises as ``put`` does."""
        try:
            return self.flush_later().result()
        except BaseException as error:
            self._told = error is self._failure
            raise

    def flush_later(self) -> Future[Flushed]:
        """The same without waiting: pages that are put afterwards do not belong to it."""
        return self._thread.submit(self._guarded, self._flush)

    def close(self) -> None:
        """Write what waits, end the thread, and close the writer; a second time does nothing."""
        self._thread.shutdown(wait=True)
        self._writer.close()
        if not self._told:
            self._raise_failure()

    def _write(
        self, number: int, exchange: Exchange, fields: Pairs, copy_of: Original | None
    ) -> None:
        position = self._guarded(lambda: self._writer.write(exchange, fields, copy_of))
        self._positions.append((number, position))

    def _flush(self) -> Flushed:
        self._writer.sync()
        positions, self._positions = tuple(self._positions), []
        return Flushed(positions, self._writer.end)

    def _guarded(self, work: Callable[[], _Result]) -> _Result:
        """In the thread: ``work``, unless something failed before."""
        if self._failure is not None:
            raise self._failure
        try:
            return work()
        except BaseException as failure:
            self._failure = failure
            raise

    def _raise_failure(self) -> None:
        if self._failure is not None:
            self._told = True
            raise self._failure
