"""How the crawler appears on the network: headers, passwords, proxy, limits, and the Scrapy
settings that follow from them.
"""

from __future__ import annotations

import netrc
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from scenthound.core.errors import MalformedUrlError, SettingsError, warn_caller
from scenthound.core.urls import canonical, host_of
from scenthound.storage.archive_index import DEFAULT_MAX_BODY

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SET_BY_CRAWLER = (
    "host content-length connection keep-alive transfer-encoding te upgrade expect".split()
)
_REFUSED = {
    "authorization": "goes to every server; give --auth HOST=USER:PASSWORD or --netrc instead",
    "cookie": "goes to every server; give --cookie-file instead",
    "user-agent": "is the crawler's own name; give --contact to say who you are",
    "proxy-authorization": "belongs to the proxy; write it as --proxy http://user:password@host:port",
    **dict.fromkeys(_SET_BY_CRAWLER, "is set by the crawler itself; leave it out"),
    "accept-encoding": "says what the crawler can unpack; leave it out",
    "range": "asks for pieces of pages; leave it out",
}


def parse_headers(lines: Iterable[str]) -> dict[str, str]:
    """Headers by name, from ``Name: value``; of a name given twice the values are joined.

    A name keeps the spelling it was first given with. No lines give no headers. SettingsError,
    in one sentence, for what is no header or must not be one; values are not repeated in it.
    """
    found: dict[str, str] = {}
    spelling: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        name, value = name.strip(" \t"), value.strip(" \t")
        if not colon or not _NAME.fullmatch(name):
            first = " ".join(name.split()[:1])  # the rest may be a value
            raise SettingsError(f"--header {first[:80]!r} is no header; write it as 'Name: value'.")
        if name.lower() in _REFUSED:
            raise SettingsError(f"--header {name}: that header {_REFUSED[name.lower()]}.")
        if not value.isascii() or not value.isprintable():
            raise SettingsError(
                f"--header {name} has a line break or another character that cannot be sent in its "
                "value; use plain ASCII."
            )
        name = spelling.setdefault(name.lower(), name)
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


# Names and passwords (HTTP Basic) go each to one host and to no other.


def parse_auth(lines: Iterable[str]) -> dict[str, str]:
    """Values of ``Authorization`` by host, from ``HOST[:PORT]=USER:PASSWORD``; the last one counts.

    A host is written as :func:`host_of` gives it: with its port, unless that is the usual one of
    http or https.

    SettingsError for anything else; it never repeats a password.
    """
    found: dict[str, str] = {}
    for line in lines:
        host, equals, secret = line.partition("=")
        user, colon, password = secret.partition(":")
        if not equals or not colon or not user:
            raise SettingsError(
                "--auth is not understood; write it as HOST=USER:PASSWORD, HOST without http://."
            )
        # What is no host may be a password in the wrong place: the message does not repeat it.
        problem = "--auth: what stands before the = is no host"
        found[_canonical_host(host, problem)] = basic(user, password)
    return found


def read_netrc(path: str) -> dict[str, str]:
    """Headers by host, from the ``machine`` entries of a netrc file.

    A ``default`` entry would send a password to every host: it is left out, with a warning.
    SettingsError where the file cannot be read; it names the line.
    """
    try:
        entries = netrc.netrc(path).hosts
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not text"
        raise SettingsError(f"--netrc {path} cannot be read: {why}.") from None
    except netrc.NetrcParseError as error:
        raise SettingsError(
            f"--netrc {path}, line {error.lineno}: this is no netrc entry; write "
            "'machine HOST login USER password PASSWORD'."
        ) from None
    if "default" in entries:
        warn_caller(f"{path}: the default entry is not used, since it would go to every host")
    found = {
        _canonical_host(host, f"--netrc {path}: {host[:80]!r} is no host"): basic(
            login, password or ""
        )
        for host, (login, _, password) in entries.items()
        if host != "default" and login
    }
    if not found:
        warn_caller(f"{path} holds no login of a machine")
    return found


