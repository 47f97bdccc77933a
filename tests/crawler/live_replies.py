"""What a server may answer, well behaved or not, as rows of steps for the loopback server."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from scenthound.sample.server import Reply, Step, http_head

HTML = "text/html; charset=utf-8"
BLOCK = b"<p>" + b"and so on and so forth " * 500
MONTHS = 12

Link = str | tuple[str, str]
Headers = Mapping[str, str]
Served = Reply | Callable[[], Reply]
"""A reply, or what makes one for each request."""


@dataclass(frozen=True)
class Endless:
    """Steps without end; every request sees them from the start."""

    first: bytes
    then: Callable[[], Iterable[Step]]

    def __iter__(self) -> Iterator[Step]:
        yield self.first
        yield from self.then()


def page(title: str, text: str, links: Iterable[Link] = (), head: str = "") -> str:
    """A small page; a link is an address, or an address and its words."""
    pairs = [(link, link) if isinstance(link, str) else link for link in links]
    items = "\n".join(
        f'<li><a href="{escape(url)}">{escape(words)}</a></li>' for url, words in pairs
    )
    return (
        f"<!doctype html><html><head><title>{escape(title)}</title>{head}</head>\n"
        f"<body><h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n<ul>\n{items}\n</ul></body></html>\n"
    )


def ok(body: str | bytes, headers: Headers | None = None, status: int = 200) -> Reply:
    """An answer with a body; HTML unless the headers say otherwise."""
    raw = body.encode() if isinstance(body, str) else body
    pairs = {"Content-Type": HTML, **(headers or {})}
    return Reply((http_head(status, pairs.items(), len(raw)) + raw,))


def no(status: int, headers: Headers | None = None) -> Reply:
    """An error with a page of its own, and headers such as ``Retry-After``."""
    return ok(page(f"Error {status}", "This did not work."), headers, status)


def moved(location: str, status: int = 302) -> Reply:
    return ok(page("Moved", "This page has moved."), {"Location": location}, status)


def late(reply: Reply, seconds: float) -> Reply:
    """The same after a while."""
    return Reply((seconds, *reply.steps), reply.close)


def in_turn(*replies: Reply) -> Callable[[], Reply]:
    """The first request gets the first reply, and so on; the last one for ever."""
    coming = itertools.chain(replies, itertools.repeat(replies[-1]))
    return lambda: next(coming)


def dripping(pause: float = 0.02) -> Reply:
    """A page that comes byte by byte and never ends."""
    return Reply(Endless(_head(), lambda: itertools.cycle((b".", pause))))


def dripping_head(pause: float = 0.02) -> Reply:
    """Headers that come byte by byte and never end."""
    start = b"HTTP/1.1 200 OK\r\nX-Slow: "
    return Reply(Endless(start, lambda: itertools.cycle((b"x", pause))))


def silent() -> Reply:
    """The connection is taken, and nothing is ever said."""
    return Reply(Endless(b"", lambda: itertools.repeat(1.0)))


def endless_body() -> Reply:
    """A page without a length that goes on as fast as it is read."""
    return Reply(Endless(_head(), lambda: itertools.repeat(BLOCK)))


def endless_chunks() -> Reply:
    """The same in chunks, so that the length is never needed."""
    head = http_head(200, [("Content-Type", HTML), ("Transfer-Encoding", "chunked")], None)
    chunk = b"%x\r\n%b\r\n" % (len(BLOCK), BLOCK)
    return Reply(Endless(head, lambda: itertools.repeat(chunk)))


def endless_headers() -> Reply:
    """Header lines without end."""

    def lines() -> Iterator[bytes]:
        return (f"X-Header-{number}: {'y' * 60}\r\n".encode() for number in itertools.count())

    return Reply(Endless(b"HTTP/1.1 200 OK\r\n", lines))


def announced(body: str, length: int) -> Reply:
    """A body that says it is huge: nothing but the announcement is needed to refuse it."""
    return Reply((http_head(200, [("Content-Type", HTML)], length) + body.encode(),), close=True)


def broken_off(body: str) -> Reply:
    """The connection ends in the middle of the body."""
    raw = body.encode()
    head = http_head(200, [("Content-Type", HTML)], len(raw))
    return Reply((head + raw[: len(raw) // 2],), close=True)


def hung_up() -> Reply:
    """The connection ends before a word was said."""
    return Reply((), close=True)


def gzip_bomb(size: int = 50_000_000) -> Reply:
    """Some kilobytes that become ``size`` bytes."""
    packed = gzip.compress(b"<p>" + b"0" * size)
    return ok(packed, {"Content-Encoding": "gzip"})


def calendar_month(path: str) -> Reply:
    """A month of a calendar that never ends, by ``/calendar?month=YYYY-MM``."""
    year, month = map(int, path.rsplit("=", 1)[1].split("-"))
    number = 12 * year + month - 1
    names = {"next month": number + 1, "previous month": number - 1, "next year": number + MONTHS}
    links = [(_month(other), words) for words, other in names.items()]
    return ok(page(f"Calendar {year}-{month:02}", f"Nothing happens in {year}-{month:02}.", links))


def session_shop(prefix: str, items: int) -> Callable[[str], Reply]:
    """Pages ``prefix/0`` ... whose links carry another session id at every request."""
    sessions = itertools.count(1)

    def answer(path: str) -> Reply:
        number = int(path.rpartition("/")[2].partition("?")[0] or 0)
        sid = f"{next(sessions):032x}"
        links = [f"{prefix}/{n}?PHPSESSID={sid}" for n in range(items)]
        return ok(page(f"Item {number}", f"Item number {number} of the shop.", links))

    return answer


def _month(number: int) -> str:
    return f"/calendar?month={number // MONTHS}-{number % MONTHS + 1:02}"


def _head() -> bytes:
    return http_head(200, [("Content-Type", HTML)], None)
