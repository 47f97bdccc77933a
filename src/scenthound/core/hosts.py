"""Rules for hosts, as users write them: which hosts they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.patterns import ascii_host, glob_expression
from scenthound.core.urls import DEFAULT_PORTS, canonical, host_of

_PORT = re.compile(r":(?P<port>[0-9]{1,5})\Z")
_LAST_PORT = 65_535
_PATTERN = re.compile(r"[a-z0-9_.*-]*\*[a-z0-9_.*-]*")


@dataclass(frozen=True, slots=True)
class HostRule:
    """A host with its subdomains, or a pattern with ``*`` for whole host names.

    Parameters
    ----------
    text : as it was given, for messages.
    name : the host in its canonical form, or the pattern.
    port : only this port; None for any.
    """

    text: str
    name: str
    port: int | None = None

    @property
    def is_pattern(self) -> bool:
        """Does it have a ``*``?"""
        return "*" in self.name


def host_rule(text: str) -> HostRule:
    """The rule that a text means; SettingsError where it is a URL, or no host at all."""
    name = text.strip().lower().removesuffix(".")
    if "/" in name:
        raise SettingsError(f"{text!r} is a URL, not a host; write it as example.org.")
    found = _PORT.search(name) if name.count(":") == 1 or "]:" in name else None
    port = None if found is None else int(found["port"])
    if port is not None and not 0 < port <= _LAST_PORT:
        raise SettingsError(f"{text!r} names no port; give one from 1 to {_LAST_PORT}.")
    name = name if found is None else name[: found.start()]
    if "*" in name:
        name = ascii_host(name)
        # A star in a label of another script cannot match: URLs spell such labels as xn--...
        mixed = any("*" in label and not label.isascii() for label in text.split("."))
        if mixed or not _PATTERN.fullmatch(name):
            raise SettingsError(f"{text!r} is no pattern of hosts; write it as *.example.org.")
        return HostRule(text, name, port)
    if name.count(":") > 1 and not name.startswith("["):
        name = f"[{name}]"  # IPv6 addresses are written with or without brackets
    try:
        return HostRule(text, host_of(canonical(f"http://{name}/")), port)
    except MalformedUrlError:
        raise SettingsError(f"{text!r} is no host; write it as example.org.") from None


class HostRules:
    """Several host rules, matched at once; none are about no host."""

    def __init__(self, rules: Iterable[HostRule]) -> None:
        self.rules = tuple(rules)
        self._named: dict[str, list[HostRule]] = {}
        for rule in self.rules:
            if not rule.is_pattern:
                self._named.setdefault(rule.name, []).append(rule)
        self._patterns = [
            (re.compile(glob_expression(rule.name)), rule) for rule in self.rules if rule.is_pattern
        ]

    def __bool__(self) -> bool:
        return bool(self.rules)

    def first(self, url: str) -> HostRule | None:
        """The rule that the host of the canonical ``url`` falls under; None where it does not."""
        name, port = name_and_port(url)
        return next((rule for rule in self._about(name) if rule.port in (None, port)), None)

    def name_ports_of(self, url: str) -> bool:
        """Is there a rule about the host of ``url`` that names a port, be it another one?"""
        return any(rule.port is not None for rule in self._about(name_and_port(url)[0]))

    def _about(self, name: str) -> Iterator[HostRule]:
        """The rules about a host, whatever their port."""
        for above in (name, *parents(name)):
            yield from self._named.get(above, ())
        for expression, rule in self._patterns:
            if expression.fullmatch(name):
                yield rule


def host_rules(texts: Sequence[str]) -> HostRules:
    """The rules that texts mean; SettingsError for one that means none."""
    return HostRules(map(host_rule, texts))


def site_rules(urls: Iterable[str]) -> HostRules:
    """The hosts of these canonical URLs without a leading ``www.``, whatever their port."""
    return HostRules(HostRule(site, site) for site in dict.fromkeys(map(site_of, urls)))


def site_of(url: str) -> str:
    """The host of a canonical URL without its port and a leading ``www.``."""
    return name_and_port(url)[0].removeprefix("www.")


def name_and_port(url: str) -> tuple[str, int]:
    """Host name and port of a canonical URL, the default port where it names none."""
    host = host_of(url)
    name, colon, port = host.rpartition(":")
    if colon and not host.endswith("]"):
        return name, int(port)
    return host, DEFAULT_PORTS[url.partition(":")[0]]


def parents(name: str) -> list[str]:
    """The domains above a host name, nearest first; an address has none."""
    if name.startswith("[") or name.rpartition(".")[2].isdecimal():
        return []
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(1, len(parts))]
