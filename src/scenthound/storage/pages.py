"""From an HTTP response to a page: one reading for replays, live crawls and stored pages.

:func:`page_of` takes a raw response, as the live crawl has it; :func:`read_page` a decoded one, as
an archive has it. Before them stand streams of blocks and :func:`decode_body`, which undoes the
transfer and content encodings of a body. Bodies are hostile: every read has a limit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module

from scenthound.core.crawl_loop import ENDLESS_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Page
from scenthound.core.urls import canonical
from scenthound.text.extract import OWN_NAME, Extraction, extract, is_text, single_language
from scenthound.text.pdf import is_pdf, read_pdf, type_but_pdf

BLOCK = 64 * 1024
GZIP_MAGIC = b"\x1f\x8b"
GZIP_BITS = 31
"""``wbits`` of zlib for a gzip member with its header and CRC."""
EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
Blocks = Iterator[bytes]


class ByteStream:
    """A stream of blocks, handed out in the portions asked for; ``taken`` counts the bytes."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._held = b""
        self.taken = 0

    def head(self, limit: int) -> bytes:
        """Through the first empty line; where none comes, all there is up to about ``limit``."""
        while (end := EMPTY_LINE.search(self._held)) is None and len(self._held) < limit:
            if not self._read_block():
                break
        return self._cut(end.end() if end else len(self._held))

    def line(self, limit: int) -> bytes:
        """Through the first line end; where none comes, at most ``limit`` bytes."""
        while (end := self._held.find(b"\n", 0, limit)) < 0 and len(self._held) < limit:
            if not self._read_block():
                break
        return self._cut(end + 1 if end >= 0 else min(limit, len(self._held)))

    def some(self, limit: int) -> bytes:
        """Between 1 and ``limit`` bytes; empty at the end."""
        if not self._held:
            self._held = next(self._blocks, b"")
        return self._cut(min(limit, len(self._held)))

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, or fewer at the end, without taking them."""
        while len(self._held) < size and self._read_block():
            pass
        return self._held[:size]

    def rest(self) -> Blocks:
        """Everything not yet handed out, block by block."""
        while block := self.some(BLOCK):
            yield block

    def give_back(self, data: bytes) -> None:
        """Undo the taking of ``data``."""
        self._held = data + self._held
        self.taken -= len(data)

    def _read_block(self) -> bool:
        block = next(self._blocks, b"")
        self._held += block
        return bool(block)

    def _cut(self, size: int) -> bytes:
        piece, self._held = self._held[:size], self._held[size:]
        self.taken += size
        return piece


def inflate(pieces: ByteStream, window_bits: int) -> Blocks:
    """One compressed stream, in blocks; afterwards ``pieces`` stands exactly behind it.

    Raises zlib.error where the stream is damaged, EOFError where it stops before its end.
    """
    inflater = zlib.decompressobj(window_bits)
    while not inflater.eof:
        data = inflater.unconsumed_tail or pieces.some(BLOCK)
        # Bounded, as a few kilobytes may unpack to gigabytes; the tail is unpacked next time.
        block = inflater.decompress(data, BLOCK)
        if block:
            yield block
        elif not data and not inflater.eof:
            raise EOFError
    pieces.give_back(inflater.unused_data)


# Transfer and content encodings are undone as streams: memory is bounded, and dirt never raises.
# Many archives keep the header of an encoding that was undone before archiving, so a body that
# does not look encoded at all is passed on as it is.


MAX_ENCODINGS = 4
"""Few servers use two, and each one multiplies the work that a hostile body can cause."""
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(;[^\n]*)?\r?\n")
_MAX_SIZE_LINE = 4096
_ZLIB_BITS = 15
_RAW_BITS = -15
_SAMPLE = 512


class BrokenBodyError(Exception):
    """The rest of a body cannot be decoded."""


def decode_body(blocks: Blocks, headers: Mapping[str, str], max_body: int) -> tuple[bytes, bool]:
    """The body behind its encodings, and whether it is cut: at ``max_body`` or where it broke."""
    parts: list[bytes] = []
    room = max_body
    try:
        for block in _decoded(blocks, headers):
            parts.append(block[:room])
            if len(block) > room:
                return b"".join(parts), True
            room -= len(block)
    except (BrokenBodyError, EOFError, zlib.error):
        return b"".join(parts), True
    return b"".join(parts), False


def _decoded(blocks: Blocks, headers: Mapping[str, str]) -> Blocks:
    """Last applied, first undone; names that are no encoding (``utf-8``, ``none``) are ignored."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        blocks = _unchunked(ByteStream(blocks))
    names = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    decoders = [_DECODERS[name] for name in reversed(names) if name in _DECODERS]
    if len(decoders) > MAX_ENCODINGS:
        raise BrokenBodyError("too many content encodings")
    for decoder in decoders:
        blocks = decoder(ByteStream(blocks))
    return blocks


