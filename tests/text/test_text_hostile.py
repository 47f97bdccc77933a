"""Whatever a page holds, it is read without an error, and the positions are right."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.core.urls import canonical
from scenthound.text.extract import Extraction, extract, extract_html
from scenthound.text.head import squeeze

URL = "http://a.test/d/page.html"
_HEADERS = st.sampled_from(["", "text/html", "text/html; charset=utf-16", "text/plain", "x"])
_TAGS = st.sampled_from(
    "a b i p div ul li table tr td h1 h2 nav br img script style svg title template iframe base "
    "frameset frame select option form pre textarea plaintext math noscript body html".split()
)
_HREFS = st.sampled_from(["x", "../y?q=1", "http://[", "//b.test", "#", "mailto:a@b.test", "é/ü"])
_STARTS = st.builds("<{} href='{}' src=i>".format, _TAGS, _HREFS)
_BARE = st.builds("<{}>".format, _TAGS)
_ENDS = st.builds("</{}>".format, _TAGS)
_JUNK = st.sampled_from("< > <!-- --> <![CDATA[ &amp &#0; &#xd800; ' =".split())
_WORDS = st.sampled_from(["storm ", " surge", "the\n", "é", "台風", "\xa0", "\x00", "\u2028"])
_SOUP = st.lists(_STARTS | _BARE | _ENDS | _JUNK | _WORDS | st.text(max_size=5), max_size=25)


@settings(max_examples=300)
@given(st.binary(max_size=300), _HEADERS)
@example(b"<a href=x>\xff\xfe\x00", "text/html")
def test_any_bytes_are_read(body: bytes, header: str) -> None:
    assert_sound(extract(body, URL, header))


@settings(max_examples=500)
@given(_SOUP.map("".join))
def test_any_markup_is_read(html: str) -> None:
    assert_sound(extract_html(html, URL))


@settings(max_examples=100)
@given(_SOUP.map("".join), st.integers(50, 200))
def test_long_markup_is_read(html: str, times: int) -> None:
    assert_sound(extract_html(html * times, URL))


def assert_sound(found: Extraction) -> None:
    """Links are canonical; anchors stand in their contexts, contexts in the text."""
    text = squeeze(found.document.text)
    for link in found.links:
        assert canonical(link.url) == link.url
        assert squeeze(link.anchor) in squeeze(link.context)
        assert squeeze(link.context) in text
    for count, examples in found.unusable.values():
        assert 1 <= len(examples) <= min(count, 5)
