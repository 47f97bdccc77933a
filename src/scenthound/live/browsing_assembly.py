"""The parts of the crawl with a browser, put together for the downloader."""

from __future__ import annotations

from scenthound.core.bounds import Bounds
from scenthound.live.browser import Browser
from scenthound.live.browsing import Browsing
from scenthound.live.logins import Logins
from scenthound.live.network import Network
from scenthound.live.subresources import Download, Subresources


def new_browsing(network: Network, logins: Logins, download: Download) -> Browsing:
    """What reads pages with a browser where they need one; it is not started yet.

    Parameters
    ----------
    network : how requests are made.
    logins : what some hosts are sent besides.
    download : makes the requests of scripts.
    """
    bounds = Bounds(deny_host=network.deny_host, exclude=network.exclude)
    subresources = Subresources(
        download,
        network.allow_private,
        network.max_body,
        denied=lambda url: bounds.denial(url) is not None,
        opens=logins.know,
    )
    browser = Browser(subresources.fetch, network.user_agent, network.max_body)
    return Browsing(browser, 2 * network.concurrency, network.max_body, network.pdf)
