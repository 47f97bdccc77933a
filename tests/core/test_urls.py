"""One canonical form decides identity; URLs that lead nowhere new, and those that look so."""

from __future__ import annotations

import itertools
import json
from urllib.parse import urljoin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.core.errors import MalformedUrlError
from scenthound.core.scope import SeriesLimit, is_dated, trap, without_session
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
    for url, why in REFUSED:
        assert _or_none(url) is None, why
    for href, resolved, why in RELATIVE:
        assert _or_none(href, PAGE) == resolved, why


def test_a_base_is_canonical_before_it_is_used_and_a_malformed_one_is_refused() -> None:
    assert canonical("x", "HTTP://A.test/b/..") == "http://a.test/x"
    assert BaseUrl("http://a.test").resolve("x") == "http://a.test/x"
    with pytest.raises(MalformedUrlError):
        canonical("http://a.test/", "mailto:someone@a.test")


def test_the_longest_url_is_accepted_and_one_more_is_not() -> None:
    longest = "http://a.test/" + "x" * (MAX_URL_LENGTH - 14)
    assert canonical(longest) == longest
    assert BaseUrl("http://a.test/").resolve(longest[14:]) == longest
    with pytest.raises(MalformedUrlError, match="too long"):
        BaseUrl("http://a.test/").resolve(longest[14:] + "x")


def test_hosts_keep_their_port_and_tidy_what_is_inside() -> None:
    assert host_of(canonical("http://A.test:81/x")) == "a.test:81"
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


# Session ids, traps, calendars


NOW = 2025
HEX = "0123456789abcdef0123456789abcdef"

SESSIONS = [
    ("/shop;jsessionid=1A2B3C", "/shop"),
    ("/shop;JSESSIONID=AB%21-12?item=3", "/shop?item=3"),
    ("/a;jsessionid=1/b", "/a/b"),
    ("/a/.;jsessionid=1/b", "/a/b"),
    ("/;jsessionid=1", "/"),
    ("/a;v=2;jsessionid=1", "/a;v=2"),
    (f"/f.php?PHPSESSID={HEX}", "/f.php"),
    ("/f.php?PHPSESSID=short&t=4", "/f.php?t=4"),
    (f"/viewtopic.php?t=4&sid={HEX}", "/viewtopic.php?t=4"),
    (f"/viewtopic.php?sid={HEX}&t=4&x=1", "/viewtopic.php?t=4&x=1"),
    (f"/showthread.php?s={HEX}&t=9", "/showthread.php?t=9"),
    ("/i?sessionid=Zm9vYmFyMTIzNDU2Nzg5MA%3D%3D", "/i"),
    ("/i?session_id=a1b2c3d4-e5f6-7890-abcd-ef0123456789&b", "/i?b"),
    ("/x.cfm?id=1&CFID=12&CFTOKEN=a-b", "/x.cfm?id=1"),
    ("/p?osCsid=6a7b&products_id=1", "/p?products_id=1"),
    ("/a.asp?ASPSESSIONIDQQBCTDDA=X", "/a.asp"),
    ("/app/(S(lit3py55t21z5v55vlm25s55))/page.aspx", "/app/page.aspx"),
    ("/(X(1)S(lit3py55t21z5v55vlm25s55))/page.aspx?a=1", "/page.aspx?a=1"),
]

NO_SESSIONS = [
    "/", "/a/b?c=d&e=f", "/sessions/2024?sid=42", "/list?sid=introductiontoalgebra",
    "/list?sid=1234567890123456789", "/list?s=search+words", "/conf?session=keynote-opening-talk",
    "/;a=b/c;d", "/Sphere_(maths)", "/f(S(x))/a", "/(S(short))/a", "/a?b=;jsessionid=3x",
    "/a?x=1&&y=2&", "/a?session", "/jsessionid=4", f"/blob/{HEX}", f"/a?commit={HEX}",
]  # fmt: skip

TRAPPED = {
    "path repetition": [
        "/a/blog/blog/blog/post", "/css/img/css/img/css/img/x.html", "/a/a/a/a/a",
        "/docs/en/docs/de/docs/fr/docs/it", "/1/2/1/2/1/2/1/2/1/2",
        "/index.php/index.php/index.php",
    ],
    "too deep": ["/" + "/".join(f"s{i}" for i in range(26)), "/" * 27],
    "too many parameters": ["/?" + "&".join(f"p{i}=1" for i in range(21))],
    "calendar": [
        "/calendar/2099/05", "/calendar/1850/05/", "/calendar?date=2031-07",
        "/cal.php?year=2090&month=3", "/cal.php?month=3&year=1812", "/e?cal_month=1&cal_year=3021",
        "/events/2090-05/", "/events/month/2030-1", "/2099/12/31/", "/archive/2031-07-01",
        "/calendar/9998-01-01", "/calendar-2099-05.html", "/Kalender/2028/1/1", "/cal/2049/1/",
        "/cal/2049/1/?view=list", "/archive/2031/12", "/2049/01/05/", "/2023/05/next/2028/06",
        "/2199/1",
    ],
}  # fmt: skip

