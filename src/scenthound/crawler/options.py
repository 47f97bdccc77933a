"""Options of a live crawl: everything but the topic and the strategy.

The names are the keys of the table ``[crawl]`` of a settings file and of ``crawl.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

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
from scenthound.fetch.network import DEFAULT_TIMEOUT, Network, user_agent, without_password
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.storage.archive_index import DEFAULT_MAX_BODY

_CONNECTIONS_WITHOUT_DELAY = 8

FILES = ("cookie_file", "netrc")
"""Options that name a file; it is read again when the crawl is resumed."""

AUTH_HOSTS = "auth_hosts"
"""Under this name the folder keeps, beside the options, which hosts there were passwords for."""

_OLD_NAMES = {"seed": "random_seed"}


class CrawlOptions(Options):
    """Options of a live crawl.

    A list of texts may be given as one text, a time as ``"90s"``, a file as a path. SettingsError
    where a value cannot be used.
    """

    max_pages: Annotated[
        Whole, option("Pages, over the whole crawl. Example pages are included.", "N", ge=1)
    ] = 1_000
    max_time: Annotated[
        Seconds | None,
        option("Time, over all its runs: 90s, 15m, 2h, 1d. No limit by default.", "TIME", gt=0),
    ] = None
    delay: Annotated[
        Seconds,
        option(
            "Delay after each response of a host. Its robots.txt may ask for more.",
            "TIME",
            shown="1s",
            ge=0,
        ),
    ] = 1.0
    concurrency: Annotated[
        Whole,
        option(
            "Requests in flight at once. With 1 every page is scored before the next one is "
            "chosen; more is faster, and more pages are chosen by older scores.",
            "N",
            ge=1,
            le=1_000,
        ),
    ] = 8
    per_host: Annotated[
        Whole | None,
        option(
            "Requests in flight per host. 8 without a delay.", "N", panel=REQUESTS, shown=1, ge=1
        ),
    ] = None
    pages_per_host: Annotated[
        Whole | None, option("Maximum number of pages per host.", "N", panel=LIMITS, ge=1)
    ] = None
    host_share: Annotated[
        Number | None,
        option(
            "Hosts above this share of all pages wait. They are used if no other is ready.",
            "X",
            panel=LIMITS,
            gt=0,
            le=1,
        ),
    ] = None
    max_depth: Annotated[
        Whole | None,
        option(
            "Maximum number of links from a seed; 0: seeds only. It bounds crawler traps.",
            "N",
            ge=0,
        ),
    ] = 100
    proxy: Annotated[
        Text | None,
        option(
            "HTTP proxy. By default the one in the environment variable ``http_proxy``.",
            "URL",
            panel=REQUESTS,
        ),
    ] = Field(default=None, repr=False)
    allow_private: Annotated[
        Flag,
        option(
            "Fetch from private and loopback addresses too. Link-local addresses included.",
            panel=REQUESTS,
        ),
    ] = False
    contact: Annotated[
        Text | None, option("Your e-mail address or page, sent with requests.", "WHO")
    ] = None
    timeout: Annotated[
        Seconds,
        option(
            "Maximum time for one response.",
            "TIME",
            panel=REQUESTS,
            shown=f"{DEFAULT_TIMEOUT:g}s",
            gt=0,
        ),
    ] = DEFAULT_TIMEOUT
    max_body: Annotated[Whole, option("Maximum size of a body in bytes.", ge=1)] = DEFAULT_MAX_BODY
    retries: Annotated[Whole, option("Number of retries for a URL that fails.", ge=0)] = 3
    retry_wait: Annotated[
        Seconds, option("Time before the first retry; it doubles with each retry.", ge=0)
    ] = 30.0
    min_harvest: Annotated[
        Share | None,
        option(
            "Stop below this share of relevant pages. By default there is no such limit.",
            "X",
            panel=LIMITS,
        ),
    ] = None
    harvest_window: Annotated[
        Whole, option("Number of latest pages for --min-harvest.", "N", panel=LIMITS, gt=0)
    ] = 500
    min_disk: Annotated[
        Whole, option("Stop when less than this many MB of disk are free.", ge=0)
    ] = 200
    judge: Judge = SIMILARITY
    threshold: Threshold | None = None
    random_seed: RandomSeed = 0
    allow_host: Annotated[
        Texts,
        option(
            "Follow links to this host and its subdomains only; may repeat. "
            "A host may have * in it.",
            "HOST",
        ),
    ] = ()
    deny_host: Annotated[
        Texts, option("Never fetch from this host and its subdomains; may repeat.", "HOST")
    ] = ()
    include: Annotated[
        Texts,
        option(
            "Follow only URLs like *storm* or re:/news/[0-9]+; may repeat. "
            "After re: stands a regular expression.",
            "PATTERN",
        ),
    ] = ()
    exclude: Annotated[
        Texts,
        option(
            "Never fetch URLs like */login*; may repeat. Those of the topic are added.", "PATTERN"
        ),
    ] = ()
    stay: Annotated[
        Flag, option("Stay on the seeds' hosts. Their subdomains are included.", shown="no")
    ] = False
    header: Annotated[
        Texts,
        option("Header sent with every request; may repeat.", "'NAME: VALUE'", panel=REQUESTS),
    ] = ()
    cookie_file: Annotated[
        FilePath | None,
        option("Send the cookies of this cookies.txt file.", "FILE", panel=REQUESTS),
    ] = None
    auth: Annotated[
        Texts,
        option(
            "Log in to this host; not stored; may repeat. A resumed crawl needs it again.",
            "HOST=USER:PASSWORD",
            panel=REQUESTS,
        ),
    ] = Field(default=(), repr=False)
    netrc: Annotated[
        FilePath | None, option("More names and passwords, a .netrc.", "FILE", panel=REQUESTS)
    ] = None
    pdf: Pdf = False
    javascript: Annotated[Flag, option("Use a browser where a page is empty without one.")] = False

    @model_validator(mode="after")
    def _check_what_others_know(self) -> Self:
        """Have the URL rules, the politeness policy and the network check their own values."""
        check_url_rules(self.allow_host, self.deny_host, self.include, self.exclude)
        self.network("0")
        return self

    def politeness(self) -> PolitenessPolicy:
        """Return how hosts are treated."""
        per_host = self.per_host
        if per_host is None:
            per_host = 1 if self.delay > 0 else _CONNECTIONS_WITHOUT_DELAY
        return PolitenessPolicy(self.delay, per_host, self.pages_per_host, self.host_share)

    def network(self, version: str) -> Network:
        """Return how requests are made, by this version of the program."""
        shared = Network.__dataclass_fields__.keys() & type(self).model_fields.keys()
        values = {name: getattr(self, name) for name in shared}
        return Network(user_agent=user_agent(version, self.contact), **values)

    def to_json(self) -> dict[str, object]:
        """Return the options for the folder: without passwords, with absolute paths."""
        kept = self.model_dump(exclude={"auth"})
        kept["proxy"] = self.proxy and without_password(self.proxy)
        for name in FILES:
            kept[name] = kept[name] and str(Path(kept[name]).absolute())
        return kept

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> CrawlOptions:
        """Read what :meth:`to_json` wrote; names that are no longer known are ignored."""
        renamed: dict[str, Any] = {_OLD_NAMES.get(key, key): stored[key] for key in stored}
        return cls(**{key: renamed[key] for key in cls.model_fields if key in renamed})


def auth_hosts(auth: Iterable[str]) -> list[str]:
    """Return the hosts that names and passwords are for, each once."""
    pairs = (each.partition("=") for each in auth)
    return list(dict.fromkeys(host.strip().lower() for host, equals, _ in pairs if equals))
