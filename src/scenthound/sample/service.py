"""Pages that every host has and nobody looks for: robots.txt, imprint, login."""

from __future__ import annotations

from scenthound.sample.hosts import HOSTS, MIRROR, SLOW, Host
from scenthound.sample.response import Response, answer
from scenthound.sample.signposts import MAPPED, SITEMAP

DISALLOWED = ("/login", "/private/", "/cgi-bin/")


def service_pages() -> list[Response]:
    """Robots rules for all hosts; imprint and login for all but the mirror."""
    made = [answer(f"http://{h.name}/robots.txt", _robots(h), "text/plain") for h in HOSTS]
    for host in HOSTS:
        if host.name != MIRROR:
            made.append(answer(f"http://{host.name}/imprint.html", _imprint(host)))
            made.append(answer(f"http://{host.name}/login?next=/", _login(host)))
    return made


def _robots(host: Host) -> str:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in DISALLOWED)]
    if host.name == SLOW:
        lines.append("Crawl-delay: 2")
    if host.name == MAPPED:
        lines.append(f"Sitemap: {SITEMAP}")
    return "\n".join(lines) + "\n"


def _imprint(host: Host) -> str:
    return (
        f"<html><head><title>Imprint - {host.title}</title></head><body><h1>Imprint</h1>\n"
        f"<p>{host.title} is published by the {host.title} reading circle. We are responsible "
        "for our own pages, and not for the pages we link to. We store your visit for seven "
        "days. All rights reserved where the law reserves them.</p>\n"
        f'<p><a href="/">Home</a> <a href="mailto:legal@{host.name}">Contact</a> '
        '<a href="/private/terms.html">Full terms</a></p></body></html>\n'
    )


def _login(host: Host) -> str:
    return (
        f"<html><head><title>Log in - {host.title}</title>"
        '<meta name="robots" content="noindex,nofollow"></head><body><h1>Log in</h1>\n'
        '<form action="/login" method="post"><input name="user"><input type="password" '
        'name="secret"><input type="submit" value="Log in"></form>\n'
        '<p><a href="/">Back to the homepage</a></p></body></html>\n'
    )
