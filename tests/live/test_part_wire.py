"""Frames between the crawl and its downloader: whatever is in them comes out as it went in."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.model import Document, Link, Page
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.wire import (
    ask_head,
    message_frame,
    read_ask,
    read_frame,
    read_message,
    write_frame,
)

texts = st.text()
header_pairs = st.lists(
    st.tuples(*[st.binary(max_size=20).map(lambda b: b.decode("latin-1"))] * 2), max_size=4
).map(tuple)
asks = st.builds(Ask, texts, st.sampled_from(Purpose), texts, st.integers(0, 5), st.booleans())
links = st.builds(Link, texts, texts, texts, st.frozensets(texts, max_size=2))
documents = st.builds(
    Document, texts, texts, texts, st.dictionaries(texts, texts, max_size=2), st.none() | texts
)
unusable = st.dictionaries(
    texts, st.tuples(st.integers(1), st.lists(texts, max_size=2).map(tuple)), max_size=2
)
pages = st.builds(
    Page,
    url=texts,
    status=st.integers(100, 599),
    document=documents,
    links=st.lists(links, max_size=3).map(tuple),
    unusable=unusable,
    follow=st.booleans(),
    fetched_at=st.floats(0, 2e9),
    size=st.integers(0),
    problem=texts,
    index=st.booleans(),
    canonical=st.none() | texts,
    rendered=st.booleans(),
)
answers = st.builds(
    Answer,
    ask=asks,
    ended=st.floats(0, 2e9),
    status=st.integers(100, 999),
    headers=header_pairs,
    body=st.binary(),
    request_headers=header_pairs,
    protocol=texts,
    ip=st.none() | texts,
    cut=st.sampled_from([None, "length", "disconnect"]),
    page=st.none() | pages,
    fingerprint=st.none() | st.integers(-(2**63), 2**63 - 1),
    rendered=st.none() | st.binary(),
)
failures = st.builds(NoAnswer, asks, st.floats(0, 2e9), texts, st.booleans())


def through(*messages: Message) -> list[Message]:
    """Messages as they come out at the other end."""
    stream = io.BytesIO()
    for message in messages:
        write_frame(stream, *message_frame(message))
    stream.seek(0)
    frames = iter(lambda: read_frame(stream), None)
    return [read_message(*frame) for frame in frames if frame is not None]


@given(st.lists(answers | failures, max_size=3))
def test_messages(messages: list[Message]) -> None:
    assert through(*messages) == messages


@given(asks)
def test_asks(ask: Ask) -> None:
    stream = io.BytesIO()
    write_frame(stream, ask_head(ask))
    stream.seek(0)
    frame = read_frame(stream)
    assert frame is not None
    assert read_ask(frame[0]) == ask


HOSTILE = [
    b'{"ask":1}\x00\x00\x00\x05\x00\x00\x00\x00{}',
    bytes(range(256)) * 4,
    b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
]


@pytest.mark.parametrize("body", HOSTILE)
def test_a_body_that_looks_like_a_frame_is_a_body(body: bytes) -> None:
    first = Answer(Ask("u"), 1.0, 200, (("X", '"\\\x00\xff'),), body)
    second = NoAnswer(Ask("\ud800 \U0001f300 \x00"), 2.0, "why", True)
    assert through(first, second) == [first, second]


def test_where_the_other_side_ended_there_is_no_frame() -> None:
    stream = io.BytesIO()
    write_frame(stream, {"a": 1}, b"body")
    whole = stream.getvalue()
    assert [read_frame(io.BytesIO(whole[:length])) for length in range(len(whole))] == [None] * len(
        whole
    )
    assert read_frame(io.BytesIO(whole)) == ({"a": 1}, b"body")
