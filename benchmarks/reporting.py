"""What does a report of a long crawl cost, and does its memory grow? Linux and macOS.

Each size is reported on by a process of its own. The pages are in no archive, so that what it takes
to read the top ones again, which is the same for every size, is left out.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import scenthound
from benchmarks.dashboard import write_crawl
from scenthound.crawler.metrics import peak_rss_mb

SIZES = (1_000, 10_000, 100_000)


def reporting(sizes: Sequence[int] = SIZES) -> None:
    """Print the seconds and the peak memory of a report, by pages of the crawl."""
    with tempfile.TemporaryDirectory() as folder:
        peaks = [_print_size(Path(folder) / str(size), size) for size in sizes]
    growth = peaks[-1] - peaks[0]
    print(f"report: peak memory grows by {growth:.1f} MB from {sizes[0]:,} to {sizes[-1]:,} pages")


def _print_size(folder: Path, pages: int) -> float:
    written = write_crawl(folder, pages)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        seconds, size, peak = pool.submit(reported, folder).result()
    print(
        f"report, {pages:,} pages ({written / 1e6:.1f} MB of journal): {seconds:.1f} s, "
        f"{size / 1e3:.0f} kB of HTML, {peak:.0f} MB"
    )
    return peak


def reported(folder: Path) -> tuple[float, int, float]:
    """Seconds of a report without files, its bytes, and the peak memory of this process in MB."""
    began = time.perf_counter()
    path = scenthound.report(folder, files=False)
    return time.perf_counter() - began, path.stat().st_size, peak_rss_mb()
