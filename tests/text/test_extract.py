"""Whatever a page holds, it is read without an error, and the positions are right."""

from __future__ import annotations

from html import escape

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.core.model import Document, Link
from scenthound.core.urls import canonical
from scenthound.text.extract import (
    CONTEXT_CHARACTERS,
    MAX_BYTES,
    MAX_LINKS,
    MAX_TEXT,
    Extraction,
    collapse_whitespace,
    extract,
    extract_html,
)

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


@settings(max_examples=50)
@given(st.binary(max_size=300), _HEADERS)
@example(b"<a href=x>\xff\xfe\x00", "text/html")
def test_any_bytes_are_read(body: bytes, header: str) -> None:
    assert_sound(extract(body, URL, header))


@settings(max_examples=80)
@given(_SOUP.map("".join))
def test_any_markup_is_read(html: str) -> None:
    assert_sound(extract_html(html, URL))


@settings(max_examples=15)
@given(_SOUP.map("".join), st.integers(50, 200))
def test_long_markup_is_read(html: str, times: int) -> None:
    assert_sound(extract_html(html * times, URL))


def assert_sound(found: Extraction) -> None:
    """Links are canonical; anchors stand in their contexts, contexts in the text."""
    text = collapse_whitespace(found.document.text)
    for link in found.links:
        assert canonical(link.url) == link.url
        assert collapse_whitespace(link.anchor) in collapse_whitespace(link.context)
        assert collapse_whitespace(link.context) in text
    for count, examples in found.unusable.values():
        assert 1 <= len(examples) <= min(count, 5)


# Links of a page: canonical target, anchor, context, rel, and those that can be none.


def links(html: str) -> tuple[Link, ...]:
    return extract_html(html, URL).links


def anchors(html: str) -> list[str]:
    return [link.anchor for link in links(html)]


def test_links_and_their_anchors() -> None:
    (link,) = links('<p>See <a href="../x.html#top" rel="NoFollow  ugc">the storm</a> page.')
    rel = frozenset({"nofollow", "ugc"})
    assert link == Link("http://a.test/x.html", "the storm", "See the storm page.", rel)
    cases: list[tuple[str, list[str]]] = [
        ("<a href=x>big <b>st<i>or</i>m</b></a>", ["big storm"]),
        ("<a href=x><img src=i alt='A  storm'></a>", ["A storm"]),
        ("<a href=x><img alt=one>two<img alt=three></a>", ["two one three"]),
        ("<a href=x> <div>one</div> <div>two</div></a>", ["one\ntwo"]),
        ("<a href=x>one <a href=y>two</a> three</a>", ["one", "two"]),
        ("<a href=x>never closed", ["never closed"]),
        ("<map><area href=x alt='The  coast'></map>", ["The coast"]),
        ("<iframe src=x title=Menu>none</iframe>", ["Menu"]),
        ("<a name=here>no link</a><a>none</a>", []),
        ("<script><a href=x>no</a></script><p><noscript><a href=x>no</a></noscript>", []),
    ]
    for html, expected in cases:
        assert anchors(html) == expected
    html = "<a href=x>one<table><td><a href=y>two</a></table><img alt=three></a>"
    assert sorted(anchors(html)) == ["one\ntwo three", "two"]
    for base, address in [
        ("<base href=/b/>", "http://a.test/b/x"),
        ("<base href='http://b.test/c/d'>", "http://b.test/c/x"),
        ("<base href='http://['>", "http://a.test/d/x"),
        ("<base href='mailto:a@b.test'>", "http://a.test/d/x"),
        ("<base target=top><base href=/b/><base href=/c/>", "http://a.test/b/x"),
    ]:
        assert [link.url for link in links(f"{base}<a href=x>x</a>")] == [address]


def test_the_context_is_the_nearest_block_cut_at_whole_words() -> None:
    html = "<div>far <p>near <a href=x>storm</a> side</p> far</div>"
    assert [link.context for link in links(html)] == ["near storm side"]
    html = "<div>one <p>two</p> <a href=x>three</a> <p>four</p></div><p>five"
    assert [link.context for link in links(html)] == ["one two\nthree four"]
    for word in [" seven77 ", "<p>seven77</p>"]:
        (link,) = links(f"<div>{word * 60}<a href=x>the storm</a>{word * 60}</div>")
        before, anchor, after = link.context.partition("the storm")
        assert anchor and set((before + after).split()) == {"seven77"}
        for side in (before, after):
            assert CONTEXT_CHARACTERS - 10 < len(side) <= CONTEXT_CHARACTERS


