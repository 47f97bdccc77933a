"""What a page may read of another origin: what that one lets it, as in any browser."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
from collections.abc import Mapping
from dataclasses import replace

import pytest
from pytest import MonkeyPatch
from scrapy.http import Response

from scenthound.core.scope import UrlRules
from scenthound.crawler.options import CrawlOptions
from scenthound.fetch import subresources
from scenthound.fetch.downloader import ScrapyExchange
from scenthound.fetch.network import Network
from scenthound.fetch.subresources import Rule, Subresource, SubresourceRequest

PAGE = "http://a.test/page"
XHR = SubresourceRequest(PAGE, "http://a.test/data", "fetch", "GET", {})
SCRIPT = replace(XHR, kind="script")


class Web:
    """Answers by script, and notes who asked."""

    def __init__(self, *answers: Response) -> None:
        self._answers = {answer.url: answer for answer in answers}
        self.asked: list[tuple[str, Mapping[str, str], bool]] = []

    async def download(self, url: str, headers: Mapping[str, str], signed: bool) -> Response:
        self.asked.append((url, dict(headers), signed))
        await asyncio.sleep(0)
        return self._answers[url]

    @property
    def urls(self) -> list[str]:
        return [url for url, _, _ in self.asked]

    def fetch(
        self,
        *wanted: SubresourceRequest,
        allow_private: bool = False,
        denied: Rule = lambda _: False,
        opens: Rule = lambda _: False,
    ) -> list[Subresource | None]:
        made = subresources.Subresources(self.download, allow_private, 1_000, denied, opens)

        async def all_of_them() -> list[Subresource | None]:
            return [await made.fetch(each) for each in wanted]

        return asyncio.run(all_of_them())


def data(url: str = XHR.url, body: bytes = b"{}", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, headers=named, body=body)


def moved(url: str, target: str) -> Response:
    return Response(url, status=302, headers={"Location": target})


OTHER = "http://b.test/data"
MODULE = {"origin": "http://a.test"}


def test_who_may_read_and_which_headers_are_passed_on() -> None:
    origins = ["*", " http://a.test ", "", "http://b.test", "null", "http://a.test, *"]
    allowed = [
        subresources.may_read("http://a.test", {"access-control-allow-origin": each})
        for each in origins
    ]
    assert allowed == [True, True, False, False, False, False]
    own = {"access-control-allow-origin": "http://b.test:8080", "x-a": "b"}
    assert subresources.closed("http://b.test:8080/data?x", {"x-a": "b"}) == own
    printed = {"access-control-allow-origin": "*"}
    assert subresources.closed("http://b.test/", printed) == printed
    assert all(
        map(subresources.passed_on, ["accept", "X-Requested-With", "authorization", "referer"])
    )
    ours = ["Cookie", "user-agent", "accept-encoding", "sec-fetch-site", "Host", "proxy-x", ":path"]
    assert not any(map(subresources.passed_on, ours))


def test_data_and_modules_of_another_origin_are_given_where_it_says_so_scripts_always() -> None:
    wanted = replace(XHR, url=OTHER)
    assert Web(data(OTHER)).fetch(wanted) == [None]
    assert Web(data(OTHER, Access_Control_Allow_Origin="*")).fetch(wanted) != [None]
    assert Web(data()).fetch(XHR) != [None]  # its own
    assert Web(data()).fetch(replace(XHR, headers={"origin": "null"})) == [None]  # an opaque frame
    for url in ("https://a.test/data", "http://a.test:8080/data"):  # another scheme or port
        assert Web(data(url)).fetch(replace(XHR, url=url)) == [None]
        to_all = data(url, Access_Control_Allow_Origin="*")
        assert Web(moved(XHR.url, url), to_all).fetch(XHR) == [None]
    script = replace(SCRIPT, url=OTHER)
    module = replace(script, headers=MODULE)
    assert Web(data(OTHER)).fetch(script) != [None]
    assert Web(data(OTHER)).fetch(module) == [None]
    assert Web(data(OTHER, Access_Control_Allow_Origin="http://a.test")).fetch(module) != [None]
    own = replace(SCRIPT, headers=MODULE)  # one that moves elsewhere is not its own any more
    assert Web(moved(SCRIPT.url, OTHER), data(OTHER)).fetch(own) == [None]
    open_to_all = data(OTHER, Access_Control_Allow_Origin="*")
    assert Web(moved(SCRIPT.url, OTHER), open_to_all).fetch(own) != [None]


# Scripts are shared by the pages of a site, and by no others: what one sees is not for all.


EVIL = "http://evil.test/"
SECOND = replace(SCRIPT, page="http://a.test/second")


def test_scripts_are_fetched_once_and_data_every_time() -> None:
    web = Web(data())
    assert len(set(map(id, web.fetch(SCRIPT, SECOND, XHR, XHR)))) == 3
    assert len(web.asked) == 3
    for other in (replace(SCRIPT, page=EVIL), replace(SCRIPT, headers=MODULE)):
        web = Web(data())
        web.fetch(SCRIPT, other)  # no site or module is given what came for another
        assert len(web.asked) == 2


def test_what_came_with_a_login_is_for_that_page_alone() -> None:
    web = Web(data())
    wanted = (SCRIPT, SECOND, replace(SCRIPT, page=EVIL))
    web.fetch(*wanted, opens=lambda url: True)
    assert [signed for _, _, signed in web.asked] == [True, True, False]
    web.fetch(SCRIPT, SECOND, opens=lambda url: True)
    assert len(web.asked) == 5
    cdn = "http://cdn.test/app.js"  # after a redirect too
    web = Web(moved(cdn, SCRIPT.url), data())
    script = replace(SCRIPT, url=cdn)
    found = web.fetch(script, script, opens=lambda url: url == SCRIPT.url)
    assert [each and each.secret for each in found] == [True, True]
    assert web.urls == [cdn, SCRIPT.url] * 2


@pytest.mark.parametrize("public", [True, False])
def test_a_script_inside_is_for_the_pages_there_however_it_was_reached(public: bool) -> None:
    inside, outside = "http://127.0.0.1/app.js", "http://b.test/app.js"
    web = Web(data(inside), moved(outside, inside))
    at_home = replace(SCRIPT, page="http://127.0.0.1/", url=outside if public else inside)
    found = web.fetch(at_home, replace(at_home, page=EVIL), allow_private=True)
    assert [each is not None for each in found] == [True, False]


def test_only_scripts_that_fit_and_are_not_forbidden_are_kept(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(subresources, "MAX_CACHE_BYTES", 2_500)
    urls = [f"http://a.test/{number}.js" for number in range(3)]
    web = Web(*(data(url, b"x" * 200) for url in urls))
    scripts = [replace(SCRIPT, url=url) for url in urls]
    web.fetch(*scripts, scripts[2], scripts[0])
    assert web.urls == [*urls, urls[0]]
    web = Web(Response(SCRIPT.url, status=404))  # nor is a missing one
    assert [each and each.status for each in web.fetch(SCRIPT, SCRIPT)] == [404, 404]
    assert len(web.asked) == 2
    denials = iter([False, True])
    found = Web(data()).fetch(SCRIPT, SECOND, denied=lambda _: next(denials))
    assert [each is not None for each in found] == [True, False]


# What a page's scripts may ask for, and what they get: the browser has no network of its own.


def test_data_comes_unpacked_and_without_what_belongs_to_the_connection() -> None:
    packed = data(body=gzip.compress(b"{}"), Content_Encoding="gzip", Content_Length="22",
                  Content_Type="application/json", Set_Cookie="a=b")  # fmt: skip
    assert Web(packed).fetch(XHR) == [Subresource(200, {"content-type": "application/json"}, b"{}")]
    bomb = data(body=gzip.compress(b"x" * 100_000), Content_Encoding="gzip")
    (found,) = Web(bomb).fetch(XHR)
    assert found is not None and len(found.body) == 1_000


@pytest.mark.parametrize(
    "wanted",
    [
        *(replace(XHR, kind=kind) for kind in ("image", "websocket", "document")),
        replace(XHR, method="POST"),
        *(replace(XHR, url=url) for url in ("file:///etc/passwd", "data:text/plain,x",
                                            "http://user:word@a.test/", "")),
    ],
)  # fmt: skip
def test_what_is_not_asked_for(wanted: SubresourceRequest) -> None:
    web = Web(data())
    assert web.fetch(wanted) == [None]
    assert web.asked == []


@pytest.mark.parametrize("allow_private", [False, True])
def test_a_page_cannot_look_around_inside(allow_private: bool) -> None:
    for url in ("http://localhost:8080/", "http://169.254.169.254/", "http://[::1]/"):
        web = Web(data(url), moved(SCRIPT.url, url))
        assert web.fetch(replace(XHR, url=url), SCRIPT, allow_private=allow_private) == [None] * 2
        assert web.urls == [SCRIPT.url]
    home = "http://127.0.0.1:8000/"  # a page that lies inside may ask its own host
    inside = replace(XHR, page=home, url=f"{home}data", kind="xhr")
    found = Web(data(inside.url)).fetch(inside, allow_private=allow_private)
    assert (found != [None]) is allow_private


def test_logins_go_with_requests_to_the_host_of_the_page_alone() -> None:
    others = ["http://api.a.test/x", "https://a.test/x", "http://a.test:8080/x"]
    web = Web(data(), *map(data, others))
    web.fetch(XHR, *(replace(XHR, url=url) for url in others))
    assert [signed for _, _, signed in web.asked] == [True, False, False, False]
    web = Web(data(Access_Control_Allow_Origin="*"))
    assert web.fetch(replace(XHR, headers={"origin": "null"})) != [None]
    assert [signed for _, _, signed in web.asked] == [False]  # a frame that stands for nobody


def test_denied_hosts_and_excluded_urls_are_not_asked_for_by_scripts_either() -> None:
    cdn, ad, pixel = "http://cdn.test/app.js", "http://ads.test/ad.js", "http://a.test/pixel.js"
    options = CrawlOptions(
        deny_host=("ads.test",), exclude=("*/pixel*",), allow_host=("a.test",), stay=True
    )
    network = Network.from_json({**dataclasses.asdict(options.network("1")), "auth": []})
    bounds = UrlRules(deny_host=network.deny_host, exclude=network.exclude)
    web = Web(data(cdn), data(ad), data(pixel), moved("http://a.test/go", ad))
    urls = [cdn, ad, pixel, "http://a.test/go"]
    scripts = [replace(SCRIPT, url=url) for url in urls]
    found = web.fetch(*scripts, denied=lambda url: bounds.denial(url) is not None)
    assert [each is not None for each in found] == [True, False, False, False]
    assert web.urls == [cdn, "http://a.test/go"]


def test_redirects_are_followed_on_the_host_and_end_and_a_script_loses_its_login() -> None:
    web = Web(moved(XHR.url, "/b"), moved("http://a.test/b", "c"), data("http://a.test/c"))
    (found,) = web.fetch(XHR)
    assert found is not None and found.body == b"{}"
    web = Web(moved(XHR.url, XHR.url))
    assert web.fetch(XHR) == [None]
    assert len(web.asked) == subresources.MAX_HOPS + 1
    assert Web().fetch(XHR) == [None]  # a failure is no answer
    cdn = "http://cdn.test/app.js"
    web = Web(moved(XHR.url, cdn), data(cdn))
    headers = {"authorization": "Bearer x", "x-a": "b"}
    fetched, script = web.fetch(XHR, replace(SCRIPT, headers=headers))
    assert fetched is None and script is not None
    assert web.asked[1:] == [(SCRIPT.url, headers, True), (cdn, {"x-a": "b"}, False)]


def test_a_request_for_a_script_is_one_of_the_crawl() -> None:
    network = Network("scenthound/1", proxy="http://p.test:1", header=("X-A: ours",))
    headers = {"accept": "application/json", "x-a": "theirs", "x-b": "theirs"}
    request = ScrapyExchange(network).subrequest(XHR.url, headers, True)
    sent = {name.title(): value for name, value in request.headers.to_unicode_dict().items()}
    assert sent["Accept"] == "application/json"
    assert (sent["User-Agent"], sent["X-A"], sent["X-B"]) == ("scenthound/1", "ours", "theirs")
    assert request.meta["proxy"] == "http://p.test:1"
