"""Crawls to export and to explain: pages as people write them, crawled live or replayed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import scenthound
from crawler.live_replies import hung_up, moved, ok
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, MemoryWeb, page
from scenthound.core.model import Topic
from scenthound.storage.pages import Response

MENU = "Home About Contact Imprint Archive"
PARAGRAPH = (
    "The storm came in from the sea in the evening and the hurricane warning was read out on the "
    "radio. People in the harbour tied up their boats, and the weather service measured gusts of "
    "more than a hundred miles an hour before its instrument was blown away. "
)


def article(title: str, words: str = "", links: Sequence[str] = (), head: str = "") -> str:
    """A page with a menu, a footer, and a text of some length between them."""
    menu = "".join(
        f"<li><a href='/menu/{word}' rel='nofollow'>{word}</a></li>" for word in MENU.split()
    )
    linked = "".join(f"<li><a href='{link}'>more on {link}</a></li>" for link in links)
    text = "".join(f"<p>{PARAGRAPH}{words} Paragraph {n} of {title}.</p>" for n in range(4))
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body>"
        f"<nav><ul>{menu}</ul></nav><article><h1>{title}</h1>{text}</article>"
        f"<ul>{linked}</ul><footer>Copyright, imprint, cookies</footer></body></html>"
    )


AUTHORED = (
    "<meta name=author content='Ada Field'>"
    "<meta property='article:published_time' content='2023-04-05T10:00:00Z'>"
    "<meta name=description content='=A storm, told'>"
)


def live_folder(out: Path) -> Path:
    """A live crawl: three pages, one behind a redirect, a copy, an error, and one off topic."""
    with MemoryWeb() as web:
        seed = web.add(
            1, "/", article("Seed storm", links=["/2", "/copy", "/gone", "/old", "/off"])
        )
        web.add(1, "/2", article("Storm two", "Gale.", head=AUTHORED))
        web.add(1, "/copy", article("Storm two", "Gale.", head=AUTHORED))
        web.add(1, "/old", moved("/new"))
        web.add(1, "/new", article("New storm", "Thunder."))
        web.add(1, "/off", "<title>Cakes</title><p>Butter, sugar and eggs make a cake rise.</p>")
        crawl(out, [seed], concurrency=1)
    return out


def replay_folder(base: Path) -> Path:
    """A replay of two HTML files."""
    first = article("First storm", links=["b.html"], head=AUTHORED)
    return html_folder(base, {"index.html": first, "b.html": article("Second storm")})


def html_web(base: Path, files: Mapping[str, str]) -> Path:
    """HTML files of one host, ``w.test``."""
    host = base / "web" / "w.test"
    host.mkdir(parents=True)
    for name, html in files.items():
        (host / name).write_text(html)
    return base / "web"


def html_folder(base: Path, files: Mapping[str, str]) -> Path:
    """A replay of HTML files, from ``index.html``."""
    web = html_web(base, files)
    return replay_of(web, base / "replay", "http://w.test/index.html", len(files))


def replay_of(archive: Path, out: Path, seed: str, budget: int) -> Path:
    topic = Topic("storms", keywords=("storm",), seeds=(seed,))
    scenthound.replay(archive, topic, "vsm", budget=budget, out=out)
    return out


def html_body(html: str, url: str = "http://w.test/") -> Response:
    return Response(url, 200, {"content-type": "text/html"}, html.encode())


def listed(wacz: Path) -> list[dict[str, object]]:
    """The head of the list of pages in a WACZ, and its pages."""
    with zipfile.ZipFile(wacz) as archive:
        lines = archive.read("pages/pages.jsonl").decode().splitlines()
    return [json.loads(line) for line in lines]


# A small web on which everything that can become of a URL becomes of one, crawled.


STORM = "A storm and a hurricane bring rain, and the weather service warns of the storm surge."
LONG = " ".join([STORM, "Ships stay in the harbour, schools close and trees fall on roofs."] * 3)
WAITING = ("/cake/1", "/cake/2", "/cake/3")


@dataclass(frozen=True)
class Crawled:
    """A crawl of the web in a folder; ``at`` says the URL of a path."""

    folder: Path
    root: str

    def at(self, path: str) -> str:
        return self.root + path


def crawled(folder: Path) -> Crawled:
    """One request at a time, so that the order is the strategy's."""
    with LiveWeb(hosts=1) as web:
        _fill(web)
        root = web.url(1, "/").rstrip("/")
        crawl(
            folder, [web.url(1, "/")], concurrency=1, max_pages=6, retries=0,
            exclude=("*private*",),
        )  # fmt: skip
    return Crawled(folder, root)


def _fill(web: LiveWeb) -> None:
    web.add(
        1, "/robots.txt", ok("User-agent: *\nDisallow: /secret\n", {"Content-Type": "text/plain"})
    )
    links = [
        ("/storm", "storm hurricane weather"),
        ("/moved", "hurricane weather storm"),
        ("/secret", "weather storm hurricane"),
        ("/gone", "storm weather hurricane"),
        ("/named?by=1", "hurricane storm weather"),
        ("/copy", "weather hurricane storm"),
        *((path, "a recipe") for path in WAITING),
    ]
    nofollow = '<a rel="nofollow" href="/unwanted">storm</a>'
    front = page("\x1b[31mStorms\u202e", LONG, links, head='<meta name="a" content="b">')
    web.add(1, "/", front.replace("</ul>", f"</ul>{nofollow}"))
    web.add(1, "/storm", page("The storm", STORM, [("/cake/1", "storm cake"), "/a.png", "/"]))
    web.add(1, "/moved", moved("/target"))
    web.add(1, "/target", page("Target", f"{STORM} Here it is.", []))
    web.add(1, "/gone", hung_up())
    own = '<link rel="canonical" href="/named">'
    web.add(1, "/named?by=1", page("Named", f"{STORM} By its own name.", head=own))
    web.add(1, "/copy", front.replace("</ul>", f"</ul>{nofollow}"))
