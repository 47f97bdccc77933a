"""Our Scrapy scheduler: it holds nothing but requests for URLs that have been leased.

Which URL is next is decided by the crawl over its frontier; a link becomes a Request only when
it is its turn. So there is no queue to order here, and no duplicate to filter.
"""

from __future__ import annotations

from collections import deque

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler


class LeasedRequests(BaseScheduler):
    """Hands requests to the engine in the order in which their URLs were leased."""

    def __init__(self) -> None:
        self._requests: deque[Request] = deque()

    def has_pending_requests(self) -> bool:
        """More may be leased at any time: Scrapy never ends the crawl by itself."""
        return True

    def enqueue_request(self, request: Request) -> bool:
        """One more leased URL."""
        self._requests.append(request)
        return True

    def next_request(self) -> Request | None:
        """The next leased URL; None when all are under way."""
        return self._requests.popleft() if self._requests else None
