"""What may be set for a live crawl: bounds, what follows from it, how it is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scenthound.core.errors import SettingsError
from scenthound.crawler.options import CrawlOptions, auth_hosts
from scenthound.fetch.network import Network, scrapy_settings, user_agent
from scenthound.frontier.politeness import PolitenessPolicy

NAN, INFINITY = float("nan"), float("inf")
WRONG: dict[str, list[Any]] = {
    "max_pages": [0], "max_time": [0.0, NAN, INFINITY], "delay": [-0.1, NAN, INFINITY],
    "concurrency": [0], "per_host": [0], "pages_per_host": [0], "host_share": [0.0, 1.1, NAN],
    "proxy": ["proxy.test:3128", "socks5://p.test:1", "http://", "http://p.test:0", "http://[::1"],
    "contact": [" ", "a\r\nX: y", "é@a.test"], "timeout": [0.0, NAN], "max_body": [0],
    "retries": [-1], "retry_wait": [-1.0], "min_harvest": [-0.1, 1.1], "harvest_window": [0],
    "min_disk": [-1], "threshold": [1.1, NAN], "judge": [5, None], "max_depth": [-1],
    "allow_host": [["http://a.test/"]], "deny_host": ["*"], "include": ["news", [5], b"*a*"],
    "exclude": ["*", "re:("], "header": ["nothing"], "auth": ["user:password"], "stay": ["yes"]
}  # fmt: skip
RIGHT: list[tuple[str, Any]] = [
    ("max_pages", 1), ("delay", 0.0), ("host_share", 1.0), ("proxy", "http://u:p@[::1]:3128"),
    ("contact", " me@a.test "), ("retries", 0), ("threshold", 0.0), ("random_seed", -5),
    ("max_depth", None), ("include", ("*a*", "re:b")), ("judge", "ontology")
]  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused(name: str) -> None:
    for value in WRONG[name]:
        with pytest.raises(SettingsError):
            CrawlOptions(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("auth", {"a.org": "me:SECRET"}), ("auth", [b"a.org=me:SECRET"]),
        ("auth", "http://me:SECRET@a.org"), ("proxy", "socks5://u:SECRET@h:1"),
        ("proxy", b"http://u:SECRET@h"), ("header", ["a", {"SECRET"}])
    ]
)  # fmt: skip
def test_no_refusal_repeats_a_password(name: str, value: Any) -> None:
    with pytest.raises(SettingsError, match=name) as refused:
        CrawlOptions(**{name: value})
    assert "SECRET" not in str(refused.value)


def test_the_ends_of_what_can_be(tmp_path: Path) -> None:
    for name, value in RIGHT:
        assert getattr(CrawlOptions(**{name: value}), name) == value
    options = CrawlOptions(cookie_file=tmp_path / "c", netrc=tmp_path / "n")  # type: ignore[arg-type]
    assert (options.cookie_file, options.netrc) == (str(tmp_path / "c"), str(tmp_path / "n"))


def test_options_say_how_hosts_are_treated() -> None:
    given: list[dict[str, Any]] = [{}, {"delay": 0.0}, {"delay": 0.0, "per_host": 3}]
    assert [CrawlOptions(**each).politeness().per_host for each in given] == [1, 8, 3]
    options = CrawlOptions(delay=3.0, pages_per_host=7, host_share=0.5)
    assert options.politeness() == PolitenessPolicy(3.0, 1, 7, 0.5)


def test_options_say_how_requests_are_made() -> None:
    options = CrawlOptions(
        concurrency=4, timeout=5.0, max_body=6, proxy="http://p.test:1", allow_private=True,
        contact="me@a.test", header=("X-A: b",), cookie_file="c", auth=("a.test=u:p",), netrc="n",
        pdf=True, javascript=True
    )  # fmt: skip
    agent = "scenthound/1.2 (+me@a.test)"
    assert options.network("1.2") == Network(
        agent, 4, 5.0, 6, "http://p.test:1", True, ("X-A: b",), "c", ("a.test=u:p",), "n", True,
        True
    )  # fmt: skip


def test_options_are_kept_and_come_back() -> None:
    options = CrawlOptions(
        max_pages=5, max_time=9.5, delay=0.0, concurrency=2, per_host=3, pages_per_host=4,
        host_share=0.5, proxy="http://p.test:1", allow_private=True, contact="me@a.test",
        timeout=3.0, max_body=100, retries=0, retry_wait=1.0, min_harvest=0.1, harvest_window=9,
        min_disk=1, judge="ontology", threshold=0.3, random_seed=8, allow_host=("a.test",),
        deny_host=("b.test",), include=("*a*",), exclude=("re:b",), stay=True, header=("X-A: b",),
        cookie_file="/c.txt", netrc="/n", pdf=True, javascript=True, max_depth=3
    )  # fmt: skip
    assert CrawlOptions.from_json(json.loads(json.dumps(options.to_json()))) == options
    stored = {"seed": 7, "max_depth": 5, "include": "*a*", "of_old": "x"}  # by an older version
    read = CrawlOptions(random_seed=7, max_depth=5, include=("*a*",))
    assert CrawlOptions.from_json(stored) == read


def test_passwords_are_not_kept_nor_shown() -> None:
    options = CrawlOptions(proxy="http://u:SECRET@h:1", auth=("a.org=me:SECRET",))
    assert "SECRET" not in repr(options) + repr(options.network("0")) + repr(options.to_json())
    assert auth_hosts(("A.test =u:p", "b.test:8080=u:p=q", "a.test=v:w", "secret")) == [
        "a.test", "b.test:8080"
    ]  # fmt: skip
    kept = {
        None: None,
        "http://user@p.test:1": "http://p.test:1",
        "https://user:se@cr//et@p.test:1/": "https://p.test:1/",
    }
    assert {each: CrawlOptions(proxy=each).to_json()["proxy"] for each in kept} == kept


def test_paths_are_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kept = CrawlOptions(cookie_file="c.txt", netrc="/n").to_json()
    assert (kept["cookie_file"], kept["netrc"]) == (str(tmp_path / "c.txt"), "/n")


# on the network


def test_user_agent() -> None:
    assert user_agent("0.1", None) == "scenthound/0.1"
    assert user_agent("0.1", "  https://a.test/bot \n") == "scenthound/0.1 (+https://a.test/bot)"
    headers = Network("scenthound/0.1").request_headers
    assert headers["User-Agent"] == "scenthound/0.1"
    assert headers["Accept-Encoding"].startswith("gzip, deflate")


PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy")


def test_the_proxy_that_is_given_goes_before_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert Network("x").proxy_hosts == frozenset()
    monkeypatch.setenv("http_proxy", "http://user:pw@10.0.0.1:3128")
    monkeypatch.setenv("https_proxy", "other.test:8080")
    assert Network("x").proxy_hosts == {"10.0.0.1", "other.test"}
    assert Network("x", proxy="http://[::1]:1").proxy_hosts == {"::1"}
    monkeypatch.setenv("http_proxy", "http://[::1")  # makes no sense, and is passed over
    assert Network("x").proxy_hosts == {"other.test"}


def test_scrapy_only_downloads() -> None:
    settings = scrapy_settings(Network("x", concurrency=7, timeout=3.0, max_body=9), object)
    assert settings["CONCURRENT_REQUESTS"] == settings["CONCURRENT_REQUESTS_PER_DOMAIN"] == 7
    assert (settings["DOWNLOAD_TIMEOUT"], settings["DOWNLOAD_MAXSIZE"]) == (3.0, 9)
    middlewares = settings["DOWNLOADER_MIDDLEWARES_BASE"]
    assert isinstance(middlewares, dict)
    names = " ".join(middlewares).lower()
    assert not any(part in names for part in ("retry", "redirect", "robots", "cookies"))
    assert (settings["DOWNLOAD_DELAY"], settings["EXTENSIONS_BASE"]) == (0, {})
