"""``scenthound merge`` as a user runs it, and is what it makes whole?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.distributed.bars import Bar
from benchmarks.distributed.stored_pages import pages_of
from benchmarks.distributed.worker_processes import ROOT
from scenthound.sample.responses import Response
from scenthound.storage.archive import open_archive


@dataclass(frozen=True, slots=True)
class MergedPages:
    """What a merged folder holds.

    ``message`` is what the command printed. ``urls`` are the pages of its journal, ``unlike`` those
    whose body is not as it was served.
    """

    message: str
    urls: Sequence[str]
    unlike: Sequence[str]


def merged_pages(workers: Path, out: Path, web: Mapping[str, Response]) -> MergedPages:
    """Merge the folders below ``workers``, and compare every page with what was served."""
    done = subprocess.run(
        [sys.executable, "-m", "scenthound.cli.main", "merge", str(workers), "--out", str(out)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"merge failed: {done.stderr}")
    urls = [page.url for page in pages_of([out])]
    with open_archive(out) as archive:
        unlike = [url for url in urls if not _is_as_served(archive.fetch(url), web.get(url))]
    return MergedPages(done.stdout.strip(), urls, unlike)


def whole_bars(expected: set[str], stored: Sequence[str], found: MergedPages) -> list[Bar]:
    """Nothing lost, nothing twice: what was to be stored, what workers did, what is merged."""
    merged = set(found.urls)
    return [
        Bar("pages lost", len(expected - merged), 0, True),
        Bar("pages that should not be there", len(merged - expected), 0, True),
        Bar("pages lost by the merge", len(set(stored) - merged), 0, True),
        Bar("pages twice after the merge", len(found.urls) - len(merged), 0, True),
        Bar("merged pages that are not as served", len(found.unlike), 0, True),
    ]


def _is_as_served(stored: object, served: Response | None) -> bool:
    body = getattr(stored, "body", None)
    return served is not None and body == served.body
