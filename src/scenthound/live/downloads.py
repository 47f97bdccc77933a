"""The downloader as the crawl sees it: asks go in, answers come out of a queue."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import IO

from scenthound.live.messages import Ask, Message
from scenthound.live.network import Network
from scenthound.live.wire import ask_head, read_frame, read_message, write_frame

_END_SECONDS = 5.0
_TOLD = 800


class DownloaderError(Exception):
    """The process that downloads has ended by itself."""


class Downloads:
    """Fetches what is asked for, many at once, in a process of its own.

    Parameters
    ----------
    network : how requests are made.

    Use it as a context manager. ``inbox`` has the answers, one for every ask, and last a
    DownloaderError should the process end by itself.
    """

    def __init__(self, network: Network) -> None:
        self.inbox: queue.SimpleQueue[Message | DownloaderError] = queue.SimpleQueue()
        self._network = network
        self._said: IO[bytes] | None = None
        self._reader: threading.Thread | None = None

    def __enter__(self) -> Downloads:
        level = logging.getLogger("scrapy").getEffectiveLevel()
        watched = level < logging.WARNING  # somebody asked for a log
        self._said = None if watched else tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scenthound.live.downloader"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            start_new_session=True,  # Ctrl-C is for the crawl to hear
        )
        shown = logging.getLevelName(level if watched else logging.CRITICAL)
        self._write([{**dataclasses.asdict(self._network), "log_level": shown}])
        if read_frame(self._out) is None:
            ended = self._ended()
            self._close()
            raise ended
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *error: object) -> None:
        """End the process; what is still under way is not waited for."""
        self._close()

    def _close(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._reader is not None:
            self._reader.join()
        self._out.close()
        if self._said is not None:
            self._said.close()

    def fetch(self, asks: Sequence[Ask]) -> None:
        """Send these requests, in order."""
        if asks:
            self._write([ask_head(ask) for ask in asks])

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _write(self, heads: Sequence[dict[str, object]]) -> None:
        assert self._process.stdin is not None
        try:
            for head in heads:
                write_frame(self._process.stdin, head)
        except BrokenPipeError:
            return  # the reader has noticed too, and says why

    def _read(self) -> None:
        """In a thread: answers into the inbox, as they come."""
        try:
            while (frame := read_frame(self._out)) is not None:
                self.inbox.put(read_message(*frame))
        except (ValueError, KeyError, TypeError) as error:
            self.inbox.put(DownloaderError(f"the downloader sent something else: {error}"))
            return
        self.inbox.put(self._ended())

    def _ended(self) -> DownloaderError:
        said = b""
        if self._said is not None and not self._said.closed:
            self._said.seek(0)
            said = self._said.read()[-_TOLD:]
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return DownloaderError("the downloader ended: " + (lines[-1] if lines else "no reason"))
