"""How the crawler appears on the network, and the Scrapy settings that follow from it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from scenthound.core.errors import SettingsError
from scenthound.live.credentials import parse_auth
from scenthound.live.request_headers import parse_headers

PRODUCT = "scenthound"
ASYNCIO = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
MOST_CONCURRENCY = 1_000
DEFAULT_TIMEOUT = 60.0
DEFAULT_MAX_BODY = 10 * 1024 * 1024
SHOWN_AT_ONCE = 2
"""Pages that a browser shows at the same time."""
_PLAIN = re.compile(r"(?:[a-z0-9]+://)?[a-z0-9.-]*(?::[0-9]{1,5})?/?", re.IGNORECASE)
"""A proxy without a name and a password, and without anything that might be one."""


@dataclass(frozen=True, slots=True)
class Network:
    """How pages are asked for.

    Parameters
    ----------
    user_agent : the name given to every server.
    concurrency : requests under way at once.
    timeout : seconds for one answer, from the first packet to the last byte.
    max_body : bytes of a body, as sent and once more when decoded.
    proxy : ``http://[user:password@]host:port``; None for what the environment says.
    allow_private : may private, loopback and link-local addresses be asked?
    header : headers that every request carries besides, each as ``Name: value``.
    cookie_file : cookies to send, in Netscape's format (``cookies.txt``); None for none.
    auth : names and passwords of hosts, each as ``HOST[:PORT]=USER:PASSWORD``.
    netrc : a netrc file with more of them; None for none.
    pdf : are PDF documents pages?
    javascript : is a page that is empty without its scripts read with a browser?
    deny_host, exclude : hosts and URLs that the scripts of a page get nothing from; pages there
        are not asked for in the first place.
    """

    user_agent: str
    concurrency: int = 16
    timeout: float = DEFAULT_TIMEOUT
    max_body: int = DEFAULT_MAX_BODY
    proxy: str | None = field(default=None, repr=False)
    allow_private: bool = False
    header: tuple[str, ...] = ()
    cookie_file: str | None = None
    auth: tuple[str, ...] = field(default=(), repr=False)
    netrc: str | None = None
    pdf: bool = False
    javascript: bool = False
    deny_host: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= MOST_CONCURRENCY:
            raise SettingsError(
                f"a concurrency of {self.concurrency} cannot be; give 1 to {MOST_CONCURRENCY}."
            )
        if not 0 < self.timeout < math.inf:
            raise SettingsError(
                f"a timeout of {self.timeout:g} s waits for nothing or for ever; give another one."
            )
        if self.max_body < 1:
            raise SettingsError(f"a body limit of {self.max_body} bytes keeps nothing; give more.")
        if self.proxy is not None:
            _check_proxy(self.proxy)
        parse_headers(self.header)
        parse_auth(self.auth)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Network:
        """What ``dataclasses.asdict`` made of one, after JSON, which has no tuples."""
        lists = {k: tuple(v) for k, v in stored.items() if isinstance(v, list)}
        return cls(**{**stored, **lists})

    @property
    def request_headers(self) -> dict[str, str]:
        """What every request carries; a header that the user gives takes the place of ours."""
        ours = {
            "User-Agent": self.user_agent,
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1",
            "Accept-Encoding": "gzip, deflate, br" if find_spec("brotli") else "gzip, deflate",
        }
        given = parse_headers(self.header)
        names = {name.lower() for name in given}
        return {**{name: v for name, v in ours.items() if name.lower() not in names}, **given}

    @property
    def proxy_hosts(self) -> frozenset[str]:
        """Hosts of the proxies in use: their own addresses may be private."""
        given = [self.proxy] if self.proxy is not None else list(getproxies().values())
        return frozenset(filter(None, map(_host, given)))


def user_agent(version: str, contact: str | None) -> str:
    """An honest name: who asks, and where its owner can be reached.

    Raises SettingsError for a contact that could not stand in a header.
    """
    if contact is None:
        return f"{PRODUCT}/{version}"
    contact = contact.strip()
    if not contact or not contact.isascii() or not contact.isprintable():
        raise SettingsError(
            f"--contact {contact!r} cannot be sent; give an address such as "
            "https://example.org/crawler or me@example.org."
        )
    return f"{PRODUCT}/{version} (+{contact})"


def scrapy_settings(network: Network) -> dict[str, object]:
    """Scrapy does the downloading alone: politeness, retries and order are the frontier's."""
    return {
        "SCHEDULER": "scenthound.live.scheduler.LeasedRequests",
        "CONCURRENT_REQUESTS": network.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": network.concurrency,
        "CONCURRENT_ITEMS": 1,  # there are none, and Scrapy makes a task for each
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": network.timeout,
        "DOWNLOAD_MAXSIZE": network.max_body,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_HANDLERS": {
            "http": "scenthound.live.handler.BoundedHandler",
            "https": "scenthound.live.handler.BoundedHandler",
            "ftp": None, "file": None, "data": None, "s3": None,
        },
        "DOWNLOADER_MIDDLEWARES_BASE": {
            "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
            "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": 750,
        },
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "ITEM_PIPELINES_BASE": {},
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "STATS_DUMP": False,
        "LOG_ENABLED": False,
        "TWISTED_REACTOR": ASYNCIO,
        "TELNETCONSOLE_ENABLED": False,
        "USER_AGENT": network.user_agent,
    }  # fmt: skip


def _check_proxy(proxy: str) -> None:
    try:
        parts = urlsplit(proxy)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        told = f" {proxy!r}" if _PLAIN.fullmatch(proxy) else ""  # else there may be a password
        raise SettingsError(f"--proxy{told} is no proxy; write it as http://host:port.")


def _host(proxy: str) -> str | None:
    try:
        return urlsplit(proxy if "//" in proxy else f"//{proxy}").hostname
    except ValueError:
        return None
