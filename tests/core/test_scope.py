"""Which URLs a crawl may fetch: bounds and their order, rules for hosts, patterns of URLs."""

from __future__ import annotations

import fnmatch
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.crawl_building import page
from scenthound.core.errors import SettingsError
from scenthound.core.hosts import host_rules, name_and_port, site_rules
from scenthound.core.patterns import (
    UrlPatterns,
    matches_everything,
    matches_nothing,
    pattern_warnings,
)
from scenthound.core.scope import DropCount, Scope, ScopeViolation, UrlRules, check_url_rules

ALL: dict[str, Any] = {
    "allow_host": ["a.test", "b.test"],
    "deny_host": ["no.a.test"],
    "include": ["*storm*"],
    "exclude": ["*/login*"],
    "stay_with": ["http://www.a.test/"],
}


def test_the_first_rule_that_is_broken_or_lets_a_url_in_is_the_reason() -> None:
    for url, reason, rule in [
        ("http://no.a.test/login", "host denied", "deny_host 'no.a.test'"),
        ("http://c.test/login", "excluded", "exclude '*/login*'"),
        ("http://c.test/", "host not allowed", "no allow_host is about its host"),
        ("http://b.test/", "outside the seeds' hosts",
         "stay: its host is no seed's, nor below one"),
        ("http://a.test/", "not included", "no include matches it"),
    ]:  # fmt: skip
        assert UrlRules(**ALL).violation(url) == ScopeViolation(reason, rule)
    assert UrlRules(**ALL).violation("http://x.a.test/storm") is None
    assert UrlRules().violation("http://any.test/") is None
    assert UrlRules(**ALL).permits("http://x.a.test/storm") == (
        "allow_host 'a.test'", "stay: a.test is a seed's host", "include '*storm*'",
    )  # fmt: skip
    assert UrlRules(exclude=["*x*"]).permits("http://a.test/") == ()


def test_whom_a_person_named_is_bound_by_what_is_denied_alone() -> None:
    bounds = UrlRules(**ALL)
    assert bounds.denial("http://c.test/") is None
    assert bounds.denial("http://c.test/login") == ScopeViolation("excluded", "exclude '*/login*'")


def test_a_seed_may_move_within_its_site_unless_a_port_is_named() -> None:
    http, https = "http://a.test:8080/", "https://www.a.test/"
    for rules, page_url, target, is_seed, reason in [
        (ALL, "http://a.test/", https, True, None),
        (ALL, "http://a.test/", https, False, "not included"),
        (ALL, "http://a.test/", "https://www.a.test/login", True, "excluded"),
        (ALL, "http://a.test/", "https://c.test/storm", True, "host not allowed"),
        (ALL, "http://a.test/", "https://a.test/storm", False, None),
        ({"allow_host": ["a.test:8080"]}, http, "http://a.test:9090/", True, "host not allowed"),
        ({"allow_host": ["a.test:8080"]}, http, "http://a.test:8080/x", True, None),
        ({"allow_host": ["a.test:80"]}, http, "https://a.test/", True, "host not allowed"),
        ({"allow_host": ["b.test:80"]}, http, "https://a.test/", True, None),
        ({"allow_host": ["b.test"]}, http, "http://a.test:9090/", True, None),
    ]:
        violation = UrlRules(**rules).redirect_violation(page_url, target, is_seed)
        assert (violation and violation.reason) == reason


def test_links_out_of_bounds_are_counted_by_reason() -> None:
    drops = DropCount({})
    links = ("http://c.test/", "http://a.test/storm", "http://a.test/login")
    kept = Scope(UrlRules(**ALL)).follow(page("http://a.test/", *links), drops)
    assert [link.url for link in kept] == ["http://a.test/storm"]
    assert drops.total().to_json() == {
        "host not allowed": [1, ["http://c.test/"]], "excluded": [1, ["http://a.test/login"]],
    }  # fmt: skip


# what bounds cannot mean

GOOD: dict[str, list[str]] = {"allow_host": [], "deny_host": [], "include": [], "exclude": []}


