"""What a page's scripts may ask for, and what they get: the browser has no network of its own."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from dataclasses import replace

import pytest
from scrapy.http import Response

from scenthound.live import subresources as module
from scenthound.live.network import Network
from scenthound.live.spider import LeaseSpider
from scenthound.live.subresources import MOST_HOPS, Fetched, Subresources, Wanted, passed_on

PAGE = "http://a.test/page"
XHR = Wanted(PAGE, "http://a.test/data", "fetch", "GET", {})
SCRIPT = replace(XHR, kind="script")


class Web:
    """Answers by script, and notes who asked."""

    def __init__(self, *answers: Response) -> None:
        self._answers = {answer.url: answer for answer in answers}
        self.asked: list[tuple[str, Mapping[str, str], bool]] = []

    async def download(self, url: str, headers: Mapping[str, str], signed: bool) -> Response:
        self.asked.append((url, dict(headers), signed))
        return self._answers[url]

    @property
    def urls(self) -> list[str]:
        return [url for url, _, _ in self.asked]

    def fetch(self, *wanted: Wanted, allow_private: bool = False) -> list[Fetched | None]:
        made = Subresources(self.download, allow_private, 1_000)

        async def all_of_them() -> list[Fetched | None]:
            return [await made.fetch(each) for each in wanted]

        return asyncio.run(all_of_them())


def data(url: str = XHR.url, body: bytes = b"{}", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, headers=named, body=body)


def moved(url: str, target: str) -> Response:
    return Response(url, status=302, headers={"Location": target})


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
    web = Web(data(), data("http://api.a.test/x"))
    web.fetch(XHR, replace(XHR, url="http://api.a.test/x"))
    assert [signed for _, _, signed in web.asked] == [True, False]


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


def test_scripts_are_fetched_once_and_data_every_time() -> None:
    web = Web(data())
    assert len(set(map(id, web.fetch(SCRIPT, SCRIPT, XHR, XHR)))) == 3
    assert len(web.asked) == 3


def test_not_more_scripts_are_kept_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CACHE_BYTES", 500)
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
