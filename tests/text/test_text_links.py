"""Links of a page: canonical target, anchor, context, rel, and those that can be none."""

from __future__ import annotations

import pytest

from scenthound.core.model import Link
from scenthound.text.extract import extract_html
from scenthound.text.links import CONTEXT_CHARACTERS
from scenthound.text.walk import MAX_LINKS

URL = "http://a.test/d/page.html"


def links(html: str) -> tuple[Link, ...]:
    return extract_html(html, URL).links


def anchors(html: str) -> list[str]:
    return [link.anchor for link in links(html)]


def targets(html: str) -> list[str]:
    return [link.url for link in links(html)]


def test_a_link_with_all_its_parts() -> None:
    (link,) = links('<p>See <a href="../x.html#top" rel="NoFollow  ugc">the storm</a> page.')
    rel = frozenset({"nofollow", "ugc"})
    assert link == Link("http://a.test/x.html", "the storm", "See the storm page.", rel)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=x>big <b>st<i>or</i>m</b></a>", ["big storm"]),
        ("<a href=x><img src=i alt='A  storm'></a>", ["A storm"]),
        ("<a href=x><img alt=one>two<img alt=three></a>", ["two one three"]),
        ("<a href=x><img src=i></a>", [""]),
        ("<a href=x> <div>one</div> <div>two</div></a>", ["one\ntwo"]),
        ("<a href=x>one <a href=y>two</a> three</a>", ["one", "two"]),
        ("<p><a href=x>one <p>two</p>", ["one", "two"]),
        ("<ul><li><a href=x>one<li><a href=y>two</ul>", ["one", "two"]),
        ("<a href=x>never closed", ["never closed"]),
        ("<map><area href=x alt='The  coast'></map>", ["The coast"]),
        ("<iframe src=x title=Menu>none</iframe>", ["Menu"]),
        ("<a name=here>no link</a><a>none</a>", []),
        ("<script><a href=x>no</a></script><p><noscript><a href=x>no</a></noscript>", []),
    ],
)
def test_anchors(html: str, expected: list[str]) -> None:
    assert anchors(html) == expected


def test_an_image_after_a_link_inside_a_link_belongs_to_the_outer_one() -> None:
    html = "<a href=x>one<table><td><a href=y>two</a></table><img alt=three></a>"
    assert sorted(anchors(html)) == ["one\ntwo three", "two"]


def test_an_image_after_a_link_is_not_part_of_it() -> None:
    assert anchors("<a href=x>one</a><img alt=two>") == ["one"]


def test_frames_are_links() -> None:
    html = "<frameset><frame src=menu.html title=Menu><frame src=/main></frameset>"
    assert targets(html) == ["http://a.test/d/menu.html", "http://a.test/main"]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("<base href=/b/>", "http://a.test/b/x"),
        ("<base href='http://b.test/c/d'>", "http://b.test/c/x"),
        ("<base href='../'>", "http://a.test/x"),
        ("<base href='http://['>", "http://a.test/d/x"),
        ("<base href='mailto:a@b.test'>", "http://a.test/d/x"),
        ("<base target=top><base href=/b/><base href=/c/>", "http://a.test/b/x"),
    ],
)
def test_base_href(base: str, expected: str) -> None:
    assert targets(f"{base}<a href=x>x</a>") == [expected]


def test_the_context_is_the_nearest_block() -> None:
    html = "<div>far <p>near <a href=x>storm</a> side</p> far</div>"
    assert [link.context for link in links(html)] == ["near storm side"]


def test_the_context_of_a_link_between_blocks_is_the_block_around_them() -> None:
    html = "<div>one <p>two</p> <a href=x>three</a> <p>four</p></div><p>five"
    assert [link.context for link in links(html)] == ["one two\nthree four"]


@pytest.mark.parametrize("word", [" seven77 ", "<p>seven77</p>"])
def test_a_long_context_is_cut_at_whole_words(word: str) -> None:
    (link,) = links(f"<div>{word * 60}<a href=x>the storm</a>{word * 60}</div>")
    before, anchor, after = link.context.partition("the storm")
    assert anchor and set((before + after).split()) == {"seven77"}
    for side in (before, after):
        assert CONTEXT_CHARACTERS - 10 < len(side) <= CONTEXT_CHARACTERS


def test_a_context_of_one_endless_word_is_the_anchor() -> None:
    (link,) = links(f"<p>{'x' * 300}<a href=x>storm</a>{'y' * 300}")
    assert link.context == "storm"


def test_a_long_anchor_is_whole_in_its_context() -> None:
    long = " ".join(["storm"] * 200)
    (link,) = links(f"<p>a <a href=x>{long}</a> b")
    assert (link.anchor, link.context) == (long, f"a {long} b")


@pytest.mark.parametrize(
    ("href", "reason"),
    [
        ("mailto:a@b.test", "other scheme"),
        (" JavaScript:void(0)", "other scheme"),
        ("java\nscript:void(0)", "other scheme"),
        ("\x01java\tscript:void(0)", "other scheme"),
        ("tel:+123", "other scheme"),
        ("data:text/html,x", "other scheme"),
        ("view-source:http://a.test/", "other scheme"),
        ("#", "same page"),
        (" #part", "same page"),
        ("", "same page"),
        ("photo.JPG?size=1#x", "media"),
        ("/a.tar.gz", "media"),
        ("x%2Ezip", "media"),
        ("http://", "malformed"),
        ("http://[", "malformed"),
        ("//user:secret@b.test/", "malformed"),
        pytest.param("x" * 3_000, "malformed", id="too long"),
    ],
)
def test_links_that_can_be_no_candidate(href: str, reason: str) -> None:
    found = extract_html(f'<a href="{href}">x</a>', URL)
    assert found.links == ()
    assert {r: count for r, (count, _) in found.unusable.items()} == {reason: 1}


@pytest.mark.parametrize("href", ["http://b.ps", "http://b.zip/", "/x?f=a.jpg", "/x#a.jpg", "/js"])
def test_only_the_end_of_a_path_tells_media(href: str) -> None:
    assert len(links(f"<a href='{href}'>x</a>")) == 1


def test_unusable_links_are_counted_with_five_examples() -> None:
    html = "".join(f"<a href='mailto:{n}@b.test'>x</a>" for n in range(7)) + "<a href='#a'>x</a>"
    assert extract_html(html, URL).unusable == {
        "other scheme": (7, tuple(f"mailto:{n}@b.test" for n in range(5))),
        "same page": (1, ("#a",)),
    }


def test_an_example_of_an_unusable_link_is_short() -> None:
    _, (shown,) = extract_html(f"<a href='data:{'x' * 9_000}'>x</a>", URL).unusable["other scheme"]
    assert shown == "data:" + "x" * 195


def test_a_page_of_links_only_is_read_up_to_a_limit() -> None:
    page = extract_html("<a href=x>y</a> " * (MAX_LINKS + 7), "http://a.test/")
    assert len(page.links) == MAX_LINKS
    assert page.unusable == {"too many links": (7, ("x",) * 5)}
