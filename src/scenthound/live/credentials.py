"""Names and passwords (HTTP Basic), each for one host and for no other."""

from __future__ import annotations

import netrc
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical, host_of

_DEFAULT_PORTS = (":80", ":443")
SECRETS = frozenset({"auth", "header", "proxy"})
"""Options whose values may hold a password: no message repeats them."""


class Credentials:
    """What to send to which host.

    Parameters
    ----------
    by_host : values of the header ``Authorization``, by host as :func:`host_of` gives it: with
        its port, unless that is the usual one of http or https.
    """

    def __init__(self, by_host: Mapping[str, str]) -> None:
        self._by_host = dict(by_host)

    def __bool__(self) -> bool:
        return bool(self._by_host)

    def of(self, url: str) -> str | None:
        """The header for a canonical URL; None for every host that was not named."""
        return self._by_host.get(host_of(url))


def parse_auth(lines: Iterable[str]) -> dict[str, str]:
    """Headers by host, from ``HOST[:PORT]=USER:PASSWORD``; the last one for a host counts.

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
        found[_auth_host(host)] = basic(user, password)
    return found


def read_netrc(path: str, warn: Callable[[str], None]) -> dict[str, str]:
    """Headers by host, from the ``machine`` entries of a netrc file.

    A ``default`` entry would send a password to every host: it is passed over, and ``warn`` is
    told; so it is of a file without any entry to use. SettingsError where the file cannot be read;
    it names the line.
    """
    try:
        entries = netrc.netrc(path).hosts
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"--netrc {path} cannot be read: {_why(error)}.") from None
    except netrc.NetrcParseError as error:
        raise SettingsError(
            f"--netrc {path}, line {error.lineno}: this is no netrc entry; write "
            "'machine HOST login USER password PASSWORD'."
        ) from None
    if "default" in entries:
        warn(f"{path}: the default entry is not used, since it would go to every host")
    found = {
        _netrc_host(host, path): basic(login, password or "")
        for host, (login, _, password) in entries.items()
        if host != "default" and login
    }
    if not found:
        warn(f"{path} holds no login of a machine")
    return found


def basic(user: str, password: str) -> str:
    """The value of ``Authorization`` for a name and a password (RFC 7617, in UTF-8)."""
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")


def without_password(url: str) -> str:
    """A URL without the name and password before its host, however badly it is written."""
    front, _, bare = url.rpartition("@")
    scheme, slashes, _ = front.partition("//")
    return f"{scheme}//{bare}" if slashes else bare


def _auth_host(text: str) -> str:
    """The host of an ``--auth``; what is none may be a password at the wrong place."""
    found = _canonical_host(text)
    if found is None:
        raise SettingsError(
            "--auth: what stands before the = is no host; give a name such as example.org or "
            "example.org:8080, without http://."
        )
    return found


def _netrc_host(text: str, path: str) -> str:
    found = _canonical_host(text)
    if found is None:
        raise SettingsError(
            f"--netrc {path}: {text[:80]!r} is no host; give a name such as example.org or "
            "example.org:8080."
        )
    return found


def _canonical_host(text: str) -> str | None:
    """The host as canonical URLs have it; the usual ports are those without a number."""
    host = text.strip().lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    try:
        address = canonical(f"http://{host}/")
        found = host_of(address)
    except MalformedUrlError:
        return None
    return found if address == f"http://{found}/" else None


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not text"