def basic(user: str, password: str) -> str:
    """The value of ``Authorization`` for a name and a password (RFC 7617, in UTF-8)."""
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")


def without_password(url: str) -> str:
    """A URL without the name and password before its host, however badly it is written."""
    front, _, bare = url.rpartition("@")
    scheme, slashes, _ = front.partition("//")
    return f"{scheme}//{bare}" if slashes else bare


def _canonical_host(text: str, problem: str) -> str:
    """The host as canonical URLs have it, without a usual port; SettingsError for none."""
    host = text.strip().lower()
    for port in (":80", ":443"):
        host = host.removesuffix(port)
    try:
        address = canonical(f"http://{host}/")
    except MalformedUrlError:
        address = ""
    if not address or address != f"http://{host_of(address)}/":
        raise SettingsError(
            f"{problem}; give a name such as example.org or example.org:8080, without http://."
        )
    return host_of(address)


PRODUCT = "scenthound"
ASYNCIO = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
DEFAULT_CONCURRENCY = 8
DEFAULT_DELAY = 1.0
DEFAULT_TIMEOUT = 60.0
_PLAIN = re.compile(r"(?:[a-z0-9]+://)?[a-z0-9.-]*(?::[0-9]{1,5})?/?", re.IGNORECASE)
"""A proxy without a name and a password, and without anything that might be one."""


@dataclass(frozen=True, slots=True)
class Network:
    """How pages are requested.

    Parameters
    ----------
    user_agent : the name given to every server.
    concurrency : requests in flight at once.
    timeout : seconds for one response, from the first packet to the last byte.
    max_body : bytes of a body, as sent and once more when decoded.
    proxy : ``http://[user:password@]host:port``; None for what the environment says.
    allow_private : may private, loopback and link-local addresses be requested?
    header : headers that every request carries besides, each as ``Name: value``.
    cookie_file : cookies to send, in Netscape's format (``cookies.txt``); None for none.
    auth : names and passwords of hosts, each as ``HOST[:PORT]=USER:PASSWORD``.
    netrc : a netrc file with more of them; None for none.
    pdf : are PDF documents pages?
    javascript : is a page that is empty without its scripts read with a browser?
    delay : seconds that a host rests before the scripts of a page request anything.
    deny_host, exclude : hosts and URLs that the scripts of a page get nothing from; pages there
        are not requested in the first place.
    """

    user_agent: str
    concurrency: int = DEFAULT_CONCURRENCY
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
    delay: float = DEFAULT_DELAY
    deny_host: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        parse_headers(self.header)
        parse_auth(self.auth)
        if self.proxy is None:
            return
        try:
            parts = urlsplit(self.proxy)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable:  # without anything in it that may be a password
            shown = f" {self.proxy!r}" if _PLAIN.fullmatch(self.proxy) else ""
            raise SettingsError(f"--proxy{shown} is no proxy; write it as http://host:port.")

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

    Raises SettingsError for a contact that cannot be sent in a header.
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


def scrapy_settings(network: Network, handler: type) -> dict[str, object]:
    """Scrapy only downloads, by this handler: politeness, retries and order are the frontier's."""
    return {
        "CONCURRENT_REQUESTS": network.concurrency,
        # The limit for each host is the frontier's, which leases no more than that.
        "CONCURRENT_REQUESTS_PER_DOMAIN": network.concurrency,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": network.timeout,
        "DOWNLOAD_MAXSIZE": network.max_body,
        "DOWNLOAD_WARNSIZE": 0,
        # Half a page is still a page: it is stored with ``WARC-Truncated: disconnect``.
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_HANDLERS": {
            "http": handler, "https": handler,
            "ftp": None, "file": None, "data": None, "s3": None,
        },
        # Left out on purpose: redirects, retries and robots.txt, which the crawl decides on, and
        # decompression, since the WARC records keep bodies as they were sent.
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


def _host(proxy: str) -> str | None:
    try:
        return urlsplit(proxy if "//" in proxy else f"//{proxy}").hostname
    except ValueError:
        return None
