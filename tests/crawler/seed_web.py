"""Sites by script, and somebody who listens."""

from __future__ import annotations

from collections.abc import Mapping

from crawler.scripted_downloads import AGENT, HandClock, Reply, ScriptedDownloads
from scenthound.fetch.fetcher import Fetcher
from scenthound.fetch.network import Network


class SeedWeb:
    """A fetcher over scripted responses; ``asked`` are the URLs."""

    def __init__(self, script: Mapping[str, Reply]) -> None:
        clock = HandClock()
        self.downloads = ScriptedDownloads(clock, script, [])
        self.fetcher = Fetcher(
            Network(AGENT), clock=clock, sleep=clock.forward, downloads=self.downloads
        )

    @property
    def asked(self) -> list[str]:
        return [ask.url for _, ask in self.downloads.asked if "robots.txt" not in ask.url]


def file(text: str | bytes, kind: str = "application/xml") -> Reply:
    body = text.encode() if isinstance(text, str) else text
    return Reply(body=body, headers=(("Content-Type", kind),))


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>"
