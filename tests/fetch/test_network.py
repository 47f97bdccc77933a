"""Headers, passwords and cookies of a crawl: who gets them, and that they are on no record."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import pytest
from pytest import CaptureFixture, MonkeyPatch
from scrapy import Request
from scrapy.http import Response

from crawler.live_replies import moved
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, ok, page
from scenthound.core.errors import ScenthoundWarning, SettingsError
from scenthound.core.urls import host_of
from scenthound.fetch import cookies
from scenthound.fetch.cookies import Logins, read_cookies
from scenthound.fetch.network import Network, basic, parse_auth, parse_headers, read_netrc

PASSWORD = "pa55-w0rd"
COOKIE = "c00kie-of-ours"
RENEWED = "c00kie-renewed"
SECRETS = (PASSWORD, basic("me", PASSWORD).partition(" ")[2], COOKIE, RENEWED)


def two_hosts(web: LiveWeb) -> str:
    """A host with a door, a page on it that has moved to another host, and that host."""
    links = [web.url(1, "/a"), web.url(1, "/moved"), web.url(2)]
    seed = web.add(1, "/", page("Storm", "a storm", links))
    html = page("A storm", "another storm")
    web.add(1, "/a", ok(html, {"Set-Cookie": f"session={RENEWED}; Path=/"}))
    web.add(1, "/moved", moved(web.url(2, "/target")))
    web.add(2, "/", ok(page("Other", "a storm there"), {"Set-Cookie": "tracker=1; Path=/"}))
    web.add(2, "/target", page("Target", "storm after a redirect"))
    return seed


def test_each_host_gets_its_own_on_no_record(tmp_path: Path, capfd: CaptureFixture[str]) -> None:
    netrc, logger = tmp_path / "netrc", logging.getLogger("scrapy")
    cookie_file, before = tmp_path / "cookies.txt", logger.level
    cookie_file.write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t{COOKIE}\n")
    logger.setLevel(logging.DEBUG)
    try:
        with LiveWeb(2) as web:
            seed = two_hosts(web)
            entry = f"machine 127.0.0.1:{web.port} login you password old\n"  # --auth goes before
            netrc.write_text(f"{entry}default login all password leak\n")
            kept = crawl(
                tmp_path / "out", [seed], concurrency=1, header=("X-Project: storms",),
                auth=(f"127.0.0.1:{web.port}=me:{PASSWORD}",), netrc=str(netrc),
                cookie_file=str(cookie_file),
            )  # fmt: skip
    finally:
        logger.setLevel(before)
    assert len(kept.urls) == 4
    assert {request.headers["x-project"] for request in web.log} == {"storms"}
    assert web.url(1, "/robots.txt") in web.requested()
    inside = [r.headers for r in web.log if r.url.startswith(web.url(1))]
    outside = [r.headers for r in web.log if r.url.startswith(web.url(2))]
    assert {headers["authorization"] for headers in inside} == {basic("me", PASSWORD)}
    cookies = [headers["cookie"] for headers in inside]
    assert set(cookies) == {f"session={COOKIE}", f"session={RENEWED}"}
    assert cookies.index(f"session={RENEWED}") == 1 + web.requested().index(web.url(1, "/a"))
    assert len(outside) == 3
    assert not any("authorization" in headers or "cookie" in headers for headers in outside)
    stored = [(path.suffix, path.read_bytes()) for path in sorted((tmp_path / "out").iterdir())]
    written = b"\n".join(gzip.decompress(c) if suffix == ".gz" else c for suffix, c in stored)
    assert b"X-Project: storms" in written
    assert b"Set-Cookie: tracker=1" in written
    logged = capfd.readouterr().err
    assert "Crawled (200)" in logged
    assert [each for each in SECRETS if each.encode() in written or each in logged] == []
    assert kept.warned == [
        f"{netrc}: the default entry is not used, since it would go to every host"
    ]


def test_a_file_that_cannot_be_used_ends_the_crawl_before_it_begins(tmp_path: Path) -> None:
    broken = tmp_path / "cookies.txt"
    broken.write_text("no cookie\n")
    out = tmp_path / "out"
    with LiveWeb(1) as web:
        with pytest.raises(SettingsError, match=r"cookies\.txt, line 1: this is no cookie"):
            crawl(out, [web.add(1, "/", "<p>a storm")], cookie_file=str(broken))
        assert web.requested() == []
    assert list(out.iterdir()) == []


# Names and passwords: each for one host, read from options and from netrc files.


SECRET = "open:se=same"


def test_a_password_is_for_its_host_and_for_no_other() -> None:
    hosts = {
        "a.test": ["http://a.test/", "https://a.test/x?y"],
        "A.Test:443": ["https://a.test/"],
        "a.test:8080": ["http://a.test:8080/", "https://a.test:8080/"],
        "[::1]:81": ["http://[::1]:81/"],
        "bücher.test": ["http://xn--bcher-kva.test/"],
    }
    for host, urls in hosts.items():
        passwords = parse_auth([f"{host}=me:{SECRET}"])
        assert [passwords.get(host_of(url)) for url in urls] == [basic("me", SECRET)] * len(urls)
    others = [
        "http://b.test/", "http://www.a.test/", "http://a.test.evil.test/", "http://test/",
        "http://a.test:8080/", "http://evil.test/?a.test",
    ]  # fmt: skip
    passwords = parse_auth([f"a.test=me:{SECRET}"])
    assert [url for url in others if host_of(url) in passwords] == []
    assert passwords["a.test"] == "Basic bWU6b3BlbjpzZT1zYW1l" and parse_auth([]) == {}
    assert basic("test", "123£") == "Basic dGVzdDoxMjPCow=="  # as RFC 7617 has it
    assert parse_auth(["a.test=me:old", "a.test=me:new"]) == {"a.test": basic("me", "new")}
    wrong = ["a.test", f"a.test=:{SECRET}", f"http://a.test=me:{SECRET}", f"=me:{SECRET}"]
    for line in [*wrong, f"u@a.test=me:{SECRET}"]:  # refused, and the password is not printed
        with pytest.raises(SettingsError, match=r"--auth.*(HOST|example\.org)") as refused:
            Network("x", auth=(line,))
        assert "same" not in str(refused.value)


def test_a_netrc_file_names_hosts_and_a_broken_one_is_reported_in_one_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "netrc"
    path.write_text(
        "machine a.test login me password one\n"
        "machine b.test:8080\n  login you\n  account x\n  password two\n"
        "default login anybody password three\n"
    )
    with pytest.warns(ScenthoundWarning, match="default entry is not used, since it would go to"):
        found = read_netrc(str(path))
    assert found == {"a.test": basic("me", "one"), "b.test:8080": basic("you", "two")}
    with pytest.raises(SettingsError, match=r"cannot be read: No such file or directory\."):
        read_netrc(str(tmp_path / "none"))
    messages = {
        b"machine a.test login me password one\nfoo bar\n": r"netrc, line 2: this is no netrc",
        b"machine a/b login me password one\n": r"netrc: 'a/b' is no host",
        b"machine a.test login m\xff password one\n": r"netrc cannot be read: it is not text\.",
    }
    for content, message in messages.items():
        path.write_bytes(content)
        with pytest.raises(SettingsError, match=message):
            read_netrc(str(path))
    for text in ("# nothing\n", "machine a.test\n"):
        path.write_text(text)
        with pytest.warns(ScenthoundWarning, match="holds no login of a machine"):
            assert read_netrc(str(path)) == {}


def test_what_is_no_header_or_would_do_harm_is_refused_with_advice() -> None:
    assert parse_headers(()) == {}
    for line in ("", ": value", "a b: c", "a\nb: c", "ä: b", "a(: b"):
        with pytest.raises(SettingsError, match=r"is no header; write it as 'Name: value'\."):
            Network("x", header=(line,))
    for value in ("a\r\nCookie: b", "a\0b", "\x7f", "größe"):
        with pytest.raises(SettingsError, match=r"^--header X-A has a line break or another"):
            Network("x", header=(f"X-A: {value}",))
    harmful = {
        "Authorization: Basic eA==": "--auth", "COOKIE: a=b": "--cookie-file",
        "user-agent: Mozilla": "--contact", "Proxy-Authorization: Basic eA==": "--proxy",
        "Content-Length: 3": "leave it out", "Accept-Encoding: zstd": "unpack",
        "Range: bytes=0-1": "pieces",
    }  # fmt: skip
    for line, advice in harmful.items():
        with pytest.raises(SettingsError, match=advice) as refused:
            parse_headers([line])
        assert line.partition(": ")[2] not in str(refused.value)


def test_names_values_what_is_given_twice_and_in_the_place_of_ours() -> None:
    lines = ["Accept-Language: de, en;q=0.5", "X-From:us:you", "x-from:  others ", "X-Empty:"]
    assert parse_headers(lines) == {
        "Accept-Language": "de, en;q=0.5", "X-From": "us:you, others", "X-Empty": "",
    }  # fmt: skip
    headers = Network("x", header=("accept: text/plain", "X-A: b")).request_headers
    assert headers["accept"] == "text/plain"
    assert "Accept" not in headers
    assert (headers["X-A"], headers["User-Agent"]) == ("b", "x")


# Cookies from a file: to whom they are sent, and what a file may look like.


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


def read(path: Path, text: str | bytes) -> Logins:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return Logins({}, read_cookies(str(path), NOW))


def sent(cookies: Logins, url: str) -> str:
    request = Request(url)
    cookies.sign(request)
    return (request.headers.get("Cookie") or b"").decode()


def test_a_cookie_goes_where_it_belongs_and_only_its_host_may_renew_it(tmp_path: Path) -> None:
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
    jar = read(tmp_path / "cookies.txt", FILE)
    assert jar
    assert {url: sent(jar, url) for url in expected} == expected
    known = ["http://a.test/", "http://b.test/", "http://x.b.test/", "http://wiki/"]
    assert all(map(jar.know, known))
    assert not any(map(jar.know, ["http://x.a.test/", "http://notb.test/", "http://d.test/"]))
    line = f".Bücher.test\tTRUE\t/\tFALSE\t{LATER}\tread\tfive\n"  # in any script
    jar = read(tmp_path / "cookies.txt", line)
    assert sent(jar, "http://www.xn--bcher-kva.test/") == "read=five"
    assert jar.know("http://xn--bcher-kva.test/") and not jar.know("http://b.test/")
    jar = read(tmp_path / "cookies.txt", FILE)
    request = Request("http://evil.test/")
    headers: dict[str, object] = {"Set-Cookie": "session=stolen; Domain=a.test; Path=/"}
    jar.learn(Response(request.url, headers=headers), request)
    assert sent(jar, "http://a.test/") == "session=one"
    for host in ("a.test", "evil.test", "www.b.test"):
        request = Request(f"http://{host}/")
        headers = {"Set-Cookie": ["session=new; Path=/", "more=x; Path=/"]}
        jar.learn(Response(request.url, headers=headers), request)
    assert sent(jar, "http://a.test/") == "session=new; more=x"
    assert sent(jar, "http://evil.test/") == ""
    assert sent(jar, "http://www.b.test/") == "session=new; more=x"


def test_expired_cookies_and_a_file_without_any_are_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "cookies.txt"
    old = "a.test\tFALSE\t/\tFALSE\t1600000000\told\tx\n"
    with pytest.warns(ScenthoundWarning, match="txt: 2 of 7 cookies have expired and are not sent"):
        jar = read(path, FILE + old * 2)
    assert sent(jar, "http://a.test/") == "session=one"
    for text in ("# nothing here\n", "\ufeff\r\n\r\n"):
        with pytest.warns(ScenthoundWarning, match="holds no cookies"):
            assert not read(path, text)


def test_files_that_are_broken_or_cannot_be_read(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    for line in [
        "a.test FALSE / FALSE 0 session s3cret",
        "a.test\tPERHAPS\t/\tFALSE\t0\tsession\ts3cret",
        "a.test\tFALSE\t/\tFALSE\tnan\tsession\ts3cret",
        "\tFALSE\t/\tFALSE\t0\tsession\ts3cret",
        "a.test\tFALSE\t/\tFALSE\t0\t\ts3cret",
        "a.test\tFALSE\t/\tFALSE\t0\tsession\ts3cret\x00two",
    ]:
        with pytest.raises(
            SettingsError, match=r"cookies\.txt, line 9: this is no cook"
        ) as refused:
            read(tmp_path / "cookies.txt", f"{FILE}{line}\n")
        assert "s3cret" not in str(refused.value)
    with pytest.raises(SettingsError, match=r"cannot be read: No such file or directory\."):
        read_cookies(str(tmp_path / "none"), NOW)
    with pytest.raises(SettingsError, match="is not text"):
        read(tmp_path / "binary", b"\xff\xfe\x00")
    monkeypatch.setattr(cookies, "MAX_FILE", 10)
    with pytest.raises(SettingsError, match="is too large"):
        read(tmp_path / "large", FILE)
