"""The downloader as the crawl sees it: requests go in, responses come out of a queue."""

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, cast

from scenthound.core.errors import SettingsError
from scenthound.fetch.messages import (
    HEARTBEAT,
    READING,
    SETTINGS_ERROR,
    WARNINGS,
    FetchRequest,
    Head,
    Message,
    read_frame,
    read_message,
    read_request,
    request_head,
    write_frame,
)
from scenthound.fetch.network import Network

HUNG_SECONDS = 30.0
"""Seconds without a heartbeat until the downloader is thought to hang over a page."""

MAX_RESTARTS = 5
"""Restarts in a row without a response in between."""

_END_SECONDS = 5.0

_LAST_WORDS = 800
"""Bytes at the end of its standard error that are read for the reason of its end."""


class DownloaderError(Exception):
    """The process that downloads has ended by itself."""


class DownloaderClient:
    """Fetches requests, many at once, in a process of its own.

    Parameters
    ----------
    network : how requests are made.
    warn : gets what the user should know about it, a sentence each.

    Use it as a context manager. ``inbox`` has one message for every request, and a
    DownloaderError should the process end by itself: then :meth:`restart` it.
    """

    def __init__(self, network: Network, warn: Callable[[str], None] = lambda _: None) -> None:
        self._warn = warn
        self.inbox: queue.SimpleQueue[Message | DownloaderError] = queue.SimpleQueue()
        self._network = network
        self._stderr: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._reading: FetchRequest | None = None
        self._alive_at = time.monotonic()
        self._restarts = 0

    def __enter__(self) -> DownloaderClient:
        """Start the process; SettingsError where the network cannot be used as it is given."""
        for warning in self._start():
            self._warn(warning)
        return self

    def __exit__(self, *error: object) -> None:
        """End the process; what is still under way is not waited for."""
        self._close()

    def fetch(self, requests: Sequence[FetchRequest]) -> None:
        """Send these requests, in order."""
        self._write(map(request_head, requests))

    def hangs(self) -> bool:
        """Has the process sent no heartbeat for long?"""
        return time.monotonic() - self._alive_at > HUNG_SECONDS

    def restart(self) -> FetchRequest | None:
        """Start another process in place of one that has ended or hangs; it has no requests yet.

        Returns the request whose page was being read, if the old process was reading one.

        Raises
        ------
        DownloaderError
            It was restarted several times, and nothing came of it.
        """
        self._restarts += 1
        if self._restarts > MAX_RESTARTS:
            raise self._ended()
        self._process.kill()
        self._close()
        reading = self._reading
        self._start()
        return reading

    def _start(self) -> Sequence[str]:
        """Start the process; returns its warnings."""
        level = logging.getLogger("scrapy").getEffectiveLevel()
        watched = level < logging.WARNING  # the user wants a log
        self._stderr = None if watched else tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "scenthound.fetch.downloader"],  # -P: not from this folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,  # Ctrl-C is for the crawl alone
        )
        shown = logging.getLevelName(level if watched else logging.CRITICAL)
        self._write([{**dataclasses.asdict(self._network), "log_level": shown}])
        frame = read_frame(self._out)
        if frame is None or SETTINGS_ERROR in frame[0]:
            refused = frame and SettingsError(str(frame[0][SETTINGS_ERROR]))
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
        if self._stderr is not None:
            self._stderr.close()

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _write(self, heads: Iterable[Mapping[str, object]]) -> None:
        assert self._process.stdin is not None
        try:
            for head in heads:
                write_frame(self._process.stdin, head)
        except BrokenPipeError:
            return  # the reading thread notices too, and reports why

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread: put messages into the inbox as they come."""
        assert process.stdout is not None
        try:
            while (frame := read_frame(process.stdout)) is not None:
                self._take(*frame)
        except (ValueError, KeyError, TypeError) as error:
            self.inbox.put(DownloaderError(f"the downloader sent something else: {error}"))
            return
        if self._reader is not None:  # it ended by itself
            self.inbox.put(self._ended())

    def _take(self, head: Head, body: bytes) -> None:
        self._alive_at = time.monotonic()
        if READING in head:
            self._reading = read_request(head[READING])
        elif head != HEARTBEAT:
            self._reading = None
            self._restarts = 0
            self.inbox.put(read_message(head, body))

    def _ended(self) -> DownloaderError:
        text = b""
        if self._stderr is not None and not self._stderr.closed:
            self._stderr.seek(0)
            text = self._stderr.read()[-_LAST_WORDS:]
        lines = text.decode("utf-8", "replace").strip().splitlines()
        return DownloaderError("the downloader ended: " + (lines[-1] if lines else "no reason"))
