"""A page that needs a browser is asked for again once its host has rested, and counts once."""

from __future__ import annotations

from live.part_bench import Bench, bench
from live.part_building import Reply, robots_txt
from scenthound.live.reasons import NEEDS_BROWSER

HALF_READ = Reply(no=NEEDS_BROWSER)


def asked_with_a_browser(made: Bench) -> list[bool]:
    asks = (ask for _, ask in made.downloads.asked if not ask.url.endswith("robots.txt"))
    return [ask.render for ask in asks]


def test_the_host_rests_in_between_and_afterwards() -> None:
    with bench("a/1", "a/2", script={"a/1": [HALF_READ, Reply(after=3.0)]}) as made:
        made.run()
    assert made.asked() == [
        (0.0, "a/robots.txt"), (3.0, "a/1"), (6.0, "a/1"), (11.0, "a/2"),
    ]  # fmt: skip
    assert asked_with_a_browser(made) == [False, True, False]
    assert made.told("read", "failed") == ["read a/1", "read a/2"]


def test_a_longer_delay_of_its_robots_txt_is_kept() -> None:
    script = {"a/robots.txt": [robots_txt("Crawl-delay: 10")], "a/1": [HALF_READ, Reply()]}
    with bench("a/1", script=script) as made:
        made.run()
    assert [at for at, _ in made.asked()] == [0.0, 11.0, 22.0]


def test_it_counts_as_under_way_meanwhile() -> None:
    with bench("a/1", "b/1", script={"a/1": [HALF_READ, Reply()]}, concurrency=1) as made:
        made.run()
    assert made.told("asked", "read") == ["asked a/1", "asked a/1", "read a/1", "asked b/1",
                                          "read b/1"]  # fmt: skip


def test_a_crawl_that_ends_meanwhile_lets_it_wait_again() -> None:
    with bench("a/1", script={"a/1": [HALF_READ, Reply()]}) as made:
        made.until(lambda: len(made.downloads.asked) == 2 and made.worker.under_way == 0)
        made.settle()
        assert made.told("forgot") == ["forgot a/1"]
        assert len(made.frontier) == 1
