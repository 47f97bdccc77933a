"""How a live crawl goes about it: everything but the topic and the strategy.

The names are the keys of the ``[crawl]`` table of a settings file and of ``crawl.json``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.errors import SettingsError
from scenthound.frontier.manners import Manners
from scenthound.live.network import DEFAULT_MAX_BODY, DEFAULT_TIMEOUT, Network, user_agent

DEFAULT_PAGES = 1_000
_AT_ONCE_WITHOUT_DELAY = 8
_MEGABYTE = 1024 * 1024


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
        mazes; None for no end.
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
    threshold : similarity from which a page counts as relevant; calibrated by default.
    seed : of the random generator.
    """

    max_pages: int = DEFAULT_PAGES
    max_time: float | None = None
    delay: float = 1.0
    concurrency: int = 8
    per_host: int | None = None
    pages_per_host: int | None = None
    host_share: float | None = None
    max_depth: int | None = 100
    proxy: str | None = None
    allow_private: bool = False
    contact: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    max_body: int = DEFAULT_MAX_BODY
    retries: int = 3
    retry_wait: float = 30.0
    min_harvest: float | None = None
    harvest_window: int = 500
    min_disk: int = 200
    threshold: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            _of_kind(each.name, getattr(self, each.name), str(each.type))
        _more_than_nothing("max_time", self.max_time)
        _more_than_nothing("harvest_window", self.harvest_window)
        _within("threshold", self.threshold)
        _within("min_harvest", self.min_harvest)
        if self.retries < 0 or not 0 <= self.retry_wait < math.inf or self.min_disk < 0:
            raise SettingsError("retries, retry_wait and min_disk are 0 or more.")
        _more_than_nothing("max_pages", self.max_pages)
        _more_than_nothing("max_depth", self.max_depth)
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
        )

    @property
    def min_disk_bytes(self) -> int:
        """Free bytes below which the crawl stops."""
        return self.min_disk * _MEGABYTE

    def to_json(self) -> dict[str, object]:
        """By name; a password in the proxy's address is kept out of the folder."""
        return {**dataclasses.asdict(self), "proxy": _without_password(self.proxy)}

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> CrawlOptions:
        """What :meth:`to_json` wrote; names that are no longer known are passed over."""
        known = {field.name for field in dataclasses.fields(cls)}
        return cls(**{k: v for k, v in stored.items() if k in known})  # type: ignore[arg-type]


_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "str": (str,),
}


def _of_kind(name: str, value: object, kind: str) -> None:
    """A value of another kind than the field's is refused in words; fields have simple kinds."""
    wanted, _, optional = kind.partition(" | ")
    if value is None and optional:
        return
    is_switch = isinstance(value, bool)
    if not isinstance(value, _KINDS[wanted]) or (is_switch and wanted != "bool"):
        raise SettingsError(f"{name} takes a value of the kind {kind}, not {value!r}.")


def _more_than_nothing(name: str, value: float | None) -> None:
    if value is not None and not 0 < value < math.inf:
        raise SettingsError(f"{name} is more than 0, not {value:g}.")


def _within(name: str, value: float | None) -> None:
    if value is not None and not 0.0 <= value <= 1.0:
        raise SettingsError(f"{name} lies within 0 and 1, not at {value:g}.")


def _without_password(proxy: str | None) -> str | None:
    if proxy is None or "@" not in proxy:
        return proxy
    scheme, _, rest = proxy.partition("//")
    return f"{scheme}//{rest.rpartition('@')[2]}"