def _unchunked(pieces: ByteStream) -> Blocks:
    line = pieces.line(_MAX_SIZE_LINE)
    if not _CHUNK_SIZE.fullmatch(line):
        pieces.give_back(line)
        yield from pieces.rest()
        return
    while (size := _CHUNK_SIZE.fullmatch(line)) and (left := int(size[1], 16)):
        while left:
            block = pieces.some(left)
            if not block:
                raise BrokenBodyError("the body ends inside a chunk")
            left -= len(block)
            yield block
        pieces.line(2)
        line = pieces.line(_MAX_SIZE_LINE)
    if size is None:
        raise BrokenBodyError("not the size of a chunk")


def _gunzipped(pieces: ByteStream) -> Blocks:
    """All gzip members; bytes that follow the last one are ignored, as browsers do."""
    if pieces.peek(2) != GZIP_MAGIC:
        yield from pieces.rest()
        return
    while pieces.peek(2) == GZIP_MAGIC:
        yield from inflate(pieces, GZIP_BITS)


def _undeflated(pieces: ByteStream) -> Blocks:
    """``deflate`` means a zlib stream, but some servers leave out the zlib header."""
    sample = pieces.peek(_SAMPLE)
    for bits in (_ZLIB_BITS, _RAW_BITS) if sample else ():
        with suppress(zlib.error):
            zlib.decompressobj(bits).decompress(sample, BLOCK)
            return inflate(pieces, bits)
    return pieces.rest()


def _unbrotlied(pieces: ByteStream) -> Blocks:
    try:
        brotli = import_module("brotli")
        brotli.Decompressor().process(pieces.peek(_SAMPLE), output_buffer_limit=BLOCK)
    except (ImportError, TypeError):  # bombs are real
        raise BrokenBodyError("no brotli module that can limit its output (1.2)") from None
    except brotli.error:
        yield from pieces.rest()
        return
    decompressor = brotli.Decompressor()
    while not decompressor.is_finished():
        wants_data = decompressor.can_accept_more_data()
        data = pieces.some(BLOCK) if wants_data else b""
        try:
            block: bytes = decompressor.process(data, output_buffer_limit=BLOCK)
        except brotli.error as error:
            raise BrokenBodyError(str(error)) from None
        if block:
            yield block
        elif wants_data and not data:
            raise BrokenBodyError("the brotli stream stops before its end")


def _undecodable(pieces: ByteStream) -> Blocks:
    raise BrokenBodyError("an encoding that cannot be undone")


_DECODERS: dict[str, Callable[[ByteStream], Blocks]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _undeflated,
    "br": _unbrotlied,
    "zstd": _undecodable,
    "compress": _undecodable,
}


# Pages.


