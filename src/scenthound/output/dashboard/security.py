"""Who may ask what: hosts, tokens, origins, and the headers of every answer.

A page of the web that the user has open at the same time can send requests to this server, and a
name of its own that resolves to 127.0.0.1 makes them look as if they came from the same site. So
the name that a request is sent to is checked on every request, and what changes something needs a
token that only our own page has.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError

TOKEN_HEADER = "x-scenthound-token"
TOKEN_VARIABLE = "SCENTHOUND_DASHBOARD_TOKEN"
SHORTEST_TOKEN = 16
_TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
_PORT = re.compile(r":[0-9]{1,5}\Z")
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_OWN_SITES = ("same-origin", "none")
"""Values of Sec-Fetch-Site: sent by a page of ours, or by the user who typed the address."""
# Titles and URLs come from strangers. Should one get into the page as markup, nothing in it
# runs, and nothing is loaded from or sent to elsewhere.
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every answer."""


@dataclass(frozen=True, slots=True)
class Access:
    """Where the server listens, and what its visitors must know.

    Parameters
    ----------
    host : the address that it is bound to.
    port : the port.
    token : what changes something must carry; every request, where it is ``closed``.
    closed : reading needs the token too.
    names : names of this machine under which it may be asked besides.
    reached_at : the address that other machines have for this one, should it listen at all.
    """

    host: str
    port: int
    token: str = field(repr=False)
    closed: bool
    names: tuple[str, ...] = ()
    reached_at: str = ""

    @property
    def cookie(self) -> str:
        """The cookie's name; cookies do not know ports, so the name does."""
        return f"scenthound-{self.port}"

    @property
    def address(self) -> str:
        """To be opened in a browser; with the token where that is needed."""
        here = (self.reached_at or "localhost") if is_wildcard(self.host) else self.host
        ticket = f"?token={self.token}" if self.closed else ""
        return f"http://{in_brackets(here)}:{self.port}/{ticket}"

    def knows_host(self, header: str | None) -> bool:
        """Is this a name of ours, in the header ``Host``? An address cannot be made to be ours."""
        if header is None:
            return False
        name = header.lower()
        port = _PORT.search(name)
        if (port is None and self.port != 80) or (port and port[0] != f":{self.port}"):
            return False
        bare = name[: port.start()] if port else name
        if bare in (*_LOOPBACK_NAMES, in_brackets(self.host), *self.names):
            return True
        return is_wildcard(self.host) and _address(bare.strip("[]")) is not None

    def is_token(self, given: str | None) -> bool:
        """Is this the token? Takes as long for one that is nearly right as for another."""
        return given is not None and secrets.compare_digest(given.encode(), self.token.encode())

    def rejects_change(self, headers: Mapping[str, str]) -> str:
        """Why a request that would change something is refused; "" where it is not."""
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers.get('host', '').lower()}":
            return "this request comes from a page of another site."
        if not self.is_token(headers.get(TOKEN_HEADER)):
            return "this needs the token: open the dashboard at the address that was printed."
        return ""


def make_access(
    host: str, port: int, token: str | None, names: Iterable[str] = (), reached_at: str = ""
) -> Access:
    """Who may come in; see :class:`Access`.

    On loopback everybody on this machine may read, unless a token was given. Any other address
    needs one.

    Raises
    ------
    SettingsError
        There is no token where one is needed, or it can be guessed or not be part of an address.
    """
    if token is None and not is_loopback(host):
        raise SettingsError(
            f"at --host {host} other machines can reach the dashboard, so it needs a token of "
            f"your own, for example: {_token_example()}"
        )
    if token is not None and (len(token) < SHORTEST_TOKEN or not _TOKEN.fullmatch(token)):
        raise SettingsError(
            f"a token has at least {SHORTEST_TOKEN} letters, digits and -._~, so that nobody "
            f"guesses it, for example: {_token_example()}"
        )
    closed = token is not None
    own = token or secrets.token_urlsafe(24)
    known = tuple(name.lower() for name in names)
    return Access(host.lower(), port, own, closed, known, reached_at)


def _token_example() -> str:
    """Not as an option: everybody on the machine can read what a program was started with."""
    return f"export {TOKEN_VARIABLE}={secrets.token_urlsafe(SHORTEST_TOKEN)}"


def is_of_another_site(headers: Mapping[str, str]) -> bool:
    """Does the browser say that a page of another site asks? Other programs say nothing."""
    return headers.get("sec-fetch-site", "none") not in _OWN_SITES


def is_loopback(host: str) -> bool:
    """Does only this machine reach the address?"""
    address = _address(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def is_wildcard(host: str) -> bool:
    """Does the address stand for all of this machine's?"""
    address = _address(host)
    return address is not None and address.is_unspecified


def in_brackets(host: str) -> str:
    """A host as an address has it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
