"""Pages that mean harm, in a real browser: nothing leaves it, nothing lasts, nothing hangs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from browser.browser_net import LIMIT, Net, Show, browse
from crawler.live_running import KEYWORDS, crawl
from crawler.live_web import LiveWeb, ok
from scenthound.fetch import browser as module
from scenthound.fetch.browser import MAX_REQUESTS, Browser, PageSource, RenderingError
from scenthound.text.extract import extract


def test_only_what_we_fetch_is_there(show: Show) -> None:
    html = show("<p id=p>Stürme</p><script>p.textContent += ' ' + navigator.userAgent</script>")
    assert '<p id="p">Stürme scenthound/1</p>' in html
    net = Net()
    html = show(
        """<p id=p></p><img src=http://b.test/pixel.png><link rel=stylesheet href=/style.css>
        <iframe src=http://b.test/frame></iframe><script>
        const seen = [];
        new WebSocket('ws://b.test/').onerror = () => seen.push('socket');
        window.open('http://b.test/window');
        fetch('/data').then(a => a.text()).then(t => { p.textContent = t + seen; });
        </script>""",
        net,
    )
    assert ">here" in html
    assert "http://a.test/data" in net.urls
    kinds = {wanted.kind for wanted in net.wanted}
    assert "document" not in kinds  # frames and windows do not even get as far as that
    assert "websocket" not in kinds


def links_of(html: str) -> list[str]:
    found = extract(html.encode(), "http://a.test/page", "text/html; charset=utf-8")
    return [link.url for link in found.links]


def test_links_of_a_page_that_moves(show: Show) -> None:
    html = show("<p>here I am</p><script>location.href = 'http://b.test/?a&b'</script>")
    assert "here I am" in html and links_of(html) == ["http://b.test/?a&b"]
    html = show(
        "<iframe src=http://b.test/></iframe><script>window.open('http://c.test/')</script>"
    )
    assert "refresh" not in html, "frames and windows are no links"
    # relative links refer to where the page is
    moved = (
        "<p id=p></p><script>history.replaceState(null, '', '/other/\"deep/');"
        "p.innerHTML = '<a href=one>one</a>'</script>"
    )
    assert links_of(show(moved)) == ["http://a.test/other/%22deep/one"]
    based = "<base href=/below/><a href=one>one</a>"
    assert links_of(show(based)) == ["http://a.test/below/one"]
    assert "<base" not in show("<a href=one>one</a>")
    endless = "<p>here</p><script>history.replaceState(null, '', 'x'.repeat(9000))</script>"
    html = show(endless)
    assert "here" in html and "<base" not in html


def test_a_page_cannot_be_endless_nor_lie_about_its_html(show: Show) -> None:
    net = Net()
    html = show(
        "<p>still here</p><script>let n = 0; setInterval(() => fetch('/' + n++), 20)</script>", net
    )
    assert "still here" in html
    assert len(net.wanted) == MAX_REQUESTS
    html = show(
        """<p>truth</p><script>String.prototype.slice = () => 'lie';
        document.body.append('x'.repeat(3000000));</script>"""
    )
    assert "truth" in html
    assert len(html) == LIMIT


def test_a_page_that_hangs_is_given_up_and_the_next_one_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SECONDS", 5.0)
    hangs = PageSource("http://a.test/1", "text/html", b"<script>for (;;) {}</script>")
    fine = PageSource("http://a.test/2", "text/html", b"<p>fine")

    async def both(browser: Browser) -> bytes:
        with pytest.raises(RenderingError, match="took too long"):
            await browser.show(hangs)
        return await browser.show(fine)

    assert b"fine" in browse(Net(), both)


def test_pages_know_nothing_of_each_other() -> None:
    left = b"<script>localStorage.x = document.cookie = 'x=left behind'</script>"
    shows = b"p.textContent = localStorage.x + document.cookie + 'St\xfcrme'"
    seen = b"<p id=p></p><script>" + shows + b"</script>"
    one, two = (
        PageSource("http://a.test/", "text/html; charset=iso-8859-1", html) for html in (left, seen)
    )

    async def both(browser: Browser) -> bytes:
        await browser.show(one)
        return await browser.show(two)

    assert '<p id="p">undefinedStürme</p>' in browse(Net(), both).decode(), "in its own charset"


# What a page may read of other origins, and with logins in a real crawl.


READ = """<p id=p></p><script>
const say = (how, what) => {{ p.textContent += how + '=' + what + ' '; }};
fetch('{url}').then(a => a.text()).then(t => say('fetch', t), () => say('fetch', 'no'));
const x = new XMLHttpRequest();
x.open('GET', '{url}');
x.onload = () => say('xhr', x.responseText);
x.onerror = () => say('xhr', 'no');
x.send();
new Worker(URL.createObjectURL(new Blob([
  "fetch('{url}').then(a => a.text()).then(t => postMessage(t), () => postMessage('no'))"
]))).onmessage = e => say('worker', e.data);
</script>"""
OTHER = "http://b.test/payroll"
TEXT = " ".join(f"the {word} rises over the sea wall in part" for word in KEYWORDS * 5)


def read(show: Show, url: str, **headers: str) -> set[str]:
    """What each way of asking gave."""
    html = show(READ.format(url=url), Net(b"secret", **headers))
    return set(html.partition(">")[2].partition('<p id="p">')[2].partition("</p>")[0].split())


def test_only_answers_for_this_origin_or_for_all_are_read(show: Show) -> None:
    for allows in [None, "http://b.test", "null", "http://a.test, http://b.test"]:
        headers = {} if allows is None else {"access_control_allow_origin": allows}
        assert read(show, OTHER, **headers) == {"fetch=no", "xhr=no", "worker=no"}
    everything = {"fetch=secret", "xhr=secret", "worker=secret"}
    assert read(show, OTHER, access_control_allow_origin="*") == everything
    assert read(show, "http://a.test/own") == everything


@pytest.mark.parametrize(
    ("attributes", "headers", "runs"),
    [
        ("", {}, True),
        ("type=module", {}, False),
        ("crossorigin", {}, False),
        ("type=module", {"access_control_allow_origin": "*"}, True),
        ("crossorigin", {"access_control_allow_origin": "http://a.test"}, True),
    ],
)
def test_scripts_of_other_origins(
    show: Show, attributes: str, headers: dict[str, str], runs: bool
) -> None:
    script = b"document.body.append('it ' + 'runs')"
    net = Net(script, **{"content_type": "text/javascript", **headers})
    html = show(f"<p>page</p><script {attributes} src=http://b.test/x.js></script>", net)
    assert ("it runs" in html) is runs


def page_with(scripts: Iterable[str], link: str) -> str:
    """A page that shows what its scripts know of its reader."""
    tags = "".join(f"<script src={url}></script>" for url in scripts)
    shows = f"app.innerHTML = '<p>{TEXT} ' + window.user + '</p><a href={link}>storm</a>'"
    return f"<div id=app></div>{tags}<script>{shows}</script>"


def test_logins_are_given_to_no_other_host_and_what_is_closed_is_closed_to_scripts(
    tmp_path: Path,
) -> None:
    """A script that came with a login; denied hosts and the topic's excluded URLs."""
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("a.test\tFALSE\t/\tFALSE\t0\tsession\topen\n")
    places = [("cdn.test", "/lib.js"), ("ads.test", "/ad.js"), ("c.test", "/tracking/t.js")]
    seeds = ["http://a.test/", "http://evil.test/", "http://c.test/"]
    script = ok("window.user = 'reader'", {"Content-Type": "text/javascript"})
    with LiveWeb(1) as web:
        web.add("a.test", "/", page_with(["/user.js"], "/more"))
        web.add("evil.test", "/", page_with(["http://a.test/user.js"], "/more"))
        web.add("c.test", "/", page_with([f"http://{host}{path}" for host, path in places], "/"))
        for host, path in [("a.test", "/user.js"), *places]:
            web.add(host, path, script)
        crawl(
            tmp_path / "out", seeds, javascript=True, proxy=web.proxy, concurrency=1,
            cookie_file=str(cookies), allow_private=False, deny_host="ads.test",
            exclude=("*/tracking/*",), stay=True,
        )  # fmt: skip
        asked = [request for request in web.log if request.url.endswith(".js")]
    sent = [each.headers.get("cookie") for each in asked if each.url.endswith("user.js")]
    assert sent == ["session=open", None]
    others = [each.url for each in asked if not each.url.endswith("user.js")]
    assert others == ["http://cdn.test/lib.js"]