def test_links_that_can_be_no_candidate() -> None:
    for href, reason in [
        ("mailto:a@b.test", "other scheme"),
        (" JavaScript:void(0)", "other scheme"),
        ("\x01java\tscript:void(0)", "other scheme"),
        ("view-source:http://a.test/", "other scheme"),
        ("#", "same page"),
        ("", "same page"),
        ("photo.JPG?size=1#x", "media"),
        ("x%2Ezip", "media"),
        ("http://", "malformed"),
        ("//user:secret@b.test/", "malformed"),
        ("x" * 3_000, "malformed"),
    ]:
        found = extract_html(f'<a href="{href}">x</a>', URL)
        assert found.links == ()
        assert {r: count for r, (count, _) in found.unusable.items()} == {reason: 1}
    for href in ["http://b.ps", "http://b.zip/", "/x?f=a.jpg", "/x#a.jpg", "/js"]:
        assert len(links(f"<a href='{href}'>x</a>")) == 1


def test_unusable_links_are_counted_with_five_short_examples() -> None:
    html = "".join(f"<a href='mailto:{n}@b.test'>x</a>" for n in range(7)) + "<a href='#a'>x</a>"
    assert extract_html(html, URL).unusable == {
        "other scheme": (7, tuple(f"mailto:{n}@b.test" for n in range(5))),
        "same page": (1, ("#a",)),
    }
    _, (shown,) = extract_html(f"<a href='data:{'x' * 9_000}'>x</a>", URL).unusable["other scheme"]
    assert shown == "data:" + "x" * 195
    page = extract_html("<a href=x>y</a> " * (MAX_LINKS + 7), "http://a.test/")
    assert len(page.links) == MAX_LINKS
    assert page.unusable == {"too many links": (7, ("x",) * 5)}


# What is read of a page: title, meta data, tag groups and visible text.


def read(html: str) -> Document:
    return extract_html(html, URL).document


def test_title_description_keywords_and_language() -> None:
    for html, title in [
        ("<title> A\n storm </title><h1>Other</h1>", "A storm"),
        ("<h1>A <i>storm</i></h1>", "A storm"),
        ("<svg><g><title>Icon</title></g></svg><title>Storm</title>", "Storm"),
        ("<title>a &amp; b &lt;i&gt;</title>", "a & b <i>"),
        ("<p>No title at all", ""),
    ]:
        assert read(html).title == title
    document = read(
        '<meta name="Description" content=" About\nstorms ">'
        '<meta name="keywords" content="wind,rain"><title>T</title><h1>H</h1>'
    )
    assert document.description == "About storms"
    assert document.groups["title"] == "T wind rain About storms H"
    cases: list[tuple[str, str | None]] = [
        ('<html lang=" EN-gb">', "en-gb"),
        ('<html lang="">', None),
        ("<p lang=de>x", None),
    ]
    for html, language in cases:
        assert read(html).language == language


def test_meta_refresh_is_a_link_unless_to_the_page_itself() -> None:
    for content, target in [
        ("0; URL='next.html'", "http://a.test/d/next.html"),
        ("5;url=/next", "http://a.test/next"),
        ('1.5, url = "http://b.test/"', "http://b.test/"),
        (f"0{' ' * 50_000};url=next", "http://a.test/d/next"),
    ]:
        found = extract_html(f'<meta http-equiv=Refresh content="{escape(content)}">', URL)
        assert [link.url for link in found.links] == [target]
    for content in ["30", "", "url", " " * 50_000]:
        assert extract_html(f'<meta http-equiv="refresh" content="{content}">', URL).links == ()


def test_each_text_is_in_the_highest_group_it_is_in_once() -> None:
    groups = read(
        "<h1>one <b>two</b></h1><h2>three <strong>four</strong></h2><h4>five</h4>"
        "<p>six <b>seven</b> <i>eight</i><b><h3>nine</h3></b>"
    ).groups
    assert groups == {
        "title": "one two",
        "heading": "three four nine",
        "emphasis": "five seven",
        "body": "six eight",
        "rest": "",
    }
    for margin in ["nav", "footer", "aside"]:
        groups = read(f"<p>text<{margin}><h1>one</h1><b>two</b> three</{margin}><p>more").groups
        assert groups["rest"] == "one two three"
        assert groups["body"] == "text more" and groups["title"] == ""
    document = read("<p>the<img src=x alt='a  storm'>sky")
    assert document.groups["rest"] == "a storm"
    assert document.text == "the sky"
    groups = read("<p>one st<b>or</b>m two").groups
    assert groups["body"] == "one st m two" and groups["emphasis"] == "or"


