"""Names and passwords (HTTP Basic), each for one host and for no other."""

from __future__ import annotations

import netrc
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical, host_of

_DEFAULT_PORTS = (":80", ":443")


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
                "an --auth is not understood; write it as --auth HOST=USER:PASSWORD, "
                "HOST without http://."
            )
        found[_host(host, "--auth")] = basic(user, password)
    return found


def read_netrc(path: str, warn: Callable[[str], None]) -> dict[str, str]:
    """Headers by host, from the ``machine`` entries of a netrc file.

    A ``default`` entry would send a password to every host: it is passed over, and ``warn`` is
    told. SettingsError where the file cannot be read; it names the line.
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
    return {
        _host(host, f"--netrc {path}"): basic(login, password or "")
        for host, (login, _, password) in entries.items()
        if host != "default" and login
    }


def basic(user: str, password: str) -> str:
    """The value of ``Authorization`` for a name and a password (RFC 7617, in UTF-8)."""
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")


def _host(host: str, option: str) -> str:
    """The host as canonical URLs have it; the usual ports are those without a number."""
    host = host.strip().lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    try:
        address = canonical(f"http://{host}/")
        found = host_of(address)
    except MalformedUrlError:
        found = address = ""
    if not found or address != f"http://{found}/":
        raise SettingsError(
            f"{option}: {host[:80]!r} is no host; give a name such as example.org or "
            "example.org:8080."
        )
    return found


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not text"
