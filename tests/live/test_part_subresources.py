"""What a page's scripts may ask for, and what they get: the browser has no network of its own."""

from __future__ import annotations

import dataclasses
import gzip
from dataclasses import replace

import pytest

from live.script_web import SCRIPT, XHR, Web, data, moved
from scenthound.core.bounds import Bounds
from scenthound.live.network import Network
from scenthound.live.options import CrawlOptions
from scenthound.live.spider import LeaseSpider
from scenthound.live.subresources import MOST_HOPS, passed_on
from scenthound.live.wanted import Fetched, Wanted


def test_data_comes_unpacked_and_without_what_belongs_to_the_connection() -> None:
    packed = data(body=gzip.compress(b"{}"), Content_Encoding="gzip", Content_Length="22",
                  Content_Type="application/json", Set_Cookie="a=b")  # fmt: skip
    assert Web(packed).fetch(XHR) == [Fetched(200, {"content-type": "application/json"}, b"{}")]


def test_a_bomb_is_unpacked_up_to_the_limit() -> None:
    bomb = data(body=gzip.compress(b"x" * 100_000), Content_Encoding="gzip")
    (found,) = Web(bomb).fetch(XHR)
    assert found is not None and len(found.body) == 1_000


@pytest.mark.parametrize(
    "wanted",
    [
        *(replace(XHR, kind=kind) for kind in ("image", "stylesheet", "font", "media", "other",
                                              "websocket", "eventsource", "manifest", "document")),
        *(replace(XHR, method=method) for method in ("POST", "PUT", "DELETE", "HEAD")),
        *(replace(XHR, url=url) for url in ("file:///etc/passwd", "data:text/plain,x", "ftp://a.test/",
                                            "http://user:word@a.test/", "chrome://version", "")),
    ],
)  # fmt: skip
def test_what_is_not_asked_for(wanted: Wanted) -> None:
    web = Web(data())
    assert web.fetch(wanted) == [None]
    assert web.asked == []


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://localhost:8080/", "http://169.254.169.254/", "http://[::1]/"],
)
@pytest.mark.parametrize("allow_private", [False, True])
def test_a_page_cannot_look_around_inside(url: str, allow_private: bool) -> None:
    web = Web(data(url), moved(SCRIPT.url, url))
    assert web.fetch(replace(XHR, url=url), SCRIPT, allow_private=allow_private) == [None, None]
    assert web.urls == [SCRIPT.url]


def test_a_page_that_lies_inside_may_ask_its_own_host() -> None:
    inside = Wanted("http://127.0.0.1:8000/", "http://127.0.0.1:8000/data", "xhr", "GET", {})
    assert Web(data(inside.url)).fetch(inside, allow_private=True) != [None]
    assert Web(data(inside.url)).fetch(inside, allow_private=False) == [None]


def test_logins_go_with_requests_to_the_host_of_the_page_alone() -> None:
    others = ["http://api.a.test/x", "https://a.test/x", "http://a.test:8080/x"]
    web = Web(data(), *map(data, others))
    web.fetch(XHR, *(replace(XHR, url=url) for url in others))
    assert [signed for _, _, signed in web.asked] == [True, False, False, False]


def test_a_frame_that_stands_for_nobody_gets_no_login() -> None:
    web = Web(data(Access_Control_Allow_Origin="*"))
    assert web.fetch(replace(XHR, headers={"origin": "null"})) != [None]
    assert [signed for _, _, signed in web.asked] == [False]


def test_denied_hosts_and_excluded_urls_are_not_asked_for_by_scripts_either() -> None:
    cdn, ad, pixel = "http://cdn.test/app.js", "http://ads.test/ad.js", "http://a.test/pixel.js"
    options = CrawlOptions(
        deny_host=("ads.test",), exclude=("*/pixel*",), allow_host=("a.test",), stay=True
    )
    network = Network.from_json({**dataclasses.asdict(options.network("1")), "auth": []})
    bounds = Bounds(deny_host=network.deny_host, exclude=network.exclude)
    web = Web(data(cdn), data(ad), data(pixel), moved("http://a.test/go", ad))
    urls = [cdn, ad, pixel, "http://a.test/go"]
    scripts = [replace(SCRIPT, url=url) for url in urls]
    found = web.fetch(*scripts, denied=lambda url: bounds.denial(url) is not None)
    assert [each is not None for each in found] == [True, False, False, False]
    assert web.urls == [cdn, "http://a.test/go"]


def test_redirects_are_followed_on_the_host() -> None:
    web = Web(moved(XHR.url, "/b"), moved("http://a.test/b", "c"), data("http://a.test/c"))
    (found,) = web.fetch(XHR)
    assert found is not None and found.body == b"{}"


def test_data_is_not_followed_to_another_host_and_a_script_is_without_its_authorization() -> None:
    cdn = "http://cdn.test/app.js"
    web = Web(moved(XHR.url, cdn), data(cdn))
    headers = {"authorization": "Bearer x", "x-a": "b"}
    found = web.fetch(XHR, replace(SCRIPT, headers=headers))
    assert found[0] is None and found[1] is not None
    assert web.asked[1:] == [(SCRIPT.url, headers, True), (cdn, {"x-a": "b"}, False)]


def test_redirects_without_end_end() -> None:
    web = Web(moved(XHR.url, XHR.url))
    assert web.fetch(XHR) == [None]
    assert len(web.asked) == MOST_HOPS + 1


def test_a_failure_is_no_answer() -> None:
    assert Web().fetch(XHR) == [None]


def test_which_headers_are_passed_on() -> None:
    assert all(map(passed_on, ["accept", "X-Requested-With", "authorization", "referer"]))
    ours = ["Cookie", "user-agent", "accept-encoding", "sec-fetch-site", "Host", "proxy-x", ":path"]
    assert not any(map(passed_on, ours))


def test_a_request_for_a_script_is_one_of_the_crawl() -> None:
    network = Network("scenthound/1", proxy="http://p.test:1", header=("X-A: ours",))
    spider = LeaseSpider(network, print, lambda url: False)
    headers = {"accept": "application/json", "x-a": "theirs", "x-b": "theirs"}
    request = spider.subrequest(XHR.url, headers, True)
    sent = {name.title(): value for name, value in request.headers.to_unicode_dict().items()}
    assert sent["Accept"] == "application/json"
    assert (sent["User-Agent"], sent["X-A"], sent["X-B"]) == ("scenthound/1", "ours", "theirs")
    assert request.meta["proxy"] == "http://p.test:1"
