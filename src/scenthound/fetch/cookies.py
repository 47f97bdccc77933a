"""Cookies of a ``cookies.txt`` file, and with the passwords the logins that go to their own hosts
and to no others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import WrappedRequest, WrappedResponse

from scenthound.core.errors import SettingsError
from scenthound.core.urls import host_of
from scenthound.fetch.network import Network, parse_auth, read_netrc

MAX_FILE = 10 * 1024 * 1024

_HTTP_ONLY = "#HttpOnly_"

_FIELDS = 7

_SWITCH = {"TRUE": True, "FALSE": False}


class Cookies:
    """The cookies of a few hosts.

    Parameters
    ----------
    cookies : what the file has.
    """

    def __init__(self, cookies: Iterable[Cookie]) -> None:
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
        return bool(self._domains)

    def add_to(self, request: Request) -> None:
        """Give a request the cookies that are for it."""
        self._jar.add_cookie_header(WrappedRequest(request))  # type: ignore[arg-type]

    def learn(self, response: Response, request: Request) -> None:
        """Take in what a host of the file has set anew; others are not heard."""
        self._jar.extract_cookies(
            WrappedResponse(response),  # type: ignore[arg-type]
            WrappedRequest(request),  # type: ignore[arg-type]
        )

    def knows(self, url: str) -> bool:
        """Is the host of this URL one of the file?"""
        host = _domain(urlsplit(url).hostname or "")
        return any(
            host == domain or (domain.startswith(".") and f".{host}".endswith(domain))
            for domain in self._domains
        )


def read_cookies(path: str, now: float, warn: Callable[[str], None]) -> list[Cookie]:
    """The cookies in a file of Netscape's format, as browsers and curl write it.

    Parameters
    ----------
    path : the file.
    now : the time; cookies that have expired are left out.
    warn : gets a sentence for a file without cookies, and for expired ones.

    SettingsError, with the line, for a file that is none.
    """
    lines = _lines(path)
    numbered = enumerate(map(str.rstrip, lines), start=1)
    found = [_cookie(path, n, line) for n, line in numbered if not _is_comment(line)]
    fresh = [cookie for cookie in found if not cookie.is_expired(int(now))]
    if not found:
        warn(f"{path} holds no cookies")
    elif len(fresh) < len(found):
        gone = len(found) - len(fresh)
        warn(f"{path}: {gone} of {len(found)} cookies have expired and are not sent")
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


def _is_comment(line: str) -> bool:
    return not line.strip() or (line.startswith("#") and not line.startswith(_HTTP_ONLY))


def _cookie(path: str, number: int, line: str) -> Cookie:
    fields = line.removeprefix(_HTTP_ONLY).split("\t")
    if len(fields) == _FIELDS - 1:  # an empty value at the end of a line is easily lost
        fields.append("")
    try:
        domain, subdomains, folder, secure, expires, name, value = fields
        return _made(domain, _SWITCH[subdomains.upper()], folder, _SWITCH[secure.upper()],
                     float(expires or 0), name, value)  # fmt: skip
    except (ValueError, KeyError, OverflowError):
        raise SettingsError(
            f"--cookie-file {path}, line {number}: this is no cookie; a line has seven fields "
            "with tabs between them (domain, TRUE or FALSE, path, TRUE or FALSE, expiry, name, "
            "value)."
        ) from None


def _made(
    domain: str, subdomains: bool, path: str, secure: bool, expires: float, name: str, value: str
) -> Cookie:
    """A cookie; an expiry of 0 is that of a session, which is this crawl."""
    bare = _ascii(domain.strip().lower().lstrip("."))
    if not bare or not name or not (name + value).isprintable() or not expires < math.inf:
        raise ValueError("no domain, no name, no time, or a character that cannot be sent")
    return Cookie(
        version=0, name=name, value=value, port=None, port_specified=False,
        domain=f".{_domain(bare)}" if subdomains else _domain(bare), domain_specified=subdomains,
        domain_initial_dot=subdomains, path=path or "/", path_specified=True, secure=secure,
        expires=int(expires) if expires > 0 else None, discard=expires <= 0, comment=None,
        comment_url=None, rest={},
    )  # fmt: skip


def _ascii(host: str) -> str:
    """As URLs write it; ValueError for a name that has no such form."""
    return host if host.isascii() else host.encode("idna").decode("ascii")


def _domain(host: str) -> str:
    """As ``http.cookiejar`` writes it: a name without a dot gets one."""
    return host if "." in host or ":" in host else f"{host}.local"


# What opens doors: passwords and cookies, given to the requests they are for and to no others.


SECRET = frozenset({"authorization", "cookie"})
"""Headers of a request that are on no record."""

RENEWED = frozenset({"set-cookie", "set-cookie2"})
"""Headers of a response that hold what the next request would be let in with."""


class Logins:
    """Passwords and cookies by host.

    Parameters
    ----------
    passwords : values of ``Authorization`` by host.
    cookies : for ``Cookie``; renewed by the responses of their hosts.
    """

    def __init__(self, passwords: Mapping[str, str], cookies: Cookies) -> None:
        self._passwords = passwords
        self._cookies = cookies

    def __bool__(self) -> bool:
        return bool(self._passwords) or bool(self._cookies)

    def sign(self, request: Request) -> None:
        """Add the password and the cookies of its host to a request; most hosts have none."""
        value = self._passwords.get(host_of(request.url))
        if value is not None:
            request.headers["Authorization"] = value
        self._cookies.add_to(request)

    def learn(self, response: Response, request: Request) -> None:
        """Take over the cookies that a response renews."""
        self._cookies.learn(response, request)

    def know(self, url: str) -> bool:
        """Has the host of this URL a password or a cookie?"""
        return host_of(url) in self._passwords or self._cookies.knows(url)


def read_logins(network: Network, now: float, warn: Callable[[str], None]) -> Logins:
    """All that the options name; what --auth says of a host goes before its netrc entry.

    ``warn`` gets what is left out. SettingsError where a file cannot be used.
    """
    from_file = {} if network.netrc is None else read_netrc(network.netrc, warn)
    file = network.cookie_file
    cookies = [] if file is None else read_cookies(file, now, warn)
    return Logins({**from_file, **parse_auth(network.auth)}, Cookies(cookies))
