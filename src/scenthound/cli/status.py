"""``scenthound status``: how a crawl stands, in a folder or on a server."""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated

import typer

from scenthound.cli.options import FolderOrNone, RedisUrl, ServerCrawl, SharedName, named_crawl
from scenthound.cli.screen import figure, output, plain
from scenthound.cli.shared_crawl import draw_overview
from scenthound.crawler import control, shared_crawls
from scenthound.crawler.control import CrawlStatus


def status(
    folder: FolderOrNone = None,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Say how a crawl stands: running or not, pages, harvest, workers."""
    named = named_crawl(folder, redis, crawl)
    if isinstance(named, ServerCrawl):
        stands = shared_crawls.shared_overview(named.redis, named.crawl)
        if as_json:
            typer.echo(json.dumps(dataclasses.asdict(stands), ensure_ascii=False))
        else:
            output().print(draw_overview(stands))
        return
    statuses = control.crawl_status(named)
    if as_json:
        crawls = [each.to_json() for each in statuses]
        typer.echo(json.dumps({"crawls": crawls}, ensure_ascii=False))
        return
    for each in statuses:
        output().print(plain(_line(each)), soft_wrap=True)
    for workers in _by_crawl(statuses):
        output().print(plain(_total(workers)), soft_wrap=True)


def _by_crawl(statuses: Sequence[CrawlStatus]) -> list[list[CrawlStatus]]:
    """The workers of each crawl of many."""
    found = defaultdict[str, list[CrawlStatus]](list)
    for each in statuses:
        if each.crawl_id is not None:
            found[each.crawl_id].append(each)
    return list(found.values())


def _total(workers: Sequence[CrawlStatus]) -> str:
    """The workers of one crawl together; each knows how many pages all may have."""
    pages, relevant = sum(each.pages for each in workers), sum(each.relevant for each in workers)
    states = dict.fromkeys(each.state for each in workers)
    count = f"{len(workers)} worker{'' if len(workers) == 1 else 's'} here"
    return (
        f"{workers[0].crawl}: {pages:,} of {max(each.budget for each in workers):,} pages, "
        f"harvest {figure(relevant / pages if pages else None)}, {count}, {', '.join(states)}"
    )


def _line(crawl: CrawlStatus) -> str:
    reason = f" ({crawl.reason})" if crawl.reason else ""
    budget = "" if crawl.crawl_id is not None else f" of {crawl.budget:,}"
    process = "" if crawl.process is None else f", process {crawl.process}"
    return (
        f"{crawl.folder}: {crawl.topic}, {crawl.strategy}, {crawl.state}{reason}{process}: "
        f"{crawl.pages:,}{budget} pages, harvest {figure(crawl.harvest)}, "
        f"{crawl.waiting:,} URLs wait"
    )
