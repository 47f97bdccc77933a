"""Bytes of a page: most declare UTF-8, some declare something older, one declares nothing."""

from __future__ import annotations

from scenthound.sample.response import HTML, Response, answer

META_ONLY = "latin-1 in meta"
HEADER_ONLY = "latin-1 in header"


def encode(url: str, page: str, charset: str) -> Response:
    """The response for ``page`` in the encoding that was planned for it."""
    if charset == META_ONLY:
        return answer(url, page.encode("latin-1", "xmlcharrefreplace"), HTML)
    if charset == HEADER_ONLY:
        raw = page.encode("latin-1", "xmlcharrefreplace")
        return answer(url, raw, f"{HTML}; charset=ISO-8859-1")
    return answer(url, page)


def encoding_oddities() -> list[Response]:
    """A Windows page with curly quotes and euro signs, and a page no single encoding fits."""
    prices = (
        "<html><head><title>Price list</title>"
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head><body>'
        "<h1>Price list</h1><p>\u201cEverything must go\u201d \u2013 crème brûlée dishes at "
        "\u20ac4.50, soufflé moulds at \u20ac3.20\u2026</p>"
        '<p><a href="/">Market Row</a></p></body></html>'
    )
    mixed = (
        b"<html><head><title>Guestbook</title></head><body><h1>Guestbook</h1><p>Gr\xfc\xdfe!</p>"
        + "<p>Très joli site, à bientôt.</p>".encode()
        + b"<p>\x93Hello\x94 \xff\xfe from the island.</p>"
        + b'<p><a href="/">Back</a></p></body></html>'
    )
    return [
        answer("http://marketrow.test/prices.htm", prices.encode("cp1252"), HTML),
        answer("http://greenriver.test/guestbook.html", mixed, HTML),
    ]
