"""Cookies from a file: to whom they are sent, and what a file may look like."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import Response

from scenthound.core.errors import SettingsError
from scenthound.fetch import cookies as module
from scenthound.fetch.cookies import Cookies, read_cookies

NOW = 1_700_000_000.0
LATER = 4_000_000_000
FILE = f"""# Netscape HTTP Cookie File
# a comment

a.test\tFALSE\t/\tFALSE\t0\tsession\tone
#HttpOnly_.b.test\tTRUE\t/deep\tFALSE\t{LATER}\tsecret\ttwo
c.test\tFALSE\t/\tTRUE\t{LATER}\tsafe\tthree
wiki\tFALSE\t/\tFALSE\t{LATER}\tempty\t
127.0.0.1\tFALSE\t/\tFALSE\t{LATER}.5\tlocal\tfour
"""


def read(path: Path, text: str | bytes) -> tuple[Cookies, list[str]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    warned: list[str] = []
    return Cookies(read_cookies(str(path), NOW, warned.append)), warned


def sent(cookies: Cookies, url: str) -> str:
    request = Request(url)
    cookies.add_to(request)
    return (request.headers.get("Cookie") or b"").decode()


def test_a_domain_may_be_written_in_any_script(tmp_path: Path) -> None:
    line = f".Bücher.test\tTRUE\t/\tFALSE\t{LATER}\tread\tfive\n"
    cookies, _ = read(tmp_path / "cookies.txt", line)
    assert sent(cookies, "http://www.xn--bcher-kva.test/") == "read=five"
    assert cookies.knows("http://xn--bcher-kva.test/") and not cookies.knows("http://b.test/")


def test_a_cookie_goes_where_it_belongs(tmp_path: Path) -> None:
    expected = {
        "http://a.test/x": "session=one",
        "http://www.a.test/": "",
        "http://nota.test/": "",
        "http://www.b.test/deep/er": "secret=two",
        "http://b.test/": "",
        "http://notb.test/deep": "",
        "https://c.test/": "safe=three",
        "http://c.test/": "",
        "http://wiki/": "empty=",
        "http://127.0.0.1:8000/": "local=four",
        "http://evil.test/?http://a.test/": "",
    }
    cookies, warned = read(tmp_path / "cookies.txt", FILE)
    assert cookies
    assert {url: sent(cookies, url) for url in expected} == expected
    assert warned == []
    known = ["http://a.test/", "http://b.test/", "http://x.b.test/", "http://wiki/"]
    assert all(map(cookies.knows, known))
    assert not any(map(cookies.knows, ["http://x.a.test/", "http://notb.test/", "http://d.test/"]))


def test_a_host_of_the_file_may_renew_its_cookies_and_no_other_may_set_one(tmp_path: Path) -> None:
    cookies, _ = read(tmp_path / "cookies.txt", FILE)
    request = Request("http://evil.test/")
    headers: dict[str, object] = {"Set-Cookie": "session=stolen; Domain=a.test; Path=/"}
    cookies.learn(Response(request.url, headers=headers), request)
    assert sent(cookies, "http://a.test/") == "session=one"
    for host in ("a.test", "evil.test", "www.b.test"):
        request = Request(f"http://{host}/")
        headers = {"Set-Cookie": ["session=new; Path=/", "more=x; Path=/"]}
        cookies.learn(Response(request.url, headers=headers), request)
    assert sent(cookies, "http://a.test/") == "session=new; more=x"
    assert sent(cookies, "http://evil.test/") == ""
    assert sent(cookies, "http://www.b.test/") == "session=new; more=x"


def test_expired_cookies_are_told_once_and_not_sent(tmp_path: Path) -> None:
    path = tmp_path / "cookies.txt"
    old = "a.test\tFALSE\t/\tFALSE\t1600000000\told\tx\n"
    cookies, warned = read(path, FILE + old * 2)
    assert sent(cookies, "http://a.test/") == "session=one"
    assert warned == [f"{path}: 2 of 7 cookies have expired and are not sent"]


def test_a_file_without_cookies_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cookies.txt"
    for text in ("# nothing here\n", "\ufeff\r\n\r\n"):
        cookies, warned = read(path, text)
        assert not cookies
        assert warned == [f"{path} holds no cookies"]


@pytest.mark.parametrize(
    "line",
    [
        "a.test FALSE / FALSE 0 session s3cret",
        "a.test\tPERHAPS\t/\tFALSE\t0\tsession\ts3cret",
        "a.test\tFALSE\t/\tFALSE\tnan\tsession\ts3cret",
        "\tFALSE\t/\tFALSE\t0\tsession\ts3cret",
        "a.test\tFALSE\t/\tFALSE\t0\t\ts3cret",
        "a.test\tFALSE\t/\tFALSE\t0\tsession\ts3cret\x00two",
    ],
)
def test_a_broken_line_is_one_sentence_with_its_number(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError, match=r"cookies\.txt, line 9: this is no cookie") as refused:
        read(tmp_path / "cookies.txt", f"{FILE}{line}\n")
    assert "s3cret" not in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"cannot be read: No such file or directory\."):
        read_cookies(str(tmp_path / "none"), NOW, list[str]().append)
    with pytest.raises(SettingsError, match="is not text"):
        read(tmp_path / "binary", b"\xff\xfe\x00")
    monkeypatch.setattr(module, "MAX_FILE", 10)
    with pytest.raises(SettingsError, match="is too large"):
        read(tmp_path / "large", FILE)
