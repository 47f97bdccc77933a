"""Names and passwords: each for one host, read from options and from netrc files."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.errors import SettingsError
from scenthound.live.credentials import Credentials, basic, parse_auth, read_netrc
from scenthound.live.network import Network

SECRET = "open:se=same"


def test_the_header_is_that_of_the_rfc() -> None:
    assert basic("Aladdin", "open sesame") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    assert basic("test", "123£") == "Basic dGVzdDoxMjPCow=="


@pytest.mark.parametrize(
    ("host", "urls"),
    [
        ("a.test", ["http://a.test/", "https://a.test/x?y"]),
        ("A.Test:443", ["https://a.test/"]),
        ("a.test:8080", ["http://a.test:8080/", "https://a.test:8080/"]),
        ("[::1]:81", ["http://[::1]:81/"]),
        ("bücher.test", ["http://xn--bcher-kva.test/"]),
    ],
)
def test_a_password_is_for_its_host(host: str, urls: list[str]) -> None:
    credentials = Credentials(parse_auth([f"{host}=me:{SECRET}"]))
    assert credentials
    assert [credentials.of(url) for url in urls] == [basic("me", SECRET)] * len(urls)


@pytest.mark.parametrize(
    "url",
    [
        "http://b.test/",
        "http://www.a.test/",
        "http://a.test.evil.test/",
        "http://test/",
        "http://a.test:8080/",
        "http://evil.test/?a.test",
    ],
)
def test_and_for_no_other(url: str) -> None:
    assert Credentials(parse_auth([f"a.test=me:{SECRET}"])).of(url) is None


def test_the_last_one_counts_and_none_is_none() -> None:
    credentials = Credentials(parse_auth(["a.test=me:old", "a.test=me:new"]))
    assert credentials.of("http://a.test/") == basic("me", "new")
    assert not Credentials(parse_auth([]))


@pytest.mark.parametrize(
    "line",
    ["", "a.test", "a.test=me", f"a.test=:{SECRET}", f"http://a.test=me:{SECRET}",
     f"a.test/x=me:{SECRET}", f"=me:{SECRET}", f"a b=me:{SECRET}", f"u@a.test=me:{SECRET}"],
)  # fmt: skip
def test_what_is_not_understood_is_refused_without_the_password(line: str) -> None:
    with pytest.raises(SettingsError, match=r"--auth.*(HOST|example\.org)") as refused:
        Network("x", auth=(line,))
    assert "same" not in str(refused.value)


def test_no_password_is_shown_with_the_settings() -> None:
    assert "same" not in repr(Network("x", auth=(f"a.test=me:{SECRET}",)))


def test_a_netrc_file_names_hosts_and_its_default_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "netrc"
    path.write_text(
        "machine a.test login me password one\n"
        "machine b.test:8080\n  login you\n  account x\n  password two\n"
        "default login anybody password three\n"
    )
    warned: list[str] = []
    assert read_netrc(str(path), warned.append) == {
        "a.test": basic("me", "one"), "b.test:8080": basic("you", "two"),
    }  # fmt: skip
    assert warned == [f"{path}: the default entry is not used, since it would go to every host"]


@pytest.mark.parametrize("content", ["", "# nothing\n", "machine a.test\n"])
def test_a_netrc_file_without_a_login_is_told(tmp_path: Path, content: str) -> None:
    path, warned = tmp_path / "netrc", list[str]()
    path.write_text(content)
    assert read_netrc(str(path), warned.append) == {}
    assert warned == [f"{path} holds no login of a machine"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"machine a.test login me password one\nfoo bar\n", r"netrc, line 2: this is no netrc"),
        (b"machine a/b login me password one\n", r"netrc: 'a/b' is no host"),
        (b"machine a.test login m\xff password one\n", r"netrc cannot be read: it is not text\."),
    ],
)
def test_a_broken_netrc_file_is_one_sentence(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "netrc"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=told):
        read_netrc(str(path), list[str]().append)


def test_a_netrc_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot be read: No such file or directory\."):
        read_netrc(str(tmp_path / "none"), list[str]().append)
