"""Headers, passwords and cookies of a crawl: who gets them, and that they are on no record."""

from __future__ import annotations

import gzip
import logging
import os
from pathlib import Path

import pytest

from live.live_replies import moved
from live.live_running import crawl
from live.live_web import LiveWeb, ok, page
from scenthound.core.errors import SettingsError
from scenthound.live.credentials import basic
from scenthound.live.downloads import Downloads
from scenthound.live.network import Network

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


def cookie_file(path: Path) -> str:
    path.write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t{COOKIE}\n")
    return str(path)


def everything(folder: Path) -> bytes:
    """All bytes of a crawl folder, unpacked."""
    found = []
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        found.append(gzip.decompress(content) if path.suffix == ".gz" else content)
    return b"\n".join(found)


def test_each_host_gets_its_own_and_the_folder_nothing(tmp_path: Path) -> None:
    with LiveWeb(2) as web:
        seed = two_hosts(web)
        kept = crawl(
            tmp_path / "out", [seed], concurrency=1, header=("X-Project: storms",),
            auth=(f"127.0.0.1:{web.port}=me:{PASSWORD}",),
            cookie_file=cookie_file(tmp_path / "cookies.txt"),
        )  # fmt: skip
    assert len(kept.urls) == 4
    assert kept.warned == []
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
    written = everything(tmp_path / "out")
    assert b"X-Project: storms" in written
    assert b"Set-Cookie: tracker=1" in written
    assert [secret for secret in SECRETS if secret.encode() in written] == []


def test_what_auth_says_goes_before_the_netrc_file(tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    with LiveWeb(2) as web:
        seed = two_hosts(web)
        entries = [f"machine 127.0.0.{n}:{web.port} login you password old\n" for n in (1, 2)]
        file.write_text("".join(entries) + "default login all password leak\n")
        kept = crawl(
            tmp_path / "out", [seed], netrc=str(file),
            auth=(f"127.0.0.1:{web.port}=me:{PASSWORD}",),
        )  # fmt: skip
    sent = {(r.url.startswith(web.url(1)), r.headers["authorization"]) for r in web.log}
    assert sent == {(True, basic("me", PASSWORD)), (False, basic("you", "old"))}
    assert kept.warned == [
        f"{file}: the default entry is not used, since it would go to every host"
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
        kept = crawl(out, [web.url(1)])
    assert kept.urls == [web.url(1)]


def test_a_log_names_no_secret(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("scrapy")
    before = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        with LiveWeb(2) as web:
            crawl(
                tmp_path / "out", [two_hosts(web)], auth=(f"127.0.0.1:{web.port}=me:{PASSWORD}",),
                cookie_file=cookie_file(tmp_path / "cookies.txt"),
            )  # fmt: skip
    finally:
        logger.setLevel(before)
    logged = capfd.readouterr().err
    assert "Crawled (200)" in logged
    assert [secret for secret in SECRETS if secret in logged] == []


def test_secrets_do_not_stand_on_the_command_line_of_the_downloader() -> None:
    network = Network("x", auth=(f"a.test=me:{PASSWORD}",))
    with Downloads(network) as downloads:
        arguments = downloads._process.args
    assert isinstance(arguments, list)
    shown = " ".join([*arguments, *os.environ.values()])
    assert "scenthound.live.downloader" in shown
    assert PASSWORD not in shown
