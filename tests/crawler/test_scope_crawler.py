"""Which addresses a live crawl follows."""

from __future__ import annotations

from typing import Any

import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.scope import LiveLinkRules
from scenthound.core.urls import rejection_reason
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import (
    ScopeTrial,
    Verdict,
    bounds_of,
    exclude_advice,
    named_urls,
    scope_advice,
)
from scenthound.strategies.catalogue import CATALOGUE


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
YEAR = 2025


def job(**options: Any) -> LiveJob:
    return LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(**options))


def advice(**options: Any) -> list[str]:
    return list(scope_advice(TOPIC, CrawlOptions(**options)))


def verdict(url: str, depth: int | None = None, **options: Any) -> Verdict:
    return ScopeTrial(TOPIC, CrawlOptions(**options), YEAR).verdict(url, depth)


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


def test_a_seed_that_is_denied_is_left_out_with_a_warning() -> None:
    made = job(deny_host="b.test", allow_host="z.test", include="*storm*")
    assert made.seeds == (SEED,)
    assert made.topic.seeds == (SEED, OTHER)
    assert advice(deny_host="b.test") == [
        "topic 'storms' (t.toml): http://b.test/x is left out: host denied (deny_host 'b.test')"
    ]


def test_no_seed_left_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"every seed is denied or excluded, http://www\.a\.te"):
        job(deny_host=["a.test", "b.test", "c.test"])


def test_a_pattern_of_the_topic_that_is_no_use_names_the_topic() -> None:
    topic = Topic("storms", ("storm",), (SEED,), exclude=("re:(",), file="t.toml")
    with pytest.raises(SettingsError, match=r"^topic 'storms' \(t\.toml\): exclude 're:\(' is no"):
        LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions())
    topic = Topic("storms", ("storm",), (SEED,), exclude=("login",), file="t.toml")
    (told,) = exclude_advice(topic)
    assert told.startswith("topic 'storms' (t.toml): exclude 'login' can match no URL")
    assert list(scope_advice(topic, CrawlOptions())) == [told]


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
        told = (found.follow, found.reason, found.rule, found.queued)
        assert found.url == url
        assert all(b is ... or a == b for a, b in zip(told, expected, strict=True)), (url, told)


def test_depth() -> None:
    url = "http://z.test/"
    assert verdict(url, 3, max_depth=3).follow and verdict(url, max_depth=1).follow
    assert verdict(url, max_depth=0).rule == "max_depth 0: no link is followed"
    assert verdict(url, 4, max_depth=3).rule == "max_depth 3, and it is 4 links away"
    assert verdict(url, 1, max_depth=0).reason == "too far from the seeds"
    assert verdict(SEED, 9, max_depth=0).follow
