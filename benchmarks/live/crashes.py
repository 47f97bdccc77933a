"""A crawl that is killed again and again ends with the pages of one that is left in peace."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the scripted web is theirs

from crawler.live_running import Event, crawl, crawling, events, prepare, stored
from crawler.live_web import LiveWeb
from storage.warc_making import check

HOSTS = 20
STRATEGY = "soft-sdvsm"
AT_ANY_TIME = 0.25
"""Share of kills at any time after the start, of the crawler's own beginning too."""
LONGEST_START_S = 2.0
MOST_REQUESTS = 90
"""The other kills come after 0 to this many requests: a commit spans 64 pages."""
_LOOK_S = 0.002


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What a crawl left behind: pages by journal, ledger and WARC files, and are those whole?"""

    urls: Sequence[str]
    ledger: Sequence[str]
    responses: Sequence[str]
    numbered: bool
    warc_valid: bool

    @property
    def consistent(self) -> bool:
        """Do all three list the same pages, in the same order?"""
        return self.numbered and self.urls == self.ledger == self.responses

    @property
    def duplicates(self) -> int:
        """Responses stored more than once."""
        return len(self.responses) - len(set(self.responses))


def crashes(pages: int = 1_000, kills: int = 50, seed: int = 1) -> None:
    """Print what many kills do to a crawl, beside the same crawl undisturbed."""
    with LiveWeb(hosts=HOSTS) as web, tempfile.TemporaryDirectory() as scratch:
        seeds = web.add_linked(pages, HOSTS, seed)[:1]
        calm = crawl(Path(scratch) / "calm", seeds, strategy=STRATEGY).folder
        asked = len(web.log)
        killed = Path(scratch) / "killed"
        prepare(killed, seeds, strategy=STRATEGY)
        endured = endure(killed, web, kills, random.Random(seed))
        requests = [request.url for request in web.log[asked:]]
        _print_comparison(aftermath(calm), aftermath(killed), endured, requests)


def endure(out: Path, web: LiveWeb, kills: int, rng: random.Random) -> int:
    """Go on with the crawl in ``out`` until it ends by itself, killed up to ``kills`` times.

    Returns how many times it was. A run that fails is a RuntimeError.
    """
    for endured in range(kills):
        with crawling(out) as process:
            if not outlives(process, web, rng):
                check_ended(process)
                return endured
    with crawling(out) as process:
        process.wait()
        check_ended(process)
    return kills


def outlives(process: subprocess.Popen[bytes], web: LiveWeb, rng: random.Random) -> bool:
    """Wait for a random moment; False where the process ends before."""
    if rng.random() < AT_ANY_TIME:
        return is_running_after(process, rng.uniform(0.0, LONGEST_START_S))
    return asks_for_more(process, web, rng.randint(0, MOST_REQUESTS))


def asks_for_more(process: subprocess.Popen[bytes], web: LiveWeb, count: int) -> bool:
    """Wait for ``count`` more requests; False where the process ends before."""
    until = len(web.log) + count
    while len(web.log) < until:
        if not is_running_after(process, _LOOK_S):
            return False
    return True


def is_running_after(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait some seconds, or until the process ends: False then."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def check_ended(process: subprocess.Popen[bytes]) -> None:
    """RuntimeError, with what it said, for a process that did not end well."""
    if process.returncode != 0:
        said = process.stderr.read() if process.stderr is not None else b""
        raise RuntimeError(f"the crawl failed: {said.decode(errors='replace')}")


def aftermath(folder: Path) -> Aftermath:
    """Read everything that a crawl left in its folder."""
    pages: list[Event] = [event for event in events(folder) if event["event"] == "page"]
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as database:
        ledger = [url for (url,) in database.execute("SELECT url FROM pages ORDER BY n")]
    return Aftermath(
        urls=[event["url"] for event in pages],
        ledger=ledger,
        responses=[record.warc["WARC-Target-URI"] for record in stored(folder)],
        numbered=[event["n"] for event in pages] == list(range(1, len(pages) + 1)),
        warc_valid=check(folder) == 0,
    )


def _print_comparison(
    calm: Aftermath, killed: Aftermath, kills: int, requests: Sequence[str]
) -> None:
    pages = Counter(url for url in requests if not url.endswith("/robots.txt"))
    print(
        f"crash test, {len(calm.urls)} pages on {HOSTS} hosts, {STRATEGY}, {kills} x SIGKILL: "
        f"sets {'equal' if set(calm.urls) == set(killed.urls) else 'DIFFER'}, "
        f"{killed.duplicates} duplicates, "
        f"WARC {'valid' if killed.warc_valid else 'INVALID'}, "
        f"journal, ledger and WARC {'agree' if killed.consistent else 'DISAGREE'}"
    )
    print(
        f"pages asked for again: {pages.total() - len(pages)} "
        f"({(pages.total() - len(pages)) / max(kills, 1):.1f} a kill)"
    )


if __name__ == "__main__":
    crashes()
