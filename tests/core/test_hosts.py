"""Host rules: which hosts they are about."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.hosts import hosts, name_and_port, sites


@pytest.mark.parametrize(
    ("rule", "url"),
    [
        ("a.test", "http://a.test/"),
        ("a.test", "https://a.test:8443/x"),
        ("a.test", "http://www.a.test/"),
        ("a.test", "http://x.y.a.test/"),
        (" A.Test. ", "http://a.test/"),
        ("test", "http://a.test/"),
        ("a.test:8443", "https://a.test:8443/"),
        ("a.test:80", "http://www.a.test/"),
        ("a.test:443", "https://a.test/"),
        ("*.a.test", "http://x.a.test/"),
        ("a.*", "http://a.test/"),
        ("*a*:8080", "http://ba.test:8080/"),
        ("bücher.test", "http://www.xn--bcher-kva.test/"),
        ("*.Bücher.test", "http://www.xn--bcher-kva.test/"),
        ("bücher.*:81", "http://xn--bcher-kva.test:81/"),
        ("10.0.0.1", "http://10.0.0.1:81/"),
        ("[::1]", "http://[::1]/"),
        ("::1", "http://[::1]:8080/"),
        ("[::1]:8080", "http://[::1]:8080/"),
    ],
)
def test_a_rule_is_about_a_host(rule: str, url: str) -> None:
    found = hosts([rule]).first(url)
    assert found is not None and found.text == rule


@pytest.mark.parametrize(
    ("rule", "url"),
    [
        ("a.test", "http://ba.test/"),
        ("a.test", "http://a.test.evil/"),
        ("www.a.test", "http://a.test/"),
        ("a.test:80", "https://a.test/"),
        ("a.test:8443", "https://a.test/"),
        ("*.a.test", "http://a.test/"),
        ("0.0.1", "http://10.0.0.1/"),
        ("[::1]:8080", "http://[::1]/"),
    ],
)
def test_a_rule_is_not_about_a_host(rule: str, url: str) -> None:
    assert hosts([rule]).first(url) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://A.test/x", "is a URL, not a host; give the host alone: a.test."),
        ("a.test/x", "is a URL, not a host; give the host alone: a.test."),
        ("http://", "is a URL, not a host; give the host alone, such as example.org."),
        ("", "is no host; write it as example.org."),
        ("a b", "is no host; write it as example.org."),
        ("a..b", "is no host; write it as example.org."),
        ("a.test:x", "is no host; write it as example.org."),
        ("a.test:99999", "names no port; give one from 1 to 65535."),
        ("*.a.test:0", "names no port; give one from 1 to 65535."),
        ("*bücher.test", "is no pattern of hosts; write it as *.example.org."),
        ("*.a test", "is no pattern of hosts; write it as *.example.org."),
    ],
)
def test_what_is_no_host_is_told(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        hosts([text])
    assert str(caught.value) == f"{text!r} {message}"


def test_no_rules_are_about_no_host() -> None:
    assert not hosts([]) and hosts([]).first("http://a.test/") is None


def test_rules_that_name_a_port_of_a_host() -> None:
    rules = hosts(["a.test:8080", "b.test", "*.c.test:81"])
    urls = ["http://x.a.test/", "http://b.test:8080/", "http://d.c.test/", "http://e.test:81/"]
    assert [rules.name_ports_of(url) for url in urls] == [True, False, True, False]


def test_sites_are_hosts_without_www_and_port() -> None:
    home = sites(["http://www.a.test:8080/x", "http://a.test/", "http://b.a.test/"])
    assert [rule.name for rule in home.rules] == ["a.test", "b.a.test"]
    assert home.first("https://c.a.test/") is not None


def test_names_and_ports() -> None:
    assert name_and_port("https://a.test/") == ("a.test", 443)
    assert name_and_port("http://[::1]:81/") == ("[::1]", 81)
    assert name_and_port("http://[::1]/") == ("[::1]", 80)
