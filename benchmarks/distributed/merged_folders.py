"""Merge the folders of workers, and is what comes of it whole?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.distributed.stored_pages import pages_of
from scenthound.api.merging import merge
from scenthound.archive import open_archive
from scenthound.sample.response import Response


@dataclass(frozen=True, slots=True)
class MergedPages:
    """What a merged folder holds.

    ``urls`` are the pages of its journal, ``unlike`` those whose body is not as it was served.
    ``copies`` pages had been stored twice, ``unsaved`` were in a journal only.
    """

    urls: Sequence[str]
    unlike: Sequence[str]
    copies: int
    unsaved: int


def merged_pages(workers: Path, out: Path, web: Mapping[str, Response]) -> MergedPages:
    """Merge the folders below ``workers``, and compare every page with what was served."""
    done = merge(workers, out)
    urls = [page.url for page in pages_of([out])]
    with open_archive(out) as archive:
        unlike = [url for url in urls if not _is_as_served(archive.fetch(url), web.get(url))]
    return MergedPages(urls, unlike, done.copies, done.unsaved)


def _is_as_served(stored: object, served: Response | None) -> bool:
    body = getattr(stored, "body", None)
    return served is not None and body == served.body
