"""The part of the web that a person wants: hosts and URLs that may be followed.

A URL is asked for by rules in this order; the first one that it breaks is the reason:

``host denied``               a rule of ``deny_host`` is about its host
``excluded``                  a pattern of ``exclude`` matches it
``host not allowed``          there is ``allow_host``, and no rule of it is about its host
``outside the seeds' hosts``  with ``stay``: its host is no seed's, nor below one
``not included``              there is ``include``, and no pattern of it matches
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.hosts import hosts, site_of, sites
from scenthound.core.patterns import Patterns

HOST_DENIED = "host denied"
EXCLUDED = "excluded"
HOST_NOT_ALLOWED = "host not allowed"
OUTSIDE_SEEDS = "outside the seeds' hosts"
NOT_INCLUDED = "not included"
_FOR_ALL = (HOST_DENIED, EXCLUDED)
"""What binds seeds and example pages as well, though a person named them."""


@dataclass(frozen=True, slots=True)
class Breach:
    """Why a URL is out of bounds: the reason for the journal, and the rule that says so."""

    reason: str
    rule: str


class Bounds:
    """Which URLs may be followed, by the rules that a person gave.

    Parameters
    ----------
    allow_host, deny_host : hosts with their subdomains, or patterns of hosts with ``*``.
    include, exclude : patterns of URLs.
    stay_with : canonical URLs; only their hosts and those below are followed. None to go anywhere.

    Without rules everything may be followed.

    Raises
    ------
    SettingsError
        A host or an expression cannot be read.
    """

    def __init__(
        self,
        *,
        allow_host: Sequence[str] = (),
        deny_host: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        stay_with: Iterable[str] | None = None,
    ) -> None:
        self._allowed = _read("allow_host", allow_host, hosts)
        self._denied = _read("deny_host", deny_host, hosts)
        self._included = _read("include", include, Patterns)
        self._excluded = _read("exclude", exclude, Patterns)
        self._home = None if stay_with is None else sites(stay_with)
        rules = (self._allowed, self._denied, self._included, self._excluded)
        self._open = self._home is None and not any(rules)

    def denial(self, url: str) -> Breach | None:
        """Why a URL is never fetched, whoever named it; None where it may be."""
        if self._denied and (rule := self._denied.first(url)) is not None:
            return Breach(HOST_DENIED, f"deny_host {rule.text!r}")
        if self._excluded and (pattern := self._excluded.first(url)) is not None:
            return Breach(EXCLUDED, f"exclude {pattern!r}")
        return None

    def breach(self, url: str) -> Breach | None:
        """Why a link to the canonical ``url`` is not followed; None where it may be."""
        if self._open:  # asked for every link of every page
            return None
        denied = self.denial(url)
        if denied is not None:
            return denied
        if self._allowed and self._allowed.first(url) is None:
            return Breach(HOST_NOT_ALLOWED, "no allow_host is about its host")
        if self._home is not None and self._home.first(url) is None:
            return Breach(OUTSIDE_SEEDS, "stay: its host is no seed's, nor below one")
        if self._included and not self._included.match(url):
            return Breach(NOT_INCLUDED, "no include matches it")
        return None

    def permits(self, url: str) -> tuple[str, ...]:
        """The rules that let a URL in which breaks none, in words; empty where none had to."""
        found = []
        if self._allowed and (rule := self._allowed.first(url)) is not None:
            found.append(f"allow_host {rule.text!r}")
        if self._home is not None and (home := self._home.first(url)) is not None:
            found.append(f"stay: {home.name} is a seed's host")
        if self._included and (pattern := self._included.first(url)) is not None:
            found.append(f"include {pattern!r}")
        return tuple(found)

    def redirect_breach(self, url: str, target: str, is_seed: bool) -> Breach | None:
        """Why a redirect from ``url`` to ``target`` is not followed.

        A seed may move within its site (``http`` to ``https``, to ``www.``, to its front page):
        it was named by a person, and is bound no more than before. A port that ``allow_host``
        names binds it all the same.
        """
        breach = self.breach(target)
        if breach is None or not is_seed or breach.reason in _FOR_ALL:
            return breach
        if breach.reason == HOST_NOT_ALLOWED and self._allowed.name_ports_of(target):
            return breach
        return None if site_of(url) == site_of(target) else breach


_Read = TypeVar("_Read")


def _read(key: str, texts: Sequence[str], read: Callable[[Sequence[str]], _Read]) -> _Read:
    """What the texts of a rule mean; an error says which rule it is about."""
    try:
        return read(texts)
    except SettingsError as error:
        raise SettingsError(f"{key} {error}") from None
