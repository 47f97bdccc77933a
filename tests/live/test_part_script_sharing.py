"""Scripts are shared by the pages of a site, and by no others: what one sees is not for all."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from scrapy.http import Response

from live.script_web import SCRIPT, XHR, Web, data, moved
from scenthound.live import script_cache as module
from scenthound.live.script_cache import ScriptCache
from scenthound.live.wanted import Fetched

EVIL = "http://evil.test/"
SECOND = replace(SCRIPT, page="http://a.test/second")


def test_scripts_are_fetched_once_and_data_every_time() -> None:
    web = Web(data())
    assert len(set(map(id, web.fetch(SCRIPT, SECOND, XHR, XHR)))) == 3
    assert len(web.asked) == 3


def test_pages_that_are_shown_at_once_share_a_script_on_its_way() -> None:
    web = Web(data())
    one, two = web.fetch(SCRIPT, SECOND, at_once=True)
    assert one is two is not None
    assert len(web.asked) == 1


def test_what_came_with_a_login_is_for_that_page_alone() -> None:
    web = Web(data())
    wanted = (SCRIPT, SECOND, replace(SCRIPT, page=EVIL))
    web.fetch(*wanted, opens=lambda url: True)
    assert [signed for _, _, signed in web.asked] == [True, True, False]
    web.fetch(SCRIPT, SECOND, at_once=True, opens=lambda url: True)
    assert len(web.asked) == 5


def test_what_came_with_a_login_after_a_redirect_is_not_kept_either() -> None:
    cdn = "http://cdn.test/app.js"
    web = Web(moved(cdn, SCRIPT.url), data())
    script = replace(SCRIPT, url=cdn)
    found = web.fetch(script, script, opens=lambda url: url == SCRIPT.url)
    assert [each and each.secret for each in found] == [True, True]
    assert web.urls == [cdn, SCRIPT.url] * 2


def test_no_site_is_given_what_came_for_another() -> None:
    web = Web(data())
    web.fetch(SCRIPT, replace(SCRIPT, page=EVIL))
    assert len(web.asked) == 2


@pytest.mark.parametrize("public", [True, False])
def test_a_script_inside_is_for_the_pages_there_however_it_was_reached(public: bool) -> None:
    inside, outside = "http://127.0.0.1/app.js", "http://b.test/app.js"
    web = Web(data(inside), moved(outside, inside))
    at_home = replace(SCRIPT, page="http://127.0.0.1/", url=outside if public else inside)
    found = web.fetch(at_home, replace(at_home, page=EVIL), allow_private=True)
    assert [each is not None for each in found] == [True, False]


def test_what_has_become_forbidden_is_not_taken_from_those_that_came() -> None:
    asked: list[str] = []

    def denied(url: str) -> bool:
        asked.append(url)
        return len(asked) > 1

    found = Web(data()).fetch(SCRIPT, SECOND, denied=denied)
    assert [each is not None for each in found] == [True, False]


def test_an_answer_for_a_module_is_not_one_for_a_plain_script() -> None:
    web = Web(data())
    web.fetch(SCRIPT, replace(SCRIPT, headers={"origin": "http://a.test"}))
    assert len(web.asked) == 2


def test_not_more_scripts_are_kept_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2_500)
    urls = [f"http://a.test/{number}.js" for number in range(3)]
    web = Web(*(data(url, b"x" * 200) for url in urls))
    scripts = [replace(SCRIPT, url=url) for url in urls]
    web.fetch(*scripts, scripts[2], scripts[0])
    assert web.urls == [*urls, urls[0]]


def test_a_missing_script_is_not_kept() -> None:
    web = Web(Response(SCRIPT.url, status=404))
    found = web.fetch(SCRIPT, SCRIPT)
    assert [each and each.status for each in found] == [404, 404]
    assert len(web.asked) == 2


def test_a_page_that_gives_up_takes_the_script_from_nobody() -> None:
    came = Fetched(200, {}, b"x")

    async def run() -> Fetched | None:
        cache, ready = ScriptCache(), asyncio.Event()

        async def fetch() -> Fetched | None:
            await ready.wait()
            return came

        first, second = (asyncio.create_task(cache.get(("key",), fetch)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        ready.set()
        return await second

    assert asyncio.run(run()) is came
