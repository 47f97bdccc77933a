"""How a live crawl goes about it: everything but the topic and the strategy.

The names are the keys of the ``[crawl]`` table of a settings file and of ``crawl.json``.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.bounds_advice import check_bounds
from scenthound.core.errors import SettingsError
from scenthound.frontier.manners import Manners
from scenthound.live.credentials import without_password
from scenthound.live.network import DEFAULT_MAX_BODY, DEFAULT_TIMEOUT, Network, user_agent
from scenthound.live.option_checks import more_than_nothing, of_kind, within
from scenthound.relevance.judge_names import SIMILARITY, check_judge

DEFAULT_PAGES = 1_000
_AT_ONCE_WITHOUT_DELAY = 8
_MEGABYTE = 1024 * 1024
FILES = ("cookie_file", "netrc")
"""Options that name a file; it is read again when the crawl is resumed."""
AUTH_HOSTS = "auth_hosts"
"""Under this name the folder keeps, beside the options, which hosts there were passwords for."""
_OLD_NAMES = {"seed": "random_seed"}


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """What may be set for a live crawl, with its default.

    Parameters
    ----------
    max_pages : pages to fetch, over the whole crawl, example pages included.
    max_time : seconds to crawl, over all runs of the crawl together; None for no limit.
    delay : seconds a host rests after an answer; its robots.txt may ask for more.
    concurrency : requests under way at once. With 1 every page is read before the next one is
        chosen; the more, the faster, and the more is fetched on older knowledge.
    per_host : requests to one host at once; by default 1, or 8 with no delay.
    pages_per_host : no more pages than this of one host; None for no limit.
    host_share : a host that has had more than this share of all pages waits while others can be
        asked; None for no limit.
    max_depth : links of a page that is so many links from a seed are not followed: an end to
        mazes; 0 for the seeds alone, None for no end.
    proxy : for every request; by default what the environment says (``http_proxy``, ...).
    allow_private : may private, loopback and link-local addresses be asked?
    contact : address or page of whoever runs the crawl, sent with every request.
    timeout : seconds for one answer.
    max_body : bytes of a body.
    retries : how often a URL that fails is tried again.
    retry_wait : seconds before the first retry; every further one waits twice as long.
    min_harvest, harvest_window : stop when the share of relevant pages among the last
        ``harvest_window`` falls below ``min_harvest``; None to go on regardless.
    min_disk : stop when less than this many MB are free where the crawl is written.
    judge : what tells relevant pages: "similarity" to the example pages, or the concepts of the
        topic's "ontology"; one is learnt from the example pages if the topic names none.
    threshold : similarity from which a page counts as relevant; calibrated by default. With an
        ontology the relevance that a page must exceed.
    random_seed : of the random generator.
    allow_host : follow links to these hosts only, each with its subdomains, or with ``*`` in it.
    deny_host : never follow links to these.
    include : follow only URLs that one of these patterns matches: ``*`` and ``?``, or ``re:`` and
        a regular expression.
    exclude : never follow URLs that one of these matches; the topic's ``exclude`` is joined in.
    stay : follow links to the hosts of the seeds alone, and to their subdomains.
    header : headers that every request carries besides, each as ``Name: value``.
    cookie_file : cookies to send, in Netscape's format (``cookies.txt``).
    auth : names and passwords of hosts, each as ``HOST=USER:PASSWORD``. They are never written
        to the folder, so a crawl that is resumed needs them again.
    netrc : a netrc file with more of them.
    pdf : are PDF documents pages?
    javascript : is a page that is empty without its scripts read with a browser?

    A list of texts may be given as one text, which is a list of one; a file as a path.
    """

    max_pages: int = DEFAULT_PAGES
    max_time: float | None = None
    delay: float = 1.0
    concurrency: int = 8
    per_host: int | None = None
    pages_per_host: int | None = None
    host_share: float | None = None
    max_depth: int | None = 100
    proxy: str | None = field(default=None, repr=False)
    allow_private: bool = False
    contact: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    max_body: int = DEFAULT_MAX_BODY
    retries: int = 3
    retry_wait: float = 30.0
    min_harvest: float | None = None
    harvest_window: int = 500
    min_disk: int = 200
    judge: str = SIMILARITY
    threshold: float | None = None
    random_seed: int = 0
    allow_host: tuple[str, ...] = ()
    deny_host: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    stay: bool = False
    header: tuple[str, ...] = ()
    cookie_file: str | None = None
    auth: tuple[str, ...] = field(default=(), repr=False)
    netrc: str | None = None
    pdf: bool = False
    javascript: bool = False

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            given = getattr(self, each.name)
            if each.name in FILES and isinstance(given, os.PathLike):
                given = os.fspath(given)
            value = of_kind(each.name, given, str(each.type))
            object.__setattr__(self, each.name, value)
        more_than_nothing("max_time", self.max_time)
        more_than_nothing("harvest_window", self.harvest_window)
        check_judge(self.judge)
        within("threshold", self.threshold)
        within("min_harvest", self.min_harvest)
        if self.retries < 0 or not 0 <= self.retry_wait < math.inf or self.min_disk < 0:
            raise SettingsError("retries, retry_wait and min_disk are 0 or more.")
        more_than_nothing("max_pages", self.max_pages)
        if self.max_depth is not None and self.max_depth < 0:
            raise SettingsError(f"max_depth is 0 (the seeds alone) or more, not {self.max_depth}.")
        check_bounds(self.allow_host, self.deny_host, self.include, self.exclude)
        self.manners()
        self.network("0")

    def manners(self) -> Manners:
        """How hosts are treated."""
        at_once = self.per_host
        if at_once is None:
            at_once = 1 if self.delay > 0 else _AT_ONCE_WITHOUT_DELAY
        return Manners(self.delay, at_once, self.pages_per_host, self.host_share)

    def network(self, version: str) -> Network:
        """How requests are made, by this version of the program."""
        return Network(
            user_agent=user_agent(version, self.contact),
            concurrency=self.concurrency,
            timeout=self.timeout,
            max_body=self.max_body,
            proxy=self.proxy,
            allow_private=self.allow_private,
            header=self.header,
            cookie_file=self.cookie_file,
            auth=self.auth,
            netrc=self.netrc,
            pdf=self.pdf,
            javascript=self.javascript,
            deny_host=self.deny_host,
            exclude=self.exclude,
        )

    @property
    def min_disk_bytes(self) -> int:
        """Free bytes below which the crawl stops."""
        return self.min_disk * _MEGABYTE

    def to_json(self) -> dict[str, object]:
        """By name, for the folder: no password is in it, paths are whole."""
        kept = {**dataclasses.asdict(self), "proxy": self.proxy and without_password(self.proxy)}
        del kept["auth"]
        for name in FILES:
            kept[name] = _whole(kept[name])
        return kept

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> CrawlOptions:
        """What :meth:`to_json` wrote; names that are no longer known are passed over."""
        renamed = {_OLD_NAMES.get(key, key): value for key, value in stored.items()}
        known = {each.name for each in dataclasses.fields(cls)}
        return cls(**{k: v for k, v in renamed.items() if k in known})  # type: ignore[arg-type]


def auth_hosts(auth: Iterable[str]) -> list[str]:
    """The hosts that names and passwords are for, each once."""
    pairs = (each.partition("=") for each in auth)
    return list(dict.fromkeys(host.strip().lower() for host, equals, _ in pairs if equals))


def _whole(path: object) -> str | None:
    return None if path is None else str(Path(str(path)).absolute())
