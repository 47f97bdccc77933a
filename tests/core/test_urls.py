"""One canonical form decides identity: worked examples, and properties over odd text."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import MAX_URL_LENGTH, BaseUrl, canonical, host_of, tidy

PAGE = "http://a.test/d/e/page.html?q=1/2"

WORKED = [
    ("HTTP://Storms.TEST/Path", "http://storms.test/Path", "case counts in the path only"),
    ("http://a.test", "http://a.test/", "an empty path is the root"),
    ("http://a.test?q", "http://a.test/?q", "also before a query"),
    ("http://a.test/x#part", "http://a.test/x", "a fragment is a place in a page"),
    ("http://a.test/x?#part", "http://a.test/x", "an empty query is none"),
    ("http://a.test:80/x", "http://a.test/x", "the default port of http"),
    ("https://a.test:443/x", "https://a.test/x", "the default port of https"),
    ("https://a.test:80/x", "https://a.test:80/x", "80 is not the default of https"),
    ("http://a.test:/x", "http://a.test/x", "an empty port is none"),
    ("http://a.test./x", "http://a.test/x", "the dot of the DNS root"),
    ("http://müller.test/", "http://xn--mller-kva.test/", "IDNA"),
    ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/", "IPv6, compressed"),
    ("http://a.test/b/./c/../d", "http://a.test/b/d", "dot segments"),
    ("http://a.test/../../x", "http://a.test/x", "nothing is above the root"),
    ("http://a.test/b/..", "http://a.test/", "a dot segment at the end leaves a slash"),
    ("http://a.test/b/%2E%2e/c", "http://a.test/c", "escaped dots are dots"),
    ("http://a.test/..b/c..", "http://a.test/..b/c..", "dots within a name are a name"),
    ("http://a.test//b//c/", "http://a.test//b//c/", "empty segments are segments"),
    ("http://a.test/%7euser/%41", "http://a.test/~user/A", "unreserved characters are bare"),
    ("http://a.test/Sphere_(maths)", "http://a.test/Sphere_%28maths%29", "escaped in a path"),
    ("http://a.test/a!b'c*d,e", "http://a.test/a%21b%27c%2Ad%2Ce", "like the parentheses"),
    ("http://a.test/x%2fy", "http://a.test/x%2Fy", "an escaped slash is no slash"),
    ("http://a.test/100%", "http://a.test/100%25", "a % that starts no escape"),
    ("http://a.test/%zz%4", "http://a.test/%25zz%254", "nor do these"),
    ("http://a.test/é x", "http://a.test/%C3%A9%20x", "escaped as UTF-8"),
    ("http://a.test/\ud800", "http://a.test/%3F", "half a character is none"),
    ("http://a.test/?b=2&a=(1)", "http://a.test/?b=2&a=(1)", "a query keeps its order"),
    ("http://a.test/?a=b c&d=é", "http://a.test/?a=b%20c&d=%C3%A9", "and is escaped"),
    ("  http://a.te\nst/x\t \ufeff", "http://a.test/x", "blanks around, line ends inside"),
    ("\x01http://a.test/", "http://a.test/", "control characters around"),
    ("http:\\\\a.test\\b\\..\\c?d\\e", "http://a.test/c?d%5Ce", "backslashes, as browsers do"),
]

REFUSED = [
    ("", "empty"),
    (" \n", "empty"),
    ("page.html", "relative, without a base"),
    ("mailto:someone@a.test", "another scheme"),
    ("javascript:void(0)", "another scheme"),
    ("ftp://a.test/", "another scheme"),
    ("http://", "no host"),
    ("http:///x", "no host"),
    ("http://user:secret@a.test/", "a password"),
    ("http://@a.test/", "an empty user name"),
    ("http://a..test/", "an empty label"),
    ("http://-a.test/", "a label that starts with a hyphen"),
    ("http://a b.test/", "a blank in the host"),
    ("http://a.%74est/", "an escape in the host"),
    (f"http://{'a' * 64}.test/", "a label of 64 characters"),
    (f"http://{'é' * 300}.test/", "a host too long to convert"),
    ("http://a.test:99999/", "no such port"),
    ("http://a.test:x/", "no number"),
    ("http://[::1/", "a bracket left open"),
    ("http://[::g]/", "no address"),
    ("http://[fe80::1%eth0]/", "an interface of this machine"),
    ("http://[v1.a]/", "an address of the future"),
    ("http://a.test/" + "x" * MAX_URL_LENGTH, "too long"),
    ("http://a.test/#" + "x" * 1_000_000, "too long to be read at all"),
]

RELATIVE = [
    ("x.html", "http://a.test/d/e/x.html", "beside the page"),
    ("../x.html", "http://a.test/d/x.html", "one up"),
    ("../../../../x.html", "http://a.test/x.html", "no further than the root"),
    ("..", "http://a.test/d/", "up, and a folder"),
    ("./", "http://a.test/d/e/", "this folder"),
    ("..x", "http://a.test/d/e/..x", "two dots may start a name"),
    ("a/../b", "http://a.test/d/e/b", "dots inside"),
    ("a//b", "http://a.test/d/e/a//b", "an empty segment stays"),
    ("/x", "http://a.test/x", "from the root"),
    ("//b.test/x", "http://b.test/x", "the scheme of the page"),
    ("?r", "http://a.test/d/e/page.html?r", "another query of the page"),
    ("", PAGE, "the page"),
    ("#top", PAGE, "a place in the page"),
    ("http:x.html", "http://a.test/d/e/x.html", "the scheme said again, as browsers read it"),
    ("https://b.test", "https://b.test/", "absolute"),
    ("a:b", None, "looks like a scheme, so it is one"),
]


def test_worked_examples() -> None:
    for url, expected, why in WORKED:
        assert canonical(url) == expected, why


def test_what_cannot_be_fetched_is_refused() -> None:
    for url, why in REFUSED:
        assert _or_none(url) is None, why


def test_relative_to_a_page() -> None:
    for href, expected, why in RELATIVE:
        assert _or_none(href, PAGE) == expected, why


def test_a_base_is_canonical_before_it_is_used() -> None:
    assert canonical("x", "HTTP://A.test/b/..") == "http://a.test/x"
    assert BaseUrl("http://a.test").resolve("x") == "http://a.test/x"


def test_a_malformed_base_is_refused() -> None:
    with pytest.raises(MalformedUrlError):
        canonical("http://a.test/", "mailto:someone@a.test")


def test_the_longest_url_is_accepted_and_one_more_is_not() -> None:
    longest = "http://a.test/" + "x" * (MAX_URL_LENGTH - 14)
    assert canonical(longest) == longest
    assert BaseUrl("http://a.test/").resolve(longest[14:]) == longest
    with pytest.raises(MalformedUrlError, match="too long"):
        BaseUrl("http://a.test/").resolve(longest[14:] + "x")


def test_host_with_a_port_of_its_own() -> None:
    assert host_of(canonical("http://A.test:81/x")) == "a.test:81"


def test_tidy_keeps_what_is_inside() -> None:
    assert tidy("\xa0 a b\\c?d\\e#f\\ \n") == "a b/c?d\\e#f\\"


_ODD = ["\ud800", "\x00", "\t", "\n", " ", "\xa0", "\ufeff", "\u2028", "\x1f", "\x85", "\xad"]
_PIECES = st.sampled_from(_ODD) | st.sampled_from(
    "/ // .. . % %2 %2e %2F %zz %28 ( ? # \\ : @ ; & = a B ü ß ſ 。 ． ％ ／ [ ] ::1 127.0.0.1 "
    "http: https:// HTTP:// xn-- .com - _ | ^ ~ 80 443 ﬀ İ ٠ ' ! * , { }".split()
)
_ANY = st.text(st.characters(exclude_categories=()), max_size=10)
_SOUP = st.lists(_PIECES | _ANY, max_size=8).map("".join)
_STARTS = st.sampled_from(["http://", "https://", "HTTP:", "//", "", "http://a.test/", "ftp://"])
_TURNS = st.sampled_from(["", "/", ":80", ":443", ":", "?", "#", ".test/", "/x" * 700])
_URLS = st.builds("{}{}{}{}".format, _STARTS, _SOUP, _TURNS, _SOUP)
_NAMES = st.sampled_from("a b.html ..foo ... x-y ~u _ .h a:b %2e".split())
_STEPS = st.lists(st.sampled_from(["..", ".", ""]) | _NAMES, max_size=6).map("/".join)
_BASES = st.sampled_from(
    "http://a.test/ http://a.test/?q=/x/y http://a.test/a/b/c?d http://a.test// "
    "http://a.test//a//b/ https://[::1]:81/a/ http://a.test/%28x%29/y".split()
) | _URLS.filter(lambda url: _or_none(url) is not None)


@settings(max_examples=120)
@given(_URLS)
@example("http://[fe80::1%ü]/")
def test_canonical_is_idempotent_and_ascii_or_the_url_is_refused(url: str) -> None:
    once = _or_none(url)
    if once is not None:
        assert once.isascii() and once.isprintable() and " " not in once
        assert once.startswith(("http://", "https://"))
        assert canonical(once) == once


@settings(max_examples=80)
@given(_BASES, _STEPS)
def test_the_short_way_for_plain_links_agrees_with_the_long_way(base: str, href: str) -> None:
    # A fragment changes no address, and keeps a link off the short way.
    assert _or_none(href, base) == _or_none(href + "#", base)


@settings(max_examples=80)
@given(_BASES, _SOUP | _STEPS)
def test_a_resolved_link_is_canonical(base: str, href: str) -> None:
    resolved = _or_none(href, base)
    assert resolved is None or canonical(resolved) == resolved


@settings(max_examples=80)
@given(st.sampled_from(["http://a.test/", "http://a.test/a/b/c?d"]), _STEPS)
def test_plain_links_are_joined_as_urljoin_does(base: str, href: str) -> None:
    # urljoin drops empty segments, and takes an escaped dot for a name.
    if "//" not in f"/{href}" and "%" not in href:
        assert _or_none(href, base) == _or_none(urljoin(base, href))


def _or_none(url: str, base: str | None = None) -> str | None:
    try:
        return canonical(url, base)
    except MalformedUrlError:
        return None
