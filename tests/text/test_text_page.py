"""What is read of a page: title, meta data, tag groups and visible text."""

from __future__ import annotations

from html import escape

import pytest

from scenthound.core.model import Document
from scenthound.text.decode import MAX_BYTES
from scenthound.text.extract import MAX_TEXT, Extraction, extract, extract_html

URL = "http://a.test/d/page.html"


def read(html: str) -> Document:
    return extract_html(html, URL).document


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A\n storm </title><h1>Other</h1>", "A storm"),
        ("<h1>A <i>storm</i></h1>", "A storm"),
        ("<title></title><h1>Storm</h1>", "Storm"),
        ("<svg><g><title>Icon</title></g></svg><title>Storm</title>", "Storm"),
        ("<svg><title>Icon</title></svg><h1>Storm</h1>", "Storm"),
        ("<title>Storm</title><title>Surge</title>", "Storm"),
        ("<title>a &amp; b &lt;i&gt;</title>", "a & b <i>"),
        ("<p>No title at all", ""),
    ],
)
def test_title(html: str, title: str) -> None:
    assert read(html).title == title


def test_meta_description_and_keywords() -> None:
    document = read(
        '<meta name="Description" content=" About\nstorms ">'
        '<meta name="keywords" content="wind,rain"><title>T</title><h1>H</h1>'
    )
    assert document.description == "About storms"
    assert document.groups["title"] == "T wind rain About storms H"


@pytest.mark.parametrize(
    ("content", "follow"),
    [
        ("noindex", True),
        ("INDEX, NoFollow", False),
        ("none", False),
        ("all", True),
        ("nofollowing", True),
    ],
)
def test_meta_robots(content: str, follow: bool) -> None:
    found = extract_html(f'<meta name="ROBOTS" content="{content}">', URL)
    assert found.follow is follow


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; URL='next.html'", "http://a.test/d/next.html"),
        ("5;url=/next", "http://a.test/next"),
        ('1.5, url = "http://b.test/"', "http://b.test/"),
        pytest.param(f"0{' ' * 50_000};url=next", "http://a.test/d/next", id="blanks"),
    ],
)
def test_meta_refresh_is_a_link(content: str, target: str) -> None:
    found = extract_html(f'<meta http-equiv=Refresh content="{escape(content)}">', URL)
    assert [link.url for link in found.links] == [target]


@pytest.mark.parametrize("content", ["30", "", "url", pytest.param(" " * 50_000, id="blanks")])
def test_a_refresh_of_the_page_itself_is_no_link(content: str) -> None:
    assert extract_html(f'<meta http-equiv="refresh" content="{content}">', URL).links == ()


@pytest.mark.parametrize(
    ("html", "language"),
    [('<html lang=" EN-gb">', "en-gb"), ('<html lang="">', None), ("<p lang=de>x", None)],
)
def test_language(html: str, language: str | None) -> None:
    assert read(html).language == language


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


@pytest.mark.parametrize("margin", ["nav", "footer", "aside"])
def test_margins_are_rest_whatever_their_tags(margin: str) -> None:
    groups = read(f"<p>text<{margin}><h1>one</h1><b>two</b> three</{margin}><p>more").groups
    assert groups["rest"] == "one two three"
    assert groups["body"] == "text more" and groups["title"] == ""


def test_image_alternatives_are_rest_and_not_visible() -> None:
    document = read("<p>the<img src=x alt='a  storm'>sky")
    assert document.groups["rest"] == "a storm"
    assert document.text == "the sky"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("bo<i>ld</i>", "bold"),
        ("<a href=x>storm</a>s <span>a</span><em>b</em>", "storms ab"),
        ("one<br>two", "one two"),
        ("<p>one<p>two", "one\ntwo"),
        ("<div>one</div>two<ul><li>three<li>four</ul>", "one\ntwo\nthree\nfour"),
        ("<table><tr><td>one<td>two<tr><th>three</table>", "one\ntwo\nthree"),
        ("  one \n\t two&nbsp;three ", "one two three"),
        ("a &lt;b&gt; &eacute;", "a <b> é"),
        ("one<!-- two -->three", "onethree"),
        ("x\x00y", "xy"),
    ],
)
def test_inline_tags_join_and_blocks_part(html: str, text: str) -> None:
    assert read(html).text == text


def test_inline_tags_do_not_split_the_words_of_a_group() -> None:
    assert read("<p><a href=x>storm</a>s and <i>bo</i>ld").groups["body"] == "storms and bold"


def test_a_word_in_two_groups_is_split_between_them() -> None:
    groups = read("<p>one st<b>or</b>m two").groups
    assert groups["body"] == "one st m two" and groups["emphasis"] == "or"


@pytest.mark.parametrize(
    "tag", "script style noscript template svg math object canvas iframe noframes".split()
)
def test_what_is_not_shown_is_not_read(tag: str) -> None:
    assert read(f"<body><p>seen <{tag}>hidden</{tag}> text").text == "seen text"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</div></p></b>two", "one\n\ntwo"),
        ("<b><p>one</b> two", "one two"),
        ("<<p>one", "<\none"),
        ("<p title='>one</p>", ""),
        ("<table>lost<tr><td>cell", "lost\ncell"),
        ("</html><p>after", "after"),
        ("<p>cut<a hre", "cut"),
    ],
)
def test_broken_markup(html: str, text: str) -> None:
    assert read(html).text.split() == text.split()


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"", "text/html"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "text/html"),
        (b"%PDF-1.4 <p>storm", ""),
        (b"<p>sto\x00rm", ""),
        (b"<p>storm", "image/png"),
    ],
)
def test_a_body_that_is_no_page_is_an_empty_document(body: bytes, header: str) -> None:
    assert extract(body, URL, header) == Extraction(Document())


def test_plain_text_is_not_parsed() -> None:
    document = extract(b"1 < 2 <a href=x>y</a>", URL, "Text/Plain; charset=utf-8").document
    assert document.text == document.groups["body"] == "1 < 2 <a href=x>y</a>"


@pytest.mark.parametrize("header", ["", "garbage", "text/html, text/html", "application/xml"])
def test_markup_under_any_other_header_is_read(header: str) -> None:
    body = "<?xml version='1.0'?><doc><title>T</title><p>café</p></doc>".encode()
    document = extract(body, URL, header).document
    assert (document.title, document.text) == ("T", "café")


def test_ten_megabytes_are_read_to_the_limit() -> None:
    link = b"<a href=last>x</a>"
    start = b"<title>Dump</title><p>"
    body = start + b"storm " * ((MAX_BYTES - len(start + link)) // 6) + link + b"<a href=beyond>"
    found = extract(body, URL)
    assert found.document.title == "Dump"
    assert found.document.text.count("storm") == (MAX_TEXT + 1) // 6
    assert [each.url.rpartition("/")[2] for each in found.links] == ["last"]


def test_nothing_gives_nothing() -> None:
    document = read("")
    assert document.title == document.text == document.description == ""
    assert set(document.groups.values()) == {""}
