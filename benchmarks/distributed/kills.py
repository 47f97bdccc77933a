"""Workers killed again and again, the server once: is anything lost, is anything there twice?

The server writes its append-only file with ``appendfsync everysec``. It is killed with SIGKILL, and
what it wrote to the file in its last second is cut off, as a machine that loses its power may.
Some of the killed workers stay dead: others have to miss them, and take what they had leased.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the generated web is theirs

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.disturbed import FORGOTTEN_S, Disturbed, Story
from benchmarks.distributed.merged_folders import MergedPages, merged_pages, whole_bars
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.stored_pages import pages_of
from benchmarks.distributed.together import crawl_together
from crawler.linked_web import linked_web
from scenthound import CrawlOptions, Topic
from scenthound.frontier.redis.workers import DEAD_AFTER
from scenthound.sample.responses import Response, make_response
from scenthound.sample.server import WebServer

PAGES, HOSTS, WORKERS, KILLS, DEAD, SEED = 2_000, 20, 4, 20, 3, 1
STRATEGY, KEYWORDS = "vsm", ("storm", "hurricane", "weather")
CALM = "calm"


def kills(pages: int = PAGES, count: int = KILLS, dead: int = DEAD, seed: int = SEED) -> Section:
    """A crawl until nothing is left, disturbed, beside one that is left in peace."""
    web = killing_web(pages, seed)
    with WebServer(web, keep_log=True) as served, TemporaryDirectory(prefix="v") as scratch:
        topic = Topic("storms", KEYWORDS, (next(iter(web)),))
        options = CrawlOptions(
            max_pages=10 * pages, delay=0.0, proxy=served.proxy, threshold=0.1, timeout=5.0
        )
        folder = Path(scratch)
        (folder / "a").mkdir()
        with running_server(folder / "a", AOF) as server:
            calm = crawl_together(topic, STRATEGY, options, server, folder / CALM, 1)
        asked = len(served.log)
        disturbed = Disturbed(folder, WORKERS, random.Random(seed), lambda: len(served.log) - asked)
        story = disturbed.crawl(topic, STRATEGY, options, pages, count, dead)
        requests = Counter(request.url for request in served.log[asked:])
        found = merged_pages(disturbed.out, folder / "merged", web)
        stored = [page.url for page in pages_of(disturbed.folders)]
    return _verdict({page.url for page in calm.pages}, stored, found, requests, story, web)


def killing_web(pages: int, seed: int) -> dict[str, Response]:
    """Pages that can all be reached from the first, no two alike, on many hosts."""

    def address(host: str, path: str) -> str:
        return f"http://{host}{path}"

    hosts = [f"h{number}.test" for number in range(1, HOSTS + 1)]
    written = linked_web(address, hosts, pages, seed)
    made = (make_response(address(*place), html) for place, html in written.items())
    return {response.url: response for response in made}


def _verdict(
    calm: set[str],
    stored: list[str],
    found: MergedPages,
    requests: Mapping[str, int],
    story: Story,
    web: Mapping[str, Response],
) -> Section:
    pages = Counter({url: n for url, n in requests.items() if not url.endswith("/robots.txt")})
    again = pages.total() - len(pages)
    lines = [
        f"{len(web)} pages on {HOSTS} hosts, {STRATEGY}, {WORKERS} workers, {story.kills} x SIGKILL"
        f" and {story.server_kills} x the server (restarted with its append-only file, appendfsync "
        f"{story.appendfsync}, its last {FORGOTTEN_S:g} s forgotten: {story.forgotten_bytes:,} "
        f"bytes), {story.seconds:.0f} s",
        f"dead for good, and how many URLs each had leased: {story.buried}; the last of them died "
        f"{story.wake:.0f} s before the end (missed after {DEAD_AFTER:g} s)",
        f"stored {len(stored)} pages, {len(stored) - len(set(stored))} of them twice before the "
        f"merge; asked for again: {again}; workers that failed: {story.failed or 'none'}",
    ]
    lines.append(f"merge: {found.message}")
    bars = [
        Bar("kills of workers", story.kills, KILLS),
        Bar("workers dead for good", len(story.buried), DEAD),
        Bar("URLs that they had leased", sum(story.buried.values()), 1),
        Bar("pages of the undisturbed crawl", len(calm), len(web)),
        *whole_bars(calm, stored, found),
        Bar("workers that failed", len(story.failed), 0, True),
    ]
    raw = {
        "stored": len(stored), "asked again": again, "seconds": story.seconds,
        "forgotten bytes": story.forgotten_bytes, "failed": story.failed,
        "merge": found.message, "dead": story.buried, "wake": story.wake,
        "lost": sorted(calm - set(found.urls))[:20],
    }  # fmt: skip
    return Section(bars, lines, raw)
