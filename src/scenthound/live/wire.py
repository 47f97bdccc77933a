"""Messages between the crawl and its downloader, over a pipe.

A frame is two lengths, a head in JSON and a body as it is. Nothing is pickled: whatever a page
may do to the downloader, it cannot reach the crawl through here.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO

from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.page_wire import json_page, page_json

READY: Mapping[str, object] = {"ready": True}
"""The first frame of the downloader."""
BEAT: Mapping[str, object] = {"beat": True}
"""Sent every ``BEAT_SECONDS``, so that a downloader that hangs is noticed."""
BEAT_SECONDS = 1.0
WARNINGS = "warnings"
"""In the first frame: what the user should know, one sentence each."""
REFUSED = "refused"
"""The first frame instead, where what the user gave cannot be used: the sentence that says so."""
READING = "reading"
"""Names the ask whose page is being read, should reading it be the downloader's end."""
_RENDERED = "rendered_from"
"""Where in the body of a frame the rendered page begins, behind the one that was sent."""
_LENGTHS = struct.Struct(">II")
Head = dict[str, object]


def write_frame(stream: IO[bytes], head: Mapping[str, object], body: bytes = b"") -> None:
    """Send one frame."""
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[Head, bytes] | None:
    """The next frame; None where the other side has ended."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_length), stream.read(body_length)
    if len(head) < head_length or len(body) < body_length:
        return None
    found: Head = json.loads(head)
    return found, body


def ask_head(ask: Ask) -> Head:
    """An ask as the head of a frame."""
    return {
        "url": ask.url,
        "purpose": ask.purpose.value,
        "owner": ask.owner,
        "hops": ask.hops,
        "render": ask.render,
    }


def read_ask(head: Mapping[str, object]) -> Ask:
    """The ask that :func:`ask_head` described."""
    return Ask(
        str(head["url"]),
        Purpose(head["purpose"]),
        str(head["owner"]),
        int(str(head["hops"])),
        bool(head["render"]),
    )


def message_frame(message: Message) -> tuple[Head, bytes]:
    """A message as the head and the body of a frame."""
    head: Head = {"ask": ask_head(message.ask), "ended": message.ended}
    if isinstance(message, NoAnswer):
        return {**head, "reason": message.reason, "again": message.again}, b""
    head |= {
        "status": message.status,
        "headers": message.headers,
        "request_headers": message.request_headers,
        "protocol": message.protocol,
        "ip": message.ip,
        "cut": message.cut,
        "page": None if message.page is None else page_json(message.page),
        "fingerprint": message.fingerprint,
    }
    if message.rendered is None:
        return head, message.body
    return {**head, _RENDERED: len(message.body)}, message.body + message.rendered


def read_message(head: Head, body: bytes) -> Message:
    """The message that :func:`message_frame` described."""
    ask = read_ask(head.pop("ask"))  # type: ignore[arg-type]
    if "reason" in head:
        return NoAnswer(ask, **head)  # type: ignore[arg-type]
    if (length := head.pop(_RENDERED, None)) is not None:
        body, head["rendered"] = body[: int(str(length))], body[int(str(length)) :]
    for name in ("headers", "request_headers"):
        head[name] = tuple(map(tuple, head[name]))  # type: ignore[call-overload]
    if head["page"] is not None:
        head["page"] = json_page(head["page"])  # type: ignore[arg-type]
    return Answer(ask=ask, body=body, **head)  # type: ignore[arg-type]
