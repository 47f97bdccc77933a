"""What does it cost to read links by meaning, beyond reading them by words?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from scenthound.core.model import Candidate, FetchedPage, Page, Score
from scenthound.core.protocols import Scorer
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.extract import extract

PAGES = 500
ROUNDS = 5
BASELINE = "vsm-four"
STRATEGIES = (BASELINE, "mcoa", "svsm", "soft-svsm", "soft-svsm-mcoa", "sdvsm", "soft-sdvsm")
BARS = {"svsm": 1.5, "soft-svsm": 1.5}
Seconds = tuple[float, float]
"""Time to build a strategy, and to let it observe and score all pages."""


def link_scoring(web: Path) -> None:
    """Print the scoring time of the strategies by meaning as a multiple of ``vsm-four``'s."""
    with open_archive(web / "schools.warc.gz") as archive:
        plan = ReplayPlan([(CATALOGUE[name], {}) for name in STRATEGIES], budget=str(PAGES))
        jobs = plan.jobs(archive, [read_topic(web / "topics" / "space.toml")])
        fetched = [_fetched_page(archive, url) for url in run_job(archive, jobs[0]).order]
    for job in jobs:
        _round(job, fetched[:1])  # what is prepared once for all crawlers is not counted
    rounds = [[_round(job, fetched) for job in jobs] for _ in range(ROUNDS)]
    links = sum(len(each.page.links) for each in fetched)
    print(f"observing {len(fetched)} pages and scoring their {links} links, median of {ROUNDS}:")
    _print_rows(rounds, len(fetched))


def _print_rows(rounds: Sequence[Sequence[Seconds]], pages: int) -> None:
    baseline = median(row[0][1] for row in rounds)
    for number, name in enumerate(STRATEGIES):
        build = median(row[number][0] for row in rounds)
        score = median(row[number][1] for row in rounds)
        ratios = sorted(row[number][1] / row[0][1] for row in rounds)
        bar = f", bar: {BARS[name]}" if name in BARS else ""
        print(
            f"  {name:14} {1000 * score / pages:5.2f} ms a page, ratio to {BASELINE} "
            f"{score / baseline:.2f} (in single rounds {ratios[0]:.2f} to {ratios[-1]:.2f}{bar}); "
            f"building it {1000 * build:.0f} ms"
        )


def _fetched_page(archive: Archive, url: str) -> FetchedPage:
    """The page at ``url``, read beforehand."""
    response = archive.fetch(url)
    assert response is not None
    found = extract(response.body, url, response.headers.get("content-type", ""))
    page = Page(url, response.status, found.document, found.links)
    return FetchedPage(Candidate(url, Score(1.0), depth=0), page)


def _round(job: ReplayJob, fetched: Sequence[FetchedPage]) -> Seconds:
    """One strategy with an analyzer of its own: nothing is remembered from another round."""
    started = time.perf_counter()
    scorer = job.strategy(job.analyzer()).scorer
    built = time.perf_counter()
    _score_all(scorer, fetched)
    return built - started, time.perf_counter() - built


def _score_all(scorer: Scorer, fetched: Sequence[FetchedPage]) -> None:
    for each in fetched:
        scorer.observe(each)
        scorer.score(each, each.page.links)
