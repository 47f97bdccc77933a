"""The live crawl of today beside that of an earlier commit, in turn, in one run.

``python -m benchmarks.live.before --webs FOLDER --base COMMIT`` takes the sources of the commit
out of the repository, runs both with the packages that are installed, and prints their speeds and
the ratio. CPU time is the steadier of the two: it is what a crawl costs, whatever else runs.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tarfile
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.live.campus_server import ROOT, campus_proxy
from benchmarks.live.compare import ROUNDS, described, measure, ours
from benchmarks.live.figures import PAGES

NOW, BEFORE = "now", "before"


def main() -> None:
    """Print both, and how they compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--webs", type=Path, required=True, help="folder with campus/")
    parser.add_argument("--base", required=True, help="the earlier commit")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    archive = given.webs.resolve() / "campus" / "campus.warc.gz"
    with TemporaryDirectory() as folder, campus_proxy(archive) as proxy:
        take_out(given.base, Path(folder))
        crawlers = {
            NOW: partial(ours, proxy, given.pages),
            BEFORE: partial(ours, proxy, given.pages, Path(folder) / "src"),
        }
        measured = measure(crawlers, given.rounds)
    for name, runs in measured.items():
        print(described(name, runs))
    speeds = {name: median(r.pages_per_second for r in runs) for name, runs in measured.items()}
    costs = {name: median(r.cpu_ms_a_page for r in runs) for name, runs in measured.items()}
    print(
        f"speed now / before: {speeds[NOW] / speeds[BEFORE]:.3f}; "
        f"CPU a page now / before: {costs[NOW] / costs[BEFORE]:.3f} (bar: within 3 %)"
    )


def take_out(commit: str, folder: Path) -> None:
    """The sources of a commit, into ``folder/src``."""
    packed = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


if __name__ == "__main__":
    main()
