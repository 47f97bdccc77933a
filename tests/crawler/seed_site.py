"""A small web on loopback with a sitemap, a feed, a hub, and a SearXNG of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from crawler.live_replies import ok, page
from crawler.live_web import LiveWeb

STORMY = "The typhoon brought a storm surge to the coast, and the storm surge flooded it. " * 8
DULL = "Opening hours of our office are from nine to five. " * 12
FOUND = "http://found.test/typhoon"
"""What the SearXNG knows of."""
XML = {"Content-Type": "application/xml"}
JSON = {"Content-Type": "application/json"}


def add_site(web: LiveWeb) -> str:
    """Fills host 1, which links to host 2; returns the seed."""
    page_url = web.url(1, "/storm-surge.html")
    urls = [page_url, web.url(1, "/storms/"), web.url(1, "/typhoon-shop"), web.url(1, "/contact")]
    web.add(1, "/robots.txt", ok(f"User-agent: *\nSitemap: {web.url(1, '/map.xml')}", _text()))
    web.add(1, "/map.xml", ok(urlset(*urls), XML))
    web.add(1, "/storm-surge.html", page("Storm surge", STORMY))
    web.add(1, "/storms/", page("Storms", "A list.", [(f"/{n}", f"Typhoon {n}") for n in range(9)]))
    web.add(1, "/typhoon-shop", page("Shop", DULL))
    item = f"<item><title>Typhoon lands</title><link>{web.url(2, '/news')}</link></item>"
    web.add(1, "/feed.xml", ok(f"<rss><channel>{item}</channel></rss>", XML))
    web.add(2, "/news", page("Typhoon lands", STORMY))
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return web.add(1, "/", page("Home", "Welcome.", head=feed))


def add_search(web: LiveWeb, host: int = 3) -> str:
    """A SearXNG whose robots.txt turns all crawlers away; returns its address."""
    web.add(host, "/robots.txt", ok("User-agent: *\nDisallow: /", _text()))
    results = [{"url": FOUND, "title": "Typhoon tracks", "content": "storm surge"}]
    web.add_below(host, "/search", lambda path: ok(json.dumps({"results": results}), JSON))
    return web.url(host, "/")


def store_pages(folder: Path, pages: Mapping[str, str]) -> Path:
    """Stores pages of the host a.test; returns the folder that is an archive of them."""
    site = folder / "pages" / "a.test"
    site.mkdir(parents=True)
    for name, html in pages.items():
        (site / name).write_text(html)
    return folder / "pages"


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def _text() -> dict[str, str]:
    return {"Content-Type": "text/plain"}
