"""HTTP responses of the sample web: the record itself, encodings, sitemap and feed, and the pages
that every host has (robots.txt, imprint, login).
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from scenthound.core.urls import canonical, host_of
from scenthound.sample.plan import Plan
from scenthound.sample.themes import HOSTS, MIRROR, SLOW, Host, data_text, host_named

HTML = "text/html"
SLOW_DELAY = 1.5


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answers for ``url``, which is canonical.

    ``delay`` is the time in seconds a live server should let pass before it answers.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay: float = 0.0

    def header(self, name: str) -> str | None:
        """Value of the first header called ``name``; None where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def is_page(self) -> bool:
        """Is this a page to read: status 200 and HTML?"""
        return self.status == 200 and (self.header("Content-Type") or "").startswith(HTML)


def make_response(
    url: str,
    body: bytes | str,
    kind: str = f"{HTML}; charset=utf-8",
    status: int = 200,
    location: str | None = None,
) -> Response:
    """A response with a body; the slow host answers slowly whatever it is asked."""
    address, raw = canonical(url), body.encode() if isinstance(body, str) else body
    moved = [] if location is None else [("Location", location)]
    headers = ("Content-Type", kind), *moved, ("Content-Length", str(len(raw)))
    return Response(address, status, headers, raw, SLOW_DELAY if host_of(address) == SLOW else 0.0)


def redirect(url: str, location: str, status: int = 301) -> Response:
    """A redirect; ``location`` is sent as it is given, relative ones too."""
    return make_response(url, "<html><body>Moved.</body></html>", HTML, status, location)


# Bytes of a page: most declare UTF-8, some declare something older, one declares nothing.

META_ONLY = "latin-1 in meta"
HEADER_ONLY = "latin-1 in header"


def encode(url: str, page: str, charset: str) -> Response:
    """The response for ``page`` in the encoding that was planned for it."""
    if charset not in (META_ONLY, HEADER_ONLY):
        return make_response(url, page)
    kind = HTML if charset == META_ONLY else f"{HTML}; charset=ISO-8859-1"
    return make_response(url, page.encode("latin-1", "xmlcharrefreplace"), kind)


# A sitemap and a feed, as some hosts have them. No page links to either.

SITEMAP_HOST = "skyalmanac.test"
"""Lists all its pages; its robots.txt says where."""
FEED_HOST = "fieldnotes.test"
"""Tells of its pages in a feed, at a usual place."""
SITEMAP = f"http://{SITEMAP_HOST}/sitemap.xml"
FEED = f"http://{FEED_HOST}/feed"


def sitemap_and_feed(plan: Plan) -> list[Response]:
    """The sitemap of one host and the feed of another."""
    leaves = plan.leaves.values()
    listed = [escape(leaf.url) for leaf in leaves if leaf.host == SITEMAP_HOST]
    entries = "".join(f"<url><loc>{url}</loc></url>\n" for url in listed)
    items = "".join(
        f"<item><title>{escape(leaf.title)}</title><link>{escape(leaf.url)}</link>"
        f"<description>{escape(leaf.subject.facts[0])}</description></item>\n"
        for leaf in leaves
        if leaf.host == FEED_HOST and leaf.subject
    )
    title = escape(host_named(FEED_HOST).title)
    feed = data_text("feed.xml").format(title=title, host=FEED_HOST, items=items)
    return [
        make_response(SITEMAP, data_text("sitemap.xml").format(entries=entries), "application/xml"),
        make_response(FEED, feed, "application/rss+xml"),
    ]


# Pages that every host has and nobody looks for: robots.txt, imprint, login.

DISALLOWED = ("/login", "/private/", "/cgi-bin/")


def service_pages() -> list[Response]:
    """Robots rules for all hosts; imprint and login for all but the mirror."""
    made = [make_response(f"http://{h.name}/robots.txt", _robots(h), "text/plain") for h in HOSTS]
    for host in HOSTS:
        if host.name != MIRROR:
            for page, url in (("imprint", "imprint.html"), ("login", "login?next=/")):
                body = data_text(f"{page}.html").format(title=host.title, name=host.name)
                made.append(make_response(f"http://{host.name}/{url}", body))
    return made


def _robots(host: Host) -> str:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in DISALLOWED)]
    if host.name == SLOW:
        lines.append("Crawl-delay: 2")
    if host.name == SITEMAP_HOST:
        lines.append(f"Sitemap: {SITEMAP}")
    return "\n".join(lines) + "\n"
