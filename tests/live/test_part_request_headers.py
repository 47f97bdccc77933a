"""Headers that a user adds: what is taken, and what is refused with advice."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.live.network import Network
from scenthound.live.request_headers import parse_headers


def test_nothing_is_no_header() -> None:
    assert parse_headers(()) == {}


def test_names_values_and_what_is_given_twice() -> None:
    lines = ["Accept-Language: de, en;q=0.5", "X-From:us:you", "x-from:  others ", "X-Empty:"]
    assert parse_headers(lines) == {
        "Accept-Language": "de, en;q=0.5", "X-From": "us:you, others", "X-Empty": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("Authorization: Basic eA==", "--auth"),
        ("COOKIE: a=b", "--cookie-file"),
        ("user-agent: Mozilla", "--contact"),
        ("Proxy-Authorization: Basic eA==", "--proxy"),
        ("Host: a.test", "leave it out"),
        ("Content-Length: 3", "leave it out"),
        ("connection: close", "leave it out"),
        ("Transfer-Encoding: chunked", "leave it out"),
        ("Accept-Encoding: zstd", "unpack"),
        ("Range: bytes=0-1", "pieces"),
    ],
)
def test_a_header_that_would_do_harm_is_refused_with_advice(line: str, advice: str) -> None:
    with pytest.raises(SettingsError, match=advice) as refused:
        parse_headers([line])
    assert line.partition(": ")[2] not in str(refused.value)


@pytest.mark.parametrize("line", ["", "no colon", ": value", "a b: c", "a\nb: c", "ä: b", "a(: b"])
def test_what_is_no_header_is_refused(line: str) -> None:
    with pytest.raises(SettingsError, match=r"is no header; write it as 'Name: value'\."):
        Network("x", header=(line,))


@pytest.mark.parametrize("value", ["a\r\nCookie: b", "a\nb", "a\0b", "\x7f", "größe"])
def test_a_value_cannot_begin_another_line(value: str) -> None:
    with pytest.raises(SettingsError, match=r"^--header X-A has a line break or another"):
        Network("x", header=(f"X-A: {value}",))


def test_a_given_header_takes_the_place_of_ours_whatever_its_spelling() -> None:
    headers = Network("x", header=("accept: text/plain", "X-A: b")).request_headers
    assert headers["accept"] == "text/plain"
    assert "Accept" not in headers
    assert (headers["X-A"], headers["User-Agent"]) == ("b", "x")
