"""The scope of a live crawl: what it leaves out, what contradicts it, what it is told of a URL."""

from __future__ import annotations

from typing import Any

import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.live.job import LiveJob
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import bounds_of, exclude_advice, named_urls, scope_advice
from scenthound.live.trial import Trial, Verdict
from scenthound.strategies.catalogue import CATALOGUE

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
    return Trial(TOPIC, CrawlOptions(**options), YEAR).verdict(url, depth)


def test_a_crawl_without_options_is_bound_by_its_topic_alone() -> None:
    bounds = bounds_of(TOPIC, CrawlOptions())
    assert bounds.breach("http://any.test/") is None
    assert bounds.breach("http://any.test/login") is not None
    assert named_urls(TOPIC) == (SEED, OTHER, EXAMPLE)
    assert advice() == []


def test_the_exclude_of_options_and_topic_are_joined() -> None:
    bounds = bounds_of(TOPIC, CrawlOptions(exclude=("*print*",)))
    assert [bool(bounds.breach(f"http://a.test/{x}")) for x in ("print", "login", "y")] == [
        True, True, False,
    ]  # fmt: skip


def test_staying_is_with_seeds_and_example_pages() -> None:
    bounds = bounds_of(TOPIC, CrawlOptions(stay=True))
    found = [
        bounds.breach(url) for url in ("http://a.test/1", "http://x.c.test/", "http://d.test/")
    ]
    assert [each and each.reason for each in found] == [None, None, "outside the seeds' hosts"]


def test_a_seed_that_is_denied_is_left_out_and_told() -> None:
    made = job(deny_host="b.test", allow_host="z.test", include="*storm*")
    assert made.seeds == (SEED,)
    assert made.topic.seeds == (SEED, OTHER)
    assert advice(deny_host="b.test") == [
        "topic 'storms' (t.toml): http://b.test/x is left out: host denied (deny_host 'b.test')"
    ]


def test_no_seed_left_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"every seed is denied or excluded, http://www\.a\.te"):
        job(deny_host=["a.test", "b.test", "c.test"])


def test_a_pattern_of_the_topic_that_cannot_be_read_names_the_topic() -> None:
    topic = Topic("storms", ("storm",), (SEED,), exclude=("re:(",), file="t.toml")
    with pytest.raises(SettingsError, match=r"^topic 'storms' \(t\.toml\): exclude 're:\(' is no"):
        LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions())


def test_a_pattern_of_the_topic_that_matches_nothing_names_the_topic() -> None:
    topic = Topic("storms", ("storm",), (SEED,), exclude=("login",), file="t.toml")
    (told,) = exclude_advice(topic)
    assert told.startswith("topic 'storms' (t.toml): exclude 'login' can match no URL")
    assert list(scope_advice(topic, CrawlOptions())) == [told]


def test_hosts_that_staying_leaves_nothing_of() -> None:
    assert advice(stay=True, allow_host=["z.test", "a.test", "test", "x.b.test", "*.z"]) == [
        "allow_host 'z.test' is no seed's host, so with stay nothing of it is followed"
    ]


# what becomes of a URL


@pytest.mark.parametrize(
    ("url", "options", "expected"),
    [
        ("http://z.test", {}, (True, "", "no rule forbids it", "http://z.test/")),
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
        ("http://z.test/a/a/a", {}, (True, "", ..., ...)),
        ("http://z.test/new/new/new/new", {}, (False, "path repetition", ..., ...)),
        ("http://z.test/2099/01/", {}, (False, "calendar", "by its address alone", ...)),
        ("mailto:me@a.test", {}, (False, "other scheme", "it is not http or https", None)),
        ("javascript:void(0)", {}, (False, "other scheme", ..., None)),
        ("z.test:80/x", {}, (True, "", ..., "http://z.test/x")),
        ("z.test:8080", {}, (True, "", ..., "https://z.test:8080/")),
        ("z.test/x", {}, (True, "", ..., "https://z.test/x")),
        ("b.test/x", {}, (True, "", ..., OTHER)),
        ("/x", {}, (False, "malformed", ..., None)),
        ("z test", {}, (False, "malformed", ..., None)),
        ("http://u:p@z.test/", {}, (False, "malformed", ..., None)),
        ("", {}, (False, "malformed", "the URL is empty", None)),
    ],
)  # fmt: skip
def test_what_becomes_of_a_url(
    url: str, options: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    found = verdict(url, **options)
    told = (found.follow, found.reason, found.rule, found.queued)
    assert found.url == url
    assert [a for a, b in zip(told, expected, strict=True) if b is not ...] == [
        b for b in expected if b is not ...
    ]


def test_depth() -> None:
    url = "http://z.test/"
    assert verdict(url, 3, max_depth=3).follow and verdict(url, max_depth=1).follow
    assert verdict(url, max_depth=0).rule == "max_depth 0: no link is followed"
    assert verdict(url, 4, max_depth=3).rule == "max_depth 3, and it is 4 links away"
    assert verdict(url, 1, max_depth=0).reason == "too far from the seeds"
    assert verdict(SEED, 9, max_depth=0).follow
