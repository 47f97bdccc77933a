"""A few lines that write a PDF: text, links, facts about itself."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"
SIZE, LEADING, LEFT, TOP = 10, 20, 50, 780
LETTER = 6.0
"""Courier of size 10."""


@dataclass(frozen=True)
class Drawn:
    """A link over some letters of a line, both counted from 0."""

    href: str
    line: int
    first: int
    last: int

    @property
    def rectangle(self) -> tuple[float, float, float, float]:
        base = TOP - LEADING * self.line
        return LEFT + LETTER * self.first, base - 2, LEFT + LETTER * self.last, base + SIZE


def pdf(
    *sheets: Sequence[str],
    links: Sequence[Sequence[Drawn]] = (),
    facts: dict[str, str] | None = None,
    language: str = "",
) -> bytes:
    """A PDF with these lines on its sheets; ``links`` are by sheet."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(len(sheets)))
    lang = b"/Lang(%s)" % language.encode() if language else b""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % lang,
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(sheets)),
        b"<<%s>>"
        % b"".join(b"/%s(%s)" % (k.encode(), literal(v)) for k, v in (facts or {}).items()),
    ]
    for number, lines in enumerate(sheets):
        drawn = links[number] if number < len(links) else ()
        objects += [sheet(4 + 2 * number + 1, drawn), stream(content(lines))]
    return assembled(objects)


def content(lines: Sequence[str]) -> bytes:
    shown = b"".join(b"(%s) Tj T*\n" % literal(line) for line in lines)
    return b"BT /F1 %d Tf %d TL %d %d Td\n%sET" % (SIZE, LEADING, LEFT, TOP, shown)


def literal(text: str) -> bytes:
    """As a PDF writes a text between brackets."""
    raw = text.encode("latin-1")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def sheet(contents: int, drawn: Sequence[Drawn] = ()) -> bytes:
    links = b"".join(
        b"<</Type/Annot/Subtype/Link/Rect[%f %f %f %f]/A<</S/URI/URI(%s)>>>>"
        % (*each.rectangle, literal(each.href))
        for each in drawn
    )
    return (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R"
        b"/Resources<</Font<</F1 %s>>>>/Annots[%s]>>" % (contents, FONT, links)
    )


def stream(data: bytes, times: int = 1) -> bytes:
    """A stream, packed so many times."""
    for _ in range(times):
        data = zlib.compress(data, 9)
    head = b"<</Length %d/Filter[%s]>>" % (len(data), b"/FlateDecode" * times)
    return head + b"stream\n" + data + b"\nendstream"


def assembled(objects: Sequence[bytes]) -> bytes:
    """The file that holds these objects; the third one is what it says of itself."""
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    tail = b"trailer\n<</Size %d/Root 1 0 R/Info 3 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        count,
        len(out),
    )
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + tail


def encrypted(body: bytes, password: str, cipher: str = "AES-256") -> bytes:
    """The same file, for those who know the password."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(body)))
    writer.encrypt(password, owner_password="owner", algorithm=cipher)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
