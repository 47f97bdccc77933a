"""What may be set for a live crawl, how it is kept, which addresses it follows, what it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crawler.live_running import with_tests
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.scope import LiveLinkRules
from scenthound.core.urls import rejection_reason
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions, auth_hosts
from scenthound.crawler.scope import (
    ScopeTrial,
    Verdict,
    bounds_of,
    exclude_advice,
    named_urls,
    scope_advice,
)
from scenthound.fetch.network import Network, scrapy_settings, user_agent
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.strategies.catalogue import CATALOGUE

NAN, INFINITY = float("nan"), float("inf")
WRONG: dict[str, list[Any]] = {
    "max_pages": [0], "max_time": [0.0, NAN, INFINITY], "delay": [-0.1, NAN, INFINITY],
    "concurrency": [0, 2000], "per_host": [0], "pages_per_host": [0], "host_share": [0.0, 1.1, NAN],
    "proxy": ["proxy.test:3128", "socks5://p.test:1", "http://", "http://p.test:0", "http://[::1",
              "socks5://u:SECRET@h:1", b"http://u:SECRET@h"],
    "contact": [" ", "a\r\nX: y", "é@a.test"], "timeout": [0.0, NAN], "max_body": [0],
    "retries": [-1], "retry_wait": [-1.0], "min_harvest": [-0.1, 1.1], "harvest_window": [0],
    "min_disk": [-1], "threshold": [1.1, NAN], "judge": [5, None], "max_depth": [-1],
    "allow_host": [["http://a.test/"]], "deny_host": ["*"], "include": ["news", [5], b"*a*"],
    "exclude": ["*", "re:("], "header": ["nothing", ["a", {"SECRET"}]], "stay": ["yes"],
    "auth": [
        "user:SECRET", {"a.org": "me:SECRET"}, [b"a.org=me:SECRET"], "http://me:SECRET@a.org"
    ]
}  # fmt: skip
RIGHT: list[tuple[str, Any]] = [
    ("max_pages", 1), ("delay", 0.0), ("host_share", 1.0), ("proxy", "http://u:p@[::1]:3128"),
    ("contact", " me@a.test "), ("retries", 0), ("threshold", 0.0), ("random_seed", -5),
    ("max_depth", None), ("include", ("*a*", "re:b")), ("judge", "ontology")
]  # fmt: skip


def test_what_cannot_be_is_refused_and_no_refusal_repeats_a_password() -> None:
    for name, value in [(name, value) for name, values in WRONG.items() for value in values]:
        with pytest.raises(SettingsError, match=name) as refused:
            CrawlOptions(**{name: value})
        assert "SECRET" not in str(refused.value)


def test_the_ends_of_what_can_be(tmp_path: Path) -> None:
    for name, value in RIGHT:
        assert getattr(CrawlOptions(**{name: value}), name) == value
    options = CrawlOptions(cookie_file=tmp_path / "c", netrc=tmp_path / "n")  # type: ignore[arg-type]
    assert (options.cookie_file, options.netrc) == (str(tmp_path / "c"), str(tmp_path / "n"))


def test_options_say_how_hosts_are_treated_and_requests_are_made() -> None:
    given: list[dict[str, Any]] = [{}, {"delay": 0.0}, {"delay": 0.0, "per_host": 3}]
    assert [CrawlOptions(**each).politeness().per_host for each in given] == [1, 8, 3]
    options = CrawlOptions(delay=3.0, pages_per_host=7, host_share=0.5)
    assert options.politeness() == PolitenessPolicy(3.0, 1, 7, 0.5)
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


def test_user_agent() -> None:
    assert user_agent("0.1", None) == "scenthound/0.1"
    assert user_agent("0.1", "  https://a.test/bot \n") == "scenthound/0.1 (+https://a.test/bot)"
    headers = Network("scenthound/0.1").request_headers
    assert headers["User-Agent"] == "scenthound/0.1"
    assert headers["Accept-Encoding"].startswith("gzip, deflate")


def test_the_proxy_that_is_given_goes_before_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"):
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


# Which addresses a live crawl follows


def test_addresses() -> None:
    rules, open_rules = LiveLinkRules(2025, rejection_reason), LiveLinkRules(2025, None)
    traps = {
        "http://10.0.0.1/menu/menu/menu/menu/": "path repetition",
        "http://a.test/calendar/2031/05": "calendar",
        "http://a.test/x": None,
    }
    private = dict.fromkeys(("http://10.0.0.1:8080/x", "http://router.local/"), "private address")
    assert {url: open_rules.refusal(url) for url in traps} == traps
    assert {url: rules.refusal(url) for url in private} == private
    assert {open_rules.refusal(url) for url in private} == {None}
    assert rules.clean("http://a.test/x;jsessionid=AB12?q=1") == "http://a.test/x?q=1"


def test_an_endless_calendar_is_counted_over_all_runs() -> None:
    days = [f"http://a.test/log/{y}/{m:02}/{d:02}/" for y in (2023, 2024) for m in range(1, 13)
            for d in range(1, 28)]  # fmt: skip
    rules = LiveLinkRules(2025, rejection_reason)
    assert {rules.refusal(day) for day in days[:300]} == {None}
    again = LiveLinkRules(2025, rejection_reason)
    again.restore(rules.state())
    reasons = [again.refusal(day) for day in days[300:]]
    assert reasons == [rules.refusal(day) for day in days[300:]]
    assert reasons[-1] == "endless calendar"


SEED, OTHER, EXAMPLE = "http://www.a.test/", "http://b.test/x", "http://c.test/e"
TOPIC = Topic(
    "storms", ("storm",), (SEED, OTHER), (EXAMPLE, "a text"), ("*/login*",), file="t.toml"
)


def advice(**options: Any) -> list[str]:
    return list(scope_advice(TOPIC, CrawlOptions(**options)))


def verdict(url: str, depth: int | None = None, **options: Any) -> Verdict:
    return ScopeTrial(TOPIC, CrawlOptions(**options), 2025).verdict(url, depth)


def test_bounds_come_from_topic_and_options() -> None:
    assert named_urls(TOPIC) == (SEED, OTHER, EXAMPLE)
    assert advice() == []
    cases: list[tuple[dict[str, Any], dict[str, str | None]]] = [
        ({}, {"any.test/": None, "any.test/login": "excluded"}),
        ({"exclude": ("*print*",)},
         {"a.test/print": "excluded", "a.test/login": "excluded", "a.test/y": None}),
        ({"stay": True},
         {"a.test/1": None, "x.c.test/": None, "d.test/": "outside the seeds' hosts"}),
    ]  # fmt: skip
    for options, expected in cases:
        bounds = bounds_of(TOPIC, CrawlOptions(**options))
        found = {url: bounds.violation(f"http://{url}") for url in expected}
        assert {url: each and each.reason for url, each in found.items()} == expected


def test_a_seed_that_is_denied_is_left_out_with_a_warning_and_one_is_needed() -> None:
    def job(**options: Any) -> LiveJob:
        return LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(**options))

    made = job(deny_host="b.test", allow_host="z.test", include="*storm*")
    assert made.seeds == (SEED,)
    assert made.topic.seeds == (SEED, OTHER)
    assert advice(deny_host="b.test") == [
        "topic 'storms' (t.toml): http://b.test/x is left out: host denied (deny_host 'b.test')"
    ]
    with pytest.raises(SettingsError, match=r"every seed is denied or excluded, http://www\.a\.te"):
        job(deny_host=["a.test", "b.test", "c.test"])


def test_a_pattern_of_the_topic_that_is_no_use_names_the_topic() -> None:
    topic = Topic("storms", ("storm",), (SEED,), exclude=("re:(",), file="t.toml")
    with pytest.raises(SettingsError, match=r"^topic 'storms' \(t\.toml\): exclude 're:\(' is no"):
        LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions())
    topic = Topic("storms", ("storm",), (SEED,), exclude=("login",), file="t.toml")
    (reported,) = exclude_advice(topic)
    assert reported.startswith("topic 'storms' (t.toml): exclude 'login' can match no URL")
    assert list(scope_advice(topic, CrawlOptions())) == [reported]


def test_hosts_that_staying_leaves_nothing_of() -> None:
    assert advice(stay=True, allow_host=["z.test", "a.test", "test", "x.b.test", "*.z"]) == [
        "allow_host 'z.test' is no seed's host, so with stay nothing of it is followed"
    ]


URLS: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
    ("http://z.test/;jsessionid=1", {}, (True, "", "session id taken out, no rule forbids it",
                                         "http://z.test/")),
    ("http://z.test/storm", {"allow_host": ["test"], "include": ["*a*", "*storm*"]},
     (True, "", "allow_host 'test', include '*storm*'", ...)),
    ("http://x.a.test/", {"stay": True}, (True, "", "stay: a.test is a seed's host", ...)),
    ("http://z.test/login", {}, (False, "excluded", "exclude '*/login*'", ...)),
    (OTHER, {"include": "*storm*", "stay": True}, (True, "", "named by the topic: only "
     "deny_host and exclude bind it", OTHER)),
    (OTHER, {"deny_host": "b.test"}, (False, "host denied", "deny_host 'b.test'", OTHER)),
    ("http://z.test/a.png", {}, (False, "media", "its name ends like a file without links",
                                 "http://z.test/a.png")),
    ("http://10.0.0.1/", {}, (False, "private address", "by its address alone", ...)),
    ("http://10.0.0.1/", {"allow_private": True}, (True, "", "no rule forbids it", ...)),
    ("http://z.test/new/new/new/new", {}, (False, "path repetition", ..., ...)),
    ("http://z.test/2099/01/", {}, (False, "calendar", "by its address alone", ...)),
    ("mailto:me@a.test", {}, (False, "other scheme", "it is not http or https", None)),
    ("javascript:void(0)", {}, (False, "other scheme", ..., None)),
    ("z.test:80/x", {}, (True, "", ..., "http://z.test/x")),
    ("z.test:8080", {}, (True, "", ..., "https://z.test:8080/")),
    ("b.test/x", {}, (True, "", ..., OTHER)),
    ("/x", {}, (False, "malformed", ..., None)),
    ("http://u:p@z.test/", {}, (False, "malformed", ..., None)),
    ("", {}, (False, "malformed", "the URL is empty", None))
]  # fmt: skip


def test_what_becomes_of_a_url() -> None:
    for url, options, expected in URLS:
        found = verdict(url, **options)
        reported = (found.follow, found.reason, found.rule, found.queued)
        assert found.url == url
        assert all(b is ... or a == b for a, b in zip(reported, expected, strict=True)), (
            url,
            reported,
        )


def test_depth() -> None:
    url = "http://z.test/"
    assert verdict(url, 3, max_depth=3).follow and verdict(url, max_depth=1).follow
    assert verdict(url, max_depth=0).rule == "max_depth 0: no link is followed"
    assert verdict(url, 4, max_depth=3).rule == "max_depth 3, and it is 4 links away"
    assert verdict(url, 1, max_depth=0).reason == "too far from the seeds"
    assert verdict(SEED, 9, max_depth=0).follow


# A crawl does not carry what only its readers need


HEAVY = ("trafilatura", "py3langid", "pyarrow", "pypdf", "playwright", "scrapy_playwright")
CRAWL = """
import sys
from pathlib import Path
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
with LiveWeb(hosts=1) as web:
    seed = web.add(1, "/", page("Sturm", "Ein Sturm, ein Orkan und Hagel.", ["/2"]))
    web.add(1, "/2", page("Storm", "A storm, a hurricane and hail."))
    assert crawl(Path(sys.argv[1]), [seed]).run.fetched == 2
"""
DOWNLOADER = "import sys\nimport scenthound.fetch.downloader\n"


@pytest.mark.parametrize("code", [CRAWL, DOWNLOADER], ids=["crawl", "downloader"])
def test_a_crawl_imports_nothing_that_only_readers_need(code: str, tmp_path: Path) -> None:
    code += "print(*{name.partition('.')[0] for name in sys.modules})"
    script = [sys.executable, "-c", code, str(tmp_path / "out")]
    ran = subprocess.run(script, env=with_tests(), capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert "scenthound" in loaded
    assert [name for name in HEAVY if name in loaded] == []