@dataclass(frozen=True, slots=True)
class Response:
    """What a server or an archive answers for a URL.

    Parameters
    ----------
    url : canonical URL.
    status : HTTP status.
    headers : names in lower case; of a repeated header the last one.
    body : transfer and content encodings undone, at most ``max_body`` bytes.
    truncated : the body is not whole: cut at ``max_body``, when it was archived, or where its
        encoding broke.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False

    @property
    def content_type(self) -> str:
        """As the server says; empty where it says nothing."""
        return self.headers.get("content-type", "")


Headers = tuple[tuple[str, str], ...]
"""Names and values in the order they were sent; one read as latin-1, as HTTP has it."""
_ROBOT = re.compile(r"[a-z*][\w*-]*")
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")

_MEANING = {
    "noindex": frozenset({"noindex"}),
    "nofollow": frozenset({"nofollow"}),
    "none": frozenset({"noindex", "nofollow"}),
}


def robots_tag(values: Sequence[str]) -> frozenset[str]:
    """``noindex`` and ``nofollow``, as far as X-Robots-Tag headers ask for them.

    What is said to all robots and what is said to us hold together; what is said to another robot,
    up to the next name in the same header, does not. Without headers nothing is forbidden.
    """
    found: frozenset[str] = frozenset()
    for value in values:
        addressee = ""
        for piece in value.lower().split(","):
            head, colon, rest = piece.partition(":")
            name = head.strip()
            if colon and (name in _WITH_VALUE or not _ROBOT.fullmatch(name)):
                continue  # a value, or the time of day in a date with a comma
            if colon:
                addressee, piece = name, rest
            if addressee in ("", "*", OWN_NAME):
                found |= _MEANING.get(piece.strip(), frozenset())
    return found


def page_of(
    url: str,
    status: int,
    headers: Headers,
    body: bytes,
    at: float,
    max_body: int,
    cut: bool = False,
    pdf: bool = False,
) -> Page:
    """The page in a raw response: encodings undone, robots directives of its headers obeyed.

    Parameters
    ----------
    url, status : of the response; the URL is canonical.
    headers : as they were sent; of a repeated one the last counts, but X-Robots-Tag adds up.
    body : as it was sent, its transfer encoding undone.
    at : when it came, in seconds since 1970.
    max_body : bytes of the decoded body that are read; a compressed one may hold far more.
    cut : is the body not whole?
    pdf : is a PDF read as a page?
    """
    by_name = {name.lower(): value for name, value in headers}
    by_name.pop("transfer-encoding", None)  # the downloader has undone it
    robots = [value for name, value in headers if name.lower() == "x-robots-tag"]
    by_name["x-robots-tag"] = "\n".join(robots)
    decoded, broken = body[:max_body], len(body) > max_body
    if "content-encoding" in by_name:
        decoded, broken = decode_body(iter((body,)), by_name, max_body)
    response = Response(url, status, by_name, decoded, broken or cut)
    page = read_page(response, (), at, live=True, pdf=pdf)
    return page if page.index else replace(page, problem=page.problem or "noindex")


CUT = "body cut or damaged"
NESTED_TOO_DEEP = "nested too deep: cut"


def read_page(
    response: Response, hops: tuple[str, ...], now: float, *, live: bool = False, pdf: bool = False
) -> Page:
    """The page in a response, reached over ``hops``; an error is a page without a document.

    Only a ``live`` crawl obeys ``noindex`` and the canonical URL of a page: an archive has stored
    the page already, under the URL that was requested. With ``pdf`` a PDF is a page too.
    """
    page = Page(response.url, response.status, Document(), size=len(response.body))
    if not page.ok:  # an error, or a redirect that leads nowhere
        return finalize_page(replace(page, problem=f"status {page.status}"), hops, now)
    content_type = response.content_type
    robots = robots_tag(response.headers.get("x-robots-tag", "").split("\n"))
    index = not live or "noindex" not in robots
    page = replace(
        page, redirects=hops, follow="nofollow" not in robots, index=index, fetched_at=now
    )
    if pdf and is_pdf(response.body, content_type):
        read = read_pdf(response.body, response.url)
        return replace(
            page,
            document=read.document,
            links=read.links,
            unusable=read.unusable,
            problem=read.problem or (CUT if response.truncated else ""),
        )
    if pdf:
        content_type = type_but_pdf(content_type)
    found = extract(response.body, response.url, content_type)
    document, declared = found.document, response.headers.get("content-language", "")
    if declared and document.language is None:
        document = replace(document, language=single_language(declared))
    return replace(
        page,
        document=document,
        links=found.links,
        unusable=found.unusable,
        follow=found.follow and page.follow,
        problem=_problem(response, content_type, found),
        index=page.index and (found.index or not live),
        canonical=found.canonical if live else None,
    )


def finalize_page(page: Page, hops: tuple[str, ...], now: float) -> Page:
    """A page that was read without its redirects, as the crawl reaches it over ``hops``."""
    if page.ok:
        return replace(page, redirects=hops, fetched_at=now)
    looping = 300 <= page.status < 400 and bool(hops)
    return replace(
        page,
        redirects=tuple(hop for hop in hops if hop != page.url),
        fetched_at=now,
        problem=ENDLESS_REDIRECTS if looping else page.problem,
    )


def _problem(response: Response, content_type: str, found: Extraction) -> str:
    """Why a page has less to say than one expects, for the journal."""
    if not response.body:
        return "empty body"
    if not is_text(response.body, content_type):
        return "not a page: binary or media"
    if found.cut:
        return NESTED_TOO_DEEP
    if not found.document.text and not found.document.title:
        return "no text"
    return CUT if response.truncated else ""


REDIRECTS = frozenset({301, 302, 303, 307, 308})


def redirect_target(response: Response) -> str | None:
    """Canonical URL a response sends on to; None where it does not, or to no URL."""
    if response.status not in REDIRECTS or not response.headers.get("location"):
        return None
    try:
        return canonical(response.headers["location"], response.url)
    except MalformedUrlError:
        return None
