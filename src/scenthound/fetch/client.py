"""The downloader as the crawl sees it: a process that reads requests from a pipe, and a queue of
its responses. Both sides of the pipe use the frames below: a JSON head and a body.

Nothing is pickled: the downloader parses hostile pages, and an unpickled frame could run code in
the crawl. Read the frames first, then :class:`DownloaderClient`; the other side is ``downloader``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import Document, Link, Page
from scenthound.fetch.messages import FetchError, FetchRequest, FetchResponse, Message, Purpose
from scenthound.fetch.network import Network

READY: Mapping[str, object] = {"ready": True}
"""The first frame of the downloader."""
HEARTBEAT: Mapping[str, object] = {"beat": True}
"""Sent every ``HEARTBEAT_SECONDS``, so that a downloader that hangs is noticed."""
HEARTBEAT_SECONDS = 1.0
WARNINGS = "warnings"
"""In the first frame: what the user should know, one sentence each."""
SETTINGS_ERROR = "refused"
"""The first frame instead, where a setting cannot be used: the sentence that says so."""
READING = "reading"
"""Names the request whose page is being read, in case reading it kills the downloader."""
_RENDERED = "rendered_from"
"""Where in the body of a frame the rendered page begins, behind the one that was sent."""
_LENGTHS = struct.Struct(">II")
_RESPONSE_FIELDS = ("status", "headers", "request_headers", "protocol", "ip", "cut", "fingerprint")
# A page that has just been read has no redirects and is no copy yet: those fields do not travel.
_PAGE_FIELDS = ("url", "status", "follow", "fetched_at", "size", "problem", "index", "canonical",
                "rendered", "unusable")  # fmt: skip
_DOCUMENT_FIELDS = ("title", "text", "description", "groups", "language")
Head = dict[str, Any]


def write_frame(stream: IO[bytes], head: Mapping[str, object], body: bytes = b"") -> None:
    """Send one frame."""
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[Head, bytes] | None:
    """Read the next frame; None where the other side has ended."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_length), stream.read(body_length)
    if len(head) < head_length or len(body) < body_length:
        return None
    return json.loads(head), body


def request_head(request: FetchRequest) -> Head:
    """A request as the head of a frame."""
    return {**dataclasses.asdict(request), "purpose": request.purpose.value}


def read_request(head: Head) -> FetchRequest:
    """The request that :func:`request_head` wrote."""
    return FetchRequest(**{**head, "purpose": Purpose(head["purpose"])})


def message_frame(message: Message) -> tuple[Head, bytes]:
    """A message as the head and the body of a frame."""
    head: Head = {"request": request_head(message.request), "ended": message.ended}
    if isinstance(message, FetchError):
        return {**head, "reason": message.reason, "may_retry": message.may_retry}, b""
    head |= {name: getattr(message, name) for name in _RESPONSE_FIELDS}
    page, head["page"] = message.page, None
    if page is not None:
        head["page"] = {name: getattr(page, name) for name in _PAGE_FIELDS} | {
            "links": [(link.url, link.anchor, link.context, *link.rel) for link in page.links],
            "document": [getattr(page.document, name) for name in _DOCUMENT_FIELDS],
        }
    if message.rendered is None:
        return head, message.body
    return {**head, _RENDERED: len(message.body)}, message.body + message.rendered


def read_message(head: Head, body: bytes) -> Message:
    """The message that :func:`message_frame` wrote."""
    head["request"] = read_request(head["request"])
    if "reason" in head:
        return FetchError(**head)
    if (length := head.pop(_RENDERED, None)) is not None:
        body, head["rendered"] = body[:length], body[length:]
    for name in ("headers", "request_headers"):
        head[name] = tuple(map(tuple, head[name]))
    if head["page"] is not None:
        head["page"] = _page(head["page"])
    return FetchResponse(body=body, **head)


