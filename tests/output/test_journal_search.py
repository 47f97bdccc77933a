"""What was asked for, however it was written."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.output.journal_search import parse_query, tail_of


def test_a_whole_url_is_one_spelling() -> None:
    assert parse_query(" HTTP://A.test:80/x#y ").spellings == ("http://a.test/x",)


def test_without_a_scheme_there_are_two() -> None:
    for text in ["a.test/x", "//a.test/x"]:
        assert parse_query(text).spellings == ("https://a.test/x", "http://a.test/x")


def test_twins_differ_in_scheme_www_and_slash() -> None:
    assert set(parse_query("https://www.a.test/x").twins) == {
        f"{scheme}://{host}/{path}"
        for scheme in ("http", "https")
        for host in ("a.test", "www.a.test")
        for path in ("x", "x/")
    } - {"https://www.a.test/x"}


def test_addresses_ports_and_queries_have_fewer_twins() -> None:
    for url, twin in [
        ("http://127.0.0.1/x?q=1", "https://127.0.0.1/x?q=1"),
        ("http://a.test:81/", "https://a.test:81/"),
    ]:
        assert parse_query(url).twins == (twin,)


def test_a_number_is_a_page() -> None:
    assert (parse_query(7).number, parse_query(7).urls) == (7, ())
    assert parse_query(" 7 ") == parse_query(7)


def test_what_is_no_url_is_refused() -> None:
    for bad in ["", "   ", "mailto:a@b.test", "http://", "http://a b/", "/path"]:
        with pytest.raises(SettingsError, match=r"is not the URL of a page"):
            parse_query(bad)


def test_another_scheme_is_told() -> None:
    for bad in ["mailto:a@b.test", "ftp://a.test/", "javascript:void(0)"]:
        with pytest.raises(
            SettingsError, match=r"a page: it is not http or https; give one such as"
        ):
            parse_query(bad)


def test_what_is_neither_url_nor_number_is_refused() -> None:
    for bad in [None, 5.0, True, b"http://a.test/", ["http://a.test/"]]:
        with pytest.raises(
            SettingsError, match=r"^explain takes a URL or the number of a page, not "
        ):
            parse_query(bad)  # type: ignore[arg-type]


def test_there_is_no_page_0() -> None:
    for page in [0, "0"]:
        with pytest.raises(SettingsError, match="numbered from 1"):
            parse_query(page)  # type: ignore[arg-type]


def test_tail() -> None:
    for url, tail in [("http://a.test/", ""), ("http://a.test/b/c?d=/e", "b/c?d=/e"), ("x", "")]:
        assert tail_of(url) == tail
