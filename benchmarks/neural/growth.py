"""Do memory, time a page and the cache stay bounded as the work grows?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.memory import grown
from benchmarks.neural.schools import ARCHIVE, page_texts
from scenthound.crawler.caches import cache_report
from scenthound.similarity.encoders import CachedEncoder
from scenthound.similarity.sentence_models import load_static
from scenthound.storage.archive import open_archive
from scenthound.storage.cache import FILE, VectorCache

STRATEGY = "sentences-light"
SIZES = (500, 1_000, 2_000)
PAGES = 400
"""Of which the texts go into the cache."""
LIMIT = 4_000_000
"""Bytes of the cache: small, so that the texts overflow it."""
STEPS = 4


def growth(web: Path, sizes: Sequence[int] = SIZES, pages: int = PAGES, limit: int = LIMIT) -> None:
    """Print memory and time a page of replays by size, then the size of a cache by its texts."""
    for size in sizes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found = pool.submit(grown, web, size, STRATEGY).result()
        print(
            f"{STRATEGY}, {found.fetched} pages: peak memory {found.peak_rss_mb:.0f} MB, "
            f"{1000 * found.seconds / found.fetched:.1f} ms a page"
        )
    with TemporaryDirectory() as folder:
        for line in _cache_growth(web, Path(folder), pages, limit):
            print(line)


def _cache_growth(web: Path, folder: Path, pages: int, limit: int) -> Iterator[str]:
    """What the cache holds after each step; vectors of the static model, as they are quick."""
    with open_archive(web / ARCHIVE) as archive:
        read = page_texts(archive, pages)
    given = 0
    with VectorCache(folder, limit) as cache:
        encoder = CachedEncoder(load_static(), cache)
        for number, page in enumerate(read, start=1):
            encoder.encode(page.short)
            given += len(page.short)
            if number * STEPS % len(read) < STEPS:
                yield _cache_line(folder, given, limit)
    yield f"{_cache_line(folder, given, limit)}; closed"


def _cache_line(folder: Path, given: int, limit: int) -> str:
    """The log of what was written last lies beside the file and goes when the cache is closed."""
    held, file = cache_report(folder), (folder / FILE).stat().st_size
    return (
        f"cache after {given} texts: {sum(held.entries.values())} held, file {file / 1e6:.1f} MB "
        f"(limit: {limit / 1e6:.1f}), log {(held.bytes - file) / 1e6:.1f} MB"
    )
