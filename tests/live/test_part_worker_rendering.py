"""A page that needs a browser is asked for again once its host has rested, and counts once."""

from __future__ import annotations

from dataclasses import replace

from live.browsing_making import read
from live.part_bench import Bench, bench
from live.part_building import NEVER, NOW, Reply, robots_txt
from scenthound.live.messages import Ask
from scenthound.live.reasons import NEEDS_BROWSER, NO_BROWSER
from scenthound.live.worker import BROWSER_LOST

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


def test_pages_wait_for_a_place_at_the_browser_and_are_not_lost_meanwhile() -> None:
    names = [f"{host}/1" for host in "abcdefgh"]
    script = {name: [HALF_READ, Reply(after=60.0)] for name in names}
    with bench(*names, script=script, concurrency=8, lost_after=100.0) as made:
        made.run()
    assert made.told("failed") == []
    assert sorted(made.told("read")) == [f"read {name}" for name in names]
    times = [at for at, ask in made.downloads.asked if ask.render]
    assert len(times) == 8
    assert [at - times[0] for at in times] == [0, 0, 60, 60, 120, 120, 180, 180]


def test_other_pages_do_not_wait_for_the_browser() -> None:
    script = {f"{host}/1": [HALF_READ, Reply(after=60.0)] for host in "abc"}
    with bench(*script, "d/1", script=script, concurrency=4) as made:
        made.run()
    assert made.told("read")[0] == "read d/1"


def test_a_crawl_that_ends_lets_those_wait_again_that_have_no_place() -> None:
    script = {f"{host}/1": [HALF_READ, NEVER] for host in "abc"}
    with bench(*script, script=script, concurrency=3) as made:
        made.until(lambda: made.clock.now > NOW + 50)
        made.settle()
        assert made.told("forgot") == ["forgot c/1", "forgot a/1", "forgot b/1"]
        assert len(made.frontier) == 3


def test_that_there_is_no_browser_any_more_is_told_once() -> None:
    warned: list[str] = []
    with bench("a/1", warn=warned.append) as made:
        for name in ("a/1", "b/1"):
            plain = read(name)
            assert plain.page is not None
            ask = Ask(plain.ask.url, render=True)
            page = replace(plain.page, problem=NO_BROWSER)
            made.worker._asked[ask] = made.clock()
            made.worker._heard(replace(plain, ask=ask, page=page), made.clock())
    assert warned == [BROWSER_LOST]


def test_a_crawl_that_ends_meanwhile_lets_it_wait_again() -> None:
    with bench("a/1", script={"a/1": [HALF_READ, Reply()]}) as made:
        made.until(lambda: len(made.downloads.asked) == 2 and made.worker.under_way == 0)
        made.settle()
        assert made.told("forgot") == ["forgot a/1"]
        assert len(made.frontier) == 1
