"""A sitemap and a feed, as some hosts have them. No page links to either."""

from __future__ import annotations

from html import escape

from scenthound.sample.hosts import host_named
from scenthound.sample.pages import Leaf, Plan
from scenthound.sample.response import Response, answer

MAPPED = "skyalmanac.test"
"""Lists all its pages; its robots.txt says where."""
FEEDING = "fieldnotes.test"
"""Tells of its pages in a feed, at a usual place."""
SITEMAP = f"http://{MAPPED}/sitemap.xml"
FEED = f"http://{FEEDING}/feed"
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def signposts(plan: Plan) -> list[Response]:
    """The sitemap of one host and the feed of another."""
    return [
        answer(SITEMAP, _sitemap(_leaves(plan, MAPPED)), "application/xml"),
        answer(FEED, _feed(_leaves(plan, FEEDING)), "application/rss+xml"),
    ]


def _leaves(plan: Plan, host: str) -> list[Leaf]:
    return [leaf for leaf in plan.leaves.values() if leaf.host == host]


def _sitemap(leaves: list[Leaf]) -> str:
    entries = "".join(f"<url><loc>{escape(leaf.url)}</loc></url>\n" for leaf in leaves)
    head = '<?xml version="1.0" encoding="utf-8"?>'
    return f'{head}\n<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n'


def _feed(leaves: list[Leaf]) -> str:
    title = escape(host_named(FEEDING).title)
    items = "".join(map(_item, (leaf for leaf in leaves if leaf.subject)))
    channel = f"<title>{title}</title>\n<link>http://{FEEDING}/</link>\n{items}"
    head = '<?xml version="1.0" encoding="utf-8"?>'
    return f'{head}\n<rss version="2.0"><channel>\n{channel}</channel></rss>\n'


def _item(leaf: Leaf) -> str:
    summary = leaf.subject.facts[0] if leaf.subject else ""
    return (
        f"<item><title>{escape(leaf.title)}</title><link>{escape(leaf.url)}</link>"
        f"<description>{escape(summary)}</description></item>\n"
    )
