"""What a crawler meets besides pages: errors, redirects, files, frames, hostile markup."""

from __future__ import annotations

import random
from html import escape

from scenthound.core.urls import canonical
from scenthound.sample.addresses import slug
from scenthound.sample.pages import Leaf, Target
from scenthound.sample.response import HTML, Response, answer, redirect

HUGE_SIZE = 3_000_000
DANGLING = 24
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


def moved_pages(leaves: list[Leaf], rng: random.Random) -> tuple[list[Response], list[Target]]:
    """Old addresses that redirect to pages, and the links people still make to them."""
    responses: list[Response] = []
    targets: list[Target] = []
    for index, leaf in enumerate(leaves):
        old = canonical(f"http://{leaf.host}/old/{slug(leaf.title)}-{index}")
        status = rng.choice((301, 301, 302))
        where = leaf.url if index % 3 else leaf.url.removeprefix(f"http://{leaf.host}")
        responses.append(redirect(old, where, status))
        targets.append(Target(old, leaf.title))
        if index < 3:
            older = canonical(f"http://{leaf.host}/older/{index}")
            responses.append(redirect(older, old, 302))
            targets.append(Target(older, leaf.title))
    return responses, targets


def loop() -> list[Response]:
    """Two addresses that redirect to each other for ever."""
    left, right = "http://marketrow.test/basket/a", "http://marketrow.test/basket/b"
    return [redirect(left, right, 302), redirect(right, left, 302)]


def errors() -> list[Response]:
    """Answers that say no."""
    missing = "<html><head><title>Not found</title></head><body><h1>404</h1></body></html>"
    broken = "<html><head><title>Error</title></head><body><h1>Internal error</h1></body></html>"
    gone = [f"http://{host}/gone/{n}" for host in _ERROR_HOSTS for n in (1, 2)]
    failing = [f"http://{host}/cgi-bin/report" for host in _ERROR_HOSTS[:3]]
    failing += [f"http://{host}/search?q=jaguar" for host in _ERROR_HOSTS[3:5]]
    return [
        *(answer(url, missing, HTML, 404) for url in gone),
        *(answer(url, broken, HTML, 500) for url in failing),
    ]


_ERROR_HOSTS = (
    "openpedia.test", "stormwatch.test", "enginebay.test", "marketrow.test",
    "dailycourier.test", "bloghaven.test",
)  # fmt: skip


def files() -> list[Response]:
    """Things that are no pages."""
    return [
        answer("http://wildpaws.test/img/jaguar.png", PNG, "image/png"),
        answer("http://starcharts.test/img/saturn.png", PNG, "image/png"),
        answer("http://slowlibrary.test/scans/almanac.pdf", PDF, "application/pdf"),
        answer("http://beanledger.test/reports/java.pdf", PDF, "application/pdf"),
        answer("http://codeharbor.test/api/python.json", '{"python": ["3.11"]}\n', _JSON),
        answer("http://terrariumtalk.test/api/python.json", '{"python": ["ball"]}\n', _JSON),
    ]


_JSON = "application/json"


def strange_pages(rng: random.Random) -> list[Response]:
    """Pages that test a parser: hostile, empty, private, huge."""
    return [
        answer("http://forumplaza.test/guestbook", _HOSTILE),
        answer("http://bloghaven.test/~paperlamp/untitled", ""),
        *(answer(f"http://{host}/private/terms.html", _TERMS) for host in _ERROR_HOSTS),
        answer("http://stormwatch.test/register.html", _register(rng)),
    ]


def windows(leaves: list[Leaf]) -> list[Response]:
    """A frameset over two pages and an image map over six."""
    frames = "".join(f'<frame src="{leaf.url}">' for leaf in leaves[:2])
    areas = "".join(
        f'<area shape="rect" coords="{10 * i},0,{10 * i + 9},9" alt="{escape(leaf.title)}" '
        f'href="{leaf.url}">'
        for i, leaf in enumerate(leaves[:6])
    )
    return [
        answer(
            "http://mythlore.test/frames.html",
            "<html><head><title>Mythlore in frames</title></head>"
            f'<frameset cols="20%,80%">{frames}<noframes><a href="/">Home</a></noframes>'
            "</frameset></html>",
        ),
        answer(
            "http://linkatlas.test/map.html",
            "<html><head><title>The map</title></head><body><h1>The map</h1>"
            f'<img src="/img/map.png" usemap="#atlas" alt="Map"><map name="atlas">{areas}</map>'
            '<p><a href="/">Link Atlas</a></p></body></html>',
        ),
    ]


def dangling(rng: random.Random) -> list[Target]:
    """Links to pages that do not exist at all."""
    words = ("Jaguar care", "Python tricks", "Java at home", "Storm songs", "Amazon trip")
    return [
        Target(canonical(f"http://{rng.choice(_ERROR_HOSTS)}/lost/{n}.html"), rng.choice(words))
        for n in range(DANGLING)
    ]


def link_to(response: Response) -> Target:
    """A link that says little about what it leads to."""
    return Target(response.url, response.url.rsplit("/", 1)[-1] or "page")


_HOSTILE = (
    '<html><head><title><script>alert(1)</script> "Guest" & <b>book</title></head><body '
    "onload=\"alert('python')\"><h1>Guestbook</h1><p>Nice site &lt;3 <img src=x onerror=alert(2)>"
    "</p><a href=\"javascript:alert('java')\">jaguar</a> <a href='http://[broken/'>puma</a>"
    '<a href="/?q=<script>">amazon</a><!-- <a href="/never">never</a> --></body></html>'
)
_TERMS = (
    "<html><head><title>Full terms</title></head><body><h1>Full terms</h1><p>These terms are "
    "long, and you have agreed to them by reading this far.</p></body></html>"
)


def _register(rng: random.Random) -> str:
    """The rain gauge of one station, hour by hour for decades: a very long page."""
    lines = [
        "<html><head><title>Station register</title></head><body><h1>Station register</h1><pre>"
    ]
    size = 0
    hour = 0
    while size < HUGE_SIZE:
        rain = max(0, rng.randint(-30, 9))
        line = f"hour {hour:06} pressure 10{rng.randint(0, 3)}0 rain {rain} mm wind calm observer 4"
        lines.append(line)
        size += len(line) + 1
        hour += 1
    lines.append('</pre><a href="/">Storm Watch</a></body></html>')
    return "\n".join(lines)
