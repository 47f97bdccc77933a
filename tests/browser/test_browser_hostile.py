"""Pages that mean harm, in a real browser: nothing leaves it, nothing lasts, nothing hangs."""

from __future__ import annotations

import pytest

from browser.browser_net import LIMIT, Net, Show, browse
from scenthound.fetch import browser as module
from scenthound.fetch.browser import MAX_REQUESTS, Browser, PageSource, RenderingError
from scenthound.text.extract import extract


def test_a_page_and_what_its_script_makes_of_it(show: Show) -> None:
    html = show("<p id=p>Stürme</p><script>p.textContent += ' ' + navigator.userAgent</script>")
    assert '<p id="p">Stürme scenthound/1</p>' in html


def test_only_what_we_fetch_is_there(show: Show) -> None:
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


def test_a_page_that_wants_to_go_elsewhere_stays_and_that_is_a_link(show: Show) -> None:
    html = show("<p>here I am</p><script>location.href = 'http://b.test/?a&b'</script>")
    assert "here I am" in html and links_of(html) == ["http://b.test/?a&b"]
    html = show(
        "<iframe src=http://b.test/></iframe><script>window.open('http://c.test/')</script>"
    )
    assert "refresh" not in html, "frames and windows are no links"


def test_relative_links_refer_to_where_the_page_is(show: Show) -> None:
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


def test_a_page_that_never_stops_asking_is_stopped(show: Show) -> None:
    net = Net()
    html = show(
        "<p>still here</p><script>let n = 0; setInterval(() => fetch('/' + n++), 20)</script>", net
    )
    assert "still here" in html
    assert len(net.wanted) == MAX_REQUESTS


def test_a_page_cannot_lie_about_its_html_nor_make_it_endless(show: Show) -> None:
    html = show(
        """<p>truth</p><script>String.prototype.slice = () => 'lie';
        document.body.append('x'.repeat(3000000));</script>"""
    )
    assert "truth" in html
    assert len(html) == LIMIT


def test_a_page_that_hangs_is_given_up_and_the_next_one_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SECONDS", 2.0)
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
