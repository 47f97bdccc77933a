"""What was asked for, however it was written."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.explanation.asking import asked, tail_of


def test_a_whole_url_is_one_spelling() -> None:
    assert asked(" HTTP://A.test:80/x#y ").spellings == ("http://a.test/x",)


@pytest.mark.parametrize("text", ["a.test/x", "//a.test/x"])
def test_without_a_scheme_there_are_two(text: str) -> None:
    assert asked(text).spellings == ("https://a.test/x", "http://a.test/x")


def test_twins_differ_in_scheme_www_and_slash() -> None:
    assert set(asked("https://www.a.test/x").twins) == {
        f"{scheme}://{host}/{path}"
        for scheme in ("http", "https")
        for host in ("a.test", "www.a.test")
        for path in ("x", "x/")
    } - {"https://www.a.test/x"}


@pytest.mark.parametrize(
    ("url", "twin"),
    [
        ("http://127.0.0.1/x?q=1", "https://127.0.0.1/x?q=1"),
        ("http://a.test:81/", "https://a.test:81/"),
    ],
)
def test_addresses_ports_and_queries_have_fewer_twins(url: str, twin: str) -> None:
    assert asked(url).twins == (twin,)


def test_a_number_is_a_page() -> None:
    assert (asked(7).number, asked(7).urls) == (7, ())
    assert asked(" 7 ") == asked(7)


@pytest.mark.parametrize("bad", ["", "   ", "mailto:a@b.test", "http://", "http://a b/", "/path"])
def test_what_is_no_url_is_refused(bad: str) -> None:
    with pytest.raises(SettingsError, match=r"is not the URL of a page"):
        asked(bad)


@pytest.mark.parametrize("bad", ["mailto:a@b.test", "ftp://a.test/", "javascript:void(0)"])
def test_another_scheme_is_told(bad: str) -> None:
    with pytest.raises(SettingsError, match=r"a page: it is not http or https; give one such as"):
        asked(bad)


@pytest.mark.parametrize("bad", [None, 5.0, True, b"http://a.test/", ["http://a.test/"]])
def test_what_is_neither_url_nor_number_is_refused(bad: object) -> None:
    with pytest.raises(SettingsError, match=r"^explain takes a URL or the number of a page, not "):
        asked(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("page", [0, "0"])
def test_there_is_no_page_0(page: int | str) -> None:
    with pytest.raises(SettingsError, match="numbered from 1"):
        asked(page)


@pytest.mark.parametrize(
    ("url", "tail"), [("http://a.test/", ""), ("http://a.test/b/c?d=/e", "b/c?d=/e"), ("x", "")]
)
def test_tail(url: str, tail: str) -> None:
    assert tail_of(url) == tail
