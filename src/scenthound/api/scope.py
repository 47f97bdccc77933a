"""Scope from Python: what would become of a URL in a crawl?"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from scenthound.api.arguments import check_given_path, check_number, check_options, check_topic
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import bounds_of, check_seeds
from scenthound.live.stored_job import stored_scope
from scenthound.live.trial import Trial, Verdict
from scenthound.store.folder import CrawlFolder


def scope_test(
    folder: str | Path,
    urls: Iterable[str],
    *,
    depth: int | None = None,
) -> list[Verdict]:
    """What the crawl in ``folder`` would do with links to these URLs, and by which rule.

    Nothing is fetched: what robots.txt says, and what an address leads to, is not known here.

    Parameters
    ----------
    folder : of a live crawl, running or not.
    urls : to try; none give no verdicts.
    depth : links from a seed to each of them, 1 or more; by default 1.
    """
    check_given_path("folder", folder)
    topic, options = stored_scope(CrawlFolder.open(Path(folder)))
    return try_scope(topic, options, urls, depth=depth)


def try_scope(
    topic: Topic,
    options: CrawlOptions | None,
    urls: Iterable[str],
    *,
    depth: int | None = None,
) -> list[Verdict]:
    """What a crawl for ``topic`` with these options would do with links to these URLs.

    Parameters
    ----------
    topic : of the crawl.
    options : of the crawl; None for the default ones.
    urls : to try; none give no verdicts.
    depth : links from a seed to each of them, 1 or more; by default 1.

    Raises
    ------
    SettingsError
        An argument is of another kind, or every seed is denied or excluded.
    """
    check_topic(topic)
    check_options(options)
    check_number("depth", depth, whole=True)
    if depth is not None and depth < 1:
        raise SettingsError(f"depth is 1 or more, not {depth}: a link leads away from its page.")
    wanted = _checked_urls(urls)
    options = options or CrawlOptions()
    check_seeds(topic, bounds_of(topic, options))
    trial = Trial(topic, options, datetime.now(UTC).year)
    return [trial.verdict(url, depth) for url in wanted]


def _checked_urls(urls: object) -> list[str]:
    if isinstance(urls, str):
        raise SettingsError("urls takes a list of URLs, not a text; put it in brackets.")
    if isinstance(urls, bytes) or not isinstance(urls, Iterable):
        raise SettingsError(
            f"urls takes a list of URLs, not a value of type {type(urls).__name__}."
        )
    found = list(urls)
    for each in found:
        if not isinstance(each, str):
            raise SettingsError(f"urls takes a list of URLs, and {each!r} is not a text.")
    return found
