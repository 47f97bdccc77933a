"""Text of strangers in a report: visible, short, and a link only where it leads to the web."""

from __future__ import annotations

from scenthound.output.document import escape_invisible, shorten, web_url


def test_nothing_is_invisible() -> None:
    cases: list[tuple[str, str]] = [
        ("plain", "plain"),
        ("Größe 東京 نص", "Größe 東京 نص"),
        ("a\x1b[31mb", "a[U+001B][31mb"),
        ("exe.\u202egnp", "exe.[U+202E]gnp"),
        ("zero\u200bwidth\ufeff", "zero[U+200B]width[U+FEFF]"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\ud800", "[U+D800]"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 4),
        ("", ""),
    ]
    for text, shown in cases:
        assert escape_invisible(text) == shown


def test_long_texts_are_cut_and_lines_joined() -> None:
    assert shorten("one\n two") == "one two"
    assert shorten("x" * 10_000_000, 5) == "xxxx…"
    assert shorten("     " * 1_000 + "x", 5) == "…"


def test_what_does_not_lead_to_the_web_is_no_link() -> None:
    cases: list[str] = [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "http:///nohost", "//example.org/", "ftp://example.org/", "http://a b.test/",
        'http://a.test"onmouseover=', "http://user@a.test/", "http://a.test/\u202egpj.exe",
        "http://a.test/\nx", "http://a.test/" + "x" * 3_000, "",
    ]  # fmt: skip
    for url in cases:
        assert web_url(url) is None


def test_web_addresses_are_links() -> None:
    cases: list[str] = ["http://a.test", "https://a.test:8080/x?y=1#z", "HTTP://A.test/"]
    for url in cases:
        assert web_url(url) == url
