"""The worker: what it makes of each kind of response."""

from __future__ import annotations

import pytest

from crawler.scripted_downloads import HTML, NOW, Reply, robots_txt, url
from crawler.worker_bench import bench
from frontier.frontier_contract import where
from scenthound.core.urls import PRIVATE
from scenthound.fetch.messages import HOST_DOWN, NO_HOST
from scenthound.frontier.politeness import PolitenessPolicy

SLOWLY = PolitenessPolicy(delay=2.0, per_host=1)


def told(reply: Reply, retries: int = 0) -> list[str]:
    """What becomes of a page that answers so."""
    with bench("a/1", script={"a/1": reply}, retries=retries) as made:
        made.run()
    return made.told("read", "failed", "refused", "redirected")


def moved(to: str, status: int = 302) -> Reply:
    return Reply(status, headers=(("Location", to), *HTML))


@pytest.mark.parametrize("status", [200, 299, 404, 501])
def test_a_page_is_read_whatever_its_status(status: int) -> None:
    assert told(Reply(status)) == ["read a/1"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again(status: int) -> None:
    assert told(Reply(status), retries=1) == [
        f"failed a/1: status {status}, again in 30 s",
        f"failed a/1: status {status}, given up",
    ]


def test_what_is_no_page_is_refused_and_an_error_is_kept_whatever_its_type() -> None:
    reply = Reply(headers=(("content-type", "application/pdf"),))
    assert told(reply) == ["refused a/1: type application/pdf"]
    assert told(Reply(404, headers=(("Content-Type", "application/json"),))) == ["read a/1"]


@pytest.mark.parametrize("status", [301, 308])
def test_a_redirect(status: int) -> None:
    assert told(moved("/2#part", status)) == ["redirected a/1 -> a/2", "read a/2"]


@pytest.mark.parametrize("to", ["mailto:x@a.test", "http://[::1/"])
def test_a_redirect_to_nowhere_is_refused(to: str) -> None:
    assert told(moved(to)) == ["refused a/1: status 302 without a usable Location"]


def test_a_failure_that_will_last_is_given_up_and_waits_for_others_double() -> None:
    assert told(Reply(no="too large", again=False), retries=3) == [
        "failed a/1: too large, given up"
    ]
    assert told(Reply(no="timeout"), retries=3) == [
        "failed a/1: timeout, again in 30 s",
        "failed a/1: timeout, again in 60 s",
        "failed a/1: timeout, again in 120 s",
        "failed a/1: timeout, given up",
    ]


def test_a_private_address_is_refused() -> None:
    assert told(Reply(no=PRIVATE, again=True), retries=3) == [f"refused a/1: {PRIVATE}"]
    script = {"a/robots.txt": Reply(no=PRIVATE, again=False)}
    with bench("a/1", script=script, retries=3) as made:
        made.run()
    assert made.told("failed", "refused") == [f"refused a/1: {PRIVATE}"]


# what a host is spared


def rested(reply: Reply) -> float:
    """Seconds from the answer to ``a/1`` until the host is asked for a page again."""
    with bench("a/1", "a/2", script={"a/1": reply}, politeness=SLOWLY, retries=1) as made:
        made.until(lambda: len(made.asked()) == 3)
    return made.asked()[-1][0] - 4.0  # robots.txt at 0, a/1 at 3, its answer at 4


def waiting(seconds: str) -> tuple[tuple[str, str], ...]:
    return (("Retry-After", seconds), *HTML)


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        (Reply(404), 2.0),
        (Reply(502, headers=waiting("100")), 2.0),
        (Reply(429), 30.0),
        (Reply(503, headers=waiting("100")), 100.0),
        (Reply(503, headers=waiting("1")), 30.0),
        (Reply(503, headers=waiting("soon")), 30.0),
        (Reply(no="timeout"), 2.0),
        (Reply(no=min(HOST_DOWN)), 30.0),
        (Reply(no=NO_HOST, again=False), 2.0),
    ],
)
def test_how_long_the_host_rests(reply: Reply, rest: float) -> None:
    assert rested(reply) == pytest.approx(rest)


def test_other_hosts_go_on_meanwhile() -> None:
    reply = Reply(429, headers=waiting("1000"))
    with bench("a/1", "b/1", script={"a/1": reply}, retries=1) as made:
        made.run()
    assert made.told("failed", "read") == [
        "failed a/1: status 429, again in 1000 s",
        "read b/1",
        "failed a/1: status 429, given up",
    ]


def test_a_host_that_is_given_up_for_now_rests_all_the_same() -> None:
    script = {"a/1": Reply(503, headers=waiting("500"))}
    with bench("a/1", "a/2", script=script, retries=0) as made:
        made.run()
    assert made.told("failed", "read") == ["failed a/1: status 503, given up", "read a/2"]
    assert made.asked()[-1] == (504.0, "a/2")


def test_a_crawl_delay_is_kept_between_pages() -> None:
    with bench("a/1", "a/2", script={"a/robots.txt": robots_txt("Crawl-delay: 20")}) as made:
        made.run()
    assert made.asked() == [(0.0, "a/robots.txt"), (21.0, "a/1"), (42.0, "a/2")]


def test_a_forbidden_page_is_never_asked_for() -> None:
    script = {"a/robots.txt": robots_txt("Disallow: /1")}
    with bench("a/1", "a/2", script=script) as made:
        made.run()
    assert made.story == [
        "asked a/robots.txt", "refused a/1: robots.txt", "asked a/2", "read a/2"
    ]  # fmt: skip
    assert made.clock.now == NOW + 4.0


def test_a_site_that_cannot_say_what_it_allows_waits_with_all_its_pages() -> None:
    script = {"a/robots.txt": (Reply(503), robots_txt())}
    with bench("a/1", "a/2", script=script) as made:
        made.run()
        assert where(made.frontier, url("a/2")) == "closed"
    assert made.told("read") == ["read a/1", "read a/2"] or made.told("read") == [
        "read a/2", "read a/1"
    ]  # fmt: skip
    robots = [at for at, name in made.asked() if name == "a/robots.txt"]
    assert robots == [0.0, 31.0]  # answered after 1 s, asked again after the first retry's 30
    assert [name for at, name in made.asked() if at < 31.0] == ["a/robots.txt"]