def test_bounds_that_leave_nothing_are_errors_and_others_are_not() -> None:
    for bounds, message in [
        ({"exclude": ["*a*", "*"]}, "exclude '*' matches every URL, so nothing would be fetched"),
        ({"exclude": ["re:."]}, "exclude 're:.' matches every URL"),
        ({"deny_host": ["*"]}, "deny_host '*' is every host, so nothing would be fetched"),
        ({"include": ["news"]}, "include 'news' can match no URL, as URLs begin with http://"),
        ({"include": [""]}, "include '' can match no URL"),
        ({"allow_host": ["a.test", "*.b.test"], "deny_host": ["test", "*.b.test"]},
         "every host of allow_host is denied by deny_host"),
        ({"include": ["re:("]}, "include 're:(' is no regular expression"),
        ({"allow_host": ["http://a.test/"]}, "allow_host 'http://a.test/' is a URL, not a host"),
        ({"deny_host": ["a b"]}, "deny_host 'a b' is no host"),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            check_url_rules(**{**GOOD, **bounds})
        assert str(caught.value).startswith(message)
    for useful in [
        {}, {"include": ["*"]}, {"include": ["news", "*news*"]}, {"exclude": ["news"]},
        {"allow_host": ["a.test", "b.test"], "deny_host": ["a.test"]},
        {"allow_host": ["a.test"], "deny_host": ["x.a.test"]},
        {"allow_host": ["a.test"], "deny_host": ["a.test:8080"]},
        {"allow_host": ["a.test"], "include": ["http://b.test/*", "*storm*"]},
    ]:  # fmt: skip
        check_url_rules(**{**GOOD, **useful})


def test_advice_on_patterns() -> None:
    assert list(pattern_warnings("include", ["*", "news", "*storm*"])) == [
        "include 'news' can match no URL, as URLs begin with http:// or https:// and have no #; "
        "write '*news*' for a word anywhere."
    ]


# Host rules: which hosts they are about.


def test_which_hosts_a_rule_is_about() -> None:
    for rule, urls, others in [
        ("a.test", "http://a.test/ https://a.test:8443/x http://www.a.test/ http://x.y.a.test/",
         "http://ba.test/ http://a.test.evil/"),
        ("www.a.test", "http://www.a.test/", "http://a.test/"),
        (" A.Test. ", "http://a.test/", ""),
        ("test", "http://a.test/", ""),
        ("a.test:8443", "https://a.test:8443/", "https://a.test/"),
        ("a.test:80", "http://www.a.test/", "https://a.test/"),
        ("a.test:443", "https://a.test/", ""),
        ("*.a.test", "http://x.a.test/", "http://a.test/"),
        ("a.*", "http://a.test/", ""),
        ("*a*:8080", "http://ba.test:8080/", ""),
        ("bücher.test", "http://www.xn--bcher-kva.test/", ""),
        ("*.Bücher.test", "http://www.xn--bcher-kva.test/", ""),
        ("bücher.*:81", "http://xn--bcher-kva.test:81/", ""),
        ("10.0.0.1", "http://10.0.0.1:81/", ""),
        ("0.0.1", "", "http://10.0.0.1/"),
        ("[::1]", "http://[::1]/", ""),
        ("::1", "http://[::1]:8080/", ""),
        ("[::1]:8080", "http://[::1]:8080/", "http://[::1]/"),
    ]:  # fmt: skip
        rules = host_rules([rule])
        for url in urls.split():
            found = rules.first(url)
            assert found is not None and found.text == rule
        assert not any(map(rules.first, others.split()))
    assert not host_rules([]) and host_rules([]).first("http://a.test/") is None


def test_what_is_no_host_is_reported() -> None:
    for texts, message in [
        (["https://A.test/x"], "is a URL, not a host; write it as example.org."),
        (["", "a b", "a..b", "a.test:x"], "is no host; write it as example.org."),
        (["a.test:99999", "*.a.test:0"], "names no port; give one from 1 to 65535."),
        (["*.a test", "*.ü*r.test"], "is no pattern of hosts; write it as *.example.org."),
    ]:
        for text in texts:
            with pytest.raises(SettingsError) as caught:
                host_rules([text])
            assert str(caught.value) == f"{text!r} {message}"


def test_rules_that_name_a_port_of_a_host() -> None:
    rules = host_rules(["a.test:8080", "b.test", "*.c.test:81"])
    urls = ["http://x.a.test/", "http://b.test:8080/", "http://d.c.test/", "http://e.test:81/"]
    assert [rules.name_ports_of(url) for url in urls] == [True, False, True, False]


def test_sites_are_hosts_without_www_and_port() -> None:
    home = site_rules(["http://www.a.test:8080/x", "http://a.test/", "http://b.a.test/"])
    assert [rule.name for rule in home.rules] == ["a.test", "b.a.test"]
    assert home.first("https://c.a.test/") is not None
    assert name_and_port("https://a.test/") == ("a.test", 443)
    assert name_and_port("http://[::1]:81/") == ("[::1]", 81)
    assert name_and_port("http://[::1]/") == ("[::1]", 80)


# Patterns of URLs: what they match, and which match everything or nothing.


PAGE = "http://a.test/wiki/Sphere_%28maths%29?x=(1)"


def test_a_pattern_matches() -> None:
    for pattern in [
        "*", "*wiki*", "http://a.test/*", "HTTP://A.Test/*", "http://a.test:80/*",
        "*Sphere_(maths)*", "*Sphere_%28maths%29*", "*?x=(1)", "http://a.tes?/wiki/*",
        "re:/wiki/", "re:^http://a[.]test/", "re:Sphere_%28[a-z]+%29",
    ]:  # fmt: skip
        assert UrlPatterns((pattern,)).match(PAGE)
    for pattern in ["wiki", "*wiki", "http://a.test", "re:^wiki", "*WIKI*", ""]:
        assert not UrlPatterns((pattern,)).match(PAGE)
    # literal parts are read as URLs are spelled
    for pattern, url in [
        ("https://A.test", "https://a.test/"),
        ("https://bücher.test/*", "https://xn--bcher-kva.test/a"),
        ("*/straße*", "http://a.test/stra%C3%9Fe/1"),
        ("*a b*", "http://a.test/a%20b"),
        ("*%c3%9f", "http://a.test/%C3%9F"),
        ("*[x]*", "http://a.test/?q=[x]"),
        ("*[x]*", "http://a.test/%5Bx%5D"),
    ]:
        assert UrlPatterns((pattern,)).match(url)


def test_hosts_may_be_written_as_people_write_them() -> None:
    for pattern, url, others in [
        ("*.Example.org/*", "http://a.example.org/x", "http://example.org/x"),
        ("HTTPS://*.Example.org/*", "https://a.example.org/x", "http://a.example.org/x"),
        ("http*://Example.*/a", "https://example.org/a", "https://example.org/A"),
        ("*//*.Example.org/*", "http://a.example.org/x", "http://b.org/a.example.org/x"),
        ("*bücher.de/*", "http://xn--bcher-kva.de/a", "http://a.org/bücher"),
        ("http://*.BÜCHER.de/*", "http://www.xn--bcher-kva.de/", "http://xn--bcher-kva.de/"),
        ("*.straße.de/ß*", "http://a.strasse.de/%C3%9F", "http://a.strasse.de/ss"),
        ("*.עברית.il/*", "http://a.xn--5dbqzzl.il/", "http://a.il/"),
        ("https://*.example.org:443/*", "https://a.example.org/", "http://a.example.org/"),
        ("*example.org:8080/*", "http://a.example.org:8080/", "http://a.example.org/"),
        ("*example.org:80/*", "http://a.example.org/x", "https://a.example.org/x"),
        ("https://*:443/*", "https://a.example.org/x", "http://a.example.org/x"),
        ("http://*.example.org", "http://a.example.org/", "http://a.example.org/b"),
    ]:
        assert UrlPatterns((pattern,)).match(url) and UrlPatterns((pattern,)).first(url) == pattern
        assert not UrlPatterns((pattern,)).match(others)
        assert not matches_nothing(pattern) and not matches_everything(pattern)


def test_capital_letters_count_in_paths() -> None:
    for pattern in ["*News/*", "*Storm*", "*/Storm/*", "http://a.test/Storm/*"]:
        assert not UrlPatterns((pattern,)).match("http://a.test/storm/news/storm/1")
        assert UrlPatterns((pattern,)).match("http://a.test/Storm/News/1")


def test_patterns_of_both_kinds_are_asked_for_hosts_in_other_scripts() -> None:
    patterns = UrlPatterns(("*.bücher.de/*", "re:xn--abc"))
    assert [patterns.first(f"http://{host}/") for host in ("a.xn--bcher-kva.de", "xn--abc")] == [
        "*.bücher.de/*", "re:xn--abc",
    ]  # fmt: skip
    assert not patterns.match("http://xn--/") and not patterns.match("http://a.de/")


def test_the_first_of_several_is_reported() -> None:
    patterns = UrlPatterns(("*x*", "re:wiki", "*wiki*"))
    assert patterns.first("http://a.test/wiki") == "re:wiki"
    assert patterns.first("http://a.test/") is None
    assert not UrlPatterns(())


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=12))
def test_stars_and_question_marks_are_those_of_a_shell(pattern: str, text: str) -> None:
    expected = re.match(fnmatch.translate(pattern), text) is not None
    assert UrlPatterns((pattern,)).match(text) == expected


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_text_is_a_pattern(pattern: str, url: str) -> None:
    patterns = UrlPatterns((pattern.removeprefix("re:"),))
    assert patterns.match(url) == (patterns.first(url) is not None)


