"""What opens doors: passwords and cookies, given to the requests they are for and to no others."""

from __future__ import annotations

from collections.abc import Callable

from scrapy import Request
from scrapy.http import Response

from scenthound.live.cookies import Cookies, read_cookies
from scenthound.live.credentials import Credentials, parse_auth, read_netrc
from scenthound.live.network import Network

SECRET = frozenset({"authorization", "cookie"})
"""Headers of a request that are on no record."""
RENEWED = frozenset({"set-cookie", "set-cookie2"})
"""Headers of a response that hold what the next request would be let in with."""


class Logins:
    """Passwords and cookies by host.

    Parameters
    ----------
    credentials : for ``Authorization``.
    cookies : for ``Cookie``; renewed by the answers of their hosts.
    """

    def __init__(self, credentials: Credentials, cookies: Cookies) -> None:
        self._credentials = credentials
        self._cookies = cookies

    def __bool__(self) -> bool:
        return bool(self._credentials) or bool(self._cookies)

    def sign(self, request: Request) -> None:
        """Give a request what its host is to get; nothing, mostly."""
        value = self._credentials.of(request.url)
        if value is not None:
            request.headers["Authorization"] = value
        self._cookies.add_to(request)

    def learn(self, response: Response, request: Request) -> None:
        """An answer may renew the cookies of its host."""
        self._cookies.learn(response, request)

    def know(self, url: str) -> bool:
        """Is something sent to the host of this URL that is sent to no other?"""
        return self._credentials.of(url) is not None or self._cookies.knows(url)


def read_logins(network: Network, now: float, warn: Callable[[str], None]) -> Logins:
    """All that the options name; what --auth says of a host goes before its netrc entry.

    ``warn`` gets what is left out. SettingsError where a file cannot be used.
    """
    from_file = {} if network.netrc is None else read_netrc(network.netrc, warn)
    file = network.cookie_file
    cookies = [] if file is None else read_cookies(file, now, warn)
    return Logins(Credentials({**from_file, **parse_auth(network.auth)}), Cookies(cookies))
