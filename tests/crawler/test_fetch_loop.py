"""The fetch loop: how much it asks for at once, when it waits, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crawler.fetch_bench import Bench, bench
from crawler.scripted_downloads import NEVER, NO_ROBOTS, NOW, Reply, answer, robots_txt, url
from fetch.unrendered_pages import read as read_unrendered
from frontier.frontier_contract import where
from scenthound.crawler.control import ControlSignal
from scenthound.crawler.fetch_loop import BROWSER_LOST
from scenthound.fetch.client import NO_BROWSER, DownloaderError, FetchRequest, FetchResponse
from scenthound.frontier.politeness import PolitenessPolicy

PER_HOST_8 = PolitenessPolicy(per_host=8)
HOSTS = [f"h{number}/" for number in range(12)]


def pages(count: int) -> list[str]:
    return [f"a/{number}" for number in range(count)]


def has_asked(made: Bench, name: str) -> bool:
    return f"asked {name}" in made.story


@pytest.mark.parametrize(
    ("names", "read_seconds", "given", "steps"),
    [
        (  # one at a time a page is read before the next is asked for
            ["a/1", "b/1", "c/1"], 0.0, {"concurrency": 1},
            "asked a/1, read a/1, asked b/1, read b/1, asked c/1, read c/1",
        ),
        (  # what may be asked for is before the next page is read
            pages(5), 0.0, {"concurrency": 2, "politeness": PER_HOST_8},
            "asked a/0, asked a/1, read a/0, asked a/2, asked a/3, read a/1",
        ),
        (  # a robots.txt that came while a page was read holds up no second one
            ["a/1", "b/1", "c/1"], 5.0,
            {
                "concurrency": 3, "politeness": PER_HOST_8,
                "script": {"c/robots.txt": Reply(status=404, after=3.0)},
            },
            "asked a/1, asked b/1, read a/1, asked c/1, read b/1, read c/1",
        ),
    ],
)  # fmt: skip
def test_the_order_of_asking_and_reading(
    names: list[str], read_seconds: float, given: dict[str, Any], steps: str
) -> None:
    with bench(*names, **given) as made:
        made.read_seconds = read_seconds
        made.run()
    assert ", ".join(made.reported("asked", "read")).startswith(steps)


@pytest.mark.parametrize(("concurrency", "read_seconds"), [(1, 0.0), (3, 5.0)])
def test_how_many_are_under_way_and_unread(concurrency: int, read_seconds: float) -> None:
    with bench(
        *pages(20), concurrency=concurrency, politeness=PolitenessPolicy(per_host=40)
    ) as made:
        made.read_seconds = read_seconds  # an answer takes one
        made.run()
    waiting = most = 0
    for step in made.reported("asked", "read"):
        waiting += 1 if step.startswith("asked") else -1
        most = max(most, waiting)
    assert waiting == 0
    assert most == 2 * concurrency - 1
    assert len(made.reported("read")) == 20


def test_what_is_parked_counts_as_under_way() -> None:
    script = {f"h{number}/robots.txt": NEVER for number in range(12)}
    with bench(*HOSTS, script=script, concurrency=3) as made:
        made.until(lambda: made.clock.now > NOW + 5)
    assert [name for _, name in made.asked()] == [f"h{number}/robots.txt" for number in range(3)]


@pytest.mark.parametrize("ahead", [0.0, 600.0])  # the clock of the machine
def test_the_best_is_asked_for_first_and_hosts_rest_after_an_answer(ahead: float) -> None:
    with bench("a/1", "a/2", "b/1", concurrency=4, ahead=ahead) as made:
        made.run()
    assert made.asked() == [
        (0.0, "a/robots.txt"), (0.0, "b/robots.txt"),  # each takes a second
        (3.0, "a/1"), (3.0, "b/1"),
        (6.0, "a/2")
    ]  # fmt: skip


def test_who_listens_while_reading_has_hosts_rest_and_reads_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both pages are asked for at 1 s. The first is read for five; the second comes at 3 s."""
    script = {"b/1": Reply(after=2.0)}
    with bench("a/1", "b/1", script=script, concurrency=2, politeness=PER_HOST_8) as made:
        answered = list[tuple[float, str]]()
        tell = made.frontier.record_response

        def reported(address: str, at: float) -> None:
            answered.append((made.clock.now - NOW, address))
            tell(address, at)

        def read(answer: FetchResponse) -> None:
            made.clock.forward(5.0)
            made.loop.receive_messages()
            made.clock.forward(5.0)
            made.read(answer)

        monkeypatch.setattr(made.frontier, "record_response", reported)
        made.loop.run(made.source, read, lambda: ControlSignal.CONTINUE, made.redirects.append)
    assert answered == [(2.0, url("a/1")), (7.0, url("b/1"))]
    assert made.reported("read") == ["read a/1", "read b/1"]


