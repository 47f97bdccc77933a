"""Reasons for the journal that more than one part speaks of."""

from __future__ import annotations

TOO_LARGE = "too large"
NO_HOST = "host not found"
REFUSED = "connection refused"
NO_CONNECTION = "no connection"
UNREADABLE_PAGE = "cannot be read: the reader died over it, or took too long"
HOST_DOWN = frozenset({NO_HOST, REFUSED, NO_CONNECTION})
"""Reasons that lie with the host, not with one of its pages."""
TIMEOUT = "timeout"
OFFLINE = (*sorted(HOST_DOWN), TIMEOUT)
"""Reasons that one sees everywhere at once when the network is down."""
NEEDS_BROWSER = "needs a browser"
"""The page came, and shows nothing without its scripts. The downloader keeps it until it is asked
to render it; scripts ask their host for more, so the crawl lets it rest before that."""
NOT_RENDERED = "not rendered"
"""Begins the problem of a page that the browser could not show: it is kept as it came."""
NO_BROWSER = f"{NOT_RENDERED}: there is no browser any more"
