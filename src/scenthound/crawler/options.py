"""Options of a live crawl: everything but the topic and the strategy.

The names are the keys of the table ``[crawl]`` of a settings file and of ``crawl.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import model_validator

from scenthound.core.command_options import (
    LIMITS,
    REQUESTS,
    SIMILARITY,
    Judge,
    Pdf,
    RandomSeed,
    Threshold,
)
from scenthound.core.options import (
    FilePath,
    Flag,
    Number,
    Options,
    Seconds,
    Share,
    Text,
    Texts,
    Whole,
    option,
)
from scenthound.core.scope import check_url_rules
from scenthound.fetch.network import (
    DEFAULT_CONCURRENCY,
    DEFAULT_DELAY,
    DEFAULT_TIMEOUT,
    Network,
    user_agent,
    without_password,
)
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.storage.archive_index import DEFAULT_MAX_BODY

_CONNECTIONS_WITHOUT_DELAY = 8

FILES = ("cookie_file", "netrc")
"""Options that name a file; it is read again when the crawl is resumed."""

AUTH_HOSTS = "auth_hosts"
"""Key in ``crawl.json`` for the hosts that there were passwords for; those are not stored."""

_OLD_NAMES = {"seed": "random_seed"}


class CrawlOptions(Options):
    """Options of a live crawl.

    A list of texts may be given as one text, a time as ``"90s"``, a file as a path. SettingsError
    where a value cannot be used.
    """

    max_pages: Whole = option(
        "Pages, over the whole crawl. Example pages are included.", "N", ge=1, default=1_000
    )
    max_time: Seconds | None = option(
        "Time, over all its runs: 90s, 15m, 2h, 1d. No limit by default.",
        "TIME",
        gt=0,
        default=None,
    )
    delay: Seconds = option(
        "Delay after each response of a host. Its robots.txt may ask for more.",
        "TIME",
        shown=f"{DEFAULT_DELAY:g}s",
        ge=0,
        default=DEFAULT_DELAY,
    )
    concurrency: Whole = option(
        "Requests in flight at once. With 1 every page is scored before the next one is "
        "chosen; more is faster, and more pages are chosen by older scores.",
        "N",
        ge=1,
        le=1_000,
        default=DEFAULT_CONCURRENCY,
    )
    per_host: Whole | None = option(
        "Requests in flight per host. 8 without a delay.",
        "N",
        panel=REQUESTS,
        shown=1,
        ge=1,
        default=None,
    )
    pages_per_host: Whole | None = option(
        "Maximum number of pages per host.", "N", panel=LIMITS, ge=1, default=None
    )
    host_share: Number | None = option(
        "Hosts above this share of all pages wait. They are used if no other is ready.",
        "X",
        panel=LIMITS,
        gt=0,
        le=1,
        default=None,
    )
    max_depth: Whole | None = option(
        "Maximum number of links from a seed; 0: seeds only. It bounds crawler traps.",
        "N",
        ge=0,
        default=100,
    )
    proxy: Text | None = option(
        "HTTP proxy. By default the one in the environment variable ``http_proxy``.",
        "URL",
        panel=REQUESTS,
        repr=False,
        default=None,
    )
    allow_private: Flag = option(
        "Fetch from private and loopback addresses too. Link-local addresses included.",
        panel=REQUESTS,
        default=False,
    )
    contact: Text | None = option(
        "Your e-mail address or page, sent with requests.", "WHO", default=None
    )
    timeout: Seconds = option(
        "Maximum time for one response.",
        "TIME",
        panel=REQUESTS,
        shown=f"{DEFAULT_TIMEOUT:g}s",
        gt=0,
        default=DEFAULT_TIMEOUT,
    )
    max_body: Whole = option("Maximum size of a body in bytes.", ge=1, default=DEFAULT_MAX_BODY)
    retries: Whole = option("Number of retries for a URL that fails.", ge=0, default=3)
    retry_wait: Seconds = option(
        "Time before the first retry; it doubles with each retry.", ge=0, default=30.0
    )
    min_harvest: Share | None = option(
        "Stop below this share of relevant pages. By default there is no such limit.",
        "X",
        panel=LIMITS,
        default=None,
    )
    harvest_window: Whole = option(
        "Number of latest pages for --min-harvest.", "N", panel=LIMITS, gt=0, default=500
    )
    min_disk: Whole = option(
        "Stop when less than this many MB of disk are free.", ge=0, default=200
    )
    judge: Judge = SIMILARITY
    threshold: Threshold | None = None
    random_seed: RandomSeed = 0
    allow_host: Texts = option(
        "Follow links to this host and its subdomains only; may be repeated. A * stands for any "
        "text.",
        "HOST",
        default=(),
    )
    deny_host: Texts = option(
        "Never fetch from this host and its subdomains; may be repeated.", "HOST", default=()
    )
    include: Texts = option(
        "Follow only URLs like *storm* or re:/news/[0-9]+; may be repeated. After re: stands a "
        "regular expression.",
        "PATTERN",
        default=(),
    )
    exclude: Texts = option(
        "Never fetch URLs like */login*; may be repeated. Those of the topic are added.",
        "PATTERN",
        default=(),
    )
    stay: Flag = option(
        "Stay on the seeds' hosts. Their subdomains are included.", shown="no", default=False
    )
    header: Texts = option(
        "Header sent with every request; may be repeated.",
        "'NAME: VALUE'",
        panel=REQUESTS,
        default=(),
    )
    cookie_file: FilePath | None = option(
        "Send the cookies of this cookies.txt file.", "FILE", panel=REQUESTS, default=None
    )
    auth: Texts = option(
        "Log in to this host; not stored; may be repeated. A resumed crawl needs it again.",
        "HOST=USER:PASSWORD",
        panel=REQUESTS,
        repr=False,
        default=(),
    )
    netrc: FilePath | None = option(
        "More names and passwords, a .netrc.", "FILE", panel=REQUESTS, default=None
    )
    pdf: Pdf = False
    javascript: Flag = option("Use a browser where a page is empty without one.", default=False)

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        """Check values that need more than their own bounds: URL rules, headers, logins, proxy."""
        check_url_rules(self.allow_host, self.deny_host, self.include, self.exclude)
        self.network("0")
        return self

    def politeness(self) -> PolitenessPolicy:
        """Return the politeness policy of these options."""
        per_host = self.per_host
        if per_host is None:
            per_host = 1 if self.delay > 0 else _CONNECTIONS_WITHOUT_DELAY
        return PolitenessPolicy(self.delay, per_host, self.pages_per_host, self.host_share)

    def network(self, version: str) -> Network:
        """Return the network settings, for a user agent of this version of the program."""
        shared = Network.__dataclass_fields__.keys() & type(self).model_fields.keys()
        values = {name: getattr(self, name) for name in shared}
        return Network(user_agent=user_agent(version, self.contact), **values)

    def to_json(self) -> dict[str, object]:
        """Return the options for the folder: without passwords, with absolute paths."""
        stored = self.model_dump(exclude={"auth"})
        stored["proxy"] = self.proxy and without_password(self.proxy)
        for name in FILES:
            stored[name] = stored[name] and str(Path(stored[name]).absolute())
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> CrawlOptions:
        """Read what :meth:`to_json` wrote; names that are no longer known are ignored."""
        renamed: dict[str, Any] = {_OLD_NAMES.get(key, key): stored[key] for key in stored}
        return cls(**{key: renamed[key] for key in cls.model_fields if key in renamed})


def auth_hosts(auth: Iterable[str]) -> list[str]:
    """Return the hosts of logins as of ``CrawlOptions.auth``, each once."""
    pairs = (each.partition("=") for each in auth)
    return list(dict.fromkeys(host.strip().lower() for host, equals, _ in pairs if equals))