def test_inline_tags_join_blocks_part_and_what_is_not_shown_is_not_read() -> None:
    for html, text in [
        ("bo<i>ld</i>", "bold"),
        ("<a href=x>storm</a>s <span>a</span><em>b</em>", "storms ab"),
        ("<p>one<p>two", "one\ntwo"),
        ("<div>one</div>two<ul><li>three<li>four</ul>", "one\ntwo\nthree\nfour"),
        ("<table><tr><td>one<td>two<tr><th>three</table>", "one\ntwo\nthree"),
        ("  one \n\t two&nbsp;three ", "one two three"),
        ("one<!-- two -->three", "onethree"),
        ("x\x00y", "xy"),
    ]:
        assert read(html).text == text
    for tag in "script style noscript template svg math object canvas iframe noframes".split():
        assert read(f"<body><p>seen <{tag}>hidden</{tag}> text").text == "seen text"
    for html, text in [
        ("<p>one</div></p></b>two", "one\n\ntwo"),
        ("<<p>one", "<\none"),
        ("<p title='>one</p>", ""),
        ("<table>lost<tr><td>cell", "lost\ncell"),
        ("<p>cut<a hre", "cut"),
    ]:
        assert read(html).text.split() == text.split()


def test_what_is_no_page_or_no_html_is_not_parsed() -> None:
    for body, header in [
        (b"", "text/html"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "text/html"),
        (b"%PDF-1.4 <p>storm", ""),
        (b"<p>storm", "image/png"),
    ]:
        assert extract(body, URL, header) == Extraction(Document())
    document = extract(b"1 < 2 <a href=x>y</a>", URL, "Text/Plain; charset=utf-8").document
    assert document.text == document.groups["body"] == "1 < 2 <a href=x>y</a>"


def test_ten_megabytes_are_read_to_the_limit() -> None:
    link = b"<a href=last>x</a>"
    start = b"<title>Dump</title><p>"
    body = start + b"storm " * ((MAX_BYTES - len(start + link)) // 6) + link + b"<a href=beyond>"
    found = extract(body, URL)
    assert found.document.title == "Dump"
    assert found.document.text.count("storm") == (MAX_TEXT + 1) // 6
    assert [each.url.rpartition("/")[2] for each in found.links] == ["last"]


# What a page says to robots, and the address it wants to be known by.

PAGE = "http://a.test/d/page.html"


def extraction_of(head: str, body: str = "<p>text") -> Extraction:
    return extract_html(f"<html><head>{head}</head><body>{body}</body></html>", PAGE)


def test_what_is_reported_to_us_goes_before_what_is_reported_to_all() -> None:
    for head, index, follow in [
        ("", True, True),
        ('<meta name="robots" content="noindex">', False, True),
        ('<meta name="ROBOTS" content="NoFollow">', True, False),
        ('<meta name="robots" content="none">', False, False),
        ('<meta name="robots" content="max-image-preview:none, noimageindex">', True, True),
        ('<meta name="robots" content="noindex"><meta name="robots" content="nofollow">',
         False, False),
        ('<meta name="googlebot" content="none">', True, True),
        ('<meta name="scenthound" content="nofollow">', True, False),
        ('<meta name="robots" content="none"><meta name="scenthound" content="all">', True, True),
        ('<meta name="scenthound" content="noindex"><meta name="robots" content="nofollow">',
         False, True),
    ]:  # fmt: skip
        found = extraction_of(head)
        assert (found.index, found.follow) == (index, follow)
    for body, kind in [
        (b"", ""),
        (b"%PDF-", ""),
        (b"<meta name=robots content=none>", "text/plain"),
    ]:
        found = extract(body, PAGE, kind)
        assert (found.index, found.follow, found.canonical) == (True, True, None)


def test_the_address_a_page_wants_to_be_known_by() -> None:
    cases: list[tuple[str, str | None]] = [
        ("", None),
        ('<link rel="canonical" href="http://a.test/x">', "http://a.test/x"),
        ('<link rel="shortlink canonical" href="HTTPS://B.test:443/y">', "https://b.test/y"),
        ('<base href="http://c.test/e/"><link rel="canonical" href="z">', "http://c.test/e/z"),
        ('<link rel="canonical" href="x"><link rel="canonical" href="./x">',
         "http://a.test/d/x"),
        ('<link rel="canonical" href="x"><link rel="canonical" href="y">', None),
        ('<link rel="canonical">', None),
        ('<link rel="canonical" href="android-app://a.test/x">', None),
        ('<link rel="canonical" href="http://">', None),
        ('<link rel="canonical-not" href="http://a.test/x">', None),
    ]  # fmt: skip
    for head, address in cases:
        assert extraction_of(head).canonical == address
    body = '<p>comment: <svg><link rel="canonical" href="http://evil.test/"></svg>'
    assert extraction_of("", body).canonical is None
