"""What a page may read of other origins, in a real browser, and with logins in a real crawl."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from browser.browser_net import Net, Show
from crawler.live_running import KEYWORDS, crawl
from crawler.live_web import LiveWeb, ok

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


@pytest.mark.parametrize("allows", [None, "http://b.test", "null", "http://a.test, http://b.test"])
def test_an_answer_that_is_not_for_this_origin_is_not_read(show: Show, allows: str | None) -> None:
    headers = {} if allows is None else {"access_control_allow_origin": allows}
    assert read(show, OTHER, **headers) == {"fetch=no", "xhr=no", "worker=no"}


def test_an_answer_for_all_is_read_and_so_is_ones_own(show: Show) -> None:
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


def script(web: LiveWeb, host: str, path: str) -> None:
    web.add(host, path, ok("window.user = 'reader'", {"Content-Type": "text/javascript"}))


def test_logins_are_given_to_no_other_host_and_what_is_closed_is_closed_to_scripts(
    tmp_path: Path,
) -> None:
    """A script that came with a login; denied hosts and the topic's excluded URLs."""
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("a.test\tFALSE\t/\tFALSE\t0\tsession\topen\n")
    places = [("cdn.test", "/lib.js"), ("ads.test", "/ad.js"), ("c.test", "/tracking/t.js")]
    seeds = ["http://a.test/", "http://evil.test/", "http://c.test/"]
    with LiveWeb(1) as web:
        web.add("a.test", "/", page_with(["/user.js"], "/more"))
        web.add("evil.test", "/", page_with(["http://a.test/user.js"], "/more"))
        web.add("c.test", "/", page_with([f"http://{host}{path}" for host, path in places], "/"))
        for host, path in [("a.test", "/user.js"), *places]:
            script(web, host, path)
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
