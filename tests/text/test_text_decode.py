"""Bytes to text: which encoding wins, and what is no text at all."""

from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.text.decode import MAX_BYTES, decode, is_text, media_type

HTML = "text/html"
META = '<meta charset="{}"><p>{}'

BY_CASE = {
    "utf-8 by header": ("café".encode(), "text/html; charset=utf-8", "café"),
    "utf-8 undeclared": ("café – “q”".encode(), HTML, "café – “q”"),
    "utf-8 with a mark": (codecs.BOM_UTF8 + "café".encode(), HTML, "café"),
    "utf-16 little": (codecs.BOM_UTF16_LE + "café".encode("utf-16-le"), HTML, "café"),
    "utf-16 big": (codecs.BOM_UTF16_BE + "café".encode("utf-16-be"), HTML, "café"),
    "mark against header": (
        codecs.BOM_UTF8 + "café".encode(), "text/html; charset=latin-1", "café",
    ),
    "latin-1 by header": (b"caf\xe9", "text/html; charset=ISO-8859-1", "café"),
    "latin-1 is cp1252": (b"\x93caf\xe9\x94", "text/html; charset=iso-8859-1", "“café”"),
    "cp1252 undeclared": (b"\x93caf\xe9\x94", HTML, "“café”"),
    "unknown charset": ("café".encode(), "text/html; charset=klingon", "café"),
    "a codec that is no encoding": ("café".encode(), "text/html; charset=zlib", "café"),
    "a codec of Python only": (
        "\\u0041 café".encode(), "text/html; charset=unicode_escape", "\\u0041 café",
    ),
    "shift_jis by header": ("台風".encode("shift_jis"), "text/html; charset=Shift_JIS", "台風"),
    "gb2312 by header": ("台风".encode("gb2312"), "text/html; charset=gb2312", "台风"),
    "koi8-r by header": ("буря".encode("koi8-r"), "text/html; charset=koi8-r", "буря"),
    "iso-2022-jp is all ASCII bytes": (
        "台風".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp", "台風",
    ),
    "plain ASCII": (b"cafe", "text/html; charset=utf-16", "cafe"),
    "empty": (b"", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", BY_CASE)
def test_encodings(case: str) -> None:
    body, content_type, expected = BY_CASE[case]
    assert decode(body, content_type) == expected


@pytest.mark.parametrize(
    ("charset", "text"), [("shift_jis", "台風"), ("gb2312", "台风"), ("iso-8859-2", "bouře")]
)
def test_meta_names_the_encoding(charset: str, text: str) -> None:
    html = META.format(charset, text)
    assert decode(html.encode(charset), HTML) == html


def test_the_header_wins_over_the_meta_tag() -> None:
    html = META.format("shift_jis", "café")
    assert decode(html.encode(), "text/html; charset=utf-8") == html


def test_what_does_not_decode_becomes_replacement_characters() -> None:
    assert decode(b"caf\xe9 bar", "text/html; charset=utf-8") == "caf\ufffd bar"


def test_a_character_cut_at_the_size_limit_does_not_change_the_encoding() -> None:
    body = "é".encode() * (MAX_BYTES // 2) + "é".encode()
    text = decode(b"x" + body)
    assert text.startswith("xéé") and text.endswith("é\ufffd")
    assert len(text) == 1 + (MAX_BYTES - 2) // 2 + 1


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", "text/html"),
        (" Text/HTML ; charset=x", "text/html"),
        ("text/html, text/html", "text/html"),
        ("html", ""),
        (";;;", ""),
        ("", ""),
    ],
)
def test_media_types(header: str, expected: str) -> None:
    assert media_type(header) == expected


@pytest.mark.parametrize(
    "header", ["", "garbage", "text/html", "application/xhtml+xml; x", "text/plain", "text/xml"]
)
def test_pages_by_header(header: str) -> None:
    assert is_text(b"<p>storm", header)


@pytest.mark.parametrize("header", ["image/png", "application/pdf", "application/octet-stream"])
def test_declared_media_are_no_pages(header: str) -> None:
    assert not is_text(b"<p>storm", header)


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.4\n%text so far",
        b"GIF89a",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"<p>some\x00thing",
    ],
)
def test_media_are_no_pages_whatever_the_header_says(body: bytes) -> None:
    assert not is_text(body, "text/html") and not is_text(body, "")


DIRTY = b"<html><title>St\x00orm</title><p>" + b"Wind and rain, \xff\xfe and hail.\x00 " * 40


def test_a_few_nul_bytes_in_html_are_dirt() -> None:
    assert is_text(DIRTY, "text/html; charset=utf-8") and is_text(DIRTY, "application/xhtml+xml")
    assert not is_text(DIRTY, "") and not is_text(DIRTY, "text/plain")


PICTURES = {
    "a bitmap, white": b"BM" + bytes(52) + b"\xff" * 970,
    "an icon": b"\x00\x00\x01\x00" + bytes(range(256)) * 4,
    "a film": b"\x00\x00\x00\x20ftypisom" + random.Random(1).randbytes(1_000),
    "a picture with markup in it": b"RIFF<p>WEBP" + random.Random(2).randbytes(1_000) + b"\x00",
    "tags in zeros": b"<p>" + bytes(1_000),
}


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures_that_call_themselves_html_are_none(picture: str) -> None:
    assert not is_text(PICTURES[picture], HTML)


def test_a_byte_order_mark_explains_nul_bytes() -> None:
    assert is_text(codecs.BOM_UTF16_LE + "storm".encode("utf-16-le"), HTML)


_CHARSETS = st.sampled_from(
    "utf-8 utf-16 utf-32 utf-7 punycode idna unicode-escape hex big5 undefined shift_jis gb18030 "
    "euc-kr iso-2022-kr cp037 mbcs ,".split()
)


@settings(max_examples=300)
@given(st.binary(max_size=200), _CHARSETS)
@example(b"\\\x80", "raw_unicode_escape")
def test_no_body_and_no_charset_make_it_raise(body: bytes, charset: str) -> None:
    assert len(decode(body, f"text/html; charset={charset}")) <= len(body)
