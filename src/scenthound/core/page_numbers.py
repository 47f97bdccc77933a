"""Numbers of pages where several workers share a crawl.

Every worker counts its own pages 1, 2, ... in its own journal. Where it names a page of another
worker, the number of that worker stands above that of the page, so that no two are alike and a
reader of one folder knows which pages are not in it.
"""

from __future__ import annotations

_BITS = 32


def foreign(worker: int, n: int) -> int:
    """The number by which others name page ``n`` of a worker; workers are numbered from 1 on.

    >>> foreign(2, 7) == 2 * 2**32 + 7
    True
    """
    return worker << _BITS | n


def worker_of(number: int) -> int:
    """The worker whose page it is; 0 for the worker's own, in whose folder the number stands."""
    return number >> _BITS


def page_in(number: int) -> int:
    """The number that the page has in the journal of its worker."""
    return number & (1 << _BITS) - 1


def told_page(number: int) -> str:
    """The page in words.

    >>> told_page(1200), told_page(foreign(3, 12))
    ('page 1,200', 'page 12 of worker 3')
    """
    worker = worker_of(number)
    return f"page {page_in(number):,} of worker {worker}" if worker else f"page {number:,}"
