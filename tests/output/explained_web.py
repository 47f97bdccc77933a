"""A small web on which everything that can become of a URL becomes of one, crawled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from crawler.live_replies import hung_up, moved, ok
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page

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