def _page(stored: Head) -> Page:
    stored["document"] = Document(**dict(zip(_DOCUMENT_FIELDS, stored["document"], strict=True)))
    stored["links"] = tuple(
        Link(url, anchor, context, frozenset(rel)) for url, anchor, context, *rel in stored["links"]
    )
    stored["unusable"] = {
        reason: (count, tuple(examples)) for reason, (count, examples) in stored["unusable"].items()
    }
    return Page(**stored)


# --- the process

HUNG_SECONDS = 30.0
"""Seconds without a heartbeat until the downloader is thought to hang over a page.

The heartbeat has a thread of its own. It stops only where the process is suspended, or a parser
written in C holds the interpreter lock."""
MAX_RESTARTS = 5
"""Restarts in a row without a response in between."""
_END_SECONDS = 5.0


class DownloaderError(Exception):
    """The process that downloads has ended by itself."""


class DownloaderClient:
    """Fetches requests, many at once, in a process of its own.

    Use it as a context manager. ``inbox`` has one message for every request, and a
    DownloaderError should the process end by itself: then :meth:`restart` it.
    """

    def __init__(self, network: Network) -> None:
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
            warn_caller(warning)
        return self

    def __exit__(self, *error: object) -> None:
        """End the process; what is still under way is not waited for."""
        self._close()

    def fetch(self, requests: Sequence[FetchRequest]) -> None:
        """Send these requests, in order."""
        self._write(map(request_head, requests))

    def hangs(self) -> bool:
        """Return whether the process has sent no heartbeat for long."""
        return time.monotonic() - self._alive_at > HUNG_SECONDS

    def restart(self) -> FetchRequest | None:
        """Start another process in place of one that has ended or hangs; it has no requests yet.

        Returns the request whose page was being read, if the old process was reading one.
        DownloaderError where several restarts in a row gave no response.
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
        # A file, since a pipe that nobody reads fills up and then blocks the downloader.
        self._stderr = None if watched else tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "scenthound.fetch.downloader"],  # -P: not from this folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,  # Ctrl-C is for the crawl alone
        )
        assert self._process.stdout is not None
        shown = logging.getLevelName(level if watched else logging.CRITICAL)
        self._write([{**dataclasses.asdict(self._network), "log_level": shown}])
        frame = read_frame(self._process.stdout)
        if frame is None or SETTINGS_ERROR in frame[0]:
            refused = frame and SettingsError(str(frame[0][SETTINGS_ERROR]))
            ended = refused or self._ended()
            self._close()
            raise ended
        self._reading, self._alive_at = None, time.monotonic()
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        warnings: Sequence[str] = frame[0].get(WARNINGS, ())
        return warnings

    def _close(self) -> None:
        process, self._reader, reader = self._process, None, self._reader
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader is not None:
            reader.join()
        process.stdout.close()
        if self._stderr is not None:
            self._stderr.close()

    def _write(self, heads: Iterable[Mapping[str, object]]) -> None:
        assert self._process.stdin is not None
        # A broken pipe is noticed by the reading thread too, which reports why.
        with contextlib.suppress(BrokenPipeError):
            for head in heads:
                write_frame(self._process.stdin, head)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread: put messages into the inbox as they come."""
        assert process.stdout is not None
        try:
            while (frame := read_frame(process.stdout)) is not None:
                head, body = frame
                self._alive_at = time.monotonic()
                if READING in head:
                    self._reading = read_request(head[READING])
                elif head != HEARTBEAT:
                    self._reading = None
                    self._restarts = 0
                    self.inbox.put(read_message(head, body))
        except (ValueError, KeyError, TypeError) as error:
            self.inbox.put(DownloaderError(f"the downloader sent something else: {error}"))
            return
        if self._reader is not None:  # it ended by itself
            self.inbox.put(self._ended())

    def _ended(self) -> DownloaderError:
        """The error of a process that has ended; the last line it printed says why."""
        text = b""
        if self._stderr is not None and not self._stderr.closed:
            self._stderr.seek(0)
            text = self._stderr.read()
        lines = text.decode("utf-8", "replace").strip().splitlines()
        return DownloaderError("the downloader ended: " + (lines[-1] if lines else "no reason"))
