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
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, cast

from scenthound.core.errors import SettingsError
from scenthound.live.messages import Ask, Message
from scenthound.live.network import Network
from scenthound.live.wire import (
    BEAT,
    READING,
    REFUSED,
    WARNINGS,
    ask_head,
    read_ask,
    read_frame,
    read_message,
    write_frame,
)

HUNG_SECONDS = 30.0
"""Without a sign of life for so long the downloader is thought to hang over a page."""
MOST_RESTARTS = 5
"""Restarts in a row without an answer in between."""
_END_SECONDS = 5.0
_TOLD = 800


class DownloaderError(Exception):
    """The process that downloads has ended by itself."""


class Downloads:
    """Fetches what is asked for, many at once, in a process of its own.

    Parameters
    ----------
    network : how requests are made.
    warn : gets what the user should know about it, a sentence each.

    Use it as a context manager. ``inbox`` has the answers, one for every ask, and a
    DownloaderError should the process end by itself: then :meth:`restart` it.
    """

    def __init__(self, network: Network, warn: Callable[[str], None] = lambda _: None) -> None:
        self._warn = warn
        self.inbox: queue.SimpleQueue[Message | DownloaderError] = queue.SimpleQueue()
        self._network = network
        self._said: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._reading: Ask | None = None
        self._alive_at = time.monotonic()
        self._restarts = 0

    def __enter__(self) -> Downloads:
        """Start the process; SettingsError where the network cannot be used as it is given."""
        for warning in self._start():
            self._warn(warning)
        return self

    def __exit__(self, *error: object) -> None:
        """End the process; what is still under way is not waited for."""
        self._close()

    def fetch(self, asks: Sequence[Ask]) -> None:
        """Send these requests, in order."""
        if asks:
            self._write([ask_head(ask) for ask in asks])

    def hangs(self) -> bool:
        """Has the process given no sign of life for long?"""
        return time.monotonic() - self._alive_at > HUNG_SECONDS

    def restart(self) -> Ask | None:
        """Another process in place of one that has ended or hangs; nothing is asked of it yet.

        Returns the ask whose page was being read, if that was what it was doing.

        Raises
        ------
        DownloaderError
            It was restarted several times, and nothing came of it.
        """
        self._restarts += 1
        if self._restarts > MOST_RESTARTS:
            raise self._ended()
        self._process.kill()
        self._close()
        guilty = self._reading
        self._start()
        return guilty

    def _start(self) -> Sequence[str]:
        """A new process; returns its warnings."""
        level = logging.getLogger("scrapy").getEffectiveLevel()
        watched = level < logging.WARNING  # somebody asked for a log
        self._said = None if watched else tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "scenthound.live.downloader"],  # -P: not from this folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            start_new_session=True,  # Ctrl-C is for the crawl to hear
        )
        shown = logging.getLevelName(level if watched else logging.CRITICAL)
        self._write([{**dataclasses.asdict(self._network), "log_level": shown}])
        frame = read_frame(self._out)
        if frame is None or REFUSED in frame[0]:
            refused = frame and SettingsError(str(frame[0][REFUSED]))
            ended = refused or self._ended()
            self._close()
            raise ended
        self._reading, self._alive_at = None, time.monotonic()
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        return cast(list[str], frame[0].get(WARNINGS, []))

    def _close(self) -> None:
        process, self._reader, reader = self._process, None, self._reader
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader is not None:
            reader.join()
        self._out.close()
        if self._said is not None:
            self._said.close()

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _write(self, heads: Sequence[Mapping[str, object]]) -> None:
        assert self._process.stdin is not None
        try:
            for head in heads:
                write_frame(self._process.stdin, head)
        except BrokenPipeError:
            return  # the reader has noticed too, and says why

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread: answers into the inbox, as they come."""
        assert process.stdout is not None
        try:
            while (frame := read_frame(process.stdout)) is not None:
                self._take(*frame)
        except (ValueError, KeyError, TypeError) as error:
            self.inbox.put(DownloaderError(f"the downloader sent something else: {error}"))
            return
        if self._reader is not None:  # nobody here has asked it to end
            self.inbox.put(self._ended())

    def _take(self, head: dict[str, object], body: bytes) -> None:
        self._alive_at = time.monotonic()
        if READING in head:
            self._reading = read_ask(head[READING])  # type: ignore[arg-type]
        elif head != BEAT:
            self._reading = None
            self._restarts = 0
            self.inbox.put(read_message(head, body))

    def _ended(self) -> DownloaderError:
        said = b""
        if self._said is not None and not self._said.closed:
            self._said.seek(0)
            said = self._said.read()[-_TOLD:]
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return DownloaderError("the downloader ended: " + (lines[-1] if lines else "no reason"))