LEGIT = [
    "/", "/a/a/", "/a/a/a", "/en/a/en/b/en/c/en/d", "/tiles/0/0/0", "/1/1/1/1",
    "/foo/foo/bar", "/wiki/wiki/Main", "/2001/1/1/1/", "/com/example/example/Main.java",
    "/2023/05/17/storm-over-the-coast", "/2023/05", "/2025/12/31/", "/2027/01/01/next-year",
    "/wiki/1066", "/wiki/2099", "/history/1066/10/14/hastings", "/1815/06/18/", "/1815-06-18",
    "/forum/3456/12", "/forum/3456/2/", "/item-3456-12", "/doi/10.1000/3456-7", "/9999/13/45",
    "/calendar/2024/05", "/calendar/2027/12", "/calendar/1900/01", "/calendar/1066",
    "/cal.php?year=2024&month=3", "/cal.php?year=1066", "/?year=3000&page=2", "/isbn/9780131103627",
    "/web/20240517120000/http://a.test/", "/events/1066/10/14", "/events/2026-05-01",
    "/calendars/9999", "/1478-3975/7/1/016016", "/2072-4292/11/19/2193/htm", "/3975/11/12",
    "/event/b8ebf811-6f99-4388-8123-8e87a91e800f/summary",
    "/archive/2027/12", "/cal/2049/1/list", "/2049/13/", "/2200/1", "/issn/2072-2049/11/",
    "/a-2049/1", "/12049/1/", "/x2049/1", "/b8ebf811-6f99-4388-8123-2049/1", "/2049/1.html",
    "/?p=2049/1", "/a?b=/2049/1", "/2049/0/", "/cal/2049/",
    "/phone/555-2368-01", "/?" + "&".join(f"p{i}=1" for i in range(20)),
    "/" + "/".join(f"s{i}" for i in range(25)), "//a//b//c", "/law/section/1/section/2/section/3",
]  # fmt: skip


def at(path: str) -> str:
    return canonical("http://a.test" + path)


def test_session_ids_are_taken_out_and_nothing_else_changes() -> None:
    for path, expected in [*SESSIONS, *zip(NO_SESSIONS, NO_SESSIONS, strict=True)]:
        assert without_session(at(path)) == at(expected)


@given(
    st.text("aS/.;?&=(%28)", max_size=30),
    st.sampled_from([f";jsessionid={HEX}", f"sid={HEX}&", f"(S({HEX}))/", f"&PHPSESSID={HEX}"]),
    st.text("aS/.;?&=()", max_size=30),
)
def test_what_is_left_is_canonical(before: str, session: str, after: str) -> None:
    try:
        url = at("/" + before + session + after)
    except MalformedUrlError:
        return
    bare = without_session(url)
    assert canonical(bare) == bare
    assert len(bare) <= len(url)


def test_traps_are_reported_by_their_kind_and_pages_that_only_look_so_pass() -> None:
    for reason, paths in [*TRAPPED.items(), (None, LEGIT)]:
        assert {path: trap(at(path), NOW) for path in paths} == dict.fromkeys(paths, reason)


def test_dates_are_seen_and_other_numbers_are_none() -> None:
    dated = ["/2023/05/17/", "/cal/2023-05", "/c?year=2023&month=5", "/c?d=2023-05-17"]
    others = ["/wiki/1066", "/a?id=2023", "/a?year=2023", "/2023/13", "/12345/06"]
    assert [path for path in dated + others if is_dated(at(path))] == dated


def days(count: int) -> list[str]:
    return [
        f"http://a.test/cal/{2000 + n // 336}/{n // 28 % 12 + 1:02}/{n % 28 + 1:02}/"
        for n in range(count)
    ]


def test_a_calendar_ends_at_about_the_limit_also_after_a_restart() -> None:
    limit, before, after = (SeriesLimit(most=100) for _ in range(3))
    refused = [limit.admit(url) for url in days(1_000)]
    assert refused[:100] == [None] * 100
    assert refused[120:] == ["endless calendar"] * 880
    first = [before.admit(url) for url in days(300)[:60]]
    after.restore(json.loads(json.dumps(before.state())))
    assert first + [after.admit(url) for url in days(300)[60:]] == refused[:300]


def test_dated_articles_and_numbered_pages_never_end() -> None:
    limit = SeriesLimit(most=10)
    names = ["-".join(pair) for pair in itertools.product("abcdefg", repeat=2)]
    articles = [url.replace("/cal/", "/") + name for url, name in zip(days(49), names, strict=True)]
    numbered = [f"http://a.test/article/{n}" for n in range(1_000, 3_000)]
    assert {limit.admit(url) for url in articles + numbered} == {None}


def test_memory_is_bounded_and_what_is_in_use_stays() -> None:
    limit = SeriesLimit(most=10, kept=50)
    refused = []
    for n, url in enumerate(days(2_000)):
        limit.admit(f"http://h{n}.test/2024/05/{'x' * n}"[:300])
        refused.append(limit.admit(url))
    assert len(limit.state()) <= 50
    assert refused[-100:] == ["endless calendar"] * 100
