"""The whole of the campus web, with all its dirt: every page is a seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE

STRATEGY = "vsm-four"
PAGES_EACH = 1_000


def whole_campus(web: Path) -> None:
    """Print what was fetched, and what was dropped by reason."""
    _every_strategy(web)
    with open_archive(web / "campus.warc.gz") as archive:
        given = read_topic(Path(__file__).with_name("campus.toml"))
        topic = replace(given, seeds=tuple(archive.urls()))
        # One page more than there are: the crawl goes on to every last link, then runs dry.
        plan = ReplayPlan(strategies=[(CATALOGUE[STRATEGY], {})], budget=str(len(archive) + 1))
        (job,) = plan.jobs(archive, [topic])
        result = run_job(archive, job)
        skipped = {reason: s.count for reason, s in archive.skipped.items()}
    print(
        f"campus web: {result.fetched} of {len(topic.seeds)} pages fetched, {result.failed} "
        f"failed, {result.missing} linked pages are not in the archive; stopped: {result.stopped}"
    )
    print(f"  records skipped: {skipped or 'none'}")
    print(f"  links dropped: {dict(Counter(result.dropped).most_common())}")
    print(f"  pages with a problem: {dict(result.problems) or 'none'}")


def _every_strategy(web: Path) -> None:
    """Each strategy from one seed, so that the frontier's order is put to work as well."""
    names = [name for name, spec in CATALOGUE.items() if not spec.needs_labels]
    plan = ReplayPlan([(CATALOGUE[name], {}) for name in names], budget=str(PAGES_EACH))
    topic = read_topic(Path(__file__).with_name("campus.toml"))
    with open_archive(web / "campus.warc.gz") as archive:
        for job in plan.jobs(archive, [topic]):
            result = run_job(archive, job)
            print(
                f"campus web from one seed, {result.strategy}: {result.fetched} pages, "
                f"{result.pages_per_second:.0f} pages/s, {result.stopped}"
            )
