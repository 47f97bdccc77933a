"""Patterns of URLs: what they match, and which match everything or nothing."""

from __future__ import annotations

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.core.patterns import (
    Patterns,
    escaped_expression,
    host_in,
    likely_meant,
    matches_everything,
    matches_nothing,
)

PAGE = "http://a.test/wiki/Sphere_%28maths%29?x=(1)"


@pytest.mark.parametrize(
    "pattern",
    [
        "*", "*wiki*", "http://a.test/*", "HTTP://A.Test/*", "http://a.test:80/*",
        "*Sphere_(maths)*",
        "*Sphere_%28maths%29*", "*?x=(1)", "http://a.tes?/wiki/*",
        "re:/wiki/", "re:^http://a[.]test/", "re:Sphere_%28[a-z]+%29",
    ],
)  # fmt: skip
def test_a_pattern_matches(pattern: str) -> None:
    assert Patterns((pattern,)).match(PAGE)


@pytest.mark.parametrize("pattern", ["wiki", "*wiki", "http://a.test", "re:^wiki", "*WIKI*", ""])
def test_a_pattern_does_not_match(pattern: str) -> None:
    assert not Patterns((pattern,)).match(PAGE)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://A.test", "https://a.test/"),
        ("https://bücher.test/*", "https://xn--bcher-kva.test/a"),
        ("*/straße*", "http://a.test/stra%C3%9Fe/1"),
        ("*a b*", "http://a.test/a%20b"),
        ("*%c3%9f", "http://a.test/%C3%9F"),
        ("*[x]*", "http://a.test/?q=[x]"),
        ("*[x]*", "http://a.test/%5Bx%5D"),
    ],
)
def test_literal_parts_are_read_as_urls_are_spelled(pattern: str, url: str) -> None:
    assert Patterns((pattern,)).match(url)


@pytest.mark.parametrize(
    ("pattern", "url", "others"),
    [
        ("*.Example.org/*", "http://a.example.org/x", "http://example.org/x"),
        ("HTTPS://*.Example.org/*", "https://a.example.org/x", "http://a.example.org/x"),
        ("http*://Example.*/a", "https://example.org/a", "https://example.org/A"),
        ("*//*.Example.org/*", "http://a.example.org/x", "http://b.org/a.example.org/x"),
        ("*bücher.de/*", "http://xn--bcher-kva.de/a", "http://a.org/bücher"),
        ("*bücher.de/*", "https://xn--kinderbcher-zhb.de/a", "http://b.de/a"),
        ("http://*.BÜCHER.de/*", "http://www.xn--bcher-kva.de/", "http://xn--bcher-kva.de/"),
        ("*.straße.de/ß*", "http://a.strasse.de/%C3%9F", "http://a.strasse.de/ss"),
        ("*.עברית.il/*", "http://a.xn--5dbqzzl.il/", "http://a.il/"),
        ("*example.org:80/*", "http://www.example.org/a", "https://www.example.org/a"),
        ("*example.org:443/*", "https://example.org/a", "http://example.org/a"),
        ("http?://*.example.org:443/*", "https://a.example.org/", "http://a.example.org/"),
        ("*example.org:8080/*", "http://a.example.org:8080/", "http://a.example.org/"),
        ("http://*.example.org", "http://a.example.org/", "http://a.example.org/b"),
    ],
)
def test_hosts_may_be_written_as_people_write_them(pattern: str, url: str, others: str) -> None:
    assert Patterns((pattern,)).match(url) and Patterns((pattern,)).first(url) == pattern
    assert not Patterns((pattern,)).match(others)
    assert not matches_nothing(pattern) and not matches_everything(pattern)


@pytest.mark.parametrize("pattern", ["*News/*", "*Storm*", "*/Storm/*", "http://a.test/Storm/*"])
def test_capital_letters_count_in_paths(pattern: str) -> None:
    assert not Patterns((pattern,)).match("http://a.test/storm/news/storm/1")
    assert Patterns((pattern,)).match("http://a.test/Storm/News/1")


def test_patterns_of_both_kinds_are_asked_for_hosts_in_other_scripts() -> None:
    patterns = Patterns(("*.bücher.de/*", "re:xn--abc"))
    assert [patterns.first(f"http://{host}/") for host in ("a.xn--bcher-kva.de", "xn--abc")] == [
        "*.bücher.de/*", "re:xn--abc",
    ]  # fmt: skip
    assert not patterns.match("http://xn--/") and not patterns.match("http://a.de/")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [("re:/straße", "re:/stra%C3%9Fe"), ("re:/stra", None), ("*/straße", None)],
)
def test_an_expression_with_characters_that_urls_escape(text: str, escaped: str | None) -> None:
    assert escaped_expression(text) == escaped


def test_the_first_of_several_is_told() -> None:
    patterns = Patterns(("*x*", "re:wiki", "*wiki*"))
    assert patterns.first("http://a.test/wiki") == "re:wiki"
    assert patterns.first("http://a.test/") is None
    assert not Patterns(())


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=12))
def test_stars_and_question_marks_are_those_of_a_shell(pattern: str, text: str) -> None:
    expected = re.match(fnmatch.translate(pattern), text) is not None
    assert Patterns((pattern,)).match(text) == expected


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_text_is_a_pattern(pattern: str, url: str) -> None:
    texts = (pattern.removeprefix("re:"),)
    assert Patterns(texts).match(url) == (Patterns(texts).first(url) is not None)


def test_no_expression_takes_for_ever() -> None:
    evil = "http://a.test/" + "a" * 1_900 + "!"
    assert not Patterns((r"re:(a+)+$", r"re:(a|a)*b", r"re:.*.*.*.*=x")).match(evil)
    assert not Patterns(("*a*a*a*a*a*a*a*a*a*b",)).match(evil)


@pytest.mark.parametrize("text", ["re:(", "re:[", r"re:(?=a)", r"re:(a)\1", "re:a{9999}"])
def test_an_expression_that_cannot_be_read_is_told(
    text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SettingsError, match="is no regular expression") as caught:
        Patterns((text,))
    assert str(caught.value).startswith(repr(text))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["*", "**", "http*", "*/*", "*:*", "re:", "re:.", "re:^http"])
def test_what_matches_everything(text: str) -> None:
    assert matches_everything(text) and not matches_nothing(text)


@pytest.mark.parametrize("text", ["*.*", "*/", "https*", "*a*", "re:[a-z]{9}", "http://a.test/*"])
def test_what_does_not_match_everything(text: str) -> None:
    assert not matches_everything(text) and not matches_nothing(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("news", "*news*"), ("example.org/*", "*example.org/*"), ("/news/*", "*/news/*"),
        ("", "*news*"), (" ", "*news*"), ("ftp://a.test/*", "*ftp://a.test/*"),
        ("http://a.test/#top", "*http://a.test/*"),
    ],
)  # fmt: skip
def test_what_matches_nothing(text: str, meant: str) -> None:
    assert matches_nothing(text) and not matches_everything(text)
    assert likely_meant(text) == meant


@pytest.mark.parametrize(
    ("text", "host"),
    [("http://A.test/x*", "a.test"), ("https://a.test:8443/", "a.test:8443"), ("*a.test*", None),
     ("http://*.test/", None), ("re:http://a.test/", None)],
)  # fmt: skip
def test_the_host_that_a_pattern_names(text: str, host: str | None) -> None:
    assert host_in(text) == host
