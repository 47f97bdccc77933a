"""Cookies of a ``cookies.txt`` file, and with the passwords the logins that go to their own hosts
and to no others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import WrappedRequest, WrappedResponse

from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.urls import host_of
from scenthound.fetch.network import Network, parse_auth, read_netrc

MAX_FILE = 10 * 1024 * 1024
_HTTP_ONLY = "#HttpOnly_"
_FIELDS = 7
_SWITCH = {"TRUE": True, "FALSE": False}


def read_cookies(path: str, now: float) -> list[Cookie]:
    """Read the cookies in a file of Netscape's format, as browsers and curl write it.

    Cookies that have expired at ``now`` are left out. SettingsError, with the line, for a file
    that is none.
    """
    found = []
    for number, line in enumerate(map(str.rstrip, _lines(path)), start=1):
        if line.startswith(_HTTP_ONLY) or (line.strip() and not line.startswith("#")):
            found.append(_cookie(path, number, line))
    fresh = [cookie for cookie in found if not cookie.is_expired(int(now))]
    if not found:
        warn_caller(f"{path} holds no cookies")
    elif len(fresh) < len(found):
        gone = len(found) - len(fresh)
        warn_caller(f"{path}: {gone} of {len(found)} cookies have expired and are not sent")
    return fresh


def _lines(path: str) -> list[str]:
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_FILE + 1)
        if len(content) > MAX_FILE:
            raise SettingsError(f"--cookie-file {path} is too large; give a cookies.txt file.")
        return content.decode("utf-8-sig").split("\n")
    except OSError as error:
        raise SettingsError(f"--cookie-file {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"--cookie-file {path} is not text; give a cookies.txt file.") from None


def _cookie(path: str, number: int, line: str) -> Cookie:
    """The cookie in a line; an expiry of 0 is that of a session, which is this crawl."""
    fields = line.removeprefix(_HTTP_ONLY).split("\t")
    if len(fields) == _FIELDS - 1:  # an empty value at the end of a line is easily lost
        fields.append("")
    try:
        domain, is_wide, folder, is_secure, until, name, value = fields
        subdomains, secure = _SWITCH[is_wide.upper()], _SWITCH[is_secure.upper()]
        expires = float(until or 0)
        bare = domain.strip().lower().lstrip(".")
        bare = bare if bare.isascii() else bare.encode("idna").decode("ascii")
        if not bare or not name or not (name + value).isprintable() or not expires < math.inf:
            raise ValueError("no domain, no name, no time, or a character that cannot be sent")
    except (ValueError, KeyError, OverflowError):
        raise SettingsError(
            f"--cookie-file {path}, line {number}: this is no cookie; a line has seven fields "
            "with tabs between them (domain, TRUE or FALSE, path, TRUE or FALSE, expiry, name, "
            "value)."
        ) from None
    return Cookie(
        version=0, name=name, value=value, port=None, port_specified=False,
        domain=f".{_domain(bare)}" if subdomains else _domain(bare), domain_specified=subdomains,
        domain_initial_dot=subdomains, path=folder or "/", path_specified=True, secure=secure,
        expires=int(expires) if expires > 0 else None, discard=expires <= 0, comment=None,
        comment_url=None, rest={},
    )  # fmt: skip


def _domain(host: str) -> str:
    """As ``http.cookiejar`` writes it: a name without a dot gets one."""
    return host if "." in host or ":" in host else f"{host}.local"


# --- passwords and cookies, given to the requests they are for and to no others


SECRET = frozenset({"authorization", "cookie"})
"""Headers of a request that are on no record."""
RENEWED = frozenset({"set-cookie", "set-cookie2"})
"""Headers of a response that hold what the next request would be let in with."""


class Logins:
    """Passwords and cookies by host.

    Parameters
    ----------
    passwords : values of ``Authorization`` by host.
    cookies : for ``Cookie``; renewed by the responses of their hosts, and of no others.
    """

    def __init__(self, passwords: Mapping[str, str], cookies: Iterable[Cookie]) -> None:
        self._passwords = passwords
        kept = tuple(cookies)
        self._domains = frozenset(cookie.domain for cookie in kept)
        bare = {domain.lstrip(".") for domain in self._domains}
        policy = DefaultCookiePolicy(
            allowed_domains=sorted(self._domains | bare),
            strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain,  # of a host: not below it
        )
        self._jar = CookieJar(policy)
        for cookie in kept:
            self._jar.set_cookie(cookie)

    def __bool__(self) -> bool:
        return bool(self._passwords or self._domains)

    def sign(self, request: Request) -> None:
        """Add the password and the cookies of its host to a request; most hosts have none."""
        value = self._passwords.get(host_of(request.url))
        if value is not None:
            request.headers["Authorization"] = value
        self._jar.add_cookie_header(WrappedRequest(request))  # type: ignore[arg-type]

    def learn(self, response: Response, request: Request) -> None:
        """Take over the cookies that a response renews."""
        self._jar.extract_cookies(
            WrappedResponse(response),  # type: ignore[arg-type]
            WrappedRequest(request),  # type: ignore[arg-type]
        )

    def know(self, url: str) -> bool:
        """Return whether the host of this URL has a password or a cookie."""
        host = _domain(urlsplit(url).hostname or "")
        return host_of(url) in self._passwords or any(
            host == domain or (domain.startswith(".") and f".{host}".endswith(domain))
            for domain in self._domains
        )


def read_logins(network: Network, now: float) -> Logins:
    """All that the options name; what --auth says of a host goes before its netrc entry.

    SettingsError where a file cannot be used.
    """
    from_file = {} if network.netrc is None else read_netrc(network.netrc)
    cookies = [] if network.cookie_file is None else read_cookies(network.cookie_file, now)
    return Logins({**from_file, **parse_auth(network.auth)}, cookies)
