"""Many hosts, each asked no faster than promised; all of them together no slower than needed."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the scripted web is theirs

from crawler.live_replies import moved, ok
from crawler.live_running import crawling, prepare
from crawler.live_web import LiveWeb, page

HOSTS = 50
DELAY_S = 0.2
PAGES = 40
RATIO_BAR = 1.5
FORBIDDEN = "/private/"
CONCURRENCY = 64
_LINKS = 10
_ROBOTS = ok(f"User-agent: *\nDisallow: {FORBIDDEN}\n", {"Content-Type": "text/plain"})


def politeness(hosts: int = HOSTS, delay: float = DELAY_S, pages: int = PAGES) -> None:
    """Print the smallest gap between two requests to a host, and the time beside the ideal.

    The crawl runs in a process of its own. In the ideal time, from the first request to the last,
    the host that is asked most often is asked once every delay.
    """
    with LiveWeb(hosts=hosts) as web, tempfile.TemporaryDirectory() as scratch:
        fronts = build_polite_web(web, hosts, pages)
        out = Path(scratch) / "out"
        prepare(out, fronts, delay=delay, concurrency=CONCURRENCY)
        with crawling(out) as process:
            process.wait()
        arrivals = [web.arrivals(host) for host in range(1, hosts + 1)]
        gaps = [web.gaps(host) for host in range(1, hosts + 1)]
        trespasses = sum(FORBIDDEN in url for url in web.requested())
    seconds = max(map(max, arrivals)) - min(map(min, arrivals))
    ideal = max(map(len, gaps)) * delay
    print(
        f"politeness, {hosts} hosts, {sum(map(len, arrivals))} requests, {_LINKS + 3} links a "
        f"page, delay {delay:g} s: smallest gap {min(map(min, gaps)):.4f} s, {trespasses} "
        "forbidden URLs requested"
    )
    print(
        f"  from the first request to the last {seconds:.2f} s, ideal {ideal:.2f} s, "
        f"ratio {seconds / ideal:.2f} (bar {RATIO_BAR})"
    )


def build_polite_web(web: LiveWeb, hosts: int, pages: int, own_names: bool = False) -> list[str]:
    """Put a site on every host; returns the front pages.

    The pages of a site link to each other, to the next site, and to what its robots.txt forbids,
    by a redirect too. With ``own_names`` every other page says that the next one is its address.
    """
    fronts = [web.url(host) for host in range(1, hosts + 1)]
    for host in range(1, hosts + 1):
        web.add(host, "/robots.txt", _ROBOTS)
        web.add(host, f"{FORBIDDEN}1", page("Private", "A storm."))
        web.add(host, "/moved", moved(f"{FORBIDDEN}2"))
        for number in range(pages):
            links = [f"/{(number + step) % pages or ''}" for step in range(1, _LINKS + 1)]
            links += [f"{FORBIDDEN}1", "/moved", fronts[host % hosts]]
            head = _own_name(number, pages) if own_names else ""
            html = page(f"{host}-{number}", _text(host, number), links, head)
            web.add(host, f"/{number or ''}", html)
    return fronts


def _own_name(number: int, pages: int) -> str:
    following = number + 1
    named = number % 2 and following < pages
    return f'<link rel="canonical" href="/{following}">' if named else ""


def _text(host: int, number: int) -> str:
    """Unlike that of any other page, more or less about the topic."""
    own = " ".join(f"word{host}x{number}x{place}" for place in range(40))
    return own + " storm weather" * (number % 4)


if __name__ == "__main__":
    politeness()