def test_while_it_is_to_wait_it_asks_for_nothing_and_reads_what_comes() -> None:
    def control() -> ControlSignal:
        if has_asked(made, "a/1") and made.clock.now < NOW + 60:
            return ControlSignal.WAIT
        return ControlSignal.CONTINUE

    with bench("a/1", "b/1", "c/1", politeness=PER_HOST_8) as made:
        made.run(control)
    assert [at for at, name in made.asked() if name == "a/1"] == [1.0]
    assert made.reported("read")[0] == "read a/1"
    assert min(at for at, name in made.asked() if name[0] in "bc") >= 60.0
    assert made.reported("read") == ["read a/1", "read b/1", "read c/1"]


def test_a_pause_does_not_ask_what_could_be_leased(monkeypatch: pytest.MonkeyPatch) -> None:
    with bench("a/1", "b/1") as made:
        asked, turns = list[float](), list[float]()
        monkeypatch.setattr(made.frontier, "next_time", asked.append)

        def control() -> ControlSignal:
            turns.append(made.clock.now)
            return ControlSignal.WAIT if made.clock.now < NOW + 10 else ControlSignal.END

        made.run(control)
    assert asked == []
    assert len(turns) == 41  # four in a second


def test_it_wakes_when_a_host_has_rested_not_later() -> None:
    with bench("a/1", "a/2", politeness=PolitenessPolicy(delay=0.7, per_host=1)) as made:
        made.run()
    assert made.asked() == [(0.0, "a/robots.txt"), (1.7, "a/1"), (3.4, "a/2")]


def test_settling_reads_what_has_come_and_puts_back_the_rest() -> None:
    script = {"b/1": Reply(after=50.0), "c/robots.txt": NEVER}
    with bench(
        "a/1", "b/1", "c/1", "d/1", script=script, concurrency=3, politeness=PER_HOST_8
    ) as m:
        m.until(lambda: has_asked(m, "b/1"))
        m.clock.forward(5.0)
        assert m.reported("read") == []
        m.settle()
        assert m.story[-3:] == ["read a/1", "forgot c/1", "forgot b/1"]
        assert m.loop.in_flight == 0
        assert m.source.leased == {}
        places = [where(m.frontier, url(name)) for name in ("a/1", "b/1", "c/1", "d/1")]
        assert places == ["closed", "waiting", "waiting", "waiting"]
        m.clock.forward(60.0)  # a response that comes after the end is not read
        m.settle()
        assert m.reported("read") == ["read a/1"]
    with bench("a/1") as made:
        made.until(lambda: made.clock.now >= NOW + 1.0)  # robots.txt is here, the host rests
        assert made.source.candidate(url("a/1")) is not None
        made.settle()
        assert made.story == ["asked a/robots.txt", "forgot a/1"]
        assert where(made.frontier, url("a/1")) == "waiting"


def test_pages_that_came_before_or_too_late() -> None:
    with bench("a/1", "b/1", politeness=PER_HOST_8) as made:
        taken = made.frontier.take(url("b/1"), NOW)
        assert taken is not None
        made.source.leased[taken.url] = taken
        made.loop.add_response(answer("b/1"))
        made.run()
    assert made.reported("asked", "read") == ["read b/1", "asked a/1", "read a/1"]
    with bench("a/1", politeness=PER_HOST_8) as made:
        made.until(lambda: has_asked(made, "a/1"))
        del made.source.leased[url("a/1")]
        made.until(lambda: made.clock.now > NOW + 9)
    assert made.reported("read", "failed", "refused") == []


@pytest.mark.parametrize(("pause", "forgotten"), [(10.0, []), (100.0, ["forgot a/1"])])
def test_after_a_pause_a_page_that_is_due_is_asked_for_and_after_a_long_one_leased_again(
    pause: float, forgotten: list[str]
) -> None:
    """The page is put off until 3 s, after robots.txt. Another worker may have its lease later."""
    with bench("a/1") as made:
        made.run(
            lambda: (
                ControlSignal.WAIT
                if 2.0 <= made.clock.now - NOW < pause
                else ControlSignal.CONTINUE
            )
        )
    assert made.story == ["asked a/robots.txt", *forgotten, "asked a/1", "read a/1"]
    assert pause <= made.asked()[1][0] < pause + 2.5


