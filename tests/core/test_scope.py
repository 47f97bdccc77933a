"""Bounds: the order of the rules, whom they bind, and what they cannot mean."""

from __future__ import annotations

from typing import Any

import pytest

from core.crawl_building import page
from scenthound.core.errors import SettingsError
from scenthound.core.patterns import pattern_warnings
from scenthound.core.scope import DropCount, Scope, ScopeViolation, UrlRules, check_url_rules

ALL: dict[str, Any] = {
    "allow_host": ["a.test", "b.test"],
    "deny_host": ["no.a.test"],
    "include": ["*storm*"],
    "exclude": ["*/login*"],
    "stay_with": ["http://www.a.test/"],
}


def test_the_first_rule_that_is_broken_is_the_reason() -> None:
    for url, reason, rule in [
        ("http://no.a.test/login", "host denied", "deny_host 'no.a.test'"),
        ("http://c.test/login", "excluded", "exclude '*/login*'"),
        ("http://c.test/", "host not allowed", "no allow_host is about its host"),
        ("http://b.test/", "outside the seeds' hosts",
         "stay: its host is no seed's, nor below one"),
        ("http://a.test/", "not included", "no include matches it"),
    ]:  # fmt: skip
        assert UrlRules(**ALL).violation(url) == ScopeViolation(reason, rule)


def test_within_all_of_them_a_url_is_followed() -> None:
    assert UrlRules(**ALL).violation("http://x.a.test/storm") is None
    assert UrlRules().violation("http://any.test/") is None


def test_whom_a_person_named_is_bound_by_what_is_denied_alone() -> None:
    bounds = UrlRules(**ALL)
    assert bounds.denial("http://c.test/") is None
    assert bounds.denial("http://c.test/login") == ScopeViolation("excluded", "exclude '*/login*'")


def test_a_seed_may_move_within_its_site() -> None:
    for target, is_seed, reason in [
        ("https://www.a.test/", True, None),
        ("https://www.a.test/", False, "not included"),
        ("https://www.a.test/login", True, "excluded"),
        ("https://c.test/storm", True, "host not allowed"),
        ("https://a.test/storm", False, None),
    ]:
        violation = UrlRules(**ALL).redirect_violation("http://a.test/", target, is_seed)
        assert (violation and violation.reason) == reason


def test_a_port_that_is_named_binds_a_seeds_redirect() -> None:
    for allowed, target, reason in [
        ("a.test:8080", "http://a.test:9090/", "host not allowed"),
        ("a.test:8080", "http://a.test:8080/x", None),
        ("a.test:80", "https://a.test/", "host not allowed"),
        ("b.test:80", "https://a.test/", None),
        ("b.test", "http://a.test:9090/", None),
    ]:
        bounds = UrlRules(allow_host=[allowed])
        violation = bounds.redirect_violation("http://a.test:8080/", target, is_seed=True)
        assert (violation and violation.reason) == reason


def test_what_lets_a_url_in_is_told() -> None:
    assert UrlRules(**ALL).permits("http://x.a.test/storm") == (
        "allow_host 'a.test'", "stay: a.test is a seed's host", "include '*storm*'",
    )  # fmt: skip
    assert UrlRules(exclude=["*x*"]).permits("http://a.test/") == ()


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


def test_bounds_that_leave_nothing_are_errors() -> None:
    for given, message in [
        ({"exclude": ["*a*", "*"]}, "exclude '*' matches every URL, so nothing would be fetched"),
        ({"exclude": ["re:."]}, "exclude 're:.' matches every URL"),
        ({"deny_host": ["*"]}, "deny_host '*' is every host, so nothing would be fetched"),
        ({"include": ["news"]}, "include 'news' can match no URL, as URLs begin with http://"),
        ({"include": [""]}, "include '' can match no URL"),
        ({"include": ["re:("]}, "include 're:(' is no regular expression"),
        ({"allow_host": ["http://a.test/"]}, "allow_host 'http://a.test/' is a URL, not a host"),
        ({"deny_host": ["a b"]}, "deny_host 'a b' is no host"),
        ({"allow_host": ["x.a.test"], "deny_host": ["a.test"]}, "every host of allow_host is"),
        ({"allow_host": ["*.a.test"], "deny_host": ["*.a.test"]}, "every host of allow_host is"),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            check_url_rules(**{**GOOD, **given})
        assert str(caught.value).startswith(message)


def test_bounds_that_leave_something_are_none() -> None:
    for given in [
        {}, {"include": ["*"]}, {"include": ["news", "*news*"]}, {"exclude": ["news"]},
        {"allow_host": ["a.test", "b.test"], "deny_host": ["a.test"]},
        {"allow_host": ["a.test"], "deny_host": ["x.a.test"]},
        {"allow_host": ["a.test"], "deny_host": ["a.test:8080"]},
        {"allow_host": ["a.test"], "include": ["http://b.test/*", "*storm*"]},
    ]:  # fmt: skip
        assert check_url_rules(**{**GOOD, **given}) is None  # type: ignore[func-returns-value]


def test_advice() -> None:
    assert list(pattern_warnings("include", ["*", "news", "*storm*"])) == [
        "include 'news' can match no URL, as URLs begin with http:// or https:// and have no #; "
        "did you mean '*news*'?"
    ]
    assert list(pattern_warnings("exclude", ["re:/straße", "*/straße", "re:/a"])) == [
        "exclude 're:/straße' has characters that no URL has, as URLs write them escaped; did you "
        "mean 're:/stra%C3%9Fe'?"
    ]
