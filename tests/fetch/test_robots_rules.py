"""robots.txt as RFC 9309 has it, dirt included, and how long it is known."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from crawler.scripted_downloads import HandClock
from scenthound.core.urls import canonical
from scenthound.fetch.robots import (
    MAX_ROBOTS_BYTES,
    RobotsRules,
    RobotsRulesCache,
    origin_of,
    product_token,
    robots_url,
)

AGENT = "scenthound/0.1 (+https://example.org/bot)"


def rules(text: str | bytes, status: int = 200) -> RobotsRules:
    return RobotsRules.read(status, text.encode() if isinstance(text, str) else text, AGENT)


def allows(text: str | bytes, path: str) -> bool:
    return rules(text).allows(canonical("http://a.test" + path))


FORBIDDEN: list[tuple[str | bytes, str]] = [
    ("User-agent: *\nDisallow: /", "/x"),
    ("User-agent: *\nDisallow: /a(b)", "/a(b)/c"),
    ("User-agent: *\nDisallow: /a%28b%29", "/a(b)"),
    ("User-agent: *\nDisallow: /a!b'c*d,e", "/a!b'cXd,e"),
    ("User-agent: *\nDisallow: /%7euser", "/~user/x"),
    ("User-agent: *\nDisallow: /caf%c3%a9", "/café"),
    (b"User-agent: *\nDisallow: /caf\xe9", "/caf%E9"),
    ("User-agent: *\nDisallow: /*.cgi$", "/a/b.cgi"),
    ("User-agent: *\nDisallow: /a%2Fb", "/a%2fb"),
    ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b"),
    ("USER-AGENT : *\n disallow : /x # not here", "/x"),
    ("User-agent: Scenthound\nDisallow: /x\n\nUser-agent: *\nAllow: /", "/x"),
    ("User-agent: SCENTHOUND (all versions)\nDisallow: /x", "/x"),
    ("User-agent: other\nUser-agent: scenthound/2.0\nDisallow: /x", "/x"),
    ("User-agent: scenthound\nDisallow: /x\n\nUser-agent: scenthound\nDisallow: /y", "/x"),
    ("\ufeffUser-agent: *\rDisallow: /x\r", "/x"),
    ("User-agent: *\nDisallow: /x".encode("utf-16"), "/x"),
    (b"\xff junk \x80\nUser-agent: *\x00\nDis\x00allow: /x", "/x"),
]

ALLOWED: list[tuple[str | bytes, str]] = [
    ("", "/x"),
    ("User-agent: *\nDisallow:", "/x"),
    ("User-agent: *\nDisallow: /", "/robots.txt"),
    ("User-agent: *\nDisallow: /a(b)", "/a"),
    ("User-agent: *\nDisallow: /a/\nAllow: /a/b", "/a/b"),
    ("User-agent: *\nDisallow: /x\n\nUser-agent: scenthound\nDisallow: /y", "/x"),
    ("User-agent: scent\nDisallow: /", "/x"),
    ("User-agent: scenthound-news\nDisallow: /", "/x"),
    ("# User-agent: scenthound\nDisallow: /", "/x"),
    ("<!DOCTYPE html>\n<html><body>Disallow: / User-agent: *</body></html>", "/x"),
]


def test_what_is_forbidden_and_what_is_allowed() -> None:
    assert [each for each in FORBIDDEN if allows(*each)] == []
    assert [each for each in ALLOWED if not allows(*each)] == []


def test_a_site_without_rules_allows_everything_and_one_that_cannot_answer_nothing() -> None:
    for status in [302, 401, 404, 451]:
        found = rules("User-agent: *\nDisallow: /", status)
        assert found.allows("http://a.test/x") and not found.temporary
    for status in [0, 429, 503]:
        found = rules("User-agent: *\nAllow: /", status)
        assert not found.allows("http://a.test/x") and found.temporary


@given(st.binary(max_size=200))
@example(b"User-agent: *\nCrawl-delay: 1e999\nRequest-rate: 1/0\nSitemap: http://[")
@example(b"User-agent: *\nDisallow: %\nDisallow: *$*$\nAllow: [")
def test_no_file_makes_it_fail(body: bytes) -> None:
    found = rules(body)
    assert found.allows("http://a.test/a%28b%29?c=[d]") in (True, False)
    assert not found.temporary


def test_a_long_file_is_read_up_to_the_last_whole_line() -> None:
    filler = "User-agent: *\n" + "# comment\n" * (MAX_ROBOTS_BYTES // 10)
    cut = filler[: MAX_ROBOTS_BYTES - len("Disallow: /")]
    body = cut[: cut.rindex("\n") + 1]
    body += "#" * (MAX_ROBOTS_BYTES - len(body) - len("\nDisallow: /")) + "\nDisallow: /private\n"
    assert allows(body, "/x")
    assert not allows(body.replace("comment", "c"), "/private")


def test_delay() -> None:
    expected = {
        "Disallow: /x": None,
        "Crawl-delay: 2.5": 2.5,
        "Crawl-delay: 0": 0.0,
        "Crawl-delay: 86400": 120.0,
        "Crawl-delay: -1": None,
        "Crawl-delay: soon": None,
        "Crawl-delay: nan": None,
        "Request-rate: 2/1m 0400-0845": 30.0,
        "Request-rate: 1/10\nCrawl-delay: 3": 10.0,
        "Request-rate: 1/1\nCrawl-delay: 3": 3.0,
        "Request-rate: 0/10": None,
        "Crawl-delay: 9\n\nUser-agent: scenthound\nCrawl-delay: 1": 1.0,
    }
    assert {lines: rules(f"User-agent: *\n{lines}").delay for lines in expected} == expected


def test_sitemaps_are_canonical_few_and_usable() -> None:
    lines = ["Sitemap: HTTP://A.test/s.xml", "Sitemap: /relative", "Sitemap: ftp://a.test/"]
    lines += [f"Sitemap: http://a.test/{n}.xml" for n in range(500)]
    found = rules("\n".join([*lines, *lines])).sitemaps
    assert found[:2] == ("http://a.test/s.xml", "http://a.test/0.xml")
    assert len(found) == len(set(found)) == 100


def test_product_token_and_origins() -> None:
    tokens = {AGENT: "scenthound", " My-Crawler_x/2": "my-crawler_x", "": "", "(no name)": ""}
    assert {agent: product_token(agent) for agent in tokens} == tokens
    text = b"User-agent: scenthound\nAllow: /\n\nUser-agent: *\nDisallow: /"
    assert not RobotsRules.read(200, text, "").allows("http://a.test/x")  # the rules for all
    assert origin_of("https://a.test:8443/x/y?z=/") == "https://a.test:8443"
    assert origin_of("http://[::1]:80/x") == "http://[::1]:80"
    assert robots_url("http://a.test") == "http://a.test/robots.txt"


def test_rules_are_known_for_a_day_and_failures_not_at_all() -> None:
    time = HandClock()
    cache = RobotsRulesCache(AGENT, time)
    assert cache.state("http://a.test") is None
    known = cache.learn("http://a.test", 200, b"User-agent: *\nDisallow: /x")
    assert cache.learn("http://b.test", 503, b"").temporary
    assert cache.state("http://b.test") is None
    time.forward(24 * 3600 - 1)
    assert cache.state("http://a.test") is known
    time.forward(1)
    assert cache.state("http://a.test") is None
    cache.learn("http://a.test", 200, b"")
    cache.learn("http://a.test", 500, b"")  # a failure takes back what was known
    assert cache.state("http://a.test") is None and len(cache) == 0


def test_origins_not_asked_for_are_forgotten_first() -> None:
    cache = RobotsRulesCache(AGENT, HandClock(), most=3)
    for name in "abc":
        cache.learn(f"http://{name}.test", 200, b"")
    assert cache.state("http://a.test") is not None
    cache.learn("http://d.test", 200, b"")
    assert len(cache) == 3
    assert cache.state("http://b.test") is None
    assert cache.state("http://a.test") is not None


def test_large_files_take_the_place_of_many() -> None:
    cache = RobotsRulesCache(AGENT, HandClock(), most_bytes=1_000)
    for name in "abcd":
        cache.learn(f"http://{name}.test", 200, b"#" * 300)
    assert len(cache) == 3
    cache.learn("http://d.test", 200, b"#" * 100)
    assert len(cache) == 3
    cache.learn("http://e.test", 200, b"#" * 5_000)
    assert len(cache) == 1
    assert cache.state("http://e.test") is not None
    cache.learn("http://f.test", 404, b"")
    assert cache.state("http://f.test") is not None