def test_no_expression_takes_for_ever() -> None:
    evil = "http://a.test/" + "a" * 1_900 + "!"
    assert not UrlPatterns((r"re:(a+)+$", r"re:(a|a)*b", r"re:.*.*.*.*=x")).match(evil)
    assert not UrlPatterns(("*a*a*a*a*a*a*a*a*a*b",)).match(evil)


@pytest.mark.parametrize("text", ["re:(", "re:[", r"re:(?=a)", r"re:(a)\1", "re:a{9999}"])
def test_an_expression_that_cannot_be_read_is_reported(
    text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SettingsError, match="is no regular expression") as caught:
        UrlPatterns((text,))
    assert str(caught.value).startswith(repr(text))
    assert capfd.readouterr() == ("", "")


def test_what_matches_everything_and_what_nothing() -> None:
    for text in ["*", "**", "http*", "*/*", "*:*", "re:", "re:.", "re:^http"]:
        assert matches_everything(text) and not matches_nothing(text)
    for text in ["*.*", "*/", "https*", "*a*", "re:[a-z]{9}", "http://a.test/*"]:
        assert not matches_everything(text) and not matches_nothing(text)
    for text in [
        "news", "example.org/*", "/news/*", "", " ", "ftp://a.test/*", "http://a.test/#top"
    ]:  # fmt: skip
        assert matches_nothing(text) and not matches_everything(text)