def test_after_a_long_pause_what_another_has_fetched_is_not_asked_for() -> None:
    with bench("a/1") as made:

        def control() -> ControlSignal:
            if made.clock.now - NOW == 50.0:
                made.frontier.ack(url("a/1"))
            return (
                ControlSignal.WAIT
                if 2.0 <= made.clock.now - NOW < 100.0
                else ControlSignal.CONTINUE
            )

        made.run(control)
    assert made.story == ["asked a/robots.txt", "forgot a/1"]


def test_a_downloader_that_ended_is_restarted_but_not_again_and_again() -> None:
    with bench("a/1") as made:
        made.downloads.arriving.send(NOW + 3.5, DownloaderError("the downloader ended: bus error"))
        made.run()
    assert made.story == [
        "asked a/robots.txt", "asked a/1", "restarted", "asked a/1", "read a/1"
    ]  # fmt: skip
    with bench("a/1", script={"a/1": NEVER}) as made:
        for second in range(10):
            error = DownloaderError("the downloader ended: bus error")
            made.downloads.arriving.send(NOW + second, error)
        made.downloads.arriving.clear = lambda: None  # type: ignore[method-assign]
        with pytest.raises(DownloaderError, match="too often"):
            made.run()


def test_the_page_over_which_the_downloader_hung_is_given_up_and_no_other() -> None:
    with bench("a/1", "b/1", script={"a/1": NEVER}, concurrency=2) as made:

        def control() -> ControlSignal:
            if "asked a/1" in made.story and "restarted" not in made.story:
                made.downloads.guilty = FetchRequest(url("a/1"))
                made.downloads.is_hanging = made.clock.now > NOW + 3.5
            return ControlSignal.CONTINUE

        made.run(control)
    assert made.reported("failed") == [
        "failed a/1: cannot be read: the reader died over it, or took too long, given up"
    ]
    assert made.reported("read") == ["read b/1"]


def test_when_nothing_answers_anywhere_the_crawl_waits_and_no_page_is_blamed() -> None:
    down = Reply(no="no connection")
    script = {f"{host}robots.txt": (down, NO_ROBOTS) for host in HOSTS}
    with bench(*HOSTS, script=script, concurrency=3, retries=1) as made:
        made.run()
    assert sorted(made.reported("read")) == sorted(f"read {host}" for host in HOSTS)
    assert made.reported("outage", "network back") == ["outage", "network back"]
    blamed = made.reported("failed")
    assert len(blamed) == 9  # before the tenth in a row it could have been chance
    assert not any("given up" in line for line in blamed)


@pytest.mark.parametrize(
    ("names", "given", "reported"),
    [
        (["a/1"], {"script": {"a/1": Reply(after=99.0)}}, ["read a/1"]),  # in time
        (
            ["a/1"],
            {"script": {"a/1": (NEVER, Reply())}, "ahead": 600.0},
            ["failed a/1: lost by the downloader, again in 30 s", "read a/1"],
        ),
        (
            ["a/1"],
            {"script": {"a/robots.txt": NEVER}, "retries": 0},
            ["failed a/1: robots.txt unreadable: lost by the downloader, given up"],
        ),
        (  # its answer comes at 153 s, while b rests
            ["a/1", "b/1", "b/2"],
            {
                "script": {
                    "a/1": Reply(after=150.0),
                    "b/robots.txt": robots_txt("Crawl-delay: 120"),
                },
                "retries": 0,
                "concurrency": 3,
            },
            ["failed a/1: lost by the downloader, given up", "read b/1", "read b/2"],
        ),
    ],
)
def test_what_the_downloader_loses_is_missed_after_100_seconds(
    names: list[str], given: dict[str, Any], reported: list[str]
) -> None:
    with bench(*names, lost_after=100.0, **given) as made:
        made.run()
    assert made.reported("failed", "read") == reported


def test_a_lost_page_is_asked_for_again_after_a_tick_and_a_wait() -> None:
    with bench("a/1", script={"a/1": (NEVER, Reply())}, lost_after=100.0) as made:
        made.run()
    _, (first, _), (second, _) = made.asked()
    assert first == 3.0
    assert 133.0 < second < 134.0


def test_that_there_is_no_browser_any_more_is_reported_once(warned: list[str]) -> None:
    with bench("a/1") as made:
        for name in ("a/1", "b/1"):
            plain = read_unrendered(name)
            assert plain.page is not None
            ask = plain.request
            page = replace(plain.page, problem=NO_BROWSER)
            made.loop._in_flight[ask] = made.clock()
            made.loop._take(replace(plain, page=page), made.clock())
    assert warned == [BROWSER_LOST]
