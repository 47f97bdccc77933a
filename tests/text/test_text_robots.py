"""What a page says to robots, and the address it wants to be known by."""

from __future__ import annotations

from scenthound.text.extract import Extraction, extract, extract_html

PAGE = "http://a.test/d/page.html"


def read(head: str, body: str = "<p>text") -> Extraction:
    return extract_html(f"<html><head>{head}</head><body>{body}</body></html>", PAGE)


def test_what_is_said_to_us_goes_before_what_is_said_to_all() -> None:
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
        found = read(head)
        assert (found.index, found.follow) == (index, follow)


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
    for head, canonical in cases:
        assert read(head).canonical == canonical


def test_a_canonical_address_in_the_text_of_a_page_is_somebody_elses() -> None:
    body = '<p>comment: <svg><link rel="canonical" href="http://evil.test/"></svg>'
    assert read("", body).canonical is None


def test_what_is_no_html_says_nothing_to_robots() -> None:
    for body, kind in [
        (b"", ""),
        (b"%PDF-", ""),
        (b"<meta name=robots content=none>", "text/plain"),
    ]:
        found = extract(body, PAGE, kind)
        assert (found.index, found.follow, found.canonical) == (True, True, None)
